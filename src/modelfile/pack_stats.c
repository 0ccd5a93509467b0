/* Statistics become bytes: the list of their arrays, and a description. */
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "modelfile/array_list.h"
#include "modelfile/stats_parts.h"
#include "table/table.h"

typedef struct packer {
    const rls2_stats *stats;
    rls2__array_list list;
    rls2__arena *arena; /* of what is laid out otherwise in memory */
} packer;

static void *room(const packer *k, int64_t count)
{
    return rls2__arena_alloc(k->arena, rls2__mul(count, RLS2__ALIGNMENT));
}

static void add(packer *k, const char *name, const char *type, int64_t rows, int64_t columns,
                const void *values)
{
    rls2__array_list_add(&k->list, name, type, rows, columns, values);
}

static void add_vector(packer *k, const char *name, const char *type, int64_t count,
                       const void *values)
{
    rls2__array_list_add_vector(&k->list, name, type, count, values);
}

/* Two's complement in two words, the lower one first. */
static rls2_status add_wide(packer *k, const char *name, int64_t count, const rls2__wide *values)
{
    uint64_t *words = room(k, rls2__mul(2, count));
    if (!words) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        words[2 * i] = (uint64_t)values[i];
        words[2 * i + 1] = (uint64_t)(values[i] >> 64);
    }
    add(k, name, "I64", count, 2, words);
    return RLS2_OK;
}

/* ---- axes and features ---- */

static rls2_status add_points(packer *k)
{
    const rls2__axes *axes = k->stats->axes;
    int64_t count = 0, at = 0;
    for (int64_t a = 0; a < axes->count; a++)
        count = rls2__add(count, rls2__mul(axes->all[a].count, axes->all[a].width));
    double *points = room(k, count);
    if (!points) return RLS2_ERR_MEMORY;
    for (int64_t a = 0; a < axes->count; a++) {
        int64_t own = axes->all[a].count * axes->all[a].width;
        memcpy(points + at, axes->all[a].points, (size_t)own * sizeof *points);
        at += own;
    }
    add_vector(k, "axes.points", "F64", count, points);
    return RLS2_OK;
}

/* The lower triangles, by columns, one after another. */
static rls2_status add_inverses(packer *k, const rls2__features *features)
{
    int64_t count = 0, at = 0;
    for (int64_t b = 0; b < features->count; b++) {
        int64_t L = features->all[b].count;
        count = rls2__add(count, rls2__mul(L, L + 1) / 2);
    }
    double *inverses = room(k, count), *units = room(k, features->count);
    if (!inverses || !units) return RLS2_ERR_MEMORY;
    for (int64_t b = 0; b < features->count; b++) {
        const rls2__feature_block *block = &features->all[b];
        int64_t L = block->count;
        units[b] = block->unit;
        for (int64_t j = 0; j < L; at += L - j++)
            memcpy(inverses + at, block->inverse + j * L + j, (size_t)(L - j) * sizeof *inverses);
    }
    add_vector(k, "landmarks.inverse", "F64", count, inverses);
    add_vector(k, "landmarks.units", "F64", features->count, units);
    return RLS2_OK;
}

static rls2_status add_features(packer *k)
{
    const rls2__features *features = k->stats->features;
    const rls2__feature_sums *sums = k->stats->counts->featured;
    if (!sums) return RLS2_OK;
    int64_t parts = sums->parts, cross = rls2__feature_cross_size(sums);
    add(k, "landmarks.x", "F64", features->columns, features->total, features->x);
    rls2_status status = add_inverses(k, features);
    add(k, "landmarks.cross", "I64", parts, cross, sums->cross);
    if (status == RLS2_OK)
        status =
            add_wide(k, "landmarks.squares", parts * rls2__feature_triangle(sums), sums->squares);
    if (status == RLS2_OK)
        status = add_wide(k, "landmarks.sums", parts * (1 + sums->outputs) * features->total,
                          sums->sums);
    if (status == RLS2_OK)
        status = add_wide(k, "landmarks.traces", parts * features->count, sums->traces);
    return status;
}

/* ---- counts ---- */

/* Without what the tables have beyond their last row. */
static rls2_status add_pairs(packer *k)
{
    const rls2__counts *c = k->stats->counts;
    const rls2__axes *axes = c->axes;
    int64_t size = 0, at = 0;
    for (int64_t a = 0; a < axes->count; a++)
        for (int64_t b = a + 1; b < axes->count; b++)
            size = rls2__add(size, rls2__mul(axes->all[a].count, axes->all[b].count));
    uint64_t *pairs = room(k, rls2__mul(c->parts, size));
    if (!pairs) return RLS2_ERR_MEMORY;
    for (int64_t p = 0; p < c->parts; p++)
        for (int64_t a = 0; a < axes->count; a++)
            for (int64_t b = a + 1; b < axes->count; b++) {
                int64_t own = axes->all[a].count * axes->all[b].count;
                memcpy(pairs + at, c->pairs + p * c->pair_size + c->pair_at[a * axes->count + b],
                       (size_t)own * sizeof *pairs);
                at += own;
            }
    rls2__invariant(at == c->parts * size);
    add(k, "counts.pairs", "I64", c->parts, size, pairs);
    return RLS2_OK;
}

static rls2_status add_totals(packer *k)
{
    const rls2__counts *c = k->stats->counts;
    uint64_t *totals = room(k, rls2__mul(2, c->parts));
    if (!totals) return RLS2_ERR_MEMORY;
    for (int64_t p = 0; p < c->parts; p++) {
        totals[2 * p] = (uint64_t)c->totals[p].rows;
        totals[2 * p + 1] = c->totals[p].weight;
    }
    add(k, "counts.totals", "I64", c->parts, 2, totals);
    return RLS2_OK;
}

static rls2_status add_counts(packer *k)
{
    const rls2__counts *c = k->stats->counts;
    int64_t ends = c->parts * c->outputs;
    add(k, "counts.units", "F64", c->outputs, 3, c->units);
    rls2_status status = add_totals(k);
    add_vector(k, "counts.beyond", "I64", c->axes->count, c->beyond);
    add(k, "counts.mass", "I64", c->parts, c->points, c->mass);
    add(k, "counts.own", "I64", c->parts, c->points, c->own);
    add(k, "counts.next", "I64", c->parts, c->points, c->next);
    if (status == RLS2_OK) status = add_pairs(k);
    if (status == RLS2_OK) status = add_wide(k, "counts.sums", ends * c->points, c->sums);
    if (status == RLS2_OK) status = add_wide(k, "counts.first", ends, c->first);
    if (status == RLS2_OK) status = add_wide(k, "counts.second", ends, c->second);
    return status;
}

/* ---- the sample ---- */

static const char *text_at(const rls2_table *table, int64_t row, int64_t column)
{
    const char *text = rls2__table_written(table, row, column);
    return text ? text : "";
}

static double number_at(const rls2_table *table, int64_t row, int64_t column)
{
    if (rls2__table_written(table, row, column)) return (double)NAN;
    return rls2__table_number(table, row, column);
}

int rls2__sample_has_texts(const rls2_table *table)
{
    for (int64_t i = 0; table->pool && i < table->rows; i++)
        for (int64_t j = 0; j < table->columns; j++)
            if (*text_at(table, i, j)) return 1;
    return 0;
}

int rls2__sample_has_numbers(const rls2_table *table)
{
    for (int64_t i = 0; i < table->rows; i++)
        for (int64_t j = 0; j < table->columns; j++)
            if (!isnan(number_at(table, i, j))) return 1;
    return 0;
}

static int64_t text_bytes(const rls2_table *table)
{
    int64_t bytes = 0;
    for (int64_t i = 0; i < table->rows; i++)
        for (int64_t j = 0; j < table->columns; j++)
            bytes = rls2__add(bytes, (int64_t)strlen(text_at(table, i, j)) + 1);
    return bytes;
}

/* By rows, each with its final zero, eight bytes in a word. */
static rls2_status add_texts(packer *k, const rls2_table *table)
{
    int64_t count = rls2__add(text_bytes(table), 7) / 8, at = 0;
    uint64_t *words = room(k, count);
    if (!words) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < table->rows; i++)
        for (int64_t j = 0; j < table->columns; j++, at++)
            for (const char *text = text_at(table, i, j); *text; text++, at++)
                words[at / 8] |= (uint64_t)(unsigned char)*text << 8 * (at % 8);
    add_vector(k, "cells.texts", "I64", count, words);
    return RLS2_OK;
}

static rls2_status add_numbers(packer *k, const rls2_table *table)
{
    double *numbers = room(k, rls2__mul(table->rows, table->columns));
    if (!numbers) return RLS2_ERR_MEMORY;
    for (int64_t j = 0; j < table->columns; j++)
        for (int64_t i = 0; i < table->rows; i++) {
            double number = number_at(table, i, j);
            numbers[j * table->rows + i] = isnan(number) ? (double)NAN : number;
        }
    add(k, "cells.numbers", "F64", table->columns, table->rows, numbers);
    return RLS2_OK;
}

static rls2_status add_absent(packer *k, const rls2__preparation *preparation)
{
    if (preparation->absent_count == 0) return RLS2_OK;
    int64_t *absent = room(k, preparation->columns);
    if (!absent) return RLS2_ERR_MEMORY;
    for (int64_t j = 0; j < preparation->columns; j++) absent[j] = preparation->absent[j];
    add_vector(k, "features.absent", "I64", preparation->columns, absent);
    return RLS2_OK;
}

static rls2_status add_sample(packer *k)
{
    const rls2_dataset *sample = k->stats->sample;
    const rls2_table *table = k->stats->table;
    int64_t n = sample->rows;
    rls2_status status = rls2__array_list_add_preparation(&k->list, &sample->preparation);
    if (status == RLS2_OK) status = add_absent(k, &sample->preparation);
    add(k, "sample.x", "F64", sample->columns, n, sample->x);
    add(k, "sample.y", "F64", rls2_dataset_outputs(sample), n, sample->y);
    add_vector(k, "sample.rows", "I64", n, sample->source);
    if (sample->weights) add_vector(k, "sample.weights", "F64", n, sample->weights);
    if (sample->classes) add_vector(k, "sample.classes", "I64", n, sample->classes);
    if (k->stats->factors)
        add_vector(k, "class.weights", "F64", sample->encoder->label_count, k->stats->factors);
    if (status == RLS2_OK && rls2__sample_has_texts(table)) status = add_texts(k, table);
    if (status == RLS2_OK && rls2__sample_has_numbers(table)) status = add_numbers(k, table);
    return status;
}

/* ---- all ---- */

static rls2_status list_arrays(packer *k)
{
    enum { MOST = 32 };
    rls2_status status = rls2__array_list_open(&k->list, MOST);
    if (status == RLS2_OK && !k->arena) status = RLS2_ERR_MEMORY;
    if (status == RLS2_OK) status = add_points(k);
    if (status == RLS2_OK) status = add_counts(k);
    if (status == RLS2_OK) status = add_features(k);
    if (status == RLS2_OK) status = add_sample(k);
    return status;
}

rls2_status rls2__stats_pack(const rls2_stats *stats, unsigned char **bytes, int64_t *length,
                             rls2_error *err)
{
    packer k = {.stats = stats, .arena = rls2__arena_create()};
    rls2_status status = list_arrays(&k);
    if (status == RLS2_OK) {
        json_t *description = rls2__stats_describe(stats);
        status = rls2__array_list_write(&k.list, &rls2__stats_kind, RLS2__STATS_VERSION,
                                        description, bytes, length);
        json_decref(description);
    }
    rls2__array_list_close(&k.list);
    rls2__arena_free(k.arena);
    return status == RLS2_OK ? status : rls2__fail_memory(err, "the bytes of the statistics");
}
