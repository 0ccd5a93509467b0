/* Means, shares and medians over the seeds. */
#include "experiments/binary_strings_seeds.h"

#include <math.h>
#include <stdlib.h>

const string_unit *string_unit_at(const string_results *results, int64_t seed, int64_t size)
{
    return &results->units[seed * STRING_TRAIN + size - 1];
}

typedef struct picked {
    const string_results *results;
    int64_t size;
    string_pick pick;
    int which;
} picked;

static double picked_value(const void *user, int64_t seed)
{
    const picked *of = user;
    return of->pick(string_unit_at(of->results, seed, of->size), of->which);
}

experiment_moments string_moments(const string_results *results, int64_t size, string_pick pick,
                                  int which)
{
    const picked of = {results, size, pick, which};
    return experiment_moments_by(results->seeds, picked_value, &of);
}

double string_mean(const string_results *results, int64_t size, string_pick pick, int which)
{
    return string_moments(results, size, pick, which).mean;
}

double string_ones(const string_results *results, int64_t size, int which)
{
    double sum = 0.0, count = 0.0;
    for (int64_t s = 0; s < results->seeds; s++) {
        sum += string_unit_at(results, s, size)->ones[which];
        count += string_unit_at(results, s, size)->wrong[which];
    }
    return sum / count;
}

double string_share_lower(const string_results *results, int64_t first, int64_t last, int a, int b)
{
    double count = 0.0;
    for (int64_t size = first; size <= last; size++)
        for (int64_t s = 0; s < results->seeds; s++) {
            const string_unit *unit = string_unit_at(results, s, size);
            count += unit->rmse[a] < 0.99 * unit->rmse[b];
        }
    return 100.0 * count / (double)(results->seeds * (last - first + 1));
}

int64_t string_learned_from(const string_results *results, int64_t from, int64_t to, int which)
{
    int64_t size = STRING_TRAIN;
    for (; size >= 1; size--) {
        double sum = 0.0;
        for (int64_t s = from; s < to; s++) sum += string_unit_at(results, s, size)->rmse[which];
        if (!(sum / (double)(to - from) < 2.0 * STRING_NOISE)) break;
    }
    return size + 1;
}

static int by_value(const void *a, const void *b)
{
    double u = *(const double *)a, v = *(const double *)b;
    return (u > v) - (u < v);
}

double string_median_learned(const string_results *results, int which)
{
    int64_t n = results->seeds;
    double *sizes = malloc((size_t)n * sizeof *sizes);
    if (!sizes) return (double)NAN;
    for (int64_t s = 0; s < n; s++)
        sizes[s] = (double)string_learned_from(results, s, s + 1, which);
    qsort(sizes, (size_t)n, sizeof *sizes, by_value);
    double median = 0.5 * (sizes[(n - 1) / 2] + sizes[n / 2]);
    free(sizes);
    return median;
}
