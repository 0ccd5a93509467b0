/* rls2 verify on models that were changed, with a checksum that is right again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/format.h"
#include "support/command.h"

static char *whole; /* the honest file */
static long size;

static int set_up(void **state)
{
    if (folder_make(state) != 0) return 1;
    /* stopped early, so that its gap is far from zero on any machine */
    free(rls2_out("train data/servo.csv -t rise_time --lambda 0.01 --max-iter 1 -q -o $T/model"));
    whole = read_text(in_folder("model"), &size);
    return 0;
}

static int tear_down(void **state)
{
    free(whole);
    return folder_remove(state);
}

/* ---- forging ---- */

static char *copy(void)
{
    char *bytes = malloc((size_t)size + 1);
    assert_non_null(bytes);
    memcpy(bytes, whole, (size_t)size + 1);
    return bytes;
}

/* The text in the header; it is there once. */
static char *find(char *bytes, const char *text)
{
    char *found = strstr(bytes + 8, text); /* behind the length, whose bytes may be zero */
    assert_non_null(found);
    return found;
}

static uint64_t header_length(const char *bytes)
{
    uint64_t length = 0;
    for (int i = 7; i >= 0; i--) length = length << 8 | (unsigned char)bytes[i];
    return length;
}

/* The first number of an array. */
static double *first_number(char *bytes, const char *array)
{
    char name[64];
    long start = -1;
    snprintf(name, sizeof name, "\"%s\":{", array);
    assert_int_equal(sscanf(strstr(find(bytes, name), "data_offsets"), "data_offsets\":[%ld", &start), 1);
    return (double *)(void *)(bytes + 8 + header_length(bytes) + start);
}

static void write_forged(char *bytes)
{
    char digits[9];
    char *at_digits = find(bytes, RLS2__CHECKSUM_MARK) + strlen(RLS2__CHECKSUM_MARK);
    uint32_t sum = rls2__file_checksum((unsigned char *)bytes, size, at_digits - bytes);
    snprintf(digits, sizeof digits, "%08x", (unsigned)sum);
    memcpy(at_digits, digits, 8);
    FILE *file = fopen(in_folder("forged"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, (size_t)size, file), (size_t)size);
    assert_int_equal(fclose(file), 0);
    free(bytes);
}

static void assert_not_verified(const char *text)
{
    printed it = rls2_run("verify $T/forged data/servo.csv -q --gap-tol 100");
    assert_int_equal(it.code, 1);
    if (!strstr(it.out, text) && !strstr(it.err, text)) fail_msg("not '%s' but: %s%s", text, it.out, it.err);
    printed_free(&it);
}

/* Replaces the digit behind `key`, and so many characters, by another. */
static void change_digit(const char *key, int behind)
{
    char *bytes = copy(), *digit = find(bytes, key) + strlen(key) + behind;
    assert_true(*digit >= '0' && *digit <= '9');
    *digit = *digit == '9' ? '8' : (char)(*digit + 1);
    write_forged(bytes);
}

/* ---- what is noticed ---- */

static void verify__nothing_changed__holds(void **state)
{
    (void)state;
    write_forged(copy());
    free(rls2_out("verify $T/forged data/servo.csv -q --gap-tol 100"));
    printed same = shell("cmp $T/model $T/forged");
    assert_int_equal(same.code, 0);
    printed_free(&same);
}

static void verify__smaller_gap_claimed__does_not_hold(void **state)
{
    (void)state;
    char *bytes = copy();
    for (char *digit = find(bytes, "\\\"gap\\\":") + 8; strchr("0123456789.", *digit); digit++)
        if (*digit != '.') *digit = '0';
    write_forged(bytes);
    assert_not_verified("the gap is larger than the model says");
}

static void verify__another_objective_claimed__does_not_hold(void **state)
{
    (void)state;
    change_digit("\\\"objective\\\":", 4);
    assert_not_verified("the objective is another");
}

static void verify__another_intercept__does_not_hold(void **state)
{
    (void)state;
    change_digit("\\\"intercept\\\":", 4);
    assert_not_verified("the intercept is not the mean");
}

static void verify__another_lambda__does_not_hold(void **state)
{
    (void)state;
    change_digit("\\\"lambda\\\":", 3);
    assert_not_verified("does NOT hold");
}

static void verify__another_fingerprint__does_not_hold(void **state)
{
    (void)state;
    char *bytes = copy(),
         *digit = find(bytes, "\\\"fingerprint\\\":\\\"") + strlen("\\\"fingerprint\\\":\\\"");
    *digit = *digit == '0' ? '1' : '0';
    write_forged(bytes);
    assert_not_verified("these are not the rows the model was trained on");
}

static void verify__another_c__does_not_hold(void **state)
{
    (void)state;
    char *bytes = copy();
    *first_number(bytes, "outputs.0.c") *= 1.1;
    write_forged(bytes);
    assert_not_verified("does NOT hold");
}

static void verify__another_scaling__does_not_hold(void **state)
{
    (void)state;
    char *bytes = copy();
    *first_number(bytes, "outputs.0.scales") *= 0.5;
    write_forged(bytes);
    assert_not_verified("the scalings are not those of the rule");
}

/* Predictions come from the rows in the model: were those others, the certificate would not be theirs. */
static void verify__another_row_in_the_model__does_not_hold(void **state)
{
    (void)state;
    char *bytes = copy();
    *first_number(bytes, "x") += 1.0;
    write_forged(bytes);
    assert_not_verified("does NOT hold");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verify__nothing_changed__holds),
        cmocka_unit_test(verify__smaller_gap_claimed__does_not_hold),
        cmocka_unit_test(verify__another_objective_claimed__does_not_hold),
        cmocka_unit_test(verify__another_intercept__does_not_hold),
        cmocka_unit_test(verify__another_lambda__does_not_hold),
        cmocka_unit_test(verify__another_fingerprint__does_not_hold),
        cmocka_unit_test(verify__another_c__does_not_hold),
        cmocka_unit_test(verify__another_scaling__does_not_hold),
        cmocka_unit_test(verify__another_row_in_the_model__does_not_hold),
    };
    return cmocka_run_group_tests_name("cli.forged", tests, set_up, tear_down);
}
