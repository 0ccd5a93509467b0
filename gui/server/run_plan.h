/* What a run is asked for, as a plan of the library.
 *
 * The page sends {"data": ID, "test_data": ID, "validation_data": ID, "settings": {NAME: VALUE}};
 * all but "data" may be left out. Names are those of rls2/settings.h with '_'; a value is a text, a
 * number, a truth, a list of these, or null for the default. */
#ifndef RLS2_GUI_RUN_PLAN_H
#define RLS2_GUI_RUN_PLAN_H

#include "gui/server/state.h"
#include "rls2/plan.h"

typedef struct run_plan {
    state *state;
    cached *file, *test_file, *validation_file; /* borrowed tables; NULL where there are none */
    rls2_plan *plan;
} run_plan;

/* The settings are asked for; the table has not been looked at. Release it in either case. */
int run_plan_make(state *s, const json_t *asked, rls2_goal goal, run_plan *p, fault *f);
/* The same, held against the table. */
int run_plan_complete(state *s, const json_t *asked, run_plan *p, fault *f);
void run_plan_release(run_plan *p);

const rls2_table *run_plan_file(const run_plan *p);
int run_plan_is_classification(const run_plan *p);
const char *run_plan_task(const run_plan *p);
int64_t run_plan_outputs(const run_plan *p);
/* Is `word` the value of that setting? */
int run_plan_is(const run_plan *p, const char *name, const char *word);
/* Is lambda chosen on rows left out? */
int run_plan_leaves_rows_out(const run_plan *p);
/* The loss in words, "quantile(0.05,0.5,0.95)" of several quantiles; a new text. */
json_t *run_plan_loss(const run_plan *p);
/* Labels of the classes, none for numbers; the notes of the plan. New lists. */
json_t *run_plan_classes(const run_plan *p);
json_t *run_plan_notes(const run_plan *p);

/* ---- plan_words.c ---- */

/* Asks a plan for each member of the object; NULL asks for nothing. */
int plan_set_json(rls2_plan *plan, const json_t *settings, fault *f);
/* The library's error, with the setting it is about. */
int plan_fault(const rls2_plan *plan, const rls2_error *err, fault *f);
/* The name of a setting in JSON. */
const char *plan_json_name(const rls2_setting *setting, char name[64]);

/* ---- former_settings.c ---- */

/* What versions up to 0.6 wrote down of a run, as it is asked for today; a new object, or NULL when
 * out of memory. */
json_t *former_settings(const json_t *settings);
/* Sets what versions up to 0.7 did by default and later ones do otherwise, so that a run of theirs
 * has the rows and columns it was learned from. `summary` is that of the run, or NULL. */
void former_defaults(json_t *asked, const json_t *summary);

#endif
