/* Numbers in: buffers of doubles or 64-bit integers, used where they lie if they lie by columns,
 * else copied. */
#include "py_core.h"

#include <stdlib.h>
#include <string.h>

/* "d", "=q", "@l", ...: the letter, 0 where the format is none of one letter. */
static char letter_of(const char *format)
{
    static const uint16_t probe = 1;
    int little = *(const unsigned char *)&probe == 1;
    if (!format) return 'B';
    if (*format == '@' || *format == '=' || *format == (little ? '<' : '>')) format++;
    return strlen(format) == 1 ? *format : '\0';
}

static int is_double(const Py_buffer *view)
{
    return view->itemsize == 8 && letter_of(view->format) == 'd';
}

static int is_integer(const Py_buffer *view)
{
    char letter = letter_of(view->format);
    return view->itemsize == 8 && (letter == 'q' || letter == 'l');
}

static int get_view(PyObject *buffer, const char *what, Py_buffer *view)
{
    if (PyObject_GetBuffer(buffer, view, PyBUF_STRIDED_RO | PyBUF_FORMAT) == 0) return 0;
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s: an array is needed", what);
    return -1;
}

static int refuse_type(const char *what, const Py_buffer *view, const char *wanted)
{
    PyErr_Format(PyExc_TypeError, "%s: %s are needed, not elements of format '%s'", what, wanted,
                 view->format ? view->format : "B");
    return -1;
}

/* Steps of 8 bytes on addresses of doubles can be taken by double pointers. */
static int is_aligned(const Py_buffer *view)
{
    if ((uintptr_t)view->buf % sizeof(double) != 0) return 0;
    for (int k = 0; k < view->ndim; k++)
        if (view->strides[k] % (Py_ssize_t)sizeof(double) != 0) return 0;
    return 1;
}

/* Sizes and strides in bytes; a vector is one column. */
typedef struct shape {
    int64_t rows, columns;
    Py_ssize_t row_step, column_step;
} shape;

static int shape_of(const Py_buffer *view, const char *what, shape *s)
{
    if (view->ndim != 1 && view->ndim != 2) {
        PyErr_Format(PyExc_ValueError, "%s: there are %d dimensions, not 1 or 2", what, view->ndim);
        return -1;
    }
    *s = (shape){.rows = view->shape[0], .columns = 1, .row_step = view->strides[0]};
    if (view->ndim == 1) return 0;
    s->columns = view->shape[1];
    s->column_step = view->strides[1];
    return 0;
}

static int check_shape(const core_state *state, const char *what, const shape *s, int64_t rows,
                       int64_t columns)
{
    if ((rows < 0 || s->rows == rows) && (columns < 0 || s->columns == columns)) return 0;
    if (columns == 1)
        raise_error(state, RLS2_ERR_ARGUMENT, "%s has %lld values where there are %lld rows", what,
                    (long long)(s->rows * s->columns), (long long)rows);
    else
        raise_error(state, RLS2_ERR_ARGUMENT, "%s is %lld x %lld; it should be %lld x %lld", what,
                    (long long)s->rows, (long long)s->columns,
                    (long long)(rows < 0 ? s->rows : rows),
                    (long long)(columns < 0 ? s->columns : columns));
    return -1;
}

static int lies_by_columns(const Py_buffer *view, const shape *s)
{
    if (!is_aligned(view)) return 0;
    if (s->rows > 1 && s->row_step != 8) return 0;
    return s->columns <= 1 || s->column_step == 8 * (Py_ssize_t)s->rows;
}

/* Elements of 8 bytes by columns, whatever they are. */
static void *copy_by_columns(const Py_buffer *view, const shape *s)
{
    char *copy = (char *)room_for(s->rows, s->columns), *to = copy;
    for (int64_t j = 0; copy && j < s->columns; j++)
        for (int64_t i = 0; i < s->rows; i++, to += 8)
            memcpy(to, (const char *)view->buf + i * s->row_step + j * s->column_step, 8);
    return copy;
}

/* The view is there and of the right type. Returns where the elements are; NULL with an exception.
 */
static const void *settle(const core_state *state, const char *what, int64_t rows, int64_t columns,
                          lent *l)
{
    static const double nothing; /* an empty buffer may lie nowhere */
    shape s;
    if (shape_of(&l->view, what, &s) < 0 || check_shape(state, what, &s, rows, columns) < 0)
        return NULL;
    l->rows = s.rows;
    l->columns = s.columns;
    if (lies_by_columns(&l->view, &s)) return l->view.buf ? l->view.buf : &nothing;
    return l->copy = copy_by_columns(&l->view, &s);
}

int lent_matrix(const core_state *state, PyObject *buffer, const char *what, int64_t rows,
                int64_t columns, lent *made)
{
    *made = (lent){0};
    if (get_view(buffer, what, &made->view) < 0) return -1;
    made->has_view = 1;
    if (!is_double(&made->view)) return refuse_type(what, &made->view, "doubles");
    made->doubles = settle(state, what, rows, columns, made);
    return made->doubles ? 0 : -1;
}

/* A matrix by rows that is its own transpose is one by columns. */
static int is_symmetric_by_rows(const Py_buffer *view, int64_t n)
{
    if (view->ndim != 2 || view->shape[0] != n || view->shape[1] != n || !is_double(view)) return 0;
    if (!is_aligned(view) || view->strides[1] != 8 || view->strides[0] != 8 * (Py_ssize_t)n)
        return 0;
    enum { TILE = 64 }; /* rows of the one and of the other side that stay in the cache together */
    const double *a = view->buf;
    for (int64_t i0 = 0; i0 < n; i0 += TILE)
        for (int64_t j0 = 0; j0 <= i0; j0 += TILE)
            for (int64_t i = i0; i < n && i < i0 + TILE; i++)
                for (int64_t j = j0; j < i && j < j0 + TILE; j++)
                    if (a[i * n + j] != a[j * n + i]) return 0;
    return 1;
}

int lent_square(const core_state *state, PyObject *buffer, const char *what, int64_t n, lent *made)
{
    *made = (lent){0};
    if (get_view(buffer, what, &made->view) < 0) return -1;
    made->has_view = 1;
    if (is_symmetric_by_rows(&made->view, n)) {
        made->doubles = made->view.buf;
        made->rows = made->columns = n;
        return 0;
    }
    lent_release(made);
    return lent_matrix(state, buffer, what, n, n, made);
}

int lent_vector(const core_state *state, PyObject *buffer, const char *what, int64_t rows,
                lent *made)
{
    return lent_matrix(state, buffer, what, rows, 1, made);
}

int lent_integers(const core_state *state, PyObject *buffer, const char *what, int64_t rows,
                  lent *made)
{
    *made = (lent){0};
    if (get_view(buffer, what, &made->view) < 0) return -1;
    made->has_view = 1;
    if (!is_integer(&made->view)) return refuse_type(what, &made->view, "64-bit integers");
    made->integers = settle(state, what, rows, 1, made);
    return made->integers ? 0 : -1;
}

void lent_release(lent *l)
{
    free(l->copy);
    if (l->has_view) PyBuffer_Release(&l->view);
    *l = (lent){0};
}

/* ---- where they lie ---- */

int strided_get(const core_state *state, PyObject *buffer, const char *what, strided *made)
{
    shape s;
    (void)state;
    *made = (strided){0};
    if (get_view(buffer, what, &made->view) < 0) return -1;
    made->has_view = 1;
    if (!is_double(&made->view)) return refuse_type(what, &made->view, "doubles");
    if (shape_of(&made->view, what, &s) < 0) return -1;
    made->values = made->view.buf;
    if (!is_aligned(&made->view)) {
        made->values = made->copy = copy_by_columns(&made->view, &s);
        if (!made->copy) return -1;
        s.row_step = 8;
        s.column_step = 8 * (Py_ssize_t)s.rows;
    }
    made->rows = s.rows;
    made->columns = s.columns;
    made->row_stride = s.row_step / 8;
    made->column_stride = s.column_step / 8;
    return 0;
}

void strided_release(strided *s)
{
    free(s->copy);
    if (s->has_view) PyBuffer_Release(&s->view);
    *s = (strided){0};
}

/* ---- rows ---- */

/* Matrices of a sequence; *made and *pointers are freed by lent_rows_release. */
static int lend_matrices(const core_state *state, PyObject *sequence, const char *what,
                         int64_t count, int64_t rows, int64_t columns, lent **made,
                         const double ***pointers)
{
    Py_ssize_t there = PySequence_Size(sequence);
    if (there < 0) return -1;
    if (there != count) {
        raise_error(state, RLS2_ERR_ARGUMENT, "there are %lld %s where %lld are needed",
                    (long long)there, what, (long long)count);
        return -1;
    }
    *made = calloc((size_t)count + 1, sizeof **made);
    *pointers = calloc((size_t)count + 1, sizeof **pointers);
    if (!*made || !*pointers) {
        PyErr_NoMemory();
        return -1;
    }
    for (int64_t g = 0; g < count; g++) {
        PyObject *item = PySequence_GetItem(sequence, (Py_ssize_t)g);
        int result = item ? lent_matrix(state, item, what, rows, columns, &(*made)[g]) : -1;
        Py_XDECREF(item);
        if (result < 0) return -1;
        (*pointers)[g] = (*made)[g].doubles;
    }
    return 0;
}

static int lend_given(const core_state *state, PyObject *given, PyObject *diagonals, int64_t count,
                      int64_t train, lent_rows *made)
{
    int64_t n = made->rows.n;
    made->given_count = count;
    if (lend_matrices(state, given, "given matrices", count, n, train, &made->given,
                      &made->given_pointers) < 0)
        return -1;
    made->rows.given_count = count;
    made->rows.given = made->given_pointers;
    if (!diagonals) return 0;
    Py_ssize_t there = PySequence_Size(diagonals);
    if (there <= 0) return there < 0 ? -1 : 0; /* the library says where they are needed */
    if (lend_matrices(state, diagonals, "given diagonals", count, n, 1, &made->diagonals,
                      &made->diagonal_pointers) < 0)
        return -1;
    made->rows.given_diagonal = made->diagonal_pointers;
    return 0;
}

int lent_rows_get(const core_state *state, PyObject *x, Py_ssize_t n, PyObject *given,
                  PyObject *diagonals, int64_t p, int64_t given_count, int64_t train,
                  lent_rows *made)
{
    *made = (lent_rows){.rows = {.n = n, .p = p}};
    if (n < 0) {
        raise_error(state, RLS2_ERR_ARGUMENT, "there are %lld rows", (long long)n);
        return -1;
    }
    if (x != Py_None) {
        if (lent_matrix(state, x, "x", n, p, &made->x) < 0) return -1;
        made->rows.x = made->x.doubles;
    } else if (p > 0) {
        raise_error(state, RLS2_ERR_ARGUMENT, "x is None where %lld columns are needed",
                    (long long)p);
        return -1;
    }
    return lend_given(state, given, diagonals, given_count, train, made);
}

void lent_rows_release(lent_rows *r)
{
    for (int64_t g = 0; g < r->given_count; g++) {
        if (r->given) lent_release(&r->given[g]);
        if (r->diagonals) lent_release(&r->diagonals[g]);
    }
    free(r->given);
    free(r->diagonals);
    free(r->given_pointers);
    free(r->diagonal_pointers);
    lent_release(&r->x);
    *r = (lent_rows){0};
}
