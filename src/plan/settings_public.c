/* The public side of the table of settings: look-up, texts, and whether a value is one. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/status.h"
#include "base/suggest.h"
#include "plan/wishes.h"

int64_t rls2_setting_count(void)
{
    return rls2__setting_count;
}

const rls2_setting *rls2_setting_at(int64_t i)
{
    return i >= 0 && i < rls2__setting_count ? &rls2__settings[i] : NULL;
}

/* '-' and '_' are the same. */
static int is_called(const char *own, const char *name)
{
    for (; *own && *name; own++, name++)
        if (*own != *name && !(*own == '-' && *name == '_')) return 0;
    return *own == *name;
}

const rls2_setting *rls2_setting_find(const char *name)
{
    for (int64_t i = 0; name && i < rls2__setting_count; i++) {
        const rls2_setting *s = &rls2__settings[i];
        if (is_called(s->name, name) || (s->former && is_called(s->former, name))) return s;
    }
    return NULL;
}

static const char *text_of(const rls2_setting *s, rls2_setting_text which)
{
    switch (which) {
    case RLS2_SETTING_NAME: return s->name;
    case RLS2_SETTING_PYTHON: return s->python;
    case RLS2_SETTING_FORMER: return s->former;
    case RLS2_SETTING_LETTER: return s->letter;
    case RLS2_SETTING_VALUE: return s->value;
    case RLS2_SETTING_CHOICES: return s->choices;
    case RLS2_SETTING_DEFAULT: return s->fallback;
    case RLS2_SETTING_SECTION: return s->section;
    case RLS2_SETTING_LABEL: return s->label;
    case RLS2_SETTING_SENTENCE: return s->sentence;
    case RLS2_SETTING_HELP: return s->help;
    }
    return NULL;
}

const char *rls2_setting_about(const rls2_setting *setting, rls2_setting_text which)
{
    const char *text = setting ? text_of(setting, which) : NULL;
    return text ? text : "";
}

rls2_setting_kind rls2_setting_kind_of(const rls2_setting *setting)
{
    return setting ? setting->kind : RLS2_SETTING_TEXT;
}

rls2_setting_scope rls2_setting_scope_of(const rls2_setting *setting)
{
    return setting ? setting->scope : RLS2_SCOPE_DATA;
}

double rls2_setting_least(const rls2_setting *setting)
{
    if (!setting || !(setting->most > setting->least)) return -HUGE_VAL;
    return setting->least < 0.0 ? 0.0 : setting->least; /* just below 0: 0 itself is allowed */
}

double rls2_setting_most(const rls2_setting *setting)
{
    return setting && setting->most > setting->least ? setting->most : HUGE_VAL;
}

/* ---- voices ---- */

void rls2__setting_name(const rls2_setting *setting, rls2_voice voice, char *name, size_t size)
{
    const char *own =
        voice == RLS2_VOICE_PYTHON && setting->python ? setting->python : setting->name;
    snprintf(name, size, "%s%s", voice == RLS2_VOICE_COMMAND ? "--" : "", own);
    for (char *c = name; voice != RLS2_VOICE_COMMAND && *c; c++)
        if (*c == '-') *c = '_';
}

/* The name between braces at `text`; its length with both of them, 0 if there is none. */
static size_t braced(const char *text, char *name, size_t size)
{
    size_t length = text[0] == '{' ? strcspn(text, "}") : 0;
    if (length < 2 || text[length] != '}' || length > size) return 0;
    memcpy(name, text + 1, length - 1);
    name[length - 1] = '\0';
    return length + 1;
}

int64_t rls2__setting_render(const char *from, rls2_voice voice, char *text, int64_t size)
{
    int64_t used = 0;
    while (*from) {
        char name[64], written[80] = {*from, '\0'};
        size_t taken = braced(from, name, sizeof name);
        const rls2_setting *meant = taken > 0 ? rls2_setting_find(name) : NULL;
        if (meant) rls2__setting_name(meant, voice, written, sizeof written);
        for (const char *c = written; *c; c++, used++)
            if (used + 1 < size) text[used] = *c;
        from += meant ? taken : 1;
    }
    if (size > 0) text[used < size ? used : size - 1] = '\0';
    return used;
}

int64_t rls2_setting_tell(const rls2_setting *setting, rls2_setting_text which, rls2_voice voice,
                          char *text, int64_t size)
{
    char name[64];
    const char *from = rls2_setting_about(setting, which);
    if (setting && which == RLS2_SETTING_NAME) {
        rls2__setting_name(setting, voice, name, sizeof name);
        from = name;
    }
    return rls2__setting_render(from, voice, text, text ? size : 0);
}

/* ---- values ---- */

int rls2__choice_of(const char *choices, const char *word)
{
    size_t length = strlen(word);
    int place = 0;
    for (const char *at = choices; at; place++) {
        if (length > 0 && strcspn(at, "|") == length && strncmp(at, word, length) == 0)
            return place;
        at = strchr(at, '|');
        if (at) at++;
    }
    return -1;
}

/* A choice may have been a flag: old files and options still say so. */
const char *rls2__setting_word(const rls2_setting *setting, const char *value)
{
    if (setting->kind != RLS2_SETTING_CHOICE || rls2__choice_of(setting->choices, "no") < 0)
        return value;
    return strcmp(value, "true") == 0 ? "yes" : strcmp(value, "false") == 0 ? "no" : value;
}

static const char *choices_of(const rls2_setting *setting)
{
    if (setting->kind == RLS2_SETTING_FLAG) return "false|true";
    return setting->kind == RLS2_SETTING_SWITCH ? "false|true|auto" : setting->choices;
}

static rls2_status refuse_choice(const char *choices, const char *name, const char *value,
                                 rls2_error *err)
{
    char words[160], list[200] = "", *rest = NULL;
    size_t used = 0;
    snprintf(words, sizeof words, "%s", choices);
    rls2__suggestion near = rls2__suggestion_start(value, (int64_t)strlen(value));
    for (char *word = strtok_r(words, "|", &rest); word; word = strtok_r(NULL, "|", &rest)) {
        int wrote = snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", word);
        used += wrote > 0 ? (size_t)wrote : 0;
        rls2__suggestion_try(&near, word);
    }
    if (near.best)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "%s: '%.80s' is not one of %s; did you mean '%s'?", name, value, list,
                          near.best);
    return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: '%.80s' is not one of %s", name, value, list);
}

int rls2__setting_number(const char *text, double *value)
{
    rls2__number_reader *reader = NULL; /* for numbers that are long, or very large or small */
    if (text[0] == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0') return 0;
    if (rls2__number_scan(text, value) == (int64_t)strlen(text)) return 1;
    int read = rls2__number_reader_create(&reader, NULL) == RLS2_OK &&
               rls2__number_parse(reader, text, value);
    rls2__number_reader_free(reader);
    return read;
}

/* Of 64 bits: a seed may have them all. */
static int read_count(const char *text, uint64_t *value)
{
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0') return 0;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == 0;
}

static rls2_status check_number(const rls2_setting *s, const char *name, const char *value,
                                rls2_error *err)
{
    double number;
    if (!rls2__setting_number(value, &number))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: '%.80s' is not a number such as 0.5 or 1e-3",
                          name, value);
    if (number > s->least && number < s->most) return RLS2_OK;
    if (isinf(s->most) && s->least == 0.0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s is %g; it must be positive", name, number);
    return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s is %g; it must be %s %g and below %g", name,
                      number, s->least < 0.0 ? "at least" : "above",
                      s->least < 0.0 ? 0.0 : s->least, s->most);
}

static rls2_status check_count(const rls2_setting *s, const char *name, const char *value,
                               rls2_error *err)
{
    uint64_t count;
    if (!read_count(value, &count))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: '%.80s' is not a whole number from 0 on",
                          name, value);
    if ((double)count >= s->least && (double)count <= s->most) return RLS2_OK;
    if ((double)count < s->least)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s is %" PRIu64 "; it must be at least %.0f",
                          name, count, s->least);
    return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s is %" PRIu64 "; it must be at most %.0f", name,
                      count, s->most);
}

rls2_status rls2_setting_check(const rls2_setting *setting, const char *name, const char *value,
                               rls2_error *err)
{
    if (!setting) return rls2__fail_null(err, "setting");
    if (!value) return rls2__fail_null(err, "value");
    const char *called = name ? name : setting->name;
    value = rls2__setting_word(setting, value);
    switch (setting->kind) {
    case RLS2_SETTING_FLAG:
    case RLS2_SETTING_SWITCH:
    case RLS2_SETTING_CHOICE:
        if (rls2__choice_of(choices_of(setting), value) >= 0) return RLS2_OK;
        return refuse_choice(choices_of(setting), called, value, err);
    case RLS2_SETTING_NUMBER: return check_number(setting, called, value, err);
    case RLS2_SETTING_COUNT: return check_count(setting, called, value, err);
    case RLS2_SETTING_TEXT:
    case RLS2_SETTING_COLUMN:
    case RLS2_SETTING_LIST: break;
    }
    return RLS2_OK;
}

int rls2__setting_read(const rls2_setting *setting, const char *value, void *member)
{
    uint64_t count = 0;
    int place;
    switch (setting->kind) {
    case RLS2_SETTING_FLAG:
    case RLS2_SETTING_SWITCH:
    case RLS2_SETTING_CHOICE:
        place = rls2__choice_of(choices_of(setting), value);
        *(int *)member = setting->kind == RLS2_SETTING_SWITCH && place == 2 ? -1 : place;
        break;
    case RLS2_SETTING_NUMBER: return rls2__setting_number(value, member);
    case RLS2_SETTING_COUNT:
        read_count(value, &count);
        *(int64_t *)member = (int64_t)count;
        break;
    case RLS2_SETTING_TEXT:
    case RLS2_SETTING_COLUMN:
    case RLS2_SETTING_LIST: break;
    }
    return 1;
}
