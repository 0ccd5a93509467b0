/* Triangles in 32 bits: products against their definitions, and operators taken in them against
 * kernels evaluated in long double. */
#include "support/unit_support.h"

#include <math.h>

#include "basis/basis.h"
#include "basis/basis_derive.h"
#include "basis/combine.h"
#include "basis/shape.h"
#include "la/rounded.h"
#include "la/tiles.h"

static int32_t *integers(uint64_t seed, int64_t count)
{
    double *x = unit_normal(seed, count);
    int32_t *z = malloc((size_t)count * sizeof *z);
    assert_non_null(z);
    for (int64_t i = 0; i < count; i++) z[i] = rls2__la_rounded(fmod(1e9 * x[i], 2e9));
    free(x);
    return z;
}

static double entry(int64_t n, const int32_t *Z, int64_t i, int64_t j)
{
    int64_t row = i > j ? i : j, column = i > j ? j : i;
    return Z[column * n - column * (column - 1) / 2 + row - column];
}

/* Zx and x'Zx of columns first .. end - 1, and of the rows that mirror them. */
static void check_range(int64_t n, int64_t first, int64_t end, const int32_t *Z, const double *x)
{
    double *y = unit_room(n);
    long double form = 0.0L, whole = 0.0L;
    rls2__la_rounded_range(n, first, end, Z, x, y);
    for (int64_t i = first; i < n; i++) {
        long double sum = 0.0L, size = 0.0L;
        for (int64_t j = first; j < n; j++) {
            if (i >= end && j >= end) break;
            long double term = (long double)entry(n, Z, i, j) * x[j];
            sum += term;
            size += fabsl(term);
        }
        assert_near(y[i - first], (double)sum, 1e-15 * (double)n * (double)size);
        form += sum * x[i];
        whole += size * fabsl((long double)x[i]);
    }
    assert_near(rls2__la_rounded_quadratic(n, first, end, Z, x), (double)form,
                1e-15 * (double)n * (double)whole);
    free(y);
}

static void la_rounded__many_sizes__as_defined(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 200; n += n < 40 ? 1 : 37) {
        int32_t *Z = integers(1, n * (n + 1) / 2);
        double *x = unit_normal(2, n);
        int64_t cut = n / 3 * 2 - n / 3 * 2 % 2;
        check_range(n, 0, n, Z, x);
        check_range(n, 0, cut, Z, x);
        check_range(n, cut, n, Z, x);
        free(Z), free(x);
    }
}

static void la_rounded_add__columns__as_defined(void **state)
{
    (void)state;
    enum { N = 53 };
    static const double a[] = {0.5, -2.0, 1e-3, 7.0};
    const int32_t *z[4];
    int32_t *own[4];
    double *y = unit_normal(4, N), *sum = unit_normal(4, N);
    for (int t = 0; t < 4; t++) z[t] = own[t] = integers(5 + (uint64_t)t, N + 3);
    rls2__la_rounded_add_four(N, a, z, 3, y);
    rls2__la_rounded_axpy(N, -0.25, z[0], y);
    for (int64_t i = 0; i < N; i++) {
        long double wanted = sum[i] - 0.25L * z[0][i];
        for (int t = 0; t < 4; t++) wanted += (long double)a[t] * z[t][3 + i];
        assert_near(y[i], (double)wanted, 1e-4);
    }
    for (int t = 0; t < 4; t++) free(own[t]);
    free(y), free(sum);
}

/* ---- operators ---- */

enum { COLUMNS = 3, KERNELS = 5 };
static const char KINDS[] = "rbf(3)@all; laplace(2)@all; linear@x1; poly(3)@x1; rbf(0.5)@x1";

/* Kernel k of rows i and j, neither scaled nor weighted. */
static long double value_of(int64_t k, int64_t n, const double *x, int64_t i, int64_t j)
{
    long double squares = 0.0L, sizes = 0.0L;
    for (int64_t t = 0; t < COLUMNS; t++) {
        long double difference = (long double)x[t * n + i] - x[t * n + j];
        squares += difference * difference;
        sizes += fabsl(difference);
    }
    if (k == 4) return expl(-0.5L * powl((long double)x[i] - x[j], 2.0L));
    return k == 0 ? expl(-3.0L * squares) : expl(-2.0L * sizes);
}

typedef struct taken {
    int64_t n, count;
    double *x;
    int64_t *rows;
    double *weights; /* of the part; NULL: none */
    rls2_dictionary *dictionary;
    rls2_basis *whole, *part;
} taken;

/* Four of five rows, the first of them last: any order is allowed. */
static taken take_some(int64_t n, int weighted, double coarse)
{
    taken it = {
        .n = n, .x = unit_normal(7, n * COLUMNS), .rows = malloc((size_t)n * sizeof *it.rows)};
    const rls2_rows rows = {.n = n, .p = COLUMNS, .x = it.x};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    for (int64_t i = 1; i < n; i++)
        if (i % 5) it.rows[it.count++] = i;
    it.rows[it.count++] = 0;
    it.weights = weighted ? unit_normal(8, it.count) : NULL;
    for (int64_t a = 0; weighted && a < it.count; a++) it.weights[a] = 0.5 + fabs(it.weights[a]);
    it.dictionary = unit_dictionary(KINDS, COLUMNS);
    assert_int_equal(rls2_basis_create(it.dictionary, &rows, &options, NULL, &it.whole, NULL),
                     RLS2_OK);
    options.row_weights = it.weights;
    assert_int_equal(rls2__basis_take_coarsely(it.whole, it.whole->dictionary, it.count, it.rows,
                                               &options, coarse, NULL, &it.part, NULL),
                     RLS2_OK);
    return it;
}

static void release(taken *it)
{
    rls2_basis_free(it->part);
    rls2_basis_free(it->whole);
    rls2_dictionary_free(it->dictionary);
    free(it->x), free(it->rows), free(it->weights);
}

/* Entry (a, b) of operator k of the part. */
static long double wanted_entry(const taken *it, int64_t k, int64_t a, int64_t b)
{
    long double weights = it->weights ? sqrtl(it->weights[a]) * sqrtl(it->weights[b]) : 1.0L;
    return it->part->s[k] * weights * value_of(k, it->n, it->x, it->rows[a], it->rows[b]);
}

/* v = R^k c; returns c'v */
static long double wanted_product(const taken *it, int64_t k, const double *c, long double *v)
{
    long double form = 0.0L;
    for (int64_t a = 0; a < it->count; a++) {
        v[a] = 0.0L;
        for (int64_t b = 0; b < it->count; b++) v[a] += wanted_entry(it, k, a, b) * c[b];
        form += c[a] * v[a];
    }
    return form;
}

/* Forms, products and sums differ from those of the exact kernels by no more than the slack, which
 * is no more than was allowed; and have the same bits on any number of threads. */
static void check_operators(int64_t n, int weighted)
{
    const double coarse = 1e-8;
    taken it = take_some(n, weighted, coarse);
    static const int64_t ks[] = {0, 1};
    static const double d[] = {0.25, 0.75};
    int64_t count = it.count;
    double *c = unit_normal(9, count), *V = unit_room(2 * count), *again = unit_room(2 * count),
           *work = unit_room(count), *R = unit_room(count * count), q[2], q_again[2];
    long double *v = malloc((size_t)count * sizeof *v);
    rls2__effort one, three;
    rls2__effort_begin_alone(&one);
    rls2__effort_begin_alone(&three);
    three.threads = 3;
    double squares = 0.0;
    for (int64_t a = 0; a < count; a++) squares += c[a] * c[a];
    assert_int_equal(rls2__basis_price(&one, it.part, c, 2, ks, q, work), RLS2_OK);
    assert_int_equal(rls2__basis_apply_stored(&one, it.part, 2, ks, c, V, work), RLS2_OK);
    assert_int_equal(rls2__basis_price(&three, it.part, c, 2, ks, q_again, work), RLS2_OK);
    assert_int_equal(rls2__basis_apply_stored(&three, it.part, 2, ks, c, again, work), RLS2_OK);
    assert_memory_equal(q, q_again, sizeof q);
    assert_memory_equal(V, again, (size_t)(2 * count) * sizeof *V);
    rls2__combiner *combiner = rls2__combiner_create(it.part, 0);
    assert_non_null(combiner);
    assert_int_equal(rls2__combine(&one, combiner, 2, ks, d, R), RLS2_OK);
    for (int64_t k = 0; k < 2; k++) {
        const rls2__operator *op = &it.part->ops[k];
        assert_ptr_equal(op->shape, &rls2__shape_rounded);
        assert_true(op->slack > 0.0 && op->slack <= coarse + 1e-12 * op->norm);
        assert_true(op->bytes <= count * (count + 1) * 2 + 16);
        assert_near(q[k], (double)wanted_product(&it, k, c, v), op->slack * squares);
        long double off = 0.0L;
        for (int64_t a = 0; a < count; a++) off += powl(V[k * count + a] - v[a], 2.0L);
        assert_true(sqrtl(off) <= op->slack * sqrt(squares));
    }
    for (int64_t b = 0; b < count; b++)
        for (int64_t a = b; a < count; a++) {
            long double sum = d[0] * wanted_entry(&it, 0, a, b) + d[1] * wanted_entry(&it, 1, a, b);
            assert_near(R[b * count + a], (double)sum, 3e-10 * it.part->ops[0].norm);
        }
    rls2__combiner_free(combiner);
    free(c), free(V), free(again), free(work), free(R), free(v);
    release(&it);
}

static void basis_take_coarsely__few_rows__within_slack(void **state)
{
    (void)state;
    check_operators(90, 0);
    check_operators(90, 1);
}

static void basis_take_coarsely__many_rows__within_slack(void **state)
{
    (void)state;
    check_operators(1400, 1); /* cut into tiles */
}

/* Where operators are in 32 bits R(d) has triangles made of factors in them too; where there are
 * none it is exact. */
static void combine__factors__in_32_bits_as_operators_are(void **state)
{
    (void)state;
    static const int64_t k = 4;
    static const double d = 1.0;
    for (int coarse = 0; coarse <= 1; coarse++) {
        taken it = take_some(600, 0, coarse ? 1e-8 : 0.0);
        double *R = unit_room(it.count * it.count), off = 0.0;
        rls2__combiner *combiner = rls2__combiner_create(it.part, INT64_C(1) << 30);
        rls2__effort alone;
        rls2__effort_begin_alone(&alone);
        assert_non_null(it.part->ops[k].factor);
        for (int round = 0; round < 2; round++) /* made, and remembered */
            assert_int_equal(rls2__combine(&alone, combiner, 1, &k, &d, R), RLS2_OK);
        for (int64_t b = 0; b < it.count; b++)
            for (int64_t a = b; a < it.count; a++)
                off = fmax(off, fabs((double)(R[b * it.count + a] - wanted_entry(&it, k, a, b))));
        double most = it.part->ops[k].trace / (double)it.count; /* of the diagonal */
        assert_true(coarse ? off > 1e-10 * most && off <= 2.6e-10 * most : off <= 2e-11 * most);
        rls2__combiner_free(combiner);
        free(R);
        release(&it);
    }
}

static void frobenius__rounded__as_of_the_kernel(void **state)
{
    (void)state;
    taken it = take_some(90, 1, 1e-8);
    double *work = unit_room(it.count);
    for (int64_t k = 0; k < 2; k++) {
        long double squares = 0.0L;
        for (int64_t b = 0; b < it.count; b++)
            for (int64_t a = 0; a < it.count; a++)
                squares += powl(wanted_entry(&it, k, a, b), 2.0L);
        double norm = (double)sqrtl(squares);
        assert_near(rls2__basis_frobenius(it.part, k, work), norm, 1e-8 * norm);
    }
    free(work);
    release(&it);
}

/* Where the rounding would be more than is allowed, and where there are no triangles. */
static void basis_take_coarsely__too_fine_or_no_triangle__is_not_rounded(void **state)
{
    (void)state;
    taken it = take_some(90, 0, 1e-11), all = take_some(90, 0, 1.0);
    for (int64_t k = 0; k < KERNELS; k++) assert_null(it.part->ops[k].rounded);
    assert_true(it.part->coarse == 0.0);
    assert_null(all.part->ops[2].rounded);
    assert_null(all.part->ops[3].rounded);
    assert_true(all.part->coarse >= fmax(all.part->ops[0].slack, all.part->ops[1].slack));
    release(&it);
    release(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(la_rounded__many_sizes__as_defined),
        cmocka_unit_test(la_rounded_add__columns__as_defined),
        cmocka_unit_test(basis_take_coarsely__few_rows__within_slack),
        cmocka_unit_test(basis_take_coarsely__many_rows__within_slack),
        cmocka_unit_test(combine__factors__in_32_bits_as_operators_are),
        cmocka_unit_test(frobenius__rounded__as_of_the_kernel),
        cmocka_unit_test(basis_take_coarsely__too_fine_or_no_triangle__is_not_rounded),
    };
    return cmocka_run_group_tests_name("rounded", tests, NULL, NULL);
}
