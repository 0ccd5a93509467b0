/* Signs by which a column is known for one that is not to be learned from. */
#include "plan/column_signs.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "table/table.h"
#include "table/values.h"

/* A relation in fewer rows, or between fewer numbers, may be chance. */
enum { LEAST_ROWS = 20, LEAST_VALUES = 10 };

int rls2__column_is_text(const rls2_table *table, int64_t column)
{
    return rls2__table_is_text(table, column);
}

static int are_whole(const rls2_table *table, int64_t column)
{
    for (int64_t i = 0; i < table->rows; i++) {
        double number = rls2__table_number(table, i, column);
        if (!isnan(number) && number != floor(number)) return 0;
    }
    return 1;
}

/* At most so many different values, with three rows each on average. -1 when out of memory. */
static int has_few_values(const rls2_table *table, int64_t column, int64_t most)
{
    enum { ROWS_OF_VALUE = 3 };
    int64_t cells = table->texts[column] + table->numbers[column];
    int64_t values = rls2_table_distinct(table, column, most + 1);
    return values < 0 ? -1 : values <= most && cells >= ROWS_OF_VALUE * values;
}

int rls2__column_is_coded(const rls2_table *table, int64_t column)
{
    enum { MOST_VALUES = 12 };
    int64_t texts = table->texts[column];
    if (texts == 0 || rls2__column_is_text(table, column) ||
        texts + table->numbers[column] < LEAST_ROWS || !are_whole(table, column))
        return 0;
    return has_few_values(table, column, MOST_VALUES);
}

int rls2__has_bare_numbers(const rls2_table *table)
{
    enum { ENOUGH = 100 };
    for (int64_t i = 0; i < table->rows && i < ENOUGH; i++)
        for (int64_t j = 0; j < table->columns; j++)
            if (!isnan(rls2__table_number(table, i, j)) && !rls2__table_was_quoted(table, i, j))
                return 1;
    return 0;
}

int rls2__column_has_quotes(const rls2_table *table, int64_t column)
{
    for (int64_t i = 0; i < table->rows; i++)
        if (!rls2__table_is_missing(table, i, column) && !rls2__table_was_quoted(table, i, column))
            return 0;
    return 1;
}

int rls2__column_is_quoted(const rls2_table *table, int64_t column)
{
    enum { MOST_VALUES = 1000 };
    int64_t texts = table->texts[column];
    if (table->styles[column].kind != RLS2__STYLE_PLAIN || rls2__column_is_text(table, column) ||
        !rls2__column_has_quotes(table, column))
        return 0;
    if (texts > 0) return 1;
    if (table->numbers[column] < LEAST_ROWS || !are_whole(table, column)) return 0;
    return has_few_values(table, column, MOST_VALUES);
}

/* ---- numbers of rows ---- */

/* Small letters and digits alone: "row.names" and "Row Names" are one word. */
static void strip_name(const char *name, char *word, size_t size)
{
    size_t length = 0;
    for (; *name && length + 1 < size; name++)
        if (isalnum((unsigned char)*name)) word[length++] = (char)tolower((unsigned char)*name);
    word[length] = '\0';
}

/* "customer_id", "customer.ID", "customerId", "customerID"; not "paid". */
static int ends_in_id(const char *name)
{
    size_t length = strlen(name);
    if (length < 3) return 0;
    const char *end = name + length - 2;
    if (tolower((unsigned char)end[0]) != 'i' || tolower((unsigned char)end[1]) != 'd') return 0;
    return strchr("_.- ", end[-1]) || (end[0] == 'I' && islower((unsigned char)end[-1]));
}

int rls2__is_name_of_ids(const char *name, int *weak)
{
    static const char *const WORDS[] = {"id",        "ids",     "index", "idx",        "row",
                                        "rowid",     "rowname", "obs",   "rownames",   "rownum",
                                        "rownumber", "caseid",  "rowno", "observation"};
    char word[16];
    strip_name(name, word, sizeof word);
    size_t length = strlen(name);
    *weak = strcmp(name, "X") == 0 || strcmp(word, "no") == 0 || strcmp(word, "nr") == 0 ||
            (length > 2 && strcmp(name + length - 2, "ID") == 0 &&
             isupper((unsigned char)name[length - 3]));
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (strcmp(word, WORDS[i]) == 0) return 1;
    return *weak || strncmp(name, "Unnamed: ", 9) == 0 || ends_in_id(name);
}

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Numbers of a column in order, `count` of them. Some rows of a file may be there twice, and some
 * may have gone elsewhere. */
static int are_ids(const double *number, int64_t count, int weak)
{
    enum { ROOM = 10 };
    int64_t repeated = 0;
    for (int64_t i = 0; i < count; i++) {
        if (number[i] != floor(number[i])) return 0;
        repeated += i > 0 && number[i] == number[i - 1];
    }
    if (weak && (repeated > 0 || number[count - 1] - number[0] >= ROOM * (double)count)) return 0;
    return repeated == 0 ? count > 1 : count >= LEAST_ROWS && 2 * repeated < count;
}

int rls2__column_numbers_rows(const rls2_table *table, int64_t column)
{
    int weak;
    if (!rls2__is_name_of_ids(table->names[column], &weak) ||
        rls2_table_kind(table, column) != RLS2_COLUMN_NUMBERS)
        return 0;
    double *number = rls2__alloc(table->rows, sizeof *number);
    if (!number) return -1;
    int64_t count = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        double value = rls2__table_number(table, i, column);
        if (!isnan(value)) number[count++] = value;
    }
    qsort(number, (size_t)count, sizeof *number, by_number);
    int found = count > 0 && are_ids(number, count, weak);
    rls2__free(number);
    return found;
}

/* ---- the target by another name ---- */

typedef struct ranked {
    double number;
    int64_t row;
} ranked;

static int by_rank(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    int order = (x->number > y->number) - (x->number < y->number);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

rls2_status rls2__rank_rows(const rls2_table *table, int64_t column, rls2__ranking *ranking,
                            rls2_error *err)
{
    ranked *all = rls2__alloc(table->rows, sizeof *all);
    int64_t *rows = rls2__alloc(table->rows, sizeof *rows), count = 0;
    if (!all || !rows) {
        rls2__free(all);
        rls2__free(rows);
        return rls2__fail_memory(err, "the order of rows");
    }
    for (int64_t i = 0; i < table->rows; i++) {
        double number = rls2__table_number(table, i, column);
        if (!isnan(number)) all[count++] = (ranked){number, i};
    }
    qsort(all, (size_t)count, sizeof *all, by_rank);
    for (int64_t i = 0; i < count; i++) rows[i] = all[i].row;
    rls2__free(all);
    *ranking = (rls2__ranking){count, rows};
    return RLS2_OK;
}

/* Rows are counted down the file: 1, 2, 3, or 1990, 1991, 1992. */
static int is_count(const rls2_table *table, int64_t column)
{
    double first = rls2__table_number(table, 0, column), step = 0.0;
    for (int64_t i = 1; i < table->rows; i++) {
        double number = rls2__table_number(table, i, column);
        if (i == 1) step = number - first;
        if (isnan(number) || step == 0.0 || number - first != step * (double)i) return 0;
    }
    return 1;
}

/* The numbers of a column in the rows where the target is the same. */
typedef struct level {
    double low, high;
    int64_t rows; /* that have a number */
} level;

/* Reads the rows of one value of the target from place *at on, and moves it behind them. */
static level read_level(const rls2_table *table, int64_t column, int64_t target,
                        const rls2__ranking *ranking, int64_t *at)
{
    level made = {INFINITY, -INFINITY, 0};
    double value = rls2__table_number(table, ranking->rows[*at], target);
    for (; *at < ranking->count; ++*at) {
        int64_t row = ranking->rows[*at];
        if (rls2__table_number(table, row, target) != value) break;
        double number = rls2__table_number(table, row, column);
        if (isnan(number)) continue;
        made.low = fmin(made.low, number);
        made.high = fmax(made.high, number);
        made.rows++;
    }
    return made;
}

/* Both ends have so many rows that their order is no chance. */
static int has_firm_ends(const rls2_table *table, int64_t column, const rls2__ranking *ranking)
{
    enum { LEAST_OF_END = 5 };
    double low = INFINITY, high = -INFINITY;
    int64_t lows = 0, highs = 0;
    for (int64_t i = 0; i < ranking->count; i++) {
        double number = rls2__table_number(table, ranking->rows[i], column);
        if (number < low) lows = 0;
        if (number > high) highs = 0;
        low = fmin(low, number);
        high = fmax(high, number);
        lows += number == low;
        highs += number == high;
    }
    return low < high && lows >= LEAST_OF_END && highs >= LEAST_OF_END;
}

rls2__following rls2__column_follows(const rls2_table *table, int64_t column, int64_t target,
                                     const rls2__ranking *ranking)
{
    level last = {0};
    int64_t at = 0, rows = 0, levels = 0, steps = 0;
    int rises = 1, falls = 1;
    while (at < ranking->count && (rises || falls)) {
        level next = read_level(table, column, target, ranking, &at);
        if (next.rows == 0) continue;
        if (levels > 0) {
            rises &= next.low >= last.high;
            falls &= next.high <= last.low;
            steps += next.low != last.low || next.high != last.high;
        }
        rows += next.rows;
        levels++;
        last = next;
    }
    if (!(rises || falls) || rows < LEAST_ROWS || 2 * rows < ranking->count ||
        levels < LEAST_VALUES || is_count(table, column))
        return RLS2__FOLLOWS_NOT;
    if (steps + 1 >= LEAST_VALUES && 2 * steps >= levels) return RLS2__FOLLOWS;
    return has_firm_ends(table, column, ranking) ? RLS2__FOLLOWS_IN_STEPS : RLS2__FOLLOWS_NOT;
}

/* ---- the target by other words ---- */

/* More labels than this are no classes: each is held against all others. And where labels hardly
 * repeat, any column that does not is a renaming. */
enum { MOST_LABELS = 100, ROWS_OF_EACH = 4 };

static rls2_status label_first(const rls2_table *table, int64_t target, int64_t count,
                               int64_t *rows, rls2__labels *labels, rls2_error *err)
{
    for (int64_t i = 0; i < count; i++) rows[i] = i;
    rls2_status status = rls2__number_values(table, target, count, rows, labels->numbers, err);
    labels->count = 0;
    for (int64_t i = 0; i < count && status == RLS2_OK; i++)
        if (labels->numbers[i] == labels->count) labels->first[labels->count++] = i;
    return status;
}

/* Of numbers that hardly repeat the first rows tell that they are no labels, in much less time. */
rls2_status rls2__label_rows(const rls2_table *table, int64_t target, rls2__labels *labels,
                             rls2_error *err)
{
    enum { FIRST_ROWS = 1 << 12 };
    int64_t *rows = rls2__alloc(table->rows, sizeof *rows);
    rls2__labels made = {0, rls2__alloc(table->rows, sizeof *made.numbers),
                         rls2__alloc(table->rows, sizeof *made.first)};
    rls2_status status = rows && made.numbers && made.first
                             ? RLS2_OK
                             : rls2__fail_memory(err, "the values of a column");
    if (status == RLS2_OK && table->rows > FIRST_ROWS)
        status = label_first(table, target, FIRST_ROWS, rows, &made, err);
    if (status == RLS2_OK && made.count <= MOST_LABELS)
        status = label_first(table, target, table->rows, rows, &made, err);
    rls2__free(rows);
    if (status == RLS2_OK) {
        *labels = made;
    } else {
        rls2__free(made.numbers);
        rls2__free(made.first);
    }
    return status;
}

static int is_same_cell(const rls2_table *table, int64_t column, int64_t a, int64_t b)
{
    char one[RLS2__NUMBER_TEXT], other[RLS2__NUMBER_TEXT];
    double x = rls2__table_number(table, a, column), y = rls2__table_number(table, b, column);
    if (!isnan(x) || !isnan(y)) return x == y;
    return strcmp(rls2__table_text(table, a, column, one),
                  rls2__table_text(table, b, column, other)) == 0;
}

static int are_different(const rls2_table *table, int64_t column, const rls2__labels *labels)
{
    for (int64_t a = 0; a < labels->count; a++)
        for (int64_t b = 0; b < a; b++)
            if (is_same_cell(table, column, labels->first[a], labels->first[b])) return 0;
    return 1;
}

int rls2__column_renames(const rls2_table *table, int64_t column, const rls2__labels *labels)
{
    int64_t rows = 0;
    if (labels->count < 2 || labels->count > MOST_LABELS) return 0;
    for (int64_t i = 0; i < table->rows; i++) {
        int64_t label = labels->numbers[i];
        if (label < 0) continue;
        if (rls2__table_is_missing(table, i, column) ||
            !is_same_cell(table, column, i, labels->first[label]))
            return 0;
        rows++;
    }
    return rows >= LEAST_ROWS && rows >= ROWS_OF_EACH * labels->count &&
           are_different(table, column, labels);
}

/* `values` are those of the column by number, as labels are. */
rls2__telling rls2__column_tells(const rls2_table *table, int64_t column,
                                 const rls2__labels *labels, const int64_t *values)
{
    enum { MOST_VALUES = 100, LEAST_OF_EACH = 5, MISSING = MOST_VALUES };
    int64_t label_of[MOST_VALUES + 1], rows_of[MOST_VALUES + 1] = {0};
    int64_t value_of[MOST_LABELS], rows = 0, count = 0;
    int tells = labels->count >= 2, follows = labels->count > 2;
    if (labels->count > MOST_LABELS) return RLS2__TELLS_NOT;
    for (int64_t k = 0; k < labels->count; k++) value_of[k] = -1;
    for (int64_t i = 0; i < table->rows && (tells || follows); i++) {
        int64_t label = labels->numbers[i],
                value = rls2__table_is_missing(table, i, column) ? MISSING : values[i];
        if (label < 0) continue;
        if (value < 0 || value > MOST_VALUES) return RLS2__TELLS_NOT;
        if (rows_of[value]++ == 0) {
            label_of[value] = label;
            count++;
        }
        if (value_of[label] < 0) value_of[label] = value;
        tells &= label_of[value] == label;
        follows &= value_of[label] == value;
        rows++;
    }
    if (count < 2 || rows < LEAST_ROWS || rows < LEAST_OF_EACH * (count + labels->count))
        return RLS2__TELLS_NOT;
    return tells ? RLS2__TELLS : follows ? RLS2__TELLS_A_PART : RLS2__TELLS_NOT;
}

int rls2__column_separates(const rls2_table *table, int64_t column, const rls2__labels *labels)
{
    enum { LEAST_OF_EACH = 5 };
    level of[2] = {{INFINITY, -INFINITY, 0}, {INFINITY, -INFINITY, 0}};
    if (labels->count != 2) return 0;
    for (int64_t i = 0; i < table->rows; i++) {
        double number = rls2__table_number(table, i, column);
        if (labels->numbers[i] < 0 || isnan(number)) continue;
        level *own = &of[labels->numbers[i]];
        own->low = fmin(own->low, number);
        own->high = fmax(own->high, number);
        own->rows++;
        if (of[0].low <= of[1].high && of[1].low <= of[0].high) return 0;
    }
    return of[0].rows >= LEAST_OF_EACH && of[1].rows >= LEAST_OF_EACH &&
           of[0].rows + of[1].rows >= LEAST_ROWS;
}
