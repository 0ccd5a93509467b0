#include <rls2/rls2.h>
#include <stdio.h>

#define TRY(call) if (call) return puts(err.message), 1

/* heart.model and new.csv are those of the command. */
int main(void)
{
    rls2_error err;
    rls2_model *model;
    rls2_table *table;
    rls2_dataset *data;
    double f[90], p[180];

    TRY(rls2_model_load("../command/heart.model", &model, &err));
    TRY(rls2_table_read("../command/new.csv", NULL, &table, &err));
    TRY(rls2_model_encode(model, table, RLS2_MISSING_IMPUTE, RLS2_RESPONSE_IGNORED, &data, &err));
    const int n = (int)rls2_dataset_rows(data);
    const rls2_rows rows = {n, rls2_dataset_columns(data), rls2_dataset_x(data), n};
    TRY(rls2_model_predict(model, &rows, NULL, f, &err));
    TRY(rls2_model_probabilities(model, n, f, p, &err));

    FILE *file = fopen("predicted.csv", "w");
    if (!file) return perror("predicted.csv"), 1;
    fputs("1,2\n", file);
    for (int i = 0; i < n; i++) fprintf(file, "%.17g,%.17g\n", p[i], p[n + i]);
    fclose(file);
    for (int i = 0; i < 3; i++) printf("%.4f %.4f\n", p[i], p[n + i]);
    rls2_dataset_free(data);
    rls2_table_free(table);
    rls2_model_free(model);
    return 0;
}
