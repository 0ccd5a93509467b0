#include <rls2/rls2.h>
#include <stdio.h>

#define TRY(call) if (call) return puts(err.message), 1

/* housing.model and new.csv are those of the command. */
int main(void)
{
    rls2_error err;
    rls2_model *model;
    rls2_table *table;
    rls2_dataset *data;
    double f[127], lower[127], upper[127];

    TRY(rls2_model_load("../command/housing.model", &model, &err));
    TRY(rls2_table_read("../command/new.csv", NULL, &table, &err));
    TRY(rls2_model_encode(model, table, RLS2_MISSING_IMPUTE, RLS2_RESPONSE_READ, &data, &err));
    const int n = (int)rls2_dataset_rows(data);
    const rls2_rows rows = {n, rls2_dataset_columns(data), rls2_dataset_x(data), n};
    TRY(rls2_model_predict(model, &rows, NULL, f, &err));
    TRY(rls2_model_predict_interval(model, n, f, lower, upper, &err));

    int inside = 0;
    const double *y = rls2_dataset_y(data);
    for (int i = 0; i < n; i++) inside += lower[i] <= y[i] && y[i] <= upper[i];
    printf("first: %.2f, between %.2f and %.2f\n", f[0], lower[0], upper[0]);
    printf("%d of the %d new rows fall into their intervals\n", inside, n);
    rls2_dataset_free(data);
    rls2_table_free(table);
    rls2_model_free(model);
    return 0;
}
