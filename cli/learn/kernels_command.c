/* rls2 kernels: lists a dictionary and forecasts what it takes. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/learn/fit.h"
#include "cli/memory_limit.h"

static void print_json(FILE *file, const problem *p, const rls2_dictionary *dictionary,
                       const rls2_forecast *forecast)
{
    json j = json_start(file);
    json_object(&j, NULL);
    json_integer(&j, "n", p->train.rows.n);
    json_integer(&j, "m", rls2_dictionary_size(dictionary));
    json_object(&j, "bytes");
    json_number(&j, "typical", forecast->typical);
    json_number(&j, "most", forecast->most);
    json_end_object(&j);
    json_array(&j, "kernels");
    for (int64_t k = 0; k < rls2_dictionary_size(dictionary); k++)
        json_text(&j, NULL, rls2_dictionary_name(dictionary, k));
    json_end_array(&j);
    json_end_object(&j);
    json_finish(&j);
}

static void print_list(const settings *s, FILE *file, const problem *p,
                       const rls2_dictionary *dictionary, const rls2_forecast *forecast)
{
    int64_t m = rls2_dictionary_size(dictionary), shown = s->top > 0 && s->top < m ? s->top : m;
    fprintf(file, "%s on %s, %s\n", count_of(m, "kernel").text,
            count_of(p->train.rows.n, "row").text, count_of(p->columns.count, "column").text);
    double solving = 3.0 * 8.0 * (double)p->train.rows.n * (double)p->train.rows.n;
    fprintf(file, "memory: about %s for the kernels (at most %s), and about %s for solving\n",
            show_bytes(forecast->typical).text, show_bytes(forecast->most).text,
            show_bytes(solving).text);
    if (kernel_memory(s) > 0 && forecast->typical > (double)kernel_memory(s))
        fprintf(file,
                "        of the kernels %s are stored (--memory), the others computed when they "
                "are needed\n",
                show_bytes((double)kernel_memory(s)).text);
    fputc('\n', file);
    for (int64_t k = 0; k < shown; k++)
        print_names(file, "%s\n", rls2_dictionary_name(dictionary, k));
    if (shown < m) fprintf(file, "... and %" PRId64 " more; --top 0 lists all\n", m - shown);
}

static int report(const settings *s, const problem *p, const rls2_dictionary *dictionary)
{
    rls2_error err;
    rls2_forecast forecast;
    output out;
    if (rls2_basis_forecast(dictionary, &p->train.rows, &forecast, &err) != RLS2_OK)
        return fail(s, &err);
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (s->json)
        print_json(out.file, p, dictionary, &forecast);
    else
        print_list(s, out.file, p, dictionary, &forecast);
    return output_close(s, &out, 1);
}

static int run_kernels(const settings *s)
{
    problem p;
    rls2_dictionary *dictionary = NULL;
    int code = check_memory(s);
    if (code != EXIT_OK) return code;
    code = problem_load(s, &p);
    if (code == EXIT_OK) code = make_dictionary(s, &p, &dictionary);
    if (code == EXIT_OK) code = report(s, &p, dictionary);
    rls2_dictionary_free(dictionary);
    problem_free(&p);
    return code;
}

const command command_kernels = {
    .name = "kernels",
    .bit = FOR_KERNELS,
    .summary = "list the kernels of a dictionary and the memory they take",
    .arguments = "DATA",
    .least = 1,
    .most = 1,
    .description = "Lists the kernels that a dictionary means for a table, by names that say what "
                   "each looks at, and "
                   "forecasts how much memory all of them take, before anything long is started. "
                   "Without --target all "
                   "columns are inputs.\n\n"
                   "Use it to try out a dictionary (see 'rls2 help dictionary') and to see whether "
                   "a fit has room in "
                   "the memory of this machine.",
    .examples = "$ rls2 kernels data/housing.csv -t MEDV\n"
                "  The default dictionary, called paper: 13 kernels for all columns\n"
                "  together and 13 for each alone.\n"
                "\n"
                "$ rls2 kernels data/housing.csv -t MEDV -k 'rbf(0.01:10:4)@each; spline'\n"
                "  Four widths of Gaussian and a spline, on each column.\n"
                "\n"
                "$ rls2 kernels data/housing.csv -t MEDV --group place=DIS,RAD,CHAS \\\n"
                "       -k 'rbf(0.1|1)@group:place; linear@each'\n"
                "  A named set of columns.\n",
    .run = run_kernels};
