/* rls2 show: what a model has learned. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/represented.h"
#include "cli/interval_report.h"
#include "cli/json.h"
#include "cli/use/show_command.h"
#include "cli/use/show_inputs.h"
#include "cli/use/show_outputs.h"
#include "cli/use/show_weights.h"
#include "cli/stack_report.h"
#include "cli/stats_report.h"
#include "cli/use/targets.h"

/* A share that is not 0.0 % as it is printed. */
static const double WORTH_A_LINE = 5e-4;

/* ---- collecting ---- */

/* Rows count in scores as often as the file says. Weights of classes alone are weights of errors,
 * not of rows. */
static const double *score_weights(const rls2_model *model)
{
    if (rls2_model_is_classification(model) && !rls2_model_row_weights_column(model)) return NULL;
    return rls2_model_row_weights(model);
}

const char *score_note(const rls2_model *model)
{
    return rls2_model_is_classification(model) && score_weights(model) ? ", weighted as in the fit"
                                                                       : "";
}

/* The solution tells the training targets, which need not be kept. The paper's method stops before,
 * and then they are not known. */
static double *recover_targets(const rls2_model *model, const double *f)
{
    int64_t n = rls2_model_rows(model), outputs = rls2_model_outputs(model);
    if (rls2_model_solver(model) == RLS2_SOLVER_ALTERNATE) return NULL;
    double *y = calloc((size_t)(n * outputs) + 1, sizeof *y);
    for (int64_t o = 0; y && o < outputs; o++)
        for (int64_t i = 0; i < n; i++)
            y[o * n + i] = recovered_target(rls2_model_output(model, o), i, f[o * n + i]);
    return y;
}

static double explained(int64_t n, const double *f, const double *y, const double *w)
{
    double rows = 0.0, mean = 0.0, rest = 0.0, total = 0.0;
    for (int64_t i = 0; i < n; i++) rows += w ? w[i] : 1.0;
    for (int64_t i = 0; i < n; i++) mean += (w ? w[i] : 1.0) * y[i] / rows;
    for (int64_t i = 0; i < n; i++) {
        rest += (w ? w[i] : 1.0) * (y[i] - f[i]) * (y[i] - f[i]);
        total += (w ? w[i] : 1.0) * (y[i] - mean) * (y[i] - mean);
    }
    return total > 0.0 ? 1.0 - rest / total : (double)NAN;
}

/* Of a compact model what was found when it was learned; of classes no accuracy. */
static void take_fit(summary *sum)
{
    int64_t outputs = rls2_model_outputs(sum->model);
    double mean = 0.0;
    for (int64_t o = 0; o < outputs; o++) {
        const rls2_represented *about = rls2_model_represented(rls2_model_output(sum->model, o));
        double r2 = 1.0 - about->mean_square / about->variance;
        if (!(about->variance > 0.0)) r2 = NAN;
        mean += r2 / (double)outputs;
        if (outputs > 1) continue;
        sum->r2 = r2;
        if (!sum->classification) sum->train[0] = sqrt(about->mean_square);
    }
    if (outputs > 1 && !sum->classification) sum->train[0] = mean;
}

static void collect_fit(summary *sum, const double *f)
{
    int64_t n = rls2_model_rows(sum->model), outputs = rls2_model_outputs(sum->model);
    const double *w = score_weights(sum->model);
    double *y = f ? recover_targets(sum->model, f) : NULL;
    for (int k = 0; k < MOST_SCORES; k++) sum->train[k] = NAN;
    sum->r2 = NAN;
    if (!f) take_fit(sum);
    if (!y) return;
    if (outputs == 1 && rls2_model_loss(sum->model).kind == RLS2_LOSS_SQUARE)
        sum->r2 = explained(n, f, y, w);
    /* of several classes the largest decides, and rounding is not to */
    for (int64_t i = 0; outputs > 1 && sum->classification && i < n * outputs; i++)
        y[i] = y[i] > 0.0 ? 1.0 : -1.0;
    for (int k = 0; k < sum->by.count; k++) sum->train[k] = scoring_value(&sum->by, k, n, f, y, w);
    sum->class_weights = class_weights_collect(sum->model, y);
    free(y);
}

/* EXIT_OK, or the exit code after a message; summary_free in either case. */
static int summary_collect(const settings *s, const rls2_model *model, summary *sum)
{
    int compact = rls2_model_is_compact(model);
    size_t values = (size_t)(rls2_model_points(model) * rls2_model_outputs(model));
    double *f = compact ? NULL : calloc(values + 1, sizeof *f);
    *sum = (summary){.model = model, .classification = rls2_model_is_classification(model)};
    sum->coefficients = calloc((size_t)rls2_model_columns(model) + 1, sizeof(double));
    int code = (f || compact) && sum->coefficients ? EXIT_OK : out_of_memory(s);
    if (code == EXIT_OK) code = scoring_of_model(s, model, &sum->by);
    if (code == EXIT_OK) code = importances_collect(s, model, &sum->parts, f);
    if (code == EXIT_OK) code = stable_items_of_model(s, model, &sum->stable);
    if (code == EXIT_OK) {
        collect_fit(sum, f);
        if (rls2_model_coefficients(model, sum->coefficients, NULL) != RLS2_OK) {
            free(sum->coefficients);
            sum->coefficients = NULL;
        }
    }
    free(f);
    return code;
}

static void summary_free(summary *sum)
{
    importances_free(&sum->parts);
    stable_items_free(&sum->stable);
    scoring_free(&sum->by);
    free(sum->coefficients);
    free(sum->class_weights);
}

/* ---- text ---- */

static const char *normalize_text(rls2_normalize how)
{
    static const char *const TEXTS[] = {"as they are", "centred", "standardised", "of unit length"};
    return TEXTS[how];
}

static void show_target(FILE *file, const summary *sum)
{
    const rls2_model *model = sum->model;
    if (!rls2_model_output_name(model, 0)) return;
    if (rls2_model_outputs(model) > 1)
        show_output_names(file, sum);
    else if (sum->classification)
        print_names(file, "target        %s: '%s' (-1) or '%s' (+1), classification\n",
                    rls2_model_target(model), rls2_model_class_label(model, 0),
                    rls2_model_class_label(model, 1));
    else
        print_names(file, "target        %s, regression\n", rls2_model_target(model));
}

void show_data(FILE *file, const summary *sum)
{
    const rls2_model *model = sum->model;
    rls2_normalize examples = rls2_model_example_rule(model),
                   features = rls2_model_feature_rule(model);
    show_target(file, sum);
    fprintf(file, "trained on    %s, %s\n", count_of(rls2_model_rows(model), "row").text,
            count_of(rls2_model_input_count(model), "input").text);
    show_represented(file, 14, model);
    show_weights(file, sum);
    if (examples != RLS2_NORMALIZE_NONE)
        fprintf(file, "examples      %s\n", normalize_text(examples));
    fprintf(file, "features      %s\n", normalize_text(features));
}

static const char *scaling_text(rls2_scaling rule)
{
    static const char *const TEXTS[] = {"none", "trace", "fisher", "fisher-sqrt"};
    return TEXTS[rule];
}

/* The text of a dictionary names every column: its beginning says what it is, --json all of it. */
typedef struct excerpt {
    char text[72];
} excerpt;

static excerpt excerpt_of(const char *text)
{
    static const char MORE[] = " ...";
    excerpt made;
    size_t room = sizeof made.text - sizeof MORE, length = strlen(text);
    int whole = length < sizeof made.text;
    if (!whole) length = room;
    while (!whole && length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
    snprintf(made.text, sizeof made.text, "%.*s%s", (int)length, text, whole ? "" : MORE);
    return made;
}

typedef struct relevant {
    const char *name;
    double share;
} relevant;

static int by_relevance(const void *a, const void *b)
{
    const relevant *x = a, *y = b;
    if (x->share != y->share) return x->share < y->share ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* The inputs by how much learned widths make of them, those of most first; *count 0: there are
 * none. NULL when out of memory. */
static relevant *relevant_inputs(const rls2_model *model, int64_t *count)
{
    int named = rls2_model_input_count(model) > 0;
    *count = rls2_model_relevance(model, NULL);
    relevant *list = calloc((size_t)*count + 1, sizeof *list);
    double *shares = calloc((size_t)*count + 1, sizeof *shares);
    if (!list || !shares) *count = 0;
    if (*count > 0) rls2_model_relevance(model, shares);
    for (int64_t k = 0; k < *count; k++)
        list[k] = (relevant){
            named ? rls2_model_input_name(model, k) : rls2_model_column_names(model)[k], shares[k]};
    if (list) qsort(list, (size_t)*count, sizeof *list, by_relevance);
    free(shares);
    return list;
}

/* "relevance     by learned widths: LSTAT 31%, RM 22%, NOX 10%, 10 more 37%" */
static void show_relevance(FILE *file, const rls2_model *model)
{
    enum { NAMED = 6 };
    int64_t count, shown = 0;
    double rest = 1.0;
    relevant *list = relevant_inputs(model, &count);
    if (count > 0) fputs("relevance     by learned widths:", file);
    for (; shown < count && shown < NAMED && 100.0 * list[shown].share >= 0.5; shown++) {
        fputs(shown > 0 ? ", " : " ", file);
        print_names(file, "%s %.0f%%", list[shown].name, 100.0 * list[shown].share);
        rest -= list[shown].share;
    }
    if (shown < count) fprintf(file, ", %" PRId64 " more %.0f%%", count - shown, 100.0 * rest);
    if (count > 0) fputc('\n', file);
    free(list);
}

static void json_relevance(json *j, const rls2_model *model)
{
    int64_t count;
    relevant *list = relevant_inputs(model, &count);
    if (count > 0) json_object(j, "relevance");
    for (int64_t k = 0; k < count; k++) json_number(j, list[k].name, list[k].share);
    if (count > 0) json_end_object(j);
    free(list);
}

void show_fit(FILE *file, const summary *sum)
{
    const rls2_model *model = sum->model;
    const rls2_path_point *point = rls2_model_point(model);
    const rls2_model_scaling *scaling = rls2_model_scaling_rule(model);
    print_names(file, "dictionary    %s: %s, scaling %s%s%s\n",
                excerpt_of(rls2_model_spec(model)).text,
                count_of(rls2_dictionary_count(rls2_model_dictionary(model)), "kernel").text,
                scaling_text(scaling->rule), scaling->center ? ", centred" : "",
                scaling->transductive ? ", transductive" : "");
    show_relevance(file, model);
    loss_words loss = loss_of_model(model);
    if (*loss.text) fprintf(file, "loss          %s\n", loss.text);
    fprintf(file, "lambda        %.6g", point->lambda);
    if (!isnan(point->df)) fprintf(file, "   (%.2f degrees of freedom)", point->df);
    if (point->gap < 1e-2)
        fprintf(file, "\nobjective     %.10g, within a relative gap of %.1e of the optimum%s\n",
                point->objective, point->gap, of_counted(model));
    else
        fprintf(file, "\nobjective     %.10g, NOT certified: relative gap %.1e\n", point->objective,
                point->gap);
}

void show_left_out(FILE *file, const rls2_model *model)
{
    const rls2_left_out *about = rls2_model_left_out(model);
    if (!about) return;
    fprintf(file, "left-out rows %s %.4g", about->measure, about->score);
    if (!isnan(about->error)) fprintf(file, ", standard error %.2g", about->error);
    fprintf(file, " (%s%s)\n", count_of(about->splits, "split").text,
            sparse_part_alone(model).text);
    print_stack(file, model);
}

int print_train(FILE *file, const summary *sum)
{
    int known = 0;
    for (int k = 0; k < sum->by.count; k++)
        if (!isnan(sum->train[k]))
            fprintf(file, "%s%s %.4g", known++ ? ", " : "", scoring_name(&sum->by, k),
                    sum->train[k]);
    return known > 0;
}

static void print_score(FILE *file, const summary *sum)
{
    int known = !isnan(sum->train[0]);
    show_left_out(file, sum->model);
    print_intervals(file, sum->model);
    if (!known && isnan(sum->r2)) return;
    fputs("fit           ", file);
    if (print_train(file, sum))
        fprintf(file, " on the %s rows%s%s", training_or_counted(sum->model),
                score_note(sum->model),
                rls2_model_member_count(sum->model) > 0 ? " (sparse part)" : "");
    if (!isnan(sum->r2)) fprintf(file, "%sR2 %.4f", known ? ", " : "", sum->r2);
    if (!known) fprintf(file, " on the %s rows", training_or_counted(sum->model));
    fputc('\n', file);
}

double largest(const importance *items, int64_t count, int use_share)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, use_share ? items[i].share : items[i].weight);
    return most > 0.0 ? most : 1.0;
}

static double rest_of_weights(const importances *parts, int64_t shown)
{
    double sum = 0.0;
    for (int64_t k = shown; k < parts->kernel_count; k++) sum += parts->kernels[k].weight;
    return sum;
}

static void print_kernels(const settings *s, FILE *file, const summary *sum)
{
    const importances *parts = &sum->parts;
    int64_t shown = shown_of(s, parts->kernel_count);
    double most = largest(parts->kernels, parts->kernel_count, 0);
    fprintf(file, "\n%s selected%s, by weight (they sum to 1; share: %s)\n",
            count_of(parts->kernel_count, "kernel").text,
            rls2_model_member_count(sum->model) > 0 ? " by the sparse part" : "",
            share_of_what(parts));
    fprintf(file, "  %-8s %-*s %7s   ", "weight", BAR_WIDTH, "", "share");
    print_selected(file, parts, NULL);
    fputs("kernel\n", file);
    for (int64_t i = 0; i < shown; i++) {
        const importance *at = &parts->kernels[i];
        fprintf(file, "  %-8.4f ", at->weight);
        bar(file, at->weight / most, BAR_WIDTH);
        fprintf(file, " %6.1f%%   ", percent(at->share));
        print_selected(file, parts, at);
        print_names(file, "%s\n", at->name);
    }
    if (shown < parts->kernel_count)
        fprintf(file, "  %-8.4f %-*s %6.1f%%   %" PRId64 " more; --top 0 shows all\n",
                rest_of_weights(parts, shown), BAR_WIDTH, "",
                percent(rest_of_shares(parts->kernels, shown, parts->kernel_count)),
                parts->kernel_count - shown);
    if (fabs(parts->elsewhere) >= WORTH_A_LINE)
        fprintf(file, "  %-8s %-*s %6.1f%%   kernels that only models of splits select\n", "",
                BAR_WIDTH, "", percent(parts->elsewhere));
    print_often_selected(s, file, sum->model);
}

typedef struct coefficient {
    const char *name;
    double value;
} coefficient;

static int by_size(const void *a, const void *b)
{
    const coefficient *x = a, *y = b;
    double u = fabs(x->value), v = fabs(y->value);
    if (u != v) return u < v ? 1 : -1;
    return strcmp(x->name, y->name);
}

static void print_coefficients(const settings *s, FILE *file, const summary *sum)
{
    const char *const *names = rls2_model_column_names(sum->model);
    int64_t columns = rls2_model_columns(sum->model), count = 0;
    if (!sum->coefficients) return;
    coefficient *list = calloc((size_t)columns + 1, sizeof *list);
    for (int64_t j = 0; list && j < columns; j++)
        if (sum->coefficients[j] != 0.0)
            list[count++] = (coefficient){names[j], sum->coefficients[j]};
    if (list) qsort(list, (size_t)count, sizeof *list, by_size);
    int64_t shown = shown_of(s, count);
    fprintf(file, "\ncoefficients of the linear predictor, inputs %s\n",
            normalize_text(rls2_model_feature_rule(sum->model)));
    fprintf(file, "  %12.6g   intercept\n", rls2_model_intercept(sum->model));
    for (int64_t j = 0; j < shown; j++)
        print_names(file, "  %12.6g   %s\n", list[j].value, list[j].name);
    show_rest(file, shown, count);
    free(list);
}

/* ---- JSON ---- */

void json_kernels(json *j, const summary *sum)
{
    json_array(j, "selected");
    for (int64_t i = 0; i < sum->parts.kernel_count; i++) {
        json_object(j, NULL);
        json_text(j, "kernel", sum->parts.kernels[i].name);
        json_number(j, "weight", sum->parts.kernels[i].weight);
        json_number(j, "share", sum->parts.unknown ? (double)NAN : sum->parts.kernels[i].share);
        json_selected_in(j, &sum->parts, &sum->parts.kernels[i]);
        json_end_object(j);
    }
    json_end_array(j);
}

void json_left_out(json *j, const summary *sum)
{
    const rls2_left_out *about = rls2_model_left_out(sum->model);
    if (about) {
        json_object(j, "left_out");
        json_text(j, "measure", about->measure);
        json_number(j, "score", about->score);
        json_number(j, "error", about->error);
        json_integer(j, "splits", about->splits);
        json_end_object(j);
    }
    json_text(j, "shares_of",
              sum->parts.of_predictions ? "left-out predictions"
              : sum->parts.on_left_out  ? "left-out rows"
                                        : "training rows");
}

void json_model(json *j, const summary *sum)
{
    const rls2_model *model = sum->model;
    const rls2_path_point *point = rls2_model_point(model);
    json_targets(j, model);
    json_text(j, "task", sum->classification ? "classification" : "regression");
    json_text(j, "loss", loss_name_of_model(model).text);
    json_text(j, "intercept_rule", intercept_name(intercept_of(model)));
    json_integer(j, "n", rls2_model_rows(model));
    json_integer(j, "m", rls2_dictionary_count(rls2_model_dictionary(model)));
    json_represented(j, model);
    json_weights(j, sum);
    json_text(j, "dictionary", rls2_model_spec(model));
    json_relevance(j, model);
    json_text(j, "scaling", scaling_text(rls2_model_scaling_rule(model)->rule));
    json_number(j, "lambda", point->lambda);
    json_number(j, "objective", point->objective);
    json_number(j, "gap", point->gap);
    json_number(j, "df", point->df);
}

void json_coefficients(json *j, const summary *sum)
{
    if (!sum->coefficients) return;
    json_object(j, "coefficients");
    for (int64_t t = 0; t < rls2_model_columns(sum->model); t++)
        if (sum->coefficients[t] != 0.0)
            json_number(j, rls2_model_column_names(sum->model)[t], sum->coefficients[t]);
    json_end_object(j);
}

void json_train(json *j, const summary *sum)
{
    json_object(j, "train");
    for (int k = 0; k < sum->by.count; k++)
        json_number(j, scoring_name(&sum->by, k), sum->train[k]);
}

static void print_json(FILE *file, const summary *sum)
{
    json j = json_start(file);
    json_object(&j, NULL);
    json_model(&j, sum);
    json_number(&j, "intercept", rls2_model_intercept(sum->model));
    json_train(&j, sum);
    if (rls2_model_loss(sum->model).kind == RLS2_LOSS_SQUARE) json_number(&j, "r2", sum->r2);
    json_end_object(&j);
    json_left_out(&j, sum);
    json_intervals(&j, sum->model);
    json_stack(&j, sum->model);
    json_kernels(&j, sum);
    json_selected_by_splits(&j, sum->model);
    json_inputs(&j, sum);
    json_stability(&j, &sum->stable);
    json_coefficients(&j, sum);
    json_end_object(&j);
    json_finish(&j);
}

static void print_text(const settings *s, FILE *file, const summary *sum)
{
    show_data(file, sum);
    show_fit(file, sum);
    print_score(file, sum);
    print_kernels(s, file, sum);
    show_inputs(s, file, "", sum);
    show_stability(s, file, &sum->stable);
    print_coefficients(s, file, sum);
}

/* `of` is NULL where there is but one output; `only` is -1, or the one that was asked for. */
static int report(const settings *s, const summary *whole, const summary *of, int64_t only)
{
    output out;
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (of && s->json)
        show_outputs_json(out.file, whole, of, only);
    else if (of && only >= 0)
        show_output_text(s, out.file, whole, only, &of[only]);
    else if (of)
        show_outputs_text(s, out.file, whole, of);
    else if (s->json)
        print_json(out.file, whole);
    else
        print_text(s, out.file, whole);
    return output_close(s, &out, 1);
}

static int report_outputs(const settings *s, const summary *whole, int64_t only)
{
    int64_t outputs = rls2_model_outputs(whole->model);
    summary *of = calloc((size_t)outputs, sizeof *of);
    int code = of ? EXIT_OK : out_of_memory(s);
    for (int64_t o = 0; o < outputs && code == EXIT_OK; o++)
        code = summary_collect(s, rls2_model_output(whole->model, o), &of[o]);
    if (code == EXIT_OK) code = report(s, whole, of, only);
    for (int64_t o = 0; of && o < outputs; o++) summary_free(&of[o]);
    free(of);
    return code;
}

static int run_show(const settings *s)
{
    rls2_error err;
    rls2_model *model = NULL;
    summary sum = {0};
    int64_t only;
    if (is_stats_file(s->argument[0])) return show_stats(s);
    if (is_profile_file(s->argument[0])) return show_profile(s);
    if (rls2_model_load(s->argument[0], &model, &err) != RLS2_OK) return fail(s, &err);
    int code = find_output(s, model, &only);
    if (code == EXIT_OK) code = summary_collect(s, model, &sum);
    if (code == EXIT_OK && rls2_model_outputs(model) > 1)
        code = report_outputs(s, &sum, only);
    else if (code == EXIT_OK)
        code = report(s, &sum, NULL, -1);
    summary_free(&sum);
    rls2_model_free(model);
    return code;
}

const command command_show = {
    .name = "show",
    .bit = FOR_SHOW,
    .summary = "show what a model has selected, and how important each part is",
    .arguments = "MODEL",
    .least = 1,
    .most = 1,
    .description =
        "Prints what is in a model: what it predicts and how many rows it was learned from, "
        "lambda, the certificate, the selected kernels with their weights, and the importance of "
        "each kernel and column. For a linear model it prints the coefficients. Several classes "
        "or targets are shown one by one, inputs for all together; --of NAME shows one of them.\n\n"
        "The data are not needed. Of a file of statistics it prints what was counted: rows, "
        "target, parts, the points of each column, and kernels of several columns.",
    .examples = "$ rls2 show housing.model\n"
                "  The twenty kernels and columns that matter most.\n\n"
                "$ rls2 show housing.model --top 0 --json > housing-model.json\n"
                "  Everything, for another program.\n\n"
                "$ rls2 train data/auto-mpg.csv -t origin --task classification \\\n"
                "       --drop car_name -k linear --lambda 0.1 -o cars.model\n"
                "$ rls2 show cars.model --of 3\n"
                "  Of several classes only this one.\n",
    .run = run_show};
