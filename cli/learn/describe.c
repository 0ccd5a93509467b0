/* Describes rows, columns, classes and weights as they were found, and warns of likely slips. */
#include "cli/learn/describe.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/stats_report.h"

enum { MAX_SHOWN = 8 };

shown_columns column_list(const rls2_table *table)
{
    shown_columns made = {.text = ""};
    size_t used = 0, room = sizeof made.text;
    int64_t columns = rls2_table_columns(table), shown = 0;
    for (; shown < columns && shown < MAX_SHOWN; shown++) {
        const char *name = rls2_table_column_name(table, shown);
        if (used + strlen(name) + 32 > room) break;
        used +=
            (size_t)snprintf(made.text + used, room - used, "%s%s", shown > 0 ? ", " : "", name);
    }
    if (shown < columns)
        snprintf(made.text + used, room - used, ", ... (%" PRId64 " in all)", columns);
    return made;
}

shown_columns name_list_text(int64_t count, const char *const *names)
{
    shown_columns made = {.text = ""};
    size_t used = 0, room = sizeof made.text;
    int64_t shown = 0;
    for (; shown < count && shown < MAX_SHOWN && used + strlen(names[shown]) + 32 <= room; shown++)
        used += (size_t)snprintf(made.text + used, room - used, "%s'%s'", shown > 0 ? ", " : "",
                                 names[shown]);
    if (shown < count) snprintf(made.text + used, room - used, ", ... (%" PRId64 " in all)", count);
    return made;
}

static int is_target(const rls2_dataset_options *options, const char *name)
{
    for (int64_t t = 0; t < options->target_count; t++)
        if (strcmp(options->targets[t], name) == 0) return 1;
    return options->target && strcmp(options->target, name) == 0;
}

/* What the columns of the table have become. */
typedef struct roles {
    int64_t numeric;
    int64_t dates;
    int64_t text;
    int64_t indicators;
    int64_t dropped;
} roles;

static void note_missing(const settings *s, const rls2_table *table, int64_t column)
{
    const char *word = first_cell(table, column, stands_for_missing);
    if (word)
        say(s, "  '%s' in column '%s' is taken as a value; --na '%s' makes it missing", word,
            rls2_table_column_name(table, column), word);
}

/* A text column that hardly repeats is a name or a number of the row, not a category. */
static void warn_identifier(const settings *s, const char *name, int64_t values, int64_t rows)
{
    if (rows < 10 || values * 2 <= rows) return;
    say(s,
        "  column '%s' has %" PRId64
        " different texts in %s: an identifier? --drop '%s' leaves it out",
        name, values, count_of(rows, "row").text, name);
}

/* A text column: its indicators, and what may be wrong with it. */
static void add_text(const settings *s, const rls2_table *table, int64_t column, int64_t values,
                     int64_t rows, roles *made)
{
    const char *name = rls2_table_column_name(table, column);
    made->text++;
    made->indicators += values;
    note_missing(s, table, column);
    if (is_decimal_column(s, table, column))
        say(s, "  numbers such as '%s' in column '%s' are taken as text; --decimal , reads them",
            first_cell(table, column, has_decimal_comma), name);
    else
        warn_identifier(s, name, values, rows);
}

static roles count_roles(const settings *s, const rls2_table *table,
                         const rls2_dataset_options *options, const rls2_dataset *data)
{
    roles made = {.dropped = options->drop_count};
    for (int64_t k = 0; k < rls2_dataset_input_count(data); k++) {
        int64_t first, width = rls2_dataset_input_columns(data, k, &first);
        const char *name = rls2_dataset_input_name(data, k);
        switch (rls2_dataset_input_kind(data, k)) {
        case RLS2_COLUMN_NUMBERS: made.numeric++; break;
        case RLS2_COLUMN_DATES: made.dates++; break;
        case RLS2_COLUMN_TEXT:
            add_text(s, table, rls2_table_find(table, name), width, rls2_dataset_rows(data), &made);
            break;
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
        used +=
            (size_t)snprintf(made.text + used, room - used, "%s'%s' (%s)", shown > 0 ? ", " : "",
                             label, count_of(rows_of_class(data, shown), "row").text);
    }
    if (shown < count) snprintf(made.text + used, room - used, ", ...");
    return made;
}

static void describe_classes(const settings *s, const rls2_dataset *data, const char *target,
                             int guessed)
{
    int64_t count = rls2_dataset_class_count(data);
    if (count == 2) {
        say(s, "  target '%s': two classes, '%s' (-1, %s) and '%s' (+1, %s): classification%s",
            target, rls2_dataset_class_label(data, 0), count_of(rows_of_class(data, 0), "row").text,
            rls2_dataset_class_label(data, 1), count_of(rows_of_class(data, 1), "row").text,
            guessed ? " (--task regression to predict the number)" : "");
        return;
    }
    say(s, "  target '%s': %" PRId64 " classes, %s: classification, %s", target, count,
        class_list(data).text,
        rls2_plan_loss(s->plan).kind == RLS2_LOSS_MULTINOMIAL ? "all classes together"
                                                              : "each class against all others");
    for (int64_t k = 0; k < count; k++)
        if (rows_of_class(data, k) == 1) {
            say(s, "  class '%s' has a single row: there is nothing to test its predictions on",
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

/* At most ten different whole numbers, of which each has three rows on average: perhaps classes. 0
 * if not, else how many. */
static int64_t count_codes(const rls2_table *table, int64_t column, const rls2_dataset *data)
{
    enum { MOST = 10, ROWS_OF_EACH = 3 };
    int64_t n = rls2_dataset_rows(data), distinct = rls2_table_distinct(table, column, MOST + 1);
    const double *y = rls2_dataset_y(data);
    if (distinct < 2 || distinct > MOST || n < ROWS_OF_EACH * distinct) return 0;
    for (int64_t i = 0; i < n; i++)
        if (y[i] != floor(y[i])) return 0;
    return distinct;
}

static void describe_target(const settings *s, const rls2_table *table, const char *target,
                            const rls2_dataset *data)
{
    int64_t column = rls2_table_find(table, target), n = rls2_dataset_rows(data);
    int guessed = strcmp(asked(s, "task"), "auto") == 0 && rls2_table_is_numeric(table, column);
    if (rls2_dataset_is_classification(data))
        describe_classes(s, data, target, guessed);
    else
        say(s, "  target '%s': numbers: regression", target);
    int64_t codes =
        guessed && !rls2_dataset_is_classification(data) ? count_codes(table, column, data) : 0;
    if (codes > 0)
        say(s,
            "  only %" PRId64
            " different values: if they are classes, --task classification learns them as such",
            codes);
    if (is_constant(n, rls2_dataset_y(data)))
        say(s, "  the target is the same in all rows: there is nothing to learn");
    if (!rls2_table_is_numeric(table, column)) note_missing(s, table, column);
}

static void describe_targets(const settings *s, const rls2_dataset_options *options,
                             const rls2_dataset *data)
{
    int64_t n = rls2_dataset_rows(data);
    say(s, "  %" PRId64 " targets, %s: numbers: regression, one for each with the same lambda",
        options->target_count, name_list_text(options->target_count, options->targets).text);
    for (int64_t t = 0; t < options->target_count; t++)
        if (is_constant(n, rls2_dataset_y(data) + t * n))
            say(s, "  the target '%s' is the same in all rows: there is nothing to learn",
                options->targets[t]);
}

/* What rows count; and a sum so small that the weights cannot be counts. */
static void describe_row_weights(const settings *s, const rls2_dataset *data)
{
    const char *column = asked(s, "row-weights");
    const double *weights = rls2_dataset_row_weights(data);
    int64_t n = rls2_dataset_rows(data);
    double sum = 0.0;
    if (!column || !weights) return;
    for (int64_t i = 0; i < n; i++) sum += weights[i];
    say(s, "  row weights: column '%s', sum %g over %s", column, sum, count_of(n, "row").text);
    if (sum < (double)n / 2.0)
        say(s,
            "  a weight counts rows, so these data count as %g row%s; multiply them by %.3g "
            "to let a row count once on average",
            sum, sum == 1.0 ? "" : "s", (double)n / sum);
}

/* What the rows of each class count in the fit; `weights` are those of the rows. */
static void describe_class_weights(const settings *s, const rls2_dataset *data,
                                   const double *weights)
{
    const int64_t *classes = rls2_dataset_classes(data);
    const double *own = rls2_dataset_row_weights(data);
    int64_t n = rls2_dataset_rows(data);
    for (int64_t k = 0; k < rls2_dataset_class_count(data) && k < MAX_SHOWN; k++) {
        char times[32];
        int64_t i = 0;
        while (i < n && classes[i] != k) i++;
        if (i == n) continue;
        snprintf(times, sizeof times, "%.4g times", weights[i] / (own ? own[i] : 1.0));
        say(s, "  class '%s': each row counts %s", rls2_dataset_class_label(data, k),
            strcmp(times, "1 times") == 0 ? "once" : times);
    }
}

static void describe_weights(const settings *s, const rls2_dataset *data)
{
    const char *rule = asked(s, "class-weights");
    double *weights = rule ? calloc((size_t)rls2_dataset_rows(data) + 1, sizeof *weights) : NULL;
    describe_row_weights(s, data);
    if (weights && rls2_dataset_fit_weights(data, rule, weights, NULL) == RLS2_OK)
        describe_class_weights(s, data, weights);
    free(weights);
}

/* By --drop. */
static int is_dropped(const settings *s, const char *column)
{
    const char *name;
    for (int64_t i = 0; (name = asked_item(s, "drop", i)); i++)
        if (strcmp(name, column) == 0) return 1;
    return 0;
}

/* Columns of y that are not asked for. */
static void note_other_targets(const settings *s, const rls2_table *table,
                               const rls2_dataset_options *options)
{
    const char *const *names;
    int64_t count = rls2_table_targets(table, &names);
    for (int64_t t = 0; t < count; t++) {
        if (is_target(options, names[t]) || is_dropped(s, names[t])) continue;
        if (!is_listed(names[t], options->drop, options->drop_count)) continue;
        say(s, "  the other columns of y are targets too, and no inputs");
        return;
    }
}

static int64_t count_weightless(const settings *s, const rls2_table *table)
{
    const char *name = asked(s, "row-weights");
    int64_t found = 0, column = name ? rls2_table_find(table, name) : -1;
    for (int64_t i = 0; column >= 0 && i < rls2_table_rows(table); i++)
        found += rls2_table_value(table, i, column) == 0.0;
    return found;
}

/* File, target, task, inputs, and what was left out; hints where something looks like a slip. */
static void describe_training(const settings *s, int is_part)
{
    const rls2_table *table = rls2_plan_table(s->plan, RLS2_PART_TRAINING);
    const rls2_dataset *data = rls2_plan_data(s->plan, RLS2_PART_TRAINING);
    const rls2_dataset_options *options = rls2_plan_dataset_options(s->plan);
    char dates[64] = "", texts[128] = "", dropped[96] = "";
    int64_t rows = rls2_table_rows(table), all = rls2_plan_row_count(s->plan);
    int is_sample = all > rows;
    int is_stats = is_stats_file(s->argument[0]);
    char sample[96] = "";
    if (is_sample)
        snprintf(sample, sizeof sample, "; what follows is of a sample of %" PRId64 " of them",
                 rows);
    say(s, "%s%s: %s%s%s, %s%s", s->argument[0], s->argument_count > 1 ? ", ..." : "",
        is_stats ? "statistics of " : rls2_table_format(table), is_stats ? "" : ", ",
        count_of(is_sample ? all : rows, is_part ? "training row" : "row").text,
        count_of(rls2_table_columns(table), "column").text, sample);
    if (options->target) describe_target(s, table, options->target, data);
    if (options->targets) describe_targets(s, options, data);
    roles found = count_roles(s, table, options, data);
    if (found.dates > 0) snprintf(dates, sizeof dates, ", %" PRId64 " of dates", found.dates);
    if (found.text > 0)
        snprintf(texts, sizeof texts, ", %" PRId64 " text (%s)", found.text,
                 count_of(found.indicators, "indicator").text);
    if (found.dropped > 0)
        snprintf(dropped, sizeof dropped, "; %" PRId64 " left out", found.dropped);
    say(s, "  inputs: %" PRId64 " numeric%s%s%s", found.numeric, dates, texts, dropped);
    note_other_targets(s, table, options);
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

/* "; 3 more with an empty cell and 4 more of weight 0 left out", "" where there are none. */
static shown_columns left_out(const settings *s, const rls2_dataset *test)
{
    shown_columns made = {.text = ""};
    int64_t weightless = count_weightless(s, rls2_plan_table(s->plan, RLS2_PART_TEST)),
            empty = rls2_dataset_dropped(test) - weightless;
    char cells[64] = "", weights[64] = "";
    if (empty > 0) snprintf(cells, sizeof cells, "%" PRId64 " more with an empty cell", empty);
    if (weightless > 0)
        snprintf(weights, sizeof weights, "%s%" PRId64 " more of weight 0",
                 empty > 0 ? " and " : "", weightless);
    if (empty + weightless > 0)
        snprintf(made.text, sizeof made.text, "; %s%s left out", cells, weights);
    return made;
}

static void describe_test(const settings *s)
{
    const rls2_dataset *test = rls2_plan_data(s->plan, RLS2_PART_TEST);
    const char *weights = asked(s, "row-weights");
    char once[320] = "";
    if (!test) return;
    if (weights && !rls2_dataset_row_weights(test))
        snprintf(once, sizeof once, ", each counted once: there is no column '%.200s' of weights",
                 weights);
    say(s, "  test: %s%s%s", count_of(rls2_dataset_rows(test), "row").text, once,
        left_out(s, test).text);
}

static void describe_validation(const settings *s)
{
    const rls2_dataset *train = rls2_plan_data(s->plan, RLS2_PART_TRAINING);
    if (!rls2_plan_table(s->plan, RLS2_PART_VALIDATION)) return;
    int64_t rows = rls2_dataset_rows(rls2_plan_split_data(s->plan)) - rls2_dataset_rows(train);
    say(s, "  validation: %s", count_of(rows, "row").text);
}

/* Inputs of very different scales that are used as they are. */
static void note_ranges(const settings *s)
{
    const rls2_dataset *train = rls2_plan_data(s->plan, RLS2_PART_TRAINING);
    if (rls2_dataset_feature_rule(train) != RLS2_NORMALIZE_NONE ||
        rls2_dataset_example_rule(train) != RLS2_NORMALIZE_NONE)
        return;
    double ratio = spread_ratio(train);
    if (ratio > 100.0)
        say(s,
            "  the ranges of the inputs differ by a factor of %.0f; --standardize makes them alike",
            ratio);
}

void describe_plan(const settings *s, const rls2_table *file)
{
    describe_training(s, rls2_plan_table(s->plan, RLS2_PART_TRAINING) != file);
    describe_weights(s, rls2_plan_data(s->plan, RLS2_PART_TRAINING));
    describe_validation(s);
    describe_test(s);
    note_ranges(s);
}
