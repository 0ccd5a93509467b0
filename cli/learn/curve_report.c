/* Prints the two choices on the curve and the baselines, as text and as JSON. */
#include "cli/learn/curve_report.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

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

/* ---- intervals ---- */

static void print_covered(FILE *file, const char *name, const rls2_coverage *found)
{
    char errors[2][16] = {"-", "-"}; /* of too few rows there is none */
    if (!isnan(found->coverage_se)) snprintf(errors[0], 16, "%.3g", found->coverage_se);
    if (!isnan(found->width_se)) snprintf(errors[1], 16, "%.3g", found->width_se);
    if (found->rows > 0)
        fprintf(file, "%-4s %10.4g %9s %10.4g %9s\n", name, found->coverage, errors[0],
                found->width, errors[1]);
    else
        fprintf(file, "%-4s %10s\n", name, "undefined");
}

void print_coverage(FILE *file, const rls2_cv *cv, const rls2_dataset *data)
{
    int64_t count = rls2_cv_interval_count(cv);
    if (count == 0) return;
    fprintf(file, "\nIntervals of level %g, calibrated on left-out rows of other splits:\n",
            rls2_cv_coverage(cv, 0, 0)->level);
    for (int64_t t = 0; t < count; t++) {
        if (count > 1) print_names(file, "%s\n", rls2_dataset_output_name(data, t));
        fprintf(file, "%-4s %10s %9s %10s %9s\n", "", "Coverage", "SE", "Mean width", "SE");
        print_covered(file, "min", rls2_cv_coverage(cv, rls2_cv_min(cv), t));
        print_covered(file, "1se", rls2_cv_coverage(cv, rls2_cv_1se(cv), t));
    }
}

static void json_members(json *j, const char *key, const rls2_cv *cv, int64_t t, size_t member)
{
    json_array(j, key);
    for (int64_t i = 0; i < rls2_cv_count(cv); i++) {
        double value;
        memcpy(&value, (const char *)rls2_cv_coverage(cv, i, t) + member, sizeof value);
        json_number(j, NULL, value);
    }
    json_end_array(j);
}

void json_coverage(json *j, const rls2_cv *cv, const rls2_dataset *data)
{
    int64_t count = rls2_cv_interval_count(cv);
    if (count == 0) return;
    json_object(j, "interval");
    json_number(j, "level", rls2_cv_coverage(cv, 0, 0)->level);
    if (count > 1) json_object(j, "targets");
    for (int64_t t = 0; t < count; t++) {
        if (count > 1) json_object(j, rls2_dataset_output_name(data, t));
        json_members(j, "coverage", cv, t, offsetof(rls2_coverage, coverage));
        json_members(j, "coverage_se", cv, t, offsetof(rls2_coverage, coverage_se));
        json_members(j, "width", cv, t, offsetof(rls2_coverage, width));
        json_members(j, "width_se", cv, t, offsetof(rls2_coverage, width_se));
        if (count > 1) json_end_object(j);
    }
    if (count > 1) json_end_object(j);
    json_end_object(j);
}

/* ---- for comparison ---- */

static const char *const BASELINE_KEYS[RLS2_BASELINE_COUNT] = {"uniform", "alignment", "single",
                                                               "ridge", "constant"};

/* The constant is not computed for every loss. */
static int is_absent(const rls2_cv *cv, int b)
{
    return b == RLS2_BASELINE_CONSTANT && !rls2_cv_baseline(cv, (rls2_baseline)b);
}

static int has_baselines(const rls2_cv *cv)
{
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++)
        if (rls2_cv_baseline(cv, (rls2_baseline)b)) return 1;
    return 0;
}

/* Where splits have the same value their deviation is rounding. */
static double without_rounding(double error, double value)
{
    return error > 1e-12 * fabs(value) ? error : 0.0;
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
        char lambda[16] = "-";
        if (is_absent(cv, b)) continue;
        if (point && !isnan(point->cvsd))
            snprintf(error, sizeof error, "%.3g", without_rounding(point->cvsd, point->cvm));
        if (point && !isnan(point->lambda)) snprintf(lambda, sizeof lambda, "%.4g", point->lambda);
        if (point)
            fprintf(file, "%-20s %10.4g %9s %10s\n", name, point->cvm, error, lambda);
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
        if (!is_absent(cv, b))
            json_baseline(j, BASELINE_KEYS[b], rls2_cv_baseline(cv, (rls2_baseline)b));
    json_end_object(j);
}
