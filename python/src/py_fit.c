/* Fit: what a plan led to. */
#include "py_core.h"

#include <stdlib.h>

typedef struct fit_object {
    PyObject_HEAD
    PyObject *plan; /* which owns data and dictionary */
    rls2_fit *fit;
} fit_object;

static const rls2_fit *fit_of(PyObject *self)
{
    return ((fit_object *)self)->fit;
}

PyObject *fit_wrap(const core_state *state, PyObject *plan, rls2_fit *fit)
{
    fit_object *made = PyObject_New(fit_object, state->fit);
    if (!made) {
        rls2_fit_free(fit);
        return NULL;
    }
    Py_INCREF(plan);
    made->plan = plan;
    made->fit = fit;
    return (PyObject *)made;
}

static void fit_dealloc(PyObject *self)
{
    fit_object *fit = (fit_object *)self;
    rls2_fit_free(fit->fit);
    Py_DECREF(fit->plan);
    object_free(self);
}

/* The path of an output; NULL with an exception, also where the goal was a curve alone. */
static const rls2_path *path_of(PyObject *self, Py_ssize_t output)
{
    if (check_index(output, rls2_fit_outputs(fit_of(self)), "output") < 0) return NULL;
    const rls2_path *path = rls2_fit_path(fit_of(self), output);
    if (!path) raise_error(state_of(self), RLS2_ERR_ARGUMENT, "the fit has no path");
    return path;
}

/* ---- of the whole ---- */

static PyObject *get_outputs(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_fit_outputs(fit_of(self)));
}

static PyObject *get_chosen(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_fit_chosen(fit_of(self)));
}

static PyObject *get_cv(PyObject *self, void *unused)
{
    (void)unused;
    const rls2_cv *cv = rls2_fit_cv(fit_of(self));
    if (cv) return cv_borrow(state_of(self), self, cv);
    Py_RETURN_NONE;
}

static PyObject *get_lambdas(PyObject *self, void *unused)
{
    (void)unused;
    int64_t count = rls2_fit_count(fit_of(self));
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *lambda = PyFloat_FromDouble(rls2_fit_at(fit_of(self), i)->lambda);
        if (!lambda || PyList_SetItem(list, (Py_ssize_t)i, lambda) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *get_scales(PyObject *self, void *unused)
{
    (void)unused;
    int64_t outputs = rls2_fit_outputs(fit_of(self));
    PyObject *list = PyList_New((Py_ssize_t)outputs);
    for (int64_t o = 0; list && o < outputs; o++) {
        const rls2_basis *basis = path_of(self, o) ? rls2_fit_basis(fit_of(self), o) : NULL;
        PyObject *scales = NULL;
        if (basis)
            scales = array_of_doubles(state_of(self), self, rls2_basis_scales(basis),
                                      rls2_basis_count(basis), -1);
        if (!scales || PyList_SetItem(list, (Py_ssize_t)o, scales) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *fit_point(PyObject *self, PyObject *argument)
{
    Py_ssize_t i = PyLong_AsSsize_t(argument);
    if ((i == -1 && PyErr_Occurred()) || check_index(i, rls2_fit_count(fit_of(self)), "lambda") < 0)
        return NULL;
    return point_tuple(state_of(self), rls2_fit_at(fit_of(self), i));
}

static PyObject *fit_model(PyObject *self, PyObject *argument)
{
    rls2_model *model = NULL;
    rls2_error err;
    rls2_status status;
    Py_ssize_t i = PyLong_AsSsize_t(argument);
    if ((i == -1 && PyErr_Occurred()) || check_index(i, rls2_fit_count(fit_of(self)), "lambda") < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_fit_model(fit_of(self), i, &model, &err);
    Py_END_ALLOW_THREADS
    return status == RLS2_OK ? model_wrap(state_of(self), model)
                             : raise_library(state_of(self), &err);
}

/* ---- of an output ---- */

/* The path of an output that has point i; NULL with an exception. */
static const rls2_path *path_at(PyObject *self, PyObject *arguments, const char *format,
                                Py_ssize_t *i)
{
    Py_ssize_t output;
    if (!PyArg_ParseTuple(arguments, format, &output, i)) return NULL;
    const rls2_path *path = path_of(self, output);
    return path && check_index(*i, rls2_fit_count(fit_of(self)), "lambda") == 0 ? path : NULL;
}

static PyObject *fit_weights(PyObject *self, PyObject *arguments)
{
    Py_ssize_t i;
    const int64_t *kernels;
    const double *d;
    const rls2_path *path = path_at(self, arguments, "nn:weights", &i);
    if (!path) return NULL;
    int64_t count = rls2_path_kernel_weights(path, i, &kernels, &d);
    PyObject *first = array_of_integers(state_of(self), self, kernels, count);
    PyObject *second = array_of_doubles(state_of(self), self, d, count, -1);
    PyObject *pair = first && second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return pair;
}

static PyObject *fit_c(PyObject *self, PyObject *arguments)
{
    Py_ssize_t i;
    const rls2_path *path = path_at(self, arguments, "nn:c", &i);
    if (!path) return NULL;
    return array_of_doubles(state_of(self), self, rls2_path_c(path, i),
                            rls2_dataset_rows(rls2_fit_data(fit_of(self))), -1);
}

static PyObject *fit_intercept(PyObject *self, PyObject *arguments)
{
    Py_ssize_t i;
    const rls2_path *path = path_at(self, arguments, "nn:intercept", &i);
    return path ? PyFloat_FromDouble(rls2_path_intercept_at(path, i)) : NULL;
}

/* Of the points that all outputs have. */
static PyObject *predict(PyObject *self, const rls2_path *path, const rls2_rows *rows)
{
    const core_state *state = state_of(self);
    rls2_error err;
    double *f = room_for(rows->n, rls2_path_count(path));
    if (!f) return NULL;
    watch w = watch_begin(Py_None);
    rls2_control control = watch_control(&w, 1); /* a process may fork afterwards */
    rls2_status status = rls2_path_predict_watched(path, rows, &control, f, &err);
    int failed = watch_end(&w) < 0;
    if (status == RLS2_OK && !failed)
        return array_own_doubles(state, f, rows->n, rls2_fit_count(fit_of(self)));
    free(f);
    return failed ? NULL : raise_library(state, &err);
}

static PyObject *fit_predict(PyObject *self, PyObject *arguments)
{
    const rls2_dataset *data = rls2_fit_data(fit_of(self));
    int64_t given_count = ((plan_object *)((fit_object *)self)->plan)->given_count;
    Py_ssize_t output, n;
    PyObject *x, *given, *result = NULL;
    lent_rows rows;
    if (!PyArg_ParseTuple(arguments, "nOnO:predict", &output, &x, &n, &given)) return NULL;
    const rls2_path *path = path_of(self, output);
    if (!path) return NULL;
    if (lent_rows_get(state_of(self), x, n, given, NULL, rls2_dataset_columns(data), given_count,
                      rls2_dataset_rows(data), &rows) == 0)
        result = predict(self, path, &rows.rows);
    lent_rows_release(&rows);
    return result;
}

static PyMethodDef methods[] = {{"point", fit_point, METH_O, NULL},
                                {"model", fit_model, METH_O, NULL},
                                {"weights", fit_weights, METH_VARARGS, NULL},
                                {"c", fit_c, METH_VARARGS, NULL},
                                {"intercept", fit_intercept, METH_VARARGS, NULL},
                                {"predict", fit_predict, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {
    {"outputs", get_outputs, NULL, NULL, NULL}, {"chosen", get_chosen, NULL, NULL, NULL},
    {"cv", get_cv, NULL, NULL, NULL},           {"lambdas", get_lambdas, NULL, NULL, NULL},
    {"scales", get_scales, NULL, NULL, NULL},   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, (void *)"What a plan led to."},
                              {Py_tp_dealloc, fit_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, properties},
                              {0, NULL}};

PyType_Spec fit_spec = {.name = "rls2._core.Fit",
                        .basicsize = sizeof(fit_object),
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        .slots = slots};
