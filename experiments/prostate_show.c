/* What the Prostate experiment has to show: figures FIG10 and FIG11, Table TAB10, and what the
 * one-standard-error rule chooses for other folds. */
#include <inttypes.h>
#include <stdio.h>

#include "experiments/prostate_study.h"

enum { SHOWN = 10 }; /* seeds with a line of their own */

/* The fit at lambda i of the grid. */
static prostate_column column_at(const prostate_study *s, int64_t i)
{
    prostate_column column = {.intercept = s->columns[PROSTATE_RLS2].intercept};
    for (int j = 0; j < PROSTATE_INPUTS; j++)
        column.coefficients[j] = s->values[j * PROSTATE_LAMBDAS + i];
    prostate_test_errors(&s->data, &column);
    return column;
}

static int selected(const prostate_column *column)
{
    int count = 0;
    for (int j = 0; j < PROSTATE_INPUTS; j++) count += column->coefficients[j] != 0.0;
    return count;
}

static void show_curve(const prostate_study *s, sheet *out)
{
    const prostate_curve *c = &s->curves[0];
    double low[PROSTATE_LAMBDAS], high[PROSTATE_LAMBDAS];
    for (int i = 0; i < PROSTATE_LAMBDAS; i++) {
        low[i] = c->cvm[i] - c->cvsd[i];
        high[i] = c->cvm[i] + c->cvsd[i];
    }
    chart_line line = {.name = "mean squared error, with its standard error",
                       .count = PROSTATE_LAMBDAS,
                       .x = s->lambdas,
                       .y = c->cvm,
                       .lo = low,
                       .hi = high};
    chart_mark mark = {s->lambdas[(int)c->choice], "one standard error"};
    chart_panel panel = {.title = "Prostate: 10-fold cross-validation",
                         .x_label = "lambda",
                         .y_label = "mean squared error",
                         .log_x = 1,
                         .line_count = 1,
                         .lines = &line,
                         .mark_count = 1,
                         .marks = &mark};
    sheet_figure(out, "fig10",
                 "Prediction error by 10-fold cross-validation of the 67 training rows, and its "
                 "standard error. "
                 "Complex models are on the left; the vertical line is the largest lambda within "
                 "one standard "
                 "error of the best.",
                 &(chart){1, 1, &panel});
}

static void show_profile(const prostate_study *s, sheet *out)
{
    chart_line lines[PROSTATE_INPUTS];
    for (int j = 0; j < PROSTATE_INPUTS; j++)
        lines[j] = (chart_line){.name = s->data.names[j],
                                .count = PROSTATE_PROFILE,
                                .x = s->profile_df,
                                .y = s->profile + j * PROSTATE_PROFILE,
                                .colour = j};
    chart_mark mark = {s->table_df, "the table's lambda"};
    chart_panel panel = {.title = "Prostate: coefficients along the path",
                         .x_label = "degrees of freedom",
                         .y_label = "coefficient",
                         .line_count = PROSTATE_INPUTS,
                         .lines = lines,
                         .mark_count = 1,
                         .marks = &mark};
    sheet_figure(out, "fig11",
                 "Coefficients of linear RLS2 against the approximate degrees of freedom, for "
                 "lambda from 1e4 (left) "
                 "to 1e-4 (right). The vertical line is the lambda of TAB10.",
                 &(chart){1, 1, &panel});
}

static void seed_row(const prostate_study *s, sheet *out, int64_t i)
{
    const prostate_curve *c = &s->curves[i];
    int64_t choice = (int64_t)c->choice, best = (int64_t)c->best;
    prostate_column column = column_at(s, choice);
    sheet_row(out);
    sheet_number(out, (double)prostate_seed(s, i), "%.0f");
    sheet_number(out, s->lambdas[best], "%.4g");
    sheet_number(out, c->cvm[best], "%.3f");
    sheet_number(out, s->lambdas[choice], "%.4g");
    sheet_number(out, c->cvm[choice], "%.3f");
    sheet_number(out, s->df[choice], "%.2f");
    sheet_number(out, selected(&column), "%.0f");
    sheet_mean(out, column.test_error, column.std_error, "%.3f");
}

static void table_row(const prostate_study *s, sheet *out)
{
    const prostate_column *column = &s->columns[PROSTATE_RLS2];
    sheet_row(out);
    sheet_text(out, "RLS2 at the lambda of TAB10");
    sheet_text(out, "");
    sheet_text(out, "");
    sheet_number(out, prostate_lambda, "%.4g");
    sheet_text(out, "");
    sheet_number(out, s->table_df, "%.2f");
    sheet_number(out, selected(column), "%.0f");
    sheet_mean(out, column->test_error, column->std_error, "%.3f");
}

static void show_seeds(const prostate_study *s, sheet *out)
{
    static const char *const names[] = {"seed",           "lambda.min", "cv error",  "lambda.1se",
                                        "cv error (1se)", "df (1se)",   "variables", "test error"};
    sheet_table(out, "folds",
                "What the one-standard-error rule chooses, for the folds of the first seeds", 8,
                names);
    for (int64_t i = 0; i < s->seeds && i < SHOWN; i++) seed_row(s, out, i);
    table_row(s, out);
}

static int64_t choosing(const prostate_study *s, int64_t lambda)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->seeds; i++) count += (int64_t)s->curves[i].choice == lambda;
    return count;
}

static int64_t choosing_five(const prostate_study *s)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->seeds; i++) {
        prostate_column column = column_at(s, (int64_t)s->curves[i].choice);
        count += selected(&column) == 5;
    }
    return count;
}

static void choice_row(const prostate_study *s, sheet *out, int64_t lambda)
{
    prostate_column column = column_at(s, lambda);
    sheet_row(out);
    sheet_number(out, s->lambdas[lambda], "%.4g");
    sheet_number(out, (double)choosing(s, lambda), "%.0f");
    sheet_number(out, s->df[lambda], "%.2f");
    sheet_number(out, selected(&column), "%.0f");
    sheet_mean(out, column.test_error, column.std_error, "%.3f");
}

static void show_choices(const prostate_study *s, sheet *out)
{
    static const char *const names[] = {"lambda.1se", "divisions", "df", "variables", "test error"};
    int64_t same = choosing(s, PROSTATE_TABLE_LAMBDA), five = choosing_five(s);
    sheet_table(out, "choices", "How many divisions of the rows choose which lambda", 5, names);
    for (int64_t i = 0; i < PROSTATE_LAMBDAS; i++)
        if (choosing(s, i) > 0) choice_row(s, out, i);
    sheet_paragraph(
        out,
        "The paper prints neither its lambda nor how many values it tried, only their interval, "
        "from "
        "1e-4 to 1e4 on a logarithmic scale. The digits of TAB10 are those of any lambda from "
        "0.0878 "
        "to 0.0886. Of the grids of 2 to 38 values on that interval one has a value there, that of "
        "%d: its %dth from the top, %.6g. So the number suggests the grid, which is the one used "
        "here; the "
        "paper does not state it.",
        PROSTATE_LAMBDAS, PROSTATE_TABLE_LAMBDA + 1, prostate_lambda);
    sheet_paragraph(
        out,
        "The choice depends on how chance divides 67 rows into ten, and the paper's folds are not "
        "known. Of %" PRId64 " divisions %" PRId64 " choose that lambda, and %" PRId64
        " choose five variables, as the paper does.",
        s->seeds, same, five);
    sheet_fact(out, "lambda_1se", s->lambdas[(int)s->curves[0].choice]);
    sheet_fact(out, "divisions", (double)s->seeds);
    sheet_fact(out, "chooses_paper_lambda", (double)same);
    sheet_fact(out, "divisions_five", (double)five);
}

static const char *line_name(const prostate_study *s, int line)
{
    return line == 0                    ? "intercept"
           : line == PROSTATE_LINES - 2 ? "test error"
           : line == PROSTATE_LINES - 1 ? "std error"
                                        : s->data.names[line - 1];
}

static void table_line(const prostate_study *s, sheet *out, int line)
{
    char text[16];
    sheet_row(out);
    sheet_text(out, line_name(s, line));
    for (int method = 0; method < PROSTATE_METHODS; method++) {
        prostate_print(&s->columns[method], line, text);
        sheet_text(out, text);
        sheet_text(out, prostate_printed[line][method]);
    }
}

static void table_agreement(const prostate_study *s, sheet *out)
{
    int all = 0;
    char text[32];
    sheet_row(out);
    sheet_text(out, "lines equal");
    for (int method = 0; method < PROSTATE_METHODS; method++) {
        int agree = prostate_agreeing(&s->columns[method], (prostate_method)method);
        all += agree;
        snprintf(text, sizeof text, "%d of %d", agree, PROSTATE_LINES);
        sheet_text(out, text);
        sheet_text(out, "");
    }
    sheet_fact(out, "tab10_agree", prostate_agreeing(&s->columns[PROSTATE_RLS2], PROSTATE_RLS2));
    sheet_fact(out, "tab10_agree_all", all);
    sheet_fact(out, "tab10_lines", PROSTATE_LINES * PROSTATE_METHODS);
}

static void show_table(const prostate_study *s, sheet *out)
{
    char paper[PROSTATE_METHODS][32];
    const char *names[1 + 2 * PROSTATE_METHODS] = {"term"};
    for (int method = 0; method < PROSTATE_METHODS; method++) {
        snprintf(paper[method], sizeof paper[method], "%s (paper)", prostate_method_names[method]);
        names[1 + 2 * method] = prostate_method_names[method];
        names[2 + 2 * method] = paper[method];
    }
    sheet_table(out, "tab10", "Coefficients and test errors, each column beside the paper's",
                1 + 2 * PROSTATE_METHODS, names);
    for (int line = 0; line < PROSTATE_LINES; line++) table_line(s, out, line);
    table_agreement(s, out);
}

static void show_remarks(const prostate_study *s, sheet *out)
{
    prostate_column lasso;
    prostate_lasso(&s->data, 0.36, &lasso);
    sheet_paragraph(
        out,
        "RLS2 at lambda = %g: relative duality gap %.1e, recomputed from the data (objective "
        "%.9f, lower bound %.9f).",
        prostate_lambda, s->certificate.relative_gap, s->certificate.primal, s->certificate.dual);
    sheet_paragraph(
        out,
        "The paper took the other six columns from a textbook; here they are computed anew. Best "
        "subset: the best of "
        "all pairs. Ridge: five degrees of freedom, training inputs not centred. Lasso: the "
        "printed digits belong to a "
        "bound of 0.375 of the least squares norm, in centred inputs of unit length, not to the "
        "0.36 that the textbook "
        "names (which gives lcavol %.3f, svi %.3f, test error %.3f: %d of %d lines). PCR: "
        "seven directions; PLS: "
        "two.",
        lasso.coefficients[0], lasso.coefficients[4], lasso.test_error,
        prostate_agreeing(&lasso, PROSTATE_LASSO), PROSTATE_LINES);
    sheet_fact(out, "relative_gap", s->certificate.relative_gap);
}

rls2_status prostate_show(const prostate_study *s, sheet **results, rls2_error *err)
{
    sheet *out = sheet_create("prostate", "Prostate cancer: linear RLS2 (Experiment 2)");
    if (!out) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for the results");
    sheet_paragraph(out,
                    "Eight clinical measurements of %" PRId64 " men predict lpsa; %" PRId64
                    " others are the test. Inputs are standardised over all rows, kernels "
                    "scaled by their traces over the training rows, the intercept is the mean of "
                    "the training outputs.",
                    s->data.n_train, s->data.n_test);
    show_curve(s, out);
    show_seeds(s, out);
    show_choices(s, out);
    show_profile(s, out);
    show_table(s, out);
    show_remarks(s, out);
    *results = out;
    return RLS2_OK;
}
