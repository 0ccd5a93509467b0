/* Weights and shares of kernels, merged over outputs and inputs, and sorted. */
#include "cli/importance.h"

#include "cli/selection_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_weight(const void *a, const void *b)
{
    const importance *x = a, *y = b;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* By size: a large share below 0 is as worth telling as one above, and the rest is little. */
static int by_share(const void *a, const void *b)
{
    const importance *x = a, *y = b;
    double u = fabs(x->share), v = fabs(y->share);
    if (u != v) return u > v ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* A column may be called "all". */
static int by_name(const void *a, const void *b)
{
    const importance *x = a, *y = b;
    return x->together != y->together ? x->together - y->together : strcmp(x->name, y->name);
}

/* The inputs that columns belong to, if they are one or two: of one, pair[1] is -1; of more both
 * are. */
static void find_pair(const rls2_model *model, int64_t count, const int64_t *columns, int64_t *pair)
{
    pair[0] = pair[1] = -1;
    for (int64_t i = 0; i < count; i++) {
        int64_t input = rls2_model_input_of(model, columns[i]);
        int k = pair[0] < 0 || input == pair[0] ? 0 : 1;
        if (input < 0 || (k == 1 && pair[1] >= 0 && input != pair[1])) {
            pair[0] = pair[1] = -1;
            return;
        }
        pair[k] = input;
    }
}

const char *importance_looks_at(const rls2_model *model, int64_t k, importance *one)
{
    const int64_t *columns;
    const rls2_dictionary *dictionary = rls2_model_dictionary(model);
    int64_t count = rls2_dictionary_kernel_columns(dictionary, k, &columns);
    find_pair(model, count, columns, one->pair);
    int64_t input = one->pair[1] < 0 ? one->pair[0] : -1;
    if (one->pair[1] < 0) one->pair[0] = -1;
    one->together = input < 0 && count > 0;
    one->input = input;
    if (input >= 0) return rls2_model_input_name(model, input);
    const char *name = rls2_dictionary_name(dictionary, k), *at = strchr(name, '@');
    return at && at[1] ? at + 1 : name;
}

/* Items of one name become one. */
static int64_t merge(importance *items, int64_t count)
{
    int64_t kept = 0;
    qsort(items, (size_t)count, sizeof *items, by_name);
    for (int64_t i = 0; i < count; i++) {
        if (kept == 0 || by_name(&items[kept - 1], &items[i]) != 0) {
            items[kept++] = items[i];
            continue;
        }
        items[kept - 1].weight += items[i].weight;
        items[kept - 1].share += items[i].share;
        items[kept - 1].kernels += items[i].kernels;
    }
    return kept;
}

/* ---- shares, by number in the dictionary ---- */

/* A kernel that nobody selected has a share of 0, and is not listed. */
typedef struct share_list {
    double *share;
    unsigned char *known;
} share_list;

static void add_share(share_list *list, int64_t k, double share)
{
    list->share[k] += share;
    list->known[k] = 1;
}

/* Means over the outputs. */
static void take_left_out(const rls2_model *model, share_list *list)
{
    int64_t outputs = rls2_model_outputs(model);
    for (int64_t o = 0; o < outputs; o++) {
        const int64_t *kernels;
        const double *shares;
        int64_t count = rls2_model_left_out_shares(rls2_model_output(model, o), &kernels, &shares);
        for (int64_t k = 0; k < count; k++)
            add_share(list, kernels[k], shares[k] / (double)outputs);
    }
}

/* The same of the fit, unless other shares are known; and the fitted values. */
static int take_fit(const settings *s, const rls2_model *model, int with_shares, share_list *list,
                    double *f)
{
    rls2_error err;
    rls2_status status = RLS2_OK;
    int64_t outputs = rls2_model_outputs(model), n = rls2_model_points(model);
    double *own = calloc((size_t)rls2_model_kernel_count(model) + 1, sizeof *own);
    if (!own) return out_of_memory(s);
    for (int64_t o = 0; o < outputs && status == RLS2_OK; o++) {
        const rls2_model *one = rls2_model_output(model, o);
        status = rls2_model_shares(one, NULL, own, f ? f + o * n : NULL, &err);
        for (int64_t k = 0; k < rls2_model_kernel_count(one) && status == RLS2_OK; k++)
            if (with_shares)
                add_share(list, rls2_model_kernel_index(one, k), own[k] / (double)outputs);
    }
    free(own);
    return status == RLS2_OK ? EXIT_OK : fail(s, &err);
}

static int has_left_out(const rls2_model *model)
{
    for (int64_t o = 0; o < rls2_model_outputs(model); o++)
        if (rls2_model_left_out_shares(rls2_model_output(model, o), NULL, NULL) == 0) return 0;
    return 1;
}

/* A compact model may have been made without its shares. */
static int lacks_shares(const rls2_model *model)
{
    int lacks = 0;
    double *own = calloc((size_t)rls2_model_kernel_count(model) + 1, sizeof *own);
    for (int64_t o = 0; own && o < rls2_model_outputs(model) && rls2_model_is_compact(model); o++)
        lacks |= rls2_model_shares(rls2_model_output(model, o), NULL, own, NULL, NULL) != RLS2_OK;
    free(own);
    return lacks;
}

/* ---- lists ---- */

static void list_kernels(const rls2_model *model, share_list *list, importances *all)
{
    for (int64_t k = 0; k < all->kernel_count; k++) {
        int64_t index = rls2_model_kernel_index(model, k);
        all->kernels[k] = (importance){.name = rls2_model_kernel_name(model, k),
                                       .weight = rls2_model_kernel_weight(model, k),
                                       .share = list->share[index],
                                       .kernels = 1,
                                       .place = k};
        importance *input = &all->inputs[all->input_count++];
        *input = all->kernels[k];
        input->name = importance_looks_at(model, index, input);
        all->sum += list->share[index];
        list->known[index] = 0;
    }
}

/* Kernels of splits that the model does without. */
static void list_others(const rls2_model *model, const share_list *list, importances *all)
{
    for (int64_t k = 0; k < rls2_dictionary_count(rls2_model_dictionary(model)); k++) {
        if (!list->known[k]) continue;
        importance *one = &all->inputs[all->input_count++];
        *one = (importance){.share = list->share[k]};
        one->name = importance_looks_at(model, k, one);
        all->sum += list->share[k];
        all->elsewhere += list->share[k];
    }
}

static int reserve(const settings *s, const rls2_model *model, share_list *list, importances *all)
{
    size_t m = (size_t)rls2_dictionary_count(rls2_model_dictionary(model));
    *all = (importances){.kernel_count = rls2_model_kernel_count(model)};
    all->kernels = calloc((size_t)all->kernel_count + 1, sizeof *all->kernels);
    all->inputs = calloc(m + 1, sizeof *all->inputs);
    list->share = calloc(m + 1, sizeof *list->share);
    list->known = calloc(m + 1, 1);
    return all->kernels && all->inputs && list->share && list->known ? EXIT_OK : out_of_memory(s);
}

int importances_collect(const settings *s, const rls2_model *model, importances *all, double *f)
{
    share_list list = {0};
    int code = reserve(s, model, &list, all);
    all->on_left_out = has_left_out(model);
    all->of_predictions = all->on_left_out && rls2_model_loss(model).kind != RLS2_LOSS_SQUARE;
    if (code == EXIT_OK && all->on_left_out) take_left_out(model, &list);
    all->unknown = !all->on_left_out && lacks_shares(model);
    if (code == EXIT_OK && (f || !all->on_left_out) && !all->unknown)
        code = take_fit(s, model, !all->on_left_out, &list, f);
    if (code == EXIT_OK) {
        list_kernels(model, &list, all);
        list_others(model, &list, all);
        qsort(all->kernels, (size_t)all->kernel_count, sizeof *all->kernels, by_weight);
        all->input_count = merge(all->inputs, all->input_count);
        qsort(all->inputs, (size_t)all->input_count, sizeof *all->inputs, by_share);
        code = selections_collect(s, model, all);
    }
    free(list.share);
    free(list.known);
    return code;
}

void importances_free(importances *all)
{
    free(all->kernels);
    free(all->inputs);
    *all = (importances){0};
}

double rest_of_shares(const importance *items, int64_t shown, int64_t count)
{
    double sum = 0.0;
    for (int64_t i = shown; i < count; i++) sum += items[i].share;
    return sum;
}

double percent(double share)
{
    return fabs(share) < 5e-4 ? 0.0 : 100.0 * share;
}

const char *share_of_what(const importances *all)
{
    if (all->unknown) return "of the variance, which is not known";
    if (all->of_predictions) return "of the variance of left-out predictions";
    return all->on_left_out ? "of the variance of left-out rows"
                            : "of the variance of the fit on training rows";
}

share_words share_heading(const importances *all)
{
    share_words made;
    snprintf(made.text, sizeof made.text, "%s", share_of_what(all));
    if (all->on_left_out && !all->of_predictions)
        snprintf(made.text, sizeof made.text, "%s; they explain %.1f%% in all", share_of_what(all),
                 percent(all->sum));
    return made;
}
