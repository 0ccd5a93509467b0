/* rls2 kernels: what the columns are taken for, the kernels of a dictionary, and what they take. */
#include <inttypes.h>
#include <math.h>

#include "cli/json.h"
#include "cli/learn/columns_report.h"
#include "cli/learn/learning.h"
#include "cli/output.h"

typedef struct size_text {
    char text[32];
} size_text;

/* "1.2 GB" */
static size_text show_bytes(double bytes)
{
    static const char *const UNITS[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    size_text made;
    int unit = 0;
    for (; bytes >= 1000.0 && unit < 5; unit++) bytes /= 1000.0;
    snprintf(made.text, sizeof made.text, bytes < 10.0 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes,
             UNITS[unit]);
    return made;
}

static void print_json(FILE *file, const rls2_plan *plan, const rls2_forecast *forecast,
                       const rls2_cost *cost)
{
    const rls2_dictionary *dictionary = rls2_plan_dictionary(plan);
    int tall = rls2_plan_is_tall(plan);
    json j = json_start(file);
    json_object(&j, NULL);
    json_integer(&j, "n", rls2_plan_row_count(plan));
    json_integer(&j, "m", rls2_dictionary_count(dictionary));
    if (tall) json_text(&j, "method", "tall");
    json_object(&j, "bytes");
    json_number(&j, "typical", tall ? (double)NAN : forecast->typical);
    json_number(&j, "most", tall ? (double)NAN : forecast->most);
    json_number(&j, "fit", cost->bytes);
    json_number(&j, "limit", cost->limit);
    json_end_object(&j);
    json_number(&j, "seconds", cost->seconds);
    columns_put(&j, plan);
    json_array(&j, "kernels");
    for (int64_t k = 0; k < rls2_dictionary_count(dictionary); k++)
        json_text(&j, NULL, rls2_dictionary_name(dictionary, k));
    json_end_array(&j);
    json_end_object(&j);
    json_finish(&j);
}

static void print_cost(const settings *s, FILE *file, const rls2_forecast *forecast,
                       const rls2_cost *cost)
{
    char line[128];
    int64_t limit = rls2_plan_memory(s->plan);
    rls2_cost_text(cost, line, sizeof line);
    fprintf(file, "rls2 train: %s%s\n", rls2_plan_is_tall(s->plan) ? "rows are binned, " : "",
            line);
    if (forecast->most > 0.0)
        fprintf(file, "kernels:    about %s if all are stored, at most %s\n",
                show_bytes(forecast->typical).text, show_bytes(forecast->most).text);
    if (forecast->most > 0.0 && limit > 0 && forecast->typical > (double)limit)
        fprintf(file, "            %s of kernels are stored (--memory), the others recomputed\n",
                show_bytes((double)limit).text);
}

static void print_list(const settings *s, FILE *file, const rls2_dataset *data,
                       const rls2_dictionary *dictionary, const rls2_forecast *forecast,
                       const rls2_cost *cost)
{
    int64_t m = rls2_dictionary_count(dictionary), shown = s->top > 0 && s->top < m ? s->top : m;
    fprintf(file, "%s on %s, %s\n", count_of(m, "kernel").text,
            count_of(rls2_plan_row_count(s->plan), "row").text,
            count_of(rls2_dataset_columns(data), "column").text);
    print_cost(s, file, forecast, cost);
    fputc('\n', file);
    columns_print(file, s->plan);
    fputc('\n', file);
    for (int64_t k = 0; k < shown; k++)
        print_names(file, "%s\n", rls2_dictionary_name(dictionary, k));
    if (shown < m) fprintf(file, "... and %" PRId64 " more; --top 0 lists all\n", m - shown);
}

static int report(const settings *s)
{
    rls2_error err;
    rls2_forecast forecast = {0};
    rls2_cost cost;
    output out;
    const rls2_dataset *data = rls2_plan_data(s->plan, RLS2_PART_TRAINING);
    const rls2_dictionary *dictionary = rls2_plan_dictionary(s->plan);
    const rls2_rows rows = {
        .n = rls2_dataset_rows(data), .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
    /* kernels of binned rows are matrices of their knots, which the forecast of the fit has */
    if ((!rls2_plan_is_tall(s->plan) &&
         rls2_basis_forecast(dictionary, &rows, &forecast, sizeof forecast, &err) != RLS2_OK) ||
        rls2_plan_forecast(s->plan, learn_threads(s), &cost, sizeof cost, &err) != RLS2_OK)
        return fail(s, &err);
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (s->json)
        print_json(out.file, s->plan, &forecast, &cost);
    else
        print_list(s, out.file, data, dictionary, &forecast, &cost);
    return output_close(s, &out, 1);
}

static int run_kernels(const settings *s)
{
    learning l;
    int code = learn_prepare(s, &l);
    if (code == EXIT_OK) code = report(s);
    learn_free(&l);
    return code;
}

const command command_kernels = {
    .name = "kernels",
    .bit = FOR_KERNELS,
    .summary = "say what columns are taken for, list kernels, time and memory they take",
    .arguments = "DATA...",
    .least = 1,
    .most = MOST_ARGUMENTS,
    .description =
        "Says what each column of a table is taken for, lists the kernels of a dictionary, by "
        "name, and forecasts the time and memory that 'rls2 train' takes with them, before "
        "anything "
        "long is started; mostly within a factor of two. Without --target all columns are "
        "inputs. Of a large file a sample of the rows is looked at.\n\n"
        "Use it to check that a table is read as it is meant, to try out a dictionary (see 'rls2 "
        "help dictionary') and to see whether a fit has room in the memory of this machine.",
    .examples = "$ rls2 kernels data/housing.csv -t MEDV\n"
                "  The default dictionary, called paper: 13 kernels for all columns\n"
                "  together and 13 for each alone.\n\n"
                "$ rls2 kernels data/housing.csv -t MEDV -k 'rbf(0.01:10:4)@each; spline'\n"
                "  Four widths of Gaussian and a spline, on each column.\n\n"
                "$ rls2 kernels data/housing.csv -t MEDV --group place=DIS,RAD,CHAS \\\n"
                "       -k 'rbf(0.1|1)@group:place; linear@each'\n"
                "  A named set of columns.\n",
    .goal = RLS2_GOAL_KERNELS,
    .run = run_kernels};
