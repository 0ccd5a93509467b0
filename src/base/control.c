/* Controls of long calls: defaults, and those of callers compiled with an older header. */
#include "base/control.h"

#include "base/option_struct.h"
#include "base/status.h"

const rls2_control rls2__control_alone = {.size = sizeof rls2__control_alone, .threads = 1};

void rls2_control_init(rls2_control *control, size_t size)
{
    static const rls2_control defaults = {.size = sizeof defaults};
    rls2__options_init(control, size, &defaults, sizeof defaults);
}

rls2_control rls2__control_of(const rls2_control *control)
{
    rls2_control own;
    rls2_control_init(&own, sizeof own);
    rls2__options_read("control", "control", control, sizeof own, &own, NULL);
    return own;
}

rls2_status rls2__control_check(const rls2_control *control, rls2_error *err)
{
    rls2_control own;
    rls2_control_init(&own, sizeof own);
    rls2_status status = rls2__options_read("control", "control", control, sizeof own, &own, err);
    if (status != RLS2_OK || own.threads >= 0) return status;
    return rls2__fail(err, RLS2_ERR_ARGUMENT, "threads is %d; it must not be negative",
                      own.threads);
}
