/* Numbers out: an object with the buffer protocol and nothing else. */
#include "py_core.h"

#include <stdlib.h>

typedef struct array_object {
    PyObject_HEAD
    PyObject *owner; /* of the numbers; NULL: they are the array's own */
    void *values;
    int dimensions;
    Py_ssize_t shape[2], strides[2];
    const char *format; /* "d" or "q", 8 bytes each */
} array_object;

enum { ITEM = 8 };

static void array_dealloc(PyObject *self)
{
    array_object *array = (array_object *)self;
    if (!array->owner) free(array->values);
    Py_XDECREF(array->owner);
    object_free(self);
}

static int is_contiguous_by_rows(const array_object *array)
{
    return array->dimensions == 1 || array->shape[0] <= 1 || array->shape[1] <= 1;
}

static int refuse(const char *why)
{
    PyErr_SetString(PyExc_BufferError, why);
    return -1;
}

static int array_getbuffer(PyObject *self, Py_buffer *view, int flags)
{
    array_object *array = (array_object *)self;
    static double nothing;
    view->obj = NULL;
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) return refuse("these numbers are read-only");
    if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !is_contiguous_by_rows(array))
        return refuse("these numbers lie by columns");
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !is_contiguous_by_rows(array))
        return refuse("these numbers lie by columns and need strides");
    view->buf = array->values ? array->values : &nothing;
    view->itemsize = ITEM;
    view->len = ITEM * array->shape[0] * (array->dimensions == 2 ? array->shape[1] : 1);
    view->readonly = 1;
    view->ndim = (flags & PyBUF_ND) ? array->dimensions : 1;
    view->format = (flags & PyBUF_FORMAT) ? (char *)(uintptr_t)array->format : NULL;
    view->shape = (flags & PyBUF_ND) ? array->shape : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? array->strides : NULL;
    view->suboffsets = NULL;
    view->internal = NULL;
    Py_INCREF(self);
    view->obj = self;
    return 0;
}

static PyObject *make(const core_state *state, PyObject *owner, void *values, const char *format,
                      int64_t rows, int64_t columns)
{
    array_object *array = PyObject_New(array_object, state->array);
    if (!array) {
        if (!owner) free(values);
        return NULL;
    }
    Py_XINCREF(owner);
    array->owner = owner;
    array->values = values;
    array->format = format;
    array->dimensions = columns < 0 ? 1 : 2;
    array->shape[0] = (Py_ssize_t)rows;
    array->shape[1] = columns < 0 ? 1 : (Py_ssize_t)columns;
    array->strides[0] = ITEM;
    array->strides[1] = ITEM * (Py_ssize_t)(rows > 0 ? rows : 1);
    return (PyObject *)array;
}

PyObject *array_of_doubles(const core_state *state, PyObject *owner, const double *values,
                           int64_t rows, int64_t columns)
{
    return make(state, owner, (void *)(uintptr_t)values, "d", rows, columns);
}

PyObject *array_of_integers(const core_state *state, PyObject *owner, const int64_t *values,
                            int64_t rows)
{
    return make(state, owner, (void *)(uintptr_t)values, "q", rows, -1);
}

PyObject *array_own_doubles(const core_state *state, double *values, int64_t rows, int64_t columns)
{
    return make(state, NULL, values, "d", rows, columns);
}

PyObject *array_own_integers(const core_state *state, int64_t *values, int64_t rows)
{
    return make(state, NULL, values, "q", rows, -1);
}

double *room_for(int64_t rows, int64_t columns)
{
    int fits = columns == 0 || rows <= PTRDIFF_MAX / (int64_t)sizeof(double) / columns;
    double *values = fits ? malloc((size_t)rows * (size_t)columns * sizeof *values + 1) : NULL;
    if (!values) PyErr_NoMemory();
    return values;
}

static PyType_Slot slots[] = {{Py_tp_doc,
                               (void *)"Numbers that belong to a library object; read-only, "
                                       "column-major where there are two dimensions."},
                              {Py_tp_dealloc, array_dealloc},
                              {Py_bf_getbuffer, array_getbuffer},
                              {0, NULL}};

PyType_Spec array_spec = {.name = "rls2._core.Array",
                          .basicsize = sizeof(array_object),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          .slots = slots};
