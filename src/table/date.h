/* Dates and times of day as people write them, as days since 1970-01-01. */
#ifndef RLS2_TABLE_DATE_H
#define RLS2_TABLE_DATE_H

#include <stdint.h>

typedef enum rls2__date_order {
    RLS2__DATE_YMD = 0,
    RLS2__DATE_DMY = 1,
    RLS2__DATE_MDY = 2,
    RLS2__DATE_TIME = 3 /* a time of day alone */
} rls2__date_order;

/* 1 if the whole text is a date in that order; then *days are those since 1970-01-01, with the time
 * of day as a fraction, and *has_time, if not NULL, says whether there was one.
 *
 *   YMD         2001-01-31, 2001/1/31, 2001.01.31; 2001-01, the first of the month
 *   DMY, MDY    31/1/2001, 31.01.2001, 31-01-2001; a year of two digits is within 1930..2029, and
 *               unless slashes separate them day and month have two digits then
 *   all three   31 Jan 2001, 31-Jan-01, 31Jan2001, January 31, 2001; Jan 2001
 *
 * A name of the weekday may stand before, and after it a time: 14:05, 2:05:30 PM, T14:05:30.25Z.
 * The clock is taken as written: a time zone is read and does not change it. */
int rls2__date_read(rls2__date_order order, const char *text, double *days, int *has_time);

/* Parts of a day number: year, month 1..12, weekday 1 (Monday) .. 7, hour with fraction. All are
 * finite where the number is. */
typedef struct rls2__date_parts {
    double year, month, weekday, hour;
} rls2__date_parts;
rls2__date_parts rls2__date_parts_of(double days);

#endif
