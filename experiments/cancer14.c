/* 14 Cancers from the files of the textbook's web site: numbers between blanks, a line for each
 * gene. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cancer_sets.h"
#include "experiments/files.h"
#include "experiments/sources.h"

/* ---- numbers between blanks ---- */

static rls2_status fail_to_read(const char *path, rls2_error *err)
{
    return experiment_fail(err, errno == ENOMEM ? RLS2_ERR_MEMORY : RLS2_ERR_IO,
                           "%s cannot be read: %s", path, strerror(errno));
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Blanks between numbers become one comma, those at the ends of a line nothing; in place. */
static size_t commas(char *text, size_t length)
{
    size_t out = 0;
    int pending = 0, inside = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n') {
            text[out++] = '\n';
            pending = inside = 0;
        } else if (is_blank(text[i])) {
            pending = inside;
        } else {
            char c = text[i];
            if (pending) text[out++] = ','; /* never ahead of i: a blank was there */
            text[out++] = c;
            pending = 0;
            inside = 1;
        }
    }
    return out;
}

/* The file as a table without names, the first `skip` lines left out. The library reads the
 * numbers, so that they do not depend on the locale and a wrong one is named with its line. */
static rls2_status read_numbers(const reproduction *r, const char *file, int skip,
                                rls2_table **table, rls2_error *err)
{
    char path[4096];
    size_t length = 0;
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.format = RLS2_FORMAT_CSV;
    options.header = 0;
    options.delimiter = ',';
    if (!experiment_find(r, file, path, sizeof path))
        return experiment_fail(err, RLS2_ERR_NAME, "%s is in none of the data folders", file);
    char *text = files_read(path, &length);
    if (!text) return fail_to_read(path, err);
    const char *start = text;
    for (int i = 0; i < skip && start; i++) {
        start = memchr(start, '\n', length - (size_t)(start - text));
        start = start ? start + 1 : NULL;
    }
    if (!start) start = text;
    size_t rest = length - (size_t)(start - text);
    memmove(text, start, rest);
    rest = commas(text, rest);
    rls2_status status = rls2_table_parse(path, text, (int64_t)rest, &options, table, err);
    free(text);
    return status;
}

/* ---- labels, folds, patients ---- */

/* The labels stand in one line or one on each: every number of the file, in order. */
static rls2_status read_labels(const reproduction *r, const char *file, int64_t count,
                               const int *expected, int *labels, rls2_error *err)
{
    rls2_table *table = NULL;
    int64_t found = 0;
    int counts[CANCER14_CLASSES] = {0};
    rls2_status status = read_numbers(r, file, 0, &table, err);
    for (int64_t i = 0; status == RLS2_OK && i < rls2_table_rows(table); i++)
        for (int64_t j = 0; j < rls2_table_columns(table); j++) {
            double value = rls2_table_value(table, i, j);
            if (!(value >= 1 && value <= CANCER14_CLASSES)) continue;
            if (found < count) labels[found] = (int)value;
            counts[(int)value - 1]++;
            found++;
        }
    if (status == RLS2_OK && (found != count || memcmp(counts, expected, sizeof counts) != 0))
        status = experiment_fail(err, RLS2_ERR_VALUE,
                                 "%s: %" PRId64
                                 " labels 1 to %d with the published counts are expected, %" PRId64
                                 " were found",
                                 file, count, CANCER14_CLASSES, found);
    rls2_table_free(table);
    return status;
}

/* Column k lists the patients, counted from 1, that fold k predicts; the first column is the number
 * of the line. */
static rls2_status read_folds(const reproduction *r, int64_t *fold, rls2_error *err)
{
    rls2_table *table = NULL;
    rls2_status status = read_numbers(r, CANCER14_FOLDS, 1, &table, err);
    int64_t seen = 0;
    for (int64_t i = 0; i < CANCER14_TRAIN; i++) fold[i] = -1;
    for (int64_t i = 0; status == RLS2_OK && i < rls2_table_rows(table); i++)
        for (int64_t j = 1; j < rls2_table_columns(table); j++) {
            double patient = rls2_table_value(table, i, j);
            if (!(patient >= 1 && patient <= CANCER14_TRAIN) || fold[(int)patient - 1] >= 0)
                continue;
            fold[(int)patient - 1] = j - 1;
            seen++;
        }
    if (status == RLS2_OK && seen != CANCER14_TRAIN)
        status = experiment_fail(err, RLS2_ERR_VALUE,
                                 CANCER14_FOLDS
                                 ": each of the patients 1 to %d is expected once, %" PRId64
                                 " were found",
                                 CANCER14_TRAIN, seen);
    rls2_table_free(table);
    return status;
}

/* The file has a line for each gene and a column for each patient: turned, with the class at the
 * end. */
static rls2_status read_patients(const reproduction *r, const char *file, int64_t count,
                                 const int *labels, rls2_table **patients, rls2_error *err)
{
    rls2_table *genes = NULL;
    rls2_status status = read_numbers(r, file, 0, &genes, err);
    if (status == RLS2_OK &&
        (rls2_table_rows(genes) != CANCER14_GENES || rls2_table_columns(genes) != count))
        status = experiment_fail(
            err, RLS2_ERR_VALUE,
            "%s: %d lines of %" PRId64 " numbers are expected, there are %" PRId64 " of %" PRId64,
            file, CANCER14_GENES, count, rls2_table_rows(genes), rls2_table_columns(genes));
    double *x = malloc((size_t)count * (CANCER14_GENES + 1) * sizeof *x);
    if (status == RLS2_OK && !x)
        status = experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for %s", file);
    for (int64_t g = 0; g < CANCER14_GENES && status == RLS2_OK; g++)
        for (int64_t i = 0; i < count; i++) x[g * count + i] = rls2_table_value(genes, g, i);
    rls2_table_free(genes);
    for (int64_t i = 0; i < count && status == RLS2_OK; i++)
        x[CANCER14_GENES * count + i] = labels[i];
    if (status == RLS2_OK) status = cancer_table(file, count, CANCER14_GENES + 1, x, patients, err);
    free(x);
    return status;
}

/* ---- the whole ---- */

static const char *const data_files[] = {"14cancer.xtrain", "14cancer.xtest", "14cancer.ytrain",
                                         "14cancer.ytest"};
enum { DATA_FILES = 4 };

int cancer14_is_there(const reproduction *r, char *missing, size_t size)
{
    char path[4096];
    size_t length = 0;
    int absent = 0;
    missing[0] = '\0';
    for (int i = 0; i < DATA_FILES; i++) {
        if (experiment_find(r, data_files[i], path, sizeof path)) continue;
        if (length < size)
            length += (size_t)snprintf(missing + length, size - length, "%s%s", absent ? ", " : "",
                                       data_files[i]);
        absent = 1;
    }
    return !absent;
}

/* The published checksum of the file; where there is none, the beginning of the kind that is to be
 * taken. */
static const char *published_checksum(const sources *list, const char *file)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->items[i].file, file) == 0) return list->items[i].checksum;
    return "sha256:";
}

/* One look at the file: the checksum that goes into the whole is the one held against the
 * published. */
static rls2_status add_file(const reproduction *r, const sources *list, const char *file,
                            checksum *all, int *same, rls2_error *err)
{
    char path[4096], found[CHECKSUM_TEXT];
    const char *published = published_checksum(list, file);
    if (!experiment_find(r, file, path, sizeof path))
        return experiment_fail(err, RLS2_ERR_NAME, "%s is in none of the data folders", file);
    if (checksum_file(path, published, found) != 0) return fail_to_read(path, err);
    checksum_add(all, file, strlen(file) + 1);
    checksum_add(all, found, strlen(found) + 1);
    *same = strcmp(found, published) == 0;
    return RLS2_OK;
}

rls2_status cancer14_origin_of(const reproduction *r, cancer14_origin *origin, rls2_error *err)
{
    char path[4096];
    int same = 0, others = 0;
    checksum all;
    sources list;
    memset(origin, 0, sizeof *origin);
    checksum_begin_sha256(&all);
    rls2_status status = sources_read(NULL, &list, err);
    for (int i = 0; i < DATA_FILES && status == RLS2_OK; i++) {
        status = add_file(r, &list, data_files[i], &all, &same, err);
        others += !same;
    }
    origin->folds = experiment_find(r, CANCER14_FOLDS, path, sizeof path);
    if (status == RLS2_OK && origin->folds)
        status = add_file(r, &list, CANCER14_FOLDS, &all, &same, err);
    origin->published = status == RLS2_OK && others == 0;
    checksum_end(&all, origin->checksum);
    sources_free(&list);
    return status;
}

static rls2_status read_all(const reproduction *r, cancer_set *set, rls2_error *err)
{
    int train[CANCER14_TRAIN], test[CANCER14_TEST];
    char path[4096];
    rls2_status status =
        read_labels(r, "14cancer.ytrain", CANCER14_TRAIN, cancer14_train, train, err);
    if (status == RLS2_OK)
        status = read_labels(r, "14cancer.ytest", CANCER14_TEST, cancer14_test, test, err);
    if (status == RLS2_OK)
        status = read_patients(r, "14cancer.xtrain", CANCER14_TRAIN, train, &set->train, err);
    if (status == RLS2_OK)
        status = read_patients(r, "14cancer.xtest", CANCER14_TEST, test, &set->test, err);
    if (status != RLS2_OK || !experiment_find(r, CANCER14_FOLDS, path, sizeof path)) return status;
    set->fold = malloc(CANCER14_TRAIN * sizeof *set->fold);
    if (!set->fold)
        return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for %s", CANCER14_FOLDS);
    return read_folds(r, set->fold, err);
}

rls2_status cancer14_read(const reproduction *r, cancer_set *set, rls2_error *err)
{
    memset(set, 0, sizeof *set);
    snprintf(set->target, sizeof set->target, "x%d", CANCER14_GENES + 1);
    rls2_status status = read_all(r, set, err);
    if (status != RLS2_OK) cancer_set_free(set);
    return status;
}
