#include <rls2/rls2.h>
#include <stdio.h>

#define TRY(call) if (call) return puts(err.message), 1

/* The library has the numbers; gnuplot draws them. */
static int draw(const rls2_cv *cv)
{
    FILE *plot = popen("gnuplot", "w");
    if (!plot) return 1;
    fputs("set terminal svg size 700,500; set output 'curve.svg'\n"
          "set title 'Housing: error on left-out rows'; set xlabel 'lambda'; set ylabel 'rmse'\n"
          "set logscale x; set format x '10^{%L}'; set xrange [] reverse; unset key\n"
          "plot '-' with yerrorlines pointtype 7 pointsize 0.4\n",
          plot);
    for (int i = 0; i < (int)rls2_cv_count(cv); i++) {
        const rls2_cv_point *p = rls2_cv_at(cv, i);
        fprintf(plot, "%g %g %g\n", p->lambda, p->cvm, p->cvsd);
    }
    fputs("e\n", plot);
    return pclose(plot);
}

int main(void)
{
    rls2_error err;
    rls2_table *table;
    rls2_plan *plan;
    rls2_fit *fit;

    TRY(rls2_table_read("data/housing.csv", NULL, &table, &err));
    TRY(rls2_plan_create(RLS2_GOAL_CURVE, RLS2_VOICE_PLAIN, &plan, &err));
    TRY(rls2_plan_set(plan, "target", "MEDV", &err));
    TRY(rls2_plan_complete(plan, table, &err));
    TRY(rls2_plan_fit(plan, NULL, &fit, &err));
    if (draw(rls2_fit_cv(fit))) return puts("gnuplot failed"), 1;
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    rls2_table_free(table);
    return 0;
}
