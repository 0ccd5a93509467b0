/* Slips in data and options that can be guessed from the table. */
#include "cli/learn/hint.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/learn/describe.h"

int is_listed(const char *name, const char *const *names, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return 1;
    return 0;
}

int stands_for_missing(const char *text)
{
    static const char *const WORDS[] = {"NA",   "N/A",  "na",   "n/a", "NaN", "nan",
                                        "NULL", "null", "None", "?",   "-",   "."};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (strcmp(text, WORDS[i]) == 0) return 1;
    return 0;
}

const char *first_cell(const rls2_table *table, int64_t column, int (*fits)(const char *))
{
    for (int64_t i = 0; i < rls2_table_rows(table); i++) {
        const char *cell = rls2_table_cell(table, i, column);
        if (*cell && fits(cell)) return cell;
    }
    return NULL;
}

int has_decimal_comma(const char *text)
{
    text += *text == '-' || *text == '+';
    size_t before = strspn(text, "0123456789");
    if (text[before] != ',') return 0;
    size_t after = strspn(text + before + 1, "0123456789");
    return before + after > 0 && text[before + 1 + after] == '\0';
}

int is_decimal_column(const settings *s, const rls2_table *table, int64_t column)
{
    if (strcmp(asked(s, "decimal"), ".") != 0) return 0; /* else it was looked for */
    return !rls2_table_is_numeric(table, column) && first_cell(table, column, has_decimal_comma);
}

void hint_reading(const settings *s, const rls2_error *err)
{
    if (strstr(err->message, "is not a number"))
        say(s, "  a model does not remember all of how its file was read: give --na, --decimal and "
               "the like again");
}

/* -t PRP,ERP where the parts are columns: "-t PRP -t ERP". 1 if it was said. */
static int hint_list(const settings *s, const rls2_table *table, const char *wanted)
{
    char parts[256], said[512] = "", *rest = NULL;
    size_t used = 0;
    if (!strchr(wanted, ',') || strlen(wanted) >= sizeof parts) return 0;
    strcpy(parts, wanted);
    for (char *word = strtok_r(parts, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        word += strspn(word, " ");
        if (rls2_table_find(table, word) < 0 || used + strlen(word) + 8 > sizeof said) return 0;
        used +=
            (size_t)snprintf(said + used, sizeof said - used, "%s-t %s", used > 0 ? " " : "", word);
    }
    say(s, "  several targets are named one by one: %s", said);
    return 1;
}

/* -t y where y has several columns. 1 if it was said. */
static int hint_columns(const settings *s, const rls2_table *table, const char *wanted)
{
    const char *const *names;
    int64_t count = rls2_table_targets(table, &names);
    if (count < 2 || strcasecmp(wanted, "y") != 0) return 0;
    say(s, "  the columns of y are called %s; without -t all of them are predicted",
        name_list_text(count, names).text);
    return 1;
}

/* A target that does not exist may stand for several. 1 if something was said. */
static int hint_targets(const settings *s, const rls2_table *table)
{
    const char *wanted;
    for (int64_t t = 0; (wanted = asked_item(s, "target", t)); t++) {
        if (rls2_table_find(table, wanted) >= 0) continue;
        if (hint_list(s, table, wanted) || hint_columns(s, table, wanted)) return 1;
    }
    return 0;
}

void hint_data(const settings *s, const rls2_table *table, const rls2_error *err)
{
    const rls2_dataset_options *options = rls2_plan_dataset_options(s->plan);
    if (rls2_plan_data(s->plan, RLS2_PART_TRAINING) || err->status == RLS2_ERR_ARGUMENT) return;
    if (err->status == RLS2_ERR_NAME) {
        if (hint_targets(s, table) || strstr(err->message, "the columns are")) return;
        say(s, "  the columns are %s", column_list(table).text);
        if (strcmp(asked(s, "header"), "no") != 0 && strcmp(rls2_table_format(table), "CSV") == 0 &&
            rls2_table_columns(table) > 1)
            say(s,
                "  (--no-header if the first line holds data; the columns are then x1, x2, ...)");
        return;
    }
    for (int64_t j = 0; j < rls2_table_columns(table); j++) {
        const char *name = rls2_table_column_name(table, j);
        if (rls2_table_is_numeric(table, j)) continue;
        if (options && is_listed(name, options->drop, options->drop_count)) continue;
        if (is_decimal_column(s, table, j)) {
            say(s, "  numbers such as '%s' in column '%s' are read with --decimal ,",
                first_cell(table, j, has_decimal_comma), name);
            return;
        }
    }
    if (strstr(err->message, "is not a number"))
        say(s, "  --na TEXT reads cells of that text as missing (the usual words, NA and the like, "
               "must then be named too); --categorical COLUMN takes a column as text, "
               "--task classification the target");
}
