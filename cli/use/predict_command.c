/* rls2 predict: new rows through a model, piece by piece, one line out for each row in. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/learn/describe.h"
#include "cli/learn/hint.h"
#include "cli/progress.h"
#include "cli/reading.h"
#include "cli/use/missing_rule.h"
#include "cli/use/model_given.h"
#include "cli/use/predict_command.h"
#include "cli/use/predict_interval.h"
#include "cli/use/predict_score.h"
#include "cli/use/predict_write.h"
#include "cli/use/targets.h"

/* Rows predicted at a time; fewer with --std, where each costs more, so that lines come soon. */
enum { PIECE = 4096, PIECE_STD = 256 };

/* ---- a piece ---- */

/* Nothing is written before the first piece is known to be good. */
static int write_piece(job *work, const piece *at)
{
    int64_t next = 0;
    int code = work->rows == 0 ? write_start(work) : EXIT_OK;
    if (code == EXIT_OK) code = score_count(work, at);
    if (code == EXIT_OK) intervals_count(work, at);
    for (int64_t row = 0; row < rls2_table_rows(at->table) && code == EXIT_OK; row++) {
        if (next < at->n && rls2_dataset_source_row(at->data, next) == row) {
            write_row(work, at, next++);
            continue;
        }
        work->left_out++;
        write_empty_row(work, at, row);
    }
    work->rows += rls2_table_rows(at->table);
    return code;
}

static double *reserve(int64_t n, int64_t columns)
{
    return calloc((size_t)n * (size_t)columns + 1, sizeof(double));
}

/* The library counts rows within the piece: the first that fails alone is named by its line. */
static int fail_row(const job *work, const rls2_rows *rows, const piece *at, const rls2_error *err)
{
    for (int64_t i = 0; i < rows->n && rows->given_count == 0; i++) {
        rls2_rows one = {.n = 1, .p = rows->p, .x = rows->x + i, .ldx = rows->n};
        if (rls2_model_predict(work->model, &one, NULL, at->f, NULL) == RLS2_OK) continue;
        say_error(work->s,
                  "%s:%" PRId64 ": the row is too far from the training rows: its value overflows",
                  work->s->argument[1],
                  rls2_table_line(at->table, rls2_dataset_source_row(at->data, i)));
        return EXIT_FAILED;
    }
    return fail(work->s, err);
}

/* Of the kernels, and behind them of the members of a stack. */
static rls2_status contributions_of(const rls2_model *one, const rls2_rows *rows, double *parts,
                                    rls2_error *err)
{
    rls2_status status = rls2_model_contributions(one, rows, NULL, parts, err);
    if (status != RLS2_OK) return status;
    return rls2_model_member_contributions(one, rows, NULL,
                                           parts + rls2_model_kernel_count(one) * rows->n, err);
}

/* What is said of one output after another. */
static rls2_status predict_outputs(const job *work, const rls2_rows *rows, piece *at,
                                   rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int64_t o = 0; o < work->outputs && status == RLS2_OK; o++) {
        const rls2_model *one = rls2_model_output(work->model, o);
        if (at->variance) status = rls2_model_variance(one, rows, at->variance + o * at->n, err);
        if (status == RLS2_OK && at->parts)
            status = contributions_of(one, rows, at->parts + work->part_start[o] * at->n, err);
    }
    return status;
}

/* Of two classes by the threshold that was asked for, which is 0 as that of rls2_decide is. */
static void decide(const job *work, piece *at)
{
    if (work->outputs > 1) {
        rls2_decide(work->outputs, at->n, at->f, at->classes);
        return;
    }
    for (int64_t i = 0; i < at->n; i++) at->classes[i] = at->f[i] >= work->s->threshold;
}

static int reserve_all(const job *work, piece *at)
{
    const settings *s = work->s;
    at->f = reserve(at->n, work->outputs);
    at->said = reserve(at->n, work->outputs);
    at->classes = calloc((size_t)at->n + 1, sizeof *at->classes);
    if (s->std) at->variance = reserve(at->n, work->outputs);
    if (s->probability) at->p = reserve(at->n, rls2_model_class_count(work->model));
    if (s->contributions) at->parts = reserve(at->n, work->part_start[work->outputs]);
    if (s->interval) at->bounds = reserve(at->n, 2 * work->intervals);
    if (s->interval && !at->bounds) return out_of_memory(s);
    int whole = at->f && at->said && at->classes && (!s->std || at->variance) &&
                (!s->probability || at->p) && (!s->contributions || at->parts);
    return whole ? EXIT_OK : out_of_memory(s);
}

/* From the scale of the loss to what was asked for. */
static rls2_status respond(const job *work, piece *at, rls2_error *err)
{
    memcpy(at->said, at->f, (size_t)(at->n * work->outputs) * sizeof *at->said);
    rls2_model_respond(work->model, at->n, at->said);
    if (work->classification) decide(work, at);
    return at->p ? rls2_model_probabilities(work->model, at->n, at->f, at->p, err) : RLS2_OK;
}

static int predict_rows(const job *work, const rls2_rows *rows, piece *at)
{
    rls2_error err;
    int code = reserve_all(work, at);
    if (code != EXIT_OK || at->n == 0) return code;
    rls2_status status = rls2_model_predict(work->model, rows, NULL, at->f, &err);
    if (status == RLS2_OK) status = predict_outputs(work, rows, at, &err);
    if (status == RLS2_OK) status = respond(work, at, &err);
    if (status == RLS2_OK) status = intervals_predict(work, at, &err);
    if (status == RLS2_OK) return EXIT_OK;
    return status == RLS2_ERR_VALUE ? fail_row(work, rows, at, &err) : fail(work->s, &err);
}

static int load_given(const job *work, const piece *at, given_set *given)
{
    int64_t *source = file_rows(at->data, NULL);
    given_range range = {
        .row_count = at->n, .rows = source, .column_count = rls2_model_rows(work->model)};
    int code = source ? given_load(work->s, at->table, work->model, &range, given)
                      : out_of_memory(work->s);
    free(source);
    return code;
}

/* Rows are predicted whatever they lack, unless somebody asked, here or when training, that they be
 * refused. */
static rls2_missing new_row_rule(const job *work)
{
    int strict = work->s->strict || rls2_model_missing(work->model) == RLS2_MISSING_ERROR;
    return missing_rule(work->s, strict ? RLS2_MISSING_ERROR : RLS2_MISSING_IMPUTE);
}

/* The places of the columns of --keep, which may differ from file to file, not from piece to piece.
 */
static int find_kept(job *work, const rls2_table *table)
{
    const text_list *keep = &work->s->keep;
    for (int64_t k = 0; k < keep->count; k++) {
        work->kept[k] = rls2_table_find(table, keep->items[k]);
        if (work->kept[k] >= 0) continue;
        say_error(work->s, "%s: --keep: no column '%s'", work->s->argument[1], keep->items[k]);
        return EXIT_FAILED;
    }
    return EXIT_OK;
}

static int predict_piece(job *work, const rls2_table *table)
{
    rls2_error err;
    piece at = {.table = table};
    given_set given = {0};
    int code = find_kept(work, table);
    if (code != EXIT_OK) goto cleanup;
    if (rls2_model_encode(work->model, table, new_row_rule(work), RLS2_RESPONSE_IGNORED, &at.data,
                          &err) != RLS2_OK) {
        code = fail(work->s, &err);
        hint_reading(work->s, &err);
        goto cleanup;
    }
    at.n = rls2_dataset_rows(at.data);
    work->imputed += rls2_dataset_imputed(at.data);
    work->unseen += rls2_dataset_unseen(at.data);
    if (rls2_model_given_count(work->model) > 0) code = load_given(work, &at, &given);
    if (code != EXIT_OK) goto cleanup;
    rls2_rows rows = {.n = at.n, .p = rls2_dataset_columns(at.data), .x = rls2_dataset_x(at.data)};
    given_use(&given, &rows);
    code = predict_rows(work, &rows, &at);
    interrupt_at_once(0); /* whole lines, whenever it comes */
    if (code == EXIT_OK) code = write_piece(work, &at);
    output_flush(&work->out);

cleanup:
    rls2_dataset_free(at.data);
    given_free(&given);
    free(at.f);
    free(at.said);
    free(at.p);
    free(at.classes);
    free(at.bounds);
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

/* What was found in the head of the file, which each of its pieces has. */
static void tell_reading(const job *work, const rls2_table *table)
{
    for (int64_t k = 0; work->rows == 0 && k < rls2_table_note_count(table); k++)
        say(work->s, "  %s", rls2_table_note(table, k));
}

static int predict_stream(job *work)
{
    const settings *s = work->s;
    rls2_error err;
    rls2_stream *stream = NULL;
    rls2_read_options options;
    /* a precomputed matrix has a row for each row of the file: the file is taken whole */
    int64_t rows = rls2_model_given_count(work->model) > 0 ? INT64_MAX : s->std ? PIECE_STD : PIECE;
    progress bar = progress_start(s);
    int code = read_options(s, &options);
    if (code != EXIT_OK) return code;
    interrupt_at_once(1);
    if (rls2_stream_open(s->argument[1], &options, &stream, &err) != RLS2_OK) return fail(s, &err);
    while (code == EXIT_OK) {
        rls2_table *table = NULL;
        interrupt_at_once(1);
        rls2_status status = rls2_stream_next(stream, rows, &table, &err);
        if (status == RLS2_OK && !table) break;
        if (status != RLS2_OK || interrupted()) progress_end(&bar);
        tell_reading(work, table);
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

/* The variance of the noise estimated from the training rows: sum of squared residuals / (n - df),
 * each row counted by its weight. */
static int estimate_noise(job *work, int64_t o)
{
    rls2_error err;
    const rls2_model *one = rls2_model_output(work->model, o);
    const double *w = rls2_model_row_weights(one);
    double df = rls2_model_point(one)->df, squares = 0.0, rows = 0.0;
    if (isnan(df) && rls2_model_degrees_of_freedom_watched(one, NULL, &df, &err) != RLS2_OK)
        return fail(work->s, &err);
    for (int64_t i = 0; i < rls2_model_rows(one); i++) {
        double rest = residual_of(one, i), weight = w ? w[i] : 1.0;
        squares += weight * rest * rest;
        rows += weight;
    }
    if (!(rows - df > 0.0)) {
        say_error(
            work->s,
            "--std: %g degrees of freedom on %.15g rows leave nothing to estimate the noise from",
            df, rows);
        return EXIT_FAILED;
    }
    work->noise[o] = squares / (rows - df);
    work->std_factor[o] = work->noise[o] / rls2_model_lambda(one);
    return EXIT_OK;
}

static int prepare_std(job *work)
{
    rls2_error err;
    int code = EXIT_OK;
    if (rls2_model_given_count(work->model) > 0) {
        say_error(work->s, "--std is not available with precomputed kernels: K(x, x) of "
                           "new rows is not known");
        return EXIT_USAGE;
    }
    if (rls2_model_is_compact(work->model)) {
        say_error(work->s,
                  "--std is not available with a compact model: it does not keep the %" PRId64
                  " rows it was learned from, which variances need (train --exact keeps them)",
                  rls2_model_rows(work->model));
        return EXIT_USAGE;
    }
    /* first, as it says of which losses there are no variances */
    if (rls2_model_factorize_watched(work->model, NULL, &err) != RLS2_OK)
        return fail(work->s, &err);
    for (int64_t o = 0; o < work->outputs && code == EXIT_OK; o++) code = estimate_noise(work, o);
    return code;
}

/* "12 empty cells imputed, 3 unseen categories read as 'other'" */
static void say_gaps(const job *work)
{
    char imputed[96] = "", unseen[96] = "";
    if (work->imputed > 0)
        snprintf(imputed, sizeof imputed, "%s imputed", count_of(work->imputed, "empty cell").text);
    if (work->unseen > 0)
        snprintf(unseen, sizeof unseen, "%" PRId64 " unseen categor%s read as 'other'",
                 work->unseen, work->unseen == 1 ? "y" : "ies");
    if (work->imputed + work->unseen > 0)
        say(work->s, "%s%s%s; --strict refuses such rows", imputed,
            work->imputed > 0 && work->unseen > 0 ? ", " : "", unseen);
}

static void conclude(const job *work)
{
    const settings *s = work->s;
    say_gaps(work);
    if (work->left_out > 0)
        say(s, "%s with an empty cell: no prediction (%s)", count_of(work->left_out, "row").text,
            s->json ? "null" : "NA");
    score_say(work);
    intervals_say(work);
}

static int write_all(job *work)
{
    int code = output_open(work->s, work->s->output, &work->out);
    if (code != EXIT_OK) return code;
    code = predict_stream(work);
    if (code == EXIT_OK) write_end(work);
    int closed = output_close(work->s, &work->out, code == EXIT_OK);
    return code == EXIT_OK ? closed : code;
}

/* What there is one of for each output or target. */
static int prepare(job *work)
{
    size_t outputs = (size_t)rls2_model_outputs(work->model);
    work->classification = rls2_model_is_classification(work->model);
    work->outputs = (int64_t)outputs;
    work->targets = target_count(work->model);
    work->part_start = calloc(outputs + 1, sizeof *work->part_start);
    work->std_factor = calloc(outputs, sizeof *work->std_factor);
    work->noise = calloc(outputs, sizeof *work->noise);
    work->kept = calloc((size_t)work->s->keep.count + 1, sizeof *work->kept);
    if (!work->kept || !work->part_start || !work->std_factor || !work->noise)
        return out_of_memory(work->s);
    for (int64_t o = 0; o < work->outputs; o++)
        work->part_start[o + 1] = work->part_start[o] +
                                  rls2_model_kernel_count(rls2_model_output(work->model, o)) +
                                  rls2_model_member_count(work->model);
    return score_prepare(work);
}

static void job_free(job *work)
{
    free(work->part_start);
    free(work->std_factor);
    free(work->noise);
    score_free(work);
    free(work->covered);
    free(work->kept);
    rls2_model_free(work->model);
}

static int check_threshold(const settings *s, const rls2_model *model)
{
    if (!(s->threshold < 0.0 || s->threshold > 0.0) || rls2_model_class_count(model) == 2)
        return EXIT_OK;
    say_error(s, "--threshold %g: the model does not tell two classes apart", s->threshold);
    return EXIT_USAGE;
}

/* In words that say how to get them. */
static int check_probability(const settings *s, const rls2_model *model)
{
    char loss[40];
    if (!s->probability || rls2_loss_has_probabilities(rls2_model_loss(model))) return EXIT_OK;
    if (!rls2_model_is_classification(model))
        say_error(s, "--probability: the model predicts numbers, and these have no classes");
    else
        say_error(s,
                  "--probability: the model was learned with %s loss, which gives scores, not "
                  "probabilities; train it with --loss logistic",
                  rls2_loss_text(rls2_model_loss(model), loss, sizeof loss));
    return EXIT_USAGE;
}

static int run_predict(const settings *s)
{
    rls2_error err;
    job work = {.s = s};
    int code = EXIT_OK;
    if (s->strict && s->missing && strcmp(s->missing, "error") != 0) {
        say_error(s, "--strict stops at an empty cell, and --missing %s does not", s->missing);
        return EXIT_USAGE;
    }
    if (rls2_model_load(s->argument[0], &work.model, &err) != RLS2_OK) return fail(s, &err);
    if (!rls2_model_output_name(work.model, 0)) {
        say_error(s, "%s: the model was made without a table and does not know how to read one",
                  s->argument[0]);
        code = EXIT_FAILED;
    }
    if (code == EXIT_OK) code = check_threshold(s, work.model);
    if (code == EXIT_OK) code = check_probability(s, work.model);
    if (code == EXIT_OK) code = intervals_prepare(&work);
    if (code == EXIT_OK) code = prepare(&work);
    if (code == EXIT_OK && s->std) code = prepare_std(&work);
    if (code == EXIT_OK) code = write_all(&work);
    if (code == EXIT_OK) conclude(&work);
    job_free(&work);
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
        "Reads a model saved by 'rls2 train' and a table, and writes one prediction for each "
        "row, as CSV or, with --json, as JSON: a number, or a class with its score; of more than "
        "two classes the class and the score of each; of several targets a number for each. Of a "
        "model of counts (--loss poisson) the number is the rate, of a quantile that quantile.\n\n"
        "Columns of the table are found by name, in any order, and preprocessed exactly as the "
        "training data were. Other columns, and row weights, are ignored. If the target is in "
        "the table too, the score of the predictions is reported.\n\n"
        "An empty cell is filled with what the training rows say (the median, or the most frequent "
        "category), and a category that they do not have is read as 'other'; both are counted at "
        "the end. --strict refuses them.\n\n"
        "--probability adds the probability of each class, where the model was trained with "
        "--loss logistic. --contributions shows, row by row, where a prediction comes from; --std "
        "how uncertain it is.\n\n"
        "The columns written, in this order:\n\n"
        "  with --keep             the columns of the table named\n"
        "  of one target           prediction\n"
        "  of two classes          prediction, score (positive: the second)\n"
        "  of more classes         prediction, score_NAME of each class\n"
        "  of several targets      prediction_NAME of each target\n"
        "  with --probability      probability_LABEL of each class\n"
        "  with --interval         lower, upper: where the target lies, as often\n"
        "                          as the level of train's --interval says\n"
        "  with --std              std, std_observation\n"
        "                          or std_NAME, std_observation_NAME of each\n"
        "  with --contributions    intercept, KERNEL of each kernel\n"
        "                          or intercept_NAME, NAME:KERNEL of each\n\n"
        "A score of a model of --loss logistic is the logarithm of the odds of the class. "
        "Contributions sum to the score, of counts to the logarithm of the rate. std is the "
        "standard deviation of the value itself, std_observation that of a new observation of it; "
        "both are for the square loss. --json has the same as objects and, if the target is in the "
        "table, "
        "'score' at the end.",
    .examples = "$ rls2 predict housing.model data/housing.csv -o prices.csv\n"
                "  One line for each house; prices.csv appears when it is complete.\n\n"
                "$ rls2 predict housing.model data/housing.csv --contributions | head\n"
                "  Also the standard deviations and the parts the kernels contribute.\n\n"
                "$ rls2 train data/heart.csv -t class --loss logistic -k linear -o heart.model\n"
                "$ rls2 predict heart.model data/heart.csv --probability | head\n"
                "  How probable each class is, not only which is likelier.\n\n"
                "$ zcat new.csv.gz | rls2 predict housing.model - > new-prices.csv\n"
                "  From the standard input to the standard output.\n",
    .run = run_predict};
