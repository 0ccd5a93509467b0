/* train, predict, show: models of every kind, and the text that the command prints against the bits
 * that the library gives for the same model and file. */
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

/* Half of the rows of servo, prostate and heart, in other formats, and kernels computed elsewhere.
 */
static const char MAKE_FILES[] =
    "head -81 data/servo.csv >$T/servo.csv\n"
    "gzip -c $T/servo.csv >$T/servo.csv.gz\n"
    "tr , '\\t' <$T/servo.csv >$T/servo.tsv\n"
    "tail -n +2 $T/servo.csv >$T/bare.csv\n"
    "cut -d, -f1-9 data/prostate.csv >$T/prostate.csv\n"
    "sed '1!s/T$/0/;s/F$/1/' data/prostate.csv >$T/marked.csv\n"
    "sed '4s/^[^,]*/NA/;9s/^[^,]*//' $T/prostate.csv >$T/holes.csv\n"
    "awk -F, 'NR == 1 { print; next } { $14 = $14 == 1 ? \"well\" : \"ill, \\\"or\\\" so\"; "
    "gsub(\"\\\"\", \"\\\"\\\"\", $14); $14 = \"\\\"\" $14 \"\\\"\"; print }' OFS=, data/heart.csv "
    "| head -101 >$T/labels.csv\n"
    "awk -F, -v OFS=, 'NR > 1 { $14 = $14 - 1 } NR <= 101' data/heart.csv >$T/zero-one.csv\n"
    /* products of rows of two columns plus one, over all rows: a kernel */
    "awk -F, 'NR > 1 { a[++n] = $1; b[n] = $2; y[n] = $9 } END { for (i = 1; i <= n; i++) { "
    "for (j = 1; j <= n; j++) printf \"%s%.17g\", (j > 1 ? \",\" : \"\"), 1 + a[i]*a[j] + "
    "b[i]*b[j]; print "
    "\"\" } }' "
    "$T/prostate.csv >$T/matrix.csv\n"
    "awk -F, 'NR > 1 { a[++n] = $1; b[n] = $2; y[n] = $9 } END { for (i = 1; i <= n; i++) { "
    "printf \"%s 0:%d\", y[i], i; "
    "for (j = 1; j <= n; j++) printf \" %d:%.17g\", j, 1 + a[i]*a[j] + b[i]*b[j]; print \"\" } }' "
    "$T/prostate.csv >$T/precomputed.libsvm\n"
    "awk -F, 'NR > 1 { printf \"%s\", $9; for (j = 1; j < 9; j++) if ($j != 0) printf \" %d:%s\", "
    "j, $j; "
    "print \"\" }' $T/prostate.csv >$T/prostate.libsvm\n";

/* A .npy of doubles, rows x columns, in C order, from a table; columns from `first` on. */
static void write_npy(FILE *file, const rls2_table *table, int64_t first, int64_t count)
{
    char header[192], line[128];
    int64_t n = rls2_table_rows(table);
    snprintf(line, sizeof line, "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }",
             (int)n, (int)count);
    snprintf(header, sizeof header, "%-117s\n", line);
    fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file);
    fwrite(header, 1, 118, file);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = first; j < first + count; j++) {
            double value = rls2_table_value(table, i, j);
            fwrite(&value, sizeof value, 1, file);
        }
}

static void put(FILE *file, unsigned long value, int bytes)
{
    for (int i = 0; i < bytes; i++) fputc((int)(value >> (8 * i) & 255), file);
}

/* CRC-32 as in zip, a bit at a time. */
static unsigned long crc_of(const char *bytes, long length)
{
    unsigned long crc = 0xffffffff;
    for (long i = 0; i < length; i++) {
        crc ^= (unsigned char)bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return crc ^ 0xffffffff;
}

/* A zip of stored files, each X.npy as numpy.savez has it. */
static void write_npz(const char *path, int count, const char *const *names)
{
    long offset[4], length[4];
    unsigned long crc[4];
    FILE *file = fopen(path, "wb");
    assert_true(file && count <= 4);
    for (int i = 0; i < count; i++) {
        char *bytes = read_text(in_folder(names[i]), &length[i]);
        offset[i] = ftell(file);
        crc[i] = crc_of(bytes, length[i]);
        put(file, 0x04034b50, 4);
        put(file, 20, 2), put(file, 0, 2), put(file, 0, 2), put(file, 0, 4);
        put(file, crc[i], 4), put(file, (unsigned long)length[i], 4),
            put(file, (unsigned long)length[i], 4);
        put(file, strlen(names[i]), 2), put(file, 0, 2);
        fputs(names[i], file);
        fwrite(bytes, 1, (size_t)length[i], file);
        free(bytes);
    }
    long start = ftell(file);
    for (int i = 0; i < count; i++) {
        put(file, 0x02014b50, 4);
        put(file, 20, 2), put(file, 20, 2), put(file, 0, 2), put(file, 0, 2), put(file, 0, 4);
        put(file, crc[i], 4), put(file, (unsigned long)length[i], 4),
            put(file, (unsigned long)length[i], 4);
        put(file, strlen(names[i]), 2), put(file, 0, 2), put(file, 0, 2), put(file, 0, 2),
            put(file, 0, 2);
        put(file, 0, 4), put(file, (unsigned long)offset[i], 4);
        fputs(names[i], file);
    }
    long end = ftell(file);
    put(file, 0x06054b50, 4);
    put(file, 0, 2), put(file, 0, 2), put(file, (unsigned long)count, 2),
        put(file, (unsigned long)count, 2);
    put(file, (unsigned long)(end - start), 4), put(file, (unsigned long)start, 4), put(file, 0, 2);
    assert_int_equal(fclose(file), 0);
}

static void write_numpy_files(void)
{
    static const char *const NAMES[] = {"X.npy", "y.npy"};
    rls2_table *table = NULL;
    assert_int_equal(rls2_table_read_csv(in_folder("prostate.csv"), &table, NULL), RLS2_OK);
    for (int i = 0; i < 3; i++) {
        FILE *file = fopen(in_folder(i < 2 ? NAMES[i] : "prostate.npy"), "wb");
        assert_non_null(file);
        write_npy(file, table, i == 1 ? 8 : 0, i == 0 ? 8 : i == 1 ? 1 : 9);
        fclose(file);
    }
    write_npz(in_folder("prostate.npz"), 2, NAMES);
    rls2_table_free(table);
}

/* The same with T, which is 1 for the test rows. */
static void write_marked_npz(void)
{
    static const char *const NAMES[] = {"X.npy", "y.npy", "T.npy"};
    rls2_table *table = NULL;
    assert_int_equal(rls2_table_read_csv(in_folder("marked.csv"), &table, NULL), RLS2_OK);
    FILE *file = fopen(in_folder("T.npy"), "wb");
    assert_non_null(file);
    write_npy(file, table, 9, 1);
    fclose(file);
    write_npz(in_folder("marked.npz"), 3, NAMES);
    rls2_table_free(table);
}

/* ---- models of every kind ---- */

typedef struct kind {
    const char *name;
    const char *data;   /* in the folder */
    const char *read;   /* options of reading, for every command */
    const char *train;  /* options of training alone */
    const char *given;  /* matrix for predict and verify */
    int classification; /* predictions are labels */
} kind;

static const kind KINDS[] = {
    {"regression", "prostate.csv", "", "-t lpsa --standardize --lambda 0.1", NULL, 0},
    {"text inputs", "servo.csv", "", "-t rise_time --lambda 0.01", NULL, 0},
    {"categorical", "servo.csv", "", "-t rise_time --lambda 0.01 --categorical vgain --reference",
     NULL, 0},
    {"gzip", "servo.csv.gz", "", "-t rise_time --lambda 0.01", NULL, 0},
    {"tabs", "servo.tsv", "", "-t rise_time --lambda 0.01", NULL, 0},
    {"no header", "bare.csv", "--no-header", "-t x5 --lambda 0.01", NULL, 0},
    {"text labels", "labels.csv", "", "-t class --standardize --lambda 0.1", NULL, 1},
    {"fisher", "labels.csv", "", "-t class --standardize --lambda 0.1 -k linear --scaling fisher",
     NULL, 1},
    {"numeric labels", "zero-one.csv", "", "-t class --standardize --lambda 0.1", NULL, 1},
    {"0/1 as numbers", "zero-one.csv", "", "-t class --task regression --lambda 0.1 -k linear",
     NULL, 0},
    {"linear", "prostate.csv", "", "-t lpsa --standardize --lambda 0.1 -k linear", NULL, 0},
    {"profiles", "prostate.csv", "", "-t lpsa --lambda 0.1 --examples standardize --features unit",
     NULL, 0},
    {"holes", "holes.csv", "--na NA", "-t lpsa --standardize --lambda 0.1", NULL, 0},
    {"libsvm", "prostate.libsvm", "", "--standardize --lambda 0.1", NULL, 0},
    {"npy", "prostate.npy", "", "-t x9 --standardize --lambda 0.1", NULL, 0},
    {"npz", "prostate.npz", "", "--standardize --lambda 0.1", NULL, 0},
    {"precomputed", "precomputed.libsvm", "", "--lambda 0.1", NULL, 0},
    {"given", "prostate.csv", "", "-t lpsa --lambda 0.1 -k 'given(g); rbf(1)@age'",
     "g=$T/matrix.csv", 0},
    {"transductive", "labels.csv", "",
     "-t class --standardize --lambda 0.1 --test $T/labels.csv --transductive -k 'rbf(0.1|1)'",
     NULL, 1},
    {"alternate", "prostate.csv", "", "-t lpsa --standardize --lambda 0.1 --solver alternate", NULL,
     0},
    {"one kernel", "prostate.csv", "", "-t lpsa --lambda 1e9 -k 'spline'", NULL, 0},
    {"no intercept", "prostate.csv", "", "-t lpsa --lambda 0.1 -k linear --intercept none", NULL,
     0},
    {"every kernel", "prostate.csv", "",
     "-t lpsa --standardize --lambda 0.1 --group g=lcavol,svi -k "
     "'linear@all; poly(2)@group:g; laplace(1); matern(1.5)@each; spline; delta@svi+gleason'",
     NULL, 0},
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

static const char *given_option(const kind *it)
{
    static char text[64];
    snprintf(text, sizeof text, "%s%s", it->given ? "--given " : "", it->given ? it->given : "");
    return text;
}

static int number_of(const kind *it)
{
    return (int)(it - KINDS);
}

/* $T/N.model and $T/N.json of the N-th kind. */
static void train(const kind *it)
{
    printed done =
        rls2_run("train $T/%s %s %s %s -q --json --threads 2 -o $T/%d.model >$T/%d.json", it->data,
                 it->read, it->train, given_option(it), number_of(it), number_of(it));
    if (done.code != 0) fail_msg("%s: %s", it->name, done.err);
    printed_free(&done);
}

static int set_up(void **state)
{
    if (folder_make(state) != 0) return 1;
    printed made = shell("set -e\n%s", MAKE_FILES);
    if (made.code != 0) print_error("%s\n", made.err);
    int code = made.code;
    printed_free(&made);
    write_numpy_files();
    write_marked_npz();
    for (int i = 0; i < KIND_COUNT; i++) train(&KINDS[i]);
    return code;
}

/* ---- what the library says ---- */

typedef struct answer {
    rls2_model *model;
    rls2_table *table, *matrix;
    rls2_dataset *data;
    int64_t n; /* rows that are predicted */
    double *given;
    const double *given_list[1];
    double *f;
} answer;

static rls2_read_options options_of(const kind *it)
{
    static const char *const NA[] = {"NA"};
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    if (strstr(it->read, "--no-header")) options.header = 0;
    options.na = NA;
    options.na_count = strstr(it->read, "--na") ? 1 : -1;
    return options;
}

/* The matrix of a model with a given one: from its own file, or the columns k1, k2, ... of the
 * table. */
static void take_given(const kind *it, answer *a, rls2_rows *rows)
{
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    int64_t columns = rls2_model_rows(a->model);
    if (rls2_model_given_count(a->model) == 0) return;
    assert_int_equal(rls2_model_given_count(a->model), 1);
    options.header = 0;
    if (it->given)
        assert_int_equal(rls2_table_read(in_folder("matrix.csv"), &options, &a->matrix, NULL),
                         RLS2_OK);
    const rls2_table *matrix = it->given ? a->matrix : a->table;
    a->given = calloc((size_t)(a->n * columns), sizeof *a->given);
    assert_non_null(a->given);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < a->n; i++) a->given[j * a->n + i] = rls2_table_value(matrix, i, j);
    a->given_list[0] = a->given;
    rows->given_count = 1;
    rows->given = a->given_list;
}

static const char *model_path(const kind *it)
{
    char name[32];
    snprintf(name, sizeof name, "%d.model", number_of(it));
    return in_folder(name);
}

static answer ask_library(const kind *it)
{
    answer a = {0};
    rls2_error err = {0};
    rls2_read_options options = options_of(it);
    assert_int_equal(rls2_model_load(model_path(it), &a.model, &err), RLS2_OK);
    assert_int_equal(rls2_table_read(in_folder(it->data), &options, &a.table, &err), RLS2_OK);
    assert_int_equal(rls2_model_encode(a.model, a.table, RLS2_MISSING_AS_TRAINED,
                                       RLS2_RESPONSE_IGNORED, &a.data, &err),
                     RLS2_OK);
    a.n = rls2_dataset_rows(a.data);
    rls2_rows rows = {.n = a.n, .p = rls2_dataset_columns(a.data), .x = rls2_dataset_x(a.data)};
    take_given(it, &a, &rows);
    a.f = calloc((size_t)a.n + 1, sizeof *a.f);
    assert_non_null(a.f);
    assert_int_equal(rls2_model_predict(a.model, &rows, NULL, a.f, &err), RLS2_OK);
    return a;
}

static void answer_free(answer *a)
{
    rls2_dataset_free(a->data);
    rls2_table_free(a->table);
    rls2_table_free(a->matrix);
    rls2_model_free(a->model);
    free(a->given);
    free(a->f);
}

/* ---- what the command says ---- */

static rls2_table *predictions(const kind *it, const char *options)
{
    rls2_table *table = NULL;
    rls2_error err = {0};
    free(rls2_out("predict $T/%d.model $T/%s %s %s -q --missing drop %s -o $T/predicted.csv",
                  number_of(it), it->data, it->read, given_option(it), options));
    rls2_read_options reading;
    rls2_read_options_init(&reading, sizeof reading);
    reading.na_count = 0; /* "NA" is to be seen */
    if (rls2_table_read(in_folder("predicted.csv"), &reading, &table, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    return table;
}

static void assert_names(const rls2_table *table, int count, const char *const *names)
{
    for (int j = 0; j < count; j++) assert_string_equal(rls2_table_column_name(table, j), names[j]);
}

/* Row i of what was printed stands for row source(i) of the file; the others are empty. */
static void assert_equal_bits(const kind *it, const answer *a, const rls2_table *printed_table)
{
    int64_t column = rls2_table_find(printed_table, it->classification ? "score" : "prediction"),
            next = 0;
    assert_true(column >= 0);
    assert_int_equal(rls2_table_rows(printed_table), rls2_table_rows(a->table));
    for (int64_t row = 0; row < rls2_table_rows(a->table); row++) {
        const char *cell = rls2_table_cell(printed_table, row, column);
        if (next == a->n || rls2_dataset_source_row(a->data, next) != row) {
            assert_string_equal(cell, "NA");
            continue;
        }
        double value = strtod(cell, NULL);
        if (memcmp(&value, &a->f[next], sizeof value) != 0)
            fail_msg("%s, row %d: '%s' is not %.17g", it->name, (int)row, cell, a->f[next]);
        if (it->classification)
            assert_string_equal(rls2_table_cell(printed_table, row, 0),
                                rls2_model_class_label(a->model, value < 0.0 ? 0 : 1));
        next++;
    }
    assert_int_equal(next, a->n);
}

static void predict__models_of_every_kind__prints_the_librarys_bits(void **state)
{
    (void)state;
    for (int i = 0; i < KIND_COUNT; i++) {
        const kind *it = &KINDS[i];
        answer a = ask_library(it);
        rls2_table *table = predictions(it, "");
        assert_equal_bits(it, &a, table);
        rls2_table_free(table);
        answer_free(&a);
    }
}

static void predict__contributions__sum_to_the_prediction(void **state)
{
    (void)state;
    for (int i = 0; i < KIND_COUNT; i++) {
        const kind *it = &KINDS[i];
        answer a = ask_library(it);
        rls2_table *table = predictions(it, "--contributions");
        assert_equal_bits(it, &a, table);
        int64_t first = rls2_table_find(table, "intercept"), columns = rls2_table_columns(table);
        assert_int_equal(first, it->classification ? 2 : 1);
        assert_int_equal(columns - first - 1, rls2_model_kernel_count(a.model));
        for (int64_t row = 0; row < rls2_table_rows(table); row++) {
            double f = rls2_table_value(table, row, first - 1), sum = 0.0, size = 1.0;
            for (int64_t j = first; j < columns; j++) {
                sum += rls2_table_value(table, row, j);
                size += fabs(rls2_table_value(table, row, j));
            }
            assert_true(isnan(f) ? isnan(sum) : fabs(sum - f) <= 1e-13 * size);
        }
        rls2_table_free(table);
        answer_free(&a);
    }
}

static void predict__std__adds_two_positive_columns(void **state)
{
    (void)state;
    static const char *const NUMBERS[] = {"prediction", "std", "std_observation"};
    static const char *const CLASSES[] = {"prediction", "score", "std", "std_observation"};
    for (int i = 0; i < KIND_COUNT; i++) {
        const kind *it = &KINDS[i];
        if (it->given || strcmp(it->name, "precomputed") == 0) continue; /* see the next test */
        rls2_table *table = predictions(it, "--std");
        int64_t std = rls2_table_find(table, "std");
        assert_names(table, it->classification ? 4 : 3, it->classification ? CLASSES : NUMBERS);
        assert_int_equal(rls2_table_columns(table), it->classification ? 4 : 3);
        for (int64_t row = 0; row < rls2_table_rows(table); row++) {
            double f = rls2_table_value(table, row, std), y = rls2_table_value(table, row, std + 1);
            if (strcmp(it->name, "holes") == 0 && isnan(f)) continue;
            if (!(f > 0.0 && y > f)) fail_msg("%s, row %d: std %g, %g", it->name, (int)row, f, y);
        }
        rls2_table_free(table);
    }
}

/* K(x, x) of new rows is not in the matrix. */
static void predict__std_of_a_precomputed_kernel__is_refused_with_a_reason(void **state)
{
    (void)state;
    for (int i = 0; i < KIND_COUNT; i++) {
        const kind *it = &KINDS[i];
        if (!it->given && strcmp(it->name, "precomputed") != 0) continue;
        printed it_is = rls2_run("predict $T/%d.model $T/%s --std %s -o $T/none.csv", number_of(it),
                                 it->data, given_option(it));
        assert_int_equal(it_is.code, 2);
        assert_non_null(strstr(it_is.err, "rls2 predict: --std"));
        assert_string_equal(it_is.out, "");
        FILE *none = fopen(in_folder("none.csv"), "r");
        assert_null(none);
        printed_free(&it_is);
    }
}

static void predict__json__has_a_prediction_for_each_row(void **state)
{
    (void)state;
    for (int i = 0; i < KIND_COUNT; i++) {
        const kind *it = &KINDS[i];
        answer a = ask_library(it);
        json_t *root =
            rls2_json("predict $T/%d.model $T/%s %s %s -q --missing drop --json --contributions",
                      number_of(it), it->data, it->read, given_option(it));
        json_t *list = at(root, "predictions");
        assert_keys(root, "target task loss predictions n imputed unseen score");
        assert_string_equal(text_at(root, "target"), rls2_model_target(a.model));
        assert_int_equal(json_array_size(list), rls2_table_rows(a.table));
        assert_int_equal((int64_t)number_at(root, "n"), rls2_table_rows(a.table));
        int64_t next = 0;
        for (int64_t row = 0; row < rls2_table_rows(a.table); row++) {
            json_t *one = json_array_get(list, (size_t)row);
            if (next == a.n || rls2_dataset_source_row(a.data, next) != row) {
                assert_true(json_is_null(at(one, "prediction")));
                continue;
            }
            double value = number_at(one, it->classification ? "score" : "prediction");
            assert_true(value == a.f[next++]);
            assert_int_equal(json_object_size(at(one, "contributions")),
                             rls2_model_kernel_count(a.model) + 1);
            if (it->classification)
                assert_string_equal(text_at(one, "prediction"),
                                    rls2_model_class_label(a.model, value < 0.0 ? 0 : 1));
        }
        json_decref(root);
        answer_free(&a);
    }
}

/* ---- the same rows, written otherwise ---- */

static void assert_same_predictions(const char *name, const char *options)
{
    char *expected = rls2_out("predict $T/1.model $T/servo.csv -q");
    char *got = rls2_out("predict $T/1.model %s -q %s", name, options);
    assert_string_equal(got, expected);
    free(expected);
    free(got);
}

static void predict__same_rows_in_other_files__prints_the_same(void **state)
{
    (void)state;
    printed made =
        shell("awk -F, -v OFS=, '{ print \"id\" NR, $4, $1, $5, $3, \"?\", $2 }' $T/servo.csv | "
              "sed '1s/.*/id,vgain,motor,rise_time,pgain,note,screw/' >$T/shuffled.csv; "
              "cut -d, -f1-4 $T/servo.csv >$T/untargeted.csv; "
              "tr , ';' <$T/servo.csv >$T/servo.ssv; "
              "sed 's/$/\\r/' $T/servo.csv >$T/crlf.csv; "
              "sed 's/\\([^,]*\\)/\"\\1\"/g' $T/servo.csv >$T/quoted.csv");
    assert_int_equal(made.code, 0);
    printed_free(&made);
    assert_same_predictions("$T/shuffled.csv", "");
    assert_same_predictions("$T/untargeted.csv", "");
    assert_same_predictions("$T/servo.csv.gz", "");
    assert_same_predictions("$T/servo.tsv", "");
    assert_same_predictions("$T/servo.tsv", "--delimiter tab");
    assert_same_predictions("$T/servo.ssv", "");
    assert_same_predictions("$T/crlf.csv", "");
    assert_same_predictions("$T/quoted.csv", "");
    assert_same_predictions("- <$T/servo.csv", "");
    assert_same_predictions("- <$T/servo.csv.gz", "");
    assert_same_predictions("/dev/stdin <$T/shuffled.csv", "--format csv");
}

/* The same model comes from the same rows. */
static void train__same_rows_in_other_files__gives_the_same_model(void **state)
{
    (void)state;
    static const char *const SERVO[] = {"$T/servo.csv.gz", "$T/servo.tsv", "- <$T/servo.csv"};
    static const char *const PROSTATE[] = {"$T/prostate.libsvm", "$T/prostate.npz"};
    for (int i = 0; i < 3; i++) {
        free(rls2_out("train %s -t rise_time --lambda 0.01 -q -o $T/other", SERVO[i]));
        printed same = shell("cmp $T/1.model $T/other");
        assert_int_equal(same.code, 0);
        printed_free(&same);
    }
    char *expected = rls2_out("predict $T/0.model $T/prostate.csv -q");
    for (int i = 0; i < 2; i++) {
        free(rls2_out("train %s --standardize --lambda 0.1 -q -o $T/other", PROSTATE[i]));
        char *got = rls2_out("predict $T/other %s -q", PROSTATE[i]);
        assert_string_equal(got, expected);
        free(got);
    }
    free(expected);
}

static void path__npz_with_marked_rows__scores_those(void **state)
{
    (void)state;
    static const char OPTIONS[] = "--standardize --lambdas 0.1,1 -k 'linear; rbf(0.1)' -q --json";
    json_t *marked = rls2_json("path $T/marked.npz %s", OPTIONS);
    json_t *named = rls2_json("path $T/marked.csv -t lpsa --test-rows train=1 %s", OPTIONS);
    for (int i = 0; i < 2; i++) {
        json_t *one = json_array_get(at(marked, "path"), (size_t)i),
               *other = json_array_get(at(named, "path"), (size_t)i);
        assert_true(number_at(one, "objective") == number_at(other, "objective"));
        assert_true(number_at(one, "train.rmse") == number_at(other, "train.rmse"));
        assert_true(number_at(one, "test.rmse") == number_at(other, "test.rmse"));
    }
    assert_int_equal((int)number_at(marked, "n"), 67);
    json_decref(marked);
    json_decref(named);
}

/* Results and nothing else: remarks go to stderr, and with --quiet nowhere. */
static void all__quiet__say_nothing_beside_their_result(void **state)
{
    (void)state;
    static const char *const LINES[] = {"train $T/servo.csv -t rise_time --lambda 1 --quiet",
                                        "path $T/servo.csv -t rise_time --lambda 1 --quiet",
                                        "kernels $T/servo.csv -t rise_time --quiet",
                                        "predict $T/1.model $T/servo.csv --quiet",
                                        "predict $T/12.model $T/holes.csv --na NA --quiet",
                                        "verify $T/1.model $T/servo.csv --quiet",
                                        "show $T/1.model --quiet"};
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        printed it = rls2_run("%s", LINES[i]);
        assert_int_equal(it.code, 0);
        assert_string_equal(it.err, "");
        assert_true(strlen(it.out) > 0);
        printed_free(&it);
    }
    printed it = rls2_run("train $T/servo.csv -t rise_time --lambda 1");
    assert_non_null(strstr(it.err, "not saved: -o MODEL saves it"));
    assert_non_null(strstr(it.err, "target 'rise_time': numbers: regression"));
    printed_free(&it);
}

static void train__any_number_of_threads__gives_the_same_file(void **state)
{
    (void)state;
    for (int i = 0; i < KIND_COUNT; i++) {
        const kind *it = &KINDS[i];
        free(rls2_out("train $T/%s %s %s %s -q --threads 1 -o $T/model", it->data, it->read,
                      it->train, given_option(it)));
        printed same = shell("cmp $T/model $T/%d.model", number_of(it));
        if (same.code != 0) fail_msg("%s: %s", it->name, same.out);
        printed_free(&same);
    }
}

/* ---- show and verify ---- */

static void verify__models_of_every_kind__hold_on_their_training_file(void **state)
{
    (void)state;
    for (int i = 0; i < KIND_COUNT; i++) {
        const kind *it = &KINDS[i];
        json_t *root = rls2_json("verify $T/%d.model $T/%s %s %s -q --gap-tol 0.1 --json",
                                 number_of(it), it->data, it->read, given_option(it));
        assert_keys(
            root,
            "holds verdict same_rows scale_error features_measured_here objective lower_bound "
            "gap claimed_objective "
            "claimed_gap loss intercept_rule lambda m");
        assert_true(json_is_true(at(root, "holds")) && json_is_true(at(root, "same_rows")));
        assert_string_equal(text_at(root, "verdict"), "the certificate holds");
        assert_true(number_at(root, "lower_bound") <= number_at(root, "objective") * (1.0 + 1e-12));
        double gap = (number_at(root, "objective") - number_at(root, "lower_bound")) /
                     number_at(root, "objective");
        assert_true(fabs(gap - number_at(root, "gap")) <= 1e-9);
        json_decref(root);
    }
}

static void assert_narrow(const kind *it, const char *text)
{
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > 100 &&
            strncmp(line, "dictionary ", 11) != 0) /* as long as it was written */
            fail_msg("%s: %.*s", it->name, (int)strcspn(line, "\n"), line);
}

static void assert_sum(const json_t *list, const char *member, double expected)
{
    double sum = 0.0;
    for (size_t k = 0; k < json_array_size(list); k++)
        sum += number_at(json_array_get(list, k), member);
    assert_true(fabs(sum - expected) <= 1e-9);
}

static void show__models_of_every_kind__tells_shares_that_sum_to_one(void **state)
{
    (void)state;
    for (int i = 0; i < KIND_COUNT; i++) {
        const kind *it = &KINDS[i];
        json_t *root = rls2_json("show $T/%d.model --json", number_of(it));
        int linear = strstr(it->train, "-k linear") != NULL;
        int learned = json_object_get(root, "relevance") != NULL; /* such a kernel is selected */
        char keys[256];
        snprintf(keys, sizeof keys,
                 "target task loss intercept_rule n m dictionary %sscaling lambda objective gap df "
                 "intercept train shares_of selected inputs explanation%s",
                 learned ? "relevance " : "", linear ? " coefficients" : "");
        assert_keys(root, keys);
        assert_sum(at(root, "selected"), "weight", 1.0);
        assert_sum(at(root, "selected"), "share", 1.0);
        assert_sum(at(root, "inputs"), "weight", 1.0);
        assert_sum(at(root, "inputs"), "share", 1.0);
        assert_keys(at(root, "selected.0"), "kernel weight share");
        const json_t *first = at(root, "inputs.0");
        int given = strncmp(text_at(first, "input"), "given(", 6) == 0; /* no input of the table */
        assert_keys(first, json_object_get(first, "together") ? "input together weight share"
                           : given                            ? "input weight share"
                                                              : "input weight share direction");
        assert_keys(at(root, "train"), it->classification ? "accuracy r2" : "rmse r2");
        json_decref(root);
        char *text = rls2_out("show $T/%d.model", number_of(it));
        assert_narrow(it, text);
        assert_non_null(strstr(text, "selected, by weight"));
        free(text);
        free(rls2_out("show $T/%d.model --top 1", number_of(it)));
    }
}

/* The score that show derives from the model alone is the one train computed from the data. */
static void show__score__is_that_of_training(void **state)
{
    (void)state;
    for (int i = 0; i < KIND_COUNT; i++) {
        const kind *it = &KINDS[i];
        if (strcmp(it->name, "alternate") == 0)
            continue; /* there y - f = lambda c holds only nearly */
        char name[32];
        snprintf(name, sizeof name, "%d.json", number_of(it));
        json_t *trained = json_load_file(in_folder(name), 0, NULL);
        json_t *shown = rls2_json("show $T/%d.model --json", number_of(it));
        assert_keys(trained,
                    "n m task loss intercept_rule solver seconds factorizations path model");
        const char *key = it->classification ? "accuracy" : "rmse";
        double before = number_at(at(trained, "path.0.train"), key),
               after = number_at(at(shown, "train"), key);
        if (fabs(before - after) > 1e-6 * before)
            fail_msg("%s: %.9g, %.9g", it->name, before, after);
        json_decref(trained);
        json_decref(shown);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predict__models_of_every_kind__prints_the_librarys_bits),
        cmocka_unit_test(predict__contributions__sum_to_the_prediction),
        cmocka_unit_test(predict__std__adds_two_positive_columns),
        cmocka_unit_test(predict__std_of_a_precomputed_kernel__is_refused_with_a_reason),
        cmocka_unit_test(predict__json__has_a_prediction_for_each_row),
        cmocka_unit_test(predict__same_rows_in_other_files__prints_the_same),
        cmocka_unit_test(train__same_rows_in_other_files__gives_the_same_model),
        cmocka_unit_test(path__npz_with_marked_rows__scores_those),
        cmocka_unit_test(all__quiet__say_nothing_beside_their_result),
        cmocka_unit_test(train__any_number_of_threads__gives_the_same_file),
        cmocka_unit_test(verify__models_of_every_kind__hold_on_their_training_file),
        cmocka_unit_test(show__models_of_every_kind__tells_shares_that_sum_to_one),
        cmocka_unit_test(show__score__is_that_of_training),
    };
    return cmocka_run_group_tests_name("cli.predict", tests, set_up, folder_remove);
}
