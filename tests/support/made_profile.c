/* See made_profile.h. */
#include "support/made_profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/problem.h"

const char *const made_profile_cases[MADE_PROFILE_CASES] = {"texts", "weights", "unwritten"};

/* ---- rows ---- */

static rls2_table *table_of_texts(int64_t count, const int64_t *rows)
{
    static char text[40000];
    size_t at = (size_t)snprintf(text, sizeof text, "few,many,city,id,day,clock,money,w,y\n");
    rls2_table *table = NULL;
    for (int64_t k = 0; k < count; k++) {
        int i = (int)rows[k];
        char many[32] = "", money[32] = "-";
        if (i % 11) snprintf(many, sizeof many, "%.6g", 1e3 * sin(1.7 * i));
        if (i % 7) snprintf(money, sizeof money, "\"$1,%03d\"", i * 37 % 1000);
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "%d,%s,%s,row %d,%d.%d.2021,2020-0%d-1%d %02d:30,%s,%g,%.3f\n",
                               i % 5, many,
                               i == 77 ? "only here"
                               : i % 3 ? "Oslo"
                               : i % 2 ? "Bonn"
                                       : "",
                               i, 1 + i * 5 % 28, 1 + i % 12, 1 + i % 9, i % 10, i % 24, money,
                               0.5 + 0.25 * (i % 4), cos(0.3 * i));
    }
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.format = RLS2_FORMAT_CSV;
    assert_ok(rls2_table_parse("made.csv", text, (int64_t)at, &options, &table, NULL),
              &(rls2_error){0});
    return table;
}

static rls2_table *table_of_numbers(int64_t count, const int64_t *rows)
{
    static double numbers[3 * MADE_PROFILE_ROWS];
    for (int64_t i = 0; i < count; i++) {
        int64_t row = rows[i];
        numbers[i] = sin(1.7 * (double)row);
        numbers[count + i] = row % 9 ? (double)(row % 4) - 1.0 : (double)NAN;
        numbers[2 * count + i] = cos(3.0 * (double)row);
    }
    const rls2_column columns[3] = {{"a", numbers, 1, NULL},
                                    {"b", numbers + count, 1, NULL},
                                    {"y", numbers + 2 * count, 1, NULL}};
    rls2_table *table = NULL;
    assert_ok(rls2_table_create("made", count, 3, columns, &table, NULL), &(rls2_error){0});
    return table;
}

/* ---- profiles ---- */

rls2_profile *made_profile(const char *name, int64_t count, const int64_t *rows)
{
    static const char *const needed[] = {"y"};
    int unwritten = strcmp(name, "unwritten") == 0;
    rls2_error err = {0};
    rls2_table *table = unwritten ? table_of_numbers(count, rows) : table_of_texts(count, rows);
    rls2__profile_options options = rls2__profile_defaults();
    rls2_profile *profile = NULL;
    options.sample = 40;
    options.most_texts = 20;
    options.needed = needed;
    options.needed_count = 1;
    if (strcmp(name, "weights") == 0) options.weight = "w";
    assert_ok(rls2__profile_create(table, &options, &profile, &err), &err);
    assert_ok(rls2__profile_add(profile, table, 0, &err), &err);
    assert_ok(rls2__profile_finish(profile, &err), &err);
    rls2_table_free(table);
    return profile;
}

rls2_profile *made_profile_whole(const char *name)
{
    int64_t rows[MADE_PROFILE_ROWS];
    for (int64_t i = 0; i < MADE_PROFILE_ROWS; i++) rows[i] = i;
    return made_profile(name, MADE_PROFILE_ROWS, rows);
}

packed pack_profile(const rls2_profile *profile)
{
    void *bytes;
    packed p;
    rls2_error err;
    assert_ok(rls2_profile_pack(profile, &bytes, &p.length, &err), &err);
    p.bytes = bytes;
    return p;
}
