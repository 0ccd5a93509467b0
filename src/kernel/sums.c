/* The loops of each term, several rows at a time (sums_lanes.h). */
#include "kernel/sums.h"

#include <math.h>

/* A block is SHORT or TALL rows of a by TOGETHER rows of b, or LONG rows by one. */
enum { SHORT = 8, TALL = 24, LONG = 32, TOGETHER = 4, MOST_SUMS = 16 };

#define LANES 2
#define TARGET
#define NAMED(name) name##_2
#include "kernel/sums_lanes.h"

#if defined(RLS2_MULTIVERSION) && RLS2_MULTIVERSION
#define LANES 4
#define TARGET __attribute__((target("avx2")))
#define NAMED(name) name##_4
#include "kernel/sums_lanes.h"

#define LANES 8
#define TARGET __attribute__((target("avx512f")))
#define NAMED(name) name##_8
#include "kernel/sums_lanes.h"
#endif

static double one_sum(rls2__term term, const rls2__pairs *p, int64_t i, int64_t w)
{
    double sum = term == RLS2__TERM_EQUAL ? 1.0 : 0.0;
    for (int64_t t = 0; t < p->count; t++) {
        double x = p->a[p->columns[t] * p->lda + i], z = p->b[p->columns[t] * p->ldb + w];
        switch (term) {
        case RLS2__TERM_PRODUCT: sum += x * z; break;
        case RLS2__TERM_SQUARE: sum += (x - z) * (x - z); break;
        case RLS2__TERM_WEIGHTED: sum += (x - z) * (x - z) * p->weights[t]; break;
        case RLS2__TERM_ABSOLUTE: sum += fabs(x - z); break;
        case RLS2__TERM_EQUAL: sum = x == z ? sum : 0.0; break;
        }
    }
    return sum;
}

static void few_rows(rls2__term term, const rls2__pairs *p, double *out)
{
    for (int64_t w = 0; w < p->width; w++)
        for (int64_t i = 0; i < p->n; i++) out[w * p->n + i] = one_sum(term, p, i, w);
}

void rls2__sum_terms(rls2__term term, const rls2__pairs *pairs, double *out)
{
    if (pairs->n < SHORT) {
        few_rows(term, pairs, out);
        return;
    }
#if defined(RLS2_MULTIVERSION) && RLS2_MULTIVERSION
    if (__builtin_cpu_supports("avx512f")) {
        sum_terms_8(term, pairs, out);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        sum_terms_4(term, pairs, out);
        return;
    }
#endif
    sum_terms_2(term, pairs, out);
}
