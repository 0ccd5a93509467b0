/* rls2_path_predict of rls2/path.h. */
#include "solver/path_predict.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/crew.h"
#include "base/memory.h"
#include "base/status.h"
#include "basis/rows_check.h"
#include "la/la.h"
#include "la/threads.h"

static const double WORTH_THREADS = 1e6; /* values of a kernel */

static rls2_status check_finite(int64_t n, int64_t count, const double *f, rls2_error *err)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t t = 0; t < count; t++)
            if (!isfinite(f[t * n + i]))
                return rls2__fail(err, RLS2_ERR_VALUE,
                                  "row %" PRId64 " is too far out: its value overflows", i + 1);
    return RLS2_OK;
}

/* On as many threads of the effort as there is memory of BLAS for. */
static rls2_status predict(rls2__effort *effort, const rls2_path *path, const rls2_rows *rows,
                           const rls2__part_taker *taker, double *f, rls2_error *err)
{
    int threads = effort->threads, all = effort->threads;
    rls2_status status = rls2__la_enter_team(&threads, err);
    if (status != RLS2_OK) return status;
    effort->threads = threads;
    status = rls2__path_predict(effort, path, rows, taker, f);
    status = rls2__explain(status, "the predictions", err);
    effort->threads = all;
    rls2__la_leave();
    return status == RLS2_OK ? check_finite(rows->n, path->count, f, err) : status;
}

static rls2_status check_rows(const rls2_path *path, const rls2_rows *rows, rls2_error *err)
{
    return rls2__rows_check(rows, path->basis->dictionary, path->basis->n, "rows", err);
}

rls2_status rls2__path_predict_parts(rls2__effort *effort, const rls2_path *path,
                                     const rls2_rows *rows, const rls2__part_taker *taker,
                                     double *f, rls2_error *err)
{
    rls2_status status = check_rows(path, rows, err);
    return status == RLS2_OK ? predict(effort, path, rows, taker, f, err) : status;
}

rls2_status rls2_path_predict(const rls2_path *path, const rls2_rows *rows, double *f,
                              rls2_error *err)
{
    return rls2_path_predict_watched(path, rows, &rls2__control_alone, f, err);
}

rls2_status rls2_path_predict_watched(const rls2_path *path, const rls2_rows *rows,
                                      const rls2_control *control, double *f, rls2_error *err)
{
    rls2__effort effort;
    if (!path) return rls2__fail_null(err, "path");
    if (!f) return rls2__fail_null(err, "f");
    rls2_status status = rls2__control_check(control, err);
    if (status == RLS2_OK) status = check_rows(path, rows, err); /* before its n is looked at */
    if (status != RLS2_OK) return status;
    rls2_control own = rls2__control_of(control);
    int large = (double)rows->n * (double)path->basis->n > WORTH_THREADS;
    own.threads = large ? rls2__thread_count(own.threads) : 1;
    rls2__effort_begin(&own, "rows", rows->n, &effort);
    int64_t values = rls2__mul(rows->n, path->count);
    double *made = rls2__alloc(values, sizeof(double)); /* the result appears whole or not at all */
    if (!made) return rls2__fail_memory(err, "the predictions");
    status = predict(&effort, path, rows, NULL, made, err);
    if (status == RLS2_OK) memcpy(f, made, (size_t)values * sizeof *f);
    rls2__free(made);
    return status;
}
