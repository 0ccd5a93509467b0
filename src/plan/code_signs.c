/* Signs by which whole numbers are known for codes: of people, places, products. */
#include "plan/code_signs.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan/column_signs.h"
#include "table/table.h"

/* Fewer values are learned well enough as numbers, and codes repeat. */
enum { LEAST_ROWS = 100, LEAST_VALUES = 20, ROWS_OF_VALUE = 3, MOST_ROWS = 50000 };

/* A number of the column and the target beside it. */
typedef struct seen {
    double number, y;
} seen;

static int by_number(const void *a, const void *b)
{
    const seen *x = a, *y = b;
    if (x->number < y->number || x->number > y->number) return x->number < y->number ? -1 : 1;
    return (x->y > y->y) - (x->y < y->y);
}

/* "zip_code", "PostalCode", "customer_id"; no decade, no gender. */
static int is_name_of_codes(const char *name)
{
    static const char *const WORDS[] = {"zip", "postal", "postcode", "code", "plz"};
    int weak = 0;
    char word[64];
    size_t length = 0;
    if (rls2__is_name_of_ids(name, &weak)) return !weak;
    for (; *name && length + 1 < sizeof word; name++)
        if (isalpha((unsigned char)*name)) word[length++] = (char)tolower((unsigned char)*name);
    word[length] = '\0';
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        size_t own = strlen(WORDS[i]);
        if (length >= own &&
            (strncmp(word, WORDS[i], own) == 0 || strcmp(word + length - own, WORDS[i]) == 0))
            return 1;
    }
    return 0;
}

/* Means of the target over the rows of each number that has some, in the order of the numbers:
 * sums over neighbours and over all. */
typedef struct jumps {
    int64_t groups;
    double last_mean, last_noise; /* of the group before */
    double mean, squares;         /* of the means: Welford */
    double noise;                 /* variance of a mean that rows of a group give it, summed */
    double steps, step_noise;     /* squares of differences between neighbours, and of that noise */
} jumps;

static void add_group(jumps *to, double mean, double noise)
{
    double off = mean - to->mean;
    if (to->groups > 0) {
        to->steps += (mean - to->last_mean) * (mean - to->last_mean);
        to->step_noise += noise + to->last_noise;
    }
    to->groups++;
    to->mean += off / (double)to->groups;
    to->squares += off * (mean - to->mean);
    to->noise += noise;
    to->last_mean = mean;
    to->last_noise = noise;
}

/* Variance within groups, over all of them. */
static double within(int64_t count, const seen *list)
{
    double squares = 0.0;
    int64_t freedom = 0;
    for (int64_t i = 0; i < count;) {
        int64_t end = i;
        double mean = 0.0, own = 0.0;
        for (; end < count && list[end].number == list[i].number; end++) {
            double off = list[end].y - mean;
            mean += off / (double)(end - i + 1);
            own += off * (list[end].y - mean);
        }
        squares += own;
        freedom += end - i - 1;
        i = end;
    }
    return freedom > 0 ? squares / (double)freedom : 0.0;
}

/* Do means of neighbours differ by more than chance, and about as much as any two? What grows or
 * bends with a number differs little from one value to the next. Codes that were given out one
 * after the other have few gaps; the distances of places have. */
static int has_jumps(int64_t count, const seen *list)
{
    enum { MANY_VALUES = 50 };
    static const double OF_CHANCE = 1.5, OF_ALL = 0.7, DENSE = 0.2;
    jumps sum = {0};
    double variance = within(count, list);
    for (int64_t i = 0; i < count;) {
        int64_t end = i;
        double mean = 0.0;
        for (; end < count && list[end].number == list[i].number; end++) mean += list[end].y;
        mean /= (double)(end - i);
        if (end - i >= ROWS_OF_VALUE) add_group(&sum, mean, variance / (double)(end - i));
        i = end;
    }
    double range = list[count - 1].number - list[0].number;
    if (sum.groups < MANY_VALUES || (double)sum.groups < DENSE * range) return 0;
    double steps = (double)(sum.groups - 1), spare = 3.0 * sqrt(3.0 / steps);
    double jump = (sum.steps - sum.step_noise) / steps,
           any = 2.0 * (sum.squares / steps - sum.noise / (double)sum.groups);
    return sum.steps > (OF_CHANCE + spare) * sum.step_noise && jump > OF_ALL * any;
}

/* Rows that have both, evenly spaced where there are many, by number; 0 where a number is not
 * whole. */
static int64_t gather(const rls2_table *table, int64_t column, const double *y, seen *list)
{
    int64_t count = 0, step = table->rows / MOST_ROWS + 1;
    for (int64_t i = 0; i < table->rows; i += step) {
        double number = rls2__table_number(table, i, column);
        if (isnan(number)) continue;
        if (number != floor(number)) return 0;
        if (!isnan(y[i])) list[count++] = (seen){number, y[i]};
    }
    qsort(list, (size_t)count, sizeof *list, by_number);
    return count;
}

int64_t rls2__column_looks_coded(const rls2_table *table, int64_t column, const double *y,
                                 int is_quoted)
{
    if (rls2_table_kind(table, column) != RLS2_COLUMN_NUMBERS) return 0;
    seen *list =
        rls2__alloc(table->rows < 2 * MOST_ROWS ? table->rows : 2 * MOST_ROWS, sizeof *list);
    if (!list) return -1;
    int64_t count = gather(table, column, y, list), values = count > 0;
    for (int64_t i = 1; i < count; i++) values += list[i].number > list[i - 1].number;
    int found = count >= LEAST_ROWS && values >= LEAST_VALUES && count >= ROWS_OF_VALUE * values &&
                (is_quoted || is_name_of_codes(table->names[column]) || has_jumps(count, list));
    rls2__free(list);
    return found ? values : 0;
}
