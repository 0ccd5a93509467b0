/* Sums over left-out rows, from which the shares of kernels follow. */
#include "select/tally.h"

#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "solver/path_predict.h"

void rls2__tally_free(rls2__tally *tally)
{
    rls2__free(tally);
}

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__tally *t = owner;
    rls2__layout_take(layout, 1, sizeof *t); /* where it lies itself */
    t->first = rls2__layout_take(layout, rls2__add(t->count, 1), sizeof(int64_t));
    t->kernels = rls2__layout_take(layout, t->room, sizeof(int64_t));
    t->product = rls2__layout_take(layout, t->room, sizeof(double));
    t->part = rls2__layout_take(layout, t->room, sizeof(double));
    t->rest = rls2__layout_take(layout, t->count, sizeof(double));
    t->who =
        rls2__layout_take(layout, rls2__mul(t->room, rls2__words_of(t->splits)), sizeof(uint64_t));
}

static uint64_t *bits_at(const rls2__tally *tally, int64_t at)
{
    return tally->who + at * rls2__words_of(tally->splits);
}

/* All zero, in one block. NULL when out of memory. */
static rls2__tally *reserve(int64_t count, int64_t room, int64_t splits)
{
    rls2__tally made = {.count = count, .room = room, .splits = splits};
    rls2__tally *tally = rls2__layout_alloc(lay_out, &made);
    if (!tally) return NULL;
    *tally = made;
    memset(tally->first, 0, (size_t)(count + 1) * sizeof *tally->first);
    memset(tally->product, 0, (size_t)room * sizeof *tally->product);
    memset(tally->part, 0, (size_t)room * sizeof *tally->part);
    memset(tally->rest, 0, (size_t)count * sizeof *tally->rest);
    memset(tally->who, 0, (size_t)(room * rls2__words_of(splits)) * sizeof *tally->who);
    return tally;
}

/* ---- one split ---- */

typedef struct summing {
    const rls2__tally_rows *about;
    const double *f; /* rows x count, of which a block is known when its parts come */
    rls2__tally *tally;
} summing;

static double weight_of(const rls2__tally_rows *about, int64_t t)
{
    return about->weights ? about->weights[t] : 1.0;
}

/* 2 r - g = 2 y - f - m of a row at point i; where r is not looked at, f. */
static double rest_of(const summing *s, int64_t i, int64_t t)
{
    double f = s->f[i * s->about->n + t];
    return s->about->y ? 2.0 * s->about->y[t] - f - s->about->mean : f;
}

static void take_parts(void *user, int64_t first, int64_t n, const double *parts)
{
    const summing *s = user;
    rls2__tally *tally = s->tally;
    for (int64_t i = 0; i < tally->count; i++)
        for (int64_t k = tally->first[i]; k < tally->first[i + 1]; k++)
            for (int64_t t = 0; t < n; t++) {
                double part = weight_of(s->about, first + t) * parts[k * n + t];
                tally->product[k] += part * rest_of(s, i, first + t);
                tally->part[k] += part;
            }
}

static void sum_rows(const summing *s)
{
    rls2__tally *tally = s->tally;
    for (int64_t t = 0; t < s->about->n; t++) {
        double w = weight_of(s->about, t), r = s->about->y ? s->about->y[t] - s->about->mean : 0.0;
        tally->weight += w;
        tally->response += w * r;
        tally->square += w * r * r;
        for (int64_t i = 0; i < tally->count; i++) tally->rest[i] += w * rest_of(s, i, t);
    }
}

rls2__tally *rls2__tally_of_path(const rls2_path *path)
{
    int64_t room = 0;
    for (int64_t i = 0; i < path->count; i++) room += path->entries[i].count;
    rls2__tally *tally = reserve(path->count, room, 1);
    for (int64_t i = 0; tally && i < path->count; i++) {
        const rls2__path_entry *entry = &path->entries[i];
        memcpy(tally->kernels + tally->first[i], entry->ks, (size_t)entry->count * sizeof(int64_t));
        tally->first[i + 1] = tally->first[i] + entry->count;
    }
    for (int64_t k = 0; tally && k < room; k++) rls2__bit_set(bits_at(tally, k), 0);
    return tally;
}

rls2_status rls2__tally_predict(rls2__effort *effort, const rls2_path *path, const rls2_rows *rows,
                                const rls2__tally_rows *about, double *f, rls2__tally **tally,
                                rls2_error *err)
{
    summing s = {.about = about, .f = f, .tally = rls2__tally_of_path(path)};
    const rls2__part_taker taker = {take_parts, &s};
    if (!s.tally) return rls2__fail_memory(err, "the shares of the kernels");
    s.tally->of_themselves = !about->y;
    rls2__invariant(about->n == rows->n);
    rls2_status status = rls2__path_predict_parts(effort, path, rows, &taker, f, err);
    if (status == RLS2_OK) {
        sum_rows(&s);
        *tally = s.tally;
    } else {
        rls2__tally_free(s.tally);
    }
    return status;
}

/* ---- all of them ---- */

/* Kernel `at` of one tally is added to the next place of the sum, and passed. Its splits are those
 * from number `behind` on. */
static void take_kernel(rls2__tally *sum, int64_t place, const rls2__tally *from, int64_t behind,
                        int64_t *at)
{
    const uint64_t *bits = bits_at(from, *at);
    for (int64_t s = 0; s < from->splits; s++)
        if (rls2__bit_of(bits, s)) rls2__bit_set(bits_at(sum, place), behind + s);
    sum->kernels[place] = from->kernels[*at];
    sum->product[place] += from->product[*at];
    sum->part[place] += from->part[*at];
    ++*at;
}

/* The kernels of lambda i of both, ascending, from place sum->first[i] on. */
static void merge_lambda(const rls2__tally *a, const rls2__tally *b, int64_t i, rls2__tally *sum)
{
    int64_t u = a->first[i], v = b->first[i], place = sum->first[i];
    while (u < a->first[i + 1] || v < b->first[i + 1]) {
        int64_t from_a = u < a->first[i + 1] ? a->kernels[u] : INT64_MAX;
        int64_t from_b = v < b->first[i + 1] ? b->kernels[v] : INT64_MAX;
        if (from_a <= from_b) take_kernel(sum, place, a, 0, &u);
        if (from_b <= from_a) take_kernel(sum, place, b, a->splits, &v);
        place++;
    }
    sum->first[i + 1] = place;
    sum->rest[i] = a->rest[i] + b->rest[i];
}

rls2_status rls2__tally_add(rls2__tally **sum, rls2__tally *more)
{
    const rls2__tally *old = *sum;
    if (!old) {
        *sum = more;
        return RLS2_OK;
    }
    rls2__invariant(old->count == more->count);
    rls2__tally *made = reserve(old->count, rls2__add(old->first[old->count], more->room),
                                old->splits + more->splits);
    for (int64_t i = 0; made && i < made->count; i++) merge_lambda(old, more, i, made);
    if (made) {
        made->of_themselves = old->of_themselves;
        made->weight = old->weight + more->weight;
        made->response = old->response + more->response;
        made->square = old->square + more->square;
        rls2__tally_free(*sum);
        *sum = made;
    }
    rls2__tally_free(more);
    return made ? RLS2_OK : RLS2_ERR_MEMORY;
}

/* ---- further lambdas ---- */

/* The lambdas of `from` stand from number `at` on. */
static void copy_lambdas(const rls2__tally *from, rls2__tally *to, int64_t at)
{
    int64_t place = to->first[at];
    size_t kernels = (size_t)from->first[from->count];
    memcpy(to->kernels + place, from->kernels, kernels * sizeof *to->kernels);
    memcpy(to->product + place, from->product, kernels * sizeof *to->product);
    memcpy(to->part + place, from->part, kernels * sizeof *to->part);
    memcpy(to->rest + at, from->rest, (size_t)from->count * sizeof *to->rest);
    memcpy(bits_at(to, place), from->who,
           kernels * (size_t)rls2__words_of(from->splits) * sizeof *to->who);
    for (int64_t i = 1; i <= from->count; i++) to->first[at + i] = place + from->first[i];
}

rls2_status rls2__tally_join(rls2__tally **sum, rls2__tally *more)
{
    const rls2__tally *old = *sum;
    if (!old) {
        *sum = more;
        return RLS2_OK;
    }
    rls2__invariant(old->splits == more->splits);
    rls2__tally *made =
        reserve(old->count + more->count,
                rls2__add(old->first[old->count], more->first[more->count]), old->splits);
    if (made) {
        copy_lambdas(old, made, 0);
        copy_lambdas(more, made, old->count);
        made->of_themselves = old->of_themselves;
        made->weight = old->weight;
        made->response = old->response;
        made->square = old->square;
        rls2__tally_free(*sum);
        *sum = made;
    }
    rls2__tally_free(more);
    return made ? RLS2_OK : RLS2_ERR_MEMORY;
}

/* Of the response, or of the predictions of lambda i: the sum of the covariances of their parts. */
static double variance_at(const rls2__tally *tally, int64_t i)
{
    double sum = 0.0, mean = tally->response / tally->weight;
    if (!tally->of_themselves) return tally->square - mean * tally->response;
    for (int64_t k = tally->first[i]; k < tally->first[i + 1]; k++) sum += tally->product[k];
    return sum;
}

/* Where y is constant, nothing can be explained. */
void rls2__tally_finish(rls2__tally *tally)
{
    for (int64_t i = 0; i < tally->count; i++) {
        for (int64_t k = tally->first[i]; k < tally->first[i + 1]; k++)
            tally->product[k] -= tally->part[k] * tally->rest[i] / tally->weight;
        double variance = variance_at(tally, i);
        for (int64_t k = tally->first[i]; k < tally->first[i + 1]; k++)
            tally->product[k] = variance > 0.0 ? tally->product[k] / variance : 0.0;
    }
}
