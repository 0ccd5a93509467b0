#include "cli/learn/data.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/learn/describe.h"
#include "cli/learn/fit.h"
#include "cli/memory_limit.h"
#include "cli/did_you_mean.h"

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
    limit_reading(&options);
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
        say_error(s,
                  "--delimiter '%s' should be one character that can stand between cells, or 'tab'",
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
    part_free(&p->choosing);
    free(p->weights);
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

/* The test rows, of a file of their own or of DATA. */
static int separate_test(const settings *s, problem *p, const row_split *split)
{
    if (s->test && split->marked_count > 0)
        say(s, "%s: the %s that column '%s' marks are left out", s->argument[0],
            count_of(split->marked_count, "test row").text, split->column);
    if (s->test) return read_table(s, s->test, &p->test.table);
    if (split->marked_count == 0) return EXIT_OK;
    return take(s, p->file, split->marked_count, split->marked, &p->test.table);
}

/* The training rows with the validation rows below them. */
static int stack_validation(const settings *s, problem *p, const row_split *split)
{
    rls2_error err;
    rls2_table *below = NULL;
    if (!s->validation && split->validating_count == 0) return EXIT_OK;
    int code = s->validation ? read_table(s, s->validation, &below)
                             : take(s, p->file, split->validating_count, split->validating, &below);
    if (code == EXIT_OK &&
        rls2_table_stack(p->train.table, below, &p->choosing.table, &err) != RLS2_OK)
        code = fail(s, &err);
    rls2_table_free(below);
    return code;
}

/* The tables of all parts. */
static int separate(const settings *s, problem *p, const row_split *split)
{
    int code = EXIT_OK;
    if (split->marked_count == 0 && split->validating_count == 0)
        p->train.table = p->file;
    else
        code = take(s, p->file, split->kept_count, split->kept, &p->train.table);
    if (code == EXIT_OK) code = separate_test(s, p, split);
    if (code == EXIT_OK) code = stack_validation(s, p, split);
    return code;
}

static int create_test(const settings *s, problem *p)
{
    rls2_error err;
    if (rls2_dataset_create_like(p->test.table, p->train.data, &p->test.data, &err) != RLS2_OK)
        return fail(s, &err);
    if (rls2_dataset_y(p->test.data)) return EXIT_OK;
    const char *wanted = p->options.target ? p->options.target : p->options.targets[0];
    for (int64_t t = 0; t < p->options.target_count; t++)
        if (rls2_table_find(p->test.table, p->options.targets[t]) < 0)
            wanted = p->options.targets[t];
    say_error(s, "%s: the test rows have no column '%s', so they cannot be scored",
              s->test ? s->test : s->argument[0], wanted);
    return EXIT_FAILED;
}

static int has_class(const rls2_dataset *data, const char *label)
{
    for (int64_t k = 0; k < rls2_dataset_class_count(data); k++)
        if (strcmp(rls2_dataset_class_label(data, k), label) == 0) return 1;
    return 0;
}

/* A class that only validation rows have cannot be learned, no more than one that only test rows
 * have. */
static int check_choosing_classes(const settings *s, const problem *p)
{
    const rls2_dataset *data = p->choosing.data;
    if (rls2_dataset_class_count(data) <= rls2_dataset_class_count(p->train.data)) return EXIT_OK;
    for (int64_t i = 0; i < rls2_dataset_rows(data); i++) {
        const char *label = rls2_dataset_class_label(data, rls2_dataset_classes(data)[i]);
        if (has_class(p->train.data, label)) continue;
        say_error(
            s,
            "%s:%" PRId64
            ": column '%s': the class '%s' of a validation row is not among the training rows",
            s->validation ? s->validation : s->argument[0],
            rls2_table_line(p->choosing.table, rls2_dataset_source_row(data, i)), p->options.target,
            label);
        break;
    }
    return EXIT_FAILED;
}

/* Training and validation rows as one data set: the splits are of its rows. */
static int create_choosing(const settings *s, problem *p)
{
    rls2_error err;
    if (!p->choosing.table) return EXIT_OK;
    if (rls2_dataset_create(p->choosing.table, &p->options, &p->choosing.data, &err) != RLS2_OK)
        return fail(s, &err);
    say(s, "  validation: %s",
        count_of(rls2_dataset_rows(p->choosing.data) - rls2_dataset_rows(p->train.data), "row")
            .text);
    return check_choosing_classes(s, p);
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
                              .features =
                                  normalize_of(s->standardize ? "standardize" : s->features)};
    int with_test = s->transductive || s->transductive_features;
    rls2_dataset *also = with_test ? p->test.data : NULL;
    if (how.examples == RLS2_NORMALIZE_NONE && how.features == RLS2_NORMALIZE_NONE) return EXIT_OK;
    return rls2_dataset_preprocess(p->train.data, how, also, &err) == RLS2_OK ? EXIT_OK
                                                                              : fail(s, &err);
}

/* Test rows are made from the preprocessed training rows, unless they are to count themselves. */
static int create_parts(const settings *s, problem *p, const row_split *split)
{
    int with_test = s->transductive || s->transductive_features;
    int code = create_training(s, p, split);
    if (code == EXIT_OK && p->test.table && with_test) code = create_test(s, p);
    if (code == EXIT_OK) code = preprocess(s, p);
    if (code == EXIT_OK && p->test.table && !with_test) code = create_test(s, p);
    if (code == EXIT_OK) code = create_choosing(s, p);
    return code;
}

/* "Balanced", "balance": a slip, and no list of labels. */
static int is_nearly_balanced(const char *text)
{
    char word[16] = "";
    for (size_t i = 0; text[i] && i + 1 < sizeof word; i++)
        word[i] = (char)tolower((unsigned char)text[i]);
    suggestion near = suggest_for(word, strlen(word));
    suggest_offer(&near, "balanced");
    return !strchr(text, '=') && near.nearest;
}

static int refuse_weights(const settings *s, const rls2_error *err)
{
    static const char PREFIX[] = "class weights: "; /* the option says the same */
    const char *message = err->message;
    if (strncmp(message, PREFIX, sizeof PREFIX - 1) == 0) message += sizeof PREFIX - 1;
    say_error(s, "%s%s%s", s->class_weights ? "--class-weights: " : "", message,
              s->class_weights && is_nearly_balanced(s->class_weights)
                  ? "; did you mean 'balanced'?"
                  : "");
    return err->status == RLS2_ERR_MEMORY ? EXIT_FAILED : EXIT_USAGE;
}

/* What each training row counts in the fit: its own weight times that of its class. */
static int set_weights(const settings *s, problem *p)
{
    rls2_error err;
    if (!s->weights && !s->class_weights) return EXIT_OK;
    p->weights = calloc((size_t)rls2_dataset_rows(p->train.data) + 1, sizeof *p->weights);
    if (!p->weights) return out_of_memory(s);
    if (rls2_dataset_fit_weights(p->train.data, s->class_weights, p->weights, &err) == RLS2_OK) {
        describe_weights(s, p->train.data, p->weights);
        return EXIT_OK;
    }
    return refuse_weights(s, &err);
}

void part_use(part *used)
{
    used->rows = (rls2_rows){.n = rls2_dataset_rows(used->data),
                             .p = rls2_dataset_columns(used->data),
                             .x = rls2_dataset_x(used->data)};
    given_use(&used->given, &used->rows);
}

/* Rows of the file for the rows of training and validation data together. NULL when out of memory.
 */
static int64_t *choosing_rows(const problem *p, const row_split *split)
{
    int64_t n = rls2_dataset_rows(p->choosing.data), above = rls2_table_rows(p->train.table);
    int64_t *source = calloc((size_t)n + 1, sizeof *source);
    for (int64_t i = 0; source && i < n; i++) {
        int64_t row = rls2_dataset_source_row(p->choosing.data, i);
        source[i] = row < above ? split->kept[row] : split->validating[row - above];
    }
    return source;
}

/* The square of the matrices over the rows of a part, whose `source` is set. */
static int load_square(const settings *s, problem *p, part *on)
{
    int64_t n = rls2_dataset_rows(on->data);
    if (!on->source) return out_of_memory(s);
    given_range range = {
        .row_count = n, .rows = on->source, .column_count = n, .columns = on->source, .square = 1};
    return given_load(s, p->file, NULL, 0, &range, &on->given);
}

static int load_given(const settings *s, problem *p, const row_split *split)
{
    p->train.source = file_rows(p->train.data, split->kept);
    int code = load_square(s, p, &p->train);
    if (code != EXIT_OK || p->train.given.count == 0) return code;
    if ((s->test && p->test.data) || s->validation) {
        say_error(s, "precomputed matrices go with %s, not with %s: one matrix holds all rows",
                  s->test ? "--test-rows" : "--validation-rows",
                  s->test ? "--test" : "--validation");
        return EXIT_USAGE;
    }
    if (p->choosing.data) {
        p->choosing.source = choosing_rows(p, split);
        code = load_square(s, p, &p->choosing);
    }
    if (code != EXIT_OK || !p->test.data) return code;
    p->test.source = file_rows(p->test.data, split->marked);
    if (!p->test.source) return out_of_memory(s);
    given_range range = {.row_count = rls2_dataset_rows(p->test.data),
                         .rows = p->test.source,
                         .column_count = rls2_dataset_rows(p->train.data),
                         .columns = p->train.source,
                         .square = 1};
    return given_load(s, p->file, NULL, 0, &range, &p->test.given);
}

/* ---- columns ---- */

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
    if (s->standardize && strcmp(s->features, "none") != 0 &&
        strcmp(s->features, "standardize") != 0) {
        say_error(s, "--standardize and --features %s exclude each other", s->features);
        return EXIT_USAGE;
    }
    if (s->test && s->test_rows) {
        say_error(s, "--test and --test-rows exclude each other");
        return EXIT_USAGE;
    }
    if (s->validation && s->validation_rows) {
        say_error(s, "--validation and --validation-rows exclude each other");
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
    if (s->transductive && s->weights) {
        say_error(s, "--transductive counts the test rows once each: with --weights use "
                     "--transductive-features");
        return EXIT_USAGE;
    }
    if ((!s->transductive && !s->transductive_features) || p->test.table) return EXIT_OK;
    say_error(
        s, "--transductive uses the inputs of the test rows: give them by --test or --test-rows");
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
    if (code == EXIT_OK) code = create_parts(s, p, &split);
    if (code == EXIT_OK) code = set_weights(s, p);
    if (code == EXIT_OK) code = load_given(s, p, &split);
    if (code == EXIT_OK) code = set_columns(s, p);
    if (code == EXIT_OK) code = check_inputs(s, p);
    if (code == EXIT_OK) {
        part_use(&p->train);
        if (p->test.data) part_use(&p->test);
        describe_parts(s, p->train.data, p->test.table, p->test.data);
        p->spec = dictionary_text(s, p);
        if (!p->spec) code = out_of_memory(s);
    }
    split_free(&split);
    return code;
}
