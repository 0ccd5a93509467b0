/* What a table makes of the texts in its columns: numbers in local form, dates, words for missing
 * values; and what it tells about them. */
#include "table_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "table/table.h"

/* Read with every default. */
static rls2_table *read_as_found(const char *text)
{
    rls2_table *table = NULL;
    rls2_error err = {.message = ""};
    rls2_status status = rls2_table_parse("t.csv", text, (int64_t)strlen(text), NULL, &table, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    return table;
}

static void assert_values(const rls2_table *table, int64_t column, const double *values)
{
    for (int64_t i = 0; i < rls2_table_rows(table); i++) {
        double value = rls2_table_value(table, i, column);
        if (!(value == values[i] || (isnan(value) && isnan(values[i]))))
            fail_msg("row %d, column %d: %.10g, not %.10g", (int)i, (int)column, value, values[i]);
    }
}

static int has_note(const rls2_table *table, const char *note)
{
    for (int64_t k = 0; k < rls2_table_note_count(table); k++)
        if (strcmp(rls2_table_note(table, k), note) == 0) return 1;
    return 0;
}

static void assert_note(const rls2_table *table, const char *note)
{
    if (has_note(table, note)) return;
    for (int64_t k = 0; k < rls2_table_note_count(table); k++)
        print_error("note: %s\n", rls2_table_note(table, k));
    fail_msg("no note '%s'", note);
}

/* A column of these cells beside one that has no faults. */
static rls2_table *column_of(const char *const *cells, int count)
{
    char text[4096] = "cell;n\n";
    for (int i = 0; i < count; i++) sprintf(text + strlen(text), "\"%s\";%d\n", cells[i], i);
    return read_as_found(text);
}
#define COUNT(list) ((int)(sizeof list / sizeof list[0]))

static void assert_kind(const char *const *cells, int count, rls2_column_kind kind)
{
    rls2_table *table = column_of(cells, count);
    if (rls2_table_kind(table, 0) != kind)
        fail_msg("'%s', ...: kind %d, not %d", cells[0], (int)rls2_table_kind(table, 0), (int)kind);
    rls2_table_free(table);
}

/* ---- numbers ---- */

static void understand__thousands_in_a_file_of_commas__are_thousands(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("balance,n\n\"1,232\",1\n950,2\n\"12,500\",3\n");
    assert_values(table, 0, (double[]){1232, 950, 12500});
    assert_int_equal(rls2_table_kind(table, 0), RLS2_COLUMN_NUMBERS);
    assert_true(rls2_table_is_numeric(table, 0));
    assert_string_equal(rls2_table_cell(table, 0, 0), "1,232");
    assert_note(table, "column 'balance': '1,232' is read as 1232");
    assert_int_equal(rls2_table_note_count(table), 1);
    rls2_table_free(table);
}

static void understand__decimal_commas__are_found_for_each_column(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("a;b;c;d\n1,5;1,232;x;1.232,5\n-2,25;2,500;y;17\n");
    assert_values(table, 0, (double[]){1.5, -2.25});
    assert_values(table, 1, (double[]){1.232, 2.5});
    assert_int_equal(rls2_table_kind(table, 2), RLS2_COLUMN_TEXT);
    assert_values(table, 3, (double[]){1232.5, 17});
    assert_note(table, "columns 'a', 'b', 'd': '1,5' is read as 1.5");
    rls2_table_free(table);
}

/* In a file of semicolons whose other numbers have points the comma separates thousands. */
static void understand__commas_beside_points__are_thousands(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("a;b\n1,232;0.5\n2,500;1.5\n");
    assert_values(table, 0, (double[]){1232, 2500});
    rls2_table_free(table);
    table = read_as_found("a\tb\n1,232\t0,5\n2,500\t1,5\n");
    assert_values(table, 0, (double[]){1.232, 2.5});
    rls2_table_free(table);
}

/* As a German spreadsheet has them: the points of plain numbers separate thousands as well. */
static void understand__points_beside_decimal_commas__are_thousands(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("income;limit;n\n14,891;3.606;1\n106,025;855;2\n");
    assert_values(table, 0, (double[]){14.891, 106.025});
    assert_values(table, 1, (double[]){3606, 855});
    assert_note(table, "column 'income': '14,891' is read as 14.891");
    assert_note(table, "column 'limit': '3.606' is read as 3606");
    assert_int_equal(rls2_table_note_count(table), 2);
    rls2_table_free(table);
    table = read_as_found("a;b\n1,5;3.606\n2,5;0.855\n"); /* these are decimals */
    assert_values(table, 1, (double[]){3.606, 0.855});
    rls2_table_free(table);
    table = read_as_found("a;b;c\nx;3.606;1\ny;4.855;2\n"); /* and nothing says otherwise */
    assert_values(table, 1, (double[]){3.606, 4.855});
    rls2_table_free(table);
    table = read_as_found("day;b\n24.12.2020;3.606\n25.12.2020;4.855\n");
    assert_values(table, 1, (double[]){3.606, 4.855});
    rls2_table_free(table);
}

static void understand__signs__are_left_out(void **state)
{
    (void)state;
    rls2_table *table =
        read_as_found("p,m,e,v\n12 %,$5,5 \u20ac,(3)\n7%,-$7.50,6 \u20ac,\"1,000\"\n");
    assert_values(table, 0, (double[]){12, 7});
    assert_values(table, 1, (double[]){5, -7.5});
    assert_values(table, 2, (double[]){5, 6});
    assert_values(table, 3, (double[]){-3, 1000});
    rls2_table_free(table);
}

static void understand__texts_like_numbers__stay_texts(void **state)
{
    static const char *const codes[] = {"12-34", "56-78"}, *const versions[] = {"1.2.3", "1.10.0"};
    static const char *const ranges[] = {"1-2", "3-4"}, *const phones[] = {"555-1234", "555-9876"};
    static const char *const zips[] = {"12345-6789", "98765-4321"};
    static const char *const quarters[] = {"2001Q1", "2001-Q2"};
    static const char *const brackets[] = {"(1)", "(2)"}, *const units[] = {"5 kg", "7 kg"};
    static const char *const shares[] = {"5%", "10%", "none"}, *const hex[] = {"0x1", "0x2"};
    (void)state;
    assert_kind(codes, COUNT(codes), RLS2_COLUMN_TEXT);
    assert_kind(versions, COUNT(versions), RLS2_COLUMN_TEXT);
    assert_kind(ranges, COUNT(ranges), RLS2_COLUMN_TEXT);
    assert_kind(phones, COUNT(phones), RLS2_COLUMN_TEXT);
    assert_kind(zips, COUNT(zips), RLS2_COLUMN_TEXT);
    assert_kind(quarters, COUNT(quarters), RLS2_COLUMN_TEXT);
    assert_kind(brackets, COUNT(brackets), RLS2_COLUMN_TEXT);
    assert_kind(units, COUNT(units), RLS2_COLUMN_TEXT);
    assert_kind(shares, COUNT(shares), RLS2_COLUMN_TEXT);
    assert_kind(hex, COUNT(hex), RLS2_COLUMN_TEXT);
}

/* A slip among many is left for the encoder, which names it. */
static void understand__a_slip_among_many__is_named(void **state)
{
    char text[2048] = "a,y\n";
    rls2_dataset *dataset = NULL;
    rls2_error err = {.message = ""};
    (void)state;
    for (int i = 0; i < 40; i++) sprintf(text + strlen(text), "\"%d,000\",%d\n", i + 1, i * i);
    strcat(text, "lots,7\n");
    rls2_table *table = read_as_found(text);
    assert_true(rls2_table_value(table, 3, 0) == 4000);
    rls2_dataset_options options = options_for("y");
    assert_int_equal(rls2_dataset_create(table, &options, &dataset, &err), RLS2_ERR_VALUE);
    assert_string_equal(err.message, "t.csv:42: column 'a': 'lots' is not a number");
    rls2_table_free(table);
}

static void understand__decimal_that_was_asked_for__decides(void **state)
{
    rls2_read_options options;
    rls2_table *table = NULL;
    (void)state;
    rls2_read_options_init(&options, sizeof options);
    options.decimal = ',';
    const char *text = "a;b\n1,232;5\n2.500;6\n";
    assert_int_equal(rls2_table_parse("t", text, (int64_t)strlen(text), &options, &table, NULL),
                     RLS2_OK);
    assert_values(table, 0, (double[]){1.232, 2500});
    assert_int_equal(rls2_table_note_count(table), 0);
    rls2_table_free(table);
    options.decimal = '.';
    text = "a;b\n1,232;5\n2,500;6\n";
    assert_int_equal(rls2_table_parse("t", text, (int64_t)strlen(text), &options, &table, NULL),
                     RLS2_OK);
    assert_values(table, 0, (double[]){1232, 2500});
    rls2_table_free(table);
}

/* ---- dates ---- */

static void understand__dates__are_days(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("day,when,at,mon,n\n"
                                      "1970-01-02,2001-01-31T12:00:00Z,06:00,12-Jan-2001,1\n"
                                      "2001-01-31,,18:00,1 Feb 2001,2\n");
    assert_values(table, 0, (double[]){1, 11353});
    assert_values(table, 1, (double[]){11353.5, NAN});
    assert_values(table, 2, (double[]){0.25, 0.75});
    assert_values(table, 3, (double[]){11334, 11354});
    for (int64_t j = 0; j < 4; j++) assert_int_equal(rls2_table_kind(table, j), RLS2_COLUMN_DATES);
    assert_int_equal(rls2_table_kind(table, 4), RLS2_COLUMN_NUMBERS);
    assert_note(table, "column 'day': dates, year-month-day");
    assert_note(table, "column 'when': dates and times, year-month-day");
    assert_note(table, "column 'at': times of day");
    assert_note(table, "column 'mon': dates");
    rls2_table_free(table);
}

static void understand__day_and_month__are_told_apart_by_the_column(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("d,n\n02/03/2001,1\n31/01/2001,2\n");
    assert_values(table, 0, (double[]){11383, 11353});
    assert_note(table, "column 'd': dates, day-month-year");
    rls2_table_free(table);
    table = read_as_found("d,n\n02/03/2001,1\n01/31/2001,2\n");
    assert_values(table, 0, (double[]){11356, 11353});
    assert_note(table, "column 'd': dates, month-day-year");
    rls2_table_free(table);
}

static void understand__day_and_month_that_nothing_tells__are_a_guess(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("d,e,n\n02/03/2001,02.03.2001,1\n04/05/2001,04.05.2001,2\n");
    assert_true(rls2_table_value(table, 0, 0) == 11356);
    assert_true(rls2_table_value(table, 0, 1) == 11383);
    assert_note(table, "column 'd': dates, taken for month-day-year ('02/03/2001' is in month 2); "
                       "nothing tells day from month");
    assert_note(table, "column 'e': dates, taken for day-month-year ('02.03.2001' is in month 3); "
                       "nothing tells day from month");
    rls2_table_free(table);
}

/* A file is written in one country: another column, or the semicolons, tell the order. */
static void understand__day_and_month_of_another_column__decide(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("d,e\n02/03/2001,31/01/2001\n04/05/2001,01/02/2001\n");
    assert_true(rls2_table_value(table, 0, 0) == 11383);
    assert_note(table, "columns 'd', 'e': dates, day-month-year");
    rls2_table_free(table);
    table = read_as_found("d;e\n02/03/2001;1,5\n04/05/2001;2,5\n");
    assert_true(rls2_table_value(table, 0, 0) == 11383);
    rls2_table_free(table);
}

static void understand__days_that_are_none__leave_texts(void **state)
{
    static const char *const dates[] = {"2001-02-28", "2001-02-30"};
    (void)state;
    assert_kind(dates, COUNT(dates), RLS2_COLUMN_TEXT);
}

/* ---- missing values ---- */

static void understand__usual_words__are_missing_anywhere(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("a,b\n1,x\nNA,NA\nN/A,y\nnan,null\nNULL,None\n<NA>,#N/A\n"
                                      "n/a,NaN\n2,z\n");
    assert_int_equal(rls2_table_missing(table, 0), 6);
    assert_int_equal(rls2_table_missing(table, 1), 5);
    assert_true(rls2_table_is_numeric(table, 0));
    assert_cell(table, 1, 0, "");
    assert_note(table, "missing: NA (2 cells), N/A (1 cell), n/a (1 cell), NaN (1 cell), "
                       "nan (1 cell), null (1 cell), NULL (1 cell), None (1 cell), "
                       "<NA> (1 cell), #N/A (1 cell)");
    rls2_table_free(table);
}

/* R quotes texts and writes NA for what is missing. */
static void understand__words_in_quotes__are_texts_unless_the_rest_is_numbers(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("a,b\n\"1\",\"None\"\n\"NA\",\"NA\"\n\"2\",NA\n\"3\",x\n");
    assert_int_equal(rls2_table_missing(table, 0), 1);
    assert_int_equal(rls2_table_missing(table, 1), 1);
    assert_cell(table, 0, 1, "None");
    assert_cell(table, 1, 1, "NA");
    rls2_table_free(table);
}

static void understand__weak_words__are_missing_among_numbers_only(void **state)
{
    (void)state;
    rls2_table *table =
        read_as_found("a,b,c,d,e\n1,?,?,$5,2001-01-01\n?,x,?,-,.\n.,-,-,$6,2001-01-02\n-,.,.,,\n");
    assert_int_equal(rls2_table_missing(table, 0), 3);
    assert_true(rls2_table_is_numeric(table, 0));
    assert_int_equal(rls2_table_missing(table, 1), 0);
    assert_int_equal(rls2_table_missing(table, 2), 0);
    assert_int_equal(rls2_table_missing(table, 3), 2);
    assert_int_equal(rls2_table_missing(table, 4), 2);
    assert_int_equal(rls2_table_kind(table, 4), RLS2_COLUMN_DATES);
    assert_note(table, "missing: ? (1 cell), . (2 cells), - (2 cells)");
    rls2_table_free(table);
}

static void understand__words_that_were_asked_for__are_the_only_ones(void **state)
{
    static const char *const words[] = {"-99", "none"};
    static const char text[] = "a,b\n1,x\n-99,NA\n3,none\n";
    rls2_read_options options;
    rls2_table *table = NULL;
    (void)state;
    rls2_read_options_init(&options, sizeof options);
    options.na = words;
    options.na_count = 2;
    assert_int_equal(rls2_table_parse("t", text, sizeof text - 1, &options, &table, NULL), RLS2_OK);
    assert_int_equal(rls2_table_missing(table, 0), 1);
    assert_int_equal(rls2_table_missing(table, 1), 1);
    assert_cell(table, 1, 1, "NA");
    rls2_table_free(table);
    options.na_count = 0;
    assert_int_equal(rls2_table_parse("t", text, sizeof text - 1, &options, &table, NULL), RLS2_OK);
    assert_int_equal(rls2_table_missing(table, 0), 0);
    assert_int_equal(rls2_table_missing(table, 1), 0);
    rls2_table_free(table);
}

/* ---- in memory ---- */

static void table_create__texts__are_understood(void **state)
{
    static const char *const texts[] = {"1,232", NULL, "NA", "7"};
    static const char *const labels[] = {"NA", "None", "x", "?"};
    static const char *const days[] = {"2001-01-31", "1970-01-01", NULL, "1970-01-02"};
    static const double numbers[] = {0, 5, 0, 0};
    const rls2_column columns[] = {{.name = "a", .numbers = numbers, .stride = 1, .texts = texts},
                                   {.name = "b", .texts = labels},
                                   {.name = "c", .texts = days}};
    rls2_table *table = NULL;
    (void)state;
    assert_int_equal(rls2_table_create("frame", 4, 3, columns, &table, NULL), RLS2_OK);
    assert_values(table, 0, (double[]){1232, 5, NAN, 7});
    assert_int_equal(rls2_table_missing(table, 1), 0);
    assert_values(table, 2, (double[]){11353, 0, NAN, 1});
    assert_int_equal(rls2_table_kind(table, 2), RLS2_COLUMN_DATES);
    rls2_table_free(table);
}

/* ---- some rows, and two tables ---- */

static void table_take__keeps_styles_and_notes(void **state)
{
    (void)state;
    rls2_table *table = read_as_found(",d,n\n1,02/03/2001,1\n2,31/01/2001,2\n"), *taken = NULL;
    assert_int_equal(rls2_table_take(table, 1, (int64_t[]){0}, &taken, NULL), RLS2_OK);
    assert_int_equal(rls2_table_kind(taken, 1), RLS2_COLUMN_DATES);
    assert_true(rls2_table_value(taken, 0, 1) == 11383);
    assert_string_equal(rls2_table_row_names(taken), "row");
    assert_int_equal(rls2_table_note_count(taken), rls2_table_note_count(table));
    rls2_table_free(taken);
    rls2_table_free(table);
}

static void table_stack__rereads_the_second_by_the_styles_of_the_first(void **state)
{
    (void)state;
    rls2_table *first = read_as_found("d,a\n31/01/2001,\"1,000\"\n01/02/2001,5\n");
    rls2_table *second = read_as_found("d,a\n02/03/2001,\"2,000\"\n-,?\n"), *both = NULL;
    assert_true(rls2_table_value(second, 0, 0) == 11356);
    assert_int_equal(rls2_table_stack(first, second, &both, NULL), RLS2_OK);
    assert_values(both, 0, (double[]){11353, 11354, 11383, NAN});
    assert_values(both, 1, (double[]){1000, 5, 2000, NAN});
    assert_int_equal(rls2_table_kind(both, 0), RLS2_COLUMN_DATES);
    assert_int_equal(rls2_table_kind(both, 1), RLS2_COLUMN_NUMBERS);
    rls2_table_free(both);
    rls2_table_free(second);
    rls2_table_free(first);
}

static void table_number_as__style_of_another_table(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("a,b,d\n1.5,\"1,232\",02/03/2001\n?,7,04/05/2001\n");
    rls2__style plain = {.kind = RLS2__STYLE_PLAIN};
    rls2__style comma = {.kind = RLS2__STYLE_DECORATED, .decimal = ',', .thousands = '.'};
    rls2__style days = {.kind = RLS2__STYLE_DATE, .order = RLS2__DATE_DMY};
    assert_true(rls2__table_number_as(table, 0, 1, &comma) == 1.232);
    assert_true(rls2__table_number_as(table, 0, 1, &plain) == 1232); /* which plain cannot read */
    assert_true(rls2__table_number_as(table, 0, 0, &comma) == 1.5);
    assert_true(rls2__table_number_as(table, 0, 2, &days) == 11383);
    assert_true(isnan(rls2__table_number_as(table, 0, 2, &plain)));
    assert_true(isnan(rls2__table_number_as(table, 0, 1, &days)));
    assert_true(isnan(rls2__table_number_as(table, 1, 0, &comma)));
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(understand__thousands_in_a_file_of_commas__are_thousands),
        cmocka_unit_test(understand__decimal_commas__are_found_for_each_column),
        cmocka_unit_test(understand__commas_beside_points__are_thousands),
        cmocka_unit_test(understand__points_beside_decimal_commas__are_thousands),
        cmocka_unit_test(understand__signs__are_left_out),
        cmocka_unit_test(understand__texts_like_numbers__stay_texts),
        cmocka_unit_test(understand__a_slip_among_many__is_named),
        cmocka_unit_test(understand__decimal_that_was_asked_for__decides),
        cmocka_unit_test(understand__dates__are_days),
        cmocka_unit_test(understand__day_and_month__are_told_apart_by_the_column),
        cmocka_unit_test(understand__day_and_month_that_nothing_tells__are_a_guess),
        cmocka_unit_test(understand__day_and_month_of_another_column__decide),
        cmocka_unit_test(understand__days_that_are_none__leave_texts),
        cmocka_unit_test(understand__usual_words__are_missing_anywhere),
        cmocka_unit_test(understand__words_in_quotes__are_texts_unless_the_rest_is_numbers),
        cmocka_unit_test(understand__weak_words__are_missing_among_numbers_only),
        cmocka_unit_test(understand__words_that_were_asked_for__are_the_only_ones),
        cmocka_unit_test(table_create__texts__are_understood),
        cmocka_unit_test(table_take__keeps_styles_and_notes),
        cmocka_unit_test(table_stack__rereads_the_second_by_the_styles_of_the_first),
        cmocka_unit_test(table_number_as__style_of_another_table),
    };
    return cmocka_run_group_tests_name("understand", tests, NULL, NULL);
}
