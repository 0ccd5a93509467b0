/* Every allocation of packing, unpacking, merging and loading profiles fails once: alone, and with
 * those that come after it. (What the JSON library allocates is its own affair.) */
#include "failing_allocator.h"

#include <stdio.h>
#include <unistd.h>

#include "support/made_profile.h"

static rls2_profile *made[MADE_PROFILE_CASES];

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < MADE_PROFILE_CASES; i++)
        made[i] = made_profile_whole(made_profile_cases[i]);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < MADE_PROFILE_CASES; i++) rls2_profile_free(made[i]);
    return 0;
}

static void add_packed(result *r, const rls2_profile *profile)
{
    packed p = pack_profile(profile);
    add_value(r, (double)p.length);
    for (int64_t i = 0; i < p.length; i += 64) add_value(r, p.bytes[i]);
    rls2_bytes_free(p.bytes);
}

static rls2_status pack_of(int number, result *r, rls2_error *err)
{
    void *bytes = UNTOUCHED;
    int64_t length = -1;
    rls2_status status;
    ARMED(status = rls2_profile_pack(made[number], &bytes, &length, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(bytes, UNTOUCHED);
        assert_int_equal(length, -1);
        return status;
    }
    add_value(r, (double)length);
    rls2_bytes_free(bytes);
    return status;
}

static rls2_status unpack_of(int number, result *r, rls2_error *err)
{
    packed p = pack_profile(made[number]);
    rls2_profile *again = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_profile_unpack("p", p.bytes, p.length, &again, err));
    rls2_bytes_free(p.bytes);
    if (status != RLS2_OK) {
        assert_ptr_equal(again, UNTOUCHED);
        return status;
    }
    add_packed(r, again);
    rls2_profile_free(again);
    return status;
}

/* Where memory ends what was there is of no use, but can be freed. */
static rls2_status merge_of(int number, result *r, rls2_error *err)
{
    int64_t rows[MADE_PROFILE_ROWS];
    for (int64_t i = 0; i < MADE_PROFILE_ROWS; i++) rows[i] = i;
    const char *name = made_profile_cases[number];
    rls2_profile *into = made_profile(name, 15, rows), *from = made_profile(name, 100, rows + 15);
    rls2_status status;
    ARMED(status = rls2_profile_merge(into, from, err));
    if (status == RLS2_OK) add_packed(r, into);
    rls2_profile_free(into);
    rls2_profile_free(from);
    return status;
}

#define FOR_CASE(number)                                                                           \
    static rls2_status pack_##number(result *r, rls2_error *err)                                   \
    {                                                                                              \
        return pack_of(number, r, err);                                                            \
    }                                                                                              \
    static rls2_status unpack_##number(result *r, rls2_error *err)                                 \
    {                                                                                              \
        return unpack_of(number, r, err);                                                          \
    }                                                                                              \
    static rls2_status merge_##number(result *r, rls2_error *err)                                  \
    {                                                                                              \
        return merge_of(number, r, err);                                                           \
    }
FOR_CASE(0)
FOR_CASE(1)
FOR_CASE(2)

static const sweep sweeps[] = {
    {"profile_pack__texts", pack_0, STRICT},       {"profile_unpack__texts", unpack_0, STRICT},
    {"profile_merge__texts", merge_0, STRICT},     {"profile_pack__weights", pack_1, STRICT},
    {"profile_unpack__weights", unpack_1, STRICT}, {"profile_merge__weights", merge_1, STRICT},
    {"profile_pack__unwritten", pack_2, STRICT},   {"profile_unpack__unwritten", unpack_2, STRICT},
    {"profile_merge__unwritten", merge_2, STRICT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
