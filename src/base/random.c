/* Uniform, normal and bounded numbers, and permutations, from xoshiro256++. */
#include "base/random.h"

#include <math.h>

#include "base/invariant.h"

static uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

/* splitmix64: spreads any seed, zero included, over the whole state. */
void rls2__random_seed(rls2__random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        random->state[i] = z ^ (z >> 31);
    }
}

uint64_t rls2__random_bits(rls2__random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double rls2__random_uniform(rls2__random *random)
{
    return (double)(rls2__random_bits(random) >> 11) * 0x1.0p-53;
}

double rls2__random_normal(rls2__random *random)
{
    for (;;) {
        double u = 2.0 * rls2__random_uniform(random) - 1.0;
        double v = 2.0 * rls2__random_uniform(random) - 1.0;
        double r = u * u + v * v;
        if (r > 0.0 && r < 1.0) return u * sqrt(-2.0 * log(r) / r);
    }
}

int64_t rls2__random_below(rls2__random *random, int64_t bound)
{
    rls2__invariant(bound > 0);
    uint64_t n = (uint64_t)bound;
    uint64_t limit = UINT64_MAX - UINT64_MAX % n;
    uint64_t bits;
    do bits = rls2__random_bits(random);
    while (bits >= limit);
    return (int64_t)(bits % n);
}

void rls2__random_permutation(rls2__random *random, int64_t n, int64_t *order)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t j = rls2__random_below(random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    rls2__invariant(rls2__is_within(n, order, n));
}
