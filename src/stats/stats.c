/* The life of statistics. */
#include "stats/stats.h"

void rls2__stats_free(rls2_stats *stats)
{
    if (!stats) return;
    rls2__counts_free(stats->counts);
    rls2__features_free(stats->features);
    rls2__axes_free(stats->axes);
    rls2_dataset_free(stats->sample);
    rls2_table_free(stats->table);
    rls2__free(stats->factors);
    rls2__free(stats);
}

/* SplitMix64 of the seed and the number. */
int32_t rls2__stats_part(uint64_t seed, uint64_t row, int64_t parts)
{
    uint64_t z = seed * 0xd1342543de82ef95u + (row + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (int32_t)((z >> 32) * (uint64_t)parts >> 32);
}
