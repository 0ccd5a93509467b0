/* rls2 verify on models that were changed, with a checksum that is right again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"
#include "support/forge.h"

static int set_up(void **state)
{
    if (folder_make(state) != 0) return 1;
    /* stopped early, so that its gap is far from zero on any machine */
    free(rls2_out("train data/servo.csv -t rise_time --no-standardize --lambda 0.01 --max-iter 1 "
                  "-q -o $T/model"));
    return 0;
}

/* ---- forging ---- */

static void assert_not_verified(const char *text)
{
    printed it = rls2_run("verify $T/forged data/servo.csv -q --gap-tol 100");
    assert_int_equal(it.code, 1);
    if (!strstr(it.out, text) && !strstr(it.err, text))
        fail_msg("not '%s' but: %s%s", text, it.out, it.err);
    printed_free(&it);
}

/* Replaces the digit behind `key`, and so many characters, by another. */
static void change_digit(const char *key, int behind)
{
    forgery file = forge_start("model");
    char *digit = forge_find(&file, key) + strlen(key) + behind;
    assert_true(*digit >= '0' && *digit <= '9');
    *digit = *digit == '9' ? '8' : (char)(*digit + 1);
    forge_finish(&file, "forged");
}

/* ---- what is noticed ---- */

static void verify__nothing_changed__holds(void **state)
{
    (void)state;
    forgery file = forge_start("model");
    forge_finish(&file, "forged");
    free(rls2_out("verify $T/forged data/servo.csv -q --gap-tol 100"));
    printed same = shell("cmp $T/model $T/forged");
    assert_int_equal(same.code, 0);
    printed_free(&same);
}

static void verify__smaller_gap_claimed__does_not_hold(void **state)
{
    (void)state;
    forgery file = forge_start("model");
    for (char *digit = forge_find(&file, "\\\"gap\\\":") + 8; strchr("0123456789.", *digit);
         digit++)
        if (*digit != '.') *digit = '0';
    forge_finish(&file, "forged");
    assert_not_verified("the gap is larger than the model says");
}

static void verify__another_objective_claimed__does_not_hold(void **state)
{
    (void)state;
    change_digit("\\\"objective\\\":", 4);
    assert_not_verified("the objective differs");
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
    forgery file = forge_start("model");
    char *digit =
        forge_find(&file, "\\\"fingerprint\\\":\\\"") + strlen("\\\"fingerprint\\\":\\\"");
    *digit = *digit == '0' ? '1' : '0';
    forge_finish(&file, "forged");
    assert_not_verified("these are not the rows the model was trained on");
}

static void verify__another_c__does_not_hold(void **state)
{
    (void)state;
    forgery file = forge_start("model");
    *forge_numbers(&file, "outputs.0.c") *= 1.1;
    forge_finish(&file, "forged");
    assert_not_verified("does NOT hold");
}

static void verify__another_scaling__does_not_hold(void **state)
{
    (void)state;
    forgery file = forge_start("model");
    *forge_numbers(&file, "outputs.0.scales") *= 0.5;
    forge_finish(&file, "forged");
    assert_not_verified("the scalings are not those of the rule");
}

/* Predictions come from the rows in the model: were those others, the certificate would not be
 * theirs. */
static void verify__another_row_in_the_model__does_not_hold(void **state)
{
    (void)state;
    forgery file = forge_start("model");
    *forge_numbers(&file, "x") += 1.0;
    forge_finish(&file, "forged");
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
    return cmocka_run_group_tests_name("cli.forged", tests, set_up, folder_remove);
}
