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
    state->criteria = add_tuple(module, "Criteria", "df rss gcv cp aic bic loo");
    state->certificate =
        add_tuple(module, "Certificate", "primal dual gap relative_gap residual max_q max_kernel");
    state->scaling = add_tuple(module, "Scaling", "rule center transductive skip_degenerate");
    return state->point && state->criteria && state->certificate && state->scaling ? 0 : -1;
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

static PyObject *lambda_grid(PyObject *module, PyObject *arguments)
{
    double lo, hi;
    Py_ssize_t count;
    rls2_error err;
    if (!PyArg_ParseTuple(arguments, "ddn:lambda_grid", &lo, &hi, &count)) return NULL;
    double *lambdas = room_for(count > 0 ? count : 0, 1);
    if (!lambdas) return NULL;
    if (rls2_lambda_grid(lo, hi, count, lambdas, &err) == RLS2_OK)
        return array_own_doubles(state_of_module(module), lambdas, count, -1);
    free(lambdas);
    return raise_library(state_of_module(module), &err);
}

/* Texts of two lists and a dict of groups, with what keeps them alive. */
typedef struct names_in {
    int64_t counts[4];
    const char **texts[4]; /* columns, given matrices, groups, columns of the groups */
    PyObject *keep[4];
} names_in;

static void release_names(names_in *in)
{
    for (int k = 0; k < 4; k++) {
        free(in->texts[k]);
        Py_XDECREF(in->keep[k]);
    }
}

static int read_names(PyObject *sequence, const char *what, int k, names_in *in)
{
    return sequence ? texts_of(sequence, what, &in->counts[k], &in->texts[k], &in->keep[k]) : 0;
}

static int read_groups(PyObject *groups, names_in *in)
{
    if (!groups) return 0;
    PyObject *names = PyMapping_Keys(groups), *columns = PyMapping_Values(groups);
    int result = names && columns ? read_names(names, "groups", 2, in) : -1;
    if (result == 0) result = read_names(columns, "groups", 3, in);
    Py_XDECREF(names);
    Py_XDECREF(columns);
    return result;
}

static PyObject *dictionary_names(PyObject *module, PyObject *arguments, PyObject *keywords)
{
    static char *words[] = {"spec", "columns", "groups", "given_names", NULL};
    PyObject *spec, *columns, *groups = NULL, *given = NULL, *result = NULL;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "UO|OO:dictionary_names", words, &spec,
                                     &columns, &groups, &given))
        return NULL;
    names_in in = {{0}, {NULL}, {NULL}};
    const char *text = text_of(spec, "spec");
    if (text && read_names(columns, "columns", 0, &in) == 0 &&
        read_names(given, "given_names", 1, &in) == 0 && read_groups(groups, &in) == 0) {
        rls2_dictionary *dictionary = dictionary_make(
            state_of_module(module), text, in.counts[0], (const char *const *)in.texts[0],
            in.counts[2], (const char *const *)in.texts[2], (const char *const *)in.texts[3],
            in.counts[1], (const char *const *)in.texts[1]);
        if (dictionary) result = dictionary_names_list(dictionary);
        rls2_dictionary_free(dictionary);
    }
    release_names(&in);
    return result;
}

static PyMethodDef functions[] = {
    {"decide", decide, METH_VARARGS, "The class of each row from its outputs, by number."},
    {"lambda_grid", lambda_grid, METH_VARARGS, "Values of lambda, log-spaced, descending."},
    {"dictionary_names", (PyCFunction)(void (*)(void))dictionary_names,
     METH_VARARGS | METH_KEYWORDS, "The names of the kernels of a dictionary."},
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
    if (add_error(module, state) < 0 || add_tuples(module, state) < 0) return -1;
    if (add_type(module, &array_spec, &state->array) < 0) return -1;
    if (add_type(module, &table_spec, &state->table) < 0) return -1;
    if (add_type(module, &data_spec, &state->data) < 0) return -1;
    if (add_type(module, &path_spec, &state->path) < 0) return -1;
    if (add_type(module, &splits_spec, &state->splits) < 0) return -1;
    if (add_type(module, &cv_spec, &state->cv) < 0) return -1;
    if (add_type(module, &model_spec, &state->model) < 0) return -1;
    return PyModule_AddStringConstant(module, "__version__", rls2_version());
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    core_state *s = state_of_module(module);
    PyTypeObject *types[] = {s->array, s->table, s->data, s->path, s->splits, s->cv, s->model};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) Py_VISIT(types[k]);
    Py_VISIT(s->error);
    Py_VISIT(s->point);
    Py_VISIT(s->criteria);
    Py_VISIT(s->certificate);
    Py_VISIT(s->scaling);
    return 0;
}

static int clear(PyObject *module)
{
    core_state *s = state_of_module(module);
    PyTypeObject **types[] = {&s->array,  &s->table, &s->data, &s->path,
                              &s->splits, &s->cv,    &s->model};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) Py_CLEAR(*types[k]);
    Py_CLEAR(s->error);
    Py_CLEAR(s->point);
    Py_CLEAR(s->criteria);
    Py_CLEAR(s->certificate);
    Py_CLEAR(s->scaling);
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
