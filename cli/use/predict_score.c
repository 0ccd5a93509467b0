/* The score of rls2 predict: over the rows that are predicted and whose target stands in the file
 * too. Means over rows are summed as rows come; the area under the ROC curve, which is none, needs
 * them all. */
#include "cli/use/predict_score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/score.h"
#include "cli/use/predict_command.h"
#include "cli/use/targets.h"

/* Beyond so many numbers there is no area: rows may be without end. */
static const int64_t MOST_KEPT = 20000000;

struct tally {
    scoring by;      /* of classes with probabilities the list is longer than that of a report */
    double *sum;     /* targets x by.count: of what each row adds to a measure */
    int64_t *column; /* of each target in the piece at hand, -1 where it is not there */
    int *known;      /* 1 for a target whose column is there */
    double *row;     /* 2 x outputs: f and y of one row */
    double *kept;    /* f and y of all rows that are kept, one row after another */
    int64_t kept_count, room;
    int64_t scored;
    int64_t strangers; /* of those, rows whose label is that of no class */
};

/* ---- measures ---- */

/* All there is to say of probabilities; of several targets one measure of each. */
static void choose_measures(const job *work, scoring *by)
{
    static const rls2_measure OF_PROBABILITIES[] = {RLS2_MEASURE_LOG_LOSS, RLS2_MEASURE_BRIER,
                                                    RLS2_MEASURE_AUC, RLS2_MEASURE_ACCURACY};
    if (work->classification && by->count > 1) {
        memcpy(by->of, OF_PROBABILITIES, sizeof OF_PROBABILITIES);
        by->count = 4;
    }
    if (work->targets < 2) return;
    by->count = 1;
    by->of[0] = rls2_measure_default_for(by->losses[0], 0, 1);
}

int score_prepare(job *work)
{
    struct tally *t = work->tally = calloc(1, sizeof *t);
    if (!t) return out_of_memory(work->s);
    size_t targets = (size_t)work->targets, outputs = (size_t)work->outputs;
    int code = scoring_of_model(work->s, work->model, &t->by);
    if (code != EXIT_OK) return code;
    choose_measures(work, &t->by);
    t->sum = calloc(targets * MOST_SCORES + 1, sizeof *t->sum);
    t->column = calloc(targets + 1, sizeof *t->column);
    t->known = calloc(targets + 1, sizeof *t->known);
    t->row = calloc(2 * outputs, sizeof *t->row);
    return t->sum && t->column && t->known && t->row ? EXIT_OK : out_of_memory(work->s);
}

void score_free(job *work)
{
    struct tally *t = work->tally;
    if (!t) return;
    scoring_free(&t->by);
    free(t->sum);
    free(t->column);
    free(t->known);
    free(t->row);
    free(t->kept);
    free(t);
    work->tally = NULL;
}

/* What a row adds to the sum that a measure is the mean of, or the root of the mean. */
static double row_value(rls2_measure measure, const rls2_loss *losses, int64_t outputs,
                        const double *f, const double *y)
{
    if (measure == RLS2_MEASURE_RMSE) measure = RLS2_MEASURE_MSE;
    return rls2_measure_value_of(measure, losses, outputs, 1, f, y, NULL);
}

/* ---- counting classes ---- */

/* The class whose label stands there, -1 if it is none of them. */
static int64_t observed_class(const job *work, const rls2_table *table, int64_t row, int64_t column)
{
    for (int64_t k = 0; column >= 0 && k < rls2_model_class_count(work->model); k++)
        if (rls2_table_holds(table, row, column, rls2_model_class_label(work->model, k))) return k;
    return -1;
}

/* f of row i, and the class as it is learned: +1 or -1 in each output. */
static void take_row(const job *work, const piece *at, int64_t i, int64_t class)
{
    double *f = work->tally->row, *y = f + work->outputs;
    for (int64_t o = 0; o < work->outputs; o++) {
        f[o] = at->f[o * at->n + i];
        y[o] = (work->outputs == 1 ? class == 1 : class == o) ? 1.0 : -1.0;
    }
}

static int keep_row(const job *work)
{
    struct tally *t = work->tally;
    int64_t width = 2 * work->outputs;
    if ((t->kept_count + 1) * width > MOST_KEPT) {
        t->kept_count = MOST_KEPT; /* no room for another, and so no area */
        return EXIT_OK;
    }
    if (t->kept_count == t->room) {
        int64_t room = t->room > 0 ? 2 * t->room : 1024;
        double *more = reallocarray(t->kept, (size_t)(room * width), sizeof *more);
        if (!more) return out_of_memory(work->s);
        t->kept = more;
        t->room = room;
    }
    memcpy(t->kept + t->kept_count++ * width, t->row, (size_t)width * sizeof *t->row);
    return EXIT_OK;
}

/* A label that is none of the classes is known, and every answer to it wrong. */
static int count_class(job *work, const piece *at, int64_t i)
{
    struct tally *t = work->tally;
    int64_t row = rls2_dataset_source_row(at->data, i), column = t->column[0],
            class = observed_class(work, at->table, row, column);
    if (column < 0 || !*rls2_table_cell(at->table, row, column)) return EXIT_OK;
    t->strangers += class < 0;
    t->scored++;
    t->sum[t->by.count - 1] += at->classes[i] == class; /* accuracy is the last; by --threshold */
    if (class < 0 || t->by.count == 1) return EXIT_OK;
    take_row(work, at, i, class);
    for (int k = 0; k + 1 < t->by.count; k++)
        if (t->by.of[k] != RLS2_MEASURE_AUC)
            t->sum[k] +=
                row_value(t->by.of[k], t->by.losses, work->outputs, t->row, t->row + work->outputs);
    return keep_row(work);
}

/* ---- counting numbers ---- */

/* f of target t in row i, of which there may be several quantiles, and y as often; returns how
 * often. */
static int64_t take_numbers(const job *work, const piece *at, int64_t i, int64_t t, double y)
{
    int64_t outputs = work->targets == 1 ? work->outputs : 1;
    double *f = work->tally->row;
    for (int64_t o = 0; o < outputs; o++) {
        f[o] = at->f[(t + o) * at->n + i];
        f[outputs + o] = y;
    }
    return outputs;
}

/* A row counts where every target whose column is there is known. */
static void count_numbers(job *work, const piece *at, int64_t i)
{
    struct tally *tally = work->tally;
    int64_t row = rls2_dataset_source_row(at->data, i), there = 0;
    for (int64_t t = 0; t < work->targets; t++) {
        if (tally->column[t] < 0) continue;
        if (isnan(rls2_model_target_value(work->model, t, at->table, row, tally->column[t])))
            return;
        there++;
    }
    tally->scored += there > 0;
    for (int64_t t = 0; t < work->targets; t++) {
        if (tally->column[t] < 0) continue;
        double y = rls2_model_target_value(work->model, t, at->table, row, tally->column[t]);
        int64_t outputs = take_numbers(work, at, i, t, y);
        for (int k = 0; k < tally->by.count; k++)
            tally->sum[t * MOST_SCORES + k] += row_value(tally->by.of[k], &tally->by.losses[t],
                                                         outputs, tally->row, tally->row + outputs);
    }
}

int score_count(job *work, const piece *at)
{
    struct tally *tally = work->tally;
    int code = EXIT_OK;
    for (int64_t t = 0; t < work->targets; t++) {
        tally->column[t] = rls2_table_find(at->table, target_name(work->model, t));
        tally->known[t] = tally->column[t] >= 0;
    }
    for (int64_t i = 0; i < at->n && code == EXIT_OK; i++) {
        if (work->classification)
            code = count_class(work, at, i);
        else
            count_numbers(work, at, i);
    }
    return code;
}

/* ---- telling ---- */

/* Of the rows that are kept, by columns; NaN where some were not, or memory is out. */
static double area_of(const job *work)
{
    const struct tally *t = work->tally;
    int64_t n = t->kept_count, outputs = work->outputs, width = 2 * outputs;
    double value = NAN, *both = NULL;
    if (n > 0 && n < MOST_KEPT) both = reallocarray(NULL, (size_t)(n * width), sizeof *both);
    if (!both) return value;
    for (int64_t i = 0; i < n; i++)
        for (int64_t o = 0; o < width; o++) both[o * n + i] = t->kept[i * width + o];
    value = rls2_measure_value_of(RLS2_MEASURE_AUC, t->by.losses, outputs, n, both,
                                  both + n * outputs, NULL);
    free(both);
    return value;
}

/* Labels that are none of the classes are counted by accuracy alone. */
static double score_of(const job *work, int64_t t, int k)
{
    const struct tally *tally = work->tally;
    rls2_measure measure = tally->by.of[k];
    int64_t rows = tally->scored;
    if (measure == RLS2_MEASURE_AUC) return area_of(work);
    if (work->classification && measure != RLS2_MEASURE_ACCURACY) rows -= tally->strangers;
    double mean = tally->sum[t * MOST_SCORES + k] / (double)rows;
    return measure == RLS2_MEASURE_RMSE ? sqrt(mean) : mean;
}

/* "rmse 0.12", "log-loss 0.3, accuracy 0.9", "rmse T1 0.12, T2 4.5" */
static void print_score(const job *work, FILE *file)
{
    const struct tally *tally = work->tally;
    const char *comma = "";
    for (int k = 0; k < tally->by.count; k++) {
        double value = work->targets == 1 ? score_of(work, 0, k) : 0.0;
        if (isnan(value)) continue; /* an area of one class */
        fprintf(file, "%s%s", comma, scoring_name(&tally->by, k));
        comma = work->targets == 1 ? ", " : "";
        if (work->targets == 1) fprintf(file, " %.6g", value);
    }
    for (int64_t t = 0; work->targets > 1 && t < work->targets; t++) {
        if (!tally->known[t]) continue;
        fprintf(file, "%s %s %.6g", comma, target_name(work->model, t), score_of(work, t, 0));
        comma = ",";
    }
}

static void say_value(const job *work)
{
    char *text = NULL;
    size_t length = 0;
    int64_t scored = work->tally->scored;
    FILE *line = open_memstream(&text, &length);
    if (!line) return;
    print_score(work, line);
    fprintf(line, " on the %s ", count_of(scored, "row").text);
    if (work->left_out > 0) fprintf(line, "that %s all inputs and ", scored == 1 ? "has" : "have");
    fputs("whose ", line);
    if (work->targets > 1)
        fputs("targets are known", line);
    else
        fprintf(line, "'%s' is known", target_name(work->model, 0));
    fclose(line);
    if (text) say(work->s, "%s", text);
    free(text);
}

void score_say(const job *work)
{
    const settings *s = work->s;
    const struct tally *t = work->tally;
    if (t->scored == 0) return;
    if (t->strangers > 0)
        say(s, "%s %s a label that is none of the classes: counted as wrong%s",
            count_of(t->strangers, "row").text, t->strangers == 1 ? "has" : "have",
            t->by.count > 1 ? " by accuracy, and not at all by the other measures" : "");
    say_value(work);
    if (rls2_model_row_weights(work->model))
        say(s, "each row is counted once in this score: the weights the model was trained with "
               "are not in it");
}

void score_json(job *work)
{
    const struct tally *tally = work->tally;
    if (tally->scored == 0) return;
    json_object(&work->j, "score");
    if (work->targets > 1) json_object(&work->j, scoring_name(&tally->by, 0));
    for (int64_t t = 0; work->targets > 1 && t < work->targets; t++)
        if (tally->known[t])
            json_number(&work->j, target_name(work->model, t), score_of(work, t, 0));
    for (int k = 0; work->targets == 1 && k < tally->by.count; k++)
        json_number(&work->j, scoring_name(&tally->by, k), score_of(work, 0, k));
    if (work->targets > 1) json_end_object(&work->j);
    json_integer(&work->j, "rows", tally->scored);
    json_end_object(&work->j);
}
