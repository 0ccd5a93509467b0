/* Tables to download: predictions of the run's own rows, of new rows, and the training rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/csv_answer.h"
#include "gui/server/detail.h"
#include "gui/server/model_source.h"
#include "gui/server/routes.h"
#include "gui/server/seen.h"
#include "gui/server/table_columns.h"

/* ---- probabilities of classes ---- */

static int64_t probability_columns(const rls2_model *model)
{
    return rls2_loss_has_probabilities(rls2_model_loss(model)) ? rls2_model_class_count(model) : 0;
}

/* "WHAT_LABEL" of each class. */
static void write_probability_names(csv *c, const rls2_model *model, const char *what)
{
    char name[400];
    for (int64_t k = 0; k < probability_columns(model); k++) {
        snprintf(name, sizeof name, "%s_%s", what, rls2_model_class_label(model, k));
        csv_words(c, name);
    }
}

/* Those of one of n rows, NA where it was not predicted. */
static void write_probabilities(csv *c, const rls2_model *model, const double *f, int64_t n,
                                int64_t row)
{
    int64_t count = probability_columns(model), outputs = rls2_model_outputs(model);
    double *one = count ? calloc((size_t)(outputs + count) + 1, sizeof *one) : NULL;
    double *p = one ? one + outputs : NULL;
    for (int64_t o = 0; one && row >= 0 && o < outputs; o++) one[o] = f[o * n + row];
    int known = one && row >= 0 && rls2_model_probabilities(model, 1, one, p, NULL) == RLS2_OK;
    for (int64_t k = 0; k < count; k++) csv_number(c, known ? p[k] : (double)NAN);
    free(one);
}

/* ---- new rows, in the words of rls2 predict; ?cells=1: beside their own cells ---- */

/* "WHAT", or "WHAT_NAME" of several outputs. */
static void write_name(csv *c, const rls2_model *model, const char *what, int64_t o)
{
    char name[400];
    int several = rls2_model_outputs(model) > 1;
    snprintf(name, sizeof name, "%s%s%s", what, several ? "_" : "",
             several ? rls2_model_output_name(model, o) : "");
    csv_words(c, name);
}

/* The table's own cells come first where it is given: an id, a name, whatever tells the rows apart.
 */
static void write_header(csv *c, const rls2_model *model, const rls2_table *table)
{
    int classes = rls2_model_is_classification(model);
    for (int64_t j = 0; table && j < rls2_table_columns(table); j++)
        csv_words(c, rls2_table_column_name(table, j));
    if (classes) csv_words(c, "prediction");
    for (int64_t o = 0; o < rls2_model_outputs(model); o++)
        write_name(c, model, classes ? "score" : "prediction", o);
    write_probability_names(c, model, "probability");
    csv_line(c);
}

/* NA for rows that could not be encoded. */
static void write_rows(csv *c, const rls2_model *model, const seen *s, int64_t rows,
                       const rls2_table *table)
{
    int64_t at = 0;
    char text[32];
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; table && j < rls2_table_columns(table); j++)
            csv_words(c, columns_cell(table, i, j, text));
        int there = at < s->n && rls2_dataset_source_row(s->data, at) == i;
        if (s->classes && there) csv_words(c, rls2_model_class_label(model, s->classes[at]));
        if (s->classes && !there) csv_nothing(c);
        for (int64_t o = 0; o < s->outputs; o++) {
            if (there)
                csv_number(c, s->f[o * s->n + at]);
            else
                csv_nothing(c);
        }
        write_probabilities(c, model, s->f, s->n, there ? at : -1);
        csv_line(c);
        at += there;
    }
}

/* What became of the rows; the same numbers as the command's summary has. */
static void sum_up(const seen *s, int64_t rows, reply *answer)
{
    snprintf(answer->summary, sizeof answer->summary,
             "{\"rows\":%lld,\"predicted\":%lld,\"imputed\":%lld,\"unseen\":%lld}", (long long)rows,
             (long long)s->n, (long long)rls2_dataset_imputed(s->data),
             (long long)rls2_dataset_unseen(s->data));
}

static int predict_file(request *r, const rls2_model *model, csv *c, reply *answer, fault *f)
{
    seen s = {0};
    rls2_table *table = NULL;
    const char *name = request_query(r, "name");
    json_t *reading = request_reading(r);
    int code = columns_read(&r->state->store, r->file_path, name && name[0] ? name : "new.csv",
                            reading, &table, f);
    json_decref(reading);
    if (!code) code = see(model, table, seen_missing(model), RLS2_RESPONSE_IGNORED, &s, f);
    if (!code) {
        const char *cells = request_query(r, "cells");
        const rls2_table *beside = cells && strcmp(cells, "1") == 0 ? table : NULL;
        write_header(c, model, beside);
        write_rows(c, model, &s, rls2_table_rows(table), beside);
        sum_up(&s, rls2_table_rows(table), answer);
    }
    seen_free(&s);
    rls2_table_free(table);
    return code;
}

int run_predict(request *r, reply *answer, fault *f)
{
    csv c = {0};
    model_source from;
    int code = model_borrow(r, &from, f);
    if (!code) code = csv_begin(&c, f);
    if (!code) code = predict_file(r, from.model, &c, answer, f);
    code = csv_send(&c, code, "predictions.csv", answer, f);
    model_release(r, &from);
    return code;
}

/* ---- the run's own rows ---- */

typedef struct listing {
    csv *out;
    const rls2_plan *plan;
    const rls2_model *model;
    const double *left_out; /* of rls2_plan_split_data; NULL: none */
    int64_t left_out_rows;
} listing;

static void write_value(const listing *l, int64_t o, const double *f, int64_t n, int64_t row)
{
    int64_t class = -1;
    if (!rls2_model_is_classification(l->model)) {
        csv_number(l->out, f[o * n + row]);
        return;
    }
    int64_t outputs = rls2_model_outputs(l->model);
    double *one = calloc((size_t)outputs + 1, sizeof *one);
    for (int64_t k = 0; one && k < outputs; k++) one[k] = f[k * n + row];
    if (one) rls2_decide(outputs, 1, one, &class);
    if (one && class >= 0)
        csv_words(l->out, rls2_model_class_label(l->model, class));
    else
        csv_nothing(l->out);
    free(one);
}

/* Of classes one column says it, of several targets one for each. */
static int64_t value_columns(const rls2_model *model)
{
    return rls2_model_is_classification(model) ? 1 : rls2_model_outputs(model);
}

/* Several quantiles are those of one target. */
static int has_levels(const rls2_model *model)
{
    if (rls2_model_loss(model).kind != RLS2_LOSS_QUANTILE || rls2_model_outputs(model) < 2)
        return 0;
    return rls2_model_loss(rls2_model_output(model, 0)).parameter !=
           rls2_model_loss(rls2_model_output(model, 1)).parameter;
}

static int64_t actual_columns(const rls2_model *model)
{
    return has_levels(model) ? 1 : value_columns(model);
}

static void write_value_names(const listing *l, const char *what)
{
    for (int64_t o = 0; o < value_columns(l->model); o++) {
        if (rls2_model_is_classification(l->model))
            csv_words(l->out, what);
        else
            write_name(l->out, l->model, what, o);
    }
}

static void write_listing_header(const listing *l)
{
    int classes = rls2_model_is_classification(l->model);
    csv_words(l->out, "row");
    csv_words(l->out, "part");
    if (has_levels(l->model))
        csv_words(l->out, "actual");
    else
        write_value_names(l, "actual");
    write_value_names(l, "prediction");
    if (l->left_out) write_value_names(l, "left_out");
    for (int64_t o = 0; classes && o < rls2_model_outputs(l->model); o++)
        write_name(l->out, l->model, "score", o);
    write_probability_names(l->out, l->model, "probability");
    if (l->left_out) write_probability_names(l->out, l->model, "left_out_probability");
    csv_line(l->out);
}

/* One row of a part; `left` is its number among the rows that were left out in turn, -1 if it was
 * not. */
static void write_listed(const listing *l, const seen *s, int64_t i, int64_t number,
                         const char *part, int64_t left)
{
    int classes = s->classes != NULL;
    csv_integer(l->out, number + 1);
    csv_words(l->out, part);
    for (int64_t o = 0; o < actual_columns(l->model); o++)
        write_value(l, o, rls2_dataset_y(s->data), s->n, i);
    for (int64_t o = 0; o < value_columns(l->model); o++) write_value(l, o, s->f, s->n, i);
    for (int64_t o = 0; l->left_out && o < value_columns(l->model); o++) {
        if (left >= 0)
            write_value(l, o, l->left_out, l->left_out_rows, left);
        else
            csv_nothing(l->out);
    }
    for (int64_t o = 0; classes && o < s->outputs; o++) csv_number(l->out, s->f[o * s->n + i]);
    write_probabilities(l->out, l->model, s->f, s->n, i);
    if (l->left_out) write_probabilities(l->out, l->model, l->left_out, l->left_out_rows, left);
    csv_line(l->out);
}

/* Which of the rows that were left out stands where in the table of a part, from its first row on:
 * training rows are above the validation rows, and left out themselves where there are none. */
static int64_t find_left_out(const listing *l, rls2_part part, int64_t row, int64_t *at)
{
    const rls2_dataset *data = rls2_plan_split_data(l->plan);
    const rls2_table *validation = rls2_plan_table(l->plan, RLS2_PART_VALIDATION);
    if (part != (validation ? RLS2_PART_VALIDATION : RLS2_PART_TRAINING)) return -1;
    if (validation) row += rls2_table_rows(rls2_plan_table(l->plan, RLS2_PART_TRAINING));
    while (*at < rls2_dataset_rows(data) && rls2_dataset_source_row(data, *at) < row) (*at)++;
    return *at < rls2_dataset_rows(data) && rls2_dataset_source_row(data, *at) == row ? *at : -1;
}

static int list_part(const listing *l, rls2_part part, const char *name, fault *f)
{
    seen s = {0};
    const int64_t *rows;
    const rls2_table *table = rls2_plan_table(l->plan, part);
    int64_t own = rls2_plan_rows(l->plan, part, &rows), at = 0;
    int code = table ? see(l->model, table, RLS2_MISSING_AS_TRAINED, RLS2_RESPONSE_READ, &s, f) : 0;
    for (int64_t i = 0; !code && i < s.n; i++) {
        int64_t row = rls2_dataset_source_row(s.data, i);
        write_listed(l, &s, i, own > 0 ? rows[row] : row, name, find_left_out(l, part, row, &at));
    }
    seen_free(&s);
    return code;
}

static int list_all(request *r, const run *found, const run_plan *p, const rls2_model *model,
                    csv *c, fault *f)
{
    double *left_out = NULL;
    listing l = {.out = c, .plan = p->plan, .model = model};
    l.left_out_rows = rls2_dataset_rows(rls2_plan_split_data(p->plan));
    int code = detail_left_out(r->state, found, request_index(r, 1), l.left_out_rows,
                               run_plan_outputs(p), &left_out, f);
    if (!code && left_out) rls2_model_respond(model, l.left_out_rows, left_out);
    l.left_out = left_out;
    if (!code) write_listing_header(&l);
    if (!code) code = list_part(&l, RLS2_PART_TRAINING, "train", f);
    if (!code) code = list_part(&l, RLS2_PART_VALIDATION, "validation", f);
    if (!code) code = list_part(&l, RLS2_PART_TEST, "test", f);
    free(left_out);
    return code;
}

int run_predictions(request *r, reply *answer, fault *f)
{
    csv c = {0};
    run_plan p = {0};
    run *found = NULL;
    cached *model = NULL;
    int code = detail_run(r, &found, f);
    if (!code) code = detail_model(r->state, found, request_index(r, 1), &model, f);
    if (!code) code = detail_plan(r->state, found, &p, f);
    if (!code) code = csv_begin(&c, f);
    if (!code) code = list_all(r, found, &p, model->value, &c, f);
    code = csv_send(&c, code, "predictions.csv", answer, f);
    run_plan_release(&p);
    cache_return(r->state->models, model);
    run_release(r->state, found);
    return code;
}

/* ---- the rows that are learned from ---- */

/* The names of rows are nobody's input, unless they are what is predicted or a category. */
static int is_left_out(const run_plan *p, const rls2_table *table, int64_t column)
{
    const rls2_dataset *data = rls2_plan_data(p->plan, RLS2_PART_TRAINING);
    const char *rows = rls2_table_row_names(table), *name = rls2_table_column_name(table, column);
    if (!rows || strcmp(rows, name) != 0) return 0;
    for (int64_t i = 0; i < rls2_dataset_input_count(data); i++)
        if (strcmp(rls2_dataset_input_name(data, i), name) == 0) return 0;
    const char *target = rls2_plan_dataset_options(p->plan)->target;
    return !target || strcmp(target, name) != 0;
}

/* As it stands in the file; a number that is written in another way as others read numbers. */
static void write_cell(csv *c, const rls2_table *table, int64_t row, int64_t column)
{
    char text[32], *end = NULL;
    const char *cell = columns_cell(table, row, column, text);
    double value = rls2_table_value(table, row, column);
    int as_number = rls2_table_kind(table, column) == RLS2_COLUMN_NUMBERS && isfinite(value);
    if (as_number && (strtod(cell, &end) != value || *end))
        csv_number(c, value);
    else
        csv_words(c, cell);
}

static void write_training(csv *c, const run_plan *p)
{
    const rls2_table *table = rls2_plan_table(p->plan, RLS2_PART_TRAINING);
    int64_t columns = rls2_table_columns(table);
    for (int64_t j = 0; j < columns; j++)
        if (!is_left_out(p, table, j)) csv_words(c, rls2_table_column_name(table, j));
    csv_line(c);
    for (int64_t i = 0; i < rls2_table_rows(table); i++) {
        for (int64_t j = 0; j < columns; j++)
            if (!is_left_out(p, table, j)) write_cell(c, table, i, j);
        csv_line(c);
    }
}

/* For Python, where no parameter divides the rows of the file as the run did. */
int run_table(request *r, reply *answer, fault *f)
{
    csv c = {0};
    run_plan p = {0};
    run *found = state_run(r->state, r->parameter[0]);
    if (!found)
        return fault_say(f, HTTP_NONE, NULL, "there is no run with the id %s", r->parameter[0]);
    int code = detail_plan(r->state, found, &p, f);
    if (!code) code = csv_begin(&c, f);
    if (!code) write_training(&c, &p);
    code = csv_send(&c, code, "training.csv", answer, f);
    run_plan_release(&p);
    run_release(r->state, found);
    return code;
}
