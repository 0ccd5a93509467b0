/* What a model of several outputs has learned: each class or target by itself, and what they have
 * in common. */
#include "cli/use/show_outputs.h"

#include "cli/stack_report.h"

#include <inttypes.h>
#include <math.h>

#include "cli/interval_report.h"
#include "cli/json.h"
#include "cli/represented.h"
#include "cli/use/show_command.h"
#include "cli/use/show_inputs.h"
#include "cli/use/targets.h"

enum { LINE_WIDTH = 96, INDENT = 14, SHORT_BAR = 16 };

/* ---- text ---- */

filler filler_start(FILE *file, const char *heading)
{
    fprintf(file, "%-*s", INDENT, heading);
    return (filler){.file = file, .column = INDENT};
}

void fill_text(filler *at, const char *before, const char *text, const char *behind)
{
    int64_t length = text_width(before) + text_width(text) + text_width(behind);
    if (at->column > INDENT && at->column + 1 + length > LINE_WIDTH) {
        fprintf(at->file, "\n%*s", INDENT, "");
        at->column = INDENT;
    } else if (at->column > INDENT) {
        fputc(' ', at->file);
        at->column++;
    }
    print_names(at->file, "%s%s%s", before, text, behind);
    at->column += length;
}

/* In quotes, as train tells them: names may hold commas. */
static void fill_names(filler *at, const rls2_model *model, const char *behind_last)
{
    int64_t outputs = rls2_model_outputs(model);
    for (int64_t o = 0; o < outputs; o++)
        fill_text(at, "'", rls2_model_output_name(model, o), o + 1 < outputs ? "'," : behind_last);
}

void show_output_names(FILE *file, const summary *whole)
{
    const rls2_model *model = whole->model;
    filler at = filler_start(file, rls2_model_target(model) ? "target" : "targets");
    if (whole->classification) {
        char count[32];
        snprintf(count, sizeof count, "%" PRId64 " classes", rls2_model_outputs(model));
        fill_text(&at, "", rls2_model_target(model), ":");
        fill_text(&at, "", count, ",");
        fill_names(&at, model, "',");
        int joint = rls2_model_loss(model).kind == RLS2_LOSS_MULTINOMIAL;
        fill_text(&at, "", joint ? "all together," : "one against all,", " classification");
    } else {
        if (rls2_model_target(model)) fill_text(&at, "", rls2_model_target(model), ":");
        fill_names(&at, model, "',");
        fill_text(&at, "", "regression", "");
    }
    fputc('\n', file);
}

static void print_score(FILE *file, const summary *whole, const summary *of)
{
    const rls2_model *model = whole->model;
    int of_each = !whole->classification && whole->by.of[0] == RLS2_MEASURE_R2;
    show_left_out(file, model);
    print_intervals(file, model);
    if (isnan(whole->train[0])) return;
    fprintf(file, "fit           %s", whole->classification ? "" : "mean ");
    print_train(file, whole);
    fprintf(file, " on the %s rows%s", training_or_counted(model), score_note(model));
    for (int64_t o = 0; of_each && o < rls2_model_outputs(model); o++) {
        fputs(o == 0 ? ": " : ", ", file);
        print_output_name(file, model, o);
        fprintf(file, " %.4g", of[o].r2);
    }
    fputc('\n', file);
}

/* The coefficient of the one column a linear kernel looks at. */
static const double *coefficient_of(const summary *one, int64_t k)
{
    const int64_t *columns;
    int64_t count = rls2_model_kernel_columns(one->model, one->parts.kernels[k].place, &columns);
    return one->coefficients && count == 1 ? &one->coefficients[columns[0]] : NULL;
}

static void print_kernel(FILE *file, const summary *one, int64_t k, double most)
{
    const importance *at = &one->parts.kernels[k];
    const double *a = coefficient_of(one, k);
    fprintf(file, "  %-8.4f ", at->weight);
    bar(file, at->weight / most, SHORT_BAR);
    fprintf(file, " %6.1f%%   ", 100.0 * at->share);
    print_selected(file, &one->parts, at);
    if (one->coefficients && a) fprintf(file, "%12.6g   ", *a);
    if (one->coefficients && !a) fprintf(file, "%12s   ", "");
    print_names(file, "%s\n", at->name);
}

/* Weight, share and, of a linear model, coefficient in one table. */
static void print_output(const settings *s, FILE *file, const summary *whole, int64_t o,
                         const summary *one)
{
    int64_t shown = shown_of(s, one->parts.kernel_count);
    double most = largest(one->parts.kernels, one->parts.kernel_count, 0),
           intercept = rls2_model_intercept(one->model);
    fprintf(file, "\n%s%s", output_word(whole->model), *output_word(whole->model) ? " " : "");
    print_output_name(file, whole->model, o);
    fprintf(file, ": %s, relative gap %.1e", count_of(one->parts.kernel_count, "kernel").text,
            rls2_model_point(one->model)->gap);
    if (intercept != 0.0) fprintf(file, ", intercept %.6g", intercept);
    fprintf(file, "\n  %-8s %-*s %7s   ", "weight", SHORT_BAR, "", "share");
    print_selected(file, &one->parts, NULL);
    fprintf(file, "%s%s\n", one->coefficients ? " coefficient   " : "", "kernel");
    for (int64_t k = 0; k < shown; k++) print_kernel(file, one, k, most);
    show_rest(file, shown, one->parts.kernel_count);
    print_often_selected(s, file, one->model);
}

void show_outputs_text(const settings *s, FILE *file, const summary *whole, const summary *of)
{
    show_data(file, whole);
    show_fit(file, whole);
    print_score(file, whole, of);
    fprintf(file, "selected      %" PRId64 " different kernel%s in all\n",
            whole->parts.kernel_count, whole->parts.kernel_count == 1 ? "" : "s");
    for (int64_t o = 0; o < rls2_model_outputs(whole->model); o++)
        print_output(s, file, whole, o, &of[o]);
    show_inputs(s, file, "mean ", whole);
    show_stability(s, file, &whole->stable);
}

void show_output_text(const settings *s, FILE *file, const summary *whole, int64_t o,
                      const summary *one)
{
    show_data(file, whole);
    show_fit(file, one);
    if (!whole->classification && !isnan(one->r2))
        fprintf(file, "fit           r2 %.4g on the %s rows\n", one->r2,
                training_or_counted(whole->model));
    else if (!whole->classification && !isnan(one->train[0])) {
        fputs("fit           ", file);
        print_train(file, one);
        fprintf(file, " on the %s rows\n", training_or_counted(whole->model));
    }
    print_output(s, file, whole, o, one);
    show_inputs(s, file, "", one);
    show_stability(s, file, &one->stable);
}

/* ---- JSON ---- */

static void json_output(json *j, const summary *whole, int64_t o, const summary *one)
{
    const rls2_path_point *point = rls2_model_point(one->model);
    json_object(j, NULL);
    json_text(j, "name", rls2_model_output_name(whole->model, o));
    json_number(j, "objective", point->objective);
    json_number(j, "gap", point->gap);
    json_number(j, "df", point->df);
    json_number(j, "intercept", rls2_model_intercept(one->model));
    if (!whole->classification && rls2_model_loss(one->model).kind == RLS2_LOSS_SQUARE) {
        json_object(j, "train");
        json_number(j, "r2", one->r2);
        json_end_object(j);
    } else if (!whole->classification) {
        json_train(j, one);
        json_end_object(j);
    }
    json_kernels(j, one);
    json_selected_by_splits(j, one->model);
    json_inputs(j, one);
    json_coefficients(j, one);
    json_end_object(j);
}

void show_outputs_json(FILE *file, const summary *whole, const summary *of, int64_t only)
{
    json j = json_start(file);
    json_object(&j, NULL);
    json_model(&j, whole);
    json_integer(&j, "kernels", whole->parts.kernel_count);
    json_train(&j, whole);
    json_end_object(&j);
    json_left_out(&j, whole);
    json_intervals(&j, whole->model);
    json_stack(&j, whole->model);
    json_inputs(&j, whole);
    json_stability(&j, &whole->stable);
    json_array(&j, "outputs");
    for (int64_t o = 0; o < rls2_model_outputs(whole->model); o++)
        if (only < 0 || o == only) json_output(&j, whole, o, &of[o]);
    json_end_array(&j);
    json_end_object(&j);
    json_finish(&j);
}
