/* What an input does: against predictions of rows in which it was replaced, and directions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/compact_model.h"
#include "support/one_output.h"
#include "support/problem.h"
#include "support/saved_model.h"

enum { ROWS = 40 };

typedef struct learned {
    rls2_table *table;
    rls2_dataset *data;
    rls2_model *model;
} learned;

/* up rises and down falls with y, bend goes both ways, of kind 'a' has the most and 'c' the least,
 * and idle does nothing. gap is empty in some rows, and so
 * is some, whose rows without it have the least y, where it is filled with a 'p'. */
static char *write_table(void)
{
    char *text = calloc(1, 1 << 16), *at = text;
    assert_non_null(text);
    at += sprintf(at, "up,down,bend,kind,gap,some,idle,y\n");
    for (int i = 0; i < ROWS; i++) {
        double up = sin(3.0 * i), down = cos(7.0 * i), bend = sin(11.0 * i + 1.0);
        int kind = (i * i + i / 3) % 3;
        double y = 3.0 * up - 2.0 * down + 4.0 * bend * bend +
                   (kind == 0   ? 2.0
                    : kind == 2 ? -2.0
                                : 0.0);
        at += sprintf(at, "%.6f,%.6f,%.6f,%c,", up, down, bend, "abc"[kind]);
        if (i % 4 != 1) at += sprintf(at, "%.6f", sin(5.0 * i));
        at += sprintf(at, ",%s", i % 5 == 2 ? "" : i % 3 ? "p" : "q");
        y += (i % 4 == 1 ? 1.5 : 0.0) - (i % 5 == 2 ? 3.0 : 0.0);
        at += sprintf(at, ",%d,%.6f\n", i % 2 + i % 5, y);
    }
    return text;
}

static rls2_dataset *encode(const rls2_table *table)
{
    rls2_error err;
    rls2_dataset *data = NULL;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "y";
    options.missing = RLS2_MISSING_IMPUTE;
    assert_ok(rls2_dataset_create(table, &options, &data, &err), &err);
    assert_ok(
        rls2_dataset_preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE, NULL, &err),
        &err);
    assert_int_equal(rls2_dataset_rows(data), ROWS);
    return data;
}

static learned learn(const char *kernels)
{
    rls2_error err;
    learned it = {0};
    double lambda = 1e-3;
    char *text = write_table();
    rls2_dictionary *dictionary = NULL;
    rls2_basis *basis = NULL;
    rls2_path *path = NULL;
    assert_ok(rls2_table_parse_csv("t.csv", text, (int64_t)strlen(text), &it.table, &err), &err);
    it.data = encode(it.table);
    rls2_columns columns = {.count = rls2_dataset_columns(it.data),
                            .names = rls2_dataset_names(it.data)};
    rls2_rows rows = {.n = ROWS, .p = columns.count, .x = rls2_dataset_x(it.data)};
    assert_ok(rls2_dictionary_create(kernels, &columns, &dictionary, &err), &err);
    assert_ok(rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err), &err);
    assert_ok(fit_one(basis, rls2_dataset_y(it.data), 1, &lambda, NULL, &path, &err), &err);
    assert_ok(model_of_one(path, 0, &it.model, &err), &err);
    assert_ok(rls2_model_attach(it.model, it.data, &err), &err);
    rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    free(text);
    return it;
}

static void learned_free(learned *it)
{
    rls2_model_free(it->model);
    rls2_dataset_free(it->data);
    rls2_table_free(it->table);
}

static int64_t input_named(const rls2_model *model, const char *name)
{
    for (int64_t j = 0; j < rls2_model_input_count(model); j++)
        if (strcmp(rls2_model_input_name(model, j), name) == 0) return j;
    fail_msg("no input '%s'", name);
    return -1;
}

/* A row of the table that has the value or the category. */
static int64_t row_with(const learned *it, const char *name, const rls2_effect_point *at)
{
    int64_t column = rls2_table_find(it->table, name);
    for (int64_t i = 0; i < ROWS; i++) {
        const char *cell = rls2_table_cell(it->table, i, column);
        int missing = !cell || !*cell;
        if (at->level && strcmp(at->level, "missing") == 0 && missing) return i;
        if (missing) continue;
        if (at->level && strcmp(cell, at->level) == 0) return i;
        if (!at->level && fabs(rls2_table_value(it->table, i, column) - at->value) < 1e-9) return i;
    }
    fail_msg("%s: no row has %g '%s'", name, at->value, at->level ? at->level : "");
    return -1;
}

/* The mean prediction when all rows have that of `row` in this input. */
static double mean_prediction(const learned *it, int64_t input, int64_t row)
{
    rls2_error err;
    int64_t p = rls2_dataset_columns(it->data), first, width;
    double *x = numbers(ROWS * p), f[ROWS], sum = 0.0;
    memcpy(x, rls2_dataset_x(it->data), (size_t)(ROWS * p) * sizeof *x);
    width = rls2_model_input_columns(it->model, input, &first);
    for (int64_t j = first; j < first + width; j++)
        for (int64_t i = 0; i < ROWS; i++)
            x[j * ROWS + i] = rls2_dataset_x(it->data)[j * ROWS + row];
    rls2_rows rows = {.n = ROWS, .p = p, .x = x};
    assert_ok(rls2_model_predict(it->model, &rows, NULL, f, &err), &err);
    for (int i = 0; i < ROWS; i++) sum += f[i] / ROWS;
    free(x);
    return sum;
}

static void assert_effect(const learned *it, const char *name, int64_t points)
{
    rls2_error err;
    rls2_effect *effect = NULL;
    int64_t input = input_named(it->model, name);
    double base = 0.0, mean = 0.0;
    assert_ok(rls2_model_effect(it->model, input, &effect, &err), &err);
    assert_int_equal(rls2_effect_count(effect), points);
    for (int64_t i = 0; i < points; i++) {
        const rls2_effect_point *at = rls2_effect_at(effect, i);
        double f = mean_prediction(it, input, row_with(it, name, at)) - at->effect;
        if (i == 0) base = f;
        if (fabs(f - base) > 1e-9) fail_msg("%s, point %d: %g and %g", name, (int)i, f, base);
        mean += at->rows * at->effect;
    }
    assert_true(fabs(mean) < 1e-9);
    rls2_effect_free(effect);
}

/* Numbers by quantiles, all values of a few, categories, and empty cells, with kernels of one input
 * and of all. */
static void model_effect__every_kind_of_input__is_the_mean_of_predictions(void **state)
{
    (void)state;
    learned it = learn("rbf(0.3)@all; rbf(2)@up; linear@down; poly(2)@bend; linear@kind*; "
                       "rbf(1)@gap*; linear@some*; linear@idle");
    assert_effect(&it, "up", 21);
    assert_effect(&it, "bend", 21);
    assert_effect(&it, "kind", 3);
    assert_effect(&it, "gap", 22);
    assert_effect(&it, "some", 3); /* p, q and none */
    assert_effect(&it, "idle", 6);
    learned_free(&it);
}

/* One prediction, of a row that has in two inputs what two others have. */
static double prediction_with(const learned *it, const int64_t *inputs, const int64_t *rows)
{
    rls2_error err;
    int64_t p = rls2_dataset_columns(it->data), first, width;
    double *x = numbers(p), f;
    for (int64_t j = 0; j < p; j++) x[j] = rls2_dataset_x(it->data)[j * ROWS + 17];
    for (int k = 0; k < 2; k++) {
        width = rls2_model_input_columns(it->model, inputs[k], &first);
        for (int64_t j = first; j < first + width; j++)
            x[j] = rls2_dataset_x(it->data)[j * ROWS + rows[k]];
    }
    rls2_rows one = {.n = 1, .p = p, .x = x};
    assert_ok(rls2_model_predict(it->model, &one, NULL, &f, &err), &err);
    free(x);
    return f;
}

/* Against predictions: where no kernel looks at one of the two and at a third, these differ from
 * the joint effect by a constant. */
static void assert_joint(const learned *it, const char *a, const char *b)
{
    rls2_error err;
    const char *const names[] = {a, b};
    int64_t inputs[2], count[2];
    rls2_effect *of[2];
    for (int k = 0; k < 2; k++) {
        inputs[k] = input_named(it->model, names[k]);
        assert_ok(rls2_model_effect(it->model, inputs[k], &of[k], &err), &err);
        count[k] = rls2_effect_count(of[k]);
        assert_true(count[k] > 1);
    }
    double *grid = numbers(count[0] * count[1]), base = 0.0, mean = 0.0, most = 0.0;
    assert_ok(rls2_model_joint_effect(it->model, inputs[0], inputs[1], grid, &err), &err);
    for (int64_t q = 0; q < count[1]; q++)
        for (int64_t p = 0; p < count[0]; p++) {
            const rls2_effect_point *u = rls2_effect_at(of[0], p), *v = rls2_effect_at(of[1], q);
            const int64_t rows[] = {row_with(it, a, u), row_with(it, b, v)};
            double joint = grid[q * count[0] + p], f = prediction_with(it, inputs, rows) - joint;
            if (p + q == 0) base = f;
            if (fabs(f - base) > 1e-9) fail_msg("%s, %s: %g and %g", a, b, f, base);
            mean += u->rows * v->rows * joint;
            most = fmax(most, fabs(joint));
        }
    assert_true(fabs(mean) < 1e-6 && most > 1e-3);
    free(grid);
    for (int k = 0; k < 2; k++) rls2_effect_free(of[k]);
}

static void joint_effect__two_inputs__is_what_predictions_say(void **state)
{
    (void)state;
    learned it = learn("rbf(0.5)@up+down; rbf(2)@up; linear@down; rbf(1)@gap*; linear@kind*; "
                       "poly(2)@bend");
    rls2_error err;
    double effects[1];
    assert_joint(&it, "up", "down");
    assert_joint(&it, "down", "up");
    assert_joint(&it, "bend", "kind");
    assert_joint(&it, "gap", "bend");
    assert_int_equal(rls2_model_joint_effect(it.model, 0, 0, effects, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_joint_effect(it.model, 0, 99, effects, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_joint_effect(it.model, 0, 1, NULL, &err), RLS2_ERR_ARGUMENT);
    learned_free(&it);
}

static rls2_direction direction_of(const learned *it, const char *name)
{
    rls2_error err;
    rls2_effect *effect = NULL;
    assert_ok(rls2_model_effect(it->model, input_named(it->model, name), &effect, &err), &err);
    rls2_direction direction = rls2_effect_direction(effect);
    rls2_effect_free(effect);
    return direction;
}

static void model_effect__direction__is_that_of_the_table(void **state)
{
    (void)state;
    rls2_error err;
    rls2_effect *effect = NULL;
    learned it = learn("linear@up; linear@down; poly(2)@bend; linear@kind*");
    assert_int_equal(direction_of(&it, "up"), RLS2_DIRECTION_UP);
    assert_int_equal(direction_of(&it, "down"), RLS2_DIRECTION_DOWN);
    assert_int_equal(direction_of(&it, "bend"), RLS2_DIRECTION_BOTH);
    assert_int_equal(direction_of(&it, "kind"), RLS2_DIRECTION_NONE);
    assert_int_equal(direction_of(&it, "idle"), RLS2_DIRECTION_NONE);
    assert_ok(rls2_model_effect(it.model, input_named(it.model, "idle"), &effect, &err), &err);
    assert_int_equal(rls2_effect_count(effect), 0); /* no kernel looks at it */
    assert_null(rls2_effect_at(effect, 0));
    rls2_effect_free(effect);
    assert_int_equal(rls2_model_effect(it.model, 99, &effect, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_effect(NULL, 0, &effect, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_effect(it.model, 0, NULL, &err), RLS2_ERR_ARGUMENT);
    learned_free(&it);
}

/* ---- compact models ---- */

/* With the training rows as points each of which stands for one row. */
static void model_effect__compact_model_of_the_same_f__is_the_same(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"up", "down", "bend", "kind", "gap", "idle"};
    learned it = learn("rbf(0.3)@all; rbf(2)@up; linear@down; poly(2)@bend; linear@kind*; "
                       "rbf(1)@gap*; linear@idle; linear@all");
    rls2_error err;
    rls2_model *compact = compact_copy(it.model, 1000);
    assert_ok(rls2_model_attach(compact, it.data, &err), &err);
    for (int i = 0; i < 6; i++) {
        rls2_effect *a = NULL, *b = NULL;
        int64_t input = input_named(it.model, NAMES[i]);
        assert_ok(rls2_model_effect(it.model, input, &a, &err), &err);
        assert_ok(rls2_model_effect(compact, input, &b, &err), &err);
        assert_int_equal(rls2_effect_direction(a), rls2_effect_direction(b));
        for (int64_t p = 0; p < rls2_effect_count(b); p++) {
            const rls2_effect_point *v = rls2_effect_at(b, p);
            double f = mean_prediction(&it, input, row_with(&it, NAMES[i], v)) - v->effect,
                   first =
                       mean_prediction(&it, input, row_with(&it, NAMES[i], rls2_effect_at(b, 0))) -
                       rls2_effect_at(b, 0)->effect;
            if (fabs(f - first) > 1e-9) fail_msg("%s: %g and %g", NAMES[i], f, first);
        }
        assert_int_equal(rls2_effect_count(a), rls2_effect_count(b));
        rls2_effect_free(a);
        rls2_effect_free(b);
    }
    rls2_model_free(compact);
    learned_free(&it);
}

static void reverse(int64_t count, const double *values)
{
    double *x = (double *)(uintptr_t)values;
    for (int64_t i = 0; i < count / 2; i++) {
        double other = x[i];
        x[i] = x[count - 1 - i];
        x[count - 1 - i] = other;
    }
}

/* The parts of a date lie in other rows than its day, with their coefficients: f is the same. */
static void model_effect__date_of_a_compact_model__has_the_parts_of_its_day(void **state)
{
    (void)state;
    model_case each = *find_model_case("gaps");
    each.spec = "linear";
    made_model made = make_model(&each);
    rls2_error err;
    rls2_model *compact = compact_copy(made.model, 1000);
    rls2_effect *a = NULL, *b = NULL;
    assert_ok(rls2_model_attach(compact, made.data, &err), &err);
    int64_t input = input_named(compact, "day"), first, moved = 0;
    int64_t width = rls2_model_input_columns(compact, input, &first);
    for (int64_t j = 0; j < rls2_model_block_count(compact); j++) {
        const rls2_model_block *block = rls2_model_block_at(compact, j);
        int64_t part = block->columns[0] - first;
        if (part < 1 || part >= width - 1) continue; /* the last says that the cell is empty */
        reverse(block->count, rls2_model_training_column(compact, first + part));
        reverse(block->count, rls2_model_block_c(compact, j));
        moved++;
    }
    assert_true(moved > 0);
    assert_ok(rls2_model_effect(made.model, input, &a, &err), &err);
    assert_ok(rls2_model_effect(compact, input, &b, &err), &err);
    assert_int_equal(rls2_effect_count(a), rls2_effect_count(b));
    for (int64_t p = 0; p < rls2_effect_count(a); p++) {
        const rls2_effect_point *u = rls2_effect_at(a, p), *v = rls2_effect_at(b, p);
        assert_true(u->rows == v->rows && fabs(u->effect - v->effect) < 1e-9);
    }
    rls2_effect_free(a);
    rls2_effect_free(b);
    rls2_model_free(compact);
    free_model(&made);
}

/* Grids of their own, masses, points of both columns, and the unit vectors of a linear kernel. */
static void model_effect__points_with_mass__is_the_weighted_mean(void **state)
{
    (void)state;
    made_compact *made = made_compact_create(1);
    rls2_model *model = made_compact_model(made);
    rls2_effect *effect = NULL;
    rls2_error err;
    const rls2_model_block *grid = &made->blocks[1], *both = &made->blocks[3];
    assert_ok(rls2_model_effect(model, 1, &effect, &err), &err);
    assert_int_equal(rls2_effect_count(effect), grid->count);
    double mean = 0.0, total = 0.0, shift = 0.0;
    for (int64_t p = 0; p < grid->count; p++) {
        const rls2_effect_point *at = rls2_effect_at(effect, p);
        double f = 0.0, mass = 0.0, rows = -1.0;
        for (int64_t g = 0; g < grid->count; g++)
            if (made->x[MADE_POINTS + grid->first + g] == at->value)
                rows = made->mass[made->offsets[1] + g];
        assert_true(rows == at->rows);
        for (int64_t g = 0; g < both->count; g++) {
            double own = made->mass[made->offsets[3] + g], sum = 0.0;
            const double x[] = {made->x[both->first + g], at->value};
            for (int64_t t = 0; t < made->outputs[0].count; t++)
                sum += made_compact_part(made, 0, t, x);
            f += own * sum;
            mass += own;
        }
        f /= mass;
        if (p == 0) shift = f - at->effect;
        if (fabs(f - at->effect - shift) > 1e-9) fail_msg("point %d", (int)p);
        mean += at->rows * at->effect;
        total += at->rows;
    }
    assert_true(fabs(mean) < 1e-9 * total);
    rls2_effect_free(effect);
    rls2_model_free(model);
    made_compact_free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_effect__every_kind_of_input__is_the_mean_of_predictions),
        cmocka_unit_test(joint_effect__two_inputs__is_what_predictions_say),
        cmocka_unit_test(model_effect__direction__is_that_of_the_table),
        cmocka_unit_test(model_effect__compact_model_of_the_same_f__is_the_same),
        cmocka_unit_test(model_effect__date_of_a_compact_model__has_the_parts_of_its_day),
        cmocka_unit_test(model_effect__points_with_mass__is_the_weighted_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
