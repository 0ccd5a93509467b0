/* Looks ahead: the delimiter from the number of cells in each line, the header from the kinds of
 * cells in the first row and in those below it. Whole files and streams look at the same lines, so
 * that they are read alike. */
#include "formats/csv_look.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "formats/csv.h"

enum { LINES = 11, SURE_LINES = 2 };

/* ---- lines ---- */

/* Whether what follows p is within quotes. They open at the start of a cell only, and which
 * character ends a cell is not known yet; the second of two stands for a quote in the cell. */
static int is_quoted(int quoted, const char *start, const char *p)
{
    if (*p != '"') return quoted;
    return !quoted && (p == start || strchr(",;\t| \"", p[-1]));
}

/* The end of the line, its feed included; NULL where it is not there. */
static const char *line_end(const char *line, const char *end)
{
    int quoted = 0;
    for (const char *p = line; p < end; p++) {
        quoted = is_quoted(quoted, line, p);
        if (!quoted && *p == '\n') return p + 1;
    }
    return NULL;
}

const char *rls2__csv_sample_end(const char *text, const char *end, int at_end)
{
    const char *p = text;
    for (int lines = 0; lines < LINES;) {
        const char *stop = line_end(p, end);
        int open = !stop;
        if (open) stop = end;
        int within = stop - text <= RLS2__WINDOW;
        if (lines >= SURE_LINES && !within) return p;
        if (open) return at_end ? end : NULL;
        lines += !rls2__csv_is_empty_line(p, stop, '\0');
        p = stop;
    }
    return p;
}

/* ---- the delimiter ---- */

typedef struct line {
    const char *start, *stop;
} line;

/* The lines of the sample that are not empty; returns how many. */
static int find_lines(const char *text, const char *end, line lines[LINES])
{
    int count = 0;
    while (text < end && count < LINES) {
        const char *stop = line_end(text, end);
        if (!stop) stop = end;
        if (!rls2__csv_is_empty_line(text, stop, '\0')) lines[count++] = (line){text, stop};
        text = stop;
    }
    return count;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Of a file whose cells are separated by runs of blanks. */
static int64_t count_words(line l)
{
    int64_t words = 0;
    int quoted = 0, within = 0;
    for (const char *p = l.start; p < l.stop; p++) {
        quoted = is_quoted(quoted, l.start, p);
        int blank = !quoted && (is_blank(*p) || *p == '\r' || *p == '\n');
        words += !blank && !within;
        within = !blank;
    }
    return words;
}

static int64_t count_cells(line l, char delimiter)
{
    int64_t cells = 1;
    int quoted = 0;
    if (delimiter == ' ') return count_words(l);
    for (const char *p = l.start; p < l.stop; p++) {
        quoted = is_quoted(quoted, l.start, p);
        cells += !quoted && *p == delimiter;
    }
    return cells;
}

/* Every line has as many cells, or every one but the first has one more. */
static int cuts_evenly(const line *lines, int count, char delimiter)
{
    int64_t first = count_cells(lines[0], delimiter);
    int64_t others = count > 1 ? count_cells(lines[1], delimiter) : first;
    if (first < 2 || (others != first && others != first + 1)) return 0;
    for (int k = 2; k < count; k++)
        if (count_cells(lines[k], delimiter) != others) return 0;
    return 1;
}

/* At least half of the lines below the first have as many words as it, several: a text in one
 * column has not. */
static int has_words(const line *lines, int count)
{
    int64_t first = count_words(lines[0]);
    int alike = 0;
    for (int k = 1; k < count; k++) alike += count_words(lines[k]) == first;
    return first > 1 && alike * 2 >= count - 1;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Every comma outside quotes stands between digits, as a decimal sign does. */
static int are_decimal_commas(const line *lines, int count)
{
    for (int k = 0; k < count; k++) {
        int quoted = 0;
        for (const char *p = lines[k].start; p < lines[k].stop; p++) {
            quoted = is_quoted(quoted, lines[k].start, p);
            if (quoted || *p != ',') continue;
            if (p == lines[k].start || !is_digit(p[-1]) || p + 1 == lines[k].stop ||
                !is_digit(p[1]))
                return 0;
        }
    }
    return 1;
}

/* ",\t" between cells: the tab is for the eye. */
static int has_comma_beside_tab(line l)
{
    for (const char *p = l.start; p + 1 < l.stop; p++)
        if ((p[0] == ',' && p[1] == '\t') || (p[0] == '\t' && p[1] == ',')) return 1;
    return 0;
}

static char first_present(line l)
{
    static const char order[] = ",\t;|";
    for (const char *c = order; *c; c++)
        if (count_cells(l, *c) > 1) return *c;
    return '\0';
}

static char find_delimiter(const char *text, const char *end)
{
    line lines[LINES];
    int count = find_lines(text, end, lines);
    if (count == 0) return ',';
    char present = first_present(lines[0]);
    if (!present) return has_words(lines, count) || cuts_evenly(lines, count, ' ') ? ' ' : ',';
    int comma = cuts_evenly(lines, count, ',');
    if (cuts_evenly(lines, count, '\t') && !has_comma_beside_tab(lines[0])) return '\t';
    if (cuts_evenly(lines, count, ';') && (!comma || are_decimal_commas(lines, count))) return ';';
    if (comma) return ',';
    if (cuts_evenly(lines, count, '|')) return '|';
    return present == '\t' && cuts_evenly(lines, count, ' ') ? ' ' : present;
}

/* ---- the header ---- */

typedef enum kind { MISSING, NUMBER, DATE, WORD } kind;

static kind kind_of(const char *text, double value)
{
    static const rls2__style styles[] = {
        {.kind = RLS2__STYLE_DECORATED, .decimal = '.', .thousands = ','},
        {.kind = RLS2__STYLE_DECORATED, .decimal = ',', .thousands = '.'},
        {.kind = RLS2__STYLE_DATE, .order = RLS2__DATE_YMD},
        {.kind = RLS2__STYLE_DATE, .order = RLS2__DATE_DMY},
        {.kind = RLS2__STYLE_DATE, .order = RLS2__DATE_MDY},
        {.kind = RLS2__STYLE_DATE, .order = RLS2__DATE_TIME}};
    if (*text == '\0' || rls2__missing_word(text) >= 0) return MISSING;
    if (!isnan(value)) return NUMBER;
    for (size_t k = 0; k < sizeof styles / sizeof styles[0]; k++)
        if (rls2__style_read(&styles[k], text, &value))
            return styles[k].kind == RLS2__STYLE_DATE ? DATE : NUMBER;
    return WORD;
}

/* What the cells of a column below the first row are: one kind, or words. */
static kind kind_below(const rls2__csv_sample *sample, int64_t j)
{
    kind found = MISSING;
    for (int64_t i = 1; i < rls2__csv_sample_rows(sample); i++) {
        if (j >= rls2__csv_sample_width(sample, i)) continue;
        kind here =
            kind_of(rls2__csv_sample_text(sample, i, j), rls2__csv_sample_value(sample, i, j));
        if (here == MISSING) continue;
        if (found != MISSING && here != found) return WORD;
        found = here;
    }
    return found;
}

/* How the first row compares with the rows below it. */
typedef struct votes {
    int64_t names;     /* words above numbers or dates */
    int64_t values;    /* numbers above numbers, dates above dates */
    int64_t words;     /* words above words */
    int64_t ascending; /* of `values`: those above the one before, */
    int64_t years;     /* and whole numbers that could be years */
    int64_t years_below;
    double last;
} votes;

static int could_be_year(double value)
{
    return value == floor(value) && value >= 1000.0 && value < 3000.0;
}

static void vote_value(votes *v, double value, double below)
{
    v->ascending += value > v->last;
    v->years += could_be_year(value) && value > v->last;
    v->years_below += could_be_year(below);
    v->values++;
    v->last = value;
}

static double first_below(const rls2__csv_sample *sample, int64_t j)
{
    return rls2__csv_sample_rows(sample) > 1 && j < rls2__csv_sample_width(sample, 1)
               ? rls2__csv_sample_value(sample, 1, j)
               : (double)NAN;
}

static votes count_votes(const rls2__csv_sample *sample)
{
    votes v = {.last = -HUGE_VAL};
    for (int64_t j = 0; j < rls2__csv_sample_width(sample, 0); j++) {
        double value = rls2__csv_sample_value(sample, 0, j);
        kind above = kind_of(rls2__csv_sample_text(sample, 0, j), value);
        kind below = kind_below(sample, j);
        int alone = rls2__csv_sample_rows(sample) == 1 && above != WORD;
        if (above == MISSING) continue;
        if ((above == NUMBER || above == DATE) && (below == above || below == MISSING || alone))
            vote_value(&v, value, first_below(sample, j));
        else if (above == WORD && below == WORD)
            v.words++;
        else if (below != MISSING)
            v.names += below == NUMBER || below == DATE;
    }
    return v;
}

/* Columns that are called by ascending numbers beside row names without a name (pandas, and tables
 * of counts in R), or by years beside columns of words. */
static int are_numbers_names(const rls2__csv_sample *sample, const votes *v)
{
    int unnamed = *rls2__csv_sample_text(sample, 0, 0) == '\0';
    if (unnamed && v->words == 0 && v->values > 1 && v->ascending == v->values) return 1;
    return v->words > 0 && v->values > 0 && v->years == v->values && v->years_below < v->values;
}

static int is_header(const rls2__csv_sample *sample)
{
    if (rls2__csv_sample_rows(sample) == 0) return 1;
    votes v = count_votes(sample);
    return v.names > 0 || v.values == 0 || are_numbers_names(sample, &v);
}

/* ---- row names ---- */

static int is_repeated(const rls2__csv_sample *sample, int64_t row)
{
    const char *text = rls2__csv_sample_text(sample, row, 0);
    for (int64_t i = 1; i < row; i++)
        if (strcmp(rls2__csv_sample_text(sample, i, 0), text) == 0) return 1;
    return 0;
}

/* R leaves out the name of the row names: the first line has one cell less than all others, which
 * begin with different texts. */
static int is_short(const rls2__csv_sample *sample)
{
    int64_t width = rls2__csv_sample_rows(sample) > 0 ? rls2__csv_sample_width(sample, 0) : 0;
    int filled = 0;
    if (rls2__csv_sample_rows(sample) < 3) return 0;
    for (int64_t i = 1; i < rls2__csv_sample_rows(sample); i++) {
        if (rls2__csv_sample_width(sample, i) != width + 1 || is_repeated(sample, i)) return 0;
        filled |= *rls2__csv_sample_text(sample, i, width) != '\0';
    }
    return filled && isnan(rls2__csv_sample_value(sample, 0, 0));
}

/* ---- both ---- */

/* Of a sample that cannot be read nothing is known: the reader will say why. */
static rls2_status look_at_rows(const rls2_read_options *options, const char *text, int64_t length,
                                rls2__csv_look *look, rls2_error *err)
{
    rls2__csv_sample *sample = NULL;
    rls2_status status =
        rls2__csv_sample_create(options, look->delimiter, text, length, &sample, err);
    look->header = options->header != 0;
    look->is_short = 0;
    if (status == RLS2_ERR_MEMORY) return status;
    if (status != RLS2_OK) return RLS2_OK;
    look->is_short = options->header != 0 && is_short(sample);
    if (options->header < 0) look->header = look->is_short || is_header(sample);
    rls2__csv_sample_free(sample);
    return RLS2_OK;
}

rls2_status rls2__csv_look_at(const rls2_read_options *options, const char *text, int64_t length,
                              rls2__csv_look *look, rls2_error *err)
{
    const char *end = rls2__csv_sample_end(text, text + length, 1);
    look->delimiter = options->delimiter ? options->delimiter : find_delimiter(text, end);
    return look_at_rows(options, text, end - text, look, err);
}
