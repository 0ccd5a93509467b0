/* Where a wrong dictionary text, or what it refers to, is wrong. */
#include "dictionary_fixture.h"

/* ---- errors in the arguments ---- */

static void create__null_arguments__are_refused(void **state)
{
    (void)state;
    rls2_dictionary *dictionary = NULL;
    rls2_error err;
    assert_int_equal(rls2_dictionary_create(NULL, &abc, &dictionary, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(err.position, -1);
    assert_int_equal(rls2_dictionary_create("paper", NULL, &dictionary, &err), RLS2_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "argument columns is NULL"));
    assert_int_equal(rls2_dictionary_create("paper", &abc, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_null(dictionary);
    rls2_dictionary_free(NULL);
}

static void create__faulty_columns__are_refused(void **state)
{
    (void)state;
    const char *const twice[] = {"a", "rm", "rm"}, *const hole[] = {"a", NULL};
    const int64_t three = 3, minus = -1;
    rls2_group outside[] = {{"g", 1, &three}}, negative[] = {{"g", 1, &minus}},
               unnamed[] = {{NULL, 0, NULL}};
    rls2_group unlisted[] = {{"g", 1, NULL}}, same[] = {{"g", 0, NULL}, {"g", 0, NULL}};
    const struct {
        rls2_columns columns;
        const char *part;
    } cases[] = {
        {{.count = 3, .names = twice}, "the column name 'rm' occurs twice"},
        {{.count = 2, .names = hole}, "column 2 has no name"},
        {{.count = -1}, "negative"},
        {{.count = 3, .group_count = -1}, "negative"},
        {{.count = 3, .group_count = 1}, "groups is NULL"},
        {{.count = 3, .given_count = 1}, "given_names is NULL"},
        {{.count = 3, .given_count = 2, .given_names = hole}, "given matrix 2 has no name"},
        {{.count = 3, .given_count = 3, .given_names = twice},
         "the given matrix name 'rm' occurs twice"},
        {{.count = 3, .group_count = 1, .groups = outside},
         "group 'g' has column 3, not within 0 .. 2"},
        {{.count = 3, .group_count = 1, .groups = negative}, "group 'g' has column -1"},
        {{.count = 3, .group_count = 1, .groups = unnamed}, "group 1 has no name"},
        {{.count = 3, .group_count = 1, .groups = unlisted}, "group 'g' has no list"},
        {{.count = 3, .group_count = 2, .groups = same}, "the group name 'g' occurs twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_fails("linear", &cases[i].columns, RLS2_ERR_ARGUMENT, -1, cases[i].part);
}

/* ---- errors in the text ---- */

/* Names that a newcomer would expect to work, with what to write instead. */
static void create__name_of_something_else__says_what_to_write(void **state)
{
    (void)state;
    const char *names[] = {"age", "motor=A", "motor=B"};
    const int64_t list[] = {0, 1};
    const rls2_group groups[] = {{"gains", 2, list}};
    const rls2_columns columns = {.count = 3, .names = names, .group_count = 1, .groups = groups};
    assert_fails("delta@moto", &columns, RLS2_ERR_NAME, 6, "unknown column 'moto'");
    assert_fails("rbf(1)@gains", &columns, RLS2_ERR_NAME, 7, "write group:gains");
    assert_fails("rbf(0.1, 1)@all", &columns, RLS2_ERR_SYNTAX, 9, "written 1|10|100");
    assert_fails("rbf(sigma=1)", &columns, RLS2_ERR_NAME, 4, "its first is gamma");
    assert_fails("sigmoid(1)", &columns, RLS2_ERR_NAME, 0, "there are linear, poly, rbf");
}

typedef struct wrong {
    const char *spec;
    rls2_status status;
    int64_t position;
    const char *part;
} wrong;

static void create__wrong_text__is_refused_at_the_right_character(void **state)
{
    (void)state;
    const wrong cases[] = {
        {"", RLS2_ERR_SYNTAX, 0, "empty"},
        {" \n ", RLS2_ERR_SYNTAX, 0, "empty"},
        {";", RLS2_ERR_SYNTAX, 0, "expected a kernel"},
        {"rbf(1);", RLS2_ERR_SYNTAX, 7, "expected a kernel"},
        {"rbf(1);;rbf(1)", RLS2_ERR_SYNTAX, 7, "expected a kernel"},
        {"rbf(1) ; @a", RLS2_ERR_SYNTAX, 9, "expected a kernel"},
        {"\"rbf\"(1)", RLS2_ERR_SYNTAX, 0, "without quotes"},
        {"rfb(1)", RLS2_ERR_NAME, 0, "unknown kernel 'rfb' (did you mean 'rbf'?)"},
        {"rbf(1); RBF(1)", RLS2_ERR_NAME, 8, "unknown kernel 'RBF' (did you mean 'rbf'?)"},
        {"papers", RLS2_ERR_NAME, 0, "did you mean 'paper'?"},
        {"zzz", RLS2_ERR_NAME, 0, "unknown kernel 'zzz'; there are linear, poly, rbf, "},
        {"paper(1)", RLS2_ERR_SYNTAX, 5, "the preset paper stands alone"},
        {"paper @all", RLS2_ERR_SYNTAX, 6, "the preset paper stands alone"},
        {"linear(1)", RLS2_ERR_SYNTAX, 6, "linear takes no arguments"},
        {"spline()", RLS2_ERR_SYNTAX, 6, "spline takes no arguments"},
        {"linear x", RLS2_ERR_SYNTAX, 7, "expected '@', ';' or the end"},
        {"rbf(1)(2)", RLS2_ERR_SYNTAX, 6, "expected '@', ';' or the end"},
        {"rbf(1)@age b", RLS2_ERR_SYNTAX, 11, "expected '+', ',', ';' or the end"},
        {"given(K1) a", RLS2_ERR_SYNTAX, 10, "expected ';' or the end"},
        /* arguments */
        {"rbf", RLS2_ERR_SYNTAX, 3, "rbf needs its gamma, as in rbf(gamma)"},
        {"rbf @age", RLS2_ERR_SYNTAX, 4, "rbf needs its gamma"},
        {"rbf()", RLS2_ERR_SYNTAX, 4, "rbf needs its gamma"},
        {"poly(offset=2)", RLS2_ERR_SYNTAX, 13, "poly needs its degree"},
        {"rbf(1", RLS2_ERR_SYNTAX, 5, "expected ',' or ')'"},
        {"rbf(", RLS2_ERR_SYNTAX, 4, "expected a number"},
        {"rbf(,1)", RLS2_ERR_SYNTAX, 4, "expected a number"},
        {"rbf(1,)", RLS2_ERR_SYNTAX, 6, "expected an argument after ','"},
        {"rbf(1|)", RLS2_ERR_SYNTAX, 6, "expected a number"},
        {"rbf(1 2)", RLS2_ERR_SYNTAX, 6, "expected ',' or ')'"},
        {"rbf(1;rbf(2)", RLS2_ERR_SYNTAX, 5, "expected ',' or ')'"},
        {"rbf(1,2)", RLS2_ERR_SYNTAX, 6, "too many arguments: rbf takes 1"},
        {"poly(1,2,3, 4)", RLS2_ERR_SYNTAX, 12, "too many arguments: poly takes 3"},
        {"rbf(gama=1)", RLS2_ERR_NAME, 4, "rbf has no argument 'gama' (did you mean 'gamma'?)"},
        {"poly(1, =2)", RLS2_ERR_SYNTAX, 8, "expected a number"},
        {"poly(1, degree=2)", RLS2_ERR_SYNTAX, 8, "degree is given twice"},
        {"poly(1,scale=1,scale=2)", RLS2_ERR_SYNTAX, 15, "scale is given twice"},
        {"poly(offset=1, 2)", RLS2_ERR_SYNTAX, 15, "without a key after one with a key"},
        /* numbers */
        {"rbf(abc)", RLS2_ERR_SYNTAX, 4, "'abc' is not a number"},
        {"rbf( 1x)", RLS2_ERR_SYNTAX, 5, "'1x' is not a number"},
        {"rbf(0x10)", RLS2_ERR_SYNTAX, 4, "'0x10' is not a number"},
        {"rbf(nan)", RLS2_ERR_SYNTAX, 4, "'nan' is not a number"},
        {"rbf(1e)", RLS2_ERR_SYNTAX, 4, "'1e' is not a number"},
        {"rbf(.)", RLS2_ERR_SYNTAX, 4, "'.' is not a number"},
        {"rbf(1.2.3)", RLS2_ERR_SYNTAX, 4, "'1.2.3' is not a number"},
        {"rbf(\"1\")", RLS2_ERR_SYNTAX, 4, "expected a number"},
        {"rbf(1e999)", RLS2_ERR_VALUE, 4, "too large"},
        {"rbf(1/0)", RLS2_ERR_VALUE, 6, "not a finite number"},
        {"rbf(1/)", RLS2_ERR_SYNTAX, 6, "expected a number"},
        {"rbf(0)", RLS2_ERR_VALUE, 4, "gamma must be greater than zero, not 0"},
        {"rbf(1|-1)", RLS2_ERR_VALUE, 6, "gamma must be greater than zero, not -1"},
        {"rbf(1e-999)", RLS2_ERR_VALUE, 4, "gamma must be greater than zero"},
        {"laplace(gamma = 0)", RLS2_ERR_VALUE, 16, "gamma must be greater than zero"},
        {"poly(0)", RLS2_ERR_VALUE, 5, "degree must be a whole number from 1 to 20, not 0"},
        {"poly(2.5)", RLS2_ERR_VALUE, 5, "degree must be a whole number from 1 to 20, not 2.5"},
        {"poly(1..21)", RLS2_ERR_VALUE, 8, "degree must be a whole number from 1 to 20, not 21"},
        {"poly(20.000000001)", RLS2_ERR_VALUE, 5, "not 20.000000001"},
        {"poly(1,-0.5)", RLS2_ERR_VALUE, 7, "offset must be zero or more, not -0.5"},
        {"poly(1,0,0)", RLS2_ERR_VALUE, 9, "scale must be greater than zero"},
        {"matern(1)", RLS2_ERR_VALUE, 7, "nu must be 0.5, 1.5 or 2.5, not 1"},
        {"matern(0.5,0)", RLS2_ERR_VALUE, 11, "length must be greater than zero"},
        {"matern(0.5:2.5:3)", RLS2_ERR_VALUE, 7, "nu must be 0.5, 1.5 or 2.5"},
        /* ranges of values */
        {"rbf(1:2)", RLS2_ERR_SYNTAX, 7, "as in lo:hi:n"},
        {"rbf(1:2:)", RLS2_ERR_SYNTAX, 8, "expected a number"},
        {"rbf(1::3)", RLS2_ERR_SYNTAX, 6, "expected a number"},
        {"rbf(1:2:0)", RLS2_ERR_VALUE, 8, "a whole number from 1"},
        {"rbf(1:2:2.5)", RLS2_ERR_VALUE, 8, "a whole number from 1"},
        {"rbf(0:2:3)", RLS2_ERR_VALUE, 4, "greater than zero"},
        {"poly(1,1:-2:3)", RLS2_ERR_VALUE, 9, "greater than zero"},
        {"rbf(1:2:1000001)", RLS2_ERR_VALUE, 8, "a range of more than 1000000 values"},
        {"rbf(1:2:1e300)", RLS2_ERR_VALUE, 8, "a range of more than 1000000 values"},
        {"rbf(1..1000001)", RLS2_ERR_VALUE, 4, "a range of more than 1000000 values"},
        {"rbf(1.5..3)", RLS2_ERR_VALUE, 4, "whole numbers"},
        {"rbf(1..3.5)", RLS2_ERR_VALUE, 7, "whole numbers"},
        {"rbf(1..1e300)", RLS2_ERR_VALUE, 7, "whole numbers"},
        {"rbf(1..)", RLS2_ERR_SYNTAX, 7, "expected a number"},
        {"rbf(1...5)", RLS2_ERR_VALUE, 7, "whole numbers"},
        {"rbf(1..1000000)@each", RLS2_ERR_VALUE, 0, "more than 10000000 kernels"},
        /* columns */
        {"rbf(1)@", RLS2_ERR_SYNTAX, 7, "expected columns"},
        {"rbf(1)@age,", RLS2_ERR_SYNTAX, 11, "expected columns"},
        {"rbf(1)@age+", RLS2_ERR_SYNTAX, 11, "expected a column"},
        {"rbf(1)@age+;", RLS2_ERR_SYNTAX, 11, "expected a column"},
        {"rbf(1)@each:", RLS2_ERR_SYNTAX, 12, "expected a column"},
        {"rbf(1)@each+age", RLS2_ERR_SYNTAX, 11, "expected '+'"},
        {"rbf(1)@age+each", RLS2_ERR_SYNTAX, 11, "'each' stands first"},
        {"rbf(1)@each:each", RLS2_ERR_SYNTAX, 12, "'each' stands first"},
        {"rbf(1)@ gene_3", RLS2_ERR_NAME, 8, "unknown column 'gene_3' (did you mean 'gene_1'?)"},
        {"rbf(1)@age+agge", RLS2_ERR_NAME, 11, "unknown column 'agge' (did you mean 'age'?)"},
        {"rbf(1)@qqqq", RLS2_ERR_NAME, 7, "unknown column 'qqqq'\n"},
        {"rbf(1)@\"gene_*\"", RLS2_ERR_NAME, 7, "unknown column 'gene_*'"},
        {"rbf(1)@nope_*", RLS2_ERR_NAME, 7, "no column matches 'nope_*'"},
        {"rbf(1)@\"age", RLS2_ERR_SYNTAX, 7, "this quote is not closed"},
        {"rbf(1)@\"age\"\"", RLS2_ERR_SYNTAX, 7, "this quote is not closed"},
        {"rbf(1)@age..gene_1", RLS2_ERR_VALUE, 12, "column 'gene_1' comes before 'age'"},
        {"rbf(1)@gene_1..", RLS2_ERR_SYNTAX, 15, "the last column of the range"},
        {"rbf(1)@gene_1..gene_*", RLS2_ERR_SYNTAX, 15, "from a name to a name"},
        {"rbf(1)@gene_?..age", RLS2_ERR_SYNTAX, 7, "from a name to a name"},
        {"rbf(1)@gene_1..agf", RLS2_ERR_NAME, 15, "did you mean 'age'?"},
        {"rbf(1)@all..age", RLS2_ERR_SYNTAX, 10, "expected '+'"},
        {"rbf(1)@group:gene", RLS2_ERR_NAME, 13, "unknown group 'gene' (did you mean 'genes'?)"},
        {"rbf(1)@group:", RLS2_ERR_SYNTAX, 13, "the name of a group"},
        {"rbf(1)@group:none", RLS2_ERR_VALUE, 13, "group 'none' has no columns"},
        {"spline@age,all", RLS2_ERR_VALUE, 11,
         "spline takes one column and all has 12: write each:all"},
        {"spline@gene_*", RLS2_ERR_VALUE, 7, "write each:gene_*"},
        /* widths that are learned */
        {"rbf(learn)@age", RLS2_ERR_VALUE, 11,
         "widths are learned for several columns together, and here is one: write "
         "rbf(1e-3:1e3:10)"},
        {"rbf(1|learn)@all,each:gene_*", RLS2_ERR_VALUE, 17, "'each' takes them one by one"},
        {"matern(2.5,learn)@age", RLS2_ERR_VALUE, 18, "write matern(2.5,1e-2:1e2:9)"},
        {"rbf(learn*0)", RLS2_ERR_VALUE, 10, "gamma must be greater than zero, not 0"},
        {"rbf(learn*-1)", RLS2_ERR_VALUE, 10, "gamma must be greater than zero, not -1"},
        {"rbf(learn*)", RLS2_ERR_SYNTAX, 10, "expected a number"},
        {"rbf(learn*1:2:3)", RLS2_ERR_SYNTAX, 11, "expected ',' or ')'"},
        {"rbf(learned)", RLS2_ERR_SYNTAX, 9, "after 'learn' comes '*' and a number"},
        {"rbf(learn", RLS2_ERR_SYNTAX, 9, "expected ',' or ')'"},
        {"laplace(learn)", RLS2_ERR_SYNTAX, 8, "'learn' is not a number"},
        {"poly(learn)", RLS2_ERR_SYNTAX, 5, "'learn' is not a number"},
        {"matern(learn)", RLS2_ERR_SYNTAX, 7, "'learn' is not a number"},
        /* given matrices */
        {"given", RLS2_ERR_SYNTAX, 5, "given needs its name"},
        {"given()", RLS2_ERR_SYNTAX, 6, "given needs its name"},
        {"given(K2)", RLS2_ERR_NAME, 6, "no matrix named 'K2' was given (did you mean 'K1'?)"},
        {"given(K1)@all", RLS2_ERR_SYNTAX, 9, "a given matrix takes no columns"},
        {"given(K1|)", RLS2_ERR_SYNTAX, 9, "the name of a given matrix"},
        {"given(K1:K2)", RLS2_ERR_SYNTAX, 8, "expected ',' or ')'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_fails(cases[i].spec, &odd, cases[i].status, cases[i].position, cases[i].part);
}

static void create__wrong_text__is_shown_with_a_caret(void **state)
{
    (void)state;
    rls2_error err;
    rls2_dictionary *dictionary = NULL;
    rls2_dictionary_create("rbf(1);\trfb(1)", &abc, &dictionary, &err);
    assert_string_equal(err.message, "kernels: unknown kernel 'rfb' (did you mean 'rbf'?)\n"
                                     "  rbf(1);\\trfb(1)\n"
                                     "           ^");
    rls2_dictionary_create("rbf(1)@größe+gen", &odd, &dictionary, &err);
    assert_string_equal(err.message, "kernels: unknown column 'gen'\n"
                                     "  rbf(1)@größe+gen\n"
                                     "               ^");
    assert_int_equal(err.position, 15);
}

static void create__error_in_a_long_text__shows_its_neighbourhood(void **state)
{
    (void)state;
    char spec[401];
    memset(spec, ' ', 400);
    spec[400] = '\0';
    memcpy(spec, "rbf(1)", 6);
    memcpy(spec + 200, ";rfb(1)", 7);
    memcpy(spec + 390, ";rbf(1)", 7);
    rls2_error err;
    rls2_dictionary *dictionary = NULL;
    assert_int_equal(rls2_dictionary_create(spec, &abc, &dictionary, &err), RLS2_ERR_NAME);
    assert_int_equal(err.position, 201);
    const char *caret = strrchr(err.message, '\n') + 1;
    const char *shown = strchr(err.message, '\n') + 1;
    assert_int_equal(strlen(shown) - strlen(caret) - 1, 2 + 3 + 70 + 3);
    assert_memory_equal(shown + strlen(caret) - 1, "rfb", 3);
}

/* Every byte of it is told by four: the message has room for the caret nevertheless. */
static void create__text_of_wrong_bytes__is_shown_with_a_caret(void **state)
{
    (void)state;
    char text[80] = "f";
    rls2_error err = {.message = ""};
    rls2_dictionary *dictionary = NULL;
    const char *const names[] = {"a"};
    rls2_columns columns = {.count = 1, .names = names};
    memset(text + 1, '\xd1', sizeof text - 2);
    text[sizeof text - 1] = '\0';
    assert_int_not_equal(rls2_dictionary_create(text, &columns, &dictionary, &err), RLS2_OK);
    assert_int_equal(err.message[strlen(err.message) - 1], '^');
    assert_non_null(strstr(err.message, "\\xd1"));
}

static void create__very_long_names__fit_the_message(void **state)
{
    (void)state;
    char spec[3001];
    for (int shift = 0; shift < 4; shift++) {
        for (int i = 0; i < 3000; i++) spec[i] = "\xe2\x82\xac"[i % 3];
        memset(spec, 'a', (size_t)shift);
        spec[3000] = '\0';
        rls2_error err;
        rls2_dictionary *dictionary = NULL;
        assert_int_equal(rls2_dictionary_create(spec, &abc, &dictionary, &err), RLS2_ERR_NAME);
        assert_int_equal(err.position, 0);
        assert_true(strlen(err.message) < sizeof err.message - 1);
        assert_string_equal(strrchr(err.message, '\n'), "\n  ^");
    }
}

/* ---- limits ---- */

static void build__beyond_the_limits__is_refused(void **state)
{
    (void)state;
    const rls2__dictionary_limits few = {
        .kernels = 6, .values = 4, .references = 4, .name_bytes = 1000};
    const rls2__dictionary_limits terse = {
        .kernels = 100, .values = 4, .references = 4, .name_bytes = 200};
    rls2_dictionary *dictionary = NULL;
    rls2_error err;
    assert_int_equal(rls2__dictionary_build("rbf(1|2)@each", &abc, &few, &dictionary, &err),
                     RLS2_OK);
    rls2_dictionary_free(dictionary);
    assert_int_equal(rls2__dictionary_build("linear;rbf(1|2)@all,a", &abc, &few, &dictionary, &err),
                     RLS2_ERR_VALUE);
    assert_int_equal(err.position, 7);
    assert_int_equal(rls2__dictionary_build("rbf(1|1..4|3..4)", &abc, &few, &dictionary, &err),
                     RLS2_ERR_VALUE);
    assert_int_equal(err.position, 11);
    assert_int_equal(
        rls2__dictionary_build("rbf(1)@a+c,all,a+c,b,a+c", &abc, &few, &dictionary, &err),
        RLS2_ERR_VALUE);
    assert_int_equal(err.position, 21);
    assert_int_equal(rls2__dictionary_build("linear@a;linear", &abc, &terse, &dictionary, &err),
                     RLS2_ERR_VALUE);
    assert_int_equal(err.position, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(create__null_arguments__are_refused),
        cmocka_unit_test(create__faulty_columns__are_refused),
        cmocka_unit_test(create__name_of_something_else__says_what_to_write),
        cmocka_unit_test(create__wrong_text__is_refused_at_the_right_character),
        cmocka_unit_test(create__wrong_text__is_shown_with_a_caret),
        cmocka_unit_test(create__text_of_wrong_bytes__is_shown_with_a_caret),
        cmocka_unit_test(create__error_in_a_long_text__shows_its_neighbourhood),
        cmocka_unit_test(create__very_long_names__fit_the_message),
        cmocka_unit_test(build__beyond_the_limits__is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
