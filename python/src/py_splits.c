/* Splits of rows. */
#include "py_core.h"

#include <stdlib.h>

static const rls2_splits *splits_of(PyObject *self)
{
    return ((splits_object *)self)->splits;
}

/* Takes over the splits that a call has just made; raises where its status is not OK. */
static PyObject *finish(const core_state *state, rls2_status status, const rls2_error *err,
                        rls2_splits *const *splits)
{
    if (status != RLS2_OK) return raise_library(state, err);
    splits_object *made = PyObject_New(splits_object, state->splits);
    if (made)
        made->splits = *splits;
    else
        rls2_splits_free(*splits);
    return (PyObject *)made;
}

static void splits_dealloc(PyObject *self)
{
    rls2_splits_free(((splits_object *)self)->splits);
    object_free(self);
}

/* n values, or none. Release it in any case. */
static int get_strata(const core_state *state, PyObject *strata, Py_ssize_t n, lent *made)
{
    *made = (lent){0};
    return strata == Py_None ? 0 : lent_vector(state, strata, "strata", n, made);
}

static PyObject *splits_folds(PyObject *type, PyObject *arguments)
{
    const core_state *state = state_of_type((PyTypeObject *)type);
    Py_ssize_t n, folds, repeats;
    unsigned long long seed;
    PyObject *buffer, *result = NULL;
    lent strata;
    rls2_splits *splits = NULL;
    rls2_error err;
    if (!PyArg_ParseTuple(arguments, "nOnnK:folds", &n, &buffer, &folds, &repeats, &seed))
        return NULL;
    if (get_strata(state, buffer, n, &strata) == 0)
        result =
            finish(state, rls2_splits_folds(n, strata.doubles, folds, repeats, seed, &splits, &err),
                   &err, &splits);
    lent_release(&strata);
    return result;
}

static PyObject *splits_random(PyObject *type, PyObject *arguments)
{
    const core_state *state = state_of_type((PyTypeObject *)type);
    Py_ssize_t n, count;
    double share;
    unsigned long long seed;
    PyObject *buffer, *result = NULL;
    lent strata;
    rls2_splits *splits = NULL;
    rls2_error err;
    if (!PyArg_ParseTuple(arguments, "nOndK:random", &n, &buffer, &count, &share, &seed))
        return NULL;
    if (get_strata(state, buffer, n, &strata) == 0)
        result =
            finish(state, rls2_splits_random(n, strata.doubles, count, share, seed, &splits, &err),
                   &err, &splits);
    lent_release(&strata);
    return result;
}

static PyObject *splits_given(PyObject *type, PyObject *buffer)
{
    const core_state *state = state_of_type((PyTypeObject *)type);
    PyObject *result = NULL;
    lent fold;
    rls2_splits *splits = NULL;
    rls2_error err;
    if (lent_integers(state, buffer, "fold", -1, &fold) == 0)
        result = finish(state, rls2_splits_given(fold.rows, fold.integers, &splits, &err), &err,
                        &splits);
    lent_release(&fold);
    return result;
}

/* ---- lists ---- */

typedef struct row_lists {
    int64_t count;
    lent *lists;
    int64_t *counts;
    const int64_t **rows;
} row_lists;

static void release_lists(row_lists *l)
{
    for (int64_t i = 0; l->lists && i < l->count; i++) lent_release(&l->lists[i]);
    free(l->lists);
    free(l->counts);
    free(l->rows);
}

static int reserve_lists(PyObject *sequence, row_lists *l)
{
    Py_ssize_t count = PySequence_Size(sequence);
    if (count < 0) return -1;
    l->count = count;
    l->lists = calloc((size_t)count + 1, sizeof *l->lists);
    l->counts = calloc((size_t)count + 1, sizeof *l->counts);
    l->rows = calloc((size_t)count + 1, sizeof *l->rows);
    if (l->lists && l->counts && l->rows) return 0;
    PyErr_NoMemory();
    return -1;
}

static int read_lists(const core_state *state, PyObject *sequence, const char *what, row_lists *l)
{
    *l = (row_lists){0};
    if (reserve_lists(sequence, l) < 0) return -1;
    for (int64_t i = 0; i < l->count; i++) {
        PyObject *item = PySequence_GetItem(sequence, (Py_ssize_t)i);
        int result = item ? lent_integers(state, item, what, -1, &l->lists[i]) : -1;
        Py_XDECREF(item);
        if (result < 0) return -1;
        l->counts[i] = l->lists[i].rows;
        l->rows[i] = l->lists[i].integers;
    }
    return 0;
}

static PyObject *list_splits(const core_state *state, int64_t n, const row_lists *training,
                             const row_lists *validation)
{
    rls2_splits *splits = NULL;
    rls2_error err;
    if (training->count != validation->count)
        return raise_error(state, RLS2_ERR_ARGUMENT,
                           "there are %lld lists of training rows and %lld of validation rows",
                           (long long)training->count, (long long)validation->count);
    rls2_status status = rls2_splits_listed(n, training->count, training->counts, training->rows,
                                            validation->counts, validation->rows, &splits, &err);
    return finish(state, status, &err, &splits);
}

static PyObject *splits_listed(PyObject *type, PyObject *arguments)
{
    const core_state *state = state_of_type((PyTypeObject *)type);
    Py_ssize_t n;
    PyObject *training, *validation, *result = NULL;
    row_lists first = {0}, second = {0};
    if (!PyArg_ParseTuple(arguments, "nOO:listed", &n, &training, &validation)) return NULL;
    if (read_lists(state, training, "training rows", &first) == 0 &&
        read_lists(state, validation, "validation rows", &second) == 0)
        result = list_splits(state, n, &first, &second);
    release_lists(&first);
    release_lists(&second);
    return result;
}

/* ---- what they are ---- */

static PyObject *get_count(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_splits_count(splits_of(self)));
}

typedef int64_t (*rows_function)(const rls2_splits *splits, int64_t i, const int64_t **rows);

static PyObject *rows_of(PyObject *self, PyObject *argument, rows_function function)
{
    const int64_t *rows;
    Py_ssize_t i = PyLong_AsSsize_t(argument);
    if ((i == -1 && PyErr_Occurred()) ||
        check_index(i, rls2_splits_count(splits_of(self)), "split") < 0)
        return NULL;
    int64_t count = function(splits_of(self), i, &rows);
    return array_of_integers(state_of(self), self, rows, count);
}

static PyObject *splits_training(PyObject *self, PyObject *i)
{
    return rows_of(self, i, rls2_splits_training);
}

static PyObject *splits_validation(PyObject *self, PyObject *i)
{
    return rows_of(self, i, rls2_splits_validation);
}

static PyMethodDef methods[] = {{"folds", splits_folds, METH_VARARGS | METH_CLASS, NULL},
                                {"random", splits_random, METH_VARARGS | METH_CLASS, NULL},
                                {"given", splits_given, METH_O | METH_CLASS, NULL},
                                {"listed", splits_listed, METH_VARARGS | METH_CLASS, NULL},
                                {"training", splits_training, METH_O, NULL},
                                {"validation", splits_validation, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {{"count", get_count, NULL, NULL, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"Which rows are learned from and which are predicted."},
    {Py_tp_dealloc, splits_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL}};

PyType_Spec splits_spec = {.name = "rls2._core.Splits",
                           .basicsize = sizeof(splits_object),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                           .slots = slots};
