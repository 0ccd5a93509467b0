/* Fits the models, and compares two models in all they say. */
#include "support/saved_model.h"
#include "support/one_output.h"

#include <stdlib.h>
#include <string.h>

#define NUMBERS                                                                                    \
    "a,b,c,y\n1,2,3,1.5\n2,1,0,0.5\n0,1,1,2.25\n4,-1,2,3\n3,3,-1,-1\n-2,0.5,0,0.125\n1.5,2.5,1,"   \
    "1\n"                                                                                          \
    "0.25,-3,2,2\n5,1,-2,-2.5\n-1,-1,-1,0.75\n"
#define TEXTS                                                                                      \
    "size,colour,shape,kind\n1,red,round,yes\n2,blue,flat,no\n3,red,flat,yes\n4,green,round,"      \
    "no\n5,blue,"                                                                                  \
    "flat,"                                                                                        \
    "yes\n6,green,\"a,b\",no\n2.5,red,round,yes\n0.5,blue,\"a,b\",no\n"

#define FLOWERS                                                                                    \
    "long,wide,soil,kind,often\n1.4,0.2,dry,setosa,1\n1.3,0.3,dry,setosa,2\n4.7,1.4,wet,"          \
    "versicolor,1\n"                                                                               \
    "4.5,1.5,dry,versicolor,0.5\n6,2.5,wet,virginica,1\n5.1,1.9,wet,virginica,3\n1.5,0.1,wet,"     \
    "setosa,1\n"                                                                                   \
    "4,1.3,wet,versicolor,1\n5.9,2.1,dry,virginica,0.25\n"
#define GRADES                                                                                     \
    "u,v,w,often\n1,2,0,1\n2,1,1.0,2\n3,3,10,1\n0,1,0.0,3\n1,-1,1,1\n4,2,1e1,0.5\n2,2,10,1\n"

/* Empty cells, dates, separated thousands, and colours that only one row has. */
#define SALES                                                                                      \
    "day,price,colour,hours,y\n2001-01-31,\"1,200\",red,1,1\n2001-02-05,\"2,350\",red,,2\n"        \
    ",\"1,100\",blue,3,1.5\n2002-03-01,,blue,2.5,3\n2002-05-12,\"3,000\",,4,2.5\n"                 \
    "2001-07-04,900,pink,2,0.5\n2002-09-09,\"1,750\",grey,1.5,1.75\n2001-11-30,\"2,100\",red,3,"   \
    "2\n"

static const char *const TWO_TARGETS[] = {"wide", "long"};

const model_case MODEL_CASES[] = {
    {.name = "linear",
     .csv = NUMBERS,
     .target = "y",
     .spec = "linear",
     .lambda = 0.01,
     .classify = -1},
    {.name = "all kinds",
     .csv = NUMBERS,
     .target = "y",
     .spec =
         "linear; poly(2,offset=0)@all,each; rbf(0.1|1)@a+c,each; laplace(0.5)@all; matern(1.5)@b; "
         "spline; delta@a",
     .lambda = 1e-6,
     .classify = -1,
     .how = {RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE},
     .new_csv = "c,b,a\n0.5,1,2\n-3,2,100\n0,0,0\n"},
    {.name = "splines",
     .csv = NUMBERS,
     .target = "y",
     .spec = "spline",
     .lambda = 1e-4,
     .classify = -1,
     .how = {RLS2_NORMALIZE_UNIT, RLS2_NORMALIZE_CENTER}},
    {.name = "text",
     .csv = TEXTS,
     .target = "kind",
     .spec = "linear; rbf(0.3)@all; rbf(1)@colour*",
     .lambda = 1e-3,
     .classify = -1,
     .how = {RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_UNIT},
     .new_csv = "colour,size,shape\nred,2,round\ngreen,7,flat\n,1,flat\n"},
    {.name = "reference",
     .csv = TEXTS,
     .target = "kind",
     .spec = "linear",
     .lambda = 1e-2,
     .classify = -1,
     .reference = 1,
     .how = {RLS2_NORMALIZE_STANDARDIZE, RLS2_NORMALIZE_NONE}},
    {.name = "number labels",
     .csv = "u,v,w\n1,2,0\n2,1,1.0\n3,3,1\n0,1,0.0\n1,-1,1\n",
     .target = "w",
     .spec = "rbf(1)@all,each",
     .lambda = 0.1,
     .classify = 1,
     .alternate = 1},
    {.name = "given",
     .csv = NUMBERS,
     .target = "y",
     .spec = "given(g1); given(g0); linear@a",
     .lambda = 0.05,
     .classify = -1,
     .given = 2},
    {.name = "only given",
     .csv = "y\n1\n2\n0\n-1\n",
     .target = "y",
     .spec = "given(g0)",
     .lambda = 0.5,
     .classify = -1,
     .given = 1},
    {.name = "groups",
     .csv = NUMBERS,
     .target = "y",
     .spec = "rbf(0.2)@group:g; linear@group:g",
     .lambda = 0.01,
     .classify = -1,
     .groups = 1,
     .unattached = 1},
    {.name = "latin-1",
     .csv = "ort,\"q\"\"\\\",z\nK\xf6ln,2,3\nBonn,1,1\nK\xf6ln,5,2\n",
     .target = "z",
     .spec = "linear",
     .lambda = 0.1,
     .classify = -1},
    {.name = "three responses",
     .csv = NUMBERS,
     .target = "y",
     .spec = "linear@a,b; rbf(0.2)@c; spline@b; rbf(0.1)@all",
     .lambda = 0.3,
     .classify = -1,
     .responses = 3,
     .unattached = 1},
    {.name = "given for three",
     .csv = NUMBERS,
     .target = "y",
     .spec = "given(g1); linear@a,c; given(g0)",
     .lambda = 0.2,
     .classify = -1,
     .given = 2,
     .responses = 3,
     .unattached = 1},
    {.name = "three classes",
     .csv = FLOWERS,
     .target = "kind",
     .spec = "linear; rbf(0.5)@long,wide",
     .lambda = 0.05,
     .classify = -1,
     .how = {RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE},
     .new_csv = "wide,soil,long,often\n1,dry,2,1\n2,wet,6,2\n0,dry,0,1\n"},
    {.name = "number classes",
     .csv = GRADES,
     .target = "w",
     .spec = "rbf(1)@all,each; linear",
     .lambda = 0.1,
     .classify = 1,
     .weight = "often",
     .weighted = 1,
     .alternate = 1},
    {.name = "two targets",
     .csv = FLOWERS,
     .targets = TWO_TARGETS,
     .target_count = 2,
     .weight = "often",
     .weighted = 1,
     .spec = "given(g0); linear@soil*; rbf(1)@soil",
     .lambda = 1e-4,
     .classify = -1,
     .given = 1,
     .how = {RLS2_NORMALIZE_STANDARDIZE, RLS2_NORMALIZE_CENTER},
     .new_csv = "soil,kind\nwet,setosa\ndry,virginica\n"},
    {.name = "weights",
     .csv = FLOWERS,
     .target = "long",
     .weight = "often",
     .weighted = 1,
     .spec = "linear@wide; rbf(1)@all",
     .lambda = 0.02,
     .classify = -1,
     .how = {RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_UNIT}},
    {.name = "weight column not used",
     .csv = FLOWERS,
     .target = "long",
     .weight = "often",
     .spec = "linear",
     .lambda = 0.02,
     .classify = -1},
    {.name = "weights without a column",
     .csv = TEXTS,
     .target = "kind",
     .weighted = 1,
     .spec = "linear; rbf(1)@all",
     .lambda = 0.02,
     .classify = -1},
    {.name = "gaps",
     .csv = SALES,
     .target = "y",
     .spec = "linear; rbf(0.3)@all",
     .lambda = 1e-3,
     .classify = -1,
     .missing = RLS2_MISSING_IMPUTE,
     .rare = 2,
     .how = {RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE},
     .new_csv = "hours,colour,price,day\n,pink,\"1,000\",2001-02-03\n1,,,\n2,mauve,5,2003-01-01\n"},
    {.name = "logistic",
     .csv = TEXTS,
     .target = "kind",
     .spec = "linear; rbf(1)@all",
     .lambda = 0.02,
     .classify = -1,
     .loss = "logistic"},
    {.name = "quantile",
     .csv = NUMBERS,
     .target = "y",
     .spec = "linear; rbf(0.3)@all,each",
     .lambda = 0.05,
     .classify = -1,
     .weighted = 1,
     .loss = "quantile(0.30000000000000004)"},
    {.name = "square with a free intercept",
     .csv = NUMBERS,
     .target = "y",
     .spec = "rbf(0.3)@all,each",
     .lambda = 0.05,
     .classify = -1,
     .unattached = 1,
     .loss = "square"},
    {.name = "learned widths",
     .csv = NUMBERS,
     .target = "y",
     .spec = "rbf(learn|learn*8)@all; matern(2.5,learn)@a+c; linear",
     .lambda = 1e-3,
     .classify = -1,
     .new_csv = "c,b,a\n0.5,1,2\n-3,2,100\n0,0,0\n"},
    {.name = "learned widths of three classes",
     .csv = FLOWERS,
     .target = "kind",
     .spec = "rbf(learn*0.5)@all; rbf(0.5)@long,wide",
     .lambda = 0.05,
     .classify = -1,
     .weight = "often",
     .weighted = 1,
     .how = {RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE}},
    {.name = "three classes by margins",
     .csv = FLOWERS,
     .target = "kind",
     .spec = "linear; rbf(0.5)@long,wide",
     .lambda = 0.05,
     .classify = -1,
     .loss = "hinge"},
};
const int MODEL_CASE_COUNT = (int)(sizeof MODEL_CASES / sizeof MODEL_CASES[0]);

/* Inner products of the rows' numbers, 1 + those squared for the second: as good as any matrix. The
 * data set "only given" has no numbers and takes those of y. */
static double product(int which, const rls2_dataset *a, int64_t i, const rls2_dataset *b, int64_t j)
{
    int64_t p = rls2_dataset_columns(a);
    double sum = 0.0;
    for (int64_t t = 0; t < p; t++)
        sum += rls2_dataset_x(a)[t * rls2_dataset_rows(a) + i] *
               rls2_dataset_x(b)[t * rls2_dataset_rows(b) + j];
    if (p == 0) sum = rls2_dataset_y(a)[i] * rls2_dataset_y(b)[j];
    return which == 0 ? sum + 1.0 : (1.0 + sum) * (1.0 + sum);
}

static double *cross(int which, const rls2_dataset *a, const rls2_dataset *b)
{
    int64_t n = rls2_dataset_rows(a), m = rls2_dataset_rows(b);
    double *K = numbers(n * m);
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < n; i++) K[j * n + i] = product(which, a, i, b, j);
    return K;
}

void new_rows_make(const made_model *made, const rls2_dataset *data, new_rows *fresh)
{
    int64_t n = rls2_dataset_rows(data);
    *fresh =
        (new_rows){.rows = {.n = n, .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)}};
    for (int g = 0; g < 2; g++) {
        fresh->values[g] = cross(g, data, made->data);
        fresh->values[2 + g] = numbers(n);
        for (int64_t i = 0; i < n; i++) fresh->values[2 + g][i] = product(g, data, i, data, i);
        fresh->given[g] = fresh->values[g];
        fresh->diagonal[g] = fresh->values[2 + g];
    }
    fresh->rows.given_count = 2;
    fresh->rows.given = fresh->given;
    fresh->rows.given_diagonal = fresh->diagonal;
}

void new_rows_free(new_rows *fresh)
{
    for (int g = 0; g < 4; g++) free(fresh->values[g]);
}

const model_case *find_model_case(const char *name)
{
    for (int i = 0; i < MODEL_CASE_COUNT; i++)
        if (strcmp(MODEL_CASES[i].name, name) == 0) return &MODEL_CASES[i];
    fail_msg("no case %s", name);
    return NULL;
}

enum { MOST_OUTPUTS = 4 };

/* Response o: that of the data set, or the only one, its values moved by 3 o rows. */
static double *make_responses(const model_case *it, const rls2_dataset *data, int64_t *outputs)
{
    int64_t n = rls2_dataset_rows(data);
    *outputs = it->responses > 1 ? it->responses : rls2_dataset_outputs(data);
    double *y = numbers(n * *outputs);
    for (int64_t o = 0; o < *outputs; o++)
        for (int64_t i = 0; i < n; i++)
            y[o * n + i] = it->responses > 1 ? rls2_dataset_y(data)[(i + 3 * o) % n]
                                             : rls2_dataset_y(data)[o * n + i];
    return y;
}

static rls2_model *fit_model(const model_case *it, const rls2_basis *basis,
                             const rls2_dataset *data)
{
    rls2_path *paths[MOST_OUTPUTS] = {NULL};
    rls2_model *model = NULL;
    rls2_error err;
    int64_t outputs;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.degrees_of_freedom = it->given ? RLS2_DF_EACH : RLS2_DF_NONE;
    if (it->alternate) options.solver = RLS2_SOLVER_ALTERNATE;
    if (it->loss) {
        assert_ok(rls2_loss_parse(it->loss, &options.loss, &err), &err);
        options.intercept = RLS2_INTERCEPT_FREE;
    }
    double *y = make_responses(it, data, &outputs);
    assert_in_range(outputs, 1, MOST_OUTPUTS);
    for (int64_t o = 0; o < outputs; o++)
        assert_ok(fit_one(basis, y + o * rls2_dataset_rows(data), 1, &it->lambda, &options,
                          &paths[o], &err),
                  &err);
    assert_ok(rls2_model_create(outputs, (const rls2_path *const *)paths, 0, &model, &err), &err);
    for (int64_t o = 0; o < outputs; o++) rls2_path_free(paths[o]);
    free(y);
    return model;
}

/* NULL where rows have none. Release with free(). */
static double *make_weights(const model_case *it, const rls2_dataset *data)
{
    int64_t n = rls2_dataset_rows(data);
    double *w = it->weighted ? numbers(n) : NULL;
    for (int64_t i = 0; w && i < n; i++)
        w[i] = it->weight ? rls2_dataset_row_weights(data)[i] : (double)(1 + i % 3);
    return w;
}

made_model make_model(const model_case *it)
{
    static const char *const given_names[] = {"g0", "g1"};
    static const int64_t members[] = {0, 2};
    const rls2_group group = {"g", 2, members};
    made_model made = {0};
    new_rows train;
    rls2_error err;
    rls2_dictionary *dictionary = NULL, *learned = NULL;
    rls2_basis *basis = NULL;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = it->target;
    options.targets = it->targets;
    options.target_count = it->target_count;
    options.row_weights = it->weight;
    options.classify = it->classify;
    options.reference = it->reference;
    if (it->missing != RLS2_MISSING_ERROR) options.missing = it->missing;
    options.rare = it->rare;
    assert_ok(rls2_table_parse_csv(it->name, it->csv, (int64_t)strlen(it->csv), &made.table, &err),
              &err);
    assert_ok(rls2_dataset_create(made.table, &options, &made.data, &err), &err);
    assert_ok(rls2_dataset_preprocess(made.data, it->how.examples, it->how.features, NULL, &err),
              &err);
    rls2_columns columns = {.count = rls2_dataset_columns(made.data),
                            .names = rls2_dataset_names(made.data),
                            .group_count = it->groups,
                            .groups = &group,
                            .given_count = it->given,
                            .given_names = given_names};
    assert_ok(rls2_dictionary_create(it->spec, &columns, &dictionary, &err), &err);
    new_rows_make(&made, made.data, &train);
    rls2_basis_options basis_options;
    rls2_basis_options_init(&basis_options, sizeof basis_options);
    double *weights = make_weights(it, made.data);
    basis_options.skip_degenerate = 1;
    basis_options.row_weights = weights;
    assert_ok(rls2_dictionary_learn(dictionary, &train.rows, rls2_dataset_outputs(made.data),
                                    rls2_dataset_y(made.data), weights, NULL, &learned, &err),
              &err);
    assert_ok(rls2_basis_create(learned, &train.rows, &basis_options, NULL, &basis, &err), &err);
    made.model = fit_model(it, basis, made.data);
    if (!it->unattached) assert_ok(rls2_model_attach(made.model, made.data, &err), &err);
    free(weights);
    rls2_basis_free(basis);
    rls2_dictionary_free(learned);
    rls2_dictionary_free(dictionary);
    new_rows_free(&train);
    return made;
}

void free_model(made_model *made)
{
    rls2_model_free(made->model);
    rls2_dataset_free(made->data);
    rls2_table_free(made->table);
}

/* ---- comparing ---- */

static void assert_same_text(const char *a, const char *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a) assert_string_equal(a, b);
}

static void assert_same_bits(int64_t count, const double *a, const double *b)
{
    assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

/* Or NULL both. */
static void assert_same_values(int64_t count, const double *a, const double *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a) assert_same_bits(count, a, b);
}

/* Or NaN both. */
static void assert_same_number(double a, double b)
{
    assert_true(a == b || (a != a && b != b));
}

static void assert_same_point(const rls2_path_point *a, const rls2_path_point *b)
{
    const double u[] = {a->lambda, a->objective, a->gap, a->residual},
                 v[] = {b->lambda, b->objective, b->gap, b->residual};
    assert_same_bits(4, u, v);
    assert_same_number(a->df, b->df);
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->iterations, b->iterations);
    assert_int_equal(a->factorizations, b->factorizations);
    assert_int_equal(a->priced, b->priced);
    assert_int_equal(a->offered, b->offered);
    assert_int_equal(a->selected, b->selected);
}

static void assert_same_origin(const rls2_model *a, const rls2_model *b)
{
    assert_same_text(rls2_model_target(a), rls2_model_target(b));
    assert_int_equal(rls2_model_is_classification(a), rls2_model_is_classification(b));
    assert_int_equal(rls2_model_class_count(a), rls2_model_class_count(b));
    for (int64_t k = 0; k < rls2_model_class_count(a); k++)
        assert_same_text(rls2_model_class_label(a, k), rls2_model_class_label(b, k));
    assert_int_equal(rls2_model_outputs(a), rls2_model_outputs(b));
    for (int64_t o = -1; o <= rls2_model_outputs(a); o++)
        assert_same_text(rls2_model_output_name(a, o), rls2_model_output_name(b, o));
    assert_true(rls2_model_fingerprint(a) == rls2_model_fingerprint(b));
    assert_int_equal(rls2_model_example_rule(a), rls2_model_example_rule(b));
    assert_int_equal(rls2_model_missing(a), rls2_model_missing(b));
    assert_int_equal(rls2_model_feature_rule(a), rls2_model_feature_rule(b));
    assert_int_equal(rls2_model_input_count(a), rls2_model_input_count(b));
    for (int64_t k = 0; k < rls2_model_input_count(a); k++)
        assert_same_text(rls2_model_input_name(a, k), rls2_model_input_name(b, k));
    for (int64_t k = 0; k < rls2_model_input_count(a); k++)
        assert_int_equal(rls2_model_input_kind(a, k), rls2_model_input_kind(b, k));
    for (int64_t j = -1; j <= rls2_model_columns(a); j++)
        assert_int_equal(rls2_model_input_of(a, j), rls2_model_input_of(b, j));
}

static void assert_same_self(const rls2_model *a, const rls2_model *b)
{
    int64_t m = rls2_dictionary_count(rls2_model_dictionary(a));
    assert_int_equal(rls2_model_kernel_count(a), rls2_model_kernel_count(b));
    assert_int_equal(rls2_model_rows(a), rls2_model_rows(b));
    assert_int_equal(rls2_model_columns(a), rls2_model_columns(b));
    assert_int_equal(m, rls2_dictionary_count(rls2_model_dictionary(b)));
    assert_same_text(rls2_model_spec(a), rls2_model_spec(b));
    assert_same_values(m, rls2_model_scales(a), rls2_model_scales(b));
    assert_same_values(rls2_model_rows(a), rls2_model_c(a), rls2_model_c(b));
    assert_same_values(rls2_model_rows(a), rls2_model_row_weights(a), rls2_model_row_weights(b));
    assert_int_equal(rls2_model_solver(a), rls2_model_solver(b));
    assert_int_equal(rls2_model_loss(a).kind, rls2_model_loss(b).kind);
    assert_true(rls2_model_loss(a).parameter == rls2_model_loss(b).parameter);
    assert_int_equal(rls2_model_intercept_is_free(a), rls2_model_intercept_is_free(b));
    assert_int_equal(rls2_model_shares_weights(a), rls2_model_shares_weights(b));
    assert_int_equal(rls2_model_scaling_rule(a)->rule, rls2_model_scaling_rule(b)->rule);
    assert_int_equal(rls2_model_scaling_rule(a)->skip_degenerate,
                     rls2_model_scaling_rule(b)->skip_degenerate);
    assert_same_number(rls2_model_intercept(a), rls2_model_intercept(b));
    assert_same_point(rls2_model_point(a), rls2_model_point(b));
    for (int64_t k = 0; k < m; k++)
        assert_same_text(rls2_dictionary_name(rls2_model_dictionary(a), k),
                         rls2_dictionary_name(rls2_model_dictionary(b), k));
    for (int64_t k = 0; k < rls2_model_kernel_count(a); k++) {
        assert_int_equal(rls2_model_kernel_index(a, k), rls2_model_kernel_index(b, k));
        assert_true(rls2_model_kernel_weight(a, k) == rls2_model_kernel_weight(b, k));
        assert_same_number(rls2_model_scale(a, k), rls2_model_scale(b, k));
        assert_same_number(rls2_model_w(a, k), rls2_model_w(b, k));
    }
    for (int64_t j = 0; j < rls2_model_columns(a); j++)
        assert_same_text(rls2_model_column_names(a)[j], rls2_model_column_names(b)[j]);
    assert_int_equal(rls2_model_given_count(a), rls2_model_given_count(b));
    for (int64_t g = 0; g < rls2_model_given_count(a); g++)
        assert_same_text(rls2_model_given_name(a, g), rls2_model_given_name(b, g));
    assert_same_origin(a, b);
}

/* What only one output can say. */
static void assert_same_words(const rls2_model *a, const rls2_model *b, const rls2_rows *rows)
{
    int64_t size = rls2_model_kernel_count(a), n = rls2_model_rows(a);
    double *u = numbers(rows->n * size + n), *v = numbers(rows->n * size + n), df[2];
    rls2_error err;
    int square = !rls2_model_intercept_is_free(a);
    if (square) {
        assert_ok(rls2_model_variance(a, rows, u, &err), &err);
        assert_ok(rls2_model_variance(b, rows, v, &err), &err);
        assert_same_bits(rows->n, u, v);
        assert_ok(rls2_model_degrees_of_freedom(a, &df[0], &err), &err);
        assert_ok(rls2_model_degrees_of_freedom(b, &df[1], &err), &err);
        assert_true(df[0] == df[1]);
    } else {
        assert_int_equal(rls2_model_variance(b, rows, v, &err), RLS2_ERR_ARGUMENT);
    }
    assert_ok(rls2_model_contributions(a, rows, NULL, u, &err), &err);
    assert_ok(rls2_model_contributions(b, rows, NULL, v, &err), &err);
    assert_same_bits(rows->n * size, u, v);
    assert_ok(rls2_model_shares(a, NULL, u, u + size, &err), &err);
    assert_ok(rls2_model_shares(b, NULL, v, v + size, &err), &err);
    assert_same_bits(size + n, u, v);
    free(u);
    free(v);
}

static void assert_same_answers(const rls2_model *a, const rls2_model *b, const rls2_rows *rows)
{
    int64_t outputs = rls2_model_outputs(a);
    double *u = numbers(rows->n * outputs), *v = numbers(rows->n * outputs);
    rls2_error err;
    assert_ok(rls2_model_predict(a, rows, NULL, u, &err), &err);
    assert_ok(rls2_model_predict(b, rows, NULL, v, &err), &err);
    assert_same_bits(rows->n * outputs, u, v);
    for (int64_t o = 0; o < outputs; o++)
        assert_same_words(rls2_model_output(a, o), rls2_model_output(b, o), rows);
    free(u);
    free(v);
}

static void assert_same_encoding(const model_case *it, const made_model *made,
                                 const rls2_model *other)
{
    const char *csv = it->new_csv ? it->new_csv : it->csv;
    rls2_table *table = NULL;
    rls2_dataset *a = NULL, *b = NULL;
    rls2_error err;
    new_rows fresh;
    assert_ok(rls2_table_parse_csv("new", csv, (int64_t)strlen(csv), &table, &err), &err);
    assert_ok(rls2_model_encode(made->model, table, RLS2_MISSING_AS_TRAINED, RLS2_RESPONSE_READ, &a,
                                &err),
              &err);
    assert_ok(
        rls2_model_encode(other, table, RLS2_MISSING_AS_TRAINED, RLS2_RESPONSE_READ, &b, &err),
        &err);
    assert_int_equal(rls2_dataset_rows(a), rls2_dataset_rows(b));
    assert_int_equal(rls2_dataset_imputed(a), rls2_dataset_imputed(b));
    assert_int_equal(rls2_dataset_unseen(a), rls2_dataset_unseen(b));
    assert_same_bits(rls2_dataset_rows(a) * rls2_dataset_columns(a), rls2_dataset_x(a),
                     rls2_dataset_x(b));
    assert_same_values(rls2_dataset_rows(a) * rls2_dataset_outputs(a), rls2_dataset_y(a),
                       rls2_dataset_y(b));
    assert_same_values(rls2_dataset_rows(a), rls2_dataset_row_weights(a),
                       rls2_dataset_row_weights(b));
    assert_int_equal(rls2_dataset_means(a) == NULL, rls2_dataset_means(b) == NULL);
    if (rls2_dataset_means(a)) {
        assert_same_bits(rls2_dataset_columns(a), rls2_dataset_means(a), rls2_dataset_means(b));
        assert_same_bits(rls2_dataset_columns(a), rls2_dataset_deviations(a),
                         rls2_dataset_deviations(b));
    }
    if (rls2_dataset_columns(a) > 0 || rls2_dataset_y(a)) {
        new_rows_make(made, a, &fresh);
        assert_same_answers(made->model, other, &fresh.rows);
        new_rows_free(&fresh);
    }
    rls2_dataset_free(a);
    rls2_dataset_free(b);
    rls2_table_free(table);
}

void assert_same_model(const model_case *it, const made_model *made, const rls2_model *other)
{
    new_rows train;
    assert_same_self(made->model, other);
    for (int64_t o = 0; o < rls2_model_outputs(other); o++)
        assert_same_self(rls2_model_output(made->model, o), rls2_model_output(other, o));
    new_rows_make(made, made->data, &train);
    assert_same_answers(made->model, other, &train.rows);
    new_rows_free(&train);
    if (!it->unattached) assert_same_encoding(it, made, other);
}
