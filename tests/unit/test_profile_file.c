/* Files of profiles: the same bytes for any division of the rows, and nothing that is no profile is
 * taken for one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "stats/profile_parts.h"
#include "support/made_profile.h"
#include "support/problem.h"

static rls2_profile *unpack(packed p)
{
    rls2_profile *profile = NULL;
    rls2_error err;
    assert_ok(rls2_profile_unpack("p.profile", p.bytes, p.length, &profile, &err), &err);
    return profile;
}

static void assert_same_bytes(packed a, packed b)
{
    assert_int_equal(a.length, b.length);
    assert_memory_equal(a.bytes, b.bytes, (size_t)a.length);
}

/* ---- sums ---- */

static void profile_unpack__packed__packs_to_the_same_bytes(void **state)
{
    (void)state;
    for (int c = 0; c < MADE_PROFILE_CASES; c++) {
        rls2_profile *profile = made_profile_whole(made_profile_cases[c]);
        packed p = pack_profile(profile);
        rls2_profile *read = unpack(p);
        packed q = pack_profile(read);
        assert_same_bytes(p, q);
        assert_int_equal(rls2_profile_rows(read), MADE_PROFILE_ROWS);
        assert_int_equal(rls2_profile_left_out(read), 0);
        assert_true(rls2_profile_fingerprint(read) == rls2_profile_fingerprint(profile));
        assert_string_equal(rls2_profile_column_name(read, rls2_profile_columns(read) - 1), "y");
        assert_null(rls2_profile_column_name(read, rls2_profile_columns(read)));
        rls2_profile_free(profile);
        rls2_profile_free(read);
        rls2_bytes_free(p.bytes);
        rls2_bytes_free(q.bytes);
    }
}

/* Columns of many cells in all parts, in some, and in the sum alone. */
static void profile_merge__any_division__has_the_bytes_of_the_whole(void **state)
{
    (void)state;
    rls2__random r;
    rls2_error err;
    rls2__random_seed(&r, 11);
    for (int round = 0; round < 60; round++) {
        const char *name = made_profile_cases[round % MADE_PROFILE_CASES];
        rls2_profile *whole = made_profile_whole(name), *sum = NULL;
        packed wanted = pack_profile(whole);
        int64_t rows[6][MADE_PROFILE_ROWS], counts[6] = {0};
        int parts = 1 + (int)rls2__random_below(&r, 6);
        for (int64_t i = 0; i < MADE_PROFILE_ROWS; i++) {
            int64_t p = round % 2 ? rls2__random_below(&r, parts) : i * parts / MADE_PROFILE_ROWS;
            rows[p][counts[p]++] = MADE_PROFILE_ROWS - 1 - i;
        }
        for (int p = 0; p < parts; p++) {
            if (counts[p] == 0) continue;
            rls2_profile *one = made_profile(name, counts[p], rows[p]);
            if (sum && rls2__random_below(&r, 2)) { /* through a file, and the other way round */
                packed q = pack_profile(one);
                rls2_profile *read = unpack(q);
                assert_ok(rls2_profile_merge(read, sum, &err), &err);
                rls2_profile_free(sum);
                sum = read;
                rls2_bytes_free(q.bytes);
            } else if (sum) {
                assert_ok(rls2_profile_merge(sum, one, &err), &err);
            } else {
                sum = one;
                continue;
            }
            rls2_profile_free(one);
        }
        packed got = pack_profile(sum);
        assert_same_bytes(got, wanted);
        rls2_profile_free(sum);
        rls2_profile_free(whole);
        rls2_bytes_free(got.bytes);
        rls2_bytes_free(wanted.bytes);
    }
}

static void profile_merge__made_otherwise__is_refused(void **state)
{
    (void)state;
    rls2_error err;
    rls2_profile *texts = made_profile_whole("texts"), *weights = made_profile_whole("weights");
    rls2_profile *numbers = made_profile_whole("unwritten");
    assert_int_equal(rls2_profile_merge(texts, weights, &err), RLS2_ERR_ARGUMENT);
    assert_message(&err, "other options");
    assert_int_equal(rls2_profile_merge(texts, numbers, &err), RLS2_ERR_ARGUMENT);
    assert_message(&err, "3 columns, not 9");
    assert_int_equal(rls2_profile_merge(texts, texts, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_profile_merge(NULL, texts, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_profile_merge(texts, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_profile_rows(texts), MADE_PROFILE_ROWS);
    rls2_profile *other = made_profile_whole("texts");
    other->columns[1].style.kind = RLS2__STYLE_DECORATED; /* many: */
    assert_int_equal(rls2_profile_merge(texts, other, &err), RLS2_ERR_ARGUMENT);
    assert_message(&err, "column 'many' is not written as that of");
    other->columns[1].style.kind = RLS2__STYLE_PLAIN;
    other->rows = INT64_MAX - 5;
    assert_int_equal(rls2_profile_merge(texts, other, &err), RLS2_ERR_VALUE);
    rls2_profile_free(other);
    rls2_profile_free(texts);
    rls2_profile_free(weights);
    rls2_profile_free(numbers);
}

/* What a message says of a cell whose place is not in the file. */
static void profile_check__slip_of_a_file__names_the_file(void **state)
{
    (void)state;
    rls2_error err;
    rls2_dataset_options how;
    rls2_profile *profile = made_profile_whole("texts");
    profile->columns[1].facts->texts = 1; /* a slip among many numbers */
    profile->columns[1].missing--;
    profile->columns[1].missing_weight--;
    rls2__cell_facts_set_slip(profile->columns[1].facts, "abc");
    packed p = pack_profile(profile);
    rls2_profile *read = unpack(p);
    rls2_dataset_options_init(&how, sizeof how);
    how.target = "y";
    how.missing = RLS2_MISSING_IMPUTE;
    how.drop = (const char *const[]){"id"};
    how.drop_count = 1;
    assert_int_equal(rls2__profile_check(read, &how, &err), RLS2_ERR_VALUE);
    assert_message(&err, "p.profile: column 'many': 'abc' is not a number");
    rls2_profile_free(profile);
    rls2_profile_free(read);
    rls2_bytes_free(p.bytes);
}

static void profile_load__saved__is_the_same(void **state)
{
    (void)state;
    char path[] = "/tmp/rls2-profile-XXXXXX";
    rls2_error err;
    rls2_profile *profile = made_profile_whole("weights"), *loaded = NULL;
    close(mkstemp(path));
    assert_ok(rls2_profile_save(profile, path, &err), &err);
    assert_ok(rls2_profile_load(path, &loaded, &err), &err);
    packed p = pack_profile(profile), q = pack_profile(loaded);
    assert_same_bytes(p, q);
    unlink(path);
    assert_int_equal(rls2_profile_load(path, &loaded, &err), RLS2_ERR_IO);
    rls2_profile_free(profile);
    rls2_profile_free(loaded);
    rls2_bytes_free(p.bytes);
    rls2_bytes_free(q.bytes);
}

/* ---- files that are none ---- */

static edited edit_profile(const char *name)
{
    rls2_profile *profile = made_profile_whole(name);
    packed p = pack_profile(profile);
    rls2_profile_free(profile);
    return edit_packed(p);
}

static void assert_profile_refused(const edited *e, const char *what, const char *message)
{
    packed p = edit_pack(e);
    rls2_error err = {0};
    rls2_profile *profile = NULL;
    if (rls2_profile_unpack("p.profile", p.bytes, p.length, &profile, &err) == RLS2_OK)
        fail_msg("accepted: %s", what);
    assert_null(profile);
    assert_int_equal(strncmp(err.message, "p.profile: ", 11), 0);
    if (strstr(err.message, "checksum"))
        fail_msg("%s: no deeper than the checksum: %s", what, err.message);
    if (message) assert_message(&err, message);
    free(p.bytes);
}

/* KEY, or KEY.INDEX.KEY */
static void put(const edited *e, const char *path, json_t *value)
{
    char text[64], *save = NULL;
    snprintf(text, sizeof text, "%s", path);
    json_t *at = e->description;
    char *key = strtok_r(text, ".", &save), *next = strtok_r(NULL, ".", &save);
    for (; next; key = next, next = strtok_r(NULL, ".", &save))
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(key)) : json_object_get(at, key);
    if (json_is_array(at))
        json_array_set_new(at, (size_t)atoi(key), value);
    else
        json_object_set_new(at, key, value);
}

static void profile_unpack__description_that_does_not_fit__is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *json;
        const char *message;
    } cases[] = {
        {"rows", "-1", "'rows' is not a count"},
        {"rows", "119", NULL},
        {"rows", "121", NULL},
        {"left_out", "null", "'left_out' is not a count"},
        {"total", "7", "another weight than they can"},
        {"fingerprint", "\"12\"", "is not 16 hexadecimal digits"},
        {"sample", "0", "limits that no profile has"},
        {"sample", "4000000000", "limits that no profile has"},
        {"sample", "39", "the sample is larger than it may be"},
        {"sample", "41", "the sample has other rows than it says"},
        {"more", "false", "the sample has other rows than it says"},
        {"most_texts", "3", "it has more cells than it may"},
        {"most_bytes", "3", "it has more cells than it may"},
        {"needed", "[99]", "a column that is needed is not there"},
        {"needed", "[\"y\"]", "a column that is needed is not there"},
        {"weight", "99", "the column of row weights is not there"},
        {"weight", "\"w\"", "the column of row weights is not there"},
        {"columns", "[]", "there are none"},
        {"columns", "[\"a\"]", NULL},
        {"columns.1", "\"few\"", "have the same name 'few'"},
        {"format", "\"xls\"", "'format' is not a word known here"},
        {"row_names", "99", "row_names"},
        {"cells", "[]", "not every column has cells"},
        {"cells.0.style", "\"roman\"", "its style is not a word known here"},
        {"cells.0.cells", "4", NULL},
        {"cells.0.cells", "6", NULL},
        {"cells.0.many", "true", "some that are counted"},
        {"cells.1.many", "false", "its cells are not as many as there are rows"},
        {"cells.1.missing", "500", "it has more missing cells than it can"},
        {"cells.1.missing", "2", NULL},
        {"cells.1.missing_weight", "2", "it has more missing cells than it can"},
        {"cells.1.slip", "\"abc\"", "its cells are not as many"},
        {"cells.3.slip", "null", "its cells are not as many"},
        {"cells.4.style", "\"plain\"", NULL},
        {"cells.1.style", "\"date-ymd\"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        edited e = edit_profile("texts");
        put(&e, cases[i].path, json_loads(cases[i].json, JSON_DECODE_ANY, NULL));
        assert_profile_refused(&e, cases[i].path, cases[i].message);
        edit_free(&e);
    }
}

static void profile_unpack__numbers_that_cannot_be__are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *array;
        int64_t index;
        int64_t word;
        const char *message;
    } cases[] = {
        {"sample.rows", 0, 5, "another hash"},
        {"sample.rows", 1, 0, "the sample has more rows than there are"},
        {"sample.rows", 1, INT64_MAX, "the sample has more rows than there are"},
        {"sample.rows", 2, -1, "does not end"},
        {"sample.rows", 2, INT64_MAX, "does not end"},
        {"sample.rows", 2, 3, "has other cells"},
        {"sample.bytes", 0, 0, "has other cells"},
        {"cells.counts", 0, 0, "a cell has no rows"},
        {"cells.counts", 0, 3, "a cell has no rows, or another weight"},
        {"cells.texts", 0, 0, NULL},
        {"many.counts", 0, -1, "its cells are not as many"},
        {"many.counts", 2, 5, "its cells are not as many"},
        {"many.counts", 4, 5, "its cells are not as many"},
        {"many.ends", 0, 0x7FF0000000000000, "its sums are not those of numbers between its ends"},
        {"many.ends", 0, 0x40F0000000000000, "its sums are not those of numbers between its ends"},
        {"many.sums", 3, -1, "its sums are not those"},
        {"many.sums", 3, (int64_t)1 << 33, "its sums are not those"},
        {"many.sums", 139, 1, "its sums are not those"},
        {"many.sums", 139, INT64_MIN, "its sums are not those"},
        {"many.sums", 140 + 139, 1, "its sums are not those"},
        {"many.sums", 140 + 139, -1, "its sums are not those"},
        {"many.sums", 140 + 71, 1, "its sums are not those"}, /* squares below what the mean has */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        edited e = edit_profile("texts");
        set_element(&e, cases[i].array, cases[i].index, &cases[i].word);
        assert_profile_refused(&e, cases[i].array, cases[i].message);
        edit_free(&e);
    }
}

static void profile_unpack__arrays_too_few_or_too_many__is_refused(void **state)
{
    (void)state;
    static const char *const needed[] = {"sample.rows",  "sample.bytes", "cells.counts",
                                         "cells.values", "cells.texts",  "many.counts",
                                         "many.ends",    "many.sums"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        edited e = edit_profile("texts");
        json_t *entry = json_incref(json_object_get(e.header, needed[i]));
        json_object_del(e.header, needed[i]);
        json_object_set_new(e.header, "other", entry);
        assert_profile_refused(&e, needed[i], NULL);
        edit_free(&e);
    }
    edited e = edit_profile("texts");
    json_object_set_new(e.header, "one.more",
                        json_pack("{s:s, s:[i], s:[I, I]}", "dtype", "I64", "shape", 0,
                                  "data_offsets", (json_int_t)e.data_length,
                                  (json_int_t)e.data_length));
    assert_profile_refused(&e, "one array too many", "arrays where");
    edit_free(&e);
    e = edit_profile("texts");
    json_object_set_new(json_object_get(e.header, "__metadata__"), "format_version",
                        json_string("2"));
    assert_profile_refused(&e, "version", "this rls2 reads versions up to 1");
    edit_free(&e);
}

static void profile_unpack__every_beginning__is_refused(void **state)
{
    (void)state;
    rls2_profile *profile = made_profile_whole("weights"), *read = NULL;
    packed p = pack_profile(profile);
    rls2_error err;
    for (int64_t length = 0; length < p.length; length += length < 400 ? 1 : 197) {
        assert_int_not_equal(rls2_profile_unpack("p", p.bytes, length, &read, &err), RLS2_OK);
        assert_null(read);
    }
    p.bytes[p.length - 1] ^= 1;
    assert_int_equal(rls2_profile_unpack("p", p.bytes, p.length, &read, &err), RLS2_ERR_SYNTAX);
    assert_message(&err, "checksum");
    rls2_profile_free(profile);
    rls2_bytes_free(p.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profile_unpack__packed__packs_to_the_same_bytes),
        cmocka_unit_test(profile_merge__any_division__has_the_bytes_of_the_whole),
        cmocka_unit_test(profile_merge__made_otherwise__is_refused),
        cmocka_unit_test(profile_check__slip_of_a_file__names_the_file),
        cmocka_unit_test(profile_load__saved__is_the_same),
        cmocka_unit_test(profile_unpack__description_that_does_not_fit__is_refused),
        cmocka_unit_test(profile_unpack__numbers_that_cannot_be__are_refused),
        cmocka_unit_test(profile_unpack__arrays_too_few_or_too_many__is_refused),
        cmocka_unit_test(profile_unpack__every_beginning__is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
