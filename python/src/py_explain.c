/* What inputs do to predictions, and how much they count. */
#include "py_model.h"

#include <stdlib.h>

/* value, level (None of a value), rows, effect, lower, upper */
static PyObject *point_of(const rls2_effect_point *at)
{
    return Py_BuildValue("dNdddd", at->value, text_or_none(at->level), at->rows, at->effect,
                         at->lower, at->upper);
}

static PyObject *points_of(const rls2_effect *effect)
{
    PyObject *list = PyList_New((Py_ssize_t)rls2_effect_count(effect));
    for (int64_t i = 0; list && i < rls2_effect_count(effect); i++) {
        PyObject *item = point_of(rls2_effect_at(effect, i));
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *model_effect(PyObject *self, PyObject *arguments)
{
    Py_ssize_t output, input;
    rls2_effect *effect = NULL;
    rls2_error err;
    if (!PyArg_ParseTuple(arguments, "nn:effect", &output, &input)) return NULL;
    const rls2_model *model = output_of(self, output);
    if (!model) return NULL;
    watch w = watch_begin(Py_None);
    rls2_control control = watch_control(&w, 1); /* a process may fork afterwards */
    rls2_status status = rls2_model_effect_watched(model, input, &control, &effect, &err);
    PyObject *result = NULL;
    if (watch_end(&w) == 0)
        result = status == RLS2_OK ? points_of(effect) : raise_library(state_of(self), &err);
    rls2_effect_free(effect);
    return result;
}

PyObject *model_joint_effect(PyObject *self, PyObject *arguments)
{
    Py_ssize_t output, first, second, rows, columns;
    rls2_error err;
    rls2_status status;
    if (!PyArg_ParseTuple(arguments, "nnnnn:joint_effect", &output, &first, &second, &rows,
                          &columns))
        return NULL;
    const rls2_model *model = output_of(self, output);
    double *grid = model ? room_for(rows, columns) : NULL;
    if (!grid) return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_model_joint_effect(model, first, second, grid, &err);
    Py_END_ALLOW_THREADS
    if (status == RLS2_OK) return array_own_doubles(state_of(self), grid, rows, columns);
    free(grid);
    return raise_library(state_of(self), &err);
}

/* number, share, alone, interaction */
static PyObject *inputs_of(const rls2_explanation *told)
{
    int64_t count = rls2_explanation_input_count(told);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        const rls2_explained_input *at = rls2_explanation_input(told, i);
        PyObject *item =
            Py_BuildValue("Lddd", (long long)at->input, at->share, at->alone, at->interaction);
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
    }
    return list;
}

/* first, second, share, H^2 */
static PyObject *pairs_of(const rls2_explanation *told)
{
    int64_t count = rls2_explanation_pair_count(told);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        const rls2_explained_pair *at = rls2_explanation_pair(told, i);
        PyObject *item =
            Py_BuildValue("LLdd", (long long)at->first, (long long)at->second, at->share, at->h2);
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *rows_of(const rls2_explanation *told)
{
    const int64_t *rows;
    int64_t count = rls2_explanation_rows(told, &rows);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *item = PyLong_FromLongLong(rows[i]);
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *model_explain(PyObject *self, PyObject *output)
{
    rls2_explanation *told = NULL;
    rls2_error err;
    int64_t compared = 0;
    const rls2_model *model = output_from(self, output);
    if (!model) return NULL;
    watch w = watch_begin(Py_None);
    rls2_control control = watch_control(&w, 1); /* a process may fork afterwards */
    rls2_status status = rls2_model_explain(model, &control, &told, &err);
    PyObject *result = NULL;
    if (watch_end(&w) == 0 && status != RLS2_OK) raise_library(state_of(self), &err);
    if (!PyErr_Occurred() && status == RLS2_OK) {
        int64_t interacting = rls2_explanation_interacting(told, &compared);
        result = Py_BuildValue("NNNLL", inputs_of(told), pairs_of(told), rows_of(told),
                               (long long)interacting, (long long)compared);
    }
    rls2_explanation_free(told);
    return result;
}
