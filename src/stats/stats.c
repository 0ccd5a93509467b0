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
    rls2__free(stats);
}
