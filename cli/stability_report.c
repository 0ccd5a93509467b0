/* "stable inputs selected in at least 75 of 100 halves of the rows" */
#include "cli/stability_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"

/* ---- collecting ---- */

static int by_selected(const void *a, const void *b)
{
    const stable_item *x = a, *y = b;
    if (x->selected != y->selected) return x->selected > y->selected ? -1 : 1;
    return strcmp(x->name, y->name);
}

typedef const char *(*name_of)(const void *from, int64_t i);

/* Those that were selected, sorted; NULL when out of memory. */
static stable_item *list_items(int64_t count, const int64_t *selected, name_of name,
                               const void *from, int64_t *found)
{
    stable_item *list = calloc((size_t)count + 1, sizeof *list);
    *found = 0;
    for (int64_t i = 0; list && i < count; i++)
        if (selected[i] > 0) list[(*found)++] = (stable_item){name(from, i), selected[i]};
    if (list) qsort(list, (size_t)*found, sizeof *list, by_selected);
    return list;
}

static const char *name_of_kernel(const void *from, int64_t k)
{
    return rls2_dictionary_name(from, k);
}

static const char *name_of_model_input(const void *from, int64_t i)
{
    return rls2_model_input_name(from, i);
}

static const char *name_of_data_input(const void *from, int64_t i)
{
    return rls2_dataset_input_name(from, i);
}

/* Counts of kernels and of inputs; to be freed even where it fails. */
typedef struct counts {
    int64_t *kernels, *inputs;
} counts;

static int reserve(const settings *s, int64_t kernels, int64_t inputs, counts *made)
{
    made->kernels = calloc((size_t)kernels + 1, sizeof *made->kernels);
    made->inputs = calloc((size_t)inputs + 1, sizeof *made->inputs);
    return made->kernels && made->inputs ? EXIT_OK : out_of_memory(s);
}

static int sort_items(const settings *s, const rls2_dictionary *dictionary, int64_t inputs,
                      name_of input_name, const void *from, const counts *found, stable_items *all)
{
    all->kernels = list_items(rls2_dictionary_count(dictionary), found->kernels, name_of_kernel,
                              dictionary, &all->kernel_count);
    all->inputs = list_items(inputs, found->inputs, input_name, from, &all->input_count);
    if (!all->kernels || !all->inputs) return out_of_memory(s);
    while (all->stable < all->input_count && all->inputs[all->stable].selected >= all->about->least)
        all->stable++;
    return EXIT_OK;
}

int stable_items_of_model(const settings *s, const rls2_model *model, stable_items *all)
{
    rls2_error err;
    counts found = {0};
    const rls2_dictionary *dictionary = rls2_model_dictionary(model);
    int64_t inputs = rls2_model_input_count(model);
    *all = (stable_items){.about = rls2_model_stability(model)};
    if (!all->about) return EXIT_OK;
    int code = reserve(s, rls2_dictionary_count(dictionary), inputs, &found);
    if (code == EXIT_OK &&
        (rls2_model_kernel_selections(model, RLS2_TRIALS_HALVES, found.kernels, &err) != RLS2_OK ||
         rls2_model_input_selections(model, RLS2_TRIALS_HALVES, found.inputs, &err) != RLS2_OK))
        code = fail(s, &err);
    if (code == EXIT_OK)
        code = sort_items(s, dictionary, inputs, name_of_model_input, model, &found, all);
    free(found.kernels);
    free(found.inputs);
    return code;
}

int stable_items_of_fit(const settings *s, const rls2_fit *fit, stable_items *all)
{
    rls2_error err;
    counts found = {0};
    const rls2_dictionary *dictionary = rls2_fit_dictionary(fit);
    int64_t inputs = rls2_dataset_input_count(rls2_fit_data(fit));
    *all = (stable_items){.about = rls2_fit_stability(fit)};
    if (!all->about) return EXIT_OK;
    int code = reserve(s, rls2_dictionary_count(dictionary), inputs, &found);
    if (code == EXIT_OK && (rls2_fit_kernel_selections(fit, found.kernels, &err) != RLS2_OK ||
                            rls2_fit_input_selections(fit, found.inputs, &err) != RLS2_OK))
        code = fail(s, &err);
    if (code == EXIT_OK)
        code =
            sort_items(s, dictionary, inputs, name_of_data_input, rls2_fit_data(fit), &found, all);
    free(found.kernels);
    free(found.inputs);
    return code;
}

void stable_items_free(stable_items *all)
{
    free(all->inputs);
    free(all->kernels);
    *all = (stable_items){0};
}

/* ---- text ---- */

static void print_bounds(FILE *file, const char *indent, const rls2_stability *about)
{
    fprintf(file,
            "%sexpected among them by mistake: at most %.2g for any data (%.2g if r-concave)\n",
            indent, about->errors, about->likely_errors);
}

void print_stability(FILE *file, const stable_items *all)
{
    enum { SHOWN = 8 };
    const rls2_stability *about = all->about;
    if (!about) return;
    int64_t shown = all->stable < SHOWN ? all->stable : SHOWN;
    fprintf(file, "stable        %s: selected in at least %" PRId64 " of %" PRId64 " halves\n",
            count_of(all->stable, "input").text, about->least, 2 * about->pairs);
    for (int64_t i = 0; i < shown; i++)
        print_names(file, "%21" PRId64 "  %s\n", all->inputs[i].selected, all->inputs[i].name);
    if (shown < all->stable)
        fprintf(file, "%23s%" PRId64 " more: rls2 show MODEL\n", "", all->stable - shown);
    print_bounds(file, "              ", about);
}

static void show_item(FILE *file, const stable_items *all, int64_t i)
{
    enum { WIDTH = 24 };
    const stable_item *at = &all->inputs[i];
    double halves = 2.0 * (double)all->about->pairs;
    if (i == all->stable)
        fprintf(file, "  %s not stable, below %" PRId64 ":\n",
                i == 0 ? "all are" : "the others are", all->about->least);
    fprintf(file, "  %7" PRId64 " ", at->selected);
    bar(file, (double)at->selected / halves, WIDTH);
    print_names(file, "   %s\n", at->name);
}

void show_stability(const settings *s, FILE *file, const stable_items *all)
{
    const rls2_stability *about = all->about;
    if (!about) return;
    int64_t shown = shown_of(s, all->input_count);
    fprintf(file, "\nstability: %s selected in at least %" PRId64 " of %" PRId64 " halves of %s\n",
            count_of(all->stable, "input").text, about->least, 2 * about->pairs,
            count_of(about->rows, "row").text);
    fprintf(file, "  each half selects at most %" PRId64 " of %s (on average %.3g)\n", about->limit,
            count_of(about->inputs, "input").text, about->mean);
    print_bounds(file, "  ", about);
    for (int64_t i = 0; i < shown; i++) show_item(file, all, i);
    show_rest(file, shown, all->input_count);
}

/* ---- JSON ---- */

static void json_items(json *j, const char *key, const char *what, int64_t count,
                       const stable_item *items)
{
    json_array(j, key);
    for (int64_t i = 0; i < count; i++) {
        json_object(j, NULL);
        json_text(j, what, items[i].name);
        json_integer(j, "selected_in", items[i].selected);
        json_end_object(j);
    }
    json_end_array(j);
}

void json_stability(json *j, const stable_items *all)
{
    const rls2_stability *about = all->about;
    if (!about) return;
    json_object(j, "stability");
    json_integer(j, "halves", 2 * about->pairs);
    json_integer(j, "rows", about->rows);
    json_integer(j, "inputs_in_all", about->inputs);
    json_integer(j, "limit", about->limit);
    json_number(j, "mean", about->mean);
    json_number(j, "threshold", about->threshold);
    json_number(j, "errors", about->errors);
    json_number(j, "likely_errors", about->likely_errors);
    json_array(j, "stable");
    for (int64_t i = 0; i < all->stable; i++) json_text(j, NULL, all->inputs[i].name);
    json_end_array(j);
    json_items(j, "inputs", "input", all->input_count, all->inputs);
    json_items(j, "kernels", "kernel", all->kernel_count, all->kernels);
    json_end_object(j);
}
