/* The curve of cross-validation: its mean, one standard error on either side, and the two choices.
 */
#include "cli/plot/plot_curve.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/plot/plot.h"
#include "cli/plot/plot_picture.h"

static const double LARGEST = 1e100; /* gnuplot's axes go astray beyond */

int is_curve(const char *text, size_t length)
{
    json_t *root = json_loadb(text, length, 0, NULL);
    int found = json_object_get(root, "cvm") != NULL;
    json_decref(root);
    return found;
}

static int complain(const settings *s, const char *key, const char *what)
{
    say_error(s, "%s: %s %s", s->argument[0], key, what);
    return EXIT_FAILED;
}

/* The numbers under `key`, p->points of them; null, which stands for what is not defined, as NaN.
 */
static int read_column(const settings *s, const json_t *root, const char *key, const picture *p,
                       double *out)
{
    const json_t *list = json_object_get(root, key);
    if (!json_is_array(list)) return complain(s, key, "must be a list");
    if ((int64_t)json_array_size(list) != p->points)
        return complain(s, key, "must be as long as lambda");
    for (int64_t i = 0; i < p->points; i++) {
        const json_t *value = json_array_get(list, (size_t)i);
        out[i] = json_is_number(value) ? json_number_value(value) : (double)NAN;
        if (!json_is_number(value) && !json_is_null(value))
            return complain(s, key, "must hold numbers");
        if (fabs(out[i]) > LARGEST) return complain(s, key, "must hold numbers of at most 1e100");
    }
    return EXIT_OK;
}

/* The point whose lambda stands under `key`. */
static int find_point(const settings *s, const json_t *root, const char *key, const picture *p,
                      int64_t *point)
{
    double lambda = json_number_value(json_object_get(root, key));
    for (*point = 0; *point < p->points; ++*point)
        if (p->x[*point] == lambda) return EXIT_OK;
    return complain(s, key, "must be one of the values of lambda");
}

/* A text of our own, as it goes into a script. */
static const char *known_measure(const char *name)
{
    rls2_measure measure;
    if (!name || rls2_measure_find(name, &measure, NULL) != RLS2_OK) return "measure";
    return rls2_measure_name(measure);
}

/* The scores of several targets are means over them; files that do not list the targets leave that
 * open. */
static const char *label_of(const char *measure, const json_t *root)
{
    const json_t *targets = json_object_get(root, "targets");
    if (strcmp(measure, "r2") != 0) return measure;
    if (!json_is_array(targets)) return "R2 (of several targets their mean)";
    return json_array_size(targets) > 1 ? "R2, mean over the targets" : "R2";
}

static int set_names(const settings *s, const json_t *root, picture *p)
{
    static const char *const NAMES[] = {"mean", "mean + standard error", "mean - standard error"};
    const char *measure = json_string_value(json_object_get(root, "measure"));
    for (int k = 0; k < 3; k++)
        if (!(p->series[k].name = picture_text(s, NAMES[k]))) return out_of_memory(s);
    const char *shown = known_measure(measure);
    p->y_label = label_of(shown, root);
    if (asprintf(&p->best_label, "%.20s %.4g at lambda.min %.3g", shown, p->series[0].y[p->best],
                 p->x[p->best]) >= 0)
        return EXIT_OK;
    p->best_label = NULL;
    return out_of_memory(s);
}

static int fill(const settings *s, const json_t *root, picture *p)
{
    series *lines = picture_series(s, p, 3);
    p->x = calloc((size_t)p->points, sizeof(double));
    p->selected = calloc((size_t)p->points, sizeof(double));
    if (!lines || !p->x || !p->selected) return out_of_memory(s);
    int code = read_column(s, root, "lambda", p, p->x);
    if (code == EXIT_OK) code = read_column(s, root, "cvm", p, lines[0].y);
    if (code == EXIT_OK) code = read_column(s, root, "cvsd", p, lines[1].y);
    if (code == EXIT_OK) code = read_column(s, root, "nzero", p, p->selected);
    if (code == EXIT_OK) code = find_point(s, root, "lambda.min", p, &p->best);
    if (code == EXIT_OK) code = find_point(s, root, "lambda.1se", p, &p->simple);
    if (code != EXIT_OK) return code;
    for (int64_t i = 0; i < p->points; i++) {
        double mean = lines[0].y[i], error = isnan(lines[1].y[i]) ? 0.0 : lines[1].y[i];
        if (!(p->x[i] > 1e-100)) return complain(s, "lambda", "must be positive (at least 1e-100)");
        if (isnan(mean) || isnan(p->selected[i]))
            return complain(s, "cvm", "is not defined for every lambda");
        lines[1].y[i] = mean + error;
        lines[2].y[i] = mean - error;
    }
    for (int k = 0; k < 3; k++) lines[k].stands = 1;
    return set_names(s, root, p);
}

int picture_of_curve(const settings *s, const char *text, size_t length, picture *p)
{
    json_error_t error;
    int code = picture_start(s, PICTURE_CURVE, p);
    if (code != EXIT_OK) return code;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        say_error(s, "%s:%d:%d: not JSON: %s", s->argument[0], error.line, error.column,
                  error.text);
        return EXIT_FAILED;
    }
    p->x_name = "lambda";
    p->points = (int64_t)json_array_size(json_object_get(root, "lambda"));
    code = p->points > 0 ? fill(s, root, p) : complain(s, "lambda", "must be a list of numbers");
    json_decref(root);
    return code;
}
