/* How much each input counts in the whole prediction, and which two act together. */
#include "cli/use/show_explained.h"

#include <inttypes.h>
#include <math.h>

#include "cli/importance.h"

enum { BAR = 24, MOST_PAIRS = 5 };
/* A share that is not 0.0 % as it is printed. */
static const double WORTH_A_LINE = 5e-4;
/* Kernel values: some seconds of one core. */
static const double WORTH_WAITING = 1e9;

/* NULL where there is none, or it would take long: then *slow is 1. */
static rls2_explanation *explanation_of(const rls2_model *model, int *slow)
{
    rls2_explanation *told = NULL;
    double cost = rls2_model_explain_cost(model);
    *slow = cost > WORTH_WAITING;
    if (!(cost <= WORTH_WAITING)) return NULL;
    return rls2_model_explain(model, NULL, &told, NULL) == RLS2_OK ? told : NULL;
}

/* ---- text ---- */

static double largest_share(const rls2_explanation *told)
{
    double most = 0.0;
    for (int64_t i = 0; i < rls2_explanation_input_count(told); i++)
        most = fmax(most, rls2_explanation_input(told, i)->share);
    return most > 0.0 ? most : 1.0;
}

static void print_heading(FILE *file, const rls2_model *model, const rls2_explanation *told)
{
    int64_t rows = rls2_explanation_rows(told, NULL);
    fprintf(file, "\nwhat inputs do to predictions%s, by share of their variance over ",
            rls2_model_member_count(model) > 0 ? " of the stack" : "");
    if (rows < rls2_model_rows(model)) fprintf(file, "%" PRId64 " of ", rows);
    fprintf(file, "%s\n", count_of(rls2_model_rows(model), "training row").text);
    fprintf(file, "  %7s %-*s %s\n", "share", BAR, "", "with others");
}

static void print_inputs(const settings *s, FILE *file, const rls2_model *model,
                         const rls2_explanation *told)
{
    int64_t count = rls2_explanation_input_count(told), shown = shown_of(s, count);
    double most = largest_share(told);
    for (int64_t i = 0; i < shown; i++) {
        const rls2_explained_input *at = rls2_explanation_input(told, i);
        fprintf(file, "  %6.1f%% ", percent(at->share));
        bar(file, fmax(at->share, 0.0) / most, BAR);
        print_names(file, " %10.1f%%   %s\n", percent(at->interaction),
                    rls2_model_input_name(model, at->input));
    }
    show_rest(file, shown, count);
    double rest = 1.0;
    for (int64_t i = 0; i < count; i++) rest -= rls2_explanation_input(told, i)->share;
    if (rls2_explanation_variance(told) > 0.0 && fabs(rest) >= WORTH_A_LINE)
        fprintf(file, "  %6.1f%% %-*s %11s   what inputs do only together%s\n", percent(rest), BAR,
                "", "", rls2_model_given_count(model) > 0 ? ", and given matrices" : "");
}

static void print_sign(FILE *file, const rls2_explanation *told)
{
    double least = 0.0;
    for (int64_t i = 0; i < rls2_explanation_input_count(told); i++)
        least = fmin(least, rls2_explanation_input(told, i)->share);
    if (percent(least) < -1.0)
        fputs("  a share below 0: it offsets inputs that it goes along with\n", file);
}

static void print_compared(FILE *file, const rls2_explanation *told)
{
    int64_t compared, all = rls2_explanation_interacting(told, &compared);
    if (compared < all)
        fprintf(file, "  pairs of the %" PRId64 " inputs that do most with others were compared\n",
                compared);
}

static void print_pairs(FILE *file, const rls2_model *model, const rls2_explanation *told)
{
    int64_t count = rls2_explanation_pair_count(told), shown = 0;
    while (shown < count && shown < MOST_PAIRS &&
           rls2_explanation_pair(told, shown)->share >= WORTH_A_LINE)
        shown++;
    if (shown == 0) {
        fputs("  no two inputs do anything together that neither does alone\n", file);
        return;
    }
    fputs("  two together, beyond what each does alone\n", file);
    for (int64_t i = 0; i < shown; i++) {
        const rls2_explained_pair *at = rls2_explanation_pair(told, i);
        fprintf(file, "  %6.1f%%   ", percent(at->share));
        print_names(file, "%s and %s\n", rls2_model_input_name(model, at->first),
                    rls2_model_input_name(model, at->second));
    }
    print_compared(file, told);
}

void show_explained(const settings *s, FILE *file, const rls2_model *model)
{
    int slow;
    rls2_explanation *told = explanation_of(model, &slow);
    if (slow)
        fputs("\nwhat inputs do alone and together: rls2 plot --kind dependence, in a while\n",
              file);
    if (told &&
        (rls2_explanation_interacting(told, NULL) > 0 || rls2_model_member_count(model) > 0)) {
        print_heading(file, model, told);
        print_inputs(s, file, model, told);
        print_sign(file, told);
        print_pairs(file, model, told);
    }
    rls2_explanation_free(told);
}

/* ---- JSON ---- */

static void json_input(json *j, const rls2_model *model, const rls2_explained_input *at)
{
    json_object(j, NULL);
    json_text(j, "input", rls2_model_input_name(model, at->input));
    json_number(j, "share", at->share);
    json_number(j, "alone", at->alone);
    json_number(j, "interaction", at->interaction);
    json_end_object(j);
}

static void json_pair(json *j, const rls2_model *model, const rls2_explained_pair *at)
{
    json_object(j, NULL);
    json_text(j, "first", rls2_model_input_name(model, at->first));
    json_text(j, "second", rls2_model_input_name(model, at->second));
    json_number(j, "share", at->share);
    json_number(j, "h2", at->h2);
    json_end_object(j);
}

void json_explained(json *j, const rls2_model *model)
{
    int slow;
    int64_t compared;
    rls2_explanation *told = explanation_of(model, &slow);
    if (!told) return;
    json_object(j, "explanation");
    json_integer(j, "rows", rls2_explanation_rows(told, NULL));
    json_number(j, "variance", rls2_explanation_variance(told));
    json_array(j, "inputs");
    for (int64_t i = 0; i < rls2_explanation_input_count(told); i++)
        json_input(j, model, rls2_explanation_input(told, i));
    json_end_array(j);
    json_array(j, "pairs");
    for (int64_t i = 0; i < rls2_explanation_pair_count(told); i++)
        json_pair(j, model, rls2_explanation_pair(told, i));
    json_end_array(j);
    json_integer(j, "interacting", rls2_explanation_interacting(told, &compared));
    json_integer(j, "compared", compared);
    json_end_object(j);
    rls2_explanation_free(told);
}
