/* Makes a basis from kernels and rows. */
#include "basis/basis.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "basis/basis_build.h"
#include "basis/basis_operators.h"
#include "basis/basis_scalings.h"
#include "basis/operator.h"
#include "basis/rows_check.h"

static rls2_status copy_rows(const rls2_rows *train, rls2_basis *basis, rls2_error *err)
{
    int64_t n = train->n, ldx = train->ldx ? train->ldx : n;
    basis->x = rls2__alloc_streamed(rls2__mul(n, train->p), sizeof(double));
    if (!basis->x) return rls2__fail_memory(err, "the training rows");
    for (int64_t j = 0; j < train->p; j++)
        memcpy(basis->x + j * n, train->x + j * ldx, (size_t)n * sizeof(double));
    basis->rows = *train;
    basis->rows.given_diagonal = NULL; /* the matrices have diagonals of their own */
    basis->rows.x = basis->x;
    basis->rows.ldx = n;
    if (rls2__symmetric_make(basis->dictionary, &basis->rows, &basis->symmetric) != RLS2_OK)
        return rls2__fail_memory(err, "the given matrices");
    return RLS2_OK;
}

static int has_single_column(const rls2_basis *basis)
{
    for (int64_t k = 0; k < basis->m; k++) {
        const rls2__kernel *kernel = &basis->dictionary->kernels[k];
        if (kernel->kind == RLS2__KERNEL_LINEAR && kernel->column_count == 1) return 1;
    }
    return 0;
}

rls2_status rls2__basis_weigh(rls2_basis *basis, const double *weights, rls2_error *err)
{
    int64_t n = basis->n, p = basis->rows.p;
    if (!weights) return RLS2_OK;
    rls2__invariant(rls2__is_positive(n, weights));
    basis->weights = rls2__alloc(n, sizeof(double));
    basis->roots = rls2__alloc(n, sizeof(double));
    if (!basis->weights || !basis->roots) return rls2__fail_memory(err, "the weights");
    memcpy(basis->weights, weights, (size_t)n * sizeof(double));
    for (int64_t i = 0; i < n; i++) basis->roots[i] = sqrt(weights[i]);
    if (!has_single_column(basis)) return RLS2_OK;
    /* all columns side by side, so that one product still serves all kernels of one column */
    basis->weighted = rls2__alloc_streamed(rls2__mul(n, p), sizeof(double));
    if (!basis->weighted) return rls2__fail_memory(err, "the weighted rows");
    for (int64_t j = 0; j < p; j++)
        for (int64_t i = 0; i < n; i++)
            basis->weighted[j * n + i] = basis->roots[i] * basis->x[j * n + i];
    return RLS2_OK;
}

rls2_status rls2__basis_find_sparse(rls2_basis *basis, rls2_error *err)
{
    if (!has_single_column(basis)) return RLS2_OK;
    const double *x = basis->weighted ? basis->weighted : basis->x;
    rls2_status status = rls2__sparse_create(basis->n, basis->rows.p, x, &basis->sparse);
    return status == RLS2_OK ? status : rls2__fail_memory(err, "the sparse columns");
}

int rls2__basis_depends_on_rows(const rls2_dictionary *dictionary)
{
    for (int64_t k = 0; k < dictionary->m; k++)
        if (dictionary->kernels[k].kind == RLS2__KERNEL_SPLINE || dictionary->kernels[k].learns)
            return 1;
    return 0;
}

static rls2_status fit_kernels(rls2_basis *basis, rls2_error *err)
{
    basis->kernels = rls2__alloc(basis->m, sizeof(rls2__kernel));
    if (!basis->kernels) return rls2__fail_memory(err, "the kernels");
    for (int64_t k = 0; k < basis->m; k++) {
        basis->kernels[k] = basis->dictionary->kernels[k];
        rls2__kernel_fit(&basis->kernels[k], &basis->rows);
    }
    return RLS2_OK;
}

rls2_basis *rls2__basis_start(const rls2_dictionary *dictionary, int64_t n,
                              const rls2_basis_options *options)
{
    rls2_basis *basis = rls2__alloc_zero(1, sizeof *basis);
    if (!basis) return NULL;
    basis->dictionary = dictionary;
    basis->n = n;
    basis->m = dictionary->m;
    basis->rule = options->scaling;
    basis->center = options->center != 0;
    basis->transductive = options->transductive != NULL;
    basis->skip_degenerate = options->skip_degenerate != 0;
    basis->rank_tol = options->rank_tol;
    basis->memory = options->memory;
    basis->s = rls2__alloc(basis->m, sizeof(double));
    if (basis->s) return basis;
    rls2__basis_destroy(basis);
    return NULL;
}

static rls2_status build_operator(const void *from, rls2_basis *basis, int64_t k,
                                  rls2__build_room *room)
{
    (void)from;
    return rls2__basis_evaluate(basis, k, room);
}

/* Given matrices are positive semi-definite within a tolerance only. */
static void note_indefinite(rls2_basis *basis)
{
    for (int64_t k = 0; k < basis->m; k++) {
        const rls2__kernel *kernel = &basis->kernels[k];
        if (kernel->kind == RLS2__KERNEL_GIVEN)
            basis->ops[k].below = rls2__given_below(basis->n, basis->rows.given[kernel->given]);
    }
}

rls2_status rls2__basis_build(const rls2_dictionary *dictionary, const rls2_rows *train,
                              const rls2_basis_options *options, const rls2_control *control,
                              rls2_basis **out, rls2_error *err)
{
    rls2__effort effort;
    rls2__effort_begin(control, "kernels", dictionary->m, &effort);
    rls2_basis *basis = rls2__basis_start(dictionary, train->n, options);
    if (!basis) return rls2__fail_memory(err, "the basis");
    rls2_status status = copy_rows(train, basis, err);
    if (status == RLS2_OK) status = rls2__basis_weigh(basis, options->row_weights, err);
    if (status == RLS2_OK) status = rls2__basis_find_sparse(basis, err);
    if (status == RLS2_OK) status = fit_kernels(basis, err);
    if (status == RLS2_OK)
        status =
            rls2__scalings(&effort, basis->m, basis->kernels, &basis->rows, options, basis->s, err);
    if (status == RLS2_OK)
        status = rls2__basis_make_operators(&effort, basis, options, build_operator, NULL, err);
    if (status == RLS2_OK) note_indefinite(basis);
    if (status == RLS2_OK)
        *out = basis;
    else
        rls2__basis_destroy(basis);
    return status;
}

static void free_rows(rls2_basis *basis)
{
    for (int64_t g = 0; basis->given && g < basis->rows.given_count; g++)
        rls2__free(basis->given[g]);
    rls2__free(basis->given);
    rls2__symmetric_free(&basis->symmetric);
    rls2__free(basis->x);
    rls2__free(basis->weighted);
    rls2__sparse_free(basis->sparse);
    rls2__free(basis->weights);
    rls2__free(basis->roots);
    rls2__free(basis->kernels);
}

void rls2__basis_destroy(rls2_basis *basis)
{
    if (!basis) return;
    for (int64_t k = 0; basis->ops && k < basis->m; k++) rls2__operator_free(&basis->ops[k]);
    rls2__free(basis->ops);
    rls2__free(basis->s);
    if (!basis->lender) free_rows(basis);
    rls2__free(basis);
}

int64_t rls2__basis_rank(const rls2_basis *basis, int64_t count, const int64_t *ks)
{
    int64_t rank = 0;
    for (int64_t i = 0; i < count; i++) {
        const rls2__operator *op = &basis->ops[ks[i]];
        if (!op->factor) return INT64_MAX;
        rank += op->rank;
    }
    return rank;
}

int rls2__basis_is_low(const rls2_basis *basis, int64_t count, const int64_t *ks)
{
    int64_t rank = rls2__basis_rank(basis, count, ks);
    return rank > 0 && rank <= basis->n / 3;
}
