/* Which routines of OpenBLAS suit a processor. */
#ifndef RLS2_LA_PROCESSOR_H
#define RLS2_LA_PROCESSOR_H

/* What processor and system offer. */
typedef struct {
    int avx2;   /* with FMA */
    int avx512; /* F, BW, DQ and VL: what OpenBLAS expects of a SkylakeX */
} rls2__processor;

/* The routines to use instead of those named `core`, best first, ended by NULL: none where `core`
 * is good enough. `room` holds the list. */
enum { RLS2__MOST_CORES = 3 };
void rls2__better_cores(const char *core, rls2__processor has, const char *room[RLS2__MOST_CORES]);

#endif
