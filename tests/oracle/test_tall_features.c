/* Features of kernels of several columns: their sums against plain loops over the rows, the same
 * bits for any order and partition, and the exact path where every row is a landmark. */
#include <math.h>
#include <stdio.h>

#include "basis/virtual_rows.h"
#include "la/threads.h"
#include "rls2/path.h"
#include "stats/landmarks.h"
#include "support/problem.h"
#include "support/unit_support.h"

enum { ROWS = 320, PARTS = 3, OUTPUTS = 2, LAMBDAS = 7 };

typedef struct tall {
    rls2_table *table;
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    rls2__axes *axes;
    rls2__features *features;
    int32_t part[ROWS];
} tall;

static void tall_free(tall *t)
{
    rls2__features_free(t->features);
    rls2__axes_free(t->axes);
    rls2_dictionary_free(t->dictionary);
    rls2_dataset_free(t->data);
    rls2_table_free(t->table);
}

/* Two numbers of `levels` values, or of as many as there are rows (0), a category, two responses of
 * very different size, weights. */
static rls2_table *make_table(int levels)
{
    rls2_error err;
    rls2_table *table = NULL;
    rls2__random random;
    size_t room = (size_t)ROWS * 120, at = 0;
    char *text = malloc(room);
    rls2__random_seed(&random, 9);
    at += (size_t)snprintf(text, room, "a,b,t,w,y,z\n");
    for (int i = 0; i < ROWS; i++) {
        double a = levels ? (double)rls2__random_below(&random, levels) / levels
                          : rls2__random_normal(&random);
        double b = levels ? (double)rls2__random_below(&random, levels) / levels
                          : rls2__random_normal(&random);
        double y = sin(2.0 * a * b) + 0.4 * (i % 3) + 0.2 * rls2__random_normal(&random);
        at += (size_t)snprintf(text + at, room - at, "%.9f,%.9f,%c,%d,%.6f,%.3f\n", a, b,
                               "uvw"[i % 3], 1 + i % 4, y, 1e5 * (y + a));
    }
    assert_ok(rls2_table_parse_csv("made.csv", text, (int64_t)at, &table, &err), &err);
    free(text);
    return table;
}

static void make_units(const tall *t, int is_weighted, rls2__units *units)
{
    for (int o = 0; o < OUTPUTS; o++) {
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < ROWS; i++) {
            least = fmin(least, t->data->y[o * ROWS + i]);
            most = fmax(most, t->data->y[o * ROWS + i]);
        }
        units[o] = rls2__units_of(least, most, is_weighted ? 4.0 : 0.0);
    }
}

static void make_data(tall *t, int levels, const char *kernels)
{
    static const char *const targets[] = {"y", "z"};
    rls2_error err;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.targets = targets;
    options.target_count = OUTPUTS;
    options.row_weights = "w";
    t->table = make_table(levels);
    assert_ok(rls2_dataset_create(t->table, &options, &t->data, &err), &err);
    assert_ok(rls2_dataset_preprocess(t->data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE,
                                      NULL, &err),
              &err);
    rls2_columns columns = {.count = rls2_dataset_columns(t->data),
                            .names = rls2_dataset_names(t->data)};
    assert_ok(rls2_dictionary_create(kernels, &columns, &t->dictionary, &err), &err);
    for (int i = 0; i < ROWS; i++) t->part[i] = (i * 7 + i / 5) % PARTS;
}

static void make_axes(tall *t, int64_t most)
{
    const rls2__fineness fineness = {.most = most};
    assert_int_equal(
        rls2__axes_create(unit_alone(), &(rls2__axes_from){.rows = t->data}, fineness, &t->axes),
        0);
}

static rls2_rows all_rows(const tall *t)
{
    return (rls2_rows){.n = ROWS, .p = t->data->columns, .x = t->data->x};
}

/* Landmarks for kernels of these weights, and for the last ones. */
static void choose_wanted(tall *t, const double *weights, int64_t wanted,
                          rls2__landmark_limits limits)
{
    const rls2_rows rows = all_rows(t);
    const rls2__pilot pilot = {&rows, t->dictionary->m, t->dictionary->kernels, weights, wanted};
    assert_int_equal(rls2__landmarks_choose(unit_alone(), t->axes, &pilot, &limits, &t->features),
                     0);
}

static void choose(tall *t, const double *weights, rls2__landmark_limits limits)
{
    choose_wanted(t, weights, 0, limits);
}

static rls2__counts *empty(const tall *t, int is_weighted)
{
    rls2__counts *counts = NULL;
    rls2__units units[OUTPUTS];
    make_units(t, is_weighted, units);
    assert_int_equal(rls2__counts_create(t->axes, PARTS, OUTPUTS, is_weighted, units, &counts), 0);
    assert_int_equal(rls2__counts_take_features(t->features, counts), 0);
    return counts;
}

static rls2__counts *count_rows(const tall *t, int is_weighted, const int32_t *part)
{
    rls2__counts *counts = empty(t, is_weighted);
    const rls2__counted_rows rows = {.rows = ROWS,
                                     .x = t->data->x,
                                     .y = t->data->y,
                                     .weights = is_weighted ? t->data->weights : NULL,
                                     .part = part};
    assert_int_equal(rls2__counts_add(unit_alone(), &rows, counts), 0);
    return counts;
}

/* ---- features ---- */

/* x = A^-1 x by elimination without pivots, A positive definite and destroyed. */
static void eliminate(int64_t n, double *A, double *x)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j + 1; i < n; i++) {
            double factor = A[j * n + i] / A[j * n + j];
            for (int64_t k = j; k < n; k++) A[k * n + i] -= factor * A[k * n + j];
            x[i] -= factor * x[j];
        }
    for (int64_t j = n - 1; j >= 0; j--) {
        for (int64_t k = j + 1; k < n; k++) x[j] -= A[k * n + j] * x[k];
        x[j] /= A[j * n + j];
    }
}

static double gaussian(const double *x, int64_t ldx, int64_t i, const double *z, int64_t ldz,
                       int64_t j, double gamma)
{
    double a = x[i] - z[j], b = x[ldx + i] - z[ldz + j];
    return exp(-gamma * (a * a + b * b));
}

static void features__two_rows__have_the_product_that_landmarks_say(void **state)
{
    (void)state;
    tall t = {0};
    const double weights[] = {0.5};
    rls2__landmark_limits limits = rls2__landmark_defaults();
    limits.of_pair = 30;
    make_data(&t, 0, "rbf(0.7)@a+b");
    make_axes(&t, 8);
    choose(&t, weights, limits);
    assert_int_equal(t.features->count, 1);
    assert_int_equal(t.features->total, 30);
    int64_t L = 30, order[ROWS];
    double *phi = unit_room(ROWS * L), A[30 * 30], k[30], alpha[30], a[30];
    for (int64_t i = 0; i < ROWS; i++) order[i] = i;
    assert_int_equal(rls2__features_values(t.features, t.data->x, ROWS, ROWS, order, phi), 0);
    for (int64_t i = 0; i < ROWS; i += 41)
        for (int64_t j = 0; j < ROWS; j += 97) {
            double product = 0.0, expected = 0.0;
            for (int64_t u = 0; u < L; u++) {
                k[u] = gaussian(t.data->x, ROWS, i, t.features->x, L, u, 0.7);
                for (int64_t v = 0; v < L; v++)
                    A[v * L + u] = gaussian(t.features->x, L, u, t.features->x, L, v, 0.7);
            }
            eliminate(L, A, k);
            for (int64_t u = 0; u < L; u++) {
                expected += k[u] * gaussian(t.data->x, ROWS, j, t.features->x, L, u, 0.7);
                product += phi[i * L + u] * phi[j * L + u];
            }
            assert_near(product, expected, 2e-6);
        }
    for (int64_t u = 0; u < L; u++) alpha[u] = cos((double)u);
    rls2__feature_coefficients(&t.features->all[0], alpha, a);
    double *expanded = unit_room(ROWS);
    assert_int_equal(
        rls2__features_expand(t.features, t.data->x, ROWS, ROWS, order, alpha, expanded), 0);
    for (int64_t i = 0; i < ROWS; i += 41) {
        double by_features = 0.0, by_landmarks = 0.0;
        for (int64_t u = 0; u < L; u++) {
            by_features += alpha[u] * phi[i * L + u];
            by_landmarks += a[u] * gaussian(t.data->x, ROWS, i, t.features->x, L, u, 0.7);
        }
        assert_near(by_features, by_landmarks, 5e-6);
        assert_near(expanded[i], by_landmarks, 1e-10);
    }
    free(expanded);
    free(phi);
    tall_free(&t);
}

/* ---- sums ---- */

static double share_at(const rls2__axes *axes, int64_t a, int64_t g, const tall *t, int64_t row)
{
    uint16_t at;
    uint8_t share;
    rls2__axis_place(&axes->all[a], t->data->x, ROWS, 1, &row, &at, &share);
    double right = share / 64.0;
    return g == at ? 1.0 - right : g == at + 1 ? right : 0.0;
}

static void compare_with_loops(const tall *t, int is_weighted, int64_t left_out)
{
    rls2__moments m;
    int64_t L = t->features->total, P = rls2__axes_points(t->axes), order[ROWS];
    double *phi = unit_room(ROWS * L), *row = unit_room(P + L), *N = unit_room((P + L) * (P + L));
    double *b = unit_room((P + L) * OUTPUTS), *mass = unit_room(P + L), left = 0.0, trace = 0.0;
    rls2__counts *counts = count_rows(t, is_weighted, t->part);
    assert_int_equal(rls2__moments_create(counts, (rls2__which_parts){left_out, 1, NULL}, &m), 0);
    assert_int_equal(m.points, P + L);
    for (int64_t i = 0; i < ROWS; i++) order[i] = i;
    assert_int_equal(rls2__features_values(t->features, t->data->x, ROWS, ROWS, order, phi), 0);
    for (int64_t i = 0; i < ROWS; i++) {
        double w = is_weighted ? t->data->weights[i] : 1.0;
        if (t->part[i] == left_out) continue;
        for (int64_t a = 0; a < t->axes->count; a++)
            for (int64_t g = 0; g < t->axes->all[a].count; g++)
                row[t->axes->first[a] + g] = share_at(t->axes, a, g, t, i);
        for (int64_t l = 0; l < L; l++) row[P + l] = phi[i * L + l];
        for (int64_t u = 0; u < P + L; u++) {
            mass[u] += w * row[u];
            for (int64_t v = 0; v <= u; v++) N[v * (P + L) + u] += w * row[u] * row[v];
            for (int64_t o = 0; o < OUTPUTS; o++)
                b[o * (P + L) + u] += w * row[u] * (t->data->y[o * ROWS + i] - m.mean[o]);
        }
        trace += w;
        left += w;
        for (int64_t l = 0; l < t->features->all[0].count; l++) left -= w * row[P + l] * row[P + l];
    }
    for (int64_t u = 0; u < P + L; u++) {
        assert_near(m.mass[u], mass[u], 1e-9);
        for (int64_t v = 0; v <= u; v++)
            assert_near(m.N[v * (P + L) + u], N[v * (P + L) + u], 1e-9);
        assert_near(m.b[u], b[u], 1e-6);
        assert_near(m.b[P + L + u], b[P + L + u], 1e-1);
    }
    assert_near(m.trace[0], trace, 1e-9);
    assert_near(m.left_out[0], left, 1e-9);
    rls2__moments_release(&m);
    rls2__counts_free(counts);
    free(phi);
    free(row);
    free(N);
    free(b);
    free(mass);
}

static void make_two_blocks(tall *t)
{
    const double weights[] = {0.2, 0.5, 0.3};
    rls2__landmark_limits limits = rls2__landmark_defaults();
    limits.of_pair = 21;
    make_data(t, 0, "rbf(0.7)@a+b; poly(2)@a+b; rbf(1)@a");
    make_axes(t, 8);
    choose(t, weights, limits);
    assert_int_equal(t->features->count, 2);
    assert_int_equal(t->features->all[0].index, 1); /* the heaviest first */
    assert_int_equal(t->features->all[0].count, 6); /* of quadratic polynomials of two columns */
    assert_int_equal(t->features->all[1].index, 0);
    assert_int_equal(t->features->all[1].count, 21);
    assert_null(rls2__features_of(t->features, 2));
}

static void sums__rows_of_parts__are_those_of_plain_loops(void **state)
{
    (void)state;
    tall t = {0};
    const double weights[] = {0.2};
    rls2__landmark_limits limits = rls2__landmark_defaults();
    limits.of_pair = 21;
    make_data(&t, 0, "rbf(0.7)@a+b");
    make_axes(&t, 8);
    choose(&t, weights, limits);
    compare_with_loops(&t, 0, -1);
    compare_with_loops(&t, 1, -1);
    compare_with_loops(&t, 1, 2);
    tall_free(&t);
}

/* ---- the same bits ---- */

#define ASSERT_EQUAL(a, b, count) assert_memory_equal(a, b, (size_t)(count) * sizeof *(a))

static void assert_same(const rls2__counts *a, const rls2__counts *b)
{
    const rls2__feature_sums *f = a->featured, *g = b->featured;
    int64_t L = f->features->total, P = a->points;
    ASSERT_EQUAL(a->pairs, b->pairs, PARTS * a->pair_size);
    ASSERT_EQUAL(a->own, b->own, 3 * PARTS * P);
    ASSERT_EQUAL(a->sums, b->sums, (P + 2) * PARTS * OUTPUTS);
    ASSERT_EQUAL(a->totals, b->totals, PARTS);
    ASSERT_EQUAL(f->cross, g->cross, PARTS * f->pieces * P * L);
    ASSERT_EQUAL(f->squares, g->squares, PARTS * L * (L + 1) / 2);
    ASSERT_EQUAL(f->sums, g->sums, PARTS * (1 + OUTPUTS) * L);
    ASSERT_EQUAL(f->traces, g->traces, PARTS * f->features->count);
}

/* Some of the rows, in another order. */
static void add_rows(const tall *t, int is_weighted, int64_t count, const int64_t *rows,
                     rls2__counts *counts)
{
    int64_t p = t->data->columns;
    double *x = unit_room(count * p), *y = unit_room(count * OUTPUTS), *w = unit_room(count);
    int32_t *part = malloc((size_t)count * sizeof *part);
    for (int64_t i = 0; i < count; i++) {
        for (int64_t v = 0; v < p; v++) x[v * count + i] = t->data->x[v * ROWS + rows[i]];
        for (int64_t o = 0; o < OUTPUTS; o++) y[o * count + i] = t->data->y[o * ROWS + rows[i]];
        w[i] = t->data->weights[rows[i]];
        part[i] = t->part[rows[i]];
    }
    const rls2__counted_rows some = {count, x, y, is_weighted ? w : NULL, part};
    assert_int_equal(rls2__counts_add(unit_alone(), &some, counts), 0);
    free(x);
    free(y);
    free(w);
    free(part);
}

static void counts__any_order_and_partition__have_the_same_bits(void **state)
{
    (void)state;
    static const int64_t cuts[] = {0, 1, 64, 77, 200, ROWS};
    tall t = {0};
    rls2__random random;
    int64_t order[ROWS];
    make_two_blocks(&t);
    rls2__random_seed(&random, 3);
    for (int is_weighted = 0; is_weighted < 2; is_weighted++) {
        rls2__counts *whole = count_rows(&t, is_weighted, t.part), *merged = empty(&t, is_weighted);
        rls2__random_permutation(&random, ROWS, order);
        for (int c = 4; c >= 0; c--) {
            rls2__counts *piece = empty(&t, is_weighted);
            add_rows(&t, is_weighted, cuts[c + 1] - cuts[c], order + cuts[c], piece);
            rls2__counts_merge(piece, merged);
            rls2__counts_free(piece);
        }
        assert_same(whole, merged);
        rls2__counts_free(whole);
        rls2__counts_free(merged);
    }
    tall_free(&t);
}

static void assert_same_moments(const rls2__moments *a, const rls2__moments *b)
{
    int64_t D = a->points;
    for (int64_t g = 0; g < D; g++)
        assert_memory_equal(a->N + g * D + g, b->N + g * D + g, (size_t)(D - g) * sizeof(double));
    assert_memory_equal(a->mass, b->mass, (size_t)D * sizeof(double));
    assert_memory_equal(a->b, b->b, (size_t)D * OUTPUTS * sizeof(double));
    assert_memory_equal(a->mean, b->mean, OUTPUTS * sizeof(double));
    assert_memory_equal(a->square, b->square, OUTPUTS * sizeof(double));
    assert_memory_equal(a->left_out, b->left_out, (size_t)a->features->count * sizeof(double));
    assert_true(a->rows == b->rows && a->weight == b->weight);
}

static void moments__all_parts_but_one__are_those_of_counting_the_others(void **state)
{
    (void)state;
    tall t = {0};
    make_two_blocks(&t);
    rls2__counts *whole = count_rows(&t, 1, t.part);
    for (int64_t p = 0; p < PARTS; p++) {
        rls2__moments subtracted, counted;
        int32_t part[ROWS];
        for (int i = 0; i < ROWS; i++) part[i] = t.part[i] == p ? -1 : 0;
        rls2__counts *others = count_rows(&t, 1, part);
        assert_int_equal(rls2__moments_create(whole, (rls2__which_parts){p, 1, NULL}, &subtracted),
                         0);
        assert_int_equal(rls2__moments_create(others, (rls2__which_parts){0, 0, NULL}, &counted),
                         0);
        assert_same_moments(&subtracted, &counted);
        rls2__moments_release(&subtracted);
        rls2__moments_release(&counted);
        rls2__counts_free(others);
    }
    rls2__counts_free(whole);
    tall_free(&t);
}

/* ---- the path ---- */

typedef struct both {
    rls2__counts *counts;
    rls2__moments moments;
    rls2__virtual *rows;
    rls2_basis *basis, *exact;
    rls2_path *few, *whole;
} both;

static void both_free(both *f)
{
    rls2_path_free(f->few);
    rls2_path_free(f->whole);
    rls2_basis_free(f->basis);
    rls2_basis_free(f->exact);
    rls2__virtual_free(f->rows);
    rls2__moments_release(&f->moments);
    rls2__counts_free(f->counts);
}

static void fit_both(const tall *t, int center, int is_weighted, int64_t o, both *f)
{
    rls2_error err;
    rls2_basis_options basis;
    rls2_path_options path;
    const rls2_rows rows = all_rows(t);
    double lambdas[LAMBDAS];
    for (int i = 0; i < LAMBDAS; i++) lambdas[i] = pow(10.0, 1.0 - i);
    f->counts = count_rows(t, is_weighted, t->part);
    assert_int_equal(rls2__moments_create(f->counts, (rls2__which_parts){-1, 1, NULL}, &f->moments),
                     0);
    assert_int_equal(rls2__virtual_create(t->axes, &f->moments, &f->rows), 0);
    rls2_basis_options_init(&basis, sizeof basis);
    basis.center = center;
    assert_ok(rls2__virtual_basis(unit_alone(), f->rows, t->dictionary, &basis, &f->basis, &err),
              &err);
    basis.row_weights = is_weighted ? t->data->weights : NULL;
    assert_ok(rls2_basis_create(t->dictionary, &rows, &basis, NULL, &f->exact, &err), &err);
    rls2_path_options_init(&path, sizeof path);
    path.gap_tol = 1e-11;
    path.intercept = RLS2_INTERCEPT_MEAN;
    assert_ok(rls2_path_fit(1, (const rls2_basis *const[]){f->exact}, t->data->y + o * ROWS,
                            LAMBDAS, lambdas, &path, NULL, &f->whole, &err),
              &err);
    path.intercept = RLS2_INTERCEPT_NONE;
    double *y = unit_room(f->basis->n);
    rls2__virtual_response(f->rows, o, y);
    assert_ok(rls2_path_fit(1, (const rls2_basis *const[]){f->basis}, y, LAMBDAS, lambdas, &path,
                            NULL, &f->few, &err),
              &err);
    free(y);
}

/* f(x) = sum_k d_k s_k sum_z a_z K_k(z, x), at a row. */
static double prediction(const tall *t, const both *f, int64_t i, int64_t row)
{
    const int64_t *ks;
    const double *d;
    int64_t count = rls2_path_kernel_weights(f->few, i, &ks, &d);
    double *alpha = unit_room(f->moments.points), sum = 0.0;
    const rls2_rows one = {.n = 1, .p = t->data->columns, .x = t->data->x + row, .ldx = ROWS};
    const rls2_rows landmarks = {
        .n = t->features->total, .p = t->features->columns, .x = t->features->x};
    double *a = unit_room(landmarks.n), *K = unit_room(landmarks.n);
    rls2__virtual_coefficients(f->rows, rls2_path_c(f->few, i), alpha);
    for (int64_t s = 0; s < count; s++) {
        const rls2__feature_block *block = rls2__features_of(t->features, ks[s]);
        rls2__feature_coefficients(block, alpha + rls2__axes_points(t->axes) + block->first,
                                   a + block->first);
        rls2__kernel_column(&f->basis->kernels[ks[s]], &landmarks, &one, 0, K);
        for (int64_t l = block->first; l < block->first + block->count; l++)
            sum += d[s] * f->basis->s[ks[s]] * a[l] * K[l];
    }
    free(alpha);
    free(a);
    free(K);
    return sum;
}

static void compare_paths(int center, int is_weighted, int64_t o)
{
    tall t = {0};
    both f = {0};
    rls2_error err;
    const double weights[] = {0.1, 0.2, 0.3};
    rls2__landmark_limits limits = rls2__landmark_defaults();
    limits.of_pair = ROWS;
    limits.tol = 0.0;
    make_data(&t, 7, "rbf(0.3|3)@a+b; laplace(1)@a+b");
    make_axes(&t, 0);
    choose(&t, weights, limits);
    assert_int_equal(t.features->all[0].count, 49);
    fit_both(&t, center, is_weighted, o, &f);
    for (int64_t k = 0; k < f.basis->m; k++)
        assert_near(f.basis->s[k], f.exact->s[k], (center ? 1e-6 : 1e-11) * f.exact->s[k]);
    double *whole = unit_room(ROWS * LAMBDAS);
    const rls2_rows rows = all_rows(&t);
    assert_ok(rls2_path_predict(f.whole, &rows, whole, &err), &err);
    double spread = sqrt(f.moments.square[o] / f.moments.weight);
    for (int i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *one = rls2_path_at(f.whole, i), *other = rls2_path_at(f.few, i);
        assert_near(other->objective, one->objective, 1e-7 * one->objective);
        for (int row = 0; row < ROWS; row += 37)
            assert_near(prediction(&t, &f, i, row) + f.moments.mean[o], whole[i * ROWS + row],
                        1e-4 * spread);
    }
    for (int64_t b = 0; b < t.features->count; b++)
        assert_near(f.moments.left_out[b], 0.0, 1e-6 * f.moments.trace[b]);
    free(whole);
    both_free(&f);
    tall_free(&t);
}

static void path__all_rows_are_landmarks__is_the_exact_one(void **state)
{
    (void)state;
    compare_paths(0, 0, 0);
    compare_paths(1, 0, 1);
    compare_paths(0, 1, 1);
}

/* ---- the choice ---- */

static void landmarks__many_kernels__are_chosen_by_weight_within_limits(void **state)
{
    (void)state;
    tall t = {0};
    rls2__landmark_limits limits = {
        .features = 60, .kernels = 2, .pairs = 1, .of_pair = 20, .tol = 1e-6};
    const double weights[] = {0.1, 0.4, 0.0, 0.2, 0.3, 0.2, 1.0};
    make_data(&t, 0,
              "rbf(0.5|1|2)@a+b; rbf(0.5|1|2)@a+b+\"t=u\"+\"t=v\"+\"t=w\"; poly(2)@a; linear");
    make_axes(&t, 8);
    assert_true(t.dictionary->m >= 7);
    double *all = unit_room(t.dictionary->m);
    for (int k = 0; k < 7; k++) all[k] = weights[k];
    choose(&t, all, limits);
    assert_int_equal(t.features->count, 3);
    assert_int_equal(t.features->all[0].index, 1); /* the only pair */
    assert_int_equal(t.features->all[1].index, 4);
    assert_int_equal(t.features->all[2].index, 3); /* the first of two as heavy */
    assert_int_equal(t.features->all[0].count, 20);
    assert_int_equal(t.features->total, 60);
    free(all);
    tall_free(&t);
}

/* Two that nothing speaks for come first, and leave half of all to the others. */
static void landmarks__wanted_kernels__come_first_and_leave_half(void **state)
{
    (void)state;
    tall t = {0};
    rls2__landmark_limits limits = {
        .features = 60, .kernels = 1, .pairs = 1, .of_pair = 20, .of_group = 25, .tol = 1e-6};
    make_data(&t, 0, "rbf(1|2)@a+b; rbf(1|2)@a+b+\"t=u\"+\"t=v\"; rbf(3|4)@a+b");
    make_axes(&t, 8);
    assert_int_equal(t.dictionary->m, 6);
    choose_wanted(&t, (const double[]){0.3, 0.2, 0.2, 0.1, 0.0, 0.0}, 2, limits);
    assert_int_equal(t.features->count, 4);
    assert_int_equal(t.features->all[0].index, 4);
    assert_int_equal(t.features->all[1].index, 5);
    assert_int_equal(t.features->all[0].count, 15);
    assert_int_equal(t.features->all[1].count, 15);
    assert_int_equal(t.features->all[2].index, 0);
    assert_int_equal(t.features->all[3].index, 2);
    tall_free(&t);
    t = (tall){0};
    make_data(&t, 0, "rbf(1|2)@a+b");
    make_axes(&t, 8);
    choose_wanted(&t, (const double[]){0.3, 0.0}, 1, limits); /* with one pair beside */
    assert_int_equal(t.features->all[0].count, 25);
    assert_int_equal(t.features->all[1].count, 20);
    tall_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features__two_rows__have_the_product_that_landmarks_say),
        cmocka_unit_test(sums__rows_of_parts__are_those_of_plain_loops),
        cmocka_unit_test(counts__any_order_and_partition__have_the_same_bits),
        cmocka_unit_test(moments__all_parts_but_one__are_those_of_counting_the_others),
        cmocka_unit_test(path__all_rows_are_landmarks__is_the_exact_one),
        cmocka_unit_test(landmarks__many_kernels__are_chosen_by_weight_within_limits),
        cmocka_unit_test(landmarks__wanted_kernels__come_first_and_leave_half),
    };
    if (rls2__la_enter(NULL) != RLS2_OK) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rls2__la_leave();
    return failed;
}
