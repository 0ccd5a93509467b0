/* Any bytes as a file of statistics; mutate.h gives most of them the right checksum. They are
 * refused with a terminated message, or make statistics that can be looked at, pack to a file that
 * is read again and packs to itself, and can be added to themselves, or say why not. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "rls2/rls2.h"
#include "stats/counts_check.h"
#include "stats/stats.h"

static void check_failure(const rls2_error *err, rls2_status status)
{
    require(err->status == status);
    require(memchr(err->message, '\0', sizeof err->message) != NULL);
    require(strncmp(err->message, "fuzz: ", 6) == 0 || status == RLS2_ERR_MEMORY);
}

static void look(const rls2_stats *stats)
{
    require(rls2_stats_rows(stats) >= 0 && rls2_stats_left_out(stats) >= 0);
    require(rls2_stats_target_name(stats, 0) != NULL && rls2_stats_bytes(stats) > 0);
    for (int64_t a = 0; a < rls2_stats_axis_count(stats); a++)
        require(rls2_stats_axis_name(stats, a) && rls2_stats_axis_points(stats, a) >= 1);
    for (int64_t k = 0; k < rls2_stats_kernel_count(stats); k++)
        require(rls2_stats_kernel_name(stats, k) && rls2_stats_kernel_landmarks(stats, k) >= 1);
}

/* Rows of the sample are placed on the axes, and evaluated. */
static void count_again(const rls2_stats *stats)
{
    const rls2_dataset *sample = stats->sample;
    int64_t n = sample->rows < 8 ? sample->rows : 8, order[8];
    uint16_t at[8];
    uint8_t share[8];
    for (int64_t i = 0; i < n; i++) order[i] = i;
    for (int64_t a = 0; a < stats->axes->count; a++) {
        rls2__axis_place(&stats->axes->all[a], sample->x, sample->rows, n, order, at, share);
        for (int64_t i = 0; i < n; i++) require(at[i] + (share[i] > 0) < stats->axes->all[a].count);
    }
    if (!stats->features) return;
    double *phi = malloc((size_t)(n * stats->features->total) * sizeof *phi);
    require(phi != NULL);
    (void)rls2__features_values(stats->features, sample->x, sample->rows, n, order, phi);
    free(phi);
}

static void check_stats(rls2_stats *stats)
{
    void *bytes[2] = {NULL, NULL};
    int64_t length[2], rows = rls2_stats_rows(stats);
    rls2_stats *again = NULL;
    rls2_error err = {.message = ""};
    require(rls2_stats_pack(stats, &bytes[0], &length[0], NULL) == RLS2_OK);
    require(rls2_stats_unpack("again", bytes[0], length[0], &again, NULL) == RLS2_OK);
    require(rls2_stats_pack(again, &bytes[1], &length[1], NULL) == RLS2_OK);
    require(length[0] == length[1] && memcmp(bytes[0], bytes[1], (size_t)length[0]) == 0);
    rls2_status status = rls2_stats_merge(stats, again, &err);
    require(status == RLS2_OK || (status == RLS2_ERR_VALUE && err.status == status));
    require(rls2_stats_rows(stats) == (status == RLS2_OK ? 2 * rows : rows));
    require(status != RLS2_OK || !rls2__counts_check(stats->counts).what);
    rls2_stats_free(again);
    rls2_bytes_free(bytes[0]);
    rls2_bytes_free(bytes[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rls2_stats *stats = NULL;
    rls2_error err = {.message = ""};
    rls2_status status = rls2_stats_unpack("fuzz", data, (int64_t)size, &stats, &err);
    require((stats != NULL) == (status == RLS2_OK));
    if (status != RLS2_OK) {
        check_failure(&err, status);
    } else {
        look(stats);
        count_again(stats);
        check_stats(stats);
    }
    rls2_stats_free(stats);
    return 0;
}
