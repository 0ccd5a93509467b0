/* Arrays and a description become statistics. Nothing is believed: axes are those that the inputs
 * have, sizes are those of the arrays, which are those of the file, and counts must add up as those
 * of rows do. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "dictionary/dictionary_values.h"
#include "modelfile/container.h"
#include "modelfile/stats_parts.h"
#include "modelfile/unpack_data.h"
#include "stats/counts_check.h"
#include "table/preprocess.h"
#include "table/table.h"

enum { MOST_POINTS = UINT16_MAX }; /* of an axis: places of rows have 16 bits */

typedef struct unpacker {
    rls2__describer *r;
    const rls2__container *file;
    rls2_stats *stats;
    rls2__encoder *encoder;
    rls2__preparation preparation;
    int64_t outputs;
    int64_t parts;  /* of the counts */
    int64_t arrays; /* that were read */
} unpacker;

rls2_status rls2__stats_array(const rls2__container *file, const char *name, const char *type,
                              int64_t rows, int64_t columns, int64_t *arrays,
                              rls2__array_view *view)
{
    rls2_status status = rls2__container_array(file, name, type, rows < 0 ? 1 : 2, view);
    if (status != RLS2_OK) return status;
    ++*arrays;
    if (view->columns == columns && (rows < 0 || view->rows == rows)) return RLS2_OK;
    return rls2__container_fail(file, RLS2_ERR_VALUE,
                                "the array '%s' is %" PRId64 " x %" PRId64 " where %" PRId64
                                " x %" PRId64 " are needed",
                                name, view->rows, view->columns, rows < 0 ? 1 : rows, columns);
}

static rls2_status find(unpacker *u, const char *name, const char *type, int64_t rows,
                        int64_t columns, rls2__array_view *view)
{
    return rls2__stats_array(u->file, name, type, rows, columns, &u->arrays, view);
}

static rls2_status read_words(unpacker *u, const char *name, int64_t rows, int64_t columns,
                              void *out)
{
    rls2__array_view view;
    rls2_status status = find(u, name, "I64", rows, columns, &view);
    if (status == RLS2_OK) rls2__read_integers(view.data, view.rows * view.columns, out);
    return status;
}

static rls2_status read_wide(unpacker *u, const char *name, int64_t count, rls2__wide *out)
{
    rls2__array_view view;
    rls2_status status = find(u, name, "I64", count, 2, &view);
    for (int64_t i = 0; i < count && status == RLS2_OK; i++) {
        int64_t words[2];
        rls2__read_integers(view.data + 16 * i, 2, words);
        out[i] = (rls2__wide)words[1] * ((rls2__wide)1 << 64) + (uint64_t)words[0];
    }
    return status;
}

/* ---- how rows are made ---- */

static rls2_status count_outputs(unpacker *u)
{
    rls2__array_view view;
    rls2_status status = rls2__container_array(u->file, "counts.units", "F64", 2, &view);
    u->outputs = view.rows;
    return status;
}

static rls2_status read_encoding(unpacker *u)
{
    const json_t *from = rls2__field_object(u->r, u->file->description, "data");
    int64_t count = 0;
    const char **names = rls2__field_texts(u->r, u->file->description, "columns", &count);
    if (u->r->status != RLS2_OK) return u->r->status;
    if (count < 1) return rls2__container_fail(u->file, RLS2_ERR_VALUE, "there are no columns");
    rls2_status status = count_outputs(u);
    if (status != RLS2_OK) return status;
    const rls2__data_columns columns = {count, (char *const *)names, u->outputs, 1, NULL};
    status = rls2__unpack_encoding(u->r, from, &columns, &u->encoder, &u->preparation,
                                   &u->stats->fingerprint);
    if (status != RLS2_OK) return status;
    u->arrays += 1 + (u->preparation.how.features == RLS2_NORMALIZE_NONE ? 0 : 6);
    return RLS2_OK;
}

static rls2_status read_absent(unpacker *u)
{
    int64_t columns = u->preparation.columns;
    rls2__array_view view;
    if (!json_object_get(u->file->header, "features.absent")) return RLS2_OK;
    rls2_status status = find(u, "features.absent", "I64", -1, columns, &view);
    for (int64_t j = 0; j < columns && status == RLS2_OK; j++) {
        int64_t absent;
        rls2__read_integers(view.data + 8 * j, 1, &absent);
        if (absent != 0 && absent != 1)
            return rls2__container_fail(u->file, RLS2_ERR_VALUE,
                                        "features.absent: element %" PRId64 " is %" PRId64, j,
                                        absent);
        if (absent) rls2__preparation_set_absent(&u->preparation, j);
    }
    if (status != RLS2_OK || u->preparation.absent_count > 0) return status;
    return rls2__container_fail(u->file, RLS2_ERR_VALUE, "features.absent: no column is");
}

/* ---- axes ---- */

static rls2_status fail_axis(const unpacker *u, const rls2__axis *axis, const char *what)
{
    const char *name = rls2__axis_name(u->encoder, axis);
    return rls2__container_fail(u->file, RLS2_ERR_VALUE, "the axis of column '%s': %s",
                                rls2__show(name).text, what);
}

/* Sizes of an axis, before its points. */
static rls2_status read_axis(unpacker *u, const json_t *from, rls2__axis *axis)
{
    int is_text = rls2__input_kind(&u->encoder->inputs[axis->input]) == RLS2_COLUMN_TEXT;
    axis->count = rls2__field_count(u->r, from, "points");
    axis->knots = rls2__field_count(u->r, from, "knots");
    axis->is_exact = rls2__field_flag(u->r, from, "exact");
    double missing_above = rls2__field_number_or_null(u->r, from, "missing_above");
    if (u->r->status != RLS2_OK) return u->r->status;
    if (axis->count < 1 || axis->count > MOST_POINTS) return fail_axis(u, axis, "too many points");
    if (is_text) {
        if (axis->knots == 0 && axis->is_exact && isnan(missing_above)) return RLS2_OK;
        return fail_axis(u, axis, "categories that are shared");
    }
    int64_t missing = axis->count - axis->knots;
    if (axis->knots < 1 || axis->knots > RLS2__MOST_KNOTS || missing < 0 || missing > 1 ||
        missing > axis->width - 1)
        return fail_axis(u, axis, "knots and points do not fit");
    if ((missing == 1) != !isnan(missing_above))
        return fail_axis(u, axis, "missing cells have no point, or nothing tells them");
    axis->missing_above = missing == 1 ? missing_above : (double)INFINITY;
    return RLS2_OK;
}

static rls2_status check_knots(const unpacker *u, const rls2__axis *axis)
{
    for (int64_t g = 1; g < axis->knots; g++)
        if (!(axis->points[g * axis->width] > axis->points[(g - 1) * axis->width]))
            return fail_axis(u, axis, "its knots do not ascend");
    return RLS2_OK;
}

/* The points of all, one after another. */
static rls2_status read_points(unpacker *u, rls2__axes *axes)
{
    rls2__array_view view;
    int64_t count = 0;
    for (int64_t a = 0; a < axes->count; a++)
        count = rls2__add(count, rls2__mul(axes->all[a].count, axes->all[a].width));
    rls2_status status = find(u, "axes.points", "F64", -1, count, &view);
    if (status != RLS2_OK) return status;
    double *points = rls2__arena_alloc(axes->arena, rls2__mul(count, sizeof *points));
    if (!points) return rls2__fail_memory(u->file->err, "the points of axes");
    rls2__read_doubles(view.data, count, points);
    status = rls2__container_check_finite(u->file, "axes.points", count, points);
    for (int64_t a = 0; a < axes->count && status == RLS2_OK; a++) {
        rls2__axis *axis = &axes->all[a];
        axis->points = points;
        points += axis->count * axis->width;
        axes->first[a + 1] = axes->first[a] + axis->count;
        status = check_knots(u, axis);
    }
    return status;
}

static rls2_status read_axes(unpacker *u)
{
    const json_t *list = rls2__field_array(u->r, u->file->description, "axes");
    if (u->r->status != RLS2_OK) return u->r->status;
    if (rls2__axes_start(u->encoder, &u->stats->axes) != RLS2_OK)
        return rls2__fail_memory(u->file->err, "the axes of statistics");
    rls2__axes *axes = u->stats->axes;
    if ((int64_t)json_array_size(list) != axes->count)
        return rls2__container_fail(u->file, RLS2_ERR_VALUE,
                                    "%zu axes where the inputs have %" PRId64,
                                    json_array_size(list), axes->count);
    for (int64_t a = 0; a < axes->count; a++) {
        rls2_status status = read_axis(u, json_array_get(list, (size_t)a), &axes->all[a]);
        if (status != RLS2_OK) return status;
    }
    return read_points(u, axes);
}

/* ---- kernels of several axes ---- */

static rls2_status fail_kernel(const unpacker *u, const char *name, const char *what)
{
    return rls2__container_fail(u->file, RLS2_ERR_VALUE, "kernel '%s': %s", rls2__show(name).text,
                                what);
}

static int is_allowed(rls2__domain domain, double value)
{
    switch (domain) {
    case RLS2__DOMAIN_DEGREE: return value >= 1.0 && value <= 20.0 && floor(value) >= value;
    case RLS2__DOMAIN_NON_NEGATIVE: return value >= 0.0;
    case RLS2__DOMAIN_WIDTH: /* where rows are counted none is learned */
    case RLS2__DOMAIN_POSITIVE: return value > 0.0;
    case RLS2__DOMAIN_NU:
        return memcmp(&value, &(double){0.5}, sizeof value) == 0 ||
               memcmp(&value, &(double){1.5}, sizeof value) == 0 ||
               memcmp(&value, &(double){2.5}, sizeof value) == 0;
    case RLS2__DOMAIN_GIVEN:
    default: return 0;
    }
}

static rls2_status read_parameters(unpacker *u, const json_t *from, rls2__kernel *kernel)
{
    const rls2__form *form = rls2__form_of(kernel->kind);
    const json_t *list = rls2__field_array(u->r, from, "parameters");
    if (u->r->status != RLS2_OK) return u->r->status;
    if ((int64_t)json_array_size(list) != form->parameter_count)
        return fail_kernel(u, kernel->name, "another number of parameters");
    for (int i = 0; i < form->parameter_count; i++) {
        const json_t *value = json_array_get(list, (size_t)i);
        kernel->param[i] = json_is_number(value) ? json_number_value(value) : (double)NAN;
        if (!is_allowed(form->parameters[i].domain, kernel->param[i]))
            return fail_kernel(u, kernel->name, "a parameter that it cannot have");
    }
    return RLS2_OK;
}

static rls2_status read_columns(unpacker *u, const json_t *from, rls2__kernel *kernel)
{
    const json_t *list = rls2__field_array(u->r, from, "columns");
    if (u->r->status != RLS2_OK) return u->r->status;
    kernel->column_count = (int64_t)json_array_size(list);
    int64_t *columns =
        rls2__arena_alloc(u->r->arena, rls2__mul(kernel->column_count, sizeof *columns));
    if (!columns) return rls2__fail_memory(u->file->err, "the kernels of statistics");
    kernel->columns = columns;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        const json_t *column = json_array_get(list, (size_t)t);
        columns[t] = json_is_integer(column) ? json_integer_value(column) : -1;
        if (columns[t] < 0 || columns[t] >= u->encoder->columns ||
            (t > 0 && columns[t] <= columns[t - 1]))
            return fail_kernel(u, kernel->name, "columns that are not there, or out of order");
    }
    return RLS2_OK;
}

/* Those that features can be made of, by their word. */
static int find_kind(const char *form, rls2__kernel_kind *kind)
{
    static const rls2__kernel_kind kinds[] = {RLS2__KERNEL_POLY, RLS2__KERNEL_RBF,
                                              RLS2__KERNEL_LAPLACE, RLS2__KERNEL_MATERN,
                                              RLS2__KERNEL_DELTA};
    for (size_t i = 0; form && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(form, rls2__form_of(kinds[i])->name) == 0) {
            *kind = kinds[i];
            return 1;
        }
    return 0;
}

static rls2_status read_kernel(unpacker *u, const json_t *from, rls2__feature_parts *parts)
{
    rls2__kernel *kernel = &parts->kernel;
    kernel->given = -1;
    kernel->name = rls2__field_text(u->r, from, "name");
    const char *form = rls2__field_text(u->r, from, "form");
    parts->index = rls2__field_count(u->r, from, "index");
    parts->count = rls2__field_count(u->r, from, "landmarks");
    if (u->r->status != RLS2_OK) return u->r->status;
    if (!find_kind(form, &kernel->kind))
        return fail_kernel(u, kernel->name,
                           "features of another form than poly, rbf, laplace, "
                           "matern or delta");
    rls2_status status = read_parameters(u, from, kernel);
    if (status == RLS2_OK) status = read_columns(u, from, kernel);
    if (status != RLS2_OK) return status;
    if (parts->count < 1) return fail_kernel(u, kernel->name, "no landmarks");
    if (kernel->column_count == 0 || rls2__kernel_has_axes(u->stats->axes, kernel))
        return fail_kernel(u, kernel->name, "features of a kernel of one axis");
    return RLS2_OK;
}

/* Inverses as squares, in the arena of the description. */
static rls2_status read_inverse(unpacker *u, const unsigned char *data, rls2__feature_parts *parts)
{
    int64_t L = parts->count, square = rls2__mul(L, L);
    double *inverse = rls2__arena_alloc(u->r->arena, rls2__mul(square, sizeof *inverse));
    if (!inverse) return rls2__fail_memory(u->file->err, "the landmarks of statistics");
    for (int64_t j = 0; j < L; j++) {
        rls2__read_doubles(data, L - j, inverse + j * L + j);
        data += 8 * (L - j);
        if (!(inverse[j * L + j] > 0.0))
            return fail_kernel(u, parts->kernel.name, "landmarks that depend on each other");
    }
    parts->inverse = inverse;
    return rls2__container_check_finite(u->file, "landmarks.inverse", square, inverse);
}

static rls2_status read_inverses(unpacker *u, int64_t count, rls2__feature_parts *parts)
{
    rls2__array_view inverse, units;
    int64_t size = 0;
    for (int64_t b = 0; b < count; b++) {
        int64_t twice = rls2__mul(parts[b].count, rls2__add(parts[b].count, 1));
        size = rls2__add(size, twice < 0 ? -1 : twice / 2);
    }
    rls2_status status = find(u, "landmarks.inverse", "F64", -1, size, &inverse);
    if (status == RLS2_OK) status = find(u, "landmarks.units", "F64", -1, count, &units);
    const unsigned char *data = inverse.data;
    for (int64_t b = 0; b < count && status == RLS2_OK; b++) {
        int64_t L = parts[b].count;
        status = read_inverse(u, data, &parts[b]);
        data += 8 * (L * (L + 1) / 2);
        rls2__read_doubles(units.data + 8 * b, 1, &parts[b].unit);
        if (status == RLS2_OK && !(isnormal(parts[b].unit) && parts[b].unit > 0.0))
            status = fail_kernel(u, parts[b].kernel.name, "a unit that is not positive");
    }
    return status;
}

static rls2_status read_landmarks(unpacker *u, int64_t count, const rls2__feature_parts *parts)
{
    rls2__array_view view;
    int64_t total = 0, columns = u->encoder->columns;
    for (int64_t b = 0; b < count; b++) total = rls2__add(total, parts[b].count);
    rls2_status status = find(u, "landmarks.x", "F64", columns, total, &view);
    if (status != RLS2_OK) return status;
    double *x = rls2__alloc(rls2__mul(total, columns), sizeof *x);
    if (!x) return rls2__fail_memory(u->file->err, "the landmarks of statistics");
    rls2__read_doubles(view.data, total * columns, x);
    status = rls2__container_check_finite(u->file, "landmarks.x", total * columns, x);
    if (status == RLS2_OK &&
        rls2__features_restore(columns, count, parts, x, &u->stats->features) != RLS2_OK)
        status = rls2__fail_memory(u->file->err, "the landmarks of statistics");
    rls2__free(x);
    return status;
}

static rls2_status read_features(unpacker *u)
{
    const json_t *list = rls2__field_array(u->r, u->file->description, "kernels");
    int64_t count = (int64_t)json_array_size(list);
    if (u->r->status != RLS2_OK || count == 0) return u->r->status;
    rls2__feature_parts *parts = rls2__arena_alloc(u->r->arena, rls2__mul(count, sizeof *parts));
    if (!parts) return rls2__fail_memory(u->file->err, "the kernels of statistics");
    rls2_status status = RLS2_OK;
    for (int64_t b = 0; b < count && status == RLS2_OK; b++)
        status = read_kernel(u, json_array_get(list, (size_t)b), &parts[b]);
    if (status == RLS2_OK) status = read_inverses(u, count, parts);
    return status == RLS2_OK ? read_landmarks(u, count, parts) : status;
}

/* ---- counts ---- */

static rls2_status read_units(unpacker *u, rls2__units *units)
{
    rls2__array_view view;
    rls2_status status = find(u, "counts.units", "F64", u->outputs, 3, &view);
    for (int64_t o = 0; o < u->outputs && status == RLS2_OK; o++) {
        double three[3];
        rls2__read_doubles(view.data + 24 * o, 3, three);
        units[o] = (rls2__units){three[0], three[1], three[2]};
        if (!isfinite(three[0]) || !isnormal(three[1]) || !(three[1] > 0.0) ||
            !isnormal(three[2]) || !(three[2] > 0.0) || three[2] < units[0].weight ||
            three[2] > units[0].weight)
            status = rls2__container_fail(
                u->file, RLS2_ERR_VALUE,
                "counts.units: output %" PRId64 " has none, or another one for weights", o);
    }
    return status;
}

/* As many tables as there are pairs: what is reserved for them is not more than the file has. */
static rls2_status check_sizes(unpacker *u, int64_t *pairs, rls2__array_view *view)
{
    const rls2__axes *axes = u->stats->axes;
    rls2_status status = rls2__container_array(u->file, "counts.mass", "I64", 2, view);
    if (status != RLS2_OK) return status;
    u->parts = view->rows;
    if (u->parts < 1 || view->columns != rls2__axes_points(axes))
        return rls2__container_fail(u->file, RLS2_ERR_VALUE,
                                    "counts of %" PRId64 " parts and %" PRId64 " points", u->parts,
                                    view->columns);
    int64_t sums = rls2__mul(rls2__mul(u->parts, u->outputs), view->columns);
    status = rls2__container_array(u->file, "counts.sums", "I64", 2, view);
    if (status != RLS2_OK) return status;
    if (sums < 0 || view->rows != sums)
        return rls2__container_fail(u->file, RLS2_ERR_VALUE,
                                    "sums of %" PRId64 " responses where %" PRId64 " are needed",
                                    view->rows, sums);
    *pairs = 0;
    for (int64_t a = 0; a < axes->count; a++)
        for (int64_t b = a + 1; b < axes->count; b++)
            *pairs = rls2__add(*pairs, rls2__mul(axes->all[a].count, axes->all[b].count));
    return find(u, "counts.pairs", "I64", u->parts, *pairs, view);
}

static void read_pairs(const rls2__array_view *view, rls2__counts *c)
{
    const rls2__axes *axes = c->axes;
    const unsigned char *data = view->data;
    for (int64_t p = 0; p < c->parts; p++)
        for (int64_t a = 0; a < axes->count; a++)
            for (int64_t b = a + 1; b < axes->count; b++) {
                int64_t own = axes->all[a].count * axes->all[b].count;
                uint64_t *table = c->pairs + p * c->pair_size + c->pair_at[a * axes->count + b];
                rls2__read_integers(data, own, (int64_t *)table);
                data += 8 * own;
            }
}

static rls2_status read_totals(unpacker *u, rls2__counts *c)
{
    rls2__array_view view;
    rls2_status status = find(u, "counts.totals", "I64", c->parts, 2, &view);
    int64_t rows = 0;
    for (int64_t p = 0; p < c->parts && status == RLS2_OK; p++) {
        int64_t two[2];
        rls2__read_integers(view.data + 16 * p, 2, two);
        c->totals[p] = (rls2__part_totals){two[0], (uint64_t)two[1]};
        rows = rls2__add(rows, two[0]);
    }
    if (status != RLS2_OK || rows == u->stats->rows) return status;
    return rls2__container_fail(u->file, RLS2_ERR_VALUE,
                                "the parts have other rows than the %" PRId64 " there are",
                                u->stats->rows);
}

static rls2_status read_feature_sums(unpacker *u, rls2__feature_sums *f)
{
    int64_t total = f->features->total;
    rls2_status status =
        read_words(u, "landmarks.cross", f->parts, rls2__feature_cross_size(f), f->cross);
    if (status == RLS2_OK)
        status =
            read_wide(u, "landmarks.squares", f->parts * rls2__feature_triangle(f), f->squares);
    if (status == RLS2_OK)
        status = read_wide(u, "landmarks.sums", f->parts * (1 + f->outputs) * total, f->sums);
    if (status == RLS2_OK)
        status = read_wide(u, "landmarks.traces", f->parts * f->features->count, f->traces);
    return status;
}

/* Their arrays are in the file before there is room for them. */
static rls2_status check_feature_sizes(const unpacker *u)
{
    const rls2__features *features = u->stats->features;
    rls2__array_view view;
    if (!features) return RLS2_OK;
    int64_t needed = rls2__mul(rls2__axes_points(u->stats->axes), features->total);
    rls2_status status = rls2__container_array(u->file, "landmarks.cross", "I64", 2, &view);
    if (status != RLS2_OK) return status;
    if (view.rows == u->parts && view.columns >= needed && needed >= 0) {
        int64_t squares = rls2__mul(features->total, features->total + 1) / 2;
        status = rls2__container_array(u->file, "landmarks.squares", "I64", 2, &view);
        if (status != RLS2_OK || view.rows == rls2__mul(u->parts, squares)) return status;
    }
    return rls2__container_fail(
        u->file, RLS2_ERR_VALUE,
        "sums of features of other sizes than those of %" PRId64 " landmarks", features->total);
}

static rls2_status fail_counts(const unpacker *u, const rls2__counts_fault *fault)
{
    const rls2__axes *axes = u->stats->axes;
    const char *names[2] = {"", ""};
    int64_t which[2] = {fault->axis, fault->other};
    for (int i = 0; i < 2; i++)
        if (which[i] >= 0) names[i] = rls2__axis_name(u->encoder, &axes->all[which[i]]);
    rls2__shown one = rls2__show(names[0]), other = rls2__show(names[1]);
    if (fault->other >= 0)
        return rls2__container_fail(u->file, RLS2_ERR_VALUE,
                                    "part %" PRId64 ", columns '%s' and '%s': %s", fault->part + 1,
                                    one.text, other.text, fault->what);
    if (fault->axis >= 0)
        return rls2__container_fail(u->file, RLS2_ERR_VALUE, "part %" PRId64 ", column '%s': %s",
                                    fault->part + 1, one.text, fault->what);
    return rls2__container_fail(u->file, RLS2_ERR_VALUE, "part %" PRId64 ": %s", fault->part + 1,
                                fault->what);
}

static rls2_status fill_counts(unpacker *u, const rls2__array_view *pairs)
{
    rls2__counts *c = u->stats->counts;
    int64_t ends = c->parts * c->outputs;
    rls2_status status = read_totals(u, c);
    if (status == RLS2_OK && u->file->version > 1)
        status = read_words(u, "counts.beyond", -1, c->axes->count, c->beyond);
    if (status == RLS2_OK) status = read_words(u, "counts.mass", c->parts, c->points, c->mass);
    if (status == RLS2_OK) status = read_words(u, "counts.own", c->parts, c->points, c->own);
    if (status == RLS2_OK) status = read_words(u, "counts.next", c->parts, c->points, c->next);
    if (status == RLS2_OK) status = read_wide(u, "counts.sums", ends * c->points, c->sums);
    if (status == RLS2_OK) status = read_wide(u, "counts.first", ends, c->first);
    if (status == RLS2_OK) status = read_wide(u, "counts.second", ends, c->second);
    if (status == RLS2_OK && c->featured) status = read_feature_sums(u, c->featured);
    if (status != RLS2_OK) return status;
    read_pairs(pairs, c);
    rls2__counts_fault fault = rls2__counts_check(c);
    return fault.what ? fail_counts(u, &fault) : RLS2_OK;
}

static rls2_status read_counts(unpacker *u)
{
    rls2__array_view pairs;
    int64_t size;
    int is_weighted = rls2__field_flag(u->r, u->file->description, "weighted");
    rls2__units *units = rls2__arena_alloc(u->r->arena, rls2__mul(u->outputs, sizeof *units));
    if (!units) return rls2__fail_memory(u->file->err, "the units of statistics");
    if (u->r->status != RLS2_OK) return u->r->status;
    rls2_status status = read_units(u, units);
    if (status == RLS2_OK) status = check_sizes(u, &size, &pairs);
    if (status == RLS2_OK) status = check_feature_sizes(u);
    if (status != RLS2_OK) return status;
    if (rls2__counts_create(u->stats->axes, u->parts, u->outputs, is_weighted, units,
                            &u->stats->counts) != RLS2_OK ||
        rls2__counts_take_features(u->stats->features, u->stats->counts) != RLS2_OK)
        return rls2__fail_memory(u->file->err, "the counts of statistics");
    u->stats->counts->rounded = u->file->version > 1
                                    ? rls2__field_count(u->r, u->file->description, "rounded")
                                    : (is_weighted ? u->stats->rows : 0); /* it does not tell */
    if (u->r->status != RLS2_OK) return u->r->status;
    return fill_counts(u, &pairs);
}

/* ---- all ---- */

static rls2_status read_numbers(unpacker *u)
{
    const json_t *from = u->file->description;
    rls2_stats *stats = u->stats;
    rls2__field_text(u->r, from, "library");
    stats->rows = rls2__field_count(u->r, from, "rows");
    stats->left_out = rls2__field_count(u->r, from, "left_out");
    stats->parts = rls2__field_count(u->r, from, "parts");
    const char *seed = rls2__field_text(u->r, from, "seed");
    if (u->r->status != RLS2_OK) return u->r->status;
    if (strlen(seed) != 16 || strspn(seed, "0123456789abcdef") != 16)
        return rls2__container_fail(u->file, RLS2_ERR_SYNTAX,
                                    "the description: 'seed' is not 16 hexadecimal digits");
    stats->seed = strtoull(seed, NULL, 16);
    static const char *const rules[] = {"cells", "number", NULL};
    stats->parts_by_number = u->file->version < 2 || rls2__field_word(u->r, from, "by", rules) == 1;
    return u->r->status;
}

/* What class weights make of rows, where there are some. */
static rls2_status read_factors(unpacker *u)
{
    rls2__array_view view;
    int64_t classes = u->encoder->has_classes ? u->encoder->label_count : 0;
    if (!json_object_get(u->file->header, "class.weights")) return RLS2_OK;
    if (classes == 0)
        return rls2__container_fail(u->file, RLS2_ERR_VALUE,
                                    "class.weights of rows that have no classes");
    rls2_status status = find(u, "class.weights", "F64", -1, classes, &view);
    if (status != RLS2_OK) return status;
    double *factors = rls2__alloc(classes, sizeof *factors);
    if (!factors) return rls2__fail_memory(u->file->err, "the weights of classes");
    u->stats->factors = factors;
    rls2__read_doubles(view.data, classes, factors);
    for (int64_t k = 0; k < classes; k++)
        if (!isfinite(factors[k]) || !(factors[k] > 0.0))
            return rls2__container_fail(u->file, RLS2_ERR_VALUE,
                                        "class.weights: element %" PRId64 " is not positive", k);
    return RLS2_OK;
}

/* Rows are weighed by a column, by their classes or not at all. (Files of version 1, and what was
 * merged of them, do not have the weights of classes: rows then seem to have none.) */
static rls2_status check_weighted(const unpacker *u)
{
    int weighted = u->encoder->weight != NULL || u->stats->factors != NULL;
    if (!weighted || u->stats->counts->is_weighted) return RLS2_OK;
    return rls2__container_fail(u->file, RLS2_ERR_VALUE, "weights of rows that have none");
}

static rls2_status check_whole(const unpacker *u)
{
    if (u->stats->parts != u->parts && (u->stats->parts != 0 || u->parts != 1))
        return rls2__container_fail(u->file, RLS2_ERR_VALUE,
                                    "counts of %" PRId64 " parts where there are %" PRId64,
                                    u->parts, u->stats->parts);
    int64_t there = (int64_t)json_object_size(u->file->header) - 1;
    if (there == u->arrays) return RLS2_OK;
    return rls2__container_fail(u->file, RLS2_ERR_SYNTAX,
                                "%" PRId64 " arrays where %" PRId64 " are needed", there,
                                u->arrays);
}

static rls2_status fill(unpacker *u)
{
    rls2_status status = read_numbers(u);
    if (status == RLS2_OK) status = read_encoding(u);
    if (status == RLS2_OK) status = read_absent(u);
    if (status == RLS2_OK) status = read_axes(u);
    if (status == RLS2_OK) status = read_features(u);
    if (status == RLS2_OK) status = read_factors(u);
    if (status == RLS2_OK) status = read_counts(u);
    if (status == RLS2_OK) status = check_weighted(u);
    if (status == RLS2_OK) status = rls2__unpack_table(u->r, &u->arrays, &u->stats->table);
    if (status == RLS2_OK)
        status = rls2__unpack_sample(u->r, u->stats->table, u->encoder, &u->preparation, &u->arrays,
                                     &u->stats->sample);
    return status == RLS2_OK ? check_whole(u) : status;
}

static rls2_status build(rls2__describer *r, rls2_stats **stats)
{
    unpacker u = {.r = r, .file = r->container};
    u.stats = rls2__alloc_zero(1, sizeof *u.stats);
    if (!u.stats) return rls2__fail_memory(u.file->err, "the statistics");
    rls2_status status = fill(&u);
    rls2__encoder_release(u.encoder);
    rls2__preparation_release(&u.preparation);
    if (status == RLS2_OK)
        *stats = u.stats;
    else
        rls2__stats_free(u.stats);
    return status;
}

rls2_status rls2__stats_unpack(const char *name, const unsigned char *bytes, int64_t length,
                               rls2_stats **stats, rls2_error *err)
{
    rls2__container file;
    rls2__describer reader = {.container = &file, .arena = rls2__arena_create()};
    rls2_status status = rls2__container_open(&rls2__stats_kind, name, bytes, length, &file, err);
    if (status == RLS2_OK && !reader.arena) status = rls2__fail_memory(err, "the statistics");
    if (status == RLS2_OK) status = build(&reader, stats);
    rls2__container_close(&file);
    rls2__arena_free(reader.arena);
    return status;
}
