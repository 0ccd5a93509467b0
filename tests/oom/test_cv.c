/* Every allocation of cross-validation fails once: alone, and with those that come after it. On one thread, so that
 * the order of the allocations is always the same. */
#include "failing_allocator.h"

static const char TEXT[] = "a,t,y\n1,u,1\n2,v,2.5\n3,u,2.5\n4,v,4.5\n5,u,4.5\n6,v,7\n";
static rls2_table *table;
static rls2_splits *splits;

static rls2_status cross_validate(result *r, rls2_error *err)
{
    rls2_cv *cv = UNTOUCHED;
    rls2_status status;
    rls2_recipe recipe = rls2_recipe_default();
    rls2_cv_options options = rls2_cv_options_default();
    const char *const names[] = {"g"}, *const columns[] = {"a,t"};
    recipe.data.target = "y";
    recipe.kernels = "linear; rbf(1)@group:g";
    recipe.group_count = 1;
    recipe.group_names = names;
    recipe.group_columns = columns;
    recipe.preprocessing.features = RLS2_NORMALIZE_STANDARDIZE;
    recipe.lambda_count = 3;
    recipe.basis.threads = 1;
    options.threads = 1;
    ARMED(status = rls2_cv_run(table, &recipe, splits, &options, &cv, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(cv, UNTOUCHED);
        return status;
    }
    for (int64_t i = 0; i < rls2_cv_count(cv); i++) {
        add_value(r, rls2_cv_at(cv, i)->cvm);
        add_values(r, rls2_cv_rows(cv), rls2_cv_predictions(cv, i));
    }
    rls2_cv_free(cv);
    return status;
}

static int set_up(void **state)
{
    (void)state;
    return rls2_table_parse_csv("t.csv", TEXT, sizeof TEXT - 1, &table, NULL) != RLS2_OK ||
           rls2_splits_folds(6, NULL, 3, 1, 1, &splits, NULL) != RLS2_OK;
}

static int tear_down(void **state)
{
    (void)state;
    rls2_splits_free(splits);
    rls2_table_free(table);
    return 0;
}

/* TOLERANT: the solver keeps kernels dense only where there is memory for it. */
static const sweep sweeps[] = {{"cv_run__groups_and_texts", cross_validate, TOLERANT}};

int main(void)
{
    const struct CMUnitTest tests[] = {sweep_test(&sweeps[0])};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
