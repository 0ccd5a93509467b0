/* The paper's Experiment 1: units (seed and size), the check, and how they are run. */
#include "experiments/binary_strings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_SEEDS = 5 };

/* ---- data ---- */

static void draw_order(experiment_random *random, int *order)
{
    for (int j = 0; j < STRING_BITS; j++) order[j] = j;
    for (int j = STRING_BITS - 1; j > 0; j--) {
        int other = (int)(experiment_random_uniform(random) * (j + 1)), bit = order[j];
        order[j] = order[other];
        order[other] = bit;
    }
}

void string_data_draw(string_data *data, uint64_t seed)
{
    experiment_random random;
    experiment_random_seed(&random, seed);
    draw_order(&random, data->bit);
    for (int i = 0; i < STRING_ROWS; i++) {
        double bits[STRING_BITS];
        for (int b = 0; b < STRING_BITS; b++)
            bits[b] = experiment_random_uniform(&random) < 0.5 ? 0.0 : 1.0;
        for (int j = 0; j < STRING_BITS; j++) data->x[j * STRING_ROWS + i] = bits[data->bit[j]];
        data->y[i] = bits[0] + bits[1] + bits[2] + STRING_NOISE * experiment_random_normal(&random);
    }
    for (int j = 0; j < STRING_BITS; j++) {
        snprintf(data->names[j], sizeof data->names[j], "b%d", data->bit[j] + 1);
        data->name_list[j] = data->names[j];
    }
}

/* ---- units ---- */

typedef struct job {
    uint64_t seed;
    const string_data *const *data; /* of each seed */
} job;

static void name_unit(const void *user, int64_t unit, char key[UNIT_KEY_ROOM])
{
    const job *it = user;
    snprintf(key, UNIT_KEY_ROOM, "%" PRIu64 "/%" PRId64, it->seed + (uint64_t)(unit / STRING_TRAIN),
             unit % STRING_TRAIN + 1);
}

static rls2_status compute_unit(const void *user, int64_t unit, units_watcher *watch,
                                double *values, rls2_error *err)
{
    const job *it = user;
    string_unit found = {0};
    rls2_status status = string_unit_compute(it->data[unit / STRING_TRAIN], unit % STRING_TRAIN + 1,
                                             watch, &found, err);
    memcpy(values, &found, sizeof found);
    return status;
}

static void name_check(const void *user, int64_t unit, char key[UNIT_KEY_ROOM])
{
    const job *it = user;
    snprintf(key, UNIT_KEY_ROOM, "check/%" PRIu64 "/%" PRId64,
             it->seed + (uint64_t)(unit / STRING_CHECK_SIZES),
             string_check_sizes[unit % STRING_CHECK_SIZES]);
}

static rls2_status compute_check(const void *user, int64_t unit, units_watcher *watch,
                                 double *values, rls2_error *err)
{
    (void)watch;
    const job *it = user;
    string_check found = {0};
    rls2_status status =
        string_check_compute(it->data[unit / STRING_CHECK_SIZES],
                             string_check_sizes[unit % STRING_CHECK_SIZES], &found, err);
    memcpy(values, &found, sizeof found);
    return status;
}

/* ---- all of them ---- */

typedef struct room {
    string_data **data; /* own, as the others */
    string_unit *units;
    string_check *checks;
} room;

static void room_free(room *rooms, int64_t seeds)
{
    for (int64_t s = 0; rooms->data && s < seeds; s++) free(rooms->data[s]);
    free(rooms->data);
    free(rooms->units);
    free(rooms->checks);
}

static rls2_status room_make(room *rooms, int64_t seeds, int64_t checked, uint64_t seed,
                             rls2_error *err)
{
    rooms->data = calloc((size_t)seeds, sizeof *rooms->data);
    rooms->units = calloc((size_t)(seeds * STRING_TRAIN), sizeof *rooms->units);
    rooms->checks = calloc((size_t)(checked * STRING_CHECK_SIZES), sizeof *rooms->checks);
    int ok = rooms->data && rooms->units && rooms->checks;
    for (int64_t s = 0; ok && s < seeds; s++) {
        rooms->data[s] = malloc(sizeof **rooms->data);
        ok = rooms->data[s] != NULL;
        if (ok) string_data_draw(rooms->data[s], seed + (uint64_t)s);
    }
    return ok ? RLS2_OK : experiment_fail(err, RLS2_ERR_MEMORY, "out of memory: binary strings");
}

static rls2_status run_units(const reproduction *r, const room *rooms,
                             const string_results *results, journal *j, rls2_error *err)
{
    job it = {.seed = r->seed * 1000, .data = (const string_data *const *)rooms->data};
    int64_t checks = results->checked * STRING_CHECK_SIZES, fits = results->seeds * STRING_TRAIN;
    units check = {.stage = "checks of the Lasso",
                   .count = checks,
                   .width = STRING_CHECK_WIDTH,
                   .total = checks + fits,
                   .user = &it,
                   .key = name_check,
                   .compute = compute_check};
    units curves = {.stage = "learning curves",
                    .count = fits,
                    .width = STRING_WIDTH,
                    .before = checks,
                    .total = checks + fits,
                    .user = &it,
                    .key = name_unit,
                    .compute = compute_unit};
    rls2_status status = units_run(r, &check, j, (double *)(void *)rooms->checks, err);
    return status == RLS2_OK ? units_run(r, &curves, j, (double *)(void *)rooms->units, err)
                             : status;
}

static rls2_status show(const string_results *results, sheet **shown, rls2_error *err)
{
    sheet *s = sheet_create("binary-strings", "Binary strings (sec. 5.1, Experiment 1)");
    if (s) string_show(results, s);
    if (!s || !string_show_figures(results, s)) {
        sheet_free(s);
        return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory: the results");
    }
    *shown = s;
    return RLS2_OK;
}

rls2_status experiment_binary_strings(const reproduction *r, sheet **shown, rls2_error *err)
{
    string_results results = {.seeds = r->splits > 0 ? r->splits : STRING_SEEDS};
    results.checked = results.seeds < CHECK_SEEDS ? results.seeds : CHECK_SEEDS;
    char settings[256];
    room rooms = {0};
    journal *j = NULL;
    snprintf(settings, sizeof settings, "%d lambdas, gap 1e-6", STRING_LAMBDAS);
    rls2_status status = room_make(&rooms, results.seeds, results.checked, r->seed * 1000, err);
    if (status == RLS2_OK) status = journal_open_for(r, "binary-strings", settings, &j, err);
    if (status == RLS2_OK) status = run_units(r, &rooms, &results, j, err);
    results.units = rooms.units;
    results.checks = rooms.checks;
    if (status == RLS2_OK) status = show(&results, shown, err);
    journal_close(j);
    room_free(&rooms, results.seeds);
    return status;
}
