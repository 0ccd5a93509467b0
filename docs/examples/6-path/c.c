#include <rls2/rls2.h>
#include <stdio.h>

#define TRY(call) if (call) return puts(err.message), 1

/* A row for each lambda: lambda and the coefficients. */
static int write_path(const rls2_fit *fit, FILE *file)
{
    rls2_error err;
    rls2_model *model;
    double a[8];
    for (int i = 0; i < (int)rls2_fit_count(fit); i++) {
        TRY(rls2_fit_model(fit, i, &model, &err));
        TRY(rls2_model_coefficients(model, a, &err));
        fprintf(file, "%g", rls2_model_lambda(model));
        for (int j = 0; j < 8; j++) fprintf(file, " %g", a[j]);
        fputs("\n", file);
        rls2_model_free(model);
    }
    return fclose(file);
}

/* The library has the numbers; gnuplot draws them. */
static int draw(const char *const *names)
{
    FILE *plot = popen("gnuplot", "w");
    if (!plot) return 1;
    fputs("set terminal svg size 700,500; set output 'path.svg'; set key outside\n"
          "set title 'Prostate: coefficients along the path'; set ylabel 'coefficient'\n"
          "set xlabel 'lambda'; set logscale x; set format x '10^{%L}'; set xrange [] reverse\n"
          "plot ",
          plot);
    for (int j = 0; j < 8; j++)
        fprintf(plot, "'path.dat' using 1:%d with lines lw 2 title '%s', ", j + 2, names[j]);
    fputs("0 notitle lc 'grey'\n", plot);
    return pclose(plot);
}

int main(void)
{
    rls2_error err;
    rls2_table *table;
    rls2_plan *plan;
    rls2_fit *fit;

    TRY(rls2_table_read("data/prostate.csv", NULL, &table, &err));
    TRY(rls2_plan_create(RLS2_GOAL_PATH, RLS2_VOICE_PLAIN, &plan, &err));
    TRY(rls2_plan_set(plan, "target", "lpsa", &err));
    TRY(rls2_plan_set(plan, "drop", "train", &err));
    TRY(rls2_plan_set(plan, "kernels", "linear", &err));
    TRY(rls2_plan_complete(plan, table, &err));
    TRY(rls2_plan_fit(plan, NULL, &fit, &err));
    FILE *file = fopen("path.dat", "w");
    if (!file || write_path(fit, file)) return puts("path.dat cannot be written"), 1;
    if (draw(rls2_dataset_names(rls2_fit_data(fit)))) return puts("gnuplot failed"), 1;
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    rls2_table_free(table);
    return 0;
}
