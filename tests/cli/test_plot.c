/* Pictures before they are drawn: names, quotes, bars of a model, order of a path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#undef fail /* ours is another */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/plot/plot_model.h"
#include "cli/plot/plot_picture.h"
#include "cli/plot/plot_result.h"
#include "cli/plot/plot_script.h"
#include "support/saved_model.h"

static const settings PLOT = {
    .command = "plot", .argument = {"folder.x/file.v2.json"}, .argument_count = 1};

/* ---- texts ---- */

static void expect_shown(const char *text, int64_t most, const char *expected)
{
    char *shown = shown_text(text, most);
    assert_string_equal(shown, expected);
    free(shown);
}

static void shown_text__any_text__printable(void **state)
{
    (void)state;
    expect_shown("rbf(0.1)@rm", 40, "rbf(0.1)@rm");
    expect_shown("", 40, "");
    expect_shown("a\nb\tc\x7f", 40, "a\\nb\\tc\\x7f");
    expect_shown("größe", 5, "größe");
    expect_shown("größer", 5, "größe…");
    expect_shown("abc", 0, "…");
    expect_shown("x]]>y]]>", 40, "x]] y]] ");
}

static void shown_text__not_utf8__escaped(void **state)
{
    (void)state;
    expect_shown("a\xff\xfe z", 40, "a\\xff\\xfe z");
    expect_shown("\xc3", 40, "\\xc3");                            /* cut off */
    expect_shown("\xe2\x82", 40, "\\xe2\\x82");                   /* likewise */
    expect_shown("\xc0\xaf", 40, "\\xc0\\xaf");                   /* longer than need be */
    expect_shown("\xed\xa0\x80", 40, "\\xed\\xa0\\x80");          /* half of a pair */
    expect_shown("\xef\xbf\xbf", 40, "\\uffff");                  /* not allowed in XML */
    expect_shown("\xf4\x90\x80\x80", 40, "\\xf4\\x90\\x80\\x80"); /* beyond the last */
    expect_shown("\xf0\x9f\x98\x80", 40, "\xf0\x9f\x98\x80");
    expect_shown("\xc2\x9b"
                 "31m",
                 40, "\\u009b31m"); /* a control character that terminals obey */
}

static void put_quoted__hostile_text__octal(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    put_quoted(out, "a1 'b\"`c\\=40");
    fclose(out);
    assert_string_equal(text, "\"a1 \\047b\\042\\140c\\134\\075\\064\\060\"");
    free(text);
}

/* ---- models ---- */

static void assert_picture(const rls2_model *model, picture_kind kind, int64_t top)
{
    picture p;
    settings s = PLOT;
    s.top = top;
    assert_int_equal(picture_of_model(&s, kind, model, &p), EXIT_OK);
    assert_true(p.points >= 1 && p.points <= top);
    assert_int_equal(p.count, kind == PICTURE_KERNELS ? 2 : 1);
    if (rls2_model_outputs(model) > 1)
        assert_memory_equal(p.title, "file.v2: mean over ", 19);
    else
        assert_string_equal(p.title, "file.v2");
    double sum = 0;
    for (int64_t k = 0; k < p.points; k++) sum += p.series[p.count - 1].y[k];
    assert_true(fabs(sum - 1) < 1e-6 || sum == 0);
    picture_free(&p);
}

static void picture_of_model__every_sort__shares_sum_to_one(void **state)
{
    (void)state;
    for (int i = 0; i < MODEL_CASE_COUNT; i++) {
        made_model made = make_model(&MODEL_CASES[i]);
        for (int kind = PICTURE_KERNELS; kind <= PICTURE_FEATURES; kind++) {
            assert_picture(made.model, (picture_kind)kind, 1 + i % 3);
            assert_picture(rls2_model_output(made.model, kind % rls2_model_outputs(made.model)),
                           (picture_kind)kind, 1 + i % 3);
        }
        free_model(&made);
    }
}

/* ---- paths ---- */

static void parse(const char *text, result *r)
{
    assert_int_equal(result_parse(&PLOT, "test", text, strlen(text), r), EXIT_OK);
}

#define POINT(lambda, df, test)                                                                    \
    "{\"lambda\":" lambda ",\"df\":" df ",\"selected\":[{\"kernel\":\"k" df                        \
    "\",\"weight\":" lambda "}],"                                                                  \
    "\"test\":{\"accuracy\":" test "}}"

static void picture_of_result__points_in_any_order__sorted_along_x(void **state)
{
    (void)state;
    result r;
    picture p;
    settings s = PLOT;
    parse("{\"path\":[" POINT("1", "3", "0.9") "," POINT("4", "1", "0.5") "," POINT("2", "2",
                                                                                    "0.90001") "]}",
          &r);
    assert_int_equal(picture_of_result(&s, PICTURE_PROFILE, &r, &p), EXIT_OK);
    assert_string_equal(p.x_name, "df");
    for (int i = 0; i < 3; i++) assert_true(p.x[i] == i + 1);
    assert_int_equal(p.best, 1); /* 0.9 and 0.90001 print alike: the more regularised */
    assert_string_equal(p.best_label, "best test accuracy 0.9 at lambda 2");
    assert_int_equal(p.count, 3);
    assert_string_equal(p.series[0].name, "k1"); /* by the largest weight */
    picture_free(&p);
    s.against = "lambda";
    s.top = 2;
    assert_int_equal(picture_of_result(&s, PICTURE_PROFILE, &r, &p), EXIT_OK);
    assert_true(p.x[0] == 4 && p.x[2] == 1);
    assert_true(p.series[1].stands && !p.series[2].stands);
    picture_free(&p);
    result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shown_text__any_text__printable),
        cmocka_unit_test(shown_text__not_utf8__escaped),
        cmocka_unit_test(put_quoted__hostile_text__octal),
        cmocka_unit_test(picture_of_model__every_sort__shares_sum_to_one),
        cmocka_unit_test(picture_of_result__points_in_any_order__sorted_along_x),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
