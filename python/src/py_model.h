/* What model.c and model_about.c share. */
#ifndef RLS2_PYTHON_PY_MODEL_H
#define RLS2_PYTHON_PY_MODEL_H

#include "py_core.h"

typedef struct model_object {
    PyObject_HEAD
    rls2_model *model;
} model_object;

static inline rls2_model *model_of(PyObject *self)
{
    return ((model_object *)self)->model;
}

/* An output as a model of its own; NULL with IndexError. */
const rls2_model *output_of(PyObject *self, Py_ssize_t output);
const rls2_model *output_from(PyObject *self, PyObject *argument);

extern PyGetSetDef model_properties[];
PyObject *model_intercept(PyObject *self, PyObject *output);
PyObject *model_base(PyObject *self, PyObject *output);
PyObject *model_members(PyObject *self, PyObject *output);
PyObject *model_relevance(PyObject *self, PyObject *unused);
PyObject *model_point(PyObject *self, PyObject *output);
PyObject *model_selected(PyObject *self, PyObject *output);
PyObject *model_c(PyObject *self, PyObject *output);
PyObject *model_scales(PyObject *self, PyObject *output);
PyObject *model_coefficients(PyObject *self, PyObject *output);
PyObject *model_shares(PyObject *self, PyObject *output);
PyObject *model_loss(PyObject *self, PyObject *output);
PyObject *model_respond(PyObject *self, PyObject *predictions);
PyObject *model_probabilities(PyObject *self, PyObject *predictions);
PyObject *model_intervals(PyObject *self, PyObject *predictions);
PyObject *model_interval_level(PyObject *self, PyObject *none);
PyObject *model_represented(PyObject *self, PyObject *output);
PyObject *model_left_out_shares(PyObject *self, PyObject *output);
PyObject *model_split_selections(PyObject *self, PyObject *none);
PyObject *model_half_selections(PyObject *self, PyObject *none);
PyObject *model_stability(PyObject *self, PyObject *none);
PyObject *model_degrees_of_freedom(PyObject *self, PyObject *output);
PyObject *model_effect(PyObject *self, PyObject *arguments);
PyObject *model_joint_effect(PyObject *self, PyObject *arguments);
PyObject *model_explain(PyObject *self, PyObject *output);

#endif
