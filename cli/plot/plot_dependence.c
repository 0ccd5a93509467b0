/* What inputs do to the whole prediction: panels by share of its variance, and of the two that do
 * most together. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/importance.h"
#include "cli/output.h"
#include "cli/plot/plot_effects.h"
#include "cli/plot/plot_picture.h"

/* A share that is not 0.0 % as it is printed. */
static const double WORTH_A_PANEL = 5e-4;

/* The strongest pair, by its names. */
static int add_strongest(const settings *s, const rls2_model *model, const rls2_explained_pair *at,
                         picture *p)
{
    char *name = NULL;
    if (!at || at->share < WORTH_A_PANEL) return EXIT_OK;
    if (asprintf(&name, "%s and %s", rls2_model_input_name(model, at->first),
                 rls2_model_input_name(model, at->second)) < 0)
        return out_of_memory(s);
    importance two = {.name = name,
                      .together = 1,
                      .share = at->share,
                      .input = -1,
                      .pair = {at->first, at->second}};
    int code = add_couple(s, model, &two, p);
    free(name);
    return code;
}

static int add_inputs(const settings *s, const rls2_model *model, const rls2_explanation *told,
                      picture *p)
{
    int64_t count = rls2_explanation_input_count(told), top = s->top > 0 ? s->top : count;
    int code = EXIT_OK;
    p->panels = calloc((size_t)count + 2, sizeof *p->panels);
    if (!p->panels) return out_of_memory(s);
    for (int64_t i = 0; i < count && i < top && code == EXIT_OK; i++) {
        const rls2_explained_input *at = rls2_explanation_input(told, i);
        code = add_panel(s, model, at->input, at->share, p);
    }
    if (code == EXIT_OK) code = add_strongest(s, model, rls2_explanation_pair(told, 0), p);
    if (code != EXIT_OK || p->panel_count > 0) return code;
    say_error(s, "%s: no kernel of the model looks at an input", s->argument[0]);
    return EXIT_FAILED;
}

int picture_of_dependence(const settings *s, const void *model, picture *p)
{
    const rls2_model *m = NULL;
    rls2_explanation *told = NULL;
    rls2_error err;
    int code = start_panels(s, model, PICTURE_DEPENDENCE, &m, p);
    if (code == EXIT_OK && rls2_model_explain(m, NULL, &told, &err) != RLS2_OK)
        code = fail(s, &err);
    if (code == EXIT_OK) code = add_inputs(s, m, told, p);
    p->x_name = "of the variance of predictions of training rows";
    rls2_explanation_free(told);
    return code;
}
