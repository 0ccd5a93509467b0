/* Arrays and a description become a model. Nothing is believed: sizes are those of the arrays, which
 * are those of the file; the dictionary is parsed anew and must have as many kernels as there are
 * scalings; every number is looked at. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "kernel/dictionary_parse.h"
#include "la/la.h"
#include "model/format.h"
#include "table/encoder_restore.h"

static const double SIMPLEX_TOL = 1e-9; /* the weights sum to 1 but for rounding */

/* ---- the arrays of one output ---- */

typedef struct output {
    rls2__array_view c, d, kernels, scales;
} output;

static rls2_status find_output(const rls2__container *file, output *o)
{
    rls2_status status = rls2__container_array(file, "outputs.0.c", "F64", 1, &o->c);
    if (status == RLS2_OK) status = rls2__container_array(file, "outputs.0.d", "F64", 1, &o->d);
    if (status == RLS2_OK) status = rls2__container_array(file, "outputs.0.kernels", "I64", 1, &o->kernels);
    if (status == RLS2_OK) status = rls2__container_array(file, "outputs.0.scales", "F64", 1, &o->scales);
    if (status != RLS2_OK) return status;
    if (o->c.columns < 1 || !rls2__la_fits(o->c.columns))
        return rls2__container_fail(file, RLS2_ERR_VALUE, "%" PRId64 " training rows", o->c.columns);
    if (o->d.columns < 1 || o->d.columns != o->kernels.columns)
        return rls2__container_fail(file, RLS2_ERR_VALUE, "%" PRId64 " kernels with %" PRId64 " weights",
                                    o->kernels.columns, o->d.columns);
    return RLS2_OK;
}

/* ---- the dictionary ---- */

static rls2_status read_groups(rls2__describer *r, const json_t *dictionary, rls2_columns *columns)
{
    const json_t *groups = rls2__field_array(r, dictionary, "groups");
    int64_t count = (int64_t)json_array_size(groups);
    rls2_group *list = groups ? rls2__arena_alloc(r->arena, rls2__mul(count, sizeof *list)) : NULL;
    if (groups && !list) r->status = rls2__fail_memory(r->container->err, "the groups of a dictionary");
    for (int64_t g = 0; g < count && r->status == RLS2_OK; g++) {
        const json_t *group = json_array_get(groups, (size_t)g);
        list[g].name = rls2__field_text(r, group, "name");
        const json_t *members = rls2__field_array(r, group, "columns");
        list[g].count = (int64_t)json_array_size(members);
        int64_t *places = rls2__arena_alloc(r->arena, rls2__mul(list[g].count, sizeof *places));
        if (!places) r->status = rls2__fail_memory(r->container->err, "the groups of a dictionary");
        for (int64_t i = 0; i < list[g].count && r->status == RLS2_OK; i++) {
            const json_t *member = json_array_get(members, (size_t)i);
            places[i] = json_is_integer(member) ? json_integer_value(member) : -1; /* refused further on */
        }
        list[g].columns = places;
    }
    columns->group_count = count;
    columns->groups = list;
    return r->status;
}

/* A text may ask for far more than its own length: no more kernels than the file has scalings for, and
 * memory for their names and columns in proportion to the file, beyond what is small anyway. */
static rls2__dictionary_limits limits_of(const rls2__container *file, int64_t kernels)
{
    rls2__dictionary_limits limits = rls2__dictionary_limits_default;
    int64_t share = rls2__mul(rls2__add(file->size, 1 << 20), 64);
    if (kernels < limits.kernels) limits.kernels = kernels;
    if (share >= 0 && share < limits.name_bytes) limits.name_bytes = share;
    if (share >= 0 && share / 4 < limits.references) limits.references = share / 4; /* 8 bytes each */
    return limits;
}

/* The parser's own sentence, behind the name of the file. */
static rls2_status fail_dictionary(const rls2__container *file, const rls2_error *why)
{
    if (why->status == RLS2_ERR_MEMORY) return rls2__fail_memory(file->err, "the dictionary of a model");
    return rls2__container_fail(file, RLS2_ERR_VALUE, "the dictionary: %s", why->message);
}

static rls2_status read_dictionary(rls2__describer *r, int64_t kernels, rls2_dictionary **dictionary)
{
    const rls2__container *file = r->container;
    const json_t *from = rls2__field_object(r, file->description, "dictionary");
    const char *spec = rls2__field_text(r, from, "spec");
    rls2_columns columns = {0};
    columns.names = rls2__field_texts(r, from, "columns", &columns.count);
    columns.given_names = rls2__field_texts(r, from, "given", &columns.given_count);
    if (read_groups(r, from, &columns) != RLS2_OK) return r->status;
    rls2__dictionary_limits limits = limits_of(file, kernels);
    rls2_error why;
    rls2_dictionary *made = NULL;
    if (rls2__dictionary_build(spec, &columns, &limits, &made, &why) != RLS2_OK)
        return fail_dictionary(file, &why);
    if (made->m == kernels) {
        *dictionary = made;
        return RLS2_OK;
    }
    rls2_status status = rls2__container_fail(
        file, RLS2_ERR_VALUE, "the dictionary has %" PRId64 " kernels, and there are %" PRId64 " scalings",
        made->m, kernels);
    rls2_dictionary_free(made);
    return status;
}

/* ---- numbers ---- */

static rls2_status check_finite(const rls2__container *file, const char *what, int64_t count, const double *x)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return rls2__container_fail(file, RLS2_ERR_VALUE,
                                        "%s: element %" PRId64 " is %g, not a finite number", what, i, x[i]);
    return RLS2_OK;
}

static rls2_status check_scales(const rls2__container *file, const rls2_model *model)
{
    for (int64_t k = 0; k < model->dictionary->m; k++)
        if (!(isfinite(model->scales[k]) && model->scales[k] >= 0.0))
            return rls2__container_fail(file, RLS2_ERR_VALUE, "the scaling of kernel '%.80s' is %g",
                                        model->dictionary->kernels[k].name, model->scales[k]);
    return RLS2_OK;
}

/* Kernels ascend and are there; weights lie on the simplex. */
static rls2_status check_weights(const rls2__container *file, const rls2_model *model)
{
    double sum = 0.0;
    for (int64_t k = 0; k < model->size; k++) {
        int64_t index = model->index[k];
        if (index < 0 || index >= model->dictionary->m || (k > 0 && index <= model->index[k - 1]))
            return rls2__container_fail(file, RLS2_ERR_VALUE,
                                        "selected kernel %" PRId64 " is number %" PRId64 " of %" PRId64
                                        ", or not in order",
                                        k, index, model->dictionary->m);
        if (!(isfinite(model->d[k]) && model->d[k] >= 0.0) || !(model->scales[index] > 0.0))
            return rls2__container_fail(file, RLS2_ERR_VALUE, "kernel '%.80s' has weight %g and scaling %g",
                                        model->dictionary->kernels[index].name, model->d[k],
                                        model->scales[index]);
        sum += model->d[k];
    }
    if (fabs(sum - 1.0) <= SIMPLEX_TOL) return RLS2_OK;
    return rls2__container_fail(file, RLS2_ERR_VALUE, "the weights d sum to %.12g, not to 1", sum);
}

static rls2_status read_output(const rls2__container *file, const output *o, rls2_model *model)
{
    rls2__read_doubles(o->c.data, model->n, model->c);
    rls2__read_doubles(o->d.data, model->size, model->d);
    rls2__read_integers(o->kernels.data, model->size, model->index);
    rls2__read_doubles(o->scales.data, model->dictionary->m, model->scales);
    rls2_status status = check_finite(file, "outputs.0.c", model->n, model->c);
    if (status == RLS2_OK) status = check_scales(file, model);
    if (status == RLS2_OK) status = check_weights(file, model);
    return status;
}

/* ---- rows ---- */

static rls2_status read_given(const rls2__container *file, rls2_model *model, int64_t g)
{
    rls2__array_name name = rls2__given_array(g);
    rls2__array_view view;
    int64_t values = model->n * model->n;
    rls2_status status = rls2__container_array(file, name.text, "F64", 2, &view);
    if (status != RLS2_OK) return status;
    if (view.rows != model->n || view.columns != model->n)
        return rls2__container_fail(file, RLS2_ERR_VALUE, "the array '%s' is %" PRId64 " x %" PRId64,
                                    name.text, view.rows, view.columns);
    model->given[g] = rls2__alloc(values, sizeof(double));
    if (!model->given[g]) return rls2__fail_memory(file->err, "a given matrix");
    rls2__read_doubles(view.data, values, model->given[g]);
    return check_finite(file, name.text, values, model->given[g]);
}

/* The columns stored must be the columns the selected kernels look at. */
static rls2_status check_columns(const rls2__container *file, const rls2_model *model,
                                 const rls2__array_view *columns)
{
    int same = columns->columns == model->used_count;
    for (int64_t j = 0; j < model->used_count && same; j++) {
        int64_t column;
        rls2__read_integers(columns->data + 8 * j, 1, &column);
        same = column == model->used[j];
    }
    if (same) return RLS2_OK;
    return rls2__container_fail(file, RLS2_ERR_VALUE,
                                "the columns stored are not those the selected kernels look at");
}

static rls2_status read_rows(const rls2__container *file, rls2_model *model)
{
    rls2__array_view x, columns;
    rls2_status status = rls2__container_array(file, "x", "F64", 2, &x);
    if (status == RLS2_OK) status = rls2__container_array(file, "columns", "I64", 1, &columns);
    if (status != RLS2_OK) return status;
    if (rls2__model_bind(model) != RLS2_OK) return rls2__fail_memory(file->err, "the kernels");
    status = check_columns(file, model, &columns);
    if (status != RLS2_OK) return status;
    if (x.rows != model->used_count || x.columns != model->n)
        return rls2__container_fail(
            file, RLS2_ERR_VALUE, "x is %" PRId64 " x %" PRId64 " where %" PRId64 " x %" PRId64 " are needed",
            x.rows, x.columns, model->used_count, model->n);
    if (rls2__model_reserve_x(model) != RLS2_OK) return rls2__fail_memory(file->err, "the training rows");
    rls2__read_doubles(x.data, model->n * model->used_count, model->x);
    status = check_finite(file, "x", model->n * model->used_count, model->x);
    for (int64_t k = 0; k < model->size && status == RLS2_OK; k++) {
        int64_t g = model->kernels[k].given;
        if (model->kernels[k].kind == RLS2__KERNEL_GIVEN && !model->given[g])
            status = read_given(file, model, g);
    }
    return status;
}

/* ---- the rest of the description ---- */

static void read_scaling(rls2__describer *r, rls2_model *model)
{
    const json_t *from = rls2__field_object(r, r->container->description, "scaling");
    model->scaling.rule = (rls2_scaling)rls2__field_word(r, from, "rule", rls2__word_scaling);
    model->scaling.center = rls2__field_flag(r, from, "center");
    model->scaling.transductive = rls2__field_flag(r, from, "transductive");
    model->scaling.skip_degenerate = rls2__field_flag(r, from, "skip_degenerate");
}

static rls2_status read_point(rls2__describer *r, const json_t *from, rls2_model *model)
{
    rls2_path_point *point = &model->point;
    model->intercept = rls2__field_number(r, from, "intercept");
    point->lambda = rls2__field_number(r, from, "lambda");
    point->objective = rls2__field_number_or_null(r, from, "objective");
    point->gap = rls2__field_number_or_null(r, from, "gap");
    point->residual = rls2__field_number_or_null(r, from, "residual");
    point->df = rls2__field_number_or_null(r, from, "df");
    point->outcome = (rls2_outcome)rls2__field_word(r, from, "outcome", rls2__word_outcome);
    point->iterations = rls2__field_count(r, from, "iterations");
    point->factorizations = rls2__field_count(r, from, "factorizations");
    point->priced = rls2__field_count(r, from, "priced");
    point->offered = rls2__field_count(r, from, "offered");
    point->selected = model->size;
    if (r->status != RLS2_OK || point->lambda > 0.0) return r->status;
    return rls2__container_fail(r->container, RLS2_ERR_VALUE, "lambda is %g; it must be positive",
                                point->lambda);
}

/* One for each response; this version has one. */
static rls2_status read_outputs(rls2__describer *r, rls2_model *model)
{
    const json_t *outputs = rls2__field_array(r, r->container->description, "outputs");
    size_t count = json_array_size(outputs);
    if (r->status != RLS2_OK) return r->status;
    if (count != 1)
        return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                    "%zu outputs; this rls2 reads models of one%s", count,
                                    count > 1 ? ": use a newer rls2" : "");
    return read_point(r, json_array_get(outputs, 0), model);
}

/* ---- data ---- */

static const rls2__input_parts *read_inputs(rls2__describer *r, const json_t *from, int64_t *count)
{
    const json_t *array = rls2__field_array(r, from, "inputs");
    *count = (int64_t)json_array_size(array);
    rls2__input_parts *inputs = array ? rls2__arena_alloc(r->arena, rls2__mul(*count, sizeof *inputs)) : NULL;
    if (array && !inputs) r->status = rls2__fail_memory(r->container->err, "the inputs of a model");
    for (int64_t k = 0; k < *count && r->status == RLS2_OK; k++) {
        const json_t *input = json_array_get(array, (size_t)k);
        inputs[k].name = rls2__field_text(r, input, "name");
        if (r->status == RLS2_OK && json_object_size(input) > 1)
            inputs[k].values = rls2__field_texts(r, input, "values", &inputs[k].count);
    }
    return inputs;
}

static void read_classes(rls2__describer *r, const json_t *from, rls2__encoder_parts *parts)
{
    int64_t count = 0;
    const json_t *classes = rls2__field_object_or_null(r, from, "classes");
    if (!classes) return;
    const char **labels = rls2__field_texts(r, classes, "labels", &count);
    parts->has_classes = 1;
    parts->labels_are_numbers = rls2__field_flag(r, classes, "numbers");
    if (r->status == RLS2_OK && count != 2)
        r->status = rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                         "%" PRId64 " classes; this rls2 reads models of two%s", count,
                                         count > 2 ? ": use a newer rls2" : "");
    for (int s = 0; s < 2 && r->status == RLS2_OK; s++) parts->label[s] = labels[s];
}

/* 16 digits. */
static uint64_t read_fingerprint(rls2__describer *r, const json_t *from)
{
    const char *text = rls2__field_text(r, from, "fingerprint");
    if (!text) return 0;
    if (strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16) return strtoull(text, NULL, 16);
    r->status = rls2__container_fail(r->container, RLS2_ERR_SYNTAX,
                                     "the description: 'fingerprint' is not 16 hexadecimal digits");
    return 0;
}

static rls2_status read_feature(const rls2__container *file, const char *name, int64_t count, double *out)
{
    rls2__array_view view;
    rls2_status status = rls2__container_array(file, name, "F64", 1, &view);
    if (status != RLS2_OK) return status;
    if (view.columns != count)
        return rls2__container_fail(file, RLS2_ERR_VALUE,
                                    "the array '%s' has %" PRId64 " elements, not %" PRId64, name,
                                    view.columns, count);
    rls2__read_doubles(view.data, count, out);
    return check_finite(file, name, count, out);
}

static rls2_status read_exponents(const rls2__container *file, rls2__preparation *preparation)
{
    enum { MOST = 1100 }; /* what doubles can have */
    rls2__array_view view;
    rls2_status status = rls2__container_array(file, "features.exponent", "I64", 1, &view);
    if (status != RLS2_OK) return status;
    if (view.columns != preparation->columns)
        return rls2__container_fail(file, RLS2_ERR_VALUE, "features.exponent has %" PRId64 " elements",
                                    view.columns);
    for (int64_t j = 0; j < preparation->columns; j++) {
        int64_t exponent;
        rls2__read_integers(view.data + 8 * j, 1, &exponent);
        if (exponent < -MOST || exponent > MOST)
            return rls2__container_fail(file, RLS2_ERR_VALUE,
                                        "features.exponent: element %" PRId64 " is %" PRId64, j, exponent);
        preparation->scales[j].exponent = (int)exponent;
    }
    return RLS2_OK;
}

/* values: room for the columns. */
static rls2_status read_features(const rls2__container *file, rls2__preparation *preparation, double *values)
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
            status = rls2__container_fail(file, RLS2_ERR_VALUE,
                                          "features.deviation: element %" PRId64 " is %g", j, values[j]);
    }
    if (status == RLS2_OK) status = read_feature(file, "features.mean", p, preparation->means);
    if (status == RLS2_OK) status = read_feature(file, "features.divisor", p, preparation->deviations);
    return status;
}

static rls2_status read_preparation(rls2__describer *r, const json_t *from, rls2__preparation *preparation)
{
    const json_t *how = rls2__field_object(r, from, "preprocessing");
    preparation->how.examples = (rls2_normalize)rls2__field_word(r, how, "examples", rls2__word_normalize);
    preparation->how.features = (rls2_normalize)rls2__field_word(r, how, "features", rls2__word_normalize);
    if (r->status != RLS2_OK || preparation->how.features == RLS2_NORMALIZE_NONE) return r->status;
    double *values = rls2__alloc(preparation->columns, sizeof(double));
    if (!values) return rls2__fail_memory(r->container->err, "the preprocessing of a model");
    r->status = read_features(r->container, preparation, values);
    rls2__free(values);
    return r->status;
}

static rls2_status read_encoder(rls2__describer *r, const json_t *from, const rls2_dictionary *dictionary,
                                rls2__encoder **encoder)
{
    rls2__encoder_parts parts = {.target = rls2__field_text(r, from, "target")};
    read_classes(r, from, &parts);
    parts.drop_missing = rls2__field_flag(r, from, "drop_missing");
    parts.reference = rls2__field_flag(r, from, "reference");
    parts.inputs = read_inputs(r, from, &parts.count);
    if (r->status != RLS2_OK) return r->status;
    rls2_error why;
    rls2_status status =
        rls2__encoder_restore(&parts, dictionary->columns, dictionary->column_names, encoder, &why);
    if (status == RLS2_OK) return status;
    if (status == RLS2_ERR_MEMORY) return rls2__fail_memory(r->container->err, "the inputs of a model");
    return rls2__container_fail(r->container, status, "the description: %s", why.message);
}

static rls2_status read_data(rls2__describer *r, rls2_model *model)
{
    const json_t *from = rls2__field_object_or_null(r, r->container->description, "data");
    if (!from) return r->status;
    rls2__encoder *encoder = NULL;
    rls2__preparation preparation = {0};
    uint64_t fingerprint = read_fingerprint(r, from);
    rls2_status status = read_encoder(r, from, model->dictionary, &encoder);
    if (status != RLS2_OK) goto cleanup;
    status = rls2__preparation_reserve(&preparation, model->p);
    if (status != RLS2_OK)
        status = rls2__fail_memory(r->container->err, "the preprocessing of a model");
    else
        status = read_preparation(r, from, &preparation);
    if (status != RLS2_OK) goto cleanup;
    status = rls2__origin_create(encoder, &preparation, fingerprint, &model->origin);
    if (status != RLS2_OK) status = rls2__fail_memory(r->container->err, "the inputs of a model");
cleanup:
    rls2__encoder_release(encoder);
    rls2__preparation_release(&preparation);
    return status;
}

/* ---- all ---- */

/* As many arrays as were read: others would be lost without a word. */
static rls2_status check_count(const rls2__container *file, const rls2_model *model)
{
    size_t count = 6 + 1; /* and the metadata */
    for (int64_t g = 0; g < model->dictionary->given_count; g++) count += model->given[g] != NULL;
    if (model->origin.preparation.how.features != RLS2_NORMALIZE_NONE) count += 6;
    if (json_object_size(file->header) == count) return RLS2_OK;
    return rls2__container_fail(file, RLS2_ERR_SYNTAX, "%zu arrays where %zu are needed",
                                json_object_size(file->header) - 1, count - 1);
}

static rls2_status fill(rls2__describer *r, const output *o, rls2_model *model)
{
    rls2_status status = read_output(r->container, o, model);
    if (status == RLS2_OK) status = read_rows(r->container, model);
    if (status != RLS2_OK) return status;
    read_scaling(r, model);
    model->solver = (rls2_solver)rls2__field_word(r, r->container->description, "solver", rls2__word_solver);
    rls2__field_text(r, r->container->description, "library");
    status = read_outputs(r, model);
    if (status == RLS2_OK) status = read_data(r, model);
    if (status == RLS2_OK) status = check_count(r->container, model);
    if (status == RLS2_OK) rls2__model_finish(model);
    return status;
}

static rls2_status build(rls2__describer *r, rls2_model **model)
{
    output o;
    rls2_dictionary *dictionary = NULL;
    rls2_status status = find_output(r->container, &o);
    if (status == RLS2_OK) status = read_dictionary(r, o.scales.columns, &dictionary);
    if (status != RLS2_OK) return status;
    rls2_model *made = rls2__model_start(dictionary, o.c.columns, o.d.columns);
    rls2_dictionary_free(dictionary); /* the model has its share */
    if (!made) return rls2__fail_memory(r->container->err, "the model");
    status = fill(r, &o, made);
    if (status == RLS2_OK)
        *model = made;
    else
        rls2__model_destroy(made);
    return status;
}

rls2_status rls2__model_unpack(const char *name, const unsigned char *bytes, int64_t length,
                               rls2_model **model, rls2_error *err)
{
    rls2__container file;
    rls2__describer reader = {.container = &file, .arena = rls2__arena_create()};
    rls2_status status = rls2__container_open(name, bytes, length, &file, err);
    if (status == RLS2_OK && !reader.arena) status = rls2__fail_memory(err, "the model");
    if (status == RLS2_OK) status = build(&reader, model);
    rls2__container_close(&file);
    rls2__arena_free(reader.arena);
    return status;
}
