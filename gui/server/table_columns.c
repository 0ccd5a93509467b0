/* Describes the columns of a table, guesses target and task, and shows rows of it. */
#include "gui/server/table_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gui/server/run_plan.h"

enum { BINS = 16, MOST_VALUES = 12, MOST_DISTINCT = 1000, MOST_DETAILED = 1000 };

json_t *json_finite(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* How many bytes the character has that begins there; 0 if they are not UTF-8 (RFC 3629). */
static int character(const unsigned char *c)
{
    int length = c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    if (c[0] < 0x80) return 1;
    if (c[0] < 0xc2 || c[0] > 0xf4) return 0;
    for (int i = 1; i < length; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90))
        return 0; /* longer than need be */
    if ((c[0] == 0xed && c[1] >= 0xa0) || (c[0] == 0xf4 && c[1] >= 0x90))
        return 0; /* no characters */
    return length;
}

/* Files may be in any encoding, and names are cut anywhere; JSON is UTF-8. */
json_t *json_words(const char *text)
{
    json_t *made = text ? json_string(text) : json_null();
    if (made) return made;
    char *copy = strdup(text);
    for (char *c = copy; c && *c;) {
        int length = character((const unsigned char *)c);
        if (length == 0) *c = '?';
        c += length > 0 ? length : 1;
    }
    made = copy ? json_string(copy) : NULL;
    free(copy);
    return made;
}

const char *columns_number(double value, char text[32])
{
    /* 15 digits are the shortest text whenever they are enough */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return text;
}

const char *columns_cell(const rls2_table *table, int64_t row, int64_t column, char text[32])
{
    const char *cell = rls2_table_cell(table, row, column);
    double value = rls2_table_value(table, row, column);
    return !*cell && !isnan(value) ? columns_number(value, text) : cell;
}

/* ---- reading ---- */

/* A few bytes can stand for very many. */
static int say_too_large(const rls2_error *err, fault *f)
{
    return fault_say(f, HTTP_LARGE, "data",
                     "%s. The page takes tables of up to %lld MiB when unpacked, and of up to %lld "
                     "cells, zeros too; "
                     "'rls2 train' takes what the machine's memory holds",
                     err->message, (long long)(MOST_UNPACKED >> 20), (long long)MOST_TABLE_CELLS);
}

static int parse(const char *name, const char *bytes, size_t length, rls2_read_options *options,
                 rls2_table **table, fault *f)
{
    rls2_error err;
    options->max_bytes = MOST_UNPACKED;
    options->max_cells = MOST_TABLE_CELLS;
    rls2_status status = rls2_table_parse(name, bytes, (int64_t)length, options, table, &err);
    if (status == RLS2_ERR_MEMORY) return say_too_large(&err, f);
    return status == RLS2_OK ? 0 : fault_of(f, "data", &err);
}

int columns_read(const store *s, const char *path, const char *name, const json_t *reading,
                 rls2_table **table, fault *f)
{
    rls2_error err;
    rls2_plan *plan = NULL;
    size_t length;
    rls2_read_options options;
    if (rls2_plan_create(RLS2_GOAL_KERNELS, RLS2_VOICE_PLAIN, &plan, &err) != RLS2_OK)
        return fault_of(f, NULL, &err);
    int code = plan_set_json(plan, reading, f);
    if (!code && rls2_plan_read_options(plan, &options, sizeof options, &err) != RLS2_OK)
        code = plan_fault(plan, &err, f);
    char *bytes = code ? NULL : store_read(s, path, &length);
    if (!code && !bytes) code = fault_say(f, HTTP_FAILED, "data", "%s cannot be read", name);
    if (!code) code = parse(name, bytes, length, &options, table, f);
    free(bytes);
    rls2_plan_free(plan);
    return code;
}

/* ---- numbers ---- */

typedef struct summary {
    int64_t count;
    double least, most, mean, deviation;
} summary;

static summary summarize(const rls2_table *table, int64_t column)
{
    summary s = {.least = HUGE_VAL, .most = -HUGE_VAL};
    double squares = 0.0;
    for (int64_t i = 0; i < rls2_table_rows(table); i++) {
        double value = rls2_table_value(table, i, column);
        if (isnan(value)) continue;
        double step = value - s.mean;
        s.count++;
        s.mean += step / (double)s.count; /* Welford */
        squares += step * (value - s.mean);
        s.least = fmin(s.least, value);
        s.most = fmax(s.most, value);
    }
    s.deviation = s.count > 1 ? sqrt(squares / (double)(s.count - 1)) : (double)NAN;
    return s;
}

static json_t *make_histogram(const rls2_table *table, int64_t column, const summary *s)
{
    int64_t bins[BINS] = {0};
    double width = (s->most - s->least) / BINS;
    json_t *list = json_array();
    for (int64_t i = 0; i < rls2_table_rows(table); i++) {
        double value = rls2_table_value(table, i, column);
        if (isnan(value)) continue;
        double at = width > 0.0 ? (value - s->least) / width : 0.0;
        bins[at < BINS ? (int)at : BINS - 1]++;
    }
    for (int b = 0; b < BINS; b++) json_array_append_new(list, json_integer(bins[b]));
    return list;
}

static void add_numbers(const rls2_table *table, int64_t column, json_t *about)
{
    summary s = summarize(table, column);
    if (s.count == 0) return;
    json_object_set_new(about, "min", json_finite(s.least));
    json_object_set_new(about, "max", json_finite(s.most));
    json_object_set_new(about, "mean", json_finite(s.mean));
    json_object_set_new(about, "sd", json_finite(s.deviation));
    json_object_set_new(about, "histogram", make_histogram(table, column, &s));
}

/* ---- frequent values ---- */

typedef struct tally {
    const char *text;
    char number[32];
    int64_t count;
} tally;

static int by_text(const void *a, const void *b)
{
    const tally *x = a, *y = b;
    return strcmp(x->text ? x->text : x->number, y->text ? y->text : y->number);
}

static int by_count(const void *a, const void *b)
{
    const tally *x = a, *y = b;
    return x->count > y->count ? -1 : x->count < y->count ? 1 : by_text(a, b);
}

/* Every cell that is not missing, as a tally of one. */
static int64_t collect(const rls2_table *table, int64_t column, tally *all)
{
    int64_t count = 0;
    for (int64_t i = 0; i < rls2_table_rows(table); i++) {
        tally *t = &all[count];
        t->text = rls2_table_cell(table, i, column);
        t->count = 1;
        if (*t->text) {
            count++;
            continue;
        }
        double value = rls2_table_value(table, i, column);
        t->text = NULL;
        if (isnan(value)) continue;
        columns_number(value, t->number);
        count++;
    }
    return count;
}

static int64_t merge(tally *all, int64_t count)
{
    int64_t distinct = 0;
    qsort(all, (size_t)count, sizeof *all, by_text);
    for (int64_t i = 0; i < count; i++) {
        if (distinct > 0 && by_text(&all[distinct - 1], &all[i]) == 0)
            all[distinct - 1].count++;
        else
            all[distinct++] = all[i];
    }
    qsort(all, (size_t)distinct, sizeof *all, by_count);
    return distinct;
}

static json_t *make_values(const rls2_table *table, int64_t column)
{
    json_t *list = json_array();
    tally *all = calloc((size_t)rls2_table_rows(table) + 1, sizeof *all);
    int64_t distinct = all ? merge(all, collect(table, column, all)) : 0;
    for (int64_t i = 0; i < distinct && i < MOST_VALUES; i++)
        json_array_append_new(list, json_pack("{s:o, s:I}", "text",
                                              json_words(all[i].text ? all[i].text : all[i].number),
                                              "count", (json_int_t)all[i].count));
    free(all);
    return list;
}

/* ---- columns ---- */

const char *columns_kind(rls2_column_kind kind)
{
    static const char *const NAMES[] = {"number", "text", "date"};
    return NAMES[kind];
}

/* How the column is written: its first cell that is not missing. */
static json_t *example_of(const rls2_table *table, int64_t column)
{
    const char *cell = "";
    for (int64_t i = 0; !*cell && i < rls2_table_rows(table); i++)
        cell = rls2_table_cell(table, i, column);
    return json_words(cell);
}

static json_t *about_column(const rls2_table *table, int64_t column)
{
    int numeric = rls2_table_is_numeric(table, column);
    json_t *about =
        json_pack("{s:o, s:s, s:I}", "name", json_words(rls2_table_column_name(table, column)),
                  "kind", columns_kind(rls2_table_kind(table, column)), "missing",
                  (json_int_t)rls2_table_missing(table, column));
    if (!about || column >= MOST_DETAILED) return about;
    int64_t distinct = rls2_table_distinct(table, column, MOST_DISTINCT);
    json_object_set_new(about, "distinct", json_integer(distinct));
    if (numeric) add_numbers(table, column, about);
    if (rls2_table_kind(table, column) == RLS2_COLUMN_DATES)
        json_object_set_new(about, "example", example_of(table, column));
    if (!numeric || distinct <= MOST_VALUES)
        json_object_set_new(about, "values", make_values(table, column));
    return about;
}

static int is_bookkeeping(const char *name)
{
    static const char *const NAMES[] = {"train", "test", "split",  "fold",   "part",
                                        "set",   "id",   "weight", "weights"};
    for (size_t n = 0; n < sizeof NAMES / sizeof *NAMES; n++)
        if (strcasecmp(name, NAMES[n]) == 0) return 1;
    return 0;
}

/* Columns that tell rows apart, or have but one value, are not what is to be predicted. */
static int is_predictable(const rls2_table *table, int64_t column)
{
    const char *name = rls2_table_column_name(table, column), *rows = rls2_table_row_names(table);
    int64_t half = rls2_table_rows(table) / 2 + 2;
    if (is_bookkeeping(name) || (rows && strcmp(name, rows) == 0)) return 0;
    if (rls2_table_kind(table, column) == RLS2_COLUMN_DATES) return 0;
    if (rls2_table_distinct(table, column, 2) < 2) return 0;
    return rls2_table_is_numeric(table, column) || rls2_table_distinct(table, column, half) < half;
}

/* A column whose name says so, else the last. */
static const char *guess_target(const rls2_table *table)
{
    static const char *const NAMES[] = {"target", "y", "class", "label", "outcome", "response"};
    int64_t columns = rls2_table_columns(table);
    if (rls2_table_target(table)) return rls2_table_target(table);
    for (size_t n = 0; n < sizeof NAMES / sizeof *NAMES; n++)
        for (int64_t j = 0; j < columns; j++)
            if (strcasecmp(rls2_table_column_name(table, j), NAMES[n]) == 0)
                return rls2_table_column_name(table, j);
    for (int64_t j = columns - 1; j >= 0; j--)
        if (is_predictable(table, j)) return rls2_table_column_name(table, j);
    return columns > 0 ? rls2_table_column_name(table, columns - 1) : NULL;
}

static const char *guess_task(const rls2_table *table, const char *target)
{
    int64_t column = target ? rls2_table_find(table, target) : -1;
    if (column < 0) return "regression";
    if (!rls2_table_is_numeric(table, column)) return "classification";
    return rls2_table_distinct(table, column, 3) == 2 ? "classification" : "regression";
}

static json_t *target_list(const rls2_table *table)
{
    const char *const *names;
    int64_t count = rls2_table_targets(table, &names);
    json_t *list = json_array();
    for (int64_t t = 0; t < count; t++) json_array_append_new(list, json_words(names[t]));
    if (count == 0 && guess_target(table))
        json_array_append_new(list, json_words(guess_target(table)));
    return list;
}

static json_t *note_list(const rls2_table *table)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < rls2_table_note_count(table); i++)
        json_array_append_new(list, json_words(rls2_table_note(table, i)));
    return list;
}

/* For each note the setting that reads the file otherwise, as {name: value}, or null. */
static json_t *undo_list(const rls2_table *table)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < rls2_table_note_count(table); i++) {
        const char *value = NULL, *setting = rls2_table_note_undo(table, i, &value);
        json_array_append_new(list, setting ? json_pack("{s:s}", setting, value) : json_null());
    }
    return list;
}

/* "," or "tab", as the setting is written; null where the file has none. */
static json_t *delimiter_of(const rls2_table *table)
{
    char sign[2] = {rls2_table_delimiter(table), '\0'};
    if (!sign[0]) return json_null();
    return json_words(sign[0] == '\t' ? "tab" : sign[0] == ' ' ? "space" : sign);
}

json_t *columns_about(const rls2_table *table)
{
    const char *target = guess_target(table), *marker = rls2_table_marker(table);
    json_t *columns = json_array();
    for (int64_t j = 0; j < rls2_table_columns(table); j++)
        json_array_append_new(columns, about_column(table, j));
    return json_pack("{s:s, s:I, s:I, s:o, s:o, s:o, s:s, s:b, s:o, s:o, s:o, s:b, s:o, s:o}",
                     "format", rls2_table_format(table), "rows", (json_int_t)rls2_table_rows(table),
                     "column_count", (json_int_t)rls2_table_columns(table), "target",
                     json_words(target), "targets", target_list(table), "marker",
                     json_words(marker), "task_guess", guess_task(table, target), "precomputed",
                     rls2_table_is_precomputed(table), "row_names",
                     json_words(rls2_table_row_names(table)), "notes", note_list(table), "undo",
                     undo_list(table), "header", rls2_table_header(table), "delimiter",
                     delimiter_of(table), "columns", columns);
}

json_t *columns_rows(const rls2_table *table, int64_t from, int64_t count)
{
    json_t *rows = json_array();
    int64_t end = rls2_table_rows(table);
    for (int64_t i = from; i < end && i - from < count; i++) {
        json_t *cells = json_array();
        char text[32];
        for (int64_t j = 0; j < rls2_table_columns(table); j++)
            json_array_append_new(cells, json_words(columns_cell(table, i, j, text)));
        json_array_append_new(rows, cells);
    }
    return rows;
}
