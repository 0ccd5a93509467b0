/* Source: rows that Python hands out in pieces. */
#include "py_core.h"

#include <stdio.h>
#include <string.h>

/* ---- calls of the library ---- */

/* What was raised waits until the library has returned; the first is kept. */
static rls2_status keep_raised(source_object *s, rls2_error *err)
{
    if (s->raised[0])
        PyErr_Clear();
    else
        PyErr_Fetch(&s->raised[0], &s->raised[1], &s->raised[2]);
    *err = (rls2_error){.status = RLS2_ERR_VALUE, .position = -1};
    snprintf(err->message, sizeof err->message, "the rows could not be handed out");
    return RLS2_ERR_VALUE;
}

static rls2_status call_again(void *user, rls2_error *err)
{
    source_object *s = user;
    rls2_status status = RLS2_OK;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *result = PyObject_CallNoArgs(s->again);
    if (!result) status = keep_raised(s, err);
    Py_XDECREF(result);
    PyGILState_Release(gil);
    return status;
}

/* The arguments of Table, without its name; None at the end. 0, or -1 with an exception. */
static int make_piece(source_object *s, PyObject *parts, rls2_table **piece)
{
    const core_state *state = state_of((PyObject *)s);
    PyObject *matrix, *names, *columns;
    Py_ssize_t rows;
    *piece = NULL;
    if (parts == Py_None) return 0;
    if (!PyTuple_Check(parts)) {
        PyErr_SetString(PyExc_TypeError, "a piece: a tuple of rows, matrix, names and columns");
        return -1;
    }
    if (!PyArg_ParseTuple(parts, "nOOO", &rows, &matrix, &names, &columns)) return -1;
    *piece = table_make(state, "X", rows, matrix, names, columns);
    return *piece ? 0 : -1;
}

static rls2_status call_next(void *user, rls2_table **piece, rls2_error *err)
{
    source_object *s = user;
    rls2_status status = RLS2_OK;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *parts = PyObject_CallNoArgs(s->next);
    if (!parts || make_piece(s, parts, piece) < 0) status = keep_raised(s, err);
    Py_XDECREF(parts);
    PyGILState_Release(gil);
    return status;
}

/* ---- passes ---- */

int source_begin(PyObject *source)
{
    source_object *s = (source_object *)source;
    if (s->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is reading the rows");
        return -1;
    }
    s->busy = 1;
    return 0;
}

void source_end(PyObject *source)
{
    source_object *s = (source_object *)source;
    s->busy = 0;
    if (!s->raised[0]) return;
    if (PyErr_Occurred()) {
        for (int k = 0; k < 3; k++) Py_CLEAR(s->raised[k]);
    } else {
        PyErr_Restore(s->raised[0], s->raised[1], s->raised[2]);
        memset(s->raised, 0, sizeof s->raised);
    }
}

/* ---- life ---- */

static int open_calls(source_object *s)
{
    rls2_source_calls calls;
    rls2_error err;
    rls2_source_calls_init(&calls, sizeof calls);
    calls.again = call_again;
    calls.next = call_next;
    calls.user = s;
    const rls2_table *first = ((table_object *)s->first)->table;
    if (rls2_source_open_calls(first, &calls, &s->source, &err) == RLS2_OK) return 0;
    raise_library(state_of((PyObject *)s), &err);
    return -1;
}

static PyObject *source_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"first", "again", "next", NULL};
    core_state *state = state_of_type(type);
    PyObject *first, *again, *next;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!OO:Source", names, state->table,
                                     &first, &again, &next))
        return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    source_object *s = (source_object *)allocate(type, 0); /* zeroed */
    if (!s) return NULL;
    s->first = Py_NewRef(first);
    s->again = Py_NewRef(again);
    s->next = Py_NewRef(next);
    if (open_calls(s) == 0) return (PyObject *)s;
    Py_DECREF(s);
    return NULL;
}

static int source_traverse(PyObject *self, visitproc visit, void *arg)
{
    source_object *s = (source_object *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(s->first);
    Py_VISIT(s->again);
    Py_VISIT(s->next);
    for (int k = 0; k < 3; k++) Py_VISIT(s->raised[k]);
    return 0;
}

static int source_clear(PyObject *self)
{
    source_object *s = (source_object *)self;
    Py_CLEAR(s->again);
    Py_CLEAR(s->next);
    for (int k = 0; k < 3; k++) Py_CLEAR(s->raised[k]);
    return 0;
}

static void source_dealloc(PyObject *self)
{
    source_object *s = (source_object *)self;
    PyObject_GC_UnTrack(self);
    source_clear(self);
    rls2_source_close(s->source);
    Py_CLEAR(s->first);
    object_free(self);
}

static PyType_Slot slots[] = {{Py_tp_doc, (void *)"Rows that Python hands out in pieces."},
                              {Py_tp_new, source_new},
                              {Py_tp_traverse, source_traverse},
                              {Py_tp_clear, source_clear},
                              {Py_tp_dealloc, source_dealloc},
                              {0, NULL}};

PyType_Spec source_spec = {.name = "rls2._core.Source",
                           .basicsize = sizeof(source_object),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                           .slots = slots};
