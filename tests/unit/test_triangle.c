/* The triangle of a kernel, computed in blocks: the same bits as column by column. */
#include <math.h>

#include "kernel/triangle.h"
#include "support/unit_support.h"

enum { COLUMNS = 5 };

/* All kinds, on one column and on several; x4 and x5 hold a few whole numbers. */
static const char KERNELS[] =
    "linear@x2; linear@all; poly(1)@x1; poly(2,offset=0.5,scale=2)@x1+x3; poly(3)@all,x1;"
    "poly(7,offset=0.1,scale=0.3)@x2; rbf(0.7)@x1; rbf(0.3)@all; laplace(0.4)@x3,all;"
    "matern(0.5|1.5|2.5,length=2)@x1,all; spline@x1,x4; delta@x4,x4+x5";

/* Whatever the blocks: n around multiples of their sizes, and a panel's end. */
static void kernel_triangle__any_number_of_rows__the_columns_multiplied(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 17, 63, 255, 256, 257, 300, 513};
    rls2_dictionary *dictionary = unit_dictionary(KERNELS, COLUMNS);
    for (int c = 0; c < 15; c++) {
        int64_t n = sizes[c], ldx = n + 2;
        double *x = unit_normal(60 + (uint64_t)c, ldx * COLUMNS), *roots = unit_normal(7, n);
        double *packed = unit_room(n * (n + 1) / 2 + 1), *column = unit_room(n);
        rls2_rows rows = {.n = n, .p = COLUMNS, .x = x, .ldx = ldx};
        for (int64_t i = 3 * ldx; i < COLUMNS * ldx; i++) x[i] = round(x[i]);
        for (int64_t k = 0; k < 2 * dictionary->m; k++) {
            rls2__kernel kernel = dictionary->kernels[k / 2];
            const double *at = packed;
            rls2__kernel_fit(&kernel, &rows);
            packed[n * (n + 1) / 2] = 99.0;
            rls2__kernel_triangle(&kernel, &rows, 0.3, k % 2 ? roots : NULL, packed);
            for (int64_t j = 0; j < n; at += n - j, j++) {
                rls2__kernel_column(&kernel, &rows, &rows, j, column);
                for (int64_t i = j; i < n; i++) {
                    double value = column[i] * 0.3;
                    if (k % 2) value *= roots[i] * roots[j];
                    if (at[i - j] != value)
                        fail_msg("%s, %d rows, (%d, %d): %.17g, not %.17g", kernel.name, (int)n,
                                 (int)i, (int)j, at[i - j], value);
                }
            }
            assert_true(packed[n * (n + 1) / 2] == 99.0);
        }
        free(x), free(roots), free(packed), free(column);
    }
    rls2_dictionary_free(dictionary);
}

/* More columns than a panel has room for. */
static void kernel_triangle__many_columns__the_columns_multiplied(void **state)
{
    (void)state;
    enum { ROWS_HERE = 300, WIDE = 150 };
    double *x = unit_normal(70, ROWS_HERE * WIDE), *column = unit_room(ROWS_HERE);
    double *packed = unit_room(ROWS_HERE * (ROWS_HERE + 1) / 2);
    rls2_rows rows = {.n = ROWS_HERE, .p = WIDE, .x = x};
    rls2_dictionary *dictionary = unit_dictionary("rbf(0.01)@all; linear@all", WIDE);
    for (int64_t k = 0; k < 2; k++) {
        const double *at = packed;
        rls2__kernel_triangle(&dictionary->kernels[k], &rows, 2.0, NULL, packed);
        for (int64_t j = 0; j < ROWS_HERE; at += ROWS_HERE - j, j++) {
            rls2__kernel_column_from(&dictionary->kernels[k], &rows, j, &rows, j, column);
            for (int64_t i = 0; i < ROWS_HERE - j; i++) assert_true(at[i] == 2.0 * column[i]);
        }
    }
    rls2_dictionary_free(dictionary);
    free(x), free(column), free(packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel_triangle__any_number_of_rows__the_columns_multiplied),
        cmocka_unit_test(kernel_triangle__many_columns__the_columns_multiplied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
