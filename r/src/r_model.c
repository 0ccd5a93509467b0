/* Models: files, what they know of themselves, and what they say about rows. */
#include <math.h>
#include <string.h>

#include "rls2_calls.h"

/* ---- life ---- */

static void release(SEXP pointer)
{
    rls2_model_free(R_ExternalPtrAddr(pointer));
    R_ClearExternalPtr(pointer);
}

SEXP model_pointer(void)
{
    SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(pointer, release, TRUE);
    UNPROTECT(1);
    return pointer;
}

void model_put(SEXP pointer, rls2_model *model)
{
    R_SetExternalPtrAddr(pointer, model);
}

rls2_model *model_of(SEXP pointer)
{
    rls2_model *model = TYPEOF(pointer) == EXTPTRSXP ? R_ExternalPtrAddr(pointer) : NULL;
    if (!model) Rf_error("the model is not in memory");
    return model;
}

/* ---- files ---- */

static void release_bytes(SEXP pointer)
{
    rls2_bytes_free(R_ExternalPtrAddr(pointer));
    R_ClearExternalPtr(pointer);
}

SEXP r_model_pack(SEXP pointer)
{
    rls2_error err;
    void *bytes = NULL;
    int64_t length = 0;
    SEXP held = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(held, release_bytes, TRUE);
    if (rls2_model_pack(model_of(pointer), &bytes, &length, &err) != RLS2_OK) refuse(NULL, &err);
    R_SetExternalPtrAddr(held, bytes);
    SEXP raw = PROTECT(Rf_allocVector(RAWSXP, (R_xlen_t)length));
    memcpy(RAW(raw), bytes, (size_t)length);
    release_bytes(held);
    UNPROTECT(2);
    return raw;
}

SEXP r_model_unpack(SEXP bytes)
{
    rls2_error err;
    rls2_model *model = NULL;
    SEXP pointer = PROTECT(model_pointer());
    if (rls2_model_unpack("the model", RAW(bytes), XLENGTH(bytes), &model, &err) != RLS2_OK)
        refuse(NULL, &err);
    model_put(pointer, model);
    UNPROTECT(1);
    return pointer;
}

SEXP r_model_save(SEXP pointer, SEXP path)
{
    rls2_error err;
    const char *name = Rf_translateChar(STRING_ELT(path, 0));
    if (rls2_model_save(model_of(pointer), name, &err) != RLS2_OK) refuse(NULL, &err);
    return R_NilValue;
}

SEXP r_model_load(SEXP path)
{
    rls2_error err;
    rls2_model *model = NULL;
    SEXP pointer = PROTECT(model_pointer());
    if (rls2_model_load(Rf_translateChar(STRING_ELT(path, 0)), &model, &err) != RLS2_OK)
        refuse(NULL, &err);
    model_put(pointer, model);
    UNPROTECT(1);
    return pointer;
}

/* ---- what it is ---- */

typedef const char *(*text_of)(const rls2_model *model, int64_t i);

static SEXP texts(const rls2_model *model, int64_t count, text_of about)
{
    SEXP made = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (int64_t i = 0; i < count; i++) SET_STRING_ELT(made, i, text(about(model, i)));
    UNPROTECT(1);
    return made;
}

typedef double (*number_of)(const rls2_model *model, int64_t i);

static SEXP values(const rls2_model *model, int64_t first, int64_t end, number_of about)
{
    SEXP made = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)(end - first)));
    for (int64_t i = first; i < end; i++) REAL(made)[i - first] = about(model, i);
    UNPROTECT(1);
    return made;
}

static double base_of(const rls2_model *model, int64_t o)
{
    return rls2_model_base(rls2_model_output(model, o));
}

/* measure, score and standard error of left-out rows; NULL where there were none */
static SEXP left_out(const rls2_model *model)
{
    static const char *const names[] = {"measure", "score", "error", "splits"};
    const rls2_left_out *l = rls2_model_left_out(model);
    if (!l) return R_NilValue;
    SEXP list = PROTECT(named_list(4, names));
    SET_VECTOR_ELT(list, 0, Rf_mkString(l->measure));
    SET_VECTOR_ELT(list, 1, Rf_ScalarReal(l->score));
    SET_VECTOR_ELT(list, 2, Rf_ScalarReal(l->error));
    SET_VECTOR_ELT(list, 3, Rf_ScalarInteger((int)l->splits));
    UNPROTECT(1);
    return list;
}

SEXP r_model_about(SEXP pointer)
{
    static const char *const names[] = {
        "lambda", "rows",    "inputs",    "outputs", "classes", "kernels",     "weights",
        "base",   "members", "shares",    "loss",    "spec",    "target",      "left_out",
        "level",  "gap",     "objective", "df",      "linear",  "sparse_score"};
    const rls2_model *m = model_of(pointer);
    const rls2_path_point *point = rls2_model_point(m);
    const rls2_interval *interval = rls2_model_interval(rls2_model_output(m, 0));
    int64_t kernels = rls2_model_kernel_count(m), outputs = rls2_model_outputs(m);
    int64_t members = rls2_model_member_count(m);
    char loss[64];
    SEXP list = PROTECT(named_list(20, names));
    SET_VECTOR_ELT(list, 0, Rf_ScalarReal(rls2_model_lambda(m)));
    SET_VECTOR_ELT(list, 1, Rf_ScalarReal((double)rls2_model_rows(m)));
    SET_VECTOR_ELT(list, 2, texts(m, rls2_model_input_count(m), rls2_model_input_name));
    SET_VECTOR_ELT(list, 3, texts(m, outputs, rls2_model_output_name));
    SET_VECTOR_ELT(list, 4, texts(m, rls2_model_class_count(m), rls2_model_class_label));
    SET_VECTOR_ELT(list, 5, texts(m, kernels, rls2_model_kernel_name));
    SET_VECTOR_ELT(list, 6, values(m, 0, kernels, rls2_model_kernel_weight));
    SET_VECTOR_ELT(list, 7, values(m, 0, outputs, base_of));
    SET_VECTOR_ELT(list, 8, texts(m, members, rls2_model_member_name));
    SET_VECTOR_ELT(list, 9, values(rls2_model_output(m, 0), -1, members, rls2_model_member_weight));
    SET_VECTOR_ELT(list, 10, Rf_mkString(rls2_loss_text(rls2_model_loss(m), loss, sizeof loss)));
    SET_VECTOR_ELT(list, 11, Rf_ScalarString(text(rls2_model_spec(m))));
    SET_VECTOR_ELT(list, 12, Rf_ScalarString(text(rls2_model_target(rls2_model_output(m, 0)))));
    SET_VECTOR_ELT(list, 13, left_out(m));
    SET_VECTOR_ELT(list, 14, Rf_ScalarReal(interval ? interval->level : NA_REAL));
    SET_VECTOR_ELT(list, 15, Rf_ScalarReal(point->gap));
    SET_VECTOR_ELT(list, 16, Rf_ScalarReal(point->objective));
    SET_VECTOR_ELT(list, 17, Rf_ScalarReal(point->df));
    SET_VECTOR_ELT(list, 18, Rf_ScalarLogical(rls2_dictionary_is_linear(rls2_model_dictionary(m))));
    SET_VECTOR_ELT(list, 19, Rf_ScalarReal(rls2_model_sparse_score(m)));
    UNPROTECT(1);
    return list;
}

/* ---- rows ---- */

static void release_data(SEXP pointer)
{
    rls2_dataset_free(R_ExternalPtrAddr(pointer));
    R_ClearExternalPtr(pointer);
}

/* Rows as the model expects them, as a pointer to be protected. */
static SEXP encode(const rls2_model *model, SEXP columns, rls2_missing missing)
{
    rls2_error err;
    rls2_dataset *data = NULL;
    SEXP table = PROTECT(columns_table(columns));
    SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(pointer, release_data, TRUE);
    if (rls2_model_encode(model, table_of(table), missing, RLS2_RESPONSE_IGNORED, &data, &err) !=
        RLS2_OK)
        refuse(NULL, &err);
    R_SetExternalPtrAddr(pointer, data);
    UNPROTECT(2);
    return pointer;
}

/* Constant and slopes in the units of the table: columns (1 + p) x outputs. The model's own are of
 * columns less their means, over their deviations (0: a column that is zero whatever it holds). */
static void in_units(const rls2_dataset *data, int64_t p, double *a)
{
    const double *means = rls2_dataset_means(data), *spread = rls2_dataset_deviations(data);
    if (!means || !spread) return;
    for (int64_t j = 0; j < p; j++) {
        a[1 + j] = spread[j] == 0.0 ? 0.0 : a[1 + j] / spread[j];
        a[0] -= a[1 + j] * means[j];
    }
}

/* A table of one row without cells tells the units. */
static SEXP empty_columns(const rls2_model *m)
{
    int64_t count = rls2_model_input_count(m);
    SEXP list = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)count));
    SEXP names = PROTECT(texts(m, count, rls2_model_input_name));
    for (int64_t j = 0; j < count; j++) SET_VECTOR_ELT(list, j, Rf_ScalarString(NA_STRING));
    Rf_setAttrib(list, R_NamesSymbol, names);
    UNPROTECT(2);
    return list;
}

SEXP r_model_coefficients(SEXP pointer)
{
    rls2_error err;
    const rls2_model *m = model_of(pointer);
    int64_t p = rls2_model_columns(m), outputs = rls2_model_outputs(m);
    SEXP columns = PROTECT(empty_columns(m));
    SEXP data = PROTECT(encode(m, columns, RLS2_MISSING_DROP));
    SEXP matrix = PROTECT(Rf_allocMatrix(REALSXP, (int)p + 1, (int)outputs));
    for (int64_t o = 0; o < outputs; o++) {
        double *a = REAL(matrix) + o * (p + 1);
        const rls2_model *output = rls2_model_output(m, o);
        if (rls2_model_coefficients(output, a + 1, &err) != RLS2_OK) refuse(NULL, &err);
        a[0] = rls2_model_intercept(output);
        in_units(R_ExternalPtrAddr(data), p, a);
    }
    SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)p + 1));
    SET_STRING_ELT(names, 0, Rf_mkChar("(Intercept)"));
    for (int64_t j = 0; j < p; j++)
        SET_STRING_ELT(names, j + 1, text(rls2_model_column_names(m)[j]));
    SEXP both = PROTECT(Rf_allocVector(VECSXP, 2));
    SET_VECTOR_ELT(both, 0, names);
    SET_VECTOR_ELT(both, 1, texts(m, outputs, rls2_model_output_name));
    Rf_setAttrib(matrix, R_DimNamesSymbol, both);
    UNPROTECT(5);
    return matrix;
}

/* What a row says, n x width, into rows of the table, which are NA where the row was left out. */
static SEXP spread_rows(const rls2_dataset *data, int64_t rows, int64_t width, const double *from)
{
    int64_t n = rls2_dataset_rows(data);
    SEXP matrix = PROTECT(Rf_allocMatrix(REALSXP, (int)rows, (int)width));
    double *to = REAL(matrix);
    for (int64_t i = 0; i < rows * width; i++) to[i] = NA_REAL;
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < width; c++)
            to[c * rows + rls2_dataset_source_row(data, i)] = from[c * n + i];
    UNPROTECT(1);
    return matrix;
}

/* "link": f; "response": as the loss reads it; "probability"; "interval": lower and upper. */
static const double *say(const rls2_model *m, const char *what, int64_t n, double *f,
                         int64_t *width)
{
    rls2_error err;
    rls2_status status = RLS2_OK;
    double *made = f;
    if (strcmp(what, "response") == 0) rls2_model_respond(m, n, f);
    if (strcmp(what, "probability") == 0) {
        *width = rls2_model_class_count(m);
        made = (double *)R_alloc((size_t)(n * *width) + 1, sizeof *made);
        status = rls2_model_probabilities(m, n, f, made, &err);
    }
    if (strcmp(what, "interval") == 0) {
        int64_t count = rls2_model_interval_count(m);
        *width = 2 * count;
        made = (double *)R_alloc((size_t)(n * *width) + 1, sizeof *made);
        status = rls2_model_predict_interval(m, n, f, made, made + n * count, &err);
    }
    if (status != RLS2_OK) refuse(NULL, &err);
    return made;
}

SEXP r_model_predict(SEXP pointer, SEXP columns, SEXP what, SEXP missing, SEXP threads)
{
    rls2_error err;
    watch w;
    const rls2_model *m = model_of(pointer);
    int64_t rows = XLENGTH(columns) > 0 ? XLENGTH(VECTOR_ELT(columns, 0)) : 0;
    int64_t width = rls2_model_outputs(m);
    SEXP held = PROTECT(encode(m, columns, (rls2_missing)Rf_asInteger(missing)));
    const rls2_dataset *data = R_ExternalPtrAddr(held);
    int64_t n = rls2_dataset_rows(data);
    rls2_rows x = {.n = n, .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data), .ldx = n};
    double *f = (double *)R_alloc((size_t)(n * width) + 1, sizeof *f);
    rls2_control control = watch_control(&w, R_NilValue, threads);
    if (n > 0 && rls2_model_predict(m, &x, &control, f, &err) != RLS2_OK) refuse(&w, &err);
    const double *said = say(m, CHAR(STRING_ELT(what, 0)), n, f, &width);
    SEXP matrix = spread_rows(data, rows, width, said);
    UNPROTECT(1);
    return matrix;
}

/* ---- terms ---- */

/* names of the selected kernels of an output, and of the members of its stack */
static SEXP term_names(const rls2_model *m, int64_t kernels, int64_t members)
{
    SEXP both = PROTECT(Rf_allocVector(VECSXP, 2));
    SEXP names = Rf_allocVector(STRSXP, (R_xlen_t)(kernels + members));
    SET_VECTOR_ELT(both, 1, names);
    for (int64_t k = 0; k < kernels; k++)
        SET_STRING_ELT(names, k, text(rls2_model_kernel_name(m, k)));
    for (int64_t k = 0; k < members; k++)
        SET_STRING_ELT(names, kernels + k, text(rls2_model_member_name(m, k)));
    UNPROTECT(1);
    return both;
}

/* What kernels and members of an output, from 1, add to the predictions: rows x terms. */
SEXP r_model_terms(SEXP pointer, SEXP columns, SEXP output, SEXP threads)
{
    rls2_error err;
    watch w;
    const rls2_model *m = rls2_model_output(model_of(pointer), Rf_asInteger(output) - 1);
    int64_t rows = XLENGTH(columns) > 0 ? XLENGTH(VECTOR_ELT(columns, 0)) : 0;
    int64_t kernels = rls2_model_kernel_count(m), members = rls2_model_member_count(m);
    SEXP held = PROTECT(encode(model_of(pointer), columns, RLS2_MISSING_AS_TRAINED));
    const rls2_dataset *data = R_ExternalPtrAddr(held);
    int64_t n = rls2_dataset_rows(data);
    rls2_rows x = {.n = n, .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data), .ldx = n};
    double *f = (double *)R_alloc((size_t)(n * (kernels + members)) + 1, sizeof *f);
    rls2_control control = watch_control(&w, R_NilValue, threads);
    if (n > 0 &&
        (rls2_model_contributions(m, &x, &control, f, &err) != RLS2_OK ||
         rls2_model_member_contributions(m, &x, &control, f + n * kernels, &err) != RLS2_OK))
        refuse(&w, &err);
    SEXP matrix = PROTECT(spread_rows(data, rows, kernels + members, f));
    Rf_setAttrib(matrix, R_DimNamesSymbol, term_names(m, kernels, members));
    UNPROTECT(2);
    return matrix;
}

/* ---- effects ---- */

static void release_effect(SEXP pointer)
{
    rls2_effect_free(R_ExternalPtrAddr(pointer));
    R_ClearExternalPtr(pointer);
}

/* Of an input and an output, both from 1: list(value, level, rows, effect, lower, upper). */
SEXP r_model_effect(SEXP pointer, SEXP input, SEXP output)
{
    static const char *const names[] = {"value", "level", "rows", "effect", "lower", "upper"};
    rls2_error err;
    rls2_effect *effect = NULL;
    const rls2_model *m = rls2_model_output(model_of(pointer), Rf_asInteger(output) - 1);
    SEXP held = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, pointer));
    R_RegisterCFinalizerEx(held, release_effect, TRUE);
    if (rls2_model_effect(m, Rf_asInteger(input) - 1, &effect, &err) != RLS2_OK) refuse(NULL, &err);
    R_SetExternalPtrAddr(held, effect);
    int64_t count = rls2_effect_count(effect);
    SEXP list = PROTECT(named_list(6, names));
    for (int c = 0; c < 6; c++)
        SET_VECTOR_ELT(list, c, Rf_allocVector(c == 1 ? STRSXP : REALSXP, (R_xlen_t)count));
    for (int64_t i = 0; i < count; i++) {
        const rls2_effect_point *p = rls2_effect_at(effect, i);
        REAL(VECTOR_ELT(list, 0))[i] = p->value;
        SET_STRING_ELT(VECTOR_ELT(list, 1), i, text(p->level));
        REAL(VECTOR_ELT(list, 2))[i] = p->rows;
        REAL(VECTOR_ELT(list, 3))[i] = p->effect;
        REAL(VECTOR_ELT(list, 4))[i] = p->lower;
        REAL(VECTOR_ELT(list, 5))[i] = p->upper;
    }
    UNPROTECT(2);
    return list;
}
