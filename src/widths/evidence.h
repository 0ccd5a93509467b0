/* How well a width for each column, a signal and a noise explain responses, with its gradient. */
#ifndef RLS2_WIDTHS_EVIDENCE_H
#define RLS2_WIDTHS_EVIDENCE_H

#include <stdint.h>

#include "rls2/status.h"

/* Parameters are the logarithms of p widths, of the signal and of the noise. */
enum { RLS2__EVIDENCE_OTHERS = 2 };

typedef struct rls2__evidence {
    int64_t n, p, outputs;
    double *x;     /* n x p, standardised */
    double *y;     /* n x outputs, likewise */
    double *noise; /* n: of each row, as a multiple of the noise */
    /* own */
    double *scaled, *K, *C, *a, *sums, *products;
    void *block; /* all of these arrays */
} rls2__evidence;

/* Room, x, y and noise not initialised. RLS2_ERR_MEMORY only. */
rls2_status rls2__evidence_create(int64_t n, int64_t p, int64_t outputs, rls2__evidence *evidence);
void rls2__evidence_release(rls2__evidence *evidence);

/* Where a search begins: all widths 1 / 2p. */
void rls2__evidence_start(const rls2__evidence *evidence, double *parameters);
/* Minus the logarithm of the density of the responses, but for its constant, and of that of the
 * parameters beforehand; gradient: p + 2. NaN where the matrix is not positive definite in double
 * precision. To be called between rls2__la_enter and rls2__la_leave. O(n^3 + n^2 p)  [MATH.md, H1]
 */
double rls2__evidence_evaluate(rls2__evidence *evidence, const double *parameters,
                               double *gradient);

#endif
