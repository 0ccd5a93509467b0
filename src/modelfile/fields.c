/* Reading the description field by field. */
#include "modelfile/fields.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "modelfile/container.h"
#include "modelfile/format.h"

static void fail_field(rls2__describer *r, const char *key, const char *what)
{
    r->status = rls2__container_fail(r->container, RLS2_ERR_SYNTAX,
                                     "the description: '%s' is not %s", key, what);
}

/* NULL, and the failure recorded, if it is not there. */
static const json_t *find(rls2__describer *r, const json_t *from, const char *key)
{
    const json_t *value = r->status == RLS2_OK ? json_object_get(from, key) : NULL;
    if (!value && r->status == RLS2_OK) fail_field(r, key, "there");
    return value;
}

const json_t *rls2__field_object(rls2__describer *r, const json_t *from, const char *key)
{
    const json_t *value = find(r, from, key);
    if (!value || json_is_object(value)) return value;
    fail_field(r, key, "an object");
    return NULL;
}

const json_t *rls2__field_object_or_null(rls2__describer *r, const json_t *from, const char *key)
{
    const json_t *value = find(r, from, key);
    if (!value || json_is_object(value)) return value;
    if (!json_is_null(value)) fail_field(r, key, "an object or null");
    return NULL;
}

const json_t *rls2__field_array(rls2__describer *r, const json_t *from, const char *key)
{
    const json_t *value = find(r, from, key);
    if (!value || json_is_array(value)) return value;
    fail_field(r, key, "an array");
    return NULL;
}

int rls2__field_flag(rls2__describer *r, const json_t *from, const char *key)
{
    const json_t *value = find(r, from, key);
    if (value && !json_is_boolean(value)) fail_field(r, key, "true or false");
    return json_is_true(value);
}

int64_t rls2__field_count(rls2__describer *r, const json_t *from, const char *key)
{
    const json_t *value = find(r, from, key);
    if (json_is_integer(value) && json_integer_value(value) >= 0) return json_integer_value(value);
    if (value) fail_field(r, key, "a count");
    return 0;
}

double rls2__field_number(rls2__describer *r, const json_t *from, const char *key)
{
    const json_t *value = find(r, from, key);
    if (value && !json_is_number(value)) fail_field(r, key, "a number");
    return json_number_value(value); /* JSON has no others than finite ones */
}

double rls2__field_number_or_null(rls2__describer *r, const json_t *from, const char *key)
{
    const json_t *value = find(r, from, key);
    if (value && !json_is_number(value) && !json_is_null(value))
        fail_field(r, key, "a number or null");
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* ---- texts ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Bytes in hexadecimal; NULL where they are not, or hold a zero. */
static const char *decode_hex(rls2__describer *r, const char *hex, const char *key)
{
    int64_t length = (int64_t)strlen(hex);
    char *text = rls2__arena_alloc(r->arena, length / 2 + 1);
    if (!text) r->status = rls2__fail_memory(r->container->err, "the description of a model");
    for (int64_t i = 0; i < length && text; i += 2) {
        int high = hex_digit(hex[i]),
            low = hex_digit(hex[i + 1]); /* the last may be the final NUL */
        if (high >= 0 && low >= 0 && (high | low) != 0) {
            text[i / 2] = (char)(unsigned char)(high << 4 | low);
            continue;
        }
        fail_field(r, key, "a text in hexadecimal");
        return NULL;
    }
    return text;
}

/* The text is the container's, or the arena's. */
static const char *text_of(rls2__describer *r, const json_t *value, const char *key)
{
    if (json_is_string(value)) return json_string_value(value);
    const char *hex =
        json_object_size(value) == 1 ? json_string_value(json_object_get(value, "hex")) : NULL;
    if (hex) return decode_hex(r, hex, key);
    fail_field(r, key, "a text");
    return NULL;
}

const char *rls2__field_text(rls2__describer *r, const json_t *from, const char *key)
{
    const json_t *value = find(r, from, key);
    return value ? text_of(r, value, key) : NULL;
}

const char *rls2__field_text_or_null(rls2__describer *r, const json_t *from, const char *key)
{
    const json_t *value = find(r, from, key);
    return value && !json_is_null(value) ? text_of(r, value, key) : NULL;
}

int rls2__field_word(rls2__describer *r, const json_t *from, const char *key,
                     const char *const *words)
{
    const char *text = rls2__field_text(r, from, key);
    for (int i = 0; text && words[i]; i++)
        if (strcmp(text, words[i]) == 0) return i;
    if (text) fail_field(r, key, "a word known here");
    return 0;
}

const char **rls2__field_texts(rls2__describer *r, const json_t *from, const char *key,
                               int64_t *count)
{
    const json_t *array = rls2__field_array(r, from, key);
    *count = (int64_t)json_array_size(array);
    const char **texts =
        array ? rls2__arena_alloc(r->arena, rls2__mul(*count, sizeof *texts)) : NULL;
    if (array && !texts)
        r->status = rls2__fail_memory(r->container->err, "the description of a model");
    for (int64_t i = 0; texts && i < *count; i++) {
        texts[i] = text_of(r, json_array_get(array, (size_t)i), key);
        if (!texts[i]) return NULL;
    }
    return texts;
}
