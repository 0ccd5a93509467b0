/* What a model is, as JSON. */
#include "modelfile/pack_description.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "modelfile/format.h"
#include "modelfile/picks_text.h"
#include "modelfile/stack_members.h"

const char *const rls2__word_scaling[] = {"none", "trace", "fisher", "fisher-sqrt", NULL};
const char *const rls2__word_solver[] = {"newton", "alternate", NULL};
const char *const rls2__word_loss[] = {"square",  "logistic",    "hinge",   "squared-hinge",
                                       "huber",   "quantile",    "epsilon", "absolute",
                                       "poisson", "multinomial", NULL};
const char *const rls2__word_outcome[] = {"converged", "stalled", "max-iter", NULL};
const char *const rls2__word_normalize[] = {"none", "center", "standardize", "unit", NULL};
const char *const rls2__word_missing[] = {"error", "drop", "impute", NULL};

int rls2__json_put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

int rls2__json_append(json_t *array, json_t *value)
{
    return json_array_append_new(array, value) == 0;
}

/* JSON is UTF-8; a text that is not (a Latin-1 column name) is an object with its bytes in
 * hexadecimal. */
static json_t *hex_value(const char *text)
{
    static const char digits[] = "0123456789abcdef";
    int64_t length = (int64_t)strlen(text);
    char *hex = rls2__alloc(rls2__add(rls2__mul(length, 2), 1), 1);
    if (!hex) return NULL;
    for (int64_t i = 0; i < length; i++) {
        hex[2 * i] = digits[(unsigned char)text[i] >> 4];
        hex[2 * i + 1] = digits[(unsigned char)text[i] & 15];
    }
    hex[2 * length] = '\0';
    json_t *object = json_object();
    int fits = rls2__json_put(object, "hex", json_string(hex));
    rls2__free(hex);
    if (fits) return object;
    json_decref(object);
    return NULL;
}

json_t *rls2__json_text(const char *text)
{
    json_t *value = json_string(text); /* NULL for what is not UTF-8 */
    return value ? value : hex_value(text);
}

static json_t *number_value(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *rls2__json_texts(int64_t count, const char *const *texts)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < count; i++)
        if (!rls2__json_append(array, rls2__json_text(texts[i]))) {
            json_decref(array);
            return NULL;
        }
    return array;
}

/* ---- the description ---- */

static json_t *describe_group(const rls2_group *group)
{
    json_t *object = json_object(), *columns = json_array();
    int fits = 1;
    for (int64_t i = 0; i < group->count; i++)
        fits &= rls2__json_append(columns, json_integer(group->columns[i]));
    fits &= rls2__json_put(object, "name", rls2__json_text(group->name));
    fits &= rls2__json_put(object, "columns", columns);
    if (fits) return object;
    json_decref(object);
    return NULL;
}

static json_t *describe_dictionary(const rls2_dictionary *dictionary)
{
    json_t *object = json_object(), *groups = json_array();
    int fits = rls2__json_put(object, "spec", rls2__json_text(dictionary->spec));
    fits &= rls2__json_put(
        object, "columns",
        rls2__json_texts(dictionary->columns, (const char *const *)dictionary->column_names));
    for (int64_t g = 0; g < dictionary->group_count; g++)
        fits &= rls2__json_append(groups, describe_group(&dictionary->groups[g]));
    fits &= rls2__json_put(object, "groups", groups);
    fits &= rls2__json_put(object, "given",
                           rls2__json_texts(dictionary->given_count, dictionary->given_names));
    if (fits) return object;
    json_decref(object);
    return NULL;
}

static json_t *describe_scaling(const rls2_model_scaling *scaling)
{
    return json_pack("{s:s, s:b, s:b, s:b}", "rule", rls2__word_scaling[scaling->rule], "center",
                     scaling->center, "transductive", scaling->transductive, "skip_degenerate",
                     scaling->skip_degenerate);
}

/* The values [from, to) of a text column. */
static json_t *describe_values(const rls2__lookup *values, int64_t from, int64_t to)
{
    json_t *array = json_array();
    for (int64_t v = from; v < to; v++)
        if (!rls2__json_append(array, rls2__json_text(rls2__lookup_text(values, v)))) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static int describe_text(json_t *object, const rls2__input *input, int version)
{
    int64_t count = rls2__lookup_count(input->values), levels = count - input->pooled;
    int fits = rls2__json_put(object, "values", describe_values(input->values, 0, levels));
    if (version < 3) return fits;
    return fits & rls2__json_put(object, "pooled", describe_values(input->values, levels, count));
}

/* Numbers and dates: fields that came with version 3. */
static int describe_style(json_t *object, const rls2__input *input)
{
    char word[RLS2__STYLE_WORD];
    rls2__style_word(&input->style, word);
    int fits = rls2__json_put(object, "style", json_string(word));
    if (rls2__input_kind(input) != RLS2_COLUMN_DATES) return fits;
    json_t *parts = json_array();
    for (int p = 0; p < RLS2__DATE_PARTS; p++)
        if (input->parts >> p & 1)
            fits &= rls2__json_append(parts, json_string(rls2__date_part_names[p]));
    return fits & rls2__json_put(object, "parts", parts);
}

static json_t *describe_input(const rls2__input *input, int version)
{
    json_t *object = json_object();
    int fits = rls2__json_put(object, "name", rls2__json_text(input->name));
    if (input->values) fits &= describe_text(object, input, version);
    if (!input->values && version > 2) fits &= describe_style(object, input);
    if (version > 2) fits &= rls2__json_put(object, "missing", json_boolean(input->has_missing));
    if (fits) return object;
    json_decref(object);
    return NULL;
}

static json_t *describe_classes(const rls2__encoder *encoder)
{
    if (!encoder->has_classes) return json_null();
    json_t *object = json_object();
    int fits =
        rls2__json_put(object, "labels", rls2__json_texts(encoder->label_count, encoder->labels));
    fits &= rls2__json_put(object, "numbers", json_boolean(encoder->labels_are_numbers));
    if (fits) return object;
    json_decref(object);
    return NULL;
}

/* Fields that came with version 2. */
static int describe_targets(json_t *object, const rls2__encoder *encoder, int version)
{
    if (version < 2) return rls2__json_put(object, "target", rls2__json_text(encoder->targets[0]));
    int fits = rls2__json_put(object, "targets",
                              rls2__json_texts(encoder->target_count, encoder->targets));
    return fits & rls2__json_put(object, "weight",
                                 encoder->weight ? rls2__json_text(encoder->weight) : json_null());
}

/* Since version 3, beside the names. */
static int describe_target_styles(json_t *object, const rls2__encoder *encoder)
{
    json_t *styles = json_array();
    int fits = 1;
    for (int64_t o = 0; o < encoder->target_count; o++) {
        char word[RLS2__STYLE_WORD];
        rls2__style_word(&encoder->target_styles[o], word);
        fits &= rls2__json_append(styles, json_string(word));
    }
    return fits & rls2__json_put(object, "target_styles", styles);
}

static int describe_missing(json_t *object, rls2_missing missing, int version)
{
    if (version > 2)
        return rls2__json_put(object, "missing", json_string(rls2__word_missing[missing]));
    return rls2__json_put(object, "drop_missing", json_boolean(missing == RLS2_MISSING_DROP));
}

json_t *rls2__data_describe(const rls2__encoder *encoder, const rls2__preparation *preparation,
                            uint64_t digest, int version)
{
    if (!encoder) return json_null();
    char fingerprint[20];
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, digest);
    json_t *object = json_object(), *inputs = json_array();
    int fits = describe_targets(object, encoder, version);
    fits &= rls2__json_put(object, "classes", describe_classes(encoder));
    if (version > 2) fits &= describe_target_styles(object, encoder);
    fits &= describe_missing(object, encoder->missing, version);
    fits &= rls2__json_put(object, "reference", json_boolean(encoder->reference));
    for (int64_t k = 0; k < encoder->count; k++)
        fits &= rls2__json_append(inputs, describe_input(&encoder->inputs[k], version));
    fits &= rls2__json_put(object, "inputs", inputs);
    fits &= rls2__json_put(object, "preprocessing",
                           json_pack("{s:s, s:s}", "examples",
                                     rls2__word_normalize[preparation->how.examples], "features",
                                     rls2__word_normalize[preparation->how.features]));
    fits &= rls2__json_put(object, "fingerprint", json_string(fingerprint));
    if (fits) return object;
    json_decref(object);
    return NULL;
}

/* Of left-out rows; optional, and unknown to readers of before 0.8. */
static json_t *describe_shares(const rls2_model *model)
{
    json_t *object = json_object(), *kernels = json_array(), *shares = json_array();
    int fits = 1;
    for (int64_t k = 0; k < model->share_count; k++) {
        fits &= rls2__json_append(kernels, json_integer(model->share_kernels[k]));
        fits &= rls2__json_append(shares, json_real(model->shares[k]));
    }
    fits &= rls2__json_put(object, "kernels", kernels);
    fits &= rls2__json_put(object, "shares", shares);
    if (model->picks[RLS2_TRIALS_SPLITS].trials > 0) /* unknown to readers of before 0.12 */
        fits &= rls2__json_put(object, "selected",
                               rls2__describe_selected(&model->picks[RLS2_TRIALS_SPLITS]));
    if (fits) return object;
    json_decref(object);
    return NULL;
}

static json_t *describe_left_out(const rls2_left_out *about)
{
    json_t *object = json_object();
    int fits = rls2__json_put(object, "measure", json_string(about->measure));
    fits &= rls2__json_put(object, "score", number_value(about->score));
    fits &= rls2__json_put(object, "error", number_value(about->error));
    fits &= rls2__json_put(object, "splits", json_integer(about->splits));
    if (fits) return object;
    json_decref(object);
    return NULL;
}

/* Optional likewise, and unknown to readers of before 0.12. */
static int describe_interval(json_t *object, const rls2_interval *interval)
{
    if (!(interval->level > 0.0)) return 1;
    json_t *own = json_object();
    int fits = rls2__json_put(own, "level", json_real(interval->level));
    fits &= rls2__json_put(own, "correction", json_real(interval->correction));
    fits &= rls2__json_put(own, "rows", json_integer(interval->rows));
    fits &= rls2__json_put(own, "within", json_integer(interval->within));
    return fits & rls2__json_put(object, "interval", own);
}

/* ---- compact models, since version 4 ---- */

static json_t *describe_block(const rls2_model_block *block)
{
    json_t *object = json_object(), *columns = json_array();
    int fits = 1;
    for (int64_t t = 0; t < block->column_count; t++)
        fits &= rls2__json_append(columns, json_integer(block->columns[t]));
    fits &= rls2__json_put(object, "columns", columns);
    fits &= rls2__json_put(object, "first", json_integer(block->first));
    fits &= rls2__json_put(object, "count", json_integer(block->count));
    fits &= rls2__json_put(object, "exact", json_boolean(block->exact));
    fits &= rls2__json_put(object, "knots", json_integer(block->knots));
    if (fits) return object;
    json_decref(object);
    return NULL;
}

static json_t *describe_compact(const rls2__compact *compact)
{
    json_t *object = json_object(), *blocks = json_array();
    int fits = rls2__json_put(object, "rows", json_integer(compact->rows));
    for (int64_t b = 0; b < compact->count; b++)
        fits &= rls2__json_append(blocks, describe_block(&compact->blocks[b].about));
    fits &= rls2__json_put(object, "blocks", blocks);
    if (fits) return object;
    json_decref(object);
    return NULL;
}

static json_t *describe_represented(const rls2_represented *about)
{
    json_t *object = json_object();
    int fits = rls2__json_put(object, "bound", number_value(about->bound));
    fits &= rls2__json_put(object, "mean_square", number_value(about->mean_square));
    fits &= rls2__json_put(object, "variance", number_value(about->variance));
    if (!isnan(about->mean)) fits &= rls2__json_put(object, "mean", number_value(about->mean));
    if (!isnan(about->estimate))
        fits &= rls2__json_put(object, "estimate", number_value(about->estimate));
    if (fits) return object;
    json_decref(object);
    return NULL;
}

/* ---- outputs ---- */

static json_t *describe_output(const rls2_model *model)
{
    const rls2_path_point *point = &model->point;
    json_t *object = json_object();
    int fits = rls2__json_put(object, "intercept", json_real(model->intercept));
    fits &= rls2__json_put(object, "lambda", json_real(point->lambda));
    fits &= rls2__json_put(object, "objective", number_value(point->objective));
    fits &= rls2__json_put(object, "gap", number_value(point->gap));
    fits &= rls2__json_put(object, "residual", number_value(point->residual));
    fits &= rls2__json_put(object, "df", number_value(point->df));
    fits &= rls2__json_put(object, "outcome", json_string(rls2__word_outcome[point->outcome]));
    fits &= rls2__json_put(object, "iterations", json_integer(point->iterations));
    fits &= rls2__json_put(object, "factorizations", json_integer(point->factorizations));
    fits &= rls2__json_put(object, "priced", json_integer(point->priced));
    fits &= rls2__json_put(object, "offered", json_integer(point->offered));
    if (model->compact)
        fits &= rls2__json_put(object, "represented", describe_represented(&model->represented));
    if (model->share_count > 0) fits &= rls2__json_put(object, "left_out", describe_shares(model));
    fits &= describe_interval(object, &model->interval);
    fits &= rls2__describe_halves(object, model);
    if (fits) return object;
    json_decref(object);
    return NULL;
}

/* What version 5 came with. */
static int is_general(const rls2_model *model)
{
    return model->stack || model->dictionary->widths || model->loss.kind != RLS2_LOSS_SQUARE ||
           model->is_free || model->has_shared_d;
}

/* Since version 5, of each output. */
static int describe_loss(json_t *object, const rls2_model *model)
{
    int fits = rls2__json_put(object, "loss", json_string(rls2__word_loss[model->loss.kind]));
    fits &= rls2__json_put(object, "parameter", number_value(model->loss.parameter));
    fits &= rls2__json_put(object, "free_intercept", json_boolean(model->is_free));
    return fits & rls2__json_put(object, "shared_weights", json_boolean(model->has_shared_d));
}

static json_t *describe_output_of(const rls2_model *model, int64_t o)
{
    const rls2_model *output = rls2_model_output(model, o);
    json_t *object = describe_output(output);
    if (!object || !is_general(model) || describe_loss(object, output)) return object;
    json_decref(object);
    return NULL;
}

int rls2__model_version(const rls2_model *model)
{
    const rls2__encoder *encoder = model->origin.encoder;
    if (is_general(model)) return 5;
    if (model->compact) return 4;
    if (encoder && model->origin.preparation.has_fills) return 3;
    return model->output_count > 1 || model->weights || (encoder && encoder->weight) ? 2 : 1;
}

json_t *rls2__model_describe(const rls2_model *model)
{
    json_t *object = json_object(), *outputs = json_array();
    int fits = rls2__json_put(object, "library", json_string(rls2_version()));
    fits &= rls2__json_put(object, "dictionary", describe_dictionary(model->dictionary));
    fits &= rls2__json_put(object, "scaling", describe_scaling(&model->scaling));
    fits &= rls2__json_put(object, "solver", json_string(rls2__word_solver[model->solver]));
    fits &=
        rls2__json_put(object, "data",
                       rls2__data_describe(model->origin.encoder, &model->origin.preparation,
                                           model->origin.fingerprint, rls2__model_version(model)));
    if (model->compact || is_general(model))
        fits &= rls2__json_put(object, "compact",
                               model->compact ? describe_compact(model->compact) : json_null());
    for (int64_t o = 0; o < model->output_count; o++)
        fits &= rls2__json_append(outputs, describe_output_of(model, o));
    fits &= rls2__json_put(object, "outputs", outputs);
    if (rls2_model_left_out(model))
        fits &= rls2__json_put(object, "left_out", describe_left_out(rls2_model_left_out(model)));
    if (model->outputs) fits &= describe_interval(object, &model->interval);
    fits &= rls2__describe_stability(object, model);
    if (model->stack) fits &= rls2__json_put(object, "stack", rls2__describe_stack(model));
    if (fits) return object;
    json_decref(object);
    return NULL;
}
