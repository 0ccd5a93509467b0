/* The names of the targets and outputs of a model, and the output that --of asks for. */
#include "cli/use/targets.h"

#include <math.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"

/* 1 if each output is a column of its own, 0 if one column is predicted: a number, classes, or
 * quantiles. */
static int has_several_targets(const rls2_model *model)
{
    return rls2_model_outputs(model) > 1 && !rls2_model_target(model);
}

int64_t target_count(const rls2_model *model)
{
    return has_several_targets(model) ? rls2_model_outputs(model) : 1;
}

const char *target_name(const rls2_model *model, int64_t t)
{
    return has_several_targets(model) ? rls2_model_output_name(model, t) : rls2_model_target(model);
}

void json_targets(json *j, const rls2_model *model)
{
    if (!has_several_targets(model)) {
        json_text(j, "target", rls2_model_target(model));
        return;
    }
    json_array(j, "targets");
    for (int64_t t = 0; t < target_count(model); t++) json_text(j, NULL, target_name(model, t));
    json_end_array(j);
}

void print_output_name(FILE *file, const rls2_model *model, int64_t o)
{
    const char *name = rls2_model_output_name(model, o);
    if (name)
        print_names(file, "'%s'", name);
    else
        fprintf(file, "output %" PRId64, o + 1);
}

const char *output_word(const rls2_model *model)
{
    if (!rls2_model_output_name(model, 0)) return "";
    if (rls2_model_is_classification(model)) return "class";
    return has_several_targets(model) ? "target" : "quantile";
}

/* "'BL', 'EWS', 'NB'" */
static void print_output_names(FILE *file, const rls2_model *model)
{
    for (int64_t o = 0; o < rls2_model_outputs(model); o++) {
        if (o > 0) fputs(", ", file);
        print_output_name(file, model, o);
    }
}

static int no_such_output(const settings *s, const rls2_model *model)
{
    char *names = NULL;
    size_t length = 0;
    FILE *list = open_memstream(&names, &length);
    if (!list) return out_of_memory(s);
    print_output_names(list, model);
    fclose(list);
    say_error(s, "--of '%s': %s predicts nothing of that name, but %s", s->of, s->argument[0],
              names ? names : "others");
    free(names);
    return EXIT_USAGE;
}

int find_output(const settings *s, const rls2_model *model, int64_t *found)
{
    *found = -1;
    if (!s->of) return EXIT_OK;
    for (int64_t o = 0; o < rls2_model_outputs(model); o++) {
        const char *name = rls2_model_output_name(model, o);
        if (!name || strcmp(name, s->of) != 0) continue;
        *found = o;
        return EXIT_OK;
    }
    return no_such_output(s, model);
}

double residual_of(const rls2_model *one, int64_t i)
{
    const double *w = rls2_model_row_weights(one);
    double rest = rls2_model_lambda(one) * rls2_model_c(one)[i];
    return w ? rest / w[i] : rest;
}

double recovered_target(const rls2_model *one, int64_t i, double f)
{
    rls2_loss loss = rls2_model_loss(one);
    double slope = residual_of(one, i);
    if (loss.kind == RLS2_LOSS_SQUARE) return f + slope;
    /* the slope of a margin points to the label, and is 0 only beyond it */
    if (rls2_loss_takes_labels(loss)) return (slope != 0.0 ? slope : f) > 0.0 ? 1.0 : -1.0;
    if (rls2_loss_takes_counts(loss)) return fmax(rls2_loss_mean(loss, f) + slope, 0.0);
    return (double)NAN;
}
