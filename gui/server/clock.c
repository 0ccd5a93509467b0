/* Monotonic seconds and dates. */
#include "gui/server/clock.h"

#include <stdio.h>
#include <time.h>

double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

date clock_date(void)
{
    struct timespec t;
    struct tm parts;
    char day[32];
    date made;
    clock_gettime(CLOCK_REALTIME, &t);
    gmtime_r(&t.tv_sec, &parts);
    strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(made.text, sizeof made.text, "%s.%06dZ", day, (int)(t.tv_nsec / 1000));
    return made;
}
