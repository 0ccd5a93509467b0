/* Every allocation of a plan, from its first word to the model, fails once: alone, and with those
 * that come after it. On one thread, so that the order of the allocations is always the same. */
#include "failing_allocator.h"

enum { ROWS = 6, CLASSED = 12 };

static const char TEXT[] = "a,t,y\n1,u,1\n2,v,2.5\n3,u,2.5\n4,v,4.5\n5,u,4.5\n6,w,7\n";
static const char CLASSED_TEXT[] =
    "a,b,class,w,part\n1,5,u,1,x\n2,3,v,2,x\n3,4,x,1,x\n4,1,u,1,x\n5,2,v,1,z\n6,6,x,3,x\n"
    "1.5,4.5,u,1,x\n2.5,3.5,v,1,z\n3.5,2,x,1,x\n4.5,1,u,2,z\n5.5,3,v,1,x\n6.5,5,x,1,z\n";
/* An id, a constant, twins of texts, and twins of numbers. */
static const char CHOOSY_TEXT[] = "id,k,t,u,a,b,y\n"
                                  "1,1,r,x,1,1,2\n2,1,s,z,2,2,2.5\n3,1,r,x,5,5,3\n"
                                  "4,1,s,z,3,3,4\n5,1,r,x,2,2,6\n6,1,s,z,7,7,5\n";
static rls2_table *table, *classed_table, *choosy_table, *many_table;
static double given[CLASSED * CLASSED];

static void add_curve(result *r, const rls2_cv *cv)
{
    for (int64_t i = 0; i < rls2_cv_count(cv); i++) {
        add_value(r, rls2_cv_at(cv, i)->cvm);
        add_values(r, rls2_cv_rows(cv) * rls2_cv_outputs(cv), rls2_cv_predictions(cv, i));
    }
}

static void add_fit(result *r, const rls2_fit *fit)
{
    add_curve(r, rls2_fit_cv(fit));
    add_value(r, (double)rls2_fit_chosen(fit));
    for (int64_t o = 0; o < rls2_fit_outputs(fit) && rls2_fit_count(fit) > 0; o++)
        add_values(r, rls2_dataset_rows(rls2_fit_data(fit)),
                   rls2_path_c(rls2_fit_path(fit, o), rls2_fit_count(fit) - 1));
}

/* Asked, completed and carried out. */
static rls2_status carry_out(const rls2_table *from, rls2_goal goal, const char *const *settings,
                             const double *matrix, rls2_plan **plan, rls2_fit **fit,
                             rls2_error *err)
{
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    rls2_status status = rls2_plan_create(goal, RLS2_VOICE_PLAIN, plan, err);
    for (; *settings && status == RLS2_OK; settings += 2)
        status = rls2_plan_set(*plan, settings[0], settings[1], err);
    if (status == RLS2_OK && matrix)
        status = rls2_plan_add_given(*plan, "K", rls2_table_rows(from), matrix, err);
    if (status == RLS2_OK) status = rls2_plan_complete(*plan, from, err);
    return status == RLS2_OK ? rls2_plan_fit(*plan, &control, fit, err) : status;
}

static rls2_status attempt_plan(const rls2_table *from, rls2_goal goal, const char *const *settings,
                                const double *matrix, result *r, rls2_error *err)
{
    rls2_plan *plan = NULL;
    rls2_fit *fit = NULL;
    rls2_status status;
    ARMED(status = carry_out(from, goal, settings, matrix, &plan, &fit, err));
    if (status == RLS2_OK) add_fit(r, fit);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    return status;
}

static rls2_status groups_and_texts(result *r, rls2_error *err)
{
    static const char *const SETTINGS[] = {
        "target", "y",     "kernels", "linear; rbf(1)@group:g", "group", "g=a,t",     "standardize",
        "true",   "folds", "3",       "lambda-count",           "3",     "baselines", "false",
        NULL};
    return attempt_plan(table, RLS2_GOAL_MODEL, SETTINGS, NULL, r, err);
}

/* Three classes, weights of both kinds, scalings of each class, baselines. */
static rls2_status classes(result *r, rls2_error *err)
{
    static const char *const SETTINGS[] = {
        "target",      "class",   "row-weights",      "w",       "class-weights",
        "balanced",    "kernels", "linear; spline@a", "scaling", "fisher",
        "fold-column", "part",    "lambda-count",     "3",       NULL};
    return attempt_plan(classed_table, RLS2_GOAL_CURVE, SETTINGS, NULL, r, err);
}

/* A matrix of the caller's; the kernels of each split are taken from those of all rows where there
 * is memory. */
static rls2_status columns_left_out(result *r, rls2_error *err)
{
    static const char *const settings[] = {"target", "y",   "kernels", "linear",
                                           "lambda", "0.5", NULL};
    return attempt_plan(choosy_table, RLS2_GOAL_PATH, settings, NULL, r, err);
}

static rls2_status matrices(result *r, rls2_error *err)
{
    static const char *const SETTINGS[] = {"target",
                                           "class",
                                           "row-weights",
                                           "w",
                                           "fold-column",
                                           "part",
                                           "kernels",
                                           "linear; given(K); rbf(0.1)@all",
                                           "lambda-count",
                                           "3",
                                           "baselines",
                                           "false",
                                           NULL};
    return attempt_plan(classed_table, RLS2_GOAL_ALL, SETTINGS, given, r, err);
}

/* The same with kernels that each split evaluates, and rows divided by rules. */
static rls2_status matrices_of_splits(result *r, rls2_error *err)
{
    static const char *const SETTINGS[] = {
        "target",  "a",        "target",    "b",       "drop",       "class",           "drop",
        "w",       "features", "center",    "lambdas", "1,0.1,0.01", "validation-rows", "part=z",
        "kernels", "given(K)", "baselines", "false",   NULL};
    return attempt_plan(classed_table, RLS2_GOAL_MODEL, SETTINGS, given, r, err);
}

/* Test rows drawn by class, that columns are measured over too; a criterion. */
static rls2_status test_rows(result *r, rls2_error *err)
{
    static const char *const SETTINGS[] = {"target",
                                           "class",
                                           "test-share",
                                           "0.4",
                                           "transductive-features",
                                           "true",
                                           "row-weights",
                                           "w",
                                           "drop",
                                           "part",
                                           "features",
                                           "standardize",
                                           "kernels",
                                           "linear; rbf(1)@all",
                                           "lambda-count",
                                           "2",
                                           "select",
                                           "gcv",
                                           NULL};
    return attempt_plan(classed_table, RLS2_GOAL_MODEL, SETTINGS, NULL, r, err);
}

/* Splits that take rows and kernels from all, and start from their path. */
static rls2_status many_rows(result *r, rls2_error *err)
{
    static const char *const SETTINGS[] = {
        "target", "y", "kernels", "poly(2)@a; linear@b", "lambdas", "1,0.1", "folds", "2", NULL};
    return attempt_plan(many_table, RLS2_GOAL_MODEL, SETTINGS, NULL, r, err);
}

/* Splits that know their rows by what these sum up to. */
static rls2_status many_linear_rows(result *r, rls2_error *err)
{
    static const char *const SETTINGS[] = {"target", "y",     "kernels", "linear", "lambdas",
                                           "1,0.1",  "folds", "2",       NULL};
    return attempt_plan(many_table, RLS2_GOAL_MODEL, SETTINGS, NULL, r, err);
}

/* Of a fit whose rows were counted: its paths are of other rows. */
static rls2_status attempt_tall(const char *const *settings, result *r, rls2_error *err)
{
    rls2_plan *plan = NULL;
    rls2_fit *fit = NULL;
    rls2_status status;
    ARMED(status = carry_out(many_table, RLS2_GOAL_MODEL, settings, NULL, &plan, &fit, err));
    if (status == RLS2_OK) {
        const rls2_model *model = rls2_fit_chosen_model(fit);
        int64_t n = rls2_dataset_rows(rls2_fit_data(fit));
        add_curve(r, rls2_fit_cv(fit));
        add_value(r, rls2_model_intercept(model));
        add_values(r, rls2_model_block_at(model, 0)->count, rls2_model_block_c(model, 0));
        double *f = calloc((size_t)n, sizeof *f);
        ARMED(status = rls2_fit_predict(fit, rls2_fit_chosen(fit), RLS2_PART_TRAINING, f, err));
        if (status == RLS2_OK) add_values(r, n, f);
        free(f);
    }
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    return status;
}

static rls2_status tall_axes(result *r, rls2_error *err)
{
    static const char *const SETTINGS[] = {"target",  "y",     "kernels", "poly(2)@a; linear@b",
                                           "lambdas", "1,0.1", "folds",   "2",
                                           "method",  "tall",  NULL};
    return attempt_tall(SETTINGS, r, err);
}

/* Several quantiles of one target, with intervals of the curve, */
static rls2_status quantiles(result *r, rls2_error *err)
{
    static const char *const SETTINGS[] = {
        "target",   "y",     "kernels", "linear", "loss",      "quantile(0.2,0.8)",
        "lambdas",  "1,0.1", "folds",   "2",      "baselines", "false",
        "interval", "0.5",   NULL};
    return attempt_plan(table, RLS2_GOAL_MODEL, SETTINGS, NULL, r, err);
}

/* and intervals of rows that are left out for them alone. */
static rls2_status intervals(result *r, rls2_error *err)
{
    static const char *const SETTINGS[] = {"target", "y", "kernels",  "linear", "lambda", "0.5",
                                           "folds",  "2", "interval", "0.5",    NULL};
    return attempt_plan(table, RLS2_GOAL_MODEL, SETTINGS, NULL, r, err);
}

/* A distance that the plan finds. */
static rls2_status huber(result *r, rls2_error *err)
{
    static const char *const SETTINGS[] = {"target", "y",    "kernels", "linear", "lambda",
                                           "0.5",    "loss", "huber",   NULL};
    return attempt_plan(table, RLS2_GOAL_MODEL, SETTINGS, NULL, r, err);
}

static rls2_status stack(result *r, rls2_error *err)
{
    static const char *const SETTINGS[] = {
        "target", "y",     "kernels", "rbf(0.1|1)@all", "lambdas", "1,0.1", "folds",
        "2",      "stack", "true",    "baselines",      "false",   NULL};
    return attempt_plan(table, RLS2_GOAL_MODEL, SETTINGS, NULL, r, err);
}

static rls2_status tall_landmarks(result *r, rls2_error *err)
{
    static const char *const SETTINGS[] = {"target", "y",   "kernels", "rbf(1)@each; rbf(1)@all",
                                           "lambda", "0.1", "method",  "tall",
                                           NULL};
    return attempt_tall(SETTINGS, r, err);
}

/* A second pass over the rows of a model that does not keep them. */
static rls2_status second_pass(result *r, rls2_error *err)
{
    static const char *const SETTINGS[] = {
        "target", "y", "kernels", "rbf(1)@each; linear@b", "lambda", "0.1", "method", "tall", NULL};
    rls2_plan *plan = NULL;
    rls2_fit *fit = NULL;
    rls2_certificate found = {0};
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    assert_int_equal(carry_out(many_table, RLS2_GOAL_MODEL, SETTINGS, NULL, &plan, &fit, NULL),
                     RLS2_OK);
    const rls2_dataset *data = rls2_fit_data(fit);
    const rls2_rows rows = {
        .n = rls2_dataset_rows(data), .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
    rls2_status status;
    ARMED(status = rls2_model_certify_rows(rls2_fit_chosen_model(fit), &rows, rls2_dataset_y(data),
                                           NULL, &control, &found, sizeof found, err));
    if (status == RLS2_OK) {
        add_value(r, found.primal);
        add_value(r, found.dual);
    }
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    return status;
}

static rls2_status predictions(result *r, rls2_error *err)
{
    static const char *const SETTINGS[] = {"target", "y", "lambda-count", "2", NULL};
    rls2_plan *plan = NULL;
    rls2_fit *fit = NULL;
    double f[2 * ROWS];
    assert_int_equal(carry_out(table, RLS2_GOAL_PATH, SETTINGS, NULL, &plan, &fit, NULL), RLS2_OK);
    rls2_status status;
    ARMED(status = rls2_fit_predict(fit, 1, RLS2_PART_TRAINING, f, err));
    if (status == RLS2_OK) add_values(r, ROWS, f);
    if (status == RLS2_OK) ARMED(status = rls2_fit_predict_path(fit, RLS2_PART_TRAINING, f, err));
    if (status == RLS2_OK) add_values(r, 2 * ROWS, f);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    return status;
}

static rls2_status retelling(result *r, rls2_error *err)
{
    rls2_plan *plan = NULL;
    char *text = UNTOUCHED;
    rls2_status status = rls2_plan_create(RLS2_GOAL_PATH, RLS2_VOICE_PLAIN, &plan, err);
    assert_int_equal(status, RLS2_OK);
    rls2_plan_set(plan, "kernels", "rbf(1)@\"a b\"", NULL);
    rls2_plan_set(plan, "class-weights", "a=1,b=2", NULL);
    ARMED(status = rls2_plan_retell(plan, RLS2_VOICE_PYTHON, 0, NULL, &text, err));
    if (status == RLS2_OK) {
        add_text(r, text);
        rls2_text_free(text);
    } else {
        assert_ptr_equal(text, UNTOUCHED);
    }
    rls2_plan_free(plan);
    return status;
}

/* a in five values, b in three: few rows are different. */
static rls2_status make_many(rls2_table **made)
{
    enum { MANY = 1000 };
    static double a[MANY], b[MANY], y[MANY];
    for (int i = 0; i < MANY; i++) {
        a[i] = i % 5;
        b[i] = i % 3;
        y[i] = a[i] * a[i] - b[i] + i % 7;
    }
    const rls2_column columns[] = {{.name = "a", .numbers = a, .stride = 1},
                                   {.name = "b", .numbers = b, .stride = 1},
                                   {.name = "y", .numbers = y, .stride = 1}};
    return rls2_table_create("many", MANY, 3, columns, made, NULL);
}

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < CLASSED; i++)
        for (int j = 0; j < CLASSED; j++)
            given[j * CLASSED + i] = i == j ? 2.0 : 1.0 / (1.0 + (i + j) % 2);
    return rls2_table_parse_csv("t.csv", TEXT, sizeof TEXT - 1, &table, NULL) != RLS2_OK ||
           make_many(&many_table) != RLS2_OK ||
           rls2_table_parse_csv("n.csv", CHOOSY_TEXT, sizeof CHOOSY_TEXT - 1, &choosy_table,
                                NULL) != RLS2_OK ||
           rls2_table_parse_csv("c.csv", CLASSED_TEXT, sizeof CLASSED_TEXT - 1, &classed_table,
                                NULL) != RLS2_OK;
}

static int tear_down(void **state)
{
    (void)state;
    rls2_table_free(table);
    rls2_table_free(classed_table);
    rls2_table_free(choosy_table);
    rls2_table_free(many_table);
    return 0;
}

/* TOLERANT: the solver keeps kernels dense only where there is memory for it, and a note for which
 * there is none is left out. */
static const sweep sweeps[] = {
    {"plan__groups_and_texts", groups_and_texts, TOLERANT},
    {"plan__classes_and_weights", classes, TOLERANT},
    {"plan__columns_left_out", columns_left_out, TOLERANT},
    {"plan__given_matrices_taken", matrices, TOLERANT},
    {"plan__given_matrices_of_several_targets", matrices_of_splits, TOLERANT},
    {"plan__test_rows_and_a_criterion", test_rows, TOLERANT},
    {"plan__many_rows", many_rows, TOLERANT},
    {"plan__many_linear_rows", many_linear_rows, TOLERANT},
    {"plan__tall_axes", tall_axes, TOLERANT},
    {"plan__tall_landmarks", tall_landmarks, TOLERANT},
    {"plan__quantiles", quantiles, TOLERANT},
    {"plan__intervals", intervals, TOLERANT},
    {"plan__huber", huber, TOLERANT},
    {"plan__stack", stack, TOLERANT},
    {"model_certify_rows__of_a_compact_model", second_pass, STRICT},
    {"fit_predict__a_model_made_and_attached", predictions, STRICT},
    {"plan_retell__as_python", retelling, STRICT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
