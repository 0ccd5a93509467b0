/* Widths for each column: the kernels that have them, the search, and what it may depend on. */
#include "support/unit_support.h"

#include <float.h>
#include <math.h>

#include "dictionary/dictionary_widths.h"
#include "kernel/feature_distance.h"
#include "kernel/triangle.h"
#include "la/threads.h"
#include "rls2/rls2.h"
#include "support/control.h"
#include "widths/descent.h"
#include "widths/widths.h"

/* ---- kernels ---- */

enum { N = 37, P = 3 };

static rls2_rows random_rows(uint64_t seed, int64_t n, int64_t p, double **x)
{
    *x = unit_normal(seed, n * p);
    return (rls2_rows){.n = n, .p = p, .x = *x};
}

static double value_of(const rls2__kernel *kernel, const rls2_rows *rows, int64_t i, int64_t j)
{
    double squared = 0.0;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        const double *x = rows->x + kernel->columns[t] * rows->n;
        squared += kernel->widths[t] * (x[i] - x[j]) * (x[i] - x[j]);
    }
    if (kernel->kind == RLS2__KERNEL_RBF) return exp(-kernel->param[0] * squared);
    double r = sqrt(2.0 * squared) / kernel->param[1], t = sqrt(2.0 * kernel->param[0]) * r;
    if (kernel->param[0] < 1.0) return exp(-t);
    return (kernel->param[0] < 2.0 ? 1.0 + t : 1.0 + t + t * t / 3.0) * exp(-t);
}

static void kernel__with_widths__as_defined(void **state)
{
    (void)state;
    static const int64_t columns[] = {0, 2};
    static const double widths[] = {0.3, 1.7};
    static const double param[][2] = {{0.25, 0.0}, {0.5, 2.0}, {1.5, 0.5}, {2.5, 1.0}};
    double *x, packed[N * (N + 1) / 2], column[N];
    rls2_rows rows = random_rows(1, N, P, &x);
    for (int k = 0; k < 4; k++) {
        rls2__kernel kernel = {.kind = k == 0 ? RLS2__KERNEL_RBF : RLS2__KERNEL_MATERN,
                               .param = {param[k][0], param[k][1]},
                               .column_count = 2,
                               .columns = columns,
                               .widths = widths,
                               .given = -1};
        rls2__kernel_triangle(&kernel, &rows, 1.0, NULL, packed);
        for (int64_t j = 0; j < N; j++) {
            rls2__kernel_column(&kernel, &rows, &rows, j, column);
            for (int64_t i = 0; i < N; i++) {
                double expected = value_of(&kernel, &rows, i, j);
                assert_near(column[i], expected, 1e-14);
                if (i >= j) assert_true(packed[j * N - j * (j - 1) / 2 + i - j] == column[i]);
                assert_near(rls2__feature_distance(&kernel, &rows, i, &rows, j),
                            2.0 - 2.0 * expected, 1e-14);
            }
        }
    }
    free(x);
}

/* ---- the search ---- */

typedef struct counted {
    int calls;
    int nowhere; /* calls from this on are not a number */
} counted;

static double rosenbrock(void *user, const double *x, double *gradient)
{
    counted *it = user;
    if (it->calls++ >= it->nowhere) return NAN;
    double a = 1.0 - x[0], b = x[1] - x[0] * x[0];
    gradient[0] = -2.0 * a - 400.0 * x[0] * b;
    gradient[1] = 200.0 * b;
    return a * a + 100.0 * b * b;
}

static double descend(counted *it, int64_t evaluations, double x[2])
{
    double *work = unit_room(rls2__descent_work(2));
    const rls2__descent descent = {2, rosenbrock, it, evaluations, 1e-14};
    double value = rls2__descend(&descent, x, work);
    free(work);
    return value;
}

static void descend__curved_valley__finds_its_end(void **state)
{
    (void)state;
    counted it = {.nowhere = 1000};
    double x[2] = {-1.2, 1.0};
    assert_true(descend(&it, 200, x) < 1e-12);
    assert_near(x[0], 1.0, 1e-5);
    assert_near(x[1], 1.0, 1e-5);
    assert_true(it.calls <= 200);
}

static void descend__few_evaluations__keeps_within_them_and_does_not_climb(void **state)
{
    (void)state;
    double before = INFINITY;
    for (int64_t evaluations = 1; evaluations < 40; evaluations++) {
        counted it = {.nowhere = 1000};
        double x[2] = {-1.2, 1.0}, gradient[2], value = descend(&it, evaluations, x);
        assert_true(it.calls <= evaluations);
        assert_true(value <= before);
        before = value;
        assert_near(rosenbrock(&it, x, gradient), value, 1e-12 * (1.0 + value));
    }
}

static void descend__function_that_fails__ends_at_the_best_point(void **state)
{
    (void)state;
    counted it = {.nowhere = 7};
    double x[2] = {-1.2, 1.0}, gradient[2];
    double value = descend(&it, 100, x);
    it.nowhere = 1000;
    assert_true(value < 24.2);
    assert_near(rosenbrock(&it, x, gradient), value, 1e-12);
}

/* ---- the evidence ---- */

static void evidence__gradient__is_that_of_differences(void **state)
{
    (void)state;
    enum { ROWS = 30, COLUMNS = 4, OUTPUTS = 2, ALL = COLUMNS + RLS2__EVIDENCE_OTHERS };
    rls2__evidence e;
    double at[ALL] = {-1.0, 0.4, -2.3, -0.2, 0.5, -1.5}, gradient[ALL], unused[ALL];
    double *x = unit_normal(3, ROWS * COLUMNS), *y = unit_normal(4, ROWS * OUTPUTS);
    assert_int_equal(rls2__evidence_create(ROWS, COLUMNS, OUTPUTS, &e), RLS2_OK);
    memcpy(e.x, x, ROWS * COLUMNS * sizeof *x);
    memcpy(e.y, y, ROWS * OUTPUTS * sizeof *y);
    for (int i = 0; i < ROWS; i++) e.noise[i] = 1.0 / (1.0 + i % 3);
    assert_int_equal(rls2__la_enter(NULL), RLS2_OK);
    rls2__evidence_evaluate(&e, at, gradient);
    for (int j = 0; j < ALL; j++) {
        const double step = 1e-5, middle = at[j];
        at[j] = middle + step;
        double above = rls2__evidence_evaluate(&e, at, unused);
        at[j] = middle - step;
        double below = rls2__evidence_evaluate(&e, at, unused);
        at[j] = middle;
        assert_near(gradient[j], (above - below) / (2.0 * step), 1e-6 * (1.0 + fabs(gradient[j])));
    }
    rls2__la_leave();
    rls2__evidence_release(&e);
    free(x);
    free(y);
}

/* ---- learning ---- */

/* A response of the first column, a little of the second, and noise. */
static double *response(const rls2_rows *rows)
{
    double *y = unit_normal(8, rows->n);
    for (int64_t i = 0; i < rows->n; i++)
        y[i] = 0.1 * y[i] + sin(2.0 * rows->x[i]) + 0.3 * rows->x[rows->n + i];
    return y;
}

static rls2_dictionary *dictionary_of(const char *spec, int64_t p)
{
    rls2_error err;
    rls2_dictionary *dictionary = NULL;
    const rls2_columns columns = {.count = p};
    assert_int_equal(rls2_dictionary_create(spec, &columns, &dictionary, &err), RLS2_OK);
    return dictionary;
}

static rls2_dictionary *learned_from(const char *spec, const rls2_rows *rows, const double *y,
                                     const double *weights, int threads)
{
    rls2_error err;
    rls2_dictionary *learned = NULL, *dictionary = dictionary_of(spec, rows->p);
    assert_int_equal(
        rls2_dictionary_learn(dictionary, rows, 1, y, weights, ON_THREADS(threads), &learned, &err),
        RLS2_OK);
    rls2_dictionary_free(dictionary); /* the other has its share */
    return learned;
}

static const double *widths_of(const rls2_dictionary *dictionary, int64_t k)
{
    const double *widths = NULL;
    assert_true(rls2_dictionary_kernel_widths(dictionary, k, &widths) > 0);
    return widths;
}

static void dictionary_learn__response_of_one_column__widest_there(void **state)
{
    (void)state;
    double *x;
    rls2_rows rows = random_rows(5, 120, 4, &x);
    double *y = response(&rows);
    rls2_dictionary *learned = learned_from("rbf(learn)@all", &rows, y, NULL, 1);
    const double *w = widths_of(learned, 0);
    assert_true(w[0] > 4.0 * w[1] && w[1] > w[2] && w[1] > w[3]);
    rls2_dictionary_free(learned);
    free(x);
    free(y);
}

/* Kernels on the same columns share them, whatever their multiple; others have their own. */
static void dictionary_learn__several_kernels__one_search_for_each_set(void **state)
{
    (void)state;
    double *x;
    rls2_rows rows = random_rows(5, 60, 4, &x);
    double *y = response(&rows);
    rls2_dictionary *learned = learned_from(
        "linear; rbf(learn|learn*4)@all; matern(2.5,learn)@x1..x4,x1+x3", &rows, y, NULL, 1);
    assert_int_equal(learned->set_count, 2);
    assert_int_equal(rls2_dictionary_kernel_widths(learned, 0, NULL), 0);
    assert_ptr_equal(widths_of(learned, 4), widths_of(learned, 5));
    assert_ptr_equal(widths_of(learned, 4), widths_of(learned, 6));
    assert_int_equal(rls2_dictionary_kernel_widths(learned, 7, NULL), 2);
    rls2_dictionary *again = NULL;
    assert_int_equal(rls2_dictionary_learn(learned, &rows, 1, y, NULL, NULL, &again, NULL),
                     RLS2_OK);
    assert_ptr_equal(again, learned);
    rls2_dictionary_free(again);
    rls2_dictionary_free(learned);
    free(x);
    free(y);
}

static void dictionary_learn__columns_in_other_units__the_same_kernel(void **state)
{
    (void)state;
    double *x;
    rls2_rows rows = random_rows(5, 80, 3, &x);
    double *y = response(&rows);
    rls2_dictionary *one = learned_from("rbf(learn)@all", &rows, y, NULL, 1);
    for (int64_t i = 0; i < 80; i++) {
        x[80 + i] = 1000.0 * x[80 + i] - 7.0;
        y[i] = 5.0 - 0.01 * y[i];
    }
    rls2_dictionary *other = learned_from("rbf(learn)@all", &rows, y, NULL, 1);
    const double *v = widths_of(one, 0), *w = widths_of(other, 0);
    assert_near(w[0], v[0], 1e-5 * v[0]);
    assert_near(1e6 * w[1], v[1], 1e-5 * v[1]);
    rls2_dictionary_free(one);
    rls2_dictionary_free(other);
    free(x);
    free(y);
}

static void dictionary_learn__weights__all_alike_are_none_and_others_count(void **state)
{
    (void)state;
    enum { ROWS = 80 };
    double *x, same[ROWS], halved[ROWS];
    rls2_rows rows = random_rows(5, ROWS, 3, &x);
    double *y = response(&rows);
    for (int i = 0; i < ROWS; i++) {
        same[i] = 2.0;
        halved[i] = i % 2 ? 1.0 : 1e-3;
        if (i % 2 == 0) y[i] = x[2 * ROWS + i]; /* another law, hardly to be heard */
    }
    rls2_dictionary *plain = learned_from("rbf(learn)@all", &rows, y, NULL, 1);
    rls2_dictionary *alike = learned_from("rbf(learn)@all", &rows, y, same, 1);
    rls2_dictionary *other = learned_from("rbf(learn)@all", &rows, y, halved, 1);
    const double *v = widths_of(plain, 0), *w = widths_of(other, 0);
    for (int t = 0; t < 3; t++) assert_near(widths_of(alike, 0)[t], v[t], 1e-9 * v[t]);
    assert_true(w[2] / w[0] < 0.5 * v[2] / v[0]);
    rls2_dictionary_free(plain);
    rls2_dictionary_free(alike);
    rls2_dictionary_free(other);
    free(x);
    free(y);
}

/* More rows than are looked at: some of the others do not matter, and threads do not either. */
static void dictionary_learn__many_rows__some_are_looked_at(void **state)
{
    (void)state;
    enum { ROWS = RLS2__WIDTHS_ROWS + 100 };
    double *x;
    rls2_rows rows = random_rows(6, ROWS, 3, &x);
    double *y = response(&rows);
    rls2_dictionary *one = learned_from("rbf(learn)@all", &rows, y, NULL, 1);
    rls2_dictionary *two = learned_from("rbf(learn)@all", &rows, y, NULL, 2);
    assert_memory_equal(widths_of(one, 0), widths_of(two, 0), 3 * sizeof(double));
    rls2_dictionary_free(two);
    int same = 0;
    for (int i = 0; i < 10; i++) {
        double kept = y[i];
        y[i] += 50.0;
        two = learned_from("rbf(learn)@all", &rows, y, NULL, 1);
        same += memcmp(widths_of(one, 0), widths_of(two, 0), 3 * sizeof(double)) == 0;
        rls2_dictionary_free(two);
        y[i] = kept;
    }
    assert_true(same > 0 && same < 10);
    rls2_dictionary_free(one);
    free(x);
    free(y);
}

/* A row that stands there again, right behind itself, counts as a row of weight 2: to the bit, and
 * where only some rows are looked at too. */
static void dictionary_learn__repeated_rows__are_weights(void **state)
{
    (void)state;
    enum { ROWS = RLS2__WIDTHS_ROWS + 100, EVERY = 50, TWICE = ROWS / EVERY, WIDE = 3 };
    double *x, again[(ROWS + TWICE) * WIDE], y_again[ROWS + TWICE], weights[ROWS];
    rls2_rows rows = random_rows(6, ROWS, WIDE, &x);
    double *y = response(&rows);
    int64_t at = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        weights[i] = i % EVERY == 0 ? 2.0 : 1.0;
        for (int copy = 0; copy < (int)weights[i]; copy++, at++) {
            y_again[at] = y[i];
            for (int64_t j = 0; j < WIDE; j++) again[j * (ROWS + TWICE) + at] = x[j * ROWS + i];
        }
    }
    assert_int_equal(at, ROWS + TWICE);
    const rls2_rows longer = {.n = ROWS + TWICE, .p = WIDE, .x = again};
    rls2_dictionary *one = learned_from("rbf(learn)@all", &rows, y, weights, 1);
    rls2_dictionary *two = learned_from("rbf(learn)@all", &longer, y_again, NULL, 1);
    const double *w = widths_of(one, 0);
    assert_memory_equal(w, widths_of(two, 0), WIDE * sizeof(double));
    assert_true(w[0] > 2.0 * w[2]); /* something was learned */
    rls2_dictionary_free(one);
    rls2_dictionary_free(two);
    free(x);
    free(y);
}

/* Nothing to learn from is no error: widths stay where they began, or as near to 0 as can be. */
static void dictionary_learn__constant_columns_and_responses__finite_widths(void **state)
{
    (void)state;
    double *x;
    rls2_rows rows = random_rows(7, 25, 3, &x);
    double *y = response(&rows);
    for (int i = 0; i < 25; i++) x[25 + i] = 0.1;
    rls2_dictionary *learned = learned_from("rbf(learn)@all", &rows, y, NULL, 1);
    assert_true(widths_of(learned, 0)[1] == DBL_MIN);
    assert_true(widths_of(learned, 0)[0] > 1e-3);
    rls2_dictionary_free(learned);
    for (int i = 0; i < 25; i++) y[i] = 3.0;
    for (int64_t n = 1; n <= 25; n += 24) {
        rls2_rows some = {.n = n, .p = 3, .x = x, .ldx = 25};
        learned = learned_from("rbf(learn)@all", &some, y, NULL, 1);
        for (int t = 0; t < 3; t++) {
            double w = widths_of(learned, 0)[t];
            assert_true(isfinite(w) && w > 0.0);
        }
        rls2_dictionary_free(learned);
    }
    free(x);
    free(y);
}

static int stop_at_once(void *user, const rls2_progress *progress)
{
    (void)user;
    (void)progress;
    return 1;
}

static void dictionary_learn__stopped__is_cancelled(void **state)
{
    (void)state;
    double *x;
    rls2_rows rows = random_rows(7, 400, 200, &x);
    double *y = response(&rows);
    rls2_error err;
    rls2_control control;
    rls2_dictionary *dictionary = dictionary_of("rbf(learn)@all", 200), *learned = dictionary;
    rls2_control_init(&control, sizeof control);
    control.progress = stop_at_once;
    assert_int_equal(rls2_dictionary_learn(dictionary, &rows, 1, y, NULL, &control, &learned, &err),
                     RLS2_ERR_CANCELLED);
    assert_ptr_equal(learned, dictionary);
    rls2_dictionary_free(dictionary);
    free(x);
    free(y);
}

/* A basis, scalings and a certificate know no responses. */
static void basis_create__widths_not_learned__is_refused(void **state)
{
    (void)state;
    double *x, s[1];
    rls2_rows rows = random_rows(7, 25, 3, &x);
    rls2_error err;
    rls2_basis *basis = NULL;
    rls2_dictionary *dictionary = dictionary_of("rbf(learn)@all", 3);
    assert_int_equal(rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err),
                     RLS2_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "'rbf(learn)@all' has no widths yet"));
    assert_int_equal(rls2_scaling_compute(dictionary, &rows, NULL, NULL, s, &err),
                     RLS2_ERR_ARGUMENT);
    assert_null(basis);
    rls2_dictionary_free(dictionary);
    free(x);
}

static void dictionary_learn__wrong_arguments__are_named(void **state)
{
    (void)state;
    double *x;
    rls2_rows rows = random_rows(7, 25, 3, &x);
    double *y = response(&rows), bad[25] = {NAN};
    rls2_error err;
    rls2_dictionary *dictionary = dictionary_of("rbf(learn)@all", 3), *learned = NULL;
    assert_int_equal(rls2_dictionary_learn(NULL, &rows, 1, y, NULL, NULL, &learned, &err),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_dictionary_learn(dictionary, NULL, 1, y, NULL, NULL, &learned, &err),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_dictionary_learn(dictionary, &rows, 0, y, NULL, NULL, &learned, &err),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_dictionary_learn(dictionary, &rows, 1, NULL, NULL, NULL, &learned, &err),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_dictionary_learn(dictionary, &rows, 1, bad, NULL, NULL, &learned, &err),
                     RLS2_ERR_VALUE);
    assert_int_equal(rls2_dictionary_learn(dictionary, &rows, 1, y, bad, NULL, &learned, &err),
                     RLS2_ERR_VALUE);
    assert_int_equal(rls2_dictionary_learn(dictionary, &rows, 1, y, NULL, NULL, NULL, &err),
                     RLS2_ERR_ARGUMENT);
    assert_null(learned);
    rls2_dictionary_free(dictionary);
    free(x);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel__with_widths__as_defined),
        cmocka_unit_test(descend__curved_valley__finds_its_end),
        cmocka_unit_test(descend__few_evaluations__keeps_within_them_and_does_not_climb),
        cmocka_unit_test(descend__function_that_fails__ends_at_the_best_point),
        cmocka_unit_test(evidence__gradient__is_that_of_differences),
        cmocka_unit_test(dictionary_learn__response_of_one_column__widest_there),
        cmocka_unit_test(dictionary_learn__several_kernels__one_search_for_each_set),
        cmocka_unit_test(dictionary_learn__columns_in_other_units__the_same_kernel),
        cmocka_unit_test(dictionary_learn__weights__all_alike_are_none_and_others_count),
        cmocka_unit_test(dictionary_learn__many_rows__some_are_looked_at),
        cmocka_unit_test(dictionary_learn__repeated_rows__are_weights),
        cmocka_unit_test(dictionary_learn__constant_columns_and_responses__finite_widths),
        cmocka_unit_test(dictionary_learn__stopped__is_cancelled),
        cmocka_unit_test(basis_create__widths_not_learned__is_refused),
        cmocka_unit_test(dictionary_learn__wrong_arguments__are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
