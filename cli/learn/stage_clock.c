/* Reads the clock when stages end. */
#include "cli/learn/stage_clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double read_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void stage_clock_start(stage_clock *c)
{
    *c = (stage_clock){.last = read_clock()};
}

void stage_clock_end(stage_clock *c, const char *stage)
{
    double time = read_clock(), seconds = time - c->last;
    int at = 0;
    c->last = time;
    while (at < c->count && strcmp(c->of[at].name, stage) != 0) at++;
    if (at == MOST_STAGES) return;
    if (at == c->count) {
        snprintf(c->of[at].name, sizeof c->of[at].name, "%s", stage);
        c->count++;
    }
    c->of[at].seconds += seconds;
}

void stage_clock_json(const stage_clock *c, json *j)
{
    json_object(j, "stages");
    for (int i = 0; i < c->count; i++) json_number(j, c->of[i].name, c->of[i].seconds);
    json_end_object(j);
}
