/* Public functions of rls2/stats.h that look at statistics. */
#include "stats/stats.h"

#include <math.h>

void rls2_stats_free(rls2_stats *stats)
{
    rls2__stats_free(stats);
}

int64_t rls2_stats_rows(const rls2_stats *stats)
{
    return stats ? stats->rows : 0;
}

int64_t rls2_stats_left_out(const rls2_stats *stats)
{
    return stats ? stats->left_out : 0;
}

int64_t rls2_stats_sample_rows(const rls2_stats *stats)
{
    return stats ? stats->sample->rows : 0;
}

int64_t rls2_stats_parts(const rls2_stats *stats)
{
    return stats ? stats->parts : 0;
}

uint64_t rls2_stats_seed(const rls2_stats *stats)
{
    return stats ? stats->seed : 0;
}

int rls2_stats_parts_by_number(const rls2_stats *stats)
{
    return stats ? stats->parts_by_number : 0;
}

uint64_t rls2_stats_fingerprint(const rls2_stats *stats)
{
    return stats ? stats->fingerprint : 0;
}

int64_t rls2_stats_bytes(const rls2_stats *stats)
{
    if (!stats) return 0;
    const rls2__counts *c = stats->counts;
    double bytes = rls2__counts_bytes(stats->axes, c->parts, c->outputs);
    if (c->featured)
        bytes += rls2__feature_sums_bytes(stats->axes, stats->features, c->parts, c->outputs,
                                          c->is_weighted);
    return (int64_t)bytes;
}

double rls2_stats_class_weight(const rls2_stats *stats, int64_t class_index)
{
    if (class_index < 0 || class_index >= rls2_stats_class_count(stats)) return (double)NAN;
    return stats->factors ? stats->factors[class_index] : 1.0;
}

/* ---- columns ---- */

int64_t rls2_stats_target_count(const rls2_stats *stats)
{
    return stats ? stats->sample->encoder->target_count : 0;
}

const char *rls2_stats_target_name(const rls2_stats *stats, int64_t target)
{
    if (target < 0 || target >= rls2_stats_target_count(stats)) return NULL;
    return stats->sample->encoder->targets[target];
}

int64_t rls2_stats_outputs(const rls2_stats *stats)
{
    return stats ? stats->counts->outputs : 0;
}

int64_t rls2_stats_class_count(const rls2_stats *stats)
{
    return stats ? stats->sample->encoder->label_count : 0;
}

const char *rls2_stats_class_label(const rls2_stats *stats, int64_t k)
{
    if (k < 0 || k >= rls2_stats_class_count(stats)) return NULL;
    return stats->sample->encoder->labels[k];
}

int64_t rls2_stats_input_count(const rls2_stats *stats)
{
    return stats ? stats->sample->encoder->count : 0;
}

const char *rls2_stats_input_name(const rls2_stats *stats, int64_t input)
{
    if (input < 0 || input >= rls2_stats_input_count(stats)) return NULL;
    return stats->sample->encoder->inputs[input].name;
}

const char *rls2_stats_weight_name(const rls2_stats *stats)
{
    return stats ? stats->sample->encoder->weight : NULL;
}

int64_t rls2_stats_columns(const rls2_stats *stats)
{
    return stats ? stats->axes->columns : 0;
}

/* ---- axes and kernels ---- */

int64_t rls2_stats_axis_count(const rls2_stats *stats)
{
    return stats ? stats->axes->count : 0;
}

static const rls2__axis *axis_at(const rls2_stats *stats, int64_t axis)
{
    return axis >= 0 && axis < rls2_stats_axis_count(stats) ? &stats->axes->all[axis] : NULL;
}

const char *rls2_stats_axis_name(const rls2_stats *stats, int64_t axis)
{
    const rls2__axis *found = axis_at(stats, axis);
    return found ? rls2__axis_name(stats->sample->encoder, found) : NULL;
}

int64_t rls2_stats_axis_points(const rls2_stats *stats, int64_t axis)
{
    const rls2__axis *found = axis_at(stats, axis);
    return found ? found->count : 0;
}

int rls2_stats_axis_is_exact(const rls2_stats *stats, int64_t axis)
{
    return axis_at(stats, axis) ? rls2__counts_is_exact(stats->counts, axis) : 0;
}

int64_t rls2_stats_axis_beyond(const rls2_stats *stats, int64_t axis)
{
    return axis_at(stats, axis) ? stats->counts->beyond[axis] : 0;
}

int64_t rls2_stats_kernel_count(const rls2_stats *stats)
{
    return stats && stats->features ? stats->features->count : 0;
}

static const rls2__feature_block *block_at(const rls2_stats *stats, int64_t kernel)
{
    int is_there = kernel >= 0 && kernel < rls2_stats_kernel_count(stats);
    return is_there ? &stats->features->all[kernel] : NULL;
}

const char *rls2_stats_kernel_name(const rls2_stats *stats, int64_t kernel)
{
    const rls2__feature_block *found = block_at(stats, kernel);
    return found ? found->kernel.name : NULL;
}

int64_t rls2_stats_kernel_landmarks(const rls2_stats *stats, int64_t kernel)
{
    const rls2__feature_block *found = block_at(stats, kernel);
    return found ? found->count : 0;
}
