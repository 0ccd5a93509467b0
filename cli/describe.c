#include "cli/describe.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/data.h"

enum { MAX_SHOWN = 8 };

shown_columns column_list(const rls2_table *table)
{
    shown_columns made = {.text = ""};
    size_t used = 0, room = sizeof made.text;
    int64_t columns = rls2_table_columns(table), shown = 0;
    for (; shown < columns && shown < MAX_SHOWN; shown++) {
        const char *name = rls2_table_column_name(table, shown);
        if (used + strlen(name) + 32 > room) break;
        used += (size_t)snprintf(made.text + used, room - used, "%s%s", shown > 0 ? ", " : "", name);
    }
    if (shown < columns) snprintf(made.text + used, room - used, ", ... (%" PRId64 " in all)", columns);
    return made;
}

static int is_listed(const char *name, const char *const *names, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return 1;
    return 0;
}

/* What the columns of the table have become. */
typedef struct roles {
    int64_t numeric;
    int64_t text;
    int64_t indicators;
    int64_t dropped;
} roles;

/* A text column that hardly repeats is a name or a number of the row, not a category. */
static void warn_identifier(const settings *s, const char *name, int64_t values, int64_t rows)
{
    if (rows < 10 || values * 2 <= rows) return;
    say(s,
        "  note: column '%s' has %" PRId64 " different texts in %s: an identifier? --drop '%s' leaves it out",
        name, values, count_of(rows, "row").text, name);
}

/* How many data columns are indicators of that column: their names are NAME=VALUE. */
static int64_t indicators_of(const rls2_dataset *data, const char *name)
{
    const char *const *names = rls2_dataset_names(data);
    size_t length = strlen(name);
    int64_t found = 0;
    for (int64_t j = 0; j < rls2_dataset_columns(data); j++)
        found += strncmp(names[j], name, length) == 0 && names[j][length] == '=';
    return found;
}

static roles count_roles(const settings *s, const rls2_table *table, const rls2_dataset_options *options,
                         const rls2_dataset *data)
{
    roles made = {0};
    for (int64_t j = 0; j < rls2_table_columns(table); j++) {
        const char *name = rls2_table_column_name(table, j);
        if (strcmp(name, options->target) == 0) continue;
        if (is_listed(name, options->drop, options->drop_count)) {
            made.dropped++;
        } else if (rls2_table_is_numeric(table, j) &&
                   !is_listed(name, options->categorical, options->categorical_count)) {
            made.numeric++;
        } else {
            int64_t values = indicators_of(data, name);
            made.text++;
            made.indicators += values;
            warn_identifier(s, name, values, rls2_dataset_rows(data));
        }
    }
    return made;
}

static void describe_target(const settings *s, const rls2_table *table, const rls2_dataset_options *options,
                            const rls2_dataset *data)
{
    int64_t column = rls2_table_find(table, options->target);
    int guessed = strcmp(s->task, "auto") == 0 && rls2_table_is_numeric(table, column);
    if (rls2_dataset_is_classification(data))
        say(s, "  target '%s': two classes, '%s' (-1) and '%s' (+1): classification%s", options->target,
            rls2_dataset_label(data, -1), rls2_dataset_label(data, 1),
            guessed ? " (--task regression to predict the number)" : "");
    else
        say(s, "  target '%s': numbers: regression", options->target);
}

void describe_data(const settings *s, const rls2_table *table, const rls2_dataset_options *options,
                   const rls2_dataset *data, const char *split_column)
{
    char texts[128] = "", dropped[96] = "";
    say(s, "%s: %s, %s, %s", s->argument[0], rls2_table_format(table),
        count_of(rls2_table_rows(table), split_column[0] ? "training row" : "row").text,
        count_of(rls2_table_columns(table), "column").text);
    describe_target(s, table, options, data);
    roles found = count_roles(s, table, options, data);
    if (found.text > 0)
        snprintf(texts, sizeof texts, ", %" PRId64 " text (%s)", found.text,
                 count_of(found.indicators, "indicator").text);
    if (found.dropped > 0) snprintf(dropped, sizeof dropped, "; %" PRId64 " left out", found.dropped);
    say(s, "  inputs: %" PRId64 " numeric%s%s", found.numeric, texts, dropped);
    if (rls2_dataset_dropped(data) > 0)
        say(s, "  %s with an empty cell left out; %" PRId64 " remain",
            count_of(rls2_dataset_dropped(data), "row").text, rls2_dataset_rows(data));
}

/* Smallest and largest spread of the columns that have one. */
static double spread_ratio(const rls2_dataset *data)
{
    double least = INFINITY, most = 0.0;
    int64_t n = rls2_dataset_rows(data);
    for (int64_t j = 0; j < rls2_dataset_columns(data); j++) {
        const double *x = rls2_dataset_x(data) + j * n;
        double low = x[0], high = x[0];
        for (int64_t i = 1; i < n; i++) {
            low = fmin(low, x[i]);
            high = fmax(high, x[i]);
        }
        if (high <= low) continue;
        least = fmin(least, high - low);
        most = fmax(most, high - low);
    }
    return most > 0.0 ? most / least : 1.0;
}

void describe_parts(const settings *s, const rls2_dataset *train, const rls2_dataset *test)
{
    rls2_preprocessing how = rls2_dataset_preprocessing(train);
    if (test && rls2_dataset_dropped(test) > 0)
        say(s, "  test: %s; %" PRId64 " more with an empty cell left out",
            count_of(rls2_dataset_rows(test), "row").text, rls2_dataset_dropped(test));
    else if (test)
        say(s, "  test: %s", count_of(rls2_dataset_rows(test), "row").text);
    if (how.features == RLS2_NORMALIZE_NONE && how.examples == RLS2_NORMALIZE_NONE &&
        spread_ratio(train) > 100.0)
        say(s,
            "  note: the inputs are used as they are, and their ranges differ by a factor of %.0f; "
            "--standardize makes them alike",
            spread_ratio(train));
}
