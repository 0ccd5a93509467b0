/* Operators on many rows, computed in tasks: forms, products and R(d) against the matrices they
 * stand for, the same bits for any number of threads, and an end when that is asked for. */
#include "support/unit_support.h"

#include <math.h>

#include "basis/combine.h"
#include "basis/shape.h"
#include "la/threads.h"
#include "la/tile_grid.h"

/* Wide enough that linear@all is a factor with so many columns that it is cut. */
enum { N = 1501, P = 360, GIVEN = 1, MOST_THREADS = 16 };
static const char SPEC[] =
    "linear@all; rbf(0.001)@all; laplace(0.01)@all; rbf(0.002)@all; rbf(0.003)@all;"
    "rbf(0.004)@all; given(K); poly(2)@x1; rbf(0.1)@x2; linear@x1; linear@x2; linear@x3; linear@x5;"
    "matern(2.5)@x3; poly(3)@x4";

typedef struct setting {
    double *x, *K;
    rls2_rows rows;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    int64_t m, ks[32];
    double *c, *work;
} setting;

static setting make(void)
{
    static const char *const names[] = {"K"};
    setting s = {.x = unit_normal(3, N * P), .K = unit_room(N * N)};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < N; i++) s.K[j * N + i] = exp(-fabs((double)(i - j)) / 7.0);
    static const double *given[GIVEN];
    given[0] = s.K;
    s.rows = (rls2_rows){.n = N, .p = P, .x = s.x, .given = given, .given_count = GIVEN};
    s.dictionary = unit_dictionary_given(SPEC, P, GIVEN, names);
    s.basis = unit_basis(s.dictionary, &s.rows, &options);
    s.m = s.basis->m;
    assert_in_range(s.m, 1, 32);
    for (int64_t k = 0; k < s.m; k++) s.ks[k] = k;
    s.c = unit_normal(4, N);
    s.work = unit_room(N);
    return s;
}

/* Made once: most of the time goes into its kernels. */
static setting shared;

static int set_up(void **state)
{
    (void)state;
    shared = make();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    rls2_basis_free(shared.basis);
    rls2_dictionary_free(shared.dictionary);
    free(shared.x), free(shared.K), free(shared.c), free(shared.work);
    return 0;
}

static int go_on(void *user, const rls2_progress *progress)
{
    (void)user, (void)progress;
    return 0;
}

static int stop(void *user, const rls2_progress *progress)
{
    (void)user, (void)progress;
    return 1;
}

static rls2__effort begin(rls2_control *control, int threads)
{
    rls2__effort effort;
    *control = (rls2_control){sizeof *control, threads, go_on, NULL, NULL};
    rls2__effort_begin(control, "forms", 1, &effort);
    return effort;
}

/* All that is asked of a basis, in one array: q, V, and R(d) by factors and by triangles. */
static int64_t size_of(const setting *s)
{
    return s->m + s->m * N + 2 * (int64_t)N * N;
}

static rls2_status ask_all(rls2__effort *effort, const setting *s, double *out)
{
    double weights[32], *V = out + s->m, *R = V + s->m * N;
    rls2_status status = rls2__basis_price(effort, s->basis, s->c, s->m, s->ks, out, s->work);
    for (int64_t k = 0; k < s->m; k++) weights[k] = k == 3 ? 0.0 : 1.0 / (double)(k + 2);
    for (int remembers = 0; remembers < 2 && status == RLS2_OK; remembers++) {
        rls2__combiner *combiner =
            rls2__combiner_create(s->basis, remembers ? INT64_MAX : (int64_t)0);
        assert_non_null(combiner);
        status = rls2__combiner_apply(effort, combiner, s->m, s->ks, s->c, V, s->work);
        if (status == RLS2_OK)
            status = rls2__combine(effort, combiner, s->m, s->ks, weights,
                                   R + remembers * (int64_t)N * N);
        rls2__combiner_free(combiner);
    }
    return status;
}

static void forms__every_shape__as_the_matrix(void **state)
{
    (void)state;
    const setting s = shared;
    int64_t size = size_of(&s);
    double *out = unit_room(size), *v = unit_room(N), *sum = unit_room(N * N);
    int cut = 0, whole = 0;
    assert_int_equal(ask_all(unit_alone(), &s, out), RLS2_OK);
    double squares = unit_inner(N, s.c, s.c), total = 0.0;
    for (int64_t k = 0; k < s.m; k++) {
        double *R = unit_basis_matrix(s.basis, k), trace = unit_trace(N, R);
        unit_multiply(N, R, s.c, v);
        assert_near(out[k], unit_inner(N, s.c, v), 1e-9 * trace * squares);
        for (int64_t i = 0; i < N; i++)
            assert_near(out[s.m + k * N + i], v[i], 1e-9 * trace * sqrt(squares));
        double w = k == 3 ? 0.0 : 1.0 / (double)(k + 2);
        for (int64_t i = 0; i < N * N; i++) sum[i] += w * R[i];
        total += w * trace;
        cut += rls2__operator_is_cut(&s.basis->ops[k], N);
        whole += !rls2__operator_is_cut(&s.basis->ops[k], N);
        free(R);
    }
    assert_true(cut >= 7 && whole >= 5);
    assert_true(rls2__operator_is_cut(&s.basis->ops[0], N) && s.basis->ops[0].factor);
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = j; i < N; i++)
            for (int t = 0; t < 2; t++)
                assert_near(out[s.m + s.m * N + t * N * N + j * N + i], sum[j * N + i],
                            1e-9 * total);
    free(out), free(v), free(sum);
}

static void forms__any_number_of_threads__same_bits(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, MOST_THREADS};
    const setting s = shared;
    int64_t size = size_of(&s);
    double *first = unit_room(size), *out = unit_room(size);
    for (int t = 0; t < 4; t++) {
        rls2_control control;
        rls2__effort effort = begin(&control, threads[t]);
        memset(out, 0, (size_t)size * sizeof *out);
        assert_int_equal(ask_all(&effort, &s, out), RLS2_OK);
        if (t == 0) memcpy(first, out, (size_t)size * sizeof *out);
        if (memcmp(first, out, (size_t)size * sizeof *out) != 0)
            fail_msg("other bits on %d threads", threads[t]);
    }
    free(first), free(out);
}

static void forms__stopped__say_so(void **state)
{
    (void)state;
    const setting s = shared;
    double *out = unit_room(size_of(&s)), weight = 1.0;
    rls2__combiner *combiner = rls2__combiner_create(s.basis, INT64_MAX);
    for (int threads = 1; threads <= 2; threads++) {
        rls2_control control;
        rls2__effort effort = begin(&control, threads);
        control.progress = stop;
        effort.asked = 0.0; /* long ago */
        assert_true(rls2__effort_stopped(&effort));
        for (int64_t k = 0; k < s.m; k++) {
            assert_int_equal(rls2__basis_price(&effort, s.basis, s.c, 1, &k, out, s.work),
                             RLS2_ERR_CANCELLED);
            assert_int_equal(rls2__basis_apply(&effort, s.basis, k, s.c, out, s.work),
                             RLS2_ERR_CANCELLED);
            assert_int_equal(rls2__combine(&effort, combiner, 1, &k, &weight, out),
                             RLS2_ERR_CANCELLED);
            assert_int_equal(rls2__combiner_apply(&effort, combiner, 1, &k, s.c, out, s.work),
                             RLS2_ERR_CANCELLED);
        }
    }
    rls2__combiner_free(combiner);
    free(out);
}

/* Parts of every form add up to it, and are as many as are said to be. */
static void operator_part__all_of_them__sum_to_the_form(void **state)
{
    (void)state;
    const setting s = shared;
    for (int64_t k = 0; k < s.m; k++) {
        const rls2__operator *op = &s.basis->ops[k];
        double sum = 0.0;
        if (!rls2__operator_is_cut(op, N)) continue;
        int64_t parts = rls2__operator_parts(op, N);
        assert_in_range(parts, 2, RLS2__MOST_PARTS);
        for (int64_t p = 0; p < parts; p++) sum += rls2__operator_part(op, N, p, s.c);
        double form = op->shape->quadratic(op, N, s.c, s.work);
        assert_near(op->scale * sum, form, 1e-12 * op->trace * unit_inner(N, s.c, s.c));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms__every_shape__as_the_matrix),
        cmocka_unit_test(forms__any_number_of_threads__same_bits),
        cmocka_unit_test(forms__stopped__say_so),
        cmocka_unit_test(operator_part__all_of_them__sum_to_the_form),
    };
    int threads = MOST_THREADS; /* that call BLAS, which itself works on one */
    if (rls2__la_enter_team(&threads, NULL) != RLS2_OK || threads < MOST_THREADS) return 1;
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
