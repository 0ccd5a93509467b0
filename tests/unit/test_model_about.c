/* What a model tells of itself; blocks of rows; shares; the certificate; attaching. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/saved_model.h"
#include "support/one_output.h"
#include "support/standardize.h"

static rls2_table *parse(const char *csv)
{
    rls2_table *table = NULL;
    rls2_error err;
    assert_ok(rls2_table_parse_csv("t.csv", csv, (int64_t)strlen(csv), &table, &err), &err);
    return table;
}

static void assert_message(const rls2_error *err, const char *part)
{
    if (!strstr(err->message, part)) fail_msg("'%s' is not in '%s'", part, err->message);
}

/* ---- accessors ---- */

static void model__made_from_a_path__tells_what_it_was_made_from(void **state)
{
    (void)state;
    made_model made = make_model(find_model_case("text"));
    const rls2_model *model = made.model;
    const int64_t *columns = NULL;
    assert_string_equal(rls2_model_spec(model), find_model_case("text")->spec);
    assert_int_equal(rls2_dictionary_count(rls2_model_dictionary(model)), 9);
    assert_true(rls2_model_point(model)->lambda == rls2_model_lambda(model));
    assert_int_equal(rls2_model_point(model)->selected, rls2_model_kernel_count(model));
    assert_int_equal(rls2_model_scaling_rule(model)->rule, RLS2_SCALING_TRACE);
    assert_int_equal(rls2_model_scaling_rule(model)->skip_degenerate, 1);
    assert_int_equal(rls2_model_scaling_rule(model)->transductive, 0);
    assert_int_equal(rls2_model_solver(model), RLS2_SOLVER_NEWTON);
    assert_string_equal(rls2_model_column_names(model)[1], "colour=red");
    assert_int_equal(rls2_model_given_count(model), 0);
    assert_null(rls2_model_given_name(model, 0));
    for (int64_t k = 0; k < rls2_model_kernel_count(model); k++) {
        int64_t index = rls2_model_kernel_index(model, k);
        assert_string_equal(rls2_model_kernel_name(model, k),
                            rls2_dictionary_name(rls2_model_dictionary(model), index));
        assert_true(rls2_model_scale(model, k) == rls2_model_scales(model)[index]);
        int64_t count = rls2_model_kernel_columns(model, k, &columns);
        if (index < 7) assert_int_equal(count, 1);
        if (index < 7) assert_int_equal(columns[0], index);
        if (index == 7) assert_int_equal(count, 7);
        if (index == 8) assert_int_equal(count, 3);
        if (index == 8) assert_int_equal(columns[0], 1);
    }
    assert_int_equal(rls2_model_kernel_index(model, -1), -1);
    assert_int_equal(rls2_model_kernel_index(model, rls2_model_kernel_count(model)), -1);
    assert_int_equal(rls2_model_kernel_columns(model, -1, &columns), 0);
    assert_null(columns);
    free_model(&made);
}

static void model__attached__tells_inputs_and_labels(void **state)
{
    (void)state;
    made_model made = make_model(find_model_case("text"));
    const rls2_model *model = made.model;
    static const int64_t inputs[] = {-1, 0, 1, 1, 1, 2, 2, 2, -1};
    assert_string_equal(rls2_model_target(model), "kind");
    assert_true(rls2_model_is_classification(model));
    assert_string_equal(rls2_model_class_label(model, 0), "no");
    assert_string_equal(rls2_model_class_label(model, 1), "yes");
    assert_null(rls2_model_class_label(model, 2));
    assert_true(rls2_model_fingerprint(model) == rls2_dataset_fingerprint(made.data));
    assert_int_equal(rls2_model_feature_rule(model), RLS2_NORMALIZE_UNIT);
    assert_int_equal(rls2_model_missing(model), RLS2_MISSING_DROP);
    assert_int_equal(rls2_model_input_count(model), 3);
    assert_string_equal(rls2_model_input_name(model, 1), "colour");
    assert_null(rls2_model_input_name(model, 3));
    for (int64_t j = -1; j <= 7; j++)
        assert_int_equal(rls2_model_input_of(model, j), inputs[j + 1]);
    int64_t first = -1;
    assert_int_equal(rls2_model_input_kind(model, 0), RLS2_COLUMN_NUMBERS);
    assert_int_equal(rls2_model_input_kind(model, 1), RLS2_COLUMN_TEXT);
    assert_int_equal(rls2_model_input_columns(model, 1, &first), 3);
    assert_int_equal(first, 1);
    assert_int_equal(rls2_model_input_columns(model, 2, NULL), 3);
    assert_int_equal(rls2_model_input_columns(model, 3, &first), 0);
    assert_true(isnan(rls2_model_target_value(model, 0, made.table, 0, 0))); /* classes */
    free_model(&made);
}

static void model_target_value__numbers__are_those_of_the_column(void **state)
{
    (void)state;
    made_model made = make_model(find_model_case("linear"));
    int64_t column = rls2_table_find(made.table, "y");
    assert_true(rls2_model_target_value(made.model, 0, made.table, 2, column) == 2.25);
    assert_true(isnan(rls2_model_target_value(made.model, 1, made.table, 2, column)));
    assert_true(isnan(rls2_model_target_value(made.model, 0, made.table, -1, column)));
    assert_true(isnan(rls2_model_target_value(made.model, 0, made.table, 2, column + 1)));
    assert_true(isnan(rls2_model_target_value(made.model, 0, NULL, 2, column)));
    assert_true(isnan(rls2_model_target_value(NULL, 0, made.table, 2, column)));
    free_model(&made);
}

static void model__not_attached__knows_nothing_of_tables(void **state)
{
    (void)state;
    made_model made = make_model(find_model_case("groups"));
    rls2_dataset *data = NULL;
    rls2_error err;
    assert_null(rls2_model_target(made.model));
    assert_false(rls2_model_is_classification(made.model));
    assert_null(rls2_model_class_label(made.model, 1));
    assert_true(rls2_model_fingerprint(made.model) == 0);
    assert_int_equal(rls2_model_feature_rule(made.model), RLS2_NORMALIZE_NONE);
    assert_int_equal(rls2_model_input_count(made.model), 3);
    assert_string_equal(rls2_model_input_name(made.model, 2), "c");
    assert_int_equal(rls2_model_input_of(made.model, 2), 2);
    int64_t first = -1;
    assert_int_equal(rls2_model_input_kind(made.model, 2), RLS2_COLUMN_NUMBERS);
    assert_int_equal(rls2_model_input_columns(made.model, 2, &first), 1);
    assert_int_equal(first, 2);
    assert_int_equal(rls2_model_encode(made.model, made.table, RLS2_MISSING_AS_TRAINED,
                                       RLS2_RESPONSE_READ, &data, &err),
                     RLS2_ERR_ARGUMENT);
    assert_message(&err, "not attached");
    free_model(&made);
}

static void model__null__answers_nothing(void **state)
{
    (void)state;
    assert_null(rls2_model_point(NULL));
    assert_null(rls2_model_dictionary(NULL));
    assert_null(rls2_model_spec(NULL));
    assert_null(rls2_model_scales(NULL));
    assert_null(rls2_model_column_names(NULL));
    assert_null(rls2_model_target(NULL));
    assert_int_equal(rls2_model_kernel_index(NULL, 0), -1);
    assert_int_equal(rls2_model_given_count(NULL), 0);
    assert_null(rls2_model_given_name(NULL, 0));
    assert_int_equal(rls2_model_input_count(NULL), 0);
    assert_null(rls2_model_input_name(NULL, 0));
    assert_int_equal(rls2_model_input_of(NULL, 0), -1);
    assert_int_equal(rls2_model_input_kind(NULL, 0), RLS2_COLUMN_NUMBERS);
    assert_int_equal(rls2_model_input_columns(NULL, 0, NULL), 0);
    assert_null(rls2_model_scaling_rule(NULL));
    assert_int_equal(rls2_model_solver(NULL), RLS2_SOLVER_NEWTON);
}

static void model_functions__null_arguments__are_refused(void **state)
{
    (void)state;
    made_model made = make_model(find_model_case("linear"));
    rls2_model *model = made.model, *other = NULL;
    rls2_dataset *data = NULL;
    rls2_certificate certificate;
    void *bytes;
    int64_t length;
    double share[8];
    assert_int_equal(rls2_model_attach(NULL, made.data, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_attach(model, NULL, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_encode(NULL, made.table, RLS2_MISSING_AS_TRAINED,
                                       RLS2_RESPONSE_READ, &data, NULL),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(
        rls2_model_encode(model, NULL, RLS2_MISSING_AS_TRAINED, RLS2_RESPONSE_READ, &data, NULL),
        RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_encode(model, made.table, RLS2_MISSING_AS_TRAINED,
                                       RLS2_RESPONSE_READ, NULL, NULL),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(
        rls2_model_encode(model, made.table, (rls2_missing)3, RLS2_RESPONSE_READ, &data, NULL),
        RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_pack(NULL, &bytes, &length, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_pack(model, NULL, &length, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_pack(model, &bytes, NULL, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_unpack(NULL, "", 0, &other, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_unpack("m", NULL, 0, &other, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_unpack("m", "", -1, &other, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_unpack("m", "", 0, NULL, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_save(NULL, "m", NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_save(model, NULL, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_load(NULL, &other, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_load("m", NULL, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_shares(NULL, NULL, share, NULL, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_shares(model, NULL, NULL, NULL, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_certify(NULL, NULL, share, &certificate, sizeof certificate, NULL),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_certify(model, NULL, share, &certificate, sizeof certificate, NULL),
                     RLS2_ERR_ARGUMENT);
    free_model(&made);
}

/* ---- attaching and encoding ---- */

static void model_attach__other_columns__are_refused(void **state)
{
    (void)state;
    made_model made = make_model(find_model_case("linear"));
    static const char *const tables[] = {"a,b,y\n1,2,3\n2,1,1\n", "a,b,d,y\n1,2,3,4\n2,1,1,0\n"};
    static const char *const messages[] = {"2 columns and the model 3",
                                           "column 3 is 'd' in the data set and 'c'"};
    for (int t = 0; t < 2; t++) {
        rls2_table *table = parse(tables[t]);
        rls2_dataset *data = NULL;
        rls2_dataset_options options;
        rls2_dataset_options_init(&options, sizeof options);
        rls2_error err;
        options.target = "y";
        assert_ok(rls2_dataset_create(table, &options, &data, &err), &err);
        assert_int_equal(rls2_model_attach(made.model, data, &err), RLS2_ERR_ARGUMENT);
        assert_message(&err, messages[t]);
        rls2_dataset_free(data);
        rls2_table_free(table);
    }
    free_model(&made);
}

static void model_encode__rows_with_an_empty_cell__are_left_out_or_refused_as_asked(void **state)
{
    (void)state;
    made_model made = make_model(find_model_case("linear"));
    rls2_table *table = parse("a,b,c\n1,2,3\n,1,1\n2,2,2\n");
    rls2_dataset *data = NULL;
    rls2_error err;
    rls2_dataset_free(made.data); /* the model stands alone */
    made.data = NULL;
    for (int missing = -1; missing <= 1; missing += 2) {
        assert_ok(rls2_model_encode(made.model, table, missing, RLS2_RESPONSE_READ, &data, &err),
                  &err);
        assert_int_equal(rls2_dataset_rows(data), 2);
        assert_int_equal(rls2_dataset_dropped(data), 1);
        rls2_dataset_free(data);
    }
    assert_int_equal(
        rls2_model_encode(made.model, table, RLS2_MISSING_ERROR, RLS2_RESPONSE_READ, &data, &err),
        RLS2_ERR_VALUE);
    assert_message(&err, "t.csv:3: column 'a': the cell is empty");
    rls2_table_free(table);
    free_model(&made);
}

/* b is a column that no selected kernel uses. */
static void model_encode__new_rows__need_only_the_inputs_in_use(void **state)
{
    (void)state;
    rls2_error err;
    rls2_table *table = parse("a,b,t,y\n1,5,u,1\n2,1,v,2\n3,4,u,3\n4,2,v,4.5\n");
    rls2_table *narrow = parse("a\n2.5\n"), *whole = parse("y,b,a,t\n,oops,2.5,w\n");
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    rls2_dataset *data = NULL, *fresh = NULL, *empty = NULL;
    options.target = "y";
    assert_ok(rls2_dataset_create(table, &options, &data, &err), &err);
    standardize(data);
    rls2_columns columns = {.count = 4, .names = rls2_dataset_names(data)};
    rls2_rows rows = {.n = 4, .p = 4, .x = rls2_dataset_x(data)};
    const double lambda = 0.1;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path;
    rls2_model *model;
    assert_ok(rls2_dictionary_create("linear@a; rbf(1)@a", &columns, &dictionary, &err), &err);
    assert_ok(rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err), &err);
    assert_ok(fit_one(basis, rls2_dataset_y(data), 1, &lambda, NULL, &path, &err), &err);
    assert_ok(model_of_one(path, 0, &model, &err), &err);
    assert_ok(rls2_model_attach(model, data, &err), &err);

    double f[2];
    const rls2_table *const tables[] = {narrow, whole};
    for (int t = 0; t < 2; t++) {
        assert_ok(rls2_model_encode(model, tables[t], RLS2_MISSING_AS_TRAINED,
                                    RLS2_RESPONSE_IGNORED, &fresh, &err),
                  &err);
        rls2_rows one = {.n = 1, .p = 4, .x = rls2_dataset_x(fresh)};
        assert_int_equal(rls2_dataset_rows(fresh), 1);
        for (int64_t j = 1; j < 4; j++) assert_true(one.x[j] == 0.0);
        assert_null(rls2_dataset_y(fresh));
        assert_ok(rls2_model_predict(model, &one, NULL, &f[t], &err), &err);
        rls2_dataset_free(fresh);
    }
    assert_true(f[0] == f[1]);
    /* with the target, everything counts */
    assert_int_equal(
        rls2_model_encode(model, narrow, RLS2_MISSING_AS_TRAINED, RLS2_RESPONSE_READ, &fresh, &err),
        RLS2_ERR_NAME);
    /* no row may be left */
    rls2_table *holes = parse("a\n\n");
    assert_ok(
        rls2_model_encode(model, holes, RLS2_MISSING_DROP, RLS2_RESPONSE_IGNORED, &empty, &err),
        &err);
    assert_int_equal(rls2_dataset_rows(empty), 0);
    assert_int_equal(standardize(empty), RLS2_ERR_ARGUMENT);
    assert_int_equal(
        rls2_dataset_preprocess(empty, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_NONE, NULL, &err),
        RLS2_ERR_ARGUMENT);
    rls2_dataset_free(empty);
    rls2_table_free(holes);
    rls2_model_free(model);
    rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    rls2_dataset_free(data);
    rls2_table_free(table);
    rls2_table_free(narrow);
    rls2_table_free(whole);
}

static void model_factorize__variances_after_it__have_the_same_bits(void **state)
{
    (void)state;
    rls2_error err;
    made_model made = make_model(find_model_case("all kinds"));
    int64_t n = rls2_dataset_rows(made.data), p = rls2_dataset_columns(made.data);
    rls2_rows rows = {.n = n, .p = p, .x = rls2_dataset_x(made.data)};
    double *before = numbers(n), *after = numbers(n);
    assert_ok(rls2_model_variance(made.model, &rows, before, &err), &err);
    for (int twice = 0; twice < 2; twice++) {
        assert_ok(rls2_model_factorize(made.model, &err), &err);
        assert_ok(rls2_model_variance(made.model, &rows, after, &err), &err);
        assert_memory_equal(before, after, (size_t)n * sizeof *before);
    }
    assert_int_equal(rls2_model_factorize(NULL, &err), RLS2_ERR_ARGUMENT);
    free(before);
    free(after);
    free_model(&made);
}

/* ---- blocks ---- */

/* Many rows at once, enough for several threads, and each alone: more than a block has, and a last
 * block that is not full. */
static void model_functions__rows_in_any_company__have_the_same_bits(void **state)
{
    (void)state;
    enum { ROWS = 60003, P = 3 };
    static const char *const names[] = {"all kinds", "given"};
    rls2__random random;
    rls2__random_seed(&random, 11);
    for (int c = 0; c < 2; c++) {
        made_model made = make_model(find_model_case(names[c]));
        int64_t n = rls2_model_rows(made.model), size = rls2_model_kernel_count(made.model);
        double *x = numbers(ROWS * P), *K = numbers(ROWS * n), *diagonal = numbers(ROWS);
        double *f = numbers(ROWS), *variance = numbers(ROWS), *parts = numbers(ROWS * size);
        double row[P], *k = numbers(n), value, *part = numbers(size);
        const double *given[2] = {K, K}, *diagonals[2] = {diagonal, diagonal},
                     *one_given[2] = {k, k};
        rls2_error err;
        for (int64_t i = 0; i < ROWS * P; i++) x[i] = rls2__random_normal(&random);
        for (int64_t i = 0; i < ROWS * n; i++) K[i] = rls2__random_normal(&random);
        for (int64_t i = 0; i < ROWS; i++) diagonal[i] = 10.0 + rls2__random_uniform(&random);
        rls2_rows rows = {.n = ROWS,
                          .p = P,
                          .x = x,
                          .given_count = 2,
                          .given = given,
                          .given_diagonal = diagonals};
        assert_ok(rls2_model_predict(made.model, &rows, NULL, f, &err), &err);
        assert_ok(rls2_model_variance(made.model, &rows, variance, &err), &err);
        assert_ok(rls2_model_contributions(made.model, &rows, NULL, parts, &err), &err);
        for (int64_t i = 0; i < ROWS; i += 1 + i % 701) {
            const double *one_diagonal[2] = {diagonal + i, diagonal + i};
            rls2_rows one = {.n = 1,
                             .p = P,
                             .x = row,
                             .given_count = 2,
                             .given = one_given,
                             .given_diagonal = one_diagonal};
            for (int64_t j = 0; j < P; j++) row[j] = x[j * ROWS + i];
            for (int64_t j = 0; j < n; j++) k[j] = K[j * ROWS + i];
            assert_ok(rls2_model_predict(made.model, &one, NULL, &value, &err), &err);
            assert_true(value == f[i]);
            assert_ok(rls2_model_variance(made.model, &one, &value, &err), &err);
            assert_true(value == variance[i]);
            assert_ok(rls2_model_contributions(made.model, &one, NULL, part, &err), &err);
            for (int64_t t = 0; t < size; t++) assert_true(part[t] == parts[t * ROWS + i]);
        }
        double *all[] = {x, K, diagonal, f, variance, parts, k, part};
        for (int i = 0; i < 8; i++) free(all[i]);
        free_model(&made);
    }
}

/* ---- shares and the certificate ---- */

/* Rows count by their weights. */
static void check_shares(const rls2_model *model, const rls2_rows *train)
{
    int64_t n = rls2_model_rows(model), size = rls2_model_kernel_count(model);
    double *share = numbers(size), *f = numbers(n), *parts = numbers(n * size), *plain = numbers(n);
    const double *w = rls2_model_row_weights(model);
    rls2_error err;
    assert_ok(rls2_model_shares(model, NULL, share, f, &err), &err);
    assert_ok(rls2_model_contributions(model, train, NULL, parts, &err), &err);
    assert_ok(rls2_model_predict(model, train, NULL, plain, &err), &err);
    assert_memory_equal(f, plain, (size_t)n * sizeof *f);
    long double mean = 0.0L, variance = 0.0L, total = 0.0L, rows = 0.0L;
    for (int64_t i = 0; i < n; i++) rows += w ? w[i] : 1.0;
    for (int64_t i = 0; i < n; i++) mean += (w ? w[i] : 1.0) * f[i] / rows;
    for (int64_t i = 0; i < n; i++) variance += (w ? w[i] : 1.0) * (f[i] - mean) * (f[i] - mean);
    for (int64_t k = 0; k < size; k++) {
        long double covariance = 0.0L;
        for (int64_t i = 0; i < n; i++)
            covariance += (w ? w[i] : 1.0) * parts[k * n + i] * (f[i] - mean);
        assert_true(fabsl(covariance / variance - share[k]) < 1e-9L);
        total += share[k];
    }
    assert_true(fabsl(total - 1.0L) < 1e-12L);
    free(share), free(f), free(parts), free(plain);
}

static void model_shares__any_model__sum_to_one_and_are_covariances(void **state)
{
    (void)state;
    for (int c = 0; c < MODEL_CASE_COUNT; c++) {
        made_model made = make_model(&MODEL_CASES[c]);
        new_rows train;
        new_rows_make(&made, made.data, &train);
        for (int64_t o = 0; o < rls2_model_outputs(made.model); o++)
            check_shares(rls2_model_output(made.model, o), &train.rows);
        new_rows_free(&train);
        free_model(&made);
    }
}

static void model_shares__constant_answer__are_zero(void **state)
{
    (void)state;
    const model_case constant = {.name = "constant",
                                 .csv = "a,b,y\n1,2,5\n2,1,5\n3,3,5\n",
                                 .target = "y",
                                 .spec = "linear",
                                 .lambda = 1.0,
                                 .classify = -1};
    made_model made = make_model(&constant);
    double share[2] = {7.0, 7.0}, f[3];
    rls2_error err;
    assert_ok(rls2_model_shares(made.model, NULL, share, f, &err), &err);
    for (int64_t k = 0; k < rls2_model_kernel_count(made.model); k++) assert_true(share[k] == 0.0);
    assert_true(f[0] == 5.0 && f[1] == 5.0 && f[2] == 5.0);
    free_model(&made);
}

static void model_certify__training_rows__proves_the_gap_and_others_do_not(void **state)
{
    (void)state;
    made_model made = make_model(find_model_case("given"));
    rls2_certificate certificate;
    rls2_error err;
    new_rows train;
    double y[10];
    new_rows_make(&made, made.data, &train);
    memcpy(y, rls2_dataset_y(made.data), sizeof y);
    assert_ok(
        rls2_model_certify(made.model, &train.rows, y, &certificate, sizeof certificate, &err),
        &err);
    assert_true(certificate.relative_gap <= 2e-6);
    assert_true(fabs(certificate.primal - rls2_model_point(made.model)->objective) <=
                1e-9 * certificate.primal);
    y[3] += 1.0;
    assert_ok(
        rls2_model_certify(made.model, &train.rows, y, &certificate, sizeof certificate, &err),
        &err);
    assert_true(certificate.relative_gap > 1e-3);
    train.rows.n--;
    assert_int_equal(
        rls2_model_certify(made.model, &train.rows, y, &certificate, sizeof certificate, &err),
        RLS2_ERR_ARGUMENT);
    assert_message(&err, "9 rows; the model was trained on 10");
    new_rows_free(&train);
    free_model(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_encode__new_rows__need_only_the_inputs_in_use),
        cmocka_unit_test(model_factorize__variances_after_it__have_the_same_bits),
        cmocka_unit_test(model__made_from_a_path__tells_what_it_was_made_from),
        cmocka_unit_test(model__attached__tells_inputs_and_labels),
        cmocka_unit_test(model_target_value__numbers__are_those_of_the_column),
        cmocka_unit_test(model__not_attached__knows_nothing_of_tables),
        cmocka_unit_test(model__null__answers_nothing),
        cmocka_unit_test(model_functions__null_arguments__are_refused),
        cmocka_unit_test(model_attach__other_columns__are_refused),
        cmocka_unit_test(model_encode__rows_with_an_empty_cell__are_left_out_or_refused_as_asked),
        cmocka_unit_test(model_functions__rows_in_any_company__have_the_same_bits),
        cmocka_unit_test(model_shares__any_model__sum_to_one_and_are_covariances),
        cmocka_unit_test(model_shares__constant_answer__are_zero),
        cmocka_unit_test(model_certify__training_rows__proves_the_gap_and_others_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
