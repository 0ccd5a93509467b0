/* What the benchmarks share: they end with a sentence where something fails, and have two clocks.
 */
#ifndef RLS2_BENCH_BENCH_H
#define RLS2_BENCH_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "rls2/rls2.h"

static inline void *must(void *pointer)
{
    if (!pointer) {
        fputs("bench: out of memory\n", stderr);
        exit(1);
    }
    return pointer;
}

static inline void must_be_ok(rls2_status status, const rls2_error *err)
{
    if (status == RLS2_OK) return;
    fprintf(stderr, "bench: %s\n", err->message);
    exit(1);
}

/* CLOCK_MONOTONIC, or CLOCK_PROCESS_CPUTIME_ID. */
static inline double seconds(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct clocks {
    double wall, processor;
} clocks;

static inline clocks now(void)
{
    return (clocks){seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)};
}

#endif
