/* The inputs of the table: how much each counts, and whether more of it means more. */
#include "cli/use/show_inputs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/use/show_explained.h"

/* ---- effects ---- */

/* What an input does; `count` is 0 where nothing is known. */
typedef struct doing {
    char sign;                /* '+', '-', '~', or a blank */
    const char *direction;    /* the same in words */
    const char *most, *least; /* of categories: those with the highest and the lowest effect */
} doing;

static const struct {
    char sign;
    const char *word;
} DIRECTIONS[] = {[RLS2_DIRECTION_NONE] = {' ', "none"},
                  [RLS2_DIRECTION_UP] = {'+', "up"},
                  [RLS2_DIRECTION_DOWN] = {'-', "down"},
                  [RLS2_DIRECTION_BOTH] = {'~', "both"}};

static void find_levels(const rls2_effect *effect, doing *what)
{
    double high = -HUGE_VAL, low = HUGE_VAL;
    for (int64_t i = 0; i < rls2_effect_count(effect); i++) {
        const rls2_effect_point *at = rls2_effect_at(effect, i);
        if (at->effect > high) what->most = at->level;
        if (at->effect < low) what->least = at->level;
        high = fmax(high, at->effect);
        low = fmin(low, at->effect);
    }
}

/* Of a model of several outputs nothing: an input may do to each what it likes. */
static doing what_it_does(const rls2_model *model, int64_t input)
{
    doing what = {.sign = ' '};
    rls2_effect *effect = NULL;
    if (input < 0 || rls2_model_effect(model, input, &effect, NULL) != RLS2_OK) return what;
    if (rls2_effect_count(effect) > 0) {
        what.sign = DIRECTIONS[rls2_effect_direction(effect)].sign;
        what.direction = DIRECTIONS[rls2_effect_direction(effect)].word;
        if (rls2_model_input_kind(model, input) == RLS2_COLUMN_TEXT) find_levels(effect, &what);
    }
    rls2_effect_free(effect);
    return what;
}

/* ---- text ---- */

static void print_heading(FILE *file, const char *mean, const importances *parts)
{
    fprintf(file, "\ninputs, by %sshare %s\n", mean, share_heading(parts).text);
}

/* What there is more of. */
static void print_legend(FILE *file, const rls2_model *model)
{
    const char *what = rls2_model_class_count(model) == 2 ? rls2_model_class_label(model, 1)
                                                          : rls2_model_output_name(model, 0);
    if (rls2_model_outputs(model) > 1 || !what) return;
    print_names(file, "  (+ the more of it, the more '%s'; - the less; ~ both ways)\n", what);
}

/* In quotes, and no longer than a line has room for. */
static void print_level(FILE *file, const char *before, const char *level)
{
    enum { MOST = 14 };
    fprintf(file, "%s'", before);
    if (text_width(level) > MOST)
        print_padded(file, -MOST, 1, level);
    else
        print_names(file, "%s", level);
    fputs(text_width(level) > MOST ? "...'" : "'", file);
}

static void print_name(FILE *file, const char *name, const doing *what)
{
    fprintf(file, " %c ", what->sign);
    print_names(file, "%s", name);
    if (!what->most || !what->least || strcmp(what->most, what->least) == 0) return;
    print_level(file, ": most at ", what->most);
    print_level(file, ", least at ", what->least);
}

static void print_input(FILE *file, const summary *sum, const importance *at, double most)
{
    doing what = what_it_does(sum->model, at->input);
    fprintf(file, "  %6.1f%% ", percent(at->share));
    bar(file, fmax(at->share, 0.0) / most, BAR_WIDTH);
    print_name(file, at->name, &what);
    if (at->together) fputs(" together", file);
    print_selected_input(file, &sum->parts, at);
}

/* 1 for inputs that are listed with a share of their own; NULL when out of memory. */
static unsigned char *find_own(const summary *sum)
{
    unsigned char *own = calloc((size_t)rls2_model_input_count(sum->model) + 1, 1);
    for (int64_t i = 0; own && i < sum->parts.input_count; i++)
        if (sum->parts.inputs[i].input >= 0) own[sum->parts.inputs[i].input] = 1;
    return own;
}

/* Inputs that have no share of their own: what they do together with others, and how many do
 * nothing. */
static void print_others(const settings *s, FILE *file, const summary *sum)
{
    unsigned char *own = find_own(sum);
    int64_t idle = 0, room = shown_of(s, INT64_MAX), left = 0;
    for (int64_t j = 0; own && j < rls2_model_input_count(sum->model); j++) {
        if (own[j]) continue;
        doing what = room > 0 ? what_it_does(sum->model, j) : (doing){0};
        if (what.direction) {
            fprintf(file, "  %7s %-*s", "", BAR_WIDTH, "");
            print_name(file, rls2_model_input_name(sum->model, j), &what);
            fputs(" (together with others)\n", file);
            room--;
        } else {
            left += room == 0;
            idle += room > 0;
        }
    }
    free(own);
    show_rest(file, 0, left);
    if (idle > 0)
        fprintf(file, "  %s not selected%s\n", count_of(idle, "input").text,
                rls2_model_outputs(sum->model) > 1 ? " alone" : "");
}

static double least_share(const importances *parts)
{
    double least = 0.0;
    for (int64_t i = 0; i < parts->input_count; i++) least = fmin(least, parts->inputs[i].share);
    return least;
}

void show_inputs(const settings *s, FILE *file, const char *mean, const summary *sum)
{
    const importances *parts = &sum->parts;
    int64_t shown = shown_of(s, parts->input_count);
    double most = largest(parts->inputs, parts->input_count, 1);
    print_heading(file, mean, parts);
    print_legend(file, sum->model);
    for (int64_t i = 0; i < shown; i++) print_input(file, sum, &parts->inputs[i], most);
    if (shown < parts->input_count)
        fprintf(file, "  %6.1f%% %-*s   %" PRId64 " more; --top 0 shows all\n",
                percent(rest_of_shares(parts->inputs, shown, parts->input_count)), BAR_WIDTH, "",
                parts->input_count - shown);
    print_others(s, file, sum);
    if (percent(least_share(parts)) < -1.0)
        fputs("  a share below 0: it offsets inputs that it goes along with, or follows noise\n",
              file);
    show_explained(s, file, sum->model);
}

/* ---- JSON ---- */

void json_inputs(json *j, const summary *sum)
{
    json_array(j, "inputs");
    for (int64_t i = 0; i < sum->parts.input_count; i++) {
        const importance *at = &sum->parts.inputs[i];
        doing what = what_it_does(sum->model, at->input);
        json_object(j, NULL);
        json_text(j, "input", at->name);
        if (at->together) json_truth(j, "together", 1);
        json_number(j, "weight", at->weight);
        json_number(j, "share", at->share);
        json_selected_in(j, &sum->parts, at);
        if (what.most) json_text(j, "highest", what.most);
        if (what.least) json_text(j, "lowest", what.least);
        if (what.direction && !what.most) json_text(j, "direction", what.direction);
        json_end_object(j);
    }
    json_end_array(j);
    json_explained(j, sum->model);
}
