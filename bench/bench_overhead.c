/* rls2_bench_overhead FILE TARGET GOAL TIMES [SETTING VALUE ...]: the least number of milliseconds
 * that the library takes to complete a plan on the table and to carry it out, on two threads.
 *
 * GOAL is a number of rls2_goal. bench/overhead.R and bench/overhead.m hold the packages of R and
 * Octave against it. */
#include <math.h>

#include "bench/bench.h"
#include "rls2/blas.h"
#include "rls2/plan.h"

static rls2_plan *asked(int goal, int count, char **words)
{
    rls2_error err;
    rls2_plan *plan = NULL;
    must_be_ok(rls2_plan_create((rls2_goal)goal, RLS2_VOICE_PLAIN, &plan, &err), &err);
    for (int i = 0; i + 1 < count; i += 2)
        must_be_ok(rls2_plan_set(plan, words[i], words[i + 1], &err), &err);
    return plan;
}

static double one_fit(const rls2_table *table, const char *target, int goal, int count,
                      char **words)
{
    rls2_error err;
    rls2_control control;
    rls2_fit *fit = NULL;
    rls2_control_init(&control, sizeof control);
    control.threads = 2;
    clocks start = now();
    rls2_plan *plan = asked(goal, count, words);
    must_be_ok(rls2_plan_set(plan, "target", target, &err), &err);
    must_be_ok(rls2_plan_complete(plan, table, &err), &err);
    must_be_ok(rls2_plan_fit(plan, &control, &fit, &err), &err);
    double taken = now().wall - start.wall;
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    return taken;
}

int main(int argc, char **argv)
{
    rls2_error err;
    rls2_table *table = NULL;
    if (argc < 5) {
        fputs("usage: rls2_bench_overhead FILE TARGET GOAL TIMES [SETTING VALUE ...]\n", stderr);
        return 2;
    }
    rls2_blas_tune();
    must_be_ok(rls2_table_read(argv[1], NULL, &table, &err), &err);
    double least = INFINITY;
    for (int i = 0; i < atoi(argv[4]); i++)
        least = fmin(least, one_fit(table, argv[2], atoi(argv[3]), argc - 5, argv + 5));
    printf("%.3f\n", 1e3 * least);
    rls2_table_free(table);
    return 0;
}
