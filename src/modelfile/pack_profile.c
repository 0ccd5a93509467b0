/* Profiles become bytes, the same for the same rows: nothing is written that depends on their
 * order, as the order of look-ups, names of files and places of cells would. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "modelfile/array_list.h"
#include "modelfile/pack_description.h"
#include "modelfile/profile_file.h"
#include "modelfile/stats_parts.h"

typedef struct packer {
    const rls2__profile *profile;
    rls2__array_list list;
    rls2__arena *arena; /* of what is laid out otherwise in memory */
} packer;

static void *room(const packer *k, int64_t count)
{
    return rls2__arena_alloc(k->arena, rls2__mul(count, RLS2__ALIGNMENT));
}

/* Bytes, eight in a word. */
static void put_bytes(uint64_t *words, int64_t at, const char *bytes, int64_t length)
{
    for (int64_t i = 0; i < length; i++, at++)
        words[at / 8] |= (uint64_t)(unsigned char)bytes[i] << 8 * (at % 8);
}

/* ---- the sample ---- */

static rls2_status add_sample(packer *k)
{
    const rls2__row_sample *s = &k->profile->sample;
    int64_t bytes = 0, at = 0;
    for (int64_t i = 0; i < s->count; i++) bytes = rls2__add(bytes, s->rows[i].length);
    int64_t words = rls2__add(bytes, 7) / 8;
    int64_t *rows = room(k, rls2__mul(3, s->count));
    uint64_t *text = room(k, words);
    if (!rows || !text) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < s->count; i++) {
        const rls2__row_kept *row = &s->rows[i];
        rows[3 * i] = (int64_t)row->hash;
        rows[3 * i + 1] = row->count;
        rows[3 * i + 2] = row->length;
        put_bytes(text, at, row->bytes, row->length);
        at += row->length;
    }
    rls2__array_list_add(&k->list, "sample.rows", "I64", s->count, 3, rows);
    rls2__array_list_add_vector(&k->list, "sample.bytes", "I64", words, text);
    return RLS2_OK;
}

/* ---- cells that were counted ---- */

/* As all rows are written, or, of many, as they were summed. */
static rls2__style style_of(const rls2__profile *p, int64_t column)
{
    const rls2__cell_counts *c = &p->columns[column];
    if (!p->settled) return (rls2__style){0};
    const rls2__style *all = &p->settled->styles[column];
    return c->many && !rls2__style_same(&c->style, all) ? c->style : *all;
}

typedef struct keyed {
    const char *key;
    const rls2__cell_count *cell;
} keyed;

static int by_key(const void *a, const void *b)
{
    return strcmp(((const keyed *)a)->key, ((const keyed *)b)->key);
}

/* Cells of all columns, those of each in the order of their keys; NULL when out of memory. */
static keyed *sort_cells(const packer *k, int64_t *count)
{
    const rls2__profile *p = k->profile;
    *count = 0;
    for (int64_t j = 0; j < p->head->columns; j++)
        *count += rls2__cell_counts_count(&p->columns[j]);
    keyed *all = room(k, rls2__mul(2, *count)), *next = all;
    for (int64_t j = 0; all && j < p->head->columns; j++) {
        const rls2__cell_counts *c = &p->columns[j];
        int64_t own = rls2__cell_counts_count(c);
        for (int64_t v = 0; v < own; v++)
            next[v] = (keyed){rls2__cell_counts_key(c, v), &c->cells[v]};
        qsort(next, (size_t)own, sizeof *next, by_key);
        next += own;
    }
    return all;
}

static rls2_status add_cells(packer *k)
{
    const rls2__profile *p = k->profile;
    int64_t count, bytes = 0, at = 0, next = 0;
    const keyed *all = sort_cells(k, &count);
    for (int64_t v = 0; all && v < count; v++)
        bytes = rls2__add(bytes, (int64_t)strlen(all[v].key) + 1);
    int64_t words = rls2__add(bytes, 7) / 8, *counts = room(k, rls2__mul(2, count));
    uint64_t *text = room(k, words);
    double *values = room(k, count);
    if (!all || !counts || !text || !values) return RLS2_ERR_MEMORY;
    for (int64_t j = 0; j < p->head->columns; j++) {
        rls2__style style = style_of(p, j);
        for (int64_t own = rls2__cell_counts_count(&p->columns[j]); own > 0; own--, next++) {
            const rls2__cell_count *cell = all[next].cell;
            int64_t length = (int64_t)strlen(all[next].key) + 1;
            double value = rls2__cell_value(&p->columns[j], cell, &style);
            counts[2 * next] = cell->count;
            counts[2 * next + 1] = cell->weight;
            values[next] = isnan(value) ? (double)NAN : value + 0.0;
            put_bytes(text, at, all[next].key, length);
            at += length;
        }
    }
    rls2__array_list_add(&k->list, "cells.counts", "I64", count, 2, counts);
    rls2__array_list_add_vector(&k->list, "cells.values", "F64", count, values);
    rls2__array_list_add_vector(&k->list, "cells.texts", "I64", words, text);
    return RLS2_OK;
}

/* ---- columns of many ---- */

typedef struct many_arrays {
    int64_t columns, ranges; /* a range has two sums */
    int64_t *counts, *sums;
    double *ends;
} many_arrays;

static int64_t range_count(const rls2__cell_facts *f)
{
    return f->parts ? 1 + RLS2__DATE_PARTS : 1;
}

static void put_sum(const rls2__exact_sum *from, int64_t **to)
{
    rls2__exact_sum own = *from;
    rls2__exact_settle(&own);
    memcpy(*to, own.digits, sizeof own.digits);
    *to += RLS2__EXACT_DIGITS;
}

static void put_range(double low, double high, const rls2__exact_sum *sum,
                      const rls2__exact_sum *squares, double **ends, int64_t **sums)
{
    *(*ends)++ = low + 0.0;
    *(*ends)++ = high + 0.0;
    put_sum(sum, sums);
    put_sum(squares, sums);
}

static void fill_many(const rls2__profile *p, const many_arrays *m)
{
    int64_t *counts = m->counts, *sums = m->sums;
    double *ends = m->ends;
    for (int64_t j = 0; j < p->head->columns; j++) {
        rls2__cell_facts *f = p->columns[j].facts;
        if (!f) continue;
        for (int i = 0; i < RLS2__MANY_COUNTS; i++) *counts++ = *rls2__many_count(f, i);
        put_range(f->low, f->high, &f->sum, &f->squares, &ends, &sums);
        for (int part = 0; f->parts && part < RLS2__DATE_PARTS; part++)
            put_range(f->parts[part].low, f->parts[part].high, &f->parts[part].sum,
                      &f->parts[part].squares, &ends, &sums);
    }
}

static rls2_status add_many(packer *k)
{
    const rls2__profile *p = k->profile;
    many_arrays m = {0};
    for (int64_t j = 0; j < p->head->columns; j++) {
        m.columns += p->columns[j].facts != NULL;
        m.ranges += p->columns[j].facts ? range_count(p->columns[j].facts) : 0;
    }
    m.counts = room(k, m.columns * RLS2__MANY_COUNTS);
    m.ends = room(k, 2 * m.ranges);
    m.sums = room(k, rls2__mul(2 * m.ranges, RLS2__EXACT_DIGITS));
    if (!m.counts || !m.ends || !m.sums) return RLS2_ERR_MEMORY;
    fill_many(p, &m);
    rls2__array_list_add(&k->list, "many.counts", "I64", m.columns, RLS2__MANY_COUNTS, m.counts);
    rls2__array_list_add(&k->list, "many.ends", "F64", m.ranges, 2, m.ends);
    rls2__array_list_add(&k->list, "many.sums", "I64", 2 * m.ranges, RLS2__EXACT_DIGITS, m.sums);
    return RLS2_OK;
}

/* ---- the description ---- */

static json_t *describe_column(const rls2__profile *p, int64_t j)
{
    const rls2__cell_counts *c = &p->columns[j];
    char word[RLS2__STYLE_WORD];
    rls2__style style = style_of(p, j);
    json_t *object = json_object();
    rls2__style_word(&style, word);
    int fits = rls2__json_put(object, "style", json_string(word));
    fits &= rls2__json_put(object, "many", json_boolean(c->many));
    fits &= rls2__json_put(object, "cells", json_integer(rls2__cell_counts_count(c)));
    fits &= rls2__json_put(object, "missing", json_integer(c->missing));
    fits &= rls2__json_put(object, "missing_weight", json_integer(c->missing_weight));
    fits &= rls2__json_put(object, "slip",
                           c->facts && c->facts->slip.row >= 0
                               ? rls2__json_text(c->facts->least_slip.text)
                               : json_null());
    if (fits) return object;
    json_decref(object);
    return NULL;
}

static json_t *describe(const rls2__profile *p)
{
    json_t *object = json_object(), *cells = json_array(), *needed = json_array();
    int fits = rls2__json_put(object, "library", json_string(rls2_version()));
    fits &= rls2__json_put(object, "rows", json_integer(p->rows));
    fits &= rls2__json_put(object, "left_out", json_integer(p->left_out));
    fits &= rls2__json_put(object, "total", json_integer(p->total));
    fits &= rls2__json_put(object, "fingerprint", json_sprintf("%016" PRIx64, p->fingerprint));
    fits &= rls2__json_put(object, "sample", json_integer(p->options.sample));
    fits &= rls2__json_put(object, "most_texts", json_integer(p->options.most_texts));
    fits &= rls2__json_put(object, "most_bytes", json_integer(p->options.most_bytes));
    fits &= rls2__json_put(object, "more", json_boolean(p->sample.turned));
    fits &=
        rls2__json_put(object, "weight", p->weight >= 0 ? json_integer(p->weight) : json_null());
    for (int64_t i = 0; i < p->need_count; i++)
        fits &= rls2__json_append(needed, json_integer(p->needs[i].column));
    fits &= rls2__json_put(object, "needed", needed);
    fits &= rls2__conventions_describe(p->head, object);
    for (int64_t j = 0; j < p->head->columns; j++)
        fits &= rls2__json_append(cells, describe_column(p, j));
    fits &= rls2__json_put(object, "cells", cells);
    if (fits) return object;
    json_decref(object);
    return NULL;
}

rls2_status rls2__profile_pack(const rls2__profile *profile, unsigned char **bytes, int64_t *length,
                               rls2_error *err)
{
    enum { MOST = 16 };
    packer k = {.profile = profile, .arena = rls2__arena_create()};
    rls2__invariant(profile->settled || profile->rows == 0);
    rls2_status status = rls2__array_list_open(&k.list, MOST);
    if (status == RLS2_OK && !k.arena) status = RLS2_ERR_MEMORY;
    if (status == RLS2_OK) status = add_sample(&k);
    if (status == RLS2_OK) status = add_cells(&k);
    if (status == RLS2_OK) status = add_many(&k);
    if (status == RLS2_OK) {
        json_t *description = describe(profile);
        status = rls2__array_list_write(&k.list, &rls2__profile_kind, RLS2__PROFILE_VERSION,
                                        description, bytes, length);
        json_decref(description);
    }
    rls2__array_list_close(&k.list);
    rls2__arena_free(k.arena);
    return status == RLS2_OK ? status : rls2__fail_memory(err, "the bytes of the profile");
}
