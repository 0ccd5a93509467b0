/* librls2: regularised least squares with two layers. Includes the whole public API. */
#ifndef RLS2_RLS2_H
#define RLS2_RLS2_H

#include "rls2/basis.h"
#include "rls2/control.h"
#include "rls2/dictionary.h"
#include "rls2/file.h"
#include "rls2/fit.h"
#include "rls2/fit_table.h"
#include "rls2/model.h"
#include "rls2/select.h"
#include "rls2/path.h"
#include "rls2/plan.h"
#include "rls2/settings.h"
#include "rls2/status.h"
#include "rls2/table.h"
#include "rls2/version.h"

#endif
