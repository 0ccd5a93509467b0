/* Model: what splits and halves selected. */
#include <stdlib.h>

#include "py_model.h"

/* Trials, and how many of them selected each kernel and each input; None where that is not known.
 */
static PyObject *selections(PyObject *self, rls2_trials which)
{
    rls2_error err;
    const rls2_model *model = model_of(self);
    int64_t trials = rls2_model_trials(model, which), inputs = rls2_model_input_count(model),
            kernels = rls2_dictionary_count(rls2_model_dictionary(model));
    if (trials == 0) Py_RETURN_NONE;
    int64_t *of_kernels = malloc((size_t)kernels * sizeof *of_kernels + 1);
    int64_t *of_inputs = malloc((size_t)inputs * sizeof *of_inputs + 1);
    rls2_status status = RLS2_ERR_MEMORY;
    if (of_kernels && of_inputs)
        status = rls2_model_kernel_selections(model, which, of_kernels, &err);
    if (status == RLS2_OK) status = rls2_model_input_selections(model, which, of_inputs, &err);
    if (status == RLS2_OK)
        return Py_BuildValue("LNN", (long long)trials,
                             array_own_integers(state_of(self), of_kernels, kernels),
                             array_own_integers(state_of(self), of_inputs, inputs));
    int known = of_kernels && of_inputs;
    free(of_kernels);
    free(of_inputs);
    return known ? raise_library(state_of(self), &err) : PyErr_NoMemory();
}

PyObject *model_split_selections(PyObject *self, PyObject *none)
{
    (void)none;
    return selections(self, RLS2_TRIALS_SPLITS);
}

PyObject *model_half_selections(PyObject *self, PyObject *none)
{
    (void)none;
    return selections(self, RLS2_TRIALS_HALVES);
}

PyObject *model_stability(PyObject *self, PyObject *none)
{
    (void)none;
    const rls2_stability *about = rls2_model_stability(model_of(self));
    if (!about) Py_RETURN_NONE;
    return Py_BuildValue(
        "{s:L,s:L,s:L,s:L,s:d,s:d,s:L,s:d,s:d}", "halves", (long long)(2 * about->pairs), "rows",
        (long long)about->rows, "inputs", (long long)about->inputs, "limit",
        (long long)about->limit, "mean", about->mean, "threshold", about->threshold, "least",
        (long long)about->least, "errors", about->errors, "likely_errors", about->likely_errors);
}
