/* What the experiment of gene expressions has to show: Table TAB5, the sets beside each other,
 * figure FIG12 of each. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cancers_parts.h"

/* ---- tables ---- */

static const cancer_point *chosen(const cancers_unit *u)
{
    return &u->result.points[(int)u->result.choice];
}

typedef struct known_result {
    const char *method;
    double errors;
    double genes;
} known_result;

/* Table TAB5 of the paper; all but the last from the textbook. */
static const known_result tab5[] = {{"support vector classifier", 14.0, 16063},
                                    {"L1-penalized multinomial", 13.0, 269},
                                    {"Lasso regression, one versus all", 12.5, 1429},
                                    {"L2-penalized discriminant analysis", 12.0, 16063},
                                    {"elastic-net penalized multinomial", 11.8, 384},
                                    {"linear RLS2, one versus all (paper)", 9.8, 855}};

static void tab5_line(sheet *out, const char *method, double mean, double errors, double genes)
{
    sheet_row(out);
    sheet_text(out, method);
    sheet_number(out, mean, "%.1f");
    sheet_number(out, errors, "%.0f");
    sheet_number(out, genes, "%.0f");
}

/* Whether ours may be held against the paper's. */
static void show_origin(const cancers *s, sheet *out)
{
    int published = s->origin.published;
    sheet_paragraph(
        out, "14 Cancers: the files are %s. %s",
        published ? "those published, by their checksums"
                  : "not those published, so that our line is not to be held against the others",
        s->origin.folds ? "The folds are those of " CANCER14_FOLDS "."
                        : "There is no " CANCER14_FOLDS
                          " in the data folders: the folds are drawn.");
    if (!published)
        experiment_note(
            s->r, "14cancer.xtrain, .xtest, .ytrain and .ytest are not all the files published.");
    sheet_fact(out, "14cancer_published", published);
}

static void show_tab5(const cancers *s, sheet *out)
{
    static const char *const names[] = {"method", "test errors, mean over the best lambdas",
                                        "test errors at the choice", "genes"};
    int lines = (int)(sizeof tab5 / sizeof tab5[0]);
    int64_t count;
    const cancers_unit *u = &s->units[0];
    sheet_table(out, "tab5", "14 Cancers: errors of 54 test patients, and genes selected", 4,
                names);
    for (int i = 0; i < lines; i++)
        tab5_line(out, tab5[i].method, tab5[i].errors, i == lines - 1 ? 10 : NAN, tab5[i].genes);
    if (u->there) {
        double mean = cancer_mean_errors(&u->result, &count);
        tab5_line(out,
                  s->origin.published ? "linear RLS2, one versus all (ours)"
                                      : "linear RLS2, one versus all (ours, from other files)",
                  mean, chosen(u)->test, chosen(u)->genes);
        sheet_fact(out, "tab5_mean_errors", mean);
        show_origin(s, out);
        return;
    }
    tab5_line(out, "linear RLS2, one versus all (ours): no data", NAN, NAN, NAN);
    sheet_paragraph(out, "14 Cancers was left out: %s not in the data folders. %s", s->missing,
                    cancers_source);
}

/* A set that is wanted but has no data is not passed over in silence. */
static void no_data_row(sheet *out, const cancers_unit *u)
{
    char text[96];
    snprintf(text, sizeof text, "%s: no data", u->title);
    sheet_row(out);
    sheet_text(out, text);
}

static void set_row(sheet *out, const cancers_unit *u)
{
    const cancer_result *result = &u->result;
    const cancer_point *at = chosen(u);
    int64_t best;
    double mean = cancer_mean_errors(result, &best);
    char markers[48] = "";
    if (result->markers >= 0)
        snprintf(markers, sizeof markers, "%.0f of %.0f", result->found, result->markers);
    sheet_row(out);
    sheet_text(out, u->title);
    sheet_number(out, result->classes, "%.0f");
    sheet_number(out, result->rows, "%.0f");
    sheet_number(out, result->test_rows, "%.0f");
    sheet_number(out, result->genes, "%.0f");
    sheet_number(out, at->lambda, "%.3g");
    sheet_number(out, at->validation, "%.0f");
    sheet_number(out, at->test, "%.0f");
    sheet_number(out, mean, "%.1f");
    sheet_number(out, (double)best, "%.0f");
    sheet_number(out, at->genes, "%.0f");
    sheet_text(out, markers);
    sheet_number(out, result->certificate, "%.1e");
    sheet_number(out, result->seconds, "%.1f");
}

static void set_facts(sheet *out, const cancers_unit *u)
{
    const char *id = u->id;
    char key[64];
    snprintf(key, sizeof key, "%s_errors", id);
    sheet_fact(out, key, chosen(u)->test);
    snprintf(key, sizeof key, "%s_validation_errors", id);
    sheet_fact(out, key, chosen(u)->validation);
    snprintf(key, sizeof key, "%s_genes", id);
    sheet_fact(out, key, chosen(u)->genes);
    snprintf(key, sizeof key, "%s_gap", id);
    sheet_fact(out, key, u->result.certificate);
    snprintf(key, sizeof key, "%s_seconds", id);
    sheet_fact(out, key, u->result.seconds);
}

static void show_sets(const cancers *s, sheet *out)
{
    static const char *const names[] = {"set",
                                        "classes",
                                        "patients",
                                        "test patients",
                                        "genes",
                                        "lambda",
                                        "validation errors",
                                        "test errors",
                                        "mean test errors",
                                        "best lambdas",
                                        "genes selected",
                                        "markers found",
                                        "largest gap",
                                        "seconds"};
    double unconverged = 0.0, gap = 0.0;
    sheet_table(out, "sets", "Errors and genes at the chosen lambda", 14, names);
    for (int64_t i = 0; i < s->count; i++) {
        if (!s->units[i].there) {
            no_data_row(out, &s->units[i]);
            continue;
        }
        set_row(out, &s->units[i]);
        set_facts(out, &s->units[i]);
        unconverged += s->units[i].result.unconverged;
        for (int k = 0; k < CANCER_LAMBDAS; k++) gap = fmax(gap, s->units[i].result.points[k].gap);
    }
    sheet_fact(out, "largest_gap", gap);
    sheet_paragraph(out,
                    "The mean of test errors is over every lambda with as few validation errors as "
                    "the chosen one, as in "
                    "the paper's table. Gaps at the choice are recomputed from the data; the "
                    "largest along all final "
                    "paths is %.1e, and %.0f fits stopped before theirs was below 1e-6.",
                    gap, unconverged);
}

static void show_classes(const cancers *s, sheet *out)
{
    static const char *const names[] = {"set", "1", "2",  "3",  "4",  "5",  "6", "7",
                                        "8",   "9", "10", "11", "12", "13", "14"};
    sheet_table(out, "classes", "Genes selected for each class against all others", 15, names);
    for (int64_t i = 0; i < s->count; i++) {
        const cancers_unit *u = &s->units[i];
        if (!u->there) {
            no_data_row(out, u);
            continue;
        }
        int outputs = u->result.classes > 2 ? (int)u->result.classes : 1;
        sheet_row(out);
        sheet_text(out, u->title);
        for (int o = 0; o < outputs; o++) sheet_number(out, u->result.class_genes[o], "%.0f");
    }
}

/* ---- figures ---- */

typedef struct curves {
    double lambda[CANCER_LAMBDAS], training[CANCER_LAMBDAS], validation[CANCER_LAMBDAS],
        test[CANCER_LAMBDAS], low[CANCER_LAMBDAS], high[CANCER_LAMBDAS];
} curves;

static curves shares(const cancer_result *result)
{
    curves c;
    for (int i = 0; i < CANCER_LAMBDAS; i++) {
        const cancer_point *p = &result->points[i];
        c.lambda[i] = p->lambda;
        c.training[i] = p->training / result->rows;
        c.validation[i] = p->validation / result->rows;
        c.test[i] = p->test / result->test_rows;
        c.low[i] = fmax(0.0, c.validation[i] - p->band);
        c.high[i] = fmin(1.0, c.validation[i] + p->band);
    }
    return c;
}

static void show_figure(const cancers_unit *u, sheet *out)
{
    curves c = shares(&u->result);
    char id[64], caption[512];
    chart_line lines[] = {
        {.name = "training", .y = c.training, .colour = 2},
        {.name = "validation", .y = c.validation, .lo = c.low, .hi = c.high, .colour = 0},
        {.name = "test", .y = c.test, .colour = 1}};
    for (int i = 0; i < 3; i++) {
        lines[i].count = CANCER_LAMBDAS;
        lines[i].x = c.lambda;
    }
    chart_mark mark = {chosen(u)->lambda, "chosen"};
    chart_panel panel = {.title = u->title,
                         .x_label = "lambda",
                         .y_label = "share of errors",
                         .log_x = 1,
                         .line_count = 3,
                         .lines = lines,
                         .mark_count = 1,
                         .marks = &mark};
    snprintf(id, sizeof id, "fig12-%s", u->id);
    snprintf(caption, sizeof caption,
             "%s: errors on the training rows, in 8-fold cross-validation (with its standard "
             "error) and on "
             "the test "
             "rows. The vertical line is the largest lambda with the fewest validation errors.",
             u->title);
    sheet_figure(out, id, caption, &(chart){1, 1, &panel});
}

rls2_status cancers_show(const cancers *s, sheet **results, rls2_error *err)
{
    sheet *out = sheet_create("cancers",
                              "Kinds of cancer from gene expressions: linear RLS2, one versus all");
    if (!out) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for the results");
    sheet_paragraph(out,
                    "Each patient's expressions are standardised over the genes; a linear kernel "
                    "on each gene, scaled "
                    "for each class by the root of the Fisher rule on the rows that are learned "
                    "from (the paper speaks "
                    "of "
                    "all training data); no intercept; %d values of lambda; stratified %d-fold "
                    "cross-validation.",
                    CANCER_LAMBDAS, CANCER_FOLDS);
    show_tab5(s, out);
    show_sets(s, out);
    show_classes(s, out);
    for (int64_t i = 0; i < s->count; i++)
        if (s->units[i].there) show_figure(&s->units[i], out);
    sheet_paragraph(
        out,
        "Made data have %d classes and %" PRId64
        " genes. %d genes of each class are raised by %g standard "
        "deviations in its patients; blocks of %d neighbouring genes have a correlation of %g; "
        "each patient has a gain and an offset, each gene a level of its own. They show what the "
        "method does "
        "with such a shape, and say nothing of 14 Cancers.",
        s->plan->classes, s->plan->genes, s->plan->markers, s->plan->effect, s->plan->block,
        s->plan->correlation);
    *results = out;
    return RLS2_OK;
}
