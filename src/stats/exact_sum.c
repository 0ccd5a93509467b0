/* Fixed point with 32 bits to a digit.
 *
 * |digit| grows by less than 2^33 with each product that is added to it, so that 2^28 of them fit a
 * word of 63 bits. After carries all digits but the last are within [0, 2^32), and the last has the
 * sign: one number, one form. */
#include "stats/exact_sum.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"

enum { DIGITS = RLS2__EXACT_DIGITS, BITS = 32, MANTISSA = 53 };
static const int64_t MOST_WAITING = (int64_t)1 << 28;

__extension__ typedef unsigned __int128 wide;

/* ---- adding ---- */

static void take_carries(rls2__exact_sum *sum)
{
    int64_t carry = 0;
    for (int i = 0; i < DIGITS - 1; i++) {
        int64_t digit = sum->digits[i] + carry;
        carry = digit >> BITS; /* rounds down */
        sum->digits[i] = digit & 0xFFFFFFFF;
    }
    sum->digits[DIGITS - 1] += carry;
    sum->waiting = 0;
}

static void wait_for_carries(rls2__exact_sum *sum)
{
    if (++sum->waiting >= MOST_WAITING) take_carries(sum);
}

/* value * 2^place units, with the sign. */
static void add_at(rls2__exact_sum *sum, wide value, int place, int negative)
{
    int at = place / BITS, shift = place % BITS;
    uint64_t low = (uint64_t)value, high = (uint64_t)(value >> 64);
    wide first = (wide)low << shift, second = ((wide)high << shift) + (uint64_t)(first >> 64);
    const uint64_t words[2] = {(uint64_t)first, (uint64_t)second};
    uint64_t top = (uint64_t)(second >> 64);
    rls2__invariant(place >= 0 && at + 5 <= DIGITS);
    for (int k = 0; k < 2; k++) {
        int64_t a = (int64_t)(words[k] & 0xFFFFFFFF), b = (int64_t)(words[k] >> BITS);
        sum->digits[at + 2 * k] += negative ? -a : a;
        sum->digits[at + 2 * k + 1] += negative ? -b : b;
    }
    if (top) sum->digits[at + 4] += negative ? -(int64_t)top : (int64_t)top;
    wait_for_carries(sum);
}

/* |x| = *mantissa * 2^*exponent, both integers; 0 where x is. */
static int take_apart(double x, uint64_t *mantissa, int *exponent)
{
    enum { BIAS = 1075, EXPONENTS = 0x7FF };
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int stored = (int)(bits >> (MANTISSA - 1) & EXPONENTS);
    *mantissa = bits & (((uint64_t)1 << (MANTISSA - 1)) - 1);
    if (stored > 0) *mantissa |= (uint64_t)1 << (MANTISSA - 1);
    *exponent = (stored > 0 ? stored : 1) - BIAS;
    return *mantissa != 0;
}

static uint64_t magnitude(int64_t times)
{
    return times < 0 ? 0 - (uint64_t)times : (uint64_t)times;
}

void rls2__exact_add(rls2__exact_sum *sum, double x, int64_t times)
{
    uint64_t mantissa;
    int exponent;
    rls2__invariant(isfinite(x));
    if (!take_apart(x, &mantissa, &exponent)) return;
    add_at(sum, (wide)mantissa * magnitude(times), exponent - RLS2__EXACT_UNIT,
           (x < 0.0) != (times < 0));
}

/* The square has 106 bits: with 63 of `times` it is added in two halves. */
void rls2__exact_add_square(rls2__exact_sum *sum, double x, int64_t times)
{
    uint64_t mantissa, often = magnitude(times);
    int exponent;
    rls2__invariant(isfinite(x));
    if (!take_apart(x, &mantissa, &exponent)) return;
    wide square = (wide)mantissa * mantissa;
    int place = 2 * exponent - RLS2__EXACT_UNIT;
    if (often == 1) {
        add_at(sum, square, place, times < 0);
        return;
    }
    add_at(sum, (wide)(uint64_t)square * often, place, times < 0);
    add_at(sum, (square >> 64) * often, place + 64, times < 0);
}

/* Both with their carries taken on: the digits of a sum are then below 2^33. */
void rls2__exact_merge(rls2__exact_sum *sum, const rls2__exact_sum *other)
{
    rls2__exact_sum own = *other;
    take_carries(&own);
    take_carries(sum);
    for (int i = 0; i < DIGITS; i++) sum->digits[i] += own.digits[i];
    take_carries(sum);
}

void rls2__exact_settle(rls2__exact_sum *sum)
{
    take_carries(sum);
}

int rls2__exact_is_settled(const rls2__exact_sum *sum)
{
    for (int i = 0; i < DIGITS - 1; i++)
        if (sum->digits[i] < 0 || sum->digits[i] >> BITS) return 0;
    return sum->digits[DIGITS - 1] > -(INT64_C(1) << BITS) &&
           sum->digits[DIGITS - 1] < INT64_C(1) << BITS && sum->waiting == 0;
}

/* ---- large integers ---- */

/* Room for the difference of count * squares and the square of a sum, and below it for bits of a
 * quotient. */
enum { LARGE = 2 * DIGITS + 8, BELOW = 5 };

/* sign * digits, in units of 2^unit. */
typedef struct large {
    int negative;
    int unit;
    int rest; /* something that is not zero follows below the last digit */
    uint32_t digits[LARGE];
} large;

static void negate(int64_t count, int64_t *digits)
{
    int64_t carry = 1;
    for (int64_t i = 0; i < count - 1; i++) {
        int64_t digit = (~digits[i] & 0xFFFFFFFF) + carry;
        digits[i] = digit & 0xFFFFFFFF;
        carry = digit >> BITS;
    }
    digits[count - 1] = ~digits[count - 1] + carry;
}

static void make_large(const rls2__exact_sum *sum, large *made)
{
    rls2__exact_sum own = *sum;
    memset(made, 0, sizeof *made);
    take_carries(&own);
    made->unit = RLS2__EXACT_UNIT;
    made->negative = own.digits[DIGITS - 1] < 0;
    if (made->negative) negate(DIGITS, own.digits);
    for (int i = 0; i < DIGITS - 1; i++) made->digits[i] = (uint32_t)own.digits[i];
    made->digits[DIGITS - 1] = (uint32_t)own.digits[DIGITS - 1];
    made->digits[DIGITS] = (uint32_t)((uint64_t)own.digits[DIGITS - 1] >> BITS);
}

/* Digits that are free below, so that a quotient has at least 64 bits more. */
static void move_up(large *a)
{
    memmove(a->digits + BELOW, a->digits, (LARGE - BELOW) * sizeof *a->digits);
    memset(a->digits, 0, BELOW * sizeof *a->digits);
    a->unit -= BELOW * BITS;
}

static void divide(large *a, uint64_t divisor)
{
    uint64_t rest = 0;
    for (int i = LARGE - 1; i >= 0; i--) {
        wide part = (wide)rest << BITS | a->digits[i];
        a->digits[i] = (uint32_t)(part / divisor);
        rest = (uint64_t)(part % divisor);
    }
    a->rest |= rest != 0;
}

static void multiply(large *a, uint64_t factor)
{
    wide carry = 0;
    for (int i = 0; i < LARGE; i++) {
        carry += (wide)a->digits[i] * factor;
        a->digits[i] = (uint32_t)carry;
        carry >>= BITS;
    }
    rls2__invariant(carry == 0);
}

/* The square has the unit of squares of the sum's. */
static void square(const large *a, large *made)
{
    memset(made, 0, sizeof *made);
    made->unit = 2 * a->unit;
    for (int i = 0; i <= DIGITS; i++) {
        uint64_t carry = 0;
        for (int j = 0; j <= DIGITS && a->digits[i]; j++) {
            uint64_t part = (uint64_t)a->digits[i] * a->digits[j] + made->digits[i + j] + carry;
            made->digits[i + j] = (uint32_t)part;
            carry = part >> BITS;
        }
        for (int k = i + DIGITS + 1; carry; k++) {
            carry += made->digits[k];
            made->digits[k] = (uint32_t)carry;
            carry >>= BITS;
        }
    }
}

/* a - b, which is not negative. */
static void subtract(large *a, const large *b)
{
    int64_t borrow = 0;
    for (int i = 0; i < LARGE; i++) {
        int64_t digit = (int64_t)a->digits[i] - b->digits[i] - borrow;
        borrow = digit < 0;
        a->digits[i] = (uint32_t)(digit & 0xFFFFFFFF);
    }
    rls2__invariant(borrow == 0);
}

/* ---- rounding ---- */

static int bit_at(const large *a, int bit)
{
    return bit < 0 ? 0 : (int)(a->digits[bit / BITS] >> bit % BITS & 1);
}

static int highest_bit(const large *a)
{
    int i = LARGE - 1;
    while (i >= 0 && a->digits[i] == 0) i--;
    if (i < 0) return -1;
    int bit = BITS - 1;
    while (!(a->digits[i] >> bit & 1)) bit--;
    return i * BITS + bit;
}

static int something_below(const large *a, int bit)
{
    if (a->rest) return 1;
    for (int i = 0; i < bit; i++)
        if (bit_at(a, i)) return 1;
    return 0;
}

/* The nearest double to a * 2^exponent: the bits from the highest on that it has room for. */
static double to_double(const large *a, int exponent)
{
    enum { LOWEST = -1074 };
    int high = highest_bit(a), unit = a->unit + exponent;
    if (high < 0) return 0.0; /* what is left of a quotient is below all doubles */
    int low = high - MANTISSA + 1;
    if (low + unit < LOWEST) low = LOWEST - unit;
    uint64_t mantissa = 0;
    for (int bit = high; bit >= low; bit--) mantissa = mantissa << 1 | (uint64_t)bit_at(a, bit);
    int half = low > 0 && low - 1 <= high && bit_at(a, low - 1);
    if (half && (something_below(a, low - 1) || (mantissa & 1))) mantissa++;
    double value = ldexp((double)mantissa, low + unit);
    return a->negative ? -value : value;
}

double rls2__exact_ratio(const rls2__exact_sum *sum, int64_t count, int exponent)
{
    large a;
    rls2__invariant(count > 0);
    make_large(sum, &a);
    move_up(&a);
    divide(&a, (uint64_t)count);
    return to_double(&a, exponent);
}

/* count * squares, and sum^2, in the same unit. */
static void make_both(const rls2__exact_sum *sum, const rls2__exact_sum *squares, int64_t count,
                      large *a, large *all)
{
    enum { APART = -RLS2__EXACT_UNIT / BITS };
    large b;
    rls2__invariant(count > 0 && -RLS2__EXACT_UNIT % BITS == 0);
    make_large(sum, &b);
    square(&b, all);
    make_large(squares, &b);
    multiply(&b, (uint64_t)count);
    memset(a, 0, sizeof *a);
    memcpy(a->digits + APART, b.digits, (LARGE - APART) * sizeof *a->digits);
    a->unit = all->unit;
}

int rls2__exact_can_spread(const rls2__exact_sum *sum, const rls2__exact_sum *squares,
                           int64_t count)
{
    large a, all;
    make_both(sum, squares, count, &a, &all);
    for (int i = LARGE - 1; i >= 0; i--)
        if (a.digits[i] != all.digits[i]) return a.digits[i] > all.digits[i];
    return 1;
}

/* count * squares - sum^2, over count * divisor. */
double rls2__exact_spread(const rls2__exact_sum *sum, const rls2__exact_sum *squares, int64_t count,
                          int64_t divisor, int exponent)
{
    large a, all;
    rls2__invariant(divisor > 0);
    make_both(sum, squares, count, &a, &all);
    subtract(&a, &all);
    /* squares of doubles are multiples of 2^-2148, so that there are digits to spare below */
    divide(&a, (uint64_t)count);
    divide(&a, (uint64_t)divisor);
    return to_double(&a, exponent);
}
