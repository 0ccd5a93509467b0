/* What each column of a table was taken for: target, input of some kind, or left out. */
#include "cli/learn/columns_report.h"

#include <inttypes.h>
#include <string.h>

typedef struct column_found {
    const char *name;
    const char *role;
    const char *why; /* left out by the plan: the reason; else NULL */
    rls2_column_kind kind;
    int64_t values;
    int64_t missing;
} column_found;

static const char *kind_word(rls2_column_kind kind)
{
    static const char *const WORDS[] = {"numbers", "categories", "dates"};
    return WORDS[kind];
}

static int is_one_of(const char *name, const char *const *names, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return 1;
    return 0;
}

static int is_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* What is not an input, and not left out by the plan. */
static const char *role_of(const rls2_plan *plan, const rls2_table *table, const char *name)
{
    const rls2_dataset_options *options = rls2_plan_dataset_options(plan);
    if (is_same(name, options->target) || is_one_of(name, options->targets, options->target_count))
        return "target";
    if (is_same(name, options->row_weights)) return "row weights";
    return is_same(name, rls2_table_row_names(table)) ? "row names" : "left out";
}

/* Inputs and columns left out stand in the order of the table: these are the next of them. */
typedef struct places {
    int64_t input, left_out;
} places;

static column_found find_column(const rls2_plan *plan, int64_t column, places *at)
{
    const rls2_table *table = rls2_plan_table(plan, RLS2_PART_TRAINING);
    const rls2_dataset *data = rls2_plan_data(plan, RLS2_PART_TRAINING);
    column_found made = {.name = rls2_table_column_name(table, column)};
    made.kind = rls2_table_kind(table, column);
    made.values = rls2_table_distinct(table, column, INT64_MAX);
    made.missing = rls2_table_missing(table, column);
    if (is_same(made.name, rls2_dataset_input_name(data, at->input))) {
        made.role = "input";
        made.kind = rls2_dataset_input_kind(data, at->input++); /* numbers may be categories */
    } else if (is_same(made.name, rls2_plan_left_out(plan, at->left_out, &made.why))) {
        made.role = "left out";
        at->left_out++;
    } else {
        made.role = role_of(plan, table, made.name);
        made.why = NULL;
    }
    if (strcmp(made.role, "target") == 0 && rls2_dataset_is_classification(data))
        made.kind = RLS2_COLUMN_TEXT;
    return made;
}

static void print_column(FILE *file, const column_found *found, int width)
{
    int is_input = strcmp(found->role, "input") == 0;
    fputs("  ", file);
    print_padded(file, -width, 1, found->name);
    fprintf(file, "  %s", is_input ? kind_word(found->kind) : found->role);
    if (strcmp(found->role, "target") == 0)
        fprintf(file, ": %s", found->kind == RLS2_COLUMN_TEXT ? "classes" : kind_word(found->kind));
    if (found->why) print_names(file, ": %s", found->why);
    if (found->kind == RLS2_COLUMN_TEXT && strcmp(found->role, "left out") != 0)
        fprintf(file, " (%" PRId64 ")", found->values);
    if (found->missing > 0) fprintf(file, "; %" PRId64 " missing", found->missing);
    fputc('\n', file);
}

void columns_print(FILE *file, const rls2_plan *plan)
{
    enum { MOST = 100, WIDEST = 30 };
    const rls2_table *table = rls2_plan_table(plan, RLS2_PART_TRAINING);
    int64_t count = rls2_table_columns(table), shown = count < MOST ? count : MOST;
    int width = 0;
    places at = {0};
    for (int64_t j = 0; j < shown; j++) {
        int own = text_width(rls2_table_column_name(table, j));
        if (own > width) width = own < WIDEST ? own : WIDEST;
    }
    fputs("columns\n", file);
    for (int64_t j = 0; j < shown; j++) {
        column_found found = find_column(plan, j, &at);
        print_column(file, &found, width);
    }
    if (shown < count) fprintf(file, "  ... and %" PRId64 " more\n", count - shown);
}

void columns_put(json *j, const rls2_plan *plan)
{
    int64_t count = rls2_table_columns(rls2_plan_table(plan, RLS2_PART_TRAINING));
    places at = {0};
    json_array(j, "columns");
    for (int64_t i = 0; i < count; i++) {
        column_found found = find_column(plan, i, &at);
        json_object(j, NULL);
        json_text(j, "name", found.name);
        json_text(j, "role", found.role);
        json_text(j, "kind", kind_word(found.kind));
        json_integer(j, "values", found.values);
        json_integer(j, "missing", found.missing);
        if (found.why) json_text(j, "why", found.why);
        json_end_object(j);
    }
    json_end_array(j);
}
