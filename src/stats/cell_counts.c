/* Cells of a column are looked up by their text. A number that was not written, of a binary file or
 * of memory, has a key of ten bytes of seven bits each, behind one that no text begins with that
 * was read: none of them is zero. */
#include "stats/cell_counts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/invariant.h"
#include "table/words.h"

enum { FIRST_ROOM = 16, KEY = 12 };

/* ---- life ---- */

static void release_cells(rls2__cell_counts *c)
{
    rls2__lookup_free(c->lookup);
    rls2__arena_free(c->arena);
    rls2__free(c->cells);
    c->lookup = NULL;
    c->arena = NULL;
    c->cells = NULL;
    c->room = 0;
    c->bytes = 0;
}

int rls2__cell_counts_open(rls2__cell_counts *c, const rls2__style *style, int weak_words,
                           int64_t most_texts, int64_t most_bytes)
{
    *c = (rls2__cell_counts){.style = *style,
                             .weak_words = weak_words,
                             .most_texts = most_texts,
                             .most_bytes = most_bytes,
                             .arena = rls2__arena_create(),
                             .lookup = rls2__lookup_create(),
                             .room = FIRST_ROOM,
                             .cells = rls2__alloc(FIRST_ROOM, sizeof *c->cells)};
    return c->arena && c->lookup && c->cells;
}

void rls2__cell_counts_close(rls2__cell_counts *c)
{
    release_cells(c);
    rls2__cell_facts_free(c->facts);
    c->facts = NULL;
}

/* ---- places ---- */

/* Rows of two tables may have the same number: then the smaller line and file, so that there is
 * only one first. */
static int is_before(const rls2__cell_place *a, const rls2__cell_place *b)
{
    if (a->row != b->row) return a->row < b->row;
    return a->line != b->line ? a->line < b->line : a->file < b->file;
}

/* ---- facts ---- */

static rls2__cell_facts *facts_create(const rls2__style *style)
{
    rls2__cell_facts *f = rls2__alloc_zero(1, sizeof *f);
    if (!f) return NULL;
    f->slip.row = -1;
    if (style->kind != RLS2__STYLE_DATE) return f;
    f->parts = rls2__alloc_zero(RLS2__DATE_PARTS, sizeof *f->parts);
    if (f->parts) return f;
    rls2__free(f);
    return NULL;
}

void rls2__cell_facts_free(rls2__cell_facts *facts)
{
    if (!facts) return;
    rls2__free(facts->parts);
    rls2__free(facts);
}

static void widen(double value, int is_first, double *low, double *high)
{
    if (is_first || value < *low) *low = value;
    if (is_first || value > *high) *high = value;
}

static void add_number(rls2__cell_facts *f, double value, int64_t count, int64_t weight)
{
    int is_first = f->numbers == 0;
    widen(value, is_first, &f->low, &f->high);
    rls2__exact_add(&f->sum, value, weight);
    rls2__exact_add_square(&f->squares, value, weight);
    if (f->parts) {
        rls2__date_parts parts = rls2__date_parts_of(value);
        const double values[RLS2__DATE_PARTS] = {parts.year, parts.month, parts.weekday,
                                                 parts.hour};
        for (int p = 0; p < RLS2__DATE_PARTS; p++) {
            widen(values[p], is_first, &f->parts[p].low, &f->parts[p].high);
            rls2__exact_add(&f->parts[p].sum, values[p], weight);
            rls2__exact_add_square(&f->parts[p].squares, values[p], weight);
        }
    }
    f->numbers += count;
    f->weight += weight;
}

/* The one of two that comes first does not depend on the order of rows. */
static void note_least(rls2__cell_facts *f, const char *text)
{
    size_t room = sizeof f->least_slip.text;
    if (f->slip.row >= 0 && strncmp(text, f->least_slip.text, room - 1) >= 0) return;
    snprintf(f->least_slip.text, room, "%s", text);
}

static void note_slip(rls2__cell_facts *f, const char *text, const rls2__cell_place *place)
{
    note_least(f, text);
    if (f->slip.row >= 0 && !is_before(place, &f->slip)) return;
    f->slip = *place;
    f->slip_text = rls2__show(text);
}

static void add_word(rls2__cell_facts *f, const rls2__cell_count *cell)
{
    f->words += cell->count;
    f->word_weight += cell->weight;
}

static void add_text(rls2__cell_facts *f, int weak_words, const rls2__cell_count *cell)
{
    f->texts += cell->count;
    if (weak_words && rls2__missing_word(cell->text) >= 0)
        add_word(f, cell);
    else
        note_slip(f, cell->text, &cell->first);
    if (rls2__is_infinite_word(cell->text)) f->infinite += cell->count;
}

/* `value` is that of the cell in the style of the facts. */
static void account_as(rls2__cell_facts *f, int weak_words, const rls2__cell_count *cell,
                       double value)
{
    if (isnan(value))
        add_text(f, weak_words, cell);
    else
        add_number(f, value + 0.0, cell->count, cell->weight); /* -0 + 0 = 0 */
}

/* Of many cells. */
static void account(rls2__cell_counts *c, const rls2__cell_count *cell)
{
    account_as(c->facts, c->weak_words, cell, cell->value);
}

static void merge_range(rls2__cell_facts *f, const rls2__cell_facts *other)
{
    int is_first = f->numbers == 0;
    if (other->numbers == 0) return;
    widen(other->low, is_first, &f->low, &f->high);
    widen(other->high, 0, &f->low, &f->high);
    for (int p = 0; f->parts && p < RLS2__DATE_PARTS; p++) {
        widen(other->parts[p].low, is_first, &f->parts[p].low, &f->parts[p].high);
        widen(other->parts[p].high, 0, &f->parts[p].low, &f->parts[p].high);
    }
}

static void merge_facts(rls2__cell_facts *f, const rls2__cell_facts *other)
{
    merge_range(f, other);
    f->numbers += other->numbers;
    f->texts += other->texts;
    f->weight += other->weight;
    f->words += other->words;
    f->word_weight += other->word_weight;
    f->infinite += other->infinite;
    rls2__exact_merge(&f->sum, &other->sum);
    rls2__exact_merge(&f->squares, &other->squares);
    for (int p = 0; f->parts && p < RLS2__DATE_PARTS; p++) {
        rls2__exact_merge(&f->parts[p].sum, &other->parts[p].sum);
        rls2__exact_merge(&f->parts[p].squares, &other->parts[p].squares);
    }
    if (other->slip.row >= 0) note_least(f, other->least_slip.text);
    if (other->slip.row >= 0 && (f->slip.row < 0 || is_before(&other->slip, &f->slip))) {
        f->slip = other->slip;
        f->slip_text = other->slip_text;
    }
}

/* ---- many ---- */

static void account_cells(const rls2__cell_counts *c, const rls2__style *style, rls2__cell_facts *f)
{
    for (int64_t v = 0; v < rls2__cell_counts_count(c); v++) {
        const rls2__cell_count *cell = &c->cells[v];
        account_as(f, c->weak_words, cell, rls2__cell_value(c, cell, style));
    }
}

/* From now on cells are not told apart. */
int rls2__cell_counts_become_many(rls2__cell_counts *c)
{
    rls2__cell_facts *facts = facts_create(&c->style);
    if (!facts) return 0;
    account_cells(c, &c->style, facts);
    release_cells(c);
    c->facts = facts;
    c->many = 1;
    return 1;
}

/* ---- few ---- */

static const char *key_of(const char *text, double value, char buffer[KEY])
{
    if (text) return text;
    uint64_t bits;
    value += 0.0; /* -0 + 0 = 0 */
    memcpy(&bits, &value, sizeof bits);
    buffer[0] = '\x01';
    for (int i = 1; i < KEY - 1; i++, bits >>= 7) buffer[i] = (char)((bits & 0x7F) | 0x80);
    buffer[KEY - 1] = '\0';
    return buffer;
}

static int reserve(rls2__cell_counts *c)
{
    int64_t count = rls2__lookup_count(c->lookup);
    if (count < c->room) return 1;
    int64_t room = rls2__mul(c->room, 2);
    rls2__cell_count *cells = rls2__alloc(room, sizeof *cells);
    if (!cells) return 0;
    memcpy(cells, c->cells, (size_t)count * sizeof *cells);
    rls2__free(c->cells);
    c->cells = cells;
    c->room = room;
    return 1;
}

static int add_new(rls2__cell_counts *c, const char *key, const rls2__cell_count *cell)
{
    int64_t bytes = (int64_t)strlen(key) + 1;
    if (rls2__lookup_count(c->lookup) >= c->most_texts || c->bytes + bytes > c->most_bytes) {
        if (!rls2__cell_counts_become_many(c)) return 0;
        account(c, cell);
        return 1;
    }
    if (!reserve(c)) return 0;
    const char *kept = rls2__arena_copy(c->arena, key);
    int64_t v = kept ? rls2__lookup_add(c->lookup, kept) : -1;
    if (v < 0) return 0;
    c->bytes += bytes;
    c->cells[v] = *cell;
    c->cells[v].text = cell->text ? kept : NULL;
    c->cells[v].value += 0.0; /* -0 + 0 = 0 */
    return 1;
}

static void count_again(rls2__cell_count *known, int64_t count, int64_t weight,
                        const rls2__cell_place *place)
{
    known->count += count;
    known->weight += weight;
    if (is_before(place, &known->first)) known->first = *place;
}

int rls2__cell_counts_add(rls2__cell_counts *c, const rls2_table *table, int64_t row,
                          int64_t column, int64_t weight, rls2__cell_place place)
{
    char buffer[KEY];
    const char *text = rls2__table_written(table, row, column), *key = NULL;
    if (!c->many) {
        key = key_of(text, rls2__table_number(table, row, column), buffer);
        int64_t v = rls2__lookup_find(c->lookup, key);
        if (v >= 0) count_again(&c->cells[v], 1, weight, &place);
        if (v >= 0) return 1;
    }
    double value = rls2__table_number_as(table, row, column, &c->style);
    rls2__cell_count cell = {
        .text = text, .value = value, .count = 1, .weight = weight, .first = place};
    if (!c->many) return add_new(c, key, &cell);
    account(c, &cell);
    return 1;
}

/* A cell whose value is of the style of c. */
static int merge_cell(rls2__cell_counts *c, const rls2__cell_count *cell)
{
    char buffer[KEY];
    if (c->many) {
        account(c, cell);
        return 1;
    }
    const char *key = key_of(cell->text, cell->value, buffer);
    int64_t v = rls2__lookup_find(c->lookup, key);
    if (v < 0) return add_new(c, key, cell);
    count_again(&c->cells[v], cell->count, cell->weight, &cell->first);
    return 1;
}

void rls2__cell_counts_restyle(rls2__cell_counts *c, const rls2__style *style)
{
    rls2__invariant(!c->many);
    for (int64_t v = 0; v < rls2__cell_counts_count(c); v++)
        c->cells[v].value = rls2__cell_value(c, &c->cells[v], style);
    c->style = *style;
}

int rls2__cell_counts_merge(rls2__cell_counts *c, const rls2__cell_counts *other)
{
    int fits = 1;
    if (!c->many && (other->many || rls2__cell_counts_count(c) == 0))
        rls2__cell_counts_restyle(c, &other->style);
    if (other->many && !c->many) fits = rls2__cell_counts_become_many(c);
    for (int64_t v = 0; v < rls2__cell_counts_count(other) && fits; v++) {
        rls2__cell_count cell = other->cells[v];
        cell.value = rls2__cell_value(other, &cell, &c->style);
        fits = merge_cell(c, &cell);
    }
    if (fits && other->many) merge_facts(c->facts, other->facts);
    if (fits) c->missing += other->missing;
    if (fits) c->missing_weight += other->missing_weight;
    return fits;
}

/* ---- files ---- */

const char *rls2__cell_counts_key(const rls2__cell_counts *c, int64_t v)
{
    return rls2__lookup_text(c->lookup, v);
}

void rls2__cell_facts_set_slip(rls2__cell_facts *facts, const char *text)
{
    static const rls2__cell_place nowhere = {.line = RLS2__NO_PLACE};
    note_slip(facts, text, &nowhere);
}

/* The number of a key that stands for one; 0 where it is a text. */
static int number_of_key(const char *key, double *number)
{
    uint64_t bits = 0;
    if (key[0] != '\x01' || strlen(key) != KEY - 1) return 0;
    for (int i = KEY - 2; i >= 1; i--) {
        unsigned char byte = (unsigned char)key[i];
        if (byte < 0x80) return 0;
        bits = bits << 7 | (byte & 0x7F);
    }
    memcpy(number, &bits, sizeof *number);
    return isfinite(*number);
}

int rls2__cell_counts_put(rls2__cell_counts *c, const char *key, double value, int64_t count,
                          int64_t weight)
{
    static const rls2__cell_place nowhere = {.line = RLS2__NO_PLACE};
    rls2__cell_count cell = {.value = value, .count = count, .weight = weight, .first = nowhere};
    if (!number_of_key(key, &cell.value)) {
        cell.text = key;
        if (!rls2__style_read(&c->style, key, &cell.value)) cell.value = (double)NAN;
    }
    return add_new(c, key, &cell);
}

/* ---- what is asked ---- */

int64_t rls2__cell_counts_count(const rls2__cell_counts *c)
{
    return c->many ? 0 : rls2__lookup_count(c->lookup);
}

double rls2__cell_value(const rls2__cell_counts *c, const rls2__cell_count *cell,
                        const rls2__style *style)
{
    double value;
    if (!cell->text || rls2__style_same(style, &c->style)) return cell->value;
    return rls2__style_read(style, cell->text, &value) ? value : (double)NAN;
}

static rls2__cell_facts *copy_facts(const rls2__cell_counts *c)
{
    rls2__cell_facts *f = facts_create(&c->style);
    if (!f) return NULL;
    rls2__part_facts *parts = f->parts;
    *f = *c->facts;
    f->parts = parts;
    if (parts) memcpy(parts, c->facts->parts, RLS2__DATE_PARTS * sizeof *parts);
    return f;
}

rls2__cell_facts *rls2__cell_facts_of(const rls2__cell_counts *c, const rls2__style *style)
{
    if (c->many) return copy_facts(c);
    rls2__cell_facts *f = facts_create(style);
    if (f) account_cells(c, style, f);
    return f;
}
