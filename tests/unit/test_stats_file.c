/* Files of statistics: read as they were written, and refused where something in them cannot be.
 * Sums of statistics: the same bits for any partition of the rows, and none where the two were not
 * made alike. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "support/made_stats.h"
#include "support/unit_support.h"
#include "table/table.h"

static rls2_stats *unpack_stats(packed p)
{
    rls2_stats *stats = NULL;
    rls2_error err;
    assert_ok(rls2_stats_unpack("s.stats", p.bytes, p.length, &stats, &err), &err);
    return stats;
}

static void assert_same_bytes(packed a, packed b)
{
    assert_int_equal(a.length, b.length);
    assert_memory_equal(a.bytes, b.bytes, (size_t)a.length);
}

/* ---- there and back ---- */

static void stats_unpack__packed_statistics__pack_to_the_same_bytes(void **state)
{
    (void)state;
    for (int i = 0; i < MADE_STATS_CASES; i++) {
        rls2_stats *stats = made_stats_whole(made_stats_cases[i]);
        packed once = pack_stats(stats);
        rls2_stats *again = unpack_stats(once);
        packed twice = pack_stats(again);
        assert_same_bytes(once, twice);
        rls2_stats_free(stats);
        rls2_stats_free(again);
        rls2_bytes_free(once.bytes);
        rls2_bytes_free(twice.bytes);
    }
}

static void assert_same_tables(const rls2_table *a, const rls2_table *b)
{
    char one[RLS2__NUMBER_TEXT], other[RLS2__NUMBER_TEXT];
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    for (int64_t j = 0; j < a->columns; j++) {
        assert_int_equal(rls2__table_is_text(a, j), rls2__table_is_text(b, j));
        assert_true(rls2__style_same(&a->styles[j], &b->styles[j]));
        for (int64_t i = 0; i < a->rows; i++) {
            assert_string_equal(rls2__table_text(a, i, j, one), rls2__table_text(b, i, j, other));
            assert_int_equal(rls2__table_is_missing(a, i, j), rls2__table_is_missing(b, i, j));
        }
    }
}

/* The sample can be encoded anew: its table, encoder and preparation are those that it had. */
static void assert_encodes_itself(const rls2_stats *stats)
{
    rls2_dataset *data = NULL;
    rls2_error err;
    const rls2_dataset *sample = stats->sample;
    assert_ok(rls2_dataset_create_like(stats->table, sample, &data, &err), &err);
    assert_int_equal(data->rows, sample->rows);
    assert_memory_equal(data->x, sample->x,
                        (size_t)(sample->rows * sample->columns) * sizeof *data->x);
    assert_memory_equal(data->y, sample->y, (size_t)sample->rows * sizeof *data->y);
    rls2_dataset_free(data);
}

static void stats_unpack__packed_statistics__are_those_that_were_packed(void **state)
{
    (void)state;
    for (int i = 0; i < MADE_STATS_CASES; i++) {
        rls2_stats *stats = made_stats_whole(made_stats_cases[i]);
        packed p = pack_stats(stats);
        rls2_stats *again = unpack_stats(p);
        const rls2__counts *a = stats->counts, *b = again->counts;
        assert_int_equal(rls2_stats_rows(stats), rls2_stats_rows(again));
        assert_int_equal(rls2_stats_left_out(stats), rls2_stats_left_out(again));
        assert_true(rls2_stats_fingerprint(stats) == rls2_stats_fingerprint(again));
        assert_memory_equal(a->pairs, b->pairs, (size_t)(a->parts * a->pair_size) * 8);
        assert_memory_equal(a->own, b->own, (size_t)(3 * a->parts * a->points) * 8);
        assert_memory_equal(a->sums, b->sums,
                            (size_t)(a->parts * a->outputs * (a->points + 2)) * 16);
        assert_int_equal(a->featured != NULL, b->featured != NULL);
        assert_same_tables(stats->table, again->table);
        assert_encodes_itself(again);
        rls2_stats_free(stats);
        rls2_stats_free(again);
        rls2_bytes_free(p.bytes);
    }
}

static void stats_rows__all_cases__are_what_was_counted(void **state)
{
    (void)state;
    rls2_stats *stats = made_stats_whole("gaps");
    assert_int_equal(rls2_stats_rows(stats) + rls2_stats_left_out(stats), MADE_STATS_ROWS);
    assert_int_equal(rls2_stats_left_out(stats), 7); /* rows 5, 18, ..., 83 have no y */
    assert_int_equal(rls2_stats_parts(stats), 3);
    assert_int_equal(rls2_stats_seed(stats), 7);
    assert_int_equal(rls2_stats_target_count(stats), 1);
    assert_string_equal(rls2_stats_target_name(stats, 0), "y");
    assert_null(rls2_stats_target_name(stats, 1));
    assert_null(rls2_stats_weight_name(stats));
    assert_null(rls2_stats_class_label(stats, 0));
    assert_string_equal(rls2_stats_input_name(stats, 0), "a");
    assert_string_equal(rls2_stats_input_name(stats, rls2_stats_input_count(stats) - 1), "k");
    assert_null(rls2_stats_input_name(stats, rls2_stats_input_count(stats)));
    assert_null(rls2_stats_input_name(stats, -1));
    assert_string_equal(rls2_stats_axis_name(stats, 0), "a");
    assert_int_equal(rls2_stats_axis_points(stats, 0), 6);
    assert_false(rls2_stats_axis_is_exact(stats, 0));
    assert_string_equal(rls2_stats_axis_name(stats, 2), "c");
    assert_true(rls2_stats_axis_is_exact(stats, 2));
    assert_int_equal(rls2_stats_kernel_count(stats), 3);
    assert_non_null(strstr(rls2_stats_kernel_name(stats, 0), "a+b"));
    assert_true(rls2_stats_kernel_landmarks(stats, 0) >= 1);
    assert_true(rls2_stats_bytes(stats) > 1000);
    assert_int_equal(rls2_stats_rows(NULL), 0);
    assert_null(rls2_stats_axis_name(NULL, 0));
    rls2_stats_free(stats);
    stats = made_stats_whole("classes");
    assert_int_equal(rls2_stats_class_count(stats), 3);
    for (int64_t k = 0; k < 3; k++)
        assert_string_equal(rls2_stats_class_label(stats, k),
                            rls2_dataset_class_label(stats->sample, k));
    assert_null(rls2_stats_class_label(stats, 3));
    assert_null(rls2_stats_class_label(NULL, 0));
    assert_int_equal(rls2_stats_input_count(NULL), 0);
    rls2_stats_free(stats);
    rls2_stats_free(NULL);
}

static void stats_load__saved_file__is_the_same(void **state)
{
    (void)state;
    char path[64];
    rls2_error err;
    rls2_stats *stats = made_stats_whole("weights"), *again = NULL;
    rls2_model *model = NULL;
    snprintf(path, sizeof path, "/tmp/rls2-stats-%d.stats", (int)getpid());
    assert_ok(rls2_stats_save(stats, path, &err), &err);
    assert_ok(rls2_stats_load(path, &again, &err), &err);
    packed a = pack_stats(stats), b = pack_stats(again);
    assert_same_bytes(a, b);
    assert_int_equal(rls2_model_load(path, &model, &err), RLS2_ERR_SYNTAX);
    assert_message(&err, "a file of statistics of rls2, not a model");
    unlink(path);
    assert_int_equal(rls2_stats_load(path, &again, &err), RLS2_ERR_IO);
    rls2_stats_free(stats);
    rls2_stats_free(again);
    rls2_bytes_free(a.bytes);
    rls2_bytes_free(b.bytes);
}

/* ---- sums ---- */

/* Rows in random order, cut at random places, merged in a random order. */
static rls2_stats *merge_pieces(const char *name, rls2__random *random)
{
    enum { MOST = 5 };
    int64_t rows[MADE_STATS_ROWS], count = 1 + rls2__random_below(random, MOST), at = 0;
    rls2_stats *pieces[MOST];
    rls2_error err;
    rls2__random_permutation(random, MADE_STATS_ROWS, rows);
    for (int64_t k = 0; k < count; k++) {
        int64_t left = MADE_STATS_ROWS - at;
        int64_t size = k + 1 == count ? left : rls2__random_below(random, left);
        pieces[k] = made_stats(name, size, rows + at); /* an empty one, too */
        at += size;
    }
    for (; count > 1; count--) {
        int64_t into = rls2__random_below(random, count - 1);
        assert_ok(rls2_stats_merge(pieces[into], pieces[count - 1], &err), &err);
        rls2_stats_free(pieces[count - 1]);
    }
    return pieces[0];
}

static void stats_merge__any_partition_and_order__has_the_bytes_of_the_whole(void **state)
{
    (void)state;
    for (int i = 0; i < MADE_STATS_CASES; i++) {
        rls2_stats *whole = made_stats_whole(made_stats_cases[i]);
        packed expected = pack_stats(whole);
        for (uint64_t seed = 1; seed <= 8; seed++) {
            rls2__random random;
            rls2__random_seed(&random, seed);
            rls2_stats *sum = merge_pieces(made_stats_cases[i], &random);
            packed p = pack_stats(sum);
            assert_same_bytes(expected, p);
            rls2_bytes_free(p.bytes);
            rls2_stats_free(sum);
        }
        rls2_bytes_free(expected.bytes);
        rls2_stats_free(whole);
    }
}

/* Statistics after one of them was changed; neither changes by it. */
static void assert_not_merged(rls2_stats *into, const rls2_stats *from, const char *message)
{
    rls2_error err;
    int64_t rows = rls2_stats_rows(into);
    uint64_t mass = into->counts->mass[0];
    assert_int_equal(rls2_stats_merge(into, from, &err), RLS2_ERR_VALUE);
    assert_message(&err, message);
    assert_int_equal(rls2_stats_rows(into), rows);
    assert_true(into->counts->mass[0] == mass);
}

static void stats_merge__other_cases__names_what_differs(void **state)
{
    (void)state;
    rls2_stats *gaps = made_stats_whole("gaps"), *plain = made_stats_whole("plain"),
               *classes = made_stats_whole("classes"), *unwritten = made_stats_whole("unwritten");
    assert_not_merged(gaps, plain, "column 'b' has other indicators");
    assert_not_merged(plain, classes, "'y' stands where the first have 'z'");
    assert_not_merged(plain, unwritten, "of other columns");
    rls2_stats_free(gaps);
    rls2_stats_free(plain);
    rls2_stats_free(classes);
    rls2_stats_free(unwritten);
}

typedef void change(rls2_stats *stats);

static void change_parts(rls2_stats *s)
{
    s->parts = 5;
}
static void change_seed(rls2_stats *s)
{
    s->seed++;
}
static void change_units(rls2_stats *s)
{
    s->counts->units[0].response *= 2.0;
}
static void change_point(rls2_stats *s)
{
    s->axes->all[1].points[0] -= 1.0;
}
static void change_mean(rls2_stats *s)
{
    s->sample->preparation.scales[1].shift += 1.0;
}
static void change_fill(rls2_stats *s)
{
    s->sample->preparation.fills[1] += 1.0;
}
static void change_landmark(rls2_stats *s)
{
    s->features->x[0] += 1.0;
}
static void change_inverse(rls2_stats *s)
{
    s->features->all[1].inverse[0] *= 2.0;
}
static void change_kernel(rls2_stats *s)
{
    s->features->all[1].kernel.param[0] *= 2.0;
}
static void change_sample(rls2_stats *s)
{
    s->sample->y[3] += 1.0;
}
static void change_cell(rls2_stats *s)
{
    s->table->pool->text[0] ^= 1;
}
static void change_missing(rls2_stats *s)
{
    s->sample->encoder->missing = RLS2_MISSING_DROP;
}
static void change_style(rls2_stats *s)
{
    s->sample->encoder->inputs[1].style.kind = 1;
}
static void change_target(rls2_stats *s)
{
    s->sample->encoder->targets[0] = "other";
}
static void change_weight(rls2_stats *s)
{
    s->sample->encoder->weight = "w";
}

static void stats_merge__one_thing_differs__names_it(void **state)
{
    (void)state;
    static const struct {
        change *apply;
        const char *message;
    } cases[] = {{change_parts, "other parts: 5, and the first have 3"},
                 {change_seed, "another seed: 8, and the first have 7"},
                 {change_units, "column 'y' has other units"},
                 {change_point, "column 'b' has other points"},
                 {change_mean, "column 'b' has other means"},
                 {change_fill, "column 'b' has other values for missing cells"},
                 {change_landmark, "other landmarks of kernel 'rbf(0.5)@a+b'"},
                 {change_inverse, "other landmarks of kernel 'rbf(2)@a+b'"},
                 {change_kernel, "other landmarks of kernel 'rbf(2)@a+b'"},
                 {change_sample, "other samples"},
                 {change_cell, "other samples"},
                 {change_missing, "other rules for missing cells"},
                 {change_style, "column 'b' has other styles"},
                 {change_target, "other targets: 'y' and 'other'"},
                 {change_weight, "other row weights"}};
    rls2_stats *into = made_stats_whole("gaps");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rls2_stats *from = made_stats_whole("gaps");
        cases[i].apply(from);
        assert_not_merged(into, from, cases[i].message);
        rls2_stats_free(from);
    }
    rls2_stats_free(into);
}

static int64_t find_axis(const rls2_stats *stats, const char *name)
{
    int64_t a = 0;
    while (strcmp(rls2_stats_axis_name(stats, a), name) != 0) a++;
    return a;
}

/* Three rows of another table: theirs are numbers between those that column w has here. */
static rls2_stats *made_between(void)
{
    rls2_stats *stats = made_stats("plain", 0, NULL);
    const rls2_dataset *sample = stats->sample;
    const rls2__axis *axis = &stats->axes->all[find_axis(stats, "w")];
    const double y[3] = {0.5, -0.25, 0.125};
    double *x = unit_room(3 * sample->columns);
    assert_true(axis->is_exact && axis->knots == 4);
    for (int64_t j = 0; j < sample->columns; j++)
        for (int i = 0; i < 3; i++) x[3 * j + i] = sample->x[j * sample->rows + i];
    for (int i = 0; i < 3; i++)
        x[3 * axis->columns[0] + i] =
            0.3 * axis->points[i * axis->width] + 0.7 * axis->points[(i + 1) * axis->width];
    const rls2__counted_rows rows = {3, x, y, NULL, NULL};
    assert_int_equal(rls2__counts_add(unit_alone(), &rows, stats->counts), RLS2_OK);
    stats->rows = 3;
    free(x);
    return stats;
}

/* Rows of made_between, but for column w, which lies beyond its ends. */
static rls2_stats *made_beyond(void)
{
    rls2_stats *stats = made_stats("plain", 0, NULL);
    const rls2_dataset *sample = stats->sample;
    const rls2__axis *axis = &stats->axes->all[find_axis(stats, "w")];
    const double y[2] = {0.5, -0.25};
    double *x = unit_room(2 * sample->columns);
    for (int64_t j = 0; j < sample->columns; j++)
        for (int i = 0; i < 2; i++) x[2 * j + i] = sample->x[j * sample->rows + i];
    x[2 * axis->columns[0]] = axis->points[0] - 1.0;
    x[2 * axis->columns[0] + 1] = axis->points[(axis->knots - 1) * axis->width] + 1.0;
    const rls2__counted_rows rows = {2, x, y, NULL, NULL};
    assert_int_equal(rls2__counts_add(unit_alone(), &rows, stats->counts), RLS2_OK);
    stats->rows = 2;
    free(x);
    return stats;
}

static void stats_merge__rows_beyond_the_ends__is_exact_again_without_them(void **state)
{
    (void)state;
    rls2_error err;
    rls2_stats *whole = made_stats_whole("plain"), *beyond = made_beyond();
    int64_t axis = find_axis(whole, "w");
    packed before = pack_stats(whole), alone = pack_stats(beyond);
    rls2_stats *loaded = unpack_stats(alone);
    assert_false(rls2_stats_axis_is_exact(loaded, axis));
    for (int64_t a = 0; a < rls2_stats_axis_count(whole); a++)
        if (a != axis)
            assert_int_equal(rls2_stats_axis_is_exact(loaded, a),
                             rls2_stats_axis_is_exact(whole, a));
    assert_ok(rls2_stats_merge(whole, loaded, &err), &err);
    assert_false(rls2_stats_axis_is_exact(whole, axis));
    assert_ok(rls2_stats_subtract(whole, beyond, &err), &err);
    assert_true(rls2_stats_axis_is_exact(whole, axis));
    packed after = pack_stats(whole);
    assert_same_bytes(before, after);
    rls2_stats_free(whole);
    rls2_stats_free(beyond);
    rls2_stats_free(loaded);
    rls2_bytes_free(before.bytes);
    rls2_bytes_free(after.bytes);
    rls2_bytes_free(alone.bytes);
}

/* Rows 0 .. 29 of 90, and the others. */
static void stats_subtract__merged_rows__has_the_bytes_of_the_rest(void **state)
{
    (void)state;
    rls2_error err;
    int64_t rows[MADE_STATS_ROWS];
    for (int i = 0; i < MADE_STATS_ROWS; i++) rows[i] = i;
    for (int c = 0; c < MADE_STATS_CASES; c++) {
        const char *name = made_stats_cases[c];
        rls2_stats *whole = made_stats_whole(name), *part = made_stats(name, 30, rows);
        rls2_stats *rest = made_stats(name, MADE_STATS_ROWS - 30, rows + 30);
        packed all = pack_stats(whole), wanted = pack_stats(rest);
        assert_ok(rls2_stats_subtract(whole, part, &err), &err);
        packed found = pack_stats(whole);
        assert_same_bytes(wanted, found);
        /* they are not among the others: nothing changes */
        assert_int_equal(rls2_stats_subtract(rest, part, &err), RLS2_ERR_VALUE);
        assert_message(&err, "are not among the");
        packed same = pack_stats(rest);
        assert_same_bytes(wanted, same);
        rls2_stats_clear(part);
        assert_int_equal(rls2_stats_rows(part), 0);
        assert_ok(rls2_stats_subtract(rest, rest, &err), &err);
        packed none = pack_stats(part), neither = pack_stats(rest);
        assert_same_bytes(none, neither);
        rls2_stats *again = unpack_stats(none);
        rls2_stats_free(again);
        rls2_bytes_free(all.bytes);
        rls2_bytes_free(wanted.bytes);
        rls2_bytes_free(found.bytes);
        rls2_bytes_free(same.bytes);
        rls2_bytes_free(none.bytes);
        rls2_bytes_free(neither.bytes);
        rls2_stats_free(whole);
        rls2_stats_free(part);
        rls2_stats_free(rest);
    }
}

static void stats_merge__rows_between_points_of_an_exact_axis__is_no_longer_exact(void **state)
{
    (void)state;
    rls2_error err;
    packed p[2];
    for (int order = 0; order < 2; order++) {
        rls2_stats *whole = made_stats_whole("plain"), *between = made_between();
        packed alone = pack_stats(between);
        rls2_stats *loaded = unpack_stats(alone); /* its margins are right */
        int64_t axis = find_axis(whole, "w");
        assert_true(rls2_stats_axis_is_exact(whole, axis));
        assert_false(rls2_stats_axis_is_exact(loaded, axis));
        rls2_stats *into = order ? loaded : whole;
        assert_ok(rls2_stats_merge(into, order ? whole : between, &err), &err);
        assert_false(rls2_stats_axis_is_exact(into, axis));
        p[order] = pack_stats(into);
        rls2_stats_free(whole);
        rls2_stats_free(between);
        rls2_stats_free(loaded);
        rls2_bytes_free(alone.bytes);
    }
    assert_same_bytes(p[0], p[1]);
    rls2_bytes_free(p[0].bytes);
    rls2_bytes_free(p[1].bytes);
}

static void stats_merge__sums_too_large__refuses(void **state)
{
    (void)state;
    rls2_stats *into = made_stats_whole("plain"), *from = made_stats_whole("plain");
    into->counts->totals[0].weight = UINT64_C(1) << 51;
    from->counts->totals[0].weight = UINT64_C(1) << 51;
    assert_not_merged(into, from, "part 1: it has too many rows to be added up");
    from->counts->totals[0].weight = 1;
    into->counts->second[0] = from->counts->second[0] = (rls2__wide)1 << 126;
    assert_not_merged(into, from, "part 1: the squares of its responses");
    into->counts->second[0] = 0;
    into->left_out = INT64_MAX;
    from->left_out = 1;
    assert_not_merged(into, from, "too many rows together");
    rls2_stats_free(into);
    rls2_stats_free(from);
    into = made_stats_whole("gaps");
    from = made_stats_whole("gaps");
    into->counts->totals[2].rows = INT64_C(1) << 35;
    assert_not_merged(into, from, "part 3: it has too many rows");
    rls2_stats_free(into);
    rls2_stats_free(from);
}

static void stats_merge__null__names_the_argument(void **state)
{
    (void)state;
    rls2_error err;
    rls2_stats *stats = made_stats_whole("plain");
    assert_int_equal(rls2_stats_merge(NULL, stats, &err), RLS2_ERR_ARGUMENT);
    assert_message(&err, "into");
    assert_int_equal(rls2_stats_merge(stats, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_message(&err, "from");
    rls2_stats_free(stats);
}

/* ---- hostile files ---- */

static edited edit_stats(const char *name)
{
    rls2_stats *stats = made_stats_whole(name);
    packed p = pack_stats(stats);
    rls2_stats_free(stats);
    return edit_packed(p);
}

/* A word more or less. */
static void add_to(edited *e, const char *array, int64_t index, int64_t more)
{
    json_t *offsets = json_object_get(json_object_get(e->header, array), "data_offsets");
    int64_t at = json_integer_value(json_array_get(offsets, 0)) + 8 * index, word;
    memcpy(&word, e->data + at, 8);
    word += more;
    set_element(e, array, index, &word);
}

static void stats_unpack__counts_that_no_rows_have__says_which(void **state)
{
    (void)state;
    static const struct {
        const char *array;
        int64_t index, more;
        const char *message;
    } cases[] = {
        {"counts.totals", 0, 1, "other rows than the"},
        {"counts.totals", 1, 1, "its rows and their weight differ"},
        {"counts.mass", 1, 1, "column 'a': squares of shares do not fit"},
        {"counts.own", 2, -1, "column 'a': squares of shares do not fit"},
        {"counts.next", 0, 1, "column 'a': squares of shares do not fit"},
        {"counts.pairs", 3, 1, "columns 'a' and 'b': their table does not add up"},
        {"counts.sums", 0, 1, "column 'a': responses at its points do not add up"},
        {"counts.sums", 1, 1, "column 'a': responses at a point are beyond"},
        {"counts.first", 0, 1, "column 'a': responses at its points do not add up"},
        {"counts.first", 1, 9, "part 1: the sum of its responses is beyond"},
        {"counts.second", 1, -(1 << 20), "part 1: the squares of its responses are beyond"},
        {"counts.second", 1, -2000, "part 1: the squares of its responses are"},
        {"landmarks.cross", 0, 1, "column 'a': features at its points do not add up"},
        {"landmarks.cross", 4, INT64_C(1) << 40, "column 'a': features at a point are beyond"},
        {"landmarks.sums", 0, 1, "column 'a': features at its points do not add up"},
        {"landmarks.sums", 1, 7, "part 1: sums of features are beyond"},
        {"landmarks.squares", 1, 1, "part 1: products of features are beyond"},
        {"landmarks.traces", 1, -1, "part 1: the trace of a kernel"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        edited e = edit_stats("gaps");
        add_to(&e, cases[i].array, cases[i].index, cases[i].more);
        assert_stats_refused(&e, cases[i].array, cases[i].message);
        edit_free(&e);
    }
}

static int64_t points_of(const edited *e, size_t axis)
{
    const json_t *axes = json_object_get(e->description, "axes");
    return json_integer_value(json_object_get(json_array_get(axes, axis), "points"));
}

/* Cells of a table that are right for one of its axes; and other numbers that cannot be. */
static void stats_unpack__margins_of_one_side_only__is_refused(void **state)
{
    (void)state;
    edited e = edit_stats("plain");
    const double big = 1e300, none = 0.0;
    const int64_t minus_one = -1;
    add_to(&e, "counts.pairs", 0, 1);
    add_to(&e, "counts.pairs", 1, -1); /* the row is right, two columns are not */
    assert_stats_refused(&e, "columns of a table", "their table does not add up");
    edit_free(&e);
    e = edit_stats("plain");
    add_to(&e, "counts.pairs", 0, 1);
    add_to(&e, "counts.pairs", points_of(&e, 1), -1); /* and the other way round */
    assert_stats_refused(&e, "rows of a table", "their table does not add up");
    edit_free(&e);
    e = edit_stats("gaps");
    set_element(&e, "landmarks.squares", 0, &minus_one);
    set_element(&e, "landmarks.squares", 1, &minus_one);
    assert_stats_refused(&e, "a negative square", "squares of features are negative");
    edit_free(&e);
    e = edit_stats("plain");
    set_element(&e, "counts.units", 1, &none);
    assert_stats_refused(&e, "a unit of nothing", "counts.units: output 0");
    edit_free(&e);
    e = edit_stats("plain");
    set_element(&e, "axes.points", 0, &big);
    assert_stats_refused(&e, "knots", "column 'a': its knots do not ascend");
    edit_free(&e);
}

/* A field of the description, at a path "a.b.0.c", set. */
static void put(const edited *e, const char *path, json_t *value)
{
    char text[80], *save = NULL;
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

static void stats_unpack__description_that_does_not_fit__is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *json;
        const char *message;
    } cases[] = {
        {"rows", "3", "the parts have other rows than the 3"},
        {"rows", "-3", "'rows' is not a count"},
        {"left_out", "null", "'left_out' is not a count"},
        {"parts", "2", "counts of 3 parts where there are 2"},
        {"seed", "\"12\"", "'seed' is not 16"},
        {"weighted", "true", "the array 'landmarks.cross'"},
        {"columns", "[]", "there are no columns"},
        {"axes", "[]", "0 axes where the inputs have"},
        {"axes.0.points", "0", "column 'a': too many points"},
        {"axes.0.points", "100000", "column 'a': too many points"},
        {"axes.0.knots", "4", "column 'a': knots and points do not fit"},
        {"axes.0.points", "7", "column 'a': knots and points do not fit"},
        {"by", "\"chance\"", "'by' is not a word known here"},
        {"rounded", "-1", "'rounded' is not a count"},
        {"rounded", "1", "more weights are rounded"},
        {"axes.1.missing_above", "null", "column 'b': missing cells have no point"},
        {"axes.0.missing_above", "0.5", "column 'a': missing cells have no point"},
        {"axes.2.knots", "1", "column 'c': categories that are shared"},
        {"axes.2.points", "9", "the array 'axes.points'"},
        {"kernels.0.form", "\"spline\"", "features of another form"},
        {"kernels.0.form", "\"linear\"", "features of another form"},
        {"kernels.0.form", "\"poly\"", "another number of parameters"},
        {"kernels.0.parameters.0", "-1", "a parameter that it cannot have"},
        {"kernels.0.parameters.0", "\"x\"", "a parameter that it cannot have"},
        {"kernels.2.parameters.0", "1.5", "a parameter that it cannot have"},
        {"kernels.0.columns", "[0, 99]", "columns that are not there"},
        {"kernels.0.columns", "[1, 0]", "columns that are not there, or out of order"},
        {"kernels.0.columns", "[0]", "features of a kernel of one axis"},
        {"kernels.0.columns", "[]", "features of a kernel of one axis"},
        {"kernels.0.landmarks", "0", "no landmarks"},
        {"kernels.0.landmarks", "4000000000", "the array 'landmarks.inverse'"},
        {"kernels", "[]", "arrays where"},
        {"table.rows", "7", "the cells of the sample"},
        {"table.rows", "0", "there are none"},
        {"table.rows", "4000000000000000000", "there are fewer texts than cells"},
        {"table.columns", "[\"a\"]", "there are more texts than cells"},
        {"table.columns.1", "\"a\"", "have the same name 'a'"},
        {"table.text", "[true]", "'text' does not tell"},
        {"table.format", "\"xls\"", "'format' is not a word known here"},
        {"table.row_names", "99", "row_names"},
        {"table.target_count", "99", "targets that are not there"},
        {"sample.dropped", "-1", "'dropped' is not a count"},
        {"data", "null", "'data' is not an object"},
        {"data.inputs", "[]", NULL},
        {"data.targets", "[\"y\", \"z\"]", "outputs where"},
        {"data.fingerprint", "\"0\"", "fingerprint"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        edited e = edit_stats("gaps");
        put(&e, cases[i].path, json_loads(cases[i].json, JSON_DECODE_ANY, NULL));
        assert_stats_refused(&e, cases[i].path, cases[i].message);
        edit_free(&e);
    }
}

static void stats_unpack__numbers_that_cannot_be__is_refused(void **state)
{
    (void)state;
    const double bad = (double)NAN, negative = -1.0, endless = (double)INFINITY;
    const int64_t far = 1 << 20, class = 3;
    static const char *const finite[] = {"axes.points",     "landmarks.x",   "landmarks.inverse",
                                         "landmarks.units", "sample.x",      "sample.y",
                                         "features.fill",   "features.shift"};
    for (size_t i = 0; i < sizeof finite / sizeof finite[0]; i++) {
        edited e = edit_stats("gaps");
        set_element(&e, finite[i], 0, &bad);
        assert_stats_refused(&e, finite[i], NULL);
        edit_free(&e);
    }
    edited e = edit_stats("gaps");
    set_element(&e, "landmarks.inverse", 0, &negative);
    assert_stats_refused(&e, "inverse", "landmarks that depend on each other");
    edit_free(&e);
    e = edit_stats("weights");
    set_element(&e, "sample.weights", 2, &negative);
    assert_stats_refused(&e, "weights", "row 3 has no weight");
    edit_free(&e);
    e = edit_stats("classes");
    set_element(&e, "sample.classes", 1, &class);
    assert_stats_refused(&e, "classes", "row 2 has an unknown class");
    set_element(&e, "sample.classes", 1, &(int64_t){0});
    set_element(&e, "sample.rows", 0, &far);
    assert_stats_refused(&e, "rows", "row 1 has no place in the table");
    edit_free(&e);
    e = edit_stats("unwritten");
    set_element(&e, "cells.numbers", 0, &endless);
    assert_stats_refused(&e, "cells", "a number is infinite");
    edit_free(&e);
    e = edit_stats("gaps");
    set_element(&e, "counts.beyond", 1, &far);
    assert_stats_refused(&e, "beyond", "column 'b': more rows lie beyond its ends");
    edit_free(&e);
    e = edit_stats("gaps");
    set_element(&e, "cells.texts", 0, &(uint64_t){0});
    assert_stats_refused(&e, "texts", "there are more texts than cells");
    edit_free(&e);
}

static void stats_unpack__arrays_too_few_or_too_many__is_refused(void **state)
{
    (void)state;
    static const char *const needed[] = {
        "axes.points", "counts.units", "counts.totals", "counts.mass",
        "counts.own",  "counts.next",  "counts.beyond", "counts.pairs",
        "counts.sums", "counts.first", "counts.second", "sample.x",
        "sample.y",    "sample.rows",  "cells.texts",   "landmarks.x"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        edited e = edit_stats("gaps");
        json_t *entry = json_incref(json_object_get(e.header, needed[i]));
        json_object_del(e.header, needed[i]);
        json_object_set_new(e.header, "other", entry);
        assert_stats_refused(&e, needed[i], NULL);
        edit_free(&e);
    }
    edited e = edit_stats("gaps");
    json_object_set_new(e.header, "one.more",
                        json_pack("{s:s, s:[i], s:[I, I]}", "dtype", "I64", "shape", 0,
                                  "data_offsets", (json_int_t)e.data_length,
                                  (json_int_t)e.data_length));
    assert_stats_refused(&e, "one array too many", "arrays where");
    edit_free(&e);
}

static void stats_unpack__every_beginning__is_refused(void **state)
{
    (void)state;
    rls2_stats *stats = made_stats_whole("plain"), *read = NULL;
    packed p = pack_stats(stats);
    rls2_error err;
    for (int64_t length = 0; length < p.length; length += length < 400 ? 1 : 97) {
        assert_int_not_equal(rls2_stats_unpack("s.stats", p.bytes, length, &read, &err), RLS2_OK);
        assert_null(read);
        assert_int_equal(strncmp(err.message, "s.stats: ", 9), 0);
    }
    p.bytes[p.length - 1] ^= 1;
    assert_int_equal(rls2_stats_unpack("s.stats", p.bytes, p.length, &read, &err), RLS2_ERR_SYNTAX);
    assert_message(&err, "checksum");
    rls2_stats_free(stats);
    rls2_bytes_free(p.bytes);
}

/* Of 0.10.0: axes that are exact if all rows lie at points, parts by numbers. */
static void stats_load__file_of_version_1__is_written_as_the_newest(void **state)
{
    (void)state;
    static const char *const names[] = {"classes", "gaps", "plain", "unwritten", "weights"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[80];
        rls2_error err;
        rls2_stats *stats = NULL;
        snprintf(path, sizeof path, "tests/fuzz/corpus/fuzz_stats/%s.stats", names[i]);
        assert_ok(rls2_stats_load(path, &stats, &err), &err);
        assert_int_equal(rls2_stats_rows(stats) + rls2_stats_left_out(stats), 90);
        assert_int_equal(rls2_stats_parts_by_number(stats), 1);
        packed p = pack_stats(stats);
        rls2_stats *again = unpack_stats(p);
        packed q = pack_stats(again);
        assert_same_bytes(p, q);
        assert_non_null(strstr((const char *)p.bytes + 8, "\"format_version\":\"2\""));
        rls2_stats_free(stats);
        rls2_stats_free(again);
        rls2_bytes_free(p.bytes);
        rls2_bytes_free(q.bytes);
    }
}

static void stats_unpack__model_or_newer_version__says_so(void **state)
{
    (void)state;
    rls2_stats *read = NULL;
    rls2_error err;
    packed model = pack_case("text");
    assert_int_equal(rls2_stats_unpack("m", model.bytes, model.length, &read, &err),
                     RLS2_ERR_SYNTAX);
    assert_message(&err, "this is a model of rls2, not a file of statistics");
    assert_int_equal(rls2_stats_unpack("t", "a,b\n1,2\n", 8, &read, &err), RLS2_ERR_SYNTAX);
    rls2_bytes_free(model.bytes);
    edited e = edit_stats("plain");
    json_object_set_new(json_object_get(e.header, "__metadata__"), "format_version",
                        json_string("3"));
    assert_stats_refused(&e, "version", "this rls2 reads versions up to 2");
    edit_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stats_unpack__packed_statistics__pack_to_the_same_bytes),
        cmocka_unit_test(stats_unpack__packed_statistics__are_those_that_were_packed),
        cmocka_unit_test(stats_rows__all_cases__are_what_was_counted),
        cmocka_unit_test(stats_load__saved_file__is_the_same),
        cmocka_unit_test(stats_merge__any_partition_and_order__has_the_bytes_of_the_whole),
        cmocka_unit_test(stats_merge__other_cases__names_what_differs),
        cmocka_unit_test(stats_merge__one_thing_differs__names_it),
        cmocka_unit_test(stats_merge__rows_beyond_the_ends__is_exact_again_without_them),
        cmocka_unit_test(stats_subtract__merged_rows__has_the_bytes_of_the_rest),
        cmocka_unit_test(stats_merge__rows_between_points_of_an_exact_axis__is_no_longer_exact),
        cmocka_unit_test(stats_merge__sums_too_large__refuses),
        cmocka_unit_test(stats_merge__null__names_the_argument),
        cmocka_unit_test(stats_unpack__counts_that_no_rows_have__says_which),
        cmocka_unit_test(stats_unpack__margins_of_one_side_only__is_refused),
        cmocka_unit_test(stats_unpack__description_that_does_not_fit__is_refused),
        cmocka_unit_test(stats_unpack__numbers_that_cannot_be__is_refused),
        cmocka_unit_test(stats_unpack__arrays_too_few_or_too_many__is_refused),
        cmocka_unit_test(stats_unpack__every_beginning__is_refused),
        cmocka_unit_test(stats_load__file_of_version_1__is_written_as_the_newest),
        cmocka_unit_test(stats_unpack__model_or_newer_version__says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
