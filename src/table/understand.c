/* The style of each column.
 *
 * A column is read by every candidate at once; one that fails too often is given up. Where several
 * fit equally well the file's other columns decide: a file is written in one country. What nothing
 * decides is a guess, which a note tells. */
#include "table/understand.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/invariant.h"
#include "base/number.h"
#include "table/words.h"

enum {
    CANDIDATES = 10,
    SLIPS_OF = 20,   /* cells at least, where some may be slips, */
    SLIP_SHARE = 10, /* one in so many */
    PROBE = 32       /* cells after which a candidate has read at least half */
};

static const rls2__style candidates[CANDIDATES] = {
    {.kind = RLS2__STYLE_DECORATED, .decimal = '.', .thousands = ','},
    {.kind = RLS2__STYLE_DECORATED, .decimal = '.', .thousands = ' '},
    {.kind = RLS2__STYLE_DECORATED, .decimal = '.', .thousands = '\''},
    {.kind = RLS2__STYLE_DECORATED, .decimal = ',', .thousands = '.'},
    {.kind = RLS2__STYLE_DECORATED, .decimal = ',', .thousands = ' '},
    {.kind = RLS2__STYLE_DECORATED, .decimal = ',', .thousands = '\''},
    {.kind = RLS2__STYLE_DATE, .order = RLS2__DATE_YMD},
    {.kind = RLS2__STYLE_DATE, .order = RLS2__DATE_DMY},
    {.kind = RLS2__STYLE_DATE, .order = RLS2__DATE_MDY},
    {.kind = RLS2__STYLE_DATE, .order = RLS2__DATE_TIME, .has_time = 1},
};

/* Sets of candidates, by their bits. */
enum {
    POINT = 7 << 0,
    COMMA = 7 << 3,
    YEAR_FIRST = 1 << 6,
    DAY_FIRST = 1 << 7,
    MONTH_FIRST = 1 << 8
};

/* How well a candidate reads a column. */
typedef struct trial {
    int given_up;
    int64_t slips;
    int64_t witness; /* the first row whose cell is no plain number and is read, -1: none */
} trial;

typedef struct column {
    int fits;        /* candidates that read the column equally well */
    int chosen;      /* one of them, -1: it stays plain */
    int guessed;     /* nothing told day from month */
    int told;        /* a note has been written */
    int64_t words;   /* cells that may stand for missing values */
    int64_t example; /* row of a cell that shows the style */
} column;

typedef struct finder {
    rls2_table *table;
    column *columns;
    int needs_day, needs_month; /* some column has dates that begin with it for sure */
} finder;

/* ---- trying ---- */

/* The word for a missing value that the cell may be, or -1. */
static int word_of(const rls2_table *table, const char *text)
{
    return table->weak_words ? rls2__missing_word(text) : -1;
}

/* "(5)" is -5 only beside cells that show what is meant. */
static int is_witness(const char *text)
{
    double value;
    return !rls2__number_read(text, &value) && *text != '(';
}

static void try_text(trial *t, const rls2__style *style, int64_t row, const char *text)
{
    double value;
    if (t->given_up) return;
    if (!rls2__style_read(style, text, &value))
        t->slips++;
    else if (t->witness < 0 && is_witness(text))
        t->witness = row;
}

/* Numbers that were given as such are numbers in any style, and no dates. */
static void try_number(trial *t, const rls2__style *style)
{
    t->slips += style->kind == RLS2__STYLE_DATE;
}

static int may_be(const rls2_table *table, const rls2__style *style)
{
    int other = table->decimal && table->decimal != style->decimal;
    return style->kind == RLS2__STYLE_DATE || !other;
}

/* Gives up what has failed too often; returns how many are left. */
static int give_up(trial trials[CANDIDATES], int64_t seen, int64_t allowed)
{
    int left = 0;
    for (int k = 0; k < CANDIDATES; k++) {
        trial *t = &trials[k];
        if (t->slips > allowed || (seen == PROBE && t->slips * 2 > seen)) t->given_up = 1;
        left += !t->given_up;
    }
    return left;
}

static void try_column(const finder *f, int64_t j, trial trials[CANDIDATES])
{
    const rls2_table *table = f->table;
    int64_t total = table->numbers[j] + table->texts[j], seen = 0;
    int64_t allowed = total >= SLIPS_OF ? total / SLIP_SHARE : 0;
    for (int k = 0; k < CANDIDATES; k++)
        trials[k] = (trial){.given_up = !may_be(table, &candidates[k]), .witness = -1};
    for (int64_t i = 0; i < table->rows; i++) {
        const char *text = rls2__table_written(table, i, j);
        if (rls2__table_is_missing(table, i, j) || (text && word_of(table, text) >= 0)) continue;
        for (int k = 0; k < CANDIDATES; k++)
            if (text)
                try_text(&trials[k], &candidates[k], i, text);
            else
                try_number(&trials[k], &candidates[k]);
        if (give_up(trials, ++seen, allowed) == 0) return;
    }
}

/* The candidates with the fewest slips. */
static void keep_best(column *c, const trial trials[CANDIDATES])
{
    int64_t fewest = INT64_MAX;
    for (int k = 0; k < CANDIDATES; k++)
        if (!trials[k].given_up && trials[k].witness >= 0 && trials[k].slips < fewest) {
            fewest = trials[k].slips;
            c->example = trials[k].witness;
        }
    for (int k = 0; k < CANDIDATES; k++)
        if (!trials[k].given_up && trials[k].witness >= 0 && trials[k].slips == fewest)
            c->fits |= 1 << k;
}

static int64_t count_words(const rls2_table *table, int64_t j)
{
    int64_t count = 0;
    for (int64_t i = 0; i < table->rows && table->weak_words; i++) {
        const char *text = rls2__table_written(table, i, j);
        if (text && *text && isnan(rls2__table_number(table, i, j)))
            count += rls2__missing_word(text) >= 0;
    }
    return count;
}

static void look_at_column(finder *f, int64_t j)
{
    trial trials[CANDIDATES];
    column *c = &f->columns[j];
    c->chosen = -1;
    if (f->table->texts[j] == 0) return;
    c->words = count_words(f->table, j);
    if (c->words == f->table->texts[j]) return;
    try_column(f, j, trials);
    keep_best(c, trials);
}

/* ---- choosing ---- */

/* Some column can only be read by candidates of `these`, beside those of neither set. */
static int some_needs(const finder *f, int these, int those)
{
    for (int64_t j = 0; j < f->table->columns; j++)
        if ((f->columns[j].fits & these) && !(f->columns[j].fits & those)) return 1;
    return 0;
}

enum { COMMA_AND_POINTS = 3 }; /* the candidate "1.234,5" */

/* What points are in a column of plain numbers. */
typedef struct points {
    int64_t thousands; /* the first row with one that may be a separator, "3.606"; -1: none */
    int decimal;       /* some row has another one, "3.6" */
} points;

static points points_of(const rls2_table *table, int64_t j)
{
    points found = {-1, 0};
    for (int64_t i = 0; i < table->rows && !found.decimal; i++) {
        double value;
        const char *text = rls2__table_written(table, i, j);
        if (!text || !strchr(text, '.')) continue;
        found.decimal = !rls2__style_read(&candidates[COMMA_AND_POINTS], text, &value);
        if (found.thousands < 0) found.thousands = i;
    }
    return found;
}

static int has_decimal_point(const rls2_table *table)
{
    for (int64_t j = 0; j < table->columns; j++)
        if (table->texts[j] == 0 && points_of(table, j).decimal) return 1;
    return 0;
}

static int some_fits(const finder *f, int set)
{
    for (int64_t j = 0; j < f->table->columns; j++)
        if (f->columns[j].fits & set) return 1;
    return 0;
}

/* Programs write semicolons between the cells where the comma is the decimal sign. */
static int is_comma_country(const finder *f)
{
    if (!some_fits(f, COMMA | DAY_FIRST)) return 0;
    if (some_needs(f, COMMA, POINT)) return !some_needs(f, POINT, COMMA);
    return !some_needs(f, POINT, COMMA) && f->table->delimiter == ';' &&
           !has_decimal_point(f->table);
}

/* The sign between day and month. */
static char date_sign(const char *text)
{
    const char *sign = strpbrk(text, "/.-");
    return sign ? *sign : '\0';
}

/* Of a column that could be either. */
static int is_day_first(const finder *f, const column *c, int comma)
{
    if (f->needs_day != f->needs_month) return f->needs_day;
    const char *text = rls2__table_written(f->table, c->example, c - f->columns);
    return comma || date_sign(text) == '.';
}

static int first_of(int set)
{
    int k = 0;
    while (!(set >> k & 1)) k++;
    return k;
}

static void choose(const finder *f, column *c, int comma)
{
    int fits = c->fits, both = DAY_FIRST | MONTH_FIRST;
    if (fits == 0) return;
    if (comma && (fits & COMMA)) fits &= COMMA;
    if ((fits & both) == both && !(fits & YEAR_FIRST)) {
        c->guessed = !f->needs_day && !f->needs_month;
        fits = is_day_first(f, c, comma) ? DAY_FIRST : MONTH_FIRST;
    }
    c->chosen = first_of(fits);
}

/* Where decimals have commas, the points of what else is a plain number separate thousands. */
static void choose_points(const finder *f, int64_t j)
{
    column *c = &f->columns[j];
    if (f->table->texts[j] > 0) return;
    points found = points_of(f->table, j);
    if (found.thousands < 0 || found.decimal) return;
    c->chosen = COMMA_AND_POINTS;
    c->example = found.thousands;
}

/* ---- applying ---- */

static void empty_cell(rls2_table *table, int64_t row, int64_t j, int word)
{
    int64_t at = row * table->columns + j;
    table->pool->text[table->row_start[row] + table->cell[at]] = '\0';
    table->value[at] = (double)NAN;
    table->words[word]++;
}

static void empty_words(rls2_table *table, int64_t j)
{
    for (int64_t i = 0; i < table->rows; i++) {
        const char *text = rls2__table_written(table, i, j);
        int word = text ? word_of(table, text) : -1;
        if (word >= 0) empty_cell(table, i, j, word);
    }
}

static void set_style(rls2_table *table, int64_t j, const rls2__style *style)
{
    table->styles[j] = *style;
    for (int64_t i = 0; i < table->rows; i++) {
        double *value = &table->value[i * table->columns + j];
        const char *text = rls2__table_written(table, i, j);
        int has_time = 0;
        if (!text) continue;
        int read = style->kind == RLS2__STYLE_DATE
                       ? rls2__date_read(style->order, text, value, &has_time)
                       : rls2__style_read(style, text, value);
        if (!read) *value = (double)NAN;
        table->styles[j].has_time |= has_time;
    }
}

static void count_column(rls2_table *table, int64_t j)
{
    table->numbers[j] = table->texts[j] = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        int number = !isnan(rls2__table_number(table, i, j));
        table->numbers[j] += number;
        table->texts[j] += !number && !rls2__table_is_missing(table, i, j);
    }
}

/* Words are missing values where what else is no number would be called a slip. */
static void apply(rls2_table *table, int64_t j, const column *c)
{
    if (table->texts[j] == 0 && c->chosen < 0) return;
    if (c->chosen >= 0) {
        set_style(table, j, &candidates[c->chosen]);
        count_column(table, j);
    }
    int64_t others = table->texts[j] - c->words;
    if (c->words > 0 && table->numbers[j] > 0 && others <= table->numbers[j]) {
        empty_words(table, j);
        count_column(table, j);
    }
}

/* ---- notes ---- */

/* A style as a note tells it: "dates, day-month-year", with the example where it says more. */
typedef struct told {
    char text[2 * sizeof(rls2__shown) + 160];
} told;

static told tell_number(const char *text, double value)
{
    told made;
    snprintf(made.text, sizeof made.text, "'%s' is read as %.12g", rls2__show(text).text, value);
    return made;
}

/* Dates whose months have names are read in any order. */
static int has_names(const column *c)
{
    return (c->fits & YEAR_FIRST) && (c->fits & DAY_FIRST);
}

static told tell_date(const column *c, const rls2__style *style, const char *text, double value)
{
    static const char *const orders[] = {"year-month-day", "day-month-year", "month-day-year"};
    told made;
    const char *kind = style->has_time ? "dates and times" : "dates";
    if (style->order == RLS2__DATE_TIME)
        snprintf(made.text, sizeof made.text, "times of day");
    else if (c->guessed)
        snprintf(made.text, sizeof made.text,
                 "%s, taken for %s ('%s' is in month %.0f); nothing tells day from month", kind,
                 orders[style->order], rls2__show(text).text, rls2__date_parts_of(value).month);
    else if (has_names(c))
        snprintf(made.text, sizeof made.text, "%s", kind);
    else
        snprintf(made.text, sizeof made.text, "%s, %s", kind, orders[style->order]);
    return made;
}

static told tell_style(const finder *f, int64_t j)
{
    const column *c = &f->columns[j];
    const rls2__style *style = &f->table->styles[j];
    const char *text = rls2__table_written(f->table, c->example, j);
    double value = rls2__table_number(f->table, c->example, j);
    return style->kind == RLS2__STYLE_DATE ? tell_date(c, style, text, value)
                                           : tell_number(text, value);
}

static int told_alike(const finder *f, int64_t a, int64_t b)
{
    const column *c = &f->columns[a], *d = &f->columns[b];
    return c->chosen == d->chosen && !c->fits == !d->fits && c->guessed == d->guessed &&
           has_names(c) == has_names(d) &&
           f->table->styles[a].has_time == f->table->styles[b].has_time;
}

/* One note for all columns from `j` on that are written alike, and were not told before. */
static rls2_status note_style(const finder *f, int64_t j, const char **names, rls2_error *err)
{
    int64_t count = 0;
    for (int64_t b = j; b < f->table->columns; b++) {
        if (!told_alike(f, b, j)) continue;
        f->columns[b].told = 1;
        names[count++] = f->table->names[b];
    }
    rls2_status status =
        rls2__table_add_note(f->table, err, "column%s %s: %s", count > 1 ? "s" : "",
                             rls2__show_list(names, count, "'").text, tell_style(f, j).text);
    const rls2__style *style = &f->table->styles[j];
    if (status == RLS2_OK && style->kind != RLS2__STYLE_DATE && style->decimal == ',')
        rls2__table_undo_note(f->table, "decimal", ".");
    return status;
}

/* "missing: NA (37 cells), ? (4 cells)" */
static rls2_status note_missing(rls2_table *table, rls2_error *err)
{
    char text[RLS2__MISSING_WORDS * 40] = "";
    size_t used = 0;
    for (int k = 0; k < RLS2__MISSING_WORDS; k++) {
        int64_t count = table->words[k];
        if (count == 0) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s (%" PRId64 " cell%s)",
                                 used > 0 ? ", " : "", rls2__missing_word_text(k), count,
                                 count == 1 ? "" : "s");
    }
    if (used == 0) return RLS2_OK;
    rls2_status status = rls2__table_add_note(table, err, "missing: %s", text);
    if (status == RLS2_OK) rls2__table_undo_note(table, "na", "none");
    return status;
}

static rls2_status add_notes(finder *f, rls2_error *err)
{
    int64_t columns = f->table->columns;
    const char **names = rls2__alloc(columns, sizeof *names);
    if (!names) return rls2__fail_memory(err, "the notes on a table");
    rls2_status status = note_missing(f->table, err);
    for (int64_t j = 0; j < columns && status == RLS2_OK; j++)
        if (f->columns[j].chosen >= 0 && !f->columns[j].told) status = note_style(f, j, names, err);
    rls2__free((void *)names);
    return status;
}

rls2_status rls2__table_understand(rls2_table *table, rls2_error *err)
{
    if (!table->pool) return RLS2_OK;
    rls2__invariant(atomic_load(&table->pool->owners) == 1);
    finder f = {.table = table};
    f.columns = rls2__alloc_zero(table->columns, sizeof *f.columns);
    if (!f.columns) return rls2__fail_memory(err, "the columns of a table");
    for (int64_t j = 0; j < table->columns; j++) look_at_column(&f, j);
    f.needs_day = some_needs(&f, DAY_FIRST, MONTH_FIRST);
    f.needs_month = some_needs(&f, MONTH_FIRST, DAY_FIRST);
    int comma = is_comma_country(&f);
    for (int64_t j = 0; j < table->columns; j++) choose(&f, &f.columns[j], comma);
    for (int64_t j = 0; j < table->columns && comma && some_fits(&f, COMMA); j++)
        choose_points(&f, j);
    for (int64_t j = 0; j < table->columns; j++) apply(table, j, &f.columns[j]);
    rls2_status status = add_notes(&f, err);
    rls2__free(f.columns);
    return status;
}
