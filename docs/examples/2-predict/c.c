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
    double f[127];

    TRY(rls2_model_load("../command/housing.model", &model, &err));
    TRY(rls2_table_read("../command/new.csv", NULL, &table, &err));
    TRY(rls2_model_encode(model, table, RLS2_MISSING_IMPUTE, RLS2_RESPONSE_IGNORED, &data, &err));
    const int64_t n = rls2_dataset_rows(data);
    const rls2_rows rows = {n, rls2_dataset_columns(data), rls2_dataset_x(data), n};
    TRY(rls2_model_predict(model, &rows, NULL, f, &err));

    FILE *file = fopen("predicted.csv", "w");
    if (!file) return perror("predicted.csv"), 1;
    fputs("MEDV\n", file);
    for (int i = 0; i < (int)rows.n; i++) fprintf(file, "%.17g\n", f[i]);
    fclose(file);
    printf("%d rows; the first: %.4f\n", (int)rows.n, f[0]);
    rls2_dataset_free(data);
    rls2_table_free(table);
    rls2_model_free(model);
    return 0;
}
