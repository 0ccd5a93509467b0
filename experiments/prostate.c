/* Loads the Prostate data and fits its path; coefficients and test errors along it. */
#include "experiments/prostate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/experiment.h"
#include "experiments/paper_sets.h"

const double prostate_lambda = 0.08858667904100832; /* 10^(4 - 12 * 8 / 19) */

/* ---- data ---- */

void prostate_free(prostate_data *data)
{
    free(data->x_train);
    free(data->y_train);
    free(data->x_test);
    free(data->y_test);
    memset(data, 0, sizeof *data);
}

static double *room(int64_t rows, int64_t columns)
{
    return malloc((size_t)(rows * columns + 1) * sizeof(double));
}

static void pick_rows(const rls2_dataset *all, const char *wanted, const rls2_table *table,
                      int64_t flag, int64_t count, double *x, double *y)
{
    int64_t n = rls2_dataset_rows(all), at = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t source = rls2_dataset_source_row(all, i);
        if (strcmp(rls2_table_cell(table, source, flag), wanted) != 0) continue;
        y[at] = rls2_dataset_y(all)[i];
        for (int64_t j = 0; j < PROSTATE_INPUTS; j++)
            x[j * count + at] = rls2_dataset_x(all)[j * n + i];
        at++;
    }
}

static rls2_status divide(const rls2_dataset *all, const rls2_table *table, prostate_data *data,
                          rls2_error *err)
{
    int64_t flag = rls2_table_find(table, "train");
    if (flag < 0 || rls2_dataset_columns(all) != PROSTATE_INPUTS)
        return experiment_fail(
            err, RLS2_ERR_VALUE,
            "prostate.csv: 8 inputs and a column 'train' of T and F are expected");
    for (int64_t i = 0; i < rls2_dataset_rows(all); i++) {
        const char *cell = rls2_table_cell(table, rls2_dataset_source_row(all, i), flag);
        if (strcmp(cell, "T") == 0)
            data->n_train++;
        else if (strcmp(cell, "F") == 0)
            data->n_test++;
        else
            return experiment_fail(
                err, RLS2_ERR_VALUE,
                "prostate.csv: the column 'train' must hold T or F in every row");
    }
    data->x_train = room(data->n_train, PROSTATE_INPUTS);
    data->y_train = room(data->n_train, 1);
    data->x_test = room(data->n_test, PROSTATE_INPUTS);
    data->y_test = room(data->n_test, 1);
    if (!data->x_train || !data->y_train || !data->x_test || !data->y_test)
        return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for the Prostate data");
    pick_rows(all, "T", table, flag, data->n_train, data->x_train, data->y_train);
    pick_rows(all, "F", table, flag, data->n_test, data->x_test, data->y_test);
    for (int j = 0; j < PROSTATE_INPUTS; j++)
        snprintf(data->names[j], sizeof data->names[j], "%s", rls2_dataset_names(all)[j]);
    return RLS2_OK;
}

rls2_status prostate_load(const char *folder, prostate_data *data, rls2_error *err)
{
    const paper_set *set = paper_set_find("prostate");
    char path[4096];
    rls2_table *table = NULL;
    rls2_dataset *all = NULL;
    memset(data, 0, sizeof *data);
    snprintf(path, sizeof path, "%s/%s", folder, set->file);
    rls2_status status = rls2_table_read_csv(path, &table, err);
    if (status == RLS2_OK) status = paper_set_load(set, folder, &all, err);
    if (status == RLS2_OK) status = divide(all, table, data, err);
    if (status != RLS2_OK) prostate_free(data);
    rls2_dataset_free(all);
    rls2_table_free(table);
    return status;
}

/* ---- fits ---- */

/* Linear RLS2 with trace scaling on the training rows. The dictionary and the basis
 * are the path's and must be freed after it. */
typedef struct fitted {
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path;
} fitted;

static void fitted_free(fitted *fit)
{
    rls2_path_free(fit->path);
    rls2_basis_free(fit->basis);
    rls2_dictionary_free(fit->dictionary);
}

static rls2_status fit_path(const prostate_data *data, int64_t count, const double *lambdas, int df,
                            fitted *fit, rls2_error *err)
{
    const char *names[PROSTATE_INPUTS];
    for (int j = 0; j < PROSTATE_INPUTS; j++) names[j] = data->names[j];
    rls2_columns columns = {.count = PROSTATE_INPUTS, .names = names};
    rls2_rows train = {.n = data->n_train, .p = PROSTATE_INPUTS, .x = data->x_train};
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.degrees_of_freedom = df;
    options.gap_tol = 1e-10; /* digits are to be printed, so more than enough of them */
    rls2_status status = rls2_dictionary_create("linear", &columns, &fit->dictionary, err);
    if (status == RLS2_OK)
        status = rls2_basis_create(fit->dictionary, &train, NULL, NULL, &fit->basis, err);
    if (status == RLS2_OK)
        status = rls2_path_fit(1, (const rls2_basis *const *)&fit->basis, data->y_train, count,
                               lambdas, &options, NULL, &fit->path, err);
    return status;
}

static rls2_status coefficients_at(const rls2_path *path, int64_t i, double *a, rls2_error *err)
{
    rls2_model *model = NULL;
    rls2_status status = rls2_model_create(1, &path, i, &model, err);
    if (status == RLS2_OK) status = rls2_model_coefficients(model, a, err);
    rls2_model_free(model);
    return status;
}

void prostate_test_errors(const prostate_data *data, prostate_column *column)
{
    double sum = 0.0, squares = 0.0, n = (double)data->n_test;
    for (int64_t i = 0; i < data->n_test; i++) {
        double f = column->intercept;
        for (int j = 0; j < PROSTATE_INPUTS; j++)
            f += column->coefficients[j] * data->x_test[j * data->n_test + i];
        double loss = (data->y_test[i] - f) * (data->y_test[i] - f);
        sum += loss;
        squares += loss * loss;
    }
    column->test_error = sum / n;
    column->std_error = sqrt((squares - sum * sum / n) / (n - 1.0) / n);
}

rls2_status prostate_fit(const prostate_data *data, prostate_column *column,
                         rls2_certificate *certificate, rls2_error *err)
{
    fitted fit = {0};
    rls2_status status = fit_path(data, 1, &prostate_lambda, 0, &fit, err);
    if (status == RLS2_OK) status = coefficients_at(fit.path, 0, column->coefficients, err);
    if (status == RLS2_OK)
        status = rls2_path_certify(fit.path, 0, certificate, sizeof *certificate, err);
    if (status == RLS2_OK) {
        column->intercept = rls2_path_intercept(fit.path);
        prostate_test_errors(data, column);
    }
    fitted_free(&fit);
    return status;
}

rls2_status prostate_profile(const prostate_data *data, int64_t count, double *df, double *values,
                             double *chosen_df, rls2_error *err)
{
    fitted fit = {0}, chosen = {0};
    double a[PROSTATE_INPUTS];
    double *lambdas = room(count, 1);
    rls2_status status =
        lambdas ? rls2_lambda_grid(1e-4, 1e4, count, lambdas, err)
                : experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for the profile");
    if (status == RLS2_OK) status = fit_path(data, count, lambdas, 1, &fit, err);
    for (int64_t i = 0; i < count && status == RLS2_OK; i++) {
        status = coefficients_at(fit.path, i, a, err);
        df[i] = rls2_path_at(fit.path, i)->df;
        for (int j = 0; j < PROSTATE_INPUTS; j++) values[j * count + i] = a[j];
    }
    if (status == RLS2_OK) status = fit_path(data, 1, &prostate_lambda, 1, &chosen, err);
    if (status == RLS2_OK) *chosen_df = rls2_path_at(chosen.path, 0)->df;
    fitted_free(&chosen);
    fitted_free(&fit);
    free(lambdas);
    return status;
}
