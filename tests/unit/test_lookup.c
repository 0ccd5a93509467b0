/* Names of others in a hash table: chosen as badly as can be, they are found as fast as any. */
#include <stdio.h>
#include <string.h>

#include "base/lookup.h"
#include "base/siphash.h"
#include "support/unit_support.h"

/* The reference implementation's: key 00 01 ... 0f, the bytes 00 01 ... of so many. */
static void siphash__reference_vectors__are_met(void **state)
{
    static const struct {
        size_t length;
        uint64_t hash;
    } VECTORS[] = {
        {0, 0x726fdb47dd0e0e31},  {1, 0x74f839c593dc67fd},  {7, 0xab0200f58b01d137},
        {8, 0x93f5f5799a932462},  {15, 0xa129ca6149be45e5}, {16, 0x3f2acc7f57c29bdb},
        {63, 0x958a324ceb064572},
    };
    const rls2__sip_key key = {{0x0706050403020100, 0x0f0e0d0c0b0a0908}};
    unsigned char bytes[64];
    (void)state;
    for (int i = 0; i < 64; i++) bytes[i] = (unsigned char)i;
    for (size_t i = 0; i < sizeof VECTORS / sizeof VECTORS[0]; i++)
        assert_true(rls2__siphash(&key, bytes, VECTORS[i].length) == VECTORS[i].hash);
}

static void sip_key_make__twice__differs(void **state)
{
    (void)state;
    rls2__sip_key a = rls2__sip_key_make(), b = rls2__sip_key_make();
    assert_memory_not_equal(&a, &b, sizeof a);
}

/* FNV-1a without a key, its halves folded: what names can be chosen for. */
static uint64_t fnv(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash ^ (hash >> 32);
}

enum { NAMES = 1024, SLOTS = 4 * NAMES };

/* Names that all have the same place in a table of up to SLOTS places. */
static void choose_names(char names[NAMES][16])
{
    for (int number = 0, found = 0; found < NAMES; number++) {
        snprintf(names[found], sizeof names[found], "x%d", number);
        found += fnv(names[found]) % SLOTS == 0;
    }
}

/* Places that finding each text once looks at: about 1.5 for a text. */
static int64_t probes_of(const rls2__lookup *lookup)
{
    int64_t slots = lookup->capacity * 2, probes = 0;
    for (int64_t at = 0; at < slots; at++) {
        if (lookup->slots[at] == 0) continue;
        uint64_t home = lookup->hashes[lookup->slots[at] - 1] & (uint64_t)(slots - 1);
        probes += ((at - (int64_t)home) & (slots - 1)) + 1;
    }
    return probes;
}

/* With that hash the probes would be NAMES * NAMES / 2, half a million; of a hash that spreads they
 * are 1.25 to 1.5 for a name, and that a random key makes three of them is out of the question. */
static void lookup__names_that_collide_without_a_key__lie_apart(void **state)
{
    static char names[NAMES][16];
    rls2__lookup *lookup = rls2__lookup_create();
    (void)state;
    choose_names(names);
    for (int i = 0; i < NAMES; i++) assert_int_equal(rls2__lookup_add(lookup, names[i]), i);
    assert_true(probes_of(lookup) >= NAMES);
    assert_true(probes_of(lookup) < 3 * NAMES);
    for (int i = 0; i < NAMES; i++) {
        assert_int_equal(rls2__lookup_find(lookup, names[i]), i);
        assert_string_equal(rls2__lookup_text(lookup, i), names[i]);
    }
    rls2__lookup_free(lookup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(siphash__reference_vectors__are_met),
        cmocka_unit_test(sip_key_make__twice__differs),
        cmocka_unit_test(lookup__names_that_collide_without_a_key__lie_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
