/* What the points of a path would lose on new rows, from the training rows alone. */
#ifndef RLS2_SELECT_CRITERIA_H
#define RLS2_SELECT_CRITERIA_H

#include "base/effort.h"
#include "rls2/select.h"

/* criteria[count of the path]. RLS2_ERR_MEMORY and RLS2_ERR_CANCELLED are the only failures;
 * criteria may then be half written. */
rls2_status rls2__path_criteria(rls2__effort *effort, const rls2_path *path,
                                rls2_criteria *criteria);

#endif
