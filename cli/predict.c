/* rls2 predict: new rows through a model, piece by piece, one line out for each row in. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/data.h"
#include "cli/describe.h"
#include "cli/output.h"
#include "cli/score.h"

/* Rows predicted at a time; fewer with --std, where each costs more, so that Ctrl-C is soon heard. */
enum { PIECE = 4096, PIECE_STD = 256 };

typedef struct job {
    const settings *s;
    rls2_model *model;
    int classification;
    double std_factor; /* variance of f in the units of y, over the model's; with --std */
    double noise;      /* variance of an observation about f */
    output out;
    json j;

    int64_t rows; /* so far */
    int64_t left_out;
    double sum; /* of squared errors, or right answers, over the rows whose target is known */
    int64_t scored;
    int64_t strangers; /* rows whose label is that of neither class */
} job;

/* Predictions of one piece; arrays of n, contributions n x selected. */
typedef struct piece {
    const rls2_table *table;
    rls2_dataset *data;
    int64_t n;
    double *f;
    double *variance;
    double *parts;
} piece;

/* ---- lines ---- */

static const char *label_of(const job *work, double f)
{
    return rls2_model_class_label(work->model, score_sign(f) > 0);
}

static void write_header(job *work)
{
    FILE *file = work->out.file;
    fputs("prediction", file);
    if (work->classification) fputs(",score", file);
    if (work->s->std) fputs(",std,std_observation", file);
    if (work->s->contributions) {
        fputs(",intercept", file);
        for (int64_t k = 0; k < rls2_model_size(work->model); k++) {
            fputc(',', file);
            csv_text(file, rls2_model_kernel_name(work->model, k));
        }
    }
    fputc('\n', file);
}

static void write_number(FILE *file, double value)
{
    char buffer[32];
    fputc(',', file);
    fputs(number_text(value, buffer), file);
}

static void write_line(const job *work, const piece *at, int64_t i)
{
    char buffer[32];
    FILE *file = work->out.file;
    if (work->classification) {
        csv_text(file, label_of(work, at->f[i]));
        write_number(file, at->f[i]);
    } else {
        fputs(number_text(at->f[i], buffer), file);
    }
    if (at->variance) {
        double variance = at->variance[i] * work->std_factor;
        write_number(file, sqrt(variance));
        write_number(file, sqrt(variance + work->noise));
    }
    if (at->parts) {
        write_number(file, rls2_model_intercept(work->model));
        for (int64_t k = 0; k < rls2_model_size(work->model); k++)
            write_number(file, at->parts[k * at->n + i]);
    }
    fputc('\n', file);
}

/* A row that cannot be predicted keeps its place. NA and not nothing: programs skip empty lines. */
static void write_empty(const job *work)
{
    int64_t more = work->classification + 2 * work->s->std;
    if (work->s->contributions) more += 1 + rls2_model_size(work->model);
    fputs("NA", work->out.file);
    while (more-- > 0) fputs(",NA", work->out.file);
    fputc('\n', work->out.file);
}

/* ---- JSON ---- */

static void json_parts(job *work, const piece *at, int64_t i)
{
    json_object(&work->j, "contributions");
    json_number(&work->j, "intercept", rls2_model_intercept(work->model));
    for (int64_t k = 0; k < rls2_model_size(work->model); k++)
        json_number(&work->j, rls2_model_kernel_name(work->model, k), at->parts[k * at->n + i]);
    json_end_object(&work->j);
}

static void json_line(job *work, const piece *at, int64_t i)
{
    json_object(&work->j, NULL);
    if (work->classification) {
        json_text(&work->j, "prediction", label_of(work, at->f[i]));
        json_number(&work->j, "score", at->f[i]);
    } else {
        json_number(&work->j, "prediction", at->f[i]);
    }
    if (at->variance) {
        double variance = at->variance[i] * work->std_factor;
        json_number(&work->j, "std", sqrt(variance));
        json_number(&work->j, "std_observation", sqrt(variance + work->noise));
    }
    if (at->parts) json_parts(work, at, i);
    json_end_object(&work->j);
}

static void json_empty(job *work)
{
    json_object(&work->j, NULL);
    json_text(&work->j, "prediction", NULL);
    json_end_object(&work->j);
}

/* ---- a piece ---- */

/* The observed target, NaN where there is none. */
static double observed(const job *work, const rls2_table *table, int64_t row, int64_t column)
{
    if (column < 0) return NAN;
    if (!work->classification) return rls2_table_value(table, row, column);
    for (int sign = -1; sign <= 1; sign += 2)
        if (rls2_table_holds(table, row, column, rls2_model_class_label(work->model, sign > 0)))
            return (double)sign;
    return NAN;
}

static void count_score(job *work, const piece *at, int64_t i, int64_t target)
{
    int64_t row = rls2_dataset_source_row(at->data, i);
    double y = observed(work, at->table, row, target);
    if (isnan(y)) {
        work->strangers += work->classification && target >= 0 && *rls2_table_cell(at->table, row, target);
        return;
    }
    work->scored++;
    if (work->classification)
        work->sum += score_sign(at->f[i]) == (int)y;
    else
        work->sum += (at->f[i] - y) * (at->f[i] - y);
}

/* Nothing is written before the first piece is known to be good. */
static void write_start(job *work)
{
    if (!work->s->json) {
        write_header(work);
        return;
    }
    work->j = json_start(work->out.file);
    json_object(&work->j, NULL);
    json_text(&work->j, "target", rls2_model_target(work->model));
    json_text(&work->j, "task", work->classification ? "classification" : "regression");
    json_array(&work->j, "predictions");
}

static void write_row(job *work, const piece *at, int64_t i)
{
    if (work->s->json)
        json_line(work, at, i);
    else
        write_line(work, at, i);
}

static void write_piece(job *work, const piece *at)
{
    int64_t target = rls2_table_find(at->table, rls2_model_target(work->model)), next = 0;
    if (work->rows == 0) write_start(work);
    for (int64_t row = 0; row < rls2_table_rows(at->table); row++) {
        if (next < at->n && rls2_dataset_source_row(at->data, next) == row) {
            count_score(work, at, next, target);
            write_row(work, at, next++);
            continue;
        }
        work->left_out++;
        if (work->s->json)
            json_empty(work);
        else
            write_empty(work);
    }
    work->rows += rls2_table_rows(at->table);
}

static double *reserve(int64_t n, int64_t columns)
{
    return calloc((size_t)n * (size_t)columns + 1, sizeof(double));
}

/* The library counts rows within the piece: the first that fails alone is named by its line. */
static int fail_row(const job *work, const rls2_rows *rows, const piece *at, const rls2_error *err)
{
    double f;
    for (int64_t i = 0; i < rows->n && rows->given_count == 0; i++) {
        rls2_rows one = {.n = 1, .p = rows->p, .x = rows->x + i, .ldx = rows->n};
        if (rls2_model_predict(work->model, &one, &f, NULL) == RLS2_OK) continue;
        say_error(work->s, "%s:%" PRId64 ": the row is too far from the training rows: its value overflows",
                  work->s->argument[1], rls2_table_line(at->table, rls2_dataset_source_row(at->data, i)));
        return EXIT_FAILED;
    }
    return fail(work->s, err);
}

static int predict_rows(const job *work, const rls2_rows *rows, piece *at)
{
    rls2_error err;
    const settings *s = work->s;
    at->f = reserve(at->n, 1);
    if (s->std) at->variance = reserve(at->n, 1);
    if (s->contributions) at->parts = reserve(at->n, rls2_model_size(work->model));
    if (!at->f || (s->std && !at->variance) || (s->contributions && !at->parts)) return out_of_memory(s);
    if (at->n == 0) return EXIT_OK;
    rls2_status status = rls2_model_predict(work->model, rows, at->f, &err);
    if (status == RLS2_OK && s->std) status = rls2_model_variance(work->model, rows, at->variance, &err);
    if (status == RLS2_OK && s->contributions)
        status = rls2_model_contributions(work->model, rows, at->parts, &err);
    if (status == RLS2_OK) return EXIT_OK;
    return status == RLS2_ERR_VALUE ? fail_row(work, rows, at, &err) : fail(s, &err);
}

static int load_given(const job *work, const piece *at, given_set *given)
{
    int64_t *source = file_rows(at->data, NULL);
    given_range range = {.row_count = at->n, .rows = source, .column_count = rls2_model_rows(work->model)};
    int code =
        source ? given_load_for(work->s, at->table, work->model, &range, given) : out_of_memory(work->s);
    free(source);
    return code;
}

static int missing_rule(const settings *s)
{
    if (!s->missing) return -1;
    return strcmp(s->missing, "error") != 0;
}

static int predict_piece(job *work, const rls2_table *table)
{
    rls2_error err;
    piece at = {.table = table};
    given_set given = {0};
    int code = EXIT_OK;
    if (rls2_model_encode(work->model, table, missing_rule(work->s), 0, &at.data, &err) != RLS2_OK) {
        code = fail(work->s, &err);
        hint_reading(work->s, &err);
        goto cleanup;
    }
    at.n = rls2_dataset_rows(at.data);
    if (rls2_model_given_count(work->model) > 0) code = load_given(work, &at, &given);
    if (code != EXIT_OK) goto cleanup;
    rls2_rows rows = {.n = at.n, .p = rls2_dataset_columns(at.data), .x = rls2_dataset_x(at.data)};
    given_use(&given, &rows);
    code = predict_rows(work, &rows, &at);
    if (code == EXIT_OK) write_piece(work, &at);

cleanup:
    rls2_dataset_free(at.data);
    given_free(&given);
    free(at.f);
    free(at.variance);
    free(at.parts);
    return code;
}

/* ---- all of them ---- */

static int stopped(const job *work)
{
    say_error(work->s, "stopped after %s", count_of(work->rows, "row").text);
    return EXIT_INTERRUPTED;
}

static int predict_stream(job *work)
{
    const settings *s = work->s;
    rls2_error err;
    rls2_stream *stream = NULL;
    rls2_read_options options = read_options(s);
    /* a precomputed matrix has a row for each row of the file: the file is taken whole */
    int64_t rows = rls2_model_given_count(work->model) > 0 ? INT64_MAX : s->std ? PIECE_STD : PIECE;
    progress bar = progress_start(s);
    int code = EXIT_OK;
    interrupt_at_once(1);
    if (rls2_stream_open(s->argument[1], &options, &stream, &err) != RLS2_OK) return fail(s, &err);
    while (code == EXIT_OK) {
        rls2_table *table = NULL;
        interrupt_at_once(1);
        rls2_status status = rls2_stream_next(stream, rows, &table, &err);
        interrupt_at_once(0);
        if (status == RLS2_OK && !table) break;
        if (status != RLS2_OK || interrupted()) progress_end(&bar);
        if (status != RLS2_OK)
            code = fail(s, &err);
        else if (interrupted())
            code = stopped(work);
        else
            code = predict_piece(work, table);
        rls2_table_free(table);
        progress_rows(&bar, work->rows);
    }
    progress_end(&bar);
    rls2_stream_close(stream);
    return code;
}

/* The variance of the noise estimated from the training rows, sum of squared residuals / (n - df), where
 * the residuals are lambda c. */
static int prepare_std(job *work)
{
    rls2_error err;
    if (rls2_model_given_count(work->model) > 0) {
        say_error(
            work->s,
            "--std cannot be had from a model of precomputed kernels: K(x, x) of new rows is not known");
        return EXIT_USAGE;
    }
    int64_t n = rls2_model_rows(work->model);
    double lambda = rls2_model_lambda(work->model), df = rls2_model_point(work->model)->df, squares = 0.0;
    const double *c = rls2_model_c(work->model);
    if (isnan(df) && rls2_model_degrees_of_freedom(work->model, &df, &err) != RLS2_OK)
        return fail(work->s, &err);
    for (int64_t i = 0; i < n; i++) squares += lambda * c[i] * (lambda * c[i]);
    if (!((double)n - df > 0.0)) {
        say_error(work->s,
                  "--std: %g degrees of freedom on %" PRId64 " rows leave nothing to estimate the noise from",
                  df, n);
        return EXIT_FAILED;
    }
    work->noise = squares / ((double)n - df);
    work->std_factor = work->noise / lambda;
    return rls2_model_factorize(work->model, &err) == RLS2_OK ? EXIT_OK : fail(work->s, &err);
}

static void conclude(const job *work)
{
    const settings *s = work->s;
    if (work->left_out > 0)
        say(s, "%s with an empty cell: no prediction (%s)", count_of(work->left_out, "row").text,
            s->json ? "null" : "NA");
    if (work->strangers > 0)
        say(s, "%s with a label of neither class: not scored", count_of(work->strangers, "row").text);
    if (work->scored == 0) return;
    double mean = work->sum / (double)work->scored;
    say(s, "%s %.6g on the %s that have all inputs and whose '%s' is known", score_name(work->classification),
        work->classification ? mean : sqrt(mean), count_of(work->scored, "row").text,
        rls2_model_target(work->model));
}

static int write_all(job *work)
{
    int code = output_open(work->s, work->s->output, &work->out);
    if (code != EXIT_OK) return code;
    code = predict_stream(work);
    if (work->s->json && code == EXIT_OK) {
        json_end_array(&work->j);
        json_integer(&work->j, "n", work->rows);
        json_end_object(&work->j);
        json_finish(&work->j);
    }
    int closed = output_close(work->s, &work->out, code == EXIT_OK);
    return code == EXIT_OK ? closed : code;
}

static int run(const settings *s)
{
    rls2_error err;
    job work = {.s = s};
    int code = check_reading(s);
    if (code != EXIT_OK) return code;
    if (rls2_model_load(s->argument[0], &work.model, &err) != RLS2_OK) return fail(s, &err);
    work.classification = rls2_model_is_classification(work.model);
    rls2_model_set_threads(work.model, 0); /* --threads is the process's limit */
    if (!rls2_model_target(work.model)) {
        say_error(s, "%s: the model was made without a table and does not know how to read one",
                  s->argument[0]);
        code = EXIT_FAILED;
    }
    if (code == EXIT_OK && s->std) code = prepare_std(&work);
    if (code == EXIT_OK) code = write_all(&work);
    if (code == EXIT_OK) conclude(&work);
    rls2_model_free(work.model);
    return code;
}

const command command_predict = {
    .name = "predict",
    .bit = FOR_PREDICT,
    .summary = "apply a model to new rows",
    .arguments = "MODEL DATA",
    .least = 2,
    .most = 2,
    .description =
        "Reads a model written by 'rls2 train' and a table, and writes one prediction for each row, as CSV "
        "or, with --json, as JSON.\n\n"
        "The columns of the table are found by name, in whatever order they stand; others are not looked "
        "at. They are prepared exactly as the training data were. If the column to be predicted is there "
        "too, the score of the predictions is reported.\n\n"
        "--contributions tells, row by row, where a prediction comes from; --std how far it can be "
        "trusted.",
    .examples = "$ rls2 predict housing.model data/housing.csv -o prices.csv\n"
                "  One line for each house; prices.csv appears when it is complete.\n"
                "\n"
                "$ rls2 predict housing.model data/housing.csv --std --contributions | head\n"
                "  Also the standard deviations and the parts the kernels contribute.\n"
                "\n"
                "$ zcat new.csv.gz | rls2 predict housing.model - > new-prices.csv\n"
                "  From the standard input to the standard output.\n",
    .run = run};
