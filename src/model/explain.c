/* How much each input counts in the whole prediction, and which act together.  [MATH.md, G13] */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/control.h"
#include "base/crew.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "model/blocks.h"
#include "model/compact.h"
#include "model/dependence.h"

/* A prediction that varies less than this, of the size of its parts, is constant. */
static const double ROUNDING = 1e-12;
/* A share of the variance that is rounding. */
static const double NOTHING = 1e-20;

enum { MOST_PAIRS = RLS2__MOST_PARTNERS * (RLS2__MOST_PARTNERS - 1) / 2 };

typedef struct couple {
    rls2_explained_pair about;
    int64_t places[2];   /* among the inputs as they are explained, */
    int64_t partners[2]; /* and among those that are compared */
} couple;

struct rls2_explanation {
    int64_t sample;
    int64_t *rows;
    double variance;
    int64_t input_count;
    rls2_explained_input *inputs; /* input_count, by total */
    int64_t partners;             /* inputs whose pairs were looked at, */
    int64_t interacting;          /* of so many */
    int64_t pair_count;
    couple *pairs; /* pair_count, by share */
};

typedef struct work {
    rls2__dependence it;
    rls2__effort *effort;
    rls2__dependence_room *rooms;
    rls2_explanation *out;
    double *mixed;  /* sample x terms of several inputs: what they say of the rows */
    double *alone;  /* sample x inputs that are listed: F_j, centred */
    double *extra;  /* sample: what given matrices say */
    double *f;      /* sample, centred */
    double *thread; /* room of each thread: 3 x sample */
    void *block;
    int64_t partner[RLS2__MOST_PARTNERS]; /* inputs that are compared */
    int64_t *spot;  /* terms of several inputs x partners: where their means are, -1: none */
    double *single; /* sample values at each spot */
} work;

/* ---- means over the sample ---- */

static void centre(const rls2__dependence *it, double *values)
{
    double mean = 0.0;
    for (int64_t i = 0; i < it->sample; i++) mean += it->weights[i] * values[i];
    for (int64_t i = 0; i < it->sample; i++) values[i] -= mean;
}

static double product(const rls2__dependence *it, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < it->sample; i++) sum += it->weights[i] * x[i] * y[i];
    return sum;
}

/* ---- terms as they are ---- */

static int64_t first_mixed(const work *w)
{
    return w->it.first_own[w->it.inputs];
}

static void say_mixed(void *user, int64_t task, int thread)
{
    work *w = user;
    double *values = w->mixed + task * w->it.sample;
    memset(values, 0, (size_t)w->it.sample * sizeof *values);
    rls2__summand_values(w->effort, &w->it.terms[first_mixed(w) + task], &w->rooms[thread], values);
}

static void say_extra(work *w)
{
    memset(w->extra, 0, (size_t)w->it.sample * sizeof *w->extra);
    for (int64_t i = w->it.first_none; i < w->it.term_count; i++)
        rls2__summand_values(w->effort, &w->it.terms[i], &w->rooms[0], w->extra);
}

/* ---- one input ---- */

static void say_own(void *user, int64_t task, int thread)
{
    work *w = user;
    double *own = w->alone + task * w->it.sample;
    memset(own, 0, (size_t)w->it.sample * sizeof *own);
    rls2__dependence_own(w->effort, w->out->inputs[task].input, &w->it.points, &w->rooms[thread],
                         own);
}

/* To what terms of one input say that which terms of several do, F_j; and of the variance of f what
 * is neither in F_j nor in F_-j. Only terms of several inputs matter for that: without any it is
 * exactly 0. */
static void explain_input(void *user, int64_t task, int thread)
{
    work *w = user;
    const rls2__dependence *it = &w->it;
    rls2_explained_input *input = &w->out->inputs[task];
    int64_t n = it->sample, pair[2] = {input->input, -1};
    double *f = w->alone + task * n, *both = w->thread + 3 * n * thread, *own = both + n;
    memset(both, 0, 3 * (size_t)n * sizeof *both);
    rls2__mixture out = {.at_points = own, .at_rows = own + n};
    for (int64_t i = first_mixed(w); i < it->first_none; i++) {
        if (!rls2__summand_looks_at(it, &it->terms[i], input->input)) continue;
        rls2__summand_mix(w->effort, &it->terms[i], pair, &w->it.points, &w->rooms[thread], &out);
        rls2__add_scaled(n, 1.0, w->mixed + (i - first_mixed(w)) * n, both);
    }
    rls2__add_scaled(n, 1.0, own, f);
    for (int64_t i = 0; i < n; i++) both[i] -= own[i] + own[n + i];
    centre(it, f);
    centre(it, both);
    input->share = product(it, f, w->f);
    input->alone = product(it, f, f);
    input->interaction = product(it, both, both);
    rls2__effort_count(w->effort, 1);
}

/* ---- all of them ---- */

static void add_up(const work *w, const double *values, double *largest)
{
    rls2__add_scaled(w->it.sample, 1.0, values, w->f);
    for (int64_t i = 0; i < w->it.sample; i++) *largest = fmax(*largest, fabs(values[i]));
}

/* The prediction itself, which may be constant but for rounding: then its variance is 0. */
static void sum_up(work *w)
{
    const rls2__dependence *it = &w->it;
    double largest = 0.0;
    memset(w->f, 0, (size_t)it->sample * sizeof *w->f);
    add_up(w, w->extra, &largest);
    for (int64_t i = 0; i < it->first_none - first_mixed(w); i++)
        add_up(w, w->mixed + i * it->sample, &largest);
    for (int64_t j = 0; j < w->out->input_count; j++)
        add_up(w, w->alone + j * it->sample, &largest);
    centre(it, w->f);
    double variance = product(it, w->f, w->f), least = ROUNDING * largest;
    w->out->variance = variance > least * least || !isfinite(variance) ? variance : 0.0;
}

static double share_of(const work *w, double square)
{
    return w->out->variance > 0.0 ? square / w->out->variance : 0.0;
}

static int by_total(const void *a, const void *b)
{
    const rls2_explained_input *x = a, *y = b;
    double u = fabs(x->share) + x->interaction, v = fabs(y->share) + y->interaction;
    if (u > v || u < v) return u > v ? -1 : 1;
    return x->input < y->input ? -1 : 1;
}

/* Shares of the variance. A kernel that overflows somewhere leaves no number that can be sorted. */
static rls2_status settle_inputs(work *w)
{
    rls2_explanation *out = w->out;
    int finite = isfinite(out->variance);
    for (int64_t j = 0; j < out->input_count; j++) {
        rls2_explained_input *input = &out->inputs[j];
        input->share = share_of(w, input->share);
        input->alone = share_of(w, input->alone);
        input->interaction = share_of(w, input->interaction);
        finite = finite && isfinite(input->share) && isfinite(input->alone + input->interaction);
    }
    return finite ? RLS2_OK : RLS2_ERR_VALUE;
}

/* ---- two inputs ---- */

/* What terms say at the values of one of the inputs that are compared. */
static void mix_partner(void *user, int64_t task, int thread)
{
    work *w = user;
    const rls2__dependence *it = &w->it;
    int64_t mixed = it->first_none - first_mixed(w), pair[2] = {w->partner[task], -1};
    for (int64_t i = 0; i < mixed; i++) {
        int64_t spot = w->spot[task * mixed + i];
        rls2__mixture out = {.at_points = w->single + spot * it->sample};
        if (spot >= 0)
            rls2__summand_mix(w->effort, &it->terms[first_mixed(w) + i], pair, &it->points,
                              &w->rooms[thread], &out);
    }
}

/* F_jk - F_j - F_k, of which terms that look at both alone have anything. */
static void explain_pair(void *user, int64_t task, int thread)
{
    work *w = user;
    const rls2__dependence *it = &w->it;
    const couple *two = &w->out->pairs[task];
    rls2_explained_pair *at = &w->out->pairs[task].about;
    int64_t n = it->sample, mixed = it->first_none - first_mixed(w);
    const int64_t pair[2] = {at->first, at->second};
    double *both = w->thread + 3 * n * thread;
    rls2__mixture out = {.at_points = both};
    memset(both, 0, (size_t)n * sizeof *both);
    for (int64_t i = 0; i < mixed; i++) {
        int64_t spots[2] = {w->spot[two->partners[0] * mixed + i],
                            w->spot[two->partners[1] * mixed + i]};
        if (spots[0] < 0 || spots[1] < 0) continue;
        rls2__summand_mix(w->effort, &it->terms[first_mixed(w) + i], pair, &it->points,
                          &w->rooms[thread], &out);
        for (int k = 0; k < 2; k++) rls2__add_scaled(n, -1.0, w->single + spots[k] * n, both);
    }
    centre(it, both);
    double square = product(it, both, both);
    for (int k = 0; k < 2; k++) rls2__add_scaled(n, 1.0, w->alone + two->places[k] * n, both);
    double joint = product(it, both, both);
    at->h2 = joint > 0.0 ? square / joint : 0.0;
    at->share = share_of(w, square);
    rls2__effort_count(w->effort, 1);
}

/* The inputs that do most together with others, by place; returns how many. */
static int64_t choose_partners(const work *w, int64_t *places)
{
    rls2_explanation *out = w->out;
    int64_t count = 0;
    for (int64_t j = 0; j < out->input_count; j++) {
        double own = out->inputs[j].interaction;
        int64_t at = count;
        if (!(own > NOTHING)) continue;
        out->interacting++;
        while (at > 0 && out->inputs[places[at - 1]].interaction < own) at--;
        if (at == RLS2__MOST_PARTNERS) continue;
        if (count < RLS2__MOST_PARTNERS) count++;
        memmove(places + at + 1, places + at, (size_t)(count - 1 - at) * sizeof *places);
        places[at] = j;
    }
    return count;
}

/* Where the means of terms over each of them go. */
static rls2_status reserve_single(work *w)
{
    const rls2__dependence *it = &w->it;
    int64_t mixed = it->first_none - first_mixed(w), count = 0;
    w->spot = rls2__alloc(rls2__mul(mixed, w->out->partners), sizeof *w->spot);
    if (!w->spot) return RLS2_ERR_MEMORY;
    for (int64_t a = 0; a < w->out->partners; a++)
        for (int64_t i = 0; i < mixed; i++)
            w->spot[a * mixed + i] =
                rls2__summand_looks_at(it, &it->terms[first_mixed(w) + i], w->partner[a]) ? count++
                                                                                          : -1;
    w->single = rls2__alloc_zero(rls2__mul(count, it->sample), sizeof *w->single);
    return w->single ? RLS2_OK : RLS2_ERR_MEMORY;
}

static int act_together(const work *w, int64_t a, int64_t b)
{
    int64_t mixed = w->it.first_none - first_mixed(w);
    int any = 0;
    for (int64_t i = 0; i < mixed && !any; i++)
        any = w->spot[a * mixed + i] >= 0 && w->spot[b * mixed + i] >= 0;
    return any;
}

/* Each pair of them that some term looks at, the one that comes first in the table first. */
static rls2_status list_pairs(work *w)
{
    rls2_explanation *out = w->out;
    int64_t places[RLS2__MOST_PARTNERS];
    out->partners = choose_partners(w, places);
    for (int64_t a = 0; a < out->partners; a++) w->partner[a] = out->inputs[places[a]].input;
    rls2_status status = reserve_single(w);
    for (int64_t a = 0; a < out->partners && status == RLS2_OK; a++)
        for (int64_t b = 0; b < out->partners; b++)
            if (w->partner[a] < w->partner[b] && act_together(w, a, b))
                out->pairs[out->pair_count++] =
                    (couple){.about = {.first = w->partner[a], .second = w->partner[b]},
                             .places = {places[a], places[b]},
                             .partners = {a, b}};
    return status;
}

static int by_strength(const void *a, const void *b)
{
    const rls2_explained_pair *x = &((const couple *)a)->about, *y = &((const couple *)b)->about;
    if (x->share > y->share || x->share < y->share) return x->share > y->share ? -1 : 1;
    return x->first != y->first ? (x->first < y->first ? -1 : 1) : (x->second < y->second ? -1 : 1);
}

/* ---- making ---- */

static void lay_out(rls2__layout *layout, void *owner)
{
    work *w = owner;
    int64_t n = w->it.sample, threads = w->effort->threads;
    w->mixed =
        rls2__layout_take(layout, rls2__mul(n, w->it.first_none - first_mixed(w)), sizeof(double));
    w->alone = rls2__layout_take(layout, rls2__mul(n, w->out->input_count), sizeof(double));
    w->extra = rls2__layout_take(layout, n, sizeof(double));
    w->f = rls2__layout_take(layout, n, sizeof(double));
    w->thread = rls2__layout_take(layout, rls2__mul(3 * n, threads), sizeof(double));
}

static rls2_status make_rooms(work *w)
{
    rls2_status status = RLS2_OK;
    w->block = rls2__layout_alloc(lay_out, w);
    w->rooms = rls2__alloc_zero(w->effort->threads, sizeof *w->rooms);
    if (!w->block || !w->rooms) return RLS2_ERR_MEMORY;
    for (int t = 0; t < w->effort->threads && status == RLS2_OK; t++)
        status = rls2__dependence_room_create(&w->it, w->it.sample, &w->rooms[t]);
    return status;
}

static void free_work(work *w)
{
    for (int t = 0; w->rooms && t < w->effort->threads; t++)
        rls2__dependence_room_release(&w->rooms[t]);
    rls2__free(w->rooms);
    rls2__free(w->block);
    rls2__free(w->spot);
    rls2__free(w->single);
    rls2__dependence_release(&w->it);
}

static rls2_status list_inputs(work *w)
{
    rls2_explanation *out = w->out;
    out->sample = w->it.sample;
    out->rows = rls2__alloc(out->sample, sizeof *out->rows);
    out->inputs = rls2__alloc_zero(w->it.inputs, sizeof *out->inputs);
    out->pairs = rls2__alloc_zero(MOST_PAIRS, sizeof *out->pairs);
    if (!out->rows || !out->inputs || !out->pairs) return RLS2_ERR_MEMORY;
    memcpy(out->rows, w->it.rows, (size_t)out->sample * sizeof *out->rows);
    for (int64_t j = 0; j < w->it.inputs; j++)
        if (rls2__dependence_has(&w->it, j)) out->inputs[out->input_count++].input = j;
    return RLS2_OK;
}

static rls2_status explain_all(work *w)
{
    rls2_explanation *out = w->out;
    rls2__effort *effort = w->effort;
    int64_t mixed = w->it.first_none - first_mixed(w);
    rls2__effort_expect(effort, out->input_count + MOST_PAIRS);
    rls2_status status = rls2__effort_each(effort, mixed, say_mixed, w);
    if (status == RLS2_OK) status = rls2__effort_each(effort, out->input_count, say_own, w);
    if (status == RLS2_OK) say_extra(w);
    if (status == RLS2_OK) sum_up(w);
    if (status == RLS2_OK) status = rls2__effort_each(effort, out->input_count, explain_input, w);
    if (status == RLS2_OK) status = rls2__effort_status(effort);
    if (status == RLS2_OK) status = settle_inputs(w);
    if (status != RLS2_OK) return status;
    status = list_pairs(w);
    if (status == RLS2_OK) status = rls2__effort_each(effort, out->partners, mix_partner, w);
    if (status == RLS2_OK) status = rls2__effort_each(effort, out->pair_count, explain_pair, w);
    if (status == RLS2_OK) status = rls2__effort_status(effort);
    if (status != RLS2_OK) return status;
    qsort(out->pairs, (size_t)out->pair_count, sizeof *out->pairs, by_strength);
    qsort(out->inputs, (size_t)out->input_count, sizeof *out->inputs, by_total);
    return RLS2_OK;
}

static rls2_status run(const rls2_model *model, const rls2_control *control, rls2_explanation *out)
{
    rls2__effort effort;
    rls2_control own = rls2__control_of(control);
    own.threads = rls2__thread_count(own.threads);
    rls2__effort_begin(&own, "inputs", rls2_model_input_count(model), &effort);
    const rls2_progress begun = effort.at;
    work w = {.effort = &effort, .out = out};
    rls2_status status = rls2__effort_tell(&effort, &begun)
                             ? RLS2_ERR_CANCELLED
                             : rls2__dependence_create(model, &effort, &w.it);
    if (status == RLS2_OK) status = list_inputs(&w);
    if (status == RLS2_OK) status = make_rooms(&w);
    if (status == RLS2_OK) status = explain_all(&w);
    free_work(&w);
    return status;
}

/* ---- public ---- */

static rls2_status check(const rls2_model *model, const rls2_control *control,
                         rls2_explanation **explanation, rls2_error *err)
{
    if (!model) return rls2__fail_null(err, "model");
    if (!explanation) return rls2__fail_null(err, "explanation");
    if (model->outputs)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the model has %lld outputs: ask one of them (rls2_model_output)",
                          (long long)model->output_count);
    rls2_status status = rls2__compact_refuse(model, "explanation of inputs", err);
    return status == RLS2_OK ? rls2__control_check(control, err) : status;
}

rls2_status rls2_model_explain(const rls2_model *model, const rls2_control *control,
                               rls2_explanation **explanation, rls2_error *err)
{
    rls2_status status = check(model, control, explanation, err);
    if (status != RLS2_OK) return status;
    rls2_explanation *out = rls2__alloc_zero(1, sizeof *out);
    status = out ? run(model, control, out) : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) {
        *explanation = out;
        return status;
    }
    rls2_explanation_free(out);
    if (status == RLS2_ERR_VALUE)
        return rls2__fail(err, status, "predictions of training rows overflow");
    return rls2__explain(status, "the explanation of the inputs", err);
}

double rls2_model_explain_cost(const rls2_model *model)
{
    if (!model || model->outputs || model->compact) return (double)NAN;
    return rls2__dependence_cost(model);
}

void rls2_explanation_free(rls2_explanation *explanation)
{
    if (!explanation) return;
    rls2__free(explanation->rows);
    rls2__free(explanation->inputs);
    rls2__free(explanation->pairs);
    rls2__free(explanation);
}

int64_t rls2_explanation_rows(const rls2_explanation *explanation, const int64_t **rows)
{
    if (rows) *rows = explanation ? explanation->rows : NULL;
    return explanation ? explanation->sample : 0;
}

double rls2_explanation_variance(const rls2_explanation *explanation)
{
    return explanation ? explanation->variance : (double)NAN;
}

int64_t rls2_explanation_input_count(const rls2_explanation *explanation)
{
    return explanation ? explanation->input_count : 0;
}

const rls2_explained_input *rls2_explanation_input(const rls2_explanation *explanation, int64_t i)
{
    return i >= 0 && i < rls2_explanation_input_count(explanation) ? &explanation->inputs[i] : NULL;
}

int64_t rls2_explanation_pair_count(const rls2_explanation *explanation)
{
    return explanation ? explanation->pair_count : 0;
}

const rls2_explained_pair *rls2_explanation_pair(const rls2_explanation *explanation, int64_t i)
{
    return i >= 0 && i < rls2_explanation_pair_count(explanation) ? &explanation->pairs[i].about
                                                                  : NULL;
}

int64_t rls2_explanation_interacting(const rls2_explanation *explanation, int64_t *compared)
{
    if (compared) *compared = explanation ? explanation->partners : 0;
    return explanation ? explanation->interacting : 0;
}
