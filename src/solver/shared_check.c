/* Checks of outputs that share their kernel weights. */
#include "solver/shared_check.h"

#include <inttypes.h>

#include "base/status.h"
#include "basis/basis.h"
#include "solver/solver.h"

/* Exactly one 1 in each row. */
static rls2_status check_classes(int64_t outputs, int64_t n, const double *y, rls2_error *err)
{
    if (outputs < 2)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the multinomial loss needs an output for each class, at least 2");
    for (int64_t i = 0; i < n; i++) {
        int64_t classes = 0;
        for (int64_t o = 0; o < outputs; o++) classes += y[o * n + i] == 1.0;
        if (classes != 1)
            return rls2__fail(err, RLS2_ERR_VALUE,
                              "row %" PRId64 " has %" PRId64
                              " classes; the multinomial loss takes rows with one 1 and -1 in all "
                              "other columns",
                              i, classes);
    }
    return RLS2_OK;
}

rls2_status rls2__check_shared(int64_t outputs, const rls2_basis *const *bases, const double *y,
                               const rls2_path_options *options, rls2_error *err)
{
    if (!rls2__is_shared(options)) return RLS2_OK;
    for (int64_t o = 1; o < outputs; o++)
        if (bases[o] != bases[0])
            return rls2__fail(err, RLS2_ERR_ARGUMENT,
                              "response %" PRId64
                              " has a basis of its own; with shared weights all have the same one",
                              o + 1);
    if (options->loss.kind == RLS2_LOSS_MULTINOMIAL)
        return check_classes(outputs, bases[0]->n, y, err);
    return RLS2_OK;
}
