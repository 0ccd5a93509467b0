/* The gateway of Octave and MATLAB: one MEX function, on the public headers and the plain C
 * interface of mex.h. The functions of matlab/inst translate arguments for it; every rule of the
 * method, every name, check and default of a setting is the library's.
 *
 *     rls2_mex('fit', goal, X, xnames, Y, ynames, words, lambdas, threads, progress, Xtest, Ytest)
 *     rls2_mex('predict', bytes, X, xnames, what)     rls2_mex('about', bytes)
 *     rls2_mex('verify', bytes, X, xnames, Y, ynames) rls2_mex('effect', bytes, input)
 *     rls2_mex('load', file)  rls2_mex('save', bytes, file)  rls2_mex('settings')
 *
 * X and Y are matrices of doubles, or cell arrays of columns, each of doubles or of texts. A model
 * is the bytes of its file. What belongs to the library is kept in `own`, so that an error, Ctrl-C
 * or want of memory inside an mx function, which leave this file by a jump, lose nothing: the next
 * call frees it. */
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mex.h"
#include "rls2/rls2.h"

#if defined(OCTAVE_VERSION) || defined(RLS2_OCTAVE)
extern sig_atomic_t octave_interrupt_state; /* more than 0: Ctrl-C was pressed */
static int is_interrupted(void)
{
    return octave_interrupt_state > 0;
}

extern int call_function(int count, mxArray **in); /* rls2_octave.cc */
#else
extern bool utIsInterruptPending(void); /* of MATLAB's libut */
static int is_interrupted(void)
{
    return utIsInterruptPending();
}

static int call_function(int count, mxArray **in)
{
    mxArray *error = mexCallMATLABWithTrap(0, NULL, count, in, "feval");
    if (error) mxDestroyArray(error);
    return error != NULL;
}
#endif

/* ---- what is owned, and errors ---- */

/* A text of Octave or MATLAB, copied: Octave never frees what mxArrayToString makes. */
typedef struct note {
    struct note *next;
    char text[];
} note;

static struct {
    note *notes;
    rls2_column *columns;
    const char ***texts; /* of each column, or NULL */
    int64_t column_count;
    rls2_table *table, *test;
    rls2_plan *plan;
    rls2_fit *fit;
    rls2_model *model;
    rls2_dataset *data;
    rls2_effect *effect;
    void *bytes;
    double *numbers;
    const mxArray *progress;
    double told;
    int busy; /* the progress function is being called */
} own;

static void release_columns(void)
{
    for (int64_t j = 0; own.texts && j < own.column_count; j++) free(own.texts[j]);
    free(own.texts);
    free(own.columns);
    own.texts = NULL, own.columns = NULL, own.column_count = 0;
}

static void release_notes(void)
{
    while (own.notes) {
        note *next = own.notes->next;
        free(own.notes);
        own.notes = next;
    }
}

static void release(void)
{
    release_columns();
    release_notes();
    rls2_fit_free(own.fit);
    rls2_plan_free(own.plan);
    rls2_effect_free(own.effect);
    rls2_dataset_free(own.data);
    rls2_model_free(own.model);
    rls2_table_free(own.table);
    rls2_table_free(own.test);
    rls2_bytes_free(own.bytes);
    free(own.numbers);
    memset(&own, 0, sizeof own);
}

static void fail(const char *id, const char *format, ...)
{
    static char text[1024]; /* outlives release() and the jump */
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    release();
    mexErrMsgIdAndTxt(id, "%s", text);
}

static void fail_library(const rls2_error *err)
{
    static const char *const IDS[] = {"rls2:error",     "rls2:badArgument", "rls2:badValue",
                                      "rls2:badSyntax", "rls2:unknownName", "rls2:noMemory",
                                      "rls2:badFile",   "rls2:interrupted", "rls2:numeric"};
    const char *setting = rls2_plan_fault(own.plan);
    size_t status = (size_t)err->status;
    const char *id = status < sizeof IDS / sizeof *IDS ? IDS[status] : IDS[0];
    int is_setting = setting && (err->status == RLS2_ERR_ARGUMENT || err->status == RLS2_ERR_NAME);
    fail(is_setting ? "rls2:badSetting" : id, "%s", err->message);
}

static void check(rls2_status status, const rls2_error *err)
{
    if (status != RLS2_OK) fail_library(err);
}

static void *take_memory(size_t count, size_t size)
{
    void *room = calloc(count + 1, size);
    if (!room) fail("rls2:noMemory", "out of memory");
    return room;
}

/* ---- progress and Ctrl-C ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Calls progress(stage, done, total); 1 where it failed or says true. */
static int tell(const rls2_progress *p)
{
    mxArray *in[4] = {(mxArray *)own.progress, mxCreateString(p->stage),
                      mxCreateDoubleScalar((double)p->done),
                      mxCreateDoubleScalar((double)p->total)};
    own.busy = 1;
    int failed = call_function(4, in);
    own.busy = 0;
    for (int i = 1; i < 4; i++) mxDestroyArray(in[i]);
    return failed || is_interrupted();
}

/* The library calls it from the thread that called the library. */
static int watch(void *user, const rls2_progress *p)
{
    static const double EVERY = 0.1;
    (void)user;
    if (is_interrupted()) return 1;
    if (!own.progress) return 0;
    double at = now();
    if (at - own.told < EVERY && p->done != p->total) return 0;
    own.told = at;
    return tell(p);
}

static rls2_control control_of(int threads)
{
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = threads;
    control.progress = watch;
    return control;
}

/* ---- arguments ---- */

static char *text_of(const mxArray *a, const char *what)
{
    if (!mxIsChar(a)) fail("rls2:badArgument", "%s must be a text", what);
    size_t room = mxGetNumberOfElements(a) * 4 + 1; /* of UTF-8 */
    note *made = take_memory(sizeof *made + room, 1);
    made->next = own.notes;
    own.notes = made;
    if (room > 1 && mxGetString(a, made->text, room) != 0)
        fail("rls2:badArgument", "%s cannot be read", what);
    return made->text;
}

static int64_t rows_of(const mxArray *a)
{
    if (!mxIsCell(a)) return (int64_t)mxGetM(a);
    return mxGetNumberOfElements(a) ? (int64_t)mxGetM(mxGetCell(a, 0)) : 0;
}

static int64_t columns_of(const mxArray *a)
{
    if (!a || mxIsEmpty(a)) return 0;
    return (int64_t)(mxIsCell(a) ? mxGetNumberOfElements(a) : mxGetN(a));
}

static void fill_texts(const mxArray *cells, int64_t rows, int64_t at)
{
    own.texts[at] = take_memory((size_t)rows, sizeof **own.texts);
    for (int64_t i = 0; i < rows; i++)
        own.texts[at][i] = text_of(mxGetCell(cells, (size_t)i), "a cell of a text column");
    own.columns[at].texts = own.texts[at];
}

/* Appends the columns of `a` from column number `at` on. */
static void add_columns(const mxArray *a, const mxArray *names, int64_t rows, int64_t at)
{
    int64_t count = columns_of(a);
    for (int64_t j = 0; j < count; j++, at++) {
        const mxArray *column = mxIsCell(a) ? mxGetCell(a, (size_t)j) : a;
        if (rows_of(column) != rows && !(mxIsCell(column) && (int64_t)mxGetM(column) == rows))
            fail("rls2:badArgument", "X and Y, and all columns, must have the same number of rows");
        own.columns[at].name = text_of(mxGetCell(names, (size_t)j), "the name of a column");
        own.columns[at].stride = 1;
        if (mxIsCell(column))
            fill_texts(column, rows, at);
        else if (mxIsDouble(column) && !mxIsComplex(column) && !mxIsSparse(column))
            own.columns[at].numbers = mxGetPr(column) + (mxIsCell(a) ? 0 : j * rows);
        else
            fail("rls2:badArgument", "a column must be real doubles or texts");
    }
}

static rls2_table *table_of(const char *name, const mxArray *const *x)
{
    rls2_error err;
    rls2_table *table = NULL;
    int64_t inputs = columns_of(x[0]), targets = x[2] ? columns_of(x[2]) : 0;
    int64_t rows = rows_of(inputs ? x[0] : x[2]);
    own.column_count = inputs + targets;
    own.columns = take_memory((size_t)own.column_count, sizeof *own.columns);
    own.texts = take_memory((size_t)own.column_count, sizeof *own.texts);
    add_columns(x[0], x[1], rows, 0);
    if (targets) add_columns(x[2], x[3], rows, inputs);
    check(rls2_table_create(name, rows, own.column_count, own.columns, &table, &err), &err);
    release_columns();
    return table;
}

static void unpack_model(const mxArray *bytes)
{
    rls2_error err;
    if (!mxIsUint8(bytes)) fail("rls2:badArgument", "this is no model of rls2_train or rls2_load");
    check(rls2_model_unpack("model", mxGetData(bytes), (int64_t)mxGetNumberOfElements(bytes),
                            &own.model, &err),
          &err);
}

/* ---- results ---- */

static void put(mxArray *s, const char *name, mxArray *value)
{
    int field = mxGetFieldNumber(s, name);
    if (field < 0) field = mxAddField(s, name);
    mxSetFieldByNumber(s, 0, field, value);
}

static void put_number(mxArray *s, const char *name, double value)
{
    put(s, name, mxCreateDoubleScalar(value));
}

static void put_text(mxArray *s, const char *name, const char *text)
{
    put(s, name, mxCreateString(text ? text : ""));
}

static double *put_matrix(mxArray *s, const char *name, int64_t rows, int64_t columns)
{
    mxArray *a = mxCreateDoubleMatrix((size_t)rows, (size_t)columns, mxREAL);
    put(s, name, a);
    return mxGetPr(a);
}

static mxArray *put_cells(mxArray *s, const char *name, int64_t count)
{
    mxArray *a = mxCreateCellMatrix((size_t)count, 1);
    put(s, name, a);
    return a;
}

static void set_cell(mxArray *cells, int64_t i, const char *text)
{
    mxSetCell(cells, (size_t)i, mxCreateString(text ? text : ""));
}

static mxArray *new_struct(void)
{
    return mxCreateStructMatrix(1, 1, 0, NULL);
}

static void put_bytes(mxArray *s, const rls2_model *model)
{
    rls2_error err;
    int64_t length;
    check(rls2_model_pack(model, &own.bytes, &length, &err), &err);
    mxArray *a = mxCreateNumericMatrix(1, (size_t)length, mxUINT8_CLASS, mxREAL);
    memcpy(mxGetData(a), own.bytes, (size_t)length);
    put(s, "bytes", a);
    rls2_bytes_free(own.bytes);
    own.bytes = NULL;
}

static void put_kernels(mxArray *s, const rls2_model *m)
{
    int64_t count = rls2_model_kernel_count(m);
    mxArray *names = put_cells(s, "kernels", count);
    double *weights = put_matrix(s, "weights", count, 1);
    for (int64_t k = 0; k < count; k++) {
        set_cell(names, k, rls2_model_kernel_name(m, k));
        weights[k] = rls2_model_kernel_weight(m, k);
    }
}

static void put_shares(mxArray *s, const rls2_model *m)
{
    rls2_error err;
    rls2_control control = control_of(0);
    if (rls2_model_outputs(m) != 1) return;
    double *share = put_matrix(s, "shares", rls2_model_kernel_count(m), 1);
    check(rls2_model_shares(m, &control, share, NULL, &err), &err);
}

static void put_names(mxArray *s, const rls2_model *m)
{
    int64_t inputs = rls2_model_input_count(m), classes = rls2_model_class_count(m);
    int64_t outputs = rls2_model_outputs(m);
    mxArray *a = put_cells(s, "inputs", inputs);
    for (int64_t j = 0; j < inputs; j++) set_cell(a, j, rls2_model_input_name(m, j));
    a = put_cells(s, "classes", classes);
    for (int64_t k = 0; k < classes; k++) set_cell(a, k, rls2_model_class_label(m, k));
    a = put_cells(s, "outputs", outputs);
    for (int64_t o = 0; o < outputs; o++) set_cell(a, o, rls2_model_output_name(m, o));
}

/* Coefficients of linear models, in the units of the preprocessed columns. */
static void put_coefficients(mxArray *s, const rls2_model *m)
{
    rls2_error err;
    own.numbers = take_memory((size_t)rls2_model_columns(m), sizeof *own.numbers);
    if (rls2_model_coefficients(m, own.numbers, &err) == RLS2_OK) {
        int64_t p = rls2_model_columns(m);
        memcpy(put_matrix(s, "coefficients", p, 1), own.numbers, (size_t)p * sizeof(double));
    }
    free(own.numbers);
    own.numbers = NULL;
}

static void put_model(mxArray *s, const rls2_model *m)
{
    const rls2_path_point *point = rls2_model_point(m);
    const rls2_left_out *left = rls2_model_left_out(m);
    put_number(s, "lambda", rls2_model_lambda(m));
    put_number(s, "intercept", rls2_model_intercept(m));
    put_number(s, "objective", point->objective);
    put_number(s, "gap", point->gap);
    put_number(s, "df", point->df);
    put_number(s, "rows", (double)rls2_model_rows(m));
    put_kernels(s, m);
    put_shares(s, m);
    put_coefficients(s, m);
    put_names(s, m);
    put_text(s, "target", rls2_model_target(m));
    put_text(s, "dictionary", rls2_model_spec(m));
    put_number(s, "members", (double)rls2_model_member_count(m));
    if (!left) return;
    put_text(s, "measure", left->measure);
    put_number(s, "score", left->score);
    put_number(s, "score_error", left->error);
}

static void put_notes(mxArray *s)
{
    int64_t count = rls2_plan_note_count(own.plan);
    mxArray *notes = put_cells(s, "notes", count);
    for (int64_t i = 0; i < count; i++) set_cell(notes, i, rls2_plan_note(own.plan, i));
}

static void put_cv(mxArray *s)
{
    const rls2_cv *cv = rls2_fit_cv(own.fit);
    int64_t count = rls2_cv_count(cv), best = rls2_cv_min(cv), se = rls2_cv_1se(cv);
    if (!cv) return;
    mxArray *c = new_struct();
    double *lambda = put_matrix(c, "lambda", count, 1), *cvm = put_matrix(c, "cvm", count, 1);
    double *cvsd = put_matrix(c, "cvsd", count, 1), *nzero = put_matrix(c, "nzero", count, 1);
    for (int64_t i = 0; i < count; i++) {
        const rls2_cv_point *p = rls2_cv_at(cv, i);
        lambda[i] = p->lambda, cvm[i] = p->cvm, cvsd[i] = p->cvsd, nzero[i] = p->nzero;
    }
    put_number(c, "lambda_min", best < 0 ? NAN : lambda[best]);
    put_number(c, "lambda_1se", se < 0 ? NAN : lambda[se]);
    put_text(c, "measure", rls2_measure_name(rls2_cv_measure(cv)));
    put_number(c, "splits", (double)rls2_cv_splits(cv));
    put(s, "cv", c);
}

static void put_path_numbers(mxArray *p, int64_t count)
{
    double *lambda = put_matrix(p, "lambda", count, 1), *gap = put_matrix(p, "gap", count, 1);
    double *objective = put_matrix(p, "objective", count, 1), *df = put_matrix(p, "df", count, 1);
    double *nzero = put_matrix(p, "nzero", count, 1);
    double *iterations = put_matrix(p, "iterations", count, 1);
    for (int64_t i = 0; i < count; i++) {
        const rls2_path_point *at = rls2_fit_at(own.fit, i);
        lambda[i] = at->lambda, gap[i] = at->gap, objective[i] = at->objective, df[i] = at->df;
        nzero[i] = (double)at->selected, iterations[i] = (double)at->iterations;
    }
}

/* Kernel weights d, kernels x lambdas, of the first output, or of each in a third dimension. */
static void put_path_weights(mxArray *p, int64_t count)
{
    const rls2_dictionary *dictionary = rls2_fit_dictionary(own.fit);
    int64_t m = rls2_dictionary_count(dictionary), outputs = rls2_fit_outputs(own.fit);
    mwSize size[3] = {(mwSize)m, (mwSize)count, (mwSize)outputs};
    mxArray *a = mxCreateNumericArray(3, size, mxDOUBLE_CLASS, mxREAL);
    mxArray *names = put_cells(p, "kernels", m);
    put(p, "weights", a);
    for (int64_t k = 0; k < m; k++) set_cell(names, k, rls2_dictionary_name(dictionary, k));
    for (int64_t o = 0; o < outputs; o++)
        for (int64_t i = 0; i < count; i++) {
            const int64_t *kernels;
            const double *d;
            double *column = mxGetPr(a) + (o * count + i) * m;
            int64_t n = rls2_path_kernel_weights(rls2_fit_path(own.fit, o), i, &kernels, &d);
            for (int64_t k = 0; k < n; k++) column[kernels[k]] = d[k];
        }
}

/* Coefficients of the inputs at each lambda, where every kernel is linear. */
static void put_path_coefficients(mxArray *p, int64_t count)
{
    rls2_error err;
    const rls2_dataset *data = rls2_fit_data(own.fit);
    int64_t columns = rls2_dataset_columns(data);
    if (!rls2_dictionary_is_linear(rls2_fit_dictionary(own.fit)) || rls2_fit_outputs(own.fit) != 1)
        return;
    mxArray *names = put_cells(p, "columns", columns);
    double *a = put_matrix(p, "coefficients", columns, count);
    for (int64_t j = 0; j < columns; j++) set_cell(names, j, rls2_dataset_names(data)[j]);
    for (int64_t i = 0; i < count; i++) {
        check(rls2_fit_model(own.fit, i, &own.model, &err), &err);
        check(rls2_model_coefficients(own.model, a + i * columns, &err), &err);
        rls2_model_free(own.model);
        own.model = NULL;
    }
}

static void put_path_predictions(mxArray *p, int64_t count)
{
    static const char *const NAMES[] = {"fitted", "predicted"};
    static const char *const ACTUAL[] = {"y", "y_test"};
    rls2_error err;
    const rls2_dataset *parts[] = {rls2_fit_data(own.fit), rls2_fit_test(own.fit)};
    int64_t outputs = rls2_fit_outputs(own.fit);
    for (int part = 0; part < 2; part++) {
        int64_t rows = rls2_dataset_rows(parts[part]);
        if (!parts[part]) continue;
        double *f = put_matrix(p, NAMES[part], rows, outputs * count);
        check(rls2_fit_predict_path(own.fit, (rls2_part)part, f, &err), &err);
        const double *y = rls2_dataset_y(parts[part]);
        if (!y) continue;
        double *copy = put_matrix(p, ACTUAL[part], rows, outputs);
        memcpy(copy, y, (size_t)(rows * outputs) * sizeof *y);
    }
}

static void put_path(mxArray *s)
{
    int64_t count = rls2_fit_count(own.fit);
    mxArray *p = new_struct();
    put(s, "path", p);
    put_path_numbers(p, count);
    put_path_weights(p, count);
    put_path_coefficients(p, count);
    put_path_predictions(p, count);
}

/* ---- the calls ---- */

static rls2_goal goal_of(const mxArray *a)
{
    char *goal = text_of(a, "the goal");
    if (strcmp(goal, "path") == 0) return RLS2_GOAL_PATH;
    if (strcmp(goal, "cv") == 0) return RLS2_GOAL_CURVE;
    return RLS2_GOAL_MODEL;
}

static void set_words(const mxArray *words)
{
    rls2_error err;
    size_t count = mxGetNumberOfElements(words);
    check(rls2_plan_set(own.plan, "columns", "all", &err), &err); /* all of X, as it is given */
    for (size_t i = 0; i + 1 < count; i += 2) {
        char *name = text_of(mxGetCell(words, i), "the name of a setting");
        char *value = text_of(mxGetCell(words, i + 1), name);
        rls2_status status = rls2_plan_set(own.plan, name, value, &err);
        if (status != RLS2_OK) fail("rls2:badSetting", "%s", err.message);
    }
}

static void set_targets(const mxArray *names)
{
    rls2_error err;
    for (size_t j = 0; j < mxGetNumberOfElements(names); j++) {
        char *name = text_of(mxGetCell(names, j), "the name of a target");
        check(rls2_plan_set(own.plan, "target", name, &err), &err);
    }
}

static void set_lambdas(const mxArray *lambdas)
{
    rls2_error err;
    int64_t count = (int64_t)mxGetNumberOfElements(lambdas);
    if (count > 0) check(rls2_plan_set_lambdas(own.plan, count, mxGetPr(lambdas), &err), &err);
}

static void ask(const mxArray *const *in)
{
    rls2_error err;
    const mxArray *test[] = {in[10], in[3], in[11], in[5]};
    check(rls2_plan_create(goal_of(in[1]), RLS2_VOICE_PLAIN, &own.plan, &err), &err);
    own.table = table_of("X", in + 2);
    set_targets(in[5]);
    set_words(in[6]);
    set_lambdas(in[7]);
    if (!mxIsEmpty(in[10])) own.test = table_of("the test rows", test);
    if (own.test) check(rls2_plan_set_test(own.plan, own.test, &err), &err);
}

static mxArray *call_fit(const mxArray *const *in)
{
    rls2_error err;
    rls2_control control = control_of((int)mxGetScalar(in[8]));
    own.progress = mxIsEmpty(in[9]) ? NULL : in[9];
    ask(in);
    check(rls2_plan_complete(own.plan, own.table, &err), &err);
    check(rls2_plan_fit(own.plan, &control, &own.fit, &err), &err);
    if (is_interrupted()) fail("rls2:interrupted", "interrupted");
    mxArray *s = new_struct();
    const rls2_model *model = rls2_fit_chosen_model(own.fit);
    if (model) put_bytes(s, model);
    if (model) put_model(s, model);
    put_cv(s);
    if (goal_of(in[1]) == RLS2_GOAL_PATH) put_path(s);
    put_notes(s);
    return s;
}

static rls2_rows rows_like(const rls2_dataset *data)
{
    rls2_rows rows = {.n = rls2_dataset_rows(data),
                      .p = rls2_dataset_columns(data),
                      .x = rls2_dataset_x(data),
                      .ldx = rls2_dataset_rows(data)};
    return rows;
}

static void encode(const mxArray *const *x, rls2_missing missing, rls2_response response)
{
    rls2_error err;
    own.table = table_of("X", x);
    check(rls2_model_encode(own.model, own.table, missing, response, &own.data, &err), &err);
}

/* Rows that were left out stay NaN. */
static void spread(int64_t rows, int64_t columns, const double *f, double *out)
{
    int64_t n = rls2_dataset_rows(own.data);
    for (int64_t i = 0; i < rows * columns; i++) out[i] = NAN;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < columns; j++)
            out[rls2_dataset_source_row(own.data, i) + j * rows] = f[i + j * n];
}

static void put_classes(mxArray *s, int64_t rows, const double *f)
{
    int64_t n = rls2_dataset_rows(own.data), outputs = rls2_model_outputs(own.model);
    mxArray *labels = put_cells(s, "labels", rows);
    int64_t *classes = (int64_t *)(void *)mxCalloc((size_t)n + 1, sizeof *classes);
    rls2_decide(outputs, n, f, classes);
    for (int64_t i = 0; i < rows; i++) set_cell(labels, i, "");
    for (int64_t i = 0; i < n; i++)
        set_cell(labels, rls2_dataset_source_row(own.data, i),
                 rls2_model_class_label(own.model, classes[i]));
}

static void put_probabilities(mxArray *s, int64_t rows, const double *f)
{
    rls2_error err;
    int64_t n = rls2_dataset_rows(own.data), classes = rls2_model_class_count(own.model);
    double *p = mxCalloc((size_t)(n * classes) + 1, sizeof *p);
    if (rls2_model_probabilities(own.model, n, f, p, &err) != RLS2_OK) return;
    spread(rows, classes, p, put_matrix(s, "probabilities", rows, classes));
}

static void put_intervals(mxArray *s, int64_t rows, const double *f)
{
    rls2_error err;
    int64_t n = rls2_dataset_rows(own.data), count = rls2_model_interval_count(own.model);
    if (count == 0) return;
    double *lower = mxCalloc((size_t)(n * count) + 1, sizeof *lower);
    double *upper = mxCalloc((size_t)(n * count) + 1, sizeof *upper);
    check(rls2_model_predict_interval(own.model, n, f, lower, upper, &err), &err);
    spread(rows, count, lower, put_matrix(s, "lower", rows, count));
    spread(rows, count, upper, put_matrix(s, "upper", rows, count));
}

static mxArray *call_predict(const mxArray *const *in)
{
    rls2_error err;
    const mxArray *x[] = {in[2], in[3], NULL, NULL};
    rls2_control control = control_of(0);
    unpack_model(in[1]);
    encode(x, RLS2_MISSING_AS_TRAINED, RLS2_RESPONSE_IGNORED);
    rls2_rows rows = rows_like(own.data);
    int64_t all = rls2_table_rows(own.table), outputs = rls2_model_outputs(own.model);
    double *f = mxCalloc((size_t)(rows.n * outputs) + 1, sizeof *f);
    check(rls2_model_predict(own.model, &rows, &control, f, &err), &err);
    mxArray *s = new_struct();
    if (rls2_model_is_classification(own.model)) {
        put_classes(s, all, f);
        put_probabilities(s, all, f);
    }
    put_intervals(s, all, f);
    rls2_model_respond(own.model, rows.n, f);
    spread(all, outputs, f, put_matrix(s, "f", all, outputs));
    return s;
}

static void put_certificate(mxArray *s, const rls2_certificate *c)
{
    put_number(s, "primal", c->primal);
    put_number(s, "dual", c->dual);
    put_number(s, "gap", c->relative_gap);
    put_number(s, "residual", c->residual);
}

static mxArray *call_verify(const mxArray *const *in)
{
    rls2_error err;
    rls2_certificate certificate;
    rls2_control control = control_of(0);
    unpack_model(in[1]);
    encode(in + 2, RLS2_MISSING_AS_TRAINED, RLS2_RESPONSE_READ);
    const double *y = rls2_dataset_y(own.data);
    if (!y) fail("rls2:badArgument", "the responses of these rows are not there");
    if (rls2_model_outputs(own.model) != 1)
        fail("rls2:badArgument", "rls2_verify is for models of one output; 'rls2 verify' for all");
    rls2_rows rows = rows_like(own.data);
    rls2_status status = rls2_model_is_compact(own.model)
                             ? rls2_model_certify_rows(own.model, &rows, y, NULL, &control,
                                                       &certificate, sizeof certificate, &err)
                             : rls2_model_certify_watched(own.model, &rows, y, &control,
                                                          &certificate, sizeof certificate, &err);
    check(status, &err);
    mxArray *s = new_struct();
    put_certificate(s, &certificate);
    put(s, "same_rows",
        mxCreateLogicalScalar(rls2_dataset_fingerprint(own.data) ==
                              rls2_model_fingerprint(own.model)));
    return s;
}

static mxArray *call_effect(const mxArray *const *in)
{
    rls2_error err;
    rls2_control control = control_of(0);
    unpack_model(in[1]);
    check(rls2_model_effect_watched(own.model, (int64_t)mxGetScalar(in[2]) - 1, &control,
                                    &own.effect, &err),
          &err);
    int64_t count = rls2_effect_count(own.effect);
    mxArray *s = new_struct(), *levels = put_cells(s, "levels", count);
    double *value = put_matrix(s, "values", count, 1), *effect = put_matrix(s, "effect", count, 1);
    double *lower = put_matrix(s, "lower", count, 1), *upper = put_matrix(s, "upper", count, 1);
    for (int64_t i = 0; i < count; i++) {
        const rls2_effect_point *at = rls2_effect_at(own.effect, i);
        value[i] = at->value, effect[i] = at->effect;
        lower[i] = at->lower, upper[i] = at->upper;
        set_cell(levels, i, at->level);
    }
    return s;
}

static mxArray *call_about(const mxArray *const *in)
{
    unpack_model(in[1]);
    mxArray *s = new_struct();
    put(s, "bytes", mxDuplicateArray(in[1]));
    put_model(s, own.model);
    return s;
}

static mxArray *call_load(const mxArray *const *in)
{
    rls2_error err;
    check(rls2_model_load(text_of(in[1], "the name of a file"), &own.model, &err), &err);
    mxArray *s = new_struct();
    put_bytes(s, own.model);
    put_model(s, own.model);
    return s;
}

static mxArray *call_save(const mxArray *const *in)
{
    rls2_error err;
    unpack_model(in[1]);
    check(rls2_model_save(own.model, text_of(in[2], "the name of a file"), &err), &err);
    return new_struct();
}

static void set_told(mxArray *s, int64_t i, const char *field, rls2_setting_text which)
{
    char text[4096];
    rls2_setting_tell(rls2_setting_at(i), which, RLS2_VOICE_PLAIN, text, sizeof text);
    mxSetField(s, (size_t)i, field, mxCreateString(text));
}

static mxArray *call_settings(const mxArray *const *in)
{
    static const char *FIELDS[] = {"name", "default", "choices", "sentence", "help"};
    (void)in;
    int64_t count = rls2_setting_count();
    mxArray *s = mxCreateStructMatrix((size_t)count, 1, 5, FIELDS);
    for (int64_t i = 0; i < count; i++) {
        set_told(s, i, "name", RLS2_SETTING_NAME);
        set_told(s, i, "default", RLS2_SETTING_DEFAULT);
        set_told(s, i, "choices", RLS2_SETTING_CHOICES);
        set_told(s, i, "sentence", RLS2_SETTING_SENTENCE);
        set_told(s, i, "help", RLS2_SETTING_HELP);
    }
    return s;
}

static const struct {
    const char *name;
    int arguments;
    mxArray *(*call)(const mxArray *const *in);
} CALLS[] = {{"fit", 12, call_fit},      {"predict", 4, call_predict},  {"verify", 6, call_verify},
             {"effect", 3, call_effect}, {"about", 2, call_about},      {"load", 2, call_load},
             {"save", 3, call_save},     {"settings", 1, call_settings}};

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    static int tuned;
    (void)nlhs;
    if (own.busy)
        mexErrMsgIdAndTxt("rls2:busy", "functions of rls2 cannot be called while one reports its "
                                       "progress");
    if (!tuned) {
        rls2_blas_tune();
        mexAtExit(release);
        tuned = 1;
    }
    release(); /* what an interrupted call may have left */
    char *name = nrhs > 0 ? text_of(prhs[0], "the call") : NULL;
    for (size_t i = 0; name && i < sizeof CALLS / sizeof *CALLS; i++) {
        if (strcmp(name, CALLS[i].name) != 0 || nrhs != CALLS[i].arguments) continue;
        plhs[0] = CALLS[i].call(prhs);
        release();
        return;
    }
    fail("rls2:badArgument", "rls2_mex is called by the functions rls2_train, rls2_predict, ...");
}
