/* A minimum of a smooth function of many numbers, by few evaluations. */
#ifndef RLS2_WIDTHS_DESCENT_H
#define RLS2_WIDTHS_DESCENT_H

#include <stdint.h>

/* The value at x[count], and its gradient; not finite where it has none, or where the search is to
 * end: gradient is then not looked at. */
typedef double (*rls2__smooth_fn)(void *user, const double *x, double *gradient);

typedef struct rls2__descent {
    int64_t count;
    rls2__smooth_fn function;
    void *user;
    int64_t evaluations; /* at most */
    double tol;          /* it ends where a step gains no more than this */
} rls2__descent;

/* Doubles of work that are needed for so many numbers; -1 where that overflows. */
int64_t rls2__descent_work(int64_t count);
/* From x to the best point found, and returns its value: no more than that at x. */
double rls2__descend(const rls2__descent *it, double *x, double *work);

#endif
