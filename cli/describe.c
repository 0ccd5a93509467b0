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

/* What other programs write for a missing value. */
static int stands_for_missing(const char *text)
{
    static const char *const WORDS[] = {"NA",   "N/A",  "na",   "n/a", "NaN", "nan",
                                        "NULL", "null", "None", "?",   "-",   "."};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (strcmp(text, WORDS[i]) == 0) return 1;
    return 0;
}

/* The first cell of the column, beyond the missing ones, that fits. */
static const char *first_cell(const rls2_table *table, int64_t column, int (*fits)(const char *))
{
    for (int64_t i = 0; i < rls2_table_rows(table); i++) {
        const char *cell = rls2_table_cell(table, i, column);
        if (*cell && fits(cell)) return cell;
    }
    return NULL;
}

static void note_missing(const settings *s, const rls2_table *table, int64_t column)
{
    const char *word = first_cell(table, column, stands_for_missing);
    if (word)
        say(s, "  note: '%s' in column '%s' is taken as a value; --na '%s' makes it a missing one", word,
            rls2_table_column_name(table, column), word);
}

/* digits, a comma, digits */
static int has_decimal_comma(const char *text)
{
    text += *text == '-' || *text == '+';
    size_t before = strspn(text, "0123456789");
    if (text[before] != ',') return 0;
    size_t after = strspn(text + before + 1, "0123456789");
    return before + after > 0 && text[before + 1 + after] == '\0';
}

/* Numbers with a decimal comma that were not asked to be read as such. */
static int is_decimal_column(const settings *s, const rls2_table *table, int64_t column)
{
    if (s->decimal && strcmp(s->decimal, ",") == 0) return 0;
    return !rls2_table_is_numeric(table, column) && first_cell(table, column, has_decimal_comma);
}

void hint_reading(const settings *s, const rls2_error *err)
{
    if (strstr(err->message, "is not a number"))
        say(s, "  a model does not remember how its file was read: give --decimal, --na and the like again");
}

void hint_data(const settings *s, const rls2_table *table, const rls2_dataset_options *options,
               const rls2_error *err)
{
    if (err->status == RLS2_ERR_NAME) {
        say(s, "  the columns are %s", column_list(table).text);
        if (!s->no_header && rls2_table_columns(table) > 1)
            say(s, "  (--no-header if the first line holds data; the columns are then x1, x2, ...)");
        return;
    }
    for (int64_t j = 0; j < rls2_table_columns(table); j++) {
        const char *name = rls2_table_column_name(table, j), *word;
        if (is_listed(name, options->drop, options->drop_count) || rls2_table_is_numeric(table, j)) continue;
        if (is_decimal_column(s, table, j)) {
            say(s, "  numbers such as '%s' in column '%s' are read with --decimal ,",
                first_cell(table, j, has_decimal_comma), name);
            return;
        }
        if ((word = first_cell(table, j, stands_for_missing))) {
            say(s, "  --na '%s' reads such cells as missing", word);
            return;
        }
    }
    if (strstr(err->message, "is not a number"))
        say(s, "  --na TEXT reads a cell of that text as missing; --categorical COLUMN takes the column as "
               "text");
}

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
        if (is_target(options, name) || (options->weight && strcmp(name, options->weight) == 0)) continue;
        if (is_listed(name, options->drop, options->drop_count)) {
            made.dropped++;
        } else if (rls2_table_is_numeric(table, j) &&
                   !is_listed(name, options->categorical, options->categorical_count)) {
            made.numeric++;
        } else {
            int64_t values = indicators_of(data, name);
            made.text++;
            made.indicators += values;
            note_missing(s, table, j);
            if (is_decimal_column(s, table, j))
                say(s,
                    "  note: numbers such as '%s' in column '%s' are taken as text; --decimal , reads them",
                    first_cell(table, j, has_decimal_comma), name);
            else
                warn_identifier(s, name, values, rls2_dataset_rows(data));
        }
    }
    return made;
}

static int64_t rows_of_class(const rls2_dataset *data, int64_t k)
{
    const int64_t *classes = rls2_dataset_classes(data);
    int64_t found = 0;
    for (int64_t i = 0; i < rls2_dataset_rows(data); i++) found += classes[i] == k;
    return found;
}

/* "'a' (8 rows), 'b' (23 rows), ... (14 in all)" */
static shown_columns class_list(const rls2_dataset *data)
{
    shown_columns made = {.text = ""};
    size_t used = 0, room = sizeof made.text;
    int64_t count = rls2_dataset_class_count(data), shown = 0;
    for (; shown < count && shown < MAX_SHOWN; shown++) {
        const char *label = rls2_dataset_class_label(data, shown);
        if (used + strlen(label) + 64 > room) break;
        used += (size_t)snprintf(made.text + used, room - used, "%s'%s' (%s)", shown > 0 ? ", " : "", label,
                                 count_of(rows_of_class(data, shown), "row").text);
    }
    if (shown < count) snprintf(made.text + used, room - used, ", ...");
    return made;
}

static void describe_classes(const settings *s, const rls2_dataset *data, const char *target, int guessed)
{
    int64_t count = rls2_dataset_class_count(data);
    if (count == 2) {
        say(s, "  target '%s': two classes, '%s' (-1, %s) and '%s' (+1, %s): classification%s", target,
            rls2_dataset_class_label(data, 0), count_of(rows_of_class(data, 0), "row").text,
            rls2_dataset_class_label(data, 1), count_of(rows_of_class(data, 1), "row").text,
            guessed ? " (--task regression to predict the number)" : "");
        return;
    }
    say(s, "  target '%s': %" PRId64 " classes, %s: classification, each class against all others", target,
        count, class_list(data).text);
    for (int64_t k = 0; k < count; k++)
        if (rows_of_class(data, k) == 1) {
            say(s, "  note: class '%s' has a single row: there is nothing to test its predictions on",
                rls2_dataset_class_label(data, k));
            break;
        }
}

static int is_constant(int64_t n, const double *y)
{
    for (int64_t i = 1; i < n; i++)
        if (y[i] != y[0]) return 0;
    return 1;
}

static void describe_target(const settings *s, const rls2_table *table, const char *target,
                            const rls2_dataset *data)
{
    int64_t column = rls2_table_find(table, target), n = rls2_dataset_rows(data);
    int guessed = strcmp(s->task, "auto") == 0 && rls2_table_is_numeric(table, column);
    if (rls2_dataset_is_classification(data))
        describe_classes(s, data, target, guessed);
    else
        say(s, "  target '%s': numbers: regression", target);
    if (guessed && !rls2_dataset_is_classification(data) && n > 50 &&
        rls2_table_distinct(table, column, 11) <= 10)
        say(s,
            "  note: only %" PRId64
            " different values: if they are classes, --task classification learns them as such",
            rls2_table_distinct(table, column, 11));
    if (is_constant(n, rls2_dataset_y(data)))
        say(s, "  note: the target is the same in all rows: there is nothing to learn");
    if (!rls2_table_is_numeric(table, column)) note_missing(s, table, column);
}

static void describe_targets(const settings *s, const rls2_dataset_options *options, const rls2_dataset *data)
{
    int64_t n = rls2_dataset_rows(data);
    say(s, "  %" PRId64 " targets, '%s' to '%s': numbers: regression, one for each with the same lambda",
        options->target_count, options->targets[0], options->targets[options->target_count - 1]);
    for (int64_t t = 0; t < options->target_count; t++)
        if (is_constant(n, rls2_dataset_y(data) + t * n))
            say(s, "  note: the target '%s' is the same in all rows: there is nothing to learn",
                options->targets[t]);
}

void describe_weights(const settings *s, const rls2_dataset *data, const double *weights)
{
    int64_t n = rls2_dataset_rows(data);
    const int64_t *classes = rls2_dataset_classes(data);
    double sum = 0.0;
    if (s->weights) {
        for (int64_t i = 0; i < n; i++) sum += rls2_dataset_weights(data)[i];
        say(s, "  weights: column '%s', sum %g over %s", s->weights, sum, count_of(n, "row").text);
        if (sum < (double)n / 2.0)
            say(s,
                "  note: a weight counts rows, so these data count as %g rows; weights of mean 1 count as "
                "they are",
                sum);
    }
    for (int64_t k = 0; s->class_weights && k < rls2_dataset_class_count(data) && k < MAX_SHOWN; k++) {
        int64_t i = 0;
        while (i < n && classes[i] != k) i++;
        if (i == n) continue;
        double own = s->weights ? rls2_dataset_weights(data)[i] : 1.0;
        say(s, "  class '%s': each row counts %.4g times", rls2_dataset_class_label(data, k),
            weights[i] / own);
    }
}

void describe_data(const settings *s, const rls2_table *table, const rls2_dataset_options *options,
                   const rls2_dataset *data, int is_part)
{
    char texts[128] = "", dropped[96] = "";
    say(s, "%s: %s, %s, %s", s->argument[0], rls2_table_format(table),
        count_of(rls2_table_rows(table), is_part ? "training row" : "row").text,
        count_of(rls2_table_columns(table), "column").text);
    if (options->target) describe_target(s, table, options->target, data);
    if (options->targets) describe_targets(s, options, data);
    roles found = count_roles(s, table, options, data);
    if (found.text > 0)
        snprintf(texts, sizeof texts, ", %" PRId64 " text (%s)", found.text,
                 count_of(found.indicators, "indicator").text);
    if (found.dropped > 0) snprintf(dropped, sizeof dropped, "; %" PRId64 " left out", found.dropped);
    say(s, "  inputs: %" PRId64 " numeric%s%s", found.numeric, texts, dropped);
    if (rls2_dataset_dropped(data) > 0)
        say(s, "  %s with an empty cell%s left out; %" PRId64 " remain",
            count_of(rls2_dataset_dropped(data), "row").text, options->weight ? " or of weight 0" : "",
            rls2_dataset_rows(data));
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
