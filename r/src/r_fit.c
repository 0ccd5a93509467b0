/* A plan on a table, carried out, and what it led to as lists of R. */
#include "rls2_r.h"

#include <stdlib.h>

#include "rls2_calls.h"

/* Owned by an external pointer, which keeps the table alive. */
typedef struct fitting {
    rls2_plan *plan;
    rls2_fit *fit;
} fitting;

static void release(SEXP pointer)
{
    fitting *f = R_ExternalPtrAddr(pointer);
    if (!f) return;
    rls2_fit_free(f->fit);
    rls2_plan_free(f->plan);
    free(f);
    R_ClearExternalPtr(pointer);
}

static fitting *fitting_of(SEXP pointer)
{
    fitting *f = TYPEOF(pointer) == EXTPTRSXP ? R_ExternalPtrAddr(pointer) : NULL;
    if (!f || !f->fit) Rf_error("the fit is not in memory");
    return f;
}

/* ---- asking ---- */

static void set_all(rls2_plan *plan, SEXP names, SEXP values)
{
    rls2_error err;
    for (R_xlen_t i = 0; i < XLENGTH(names); i++)
        if (rls2_plan_set(plan, utf8(names, i), utf8(values, i), &err) != RLS2_OK)
            refuse(NULL, &err);
}

static void take_folds(rls2_plan *plan, SEXP folds)
{
    rls2_error err;
    rls2_splits *splits = NULL;
    R_xlen_t n = XLENGTH(folds);
    int64_t *fold = (int64_t *)R_alloc((size_t)n + 1, sizeof *fold);
    for (R_xlen_t i = 0; i < n; i++) fold[i] = INTEGER(folds)[i];
    if (rls2_splits_given(n, fold, &splits, &err) != RLS2_OK ||
        rls2_plan_take_splits(plan, splits, &err) != RLS2_OK)
        refuse(NULL, &err);
}

/* rows of the table that the data set was made of, from 1 */
static SEXP source_rows(const rls2_dataset *data)
{
    int64_t n = rls2_dataset_rows(data);
    SEXP rows = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)n));
    for (int64_t i = 0; i < n; i++) INTEGER(rows)[i] = (int)rls2_dataset_source_row(data, i) + 1;
    UNPROTECT(1);
    return rows;
}

static SEXP begin(SEXP table, int goal)
{
    rls2_error err;
    SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, table));
    R_RegisterCFinalizerEx(pointer, release, TRUE);
    fitting *f = calloc(1, sizeof *f);
    if (!f) Rf_error("out of memory");
    R_SetExternalPtrAddr(pointer, f);
    if (rls2_plan_create((rls2_goal)goal, RLS2_VOICE_PLAIN, &f->plan, &err) != RLS2_OK)
        refuse(NULL, &err);
    UNPROTECT(1);
    return pointer;
}

SEXP r_fit(SEXP columns, SEXP goal, SEXP names, SEXP values, SEXP lambdas, SEXP folds, SEXP threads,
           SEXP progress)
{
    rls2_error err;
    watch w;
    SEXP table = PROTECT(columns_table(columns));
    SEXP pointer = PROTECT(begin(table, Rf_asInteger(goal)));
    fitting *f = R_ExternalPtrAddr(pointer);
    set_all(f->plan, names, values);
    if (lambdas != R_NilValue &&
        rls2_plan_set_lambdas(f->plan, XLENGTH(lambdas), REAL(lambdas), &err) != RLS2_OK)
        refuse(NULL, &err);
    if (rls2_plan_complete(f->plan, table_of(table), &err) != RLS2_OK) refuse(NULL, &err);
    if (folds != R_NilValue) take_folds(f->plan, folds);
    rls2_control control = watch_control(&w, progress, threads);
    rls2_status status = rls2_plan_fit(f->plan, &control, &f->fit, &err);
    if (status != RLS2_OK || w.stopped) {
        release(pointer); /* at once, not when R collects */
        refuse(&w, &err);
    }
    UNPROTECT(2);
    return pointer;
}

/* ---- what was found ---- */

static double point_value(const rls2_path_point *p, int which)
{
    switch (which) {
    case 0: return p->lambda;
    case 1: return p->objective;
    case 2: return p->gap;
    case 3: return p->df;
    case 4: return (double)p->iterations;
    case 5: return (double)p->outcome;
    default: return (double)p->selected;
    }
}

static SEXP notes_of(const rls2_plan *plan)
{
    int64_t count = rls2_plan_note_count(plan);
    SEXP notes = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (int64_t i = 0; i < count; i++) SET_STRING_ELT(notes, i, text(rls2_plan_note(plan, i)));
    UNPROTECT(1);
    return notes;
}

static SEXP kernel_names(const rls2_dictionary *dictionary)
{
    int64_t count = rls2_dictionary_count(dictionary);
    SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (int64_t k = 0; k < count; k++)
        SET_STRING_ELT(names, k, text(rls2_dictionary_name(dictionary, k)));
    UNPROTECT(1);
    return names;
}

/* list(kernels, d) of point i of output o, kernels from 1. */
static SEXP weights_at(const rls2_path *path, int64_t i)
{
    static const char *const names[] = {"kernel", "weight"};
    const int64_t *kernels;
    const double *d;
    int64_t count = rls2_path_kernel_weights(path, i, &kernels, &d);
    SEXP list = PROTECT(named_list(2, names));
    SEXP which = Rf_allocVector(INTSXP, (R_xlen_t)count);
    SET_VECTOR_ELT(list, 0, which);
    for (int64_t k = 0; k < count; k++) INTEGER(which)[k] = (int)kernels[k] + 1;
    SET_VECTOR_ELT(list, 1, numbers(count, d));
    UNPROTECT(1);
    return list;
}

static SEXP weights_of(const rls2_fit *fit, int64_t o)
{
    int64_t count = rls2_fit_count(fit);
    SEXP list = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)count));
    for (int64_t i = 0; i < count; i++)
        SET_VECTOR_ELT(list, i, weights_at(rls2_fit_path(fit, o), i));
    UNPROTECT(1);
    return list;
}

static SEXP all_weights(const rls2_fit *fit)
{
    int64_t outputs = rls2_fit_outputs(fit);
    SEXP list = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)outputs));
    for (int64_t o = 0; o < outputs; o++) SET_VECTOR_ELT(list, o, weights_of(fit, o));
    UNPROTECT(1);
    return list;
}

SEXP r_fit_about(SEXP pointer)
{
    static const char *const names[] = {"lambda",  "objective", "gap",     "df",     "iterations",
                                        "outcome", "nzero",     "kernels", "notes",  "linear",
                                        "spec",    "rows",      "weights", "chosen", "loss"};
    fitting *f = fitting_of(pointer);
    const rls2_dictionary *dictionary = rls2_plan_dictionary(f->plan);
    int64_t count = rls2_fit_count(f->fit);
    char loss[64];
    SEXP list = PROTECT(named_list(15, names));
    for (int which = 0; which < 7; which++) {
        SEXP values = Rf_allocVector(REALSXP, (R_xlen_t)count);
        SET_VECTOR_ELT(list, which, values);
        for (int64_t i = 0; i < count; i++)
            REAL(values)[i] = point_value(rls2_fit_at(f->fit, i), which);
    }
    SET_VECTOR_ELT(list, 7, kernel_names(dictionary));
    SET_VECTOR_ELT(list, 8, notes_of(f->plan));
    SET_VECTOR_ELT(list, 9, Rf_ScalarLogical(rls2_dictionary_is_linear(dictionary)));
    SET_VECTOR_ELT(list, 10, Rf_ScalarString(text(rls2_plan_kernels(f->plan))));
    SET_VECTOR_ELT(list, 11, source_rows(rls2_plan_data(f->plan, RLS2_PART_TRAINING)));
    SET_VECTOR_ELT(list, 12, all_weights(f->fit));
    SET_VECTOR_ELT(list, 13, Rf_ScalarInteger((int)rls2_fit_chosen(f->fit) + 1));
    rls2_loss_text(rls2_plan_loss(f->plan), loss, sizeof loss);
    SET_VECTOR_ELT(list, 14, Rf_mkString(loss));
    UNPROTECT(1);
    return list;
}

/* ---- the curve ---- */

static double curve_value(const rls2_cv_point *p, int which)
{
    switch (which) {
    case 0: return p->lambda;
    case 1: return p->cvm;
    case 2: return p->cvsd;
    case 3: return p->cvup;
    case 4: return p->cvlo;
    default: return p->nzero;
    }
}

SEXP r_fit_curve(SEXP pointer)
{
    static const char *const names[] = {"lambda", "cvm", "cvsd",   "cvup",    "cvlo",
                                        "nzero",  "min", "one_se", "measure", "rises"};
    const rls2_cv *cv = rls2_fit_cv(fitting_of(pointer)->fit);
    if (!cv) return R_NilValue;
    int64_t count = rls2_cv_count(cv);
    SEXP list = PROTECT(named_list(10, names));
    for (int which = 0; which < 6; which++) {
        SEXP values = Rf_allocVector(REALSXP, (R_xlen_t)count);
        SET_VECTOR_ELT(list, which, values);
        for (int64_t i = 0; i < count; i++) REAL(values)[i] = curve_value(rls2_cv_at(cv, i), which);
    }
    SET_VECTOR_ELT(list, 6, Rf_ScalarInteger((int)rls2_cv_min(cv) + 1));
    SET_VECTOR_ELT(list, 7, Rf_ScalarInteger((int)rls2_cv_1se(cv) + 1));
    SET_VECTOR_ELT(list, 8, Rf_mkString(rls2_measure_name(rls2_cv_measure(cv))));
    SET_VECTOR_ELT(list, 9, Rf_ScalarLogical(rls2_measure_rises(rls2_cv_measure(cv))));
    UNPROTECT(1);
    return list;
}

/* The model of point i, from 1. */
SEXP r_fit_model(SEXP pointer, SEXP i)
{
    rls2_error err;
    rls2_model *model = NULL;
    SEXP made = PROTECT(model_pointer());
    const rls2_fit *fit = fitting_of(pointer)->fit;
    if (rls2_fit_model(fit, Rf_asInteger(i) - 1, &model, &err) != RLS2_OK) refuse(NULL, &err);
    model_put(made, model);
    UNPROTECT(1);
    return made;
}

/* ---- settings ---- */

SEXP r_settings(void)
{
    static const char *const names[] = {"name", "kind", "scope", "default", "sentence"};
    int64_t count = rls2_setting_count();
    SEXP list = PROTECT(named_list(5, names));
    for (int c = 0; c < 5; c++)
        SET_VECTOR_ELT(list, c, Rf_allocVector(c == 1 || c == 2 ? INTSXP : STRSXP, (int)count));
    for (int64_t i = 0; i < count; i++) {
        const rls2_setting *s = rls2_setting_at(i);
        char sentence[1024];
        rls2_setting_tell(s, RLS2_SETTING_SENTENCE, RLS2_VOICE_PLAIN, sentence, sizeof sentence);
        SET_STRING_ELT(VECTOR_ELT(list, 0), i, text(rls2_setting_about(s, RLS2_SETTING_NAME)));
        INTEGER(VECTOR_ELT(list, 1))[i] = (int)rls2_setting_kind_of(s);
        INTEGER(VECTOR_ELT(list, 2))[i] = (int)rls2_setting_scope_of(s);
        SET_STRING_ELT(VECTOR_ELT(list, 3), i, text(rls2_setting_about(s, RLS2_SETTING_DEFAULT)));
        SET_STRING_ELT(VECTOR_ELT(list, 4), i, text(sentence));
    }
    UNPROTECT(1);
    return list;
}
