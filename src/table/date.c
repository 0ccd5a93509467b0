/* Reads dates: up to three fields of digits or a month's name, then a time of day. Which field is
 * the year, the month and the day follows from the order, a name and the number of digits; what
 * would need a guess is not a date. Codes ("12-34", "1.2.3") have other numbers of digits. */
#include "table/date.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { HOURS = 24, MINUTES = 60, SECONDS = 60, FIELDS = 3 };
static const double seconds_of_day = 86400.0;

/* A field of a date: digits, or the name of a month. */
typedef struct field {
    int value;
    int digits; /* 0: a name */
} field;

typedef struct fields {
    field part[FIELDS];
    char separator[FIELDS]; /* before each: '-', '/', '.', ' ' or 0 for none */
    int count;
} fields;

typedef struct civil {
    int year, month, day;
} civil;

/* ---- words ---- */

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int is_letter(char c)
{
    return lower(c) >= 'a' && lower(c) <= 'z';
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t') p++;
    return p;
}

/* The number of the name, from 1, that the word of `length` letters is or abbreviates by three
 * letters or more; else 0. */
static int find_name(const char *const *names, int count, const char *word, int64_t length)
{
    for (int k = 0; k < count && length >= 3; k++) {
        int64_t same = 0;
        while (same < length && names[k][same] && lower(word[same]) == names[k][same]) same++;
        if (same == length) return k + 1;
    }
    return 0;
}

/* Steps over a word of the list, and a point after it; 0 and nothing is stepped over otherwise. */
static int take_name(const char **p, const char *const *names, int count)
{
    const char *end = *p;
    while (is_letter(*end)) end++;
    int found = find_name(names, count, *p, end - *p);
    if (found > 0) *p = *end == '.' ? end + 1 : end;
    return found;
}

static int take_month(const char **p)
{
    static const char *const months[] = {"january",   "february", "march",    "april",
                                         "may",       "june",     "july",     "august",
                                         "september", "october",  "november", "december"};
    return take_name(p, months, 12);
}

/* "Mon, " or "Monday ". */
static const char *skip_weekday(const char *p)
{
    static const char *const days[] = {"monday", "tuesday",  "wednesday", "thursday",
                                       "friday", "saturday", "sunday"};
    const char *after = p;
    if (take_name(&after, days, 7) == 0) return p;
    return skip_blanks(*after == ',' ? after + 1 : after);
}

/* ---- fields ---- */

/* Up to four digits; 0 where there are none or more. */
static int take_digits(const char **p, field *made)
{
    const char *start = *p;
    for (made->value = 0; is_digit(**p) && *p - start < 5; ++*p)
        made->value = made->value * 10 + (**p - '0');
    made->digits = (int)(*p - start);
    return made->digits >= 1 && made->digits <= 4;
}

static int take_field(const char **p, field *made)
{
    if (is_digit(**p)) return take_digits(p, made);
    *made = (field){.value = take_month(p)};
    return made->value > 0;
}

/* What stands between two fields: a sign, blanks, a comma before blanks, or nothing. */
static char take_separator(const char **p)
{
    char separator = 0;
    if (**p == ',' || **p == ' ') separator = ' ';
    if (**p && strchr("-/.", **p)) separator = **p;
    if (separator) *p = skip_blanks(*p + 1);
    return separator;
}

/* The fields the text starts with, and where they end; two only where the text ends with them. */
static int take_fields(const char **p, fields *f)
{
    *f = (fields){.count = 0};
    for (int k = 0; k < FIELDS; k++) {
        if (k == FIELDS - 1 && **p == '\0') return 1;
        if (k > 0) f->separator[k] = take_separator(p);
        if (!take_field(p, &f->part[k])) return 0;
        f->count++;
    }
    return 1;
}

/* ---- the date ---- */

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int is_date(const civil *date)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (date->year < 1 || date->month < 1 || date->month > 12 || date->day < 1) return 0;
    int leap = date->month == 2 && is_leap(date->year);
    return date->day <= days[date->month - 1] + leap;
}

/* Of two digits it is that of spreadsheets, since most data are of the past; 0 where it has one or
 * three. */
static int year_of(field part)
{
    enum { FIRST_OF_CENTURY = 30 };
    if (part.digits == 4) return part.value;
    if (part.digits != 2) return 0;
    return part.value + (part.value >= FIRST_OF_CENTURY ? 1900 : 2000);
}

static int is_short(field part)
{
    return part.digits == 1 || part.digits == 2;
}

/* Month and year, the day is the first. */
static int read_month(const fields *f, rls2__date_order order, civil *date)
{
    field a = f->part[0], b = f->part[1];
    if (a.digits == 0 && b.digits == 4) {
        *date = (civil){b.value, a.value, 1};
        return 1;
    }
    int numbers = b.digits == 2 && order == RLS2__DATE_YMD &&
                  (f->separator[1] == '-' || f->separator[1] == '/');
    *date = (civil){a.value, b.value, 1};
    return a.digits == 4 && (b.digits == 0 || numbers);
}

/* One of the fields is a name. */
static int read_named(const fields *f, civil *date)
{
    field a = f->part[0], b = f->part[1], c = f->part[2];
    if (a.digits == 0 && is_short(b))
        *date = (civil){year_of(c), a.value, b.value};
    else if (b.digits == 0 && is_short(a))
        *date = (civil){year_of(c), b.value, a.value};
    else if (b.digits == 0 && a.digits == 4 && is_short(c))
        *date = (civil){a.value, b.value, c.value};
    else
        return 0;
    return 1;
}

static int read_numbers(const fields *f, rls2__date_order order, civil *date)
{
    field a = f->part[0], b = f->part[1], c = f->part[2];
    char separator = f->separator[1];
    if (!separator || separator == ' ' || separator != f->separator[2] || !is_short(b)) return 0;
    if (order == RLS2__DATE_YMD) {
        *date = (civil){a.value, b.value, c.value};
        return a.digits == 4 && is_short(c);
    }
    if (order == RLS2__DATE_DMY)
        *date = (civil){year_of(c), b.value, a.value};
    else
        *date = (civil){year_of(c), a.value, b.value};
    int full = (a.digits == 2 && b.digits == 2) || separator == '/';
    return is_short(a) && (c.digits == 4 || full);
}

static int read_civil(const fields *f, rls2__date_order order, civil *date)
{
    int named = 0;
    for (int k = 0; k < f->count; k++) named += f->part[k].digits == 0;
    int read = f->count < FIELDS ? read_month(f, order, date)
               : named == 1      ? read_named(f, date)
                                 : named == 0 && read_numbers(f, order, date);
    return read && is_date(date);
}

/* Days since 1970-01-01 in the Gregorian calendar: years begin in March, so that the leap day is
 * the last of its year, and are counted in eras of 400. */
static int64_t days_of(const civil *date)
{
    int64_t year = date->year - (date->month <= 2), month = (date->month + 9) % 12;
    int64_t era = year / 400, of_era = year % 400;
    int64_t of_year = (153 * month + 2) / 5 + date->day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* ---- the time of day ---- */

static const char *skip_digits(const char *p)
{
    while (is_digit(*p)) p++;
    return p;
}

/* ":SS" of two digits. */
static int take_sixty(const char **p, int *value)
{
    const char *q = *p;
    if (q[0] != ':' || !is_digit(q[1]) || !is_digit(q[2]) || is_digit(q[3])) return 0;
    *value = (q[1] - '0') * 10 + (q[2] - '0');
    *p = q + 3;
    return *value < MINUTES;
}

/* Decimals of a second, after a point or a comma. */
static double take_decimals(const char **p)
{
    double value = 0.0, place = 0.1;
    if ((**p != '.' && **p != ',') || !is_digit((*p)[1])) return 0.0;
    for (++*p; is_digit(**p); ++*p, place /= 10) value += place * (**p - '0');
    return value;
}

/* "AM" or "PM", which make the hour one of 24; 0 where it was none of 12. */
static int take_half(const char **p, int *hour)
{
    const char *q = skip_blanks(*p);
    char half = lower(*q);
    if ((half != 'a' && half != 'p') || lower(q[1]) != 'm') return 1;
    *p = q + 2;
    if (*hour < 1 || *hour > 12) return 0;
    *hour = *hour % 12 + (half == 'p' ? 12 : 0);
    return 1;
}

/* Z, UTC, GMT, +02, +0200 or +02:00. */
static const char *skip_zone(const char *p)
{
    const char *q = skip_blanks(p);
    if (*q == 'Z' || *q == 'z') return q + 1;
    if (strncmp(q, "UTC", 3) == 0 || strncmp(q, "GMT", 3) == 0) return q + 3;
    if (*q != '+' && *q != '-') return p;
    const char *end = skip_digits(q + 1);
    int64_t digits = end - q - 1;
    if (digits == 4) return end;
    if (digits != 2) return p;
    return *end == ':' && is_digit(end[1]) && is_digit(end[2]) ? end + 3 : end;
}

/* To the end of the text. */
static int read_time(const char *p, double *fraction)
{
    field hour = {0};
    int minute = 0, second = 0;
    double decimals = 0.0;
    if (!take_digits(&p, &hour) || hour.digits > 2 || !take_sixty(&p, &minute)) return 0;
    if (*p == ':') {
        if (!take_sixty(&p, &second)) return 0;
        decimals = take_decimals(&p);
    }
    if (!take_half(&p, &hour.value) || hour.value >= HOURS) return 0;
    if (*skip_blanks(skip_zone(p)) != '\0') return 0;
    int64_t whole = ((int64_t)hour.value * MINUTES + minute) * SECONDS + second;
    *fraction = ((double)whole + decimals) / seconds_of_day;
    return 1;
}

/* What follows a date: nothing, or a time after blanks, a comma or a T. */
static int read_rest(const char *p, double *fraction, int *has_time)
{
    const char *time = skip_blanks(p);
    *fraction = 0.0;
    *has_time = *time != '\0';
    if (!*has_time) return 1;
    if (*p == 'T' || *p == 't' || *p == ',') time = skip_blanks(p + 1);
    return time > p && read_time(time, fraction);
}

int rls2__date_read(rls2__date_order order, const char *text, double *days, int *has_time)
{
    fields f;
    civil date;
    double fraction = 0.0;
    int64_t whole = 0;
    int timed = 1;
    const char *p = skip_blanks(text);
    if (order == RLS2__DATE_TIME) {
        if (!read_time(p, &fraction)) return 0;
    } else {
        p = skip_weekday(p);
        if (!take_fields(&p, &f) || !read_civil(&f, order, &date)) return 0;
        if (!read_rest(p, &fraction, &timed)) return 0;
        whole = days_of(&date);
    }
    *days = (double)whole + fraction;
    if (has_time) *has_time = timed;
    return 1;
}

/* ---- parts ---- */

/* The inverse of days_of, for any day since March of the year 0 (day -719468). */
static civil civil_of(int64_t days)
{
    int64_t since = days + 719468, era = since / 146097, of_era = since % 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;
    civil date = {.day = (int)(of_year - (153 * month + 2) / 5 + 1)};
    date.month = (int)(month < 10 ? month + 3 : month - 9);
    date.year = (int)(era * 400 + year + (date.month <= 2));
    return date;
}

/* To a thousandth of a second, so that 10:00 is hour 10 and not 9.99...; a number that is no day of
 * these calendars only has a year. */
rls2__date_parts rls2__date_parts_of(double days)
{
    static const double least = -719468.0, most = 1e8, year_days = 365.2425;
    if (!(days >= least && days < most))
        return (rls2__date_parts){1970.0 + floor(days / year_days), 1.0, 1.0, 0.0};
    int64_t day_length = (int64_t)seconds_of_day * 1000;
    int64_t since = (int64_t)floor((days - least) * (double)day_length + 0.5);
    int64_t whole = since / day_length + (int64_t)least;
    civil date = civil_of(whole);
    return (rls2__date_parts){.year = date.year,
                              .month = date.month,
                              .weekday = (double)((whole - (int64_t)least + 2) % 7 + 1),
                              .hour = (double)(since % day_length) / (double)(day_length / HOURS)};
}
