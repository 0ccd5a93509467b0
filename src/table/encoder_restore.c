/* An encoder from what a file says of it. */
#include "table/encoder_restore.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/status.h"
#include "table/classes.h"
#include "table/table.h"

static rls2__encoder *reserve(const rls2__encoder_parts *parts)
{
    rls2__encoder *encoder = rls2__alloc_zero(1, sizeof *encoder);
    if (!encoder) return NULL;
    atomic_init(&encoder->owners, 1);
    encoder->arena = rls2__arena_create();
    if (encoder->arena)
        encoder->inputs =
            rls2__arena_alloc(encoder->arena, rls2__mul(parts->count, sizeof *encoder->inputs));
    if (encoder->inputs) return encoder;
    rls2__encoder_release(encoder);
    return NULL;
}

/* ---- inputs ---- */

static rls2_status add_values(rls2__encoder *encoder, rls2__input *input, int64_t count,
                              const char *const *values, rls2_error *err)
{
    for (int64_t v = 0; v < count; v++) {
        const char *text = rls2__arena_copy(encoder->arena, values[v]);
        int64_t before = rls2__lookup_count(input->values),
                number = text ? rls2__lookup_add(input->values, text) : -1;
        if (number < 0) return rls2__fail_memory(err, "the values of a text column");
        if (number < before)
            return rls2__fail(err, RLS2_ERR_VALUE, "input '%s' has the value '%s' twice",
                              rls2__show(input->name).text, rls2__show(text).text);
    }
    return RLS2_OK;
}

static rls2_status restore_values(rls2__encoder *encoder, rls2__input *input,
                                  const rls2__input_parts *from, rls2_error *err)
{
    input->values = rls2__lookup_create();
    if (!input->values) return rls2__fail_memory(err, "the values of a text column");
    rls2_status status = add_values(encoder, input, from->count, from->values, err);
    if (status == RLS2_OK)
        status = add_values(encoder, input, from->pooled_count, from->pooled, err);
    input->pooled = from->pooled_count;
    return status;
}

/* Adds the inputs, and where each lies in x. */
static rls2_status restore_inputs(rls2__encoder *encoder, const rls2__encoder_parts *parts,
                                  rls2_error *err)
{
    int reference = parts->reference;
    for (int64_t k = 0; k < parts->count; k++) {
        const rls2__input_parts *from = &parts->inputs[k];
        rls2__input *input = &encoder->inputs[encoder->count++];
        input->name = rls2__arena_copy(encoder->arena, from->name);
        if (!input->name) return rls2__fail_memory(err, "the inputs");
        input->has_missing = from->has_missing;
        input->style = from->style;
        input->parts = from->parts;
        if (from->values) {
            rls2_status status = restore_values(encoder, input, from, err);
            if (status != RLS2_OK) return status;
            input->is_reduced = reference;
            reference = 0;
        }
        rls2__input_measure(input);
        input->first = encoder->columns;
        encoder->columns += input->width;
    }
    return RLS2_OK;
}

/* The names of the columns are those of the dictionary, which must fit the inputs. */
static rls2_status take_names(rls2__encoder *encoder, int64_t columns, char *const *names,
                              rls2_error *err)
{
    if (encoder->columns != columns)
        return rls2__fail(err, RLS2_ERR_VALUE, "the inputs make %lld columns where there are %lld",
                          (long long)encoder->columns, (long long)columns);
    encoder->names = rls2__arena_alloc(encoder->arena, rls2__mul(columns, sizeof *encoder->names));
    if (!encoder->names) return rls2__fail_memory(err, "the names of the columns");
    for (int64_t k = 0; k < encoder->count; k++)
        for (int64_t v = 0; v < encoder->inputs[k].width; v++) {
            const char *name = names[encoder->inputs[k].first + v];
            const char *due = rls2__input_column_name(&encoder->inputs[k], v, encoder->arena);
            if (!due) return rls2__fail_memory(err, "the names of the columns");
            if (strcmp(due, name) != 0)
                return rls2__fail(err, RLS2_ERR_VALUE,
                                  "column '%s' is not one that input '%s' makes",
                                  rls2__show(name).text, rls2__show(encoder->inputs[k].name).text);
            encoder->names[encoder->inputs[k].first + v] = due;
        }
    return RLS2_OK;
}

/* Adds the name of a column to those seen, which it must not be one of. */
static rls2_status use_column(rls2__lookup *seen, const char *name, rls2_error *err)
{
    int64_t before = rls2__lookup_count(seen), number = rls2__lookup_add(seen, name);
    if (number < 0) return rls2__fail_memory(err, "the inputs");
    if (number == before) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE, "the column '%s' is used twice", rls2__show(name).text);
}

/* No two of the inputs, the targets and the weights may be one column of a table. */
static rls2_status check_inputs(const rls2__encoder *encoder, rls2_error *err)
{
    rls2__lookup *seen = rls2__lookup_create();
    rls2_status status = seen ? RLS2_OK : rls2__fail_memory(err, "the inputs");
    for (int64_t o = 0; o < encoder->target_count && status == RLS2_OK; o++)
        status = use_column(seen, encoder->targets[o], err);
    if (encoder->weight && status == RLS2_OK) status = use_column(seen, encoder->weight, err);
    for (int64_t k = 0; k < encoder->count && status == RLS2_OK; k++)
        status = use_column(seen, encoder->inputs[k].name, err);
    rls2__lookup_free(seen);
    return status;
}

/* ---- target ---- */

static rls2_status restore_targets(rls2__encoder *encoder, const rls2__encoder_parts *parts,
                                   rls2_error *err)
{
    int64_t count = parts->target_count;
    encoder->targets =
        rls2__arena_alloc(encoder->arena, rls2__mul(count, sizeof *encoder->targets));
    encoder->target_styles =
        rls2__arena_alloc(encoder->arena, rls2__mul(count, sizeof *encoder->target_styles));
    int fits = encoder->targets && encoder->target_styles;
    for (int64_t o = 0; o < count && fits && parts->target_styles; o++)
        encoder->target_styles[o] = parts->target_styles[o];
    for (int64_t o = 0; o < count && fits; o++) {
        encoder->targets[o] = rls2__arena_copy(encoder->arena, parts->targets[o]);
        fits = encoder->targets[o] != NULL;
    }
    if (fits && parts->weight) {
        encoder->weight = rls2__arena_copy(encoder->arena, parts->weight);
        fits = encoder->weight != NULL;
    }
    encoder->target_count = count;
    if (fits) fits = rls2__encoder_name_copies(encoder, parts->copies, parts->copy_names);
    return fits ? RLS2_OK : rls2__fail_memory(err, "the inputs");
}

static rls2_status read_labels(const rls2__encoder_parts *parts, rls2__label *labels,
                               rls2_error *err)
{
    rls2__number_reader *number = NULL;
    rls2_status status = rls2__number_reader_create(&number, err);
    for (int64_t k = 0; k < parts->label_count && status == RLS2_OK; k++) {
        labels[k] = (rls2__label){.text = parts->labels[k]};
        if (parts->labels_are_numbers &&
            !rls2__number_parse(number, labels[k].text, &labels[k].value))
            status = rls2__fail(err, RLS2_ERR_VALUE, "the label '%s' is not a number",
                                rls2__show(labels[k].text).text);
    }
    rls2__number_reader_free(number);
    return status;
}

/* Classes are found by halving: values that do not ascend would hide some. */
static rls2_status check_order(const rls2__label *labels, int64_t count, rls2_error *err)
{
    for (int64_t k = 1; k < count; k++) {
        if (labels[k - 1].value < labels[k].value) continue;
        if (labels[k - 1].value == labels[k].value)
            return rls2__fail(err, RLS2_ERR_VALUE, "two classes have the label '%s'",
                              rls2__show(labels[k - 1].text).text);
        return rls2__fail(err, RLS2_ERR_VALUE, "the label '%s' stands before '%s'",
                          rls2__show(labels[k - 1].text).text, rls2__show(labels[k].text).text);
    }
    return RLS2_OK;
}

static rls2_status restore_labels(rls2__encoder *encoder, const rls2__encoder_parts *parts,
                                  rls2_error *err)
{
    int64_t count = parts->label_count;
    if (count < 2)
        return rls2__fail(err, RLS2_ERR_VALUE, "there are %lld classes, not at least 2",
                          (long long)count);
    rls2__label *labels = rls2__alloc(count, sizeof *labels);
    if (!labels) return rls2__fail_memory(err, "the classes");
    rls2_status status = read_labels(parts, labels, err);
    if (status == RLS2_OK && parts->labels_are_numbers) status = check_order(labels, count, err);
    if (status == RLS2_OK) status = rls2__encoder_set_labels(encoder, count, labels, err);
    rls2__free(labels);
    return status;
}

rls2_status rls2__encoder_restore(const rls2__encoder_parts *parts, int64_t columns,
                                  char *const *names, rls2__encoder **encoder, rls2_error *err)
{
    rls2__encoder *made = reserve(parts);
    if (!made) return rls2__fail_memory(err, "the inputs");
    made->missing = parts->missing;
    made->reference = parts->reference;
    made->has_classes = parts->has_classes;
    made->labels_are_numbers = parts->labels_are_numbers;
    rls2_status status = restore_targets(made, parts, err);
    if (status == RLS2_OK) status = restore_inputs(made, parts, err);
    if (status == RLS2_OK) status = check_inputs(made, err);
    if (status == RLS2_OK) status = take_names(made, columns, names, err);
    if (status == RLS2_OK && parts->has_classes) status = restore_labels(made, parts, err);
    if (status == RLS2_OK)
        *encoder = made;
    else
        rls2__encoder_release(made);
    return status;
}
