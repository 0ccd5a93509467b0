/* The training rows: which columns are targets, weights and inputs, and whether the target is
 * classes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/learn/data.h"
#include "cli/learn/describe.h"

/* Names of columns left out, beyond those of --drop. */
typedef struct name_list {
    const char **items;
    int64_t count;
} name_list;

static void add_name(name_list *list, const char *name)
{
    for (int64_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], name) == 0) return;
    list->items[list->count++] = name;
}

/* The table's own text of the name outlives the rule's. */
static void add_column(name_list *list, const rls2_table *table, const char *name)
{
    int64_t column = rls2_table_find(table, name);
    if (column >= 0) add_name(list, rls2_table_column_name(table, column));
}

/* Of y1, y2, ... those that are not asked for are no inputs for the one that is. */
static void add_other_targets(const rls2_table *table, const rls2_dataset_options *options,
                              name_list *list)
{
    const char *const *names;
    int64_t count = rls2_table_targets(table, &names), asked = 0;
    for (int64_t t = 0; t < count; t++) asked += is_target(options, names[t]);
    for (int64_t t = 0; t < count && asked > 0; t++)
        if (!is_target(options, names[t])) add_name(list, names[t]);
}

/* --drop, the columns that mark test and validation rows, targets by the convention of the format
 * that are not asked for, and the columns of a precomputed kernel. */
static int dropped_columns(const settings *s, const rls2_table *table,
                           const rls2_dataset_options *options, const row_split *split,
                           name_list *list)
{
    int64_t columns = rls2_table_columns(table);
    const char *marker = rls2_table_marker(table);
    list->count = 0;
    list->items = calloc((size_t)(columns + s->drop.count + 4), sizeof *list->items);
    if (!list->items) return out_of_memory(s);
    for (int64_t i = 0; i < s->drop.count; i++) add_name(list, s->drop.items[i]);
    add_column(list, table, split->column);
    add_column(list, table, split->validation_column);
    if (s->fold_column) add_name(list, s->fold_column);
    if (marker) add_name(list, marker);
    add_other_targets(table, options, list);
    if (!rls2_table_is_precomputed(table)) return EXIT_OK;
    for (int64_t j = 0; j < columns; j++) {
        const char *name = rls2_table_column_name(table, j);
        int is_weight = options->weight && strcmp(name, options->weight) == 0;
        if (!is_target(options, name) && !is_weight) add_name(list, name);
    }
    return EXIT_OK;
}

int is_target(const rls2_dataset_options *options, const char *name)
{
    for (int64_t t = 0; t < options->target_count; t++)
        if (strcmp(options->targets[t], name) == 0) return 1;
    return options->target && strcmp(options->target, name) == 0;
}

/* --target, or what the format has by convention. */
static void set_targets(const settings *s, const rls2_table *table, rls2_dataset_options *options)
{
    const char *const *names = s->target.items;
    int64_t count = s->target.count > 0 ? s->target.count : rls2_table_targets(table, &names);
    if (count == 1) options->target = names[0];
    if (count > 1) {
        options->targets = names;
        options->target_count = count;
    }
}

static int no_target(const settings *s, const rls2_table *table)
{
    say_error(s, "--target is needed: which column is to be predicted? The columns are %s",
              column_list(table).text);
    return EXIT_USAGE;
}

/* A text target, or two different numbers, are classes. */
static int infer_classes(const settings *s, const rls2_table *table, const char *target)
{
    int64_t column = target ? rls2_table_find(table, target) : -1;
    if (strcmp(s->task, "regression") == 0) return 0;
    if (strcmp(s->task, "classification") == 0) return 1;
    if (column < 0) return -1;
    if (!rls2_table_is_numeric(table, column)) return -1; /* the library tells texts from slips */
    return rls2_table_distinct(table, column, 3) == 2;
}

static int check_task(const settings *s, const rls2_dataset_options *options)
{
    if (!options->targets || strcmp(s->task, "classification") != 0) return EXIT_OK;
    say_error(s, "--task classification takes one target, and there are %" PRId64,
              options->target_count);
    return EXIT_USAGE;
}

static int check_fold_column(const settings *s, const rls2_table *table)
{
    if (!s->fold_column || rls2_table_find(table, s->fold_column) >= 0) return EXIT_OK;
    return no_such_column(s, table, "--fold-column", s->fold_column, strlen(s->fold_column));
}

int create_training(const settings *s, problem *p, const row_split *split)
{
    const rls2_table *table = p->train.table;
    rls2_error err;
    name_list drop = {0};
    rls2_dataset_options *options = &p->options;
    *options = rls2_dataset_options_default();
    set_targets(s, table, options);
    options->weight = s->weights;
    if (!options->target && !options->targets && strcmp(s->command, "kernels") != 0)
        return no_target(s, table);
    int code = check_task(s, options);
    if (code == EXIT_OK) code = check_fold_column(s, table);
    if (code == EXIT_OK) code = dropped_columns(s, table, options, split, &drop);
    if (code != EXIT_OK) return code;
    options->drop = p->dropped = drop.items;
    options->drop_count = drop.count;
    options->categorical = s->categorical.items;
    options->categorical_count = s->categorical.count;
    options->reference = s->reference;
    options->drop_missing = strcmp(s->missing, "error") != 0;
    options->classify = options->targets ? 0 : infer_classes(s, table, options->target);
    if (rls2_dataset_create(table, options, &p->train.data, &err) == RLS2_OK) {
        describe_data(s, table, options, p->train.data,
                      split->column[0] || split->validation_column[0]);
        return EXIT_OK;
    }
    code = fail(s, &err);
    hint_data(s, table, options, &err);
    return err.status == RLS2_ERR_NAME || err.status == RLS2_ERR_ARGUMENT ? EXIT_USAGE : code;
}
