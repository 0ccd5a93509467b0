/* Blocks of a compact model: described in JSON, with the block of each kernel and the mass of each
 * point as arrays. */
#include "modelfile/unpack_compact.h"

#include <inttypes.h>
#include <math.h>

#include "base/memory.h"
#include "base/status.h"
#include "la/la.h"
#include "model/compact.h"
#include "modelfile/pack.h"

static rls2_status fail_fault(const rls2__container *file, const char *fault)
{
    return rls2__container_fail(file, RLS2_ERR_VALUE, "a compact model: %s", fault);
}

/* ---- blocks ---- */

static int64_t count_columns(rls2__describer *r, const json_t *blocks)
{
    int64_t columns = 0;
    for (size_t b = 0; b < json_array_size(blocks); b++) {
        const json_t *list = rls2__field_array(r, json_array_get(blocks, b), "columns");
        columns = rls2__add(columns, (int64_t)json_array_size(list));
    }
    return columns;
}

/* Its columns begin at `columns`, which is moved on. */
static void read_block(rls2__describer *r, const json_t *from, int64_t **columns,
                       rls2_model_block *block)
{
    const json_t *list = rls2__field_array(r, from, "columns");
    block->column_count = (int64_t)json_array_size(list);
    block->columns = *columns;
    for (int64_t t = 0; t < block->column_count; t++) {
        const json_t *column = json_array_get(list, (size_t)t);
        *(*columns)++ = json_is_integer(column) ? json_integer_value(column) : -1; /* refused */
    }
    block->first = rls2__field_count(r, from, "first");
    block->count = rls2__field_count(r, from, "count");
    block->exact = rls2__field_flag(r, from, "exact");
    block->knots = rls2__field_count(r, from, "knots");
}

static rls2_status read_blocks(rls2__describer *r, const json_t *from, int64_t kernels,
                               rls2__compact **made)
{
    int64_t rows = rls2__field_count(r, from, "rows");
    const json_t *blocks = rls2__field_array(r, from, "blocks");
    int64_t columns = count_columns(r, blocks);
    if (r->status != RLS2_OK) return r->status;
    *made = rls2__compact_start(kernels, (int64_t)json_array_size(blocks), columns);
    if (!*made) return rls2__fail_memory(r->container->err, "the blocks of a model");
    (*made)->rows = rows;
    int64_t *next = (*made)->columns;
    for (int64_t b = 0; b < (*made)->count && r->status == RLS2_OK; b++)
        read_block(r, json_array_get(blocks, (size_t)b), &next, &(*made)->blocks[b].about);
    return r->status;
}

/* ---- arrays ---- */

static rls2_status read_block_of(const rls2__container *file, int64_t kernels,
                                 rls2__compact *compact)
{
    rls2__array_view view;
    rls2_status status = rls2__container_array(file, "blocks", "I64", 1, &view);
    if (status != RLS2_OK) return status;
    if (view.columns != kernels)
        return rls2__container_fail(file, RLS2_ERR_VALUE,
                                    "%" PRId64 " blocks of %" PRId64 " kernels", view.columns,
                                    kernels);
    rls2__read_integers(view.data, kernels, compact->block_of);
    return RLS2_OK;
}

static rls2_status read_mass(const rls2__container *file, rls2__compact *compact)
{
    rls2__array_view view;
    rls2_status status = rls2__container_array(file, "mass", "F64", 1, &view);
    if (status != RLS2_OK) return status;
    if (view.columns != compact->values)
        return rls2__container_fail(file, RLS2_ERR_VALUE,
                                    "the mass of %" PRId64 " points where there are %" PRId64,
                                    view.columns, compact->values);
    rls2__read_doubles(view.data, compact->values, compact->mass);
    const char *fault = rls2__compact_mass_fault(compact);
    return fault ? fail_fault(file, fault) : RLS2_OK;
}

/* Points that are there, as many together as there are coefficients. */
static rls2_status lay_out(const rls2__container *file, const rls2_dictionary *dictionary,
                           int64_t values, int64_t n, rls2__compact *compact)
{
    const char *fault = rls2__compact_fault(compact, dictionary, n);
    if (fault) return fail_fault(file, fault);
    int64_t points = 0;
    for (int64_t b = 0; b < compact->count; b++)
        points = rls2__add(points, compact->blocks[b].about.count);
    if (points != values)
        return rls2__container_fail(
            file, RLS2_ERR_VALUE,
            "%" PRId64 " coefficients where the blocks have %" PRId64 " points", values, points);
    int with_mass = json_object_get(file->header, "mass") != NULL;
    if (rls2__compact_lay_out(compact, with_mass) != RLS2_OK)
        return rls2__fail_memory(file->err, "the blocks of a model");
    return with_mass ? read_mass(file, compact) : RLS2_OK;
}

static rls2_status count_rows(const rls2__container *file, int64_t *n)
{
    rls2__array_view x;
    rls2_status status = rls2__container_array(file, "x", "F64", 2, &x);
    if (status != RLS2_OK) return status;
    *n = x.columns;
    if (*n >= 1 && rls2__la_fits(*n)) return RLS2_OK;
    return rls2__container_fail(file, RLS2_ERR_VALUE, "%" PRId64 " rows", *n);
}

rls2_status rls2__unpack_compact(rls2__describer *r, const rls2_dictionary *dictionary,
                                 int64_t values, int64_t *n, rls2__compact **compact)
{
    const rls2__container *file = r->container;
    rls2__compact *made = NULL;
    int64_t rows = 0;
    *compact = NULL;
    if (file->version < 4) return RLS2_OK;
    const json_t *from = rls2__field_object_or_null(r, file->description, "compact");
    if (!from) return r->status;
    rls2_status status = count_rows(file, &rows);
    if (status == RLS2_OK) status = read_blocks(r, from, dictionary->m, &made);
    if (status == RLS2_OK) status = read_block_of(file, dictionary->m, made);
    if (status == RLS2_OK) status = lay_out(file, dictionary, values, rows, made);
    if (status == RLS2_OK) {
        *compact = made;
        *n = rows;
    } else {
        rls2__compact_free(made);
    }
    return status;
}

rls2_status rls2__check_knots(const rls2__container *file, const rls2_model *model)
{
    const char *fault = rls2__compact_knots_fault(model);
    return fault ? fail_fault(file, fault) : RLS2_OK;
}

/* ---- outputs ---- */

static rls2_status read_shares(const rls2__container *file, const char *name, rls2_model *output)
{
    rls2__array_view view;
    rls2_status status = rls2__container_array(file, name, "F64", 1, &view);
    if (status != RLS2_OK) return status;
    if (view.columns != output->size)
        return rls2__container_fail(file, RLS2_ERR_VALUE,
                                    "%" PRId64 " shares of %" PRId64 " kernels", view.columns,
                                    output->size);
    if (rls2__model_reserve_trained_shares(output) != RLS2_OK)
        return rls2__fail_memory(file->err, "the shares of a model");
    rls2__read_doubles(view.data, output->size, output->trained_shares);
    return rls2__container_check_finite(file, name, output->size, output->trained_shares);
}

static double optional_number(rls2__describer *r, const json_t *from, const char *name)
{
    return json_object_get(from, name) ? rls2__field_number_or_null(r, from, name) : (double)NAN;
}

static rls2_status read_represented(rls2__describer *r, const json_t *from, rls2_model *output)
{
    const json_t *about = rls2__field_object(r, from, "represented");
    output->represented =
        (rls2_represented){.bound = rls2__field_number_or_null(r, about, "bound"),
                           .mean_square = rls2__field_number_or_null(r, about, "mean_square"),
                           .variance = rls2__field_number_or_null(r, about, "variance"),
                           .mean = optional_number(r, about, "mean"), /* not in files of 0.10 */
                           .estimate = optional_number(r, about, "estimate")};
    const rls2_represented *told = &output->represented;
    if (r->status != RLS2_OK) return r->status;
    if (told->bound < 0.0 || told->mean_square < 0.0 || told->variance < 0.0 ||
        told->estimate < 0.0)
        return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                    "what is represented is negative: %g, %g, %g or %g",
                                    told->bound, told->mean_square, told->variance, told->estimate);
    return RLS2_OK;
}

rls2_status rls2__unpack_compact_output(rls2__describer *r, const json_t *from, int64_t o,
                                        rls2_model *output)
{
    rls2__array_name shares = rls2__output_array(o, "shares");
    if (!output->compact) return RLS2_OK;
    const char *fault = rls2__compact_kernel_fault(output);
    if (fault) return fail_fault(r->container, fault);
    rls2_status status = read_represented(r, from, output);
    if (status == RLS2_OK && json_object_get(r->container->header, shares.text))
        status = read_shares(r->container, shares.text, output);
    return status;
}
