/* What the files of the glue share. Every object of the library is owned by an external pointer
 * before R is asked for memory again: where R leaves a call, its collector frees it. */
#ifndef RLS2_R_H
#define RLS2_R_H

#define R_NO_REMAP
#include <Rinternals.h>

#include "rls2/rls2.h"

/* ---- r_columns.c ---- */

/* A table of a named list of columns, numbers or texts of one length; as a pointer to be protected.
 */
SEXP columns_table(SEXP columns);
rls2_table *table_of(SEXP pointer);
const char *utf8(SEXP strings, R_xlen_t i);
SEXP text(const char *utf8);
/* A named list; the values are protected by it. */
SEXP named_list(int count, const char *const *names);
SEXP numbers(int64_t count, const double *values);

/* ---- r_watch.c ---- */

typedef struct watch {
    SEXP progress; /* a function, or NULL */
    double looked, told;
    int stopped; /* by the user, or by an error of the function */
} watch;
rls2_control watch_control(watch *w, SEXP progress, SEXP threads);
/* R's error for one of the library; "interrupted" where the user stopped. */
void refuse(const watch *w, const rls2_error *err);

/* ---- r_model.c ---- */

SEXP model_pointer(void);                        /* of no model yet */
void model_put(SEXP pointer, rls2_model *model); /* takes it over */
rls2_model *model_of(SEXP pointer);

#endif
