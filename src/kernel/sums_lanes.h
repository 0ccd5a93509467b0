/* Included by sums.c once for each instruction set, with
 *   LANES  doubles in one of its vectors,
 *   TARGET the attribute that asks for it,
 *   NAMED(name) the name of a function of this inclusion.
 *
 * The compiler would vectorise a plain loop over rows just as well, but it would carry every
 * partial sum to memory and back for each column. Here those of a block of rows, and of several
 * rows of b, stay in registers. */

typedef double NAMED(vector) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef int64_t NAMED(mask) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

/* term, rows (a multiple of LANES) and width are constants wherever this is called. */
TARGET __attribute__((always_inline)) static inline void
NAMED(block)(const rls2__term term, const int rows, const int width, const rls2__pairs *p,
             int64_t first, int64_t at, double *out)
{
    NAMED(vector) sum[MOST_SUMS], x[MOST_SUMS];
    const int parts = rows / LANES;
#pragma GCC unroll 16
    for (int k = 0; k < width * parts; k++)
        sum[k] = (NAMED(vector)){0} + (term == RLS2__TERM_EQUAL ? 1.0 : 0.0);
    for (int64_t t = 0; t < p->count; t++) {
        const double *a = p->a + p->columns[t] * p->lda + first,
                     *b = p->b + p->columns[t] * p->ldb + at;
        const double weight = term == RLS2__TERM_WEIGHTED ? p->weights[t] : 1.0;
#pragma GCC unroll 16
        for (int k = 0; k < parts; k++) x[k] = *(const NAMED(vector) *)(a + k * LANES);
#pragma GCC unroll 4
        for (int w = 0; w < width; w++) {
            const double z = b[w];
#pragma GCC unroll 16
            for (int k = 0; k < parts; k++) {
                NAMED(vector) *s = &sum[w * parts + k];
                const NAMED(vector) d = x[k] - z;
                if (term == RLS2__TERM_PRODUCT) *s += x[k] * z;
                if (term == RLS2__TERM_SQUARE) *s += d * d;
                if (term == RLS2__TERM_WEIGHTED) *s += d * d * weight;
                if (term == RLS2__TERM_ABSOLUTE) *s += (NAMED(vector))((NAMED(mask))d & INT64_MAX);
                if (term == RLS2__TERM_EQUAL)
                    *s = (NAMED(vector))((NAMED(mask)) * s & (NAMED(mask))(x[k] == z));
            }
        }
    }
#pragma GCC unroll 4
    for (int w = 0; w < width; w++)
#pragma GCC unroll 16
        for (int k = 0; k < parts; k++)
            *(NAMED(vector) *)(out + (at + w) * p->n + first + k * LANES) = sum[w * parts + k];
}

/* Blocks are TALL where there are 32 registers, those of AVX-512. The last block overlaps the one
 * before it where rows are left over: sums written twice are the same. */
TARGET __attribute__((always_inline)) static inline void
NAMED(all)(const rls2__term term, const rls2__pairs *p, double *out)
{
    int64_t w = 0, n = p->n, last = n - SHORT;
    for (; w + TOGETHER <= p->width; w += TOGETHER) {
        int64_t i = 0;
        for (; LANES == 8 && i + TALL <= n; i += TALL)
            NAMED(block)(term, TALL, TOGETHER, p, i, w, out);
        for (; i < last; i += SHORT) NAMED(block)(term, SHORT, TOGETHER, p, i, w, out);
        if (i < n) NAMED(block)(term, SHORT, TOGETHER, p, last, w, out);
    }
    for (; w < p->width; w++) {
        int64_t i = 0;
        for (; i + LONG <= n; i += LONG) NAMED(block)(term, LONG, 1, p, i, w, out);
        for (; i < last; i += SHORT) NAMED(block)(term, SHORT, 1, p, i, w, out);
        if (i < n) NAMED(block)(term, SHORT, 1, p, last, w, out);
    }
}

/* n >= SHORT */
TARGET static void NAMED(sum_terms)(rls2__term term, const rls2__pairs *p, double *out)
{
    switch (term) {
    case RLS2__TERM_PRODUCT: NAMED(all)(RLS2__TERM_PRODUCT, p, out); break;
    case RLS2__TERM_SQUARE: NAMED(all)(RLS2__TERM_SQUARE, p, out); break;
    case RLS2__TERM_WEIGHTED: NAMED(all)(RLS2__TERM_WEIGHTED, p, out); break;
    case RLS2__TERM_ABSOLUTE: NAMED(all)(RLS2__TERM_ABSOLUTE, p, out); break;
    case RLS2__TERM_EQUAL: NAMED(all)(RLS2__TERM_EQUAL, p, out); break;
    }
}

#undef LANES
#undef TARGET
#undef NAMED
