/* The routines that R calls; r_init.c registers them. */
#ifndef RLS2_CALLS_H
#define RLS2_CALLS_H

#include "rls2_r.h"

SEXP r_settings(void);
SEXP r_fit(SEXP columns, SEXP goal, SEXP names, SEXP values, SEXP lambdas, SEXP folds, SEXP threads,
           SEXP progress);
SEXP r_fit_about(SEXP pointer);
SEXP r_fit_curve(SEXP pointer);
SEXP r_fit_model(SEXP pointer, SEXP i);
SEXP r_model_pack(SEXP pointer);
SEXP r_model_unpack(SEXP bytes);
SEXP r_model_save(SEXP pointer, SEXP path);
SEXP r_model_load(SEXP path);
SEXP r_model_about(SEXP pointer);
SEXP r_model_coefficients(SEXP pointer);
SEXP r_model_predict(SEXP pointer, SEXP columns, SEXP what, SEXP missing, SEXP threads);
SEXP r_model_terms(SEXP pointer, SEXP columns, SEXP output, SEXP threads);
SEXP r_model_effect(SEXP pointer, SEXP input, SEXP output);

#endif
