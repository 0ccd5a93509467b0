/* Arrow: rows of whatever exports Arrow's C stream interface, as tables. */
#include "py_core.h"

#include "rls2/arrow.h"

typedef struct arrow_object {
    PyObject_HEAD
    rls2_arrow *arrow;
    int busy; /* a call of another thread is reading; guarded by the GIL */
} arrow_object;

static rls2_arrow *arrow_of(PyObject *self)
{
    return ((arrow_object *)self)->arrow;
}

/* ---- life ---- */

/* The library moves the stream out of its capsule, whose destructor then finds nothing to release.
 * Producers take the GIL where they need it, perhaps in threads of their own. */
static PyObject *arrow_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"stream", NULL};
    PyObject *capsule;
    rls2_error err;
    rls2_status status;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O:Arrow", names, &capsule)) return NULL;
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (!stream) return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    arrow_object *a = (arrow_object *)allocate(type, 0); /* zeroed */
    if (!a) return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_arrow_open("X", stream, &a->arrow, &err);
    Py_END_ALLOW_THREADS
    if (status == RLS2_OK) return (PyObject *)a;
    raise_library(state_of_type(type), &err);
    Py_DECREF(a);
    return NULL;
}

static void arrow_dealloc(PyObject *self)
{
    rls2_arrow *arrow = arrow_of(self);
    Py_BEGIN_ALLOW_THREADS
        rls2_arrow_close(arrow);
    Py_END_ALLOW_THREADS
    object_free(self);
}

/* ---- rows ---- */

static PyObject *arrow_next(PyObject *self, PyObject *count)
{
    const core_state *state = state_of(self);
    arrow_object *a = (arrow_object *)self;
    rls2_table *table = NULL;
    rls2_error err;
    rls2_status status;
    long long rows = PyLong_AsLongLong(count);
    if (PyErr_Occurred()) return NULL;
    if (a->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is reading the rows");
        return NULL;
    }
    a->busy = 1;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_arrow_next(a->arrow, rows, &table, &err);
    Py_END_ALLOW_THREADS
    a->busy = 0;
    if (status != RLS2_OK) return raise_library(state, &err);
    if (!table) Py_RETURN_NONE;
    return table_wrap(state, table);
}

/* ---- columns ---- */

static const char *column_name(const void *arrow, int64_t j)
{
    return rls2_arrow_column_name(arrow, j);
}

static PyObject *get_names(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_texts(rls2_arrow_columns(arrow_of(self)), column_name, arrow_of(self));
}

static PyObject *get_dictionaries(PyObject *self, void *unused)
{
    int64_t count = rls2_arrow_columns(arrow_of(self));
    PyObject *list = PyList_New((Py_ssize_t)count);
    (void)unused;
    for (int64_t j = 0; list && j < count; j++) {
        PyObject *item = PyBool_FromLong(rls2_arrow_is_dictionary(arrow_of(self), j));
        if (!item || PyList_SetItem(list, (Py_ssize_t)j, item) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyMethodDef methods[] = {{"next", arrow_next, METH_O, NULL}, {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {{"names", get_names, NULL, NULL, NULL},
                                   {"dictionaries", get_dictionaries, NULL, NULL, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, (void *)"Rows of an Arrow stream."},
                              {Py_tp_new, arrow_new},
                              {Py_tp_dealloc, arrow_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, properties},
                              {0, NULL}};

PyType_Spec arrow_spec = {.name = "rls2._core.Arrow",
                          .basicsize = sizeof(arrow_object),
                          .flags = Py_TPFLAGS_DEFAULT,
                          .slots = slots};
