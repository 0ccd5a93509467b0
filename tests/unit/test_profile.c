/* Profiles, against the table read whole; and against themselves, cut and ordered otherwise. */
#include "table_fixture.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "stats/table_profile.h"
#include "table/dataset.h"
#include "table/table.h"

/* ---- made tables ---- */

enum { ROWS = 1500, TEXT = 200000 };

/* Numbers of few and of many values, texts of few and of many, dates with and without a clock,
 * numbers with separators, gaps, words for gaps. */
static char *made_text(uint64_t seed, int64_t rows)
{
    static const char *const cities[] = {"Rome", "Oslo", "Lima", "\"Ho, Chi\"", "1"};
    rls2__random r;
    rls2__random_seed(&r, seed);
    char *text = malloc(TEXT);
    size_t used = (size_t)snprintf(text, TEXT, "few,many,city,street,day,clock,money,w,y,class\n");
    for (int64_t i = 0; i < rows; i++) {
        char few[32] = "", city[32] = "", day[32] = "", money[32] = "?";
        int64_t street = rls2__random_below(&r, 400);
        if (rls2__random_below(&r, 20))
            snprintf(few, sizeof few, "%d.%s", (int)rls2__random_below(&r, 9) - 4,
                     rls2__random_below(&r, 2) ? "50" : "5");
        if (rls2__random_below(&r, 7))
            snprintf(city, sizeof city, "%s", cities[rls2__random_below(&r, 5)]);
        if (rls2__random_below(&r, 9))
            snprintf(day, sizeof day, "%d/%d/2021", 1 + (int)rls2__random_below(&r, 28),
                     1 + (int)rls2__random_below(&r, 12));
        if (rls2__random_below(&r, 50))
            snprintf(money, sizeof money, "\"$1,%03d\"", (int)rls2__random_below(&r, 1000));
        used += (size_t)snprintf(
            text + used, TEXT - used, "%s,%.9g,%s,s%d,%s,2020-0%d-1%d %02d:30,%s,%g,%.3f,%s\n", few,
            rls2__random_uniform(&r) * 1e6, city, (int)(street * street / 400), day,
            1 + (int)rls2__random_below(&r, 9), (int)rls2__random_below(&r, 10),
            (int)rls2__random_below(&r, 24), money, (double)rls2__random_below(&r, 9) / 4.0,
            rls2__random_uniform(&r), rls2__random_below(&r, 3) ? "b" : "a");
        assert_true(used < TEXT);
    }
    return text;
}

static rls2__profile_options small(int64_t sample, int64_t most_texts)
{
    rls2__profile_options options = rls2__profile_defaults();
    options.sample = sample;
    options.most_texts = most_texts;
    return options;
}

static rls2__profile *empty_profile(const rls2_table *first, const rls2__profile_options *options)
{
    rls2__profile *profile = NULL;
    rls2_error err = {0};
    assert_int_equal(rls2__profile_create(first, options, &profile, &err), RLS2_OK);
    return profile;
}

static void add(rls2__profile *profile, const rls2_table *piece, int64_t first_row)
{
    rls2_error err = {0};
    rls2_status status = rls2__profile_add(profile, piece, first_row, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
}

static void settle(rls2__profile *profile)
{
    rls2_error err = {0};
    rls2_status status = rls2__profile_settle(profile, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
}

static rls2__profile *profile_of(const rls2_table *table, const rls2__profile_options *options)
{
    rls2__profile *profile = empty_profile(table, options);
    add(profile, table, 0);
    settle(profile);
    return profile;
}

static rls2__profile_column look(const rls2__profile *profile, const char *name)
{
    rls2__profile_column found;
    rls2_error err = {0};
    int64_t j = rls2_table_find(rls2__profile_sample(profile), name);
    assert_true(j >= 0);
    assert_int_equal(rls2__profile_look(profile, j, &found, &err), RLS2_OK);
    return found;
}

/* ---- the data set of all rows ---- */

/* Rounding of sums over the rows of the whole table, one after the other. */
#define SUMMED (ROWS * DBL_EPSILON)

static void assert_within(double got, double wanted, double bound, const char *what)
{
    if (!(fabs(got - wanted) <= bound)) print_error("%s: %.17g, not %.17g\n", what, got, wanted);
    assert_true(fabs(got - wanted) <= bound);
}

/* The column of that name: a profile has categories in another order. */
static int64_t column_in(const rls2_dataset *data, const char *name)
{
    for (int64_t j = 0; j < data->columns; j++)
        if (strcmp(data->encoder->names[j], name) == 0) return j;
    print_error("there is no column %s\n", name);
    assert_true(0);
    return -1;
}

/* The rows in the order of their cities: so that the last city is the same in either order. */
static rls2_table *by_city(rls2_table *table)
{
    int64_t city = rls2_table_find(table, "city"), order[ROWS], n = table->rows;
    rls2_table *sorted = NULL;
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i;
        for (; at > 0 && strcmp(rls2_table_cell(table, order[at - 1], city),
                                rls2_table_cell(table, i, city)) > 0;
             at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    assert_int_equal(rls2_table_take(table, n, order, &sorted, NULL), RLS2_OK);
    rls2_table_free(table);
    return sorted;
}

/* Means and deviations of a column of x, in long double. */
static void assert_scale(const rls2_dataset *raw, int64_t j, const rls2_dataset *made)
{
    const rls2__preparation *got = &made->preparation;
    int64_t c = column_in(made, raw->encoder->names[j]);
    const double *x = raw->x + j * raw->rows;
    const char *name = raw->encoder->names[j];
    long double sum = 0.0L, squares = 0.0L, n = (long double)raw->rows;
    for (int64_t i = 0; i < raw->rows; i++) sum += x[i];
    for (int64_t i = 0; i < raw->rows; i++) squares += (x[i] - sum / n) * (x[i] - sum / n);
    if (raw->weights || got->how.features == RLS2_NORMALIZE_UNIT ||
        got->how.features == RLS2_NORMALIZE_NONE)
        return;
    double mean = (double)(sum / n), deviation = (double)sqrtl(squares / (n - 1));
    assert_within(got->means[c], mean, fabs(mean) * 4e-16, name);
    if (got->how.features == RLS2_NORMALIZE_STANDARDIZE)
        assert_within(got->deviations[c], deviation, deviation * 4e-16, name);
}

/* Columns, categories and labels to the last letter; numbers but for rounding. */
static void assert_same_preparation(const rls2_dataset *got, const rls2_dataset *wanted)
{
    const rls2__encoder *a = got->encoder, *b = wanted->encoder;
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->label_count, b->label_count);
    for (int64_t k = 0; k < b->label_count; k++) /* "0.5" and "0.50" are one: "0.5" here */
        assert_int_equal(strncmp(a->labels[k], b->labels[k], strlen(a->labels[k])), 0);
    for (int64_t k = 0; k < b->count; k++) {
        assert_int_equal(a->inputs[k].parts, b->inputs[k].parts);
        assert_int_equal(a->inputs[k].pooled, b->inputs[k].pooled);
    }
    for (int64_t j = 0; j < b->columns; j++) {
        int64_t c = column_in(got, b->names[j]);
        const rls2__scale *s = &wanted->preparation.scales[j], *t = &got->preparation.scales[c];
        assert_within(got->preparation.fills[c], wanted->preparation.fills[j], 0.0, b->names[j]);
        assert_int_equal(t->exponent, s->exponent);
        assert_within(t->shift + t->rest, s->shift + s->rest,
                      SUMMED * (fabs(s->shift) + s->deviation), b->names[j]);
        assert_within(t->deviation, s->deviation, SUMMED * s->deviation, b->names[j]);
    }
}

static void compare_with_whole(const char *text, const rls2__profile_options *options,
                               const rls2_dataset_options *how, rls2_normalize features)
{
    rls2_error err = {0};
    rls2_dataset *got = NULL, *wanted = NULL;
    rls2_table *whole = by_city(parsed(text));
    rls2__profile *profile = profile_of(whole, options);
    rls2_status status = rls2__profile_dataset(profile, NULL, how, features, &got, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    assert_int_equal(rls2_dataset_create(whole, how, &wanted, &err), RLS2_OK);
    for (int64_t j = 0; j < wanted->columns; j++) assert_scale(wanted, j, got);
    assert_int_equal(rls2_dataset_preprocess(wanted, RLS2_NORMALIZE_NONE, features, NULL, &err),
                     RLS2_OK);
    assert_same_preparation(got, wanted);
    rls2_dataset *like = NULL; /* all rows, with what was learned of counts */
    assert_int_equal(rls2_dataset_create_like(whole, got, &like, &err), RLS2_OK);
    for (int64_t j = 0; j < wanted->columns; j++) {
        const double *x = like->x + column_in(like, wanted->encoder->names[j]) * like->rows;
        for (int64_t i = 0; i < wanted->rows; i++)
            assert_within(x[i], wanted->x[j * wanted->rows + i], 1e6 * SUMMED, "x");
    }
    rls2_dataset_free(like);
    rls2_dataset_free(got);
    rls2_dataset_free(wanted);
    rls2__profile_free(profile);
    rls2_table_free(whole);
}

static void profile_dataset__any_columns__is_that_of_the_whole_table(void **state)
{
    (void)state;
    static const rls2_normalize rules[] = {RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_CENTER,
                                           RLS2_NORMALIZE_STANDARDIZE, RLS2_NORMALIZE_UNIT};
    char *text = made_text(1, ROWS);
    rls2_dataset_options how = options_for("y");
    how.missing = RLS2_MISSING_IMPUTE;
    how.rare = -1;
    for (int r = 0; r < 4; r++) {
        rls2__profile_options few = small(5000, 10000), many = small(5000, 500);
        compare_with_whole(text, &few, &how, rules[r]);
        compare_with_whole(text, &many, &how, rules[r]); /* `many`, `clock`: sums */
    }
    how.target = "class";
    how.reference = 1;
    how.rare = 4;
    rls2__profile_options few = small(5000, 10000);
    compare_with_whole(text, &few, &how, RLS2_NORMALIZE_STANDARDIZE);
    how.target = "few"; /* classes that are numbers, "0.5" and "0.50" being one */
    how.classify = 1;
    static const char *const needed[] = {"few"};
    few.needed = needed;
    few.needed_count = 1;
    compare_with_whole(text, &few, &how, RLS2_NORMALIZE_STANDARDIZE);
    free(text);
}

/* In quarters, which are exact; some are 0. */
static void profile_dataset__rows_with_weights__count_by_them(void **state)
{
    (void)state;
    char *text = made_text(3, ROWS);
    rls2_dataset_options how = options_for("y");
    how.missing = RLS2_MISSING_IMPUTE;
    how.row_weights = "w";
    how.rare = -1;
    for (int64_t most = 500; most <= 10000; most += 9500) {
        rls2__profile_options options = small(5000, most);
        options.weight = "w";
        compare_with_whole(text, &options, &how, RLS2_NORMALIZE_CENTER);
        compare_with_whole(text, &options, &how, RLS2_NORMALIZE_STANDARDIZE);
        compare_with_whole(text, &options, &how, RLS2_NORMALIZE_UNIT);
    }
    free(text);
}

static void profile_dataset__rows_with_gaps_left_out__is_that_of_the_rest(void **state)
{
    (void)state;
    static const char *const needed[] = {"few", "city", "day", "money", "y"};
    char *text = made_text(2, ROWS);
    rls2_dataset_options how = options_for("y");
    rls2__profile_options options = small(5000, 10000);
    options.needed = needed;
    options.needed_count = 5;
    compare_with_whole(text, &options, &how, RLS2_NORMALIZE_STANDARDIZE);
    rls2_table *whole = parsed(text);
    options.needed_count = 4;
    options.needed++; /* without `few` */
    rls2__profile *profile = profile_of(whole, &options);
    rls2_error err = {0};
    rls2_dataset *dataset = NULL;
    assert_int_equal(
        rls2__profile_dataset(profile, NULL, &how, RLS2_NORMALIZE_NONE, &dataset, &err),
        RLS2_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "'few'"));
    assert_null(dataset);
    rls2__profile_free(profile);
    rls2_table_free(whole);
    free(text);
}

/* ---- any order ---- */

typedef struct shuffled {
    int64_t rows;
    int64_t order[ROWS];
} shuffled;

static void shuffle(shuffled *s, int64_t rows, rls2__random *random)
{
    s->rows = rows;
    for (int64_t i = 0; i < rows; i++) {
        int64_t j = rls2__random_below(random, i + 1);
        s->order[i] = s->order[j];
        s->order[j] = i;
    }
}

/* One row at a time, to one of three profiles, which are then merged. */
static rls2__profile *profile_of_parts(const rls2_table *whole,
                                       const rls2__profile_options *options, rls2__random *random)
{
    shuffled s;
    rls2__profile *parts[3];
    rls2_error err = {0};
    shuffle(&s, whole->rows, random);
    for (int k = 0; k < 3; k++) parts[k] = empty_profile(whole, options);
    for (int64_t i = 0; i < s.rows; i++) {
        rls2_table *row = NULL;
        assert_int_equal(rls2_table_take(whole, 1, &s.order[i], &row, &err), RLS2_OK);
        add(parts[rls2__random_below(random, 3)], row, s.order[i]);
        rls2_table_free(row);
    }
    int first = (int)rls2__random_below(random, 3);
    for (int k = 1; k < 3; k++)
        assert_int_equal(rls2__profile_merge(parts[first], parts[(first + k) % 3], &err), RLS2_OK);
    for (int k = 1; k < 3; k++) rls2__profile_free(parts[(first + k) % 3]);
    settle(parts[first]);
    return parts[first];
}

static void assert_same_tables(const rls2_table *a, const rls2_table *b)
{
    assert_int_equal(a->rows, b->rows);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->columns; j++) {
            double u = rls2_table_value(a, i, j), v = rls2_table_value(b, i, j);
            assert_memory_equal(&u, &v, sizeof u);
            assert_string_equal(rls2_table_cell(a, i, j), rls2_table_cell(b, i, j));
        }
}

static void assert_same_column(const rls2__profile *a, const rls2__profile *b, const char *name)
{
    rls2__profile_column u = look(a, name), v = look(b, name);
    u.name = v.name = NULL;
    assert_int_equal(u.kind, v.kind);
    assert_int_equal(u.missing, v.missing);
    assert_int_equal(u.numbers, v.numbers);
    assert_int_equal(u.texts, v.texts);
    assert_int_equal(u.distinct, v.distinct);
    const double p[] = {u.low, u.high, u.sum, u.mean, u.deviation};
    const double q[] = {v.low, v.high, v.sum, v.mean, v.deviation};
    assert_memory_equal(p, q, sizeof p);
}

static void assert_same_data(const rls2_dataset *a, const rls2_dataset *b)
{
    int64_t p = a->columns;
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(p, b->columns);
    for (int64_t j = 0; j < p; j++) assert_string_equal(a->encoder->names[j], b->encoder->names[j]);
    assert_memory_equal(a->x, b->x, (size_t)(a->rows * p) * sizeof *a->x);
    assert_memory_equal(a->y, b->y, (size_t)a->rows * sizeof *a->y);
    assert_memory_equal(a->preparation.fills, b->preparation.fills,
                        (size_t)p * sizeof *a->preparation.fills);
    assert_memory_equal(a->preparation.means, b->preparation.means,
                        (size_t)(2 * p) * sizeof *a->preparation.means);
}

static rls2_dataset *dataset_of(const rls2__profile *profile)
{
    rls2_error err = {0};
    rls2_dataset *dataset = NULL;
    rls2_dataset_options how = options_for("y");
    how.missing = RLS2_MISSING_IMPUTE;
    how.rare = -1;
    assert_int_equal(
        rls2__profile_dataset(profile, NULL, &how, RLS2_NORMALIZE_STANDARDIZE, &dataset, &err),
        RLS2_OK);
    return dataset;
}

static void profile_merge__any_order_and_partition__same_bits(void **state)
{
    (void)state;
    char *text = made_text(5, ROWS);
    rls2__random random;
    rls2__random_seed(&random, 11);
    rls2_table *whole = parsed(text);
    for (int round = 0; round < 6; round++) {
        rls2__profile_options options = small(round % 2 ? 100 : 5000, round < 3 ? 500 : 10000);
        rls2__profile *a = profile_of(whole, &options);
        rls2__profile *b = profile_of_parts(whole, &options, &random);
        assert_int_equal(rls2__profile_rows(a), rls2__profile_rows(b));
        assert_int_equal(rls2__profile_fingerprint(a), rls2__profile_fingerprint(b));
        assert_same_tables(rls2__profile_sample(a), rls2__profile_sample(b));
        for (int64_t j = 0; j < whole->columns; j++) assert_same_column(a, b, whole->names[j]);
        rls2_dataset *u = dataset_of(a), *v = dataset_of(b);
        assert_same_data(u, v);
        rls2_dataset_free(u);
        rls2_dataset_free(v);
        rls2__profile_free(a);
        rls2__profile_free(b);
    }
    rls2_table_free(whole);
    free(text);
}

/* ---- the sample ---- */

static int64_t count_rows_of(const rls2_table *table, const char *value)
{
    int64_t count = 0;
    for (int64_t i = 0; i < table->rows; i++) count += rls2_table_holds(table, i, 0, value);
    return count;
}

/* 90 rows of one content, 10 of another. */
static void profile_sample__equal_rows__have_their_share(void **state)
{
    (void)state;
    char text[1000] = "a,y\n";
    for (int i = 0; i < 100; i++) strcat(text, i % 10 ? "1,u\n" : "2,v\n");
    rls2_table *whole = parsed(text);
    rls2__profile_options options = small(20, 100);
    rls2__profile *profile = profile_of(whole, &options);
    assert_int_equal(rls2_table_rows(rls2__profile_sample(profile)), 20);
    assert_int_equal(count_rows_of(rls2__profile_sample(profile), "1"), 18);
    assert_int_equal(count_rows_of(rls2__profile_sample(profile), "2"), 2);

    rls2_table *others = parsed("a,y\n2,v\n2,v\n2,v\n2,v\n2,v\n2,v\n2,v\n2,v\n2,v\n2,v\n");
    rls2__profile *more = profile_of(others, &options);
    for (int i = 0; i < 8; i++) assert_int_equal(rls2__profile_merge(profile, more, NULL), RLS2_OK);
    settle(profile);
    assert_int_equal(count_rows_of(rls2__profile_sample(profile), "1"), 10);
    assert_int_equal(count_rows_of(rls2__profile_sample(profile), "2"), 10);
    rls2__profile_free(more);
    rls2_table_free(others);
    rls2__profile_free(profile);
    rls2_table_free(whole);
}

/* Where not all contents are kept, one of many rows is there 16 times at most. */
static void profile_sample__more_rows_than_it_has_room__is_bounded(void **state)
{
    (void)state;
    char text[20000] = "a,y\n";
    size_t used = strlen(text);
    for (int i = 0; i < 500; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,u\n7,u\n", 10 + i);
    rls2_table *whole = parsed(text);
    for (int64_t k = 1; k <= 400; k += 57) {
        rls2__profile_options options = small(k, 100);
        rls2__profile *profile = profile_of(whole, &options);
        const rls2_table *sample = rls2__profile_sample(profile);
        assert_true(rls2_table_rows(sample) <= k);
        assert_true(count_rows_of(sample, "7") <= 16);
        for (int64_t i = 0; i < rls2_table_rows(sample); i++)
            for (int64_t o = 0; o < i; o++)
                assert_true(rls2_table_holds(sample, i, 0, "7") ||
                            rls2_table_value(sample, i, 0) != rls2_table_value(sample, o, 0));
        rls2__profile_free(profile);
    }
    rls2_table_free(whole);
}

/* ---- columns ---- */

static void profile_look__kinds__are_those_of_all_rows(void **state)
{
    (void)state;
    rls2_table *whole = parsed("a,b,c,d,y\n1,x,2020-01-01,?,1\n2,y,2020-01-03,5,2\n,x,,7,3\n"
                               "4,,2020-01-03,7,4\n");
    rls2__profile_options options = rls2__profile_defaults();
    rls2__profile *profile = profile_of(whole, &options);
    rls2__profile_column a = look(profile, "a"), b = look(profile, "b"), c = look(profile, "c"),
                         d = look(profile, "d");
    assert_int_equal(a.kind, RLS2_COLUMN_NUMBERS);
    assert_int_equal(a.missing, 1);
    assert_int_equal(a.distinct, 3);
    assert_true(a.sum == 7.0 && a.low == 1.0 && a.high == 4.0 && a.mean == 7.0 / 3.0);
    assert_within(a.deviation, sqrt(7.0 / 3.0), 4e-16, "deviation");
    assert_int_equal(b.kind, RLS2_COLUMN_TEXT);
    assert_int_equal(b.distinct, 2);
    assert_int_equal(b.missing, 1);
    assert_int_equal(c.kind, RLS2_COLUMN_DATES);
    assert_true(c.low == 18262.0 && c.high == 18264.0);
    assert_int_equal(d.kind, RLS2_COLUMN_NUMBERS);
    assert_int_equal(d.missing, 1);
    rls2__profile_values values = {0};
    rls2_error err = {0};
    assert_int_equal(rls2__profile_values_of(profile, 3, &values, &err), RLS2_OK);
    assert_int_equal(values.count, 2);
    assert_true(values.numbers[0] == 5.0 && values.rows[0] == 1);
    assert_true(values.numbers[1] == 7.0 && values.rows[1] == 2);
    rls2__profile_values_free(&values);
    rls2__profile_free(profile);
    rls2_table_free(whole);
}

/* A column whose few texts are in no row of the sample is one of texts. */
static void profile_dataset__text_that_the_sample_lacks__is_a_category(void **state)
{
    (void)state;
    char text[8000] = "note,x,y\n";
    for (int i = 0; i < 400; i++)
        snprintf(text + strlen(text), 20, "%s,%d,%d\n", i % 200 == 7 ? "A" : "", i, i % 5);
    rls2_table *whole = parsed(text);
    rls2__profile_options options = small(4, 1000);
    rls2__profile *profile = profile_of(whole, &options);
    assert_int_equal(rls2_table_missing(rls2__profile_sample(profile), 0), 4);
    assert_int_equal(look(profile, "note").kind, RLS2_COLUMN_TEXT);
    rls2_dataset *dataset = dataset_of(profile);
    assert_string_equal(rls2_dataset_names(dataset)[0], "note=A");
    assert_string_equal(rls2_dataset_names(dataset)[1], "note=missing");
    rls2_dataset_free(dataset);
    rls2__profile_free(profile);
    rls2_table_free(whole);
}

/* ---- bad input ---- */

static rls2_status check(const char *text, int64_t most_texts, char message[512])
{
    rls2_table *whole = parsed(text), *first = NULL;
    rls2__profile_options options = small(100, most_texts);
    rls2_dataset_options how = options_for("y");
    rls2_error err = {0};
    int64_t rows[40];
    for (int64_t i = 0; i < 40; i++) rows[i] = i;
    assert_int_equal(rls2_table_take(whole, 40, rows, &first, &err), RLS2_OK);
    rls2__profile *profile = empty_profile(first, &options);
    add(profile, whole, 0);
    settle(profile);
    rls2_status status = rls2__profile_check(profile, &how, &err);
    snprintf(message, 512, "%s", err.message);
    rls2__profile_free(profile);
    rls2_table_free(first);
    rls2_table_free(whole);
    return status;
}

static void profile_check__text_after_many_numbers__names_place_and_cell(void **state)
{
    (void)state;
    for (int64_t most = 10; most <= 1000; most *= 10) {
        char text[4000] = "x,y\n", message[512];
        for (int i = 0; i < 200; i++) snprintf(text + strlen(text), 20, "%d,%d\n", i * i, i);
        strcat(text, "abc,7\n12,3\n4,zz\ndef,5\n");
        assert_int_equal(check(text, most, message), RLS2_ERR_VALUE);
        assert_string_equal(message,
                            "t.csv:202: column 'x': 'abc' is not a number; 202 cells of the column "
                            "are, 2 are not (what stands for a missing value can be told by 'na')");
    }
}

static void profile_check__too_many_texts__names_the_column(void **state)
{
    (void)state;
    char text[4000] = "name,y\n", message[512];
    for (int i = 0; i < 200; i++) snprintf(text + strlen(text), 20, "n%d,%d\n", i, i);
    assert_int_equal(check(text, 1000, message), RLS2_OK);
    assert_int_equal(check(text, 100, message), RLS2_ERR_VALUE);
    assert_string_equal(message, "t.csv: column 'name' has more than 100 different texts; drop it, "
                                 "or make fewer categories of it");
}

static void profile_add__weights_that_are_none__are_refused(void **state)
{
    (void)state;
    rls2_table *negative = parsed("x,w\n1,2\n3,-1\n"), *huge = parsed("x,w\n1,2\n3,1e300\n");
    rls2__profile_options options = rls2__profile_defaults();
    options.weight = "w";
    rls2__profile *p = empty_profile(huge, &options), *q = empty_profile(huge, &options);
    rls2_error err = {0};
    assert_int_equal(rls2__profile_add(p, negative, 0, &err), RLS2_ERR_VALUE);
    assert_string_equal(err.message, "t.csv:3: column 'w': the weight -1 is negative");
    assert_int_equal(rls2__profile_add(q, huge, 0, &err), RLS2_ERR_VALUE);
    assert_non_null(strstr(err.message, "t.csv:3: column 'w': the weight 1e+300 is not between"));
    rls2_table *large = parsed("x,w\n1,2\n3,1e30\n"), *tiny = parsed("x,w\n1,2\n3,1e-150\n");
    rls2__profile *r = empty_profile(large, &options), *s = empty_profile(tiny, &options);
    assert_int_equal(rls2__profile_add(r, large, 0, &err), RLS2_ERR_VALUE);
    assert_non_null(strstr(err.message, "t.csv:3: column 'w': the sum of the weights overflows"));
    assert_int_equal(rls2__profile_add(s, tiny, 0, &err), RLS2_ERR_VALUE);
    assert_non_null(strstr(err.message, "t.csv:3: column 'w': the weight 1e-150 is not between"));
    rls2__profile_free(r);
    rls2__profile_free(s);
    rls2_table_free(large);
    rls2_table_free(tiny);
    rls2__profile_free(p);
    rls2__profile_free(q);
    rls2_table_free(negative);
    rls2_table_free(huge);
}

static void profile_add__other_columns__is_refused(void **state)
{
    (void)state;
    rls2_table *a = parsed("x,y\n1,2\n"), *b = parsed("x,z\n1,2\n"), *c = parsed("x\n1\n");
    rls2__profile_options options = rls2__profile_defaults(), other = small(10, 10);
    rls2__profile *p = empty_profile(a, &options), *q = empty_profile(a, &other);
    rls2_error err = {0};
    assert_int_equal(rls2__profile_add(p, b, 0, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "t.csv: column 2 is 'z', not 'y' as in t.csv");
    assert_int_equal(rls2__profile_add(p, c, 0, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2__profile_merge(p, q, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2__profile_merge(p, p, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2__profile_settle(p, &err), RLS2_ERR_VALUE);
    assert_string_equal(err.message, "t.csv: there are no rows");
    rls2__profile_free(p);
    rls2__profile_free(q);
    rls2_table_free(a);
    rls2_table_free(b);
    rls2_table_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profile_dataset__any_columns__is_that_of_the_whole_table),
        cmocka_unit_test(profile_dataset__rows_with_weights__count_by_them),
        cmocka_unit_test(profile_dataset__rows_with_gaps_left_out__is_that_of_the_rest),
        cmocka_unit_test(profile_merge__any_order_and_partition__same_bits),
        cmocka_unit_test(profile_sample__equal_rows__have_their_share),
        cmocka_unit_test(profile_sample__more_rows_than_it_has_room__is_bounded),
        cmocka_unit_test(profile_look__kinds__are_those_of_all_rows),
        cmocka_unit_test(profile_dataset__text_that_the_sample_lacks__is_a_category),
        cmocka_unit_test(profile_check__text_after_many_numbers__names_place_and_cell),
        cmocka_unit_test(profile_check__too_many_texts__names_the_column),
        cmocka_unit_test(profile_add__weights_that_are_none__are_refused),
        cmocka_unit_test(profile_add__other_columns__is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
