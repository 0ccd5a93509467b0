#include "cli/data.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/describe.h"
#include "cli/fit.h"

counted count_of(int64_t count, const char *noun)
{
    counted made;
    snprintf(made.text, sizeof made.text, "%" PRId64 " %s%s", count, noun, count == 1 ? "" : "s");
    return made;
}

/* ---- reading ---- */

static rls2_format format_of(const char *name)
{
    static const char *const NAMES[] = {"auto", "csv", "libsvm", "npy", "npz", "mat"};
    for (int f = 0; name && f < (int)(sizeof NAMES / sizeof NAMES[0]); f++)
        if (strcmp(name, NAMES[f]) == 0) return (rls2_format)f;
    return RLS2_FORMAT_AUTO;
}

static char delimiter_of(const char *text)
{
    if (!text) return 0;
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0) return '\t';
    return text[0];
}

rls2_read_options read_options(const settings *s)
{
    rls2_read_options options = rls2_read_options_default();
    options.format = format_of(s->format);
    options.delimiter = delimiter_of(s->delimiter);
    options.header = !s->no_header;
    options.decimal = s->decimal && s->decimal[0] == ',' ? ',' : 0;
    options.missing = s->na.items;
    options.missing_count = s->na.count;
    return options;
}

static int is_delimiter(const char *text)
{
    return delimiter_of(text) == '\t' ||
           (strlen(text) == 1 && !strchr("\"\r\n.+-", text[0]) && !isalnum((unsigned char)text[0]));
}

int check_reading(const settings *s)
{
    if (s->delimiter && !is_delimiter(s->delimiter)) {
        say_error(s, "--delimiter '%s' should be one character that can stand between cells, or 'tab'",
                  s->delimiter);
        return EXIT_USAGE;
    }
    if (s->decimal && s->decimal[0] == ',' && s->delimiter && s->delimiter[0] == ',') {
        say_error(s, "--decimal and --delimiter cannot both be ','");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

static int read_table(const settings *s, const char *path, rls2_table **table)
{
    rls2_error err;
    rls2_read_options options = read_options(s);
    return rls2_table_read(path, &options, table, &err) == RLS2_OK ? EXIT_OK : fail(s, &err);
}

/* ---- test rows ---- */

static int no_such_column(const settings *s, const rls2_table *table, const char *option, const char *name,
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

static int fill_split(const settings *s, const rls2_table *table, int64_t column, const char *value,
                      row_split *split)
{
    int64_t rows = rls2_table_rows(table);
    split->kept = calloc((size_t)rows, sizeof *split->kept);
    split->marked = calloc((size_t)rows, sizeof *split->marked);
    if (!split->kept || !split->marked) return out_of_memory(s);
    for (int64_t i = 0; i < rows; i++) {
        if (column >= 0 && rls2_table_holds(table, i, column, value))
            split->marked[split->marked_count++] = i;
        else
            split->kept[split->kept_count++] = i;
    }
    if (column < 0) return EXIT_OK;
    if (split->marked_count > 0 && split->kept_count > 0) return EXIT_OK;
    say_error(s, "test rows: %s of the %" PRId64 " rows %s '%s' in column '%s'",
              split->marked_count == 0 ? "none" : "all", rows, split->marked_count == 0 ? "has" : "have",
              value, split->column);
    return EXIT_FAILED;
}

int split_rows(const settings *s, const rls2_table *table, row_split *split)
{
    *split = (row_split){0};
    const char *marker = rls2_table_marker(table), *value = NULL;
    if (s->test_rows) {
        value = rule_value(table, s->test_rows, split->column, sizeof split->column);
        if (!value && !strchr(s->test_rows, '=')) {
            say_error(s, "--test-rows '%s' should be COLUMN=VALUE", s->test_rows);
            return EXIT_USAGE;
        }
        if (!value) return no_such_column(s, table, "--test-rows", s->test_rows, strcspn(s->test_rows, "="));
    } else if (marker) {
        snprintf(split->column, sizeof split->column, "%s", marker);
        value = "1";
    }
    int64_t column = value ? rls2_table_find(table, split->column) : -1;
    if (value && s->target && strcmp(s->target, split->column) == 0) {
        say_error(s, "--test-rows: column '%s' is the target", split->column);
        return EXIT_USAGE;
    }
    return fill_split(s, table, column, value, split);
}

void split_free(row_split *split)
{
    free(split->kept);
    free(split->marked);
    *split = (row_split){0};
}

/* ---- roles of the columns ---- */

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

/* --drop, the column that marks test rows, and the columns of a precomputed kernel. */
static int dropped_columns(const settings *s, const rls2_table *table, const char *target,
                           const char *split_column, name_list *list)
{
    int64_t columns = rls2_table_columns(table);
    const char *marker = rls2_table_marker(table);
    list->count = 0;
    list->items = calloc((size_t)(columns + s->drop.count + 3), sizeof *list->items);
    if (!list->items) return out_of_memory(s);
    for (int64_t i = 0; i < s->drop.count; i++) add_name(list, s->drop.items[i]);
    int64_t marked = rls2_table_find(table, split_column); /* the table's own text outlives the rule's */
    if (marked >= 0) add_name(list, rls2_table_column_name(table, marked));
    if (s->fold_column) add_name(list, s->fold_column);
    if (marker) add_name(list, marker);
    if (!rls2_table_is_precomputed(table)) return EXIT_OK;
    for (int64_t j = 0; j < columns; j++) {
        const char *name = rls2_table_column_name(table, j);
        if (!target || strcmp(name, target) != 0) list->items[list->count++] = name;
    }
    return EXIT_OK;
}

static const char *find_target(const settings *s, const rls2_table *table)
{
    return s->target ? s->target : rls2_table_target(table);
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

static int check_fold_column(const settings *s, const rls2_table *table)
{
    if (!s->fold_column || rls2_table_find(table, s->fold_column) >= 0) return EXIT_OK;
    return no_such_column(s, table, "--fold-column", s->fold_column, strlen(s->fold_column));
}

static int create_training(const settings *s, problem *p, const char *split_column)
{
    const rls2_table *table = p->train.table;
    rls2_error err;
    name_list drop = {0};
    rls2_dataset_options *options = &p->options;
    *options = rls2_dataset_options_default();
    options->target = find_target(s, table);
    if (!options->target && strcmp(s->command, "kernels") != 0) return no_target(s, table);
    int code = check_fold_column(s, table);
    if (code == EXIT_OK) code = dropped_columns(s, table, options->target, split_column, &drop);
    if (code != EXIT_OK) return code;
    options->drop = p->dropped = drop.items;
    options->drop_count = drop.count;
    options->categorical = s->categorical.items;
    options->categorical_count = s->categorical.count;
    options->reference = s->reference;
    options->drop_missing = strcmp(s->missing, "error") != 0;
    options->classify = infer_classes(s, table, options->target);
    if (rls2_dataset_create(table, options, &p->train.data, &err) == RLS2_OK) {
        describe_data(s, table, options, p->train.data, split_column);
        return EXIT_OK;
    }
    code = fail(s, &err);
    hint_data(s, table, options, &err);
    return err.status == RLS2_ERR_NAME || err.status == RLS2_ERR_ARGUMENT ? EXIT_USAGE : code;
}

/* ---- parts ---- */

void part_free(part *rows)
{
    rls2_table_free(rows->table);
    rls2_dataset_free(rows->data);
    free(rows->source);
    given_free(&rows->given);
}

void problem_free(problem *p)
{
    if (p->train.table == p->file) p->file = NULL;
    part_free(&p->train);
    part_free(&p->test);
    rls2_table_free(p->file);
    for (int64_t g = 0; g < p->group_count; g++) {
        free((void *)p->groups[g].name);
        free((void *)p->groups[g].columns);
    }
    free(p->groups);
    free(p->dropped);
    free(p->spec);
}

int64_t *file_rows(const rls2_dataset *data, const int64_t *taken)
{
    int64_t n = rls2_dataset_rows(data);
    int64_t *source = calloc((size_t)n + 1, sizeof *source);
    for (int64_t i = 0; source && i < n; i++) {
        int64_t row = rls2_dataset_source_row(data, i);
        source[i] = taken ? taken[row] : row;
    }
    return source;
}

static int take(const settings *s, const rls2_table *file, int64_t count, const int64_t *rows,
                rls2_table **taken)
{
    rls2_error err;
    return rls2_table_take(file, count, rows, taken, &err) == RLS2_OK ? EXIT_OK : fail(s, &err);
}

/* The tables of both parts. */
static int separate(const settings *s, problem *p, const row_split *split)
{
    int code = EXIT_OK;
    if (split->marked_count == 0)
        p->train.table = p->file;
    else
        code = take(s, p->file, split->kept_count, split->kept, &p->train.table);
    if (code != EXIT_OK) return code;
    if (s->test && split->marked_count > 0)
        say(s, "%s: the %s that column '%s' marks are left out", s->argument[0],
            count_of(split->marked_count, "test row").text, split->column);
    if (s->test) return read_table(s, s->test, &p->test.table);
    if (split->marked_count == 0) return EXIT_OK;
    return take(s, p->file, split->marked_count, split->marked, &p->test.table);
}

static int create_test(const settings *s, problem *p)
{
    rls2_error err;
    if (rls2_dataset_create_like(p->test.table, p->train.data, &p->test.data, &err) != RLS2_OK)
        return fail(s, &err);
    if (rls2_dataset_y(p->test.data)) return EXIT_OK;
    say_error(s, "%s: the test rows have no column '%s', so they cannot be scored",
              s->test ? s->test : s->argument[0], find_target(s, p->train.table));
    return EXIT_FAILED;
}

static rls2_normalize normalize_of(const char *name)
{
    if (strcmp(name, "center") == 0) return RLS2_NORMALIZE_CENTER;
    if (strcmp(name, "standardize") == 0) return RLS2_NORMALIZE_STANDARDIZE;
    if (strcmp(name, "unit") == 0) return RLS2_NORMALIZE_UNIT;
    return RLS2_NORMALIZE_NONE;
}

static int preprocess(const settings *s, problem *p)
{
    rls2_error err;
    rls2_preprocessing how = {.examples = normalize_of(s->examples),
                              .features = normalize_of(s->standardize ? "standardize" : s->features)};
    int with_test = s->transductive || s->transductive_features;
    rls2_dataset *also = with_test ? p->test.data : NULL;
    if (how.examples == RLS2_NORMALIZE_NONE && how.features == RLS2_NORMALIZE_NONE) return EXIT_OK;
    return rls2_dataset_preprocess(p->train.data, how, also, &err) == RLS2_OK ? EXIT_OK : fail(s, &err);
}

/* Test rows are made from the preprocessed training rows, unless they are to count themselves. */
static int create_parts(const settings *s, problem *p, const char *split_column)
{
    int with_test = s->transductive || s->transductive_features;
    int code = create_training(s, p, split_column);
    if (code == EXIT_OK && p->test.table && with_test) code = create_test(s, p);
    if (code == EXIT_OK) code = preprocess(s, p);
    if (code == EXIT_OK && p->test.table && !with_test) code = create_test(s, p);
    return code;
}

void part_use(part *used)
{
    used->rows = (rls2_rows){.n = rls2_dataset_rows(used->data),
                             .p = rls2_dataset_columns(used->data),
                             .x = rls2_dataset_x(used->data)};
    given_use(&used->given, &used->rows);
}

static int load_given(const settings *s, problem *p, const row_split *split)
{
    given_range range = {.square = 1};
    p->train.source = file_rows(p->train.data, split->kept);
    if (!p->train.source) return out_of_memory(s);
    range.rows = range.columns = p->train.source;
    range.row_count = range.column_count = rls2_dataset_rows(p->train.data);
    int code = given_load(s, p->file, NULL, 0, &range, &p->train.given);
    if (code != EXIT_OK || !p->test.data || p->train.given.count == 0) return code;
    if (s->test) {
        say_error(s, "precomputed matrices go with --test-rows, not with --test: one matrix holds all rows");
        return EXIT_USAGE;
    }
    p->test.source = file_rows(p->test.data, split->marked);
    if (!p->test.source) return out_of_memory(s);
    range.rows = p->test.source;
    range.row_count = rls2_dataset_rows(p->test.data);
    return given_load(s, p->file, NULL, 0, &range, &p->test.given);
}

/* ---- groups ---- */

static int add_piece(const settings *s, const problem *p, const char *piece, unsigned char *in)
{
    int found = 0;
    for (int64_t j = 0; j < p->columns.count; j++)
        if (rls2_group_has(piece, p->columns.names[j])) found = in[j] = 1;
    if (found) return EXIT_OK;
    say_error(s, "--group: no input is called '%s'", piece);
    return EXIT_USAGE;
}

static int fill_group(const settings *s, problem *p, rls2_group *group, char *pieces, unsigned char *in)
{
    int code = EXIT_OK;
    int64_t *columns = calloc((size_t)p->columns.count + 1, sizeof *columns);
    if (!columns) return out_of_memory(s);
    group->columns = columns;
    for (char *rest = pieces, *piece = strsep(&rest, ","); piece && code == EXIT_OK;
         piece = strsep(&rest, ","))
        code = add_piece(s, p, piece, in);
    for (int64_t j = 0; j < p->columns.count; j++)
        if (in[j]) columns[group->count++] = j;
    return code;
}

/* NAME=COLUMN,COLUMN,... */
static int make_group(const settings *s, problem *p, const char *item)
{
    const char *equals = strchr(item, '=');
    if (!equals || equals == item || equals[1] == '\0') {
        say_error(s, "--group '%s' should be NAME=COLUMN,COLUMN,...", item);
        return EXIT_USAGE;
    }
    rls2_group *group = &p->groups[p->group_count++];
    group->name = strndup(item, (size_t)(equals - item));
    char *pieces = strdup(equals + 1);
    unsigned char *in = calloc((size_t)p->columns.count + 1, 1);
    int code = group->name && pieces && in ? fill_group(s, p, group, pieces, in) : out_of_memory(s);
    free(pieces);
    free(in);
    return code;
}

static int set_columns(const settings *s, problem *p)
{
    int code = EXIT_OK;
    p->columns = (rls2_columns){.count = rls2_dataset_columns(p->train.data),
                                .names = rls2_dataset_names(p->train.data),
                                .given_count = p->train.given.count,
                                .given_names = (const char *const *)p->train.given.names};
    p->groups = calloc((size_t)s->group.count + 1, sizeof *p->groups);
    if (!p->groups) return out_of_memory(s);
    for (int64_t g = 0; g < s->group.count && code == EXIT_OK; g++)
        code = make_group(s, p, s->group.items[g]);
    p->columns.groups = p->groups;
    p->columns.group_count = p->group_count;
    return code;
}

/* ---- all of it ---- */

static int check_settings(const settings *s)
{
    if (s->standardize && strcmp(s->features, "none") != 0 && strcmp(s->features, "standardize") != 0) {
        say_error(s, "--standardize and --features %s exclude each other", s->features);
        return EXIT_USAGE;
    }
    if (s->test && s->test_rows) {
        say_error(s, "--test and --test-rows exclude each other");
        return EXIT_USAGE;
    }
    return check_reading(s);
}

static int check_inputs(const settings *s, const problem *p)
{
    if (p->columns.count > 0 || p->columns.given_count > 0) return EXIT_OK;
    say_error(s, "%s: there are no inputs beside the target", s->argument[0]);
    return EXIT_FAILED;
}

static int check_transductive(const settings *s, const problem *p)
{
    if ((!s->transductive && !s->transductive_features) || p->test.table) return EXIT_OK;
    say_error(s, "--transductive uses the inputs of the test rows: give them by --test or --test-rows");
    return EXIT_USAGE;
}

int problem_load(const settings *s, problem *p)
{
    row_split split = {0};
    *p = (problem){0};
    int code = check_settings(s);
    if (code == EXIT_OK) code = read_table(s, s->argument[0], &p->file);
    if (code == EXIT_OK) code = split_rows(s, p->file, &split);
    if (code == EXIT_OK) code = separate(s, p, &split);
    if (code == EXIT_OK) code = check_transductive(s, p);
    if (code == EXIT_OK) code = create_parts(s, p, split.column);
    if (code == EXIT_OK) code = load_given(s, p, &split);
    if (code == EXIT_OK) code = set_columns(s, p);
    if (code == EXIT_OK) code = check_inputs(s, p);
    if (code == EXIT_OK) {
        part_use(&p->train);
        if (p->test.data) part_use(&p->test);
        describe_parts(s, p->train.data, p->test.data);
        p->spec = dictionary_text(s, p);
        if (!p->spec) code = out_of_memory(s);
    }
    split_free(&split);
    return code;
}
