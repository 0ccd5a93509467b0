/* predict, show and plot of models of several outputs: three classes, two targets, with and without
 * weights of rows. What the command prints is held against the library's answers for the same model
 * and file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/rls2.h"
#include "support/command.h"

/* ---- files ---- */

static uint64_t state_of_random = 20260101;

/* Uniform between -1 and 1. */
static double next_random(void)
{
    state_of_random =
        state_of_random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state_of_random >> 11) / 4503599627370496.0 - 1.0;
}

static const char *const LABELS[] = {"plain", "say \"so\"", "with, comma"}; /* sorted */

static void write_label(FILE *file, const char *label)
{
    fputc('"', file);
    for (; *label; label++) fprintf(file, *label == '"' ? "\"\"" : "%c", *label);
    fputc('"', file);
}

/* Flowers: three classes that overlap a little, and how often each row counts. */
static void write_flowers(void)
{
    static const double CENTRES[3][3] = {{0.0, 0.0, 1.0}, {1.5, 1.0, 0.0}, {2.5, -1.0, 0.5}};
    FILE *file = fopen(in_folder("flowers.csv"), "wb");
    assert_non_null(file);
    fputs("species,a,b,c,copies\n", file);
    for (int i = 0; i < 48; i++) {
        write_label(file, LABELS[i % 3]);
        for (int j = 0; j < 3; j++) fprintf(file, ",%.4f", CENTRES[i % 3][j] + next_random());
        fprintf(file, ",%d\n", 1 + i % 4);
    }
    assert_int_equal(fclose(file), 0);
}

static void write_numbers(void)
{
    FILE *file = fopen(in_folder("numbers.csv"), "wb");
    assert_non_null(file);
    fputs("height,\"weight, kg\",a,b,c,copies\n", file);
    for (int i = 0; i < 40; i++) {
        double a = 2.0 * next_random(), b = 2.0 * next_random(), c = next_random();
        fprintf(file, "%.4f,%.4f,%.4f,%.4f,%.4f,%d\n", sin(a) + 0.2 * next_random(),
                60.0 + 5.0 * b * b + 3.0 * a + next_random(), a, b, c, 1 + i % 3);
    }
    assert_int_equal(fclose(file), 0);
}

static void make(const char *line)
{
    printed it = shell("%s", line);
    if (it.code != 0) fail_msg("%s: %s", line, it.err);
    printed_free(&it);
}

/* ---- models ---- */

typedef struct kind {
    const char *name;
    const char *data;
    const char *train;
    int classification;
    int linear;
    const char *weights; /* column, or NULL */
} kind;

static const kind KINDS[] = {
    {"classes", "flowers.csv",
     "-t species --drop copies --no-standardize -k 'linear; rbf(0.3)@each' --lambda 0.1", 1, 0,
     NULL},
    {"linear classes", "flowers.csv",
     "-t species --weights copies --standardize -k linear --scaling fisher --lambda 0.1", 1, 1,
     "copies"},
    {"weighted classes", "flowers.csv",
     "-t species --drop copies -k 'rbf(0.1|1)@all' --class-weights plain=5 --lambda 1", 1, 0, NULL},
    {"targets", "numbers.csv",
     "-t height -t 'weight, kg' --drop copies --no-standardize "
     "-k 'linear; rbf(0.3)@each; poly(2)@all' --lambda 0.1",
     0, 0, NULL},
    {"weighted targets", "numbers.csv",
     "-t height -t 'weight, kg' --weights copies --standardize -k 'linear; rbf(0.3)@each' --lambda "
     "0.01",
     0, 0, "copies"},
    {"linear targets", "numbers.csv",
     "-t height -t 'weight, kg' --drop copies -k linear --lambda 0.01", 0, 1, NULL},
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

static int number_of(const kind *it)
{
    return (int)(it - KINDS);
}

static int set_up(void **state)
{
    if (folder_make(state) != 0) return 1;
    write_flowers();
    write_numbers();
    for (int i = 0; i < KIND_COUNT; i++)
        free(rls2_out("train $T/%s %s -q --json -o $T/%d.model >$T/%d.json", KINDS[i].data,
                      KINDS[i].train, i, i));
    return 0;
}

/* ---- what the library says ---- */

typedef struct answer {
    rls2_model *model;
    rls2_table *table;
    rls2_dataset *data;
    rls2_rows rows;
    int64_t n, outputs;
    double *f; /* n x outputs */
} answer;

static double *numbers(int64_t count)
{
    double *made = calloc((size_t)count + 1, sizeof *made);
    assert_non_null(made);
    return made;
}

static answer ask(const kind *it, const char *data)
{
    answer a = {0};
    char name[32];
    snprintf(name, sizeof name, "%d.model", number_of(it));
    assert_int_equal(rls2_model_load(in_folder(name), &a.model, NULL), RLS2_OK);
    assert_int_equal(rls2_table_read_csv(in_folder(data), &a.table, NULL), RLS2_OK);
    assert_int_equal(rls2_model_encode(a.model, a.table, RLS2_MISSING_AS_TRAINED,
                                       RLS2_RESPONSE_IGNORED, &a.data, NULL),
                     RLS2_OK);
    a.n = rls2_dataset_rows(a.data);
    a.outputs = rls2_model_outputs(a.model);
    a.rows = (rls2_rows){.n = a.n, .p = rls2_dataset_columns(a.data), .x = rls2_dataset_x(a.data)};
    a.f = numbers(a.n * a.outputs);
    assert_int_equal(rls2_model_predict(a.model, &a.rows, NULL, a.f, NULL), RLS2_OK);
    return a;
}

static void answer_free(answer *a)
{
    free(a->f);
    rls2_dataset_free(a->data);
    rls2_table_free(a->table);
    rls2_model_free(a->model);
}

/* ---- predict ---- */

static rls2_table *predictions(const kind *it, const char *data, const char *options)
{
    rls2_table *table = NULL;
    rls2_error err = {0};
    free(rls2_out("predict $T/%d.model $T/%s -q %s -o $T/predicted.csv", number_of(it), data,
                  options));
    rls2_read_options reading;
    rls2_read_options_init(&reading, sizeof reading);
    reading.na_count = 0; /* "NA" is to be seen */
    if (rls2_table_read(in_folder("predicted.csv"), &reading, &table, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    return table;
}

/* The column WHAT_NAME of an output. */
static int64_t column_of(const rls2_table *table, const char *what, const answer *a, int64_t o)
{
    char name[128];
    snprintf(name, sizeof name, "%s_%s", what, rls2_model_output_name(a->model, o));
    int64_t column = rls2_table_find(table, name);
    if (column < 0) fail_msg("there is no column %s", name);
    return column;
}

static void assert_bits(const rls2_table *table, int64_t row, int64_t column, double expected)
{
    double value = strtod(rls2_table_cell(table, row, column), NULL);
    if (memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("row %d, column %s: '%s' is not %.17g", (int)row,
                 rls2_table_column_name(table, column), rls2_table_cell(table, row, column),
                 expected);
}

static const char *class_of(const answer *a, int64_t i)
{
    int64_t best = 0;
    for (int64_t o = 1; o < a->outputs; o++)
        if (a->f[o * a->n + i] > a->f[best * a->n + i]) best = o;
    return LABELS[best];
}

static void assert_same(const kind *it, const answer *a, const rls2_table *table)
{
    int64_t next = 0;
    assert_int_equal(rls2_table_rows(table), rls2_table_rows(a->table));
    for (int64_t row = 0; row < rls2_table_rows(table); row++) {
        int there = next < a->n && rls2_dataset_source_row(a->data, next) == row;
        for (int64_t j = 0; !there && j < rls2_table_columns(table); j++)
            assert_string_equal(rls2_table_cell(table, row, j), "NA");
        if (!there) continue;
        for (int64_t o = 0; o < a->outputs; o++)
            assert_bits(table, row,
                        column_of(table, it->classification ? "score" : "prediction", a, o),
                        a->f[o * a->n + next]);
        if (it->classification)
            assert_string_equal(rls2_table_cell(table, row, 0), class_of(a, next));
        next++;
    }
    assert_int_equal(next, a->n);
}

static void predict__several_outputs__prints_the_librarys_bits(void **state)
{
    (void)state;
    for (int i = 0; i < KIND_COUNT; i++) {
        const kind *it = &KINDS[i];
        answer a = ask(it, it->data);
        rls2_table *table = predictions(it, it->data, "");
        assert_int_equal(a.outputs, it->classification ? 3 : 2);
        assert_int_equal(rls2_table_columns(table), a.outputs + it->classification);
        assert_string_equal(rls2_table_column_name(table, 0),
                            it->classification ? "prediction" : "prediction_height");
        assert_same(it, &a, table);
        rls2_table_free(table);
        answer_free(&a);
    }
    char *text = rls2_out("predict $T/0.model $T/flowers.csv -q | head -n 1");
    assert_string_equal(text,
                        "prediction,score_plain,\"score_say \"\"so\"\"\",\"score_with, comma\"\n");
    free(text);
}

/* Rows with an empty cell keep their place; weights of new rows, even nonsense, are not looked at.
 */
static void predict__holes_and_odd_weights__are_na_and_ignored(void **state)
{
    (void)state;
    make("awk -F, -v OFS=, 'NR == 3 || NR == 9 { $3 = \"\" } NR == 5 { $NF = "
         "\"-7\" } NR == 6 { $NF = \"0\" } 1' $T/numbers.csv >$T/holes.csv");
    const kind *it = &KINDS[4];
    answer a = ask(it, "holes.csv");
    assert_int_equal(a.n, 38);
    rls2_table *table = predictions(it, "holes.csv", "--missing drop --std --contributions");
    assert_same(it, &a, table);
    rls2_table_free(table);
    answer_free(&a);
    json_t *root = rls2_json("predict $T/4.model $T/holes.csv -q --missing drop --json --std");
    assert_true(json_is_null(at(root, "predictions.1.prediction")));
    assert_keys(at(root, "predictions.1"), "prediction");
    assert_keys(at(root, "predictions.2"), "prediction std std_observation");
    json_decref(root);
}

/* The noise from y - f over the training rows, which the command takes from c. */
static double noise_of(const kind *it, const answer *a, int64_t o)
{
    rls2_dataset *data = NULL;
    double squares = 0.0, rows = 0.0, df;
    assert_int_equal(rls2_model_encode(a->model, a->table, RLS2_MISSING_AS_TRAINED,
                                       RLS2_RESPONSE_READ, &data, NULL),
                     RLS2_OK);
    const double *y = rls2_dataset_y(data) + o * a->n, *w = rls2_model_row_weights(a->model);
    assert_true(!it->weights || w);
    for (int64_t i = 0; i < a->n; i++) {
        double rest = y[i] - a->f[o * a->n + i];
        squares += (w ? w[i] : 1.0) * rest * rest;
        rows += w ? w[i] : 1.0;
    }
    assert_int_equal(rls2_model_degrees_of_freedom(rls2_model_output(a->model, o), &df, NULL),
                     RLS2_OK);
    rls2_dataset_free(data);
    return squares / (rows - df);
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected)))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void predict__std__has_two_columns_for_each_output(void **state)
{
    (void)state;
    for (int k = 0; k < KIND_COUNT; k++) {
        const kind *it = &KINDS[k];
        answer a = ask(it, it->data);
        rls2_table *table = predictions(it, it->data, "--std");
        double *variance = numbers(a.n);
        assert_int_equal(rls2_table_columns(table), 3 * a.outputs + it->classification);
        assert_same(it, &a, table);
        for (int64_t o = 0; o < a.outputs; o++) {
            double noise = noise_of(it, &a, o);
            int64_t std = column_of(table, "std", &a, o);
            assert_int_equal(std, it->classification + a.outputs + 2 * o);
            assert_int_equal(column_of(table, "std_observation", &a, o), std + 1);
            assert_int_equal(
                rls2_model_variance(rls2_model_output(a.model, o), &a.rows, variance, NULL),
                RLS2_OK);
            for (int64_t i = 0; i < a.n; i++) {
                double of_f = variance[i] * noise / rls2_model_lambda(a.model);
                assert_near(rls2_table_value(table, i, std), sqrt(of_f), 1e-6);
                assert_near(rls2_table_value(table, i, std + 1), sqrt(of_f + noise), 1e-6);
            }
        }
        free(variance);
        rls2_table_free(table);
        answer_free(&a);
    }
}

/* intercept_NAME, and NAME:KERNEL for each kernel of that output. */
static void predict__contributions__sum_to_each_prediction(void **state)
{
    (void)state;
    for (int k = 0; k < KIND_COUNT; k++) {
        const kind *it = &KINDS[k];
        answer a = ask(it, it->data);
        rls2_table *table = predictions(it, it->data, "--contributions");
        int64_t column = it->classification + a.outputs;
        assert_same(it, &a, table);
        for (int64_t o = 0; o < a.outputs; o++) {
            const rls2_model *one = rls2_model_output(a.model, o);
            int64_t first = column, size = rls2_model_kernel_count(one);
            assert_int_equal(column_of(table, "intercept", &a, o), first);
            for (int64_t j = 0; j < size; j++) {
                char name[128];
                snprintf(name, sizeof name, "%s:%s", rls2_model_output_name(a.model, o),
                         rls2_model_kernel_name(one, j));
                assert_string_equal(rls2_table_column_name(table, first + 1 + j), name);
            }
            for (int64_t i = 0; i < a.n; i++) {
                double sum = 0.0, most = 1.0;
                for (int64_t j = first; j <= first + size; j++) {
                    sum += rls2_table_value(table, i, j);
                    most += fabs(rls2_table_value(table, i, j));
                }
                assert_true(fabs(sum - a.f[o * a.n + i]) <= 1e-13 * most);
            }
            column += 1 + size;
        }
        assert_int_equal(rls2_table_columns(table), column);
        rls2_table_free(table);
        answer_free(&a);
    }
}

static void assert_json_row(const kind *it, const answer *a, const rls2_table *table,
                            const json_t *one, int64_t i)
{
    const json_t *f = json_object_get(one, it->classification ? "scores" : "prediction");
    assert_keys(one, it->classification ? "prediction scores std std_observation contributions"
                                        : "prediction std std_observation contributions");
    if (it->classification) assert_string_equal(text_at(one, "prediction"), class_of(a, i));
    assert_int_equal(json_object_size(f), a->outputs);
    for (int64_t o = 0; o < a->outputs; o++) {
        const char *name = rls2_model_output_name(a->model, o);
        const json_t *parts = json_object_get(at(one, "contributions"), name);
        assert_true(json_number_value(json_object_get(f, name)) == a->f[o * a->n + i]);
        assert_bits(table, i, column_of(table, "std", a, o),
                    json_number_value(json_object_get(at(one, "std"), name)));
        assert_bits(table, i, column_of(table, "std_observation", a, o),
                    json_number_value(json_object_get(at(one, "std_observation"), name)));
        int64_t first = column_of(table, "intercept", a, o),
                size = (int64_t)json_object_size(parts);
        assert_int_equal(size, 1 + rls2_model_kernel_count(rls2_model_output(a->model, o)));
        assert_bits(table, i, first, number_at(parts, "intercept"));
        assert_bits(table, i, first + size - 1,
                    json_number_value(json_object_get(
                        parts, rls2_model_kernel_name(rls2_model_output(a->model, o), size - 2))));
    }
}

static void predict__json__has_what_the_lines_have(void **state)
{
    (void)state;
    for (int k = 0; k < KIND_COUNT; k++) {
        const kind *it = &KINDS[k];
        answer a = ask(it, it->data);
        rls2_table *table = predictions(it, it->data, "--std --contributions");
        json_t *root =
            rls2_json("predict $T/%d.model $T/%s -q --json --std --contributions", k, it->data);
        assert_keys(root, it->classification
                              ? "target task loss predictions n imputed unseen score"
                              : "targets task loss predictions n imputed unseen score");
        assert_int_equal(json_array_size(at(root, "predictions")), a.n);
        for (int64_t i = 0; i < a.n; i++)
            assert_json_row(it, &a, table, json_array_get(at(root, "predictions"), (size_t)i), i);
        json_decref(root);
        rls2_table_free(table);
        answer_free(&a);
    }
}

static void assert_said(const char *line, const char *text)
{
    printed it = rls2_run("%s", line);
    assert_int_equal(it.code, 0);
    if (!strstr(it.err, text)) fail_msg("rls2 %s does not say '%s': %s", line, text, it.err);
    printed_free(&it);
}

static void predict__targets_in_the_file__are_scored(void **state)
{
    (void)state;
    char expected[256];
    for (int k = 0; k < KIND_COUNT; k++) {
        const kind *it = &KINDS[k];
        char line[96];
        answer a = ask(it, it->data);
        double right = 0.0, squares[2] = {0.0, 0.0};
        for (int64_t i = 0; i < a.n; i++) {
            if (it->classification)
                right += strcmp(class_of(&a, i), rls2_table_cell(a.table, i, 0)) == 0;
            for (int64_t o = 0; !it->classification && o < 2; o++)
                squares[o] += pow(a.f[o * a.n + i] - rls2_table_value(a.table, i, o), 2.0);
        }
        if (it->classification)
            snprintf(expected, sizeof expected,
                     "accuracy %.6g on the 48 rows whose 'species' is known", right / 48.0);
        else
            snprintf(expected, sizeof expected,
                     "rmse height %.6g, weight, kg %.6g on the 40 rows whose "
                     "targets are known",
                     sqrt(squares[0] / 40.0), sqrt(squares[1] / 40.0));
        snprintf(line, sizeof line, "predict $T/%d.model $T/%s", k, it->data);
        assert_said(line, expected);
        answer_free(&a);
    }
    make("sed '3s/^\"[^\"]*\"/\"another\"/' $T/flowers.csv >$T/strange.csv");
    assert_said("predict $T/0.model $T/strange.csv",
                "1 row has a label that is none of the classes: counted as wrong");
    assert_said("predict $T/0.model $T/strange.csv", " on the 48 rows");
    make("awk -F, -v OFS=, 'NR == 1 { print \"height,a,b,c\" } NR > 1 { print (NR == 4 ? \"\" "
         ": $1), $3, $4, $5 }' $T/numbers.csv >$T/one.csv");
    assert_said("predict $T/3.model $T/one.csv", "rmse height ");
    assert_said("predict $T/3.model $T/one.csv", " on the 39 rows");
    make("head -n 2 $T/flowers.csv >$T/single.csv");
    assert_said("predict $T/0.model $T/single.csv", " on the 1 row whose 'species' is known");
}

/* Three labels that the model does not know, and one that is not there: the share of the right
 * answers over the 47 rows. */
static void predict__unknown_labels__are_wrong_in_text_and_json(void **state)
{
    (void)state;
    answer a = ask(&KINDS[0], "flowers.csv");
    double right = 0.0;
    char expected[128];
    for (int64_t i = 0; i < a.n; i++)
        right += i != 1 && i != 5 && i != 9 && i != 20 &&
                 strcmp(class_of(&a, i), rls2_table_cell(a.table, i, 0)) == 0;
    answer_free(&a);
    make("sed '3s/^\"[^,]*\"/\"new\"/; 7s/^\".*\"/new/; 11s/^\".*\"/odd/; 22s/^\".*\"//' "
         "$T/flowers.csv "
         ">$T/strange.csv");
    snprintf(expected, sizeof expected, "accuracy %.6g on the 47 rows whose", right / 47.0);
    assert_said("predict $T/0.model $T/strange.csv", expected);
    assert_said("predict $T/0.model $T/strange.csv",
                "3 rows have a label that is none of the classes: counted as wrong");
    json_t *root = rls2_json("predict $T/0.model $T/strange.csv -q --json");
    assert_keys(at(root, "score"), "accuracy rows");
    assert_near(number_at(root, "score.accuracy"), right / 47.0, 1e-12);
    assert_int_equal((int)number_at(root, "score.rows"), 47);
    json_decref(root);
}

static void predict__json__scores_each_target_that_is_known(void **state)
{
    (void)state;
    answer a = ask(&KINDS[3], "numbers.csv");
    json_t *root = rls2_json("predict $T/3.model $T/numbers.csv -q --json");
    assert_keys(at(root, "score"), "rmse rows");
    assert_int_equal((int)number_at(root, "score.rows"), 40);
    for (int64_t o = 0; o < 2; o++) {
        double squares = 0.0;
        for (int64_t i = 0; i < a.n; i++)
            squares += pow(a.f[o * a.n + i] - rls2_table_value(a.table, i, o), 2.0);
        assert_near(json_number_value(json_object_get(at(root, "score.rmse"),
                                                      rls2_model_output_name(a.model, o))),
                    sqrt(squares / 40.0), 1e-12);
    }
    json_decref(root);
    answer_free(&a);
    make("cut -d, -f2- $T/numbers.csv | sed '1s/.*/weight,a,b,c,copies/' >$T/inputs.csv");
    root = rls2_json("predict $T/3.model $T/inputs.csv -q --json");
    assert_keys(root, "targets task loss predictions n imputed unseen");
    json_decref(root);
}

/* The weights of training are not those of new rows; who does not use any is not told. */
static void predict__weighted_model__says_that_rows_count_once(void **state)
{
    (void)state;
    assert_said("predict $T/1.model $T/flowers.csv", "each row is counted once in this score");
    assert_said("predict $T/2.model $T/flowers.csv", "each row is counted once in this score");
    printed it = rls2_run("predict $T/0.model $T/flowers.csv");
    assert_null(strstr(it.err, "counted once"));
    printed_free(&it);
}

/* ---- show ---- */

static void assert_sum(const json_t *list, const char *member, double expected)
{
    double sum = 0.0;
    for (size_t k = 0; k < json_array_size(list); k++)
        sum += number_at(json_array_get(list, k), member);
    assert_true(fabs(sum - expected) <= 1e-9);
}

static void assert_output_shown(const kind *it, const rls2_model *one, const json_t *output)
{
    const rls2_path_point *point = rls2_model_point(one);
    char keys[128];
    snprintf(keys, sizeof keys, "name objective gap df intercept%s selected inputs explanation%s",
             it->classification ? "" : " train", it->linear ? " coefficients" : "");
    assert_keys(output, keys);
    assert_string_equal(text_at(output, "name"), rls2_model_output_name(one, 0));
    assert_true(number_at(output, "objective") == point->objective);
    assert_true(number_at(output, "gap") == point->gap);
    assert_true(number_at(output, "intercept") == rls2_model_intercept(one));
    assert_int_equal(json_array_size(at(output, "selected")), rls2_model_kernel_count(one));
    assert_sum(at(output, "selected"), "weight", 1.0);
    assert_sum(at(output, "selected"), "share", 1.0);
    assert_sum(at(output, "inputs"), "share", 1.0);
}

static void show__several_outputs__tells_each_of_them(void **state)
{
    (void)state;
    for (int k = 0; k < KIND_COUNT; k++) {
        const kind *it = &KINDS[k];
        answer a = ask(it, it->data);
        json_t *root = rls2_json("show $T/%d.model --json", k);
        char keys[160], name[32];
        snprintf(keys, sizeof keys,
                 "%s task loss intercept_rule n m%s dictionary scaling lambda objective gap df "
                 "kernels train shares_of "
                 "inputs "
                 "outputs",
                 it->classification ? "target" : "targets",
                 rls2_model_row_weights(a.model) ? " weights" : "");
        assert_keys(root, keys);
        assert_int_equal(json_array_size(at(root, "outputs")), a.outputs);
        assert_int_equal((int64_t)number_at(root, "kernels"), rls2_model_kernel_count(a.model));
        assert_sum(at(root, "inputs"), "weight", 1.0);
        assert_sum(at(root, "inputs"), "share", 1.0);
        for (int64_t o = 0; o < a.outputs; o++)
            assert_output_shown(it, rls2_model_output(a.model, o),
                                json_array_get(at(root, "outputs"), (size_t)o));
        /* the score is that of training, which knew the targets */
        snprintf(name, sizeof name, "%d.json", k);
        json_t *trained = json_load_file(in_folder(name), 0, NULL);
        const char *measure = it->classification ? "accuracy" : "r2";
        assert_near(number_at(at(root, "train"), measure),
                    number_at(at(trained, "path.0.train"), measure), 1e-6);
        json_decref(trained);
        json_decref(root);
        answer_free(&a);
    }
}

static void assert_shown(int model, const char *options, const char *text)
{
    char *shown = rls2_out("show $T/%d.model %s", model, options);
    if (!strstr(shown, text)) fail_msg("not '%s' in: %s", text, shown);
    for (const char *line = shown; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 100);
    free(shown);
}

static void show__text__names_classes_targets_and_weights(void **state)
{
    (void)state;
    assert_shown(0, "",
                 "target        species: 3 classes, 'plain', 'say \"so\"', 'with, comma',\n"
                 "              one against all, classification\n");
    assert_shown(3, "", "targets       'height', 'weight, kg', regression\n");
    assert_shown(1, "", "row weights   column 'copies', sum 120\n");
    assert_shown(
        2, "",
        "row weights   by class, sum 112: each row of 'plain' counts 5 times, of 'say \"so\"' 1,\n"
        "              of 'with, comma' 1\n");
    assert_shown(3, "", "\nfit           mean r2 0.");
    assert_shown(3, "", " on the training rows: 'height' 0.");
    assert_shown(1, "", "\nselected      3 different kernels in all\n");
    assert_shown(1, "--top 1", "\n  ... and 2 more; --top 0 shows all\n");
    assert_shown(0, "", "\nclass 'plain': ");
    assert_shown(3, "", "\ntarget 'weight, kg': ");
    assert_shown(0, "", "\ninputs, by mean share of the variance of the fit on training rows\n");
    assert_shown(1, "", "share    coefficient   kernel\n");
    char *shown = rls2_out("show $T/0.model");
    assert_null(strstr(shown, "row weights"));
    assert_null(strstr(shown, "coefficient"));
    free(shown);
}

/* Three ways a row's class is told: from several outputs, from one, and not at all. */
static void show__class_weights__tells_them_where_they_are_known(void **state)
{
    (void)state;
    json_t *root = rls2_json("show $T/2.model --json");
    assert_keys(at(root, "weights"), "column sum classes");
    assert_true(number_at(root, "weights.classes.plain") == 5.0);
    assert_true(json_number_value(json_object_get(at(root, "weights.classes"), "with, comma")) ==
                1.0);
    json_decref(root);
    make("grep -v comma $T/flowers.csv >$T/two.csv");
    free(rls2_out("train $T/two.csv -t species --drop copies -k linear --lambda 1 --class-weights "
                  "plain=3 -q -o "
                  "$T/two.model"));
    char *shown = rls2_out("show $T/two.model");
    assert_non_null(strstr(shown, "each row of 'plain' counts 3 times, of 'say \"so\"' 1\n"));
    free(shown);
    free(rls2_out("train $T/flowers.csv -t species --drop copies -k linear --lambda 1 "
                  "--class-weights plain=3 "
                  "--solver alternate -q -o $T/two.model"));
    shown = rls2_out("show $T/two.model");
    assert_non_null(strstr(
        shown, "by class, sum 80: rows of different classes count differently: 1, 3 times\n"));
    free(shown);
}

static void show__of__shows_one_output(void **state)
{
    (void)state;
    char *shown = rls2_out("show $T/3.model --of 'weight, kg'");
    assert_non_null(strstr(shown, "\ntarget 'weight, kg': "));
    assert_null(strstr(shown, "target 'height'"));
    assert_null(strstr(shown, "mean share"));
    free(shown);
    json_t *all = rls2_json("show $T/0.model --json");
    json_t *one = rls2_json("show $T/0.model --json --of 'say \"so\"'");
    assert_int_equal(json_array_size(at(one, "outputs")), 1);
    assert_true(json_equal(at(one, "outputs.0"), at(all, "outputs.1")));
    json_decref(one);
    json_decref(all);
    printed it = rls2_run("show $T/0.model --of plane");
    assert_int_equal(it.code, 2);
    assert_string_equal(it.out, "");
    assert_non_null(
        strstr(it.err, "predicts nothing of that name, but 'plain', 'say \"so\"', 'with, comma'"));
    printed_free(&it);
}

/* A name of letters that take two bytes each does not move the columns of its line. */
static void verify__names_beyond_ascii__are_padded_by_letters(void **state)
{
    (void)state;
    make("sed '1s/height/größe ü/' $T/numbers.csv >$T/letters.csv");
    free(rls2_out("train $T/letters.csv -t 'größe ü' -t 'weight, kg' -k linear --lambda 1 -q -o "
                  "$T/letters.model"));
    char *text = rls2_out("verify $T/letters.model $T/letters.csv");
    const char *head = strstr(text, "\noutput "), *line = strstr(text, "\ngröße ü  ");
    assert_non_null(head);
    assert_non_null(line);
    /* three letters of two bytes: what stands below "objective" is three bytes further */
    assert_int_equal(strstr(head, "objective") - head + 3, strspn(line + 13, " ") + 13);
    free(text);
}

/* The coefficients that stand beside the kernels are those of the prediction. */
static void show__linear_targets__tells_the_coefficients(void **state)
{
    (void)state;
    answer a = ask(&KINDS[5], "numbers.csv");
    json_t *root = rls2_json("show $T/5.model --json");
    char *text = rls2_out("show $T/5.model");
    for (int64_t o = 0; o < a.outputs; o++) {
        const json_t *output = json_array_get(at(root, "outputs"), (size_t)o);
        for (int64_t i = 0; i < a.n; i++) {
            double f = number_at(output, "intercept");
            for (int64_t j = 0; j < 3; j++) {
                const json_t *value =
                    json_object_get(at(output, "coefficients"), (const char *[]){"a", "b", "c"}[j]);
                f += json_number_value(value) * a.rows.x[j * a.n + i];
            }
            assert_near(f, a.f[o * a.n + i], 1e-9);
        }
        char number[32];
        snprintf(number, sizeof number, "%12.6g   linear@a",
                 json_number_value(json_object_get(at(output, "coefficients"), "a")));
        assert_non_null(strstr(text, number));
    }
    free(text);
    json_decref(root);
    answer_free(&a);
}

/* ---- plot ---- */

static double series_value(const json_t *picture, int series, const char *label)
{
    const json_t *labels = at(picture, "x.values");
    for (size_t i = 0; i < json_array_size(labels); i++)
        if (strcmp(json_string_value(json_array_get(labels, i)), label) == 0)
            return json_number_value(json_array_get(
                at(json_array_get(at(picture, "series"), (size_t)series), "values"), i));
    fail_msg("no bar '%s'", label);
    return 0.0;
}

/* What an output has of a kernel or an input, 0 if it has none of it. */
static double shown_value(const json_t *output, const char *list, const char *what,
                          const char *name, const char *member)
{
    const json_t *items = at(output, list);
    for (size_t k = 0; k < json_array_size(items); k++)
        if (strcmp(text_at(json_array_get(items, k), what), name) == 0)
            return number_at(json_array_get(items, k), member);
    return 0.0;
}

static void plot__model__draws_means_or_one_output(void **state)
{
    (void)state;
    for (int k = 0; k < KIND_COUNT; k++) {
        json_t *shown = rls2_json("show $T/%d.model --json", k);
        json_t *kernels = rls2_json("plot $T/%d.model --json --top 0", k);
        json_t *inputs = rls2_json("plot $T/%d.model --json --top 0 --kind features", k);
        json_t *outputs = at(shown, "outputs"), *labels = at(kernels, "x.values");
        double count = (double)json_array_size(outputs);
        assert_int_equal(json_array_size(labels), (int64_t)number_at(shown, "kernels"));
        for (size_t i = 0; i < json_array_size(labels); i++) {
            const char *name = json_string_value(json_array_get(labels, i));
            double weight = 0.0, share = 0.0;
            for (size_t o = 0; o < json_array_size(outputs); o++) {
                weight +=
                    shown_value(json_array_get(outputs, o), "selected", "kernel", name, "weight") /
                    count;
                share +=
                    shown_value(json_array_get(outputs, o), "selected", "kernel", name, "share") /
                    count;
            }
            assert_true(fabs(series_value(kernels, 0, name) - weight) <= 1e-12);
            assert_true(fabs(series_value(kernels, 1, name) - share) <= 1e-12);
        }
        assert_non_null(strstr(text_at(kernels, "title"), "mean over "));
        assert_null(json_object_get(kernels, "of"));
        for (size_t i = 0; i < json_array_size(at(inputs, "x.values")); i++)
            assert_true(number_at(json_array_get(at(inputs, "series"), 0), "values.0") > 0.0);
        json_decref(inputs);
        json_decref(kernels);
        kernels = rls2_json("plot $T/%d.model --json --top 0 --of '%s'", k,
                            KINDS[k].classification ? "say \"so\"" : "weight, kg");
        json_t *second = json_array_get(outputs, 1);
        assert_string_equal(text_at(kernels, "of"), text_at(second, "name"));
        assert_int_equal(json_array_size(at(kernels, "x.values")),
                         json_array_size(at(second, "selected")));
        const char *first = text_at(second, "selected.0.kernel");
        assert_true(series_value(kernels, 0, first) == number_at(second, "selected.0.weight"));
        json_decref(kernels);
        json_decref(shown);
    }
}

static void plot__path__draws_one_output_and_the_scores_of_all(void **state)
{
    (void)state;
    free(rls2_out(
        "path $T/flowers.csv -t species --drop copies -k 'linear; rbf(0.3)@each' --lambdas "
        "0.01:1:4 --json -q "
        "-o $T/path.json"));
    json_t *path = json_load_file(in_folder("path.json"), 0, NULL);
    for (int o = 0; o < 3; o++) {
        char option[64] = "";
        if (o > 0) snprintf(option, sizeof option, "--of '%s'", LABELS[o]);
        json_t *selection =
            rls2_json("plot $T/path.json --json --top 0 --kind selection %s", option);
        json_t *profile = rls2_json("plot $T/path.json --json --top 0 %s", option);
        assert_string_equal(text_at(selection, "of"), LABELS[o]);
        assert_string_equal(text_at(profile, "of"), LABELS[o]);
        for (int i = 0; i < 4; i++) {
            json_t *point = json_array_get(at(path, "path"), (size_t)i);
            json_t *entry = json_array_get(at(point, "outputs"), (size_t)o);
            assert_true(json_number_value(json_array_get(at(selection, "selected"), (size_t)i)) ==
                        (double)json_array_size(at(entry, "selected")));
            assert_true(json_number_value(json_array_get(at(profile, "x.values"), (size_t)i)) ==
                        number_at(entry, "df"));
        }
        json_decref(selection);
        json_decref(profile);
    }
    json_t *scores = rls2_json("plot $T/path.json --json --kind scores --against df");
    assert_null(json_object_get(scores, "of"));
    for (int i = 0; i < 4; i++) {
        json_t *point = json_array_get(at(path, "path"), (size_t)i);
        assert_true(json_number_value(json_array_get(at(scores, "selected"), (size_t)i)) ==
                    number_at(point, "kernels"));
        assert_true(json_number_value(json_array_get(at(scores, "x.values"), (size_t)i)) ==
                    number_at(point, "df"));
        assert_true(json_number_value(json_array_get(at(scores, "series.0.values"), (size_t)i)) ==
                    number_at(point, "train.accuracy"));
    }
    json_decref(scores);
    json_decref(path);
    /* two targets: the measure is r2, of which more is better */
    free(rls2_out("path $T/numbers.csv -t height -t 'weight, kg' --test-rows copies=3 -k linear "
                  "--lambdas 1e-3,0.1,1e4 "
                  "--json -q -o $T/path.json"));
    scores = rls2_json("plot $T/path.json --json --kind scores");
    const json_t *test = at(scores, "series.1.values");
    double best = json_number_value(json_array_get(test, (size_t)number_at(scores, "best")));
    for (size_t i = 0; i < 3; i++)
        assert_true(json_number_value(json_array_get(test, i)) <= best + 1e-4);
    json_decref(scores);
}

static void assert_refused(const char *line, int code, const char *text)
{
    printed it = rls2_run("%s", line);
    assert_int_equal(it.code, code);
    assert_string_equal(it.out, "");
    if (!strstr(it.err, text)) fail_msg("rls2 %s does not say '%s': %s", line, text, it.err);
    printed_free(&it);
}

static void plot__unknown_output__is_refused_with_the_names(void **state)
{
    (void)state;
    free(rls2_out("path $T/flowers.csv -t species --drop copies -k linear --lambda 1 --json -q -o "
                  "$T/path.json"));
    free(rls2_out("path $T/flowers.csv -t a --drop species -k linear --lambda 1 --json -q -o "
                  "$T/single.json"));
    free(rls2_out("cv $T/flowers.csv -t a --drop species -k linear --lambdas 1,2 --folds 3 --json "
                  "-q -o $T/cv.json"));
    free(rls2_out(
        "train $T/flowers.csv -t a --drop species -k linear --lambda 1 -q -o $T/single.model"));
    assert_refused("plot $T/0.model --of plane", 2,
                   "predicts nothing of that name, but 'plain', 'say \"so\"', 'with, comma'");
    assert_refused("plot $T/path.json --of plane", 2,
                   "is a path of 'plain', 'say \"so\"', 'with, comma'");
    assert_refused("plot $T/path.json --of plain --kind scores", 2,
                   "scores are of all classes and targets together");
    assert_refused("plot $T/single.json --of a", 2, "is a path of one output");
    assert_refused("plot $T/cv.json --of a", 2, "the curve of cross-validation is of all");
    assert_refused("plot $T/single.model --of b", 2, "predicts nothing of that name, but 'a'");
    free(rls2_out("plot $T/single.model --of a --json"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predict__several_outputs__prints_the_librarys_bits),
        cmocka_unit_test(predict__holes_and_odd_weights__are_na_and_ignored),
        cmocka_unit_test(predict__std__has_two_columns_for_each_output),
        cmocka_unit_test(predict__contributions__sum_to_each_prediction),
        cmocka_unit_test(predict__json__has_what_the_lines_have),
        cmocka_unit_test(predict__targets_in_the_file__are_scored),
        cmocka_unit_test(predict__unknown_labels__are_wrong_in_text_and_json),
        cmocka_unit_test(predict__json__scores_each_target_that_is_known),
        cmocka_unit_test(predict__weighted_model__says_that_rows_count_once),
        cmocka_unit_test(show__several_outputs__tells_each_of_them),
        cmocka_unit_test(show__text__names_classes_targets_and_weights),
        cmocka_unit_test(show__class_weights__tells_them_where_they_are_known),
        cmocka_unit_test(show__of__shows_one_output),
        cmocka_unit_test(verify__names_beyond_ascii__are_padded_by_letters),
        cmocka_unit_test(show__linear_targets__tells_the_coefficients),
        cmocka_unit_test(plot__model__draws_means_or_one_output),
        cmocka_unit_test(plot__path__draws_one_output_and_the_scores_of_all),
        cmocka_unit_test(plot__unknown_output__is_refused_with_the_names),
    };
    return cmocka_run_group_tests_name("cli.outputs", tests, set_up, folder_remove);
}
