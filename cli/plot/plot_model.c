/* What a model says about kernels and features, as bars. */
#include "cli/plot/plot_model.h"

#include <stdlib.h>

#include "cli/plot/plot.h"
#include "cli/plot/plot_picture.h"
#include "cli/importance.h"
#include "cli/use/targets.h"

/* Beyond the top all others are summed in the last importance. */
static int64_t cut(importance *items, int64_t count, int64_t top)
{
    if (count <= top) return count;
    for (int64_t i = top; i < count; i++) {
        items[top - 1].weight += items[i].weight;
        items[top - 1].share += items[i].share;
    }
    items[top - 1].name = NULL; /* the others */
    items[top - 1].together = 0;
    return top;
}

static char *bar_label(const settings *s, const importance *one, int64_t others)
{
    char *text = NULL, *label = NULL;
    int length = one->name ? asprintf(&text, "%s%s", one->name, one->together ? " (together)" : "")
                           : asprintf(&text, "(%lld others)", (long long)others);
    if (length < 0) return NULL;
    label = picture_text(s, text);
    free(text);
    return label;
}

static int add_bars(const settings *s, const importance *items, int64_t count, int64_t others,
                    picture *p)
{
    int with_weight = p->kind == PICTURE_KERNELS;
    p->points = count;
    p->others = items[count - 1].name == NULL;
    p->x_name = with_weight ? "kernel" : "feature";
    p->labels = calloc((size_t)count, sizeof *p->labels);
    if (!p->labels) return out_of_memory(s);
    series *values = picture_series(s, p, 1 + with_weight);
    if (!values) return EXIT_FAILED;
    for (int k = 0; k <= with_weight; k++)
        if (!(values[k].name = picture_text(s, k < with_weight ? "weight" : "share")))
            return out_of_memory(s);
    for (int64_t i = 0; i < count; i++) {
        if (!(p->labels[i] = bar_label(s, &items[i], others))) return out_of_memory(s);
        values[0].y[i] = items[i].weight;
        values[with_weight].y[i] = items[i].share;
    }
    return EXIT_OK;
}

/* The model, or the output of it that --of asks for, and a title that says which. */
static int choose_output(const settings *s, const rls2_model *model, const rls2_model **chosen,
                         picture *p)
{
    char text[64];
    int64_t o, outputs = rls2_model_outputs(model);
    int code = find_output(s, model, &o);
    *chosen = o >= 0 ? rls2_model_output(model, o) : model;
    if (code != EXIT_OK || outputs == 1) return code;
    if (o >= 0) return picture_set_output(s, p, rls2_model_output_name(model, o));
    snprintf(text, sizeof text, "mean over %lld %s", (long long)outputs,
             rls2_model_is_classification(model) ? "classes"
             : rls2_model_output_name(model, 0)  ? "targets"
                                                 : "outputs");
    return picture_add_title(s, p, text);
}

int picture_of_model(const settings *s, picture_kind kind, const void *model, picture *p)
{
    const rls2_model *m = NULL;
    importances parts;
    int64_t top = s->top > 0 ? s->top : INT64_MAX;
    int code = picture_start(s, kind, p);
    if (code == EXIT_OK) code = choose_output(s, model, &m, p);
    if (code != EXIT_OK) return code;
    if (rls2_model_kernel_count(m) <= 0) {
        say_error(s, "%s: the model has no kernels", s->argument[0]);
        return EXIT_FAILED;
    }
    code = importances_collect(s, m, &parts, NULL);
    if (code == EXIT_OK) {
        importance *items = kind == PICTURE_FEATURES ? parts.inputs : parts.kernels;
        int64_t all = kind == PICTURE_FEATURES ? parts.input_count : parts.kernel_count;
        int64_t count = cut(items, all, top);
        p->y_label = parts.of_predictions ? "share of the variance of left-out predictions (%)"
                     : parts.on_left_out  ? "variance of left-out rows explained (%)"
                                          : "share of the variance of the fit (%)";
        code = add_bars(s, items, count, all - count + 1, p);
    }
    importances_free(&parts);
    return code;
}
