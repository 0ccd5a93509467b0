/* Which rows of a file are learned from, which test, and which choose lambda. */
#ifndef RLS2_GUI_ROWS_H
#define RLS2_GUI_ROWS_H

#include "gui/server/problem.h"

/* Fills the rows and tables of the problem. */
int rows_divide(problem *p, fault *f);

#endif
