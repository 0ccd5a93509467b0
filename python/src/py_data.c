/* Data: a table as the learner sees it. */
#include "py_core.h"

#include <stdlib.h>

static rls2_dataset *data_of(PyObject *self)
{
    return ((data_object *)self)->data;
}

PyObject *data_wrap(const core_state *state, rls2_dataset *data)
{
    data_object *made = PyObject_New(data_object, state->data);
    if (!made) {
        rls2_dataset_free(data);
        return NULL;
    }
    made->data = data;
    made->dictionary = NULL;
    return (PyObject *)made;
}

static int is_preprocessed(rls2_preprocessing how)
{
    return how.examples != RLS2_NORMALIZE_NONE || how.features != RLS2_NORMALIZE_NONE;
}

static rls2_dataset *make(const core_state *state, const rls2_table *table,
                          const rls2_recipe *recipe)
{
    rls2_error err;
    rls2_dataset *data = NULL;
    rls2_status status;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_dataset_create(table, &recipe->data, &data, &err);
        if (status == RLS2_OK && is_preprocessed(recipe->preprocessing))
            status = rls2_dataset_preprocess(data, recipe->preprocessing, NULL, &err);
    Py_END_ALLOW_THREADS
    if (status == RLS2_OK) return data;
    rls2_dataset_free(data);
    raise_library(state, &err);
    return NULL;
}

static PyObject *make_object(const core_state *state, const rls2_table *table,
                             const recipe_holder *r)
{
    rls2_dataset *data = make(state, table, &r->recipe);
    PyObject *self = data ? data_wrap(state, data) : NULL;
    if (self && r->has_kernels &&
        recipe_dictionary(state, r, data, &((data_object *)self)->dictionary) < 0)
        Py_CLEAR(self);
    return self;
}

static PyObject *data_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"table", "recipe", NULL};
    core_state *state = state_of_type(type);
    PyObject *table, *dict;
    recipe_holder recipe;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!O:Data", names, state->table, &table,
                                     &dict))
        return NULL;
    PyObject *self = NULL;
    if (recipe_read(state, dict, -1, &recipe) == 0)
        self = make_object(state, ((table_object *)table)->table, &recipe);
    recipe_release(&recipe);
    return self;
}

static void data_dealloc(PyObject *self)
{
    rls2_dataset_free(data_of(self));
    rls2_dictionary_free(((data_object *)self)->dictionary);
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

static PyObject *get_outputs(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_dataset_outputs(data_of(self)));
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

static PyObject *get_y(PyObject *self, void *unused)
{
    (void)unused;
    const rls2_dataset *data = data_of(self);
    if (!rls2_dataset_y(data)) return none();
    return array_of_doubles(state_of(self), self, rls2_dataset_y(data), rls2_dataset_rows(data),
                            rls2_dataset_outputs(data));
}

static PyObject *get_classes(PyObject *self, void *unused)
{
    (void)unused;
    const int64_t *classes = rls2_dataset_classes(data_of(self));
    if (!classes) return none();
    return array_of_integers(state_of(self), self, classes, rls2_dataset_rows(data_of(self)));
}

static PyObject *get_weights(PyObject *self, void *unused)
{
    (void)unused;
    const double *weights = rls2_dataset_weights(data_of(self));
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

static PyObject *get_source_rows(PyObject *self, void *unused)
{
    (void)unused;
    int64_t rows = rls2_dataset_rows(data_of(self));
    PyObject *list = PyList_New((Py_ssize_t)rows);
    for (int64_t i = 0; list && i < rows; i++) {
        PyObject *row = PyLong_FromLongLong(rls2_dataset_source_row(data_of(self), i));
        if (!row || PyList_SetItem(list, (Py_ssize_t)i, row) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *get_fingerprint(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(rls2_dataset_fingerprint(data_of(self)));
}

static PyObject *get_kernel_names(PyObject *self, void *unused)
{
    (void)unused;
    return dictionary_names_list(((data_object *)self)->dictionary);
}

static PyGetSetDef properties[] = {{"rows", get_rows, NULL, NULL, NULL},
                                   {"names", get_names, NULL, NULL, NULL},
                                   {"outputs", get_outputs, NULL, NULL, NULL},
                                   {"output_names", get_output_names, NULL, NULL, NULL},
                                   {"class_labels", get_class_labels, NULL, NULL, NULL},
                                   {"x", get_x, NULL, NULL, NULL},
                                   {"y", get_y, NULL, NULL, NULL},
                                   {"classes", get_classes, NULL, NULL, NULL},
                                   {"weights", get_weights, NULL, NULL, NULL},
                                   {"means", get_means, NULL, NULL, NULL},
                                   {"deviations", get_deviations, NULL, NULL, NULL},
                                   {"source_rows", get_source_rows, NULL, NULL, NULL},
                                   {"fingerprint", get_fingerprint, NULL, NULL, NULL},
                                   {"kernel_names", get_kernel_names, NULL, NULL, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, (void *)"A data set made of a table by a recipe."},
                              {Py_tp_new, data_new},
                              {Py_tp_dealloc, data_dealloc},
                              {Py_tp_getset, properties},
                              {0, NULL}};

PyType_Spec data_spec = {.name = "rls2._core.Data",
                         .basicsize = sizeof(data_object),
                         .flags = Py_TPFLAGS_DEFAULT,
                         .slots = slots};
