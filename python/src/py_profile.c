/* Profile: what a first pass over rows tells, which can be added up. */
#include "py_core.h"

typedef struct profile_object {
    PyObject_HEAD
    rls2_profile *profile;
    int busy; /* a call of another thread is using it; guarded by the GIL */
} profile_object;

static rls2_profile *profile_of(PyObject *self)
{
    return ((profile_object *)self)->profile;
}

/* 0, or -1 with an exception. */
static int begin(PyObject *self)
{
    profile_object *p = (profile_object *)self;
    if (p->busy || !p->profile) {
        PyErr_SetString(PyExc_RuntimeError, p->busy ? "another thread is using the profile"
                                                    : "memory ended while the profile was merged");
        return -1;
    }
    p->busy = 1;
    return 0;
}

static void end(PyObject *self)
{
    ((profile_object *)self)->busy = 0;
}

/* Takes the profile over, also where the object cannot be made. */
static PyObject *wrap(const core_state *state, rls2_profile *profile)
{
    profile_object *made = PyObject_New(profile_object, state->profile);
    if (!made) {
        rls2_profile_free(profile);
        return NULL;
    }
    made->profile = profile;
    made->busy = 0;
    return (PyObject *)made;
}

static void profile_dealloc(PyObject *self)
{
    rls2_profile_free(profile_of(self));
    object_free(self);
}

/* ---- making ---- */

static PyObject *profile_of_rows(PyObject *type, PyObject *arguments)
{
    core_state *state = state_of_type((PyTypeObject *)type);
    PyObject *source, *settings, *progress;
    rls2_profile *profile = NULL;
    rls2_error err;
    int threads;
    if (!PyArg_ParseTuple(arguments, "O!OiO:of_rows", state->source, &source, &settings, &threads,
                          &progress))
        return NULL;
    PyObject *plan = plan_asked(state, source, settings);
    if (!plan || source_begin(source) < 0) {
        Py_XDECREF(plan);
        return NULL;
    }
    watch w = watch_begin(progress);
    rls2_control control = watch_control(&w, threads);
    rls2_status status = rls2_plan_profile(
        ((plan_object *)plan)->plan, ((source_object *)source)->source, &control, &profile, &err);
    watch_end(&w);
    source_end(source);
    Py_DECREF(plan);
    int failed = PyErr_Occurred() != NULL;
    if (status == RLS2_OK && !failed) return wrap(state, profile);
    if (status == RLS2_OK) rls2_profile_free(profile);
    return failed ? NULL : raise_library(state, &err);
}

static PyObject *profile_unpack(PyObject *type, PyObject *data)
{
    core_state *state = state_of_type((PyTypeObject *)type);
    rls2_profile *profile = NULL;
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
        status = rls2_profile_unpack("the profile", start, length, &profile, &err);
    Py_END_ALLOW_THREADS
    Py_DECREF(bytes);
    return status == RLS2_OK ? wrap(state, profile) : raise_library(state, &err);
}

/* ---- files ---- */

static PyObject *profile_load(PyObject *type, PyObject *path)
{
    core_state *state = state_of_type((PyTypeObject *)type);
    PyObject *bytes;
    rls2_profile *profile = NULL;
    rls2_error err;
    rls2_status status;
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    const char *text = PyBytes_AsString(bytes);
    Py_BEGIN_ALLOW_THREADS
        status = rls2_profile_load(text, &profile, &err);
    Py_END_ALLOW_THREADS
    PyObject *made = status == RLS2_OK ? wrap(state, profile) : raise_reading(state, &err, text);
    Py_DECREF(bytes);
    return made;
}

static PyObject *profile_save(PyObject *self, PyObject *path)
{
    PyObject *bytes;
    rls2_error err;
    rls2_status status;
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    const char *text = PyBytes_AsString(bytes);
    if (begin(self) < 0) {
        Py_DECREF(bytes);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
        status = rls2_profile_save(profile_of(self), text, &err);
    Py_END_ALLOW_THREADS
    end(self);
    Py_DECREF(bytes);
    if (status != RLS2_OK) return raise_library(state_of(self), &err);
    Py_RETURN_NONE;
}

/* Freed with rls2_bytes_free. 0, or -1 with an exception. */
static int pack(PyObject *self, void **bytes, int64_t *length)
{
    rls2_error err;
    rls2_status status;
    if (begin(self) < 0) return -1;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_profile_pack(profile_of(self), bytes, length, &err);
    Py_END_ALLOW_THREADS
    end(self);
    if (status == RLS2_OK) return 0;
    raise_library(state_of(self), &err);
    return -1;
}

static PyObject *profile_pack(PyObject *self, PyObject *unused)
{
    void *bytes = NULL;
    int64_t length = 0;
    (void)unused;
    if (pack(self, &bytes, &length) < 0) return NULL;
    PyObject *result = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)length);
    rls2_bytes_free(bytes);
    return result;
}

rls2_profile *profile_copy(PyObject *self)
{
    void *bytes = NULL;
    int64_t length = 0;
    rls2_profile *copy = NULL;
    rls2_error err;
    rls2_status status;
    if (pack(self, &bytes, &length) < 0) return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_profile_unpack("the profile", bytes, length, &copy, &err);
    Py_END_ALLOW_THREADS
    rls2_bytes_free(bytes);
    if (status != RLS2_OK) raise_library(state_of(self), &err);
    return copy;
}

static PyObject *profile_merge(PyObject *self, PyObject *other)
{
    const core_state *state = state_of(self);
    rls2_error err;
    rls2_status status;
    if (!PyObject_TypeCheck(other, state->profile)) {
        PyErr_SetString(PyExc_TypeError, "a Profile is needed");
        return NULL;
    }
    rls2_profile *from = profile_copy(other); /* which may be the same one */
    if (!from) return NULL;
    if (begin(self) < 0) {
        rls2_profile_free(from);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
        status = rls2_profile_merge(profile_of(self), from, &err);
        rls2_profile_free(from);
    Py_END_ALLOW_THREADS
    end(self);
    if (status == RLS2_OK) Py_RETURN_NONE;
    if (status == RLS2_ERR_MEMORY) {
        rls2_profile_free(profile_of(self));
        ((profile_object *)self)->profile = NULL;
    }
    return raise_library(state, &err);
}

/* ---- what it is of ---- */

static PyObject *get_rows(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_profile_rows(profile_of(self)));
}

static PyObject *get_left_out(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_profile_left_out(profile_of(self)));
}

static const char *column_name(const void *profile, int64_t j)
{
    return rls2_profile_column_name(profile, j);
}

static PyObject *get_columns(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_texts(rls2_profile_columns(profile_of(self)), column_name, profile_of(self));
}

static PyMethodDef methods[] = {{"of_rows", profile_of_rows, METH_VARARGS | METH_CLASS, NULL},
                                {"load", profile_load, METH_O | METH_CLASS, NULL},
                                {"unpack", profile_unpack, METH_O | METH_CLASS, NULL},
                                {"save", profile_save, METH_O, NULL},
                                {"pack", profile_pack, METH_NOARGS, NULL},
                                {"merge", profile_merge, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {{"rows", get_rows, NULL, NULL, NULL},
                                   {"left_out", get_left_out, NULL, NULL, NULL},
                                   {"columns", get_columns, NULL, NULL, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, (void *)"What a first pass over rows tells."},
                              {Py_tp_dealloc, profile_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, properties},
                              {0, NULL}};

PyType_Spec profile_spec = {.name = "rls2._core.Profile",
                            .basicsize = sizeof(profile_object),
                            .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                            .slots = slots};
