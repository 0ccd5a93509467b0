/* A second pass over the rows of a compact model: objective and residuals by their definitions, and
 * a lower bound of the least objective there is, beside what was said of the counted rows. */
#include "cli/use/verify_compact.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/learn/learning.h"
#include "cli/progress.h"
#include "cli/represented.h"
#include "cli/use/targets.h"

/* By how much the objective on the rows may differ from that on the counts. Where every value is a
 * point both are the same but for rounding, and --gap-tol decides as of any model. */
static const double COUNTED_TOL = 1e-2, EXACT_TOL = 1e-7;
/* Weights are counted in whole units. */
static const double MASS_TOL = 1e-6;

typedef struct findings {
    const rls2_model *model;
    const rls2_dataset *data;
    int same_rows;
    int unknown_rows; /* learned from in pieces, or from statistics: number and variance tell */
    int same_weights;
    double *weights;      /* of rows in the fit; NULL: each is one */
    int64_t classes;      /* that have weights of their own, 0: none have, */
    double *factors;      /* and these weights */
    int exact;            /* every value is a point */
    int64_t linear;       /* blocks that are linear between their points */
    double difference;    /* largest, of objectives, as a share of them */
    double gap;           /* largest */
    rls2_certificate *of; /* outputs */
    int holds;
} findings;

/* Rows that the points of the model stand for, by their weights; NaN where that is not known. */
static double total_mass(const rls2_model *model)
{
    double most = (double)NAN;
    for (int64_t b = 0; b < rls2_model_block_count(model); b++) {
        const rls2_model_block *block = rls2_model_block_at(model, b);
        double sum = 0.0;
        for (int64_t g = 0; block->mass && g < block->count; g++) sum += block->mass[g];
        if (sum > 0.0) most = fmax(sum, isnan(most) ? 0.0 : most);
    }
    return most;
}

/* The variance of an output, by weights w (NULL: each is one). About its first value: that of
 * responses far from zero is not rounding then, and that of equal ones zero. */
static double variance_of(const rls2_dataset *data, const double *w, int64_t o)
{
    int64_t n = rls2_dataset_rows(data);
    const double *y = rls2_dataset_y(data) + o * n;
    double rows = 0.0, mean = 0.0, sum = 0.0;
    for (int64_t i = 0; i < n; i++) rows += w ? w[i] : 1.0;
    for (int64_t i = 0; i < n; i++) mean += (w ? w[i] : 1.0) * (y[i] - y[0]) / rows;
    for (int64_t i = 0; i < n; i++) {
        double about = (y[i] - y[0]) - mean;
        sum += (w ? w[i] : 1.0) * about * about;
    }
    return sum / rows;
}

/* What the weights of rows, counted in units of 2^-20 of the largest, may be off, as a share of
 * their sum. */
static double rounding_of_weights(const double *w, int64_t n)
{
    double most = 0.0, sum = 0.0;
    for (int64_t i = 0; w && i < n; i++) {
        most = fmax(most, w[i]);
        sum += w[i];
    }
    return sum > 0.0 ? 0x1p-19 * most * (double)n / sum : 0.0;
}

/* ---- weights of classes ---- */

/* Of two classes the second is that of y = 1; of several each has an output of its own. */
static int64_t class_of(const findings *found, int64_t i)
{
    int64_t n = rls2_dataset_rows(found->data), outputs = rls2_model_outputs(found->model);
    const double *y = rls2_dataset_y(found->data);
    if (outputs == 1) return y[i] > 0.0;
    for (int64_t o = 0; o < outputs; o++)
        if (y[o * n + i] > 0.0) return o;
    return 0;
}

/* What rows of a class weighed together in the fit: responses are 1 and -1, and their mean is
 * known. */
static double mass_of_class(const findings *found, int64_t k)
{
    int two = rls2_model_outputs(found->model) == 1;
    double mean = rls2_model_represented(rls2_model_output(found->model, two ? 0 : k))->mean;
    return 0.5 * total_mass(found->model) * (two && k == 0 ? 1.0 - mean : 1.0 + mean);
}

/* The factor that weights of classes make of each, told by what its rows weigh in the model and in
 * the file. 0 where nothing tells (models of 0.10), or they have none. */
static int find_factors(const findings *found, int64_t classes, double *factors)
{
    const double *w = rls2_dataset_row_weights(found->data);
    double off = 0.0;
    for (int64_t i = 0; i < rls2_dataset_rows(found->data); i++)
        factors[class_of(found, i)] += w ? w[i] : 1.0;
    for (int64_t k = 0; k < classes; k++) {
        factors[k] = mass_of_class(found, k) / factors[k];
        if (!(factors[k] > 0.0 && isfinite(factors[k]))) return 0;
        off = fmax(off, fabs(factors[k] - 1.0));
    }
    return off > MASS_TOL + rounding_of_weights(w, rls2_dataset_rows(found->data));
}

/* The weights of rows in the fit: those of the file, times those of classes where there were any.
 */
static int find_weights(const settings *s, findings *found)
{
    int64_t n = rls2_dataset_rows(found->data), classes = rls2_model_class_count(found->model);
    const double *w = rls2_dataset_row_weights(found->data);
    found->factors = calloc((size_t)classes + 1, sizeof *found->factors);
    if (!found->factors) return out_of_memory(s);
    if (classes > 1 && find_factors(found, classes, found->factors)) found->classes = classes;
    if (!w && found->classes == 0) return EXIT_OK;
    found->weights = calloc((size_t)n + 1, sizeof *found->weights);
    if (!found->weights) return out_of_memory(s);
    for (int64_t i = 0; i < n; i++)
        found->weights[i] =
            (w ? w[i] : 1.0) * (found->classes > 0 ? found->factors[class_of(found, i)] : 1.0);
    return EXIT_OK;
}

/* The variances of the outputs, or the sum, tell whether the fit had other weights. */
static int weights_agree(const findings *found)
{
    int64_t n = rls2_dataset_rows(found->data);
    const double *w = found->weights;
    double tol = MASS_TOL + rounding_of_weights(w, n), sum = 0.0, mass = total_mass(found->model);
    for (int64_t o = 0; o < rls2_model_outputs(found->model); o++) {
        double told = rls2_model_represented(rls2_model_output(found->model, o))->variance;
        if (fabs(variance_of(found->data, w, o) - told) > tol * told) return 0;
    }
    for (int64_t i = 0; i < n; i++) sum += w ? w[i] : 1.0;
    return isnan(mass) || fabs(sum - mass) <= tol * sum;
}

static rls2_status look_at(const settings *s, const findings *found, int64_t o,
                           rls2_certificate *at, rls2_error *err)
{
    const rls2_model *one = rls2_model_output(found->model, o);
    int64_t n = rls2_dataset_rows(found->data);
    const double *y = rls2_dataset_y(found->data) + o * n;
    rls2_rows rows = {
        .n = n, .p = rls2_dataset_columns(found->data), .x = rls2_dataset_x(found->data)};
    rls2_control control;
    progress bar = progress_start(s);
    interrupt_at_once(1);
    rls2_control_init(&control, sizeof control);
    control.threads = learn_threads(s);
    control.progress = progress_callback;
    control.user = &bar;
    rls2_status status =
        rls2_model_certify_rows(one, &rows, y, found->weights, &control, at, sizeof *at, err);
    progress_end(&bar);
    return status;
}

/* ---- reports ---- */

/* The kernel that keeps the bound from being larger. */
static void print_limit(FILE *file, const findings *found, const rls2_certificate *at)
{
    const rls2_dictionary *dictionary = rls2_model_dictionary(found->model);
    print_names(file, "%-22s%s\n", "limited by", rls2_dictionary_name(dictionary, at->max_kernel));
}

static void print_output(FILE *file, const findings *found, int64_t o)
{
    const rls2_model *one = rls2_model_output(found->model, o);
    const rls2_certificate *at = &found->of[o];
    const rls2_path_point *point = rls2_model_point(one);
    if (rls2_model_outputs(found->model) > 1) {
        print_output_name(file, found->model, o);
        fputc('\n', file);
    }
    fprintf(file, "%-22s%.12g   (on the binned rows %.12g)\n", "objective", at->primal,
            point->objective);
    fprintf(file, "%-22s%.6g   (on the binned rows %.6g)\n", "mean squared residual",
            at->mean_square, rls2_model_represented(one)->mean_square);
    fprintf(file, "%-22s%.12g, with the scalings of the model\n", "lower bound", at->dual);
    fprintf(file, "%-22s%.1e   (for the binned rows %.1e)\n", "relative gap", at->relative_gap,
            point->gap);
    print_limit(file, found, at);
}

static const char *fault_of(const findings *found)
{
    if (!found->same_rows)
        return found->unknown_rows
                   ? "these are not the rows the model was learned from"
                   : "these are not the rows the model was learned from, or not in that order";
    if (!found->same_weights) return "the weights are not those of the file";
    return found->difference > (found->exact ? EXACT_TOL : COUNTED_TOL)
               ? "the objective differs"
               : "the gap is above --gap-tol, the answer may be far from the best";
}

static void print_classes(FILE *file, const findings *found)
{
    for (int64_t k = 0; k < found->classes; k++) {
        fprintf(file, "%-22s", k == 0 ? "weights of classes" : "");
        print_names(file, "%.6g for '%s'\n", found->factors[k],
                    rls2_model_class_label(found->model, k));
    }
}

/* What it is the least of. */
static void print_kind(FILE *file, const findings *found)
{
    if (found->linear > 0)
        fprintf(
            file,
            "%-22sfunctions of %s are linear between knots, as are those that the bound is of\n",
            "interpolated", count_of(found->linear, "input").text);
}

static void print_text(FILE *file, const findings *found)
{
    fprintf(file, "%-22s%s\n", "rows",
            !found->same_rows     ? "OTHERS than learned from"
            : found->unknown_rows ? "as many as the model was learned from, with the same variance"
                                  : "those the model was learned from");
    show_represented(file, 22, found->model);
    print_kind(file, found);
    print_classes(file, found);
    for (int64_t o = 0; o < rls2_model_outputs(found->model); o++) print_output(file, found, o);
    if (!found->holds)
        fprintf(file, "the certificate does NOT hold: %s\n", fault_of(found));
    else if (found->exact)
        fputs("the certificate holds for the rows themselves\n", file);
    else
        fprintf(
            file,
            "the objective agrees with that of the binned rows to %.1e; for the rows themselves it "
            "is proven to be\nwithin a share of %.1e of the least%s\n",
            found->difference, found->gap, found->linear > 0 ? " of such functions" : "");
}

static void print_json(FILE *file, const findings *found)
{
    json j = json_start(file);
    json_object(&j, NULL);
    json_truth(&j, "holds", found->holds);
    json_number(&j, "difference", found->difference);
    json_truth(&j, "same_rows", found->same_rows);
    json_truth(&j, "same_weights", found->same_weights);
    if (found->classes > 0) {
        json_array(&j, "class_weights");
        for (int64_t k = 0; k < found->classes; k++) json_number(&j, NULL, found->factors[k]);
        json_end_array(&j);
    }
    json_integer(&j, "interpolated", found->linear);
    json_represented(&j, found->model);
    json_array(&j, "outputs");
    for (int64_t o = 0; o < rls2_model_outputs(found->model); o++) {
        const rls2_certificate *at = &found->of[o];
        json_object(&j, NULL);
        json_text(&j, "name", rls2_model_output_name(found->model, o));
        json_number(&j, "objective", at->primal);
        json_number(&j, "lower_bound", at->dual);
        json_number(&j, "gap", at->relative_gap);
        json_text(&j, "limited_by",
                  rls2_dictionary_name(rls2_model_dictionary(found->model), at->max_kernel));
        json_number(&j, "counted_gap", rls2_model_point(rls2_model_output(found->model, o))->gap);
        json_number(&j, "mean_square", at->mean_square);
        json_end_object(&j);
    }
    json_end_array(&j);
    json_end_object(&j);
    json_finish(&j);
}

static int64_t count_linear(const rls2_model *model)
{
    int64_t count = 0;
    for (int64_t b = 0; b < rls2_model_block_count(model); b++)
        count += rls2_model_block_at(model, b)->knots > 0;
    return count;
}

static int report(const settings *s, const findings *found)
{
    output out;
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (s->json)
        print_json(out.file, found);
    else
        print_text(out.file, found);
    code = output_close(s, &out, 1);
    return code == EXIT_OK && !found->holds ? EXIT_FAILED : code;
}

int verify_compact(const settings *s, const rls2_model *model, const rls2_dataset *data)
{
    rls2_error err;
    int64_t outputs = rls2_model_outputs(model);
    uint64_t fingerprint = rls2_model_fingerprint(model);
    findings found = {.model = model,
                      .data = data,
                      .same_rows = !fingerprint || rls2_dataset_fingerprint(data) == fingerprint,
                      .unknown_rows = !fingerprint,
                      .exact = rls2_model_represented(model)->bound == 0.0,
                      .linear = count_linear(model),
                      .of = calloc((size_t)outputs, sizeof *found.of)};
    int code = found.of ? find_weights(s, &found) : out_of_memory(s);
    if (code == EXIT_OK) found.same_weights = weights_agree(&found);
    if (found.unknown_rows) found.same_rows = found.same_weights;
    found.holds = found.same_rows && found.same_weights;
    for (int64_t o = 0; o < outputs && code == EXIT_OK; o++) {
        const rls2_certificate *at = &found.of[o];
        if (look_at(s, &found, o, &found.of[o], &err) != RLS2_OK) code = fail(s, &err);
        double told = rls2_model_point(rls2_model_output(model, o))->objective;
        if (at->primal != told) /* 0 of responses near the end of the range */
            found.difference = fmax(found.difference, fabs(at->primal - told) / at->primal);
        found.gap = fmax(found.gap, at->relative_gap);
    }
    found.holds &= found.difference <= (found.exact ? EXACT_TOL : COUNTED_TOL);
    if (found.exact) found.holds &= found.gap <= s->gap_tol;
    if (code == EXIT_OK) code = report(s, &found);
    free(found.of);
    free(found.weights);
    free(found.factors);
    return code;
}
