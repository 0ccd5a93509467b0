/* Losses: what a word names, and what predictions of a model say on their scale. */
#include "py_model.h"

#include <stdlib.h>
#include <string.h>

PyObject *loss_tuple(const core_state *state, rls2_loss loss)
{
    char text[40];
    return PyObject_CallFunction(state->loss, "sNNN", rls2_loss_text(loss, text, sizeof text),
                                 PyBool_FromLong(rls2_loss_has_probabilities(loss)),
                                 PyBool_FromLong(rls2_loss_takes_labels(loss)),
                                 PyBool_FromLong(rls2_loss_takes_counts(loss)));
}

PyObject *loss_named(const core_state *state, PyObject *word)
{
    rls2_loss losses[RLS2_LOSS_LEVELS];
    int64_t count;
    rls2_error err;
    const char *text = text_of(word, "loss");
    if (!text) return NULL;
    if (rls2_losses_parse(text, losses, &count, &err) != RLS2_OK) return raise_library(state, &err);
    return loss_tuple(state, losses[0]);
}

/* ---- of a model ---- */

PyObject *model_loss(PyObject *self, PyObject *output)
{
    const rls2_model *model = output_from(self, output);
    return model ? loss_tuple(state_of(self), rls2_model_loss(model)) : NULL;
}

PyObject *model_respond(PyObject *self, PyObject *predictions)
{
    int64_t outputs = rls2_model_outputs(model_of(self));
    PyObject *result = NULL;
    lent f;
    if (lent_matrix(state_of(self), predictions, "f", -1, outputs, &f) == 0) {
        double *made = room_for(f.rows, outputs);
        if (made) {
            if (f.rows > 0) memcpy(made, f.doubles, (size_t)(f.rows * outputs) * sizeof *made);
            rls2_model_respond(model_of(self), f.rows, made);
            result = array_own_doubles(state_of(self), made, f.rows, outputs);
        }
    }
    lent_release(&f);
    return result;
}

/* Rows x classes. */
static PyObject *probabilities(PyObject *self, const lent *f)
{
    rls2_error err;
    int64_t classes = f->columns > 1 ? f->columns : 2;
    double *p = room_for(f->rows, classes);
    if (!p) return NULL;
    if (rls2_model_probabilities(model_of(self), f->rows, f->doubles, p, &err) == RLS2_OK)
        return array_own_doubles(state_of(self), p, f->rows, classes);
    free(p);
    return raise_library(state_of(self), &err);
}

PyObject *model_probabilities(PyObject *self, PyObject *predictions)
{
    PyObject *result = NULL;
    lent f;
    if (lent_matrix(state_of(self), predictions, "f", -1, rls2_model_outputs(model_of(self)), &f) ==
        0)
        result = probabilities(self, &f);
    lent_release(&f);
    return result;
}

/* Rows x 2 intervals: all lower ends, then all upper ones. */
static PyObject *intervals(PyObject *self, const lent *f)
{
    rls2_error err;
    int64_t count = rls2_model_interval_count(model_of(self)), columns = count > 0 ? count : 1;
    double *ends = room_for(f->rows, 2 * columns);
    if (!ends) return NULL;
    if (rls2_model_predict_interval(model_of(self), f->rows, f->doubles, ends,
                                    ends + f->rows * columns, &err) == RLS2_OK)
        return array_own_doubles(state_of(self), ends, f->rows, 2 * columns);
    free(ends);
    return raise_library(state_of(self), &err);
}

PyObject *model_intervals(PyObject *self, PyObject *predictions)
{
    PyObject *result = NULL;
    lent f;
    if (lent_matrix(state_of(self), predictions, "f", -1, rls2_model_outputs(model_of(self)), &f) ==
        0)
        result = intervals(self, &f);
    lent_release(&f);
    return result;
}

PyObject *model_interval_level(PyObject *self, PyObject *none)
{
    (void)none;
    const rls2_model *model = model_of(self);
    const rls2_interval *of = rls2_model_interval(model);
    if (!of) of = rls2_model_interval(rls2_model_output(model, 0));
    if (!of) Py_RETURN_NONE;
    return PyFloat_FromDouble(of->level);
}
