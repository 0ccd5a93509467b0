/* Rows that are equal to a kernel: the groups against all pairs, and what is built of them against
 * the kernel evaluated on every row. */
#include <math.h>

#include "kernel/distinct.h"
#include "support/unit_support.h"

enum { N = 60, P = 3 };

static const char KERNELS[] =
    "rbf(1e-3|0.3|30|1e4)@x1; laplace(2)@x1; matern(0.5|1.5|2.5)@x1; poly(1|2|3|9)@x1;"
    "poly(2,offset=0)@x1; spline@x1; delta@x1; delta@x1+x2; rbf(2)@x1+x2;"
    "delta@all; laplace(1)@all";

/* x1 has `values` different values in shuffled order, zeros of either sign among them; x2 two, x3
 * three. */
static double *make_rows(uint64_t seed, int64_t values)
{
    double *x = unit_room(N * P);
    int64_t order[N];
    rls2__random random;
    rls2__random_seed(&random, seed);
    rls2__random_permutation(&random, N, order);
    for (int64_t i = 0; i < N; i++) {
        int64_t v = order[i] % values;
        x[i] = v == 0 ? (order[i] % 2 ? 0.0 : -0.0) : sin(3.0 * (double)v) + 0.1 * (double)v;
        x[N + i] = (double)rls2__random_below(&random, 2);
        x[2 * N + i] = (double)rls2__random_below(&random, 3) - 1.0;
    }
    return x;
}

static double *make_weights(uint64_t seed)
{
    double *weights = unit_room(N);
    rls2__random random;
    rls2__random_seed(&random, seed);
    for (int64_t i = 0; i < N; i++)
        weights[i] = i % 7 ? 0.2 + 3.0 * rls2__random_uniform(&random) : 2.0;
    return weights;
}

/* ---- the groups ---- */

static int equal_rows(const rls2__kernel *kernel, const double *x, int64_t i, int64_t j)
{
    int equal = 1;
    for (int64_t t = 0; t < kernel->column_count; t++)
        equal &= x[kernel->columns[t] * N + i] == x[kernel->columns[t] * N + j];
    return equal;
}

static int64_t count_by_pairs(const rls2__kernel *kernel, const double *x)
{
    int64_t count = 0;
    for (int64_t i = 0; i < N; i++) {
        int fresh = 1;
        for (int64_t j = 0; j < i; j++) fresh &= !equal_rows(kernel, x, i, j);
        count += fresh;
    }
    return count;
}

/* The first of the heaviest rows equal to i. */
static int64_t stands_for(const rls2__kernel *kernel, const double *x, const double *roots,
                          int64_t i)
{
    int64_t best = -1;
    for (int64_t j = 0; j < N; j++)
        if (equal_rows(kernel, x, i, j) && (best < 0 || (roots && roots[j] > roots[best])))
            best = j;
    return best;
}

static void assert_groups(const rls2__kernel *kernel, const rls2_rows *rows, const double *roots,
                          const rls2__distinct *d)
{
    const double *x = rows->x;
    int64_t listed = 0;
    for (int64_t i = 0; i < N; i++) {
        int64_t stands = stands_for(kernel, x, roots, i), g = d->group[i];
        assert_in_range(g, 0, d->count - 1);
        assert_int_equal(d->stands[g], stands);
        for (int64_t j = 0; j < i; j++)
            assert_int_equal(d->group[j] == g, equal_rows(kernel, x, i, j));
        for (int64_t t = 0; t < kernel->column_count; t++)
            assert_true(d->x[t * d->count + g] == x[kernel->columns[t] * N + i]);
        if (roots)
            assert_true(d->roots[g] == roots[stands] && d->ratios[i] == roots[i] / roots[stands]);
    }
    for (int64_t g = 0; g < d->count; g++) {
        double mass = 0.0;
        if (g > 0) assert_true(d->stands[g] > d->stands[g - 1]);
        for (int64_t i = d->head[g]; i >= 0; i = d->next[i], listed++) {
            assert_int_equal(d->group[i], g);
            mass += roots ? pow(roots[i] / roots[d->stands[g]], 2.0) : 1.0;
        }
        assert_near(d->mass[g], mass, 1e-13 * mass);
    }
    assert_int_equal(listed, N);
}

static void distinct_find__any_number_of_values__as_by_all_pairs(void **state)
{
    (void)state;
    static const int64_t values[] = {1, 2, 3, 5, 20, 29, 30, 31, 59, 60};
    rls2_dictionary *dictionary = unit_dictionary(KERNELS, P);
    rls2__distinct d;
    int found = 0;
    assert_int_equal(rls2__distinct_create(N, &d), RLS2_OK);
    for (int v = 0; v < 10; v++) {
        double *x = make_rows((uint64_t)v + 1, values[v]), *roots = make_weights((uint64_t)v);
        rls2_rows rows = {.n = N, .p = P, .x = x};
        for (int64_t k = 0; k < 2 * dictionary->m; k++) {
            const rls2__kernel *kernel = &dictionary->kernels[k / 2];
            const double *used = k % 2 ? roots : NULL;
            int64_t count = count_by_pairs(kernel, x);
            assert_int_equal(rls2__distinct_find(kernel, &rows, used, &d), count <= N / 2);
            if (count > N / 2) continue;
            assert_int_equal(d.count, count);
            assert_groups(kernel, &rows, used, &d);
            found++;
        }
        free(x), free(roots);
    }
    assert_true(found > 100);
    rls2__distinct_free(&d);
    rls2_dictionary_free(dictionary);
}

static void distinct_find__given_matrix_or_many_columns__nothing(void **state)
{
    (void)state;
    const char *names[] = {"K"};
    double *x = unit_room(9 * N);
    rls2_rows rows = {.n = N, .p = 9, .x = x};
    rls2_dictionary *dictionary =
        unit_dictionary_given("given(K); delta@all; delta@x1..x8", 9, 1, names);
    rls2__distinct d;
    assert_int_equal(rls2__distinct_create(N, &d), RLS2_OK);
    assert_int_equal(rls2__distinct_find(&dictionary->kernels[0], &rows, NULL, &d), 0);
    assert_int_equal(rls2__distinct_find(&dictionary->kernels[1], &rows, NULL, &d), 0);
    assert_int_equal(rls2__distinct_find(&dictionary->kernels[2], &rows, NULL, &d), 1);
    assert_int_equal(d.count, 1);
    rls2__distinct_free(&d);
    rls2_dictionary_free(dictionary);
    free(x);
}

/* ---- operators ---- */

/* Entry (i, j) of the operator. */
static double entry(const rls2_basis *basis, int64_t k, int64_t i, int64_t j)
{
    const rls2__operator *op = &basis->ops[k];
    int64_t n = basis->n, row = i > j ? i : j, column = i > j ? j : i;
    long double sum = 0.0L;
    if (op->packed)
        return op->scale * op->packed[column * n - column * (column - 1) / 2 + row - column];
    for (int64_t t = 0; t < op->rank; t++)
        sum += (long double)op->factor[t * n + i] * op->factor[t * n + j];
    return op->scale * (double)sum;
}

static void assert_evaluated(const rls2_basis *basis, double tolerance)
{
    int64_t n = basis->n;
    for (int64_t k = 0; k < basis->m; k++) {
        double *R = unit_basis_matrix(basis, k), trace = 0.0;
        for (int64_t i = 0; i < n * n && basis->roots; i++)
            R[i] *= basis->roots[i / n] * basis->roots[i % n];
        for (int64_t i = 0; i < n; i++) trace += R[i * n + i];
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = j; i < n; i++)
                if (!(fabs(entry(basis, k, i, j) - R[j * n + i]) <= tolerance * trace))
                    fail_msg("%s: entry (%d, %d) is %.17g, not %.17g", basis->kernels[k].name,
                             (int)i, (int)j, entry(basis, k, i, j), R[j * n + i]);
        double *values = unit_eigenvalues(n, R);
        assert_at_most(values[n - 1] * (1.0 - 1e-13), basis->ops[k].norm + basis->ops[k].slack);
        assert_near(basis->ops[k].trace, trace, 1e-13 * trace);
        free(values);
        free(R);
    }
}

static void basis_create__columns_of_few_values__as_evaluated_row_by_row(void **state)
{
    (void)state;
    static const int64_t values[] = {1, 2, 3, 7, 20, 21, 30, 31, 60};
    for (int round = 0; round < 9 * 4; round++) {
        double *x = make_rows((uint64_t)round, values[round / 4]),
               *weights = make_weights((uint64_t)round);
        rls2_rows rows = {.n = N, .p = P, .x = x};
        rls2_basis_options options;
        rls2_basis_options_init(&options, sizeof options);
        options.skip_degenerate = 1;
        options.row_weights = round % 2 ? weights : NULL;
        options.rank_tol = round % 4 < 2 ? 1e-14 : 0.0;
        unit_fixture f = unit_fixture_create(KERNELS, &rows, &options);
        assert_evaluated(f.basis, 1e-13);
        unit_fixture_free(&f);
        free(x), free(weights);
    }
}

/* Even where the residual decays so slowly that the factor used to be given up. */
static void
basis_create__values_no_more_than_a_third_of_the_rows__rank_at_most_their_number(void **state)
{
    (void)state;
    static const int64_t values[] = {1, 2, 9, 20};
    for (int v = 0; v < 4; v++) {
        double *x = make_rows(77, values[v]);
        rls2_rows rows = {.n = N, .p = P, .x = x};
        unit_fixture f = unit_fixture_create(
            "rbf(1e-3|1|1e4)@x1; laplace(100)@x1; delta@x1; spline@x1; matern(0.5)@x1", &rows,
            NULL);
        for (int64_t k = 0; k < f.basis->m; k++) {
            assert_string_equal(rls2_basis_shape(f.basis, k), "factor");
            assert_in_range(rls2_basis_rank(f.basis, k), 1, values[v]);
        }
        unit_fixture_free(&f);
        free(x);
    }
}

static void basis_create__equal_rows__have_the_same_numbers(void **state)
{
    (void)state;
    double *x = make_rows(3, 12);
    rls2_rows rows = {.n = N, .p = P, .x = x};
    unit_fixture f = unit_fixture_create("rbf(0.01:100:5)@x1; poly(3)@x1", &rows, NULL);
    for (int64_t k = 0; k < f.basis->m; k++)
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < i; j++)
                for (int64_t t = 0; x[i] == x[j] && t < f.basis->ops[k].rank; t++)
                    assert_true(f.basis->ops[k].factor[t * N + i] ==
                                f.basis->ops[k].factor[t * N + j]);
    unit_fixture_free(&f);
    free(x);
}

/* A triangle holds the very numbers that the kernel function gives, whichever way it was made. */
static void basis_create__dense__the_bits_of_the_kernel_function(void **state)
{
    (void)state;
    static const int64_t values[] = {1, 2, 17, 30, 60};
    for (int round = 0; round < 10; round++) {
        double *x = make_rows(9, values[round / 2]), *weights = make_weights(4), column[N];
        rls2_rows rows = {.n = N, .p = P, .x = x};
        rls2_basis_options options;
        rls2_basis_options_init(&options, sizeof options);
        options.rank_tol = 0.0;
        options.skip_degenerate = 1;
        options.row_weights = round % 2 ? weights : NULL;
        unit_fixture f = unit_fixture_create(KERNELS, &rows, &options);
        for (int64_t k = 0; k < f.basis->m; k++) {
            const double *packed = f.basis->ops[k].packed, *roots = f.basis->roots;
            if (f.basis->s[k] == 0.0) continue;
            for (int64_t j = 0; j < N; packed += N - j, j++) {
                rls2__kernel_column(&f.basis->kernels[k], &f.basis->rows, &f.basis->rows, j,
                                    column);
                for (int64_t i = j; i < N; i++) {
                    double value = column[i] * f.basis->s[k];
                    assert_true(packed[i - j] == (roots ? value * (roots[i] * roots[j]) : value));
                }
            }
        }
        unit_fixture_free(&f);
        free(x), free(weights);
    }
}

static void assert_same_operators(const rls2_basis *a, const rls2_basis *b)
{
    for (int64_t k = 0; k < a->m; k++)
        for (int64_t j = 0; j < a->n; j++)
            for (int64_t i = j; i < a->n; i++)
                assert_near(entry(a, k, i, j), entry(b, k, i, j),
                            1e-12 * (a->ops[k].trace + 1e-300));
}

static void basis_take_and_rescale__columns_of_few_values__as_made_anew(void **state)
{
    (void)state;
    static const char SPEC[] =
        "rbf(0.1|1e3)@x1; laplace(2)@x1; poly(2)@x1; delta@x1+x2; matern(1.5)@x1";
    for (int weighted = 0; weighted < 2; weighted++) {
        double *x = make_rows(5, 9), *weights = make_weights(6), *some_x = unit_room(40 * P);
        double labels[N], others[N], some_labels[40], some_weights[40];
        int64_t some[40];
        for (int64_t i = 0; i < N; i++)
            labels[i] = i % 3 ? 1.0 : -1.0, others[i] = i % 4 > 1 ? 1.0 : -1.0;
        for (int64_t a = 0; a < 40; a++) {
            some[a] = (7 * a + 3) % N;
            some_labels[a] = labels[some[a]];
            some_weights[a] = weights[some[a]];
            for (int64_t t = 0; t < P; t++) some_x[t * 40 + a] = x[t * N + some[a]];
        }
        rls2_rows rows = {.n = N, .p = P, .x = x}, part = {.n = 40, .p = P, .x = some_x};
        rls2_basis_options options;
        rls2_basis_options_init(&options, sizeof options);
        options.scaling = RLS2_SCALING_FISHER;
        options.labels = labels;
        options.row_weights = weighted ? weights : NULL;
        unit_fixture f = unit_fixture_create(SPEC, &rows, &options);
        rls2_basis *derived, *anew;
        assert_int_equal(rls2_basis_rescale(f.basis, others, NULL, &derived, NULL), RLS2_OK);
        options.labels = others;
        anew = unit_basis(f.dictionary, &rows, &options);
        assert_same_operators(derived, anew);
        rls2_basis_free(derived), rls2_basis_free(anew);
        options.labels = some_labels;
        options.row_weights = weighted ? some_weights : NULL;
        assert_int_equal(rls2_basis_take(f.basis, 40, some, &options, NULL, &derived, NULL),
                         RLS2_OK);
        anew = unit_basis(f.dictionary, &part, &options);
        assert_same_operators(derived, anew);
        rls2_basis_free(derived), rls2_basis_free(anew);
        unit_fixture_free(&f);
        free(x), free(weights), free(some_x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distinct_find__any_number_of_values__as_by_all_pairs),
        cmocka_unit_test(distinct_find__given_matrix_or_many_columns__nothing),
        cmocka_unit_test(basis_create__columns_of_few_values__as_evaluated_row_by_row),
        cmocka_unit_test(
            basis_create__values_no_more_than_a_third_of_the_rows__rank_at_most_their_number),
        cmocka_unit_test(basis_create__equal_rows__have_the_same_numbers),
        cmocka_unit_test(basis_create__dense__the_bits_of_the_kernel_function),
        cmocka_unit_test(basis_take_and_rescale__columns_of_few_values__as_made_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
