/* LIBSVM (svmlight) text into a table of numbers.
 *
 *   line := label (index ':' value)* ['#' comment]
 *
 * Two passes over the lines: the first finds how many rows and columns there are, the second fills
 * the table. Each line is copied before it is taken apart, because numbers are read from texts that
 * end in NUL. */
#include "formats/libsvm.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/invariant.h"
#include "base/number.h"
#include "base/status.h"

typedef struct reader {
    rls2_table *table;
    rls2__number_reader *number;
    const char *cursor; /* the next line */
    const char *end;
    char *copy;      /* the current line, its tokens NUL-terminated; room for the longest */
    char *next;      /* in `copy`: what comes after the current token */
    int64_t line;    /* number of the current line, from 1 */
    int64_t rows;    /* read so far in this pass */
    int64_t width;   /* largest index seen; every line's where precomputed */
    int precomputed; /* known after the first row of the first pass */
} reader;

/* ---- messages ---- */

static rls2_status fail_token(const reader *r, const char *token, const char *what, rls2_error *err)
{
    return rls2__fail(err, RLS2_ERR_SYNTAX, "%s:%" PRId64 ": '%s': %s", r->table->name, r->line,
                      rls2__show(token).text, what);
}

static rls2_status fail_line(const reader *r, const char *what, rls2_error *err)
{
    return rls2__fail(err, RLS2_ERR_SYNTAX, "%s:%" PRId64 ": %s", r->table->name, r->line, what);
}

static rls2_status fail_size(const reader *r, const char *why, rls2_error *err)
{
    double gigabytes = (double)r->rows * ((double)r->width + 1.0) * (double)sizeof(double) / 1e9;
    return rls2__fail(err, RLS2_ERR_MEMORY,
                      "%s: %s: %" PRId64 " rows of %" PRId64 " columns would take %.3g GB",
                      r->table->name, why, r->rows, r->width, gigabytes);
}

/* ---- lines and tokens ---- */

static void rewind_to_start(reader *r, const rls2__bytes *bytes)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* UTF-8 byte order mark */
    int marked = bytes->length >= 3 && memcmp(bytes->data, mark, 3) == 0;
    r->cursor = bytes->data + (marked ? 3 : 0);
    r->end = bytes->data + bytes->length;
    r->line = 0;
    r->rows = 0;
}

static const char *line_end(const char *line, const char *end)
{
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    return stop ? stop : end;
}

/* Room for any line. */
static rls2_status reserve_line(reader *r, rls2_error *err)
{
    int64_t longest = 0;
    for (const char *line = r->cursor; line < r->end;) {
        const char *stop = line_end(line, r->end);
        if (stop - line > longest) longest = stop - line;
        line = stop + (stop < r->end);
    }
    r->copy = rls2__alloc(longest + 1, 1);
    return r->copy ? RLS2_OK : rls2__fail_memory(err, "a line of a LIBSVM file");
}

/* Copies the next line without its comment and its carriage return. */
static rls2_status take_line(reader *r, rls2_error *err)
{
    const char *line = r->cursor, *stop = line_end(line, r->end);
    size_t length = (size_t)(stop - line);
    r->cursor = stop + (stop < r->end);
    r->line++;
    if (memchr(line, '\0', length)) return fail_line(r, "a NUL byte; is this UTF-8 text?", err);
    const char *comment = memchr(line, '#', length);
    if (comment) length = (size_t)(comment - line);
    if (length > 0 && line[length - 1] == '\r') length--;
    memcpy(r->copy, line, length);
    r->copy[length] = '\0';
    r->next = r->copy;
    return RLS2_OK;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The next token of the line; NULL at its end. */
static char *take_token(reader *r)
{
    char *token = r->next;
    while (is_blank(*token)) token++;
    if (*token == '\0') return NULL;
    char *stop = token;
    while (*stop != '\0' && !is_blank(*stop)) stop++;
    r->next = *stop == '\0' ? stop : stop + 1;
    *stop = '\0';
    return token;
}

/* ---- what a token says ---- */

/* A whole number up to the end of the text; -1 if it is none, -2 if it is too large. */
static int64_t whole_number(const char *text, const char *end)
{
    int64_t number = 0;
    if (text == end) return -1;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9') return -1;
        if (number >= 0) number = rls2__add(rls2__mul(number, 10), *text - '0');
    }
    return number < 0 ? -2 : number;
}

static rls2_status read_index(const reader *r, const char *token, const char *colon, int64_t *index,
                              rls2_error *err)
{
    if (!colon) return fail_token(r, token, "not of the form index:value", err);
    if (strncmp(token, "qid:", 4) == 0)
        return fail_token(r, token, "ranked data (qid) cannot be learned from here", err);
    *index = whole_number(token, colon);
    if (*index == -1) return fail_token(r, token, "the index is not a whole number", err);
    if (*index == -2) return fail_token(r, token, "the index is too large", err);
    return RLS2_OK;
}

static rls2_status read_label(reader *r, const char *token, double *label, rls2_error *err)
{
    if (rls2__number_parse(r->number, token, label)) return RLS2_OK;
    if (strchr(token, ':'))
        return fail_token(r, token, "the line does not start with a label", err);
    return fail_token(r, token, "the label is not a finite number", err);
}

static rls2_status read_value(const reader *r, const char *token, const char *colon, double *value,
                              rls2_error *err)
{
    if (rls2__number_parse(r->number, colon + 1, value)) return RLS2_OK;
    return fail_token(r, token, "the value is not a finite number", err);
}

/* What stands first in a line of a precomputed kernel, 0:i. */
static rls2_status check_serial(const reader *r, const char *token, const char *colon,
                                rls2_error *err)
{
    int64_t serial = whole_number(colon + 1, colon + strlen(colon));
    if (serial >= 1 || serial == -2) return RLS2_OK;
    return fail_token(r, token, "after 0: stands the number of the row, a whole number from 1",
                      err);
}

static rls2_status check_order(const reader *r, const char *token, int64_t index, int64_t before,
                               rls2_error *err)
{
    if (r->precomputed && index != before + 1)
        return fail_token(r, token, "a precomputed kernel has the indices 0, 1, 2, ... in turn",
                          err);
    if (index == 0) return fail_token(r, token, "indices start from 1", err);
    if (index <= before) return fail_token(r, token, "indices must ascend", err);
    return RLS2_OK;
}

/* ---- rows ---- */

/* The first token after the label tells whether the row is of a precomputed kernel; it must be what
 * the first row was. */
static rls2_status check_form(reader *r, const char *token, int64_t index, rls2_error *err)
{
    int precomputed = token && index == 0;
    if (r->rows == 0) r->precomputed = precomputed;
    if (precomputed == r->precomputed) return RLS2_OK;
    if (precomputed)
        return fail_token(
            r, token, "a line of a precomputed kernel among ordinary ones; indices start from 1",
            err);
    return fail_line(
        r, "an ordinary line in a precomputed kernel, where every line starts with 0:i", err);
}

/* The entries of the current line; `row` is NULL in the first pass, which does not read the values.
 * *last is the largest index. */
static rls2_status read_entries(reader *r, double *row, int64_t *last, rls2_error *err)
{
    char *token = take_token(r);
    if (!token) return check_form(r, NULL, -1, err);
    for (int first = 1; token; token = take_token(r), first = 0) {
        char *colon = strchr(token, ':');
        int64_t index = -1;
        rls2_status status = read_index(r, token, colon, &index, err);
        if (status == RLS2_OK && first) status = check_form(r, token, index, err);
        if (status != RLS2_OK) return status;
        if (first && r->precomputed) {
            status = check_serial(r, token, colon, err);
        } else {
            status = check_order(r, token, index, *last, err);
            rls2__invariant(status != RLS2_OK || (index >= 1 && (!row || index <= r->width)));
            if (status == RLS2_OK && row)
                status = read_value(r, token, colon, &row[index - 1], err);
        }
        if (status != RLS2_OK) return status;
        *last = index;
    }
    return RLS2_OK;
}

static rls2_status check_kernel_width(const reader *r, int64_t last, rls2_error *err)
{
    if (last == 0) return fail_line(r, "a row of a precomputed kernel without values", err);
    if (r->rows == 0 || last == r->width) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_SYNTAX,
                      "%s:%" PRId64 ": %" PRId64
                      " kernel values where the lines before have %" PRId64,
                      r->table->name, r->line, last, r->width);
}

/* First pass: one more row, perhaps a wider table. */
static rls2_status measure_row(reader *r, rls2_error *err)
{
    int64_t last = 0;
    rls2_status status = read_entries(r, NULL, &last, err);
    if (status == RLS2_OK && r->precomputed) status = check_kernel_width(r, last, err);
    if (last > r->width) r->width = last;
    return status;
}

/* Second pass: the numbers of a row. */
static rls2_status fill_row(reader *r, double label, rls2_error *err)
{
    int64_t last = 0;
    rls2_table *table = r->table;
    double *row = table->value + r->rows * table->columns;
    rls2__invariant(r->rows < table->rows && r->width + 1 == table->columns);
    row[table->columns - 1] = label;
    table->row_line[r->rows] = r->line;
    return read_entries(r, row, &last, err);
}

static rls2_status pass(reader *r, int fill, rls2_error *err)
{
    while (r->cursor < r->end) {
        double label = 0.0;
        rls2_status status = take_line(r, err);
        if (status != RLS2_OK) return status;
        const char *token = take_token(r);
        if (!token) continue;
        status = read_label(r, token, &label, err);
        if (status == RLS2_OK) status = fill ? fill_row(r, label, err) : measure_row(r, err);
        if (status != RLS2_OK) return status;
        r->rows++;
    }
    return RLS2_OK;
}

/* ---- the table ---- */

static rls2_status reserve_table(reader *r, int64_t length, rls2_error *err)
{
    rls2_table *table = r->table;
    int64_t columns = rls2__add(r->width, 1);
    if (rls2__is_too_sparse(r->rows, columns, length))
        return fail_size(r, "too sparse for a full table", err);
    rls2_status status = rls2__limit_cells(&table->limits, table->name, r->rows, columns, err);
    if (status != RLS2_OK) return status;
    status = rls2__table_reserve(table, r->rows, columns, err);
    if (status == RLS2_ERR_MEMORY) return fail_size(r, "out of memory for the table", err);
    if (status != RLS2_OK) return status;
    table->row_line = rls2__alloc(r->rows, sizeof *table->row_line);
    if (!table->row_line) return rls2__fail_memory(err, "the lines of a table");
    status = rls2__table_name_columns(table, 0, r->width, r->precomputed ? "k" : "x", 0, err);
    if (status == RLS2_ERR_MEMORY) return fail_size(r, "out of memory for the table", err);
    if (status != RLS2_OK) return status;
    return rls2__table_name_columns(table, r->width, 1, "y", 1, err);
}

static rls2_status read_table(reader *r, const rls2__bytes *bytes, rls2_error *err)
{
    rls2_table *table = r->table;
    rewind_to_start(r, bytes);
    if (r->cursor == r->end)
        return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: the file is empty", table->name);
    rls2_status status = reserve_line(r, err);
    if (status == RLS2_OK) status = pass(r, 0, err);
    if (status != RLS2_OK) return status;
    if (r->rows == 0) return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: no data rows", table->name);
    status = reserve_table(r, bytes->length, err);
    if (status != RLS2_OK) return status;
    rewind_to_start(r, bytes);
    status = pass(r, 1, err);
    if (status != RLS2_OK) return status;
    rls2__invariant(r->rows == table->rows);
    table->first_target = table->columns - 1;
    table->target_count = 1;
    table->precomputed = r->precomputed;
    table->sparse = !r->precomputed; /* what a kernel leaves out is not known */
    rls2__table_count_kinds(table);
    return RLS2_OK;
}

rls2_status rls2__read_libsvm(rls2_table *table, const rls2__bytes *bytes, rls2_error *err)
{
    reader r = {.table = table};
    rls2_status status = rls2__number_reader_create(&r.number, err);
    if (status == RLS2_OK) status = read_table(&r, bytes, err);
    rls2__number_reader_free(r.number);
    rls2__free(r.copy);
    return status;
}
