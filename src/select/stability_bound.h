/* How many inputs stability selection may be wrong about.  [MATH.md, S2] */
#ifndef RLS2_SELECT_STABILITY_BOUND_H
#define RLS2_SELECT_STABILITY_BOUND_H

#include <stdint.h>

/* The search below takes their square: a minute or so for as many. */
enum { RLS2__MOST_PAIRS = 10000 };

/* Of so many halves a stable input is selected by `threshold` of them at least. */
int64_t rls2__stable_from(double threshold, int64_t halves);
/* q^2 / ((2 tau - 1) p). */
double rls2__stability_worst(int64_t limit, int64_t inputs, double threshold);
/* p min(D(theta^2, 2 tau - 1, B, -1/2), D(theta, tau, 2 B, -1/4)), theta = q/p, and no more than
 * the worst case. */
double rls2__stability_likely(int64_t pairs, int64_t limit, int64_t inputs, double threshold);
/* The largest q whose worst case is at most `errors`; at least 1, at most p. */
int64_t rls2__stability_limit(int64_t inputs, double threshold, double errors);

/* The largest P(X >= t) of r-concave distributions on 0, 1, ..., count with mean `mean` at most,
 * where r is -1/2 (fourth = 0) or -1/4 (fourth = 1). */
double rls2__concave_tail(double mean, int64_t t, int64_t count, int fourth);

#endif
