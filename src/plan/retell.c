/* The settings of a plan told again: as options of the command, or as arguments in Python. */
#include <stdio.h>
#include <string.h>

#include "plan/plan.h"

/* ---- text that grows ---- */

typedef struct told {
    char *text;
    int64_t length, room;
    int failed;
} told;

static void put_bytes(told *t, const char *bytes, int64_t count)
{
    if (t->length + count + 1 > t->room) {
        int64_t more = 2 * (t->length + count + 1);
        char *grown = t->failed ? NULL : rls2__alloc(more, 1);
        if (!grown) {
            t->failed = 1;
            return;
        }
        if (t->length > 0) memcpy(grown, t->text, (size_t)t->length);
        rls2__free(t->text);
        t->text = grown;
        t->room = more;
    }
    memcpy(t->text + t->length, bytes, (size_t)count);
    t->length += count;
    t->text[t->length] = '\0';
}

static void put(told *t, const char *text)
{
    put_bytes(t, text, (int64_t)strlen(text));
}

static rls2_status hand_over(told *t, char **text, rls2_error *err)
{
    if (!t->text) put(t, "");
    if (t->failed) {
        rls2__free(t->text);
        return rls2__fail_memory(err, "a text");
    }
    *text = t->text;
    return RLS2_OK;
}

/* ---- quotes ---- */

/* Byte by byte: what is copied into a terminal must not be obeyed by it, as control characters are
 * even between quotes (one that ends the copied text, and then a line break, would run what
 * follows). */
static void put_octal(told *t, const char *text)
{
    put(t, "$'");
    for (const char *c = text; *c; c++) {
        char one[8];
        int plain = *c >= ' ' && *c < 127 && *c != '\'' && *c != '\\';
        snprintf(one, sizeof one, plain ? "%c" : "\\%03o", (unsigned char)*c);
        put(t, one);
    }
    put(t, "'");
}

/* In single quotes where the shell would see something in it. */
static void quote_for_shell(told *t, const char *text)
{
    static const char PLAIN[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+%";
    if (text[0] && text[strspn(text, PLAIN)] == '\0') {
        put(t, text);
        return;
    }
    if (rls2_text_escape(text, NULL, 0) != (int64_t)strlen(text)) {
        put_octal(t, text);
        return;
    }
    put(t, "'");
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            put(t, "'\\''");
        else
            put_bytes(t, c, 1);
    }
    put(t, "'");
}

/* What rls2_text_escape makes of a character is what Python reads as that character. */
static void quote_bytes_for_python(told *t, const char *text, size_t length)
{
    told slashed = {0};
    put(&slashed, "");
    for (const char *c = text; c < text + length; c++) {
        if (*c == '"' || *c == '\\') put(&slashed, "\\");
        put_bytes(&slashed, c, 1);
    }
    int64_t size = slashed.failed ? 0 : rls2_text_escape(slashed.text, NULL, 0) + 1;
    char *shown = slashed.failed ? NULL : rls2__alloc(size, 1);
    if (shown) {
        rls2_text_escape(slashed.text, shown, size);
        put(t, "\"");
        put(t, shown);
        put(t, "\"");
    } else {
        t->failed = 1;
    }
    rls2__free(shown);
    rls2__free(slashed.text);
}

static void quote_for_python(told *t, const char *text)
{
    quote_bytes_for_python(t, text, strlen(text));
}

rls2_status rls2_text_quote(const char *text, rls2_voice voice, char **quoted, rls2_error *err)
{
    told t = {0};
    if (!text || !quoted)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "argument %s is NULL", text ? "quoted" : "text");
    if (voice == RLS2_VOICE_PYTHON)
        quote_for_python(&t, text);
    else
        quote_for_shell(&t, text);
    return hand_over(&t, quoted, err);
}

void rls2_text_free(char *text)
{
    rls2__free(text);
}

/* ---- options ---- */

static void put_option(told *t, const rls2_setting *s, const char *value)
{
    char name[80];
    int flag = s->kind == RLS2_SETTING_FLAG || s->kind == RLS2_SETTING_SWITCH;
    if (flag && strcmp(value, "auto") == 0) return;
    if (t->length > 0) put(t, " ");
    snprintf(name, sizeof name, "--%s%s", flag && strcmp(value, "false") == 0 ? "no-" : "",
             s->name);
    put(t, name);
    if (flag) return;
    put(t, "=");
    quote_for_shell(t, value);
}

/* ---- arguments ---- */

static void put_list(told *t, const rls2__value *value)
{
    put(t, "[");
    for (int64_t i = 0; i < value->count; i++) {
        if (i > 0) put(t, ", ");
        quote_for_python(t, value->items[i]);
    }
    put(t, "]");
}

/* NAME=REST of each item as {"NAME": "REST"}. */
static void put_dict(told *t, const rls2__value *value)
{
    for (int64_t i = 0; i < value->count; i++) {
        const char *item = value->items[i];
        size_t length = strcspn(item, "=");
        put(t, i > 0 ? ", " : "{");
        quote_bytes_for_python(t, item, length);
        put(t, ": ");
        quote_for_python(t, item[length] == '=' ? item + length + 1 : "");
    }
    put(t, "}");
}

/* To Python a whole number has no zeros in front. */
static void put_number(told *t, const char *text, size_t length)
{
    while (length > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9') text++, length--;
    put_bytes(t, text, (int64_t)length);
}

/* "1,0.5" as [1, 0.5]. */
static void put_numbers(told *t, const char *text)
{
    put(t, "[");
    for (size_t length; *text; text += length + (text[length] == ',')) {
        length = strcspn(text, ",");
        put_number(t, text, length);
        if (text[length] == ',') put(t, ", ");
    }
    put(t, "]");
}

/* The '=' of the item LABEL=X that the text begins with; labels may contain '=' and commas, numbers
 * do not. NULL if there is none. */
static const char *find_equals(const char *text, size_t *number)
{
    for (const char *at = strchr(text, '='); at; at = strchr(at + 1, '=')) {
        *number = strspn(at + 1, "+-.0123456789eE");
        if (*number > 0 && (at[1 + *number] == ',' || at[1 + *number] == '\0')) return at;
    }
    return NULL;
}

/* "a=2,b=1" as {"a": 2, "b": 1}; what is not so written is left to the package to refuse. */
static void put_class_weights(told *t, const char *text)
{
    size_t number;
    if (!find_equals(text, &number)) {
        quote_for_python(t, text);
        return;
    }
    put(t, "{");
    for (const char *equals; (equals = find_equals(text, &number)); text = equals + 1 + number) {
        if (*text == ',') put(t, ", "), text++;
        quote_bytes_for_python(t, text, (size_t)(equals - text));
        put(t, ": ");
        put_number(t, equals + 1, number);
    }
    put(t, "}");
}

static void put_flag(told *t, const char *value)
{
    put(t, strcmp(value, "true") == 0 ? "True" : strcmp(value, "false") == 0 ? "False" : "None");
}

static void put_python_value(told *t, const rls2_setting *s, const rls2__value *value)
{
    const char *first = value->items[0];
    if (strcmp(s->name, "class-weights") == 0) {
        put_class_weights(t, first);
    } else if (strcmp(s->name, "group") == 0) {
        put_dict(t, value);
    } else if (strcmp(s->name, "lambdas") == 0 && !strchr(first, ':')) {
        put_numbers(t, first);
    } else if (s->kind == RLS2_SETTING_LIST && value->count > 1) {
        put_list(t, value);
    } else if (s->kind == RLS2_SETTING_FLAG || s->kind == RLS2_SETTING_SWITCH) {
        put_flag(t, first);
    } else if (s->kind == RLS2_SETTING_NUMBER || s->kind == RLS2_SETTING_COUNT) {
        put_number(t, first, strlen(first));
    } else if (s->kind == RLS2_SETTING_LIST && strcmp(s->name, "kernels") != 0) {
        put_list(t, value);
    } else {
        quote_for_python(t, first);
    }
}

static void put_argument(told *t, const rls2_setting *s, const rls2__value *value)
{
    if (!s->python) return;
    if (t->length > 0) put(t, ", ");
    put(t, s->python);
    put(t, "=");
    put_python_value(t, s, value);
}

/* ---- all of them ---- */

static int is_default(const rls2_setting *s, const rls2__value *value)
{
    if (!value->is_set || value->count == 0) return 1;
    return s->fallback && strcmp(s->fallback, value->items[0]) == 0;
}

rls2_status rls2_plan_retell(const rls2_plan *plan, rls2_voice voice, int64_t but_count,
                             const char *const *but, char **text, rls2_error *err)
{
    told t = {0};
    if (!plan || !text)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "argument %s is NULL", plan ? "text" : "plan");
    for (int64_t i = 0; i < rls2__setting_count; i++) {
        const rls2_setting *s = &rls2__settings[i];
        const rls2__value *value = &plan->values[i];
        if (is_default(s, value) || rls2__is_among(s->name, but, but_count)) continue;
        if (voice == RLS2_VOICE_PYTHON)
            put_argument(&t, s, value);
        else
            for (int64_t k = 0; k < value->count; k++) put_option(&t, s, value->items[k]);
    }
    return hand_over(&t, text, err);
}
