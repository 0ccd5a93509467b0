/* Sums of doubles and of their squares without any rounding, in fixed point: what is added counts,
 * not in which order.
 *
 * A sum is an integer in units of 2^-2272, below the square of the smallest double, of digits of 32
 * bits that lie in signed words of 64: a number is added to the two to six digits it touches, and
 * carries wait for some hundred million additions. It holds 2^63 squares of the largest double.
 * 1.1 KB each. */
#ifndef RLS2_STATS_EXACT_SUM_H
#define RLS2_STATS_EXACT_SUM_H

#include <stdint.h>

enum { RLS2__EXACT_DIGITS = 140, RLS2__EXACT_UNIT = -2272 };

/* All zero: nothing was added. */
typedef struct rls2__exact_sum {
    int64_t digits[RLS2__EXACT_DIGITS]; /* the lowest first */
    int64_t waiting;                    /* additions since carries were taken on */
} rls2__exact_sum;

/* x, or its square, finite, so many times: also a negative number of times. */
void rls2__exact_add(rls2__exact_sum *sum, double x, int64_t times);
void rls2__exact_add_square(rls2__exact_sum *sum, double x, int64_t times);
void rls2__exact_merge(rls2__exact_sum *sum, const rls2__exact_sum *other);

/* Takes carries on: one number has one form then, with digits of 32 bits but the last, which has
 * the sign. And is it in that form? */
void rls2__exact_settle(rls2__exact_sum *sum);
int rls2__exact_is_settled(const rls2__exact_sum *sum);

/* The sum divided by `count` > 0, times 2^exponent, correctly rounded (half to even); infinite
 * where it is beyond the largest double. */
double rls2__exact_ratio(const rls2__exact_sum *sum, int64_t count, int exponent);

/* Are squares, which are not negative, no less than numbers of that sum have at least? */
int rls2__exact_can_spread(const rls2__exact_sum *sum, const rls2__exact_sum *squares,
                           int64_t count);
/* sum of (x - mean)^2, divided by `divisor` > 0, times 2^exponent, correctly rounded, of `count`
 * > 0 numbers with that sum and that sum of squares. */
double rls2__exact_spread(const rls2__exact_sum *sum, const rls2__exact_sum *squares, int64_t count,
                          int64_t divisor, int exponent);

#endif
