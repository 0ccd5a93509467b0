/* Model: its life, and what it says about rows. What it knows of itself is in model_about.c. */
#include "py_model.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

PyObject *model_wrap(const core_state *state, rls2_model *model)
{
    model_object *made = PyObject_New(model_object, state->model);
    if (!made) {
        rls2_model_free(model);
        return NULL;
    }
    made->model = model;
    return (PyObject *)made;
}

static void model_dealloc(PyObject *self)
{
    rls2_model_free(((model_object *)self)->model);
    object_free(self);
}

static PyObject *model_load(PyObject *type, PyObject *path)
{
    core_state *state = state_of_type((PyTypeObject *)type);
    PyObject *bytes;
    rls2_model *model = NULL;
    rls2_error err;
    rls2_status status;
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    const char *text = PyBytes_AsString(bytes);
    Py_BEGIN_ALLOW_THREADS
        status = rls2_model_load(text, &model, &err);
    Py_END_ALLOW_THREADS
    PyObject *made =
        status == RLS2_OK ? model_wrap(state, model) : raise_reading(state, &err, text);
    Py_DECREF(bytes);
    return made;
}

static PyObject *model_unpack(PyObject *type, PyObject *data)
{
    core_state *state = state_of_type((PyTypeObject *)type);
    rls2_model *model = NULL;
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
        status = rls2_model_unpack("the model", start, length, &model, &err);
    Py_END_ALLOW_THREADS
    Py_DECREF(bytes);
    return status == RLS2_OK ? model_wrap(state, model) : raise_library(state, &err);
}

static PyObject *model_save(PyObject *self, PyObject *path)
{
    PyObject *bytes;
    rls2_error err;
    rls2_status status;
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    const char *text = PyBytes_AsString(bytes);
    Py_BEGIN_ALLOW_THREADS
        status = rls2_model_save(model_of(self), text, &err);
    Py_END_ALLOW_THREADS
    Py_DECREF(bytes);
    if (status != RLS2_OK) return raise_library(state_of(self), &err);
    Py_RETURN_NONE;
}

static PyObject *model_pack(PyObject *self, PyObject *unused)
{
    void *bytes = NULL;
    int64_t length = 0;
    rls2_error err;
    rls2_status status;
    (void)unused;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_model_pack(model_of(self), &bytes, &length, &err);
    Py_END_ALLOW_THREADS
    if (status != RLS2_OK) return raise_library(state_of(self), &err);
    PyObject *result = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)length);
    rls2_bytes_free(bytes);
    return result;
}

/* ---- rows ---- */

const rls2_model *output_of(PyObject *self, Py_ssize_t output)
{
    if (check_index(output, rls2_model_outputs(model_of(self)), "output") < 0) return NULL;
    return rls2_model_output(model_of(self), output);
}

const rls2_model *output_from(PyObject *self, PyObject *argument)
{
    Py_ssize_t output = PyLong_AsSsize_t(argument);
    return output == -1 && PyErr_Occurred() ? NULL : output_of(self, output);
}

/* Rows for the model as a whole or an output of it. */
static int get_rows(PyObject *self, PyObject *x, Py_ssize_t n, PyObject *given, PyObject *diagonals,
                    lent_rows *rows)
{
    const rls2_model *model = model_of(self);
    return lent_rows_get(state_of(self), x, n, given, diagonals, rls2_model_columns(model),
                         rls2_model_given_count(model), rls2_model_rows(model), rows);
}

static PyObject *predict(PyObject *self, const rls2_rows *rows, int threads)
{
    const core_state *state = state_of(self);
    rls2_error err;
    int64_t outputs = rls2_model_outputs(model_of(self));
    double *f = room_for(rows->n, outputs);
    if (!f) return NULL;
    watch w = watch_begin(Py_None);
    rls2_control control = watch_control(&w, threads < 0 ? 0 : threads);
    rls2_status status = rls2_model_predict(model_of(self), rows, &control, f, &err);
    int failed = watch_end(&w) < 0;
    if (status == RLS2_OK && !failed) return array_own_doubles(state, f, rows->n, outputs);
    free(f);
    return failed ? NULL : raise_library(state, &err);
}

static PyObject *model_predict(PyObject *self, PyObject *arguments)
{
    Py_ssize_t n;
    PyObject *x, *given, *result = NULL;
    int threads;
    lent_rows rows;
    if (!PyArg_ParseTuple(arguments, "OnOi:predict", &x, &n, &given, &threads)) return NULL;
    if (get_rows(self, x, n, given, NULL, &rows) == 0) result = predict(self, &rows.rows, threads);
    lent_rows_release(&rows);
    return result;
}

/* Numbers for each row: rls2_model_contributions, rls2_model_variance_watched. */
typedef rls2_status (*row_function)(const rls2_model *model, const rls2_rows *rows,
                                    const rls2_control *control, double *values, rls2_error *err);

static PyObject *compute(PyObject *self, row_function function, const rls2_model *model,
                         const rls2_rows *rows, int64_t columns)
{
    const core_state *state = state_of(self);
    rls2_error err;
    double *values = room_for(rows->n, columns < 0 ? 1 : columns);
    if (!values) return NULL;
    watch w = watch_begin(Py_None);
    rls2_control control = watch_control(&w, 1); /* a process may fork afterwards */
    rls2_status status = function(model, rows, &control, values, &err);
    int failed = watch_end(&w) < 0;
    if (status == RLS2_OK && !failed) return array_own_doubles(state, values, rows->n, columns);
    free(values);
    return failed ? NULL : raise_library(state, &err);
}

static PyObject *model_variance(PyObject *self, PyObject *arguments)
{
    Py_ssize_t output, n;
    PyObject *x, *given, *diagonals, *result = NULL;
    lent_rows rows;
    if (!PyArg_ParseTuple(arguments, "nOnOO:variance", &output, &x, &n, &given, &diagonals))
        return NULL;
    const rls2_model *model = output_of(self, output);
    if (!model) return NULL;
    if (get_rows(self, x, n, given, diagonals, &rows) == 0)
        result = compute(self, rls2_model_variance_watched, model, &rows.rows, -1);
    lent_rows_release(&rows);
    return result;
}

/* Of the kernels, and behind them of the members of a stack. */
static rls2_status all_contributions(const rls2_model *model, const rls2_rows *rows,
                                     const rls2_control *control, double *values, rls2_error *err)
{
    rls2_status status = rls2_model_contributions(model, rows, control, values, err);
    double *rest = values + rls2_model_kernel_count(model) * rows->n;
    return status == RLS2_OK ? rls2_model_member_contributions(model, rows, control, rest, err)
                             : status;
}

static PyObject *model_contributions(PyObject *self, PyObject *arguments)
{
    Py_ssize_t output, n;
    PyObject *x, *given, *result = NULL;
    lent_rows rows;
    if (!PyArg_ParseTuple(arguments, "nOnO:contributions", &output, &x, &n, &given)) return NULL;
    const rls2_model *model = output_of(self, output);
    if (!model) return NULL;
    if (get_rows(self, x, n, given, NULL, &rows) == 0)
        result = compute(self, all_contributions, model, &rows.rows,
                         rls2_model_kernel_count(model) + rls2_model_member_count(model));
    lent_rows_release(&rows);
    return result;
}

/* Of one output, or of all together where `outputs` is more than one. */
static PyObject *certify(PyObject *self, const rls2_model *model, int64_t outputs,
                         const rls2_rows *rows, PyObject *y)
{
    const core_state *state = state_of(self);
    rls2_certificate certificate;
    rls2_error err;
    lent values;
    if (lent_vector(state, y, "y", rows->n * outputs, &values) < 0) {
        lent_release(&values);
        return NULL;
    }
    watch w = watch_begin(Py_None);
    rls2_control control = watch_control(&w, 1); /* a process may fork afterwards */
    rls2_status status;
    if (outputs > 1)
        status = rls2_model_certify_outputs(model, rows, values.doubles, &control, &certificate,
                                            sizeof certificate, &err);
    else if (rls2_model_is_compact(
                 model)) /* a second pass; estimators refuse weights that it had */
        status = rls2_model_certify_rows(model, rows, values.doubles, NULL, &control, &certificate,
                                         sizeof certificate, &err);
    else
        status = rls2_model_certify_watched(model, rows, values.doubles, &control, &certificate,
                                            sizeof certificate, &err);
    int failed = watch_end(&w) < 0;
    lent_release(&values);
    if (failed) return NULL;
    return status == RLS2_OK ? certificate_tuple(state, &certificate) : raise_library(state, &err);
}

static PyObject *model_certify(PyObject *self, PyObject *arguments)
{
    Py_ssize_t output, n;
    PyObject *x, *given, *y, *result = NULL;
    lent_rows rows;
    if (!PyArg_ParseTuple(arguments, "nOnOO:certify", &output, &x, &n, &given, &y)) return NULL;
    const rls2_model *model = output_of(self, output);
    if (!model) return NULL;
    if (get_rows(self, x, n, given, NULL, &rows) == 0)
        result = certify(self, model, 1, &rows.rows, y);
    lent_rows_release(&rows);
    return result;
}

static PyObject *model_certify_outputs(PyObject *self, PyObject *arguments)
{
    Py_ssize_t n;
    PyObject *x, *given, *y, *result = NULL;
    lent_rows rows;
    const rls2_model *model = model_of(self);
    if (!PyArg_ParseTuple(arguments, "OnOO:certify_outputs", &x, &n, &given, &y)) return NULL;
    if (get_rows(self, x, n, given, NULL, &rows) == 0)
        result = certify(self, model, rls2_model_outputs(model), &rows.rows, y);
    lent_rows_release(&rows);
    return result;
}

/* The rule of that name; 0, or -1 with ValueError. */
static int missing_rule(const char *name, rls2_missing *rule)
{
    static const struct {
        const char *name;
        rls2_missing rule;
    } rules[] = {{"as-trained", RLS2_MISSING_AS_TRAINED},
                 {"error", RLS2_MISSING_ERROR},
                 {"drop", RLS2_MISSING_DROP},
                 {"impute", RLS2_MISSING_IMPUTE}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        *rule = rules[i].rule;
        if (strcmp(name, rules[i].name) == 0) return 0;
    }
    PyErr_Format(PyExc_ValueError, "missing: there is no rule '%s'", name);
    return -1;
}

static PyObject *model_encode(PyObject *self, PyObject *arguments)
{
    const core_state *state = state_of(self);
    PyObject *table;
    const char *missing = "as-trained";
    int target = 0;
    rls2_missing rule;
    rls2_dataset *data = NULL;
    rls2_error err;
    rls2_status status;
    if (!PyArg_ParseTuple(arguments, "O!|ps:encode", state->table, &table, &target, &missing) ||
        missing_rule(missing, &rule) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
        status =
            rls2_model_encode(model_of(self), ((table_object *)table)->table, rule,
                              target ? RLS2_RESPONSE_READ : RLS2_RESPONSE_IGNORED, &data, &err);
    Py_END_ALLOW_THREADS
    return status == RLS2_OK ? data_wrap(state, data) : raise_library(state, &err);
}

static PyMethodDef methods[] = {{"load", model_load, METH_O | METH_CLASS, NULL},
                                {"unpack", model_unpack, METH_O | METH_CLASS, NULL},
                                {"save", model_save, METH_O, NULL},
                                {"pack", model_pack, METH_NOARGS, NULL},
                                {"predict", model_predict, METH_VARARGS, NULL},
                                {"respond", model_respond, METH_O, NULL},
                                {"probabilities", model_probabilities, METH_O, NULL},
                                {"intervals", model_intervals, METH_O, NULL},
                                {"interval_level", model_interval_level, METH_NOARGS, NULL},
                                {"variance", model_variance, METH_VARARGS, NULL},
                                {"contributions", model_contributions, METH_VARARGS, NULL},
                                {"certify", model_certify, METH_VARARGS, NULL},
                                {"certify_outputs", model_certify_outputs, METH_VARARGS, NULL},
                                {"encode", model_encode, METH_VARARGS, NULL},
                                {"loss", model_loss, METH_O, NULL},
                                {"intercept", model_intercept, METH_O, NULL},
                                {"base", model_base, METH_O, NULL},
                                {"members", model_members, METH_O, NULL},
                                {"relevance", model_relevance, METH_NOARGS, NULL},
                                {"point", model_point, METH_O, NULL},
                                {"selected", model_selected, METH_O, NULL},
                                {"c", model_c, METH_O, NULL},
                                {"scales", model_scales, METH_O, NULL},
                                {"coefficients", model_coefficients, METH_O, NULL},
                                {"shares", model_shares, METH_O, NULL},
                                {"represented", model_represented, METH_O, NULL},
                                {"left_out_shares", model_left_out_shares, METH_O, NULL},
                                {"split_selections", model_split_selections, METH_NOARGS, NULL},
                                {"half_selections", model_half_selections, METH_NOARGS, NULL},
                                {"stability", model_stability, METH_NOARGS, NULL},
                                {"degrees_of_freedom", model_degrees_of_freedom, METH_O, NULL},
                                {"effect", model_effect, METH_VARARGS, NULL},
                                {"joint_effect", model_joint_effect, METH_VARARGS, NULL},
                                {"explain", model_explain, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, (void *)"What was learned, able to stand alone."},
                              {Py_tp_dealloc, model_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, model_properties},
                              {0, NULL}};

PyType_Spec model_spec = {.name = "rls2._core.Model",
                          .basicsize = sizeof(model_object),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          .slots = slots};
