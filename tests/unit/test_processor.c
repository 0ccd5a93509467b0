/* OpenBLAS uses the processor it has, and is left alone where it does already. */
#include "la/processor.h"

#include "la/la.h"
#include "rls2/blas.h"
#include "support/unit_support.h"

static const rls2__processor PLAIN = {0, 0}, AVX2 = {1, 0}, AVX512 = {1, 1};

static void better_cores__old_routines__are_replaced_by_what_there_is(void **state)
{
    (void)state;
    const char *cores[RLS2__MOST_CORES];
    rls2__better_cores("Prescott", AVX512, cores);
    assert_string_equal(cores[0], "SkylakeX");
    assert_string_equal(cores[1], "Haswell");
    assert_null(cores[2]);
    rls2__better_cores("Sandybridge", AVX2, cores);
    assert_string_equal(cores[0], "Haswell");
    assert_null(cores[1]);
}

static void better_cores__an_old_processor__keeps_its_routines(void **state)
{
    (void)state;
    const char *cores[RLS2__MOST_CORES];
    const rls2__processor half = {0, 1}; /* a virtual machine may show one without the other */
    rls2__better_cores("Prescott", PLAIN, cores);
    assert_null(cores[0]);
    rls2__better_cores("Prescott", half, cores);
    assert_null(cores[0]);
}

static void better_cores__good_or_unknown_routines__are_left_alone(void **state)
{
    (void)state;
    static const char *const GOOD[] = {"Haswell",        "Zen",   "Excavator", "SkylakeX",
                                       "SapphireRapids", "armv8", "neoversen1"};
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
        const char *cores[RLS2__MOST_CORES];
        rls2__better_cores(GOOD[i], AVX512, cores);
        assert_null(cores[0]);
    }
}

static void blas_tune__leaves_no_setting_and_right_products(void **state)
{
    (void)state;
    enum { N = 97, K = 41 };
    static double A[N * K], B[N * K], C[K * K];
    for (int64_t i = 0; i < (int64_t)N * K; i++) {
        A[i] = (double)(i % 7);
        B[i] = (double)(i % 5);
    }
    const char *asked = getenv("OPENBLAS_CORETYPE");
    rls2_blas_tune();
    const char *core = rls2_blas_tune();
    if (!asked) assert_null(getenv("OPENBLAS_CORETYPE"));
    if (!asked && core) assert_string_not_equal(core, "Unknown");
#if defined(__x86_64__) && defined(__GNUC__)
    if (!asked && core && __builtin_cpu_supports("avx2"))
        assert_string_not_equal(core, "Prescott"); /* as OpenBLAS calls what it does not know */
#endif
    rls2__la_gemm_tn(N, K, K, A, N, B, N, C, K);
    for (int64_t j = 0; j < K; j++)
        for (int64_t i = 0; i < K; i++) {
            double sum = 0.0;
            for (int64_t r = 0; r < N; r++) sum += A[r + i * N] * B[r + j * N];
            assert_true(C[i + j * K] == sum); /* small integers: exact */
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(better_cores__old_routines__are_replaced_by_what_there_is),
        cmocka_unit_test(better_cores__an_old_processor__keeps_its_routines),
        cmocka_unit_test(better_cores__good_or_unknown_routines__are_left_alone),
        cmocka_unit_test(blas_tune__leaves_no_setting_and_right_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
