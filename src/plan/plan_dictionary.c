/* The dictionary where none is asked for.
 *
 * The paper's 13 kernels for each column of numbers. On a column of two values they all say the
 * same, a step, so it has one linear kernel; and so have the indicators of a column of categories,
 * together. On all columns together stand the paper's 13 in any case. Where there are only numbers
 * that is the preset `paper`. Where there are hundreds of inputs or thousands of rows it is
 * `linear`: with other kernels a fit takes time that grows with the cube of the rows. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dictionary/dictionary_text.h"
#include "plan/plan.h"
#include "plan/plan_method.h"
#include "plan/plan_source.h"
#include "stats/stats.h"
#include "plan/plan_groups.h"

enum { MANY_INPUTS = 200, MANY_ROWS = 3000, MOST_PAIRS = 8 };

typedef struct text {
    char *bytes;
    int64_t used, room;
} text;

/* What the inputs are, and the text as it grows. */
#define LEARNED "; rbf(learn)@all; matern(2.5,learn)@all"
static const char AND_LEARNED[] = ", two with learned widths";

typedef struct draft {
    const rls2_dataset *data;
    int64_t numbers, two_valued, categories; /* columns of x; the last are inputs */
    int64_t pair_count;                      /* that say more together than apart */
    rls2__input_pair pairs[MOST_PAIRS];
    int64_t group_count; /* that say more still */
    rls2__input_group groups[RLS2__MOST_GROUPS];
    const rls2__features *counted; /* rows were counted for these; NULL: for none, or not yet */
    int learns;                    /* are there kernels with learned widths? */
    text text;
} draft;

static int has_two_values(const rls2_dataset *data, int64_t column)
{
    int64_t n = rls2_dataset_rows(data), i = 1, k;
    const double *x = rls2_dataset_x(data) + column * n;
    while (i < n && x[i] == x[0]) i++;
    for (k = i; k < n && (x[k] == x[0] || x[k] == x[i]);) k++;
    return k >= n; /* or one */
}

static int is_text(const draft *d, int64_t input)
{
    return rls2_dataset_input_kind(d->data, input) == RLS2_COLUMN_TEXT;
}

static void count_inputs(draft *d)
{
    for (int64_t k = 0; k < rls2_dataset_input_count(d->data); k++) {
        int64_t first, width = rls2_dataset_input_columns(d->data, k, &first);
        d->categories += is_text(d, k) && width > 0;
        for (int64_t j = first; j < first + width && !is_text(d, k); j++) {
            int two = has_two_values(d->data, j);
            d->two_valued += two;
            d->numbers += !two;
        }
    }
}

/* ---- the text ---- */

static void put(text *t, const char *word)
{
    t->used += snprintf(t->bytes + t->used, (size_t)(t->room - t->used), "%s", word);
}

static void put_name(text *t, const char *name)
{
    t->used += rls2__name_write(name, (int64_t)strlen(name), t->bytes + t->used);
}

/* Each name is written three times at most, with its kernel. */
static int64_t room_for(const draft *d)
{
    const char *const *names = rls2_dataset_names(d->data);
    int64_t room = 192;
    for (int64_t j = 0; j < rls2_dataset_columns(d->data); j++)
        room += 3 * (2 * (int64_t)strlen(names[j]) + 16);
    for (int64_t t = 0; t < d->pair_count; t++)
        room += 32 + 2 * (int64_t)strlen(rls2_dataset_input_name(d->data, d->pairs[t].first)) +
                2 * (int64_t)strlen(rls2_dataset_input_name(d->data, d->pairs[t].second));
    for (int64_t t = 0; t < d->group_count; t++) {
        room += 32;
        for (int64_t k = 0; k < d->groups[t].count; k++)
            room +=
                2 + 2 * (int64_t)strlen(rls2_dataset_input_name(d->data, d->groups[t].inputs[k]));
    }
    for (int64_t b = 0; d->counted && b < d->counted->count; b++)
        room += 2 + (int64_t)strlen(d->counted->all[b].kernel.name);
    return room;
}

/* "KERNEL@all,each:a+b", its columns being those of more than two numbers. */
static void put_paper(draft *d, const char *kernel)
{
    const char *before = ",each:";
    put(&d->text, kernel);
    put(&d->text, "@all");
    for (int64_t k = 0; k < rls2_dataset_input_count(d->data); k++) {
        int64_t first, width = rls2_dataset_input_columns(d->data, k, &first);
        for (int64_t j = first; j < first + width && !is_text(d, k); j++) {
            if (has_two_values(d->data, j)) continue;
            put(&d->text, before);
            put_name(&d->text, rls2_dataset_names(d->data)[j]);
            before = "+";
        }
    }
}

static void put_linear(draft *d, const char *name)
{
    put(&d->text, "; linear@");
    put_name(&d->text, name);
}

/* The name of a column of categories stands for all its indicators. */
static void put_others(draft *d)
{
    for (int64_t k = 0; k < rls2_dataset_input_count(d->data); k++) {
        int64_t first, width = rls2_dataset_input_columns(d->data, k, &first);
        if (is_text(d, k) && width > 0) put_linear(d, rls2_dataset_input_name(d->data, k));
        for (int64_t j = first; j < first + width && !is_text(d, k); j++)
            if (has_two_values(d->data, j)) put_linear(d, rls2_dataset_names(d->data)[j]);
    }
}

/* Is the kernel of the pair that of a group? */
static int is_group(const draft *d, const rls2__input_pair *pair, double gamma)
{
    for (int64_t t = 0; t < d->group_count; t++) {
        const rls2__input_group *group = &d->groups[t];
        if (group->count == 2 && group->gamma == gamma && group->inputs[0] == pair->first &&
            group->inputs[1] == pair->second)
            return 1;
    }
    return 0;
}

/* "; rbf(0.1|1)@a+b" for each pair, but what is a group. */
static void put_pairs(draft *d)
{
    for (int64_t t = 0; t < d->pair_count; t++) {
        const rls2__input_pair *pair = &d->pairs[t];
        put(&d->text, is_group(d, pair, 0.1)   ? "; rbf(1)@"
                      : is_group(d, pair, 1.0) ? "; rbf(0.1)@"
                                               : "; rbf(0.1|1)@");
        put_name(&d->text, rls2_dataset_input_name(d->data, pair->first));
        put(&d->text, "+");
        put_name(&d->text, rls2_dataset_input_name(d->data, pair->second));
    }
}

/* "; rbf(0.03)@a+b+c" for each group. */
static void put_groups(draft *d)
{
    char gamma[32];
    for (int64_t t = 0; t < d->group_count; t++) {
        const rls2__input_group *group = &d->groups[t];
        snprintf(gamma, sizeof gamma, "; rbf(%g)@", group->gamma);
        put(&d->text, gamma);
        for (int64_t k = 0; k < group->count; k++) {
            if (k > 0) put(&d->text, "+");
            put_name(&d->text, rls2_dataset_input_name(d->data, group->inputs[k]));
        }
    }
}

/* The dictionary has kernels of all columns in any case. */
static int is_of_all(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, "@all") == 0;
}

/* "; NAME" of kernels that rows were counted for: a name is a term. */
static void put_counted(draft *d)
{
    for (int64_t b = 0; d->counted && b < d->counted->count; b++) {
        const char *name = d->counted->all[b].kernel.name;
        if (is_of_all(name)) continue;
        put(&d->text, "; ");
        put(&d->text, name);
    }
}

static const char *write_text(rls2_plan *plan, draft *d)
{
    d->text.room = room_for(d);
    d->text.bytes = rls2__arena_alloc(plan->arena, d->text.room);
    if (!d->text.bytes) return NULL;
    put_paper(d, "poly(1..3)");
    put(&d->text, "; ");
    put_paper(d, "rbf(1e-3:1e3:10)");
    put_others(d);
    put_pairs(d);
    put_groups(d);
    put_counted(d);
    if (d->learns) put(&d->text, LEARNED);
    return d->text.bytes;
}

/* ---- notes ---- */

/* ", and the matrix 'a'" into the text, "" where none is given. */
static void name_matrices(const rls2_plan *plan, char *matrices, size_t size)
{
    size_t used = 0;
    matrices[0] = '\0';
    for (int64_t g = 0; g < plan->matrix_count && used < size; g++)
        used += (size_t)snprintf(matrices + used, size - used, "%s'%s'",
                                 g > 0                     ? ", "
                                 : plan->matrix_count == 1 ? ", and the matrix "
                                                           : ", and the matrices ",
                                 plan->matrices[g].name);
}

/* ", 13 on each of 5 numeric columns"; "" where there are none. */
typedef struct phrase {
    char text[96];
} phrase;

static phrase phrase_of(const char *kernels, int64_t count, const char *kind)
{
    phrase made = {""};
    if (count == 1) snprintf(made.text, sizeof made.text, ", %s on the %s column", kernels, kind);
    if (count > 1)
        snprintf(made.text, sizeof made.text, ", %s on each of %" PRId64 " %s columns", kernels,
                 count, kind);
    return made;
}

typedef struct listed {
    char text[256];
    size_t used;
} listed;

/* "a+b+c", after a comma where it is not the first */
static void list_inputs(const draft *d, int64_t count, const int64_t *inputs, listed *to)
{
    const char *before = to->used > 0 ? ", " : "";
    for (int64_t k = 0; k < count && to->used < sizeof to->text; k++, before = "+")
        to->used += (size_t)snprintf(to->text + to->used, sizeof to->text - to->used, "%s%.40s",
                                     before, rls2_dataset_input_name(d->data, inputs[k]));
}

/* "pairs of inputs that say more together: a+b, a+c; and as groups: a+b+c" */
static void note_together(rls2_plan *plan, const draft *d)
{
    listed pairs = {.used = 0}, groups = {.used = 0};
    for (int64_t t = 0; t < d->pair_count; t++)
        list_inputs(d, 2, (const int64_t[]){d->pairs[t].first, d->pairs[t].second}, &pairs);
    for (int64_t t = 0; t < d->group_count; t++)
        list_inputs(d, d->groups[t].count, d->groups[t].inputs, &groups);
    if (d->pair_count > 0)
        rls2__plan_say(plan,
                       "inputs that say more together than apart have kernels of their own: %s%s%s",
                       pairs.text, d->group_count > 0 ? "; most of all " : "", groups.text);
}

static void note_mixed(rls2_plan *plan, const draft *d, const char *matrices)
{
    rls2__plan_say(plan, "kernels: the default, 13 on all columns together%s%s%s%s%s",
                   phrase_of("13", d->numbers, "numeric").text,
                   phrase_of("one", d->two_valued, "two-valued").text,
                   phrase_of("one", d->categories, "categorical").text,
                   d->learns ? AND_LEARNED : "", matrices);
}

static rls2_status find_together(rls2_plan *plan, draft *d)
{
    int standardized = plan->recipe.preprocessing.features == RLS2_NORMALIZE_STANDARDIZE;
    if (rls2_dataset_rows(d->data) <= MANY_ROWS) return RLS2_OK;
    rls2_status status = rls2__find_pairs(d->data, MOST_PAIRS, d->pairs, &d->pair_count);
    if (status == RLS2_OK)
        status = rls2__find_groups(d->data, standardized, d->pair_count, d->pairs, d->groups,
                                   &d->group_count);
    plan->wanted_kernels = d->group_count;
    return status;
}

/* Where few columns could be told apart by width there is nothing to learn; the tall way has no
 * widths. */
static int learns(const rls2_plan *plan, int64_t inputs)
{
    return !plan->asked.plain && !plan->source && inputs > 1 &&
           plan->asked.method != RLS2__METHOD_TALL &&
           rls2_dataset_rows(plan->train.data) <= MANY_ROWS;
}

const char *rls2__plan_default_dictionary(rls2_plan *plan)
{
    draft d = {.data = plan->train.data};
    char matrices[256];
    int64_t inputs = rls2_dataset_input_count(d.data);
    name_matrices(plan, matrices, sizeof matrices);
    if (rls2_dataset_columns(d.data) == 0) {
        rls2__plan_say(plan, "kernels: the matrix given");
        return "";
    }
    if (inputs > MANY_INPUTS) {
        rls2__plan_say(plan, "kernels: linear, the default for %" PRId64 " inputs%s", inputs,
                       matrices);
        return "linear";
    }
    if (rls2_dataset_rows(d.data) > MANY_ROWS && !rls2__plan_may_be_tall(plan)) {
        rls2__plan_say(plan,
                       "kernels: linear, the default for more than %d rows%s; %s paper learns "
                       "curves too, in time that grows with the cube of the rows",
                       MANY_ROWS, matrices, rls2__plan_name(plan, "kernels").text);
        return "linear";
    }
    count_inputs(&d);
    d.learns = learns(plan, inputs);
    if (plan->source && plan->source->stats)
        d.counted = plan->source->stats->features;
    else if (find_together(plan, &d) != RLS2_OK)
        return NULL;
    note_together(plan, &d);
    if (d.two_valued + d.categories + d.pair_count > 0 || d.counted) {
        note_mixed(plan, &d, matrices);
        return write_text(plan, &d);
    }
    rls2__plan_say(plan, "kernels: %s, the default%s%s", d.learns ? "those of the paper" : "paper",
                   d.learns ? AND_LEARNED : "", matrices);
    return d.learns ? "paper" LEARNED : "paper";
}
