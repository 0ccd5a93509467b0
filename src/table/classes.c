/* The classes of a target: found in the rows of the training table, and the class of each row.
 *
 * Classes are told apart by their text, and in a column of numbers by value. They are numbered in
 * the sorted order of their labels: by value if all labels are numbers, else by text. */
#include "table/classes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/status.h"
#include "table/encoder.h"
#include "table/table.h"

int64_t rls2__encoder_outputs(const rls2__encoder *encoder)
{
    return encoder->label_count > 2 ? encoder->label_count
                                    : encoder->target_count * encoder->copies;
}

const char *rls2__encoder_output_name(const rls2__encoder *encoder, int64_t o)
{
    if (encoder->label_count > 2) return encoder->labels[o];
    return encoder->copy_names ? encoder->copy_names[o] : encoder->targets[o];
}

/* ---- finding them ---- */

/* While classes are being found. */
typedef struct finder {
    rls2__arena *arena;    /* of the keys and texts */
    rls2__lookup *classes; /* keys, in order of first appearance */
    int64_t capacity;
    rls2__label *labels; /* as many as there are classes */
} finder;

static int finder_open(finder *f)
{
    enum { FIRST_CAPACITY = 16 };
    *f = (finder){.arena = rls2__arena_create(),
                  .classes = rls2__lookup_create(),
                  .capacity = FIRST_CAPACITY,
                  .labels = rls2__alloc(FIRST_CAPACITY, sizeof *f->labels)};
    return f->arena && f->classes && f->labels;
}

static void finder_close(finder *f)
{
    rls2__free(f->labels);
    rls2__lookup_free(f->classes);
    rls2__arena_free(f->arena);
}

static const char *cell_of(const rls2__view *view, int64_t row, char buffer[RLS2__NUMBER_TEXT])
{
    return rls2__table_text(view->table, view->source[row], view->targets[0], buffer);
}

static double value_of(const rls2__view *view, int64_t row)
{
    return rls2__table_number(view->table, view->source[row], view->targets[0]);
}

/* What tells classes apart: the text, and in a column of numbers the value, so that
 * "1" and "1.0" are one class. `buffer` takes the value written exactly. */
static const char *class_key(const rls2__view *view, int64_t row, char buffer[RLS2__NUMBER_TEXT])
{
    if (!view->encoder->labels_are_numbers) return cell_of(view, row, buffer);
    snprintf(buffer, RLS2__NUMBER_TEXT, "%a", value_of(view, row) + 0.0); /* -0 + 0 = 0 */
    return buffer;
}

static int grow(finder *f)
{
    int64_t capacity = rls2__mul(f->capacity, 2);
    rls2__label *labels = rls2__alloc(capacity, sizeof *labels);
    if (!labels) return 0;
    memcpy(labels, f->labels, (size_t)f->capacity * sizeof *labels);
    rls2__free(f->labels);
    f->labels = labels;
    f->capacity = capacity;
    return 1;
}

/* Adds the class of a row if it is new; 0 when out of memory. */
static int add_class(finder *f, const rls2__view *view, int64_t row)
{
    char buffer[RLS2__NUMBER_TEXT];
    const char *key = class_key(view, row, buffer);
    if (rls2__lookup_find(f->classes, key) >= 0) return 1;
    if (rls2__lookup_count(f->classes) == f->capacity && !grow(f)) return 0;
    key = rls2__arena_copy(f->arena, key);
    int64_t class = key ? rls2__lookup_add(f->classes, key) : -1;
    if (class < 0) return 0;
    rls2__invariant(class < f->capacity);
    f->labels[class] =
        (rls2__label){rls2__arena_copy(f->arena, cell_of(view, row, buffer)), value_of(view, row)};
    return f->labels[class].text != NULL;
}

/* ---- their order ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(((const rls2__label *)a)->text, ((const rls2__label *)b)->text);
}

/* Texts that differ may stand for one value where the column is not all numbers. */
static int by_value(const void *a, const void *b)
{
    double u = ((const rls2__label *)a)->value, v = ((const rls2__label *)b)->value;
    if (u < v || u > v) return u < v ? -1 : 1;
    return by_text(a, b);
}

static void sort_labels(rls2__label *labels, int64_t count)
{
    int numbers = 1;
    for (int64_t k = 0; k < count; k++) numbers &= !isnan(labels[k].value);
    qsort(labels, (size_t)count, sizeof *labels, numbers ? by_value : by_text);
}

/* ---- what the encoder keeps ---- */

/* The lookup numbers the labels as they are numbered here. */
static rls2_status index_labels(rls2__encoder *encoder, rls2_error *err)
{
    encoder->classes = rls2__lookup_create();
    if (!encoder->classes) return rls2__fail_memory(err, "the classes");
    for (int64_t k = 0; k < encoder->label_count; k++) {
        int64_t class = rls2__lookup_add(encoder->classes, encoder->labels[k]);
        if (class < 0) return rls2__fail_memory(err, "the classes");
        if (class < k)
            return rls2__fail(err, RLS2_ERR_VALUE, "two classes have the label '%s'",
                              rls2__show(encoder->labels[k]).text);
    }
    return RLS2_OK;
}

rls2_status rls2__encoder_set_labels(rls2__encoder *encoder, int64_t count,
                                     const rls2__label *labels, rls2_error *err)
{
    rls2__arena *arena = encoder->arena;
    encoder->labels = rls2__arena_alloc(arena, rls2__mul(count, sizeof *encoder->labels));
    encoder->label_values =
        rls2__arena_alloc(arena, rls2__mul(count, sizeof *encoder->label_values));
    if (!encoder->labels || !encoder->label_values) return rls2__fail_memory(err, "the classes");
    for (int64_t k = 0; k < count; k++) {
        encoder->labels[k] = rls2__arena_copy(arena, labels[k].text);
        encoder->label_values[k] = labels[k].value;
        if (!encoder->labels[k]) return rls2__fail_memory(err, "the classes");
    }
    encoder->label_count = count;
    return encoder->labels_are_numbers ? RLS2_OK : index_labels(encoder, err);
}

/* A column that says something else in most rows names rows, it does not class them. Of two classes
 * a few rows are enough. */
static rls2_status check_count(const rls2__encoder *encoder, const rls2_table *table, int64_t rows,
                               int64_t count, const rls2__label *labels, rls2_error *err)
{
    const char *name = encoder->targets[0];
    if (count < 2)
        return rls2__fail(
            err, RLS2_ERR_VALUE, "%s: column '%s': 2 classes are needed, not %" PRId64 ": '%s'",
            table->name, rls2__show(name).text, count, rls2__show(labels[0].text).text);
    if (count > 2 && count > rows / 2)
        return rls2__fail(err, RLS2_ERR_VALUE,
                          "%s: column '%s' has %" PRId64 " different values in %" PRId64
                          " rows: too many to be classes",
                          table->name, rls2__show(name).text, count, rows);
    return RLS2_OK;
}

rls2_status rls2__encoder_take_labels(rls2__encoder *encoder, const rls2_table *table, int64_t rows,
                                      int64_t count, rls2__label *labels, rls2_error *err)
{
    rls2_status status = check_count(encoder, table, rows, count, labels, err);
    if (status != RLS2_OK) return status;
    sort_labels(labels, count);
    return rls2__encoder_set_labels(encoder, count, labels, err);
}

rls2_status rls2__encoder_learn_classes(rls2__encoder *encoder, const rls2__view *view,
                                        rls2_error *err)
{
    finder f;
    int fits = finder_open(&f);
    for (int64_t i = 0; i < view->rows && fits; i++) fits = add_class(&f, view, i);
    rls2_status status = fits ? RLS2_OK : rls2__fail_memory(err, "the classes");
    int64_t count = fits ? rls2__lookup_count(f.classes) : 0;
    if (status == RLS2_OK)
        status = rls2__encoder_take_labels(encoder, view->table, view->rows, count, f.labels, err);
    finder_close(&f);
    return status;
}

/* ---- the class of a row ---- */

/* Each larger than the one before: what a search by halves relies on. */
RLS2__CHECK int is_sorted(int64_t count, const double *values)
{
    for (int64_t k = 1; k < count; k++)
        if (!(values[k - 1] < values[k])) return 0;
    return 1;
}

int64_t rls2__find_value(int64_t count, const double *values, double wanted)
{
    int64_t low = 0, high = count;
    rls2__invariant(is_sorted(count, values));
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (values[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && values[low] == wanted ? low : -1;
}

int64_t rls2__class_of(const rls2__view *view, int64_t row)
{
    const rls2__encoder *encoder = view->encoder;
    char buffer[RLS2__NUMBER_TEXT];
    if (!encoder->labels_are_numbers)
        return rls2__lookup_find(encoder->classes, cell_of(view, row, buffer));
    return rls2__find_value(encoder->label_count, encoder->label_values, value_of(view, row));
}
