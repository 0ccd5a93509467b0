/* Fits with one kernel, or with the average of all. */
#include "select/members.h"

#include "base/crew.h"
#include "base/memory.h"
#include "base/status.h"
#include "basis/basis.h"
#include "dictionary/dictionary.h"
#include "la/threads.h"
#include "select/baselines.h"
#include "solver/fixed.h"
#include "solver/path.h"

/* Widths are rarely more: of a longer list the first are as good a choice as any. */
enum { MOST_SINGLE = 32 };

static int looks_at_all(const rls2_dictionary *dictionary, int64_t k)
{
    const rls2__kernel *kernel = &dictionary->kernels[k];
    return kernel->kind == RLS2__KERNEL_GIVEN || kernel->column_count == dictionary->columns;
}

static void append_kernels(const rls2_dictionary *dictionary, int learn, int64_t most,
                           rls2__members *members)
{
    for (int64_t k = 0; k < dictionary->m && members->count < most; k++)
        if (looks_at_all(dictionary, k) && dictionary->kernels[k].learns == learn)
            members->kernels[members->count++] = k;
}

int64_t rls2__members_count(const rls2_dictionary *dictionary)
{
    int64_t single = 0;
    for (int64_t k = 0; k < dictionary->m && single < MOST_SINGLE; k++)
        single += looks_at_all(dictionary, k);
    return single + 2;
}

rls2_baseline rls2__member_rule(int64_t kernel)
{
    return kernel == RLS2__AVERAGE ? RLS2_BASELINE_UNIFORM : RLS2_BASELINE_ALIGNMENT;
}

rls2_status rls2__members_create(const rls2_dictionary *dictionary, rls2__members **out)
{
    rls2__members *members = *out = rls2__alloc_zero(1, sizeof *members);
    int64_t most = rls2__members_count(dictionary);
    if (!members) return RLS2_ERR_MEMORY;
    members->kernels = rls2__alloc(most, sizeof *members->kernels);
    members->predictions = rls2__alloc_zero(most, sizeof *members->predictions);
    if (!members->kernels || !members->predictions) return RLS2_ERR_MEMORY;
    members->kernels[members->count++] = RLS2__AVERAGE;
    members->kernels[members->count++] = RLS2__ALIGNED;
    append_kernels(dictionary, 0, most, members);
    members->learned = members->count;
    append_kernels(dictionary, 1, most, members);
    return RLS2_OK;
}

void rls2__members_free(rls2__members *members)
{
    if (!members) return;
    for (int64_t t = 0; members->predictions && t < members->count; t++)
        rls2__free(members->predictions[t]);
    rls2__free(members->predictions);
    rls2__free(members->kernels);
    rls2__free(members);
}

/* ---- fits ---- */

typedef struct member_task {
    const rls2__recipe *recipe;
    const rls2__fit *fit;
    int64_t kernel;
    int64_t count;
    const double *lambdas;
    rls2_control control;
} member_task;

static void take_one(const rls2_basis *basis, int64_t kernel, rls2__weighting *weighting)
{
    weighting->count = basis->s[kernel] > 0.0;
    weighting->ks[0] = kernel;
    weighting->d[0] = 1.0;
}

/* By the rules of baselines, whose predictions may stand in for those of a member. */
static rls2_status weigh(const member_task *t, const rls2_path_options *options,
                         const rls2_basis *basis, const double *y, rls2__weighting *weighting)
{
    if (t->kernel >= 0) {
        take_one(basis, t->kernel, weighting);
        return RLS2_OK;
    }
    double *alignments = rls2__alloc_zero(basis->m, sizeof *alignments);
    rls2_status status = alignments ? RLS2_OK : RLS2_ERR_MEMORY;
    if (status == RLS2_OK && t->kernel == RLS2__ALIGNED)
        status = rls2__align(options, &t->control, t->count, basis, y, alignments);
    if (status == RLS2_OK)
        rls2__weigh_output(rls2__member_rule(t->kernel), t->fit->outputs, basis, y, alignments,
                           weighting);
    rls2__free(alignments);
    return status;
}

/* A kernel by which hardly any two rows are alike says the mean of everything. That of a single row
 * with itself is left out of the sum of squares: R is nearly a multiple of I where the rest is
 * small. */
static rls2_status check_kernel(const rls2_basis *basis, int64_t kernel, rls2_error *err)
{
    static const double LEAST = 0.02;
    if (kernel < 0 || !(basis->s[kernel] > 0.0)) return RLS2_OK;
    double *work = rls2__alloc(basis->n, sizeof *work);
    if (!work) return rls2__fail_memory(err, "the stack");
    double norm = rls2__basis_frobenius(basis, kernel, work), trace = basis->ops[kernel].trace;
    rls2__free(work);
    if (!(norm * norm * (double)basis->n < (1.0 + LEAST) * trace * trace)) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_NUMERIC, "no two rows are alike by the kernel");
}

static rls2_status fit_output(const member_task *t, int64_t o, rls2_path **path, rls2_error *err)
{
    const rls2_basis *basis = t->fit->bases[o];
    const rls2_path_options all = rls2__fit_path_options(t->recipe, t->fit);
    const rls2_path_options options = rls2__options_of(&all, t->recipe->losses, o);
    const double *y = rls2_dataset_y(t->fit->data) + o * basis->n;
    rls2__weighting weighting = {0};
    rls2_status status = rls2__weighting_create(basis, &weighting);
    if (status == RLS2_OK) status = weigh(t, &options, basis, y, &weighting);
    if (status == RLS2_ERR_CANCELLED) rls2__fail(err, status, "the stack was stopped");
    if (status == RLS2_ERR_MEMORY) rls2__fail_memory(err, "the stack");
    if (status == RLS2_OK && weighting.count == 0)
        status = rls2__fail(err, RLS2_ERR_NUMERIC, "the kernel cannot be scaled");
    if (status == RLS2_OK)
        status = rls2__path_fixed(basis, y, weighting.count, weighting.ks, weighting.d, t->count,
                                  t->lambdas, &options, &t->control, path, err);
    if (status == RLS2_OK) rls2__fit_set_intercept(t->recipe, t->fit, o, *path);
    rls2__weighting_free(&weighting);
    return status;
}

rls2_status rls2__fit_member(const rls2__recipe *recipe, const rls2__fit *fit, int64_t kernel,
                             int64_t count, const double *lambdas, const rls2_control *control,
                             rls2__member_fn take, void *user, rls2_error *err)
{
    member_task t = {recipe, fit, kernel, count, lambdas, *control};
    rls2_status status = rls2__la_enter_team(&t.control.threads, err);
    if (status != RLS2_OK) return status;
    for (int64_t o = 0; o < fit->outputs && status == RLS2_OK; o++) {
        rls2_path *path = NULL;
        status = check_kernel(fit->bases[o], kernel, err);
        if (status == RLS2_OK) status = fit_output(&t, o, &path, err);
        if (status == RLS2_OK) status = take(user, o, path, err);
        rls2__path_destroy(path);
    }
    rls2__la_leave();
    return status;
}

rls2_status rls2__fit_member_paths(const rls2__recipe *recipe, const rls2__fit *fit, int64_t kernel,
                                   double lambda, const rls2_control *control, rls2_path **paths,
                                   rls2_error *err)
{
    member_task t = {recipe, fit, kernel, 1, &lambda, *control};
    t.control.threads = rls2__thread_count(control->threads);
    rls2_status status = rls2__la_enter_team(&t.control.threads, err);
    if (status != RLS2_OK) return status;
    for (int64_t o = 0; o < fit->outputs; o++) paths[o] = NULL;
    for (int64_t o = 0; o < fit->outputs && status == RLS2_OK; o++)
        status = fit_output(&t, o, &paths[o], err);
    rls2__la_leave();
    for (int64_t o = 0; o < fit->outputs && status != RLS2_OK; o++) {
        rls2__path_destroy(paths[o]);
        paths[o] = NULL;
    }
    return status;
}
