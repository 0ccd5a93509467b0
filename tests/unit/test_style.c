/* Numbers with separators and signs, and dates, as style.h and date.h read them. The days are those
 * of `date -u -d DATE +%s` divided by 86400. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "support/unit_support.h"
#include "table/style.h"

/* ---- numbers ---- */

static rls2__style written(char decimal, char thousands)
{
    return (rls2__style){.kind = RLS2__STYLE_DECORATED, .decimal = decimal, .thousands = thousands};
}

static void expect_number(rls2__style style, const char *text, double expected)
{
    double value = NAN;
    if (!rls2__style_read(&style, text, &value)) fail_msg("'%s' was not read", text);
    if (value != expected) fail_msg("'%s' is read as %.17g, not %.17g", text, value, expected);
}

static void refuse(rls2__style style, const char *text)
{
    double value = 7.0;
    if (rls2__style_read(&style, text, &value)) fail_msg("'%s' was read as %g", text, value);
    assert_true(value == 7.0);
}

static void style_read__plain__is_a_number_of_the_reader(void **state)
{
    (void)state;
    rls2__style plain = {.kind = RLS2__STYLE_PLAIN};
    expect_number(plain, "12.5", 12.5);
    expect_number(plain, " -1e3 ", -1000.0);
    expect_number(plain, "0.10000000000000000000000000000001", 0.1);
    refuse(plain, "1,232");
    refuse(plain, "inf");
    refuse(plain, "");
}

static void style_read__thousands__come_in_threes(void **state)
{
    (void)state;
    expect_number(written('.', ','), "1,232", 1232.0);
    expect_number(written('.', ','), "-12,345,678.25", -12345678.25);
    expect_number(written('.', ','), "950", 950.0);
    expect_number(written('.', ','), "1234.5", 1234.5);
    expect_number(written(',', '.'), "1.232", 1232.0);
    expect_number(written(',', '.'), "1.232,5", 1232.5);
    expect_number(written(',', ' '), "1 232 000,5", 1232000.5);
    expect_number(written(',', ' '), "1\u00a0232\u202f000", 1232000.0);
    expect_number(written('.', '\''), "1'232.5", 1232.5);
    expect_number(written('.', '\''), "1\u2019232", 1232.0);
    refuse(written('.', ','), "1,23");
    refuse(written('.', ','), "1,2322");
    refuse(written('.', ','), "1234,567");
    refuse(written('.', ','), "0,123");
    refuse(written('.', ','), ",123");
    refuse(written('.', ','), "1,232,");
    refuse(written(',', '.'), "1.5");
    refuse(written('.', ' '), "12 34");
}

static void style_read__decimal_comma__is_a_point(void **state)
{
    (void)state;
    expect_number(written(',', 0), "1,232", 1.232);
    expect_number(written(',', 0), "0,5", 0.5);
    expect_number(written(',', 0), ",5", 0.5);
    expect_number(written(',', 0), "-3,1e-2", -0.031);
    refuse(written(',', 0), "1.5");
    refuse(written(',', 0), "1,2,3");
    refuse(written(',', 0), ",");
}

static void style_read__percent_and_currency__are_left_out(void **state)
{
    (void)state;
    expect_number(written('.', 0), "12 %", 12.0);
    expect_number(written('.', 0), "12.5%", 12.5);
    expect_number(written('.', ','), "$1,232.50", 1232.5);
    expect_number(written('.', ','), "-$5", -5.0);
    expect_number(written('.', ','), "$ -5", -5.0);
    expect_number(written('.', ','), "\u22125", -5.0);
    expect_number(written('.', ','), "\u00a35", 5.0);
    expect_number(written('.', ','), "\u00a51,000", 1000.0);
    expect_number(written(',', '.'), "1.232,50 \u20ac", 1232.5);
    expect_number(written(',', '.'), "\u20ac5", 5.0);
    expect_number(written('.', ','), "($1,232)", -1232.0);
    expect_number(written('.', ','), "(5)", -5.0);
    refuse(written('.', ','), "$5 \u20ac");
    refuse(written('.', ','), "$5%%");
    refuse(written('.', ','), "--5");
    refuse(written('.', ','), "(-5)");
    refuse(written('.', ','), "(5");
    refuse(written('.', ','), "$");
    refuse(written('.', ','), "%");
    refuse(written('.', ','), "5 apples");
    refuse(written('.', ','), "12-34");
    refuse(written('.', ','), "1.2.3");
    refuse(written('.', ','), "inf");
}

static void style_read__many_digits__are_exact_or_refused(void **state)
{
    char long_text[600];
    (void)state;
    expect_number(written('.', ','), "1,234,567,890,123,456,789,012.5", 1234567890123456789012.5);
    memset(long_text, '1', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    refuse(written('.', ','), long_text);
}

static void number_read__without_a_reader__is_that_of_one(void **state)
{
    double value = 0.0;
    (void)state;
    assert_true(rls2__number_read("1.7976931348623157e308", &value) && value == DBL_MAX);
    assert_false(rls2__number_read("1e309", &value));
    assert_false(rls2__number_read("1.5x", &value));
}

/* ---- dates ---- */

static void expect_days(rls2__date_order order, const char *text, double expected)
{
    double days = NAN;
    if (!rls2__date_read(order, text, &days, NULL)) fail_msg("'%s' was not read", text);
    if (fabs(days - expected) > 1e-9) fail_msg("'%s' is %.10g, not %.10g", text, days, expected);
}

static void refuse_date(rls2__date_order order, const char *text)
{
    double days = 7.0;
    if (rls2__date_read(order, text, &days, NULL)) fail_msg("'%s' was read as %g", text, days);
}

static void date_read__iso__with_and_without_time(void **state)
{
    (void)state;
    expect_days(RLS2__DATE_YMD, "1970-01-01", 0.0);
    expect_days(RLS2__DATE_YMD, "1969-12-31", -1.0);
    expect_days(RLS2__DATE_YMD, "2001-01-31", 11353.0);
    expect_days(RLS2__DATE_YMD, "2001/1/31", 11353.0);
    expect_days(RLS2__DATE_YMD, "2001.01.31", 11353.0);
    expect_days(RLS2__DATE_YMD, "2001-01", 11323.0);
    expect_days(RLS2__DATE_YMD, "1600-02-29", -135081.0);
    expect_days(RLS2__DATE_YMD, "2001-01-31T12:00:00Z", 11353.5);
    expect_days(RLS2__DATE_YMD, "2001-01-31T18:00+02:00", 11353.75);
    expect_days(RLS2__DATE_YMD, "2001-01-31 06:00:00 UTC", 11353.25);
    expect_days(RLS2__DATE_YMD, "2001-01-31 06:00:00.500-0500", 11353.25 + 0.5 / 86400);
}

static void date_read__local_forms__follow_the_order(void **state)
{
    (void)state;
    expect_days(RLS2__DATE_DMY, "31/1/2001", 11353.0);
    expect_days(RLS2__DATE_DMY, "31.01.2001", 11353.0);
    expect_days(RLS2__DATE_DMY, "31-01-2001", 11353.0);
    expect_days(RLS2__DATE_MDY, "1/31/2001", 11353.0);
    expect_days(RLS2__DATE_MDY, "1/31/01", 11353.0);
    expect_days(RLS2__DATE_DMY, "31.01.30", -14580.0);
    expect_days(RLS2__DATE_DMY, "31.01.29", 21580.0);
    expect_days(RLS2__DATE_MDY, "1/31/2001 12:00:00 AM", 11353.0);
    expect_days(RLS2__DATE_MDY, "1/31/2001, 6:00 PM", 11353.75);
    expect_days(RLS2__DATE_DMY, "2/3/2001", 11383.0);
    expect_days(RLS2__DATE_MDY, "2/3/2001", 11356.0);
}

static void date_read__names_of_months__in_any_order(void **state)
{
    static const char *const texts[] = {"12-Jan-2001",      "12 Jan 2001",
                                        "12Jan2001",        "12-JAN-01",
                                        "Jan 12, 2001",     "January 12 2001",
                                        "12. january 2001", "2001-Jan-12",
                                        "Fri, 12 Jan 2001", "Friday, January 12, 2001"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (int order = RLS2__DATE_YMD; order <= RLS2__DATE_MDY; order++)
            expect_days((rls2__date_order)order, texts[i], 11334.0);
    expect_days(RLS2__DATE_DMY, "1 January 2001", 11323.0);
    expect_days(RLS2__DATE_DMY, "Jan 2001", 11323.0);
    expect_days(RLS2__DATE_DMY, "Sept. 1, 2001", 11566.0);
    expect_days(RLS2__DATE_DMY, "Fri, 12 Jan 2001 06:00:00 +0000", 11334.25);
}

static void date_read__time_alone__is_a_fraction_of_a_day(void **state)
{
    int has_time = 0;
    double days;
    (void)state;
    expect_days(RLS2__DATE_TIME, "12:00", 0.5);
    expect_days(RLS2__DATE_TIME, "6:00:00", 0.25);
    expect_days(RLS2__DATE_TIME, "12:30 AM", 0.5 / 24);
    expect_days(RLS2__DATE_TIME, "12:30pm", 12.5 / 24);
    assert_true(rls2__date_read(RLS2__DATE_TIME, "12:00", &days, &has_time) && has_time == 1);
    assert_true(rls2__date_read(RLS2__DATE_YMD, "2001-01-01", &days, &has_time) && has_time == 0);
    refuse_date(RLS2__DATE_TIME, "24:00");
    refuse_date(RLS2__DATE_TIME, "12:60");
    refuse_date(RLS2__DATE_TIME, "13:00 PM");
    refuse_date(RLS2__DATE_TIME, "12:5");
    refuse_date(RLS2__DATE_TIME, "12");
    refuse_date(RLS2__DATE_TIME, "2001-01-01");
}

static void date_read__days_that_are_none__are_refused(void **state)
{
    static const char *const texts[] = {"2001-02-30",       "2001-13-01",     "2001-00-10",
                                        "2001-01-00",       "2001-02-29",     "1900-02-29",
                                        "2001-04-31",       "2001-1-1x",      "2001-01-01T",
                                        "2001-01-01 25:00", "2001-01-0112:00"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        refuse_date(RLS2__DATE_YMD, texts[i]);
    expect_days(RLS2__DATE_YMD, "2000-02-29", 11016.0);
    expect_days(RLS2__DATE_YMD, "2004-02-29", 12477.0);
    refuse_date(RLS2__DATE_DMY, "1/31/2001");
    refuse_date(RLS2__DATE_MDY, "31/1/2001");
    refuse_date(RLS2__DATE_YMD, "1/31/2001");
    refuse_date(RLS2__DATE_DMY, "30-Feb-2001");
}

static void date_read__codes__are_no_dates(void **state)
{
    static const char *const texts[] = {
        "12-34",    "1-2",         "3-4",        "1.2.3",       "1.2.34",   "10.0.0.1",
        "555-1234", "12345-6789",  "123-45-67",  "123-45-6789", "20010131", "2001",
        "2001-Q1",  "2001Q1",      "1995-96",    "May",         "12 May",   "1/2",
        "1-2-03",   "50-00-0",     "2001 01 31", "2001-01/31",  "",         "-",
        "Mon",      "Marble 2001", "12-Jan",     "A-1-2001",    "12 000",   "99-12-31"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (int order = RLS2__DATE_YMD; order <= RLS2__DATE_TIME; order++)
            refuse_date((rls2__date_order)order, texts[i]);
}

static void date_parts__of_days__are_those_of_the_calendar(void **state)
{
    (void)state;
    for (int64_t day = -719000; day < 800000; day += 97) {
        rls2__date_parts parts = rls2__date_parts_of((double)day);
        char text[64];
        double back = NAN;
        snprintf(text, sizeof text, "%04.0f-%02.0f-01", parts.year, parts.month);
        assert_true(rls2__date_read(RLS2__DATE_YMD, text, &back, NULL));
        assert_true(back <= (double)day && (double)day < back + 31.0);
        assert_true(parts.weekday == (double)(((day + 3) % 7 + 7) % 7 + 1)); /* a Thursday at 0 */
        assert_true(parts.hour == 0.0);
    }
}

static void date_parts__hours__are_whole_where_they_were_written_so(void **state)
{
    (void)state;
    for (int hour = 0; hour < 24; hour++) {
        char text[32];
        double days = NAN;
        snprintf(text, sizeof text, "2026-11-16 %02d:30", hour);
        assert_true(rls2__date_read(RLS2__DATE_YMD, text, &days, NULL));
        rls2__date_parts parts = rls2__date_parts_of(days);
        assert_true(parts.hour == hour + 0.5);
        assert_true(parts.year == 2026 && parts.month == 11 && parts.weekday == 1);
    }
}

static void date_parts__of_any_number__are_finite(void **state)
{
    static const double days[] = {-1e300, -1e9, -719468.0, 1e8, 1e300, 0.0};
    (void)state;
    for (size_t i = 0; i < sizeof days / sizeof days[0]; i++) {
        rls2__date_parts parts = rls2__date_parts_of(days[i]);
        assert_true(isfinite(parts.year) && parts.month >= 1 && parts.month <= 12);
        assert_true(parts.weekday >= 1 && parts.weekday <= 7 && parts.hour >= 0.0);
    }
}

/* ---- words ---- */

static void expect_word(rls2__style style, const char *expected)
{
    char word[RLS2__STYLE_WORD];
    rls2__style back = {.kind = RLS2__STYLE_DATE, .order = RLS2__DATE_TIME};
    rls2__style_word(&style, word);
    assert_string_equal(word, expected);
    assert_true(rls2__style_of_word(word, &back));
    assert_true(rls2__style_same(&style, &back));
    assert_int_equal(back.has_time, style.has_time);
}

static void style_word__every_style__comes_back(void **state)
{
    (void)state;
    expect_word((rls2__style){.kind = RLS2__STYLE_PLAIN}, "plain");
    expect_word(written('.', 0), "1234.5");
    expect_word(written(',', 0), "1234,5");
    expect_word(written('.', ','), "1,234.5");
    expect_word(written(',', '.'), "1.234,5");
    expect_word(written(',', ' '), "1 234,5");
    expect_word(written('.', '\''), "1'234.5");
    expect_word((rls2__style){.kind = RLS2__STYLE_DATE}, "date-ymd");
    expect_word((rls2__style){.kind = RLS2__STYLE_DATE, .order = RLS2__DATE_DMY, .has_time = 1},
                "datetime-dmy");
    expect_word((rls2__style){.kind = RLS2__STYLE_DATE, .order = RLS2__DATE_MDY}, "date-mdy");
    expect_word((rls2__style){.kind = RLS2__STYLE_DATE, .order = RLS2__DATE_TIME, .has_time = 1},
                "time");
}

static void style_of_word__anything_else__is_none(void **state)
{
    static const char *const words[] = {"",         "Plain",   "1",        "1,234", "1,234,5",
                                        "1.234.5",  "12345",   "date",     "date-", "date-dym",
                                        "datetime", "1x234.5", "1,234.55", "1234.", "time-"};
    rls2__style style;
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (rls2__style_of_word(words[i], &style)) fail_msg("'%s' is no style", words[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(style_read__plain__is_a_number_of_the_reader),
        cmocka_unit_test(style_read__thousands__come_in_threes),
        cmocka_unit_test(style_read__decimal_comma__is_a_point),
        cmocka_unit_test(style_read__percent_and_currency__are_left_out),
        cmocka_unit_test(style_read__many_digits__are_exact_or_refused),
        cmocka_unit_test(number_read__without_a_reader__is_that_of_one),
        cmocka_unit_test(date_read__iso__with_and_without_time),
        cmocka_unit_test(date_read__local_forms__follow_the_order),
        cmocka_unit_test(date_read__names_of_months__in_any_order),
        cmocka_unit_test(date_read__time_alone__is_a_fraction_of_a_day),
        cmocka_unit_test(date_read__days_that_are_none__are_refused),
        cmocka_unit_test(date_read__codes__are_no_dates),
        cmocka_unit_test(date_parts__of_days__are_those_of_the_calendar),
        cmocka_unit_test(date_parts__hours__are_whole_where_they_were_written_so),
        cmocka_unit_test(date_parts__of_any_number__are_finite),
        cmocka_unit_test(style_word__every_style__comes_back),
        cmocka_unit_test(style_of_word__anything_else__is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
