/* librls2: regularised least squares with two layers. Includes the whole public API.
 *
 * A program compiled with these headers runs with every later version of the library that has the
 * same major number, from 0.7 on. Structs keep that promise in one of four ways:
 *   - options, and the control of a call, begin with their size and are filled by their ..._init
 *     function; members are added at the end;
 *   - results the caller has room for go with their size (rls2_criteria, rls2_certificate,
 *     rls2_forecast, rls2_cost);
 *   - results and progress that the library owns are handed out as const pointers; members are
 *     added at the end, so do not copy them by size or put them in arrays of your own;
 *   - the rest never changes: rls2_error, and the plain inputs rls2_rows, rls2_column, rls2_columns
 *     and rls2_group, which stand in arrays or in initialisers and say no more than where numbers
 *     and names lie. Rows of another kind will be another struct.
 *
 * Of an object that is NULL a count is 0, a number NaN, a pointer NULL, and an index that does not
 * exist is -1. */
#ifndef RLS2_RLS2_H
#define RLS2_RLS2_H

#include "rls2/arrow.h"
#include "rls2/basis.h"
#include "rls2/blas.h"
#include "rls2/control.h"
#include "rls2/dictionary.h"
#include "rls2/file.h"
#include "rls2/fit.h"
#include "rls2/loss.h"
#include "rls2/model.h"
#include "rls2/select.h"
#include "rls2/path.h"
#include "rls2/plan.h"
#include "rls2/settings.h"
#include "rls2/source.h"
#include "rls2/stability.h"
#include "rls2/stats.h"
#include "rls2/status.h"
#include "rls2/table.h"
#include "rls2/version.h"

#endif
