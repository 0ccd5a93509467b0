/* Matrices cut into tasks: the numbers of LAPACK, the same bits for any number of threads, and an
 * end when that is asked for. */
#include "support/unit_support.h"

#include <math.h>

#include "la/packed.h"
#include "la/threads.h"
#include "la/tile_grid.h"
#include "la/tiles.h"

/* The least that is cut, and an odd one with pieces left over. */
static const int64_t ORDERS[] = {RLS2__TILED_FROM, 1111};
enum { ORDER_COUNT = sizeof ORDERS / sizeof ORDERS[0], MARGIN = 3, MOST_THREADS = 16 };

/* ---- efforts ---- */

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
    rls2__effort_begin(control, "tiles", 1, &effort);
    return effort;
}

/* ---- operations ---- */

/* What an operation has to work on; all of them write to `out`. */
typedef struct operation {
    int64_t n, ld, count;
    const double *A; /* symmetric, positive definite, in ld rows; L its factor */
    const double *L;
    const double *packed; /* A */
    const double *B;      /* n x count in ld rows */
    double *out;          /* ld x n */
} operation;

typedef rls2_status (*operate)(rls2__effort *effort, const operation *o);

static void put(const operation *o, const double *from, int64_t columns)
{
    memcpy(o->out, from, (size_t)(o->ld * columns) * sizeof *from);
}

static rls2_status cholesky(rls2__effort *effort, const operation *o)
{
    int64_t failed;
    put(o, o->A, o->n);
    if (!effort) {
        assert_int_equal(rls2__la_cholesky(o->n, o->out, o->ld), 0);
        return RLS2_OK;
    }
    rls2_status status = rls2__tiled_cholesky(effort, o->n, o->out, o->ld, &failed);
    assert_int_equal(failed, 0);
    return status;
}

static rls2_status inverse(rls2__effort *effort, const operation *o)
{
    put(o, o->L, o->n);
    if (effort) return rls2__tiled_lower_inverse(effort, o->n, o->out, o->ld);
    assert_int_equal(rls2__la_lower_inverse(o->n, o->out, o->ld), 0);
    return RLS2_OK;
}

static rls2_status lower_solve(rls2__effort *effort, const operation *o)
{
    put(o, o->B, o->count);
    if (effort) return rls2__tiled_lower_solve(effort, o->n, o->count, o->L, o->ld, o->out, o->ld);
    rls2__la_lower_solve(o->n, o->count, o->L, o->ld, o->out, o->ld);
    return RLS2_OK;
}

static rls2_status lower_solve_one(rls2__effort *effort, const operation *o)
{
    operation one = *o;
    one.count = 1;
    return lower_solve(effort, &one);
}

static rls2_status lower_solve_t(rls2__effort *effort, const operation *o)
{
    put(o, o->B, o->count);
    if (effort)
        return rls2__tiled_lower_solve_t(effort, o->n, o->count, o->L, o->ld, o->out, o->ld);
    for (int64_t j = 0; j < o->count; j++)
        rls2__la_lower_solve_t(o->n, o->L, o->ld, o->out + j * o->ld);
    return RLS2_OK;
}

static rls2_status cholesky_solve(rls2__effort *effort, const operation *o)
{
    put(o, o->B, o->count);
    if (effort)
        return rls2__tiled_cholesky_solve(effort, o->n, o->count, o->L, o->ld, o->out, o->ld);
    rls2__la_cholesky_solve(o->n, o->count, o->L, o->ld, o->out, o->ld);
    return RLS2_OK;
}

static rls2_status cholesky_solve_one(rls2__effort *effort, const operation *o)
{
    operation one = *o;
    one.count = 1;
    return cholesky_solve(effort, &one);
}

static rls2_status symv(rls2__effort *effort, const operation *o)
{
    if (effort) return rls2__tiled_symv(effort, o->n, -1.5, o->A, o->ld, o->B, o->out);
    rls2__la_symv(o->n, -1.5, o->A, o->ld, o->B, o->out);
    return RLS2_OK;
}

static rls2_status spmv(rls2__effort *effort, const operation *o)
{
    if (effort) return rls2__tiled_spmv(effort, o->n, -1.5, o->packed, o->B, o->out);
    rls2__la_spmv(o->n, -1.5, o->packed, o->B, o->out);
    return RLS2_OK;
}

static rls2_status gemv_t(rls2__effort *effort, const operation *o)
{
    if (effort) return rls2__tiled_gemv_t(effort, o->n, o->n, o->A, o->ld, o->B, o->out);
    rls2__la_gemv_t(o->n, o->n, o->A, o->ld, o->B, o->out);
    return RLS2_OK;
}

static rls2_status gemv_n(rls2__effort *effort, const operation *o)
{
    put(o, o->A, 1);
    if (effort) return rls2__tiled_gemv_n(effort, o->n, o->n, 2.0, o->A, o->ld, o->B, -3.0, o->out);
    rls2__la_gemv_n(o->n, o->n, 2.0, o->A, o->ld, o->B, -3.0, o->out);
    return RLS2_OK;
}

static rls2_status syrk(rls2__effort *effort, const operation *o)
{
    put(o, o->A, o->n);
    if (effort)
        return rls2__tiled_syrk(effort, o->n, o->count, 2.0, o->B, o->ld, 0.5, o->out, o->ld);
    rls2__la_syrk(o->n, o->count, 2.0, o->B, o->ld, 0.5, o->out, o->ld);
    return RLS2_OK;
}

static rls2_status syrk_packed(rls2__effort *effort, const operation *o)
{
    if (effort) return rls2__tiled_syrk_packed(effort, o->n, o->count, o->B, o->ld, o->out);
    double *C = unit_room(o->n * o->n), *to = o->out;
    rls2__la_syrk(o->n, o->count, 1.0, o->B, o->ld, 0.0, C, o->n);
    for (int64_t j = 0; j < o->n; to += o->n - j, j++)
        memcpy(to, C + j * o->n + j, (size_t)(o->n - j) * sizeof *to);
    free(C);
    return RLS2_OK;
}

static rls2_status gram(rls2__effort *effort, const operation *o)
{
    put(o, o->A, o->count);
    if (effort) return rls2__tiled_gram(effort, o->n, o->count, o->B, o->ld, o->out, o->ld);
    rls2__la_gram(o->n, o->count, o->B, o->ld, o->out, o->ld);
    return RLS2_OK;
}

static rls2_status gemm_tn(rls2__effort *effort, const operation *o)
{
    put(o, o->A, o->count);
    if (effort)
        return rls2__tiled_gemm_tn(effort, o->n, o->n, o->count, o->L, o->ld, o->B, o->ld, o->out,
                                   o->ld);
    rls2__la_gemm_tn(o->n, o->n, o->count, o->L, o->ld, o->B, o->ld, o->out, o->ld);
    return RLS2_OK;
}

static const struct {
    const char *name;
    operate run;
} OPERATIONS[] = {
    {"cholesky", cholesky},
    {"inverse", inverse},
    {"lower_solve", lower_solve},
    {"lower_solve of one", lower_solve_one},
    {"lower_solve_t", lower_solve_t},
    {"cholesky_solve", cholesky_solve},
    {"cholesky_solve of one", cholesky_solve_one},
    {"symv", symv},
    {"spmv", spmv},
    {"gemv_t", gemv_t},
    {"gemv_n", gemv_n},
    {"syrk", syrk},
    {"syrk_packed", syrk_packed},
    {"gram", gram},
    {"gemm_tn", gemm_tn},
};
enum { OPERATION_COUNT = sizeof OPERATIONS / sizeof OPERATIONS[0] };

static double *pack(int64_t n, const double *A, int64_t lda)
{
    double *packed = unit_room(n * (n + 1) / 2), *to = packed;
    for (int64_t j = 0; j < n; to += n - j, j++)
        memcpy(to, A + j * lda + j, (size_t)(n - j) * sizeof *to);
    return packed;
}

/* exp(-|i - j| / 5) with noise, and 3 on the diagonal: well conditioned, nothing in it zero. */
static double *matrix(int64_t n, int64_t ld)
{
    double *A = unit_normal((uint64_t)n, ld * n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            double noise = 1e-3 * A[j * ld + i];
            A[j * ld + i] = A[i * ld + j] = exp(-(double)(i - j) / 5.0) + noise + (i == j) * 3.0;
        }
    return A;
}

/* 300 right sides, where there are as many rows: more than one task takes. */
static operation make(int64_t n)
{
    operation o = {.n = n, .ld = n + MARGIN, .count = n < 300 ? n : 300};
    double *A = matrix(n, o.ld), *L = unit_room(o.ld * n);
    memcpy(L, A, (size_t)(o.ld * n) * sizeof *L);
    assert_int_equal(rls2__la_cholesky(n, L, o.ld), 0);
    o.A = A;
    o.L = L;
    o.packed = pack(n, A, o.ld);
    o.B = unit_normal(7, o.ld * o.count);
    o.out = unit_room(o.ld * n);
    return o;
}

static void release(operation *o)
{
    free((void *)o->A), free((void *)o->L), free((void *)o->packed), free((void *)o->B);
    free(o->out);
}

/* ---- tests ---- */

static void tiled__larger_orders__are_the_numbers_of_lapack(void **state)
{
    (void)state;
    for (int s = 0; s < ORDER_COUNT; s++) {
        operation o = make(ORDERS[s]);
        double *expected = unit_room(o.ld * o.n), *out = o.out;
        for (int f = 0; f < OPERATION_COUNT; f++) {
            memset(expected, 0, (size_t)(o.ld * o.n) * sizeof *expected);
            memset(out, 0, (size_t)(o.ld * o.n) * sizeof *out);
            o.out = expected;
            OPERATIONS[f].run(NULL, &o);
            o.out = out;
            assert_int_equal(OPERATIONS[f].run(unit_alone(), &o), RLS2_OK);
            double largest = 0.0;
            for (int64_t i = 0; i < o.ld * o.n; i++) largest = fmax(largest, fabs(expected[i]));
            for (int64_t i = 0; i < o.ld * o.n; i++)
                if (!(fabs(out[i] - expected[i]) <= 1e-13 * largest))
                    fail_msg("%s of %d: value %d is %.17g instead of %.17g", OPERATIONS[f].name,
                             (int)o.n, (int)i, out[i], expected[i]);
        }
        free(expected);
        release(&o);
    }
}

static void tiled__any_number_of_threads__same_bits(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, MOST_THREADS};
    for (int s = 0; s < ORDER_COUNT; s++) {
        operation o = make(ORDERS[s]);
        double *first = unit_room(o.ld * o.n);
        for (int f = 0; f < OPERATION_COUNT; f++) {
            for (int t = 0; t < 4; t++) {
                rls2_control control;
                rls2__effort effort = begin(&control, threads[t]);
                memset(o.out, 0, (size_t)(o.ld * o.n) * sizeof *o.out);
                assert_int_equal(OPERATIONS[f].run(&effort, &o), RLS2_OK);
                if (t == 0) memcpy(first, o.out, (size_t)(o.ld * o.n) * sizeof *first);
                if (memcmp(first, o.out, (size_t)(o.ld * o.n) * sizeof *first) != 0)
                    fail_msg("%s of %d differs on %d threads", OPERATIONS[f].name, (int)o.n,
                             threads[t]);
            }
        }
        free(first);
        release(&o);
    }
}

static void tiled__small_orders__bits_of_lapack(void **state)
{
    (void)state;
    operation o = make(RLS2__TILED_FROM - 1);
    double *expected = unit_room(o.ld * o.n), *out = o.out;
    for (int f = 0; f < OPERATION_COUNT; f++) {
        if (OPERATIONS[f].run == gemv_t || OPERATIONS[f].run == gemv_n) continue; /* by values */
        memset(expected, 0, (size_t)(o.ld * o.n) * sizeof *expected);
        memset(out, 0, (size_t)(o.ld * o.n) * sizeof *out);
        o.out = expected;
        OPERATIONS[f].run(NULL, &o);
        o.out = out;
        assert_int_equal(OPERATIONS[f].run(unit_alone(), &o), RLS2_OK);
        if (memcmp(expected, out, (size_t)(o.ld * o.n) * sizeof *out) != 0)
            fail_msg("%s has other bits", OPERATIONS[f].name);
    }
    free(expected);
    release(&o);
}

/* In the first panel, at its end, in one that follows, and in the last row. */
static void tiled_cholesky__indefinite__names_the_minor(void **state)
{
    (void)state;
    static const int64_t rows[] = {0, 127, 128, 700, 1110};
    int64_t n = 1111;
    double *A = matrix(n, n), *copy = unit_room(n * n);
    for (int r = 0; r < 5; r++) {
        int64_t failed, at = rows[r] * n + rows[r];
        double kept = A[at];
        A[at] = -1.0;
        memcpy(copy, A, (size_t)(n * n) * sizeof *copy);
        assert_int_equal(rls2__tiled_cholesky(unit_alone(), n, copy, n, &failed), RLS2_OK);
        assert_int_equal(failed, rows[r] + 1);
        A[at] = kept;
    }
    free(A), free(copy);
}

static void tiled__stopped_before__says_so(void **state)
{
    (void)state;
    operation o = make(RLS2__TILED_FROM), small = make(50);
    rls2_control control;
    for (int threads = 1; threads <= 2; threads++)
        for (int f = 0; f < OPERATION_COUNT; f++) {
            rls2__effort effort = begin(&control, threads);
            control.progress = stop;
            effort.asked = 0.0; /* long ago */
            assert_true(rls2__effort_stopped(&effort));
            assert_int_equal(OPERATIONS[f].run(&effort, &o), RLS2_ERR_CANCELLED);
            assert_int_equal(OPERATIONS[f].run(&effort, &small), RLS2_ERR_CANCELLED);
        }
    release(&o);
    release(&small);
}

/* The callback is not asked before a while has passed: one of the calls that follow each other is
 * stopped somewhere inside. */
static void tiled__stopped_inside__ends(void **state)
{
    (void)state;
    operation o = make(1111);
    rls2_control control;
    for (int f = 0; f < OPERATION_COUNT; f++) {
        rls2__effort effort = begin(&control, 2);
        control.progress = stop;
        rls2_status status = RLS2_OK;
        while (status == RLS2_OK) status = OPERATIONS[f].run(&effort, &o);
        assert_int_equal(status, RLS2_ERR_CANCELLED);
    }
    release(&o);
}

/* Ranges follow each other without a gap, and none has more than its share of the values and a
 * pair of columns. */
static void triangle_cut__any_order__ranges_of_equal_size(void **state)
{
    (void)state;
    for (int64_t n = RLS2__TILED_FROM; n < 40000; n += n / 3) {
        int64_t parts = rls2__triangle_parts(n), before = 0;
        assert_in_range(parts, 1, RLS2__MOST_PARTS);
        assert_int_equal(rls2__triangle_cut(n, parts, 0), 0);
        assert_int_equal(rls2__triangle_cut(n, parts, parts), n);
        for (int64_t p = 1; p <= parts; p++) {
            int64_t at = rls2__triangle_cut(n, parts, p);
            double values = 0.5 * (double)(at - before) * (double)(2 * n - at - before + 1);
            assert_true(at > before);
            assert_at_most(values,
                           0.5 * (double)n * (double)(n + 1) / (double)parts + 2.0 * (double)n);
            before = at;
        }
    }
}

static void lower_tile__all_of_them__cover_the_triangle_once(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 40; n++)
        for (int64_t side = 1; side <= 12; side++) {
            int64_t seen = 0, tiles = rls2__lower_tiles(n, side), last_row = -1, last_column = -1;
            for (int64_t t = 0; t < tiles; t++) {
                int64_t row, column;
                rls2__lower_tile(n, side, t, &row, &column);
                assert_true(row >= column && row < n && row % side == 0 && column % side == 0);
                assert_true(column > last_column || (column == last_column && row > last_row));
                int64_t rows = rls2__piece(n, side, row), columns = rls2__piece(n, side, column);
                seen += row == column ? rows * (rows + 1) / 2 : rows * columns;
                last_row = row;
                last_column = column;
            }
            assert_int_equal(seen, n * (n + 1) / 2);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiled__larger_orders__are_the_numbers_of_lapack),
        cmocka_unit_test(tiled__any_number_of_threads__same_bits),
        cmocka_unit_test(tiled__small_orders__bits_of_lapack),
        cmocka_unit_test(tiled_cholesky__indefinite__names_the_minor),
        cmocka_unit_test(tiled__stopped_before__says_so),
        cmocka_unit_test(tiled__stopped_inside__ends),
        cmocka_unit_test(triangle_cut__any_order__ranges_of_equal_size),
        cmocka_unit_test(lower_tile__all_of_them__cover_the_triangle_once),
    };
    int threads = MOST_THREADS; /* that call BLAS, which itself works on one */
    if (rls2__la_enter_team(&threads, NULL) != RLS2_OK || threads < MOST_THREADS) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
