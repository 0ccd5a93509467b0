/* The paper's benchmark (sec. 5.2), split by split.
 *
 * The trace scaling is transductive, over the training and test rows of a split, which together are
 * all rows: so the scaled kernels are the same for every split. They are evaluated once for each
 * data set, on all rows, and a split takes its training rows from that basis. Splits run side by
 * side, each on one thread. */
#include "experiments/uci.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/units.h"

enum { UCI_WIDTH = sizeof(uci_split) / sizeof(double) };
_Static_assert(sizeof(uci_split) == (3 * UCI_LAMBDAS + 5) * sizeof(double),
               "a split is numbers only");

/* One data set with all its splits. */
typedef struct job {
    const reproduction *r;
    const uci_set *set;
    const double *lambdas;
    int64_t count; /* splits of each ratio */
    rls2_dataset *data;
    uint64_t fingerprint; /* of the data: with others a split is another one */
    rls2_dictionary *dictionary;
    rls2_basis *whole;
    rls2_splits *splits[UCI_RATIOS];
} job;

/* ---- one split ---- */

/* Some rows of the data; own. */
typedef struct part {
    int64_t n, p;
    double *x, *y;
} part;

static void part_free(part *some)
{
    free(some->x);
    free(some->y);
}

static rls2_status part_take(const rls2_dataset *data, int64_t count, const int64_t *rows,
                             part *some, rls2_error *err)
{
    int64_t n = rls2_dataset_rows(data), p = rls2_dataset_columns(data);
    *some = (part){.n = count, .p = p};
    some->x = malloc((size_t)(count * p + 1) * sizeof(double));
    some->y = malloc((size_t)(count + 1) * sizeof(double));
    if (!some->x || !some->y)
        return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory: rows of a split");
    for (int64_t j = 0; j < p; j++)
        for (int64_t i = 0; i < count; i++)
            some->x[j * count + i] = rls2_dataset_x(data)[j * n + rows[i]];
    for (int64_t i = 0; i < count; i++) some->y[i] = rls2_dataset_y(data)[rows[i]];
    return RLS2_OK;
}

static void describe(const rls2_path *path, uci_split *split)
{
    for (int64_t i = 0; i < UCI_LAMBDAS; i++) {
        const rls2_path_point *point = rls2_path_at(path, i);
        split->kernels[i] = (double)point->selected;
        split->iterations[i] = (double)point->iterations;
        split->factorizations += (double)point->factorizations;
        split->worst_gap = fmax(split->worst_gap, point->gap);
        split->unconverged += point->outcome != RLS2_OUTCOME_CONVERGED;
    }
}

static rls2_status score(const rls2_path *path, const part *test, int classify, double *scores,
                         rls2_error *err)
{
    const rls2_rows rows = {.n = test->n, .p = test->p, .x = test->x};
    double *f = malloc((size_t)test->n * UCI_LAMBDAS * sizeof(double));
    if (!f) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory: predictions of a split");
    rls2_status status = rls2_path_predict(path, &rows, f, err);
    for (int64_t i = 0; i < UCI_LAMBDAS && status == RLS2_OK; i++) {
        rls2_measure measure = classify ? RLS2_MEASURE_ACCURACY : RLS2_MEASURE_RMSE;
        double value = rls2_measure_value(measure, 1, test->n, f + i * test->n, test->y, NULL);
        scores[i] = classify ? 100.0 * value : value;
    }
    free(f);
    return status;
}

static rls2_status fit_split(const job *it, const rls2_basis *basis, const part *train,
                             const part *test, units_watcher *watch, uci_split *split,
                             rls2_error *err)
{
    int classify = it->set->set->classify;
    rls2_path *path = NULL;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.solver = it->r->solver;
    options.intercept = classify ? RLS2_INTERCEPT_NONE : RLS2_INTERCEPT_MEAN;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.progress = units_watch;
    control.user = watch;
    double start = units_seconds();
    rls2_status status = rls2_path_fit(1, &basis, train->y, UCI_LAMBDAS, it->lambdas, &options,
                                       &control, &path, err);
    if (status != RLS2_OK) return status;
    split->path_seconds = units_seconds() - start;
    if (rls2_path_cancelled(path))
        status = experiment_fail(err, RLS2_ERR_CANCELLED, "the experiment was stopped");
    if (status == RLS2_OK) describe(path, split);
    if (status == RLS2_OK) status = score(path, test, classify, split->score, err);
    rls2_path_free(path);
    return status;
}

/* Units: the splits of the first ratio, then those of the second. */
static rls2_status compute_split(const void *user, int64_t unit, units_watcher *watch,
                                 double *values, rls2_error *err)
{
    const job *it = user;
    const rls2_splits *splits = it->splits[unit / it->count];
    const int64_t *rows, *others;
    int64_t n = rls2_splits_training(splits, unit % it->count, &rows);
    int64_t n_test = rls2_splits_validation(splits, unit % it->count, &others);
    part train = {0}, test = {0};
    rls2_basis *basis = NULL;
    uci_split split = {0};
    double start = units_seconds();
    rls2_status status = part_take(it->data, n, rows, &train, err);
    if (status == RLS2_OK) status = part_take(it->data, n_test, others, &test, err);
    if (status == RLS2_OK) status = rls2_basis_take(it->whole, n, rows, NULL, NULL, &basis, err);
    split.basis_seconds = units_seconds() - start;
    if (status == RLS2_OK) status = fit_split(it, basis, &train, &test, watch, &split, err);
    if (status == RLS2_OK) memcpy(values, &split, sizeof split);
    rls2_basis_free(basis);
    part_free(&train);
    part_free(&test);
    return status;
}

static void name_split(const void *user, int64_t unit, char key[UNIT_KEY_ROOM])
{
    const job *it = user;
    snprintf(key, UNIT_KEY_ROOM, "%s/%d/seed-%" PRIu64 "/%" PRId64 "/%016" PRIx64,
             it->set->set->name, uci_ratios[unit / it->count], it->r->seed, unit % it->count + 1,
             it->fingerprint);
}

/* ---- one data set ---- */

static void job_free(job *it)
{
    for (int q = 0; q < UCI_RATIOS; q++) rls2_splits_free(it->splits[q]);
    rls2_basis_free(it->whole);
    rls2_dictionary_free(it->dictionary);
    rls2_dataset_free(it->data);
}

/* The folder of a file that was found: its path up to the last '/'. */
static rls2_status load(const reproduction *r, const paper_set *set, rls2_dataset **data,
                        rls2_error *err)
{
    char path[4096];
    if (!experiment_find(r, set->file, path, sizeof path))
        return experiment_fail(
            err, RLS2_ERR_NAME,
            "the file %s of the benchmark is in none of the folders looked through; "
            "data/README.md says where it is to be had",
            set->file);
    char *slash = strrchr(path, '/');
    if (!slash) return paper_set_load(set, ".", data, err);
    *slash = '\0';
    return paper_set_load(set, path, data, err);
}

static rls2_status open_job(job *it, uci_set *set, rls2_error *err)
{
    rls2_status status = load(it->r, set->set, &it->data, err);
    if (status != RLS2_OK) return status;
    const rls2_columns columns = {.count = rls2_dataset_columns(it->data),
                                  .names = rls2_dataset_names(it->data)};
    status = rls2_dictionary_create("paper", &columns, &it->dictionary, err);
    if (status != RLS2_OK) return status;
    it->fingerprint = rls2_dataset_fingerprint(it->data);
    set->rows = rls2_dataset_rows(it->data);
    set->features = rls2_dataset_columns(it->data);
    set->kernels = rls2_dictionary_count(it->dictionary);
    /* As many as in the paper even where fewer are used: a few splits are the first of the many. */
    int64_t drawn = it->count > UCI_SPLITS ? it->count : UCI_SPLITS;
    for (int q = 0; q < UCI_RATIOS && status == RLS2_OK; q++)
        status = rls2_splits_random(set->rows, NULL, drawn, 0.01 * uci_ratios[q], it->r->seed,
                                    &it->splits[q], err);
    return status;
}

static rls2_status build_whole(job *it, rls2_error *err)
{
    const rls2_rows all = {
        .n = it->set->rows, .p = it->set->features, .x = rls2_dataset_x(it->data)};
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = experiment_threads(it->r);
    return rls2_basis_create(it->dictionary, &all, NULL, &control, &it->whole, err);
}

rls2_status uci_run_set(const reproduction *r, uci_results *results, int64_t index, journal *j,
                        rls2_error *err)
{
    uci_set *set = &results->sets[index];
    job it = {.r = r, .set = set, .lambdas = results->lambdas, .count = results->count};
    units all = {.stage = set->paper->title,
                 .count = UCI_RATIOS * it.count,
                 .width = UCI_WIDTH,
                 .before = index * UCI_RATIOS * it.count,
                 .total = UCI_SETS * UCI_RATIOS * it.count,
                 .user = &it,
                 .key = name_split,
                 .compute = compute_split};
    rls2_status status = open_job(&it, set, err);
    if (status == RLS2_OK && !units_are_done(&all, j)) status = build_whole(&it, err);
    if (status == RLS2_OK) /* the curves lie side by side */
        status = units_run(r, &all, j, (double *)(void *)set->curves[0].splits, err);
    job_free(&it);
    for (int q = 0; q < UCI_RATIOS && status == RLS2_OK; q++)
        set->curves[q].best = uci_best(results, set, &set->curves[q]);
    return status;
}

/* ---- all of them ---- */

rls2_status uci_prepare(const reproduction *r, uci_results *results, rls2_error *err)
{
    *results = (uci_results){.solver = r->solver, .count = r->splits > 0 ? r->splits : UCI_SPLITS};
    for (int i = 0; i < UCI_SETS; i++) {
        uci_set *set = &results->sets[i];
        set->paper = &uci_paper_results[i];
        set->set = paper_set_find(set->paper->name);
        set->curves[0].splits = calloc((size_t)(UCI_RATIOS * results->count), sizeof(uci_split));
        if (!set->curves[0].splits)
            return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory: the splits of %s",
                                   set->paper->name);
        for (int q = 1; q < UCI_RATIOS; q++)
            set->curves[q].splits = set->curves[0].splits + q * results->count;
    }
    return rls2_lambda_grid(1e-6, 1e6, UCI_LAMBDAS, results->lambdas, err);
}

void uci_release(uci_results *results)
{
    for (int i = 0; i < UCI_SETS; i++) free(results->sets[i].curves[0].splits);
}

static rls2_status show(const uci_results *results, sheet **shown, rls2_error *err)
{
    int exact = results->solver == RLS2_SOLVER_NEWTON;
    sheet *s = sheet_create(exact ? "uci" : "uci-alternate",
                            exact ? "Ten benchmark sets (sec. 5.2), exact solutions"
                                  : "Ten benchmark sets (sec. 5.2), the paper's algorithm");
    if (s) uci_show_tables(results, s);
    if (!s || !uci_show_figures(results, s)) {
        sheet_free(s);
        return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory: the results");
    }
    *shown = s;
    return RLS2_OK;
}

/* Each solver has a journal of its own; the seed is in the keys, so that one journal holds those of
 * several. */
static rls2_status open_journal(const reproduction *r, journal **j, rls2_error *err)
{
    int exact = r->solver == RLS2_SOLVER_NEWTON;
    char settings[256];
    snprintf(settings, sizeof settings, "%s, %d lambdas from 1e6 to 1e-6",
             exact ? "newton, gap 1e-6" : "alternate, delta 1e-2", UCI_LAMBDAS);
    return journal_open_for(r, exact ? "uci" : "uci-alternate", settings, j, err);
}

rls2_status experiment_uci(const reproduction *r, sheet **shown, rls2_error *err)
{
    uci_results *results = calloc(1, sizeof *results);
    journal *j = NULL;
    if (!results) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory: the results");
    rls2_status status = uci_prepare(r, results, err);
    if (status == RLS2_OK) status = open_journal(r, &j, err);
    for (int i = 0; i < UCI_SETS && status == RLS2_OK; i++)
        status = uci_run_set(r, results, i, j, err);
    if (status == RLS2_OK) status = show(results, shown, err);
    journal_close(j);
    uci_release(results);
    free(results);
    return status;
}
