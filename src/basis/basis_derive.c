/* A basis made of another: the same rows scaled for other labels, or some of the rows.
 *
 * Values once computed are used again, R_new = (s_new / s_old) R_old, by way of an operator's
 * scale. Scalings that need sums over all pairs of rows (centred trace, Fisher) are taken from the
 * values too: from a factor F as the sum of the variances of its columns, which does not cancel,
 * from a triangle by its entries. Only a kernel that is a zero operator in the old basis is
 * evaluated, and one that is nearly constant or of low rank by a loose tolerance, of which the
 * values do not know enough. */
#include "basis/basis_derive.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "basis/basis_build.h"
#include "basis/basis_operators.h"
#include "basis/basis_scalings.h"
#include "basis/operator.h"
#include "basis/operator_recomputed.h"
#include "basis/operator_take.h"
#include "basis/scaling.h"

typedef struct triangle triangle;

typedef struct derivation {
    const rls2_basis *whole;
    const rls2_basis *basis; /* in the making */
    const rls2_basis_options *options;
    const int64_t *rows;   /* those taken; NULL: all, in their order */
    const double *unroots; /* n of the new: 1 / roots of the old; NULL where it has no weights */
    const double *ratios;  /* n of the new: root of the new weight / root of the old; NULL where
                              neither has weights */
    double coarse;         /* what 32 bits may add to the slack of a triangle */
    triangle *triangles;   /* m: for scalings, of the stored ones */
} derivation;

/* Widths learned from the rows taken: what is stored is of no use. */
static int is_learned_anew(const derivation *it, int64_t k)
{
    return it->basis->kernels[k].widths != it->whole->kernels[k].widths;
}

static int64_t row_of(const derivation *it, int64_t a)
{
    return it->rows ? it->rows[a] : a;
}

static double unroot_of(const derivation *it, int64_t a)
{
    return it->unroots ? it->unroots[a] : 1.0;
}

/* ---- scalings from what is stored ---- */

static int is_fisher(rls2_scaling rule)
{
    return rule == RLS2_SCALING_FISHER || rule == RLS2_SCALING_FISHER_SQRT;
}

/* What the rule divides by in each class, or 1. */
static void class_divisors(const derivation *it, double divisors[2])
{
    const rls2_basis_options *options = it->options;
    divisors[0] = divisors[1] = is_fisher(options->scaling) ? 0.0 : 1.0;
    if (!is_fisher(options->scaling)) return;
    for (int64_t a = 0; a < it->basis->n; a++)
        divisors[options->labels[a] > 0.0] += options->row_weights ? options->row_weights[a] : 1.0;
}

static double squares_of(const derivation *it, const double *x, const double divisors[2])
{
    const rls2_basis_options *options = it->options;
    double total = 0.0;
    for (int64_t a = 0; a < it->basis->n; a++) {
        double divisor = divisors[is_fisher(options->scaling) && options->labels[a] > 0.0];
        total += (options->row_weights ? options->row_weights[a] : 1.0) * x[a] * x[a] / divisor;
    }
    return total;
}

static double factor_denominator(const derivation *it, const rls2__operator *op, double *work,
                                 double *scale)
{
    const rls2_basis_options *options = it->options;
    int64_t n = it->basis->n;
    double total = 0.0, divisors[2];
    *scale = 0.0;
    class_divisors(it, divisors);
    for (int64_t t = 0; t < op->rank; t++) {
        const double *column = op->factor + t * it->whole->n;
        for (int64_t a = 0; a < n; a++) work[a] = unroot_of(it, a) * column[row_of(it, a)];
        total += is_fisher(options->scaling)
                     ? rls2__within_class_variance(n, work, options->labels, options->row_weights)
                     : rls2__centred_squares(n, work, options->row_weights);
        *scale += squares_of(it, work, divisors);
    }
    return total;
}

/* A triangle and the rows that are taken of it. */
struct triangle {
    const derivation *it;
    const double *packed;
};

static void triangle_column(const void *from, int64_t j, double *out)
{
    const triangle *t = from;
    const derivation *it = t->it;
    for (int64_t i = j; i < it->basis->n; i++)
        out[i - j] = unroot_of(it, i) * unroot_of(it, j) *
                     rls2__packed_entry(it->whole->n, t->packed, row_of(it, i), row_of(it, j));
}

/* Does the rule need all pairs of rows, and is the kernel one whose pairs cost something? */
static int uses_stored(const derivation *it, int64_t k)
{
    const rls2_basis_options *options = it->options;
    const rls2__kernel *kernel = &it->whole->kernels[k];
    int pairs = is_fisher(options->scaling) || (options->scaling == RLS2_SCALING_TRACE &&
                                                options->center && !options->transductive);
    int computed = kernel->kind != RLS2__KERNEL_LINEAR && kernel->kind != RLS2__KERNEL_GIVEN;
    int stored = !rls2__operator_is_recomputed(&it->whole->ops[k]);
    return pairs && computed && stored && it->whole->s[k] > 0.0 && !is_learned_anew(it, k);
}

/* What a factor leaves out has the trace `slack` at most: is the denominator right to twelve digits
 * all the same? */
static int is_precise(const derivation *it, const rls2__operator *op, double denominator)
{
    double divisors[2];
    class_divisors(it, divisors);
    double least = divisors[0] > 0.0 && divisors[1] > 0.0 ? fmin(divisors[0], divisors[1])
                                                          : fmax(divisors[0], divisors[1]);
    return op->slack <= 1e-12 * denominator * op->scale * least;
}

/* Of the stored values, where they know it well enough. */
static int is_known(const derivation *it, int64_t k, double scaled, double scale,
                    rls2__denominator *d)
{
    const rls2__operator *op = &it->whole->ops[k];
    if (rls2__is_nearly_constant(scaled, scale) || !is_precise(it, op, scaled)) return 0;
    *d = (rls2__denominator){.value = scaled * (op->scale / it->whole->s[k])};
    return 1;
}

static void begin_anew(const derivation *it, int64_t k, double *work, rls2__denominator *d)
{
    rls2__denominator_begin(&it->basis->kernels[k], &it->basis->rows, it->options, work, d);
}

static void begin_denominator(const void *from, int64_t k, double *work, rls2__denominator *d)
{
    const derivation *it = from;
    const rls2__operator *op = &it->whole->ops[k];
    if (uses_stored(it, k) && op->factor) {
        double scale, scaled = factor_denominator(it, op, work, &scale);
        if (is_known(it, k, scaled, scale, d)) return;
    } else if (uses_stored(it, k)) {
        it->triangles[k] = (triangle){it, op->packed};
        *d = (rls2__denominator){.open = 1,
                                 .job = {.kernel = &it->basis->kernels[k],
                                         .train = &it->basis->rows,
                                         .options = it->options,
                                         .column = triangle_column,
                                         .from = &it->triangles[k]}};
        return;
    }
    begin_anew(it, k, work, d);
}

static void finish_denominator(const void *from, int64_t k, const rls2__pair_sums *parts,
                               double *work, rls2__denominator *d)
{
    const derivation *it = from;
    if (!d->job.column) {
        rls2__denominator_finish(parts, d);
        return;
    }
    double scale, scaled = rls2__pair_difference(&d->job, parts, &scale);
    if (!is_known(it, k, scaled, scale, d)) begin_anew(it, k, work, d);
}

static rls2_status scale_derived(rls2__effort *effort, const derivation *from, rls2_basis *basis,
                                 rls2_error *err)
{
    derivation it = *from;
    it.triangles = rls2__alloc(basis->m, sizeof *it.triangles);
    if (!it.triangles) return rls2__fail_memory(err, "the scalings");
    const rls2__denominators by = {begin_denominator, finish_denominator, &it};
    rls2_status status = rls2__scalings_by(effort, basis->m, basis->kernels, basis->n, it.options,
                                           &by, basis->s, err);
    rls2__free(it.triangles);
    return status;
}

/* ---- other labels ---- */

static rls2_status share_operator(const void *from, rls2_basis *basis, int64_t k,
                                  rls2__build_room *room)
{
    const derivation *it = from;
    if (basis->s[k] == 0.0 || it->whole->s[k] == 0.0) return rls2__basis_evaluate(basis, k, room);
    double ratio = basis->s[k] / it->whole->s[k];
    rls2__invariant(ratio > 0.0);
    rls2__operator *op = &basis->ops[k];
    *op = it->whole->ops[k];
    op->owned = NULL;
    op->bytes = 0;
    op->scale *= ratio;
    op->trace *= ratio;
    op->norm *= ratio;
    op->slack = ratio * op->slack +
                2.0 * DBL_EPSILON * op->norm; /* the ratio and its product are rounded */
    return rls2__trace_is_usable(op->trace) ? RLS2_OK : RLS2_ERR_VALUE;
}

static void borrow_rows(const rls2_basis *lender, rls2_basis *basis)
{
    basis->lender = lender;
    basis->rows = lender->rows;
    basis->x = lender->x;
    basis->kernels = lender->kernels;
    basis->weights = lender->weights;
    basis->roots = lender->roots;
    basis->weighted = lender->weighted;
    basis->sparse = lender->sparse;
    basis->given = lender->given;
}

/* No principal submatrix has an eigenvalue below those of the whole. */
static void inherit_indefinite(const rls2_basis *whole, rls2_basis *basis)
{
    for (int64_t k = 0; k < basis->m; k++) basis->ops[k].below = whole->ops[k].below;
}

rls2_status rls2__basis_rescale(const rls2_basis *whole, const double *labels,
                                const rls2_control *control, rls2_basis **out, rls2_error *err)
{
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.scaling = whole->rule;
    options.labels = labels;
    options.row_weights = whole->weights;
    options.skip_degenerate = whole->skip_degenerate;
    options.rank_tol = whole->rank_tol;
    options.memory = whole->memory;
    rls2__effort effort;
    rls2__effort_begin(control, "kernels", whole->m, &effort);
    rls2_basis *basis = rls2__basis_start(whole->dictionary, whole->n, &options);
    double *unroots = whole->roots ? rls2__alloc(whole->n, sizeof(double)) : NULL;
    rls2_status status = RLS2_OK;
    if (!basis || (whole->roots && !unroots)) status = rls2__fail_memory(err, "the basis");
    for (int64_t i = 0; unroots && i < whole->n; i++) unroots[i] = 1.0 / whole->roots[i];
    if (status == RLS2_OK) {
        const derivation it = {
            .whole = whole, .basis = basis, .options = &options, .unroots = unroots};
        borrow_rows(whole, basis);
        status = scale_derived(&effort, &it, basis, err);
        if (status == RLS2_OK)
            status = rls2__basis_make_operators(&effort, basis, &options, share_operator, &it, err);
    }
    rls2__free(unroots);
    if (status == RLS2_OK) inherit_indefinite(whole, basis);
    if (status == RLS2_OK)
        *out = basis;
    else
        rls2__basis_destroy(basis);
    return status;
}

/* ---- some rows ---- */

static rls2_status take_given(rls2__effort *effort, const rls2_basis *whole, int64_t g,
                              const int64_t *rows, rls2_basis *basis)
{
    int64_t n = basis->n;
    if (basis->given[g]) return RLS2_OK;
    double *copy = basis->given[g] = rls2__alloc(rls2__mul(n, n), sizeof(double));
    if (!copy) return RLS2_ERR_MEMORY;
    for (int64_t j = 0; j < n && !rls2__effort_stopped(effort); j++)
        for (int64_t i = 0; i < n; i++)
            copy[j * n + i] = whole->rows.given[g][rows[j] * whole->n + rows[i]];
    return rls2__effort_status(effort);
}

/* x, the given matrices the dictionary names, and the kernels as fitted to the whole. */
static rls2_status take_rows(rls2__effort *effort, const rls2_basis *whole, const int64_t *rows,
                             rls2_basis *basis, rls2_error *err)
{
    int64_t n = basis->n, p = whole->rows.p;
    rls2_status status = RLS2_OK;
    rls2__invariant(rls2__is_within(n, rows, whole->n));
    basis->rows = (rls2_rows){.n = n, .p = p, .ldx = n, .given_count = whole->rows.given_count};
    basis->rows.x = basis->x = rls2__alloc_streamed(rls2__mul(n, p), sizeof(double));
    basis->kernels = rls2__alloc(basis->m, sizeof *basis->kernels);
    basis->given = rls2__alloc_zero(whole->rows.given_count, sizeof *basis->given);
    basis->rows.given = (const double *const *)basis->given;
    if (!basis->x || !basis->kernels || !basis->given)
        return rls2__fail_memory(err, "the rows of a part");
    for (int64_t j = 0; j < p; j++)
        for (int64_t i = 0; i < n; i++) basis->x[j * n + i] = whole->x[j * whole->n + rows[i]];
    memcpy(basis->kernels, whole->kernels, (size_t)basis->m * sizeof *basis->kernels);
    for (int64_t k = 0; k < basis->m; k++)
        basis->kernels[k].widths = basis->dictionary->kernels[k].widths;
    for (int64_t k = 0; k < basis->m && status == RLS2_OK; k++)
        if (basis->kernels[k].kind == RLS2__KERNEL_GIVEN)
            status = take_given(effort, whole, basis->kernels[k].given, rows, basis);
    if (status == RLS2_ERR_CANCELLED)
        return rls2__fail(err, status, "cancelled while given matrices were copied");
    return status == RLS2_OK ? status : rls2__fail_memory(err, "the given matrices of a part");
}

/* A matrix or column that lies ready is used again as it is, and what is not stored is evaluated:
 * as a triangle, unless it had a factor once. */
static int is_evaluated(const rls2_basis *whole, int64_t k, int64_t max_rank)
{
    const rls2__kernel *kernel = &whole->kernels[k];
    const rls2__operator *op = &whole->ops[k];
    if (kernel->kind == RLS2__KERNEL_GIVEN) return 1;
    if (rls2__operator_is_recomputed(op) && op->rank < whole->n) return 1;
    if (kernel->kind != RLS2__KERNEL_LINEAR) return 0;
    return kernel->column_count == 1 || (op->factor && kernel->column_count <= max_rank);
}

static int is_taken_as_triangle(const rls2__operator *op, int64_t max_rank)
{
    return !op->factor || op->rank > max_rank;
}

static rls2_status take_operator(const void *from, rls2_basis *basis, int64_t k,
                                 rls2__build_room *room)
{
    const derivation *it = from;
    const rls2_basis *whole = it->whole;
    double s = basis->s[k];
    if (rls2__build_room_ready(basis, room) != RLS2_OK) return RLS2_ERR_MEMORY;
    if (s == 0.0 || whole->s[k] == 0.0 || is_learned_anew(it, k) ||
        is_evaluated(whole, k, room->max_rank))
        return rls2__basis_evaluate(basis, k, room);
    const rls2__operator *from_whole = &whole->ops[k];
    double trace = basis->ops[k].trace =
        rls2__weighted_diagonal(&basis->kernels[k], &basis->rows, s, room);
    if (!rls2__trace_is_usable(trace)) return RLS2_ERR_VALUE;
    if (!room->triangles && is_taken_as_triangle(from_whole, room->max_rank)) return RLS2_OK;
    if (rls2__operator_is_recomputed(from_whole)) return rls2__basis_evaluate(basis, k, room);
    return rls2__operator_take(from_whole, whole->n, basis->n, it->rows, it->ratios,
                               s / whole->s[k], trace, it->coarse, room, &basis->ops[k]);
}

static rls2_status compare_roots(const rls2_basis *whole, const int64_t *rows,
                                 const rls2_basis *basis, double *unroots, double *ratios)
{
    if (!unroots || !ratios) return RLS2_ERR_MEMORY;
    for (int64_t a = 0; a < basis->n; a++) {
        unroots[a] = whole->roots ? 1.0 / whole->roots[rows[a]] : 1.0;
        ratios[a] =
            (basis->roots ? basis->roots[a] : 1.0) / (whole->roots ? whole->roots[rows[a]] : 1.0);
    }
    return RLS2_OK;
}

/* How the whole was made, for a part of the same scalings; weights: room for `count` where it has
 * any. */
static rls2_basis_options settings_of(const rls2_basis *whole, int64_t count, const int64_t *rows,
                                      double *weights)
{
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.scaling = whole->rule;
    options.center = whole->center;
    options.skip_degenerate = whole->skip_degenerate;
    options.memory = whole->memory;
    for (int64_t a = 0; weights && a < count; a++) weights[a] = whole->weights[rows[a]];
    options.row_weights = weights;
    return options;
}

/* The rows have been chosen; `kept`: the scalings are those of the whole. */
static rls2_status take(rls2__effort *effort, const derivation *from, int64_t count, int kept,
                        rls2_basis *basis, rls2_error *err)
{
    derivation it = *from;
    const rls2_basis *whole = it.whole;
    double *unroots = NULL, *ratios = NULL;
    rls2_status status = take_rows(effort, whole, it.rows, basis, err);
    if (status == RLS2_OK) status = rls2__basis_weigh(basis, it.options->row_weights, err);
    if (status == RLS2_OK) status = rls2__basis_find_sparse(basis, err);
    if (status == RLS2_OK && (whole->roots || basis->roots)) {
        it.unroots = unroots = rls2__alloc(count, sizeof(double));
        it.ratios = ratios = rls2__alloc(count, sizeof(double));
        if (compare_roots(whole, it.rows, basis, unroots, ratios) != RLS2_OK)
            status = rls2__fail_memory(err, "the weights of a part");
    }
    if (status == RLS2_OK && kept)
        memcpy(basis->s, whole->s, (size_t)basis->m * sizeof(double));
    else if (status == RLS2_OK)
        status = scale_derived(effort, &it, basis, err);
    if (status == RLS2_OK)
        status = rls2__basis_make_operators(effort, basis, it.options, take_operator, &it, err);
    rls2__free(unroots);
    rls2__free(ratios);
    return status;
}

rls2_status rls2__basis_take(const rls2_basis *whole, const rls2_dictionary *dictionary,
                             int64_t count, const int64_t *rows, const rls2_basis_options *options,
                             double coarse, const rls2_control *control, rls2_basis **out,
                             rls2_error *err)
{
    int kept = options == NULL;
    double *weights = kept && whole->weights ? rls2__alloc(count, sizeof(double)) : NULL;
    if (kept && whole->weights && !weights) return rls2__fail_memory(err, "the weights of a part");
    rls2_basis_options used = kept ? settings_of(whole, count, rows, weights) : *options;
    rls2__effort effort;
    rls2__effort_begin(control, "kernels", whole->m, &effort);
    rls2_basis *basis = rls2__basis_start(dictionary, count, &used);
    rls2_status status = basis ? RLS2_OK : rls2__fail_memory(err, "the basis");
    if (status == RLS2_OK) {
        const derivation it = {
            .whole = whole, .basis = basis, .options = &used, .rows = rows, .coarse = coarse};
        basis->rank_tol = whole->rank_tol;
        if (kept && used.scaling == RLS2_SCALING_TRACE)
            basis->transductive = 1; /* over all rows of the whole */
        status = take(&effort, &it, count, kept, basis, err);
        for (int64_t k = 0; k < basis->m && status == RLS2_OK; k++)
            if (basis->ops[k].rounded) basis->coarse = fmax(basis->coarse, basis->ops[k].slack);
    }
    rls2__free(weights);
    if (status == RLS2_OK) inherit_indefinite(whole, basis);
    if (status == RLS2_OK)
        *out = basis;
    else
        rls2__basis_destroy(basis);
    return status;
}
