/* Arrays and a description become a profile. Nothing is believed: rows of the sample have their
 * hashes, the cells of each column are as many as there are rows, and sums lie where their ends
 * allow. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "modelfile/container.h"
#include "modelfile/profile_file.h"
#include "modelfile/stats_parts.h"

/* Room for a sample is reserved whatever the file has of it; a table of few different rows, in
 * which they are repeated, is not much larger than the file, or than the second. */
enum { MOST_SAMPLE = 1 << 17, MOST_CELLS = 1 << 25, MOST_CELLS_PER_BYTE = 64 };

typedef struct unpacker {
    rls2__describer *r;
    const rls2__container *file;
    rls2__profile *profile;
    rls2_table *head;
    int64_t arrays; /* that were read */
} unpacker;

static rls2_status fail(const unpacker *u, const char *what)
{
    return rls2__container_fail(u->file, RLS2_ERR_VALUE, "%s", what);
}

static rls2_status fail_column(const unpacker *u, int64_t j, const char *what)
{
    return rls2__container_fail(u->file, RLS2_ERR_VALUE, "column '%s': %s",
                                rls2__show(u->head->names[j]).text, what);
}

static rls2_status out_of_memory(const unpacker *u)
{
    return rls2__fail_memory(u->file->err, "a profile");
}

/* An array of that many columns, whatever its rows. */
static rls2_status find(unpacker *u, const char *name, const char *type, int64_t columns,
                        rls2__array_view *view)
{
    rls2_status status = rls2__container_array(u->file, name, type, 2, view);
    if (status != RLS2_OK) return status;
    u->arrays++;
    if (view->columns == columns) return RLS2_OK;
    return rls2__container_fail(u->file, RLS2_ERR_VALUE,
                                "the array '%s' has %" PRId64 " columns, not %" PRId64, name,
                                view->columns, columns);
}

/* Bytes, with one more zero at the end; owned by the arena of the description. */
static rls2_status read_bytes(unpacker *u, const char *name, char **bytes, int64_t *length)
{
    rls2__array_view view;
    rls2_status status = rls2__container_array(u->file, name, "I64", 1, &view);
    if (status != RLS2_OK) return status;
    u->arrays++;
    *length = 8 * view.columns;
    *bytes = rls2__arena_text(u->r->arena, (const char *)view.data, *length);
    return *bytes ? RLS2_OK : out_of_memory(u);
}

/* Less than a word of zeros is left. */
static int is_end(const char *bytes, int64_t at, int64_t length)
{
    if (length - at >= 8) return 0;
    for (; at < length; at++)
        if (bytes[at]) return 0;
    return 1;
}

/* ---- the head ---- */

static rls2_status read_needed(unpacker *u)
{
    rls2__profile *p = u->profile;
    const json_t *list = rls2__field_array(u->r, u->file->description, "needed");
    const json_t *weight = json_object_get(u->file->description, "weight");
    if (u->r->status != RLS2_OK) return u->r->status;
    int64_t count = (int64_t)json_array_size(list), columns = u->head->columns;
    p->needs = rls2__alloc(count, sizeof *p->needs);
    if (!p->needs) return out_of_memory(u);
    for (int64_t i = 0; i < count; i++) {
        const json_t *column = json_array_get(list, (size_t)i);
        int64_t j = json_is_integer(column) ? json_integer_value(column) : -1;
        if (j < 0 || j >= columns) return fail(u, "a column that is needed is not there");
        p->needs[p->need_count++] = (rls2__profile_need){.column = j};
    }
    p->weight = json_is_integer(weight) ? json_integer_value(weight) : -1;
    if (!json_is_null(weight) && (p->weight < 0 || p->weight >= columns))
        return fail(u, "the column of row weights is not there");
    p->unit = p->weight >= 0 ? RLS2__WEIGHT_UNIT : 1;
    return RLS2_OK;
}

static rls2_status read_numbers(unpacker *u)
{
    rls2__profile *p = u->profile;
    const json_t *from = u->file->description;
    rls2__field_text(u->r, from, "library");
    p->rows = rls2__field_count(u->r, from, "rows");
    p->left_out = rls2__field_count(u->r, from, "left_out");
    p->total = rls2__field_count(u->r, from, "total");
    p->options.sample = rls2__field_count(u->r, from, "sample");
    p->options.most_texts = rls2__field_count(u->r, from, "most_texts");
    p->options.most_bytes = rls2__field_count(u->r, from, "most_bytes");
    const char *hash = rls2__field_text(u->r, from, "fingerprint");
    if (u->r->status != RLS2_OK) return u->r->status;
    if (strlen(hash) != 16 || strspn(hash, "0123456789abcdef") != 16)
        return rls2__container_fail(u->file, RLS2_ERR_SYNTAX,
                                    "the description: 'fingerprint' is not 16 hexadecimal digits");
    p->fingerprint = strtoull(hash, NULL, 16);
    if (p->options.sample < 1 || p->options.sample > MOST_SAMPLE || p->options.most_texts < 1 ||
        p->options.most_bytes < 1)
        return fail(u, "limits that no profile has");
    if (p->total < p->rows || (p->weight < 0 && p->total != p->rows) ||
        (p->rows == 0 && p->total != 0))
        return fail(u, "the rows have another weight than they can");
    return RLS2_OK;
}

/* ---- the sample ---- */

/* Cells of a row as they are written. */
static int is_row(const unpacker *u, const char *from, const char *end)
{
    for (int64_t j = 0; j < u->head->columns; j++) {
        double number;
        const char *text;
        int is_number = from < end && *from == 'N';
        from = rls2__row_bytes_read(from, end, &number, &text);
        if (!from || (text && !*text) || (is_number && !isfinite(number))) return 0;
    }
    return from == end;
}

static rls2_status add_row(const unpacker *u, const int64_t row[3], const char *bytes,
                           int64_t *rows)
{
    rls2__row_sample *s = &u->profile->sample;
    uint64_t hash = (uint64_t)row[0];
    if (!is_row(u, bytes, bytes + row[2])) return fail(u, "a row of the sample has other cells");
    if (rls2__row_hash(bytes, row[2]) != hash)
        return fail(u, "a row of the sample has another hash");
    if (s->count > 0 && s->rows[s->count - 1].hash >= hash)
        return fail(u, "the rows of the sample do not ascend");
    *rows = row[1] < 1 ? -1 : rls2__add(*rows, row[1]);
    if (*rows < 0 || *rows > u->profile->rows)
        return fail(u, "the sample has more rows than there are");
    return rls2__row_sample_add(s, hash, bytes, row[2], row[1]) ? RLS2_OK : out_of_memory(u);
}

static uint64_t sum_hashes(const rls2__row_sample *s)
{
    uint64_t sum = 0;
    for (int64_t i = 0; i < s->count; i++) sum += s->rows[i].hash * (uint64_t)s->rows[i].count;
    return sum;
}

/* Where all different rows are there, all rows are. */
static rls2_status check_sample(const unpacker *u, int64_t rows, int more)
{
    const rls2__profile *p = u->profile;
    if (more ? p->sample.count != p->options.sample : rows != p->rows)
        return fail(u, "the sample has other rows than it says");
    if (!more && sum_hashes(&p->sample) != p->fingerprint)
        return fail(u, "the fingerprint is not that of the rows");
    return RLS2_OK;
}

/* What is reserved for a sample is in proportion to its rows in the file: no more are expected. */
static rls2_status read_sample(unpacker *u)
{
    rls2__profile *p = u->profile;
    rls2__array_view view;
    char *bytes = NULL;
    int64_t length = 0, at = 0, rows = 0;
    int more = rls2__field_flag(u->r, u->file->description, "more");
    rls2_status status =
        u->r->status == RLS2_OK ? find(u, "sample.rows", "I64", 3, &view) : u->r->status;
    if (status == RLS2_OK) status = read_bytes(u, "sample.bytes", &bytes, &length);
    if (status != RLS2_OK) return status;
    if (view.rows > p->options.sample) return fail(u, "the sample is larger than it may be");
    if (!rls2__row_sample_open(&p->sample, p->options.sample)) return out_of_memory(u);
    for (int64_t i = 0; i < view.rows && status == RLS2_OK; i++) {
        int64_t row[3];
        rls2__read_integers(view.data + 24 * i, 3, row);
        if (row[2] < 0 || row[2] > length - at) return fail(u, "a row of the sample does not end");
        status = add_row(u, row, bytes + at, &rows);
        at += row[2];
    }
    if (status == RLS2_OK && !is_end(bytes, at, length))
        status = fail(u, "the sample has more bytes than its rows");
    if (status != RLS2_OK) return status;
    p->sample.turned = more;
    status = check_sample(u, rows, more);
    if (status != RLS2_OK) return status;
    return rls2__row_sample_settle(&p->sample) ? RLS2_OK : out_of_memory(u);
}

/* ---- columns ---- */

typedef struct cells {
    rls2__array_view counts, values; /* of cells, */
    char *texts;
    int64_t length, at, next;          /* and where the next begins */
    rls2__array_view many, ends, sums; /* of columns of many, */
    int64_t next_many, next_end;       /* likewise */
} cells;

static rls2_status find_cells(unpacker *u, cells *c)
{
    rls2_status status = find(u, "cells.counts", "I64", 2, &c->counts);
    if (status == RLS2_OK)
        status = rls2__container_array(u->file, "cells.values", "F64", 1, &c->values);
    u->arrays++;
    if (status == RLS2_OK) status = read_bytes(u, "cells.texts", &c->texts, &c->length);
    if (status == RLS2_OK) status = find(u, "many.counts", "I64", RLS2__MANY_COUNTS, &c->many);
    if (status == RLS2_OK) status = find(u, "many.ends", "F64", 2, &c->ends);
    if (status == RLS2_OK) status = find(u, "many.sums", "I64", RLS2__EXACT_DIGITS, &c->sums);
    if (status != RLS2_OK) return status;
    if (c->values.columns != c->counts.rows || c->sums.rows != 2 * c->ends.rows)
        return fail(u, "arrays of cells that do not fit");
    return RLS2_OK;
}

/* One cell of column j; *last is the key before it. */
static rls2_status read_cell(const unpacker *u, int64_t j, cells *c, const char **last,
                             int64_t *count, int64_t *weight)
{
    rls2__cell_counts *column = &u->profile->columns[j];
    int64_t own[2];
    double value;
    const char *key = c->texts + c->at;
    if (c->next >= c->counts.rows || c->at >= c->length)
        return fail_column(u, j, "it has fewer cells than it says");
    rls2__read_integers(c->counts.data + 16 * c->next, 2, own);
    rls2__read_doubles(c->values.data + 8 * c->next++, 1, &value);
    c->at += (int64_t)strlen(key) + 1;
    if (c->at > c->length || !*key || (*last && strcmp(*last, key) >= 0))
        return fail_column(u, j, "its cells do not ascend");
    if (own[0] < 1 || own[1] < own[0] || (u->profile->weight < 0 && own[1] != own[0]) ||
        isinf(value))
        return fail_column(u, j, "a cell has no rows, or another weight than these can");
    *count = rls2__add(*count, own[0]);
    *weight = rls2__add(*weight, own[1]);
    *last = key;
    if (!rls2__cell_counts_put(column, key, value, own[0], own[1])) return out_of_memory(u);
    return column->many ? fail_column(u, j, "it has more cells than it may") : RLS2_OK;
}

static rls2_status read_few(const unpacker *u, int64_t j, int64_t own, cells *c)
{
    const rls2__profile *p = u->profile;
    const rls2__cell_counts *column = &p->columns[j];
    const char *last = NULL;
    int64_t count = column->missing, weight = column->missing_weight;
    rls2_status status = RLS2_OK;
    for (int64_t v = 0; v < own && status == RLS2_OK; v++)
        status = read_cell(u, j, c, &last, &count, &weight);
    if (status != RLS2_OK || (count == p->rows && weight == p->total)) return status;
    return fail_column(u, j, "its cells are not as many as there are rows");
}

static int read_sum(const unsigned char *data, rls2__exact_sum *sum)
{
    rls2__read_integers(data, RLS2__EXACT_DIGITS, sum->digits);
    sum->waiting = 0;
    return rls2__exact_is_settled(sum);
}

static int is_zero(const rls2__exact_sum *sum)
{
    for (int i = 0; i < RLS2__EXACT_DIGITS; i++)
        if (sum->digits[i]) return 0;
    return 1;
}

/* Mean and mean square lie where the ends allow. */
static int can_be(double low, double high, const rls2__exact_sum *sum,
                  const rls2__exact_sum *squares, int64_t weight)
{
    if (!isfinite(low) || !isfinite(high) || low > high) return 0;
    if (weight == 0) return is_zero(sum) && is_zero(squares);
    double mean = rls2__exact_ratio(sum, weight, 0), most = fmax(fabs(low), fabs(high));
    if (!(mean >= low && mean <= high)) return 0;
    int exponent;
    (void)frexp(most, &exponent);
    double square = rls2__exact_ratio(squares, weight, -2 * exponent),
           bound = ldexp(most, -exponent);
    if (!(square >= 0.0 && square <= bound * bound * (1.0 + 1e-15))) return 0;
    return rls2__exact_can_spread(sum, squares, weight);
}

static rls2_status read_range(const unpacker *u, int64_t j, cells *c, int64_t weight, double *low,
                              double *high, rls2__exact_sum *sum, rls2__exact_sum *squares)
{
    double ends[2];
    const int64_t bytes = 8 * RLS2__EXACT_DIGITS;
    if (c->next_end >= c->ends.rows) return fail_column(u, j, "it has fewer sums than it says");
    rls2__read_doubles(c->ends.data + 16 * c->next_end, 2, ends);
    const unsigned char *sums = c->sums.data + 2 * bytes * c->next_end++;
    if (!read_sum(sums, sum) || !read_sum(sums + bytes, squares) ||
        !can_be(ends[0], ends[1], sum, squares, weight))
        return fail_column(u, j, "its sums are not those of numbers between its ends");
    *low = ends[0];
    *high = ends[1];
    return RLS2_OK;
}

static rls2_status check_many(const unpacker *u, int64_t j, const rls2__cell_facts *f)
{
    const rls2__profile *p = u->profile;
    int64_t all = rls2__add(rls2__add(f->numbers, f->texts), p->columns[j].missing);
    int64_t weight = rls2__add(rls2__add(f->weight, f->word_weight), p->columns[j].missing_weight);
    int fits = f->numbers >= 0 && f->texts >= 0 && f->words >= 0 && f->words <= f->texts &&
               f->infinite >= 0 && f->infinite <= f->texts && f->weight >= f->numbers &&
               f->word_weight >= f->words && all == p->rows && weight >= 0 && weight <= p->total;
    if (p->weight < 0 && (f->weight != f->numbers || f->word_weight != f->words)) fits = 0;
    if ((f->slip.row >= 0) != (f->texts > f->words)) fits = 0;
    return fits ? RLS2_OK : fail_column(u, j, "its cells are not as many as there are rows");
}

static rls2_status read_many(const unpacker *u, const json_t *from, int64_t j, cells *c)
{
    rls2__cell_counts *column = &u->profile->columns[j];
    const char *slip = rls2__field_text_or_null(u->r, from, "slip");
    if (u->r->status != RLS2_OK) return u->r->status;
    if (c->next_many >= c->many.rows) return fail_column(u, j, "it has fewer sums than it says");
    if (!rls2__cell_counts_become_many(column)) return out_of_memory(u);
    rls2__cell_facts *f = column->facts;
    int64_t counts[RLS2__MANY_COUNTS];
    rls2__read_integers(c->many.data + 8 * RLS2__MANY_COUNTS * c->next_many++, RLS2__MANY_COUNTS,
                        counts);
    for (int i = 0; i < RLS2__MANY_COUNTS; i++) *rls2__many_count(f, i) = counts[i];
    if (slip) rls2__cell_facts_set_slip(f, slip);
    rls2_status status = check_many(u, j, f);
    if (status == RLS2_OK)
        status = read_range(u, j, c, f->weight, &f->low, &f->high, &f->sum, &f->squares);
    for (int part = 0; f->parts && part < RLS2__DATE_PARTS && status == RLS2_OK; part++)
        status = read_range(u, j, c, f->weight, &f->parts[part].low, &f->parts[part].high,
                            &f->parts[part].sum, &f->parts[part].squares);
    return status;
}

static rls2_status read_column(const unpacker *u, const json_t *from, int64_t j, cells *c)
{
    rls2__profile *p = u->profile;
    rls2__cell_counts *column = &p->columns[j];
    rls2__style style = {0};
    const char *word = rls2__field_text(u->r, from, "style");
    int many = rls2__field_flag(u->r, from, "many");
    int64_t own = rls2__field_count(u->r, from, "cells");
    int64_t missing = rls2__field_count(u->r, from, "missing");
    int64_t missing_weight = rls2__field_count(u->r, from, "missing_weight");
    if (u->r->status != RLS2_OK) return u->r->status;
    if (!rls2__style_of_word(word, &style))
        return fail_column(u, j, "its style is not a word known here");
    if (missing > p->rows || missing_weight < missing || missing_weight > p->total ||
        (p->weight < 0 && missing_weight != missing))
        return fail_column(u, j, "it has more missing cells than it can");
    p->head->styles[j] = style;
    if (!rls2__cell_counts_open(column, &style, p->head->weak_words, p->options.most_texts,
                                p->options.most_bytes))
        return out_of_memory(u);
    column->missing = missing;
    column->missing_weight = missing_weight;
    if (many && own > 0) return fail_column(u, j, "it has many cells, and some that are counted");
    return many ? read_many(u, from, j, c) : read_few(u, j, own, c);
}

static rls2_status read_columns(unpacker *u)
{
    const json_t *list = rls2__field_array(u->r, u->file->description, "cells");
    cells c = {0};
    if (u->r->status != RLS2_OK) return u->r->status;
    int64_t columns = u->head->columns;
    if ((int64_t)json_array_size(list) != columns) return fail(u, "not every column has cells");
    rls2_status status = find_cells(u, &c);
    for (int64_t j = 0; j < columns && status == RLS2_OK; j++)
        status = read_column(u, json_array_get(list, (size_t)j), j, &c);
    if (status != RLS2_OK) return status;
    if (c.next != c.counts.rows || c.next_many != c.many.rows || c.next_end != c.ends.rows ||
        !is_end(c.texts, c.at, c.length))
        return fail(u, "there are more cells than its columns have");
    return RLS2_OK;
}

/* ---- all ---- */

static rls2_status fill(unpacker *u)
{
    rls2__profile *p = u->profile;
    rls2_status status = rls2__unpack_head(u->r, u->file->description, &p->head);
    u->head = p->head;
    if (status != RLS2_OK) return status;
    p->columns = rls2__alloc_zero(p->head->columns, sizeof *p->columns);
    if (!p->columns) return out_of_memory(u);
    status = read_needed(u);
    if (status == RLS2_OK) status = read_numbers(u);
    if (status == RLS2_OK) status = read_sample(u);
    if (status == RLS2_OK) status = read_columns(u);
    if (status != RLS2_OK) return status;
    int64_t there = (int64_t)json_object_size(u->file->header) - 1;
    if (there == u->arrays) return RLS2_OK;
    return rls2__container_fail(u->file, RLS2_ERR_SYNTAX,
                                "%" PRId64 " arrays where %" PRId64 " are needed", there,
                                u->arrays);
}

/* The table's own sentence, behind the name of the file. */
static rls2_status settle(const unpacker *u)
{
    rls2_error why;
    const rls2__profile *p = u->profile;
    int64_t rows = p->rows < p->options.sample ? p->rows : p->options.sample;
    int64_t size = rls2__mul(rows, p->head->columns);
    if (size < 0 || (size > MOST_CELLS && size / MOST_CELLS_PER_BYTE > u->file->size))
        return fail(u, "a sample of more cells than such a file should have");
    rls2_status status = rls2__profile_finish(u->profile, &why);
    if (status == RLS2_OK) return status;
    if (status == RLS2_ERR_MEMORY) return out_of_memory(u);
    return rls2__container_fail(u->file, RLS2_ERR_VALUE, "the sample: %s", why.message);
}

static rls2_status build(rls2__describer *r, rls2__profile **profile)
{
    unpacker u = {.r = r, .file = r->container};
    u.profile = rls2__alloc_zero(1, sizeof *u.profile);
    if (!u.profile) return out_of_memory(&u);
    rls2_status status = fill(&u);
    if (status == RLS2_OK) status = settle(&u);
    if (status == RLS2_OK)
        *profile = u.profile;
    else
        rls2__profile_free(u.profile);
    return status;
}

rls2_status rls2__profile_unpack(const char *name, const unsigned char *bytes, int64_t length,
                                 rls2__profile **profile, rls2_error *err)
{
    rls2__container file;
    rls2__describer reader = {.container = &file, .arena = rls2__arena_create()};
    rls2_status status = rls2__container_open(&rls2__profile_kind, name, bytes, length, &file, err);
    if (status == RLS2_OK && !reader.arena) status = rls2__fail_memory(err, "a profile");
    if (status == RLS2_OK) status = build(&reader, profile);
    rls2__container_close(&file);
    rls2__arena_free(reader.arena);
    return status;
}
