/* Table: columns in memory, or a file. */
#include "py_core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One of the columns that follow the matrix: numbers where they lie, or a list of cells. */
typedef struct column_cells {
    PyObject *keep; /* the pair, then the list of its cells */
    PyObject *list;
    strided numbers;
    const char **texts; /* of the list */
    double *values;     /* of the list, where some are numbers */
} column_cells;

typedef struct table_parts {
    int64_t rows;
    strided matrix;
    int64_t matrix_columns;
    const char **matrix_names;
    PyObject *matrix_keep;
    PyObject *columns; /* list of pairs */
    int64_t cell_count;
    column_cells *cells;
    rls2_column *all;
    int64_t count;
} table_parts;

static void release_cells(column_cells *c)
{
    strided_release(&c->numbers);
    free(c->texts);
    free(c->values);
    Py_CLEAR(c->list);
    Py_CLEAR(c->keep);
}

static void release_parts(table_parts *parts)
{
    for (int64_t j = 0; parts->cells && j < parts->cell_count; j++) release_cells(&parts->cells[j]);
    free(parts->cells);
    free(parts->all);
    free(parts->matrix_names);
    strided_release(&parts->matrix);
    Py_CLEAR(parts->matrix_keep);
    Py_CLEAR(parts->columns);
}

/* ---- cells of a list ---- */

static int refuse_cell(const core_state *state, const char *name, int64_t row, const char *what)
{
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_ValueError)) {
        PyErr_Clear();
        raise_error(state, RLS2_ERR_VALUE, "row %lld, column '%.100s': %s", (long long)(row + 1),
                    name, what);
    }
    return -1;
}

static int read_text_cell(const core_state *state, PyObject *item, const char *name, int64_t row,
                          const char **text)
{
    Py_ssize_t length;
    *text = PyUnicode_AsUTF8AndSize(item, &length);
    if (!*text) return refuse_cell(state, name, row, "the text cannot be written as UTF-8");
    return strlen(*text) == (size_t)length
               ? 0
               : refuse_cell(state, name, row, "the text has a NUL character");
}

static int read_cell(const core_state *state, PyObject *item, const char *name, int64_t row,
                     column_cells *c)
{
    if (item == Py_None) return 0;
    if (PyUnicode_Check(item)) return read_text_cell(state, item, name, row, &c->texts[row]);
    c->values[row] = PyFloat_AsDouble(item);
    if (c->values[row] != -1.0 || !PyErr_Occurred()) return 0;
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "row %lld, column '%s': neither a text, a number nor None",
                 (long long)(row + 1), name);
    return -1;
}

static int read_list(const core_state *state, PyObject *value, int64_t rows, rls2_column *column,
                     column_cells *c)
{
    c->list = PySequence_List(value);
    if (!c->list) return -1;
    if (PyList_Size(c->list) != rows) {
        raise_error(state, RLS2_ERR_ARGUMENT,
                    "column '%.100s' has %lld cells where there are %lld rows", column->name,
                    (long long)PyList_Size(c->list), (long long)rows);
        return -1;
    }
    c->texts = calloc((size_t)rows + 1, sizeof *c->texts);
    c->values = room_for(rows, 1);
    if (!c->texts || !c->values) {
        PyErr_NoMemory();
        return -1;
    }
    for (int64_t i = 0; i < rows; i++) {
        c->values[i] = (double)NAN;
        if (read_cell(state, PyList_GetItem(c->list, (Py_ssize_t)i), column->name, i, c) < 0)
            return -1;
    }
    column->texts = c->texts;
    column->numbers = c->values;
    column->stride = 1;
    return 0;
}

static int read_numbers(const core_state *state, PyObject *value, int64_t rows, rls2_column *column,
                        column_cells *c)
{
    if (strided_get(state, value, column->name, &c->numbers) < 0) return -1;
    if (c->numbers.rows != rows || c->numbers.columns != 1) {
        raise_error(state, RLS2_ERR_ARGUMENT,
                    "column '%.100s' has %lld values where there are %lld rows", column->name,
                    (long long)(c->numbers.rows * c->numbers.columns), (long long)rows);
        return -1;
    }
    column->numbers = c->numbers.values;
    column->stride = c->numbers.row_stride;
    return 0;
}

/* ---- columns ---- */

static int read_column(const core_state *state, PyObject *pair, int64_t rows, rls2_column *column,
                       column_cells *c)
{
    if (!PyTuple_Check(pair) || PyTuple_Size(pair) != 2) {
        PyErr_SetString(PyExc_TypeError, "columns: pairs of a name and its cells are needed");
        return -1;
    }
    Py_INCREF(pair);
    c->keep = pair;
    PyObject *value = PyTuple_GetItem(pair, 1);
    column->name = text_of(PyTuple_GetItem(pair, 0), "the name of a column");
    if (!column->name) return -1;
    return PyObject_CheckBuffer(value) ? read_numbers(state, value, rows, column, c)
                                       : read_list(state, value, rows, column, c);
}

static int read_matrix(const core_state *state, PyObject *matrix, PyObject *names,
                       table_parts *parts)
{
    if (texts_of(names, "matrix_names", &parts->matrix_columns, &parts->matrix_names,
                 &parts->matrix_keep) < 0)
        return -1;
    if (matrix == Py_None && parts->matrix_columns == 0) return 0;
    if (strided_get(state, matrix, "matrix", &parts->matrix) < 0) return -1;
    if (parts->matrix.rows == parts->rows && parts->matrix.columns == parts->matrix_columns)
        return 0;
    raise_error(state, RLS2_ERR_ARGUMENT,
                "the matrix is %lld x %lld where there are %lld rows and %lld names",
                (long long)parts->matrix.rows, (long long)parts->matrix.columns,
                (long long)parts->rows, (long long)parts->matrix_columns);
    return -1;
}

static int reserve(PyObject *columns, table_parts *parts)
{
    parts->columns = PySequence_List(columns);
    if (!parts->columns) return -1;
    parts->cell_count = (int64_t)PyList_Size(parts->columns);
    parts->count = parts->matrix_columns + parts->cell_count;
    parts->cells = calloc((size_t)parts->cell_count + 1, sizeof *parts->cells);
    parts->all = calloc((size_t)parts->count + 1, sizeof *parts->all);
    if (parts->cells && parts->all) return 0;
    PyErr_NoMemory();
    return -1;
}

static int read_parts(const core_state *state, PyObject *matrix, PyObject *names, PyObject *columns,
                      table_parts *parts)
{
    if (read_matrix(state, matrix, names, parts) < 0 || reserve(columns, parts) < 0) return -1;
    const strided *m = &parts->matrix;
    for (int64_t j = 0; j < parts->matrix_columns; j++)
        parts->all[j] = (rls2_column){.name = parts->matrix_names[j],
                                      .numbers = m->values + j * m->column_stride,
                                      .stride = m->row_stride};
    for (int64_t j = 0; j < parts->cell_count; j++)
        if (read_column(state, PyList_GetItem(parts->columns, (Py_ssize_t)j), parts->rows,
                        &parts->all[parts->matrix_columns + j], &parts->cells[j]) < 0)
            return -1;
    return 0;
}

rls2_table *table_make(const core_state *state, const char *name, Py_ssize_t rows, PyObject *matrix,
                       PyObject *matrix_names, PyObject *columns)
{
    table_parts parts = {.rows = rows};
    rls2_table *table = NULL;
    rls2_error err;
    if (read_parts(state, matrix, matrix_names, columns, &parts) == 0) {
        rls2_status status;
        Py_BEGIN_ALLOW_THREADS
            status = rls2_table_create(name, rows, parts.count, parts.all, &table, &err);
        Py_END_ALLOW_THREADS
        if (status != RLS2_OK) raise_library(state, &err);
    }
    release_parts(&parts);
    return table;
}

/* ---- the object ---- */

PyObject *table_wrap(const core_state *state, rls2_table *table)
{
    table_object *made = PyObject_New(table_object, state->table);
    if (made)
        made->table = table;
    else
        rls2_table_free(table);
    return (PyObject *)made;
}

static PyObject *table_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"name", "rows", "matrix", "matrix_names", "columns", NULL};
    core_state *state = state_of_type(type);
    PyObject *name, *matrix, *matrix_names, *columns;
    Py_ssize_t rows;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "UnOOO:Table", names, &name, &rows,
                                     &matrix, &matrix_names, &columns))
        return NULL;
    const char *text = text_of(name, "name");
    rls2_table *table = text ? table_make(state, text, rows, matrix, matrix_names, columns) : NULL;
    return table ? table_wrap(state, table) : NULL;
}

static PyObject *table_read(PyObject *type, PyObject *path)
{
    core_state *state = state_of_type((PyTypeObject *)type);
    PyObject *bytes;
    rls2_table *table = NULL;
    rls2_error err;
    rls2_status status;
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    const char *text = PyBytes_AsString(bytes);
    Py_BEGIN_ALLOW_THREADS
        status = rls2_table_read(text, NULL, &table, &err);
    Py_END_ALLOW_THREADS
    PyObject *made =
        status == RLS2_OK ? table_wrap(state, table) : raise_reading(state, &err, text);
    Py_DECREF(bytes);
    return made;
}

static void table_dealloc(PyObject *self)
{
    rls2_table_free(((table_object *)self)->table);
    object_free(self);
}

static const char *column_name(const void *table, int64_t j)
{
    return rls2_table_column_name(table, j);
}

static PyObject *table_rows(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_table_rows(((table_object *)self)->table));
}

static PyObject *table_names(PyObject *self, void *unused)
{
    (void)unused;
    const rls2_table *table = ((table_object *)self)->table;
    return list_of_texts(rls2_table_columns(table), column_name, table);
}

const char *kind_word(rls2_column_kind kind)
{
    static const char *const words[] = {"numbers", "text", "dates"};
    return words[kind];
}

static const char *column_kind(const void *table, int64_t j)
{
    return kind_word(rls2_table_kind(table, j));
}

static PyObject *table_kinds(PyObject *self, void *unused)
{
    (void)unused;
    const rls2_table *table = ((table_object *)self)->table;
    return list_of_texts(rls2_table_columns(table), column_kind, table);
}

/* ---- its cells ---- */

static int has_texts(const rls2_table *table, int64_t column)
{
    for (int64_t i = 0; i < rls2_table_rows(table); i++)
        if (*rls2_table_cell(table, i, column)) return 1;
    return 0;
}

static PyObject *list_cells(const rls2_table *table, int64_t column)
{
    int64_t rows = rls2_table_rows(table);
    PyObject *list = PyList_New((Py_ssize_t)rows);
    for (int64_t i = 0; list && i < rows; i++) {
        const char *cell = rls2_table_cell(table, i, column);
        PyObject *item = text_or_none(*cell ? cell : NULL);
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
    }
    return list;
}

/* Texts where there are some, else numbers. */
static PyObject *table_cells(PyObject *self, PyObject *number)
{
    const rls2_table *table = ((table_object *)self)->table;
    int64_t rows = rls2_table_rows(table), column = PyLong_AsLongLong(number);
    if (PyErr_Occurred() || check_index(column, rls2_table_columns(table), "column") < 0)
        return NULL;
    if (has_texts(table, column)) return list_cells(table, column);
    double *values = room_for(rows, 1);
    if (!values) return NULL;
    for (int64_t i = 0; i < rows; i++) values[i] = rls2_table_value(table, i, column);
    return array_own_doubles(state_of(self), values, rows, -1);
}

static PyMethodDef methods[] = {
    {"cells", table_cells, METH_O, "A column: texts and None where there is text, else numbers."},
    {"read", table_read, METH_O | METH_CLASS, "A file, as the command reads it."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {{"rows", table_rows, NULL, NULL, NULL},
                                   {"names", table_names, NULL, NULL, NULL},
                                   {"kinds", table_kinds, NULL, NULL, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"Columns in memory, copied; or a file that was read."},
    {Py_tp_new, table_new},
    {Py_tp_dealloc, table_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL}};

PyType_Spec table_spec = {.name = "rls2._core.Table",
                          .basicsize = sizeof(table_object),
                          .flags = Py_TPFLAGS_DEFAULT,
                          .slots = slots};
