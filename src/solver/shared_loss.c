/* Sums over outputs of what loss.c and multinomial.c know of each. */
#include "solver/shared_loss.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "la/la.h"
#include "solver/path.h"
#include "solver/solver.h"

/* Each output has a loss of its own. */
static rls2_status create_apart(rls2_loss loss, const double *y, rls2__joint_loss *it)
{
    it->of = rls2__alloc(it->outputs, sizeof *it->of);
    if (!it->of) return RLS2_ERR_MEMORY;
    for (int64_t o = 0; o < it->outputs; o++)
        it->of[o] = rls2__row_loss_of(loss, it->n, y + o * it->n, it->roots);
    if (!rls2__loss_has_kinks(&it->of[0])) return RLS2_OK;
    it->centre = rls2__alloc_zero(rls2__mul(it->n, it->outputs), sizeof(double));
    if (!it->centre) return RLS2_ERR_MEMORY;
    for (int64_t o = 0; o < it->outputs; o++) it->of[o].centre = it->centre + o * it->n;
    return RLS2_OK;
}

rls2_status rls2__joint_loss_create(rls2_loss loss, int64_t outputs, int64_t n, const double *y,
                                    const double *roots, rls2__joint_loss *it)
{
    *it = (rls2__joint_loss){.outputs = outputs, .n = n, .roots = roots};
    it->coupled = loss.kind == RLS2_LOSS_MULTINOMIAL;
    rls2_status status = it->coupled
                             ? rls2__multinomial_create(outputs, n, y, roots, &it->multinomial)
                             : create_apart(loss, y, it);
    if (status != RLS2_OK) rls2__joint_loss_free(it);
    return status;
}

void rls2__joint_loss_free(rls2__joint_loss *it)
{
    rls2__multinomial_free(&it->multinomial);
    rls2__free(it->of);
    rls2__free(it->centre);
    memset(it, 0, sizeof *it);
}

double rls2__joint_loss_sum(rls2__joint_loss *it, const double *f, const double *b)
{
    if (it->coupled) return rls2__multinomial_sum(&it->multinomial, f, b);
    double sum = 0.0;
    for (int64_t o = 0; o < it->outputs; o++)
        sum += rls2__loss_sum(&it->of[o], f + o * it->n, b[o]);
    return sum;
}

void rls2__joint_loss_bend(rls2__joint_loss *it, const double *f, const double *b, double *slope,
                           double *root)
{
    int64_t n = it->n;
    if (it->coupled) {
        rls2__multinomial_bend(&it->multinomial, f, b, slope, root);
        return;
    }
    for (int64_t o = 0; o < it->outputs; o++)
        rls2__loss_bend(&it->of[o], f + o * n, b[o], slope + o * n, root + o * n);
}

void rls2__joint_loss_constant(rls2__joint_loss *it, const double *f, int exact, double *b)
{
    if (it->coupled) {
        rls2__multinomial_constant(&it->multinomial, f, b);
        return;
    }
    for (int64_t o = 0; o < it->outputs; o++) {
        rls2__row_loss one = it->of[o];
        if (exact) one.delta = 0.0;
        b[o] = rls2__loss_constant(&one, f + o * it->n, b[o]);
    }
}

double rls2__joint_loss_project(rls2__joint_loss *it, double lambda, int free_intercept, double *c)
{
    if (it->coupled) return rls2__multinomial_project(&it->multinomial, lambda, free_intercept, c);
    double moved = 0.0;
    for (int64_t o = 0; o < it->outputs; o++)
        moved = fmax(moved, rls2__loss_project(&it->of[o], lambda, free_intercept, c + o * it->n));
    return moved;
}

static void add_young(rls2__young *sum, const rls2__young *one)
{
    sum->loss += one->loss;
    sum->gap += one->gap;
    sum->size += one->size;
    sum->unbent = hypot(sum->unbent, one->unbent);
    sum->curvature = fmax(sum->curvature, one->curvature);
    sum->jump = fmax(sum->jump, one->jump);
    sum->envelope += one->envelope;
}

/* |e'c_o| (|b_o| + max_i |f_io|) of one output */
static double unbalanced(const rls2__joint_loss *it, const double *c, const double *f, double b)
{
    double sum = 0.0, size = 0.0;
    for (int64_t i = 0; i < it->n; i++) {
        double e = it->roots ? it->roots[i] : 1.0;
        sum += e * c[i];
        size = fmax(size, fabs(f[i] / e));
    }
    return fabs(sum) * (fabs(b) + size);
}

rls2__young rls2__joint_loss_young(rls2__joint_loss *it, double lambda, const double *c,
                                   const double *f, const double *b)
{
    rls2__young sum = {0};
    if (it->coupled) sum = rls2__multinomial_young(&it->multinomial, lambda, c, f, b);
    for (int64_t o = 0; o < it->outputs && !it->coupled; o++) {
        int64_t at = o * it->n;
        rls2__young one = rls2__loss_young(&it->of[o], lambda, c + at, f + at, b[o]);
        add_young(&sum, &one);
    }
    sum.unbalanced = 0.0;
    for (int64_t o = 0; o < it->outputs; o++)
        sum.unbalanced += unbalanced(it, c + o * it->n, f + o * it->n, b[o]);
    return sum;
}

void rls2__joint_loss_widen(rls2__joint_loss *it, double width)
{
    for (int64_t o = 0; o < it->outputs; o++) it->of[o].delta = width * it->of[o].spread;
}

void rls2__joint_loss_recentre(rls2__joint_loss *it, double lambda, const double *c)
{
    for (int64_t o = 0; o < it->outputs; o++)
        rls2__loss_recentre(&it->of[o], lambda, c + o * it->n);
}

/* ---- where a path begins ---- */

/* Of p (1 - p), over rows and outputs; root holds the roots of p. */
static double mean_curvature(const rls2__joint_loss *it, const double *root)
{
    double total = 0.0, sum = 0.0;
    for (int64_t o = 0; o < it->outputs; o++)
        for (int64_t i = 0; i < it->n; i++) {
            double e = it->roots ? it->roots[i] : 1.0, p = root[o * it->n + i];
            total += e * e;
            sum += e * e * p * p * (1.0 - p * p);
        }
    return sum / total;
}

static double null_multinomial(const rls2_basis *basis, int64_t outputs, const double *y,
                               const rls2_path_options *options, double *constants, double *out)
{
    int64_t size = rls2__mul(basis->n, outputs);
    double curvature = -1.0;
    rls2__joint_loss loss;
    double *root = rls2__alloc(size, sizeof(double));
    rls2_status status =
        rls2__joint_loss_create(options->loss, outputs, basis->n, y, basis->roots, &loss);
    if (!root || status != RLS2_OK) goto cleanup;
    memset(out, 0, (size_t)size * sizeof(double));
    memset(constants, 0, (size_t)outputs * sizeof(double));
    if (options->intercept != RLS2_INTERCEPT_NONE)
        rls2__multinomial_null(&loss.multinomial, constants);
    /* out is f until it is the slope, row by row */
    rls2__joint_loss_bend(&loss, out, constants, out, root);
    for (int64_t i = 0; i < size; i++) out[i] = -out[i];
    curvature = mean_curvature(&loss, root);
cleanup:
    rls2__joint_loss_free(&loss);
    rls2__free(root);
    return curvature;
}

/* Each response less its mean or nothing, as the paths have them. */
static void null_square(const rls2_basis *basis, int64_t outputs, const double *y,
                        const rls2_path_options *options, double *constants, double *out)
{
    int64_t n = basis->n;
    for (int64_t o = 0; o < outputs; o++) {
        constants[o] = rls2__intercept(options->intercept, n, y + o * n, basis->weights);
        rls2__weigh_response(basis, y + o * n, constants[o], out + o * n);
    }
}

double rls2__null_responses(const rls2_basis *basis, int64_t outputs, const double *y,
                            const rls2_path_options *options, double *constants, double *out)
{
    int64_t n = basis->n;
    double sum = 0.0;
    if (options->loss.kind == RLS2_LOSS_MULTINOMIAL)
        return null_multinomial(basis, outputs, y, options, constants, out);
    if (!rls2__is_general(options)) {
        null_square(basis, outputs, y, options, constants, out);
        return 1.0;
    }
    for (int64_t o = 0; o < outputs; o++)
        sum += rls2__null_response(basis, y + o * n, options, &constants[o], out + o * n);
    return sum / (double)outputs;
}

/* Of row i. */
static double null_row(rls2_loss loss, int64_t outputs, int64_t n, const double *y,
                       const double *constants)
{
    double sum = 0.0, odds = 0.0, own = 0.0;
    for (int64_t o = 0; o < outputs; o++) {
        odds += exp(constants[o]);
        if (y[o * n] > 0.0) own = constants[o];
        sum += rls2_loss_value(loss, y[o * n], constants[o]);
    }
    return loss.kind == RLS2_LOSS_MULTINOMIAL ? log(odds) - own : sum;
}

double rls2__null_sum(const rls2_basis *basis, rls2_loss loss, int64_t outputs, const double *y,
                      const double *constants)
{
    double sum = 0.0;
    for (int64_t i = 0; i < basis->n; i++) {
        double weight = basis->weights ? basis->weights[i] : 1.0;
        sum += weight * null_row(loss, outputs, basis->n, y + i, constants);
    }
    return sum;
}
