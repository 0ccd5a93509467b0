/* CSV (RFC 4180) into a table, in one pass over the text.
 *
 * The text is tokenised in place: a cell stays where it is and is NUL-terminated over
 * its separator, a quoted one is moved to the left as its doubled quotes shrink. A
 * cell never grows, so nothing is overwritten before it is read. What is stored per
 * cell is its 32-bit offset from the start of its row, and the number it is. A count of
 * the separators bounds the number of cells and rows, so the arrays are allocated once.
 *
 * Most cells are short numbers: those are read and delimited in one scan. Only what that
 * scan does not take is looked for its end, terminated and then tried again as a number.
 *
 * The text is followed by a NUL, which stops every scan at the end; a NUL anywhere
 * else is an error. */
#include "formats/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/invariant.h"
#include "base/lookup.h"
#include "base/number.h"
#include "base/status.h"

typedef struct reader {
    rls2_table *table;
    const rls2_read_options *options;
    rls2__number_reader *number;
    char delimiter;
    char *cursor;
    char *end;     /* the final NUL */
    int64_t line;  /* on which the cursor stands, from 1 */
    int64_t cells; /* stored so far, those of the current row included */
    char *row;     /* where the current row starts */
    int64_t row_cells;
    int row_quoted; /* 1 once a cell of the current row had quotes */
} reader;

/* ---- messages ---- */

typedef struct label {
    char text[sizeof(rls2__shown) + 16];
} label;

/* The current column: "column 'rm'", or its number while it has no name. */
static label column_label(const reader *r)
{
    label made;
    const rls2_table *table = r->table;
    if (table->names && r->row_cells < table->columns)
        snprintf(made.text, sizeof made.text, "column '%s'",
                 rls2__show(table->names[r->row_cells]).text);
    else
        snprintf(made.text, sizeof made.text, "column %" PRId64, r->row_cells + 1);
    return made;
}

static rls2_status fail_cell(const reader *r, int64_t line, const char *what, rls2_error *err)
{
    return rls2__fail(err, RLS2_ERR_SYNTAX, "%s:%" PRId64 ": %s: %s", r->table->name, line,
                      column_label(r).text, what);
}

static rls2_status fail_value(const reader *r, int64_t line, const char *what, const char *value,
                              const char *stop, rls2_error *err)
{
    return rls2__fail(err, RLS2_ERR_SYNTAX, "%s:%" PRId64 ": %s: %s: '%s'", r->table->name, line,
                      column_label(r).text, what, rls2__show_part(value, stop - value).text);
}

/* Where a wrong value ends, as far as a message is concerned. */
static const char *value_end(const reader *r, const char *p)
{
    const char stops[] = {r->delimiter, '\r', '\n', '\0'};
    return p + strcspn(p, stops);
}

/* A cell that began at `begin` meets a character that cannot end it. */
static rls2_status fail_stop(const reader *r, const char *begin, const char *stop, int quoted,
                             rls2_error *err)
{
    if (*stop == '\0') return fail_cell(r, r->line, "a NUL byte; is this UTF-8 text?", err);
    if (*stop == '\r') return fail_cell(r, r->line, "a carriage return without a line feed", err);
    if (quoted)
        return fail_value(r, r->line, "text after the closing quote", stop, value_end(r, stop),
                          err);
    return fail_value(r, r->line, "a quote inside a cell that does not start with one", begin,
                      value_end(r, stop), err);
}

/* ---- cells ---- */

static int is_blank(char c, char delimiter)
{
    return (c == ' ' || c == '\t') && c != delimiter;
}

static int ends_cell(const reader *r, const char *stop)
{
    if (*stop == r->delimiter || *stop == '\n') return 1;
    if (*stop == '\r') return stop + 1 == r->end || stop[1] == '\n';
    return stop == r->end;
}

/* Stores the cell [begin, close) and steps over the separator at `stop`; *more is 1 if
 * another cell of the row follows. */
static rls2_status finish_cell(reader *r, char *begin, char *close, char *stop, int *more,
                               rls2_error *err)
{
    int64_t offset = begin - r->row;
    if (offset > (int64_t)UINT32_MAX)
        return rls2__fail(err, RLS2_ERR_SYNTAX, "%s:%" PRId64 ": a row of more than 4 GiB",
                          r->table->name, r->line);
    r->table->cell[r->cells++] = (uint32_t)offset;
    r->row_cells++;
    *more = *stop == r->delimiter;
    r->line += *stop == '\n' || *stop == '\r';
    r->cursor = stop;
    if (*stop == '\r') r->cursor++;
    if (r->cursor < r->end) r->cursor++;
    *close = '\0';
    return RLS2_OK;
}

enum {
    LONGEST_NUMBER = 400
}; /* with a decimal comma: no number of that many characters is meant */

/* "1,5" is 1.5, and "1.5" is no number. */
static void parse_with_comma(const reader *r, const char *text, double *value)
{
    char copy[LONGEST_NUMBER];
    size_t length = strlen(text);
    if (length >= sizeof copy || strchr(text, '.')) return;
    memcpy(copy, text, length + 1);
    char *comma = strchr(copy, ',');
    if (comma) *comma = '.';
    rls2__number_parse(r->number, copy, value);
}

/* The number that the cell finished last is, if it is one. */
static void store_value(const reader *r, const char *text)
{
    double value = (double)NAN;
    if (*text && r->options->decimal == ',')
        parse_with_comma(r, text, &value);
    else if (*text)
        rls2__number_parse(r->number, text, &value);
    r->table->value[r->cells - 1] = value;
}

static int stops_plain(char c, char delimiter)
{
    return c == delimiter || c == '\n' || c == '\r' || c == '"' || c == '\0';
}

static rls2_status read_plain(reader *r, int *more, rls2_error *err)
{
    char *begin = r->cursor, *stop = begin;
    while (!stops_plain(*stop, r->delimiter)) stop++;
    if (!ends_cell(r, stop)) return fail_stop(r, begin, stop, 0, err);
    char *close = stop;
    while (close > begin && is_blank(close[-1], r->delimiter)) close--;
    rls2_status status = finish_cell(r, begin, close, stop, more, err);
    if (status == RLS2_OK) store_value(r, begin);
    return status;
}

/* Moves the content of a quoted cell to the left over its doubled quotes. *close is
 * one past its last character, *stop one past its closing quote. */
static rls2_status unquote(reader *r, char *begin, char **close, char **stop, rls2_error *err)
{
    char *in = begin, *out = begin;
    int64_t line = r->line;
    for (;; in++) {
        if (*in == '"' && *++in != '"') break;
        if (*in == '\0') {
            if (in < r->end) return fail_stop(r, begin, in, 1, err);
            return fail_value(r, line, "a quote that is never closed", begin, out, err);
        }
        r->line += *in == '\n';
        *out++ = *in;
    }
    *close = out;
    *stop = in;
    return RLS2_OK;
}

static rls2_status read_quoted(reader *r, int *more, rls2_error *err)
{
    char *begin = r->cursor + 1, *close = NULL, *stop = NULL;
    r->row_quoted = 1;
    rls2_status status = unquote(r, begin, &close, &stop, err);
    if (status != RLS2_OK) return status;
    while (is_blank(*stop, r->delimiter)) stop++;
    if (!ends_cell(r, stop)) return fail_stop(r, begin, stop, 1, err);
    status = finish_cell(r, begin, close, stop, more, err);
    if (status == RLS2_OK) store_value(r, begin);
    return status;
}

static rls2_status read_cell(reader *r, int *more, rls2_error *err)
{
    while (is_blank(*r->cursor, r->delimiter)) r->cursor++;
    if (*r->cursor == '"') return read_quoted(r, more, err);
    if (r->options->decimal == ',') return read_plain(r, more, err);
    double value;
    char *begin = r->cursor, *close = begin + rls2__number_scan(begin, &value), *stop = close;
    if (close == begin) return read_plain(r, more, err);
    while (is_blank(*stop, r->delimiter)) stop++;
    if (!ends_cell(r, stop)) return read_plain(r, more, err);
    r->table->value[r->cells] = value;
    return finish_cell(r, begin, close, stop, more, err);
}

static rls2_status read_cells(reader *r, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    r->row = r->cursor;
    r->row_cells = 0;
    r->row_quoted = 0;
    for (int more = 1; more && status == RLS2_OK;) status = read_cell(r, &more, err);
    rls2__invariant(status != RLS2_OK || (r->cursor <= r->end && r->row_cells >= 1));
    return status;
}

/* ---- rows ---- */

/* Names that are numbers are most likely data. */
static rls2_status fail_same_name(const rls2_table *table, int64_t a, int64_t b, rls2_error *err)
{
    double value;
    const char *name = table->names[b];
    int64_t length = rls2__number_scan(name, &value);
    return rls2__fail(err, RLS2_ERR_SYNTAX,
                      "%s:1: columns %" PRId64 " and %" PRId64 " have the same name '%s'%s",
                      table->name, a + 1, b + 1, rls2__show(name).text,
                      length > 0 && name[length] == '\0' ? "; is there no line of names?" : "");
}

static rls2_status check_names(const rls2_table *table, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    rls2__lookup *seen = rls2__lookup_create();
    if (!seen) status = rls2__fail_memory(err, "the column names");
    for (int64_t j = 0; j < table->columns && status == RLS2_OK; j++) {
        const char *name = table->names[j];
        int64_t same = rls2__lookup_add(seen, name);
        if (same < 0)
            status = rls2__fail_memory(err, "the column names");
        else if (*name == '\0')
            status =
                rls2__fail(err, RLS2_ERR_SYNTAX,
                           "%s:1: column %" PRId64 " has no name; give it one in the first line",
                           table->name, j + 1);
        else if (!rls2__is_utf8(name))
            status = rls2__fail(err, RLS2_ERR_SYNTAX,
                                "%s:1: column %" PRId64
                                ": the name '%s' is not UTF-8; save the file as UTF-8",
                                table->name, j + 1, rls2__show(name).text);
        else if (same < j)
            status = fail_same_name(table, same, j, err);
    }
    rls2__lookup_free(seen);
    return status;
}

static rls2_status read_header(reader *r, rls2_error *err)
{
    rls2_table *table = r->table;
    rls2_status status = read_cells(r, err);
    if (status != RLS2_OK) return status;

    status = rls2__table_set_columns(table, r->row_cells, err);
    if (status != RLS2_OK) return status;
    for (int64_t j = 0; j < table->columns; j++) table->names[j] = r->row + table->cell[j];
    r->cells = 0; /* the offsets of the header are not needed any more */
    return check_names(table, err);
}

static rls2_status check_width(const reader *r, int64_t line, rls2_error *err)
{
    const rls2_table *table = r->table;
    const char *ruler = r->options->header ? "header" : "first row";
    if (r->row_cells < table->columns)
        return rls2__fail(err, RLS2_ERR_SYNTAX,
                          "%s:%" PRId64 ": %" PRId64 " cell%s where the %s has %" PRId64
                          "; column '%s' has none",
                          table->name, line, r->row_cells, r->row_cells == 1 ? "" : "s", ruler,
                          table->columns, rls2__show(table->names[r->row_cells]).text);
    if (r->row_cells > table->columns) {
        const uint32_t *cell = table->cell + r->cells - r->row_cells;
        return rls2__fail(err, RLS2_ERR_SYNTAX,
                          "%s:%" PRId64 ": %" PRId64 " cells where the %s has %" PRId64
                          "; '%s' is one too many",
                          table->name, line, r->row_cells, ruler, table->columns,
                          rls2__show(r->row + cell[table->columns]).text);
    }
    return RLS2_OK;
}

/* In a table of one column an empty line is a missing value. */
static int is_empty_line(const reader *r)
{
    return r->table->columns > 1 && r->row_cells == 1 && !r->row_quoted &&
           r->row[r->table->cell[r->cells - 1]] == '\0';
}

/* Without a header the first line that is not empty says how many columns there are. Whether the
 * empty lines before it are rows is known only then: they are in a table of one column. */
static rls2_status learn_width(reader *r, rls2_error *err)
{
    rls2_table *table = r->table;
    int64_t width = r->row_cells, before = r->cells - width;
    int empty = width == 1 && !r->row_quoted && r->row[table->cell[before]] == '\0';
    if (empty && r->cursor < r->end) return RLS2_OK;
    rls2_status status = rls2__table_set_columns(table, width, err);
    if (status == RLS2_OK) status = rls2__table_name_columns(table, 0, width, "x", 0, err);
    if (status != RLS2_OK || width == 1) return status;
    memmove(table->cell, table->cell + before, (size_t)width * sizeof *table->cell);
    memmove(table->value, table->value + before, (size_t)width * sizeof *table->value);
    r->cells = width;
    table->rows = 0;
    return RLS2_OK;
}

/* Empties the cells of the row that are one of the texts for missing values. */
static void clear_missing(const reader *r)
{
    const rls2_read_options *options = r->options;
    const rls2_table *table = r->table;
    for (int64_t c = r->cells - r->row_cells; c < r->cells; c++) {
        char *text = r->row + table->cell[c];
        for (int64_t k = 0; k < options->na_count; k++) {
            if (strcmp(text, options->na[k]) != 0) continue;
            *text = '\0';
            table->value[c] = (double)NAN;
            break;
        }
    }
}

static void finish_row(reader *r, int64_t line)
{
    rls2_table *table = r->table;
    if (r->options->na_count > 0) clear_missing(r);
    table->row_line[table->rows] = line;
    table->row_start[table->rows] = r->row - table->pool->text;
    rls2__table_count_row(table, table->rows++);
    rls2__invariant(table->columns == 0 || r->cells == table->rows * table->columns);
}

static rls2_status read_rows(reader *r, rls2_error *err)
{
    while (r->cursor < r->end) {
        int64_t line = r->line;
        rls2_status status = read_cells(r, err);
        if (status == RLS2_OK && r->table->columns == 0) status = learn_width(r, err);
        if (status != RLS2_OK) return status;
        if (is_empty_line(r)) {
            r->cells--;
            continue;
        }
        if (r->table->columns > 0) status = check_width(r, line, err);
        if (status != RLS2_OK) return status;
        finish_row(r, line);
    }
    return RLS2_OK;
}

/* ---- the table ---- */

/* In blocks, so that the inner loop has a fixed length and byte counters: compilers
 * then vectorise it. */
static int64_t count_character(const char *text, int64_t length, char c)
{
    enum { BLOCK = 128 };
    int64_t total = 0, i = 0;
    for (; length - i >= BLOCK; i += BLOCK) {
        unsigned char count = 0;
        for (int k = 0; k < BLOCK; k++) count = (unsigned char)(count + (text[i + k] == c));
        total += count;
    }
    for (; i < length; i++) total += text[i] == c;
    return total;
}

/* Every cell ends at a delimiter, at a line feed or at the end; every row at one of the
 * last two. Separators within quotes only make the bounds larger. */
static rls2_status reserve_cells(rls2_table *table, int64_t length, char delimiter, rls2_error *err)
{
    int64_t delimiters = count_character(table->pool->text, length, delimiter);
    int64_t lines = count_character(table->pool->text, length, '\n');
    if (table->limits.cells > 0 && delimiters + lines > table->limits.cells)
        return rls2__fail(err, RLS2_ERR_MEMORY,
                          "%s: it has more than the %" PRId64 " cells that are allowed",
                          table->name, table->limits.cells);
    table->cell = rls2__alloc(delimiters + lines + 1, sizeof *table->cell);
    table->value = rls2__alloc(delimiters + lines + 1, sizeof *table->value);
    table->row_start = rls2__alloc(lines + 1, sizeof *table->row_start);
    table->row_line = rls2__alloc(lines + 1, sizeof *table->row_line);
    if (!table->cell || !table->value || !table->row_start || !table->row_line)
        return rls2__fail_memory(err, "the cells of a table");
    return RLS2_OK;
}

static rls2__pool *pool_create(rls2__bytes *bytes)
{
    rls2__pool *pool = rls2__alloc_zero(1, sizeof *pool);
    if (!pool) return NULL;
    atomic_init(&pool->owners, 1);
    pool->text = bytes->data;
    bytes->data = NULL;
    return pool;
}

/* Close it whether it could be opened or not. */
static rls2_status reader_open(reader *r, rls2_table *table, rls2__bytes *bytes, int64_t skipped,
                               const rls2_read_options *options, rls2_error *err)
{
    *r = (reader){.table = table, .options = options, .line = 1};
    table->format = RLS2_FORMAT_CSV;
    table->pool = pool_create(bytes);
    if (!table->pool) return rls2__fail_memory(err, "a table");
    r->cursor = table->pool->text + skipped;
    r->end = table->pool->text + bytes->length;
    r->delimiter = table->delimiter = rls2__csv_delimiter(options, r->cursor, r->end - r->cursor);
    rls2_status status = reserve_cells(table, bytes->length, r->delimiter, err);
    return status == RLS2_OK ? rls2__number_reader_create(&r->number, err) : status;
}

static void reader_close(reader *r)
{
    rls2__number_reader_free(r->number);
}

rls2_status rls2__read_csv(rls2_table *table, rls2__bytes *bytes, const rls2_read_options *options,
                           rls2_error *err)
{
    int64_t skipped = rls2__csv_mark(bytes->data, bytes->length);
    if (bytes->length == skipped)
        return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: the file is empty", table->name);
    reader r;
    rls2_status status = reader_open(&r, table, bytes, skipped, options, err);
    if (status == RLS2_OK && options->header) status = read_header(&r, err);
    if (status == RLS2_OK) status = read_rows(&r, err);
    reader_close(&r);
    if (status == RLS2_OK && table->rows == 0)
        status = rls2__fail(err, RLS2_ERR_SYNTAX, "%s: no data rows", table->name);
    return status;
}

/* ---- pieces ---- */

rls2_status rls2__csv_read_head(rls2_table *head, rls2__bytes *bytes,
                                const rls2_read_options *options, rls2_error *err)
{
    reader r;
    rls2_status status = reader_open(&r, head, bytes, 0, options, err);
    if (status == RLS2_OK) status = options->header ? read_header(&r, err) : read_rows(&r, err);
    reader_close(&r);
    return status;
}

rls2_status rls2__csv_read_piece(rls2_table *table, rls2__bytes *bytes,
                                 const rls2_read_options *options, const rls2_table *head,
                                 int64_t line, rls2_error *err)
{
    reader r;
    rls2_status status = reader_open(&r, table, bytes, 0, options, err);
    r.line = line;
    if (status == RLS2_OK) status = rls2__table_copy_columns(table, head, err);
    if (status == RLS2_OK) status = read_rows(&r, err);
    reader_close(&r);
    return status;
}

/* ---- looking ahead ---- */

int64_t rls2__csv_mark(const char *text, int64_t length)
{
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

int rls2__csv_is_empty_line(const char *text, const char *end, char delimiter)
{
    while (text < end && is_blank(*text, delimiter)) text++;
    if (text < end && *text == '\r') text++;
    return text == end || *text == '\n';
}

/* Whether what follows p is within quotes. They open at the start of a cell only, and which
 * character ends a cell is not known yet. */
static int is_quoted(int quoted, const char *start, const char *p)
{
    if (*p != '"') return quoted;
    return !quoted && (p == start || strchr(",;\t| ", p[-1]));
}

const char *rls2__csv_first_line(const char *text, const char *end, const char **stop)
{
    while (text < end && rls2__csv_is_empty_line(text, end, '\t')) {
        const char *feed = memchr(text, '\n', (size_t)(end - text));
        text = feed ? feed + 1 : end;
    }
    int quoted = 0;
    for (*stop = text; *stop < end && (quoted || **stop != '\n'); ++*stop)
        quoted = is_quoted(quoted, text, *stop);
    return text;
}

char rls2__csv_delimiter(const rls2_read_options *options, const char *text, int64_t length)
{
    int quoted = 0, tab = 0, semicolon = 0;
    if (options->delimiter) return options->delimiter;
    const char *stop, *start = rls2__csv_first_line(text, text + length, &stop);
    for (const char *p = start; p < stop; p++) {
        quoted = is_quoted(quoted, start, p);
        if (quoted) continue;
        if (*p == ',') return ',';
        tab |= *p == '\t';
        semicolon |= *p == ';';
    }
    return tab ? '\t' : semicolon ? ';' : ',';
}

/* Follows the quotes as the reader does: they open at the start of a cell only. What the reader
 * will refuse need not be understood, it stops there. */
static const char *quoted_row_end(const char *p, const char *end, char delimiter)
{
    enum { START, PLAIN, QUOTED } state = START;
    for (; p < end; p++) {
        if (state == QUOTED) {
            if (*p == '"' && p + 1 < end && p[1] == '"')
                p++;
            else if (*p == '"' || *p == '\0')
                state = PLAIN;
        } else if (*p == '\n') {
            return p + 1;
        } else if (*p == delimiter) {
            state = START;
        } else if (state == START && !is_blank(*p, delimiter)) {
            state = *p == '"' ? QUOTED : PLAIN;
        }
    }
    return NULL;
}

const char *rls2__csv_row_end(const char *text, const char *end, char delimiter)
{
    const char *feed = memchr(text, '\n', (size_t)(end - text));
    if (!feed) return NULL;
    if (!memchr(text, '"', (size_t)(feed - text))) return feed + 1;
    return quoted_row_end(text, end, delimiter);
}
