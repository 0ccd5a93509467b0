/* The command line, taken apart by the options of cli/option.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/did_you_mean.h"
#include "cli/option.h"
#include "cli/parquet.h"

/* ---- options by name ---- */

/* Is it that option's name, or --no-NAME of one that can be off? *off says which. */
static int is_called(const option *o, const char *name, size_t length, int *off)
{
    *off = option_can_be_off(o) && length > 3 && strncmp(name, "no-", 3) == 0;
    if (*off) name += 3, length -= 3;
    if (strlen(o->name) == length && strncmp(o->name, name, length) == 0) return 1;
    return o->former && strlen(o->former) == length && strncmp(o->former, name, length) == 0;
}

static const option *find_long(unsigned commands, const char *name, size_t length, int *off)
{
    const option *o;
    for (int i = 0; (o = option_at(i)); i++)
        if ((o->commands & commands) && is_called(o, name, length, off)) return o;
    return NULL;
}

static int is_long(unsigned commands, const char *name)
{
    int off;
    return find_long(commands, name, strcspn(name, "="), &off) != NULL;
}

static const option *find_letter(unsigned commands, char letter)
{
    const option *o;
    for (int i = 0; (o = option_at(i)); i++)
        if ((o->commands & commands) && o->letter == letter) return o;
    return NULL;
}

/* "'rls2 predict' and 'rls2 show'": the commands that have the option. */
static void name_owners(const char *name, size_t length, char *text, size_t size)
{
    size_t used = 0;
    int off;
    text[0] = '\0';
    for (int i = 0; COMMANDS[i] && used < size; i++) {
        if (!find_long(COMMANDS[i]->bit, name, length, &off)) continue;
        int wrote = snprintf(text + used, size - used, "%s'rls2 %s'", used ? " and " : "",
                             COMMANDS[i]->name);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

static int refuse_long(const command *c, const settings *s, const char *name, size_t length)
{
    char owners[256];
    const option *o;
    name_owners(name, length, owners, sizeof owners);
    suggestion near = suggest_for(name, length);
    for (int i = 0; (o = option_at(i)); i++)
        if (o->commands & c->bit) suggest_offer(&near, o->name);
    int n = length > 60 ? 60 : (int)length;
    if (owners[0])
        say_error(s, "'--%.*s' is an option of %s; see 'rls2 help %s'", n, name, owners, c->name);
    else if (near.nearest)
        say_error(s, "unknown option '--%.*s'; did you mean '--%s'?", n, name, near.nearest);
    else
        say_error(s, "unknown option '--%.*s'; see 'rls2 help %s'", n, name, c->name);
    return EXIT_USAGE;
}

static int refuse_letter(const command *c, const settings *s, char letter)
{
    const option *other = find_letter(FOR_ALL, letter);
    char owners[256] = "";
    if (other) name_owners(other->name, strlen(other->name), owners, sizeof owners);
    if (other)
        say_error(s, "'-%c' is an option of %s; see 'rls2 help %s'", letter, owners, c->name);
    else
        say_error(s, "unknown option '-%c'; see 'rls2 help %s'", letter, c->name);
    return EXIT_USAGE;
}

/* ---- values ---- */

/* 1 if the text is one of those separated by '|' in `choices`. */
static int is_choice(const char *choices, const char *text)
{
    size_t length = strlen(text);
    for (const char *at = choices; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if (length > 0 && strcspn(at, "|") == length && strncmp(at, text, length) == 0) return 1;
    return 0;
}

static int refuse_choice(const settings *s, const option *o, const char *text)
{
    char list[160], words[160];
    size_t used = 0;
    snprintf(words, sizeof words, "%s", o->value);
    suggestion near = suggest_for(text, strlen(text));
    char *rest = NULL;
    for (char *word = strtok_r(words, "|", &rest); word; word = strtok_r(NULL, "|", &rest)) {
        int wrote = snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", word);
        used += (size_t)wrote < sizeof list - used ? (size_t)wrote : 0;
        suggest_offer(&near, word);
    }
    if (near.nearest)
        say_error(s, "--%s: '%s' is not one of %s; did you mean '%s'?", o->name, text, list,
                  near.nearest);
    else
        say_error(s, "--%s: '%s' is not one of %s", o->name, text, list);
    return EXIT_USAGE;
}

/* A finite number in decimal notation, or a whole number from 0 on. The program never leaves the
 * locale "C" for numbers. */
static int read_number(const char *text, double *value)
{
    char *end;
    if (text[0] == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0') return 0;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

static int read_count(const char *text, int64_t *value)
{
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0') return 0;
    errno = 0;
    *value = strtoll(text, NULL, 10);
    return errno == 0;
}

static int append(const settings *s, text_list *list, const char *text)
{
    const char **items = realloc(list->items, (size_t)(list->count + 1) * sizeof *items);
    if (!items) return out_of_memory(s);
    list->items = items;
    list->items[list->count++] = text;
    return EXIT_OK;
}

/* An option of the command itself. */
static int set_member(settings *s, const option *o, const char *text)
{
    void *member = (char *)s + o->member;
    switch (o->kind) {
    case OPTION_SWITCH:
    case OPTION_FLAG: *(int *)member = 1; return EXIT_OK;
    case OPTION_LIST: return append(s, member, text);
    case OPTION_CHOICE:
        if (!is_choice(o->value, text)) return refuse_choice(s, o, text);
        break;
    case OPTION_NUMBER:
        if (read_number(text, member)) return EXIT_OK;
        say_error(s, "--%s: '%s' is not a number such as 0.5 or 1e-3", o->name, text);
        return EXIT_USAGE;
    case OPTION_COUNT:
        if (read_count(text, member)) return EXIT_OK;
        say_error(s, "--%s: '%s' is not a whole number from 0 on", o->name, text);
        return EXIT_USAGE;
    case OPTION_TEXT:
    case OPTION_FILE: break;
    }
    *(const char **)member = text;
    return EXIT_OK;
}

static int set(settings *s, const option *o, const char *text)
{
    rls2_error err;
    const char *name = o->stands_for[0];
    if (!o->setting && !name) return set_member(s, o, text);
    if (name)
        text = o->stands_for[1];
    else
        name = rls2_setting_about(o->setting, RLS2_SETTING_NAME);
    return rls2_plan_set(s->plan, name, text, &err) == RLS2_OK ? EXIT_OK : fail_plan(s, &err);
}

/* --NAME, or --no-NAME of one that can be off. */
static int set_flag(settings *s, const option *o, int off)
{
    return set(s, o, off ? "false" : "true");
}

static int set_defaults(const command *c, settings *s)
{
    rls2_error err;
    const option *o;
    if (rls2_plan_create(c->goal, RLS2_VOICE_COMMAND, &s->plan, &err) != RLS2_OK)
        return fail(s, &err);
    if (rls2_plan_set_converter(s->plan, parquet_converter(), &err) != RLS2_OK)
        return fail(s, &err);
    int code = EXIT_OK;
    for (int i = 0; (o = option_at(i)) && code == EXIT_OK; i++)
        if ((o->commands & c->bit) && o->fallback && !o->setting) code = set(s, o, o->fallback);
    return code;
}

const char *asked(const settings *s, const char *setting)
{
    const char *text = rls2_plan_get(s->plan, setting, 0);
    return text && *text ? text : NULL;
}

const char *asked_item(const settings *s, const char *setting, int64_t i)
{
    return rls2_plan_get(s->plan, setting, i);
}

/* ---- the walk ---- */

typedef struct walk {
    const command *command;
    settings *settings;
    char **next, **end;
} walk;

/* 1 if the text is an option of this command: taken for a value it would be a surprise. A negative
 * number is none. */
static int looks_like_option(const command *c, const char *text)
{
    if (strncmp(text, "--", 2) == 0) return is_long(c->bit, text + 2);
    return text[0] == '-' && text[1] != '\0' && text[2] == '\0' && find_letter(c->bit, text[1]);
}

static int take_value(walk *w, const option *o, const char *as_written)
{
    if (w->next < w->end && !looks_like_option(w->command, *w->next))
        return set(w->settings, o, *w->next++);
    if (w->next < w->end)
        say_error(w->settings, "'%s' needs a value (%s), but '%s' follows", as_written, o->value,
                  *w->next);
    else
        say_error(w->settings, "'%s' needs a value: %s", as_written, o->value);
    return EXIT_USAGE;
}

static int take_long(walk *w, const char *text)
{
    const char *name = text + 2;
    size_t length = strcspn(name, "=");
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    int off;
    const option *o = find_long(w->command->bit, name, length, &off);
    if (!o) return refuse_long(w->command, w->settings, name, length);
    int without = off || !option_takes_value(o);
    if (value && without) {
        say_error(w->settings, "'%.*s' takes no value, but '%s' was given", (int)length + 2, text,
                  value);
        return EXIT_USAGE;
    }
    if (without) return set_flag(w->settings, o, off);
    return value ? set(w->settings, o, value) : take_value(w, o, text);
}

/* "-q", "-o value", "-ovalue", and flags in one: "-qo value". A long name behind one dash is taken
 * for the slip it nearly always is. */
static int take_letters(walk *w, const char *text)
{
    if (text[2] && is_long(w->command->bit, text + 1)) { /* not -t arget */
        say_error(w->settings, "unknown option '%s'; did you mean '-%s'?", text, text);
        return EXIT_USAGE;
    }
    for (const char *at = text + 1; *at; at++) {
        char written[3] = {'-', *at, '\0'};
        const option *o = find_letter(w->command->bit, *at);
        if (!o) return refuse_letter(w->command, w->settings, *at);
        if (option_takes_value(o))
            return at[1] ? set(w->settings, o, at + 1) : take_value(w, o, written);
        int code = set_flag(w->settings, o, 0);
        if (code != EXIT_OK) return code;
    }
    return EXIT_OK;
}

static int take_argument(walk *w, const char *text)
{
    settings *s = w->settings;
    const command *c = w->command;
    if (s->argument_count < c->most) {
        s->argument[s->argument_count++] = text;
        return EXIT_OK;
    }
    if (c->most == 0)
        say_error(s, "unexpected argument '%s': only options are expected", text);
    else
        say_error(s, "'%s' is one argument too many; usage: rls2 %s %s [OPTION ...]", text, c->name,
                  c->arguments);
    return EXIT_USAGE;
}

static int check_arguments(const command *c, const settings *s)
{
    const char *missing = c->arguments;
    if (s->argument_count >= c->least) return EXIT_OK;
    for (int i = 0; i < s->argument_count; i++) missing += strcspn(missing, " ") + 1;
    int first = (int)strcspn(missing, " ");
    const char *second = missing[first] ? missing + first + 1 : "";
    int name = (int)strcspn(missing, " ."); /* without the dots of several */
    say_error(s, "%.*s%s%s %s missing; usage: rls2 %s %s [OPTION ...]", name, missing,
              second[0] ? " and " : "", second, second[0] ? "are" : "is", c->name, c->arguments);
    return EXIT_USAGE;
}

int settings_parse(const command *c, int argc, char **argv, settings *s)
{
    memset(s, 0, sizeof *s);
    s->command = c->name;
    walk w = {c, s, argv, argv + argc};
    int only_arguments = 0, code = set_defaults(c, s);
    while (code == EXIT_OK && w.next < w.end) {
        const char *text = *w.next++;
        if (only_arguments || text[0] != '-' || text[1] == '\0')
            code = take_argument(&w, text);
        else if (strcmp(text, "--") == 0)
            only_arguments = 1;
        else
            code = text[1] == '-' ? take_long(&w, text) : take_letters(&w, text);
    }
    return code == EXIT_OK ? check_arguments(c, s) : code;
}

void settings_free(settings *s)
{
    free(s->given.items);
    s->given = (text_list){0};
    free(s->keep.items);
    s->keep = (text_list){0};
    rls2_plan_free(s->plan);
    s->plan = NULL;
}
