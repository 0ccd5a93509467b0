/* Checks of recipes that several public functions share. */
#ifndef RLS2_SELECT_CV_PUBLIC_H
#define RLS2_SELECT_CV_PUBLIC_H

#include "rls2/select.h"

rls2_status rls2__check_recipe(const rls2_recipe *recipe, rls2_error *err);

#endif
