/* rls2 demo: the paper's Prostate column, ours beside it, with the certificate. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/output.h"
#include "cli/samples.h"
#include "experiments/chart.h"
#include "experiments/experiment.h"
#include "experiments/files.h"
#include "experiments/prostate_rivals.h"

enum { PROFILE_POINTS = 120, LINES = PROSTATE_INPUTS + 3 };

typedef struct answer {
    prostate_data data;
    prostate_column ours, paper;
    rls2_certificate certificate;
    int alike; /* of LINES */
    int certified;
} answer;

/* Where the tables are, or were expected. */
static const char *folder_of(const settings *s, char path[SAMPLES_PATH])
{
    const char *folder = samples_find(s, path), *named = getenv("RLS2_DATA");
    if (folder) return folder;
    if (s->data) return s->data;
    return named && named[0] ? named : "data";
}

/* The number as the table prints it; blank for a variable not selected. */
static const char *printed(double value, char *text, size_t size)
{
    if (value == 0.0)
        text[0] = '\0';
    else
        snprintf(text, size, "%.3f", value);
    return text;
}

/* ---- as text ---- */

static void print_line(FILE *file, const char *name, double ours, double paper)
{
    char a[32], b[32];
    printed(ours, a, sizeof a);
    printed(paper, b, sizeof b);
    fprintf(file, "  %-12s %8s %8s%s\n", name, a, b, strcmp(a, b) == 0 ? "" : "   differs");
}

static void print_table(FILE *file, const answer *r)
{
    const prostate_column *ours = &r->ours, *paper = &r->paper;
    fprintf(file, "Linear RLS2 on the Prostate data: %lld rows, %d inputs, lambda = %g\n\n",
            (long long)r->data.n_train, PROSTATE_INPUTS, prostate_lambda);
    fprintf(file, "  %-12s %8s %8s\n", "", "rls2", "paper");
    print_line(file, "intercept", ours->intercept, paper->intercept);
    for (int j = 0; j < PROSTATE_INPUTS; j++)
        print_line(file, r->data.names[j], ours->coefficients[j], paper->coefficients[j]);
    print_line(file, "test error", ours->test_error, paper->test_error);
    print_line(file, "std error", ours->std_error, paper->std_error);
    fprintf(file, "\n%d of %d lines agree to every printed digit (blank: not selected).\n",
            r->alike, LINES);
}

static void print_certificate(FILE *file, const answer *r)
{
    const rls2_certificate *c = &r->certificate;
    char gap[32] = "below 1e-12"; /* less is rounding */
    if (c->relative_gap >= 1e-12) snprintf(gap, sizeof gap, "%.1e", c->relative_gap);
    fprintf(file, "\nCertificate, recomputed from the data:\n");
    fprintf(file, "  objective reached      %.12f\n", c->primal);
    fprintf(file, "  lower bound            %.12f\n", c->dual);
    fprintf(file, "  relative gap           %s   %s\n", gap,
            r->certified ? "certified" : "above 1e-6: NOT certified");
}

static void print_text(FILE *file, const settings *s, const answer *r)
{
    print_table(file, r);
    print_certificate(file, r);
    if (s->output) print_names(file, "\nPicture: %s\n", s->output);
}

/* ---- as JSON ---- */

static void print_column(json *j, const char *key, const answer *r, const prostate_column *column)
{
    json_object(j, key);
    json_number(j, "intercept", column->intercept);
    json_object(j, "coefficients");
    for (int i = 0; i < PROSTATE_INPUTS; i++)
        json_number(j, r->data.names[i], column->coefficients[i]);
    json_end_object(j);
    json_number(j, "test_error", column->test_error);
    json_number(j, "std_error", column->std_error);
    json_end_object(j);
}

static void print_json(FILE *file, const settings *s, const answer *r)
{
    json j = json_start(file);
    json_object(&j, NULL);
    json_integer(&j, "n", r->data.n_train);
    json_number(&j, "lambda", prostate_lambda);
    print_column(&j, "rls2", r, &r->ours);
    print_column(&j, "paper", r, &r->paper);
    json_integer(&j, "lines", LINES);
    json_integer(&j, "alike", r->alike);
    json_number(&j, "objective", r->certificate.primal);
    json_number(&j, "bound", r->certificate.dual);
    json_number(&j, "gap", r->certificate.relative_gap);
    json_truth(&j, "certified", r->certified);
    json_text(&j, "picture", s->output);
    json_end_object(&j);
    json_finish(&j);
}

/* ---- the work ---- */

static int alike(double ours, double paper)
{
    char a[32], b[32];
    return strcmp(printed(ours, a, sizeof a), printed(paper, b, sizeof b)) == 0;
}

static rls2_status compute(const settings *s, answer *r, rls2_error *err)
{
    const prostate_column *ours = &r->ours, *paper = &r->paper;
    r->paper = prostate_printed_column(PROSTATE_RLS2);
    char path[SAMPLES_PATH];
    rls2_status status = prostate_load(folder_of(s, path), &r->data, err);
    if (status == RLS2_OK) status = prostate_fit(&r->data, &r->ours, &r->certificate, err);
    if (status != RLS2_OK) return status;
    r->certified = r->certificate.relative_gap <= 1e-6;
    r->alike = alike(ours->intercept, paper->intercept) +
               alike(ours->test_error, paper->test_error) +
               alike(ours->std_error, paper->std_error);
    for (int j = 0; j < PROSTATE_INPUTS; j++)
        r->alike += alike(ours->coefficients[j], paper->coefficients[j]);
    return RLS2_OK;
}

/* The SVG, which the caller frees; NULL when out of memory. */
static char *draw_profile(const prostate_data *data, const double *df, const double *values,
                          double chosen)
{
    chart_line lines[PROSTATE_INPUTS];
    const chart_mark mark = {.x = chosen, .label = "the table's lambda"};
    for (int j = 0; j < PROSTATE_INPUTS; j++)
        lines[j] = (chart_line){.name = data->names[j],
                                .count = PROFILE_POINTS,
                                .x = df,
                                .y = values + j * PROFILE_POINTS,
                                .colour = j};
    const chart_panel panel = {.title = "Prostate: RLS2 coefficients along the path",
                               .x_label = "degrees of freedom",
                               .y_label = "coefficient",
                               .line_count = PROSTATE_INPUTS,
                               .lines = lines,
                               .mark_count = 1,
                               .marks = &mark};
    return chart_svg(&(chart){.rows = 1, .columns = 1, .panels = &panel});
}

static rls2_status write_picture(const prostate_data *data, const char *path, rls2_error *err)
{
    static double df[PROFILE_POINTS], values[PROFILE_POINTS * PROSTATE_INPUTS];
    double chosen;
    new_file f;
    rls2_status status = prostate_profile(data, PROFILE_POINTS, df, values, &chosen, err);
    if (status != RLS2_OK) return status;
    char *svg = draw_profile(data, df, values, chosen);
    if (!svg) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory");
    status = files_begin(&f, err, "%s", path);
    if (status == RLS2_OK) {
        fputs(svg, f.file);
        status = files_finish(&f, err);
    }
    free(svg);
    return status;
}

static int print_answer(const settings *s, const answer *r)
{
    output out;
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (s->json)
        print_json(out.file, s, r);
    else
        print_text(out.file, s, r);
    code = output_close(s, &out, 1);
    return code == EXIT_OK && !(r->alike == LINES && r->certified) ? EXIT_FAILED : code;
}

static int check_picture(const settings *s)
{
    size_t length = s->output ? strlen(s->output) : 0;
    if (!s->output || (length > 4 && strcmp(s->output + length - 4, ".svg") == 0)) return EXIT_OK;
    say_error(s, "the picture is SVG: -o should end in .svg");
    return EXIT_USAGE;
}

static int run_demo(const settings *s)
{
    rls2_error err = {0};
    answer r;
    memset(&r, 0, sizeof r);
    if (check_picture(s) != EXIT_OK) return EXIT_USAGE;
    rls2_status status = compute(s, &r, &err);
    if (status == RLS2_OK && s->output) status = write_picture(&r.data, s->output, &err);
    int code = status == RLS2_OK ? print_answer(s, &r) : fail(s, &err);
    if (status == RLS2_ERR_IO && r.data.n_train == 0)
        say(s, "The data folder is that of --data FOLDER, or RLS2_DATA.");
    prostate_free(&r.data);
    return code;
}

const command command_demo = {
    .name = "demo",
    .bit = FOR_DEMO,
    .summary = "the paper's Prostate table recomputed, with its certificate",
    .arguments = "",
    .description =
        "Fits linear RLS2 to the Prostate data and prints its coefficients beside those of the "
        "paper's table, with the duality-gap certificate recomputed from the data.\n\n"
        "The exit code is 1 if a printed digit differs or the certificate does not hold.",
    .examples = "$ rls2 demo\n\n"
                "$ rls2 demo -o prostate.svg\n"
                "  Also a picture of the coefficients along the path.\n",
    .run = run_demo};
