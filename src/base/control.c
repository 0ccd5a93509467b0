/* Controls of long calls: defaults, and those of callers compiled with an older header. */
#include "base/control.h"

#include <string.h>

void rls2_control_init(rls2_control *control, size_t size)
{
    if (!control || size < sizeof control->size) return;
    memset(control, 0, size);
    control->size = size;
}

rls2_control rls2__control_of(const rls2_control *control)
{
    rls2_control own = {.size = sizeof own};
    if (!control || control->size < sizeof own.size) return own;
    memcpy(&own, control, control->size < sizeof own ? control->size : sizeof own);
    own.size = sizeof own;
    return own;
}
