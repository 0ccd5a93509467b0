/* Compact models that are linear between their points: against searches and sums by definition. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "support/compact_model.h"
#include "support/unit_support.h"

enum { MANY = 300 };

static made_compact *make_knots(void)
{
    made_compact *made = made_compact_create(1);
    made_compact_add_knots(made);
    return made;
}

/* Rows between knots, at them, beyond the ends, and with missing cells. */
static double *make_rows(const made_compact *made)
{
    double *x = unit_normal(23, MANY * MADE_COLUMNS);
    for (int i = 0; i < MANY; i++) {
        if (i % 7 == 0) x[i] = made->x[i % 6];
        if (i % 7 == 1) x[MANY + i] = made->x[MADE_POINTS + 1 + i % 4];
        if (i % 7 == 2) x[i] *= 5.0;
        if (i % 5 == 3) x[MANY + i] = i % 2;
        if (i % 11 == 4) x[i] = made->x[8 + i % 4];
    }
    return x;
}

static void compact_predict__blocks_with_knots__is_linear_between_them(void **state)
{
    (void)state;
    for (int64_t outputs = 1; outputs <= MADE_OUTPUTS; outputs++) {
        made_compact *made = made_compact_create(outputs);
        made_compact_add_knots(made);
        rls2_model *model = made_compact_model(made);
        double *x = make_rows(made), *f = unit_room(MANY * outputs),
               *parts = unit_room(MANY * MADE_KERNELS), *alone = unit_room(MANY);
        rls2_rows rows = {.n = MANY, .p = MADE_COLUMNS, .x = x};
        rls2_error err;
        assert_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
        for (int64_t o = 0; o < outputs; o++) {
            const rls2_model *one = rls2_model_output(model, o);
            assert_ok(rls2_model_contributions(one, &rows, NULL, parts, &err), &err);
            assert_ok(rls2_model_predict(one, &rows, NULL, alone, &err), &err);
            assert_memory_equal(alone, f + o * MANY, MANY * sizeof *f);
            for (int i = 0; i < MANY; i++) {
                double sum = made->outputs[o].intercept;
                for (int64_t t = 0; t < made->outputs[o].count; t++) {
                    double at[] = {x[i], x[MANY + i]};
                    double part = made_compact_linear_part(made, o, t, at);
                    assert_near(parts[t * MANY + i], part, 1e-12 * (1.0 + fabs(part)));
                    sum += part;
                }
                assert_near(f[o * MANY + i], sum, 1e-11 * (1.0 + fabs(sum)));
            }
        }
        rls2_model_free(model);
        made_compact_free(made);
        free(x);
        free(f);
        free(parts);
        free(alone);
    }
}

/* Of few rows not all points are evaluated. */
static void compact_predict__row_alone__has_the_bits_it_has_among_others(void **state)
{
    (void)state;
    made_compact *made = made_compact_create(MADE_OUTPUTS);
    made_compact_add_knots(made);
    rls2_model *model = made_compact_model(made);
    double *x = make_rows(made), *f = unit_room(MANY * MADE_OUTPUTS), alone[MADE_OUTPUTS];
    rls2_rows rows = {.n = MANY, .p = MADE_COLUMNS, .x = x};
    rls2_control control;
    rls2_error err;
    rls2_control_init(&control, sizeof control);
    control.threads = 3;
    assert_ok(rls2_model_predict(model, &rows, &control, f, &err), &err);
    for (int i = 0; i < MANY; i++) {
        rls2_rows one = {.n = 1, .p = MADE_COLUMNS, .x = x + i, .ldx = MANY};
        assert_ok(rls2_model_predict(model, &one, NULL, alone, &err), &err);
        for (int64_t o = 0; o < MADE_OUTPUTS; o++)
            assert_memory_equal(&alone[o], &f[o * MANY + i], sizeof *f);
    }
    rls2_model_free(model);
    made_compact_free(made);
    free(x);
    free(f);
}

/* An indicator that no kernel looks at tells which point a row has. */
static void compact_predict__kernel_of_the_number_alone__sees_missing_cells(void **state)
{
    (void)state;
    static const int64_t ks[] = {2};
    static const double d[] = {1.0};
    made_compact *made = made_compact_create(1);
    made_compact_add_knots(made);
    made->outputs[0].count = 1;
    made->outputs[0].ks = ks;
    made->outputs[0].d = d;
    made->outputs[0].shares = NULL;
    made->ks[0][0] = 2;
    made->d[0][0] = 1.0;
    made->block_of[2] = 3;
    rls2_model *model = made_compact_model(made);
    const double x[] = {0.01, 0.01, 1.0, 0.0};
    double f[2];
    rls2_rows rows = {.n = 2, .p = MADE_COLUMNS, .x = x};
    rls2_error err;
    assert_non_null(rls2_model_training_column(model, 1));
    assert_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
    for (int i = 0; i < 2; i++) {
        double at[] = {x[i], x[2 + i]};
        assert_near(f[i], made_compact_linear_part(made, 0, 0, at) + 1.5, 1e-13);
    }
    assert_true(fabs(f[0] - f[1]) > 1e-3);
    rls2_model_free(model);
    made_compact_free(made);
}

/* The objective of what the model says, and a bound that is not above it. */
static void compact_certify__blocks_with_knots__is_of_what_is_predicted(void **state)
{
    (void)state;
    made_compact *made = made_compact_create(1);
    made_compact_add_knots(made);
    rls2_model *model = made_compact_model(made);
    double *x = make_rows(made), *f = unit_room(MANY), *y = unit_normal(5, MANY), norm = 0.0;
    double lambda = made->outputs[0].point.lambda, fit = 0.0;
    rls2_rows rows = {.n = MANY, .p = MADE_COLUMNS, .x = x};
    rls2_certificate certificate;
    rls2_error err;
    assert_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
    assert_ok(rls2_model_certify_rows(model, &rows, y, NULL, NULL, &certificate, sizeof certificate,
                                      &err),
              &err);
    for (int i = 0; i < MANY; i++) fit += 0.5 * (y[i] - f[i]) * (y[i] - f[i]);
    for (int64_t t = 0; t < made->outputs[0].count; t++) {
        int64_t b = made->block_of[made->ks[0][t]];
        for (int64_t g = 0; g < made->blocks[b].count; g++) {
            const double *point = made->x + made->blocks[b].first + g;
            double at[] = {point[0], point[MADE_POINTS]};
            norm += made->c[0][made->offsets[b] + g] * made_compact_part(made, 0, t, at);
        }
    }
    assert_near(certificate.primal, fit + 0.5 * lambda * norm, 1e-10 * certificate.primal);
    assert_true(certificate.dual > 0.0 && certificate.dual <= certificate.primal);
    rls2_model_free(model);
    made_compact_free(made);
    free(x);
    free(f);
    free(y);
}

/* Kernels of every kind, selected or not. */
static void compact_certify__form_that_is_not_a_number__certifies_nothing(void **state)
{
    (void)state;
    made_compact *made = make_knots();
    rls2_model *model = made_compact_model(made);
    double *x = make_rows(made), *y = unit_normal(5, MANY);
    rls2_rows rows = {.n = MANY, .p = MADE_COLUMNS, .x = x};
    rls2_certificate certificate;
    rls2_error err;
    for (int k = 0; k < MADE_KERNELS; k++) {
        double scale = model->scales[k];
        model->scales[k] = (double)NAN;
        assert_ok(rls2_model_certify_rows(model, &rows, y, NULL, NULL, &certificate,
                                          sizeof certificate, &err),
                  &err);
        model->scales[k] = scale;
        assert_true(certificate.primal > 0.0 && certificate.dual == 0.0);
        assert_true(certificate.relative_gap == HUGE_VAL && certificate.max_q == HUGE_VAL);
        assert_int_equal(certificate.max_kernel, k);
    }
    rls2_model_free(model);
    made_compact_free(made);
    free(x);
    free(y);
}

/* lambda/2 z'(R + lambda I)^-1 z of kernel 2 times 2, linear between its six knots, by elimination.
 */
static double least_objective(const made_compact *made, const double *x, const double *y)
{
    enum { KERNEL = 2, KNOTS = 6 };
    static long double A[MANY][MANY + 1];
    long double lambda = made->outputs[0].point.lambda, sum = 0.0L, solution[MANY];
    const double *knots = made->x;
    double share[MANY], K[KNOTS][KNOTS];
    int at[MANY];
    for (int g = 0; g < KNOTS; g++)
        for (int h = 0; h < KNOTS; h++)
            K[g][h] = (double)plain_value(&made->problem, &made->problem.kernels[KERNEL],
                                          MADE_POINTS, made->x, g, MADE_POINTS, made->x, h);
    for (int i = 0; i < MANY; i++) {
        at[i] = 0;
        while (at[i] < KNOTS - 2 && x[i] > knots[at[i] + 1]) at[i]++;
        share[i] = (x[i] - knots[at[i]]) / (knots[at[i] + 1] - knots[at[i]]);
    }
    for (int i = 0; i < MANY; i++) {
        for (int j = 0; j < MANY; j++) {
            const double *low = K[at[i]], *high = K[at[i] + 1];
            long double below = (1.0L - share[j]) * low[at[j]] + share[j] * low[at[j] + 1],
                        above = (1.0L - share[j]) * high[at[j]] + share[j] * high[at[j] + 1];
            A[i][j] = 2.0L * ((1.0L - share[i]) * below + share[i] * above) + (i == j) * lambda;
        }
        A[i][MANY] = (long double)y[i] - made->outputs[0].intercept;
    }
    for (int u = 0; u < MANY; u++)
        for (int v = u + 1; v < MANY; v++) {
            long double factor = A[v][u] / A[u][u];
            for (int c = u; c <= MANY; c++) A[v][c] -= factor * A[u][c];
        }
    for (int u = MANY - 1; u >= 0; u--) {
        solution[u] = A[u][MANY];
        for (int v = u + 1; v < MANY; v++) solution[u] -= A[u][v] * solution[v];
        solution[u] /= A[u][u];
        sum += solution[u] * ((long double)y[u] - made->outputs[0].intercept);
    }
    return (double)(0.5L * lambda * sum);
}

/* One kernel alone, all rows between its knots: the bound needs no estimate. */
static void compact_certify__one_interpolated_kernel__has_its_bound(void **state)
{
    (void)state;
    enum { KERNEL = 2, KNOTS = 6 };
    static const int64_t ks[] = {KERNEL};
    static const double d[] = {1.0};
    made_compact *made = make_knots();
    for (int k = 0; k < MADE_KERNELS; k++) made->scales[0][k] = k == KERNEL ? 2.0 : 0.0;
    made->outputs[0].count = 1;
    made->outputs[0].ks = ks;
    made->outputs[0].d = d;
    made->outputs[0].shares = NULL;
    rls2_model *model = made_compact_model(made);
    double *x = unit_normal(31, MANY * MADE_COLUMNS), *f = unit_room(MANY),
           *y = unit_normal(5, MANY);
    double lambda = made->outputs[0].point.lambda, v[KNOTS] = {0.0}, q = 0.0, yc = 0.0, cc = 0.0;
    const double *knots = made->x;
    rls2_rows rows = {.n = MANY, .p = MADE_COLUMNS, .x = x};
    rls2_certificate certificate;
    rls2_error err;
    for (int i = 0; i < MANY; i++) x[i] = fmax(fmin(x[i], knots[KNOTS - 1]), knots[0]);
    assert_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
    for (int i = 0; i < MANY; i++) {
        double c = (y[i] - f[i]) / lambda;
        int g = 0;
        while (g < KNOTS - 2 && x[i] > knots[g + 1]) g++;
        double share = (x[i] - knots[g]) / (knots[g + 1] - knots[g]);
        v[g] += c * (1.0 - share);
        v[g + 1] += c * share;
        yc += (y[i] - made->outputs[0].intercept) * c;
        cc += c * c;
    }
    for (int g = 0; g < KNOTS; g++)
        for (int h = 0; h < KNOTS; h++)
            q += 2.0 * v[g] * v[h] *
                 (double)plain_value(&made->problem, &made->problem.kernels[KERNEL], MADE_POINTS,
                                     made->x, g, MADE_POINTS, made->x, h);
    assert_ok(rls2_model_certify_rows(model, &rows, y, NULL, NULL, &certificate, sizeof certificate,
                                      &err),
              &err);
    assert_int_equal(certificate.max_kernel, KERNEL);
    /* that of the residuals, or better, and not above the least objective */
    assert_true(certificate.dual >= (1.0 - 1e-9) * 0.5 * lambda * yc * yc / (lambda * cc + q));
    double least = least_objective(made, x, y);
    assert_true(certificate.dual <= (1.0 + 1e-9) * least);
    assert_true(certificate.dual >= 0.9 * least);
    rls2_model_free(model);
    made_compact_free(made);
    free(x);
    free(f);
    free(y);
}

static void refuse(made_compact *made, const char *message)
{
    rls2_model *model = NULL;
    rls2_error err;
    assert_int_not_equal(rls2__compact_create(&made->parts, &model, &err), RLS2_OK);
    assert_contains(err.message, message);
    made_compact_free(made);
}

static void compact_create__knots_that_do_not_fit__are_refused(void **state)
{
    (void)state;
    made_compact *made = make_knots();
    made->x[3] = made->x[2];
    refuse(made, "knots do not ascend");
    made = make_knots();
    made->blocks[0].knots = 7;
    refuse(made, "knots that are not its points");
    made = make_knots();
    made->blocks[0].knots = -1;
    refuse(made, "knots that are not its points");
    made = make_knots();
    made->blocks[0].knots = 4;
    refuse(made, "knots that are not its points");
    made = make_knots();
    made->blocks[0].knots = 5; /* and a point of missing cells, without the column */
    refuse(made, "not of a number and its missing cells");
    made = make_knots();
    made->blocks[0].exact = 1;
    refuse(made, "a block that is exact has knots");
    made = make_knots();
    made->x[MADE_POINTS + 12] = 0.0;
    refuse(made, "missing cells");
    made = make_knots();
    made->x[MADE_POINTS + 9] = 1.0;
    refuse(made, "missing cells");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compact_predict__blocks_with_knots__is_linear_between_them),
        cmocka_unit_test(compact_predict__row_alone__has_the_bits_it_has_among_others),
        cmocka_unit_test(compact_predict__kernel_of_the_number_alone__sees_missing_cells),
        cmocka_unit_test(compact_certify__blocks_with_knots__is_of_what_is_predicted),
        cmocka_unit_test(compact_certify__form_that_is_not_a_number__certifies_nothing),
        cmocka_unit_test(compact_certify__one_interpolated_kernel__has_its_bound),
        cmocka_unit_test(compact_create__knots_that_do_not_fit__are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
