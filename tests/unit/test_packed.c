/* Products with packed triangles, and solutions for one right-hand side, against their definitions.
 */
#include "support/unit_support.h"

#include <math.h>

#include "la/la.h"
#include "la/packed.h"

static double packed_entry(int64_t n, const double *packed, int64_t i, int64_t j)
{
    int64_t row = i > j ? i : j, column = i > j ? j : i;
    return packed[column * n - column * (column - 1) / 2 + row - column];
}

/* Every way the rows can fall into lanes and pairs of columns, and both sides of the size from
 * which BLAS is asked. */
static void la_spmv__many_sizes__as_defined(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 400; n += n < 40 || (n > 310 && n < 330) ? 1 : 37) {
        double *A = unit_normal(1, n * (n + 1) / 2), *x = unit_normal(2, n), *y = unit_normal(3, n);
        rls2__la_spmv(n, -1.5, A, x, y);
        for (int64_t i = 0; i < n; i++) {
            long double sum = 0.0L, size = 0.0L;
            for (int64_t j = 0; j < n; j++) {
                long double term = -1.5L * packed_entry(n, A, i, j) * x[j];
                sum += term;
                size += fabsl(term);
            }
            assert_near(y[i], (double)sum, 1e-15 * (double)n * (double)size);
        }
        free(A), free(x), free(y);
    }
}

static void la_lower_solve__one_or_two_sides__undone_by_the_product(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 150; n += n < 20 ? 1 : 43) {
        double *L = unit_normal(4, n * n), *b = unit_normal(5, 2 * n), *x = unit_room(2 * n);
        for (int64_t i = 0; i < n; i++) L[i * n + i] = (double)n + fabs(L[i * n + i]);
        for (int64_t count = 1; count <= 2; count++) {
            memcpy(x, b, (size_t)(2 * n) * sizeof *x);
            rls2__la_lower_solve(n, count, L, n, x, n);
            for (int64_t i = 0; i < n * count; i++) {
                long double sum = 0.0L;
                for (int64_t j = 0; j <= i % n; j++)
                    sum += (long double)L[j * n + i % n] * x[i / n * n + j];
                assert_near((double)sum, b[i], 1e-12 * (1.0 + fabs(b[i])));
            }
        }
        free(L), free(b), free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(la_spmv__many_sizes__as_defined),
        cmocka_unit_test(la_lower_solve__one_or_two_sides__undone_by_the_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
