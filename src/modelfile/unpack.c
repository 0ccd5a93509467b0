/* Arrays and a description become a model. Nothing is believed: sizes are those of the arrays,
 * which are those of the file; the dictionary is parsed anew and must have as many kernels as there
 * are scalings; every number is looked at. */
#include "modelfile/unpack.h"

#include <inttypes.h>
#include <math.h>

#include "base/memory.h"
#include "base/status.h"
#include "dictionary/dictionary_parse.h"
#include "dictionary/dictionary_widths.h"
#include "la/la.h"
#include "model/compact.h"
#include "model/model_stack.h"
#include "modelfile/container.h"
#include "modelfile/fields.h"
#include "modelfile/format.h"
#include "modelfile/pack.h"
#include "modelfile/pack_description.h"
#include "modelfile/stack_members.h"
#include "modelfile/unpack_compact.h"
#include "modelfile/unpack_data.h"
#include "modelfile/picks_text.h"
#include "modelfile/unpack_left_out.h"
#include "solver/loss.h"

static const double SIMPLEX_TOL = 1e-9; /* the weights sum to 1 but for rounding */

/* ---- the arrays of the outputs ---- */

typedef struct output_arrays {
    rls2__array_view c, d, kernels, scales;
} output_arrays;

typedef struct outputs {
    int64_t count;
    const json_t *description; /* an array of that many */
    output_arrays *all;
} outputs;

static rls2_status find_array(const rls2__container *file, int64_t o, const char *what,
                              const char *type, rls2__array_view *view)
{
    return rls2__container_array(file, rls2__output_array(o, what).text, type, 1, view);
}

static rls2_status find_output(const rls2__container *file, int64_t number, output_arrays *o)
{
    rls2_status status = find_array(file, number, "c", "F64", &o->c);
    if (status == RLS2_OK) status = find_array(file, number, "d", "F64", &o->d);
    if (status == RLS2_OK) status = find_array(file, number, "kernels", "I64", &o->kernels);
    if (status == RLS2_OK) status = find_array(file, number, "scales", "F64", &o->scales);
    if (status != RLS2_OK) return status;
    if (o->c.columns < 1 || !rls2__la_fits(o->c.columns))
        return rls2__container_fail(file, RLS2_ERR_VALUE, "%" PRId64 " training rows",
                                    o->c.columns);
    if (o->d.columns < 1 || o->d.columns != o->kernels.columns)
        return rls2__container_fail(file, RLS2_ERR_VALUE,
                                    "%" PRId64 " kernels with %" PRId64 " weights",
                                    o->kernels.columns, o->d.columns);
    return RLS2_OK;
}

/* The same rows and the same dictionary as the first. */
static rls2_status check_alike(const rls2__container *file, const outputs *list, int64_t number)
{
    const output_arrays *first = &list->all[0], *o = &list->all[number];
    if (o->c.columns != first->c.columns)
        return rls2__container_fail(file, RLS2_ERR_VALUE,
                                    "output %" PRId64 " has %" PRId64
                                    " training rows where output 0 has %" PRId64,
                                    number, o->c.columns, first->c.columns);
    if (o->scales.columns != first->scales.columns)
        return rls2__container_fail(file, RLS2_ERR_VALUE,
                                    "output %" PRId64 " has %" PRId64
                                    " scalings where output 0 has %" PRId64,
                                    number, o->scales.columns, first->scales.columns);
    return RLS2_OK;
}

/* As many as are described. */
static rls2_status find_outputs(rls2__describer *r, outputs *list)
{
    const rls2__container *file = r->container;
    list->description = rls2__field_array(r, file->description, "outputs");
    if (r->status != RLS2_OK) return r->status;
    list->count = (int64_t)json_array_size(list->description);
    if (list->count < 1 || (list->count > 1 && file->version < 2))
        return rls2__container_fail(file, RLS2_ERR_VALUE,
                                    "%" PRId64 " outputs in a file of format version %d",
                                    list->count, file->version);
    list->all = rls2__arena_alloc(r->arena, rls2__mul(list->count, sizeof *list->all));
    if (!list->all) return rls2__fail_memory(file->err, "the outputs of a model");
    for (int64_t o = 0; o < list->count; o++) {
        rls2_status status = find_output(file, o, &list->all[o]);
        if (status == RLS2_OK) status = check_alike(file, list, o);
        if (status != RLS2_OK) return status;
    }
    return RLS2_OK;
}

/* ---- the dictionary ---- */

static rls2_status read_groups(rls2__describer *r, const json_t *dictionary, rls2_columns *columns)
{
    const json_t *groups = rls2__field_array(r, dictionary, "groups");
    int64_t count = (int64_t)json_array_size(groups);
    rls2_group *list = groups ? rls2__arena_alloc(r->arena, rls2__mul(count, sizeof *list)) : NULL;
    if (groups && !list)
        r->status = rls2__fail_memory(r->container->err, "the groups of a dictionary");
    for (int64_t g = 0; g < count && r->status == RLS2_OK; g++) {
        const json_t *group = json_array_get(groups, (size_t)g);
        list[g].name = rls2__field_text(r, group, "name");
        const json_t *members = rls2__field_array(r, group, "columns");
        list[g].count = (int64_t)json_array_size(members);
        int64_t *places = rls2__arena_alloc(r->arena, rls2__mul(list[g].count, sizeof *places));
        if (!places) r->status = rls2__fail_memory(r->container->err, "the groups of a dictionary");
        for (int64_t i = 0; i < list[g].count && r->status == RLS2_OK; i++) {
            const json_t *member = json_array_get(members, (size_t)i);
            places[i] =
                json_is_integer(member) ? json_integer_value(member) : -1; /* refused further on */
        }
        list[g].columns = places;
    }
    columns->group_count = count;
    columns->groups = list;
    return r->status;
}

/* A text may ask for far more than its own length: no more kernels than the file has scalings for,
 * and memory for their names and columns in proportion to the file, beyond what is small anyway. */
static rls2__dictionary_limits limits_of(const rls2__container *file, int64_t kernels)
{
    rls2__dictionary_limits limits = rls2__dictionary_limits_default;
    int64_t share = rls2__mul(rls2__add(file->size, 1 << 20), 64);
    if (kernels < limits.kernels) limits.kernels = kernels;
    if (share >= 0 && share < limits.name_bytes) limits.name_bytes = share;
    if (share >= 0 && share / 4 < limits.references)
        limits.references = share / 4; /* 8 bytes each */
    return limits;
}

/* The parser's own sentence, behind the name of the file. */
static rls2_status fail_dictionary(const rls2__container *file, const rls2_error *why)
{
    if (why->status == RLS2_ERR_MEMORY)
        return rls2__fail_memory(file->err, "the dictionary of a model");
    return rls2__container_fail(file, RLS2_ERR_VALUE, "the dictionary: %s", why->message);
}

static rls2_status read_dictionary(rls2__describer *r, int64_t kernels,
                                   rls2_dictionary **dictionary)
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
    rls2_status status = rls2__container_fail(file, RLS2_ERR_VALUE,
                                              "the dictionary has %" PRId64
                                              " kernels, and there are %" PRId64 " scalings",
                                              made->m, kernels);
    rls2_dictionary_free(made);
    return status;
}

/* Since version 5, of kernels that learned theirs: as many as these have columns. */
static rls2_status read_widths(const rls2__container *file, rls2_dictionary **dictionary)
{
    rls2_dictionary *learned = NULL;
    int64_t count = rls2__dictionary_width_count(*dictionary);
    rls2__array_view view;
    if (count == 0) return RLS2_OK;
    if (file->version < 5)
        return rls2__container_fail(file, RLS2_ERR_VALUE,
                                    "widths that were learned in a file of format version %d",
                                    file->version);
    rls2_status status = rls2__container_array(file, "widths", "F64", 1, &view);
    if (status != RLS2_OK) return status;
    if (view.columns != count)
        return rls2__container_fail(file, RLS2_ERR_VALUE,
                                    "%" PRId64 " widths where %" PRId64 " are needed", view.columns,
                                    count);
    double *widths = rls2__alloc(count, sizeof *widths);
    if (!widths) return rls2__fail_memory(file->err, "the widths of kernels");
    rls2__read_doubles(view.data, count, widths);
    for (int64_t t = 0; t < count && status == RLS2_OK; t++)
        if (!(isfinite(widths[t]) && widths[t] > 0.0))
            status = rls2__container_fail(
                file, RLS2_ERR_VALUE, "widths: element %" PRId64 " is %g, not positive and finite",
                t, widths[t]);
    if (status == RLS2_OK && rls2__dictionary_with_widths(*dictionary, widths, &learned) != RLS2_OK)
        status = rls2__fail_memory(file->err, "the widths of kernels");
    rls2__free(widths);
    if (status != RLS2_OK) return status;
    rls2_dictionary_free(*dictionary); /* the other has its share */
    *dictionary = learned;
    return RLS2_OK;
}

/* ---- numbers ---- */

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
                                        "selected kernel %" PRId64 " is number %" PRId64
                                        " of %" PRId64 ", or not in order",
                                        k, index, model->dictionary->m);
        if (!(isfinite(model->d[k]) && model->d[k] >= 0.0) || !(model->scales[index] > 0.0))
            return rls2__container_fail(
                file, RLS2_ERR_VALUE, "kernel '%.80s' has weight %g and scaling %g",
                model->dictionary->kernels[index].name, model->d[k], model->scales[index]);
        sum += model->d[k];
    }
    if (fabs(sum - 1.0) <= SIMPLEX_TOL) return RLS2_OK;
    return rls2__container_fail(file, RLS2_ERR_VALUE, "the weights d sum to %.12g, not to 1", sum);
}

static rls2_status read_output(const rls2__container *file, const output_arrays *o,
                               rls2_model *model)
{
    int64_t values = rls2__model_values(model);
    rls2__read_doubles(o->c.data, values, model->c);
    rls2__read_doubles(o->d.data, model->size, model->d);
    rls2__read_integers(o->kernels.data, model->size, model->index);
    rls2__read_doubles(o->scales.data, model->dictionary->m, model->scales);
    rls2_status status = rls2__container_check_finite(
        file, rls2__output_array(model->number, "c").text, values, model->c);
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
        return rls2__container_fail(file, RLS2_ERR_VALUE,
                                    "the array '%s' is %" PRId64 " x %" PRId64, name.text,
                                    view.rows, view.columns);
    model->given[g] = rls2__alloc(values, sizeof(double));
    if (!model->given[g]) return rls2__fail_memory(file->err, "a given matrix");
    rls2__read_doubles(view.data, values, model->given[g]);
    return rls2__container_check_finite(file, name.text, values, model->given[g]);
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
        return rls2__container_fail(file, RLS2_ERR_VALUE,
                                    "x is %" PRId64 " x %" PRId64 " where %" PRId64 " x %" PRId64
                                    " are needed",
                                    x.rows, x.columns, model->used_count, model->n);
    if (rls2__model_reserve_x(model) != RLS2_OK)
        return rls2__fail_memory(file->err, "the training rows");
    rls2__read_doubles(x.data, model->n * model->used_count, model->x);
    status = rls2__container_check_finite(file, "x", model->n * model->used_count, model->x);
    for (int64_t k = 0; k < model->size && status == RLS2_OK; k++) {
        int64_t g = model->kernels[k].given;
        if (model->kernels[k].kind == RLS2__KERNEL_GIVEN && !model->given[g])
            status = read_given(file, model, g);
    }
    return status;
}

static rls2_status read_weights(const rls2__container *file, rls2_model *model)
{
    rls2__array_view view;
    if (!json_object_get(file->header, "weights") || file->version < 2) return RLS2_OK;
    if (model->compact) return RLS2_OK; /* one array too many */
    rls2_status status = rls2__container_array(file, "weights", "F64", 1, &view);
    if (status != RLS2_OK) return status;
    if (view.columns != model->n)
        return rls2__container_fail(file, RLS2_ERR_VALUE,
                                    "%" PRId64 " weights of %" PRId64 " training rows",
                                    view.columns, model->n);
    if (rls2__model_reserve_weights(model) != RLS2_OK)
        return rls2__fail_memory(file->err, "the weights");
    rls2__read_doubles(view.data, model->n, model->weights);
    for (int64_t i = 0; i < model->n; i++)
        if (!(isfinite(model->weights[i]) && model->weights[i] > 0.0))
            return rls2__container_fail(
                file, RLS2_ERR_VALUE, "weights: element %" PRId64 " is %g, not positive and finite",
                i, model->weights[i]);
    return RLS2_OK;
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

/* Since version 5. What responses are is not in the file: only what a loss can be is checked. */
static rls2_status read_loss(rls2__describer *r, const json_t *from, int64_t count,
                             rls2_model *model)
{
    rls2_loss *loss = &model->loss;
    if (r->container->version < 5 && json_object_get(from, "loss"))
        return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                    "a loss in a file of format version %d", r->container->version);
    if (r->container->version < 5) return RLS2_OK;
    loss->kind = (rls2_loss_kind)rls2__field_word(r, from, "loss", rls2__word_loss);
    loss->parameter = rls2__field_number(r, from, "parameter");
    model->is_free = rls2__field_flag(r, from, "free_intercept");
    model->has_shared_d = rls2__field_flag(r, from, "shared_weights");
    if (r->status != RLS2_OK) return r->status;
    if (rls2__loss_check(*loss, 0, NULL, NULL) != RLS2_OK)
        return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                    "the parameter of the loss %s is %g",
                                    rls2__word_loss[loss->kind], loss->parameter);
    if (loss->kind == RLS2_LOSS_MULTINOMIAL && count < 2)
        return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                    "a multinomial loss of one output");
    return RLS2_OK;
}

static rls2_model *output_of(rls2_model *model, int64_t o)
{
    return model->outputs ? model->outputs[o] : model;
}

static rls2_status check_same_loss(const rls2__container *file, const rls2_model *first,
                                   const rls2_model *other)
{
    if (first->loss.kind == other->loss.kind && first->is_free == other->is_free &&
        first->has_shared_d == other->has_shared_d)
        return RLS2_OK;
    return rls2__container_fail(file, RLS2_ERR_VALUE, "outputs of different losses");
}

/* What is said of each output, with what they have in common. */
static rls2_status read_points(rls2__describer *r, const outputs *list, rls2_model *model)
{
    for (int64_t o = 0; o < list->count; o++) {
        rls2_model *output = output_of(model, o);
        const json_t *from = json_array_get(list->description, (size_t)o);
        rls2_status status = read_point(r, from, output);
        if (status == RLS2_OK) status = read_loss(r, from, list->count, output);
        if (status == RLS2_OK) status = check_same_loss(r->container, output_of(model, 0), output);
        if (status != RLS2_OK) return status;
        double lambda = output->point.lambda, first = output_of(model, 0)->point.lambda;
        if (lambda < first || lambda > first)
            return rls2__container_fail(
                r->container, RLS2_ERR_VALUE,
                "lambda is %.17g for output %" PRId64 " and %.17g for output 0", lambda, o, first);
        output->scaling = model->scaling;
        output->solver = model->solver;
    }
    if (model->outputs) rls2__model_sum_up(model);
    return RLS2_OK;
}

/* ---- all ---- */

/* As many arrays as were read: others would be lost without a word. */
static rls2_status check_count(const rls2__container *file, const rls2_model *model)
{
    size_t count = 1 + 2 + 4 * (size_t)model->output_count; /* the metadata, x and columns */
    if (model->weights) count++;
    if (model->dictionary->widths) count++;
    for (int64_t g = 0; g < model->dictionary->given_count; g++) count += model->given[g] != NULL;
    count += model->origin.preparation.has_fills != 0;
    if (model->compact) count += model->compact->mass ? 2 : 1;
    if (model->stack) count += (size_t)model->stack->count;
    for (int64_t o = 0; o < model->output_count; o++)
        count += rls2_model_output(model, o)->trained_shares != NULL;
    if (model->origin.preparation.how.features != RLS2_NORMALIZE_NONE) count += 6;
    if (json_object_size(file->header) == count) return RLS2_OK;
    return rls2__container_fail(file, RLS2_ERR_SYNTAX, "%zu arrays where %zu are needed",
                                json_object_size(file->header) - 1, count - 1);
}

static rls2_status read_outputs(rls2__describer *r, const outputs *list, rls2_model *model)
{
    const rls2__container *file = r->container;
    rls2_status status = RLS2_OK;
    for (int64_t o = 0; o < list->count && status == RLS2_OK; o++) {
        status = read_output(file, &list->all[o], output_of(model, o));
        if (status == RLS2_OK)
            status = rls2__unpack_compact_output(r, json_array_get(list->description, (size_t)o), o,
                                                 output_of(model, o));
    }
    if (status == RLS2_OK && model->outputs && rls2__model_unite(model) != RLS2_OK)
        status = rls2__fail_memory(file->err, "the kernels");
    return status;
}

static rls2_status fill(rls2__describer *r, const outputs *list, rls2_model *model)
{
    rls2_status status = read_outputs(r, list, model);
    if (status == RLS2_OK) status = read_rows(r->container, model);
    if (status == RLS2_OK) status = rls2__check_knots(r->container, model);
    if (status == RLS2_OK) status = read_weights(r->container, model);
    if (status != RLS2_OK) return status;
    read_scaling(r, model);
    model->solver =
        (rls2_solver)rls2__field_word(r, r->container->description, "solver", rls2__word_solver);
    rls2__field_text(r, r->container->description, "library");
    status = read_points(r, list, model);
    if (status == RLS2_OK) status = rls2__unpack_left_out(r, list->description, model);
    if (status == RLS2_OK) status = rls2__unpack_stability(r, list->description, model);
    if (status == RLS2_OK) status = rls2__unpack_data(r, model);
    if (status == RLS2_OK) status = rls2__unpack_intervals(r, list->description, model);
    if (status == RLS2_OK) status = rls2__unpack_stack(r, model);
    if (status == RLS2_OK) status = check_count(r->container, model);
    if (status == RLS2_OK) rls2__model_finish(model);
    return status;
}

/* With the blocks of a compact model, which become the model's. NULL when out of memory. */
static rls2_model *start(const outputs *list, const rls2_dictionary *dictionary, int64_t n,
                         rls2__compact *compact)
{
    if (list->count == 1) return rls2__model_start(dictionary, n, list->all[0].d.columns, compact);
    rls2_model *head = rls2__model_start_outputs(dictionary, n, list->count, compact);
    for (int64_t o = 0; head && o < list->count; o++)
        if (!rls2__model_add_output(head, list->all[o].d.columns)) {
            rls2__model_destroy(head);
            return NULL;
        }
    return head;
}

static rls2_status build(rls2__describer *r, rls2_model **model)
{
    outputs list = {0};
    rls2_dictionary *dictionary = NULL;
    rls2__compact *compact = NULL;
    rls2_model *made = NULL;
    rls2_status status = find_outputs(r, &list);
    if (status == RLS2_OK) status = read_dictionary(r, list.all[0].scales.columns, &dictionary);
    if (status != RLS2_OK) return status;
    int64_t values = list.all[0].c.columns, n = values;
    status = read_widths(r->container, &dictionary);
    if (status == RLS2_OK) status = rls2__unpack_compact(r, dictionary, values, &n, &compact);
    if (status == RLS2_OK) {
        made = start(&list, dictionary, n, compact);
        status = made ? fill(r, &list, made) : rls2__fail_memory(r->container->err, "the model");
    }
    rls2_dictionary_free(dictionary); /* the model has its share */
    if (status == RLS2_OK)
        *model = made;
    else
        rls2__model_destroy(made);
    return status;
}

static rls2_status unpack(const char *name, const unsigned char *bytes, int64_t length,
                          int is_member, rls2_model **model, rls2_error *err)
{
    rls2__container file;
    rls2__describer reader = {
        .container = &file, .arena = rls2__arena_create(), .is_member = is_member};
    rls2_status status = rls2__container_open(&rls2__model_kind, name, bytes, length, &file, err);
    if (status == RLS2_OK && !reader.arena) status = rls2__fail_memory(err, "the model");
    if (status == RLS2_OK) status = build(&reader, model);
    rls2__container_close(&file);
    rls2__arena_free(reader.arena);
    return status;
}

rls2_status rls2__model_unpack(const char *name, const unsigned char *bytes, int64_t length,
                               rls2_model **model, rls2_error *err)
{
    return unpack(name, bytes, length, 0, model, err);
}

rls2_status rls2__member_unpack(const char *name, const unsigned char *bytes, int64_t length,
                                rls2_model **model, rls2_error *err)
{
    return unpack(name, bytes, length, 1, model, err);
}
