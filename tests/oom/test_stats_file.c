/* Every allocation of packing, unpacking, saving and loading statistics fails once: alone, and with
 * those that come after it. The call then reports it and writes nothing; a file that was there
 * stays as it was. (What the JSON library allocates is its own affair.) */
#include "failing_allocator.h"

#include <stdio.h>
#include <unistd.h>

#include "support/made_stats.h"

static rls2_stats *made[MADE_STATS_CASES];
static char path[64];

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < MADE_STATS_CASES; i++) made[i] = made_stats_whole(made_stats_cases[i]);
    snprintf(path, sizeof path, "/tmp/rls2-oom-%d.stats", (int)getpid());
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < MADE_STATS_CASES; i++) rls2_stats_free(made[i]);
    unlink(path);
    return 0;
}

static void add_stats(result *r, const rls2_stats *stats)
{
    const rls2__counts *c = stats->counts;
    add_value(r, (double)rls2_stats_rows(stats));
    add_value(r, (double)(rls2_stats_fingerprint(stats) >> 12));
    for (int64_t i = 0; i < c->points; i++) add_value(r, (double)c->mass[i]);
    for (int64_t a = 0; a < rls2_stats_axis_count(stats); a++)
        add_text(r, rls2_stats_axis_name(stats, a));
    for (int64_t k = 0; k < rls2_stats_kernel_count(stats); k++)
        add_text(r, rls2_stats_kernel_name(stats, k));
    add_values(r, stats->sample->rows, stats->sample->y);
}

static rls2_status pack_case_of(const rls2_stats *stats, result *r, rls2_error *err)
{
    void *bytes = UNTOUCHED;
    int64_t length = -1;
    rls2_status status;
    ARMED(status = rls2_stats_pack(stats, &bytes, &length, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(bytes, UNTOUCHED);
        assert_int_equal(length, -1);
        return status;
    }
    add_value(r, (double)length);
    for (int64_t i = 0; i < length; i += 64) add_value(r, ((unsigned char *)bytes)[i]);
    rls2_bytes_free(bytes);
    return status;
}

static rls2_status unpack_case_of(const rls2_stats *stats, result *r, rls2_error *err)
{
    packed p = pack_stats(stats);
    rls2_stats *again = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_stats_unpack("s.stats", p.bytes, p.length, &again, err));
    rls2_bytes_free(p.bytes);
    if (status != RLS2_OK) {
        assert_ptr_equal(again, UNTOUCHED);
        return status;
    }
    add_stats(r, again);
    rls2_stats_free(again);
    return status;
}

#define FOR_CASE(number)                                                                           \
    static rls2_status pack_##number(result *r, rls2_error *err)                                   \
    {                                                                                              \
        return pack_case_of(made[number], r, err);                                                 \
    }                                                                                              \
    static rls2_status unpack_##number(result *r, rls2_error *err)                                 \
    {                                                                                              \
        return unpack_case_of(made[number], r, err);                                               \
    }
FOR_CASE(0)
FOR_CASE(1)
FOR_CASE(2)
FOR_CASE(3)
FOR_CASE(4)

/* Where saving fails, the file is still the other one. */
static rls2_status save(result *r, rls2_error *err)
{
    rls2_stats *loaded = NULL;
    rls2_status status;
    assert_int_equal(rls2_stats_save(made[1], path, NULL), RLS2_OK);
    ARMED(status = rls2_stats_save(made[3], path, err));
    assert_int_equal(rls2_stats_load(path, &loaded, NULL), RLS2_OK);
    assert_int_equal(rls2_stats_class_count(loaded), status == RLS2_OK ? 3 : 0);
    add_stats(r, loaded);
    rls2_stats_free(loaded);
    return status;
}

static rls2_status load(result *r, rls2_error *err)
{
    rls2_stats *loaded = UNTOUCHED;
    rls2_status status;
    assert_int_equal(rls2_stats_save(made[0], path, NULL), RLS2_OK);
    ARMED(status = rls2_stats_load(path, &loaded, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(loaded, UNTOUCHED);
        return status;
    }
    add_stats(r, loaded);
    rls2_stats_free(loaded);
    return status;
}

static const sweep sweeps[] = {
    {"stats_pack__gaps", pack_0, STRICT},
    {"stats_unpack__gaps", unpack_0, STRICT},
    {"stats_pack__plain", pack_1, STRICT},
    {"stats_unpack__plain", unpack_1, STRICT},
    {"stats_pack__weights", pack_2, STRICT},
    {"stats_unpack__weights", unpack_2, STRICT},
    {"stats_pack__classes", pack_3, STRICT},
    {"stats_unpack__classes", unpack_3, STRICT},
    {"stats_pack__unwritten", pack_4, STRICT},
    {"stats_unpack__unwritten", unpack_4, STRICT},
    {"stats_save", save, STRICT},
    {"stats_load", load, STRICT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
