#include "cli/learn/row_split.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/learn/describe.h"

int no_such_column(const settings *s, const rls2_table *table, const char *option, const char *name,
                   size_t length)
{
    say_error(s, "%s: there is no column '%.*s'; the columns are %s", option, (int)length, name,
              column_list(table).text);
    return EXIT_USAGE;
}

/* COLUMN and VALUE of the rule; a column's name may itself contain '='. */
static const char *rule_value(const rls2_table *table, const char *rule, char *column, size_t size)
{
    for (const char *equals = strchr(rule, '='); equals; equals = strchr(equals + 1, '=')) {
        size_t length = (size_t)(equals - rule);
        if (length >= size) return NULL; /* such a long name is not to be found either */
        memcpy(column, rule, length);
        column[length] = '\0';
        if (rls2_table_find(table, column) >= 0) return equals + 1;
    }
    return NULL;
}

static int is_asked_for(const settings *s, const char *column)
{
    for (int64_t t = 0; t < s->target.count; t++)
        if (strcmp(s->target.items[t], column) == 0) return 1;
    return 0;
}

/* The rule COLUMN=VALUE of an option taken apart. */
static int read_rule(const settings *s, const rls2_table *table, const char *option,
                     const char *rule, char *column, size_t size, const char **value)
{
    *value = rule_value(table, rule, column, size);
    if (!*value && !strchr(rule, '=')) {
        say_error(s, "%s '%s' should be COLUMN=VALUE", option, rule);
        return EXIT_USAGE;
    }
    if (!*value) return no_such_column(s, table, option, rule, strcspn(rule, "="));
    if (!is_asked_for(s, column)) return EXIT_OK;
    say_error(s, "%s: column '%s' is the target", option, column);
    return EXIT_USAGE;
}

/* Moves those of the kept rows that hold the value to `out`; some must be, and some must stay. */
static int move_rows(const settings *s, const rls2_table *table, const char *what,
                     const char *column, const char *value, row_split *split, int64_t *out,
                     int64_t *out_count)
{
    int64_t before = split->kept_count, stay = 0, number = rls2_table_find(table, column);
    for (int64_t i = 0; i < before; i++) {
        if (rls2_table_holds(table, split->kept[i], number, value))
            out[(*out_count)++] = split->kept[i];
        else
            split->kept[stay++] = split->kept[i];
    }
    split->kept_count = stay;
    if (*out_count > 0 && stay > 0) return EXIT_OK;
    say_error(s, "%s rows: %s of the %" PRId64 " rows %s '%s' in column '%s'", what,
              *out_count == 0 ? "none" : "all", before, *out_count == 0 ? "has" : "have", value,
              column);
    return EXIT_FAILED;
}

static int keep_all(const settings *s, const rls2_table *table, row_split *split)
{
    size_t rows = (size_t)rls2_table_rows(table);
    split->kept = calloc(rows + 1, sizeof *split->kept);
    split->marked = calloc(rows + 1, sizeof *split->marked);
    split->validating = calloc(rows + 1, sizeof *split->validating);
    if (!split->kept || !split->marked || !split->validating) return out_of_memory(s);
    for (size_t i = 0; i < rows; i++) split->kept[i] = (int64_t)i;
    split->kept_count = (int64_t)rows;
    return EXIT_OK;
}

static int split_test(const settings *s, const rls2_table *table, row_split *split)
{
    const char *marker = rls2_table_marker(table), *value = NULL;
    int code = EXIT_OK;
    if (s->test_rows) {
        code = read_rule(s, table, "--test-rows", s->test_rows, split->column, sizeof split->column,
                         &value);
    } else if (marker) {
        snprintf(split->column, sizeof split->column, "%s", marker);
        value = "1";
    }
    if (code != EXIT_OK || !value) return code;
    return move_rows(s, table, "test", split->column, value, split, split->marked,
                     &split->marked_count);
}

static int split_validation(const settings *s, const rls2_table *table, row_split *split)
{
    const char *value = NULL;
    if (!s->validation_rows) return EXIT_OK;
    int code = read_rule(s, table, "--validation-rows", s->validation_rows,
                         split->validation_column, sizeof split->validation_column, &value);
    if (code != EXIT_OK) return code;
    return move_rows(s, table, "validation", split->validation_column, value, split,
                     split->validating, &split->validating_count);
}

int split_rows(const settings *s, const rls2_table *table, row_split *split)
{
    *split = (row_split){0};
    int code = keep_all(s, table, split);
    if (code == EXIT_OK) code = split_test(s, table, split);
    if (code == EXIT_OK) code = split_validation(s, table, split);
    return code;
}

void split_free(row_split *split)
{
    free(split->kept);
    free(split->marked);
    free(split->validating);
    *split = (row_split){0};
}
