/* What a profile says when all rows were read: the sample as a table, and each column in the style
 * that its cells have there. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/status.h"
#include "stats/profile_parts.h"

enum { MOST_EQUAL = 16 }; /* rows of the sample that are equal, where not all are known */

void rls2__profile_unsettle(rls2__profile *profile)
{
    for (int64_t j = 0; profile->facts && j < profile->head->columns; j++)
        rls2__cell_facts_free(profile->facts[j]);
    rls2__free((void *)profile->facts);
    rls2_table_free(profile->settled);
    profile->facts = NULL;
    profile->settled = NULL;
}

/* ---- the sample ---- */

/* How often each row that was kept stands in the sample; returns how many rows that makes. */
static int64_t share_out(const rls2__profile *p, int64_t *times)
{
    const rls2__row_sample *s = &p->sample;
    int64_t total = 0, most = s->k < p->rows ? s->k : p->rows, seen = 0;
    for (int64_t i = 0; i < s->count; i++) {
        if (s->turned) {
            int64_t wanted = s->rows[i].count < MOST_EQUAL ? s->rows[i].count : MOST_EQUAL;
            times[i] = wanted < most - total ? wanted : most - total;
        } else { /* places t + 1/2 of `most` among all rows, in the order of the hashes */
            double step = (double)most / (double)p->rows;
            seen += s->rows[i].count;
            int64_t until = seen == p->rows ? most : (int64_t)((double)seen * step + 0.5);
            times[i] = until - total;
        }
        total += times[i];
    }
    rls2__invariant(total <= most);
    return total;
}

/* The cells of the sample, by columns. */
typedef struct cell_arrays {
    int64_t rows;
    double *numbers;
    const char **texts;
    rls2_column *columns;
} cell_arrays;

static void release(cell_arrays *c)
{
    rls2__free(c->numbers);
    rls2__free((void *)c->texts);
    rls2__free(c->columns);
}

static void read_row(const rls2__row_kept *kept, int64_t row, int64_t columns, cell_arrays *c)
{
    const char *from = kept->bytes, *end = kept->bytes + kept->length;
    for (int64_t j = 0; j < columns; j++) {
        int64_t cell = j * c->rows + row;
        from = rls2__row_bytes_read(from, end, &c->numbers[cell], &c->texts[cell]);
        rls2__invariant(from);
    }
    rls2__invariant(from == end);
}

static int has_text(const cell_arrays *c, int64_t j)
{
    for (int64_t i = 0; i < c->rows; i++)
        if (c->texts[j * c->rows + i]) return 1;
    return 0;
}

static void fill_columns(const rls2__profile *p, const int64_t *times, cell_arrays *c)
{
    int64_t columns = p->head->columns, row = 0;
    for (int64_t i = 0; i < p->sample.count; i++)
        for (int64_t t = 0; t < times[i]; t++) read_row(&p->sample.rows[i], row++, columns, c);
    for (int64_t j = 0; j < columns; j++)
        c->columns[j] = (rls2_column){.name = p->head->names[j],
                                      .numbers = c->numbers + j * c->rows,
                                      .stride = 1,
                                      .texts = has_text(c, j) ? c->texts + j * c->rows : NULL};
}

static rls2_status make_sample(rls2__profile *p, rls2_error *err)
{
    int64_t columns = p->head->columns;
    cell_arrays c = {0};
    int64_t *times = rls2__alloc(p->sample.count, sizeof *times);
    if (times) {
        c.rows = share_out(p, times);
        c.numbers = rls2__alloc(rls2__mul(c.rows, columns), sizeof *c.numbers);
        c.texts = rls2__alloc(rls2__mul(c.rows, columns), sizeof(*c.texts));
        c.columns = rls2__alloc(columns, sizeof *c.columns);
    }
    rls2_status status = RLS2_OK;
    if (!c.numbers || !c.texts || !c.columns)
        status = rls2__fail_memory(err, "the sample of a table");
    if (status == RLS2_OK) {
        fill_columns(p, times, &c);
        status = rls2__table_create_like(p->head, c.rows, c.columns, &p->settled, err);
    }
    rls2__free(times);
    release(&c);
    return status;
}

static rls2_status find_facts(rls2__profile *p, rls2_error *err)
{
    int64_t columns = p->head->columns;
    unsigned char *is_text = rls2__arena_alloc(p->settled->arena, columns);
    p->facts = rls2__alloc_zero(columns, sizeof(*p->facts));
    if (!p->facts || !is_text) return rls2__fail_memory(err, "the profile of a table");
    for (int64_t j = 0; j < columns; j++) {
        p->facts[j] = rls2__cell_facts_of(&p->columns[j], rls2__profile_style(p, j));
        if (!p->facts[j]) return rls2__fail_memory(err, "the profile of a table");
        is_text[j] = (unsigned char)rls2__profile_is_text(p, j);
    }
    p->settled->all_text = is_text; /* whatever the rows of the sample say */
    return RLS2_OK;
}

rls2_status rls2__profile_settle_sample(rls2__profile *profile, rls2_error *err)
{
    rls2__profile_unsettle(profile);
    if (!rls2__row_sample_settle(&profile->sample))
        return rls2__fail_memory(err, "the sample of a table");
    return make_sample(profile, err);
}

rls2_status rls2__profile_settle(rls2__profile *profile, rls2_error *err)
{
    if (profile->settled && profile->facts) return RLS2_OK;
    if (profile->rows == 0)
        return rls2__fail(err, RLS2_ERR_VALUE, "%s: %s", profile->head->name,
                          profile->left_out > 0 ? "every row was left out: a cell that is needed "
                                                  "is empty, or the weight 0"
                                                : "there are no rows");
    rls2_status status = rls2__profile_settle_sample(profile, err);
    if (status == RLS2_OK) status = find_facts(profile, err);
    if (status != RLS2_OK) rls2__profile_unsettle(profile);
    return status;
}

const rls2_table *rls2__profile_sample(const rls2__profile *profile)
{
    return profile->settled;
}

int rls2__profile_has_few_rows(const rls2__profile *profile)
{
    return !profile->sample.turned && profile->sample.count < profile->rows / 2;
}

/* ---- styles and kinds ---- */

const rls2__style *rls2__profile_style(const rls2__profile *profile, int64_t column)
{
    const rls2__cell_counts *c = &profile->columns[column];
    return c->many ? &c->style : &profile->settled->styles[column];
}

int rls2__profile_is_of_style(const rls2__profile *profile)
{
    for (int64_t j = 0; j < profile->head->columns; j++)
        if (!rls2__style_same(rls2__profile_style(profile, j), &profile->settled->styles[j]))
            return 0;
    return 1;
}

/* Words are missing cells where what else is no number would be called a slip, as understand.c has
 * it; and a column of text has more texts than numbers, infinite ones apart, as table.c has it. */
int rls2__profile_is_text(const rls2__profile *profile, int64_t column)
{
    const rls2__cell_facts *f = profile->facts[column];
    int emptied = f->numbers > 0 && f->texts - f->words <= f->numbers;
    int64_t texts = f->texts - (emptied ? f->words : 0);
    return texts > f->numbers && f->infinite < texts;
}

int64_t rls2__profile_missing(const rls2__profile *profile, int64_t column, int is_text)
{
    return profile->columns[column].missing + (is_text ? 0 : profile->facts[column]->words);
}

int64_t rls2__profile_missing_weight(const rls2__profile *profile, int64_t column, int is_text)
{
    return profile->columns[column].missing_weight +
           (is_text ? 0 : profile->facts[column]->word_weight);
}

rls2__place rls2__profile_place(const rls2__profile *profile, const rls2__cell_place *place)
{
    rls2__place made;
    const char *name = profile->head->name;
    for (int64_t f = 0; f < profile->file_count; f++)
        if (profile->files[f].hash == place->file) name = profile->files[f].name;
    if (place->line == RLS2__NO_PLACE)
        snprintf(made.text, sizeof made.text, "%s", profile->head->name);
    else if (place->line >= 0)
        snprintf(made.text, sizeof made.text, "%s:%" PRId64, name, place->line);
    else
        snprintf(made.text, sizeof made.text, "%s: row %" PRId64, name, place->row + 1);
    return made;
}

/* ---- values ---- */

void rls2__profile_values_free(rls2__profile_values *values)
{
    rls2__free(values->numbers);
    rls2__free((void *)values->texts);
    rls2__free(values->rows);
    rls2__free(values->weights);
}

typedef struct number_rows {
    double number;
    int64_t rows, weight;
} number_rows;

static int by_number(const void *a, const void *b)
{
    double u = ((const number_rows *)a)->number, v = ((const number_rows *)b)->number;
    return (u > v) - (u < v);
}

/* Ascending, each once. */
static int64_t gather_numbers(const rls2__cell_counts *c, const rls2__style *style,
                              number_rows *found)
{
    int64_t count = 0, kept = 0;
    for (int64_t v = 0; v < rls2__cell_counts_count(c); v++) {
        double number = rls2__cell_value(c, &c->cells[v], style);
        if (!isnan(number))
            found[count++] = (number_rows){number + 0.0, c->cells[v].count, c->cells[v].weight};
    }
    qsort(found, (size_t)count, sizeof *found, by_number);
    for (int64_t v = 0; v < count; v++) {
        if (kept == 0 || found[kept - 1].number != found[v].number) {
            found[kept++] = found[v];
            continue;
        }
        found[kept - 1].rows += found[v].rows;
        found[kept - 1].weight += found[v].weight;
    }
    return kept;
}

rls2_status rls2__profile_numbers(const rls2__profile *profile, int64_t column,
                                  rls2__profile_values *values, rls2_error *err)
{
    const rls2__cell_counts *c = &profile->columns[column];
    int64_t room = rls2__cell_counts_count(c);
    rls2__profile_values made = {0};
    number_rows *found = rls2__alloc(room, sizeof *found);
    made.numbers = rls2__alloc(room, sizeof *made.numbers);
    made.rows = rls2__alloc(room, sizeof *made.rows);
    made.weights = rls2__alloc(room, sizeof *made.weights);
    int fits = found && made.numbers && made.rows && made.weights;
    if (fits) made.count = gather_numbers(c, rls2__profile_style(profile, column), found);
    for (int64_t v = 0; v < made.count; v++) {
        made.numbers[v] = found[v].number;
        made.rows[v] = found[v].rows;
        made.weights[v] = found[v].weight;
    }
    rls2__free(found);
    if (fits)
        *values = made;
    else
        rls2__profile_values_free(&made);
    return fits ? RLS2_OK : rls2__fail_memory(err, "the values of a column");
}

typedef struct text_rows {
    const char *text;
    int64_t rows, weight;
} text_rows;

static int by_text(const void *a, const void *b)
{
    return strcmp(((const text_rows *)a)->text, ((const text_rows *)b)->text);
}

/* What is written there, or the number as it would be. */
static const char *text_of(const rls2__cell_count *cell, rls2__arena *arena)
{
    char buffer[RLS2__NUMBER_TEXT];
    if (cell->text) return cell->text;
    rls2__table_write_number(cell->value, buffer);
    return rls2__arena_copy(arena, buffer);
}

/* In the order of their bytes, which no division of the rows changes. A number that was not written
 * may be written so elsewhere: that is one category. 0 when out of memory. */
static int gather_texts(const rls2__cell_counts *c, rls2__arena *arena, text_rows *found,
                        rls2__profile_values *made)
{
    int64_t count = rls2__cell_counts_count(c);
    for (int64_t v = 0; v < count; v++) {
        const rls2__cell_count *cell = &c->cells[v];
        found[v] = (text_rows){text_of(cell, arena), cell->count, cell->weight};
        if (!found[v].text) return 0;
    }
    qsort(found, (size_t)count, sizeof *found, by_text);
    for (int64_t v = 0; v < count; v++) {
        int64_t last = made->count - 1;
        if (last < 0 || strcmp(made->texts[last], found[v].text) != 0) {
            last = made->count++;
            made->texts[last] = found[v].text;
            made->rows[last] = made->weights[last] = 0;
        }
        made->rows[last] += found[v].rows;
        made->weights[last] += found[v].weight;
    }
    return 1;
}

rls2_status rls2__profile_texts(const rls2__profile *profile, int64_t column, rls2__arena *arena,
                                rls2__profile_values *values, rls2_error *err)
{
    const rls2__cell_counts *c = &profile->columns[column];
    int64_t count = rls2__cell_counts_count(c);
    rls2__profile_values made = {0};
    text_rows *found = rls2__alloc(count, sizeof *found);
    made.texts = rls2__alloc(count, sizeof(*made.texts));
    made.rows = rls2__alloc(count, sizeof *made.rows);
    made.weights = rls2__alloc(count, sizeof *made.weights);
    int fits =
        found && made.texts && made.rows && made.weights && gather_texts(c, arena, found, &made);
    rls2__free(found);
    if (fits)
        *values = made;
    else
        rls2__profile_values_free(&made);
    return fits ? RLS2_OK : rls2__fail_memory(err, "the values of a column");
}

rls2_status rls2__profile_values_of(const rls2__profile *profile, int64_t column,
                                    rls2__profile_values *values, rls2_error *err)
{
    if (profile->columns[column].many)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "%s: column '%s' has more than %" PRId64 " different values",
                          profile->head->name, rls2__show(profile->head->names[column]).text,
                          profile->options.most_texts);
    return rls2__profile_is_text(profile, column)
               ? rls2__profile_texts(profile, column, profile->settled->arena, values, err)
               : rls2__profile_numbers(profile, column, values, err);
}

/* ---- columns ---- */

static rls2_status count_distinct(const rls2__profile *p, int64_t column, int64_t *distinct,
                                  rls2_error *err)
{
    rls2__profile_values values = {0};
    *distinct = -1;
    if (p->columns[column].many) return RLS2_OK;
    rls2_status status = rls2__profile_values_of(p, column, &values, err);
    if (status == RLS2_OK) *distinct = values.count;
    rls2__profile_values_free(&values);
    return status;
}

static double deviation_of(const rls2__cell_facts *f, int64_t unit)
{
    if (f->weight <= unit || f->low == f->high) return 0.0;
    int exponent;
    frexp(fmax(-f->low, f->high), &exponent);
    double variance =
        rls2__exact_spread(&f->sum, &f->squares, f->weight, f->weight - unit, -2 * exponent);
    return ldexp(sqrt(variance), exponent);
}

rls2_status rls2__profile_look(const rls2__profile *profile, int64_t column,
                               rls2__profile_column *found, rls2_error *err)
{
    const rls2__cell_facts *f = profile->facts[column];
    int is_text = rls2__profile_is_text(profile, column);
    int dates = rls2__profile_style(profile, column)->kind == RLS2__STYLE_DATE;
    int64_t distinct;
    rls2_status status = count_distinct(profile, column, &distinct, err);
    if (status != RLS2_OK) return status;
    *found = (rls2__profile_column){
        .name = profile->head->names[column],
        .kind = is_text ? RLS2_COLUMN_TEXT
                : dates ? RLS2_COLUMN_DATES
                        : RLS2_COLUMN_NUMBERS,
        .missing = rls2__profile_missing(profile, column, is_text),
        .numbers = f->numbers,
        .texts = f->texts - (is_text ? 0 : f->words),
        .distinct = distinct,
        .low = f->low,
        .high = f->high,
        .sum = rls2__exact_ratio(&f->sum, profile->unit, 0),
        .mean = f->numbers > 0 ? rls2__exact_ratio(&f->sum, f->weight, 0) : 0.0,
        .deviation = deviation_of(f, profile->unit)};
    return RLS2_OK;
}
