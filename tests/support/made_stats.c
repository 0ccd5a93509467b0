/* Makes statistics of made rows by the parts that are there for it. */
#include "support/made_stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "la/threads.h"
#include "rls2/dictionary.h"
#include "stats/landmarks.h"
#include "stats/table_profile.h"
#include "support/unit_support.h"

const char *const made_stats_cases[MADE_STATS_CASES] = {"gaps", "plain", "weights", "classes",
                                                        "unwritten"};

typedef struct recipe {
    const char *target[2];
    int64_t target_count;
    const char *weight;
    const char *spec; /* kernels of several columns that get features; NULL: none */
    int64_t parts;
} recipe;

static recipe find_recipe(const char *name)
{
    static const recipe recipes[MADE_STATS_CASES] = {
        {{"y"}, 1, NULL, "rbf(0.5|2)@a+b; poly(2)@a+b", 3},
        {{"y"}, 1, NULL, NULL, 0},
        {{"y", "z"}, 2, "w", "matern(nu=1.5, length=1)@a+b; laplace(1)@a+b", 2},
        {{"k"}, 1, NULL, NULL, 2},
        {{"y"}, 1, NULL, "rbf(1)@a+b", 0}};
    for (int i = 0; i < MADE_STATS_CASES; i++)
        if (strcmp(name, made_stats_cases[i]) == 0) return recipes[i];
    fail_msg("no case '%s'", name);
    return recipes[0];
}

/* ---- rows ---- */

static rls2_table *parse(const char *text, size_t length)
{
    rls2_table *table = NULL;
    assert_int_equal(rls2_table_parse_csv("made.csv", text, (int64_t)length, &table, NULL), 0);
    return table;
}

static rls2_table *table_of_texts(int has_gaps)
{
    char text[MADE_STATS_ROWS * 120];
    size_t at = (size_t)snprintf(text, sizeof text, "a,b,c,day,w,y,z,k\n");
    for (int i = 0; i < MADE_STATS_ROWS; i++) {
        int gap = has_gaps && i % 11 == 3, lost = has_gaps && i % 13 == 5;
        at += (size_t)snprintf(text + at, sizeof text - at, "%.4f,", sin(1.7 * i));
        if (!gap) at += (size_t)snprintf(text + at, sizeof text - at, "%.3f", cos(2.9 * i));
        at += (size_t)snprintf(text + at, sizeof text - at, ",%s,20%02d-0%d-11,%d,",
                               i % 5 ? (i % 3 ? "red" : "two\" words") : "blue", 10 + i % 7,
                               1 + i % 4, 1 + i % 4);
        if (!lost) at += (size_t)snprintf(text + at, sizeof text - at, "%.4f", sin(3.0 * i));
        at +=
            (size_t)snprintf(text + at, sizeof text - at, ",%.3f,%c\n", cos(0.3 * i), "uvw"[i % 3]);
    }
    for (char *quote = text; (quote = strstr(quote, "two\" words")); quote++)
        memcpy(quote, "two - word", 10);
    return parse(text, at);
}

static rls2_table *table_of_numbers(void)
{
    static double numbers[3 * MADE_STATS_ROWS];
    for (int i = 0; i < MADE_STATS_ROWS; i++) {
        numbers[i] = sin(1.7 * i);
        numbers[MADE_STATS_ROWS + i] = i % 9 ? floor(4.0 * cos(i)) : (double)NAN;
        numbers[2 * MADE_STATS_ROWS + i] = sin(3.0 * i);
    }
    const rls2_column columns[3] = {{"a", numbers, 1, NULL},
                                    {"b", numbers + MADE_STATS_ROWS, 1, NULL},
                                    {"y", numbers + 2 * MADE_STATS_ROWS, 1, NULL}};
    rls2_table *table = NULL;
    assert_int_equal(rls2_table_create("made", MADE_STATS_ROWS, 3, columns, &table, NULL), 0);
    return table;
}

static rls2_table *make_table(const char *name)
{
    return strcmp(name, "unwritten") == 0 ? table_of_numbers()
                                          : table_of_texts(strcmp(name, "gaps") == 0);
}

/* ---- what is made of all ---- */

static rls2__profile *profile_of(const rls2_table *table, const recipe *how)
{
    rls2__profile *profile = NULL;
    rls2__profile_options options = rls2__profile_defaults();
    options.sample = 50;
    options.needed = how->target;
    options.needed_count = how->target_count;
    options.weight = how->weight;
    assert_int_equal(rls2__profile_create(table, &options, &profile, NULL), 0);
    assert_int_equal(rls2__profile_add(profile, table, 0, NULL), 0);
    return profile;
}

static void take_sample(const rls2_table *table, const recipe *how, rls2_stats *stats)
{
    rls2__profile *profile = profile_of(table, how);
    rls2_dataset_options options;
    int64_t all[50];
    rls2_error err;
    rls2_dataset_options_init(&options, sizeof options);
    if (how->target_count > 1) {
        options.targets = how->target;
        options.target_count = how->target_count;
    } else {
        options.target = how->target[0];
    }
    options.row_weights = how->weight;
    options.missing = RLS2_MISSING_IMPUTE;
    assert_ok(rls2__profile_settle(profile, &err), &err);
    const rls2_table *sample = rls2__profile_sample(profile);
    for (int64_t i = 0; i < rls2_table_rows(sample); i++) all[i] = i;
    assert_ok(rls2_table_take(sample, rls2_table_rows(sample), all, &stats->table, &err), &err);
    assert_ok(rls2__profile_dataset(profile, NULL, &options, RLS2_NORMALIZE_STANDARDIZE,
                                    &stats->sample, &err),
              &err);
    rls2__profile_free(profile);
}

static void make_features(const recipe *how, rls2_stats *stats)
{
    const rls2_dataset *sample = stats->sample;
    const rls2_rows rows = {.n = sample->rows, .p = sample->columns, .x = sample->x};
    rls2_columns columns = {.count = sample->columns, .names = rls2_dataset_names(sample)};
    rls2__landmark_limits limits = rls2__landmark_defaults();
    rls2_dictionary *dictionary = NULL;
    double weights[8] = {0.4, 0.3, 0.2, 0.1};
    rls2_error err;
    if (!how->spec) return;
    limits.of_pair = 5;
    assert_ok(rls2_dictionary_create(how->spec, &columns, &dictionary, &err), &err);
    const rls2__pilot pilot = {&rows, dictionary->m, dictionary->kernels, weights, 0};
    assert_int_equal(
        rls2__landmarks_choose(unit_alone(), stats->axes, &pilot, &limits, &stats->features), 0);
    rls2_dictionary_free(dictionary); /* features live on */
}

static void make_counts(const recipe *how, rls2_stats *stats)
{
    const rls2_dataset *sample = stats->sample;
    int64_t outputs = rls2_dataset_outputs(sample);
    rls2__units units[3];
    for (int64_t o = 0; o < outputs; o++)
        units[o] = rls2__units_of(-1.0, 1.0, how->weight ? 4.0 : 0.0);
    stats->parts = how->parts;
    stats->seed = 7;
    const rls2__axes_from from = {.rows = sample};
    assert_int_equal(
        rls2__axes_create(unit_alone(), &from, (rls2__fineness){.most = 6}, &stats->axes), 0);
    make_features(how, stats);
    assert_int_equal(rls2__counts_create(stats->axes, how->parts > 0 ? how->parts : 1, outputs,
                                         how->weight != NULL, units, &stats->counts),
                     0);
    assert_int_equal(rls2__counts_take_features(stats->features, stats->counts), 0);
}

/* ---- counting ---- */

static void count_rows(const rls2_table *table, const recipe *how, int64_t count,
                       const int64_t *numbers, rls2_stats *stats)
{
    rls2_table *piece = NULL;
    rls2_dataset *data = NULL;
    rls2_error err;
    int32_t part[MADE_STATS_ROWS];
    if (count == 0) return;
    assert_ok(rls2_table_take(table, count, numbers, &piece, &err), &err);
    assert_ok(rls2_dataset_create_like(piece, stats->sample, &data, &err), &err);
    rls2__profile *profile = profile_of(piece, how);
    stats->fingerprint = rls2__profile_fingerprint(profile);
    stats->rows = data->rows;
    stats->left_out = count - data->rows;
    for (int64_t i = 0; i < data->rows; i++)
        part[i] = how->parts > 0 ? (int32_t)(numbers[data->source[i]] % how->parts) : 0;
    const rls2__counted_rows rows = {data->rows, data->x, data->y, data->weights, part};
    assert_int_equal(rls2__counts_add(unit_alone(), &rows, stats->counts), 0);
    rls2__profile_free(profile);
    rls2_dataset_free(data);
    rls2_table_free(piece);
}

rls2_stats *made_stats(const char *name, int64_t count, const int64_t *rows)
{
    recipe how = find_recipe(name);
    rls2_table *table = make_table(name);
    rls2_stats *stats = rls2__alloc_zero(1, sizeof *stats);
    assert_non_null(stats);
    assert_int_equal(rls2__la_enter(NULL), 0);
    take_sample(table, &how, stats);
    make_counts(&how, stats);
    count_rows(table, &how, count, rows, stats);
    rls2__la_leave();
    rls2_table_free(table);
    return stats;
}

rls2_stats *made_stats_whole(const char *name)
{
    int64_t rows[MADE_STATS_ROWS];
    for (int64_t i = 0; i < MADE_STATS_ROWS; i++) rows[i] = i;
    return made_stats(name, MADE_STATS_ROWS, rows);
}

/* ---- files ---- */

packed pack_stats(const rls2_stats *stats)
{
    void *bytes;
    packed p;
    rls2_error err;
    assert_ok(rls2_stats_pack(stats, &bytes, &p.length, &err), &err);
    p.bytes = bytes;
    return p;
}

void assert_stats_refused(const edited *e, const char *what, const char *message)
{
    packed p = edit_pack(e);
    rls2_error err = {0};
    rls2_stats *stats = NULL;
    if (rls2_stats_unpack("s.stats", p.bytes, p.length, &stats, &err) == RLS2_OK)
        fail_msg("accepted: %s", what);
    assert_null(stats);
    assert_int_equal(strncmp(err.message, "s.stats: ", 9), 0);
    if (strstr(err.message, "checksum"))
        fail_msg("%s: no deeper than the checksum: %s", what, err.message);
    if (message) assert_message(&err, message);
    free(p.bytes);
}
