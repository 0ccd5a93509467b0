/* The columns, groups and given matrices the dictionary tests refer to. */
#ifndef RLS2_TESTS_DICTIONARY_FIXTURE_H
#define RLS2_TESTS_DICTIONARY_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "dictionary/dictionary_parse.h"

static const char *const abc_names[] = {"a", "b", "c"};
static const rls2_columns abc = {.count = 3, .names = abc_names};

static const char *const odd_names[] = {"gene_1", "gene_2", "age",  "all",   "each",  "x y",
                                        "a\"b",   "p..q",   "1e-3", "größe", "group", "end."};
static const int64_t genes[] = {1, 0, 1};
static const int64_t split[] = {0, 2};
static const rls2_group odd_groups[] = {
    {"genes", 3, genes}, {"none", 0, NULL}, {"two words", 2, split}};
static const char *const odd_given[] = {"K1", "my kernel.csv"};
static const rls2_columns odd = {.count = 12,
                                 .names = odd_names,
                                 .group_count = 3,
                                 .groups = odd_groups,
                                 .given_count = 2,
                                 .given_names = odd_given};

/* The failure, its place, and a part of its text. */
static void assert_fails(const char *spec, const rls2_columns *columns, rls2_status status,
                         int64_t position, const char *part)
{
    rls2_error err = {.message = ""};
    rls2_dictionary *untouched = (rls2_dictionary *)&err, *dictionary = untouched;
    rls2_status got = rls2_dictionary_create(spec, columns, &dictionary, &err);
    if (got != status || err.position != position || err.status != status ||
        !strstr(err.message, part))
        fail_msg("%s: status %d, position %d: %s\nexpected status %d, position %d: %s", spec, got,
                 (int)err.position, err.message, status, (int)position, part);
    assert_ptr_equal(dictionary, untouched);
    assert_int_equal(rls2_dictionary_create(spec, columns, &dictionary, NULL), status);
}

#endif
