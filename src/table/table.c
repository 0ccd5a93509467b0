/* Tables: their life, what can be asked of them, and how their texts stand in messages. */
#include "table/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/lookup.h"
#include "base/number.h"
#include "base/text.h"
#include "table/words.h"

/* ---- life ---- */

/* A cut between the bytes of one UTF-8 character would make the message invalid. */
static int is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* The end of a long name tells more than its beginning. */
static void set_name(rls2_table *table, const char *name)
{
    static const char ellipsis[] = "...";
    size_t length = strlen(name), room = sizeof table->name - 1;
    if (length <= room) {
        memcpy(table->name, name, length + 1);
        return;
    }
    const char *tail = name + length - (room - strlen(ellipsis));
    while (is_continuation(*tail)) tail++;
    snprintf(table->name, sizeof table->name, "%s%s", ellipsis, tail);
}

rls2_table *rls2__table_create(const char *name)
{
    rls2_table *table = rls2__alloc_zero(1, sizeof *table);
    if (!table) return NULL;
    set_name(table, name);
    table->row_names = -1;
    table->arena = rls2__arena_create();
    if (!table->arena) {
        rls2_table_free(table);
        return NULL;
    }
    return table;
}

static void release_pool(rls2__pool *pool)
{
    if (!pool || atomic_fetch_sub(&pool->owners, 1) > 1) return;
    rls2__free(pool->text);
    rls2__free(pool);
}

void rls2_table_free(rls2_table *table)
{
    if (!table) return;
    release_pool(table->pool);
    rls2__free(table->value);
    rls2__free(table->row_start);
    rls2__free(table->row_line);
    rls2__free(table->cell);
    rls2__free(table->row_file);
    rls2__arena_free(table->arena);
    rls2__free(table);
}

/* ---- filling ---- */

rls2_status rls2__table_set_columns(rls2_table *table, int64_t columns, rls2_error *err)
{
    rls2_status status = rls2__limit_cells(&table->limits, table->name, 0, columns, err);
    if (status != RLS2_OK) return status;
    const char **names = rls2__arena_alloc(table->arena, rls2__mul(columns, sizeof *names));
    int64_t *numbers = rls2__arena_alloc(table->arena, rls2__mul(columns, sizeof *numbers));
    int64_t *texts = rls2__arena_alloc(table->arena, rls2__mul(columns, sizeof *texts));
    rls2__style *styles = rls2__arena_alloc(table->arena, rls2__mul(columns, sizeof *styles));
    if (!names || !numbers || !texts || !styles)
        return rls2__fail_memory(err, "the columns of a table");
    table->names = names;
    table->numbers = numbers;
    table->texts = texts;
    table->styles = styles;
    table->columns = columns;
    return RLS2_OK;
}

rls2_status rls2__table_reserve(rls2_table *table, int64_t rows, int64_t columns, rls2_error *err)
{
    table->value = rls2__alloc_zero(rls2__mul(rows, columns), sizeof *table->value);
    if (!table->value)
        return rls2__fail(err, RLS2_ERR_MEMORY,
                          "out of memory for %" PRId64 " rows of %" PRId64 " columns", rows,
                          columns);
    table->rows = rows;
    return rls2__table_set_columns(table, columns, err);
}

rls2_status rls2__table_name_columns(rls2_table *table, int64_t first, int64_t count,
                                     const char *prefix, int plain, rls2_error *err)
{
    for (int64_t j = 0; j < count; j++) {
        char name[64];
        int length = plain ? snprintf(name, sizeof name, "%s", prefix)
                           : snprintf(name, sizeof name, "%s%" PRId64, prefix, j + 1);
        table->names[first + j] = rls2__arena_text(table->arena, name, length);
        if (!table->names[first + j]) return rls2__fail_memory(err, "the columns of a table");
    }
    return RLS2_OK;
}

void rls2__table_count_row(rls2_table *table, int64_t row)
{
    for (int64_t j = 0; j < table->columns; j++) {
        if (!isnan(rls2__table_number(table, row, j)))
            table->numbers[j]++;
        else if (!rls2__table_is_missing(table, row, j))
            table->texts[j]++;
    }
}

void rls2__table_count_kinds(rls2_table *table)
{
    memset(table->numbers, 0, (size_t)table->columns * sizeof *table->numbers);
    memset(table->texts, 0, (size_t)table->columns * sizeof *table->texts);
    for (int64_t i = 0; i < table->rows; i++) rls2__table_count_row(table, i);
    rls2__invariant(table->target_count >= 0 &&
                    table->first_target + table->target_count <= table->columns);
}

/* ---- notes ---- */

/* One place more for a note, the old ones with it. */
static int reserve_note(rls2_table *table)
{
    enum { FIRST_ROOM = 8 };
    if (table->note_count < table->note_room) return 1;
    int64_t room = table->note_room > 0 ? rls2__mul(table->note_room, 2) : FIRST_ROOM;
    rls2__table_note *notes = rls2__arena_alloc(table->arena, rls2__mul(room, sizeof *notes));
    if (!notes) return 0;
    if (table->note_count > 0)
        memcpy(notes, table->notes, (size_t)table->note_count * sizeof *notes);
    table->notes = notes;
    table->note_room = room;
    return 1;
}

rls2_status rls2__table_add_note(rls2_table *table, rls2_error *err, const char *format, ...)
{
    char text[512]; /* names and cells in it are shown, and thus short */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *kept = reserve_note(table) ? rls2__arena_copy(table->arena, text) : NULL;
    if (!kept) return rls2__fail_memory(err, "the notes on a table");
    table->notes[table->note_count++] = (rls2__table_note){.text = kept};
    return RLS2_OK;
}

void rls2__table_undo_note(rls2_table *table, const char *setting, const char *value)
{
    if (table->note_count == 0) return;
    rls2__table_note *last = &table->notes[table->note_count - 1];
    last->setting = setting;
    last->value = value;
}

static rls2_status copy_notes(rls2_table *table, const rls2_table *from, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int64_t k = 0; k < from->note_count && status == RLS2_OK; k++) {
        const rls2__table_note *note = &from->notes[k];
        status = rls2__table_add_note(table, err, "%s", note->text);
        if (status == RLS2_OK) rls2__table_undo_note(table, note->setting, note->value);
    }
    return status;
}

int64_t rls2_table_note_count(const rls2_table *table)
{
    return table ? table->note_count : 0;
}

const char *rls2_table_note(const rls2_table *table, int64_t note)
{
    return table && note >= 0 && note < table->note_count ? table->notes[note].text : NULL;
}

const char *rls2_table_note_undo(const rls2_table *table, int64_t note, const char **value)
{
    if (!table || note < 0 || note >= table->note_count) return NULL;
    if (value) *value = table->notes[note].value;
    return table->notes[note].setting;
}

/* ---- some of the rows ---- */

static rls2_status check_rows(const rls2_table *table, int64_t count, const int64_t *rows,
                              rls2_error *err)
{
    if (count < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "count is %" PRId64 ", not at least 1", count);
    if (!rows) return rls2__fail_null(err, "rows");
    for (int64_t i = 0; i < count; i++)
        if (rows[i] < 0 || rows[i] >= table->rows)
            return rls2__fail(err, RLS2_ERR_ARGUMENT,
                              "rows[%" PRId64 "] is %" PRId64 ", not within 0..%" PRId64, i,
                              rows[i], table->rows - 1);
    return RLS2_OK;
}

static const char *copy_name(rls2_table *table, const char *name)
{
    return rls2__arena_copy(table->arena, name);
}

rls2_status rls2__table_copy_columns(rls2_table *table, const rls2_table *from, rls2_error *err)
{
    rls2_status status = rls2__table_set_columns(table, from->columns, err);
    if (status != RLS2_OK) return status;
    for (int64_t j = 0; j < from->columns; j++)
        if (!(table->names[j] = copy_name(table, from->names[j])))
            return rls2__fail_memory(err, "the columns of a table");
    memcpy(table->styles, from->styles, (size_t)from->columns * sizeof *table->styles);
    if (from->all_text && !(table->all_text = rls2__arena_alloc(table->arena, from->columns)))
        return rls2__fail_memory(err, "the columns of a table");
    if (from->all_text) memcpy(table->all_text, from->all_text, (size_t)from->columns);
    status = rls2__table_copy_conventions(table, from, err);
    return status == RLS2_OK ? copy_notes(table, from, err) : status;
}

rls2_status rls2__table_copy_conventions(rls2_table *table, const rls2_table *from, rls2_error *err)
{
    table->first_target = from->first_target;
    table->target_count = from->target_count;
    if (from->marker && !(table->marker = copy_name(table, from->marker)))
        return rls2__fail_memory(err, "the columns of a table");
    table->format = from->format;
    table->delimiter = from->delimiter;
    table->header = from->header;
    table->precomputed = from->precomputed;
    table->sparse = from->sparse;
    table->row_names = from->row_names;
    table->weak_words = from->weak_words;
    table->decimal = from->decimal;
    return RLS2_OK;
}

/* The files of the rows of another table, and room for the file of each of its own; nothing where
 * the other is of one file. */
static rls2_status copy_files(rls2_table *table, const rls2_table *from, rls2_error *err)
{
    if (!from->row_file) return RLS2_OK;
    int64_t bytes = rls2__mul(from->file_count, sizeof *table->files);
    table->files = rls2__arena_alloc(table->arena, bytes);
    table->row_file = rls2__alloc(table->rows, sizeof *table->row_file);
    if (!table->files || !table->row_file) return rls2__fail_memory(err, "the rows of a table");
    memcpy(table->files, from->files, (size_t)bytes);
    table->file_count = from->file_count;
    return RLS2_OK;
}

static rls2_status reserve_rows(rls2_table *taken, const rls2_table *table, int64_t count,
                                rls2_error *err)
{
    int64_t cells = rls2__mul(count, table->columns);
    taken->rows = count;
    taken->value = rls2__alloc(cells, sizeof *taken->value);
    if (table->pool) taken->cell = rls2__alloc(cells, sizeof *taken->cell);
    if (table->pool) taken->row_start = rls2__alloc(count, sizeof *taken->row_start);
    taken->row_line = rls2__alloc(count, sizeof *taken->row_line);
    if (!taken->value || !taken->row_line || (table->pool && (!taken->cell || !taken->row_start)))
        return rls2__fail(err, RLS2_ERR_MEMORY,
                          "out of memory for %" PRId64 " rows of %" PRId64 " columns", count,
                          table->columns);
    return RLS2_OK;
}

static void copy_row(rls2_table *taken, int64_t to, const rls2_table *table, int64_t from)
{
    int64_t columns = table->columns;
    memcpy(taken->value + to * columns, table->value + from * columns,
           (size_t)columns * sizeof *table->value);
    taken->row_line[to] = rls2_table_line(table, from);
    if (table->row_file) taken->row_file[to] = table->row_file[from];
    if (!table->pool) return;
    memcpy(taken->cell + to * columns, table->cell + from * columns,
           (size_t)columns * sizeof *table->cell);
    taken->row_start[to] = table->row_start[from];
}

rls2_status rls2_table_take(const rls2_table *table, int64_t count, const int64_t *rows,
                            rls2_table **taken, rls2_error *err)
{
    if (!table) return rls2__fail_null(err, "table");
    if (!taken) return rls2__fail_null(err, "taken");
    rls2_status status = check_rows(table, count, rows, err);
    if (status != RLS2_OK) return status;

    rls2_table *made = rls2__table_create(table->name);
    if (!made) return rls2__fail_memory(err, "a table");
    status = rls2__table_copy_columns(made, table, err);
    if (status == RLS2_OK) status = reserve_rows(made, table, count, err);
    if (status == RLS2_OK) status = copy_files(made, table, err);
    if (status != RLS2_OK) {
        rls2_table_free(made);
        return status;
    }
    made->pool = table->pool;
    rls2__invariant(!made->pool || atomic_load(&made->pool->owners) > 0);
    if (made->pool) atomic_fetch_add(&made->pool->owners, 1);
    for (int64_t i = 0; i < count; i++) copy_row(made, i, table, rows[i]);
    rls2__table_count_kinds(made);
    *taken = made;
    return RLS2_OK;
}

/* ---- columns ---- */

int64_t rls2_table_rows(const rls2_table *table)
{
    return table ? table->rows : 0;
}

int64_t rls2_table_columns(const rls2_table *table)
{
    return table ? table->columns : 0;
}

static int has_column(const rls2_table *table, int64_t column)
{
    return table && column >= 0 && column < table->columns;
}

const char *rls2_table_column_name(const rls2_table *table, int64_t column)
{
    return has_column(table, column) ? table->names[column] : NULL;
}

int64_t rls2_table_find(const rls2_table *table, const char *name)
{
    if (!table || !name) return -1;
    for (int64_t j = 0; j < table->columns; j++)
        if (strcmp(table->names[j], name) == 0) return j;
    return -1;
}

int rls2_table_is_numeric(const rls2_table *table, int64_t column)
{
    return has_column(table, column) && table->texts[column] == 0;
}

rls2_column_kind rls2_table_kind(const rls2_table *table, int64_t column)
{
    if (!has_column(table, column)) return RLS2_COLUMN_NUMBERS;
    if (table->texts[column] > 0) return RLS2_COLUMN_TEXT;
    int dates = table->styles[column].kind == RLS2__STYLE_DATE;
    return dates ? RLS2_COLUMN_DATES : RLS2_COLUMN_NUMBERS;
}

const char *rls2_table_row_names(const rls2_table *table)
{
    return table && table->row_names >= 0 ? table->names[table->row_names] : NULL;
}

int64_t rls2_table_missing(const rls2_table *table, int64_t column)
{
    if (!has_column(table, column)) return 0;
    int64_t missing = table->rows - table->numbers[column] - table->texts[column];
    rls2__invariant(missing >= 0);
    return missing;
}

/* Adds a number by its bits, 0 and -0 as one; -1 when out of memory. */
static int64_t add_number(rls2__lookup *values, rls2__arena *arena, double number)
{
    uint64_t bits;
    char key[20];
    number += 0.0;
    memcpy(&bits, &number, sizeof bits);
    snprintf(key, sizeof key, "%016" PRIx64, bits);
    int64_t index = rls2__lookup_find(values, key);
    if (index >= 0) return index;
    const char *kept = rls2__arena_copy(arena, key);
    return kept ? rls2__lookup_add(values, kept) : -1;
}

int64_t rls2_table_distinct(const rls2_table *table, int64_t column, int64_t limit)
{
    if (!has_column(table, column)) return 0;
    rls2__lookup *numbers = rls2__lookup_create(), *texts = rls2__lookup_create();
    rls2__arena *arena = rls2__arena_create();
    int64_t count = numbers && texts && arena ? 0 : -1;
    for (int64_t i = 0; i < table->rows && count >= 0 && count < limit; i++) {
        char unused[RLS2__NUMBER_TEXT];
        double number = rls2__table_number(table, i, column);
        if (rls2__table_is_missing(table, i, column)) continue;
        int64_t added = isnan(number)
                            ? rls2__lookup_add(texts, rls2__table_text(table, i, column, unused))
                            : add_number(numbers, arena, number);
        count = added < 0 ? -1 : rls2__lookup_count(numbers) + rls2__lookup_count(texts);
    }
    rls2__arena_free(arena);
    rls2__lookup_free(numbers);
    rls2__lookup_free(texts);
    return count;
}

/* ---- cells ---- */

static int has_cell(const rls2_table *table, int64_t row, int64_t column)
{
    return has_column(table, column) && row >= 0 && row < table->rows;
}

const char *rls2_table_cell(const rls2_table *table, int64_t row, int64_t column)
{
    const char *text =
        has_cell(table, row, column) ? rls2__table_written(table, row, column) : NULL;
    return text ? text : "";
}

double rls2_table_value(const rls2_table *table, int64_t row, int64_t column)
{
    return has_cell(table, row, column) ? rls2__table_number(table, row, column) : (double)NAN;
}

int rls2__is_weak_word(const char *text)
{
    return rls2__missing_word(text) >= RLS2__USUAL_WORDS;
}

/* A date with the year first is the same day in every order, and how programs write dates. */
static int read_year_first(const rls2__style *style, const char *text, double *value)
{
    rls2__style other = *style;
    other.order = RLS2__DATE_YMD;
    return style->kind == RLS2__STYLE_DATE && style->order != RLS2__DATE_TIME &&
           rls2__style_read(&other, text, value);
}

double rls2__table_number_as(const rls2_table *table, int64_t row, int64_t column,
                             const rls2__style *style)
{
    double own = rls2__table_number(table, row, column), value;
    const rls2__style *found = &table->styles[column];
    const char *text = rls2__table_written(table, row, column);
    int dates = style->kind == RLS2__STYLE_DATE || found->kind == RLS2__STYLE_DATE;
    if (!text || *text == '\0' || rls2__style_same(style, found)) return own;
    if (table->decimal && !dates && !isnan(own)) return own; /* as somebody asked */
    if (rls2__style_read(style, text, &value)) return value;
    if (read_year_first(style, text, &value)) return value;
    return dates ? (double)NAN : own;
}

/* 1 if every text of the column is a word for infinity. */
static int is_only_infinite(const rls2_table *table, int64_t column)
{
    for (int64_t i = 0; i < table->rows; i++) {
        const char *text = rls2__table_written(table, i, column);
        if (text && *text && isnan(rls2__table_number(table, i, column)) &&
            !rls2__is_infinite_word(text))
            return 0;
    }
    return 1;
}

int rls2__table_is_text(const rls2_table *table, int64_t column)
{
    if (table->all_text) return table->all_text[column];
    return table->texts[column] > table->numbers[column] && !is_only_infinite(table, column);
}

int rls2__table_is_missing_as(const rls2_table *table, int64_t row, int64_t column, int is_text)
{
    if (rls2__table_is_missing(table, row, column)) return 1;
    if (is_text || !table->weak_words || !isnan(rls2__table_number(table, row, column))) return 0;
    const char *text = rls2__table_written(table, row, column);
    return text && rls2__missing_word(text) >= 0;
}

/* Whatever the locale's decimal point is, it is made a point. */
static void put_point(char *text)
{
    char *out = text;
    for (const char *in = text; *in; in++) {
        if (strchr("0123456789+-e", *in))
            *out++ = *in;
        else if (out == text || out[-1] != '.')
            *out++ = '.';
    }
    *out = '\0';
}

/* printf and strtod follow the same locale, so that the test holds in any. 17 digits always do. */
void rls2__table_write_number(double value, char buffer[RLS2__NUMBER_TEXT])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, RLS2__NUMBER_TEXT, "%.*g", digits, value + 0.0); /* -0 + 0 = 0 */
        if (strtod(buffer, NULL) == value) break;
    }
    put_point(buffer);
}

const char *rls2__table_text(const rls2_table *table, int64_t row, int64_t column,
                             char buffer[RLS2__NUMBER_TEXT])
{
    const char *text = rls2__table_written(table, row, column);
    if (text) return text;
    double value = rls2__table_number(table, row, column);
    buffer[0] = '\0';
    if (!isnan(value)) rls2__table_write_number(value, buffer);
    return buffer;
}

/* The text as a number of the column: as it is written there, or plain. */
static int read_as(const rls2__style *style, const char *text, double *value)
{
    if (rls2__style_read(style, text, value)) return 1;
    return style->kind == RLS2__STYLE_DECORATED && rls2__number_read(text, value);
}

int rls2_table_holds(const rls2_table *table, int64_t row, int64_t column, const char *value)
{
    double wanted;
    char buffer[RLS2__NUMBER_TEXT];
    if (!value || !has_cell(table, row, column)) return 0;
    double number = rls2__table_number(table, row, column);
    if (!isnan(number) && read_as(&table->styles[column], value, &wanted)) return number == wanted;
    return strcmp(rls2__table_text(table, row, column, buffer), value) == 0;
}

int64_t rls2_table_line(const rls2_table *table, int64_t row)
{
    if (!table || row < 0 || row >= table->rows) return -1;
    return table->row_line ? table->row_line[row] : table->rows_before + row + 1;
}

/* Rows taken of a file without lines keep their numbers, which are no lines. */
int rls2__table_has_lines(const rls2_table *table, int64_t row)
{
    if (table->row_file) return table->files[table->row_file[row]].has_lines;
    return table->row_line &&
           (table->format == RLS2_FORMAT_CSV || table->format == RLS2_FORMAT_LIBSVM);
}

rls2__place rls2__table_place(const rls2_table *table, int64_t row)
{
    rls2__place place;
    const char *name = table->row_file ? table->files[table->row_file[row]].name : table->name;
    snprintf(place.text, sizeof place.text, "%s:%s%" PRId64, name,
             rls2__table_has_lines(table, row) ? "" : " row ", rls2_table_line(table, row));
    return place;
}

/* ---- conventions of the formats ---- */

const char *rls2_table_target(const rls2_table *table)
{
    return table && table->target_count == 1 ? table->names[table->first_target] : NULL;
}

int64_t rls2_table_targets(const rls2_table *table, const char *const **names)
{
    int64_t count = table ? table->target_count : 0;
    if (names) *names = count > 0 ? (const char *const *)table->names + table->first_target : NULL;
    return count;
}

const char *rls2_table_marker(const rls2_table *table)
{
    return table ? table->marker : NULL;
}

int rls2_table_is_precomputed(const rls2_table *table)
{
    return table && table->precomputed;
}

const char *rls2_table_format(const rls2_table *table)
{
    static const char *const names[] = {"memory", "CSV", "LIBSVM", "NPY", "NPZ", "MAT"};
    return table ? names[table->format] : NULL;
}

int rls2_table_header(const rls2_table *table)
{
    return table && table->format == RLS2_FORMAT_CSV && table->header;
}

char rls2_table_delimiter(const rls2_table *table)
{
    return table ? table->delimiter : '\0';
}

/* ---- messages ---- */

int rls2__is_utf8(const char *text)
{
    for (int64_t left = (int64_t)strlen(text), bytes; left > 0; left -= bytes, text += bytes) {
        bytes = rls2__text_character(text, left);
        if (bytes == 0) return 0;
    }
    return 1;
}

rls2__shown rls2__show_part(const char *text, int64_t length)
{
    static const char ellipsis[] = "...";
    rls2__shown shown;
    int64_t room = (int64_t)(sizeof shown.text - sizeof ellipsis);
    if (rls2__text_escape(text, length, shown.text, room + 1) > room) strcat(shown.text, ellipsis);
    return shown;
}

rls2__shown rls2__show(const char *text)
{
    return rls2__show_part(text, (int64_t)strlen(text));
}

rls2__shown_list rls2__show_list(const char *const *texts, int64_t count, const char *quote)
{
    rls2__shown_list list = {.text = ""};
    size_t used = 0, room = sizeof list.text;
    for (int64_t k = 0; k < count && k < RLS2__LISTED; k++)
        used += (size_t)snprintf(list.text + used, room - used, "%s%s%s%s", k > 0 ? ", " : "",
                                 quote, rls2__show(texts[k]).text, quote);
    if (count > RLS2__LISTED) snprintf(list.text + used, room - used, ", ...");
    return list;
}
