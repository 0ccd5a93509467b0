/* What a model says about kernels and features, as bars. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/plot.h"

/* A bar before it is one. */
typedef struct item {
    const char *name; /* NULL: all that are not shown */
    int together;     /* 1: several inputs, and the name is not that of one */
    double weight, share;
} item;

static int by_weight(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int by_share(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->share != y->share) return x->share > y->share ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* A column may be called "all". */
static int by_name(const void *a, const void *b)
{
    const item *x = a, *y = b;
    return x->together != y->together ? x->together - y->together : strcmp(x->name, y->name);
}

/* What a kernel looks at: the one input, or else what stands behind the '@' of its name, "all" for
 * instance. What several inputs do together is not divided among them. */
static const char *looks_at(const rls2_model *m, int64_t k, int *together)
{
    const int64_t *columns;
    int64_t count = rls2_model_kernel_columns(m, k, &columns),
            input = count > 0 ? rls2_model_input_of(m, columns[0]) : -1;
    for (int64_t i = 1; i < count && input >= 0; i++)
        if (rls2_model_input_of(m, columns[i]) != input) input = -1;
    *together = input < 0 && count > 0;
    if (input >= 0) return rls2_model_input_name(m, input);
    const char *name = rls2_model_kernel_name(m, k), *at = strchr(name, '@');
    return at && at[1] ? at + 1 : name;
}

/* Items of one name become one. */
static int64_t merge(item *items, int64_t count)
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
    }
    return kept;
}

/* Beyond the top all others are summed in the last item. */
static int64_t cut(item *items, int64_t count, int64_t top)
{
    if (count <= top) return count;
    for (int64_t i = top; i < count; i++) {
        items[top - 1].weight += items[i].weight;
        items[top - 1].share += items[i].share;
    }
    items[top - 1].name = NULL;
    items[top - 1].together = 0;
    return top;
}

static char *bar_label(const settings *s, const item *one, int64_t others)
{
    char *text = NULL, *label = NULL;
    int length = one->name ? asprintf(&text, "%s%s", one->name, one->together ? " (together)" : "")
                           : asprintf(&text, "(%lld others)", (long long)others);
    if (length < 0) return NULL;
    label = picture_text(s, text);
    free(text);
    return label;
}

static int add_bars(const settings *s, const item *items, int64_t count, int64_t others, picture *p)
{
    int with_weight = p->kind == PICTURE_KERNELS;
    p->points = count;
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

static int gather(const settings *s, const rls2_model *m, picture_kind kind, item *items)
{
    rls2_error err;
    int64_t count = rls2_model_size(m);
    double *share = calloc((size_t)count + 1, sizeof *share);
    if (!share) return out_of_memory(s);
    rls2_status status = rls2_model_shares(m, share, NULL, &err);
    for (int64_t k = 0; k < count && status == RLS2_OK; k++) {
        item *one = &items[k];
        *one = (item){.weight = rls2_model_weight(m, k), .share = share[k]};
        one->name = kind == PICTURE_KERNELS ? rls2_model_kernel_name(m, k) : looks_at(m, k, &one->together);
    }
    free(share);
    return status == RLS2_OK ? EXIT_OK : fail(s, &err);
}

int picture_of_model(const settings *s, picture_kind kind, const void *model, picture *p)
{
    const rls2_model *m = model;
    int64_t all = rls2_model_size(m), top = s->top > 0 ? s->top : INT64_MAX;
    int code = picture_start(s, kind, p);
    if (code != EXIT_OK) return code;
    if (all <= 0) {
        say_error(s, "%s: the model has no kernels", s->argument[0]);
        return EXIT_FAILED;
    }
    item *items = calloc((size_t)all, sizeof *items);
    if (!items) return out_of_memory(s);
    code = gather(s, m, kind, items);
    if (code == EXIT_OK) {
        if (kind == PICTURE_FEATURES) all = merge(items, all);
        qsort(items, (size_t)all, sizeof *items, kind == PICTURE_KERNELS ? by_weight : by_share);
        int64_t count = cut(items, all, top);
        code = add_bars(s, items, count, all - count + 1, p);
    }
    free(items);
    return code;
}
