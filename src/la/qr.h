/* QR of a tall matrix: A = QS, A n x k with n well above k.
 *
 * Rows are taken in blocks, each of which is annihilated against a triangle by Householder
 * reflections, and the blocks are shared among a few strands, whose triangles are merged at the
 * end. Both are cut by sizes alone, so that the bits are the same for any number of threads. Q is
 * kept as its reflections: n k values, which is what A takes.
 *
 * The triangles begin as zeros, which makes no step special: Q belongs to A with k rows of zeros
 * above it for each strand. A vector of n values is therefore `lifted` by as many zeros before Q is
 * applied to it, and an orthogonal map of what is lifted it remains, whatever the rank of A. */
#ifndef RLS2_LA_QR_H
#define RLS2_LA_QR_H

#include "base/effort.h"
#include "rls2/status.h"

typedef struct rls2__qr rls2__qr;

/* columns[k] point to n values each. RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK. */
rls2_status rls2__qr_create(rls2__effort *effort, int64_t n, int64_t k,
                            const double *const *columns, rls2__qr **out);
void rls2__qr_free(rls2__qr *qr);

/* S, k x k by columns, zero below its diagonal. */
const double *rls2__qr_triangle(const rls2__qr *qr);

/* Values of a lifted vector; of these the first k become Q'x, the coordinates in the span of A, and
 * the last n were x. */
int64_t rls2__qr_length(const rls2__qr *qr);
/* x = Q'x and x = Qx, lifted. RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK. */
rls2_status rls2__qr_apply_t(rls2__effort *effort, const rls2__qr *qr, double *x);
rls2_status rls2__qr_apply(rls2__effort *effort, const rls2__qr *qr, double *x);

/* ---- triangles alone ---- */

/* T, k x k by columns, zero below its diagonal, becomes the triangle of [T; B], whose reflections
 * take the place of B, height x k. work: rls2__triangle_work(k) values. */
int64_t rls2__triangle_work(int64_t k);
void rls2__triangle_add(int64_t k, double *T, int64_t height, double *B, double *work);
/* The same for another such triangle, of which half the work is known to be zero. */
void rls2__triangle_merge(int64_t k, double *T, double *other, double *work);

#endif
