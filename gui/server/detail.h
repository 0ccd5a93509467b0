/* One lambda of a run that has a result. */
#ifndef RLS2_GUI_DETAIL_H
#define RLS2_GUI_DETAIL_H

#include "gui/server/http.h"
#include "gui/server/run_plan.h"

/* The run of the request, which must have a result; to be given back by run_release, also after an
 * error. */
int detail_run(request *r, run **found, fault *f);
/* 404 where the run has no lambda number i. */
int detail_has_point(request *r, const run *found, int64_t i, fault *f);
/* Its model, loaded; returned by cache_return(s->models, ...). */
int detail_model(state *s, const run *found, int64_t i, cached **model, fault *f);
/* The output of the model that the query asks for: the first, or number `output`. */
int detail_output(const request *r, const rls2_model *model, const rls2_model **one, fault *f);
/* What the run was asked for; a new object, or NULL when out of memory. */
json_t *detail_asked(state *s, const run *found);
/* Its plan, completed. Release it in either case. */
int detail_plan(state *s, const run *found, run_plan *p, fault *f);
/* Predictions of rows left out, n x outputs of rls2_plan_split_data, which the caller frees; *f64
 * is NULL where there was no cross-validation. */
int detail_left_out(state *s, const run *found, int64_t i, int64_t n, int64_t outputs, double **f64,
                    fault *f);

/* ---- detail_rows.c ---- */

/* Adds "train", "test" and "left_out" to the detail, where there are such rows, and of classes
 * "confusion". *train, which the caller frees, are the training rows as the model sees them. */
int detail_rows(state *s, const run *found, const run_plan *p, int64_t i, const rls2_model *model,
                json_t *detail, rls2_dataset **train, fault *f);

#endif
