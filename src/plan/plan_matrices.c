/* Given matrices: of a square over all rows of the file, what each part needs. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "basis/symmetric.h"
#include "plan/plan.h"

/* ---- rows of the file ---- */

/* The row of the file for each row of a part's data set; NULL when out of memory. */
static int64_t *file_rows(const rls2_dataset *data, const int64_t *taken)
{
    int64_t n = rls2_dataset_rows(data);
    int64_t *rows = rls2__alloc(n, sizeof *rows);
    for (int64_t i = 0; rows && i < n; i++) rows[i] = taken[rls2_dataset_source_row(data, i)];
    return rows;
}

/* The same for training and, below them, validation rows. */
static int64_t *choosing_rows(const rls2_plan *plan)
{
    const rls2_dataset *data = plan->choosing_data;
    int64_t n = rls2_dataset_rows(data), above = plan->train.count;
    int64_t *rows = rls2__alloc(n, sizeof *rows);
    for (int64_t i = 0; rows && i < n; i++) {
        int64_t row = rls2_dataset_source_row(data, i);
        rows[i] = row < above ? plan->train.rows[row] : plan->validation.rows[row - above];
    }
    return rows;
}

static int is_whole(const rls2_plan *plan, int64_t n, const int64_t *rows)
{
    if (n != rls2_table_rows(plan->file)) return 0;
    for (int64_t i = 0; i < n; i++)
        if (rows[i] != i) return 0;
    return 1;
}

/* Some rows and columns of a square; NULL when out of memory. */
static double *take(const rls2__plan_matrix *matrix, int64_t row_count, const int64_t *rows,
                    int64_t column_count, const int64_t *columns)
{
    double *part = rls2__alloc(rls2__mul(row_count, column_count), sizeof *part);
    for (int64_t j = 0; part && j < column_count; j++)
        for (int64_t i = 0; i < row_count; i++)
            part[j * row_count + i] = matrix->whole[columns[j] * matrix->rows + rows[i]];
    return part;
}

/* Every entry that is used is a number. */
static rls2_status check_entries(rls2_plan *plan, const rls2__plan_matrix *matrix,
                                 int64_t row_count, const int64_t *rows, int64_t column_count,
                                 const int64_t *columns, rls2_error *err)
{
    for (int64_t j = 0; j < column_count; j++)
        for (int64_t i = 0; i < row_count; i++)
            if (!isfinite(matrix->whole[columns[j] * matrix->rows + rows[i]]))
                return rls2__plan_refuse(plan, NULL, err, RLS2_ERR_VALUE,
                                         "matrix '%.100s', row %" PRId64 ", column %" PRId64
                                         ": not a number",
                                         matrix->name, rows[i] + 1, columns[j] + 1);
    return RLS2_OK;
}

/* ---- parts ---- */

/* What is done about a matrix that is not exactly symmetric is said where it is more than
 * rounding. */
static void note_asymmetry(rls2_plan *plan, const char *name, int64_t n, const double *K)
{
    static const double ROUNDING = 1e-14;
    double most = 0.0, largest = 0.0;
    for (int64_t j = 0; j < n; j++) {
        largest = fmax(largest, fabs(K[j * n + j]));
        for (int64_t i = 0; i < j; i++) most = fmax(most, fabs(K[j * n + i] - K[i * n + j]));
    }
    double difference = largest > 0.0 ? most / largest : 0.0;
    if (difference > ROUNDING && difference <= RLS2__SYMMETRY_TOL)
        rls2__plan_say(plan,
                       "matrix '%s' is symmetric only to %.0e of its largest diagonal entry: the "
                       "mean of it and its transpose is used",
                       name, difference);
}

static rls2_status take_train(rls2_plan *plan, const int64_t *rows, rls2_error *err)
{
    int64_t n = rls2_dataset_rows(plan->train.data);
    int whole = is_whole(plan, n, rows);
    for (int64_t g = 0; g < plan->matrix_count; g++) {
        rls2__plan_matrix *matrix = &plan->matrices[g];
        rls2_status status = check_entries(plan, matrix, n, rows, n, rows, err);
        if (status != RLS2_OK) return status;
        if (!whole && !(matrix->train = take(matrix, n, rows, n, rows)))
            return rls2__plan_memory_out(plan, err);
        plan->given[g] = plan->choosing_given[g] = whole ? matrix->whole : matrix->train;
        note_asymmetry(plan, matrix->name, n, plan->given[g]);
    }
    return RLS2_OK;
}

static rls2_status take_choosing(rls2_plan *plan, rls2_error *err)
{
    if (!plan->choosing_data) return RLS2_OK;
    int64_t n = rls2_dataset_rows(plan->choosing_data), *rows = choosing_rows(plan);
    rls2_status status = rows ? RLS2_OK : rls2__plan_memory_out(plan, err);
    for (int64_t g = 0; g < plan->matrix_count && status == RLS2_OK; g++) {
        rls2__plan_matrix *matrix = &plan->matrices[g];
        status = check_entries(plan, matrix, n, rows, n, rows, err);
        if (status == RLS2_OK && !(matrix->choosing = take(matrix, n, rows, n, rows)))
            status = rls2__plan_memory_out(plan, err);
        plan->choosing_given[g] = matrix->choosing;
    }
    rls2__free(rows);
    return status;
}

static rls2_status take_test_of(rls2_plan *plan, int64_t g, const int64_t *rows,
                                const int64_t *train_rows, rls2_error *err)
{
    rls2__plan_matrix *matrix = &plan->matrices[g];
    int64_t n = rls2_dataset_rows(plan->test.data), train_n = rls2_dataset_rows(plan->train.data);
    rls2_status status = check_entries(plan, matrix, n, rows, train_n, train_rows, err);
    if (status != RLS2_OK) return status;
    matrix->test = take(matrix, n, rows, train_n, train_rows);
    matrix->test_diagonal = rls2__alloc(n, sizeof(double));
    if (!matrix->test || !matrix->test_diagonal) return rls2__plan_memory_out(plan, err);
    for (int64_t i = 0; i < n; i++)
        matrix->test_diagonal[i] = matrix->whole[rows[i] * matrix->rows + rows[i]];
    plan->test_given[g] = matrix->test;
    plan->test_diagonals[g] = matrix->test_diagonal;
    return RLS2_OK;
}

static rls2_status take_test(rls2_plan *plan, const int64_t *train_rows, rls2_error *err)
{
    int64_t *rows = file_rows(plan->test.data, plan->test.rows);
    rls2_status status = rows ? RLS2_OK : rls2__plan_memory_out(plan, err);
    for (int64_t g = 0; g < plan->matrix_count && status == RLS2_OK; g++)
        status = take_test_of(plan, g, rows, train_rows, err);
    rls2__free(rows);
    return status;
}

/* ---- all of it ---- */

/* A file of LIBSVM's precomputed form holds the matrix among its columns, before the target. */
static rls2_status add_precomputed(rls2_plan *plan, rls2_error *err)
{
    static const char OWN[] = "precomputed";
    const rls2_table *file = plan->file;
    if (!rls2_table_is_precomputed(file)) return RLS2_OK;
    for (int64_t g = 0; g < plan->matrix_count; g++)
        if (strcmp(plan->matrices[g].name, OWN) == 0) return RLS2_OK;
    int64_t n = rls2_table_rows(file), columns = rls2_table_columns(file) - 1;
    if (columns != n)
        return rls2__plan_refuse(plan, NULL, err, RLS2_ERR_VALUE,
                                 "matrix '%s' is %" PRId64 " x %" PRId64 "; it must be %" PRId64
                                 " x %" PRId64
                                 ": one row and one column for each row of the data file",
                                 OWN, n, columns, n, n);
    plan->precomputed = rls2__alloc(rls2__mul(n, n), sizeof(double));
    if (!plan->precomputed) return rls2__plan_memory_out(plan, err);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) plan->precomputed[j * n + i] = rls2_table_value(file, i, j);
    return rls2__plan_add_matrix(plan, OWN, n, plan->precomputed, err);
}

static rls2_status check_matrices(rls2_plan *plan, rls2_error *err)
{
    int64_t rows = rls2_table_rows(plan->file);
    if (plan->test_table || plan->validation_table)
        return rls2__plan_refuse(
            plan, plan->test_table ? "test-rows" : "validation-rows", err, RLS2_ERR_ARGUMENT,
            "with precomputed matrices use %s, not a separate table: one matrix holds all rows",
            rls2__plan_name(plan, plan->test_table ? "test-rows" : "validation-rows").text);
    for (int64_t g = 0; g < plan->matrix_count; g++)
        if (plan->matrices[g].rows != rows)
            return rls2__plan_refuse(plan, NULL, err, RLS2_ERR_VALUE,
                                     "matrix '%.100s' has %" PRId64 " rows; the data have %" PRId64,
                                     plan->matrices[g].name, plan->matrices[g].rows, rows);
    return RLS2_OK;
}

static rls2_status reserve(rls2_plan *plan, rls2_error *err)
{
    int64_t count = plan->matrix_count;
    plan->given_names = rls2__alloc_zero(count, sizeof(char *));
    plan->given = rls2__alloc_zero(count, sizeof(double *));
    plan->choosing_given = rls2__alloc_zero(count, sizeof(double *));
    plan->test_given = rls2__alloc_zero(count, sizeof(double *));
    plan->test_diagonals = rls2__alloc_zero(count, sizeof(double *));
    if (!plan->given_names || !plan->given || !plan->choosing_given || !plan->test_given ||
        !plan->test_diagonals)
        return rls2__plan_memory_out(plan, err);
    for (int64_t g = 0; g < count; g++) plan->given_names[g] = plan->matrices[g].name;
    return RLS2_OK;
}

static void lend_to_test(rls2_plan *plan)
{
    const rls2_dataset *test = plan->test.data;
    plan->test_rows = (rls2_rows){.n = rls2_dataset_rows(test),
                                  .p = rls2_dataset_columns(test),
                                  .x = rls2_dataset_x(test),
                                  .given_count = plan->matrix_count,
                                  .given = plan->test_given,
                                  .given_diagonal = plan->test_diagonals};
}

rls2_status rls2__plan_take_matrices(rls2_plan *plan, rls2_error *err)
{
    int64_t *rows = NULL;
    rls2_status status = add_precomputed(plan, err);
    if (status == RLS2_OK && plan->matrix_count > 0) {
        status = check_matrices(plan, err);
        if (status == RLS2_OK) status = reserve(plan, err);
        if (status == RLS2_OK && !(rows = file_rows(plan->train.data, plan->train.rows)))
            status = rls2__plan_memory_out(plan, err);
        if (status == RLS2_OK) status = take_train(plan, rows, err);
        if (status == RLS2_OK) status = take_choosing(plan, err);
    }
    rls2__free(rows);
    return status;
}

rls2_status rls2__plan_take_test_matrices(rls2_plan *plan, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    if (!plan->test.data) return RLS2_OK;
    if (plan->matrix_count > 0) {
        int64_t *rows = file_rows(plan->train.data, plan->train.rows);
        status = rows ? take_test(plan, rows, err) : rls2__plan_memory_out(plan, err);
        rls2__free(rows);
    }
    lend_to_test(plan);
    return status;
}
