/* Memory and time of a fit, from sizes and speeds; and that too large a fit is refused with words
 * that help. */
#include "plan/cost.h"

#include "plan/plan_forecast.h"
#include "support/unit_support.h"

static const rls2__speeds SPEEDS = {.flops = 5e10, .bytes = 1e10, .pairs = 1e8};

/* The default dictionary on 20 columns: 260 factors and 13 triangles. */
static rls2__workload curved(double n)
{
    return (rls2__workload){.harder = 1.0,
                            .outline = {.n = n,
                                        .kernels = 273.0,
                                        .factors = 260.0,
                                        .ranks = 4000.0,
                                        .triangles = 13.0,
                                        .columns = 260.0,
                                        .different = n},
                            .inputs = 20.0,
                            .outputs = 1.0,
                            .lambdas = 25.0,
                            .follows_path = 1,
                            .splits = 10.0,
                            .split_rows = 0.9 * n,
                            .threads = 2.0,
                            .memory = 12e9};
}

static rls2__workload linear(double n)
{
    rls2__workload work = curved(n);
    work.outline = (rls2__outline){.n = n, .kernels = 20.0, .ones = 20.0, .different = n};
    return work;
}

static void virtual_rows__low_ranks_and_equal_rows__are_few(void **state)
{
    (void)state;
    rls2__outline o = linear(100000.0).outline;
    assert_true(rls2__virtual_rows(&o) == 21.0);
    o.triangles = 1.0; /* one kernel of full rank */
    assert_true(rls2__virtual_rows(&o) == 100000.0);
    o.different = 24.0;
    assert_true(rls2__virtual_rows(&o) == 25.0);
    o = linear(30.0).outline; /* too few rows for it to pay */
    assert_true(rls2__virtual_rows(&o) == 30.0);
}

static void workload_bytes__curved_kernels__need_matrices_of_all_rows(void **state)
{
    (void)state;
    rls2__workload work = curved(60000.0);
    double bytes = rls2__workload_bytes(&work, 0);
    assert_true(bytes > 12e9 + 2.0 * 8.0 * 60000.0 * 60000.0);
    assert_true(bytes < 12e9 + 5.0 * 8.0 * 60000.0 * 60000.0);
    assert_true(rls2__workload_kernel_bytes(&work) == 12e9); /* no more than is allowed */
    assert_true(rls2__workload_bytes(&work, 1) > bytes);     /* two splits at a time */
}

/* 53,940 rows of linear kernels were forecast at 70 GB and took 0.1. */
static void workload_bytes__linear_kernels_of_many_rows__need_little(void **state)
{
    (void)state;
    rls2__workload work = linear(53940.0);
    assert_true(rls2__workload_bytes(&work, 1) < 3e8);
}

static void rows_that_fit__are_as_many_as_do(void **state)
{
    (void)state;
    rls2__workload work = curved(60000.0), fits, more;
    double rows = rls2__rows_that_fit(&work, 24e9);
    assert_true(rows > 1000.0 && rows < 60000.0);
    fits = rls2__workload_on(&work, rows);
    more = rls2__workload_on(&work, 1.2 * rows);
    assert_true(rls2__workload_bytes(&fits, 0) <= 24e9);
    assert_true(rls2__workload_bytes(&more, 0) > 24e9);
    assert_true(rls2__rows_that_fit(&work, 1e12) == 60000.0);
    assert_true(rls2__rows_that_fit(&work, 1e3) == 0.0);
}

static void workload_seconds__more_of_anything__takes_longer(void **state)
{
    (void)state;
    const rls2__workload work = curved(2000.0);
    double base = rls2__workload_seconds(&work, &SPEEDS);
    rls2__workload more = rls2__workload_on(&work, 4000.0);
    assert_true(rls2__workload_seconds(&more, &SPEEDS) > 4.0 * base);
    more = work;
    more.lambdas *= 2.0;
    assert_true(rls2__workload_seconds(&more, &SPEEDS) > 1.5 * base);
    more = work;
    more.splits *= 2.0;
    assert_true(rls2__workload_seconds(&more, &SPEEDS) > 1.2 * base);
    more = work;
    more.outputs = 3.0;
    assert_true(rls2__workload_seconds(&more, &SPEEDS) > 2.0 * base);
    more = work;
    more.threads = 1.0;
    assert_true(rls2__workload_seconds(&more, &SPEEDS) > 1.5 * base);
    more = work;
    more.splits = 0.0;
    assert_true(rls2__workload_seconds(&more, &SPEEDS) < 0.8 * base);
}

/* The paper's kernels on 8 columns; the processor time of a path was 64 times that of dpotrf at
 * this size, with degrees of freedom 110 times, and 22 times that at 2,000 rows. */
static void workload_seconds__path_of_many_rows__is_within_a_factor_of_two(void **state)
{
    (void)state;
    const rls2__speeds speeds = {.flops = 6.4e10, .bytes = 2.5e10, .pairs = 5e8};
    double factor = 4000.0 * 4000.0 * 4000.0 / 3.0 / speeds.flops;
    rls2__workload work = {.outline = {.n = 4000.0,
                                       .kernels = 117.0,
                                       .factors = 99.0,
                                       .ranks = 5924.0,
                                       .triangles = 18.0,
                                       .columns = 24.0,
                                       .different = 4000.0},
                           .inputs = 8.0,
                           .outputs = 1.0,
                           .lambdas = 34.0,
                           .follows_path = 1,
                           .threads = 1.0,
                           .memory = 12e9};
    double lean = rls2__workload_seconds(&work, &speeds) / factor;
    assert_true(lean > 64.0 / 2.0 && lean < 64.0 * 2.0);
    rls2__workload fewer = rls2__workload_on(&work, 2000.0);
    double half = rls2__workload_seconds(&fewer, &speeds) / factor;
    assert_true(half > 22.0 / 2.0 && half < 22.0 * 2.0);
    work.df = 1;
    double whole = rls2__workload_seconds(&work, &speeds) / factor;
    assert_true(whole > 110.0 / 2.0 && whole < 110.0 * 2.0 && whole > 1.4 * lean);
}

/* Path and splits of many rows go down the grid together, all outputs open. */
static void workload_bytes__outputs_of_many_rows__are_open_at_a_time(void **state)
{
    (void)state;
    rls2__workload work = curved(4000.0), several = work;
    several.outputs = 4.0;
    assert_true(rls2__workload_bytes(&several, 0) == rls2__workload_bytes(&work, 0));
    several.by_steps = 1;
    double more = rls2__workload_bytes(&several, 0) - rls2__workload_bytes(&work, 0);
    double square = 8.0 * 4000.0 * 4000.0;
    assert_true(more >= 60.0 * square && more <= 66.0 * square); /* 3 x 8, and 6 x 8 of 0.81 */
}

static void cost_text__any_cost__has_few_digits(void **state)
{
    (void)state;
    static const struct {
        double seconds, bytes;
        const char *text;
    } CASES[] = {
        {0.01, 4.2e4, "a few seconds at most, about 42 kB of memory"},
        {12.4, 3.44e8, "about 12 s, about 344 MB of memory"},
        {33.0, 1.26e9, "about 35 s, about 1.3 GB of memory"},
        {250.0, 9.97e9, "about 4 min, about 10 GB of memory"},
        {9000.0, 1.37e11, "about 3 hours, about 137 GB of memory"},
        {1e6, 1e13, "about 12 days, about 10 TB of memory"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[128];
        const rls2_cost cost = {.seconds = CASES[i].seconds, .bytes = CASES[i].bytes};
        assert_int_equal(rls2_cost_text(&cost, text, sizeof text), strlen(CASES[i].text));
        assert_string_equal(text, CASES[i].text);
    }
    char refused[128];
    const rls2_cost large = {.seconds = 9e3, .bytes = 2e11, .least_bytes = 1e11, .limit = 2.4e10};
    rls2_cost_text(&large, refused, sizeof refused);
    assert_string_equal(refused,
                        "about 3 hours, about 100 GB of memory, more than the 24 GB there is");
    char small[8];
    const rls2_cost cost = {.seconds = 12.0};
    assert_int_equal(rls2_cost_text(&cost, small, sizeof small), strlen("about 12 s, about 0 "
                                                                        "bytes of memory"));
    assert_string_equal(small, "about 1");
    assert_int_equal(rls2_cost_text(NULL, small, sizeof small), 0);
}

static void workload_check__too_large__says_what_would_fit(void **state)
{
    (void)state;
    rls2_plan *plan;
    rls2_error err;
    rls2__workload work = curved(60000.0);
    assert_int_equal(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_COMMAND, &plan, &err), RLS2_OK);
    assert_int_equal(rls2__workload_check(plan, &work, 24e9, &err), RLS2_ERR_MEMORY);
    assert_contains(err.message, "60000 rows with 273 kernels need about ");
    assert_contains(err.message, "24 GB is all there is: about ");
    assert_contains(err.message, " rows would fit, or --kernels linear");
    assert_null(strstr(err.message, "--memory")); /* solving alone is too much */
    assert_string_equal(rls2_plan_fault(plan), "kernels");
    assert_int_equal(rls2__workload_check(plan, &work, 1e12, &err), RLS2_OK);
    assert_int_equal(rls2__workload_check(plan, &work, 0.0, &err), RLS2_OK); /* unknown */
    work = curved(20000.0);
    work.memory = 20e9;
    assert_int_equal(rls2__workload_check(plan, &work, 24e9, &err), RLS2_ERR_MEMORY);
    assert_contains(err.message, ", or --memory ");
    rls2_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(virtual_rows__low_ranks_and_equal_rows__are_few),
        cmocka_unit_test(workload_bytes__curved_kernels__need_matrices_of_all_rows),
        cmocka_unit_test(workload_bytes__linear_kernels_of_many_rows__need_little),
        cmocka_unit_test(rows_that_fit__are_as_many_as_do),
        cmocka_unit_test(workload_seconds__more_of_anything__takes_longer),
        cmocka_unit_test(workload_seconds__path_of_many_rows__is_within_a_factor_of_two),
        cmocka_unit_test(workload_bytes__outputs_of_many_rows__are_open_at_a_time),
        cmocka_unit_test(cost_text__any_cost__has_few_digits),
        cmocka_unit_test(workload_check__too_large__says_what_would_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
