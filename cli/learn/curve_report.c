/* Prints the two choices on the curve and the baselines, as text and as JSON. */
#include "cli/learn/curve_report.h"

#include <inttypes.h>
#include <math.h>

#include "cli/json.h"

static void print_choice(FILE *file, const char *name, const rls2_cv *cv, int64_t i)
{
    const rls2_cv_point *point = rls2_cv_at(cv, i);
    char error[16] = "-"; /* of a single split there is none */
    if (!isnan(point->cvsd)) snprintf(error, sizeof error, "%.3g", point->cvsd);
    fprintf(file, "%-4s %10.4g %5" PRId64 " %10.4g %9s %7.4g\n", name, point->lambda, i + 1,
            point->cvm, error, point->nzero);
}

void print_choices(FILE *file, const rls2_cv *cv)
{
    fprintf(file, "%-4s %10s %5s %10s %9s %7s\n", "", "Lambda", "Index", "Measure", "SE",
            "Nonzero");
    print_choice(file, "min", cv, rls2_cv_min(cv));
    print_choice(file, "1se", cv, rls2_cv_1se(cv));
}

/* ---- for comparison ---- */

static const char *const BASELINE_KEYS[RLS2_BASELINE_COUNT] = {"uniform", "alignment", "single",
                                                               "ridge"};

static int has_baselines(const rls2_cv *cv)
{
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++)
        if (rls2_cv_baseline(cv, (rls2_baseline)b)) return 1;
    return 0;
}

void print_baselines(FILE *file, const rls2_cv *cv)
{
    if (!has_baselines(cv)) return;
    fprintf(file, "\nFor comparison, on the same splits:\n%-20s %10s %9s %10s\n", "",
            rls2_measure_name(rls2_cv_measure(cv)), "SE", "Lambda");
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++) {
        const rls2_cv_point *point = rls2_cv_baseline(cv, (rls2_baseline)b);
        const char *name = rls2_baseline_name((rls2_baseline)b);
        char error[16] = "-"; /* of a single split there is none */
        if (point && !isnan(point->cvsd)) snprintf(error, sizeof error, "%.3g", point->cvsd);
        if (point)
            fprintf(file, "%-20s %10.4g %9s %10.4g\n", name, point->cvm, error, point->lambda);
        else
            fprintf(file, "%-20s %10s\n", name, "undefined");
    }
}

static void json_baseline(json *j, const char *key, const rls2_cv_point *point)
{
    if (!point) {
        json_text(j, key, NULL);
        return;
    }
    json_object(j, key);
    json_number(j, "cvm", point->cvm);
    json_number(j, "cvsd", point->cvsd);
    json_number(j, "lambda", point->lambda);
    json_end_object(j);
}

void json_baselines(json *j, const rls2_cv *cv)
{
    if (!has_baselines(cv)) return;
    json_object(j, "baselines");
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++)
        json_baseline(j, BASELINE_KEYS[b], rls2_cv_baseline(cv, (rls2_baseline)b));
    json_end_object(j);
}
