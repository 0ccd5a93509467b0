/* One value of a JSON text changed; and models, whose header is JSON that holds a description in
 * JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "modelfile/format.h"
#include "modelfile/pack.h"
#include "mutate.h"

/* ---- values ---- */

static const char *const VALUES[] = {"null",
                                     "true",
                                     "false",
                                     "0",
                                     "1",
                                     "-1",
                                     "2",
                                     "3",
                                     "64",
                                     "1e300",
                                     "-1e-300",
                                     "0.5",
                                     "4294967296",
                                     "9223372036854775807",
                                     "-9223372036854775808",
                                     "\"\"",
                                     "\"a\"",
                                     "\"\\u0000\"",
                                     "\"\\u001b[2J\"",
                                     "[]",
                                     "{}",
                                     "[[]]",
                                     "[0,1]",
                                     "[\"a\",\"a\"]",
                                     "{\"a\":0}"};

static unsigned count_nodes(const json_t *json)
{
    unsigned count = 1;
    const char *key;
    json_t *value;
    size_t i;
    json_object_foreach((json_t *)json, key, value) count += count_nodes(value);
    json_array_foreach(json, i, value) count += count_nodes(value);
    return count;
}

/* The text of a string changed byte by byte; what is no UTF-8 then stays as it was. */
static json_t *change_text(const json_t *text)
{
    static char room[1 << 14];
    size_t length = json_string_length(text);
    if (length > sizeof room / 2) length = sizeof room / 2;
    memcpy(room, json_string_value(text), length);
    length = LLVMFuzzerMutate((uint8_t *)room, length, sizeof room);
    json_t *changed = json_stringn(room, length);
    return changed ? changed : json_copy((json_t *)text);
}

static json_t *change_value(const json_t *value, unsigned *seed)
{
    unsigned kind = mutate_draw(seed, 4);
    if (kind > 0 && json_is_string(value)) return change_text(value);
    if (kind == 1 && json_is_integer(value)) {
        json_int_t before = json_integer_value(value);
        if (before > -1000000 && before < 1000000)
            return json_integer(before + (mutate_draw(seed, 2) ? 1 : -1));
    }
    if (kind == 2 && json_is_number(value)) return json_real(-0.5 * json_number_value(value));
    return json_loads(VALUES[mutate_draw(seed, sizeof VALUES / sizeof *VALUES)], JSON_DECODE_ANY,
                      NULL);
}

/* Node number *left below the parent: changed, removed, or put there once more. 1 when it was
 * there. */
static int change_node(json_t *parent, unsigned *left, unsigned *seed)
{
    const char *key;
    json_t *value;
    size_t i;
    json_object_foreach(parent, key, value)
    {
        if ((*left)-- == 0)
            return mutate_draw(seed, 8)
                       ? json_object_set_new(parent, key, change_value(value, seed)) | 1
                       : json_object_del(parent, key) | 1;
        if (change_node(value, left, seed)) return 1;
    }
    json_array_foreach(parent, i, value)
    {
        if ((*left)-- == 0) {
            unsigned kind = mutate_draw(seed, 8);
            if (kind == 0) return json_array_remove(parent, i) | 1;
            if (kind == 1) return json_array_insert_new(parent, i, json_deep_copy(value)) | 1;
            return json_array_set_new(parent, i, change_value(value, seed)) | 1;
        }
        if (change_node(value, left, seed)) return 1;
    }
    return 0;
}

static void change_json(json_t *json, unsigned *seed)
{
    unsigned nodes = count_nodes(json) - 1;
    for (unsigned times = 1 + mutate_draw(seed, 3); times > 0 && nodes > 0; times--) {
        unsigned left = mutate_draw(seed, nodes);
        change_node(json, &left, seed);
    }
}

/* Puts the JSON in the place of `old` bytes at `at`. */
static int put_json(mutation *m, size_t at, size_t old, const json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));
    int put = text && mutate_replace(m, at, old, (const uint8_t *)text, strlen(text));
    free(text);
    return put;
}

int mutate_json(mutation *m)
{
    json_t *json =
        mutate_draw(m->seed, 2) ? json_loadb((const char *)m->data, m->size, 0, NULL) : NULL;
    if (!json) return 0;
    change_json(json, m->seed);
    int put = put_json(m, 0, m->size, json);
    json_decref(json);
    return put;
}

/* ---- models ---- */

/* Puts the right digits where digits stand. */
static void repair_checksum(mutation *m)
{
    size_t mark = strlen(RLS2__CHECKSUM_MARK), whole = mark + RLS2__CHECKSUM_DIGITS;
    for (size_t i = 0; i + whole <= m->size; i++) {
        if (memcmp(m->data + i, RLS2__CHECKSUM_MARK, mark) != 0) continue;
        char digits[RLS2__CHECKSUM_DIGITS + 1];
        snprintf(digits, sizeof digits, "%08" PRIx32,
                 rls2__file_checksum(m->data, (int64_t)m->size, (int64_t)(i + mark)));
        memcpy(m->data + i + mark, digits, RLS2__CHECKSUM_DIGITS);
        return;
    }
}

/* The description, which is a text of the header, changed as JSON or as text. */
static void change_description(json_t *header, unsigned *seed)
{
    json_t *about = json_object_get(header, "__metadata__"), *text = json_object_get(about, "rls2"),
           *made = NULL;
    json_t *description =
        mutate_draw(seed, 4) && text ? json_loads(json_string_value(text), 0, NULL) : NULL;
    if (!json_is_string(text)) return;
    if (description) {
        change_json(description, seed);
        char *dumped = json_dumps(description, JSON_COMPACT | JSON_REAL_PRECISION(17));
        if (dumped) made = json_string(dumped);
        free(dumped);
    }
    json_decref(description);
    json_object_set_new(about, "rls2", made ? made : change_text(text));
}

/* The arrays stay as they are, and so does where they lie. */
static int change_header(mutation *m, size_t length)
{
    json_t *header = json_loadb((const char *)m->data + RLS2__LENGTH_BYTES, length, 0, NULL);
    if (!header) return 0;
    if (mutate_draw(m->seed, 4))
        change_description(header, m->seed);
    else
        change_json(header, m->seed);
    size_t before = m->size;
    int put = put_json(m, RLS2__LENGTH_BYTES, length, header);
    json_decref(header);
    if (put) mutate_set_number(m->data, 8, 0, length + m->size - before);
    return put;
}

int mutate_model(mutation *m)
{
    size_t length = (size_t)mutate_number(m->data, 8, 0), arrays = RLS2__LENGTH_BYTES + length;
    if (length > m->size - RLS2__LENGTH_BYTES) return 0;
    if (mutate_draw(m->seed, 3) == 0 && arrays < m->size)
        LLVMFuzzerMutate(m->data + arrays, m->size - arrays,
                         m->size - arrays); /* as long as before */
    else if (!change_header(m, length))
        return 0;
    if (mutate_draw(m->seed, 16)) repair_checksum(m);
    return 1;
}
