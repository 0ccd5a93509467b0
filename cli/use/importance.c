/* Weights and shares of kernels, merged over outputs and inputs, and sorted. */
#include "cli/use/importance.h"

#include <stdlib.h>
#include <string.h>

static int by_weight(const void *a, const void *b)
{
    const importance *x = a, *y = b;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int by_share(const void *a, const void *b)
{
    const importance *x = a, *y = b;
    if (x->share != y->share) return x->share > y->share ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* A column may be called "all". */
static int by_name(const void *a, const void *b)
{
    const importance *x = a, *y = b;
    return x->together != y->together ? x->together - y->together : strcmp(x->name, y->name);
}

/* What a kernel looks at: the one input, or else what stands behind the '@' of its name. */
static const char *looks_at(const rls2_model *model, int64_t k, int *together)
{
    const int64_t *columns;
    int64_t count = rls2_model_kernel_columns(model, k, &columns);
    int64_t input = count > 0 ? rls2_model_input_of(model, columns[0]) : -1;
    for (int64_t i = 1; i < count && input >= 0; i++)
        if (rls2_model_input_of(model, columns[i]) != input) input = -1;
    *together = input < 0 && count > 0;
    if (input >= 0) return rls2_model_input_name(model, input);
    const char *name = rls2_model_kernel_name(model, k), *at = strchr(name, '@');
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
        items[kept - 1].kernels++;
    }
    return kept;
}

/* Means over the outputs, each of which has a part of the model's kernels, in the same order. */
static int mean_shares(const settings *s, const rls2_model *model, double *share, double *f)
{
    rls2_error err;
    rls2_status status = RLS2_OK;
    int64_t outputs = rls2_model_outputs(model), n = rls2_model_rows(model);
    double *own = calloc((size_t)rls2_model_kernel_count(model) + 1, sizeof *own);
    if (!own) return out_of_memory(s);
    for (int64_t o = 0; o < outputs && status == RLS2_OK; o++) {
        const rls2_model *one = rls2_model_output(model, o);
        int64_t place = 0;
        status = rls2_model_shares(one, NULL, own, f ? f + o * n : NULL, &err);
        for (int64_t k = 0; k < rls2_model_kernel_count(one) && status == RLS2_OK; k++) {
            while (rls2_model_kernel_index(model, place) < rls2_model_kernel_index(one, k)) place++;
            share[place] += own[k] / (double)outputs;
        }
    }
    free(own);
    return status == RLS2_OK ? EXIT_OK : fail(s, &err);
}

static int shares_of(const settings *s, const rls2_model *model, double *share, double *f)
{
    rls2_error err;
    if (rls2_model_outputs(model) > 1) return mean_shares(s, model, share, f);
    return rls2_model_shares(model, NULL, share, f, &err) == RLS2_OK ? EXIT_OK : fail(s, &err);
}

int importance_measure(const settings *s, const rls2_model *model, importance *kernels,
                       importance *inputs, int64_t *input_count, double *f)
{
    int64_t count = rls2_model_kernel_count(model);
    double *share = calloc((size_t)count + 1, sizeof *share);
    int code = share ? shares_of(s, model, share, f) : out_of_memory(s);
    for (int64_t k = 0; k < count && code == EXIT_OK; k++) {
        kernels[k] = (importance){.name = rls2_model_kernel_name(model, k),
                                  .weight = rls2_model_kernel_weight(model, k),
                                  .share = share[k],
                                  .kernels = 1,
                                  .place = k};
        inputs[k] = kernels[k];
        inputs[k].name = looks_at(model, k, &inputs[k].together);
    }
    free(share);
    if (code != EXIT_OK) return code;
    qsort(kernels, (size_t)count, sizeof *kernels, by_weight);
    *input_count = merge(inputs, count);
    qsort(inputs, (size_t)*input_count, sizeof *inputs, by_share);
    return EXIT_OK;
}
