/* POST /api/models/ID/rows and /api/runs/ID/rows/I: what a model says of the rows of a table, what
 * it is made of, and how right it is where the target is known. */
#include <stdlib.h>

#include "gui/server/model_source.h"
#include "gui/server/routes.h"
#include "gui/server/row_parts.h"
#include "gui/server/row_truth.h"
#include "gui/server/scores.h"
#include "gui/server/seen.h"
#include "gui/server/table_columns.h"

/* Rows that are told of, and numbers of their parts: the rest is for the file of predictions. */
enum { MOST_ROWS = 1000, MOST_NUMBERS = 400000, MOST_COLUMNS = 100 };

static int64_t shown_rows(const rls2_model *model, int64_t n)
{
    int64_t most = MOST_NUMBERS / (row_parts_width(model) + 1) + 1;
    if (most > MOST_ROWS) most = MOST_ROWS;
    return n < most ? n : most;
}

/* Numbers of the rows of the table, from 1; and the cells of these. */
static void add_cells(const rls2_table *table, const seen *s, int64_t shown, json_t *answer)
{
    char text[32];
    int64_t columns = rls2_table_columns(table);
    json_t *numbers = json_array(), *names = json_array(), *cells = json_array();
    if (columns > MOST_COLUMNS) columns = MOST_COLUMNS;
    for (int64_t j = 0; j < columns; j++)
        json_array_append_new(names, json_words(rls2_table_column_name(table, j)));
    for (int64_t i = 0; i < shown; i++) {
        int64_t row = rls2_dataset_source_row(s->data, i);
        json_t *line = json_array();
        for (int64_t j = 0; j < columns; j++)
            json_array_append_new(line, json_words(columns_cell(table, row, j, text)));
        json_array_append_new(cells, line);
        json_array_append_new(numbers, json_integer(row + 1));
    }
    json_object_set_new(answer, "numbers", numbers);
    json_object_set_new(answer, "columns", names);
    json_object_set_new(answer, "cells", cells);
}

static void add_classes(const rls2_model *model, const seen *s, int64_t shown, json_t *answer)
{
    int64_t count = rls2_model_class_count(model);
    json_t *labels = json_array();
    for (int64_t i = 0; i < shown; i++)
        json_array_append_new(labels, json_words(rls2_model_class_label(model, s->classes[i])));
    json_object_set_new(answer, "labels", labels);
    if (!rls2_loss_has_probabilities(rls2_model_loss(model))) return;
    double *p = calloc((size_t)(s->n * count) + 1, sizeof *p);
    if (p && rls2_model_probabilities(model, s->n, s->said, p, NULL) == RLS2_OK)
        json_object_set_new(answer, "probabilities", json_columns(shown, s->n, count, p));
    free(p);
}

static void add_intervals(const rls2_model *model, const seen *s, int64_t shown, json_t *answer)
{
    int64_t count = rls2_model_interval_count(model), size = s->n * count;
    double *ends = count > 0 ? calloc((size_t)(2 * size) + 1, sizeof *ends) : NULL;
    if (ends &&
        rls2_model_predict_interval(model, s->n, s->said, ends, ends + size, NULL) == RLS2_OK) {
        json_object_set_new(answer, "lower", json_columns(shown, s->n, count, ends));
        json_object_set_new(answer, "upper", json_columns(shown, s->n, count, ends + size));
    }
    free(ends);
}

static int tell(const rls2_model *model, const rls2_table *table, const seen *s, json_t *answer,
                fault *f)
{
    int64_t shown = shown_rows(model, s->n);
    rls2_rows rows = {
        .n = shown, .p = rls2_dataset_columns(s->data), .x = rls2_dataset_x(s->data), .ldx = s->n};
    json_t *parts = NULL;
    int code = row_parts(model, &rows, &parts, f);
    if (code) return code;
    json_object_set_new(answer, "parts", parts);
    json_object_set_new(answer, "fitted", json_columns(shown, s->n, s->outputs, s->f));
    json_object_set_new(answer, "said", json_columns(shown, s->n, s->outputs, s->said));
    add_cells(table, s, shown, answer);
    if (s->classes) add_classes(model, s, shown, answer);
    add_intervals(model, s, shown, answer);
    return add_truth(model, table, s, shown, answer, f);
}

static int look(request *r, const rls2_model *model, reply *answer, fault *f)
{
    seen s = {0};
    rls2_table *table = NULL;
    const char *name = request_query(r, "name");
    json_t *reading = request_reading(r);
    int code = columns_read(&r->state->store, r->file_path, name && name[0] ? name : "new.csv",
                            reading, &table, f);
    json_decref(reading);
    if (!code) code = see(model, table, seen_missing(model), RLS2_RESPONSE_IGNORED, &s, f);
    json_t *json = code
                       ? NULL
                       : json_pack("{s:I, s:I, s:I, s:I, s:I}", "inputs",
                                   (json_int_t)rls2_model_input_count(model), "rows",
                                   (json_int_t)rls2_table_rows(table), "predicted", (json_int_t)s.n,
                                   "imputed", (json_int_t)rls2_dataset_imputed(s.data), "unseen",
                                   (json_int_t)rls2_dataset_unseen(s.data));
    if (!code && !json) code = fault_memory(f);
    if (!code) code = tell(model, table, &s, json, f);
    seen_free(&s);
    rls2_table_free(table);
    if (!code)
        answer->json = json;
    else
        json_decref(json);
    return code;
}

int model_rows(request *r, reply *answer, fault *f)
{
    model_source from;
    int code = model_borrow(r, &from, f);
    if (!code) code = look(r, from.model, answer, f);
    model_release(r, &from);
    return code;
}
