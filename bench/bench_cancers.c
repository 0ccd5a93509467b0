/* Data of the shape of 14 Cancers: 144 patients, 16,063 genes, 14 classes, made by chance.
 *
 *   rls2_bench_cancers [THREADS [SEED [GENES]]]
 *
 * The paper's way with them (experiments/cancer_protocol.h), a step at a time: the table, its data
 * set, the bases and paths of the final fit, 8 stratified folds over the same 50 lambdas. For each
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
        int64_t selected = rls2_path_weights(path, i, NULL, &d);
        add_bits(sum, (size_t)selected, d);
        add_bits(sum, (size_t)n, rls2_path_c(path, i));
    }
}

/* ---- the steps ---- */

typedef struct work {
    int threads;
    uint64_t seed, sum;
    cancer_set set;
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    int64_t outputs;
    rls2_basis *bases[CANCER_CLASSES];
    rls2_path *paths[CANCER_CLASSES];
    double lambdas[CANCER_LAMBDAS];
    int64_t factorizations, priced, offered;
} work;

static rls2_recipe recipe_of(const work *w)
{
    rls2_recipe recipe = rls2_recipe_default();
    recipe.data.target = w->set.target;
    recipe.data.classify = 1;
    recipe.preprocessing.examples = RLS2_NORMALIZE_STANDARDIZE;
    recipe.kernels = "linear";
    recipe.basis.scaling = RLS2_SCALING_FISHER_SQRT;
    recipe.basis.skip_degenerate = 1;
    recipe.basis.threads = w->threads;
    recipe.path.intercept = RLS2_INTERCEPT_NONE;
    recipe.lambda_count = CANCER_LAMBDAS;
    recipe.lambdas = w->lambdas;
    return recipe;
}

static void make_data(work *w)
{
    rls2_error err;
    rls2_recipe recipe = recipe_of(w);
    must_be_ok(rls2_dataset_create(w->set.train, &recipe.data, &w->data, &err), &err);
    must_be_ok(rls2_dataset_preprocess(w->data, recipe.preprocessing, NULL, &err), &err);
    w->outputs = rls2_dataset_outputs(w->data);
}

static void make_bases(work *w)
{
    rls2_error err;
    rls2_recipe recipe = recipe_of(w);
    rls2_columns columns = {.count = rls2_dataset_columns(w->data),
                            .names = rls2_dataset_names(w->data)};
    rls2_rows rows = {.n = rls2_dataset_rows(w->data),
                      .p = rls2_dataset_columns(w->data),
                      .x = rls2_dataset_x(w->data)};
    recipe.basis.labels = rls2_dataset_y(w->data);
    must_be_ok(rls2_dictionary_create(recipe.kernels, &columns, &w->dictionary, &err), &err);
    must_be_ok(rls2_basis_create(w->dictionary, &rows, &recipe.basis, &w->bases[0], &err), &err);
    for (int64_t o = 1; o < w->outputs; o++)
        must_be_ok(rls2_basis_rescale(w->bases[0], rls2_dataset_y(w->data) + o * rows.n,
                                      &w->bases[o], &err),
                   &err);
}

static void fit_paths(work *w)
{
    rls2_error err;
    rls2_recipe recipe = recipe_of(w);
    const rls2_basis *bases[CANCER_CLASSES];
    const double *y = rls2_dataset_y(w->data);
    for (int64_t o = 0; o < w->outputs; o++) bases[o] = w->bases[o];
    must_be_ok(rls2_lambda_default_outputs(w->outputs, bases, y, RLS2_INTERCEPT_NONE, 1e-6,
                                           CANCER_LAMBDAS, w->lambdas, &err),
               &err);
    must_be_ok(rls2_path_fit_outputs(w->outputs, bases, y, CANCER_LAMBDAS, w->lambdas, &recipe.path,
                                     w->threads, w->paths, &err),
               &err);
    for (int64_t o = 0; o < w->outputs; o++) {
        add_path(&w->sum, w->paths[o], rls2_dataset_rows(w->data));
        for (int64_t i = 0; i < rls2_path_count(w->paths[o]); i++) {
            const rls2_path_point *point = rls2_path_at(w->paths[o], i);
            w->factorizations += point->factorizations;
            w->priced += point->priced;
            w->offered += point->offered;
        }
    }
}

static void cross_validate(work *w)
{
    rls2_error err;
    rls2_recipe recipe = recipe_of(w);
    rls2_cv_options options = rls2_cv_options_default();
    rls2_splits *folds;
    rls2_cv *cv;
    int64_t n = rls2_dataset_rows(w->data);
    double *strata = must(malloc((size_t)n * sizeof *strata));
    for (int64_t i = 0; i < n; i++) strata[i] = (double)rls2_dataset_classes(w->data)[i];
    options.measure = RLS2_MEASURE_ACCURACY;
    options.threads = w->threads;
    must_be_ok(rls2_splits_folds(n, strata, CANCER_FOLDS, 1, w->seed, &folds, &err), &err);
    must_be_ok(rls2_cv_run(w->set.train, &recipe, folds, &options, &cv, &err), &err);
    for (int64_t i = 0; i < CANCER_LAMBDAS; i++)
        add_bits(&w->sum, (size_t)(n * w->outputs), rls2_cv_predictions(cv, i));
    rls2_cv_free(cv);
    rls2_splits_free(folds);
    free(strata);
}

static void work_free(work *w)
{
    for (int64_t o = 0; o < w->outputs; o++) rls2_path_free(w->paths[o]);
    for (int64_t o = w->outputs; o-- > 0;) rls2_basis_free(w->bases[o]);
    rls2_dictionary_free(w->dictionary);
    rls2_dataset_free(w->data);
    cancer_set_free(&w->set);
}

int main(int argc, char **argv)
{
    rls2_error err;
    work w = {.threads = argc > 1 ? atoi(argv[1]) : 2,
              .seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1,
              .sum = UINT64_C(14695981039346656037)};
    cancer_plan plan = cancer_plan_14;
    if (argc > 3) plan.genes = strtoll(argv[3], NULL, 10);
    clocks at = now(), total = {0.0, 0.0};
    must_be_ok(cancer_set_generate(&plan, w.seed, &w.set, &err), &err);
    tell("table", &at);
    static const struct {
        const char *name;
        void (*run)(work *w);
    } steps[] = {{"data set", make_data},
                 {"bases", make_bases},
                 {"paths", fit_paths},
                 {"folds", cross_validate}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        steps[i].run(&w);
        clocks took = tell(steps[i].name, &at);
        total.wall += took.wall;
        total.processor += took.processor;
    }
    printf("%-12s %8.2f s %8.2f s of processors, without the table\n", "in all", total.wall,
           total.processor);
    printf("final fit: %lld factorisations, %lld of %lld kernels priced; sum %016llx\n",
           (long long)w.factorizations, (long long)w.priced, (long long)w.offered,
           (unsigned long long)w.sum);
    work_free(&w);
    return 0;
}
