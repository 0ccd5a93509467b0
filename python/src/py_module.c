/* The module: types, named tuples, and the few functions that belong to no object. */
#include "py_core.h"

#include <stdlib.h>

/* ---- state ---- */

core_state *state_of_type(PyTypeObject *type)
{
    return PyType_GetModuleState(type);
}

core_state *state_of(PyObject *self)
{
    return state_of_type(Py_TYPE(self));
}

void object_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* ---- named tuples ---- */

PyObject *point_tuple(const core_state *state, const rls2_path_point *p)
{
    static const char *const outcomes[] = {"converged", "stalled", "max_iter"};
    return PyObject_CallFunction(state->point, "dddddsLLLLL", p->lambda, p->objective, p->gap,
                                 p->residual, p->df, outcomes[p->outcome], (long long)p->iterations,
                                 (long long)p->factorizations, (long long)p->priced,
                                 (long long)p->offered, (long long)p->selected);
}

PyObject *certificate_tuple(const core_state *state, const rls2_certificate *c)
{
    return PyObject_CallFunction(state->certificate, "ddddddL", c->primal, c->dual, c->gap,
                                 c->relative_gap, c->residual, c->max_q, (long long)c->max_kernel);
}

/* collections.namedtuple, in the module. */
static PyObject *add_tuple(PyObject *module, const char *name, const char *fields)
{
    PyObject *collections = PyImport_ImportModule("collections");
    PyObject *function = collections ? PyObject_GetAttrString(collections, "namedtuple") : NULL;
    PyObject *arguments = Py_BuildValue("(ss)", name, fields);
    PyObject *keywords = Py_BuildValue("{s:s}", "module", "rls2._core");
    PyObject *type =
        function && arguments && keywords ? PyObject_Call(function, arguments, keywords) : NULL;
    Py_XDECREF(collections);
    Py_XDECREF(function);
    Py_XDECREF(arguments);
    Py_XDECREF(keywords);
    if (type && PyModule_AddObjectRef(module, name, type) < 0) Py_CLEAR(type);
    return type;
}

static int add_tuples(PyObject *module, core_state *state)
{
    state->point =
        add_tuple(module, "Point",
                  "lambda_ objective gap residual df outcome iterations factorizations priced "
                  "offered selected");
    state->certificate =
        add_tuple(module, "Certificate", "primal dual gap relative_gap residual max_q max_kernel");
    state->scaling = add_tuple(module, "Scaling", "rule center transductive skip_degenerate");
    state->setting =
        add_tuple(module, "Setting", "name python kind scope choices default sentence help");
    state->loss = add_tuple(module, "Loss", "text has_probabilities takes_labels takes_counts");
    return state->point && state->certificate && state->scaling && state->setting && state->loss
               ? 0
               : -1;
}

/* ---- functions ---- */

static core_state *state_of_module(PyObject *module)
{
    return PyModule_GetState(module);
}

static PyObject *decide(PyObject *module, PyObject *arguments)
{
    PyObject *buffer, *result = NULL;
    Py_ssize_t outputs;
    lent f;
    if (!PyArg_ParseTuple(arguments, "On:decide", &buffer, &outputs)) return NULL;
    if (lent_matrix(state_of_module(module), buffer, "f", -1, outputs, &f) == 0) {
        int64_t *classes = (int64_t *)(void *)room_for(f.rows, 1);
        if (classes) rls2_decide(outputs, f.rows, f.doubles, classes);
        if (classes) result = array_own_integers(state_of_module(module), classes, f.rows);
    }
    lent_release(&f);
    return result;
}

static PyObject *is_linear(PyObject *module, PyObject *kernels)
{
    (void)module;
    const char *text = text_of(kernels, "kernels");
    return text ? PyBool_FromLong(text_is_linear(text)) : NULL;
}

static PyObject *loss(PyObject *module, PyObject *word)
{
    return loss_named(state_of_module(module), word);
}

static PyObject *settings(PyObject *module, PyObject *unused)
{
    (void)unused;
    return settings_list(state_of_module(module));
}

static PyObject *prefers_pieces(PyObject *module, PyObject *arguments)
{
    PyObject *settings;
    double bytes;
    if (!PyArg_ParseTuple(arguments, "Od:prefers_pieces", &settings, &bytes)) return NULL;
    int result = plan_prefers_pieces(state_of_module(module), settings, bytes);
    return result < 0 ? NULL : PyBool_FromLong(result);
}

static PyMethodDef functions[] = {
    {"decide", decide, METH_VARARGS, "The class of each row from its outputs, by number."},
    {"is_linear", is_linear, METH_O, "Is every kernel of the text linear, whatever the columns?"},
    {"loss", loss, METH_O, "The loss that a word names."},
    {"prefers_pieces", prefers_pieces, METH_VARARGS,
     "Are rows that take so many bytes better read in pieces, with these settings?"},
    {"settings", settings, METH_NOARGS, "The table of settings, in the words of the estimators."},
    {NULL, NULL, 0, NULL}};

/* ---- the module ---- */

static int add_error(PyObject *module, core_state *state)
{
    state->error = PyErr_NewExceptionWithDoc("rls2.RLS2Error",
                                             "What the library has to say about what it was given.",
                                             PyExc_ValueError, NULL);
    return state->error ? PyModule_AddObjectRef(module, "RLS2Error", state->error) : -1;
}

static int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type)
{
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type ? PyModule_AddType(module, *type) : -1;
}

static int fill(PyObject *module)
{
    core_state *state = state_of_module(module);
    rls2_blas_tune();
    if (add_error(module, state) < 0 || add_tuples(module, state) < 0) return -1;
    if (add_type(module, &array_spec, &state->array) < 0) return -1;
    if (add_type(module, &table_spec, &state->table) < 0) return -1;
    if (add_type(module, &arrow_spec, &state->arrow) < 0) return -1;
    if (add_type(module, &source_spec, &state->source) < 0) return -1;
    if (add_type(module, &profile_spec, &state->profile) < 0) return -1;
    if (add_type(module, &stats_spec, &state->stats) < 0) return -1;
    if (add_type(module, &data_spec, &state->data) < 0) return -1;
    if (add_type(module, &plan_spec, &state->plan) < 0) return -1;
    if (add_type(module, &fit_spec, &state->fit) < 0) return -1;
    if (add_type(module, &cv_spec, &state->cv) < 0) return -1;
    if (add_type(module, &model_spec, &state->model) < 0) return -1;
    return PyModule_AddStringConstant(module, "__version__", rls2_version());
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    core_state *s = state_of_module(module);
    PyTypeObject *types[] = {s->array, s->table, s->arrow, s->source, s->profile, s->stats,
                             s->data,  s->plan,  s->fit,   s->cv,     s->model};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) Py_VISIT(types[k]);
    Py_VISIT(s->error);
    Py_VISIT(s->point);
    Py_VISIT(s->certificate);
    Py_VISIT(s->scaling);
    Py_VISIT(s->setting);
    Py_VISIT(s->loss);
    return 0;
}

static int clear(PyObject *module)
{
    core_state *s = state_of_module(module);
    PyTypeObject **types[] = {&s->array, &s->table, &s->arrow, &s->source, &s->profile, &s->stats,
                              &s->data,  &s->plan,  &s->fit,   &s->cv,     &s->model};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) Py_CLEAR(*types[k]);
    Py_CLEAR(s->error);
    Py_CLEAR(s->point);
    Py_CLEAR(s->certificate);
    Py_CLEAR(s->scaling);
    Py_CLEAR(s->setting);
    Py_CLEAR(s->loss);
    return 0;
}

static void release(void *module)
{
    clear(module);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)(uintptr_t)fill}, {0, NULL}};

static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                 .m_name = "rls2._core",
                                 .m_doc = "librls2 as Python sees it; see _core.pyi.",
                                 .m_size = sizeof(core_state),
                                 .m_methods = functions,
                                 .m_slots = slots,
                                 .m_traverse = traverse,
                                 .m_clear = clear,
                                 .m_free = release};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
