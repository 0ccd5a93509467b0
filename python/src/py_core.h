/* The extension module rls2._core: what its files share.
 *
 * One file for each object of python/rls2/_core.pyi. Objects are made whole and do not change
 * afterwards, so that any number of Python threads may use one at the same time; only a plan and a
 * source are for one of them at a time, and statistics while they are changed, and say so. Calls
 * that take long run without the GIL. There is no state but that of the module. */
#ifndef RLS2_PYTHON_PY_CORE_H
#define RLS2_PYTHON_PY_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "rls2/rls2.h"

/* ---- the module ---- */

typedef struct core_state {
    PyObject *error; /* rls2.RLS2Error */
    PyTypeObject *array, *table, *arrow, *source, *profile, *stats, *data, *plan, *fit, *cv, *model;
    PyObject *point, *certificate, *scaling, *setting, *loss; /* named tuples */
} core_state;

/* Of an object of a type of this module, or of such a type. */
core_state *state_of(PyObject *self);
core_state *state_of_type(PyTypeObject *type);

/* Made by their files. */
extern PyType_Spec array_spec, table_spec, arrow_spec, source_spec, profile_spec, stats_spec,
    data_spec, plan_spec, fit_spec, cv_spec, model_spec;

/* What every dealloc ends with. */
void object_free(PyObject *self);

/* ---- errors ---- */

/* Raises what the library says as RLS2Error, MemoryError, OSError or FloatingPointError; an
 * exception that is there already stays. Always NULL. */
PyObject *raise_library(const core_state *state, const rls2_error *err);
/* The same for a file that was to be read: one that is not there, a folder and one that may not be
 * read have classes of their own, as Python's open has. Always NULL. */
PyObject *raise_reading(const core_state *state, const rls2_error *err, const char *path);
/* Raises RLS2Error as the library would. Always NULL. */
PyObject *raise_error(const core_state *state, rls2_status status, const char *format, ...);

/* ---- long calls ---- */

/* Lets the library run without the GIL, takes it back now and then to look for signals and to tell
 * somebody how far the work is. */
typedef struct watch {
    PyThreadState *thread; /* while the GIL is released */
    PyObject *callable;    /* NULL: nobody is told */
    double looked, told;   /* when, in seconds */
} watch;

watch watch_begin(PyObject *callable); /* releases the GIL; None is nobody */
/* Takes the GIL again; 0, or -1 where a signal handler or the callable raised an exception. */
int watch_end(watch *w);
/* What the library is given meanwhile; `w` stays where it is. */
rls2_control watch_control(watch *w, int threads);

/* ---- arrays out ---- */

/* Numbers that belong to `owner`, which is kept alive. columns < 0: one dimension. */
PyObject *array_of_doubles(const core_state *state, PyObject *owner, const double *values,
                           int64_t rows, int64_t columns);
PyObject *array_of_integers(const core_state *state, PyObject *owner, const int64_t *values,
                            int64_t rows);
/* Numbers from malloc, which the array frees (also where it cannot be made: NULL with an
 * exception). */
PyObject *array_own_doubles(const core_state *state, double *values, int64_t rows, int64_t columns);
PyObject *array_own_integers(const core_state *state, int64_t *values, int64_t rows);
/* Room for rows x columns numbers; NULL with MemoryError. */
double *room_for(int64_t rows, int64_t columns);

/* ---- arrays in ---- */

/* Numbers of a buffer, as they lie there or in a copy of their own. */
typedef struct lent {
    Py_buffer view;
    int has_view;
    void *copy;
    const double *doubles; /* column-major ... */
    const int64_t *integers;
    int64_t rows, columns; /* ... of this size; a vector has one column */
} lent;

/* Doubles, column-major. `what` stands for the argument in messages. rows, columns: the size it
 * must have, -1 for any. 0, or -1 with an exception; release it in either case. */
int lent_matrix(const core_state *state, PyObject *buffer, const char *what, int64_t rows,
                int64_t columns, lent *made);
/* n x n, used where it lies also if it lies by rows and is symmetric to the bit. */
int lent_square(const core_state *state, PyObject *buffer, const char *what, int64_t n, lent *made);
int lent_vector(const core_state *state, PyObject *buffer, const char *what, int64_t rows,
                lent *made);
int lent_integers(const core_state *state, PyObject *buffer, const char *what, int64_t rows,
                  lent *made);
void lent_release(lent *l);

/* Doubles of any strides where they lie (in a copy where that is no address of doubles):
 * values[i * row_stride + j * column_stride]. */
typedef struct strided {
    Py_buffer view;
    int has_view;
    double *copy;
    const double *values;
    int64_t rows, columns, row_stride, column_stride; /* strides in doubles */
} strided;
int strided_get(const core_state *state, PyObject *buffer, const char *what, strided *made);
void strided_release(strided *s);

/* Rows for the library, from x (None: no columns) and given matrices. */
typedef struct lent_rows {
    lent x;
    int64_t given_count;
    lent *given, *diagonals;
    const double **given_pointers, **diagonal_pointers;
    rls2_rows rows;
} lent_rows;
/* p columns, `given_count` matrices of `train` columns, and as many diagonals unless they are NULL.
 * 0, or -1 with an exception; release it in either case. */
int lent_rows_get(const core_state *state, PyObject *x, Py_ssize_t n, PyObject *given,
                  PyObject *diagonals, int64_t p, int64_t given_count, int64_t train,
                  lent_rows *made);
void lent_rows_release(lent_rows *r);

/* ---- texts ---- */

/* UTF-8 of a str, valid while the str lives; NULL with an exception where it is none or has a NUL
 * within. */
const char *text_of(PyObject *object, const char *what);
/* A list of str from `count` texts. */
PyObject *list_of_texts(int64_t count, const char *(*text)(const void *user, int64_t i),
                        const void *user);
PyObject *text_or_none(const char *text);
/* "numbers", "text" or "dates" */
const char *kind_word(rls2_column_kind kind);

/* ---- objects ---- */

typedef struct table_object {
    PyObject_HEAD
    rls2_table *table;
} table_object;

/* The cells of Table, as a table of the library; NULL with an exception. */
rls2_table *table_make(const core_state *state, const char *name, Py_ssize_t rows, PyObject *matrix,
                       PyObject *matrix_names, PyObject *columns);

/* Takes the table over, also where the object cannot be made. */
PyObject *table_wrap(const core_state *state, rls2_table *table);

/* Rows that Python hands out. Calls of it come from whatever thread of the library; what they raise
 * waits for the one that reads. */
typedef struct source_object {
    PyObject_HEAD
    rls2_source *source;
    PyObject *first, *again, *next;
    PyObject *raised[3]; /* class, exception, traceback */
    int busy;            /* somebody is reading; guarded by the GIL */
} source_object;

/* Before a pass: 0, or -1 with an exception, where another call is reading. */
int source_begin(PyObject *source);
/* After it, with the GIL: an exception of its calls is raised now, if none is there. */
void source_end(PyObject *source);

typedef struct plan_object {
    PyObject_HEAD
    rls2_plan *plan;
    PyObject *rows;    /* the plan borrows them, a Table or a Source; NULL: there are none ... */
    rls2_stats *stats; /* ... but statistics, */
    rls2_profile *profile; /* or a profile, of its own */
    int64_t given_count;   /* it borrows the given matrices, too */
    lent *given;
    int busy; /* a call of another thread is using the plan; guarded by the GIL */
} plan_object;

/* Were rows that take so many bytes better read in pieces, with these settings? -1 with an
 * exception. */
int plan_prefers_pieces(const core_state *state, PyObject *settings, double bytes);

/* A plan that was asked to learn from rows, and is not complete; NULL with an exception. */
PyObject *plan_asked(const core_state *state, PyObject *rows, PyObject *settings);

/* A copy of what a Profile object has; NULL with an exception. */
rls2_profile *profile_copy(PyObject *profile);
/* Takes the statistics over, also where the object cannot be made. */
PyObject *stats_wrap(const core_state *state, rls2_stats *stats);
/* A copy of what a Stats object has; NULL with an exception. */
rls2_stats *stats_copy(PyObject *stats);

/* Takes the model over, also where the object cannot be made. */
PyObject *model_wrap(const core_state *state, rls2_model *model);
/* Takes the data set over, also where the object cannot be made. */
PyObject *data_wrap(const core_state *state, rls2_dataset *data);
/* A data set that belongs to `owner`, which is kept alive. */
PyObject *data_borrow(const core_state *state, PyObject *owner, const rls2_dataset *data);
/* Takes the fit over, also where the object cannot be made; the plan is kept alive. */
PyObject *fit_wrap(const core_state *state, PyObject *plan, rls2_fit *fit);
/* The curve of a fit, which is kept alive. */
PyObject *cv_borrow(const core_state *state, PyObject *fit, const rls2_cv *cv);
PyObject *point_tuple(const core_state *state, const rls2_path_point *point);
PyObject *certificate_tuple(const core_state *state, const rls2_certificate *certificate);
PyObject *loss_tuple(const core_state *state, rls2_loss loss);
/* The loss that a str names, or the first of several quantiles. */
PyObject *loss_named(const core_state *state, PyObject *word);

/* An output that exists? 0, or -1 with IndexError. */
int check_index(int64_t i, int64_t count, const char *what);

/* ---- settings and dictionaries ---- */

/* The table of settings as a list of named tuples. */
PyObject *settings_list(const core_state *state);
/* The k-th choice of a setting, which is how an enumeration of the library is written. */
PyObject *choice_word(const char *setting, int k);

PyObject *dictionary_names_list(const rls2_dictionary *dictionary);
/* Is every kernel of the text linear, whatever the columns? */
int text_is_linear(const char *kernels);
/* UTF-8 texts of a sequence of str; the array is freed by free(), the texts live while *keep does.
 * 0, or -1 with an exception. */
int texts_of(PyObject *sequence, const char *what, int64_t *count, const char ***texts,
             PyObject **keep);

#endif
