/* Invariants: what the code relies on and the mathematics promises, checked while developing.
 *
 * rls2__invariant(condition) is compiled in where RLS2_INVARIANTS is defined (the CMake option of
 * that name; on in the presets for development). A condition that is false is a mistake in the
 * library, never in its input: file, line and condition are printed and the process aborts. Users
 * get a library without them: there the condition is compiled, so that it stays valid and no
 * variable is unused, but never evaluated. */
#ifndef RLS2_BASE_INVARIANT_H
#define RLS2_BASE_INVARIANT_H

#include <stdint.h>

#ifdef RLS2_INVARIANTS
#define rls2__invariant(condition)                                                                 \
    ((condition) ? (void)0 : rls2__invariant_failed(__FILE__, __LINE__, #condition))
#else
#define rls2__invariant(condition) ((void)sizeof(!(condition)))
#endif

/* Before a function that only invariants of its own file call. */
#define RLS2__CHECK __attribute__((unused)) static

_Noreturn void rls2__invariant_failed(const char *file, int line, const char *condition);

/* The rest is defined only where invariants are checked. Each looks at every element. */

/* Finite, none negative, and of sum 1 but for rounding. */
int rls2__is_on_simplex(int64_t count, const double *d);
/* No infinity and no NaN. */
int rls2__is_finite(int64_t count, const double *x);
/* Finite and above zero. */
int rls2__is_positive(int64_t count, const double *x);
/* Finite or +Inf, and not below zero. */
int rls2__is_nonnegative(int64_t count, const double *x);
/* Each larger than the one before, and in [0, end). */
int rls2__is_ascending(int64_t count, const int64_t *ks, int64_t end);
/* All in [0, end). */
int rls2__is_within(int64_t count, const int64_t *ks, int64_t end);
/* Each in [0, end), none twice: for short lists, as every pair is compared. */
int rls2__is_unique(int64_t count, const int64_t *ks, int64_t end);
/* None larger than the one before. */
int rls2__is_descending(int64_t count, const double *x);
/* The diagonal of a Cholesky factor, leading dimension ld, is finite and above zero. */
int rls2__is_factor(int64_t n, const double *L, int64_t ld);

#endif
