/* Arrow's format strings, and cells of fixed width. Cells may lie anywhere: they are copied, not
 * looked at in place. */
#include "formats/arrow_type.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* ---- formats ---- */

static const struct {
    const char *format;
    rls2__arrow_type type;
} PLAIN[] = {
    {"n", {.kind = RLS2__ARROW_NONE}},
    {"b", {.kind = RLS2__ARROW_BOOLEAN, .buffers = 2}},
    {"c", {.kind = RLS2__ARROW_SIGNED, .width = 1, .buffers = 2}},
    {"C", {.kind = RLS2__ARROW_UNSIGNED, .width = 1, .buffers = 2}},
    {"s", {.kind = RLS2__ARROW_SIGNED, .width = 2, .buffers = 2}},
    {"S", {.kind = RLS2__ARROW_UNSIGNED, .width = 2, .buffers = 2}},
    {"i", {.kind = RLS2__ARROW_SIGNED, .width = 4, .buffers = 2}},
    {"I", {.kind = RLS2__ARROW_UNSIGNED, .width = 4, .buffers = 2}},
    {"l", {.kind = RLS2__ARROW_SIGNED, .width = 8, .buffers = 2}},
    {"L", {.kind = RLS2__ARROW_UNSIGNED, .width = 8, .buffers = 2}},
    {"e", {.kind = RLS2__ARROW_FLOAT, .width = 2, .buffers = 2}},
    {"f", {.kind = RLS2__ARROW_FLOAT, .width = 4, .buffers = 2}},
    {"g", {.kind = RLS2__ARROW_FLOAT, .width = 8, .buffers = 2}},
    {"u", {.kind = RLS2__ARROW_TEXT, .width = 4, .buffers = 3}},
    {"U", {.kind = RLS2__ARROW_TEXT, .width = 8, .buffers = 3}},
    {"vu", {.kind = RLS2__ARROW_TEXT_VIEW, .width = 16, .buffers = 3}},
    {"tdD", {.kind = RLS2__ARROW_DAYS, .width = 4, .buffers = 2}},
    {"tdm", {.kind = RLS2__ARROW_INSTANT, .width = 8, .ticks = 1000, .buffers = 2}},
    {"tts", {.kind = RLS2__ARROW_CLOCK, .width = 4, .ticks = 1, .buffers = 2}},
    {"ttm", {.kind = RLS2__ARROW_CLOCK, .width = 4, .ticks = 1000, .buffers = 2}},
    {"ttu", {.kind = RLS2__ARROW_CLOCK, .width = 8, .ticks = 1000000, .buffers = 2}},
    {"ttn", {.kind = RLS2__ARROW_CLOCK, .width = 8, .ticks = 1000000000, .buffers = 2}},
};

/* "ts" and its unit, a colon and the time zone. */
static int take_instant(const char *format, rls2__arrow_type *type)
{
    static const char UNITS[] = "smun";
    const char *unit =
        format[0] == 't' && format[1] == 's' && format[2] != '\0' ? strchr(UNITS, format[2]) : NULL;
    if (!unit || format[3] != ':') return 0;
    *type = (rls2__arrow_type){.kind = RLS2__ARROW_INSTANT, .width = 8, .ticks = 1, .buffers = 2};
    for (const char *u = UNITS; u < unit; u++) type->ticks *= 1000;
    return 1;
}

/* "d:precision,scale" of 128 bits, or with ",bits". */
static int take_decimal(const char *format, rls2__arrow_type *type)
{
    int precision, scale, bits = 128, used = 0;
    if (sscanf(format, "d:%4d,%5d%n", &precision, &scale, &used) != 2 || used == 0) return 0;
    if (format[used] == ',') {
        char *end;
        bits = (int)strtol(format + used + 1, &end, 10);
        used = (int)(end - format);
    }
    if (format[used] != '\0') return 0;
    if (bits != 32 && bits != 64 && bits != 128 && bits != 256) return 0;
    *type = (rls2__arrow_type){
        .kind = RLS2__ARROW_DECIMAL, .width = bits / 8, .scale = scale, .buffers = 2};
    return 1;
}

int rls2__arrow_type_of(const char *format, rls2__arrow_type *type)
{
    if (!format) return 0;
    for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++)
        if (strcmp(PLAIN[i].format, format) == 0) {
            *type = PLAIN[i].type;
            return 1;
        }
    return take_instant(format, type) || take_decimal(format, type);
}

int rls2__arrow_is_number(const rls2__arrow_type *type)
{
    return type->kind <= RLS2__ARROW_DECIMAL;
}

/* ---- numbers ---- */

static int64_t take_signed(const char *cell, int width)
{
    int8_t one;
    int16_t two;
    int32_t four;
    int64_t eight;
    switch (width) {
    case 1: memcpy(&one, cell, sizeof one); return one;
    case 2: memcpy(&two, cell, sizeof two); return two;
    case 4: memcpy(&four, cell, sizeof four); return four;
    default: memcpy(&eight, cell, sizeof eight); return eight;
    }
}

static uint64_t take_unsigned(const char *cell, int width)
{
    uint64_t value = (uint64_t)take_signed(cell, width);
    return width == 8 ? value : value & (((uint64_t)1 << (8 * width)) - 1);
}

static double take_half(const char *cell)
{
    uint64_t bits = take_unsigned(cell, 2);
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (double)(bits & 1023), size;
    if (exponent == 31)
        size = fraction > 0.0 ? (double)NAN : (double)INFINITY;
    else
        size = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024.0 + fraction, exponent - 25);
    return bits >> 15 ? -size : size;
}

static double take_float(const char *cell, int width)
{
    float four;
    double eight;
    if (width == 2) return take_half(cell);
    if (width == 4) {
        memcpy(&four, cell, sizeof four);
        return (double)four;
    }
    memcpy(&eight, cell, sizeof eight);
    return eight;
}

/* As it would be written in a file and read, so that both are the same number. Digits come from
 * repeated division by ten of an integer of `width` bytes. */
static double take_decimal_cell(const char *cell, int width, int scale)
{
    enum { MOST_PARTS = 8, MOST_DIGITS = 80 };
    uint32_t parts[MOST_PARTS];
    char text[MOST_DIGITS + 32];
    int count = width / 4, at = MOST_DIGITS, rest;
    memcpy(parts, cell, (size_t)width);
    int is_negative = parts[count - 1] >> 31 != 0;
    uint64_t carry = 1;
    for (int i = 0; is_negative && i < count; i++) {
        carry += (uint32_t)~parts[i];
        parts[i] = (uint32_t)carry;
        carry >>= 32;
    }
    do {
        uint64_t remainder = 0;
        rest = 0;
        for (int i = count - 1; i >= 0; i--) {
            remainder = remainder << 32 | parts[i];
            parts[i] = (uint32_t)(remainder / 10);
            remainder %= 10;
            rest |= parts[i] != 0;
        }
        text[--at] = (char)('0' + remainder);
    } while (rest);
    snprintf(text + MOST_DIGITS, sizeof text - MOST_DIGITS, "e%d", -scale);
    double size = (double)NAN;
    (void)rls2__number_read(text + at, &size);
    return is_negative ? -size : size;
}

double rls2__arrow_number(const rls2__arrow_type *type, const void *values, int64_t at)
{
    const unsigned char *bits = values;
    const char *cell = (const char *)values + at * type->width;
    switch (type->kind) {
    case RLS2__ARROW_NONE: return (double)NAN;
    case RLS2__ARROW_BOOLEAN: return bits[at / 8] >> (at % 8) & 1;
    case RLS2__ARROW_UNSIGNED: return (double)take_unsigned(cell, type->width);
    case RLS2__ARROW_FLOAT: return take_float(cell, type->width);
    case RLS2__ARROW_DECIMAL: return take_decimal_cell(cell, type->width, type->scale);
    default: return (double)take_signed(cell, type->width);
    }
}

/* ---- times ---- */

/* The date that many days after 1970-01-01, in the calendar of ISO 8601. Years are counted from
 * March, so that the day that some have more is their last. */
static void write_date(int64_t days, char text[RLS2__ARROW_TIME_TEXT])
{
    enum { DAYS_TO_1970 = 719468, ERA = 146097 };
    int64_t day = days + DAYS_TO_1970;
    int64_t era = (day >= 0 ? day : day - ERA + 1) / ERA;
    int64_t of_era = day - era * ERA;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;
    int64_t of_month = of_year - (153 * month + 2) / 5 + 1;
    month += month < 10 ? 3 : -9;
    year += era * 400 + (month <= 2);
    snprintf(text, RLS2__ARROW_TIME_TEXT, "%04" PRId64 "-%02d-%02d", year, (int)(month % 13),
             (int)(of_month % 32));
}

/* A fraction has as many digits as its ticks, where it is not zero; `text` has room. */
static void write_clock(int64_t ticks, int64_t each, char *text)
{
    int second = (int)(ticks / each % 86400), minute = second / 60;
    int64_t fraction = ticks % each;
    const int parts[] = {minute / 60, minute % 60, second % 60};
    for (int i = 0; i < 3; i++) {
        if (i > 0) *text++ = ':';
        *text++ = (char)('0' + parts[i] / 10);
        *text++ = (char)('0' + parts[i] % 10);
    }
    if (fraction) *text++ = '.';
    for (int64_t e = each / 10; fraction && e > 0; e /= 10)
        *text++ = (char)('0' + fraction / e % 10);
    *text = '\0';
}

void rls2__arrow_time(const rls2__arrow_type *type, const void *values, int64_t at,
                      char text[RLS2__ARROW_TIME_TEXT])
{
    int64_t value = take_signed((const char *)values + at * type->width, type->width);
    if (type->kind == RLS2__ARROW_DAYS) {
        write_date(value, text);
        return;
    }
    if (type->kind == RLS2__ARROW_CLOCK) {
        write_clock(value, type->ticks, text);
        return;
    }
    int64_t day = type->ticks * 86400;
    int64_t days = value / day, ticks = value % day;
    if (ticks < 0) {
        days--;
        ticks += day;
    }
    write_date(days, text);
    if (ticks == 0) return;
    size_t used = strlen(text);
    text[used++] = ' ';
    write_clock(ticks, type->ticks, text + used);
}
