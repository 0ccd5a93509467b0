/* The public function: arguments are checked here, the work is in widths.c. */
#include "base/control.h"
#include "base/crew.h"
#include "base/memory.h"
#include "base/status.h"
#include "basis/rows_check.h"
#include "widths/widths.h"

static rls2_status check(const rls2_dictionary *dictionary, const rls2_rows *train, int64_t outputs,
                         const double *y, const double *row_weights, rls2_error *err)
{
    if (!dictionary) return rls2__fail_null(err, "dictionary");
    if (outputs < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%lld outputs; there must be one at least",
                          (long long)outputs);
    rls2_status status =
        rls2__rows_check(train, dictionary, train ? train->n : 0, "training rows", err);
    if (status == RLS2_OK) status = rls2__vector_check(rls2__mul(train->n, outputs), y, "y", err);
    if (status == RLS2_OK && row_weights) status = rls2__weights_check(train->n, row_weights, err);
    return status;
}

rls2_status rls2_dictionary_learn(const rls2_dictionary *dictionary, const rls2_rows *train,
                                  int64_t outputs, const double *y, const double *row_weights,
                                  const rls2_control *control, rls2_dictionary **learned,
                                  rls2_error *err)
{
    const rls2__width_lesson lesson = {train, outputs, y, row_weights};
    if (!learned) return rls2__fail_null(err, "learned");
    rls2_status status = rls2__control_check(control, err);
    if (status == RLS2_OK) status = check(dictionary, train, outputs, y, row_weights, err);
    if (status != RLS2_OK) return status;
    rls2_control own = rls2__control_of(control);
    own.threads = rls2__thread_count(own.threads);
    return rls2__widths_learn(dictionary, &lesson, &own, learned, err);
}
