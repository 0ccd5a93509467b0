/* Charts: whatever is drawn is well-formed XML without a number that is none, and shows what it
 * should. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/chart.h"

/* ---- well-formed ---- */

enum { DEPTH = 32 };

static const char *skip_entity(const char *at)
{
    static const char *const KNOWN[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (int i = 0; i < 5; i++)
        if (strncmp(at, KNOWN[i], strlen(KNOWN[i])) == 0) return at + strlen(KNOWN[i]);
    fail_msg("no entity: %.30s", at);
    return at;
}

/* Behind the attributes of a tag: at "/>" or ">". */
static const char *skip_attributes(const char *at)
{
    for (;;) {
        while (isspace((unsigned char)*at)) at++;
        if (*at == '>' || *at == '/') return at;
        size_t name =
            strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-:0123456789");
        if (name == 0 || at[name] != '=' || at[name + 1] != '"')
            fail_msg("no attribute: %.40s", at);
        for (at += name + 2; *at != '"';) {
            if (*at == '<' || *at == '\0') fail_msg("a value without an end: %.40s", at);
            at = *at == '&' ? skip_entity(at) : at + 1;
        }
        at++;
    }
}

/* Tags match, attributes are quoted, characters escaped, nothing behind the last tag. */
static void assert_well_formed(const char *text)
{
    char stack[DEPTH][16];
    int depth = 0;
    const char *at = text;
    do {
        if (*at == '&') {
            at = skip_entity(at);
        } else if (*at != '<') {
            assert_true((unsigned char)*at >= 0x20 || *at == '\n');
            at++;
        } else if (at[1] == '/') {
            size_t length = strcspn(at + 2, ">");
            assert_true(depth > 0);
            depth--;
            if (strlen(stack[depth]) != length || strncmp(stack[depth], at + 2, length) != 0)
                fail_msg("</%.*s> ends <%s>", (int)length, at + 2, stack[depth]);
            at += length + 3;
        } else {
            size_t length = strcspn(at + 1, " />\n");
            assert_true(depth < DEPTH && length > 0 && length < 16);
            snprintf(stack[depth++], 16, "%.*s", (int)length, at + 1);
            at = skip_attributes(at + 1 + length);
            if (*at == '/') {
                depth--;
                at++;
            }
            at++;
        }
    } while (depth > 0 && *at);
    assert_int_equal(depth, 0);
    assert_string_equal(at, "\n");
}

static int occurrences(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text++) count++;
    return count;
}

/* The SVG of one panel: well-formed, and no number in it is NaN or infinite. */
static char *draw(const chart_panel *p)
{
    chart c = {1, 1, p};
    char *svg = chart_svg(&c);
    assert_non_null(svg);
    assert_well_formed(svg);
    for (const char *at = svg; (at = strstr(at, "=\"")); at++)
        if (strncmp(at + 2, "nan", 3) == 0 || strncmp(at + 2, "inf", 3) == 0 ||
            strncmp(at + 2, "-nan", 4) == 0)
            fail_msg("%.40s", at);
    assert_null(strstr(svg, ">nan<"));
    return svg;
}

static char *draw_line(const chart_line *line, int log_x, int log_y)
{
    chart_panel p = {.title = "t",
                     .x_label = "x",
                     .y_label = "y",
                     .log_x = log_x,
                     .log_y = log_y,
                     .line_count = 1,
                     .lines = line};
    return draw(&p);
}

/* ---- what is drawn ---- */

static const double X[] = {1, 2, 3, 4, 5, 6}, Y[] = {0.1, 0.2, 0.4, 0.3, 0.2, 0.1};

static void svg__a_line__is_one_polyline_with_its_name(void **state)
{
    (void)state;
    chart_line line = {.name = "a <b> & \"c\"", .count = 6, .x = X, .y = Y};
    char *svg = draw_line(&line, 0, 0);
    assert_int_equal(occurrences(svg, "<polyline"), 1);
    assert_non_null(strstr(svg, ">a &lt;b&gt; &amp; &quot;c&quot;</text>"));
    free(svg);
}

static void svg__a_nan_in_the_middle__interrupts_the_line(void **state)
{
    (void)state;
    double y[] = {1, 2, NAN, 3, INFINITY, 4};
    chart_line line = {.count = 6, .x = X, .y = y};
    char *svg = draw_line(&line, 0, 0);
    assert_int_equal(occurrences(svg, "<polyline"), 1); /* 1 and 2; */
    assert_int_equal(occurrences(svg, "<circle"), 2);   /* 3 and 4 stand alone */
    free(svg);
}

static void svg__on_a_logarithmic_axis__leaves_out_what_is_not_positive(void **state)
{
    (void)state;
    double x[] = {-1, 0, 1e-3, 1, 1e3, 1e6}, y[] = {1, 1, 0, 10, 100, 1e5};
    chart_line line = {.count = 6, .x = x, .y = y};
    char *svg = draw_line(&line, 1, 1);
    const char *points = strstr(svg, "points=\"");
    assert_non_null(points);
    int count = 0;
    for (; *points && *points != '>'; points++) count += *points == ',';
    assert_int_equal(count, 3);
    assert_non_null(strstr(svg, "10<tspan"));
    free(svg);
}

/* Larger values are on the left then. */
static void svg__reversed__puts_large_values_on_the_left(void **state)
{
    (void)state;
    chart_line line = {.count = 6, .x = X, .y = Y};
    for (int reverse = 0; reverse < 2; reverse++) {
        chart_panel p = {.reverse_x = reverse, .line_count = 1, .lines = &line};
        char *svg = draw(&p);
        double first, second, ignored;
        assert_int_equal(
            sscanf(strstr(svg, "points=\"") + 8, "%lf,%lf %lf", &first, &ignored, &second), 3);
        assert_true(reverse ? first > second : first < second);
        free(svg);
    }
}

static void svg__light_lines__are_thin_and_in_no_legend(void **state)
{
    (void)state;
    chart_line lines[] = {
        {.name = "one of many", .count = 6, .x = X, .y = Y, .style = CHART_LIGHT},
        {.name = "mean", .count = 6, .x = X, .y = Y, .style = CHART_THICK},
        {.name = "paper", .count = 6, .x = X, .y = Y, .style = CHART_DASHED, .colour = -3}};
    chart_panel panels[6];
    for (int i = 0; i < 6; i++)
        panels[i] = (chart_panel){.title = "t", .line_count = 3, .lines = lines};
    chart c = {2, 3, panels};
    char *svg = chart_svg(&c);
    assert_well_formed(svg);
    assert_null(strstr(svg, "one of many"));
    assert_int_equal(occurrences(svg, ">mean</text>"), 6);
    assert_int_equal(occurrences(svg, "<polyline"), 18);
    assert_int_equal(occurrences(svg, "stroke-dasharray=\"6 4\""), 12);
    free(svg);
}

static void svg__a_band__is_a_polygon_within_the_axes(void **state)
{
    (void)state;
    double lo[] = {-1, 0.1, 0.2, NAN, 0.1, 0.05}, hi[] = {0.2, 0.3, 0.8, 0.5, 0.4, 50};
    chart_line line = {.count = 6, .x = X, .y = Y, .lo = lo, .hi = hi};
    for (int log_y = 0; log_y < 2; log_y++) {
        char *svg = draw_line(&line, 0, log_y);
        assert_int_equal(occurrences(svg, "<polygon"), 2);
        for (const char *at = strstr(svg, "<polygon"); (at = strstr(at, ",")); at++) {
            double y = strtod(at + 1, NULL);
            if (y < 0.0 || y > 470.0) fail_msg("outside: %.30s", at);
        }
        free(svg);
    }
}

static void svg__marks__are_dotted_and_labelled(void **state)
{
    (void)state;
    chart_line line = {.count = 6, .x = X, .y = Y};
    chart_mark marks[] = {{2.0, "here"}, {2.1, "<there>"}, {NAN, "nowhere"}, {5.0, NULL}};
    chart_panel p = {.line_count = 1, .lines = &line, .mark_count = 4, .marks = marks};
    char *svg = draw(&p);
    assert_int_equal(occurrences(svg, "stroke-dasharray=\"2 4\""), 3);
    assert_non_null(strstr(svg, ">here</text>"));
    assert_non_null(strstr(svg, ">&lt;there&gt;</text>"));
    assert_null(strstr(svg, "nowhere"));
    free(svg);
}

/* ---- inputs that are hardly any ---- */

static void svg__nothing_to_draw__says_so(void **state)
{
    (void)state;
    double nan[] = {NAN, NAN};
    chart_line lines[] = {{.name = "n", .count = 0}, {.name = "m", .count = 2, .x = X, .y = nan}};
    chart_panel none = {0}, empty = {.line_count = 2, .lines = lines, .log_x = 1, .log_y = 1};
    char *svg = draw(&none);
    assert_non_null(strstr(svg, "no values"));
    free(svg);
    svg = draw(&empty);
    assert_non_null(strstr(svg, "no values"));
    free(svg);
}

static void svg__one_point_or_one_value__is_drawn(void **state)
{
    (void)state;
    static const double VALUES[] = {0.0,    1.0,    -1e-300, 1e299,      -1e299,
                                    1e-280, 5e-324, 1e15,    123456789.0};
    for (size_t v = 0; v < sizeof VALUES / sizeof VALUES[0]; v++)
        for (int log = 0; log < 2; log++) {
            double constant[6];
            for (int i = 0; i < 6; i++) constant[i] = VALUES[v];
            chart_line point = {.name = "p", .count = 1, .x = constant, .y = constant};
            chart_line flat = {.name = "f", .count = 6, .x = X, .y = constant};
            char *svg = draw_line(&point, log, log);
            int shown = occurrences(svg, "<circle");
            assert_int_equal(shown, log && VALUES[v] < 1e-290 ? 0 : 1);
            free(svg);
            svg = draw_line(&flat, log, log);
            assert_int_equal(occurrences(svg, "<polyline"), shown);
            free(svg);
        }
}

static void svg__extreme_ranges__have_a_few_ticks(void **state)
{
    (void)state;
    static const double RANGES[][2] = {{-1e300, 1e300}, {1e-12, 2e-12},        {1.0, 1.0 + 1e-12},
                                       {0, 1e-280},     {999999.5, 1000000.5}, {1e-200, 1e200},
                                       {0.9, 1.1},      {-5e-324, 5e-324}};
    for (size_t r = 0; r < sizeof RANGES / sizeof RANGES[0]; r++)
        for (int log = 0; log < 2; log++) {
            const double y[] = {RANGES[r][0], RANGES[r][1]};
            chart_line line = {.count = 2, .x = X, .y = y};
            char *svg = draw_line(&line, 0, log);
            assert_true(occurrences(svg, "class=\"grid\"") <= 40);
            free(svg);
        }
}

static void svg__texts_that_are_not_utf8__are_well_formed(void **state)
{
    (void)state;
    chart_line line = {.name = "\x01\xff\xc3", .count = 6, .x = X, .y = Y};
    chart_panel p = {.title = "größe \x80 λ",
                     .x_label = "]]>",
                     .y_label = "'\"&<",
                     .line_count = 1,
                     .lines = &line};
    char *svg = draw(&p);
    assert_non_null(strstr(svg, "größe \xef\xbf\xbd λ"));
    assert_null(strchr(svg, '\x01'));
    free(svg);
}

static void svg__more_names_than_fit__stay_within_the_picture(void **state)
{
    (void)state;
    chart_line lines[100];
    for (int i = 0; i < 100; i++)
        lines[i] = (chart_line){.name = "name", .count = 6, .x = X, .y = Y, .colour = i};
    chart_panel p = {.line_count = 100, .lines = lines};
    char *svg = draw(&p);
    for (const char *at = svg; (at = strstr(at, " y1=\"")); at++) {
        double y = strtod(at + 5, NULL);
        assert_true(y >= 0.0 && y <= 470.0);
    }
    free(svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(svg__a_line__is_one_polyline_with_its_name),
        cmocka_unit_test(svg__a_nan_in_the_middle__interrupts_the_line),
        cmocka_unit_test(svg__on_a_logarithmic_axis__leaves_out_what_is_not_positive),
        cmocka_unit_test(svg__reversed__puts_large_values_on_the_left),
        cmocka_unit_test(svg__light_lines__are_thin_and_in_no_legend),
        cmocka_unit_test(svg__a_band__is_a_polygon_within_the_axes),
        cmocka_unit_test(svg__marks__are_dotted_and_labelled),
        cmocka_unit_test(svg__nothing_to_draw__says_so),
        cmocka_unit_test(svg__one_point_or_one_value__is_drawn),
        cmocka_unit_test(svg__extreme_ranges__have_a_few_ticks),
        cmocka_unit_test(svg__texts_that_are_not_utf8__are_well_formed),
        cmocka_unit_test(svg__more_names_than_fit__stay_within_the_picture),
    };
    return cmocka_run_group_tests_name("unit.chart", tests, NULL, NULL);
}
