/* Times small pieces of work. The best of several times counts: a machine that is busy now may be
 * free while the fit runs, and the first time warms up. */
#include "plan/speeds.h"

#include <math.h>

#include "base/memory.h"
#include "base/seconds.h"
#include "base/status.h"
#include "kernel/kernel.h"
#include "la/la.h"
#include "la/threads.h"

enum { ORDER = 256, TIMES = 4, READ = 1 << 20, MOST_ROWS = 2000, MOST_KERNELS = 3 };

typedef struct room {
    double *a, *b, *c; /* ORDER x ORDER; c also a column of a kernel */
    double *long_one;  /* READ */
} room;

/* Never 0: clocks have steps. */
static double since(double start)
{
    return fmax(rls2__seconds() - start, 1e-7);
}

static double time_products(const room *r)
{
    double best = 0.0;
    for (int i = 0; i < TIMES; i++) {
        double start = rls2__seconds();
        rls2__la_gemm_tn(ORDER, ORDER, ORDER, r->a, ORDER, r->b, ORDER, r->c, ORDER);
        best = fmax(best, 2.0 * ORDER * ORDER * ORDER / since(start));
    }
    return best;
}

static double time_reading(const room *r)
{
    double best = 0.0;
    for (int i = 0; i < TIMES; i++) {
        double start = rls2__seconds();
        r->c[0] = rls2__la_dot(READ, r->long_one, r->long_one);
        best = fmax(best, READ * (double)sizeof(double) / since(start));
    }
    return best;
}

static int is_timed(const rls2__kernel *kernel)
{
    return kernel->kind != RLS2__KERNEL_LINEAR && kernel->kind != RLS2__KERNEL_GIVEN &&
           kernel->column_count > 1;
}

static double time_kernel(const rls2__kernel *kernel, const rls2_rows *rows, const room *r)
{
    double best = 0.0;
    int64_t n = rows->n < MOST_ROWS ? rows->n : MOST_ROWS;
    for (int i = 0; i < TIMES; i++) {
        double start = rls2__seconds();
        rls2__kernel_column_part(kernel, rows, 0, n, rows, i % n, r->c);
        best = fmax(best, (double)n / since(start));
    }
    return best;
}

/* Of kernels of several columns, those that have a triangle: the mean of the times of some, from
 * all over the dictionary. */
static double time_kernels(const rls2_dictionary *dictionary, const rls2_rows *rows, const room *r)
{
    double seconds = 0.0;
    int64_t able = 0, seen = 0, count = 0;
    for (int64_t k = 0; k < dictionary->m; k++) able += is_timed(&dictionary->kernels[k]);
    for (int64_t k = 0; k < dictionary->m; k++) {
        if (!is_timed(&dictionary->kernels[k])) continue;
        if (seen++ * MOST_KERNELS / able < count) continue;
        rls2__kernel kernel = dictionary->kernels[k];
        rls2__kernel_fit(&kernel, rows);
        seconds += 1.0 / time_kernel(&kernel, rows, r);
        count++;
    }
    return count > 0 ? (double)count / seconds : 1e8;
}

static void lay_out(rls2__layout *layout, void *owner)
{
    room *r = owner;
    r->a = rls2__layout_take(layout, (int64_t)ORDER * ORDER, sizeof(double));
    r->b = rls2__layout_take(layout, (int64_t)ORDER * ORDER, sizeof(double));
    r->c = rls2__layout_take(layout, (int64_t)ORDER * ORDER, sizeof(double));
    r->long_one = rls2__layout_take(layout, READ, sizeof(double));
}

rls2_status rls2__speeds_measure(const rls2_dictionary *dictionary, const rls2_rows *rows,
                                 rls2__speeds *speeds, rls2_error *err)
{
    room r;
    void *block = rls2__layout_alloc(lay_out, &r);
    if (!block) return rls2__fail_memory(err, "the forecast");
    rls2_status status = rls2__la_enter(err);
    if (status == RLS2_OK) {
        for (int64_t i = 0; i < (int64_t)ORDER * ORDER; i++) r.a[i] = r.b[i] = 1.0;
        for (int64_t i = 0; i < READ; i++) r.long_one[i] = 1.0;
        speeds->flops = time_products(&r);
        speeds->bytes = time_reading(&r);
        speeds->pairs = time_kernels(dictionary, rows, &r);
        rls2__la_leave();
    }
    rls2__free(block);
    return status;
}
