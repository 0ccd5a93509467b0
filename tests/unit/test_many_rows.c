/* A basis of so many rows that one kernel is the work of several threads: values against the
 * formulas, the same bits for any number of threads, stopping anywhere, limits of memory. */
#include "support/unit_support.h"

#include <float.h>
#include <math.h>

#include "basis/parts.h"
#include "support/control.h"

enum { ROWS = 2300, COLUMNS = 9, PART = 2200 };

/* Several rounds of pivots, one, none; sums of monomials; columns of few values, many groups of
 * them; and kernels of which factors would be too long. */
static const char SPEC[] = "linear@x1; linear@all; poly(2)@all; rbf(0.05)@x1; rbf(100)@x2;"
                           "rbf(1e-3)@x2+x3; laplace(1)@x3; rbf(0.5)@all; rbf(2)@x4; rbf(50)@x5;"
                           "laplace(3)@x4+x5";
enum { KERNELS = 11 };

/* x4 has a few values, x5 more than a sample of them. */
static double *make_x(void)
{
    double *x = unit_normal(18, ROWS * COLUMNS);
    for (int64_t i = 0; i < ROWS; i++) {
        x[3 * ROWS + i] = round(2.0 * x[3 * ROWS + i]);
        x[4 * ROWS + i] = (double)((i * i) % 1409) / 100.0;
    }
    return x;
}

static double squared(const double *x, int64_t first, int64_t end, int64_t i, int64_t j)
{
    double sum = 0.0;
    for (int64_t c = first; c < end; c++) {
        double d = x[c * ROWS + i] - x[c * ROWS + j];
        sum += d * d;
    }
    return sum;
}

static double inner(const double *x, int64_t i, int64_t j)
{
    double sum = 0.0;
    for (int64_t c = 0; c < COLUMNS; c++) sum += x[c * ROWS + i] * x[c * ROWS + j];
    return sum;
}

static double distance(const double *x, int64_t c, int64_t i, int64_t j)
{
    return fabs(x[c * ROWS + i] - x[c * ROWS + j]);
}

/* The kernels of SPEC by their formulas. */
static double formula(const double *x, int k, int64_t i, int64_t j)
{
    switch (k) {
    case 0: return x[i] * x[j];
    case 1: return inner(x, i, j);
    case 2: return (1.0 + inner(x, i, j)) * (1.0 + inner(x, i, j));
    case 3: return exp(-0.05 * squared(x, 0, 1, i, j));
    case 4: return exp(-100.0 * squared(x, 1, 2, i, j));
    case 5: return exp(-1e-3 * squared(x, 1, 3, i, j));
    case 6: return exp(-distance(x, 2, i, j));
    case 7: return exp(-0.5 * squared(x, 0, COLUMNS, i, j));
    case 8: return exp(-2.0 * squared(x, 3, 4, i, j));
    case 9: return exp(-50.0 * squared(x, 4, 5, i, j));
    default: return exp(-3.0 * (distance(x, 3, i, j) + distance(x, 4, i, j)));
    }
}

/* Entry (i, j) of what is stored. */
static double stored(const rls2__operator *op, int64_t n, int64_t i, int64_t j)
{
    double sum = 0.0;
    int64_t row = i > j ? i : j, column = i > j ? j : i;
    if (op->packed)
        return op->scale * op->packed[column * n - column * (column - 1) / 2 + row - column];
    for (int64_t t = 0; t < op->rank; t++) sum += op->factor[t * n + i] * op->factor[t * n + j];
    return op->scale * sum;
}

/* 1, 2, ..., rows at random, with weights as well. */
static void assert_as_formulas(const rls2_basis *basis, const double *x, const int64_t *rows,
                               const double *weights)
{
    int64_t n = basis->n;
    for (int k = 0; k < KERNELS; k++) {
        const rls2__operator *op = &basis->ops[k];
        double lost = 0.0, trace = 0.0;
        for (int64_t i = 0; i < n; i++) {
            int64_t r = rows ? rows[i] : i, j = (i * 7 + 3) % n, other = rows ? rows[j] : j;
            double w = weights ? weights[r] : 1.0, z = weights ? weights[other] : 1.0;
            double exact = basis->s[k] * w * formula(x, k, r, r);
            trace += exact;
            lost += exact - stored(op, n, i, i);
            assert_near(stored(op, n, i, j), basis->s[k] * sqrt(w * z) * formula(x, k, r, other),
                        op->slack + 1e-13 * exact);
        }
        assert_near(op->trace, trace, 1e-12 * trace);
        assert_at_most(fabs(lost), 2e-13 * trace);
    }
}

static double *some_weights(void)
{
    double *weights = unit_room(ROWS);
    for (int64_t i = 0; i < ROWS; i++) weights[i] = 0.5 + (double)(i % 5);
    return weights;
}

static void basis_create__many_rows__values_of_the_formulas(void **state)
{
    (void)state;
    static const char *const shapes[KERNELS] = {"rank-one", "factor", "factor", "factor",
                                                "factor",   "factor", "dense",  "dense",
                                                "factor",   "factor", "dense"};
    double *x = make_x(), *weights = some_weights();
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    assert_true(rls2__are_many_rows(PART) && rls2__part_count(ROWS) > 1);
    for (int weighted = 0; weighted < 2; weighted++) {
        options.row_weights = weighted ? weights : NULL;
        unit_fixture f = unit_fixture_create(SPEC, &rows, &options);
        assert_int_equal(f.basis->m, KERNELS);
        for (int k = 0; k < KERNELS; k++)
            assert_string_equal(rls2_basis_shape(f.basis, k), shapes[k]);
        assert_int_equal(rls2_basis_rank(f.basis, 2), 55); /* monomials */
        assert_true(rls2_basis_rank(f.basis, 4) > 200);    /* more than one round */
        assert_as_formulas(f.basis, x, NULL, options.row_weights);
        unit_fixture_free(&f);
    }
    free(x), free(weights);
}

/* No Rayleigh quotient is above the bound, and that of the power method is near it. */
static void assert_bounds_norms(const rls2_basis *basis, double tightness)
{
    int64_t n = basis->n;
    double *v = unit_room(n), *u = unit_room(n), *work = unit_room(n);
    for (int64_t k = 0; k < basis->m; k++) {
        double length = 1.0;
        for (int64_t i = 0; i < n; i++) v[i] = 1.0 + 0.01 * (double)(i % 7);
        for (int step = 0; step < 20; step++) {
            assert_int_equal(rls2__basis_apply(unit_alone(), basis, k, v, u, work), RLS2_OK);
            length = sqrt(unit_inner(n, u, u) / unit_inner(n, v, v));
            for (int64_t i = 0; i < n; i++) v[i] = u[i] / length;
        }
        assert_at_most(length, basis->ops[k].norm * (1.0 + 1e-9));
        assert_at_most(basis->ops[k].norm, tightness * length);
    }
    free(v), free(u), free(work);
}

static void basis_take__many_rows__values_of_the_formulas(void **state)
{
    (void)state;
    int64_t taken[PART];
    double *x = make_x(), *weights = some_weights(), *own = unit_room(PART);
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    unit_fixture f = unit_fixture_create(SPEC, &rows, &options);
    for (int order = 0; order < 2; order++) {
        for (int64_t a = 0; a < PART; a++) taken[a] = order ? (a * 3 + 1) % ROWS : a + a / 22;
        for (int64_t a = 0; a < PART; a++) own[a] = weights[taken[a]];
        options.row_weights = order ? own : NULL;
        rls2_basis *part = NULL;
        rls2_error err;
        if (rls2_basis_take(f.basis, PART, taken, &options, ON_THREADS(2), &part, &err) != RLS2_OK)
            fail_msg("%s", err.message);
        assert_as_formulas(part, x, taken, order ? weights : NULL);
        assert_bounds_norms(part, 12.0); /* weights up to 4.5, over a mean of 2.5, and ten parts */
        rls2_basis_free(part);
    }
    unit_fixture_free(&f);
    free(x), free(weights), free(own);
}

static void basis_create__many_rows__norms_are_bounds(void **state)
{
    (void)state;
    double *x = make_x();
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    unit_fixture f = unit_fixture_create(SPEC, &rows, NULL);
    assert_bounds_norms(f.basis, 10.0);
    unit_fixture_free(&f);
    free(x);
}

/* ---- scalings ---- */

/* tr K - (1/n) sum of K_ij, or the within-class variances, of exp(-gamma |x - z|^2) in x1, by
 * 1 - K, which does not cancel. */
static double denominator(const double *x, double gamma, const double *labels)
{
    double total[2] = {0.0, 0.0}, count[2] = {0.0, 0.0};
    for (int64_t j = 0; j < ROWS; j++) {
        int class = labels && labels[j] > 0.0;
        count[class] += 1.0;
        for (int64_t i = j + 1; i < ROWS; i++)
            if (!labels || (labels[i] > 0.0) == class)
                total[class] -= 2.0 * expm1(-gamma * squared(x, 0, 1, i, j));
    }
    if (!labels) return total[0] / count[0];
    return total[0] / (count[0] * count[0]) + total[1] / (count[1] * count[1]);
}

static void scaling__many_rows__centred_and_by_classes(void **state)
{
    (void)state;
    static const double gammas[] = {2.0, 0.05, 1e-9};
    double *x = make_x(), labels[ROWS], s[3];
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    rls2_basis_options options;
    rls2_dictionary *dictionary = unit_dictionary("rbf(2)@x1; rbf(0.05)@x1; rbf(1e-9)@x1", COLUMNS);
    for (int64_t i = 0; i < ROWS; i++) labels[i] = i % 3 ? 1.0 : -1.0;
    for (int fisher = 0; fisher < 2; fisher++) {
        rls2_basis_options_init(&options, sizeof options);
        options.scaling = fisher ? RLS2_SCALING_FISHER : RLS2_SCALING_TRACE;
        options.labels = labels;
        options.center = !fisher;
        rls2_error err;
        if (rls2_scaling_compute(dictionary, &rows, &options, ON_THREADS(2), s, &err) != RLS2_OK)
            fail_msg("%s", err.message);
        for (int k = 0; k < 3; k++)
            assert_near(s[k] * denominator(x, gammas[k], fisher ? labels : NULL), 1.0, 1e-10);
    }
    rls2_dictionary_free(dictionary);
    free(x);
}

/* ---- threads ---- */

static void assert_same_bits(const rls2_basis *a, const rls2_basis *b)
{
    assert_int_equal(a->m, b->m);
    assert_memory_equal(a->s, b->s, (size_t)a->m * sizeof(double));
    for (int64_t k = 0; k < a->m; k++) {
        const rls2__operator *one = &a->ops[k], *other = &b->ops[k];
        assert_ptr_equal(one->shape, other->shape);
        assert_int_equal(one->bytes, other->bytes);
        assert_true(one->norm == other->norm && one->slack == other->slack &&
                    one->trace == other->trace && one->scale == other->scale);
        if (one->bytes) assert_memory_equal(one->owned, other->owned, (size_t)one->bytes);
    }
}

static void basis_create__any_number_of_threads__same_bits(void **state)
{
    (void)state;
    double *x = make_x(), labels[ROWS];
    int64_t taken[PART];
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    rls2_basis_options options;
    for (int64_t i = 0; i < ROWS; i++) labels[i] = i % 3 ? 1.0 : -1.0;
    for (int64_t a = 0; a < PART; a++) taken[a] = a + a / 22;
    for (int rule = 0; rule < 3; rule++) {
        rls2_basis_options_init(&options, sizeof options);
        options.scaling = rule == 2 ? RLS2_SCALING_FISHER : RLS2_SCALING_TRACE;
        options.labels = labels;
        options.center = rule == 1;
        options.memory = rule == 0 ? 30 << 20 : 0; /* some are not stored */
        unit_fixture f = unit_fixture_create_under(SPEC, &rows, &options, ON_THREADS(1));
        rls2_basis *part = NULL;
        assert_int_equal(
            rls2_basis_take(f.basis, PART, taken, &options, ON_THREADS(1), &part, NULL), RLS2_OK);
        if (rule == 0) assert_in_range(f.basis->recomputed, 1, KERNELS - 1);
        for (int threads = 2; threads <= 5; threads += 3) {
            unit_fixture g = unit_fixture_create_under(SPEC, &rows, &options, ON_THREADS(threads));
            rls2_basis *other = NULL;
            assert_same_bits(f.basis, g.basis);
            assert_int_equal(
                rls2_basis_take(g.basis, PART, taken, &options, ON_THREADS(threads), &other, NULL),
                RLS2_OK);
            assert_same_bits(part, other);
            rls2_basis_free(other);
            unit_fixture_free(&g);
        }
        rls2_basis_free(part);
        unit_fixture_free(&f);
    }
    free(x);
}

/* ---- stopping, progress ---- */

typedef struct watcher {
    int64_t calls, stop_at, done;
    double share;
    int sound;
} watcher;

static int watch(void *user, const rls2_progress *progress)
{
    watcher *it = user;
    it->sound &= progress->share >= it->share && progress->share <= 1.0 &&
                 progress->done >= it->done && progress->done <= progress->total;
    it->share = progress->share;
    it->done = progress->done;
    return ++it->calls == it->stop_at;
}

static rls2_status build_watched(const rls2_dictionary *dictionary, const rls2_rows *rows,
                                 const rls2_basis_options *options, int threads, watcher *it,
                                 rls2_basis **basis)
{
    rls2_error err;
    *it = (watcher){.stop_at = it->stop_at, .sound = 1};
    return rls2_basis_create(dictionary, rows, options, WATCHED_BY(watch, it, threads), basis,
                             &err);
}

static void basis_create__stopped_at_random__returns_nothing(void **state)
{
    (void)state;
    double *x = make_x();
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    rls2_dictionary *dictionary = unit_dictionary(SPEC, COLUMNS);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.center = 1;
    rls2__random random;
    rls2__random_seed(&random, 5);
    for (int threads = 1; threads <= 3; threads++) {
        rls2_basis *basis = NULL;
        watcher it = {.stop_at = 0};
        assert_int_equal(build_watched(dictionary, &rows, &options, threads, &it, &basis), RLS2_OK);
        assert_true(it.sound && it.calls > 0 && it.done == KERNELS && it.share > 0.5);
        rls2_basis_free(basis);
        int64_t calls = it.calls;
        for (int trial = 0; trial < 4; trial++) {
            basis = NULL;
            it.stop_at = 1 + rls2__random_below(&random, calls);
            rls2_status status = build_watched(dictionary, &rows, &options, threads, &it, &basis);
            if (it.calls < it.stop_at) { /* this time it was asked less often */
                assert_int_equal(status, RLS2_OK);
                rls2_basis_free(basis);
                continue;
            }
            assert_int_equal(status, RLS2_ERR_CANCELLED);
            assert_int_equal(it.calls, it.stop_at);
            assert_null(basis);
        }
    }
    rls2_dictionary_free(dictionary);
    free(x);
}

/* ---- given matrices ---- */

typedef struct given_problem {
    double *K;
    const double *list[1];
    rls2_rows rows;
    rls2_dictionary *dictionary;
} given_problem;

static void make_given(given_problem *it)
{
    static const char *const names[] = {"K"};
    it->K = unit_room(ROWS * ROWS);
    for (int64_t i = 0; i < ROWS; i++) it->K[i * ROWS + i] = 1.0;
    it->list[0] = it->K;
    it->rows = (rls2_rows){.n = ROWS, .given_count = 1, .given = it->list};
    it->dictionary = unit_dictionary_given("given(K)", 0, 1, names);
}

static void assert_refused(const given_problem *it, const char *text)
{
    rls2_error err;
    rls2_basis *basis = NULL;
    assert_int_equal(
        rls2_basis_create(it->dictionary, &it->rows, NULL, ON_THREADS(2), &basis, &err),
        RLS2_ERR_VALUE);
    assert_contains(err.message, text);
    assert_null(basis);
}

static void basis_create__large_given_matrix__checked(void **state)
{
    (void)state;
    given_problem it;
    make_given(&it);
    it.K[2000 * ROWS + 2100] = 0.25; /* the second of two, and in a tile of its own */
    it.K[1700 * ROWS + 2200] = 0.5;
    assert_refused(&it, "not symmetric: entry (2201, 1701) is 0.5, entry (1701, 2201) is 0");
    it.K[2000 * ROWS + 2100] = it.K[1700 * ROWS + 2200] = 0.0;
    it.K[2000 * ROWS + 2100] = it.K[2100 * ROWS + 2000] = 1.5;
    assert_refused(&it, "not positive semi-definite: its first 2101 rows and columns are not");
    it.K[2000 * ROWS + 2100] = it.K[2100 * ROWS + 2000] = 0.5;
    rls2_basis *basis = unit_basis(it.dictionary, &it.rows, NULL);
    assert_true(basis->ops[0].norm >= 1.5 * basis->s[0]);
    rls2_basis_free(basis);
    watcher stopped = {.stop_at = 1};
    basis = NULL;
    rls2_status status = build_watched(it.dictionary, &it.rows, NULL, 1, &stopped, &basis);
    assert_int_equal(status, RLS2_ERR_CANCELLED);
    rls2_dictionary_free(it.dictionary);
    free(it.K);
}

/* ---- limits of memory ---- */

static void basis_create__limit_of_memory__kept_and_the_same_forms(void **state)
{
    (void)state;
    double *x = make_x(), *c = unit_normal(7, ROWS), *work = unit_room(ROWS);
    double *v = unit_room(ROWS), *u = unit_room(ROWS);
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    unit_fixture whole = unit_fixture_create(SPEC, &rows, &options);
    double squares = unit_inner(ROWS, c, c);
    for (int64_t limit = 1; limit < 100 << 20; limit = 40 * limit + 7) {
        options.memory = limit;
        unit_fixture f = unit_fixture_create(SPEC, &rows, &options);
        assert_true(rls2_basis_bytes(f.basis) <= limit);
        for (int64_t k = 0; k < KERNELS; k++) {
            double q, expected, size = whole.basis->ops[k].trace;
            rls2__basis_price(unit_alone(), whole.basis, c, 1, &k, &expected, work);
            rls2__basis_price(unit_alone(), f.basis, c, 1, &k, &q, work);
            assert_near(q, expected, 1e-12 * size * squares);
            rls2__basis_apply(unit_alone(), whole.basis, k, c, v, work);
            rls2__basis_apply(unit_alone(), f.basis, k, c, u, work);
            for (int64_t i = 0; i < ROWS; i++)
                assert_near(u[i], v[i], 1e-12 * size * sqrt(squares));
        }
        unit_fixture_free(&f);
    }
    unit_fixture_free(&whole);
    free(x), free(c), free(work), free(v), free(u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(basis_create__many_rows__values_of_the_formulas),
        cmocka_unit_test(basis_take__many_rows__values_of_the_formulas),
        cmocka_unit_test(basis_create__many_rows__norms_are_bounds),
        cmocka_unit_test(scaling__many_rows__centred_and_by_classes),
        cmocka_unit_test(basis_create__any_number_of_threads__same_bits),
        cmocka_unit_test(basis_create__stopped_at_random__returns_nothing),
        cmocka_unit_test(basis_create__large_given_matrix__checked),
        cmocka_unit_test(basis_create__limit_of_memory__kept_and_the_same_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
