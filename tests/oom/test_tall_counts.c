/* Every allocation of what is counted of tall tables fails once, features with it: the call then
 * says so and leaves what it was to make alone. */
#include "failing_allocator.h"

#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "basis/virtual_rows.h"
#include "la/threads.h"
#include "rls2/table.h"
#include "stats/landmarks.h"
#include "support/unit_support.h"

enum { ROWS = 90, PARTS = 2 };

static struct {
    rls2_table *table;
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    rls2__axes *axes;
    rls2__features *features;
    rls2__counts *counts;
    rls2__moments moments;
    rls2__virtual *rows;
    rls2_rows sample;
    double weights[4];
    rls2__units units;
} tall;

/* As it would be said where rows are counted. */
static rls2_status said(rls2_status status, rls2_error *err)
{
    return status == RLS2_ERR_MEMORY ? rls2__fail_memory(err, "the counts") : status;
}

static rls2_status make_axes(result *r, rls2_error *err)
{
    rls2__axes *axes = UNTOUCHED;
    rls2_status status;
    const rls2__axes_from from = {.rows = tall.data};
    ARMED(status = rls2__axes_create(unit_alone(), &from, (rls2__fineness){.most = 8}, &axes));
    if (status != RLS2_OK) {
        assert_ptr_equal(axes, UNTOUCHED);
        return said(status, err);
    }
    for (int64_t a = 0; a < axes->count; a++) add_value(r, (double)axes->all[a].count);
    rls2__axes_free(axes);
    return status;
}

static rls2_status choose(rls2__features **features)
{
    const rls2__pilot pilot = {&tall.sample, tall.dictionary->m, tall.dictionary->kernels,
                               tall.weights, 1};
    rls2__landmark_limits limits = rls2__landmark_defaults();
    limits.of_pair = 9;
    return rls2__landmarks_choose(unit_alone(), tall.axes, &pilot, &limits, features);
}

static rls2_status choose_landmarks(result *r, rls2_error *err)
{
    rls2__features *features = UNTOUCHED;
    rls2_status status;
    ARMED(status = choose(&features));
    if (status != RLS2_OK) {
        assert_ptr_equal(features, UNTOUCHED);
        return said(status, err);
    }
    add_value(r, (double)features->count);
    add_values(r, features->total * features->columns, features->x);
    rls2__features_free(features);
    return status;
}

static rls2_status evaluate_features(result *r, rls2_error *err)
{
    int64_t order[] = {3, 1, 88};
    double *phi = unit_room(3 * tall.features->total);
    rls2_status status;
    ARMED(status = rls2__features_values(tall.features, tall.data->x, ROWS, 3, order, phi));
    if (status == RLS2_OK) add_values(r, 3 * tall.features->total, phi);
    free(phi);
    return said(status, err);
}

static rls2_status expand_features(result *r, rls2_error *err)
{
    int64_t order[] = {3, 1, 88};
    double *alpha = unit_room(tall.features->total), f[3] = {0.0};
    rls2_status status;
    for (int64_t l = 0; l < tall.features->total; l++) alpha[l] = 1.0;
    ARMED(status = rls2__features_expand(tall.features, tall.data->x, ROWS, 3, order, alpha, f));
    if (status == RLS2_OK) add_values(r, 3, f);
    free(alpha);
    return said(status, err);
}

static rls2_status make_counts(rls2__counts **counts)
{
    const rls2__counted_rows rows = {ROWS, tall.data->x, tall.data->y, NULL, NULL};
    rls2__counts *made = NULL;
    rls2_status status = rls2__counts_create(tall.axes, PARTS, 1, 1, &tall.units, &made);
    if (status == RLS2_OK) status = rls2__counts_take_features(tall.features, made);
    if (status == RLS2_OK) status = rls2__counts_add(unit_alone(), &rows, made);
    if (status == RLS2_OK)
        *counts = made;
    else
        rls2__counts_free(made);
    return status;
}

static rls2_status count_rows(result *r, rls2_error *err)
{
    rls2__counts *counts = UNTOUCHED;
    rls2_status status;
    ARMED(status = make_counts(&counts));
    if (status != RLS2_OK) return said(status, err);
    add_value(r, (double)counts->totals[0].rows);
    add_value(r, (double)(int64_t)counts->featured->squares[0]);
    rls2__counts_free(counts);
    return status;
}

static rls2_status take_moments(result *r, rls2_error *err)
{
    rls2__moments moments;
    rls2_status status;
    ARMED(status = rls2__moments_create(tall.counts, (rls2__which_parts){-1, 1, NULL}, &moments));
    if (status == RLS2_OK) add_values(r, moments.points, moments.b);
    rls2__moments_release(&moments);
    return said(status, err);
}

static rls2_status make_rows(result *r, rls2_error *err)
{
    rls2__virtual *rows = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2__virtual_create(tall.axes, &tall.moments, &rows));
    if (status != RLS2_OK) {
        assert_ptr_equal(rows, UNTOUCHED);
        return said(status, err);
    }
    add_value(r, (double)rows->r);
    rls2__virtual_free(rows);
    return status;
}

static rls2_status make_basis(result *r, rls2_error *err)
{
    rls2_basis *basis = UNTOUCHED;
    rls2_basis_options options;
    rls2_status status;
    rls2_basis_options_init(&options, sizeof options);
    ARMED(status =
              rls2__virtual_basis(unit_alone(), tall.rows, tall.dictionary, &options, &basis, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(basis, UNTOUCHED);
        return status;
    }
    add_values(r, basis->m, basis->s);
    rls2_basis_free(basis);
    return status;
}

static void calls__an_allocation_fails__say_so(void **state)
{
    (void)state;
    static const attempt calls[] = {make_axes,       choose_landmarks, evaluate_features,
                                    expand_features, count_rows,       take_moments,
                                    make_rows,       make_basis};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        fail_each_allocation(calls[i], STRICT);
}

/* ---- the problem ---- */

static void make_data(void)
{
    char text[ROWS * 60];
    size_t at = (size_t)snprintf(text, sizeof text, "a,b,t,y\n");
    for (int i = 0; i < ROWS; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%.4f,%.4f,%c,%.4f\n", sin(1.7 * i),
                               cos(2.9 * i), "uv"[i % 2], sin(3.0 * i) * cos(0.7 * i));
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "y";
    assert_int_equal(rls2_table_parse_csv("made.csv", text, (int64_t)at, &tall.table, NULL), 0);
    assert_int_equal(rls2_dataset_create(tall.table, &options, &tall.data, NULL), 0);
    rls2_columns columns = {.count = rls2_dataset_columns(tall.data),
                            .names = rls2_dataset_names(tall.data)};
    assert_int_equal(
        rls2_dictionary_create("rbf(1|2)@a+b; rbf(1)@a; linear", &columns, &tall.dictionary, NULL),
        0);
}

static int set_up(void **state)
{
    (void)state;
    assert_int_equal(rls2__la_enter(NULL), 0);
    make_data();
    tall.sample = (rls2_rows){.n = ROWS, .p = tall.data->columns, .x = tall.data->x};
    tall.weights[0] = tall.weights[1] = 0.5;
    tall.units = rls2__units_of(-1.0, 1.0, 1.0);
    assert_int_equal(rls2__axes_create(unit_alone(), &(rls2__axes_from){.rows = tall.data},
                                       (rls2__fineness){.most = 8}, &tall.axes),
                     0);
    assert_int_equal(choose(&tall.features), 0);
    assert_int_equal(make_counts(&tall.counts), 0);
    assert_int_equal(
        rls2__moments_create(tall.counts, (rls2__which_parts){-1, 1, NULL}, &tall.moments), 0);
    return rls2__virtual_create(tall.axes, &tall.moments, &tall.rows);
}

static int tear_down(void **state)
{
    (void)state;
    rls2__virtual_free(tall.rows);
    rls2__moments_release(&tall.moments);
    rls2__counts_free(tall.counts);
    rls2__features_free(tall.features);
    rls2__axes_free(tall.axes);
    rls2_dictionary_free(tall.dictionary);
    rls2_dataset_free(tall.data);
    rls2_table_free(tall.table);
    rls2__la_leave();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(calls__an_allocation_fails__say_so)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
