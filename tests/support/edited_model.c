/* Packs models, edits the bytes, and asserts that they are refused. */
#include "modelfile/container.h"
#include "modelfile/pack.h"
#include "support/edited_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

packed pack(const rls2_model *model)
{
    void *bytes;
    packed p;
    rls2_error err;
    assert_ok(rls2_model_pack(model, &bytes, &p.length, &err), &err);
    p.bytes = bytes;
    return p;
}

packed pack_case(const char *name)
{
    made_model made = make_model(find_model_case(name));
    packed p = pack(made.model);
    free_model(&made);
    return p;
}

void assert_refused(const unsigned char *bytes, int64_t length, rls2_error *err)
{
    rls2_model *model = NULL;
    memset(err, 0, sizeof *err);
    rls2_status status = rls2_model_unpack("m.rls2", bytes, length, &model, err);
    if (status == RLS2_OK) rls2_model_free(model);
    assert_int_not_equal(status, RLS2_OK);
    assert_int_equal(status, err->status);
    assert_null(model);
    assert_int_equal(strncmp(err->message, "m.rls2: ", 8), 0);
}

void assert_message(const rls2_error *err, const char *part)
{
    if (!strstr(err->message, part)) fail_msg("'%s' is not in '%s'", part, err->message);
}

edited edit(const char *name)
{
    return edit_packed(pack_case(name));
}

edited edit_packed(packed original)
{
    edited e = {.original = original};
    int64_t length = 0;
    rls2__read_integers(e.original.bytes, 1, &length);
    e.header = json_loadb((const char *)e.original.bytes + 8, (size_t)length, 0, NULL);
    e.description = json_loads(
        json_string_value(json_object_get(json_object_get(e.header, "__metadata__"), "rls2")), 0,
        NULL);
    e.data = e.original.bytes + 8 + length;
    e.data_length = e.original.length - 8 - length;
    return e;
}

void edit_free(edited *e)
{
    json_decref(e->header);
    json_decref(e->description);
    rls2_bytes_free(e->original.bytes);
}

packed edit_pack(const edited *e)
{
    packed p;
    json_t *metadata = json_object_get(e->header, "__metadata__");
    char *text = json_dumps(e->description, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_object_set_new(metadata, "rls2", json_string(text));
    json_object_set_new(metadata, "checksum", json_string(RLS2__CHECKSUM_ZEROS));
    free(text);
    text = json_dumps(e->header, JSON_COMPACT);
    int64_t header = (int64_t)strlen(text), padded = (header + 7) / 8 * 8;
    p.length = 8 + padded + e->data_length;
    p.bytes = malloc((size_t)p.length);
    for (int b = 0; b < 8; b++) p.bytes[b] = (unsigned char)(padded >> (8 * b));
    memset(p.bytes + 8, ' ', (size_t)padded);
    memcpy(p.bytes + 8, text, (size_t)header);
    memcpy(p.bytes + 8 + padded, e->data, (size_t)e->data_length);
    char digits[9];
    int64_t at =
        strstr(text, RLS2__CHECKSUM_MARK) - text + 8 + (int64_t)strlen(RLS2__CHECKSUM_MARK);
    snprintf(digits, sizeof digits, "%08x", rls2__file_checksum(p.bytes, p.length, at));
    memcpy(p.bytes + at, digits, 8);
    free(text);
    return p;
}

void assert_edit_refused(const edited *e, const char *what, const char *message)
{
    packed p = edit_pack(e);
    rls2_error err = {0};
    rls2_model *model = NULL;
    if (rls2_model_unpack("m.rls2", p.bytes, p.length, &model, &err) == RLS2_OK)
        fail_msg("accepted: %s", what);
    assert_int_equal(strncmp(err.message, "m.rls2: ", 8), 0);
    if (strstr(err.message, "checksum"))
        fail_msg("%s: no deeper than the checksum: %s", what, err.message);
    if (message) assert_message(&err, message);
    free(p.bytes);
}

void set_element(edited *e, const char *array, int64_t index, const void *word)
{
    json_t *offsets = json_object_get(json_object_get(e->header, array), "data_offsets");
    int64_t at = json_integer_value(json_array_get(offsets, 0)) + 8 * index;
    memcpy((unsigned char *)e->data + at, word, 8); /* tests run on little-endian machines */
}
