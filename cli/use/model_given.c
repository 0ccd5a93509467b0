/* Reads precomputed kernel matrices, checks their shape and takes the entries in use. */
#include "cli/use/model_given.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/reading.h"

/* The name of the matrix of a LIBSVM file of the precomputed form. */
static const char PRECOMPUTED[] = "precomputed";

int64_t *file_rows(const rls2_dataset *data, const int64_t *taken)
{
    int64_t n = rls2_dataset_rows(data);
    int64_t *source = calloc((size_t)n + 1, sizeof *source);
    for (int64_t i = 0; source && i < n; i++) {
        int64_t row = rls2_dataset_source_row(data, i);
        source[i] = taken ? taken[row] : row;
    }
    return source;
}

void given_free(given_set *given)
{
    for (int64_t g = 0; g < given->count; g++) {
        if (given->matrices) free(given->matrices[g]);
        if (given->diagonals) free(given->diagonals[g]);
    }
    free(given->matrices);
    free(given->diagonals);
    *given = (given_set){0};
}

void given_use(const given_set *given, rls2_rows *rows)
{
    int known = given->count > 0;
    for (int64_t g = 0; g < given->count; g++) known = known && given->diagonals[g];
    rows->given_count = given->count;
    rows->given = (const double *const *)given->matrices;
    rows->given_diagonal = known ? (const double *const *)given->diagonals : NULL;
}

static int reserve(const settings *s, int64_t count, given_set *given)
{
    *given = (given_set){.count = count,
                         .matrices = calloc((size_t)count + 1, sizeof *given->matrices),
                         .diagonals = calloc((size_t)count + 1, sizeof *given->diagonals)};
    return given->matrices && given->diagonals ? EXIT_OK : out_of_memory(s);
}

/* ---- one matrix ---- */

/* Columns of the matrix within a table: all of them, or k1, k2, ... before y. */
static int64_t matrix_columns(const rls2_table *table)
{
    return rls2_table_columns(table) - (rls2_table_is_precomputed(table) ? 1 : 0);
}

static int check_shape(const settings *s, const rls2_table *matrix, const char *name,
                       const rls2_table *file, const given_range *range)
{
    int64_t rows = rls2_table_rows(matrix), columns = matrix_columns(matrix);
    int64_t examples = rls2_table_rows(file),
            wanted = range->columns ? examples : range->column_count;
    if (rows == examples && columns == wanted) return EXIT_OK;
    say_error(
        s, "matrix '%s' is %" PRId64 " x %" PRId64 "; it must be %" PRId64 " x %" PRId64 ": %s",
        name, rows, columns, examples, wanted,
        range->columns ? "one row and one column for each row of the data file"
                       : "one row for each row of the data file, one column for each training row");
    return EXIT_FAILED;
}

static int copy_entries(const settings *s, const rls2_table *matrix, const char *name,
                        const given_range *range, double *out)
{
    for (int64_t i = 0; i < range->row_count; i++)
        for (int64_t j = 0; j < range->column_count; j++) {
            int64_t column = range->columns ? range->columns[j] : j;
            double value = rls2_table_value(matrix, range->rows[i], column);
            if (isnan(value)) {
                say_error(s, "matrix '%s', line %" PRId64 ", column %" PRId64 ": not a number",
                          name, rls2_table_line(matrix, range->rows[i]), column + 1);
                return EXIT_FAILED;
            }
            out[j * range->row_count + i] = value;
        }
    return EXIT_OK;
}

/* The learning needs it exactly symmetric; what was done about that is said where it is more than
 * rounding. */
static void symmetrize(const settings *s, const char *name, int64_t n, double *matrix)
{
    static const double ROUNDING = 1e-14;
    double difference;
    /* what is not symmetric is refused later, with the entries that differ */
    if (rls2_matrix_symmetrize(n, matrix, &difference, NULL) == RLS2_OK && difference > ROUNDING)
        say(s,
            "matrix '%s' is symmetric to %.0e of its largest diagonal entry only: the mean of it "
            "and its transpose is used",
            name, difference);
}

static int take_matrix(const settings *s, const rls2_table *matrix, const char *name,
                       const rls2_table *file, const given_range *range, given_set *given,
                       int64_t g)
{
    int code = check_shape(s, matrix, name, file, range);
    if (code != EXIT_OK) return code;
    size_t rows = (size_t)range->row_count, columns = (size_t)range->column_count;
    given->matrices[g] = calloc(rows * columns + 1, sizeof(double));
    if (!given->matrices[g]) return out_of_memory(s);
    code = copy_entries(s, matrix, name, range, given->matrices[g]);
    if (code != EXIT_OK || !range->columns) return code;
    symmetrize(s, name, range->row_count, given->matrices[g]);
    given->diagonals[g] = calloc(rows + 1, sizeof(double));
    if (!given->diagonals[g]) return out_of_memory(s);
    for (int64_t i = 0; i < range->row_count; i++)
        given->diagonals[g][i] = rls2_table_value(matrix, range->rows[i], range->rows[i]);
    return EXIT_OK;
}

/* ---- all of them ---- */

/* The file of --given NAME=FILE; NULL if the command line does not name that matrix. */
static const char *file_of(const settings *s, const char *name)
{
    size_t length = strlen(name);
    for (int64_t i = 0; i < s->given.count; i++)
        if (strncmp(s->given.items[i], name, length) == 0 && s->given.items[i][length] == '=')
            return s->given.items[i] + length + 1;
    return NULL;
}

static int load_one(const settings *s, const rls2_table *file, const char *name,
                    const given_range *range, given_set *given, int64_t g)
{
    const char *path = file_of(s, name);
    if (!path && rls2_table_is_precomputed(file) && strcmp(name, PRECOMPUTED) == 0)
        return take_matrix(s, file, name, file, range, given, g);
    if (!path) {
        say_error(s, "the model uses the precomputed matrix '%s': give its file by --given %s=FILE",
                  name, name);
        return EXIT_USAGE;
    }
    rls2_table *matrix = NULL;
    int code = read_matrix(s, path, &matrix);
    if (code == EXIT_OK) code = take_matrix(s, matrix, name, file, range, given, g);
    rls2_table_free(matrix);
    return code;
}

int given_load(const settings *s, const rls2_table *file, const rls2_model *model,
               const given_range *range, given_set *given)
{
    int64_t count = rls2_model_given_count(model);
    int code = reserve(s, count, given);
    for (int64_t g = 0; g < count && code == EXIT_OK; g++)
        code = load_one(s, file, rls2_model_given_name(model, g), range, given, g);
    return code;
}
