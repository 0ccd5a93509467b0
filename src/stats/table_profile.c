/* The life of a profile: rows go in, profiles are merged. */
#include "stats/table_profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/invariant.h"
#include "base/status.h"
#include "stats/profile_parts.h"
#include "table/encoder.h"

/* ---- life ---- */

rls2__profile_options rls2__profile_defaults(void)
{
    return (rls2__profile_options){.sample = 20000, .most_texts = 10000, .most_bytes = 1 << 20};
}

void rls2__profile_free(rls2__profile *profile)
{
    if (!profile) return;
    rls2__profile_unsettle(profile);
    for (int64_t j = 0; profile->columns && j < profile->head->columns; j++)
        rls2__cell_counts_close(&profile->columns[j]);
    rls2__free(profile->columns);
    rls2__row_sample_close(&profile->sample);
    rls2_table_free(profile->head);
    rls2__free(profile->needs);
    rls2__row_bytes_release(&profile->row);
    rls2__free(profile->files);
    rls2__free(profile);
}

static rls2_status copy_head(rls2__profile *p, const rls2_table *first, rls2_error *err)
{
    p->head = rls2__table_create(first->name);
    if (!p->head) return rls2__fail_memory(err, "a profile");
    return rls2__table_copy_columns(p->head, first, err);
}

static rls2_status open_parts(rls2__profile *p, rls2_error *err)
{
    const rls2_table *head = p->head;
    p->columns = rls2__alloc_zero(head->columns, sizeof *p->columns);
    int fits = p->columns && rls2__row_sample_open(&p->sample, p->options.sample);
    for (int64_t j = 0; j < head->columns && fits; j++)
        fits = rls2__cell_counts_open(&p->columns[j], &head->styles[j], head->weak_words,
                                      p->options.most_texts, p->options.most_bytes);
    return fits ? RLS2_OK : rls2__fail_memory(err, "a profile");
}

static rls2_status find_needs(rls2__profile *p, const rls2_table *first,
                              const rls2__profile_options *options, rls2_error *err)
{
    p->needs = rls2__alloc(options->needed_count, sizeof *p->needs);
    if (!p->needs) return rls2__fail_memory(err, "a profile");
    for (int64_t i = 0; i < options->needed_count; i++) {
        int64_t column = rls2_table_find(first, options->needed[i]);
        if (column < 0) return rls2__fail_no_column(first, NULL, options->needed[i], err);
        p->needs[p->need_count++] =
            (rls2__profile_need){column, rls2__table_is_text(first, column)};
    }
    p->unit = options->weight ? RLS2__WEIGHT_UNIT : 1;
    p->weight = options->weight ? rls2_table_find(first, options->weight) : -1;
    if (options->weight && p->weight < 0)
        return rls2__fail_no_column(first, NULL, options->weight, err);
    return RLS2_OK;
}

static rls2_status check_options(const rls2__profile_options *options, rls2_error *err)
{
    enum { MOST = 1 << 28 };
    if (options->sample < 1 || options->sample > MOST)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "sample is %" PRId64 ", not within 1..%d",
                          options->sample, MOST);
    if (options->most_texts < 1 || options->most_bytes < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "most_texts and most_bytes are at least 1");
    return RLS2_OK;
}

rls2_status rls2__profile_create(const rls2_table *first, const rls2__profile_options *options,
                                 rls2__profile **profile, rls2_error *err)
{
    rls2_status status = check_options(options, err);
    if (status != RLS2_OK) return status;
    rls2__profile *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return rls2__fail_memory(err, "a profile");
    made->options = *options;
    made->options.needed = NULL;
    made->options.weight = NULL;
    status = copy_head(made, first, err);
    if (status == RLS2_OK) status = find_needs(made, first, options, err);
    if (status == RLS2_OK) status = open_parts(made, err);
    if (status == RLS2_OK)
        *profile = made;
    else
        rls2__profile_free(made);
    return status;
}

rls2_status rls2__profile_create_like(const rls2__profile *like, rls2__profile **profile,
                                      rls2_error *err)
{
    rls2__profile *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return rls2__fail_memory(err, "a profile");
    made->options = like->options;
    made->weight = like->weight;
    made->unit = like->unit;
    rls2_status status = copy_head(made, like->head, err);
    made->needs = rls2__alloc(like->need_count, sizeof *made->needs);
    if (status == RLS2_OK && !made->needs) status = rls2__fail_memory(err, "a profile");
    if (status == RLS2_OK) status = open_parts(made, err);
    if (status != RLS2_OK) {
        rls2__profile_free(made);
        return status;
    }
    made->need_count = like->need_count;
    memcpy(made->needs, like->needs, (size_t)like->need_count * sizeof *made->needs);
    *profile = made;
    return RLS2_OK;
}

/* ---- files ---- */

/* 0 when out of memory. */
static int add_file(rls2__profile *p, const rls2__profile_file *file)
{
    for (int64_t f = 0; f < p->file_count; f++)
        if (p->files[f].hash == file->hash) return 1;
    if (p->file_count == p->file_room) {
        int64_t room = p->file_room > 0 ? rls2__mul(p->file_room, 2) : 4;
        rls2__profile_file *files = rls2__alloc(room, sizeof *files);
        if (!files) return 0;
        if (p->file_count > 0) memcpy(files, p->files, (size_t)p->file_count * sizeof *files);
        rls2__free(p->files);
        p->files = files;
        p->file_room = room;
    }
    p->files[p->file_count++] = *file;
    return 1;
}

static rls2__profile_file file_of(const rls2_table *piece)
{
    rls2__profile_file file = {.hash = rls2__row_hash(piece->name, (int64_t)strlen(piece->name))};
    snprintf(file.name, sizeof file.name, "%s", piece->name);
    return file;
}

/* ---- rows ---- */

static int is_left_out(const rls2__profile *p, const rls2_table *piece, int64_t row)
{
    for (int64_t i = 0; i < p->need_count; i++)
        if (rls2__table_is_missing_as(piece, row, p->needs[i].column, p->needs[i].is_text))
            return 1;
    if (p->weight < 0) return 0;
    double weight = rls2__table_number_as(piece, row, p->weight, &p->head->styles[p->weight]);
    return weight == 0.0 || rls2__table_is_missing_as(piece, row, p->weight, 0);
}

/* 0 when out of memory. */
static int add_row(rls2__profile *p, const rls2_table *piece, int64_t row, int64_t weight,
                   rls2__cell_place place)
{
    int64_t length = rls2__row_bytes_write(&p->row, piece, row);
    if (length < 0) return 0;
    uint64_t hash = rls2__row_hash(p->row.bytes, length);
    p->fingerprint += hash;
    int fits = rls2__row_sample_add(&p->sample, hash, p->row.bytes, length, 1);
    for (int64_t j = 0; j < piece->columns && fits; j++) {
        if (!rls2__table_is_missing(piece, row, j)) {
            fits = rls2__cell_counts_add(&p->columns[j], piece, row, j, weight, place);
            continue;
        }
        p->columns[j].missing++;
        p->columns[j].missing_weight += weight;
    }
    p->total += weight;
    p->rows++;
    return fits;
}

static rls2_status check_piece(const rls2__profile *p, const rls2_table *piece, rls2_error *err)
{
    const rls2_table *head = p->head;
    if (piece->columns != head->columns)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: %" PRId64 " columns, not %" PRId64,
                          piece->name, piece->columns, head->columns);
    for (int64_t j = 0; j < head->columns; j++)
        if (strcmp(piece->names[j], head->names[j]) != 0)
            return rls2__fail(err, RLS2_ERR_ARGUMENT,
                              "%s: column %" PRId64 " is '%s', not '%s' as in %s", piece->name,
                              j + 1, rls2__show(piece->names[j]).text,
                              rls2__show(head->names[j]).text, head->name);
    return RLS2_OK;
}

/* As an integer; at least 1, as the row is there. What is no number will be told as a slip. */
static rls2_status find_weight(const rls2__profile *p, const rls2_table *piece, int64_t row,
                               int64_t *weight, rls2_error *err)
{
    static const double MOST = 0x1p62;
    double given = rls2__table_number_as(piece, row, p->weight, &p->head->styles[p->weight]);
    double units = isnan(given) ? 0.0 : nearbyint(ldexp(given, RLS2__WEIGHT_BITS));
    if (given < 0.0)
        return rls2__fail(err, RLS2_ERR_VALUE, "%s: column '%s': the weight %g is negative",
                          rls2__table_place(piece, row).text,
                          rls2__show(p->head->names[p->weight]).text, given);
    if (given < RLS2__LEAST_WEIGHT || given > RLS2__MOST_WEIGHT)
        return rls2__fail(
            err, RLS2_ERR_VALUE, "%s: column '%s': the weight %g is not between %g and %g",
            rls2__table_place(piece, row).text, rls2__show(p->head->names[p->weight]).text, given,
            RLS2__LEAST_WEIGHT, RLS2__MOST_WEIGHT);
    if (units + (double)p->total > MOST)
        return rls2__fail(err, RLS2_ERR_VALUE,
                          "%s: column '%s': the sum of the weights overflows; divide them by their "
                          "mean",
                          rls2__table_place(piece, row).text,
                          rls2__show(p->head->names[p->weight]).text);
    *weight = units < 1.0 ? 1 : (int64_t)units;
    return RLS2_OK;
}

rls2_status rls2__profile_add(rls2__profile *profile, const rls2_table *piece, int64_t first_row,
                              rls2_error *err)
{
    rls2_status status = check_piece(profile, piece, err);
    if (status != RLS2_OK) return status;
    rls2__profile_file file = file_of(piece);
    rls2__profile_unsettle(profile);
    int fits = add_file(profile, &file);
    for (int64_t i = 0; i < piece->rows && fits; i++) {
        int64_t line = rls2__table_has_lines(piece, i) ? rls2_table_line(piece, i) : -1, weight = 1;
        if (is_left_out(profile, piece, i)) {
            profile->left_out++;
            continue;
        }
        if (profile->weight >= 0) status = find_weight(profile, piece, i, &weight, err);
        if (status != RLS2_OK) return status;
        fits =
            add_row(profile, piece, i, weight, (rls2__cell_place){first_row + i, line, file.hash});
    }
    return fits ? RLS2_OK : rls2__fail_memory(err, "the profile of a table");
}

int rls2__profile_is_made_with(const rls2__profile *profile, const rls2__profile_options *options)
{
    const rls2_table *head = profile->head;
    int64_t weight = options->weight ? rls2_table_find(head, options->weight) : -1;
    if (profile->need_count != options->needed_count || profile->weight != weight) return 0;
    for (int64_t i = 0; i < profile->need_count; i++)
        if (strcmp(head->names[profile->needs[i].column], options->needed[i]) != 0) return 0;
    return 1;
}

/* ---- merging ---- */

/* Columns that are needed are of the same kind as soon as there are rows. */
static int have_same_options(const rls2__profile *a, const rls2__profile *b)
{
    if (a->need_count != b->need_count || a->weight != b->weight) return 0;
    for (int64_t i = 0; i < a->need_count; i++)
        if (a->needs[i].column != b->needs[i].column) return 0;
    return a->options.sample == b->options.sample &&
           a->options.most_texts == b->options.most_texts &&
           a->options.most_bytes == b->options.most_bytes;
}

static int same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* What a plan goes by. */
static int have_same_conventions(const rls2_table *a, const rls2_table *b)
{
    return a->first_target == b->first_target && a->target_count == b->target_count &&
           a->precomputed == b->precomputed && a->sparse == b->sparse &&
           a->row_names == b->row_names && a->weak_words == b->weak_words &&
           same_text(a->marker, b->marker);
}

static int has_rows(const rls2__profile *p)
{
    return p->rows > 0 || p->left_out > 0;
}

static rls2_status check_styles(const rls2__profile *a, const rls2__profile *b, rls2_error *err)
{
    for (int64_t j = 0; j < a->head->columns; j++)
        if (a->columns[j].many && b->columns[j].many &&
            !rls2__style_same(&a->columns[j].style, &b->columns[j].style))
            return rls2__fail(err, RLS2_ERR_ARGUMENT,
                              "%s: column '%s' is not written as that of %s is", b->head->name,
                              rls2__show(a->head->names[j]).text, a->head->name);
    return RLS2_OK;
}

static rls2_status check_merge(const rls2__profile *a, const rls2__profile *b, rls2_error *err)
{
    rls2_status status = check_piece(a, b->head, err);
    if (status == RLS2_OK) status = check_styles(a, b, err);
    if (status != RLS2_OK) return status;
    if (rls2__add(a->total, b->total) < 0 || rls2__add(a->rows, b->rows) < 0 ||
        rls2__add(a->left_out, b->left_out) < 0)
        return rls2__fail(err, RLS2_ERR_VALUE, "%s: the sum of the weights overflows",
                          b->head->name);
    if (a == b || !have_same_options(a, b))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: the profile was made with other options",
                          b->head->name);
    if (!has_rows(a) || !has_rows(b) || have_same_conventions(a->head, b->head)) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: the table was not read as %s was", b->head->name,
                      a->head->name);
}

/* The head of one that has rows; where both have some, what plans do not go by is the smaller. */
static rls2_status merge_heads(rls2__profile *into, const rls2__profile *from, rls2_error *err)
{
    rls2_table *a = into->head;
    const rls2_table *b = from->head;
    if (!has_rows(into)) {
        for (int64_t i = 0; i < into->need_count; i++) into->needs[i] = from->needs[i];
        return rls2__table_copy_conventions(a, b, err);
    }
    if (!has_rows(from)) return RLS2_OK;
    if (b->format < a->format) a->format = b->format;
    if (b->delimiter < a->delimiter) a->delimiter = b->delimiter;
    if (b->decimal < a->decimal) a->decimal = b->decimal;
    return RLS2_OK;
}

static int has_cells(const rls2__cell_counts *c)
{
    return c->many || rls2__cell_counts_count(c) > 0;
}

static int differ(const rls2__cell_counts *a, const rls2__cell_counts *b)
{
    return !a->many && !b->many && has_cells(a) && has_cells(b) &&
           !rls2__style_same(&a->style, &b->style);
}

/* Of columns that are not of many cells in either, and written in two ways, the sample of both says
 * how they are read. It is merged, and so is the number of rows. */
static rls2_status settle_styles(rls2__profile *into, const rls2__profile *from, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int64_t j = 0; j < into->head->columns && status == RLS2_OK; j++) {
        if (!differ(&into->columns[j], &from->columns[j])) continue;
        if (!into->settled) status = rls2__profile_settle_sample(into, err);
        if (status == RLS2_OK)
            rls2__cell_counts_restyle(&into->columns[j], &into->settled->styles[j]);
    }
    rls2__profile_unsettle(into);
    return status;
}

rls2_status rls2__profile_merge(rls2__profile *into, const rls2__profile *from, rls2_error *err)
{
    rls2_status status = check_merge(into, from, err);
    if (status != RLS2_OK) return status;
    rls2__profile_unsettle(into);
    int fits = rls2__row_sample_merge(&into->sample, &from->sample);
    for (int64_t f = 0; f < from->file_count && fits; f++) fits = add_file(into, &from->files[f]);
    if (!fits) return rls2__fail_memory(err, "the profile of a table");
    status = merge_heads(into, from, err);
    into->rows += from->rows;
    into->left_out += from->left_out;
    into->fingerprint += from->fingerprint;
    into->total += from->total;
    if (status == RLS2_OK) status = settle_styles(into, from, err);
    if (status != RLS2_OK) return status;
    for (int64_t j = 0; j < into->head->columns && fits; j++)
        fits = rls2__cell_counts_merge(&into->columns[j], &from->columns[j]);
    return fits ? RLS2_OK : rls2__fail_memory(err, "the profile of a table");
}

int64_t rls2__profile_rows(const rls2__profile *profile)
{
    return profile->rows;
}

int64_t rls2__profile_left_out(const rls2__profile *profile)
{
    return profile->left_out;
}

uint64_t rls2__profile_fingerprint(const rls2__profile *profile)
{
    return profile->fingerprint;
}

int64_t rls2__profile_columns(const rls2__profile *profile)
{
    return profile->head->columns;
}

/* ---- on all cores ---- */

struct rls2__profile_team {
    int threads;
    rls2__profile **profiles; /* of each thread */
};

void rls2__profile_team_free(rls2__profile_team *team)
{
    if (!team) return;
    for (int t = 0; team->profiles && t < team->threads; t++) rls2__profile_free(team->profiles[t]);
    rls2__free((void *)team->profiles);
    rls2__free(team);
}

rls2_status rls2__profile_team_create(const rls2_table *first, const rls2__profile_options *options,
                                      int threads, rls2__profile_team **team, rls2_error *err)
{
    rls2__invariant(threads >= 1);
    rls2__profile_team *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return rls2__fail_memory(err, "a profile");
    made->threads = threads;
    made->profiles = rls2__alloc_zero(threads, sizeof(*made->profiles));
    rls2_status status = made->profiles ? RLS2_OK : rls2__fail_memory(err, "a profile");
    for (int t = 0; t < threads && status == RLS2_OK; t++)
        status = t == 0 ? rls2__profile_create(first, options, &made->profiles[0], err)
                        : rls2__profile_create_like(made->profiles[0], &made->profiles[t], err);
    if (status == RLS2_OK)
        *team = made;
    else
        rls2__profile_team_free(made);
    return status;
}

rls2_status rls2__profile_team_work(void *team, const rls2_table *piece, int64_t first_row,
                                    int thread, rls2_error *err)
{
    rls2__profile_team *own = team;
    rls2__invariant(thread >= 0 && thread < own->threads);
    return rls2__profile_add(own->profiles[thread], piece, first_row, err);
}

rls2_status rls2__profile_team_finish(rls2__profile_team *team, rls2__profile **profile,
                                      rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int t = 1; t < team->threads && status == RLS2_OK; t++) {
        status = rls2__profile_merge(team->profiles[0], team->profiles[t], err);
        rls2__profile_free(team->profiles[t]);
        team->profiles[t] = NULL;
    }
    if (status == RLS2_OK) {
        *profile = team->profiles[0];
        team->profiles[0] = NULL;
    }
    rls2__profile_team_free(team);
    return status;
}
