/* The score of rls2 predict: over the rows that are predicted and whose target stands in the file
 * too. */
#include "cli/use/predict_score.h"

#include <math.h>
#include <stdlib.h>

#include "cli/json.h"
#include "cli/score.h"
#include "cli/use/predict_command.h"
#include "cli/use/targets.h"

/* ---- counting ---- */

/* The class whose label stands there, -1 if it is none of them. */
static int64_t observed_class(const job *work, const rls2_table *table, int64_t row, int64_t column)
{
    for (int64_t k = 0; column >= 0 && k < rls2_model_class_count(work->model); k++)
        if (rls2_table_holds(table, row, column, rls2_model_class_label(work->model, k))) return k;
    return -1;
}

/* A label that is none of the classes is known, and every answer to it wrong. */
static void count_class(job *work, const piece *at, int64_t i, int64_t column)
{
    int64_t row = rls2_dataset_source_row(at->data, i),
            class = observed_class(work, at->table, row, column);
    if (column < 0 || !*rls2_table_cell(at->table, row, column)) return;
    work->strangers += class < 0;
    work->scored++;
    work->sum[0] += at->classes[i] == class;
}

/* A row counts where every target whose column is there is known. */
static void count_numbers(job *work, const piece *at, int64_t i, const int64_t *columns)
{
    int64_t row = rls2_dataset_source_row(at->data, i), there = 0;
    for (int64_t t = 0; t < work->targets; t++) {
        if (columns[t] < 0) continue;
        if (isnan(rls2_model_target_value(work->model, t, at->table, row, columns[t]))) return;
        there++;
    }
    work->scored += there > 0;
    for (int64_t t = 0; t < work->targets; t++) {
        if (columns[t] < 0) continue;
        double error = at->f[t * at->n + i] -
                       rls2_model_target_value(work->model, t, at->table, row, columns[t]);
        work->sum[t] += error * error;
    }
}

void score_count(job *work, const piece *at, int64_t i, const int64_t *columns)
{
    if (work->classification)
        count_class(work, at, i, columns[0]);
    else
        count_numbers(work, at, i, columns);
}

/* ---- telling ---- */

static double score_of(const job *work, int64_t t)
{
    double mean = work->sum[t] / (double)work->scored;
    return work->classification ? mean : sqrt(mean);
}

/* "rmse 0.12", "accuracy 0.9", "rmse T1 0.12, T2 4.5" */
static void print_score(const job *work, FILE *file)
{
    const char *comma = "";
    fputs(score_name(work->classification, 1), file);
    for (int64_t t = 0; t < work->targets; t++) {
        if (!work->known[t]) continue;
        if (work->targets > 1) fprintf(file, "%s %s", comma, target_name(work->model, t));
        fprintf(file, " %.6g", score_of(work, t));
        comma = ",";
    }
}

static void say_value(const job *work)
{
    char *text = NULL;
    size_t length = 0;
    FILE *line = open_memstream(&text, &length);
    if (!line) return;
    print_score(work, line);
    fprintf(line, " on the %s ", count_of(work->scored, "row").text);
    if (work->left_out > 0)
        fprintf(line, "that %s all inputs and ", work->scored == 1 ? "has" : "have");
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
    if (work->scored == 0) return;
    if (work->strangers > 0)
        say(s, "%s %s a label that is none of the classes: counted as wrong",
            count_of(work->strangers, "row").text, work->strangers == 1 ? "has" : "have");
    say_value(work);
    if (rls2_model_row_weights(work->model))
        say(s, "each row is counted once in this score: the weights the model was trained with "
               "are not in it");
}

void score_json(job *work)
{
    const char *name = score_name(work->classification, 1);
    if (work->scored == 0) return;
    json_object(&work->j, "score");
    if (work->targets > 1) json_object(&work->j, name);
    for (int64_t t = 0; t < work->targets; t++)
        if (work->known[t])
            json_number(&work->j, work->targets > 1 ? target_name(work->model, t) : name,
                        score_of(work, t));
    if (work->targets > 1) json_end_object(&work->j);
    json_integer(&work->j, "rows", work->scored);
    json_end_object(&work->j);
}
