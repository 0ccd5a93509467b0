/* rls2 demo: the paper's Prostate column, ours beside it, with the certificate. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "experiments/figure.h"
#include "experiments/prostate.h"

enum { PROFILE_POINTS = 120 };

typedef struct settings {
    const char *folder;
    const char *picture; /* NULL: none is written */
} settings;

static int parse(int argc, char **argv, settings *s)
{
    const char *folder = getenv("RLS2_DATA");
    s->folder = folder && folder[0] ? folder : "data";
    s->picture = NULL;
    for (int i = 0; i < argc; i++) {
        int is_data = strcmp(argv[i], "--data") == 0, is_out = strcmp(argv[i], "-o") == 0;
        if (!is_data && !is_out) {
            fprintf(stderr, "rls2 demo: unknown argument '%s'; see 'rls2 help demo'\n", argv[i]);
            return EXIT_USAGE;
        }
        if (i + 1 == argc) {
            fprintf(stderr, "rls2 demo: %s needs a value\n", argv[i]);
            return EXIT_USAGE;
        }
        if (is_data)
            s->folder = argv[++i];
        else
            s->picture = argv[++i];
    }
    return EXIT_OK;
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

/* One line of the table; 1 if both print alike. */
static int print_line(const char *name, double ours, double paper)
{
    char a[32], b[32];
    int alike = strcmp(printed(ours, a, sizeof a), printed(paper, b, sizeof b)) == 0;
    printf("  %-12s %8s %8s%s\n", name, a, b, alike ? "" : "   differs");
    return alike;
}

static int print_table(const prostate_data *data, const prostate_column *ours)
{
    const prostate_column *paper = &prostate_paper;
    int alike = 0, lines = PROSTATE_INPUTS + 3;
    printf("Linear RLS2 on the Prostate data: %lld rows, %d inputs, lambda = %g\n\n",
           (long long)data->n_train, PROSTATE_INPUTS, prostate_lambda);
    printf("  %-12s %8s %8s\n", "", "rls2", "paper");
    alike += print_line("intercept", ours->intercept, paper->intercept);
    for (int j = 0; j < PROSTATE_INPUTS; j++)
        alike += print_line(data->names[j], ours->coefficients[j], paper->coefficients[j]);
    alike += print_line("test error", ours->test_error, paper->test_error);
    alike += print_line("std error", ours->std_error, paper->std_error);
    printf("\n%d of %d lines agree to every printed digit (blank: not selected).\n", alike, lines);
    return alike == lines;
}

static int print_certificate(const rls2_certificate *c)
{
    int holds = c->relative_gap <= 1e-6;
    printf("\nCertificate, recomputed from the data:\n");
    printf("  objective reached      %.12f\n", c->primal);
    printf("  no solution is below   %.12f\n", c->dual);
    char gap[32] = "below 1e-12"; /* less is rounding */
    if (c->relative_gap >= 1e-12) snprintf(gap, sizeof gap, "%.1e", c->relative_gap);
    printf("  relative gap           %s   %s\n", gap, holds ? "certified" : "above 1e-6: NOT certified");
    return holds;
}

static rls2_status write_picture(const prostate_data *data, const char *path, rls2_error *err)
{
    static double df[PROFILE_POINTS], values[PROFILE_POINTS * PROSTATE_INPUTS];
    const char *names[PROSTATE_INPUTS];
    double chosen;
    rls2_status status = prostate_profile(data, PROFILE_POINTS, df, values, &chosen, err);
    if (status != RLS2_OK) return status;
    for (int j = 0; j < PROSTATE_INPUTS; j++) names[j] = data->names[j];
    figure f = {.title = "Prostate: RLS2 coefficients along the path",
                .x_label = "degrees of freedom",
                .y_label = "coefficient",
                .points = PROFILE_POINTS,
                .x = df,
                .lines = PROSTATE_INPUTS,
                .y = values,
                .names = names,
                .mark = chosen,
                .mark_label = "the table's lambda"};
    if (figure_write(&f, path) == 0) return RLS2_OK;
    snprintf(err->message, sizeof err->message, "%s: %s", path, strerror(errno));
    return RLS2_ERR_IO;
}

static int run(int argc, char **argv)
{
    settings s;
    rls2_error err;
    prostate_data data;
    prostate_column ours;
    rls2_certificate certificate;
    int code = parse(argc, argv, &s);
    if (code != EXIT_OK) return code;
    rls2_status status = prostate_load(s.folder, &data, &err);
    int missing = status == RLS2_ERR_IO;
    if (status == RLS2_OK) status = prostate_fit(&data, &ours, &certificate, &err);
    if (status == RLS2_OK) {
        int alike = print_table(&data, &ours), holds = print_certificate(&certificate);
        code = alike && holds ? EXIT_OK : EXIT_FAILED;
        if (s.picture) status = write_picture(&data, s.picture, &err);
        if (s.picture && status == RLS2_OK) printf("\nPicture: %s\n", s.picture);
    }
    prostate_free(&data);
    if (status == RLS2_OK) return code;
    fprintf(stderr, "rls2 demo: %s\n", err.message);
    if (missing) fprintf(stderr, "The data folder is ./data, or RLS2_DATA, or --data FOLDER.\n");
    return EXIT_FAILED;
}

const command command_demo = {
    "demo", "the paper's Prostate table recomputed, with its certificate",
    "usage: rls2 demo [--data FOLDER] [-o PICTURE.svg]\n\n"
    "Fits linear RLS2 to the Prostate data and prints its coefficients beside those of the\n"
    "paper's table, with the duality-gap certificate recomputed from the data.\n\n"
    "  --data FOLDER   where prostate.csv is (default: $RLS2_DATA, else ./data)\n"
    "  -o FILE         also draw the coefficients along the path, as SVG\n",
    run};
