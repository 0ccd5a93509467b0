/* The triangles of all splits, and virtual rows made of them. */
#include "select/split_triangles.h"

#include <string.h>

#include "base/crew.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "la/threads.h"
#include "select/splits.h"
#include "select/taken.h"
#include "solver/solver.h"
#include "table/dataset.h"
#include "table/preprocess.h"

/* There are to be this many training rows to a virtual one; and triangles of all splits may take
 * so many values, or as many as so many copies of the data. */
enum { ROWS_PER_VIRTUAL = 3, FEW_VALUES = 1 << 23, COPIES = 2 };

void rls2__split_triangles_free(rls2__split_triangles *it)
{
    if (!it) return;
    for (int64_t s = 0; it->training && s < it->splits; s++)
        rls2__row_triangle_release(&it->training[s]);
    for (int64_t s = 0; it->left_out && s < it->splits; s++)
        rls2__row_triangle_release(&it->left_out[s]);
    rls2__free(it->training);
    rls2__free(it->left_out);
    rls2__free(it->offsets);
    rls2__free(it);
}

/* ---- whether ---- */

static int64_t fewest_training(const rls2_splits *splits)
{
    int64_t fewest = splits->n;
    for (int64_t s = 0; s < splits->count; s++)
        if (splits->training[s] < fewest) fewest = splits->training[s];
    return fewest;
}

/* Class weights differ from split to split, and Fisher rules ask for the classes of rows. The
 * paper's algorithm is left as it is written: on the rows themselves. */
static int is_linear_fit(const rls2__ingredients *from)
{
    const rls2__recipe *recipe = from->recipe;
    return from->prepared && rls2__is_centred_anew(from) && !recipe->class_weights &&
           (recipe->basis.scaling == RLS2_SCALING_NONE ||
            recipe->basis.scaling == RLS2_SCALING_TRACE) &&
           recipe->path.solver == RLS2_SOLVER_NEWTON && !rls2__is_general(&recipe->path);
}

static int pays(const rls2__ingredients *from, const rls2_splits *splits)
{
    const rls2_dataset *all = from->prepared->data;
    int64_t order = 1 + all->columns + rls2_dataset_outputs(all);
    double values = 2.0 * (double)splits->count * (double)order * (double)order;
    return order <= fewest_training(splits) / ROWS_PER_VIRTUAL &&
           (values <= FEW_VALUES || values <= (double)COPIES * (double)all->rows * (double)order);
}

/* ---- making ---- */

/* Do the splits of a repeat leave out each row once, and learn from all others? seen: n */
static int is_partition(const rls2_splits *splits, int64_t first, int64_t end, unsigned char *seen)
{
    int64_t left = splits->n;
    memset(seen, 0, (size_t)splits->n);
    for (int64_t s = first; s < end; s++) {
        const int64_t *rows;
        int64_t count = rls2_splits_validation(splits, s, &rows);
        if (count + splits->training[s] != splits->n) return 0;
        for (int64_t i = 0; i < count; i++) {
            if (seen[rows[i]]) return 0;
            seen[rows[i]] = 1;
        }
        left -= count;
    }
    return left == 0;
}

typedef struct making {
    rls2__effort *effort;
    const rls2_dataset *data;
    const rls2_splits *splits;
    rls2__split_triangles *it;
    unsigned char *seen; /* rows */
} making;

static rls2_status add_rows(const making *m, int64_t count, const int64_t *rows,
                            rls2__row_triangle *moments)
{
    return rls2__row_triangle_add(m->effort, m->data, m->it->offsets, count, rows, moments);
}

static rls2_status add_left_out(const making *m, int64_t s)
{
    const int64_t *rows;
    int64_t count = rls2_splits_validation(m->splits, s, &rows);
    return add_rows(m, count, rows, &m->it->left_out[s]);
}

static rls2_status add_training(const making *m, int64_t s)
{
    const int64_t *rows;
    int64_t count = rls2_splits_training(m->splits, s, &rows);
    return add_rows(m, count, rows, &m->it->training[s]);
}

/* Training rows of a fold are those of the folds after it and of those before it. */
static rls2_status merge_others(const making *m, int64_t first, int64_t end)
{
    rls2__row_triangle *training = m->it->training, before;
    const rls2__row_triangle *left_out = m->it->left_out;
    rls2_status status = rls2__row_triangle_create(left_out->p, left_out->outputs, &before);
    for (int64_t s = end - 2; s >= first && status == RLS2_OK; s--) {
        rls2__row_triangle_copy(&training[s + 1], &training[s]);
        status = rls2__row_triangle_merge(&left_out[s + 1], &training[s]);
    }
    for (int64_t s = first; s < end && status == RLS2_OK; s++) {
        if (s > first) status = rls2__row_triangle_merge(&before, &training[s]);
        if (status == RLS2_OK) status = rls2__row_triangle_merge(&left_out[s], &before);
        if (status == RLS2_OK) status = rls2__effort_status(m->effort);
    }
    rls2__row_triangle_release(&before);
    return status;
}

static rls2_status make_repeat(const making *m, int64_t first, int64_t end)
{
    rls2_status status = RLS2_OK;
    for (int64_t s = first; s < end && status == RLS2_OK; s++) status = add_left_out(m, s);
    if (status == RLS2_OK && is_partition(m->splits, first, end, m->seen))
        return merge_others(m, first, end);
    for (int64_t s = first; s < end && status == RLS2_OK; s++) status = add_training(m, s);
    return status;
}

static rls2_status make_all(const making *m)
{
    int64_t count = m->splits->count, step = m->splits->repeat;
    rls2_status status = RLS2_OK;
    for (int64_t s = 0; s < count && status == RLS2_OK; s += step)
        status = make_repeat(m, s, count - s < step ? count : s + step);
    return status;
}

static rls2_status reserve(const rls2_dataset *data, rls2__split_triangles *it)
{
    rls2_status status = RLS2_OK;
    it->training = rls2__alloc_zero(it->splits, sizeof *it->training);
    it->left_out = rls2__alloc_zero(it->splits, sizeof *it->left_out);
    it->offsets = rls2__alloc(it->outputs, sizeof *it->offsets);
    if (!it->training || !it->left_out || !it->offsets) return RLS2_ERR_MEMORY;
    for (int64_t s = 0; s < it->splits && status == RLS2_OK; s++) {
        status = rls2__row_triangle_create(data->columns, it->outputs, &it->training[s]);
        if (status == RLS2_OK)
            status = rls2__row_triangle_create(data->columns, it->outputs, &it->left_out[s]);
    }
    return status;
}

/* Any numbers near the means will do. */
static void find_offsets(const rls2_dataset *data, double *offsets, int64_t outputs)
{
    double n = (double)data->rows;
    for (int64_t o = 0; o < outputs; o++) {
        const double *y = data->y + o * data->rows;
        offsets[o] = 0.0;
        for (int64_t i = 0; i < data->rows; i++) offsets[o] += y[i] / n;
    }
}

static rls2_status make(const rls2_dataset *data, const rls2_splits *splits, rls2__effort *effort,
                        rls2__split_triangles *it)
{
    making m = {.effort = effort, .data = data, .splits = splits, .it = it};
    rls2_status status = reserve(data, it);
    if (status != RLS2_OK) return status;
    find_offsets(data, it->offsets, it->outputs);
    m.seen = rls2__alloc(data->rows, 1);
    status = m.seen ? make_all(&m) : RLS2_ERR_MEMORY;
    rls2__free(m.seen);
    return status;
}

static rls2_status make_on_threads(const rls2_dataset *data, const rls2_splits *splits,
                                   const rls2_control *control, rls2__split_triangles *it,
                                   rls2_error *err)
{
    rls2_control own = *control;
    rls2__effort effort;
    own.threads = rls2__thread_count(own.threads);
    rls2_status status = rls2__la_enter_team(&own.threads, err);
    if (status != RLS2_OK) return status;
    rls2__effort_begin(&own, "splits", splits->count, &effort);
    status = make(data, splits, &effort, it);
    rls2__la_leave();
    if (status == RLS2_ERR_CANCELLED) rls2__fail(err, status, "cross-validation was stopped");
    if (status == RLS2_ERR_MEMORY) rls2__fail_memory(err, "the sums over rows");
    return status;
}

static int are_finite(const rls2__split_triangles *it)
{
    for (int64_t s = 0; s < it->splits; s++)
        if (!rls2__row_triangle_are_finite(&it->training[s]) ||
            !rls2__row_triangle_are_finite(&it->left_out[s]))
            return 0;
    return 1;
}

rls2_status rls2__split_triangles_create(const rls2__ingredients *from, const rls2_splits *splits,
                                         const rls2_control *control, rls2__split_triangles **out,
                                         rls2_error *err)
{
    *out = NULL;
    if (!is_linear_fit(from) || !pays(from, splits)) return RLS2_OK;
    const rls2_dataset *data = from->prepared->data;
    rls2__split_triangles *it = rls2__alloc_zero(1, sizeof *it);
    if (!it) return rls2__fail_memory(err, "the sums over rows");
    it->splits = splits->count;
    it->outputs = rls2_dataset_outputs(data);
    rls2_status status = make_on_threads(data, splits, control, it, err);
    if (status == RLS2_OK && are_finite(it))
        *out = it;
    else
        rls2__split_triangles_free(it);
    return status;
}

/* ---- virtual rows ---- */

/* As many rows, of any numbers. */
static rls2_status reserve_rows(const rls2__ingredients *from, int64_t count, rls2__fit *fit,
                                rls2_error *err)
{
    int64_t *numbers = rls2__alloc(count, sizeof *numbers);
    if (!numbers) return rls2__fail_memory(err, "the rows of a split");
    for (int64_t i = 0; i < count; i++) numbers[i] = i;
    rls2_status status = rls2__dataset_take(from->prepared->data, count, numbers, &fit->data, err);
    rls2__free(numbers);
    if (status != RLS2_OK) return status;
    rls2__free(fit->data->weights); /* they are part of the numbers */
    fit->data->weights = NULL;
    return RLS2_OK;
}

/* A column that is the same in all rows is zero, without rounding. */
static void fill_inputs(const rls2__row_triangle *of, double *x, double *centers)
{
    int64_t k = of->order;
    for (int64_t j = 0; j < of->p; j++, x += k) {
        const double *column = of->T + (1 + j) * k;
        int constant = of->low[j] == of->high[j];
        centers[j] = constant ? of->low[j] : column[0] / of->T[0];
        memcpy(x, column, (size_t)k * sizeof *x);
        x[0] = 0.0;
        if (constant) memset(x, 0, (size_t)k * sizeof *x);
    }
}

static void fill_responses(const rls2__row_triangle *of, const double *offsets, int has_intercept,
                           double *y, double *means)
{
    int64_t k = of->order;
    for (int64_t o = 0; o < of->outputs; o++, y += k) {
        const double *column = of->T + (1 + of->p + o) * k;
        means[o] = offsets[o] + column[0] / of->T[0];
        memcpy(y, column, (size_t)k * sizeof *y);
        y[0] = has_intercept ? 0.0 : means[o] * of->T[0];
    }
}

rls2_status rls2__take_virtual(const rls2__ingredients *from, const rls2__split_triangles *moments,
                               int64_t s, rls2__fit *fit, rls2_error *err)
{
    const rls2__row_triangle *of = &moments->training[s];
    rls2_status status = reserve_rows(from, of->order, fit, err);
    if (status != RLS2_OK) return status;
    fit->centers = rls2__alloc(of->p, sizeof *fit->centers);
    fit->means = rls2__alloc(of->outputs, sizeof *fit->means);
    if (!fit->centers || !fit->means) return rls2__fail_memory(err, "the means of the columns");
    fill_inputs(of, fit->data->x, fit->centers);
    fill_responses(of, moments->offsets, from->recipe->path.intercept == RLS2_INTERCEPT_MEAN,
                   fit->data->y, fit->means);
    for (int64_t j = 0; j < of->p; j++)
        if (of->low[j] == of->high[j] && !rls2__is_constant_in_all(from, j))
            rls2__preparation_set_absent(&fit->data->preparation, j);
    return RLS2_OK;
}
