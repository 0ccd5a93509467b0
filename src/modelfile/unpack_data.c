/* How the rows of a model were made from a table, as its file says: every field and number is
 * looked at. */
#include "modelfile/unpack_data.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "modelfile/container.h"
#include "modelfile/fields.h"
#include "modelfile/format.h"
#include "modelfile/pack_description.h"
#include "solver/loss.h"
#include "table/encoder_restore.h"
#include "table/preprocess.h"
#include "table/table.h"

static void fail_input(rls2__describer *r, const rls2__input_parts *input, const char *what,
                       const char *word)
{
    r->status = rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                     "the description: input '%s': '%s' is not %s",
                                     rls2__show(input->name).text, rls2__show(word).text, what);
}

/* Parts of a date, in their order. */
static unsigned read_parts(rls2__describer *r, const json_t *from, const rls2__input_parts *input)
{
    int64_t count = 0;
    const char **words = rls2__field_texts(r, from, "parts", &count);
    unsigned parts = 0;
    for (int64_t i = 0; words && i < count && r->status == RLS2_OK; i++) {
        int p = 0;
        while (rls2__date_part_names[p] && strcmp(words[i], rls2__date_part_names[p]) != 0) p++;
        if (p == RLS2__DATE_PARTS || parts >> p)
            fail_input(r, input, "a part of a date, or out of order", words[i]);
        else
            parts |= 1U << p;
    }
    return parts;
}

static void read_style(rls2__describer *r, const json_t *from, rls2__input_parts *input)
{
    const char *style = rls2__field_text(r, from, "style");
    if (style && !rls2__style_of_word(style, &input->style))
        fail_input(r, input, "a style known here", style);
    if (r->status == RLS2_OK && input->style.kind == RLS2__STYLE_DATE)
        input->parts = read_parts(r, from, input);
}

/* In version 3 every input says of what kind it is, and whether empty cells have a column. */
static void read_input(rls2__describer *r, const json_t *from, rls2__input_parts *input)
{
    input->has_missing = rls2__field_flag(r, from, "missing");
    if (!json_object_get(from, "values")) {
        read_style(r, from, input);
        return;
    }
    input->values = rls2__field_texts(r, from, "values", &input->count);
    input->pooled = rls2__field_texts(r, from, "pooled", &input->pooled_count);
}

static const rls2__input_parts *read_inputs(rls2__describer *r, const json_t *from, int64_t *count)
{
    const json_t *array = rls2__field_array(r, from, "inputs");
    *count = (int64_t)json_array_size(array);
    rls2__input_parts *inputs =
        array ? rls2__arena_alloc(r->arena, rls2__mul(*count, sizeof *inputs)) : NULL;
    if (array && !inputs) r->status = rls2__fail_memory(r->container->err, "the inputs of a model");
    for (int64_t k = 0; k < *count && r->status == RLS2_OK; k++) {
        const json_t *input = json_array_get(array, (size_t)k);
        inputs[k].name = rls2__field_text(r, input, "name");
        if (r->status == RLS2_OK && r->container->data_version > 2)
            read_input(r, input, &inputs[k]);
        else if (r->status == RLS2_OK && json_object_size(input) > 1)
            inputs[k].values = rls2__field_texts(r, input, "values", &inputs[k].count);
    }
    return inputs;
}

static rls2_missing read_missing(rls2__describer *r, const json_t *from)
{
    if (r->container->data_version > 2)
        return (rls2_missing)rls2__field_word(r, from, "missing", rls2__word_missing);
    return rls2__field_flag(r, from, "drop_missing") ? RLS2_MISSING_DROP : RLS2_MISSING_ERROR;
}

static void read_classes(rls2__describer *r, const json_t *from, rls2__encoder_parts *parts)
{
    const json_t *classes = rls2__field_object_or_null(r, from, "classes");
    if (!classes) return;
    parts->has_classes = 1;
    parts->labels = rls2__field_texts(r, classes, "labels", &parts->label_count);
    parts->labels_are_numbers = rls2__field_flag(r, classes, "numbers");
}

/* One target in version 1; any number, and a column of weights, in version 2. */
static void read_targets(rls2__describer *r, const json_t *from, rls2__encoder_parts *parts)
{
    if (r->container->data_version > 1) {
        parts->targets = rls2__field_texts(r, from, "targets", &parts->target_count);
        parts->weight = rls2__field_text_or_null(r, from, "weight");
        return;
    }
    const char **target = rls2__arena_alloc(r->arena, sizeof *target);
    if (!target) {
        r->status = rls2__fail_memory(r->container->err, "the description of a model");
        return;
    }
    *target = rls2__field_text(r, from, "target");
    parts->targets = target;
    parts->target_count = 1;
    if (r->status == RLS2_OK &&
        (json_object_get(from, "targets") || json_object_get(from, "weight")))
        r->status =
            rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                 "several targets, or weights, in a file of format version 1");
}

/* Since version 3: how each target is written. */
static void read_target_styles(rls2__describer *r, const json_t *from, rls2__encoder_parts *parts)
{
    int64_t count = 0;
    if (r->container->data_version < 3) return;
    const char **words = rls2__field_texts(r, from, "target_styles", &count);
    rls2__style *styles =
        words ? rls2__arena_alloc(r->arena, rls2__mul(count, sizeof *styles)) : NULL;
    if (words && !styles)
        r->status = rls2__fail_memory(r->container->err, "the description of a model");
    if (r->status == RLS2_OK && count != parts->target_count)
        r->status = rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                         "%" PRId64 " styles of %" PRId64 " targets", count,
                                         parts->target_count);
    for (int64_t o = 0; o < count && r->status == RLS2_OK; o++)
        if (!rls2__style_of_word(words[o], &styles[o]))
            r->status = rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                             "the description: '%s' is not a style known here",
                                             rls2__show(words[o]).text);
    parts->target_styles = styles;
}

/* Two classes and one target have one output; more have one for each. */
static rls2_status check_outputs(const rls2__describer *r, const rls2__encoder_parts *parts,
                                 int64_t outputs)
{
    int64_t classes = parts->has_classes ? parts->label_count : 0;
    int64_t needed = classes > 2 ? classes : parts->target_count * parts->copies;
    if (parts->target_count < 1 || (parts->has_classes && parts->target_count > 1))
        return rls2__container_fail(r->container, RLS2_ERR_VALUE, "%" PRId64 " targets %s classes",
                                    parts->target_count, parts->has_classes ? "with" : "without");
    if (needed == outputs) return RLS2_OK;
    return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                "%" PRId64 " outputs where %" PRId64 " targets and %" PRId64
                                " classes make %" PRId64,
                                outputs, parts->target_count, classes, needed);
}

/* 16 digits. */
static uint64_t read_fingerprint(rls2__describer *r, const json_t *from)
{
    const char *text = rls2__field_text(r, from, "fingerprint");
    if (!text) return 0;
    if (strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16)
        return strtoull(text, NULL, 16);
    r->status = rls2__container_fail(r->container, RLS2_ERR_SYNTAX,
                                     "the description: 'fingerprint' is not 16 hexadecimal digits");
    return 0;
}

static rls2_status read_feature(const rls2__container *file, const char *name, int64_t count,
                                double *out)
{
    rls2__array_view view;
    rls2_status status = rls2__container_array(file, name, "F64", 1, &view);
    if (status != RLS2_OK) return status;
    if (view.columns != count)
        return rls2__container_fail(file, RLS2_ERR_VALUE,
                                    "the array '%s' has %" PRId64 " elements, not %" PRId64, name,
                                    view.columns, count);
    rls2__read_doubles(view.data, count, out);
    return rls2__container_check_finite(file, name, count, out);
}

static rls2_status read_exponents(const rls2__container *file, rls2__preparation *preparation)
{
    enum { MOST = 1100 }; /* what doubles can have */
    rls2__array_view view;
    rls2_status status = rls2__container_array(file, "features.exponent", "I64", 1, &view);
    if (status != RLS2_OK) return status;
    if (view.columns != preparation->columns)
        return rls2__container_fail(file, RLS2_ERR_VALUE,
                                    "features.exponent has %" PRId64 " elements", view.columns);
    for (int64_t j = 0; j < preparation->columns; j++) {
        int64_t exponent;
        rls2__read_integers(view.data + 8 * j, 1, &exponent);
        if (exponent < -MOST || exponent > MOST)
            return rls2__container_fail(file, RLS2_ERR_VALUE,
                                        "features.exponent: element %" PRId64 " is %" PRId64, j,
                                        exponent);
        preparation->scales[j].exponent = (int)exponent;
    }
    return RLS2_OK;
}

/* values: room for the columns. */
static rls2_status read_features(const rls2__container *file, rls2__preparation *preparation,
                                 double *values)
{
    int64_t p = preparation->columns;
    rls2_status status = read_exponents(file, preparation);
    if (status == RLS2_OK) status = read_feature(file, "features.shift", p, values);
    for (int64_t j = 0; j < p && status == RLS2_OK; j++) preparation->scales[j].shift = values[j];
    if (status == RLS2_OK) status = read_feature(file, "features.rest", p, values);
    for (int64_t j = 0; j < p && status == RLS2_OK; j++) preparation->scales[j].rest = values[j];
    if (status == RLS2_OK) status = read_feature(file, "features.deviation", p, values);
    for (int64_t j = 0; j < p && status == RLS2_OK; j++) {
        preparation->scales[j].deviation = values[j];
        if (values[j] < 0.0)
            status =
                rls2__container_fail(file, RLS2_ERR_VALUE,
                                     "features.deviation: element %" PRId64 " is %g", j, values[j]);
    }
    if (status == RLS2_OK) status = read_feature(file, "features.mean", p, preparation->means);
    if (status == RLS2_OK)
        status = read_feature(file, "features.divisor", p, preparation->deviations);
    return status;
}

/* What missing cells become: of every model since version 3. */
static rls2_status read_fills(const rls2__container *file, rls2__preparation *preparation)
{
    if (file->data_version < 3) return RLS2_OK;
    rls2_status status =
        read_feature(file, "features.fill", preparation->columns, preparation->fills);
    preparation->has_fills = status == RLS2_OK;
    return status;
}

static rls2_status read_preparation(rls2__describer *r, const json_t *from,
                                    rls2__preparation *preparation)
{
    const json_t *how = rls2__field_object(r, from, "preprocessing");
    preparation->how.examples =
        (rls2_normalize)rls2__field_word(r, how, "examples", rls2__word_normalize);
    preparation->how.features =
        (rls2_normalize)rls2__field_word(r, how, "features", rls2__word_normalize);
    if (r->status == RLS2_OK) r->status = read_fills(r->container, preparation);
    if (r->status != RLS2_OK || preparation->how.features == RLS2_NORMALIZE_NONE) return r->status;
    double *values = rls2__alloc(preparation->columns, sizeof(double));
    if (!values) return rls2__fail_memory(r->container->err, "the preprocessing of a model");
    r->status = read_features(r->container, preparation, values);
    rls2__free(values);
    return r->status;
}

static rls2_status read_encoder(rls2__describer *r, const json_t *from,
                                const rls2__data_columns *columns, rls2__encoder **encoder)
{
    rls2__encoder_parts parts = {0};
    read_targets(r, from, &parts);
    read_classes(r, from, &parts);
    parts.missing = read_missing(r, from);
    parts.reference = rls2__field_flag(r, from, "reference");
    parts.inputs = read_inputs(r, from, &parts.count);
    if (r->status != RLS2_OK) return r->status;
    rls2_error why;
    int quantiles = columns->copies > 1 && parts.target_count == 1 && !parts.has_classes;
    parts.copies = quantiles ? columns->copies : 1;
    parts.copy_names = columns->copy_names;
    rls2_status status = check_outputs(r, &parts, columns->outputs);
    if (status != RLS2_OK) return status;
    read_target_styles(r, from, &parts);
    if (r->status != RLS2_OK) return r->status;
    status = rls2__encoder_restore(&parts, columns->count, columns->names, encoder, &why);
    if (status == RLS2_OK) return status;
    if (status == RLS2_ERR_MEMORY)
        return rls2__fail_memory(r->container->err, "the inputs of a model");
    return rls2__container_fail(r->container, status, "the description: %s", why.message);
}

rls2_status rls2__unpack_encoding(rls2__describer *r, const json_t *from,
                                  const rls2__data_columns *columns, rls2__encoder **encoder,
                                  rls2__preparation *preparation, uint64_t *fingerprint)
{
    *fingerprint = read_fingerprint(r, from);
    rls2_status status = read_encoder(r, from, columns, encoder);
    if (status != RLS2_OK) return status;
    if (rls2__preparation_reserve(preparation, columns->count) != RLS2_OK)
        return rls2__fail_memory(r->container->err, "the preprocessing of a model");
    return read_preparation(r, from, preparation);
}

/* Several quantiles of one target; the file names the target once. */
static rls2_status name_quantiles(rls2__describer *r, const rls2_model *model,
                                  rls2__data_columns *columns)
{
    int64_t count = model->output_count;
    if (!rls2__model_has_quantiles(model)) return RLS2_OK;
    const char **names = rls2__arena_alloc(r->arena, rls2__mul(count, sizeof *names));
    int fits = names != NULL;
    for (int64_t o = 0; o < count && fits; o++) {
        char name[RLS2__LEVEL_NAME];
        rls2__loss_level_name(model->outputs[o]->loss, name);
        names[o] = rls2__arena_copy(r->arena, name);
        fits = names[o] != NULL;
    }
    if (!fits) return rls2__fail_memory(r->container->err, "the names of the outputs");
    columns->copies = count;
    columns->copy_names = names;
    return RLS2_OK;
}

rls2_status rls2__unpack_data(rls2__describer *r, rls2_model *model)
{
    const json_t *from = rls2__field_object_or_null(r, r->container->description, "data");
    if (!from) return r->status;
    rls2__data_columns columns = {model->p, model->dictionary->column_names, model->output_count, 1,
                                  NULL};
    rls2__encoder *encoder = NULL;
    rls2__preparation preparation = {0};
    uint64_t fingerprint;
    rls2_status status = name_quantiles(r, model, &columns);
    if (status == RLS2_OK)
        status = rls2__unpack_encoding(r, from, &columns, &encoder, &preparation, &fingerprint);
    if (status == RLS2_OK) {
        status = rls2__origin_create(encoder, &preparation, fingerprint, &model->origin);
        if (status != RLS2_OK)
            status = rls2__fail_memory(r->container->err, "the inputs of a model");
    }
    rls2__encoder_release(encoder);
    rls2__preparation_release(&preparation);
    return status;
}
