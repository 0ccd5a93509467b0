/* Tables: data as it stands in a file, and the numeric data set made of it.
 *
 * A table keeps every cell, as it was written in a text file or as the number a binary
 * file holds; a column is numeric when all its non-empty cells are numbers. A dataset is
 * what the learner sees: an n x p column-major matrix with named columns, and one response
 * y or several. */
#ifndef RLS2_TABLE_H
#define RLS2_TABLE_H

#include <stddef.h>

#include "rls2/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rls2_table rls2_table;
typedef struct rls2_dataset rls2_dataset;

/* What the cells of a column are. */
typedef enum rls2_column_kind {
    RLS2_COLUMN_NUMBERS = 0,
    RLS2_COLUMN_TEXT = 1, /* categories */
    RLS2_COLUMN_DATES = 2 /* days since 1970-01-01, with the time as a fraction */
} rls2_column_kind;

/* What a file holds. Wherever the bytes may be compressed by gzip, they are unpacked
 * first. */
typedef enum rls2_format {
    RLS2_FORMAT_AUTO =
        0, /* found from the first bytes, then from the name, then from the first line */
    RLS2_FORMAT_CSV = 1, /* cells between commas, tabs, ..., RFC 4180 quotes */
    RLS2_FORMAT_LIBSVM =
        2, /* LIBSVM/svmlight: label index:value ...; also precomputed kernels, 0:i first */
    RLS2_FORMAT_NPY = 3, /* one numpy array */
    RLS2_FORMAT_NPZ = 4, /* numpy arrays X, and y and T where there are */
    RLS2_FORMAT_MAT = 5  /* MATLAB file with variables X, and Y and T where there are */
} rls2_format;

/* How a file is read. Fill it by rls2_read_options_init(&options, sizeof options); NULL means the
 * same. */
typedef struct rls2_read_options {
    size_t size;
    rls2_format format; /* default AUTO */
    char delimiter; /* of CSV: ',', '\t', ';', '|', ' ' for runs of blanks, or another; 0 (default):
                       found from the first lines */
    int header;     /* of CSV: 1: the first row holds the names; 0: there is none; -1 (default):
                       found from the first lines */
    char decimal;   /* of CSV: what stands before the decimals of a number, '.' or ','; 0 (default):
                     found for each column */
    const char *const *na; /* of CSV: cells that are one of these texts, `na_count` of them, are
                              missing, as empty ones are; */
    int64_t na_count;      /* -1 (default): the usual words are */
    /* What is to be made of a file at most; 0 (default): as much as there is memory for. Beyond it
     * reading is RLS2_ERR_MEMORY, before memory is taken for more. What a stream hands out piece by
     * piece is not limited. */
    int64_t max_bytes; /* that compressed bytes, of the file or in it, unpack to */
    int64_t max_cells; /* of the table, absent zeros too, with six more for each column */
    /* The program that writes a Parquet or Feather file as CSV to its standard output: its name and
     * arguments, ended by NULL, behind which the path of the file is put. It is looked for along
     * PATH and runs anew for each pass over the rows. NULL (default): such files are refused, and
     * no program is ever started. Borrowed as long as something is read with these options. */
    const char *const *converter;
} rls2_read_options;

RLS2_API void rls2_read_options_init(rls2_read_options *options, size_t size);

/* Reads a whole file; "-" is the standard input. Errors name file:line and column.
 *
 * CSV: RFC 4180 quotes, LF or CRLF, optional BOM. Blanks around a cell or a name are
 * left out, quotes keep them. An empty cell is missing. An empty line is skipped, except
 * in a table of one column, where it is a missing cell. Numbers are read exactly and
 * independently of the locale; "inf" and hexadecimal are text. What the options leave open is
 * found, and what may not be what the author meant is told in notes:
 *   - delimiter and header from the first eleven lines: the delimiter cuts them into as many cells;
 *     a first line that has numbers where the columns are numbers is data, and the columns are
 *     then x1, x2, ...;
 *   - a first column without a name, or a header one cell short, is row names. Other columns
 *     without a name are columnJ, and the second of two that are called NAME is NAME.1;
 *   - the usual words for missing values, not in quotes: NA N/A n/a NaN nan null NULL None <NA>
 *     #N/A NaT; these in quotes, and ?, . and -, where the rest of the column is numbers;
 *   - columns of numbers with decimal commas, separated thousands, percent or currency signs, and
 *     of dates: where all cells can be read so, or nine in ten of at least twenty, which makes the
 *     others slips. A time zone does not change the clock;
 *   - UTF-16 becomes UTF-8, and so does each line that is not UTF-8 and then is Windows-1252.
 *
 * LIBSVM: columns x1, x2, ... up to the largest index, absent ones zero, and y last.
 * Indices ascend within a line; text after # is a comment; svmlight's qid:N is refused.
 * Where every line starts with 0:i the table is a precomputed kernel: columns k1, k2, ...
 * and y, and rls2_table_is_precomputed is 1.
 *
 * NPY: a matrix (a vector is one column) of floats, integers or booleans; columns
 * x1, x2, ... NPZ and MAT: X (rows are examples), y or Y with as many rows (a matrix of q
 * columns gives y1 .. yq), and T, a vector that is not zero for test rows, as column T.
 * NaN is a missing cell; infinity is refused. MAT files may be of version 5 to 7.3.
 *
 * O(size) time. Memory: a text file stays in memory, with 12 bytes for each cell; the
 * others take 8 bytes a cell. */
RLS2_API rls2_status rls2_table_read(const char *path, const rls2_read_options *options,
                                     rls2_table **table, rls2_error *err);

/* The same from memory; `name` stands for the file in messages and, by its ending, helps to
 * find the format. */
RLS2_API rls2_status rls2_table_parse(const char *name, const void *bytes, int64_t length,
                                      const rls2_read_options *options, rls2_table **table,
                                      rls2_error *err);

/* A column in memory, of `rows` cells: numbers, row i being numbers[i * stride] (any stride, also 0
 * or negative; NaN is a missing cell); or texts (NULL, and "", is a missing cell); or both, and
 * then a cell is its text, and where that is NULL its number. Everything is borrowed for the call.
 * Never changes: rls2.h. */
typedef struct rls2_column {
    const char *name;
    const double *numbers;    /* NULL: there are none */
    int64_t stride;           /* in doubles */
    const char *const *texts; /* NULL: there are none */
} rls2_column;

/* A table of `count` columns in memory, all of them copied; `name` stands for it in messages, which
 * tell rows by their numbers from 1. It is what a file of the same cells is when it was read: a
 * text that is a number counts as one, as in a quoted cell of CSV, a column of numbers and texts is
 * what it is there, and a number that somebody wants as a text (the label of a class, a column of
 * `categorical`) is written shortest; but words such as "NA" are missing only where the rest of the
 * column is numbers. Names are unique, not empty, and UTF-8: RLS2_ERR_ARGUMENT otherwise. An
 * infinite number is RLS2_ERR_VALUE. O(size); 8 bytes for each cell, and 4 more and the texts where
 * there are some. */
RLS2_API rls2_status rls2_table_create(const char *name, int64_t rows, int64_t count,
                                       const rls2_column *columns, rls2_table **table,
                                       rls2_error *err);

/* A file read piece by piece, in memory that does not grow with it: CSV or NPY, compressed or
 * not, from a file or the standard input ("-"). Other formats are read whole and come as
 * one piece, and so does an array that lies by columns and is compressed or piped. */
typedef struct rls2_stream rls2_stream;
RLS2_API rls2_status rls2_stream_open(const char *path, const rls2_read_options *options,
                                      rls2_stream **stream, rls2_error *err);
/* The next rows, `rows` of them or fewer, as a table of its own, which the caller frees;
 * *table is NULL at the end. Lines are counted from the start of the file, rows from the
 * start of the piece. A column may be numeric in one piece and not in another, and decimal signs,
 * dates and the words ?, . and - are left to the model that reads the rows. */
RLS2_API rls2_status rls2_stream_next(rls2_stream *stream, int64_t rows, rls2_table **table,
                                      rls2_error *err);
RLS2_API void rls2_stream_close(rls2_stream *stream);

/* CSV with a header, as rls2_table_read and rls2_table_parse with format CSV and
 * delimiter ','. */
RLS2_API rls2_status rls2_table_read_csv(const char *path, rls2_table **table, rls2_error *err);
RLS2_API rls2_status rls2_table_parse_csv(const char *name, const char *text, int64_t length,
                                          rls2_table **table, rls2_error *err);

/* The rows with those 0-based numbers, in that order, as a table of its own; texts are
 * shared, not copied. Lines and columns stay what they were, kinds are counted anew. */
RLS2_API rls2_status rls2_table_take(const rls2_table *table, int64_t count, const int64_t *rows,
                                     rls2_table **taken, rls2_error *err);
/* The rows of `first` and, below them, those of `second`, as a table of its own: the columns are
 * those of `first`, found in `second` by name; others of `second` are left out. A column that
 * `second` lacks is RLS2_ERR_NAME, but for those beyond the last of a LIBSVM file, which are zero.
 * Formats may differ: numbers of a binary file below or above texts are then texts too. Texts are
 * copied; both tables may be freed afterwards. Lines are those of the file each row came from, and
 * messages name that file. Kinds are counted anew. */
RLS2_API rls2_status rls2_table_stack(const rls2_table *first, const rls2_table *second,
                                      rls2_table **stacked, rls2_error *err);
RLS2_API void rls2_table_free(rls2_table *table);

RLS2_API int64_t rls2_table_rows(const rls2_table *table);
RLS2_API int64_t rls2_table_columns(const rls2_table *table);
/* NULL if there is no such column. */
RLS2_API const char *rls2_table_column_name(const rls2_table *table, int64_t column);
/* Index of the column of that name, -1 if there is none. */
RLS2_API int64_t rls2_table_find(const rls2_table *table, const char *name);
/* 1 if every non-empty cell of the column is a finite number, or every one a date. */
RLS2_API int rls2_table_is_numeric(const rls2_table *table, int64_t column);
/* What its cells are, missing ones not counted: text where at least one is neither number nor date.
 * RLS2_COLUMN_NUMBERS if there is no such column. */
RLS2_API rls2_column_kind rls2_table_kind(const rls2_table *table, int64_t column);
/* The column that only names the rows, as the unnamed first one in files of R and pandas; NULL
 * where there is none. It is no input of a dataset unless it is asked for. */
RLS2_API const char *rls2_table_row_names(const rls2_table *table);
/* What was found when the table was read and may not be what its author meant: sentences without
 * the name of the file, owned by the table. NULL if there is no such note. */
RLS2_API int64_t rls2_table_note_count(const rls2_table *table);
RLS2_API const char *rls2_table_note(const rls2_table *table, int64_t note);
/* The setting (rls2/settings.h), and its value where value is not NULL, with which the file would
 * be read otherwise than the note tells: header, na, decimal. NULL where there is none. Static. */
RLS2_API const char *rls2_table_note_undo(const rls2_table *table, int64_t note,
                                          const char **value);
/* Cells of the column that are empty, or NaN in a binary file. 0 if there is no such column. */
RLS2_API int64_t rls2_table_missing(const rls2_table *table, int64_t column);
/* How many different values the column has, missing ones not counted and numbers compared by
 * value; at most `limit`, at which the search stops. 0 if there is no such column; -1 if memory is
 * out. */
RLS2_API int64_t rls2_table_distinct(const rls2_table *table, int64_t column, int64_t limit);
/* The cell without its quotes; "" where it is missing or out of range, in tables that were read
 * from a file other than CSV, and for numbers that were given as such. */
RLS2_API const char *rls2_table_cell(const rls2_table *table, int64_t row, int64_t column);
/* The cell as a number; NaN where it is text, missing or out of range. */
RLS2_API double rls2_table_value(const rls2_table *table, int64_t row, int64_t column);
/* 1 if the cell holds that value: as a number (or date) if both are, else as text. */
RLS2_API int rls2_table_holds(const rls2_table *table, int64_t row, int64_t column,
                              const char *value);
/* Line of the file on which the row begins, from 1; the number of the row where the file has no
 * lines; -1 if out of range. */
RLS2_API int64_t rls2_table_line(const rls2_table *table, int64_t row);
/* The column that is the target by the convention of the format: y of LIBSVM, NPZ and MAT (where it
 * has one column); NULL where there is none. */
RLS2_API const char *rls2_table_target(const rls2_table *table);
/* All of them, y1 .. yq where y has several columns: how many, and their names, owned by the table.
 */
RLS2_API int64_t rls2_table_targets(const rls2_table *table, const char *const **names);
/* The column that marks test rows by the convention of the format: T of NPZ and MAT; else NULL. */
RLS2_API const char *rls2_table_marker(const rls2_table *table);
/* 1 if the columns k1, k2, ... are a precomputed kernel between these rows and the training rows.
 */
RLS2_API int rls2_table_is_precomputed(const rls2_table *table);
/* "CSV", "LIBSVM", ..., or "memory"; static. NULL if the table is NULL. */
RLS2_API const char *rls2_table_format(const rls2_table *table);
/* 1 if the first line of a CSV file was taken for names, as given or found; 0 of other tables. */
RLS2_API int rls2_table_header(const rls2_table *table);
/* What separates the cells of a CSV file, as given or found: ',', '\t', ';' or another. '\0' of
 * other tables. */
RLS2_API char rls2_table_delimiter(const rls2_table *table);

/* What becomes of rows with an empty cell in an input. Those without target or row weight are left
 * out, or an error where these are. */
typedef enum rls2_missing {
    RLS2_MISSING_AS_TRAINED = -1, /* of new rows: what was done for the training data */
    RLS2_MISSING_ERROR = 0,       /* the first of them is an error */
    RLS2_MISSING_DROP = 1,        /* they are left out */
    /* A number becomes the median of its column, a text its most frequent category (the first of
     * several), both over the training rows, which count by their weights; and an input that has
     * empty cells in training rows has one more column, "column=missing", 1 where the cell is
     * empty. A column that is empty in all rows has no columns. */
    RLS2_MISSING_IMPUTE = 2
} rls2_missing;

/* How a table becomes a dataset. Fill it by rls2_dataset_options_init(&options, sizeof options). */
typedef struct rls2_dataset_options {
    size_t size;
    const char *target; /* column of the response; NULL: there is none, all columns are inputs */
    const char *const *targets; /* several responses, all of numbers, `target_count` of them, in
                                   place of `target`, */
    int64_t target_count;       /* which is NULL then; 0 (default): there are none */
    /* Column that says how many rows a row stands for: numbers, not negative; NULL (default): each
     * is one. It is not an input. Rows of weight 0 are left out. */
    const char *row_weights;
    const char *const *drop; /* columns left out, `drop_count` of them */
    int64_t drop_count;
    rls2_missing missing; /* DROP (default), IMPUTE or ERROR */
    int classify;         /* -1 (default): a text target means classes; 0: regression; 1: classes */
    int reference; /* 1: the last indicator of the first categorical column is left out (default 0)
                    */
    const char *const
        *categorical;          /* columns taken as text whatever they hold ("1" is not "1.0"), */
    int64_t categorical_count; /* this many */
    /* Fewest rows of a category that has a column of its own; where several have fewer they share
     * "column=other". 0 (default): all have their own. -1: in columns of more than 20 categories
     * those of fewer than 3 rows, or one in 200, are pooled, and all but the 100 most frequent. */
    int64_t rare;
    /* How often the response of a single target of numbers is repeated, as so many outputs: one for
     * each of several quantiles. 0 (default), 1: it is there once. */
    int64_t copies;
    const char *const *copy_names; /* copies: what these outputs are called */
} rls2_dataset_options;

RLS2_API void rls2_dataset_options_init(rls2_dataset_options *options, size_t size);

/* Text columns become 0/1 indicators "column=value", values in order of first appearance in the
 * rows kept. Dates become a number, "column", days since 1970-01-01 with the time of day as a
 * fraction, and those of "column.year", "column.month" (1..12), "column.weekday" (1 Monday .. 7)
 * and "column.hour" (with fraction) that differ between rows. The table's row names are no input
 * unless they are listed in `categorical`. Classes are put in the sorted order of their labels, by
 * value if all are numbers. Two classes are one response, y = -1 (the first) and y = +1; of K > 2
 * classes there are K responses, y = +1 in the rows of the class and -1 in all others (one versus
 * all). A single class is an error, as are more classes than half the rows: such a column names
 * rows, it does not class them. Constant columns are kept: what to do with them is the caller's
 * choice.
 *
 * Only cells of the target and of the inputs count as missing, not those of dropped columns. A
 * column that is not all numbers although at least half of its non-empty cells are is taken for a
 * slip, not for text: the error names its first cell that is not a number ("housing.csv:17: column
 * 'rm': 'abc' is not a number"). To use such a column as text list it in `categorical`; a target is
 * exempt where classify is 1. An unknown column name is RLS2_ERR_NAME, with a near name suggested.
 * There may be no inputs at all, for kernels that are given as matrices. The table can be freed
 * afterwards.
 *
 * This is for the data a model is trained on. For new data use rls2_dataset_create_like: rows
 * encoded on their own do not fit a model, their indicators, labels and standardising may stand for
 * something else. */
RLS2_API rls2_status rls2_dataset_create(const rls2_table *table,
                                         const rls2_dataset_options *options,
                                         rls2_dataset **dataset, rls2_error *err);

/* New rows made exactly as `training` was: the same columns found by name whatever their order in
 * the table, the same indicators, labels and standardising, so that equal cells give equal bits.
 * Other columns of the table are not looked at.
 *
 * The target may be absent, and then rls2_dataset_y is NULL; where one of several is, none is
 * looked at. So may the row weights: rls2_dataset_row_weights is NULL then. A missing input is
 * RLS2_ERR_NAME, with a near name suggested. An input, or a target, of numbers must be numeric in
 * this table too, and is read as the training rows were written. A text that is not one of the
 * training values is "column=other" where values were pooled, else zero in all indicators, as is
 * the value left out by `reference`; but where `missing` was ERROR it is RLS2_ERR_VALUE
 * ("new.csv:3: column 'motor': 'Z' was not among the training values (A, B, C, ...)"). So is a
 * label of none of the classes, and a number so far out that it overflows when standardised. Rows
 * with an empty cell, in the inputs or in the target if it is there, are left out, imputed by what
 * was learned from the training rows, or an error, as `missing` was for the training data.
 *
 * Standardised if `training` is at the time of the call. Both table and training, which may itself
 * have been made like another, are only read and can be freed afterwards, in any order; so could
 * the training table before. Several threads may use one `training`. Free the result with
 * rls2_dataset_free. One pass over the table; memory for x and y. */
RLS2_API rls2_status rls2_dataset_create_like(const rls2_table *table, const rls2_dataset *training,
                                              rls2_dataset **dataset, rls2_error *err);
RLS2_API void rls2_dataset_free(rls2_dataset *dataset);

RLS2_API int64_t rls2_dataset_rows(const rls2_dataset *dataset);
RLS2_API int64_t rls2_dataset_columns(const rls2_dataset *dataset);
RLS2_API const char *const *rls2_dataset_names(const rls2_dataset *dataset);
/* The columns of the table that are learned from, in its order: how many, and of each its name,
 * what it is, and its columns of x, which lie side by side: how many, and *first, the first of them
 * (`first` may be NULL). NULL, RLS2_COLUMN_NUMBERS and 0 if there is no such input. */
RLS2_API int64_t rls2_dataset_input_count(const rls2_dataset *dataset);
RLS2_API const char *rls2_dataset_input_name(const rls2_dataset *dataset, int64_t input);
RLS2_API rls2_column_kind rls2_dataset_input_kind(const rls2_dataset *dataset, int64_t input);
RLS2_API int64_t rls2_dataset_input_columns(const rls2_dataset *dataset, int64_t input,
                                            int64_t *first);
/* Column-major, rows x columns, owned by the dataset. */
RLS2_API const double *rls2_dataset_x(const rls2_dataset *dataset);
/* Responses: 1; the number of classes where there are more than two; the number of `targets`. 0
 * where no target was named. Rows made like others have as many, also where their table lacks the
 * target. */
RLS2_API int64_t rls2_dataset_outputs(const rls2_dataset *dataset);
/* What response o is: the label of its class where there are more than two, else the column. NULL
 * if out of range. */
RLS2_API const char *rls2_dataset_output_name(const rls2_dataset *dataset, int64_t o);
/* rows x outputs, column-major, owned by the dataset; NULL if it was made like another from a table
 * without target (or without one of several). */
RLS2_API const double *rls2_dataset_y(const rls2_dataset *dataset);
/* Weights of the rows, positive, owned by the dataset; NULL where no column of weights was named,
 * and for rows made like others from a table without it. A row of weight 2 counts as two rows
 * wherever rows are counted: in means and deviations, scalings, fits and scores. */
RLS2_API const double *rls2_dataset_row_weights(const rls2_dataset *dataset);
/* Weights to fit with: w[rows] = that of the row (1 without a column) times that of its class.
 * `classes` is NULL (all 1), "balanced" (rows / (classes * rows of the class), counted with their
 * weights, over the classes that occur here, so that each has the same sum), or a list
 * "label=number,label=number" in which labels not named weigh 1. Numbers are positive and finite.
 * A label may hold commas and equal signs: of those that fit the longest is meant. Numbers that are
 * labels are the same by value. RLS2_ERR_NAME for a label that does not exist, with a near one
 * suggested; RLS2_ERR_ARGUMENT for class weights without classes, or a label named twice;
 * RLS2_ERR_SYNTAX for what is no such list; RLS2_ERR_VALUE for a weight that is not positive, or
 * out of range when multiplied. `w` is written on success only. */
RLS2_API rls2_status rls2_dataset_fit_weights(const rls2_dataset *dataset, const char *classes,
                                              double *w, rls2_error *err);
/* 0-based row of the table that became this row of the dataset; -1 if out of range. */
RLS2_API int64_t rls2_dataset_source_row(const rls2_dataset *dataset, int64_t row);
/* Rows left out because a cell was empty, or the weight 0. */
RLS2_API int64_t rls2_dataset_dropped(const rls2_dataset *dataset);
/* Cells of inputs that were empty and imputed, and those of a category that the training rows do
 * not have. */
RLS2_API int64_t rls2_dataset_imputed(const rls2_dataset *dataset);
RLS2_API int64_t rls2_dataset_unseen(const rls2_dataset *dataset);
/* 1 if there are classes. */
RLS2_API int rls2_dataset_is_classification(const rls2_dataset *dataset);
/* How many, 0 for regression; and the label of each, in sorted order, as it was written first; NULL
 * if out of range. Of two classes number 0 is y = -1 and number 1 is y = +1. */
RLS2_API int64_t rls2_dataset_class_count(const rls2_dataset *dataset);
RLS2_API const char *rls2_dataset_class_label(const rls2_dataset *dataset, int64_t k);
/* The class of each row, owned by the dataset; NULL where there are none or rls2_dataset_y is NULL.
 */
RLS2_API const int64_t *rls2_dataset_classes(const rls2_dataset *dataset);

/* What is done to numbers before they are learned from: to each example (over its columns), then
 * to each feature (over the rows of the training data). */
typedef enum rls2_normalize {
    RLS2_NORMALIZE_NONE = 0,
    RLS2_NORMALIZE_CENTER = 1,      /* the mean is taken off */
    RLS2_NORMALIZE_STANDARDIZE = 2, /* and then divided by the standard deviation (divisor count -
                                       1, or sum of weights - 1) */
    RLS2_NORMALIZE_UNIT = 3         /* divided by the Euclidean length */
} rls2_normalize;

/* Preprocesses the rows in place and remembers how, for rows made like them later. What has no
 * spread (a constant feature to be standardised, a zero one to be of length one) becomes zero, in
 * new rows too. Features are measured over these rows alone, unless `also` (not NULL) is a data set
 * made like this one: then over the rows of both, and `also` is preprocessed too (transductive
 * preprocessing). Means, deviations and lengths count each row by its weight, 1 in a data set
 * without weights. Weights that sum to 1 or less, within 1e-9, are no more than one row, which has
 * no deviation: RLS2_ERR_VALUE where features are to be standardised. A data set is preprocessed
 * once: RLS2_ERR_ARGUMENT if either was already. New rows made before stay as they are. A number
 * that overflows is RLS2_ERR_VALUE. After an error nothing has changed. */
RLS2_API rls2_status rls2_dataset_preprocess(rls2_dataset *dataset, rls2_normalize examples,
                                             rls2_normalize features, rls2_dataset *also,
                                             rls2_error *err);
/* How the rows were preprocessed, or the rows they were made like. */
RLS2_API rls2_normalize rls2_dataset_example_rule(const rls2_dataset *dataset);
RLS2_API rls2_normalize rls2_dataset_feature_rule(const rls2_dataset *dataset);

/* What was taken off each column of x, and by what it was then divided, in the units of
 * the column; of the training data, for rows made like them. Owned by the dataset; NULL
 * where features were not preprocessed. The divisor is 0 for a column that becomes zero,
 * in new rows as well, whatever they hold; 1 where nothing is divided. These are rounded:
 * to transform new rows to the last bit use rls2_dataset_create_like. */
RLS2_API const double *rls2_dataset_means(const rls2_dataset *dataset);
RLS2_API const double *rls2_dataset_deviations(const rls2_dataset *dataset);

/* A 64-bit fingerprint of the rows as the learner sees them: x, y, names, and weights where there
 * are some. Equal rows have equal ones on every machine. */
RLS2_API uint64_t rls2_dataset_fingerprint(const rls2_dataset *dataset);

#ifdef __cplusplus
}
#endif
#endif
