/* What a dictionary text stands for, and how its kernels are named. */
#include "dictionary_fixture.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

static rls2_dictionary *made(const char *spec, const rls2_columns *columns)
{
    rls2_error err = {.message = ""};
    rls2_dictionary *dictionary = NULL;
    rls2_status status = rls2_dictionary_create(spec, columns, &dictionary, &err);
    if (status) fail_msg("%s", err.message);
    return dictionary;
}

/* The names of all kernels, one space between two. */
static void assert_names(const char *spec, const rls2_columns *columns, const char *expected)
{
    char names[4096] = "";
    rls2_dictionary *dictionary = made(spec, columns);
    for (int64_t k = 0; k < rls2_dictionary_count(dictionary); k++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", k ? " " : "",
                 rls2_dictionary_name(dictionary, k));
    }
    assert_string_equal(names, expected);
    rls2_dictionary_free(dictionary);
}

static void assert_size(const char *spec, const rls2_columns *columns, int64_t size)
{
    rls2_dictionary *dictionary = made(spec, columns);
    assert_int_equal(rls2_dictionary_count(dictionary), size);
    rls2_dictionary_free(dictionary);
}

static const rls2__kernel *kernel_at(const rls2_dictionary *dictionary, int64_t k)
{
    assert_in_range(k, 0, dictionary->m - 1);
    return &dictionary->kernels[k];
}

/* ---- presets and defaults ---- */

static void create__paper_on_13_columns__gives_182_kernels(void **state)
{
    (void)state;
    rls2_columns boston = {.count = 13};
    rls2_dictionary *dictionary = made("paper", &boston);
    assert_int_equal(rls2_dictionary_count(dictionary), 182);
    assert_int_equal(rls2_dictionary_columns(dictionary), 13);
    assert_string_equal(rls2_dictionary_name(dictionary, 0), "poly(1)@all");
    assert_string_equal(rls2_dictionary_name(dictionary, 1), "poly(1)@x1");
    assert_string_equal(rls2_dictionary_name(dictionary, 14), "poly(2)@all");
    assert_string_equal(rls2_dictionary_name(dictionary, 42), "rbf(0.001)@all");
    assert_string_equal(rls2_dictionary_name(dictionary, 181), "rbf(1000)@x13");
    assert_null(rls2_dictionary_name(dictionary, 182));
    assert_null(rls2_dictionary_name(dictionary, -1));
    rls2_dictionary_free(dictionary);
}

static void create__linear_on_16063_columns__gives_one_kernel_per_column(void **state)
{
    (void)state;
    rls2_columns expression = {.count = 16063};
    rls2_dictionary *dictionary = made("linear", &expression);
    assert_int_equal(rls2_dictionary_count(dictionary), 16063);
    for (int64_t k = 0; k < 16063; k++) {
        assert_int_equal(kernel_at(dictionary, k)->kind, RLS2__KERNEL_LINEAR);
        assert_int_equal(kernel_at(dictionary, k)->column_count, 1);
        assert_int_equal(kernel_at(dictionary, k)->columns[0], k);
        assert_int_equal(kernel_at(dictionary, k)->given, -1);
    }
    assert_string_equal(rls2_dictionary_name(dictionary, 16062), "linear@x16063");
    rls2_dictionary_free(dictionary);
}

static void create__200000_kernels__all_distinct_and_shared_columns(void **state)
{
    (void)state;
    rls2_columns wide = {.count = 100000};
    rls2_dictionary *dictionary = made("rbf(0.5|2)@each", &wide);
    assert_int_equal(rls2_dictionary_count(dictionary), 200000);
    assert_ptr_equal(kernel_at(dictionary, 7)->columns, kernel_at(dictionary, 100007)->columns);
    assert_string_equal(rls2_dictionary_name(dictionary, 100007), "rbf(2)@x8");
    rls2_dictionary_free(dictionary);
}

static void create__no_selector__takes_all_columns_or_each(void **state)
{
    (void)state;
    assert_names("rbf(1)", &abc, "rbf(1)@all");
    assert_names("delta", &abc, "delta@all");
    assert_names("spline", &abc, "spline@a spline@b spline@c");
    assert_names("linear", &abc, "linear@a linear@b linear@c");
    assert_names("linear@all", &abc, "linear@all");
    assert_names(
        "paper; linear@a", &(rls2_columns){.count = 1, .names = abc_names},
        "poly(1)@all poly(1)@a poly(2)@all poly(2)@a poly(3)@all poly(3)@a "
        "rbf(0.001)@all rbf(0.001)@a rbf(0.004642)@all rbf(0.004642)@a "
        "rbf(0.02154)@all rbf(0.02154)@a rbf(0.1)@all rbf(0.1)@a "
        "rbf(0.4642)@all rbf(0.4642)@a rbf(2.154)@all rbf(2.154)@a rbf(10)@all rbf(10)@a "
        "rbf(46.42)@all rbf(46.42)@a rbf(215.4)@all rbf(215.4)@a rbf(1000)@all rbf(1000)@a "
        "linear@a");
}

static void create__learned_widths__are_named_by_their_multiple(void **state)
{
    (void)state;
    assert_names("rbf(learn)", &abc, "rbf(learn)@all");
    assert_names("rbf( learn * 1/4 | 2|learn*1)@a+b", &abc,
                 "rbf(learn*0.25)@a+b rbf(2)@a+b rbf(learn)@a+b");
    assert_names("matern(1.5|2.5,length=learn*2|1)@all", &abc,
                 "matern(1.5,length=learn*2)@all matern(1.5)@all matern(2.5,length=learn*2)@all "
                 "matern(2.5)@all");
    assert_names("rbf(learn*0.123456|learn*0.1234561)", &abc,
                 "rbf(learn*0.123456)@all rbf(learn*0.1234561)@all");
    rls2_dictionary *dictionary = made("rbf(1|learn)@all; rbf(learn)@b..c", &abc);
    assert_int_equal(rls2_dictionary_learns(dictionary), 1);
    assert_int_equal(dictionary->set_count, 2);
    assert_int_equal(rls2_dictionary_kernel_widths(dictionary, 1, NULL), 0);
    rls2_dictionary_free(dictionary);
    dictionary = made("rbf(1)", &abc);
    assert_int_equal(rls2_dictionary_learns(dictionary), 0);
    rls2_dictionary_free(dictionary);
}

/* Each set takes a search. */
static void create__more_sets_of_widths_than_anyone_waits_for__is_refused(void **state)
{
    (void)state;
    char spec[4096] = "rbf(learn)@x1..x2";
    rls2_columns wide = {.count = 200};
    size_t at = strlen(spec);
    for (int i = 2; i <= 100; i++)
        at += (size_t)snprintf(spec + at, sizeof spec - at, ",x%d..x%d", i, i + 1);
    rls2_dictionary *dictionary = made(spec, &wide);
    assert_int_equal(dictionary->set_count, 100);
    rls2_dictionary_free(dictionary);
    snprintf(spec + at, sizeof spec - at, ",x150..x160");
    assert_fails(spec, &wide, RLS2_ERR_VALUE, 0, "for 100 different sets of columns at most");
}

static void create__names_null__calls_columns_x1_to_xp(void **state)
{
    (void)state;
    assert_names("linear@x2..x3", &(rls2_columns){.count = 3}, "linear@x2..x3");
}

static void create__given_without_columns__works(void **state)
{
    (void)state;
    rls2_columns only = {.given_count = 2, .given_names = odd_given};
    rls2_dictionary *dictionary =
        made("given(K1|\"my kernel.csv\"|name)",
             &(rls2_columns){.given_count = 3,
                             .given_names = (const char *const[]){"K1", "my kernel.csv", "name"}});
    assert_int_equal(dictionary->m, 3);
    assert_int_equal(kernel_at(dictionary, 1)->given, 1);
    assert_int_equal(kernel_at(dictionary, 1)->column_count, 0);
    assert_string_equal(rls2_dictionary_name(dictionary, 1), "given(\"my kernel.csv\")");
    rls2_dictionary_free(dictionary);
    assert_names("given(name=K1)", &only, "given(K1)");
    assert_fails("rbf(1)", &only, RLS2_ERR_VALUE, 0, "there are no columns");
    assert_fails("given(K1); paper", &only, RLS2_ERR_VALUE, 11, "there are no columns");
}

/* ---- order ---- */

static void create__product__last_argument_fastest_then_items_then_columns(void **state)
{
    (void)state;
    assert_names("poly(1..2)@all,each", &(rls2_columns){.count = 2},
                 "poly(1)@all poly(1)@x1 poly(1)@x2 poly(2)@all poly(2)@x1 poly(2)@x2");
    assert_names("poly(3..2,0|1)@a", &abc,
                 "poly(3,offset=0)@a poly(3)@a poly(2,offset=0)@a poly(2)@a");
    assert_names("poly(scale=1|2,degree=1|2)@a", &abc,
                 "poly(1)@a poly(2)@a poly(1,scale=2)@a poly(2,scale=2)@a");
    assert_names("rbf(2)@c,a; laplace(3|1)@b", &abc, "rbf(2)@c rbf(2)@a laplace(3)@b laplace(1)@b");
}

static void create__white_space__is_allowed_between_tokens(void **state)
{
    (void)state;
    assert_names(
        " poly ( 1 .. 2 , offset = 0 | 1 ) @ each : a + c , all\n;\trbf(1 : 100 : 3)@ b .. c ",
        &abc,
        "poly(1,offset=0)@a poly(1,offset=0)@c poly(1,offset=0)@all poly(1)@a poly(1)@c "
        "poly(1)@all "
        "poly(2,offset=0)@a poly(2,offset=0)@c poly(2,offset=0)@all poly(2)@a poly(2)@c "
        "poly(2)@all "
        "rbf(1)@b..c rbf(10)@b..c rbf(100)@b..c");
}

/* ---- values ---- */

static void create__parameters__reach_the_kernels(void **state)
{
    (void)state;
    rls2_dictionary *dictionary =
        made("poly(3,scale=0.5);matern(3/2,2);matern(nu=5/2);rbf(+1.5e+1);rbf(1/8)", &abc);
    assert_true(kernel_at(dictionary, 0)->param[0] == 3.0);
    assert_true(kernel_at(dictionary, 0)->param[1] == 1.0);
    assert_true(kernel_at(dictionary, 0)->param[2] == 0.5);
    assert_true(kernel_at(dictionary, 1)->param[0] == 1.5);
    assert_true(kernel_at(dictionary, 1)->param[1] == 2.0);
    assert_true(kernel_at(dictionary, 2)->param[0] == 2.5);
    assert_true(kernel_at(dictionary, 2)->param[1] == 1.0);
    assert_true(kernel_at(dictionary, 3)->param[0] == 15.0);
    assert_true(kernel_at(dictionary, 4)->param[0] == 0.125);
    assert_string_equal(rls2_dictionary_name(dictionary, 1), "matern(1.5,length=2)@all");
    rls2_dictionary_free(dictionary);
}

static void create__log_range_of_decades__is_exact(void **state)
{
    (void)state;
    const double decades[] = {1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3};
    rls2_dictionary *up = made("rbf(1e-3:1e3:7)@a", &abc);
    rls2_dictionary *down = made("rbf(1000:0.001:7)@a", &abc);
    for (int k = 0; k < 7; k++) {
        assert_true(kernel_at(up, k)->param[0] == decades[k]);
        assert_true(kernel_at(down, k)->param[0] == decades[6 - k]);
    }
    rls2_dictionary_free(up);
    rls2_dictionary_free(down);
    assert_names("poly(1:8:4)@a; rbf(2:3:1)@a; rbf(5:5:2)@a", &abc,
                 "poly(1)@a poly(2)@a poly(4)@a poly(8)@a rbf(2)@a rbf(5)@a rbf(5)@a");
}

static void create__log_range__is_within_1e_14_of_the_grid(void **state)
{
    (void)state;
    const double ends[][2] = {{1e-3, 1e3}, {0.3, 7.7e5}, {1e-300, 1e300}, {2, 2.0000001}};
    for (int e = 0; e < 4; e++) {
        char spec[96];
        snprintf(spec, sizeof spec, "rbf(%.17g:%.17g:10)@a", ends[e][0], ends[e][1]);
        rls2_dictionary *dictionary = made(spec, &abc);
        assert_true(kernel_at(dictionary, 0)->param[0] == ends[e][0]);
        assert_true(kernel_at(dictionary, 9)->param[0] == ends[e][1]);
        for (int k = 0; k < 10; k++) {
            long double ratio =
                powl((long double)ends[e][1] / (long double)ends[e][0], (long double)k / 9);
            long double exact = (long double)ends[e][0] * ratio;
            assert_true(fabsl((long double)kernel_at(dictionary, k)->param[0] / exact - 1) <
                        1e-14L);
        }
        rls2_dictionary_free(dictionary);
    }
}

static void create__comma_locale__changes_nothing(void **state)
{
    (void)state;
    const char *const candidates[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    for (int i = 0; i < 4 && !setlocale(LC_NUMERIC, candidates[i]); i++) continue;
    assert_names(
        "rbf(0.25|1e-3:1e-2:3)@a; rbf(0.12345)@b;rbf(0.123454)@b", &abc,
        "rbf(0.25)@a rbf(0.001)@a rbf(0.003162)@a rbf(0.01)@a rbf(0.12345)@b rbf(0.123454)@b");
    setlocale(LC_NUMERIC, "C");
}

/* ---- columns ---- */

static void create__sets__are_unions_in_column_order(void **state)
{
    (void)state;
    rls2_dictionary *dictionary = made(
        "rbf(1)@c+a+c,group:genes+age,gene_*,?ge,\"x y\"..\"p..q\",all",
        &(rls2_columns){.count = 13,
                        .names = (const char *const[]){"a", "b", "c", "gene_1", "gene_2", "age",
                                                       "x y", "u", "p..q", "z", "e", "f", "g"},
                        .group_count = 1,
                        .groups = &(rls2_group){"genes", 2, (const int64_t[]){4, 3}}});
    const int64_t expected[6][4] = {{0, 2}, {3, 4, 5}, {3, 4}, {5}, {6, 7, 8}, {0, 1, 2, 3}};
    const int64_t counts[6] = {2, 3, 2, 1, 3, 13};
    for (int64_t k = 0; k < 6; k++) {
        assert_int_equal(kernel_at(dictionary, k)->column_count, counts[k]);
        for (int64_t j = 0; j < counts[k] && j < 4; j++)
            assert_int_equal(kernel_at(dictionary, k)->columns[j], expected[k][j]);
    }
    assert_int_equal(rls2_dictionary_group_count(dictionary), 1);
    const rls2_group *group = rls2_dictionary_group(dictionary, 0);
    assert_string_equal(group->name, "genes");
    assert_int_equal(group->count, 2);
    for (int64_t j = 0; j < 2; j++) assert_int_equal(group->columns[j], 4 - j);
    assert_null(rls2_dictionary_group(dictionary, 1));
    assert_null(rls2_dictionary_group(dictionary, -1));
    rls2_dictionary_free(dictionary);
}

static void create__patterns__match_whole_names(void **state)
{
    (void)state;
    const char *const names[] = {"ab", "aab", "abab", "b", "äb"};
    rls2_columns columns = {.count = 5, .names = names};
    assert_names("linear@each:a*b", &columns, "linear@ab linear@aab linear@abab");
    assert_names("linear@each:*a?", &columns, "linear@ab linear@aab linear@abab");
    assert_names("linear@each:?b", &columns, "linear@ab linear@äb");
    assert_names("linear@each:**", &columns, "linear@ab linear@aab linear@abab linear@b linear@äb");
    assert_fails("linear@ab,a?b?", &(rls2_columns){.count = 2, .names = names}, RLS2_ERR_NAME, 10,
                 "no column matches 'a?b?'");
}

static void create__names__are_shown_as_the_grammar_writes_them(void **state)
{
    (void)state;
    assert_names(
        "rbf(0.1)@age,group:genes,gene_1 + age,gene_*,group:\"two words\",\"age\",gene_1..age",
        &odd,
        "rbf(0.1)@age rbf(0.1)@group:genes rbf(0.1)@gene_1+age rbf(0.1)@gene_* "
        "rbf(0.1)@group:\"two words\" rbf(0.1)@age rbf(0.1)@gene_1..age");
    assert_names(
        "linear", &odd,
        "linear@gene_1 linear@gene_2 linear@age linear@\"all\" linear@\"each\" linear@\"x y\" "
        "linear@\"a\"\"b\" linear@\"p..q\" linear@1e-3 linear@größe linear@group "
        "linear@\"end.\"");
    assert_names("linear@group,end.,1e-3", &odd, "linear@group linear@\"end.\" linear@1e-3");
    assert_names("linear@\"\"", &(rls2_columns){.count = 1, .names = (const char *const[]){""}},
                 "linear@\"\"");
}

/* Every name is a term that makes the same kernel again. */
static void create__names_as_text__make_the_same_dictionary(void **state)
{
    (void)state;
    const char *spec =
        "poly(1..3,0|1,scale=0.5|1e5)@all,each,group:genes+age,gene_*; matern(1/2|5/2,1|20);"
        "laplace(1:1e6:3)@each:group:\"two words\"+\"x y\"..\"p..q\"; spline; delta@\"all\"+age; "
        "given(K1|\"my kernel.csv\"); linear; rbf(learn|1|learn*1e-3)@all; matern(1.5,learn*7)@all";
    rls2_dictionary *dictionary = made(spec, &odd);
    for (int64_t k = 0; k < dictionary->m; k++) {
        const rls2__kernel *a = kernel_at(dictionary, k);
        rls2_dictionary *again = made(a->name, &odd);
        assert_int_equal(again->m, 1);
        const rls2__kernel *b = kernel_at(again, 0);
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->given, b->given);
        assert_int_equal(a->learns, b->learns);
        assert_int_equal(a->column_count, b->column_count);
        if (a->column_count > 0)
            assert_memory_equal(a->columns, b->columns, (size_t)a->column_count * sizeof(int64_t));
        for (int i = 0; i < 3; i++) assert_true(a->param[i] == b->param[i]);
        rls2_dictionary_free(again);
    }
    rls2_dictionary_free(dictionary);
}

static void name__equal_at_four_digits__shows_more(void **state)
{
    (void)state;
    assert_names("rbf(0.1|0.10000001|0.1|2)@a,b", &abc,
                 "rbf(0.1)@a rbf(0.1)@b rbf(0.10000001)@a rbf(0.10000001)@b rbf(0.1)@a rbf(0.1)@b "
                 "rbf(2)@a rbf(2)@b");
    assert_names("rbf(1.23456|1.23457)@a; rbf(1.23456)@b", &abc,
                 "rbf(1.23456)@a rbf(1.23457)@a rbf(1.235)@b");
    assert_names("poly(2,1|1.00001)@a", &abc, "poly(2)@a poly(2,offset=1)@a");
    assert_names("poly(2,1.00002|1.00001)@a", &abc,
                 "poly(2,offset=1.00002)@a poly(2,offset=1.00001)@a");
    assert_names("rbf(0.1|0.30000000000000004|0.3)@a", &abc,
                 "rbf(0.1)@a rbf(0.30000000000000004)@a rbf(0.3)@a");
}

static void name__true_duplicates__stay_equal(void **state)
{
    (void)state;
    assert_names("rbf(1.23456|1.23456)@a,a", &abc,
                 "rbf(1.235)@a rbf(1.235)@a rbf(1.235)@a rbf(1.235)@a");
}

static void create__many_terms__is_no_problem(void **state)
{
    (void)state;
    enum { TERMS = 20000 };
    char *spec = malloc(TERMS * 16);
    assert_non_null(spec);
    size_t length = 0;
    for (int i = 0; i < TERMS; i++)
        length += (size_t)sprintf(spec + length, "%srbf(%d)@a+c", i ? ";" : "", i + 1);
    assert_size(spec, &abc, TERMS);
    free(spec);
}

static void create__name_of_a_text_column__means_its_indicators(void **state)
{
    (void)state;
    const char *names[] = {"batch2", "batch=a", "age", "batch=b"};
    const rls2_columns columns = {.count = 4, .names = names};
    rls2_dictionary *dictionary = NULL;
    rls2_error err;
    assert_int_equal(
        rls2_dictionary_create("delta@batch; linear@each:batch", &columns, &dictionary, &err),
        RLS2_OK);
    assert_int_equal(rls2_dictionary_count(dictionary), 3);
    assert_string_equal(rls2_dictionary_name(dictionary, 0), "delta@batch");
    assert_int_equal(dictionary->kernels[0].column_count, 2);
    assert_int_equal(dictionary->kernels[0].columns[0], 1);
    assert_int_equal(dictionary->kernels[0].columns[1], 3);
    assert_string_equal(rls2_dictionary_name(dictionary, 2), "linear@\"batch=b\"");
    rls2_dictionary_free(dictionary);
}

static void group_has__names_patterns_and_text_columns__are_found(void **state)
{
    (void)state;
    assert_true(rls2_group_has("a,Temp [C],gene_*", "Temp [C]"));
    assert_true(rls2_group_has("a,Temp [C],gene_*", "gene_7"));
    assert_true(rls2_group_has("a", "a") && rls2_group_has("batch", "batch=u"));
    assert_false(rls2_group_has("a,b", "ab") || rls2_group_has("a,b", "a,b") ||
                 rls2_group_has("batch", "batch2"));
    assert_false(rls2_group_has("", "a") || rls2_group_has(NULL, "a") || rls2_group_has("a", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(group_has__names_patterns_and_text_columns__are_found),
        cmocka_unit_test(create__name_of_a_text_column__means_its_indicators),
        cmocka_unit_test(create__paper_on_13_columns__gives_182_kernels),
        cmocka_unit_test(create__linear_on_16063_columns__gives_one_kernel_per_column),
        cmocka_unit_test(create__200000_kernels__all_distinct_and_shared_columns),
        cmocka_unit_test(create__no_selector__takes_all_columns_or_each),
        cmocka_unit_test(create__learned_widths__are_named_by_their_multiple),
        cmocka_unit_test(create__more_sets_of_widths_than_anyone_waits_for__is_refused),
        cmocka_unit_test(create__names_null__calls_columns_x1_to_xp),
        cmocka_unit_test(create__given_without_columns__works),
        cmocka_unit_test(create__product__last_argument_fastest_then_items_then_columns),
        cmocka_unit_test(create__white_space__is_allowed_between_tokens),
        cmocka_unit_test(create__parameters__reach_the_kernels),
        cmocka_unit_test(create__log_range_of_decades__is_exact),
        cmocka_unit_test(create__log_range__is_within_1e_14_of_the_grid),
        cmocka_unit_test(create__comma_locale__changes_nothing),
        cmocka_unit_test(create__sets__are_unions_in_column_order),
        cmocka_unit_test(create__patterns__match_whole_names),
        cmocka_unit_test(create__names__are_shown_as_the_grammar_writes_them),
        cmocka_unit_test(create__names_as_text__make_the_same_dictionary),
        cmocka_unit_test(name__equal_at_four_digits__shows_more),
        cmocka_unit_test(name__true_duplicates__stay_equal),
        cmocka_unit_test(create__many_terms__is_no_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
