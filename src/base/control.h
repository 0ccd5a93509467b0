/* The control a caller gave, as this version of the library knows it. */
#ifndef RLS2_BASE_CONTROL_H
#define RLS2_BASE_CONTROL_H

#include "rls2/control.h"

/* Of NULL, and of what rls2__control_check refuses: the defaults. Members a caller's older header
 * does not have are the defaults too. */
rls2_control rls2__control_of(const rls2_control *control);
/* Was it filled by rls2_control_init, and is its number of threads one? NULL is right. */
rls2_status rls2__control_check(const rls2_control *control, rls2_error *err);

/* One thread, and nobody who watches. */
extern const rls2_control rls2__control_alone;

#endif
