/* What statistics are of, as JSON. */
#include <inttypes.h>
#include <math.h>

#include "dictionary/dictionary_values.h"
#include "modelfile/pack_description.h"
#include "modelfile/stats_parts.h"
#include "table/table.h"

const char *const rls2__word_format[] = {"auto", "csv", "libsvm", "npy", "npz", "mat", NULL};

/* The object, or NULL where something did not fit. */
static json_t *finished(json_t *object, int fits)
{
    if (fits) return object;
    json_decref(object);
    return NULL;
}

static json_t *describe_axis(const rls2__axis *axis)
{
    json_t *object = json_object();
    int fits = rls2__json_put(object, "points", json_integer(axis->count));
    fits &= rls2__json_put(object, "knots", json_integer(axis->knots));
    fits &= rls2__json_put(object, "exact", json_boolean(axis->is_exact));
    fits &=
        rls2__json_put(object, "missing_above",
                       isfinite(axis->missing_above) && axis->count > axis->knots && axis->knots > 0
                           ? json_real(axis->missing_above)
                           : json_null());
    return finished(object, fits);
}

static json_t *describe_axes(const rls2__axes *axes)
{
    json_t *array = json_array();
    int fits = 1;
    for (int64_t a = 0; a < axes->count; a++)
        fits &= rls2__json_append(array, describe_axis(&axes->all[a]));
    return finished(array, fits);
}

static json_t *describe_kernel(const rls2__feature_block *block)
{
    const rls2__kernel *kernel = &block->kernel;
    const rls2__form *form = rls2__form_of(kernel->kind);
    json_t *object = json_object(), *parameters = json_array(), *columns = json_array();
    int fits = rls2__json_put(object, "name", rls2__json_text(kernel->name));
    fits &= rls2__json_put(object, "index", json_integer(block->index));
    fits &= rls2__json_put(object, "form", json_string(form->name));
    for (int i = 0; i < form->parameter_count; i++)
        fits &= rls2__json_append(parameters, json_real(kernel->param[i]));
    fits &= rls2__json_put(object, "parameters", parameters);
    for (int64_t t = 0; t < kernel->column_count; t++)
        fits &= rls2__json_append(columns, json_integer(kernel->columns[t]));
    fits &= rls2__json_put(object, "columns", columns);
    fits &= rls2__json_put(object, "landmarks", json_integer(block->count));
    return finished(object, fits);
}

static json_t *describe_kernels(const rls2__features *features)
{
    json_t *array = json_array();
    int fits = 1;
    for (int64_t b = 0; features && b < features->count; b++)
        fits &= rls2__json_append(array, describe_kernel(&features->all[b]));
    return finished(array, fits);
}

/* ---- the sample ---- */

static json_t *sign_value(char sign)
{
    return sign ? json_stringn(&sign, 1) : json_null();
}

static json_t *describe_text_columns(const rls2_table *table)
{
    if (!table->all_text) return json_null();
    json_t *array = json_array();
    int fits = 1;
    for (int64_t j = 0; j < table->columns; j++)
        fits &= rls2__json_append(array, json_boolean(table->all_text[j]));
    return finished(array, fits);
}

int rls2__conventions_describe(const rls2_table *table, json_t *object)
{
    int fits = rls2__json_put(object, "columns", rls2__json_texts(table->columns, table->names));
    fits &= rls2__json_put(object, "format", json_string(rls2__word_format[table->format]));
    fits &= rls2__json_put(object, "delimiter", sign_value(table->delimiter));
    fits &= rls2__json_put(object, "decimal", sign_value(table->decimal));
    fits &= rls2__json_put(object, "first_target", json_integer(table->first_target));
    fits &= rls2__json_put(object, "target_count", json_integer(table->target_count));
    fits &= rls2__json_put(object, "row_names", json_integer(table->row_names));
    fits &= rls2__json_put(object, "marker",
                           table->marker ? rls2__json_text(table->marker) : json_null());
    fits &= rls2__json_put(object, "precomputed", json_boolean(table->precomputed));
    fits &= rls2__json_put(object, "sparse", json_boolean(table->sparse));
    fits &= rls2__json_put(object, "weak_words", json_boolean(table->weak_words));
    return fits;
}

static json_t *describe_table(const rls2_table *table)
{
    json_t *object = json_object();
    int fits = rls2__json_put(object, "rows", json_integer(table->rows));
    fits &= rls2__json_put(object, "text", describe_text_columns(table));
    fits &= rls2__conventions_describe(table, object);
    return finished(object, fits);
}

static json_t *describe_sample(const rls2_dataset *sample)
{
    json_t *object = json_object();
    int fits = rls2__json_put(object, "dropped", json_integer(sample->dropped));
    fits &= rls2__json_put(object, "imputed", json_integer(sample->imputed));
    fits &= rls2__json_put(object, "unseen", json_integer(sample->unseen));
    return finished(object, fits);
}

/* ---- all ---- */

json_t *rls2__stats_describe(const rls2_stats *stats)
{
    enum { DATA_VERSION = 3 };
    const rls2_dataset *sample = stats->sample;
    const rls2__encoder *encoder = sample->encoder;
    json_t *object = json_object();
    int fits = rls2__json_put(object, "library", json_string(rls2_version()));
    fits &= rls2__json_put(object, "rows", json_integer(stats->rows));
    fits &= rls2__json_put(object, "left_out", json_integer(stats->left_out));
    fits &= rls2__json_put(object, "parts", json_integer(stats->parts));
    fits &= rls2__json_put(object, "seed", json_sprintf("%016" PRIx64, stats->seed));
    fits &= rls2__json_put(object, "by", json_string(stats->parts_by_number ? "number" : "cells"));
    fits &= rls2__json_put(object, "weighted", json_boolean(stats->counts->is_weighted));
    fits &= rls2__json_put(object, "rounded", json_integer(stats->counts->rounded));
    fits &= rls2__json_put(object, "columns", rls2__json_texts(encoder->columns, encoder->names));
    fits &= rls2__json_put(
        object, "data",
        rls2__data_describe(encoder, &sample->preparation, stats->fingerprint, DATA_VERSION));
    fits &= rls2__json_put(object, "axes", describe_axes(stats->axes));
    fits &= rls2__json_put(object, "kernels", describe_kernels(stats->features));
    fits &= rls2__json_put(object, "table", describe_table(stats->table));
    fits &= rls2__json_put(object, "sample", describe_sample(sample));
    return finished(object, fits);
}
