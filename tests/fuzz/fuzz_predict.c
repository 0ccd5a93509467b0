/* Any bytes as a table that models predict: refused with a message, or predicted, each row as it
 * would be alone. */
#include <stdio.h>

#include "common.h"
#include "rls2/rls2.h"

enum { MODELS = 3, MOST_ROWS = 40 };

static const char *const TABLES[MODELS] = {
    "a,b,kind,y\n1,2.5,u,0.5\n2,0.5,v,1.5\n3,1.5,u,2.5\n4,-1,v,1\n5,7,w,0\n6,3,u,3\n7,2,v,4\n8,1,w,"
    "2\n",
    "a,b,y\n1,2,p\n2,1,q\n3,4,r\n4,3,p\n5,0,q\n6,1,r\n7,7,p\n8,2,q\n9,5,r\n",
    "a,b,kind,y,z\n1,2.5,u,0.5,1\n2,0.5,v,1.5,0\n3,1.5,u,2.5,2\n4,-1,v,1,1\n5,7,w,0,5\n6,3,u,3,"
    "0\n"};
static const char *const KERNELS[MODELS] = {"linear@each; rbf(1)@all", "linear; rbf(0.5|2)@each",
                                            "poly(2)@all"};
static rls2_model *models[MODELS];

static void learn(int k)
{
    static const char *const SETTINGS[MODELS][2] = {
        {"features", "standardize"}, {"examples", "unit"}, {"target", "z"}};
    rls2_table *table = NULL;
    rls2_plan *plan = NULL;
    rls2_fit *fit = NULL;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    require(rls2_table_parse("t.csv", TABLES[k], (int64_t)strlen(TABLES[k]), NULL, &table, NULL) ==
            RLS2_OK);
    require(rls2_plan_create(RLS2_GOAL_PATH, RLS2_VOICE_PLAIN, &plan, NULL) == RLS2_OK);
    require(rls2_plan_set(plan, "target", "y", NULL) == RLS2_OK);
    require(rls2_plan_set(plan, SETTINGS[k][0], SETTINGS[k][1], NULL) == RLS2_OK);
    require(rls2_plan_set(plan, "kernels", KERNELS[k], NULL) == RLS2_OK);
    require(rls2_plan_set(plan, "lambda-count", "5", NULL) == RLS2_OK);
    require(rls2_plan_set(plan, "lambda-ratio", "1e-2", NULL) == RLS2_OK);
    require(rls2_plan_complete(plan, table, NULL) == RLS2_OK);
    require(rls2_plan_fit(plan, &control, &fit, NULL) == RLS2_OK);
    require(rls2_fit_model(fit, 4, &models[k], NULL) == RLS2_OK);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    rls2_table_free(table);
}

/* Row i by itself, whatever else stands in the table. */
static void check_alone(const rls2_model *model, const rls2_dataset *rows, const double *f,
                        int64_t i)
{
    int64_t n = rls2_dataset_rows(rows), p = rls2_dataset_columns(rows),
            outputs = rls2_model_outputs(model);
    double x[64], alone[8];
    require(p <= 64 && outputs <= 8);
    for (int64_t j = 0; j < p; j++) x[j] = rls2_dataset_x(rows)[j * n + i];
    rls2_rows one = {.n = 1, .p = p, .x = x};
    require(rls2_model_predict(model, &one, NULL, alone, NULL) == RLS2_OK);
    for (int64_t o = 0; o < outputs; o++) require(memcmp(&alone[o], &f[o * n + i], sizeof *f) == 0);
}

static void predict(const rls2_model *model, const rls2_dataset *rows)
{
    int64_t n = rls2_dataset_rows(rows), outputs = rls2_model_outputs(model);
    rls2_rows all = {.n = n, .p = rls2_dataset_columns(rows), .x = rls2_dataset_x(rows)};
    rls2_error err = {.message = ""};
    double *f = malloc((size_t)(n * outputs + 1) * sizeof *f);
    int64_t *classes = malloc((size_t)(n + 1) * sizeof *classes);
    require(f && classes);
    rls2_status status = n > 0 ? rls2_model_predict(model, &all, NULL, f, &err) : RLS2_ERR_VALUE;
    if (n > 0 && status != RLS2_OK) require(said_something(&err, status));
    for (int64_t i = 0; i < n && i < 8 && status == RLS2_OK; i++) check_alone(model, rows, f, i);
    if (status == RLS2_OK) rls2_decide(outputs, n, f, classes);
    free(f);
    free(classes);
}

static void try_model(const rls2_model *model, const rls2_table *table, int missing, int target)
{
    rls2_error err = {.message = ""};
    rls2_dataset *rows = NULL;
    rls2_status status = rls2_model_encode(model, table, missing, target, &rows, &err);
    require((status == RLS2_OK) == (rows != NULL));
    if (status != RLS2_OK)
        require(said_something(&err, status));
    else
        predict(model, rows);
    rls2_dataset_free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t choice = chosen(data, size);
    rls2_table *table = NULL;
    if (has_long_number((const char *)data, size, 4))
        return 0; /* an index of LIBSVM, in plain text */
    for (int k = 0; k < MODELS; k++)
        if (!models[k]) learn(k);
    if (rls2_table_parse("f", data ? (const void *)data : "", (int64_t)size, NULL, &table, NULL) !=
        RLS2_OK)
        return 0;
    for (int k = 0; k < MODELS && rls2_table_rows(table) <= MOST_ROWS; k++)
        try_model(models[k], table, (int)(choice % 3) - 1, choice >> 2 & 1);
    rls2_table_free(table);
    return 0;
}
