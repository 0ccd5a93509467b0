/* The lines and the JSON of rls2 predict. A model of one output has columns without names:
 * prediction, score, std; of several the name of the output stands behind each. */
#include "cli/use/predict_write.h"

#include <math.h>
#include <stdlib.h>

#include "cli/json.h"
#include "cli/score.h"
#include "cli/use/predict_command.h"
#include "cli/use/predict_interval.h"
#include "cli/use/predict_score.h"
#include "cli/use/targets.h"

static double std_of(const job *work, const piece *at, int64_t i, int64_t o)
{
    return sqrt(at->variance[o * at->n + i] * work->std_factor[o]);
}

static double std_observation_of(const job *work, const piece *at, int64_t i, int64_t o)
{
    return sqrt(at->variance[o * at->n + i] * work->std_factor[o] + work->noise[o]);
}

static double part_of(const job *work, const piece *at, int64_t i, int64_t o, int64_t k)
{
    return at->parts[(work->part_start[o] + k) * at->n + i];
}

static int64_t part_count(const job *work, int64_t o)
{
    return work->part_start[o + 1] - work->part_start[o];
}

/* A kernel, or behind them a member of a stack, whose kernel may be among them. Freed by the
 * caller; NULL when out of memory. */
static char *part_name(const job *work, int64_t o, int64_t k)
{
    char *text = NULL;
    const rls2_model *one = rls2_model_output(work->model, o);
    int64_t kernels = rls2_model_kernel_count(one);
    const char *name =
        k < kernels ? rls2_model_kernel_name(one, k) : rls2_model_member_name(one, k - kernels);
    return asprintf(&text, "%s%s", k < kernels ? "" : "stack: ", name) < 0 ? NULL : text;
}

/* The text of a kept cell as it was written; of a table without texts, its number in the buffer. ""
 * where it is missing. */
static const char *kept_text(const job *work, const piece *at, int64_t row, int64_t k,
                             char buffer[32])
{
    const char *text = rls2_table_cell(at->table, row, work->kept[k]);
    double value = rls2_table_value(at->table, row, work->kept[k]);
    return *text || isnan(value) ? text : number_text(value, buffer);
}

/* ---- lines ---- */

static void write_kept_names(const job *work)
{
    for (int64_t k = 0; k < work->s->keep.count; k++) {
        csv_text(work->out.file, work->s->keep.items[k]);
        fputc(',', work->out.file);
    }
}

static void write_kept(const job *work, const piece *at, int64_t row)
{
    char buffer[32];
    for (int64_t k = 0; k < work->s->keep.count; k++) {
        csv_text(work->out.file, kept_text(work, at, row, k, buffer));
        fputc(',', work->out.file);
    }
}

/* A cell "WHAT", or "WHAT_NAME" of several outputs. */
static int write_name(const job *work, const char *separator, const char *what, int64_t o)
{
    char *text = NULL;
    FILE *file = work->out.file;
    fputs(separator, file);
    if (work->outputs == 1) {
        fputs(what, file);
        return EXIT_OK;
    }
    if (asprintf(&text, "%s_%s", what, rls2_model_output_name(work->model, o)) < 0)
        return out_of_memory(work->s);
    csv_text(file, text);
    free(text);
    return EXIT_OK;
}

/* "WHAT_LABEL" */
static int write_class_name(const job *work, const char *what, int64_t k)
{
    char *text = NULL;
    if (asprintf(&text, "%s_%s", what, rls2_model_class_label(work->model, k)) < 0)
        return out_of_memory(work->s);
    fputc(',', work->out.file);
    csv_text(work->out.file, text);
    free(text);
    return EXIT_OK;
}

static int write_kernel_name(const job *work, int64_t o, int64_t k)
{
    char *text = NULL, *kernel = part_name(work, o, k);
    if (!kernel) return out_of_memory(work->s);
    fputc(',', work->out.file);
    int several = work->outputs > 1;
    if (several && asprintf(&text, "%s:%s", rls2_model_output_name(work->model, o), kernel) < 0)
        text = NULL;
    csv_text(work->out.file, several && text ? text : kernel);
    int code = several && !text ? out_of_memory(work->s) : EXIT_OK;
    free(text);
    free(kernel);
    return code;
}

static int write_part_names(const job *work, int64_t o)
{
    int code = write_name(work, ",", "intercept", o);
    for (int64_t k = 0; k < part_count(work, o) && code == EXIT_OK; k++)
        code = write_kernel_name(work, o, k);
    return code;
}

/* Quantiles have one interval together. */
static int write_interval_names(const job *work, int64_t t)
{
    if (work->intervals == 1) return fputs(",lower,upper", work->out.file) < 0 ? EXIT_FAILED : 0;
    int code = write_name(work, ",", "lower", t);
    return code == EXIT_OK ? write_name(work, ",", "upper", t) : code;
}

static int write_header(const job *work)
{
    int code = EXIT_OK;
    write_kept_names(work);
    if (work->classification) fputs("prediction", work->out.file);
    for (int64_t o = 0; o < work->outputs && code == EXIT_OK; o++)
        code = work->classification ? write_name(work, ",", "score", o)
                                    : write_name(work, o > 0 ? "," : "", "prediction", o);
    for (int64_t k = 0; work->s->probability && k < rls2_model_class_count(work->model); k++)
        if (code == EXIT_OK) code = write_class_name(work, "probability", k);
    for (int64_t t = 0; t < work->intervals && code == EXIT_OK; t++)
        code = write_interval_names(work, t);
    for (int64_t o = 0; work->s->std && o < work->outputs && code == EXIT_OK; o++) {
        code = write_name(work, ",", "std", o);
        if (code == EXIT_OK) code = write_name(work, ",", "std_observation", o);
    }
    for (int64_t o = 0; work->s->contributions && o < work->outputs && code == EXIT_OK; o++)
        code = write_part_names(work, o);
    fputc('\n', work->out.file);
    return code;
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
    write_kept(work, at, rls2_dataset_source_row(at->data, i));
    if (work->classification)
        csv_text(file, rls2_model_class_label(work->model, at->classes[i]));
    else
        fputs(number_text(at->said[i], buffer), file);
    for (int64_t o = !work->classification; o < work->outputs; o++)
        write_number(file, at->said[o * at->n + i]);
    for (int64_t k = 0; at->p && k < rls2_model_class_count(work->model); k++)
        write_number(file, at->p[k * at->n + i]);
    for (int64_t t = 0; t < work->intervals; t++) {
        write_number(file, at->bounds[t * at->n + i]);
        write_number(file, at->bounds[(work->intervals + t) * at->n + i]);
    }
    for (int64_t o = 0; at->variance && o < work->outputs; o++) {
        write_number(file, std_of(work, at, i, o));
        write_number(file, std_observation_of(work, at, i, o));
    }
    for (int64_t o = 0; at->parts && o < work->outputs; o++) {
        write_number(file, rls2_model_base(rls2_model_output(work->model, o)));
        for (int64_t k = 0; k < part_count(work, o); k++)
            write_number(file, part_of(work, at, i, o, k));
    }
    fputc('\n', file);
}

/* NA and not nothing: programs skip empty lines. */
static void write_empty(const job *work, const piece *at, int64_t row)
{
    int64_t more = work->classification + work->outputs - 1 + 2 * work->s->std * work->outputs;
    more += 2 * work->intervals;
    if (work->s->probability) more += rls2_model_class_count(work->model);
    if (work->s->contributions) more += work->outputs + work->part_start[work->outputs];
    write_kept(work, at, row);
    fputs("NA", work->out.file);
    while (more-- > 0) fputs(",NA", work->out.file);
    fputc('\n', work->out.file);
}

/* ---- JSON ---- */

typedef double (*value_fn)(const job *work, const piece *at, int64_t i, int64_t o);

static double said_of(const job *work, const piece *at, int64_t i, int64_t o)
{
    (void)work;
    return at->said[o * at->n + i];
}

/* A number, or of several outputs an object with one for each. */
static void json_values(job *work, const char *key, value_fn value, const piece *at, int64_t i)
{
    if (work->outputs == 1) {
        json_number(&work->j, key, value(work, at, i, 0));
        return;
    }
    json_object(&work->j, key);
    for (int64_t o = 0; o < work->outputs; o++)
        json_number(&work->j, rls2_model_output_name(work->model, o), value(work, at, i, o));
    json_end_object(&work->j);
}

static void json_probabilities(job *work, const piece *at, int64_t i)
{
    json_object(&work->j, "probabilities");
    for (int64_t k = 0; k < rls2_model_class_count(work->model); k++)
        json_number(&work->j, rls2_model_class_label(work->model, k), at->p[k * at->n + i]);
    json_end_object(&work->j);
}

static void json_bounds(job *work, const char *key, const double *bounds, const piece *at,
                        int64_t i)
{
    if (work->intervals == 1) {
        json_number(&work->j, key, bounds[i]);
        return;
    }
    json_object(&work->j, key);
    for (int64_t t = 0; t < work->intervals; t++)
        json_number(&work->j, rls2_model_output_name(work->model, t), bounds[t * at->n + i]);
    json_end_object(&work->j);
}

static void json_part(job *work, const piece *at, int64_t i, int64_t o, int64_t k)
{
    char *name = part_name(work, o, k);
    if (name) json_number(&work->j, name, part_of(work, at, i, o, k));
    free(name);
}

static void json_parts(job *work, const piece *at, int64_t i)
{
    json_object(&work->j, "contributions");
    for (int64_t o = 0; o < work->outputs; o++) {
        if (work->outputs > 1) json_object(&work->j, rls2_model_output_name(work->model, o));
        json_number(&work->j, "intercept", rls2_model_base(rls2_model_output(work->model, o)));
        for (int64_t k = 0; k < part_count(work, o); k++) json_part(work, at, i, o, k);
        if (work->outputs > 1) json_end_object(&work->j);
    }
    json_end_object(&work->j);
}

static void json_kept(job *work, const piece *at, int64_t row)
{
    char buffer[32];
    if (work->s->keep.count == 0) return;
    json_object(&work->j, "keep");
    for (int64_t k = 0; k < work->s->keep.count; k++) {
        const char *text = kept_text(work, at, row, k, buffer);
        json_text(&work->j, work->s->keep.items[k], *text ? text : NULL);
    }
    json_end_object(&work->j);
}

static void json_line(job *work, const piece *at, int64_t i)
{
    json_object(&work->j, NULL);
    json_kept(work, at, rls2_dataset_source_row(at->data, i));
    if (work->classification)
        json_text(&work->j, "prediction", rls2_model_class_label(work->model, at->classes[i]));
    json_values(work,
                !work->classification ? "prediction"
                : work->outputs == 1  ? "score"
                                      : "scores",
                said_of, at, i);
    if (at->p) json_probabilities(work, at, i);
    if (at->bounds) json_bounds(work, "lower", at->bounds, at, i);
    if (at->bounds) json_bounds(work, "upper", at->bounds + at->n * work->intervals, at, i);
    if (at->variance) {
        json_values(work, "std", std_of, at, i);
        json_values(work, "std_observation", std_observation_of, at, i);
    }
    if (at->parts) json_parts(work, at, i);
    json_end_object(&work->j);
}

static void json_empty(job *work, const piece *at, int64_t row)
{
    json_object(&work->j, NULL);
    json_kept(work, at, row);
    json_text(&work->j, "prediction", NULL);
    json_end_object(&work->j);
}

static void json_head(job *work)
{
    work->j = json_start(work->out.file);
    json_object(&work->j, NULL);
    json_targets(&work->j, work->model);
    json_text(&work->j, "task", work->classification ? "classification" : "regression");
    json_text(&work->j, "loss", loss_name_of_model(work->model).text);
    json_array(&work->j, "predictions");
}

/* ---- either ---- */

int write_start(job *work)
{
    if (!work->s->json) return write_header(work);
    json_head(work);
    return EXIT_OK;
}

void write_row(job *work, const piece *at, int64_t i)
{
    if (work->s->json)
        json_line(work, at, i);
    else
        write_line(work, at, i);
}

void write_empty_row(job *work, const piece *at, int64_t row)
{
    if (work->s->json)
        json_empty(work, at, row);
    else
        write_empty(work, at, row);
}

void write_end(job *work)
{
    if (!work->s->json) return;
    json_end_array(&work->j);
    json_integer(&work->j, "n", work->rows);
    json_integer(&work->j, "imputed", work->imputed);
    json_integer(&work->j, "unseen", work->unseen);
    score_json(work);
    intervals_json(work);
    json_end_object(&work->j);
    json_finish(&work->j);
}
