/* Effects of inputs: which are drawn, in which order, and as text or JSON. */
#include "cli/plot/plot_effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/importance.h"
#include "cli/output.h"
#include "cli/plot/plot_picture.h"
#include "cli/use/targets.h"

enum { MOST_LEVELS = 12, MOST_LINES = 3, TEXT_ROWS = 5, PAIR_ROWS = 3, DATE_LENGTH = 24 };

void panels_free(picture *p)
{
    for (int64_t k = 0; k < p->panel_count; k++) {
        panel *one = &p->panels[k];
        for (int64_t i = 0; one->levels && i < one->count; i++) free(one->levels[i]);
        for (int64_t i = 0; one->at && i < one->lines; i++) free(one->at[i]);
        free(one->levels);
        free(one->at);
        free(one->along);
        free(one->other);
        free(one->name);
        free(one->x);
        free(one->y);
        free(one->low);
        free(one->high);
    }
    free(p->panels);
    p->panels = NULL;
    p->panel_count = 0;
}

/* ---- from a model ---- */

/* The points of an effect that are drawn: numbers, or of categories those with the most rows. An
 * empty cell among numbers is told by none. */
static int64_t choose_points(const rls2_effect *effect, int by_level, int64_t *chosen)
{
    int64_t count = 0, all = rls2_effect_count(effect);
    for (int64_t i = 0; i < all; i++) {
        const rls2_effect_point *at = rls2_effect_at(effect, i);
        int64_t before = 0;
        if ((at->level != NULL) != by_level) continue;
        for (int64_t k = 0; k < all && by_level; k++) {
            double rows = rls2_effect_at(effect, k)->rows;
            before += rows > at->rows || (k < i && rows >= at->rows);
        }
        if (before < MOST_LEVELS) chosen[count++] = i;
    }
    return count;
}

/* Where rows differ. Of two inputs lines stand for that. */
static int fill_band(const settings *s, const rls2_effect *effect, const int64_t *chosen,
                     panel *one)
{
    int differ = 0;
    for (int64_t i = 0; i < one->count; i++) {
        const rls2_effect_point *at = rls2_effect_at(effect, chosen[i]);
        if (!isfinite(at->lower) || !isfinite(at->upper)) return EXIT_OK;
        differ |= at->lower < at->upper;
    }
    if (!differ) return EXIT_OK;
    one->low = calloc((size_t)one->count + 1, sizeof *one->low);
    one->high = calloc((size_t)one->count + 1, sizeof *one->high);
    if (!one->low || !one->high) return out_of_memory(s);
    for (int64_t i = 0; i < one->count; i++) {
        one->low[i] = rls2_effect_at(effect, chosen[i])->lower;
        one->high[i] = rls2_effect_at(effect, chosen[i])->upper;
    }
    return EXIT_OK;
}

static int fill_panel(const settings *s, const rls2_effect *effect, int64_t count,
                      const int64_t *chosen, panel *one)
{
    one->x = calloc((size_t)count + 1, sizeof *one->x);
    one->y = calloc((size_t)count + 1, sizeof *one->y);
    if (one->by_level) one->levels = calloc((size_t)count + 1, sizeof *one->levels);
    if (!one->x || !one->y || (one->by_level && !one->levels)) return out_of_memory(s);
    one->count = count;
    for (int64_t i = 0; i < count; i++) {
        const rls2_effect_point *at = rls2_effect_at(effect, chosen[i]);
        one->x[i] = one->by_level ? (double)i + 1 : at->value;
        one->y[i] = at->effect;
        if (one->by_level && !(one->levels[i] = picture_text(s, at->level)))
            return out_of_memory(s);
    }
    return EXIT_OK;
}

int add_panel(const settings *s, const rls2_model *model, int64_t input, double share, picture *p)
{
    rls2_error err;
    rls2_effect *effect = NULL;
    rls2_column_kind kind = rls2_model_input_kind(model, input);
    if (rls2_model_effect(model, input, &effect, &err) != RLS2_OK) return fail(s, &err);
    int64_t *chosen = calloc((size_t)rls2_effect_count(effect) + 1, sizeof *chosen);
    int code = chosen ? EXIT_OK : out_of_memory(s);
    if (code == EXIT_OK && rls2_effect_count(effect) > 0) {
        panel *one = &p->panels[p->panel_count++];
        *one = (panel){.share = share,
                       .by_level = kind == RLS2_COLUMN_TEXT,
                       .is_date = kind == RLS2_COLUMN_DATES,
                       .lines = 1,
                       .direction = rls2_effect_direction(effect)};
        int64_t count = choose_points(effect, one->by_level, chosen);
        one->name = picture_text(s, rls2_model_input_name(model, input));
        code = one->name ? fill_panel(s, effect, count, chosen, one) : out_of_memory(s);
        if (code == EXIT_OK) code = fill_band(s, effect, chosen, one);
        if (code == EXIT_OK && count == 0) { /* all that is known of it are empty cells */
            panel last = *one;
            p->panel_count--;
            free(last.name), free(last.x), free(last.y), free(last.levels);
            free(last.low), free(last.high);
        }
    }
    free(chosen);
    rls2_effect_free(effect);
    return code;
}

/* ---- two inputs ---- */

/* Two inputs whose effects are known, and what they do together. */
typedef struct couple {
    const rls2_model *model;
    int64_t input[2]; /* the first is drawn along x, the second as lines */
    rls2_effect *effect[2];
    double *grid;    /* values of the first x those of the second */
    int64_t *chosen; /* values of the first that are drawn, */
    int64_t count;
    int64_t line[MOST_LINES]; /* and of the second */
    int64_t lines;
} couple;

/* Categories are lines rather than places along x. */
static int order_couple(const settings *s, const int64_t *pair, couple *two)
{
    rls2_error err;
    int swap = rls2_model_input_kind(two->model, pair[0]) == RLS2_COLUMN_TEXT &&
               rls2_model_input_kind(two->model, pair[1]) != RLS2_COLUMN_TEXT;
    for (int k = 0; k < 2; k++) {
        two->input[k] = pair[swap ? 1 - k : k];
        if (rls2_model_effect(two->model, two->input[k], &two->effect[k], &err) != RLS2_OK)
            return fail(s, &err);
    }
    int64_t first = rls2_effect_count(two->effect[0]), second = rls2_effect_count(two->effect[1]);
    two->grid = calloc((size_t)first * (size_t)second + 1, sizeof *two->grid);
    two->chosen = calloc((size_t)first + 1, sizeof *two->chosen);
    if (!two->grid || !two->chosen) return out_of_memory(s);
    if (rls2_model_joint_effect(two->model, two->input[0], two->input[1], two->grid, &err) !=
        RLS2_OK)
        return fail(s, &err);
    return EXIT_OK;
}

/* Of numbers that which a share of the rows does not exceed. */
static int64_t value_at_share(const rls2_effect *effect, double share)
{
    int64_t count = rls2_effect_count(effect), last = -1;
    double total = 0.0, sum = 0.0;
    for (int64_t i = 0; i < count; i++)
        if (!rls2_effect_at(effect, i)->level) total += rls2_effect_at(effect, i)->rows;
    for (int64_t i = 0; i < count; i++) {
        if (rls2_effect_at(effect, i)->level) continue;
        last = i;
        sum += rls2_effect_at(effect, i)->rows;
        if (sum >= share * total) break;
    }
    return last;
}

/* Of numbers a low, a middle and a high value; of categories those with the most rows. */
static void choose_lines(couple *two)
{
    static const double SHARES[MOST_LINES] = {0.1, 0.5, 0.9};
    const rls2_effect *effect = two->effect[1];
    int by_level = rls2_model_input_kind(two->model, two->input[1]) == RLS2_COLUMN_TEXT;
    int64_t count = rls2_effect_count(effect);
    for (int64_t i = 0; i < count && by_level; i++) {
        int64_t before = 0;
        for (int64_t k = 0; k < count; k++) {
            double own = rls2_effect_at(effect, i)->rows, rows = rls2_effect_at(effect, k)->rows;
            before += rows > own || (k < i && rows >= own);
        }
        if (before < MOST_LINES) two->line[two->lines++] = i;
    }
    for (int k = 0; k < MOST_LINES && !by_level; k++) {
        int64_t at = value_at_share(effect, SHARES[k]);
        if (at >= 0 && (two->lines == 0 || at > two->line[two->lines - 1]))
            two->line[two->lines++] = at;
    }
}

/* "0.25", "2001-01-31", "red" */
static char *value_text(const settings *s, const couple *two, int k, int64_t i)
{
    char text[64];
    const rls2_effect_point *at = rls2_effect_at(two->effect[k], i);
    if (at->level) return picture_text(s, at->level);
    if (rls2_model_input_kind(two->model, two->input[k]) == RLS2_COLUMN_DATES)
        date_text(at->value, "%Y-%m-%d", text, sizeof text);
    else
        snprintf(text, sizeof text, "%.3g", at->value);
    return picture_text(s, text);
}

static int fill_lines(const settings *s, const couple *two, panel *one)
{
    int64_t first = rls2_effect_count(two->effect[0]);
    double *y = calloc((size_t)(one->count * two->lines) + 1, sizeof *y);
    one->at = calloc((size_t)two->lines + 1, sizeof *one->at);
    if (!y || !one->at) {
        free(y);
        return out_of_memory(s);
    }
    free(one->y);
    one->y = y;
    one->lines = two->lines;
    for (int64_t l = 0; l < two->lines; l++) {
        for (int64_t i = 0; i < one->count; i++)
            y[l * one->count + i] = two->grid[two->line[l] * first + two->chosen[i]];
        if (!(one->at[l] = value_text(s, two, 1, two->line[l]))) return out_of_memory(s);
    }
    return EXIT_OK;
}

static int fill_couple(const settings *s, const couple *two, double share, const char *name,
                       picture *p)
{
    rls2_column_kind kind = rls2_model_input_kind(two->model, two->input[0]);
    panel *one = &p->panels[p->panel_count++];
    *one = (panel){.share = share,
                   .by_level = kind == RLS2_COLUMN_TEXT,
                   .is_date = kind == RLS2_COLUMN_DATES,
                   .lines = 1};
    one->name = picture_text(s, name);
    one->along = picture_text(s, rls2_model_input_name(two->model, two->input[0]));
    one->other = picture_text(s, rls2_model_input_name(two->model, two->input[1]));
    if (!one->name || !one->along || !one->other) return out_of_memory(s);
    int code = fill_panel(s, two->effect[0], two->count, two->chosen, one);
    return code == EXIT_OK ? fill_lines(s, two, one) : code;
}

int add_couple(const settings *s, const rls2_model *model, const importance *at, picture *p)
{
    couple two = {.model = model};
    int code = order_couple(s, at->pair, &two);
    if (code == EXIT_OK) {
        int by_level = rls2_model_input_kind(model, two.input[0]) == RLS2_COLUMN_TEXT;
        two.count = choose_points(two.effect[0], by_level, two.chosen);
        choose_lines(&two);
        if (two.count > 0 && two.lines > 0) code = fill_couple(s, &two, at->share, at->name, p);
    }
    free(two.grid);
    free(two.chosen);
    for (int k = 0; k < 2; k++) rls2_effect_free(two.effect[k]);
    return code;
}

/* ---- which ---- */

/* Is it the same two inputs as one before it? */
static int is_repeated(const importances *parts, int64_t i)
{
    for (int64_t k = 0; k < i; k++)
        if (parts->inputs[k].pair[0] == parts->inputs[i].pair[0] &&
            parts->inputs[k].pair[1] == parts->inputs[i].pair[1])
            return 1;
    return 0;
}

/* By share, alone and two together; those that count for nothing stay away unless --top is 0. Then
 * inputs that only kernels of several look at, in the order of the table. */
static int add_panels(const settings *s, const rls2_model *model, const importances *parts,
                      picture *p)
{
    int64_t inputs = rls2_model_input_count(model), all = inputs + parts->input_count;
    int64_t top = s->top > 0 ? s->top : all;
    unsigned char *done = calloc((size_t)inputs + 1, 1);
    int code = done ? EXIT_OK : out_of_memory(s);
    p->panels = calloc((size_t)all + 1, sizeof *p->panels);
    if (!p->panels && code == EXIT_OK) code = out_of_memory(s);
    for (int64_t i = 0; i < parts->input_count && code == EXIT_OK; i++) {
        const importance *at = &parts->inputs[i];
        int idle = s->top > 0 && !parts->unknown && percent(at->share) == 0.0;
        if (at->input >= 0) done[at->input] = 1;
        if (p->panel_count >= top || (idle && p->panel_count > 0)) continue;
        if (at->input >= 0)
            code = add_panel(s, model, at->input, at->share, p);
        else if (at->pair[1] >= 0 && !is_repeated(parts, i))
            code = add_couple(s, model, at, p);
    }
    for (int64_t j = 0; j < inputs && code == EXIT_OK && p->panel_count < top; j++)
        if (!done[j]) code = add_panel(s, model, j, (double)NAN, p);
    free(done);
    if (code != EXIT_OK || p->panel_count > 0) return code;
    say_error(s, "%s: no kernel of the model looks at an input", s->argument[0]);
    return EXIT_FAILED;
}

static int choose_output(const settings *s, const rls2_model *model, const rls2_model **chosen,
                         picture *p)
{
    int64_t o, outputs = rls2_model_outputs(model);
    int code = find_output(s, model, &o);
    if (code != EXIT_OK) return code;
    *chosen = rls2_model_output(model, o >= 0 ? o : 0);
    if (outputs == 1) return EXIT_OK;
    char *name = shown_text(rls2_model_output_name(model, o >= 0 ? o : 0), 40);
    if (name && o < 0)
        say(s, "of %lld outputs: '%s'; --of NAME draws another", (long long)outputs, name);
    free(name);
    return picture_set_output(s, p, rls2_model_output_name(model, o >= 0 ? o : 0));
}

/* What is added to, before the name of the target or the class. */
static const char *scale_of(const rls2_model *model)
{
    rls2_loss loss = rls2_model_loss(model);
    if (loss.kind == RLS2_LOSS_LOGISTIC) return "the log odds of ";
    if (rls2_loss_takes_counts(loss)) return "the log rate of ";
    return rls2_model_is_classification(model) ? "the score of " : "";
}

static int set_label(const settings *s, const rls2_model *model, picture *p)
{
    int classes = rls2_model_class_count(model) == 2;
    const char *what =
        classes ? rls2_model_class_label(model, 1) : rls2_model_output_name(model, 0);
    char *shown = picture_text(s, what ? what : "the prediction");
    int length = shown ? asprintf(&p->panel_label, "effect on %s%s", scale_of(model), shown) : -1;
    free(shown);
    if (length >= 0) return EXIT_OK;
    p->panel_label = NULL;
    return out_of_memory(s);
}

int start_panels(const settings *s, const rls2_model *model, picture_kind kind,
                 const rls2_model **chosen, picture *p)
{
    int code = picture_start(s, kind, p);
    if (code == EXIT_OK) code = choose_output(s, model, chosen, p);
    if (code == EXIT_OK) code = set_label(s, *chosen, p);
    p->y_label = p->panel_label;
    return code;
}

int picture_of_effects(const settings *s, const void *model, picture *p)
{
    const rls2_model *m = NULL;
    importances parts = {0};
    int code = start_panels(s, model, PICTURE_EFFECTS, &m, p);
    if (code == EXIT_OK) code = importances_collect(s, m, &parts, NULL);
    if (code == EXIT_OK) code = add_panels(s, m, &parts, p);
    p->x_name = share_of_what(&parts);
    importances_free(&parts);
    return code;
}

/* ---- as text ---- */

void date_text(double days, const char *how, char *text, size_t size)
{
    int known = fabs(days) < 3e6; /* some thousands of years */
    time_t seconds = known ? (time_t)floor(days * 86400.0) : 0;
    struct tm when;
    if (!known || !gmtime_r(&seconds, &when) || strftime(text, size, how, &when) == 0)
        snprintf(text, size, "%.6g", days);
}

static void point_text(const panel *one, int64_t i, char *text, size_t size)
{
    if (one->by_level)
        snprintf(text, size, "%s", one->levels[i]);
    else if (one->is_date)
        date_text(one->x[i], "%Y-%m-%d", text, size);
    else
        snprintf(text, size, "%.4g", one->x[i]);
}

static double largest_effect(const picture *p)
{
    double most = 0.0;
    for (int64_t k = 0; k < p->panel_count; k++)
        for (int64_t i = 0; i < p->panels[k].count * p->panels[k].lines; i++)
            most = fmax(most, fabs(p->panels[k].y[i]));
    return most > 0.0 ? most : 1.0;
}

/* A bar to the left or to the right of the middle. */
static void signed_bar(FILE *out, double share, int width)
{
    int length = (int)lround(fabs(share) * width);
    for (int i = 0; i < width; i++) fputc(share < 0.0 && i >= width - length ? '#' : ' ', out);
    fputc('|', out);
    for (int i = 0; share > 0.0 && i < length; i++) fputc('#', out);
    fputc('\n', out);
}

/* All categories; of numbers a few, evenly spaced among the quantiles. */
static int64_t rows_of(const panel *one)
{
    int64_t most = one->at ? PAIR_ROWS : one->by_level ? one->count : TEXT_ROWS;
    return one->count < most ? one->count : most;
}

static void line_text(FILE *out, const panel *one, const double *y, double most, int names,
                      int width)
{
    int64_t rows = rows_of(one);
    for (int64_t r = 0; r < rows; r++) {
        char text[256];
        int64_t i = rows > 1 ? r * (one->count - 1) / (rows - 1) : 0;
        point_text(one, i, text, sizeof text);
        fputs("  ", out);
        print_padded(out, -names, 1, text);
        fprintf(out, " %9.3g  ", y[i]);
        signed_bar(out, y[i] / most, width);
    }
}

static void panel_text(FILE *out, const panel *one, double most, int names, int width)
{
    fputs(one->name, out);
    if (one->at) fprintf(out, " together");
    if (!isnan(one->share)) fprintf(out, " (%.1f%%)", percent(one->share));
    fputc('\n', out);
    for (int64_t l = 0; l < one->lines; l++) {
        if (one->at) fprintf(out, "  %s, at %s = %s\n", one->along, one->other, one->at[l]);
        line_text(out, one, one->y + l * one->count, most, names, width);
    }
}

/* Of values and categories, within reason. */
static int longest_text(const picture *p)
{
    enum { LEAST = 10, MOST = 24 };
    int most = LEAST;
    for (int64_t k = 0; k < p->panel_count; k++)
        for (int64_t i = 0; p->panels[k].by_level && i < p->panels[k].count; i++)
            if (text_width(p->panels[k].levels[i]) > most)
                most = (int)text_width(p->panels[k].levels[i]);
    return most < MOST ? most : MOST;
}

void panels_text(FILE *out, const picture *p, const canvas *c)
{
    enum { NUMBERS = 12 };
    int names = longest_text(p), width = ((int)c->width - names - NUMBERS - 4) / 2;
    if (p->title[0]) fprintf(out, "%s\n", p->title);
    fprintf(out, "%s (%%: share %s)\n", p->panel_label, p->x_name);
    for (int64_t k = 0; k < p->panel_count; k++) {
        fputc('\n', out);
        panel_text(out, &p->panels[k], largest_effect(p), names, width > 6 ? width : 6);
    }
}

/* ---- as JSON ---- */

static void json_point(json *j, const panel *one, const double *y, int64_t i)
{
    char date[DATE_LENGTH];
    json_object(j, NULL);
    if (one->by_level)
        json_text(j, "level", one->levels[i]);
    else
        json_number(j, "value", one->x[i]);
    if (one->is_date) {
        date_text(one->x[i], "%Y-%m-%d", date, sizeof date);
        json_text(j, "date", date);
    }
    json_number(j, "effect", y[i]);
    if (one->low) {
        json_number(j, "lower", one->low[i]);
        json_number(j, "upper", one->high[i]);
    }
    json_end_object(j);
}

static void json_points(json *j, const panel *one, const double *y)
{
    json_array(j, "points");
    for (int64_t i = 0; i < one->count; i++) json_point(j, one, y, i);
    json_end_array(j);
}

static void json_lines(json *j, const panel *one)
{
    json_text(j, "along", one->along);
    json_text(j, "other", one->other);
    json_array(j, "lines");
    for (int64_t l = 0; l < one->lines; l++) {
        json_object(j, NULL);
        json_text(j, "at", one->at[l]);
        json_points(j, one, one->y + l * one->count);
        json_end_object(j);
    }
    json_end_array(j);
}

void panels_json(json *j, const picture *p)
{
    static const char *const DIRECTIONS[] = {"none", "up", "down", "both"};
    json_text(j, "y", p->panel_label);
    json_array(j, "effects");
    for (int64_t k = 0; k < p->panel_count; k++) {
        const panel *one = &p->panels[k];
        json_object(j, NULL);
        json_text(j, "input", one->name);
        json_number(j, "share", one->share);
        if (one->at) {
            json_lines(j, one);
        } else {
            json_text(j, "direction", DIRECTIONS[one->direction]);
            json_points(j, one, one->y);
        }
        json_end_object(j);
    }
    json_end_array(j);
}
