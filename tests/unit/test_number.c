/* Numbers as they are written: what is read, bit for bit, and what is no number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/random.h"

static rls2__number_reader *number_reader(void)
{
    rls2__number_reader *reader = NULL;
    assert_int_equal(rls2__number_reader_create(&reader, NULL), RLS2_OK);
    return reader;
}

/* The test runs in the "C" locale, where strtod is the reference. */
static void assert_same_as_strtod(const rls2__number_reader *reader, const char *text)
{
    double value = NAN, expected = strtod(text, NULL);
    if (!rls2__number_parse(reader, text, &value)) fail_msg("'%s' was not accepted", text);
    if (memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("'%s' gave %a, not %a", text, value, expected);
}

static void number_parse__written_in_many_ways__is_accepted(void **state)
{
    (void)state;
    const char *texts[] = {"0",
                           "-0",
                           "+0.0",
                           "1",
                           "-1",
                           "+1",
                           "1.",
                           ".5",
                           "-.5",
                           "1e3",
                           "1E+3",
                           "1.5e-3",
                           "00012",
                           "0.1",
                           "0.3",
                           "123456789012345678901234567890",
                           "1e22",
                           "1e23",
                           "-1e-22",
                           "9007199254740993",
                           "9007199254740992",
                           "9007199254740991e22",
                           "0.000000000000000000000000000000000001",
                           "1.7976931348623157e308",
                           "4.9406564584124654e-324",
                           "2.2250738585072011e-308",
                           "1e-400",
                           "0e999999999999",
                           "1e0000000000000000000001",
                           "0.1000000000000000055511151231257827021181583404541015625",
                           "1.00000000000000011102230246251565404236316680908203125",
                           "1.00000000000000011102230246251565404236316680908203124",
                           "18446744073709551615e-27",
                           "9999999999999999999e-1",
                           "0.9999999999999999999",
                           "1e-27",
                           "1e-28"};
    rls2__number_reader *reader = number_reader();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_same_as_strtod(reader, texts[i]);
    rls2__number_reader_free(reader);
}

static void number_parse__blanks_around__are_ignored(void **state)
{
    (void)state;
    rls2__number_reader *reader = number_reader();
    double value = 0.0;
    assert_true(rls2__number_parse(reader, " \t 2.5\t ", &value));
    assert_true(value == 2.5);
    rls2__number_reader_free(reader);
}

static void number_parse__not_a_finite_decimal__is_rejected(void **state)
{
    (void)state;
    const char *texts[] = {"",      " ",        ".",   "+",    "-",      "e5",     ".e5",
                           "1e",    "1e+",      "1e-", "0x10", "0x1p3",  "inf",    "Inf",
                           "-inf",  "infinity", "nan", "NaN",  "nan(1)", "NA",     "1,5",
                           "1 2",   "1_000",    "--1", "+-1",  "- 1",    "1.2.3",  "1e5.0",
                           "1e999", "-1e400",   "1d5", "12a",  "1\n",    "1.8e308"};
    rls2__number_reader *reader = number_reader();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value = 7.0;
        if (rls2__number_parse(reader, texts[i], &value)) fail_msg("'%s' was accepted", texts[i]);
        assert_true(value == 7.0);
    }
    rls2__number_reader_free(reader);
}

static void number_parse__random_decimals__equals_strtod_bit_for_bit(void **state)
{
    (void)state;
    rls2__number_reader *reader = number_reader();
    rls2__random random;
    rls2__random_seed(&random, 1);
    for (int i = 0; i < 60000; i++) {
        char text[64];
        uint64_t digits = rls2__random_bits(&random) >> rls2__random_below(&random, 60);
        int exponent = (int)rls2__random_below(&random, 70) - 40;
        snprintf(text, sizeof text, "%s%" PRIu64 "e%d", i % 2 ? "-" : "", digits, exponent);
        assert_same_as_strtod(reader, text);
        snprintf(text, sizeof text, "%.*f", (int)rls2__random_below(&random, 20),
                 100.0 * rls2__random_normal(&random));
        assert_same_as_strtod(reader, text);
        snprintf(text, sizeof text, "%.17g", ldexp(rls2__random_normal(&random), exponent));
        assert_same_as_strtod(reader, text);
    }
    rls2__number_reader_free(reader);
}

/* A written exponent that millions of places bring back into range. */
static void number_parse__millions_of_places__equals_strtod(void **state)
{
    (void)state;
    enum { PLACES = 2000000 };
    rls2__number_reader *reader = number_reader();
    char *text = malloc(PLACES + 32);
    assert_non_null(text);
    memset(text, '0', PLACES + 2);
    text[1] = '.';
    strcpy(text + PLACES + 2, "15e2000001");
    assert_same_as_strtod(reader, text);
    strcpy(text + PLACES + 2, "15e-1");
    assert_same_as_strtod(reader, text);
    double value;
    strcpy(text + PLACES + 2, "15e20000001");
    assert_false(rls2__number_parse(reader, text, &value));
    free(text);
    rls2__number_reader_free(reader);
}

/* Halfway between two doubles, and a hair beside it. */
static void number_parse__near_ties__equals_strtod_bit_for_bit(void **state)
{
    (void)state;
    rls2__number_reader *reader = number_reader();
    rls2__random random;
    rls2__random_seed(&random, 2);
    for (int i = 0; i < 20000; i++) {
        char text[64];
        uint64_t middle =
            (rls2__random_bits(&random) >> 9) | 1; /* 55 bits: an odd one is between doubles */
        middle |= UINT64_C(1) << 53;
        int places = (int)rls2__random_below(&random, 17);
        for (int delta = -1; delta <= 1; delta++) {
            snprintf(text, sizeof text, "%" PRIu64 "e-%d", middle + (uint64_t)delta, places);
            assert_same_as_strtod(reader, text);
            snprintf(text, sizeof text, "%" PRIu64 ".%s", middle,
                     delta < 0 ? "0"
                     : delta   ? "01"
                               : "00");
            assert_same_as_strtod(reader, text);
        }
    }
    rls2__number_reader_free(reader);
}

static void number_parse__comma_locale__still_reads_points(void **state)
{
    (void)state;
    const char *locales[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "it_IT.UTF-8"};
    const char *set = NULL;
    for (size_t i = 0; i < sizeof locales / sizeof *locales && !set; i++)
        set = setlocale(LC_ALL, locales[i]);
    if (!set) return; /* no such locale on this machine */

    rls2__number_reader *reader = number_reader();
    double fast = 0.0, slow = 0.0, comma = 0.0;
    int accepted =
        rls2__number_parse(reader, "1.5", &fast) && rls2__number_parse(reader, "1.5e-300", &slow);
    int accepted_comma = rls2__number_parse(reader, "1,5", &comma);
    rls2__number_reader_free(reader);
    setlocale(LC_ALL, "C");
    assert_true(accepted);
    assert_false(accepted_comma);
    assert_true(fast == 1.5);
    assert_true(slow == 1.5e-300);
}

static void number_reader_free__null__does_nothing(void **state)
{
    (void)state;
    rls2__number_reader_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(number_parse__written_in_many_ways__is_accepted),
        cmocka_unit_test(number_parse__blanks_around__are_ignored),
        cmocka_unit_test(number_parse__not_a_finite_decimal__is_rejected),
        cmocka_unit_test(number_parse__random_decimals__equals_strtod_bit_for_bit),
        cmocka_unit_test(number_parse__millions_of_places__equals_strtod),
        cmocka_unit_test(number_parse__near_ties__equals_strtod_bit_for_bit),
        cmocka_unit_test(number_parse__comma_locale__still_reads_points),
        cmocka_unit_test(number_reader_free__null__does_nothing),
    };
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
