/* Data: a table as the learner sees it. */
#include "py_core.h"

typedef struct data_object {
    PyObject_HEAD
    PyObject *owner; /* NULL: the data set is the object's own */
    const rls2_dataset *data;
} data_object;

static const rls2_dataset *data_of(PyObject *self)
{
    return ((data_object *)self)->data;
}

static PyObject *make(const core_state *state, PyObject *owner, const rls2_dataset *data)
{
    data_object *made = PyObject_New(data_object, state->data);
    if (!made) return NULL;
    Py_XINCREF(owner);
    made->owner = owner;
    made->data = data;
    return (PyObject *)made;
}

PyObject *data_wrap(const core_state *state, rls2_dataset *data)
{
    PyObject *made = make(state, NULL, data);
    if (!made) rls2_dataset_free(data);
    return made;
}

PyObject *data_borrow(const core_state *state, PyObject *owner, const rls2_dataset *data)
{
    return make(state, owner, data);
}

static void data_dealloc(PyObject *self)
{
    data_object *data = (data_object *)self;
    if (!data->owner) rls2_dataset_free((rls2_dataset *)(uintptr_t)data->data);
    Py_XDECREF(data->owner);
    object_free(self);
}

/* ---- properties ---- */

static const char *column_name(const void *data, int64_t j)
{
    return rls2_dataset_names(data)[j];
}

static const char *output_name(const void *data, int64_t o)
{
    return rls2_dataset_output_name(data, o);
}

static const char *class_label(const void *data, int64_t k)
{
    return rls2_dataset_class_label(data, k);
}

static PyObject *none(void)
{
    Py_INCREF(Py_None);
    return Py_None;
}

static PyObject *get_rows(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_dataset_rows(data_of(self)));
}

static PyObject *get_names(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_texts(rls2_dataset_columns(data_of(self)), column_name, data_of(self));
}

static PyObject *get_output_names(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_texts(rls2_dataset_outputs(data_of(self)), output_name, data_of(self));
}

static PyObject *get_class_labels(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_texts(rls2_dataset_class_count(data_of(self)), class_label, data_of(self));
}

static PyObject *get_x(PyObject *self, void *unused)
{
    (void)unused;
    const rls2_dataset *data = data_of(self);
    return array_of_doubles(state_of(self), self, rls2_dataset_x(data), rls2_dataset_rows(data),
                            rls2_dataset_columns(data));
}

static PyObject *get_weights(PyObject *self, void *unused)
{
    (void)unused;
    const double *weights = rls2_dataset_row_weights(data_of(self));
    if (!weights) return none();
    return array_of_doubles(state_of(self), self, weights, rls2_dataset_rows(data_of(self)), -1);
}

/* One number for each column, or None where features were not preprocessed. */
static PyObject *of_columns(PyObject *self, const double *values)
{
    if (!values) return none();
    return array_of_doubles(state_of(self), self, values, rls2_dataset_columns(data_of(self)), -1);
}

static PyObject *get_means(PyObject *self, void *unused)
{
    (void)unused;
    return of_columns(self, rls2_dataset_means(data_of(self)));
}

static PyObject *get_deviations(PyObject *self, void *unused)
{
    (void)unused;
    return of_columns(self, rls2_dataset_deviations(data_of(self)));
}

/* Rows of the table that the data are made of. */
static PyObject *get_source_rows(PyObject *self, void *unused)
{
    (void)unused;
    int64_t count = rls2_dataset_rows(data_of(self));
    int64_t *rows = (int64_t *)(void *)room_for(count, 1);
    if (!rows) return NULL;
    for (int64_t i = 0; i < count; i++) rows[i] = rls2_dataset_source_row(data_of(self), i);
    return array_own_integers(state_of(self), rows, count);
}

static PyObject *get_fingerprint(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(rls2_dataset_fingerprint(data_of(self)));
}

static PyObject *get_imputed(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_dataset_imputed(data_of(self)));
}

static PyObject *get_unseen(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_dataset_unseen(data_of(self)));
}

static PyGetSetDef properties[] = {{"rows", get_rows, NULL, NULL, NULL},
                                   {"names", get_names, NULL, NULL, NULL},
                                   {"output_names", get_output_names, NULL, NULL, NULL},
                                   {"class_labels", get_class_labels, NULL, NULL, NULL},
                                   {"x", get_x, NULL, NULL, NULL},
                                   {"weights", get_weights, NULL, NULL, NULL},
                                   {"means", get_means, NULL, NULL, NULL},
                                   {"deviations", get_deviations, NULL, NULL, NULL},
                                   {"source_rows", get_source_rows, NULL, NULL, NULL},
                                   {"fingerprint", get_fingerprint, NULL, NULL, NULL},
                                   {"imputed", get_imputed, NULL, NULL, NULL},
                                   {"unseen", get_unseen, NULL, NULL, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, (void *)"A table as the learner sees it."},
                              {Py_tp_dealloc, data_dealloc},
                              {Py_tp_getset, properties},
                              {0, NULL}};

PyType_Spec data_spec = {.name = "rls2._core.Data",
                         .basicsize = sizeof(data_object),
                         .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                         .slots = slots};
