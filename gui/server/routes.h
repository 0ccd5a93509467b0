/* What can be asked, by file. */
#ifndef RLS2_GUI_ROUTES_H
#define RLS2_GUI_ROUTES_H

#include "gui/server/http.h"

/* data_routes.c */
int data_upload(request *r, reply *answer, fault *f);
int data_builtin(request *r, reply *answer, fault *f);
int data_get(request *r, reply *answer, fault *f);
int data_rows(request *r, reply *answer, fault *f);
int data_reread(request *r, reply *answer, fault *f);
int data_delete(request *r, reply *answer, fault *f);
/* The tables that come along, as /api/state lists them. */
json_t *data_samples(const state *s);
/* The target of one of them; NULL where there is none of that name. */
const char *data_sample_target(const char *name);
/* {delimiter, header, decimal, na} of the query, how a file is to be read; NULL where none is
 * there. */
json_t *request_reading(const request *r);

/* sample_picture.c */
int data_sample_picture(request *r, reply *answer, fault *f);

/* run_routes.c */
int state_get(request *r, reply *answer, fault *f);
int settings_check(request *r, reply *answer, fault *f);
int run_add(request *r, reply *answer, fault *f);
int run_get(request *r, reply *answer, fault *f);
int run_stop(request *r, reply *answer, fault *f);
int run_delete(request *r, reply *answer, fault *f);
int run_rename(request *r, reply *answer, fault *f);
int run_note(request *r, reply *answer, fault *f);

/* model_routes.c: files that were opened, and of a run the model of one lambda */
int model_upload(request *r, reply *answer, fault *f);
int model_get(request *r, reply *answer, fault *f);
int model_delete(request *r, reply *answer, fault *f);
/* The files, as /api/state lists them. The lock is held. */
json_t *model_list(const state *s);

/* model_rows.c: of either */
int model_rows(request *r, reply *answer, fault *f);

/* savings_route.c */
int settings_savings(request *r, reply *answer, fault *f);

/* settings_route.c */
int settings_get(request *r, reply *answer, fault *f);

/* proof_route.c: answered without the token */
#define PROOF_PATH "/api/proof"
int proof_get(request *r, reply *answer, fault *f);

/* events.c */
int run_events(request *r, reply *answer, fault *f);
int state_events(request *r, reply *answer, fault *f);

/* detail.c, function.c; input_effect.c and explanation.c, of model files too */
int run_point(request *r, reply *answer, fault *f);
int run_function(request *r, reply *answer, fault *f);
int run_effect(request *r, reply *answer, fault *f);
int run_explanation(request *r, reply *answer, fault *f);

/* files.c: what is downloaded */
int run_profile(request *r, reply *answer, fault *f);
int run_model(request *r, reply *answer, fault *f);
int run_statistics_csv(request *r, reply *answer, fault *f);
int run_statistics_json(request *r, reply *answer, fault *f);

/* predictions.c; run_predict of model files too */
int run_predictions(request *r, reply *answer, fault *f);
int run_predict(request *r, reply *answer, fault *f);
int run_table(request *r, reply *answer, fault *f);

/* commands.c */
int run_commands(request *r, reply *answer, fault *f);

#endif
