/* Data of the shape of 14 Cancers: 144 patients, 16,063 genes, 14 classes, made by chance.
 *
 *   rls2_bench_cancers [THREADS [SEED [GENES]]]
 *
 * The paper's way with them (experiments/cancer_protocol.h), a step at a time: the table, its data
 * set, kernels and paths of the final fit, 8 stratified folds over the same 50 lambdas. For each
 * step the seconds that passed and those of the processors, of all threads together: on a shared
 * machine only the latter can be compared. The goal is 15 s for all steps but the first with two
 * idle processors.
 *
 * `sum` is a checksum of the bits of every coefficient c, weight d and prediction of the folds:
 * what makes the work faster without changing its results leaves it alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"
#include "experiments/cancer_protocol.h"

/* ---- two clocks ---- */

/* Since *from, which is set to now. */
static clocks tell(const char *step, clocks *from)
{
    clocks to = now();
    const clocks took = {to.wall - from->wall, to.processor - from->processor};
    printf("%-12s %8.2f s %8.2f s of processors\n", step, took.wall, took.processor);
    fflush(stdout);
    *from = to;
    return took;
}

/* ---- a checksum (FNV-1a) ---- */

static void add_bits(uint64_t *sum, size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[sizeof(double)];
        memcpy(bytes, &values[i], sizeof bytes);
        for (size_t b = 0; b < sizeof bytes; b++)
            *sum = (*sum ^ bytes[b]) * UINT64_C(1099511628211);
    }
}

static void add_path(uint64_t *sum, const rls2_path *path, int64_t n)
{
    for (int64_t i = 0; i < rls2_path_count(path); i++) {
        const double *d;
        int64_t selected = rls2_path_kernel_weights(path, i, NULL, &d);
        add_bits(sum, (size_t)selected, d);
        add_bits(sum, (size_t)n, rls2_path_c(path, i));
    }
}

/* ---- the steps ---- */

typedef struct work {
    clocks at, total;
    uint64_t sum;
    int64_t factorizations, priced, offered;
} work;

static void end_step(work *w, const char *step)
{
    clocks took = tell(step, &w->at);
    w->total.wall += took.wall;
    w->total.processor += took.processor;
}

static int on_stage(void *user, const char *stage, rls2_fit *so_far)
{
    (void)so_far;
    end_step(user, stage);
    return 0;
}

static rls2_plan *make_plan(const cancer_set *set, uint64_t seed)
{
    rls2_error err;
    rls2_plan *plan = NULL;
    char count[16], folds[16], start[32];
    snprintf(count, sizeof count, "%d", CANCER_LAMBDAS);
    snprintf(folds, sizeof folds, "%d", CANCER_FOLDS);
    snprintf(start, sizeof start, "%llu", (unsigned long long)seed);
    const experiment_setting settings[] = {
        {"target", set->target}, {"task", "classification"}, {"examples", "standardize"},
        {"kernels", "linear"},   {"scaling", "fisher-sqrt"}, {"intercept", "none"},
        {"lambda-count", count}, {"folds", folds},           {"seed", start},
        {"measure", "accuracy"}, {"baselines", "false"},     {NULL, NULL}};
    must_be_ok(experiment_plan(RLS2_GOAL_ALL, settings, &plan, &err), &err);
    must_be_ok(rls2_plan_complete(plan, set->train, &err), &err);
    return plan;
}

static void add_paths(work *w, const rls2_fit *fit)
{
    int64_t n = rls2_dataset_rows(rls2_fit_data(fit));
    for (int64_t o = 0; o < rls2_fit_outputs(fit); o++) add_path(&w->sum, rls2_fit_path(fit, o), n);
    for (int64_t i = 0; i < rls2_fit_count(fit); i++) {
        const rls2_path_point *point = rls2_fit_at(fit, i);
        w->factorizations += point->factorizations;
        w->priced += point->priced;
        w->offered += point->offered;
    }
}

static void add_curve(work *w, const rls2_cv *cv)
{
    size_t values = (size_t)(rls2_cv_rows(cv) * rls2_cv_outputs(cv));
    for (int64_t i = 0; i < rls2_cv_count(cv); i++)
        add_bits(&w->sum, values, rls2_cv_predictions(cv, i));
}

int main(int argc, char **argv)
{
    rls2_error err;
    rls2_fit *fit = NULL;
    rls2_control control;
    cancer_set set;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    work w = {.at = now(), .sum = UINT64_C(14695981039346656037)};
    cancer_plan shape = cancer_plan_14;
    if (argc > 3) shape.genes = strtoll(argv[3], NULL, 10);
    must_be_ok(cancer_set_generate(&shape, seed, &set, &err), &err);
    tell("table", &w.at);

    rls2_control_init(&control, sizeof control);
    control.threads = argc > 1 ? atoi(argv[1]) : 2;
    control.stage_done = on_stage;
    control.user = &w;
    rls2_plan *plan = make_plan(&set, seed);
    end_step(&w, "data set");
    must_be_ok(rls2_plan_fit(plan, &control, &fit, &err), &err);

    add_paths(&w, fit);
    add_curve(&w, rls2_fit_cv(fit));
    printf("%-12s %8.2f s %8.2f s of processors, without the table\n", "in all", w.total.wall,
           w.total.processor);
    printf("final fit: %lld factorisations, %lld of %lld kernels priced; sum %016llx\n",
           (long long)w.factorizations, (long long)w.priced, (long long)w.offered,
           (unsigned long long)w.sum);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    cancer_set_free(&set);
    return 0;
}
