/* Stats: what was counted of rows, which can be added up. */
#include "py_core.h"

typedef struct stats_object {
    PyObject_HEAD
    rls2_stats *stats;
    int readers, is_written; /* calls that go on without the GIL; guarded by it */
} stats_object;

static rls2_stats *stats_of(PyObject *self)
{
    return ((stats_object *)self)->stats;
}

/* Many may look at statistics, and one change them. 0, or -1 with an exception. */
static int begin_reading(PyObject *self)
{
    stats_object *s = (stats_object *)self;
    if (s->is_written) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is changing the statistics");
        return -1;
    }
    s->readers++;
    return 0;
}

static void end_reading(PyObject *self)
{
    ((stats_object *)self)->readers--;
}

static int begin_writing(PyObject *self)
{
    stats_object *s = (stats_object *)self;
    if (s->is_written || s->readers > 0) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is using the statistics");
        return -1;
    }
    s->is_written = 1;
    return 0;
}

static void end_writing(PyObject *self)
{
    ((stats_object *)self)->is_written = 0;
}

/* ---- life ---- */

PyObject *stats_wrap(const core_state *state, rls2_stats *stats)
{
    stats_object *made = PyObject_New(stats_object, state->stats);
    if (!made) {
        rls2_stats_free(stats);
        return NULL;
    }
    made->stats = stats;
    made->readers = made->is_written = 0;
    return (PyObject *)made;
}

static void stats_dealloc(PyObject *self)
{
    rls2_stats_free(stats_of(self));
    object_free(self);
}

static PyObject *stats_load(PyObject *type, PyObject *path)
{
    core_state *state = state_of_type((PyTypeObject *)type);
    PyObject *bytes;
    rls2_stats *stats = NULL;
    rls2_error err;
    rls2_status status;
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    const char *text = PyBytes_AsString(bytes);
    Py_BEGIN_ALLOW_THREADS
        status = rls2_stats_load(text, &stats, &err);
    Py_END_ALLOW_THREADS
    PyObject *made =
        status == RLS2_OK ? stats_wrap(state, stats) : raise_reading(state, &err, text);
    Py_DECREF(bytes);
    return made;
}

static PyObject *stats_unpack(PyObject *type, PyObject *data)
{
    core_state *state = state_of_type((PyTypeObject *)type);
    rls2_stats *stats = NULL;
    rls2_error err;
    rls2_status status;
    char *start;
    Py_ssize_t length;
    /* a copy, where another thread could change what was checked */
    PyObject *bytes = PyBytes_FromObject(data);
    if (!bytes || PyBytes_AsStringAndSize(bytes, &start, &length) < 0) {
        Py_XDECREF(bytes);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
        status = rls2_stats_unpack("the statistics", start, length, &stats, &err);
    Py_END_ALLOW_THREADS
    Py_DECREF(bytes);
    return status == RLS2_OK ? stats_wrap(state, stats) : raise_library(state, &err);
}

static PyObject *stats_save(PyObject *self, PyObject *path)
{
    PyObject *bytes;
    rls2_error err;
    rls2_status status;
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    const char *text = PyBytes_AsString(bytes);
    if (begin_reading(self) < 0) {
        Py_DECREF(bytes);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
        status = rls2_stats_save(stats_of(self), text, &err);
    Py_END_ALLOW_THREADS
    end_reading(self);
    Py_DECREF(bytes);
    if (status != RLS2_OK) return raise_library(state_of(self), &err);
    Py_RETURN_NONE;
}

/* Freed with rls2_bytes_free. 0, or -1 with an exception. */
static int pack(PyObject *self, void **bytes, int64_t *length)
{
    rls2_error err;
    rls2_status status;
    if (begin_reading(self) < 0) return -1;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_stats_pack(stats_of(self), bytes, length, &err);
    Py_END_ALLOW_THREADS
    end_reading(self);
    if (status == RLS2_OK) return 0;
    raise_library(state_of(self), &err);
    return -1;
}

static PyObject *stats_pack(PyObject *self, PyObject *unused)
{
    void *bytes = NULL;
    int64_t length = 0;
    (void)unused;
    if (pack(self, &bytes, &length) < 0) return NULL;
    PyObject *result = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)length);
    rls2_bytes_free(bytes);
    return result;
}

rls2_stats *stats_copy(PyObject *self)
{
    void *bytes = NULL;
    int64_t length = 0;
    rls2_stats *copy = NULL;
    rls2_error err;
    rls2_status status;
    if (pack(self, &bytes, &length) < 0) return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_stats_unpack("the statistics", bytes, length, &copy, &err);
    Py_END_ALLOW_THREADS
    rls2_bytes_free(bytes);
    if (status != RLS2_OK) raise_library(state_of(self), &err);
    return copy;
}

/* ---- sums ---- */

typedef rls2_status (*sum)(rls2_stats *into, const rls2_stats *from, rls2_error *err);

static PyObject *combine(PyObject *self, PyObject *other, sum function)
{
    const core_state *state = state_of(self);
    rls2_error err;
    rls2_status status;
    if (!PyObject_TypeCheck(other, state->stats)) {
        PyErr_SetString(PyExc_TypeError, "Stats are needed");
        return NULL;
    }
    if (other != self && begin_reading(other) < 0) return NULL;
    if (begin_writing(self) < 0) {
        if (other != self) end_reading(other);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
        status = function(stats_of(self), stats_of(other), &err);
    Py_END_ALLOW_THREADS
    end_writing(self);
    if (other != self) end_reading(other);
    if (status != RLS2_OK) return raise_library(state, &err);
    Py_RETURN_NONE;
}

static PyObject *stats_merge(PyObject *self, PyObject *other)
{
    return combine(self, other, rls2_stats_merge);
}

static PyObject *stats_subtract(PyObject *self, PyObject *other)
{
    return combine(self, other, rls2_stats_subtract);
}

static PyObject *stats_clear(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (begin_writing(self) < 0) return NULL;
    rls2_stats_clear(stats_of(self));
    end_writing(self);
    Py_RETURN_NONE;
}

/* One pass over further rows. */
static PyObject *stats_add_rows(PyObject *self, PyObject *arguments)
{
    const core_state *state = state_of(self);
    PyObject *source, *progress;
    rls2_error err;
    int threads;
    if (!PyArg_ParseTuple(arguments, "O!iO:add_rows", state->source, &source, &threads, &progress))
        return NULL;
    if (begin_writing(self) < 0) return NULL;
    if (source_begin(source) < 0) {
        end_writing(self);
        return NULL;
    }
    watch w = watch_begin(progress);
    rls2_control control = watch_control(&w, threads);
    rls2_source *rows = ((source_object *)source)->source;
    rls2_status status = rls2_stats_add_rows(stats_of(self), rows, &control, &err);
    watch_end(&w);
    source_end(source);
    end_writing(self);
    if (PyErr_Occurred()) return NULL;
    if (status != RLS2_OK) return raise_library(state, &err);
    Py_RETURN_NONE;
}

/* ---- what they are of ---- */

static PyObject *get_rows(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_stats_rows(stats_of(self)));
}

static PyObject *get_left_out(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_stats_left_out(stats_of(self)));
}

static PyObject *get_parts(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_stats_parts(stats_of(self)));
}

static PyObject *get_seed(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(rls2_stats_seed(stats_of(self)));
}

static PyObject *get_bytes(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_stats_bytes(stats_of(self)));
}

static const char *target_name(const void *stats, int64_t t)
{
    return rls2_stats_target_name(stats, t);
}

static PyObject *get_targets(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_texts(rls2_stats_target_count(stats_of(self)), target_name, stats_of(self));
}

static const char *class_label(const void *stats, int64_t k)
{
    return rls2_stats_class_label(stats, k);
}

static PyObject *get_class_labels(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_texts(rls2_stats_class_count(stats_of(self)), class_label, stats_of(self));
}

static const char *input_name(const void *stats, int64_t j)
{
    return rls2_stats_input_name(stats, j);
}

static PyObject *get_inputs(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_texts(rls2_stats_input_count(stats_of(self)), input_name, stats_of(self));
}

static PyObject *get_weight(PyObject *self, void *unused)
{
    (void)unused;
    return text_or_none(rls2_stats_weight_name(stats_of(self)));
}

/* Of each axis its name, its points, and whether every row lies at one. */
static PyObject *get_axes(PyObject *self, void *unused)
{
    const rls2_stats *stats = stats_of(self);
    int64_t count = rls2_stats_axis_count(stats);
    PyObject *list = PyList_New((Py_ssize_t)count);
    (void)unused;
    for (int64_t a = 0; list && a < count; a++) {
        PyObject *exact = rls2_stats_axis_is_exact(stats, a) ? Py_True : Py_False;
        PyObject *item = Py_BuildValue("sLO", rls2_stats_axis_name(stats, a),
                                       (long long)rls2_stats_axis_points(stats, a), exact);
        if (!item || PyList_SetItem(list, (Py_ssize_t)a, item) < 0) Py_CLEAR(list);
    }
    return list;
}

static const char *kernel_name(const void *stats, int64_t k)
{
    return rls2_stats_kernel_name(stats, k);
}

static PyObject *get_kernels(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_texts(rls2_stats_kernel_count(stats_of(self)), kernel_name, stats_of(self));
}

static PyMethodDef methods[] = {{"load", stats_load, METH_O | METH_CLASS, NULL},
                                {"unpack", stats_unpack, METH_O | METH_CLASS, NULL},
                                {"save", stats_save, METH_O, NULL},
                                {"pack", stats_pack, METH_NOARGS, NULL},
                                {"merge", stats_merge, METH_O, NULL},
                                {"subtract", stats_subtract, METH_O, NULL},
                                {"clear", stats_clear, METH_NOARGS, NULL},
                                {"add_rows", stats_add_rows, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {{"rows", get_rows, NULL, NULL, NULL},
                                   {"left_out", get_left_out, NULL, NULL, NULL},
                                   {"parts", get_parts, NULL, NULL, NULL},
                                   {"seed", get_seed, NULL, NULL, NULL},
                                   {"bytes", get_bytes, NULL, NULL, NULL},
                                   {"targets", get_targets, NULL, NULL, NULL},
                                   {"class_labels", get_class_labels, NULL, NULL, NULL},
                                   {"inputs", get_inputs, NULL, NULL, NULL},
                                   {"weight", get_weight, NULL, NULL, NULL},
                                   {"axes", get_axes, NULL, NULL, NULL},
                                   {"kernels", get_kernels, NULL, NULL, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, (void *)"What was counted of rows."},
                              {Py_tp_dealloc, stats_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, properties},
                              {0, NULL}};

PyType_Spec stats_spec = {.name = "rls2._core.Stats",
                          .basicsize = sizeof(stats_object),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          .slots = slots};
