/* Adds statistics up that were made alike, or takes them off, and says in what others differ. */
#include <inttypes.h>
#include <string.h>

#include "base/status.h"
#include "stats/counts_check.h"
#include "stats/stats.h"
#include "table/table.h"

typedef struct pair {
    const rls2_stats *into, *from;
    rls2_error *err;
} pair;

static int same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Bits count: numbers that are made alike are the same. */
static int same_bits(const void *a, const void *b, int64_t count)
{
    return count == 0 || memcmp(a, b, (size_t)count * 8) == 0;
}

static rls2_status fail_column(const pair *p, const char *column, const char *what)
{
    return rls2__fail(p->err, RLS2_ERR_VALUE, "column '%s' has %s in the two",
                      rls2__show(column).text, what);
}

static rls2_status fail_general(const pair *p, const char *what)
{
    return rls2__fail(p->err, RLS2_ERR_VALUE, "the two have %s", what);
}

/* ---- inputs ---- */

static int same_values(const rls2__input *a, const rls2__input *b)
{
    int64_t count = a->values ? rls2__lookup_count(a->values) : 0;
    if (!a->values != !b->values || a->pooled != b->pooled) return 0;
    if (b->values && rls2__lookup_count(b->values) != count) return 0;
    for (int64_t v = 0; v < count; v++)
        if (strcmp(rls2__lookup_text(a->values, v), rls2__lookup_text(b->values, v)) != 0) return 0;
    return 1;
}

static rls2_status compare_input(const pair *p, const rls2__input *a, const rls2__input *b)
{
    if (rls2__input_kind(a) != rls2__input_kind(b)) return fail_column(p, a->name, "other kinds");
    if (!same_values(a, b)) return fail_column(p, a->name, "other categories");
    if (!rls2__style_same(&a->style, &b->style) || a->parts != b->parts)
        return fail_column(p, a->name, "other styles");
    if (a->has_missing != b->has_missing || a->is_reduced != b->is_reduced)
        return fail_column(p, a->name, "other indicators");
    return RLS2_OK;
}

static rls2_status compare_names(const pair *p, const rls2__encoder *a, const rls2__encoder *b)
{
    for (int64_t i = 0; i < a->count && i < b->count; i++) {
        const char *ours = a->inputs[i].name, *theirs = b->inputs[i].name;
        if (strcmp(ours, theirs) != 0)
            return rls2__fail(p->err, RLS2_ERR_VALUE,
                              "the two are of other columns: '%s' stands where the first have '%s'",
                              rls2__show(theirs).text, rls2__show(ours).text);
    }
    if (a->count == b->count) return RLS2_OK;
    return rls2__fail(p->err, RLS2_ERR_VALUE,
                      "the two are of other columns: %" PRId64
                      " inputs, and the first have %" PRId64,
                      b->count, a->count);
}

static rls2_status compare_inputs(const pair *p, const rls2__encoder *a, const rls2__encoder *b)
{
    rls2_status status = compare_names(p, a, b);
    for (int64_t i = 0; i < a->count && status == RLS2_OK; i++)
        status = compare_input(p, &a->inputs[i], &b->inputs[i]);
    return status;
}

static int same_texts(int64_t count, const char *const *a, const char *const *b)
{
    for (int64_t i = 0; i < count; i++)
        if (strcmp(a[i], b[i]) != 0) return 0;
    return 1;
}

static rls2_status compare_targets(const pair *p, const rls2__encoder *a, const rls2__encoder *b)
{
    if (a->target_count != b->target_count || !same_texts(a->target_count, a->targets, b->targets))
        return rls2__fail(p->err, RLS2_ERR_VALUE, "the two have other targets: '%s' and '%s'",
                          rls2__show(a->targets[0]).text, rls2__show(b->targets[0]).text);
    for (int64_t o = 0; o < a->target_count; o++)
        if (!rls2__style_same(&a->target_styles[o], &b->target_styles[o]))
            return fail_column(p, a->targets[o], "other styles");
    if (a->has_classes != b->has_classes || a->labels_are_numbers != b->labels_are_numbers ||
        a->label_count != b->label_count || !same_texts(a->label_count, a->labels, b->labels))
        return fail_column(p, a->targets[0], "other classes");
    return same_text(a->weight, b->weight) ? RLS2_OK : fail_general(p, "other row weights");
}

static rls2_status compare_encoders(const pair *p)
{
    const rls2__encoder *a = p->into->sample->encoder, *b = p->from->sample->encoder;
    rls2_status status = compare_inputs(p, a, b);
    if (status == RLS2_OK) status = compare_targets(p, a, b);
    if (status != RLS2_OK) return status;
    if (a->missing != b->missing || a->reference != b->reference || a->columns != b->columns)
        return fail_general(p, "other rules for missing cells or indicators");
    return RLS2_OK;
}

/* ---- preparation ---- */

static int same_scale(const rls2__scale *a, const rls2__scale *b)
{
    return a->exponent == b->exponent && same_bits(&a->shift, &b->shift, 1) &&
           same_bits(&a->rest, &b->rest, 1) && same_bits(&a->deviation, &b->deviation, 1);
}

static rls2_status compare_preparations(const pair *p)
{
    const rls2__preparation *a = &p->into->sample->preparation, *b = &p->from->sample->preparation;
    char *const *names = (char *const *)p->into->sample->encoder->names;
    if (a->how.examples != b->how.examples || a->how.features != b->how.features ||
        a->has_fills != b->has_fills)
        return fail_general(p, "other preprocessing");
    for (int64_t j = 0; j < a->columns; j++) {
        if (!same_scale(&a->scales[j], &b->scales[j]) || a->absent[j] != b->absent[j])
            return fail_column(p, names[j], "other means or deviations");
        if (a->has_fills && !same_bits(&a->fills[j], &b->fills[j], 1))
            return fail_column(p, names[j], "other values for missing cells");
    }
    return RLS2_OK;
}

/* ---- axes, features and counts ---- */

static int same_axis(const rls2__axis *a, const rls2__axis *b)
{
    return a->count == b->count && a->knots == b->knots &&
           same_bits(&a->missing_above, &b->missing_above, 1) &&
           same_bits(a->points, b->points, a->count * a->width);
}

/* Encoders are the same: so are the axes but for their points. Whether they are exact depends on
 * the rows. */
static rls2_status compare_axes(const pair *p)
{
    const rls2__axes *a = p->into->axes, *b = p->from->axes;
    for (int64_t i = 0; i < a->count; i++)
        if (!same_axis(&a->all[i], &b->all[i]))
            return fail_column(p, rls2__axis_name(p->into->sample->encoder, &a->all[i]),
                               "other points");
    return RLS2_OK;
}

static int same_lower(int64_t L, const double *a, const double *b)
{
    for (int64_t j = 0; j < L; j++)
        if (!same_bits(a + j * L + j, b + j * L + j, L - j)) return 0;
    return 1;
}

/* Whatever its number in a dictionary. */
static int same_block(const rls2__feature_block *a, const rls2__feature_block *b)
{
    return a->kernel.kind == b->kernel.kind && a->count == b->count &&
           strcmp(a->kernel.name, b->kernel.name) == 0 &&
           same_bits(a->kernel.param, b->kernel.param, 3) &&
           a->kernel.column_count == b->kernel.column_count &&
           same_bits(a->kernel.columns, b->kernel.columns, a->kernel.column_count) &&
           same_bits(&a->unit, &b->unit, 1) && same_lower(a->count, a->inverse, b->inverse);
}

static rls2_status fail_kernel(const pair *p, const char *name)
{
    return rls2__fail(p->err, RLS2_ERR_VALUE, "the two have other landmarks of kernel '%s'",
                      rls2__show(name).text);
}

static rls2_status compare_features(const pair *p)
{
    const rls2__features *a = p->into->features, *b = p->from->features;
    int64_t ours = rls2_stats_kernel_count(p->into), theirs = rls2_stats_kernel_count(p->from);
    for (int64_t i = 0; i < ours && i < theirs; i++)
        if (!same_block(&a->all[i], &b->all[i])) return fail_kernel(p, a->all[i].kernel.name);
    if (ours != theirs)
        return rls2__fail(p->err, RLS2_ERR_VALUE,
                          "the two have features of other kernels: %" PRId64
                          " of several columns, and the first have %" PRId64,
                          theirs, ours);
    if (ours > 0 && !same_bits(a->x, b->x, a->total * a->columns))
        return fail_kernel(p, a->all[0].kernel.name);
    return RLS2_OK;
}

static rls2_status compare_counts(const pair *p)
{
    const rls2__counts *a = p->into->counts, *b = p->from->counts;
    const rls2__encoder *encoder = p->into->sample->encoder;
    if (p->into->parts != p->from->parts || a->parts != b->parts)
        return rls2__fail(p->err, RLS2_ERR_VALUE,
                          "the two have other parts: %" PRId64 ", and the first have %" PRId64,
                          p->from->parts, p->into->parts);
    if (p->into->seed != p->from->seed)
        return rls2__fail(p->err, RLS2_ERR_VALUE,
                          "rows have their part by another seed: %" PRIu64
                          ", and the first have %" PRIu64,
                          p->from->seed, p->into->seed);
    if (p->into->parts_by_number != p->from->parts_by_number)
        return fail_general(p, "parts by other rules: by the numbers of rows, or by their cells");
    if (a->is_weighted != b->is_weighted) return fail_general(p, "other row weights");
    if (!p->into->factors != !p->from->factors ||
        (p->into->factors && !same_bits(p->into->factors, p->from->factors, encoder->label_count)))
        return fail_general(p, "other class weights");
    for (int64_t o = 0; o < a->outputs; o++)
        if (!same_bits(&a->units[o], &b->units[o], 3))
            return fail_column(p, encoder->targets[encoder->target_count > 1 ? o : 0],
                               "other units");
    return RLS2_OK;
}

/* ---- the sample ---- */

static int same_cell(const rls2_table *a, const rls2_table *b, int64_t row, int64_t column)
{
    char one[RLS2__NUMBER_TEXT], other[RLS2__NUMBER_TEXT];
    return strcmp(rls2__table_text(a, row, column, one), rls2__table_text(b, row, column, other)) ==
           0;
}

static int same_cells(const rls2_table *a, const rls2_table *b)
{
    if (a->rows != b->rows || a->columns != b->columns) return 0;
    for (int64_t j = 0; j < a->columns; j++)
        if (strcmp(a->names[j], b->names[j]) != 0) return 0;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->columns; j++)
            if (!same_cell(a, b, i, j)) return 0;
    return 1;
}

static int same_rows(const rls2_dataset *a, const rls2_dataset *b)
{
    int64_t n = a->rows, outputs = rls2_dataset_outputs(a);
    return n == b->rows && same_bits(a->x, b->x, n * a->columns) &&
           same_bits(a->y, b->y, n * outputs) && !a->weights == !b->weights &&
           (!a->weights || same_bits(a->weights, b->weights, n)) &&
           same_bits(a->source, b->source, n);
}

/* Otherwise the order would decide which one is kept. */
static rls2_status compare_samples(const pair *p)
{
    if (same_rows(p->into->sample, p->from->sample) && same_cells(p->into->table, p->from->table))
        return RLS2_OK;
    return fail_general(p, "other samples of rows");
}

/* ---- the sum ---- */

static rls2_status check_sums(const pair *p)
{
    rls2__counts_fault fault = rls2__counts_check_merge(p->from->counts, p->into->counts);
    if (fault.what)
        return rls2__fail(p->err, RLS2_ERR_VALUE, "the sum of the two: part %" PRId64 ": %s",
                          fault.part + 1, fault.what);
    if (rls2__add(p->into->left_out, p->from->left_out) < 0 ||
        rls2__add(p->into->rows, p->from->rows) < 0)
        return rls2__fail(p->err, RLS2_ERR_VALUE, "the two have too many rows together");
    return RLS2_OK;
}

static rls2_status compare(const pair *both)
{
    if (!both->into) return rls2__fail_null(both->err, "into");
    if (!both->from) return rls2__fail_null(both->err, "from");
    rls2_status status = compare_encoders(both);
    if (status == RLS2_OK) status = compare_preparations(both);
    if (status == RLS2_OK) status = compare_axes(both);
    if (status == RLS2_OK) status = compare_features(both);
    if (status == RLS2_OK) status = compare_counts(both);
    return status == RLS2_OK ? compare_samples(both) : status;
}

rls2_status rls2_stats_merge(rls2_stats *into, const rls2_stats *from, rls2_error *err)
{
    const pair both = {into, from, err};
    rls2_status status = compare(&both);
    if (status == RLS2_OK) status = check_sums(&both);
    if (status != RLS2_OK) return status;
    rls2__counts_merge(from->counts, into->counts);
    into->rows += from->rows;
    into->left_out += from->left_out;
    into->fingerprint += from->fingerprint;
    return RLS2_OK;
}

/* ---- the difference ---- */

static rls2_status fail_not_within(const pair *p)
{
    return rls2__fail(p->err, RLS2_ERR_VALUE,
                      "the %" PRId64 " rows to be taken off are not among the %" PRId64
                      " there are",
                      p->from->rows, p->into->rows);
}

/* What is left must be such as rows can have: otherwise all is put back. */
rls2_status rls2_stats_subtract(rls2_stats *into, const rls2_stats *from, rls2_error *err)
{
    const pair both = {into, from, err};
    rls2_status status = compare(&both);
    if (status != RLS2_OK) return status;
    if (into == from) {
        rls2_stats_clear(into);
        return RLS2_OK;
    }
    if (from->left_out > into->left_out || !rls2__counts_subtract(from->counts, into->counts))
        return fail_not_within(&both);
    if (rls2__counts_check(into->counts).what) {
        rls2__counts_merge(from->counts, into->counts);
        return fail_not_within(&both);
    }
    into->rows -= from->rows;
    into->left_out -= from->left_out;
    into->fingerprint -= from->fingerprint;
    return RLS2_OK;
}

void rls2_stats_clear(rls2_stats *stats)
{
    if (!stats) return;
    rls2__counts_clear(stats->counts);
    stats->rows = stats->left_out = 0;
    stats->fingerprint = 0;
}
