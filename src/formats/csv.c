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
#include "formats/csv_names.h"
#include "formats/encoding.h"
#include "table/understand.h"

typedef struct reader {
    rls2_table *table;
    const rls2_read_options *options;
    rls2__csv_look look;
    rls2__number_reader *number;
    char delimiter; /* a tab where the look says blanks: those are made one */
    char *cursor;
    char *end;     /* the final NUL */
    int64_t line;  /* on which the cursor stands, from 1 */
    int64_t cells; /* stored so far, those of the current row included */
    char *row;     /* where the current row starts */
    int64_t row_cells;
    int row_quoted; /* 1 once a cell of the current row had quotes */
    int row_texts;  /* 1 once a cell of it was neither a number nor empty */
    int converted;  /* 1 if the text was not UTF-8 */
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

static const rls2__style comma_style = {
    .kind = RLS2__STYLE_DECORATED, .decimal = ',', .thousands = '.'};

/* The number that the cell finished last is, if it is one. */
static void store_value(reader *r, const char *text)
{
    double value = (double)NAN;
    int is_number =
        *text && (r->options->decimal == ',' ? rls2__style_read(&comma_style, text, &value)
                                             : rls2__number_parse(r->number, text, &value));
    r->table->value[r->cells - 1] = value;
    r->row_texts |= *text && !is_number;
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
    r->row_texts = 0;
    for (int more = 1; more && status == RLS2_OK;) status = read_cell(r, &more, err);
    rls2__invariant(status != RLS2_OK || (r->cursor <= r->end && r->row_cells >= 1));
    return status;
}

/* ---- rows ---- */

/* Room for that many columns, which are written as the options say. */
static rls2_status set_columns(const reader *r, int64_t columns, rls2_error *err)
{
    rls2_table *table = r->table;
    rls2_status status = rls2__table_set_columns(table, columns, err);
    if (status != RLS2_OK) return status;
    table->weak_words = r->options->na_count < 0;
    table->decimal = r->options->decimal;
    for (int64_t j = 0; j < columns && table->decimal == ','; j++) table->styles[j] = comma_style;
    return RLS2_OK;
}

static int is_end_of_line(const reader *r)
{
    return rls2__csv_is_empty_line(r->cursor, r->end, r->delimiter);
}

/* Empty lines before the header are nothing. */
static void skip_empty_lines(reader *r)
{
    while (r->cursor < r->end && is_end_of_line(r)) {
        char *feed = memchr(r->cursor, '\n', (size_t)(r->end - r->cursor));
        r->cursor = feed ? feed + 1 : r->end;
        r->line += feed != NULL;
    }
}

/* A header that is a cell short has none for the row names. */
static rls2_status read_header(reader *r, rls2_error *err)
{
    rls2_table *table = r->table;
    int64_t first = r->look.is_short;
    skip_empty_lines(r);
    int64_t line = r->line;
    rls2_status status = read_cells(r, err);
    if (status == RLS2_OK) status = set_columns(r, r->row_cells + first, err);
    if (status != RLS2_OK) return status;
    if (first) table->names[0] = "";
    for (int64_t j = first; j < table->columns; j++)
        table->names[j] = r->row + table->cell[j - first];
    r->cells = 0; /* the offsets of the header are not needed any more */
    return rls2__csv_complete_names(table, line, err);
}

static rls2_status check_width(const reader *r, int64_t line, rls2_error *err)
{
    const rls2_table *table = r->table;
    const char *ruler = r->look.header ? "header" : "first row";
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
    rls2_status status = set_columns(r, width, err);
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

/* The opening quote of a cell stays where it was. */
static int was_quoted(const reader *r, const char *text)
{
    return text > r->table->pool->text && text[-1] == '"';
}

/* The same for the usual words, which are no numbers. In quotes they are texts: R writes NA for a
 * missing value and "None" for a category. */
static void clear_words(const reader *r)
{
    rls2_table *table = r->table;
    for (int64_t c = r->cells - r->row_cells; c < r->cells; c++) {
        if (!isnan(table->value[c])) continue;
        char *text = r->row + table->cell[c];
        int word = rls2__missing_word(text);
        if (word < 0 || word >= RLS2__USUAL_WORDS || was_quoted(r, text)) continue;
        *text = '\0';
        table->words[word]++;
    }
}

static void finish_row(reader *r, int64_t line)
{
    rls2_table *table = r->table;
    if (r->options->na_count > 0) clear_missing(r);
    if (r->options->na_count < 0 && r->row_texts) clear_words(r);
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

typedef struct counts {
    int64_t delimiters, lines;
    int high; /* 1 if there are bytes beyond ASCII */
} counts;

/* In blocks, so that the inner loop has a fixed length and byte counters: compilers
 * then vectorise it. */
static counts count_separators(const char *text, int64_t length, char delimiter)
{
    enum { BLOCK = 128 };
    counts total = {0};
    unsigned char any = 0;
    int64_t i = 0;
    for (; length - i >= BLOCK; i += BLOCK) {
        unsigned char cells = 0, lines = 0;
        for (int k = 0; k < BLOCK; k++) {
            cells = (unsigned char)(cells + (text[i + k] == delimiter));
            lines = (unsigned char)(lines + (text[i + k] == '\n'));
            any |= (unsigned char)text[i + k];
        }
        total.delimiters += cells;
        total.lines += lines;
    }
    for (; i < length; i++) {
        total.delimiters += text[i] == delimiter;
        total.lines += text[i] == '\n';
        any |= (unsigned char)text[i];
    }
    total.high = any >> 7;
    return total;
}

/* Every cell ends at a delimiter, at a line feed or at the end; every row at one of the
 * last two. Separators within quotes only make the bounds larger. */
static rls2_status reserve_cells(rls2_table *table, counts found, rls2_error *err)
{
    int64_t cells = found.delimiters + found.lines;
    if (table->limits.cells > 0 && cells > table->limits.cells)
        return rls2__fail(err, RLS2_ERR_MEMORY,
                          "%s: it has more than the %" PRId64 " cells that are allowed",
                          table->name, table->limits.cells);
    table->cell = rls2__alloc(cells + 1, sizeof *table->cell);
    table->value = rls2__alloc(cells + 1, sizeof *table->value);
    table->row_start = rls2__alloc(found.lines + 1, sizeof *table->row_start);
    table->row_line = rls2__alloc(found.lines + 1, sizeof *table->row_line);
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

/* ---- blanks between the cells ---- */

static int ends_word(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Copies a cell, with its quotes, and steps over it; returns where the copy ends. A NUL, which the
 * reader will refuse, ends what is quoted, as it does in rls2__csv_row_end. */
static char *copy_cell(const char **cell, const char *end, char *to)
{
    const char *p = *cell;
    int quoted = *p == '"';
    *to++ = *p++;
    while (p < end && (quoted || !ends_word(*p))) {
        int escaped = quoted && *p == '"' && p + 1 < end && p[1] == '"';
        if (!escaped && (*p == '"' || *p == '\0')) quoted = 0;
        if (escaped) *to++ = *p++;
        *to++ = *p++;
    }
    *cell = p;
    return to;
}

/* Leaves one tab between the cells of a line and nothing around them; returns the new end. */
static char *join_blanks(char *text, const char *end)
{
    char *to = text;
    const char *p = text;
    for (int first = 1; p < end;) {
        while (p < end && (*p == ' ' || *p == '\t')) p++;
        if (p < end && *p == '\n') {
            *to++ = *p++;
            first = 1;
            continue;
        }
        if (p == end) break;
        if (!first && *p != '\r') *to++ = '\t';
        first = 0;
        to = copy_cell(&p, end, to);
    }
    *to = '\0';
    return to;
}

/* Close it whether it could be opened or not. */
static rls2_status reader_open(reader *r, rls2_table *table, rls2__bytes *bytes, int64_t skipped,
                               const rls2_read_options *options, const rls2__csv_look *look,
                               rls2_error *err)
{
    *r = (reader){.table = table, .options = options, .look = *look, .line = 1};
    int words = look->delimiter == ' ';
    r->delimiter = words ? '\t' : look->delimiter;
    counts found = count_separators(bytes->data, bytes->length, r->delimiter);
    rls2_status status =
        found.high ? rls2__text_to_utf8(bytes, skipped, &r->converted, err) : RLS2_OK;
    if (status != RLS2_OK) return status;
    table->format = RLS2_FORMAT_CSV;
    table->delimiter = look->delimiter;
    table->header = look->header;
    table->pool = pool_create(bytes);
    if (!table->pool) return rls2__fail_memory(err, "a table");
    r->cursor = table->pool->text + skipped;
    r->end = table->pool->text + bytes->length;
    if (words) {
        r->end = join_blanks(r->cursor, r->end);
        found = count_separators(r->cursor, r->end - r->cursor, r->delimiter);
    }
    status = reserve_cells(table, found, err);
    return status == RLS2_OK ? rls2__number_reader_create(&r->number, err) : status;
}

/* What was found rather than asked for. */
static rls2_status note_findings(const reader *r, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    if (r->converted)
        status = rls2__table_add_note(
            r->table, err, "the text is not UTF-8: it is read as Windows-1252 (Latin-1)");
    if (status != RLS2_OK || r->options->header >= 0 || r->look.header) return status;
    status = rls2__table_add_note(
        r->table, err, "the first line holds data, not names: columns are called x1, x2, ...");
    if (status == RLS2_OK) rls2__table_undo_note(r->table, "header", "yes");
    return status;
}

static void reader_close(reader *r)
{
    rls2__number_reader_free(r->number);
}

/* The names, from the header or made up; of a text without header the rows too. */
static rls2_status read_names(reader *r, rls2_error *err)
{
    rls2_status status = r->look.header ? read_header(r, err) : RLS2_OK;
    return status == RLS2_OK ? note_findings(r, err) : status;
}

rls2_status rls2__read_csv(rls2_table *table, rls2__bytes *bytes, const rls2_read_options *options,
                           rls2_error *err)
{
    rls2__csv_look look;
    int64_t skipped = rls2__csv_mark(bytes->data, bytes->length);
    if (bytes->length == skipped)
        return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: the file is empty", table->name);
    rls2_status status =
        rls2__csv_look_at(options, bytes->data + skipped, bytes->length - skipped, &look, err);
    if (status != RLS2_OK) return status;
    reader r;
    status = reader_open(&r, table, bytes, skipped, options, &look, err);
    if (status == RLS2_OK) status = read_names(&r, err);
    if (status == RLS2_OK) status = read_rows(&r, err);
    reader_close(&r);
    if (status == RLS2_OK && table->rows == 0)
        status = rls2__fail(err, RLS2_ERR_SYNTAX, "%s: no data rows", table->name);
    return status == RLS2_OK ? rls2__table_understand(table, err) : status;
}

/* ---- pieces ---- */

rls2_status rls2__csv_read_head(rls2_table *head, rls2__bytes *bytes,
                                const rls2_read_options *options, const rls2__csv_look *look,
                                rls2_error *err)
{
    reader r;
    rls2_status status = reader_open(&r, head, bytes, 0, options, look, err);
    if (status == RLS2_OK) status = read_names(&r, err);
    if (status == RLS2_OK && !look->header) status = read_rows(&r, err);
    reader_close(&r);
    return status;
}

rls2_status rls2__csv_read_piece(rls2_table *table, rls2__bytes *bytes,
                                 const rls2_read_options *options, const rls2__csv_look *look,
                                 const rls2_table *head, int64_t line, rls2_error *err)
{
    reader r;
    rls2_status status = reader_open(&r, table, bytes, 0, options, look, err);
    r.line = line;
    if (status == RLS2_OK) status = rls2__table_copy_columns(table, head, err);
    if (status == RLS2_OK) status = read_rows(&r, err);
    reader_close(&r);
    return status;
}

/* ---- samples ---- */

enum { SAMPLE_ROWS = 11 };

struct rls2__csv_sample {
    rls2_table *table;
    int64_t rows;
    int64_t first[SAMPLE_ROWS + 1]; /* cell of each row, and one past the last */
};

static rls2_status read_sample(rls2__csv_sample *sample, reader *r, rls2_error *err)
{
    while (r->cursor < r->end && sample->rows < SAMPLE_ROWS) {
        skip_empty_lines(r);
        if (r->cursor == r->end) break;
        rls2_status status = read_cells(r, err);
        if (status != RLS2_OK) return status;
        sample->table->row_start[sample->rows++] = r->row - sample->table->pool->text;
        sample->first[sample->rows] = r->cells;
    }
    return RLS2_OK;
}

rls2_status rls2__csv_sample_create(const rls2_read_options *options, char delimiter,
                                    const char *text, int64_t length, rls2__csv_sample **sample,
                                    rls2_error *err)
{
    reader r;
    rls2__csv_look look = {.delimiter = delimiter};
    rls2__bytes bytes = {.data = rls2__alloc(rls2__add(length, 1), 1), .length = length};
    rls2__csv_sample *made = rls2__alloc_zero(1, sizeof *made);
    if (made) made->table = rls2__table_create("");
    if (!bytes.data || !made || !made->table) {
        rls2__free(bytes.data);
        rls2__csv_sample_free(made);
        return rls2__fail_memory(err, "the first rows of a table");
    }
    memcpy(bytes.data, text, (size_t)length);
    bytes.data[length] = '\0';
    rls2_status status = reader_open(&r, made->table, &bytes, 0, options, &look, err);
    if (status == RLS2_OK) status = read_sample(made, &r, err);
    reader_close(&r);
    rls2__free(bytes.data);
    if (status == RLS2_OK)
        *sample = made;
    else
        rls2__csv_sample_free(made);
    return status;
}

void rls2__csv_sample_free(rls2__csv_sample *sample)
{
    if (!sample) return;
    rls2_table_free(sample->table);
    rls2__free(sample);
}

int64_t rls2__csv_sample_rows(const rls2__csv_sample *sample)
{
    return sample->rows;
}

int64_t rls2__csv_sample_width(const rls2__csv_sample *sample, int64_t row)
{
    return sample->first[row + 1] - sample->first[row];
}

const char *rls2__csv_sample_text(const rls2__csv_sample *sample, int64_t row, int64_t column)
{
    const rls2_table *table = sample->table;
    return table->pool->text + table->row_start[row] + table->cell[sample->first[row] + column];
}

double rls2__csv_sample_value(const rls2__csv_sample *sample, int64_t row, int64_t column)
{
    return sample->table->value[sample->first[row] + column];
}

/* ---- looking ahead ---- */

int64_t rls2__csv_mark(const char *text, int64_t length)
{
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

int rls2__csv_is_empty_line(const char *text, const char *end, char delimiter)
{
    if (delimiter == ' ') delimiter = '\0'; /* blanks between nothing */
    while (text < end && is_blank(*text, delimiter)) text++;
    if (text < end && *text == '\r') text++;
    return text == end || *text == '\n';
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
        } else if (*p == delimiter || (delimiter == ' ' && *p == '\t')) {
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
