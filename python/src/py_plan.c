/* Plan: a table with what is asked of it, completed by the library and carried out. */
#include "py_core.h"

#include <stdlib.h>
#include <string.h>

static rls2_plan *plan_of(PyObject *self)
{
    return ((plan_object *)self)->plan;
}

/* ---- asking ---- */

/* The goal of that name; -1 with an exception. */
static int find_goal(const core_state *state, const char *name)
{
    static const char *const names[] = {"kernels", "path", "curve", "model", "all"};
    for (int g = 0; g < 5; g++)
        if (strcmp(name, names[g]) == 0) return g;
    raise_error(state, RLS2_ERR_NAME, "there is no goal '%.40s'", name);
    return -1;
}

/* A plan of that goal; NULL with an exception. */
static plan_object *create(PyTypeObject *type, const char *goal)
{
    core_state *state = state_of_type(type);
    rls2_error err;
    int found = find_goal(state, goal);
    if (found < 0) return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    plan_object *p = (plan_object *)allocate(type, 0); /* zeroed */
    if (!p) return NULL;
    if (rls2_plan_create((rls2_goal)found, RLS2_VOICE_PYTHON, &p->plan, &err) == RLS2_OK) return p;
    raise_library(state, &err);
    Py_DECREF(p);
    return NULL;
}

/* The two parts of a pair, borrowed from it; its first is a text. NULL with an exception. */
static const char *read_pair(PyObject *pair, const char *what, PyObject **second)
{
    if (!PyTuple_Check(pair) || PyTuple_Size(pair) != 2) {
        PyErr_Format(PyExc_TypeError, "%s: pairs of a name and a value are needed", what);
        return NULL;
    }
    *second = PyTuple_GetItem(pair, 1);
    return text_of(PyTuple_GetItem(pair, 0), what);
}

static int set_setting(const core_state *state, plan_object *p, PyObject *pair)
{
    rls2_error err;
    PyObject *second;
    const char *name = read_pair(pair, "settings", &second);
    const char *value = name ? text_of(second, name) : NULL;
    if (!value) return -1;
    if (rls2_plan_set(p->plan, name, value, &err) == RLS2_OK) return 0;
    raise_library(state, &err);
    return -1;
}

static int set_settings(const core_state *state, plan_object *p, PyObject *settings)
{
    PyObject *list = PySequence_List(settings);
    int result = list ? 0 : -1;
    for (Py_ssize_t i = 0; result == 0 && i < PyList_Size(list); i++)
        result = set_setting(state, p, PyList_GetItem(list, i));
    Py_XDECREF(list);
    return result;
}

static int add_matrix(const core_state *state, plan_object *p, int64_t rows, PyObject *pair)
{
    rls2_error err;
    PyObject *matrix;
    lent *made = &p->given[p->given_count++];
    const char *name = read_pair(pair, "given", &matrix);
    if (!name || lent_square(state, matrix, "a given matrix", rows, made) < 0) return -1;
    if (rls2_plan_add_given(p->plan, name, rows, made->doubles, &err) == RLS2_OK) return 0;
    raise_library(state, &err);
    return -1;
}

static int add_given(const core_state *state, plan_object *p, PyObject *given)
{
    int64_t rows = rls2_table_rows(((table_object *)p->rows)->table);
    PyObject *list = PySequence_List(given);
    int result = list ? 0 : -1;
    if (list) p->given = calloc((size_t)PyList_Size(list) + 1, sizeof *p->given);
    if (list && !p->given) {
        PyErr_NoMemory();
        result = -1;
    }
    for (Py_ssize_t i = 0; result == 0 && i < PyList_Size(list); i++)
        result = add_matrix(state, p, rows, PyList_GetItem(list, i));
    Py_XDECREF(list);
    return result;
}

static int set_lambdas(const core_state *state, plan_object *p, PyObject *lambdas)
{
    rls2_error err;
    lent values;
    if (lambdas == Py_None) return 0;
    int result = lent_vector(state, lambdas, "lambdas", -1, &values);
    if (result == 0 && rls2_plan_set_lambdas(p->plan, values.rows, values.doubles, &err) != 0) {
        raise_library(state, &err);
        result = -1;
    }
    lent_release(&values);
    return result;
}

/* ---- completing ---- */

static int complete(const core_state *state, plan_object *p)
{
    const rls2_table *table = ((table_object *)p->rows)->table;
    rls2_error err;
    rls2_status status;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_plan_complete(p->plan, table, &err);
    Py_END_ALLOW_THREADS
    if (status == RLS2_OK) return 0;
    raise_library(state, &err);
    return -1;
}

/* Were rows that take so many bytes better read in pieces? -1 with an exception. */
int plan_prefers_pieces(const core_state *state, PyObject *settings, double bytes)
{
    plan_object *p = create(state->plan, "all");
    int result = p ? set_settings(state, p, settings) : -1;
    if (result == 0) result = rls2_plan_prefers_pieces(p->plan, bytes);
    Py_XDECREF((PyObject *)p);
    return result;
}

/* The first pass over the rows. */
static int complete_rows(const core_state *state, plan_object *p, int threads, PyObject *progress)
{
    rls2_error err;
    if (source_begin(p->rows) < 0) return -1;
    watch w = watch_begin(progress);
    rls2_control control = watch_control(&w, threads);
    rls2_status status =
        rls2_plan_complete_rows(p->plan, ((source_object *)p->rows)->source, &control, &err);
    int failed = watch_end(&w) < 0;
    source_end(p->rows);
    if (status == RLS2_OK && !failed && !PyErr_Occurred()) return 0;
    if (!failed) raise_library(state, &err);
    return -1;
}

static int complete_profile(const core_state *state, plan_object *p, int threads,
                            PyObject *progress)
{
    rls2_error err;
    watch w = watch_begin(progress);
    rls2_control control = watch_control(&w, threads);
    rls2_status status = rls2_plan_complete_profile(p->plan, p->profile, &control, &err);
    int failed = watch_end(&w) < 0;
    if (status == RLS2_OK && !failed) return 0;
    if (!failed) raise_library(state, &err);
    return -1;
}

static int complete_stats(const core_state *state, plan_object *p)
{
    rls2_error err;
    rls2_status status;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_plan_complete_stats(p->plan, p->stats, &err);
    Py_END_ALLOW_THREADS
    if (status == RLS2_OK) return 0;
    raise_library(state, &err);
    return -1;
}

/* ---- life ---- */

/* An estimator learns from the columns of X, all of them. */
static int keep_columns(const core_state *state, plan_object *p)
{
    rls2_error err;
    if (rls2_plan_set(p->plan, "columns", "all", &err) == RLS2_OK) return 0;
    raise_library(state, &err);
    return -1;
}

/* Rows to learn from. */
static int keep_rows(const core_state *state, plan_object *p, PyObject *rows)
{
    Py_INCREF(rows);
    p->rows = rows;
    return keep_columns(state, p);
}

static PyObject *plan_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"table", "goal", "settings", "given", "lambdas", NULL};
    core_state *state = state_of_type(type);
    PyObject *table, *settings, *given, *lambdas;
    const char *goal;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!sOOO:Plan", names, state->table,
                                     &table, &goal, &settings, &given, &lambdas))
        return NULL;
    plan_object *p = create(type, goal);
    if (!p) return NULL;
    if (keep_rows(state, p, table) == 0 && set_settings(state, p, settings) == 0 &&
        add_given(state, p, given) == 0 && set_lambdas(state, p, lambdas) == 0 &&
        complete(state, p) == 0)
        return (PyObject *)p;
    Py_DECREF(p);
    return NULL;
}

static PyObject *plan_of_rows(PyObject *type, PyObject *arguments)
{
    core_state *state = state_of_type((PyTypeObject *)type);
    PyObject *source, *settings, *lambdas, *progress;
    const char *goal;
    int threads;
    if (!PyArg_ParseTuple(arguments, "O!sOOiO:of_rows", state->source, &source, &goal, &settings,
                          &lambdas, &threads, &progress))
        return NULL;
    plan_object *p = create((PyTypeObject *)type, goal);
    if (!p) return NULL;
    if (keep_rows(state, p, source) == 0 && set_settings(state, p, settings) == 0 &&
        set_lambdas(state, p, lambdas) == 0 && complete_rows(state, p, threads, progress) == 0)
        return (PyObject *)p;
    Py_DECREF(p);
    return NULL;
}

PyObject *plan_asked(const core_state *state, PyObject *rows, PyObject *settings)
{
    plan_object *p = create(state->plan, "model");
    if (!p) return NULL;
    if (keep_rows(state, p, rows) == 0 && set_settings(state, p, settings) == 0)
        return (PyObject *)p;
    Py_DECREF(p);
    return NULL;
}

static PyObject *plan_of_profile(PyObject *type, PyObject *arguments)
{
    core_state *state = state_of_type((PyTypeObject *)type);
    PyObject *profile, *settings, *progress;
    int threads;
    if (!PyArg_ParseTuple(arguments, "O!OiO:of_profile", state->profile, &profile, &settings,
                          &threads, &progress))
        return NULL;
    plan_object *p = create((PyTypeObject *)type, "model");
    if (!p) return NULL;
    p->profile = profile_copy(profile);
    if (p->profile && keep_columns(state, p) == 0 && set_settings(state, p, settings) == 0 &&
        complete_profile(state, p, threads, progress) == 0)
        return (PyObject *)p;
    Py_DECREF(p);
    return NULL;
}

static PyObject *plan_of_stats(PyObject *type, PyObject *arguments)
{
    core_state *state = state_of_type((PyTypeObject *)type);
    PyObject *stats, *settings, *lambdas;
    const char *goal;
    if (!PyArg_ParseTuple(arguments, "O!sOO:of_stats", state->stats, &stats, &goal, &settings,
                          &lambdas))
        return NULL;
    plan_object *p = create((PyTypeObject *)type, goal);
    if (!p) return NULL;
    p->stats = stats_copy(stats);
    if (p->stats && set_settings(state, p, settings) == 0 && set_lambdas(state, p, lambdas) == 0 &&
        complete_stats(state, p) == 0)
        return (PyObject *)p;
    Py_DECREF(p);
    return NULL;
}

static void plan_dealloc(PyObject *self)
{
    plan_object *p = (plan_object *)self;
    rls2_plan_free(p->plan);
    for (int64_t g = 0; g < p->given_count; g++) lent_release(&p->given[g]);
    free(p->given);
    rls2_stats_free(p->stats);
    rls2_profile_free(p->profile);
    Py_CLEAR(p->rows);
    object_free(self);
}

/* A plan changes while it is carried out. 0, or -1 with an exception. */
static int check_free(PyObject *self)
{
    if (!((plan_object *)self)->busy) return 0;
    PyErr_SetString(PyExc_RuntimeError, "another thread is using the plan");
    return -1;
}

/* ---- splits ---- */

/* Takes over the splits that a call has just made; raises where its status is not OK. */
static PyObject *take(PyObject *self, rls2_status status, rls2_splits *const *splits,
                      rls2_error *err)
{
    if (status == RLS2_OK) status = rls2_plan_take_splits(plan_of(self), *splits, err);
    if (status != RLS2_OK) return raise_library(state_of(self), err);
    Py_RETURN_NONE;
}

static PyObject *plan_split_by(PyObject *self, PyObject *buffer)
{
    PyObject *result = NULL;
    lent fold;
    rls2_splits *splits = NULL;
    rls2_error err;
    if (check_free(self) < 0) return NULL;
    if (lent_integers(state_of(self), buffer, "fold", -1, &fold) == 0)
        result =
            take(self, rls2_splits_given(fold.rows, fold.integers, &splits, &err), &splits, &err);
    lent_release(&fold);
    return result;
}

typedef struct row_lists {
    int64_t count;
    lent *lists;
    int64_t *counts;
    const int64_t **rows;
} row_lists;

static void release_lists(row_lists *l)
{
    for (int64_t i = 0; l->lists && i < l->count; i++) lent_release(&l->lists[i]);
    free(l->lists);
    free(l->counts);
    free(l->rows);
}

static int reserve_lists(PyObject *sequence, row_lists *l)
{
    Py_ssize_t count = PySequence_Size(sequence);
    if (count < 0) return -1;
    l->count = count;
    l->lists = calloc((size_t)count + 1, sizeof *l->lists);
    l->counts = calloc((size_t)count + 1, sizeof *l->counts);
    l->rows = calloc((size_t)count + 1, sizeof *l->rows);
    if (l->lists && l->counts && l->rows) return 0;
    PyErr_NoMemory();
    return -1;
}

static int read_lists(const core_state *state, PyObject *sequence, const char *what, row_lists *l)
{
    if (reserve_lists(sequence, l) < 0) return -1;
    for (int64_t i = 0; i < l->count; i++) {
        PyObject *item = PySequence_GetItem(sequence, (Py_ssize_t)i);
        int result = item ? lent_integers(state, item, what, -1, &l->lists[i]) : -1;
        Py_XDECREF(item);
        if (result < 0) return -1;
        l->counts[i] = l->lists[i].rows;
        l->rows[i] = l->lists[i].integers;
    }
    return 0;
}

static PyObject *take_lists(PyObject *self, const row_lists *training, const row_lists *validation)
{
    rls2_splits *splits = NULL;
    rls2_error err;
    if (training->count != validation->count)
        return raise_error(state_of(self), RLS2_ERR_ARGUMENT,
                           "there are %lld lists of training rows and %lld of validation rows",
                           (long long)training->count, (long long)validation->count);
    int64_t n = rls2_dataset_rows(rls2_plan_split_data(plan_of(self)));
    rls2_status status = rls2_splits_listed(n, training->count, training->counts, training->rows,
                                            validation->counts, validation->rows, &splits, &err);
    return take(self, status, &splits, &err);
}

static PyObject *plan_split_into(PyObject *self, PyObject *arguments)
{
    const core_state *state = state_of(self);
    PyObject *training, *validation, *result = NULL;
    row_lists first = {0}, second = {0};
    if (!PyArg_ParseTuple(arguments, "OO:split_into", &training, &validation)) return NULL;
    if (check_free(self) < 0) return NULL;
    if (read_lists(state, training, "training rows", &first) == 0 &&
        read_lists(state, validation, "validation rows", &second) == 0)
        result = take_lists(self, &first, &second);
    release_lists(&first);
    release_lists(&second);
    return result;
}

/* ---- carrying it out ---- */

static PyObject *source_of(PyObject *self)
{
    PyObject *rows = ((plan_object *)self)->rows;
    return rows && PyObject_TypeCheck(rows, state_of(self)->source) ? rows : NULL;
}

/* Rows that are not in memory are read once more. 0, or -1 with an exception. */
static int begin_work(PyObject *self)
{
    PyObject *source = source_of(self);
    if (check_free(self) < 0 || (source && source_begin(source) < 0)) return -1;
    ((plan_object *)self)->busy = 1;
    return 0;
}

/* 0, or -1 where there is an exception. */
static int end_work(PyObject *self)
{
    PyObject *source = source_of(self);
    ((plan_object *)self)->busy = 0;
    if (source) source_end(source);
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *plan_fit(PyObject *self, PyObject *arguments)
{
    PyObject *progress;
    rls2_fit *fit = NULL;
    rls2_error err;
    int threads;
    if (!PyArg_ParseTuple(arguments, "iO:fit", &threads, &progress)) return NULL;
    if (begin_work(self) < 0) return NULL;
    watch w = watch_begin(progress);
    rls2_control control = watch_control(&w, threads);
    rls2_status status = rls2_plan_fit(plan_of(self), &control, &fit, &err);
    watch_end(&w);
    int failed = end_work(self) < 0;
    if (status == RLS2_OK && !failed) return fit_wrap(state_of(self), self, fit);
    rls2_fit_free(fit);
    return failed ? NULL : raise_library(state_of(self), &err);
}

/* The second pass over the rows. */
static PyObject *plan_count(PyObject *self, PyObject *arguments)
{
    PyObject *progress;
    rls2_stats *stats = NULL;
    rls2_error err;
    int threads;
    if (!PyArg_ParseTuple(arguments, "iO:count", &threads, &progress)) return NULL;
    if (begin_work(self) < 0) return NULL;
    watch w = watch_begin(progress);
    rls2_control control = watch_control(&w, threads);
    rls2_status status = rls2_plan_count(plan_of(self), &control, &stats, &err);
    watch_end(&w);
    int failed = end_work(self) < 0;
    if (status == RLS2_OK && !failed) return stats_wrap(state_of(self), stats);
    if (status == RLS2_OK) rls2_stats_free(stats);
    return failed ? NULL : raise_library(state_of(self), &err);
}

static PyObject *plan_forecast(PyObject *self, PyObject *threads)
{
    rls2_cost cost;
    rls2_error err;
    rls2_status status;
    char text[128];
    int count = (int)PyLong_AsLong(threads);
    if (PyErr_Occurred() || check_free(self) < 0) return NULL;
    ((plan_object *)self)->busy = 1;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_plan_forecast(plan_of(self), count, &cost, sizeof cost, &err);
        Py_END_ALLOW_THREADS((plan_object *)self)->busy = 0;
    if (status != RLS2_OK) return raise_library(state_of(self), &err);
    rls2_cost_text(&cost, text, sizeof text);
    return Py_BuildValue("dds", cost.seconds, cost.bytes, text);
}

/* ---- what was found ---- */

static PyObject *get_data(PyObject *self, void *unused)
{
    (void)unused;
    return data_borrow(state_of(self), self, rls2_plan_data(plan_of(self), RLS2_PART_TRAINING));
}

static PyObject *get_row_count(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(rls2_plan_row_count(plan_of(self)));
}

static PyObject *get_kernels(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(rls2_plan_kernels(plan_of(self)));
}

static PyObject *get_kernel_names(PyObject *self, void *unused)
{
    (void)unused;
    return dictionary_names_list(rls2_plan_dictionary(plan_of(self)));
}

static PyObject *get_is_linear(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(rls2_dictionary_is_linear(rls2_plan_dictionary(plan_of(self))));
}

static const char *note(const void *plan, int64_t i)
{
    return rls2_plan_note(plan, i);
}

static PyObject *get_notes(PyObject *self, void *unused)
{
    (void)unused;
    if (check_free(self) < 0) return NULL;
    return list_of_texts(rls2_plan_note_count(plan_of(self)), note, plan_of(self));
}

static PyMethodDef methods[] = {{"of_rows", plan_of_rows, METH_VARARGS | METH_CLASS, NULL},
                                {"of_profile", plan_of_profile, METH_VARARGS | METH_CLASS, NULL},
                                {"of_stats", plan_of_stats, METH_VARARGS | METH_CLASS, NULL},
                                {"split_by", plan_split_by, METH_O, NULL},
                                {"split_into", plan_split_into, METH_VARARGS, NULL},
                                {"forecast", plan_forecast, METH_O, NULL},
                                {"fit", plan_fit, METH_VARARGS, NULL},
                                {"count", plan_count, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {{"data", get_data, NULL, NULL, NULL},
                                   {"row_count", get_row_count, NULL, NULL, NULL},
                                   {"kernels", get_kernels, NULL, NULL, NULL},
                                   {"kernel_names", get_kernel_names, NULL, NULL, NULL},
                                   {"is_linear", get_is_linear, NULL, NULL, NULL},
                                   {"notes", get_notes, NULL, NULL, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, (void *)"A table with what is asked of it."},
                              {Py_tp_new, plan_new},
                              {Py_tp_dealloc, plan_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, properties},
                              {0, NULL}};

PyType_Spec plan_spec = {.name = "rls2._core.Plan",
                         .basicsize = sizeof(plan_object),
                         .flags = Py_TPFLAGS_DEFAULT,
                         .slots = slots};
