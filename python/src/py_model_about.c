/* What a model knows of itself. */
#include "py_model.h"

#include <stdlib.h>
#include <string.h>

/* ---- of an output ---- */

PyObject *model_intercept(PyObject *self, PyObject *output)
{
    const rls2_model *model = output_from(self, output);
    return model ? PyFloat_FromDouble(rls2_model_intercept(model)) : NULL;
}

PyObject *model_base(PyObject *self, PyObject *output)
{
    const rls2_model *model = output_from(self, output);
    return model ? PyFloat_FromDouble(rls2_model_base(model)) : NULL;
}

/* -1: the sparse part. */
static PyObject *member_tuple(const rls2_model *model, int64_t m)
{
    const rls2_model *member = m < 0 ? model : rls2_model_member(model, m);
    return Py_BuildValue("sdd", m < 0 ? "" : rls2_model_member_name(model, m),
                         rls2_model_member_weight(model, m), rls2_model_lambda(member));
}

PyObject *model_members(PyObject *self, PyObject *output)
{
    const rls2_model *model = output_from(self, output);
    PyObject *list = model ? PyList_New(0) : NULL;
    int64_t count = list ? rls2_model_member_count(model) : 0;
    for (int64_t m = count > 0 ? -1 : 0; m < count; m++) {
        PyObject *one = member_tuple(model, m);
        int failed = !one || PyList_Append(list, one) < 0;
        Py_XDECREF(one);
        if (!failed) continue;
        Py_DECREF(list);
        return NULL;
    }
    return list;
}

static const char *relevant_name(const rls2_model *model, int64_t k)
{
    return rls2_model_input_count(model) > 0 ? rls2_model_input_name(model, k)
                                             : rls2_model_column_names(model)[k];
}

PyObject *model_relevance(PyObject *self, PyObject *unused)
{
    const rls2_model *model = model_of(self);
    int64_t count = rls2_model_relevance(model, NULL);
    double *shares = PyMem_Malloc(((size_t)count + 1) * sizeof *shares);
    PyObject *list = shares ? PyList_New((Py_ssize_t)count) : PyErr_NoMemory();
    (void)unused;
    if (shares) rls2_model_relevance(model, shares);
    for (int64_t k = 0; list && k < count; k++) {
        PyObject *item = Py_BuildValue("sd", relevant_name(model, k), shares[k]);
        if (!item || PyList_SetItem(list, (Py_ssize_t)k, item) < 0) Py_CLEAR(list);
    }
    PyMem_Free(shares);
    return list;
}

PyObject *model_point(PyObject *self, PyObject *output)
{
    const rls2_model *model = output_from(self, output);
    return model ? point_tuple(state_of(self), rls2_model_point(model)) : NULL;
}

PyObject *model_selected(PyObject *self, PyObject *output)
{
    const rls2_model *model = output_from(self, output);
    PyObject *list = model ? PyList_New((Py_ssize_t)rls2_model_kernel_count(model)) : NULL;
    for (int64_t k = 0; list && k < rls2_model_kernel_count(model); k++) {
        PyObject *item = Py_BuildValue(
            "Lsdd", (long long)rls2_model_kernel_index(model, k), rls2_model_kernel_name(model, k),
            rls2_model_kernel_weight(model, k), rls2_model_scale(model, k));
        if (!item || PyList_SetItem(list, (Py_ssize_t)k, item) < 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *model_c(PyObject *self, PyObject *output)
{
    const rls2_model *model = output_from(self, output);
    if (!model) return NULL;
    if (rls2_model_is_compact(model)) Py_RETURN_NONE;
    return array_of_doubles(state_of(self), self, rls2_model_c(model), rls2_model_rows(model), -1);
}

PyObject *model_scales(PyObject *self, PyObject *output)
{
    const rls2_model *model = output_from(self, output);
    if (!model) return NULL;
    return array_of_doubles(state_of(self), self, rls2_model_scales(model),
                            rls2_dictionary_count(rls2_model_dictionary(model)), -1);
}

/* Steals the numbers. */
static PyObject *deliver(PyObject *self, rls2_status status, const rls2_error *err, double *values,
                         int64_t count)
{
    if (status == RLS2_OK) return array_own_doubles(state_of(self), values, count, -1);
    free(values);
    return raise_library(state_of(self), err);
}

PyObject *model_coefficients(PyObject *self, PyObject *output)
{
    rls2_error err;
    rls2_status status;
    const rls2_model *model = output_from(self, output);
    double *a = model ? room_for(rls2_model_columns(model), 1) : NULL;
    if (!a) return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_model_coefficients(model, a, &err);
    Py_END_ALLOW_THREADS
    return deliver(self, status, &err, a, rls2_model_columns(model));
}

PyObject *model_shares(PyObject *self, PyObject *output)
{
    rls2_error err;
    const rls2_model *model = output_from(self, output);
    double *shares = model ? room_for(rls2_model_kernel_count(model), 1) : NULL;
    if (!shares) return NULL;
    watch w = watch_begin(Py_None);
    rls2_control control = watch_control(&w, 1); /* a process may fork afterwards */
    rls2_status status = rls2_model_shares(model, &control, shares, NULL, &err);
    if (watch_end(&w) < 0) {
        free(shares);
        return NULL;
    }
    return deliver(self, status, &err, shares, rls2_model_kernel_count(model));
}

PyObject *model_left_out_shares(PyObject *self, PyObject *output)
{
    const rls2_model *model = output_from(self, output);
    const int64_t *kernels = NULL;
    const double *shares = NULL;
    if (!model) return NULL;
    int64_t count = rls2_model_left_out_shares(model, &kernels, &shares);
    return Py_BuildValue("NN", array_of_integers(state_of(self), self, kernels, count),
                         array_of_doubles(state_of(self), self, shares, count, -1));
}

PyObject *model_degrees_of_freedom(PyObject *self, PyObject *output)
{
    double df = 0.0;
    rls2_error err;
    const rls2_model *model = output_from(self, output);
    if (!model) return NULL;
    watch w = watch_begin(Py_None);
    rls2_control control = watch_control(&w, 1); /* a process may fork afterwards */
    rls2_status status = rls2_model_degrees_of_freedom_watched(model, &control, &df, &err);
    if (watch_end(&w) < 0) return NULL;
    return status == RLS2_OK ? PyFloat_FromDouble(df) : raise_library(state_of(self), &err);
}

/* ---- of the whole ---- */

static const char *column_name(const void *model, int64_t j)
{
    return rls2_model_column_names(model)[j];
}

static const char *input_name(const void *model, int64_t j)
{
    return rls2_model_input_name(model, j);
}

static const char *output_name(const void *model, int64_t o)
{
    const char *name = rls2_model_output_name(model, o);
    return name ? name : "";
}

static const char *class_label(const void *model, int64_t k)
{
    return rls2_model_class_label(model, k);
}

static const char *given_name(const void *model, int64_t g)
{
    return rls2_model_given_name(model, g);
}

static PyObject *get_outputs(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_model_outputs(model_of(self)));
}

static PyObject *get_rows(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_model_rows(model_of(self)));
}

static PyObject *get_points(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_model_points(model_of(self)));
}

static PyObject *get_compact(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(rls2_model_is_compact(model_of(self)));
}

/* Bound, mean square and variance of an output. */
PyObject *model_represented(PyObject *self, PyObject *output)
{
    const rls2_model *model = output_from(self, output);
    if (!model) return NULL;
    const rls2_represented *about = rls2_model_represented(model);
    if (!about) Py_RETURN_NONE;
    return Py_BuildValue("(ddd)", about->bound, about->mean_square, about->variance);
}

static PyObject *get_columns(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_texts(rls2_model_columns(model_of(self)), column_name, model_of(self));
}

static PyObject *get_inputs(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_texts(rls2_model_input_count(model_of(self)), input_name, model_of(self));
}

static const char *input_kind(const void *model, int64_t j)
{
    return kind_word(rls2_model_input_kind(model, j));
}

static PyObject *get_input_kinds(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_texts(rls2_model_input_count(model_of(self)), input_kind, model_of(self));
}

static PyObject *get_target(PyObject *self, void *unused)
{
    (void)unused;
    return text_or_none(rls2_model_target(model_of(self)));
}

static PyObject *get_output_names(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_texts(rls2_model_outputs(model_of(self)), output_name, model_of(self));
}

static PyObject *get_is_classification(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(rls2_model_is_classification(model_of(self)));
}

static PyObject *get_class_labels(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_texts(rls2_model_class_count(model_of(self)), class_label, model_of(self));
}

static PyObject *get_spec(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(rls2_model_spec(model_of(self)));
}

static PyObject *get_is_linear(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(rls2_dictionary_is_linear(rls2_model_dictionary(model_of(self))));
}

static PyObject *get_dictionary(PyObject *self, void *unused)
{
    (void)unused;
    return dictionary_names_list(rls2_model_dictionary(model_of(self)));
}

static PyObject *get_scaling(PyObject *self, void *unused)
{
    (void)unused;
    const rls2_model_scaling *scaling = rls2_model_scaling_rule(model_of(self));
    return PyObject_CallFunction(
        state_of(self)->scaling, "NNNN", choice_word("scaling", (int)scaling->rule),
        PyBool_FromLong(scaling->center), PyBool_FromLong(scaling->transductive),
        PyBool_FromLong(scaling->skip_degenerate));
}

static PyObject *get_solver(PyObject *self, void *unused)
{
    (void)unused;
    return choice_word("solver", (int)rls2_model_solver(model_of(self)));
}

static PyObject *get_intercept_is_free(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(rls2_model_intercept_is_free(model_of(self)));
}

static PyObject *get_shares_weights(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(rls2_model_shares_weights(model_of(self)));
}

static PyObject *get_preprocessing(PyObject *self, void *unused)
{
    (void)unused;
    const rls2_model *model = model_of(self);
    /* the choices of "examples": those of "features" begin with auto */
    return Py_BuildValue("NN", choice_word("examples", (int)rls2_model_example_rule(model)),
                         choice_word("examples", (int)rls2_model_feature_rule(model)));
}

/* The names of the columns of a group. */
static PyObject *group_columns(const rls2_model *model, const rls2_group *group)
{
    PyObject *list = PyList_New((Py_ssize_t)group->count);
    for (int64_t i = 0; list && i < group->count; i++) {
        PyObject *name = PyUnicode_FromString(column_name(model, group->columns[i]));
        if (!name || PyList_SetItem(list, (Py_ssize_t)i, name) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *get_groups(PyObject *self, void *unused)
{
    (void)unused;
    const rls2_dictionary *dictionary = rls2_model_dictionary(model_of(self));
    PyObject *dict = PyDict_New();
    for (int64_t g = 0; dict && g < rls2_dictionary_group_count(dictionary); g++) {
        const rls2_group *group = rls2_dictionary_group(dictionary, g);
        PyObject *columns = group_columns(model_of(self), group);
        if (!columns || PyDict_SetItemString(dict, group->name, columns) < 0) Py_CLEAR(dict);
        Py_XDECREF(columns);
    }
    return dict;
}

static PyObject *get_given_names(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_texts(rls2_model_given_count(model_of(self)), given_name, model_of(self));
}

/* Is a data column the column of the table, number for number? */
static int is_plain(const rls2_model *model, int64_t j)
{
    int64_t input = rls2_model_input_of(model, j);
    return input >= 0 &&
           strcmp(rls2_model_column_names(model)[j], rls2_model_input_name(model, input)) == 0;
}

static PyObject *get_needs_encoding(PyObject *self, void *unused)
{
    (void)unused;
    const rls2_model *model = model_of(self);
    rls2_normalize examples = rls2_model_example_rule(model),
                   features = rls2_model_feature_rule(model);
    int needs = examples != RLS2_NORMALIZE_NONE || features != RLS2_NORMALIZE_NONE;
    for (int64_t j = 0; j < rls2_model_columns(model) && !needs; j++) needs = !is_plain(model, j);
    return PyBool_FromLong(needs || rls2_model_input_count(model) != rls2_model_columns(model));
}

static PyObject *get_lambda(PyObject *self, void *unused)
{
    (void)unused;
    return PyFloat_FromDouble(rls2_model_lambda(model_of(self)));
}

static PyObject *get_left_out(PyObject *self, void *unused)
{
    (void)unused;
    const rls2_left_out *known = rls2_model_left_out(model_of(self));
    if (!known) Py_RETURN_NONE;
    return Py_BuildValue("(sddL)", known->measure, known->score, known->error,
                         (long long)known->splits);
}

static PyObject *get_weights(PyObject *self, void *unused)
{
    (void)unused;
    const double *weights = rls2_model_row_weights(model_of(self));
    if (weights)
        return array_of_doubles(state_of(self), self, weights, rls2_model_rows(model_of(self)), -1);
    Py_RETURN_NONE;
}

static PyObject *get_fingerprint(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(rls2_model_fingerprint(model_of(self)));
}

static PyObject *get_weight_column(PyObject *self, void *unused)
{
    (void)unused;
    return text_or_none(rls2_model_row_weights_column(model_of(self)));
}

PyGetSetDef model_properties[] = {{"outputs", get_outputs, NULL, NULL, NULL},
                                  {"rows", get_rows, NULL, NULL, NULL},
                                  {"points", get_points, NULL, NULL, NULL},
                                  {"is_compact", get_compact, NULL, NULL, NULL},
                                  {"columns", get_columns, NULL, NULL, NULL},
                                  {"inputs", get_inputs, NULL, NULL, NULL},
                                  {"input_kinds", get_input_kinds, NULL, NULL, NULL},
                                  {"target", get_target, NULL, NULL, NULL},
                                  {"output_names", get_output_names, NULL, NULL, NULL},
                                  {"is_classification", get_is_classification, NULL, NULL, NULL},
                                  {"class_labels", get_class_labels, NULL, NULL, NULL},
                                  {"spec", get_spec, NULL, NULL, NULL},
                                  {"is_linear", get_is_linear, NULL, NULL, NULL},
                                  {"dictionary", get_dictionary, NULL, NULL, NULL},
                                  {"groups", get_groups, NULL, NULL, NULL},
                                  {"scaling", get_scaling, NULL, NULL, NULL},
                                  {"solver", get_solver, NULL, NULL, NULL},
                                  {"intercept_is_free", get_intercept_is_free, NULL, NULL, NULL},
                                  {"shares_weights", get_shares_weights, NULL, NULL, NULL},
                                  {"preprocessing", get_preprocessing, NULL, NULL, NULL},
                                  {"given_names", get_given_names, NULL, NULL, NULL},
                                  {"needs_encoding", get_needs_encoding, NULL, NULL, NULL},
                                  {"lambda_", get_lambda, NULL, NULL, NULL},
                                  {"left_out", get_left_out, NULL, NULL, NULL},
                                  {"weights", get_weights, NULL, NULL, NULL},
                                  {"fingerprint", get_fingerprint, NULL, NULL, NULL},
                                  {"weight_column", get_weight_column, NULL, NULL, NULL},
                                  {NULL, NULL, NULL, NULL, NULL}};
