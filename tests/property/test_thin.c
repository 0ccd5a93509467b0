/* Paths by way of virtual rows are those of the rows: against the methods on the rows themselves,
 * and against certificates that are computed from the data alone. */
#include "support/control.h"
#include "support/unit_support.h"

#include <math.h>

#include "la/la.h"
#include "la/threads.h"
#include "solver/linear.h"
#include "solver/newton.h"
#include "solver/path.h"
#include "solver/thin.h"

enum { POINTS = 9 };
static const double GRID[POINTS] = {30.0, 3.0, 1.0, 0.3, 0.1, 0.03, 1e-2, 1e-3, 1e-5};
static const double TOL = 1e-11;

/* How a problem is made. */
typedef struct recipe {
    const char *name;
    const char *kernels;
    int64_t n, p;
    int levels;   /* different values of a column; 0: all */
    int weighted; /* rows have weights */
    int twice;    /* the last two columns are those before them, the second but for rounding */
    double noise; /* of y */
    int dense;    /* no factors */
    int64_t rows; /* virtual ones expected, or 0 where that is the number of groups */
} recipe;

static const recipe RECIPES[] = {
    {"polynomials", "poly(1..2)@each", 1500, 5, 0, 0, 0, 0.3, 0, 5 * 5 + 1},
    {"weighted polynomials", "poly(1..2)@each", 1500, 5, 0, 1, 0, 0.3, 0, 5 * 5 + 1},
    {"linear", "linear@each", 1200, 9, 0, 0, 0, 0.3, 0, 9 + 1},
    {"weighted linear", "linear@each", 1200, 9, 0, 1, 0, 0.3, 0, 9 + 1},
    {"no noise", "linear@each", 1200, 5, 0, 0, 0, 0.0, 0, 5 + 1},
    {"the same columns", "linear@each", 1200, 9, 0, 0, 1, 0.3, 0, 9 + 1},
    {"spans within spans", "linear@all; linear@each; poly(1..3)@each", 1300, 6, 0, 0, 1, 0.3, 0,
     6 + 6 + 6 * 9 + 1},
    {"equal rows", "rbf(0.1)@all; rbf(0.5)@each; linear@each", 600, 3, 3, 0, 0, 0.3, 0, 0},
    {"weighted equal rows", "rbf(0.1)@all; rbf(0.5)@each", 600, 3, 3, 1, 0, 0.3, 0, 0},
    {"equal rows, linear", "linear@each", 300, 3, 4, 0, 0, 0.3, 0, 0},
    {"equal rows, triangles", "rbf(0.1)@all; laplace(0.5)@each", 500, 3, 3, 1, 0, 0.3, 1, 0},
    {"equal rows, rotated", "poly(1..2)@each", 5000, 3, 11, 1, 0, 0.3, 0, 3 * 5 + 1},
};
enum { RECIPES_COUNT = sizeof RECIPES / sizeof RECIPES[0] };

typedef struct thin_case {
    const recipe *how;
    double *x, *y, *weights;
    rls2_rows rows;
    unit_fixture fixture;
} thin_case;

/* Every combination of levels is there. */
static double level(const recipe *how, rls2__random *random, int64_t i, int64_t j)
{
    double combinations = pow(how->levels, (double)how->p);
    double which = (double)i < combinations
                       ? fmod(floor((double)i / pow(how->levels, (double)j)), how->levels)
                       : floor(rls2__random_uniform(random) * how->levels);
    return which - 0.4 * how->levels;
}

static void fill_columns(const recipe *how, rls2__random *random, double *x)
{
    int64_t n = how->n, p = how->p;
    for (int64_t j = 0; j < p; j++)
        for (int64_t i = 0; i < n; i++)
            x[j * n + i] = how->levels ? level(how, random, i, j) : rls2__random_normal(random);
    for (int64_t i = 0; how->twice && i < n; i++) {
        x[(p - 2) * n + i] = x[(p - 4) * n + i];
        x[(p - 1) * n + i] = x[(p - 3) * n + i] / 3.0;
    }
}

static thin_case case_create(const recipe *how)
{
    rls2__random random;
    thin_case it = {.how = how};
    int64_t n = how->n;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    rls2__random_seed(&random, 3);
    it.x = unit_room(n * how->p);
    it.y = unit_room(n);
    it.weights = unit_room(n);
    fill_columns(how, &random, it.x);
    for (int64_t i = 0; i < n; i++) {
        it.y[i] = 2.0 * it.x[i] - it.x[n + i] + how->noise * it.x[i] * it.x[n + i] +
                  how->noise * rls2__random_normal(&random);
        it.weights[i] = 0.5 + (double)(i % 4);
    }
    it.rows = (rls2_rows){.n = n, .p = how->p, .x = it.x};
    if (how->weighted) options.row_weights = it.weights;
    if (how->dense) options.rank_tol = 0.0;
    it.fixture = unit_fixture_create(how->kernels, &it.rows, &options);
    return it;
}

static void case_free(thin_case *it)
{
    unit_fixture_free(&it->fixture);
    free(it->x);
    free(it->y);
    free(it->weights);
}

static rls2_path_options path_options(void)
{
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.gap_tol = TOL;
    options.degrees_of_freedom = RLS2_DF_EACH;
    return options;
}

static rls2_path *fit(const thin_case *it, int threads)
{
    rls2_error err = {0};
    rls2_path *path = NULL;
    const rls2_basis *basis = it->fixture.basis;
    rls2_path_options options = path_options();
    if (rls2_path_fit(1, &basis, it->y, POINTS, GRID, &options, ON_THREADS(threads), &path, &err) !=
        RLS2_OK)
        fail_msg("%s: %s", it->how->name, err.message);
    return path;
}

static rls2_status no_tick(const rls2__problem *problem, double lambda, double gap)
{
    (void)problem, (void)lambda, (void)gap;
    return RLS2_OK;
}

/* The problem of the rows, as a path poses it. */
static rls2__problem problem_of(const rls2_path *path)
{
    const double *y = rls2__path_response(path);
    return (rls2__problem){.basis = path->basis,
                           .y = y,
                           .y_norm = rls2__la_norm(path->basis->n, y),
                           .exact_norm = HUGE_VAL, /* claims the least of the objective */
                           .options = path_options(),
                           .effort = unit_alone(),
                           .path = path,
                           .tick = no_tick};
}

/* Few virtual rows are found, as many as expected. */
static void check_rows(const thin_case *it, const rls2_path *path)
{
    rls2__problem problem = problem_of(path);
    rls2__thin *thin = NULL;
    int64_t groups = 1;
    assert_int_equal(rls2__thin_create(&problem, &thin), RLS2_OK);
    for (int64_t j = 0; j < it->how->p; j++) groups *= it->how->levels;
    if (!thin) fail_msg("%s: no virtual rows", it->how->name);
    int64_t rows = rls2__thin_last(thin, &problem)->basis->n;
    if (rows != (it->how->rows ? it->how->rows : groups + 1))
        fail_msg("%s: %d virtual rows", it->how->name, (int)rows);
    rls2__thin_free(thin);
}

/* The same path by the method that the rows themselves would have had. */
static void compare_directly(const thin_case *it, const rls2_path *path)
{
    int64_t n = it->how->n;
    rls2__problem problem = problem_of(path);
    rls2__method method;
    rls2__answer answer;
    assert_int_equal(rls2__is_linear(path->basis) ? rls2__linear_create(&problem, &method)
                                                  : rls2__newton_create(&problem, &method),
                     RLS2_OK);
    const double *y = problem.y, *roots = path->basis->roots;
    for (int64_t i = 0; i < POINTS; i++) {
        const rls2_path_point *point = rls2_path_at(path, i);
        const double *c = rls2_path_c(path, i);
        assert_int_equal(method.solve(method.state, point->lambda, TOL, &answer), RLS2_OK);
        double most = 0.0, size = 0.0, off = fabs(point->objective / answer.point.objective - 1.0);
        for (int64_t a = 0; a < n; a++) {
            size = fmax(size, fabs(y[a]));
            most = fmax(most, point->lambda * fabs(c[a] / (roots ? roots[a] : 1.0) - answer.c[a]));
        }
        if (!(off <= 1e-9))
            fail_msg("%s, lambda %g: objective off by %g", it->how->name, point->lambda, off);
        /* f = y - lambda c but for the residual */
        if (!(most <= 1e-8 * size))
            fail_msg("%s, lambda %g: predictions off by %g", it->how->name, point->lambda,
                     most / size);
        if (!(fabs(point->df - answer.point.df) <= 1e-6 * (1.0 + point->df)))
            fail_msg("%s, lambda %g: df %.12g, not %.12g", it->how->name, point->lambda, point->df,
                     answer.point.df);
    }
    method.free(method.state);
}

static void path_fit__virtual_rows__is_the_path_of_the_rows(void **state)
{
    (void)state;
    for (int i = 0; i < RECIPES_COUNT; i++) {
        thin_case it = case_create(&RECIPES[i]);
        rls2_path *path = fit(&it, 1);
        check_rows(&it, path);
        if (it.how->n <= 2000) compare_directly(&it, path); /* minutes, with more */
        rls2_path_free(path);
        case_free(&it);
    }
}

/* What a path says of itself, from kernels and rows alone. */
static void path_fit__virtual_rows__certificates_of_the_rows_agree(void **state)
{
    (void)state;
    rls2_error err;
    for (int i = 0; i < RECIPES_COUNT; i++) {
        thin_case it = case_create(&RECIPES[i]);
        rls2_path *path = fit(&it, 1);
        for (int64_t a = 0; a < POINTS; a += 2) {
            const rls2_path_point *point = rls2_path_at(path, a);
            rls2_certificate found;
            assert_int_equal(rls2_path_certify(path, a, &found, sizeof found, &err), RLS2_OK);
            if (!(fabs(found.primal - point->objective) <= 1e-9 * point->objective))
                fail_msg("%s, lambda %g: primal %.15g, objective %.15g", it.how->name,
                         point->lambda, found.primal, point->objective);
            if (!(found.relative_gap <= 2.0 * fmax(point->gap, TOL)))
                fail_msg("%s, lambda %g: gap %g, path %g", it.how->name, point->lambda,
                         found.relative_gap, point->gap);
            assert_at_most(found.residual, 1e-9);
        }
        rls2_path_free(path);
        case_free(&it);
    }
}

static void path_fit__virtual_rows_and_any_number_of_threads__same_bits(void **state)
{
    (void)state;
    thin_case it = case_create(&RECIPES[6]);
    rls2_path *one = fit(&it, 1);
    for (int threads = 2; threads <= 4; threads++) {
        rls2_path *many = fit(&it, threads);
        for (int64_t i = 0; i < POINTS; i++) {
            assert_memory_equal(rls2_path_c(many, i), rls2_path_c(one, i),
                                (size_t)it.how->n * sizeof(double));
            assert_true(rls2_path_at(many, i)->gap == rls2_path_at(one, i)->gap);
        }
        rls2_path_free(many);
    }
    rls2_path_free(one);
    case_free(&it);
}

/* Each output as if it were alone. */
static void path_fit__virtual_rows_of_several_outputs__each_as_alone(void **state)
{
    (void)state;
    enum { OUTPUTS = 3 };
    for (int which = 0; which < RECIPES_COUNT; which += 7) {
        thin_case it = case_create(&RECIPES[which]);
        int64_t n = it.how->n;
        const rls2_basis *bases[OUTPUTS] = {it.fixture.basis, it.fixture.basis, it.fixture.basis};
        rls2_path *paths[OUTPUTS];
        rls2_path_options options = path_options();
        double *y = unit_room(OUTPUTS * n);
        for (int64_t i = 0; i < OUTPUTS * n; i++) y[i] = it.y[i % n] * cos((double)i / 900.0);
        assert_int_equal(
            rls2_path_fit(OUTPUTS, bases, y, POINTS, GRID, &options, ON_THREADS(2), paths, NULL),
            RLS2_OK);
        for (int o = 0; o < OUTPUTS; o++) {
            rls2_path *alone = NULL;
            assert_int_equal(rls2_path_fit(1, bases, y + o * n, POINTS, GRID, &options,
                                           ON_THREADS(1), &alone, NULL),
                             RLS2_OK);
            for (int64_t i = 0; i < POINTS; i++)
                assert_memory_equal(rls2_path_c(paths[o], i), rls2_path_c(alone, i),
                                    (size_t)n * sizeof(double));
            rls2_path_free(alone);
            rls2_path_free(paths[o]);
        }
        free(y);
        case_free(&it);
    }
}

/* f by its definition, for row a. */
static long double predict_plainly(const rls2_path *path, int64_t i, const rls2_rows *rows,
                                   int64_t a)
{
    const rls2_basis *basis = path->basis;
    const rls2__path_entry *entry = &path->entries[i];
    long double f = path->intercept;
    double *column = unit_room(rows->n);
    for (int64_t t = 0; t < entry->count; t++)
        for (int64_t j = 0; j < basis->n; j++) {
            rls2__kernel_column(&basis->kernels[entry->ks[t]], rows, &basis->rows, j, column);
            f += (long double)entry->d[t] * basis->s[entry->ks[t]] * entry->c[j] * column[a];
        }
    free(column);
    return f;
}

/* Many training rows and points: sums are products of matrices. */
static void path_predict__many_training_rows__is_the_definition(void **state)
{
    (void)state;
    enum { NEW = 3 };
    const int which[] = {2, 6};
    for (int w = 0; w < 2; w++) {
        thin_case it = case_create(&RECIPES[which[w]]);
        rls2_path *path = fit(&it, 1);
        double *x = unit_normal(12, NEW * it.how->p), f[NEW * POINTS];
        const rls2_rows rows = {.n = NEW, .p = it.how->p, .x = x};
        assert_int_equal(rls2_path_predict(path, &rows, f, NULL), RLS2_OK);
        for (int64_t i = 0; i < POINTS; i += 4)
            for (int64_t a = 0; a < NEW; a++)
                assert_near(f[i * NEW + a], (double)predict_plainly(path, i, &rows, a), 1e-9);
        free(x);
        rls2_path_free(path);
        case_free(&it);
    }
}

static int stop_at_once(void *user, const rls2_progress *progress)
{
    (void)progress;
    ++*(int *)user;
    return 1;
}

/* The rotation takes longer than it takes until somebody is asked. */
static void path_fit__stopped_while_rotating__has_no_points(void **state)
{
    (void)state;
    const recipe how = {"large", "poly(1..3)@each", 60000, 6, 0, 0, 0, 0.3, 0, 0};
    thin_case it = case_create(&how);
    int asked = 0;
    rls2_path *path = NULL;
    const rls2_basis *basis = it.fixture.basis;
    const rls2_control control = {
        .size = sizeof control, .threads = 1, .progress = stop_at_once, .user = &asked};
    assert_int_equal(rls2_path_fit(1, &basis, it.y, POINTS, GRID, NULL, &control, &path, NULL),
                     RLS2_OK);
    assert_true(asked == 1 && rls2_path_cancelled(path) && rls2_path_count(path) == 0);
    rls2_path_free(path);
    case_free(&it);
}

static int enter(void **state)
{
    (void)state;
    return rls2__la_enter(NULL) != RLS2_OK;
}

static int leave(void **state)
{
    (void)state;
    rls2__la_leave();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__virtual_rows__is_the_path_of_the_rows),
        cmocka_unit_test(path_fit__virtual_rows__certificates_of_the_rows_agree),
        cmocka_unit_test(path_fit__virtual_rows_and_any_number_of_threads__same_bits),
        cmocka_unit_test(path_fit__virtual_rows_of_several_outputs__each_as_alone),
        cmocka_unit_test(path_predict__many_training_rows__is_the_definition),
        cmocka_unit_test(path_fit__stopped_while_rotating__has_no_points),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
