/* A seeded generator (xoshiro256++), the same on every machine. */
#ifndef RLS2_BASE_RANDOM_H
#define RLS2_BASE_RANDOM_H

#include <stdint.h>

typedef struct rls2__random {
    uint64_t state[4];
} rls2__random;

void rls2__random_seed(rls2__random *random, uint64_t seed);
uint64_t rls2__random_bits(rls2__random *random);
/* Uniform in [0, 1), 53 bits. */
double rls2__random_uniform(rls2__random *random);
/* Standard normal (polar method). */
double rls2__random_normal(rls2__random *random);
/* Uniform in 0 .. bound-1, without bias; bound > 0. */
int64_t rls2__random_below(rls2__random *random, int64_t bound);
/* A random order of 0 .. n-1. */
void rls2__random_permutation(rls2__random *random, int64_t n, int64_t *order);

#endif
