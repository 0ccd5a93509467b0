/* Tables: data as it stands in a file, and the numeric data set made of it.
 *
 * A table keeps every cell as it was written; a column is numeric when all its
 * non-empty cells are numbers. A dataset is what the learner sees: an n x p
 * column-major matrix with named columns, and a response y. */
#ifndef RLS2_TABLE_H
#define RLS2_TABLE_H

#include "rls2/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rls2_table rls2_table;
typedef struct rls2_dataset rls2_dataset;

/* Reads a CSV file with a header row: RFC 4180 quotes, LF or CRLF, optional BOM.
 * Blanks around a cell or a name are left out, quotes keep them. An empty cell is
 * missing. An empty line is skipped, except in a table of one column, where it is a
 * missing cell. Errors name file:line and column. Numbers are read exactly and
 * independently of the locale; "inf", "nan", "NA" and hexadecimal are text. */
RLS2_API rls2_status rls2_table_read_csv(const char *path, rls2_table **table, rls2_error *err);

/* The same from memory; `name` stands for the file in messages. */
RLS2_API rls2_status rls2_table_parse_csv(const char *name, const char *text, int64_t length,
                                          rls2_table **table, rls2_error *err);
RLS2_API void rls2_table_free(rls2_table *table);

/* -1 if the table is NULL. */
RLS2_API int64_t rls2_table_rows(const rls2_table *table);
RLS2_API int64_t rls2_table_columns(const rls2_table *table);
/* NULL if there is no such column. */
RLS2_API const char *rls2_table_column_name(const rls2_table *table, int64_t column);
/* Index of the column of that name, -1 if there is none. */
RLS2_API int64_t rls2_table_find(const rls2_table *table, const char *name);
/* 1 if every non-empty cell of the column is a finite number. */
RLS2_API int rls2_table_is_numeric(const rls2_table *table, int64_t column);
/* The cell without its quotes; "" where it is missing or out of range. */
RLS2_API const char *rls2_table_cell(const rls2_table *table, int64_t row, int64_t column);

/* How a table becomes a dataset. Start from rls2_dataset_options_default(). */
typedef struct rls2_dataset_options {
    const char *target;      /* column of the response; required */
    const char *const *drop; /* columns left out, `drop_count` of them */
    int64_t drop_count;
    int drop_missing; /* 1 (default): rows with an empty cell are left out; 0: they are an error */
    int classify;     /* -1 (default): a text target means two classes; 0: regression; 1: two classes */
    int reference;    /* 1: the last indicator of the first categorical column is left out (default 0) */
    const char *const *categorical; /* columns taken as text whatever they hold, */
    int64_t categorical_count;      /* this many */
} rls2_dataset_options;

RLS2_API rls2_dataset_options rls2_dataset_options_default(void);

/* Text columns become 0/1 indicators "column=value", values in order of first
 * appearance in the rows kept. Two classes become y = -1 (the first label in sorted
 * order, by value if both are numbers) and y = +1. Constant columns are kept: what to
 * do with them is the caller's choice.
 *
 * Only cells of the target and of the inputs count as missing, not those of dropped
 * columns. A column that is not all numbers although at least half of its non-empty
 * cells are is taken for a slip, not for text: the error names its first cell that is
 * not a number ("housing.csv:17: column 'rm': 'abc' is not a number"). To use such a
 * column as text list it in `categorical`; a target is exempt where classify is 1. An
 * unknown column name is RLS2_ERR_NAME, with a near name suggested. There may be no
 * inputs at all, for kernels that are given as matrices. The table can be freed
 * afterwards.
 *
 * This is for the data a model is trained on. For new data use rls2_dataset_create_like:
 * rows encoded on their own do not fit a model, their indicators, labels and standardising
 * may stand for something else. */
RLS2_API rls2_status rls2_dataset_create(const rls2_table *table, const rls2_dataset_options *options,
                                         rls2_dataset **dataset, rls2_error *err);

/* New rows made exactly as `training` was: the same columns found by name whatever their
 * order in the table, the same indicators, labels and standardising, so that equal cells
 * give equal bits. Other columns of the table are not looked at.
 *
 * The target may be absent, and then rls2_dataset_y is NULL. A missing input is
 * RLS2_ERR_NAME, with a near name suggested. An input, or a target, of numbers must be
 * numeric in this table too. A text that is not one of the training values is
 * RLS2_ERR_VALUE ("new.csv:3: column 'motor': 'Z' was not among the training values
 * (A, B, C, ...)"), as is a label of neither class, and a number so far out that it
 * overflows when standardised; the value left out by `reference` is known and is zero in
 * all indicators. Rows with an empty cell, in the inputs or in the target if it is there,
 * are left out or are an error as `drop_missing` was for the training data.
 *
 * Standardised if `training` is at the time of the call. Both table and training, which
 * may itself have been made like another, are only read and can be freed afterwards, in
 * any order; so could the training table before. Several threads may use one `training`.
 * Free the result with rls2_dataset_free. One pass over the table; memory for x and y. */
RLS2_API rls2_status rls2_dataset_create_like(const rls2_table *table, const rls2_dataset *training,
                                              rls2_dataset **dataset, rls2_error *err);
RLS2_API void rls2_dataset_free(rls2_dataset *dataset);

/* Of a NULL dataset: sizes are -1 and pointers NULL. */
RLS2_API int64_t rls2_dataset_rows(const rls2_dataset *dataset);
RLS2_API int64_t rls2_dataset_columns(const rls2_dataset *dataset);
RLS2_API const char *const *rls2_dataset_names(const rls2_dataset *dataset);
/* Column-major, rows x columns, owned by the dataset. */
RLS2_API const double *rls2_dataset_x(const rls2_dataset *dataset);
/* Owned by the dataset; NULL if it was made like another from a table without target. */
RLS2_API const double *rls2_dataset_y(const rls2_dataset *dataset);
/* 0-based row of the table that became this row of the dataset; -1 if out of range. */
RLS2_API int64_t rls2_dataset_source_row(const rls2_dataset *dataset, int64_t row);
/* Rows left out because a cell was empty. */
RLS2_API int64_t rls2_dataset_dropped(const rls2_dataset *dataset);
/* 1 for two classes. */
RLS2_API int rls2_dataset_is_classification(const rls2_dataset *dataset);
/* The label of y = -1 (sign < 0) or y = +1 (sign > 0); NULL if there are no classes. */
RLS2_API const char *rls2_dataset_label(const rls2_dataset *dataset, int sign);

/* Zero mean and unit standard deviation (divisor n-1) for every column, over all
 * rows. A constant column becomes zero. A data set is standardised once: a second call
 * changes nothing, nor does a call on rows made like a standardised data set. Standardise
 * the training data before making new rows like them; rows made before stay as they are. */
RLS2_API void rls2_dataset_standardize(rls2_dataset *dataset);

/* What was taken off each column of x, and by what it was then divided, in the units of
 * the column; of the training data, for rows made like them. Owned by the dataset; NULL
 * before standardising. The deviation is 0 for a constant column, which becomes zero in
 * new rows as well, whatever they hold. These are rounded: to transform new rows to the
 * last bit use rls2_dataset_create_like. */
RLS2_API const double *rls2_dataset_means(const rls2_dataset *dataset);
RLS2_API const double *rls2_dataset_deviations(const rls2_dataset *dataset);

#ifdef __cplusplus
}
#endif
#endif
