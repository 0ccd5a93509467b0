/* "9 of 10 splits" */
#include "cli/selection_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"

/* ---- collecting ---- */

/* One split tells nothing of how often. */
static int64_t splits_of(const rls2_model *model)
{
    int64_t splits = rls2_model_trials(model, RLS2_TRIALS_SPLITS);
    return splits > 1 ? splits : 0;
}

/* Of several inputs together: trials with any kernel that looks at the same. */
static int64_t selections_together(const rls2_model *model, const importance *at,
                                   const int64_t *counts, int64_t *kernels)
{
    int64_t found = 0, m = rls2_dictionary_count(rls2_model_dictionary(model));
    for (int64_t k = 0; k < m; k++) {
        importance one = {0};
        if (counts[k] == 0) continue;
        const char *name = importance_looks_at(model, k, &one);
        if (one.together == at->together && one.input < 0 && strcmp(name, at->name) == 0)
            kernels[found++] = k;
    }
    return rls2_model_selections_of(model, RLS2_TRIALS_SPLITS, found, kernels);
}

static void fill(const rls2_model *model, importances *all, const int64_t *of_kernels,
                 const int64_t *of_inputs, int64_t *room)
{
    for (int64_t k = 0; k < all->kernel_count; k++)
        all->kernels[k].selected =
            of_kernels[rls2_model_kernel_index(model, all->kernels[k].place)];
    for (int64_t i = 0; i < all->input_count; i++) {
        importance *at = &all->inputs[i];
        at->selected = at->input >= 0 ? of_inputs[at->input]
                                      : selections_together(model, at, of_kernels, room);
    }
}

int selections_collect(const settings *s, const rls2_model *model, importances *all)
{
    rls2_error err;
    int code = EXIT_OK;
    size_t m = (size_t)rls2_dictionary_count(rls2_model_dictionary(model));
    all->splits = splits_of(model);
    if (all->splits == 0) return EXIT_OK;
    int64_t *of_kernels = calloc(m + 1, sizeof *of_kernels), *room = calloc(m + 1, sizeof *room);
    int64_t *of_inputs = calloc((size_t)rls2_model_input_count(model) + 1, sizeof *of_inputs);
    if (!of_kernels || !room || !of_inputs)
        code = out_of_memory(s);
    else if (rls2_model_kernel_selections(model, RLS2_TRIALS_SPLITS, of_kernels, &err) != RLS2_OK ||
             rls2_model_input_selections(model, RLS2_TRIALS_SPLITS, of_inputs, &err) != RLS2_OK)
        code = fail(s, &err);
    else
        fill(model, all, of_kernels, of_inputs, room);
    free(of_inputs);
    free(room);
    free(of_kernels);
    return code;
}

/* ---- text ---- */

selected_words selected_in(const importances *all, int64_t selected)
{
    selected_words made = {""};
    if (all->splits > 0)
        snprintf(made.text, sizeof made.text, "%" PRId64 " of %" PRId64, selected, all->splits);
    return made;
}

void print_selected(FILE *file, const importances *all, const importance *at)
{
    static const char HEADING[] = "in splits";
    int width = (int)strlen(selected_in(all, all->splits).text);
    if (width < (int)strlen(HEADING)) width = (int)strlen(HEADING);
    if (all->splits > 0)
        fprintf(file, "%*s   ", width, at ? selected_in(all, at->selected).text : HEADING);
}

void print_selected_input(FILE *file, const importances *all, const importance *at)
{
    const char *kernels = at->kernels > 0 ? count_of(at->kernels, "kernel").text : "";
    if (all->splits > 0)
        fprintf(file, " (%s%sin %s splits%s)\n", kernels, at->kernels > 0 ? ", " : "",
                selected_in(all, at->selected).text, at->kernels > 0 ? "" : " only");
    else
        fprintf(file, " (%s)\n", at->kernels > 0 ? kernels : "in splits only");
}

/* ---- what the model did without ---- */

typedef struct other {
    const char *name;
    int64_t selected;
} other;

static int by_selected(const void *a, const void *b)
{
    const other *x = a, *y = b;
    if (x->selected != y->selected) return x->selected > y->selected ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Kernels that at least `least` splits selected and the model did not, the most frequent first;
 * returns how many. The list is the caller's, NULL when out of memory. */
static int64_t list_others(const rls2_model *model, int64_t least, other **list)
{
    const rls2_dictionary *dictionary = rls2_model_dictionary(model);
    int64_t m = rls2_dictionary_count(dictionary), found = 0;
    int64_t *counts = calloc((size_t)m + 1, sizeof *counts);
    *list = calloc((size_t)m + 1, sizeof **list);
    int known = counts && *list &&
                rls2_model_kernel_selections(model, RLS2_TRIALS_SPLITS, counts, NULL) == RLS2_OK;
    for (int64_t k = 0; known && k < rls2_model_kernel_count(model); k++)
        counts[rls2_model_kernel_index(model, k)] = 0;
    for (int64_t k = 0; known && k < m; k++)
        if (counts[k] > 0 && counts[k] >= least)
            (*list)[found++] = (other){rls2_dictionary_name(dictionary, k), counts[k]};
    if (found > 0) qsort(*list, (size_t)found, sizeof **list, by_selected);
    free(counts);
    return found;
}

void print_often_selected(const settings *s, FILE *file, const rls2_model *model)
{
    other *list = NULL;
    int64_t splits = splits_of(model);
    int64_t count = list_others(model, (splits + 1) / 2, &list), shown = shown_of(s, count);
    if (splits > 0 && count > 0) {
        fputs("  not selected here, but in at least half of the splits:\n", file);
        for (int64_t i = 0; i < shown; i++)
            print_names(file, "    %s (%" PRId64 " of %" PRId64 ")\n", list[i].name,
                        list[i].selected, splits);
        show_rest(file, shown, count);
    }
    free(list);
}

/* ---- JSON ---- */

void json_selected_in(json *j, const importances *all, const importance *at)
{
    if (all->splits > 0) json_integer(j, "selected_in", at->selected);
}

void json_selected_by_splits(json *j, const rls2_model *model)
{
    other *list = NULL;
    if (splits_of(model) == 0) return;
    int64_t count = list_others(model, 1, &list);
    json_array(j, "selected_by_splits");
    for (int64_t i = 0; i < count; i++) {
        json_object(j, NULL);
        json_text(j, "kernel", list[i].name);
        json_integer(j, "selected_in", list[i].selected);
        json_end_object(j);
    }
    json_end_array(j);
    free(list);
}
