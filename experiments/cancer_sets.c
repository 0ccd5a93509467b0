/* Reads a set of patients, or draws one with genes that matter; divides it into training and test.
 */
#include "experiments/cancer_sets.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cancer_set_free(cancer_set *set)
{
    rls2_table_free(set->train);
    rls2_table_free(set->test);
    free(set->fold);
    free(set->marker);
    memset(set, 0, sizeof *set);
}

/* ---- a CSV file ---- */

static int64_t rows_of(const rls2_table *table, int64_t column, const char *value, int64_t *rows)
{
    int64_t count = 0;
    for (int64_t i = 0; i < rls2_table_rows(table); i++)
        if (rls2_table_holds(table, i, column, value)) rows[count++] = i;
    return count;
}

static rls2_status divide(const char *path, const rls2_table *all, cancer_set *set, rls2_error *err)
{
    int64_t column = rls2_table_find(all, "set");
    if (column < 0 || rls2_table_find(all, "class") < 0)
        return experiment_fail(err, RLS2_ERR_VALUE, "%s: columns 'class' and 'set' are expected",
                               path);
    int64_t *rows = malloc((size_t)(rls2_table_rows(all) + 1) * sizeof *rows);
    if (!rows) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for %s", path);
    int64_t count = rows_of(all, column, "train", rows);
    rls2_status status = rls2_table_take(all, count, rows, &set->train, err);
    count = rows_of(all, column, "test", rows);
    if (status == RLS2_OK) status = rls2_table_take(all, count, rows, &set->test, err);
    free(rows);
    return status;
}

rls2_status cancer_set_read(const char *path, cancer_set *set, rls2_error *err)
{
    rls2_table *all = NULL;
    memset(set, 0, sizeof *set);
    rls2_status status = rls2_table_read_csv(path, &all, err);
    if (status == RLS2_OK) status = divide(path, all, set, err);
    snprintf(set->target, sizeof set->target, "class");
    snprintf(set->drop, sizeof set->drop, "set");
    rls2_table_free(all);
    if (status != RLS2_OK) cancer_set_free(set);
    return status;
}

/* ---- numbers as a table ---- */

/* The head of a file of numpy, version 1: one array of doubles, by columns. A multiple of 64 bytes.
 */
enum { HEAD = 128 };

static void write_head(char *bytes, int64_t rows, int64_t columns)
{
    static const char magic[] = "\x93NUMPY\x01";
    const uint16_t one = 1;
    char order = *(const char *)&one ? '<' : '>';
    memset(bytes, ' ', HEAD);
    memcpy(bytes, magic, sizeof magic); /* its last byte is the 0 of version 1.0 */
    bytes[8] = HEAD - 10;
    bytes[9] = 0;
    int length =
        snprintf(bytes + 10, HEAD - 10,
                 "{'descr': '%cf8', 'fortran_order': True, 'shape': (%" PRId64 ", %" PRId64 "), }",
                 order, rows, columns);
    bytes[10 + length] = ' ';
    bytes[HEAD - 1] = '\n';
}

rls2_status cancer_table(const char *name, int64_t rows, int64_t columns, const double *numbers,
                         rls2_table **table, rls2_error *err)
{
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    size_t size = (size_t)(rows * columns) * sizeof *numbers;
    char *bytes = malloc(HEAD + size);
    options.format = RLS2_FORMAT_NPY;
    if (!bytes) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for %s", name);
    write_head(bytes, rows, columns);
    memcpy(bytes + HEAD, numbers, size);
    rls2_status status =
        rls2_table_parse(name, bytes, (int64_t)(HEAD + size), &options, table, err);
    free(bytes);
    return status;
}

/* ---- made data ---- */

const int cancer14_train[CANCER14_CLASSES] = {8, 8, 8, 8, 16, 8, 8, 8, 24, 8, 8, 8, 8, 16};
const int cancer14_test[CANCER14_CLASSES] = {4, 6, 4, 4, 6, 3, 2, 2, 6, 3, 3, 4, 3, 4};

const cancer_plan cancer_plan_14 = {.genes = CANCER14_GENES,
                                    .classes = CANCER14_CLASSES,
                                    .train = cancer14_train,
                                    .test = cancer14_test,
                                    .markers = 20,
                                    .effect = 1.25,
                                    .block = 20,
                                    .correlation = 0.5};

static int64_t total(int count, const int *numbers)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++) sum += numbers[i];
    return sum;
}

/* Markers lie one in each block and far apart: no two classes share one, and none helps another by
 * correlation. */
static int is_marker(const cancer_plan *plan, int64_t gene, int label)
{
    int64_t apart = plan->genes / ((int64_t)plan->classes * plan->markers);
    return gene % apart == 0 && gene / apart < (int64_t)plan->classes * plan->markers &&
           gene / apart % plan->classes == label;
}

static int matters(const cancer_plan *plan, int64_t gene)
{
    for (int label = 0; label < plan->classes; label++)
        if (is_marker(plan, gene, label)) return 1;
    return 0;
}

static void measure(const cancer_plan *plan, const double *levels, int label,
                    experiment_random *random, int64_t row, int64_t rows, double *x)
{
    double gain = exp(0.3 * experiment_random_normal(random));
    double offset = experiment_random_normal(random), shared = 0.0;
    double common = sqrt(plan->correlation), own = sqrt(1.0 - plan->correlation);
    for (int64_t g = 0; g < plan->genes; g++) {
        if (g % plan->block == 0) shared = experiment_random_normal(random);
        double value = levels[g] + common * shared + own * experiment_random_normal(random);
        if (is_marker(plan, g, label)) value += plan->effect;
        x[g * rows + row] = gain * value + offset;
    }
}

/* A group of patients in the order of their classes, the class as the last column. */
static rls2_status draw(const cancer_plan *plan, const int *counts, const double *levels,
                        experiment_random *random, rls2_table **table, rls2_error *err)
{
    int64_t rows = total(plan->classes, counts), row = 0;
    double *x = malloc((size_t)(rows * (plan->genes + 1)) * sizeof *x);
    if (!x) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for made data");
    for (int label = 0; label < plan->classes; label++)
        for (int i = 0; i < counts[label]; i++, row++) {
            measure(plan, levels, label, random, row, rows, x);
            x[plan->genes * rows + row] = label + 1;
        }
    rls2_status status = cancer_table("made data", rows, plan->genes + 1, x, table, err);
    free(x);
    return status;
}

rls2_status cancer_set_generate(const cancer_plan *plan, uint64_t seed, cancer_set *set,
                                rls2_error *err)
{
    experiment_random random;
    memset(set, 0, sizeof *set);
    double *levels = malloc((size_t)plan->genes * sizeof *levels);
    set->marker = malloc((size_t)plan->genes);
    if (!levels || !set->marker) {
        free(levels);
        cancer_set_free(set);
        return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for made data");
    }
    experiment_random_seed(&random, seed);
    for (int64_t g = 0; g < plan->genes; g++) {
        levels[g] = experiment_random_normal(&random);
        set->marker[g] = (char)matters(plan, g);
    }
    snprintf(set->target, sizeof set->target, "x%" PRId64, plan->genes + 1);
    rls2_status status = draw(plan, plan->train, levels, &random, &set->train, err);
    if (status == RLS2_OK) status = draw(plan, plan->test, levels, &random, &set->test, err);
    free(levels);
    if (status != RLS2_OK) cancer_set_free(set);
    return status;
}
