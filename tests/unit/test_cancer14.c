/* The files of 14 Cancers, made up in the form the textbook has them. */
#include "experiments/cancer_sets.h"
#include "support/problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FOLDS = 8 };

typedef struct folder {
    char name[64];
    const char *names[1];
    reproduction r;
} folder;

static FILE *begin(const folder *f, const char *file)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", f->name, file);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    return out;
}

/* Any number that tells gene and patient. */
static double expression(int gene, int patient)
{
    return (gene % 1000) * 0.5 - patient * 3.25;
}

static void write_genes(const folder *f, const char *file, int genes, int patients)
{
    FILE *out = begin(f, file);
    for (int g = 0; g < genes; g++) {
        for (int i = 0; i < patients; i++)
            fprintf(out, "%s%g", i % 3 ? "  " : " \t", expression(g, i));
        fputs(g % 2 ? "\n" : "  \r\n", out);
    }
    assert_int_equal(fclose(out), 0);
}

/* The published order of the test labels is not sorted; any order with the right counts will do. */
static void write_labels(const folder *f, const char *file, const int *counts, int blank,
                         int per_line)
{
    FILE *out = begin(f, file);
    int written = 0;
    if (blank) fputs("                     \n", out);
    for (int label = CANCER14_CLASSES; label >= 1; label--)
        for (int i = 0; i < counts[label - 1]; i++) {
            fprintf(out, " %d", label);
            if (per_line && ++written % per_line == 0) fputc('\n', out);
        }
    fputc('\n', out);
    assert_int_equal(fclose(out), 0);
}

static void write_folds(const folder *f)
{
    FILE *out = begin(f, CANCER14_FOLDS);
    for (int k = 1; k <= FOLDS; k++) fprintf(out, "  X%d", k);
    fputc('\n', out);
    for (int line = 0; line < CANCER14_TRAIN / FOLDS; line++) {
        fprintf(out, "%-3d", line + 1);
        for (int k = 0; k < FOLDS; k++) fprintf(out, " %3d", line * FOLDS + (k + line) % FOLDS + 1);
        fputc('\n', out);
    }
    assert_int_equal(fclose(out), 0);
}

static int setup(void **state)
{
    folder *f = calloc(1, sizeof *f);
    assert_non_null(f);
    strcpy(f->name, "/tmp/rls2-cancer14-XXXXXX");
    assert_non_null(mkdtemp(f->name));
    f->names[0] = f->name;
    f->r = (reproduction){.folders = f->names, .folder_count = 1};
    write_genes(f, "14cancer.xtrain", CANCER14_GENES, CANCER14_TRAIN);
    write_genes(f, "14cancer.xtest", CANCER14_GENES, CANCER14_TEST);
    write_labels(f, "14cancer.ytrain", cancer14_train, 0, 0);
    write_labels(f, "14cancer.ytest", cancer14_test, 1, 0);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    folder *f = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", f->name);
    assert_int_equal(system(command), 0);
    free(f);
    return 0;
}

static void forget(const folder *f, const char *file)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", f->name, file);
    assert_int_equal(unlink(path), 0);
}

static void cancer14_read__files_as_published__are_patients_by_genes(void **state)
{
    folder *f = *state;
    rls2_error err;
    cancer_set set;
    char missing[256];
    write_folds(f);
    assert_true(cancer14_is_there(&f->r, missing, sizeof missing));
    assert_string_equal(missing, "");
    assert_ok(cancer14_read(&f->r, &set, &err), &err);
    assert_int_equal(rls2_table_rows(set.train), CANCER14_TRAIN);
    assert_int_equal(rls2_table_rows(set.test), CANCER14_TEST);
    assert_int_equal(rls2_table_columns(set.train), CANCER14_GENES + 1);
    assert_int_equal(rls2_table_find(set.train, set.target), CANCER14_GENES);
    for (int g = 0; g < CANCER14_GENES; g += 97)
        for (int i = 0; i < CANCER14_TEST; i++) {
            assert_true(rls2_table_value(set.train, i, g) == expression(g, i));
            assert_true(rls2_table_value(set.test, i, g) == expression(g, i));
        }
    assert_true(rls2_table_value(set.train, 0, CANCER14_GENES) == 14.0);
    assert_true(rls2_table_value(set.train, CANCER14_TRAIN - 1, CANCER14_GENES) == 1.0);
    assert_true(rls2_table_value(set.test, CANCER14_TEST - 1, CANCER14_GENES) == 1.0);
    assert_non_null(set.fold);
    for (int line = 0; line < CANCER14_TRAIN / FOLDS; line++)
        for (int k = 0; k < FOLDS; k++)
            assert_int_equal(set.fold[line * FOLDS + (k + line) % FOLDS], k);
    cancer_set_free(&set);
}

static cancer14_origin origin(const folder *f)
{
    rls2_error err;
    cancer14_origin found;
    assert_ok(cancer14_origin_of(&f->r, &found, &err), &err);
    assert_false(found.published); /* these numbers are made up */
    return found;
}

static void append(const folder *f, const char *file, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", f->name, file);
    FILE *out = fopen(path, "a");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static void cancer14_origin_of__any_file_changed__has_another_checksum(void **state)
{
    folder *f = *state;
    static const char *const files[] = {"14cancer.xtrain", "14cancer.xtest", "14cancer.ytrain",
                                        "14cancer.ytest", CANCER14_FOLDS};
    cancer14_origin before = origin(f), same = origin(f), after;
    assert_true(before.folds);
    assert_int_equal(strlen(before.checksum), 64);
    assert_string_equal(before.checksum, same.checksum);
    for (int i = 0; i < 5; i++) {
        append(f, files[i], "\n");
        after = origin(f);
        assert_string_not_equal(after.checksum, before.checksum);
        before = after;
    }
    forget(f, CANCER14_FOLDS);
    after = origin(f);
    assert_false(after.folds);
    assert_string_not_equal(after.checksum, before.checksum);
    write_folds(f);
}

static void cancer14_read__no_folds_and_a_label_a_line__is_read_too(void **state)
{
    folder *f = *state;
    rls2_error err;
    cancer_set set;
    forget(f, CANCER14_FOLDS);
    write_labels(f, "14cancer.ytrain", cancer14_train, 0, 1);
    assert_ok(cancer14_read(&f->r, &set, &err), &err);
    assert_null(set.fold);
    cancer_set_free(&set);
}

static void assert_refused(const folder *f, rls2_status expected, const char *text)
{
    rls2_error err;
    cancer_set set;
    assert_int_equal(cancer14_read(&f->r, &set, &err), expected);
    if (!strstr(err.message, text)) fail_msg("'%s' does not say '%s'", err.message, text);
    assert_null(set.train);
    assert_null(set.test);
}

static void cancer14_read__wrong_files__are_refused(void **state)
{
    folder *f = *state;
    int counts[CANCER14_CLASSES];
    FILE *out;
    memcpy(counts, cancer14_test, sizeof counts);
    counts[0]++;
    counts[1]--;
    write_labels(f, "14cancer.ytest", counts, 1, 0);
    assert_refused(f, RLS2_ERR_VALUE, "14cancer.ytest");
    write_labels(f, "14cancer.ytest", cancer14_test, 1, 0);
    write_genes(f, "14cancer.xtest", CANCER14_GENES - 1, CANCER14_TEST);
    assert_refused(f, RLS2_ERR_VALUE, "16063 lines of 54 numbers");
    write_genes(f, "14cancer.xtest", CANCER14_GENES, CANCER14_TEST);
    out = begin(f, CANCER14_FOLDS);
    fputs(" X1 X2\n1 1 2\n2 3 1\n", out);
    fclose(out);
    assert_refused(f, RLS2_ERR_VALUE, CANCER14_FOLDS);
    forget(f, CANCER14_FOLDS);
}

static void cancer14_is_there__files_missing__names_them(void **state)
{
    folder *f = *state;
    char missing[256], little[20];
    forget(f, "14cancer.xtest");
    assert_false(cancer14_is_there(&f->r, missing, sizeof missing));
    assert_string_equal(missing, "14cancer.xtest");
    forget(f, "14cancer.ytrain");
    assert_false(cancer14_is_there(&f->r, missing, sizeof missing));
    assert_string_equal(missing, "14cancer.xtest, 14cancer.ytrain");
    assert_false(cancer14_is_there(&f->r, little, sizeof little));
    assert_string_equal(little, "14cancer.xtest, 14c");
    assert_refused(f, RLS2_ERR_NAME, "14cancer.ytrain");
    rls2_error err;
    cancer14_origin none;
    assert_int_equal(cancer14_origin_of(&f->r, &none, &err), RLS2_ERR_NAME);
    assert_false(none.published);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cancer14_read__files_as_published__are_patients_by_genes),
        cmocka_unit_test(cancer14_origin_of__any_file_changed__has_another_checksum),
        cmocka_unit_test(cancer14_read__no_folds_and_a_label_a_line__is_read_too),
        cmocka_unit_test(cancer14_read__wrong_files__are_refused),
        cmocka_unit_test(cancer14_is_there__files_missing__names_them),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
