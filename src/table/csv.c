/* CSV (RFC 4180) into a table, in one pass over the text.
 *
 * The text is tokenised in place: a cell stays where it is and is NUL-terminated over
 * its separator, a quoted one is moved to the left as its doubled quotes shrink. A
 * cell never grows, so nothing is overwritten before it is read. What is stored per
 * cell is its 32-bit offset from the start of its row. A count of the separators
 * bounds the number of cells and rows, so the arrays are allocated once.
 *
 * The text is followed by a NUL, which stops every scan at the end; a NUL anywhere
 * else is an error. */
#include "table/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "table/file.h"
#include "table/lookup.h"
#include "table/number.h"

typedef struct reader {
    rls2_table *table;
    rls2__number_reader *number;
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
        snprintf(made.text, sizeof made.text, "column '%s'", rls2__show(table->names[r->row_cells]).text);
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
static const char *value_end(const char *p)
{
    return p + strcspn(p, ",\r\n");
}

/* A cell that began at `begin` meets a character that cannot end it. */
static rls2_status fail_stop(const reader *r, const char *begin, const char *stop, int quoted,
                             rls2_error *err)
{
    if (*stop == '\0') return fail_cell(r, r->line, "a NUL byte; is this UTF-8 text?", err);
    if (*stop == '\r') return fail_cell(r, r->line, "a carriage return without a line feed", err);
    if (quoted) return fail_value(r, r->line, "text after the closing quote", stop, value_end(stop), err);
    return fail_value(r, r->line, "a quote inside a cell that does not start with one", begin,
                      value_end(stop), err);
}

/* ---- cells ---- */

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static int ends_cell(const reader *r, const char *stop)
{
    switch (*stop) {
    case ',':
    case '\n': return 1;
    case '\r': return stop + 1 == r->end || stop[1] == '\n';
    case '\0': return stop == r->end;
    default: return 0;
    }
}

/* Stores the cell [begin, close) and steps over the separator at `stop`; *more is 1 if
 * another cell of the row follows. */
static rls2_status finish_cell(reader *r, char *begin, char *close, char *stop, int *more, rls2_error *err)
{
    int64_t offset = begin - r->row;
    if (offset > (int64_t)UINT32_MAX)
        return rls2__fail(err, RLS2_ERR_SYNTAX, "%s:%" PRId64 ": a row of more than 4 GiB", r->table->name,
                          r->line);
    r->table->cell[r->cells++] = (uint32_t)offset;
    r->row_cells++;
    *more = *stop == ',';
    r->line += *stop == '\n' || *stop == '\r';
    r->cursor = stop;
    if (*stop == '\r') r->cursor++;
    if (r->cursor < r->end) r->cursor++;
    *close = '\0';
    return RLS2_OK;
}

static int stops_plain(char c)
{
    return c == ',' || c == '\n' || c == '\r' || c == '"' || c == '\0';
}

static rls2_status read_plain(reader *r, int *more, rls2_error *err)
{
    char *begin = r->cursor, *stop = begin;
    while (!stops_plain(*stop)) stop++;
    if (!ends_cell(r, stop)) return fail_stop(r, begin, stop, 0, err);
    char *close = stop;
    while (close > begin && is_blank(close[-1])) close--;
    return finish_cell(r, begin, close, stop, more, err);
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
    while (is_blank(*stop)) stop++;
    if (!ends_cell(r, stop)) return fail_stop(r, begin, stop, 1, err);
    return finish_cell(r, begin, close, stop, more, err);
}

static rls2_status read_cell(reader *r, int *more, rls2_error *err)
{
    while (is_blank(*r->cursor)) r->cursor++;
    return *r->cursor == '"' ? read_quoted(r, more, err) : read_plain(r, more, err);
}

static rls2_status read_cells(reader *r, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    r->row = r->cursor;
    r->row_cells = 0;
    r->row_quoted = 0;
    for (int more = 1; more && status == RLS2_OK;) status = read_cell(r, &more, err);
    return status;
}

/* ---- rows ---- */

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
                rls2__fail(err, RLS2_ERR_SYNTAX, "%s:1: column %" PRId64 " has no name", table->name, j + 1);
        else if (same < j)
            status = rls2__fail(err, RLS2_ERR_SYNTAX,
                                "%s:1: columns %" PRId64 " and %" PRId64 " have the same name '%s'",
                                table->name, same + 1, j + 1, rls2__show(name).text);
    }
    rls2__lookup_free(seen);
    return status;
}

static rls2_status read_header(reader *r, rls2_error *err)
{
    rls2_table *table = r->table;
    rls2_status status = read_cells(r, err);
    if (status != RLS2_OK) return status;

    int64_t columns = r->row_cells;
    const char **names = rls2__arena_alloc(table->arena, rls2__mul(columns, sizeof *names));
    table->numbers = rls2__arena_alloc(table->arena, rls2__mul(columns, sizeof *table->numbers));
    table->texts = rls2__arena_alloc(table->arena, rls2__mul(columns, sizeof *table->texts));
    if (!names || !table->numbers || !table->texts) return rls2__fail_memory(err, "the columns of a table");
    for (int64_t j = 0; j < columns; j++) names[j] = r->row + table->cell[j];
    table->names = names;
    table->columns = columns;
    r->cells = 0; /* the offsets of the header are not needed any more */
    return check_names(table, err);
}

static rls2_status check_width(const reader *r, int64_t line, rls2_error *err)
{
    const rls2_table *table = r->table;
    if (r->row_cells < table->columns)
        return rls2__fail(err, RLS2_ERR_SYNTAX,
                          "%s:%" PRId64 ": %" PRId64 " cell%s where the header has %" PRId64
                          "; column '%s' has none",
                          table->name, line, r->row_cells, r->row_cells == 1 ? "" : "s", table->columns,
                          rls2__show(table->names[r->row_cells]).text);
    if (r->row_cells > table->columns) {
        const uint32_t *cell = table->cell + r->cells - r->row_cells;
        return rls2__fail(
            err, RLS2_ERR_SYNTAX,
            "%s:%" PRId64 ": %" PRId64 " cells where the header has %" PRId64 "; '%s' is one too many",
            table->name, line, r->row_cells, table->columns, rls2__show(r->row + cell[table->columns]).text);
    }
    return RLS2_OK;
}

/* In a table of one column an empty line is a missing value. */
static int is_empty_line(const reader *r)
{
    return r->table->columns > 1 && r->row_cells == 1 && !r->row_quoted &&
           r->row[r->table->cell[r->cells - 1]] == '\0';
}

static void count_kinds(const reader *r)
{
    rls2_table *table = r->table;
    const uint32_t *cell = table->cell + r->cells - table->columns;
    for (int64_t j = 0; j < table->columns; j++) {
        const char *text = r->row + cell[j];
        double value;
        if (*text == '\0') continue;
        if (rls2__number_parse(r->number, text, &value))
            table->numbers[j]++;
        else
            table->texts[j]++;
    }
}

static rls2_status read_rows(reader *r, rls2_error *err)
{
    rls2_table *table = r->table;
    while (r->cursor < r->end) {
        int64_t line = r->line;
        rls2_status status = read_cells(r, err);
        if (status != RLS2_OK) return status;
        if (is_empty_line(r)) {
            r->cells--;
            continue;
        }
        status = check_width(r, line, err);
        if (status != RLS2_OK) return status;
        count_kinds(r);
        table->row_line[table->rows] = line;
        table->row_start[table->rows] = r->row - table->text;
        table->rows++;
    }
    if (table->rows == 0) return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: no data rows", table->name);
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

/* Every cell ends at a comma, at a line feed or at the end; every row at one of the
 * last two. Separators within quotes only make the bounds larger. */
static rls2_status reserve_cells(rls2_table *table, int64_t length, rls2_error *err)
{
    int64_t commas = count_character(table->text, length, ',');
    int64_t lines = count_character(table->text, length, '\n');
    table->cell = rls2__alloc(commas + lines + 1, sizeof *table->cell);
    table->row_start = rls2__alloc(lines + 1, sizeof *table->row_start);
    table->row_line = rls2__alloc(lines + 1, sizeof *table->row_line);
    if (!table->cell || !table->row_start || !table->row_line)
        return rls2__fail_memory(err, "the cells of a table");
    return RLS2_OK;
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
    while (((unsigned char)*tail & 0xC0) == 0x80) tail++; /* not within a UTF-8 character */
    snprintf(table->name, sizeof table->name, "%s%s", ellipsis, tail);
}

static rls2_table *table_create(const char *name)
{
    rls2_table *table = rls2__alloc_zero(1, sizeof *table);
    if (!table) return NULL;
    set_name(table, name);
    table->arena = rls2__arena_create();
    if (!table->arena) {
        rls2_table_free(table);
        return NULL;
    }
    return table;
}

/* Fills the table from its text. */
static rls2_status parse(rls2_table *table, int64_t length, rls2_error *err)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* UTF-8 byte order mark */
    int64_t skipped = length >= 3 && memcmp(table->text, mark, 3) == 0 ? 3 : 0;
    if (length == skipped) return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: the file is empty", table->name);

    rls2_status status = reserve_cells(table, length, err);
    if (status != RLS2_OK) return status;
    reader r = {.table = table, .line = 1};
    r.cursor = table->text + skipped;
    r.end = table->text + length;
    status = rls2__number_reader_create(&r.number, err);
    if (status != RLS2_OK) goto cleanup;
    status = read_header(&r, err);
    if (status != RLS2_OK) goto cleanup;
    status = read_rows(&r, err);

cleanup:
    rls2__number_reader_free(r.number);
    return status;
}

rls2_status rls2_table_read_csv(const char *path, rls2_table **table, rls2_error *err)
{
    if (!path) return rls2__fail(err, RLS2_ERR_ARGUMENT, "path is NULL");
    if (!table) return rls2__fail(err, RLS2_ERR_ARGUMENT, "table is NULL");
    int64_t length = 0;
    rls2_status status = RLS2_OK;
    rls2_table *made = table_create(path);
    if (!made) {
        status = rls2__fail_memory(err, "a table");
        goto cleanup;
    }
    status = rls2__file_read(path, made->name, &made->text, &length, err);
    if (status != RLS2_OK) goto cleanup;
    status = parse(made, length, err);
    if (status != RLS2_OK) goto cleanup;
    *table = made;
    made = NULL;

cleanup:
    rls2_table_free(made);
    return status;
}

static char *copy_text(const char *text, int64_t length)
{
    char *copy = rls2__alloc(rls2__add(length, 1), 1);
    if (!copy) return NULL;
    memcpy(copy, text, (size_t)length);
    copy[length] = '\0';
    return copy;
}

rls2_status rls2_table_parse_csv(const char *name, const char *text, int64_t length, rls2_table **table,
                                 rls2_error *err)
{
    if (!name) return rls2__fail(err, RLS2_ERR_ARGUMENT, "name is NULL");
    if (!text) return rls2__fail(err, RLS2_ERR_ARGUMENT, "text is NULL");
    if (length < 0) return rls2__fail(err, RLS2_ERR_ARGUMENT, "length is %" PRId64, length);
    if (!table) return rls2__fail(err, RLS2_ERR_ARGUMENT, "table is NULL");
    rls2_status status = RLS2_OK;
    rls2_table *made = table_create(name);
    if (made) made->text = copy_text(text, length);
    if (!made || !made->text) {
        status = rls2__fail_memory(err, "a table");
        goto cleanup;
    }
    status = parse(made, length, err);
    if (status != RLS2_OK) goto cleanup;
    *table = made;
    made = NULL;

cleanup:
    rls2_table_free(made);
    return status;
}
