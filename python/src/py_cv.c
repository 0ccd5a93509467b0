/* CV: the curve of cross-validation. */
#include "py_core.h"

#include <stddef.h>
#include <string.h>

typedef struct cv_object {
    PyObject_HEAD
    PyObject *fit; /* whose curve it is */
    const rls2_cv *cv;
} cv_object;

static const rls2_cv *cv_of(PyObject *self)
{
    return ((cv_object *)self)->cv;
}

PyObject *cv_borrow(const core_state *state, PyObject *fit, const rls2_cv *cv)
{
    cv_object *made = PyObject_New(cv_object, state->cv);
    if (!made) return NULL;
    Py_INCREF(fit);
    made->fit = fit;
    made->cv = cv;
    return (PyObject *)made;
}

static void cv_dealloc(PyObject *self)
{
    Py_DECREF(((cv_object *)self)->fit);
    object_free(self);
}

/* ---- the curve ---- */

typedef double (*point_value)(const rls2_cv_point *point);

static PyObject *curve(PyObject *self, point_value value)
{
    int64_t count = rls2_cv_count(cv_of(self));
    double *values = room_for(count, 1);
    if (!values) return NULL;
    for (int64_t i = 0; i < count; i++) values[i] = value(rls2_cv_at(cv_of(self), i));
    return array_own_doubles(state_of(self), values, count, -1);
}

static double lambda_at(const rls2_cv_point *point)
{
    return point->lambda;
}

static double cvm_at(const rls2_cv_point *point)
{
    return point->cvm;
}

static double cvsd_at(const rls2_cv_point *point)
{
    return point->cvsd;
}

static double nzero_at(const rls2_cv_point *point)
{
    return point->nzero;
}

static PyObject *get_lambdas(PyObject *self, void *unused)
{
    (void)unused;
    return curve(self, lambda_at);
}

static PyObject *get_cvm(PyObject *self, void *unused)
{
    (void)unused;
    return curve(self, cvm_at);
}

static PyObject *get_cvsd(PyObject *self, void *unused)
{
    (void)unused;
    return curve(self, cvsd_at);
}

static PyObject *get_nzero(PyObject *self, void *unused)
{
    (void)unused;
    return curve(self, nzero_at);
}

static PyObject *get_scores(PyObject *self, void *unused)
{
    (void)unused;
    int64_t count = rls2_cv_count(cv_of(self)), splits = rls2_cv_splits(cv_of(self));
    double *values = room_for(count, splits);
    if (!values) return NULL;
    for (int64_t s = 0; s < splits; s++)
        for (int64_t i = 0; i < count; i++)
            values[s * count + i] = rls2_cv_score(cv_of(self), i, s);
    return array_own_doubles(state_of(self), values, count, splits);
}

static PyObject *get_measure(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(rls2_measure_name(rls2_cv_measure(cv_of(self))));
}

static PyObject *get_rises(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(rls2_measure_rises(rls2_cv_measure(cv_of(self))));
}

static PyObject *get_min(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_cv_min(cv_of(self)));
}

static PyObject *get_one_se(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_cv_1se(cv_of(self)));
}

static PyObject *get_unconverged(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_cv_unconverged(cv_of(self)));
}

static PyObject *cv_predictions(PyObject *self, PyObject *argument)
{
    const rls2_cv *cv = cv_of(self);
    Py_ssize_t i = PyLong_AsSsize_t(argument);
    if ((i == -1 && PyErr_Occurred()) || check_index(i, rls2_cv_count(cv), "lambda") < 0)
        return NULL;
    if (!rls2_cv_predictions(cv, i)) Py_RETURN_NONE; /* too many to keep */
    return array_of_doubles(state_of(self), self, rls2_cv_predictions(cv, i), rls2_cv_rows(cv),
                            rls2_cv_outputs(cv));
}

static PyObject *get_baselines(PyObject *self, void *unused)
{
    (void)unused;
    PyObject *dict = PyDict_New();
    for (int b = 0; dict && b < RLS2_BASELINE_COUNT; b++) {
        const rls2_cv_point *point = rls2_cv_baseline(cv_of(self), (rls2_baseline)b);
        if (!point) continue;
        PyObject *value = Py_BuildValue("(ddd)", point->lambda, point->cvm, point->cvsd);
        if (!value || PyDict_SetItemString(dict, rls2_baseline_name((rls2_baseline)b), value) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

/* ---- intervals ---- */

/* Of a member of rls2_coverage, lambdas x intervals. */
static PyObject *coverage_member(PyObject *self, size_t member)
{
    const rls2_cv *cv = cv_of(self);
    int64_t count = rls2_cv_count(cv), intervals = rls2_cv_interval_count(cv);
    double *values = room_for(count, intervals);
    if (!values) return NULL;
    for (int64_t t = 0; t < intervals; t++)
        for (int64_t i = 0; i < count; i++)
            memcpy(&values[t * count + i], (const char *)rls2_cv_coverage(cv, i, t) + member,
                   sizeof *values);
    return array_own_doubles(state_of(self), values, count, intervals);
}

static PyObject *get_coverage(PyObject *self, void *unused)
{
    static const struct {
        const char *name;
        size_t member;
    } MEMBERS[] = {{"coverage", offsetof(rls2_coverage, coverage)},
                   {"coverage_se", offsetof(rls2_coverage, coverage_se)},
                   {"width", offsetof(rls2_coverage, width)},
                   {"width_se", offsetof(rls2_coverage, width_se)}};
    (void)unused;
    PyObject *dict = PyDict_New();
    if (rls2_cv_interval_count(cv_of(self)) == 0) return dict;
    for (size_t m = 0; dict && m < sizeof MEMBERS / sizeof *MEMBERS; m++) {
        PyObject *value = coverage_member(self, MEMBERS[m].member);
        if (!value || PyDict_SetItemString(dict, MEMBERS[m].name, value) < 0) Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

static PyMethodDef methods[] = {{"predictions", cv_predictions, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {{"lambdas", get_lambdas, NULL, NULL, NULL},
                                   {"cvm", get_cvm, NULL, NULL, NULL},
                                   {"cvsd", get_cvsd, NULL, NULL, NULL},
                                   {"nzero", get_nzero, NULL, NULL, NULL},
                                   {"scores", get_scores, NULL, NULL, NULL},
                                   {"measure", get_measure, NULL, NULL, NULL},
                                   {"rises", get_rises, NULL, NULL, NULL},
                                   {"min", get_min, NULL, NULL, NULL},
                                   {"one_se", get_one_se, NULL, NULL, NULL},
                                   {"unconverged", get_unconverged, NULL, NULL, NULL},
                                   {"baselines", get_baselines, NULL, NULL, NULL},
                                   {"coverage", get_coverage, NULL, NULL, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, (void *)"The curve of cross-validation."},
                              {Py_tp_dealloc, cv_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, properties},
                              {0, NULL}};

PyType_Spec cv_spec = {.name = "rls2._core.CV",
                       .basicsize = sizeof(cv_object),
                       .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                       .slots = slots};
