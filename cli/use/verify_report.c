/* What rls2 verify found, as text and as JSON. */
#include "cli/use/verify_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/score.h"
#include "cli/use/verify_command.h"

enum { NAME_WIDTH = 24 };

static const char OTHER_WEIGHTS[] = "the weights are not those of the file";

/* ---- verdicts ---- */

/* What is wrong with all outputs; NULL if nothing is. The fingerprint covers the weights of the
 * file too: where only these are others, that is what is said. */
static const char *shared_fault(const rls2_model *model, const findings *found)
{
    if (!found->same_weights && found->same_stored && rls2_model_row_weights_column(model))
        return OTHER_WEIGHTS;
    if (!found->same_rows)
        return "these are not the rows the model was trained on, or not in that order";
    if (!found->same_weights) return OTHER_WEIGHTS;
    if (!found->same_stored) return "the model predicts from other rows than these";
    return NULL;
}

static const char *fault_of(const finding *found)
{
    if (found->holds) return NULL;
    if (found->scale_error > SCALE_TOL) return "the scalings are not those of the rule";
    if (found->intercept_error > SCALE_TOL)
        return found->square ? "the intercept is not the mean"
                             : "the intercept is not the best constant";
    if (found->objective_error > found->objective_tol) return "the objective differs";
    if (found->precise) return "the gap is larger than the model says";
    return "the gap is above --gap-tol, the answer may be far from the best";
}

static const char HOLDS[] = "the certificate holds",
                  DOES_NOT_HOLD[] = "the certificate does NOT hold: ";

/* The verdict on all; of several outputs the first that fails is named. */
static void print_verdict(FILE *file, const rls2_model *model, const findings *found)
{
    const char *fault = shared_fault(model, found);
    int64_t o = 0;
    while (o + 1 < found->outputs && found->of[o].holds) o++;
    if (found->holds)
        fputs(HOLDS, file);
    else if (fault)
        fprintf(file, "%s%s", DOES_NOT_HOLD, fault);
    else if (found->outputs > 1)
        print_names(file, "%sof '%s' %s", DOES_NOT_HOLD, rls2_model_output_name(model, o),
                    fault_of(&found->of[o]));
    else
        fprintf(file, "%s%s", DOES_NOT_HOLD, fault_of(&found->of[o]));
}

/* ---- text ---- */

static void print_scalings(FILE *file, double error)
{
    if (isnan(error))
        fprintf(file, "%-22s%s\n", "scalings",
                "taken from the model: it counted test rows too (--transductive)");
    else
        fprintf(file, "%-22srecomputed, %s\n", "scalings",
                error <= SCALE_TOL ? "agree" : "DIFFER from the model's");
}

static double worst_scale_error(const findings *found)
{
    double worst = found->of[0].scale_error;
    for (int64_t o = 1; o < found->outputs; o++) worst = fmax(worst, found->of[o].scale_error);
    return worst;
}

static void print_shared(const rls2_model *model, const findings *found, FILE *file)
{
    fprintf(file, "%-22s%s\n", "rows",
            found->same_rows ? "those the model was trained on" : "OTHERS than trained on");
    if (found->weighted)
        fprintf(file, "%-22s%s\n", "row weights",
                found->same_weights ? "agree with the file" : "are NOT those of the file");
    print_scalings(file, worst_scale_error(found));
    if (rls2_model_feature_rule(model) != RLS2_NORMALIZE_NONE)
        fprintf(file, "%-22s%s\n", "features",
                found->measured_here
                    ? "measured over these rows"
                    : "not measured over these rows alone (--transductive, or another's numbers)");
}

static void print_loss(const rls2_model *model, FILE *file)
{
    loss_words loss = loss_of_model(model);
    if (*loss.text) fprintf(file, "%-22s%s\n", "loss", loss.text);
}

static void print_certificate(const rls2_model *model, const finding *found, FILE *file)
{
    const rls2_path_point *point = rls2_model_point(model);
    const rls2_certificate *c = &found->certificate;
    print_loss(model, file);
    fprintf(file, "%-22s%.12g   (the model says %.12g)\n", "objective", c->primal,
            point->objective);
    fprintf(file, "%-22s%.12g\n", "lower bound", c->dual);
    fprintf(file, "%-22s%.1e   (the model says %.1e)\n", "relative gap", fmax(c->relative_gap, 0.0),
            point->gap);
}

static int name_width(const rls2_model *model)
{
    int width = text_width("output");
    for (int64_t o = 0; o < rls2_model_outputs(model); o++) {
        int length = text_width(rls2_model_output_name(model, o));
        if (length > width) width = length;
    }
    return width < NAME_WIDTH ? width : NAME_WIDTH;
}

/* One line for each output. */
static void print_table(const rls2_model *model, const findings *found, FILE *file)
{
    int width = name_width(model);
    fprintf(file, "\n%-*s  %-18s  %-20s  %-12s  %s\n", width, "output", "objective", "lower bound",
            "relative gap", "the model says");
    for (int64_t o = 0; o < found->outputs; o++) {
        const rls2_certificate *c = &found->of[o].certificate;
        print_padded(file, -width, 0, rls2_model_output_name(model, o));
        fprintf(file, "  %-18.12g  %-20.12g  %-12.1e  %.1e%s\n", c->primal, c->dual,
                fmax(c->relative_gap, 0.0), rls2_model_point(rls2_model_output(model, o))->gap,
                found->of[o].holds ? "" : "  does NOT hold");
    }
    fputc('\n', file);
}

void verify_text(const rls2_model *model, const findings *found, FILE *file)
{
    print_shared(model, found, file);
    if (found->outputs == 1) print_certificate(model, &found->of[0], file);
    fprintf(file, "%-22s%" PRId64 ", every one evaluated anew%s\n", "kernels",
            rls2_dictionary_count(rls2_model_dictionary(model)),
            found->outputs > 1 ? " for each output" : "");
    if (found->outputs > 1) {
        print_loss(model, file);
        print_table(model, found, file);
    }
    print_verdict(file, model, found);
    fputc('\n', file);
}

/* ---- JSON ---- */

static void json_verdict(json *j, const rls2_model *model, const findings *found)
{
    char *text = NULL;
    size_t length = 0;
    FILE *line = open_memstream(&text, &length);
    if (line) {
        print_verdict(line, model, found);
        fclose(line);
    }
    json_truth(j, "holds", found->holds);
    json_text(j, "verdict", text);
    free(text);
}

typedef struct bounds {
    double objective, lower, gap;
} bounds;

/* Of several outputs the sums, and the largest gap. */
static bounds bounds_of(const findings *found)
{
    const rls2_certificate *first = &found->of[0].certificate;
    bounds all = {first->primal, first->dual, first->relative_gap};
    for (int64_t o = 1; o < found->outputs; o++) {
        const rls2_certificate *c = &found->of[o].certificate;
        all.objective += c->primal;
        all.lower += c->dual;
        all.gap = fmax(all.gap, c->relative_gap);
    }
    return all;
}

static void json_bounds(json *j, bounds found, const rls2_path_point *point)
{
    json_number(j, "objective", found.objective);
    json_number(j, "lower_bound", found.lower);
    json_number(j, "gap", found.gap);
    json_number(j, "claimed_objective", point->objective);
    json_number(j, "claimed_gap", point->gap);
}

static void json_output(json *j, const rls2_model *model, int64_t o, const finding *found)
{
    const rls2_certificate *c = &found->certificate;
    const char *fault = fault_of(found);
    json_object(j, NULL);
    json_text(j, "name", rls2_model_output_name(model, o));
    json_truth(j, "holds", found->holds);
    json_text(j, "verdict", fault ? fault : HOLDS);
    json_number(j, "scale_error", found->scale_error);
    json_bounds(j, (bounds){c->primal, c->dual, c->relative_gap},
                rls2_model_point(rls2_model_output(model, o)));
    json_end_object(j);
}

void verify_json(const rls2_model *model, const findings *found, FILE *file)
{
    json j = json_start(file);
    json_object(&j, NULL);
    json_verdict(&j, model, found);
    json_truth(&j, "same_rows", found->same_rows);
    if (found->weighted) json_truth(&j, "same_weights", found->same_weights);
    json_number(&j, "scale_error", worst_scale_error(found));
    json_truth(&j, "features_measured_here", found->measured_here);
    json_bounds(&j, bounds_of(found), rls2_model_point(model));
    json_text(&j, "loss", loss_name_of_model(model).text);
    json_text(&j, "intercept_rule", intercept_name(intercept_of(model)));
    json_number(&j, "lambda", rls2_model_lambda(model));
    json_integer(&j, "m", rls2_dictionary_count(rls2_model_dictionary(model)));
    if (found->outputs > 1) {
        json_array(&j, "outputs");
        for (int64_t o = 0; o < found->outputs; o++) json_output(&j, model, o, &found->of[o]);
        json_end_array(&j);
    }
    json_end_object(&j);
    json_finish(&j);
}
