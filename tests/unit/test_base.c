/* Memory, random numbers, error texts. */
#include "support/unit_support.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/status.h"

/* ---- sizes ---- */

static void mul__product_fits__is_the_product(void **state)
{
    (void)state;
    assert_true(rls2__mul(0, INT64_MAX) == 0);
    assert_true(rls2__mul(INT64_MAX, 0) == 0);
    assert_true(rls2__mul(INT64_MAX, 1) == INT64_MAX);
    assert_true(rls2__mul(INT64_C(1) << 31, INT64_C(1) << 31) == INT64_C(1) << 62);
    assert_true(rls2__mul(INT64_MAX / 3, 3) == INT64_MAX / 3 * 3);
}

static void mul__product_overflows__is_minus_one(void **state)
{
    (void)state;
    assert_true(rls2__mul(INT64_MAX, 2) == -1);
    assert_true(rls2__mul(2, INT64_MAX) == -1);
    assert_true(rls2__mul(INT64_MAX / 3 + 1, 3) == -1);
    assert_true(rls2__mul(INT64_C(1) << 32, INT64_C(1) << 31) == -1);
    assert_true(rls2__mul(INT64_C(1) << 32, INT64_C(1) << 32) == -1); /* wraps to 0 */
}

static void mul__negative_factor__is_minus_one(void **state)
{
    (void)state;
    assert_true(rls2__mul(-1, 5) == -1);
    assert_true(rls2__mul(5, -1) == -1);
    assert_true(rls2__mul(0, -1) == -1);
    assert_true(rls2__mul(-2, -3) == -1);
    assert_true(rls2__mul(INT64_MIN, -1) == -1);
}

static void add__sum_fits_or_not__is_the_sum_or_minus_one(void **state)
{
    (void)state;
    assert_true(rls2__add(2, 3) == 5);
    assert_true(rls2__add(INT64_MAX, 0) == INT64_MAX);
    assert_true(rls2__add(INT64_MAX - 1, 1) == INT64_MAX);
    assert_true(rls2__add(INT64_MAX, 1) == -1);
    assert_true(rls2__add(INT64_MAX, INT64_MAX) == -1);
    assert_true(rls2__add(-1, 3) == -1);
    assert_true(rls2__add(3, -1) == -1);
}

/* ---- allocation ---- */

static void alloc__zero_bytes__is_a_pointer(void **state)
{
    (void)state;
    void *a = rls2__alloc(0, 8), *b = rls2__alloc(5, 0), *c = rls2__alloc_zero(0, 1);
    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(c);
    assert_ptr_not_equal(a, b);
    rls2__free(a);
    rls2__free(b);
    rls2__free(c);
    rls2__free(NULL);
}

static void alloc__negative_or_overflowing__is_null(void **state)
{
    (void)state;
    assert_null(rls2__alloc(-1, 8));
    assert_null(rls2__alloc(INT64_MIN, 1));
    assert_null(rls2__alloc(INT64_MAX, 8));
    assert_null(rls2__alloc(INT64_MAX, 1));
    assert_null(rls2__alloc(INT64_MAX - 63, 1));
    assert_null(rls2__alloc(1, SIZE_MAX));
    assert_null(rls2__alloc_zero(INT64_MAX / 8 + 1, 8));
    assert_null(rls2__alloc_zero(-5, 8));
}

static void alloc__odd_sizes__aligned_and_writable_to_the_end(void **state)
{
    (void)state;
    for (int64_t bytes = 1; bytes < 400; bytes += 13) {
        unsigned char *memory = rls2__alloc(bytes, 1);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % 64, 0);
        memset(memory, 0xa5, (size_t)bytes);
        rls2__free(memory);
    }
}

/* Below and above the size from which large pages are asked for. */
static void alloc_streamed__any_size__as_alloc(void **state)
{
    (void)state;
    const int64_t large = (int64_t)8 << 20;
    const int64_t sizes[] = {0, 1, 4097, large - 1, large, large + 1, large + 12345, 3 * large};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned char *memory = rls2__alloc_streamed(sizes[i], 1);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % 64, 0);
        memset(memory, 0xa5, (size_t)sizes[i]);
        rls2__free(memory);
    }
    assert_null(rls2__alloc_streamed(-1, 8));
    assert_null(rls2__alloc_streamed(INT64_MAX, 8));
    assert_null(rls2__alloc_streamed(1, SIZE_MAX));
}

/* Arrays of odd sizes, and one of no size. */
typedef struct owner {
    int64_t count;
    char *bytes;
    double *none;
    double *numbers;
    int passes;
} owner;

static void lay_out_owner(rls2__layout *layout, void *given)
{
    owner *o = given;
    o->passes++;
    o->bytes = rls2__layout_take(layout, o->count, 1);
    o->none = rls2__layout_take(layout, 0, sizeof(double));
    o->numbers = rls2__layout_take(layout, rls2__mul(2, o->count), sizeof(double));
}

static void layout_alloc__several_arrays__aligned_apart_and_writable_to_the_end(void **state)
{
    (void)state;
    for (int64_t count = 0; count < 200; count += 7) {
        owner o = {.count = count};
        void *block = rls2__layout_alloc(lay_out_owner, &o);
        assert_non_null(block);
        assert_int_equal(o.passes, 2);
        assert_int_equal((uintptr_t)o.bytes % 64, 0);
        assert_int_equal((uintptr_t)o.none % 64, 0);
        assert_int_equal((uintptr_t)o.numbers % 64, 0);
        assert_true((char *)o.numbers >= o.bytes + count);
        memset(o.bytes, 1, (size_t)count);
        for (int64_t i = 0; i < 2 * count; i++) o.numbers[i] = (double)i;
        for (int64_t i = 0; i < count; i++) assert_int_equal(o.bytes[i], 1);
        rls2__free(block);
    }
}

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>

static void layout_alloc__under_a_sanitizer__what_lies_between_parts_is_closed(void **state)
{
    (void)state;
    owner o = {.count = 64};
    void *block = rls2__layout_alloc(lay_out_owner, &o);
    assert_non_null(block);
    assert_false(__asan_address_is_poisoned(o.bytes + 63));
    assert_true(__asan_address_is_poisoned(o.bytes + 64));
    assert_false(__asan_address_is_poisoned(o.numbers + 127));
    assert_true(__asan_address_is_poisoned(o.numbers + 128));
    rls2__free(block);
}
#endif

static void layout_alloc__sizes_overflow__is_null_and_no_array_is_there(void **state)
{
    (void)state;
    const int64_t counts[] = {-1, INT64_MAX, INT64_MAX - 64, INT64_MAX / 8, INT64_MAX / 17};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        owner o = {.count = counts[i]};
        assert_null(rls2__layout_alloc(lay_out_owner, &o));
        assert_int_equal(o.passes, 1);
        assert_null(o.bytes);
        assert_null(o.numbers);
    }
}

static void alloc_zero__memory_used_before__is_zero(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        unsigned char *memory = rls2__alloc_zero(1000, 3);
        assert_non_null(memory);
        for (int i = 0; i < 3000; i++) assert_int_equal(memory[i], 0);
        memset(memory, 0xff, 3000);
        rls2__free(memory);
    }
}

/* ---- arena ---- */

static void arena_alloc__many_sizes__aligned_zeroed_and_apart(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    rls2__arena *arena = rls2__arena_create();
    assert_non_null(arena);
    unsigned char **pieces = calloc(COUNT, sizeof *pieces);
    assert_non_null(pieces);
    for (int i = 0; i < COUNT; i++) {
        int64_t bytes = i % 97;
        pieces[i] = rls2__arena_alloc(arena, bytes);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % 16, 0);
        for (int64_t b = 0; b < bytes; b++) assert_int_equal(pieces[i][b], 0);
        memset(pieces[i], i % 251 + 1, (size_t)bytes);
    }
    for (int i = 0; i < COUNT; i++)
        for (int b = 0; b < i % 97; b++) assert_int_equal(pieces[i][b], i % 251 + 1);
    free(pieces);
    rls2__arena_free(arena);
}

static void arena_alloc__larger_than_a_block__whole_and_small_ones_still_served(void **state)
{
    (void)state;
    rls2__arena *arena = rls2__arena_create();
    unsigned char *small = rls2__arena_alloc(arena, 10);
    unsigned char *big = rls2__arena_alloc(arena, 1000003);
    unsigned char *after = rls2__arena_alloc(arena, 65536); /* a block's whole size */
    unsigned char *last = rls2__arena_alloc(arena, 65537);
    assert_true(small && big && after && last);
    assert_int_equal((uintptr_t)big % 16, 0);
    memset(small, 1, 10);
    memset(big, 2, 1000003);
    memset(after, 3, 65536);
    memset(last, 4, 65537);
    assert_int_equal(small[9], 1);
    assert_true(big[0] == 2 && big[1000002] == 2);
    assert_true(after[0] == 3 && after[65535] == 3);
    rls2__arena_free(arena);
    rls2__arena_free(NULL);
}

static void arena_alloc__impossible_size__is_null_and_the_arena_lives_on(void **state)
{
    (void)state;
    rls2__arena *arena = rls2__arena_create();
    assert_null(rls2__arena_alloc(arena, -1));
    assert_null(rls2__arena_alloc(arena, INT64_MAX));
    assert_null(rls2__arena_alloc(arena, INT64_MAX - 16));
    assert_null(rls2__arena_text(arena, "abc", -1));
    assert_null(rls2__arena_text(arena, "abc", INT64_MAX));
    assert_non_null(rls2__arena_alloc(arena, 1));
    rls2__arena_free(arena);
}

static void arena_text__part_of_a_text__copied_and_terminated(void **state)
{
    (void)state;
    rls2__arena *arena = rls2__arena_create();
    char *part = rls2__arena_text(arena, "kernel@x", 6);
    char *none = rls2__arena_text(arena, "kernel@x", 0);
    char *sixteen =
        rls2__arena_text(arena, "0123456789abcdefgh", 16); /* the NUL needs a further unit */
    char *next = rls2__arena_text(arena, "next", 4);
    assert_string_equal(part, "kernel");
    assert_string_equal(none, "");
    assert_string_equal(sixteen, "0123456789abcdef");
    assert_string_equal(next, "next");
    rls2__arena_free(arena);
}

/* ---- random numbers ---- */

/* The first outputs of the authors' reference program for this state. */
static void random_bits__state_1234__as_the_reference_program(void **state)
{
    (void)state;
    static const uint64_t expected[] = {UINT64_C(41943041), UINT64_C(58720359),
                                        UINT64_C(3588806011781223), UINT64_C(3591011842654386),
                                        UINT64_C(9228616714210784205)};
    rls2__random random = {{1, 2, 3, 4}};
    for (int i = 0; i < 5; i++) assert_true(rls2__random_bits(&random) == expected[i]);
}

static void random_seed__zero__spread_by_splitmix64(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 0);
    assert_true(random.state[0] == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(rls2__random_bits(&random) == UINT64_C(0x53175d61490b23df));
    assert_true(rls2__random_bits(&random) == UINT64_C(0x61da6f3dc380d507));
}

static void random_seed__same_or_other_seed__same_or_other_sequence(void **state)
{
    (void)state;
    rls2__random a, b, other;
    rls2__random_seed(&a, 42);
    rls2__random_seed(&b, 42);
    rls2__random_seed(&other, 43);
    int equal = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t bits = rls2__random_bits(&a);
        assert_true(bits == rls2__random_bits(&b));
        equal += bits == rls2__random_bits(&other);
    }
    assert_int_equal(equal, 0);
}

static void random_uniform__many__in_range_and_even(void **state)
{
    (void)state;
    enum { DRAWS = 100000, BINS = 20 };
    rls2__random random;
    int bins[BINS] = {0};
    double squares = 0.0;
    rls2__random_seed(&random, 7);
    for (int i = 0; i < DRAWS; i++) {
        double u = rls2__random_uniform(&random);
        assert_true(u >= 0.0 && u < 1.0);
        bins[(int)(u * BINS)]++;
    }
    for (int b = 0; b < BINS; b++) {
        double excess = bins[b] - DRAWS / (double)BINS;
        squares += excess * excess / (DRAWS / (double)BINS);
    }
    assert_at_most(squares, 50.0); /* chi-square, 19 degrees of freedom: p = 1e-4 */
    assert_true(squares > 3.0);
}

static void random_normal__many__moments_of_the_normal_law(void **state)
{
    (void)state;
    enum { DRAWS = 100000 };
    double mean = 0.0, square = 0.0, fourth = 0.0, beyond = 0.0;
    double *x = unit_normal(11, DRAWS);
    for (int i = 0; i < DRAWS; i++) {
        mean += x[i] / DRAWS;
        square += x[i] * x[i] / DRAWS;
        fourth += pow(x[i], 4.0) / DRAWS;
        beyond += (fabs(x[i]) > 1.959964) / (double)DRAWS;
    }
    assert_near(mean, 0.0, 0.015);
    assert_near(square, 1.0, 0.02);
    assert_near(fourth, 3.0, 0.15);
    assert_near(beyond, 0.05, 0.004);
    free(x);
}

static void random_below__small_bound__every_value_equally_often(void **state)
{
    (void)state;
    int counts[7] = {0};
    rls2__random random;
    rls2__random_seed(&random, 5);
    for (int i = 0; i < 70000; i++) {
        int64_t value = rls2__random_below(&random, 7);
        assert_in_range(value, 0, 6);
        counts[value]++;
    }
    for (int v = 0; v < 7; v++) assert_near(counts[v], 10000.0, 450.0);
    for (int i = 0; i < 10; i++) assert_int_equal(rls2__random_below(&random, 1), 0);
}

/* bits % bound alone would return the lower two thirds three times in four. */
static void random_below__bound_of_three_eighths_of_the_range__no_bias(void **state)
{
    (void)state;
    enum { DRAWS = 20000 };
    int64_t bound = INT64_C(3) << 61;
    double low = 0.0;
    rls2__random random;
    rls2__random_seed(&random, 6);
    for (int i = 0; i < DRAWS; i++) {
        int64_t value = rls2__random_below(&random, bound);
        assert_true(value >= 0 && value < bound);
        low += value < INT64_C(1) << 62;
    }
    assert_near(low / DRAWS, 2.0 / 3.0, 0.02);
}

static void random_permutation__any_size__holds_every_index_once(void **state)
{
    (void)state;
    enum { LARGEST = 300 };
    int64_t order[LARGEST + 1];
    rls2__random random;
    rls2__random_seed(&random, 1);
    for (int64_t n = 0; n <= LARGEST; n += 1 + n / 10) {
        char seen[LARGEST] = {0};
        order[n] = -77;
        rls2__random_permutation(&random, n, order);
        for (int64_t i = 0; i < n; i++) {
            assert_true(order[i] >= 0 && order[i] < n && !seen[order[i]]);
            seen[order[i]] = 1;
        }
        assert_true(order[n] == -77);
    }
}

static void random_permutation__of_three__all_six_equally_often(void **state)
{
    (void)state;
    int counts[27] = {0}, kinds = 0;
    rls2__random random;
    rls2__random_seed(&random, 2);
    for (int i = 0; i < 60000; i++) {
        int64_t order[3];
        rls2__random_permutation(&random, 3, order);
        counts[order[0] * 9 + order[1] * 3 + order[2]]++;
    }
    for (int v = 0; v < 27; v++) {
        if (counts[v] == 0) continue;
        kinds++;
        assert_near(counts[v], 10000.0, 450.0);
    }
    assert_int_equal(kinds, 6);
}

/* ---- status ---- */

static void fail__with_values__fills_every_field_and_returns_the_status(void **state)
{
    (void)state;
    rls2_error err = {RLS2_OK, 5, "old"};
    assert_int_equal(rls2__fail(&err, RLS2_ERR_VALUE, "row %d: '%s'", 17, "abc"), RLS2_ERR_VALUE);
    assert_int_equal(err.status, RLS2_ERR_VALUE);
    assert_int_equal(err.position, -1);
    assert_string_equal(err.message, "row 17: 'abc'");
}

static void fail_at__with_a_position__keeps_it(void **state)
{
    (void)state;
    rls2_error err = {0};
    assert_int_equal(rls2__fail_at(&err, RLS2_ERR_SYNTAX, 12, "here"), RLS2_ERR_SYNTAX);
    assert_int_equal(err.status, RLS2_ERR_SYNTAX);
    assert_int_equal(err.position, 12);
    assert_string_equal(err.message, "here");
}

static void fail__without_a_place__returns_the_status_alone(void **state)
{
    (void)state;
    assert_int_equal(rls2__fail(NULL, RLS2_ERR_IO, "%s", "x"), RLS2_ERR_IO);
    assert_int_equal(rls2__fail_at(NULL, RLS2_ERR_NAME, 3, "x"), RLS2_ERR_NAME);
    assert_int_equal(rls2__fail_memory(NULL, "x"), RLS2_ERR_MEMORY);
}

static void fail__text_too_long__cut_and_terminated(void **state)
{
    (void)state;
    struct {
        rls2_error err;
        char guard[8];
    } room = {.guard = "guarded"};
    char text[2000];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = 0;
    rls2__fail(&room.err, RLS2_ERR_VALUE, "%s", text);
    assert_int_equal(strlen(room.err.message), sizeof room.err.message - 1);
    assert_string_equal(room.guard, "guarded");
}

static void fail_memory__what__names_it(void **state)
{
    (void)state;
    rls2_error err = {0};
    assert_int_equal(rls2__fail_memory(&err, "the path"), RLS2_ERR_MEMORY);
    assert_string_equal(err.message, "out of memory for the path");
    assert_int_equal(err.status, RLS2_ERR_MEMORY);
}

static void status_text__every_status__is_its_own_text(void **state)
{
    (void)state;
    for (int a = RLS2_OK; a <= RLS2_ERR_NUMERIC; a++) {
        const char *text = rls2_status_text((rls2_status)a);
        assert_non_null(text);
        assert_true(strlen(text) > 1);
        assert_string_not_equal(text, rls2_status_text((rls2_status)99));
        for (int b = a + 1; b <= RLS2_ERR_NUMERIC; b++)
            assert_string_not_equal(text, rls2_status_text((rls2_status)b));
    }
    assert_string_equal(rls2_status_text(RLS2_OK), "ok");
}

static void status__numbers__are_frozen(void **state)
{
    (void)state;
    assert_int_equal(RLS2_OK, 0);
    assert_int_equal(RLS2_ERR_ARGUMENT, 1);
    assert_int_equal(RLS2_ERR_VALUE, 2);
    assert_int_equal(RLS2_ERR_SYNTAX, 3);
    assert_int_equal(RLS2_ERR_NAME, 4);
    assert_int_equal(RLS2_ERR_MEMORY, 5);
    assert_int_equal(RLS2_ERR_IO, 6);
    assert_int_equal(RLS2_ERR_CANCELLED, 7);
    assert_int_equal(RLS2_ERR_NUMERIC, 8);
}

static void version__as_built__three_numbers(void **state)
{
    (void)state;
    int major = -1, minor = -1, patch = -1, length = 0;
    const char *version = rls2_version();
    assert_int_equal(sscanf(version, "%d.%d.%d%n", &major, &minor, &patch, &length), 3);
    assert_int_equal(length, strlen(version));
    assert_true(isdigit((unsigned char)version[0]) && major >= 0 && minor >= 0 && patch >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mul__product_fits__is_the_product),
        cmocka_unit_test(mul__product_overflows__is_minus_one),
        cmocka_unit_test(mul__negative_factor__is_minus_one),
        cmocka_unit_test(add__sum_fits_or_not__is_the_sum_or_minus_one),
        cmocka_unit_test(alloc__zero_bytes__is_a_pointer),
        cmocka_unit_test(alloc__negative_or_overflowing__is_null),
        cmocka_unit_test(alloc__odd_sizes__aligned_and_writable_to_the_end),
        cmocka_unit_test(alloc_streamed__any_size__as_alloc),
        cmocka_unit_test(layout_alloc__several_arrays__aligned_apart_and_writable_to_the_end),
#ifdef __SANITIZE_ADDRESS__
        cmocka_unit_test(layout_alloc__under_a_sanitizer__what_lies_between_parts_is_closed),
#endif
        cmocka_unit_test(layout_alloc__sizes_overflow__is_null_and_no_array_is_there),
        cmocka_unit_test(alloc_zero__memory_used_before__is_zero),
        cmocka_unit_test(arena_alloc__many_sizes__aligned_zeroed_and_apart),
        cmocka_unit_test(arena_alloc__larger_than_a_block__whole_and_small_ones_still_served),
        cmocka_unit_test(arena_alloc__impossible_size__is_null_and_the_arena_lives_on),
        cmocka_unit_test(arena_text__part_of_a_text__copied_and_terminated),
        cmocka_unit_test(random_bits__state_1234__as_the_reference_program),
        cmocka_unit_test(random_seed__zero__spread_by_splitmix64),
        cmocka_unit_test(random_seed__same_or_other_seed__same_or_other_sequence),
        cmocka_unit_test(random_uniform__many__in_range_and_even),
        cmocka_unit_test(random_normal__many__moments_of_the_normal_law),
        cmocka_unit_test(random_below__small_bound__every_value_equally_often),
        cmocka_unit_test(random_below__bound_of_three_eighths_of_the_range__no_bias),
        cmocka_unit_test(random_permutation__any_size__holds_every_index_once),
        cmocka_unit_test(random_permutation__of_three__all_six_equally_often),
        cmocka_unit_test(fail__with_values__fills_every_field_and_returns_the_status),
        cmocka_unit_test(fail_at__with_a_position__keeps_it),
        cmocka_unit_test(fail__without_a_place__returns_the_status_alone),
        cmocka_unit_test(fail__text_too_long__cut_and_terminated),
        cmocka_unit_test(fail_memory__what__names_it),
        cmocka_unit_test(status_text__every_status__is_its_own_text),
        cmocka_unit_test(status__numbers__are_frozen),
        cmocka_unit_test(version__as_built__three_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
