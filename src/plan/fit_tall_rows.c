/* The second pass over rows that are not in memory: axes and features are known, rows are counted.
 *
 * Each thread gathers the rows of its pieces in a batch, so that a table of two axes is looked at
 * once for many rows, and adds it to counts, of which there are as many as threads or as memory
 * allows. Sums of integers: whatever thread counts a row, the sum of all has the same bits. */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/machine.h"
#include "plan/fit_tall.h"
#include "plan/plan_source.h"
#include "stats/profile_ends.h"
#include "stats/row_bytes.h"
#include "stats/row_sample.h"
#include "table/classes.h"
#include "table/dataset.h"
#include "table/table.h"

enum { BATCH_BYTES = 1 << 24, BATCH_LEAST = 4096, BATCH_MOST = 1 << 16 };

/* Rows of one thread that have not been counted. */
typedef struct batch {
    int64_t rows;
    double *x, *y, *weights; /* room x columns, room x outputs, room */
    int32_t *part;           /* room; -1 behind the rows */
    void *block;
    rls2__row_bytes row;  /* the one whose hash is found */
    uint64_t fingerprint; /* of all rows of the thread, */
    int64_t left_out;     /* but for these */
} batch;

typedef struct counter {
    pthread_mutex_t lock;
    rls2__counts *counts;
} counter;

typedef struct pass {
    const rls2_dataset *like;
    const double *factors; /* classes: what class weights make of a row; NULL: nothing */
    rls2__effort *effort;
    int64_t folds;
    uint64_t seed;
    int by_number;        /* rows have their fold by their number, */
    int64_t first_number; /* which the first has */
    int64_t outputs;
    int is_weighted;
    const rls2__units *units; /* outputs */
    int64_t room;             /* rows of a batch */
    int threads, counters;
    batch *batches;  /* threads */
    counter *counts; /* counters; the first is the result */
} pass;

/* ---- batches ---- */

typedef struct batch_layout {
    const pass *pass;
    batch *batch;
} batch_layout;

static void lay_out_batch(rls2__layout *layout, void *owner)
{
    const batch_layout *it = owner;
    int64_t room = it->pass->room;
    batch *b = it->batch;
    b->x = rls2__layout_take(layout, rls2__mul(room, it->pass->like->columns), sizeof *b->x);
    b->y = rls2__layout_take(layout, rls2__mul(room, it->pass->outputs), sizeof *b->y);
    b->weights = rls2__layout_take(layout, room, sizeof *b->weights);
    b->part = rls2__layout_take(layout, room, sizeof *b->part);
}

/* An effort of one thread that stops where another does. */
static int ask(void *user, const rls2_progress *at)
{
    (void)at;
    return rls2__effort_stopped(user);
}

static rls2_status count_batch(pass *p, int thread)
{
    batch *b = &p->batches[thread];
    counter *to = &p->counts[thread % p->counters];
    rls2__effort own;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    control.progress = ask;
    control.user = p->effort;
    for (int64_t i = b->rows; i < p->room; i++) b->part[i] = -1;
    const rls2__counted_rows rows = {.rows = p->room,
                                     .x = b->x,
                                     .y = b->y,
                                     .weights = p->is_weighted ? b->weights : NULL,
                                     .part = b->part};
    b->rows = 0;
    rls2__effort_begin(&control, "rows", 1, &own);
    pthread_mutex_lock(&to->lock);
    rls2_status status = rls2__counts_add(&own, &rows, to->counts);
    pthread_mutex_unlock(&to->lock);
    return status;
}

static double weight_of(const pass *p, const rls2_dataset *data, int64_t i)
{
    double own = data->weights ? data->weights[i] : 1.0;
    return p->factors ? own * p->factors[data->classes[i]] : own;
}

/* Integers of responses have 36 bits, those of weights 20. Rows that units were not made for may
 * have others. */
static rls2_status check_units(const pass *p, const rls2_table *piece, const rls2_dataset *data,
                               rls2_error *err)
{
    static const double MOST_RESPONSE = 68719476736.0, MOST_WEIGHT = 1048576.0;
    for (int64_t o = 0; o < p->outputs; o++)
        for (int64_t i = 0; i < data->rows; i++) {
            double y = data->y[o * data->rows + i];
            if (fabs(y - p->units[o].center) / p->units[o].response <= MOST_RESPONSE) continue;
            return rls2__fail(err, RLS2_ERR_VALUE,
                              "%s: column '%s': %g lies far beyond the rows that were counted "
                              "before",
                              rls2__table_place(piece, data->source[i]).text,
                              rls2__show(data->encoder->targets[o]).text, y);
        }
    for (int64_t i = 0; p->is_weighted && i < data->rows; i++) {
        double weight = weight_of(p, data, i);
        if (weight < RLS2__LEAST_WEIGHT || weight > RLS2__MOST_WEIGHT)
            return rls2__tall_fail_weight(piece, data->source[i], weight, err);
        if (!(weight / p->units[0].weight <= MOST_WEIGHT))
            return rls2__fail(err, RLS2_ERR_VALUE,
                              "%s: the weight %g is larger than those of the rows that were "
                              "counted before",
                              rls2__table_place(piece, data->source[i]).text, weight);
    }
    return RLS2_OK;
}

/* Of a row of a piece. 0 when out of memory. */
static int find_hash(const rls2_table *piece, int64_t row, batch *b, uint64_t *hash)
{
    int64_t length = rls2__row_bytes_write(&b->row, piece, row);
    if (length < 0) return 0;
    *hash = rls2__row_hash(b->row.bytes, length);
    return 1;
}

/* Rows [first, first + count) of a piece, whose own first row has that number. 0 when out of
 * memory. */
static int append(const pass *p, const rls2_table *piece, const rls2_dataset *data, int64_t first,
                  int64_t count, int64_t first_row, batch *b)
{
    size_t bytes = (size_t)count * sizeof(double);
    for (int64_t j = 0; j < data->columns; j++)
        memcpy(b->x + j * p->room + b->rows, data->x + j * data->rows + first, bytes);
    for (int64_t o = 0; o < p->outputs; o++)
        memcpy(b->y + o * p->room + b->rows, data->y + o * data->rows + first, bytes);
    for (int64_t i = 0; i < count; i++) {
        int64_t row = data->source[first + i];
        uint64_t hash, number = (uint64_t)(p->first_number + first_row + row);
        if (!find_hash(piece, row, b, &hash)) return 0;
        b->fingerprint += hash;
        if (p->is_weighted) b->weights[b->rows + i] = weight_of(p, data, first + i);
        b->part[b->rows + i] =
            p->folds > 0 ? rls2__stats_part(p->seed, p->by_number ? number : hash, p->folds) : 0;
    }
    b->rows += count;
    return 1;
}

static rls2_status explain(rls2_status status, rls2_error *err)
{
    return rls2__explain(status, "the counts of the rows", err);
}

static rls2_status fail_no_target(const pass *p, const rls2_table *piece, rls2_error *err)
{
    const rls2__encoder *encoder = p->like->encoder;
    for (int64_t t = 0; t < encoder->target_count; t++)
        if (rls2_table_find(piece, encoder->targets[t]) < 0)
            return rls2__fail_no_column(piece, NULL, encoder->targets[t], err);
    return rls2__fail(err, RLS2_ERR_VALUE, "%s: there are no responses", piece->name);
}

static rls2_status count_piece(void *user, const rls2_table *piece, int64_t first_row, int thread,
                               rls2_error *err)
{
    pass *p = user;
    batch *b = &p->batches[thread];
    rls2_dataset *data = NULL;
    const rls2__view_rules rules = {.missing = p->like->encoder->missing, .may_be_empty = 1};
    rls2_status status =
        rls2__dataset_like(piece, p->like->encoder, &p->like->preparation, rules, &data, err);
    if (status != RLS2_OK) return status;
    if (!data->y) status = fail_no_target(p, piece, err);
    if (status == RLS2_OK) status = check_units(p, piece, data, err);
    for (int64_t first = 0; first < data->rows && status == RLS2_OK;) {
        int64_t left = data->rows - first, free = p->room - b->rows;
        int64_t count = left < free ? left : free;
        if (!append(p, piece, data, first, count, first_row, b))
            status = explain(RLS2_ERR_MEMORY, err);
        first += count;
        if (status == RLS2_OK && b->rows == p->room) status = explain(count_batch(p, thread), err);
    }
    b->left_out += piece->rows - data->rows;
    rls2_dataset_free(data);
    return status;
}

/* What is left in the batches. */
static rls2_status count_rest(pass *p)
{
    rls2_status status = RLS2_OK;
    for (int t = 0; t < p->threads && status == RLS2_OK; t++)
        if (p->batches[t].rows > 0) status = count_batch(p, t);
    for (int t = 1; t < p->counters && status == RLS2_OK; t++)
        rls2__counts_merge(p->counts[t].counts, p->counts[0].counts);
    return status;
}

/* ---- what a pass needs ---- */

static int64_t part_count(const pass *p)
{
    return p->folds > 0 ? p->folds : 1;
}

/* As many counts as threads, if these take a quarter of the memory at most. */
static int find_counters(const rls2_stats *stats, const pass *p)
{
    int64_t parts = part_count(p);
    double most = rls2__memory_limit() / 4.0,
           each = rls2__counts_bytes(stats->axes, parts, p->outputs);
    if (stats->features)
        each += rls2__feature_sums_bytes(stats->axes, stats->features, parts, p->outputs,
                                         p->is_weighted);
    double fit = most > 0.0 ? floor(most / fmax(each, 1.0)) : p->threads;
    return fit < 1.0 ? 1 : fit < p->threads ? (int)fit : p->threads;
}

static rls2_status open_pass(const rls2_stats *stats, const rls2__units *units, pass *p)
{
    rls2_status status = RLS2_OK;
    p->counters = find_counters(stats, p);
    p->room = BATCH_BYTES / ((int64_t)sizeof(double) * (p->like->columns + 1));
    p->room = p->room < BATCH_LEAST ? BATCH_LEAST : p->room > BATCH_MOST ? BATCH_MOST : p->room;
    p->batches = rls2__alloc_zero(p->threads, sizeof *p->batches);
    p->counts = rls2__alloc_zero(p->counters, sizeof *p->counts);
    if (!p->batches || !p->counts) return RLS2_ERR_MEMORY;
    for (int t = 0; t < p->counters; t++) pthread_mutex_init(&p->counts[t].lock, NULL);
    for (int t = 0; t < p->counters && status == RLS2_OK; t++) {
        status = rls2__counts_create(stats->axes, part_count(p), p->outputs, p->is_weighted, units,
                                     &p->counts[t].counts);
        if (status == RLS2_OK)
            status = rls2__counts_take_features(stats->features, p->counts[t].counts);
    }
    for (int t = 0; t < p->threads && status == RLS2_OK; t++) {
        batch_layout layout = {p, &p->batches[t]};
        p->batches[t].block = rls2__layout_alloc(lay_out_batch, &layout);
        if (!p->batches[t].block) status = RLS2_ERR_MEMORY;
    }
    return status;
}

static void close_pass(pass *p)
{
    for (int t = 0; p->batches && t < p->threads; t++) {
        rls2__free(p->batches[t].block);
        rls2__row_bytes_release(&p->batches[t].row);
    }
    for (int t = 0; p->counts && t < p->counters; t++) {
        rls2__counts_free(p->counts[t].counts);
        pthread_mutex_destroy(&p->counts[t].lock);
    }
    rls2__free(p->batches);
    rls2__free(p->counts);
}

/* ---- weights and units ---- */

/* What class weights make of the rows of each class, by the shares of all rows; NULL: there are
 * none. */
static rls2_status find_factors(const rls2_plan *plan, double **factors, rls2_error *err)
{
    const rls2__encoder *encoder = plan->train.data->encoder;
    const char *rule = plan->ingredients.recipe->class_weights;
    int64_t classes = encoder->label_count;
    if (!rule) return RLS2_OK;
    double *weights = rls2__alloc(classes, sizeof *weights);
    *factors = rls2__alloc(classes, sizeof **factors);
    rls2_status status = weights && *factors ? rls2__profile_class_weights(plan->source->profile,
                                                                           encoder, weights, err)
                                             : rls2__fail_memory(err, "the weights of the classes");
    if (status == RLS2_OK) status = rls2__weigh_classes(encoder, rule, weights, *factors, err);
    rls2__free(weights);
    return status;
}

/* The ends of a column in all rows. */
static rls2_status look_at(const rls2_plan *plan, const char *name, double *low, double *high,
                           rls2_error *err)
{
    rls2__profile_column found;
    const rls2__profile *profile = plan->source->profile;
    int64_t column = rls2_table_find(plan->file, name);
    rls2_status status = rls2__profile_look(profile, column, &found, err);
    if (status != RLS2_OK) return status;
    *low = found.low;
    *high = found.high;
    return RLS2_OK;
}

/* Rows that are added later may have responses beyond those of these: three times the range on
 * either side. */
static void widen(double *low, double *high)
{
    double range = *high - *low;
    *low -= 3.0 * range;
    *high += 3.0 * range;
}

static rls2_status find_units(const rls2_plan *plan, const double *factors, int to_add,
                              rls2__units *units, rls2_error *err)
{
    const rls2_dataset *data = plan->train.data;
    const rls2__encoder *encoder = data->encoder;
    double low = -1.0, high = 1.0, least, heaviest = factors ? 1.0 : 0.0, factor = 0.0;
    rls2_status status = RLS2_OK;
    if (encoder->weight) status = look_at(plan, encoder->weight, &least, &heaviest, err);
    for (int64_t k = 0; factors && k < rls2_dataset_class_count(data); k++)
        factor = fmax(factor, factors[k]);
    if (factors) heaviest *= factor;
    for (int64_t o = 0; o < rls2_dataset_outputs(data) && status == RLS2_OK; o++) {
        if (!encoder->has_classes) status = look_at(plan, encoder->targets[o], &low, &high, err);
        if (!encoder->has_classes && to_add) widen(&low, &high);
        units[o] = rls2__units_of(low, high, heaviest);
    }
    return status;
}

/* ---- the pass ---- */

/* The rows of the second pass are those of the first. */
static rls2_status check_same(const rls2_plan *plan, const rls2_stats *stats, rls2_error *err)
{
    int64_t first = plan->source->count + plan->source->left_out;
    int64_t second = stats->rows + stats->left_out;
    if (first != second)
        return rls2__fail(err, RLS2_ERR_VALUE,
                          "%s has changed while it was read: %" PRId64 " rows first, then %" PRId64,
                          plan->file->name, first, second);
    if (stats->fingerprint == rls2__profile_fingerprint(plan->source->profile)) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "%s has changed while it was read: it has %" PRId64
                      " rows as before, but not the same",
                      plan->file->name, second);
}

static rls2_status check_count(const rls2_plan *plan, const rls2_stats *stats, rls2_error *err)
{
    for (int64_t q = 0; q < stats->counts->parts; q++)
        if (stats->counts->totals[q].rows == 0)
            return rls2__fail(err, RLS2_ERR_VALUE,
                              "%s: %" PRId64 " rows are too few for %" PRId64 " folds",
                              plan->file->name, plan->source->count, stats->counts->parts);
    return check_same(plan, stats, err);
}

/* What the threads have found. */
static void take_counts(pass *p, rls2_stats *stats)
{
    stats->counts = p->counts[0].counts;
    p->counts[0].counts = NULL;
    stats->rows = stats->left_out = 0;
    stats->fingerprint = 0;
    for (int64_t q = 0; q < stats->counts->parts; q++) stats->rows += stats->counts->totals[q].rows;
    for (int t = 0; t < p->threads; t++) {
        stats->left_out += p->batches[t].left_out;
        stats->fingerprint += p->batches[t].fingerprint;
    }
}

/* One pass of the source; stats have the counts of its rows then, and how many there are. */
static rls2_status run_pass(rls2_source *rows, pass *p, rls2_stats *stats, rls2_error *err)
{
    const rls2_progress at = {.stage = p->effort->at.stage, .total = 1};
    rls2_status status = explain(open_pass(stats, p->units, p), err);
    if (status == RLS2_OK && rls2__effort_tell(p->effort, &at))
        status = explain(RLS2_ERR_CANCELLED, err);
    if (status == RLS2_OK) status = rls2__rows_each(rows, p->effort, count_piece, p, NULL, err);
    if (status == RLS2_OK) status = explain(count_rest(p), err);
    if (status == RLS2_OK) take_counts(p, stats);
    close_pass(p);
    return status;
}

/* A pass that counts as statistics say, which have all but counts. */
static pass pass_like(const rls2_stats *stats, const rls2_dataset *data, const rls2__units *units,
                      rls2__effort *effort)
{
    return (pass){.like = data,
                  .factors = stats->factors,
                  .effort = effort,
                  .folds = stats->parts,
                  .seed = stats->seed,
                  .by_number = stats->parts_by_number,
                  .outputs = rls2_dataset_outputs(data),
                  .is_weighted = stats->factors || data->encoder->weight,
                  .units = units,
                  .threads = effort->threads};
}

rls2_status rls2__count_more(const rls2_stats *like, rls2_source *rows, int64_t first_number,
                             rls2__effort *effort, rls2_stats *stats, rls2_error *err)
{
    pass p = pass_like(like, like->sample, like->counts->units, effort);
    p.first_number = first_number;
    rls2__effort_expect(effort, rls2__rows_expected(rows));
    return run_pass(rows, &p, stats, err);
}

/* ---- the rows of a plan ---- */

static rls2_status find_axes(const rls2_plan *plan, rls2__effort *effort, rls2_stats *stats,
                             rls2_error *err)
{
    rls2_dataset *ends = NULL;
    rls2_status status =
        rls2__profile_ends(plan->source->profile, plan->train.data, RLS2__MOST_KNOTS, &ends, err);
    if (status != RLS2_OK) return status;
    const rls2__axes_from from = {.rows = plan->train.data, .ends = ends};
    status = rls2__axes_create(effort, &from, rls2__fineness_default(), &stats->axes);
    rls2_dataset_free(ends);
    return explain(status, err);
}

/* All but counts. */
static rls2_status prepare_stats(rls2_plan *plan, rls2__effort *effort, rls2_stats *stats,
                                 rls2_error *err)
{
    stats->seed = (uint64_t)plan->asked.seed;
    stats->parts = plan->source->folds;
    stats->parts_by_number = rls2__profile_has_few_rows(plan->source->profile);
    rls2_status status = find_axes(plan, effort, stats, err);
    if (status == RLS2_OK)
        status = rls2__tall_pilot(plan, effort, stats->axes, &stats->features, err);
    if (status == RLS2_OK) rls2__tall_note_features(plan, stats->axes, stats->features);
    return status == RLS2_OK ? find_factors(plan, &stats->factors, err) : status;
}

static rls2_status count_rows(rls2_plan *plan, const rls2__units *units, rls2__effort *effort,
                              int to_add, rls2_stats *stats, rls2_error *err)
{
    pass p = pass_like(stats, plan->train.data, units, effort);
    if (!plan->source->rows && !to_add)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the plan was completed on a profile, which has no rows: count them");
    if (!plan->source->rows) {
        rls2_status status = rls2__counts_create(stats->axes, part_count(&p), p.outputs,
                                                 p.is_weighted, units, &stats->counts);
        if (status == RLS2_OK) status = rls2__counts_take_features(stats->features, stats->counts);
        return explain(status, err);
    }
    rls2__effort_expect(effort, plan->source->count + plan->source->left_out);
    rls2_status status = run_pass(plan->source->rows, &p, stats, err);
    return status == RLS2_OK ? check_count(plan, stats, err) : status;
}

rls2_status rls2__source_count(rls2_plan *plan, rls2__effort *effort, int to_add, rls2_stats **out,
                               rls2_error *err)
{
    rls2__units *units = rls2__alloc(rls2_dataset_outputs(plan->train.data), sizeof *units);
    rls2_stats *stats = rls2__alloc_zero(1, sizeof *stats);
    rls2_status status = stats && units ? prepare_stats(plan, effort, stats, err)
                                        : rls2__fail_memory(err, "the statistics of the rows");
    if (status == RLS2_OK) status = find_units(plan, stats->factors, to_add, units, err);
    if (status == RLS2_OK) status = count_rows(plan, units, effort, to_add, stats, err);
    rls2__free(units);
    if (status == RLS2_OK)
        *out = stats;
    else
        rls2__stats_free(stats);
    return status;
}
