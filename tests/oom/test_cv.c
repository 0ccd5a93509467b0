/* Every allocation of cross-validation, and of a fit of a whole table, fails once: alone, and with
 * those that come after it. On one thread, so that the order of the allocations is always the same.
 */
#include "failing_allocator.h"

#include "rls2/fit.h"

enum { ROWS = 6, CLASSED = 12 };

static const char TEXT[] = "a,t,y\n1,u,1\n2,v,2.5\n3,u,2.5\n4,v,4.5\n5,u,4.5\n6,w,7\n";
static const char CLASSED_TEXT[] =
    "a,b,class,w\n1,5,u,1\n2,3,v,2\n3,4,x,1\n4,1,u,1\n5,2,v,1\n6,6,x,3\n"
    "1.5,4.5,u,1\n2.5,3.5,v,1\n3.5,2,x,1\n4.5,1,u,2\n5.5,3,v,1\n6.5,5,x,1\n";
static rls2_table *table, *classed_table;
static rls2_splits *splits, *classed_splits;
static double given[CLASSED * CLASSED];

static rls2_status run(const rls2_table *from, rls2_recipe *recipe, const rls2_splits *parts,
                       int baselines, result *r, rls2_error *err)
{
    rls2_cv *cv = UNTOUCHED;
    rls2_status status;
    rls2_cv_options options = rls2_cv_options_default();
    recipe->lambda_count = 3;
    recipe->basis.threads = 1;
    options.threads = 1;
    options.baselines = baselines;
    ARMED(status = rls2_cv_run(from, recipe, parts, &options, &cv, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(cv, UNTOUCHED);
        return status;
    }
    for (int64_t i = 0; i < rls2_cv_count(cv); i++) {
        add_value(r, rls2_cv_at(cv, i)->cvm);
        add_values(r, rls2_cv_rows(cv) * rls2_cv_outputs(cv), rls2_cv_predictions(cv, i));
    }
    rls2_cv_free(cv);
    return status;
}

static rls2_status cross_validate(result *r, rls2_error *err)
{
    rls2_recipe recipe = rls2_recipe_default();
    const char *const names[] = {"g"}, *const columns[] = {"a,t"};
    recipe.data.target = "y";
    recipe.kernels = "linear; rbf(1)@group:g";
    recipe.group_count = 1;
    recipe.group_names = names;
    recipe.group_columns = columns;
    recipe.preprocessing.features = RLS2_NORMALIZE_STANDARDIZE;
    return run(table, &recipe, splits, 0, r, err);
}

/* Three classes, weights of both kinds, scalings of each class, baselines. */
static rls2_status classes(result *r, rls2_error *err)
{
    rls2_recipe recipe = rls2_recipe_default();
    recipe.data.target = "class";
    recipe.data.weight = "w";
    recipe.class_weights = "balanced";
    recipe.kernels = "linear; spline@a";
    recipe.basis.scaling = RLS2_SCALING_FISHER;
    return run(classed_table, &recipe, classed_splits, 1, r, err);
}

/* Matrices of the caller's, the kernels of each split being taken from those of all rows where
 * there is memory. */
static rls2_status matrices(result *r, rls2_error *err)
{
    static const char *const names[] = {"unused", "K"};
    const double *const list[] = {given, given};
    rls2_recipe recipe = rls2_recipe_default();
    recipe.data.target = "class";
    recipe.data.weight = "w";
    recipe.kernels = "linear; given(K); rbf(0.1)@all";
    recipe.given_count = 2;
    recipe.given_names = names;
    recipe.given = list;
    return run(classed_table, &recipe, classed_splits, 0, r, err);
}

/* The same with kernels that each split evaluates. */
static rls2_status matrices_of_splits(result *r, rls2_error *err)
{
    static const char *const names[] = {"K"}, *const targets[] = {"a", "b"},
                             *const drop[] = {"class", "w"};
    const double *const list[] = {given};
    rls2_recipe recipe = rls2_recipe_default();
    recipe.data.targets = targets;
    recipe.data.target_count = 2;
    recipe.data.drop = drop;
    recipe.data.drop_count = 2;
    recipe.kernels = "given(K)";
    recipe.preprocessing.features = RLS2_NORMALIZE_CENTER;
    recipe.given_count = 1;
    recipe.given_names = names;
    recipe.given = list;
    return run(classed_table, &recipe, classed_splits, 0, r, err);
}

/* The whole table: three classes, weights, scalings of each class, test rows that scalings are
 * measured over too. */
static rls2_status whole_table(result *r, rls2_error *err)
{
    rls2_fit *fit = UNTOUCHED;
    rls2_status status;
    rls2_recipe recipe = rls2_recipe_default();
    rls2_fit_options options = rls2_fit_options_default();
    recipe.data.target = "class";
    recipe.data.weight = "w";
    recipe.kernels = "linear; rbf(1)@all";
    recipe.lambda_count = 2;
    recipe.path.intercept = RLS2_INTERCEPT_AUTO;
    recipe.preprocessing.features = RLS2_NORMALIZE_STANDARDIZE;
    recipe.basis.scaling = RLS2_SCALING_FISHER;
    options.test = classed_table;
    options.transductive_features = 1;
    options.threads = 1;
    ARMED(status = rls2_fit_table(classed_table, &recipe, &options, &fit, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(fit, UNTOUCHED);
        return status;
    }
    for (int64_t o = 0; o < rls2_fit_outputs(fit); o++)
        add_values(r, CLASSED, rls2_path_c(rls2_fit_path(fit, o), 1));
    rls2_fit_free(fit);
    return status;
}

/* A model of the whole table. */
static rls2_status model_of_fit(result *r, rls2_error *err)
{
    rls2_fit *fit = NULL;
    rls2_recipe recipe = rls2_recipe_default();
    double f[ROWS];
    recipe.data.target = "y";
    recipe.lambda_count = 2;
    assert_int_equal(rls2_fit_table(table, &recipe, NULL, &fit, NULL), RLS2_OK);
    rls2_status status;
    ARMED(status = rls2_fit_predict(fit, 1, 0, f, err));
    if (status == RLS2_OK) add_values(r, ROWS, f);
    rls2_fit_free(fit);
    return status;
}

static int set_up(void **state)
{
    (void)state;
    int64_t fold[CLASSED];
    for (int i = 0; i < CLASSED; i++) {
        fold[i] = i % 2;
        for (int j = 0; j < CLASSED; j++)
            given[j * CLASSED + i] = i == j ? 2.0 : 1.0 / (1.0 + (i + j) % 2);
    }
    return rls2_table_parse_csv("t.csv", TEXT, sizeof TEXT - 1, &table, NULL) != RLS2_OK ||
           rls2_splits_folds(ROWS, NULL, 3, 1, 1, &splits, NULL) != RLS2_OK ||
           rls2_table_parse_csv("c.csv", CLASSED_TEXT, sizeof CLASSED_TEXT - 1, &classed_table,
                                NULL) != RLS2_OK ||
           rls2_splits_given(CLASSED, fold, &classed_splits, NULL) != RLS2_OK;
}

static int tear_down(void **state)
{
    (void)state;
    rls2_splits_free(splits);
    rls2_splits_free(classed_splits);
    rls2_table_free(table);
    rls2_table_free(classed_table);
    return 0;
}

/* TOLERANT: the solver keeps kernels dense only where there is memory for it. */
static const sweep sweeps[] = {
    {"cv_run__groups_and_texts", cross_validate, TOLERANT},
    {"cv_run__classes_and_weights", classes, TOLERANT},
    {"cv_run__given_matrices_taken", matrices, TOLERANT},
    {"cv_run__given_matrices_of_several_targets", matrices_of_splits, TOLERANT},
    {"fit_table__classes_weights_test_rows", whole_table, TOLERANT},
    {"fit_predict__a_model_made_and_attached", model_of_fit, 0},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
