/* OpenBLAS knows processors by family and model. One that it does not know is taken for a Prescott,
 * the first with SSE3, as are processors under some virtual machines: OpenBLAS 0.3.21 computes 15
 * GFlop/s where it could do 70. What a processor can do is asked here instead. */
#include "la/processor.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "la/threads.h"
#include "rls2/blas.h"

#if defined(__GNUC__)
extern char *openblas_get_corename(void) __attribute__((weak));
extern void gotoblas_dynamic_init(void) __attribute__((weak));
extern void gotoblas_dynamic_quit(void) __attribute__((weak));
#endif

/* Routines without AVX2. A name that is not listed is left alone: of another kind of processor, or
 * of a later version, which knows what it does. */
static int is_old(const char *core)
{
    static const char *const OLD[] = {
        "Unknown",   "Katmai",       "Coppermine", "Northwood",  "Prescott",    "Banias",
        "Atom",      "Core2",        "Penryn",     "Dunnington", "Nehalem",     "Athlon",
        "Opteron",   "Opteron_SSE3", "Barcelona",  "Nano",       "Sandybridge", "Bobcat",
        "Bulldozer", "Piledriver",   "Steamroller"};
    for (size_t i = 0; i < sizeof OLD / sizeof *OLD; i++)
        if (strcasecmp(core, OLD[i]) == 0) return 1;
    return 0;
}

void rls2__better_cores(const char *core, rls2__processor has, const char *room[RLS2__MOST_CORES])
{
    int count = 0;
    if (is_old(core)) {
        if (has.avx2 && has.avx512) room[count++] = "SkylakeX";
        if (has.avx2) room[count++] = "Haswell";
    }
    room[count] = NULL;
}

/* The system has to keep the registers, too, and __builtin_cpu_supports asks for that. */
static rls2__processor processor(void)
{
    rls2__processor has = {0};
#if defined(__GNUC__) && defined(__x86_64__)
    __builtin_cpu_init();
    has.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    has.avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                 __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
    return has;
}

#if defined(__GNUC__)
/* OpenBLAS reads the variable when it chooses. It does not stay: another OpenBLAS of this process,
 * or of a child, may know better. */
static void choose(const char *core)
{
    if (core && setenv("OPENBLAS_CORETYPE", core, 1) != 0) return;
    gotoblas_dynamic_quit();
    gotoblas_dynamic_init();
    if (core) unsetenv("OPENBLAS_CORETYPE");
}

/* A build may lack some routines, and some versions then use others without a word. */
static void tune(void)
{
    const char *cores[RLS2__MOST_CORES];
    if (getenv("OPENBLAS_CORETYPE")) return;
    rls2__better_cores(openblas_get_corename(), processor(), cores);
    if (!cores[0]) return;
    for (int i = 0; cores[i]; i++) {
        choose(cores[i]);
        if (strcasecmp(openblas_get_corename(), cores[i]) == 0) return;
    }
    choose(NULL);
}
#endif

const char *rls2_blas_tune(void)
{
#if defined(__GNUC__)
    if (!openblas_get_corename) return NULL;
    if (gotoblas_dynamic_init && gotoblas_dynamic_quit) rls2__la_while_idle(tune);
    return openblas_get_corename();
#else
    return NULL;
#endif
}
