/* The pilot of a tall fit: an exact path on a sample of the rows tells which kernels of several
 * columns are worth features. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "plan/fit_tall.h"
#include "stats/landmarks.h"

/* Rows of the sample, and lambdas of its path, four decades down. Enough to tell which kernels
 * matter, and a second or two of work. */
enum { PILOT_ROWS = 1500, PILOT_LAMBDAS = 14 };
static const double PILOT_RATIO = 1e-5, PILOT_GAP = 1e-2;

typedef struct pilot {
    const rls2_plan *plan;
    int64_t n, outputs;
    double *x, *y; /* n x columns, n x outputs */
    rls2_rows rows;
    rls2_basis *basis;
    const rls2_basis **bases;
    rls2_path **paths;
    double *weight; /* kernels: the largest each has */
} pilot;

static void pilot_release(pilot *p)
{
    for (int64_t o = 0; p->paths && o < p->outputs; o++) rls2_path_free(p->paths[o]);
    rls2__free(p->paths);
    rls2__free(p->bases);
    rls2_basis_free(p->basis);
    rls2__free(p->x);
    rls2__free(p->y);
    rls2__free(p->weight);
}

/* Rows at equal distances, whatever their order says. */
static rls2_status take_sample(pilot *p)
{
    const rls2_dataset *data = p->plan->train.data;
    int64_t columns = data->columns, n = data->rows < PILOT_ROWS ? data->rows : PILOT_ROWS;
    p->n = n;
    p->outputs = rls2_dataset_outputs(data);
    p->x = rls2__alloc(rls2__mul(n, columns), sizeof(double));
    p->y = rls2__alloc(rls2__mul(n, p->outputs), sizeof(double));
    p->bases = rls2__alloc(p->outputs, sizeof(rls2_basis *));
    p->paths = rls2__alloc_zero(p->outputs, sizeof(rls2_path *));
    p->weight = rls2__alloc_zero(p->plan->ingredients.dictionary->m, sizeof(double));
    if (!p->x || !p->y || !p->bases || !p->paths || !p->weight) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < n; i++) {
        int64_t row = (int64_t)((double)i * (double)data->rows / (double)n);
        for (int64_t j = 0; j < columns; j++) p->x[j * n + i] = data->x[j * data->rows + row];
        for (int64_t o = 0; o < p->outputs; o++) p->y[o * n + i] = data->y[o * data->rows + row];
    }
    p->rows = (rls2_rows){.n = n, .p = columns, .x = p->x};
    return RLS2_OK;
}

static rls2_status follow_path(pilot *p, const rls2_control *control, rls2_error *err)
{
    const rls2__recipe *recipe = p->plan->ingredients.recipe;
    rls2_basis_options basis = recipe->basis;
    rls2_path_options path = recipe->path;
    double lambdas[PILOT_LAMBDAS];
    basis.row_weights = NULL;
    basis.labels = NULL;
    basis.transductive = NULL;
    path.gap_tol = PILOT_GAP;
    path.degrees_of_freedom = RLS2_DF_NONE;
    rls2_status status = rls2_basis_create(p->plan->ingredients.dictionary, &p->rows, &basis,
                                           control, &p->basis, err);
    for (int64_t o = 0; o < p->outputs; o++) p->bases[o] = p->basis;
    if (status == RLS2_OK)
        status = rls2_lambda_default(p->outputs, p->bases, p->y, path.intercept, PILOT_RATIO,
                                     PILOT_LAMBDAS, lambdas, err);
    if (status != RLS2_OK) return status;
    return rls2_path_fit(p->outputs, p->bases, p->y, PILOT_LAMBDAS, lambdas, &path, control,
                         p->paths, err);
}

/* Below the best lambda kernels fit noise: their weights there say nothing. */
static rls2_status find_weights(pilot *p, const rls2_control *control, rls2_error *err)
{
    rls2_criteria criteria[PILOT_LAMBDAS];
    for (int64_t o = 0; o < p->outputs; o++) {
        const rls2_path *path = p->paths[o];
        int64_t best = 0;
        rls2_status status = rls2_path_criteria(path, control, criteria, sizeof *criteria, err);
        if (status != RLS2_OK) return status;
        for (int64_t i = 1; i < rls2_path_count(path); i++)
            if (criteria[i].gcv < criteria[best].gcv) best = i;
        for (int64_t i = 0; i <= best; i++) {
            const int64_t *ks;
            const double *d;
            int64_t count = rls2_path_kernel_weights(path, i, &ks, &d);
            for (int64_t t = 0; t < count; t++) p->weight[ks[t]] = fmax(p->weight[ks[t]], d[t]);
        }
    }
    return RLS2_OK;
}

static int is_needed(const rls2_plan *plan, const rls2__axes *axes)
{
    const rls2_dictionary *dictionary = plan->ingredients.dictionary;
    for (int64_t k = 0; k < dictionary->m; k++)
        if (!rls2__kernel_has_axes(axes, &dictionary->kernels[k])) return 1;
    return 0;
}

static rls2_status choose(const pilot *p, rls2__effort *effort, const rls2__axes *axes,
                          rls2__features **features)
{
    const rls2_dictionary *dictionary = p->plan->ingredients.dictionary;
    const rls2__landmark_limits limits = rls2__landmark_defaults();
    const rls2__pilot found = {.sample = &p->rows,
                               .kernels = dictionary->m,
                               .kernel = dictionary->kernels,
                               .weight = p->weight};
    return rls2__landmarks_choose(effort, axes, &found, &limits, features);
}

rls2_status rls2__tall_pilot(const rls2_plan *plan, rls2__effort *effort, const rls2__axes *axes,
                             rls2__features **features, rls2_error *err)
{
    pilot p = {.plan = plan};
    rls2_control control = *effort->control;
    *features = NULL;
    if (!is_needed(plan, axes)) return RLS2_OK;
    control.progress = effort->control->progress;
    rls2_status status = take_sample(&p) == RLS2_OK ? RLS2_OK : rls2__fail_memory(err, "the pilot");
    if (status == RLS2_OK) status = follow_path(&p, &control, err);
    for (int64_t o = 0; o < p.outputs && status == RLS2_OK; o++)
        if (rls2_path_count(p.paths[o]) < PILOT_LAMBDAS)
            status = rls2__fail(err, RLS2_ERR_CANCELLED, "stopped at the pilot");
    if (status == RLS2_OK) status = find_weights(&p, &control, err);
    if (status == RLS2_OK && choose(&p, effort, axes, features) != RLS2_OK)
        status = rls2__fail_memory(err, "the landmarks");
    pilot_release(&p);
    return status;
}
