/* Operators that are not stored: which they are, and that they are the operators they stand for. */
#include "basis_fixture.h"

#include "basis/combine.h"
#include "basis/operator_recomputed.h"
#include "dictionary/dictionary_widths.h"
#include "la/la.h"
#include "support/control.h"

/* Every kind, several of them on the same columns. */
static const char ALL_KINDS[] =
    "rbf(0.5|30|learn*2|2)@all; matern(2.5,learn)@all; rbf(learn)@x2+x3; rbf(0.1|1)@x1; "
    "poly(2..4)@all; linear@all; linear@x1; laplace(2|0.3)@all; "
    "matern(0.5)@all;"
    "matern(1.5)@all; matern(2.5)@x2; spline@x2; delta@x4; poly(3,offset=0.5)@x2+x3; rbf(2)@x2+x3; "
    "given(K)";

typedef struct bases {
    double *x, *K, *weights;
    const double *list[1];
    rls2_rows rows;
    rls2_dictionary *dictionary;
    rls2_basis *stored, *unstored;
} bases;

/* K = x2 x2' + 1 of the rows */
static double *linear_matrix(int64_t n, const double *x)
{
    double *K = unit_room(n * n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) K[j * n + i] = 1.0 + x[n + i] * x[n + j];
    return K;
}

/* In the place of widths that somebody learned: all different. */
static rls2_dictionary *with_widths(rls2_dictionary *dictionary)
{
    enum { WIDTHS = COLUMNS + 2 };
    double widths[WIDTHS];
    rls2_dictionary *learned = NULL;
    assert_int_equal(rls2__dictionary_width_count(dictionary), WIDTHS);
    for (int t = 0; t < WIDTHS; t++) widths[t] = 0.2 * (1 + t);
    assert_int_equal(rls2__dictionary_with_widths(dictionary, widths, &learned), RLS2_OK);
    rls2_dictionary_free(dictionary);
    return learned;
}

static bases bases_create(int64_t n)
{
    static const char *const names[] = {"K"};
    bases b = {.x = make_x(n)};
    b.K = linear_matrix(n, b.x);
    b.list[0] = b.K;
    b.weights = unit_room(n);
    for (int64_t i = 0; i < n; i++) b.weights[i] = 0.3 + (double)(i % 7);
    b.rows = (rls2_rows){.n = n, .p = COLUMNS, .x = b.x, .given_count = 1};
    b.dictionary = with_widths(unit_dictionary_given(ALL_KINDS, COLUMNS, 1, names));
    return b;
}

/* The list of given matrices lies in the struct, which must not move any more. */
static void bases_make(bases *b, int weighted, int64_t memory)
{
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.row_weights = weighted ? b->weights : NULL;
    b->rows.given = b->list;
    b->stored = unit_basis(b->dictionary, &b->rows, &options);
    options.memory = memory;
    b->unstored = unit_basis(b->dictionary, &b->rows, &options);
}

static void bases_free(bases *b)
{
    rls2_basis_free(b->stored);
    rls2_basis_free(b->unstored);
    rls2_dictionary_free(b->dictionary);
    free(b->x), free(b->K), free(b->weights);
}

static void assert_vectors(int64_t n, const double *a, const double *b, double tolerance)
{
    for (int64_t i = 0; i < n; i++) assert_near(a[i], b[i], tolerance);
}

/* With a byte to store them in, nothing is stored but what lies there anyway. */
static void create__no_memory__every_kernel_that_would_be_stored_is_recomputed(void **state)
{
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++) {
        bases b = bases_create(ROWS);
        bases_make(&b, weighted, 1);
        assert_int_equal(rls2_basis_bytes(b.unstored), 0);
        assert_int_equal(b.stored->recomputed, 0);
        int64_t recomputed = 0;
        for (int64_t k = 0; k < b.stored->m; k++) {
            const char *was = rls2_basis_shape(b.stored, k), *is = rls2_basis_shape(b.unstored, k);
            int lies = strcmp(was, "rank-one") == 0 || strcmp(was, "given") == 0;
            assert_string_equal(is, lies ? was : "recomputed");
            assert_int_equal(rls2_basis_rank(b.unstored, k), rls2_basis_rank(b.stored, k));
            recomputed += !lies;
        }
        assert_int_equal(b.unstored->recomputed, recomputed);
        assert_true(recomputed >= 17);
        bases_free(&b);
    }
}

/* Below and above the size of a block of rows, with weights and without. */
static void operators__not_stored__equal_those_stored(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 60, 511, 512, 513, 700};
    for (int t = 0; t < 14; t++) {
        int64_t n = sizes[t / 2], m;
        int weighted = t % 2;
        bases b = bases_create(n);
        bases_make(&b, weighted, 1);
        m = b.stored->m;
        double *c = unit_normal(5, n), *u = unit_room(n), *v = unit_room(n), *work = unit_room(n);
        for (int64_t k = 0; k < m; k++) {
            const rls2__operator *op = &b.stored->ops[k], *other = &b.unstored->ops[k];
            double q, p, size = op->norm * rls2__la_dot(n, c, c);
            rls2__basis_price(unit_alone(), b.stored, c, 1, &k, &q, work);
            rls2__basis_price(unit_alone(), b.unstored, c, 1, &k, &p, work);
            assert_near(p, q, 1e-13 * size);
            rls2__basis_apply(unit_alone(), b.stored, k, c, u, work);
            rls2__basis_apply(unit_alone(), b.unstored, k, c, v, work);
            assert_vectors(n, v, u, 1e-13 * size);
            assert_near(rls2__basis_frobenius(b.unstored, k, work),
                        rls2__basis_frobenius(b.stored, k, work), 1e-12 * op->trace);
            assert_near(other->trace, op->trace, 0.0);
            assert_near(other->norm, op->norm, 1e-12 * op->norm);
            assert_true(other->slack >= op->slack * (1.0 - 1e-12) &&
                        other->slack <= op->slack * (1.0 + 1e-12));
        }
        free(c), free(u), free(v), free(work);
        bases_free(&b);
    }
}

/* In whatever company, a kernel has the same bits. */
static void price__several_at_once__the_bits_of_each_alone(void **state)
{
    (void)state;
    enum { LARGE = 530 };
    bases b = bases_create(LARGE);
    bases_make(&b, 1, 1);
    int64_t m = b.unstored->m, ks[64];
    rls2__random random;
    double *c = unit_normal(6, LARGE), *work = unit_room(LARGE), *V = unit_room(LARGE * m),
           *v = unit_room(LARGE);
    double q[64], alone;
    rls2__random_seed(&random, 3);
    rls2__combiner *combiner = rls2__combiner_create(b.unstored, 0);
    for (int round = 0; round < 4; round++) {
        int64_t count = rls2__random_below(&random, m) + 1;
        rls2__random_permutation(&random, m, ks);
        rls2__basis_price(unit_alone(), b.unstored, c, count, ks, q, work);
        rls2__combiner_apply(unit_alone(), combiner, count, ks, c, V, work);
        for (int64_t i = 0; i < count; i++) {
            rls2__basis_price(unit_alone(), b.unstored, c, 1, &ks[i], &alone, work);
            assert_memory_equal(&alone, &q[i], sizeof alone);
            rls2__basis_apply(unit_alone(), b.unstored, ks[i], c, v, work);
            assert_memory_equal(v, V + i * LARGE, LARGE * sizeof *v);
        }
    }
    rls2__combiner_free(combiner);
    free(c), free(work), free(V), free(v);
    bases_free(&b);
}

/* R(d), and products, of kernels that the combiner remembers, forgets, and cannot remember. */
static void combine__not_stored__the_weighted_sum_of_those_stored(void **state)
{
    (void)state;
    enum { LARGE = 530 };
    int64_t triangle = (int64_t)LARGE * (LARGE + 1) / 2 * (int64_t)sizeof(double);
    int64_t limits[] = {0, triangle, 3 * triangle + 1, INT64_MAX};
    for (int l = 0; l < 4; l++) {
        bases b = bases_create(LARGE);
        bases_make(&b, l % 2, 1);
        int64_t m = b.stored->m, ks[64];
        rls2__combiner *one = rls2__combiner_create(b.stored, INT64_MAX);
        rls2__combiner *other = rls2__combiner_create(b.unstored, limits[l]);
        double *R = unit_room(LARGE * LARGE), *S = unit_room(LARGE * LARGE), weights[64];
        double *c = unit_normal(7, LARGE), *work = unit_room(LARGE), *V = unit_room(LARGE * m),
               *v = unit_room(LARGE);
        rls2__random random;
        rls2__random_seed(&random, 19);
        for (int round = 0; round < 5; round++) {
            int64_t count = rls2__random_below(&random, m) + 1;
            double size = 0.0;
            rls2__random_permutation(&random, m, ks);
            for (int64_t i = 0; i < count; i++)
                weights[i] = i % 4 == 3 ? 0.0 : rls2__random_uniform(&random);
            for (int64_t i = 0; i < count; i++) size += weights[i] * b.stored->ops[ks[i]].trace;
            assert_int_equal(rls2__combine(unit_alone(), one, count, ks, weights, R), RLS2_OK);
            assert_int_equal(rls2__combine(unit_alone(), other, count, ks, weights, S), RLS2_OK);
            for (int64_t j = 0; j < LARGE; j++)
                assert_vectors(LARGE - j, S + j * LARGE + j, R + j * LARGE + j, 1e-13 * size);
            rls2__combiner_apply(unit_alone(), other, count, ks, c, V, work);
            for (int64_t i = 0; i < count; i++) {
                rls2__basis_apply(unit_alone(), b.stored, ks[i], c, v, work);
                assert_vectors(LARGE, V + i * LARGE, v, 1e-11 * b.stored->ops[ks[i]].norm);
            }
        }
        rls2__combiner_free(one), rls2__combiner_free(other);
        free(R), free(S), free(c), free(work), free(V), free(v);
        bases_free(&b);
    }
}

/* ---- which are stored ---- */

/* Small factors before large ones, then triangles, those of the most columns first; never more than
 * the limit. */
static void create__limit_of_memory__keeps_what_it_says(void **state)
{
    (void)state;
    double *x = make_x(ROWS);
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    /* ranks 2, 4, 3; triangles of 2, 4, 4 and 3 columns */
    rls2_dictionary *dictionary =
        unit_dictionary("poly(1)@x1; poly(3)@x2; poly(2)@x1; rbf(90)@x1+x2; rbf(30|50)@all;"
                        "laplace(9)@x1..x3",
                        COLUMNS);
    int64_t column = ROWS * (int64_t)sizeof(double), triangle = column * (ROWS + 1) / 2;
    const struct {
        int64_t memory;
        const char *shapes; /* f, d or r for each kernel */
    } cases[] = {{0, "fffdddd"},
                 {9 * column + 4 * triangle, "fffdddd"},
                 {9 * column + 4 * triangle - 1, "fffrddd"},
                 {9 * column + 3 * triangle, "fffrddd"},
                 {9 * column + 3 * triangle - 1, "fffrddr"},
                 {9 * column + 2 * triangle - 1, "fffrdrr"},
                 {9 * column + triangle - 1, "fffrrrr"},
                 {9 * column, "fffrrrr"},
                 {9 * column - 1, "frfrrrr"},
                 {5 * column, "frfrrrr"},
                 {5 * column - 1, "frrrrrr"},
                 {2 * column, "frrrrrr"},
                 {2 * column - 1, "rrrrrrr"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int threads = 1; threads <= 3; threads++) {
            rls2_basis_options options;
            rls2_basis_options_init(&options, sizeof options);
            options.memory = cases[i].memory;
            rls2_basis *basis = unit_basis_under(dictionary, &rows, &options, ON_THREADS(threads));
            char found[8] = {0};
            for (int64_t k = 0; k < 7; k++) found[k] = rls2_basis_shape(basis, k)[0];
            assert_string_equal(found, cases[i].shapes);
            if (cases[i].memory) assert_true(rls2_basis_bytes(basis) <= cases[i].memory);
            rls2_basis_free(basis);
        }
    rls2_dictionary_free(dictionary);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(create__no_memory__every_kernel_that_would_be_stored_is_recomputed),
        cmocka_unit_test(operators__not_stored__equal_those_stored),
        cmocka_unit_test(price__several_at_once__the_bits_of_each_alone),
        cmocka_unit_test(combine__not_stored__the_weighted_sum_of_those_stored),
        cmocka_unit_test(create__limit_of_memory__keeps_what_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
