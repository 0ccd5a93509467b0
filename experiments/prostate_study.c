/* The paper's Experiment 2: linear RLS2 on the Prostate data.
 *
 * Three results, in the order of the paper: the cross-validation curve and the choice of lambda
 * (FIG10), the coefficients along the path (FIG11), and the table of coefficients and test errors
 * beside six other methods (TAB10). The paper's choice of lambda hangs on folds that are not known;
 * so the table is made at the lambda that gives its printed digits, on the grid those digits
 * suggest, and what the rule chooses from that grid for one hundred divisions into folds is in a
 * table of its own. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/journal.h"
#include "experiments/prostate_study.h"

enum { FOLDS = 10, SEEDS = 100 };
static const double LOWEST = 1e-4, HIGHEST = 1e4;

/* ---- data ---- */

static rls2_status load(prostate_study *s, rls2_error *err)
{
    char path[4096];
    if (!experiment_find(s->r, "prostate.csv", path, sizeof path))
        return experiment_fail(
            err, RLS2_ERR_NAME,
            "prostate.csv is in none of the data folders; it comes with the source of rls2 "
            "(data/prostate.csv): name its folder with --data");
    char *end = strrchr(path, '/');
    *end = '\0';
    return prostate_load(path, &s->data, err);
}

/* Cross-validation works on tables: the prepared rows written out as one, every number exactly. */
static rls2_status make_table(prostate_study *s, rls2_error *err)
{
    const prostate_data *data = &s->data;
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for the Prostate table");
    for (int j = 0; j < PROSTATE_INPUTS; j++) fprintf(file, "%s,", data->names[j]);
    fputs("lpsa\n", file);
    for (int64_t i = 0; i < data->n_train; i++) {
        for (int j = 0; j < PROSTATE_INPUTS; j++)
            fprintf(file, "%.17g,", data->x_train[j * data->n_train + i]);
        fprintf(file, "%.17g\n", data->y_train[i]);
    }
    int failed = ferror(file);
    failed |= fclose(file) != 0;
    rls2_status status =
        failed ? experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for the Prostate table")
               : rls2_table_parse_csv("prostate.csv", text, (int64_t)length, &s->training, err);
    free(text);
    return status;
}

static rls2_status take_fingerprint(prostate_study *s, rls2_error *err)
{
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    rls2_dataset *rows = NULL;
    options.target = "lpsa";
    options.classify = 0;
    rls2_status status = rls2_dataset_create(s->training, &options, &rows, err);
    if (status == RLS2_OK) s->fingerprint = rls2_dataset_fingerprint(rows);
    rls2_dataset_free(rows);
    return status;
}

/* ---- cross-validation ---- */

static rls2_status make_plan(const prostate_study *s, uint64_t seed, rls2_plan **plan,
                             rls2_error *err)
{
    char folds[16], start[32];
    snprintf(folds, sizeof folds, "%d", FOLDS);
    snprintf(start, sizeof start, "%" PRIu64, seed);
    const experiment_setting settings[] = {{"target", "lpsa"},     {"task", "regression"},
                                           {"kernels", "linear"},  {"folds", folds},
                                           {"seed", start},        {"measure", "mse"},
                                           {"baselines", "false"}, {"features", "none"},
                                           {"intercept", "mean"},  {NULL, NULL}};
    rls2_status status = experiment_plan(RLS2_GOAL_CURVE, settings, plan, err);
    if (status == RLS2_OK) status = rls2_plan_set_lambdas(*plan, PROSTATE_LAMBDAS, s->lambdas, err);
    return status == RLS2_OK ? rls2_plan_complete(*plan, s->training, err) : status;
}

static void keep_curve(const rls2_cv *cv, prostate_curve *c)
{
    for (int64_t i = 0; i < PROSTATE_LAMBDAS; i++) {
        c->cvm[i] = rls2_cv_at(cv, i)->cvm;
        c->cvsd[i] = rls2_cv_at(cv, i)->cvsd;
    }
    c->best = (double)rls2_cv_min(cv);
    c->choice = (double)rls2_cv_1se(cv);
}

static rls2_status cross_validate(const prostate_study *s, uint64_t seed, prostate_curve *c,
                                  rls2_error *err)
{
    rls2_plan *plan = NULL;
    rls2_fit *fit = NULL;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = s->r->threads;
    rls2_status status = make_plan(s, seed, &plan, err);
    if (status == RLS2_OK) status = rls2_plan_fit(plan, &control, &fit, err);
    if (status == RLS2_OK) keep_curve(rls2_fit_cv(fit), c);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    return status;
}

uint64_t prostate_seed(const prostate_study *s, int64_t i)
{
    return s->r->seed * 1000 + (uint64_t)i; /* those of one --seed are not those of the next */
}

/* A curve from a file somebody may have edited: its indices are used as such. */
static int is_sound(const prostate_curve *c)
{
    return c->best >= 0 && c->best < PROSTATE_LAMBDAS && c->choice >= 0 && c->choice <= c->best;
}

static rls2_status one_seed(prostate_study *s, journal *j, int64_t i, rls2_error *err)
{
    char key[64];
    prostate_curve *c = &s->curves[i];
    snprintf(key, sizeof key, "seed-%" PRIu64 "/%016" PRIx64, prostate_seed(s, i), s->fingerprint);
    const double *known = journal_find(j, key, PROSTATE_CURVE_VALUES);
    if (known) memcpy(c, known, sizeof *c);
    if (known && is_sound(c)) return RLS2_OK;
    rls2_status status = cross_validate(s, prostate_seed(s, i), c, err);
    if (status == RLS2_OK)
        status = journal_add(j, key, PROSTATE_CURVE_VALUES, (const double *)c, err);
    return status;
}

static rls2_status all_seeds(prostate_study *s, rls2_error *err)
{
    char heading[128];
    journal *j = NULL;
    snprintf(heading, sizeof heading, "%d folds, %d lambdas", FOLDS, PROSTATE_LAMBDAS);
    s->seeds = s->r->splits > 0 ? s->r->splits : SEEDS;
    s->curves = calloc((size_t)s->seeds, sizeof *s->curves);
    if (!s->curves) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for the curves");
    rls2_status status = journal_open_for(s->r, "prostate", heading, &j, err);
    for (int64_t i = 0; i <= s->seeds && status == RLS2_OK; i++) {
        if (experiment_report(s->r, "cross-validation", i, s->seeds) && i < s->seeds)
            status = experiment_fail(err, RLS2_ERR_CANCELLED, "stopped");
        else if (i < s->seeds)
            status = one_seed(s, j, i, err);
    }
    journal_close(j);
    return status;
}

/* ---- the path and the table ---- */

static rls2_status fit(prostate_study *s, rls2_error *err)
{
    rls2_status status =
        prostate_profile(&s->data, PROSTATE_LAMBDAS, s->df, s->values, &s->table_df, err);
    if (status == RLS2_OK)
        status = prostate_profile(&s->data, PROSTATE_PROFILE, s->profile_df, s->profile,
                                  &s->table_df, err);
    if (status == RLS2_OK)
        status = prostate_fit(&s->data, &s->columns[PROSTATE_RLS2], &s->certificate, err);
    for (int method = 1; method < PROSTATE_METHODS && status == RLS2_OK; method++)
        prostate_rival(&s->data, (prostate_method)method, &s->columns[method]);
    return status;
}

rls2_status experiment_prostate(const reproduction *r, sheet **results, rls2_error *err)
{
    prostate_study *s = calloc(1, sizeof *s);
    if (!s) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for the Prostate study");
    s->r = r;
    rls2_status status = load(s, err);
    if (status == RLS2_OK) status = make_table(s, err);
    if (status == RLS2_OK) status = take_fingerprint(s, err);
    if (status == RLS2_OK)
        status = rls2_lambda_grid(LOWEST, HIGHEST, PROSTATE_LAMBDAS, s->lambdas, err);
    if (status == RLS2_OK) status = all_seeds(s, err);
    if (status == RLS2_OK) status = fit(s, err);
    if (status == RLS2_OK) status = prostate_show(s, results, err);
    free(s->curves);
    rls2_table_free(s->training);
    prostate_free(&s->data);
    free(s);
    return status;
}
