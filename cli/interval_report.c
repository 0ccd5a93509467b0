/* "intervals     0.9: +- 4.3 (left-out rows: 456 of 506 within)" */
#include "cli/interval_report.h"

#include <inttypes.h>
#include <math.h>

#include "cli/console.h"

const rls2_interval *interval_at(const rls2_model *model, int64_t t)
{
    const rls2_interval *whole = rls2_model_interval(model);
    return whole ? whole : rls2_model_interval(rls2_model_output(model, t));
}

static int is_of_quantiles(const rls2_model *model)
{
    return rls2_model_outputs(model) > 1 && rls2_model_interval(model) != NULL;
}

void print_intervals(FILE *file, const rls2_model *model)
{
    int64_t count = rls2_model_interval_count(model);
    for (int64_t t = 0; t < count; t++) {
        const rls2_interval *one = interval_at(model, t);
        fprintf(file, "%-14s", t == 0 ? "intervals" : "");
        if (count > 1) print_names(file, "'%s' ", rls2_model_output_name(model, t));
        if (is_of_quantiles(model))
            fprintf(file, "%.15g: the outer quantiles, %s by %.4g on both sides", one->level,
                    one->correction < 0.0 ? "narrowed" : "widened", fabs(one->correction));
        else
            fprintf(file, "%.15g: ± %.4g", one->level, one->correction);
        fprintf(file, " (left-out rows: %" PRId64 " of %" PRId64 " within)\n", one->within,
                one->rows);
    }
}

static void json_interval(json *j, const char *key, const rls2_interval *one)
{
    json_object(j, key);
    json_number(j, "level", one->level);
    json_number(j, "correction", one->correction);
    json_integer(j, "rows", one->rows);
    json_integer(j, "within", one->within);
    json_end_object(j);
}

void json_intervals(json *j, const rls2_model *model)
{
    int64_t count = rls2_model_interval_count(model);
    if (count == 0) return;
    if (count == 1) {
        json_interval(j, "interval", interval_at(model, 0));
        return;
    }
    json_object(j, "interval");
    for (int64_t t = 0; t < count; t++)
        json_interval(j, rls2_model_output_name(model, t), interval_at(model, t));
    json_end_object(j);
}
