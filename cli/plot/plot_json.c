/* The data of a picture, for whoever would rather draw it himself. */
#include "cli/plot/plot_json.h"

#include "cli/json.h"
#include "cli/output.h"
#include "cli/plot/plot.h"
#include "cli/plot/plot_effects.h"
#include "cli/plot/plot_picture.h"
#include "cli/plot/plot_traces.h"

static void numbers(json *j, const char *key, const double *values, int64_t count)
{
    json_array(j, key);
    for (int64_t i = 0; i < count; i++) json_number(j, NULL, values[i]);
    json_end_array(j);
}

static void x_axis(json *j, const picture *p)
{
    json_object(j, "x");
    json_text(j, "name", p->x_name);
    if (p->x) numbers(j, "values", p->x, p->points);
    if (p->labels) {
        json_array(j, "values");
        for (int64_t i = 0; i < p->points; i++) json_text(j, NULL, p->labels[i]);
        json_end_array(j);
    }
    json_end_object(j);
}

static void all_series(json *j, const picture *p)
{
    json_array(j, "series");
    for (int64_t k = 0; k < p->count; k++) {
        json_object(j, NULL);
        json_text(j, "name", p->series[k].name);
        json_truth(j, "highlighted", p->series[k].stands);
        numbers(j, "values", p->series[k].y, p->points);
        json_end_object(j);
    }
    json_end_array(j);
}

void picture_json(FILE *out, const picture *p)
{
    json j = json_start(out);
    json_object(&j, NULL);
    json_text(&j, "kind", picture_kind_name(p->kind));
    json_text(&j, "title", p->title);
    if (p->of) json_text(&j, "of", p->of);
    if (p->kind == PICTURE_EFFECTS || p->kind == PICTURE_DEPENDENCE) {
        panels_json(&j, p);
    } else if (p->traces) {
        traces_json(&j, p);
    } else {
        x_axis(&j, p);
        all_series(&j, p);
    }
    if (p->selected) numbers(&j, "selected", p->selected, p->points);
    if (p->best >= 0) json_integer(&j, "best", p->best);
    json_end_object(&j);
    json_finish(&j);
}
