/* Path: dictionary, bases, grid and paths on all rows of the data, in the steps of the command. */
#include "py_core.h"

#include <stdlib.h>

typedef struct path_object {
    PyObject_HEAD
    PyObject *data;
    recipe_holder recipe; /* the given matrices are borrowed as long as the bases are there */
    rls2_dictionary *dictionary;
    double *weights; /* of the rows, to fit with; NULL where each is one */
    int64_t outputs;
    rls2_basis **bases; /* outputs: the first, or it rescaled */
    rls2_path **paths;  /* outputs */
    int64_t count;      /* lambdas finished for all outputs */
} path_object;

static const rls2_dataset *data_of(const path_object *p)
{
    return ((data_object *)p->data)->data;
}

/* ---- fitting ---- */

static int uses_labels(rls2_scaling rule)
{
    return rule == RLS2_SCALING_FISHER || rule == RLS2_SCALING_FISHER_SQRT;
}

/* What a fit needs beside the object. */
typedef struct fitting {
    path_object *path;
    int threads;
    int degrees_of_freedom;
    watch watch;
    rls2_error err;
} fitting;

static rls2_status fail_memory(rls2_error *err)
{
    *err = (rls2_error){RLS2_ERR_MEMORY, -1, "out of memory for a path"};
    return RLS2_ERR_MEMORY;
}

static rls2_status make_weights(fitting *f)
{
    path_object *p = f->path;
    const rls2_dataset *data = data_of(p);
    const char *classes = p->recipe.recipe.class_weights;
    if (!classes && !rls2_dataset_weights(data)) return RLS2_OK;
    p->weights = calloc((size_t)rls2_dataset_rows(data) + 1, sizeof *p->weights);
    return p->weights ? rls2_dataset_fit_weights(data, classes, p->weights, &f->err)
                      : fail_memory(&f->err);
}

static rls2_status make_other_bases(fitting *f, rls2_scaling rule)
{
    path_object *p = f->path;
    const rls2_dataset *data = data_of(p);
    for (int64_t o = 1; o < p->outputs; o++) {
        if (!uses_labels(rule)) {
            p->bases[o] = p->bases[0];
            continue;
        }
        const double *labels = rls2_dataset_y(data) + o * rls2_dataset_rows(data);
        rls2_status status = rls2_basis_rescale(p->bases[0], labels, &p->bases[o], &f->err);
        if (status != RLS2_OK) return status;
    }
    return RLS2_OK;
}

static rls2_status make_bases(fitting *f)
{
    path_object *p = f->path;
    const rls2_dataset *data = data_of(p);
    rls2_basis_options options = p->recipe.recipe.basis;
    rls2_rows rows = {.n = rls2_dataset_rows(data),
                      .p = rls2_dataset_columns(data),
                      .x = rls2_dataset_x(data),
                      .given_count = p->recipe.recipe.given_count,
                      .given = p->recipe.recipe.given};
    options.weights = p->weights;
    options.labels = rls2_dataset_is_classification(data) ? rls2_dataset_y(data) : NULL;
    options.threads = f->threads;
    options.progress = watch_progress;
    options.progress_user = &f->watch;
    rls2_status status = rls2_basis_create(p->dictionary, &rows, &options, &p->bases[0], &f->err);
    return status == RLS2_OK ? make_other_bases(f, options.scaling) : status;
}

static rls2_status fit_lambdas(fitting *f, int64_t count, const double *lambdas)
{
    path_object *p = f->path;
    rls2_path_options options = p->recipe.recipe.path;
    options.degrees_of_freedom = f->degrees_of_freedom;
    options.progress = watch_progress;
    options.progress_user = &f->watch;
    rls2_status status = rls2_path_fit_outputs(p->outputs, (const rls2_basis *const *)p->bases,
                                               rls2_dataset_y(data_of(p)), count, lambdas, &options,
                                               f->threads, p->paths, &f->err);
    if (status != RLS2_OK) return status;
    p->count = count;
    for (int64_t o = 0; o < p->outputs; o++)
        if (rls2_path_count(p->paths[o]) < p->count) p->count = rls2_path_count(p->paths[o]);
    return RLS2_OK;
}

/* The values asked for, or those that suit the data. */
static rls2_status make_paths(fitting *f)
{
    path_object *p = f->path;
    const rls2_recipe *recipe = &p->recipe.recipe;
    if (recipe->lambdas) return fit_lambdas(f, recipe->lambda_count, recipe->lambdas);
    int64_t count = recipe->lambda_count > 0 ? recipe->lambda_count : 0;
    double *lambdas = calloc((size_t)count + 1, sizeof *lambdas);
    if (!lambdas) return fail_memory(&f->err);
    rls2_status status = rls2_lambda_default_outputs(
        p->outputs, (const rls2_basis *const *)p->bases, rls2_dataset_y(data_of(p)),
        recipe->path.intercept, recipe->ratio, recipe->lambda_count, lambdas, &f->err);
    if (status == RLS2_OK) status = fit_lambdas(f, count, lambdas);
    free(lambdas);
    return status;
}

static rls2_status fit(fitting *f)
{
    rls2_status status = make_weights(f);
    if (status == RLS2_OK) status = make_bases(f);
    return status == RLS2_OK ? make_paths(f) : status;
}

/* ---- life ---- */

static int check_data(const core_state *state, const rls2_dataset *data)
{
    if (rls2_dataset_outputs(data) > 0 && rls2_dataset_y(data)) return 0;
    raise_error(state, RLS2_ERR_ARGUMENT, "the data have no target to learn");
    return -1;
}

static int reserve(path_object *p)
{
    int64_t outputs = rls2_dataset_outputs(data_of(p));
    p->bases = calloc((size_t)outputs + 1, sizeof *p->bases);
    p->paths = calloc((size_t)outputs + 1, sizeof *p->paths);
    p->outputs = outputs;
    if (p->bases && p->paths) return 0;
    PyErr_NoMemory();
    return -1;
}

/* 0, or -1 with an exception. */
static int prepare(const core_state *state, path_object *p, PyObject *dict)
{
    if (check_data(state, data_of(p)) < 0) return -1;
    if (recipe_read(state, dict, rls2_dataset_rows(data_of(p)), &p->recipe) < 0) return -1;
    if (recipe_dictionary(state, &p->recipe, data_of(p), &p->dictionary) < 0) return -1;
    return reserve(p);
}

static int fit_paths(const core_state *state, path_object *p, int degrees_of_freedom, int threads,
                     PyObject *progress)
{
    fitting f = {.path = p, .threads = threads, .degrees_of_freedom = degrees_of_freedom};
    f.watch = watch_begin(progress);
    rls2_status status = fit(&f);
    if (watch_end(&f.watch) < 0) return -1;
    if (status != RLS2_OK) raise_library(state, &f.err);
    return status == RLS2_OK ? 0 : -1;
}

static PyObject *path_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"data", "recipe", "degrees_of_freedom", "threads", "progress", NULL};
    core_state *state = state_of_type(type);
    PyObject *data, *dict, *progress;
    int degrees_of_freedom, threads;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!OpiO:Path", names, state->data, &data,
                                     &dict, &degrees_of_freedom, &threads, &progress))
        return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    path_object *p = (path_object *)allocate(type, 0); /* zeroed */
    if (!p) return NULL;
    Py_INCREF(data);
    p->data = data;
    if (prepare(state, p, dict) == 0 &&
        fit_paths(state, p, degrees_of_freedom, threads, progress) == 0)
        return (PyObject *)p;
    Py_DECREF(p);
    return NULL;
}

static void path_dealloc(PyObject *self)
{
    path_object *p = (path_object *)self;
    for (int64_t o = 0; p->paths && o < p->outputs; o++) rls2_path_free(p->paths[o]);
    for (int64_t o = 1; p->bases && o < p->outputs; o++)
        if (p->bases[o] != p->bases[0]) rls2_basis_free(p->bases[o]);
    if (p->bases) rls2_basis_free(p->bases[0]);
    free(p->paths);
    free(p->bases);
    free(p->weights);
    rls2_dictionary_free(p->dictionary);
    recipe_release(&p->recipe);
    Py_CLEAR(p->data);
    object_free(self);
}

/* ---- what was found ---- */

static PyObject *get_kernel_names(PyObject *self, void *unused)
{
    (void)unused;
    return dictionary_names_list(((path_object *)self)->dictionary);
}

static PyObject *get_outputs(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(((path_object *)self)->outputs);
}

static PyObject *get_scales(PyObject *self, void *unused)
{
    (void)unused;
    path_object *p = (path_object *)self;
    PyObject *list = PyList_New((Py_ssize_t)p->outputs);
    for (int64_t o = 0; list && o < p->outputs; o++) {
        PyObject *scales = array_of_doubles(state_of(self), self, rls2_basis_scales(p->bases[o]),
                                            rls2_basis_size(p->bases[o]), -1);
        if (!scales || PyList_SetItem(list, (Py_ssize_t)o, scales) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *get_lambdas(PyObject *self, void *unused)
{
    (void)unused;
    path_object *p = (path_object *)self;
    PyObject *list = PyList_New((Py_ssize_t)p->count);
    for (int64_t i = 0; list && i < p->count; i++) {
        PyObject *lambda = PyFloat_FromDouble(rls2_path_at(p->paths[0], i)->lambda);
        if (!lambda || PyList_SetItem(list, (Py_ssize_t)i, lambda) < 0) Py_CLEAR(list);
    }
    return list;
}

/* The path of an output, and that it has point i; NULL with an exception. */
static const rls2_path *path_at(path_object *p, Py_ssize_t output, Py_ssize_t i)
{
    if (check_index(output, p->outputs, "output") < 0) return NULL;
    return check_index(i, p->count, "lambda") < 0 ? NULL : p->paths[output];
}

static const rls2_path *path_of(PyObject *self, PyObject *arguments, const char *format,
                                Py_ssize_t *output, Py_ssize_t *i)
{
    return PyArg_ParseTuple(arguments, format, output, i)
               ? path_at((path_object *)self, *output, *i)
               : NULL;
}

static PyObject *path_point(PyObject *self, PyObject *arguments)
{
    Py_ssize_t output, i;
    const rls2_path *path = path_of(self, arguments, "nn:point", &output, &i);
    return path ? point_tuple(state_of(self), rls2_path_at(path, i)) : NULL;
}

static PyObject *path_weights(PyObject *self, PyObject *arguments)
{
    Py_ssize_t output, i;
    const int64_t *kernels;
    const double *d;
    const rls2_path *path = path_of(self, arguments, "nn:weights", &output, &i);
    if (!path) return NULL;
    int64_t count = rls2_path_weights(path, i, &kernels, &d);
    PyObject *first = array_of_integers(state_of(self), self, kernels, count);
    PyObject *second = array_of_doubles(state_of(self), self, d, count, -1);
    PyObject *pair = first && second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return pair;
}

static PyObject *path_c(PyObject *self, PyObject *arguments)
{
    Py_ssize_t output, i;
    const rls2_path *path = path_of(self, arguments, "nn:c", &output, &i);
    if (!path) return NULL;
    return array_of_doubles(state_of(self), self, rls2_path_c(path, i),
                            rls2_dataset_rows(data_of((path_object *)self)), -1);
}

static PyObject *path_intercept(PyObject *self, PyObject *argument)
{
    path_object *p = (path_object *)self;
    Py_ssize_t output = PyLong_AsSsize_t(argument);
    if ((output == -1 && PyErr_Occurred()) || check_index(output, p->outputs, "output") < 0)
        return NULL;
    return PyFloat_FromDouble(rls2_path_intercept(p->paths[output]));
}

static PyObject *criteria_tuple(const core_state *state, const rls2_criteria *c)
{
    return PyObject_CallFunction(state->criteria, "ddddddd", c->df, c->rss, c->gcv, c->cp, c->aic,
                                 c->bic, c->loo);
}

static PyObject *criteria_list(const core_state *state, const rls2_criteria *criteria,
                               int64_t count)
{
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *item = criteria_tuple(state, &criteria[i]);
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *path_criteria(PyObject *self, PyObject *argument)
{
    path_object *p = (path_object *)self;
    rls2_error err;
    rls2_status status;
    Py_ssize_t output = PyLong_AsSsize_t(argument);
    if ((output == -1 && PyErr_Occurred()) || check_index(output, p->outputs, "output") < 0)
        return NULL;
    const rls2_path *path = p->paths[output];
    rls2_criteria *criteria = calloc((size_t)rls2_path_count(path) + 1, sizeof *criteria);
    if (!criteria) return PyErr_NoMemory();
    watch w = watch_begin(Py_None);
    status = rls2_path_criteria_watched(path, watch_progress, &w, criteria, &err);
    PyObject *list = NULL;
    if (watch_end(&w) == 0)
        list = status == RLS2_OK ? criteria_list(state_of(self), criteria, p->count)
                                 : raise_library(state_of(self), &err);
    free(criteria);
    return list;
}

/* Of the points that all outputs have. */
static PyObject *predict(PyObject *self, const rls2_path *path, const rls2_rows *rows)
{
    const core_state *state = state_of(self);
    rls2_error err;
    rls2_status status;
    double *f = room_for(rows->n, rls2_path_count(path));
    if (!f) return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_path_predict(path, rows, f, &err);
    Py_END_ALLOW_THREADS
    if (status == RLS2_OK)
        return array_own_doubles(state, f, rows->n, ((path_object *)self)->count);
    free(f);
    return raise_library(state, &err);
}

static PyObject *path_predict(PyObject *self, PyObject *arguments)
{
    path_object *p = (path_object *)self;
    const rls2_dataset *data = data_of(p);
    Py_ssize_t output, n;
    PyObject *x, *given, *result = NULL;
    lent_rows rows;
    if (!PyArg_ParseTuple(arguments, "nOnO:predict", &output, &x, &n, &given)) return NULL;
    if (check_index(output, p->outputs, "output") < 0) return NULL;
    if (lent_rows_get(state_of(self), x, n, given, NULL, rls2_dataset_columns(data),
                      p->recipe.recipe.given_count, rls2_dataset_rows(data), &rows) == 0)
        result = predict(self, p->paths[output], &rows.rows);
    lent_rows_release(&rows);
    return result;
}

static PyObject *path_certify(PyObject *self, PyObject *arguments)
{
    Py_ssize_t output, i;
    rls2_certificate certificate;
    rls2_error err;
    rls2_status status;
    const rls2_path *path = path_of(self, arguments, "nn:certify", &output, &i);
    if (!path) return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_path_certify(path, i, &certificate, &err);
    Py_END_ALLOW_THREADS
    return status == RLS2_OK ? certificate_tuple(state_of(self), &certificate)
                             : raise_library(state_of(self), &err);
}

static PyObject *path_model(PyObject *self, PyObject *argument)
{
    path_object *p = (path_object *)self;
    rls2_model *model = NULL;
    rls2_error err;
    rls2_status status;
    Py_ssize_t i = PyLong_AsSsize_t(argument);
    if ((i == -1 && PyErr_Occurred()) || check_index(i, p->count, "lambda") < 0) return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = rls2_model_create_outputs(p->outputs, (const rls2_path *const *)p->paths, i,
                                           &model, &err);
        if (status == RLS2_OK) status = rls2_model_attach(model, data_of(p), &err);
    Py_END_ALLOW_THREADS
    if (status == RLS2_OK) return model_wrap(state_of(self), model);
    rls2_model_free(model);
    return raise_library(state_of(self), &err);
}

static PyMethodDef methods[] = {{"point", path_point, METH_VARARGS, NULL},
                                {"weights", path_weights, METH_VARARGS, NULL},
                                {"c", path_c, METH_VARARGS, NULL},
                                {"intercept", path_intercept, METH_O, NULL},
                                {"criteria", path_criteria, METH_O, NULL},
                                {"predict", path_predict, METH_VARARGS, NULL},
                                {"certify", path_certify, METH_VARARGS, NULL},
                                {"model", path_model, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {{"kernel_names", get_kernel_names, NULL, NULL, NULL},
                                   {"scales", get_scales, NULL, NULL, NULL},
                                   {"outputs", get_outputs, NULL, NULL, NULL},
                                   {"lambdas", get_lambdas, NULL, NULL, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"The paths of all outputs on all rows of the data."},
    {Py_tp_new, path_new},
    {Py_tp_dealloc, path_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL}};

PyType_Spec path_spec = {.name = "rls2._core.Path",
                         .basicsize = sizeof(path_object),
                         .flags = Py_TPFLAGS_DEFAULT,
                         .slots = slots};
