/* The grammar is checked by hand, which also collects the decimal digits:
 *
 *   value = digits * 10^exponent,   digits a whole number below 10^19
 *
 * Three ways to the nearest double, each correctly rounded, the cheapest first:
 *
 *   1. digits <= 2^53 and |exponent| <= 22: both factors are exact doubles, so
 *      their product or quotient is rounded once (Clinger 1990);
 *   2. exponent in -27..-1, up to 19 digits: 5^27 < 2^63, so digits / 5^-exponent is
 *      a quotient of whole numbers, computed with its remainder and rounded once;
 *   3. anything else: strtod in the "C" locale. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strtod_l */
#endif
#include "base/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"

enum {
    MAX_DIGITS = 19,        /* 10^19 - 1 < 2^64 */
    MAX_EXACT_POWER = 22,   /* 10^22 is a double, 10^23 is not */
    MAX_QUOTIENT_POWER = 27 /* 5^27 < 2^63 */
};

/* Written exponents stop growing here: no text has so many places that they could
 * bring the exponent back into the range of double. */
static const int64_t exponent_cap = INT64_MAX / 100;

struct rls2__number_reader {
    locale_t locale;
};

typedef struct decimal {
    uint64_t digits;
    int64_t exponent;
    int truncated; /* more than MAX_DIGITS significant digits: `digits` has overflowed */
    int negative;
} decimal;

rls2_status rls2__number_reader_create(rls2__number_reader **reader, rls2_error *err)
{
    rls2__number_reader *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return rls2__fail_memory(err, "reading numbers");
    made->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (made->locale == (locale_t)0) {
        rls2__free(made);
        return rls2__fail_memory(err, "the locale numbers are read in");
    }
    *reader = made;
    return RLS2_OK;
}

void rls2__number_reader_free(rls2__number_reader *reader)
{
    if (!reader) return;
    freelocale(reader->locale);
    rls2__free(reader);
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t') p++;
    return p;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The inner loop of reading a table: no check in it, overflow is found afterwards. */
static inline const char *take_digits(const char *p, uint64_t *digits)
{
    for (; is_digit(*p); p++) *digits = *digits * 10 + (uint64_t)(*p - '0');
    return p;
}

/* 1 if the places from `p` on, a point among them or not, are too many for `digits`
 * even without their leading zeros. */
static int overflows(const char *p, int64_t places)
{
    if (places <= MAX_DIGITS) return 0;
    for (; *p == '0' || *p == '.'; p++) places -= *p == '0';
    return places > MAX_DIGITS;
}

/* The part after 'e'; NULL if there is no digit. */
static const char *take_exponent(const char *p, decimal *d)
{
    int negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    if (!is_digit(*p)) return NULL;
    int64_t exponent = 0;
    for (; is_digit(*p); p++)
        if (exponent < exponent_cap) exponent = exponent * 10 + (*p - '0');
    d->exponent += negative ? -exponent : exponent;
    return p;
}

/* Reads the grammar of number.h from the sign on; where it ends, or NULL if the text does not
 * follow it. */
static inline const char *scan(const char *p, decimal *d)
{
    d->negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    const char *whole = p;
    p = take_digits(p, &d->digits);
    int64_t places = p - whole;
    if (*p == '.') {
        const char *fraction = ++p;
        p = take_digits(p, &d->digits);
        places += p - fraction;
        d->exponent = fraction - p;
    }
    if (places == 0) return NULL;
    d->truncated = overflows(whole, places);
    return *p == 'e' || *p == 'E' ? take_exponent(p + 1, d) : p;
}

/* Way 1. Needs double arithmetic without excess precision. */
static int by_exact_power(const decimal *d, double *value)
{
    static const double power[MAX_EXACT_POWER + 1] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (FLT_EVAL_METHOD != 0 || d->digits > UINT64_C(1) << DBL_MANT_DIG) return 0;
    if (d->exponent < -MAX_EXACT_POWER || d->exponent > MAX_EXACT_POWER) return 0;
    double digits = (double)d->digits;
    rls2__invariant((uint64_t)digits == d->digits); /* exact */
    *value = d->exponent < 0 ? digits / power[-d->exponent] : digits * power[d->exponent];
    return 1;
}

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 wide;

/* Way 2. With digits scaled to 127 bits the quotient has at least 64 bits, more than
 * the 53 + 1 that rounding to nearest needs; the remainder only breaks ties. All
 * values are within 1e-27..1e19, far from the ends of the range. */
static int by_quotient(const decimal *d, double *value)
{
    if (d->exponent >= 0 || d->exponent < -MAX_QUOTIENT_POWER || d->digits == 0) return 0;
    uint64_t five = 1;
    for (int64_t k = 0; k > d->exponent; k--) five *= 5;
    int shift = 63 + __builtin_clzll(d->digits);
    wide numerator = (wide)d->digits << shift;
    wide quotient = numerator / five;
    int sticky = quotient * five != numerator;
    int excess = 0;
    rls2__invariant(quotient >> 63); /* so many bits that rounding sees all it needs */
    if (quotient >> 64) excess = 64 - __builtin_clzll((uint64_t)(quotient >> 64));
    sticky |= (quotient & (((wide)1 << excess) - 1)) != 0;
    /* The top 64 bits, the lowest of them made odd if anything was cut off: the
     * conversion to double then rounds as it would the exact quotient. */
    uint64_t top = (uint64_t)(quotient >> excess) | (uint64_t)sticky;
    *value = ldexp((double)top, excess - shift + (int)d->exponent);
    return 1;
}
#else
static int by_quotient(const decimal *d, double *value)
{
    (void)d, (void)value;
    return 0;
}
#endif

/* 1 if the number could be made without strtod. */
static inline int convert(const decimal *d, double *value)
{
    double magnitude;
    if (d->truncated || !(by_exact_power(d, &magnitude) || by_quotient(d, &magnitude))) return 0;
    *value = d->negative ? -magnitude : magnitude;
    return 1;
}

int rls2__number_parse(const rls2__number_reader *reader, const char *text, double *value)
{
    text = skip_blanks(text);
    decimal d = {0};
    const char *stop = scan(text, &d);
    if (!stop || *skip_blanks(stop) != '\0') return 0;
    if (convert(&d, value)) return 1;
    double parsed = strtod_l(text, NULL, reader->locale);
    if (!isfinite(parsed)) return 0;
    *value = parsed;
    return 1;
}

int rls2__number_read(const char *text, double *value)
{
    double scanned;
    text = skip_blanks(text);
    int64_t used = rls2__number_scan(text, &scanned);
    if (used > 0 && *skip_blanks(text + used) == '\0') {
        *value = scanned;
        return 1;
    }
    rls2__number_reader reader = {.locale = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (reader.locale == (locale_t)0) return 0;
    int is_number = rls2__number_parse(&reader, text, value);
    freelocale(reader.locale);
    return is_number;
}

int64_t rls2__number_scan(const char *text, double *value)
{
    decimal d = {0};
    const char *stop = scan(text, &d);
    return stop && convert(&d, value) ? stop - text : 0;
}
