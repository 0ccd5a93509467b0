/* The rows that are looked at, standardised; the search; and widths of the columns as they are.
 *
 * Whatever the scale of a column, its width is found for it divided by its deviation: the answer
 * does not depend on how the table was preprocessed. A row of weight u has the noise 1/u, in the
 * mean of all weights. [MATH.md, H1] */
#include "widths/widths.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/control.h"
#include "base/effort.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "dictionary/dictionary_widths.h"
#include "la/threads.h"
#include "widths/descent.h"
#include "widths/different_rows.h"

/* In units of the logarithm of a probability. */
static const double ENOUGH = 1e-2;
static const uint64_t SEED = 22;

/* ---- rows ---- */

static int ascending(const void *a, const void *b)
{
    int64_t u = *(const int64_t *)a, v = *(const int64_t *)b;
    return (u > v) - (u < v);
}

/* Of *count numbers those that are looked at, in their order. */
static rls2_status choose_rows(int64_t *numbers, int64_t *count)
{
    rls2__random random;
    if (*count <= RLS2__WIDTHS_ROWS) return RLS2_OK;
    int64_t *places = rls2__alloc(*count, sizeof *places);
    if (!places) return RLS2_ERR_MEMORY;
    rls2__random_seed(&random, SEED);
    rls2__random_permutation(&random, *count, places);
    qsort(places, RLS2__WIDTHS_ROWS, sizeof *places, ascending);
    for (int64_t i = 0; i < RLS2__WIDTHS_ROWS; i++) numbers[i] = numbers[places[i]];
    rls2__free(places);
    *count = RLS2__WIDTHS_ROWS;
    return RLS2_OK;
}

/* Of the numbers at these places, less their mean and divided by their deviation; returns the
 * variance. Zeros, and 0, where it is none or not a number to divide by. */
static double standardise(int64_t n, const int64_t *numbers, const double *weights,
                          const double *from, double *to)
{
    double total = 0.0, mean = 0.0, variance = 0.0;
    for (int64_t i = 0; i < n; i++) total += weights[numbers[i]];
    for (int64_t i = 0; i < n; i++) mean += weights[numbers[i]] / total * from[numbers[i]];
    for (int64_t i = 0; i < n; i++) {
        to[i] = from[numbers[i]] - mean;
        variance += weights[numbers[i]] / total * to[i] * to[i];
    }
    double floor = 1e-28 * mean * mean; /* what rounding leaves of equal numbers */
    int usable = variance > floor && isfinite(variance) && isfinite(1.0 / variance);
    for (int64_t i = 0; i < n; i++) to[i] = usable ? to[i] / sqrt(variance) : 0.0;
    return usable ? variance : 0.0;
}

static void fill_noise(const int64_t *numbers, const double *weights, rls2__evidence *e)
{
    double mean = 0.0;
    for (int64_t i = 0; i < e->n; i++) {
        rls2__invariant(weights[numbers[i]] > 0.0);
        mean += weights[numbers[i]] / (double)e->n;
    }
    for (int64_t i = 0; i < e->n; i++) e->noise[i] = mean / weights[numbers[i]];
}

/* Columns that are the same in all rows are no part of it: a table without them has the same
 * widths. */
static void fill(const rls2__width_set *set, const rls2__width_lesson *lesson,
                 const int64_t *numbers, const double *weights, rls2__evidence *e,
                 double *variances)
{
    const rls2_rows *rows = lesson->rows;
    int64_t ldx = rows->ldx ? rows->ldx : rows->n;
    e->p = 0;
    for (int64_t t = 0; t < set->count; t++) {
        variances[t] = standardise(e->n, numbers, weights, rows->x + set->columns[t] * ldx,
                                   e->x + e->p * e->n);
        e->p += variances[t] > 0.0;
    }
    for (int64_t o = 0; o < lesson->outputs; o++)
        standardise(e->n, numbers, weights, lesson->y + o * rows->n, e->y + o * e->n);
    fill_noise(numbers, weights, e);
}

rls2_status rls2__widths_prepare(const rls2__width_set *set, const rls2__width_lesson *lesson,
                                 rls2__evidence *evidence, double *variances)
{
    int64_t n = lesson->rows->n, count = 0;
    int64_t *numbers = rls2__alloc(n, sizeof *numbers);
    double *weights = rls2__alloc(n, sizeof *weights);
    rls2_status status = numbers && weights ? RLS2_OK : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) status = rls2__different_rows(set, lesson, numbers, weights, &count);
    if (status == RLS2_OK) status = choose_rows(numbers, &count);
    if (status == RLS2_OK)
        status = rls2__evidence_create(count, set->count, lesson->outputs, evidence);
    if (status == RLS2_OK) fill(set, lesson, numbers, weights, evidence, variances);
    rls2__free(weights);
    rls2__free(numbers);
    return status;
}

/* ---- the search ---- */

typedef struct watched {
    rls2__evidence *evidence;
    rls2__effort *effort;
} watched;

static double evaluate(void *user, const double *parameters, double *gradient)
{
    watched *it = user;
    rls2__effort_count(it->effort, 1);
    if (rls2__effort_stopped(it->effort)) return NAN;
    return rls2__evidence_evaluate(it->evidence, parameters, gradient);
}

static rls2_status search(rls2__effort *effort, rls2__evidence *evidence, double *parameters)
{
    watched it = {evidence, effort};
    const rls2__descent descent = {.count = evidence->p + RLS2__EVIDENCE_OTHERS,
                                   .function = evaluate,
                                   .user = &it,
                                   .evaluations = RLS2__WIDTHS_EVALUATIONS,
                                   .tol = ENOUGH};
    double *work = rls2__alloc(rls2__descent_work(descent.count), sizeof *work);
    if (!work) return RLS2_ERR_MEMORY;
    rls2__evidence_start(evidence, parameters);
    rls2__descend(&descent, parameters, work);
    rls2__free(work);
    return RLS2_OK;
}

/* Variances become widths. A column that is the same in all rows says nothing: its width is as near
 * to 0 as a number gets whose product with an infinite square is none the less infinite. */
static void take_widths(int64_t count, const double *parameters, double *widths)
{
    for (int64_t t = 0; t < count; t++) {
        double width = widths[t] > 0.0 ? exp(*parameters++) / widths[t] : 0.0;
        widths[t] = fmin(fmax(width, DBL_MIN), DBL_MAX);
    }
}

static rls2_status learn_set(rls2__effort *effort, const rls2__width_set *set,
                             const rls2__width_lesson *lesson, double *widths)
{
    rls2__evidence evidence = {0};
    double *parameters =
        rls2__alloc(rls2__add(set->count, RLS2__EVIDENCE_OTHERS), sizeof *parameters);
    rls2_status status = parameters ? RLS2_OK : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) status = rls2__widths_prepare(set, lesson, &evidence, widths);
    if (status == RLS2_OK && evidence.p > 0) status = search(effort, &evidence, parameters);
    if (status == RLS2_OK) take_widths(set->count, parameters, widths);
    rls2__evidence_release(&evidence);
    rls2__free(parameters);
    return status;
}

static rls2_status learn_sets(rls2__effort *effort, const rls2_dictionary *dictionary,
                              const rls2__width_lesson *lesson, double *widths)
{
    rls2_status status = RLS2_OK;
    rls2__effort_expect(effort, dictionary->set_count * RLS2__WIDTHS_EVALUATIONS);
    for (int64_t g = 0; g < dictionary->set_count && status == RLS2_OK; g++) {
        status = learn_set(effort, &dictionary->sets[g], lesson, widths);
        widths += dictionary->sets[g].count;
        if (status == RLS2_OK) status = rls2__effort_status(effort);
    }
    return status;
}

rls2_status rls2__widths_learn(const rls2_dictionary *dictionary, const rls2__width_lesson *lesson,
                               const rls2_control *control, rls2_dictionary **learned,
                               rls2_error *err)
{
    rls2__effort effort;
    rls2_control alone = *control;
    if (rls2__dictionary_unlearned(dictionary) < 0) {
        *learned = rls2__dictionary_share(dictionary);
        return RLS2_OK;
    }
    rls2_status status = rls2__la_enter(err);
    if (status != RLS2_OK) return status;
    alone.threads = 1;
    rls2__effort_begin(&alone, "kernels", dictionary->m, &effort);
    double *widths = rls2__alloc(rls2__dictionary_width_count(dictionary), sizeof *widths);
    status = widths ? learn_sets(&effort, dictionary, lesson, widths) : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) status = rls2__dictionary_with_widths(dictionary, widths, learned);
    rls2__free(widths);
    rls2__la_leave();
    if (status == RLS2_ERR_CANCELLED)
        return rls2__fail(err, status, "cancelled while widths were learned");
    return status == RLS2_OK ? status : rls2__fail_memory(err, "learning the widths");
}
