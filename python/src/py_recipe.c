/* A dict as a recipe. Each name is read by the reader of its type; a name that is none is refused.
 */
#include "py_core.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* In the order of rls2_normalize, rls2_scaling and rls2_solver. */
const char *const normalize_words[4] = {"none", "center", "standardize", "unit"};
const char *const scaling_words[4] = {"none", "trace", "fisher", "fisher-sqrt"};
const char *const solver_words[2] = {"newton", "alternate"};

/* ---- values ---- */

/* A place for each pointer array that recipe_release frees, which there always is: fields come
 * once. */
static void keep_block(recipe_holder *r, void *block)
{
    r->blocks[r->block_count++] = block;
}

static int keep_object(recipe_holder *r, PyObject *object)
{
    return PyList_Append(r->keep, object);
}

static int read_texts(recipe_holder *r, PyObject *value, const char *name, int64_t *count,
                      const char *const **texts)
{
    const char **made;
    PyObject *list;
    if (texts_of(value, name, count, &made, &list) < 0) return -1;
    keep_block(r, made);
    *texts = made;
    int result = keep_object(r, list);
    Py_DECREF(list);
    return result;
}

static int read_text(recipe_holder *r, PyObject *value, const char *name, const char **text)
{
    *text = text_of(value, name);
    return *text ? keep_object(r, value) : -1;
}

static int read_flag(PyObject *value, int *flag)
{
    *flag = PyObject_IsTrue(value);
    return *flag < 0 ? -1 : 0;
}

static int read_integer(PyObject *value, int64_t *integer)
{
    *integer = PyLong_AsLongLong(value);
    return *integer == -1 && PyErr_Occurred() ? -1 : 0;
}

static int read_number(PyObject *value, double *number)
{
    *number = PyFloat_AsDouble(value);
    return *number == -1.0 && PyErr_Occurred() ? -1 : 0;
}

/* The number of the word among `count`. */
static int read_word(const core_state *state, PyObject *value, const char *name, int count,
                     const char *const *words)
{
    const char *text = text_of(value, name);
    char known[128] = "";
    if (!text) return -1;
    for (int k = 0; k < count; k++)
        if (strcmp(text, words[k]) == 0) return k;
    for (int k = 0; k < count; k++) {
        if (k > 0) strcat(known, k + 1 == count ? " or " : ", ");
        strcat(known, words[k]);
    }
    raise_error(state, RLS2_ERR_ARGUMENT, "%s is '%.40s'; it should be %s", name, text, known);
    return -1;
}

/* ---- fields ---- */

static int read_targets(recipe_holder *r, PyObject *value)
{
    rls2_dataset_options *data = &r->recipe.data;
    const char *const *names;
    int64_t count;
    if (read_texts(r, value, "targets", &count, &names) < 0) return -1;
    data->target = count == 1 ? names[0] : NULL;
    data->targets = count > 1 ? names : NULL;
    data->target_count = count > 1 ? count : 0;
    return 0;
}

static int read_preprocessing(const core_state *state, PyObject *value, const char *name,
                              rls2_normalize *how)
{
    int found = read_word(state, value, name, 4, normalize_words);
    if (found >= 0) *how = (rls2_normalize)found;
    return found < 0 ? -1 : 0;
}

static int read_scaling(const core_state *state, recipe_holder *r, PyObject *value)
{
    int found = read_word(state, value, "scaling", 4, scaling_words);
    if (found >= 0) r->recipe.basis.scaling = (rls2_scaling)found;
    return found < 0 ? -1 : 0;
}

static int read_solver(const core_state *state, recipe_holder *r, PyObject *value)
{
    int found = read_word(state, value, "solver", 2, solver_words);
    if (found >= 0) r->recipe.path.solver = (rls2_solver)found;
    return found < 0 ? -1 : 0;
}

static int read_intercept(const core_state *state, recipe_holder *r, PyObject *value)
{
    static const char *const words[] = {"none", "mean"};
    int found = read_word(state, value, "intercept", 2, words);
    if (found >= 0) r->recipe.path.intercept = (rls2_intercept)found;
    return found < 0 ? -1 : 0;
}

static int read_lambdas(const core_state *state, recipe_holder *r, PyObject *value)
{
    if (lent_vector(state, value, "lambdas", -1, &r->lambdas) < 0) return -1;
    r->recipe.lambdas = r->lambdas.doubles;
    r->recipe.lambda_count = r->lambdas.rows;
    return 0;
}

static int read_groups(recipe_holder *r, PyObject *value)
{
    PyObject *names = PyMapping_Keys(value), *columns = PyMapping_Values(value);
    int64_t count;
    int result = names && columns ? 0 : -1;
    if (result == 0)
        result = read_texts(r, names, "groups", &r->recipe.group_count, &r->recipe.group_names);
    if (result == 0) result = read_texts(r, columns, "groups", &count, &r->recipe.group_columns);
    Py_XDECREF(names);
    Py_XDECREF(columns);
    return result;
}

static int read_given(const core_state *state, recipe_holder *r, PyObject *value, int64_t n)
{
    Py_ssize_t count = PySequence_Size(value);
    if (n < 0 || count < 0) return count < 0 ? -1 : 0;
    const double **pointers = calloc((size_t)count + 1, sizeof *pointers);
    r->given = calloc((size_t)count + 1, sizeof *r->given);
    keep_block(r, pointers);
    if (!pointers || !r->given) {
        PyErr_NoMemory();
        return -1;
    }
    for (; r->given_count < count; r->given_count++) {
        PyObject *item = PySequence_GetItem(value, (Py_ssize_t)r->given_count);
        lent *matrix = &r->given[r->given_count];
        int result = item ? lent_square(state, item, "a given matrix", n, matrix) : -1;
        Py_XDECREF(item);
        if (result < 0) {
            lent_release(matrix);
            return -1;
        }
        pointers[r->given_count] = matrix->doubles;
    }
    r->recipe.given = pointers;
    return 0;
}

/* ---- the dict ---- */

static int read_data_field(const core_state *state, recipe_holder *r, const char *name,
                           PyObject *value)
{
    rls2_recipe *recipe = &r->recipe;
    int64_t integer;
    if (strcmp(name, "targets") == 0) return read_targets(r, value);
    if (strcmp(name, "weight") == 0) return read_text(r, value, name, &recipe->data.weight);
    if (strcmp(name, "drop") == 0)
        return read_texts(r, value, name, &recipe->data.drop_count, &recipe->data.drop);
    if (strcmp(name, "drop_missing") == 0) return read_flag(value, &recipe->data.drop_missing);
    if (strcmp(name, "reference") == 0) return read_flag(value, &recipe->data.reference);
    if (strcmp(name, "categorical") == 0)
        return read_texts(r, value, name, &recipe->data.categorical_count,
                          &recipe->data.categorical);
    if (strcmp(name, "examples") == 0)
        return read_preprocessing(state, value, name, &recipe->preprocessing.examples);
    if (strcmp(name, "features") == 0)
        return read_preprocessing(state, value, name, &recipe->preprocessing.features);
    if (strcmp(name, "classify") != 0) return 1;
    if (read_integer(value, &integer) < 0) return -1;
    recipe->data.classify = integer < 0 ? -1 : integer > 0;
    return 0;
}

static int read_basis_field(const core_state *state, recipe_holder *r, const char *name,
                            PyObject *value, int64_t n)
{
    rls2_recipe *recipe = &r->recipe;
    if (strcmp(name, "kernels") == 0) {
        r->has_kernels = 1;
        return read_text(r, value, name, &recipe->kernels);
    }
    if (strcmp(name, "class_weights") == 0)
        return read_text(r, value, name, &recipe->class_weights);
    if (strcmp(name, "given_names") == 0)
        return read_texts(r, value, name, &recipe->given_count, &recipe->given_names);
    if (strcmp(name, "given") == 0) return read_given(state, r, value, n);
    if (strcmp(name, "groups") == 0) return read_groups(r, value);
    if (strcmp(name, "scaling") == 0) return read_scaling(state, r, value);
    if (strcmp(name, "center") == 0) return read_flag(value, &recipe->basis.center);
    if (strcmp(name, "skip_degenerate") == 0)
        return read_flag(value, &recipe->basis.skip_degenerate);
    if (strcmp(name, "rank_tol") == 0) return read_number(value, &recipe->basis.rank_tol);
    if (strcmp(name, "memory") == 0) return read_integer(value, &recipe->basis.memory);
    return 1;
}

static int read_path_field(const core_state *state, recipe_holder *r, const char *name,
                           PyObject *value)
{
    rls2_path_options *path = &r->recipe.path;
    if (strcmp(name, "solver") == 0) return read_solver(state, r, value);
    if (strcmp(name, "intercept") == 0) return read_intercept(state, r, value);
    if (strcmp(name, "gap_tol") == 0) return read_number(value, &path->gap_tol);
    if (strcmp(name, "delta") == 0) return read_number(value, &path->delta);
    if (strcmp(name, "max_iter") == 0) return read_integer(value, &path->max_iter);
    if (strcmp(name, "solver_memory") == 0) return read_integer(value, &path->memory);
    if (strcmp(name, "lambdas") == 0) return read_lambdas(state, r, value);
    if (strcmp(name, "lambda_count") == 0) return read_integer(value, &r->recipe.lambda_count);
    if (strcmp(name, "ratio") == 0) return read_number(value, &r->recipe.ratio);
    return 1;
}

/* Only keys that are str and nothing more are sure to be different, and fields are read once. */
static int read_field(const core_state *state, recipe_holder *r, PyObject *key, PyObject *value,
                      int64_t n)
{
    if (!PyUnicode_CheckExact(key)) {
        PyErr_SetString(PyExc_TypeError, "a field of the recipe: a str is needed");
        return -1;
    }
    const char *name = text_of(key, "a field of the recipe");
    if (!name) return -1;
    int result = read_data_field(state, r, name, value);
    if (result > 0) result = read_basis_field(state, r, name, value, n);
    if (result > 0) result = read_path_field(state, r, name, value);
    if (result > 0) PyErr_Format(PyExc_TypeError, "a recipe has no field '%s'", name);
    return result == 0 ? 0 : -1;
}

static int check_given(const core_state *state, const recipe_holder *r, int64_t n)
{
    if (n < 0 || r->recipe.given_count == r->given_count) return 0;
    raise_error(state, RLS2_ERR_ARGUMENT, "there are %lld given matrices with %lld names",
                (long long)r->given_count, (long long)r->recipe.given_count);
    return -1;
}

/* A copy of the dict is read: another thread may change the original. */
int recipe_read(const core_state *state, PyObject *dict, int64_t n, recipe_holder *made)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    *made = (recipe_holder){.recipe = rls2_recipe_default()};
    if (!PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "the recipe should be a dict");
        return -1;
    }
    PyObject *copy = PyDict_Copy(dict);
    made->keep = PyList_New(0);
    int result = copy && made->keep ? 0 : -1;
    while (result == 0 && PyDict_Next(copy, &at, &key, &value))
        result = read_field(state, made, key, value, n);
    Py_XDECREF(copy);
    return result == 0 ? check_given(state, made, n) : -1;
}

void recipe_release(recipe_holder *r)
{
    for (int b = 0; b < r->block_count; b++) free(r->blocks[b]);
    for (int64_t g = 0; g < r->given_count; g++) lent_release(&r->given[g]);
    free(r->given);
    lent_release(&r->lambdas);
    Py_CLEAR(r->keep);
    *r = (recipe_holder){0};
}
