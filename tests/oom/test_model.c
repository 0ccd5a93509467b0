/* Every allocation of the functions of models fails once: alone, and with those that come
 * after it. The call then reports it and writes nothing. That nothing leaks either is for
 * the sanitised build to see. */
#include "learning_problem.h"
#include "support/one_output.h"

static rls2_status make_model(result *r, rls2_error *err)
{
    rls2_model *model = UNTOUCHED;
    rls2_status status;
    ARMED(status = model_of_one(problem.path, LAMBDAS - 1, &model, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(model, UNTOUCHED);
        return status;
    }
    for (int64_t k = 0; k < rls2_model_kernel_count(model); k++) {
        add_text(r, rls2_model_kernel_name(model, k));
        add_value(r, rls2_model_kernel_weight(model, k));
        add_value(r, rls2_model_scale(model, k));
    }
    add_values(r, N, rls2_model_c(model));
    rls2_model_free(model);
    return status;
}

/* Three outputs, of which two are the same. */
static rls2_status make_outputs(result *r, rls2_error *err)
{
    const rls2_path *paths[] = {problem.path, problem.second, problem.path};
    rls2_model *model = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_model_create(3, paths, LAMBDAS - 1, &model, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(model, UNTOUCHED);
        return status;
    }
    for (int64_t k = 0; k < rls2_model_kernel_count(model); k++) {
        add_text(r, rls2_model_kernel_name(model, k));
        add_value(r, rls2_model_kernel_weight(model, k));
    }
    for (int64_t o = 0; o < 3; o++) add_values(r, N, rls2_model_c(rls2_model_output(model, o)));
    rls2_model_free(model);
    return status;
}

typedef rls2_status (*row_function)(const rls2_model *, const rls2_rows *, const rls2_control *,
                                    double *, rls2_error *);

static rls2_status apply_to_rows(row_function function, int64_t width, result *r, rls2_error *err)
{
    double values[N_NEW * KERNEL_ROOM];
    rls2_status status;
    fill_unwritten(N_NEW * width, values);
    ARMED(status = function(problem.model, &problem.fresh, NULL, values, err));
    return finish_values(status, N_NEW * width, values, r);
}

static rls2_status predict(result *r, rls2_error *err)
{
    return apply_to_rows(rls2_model_predict, 1, r, err);
}

static rls2_status predict_outputs(result *r, rls2_error *err)
{
    double values[N_NEW * 3];
    rls2_status status;
    fill_unwritten(N_NEW * 3, values);
    ARMED(status = rls2_model_predict(problem.several, &problem.fresh, NULL, values, err));
    return finish_values(status, N_NEW * 3, values, r);
}

static rls2_status factorize(result *r, rls2_error *err)
{
    const rls2_path *paths[] = {problem.path, problem.second};
    rls2_model *model = NULL;
    rls2_status status;
    assert_int_equal(rls2_model_create(2, paths, LAMBDAS - 1, &model, NULL), RLS2_OK);
    ARMED(status = rls2_model_factorize(model, err));
    double variance[N_NEW]; /* the same whether it was kept or not */
    assert_int_equal(
        rls2_model_variance(rls2_model_output(model, 1), &problem.fresh, variance, NULL), RLS2_OK);
    add_values(r, N_NEW, variance);
    rls2_model_free(model);
    return status;
}

static rls2_status contributions(result *r, rls2_error *err)
{
    return apply_to_rows(rls2_model_contributions, rls2_model_kernel_count(problem.model), r, err);
}

static rls2_status layer1(result *r, rls2_error *err)
{
    return apply_to_rows(rls2_model_layer1, rls2_model_kernel_count(problem.model), r, err);
}

static rls2_status variance(result *r, rls2_error *err)
{
    double values[N_NEW];
    rls2_status status;
    fill_unwritten(N_NEW, values);
    ARMED(status = rls2_model_variance(problem.model, &problem.fresh, values, err));
    return finish_values(status, N_NEW, values, r);
}

static rls2_status learned_kernel(result *r, rls2_error *err)
{
    double values[N_NEW * N];
    rls2_status status;
    fill_unwritten(N_NEW * N, values);
    ARMED(status = rls2_model_learned_kernel(problem.model, &problem.fresh, &problem.train, NULL,
                                             values, err));
    return finish_values(status, N_NEW * N, values, r);
}

static rls2_status model_df(result *r, rls2_error *err)
{
    double df = UNWRITTEN;
    rls2_status status;
    ARMED(status = rls2_model_degrees_of_freedom(problem.model, &df, err));
    return finish_values(status, 1, &df, r);
}

static rls2_status model_effect(result *r, rls2_error *err)
{
    rls2_effect *effect = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_model_effect(problem.model, 0, &effect, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(effect, UNTOUCHED);
        return status;
    }
    for (int64_t i = 0; i < rls2_effect_count(effect); i++)
        add_value(r, rls2_effect_at(effect, i)->effect);
    rls2_effect_free(effect);
    return status;
}

static rls2_status joint_effect(result *r, rls2_error *err)
{
    double values[64 * 64];
    rls2_status status;
    rls2_effect *of[2] = {NULL, NULL};
    for (int64_t k = 0; k < 2; k++)
        assert_int_equal(rls2_model_effect(problem.model, k, &of[k], NULL), RLS2_OK);
    int64_t count = rls2_effect_count(of[0]) * rls2_effect_count(of[1]);
    for (int k = 0; k < 2; k++) rls2_effect_free(of[k]);
    assert_true(count > 0 && count <= 64 * 64);
    ARMED(status = rls2_model_joint_effect(problem.model, 0, 1, values, err));
    for (int64_t i = 0; i < count && status == RLS2_OK; i++) add_value(r, values[i]);
    return status;
}

static rls2_status explain(result *r, rls2_error *err)
{
    rls2_explanation *told = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_model_explain(problem.model, ON_THREADS(1), &told, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(told, UNTOUCHED);
        return status;
    }
    for (int64_t i = 0; i < rls2_explanation_input_count(told); i++)
        add_value(r, rls2_explanation_input(told, i)->share);
    for (int64_t i = 0; i < rls2_explanation_pair_count(told); i++)
        add_value(r, rls2_explanation_pair(told, i)->share);
    rls2_explanation_free(told);
    return status;
}

/* ---- all ---- */

static const sweep sweeps[] = {
    {"model_create", make_model, STRICT},
    {"model_create_outputs", make_outputs, STRICT},
    {"model_predict", predict, STRICT},
    {"model_predict__outputs", predict_outputs, STRICT},
    {"model_factorize__outputs", factorize, STRICT},
    {"model_contributions", contributions, STRICT},
    {"model_variance", variance, STRICT},
    {"model_learned_kernel", learned_kernel, STRICT},
    {"model_layer1", layer1, STRICT},
    {"model_degrees_of_freedom", model_df, STRICT},
    {"model_effect", model_effect, STRICT},
    {"model_joint_effect", joint_effect, STRICT},
    {"model_explain", explain, STRICT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
