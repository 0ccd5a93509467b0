/* An encoder from what a file says of it. */
#include "table/encoder_restore.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "table/number.h"
#include "table/table.h"

static const char *copy_text(rls2__arena *arena, const char *text)
{
    return rls2__arena_text(arena, text, (int64_t)strlen(text));
}

static rls2__encoder *reserve(const rls2__encoder_parts *parts)
{
    rls2__encoder *encoder = rls2__alloc_zero(1, sizeof *encoder);
    if (!encoder) return NULL;
    atomic_init(&encoder->owners, 1);
    encoder->arena = rls2__arena_create();
    if (encoder->arena)
        encoder->inputs = rls2__arena_alloc(encoder->arena, rls2__mul(parts->count, sizeof *encoder->inputs));
    if (encoder->inputs) return encoder;
    rls2__encoder_release(encoder);
    return NULL;
}

/* ---- inputs ---- */

static rls2_status restore_values(rls2__encoder *encoder, rls2__input *input, const rls2__input_parts *from,
                                  rls2_error *err)
{
    input->values = rls2__lookup_create();
    if (!input->values) return rls2__fail_memory(err, "the values of a text column");
    for (int64_t v = 0; v < from->count; v++) {
        const char *text = copy_text(encoder->arena, from->values[v]);
        int64_t number = text ? rls2__lookup_add(input->values, text) : -1;
        if (number < 0) return rls2__fail_memory(err, "the values of a text column");
        if (number < v)
            return rls2__fail(err, RLS2_ERR_VALUE, "input '%s' has the value '%s' twice",
                              rls2__show(from->name).text, rls2__show(text).text);
    }
    return RLS2_OK;
}

/* Adds the inputs, and where each lies in x. */
static rls2_status restore_inputs(rls2__encoder *encoder, const rls2__encoder_parts *parts, rls2_error *err)
{
    int reference = parts->reference;
    for (int64_t k = 0; k < parts->count; k++) {
        const rls2__input_parts *from = &parts->inputs[k];
        rls2__input *input = &encoder->inputs[encoder->count++];
        input->name = copy_text(encoder->arena, from->name);
        if (!input->name) return rls2__fail_memory(err, "the inputs");
        input->first = encoder->columns;
        input->width = 1;
        if (from->values) {
            rls2_status status = restore_values(encoder, input, from, err);
            if (status != RLS2_OK) return status;
            input->width = from->count - (reference && from->count > 0 ? 1 : 0);
            reference = 0;
        }
        encoder->columns += input->width;
    }
    return RLS2_OK;
}

/* Is the text "column=value"? */
static int is_indicator(const char *text, const char *column, const char *value)
{
    size_t length = strlen(column);
    return strncmp(text, column, length) == 0 && text[length] == '=' && strcmp(text + length + 1, value) == 0;
}

static int is_named(const rls2__input *input, int64_t v, const char *name)
{
    if (!input->values) return strcmp(input->name, name) == 0;
    return is_indicator(name, input->name, rls2__lookup_text(input->values, v));
}

/* The names of the columns are those of the dictionary, which must fit the inputs. */
static rls2_status take_names(rls2__encoder *encoder, int64_t columns, char *const *names, rls2_error *err)
{
    if (encoder->columns != columns)
        return rls2__fail(err, RLS2_ERR_VALUE, "the inputs make %lld columns where there are %lld",
                          (long long)encoder->columns, (long long)columns);
    encoder->names = rls2__arena_alloc(encoder->arena, rls2__mul(columns, sizeof *encoder->names));
    if (!encoder->names) return rls2__fail_memory(err, "the names of the columns");
    for (int64_t k = 0; k < encoder->count; k++)
        for (int64_t v = 0; v < encoder->inputs[k].width; v++) {
            const char *name = names[encoder->inputs[k].first + v];
            if (!is_named(&encoder->inputs[k], v, name))
                return rls2__fail(err, RLS2_ERR_VALUE, "column '%s' is not one that input '%s' makes",
                                  rls2__show(name).text, rls2__show(encoder->inputs[k].name).text);
            name = copy_text(encoder->arena, name);
            if (!name) return rls2__fail_memory(err, "the names of the columns");
            encoder->names[encoder->inputs[k].first + v] = name;
        }
    return RLS2_OK;
}

/* No two inputs, nor an input and the target, may be one column of a table. */
static rls2_status check_inputs(const rls2__encoder *encoder, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    rls2__lookup *seen = rls2__lookup_create();
    int64_t number = seen ? rls2__lookup_add(seen, encoder->target) : -1;
    for (int64_t k = 0; k < encoder->count && number >= 0 && status == RLS2_OK; k++) {
        number = rls2__lookup_add(seen, encoder->inputs[k].name);
        if (number >= 0 && number <= k)
            status = rls2__fail(err, RLS2_ERR_VALUE, "the column '%s' is used twice",
                                rls2__show(encoder->inputs[k].name).text);
    }
    if (number < 0) status = rls2__fail_memory(err, "the inputs");
    rls2__lookup_free(seen);
    return status;
}

/* ---- target ---- */

static rls2_status restore_labels(rls2__encoder *encoder, const rls2__encoder_parts *parts, rls2_error *err)
{
    rls2__number_reader *number = NULL;
    rls2_status status = rls2__number_reader_create(&number, err);
    for (int s = 0; s < 2 && status == RLS2_OK; s++) {
        encoder->label[s] = copy_text(encoder->arena, parts->label[s]);
        if (!encoder->label[s]) status = rls2__fail_memory(err, "the classes");
        if (status == RLS2_OK && parts->labels_are_numbers &&
            !rls2__number_parse(number, parts->label[s], &encoder->label_value[s]))
            status = rls2__fail(err, RLS2_ERR_VALUE, "the label '%s' is not a number",
                                rls2__show(parts->label[s]).text);
    }
    rls2__number_reader_free(number);
    if (status != RLS2_OK) return status;
    int same = parts->labels_are_numbers ? encoder->label_value[0] == encoder->label_value[1]
                                         : strcmp(encoder->label[0], encoder->label[1]) == 0;
    if (!same) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE, "both classes have the label '%s'",
                      rls2__show(encoder->label[0]).text);
}

rls2_status rls2__encoder_restore(const rls2__encoder_parts *parts, int64_t columns, char *const *names,
                                  rls2__encoder **encoder, rls2_error *err)
{
    rls2__encoder *made = reserve(parts);
    if (!made) return rls2__fail_memory(err, "the inputs");
    made->drop_missing = parts->drop_missing;
    made->reference = parts->reference;
    made->has_classes = parts->has_classes;
    made->labels_are_numbers = parts->labels_are_numbers;
    made->target = copy_text(made->arena, parts->target);
    rls2_status status = made->target ? RLS2_OK : rls2__fail_memory(err, "the inputs");
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
