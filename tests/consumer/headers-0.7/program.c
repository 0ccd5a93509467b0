/* A program of 0.7, which every later 0.x must still run. Compiled with the headers beside it and
 * linked to the library of today; it is not to be changed once 0.7 is out. */
#include <rls2/rls2.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LAMBDAS = 5, ROWS = 8 };

static const char TEXT[] = "a;b;w;y\n1;2;1;1,1\n2;1;2;1,9\n3;5;1;3,2\n4;4;1;3,9\n"
                           "5;7;1;5,1\n6;5;1;5,8\n7;9;1;7,2\n8;8;NA;1\n8;8;1;7,9\n";

typedef struct work {
    rls2_table *table;
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path;
    rls2_model *model;
    rls2_rows rows;
    double lambdas[LAMBDAS];
    int steps; /* progress that was told */
} work;

#define TRY(call)                                                                                  \
    do {                                                                                           \
        if ((call) != RLS2_OK) {                                                                   \
            fprintf(stderr, "%s: %s\n", #call, err.message);                                       \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "not so: %s\n", #condition);                                           \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static int count_step(void *user, const rls2_progress *progress)
{
    work *it = user;
    it->steps += progress->total > 0 && progress->stage[0] != '\0';
    return 0;
}

static int make_data(work *it)
{
    static const char *const na[] = {"NA"};
    rls2_error err;
    rls2_read_options read;
    rls2_dataset_options options;
    rls2_read_options_init(&read, sizeof read);
    read.decimal = ',';
    read.delimiter = ';';
    read.na = na;
    read.na_count = 1;
    TRY(rls2_table_parse("text", TEXT, (int64_t)strlen(TEXT), &read, &it->table, &err));
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "y";
    options.row_weights = "w";
    options.missing = RLS2_MISSING_DROP;
    TRY(rls2_dataset_create(it->table, &options, &it->data, &err));
    TRY(rls2_dataset_preprocess(it->data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE, NULL,
                                &err));
    MUST(rls2_dataset_rows(it->data) == ROWS && rls2_dataset_dropped(it->data) == 1);
    MUST(rls2_dataset_feature_rule(it->data) == RLS2_NORMALIZE_STANDARDIZE);
    MUST(rls2_dataset_row_weights(it->data)[1] == 2.0);
    it->rows = (rls2_rows){.n = ROWS, .p = 2, .x = rls2_dataset_x(it->data)};
    return 0;
}

static int make_basis(work *it, const rls2_control *control)
{
    rls2_error err;
    rls2_basis_options options;
    rls2_forecast forecast;
    const rls2_columns columns = {.count = 2, .names = rls2_dataset_names(it->data)};
    TRY(rls2_dictionary_create("linear; rbf(0.1|1)@all", &columns, &it->dictionary, &err));
    MUST(rls2_dictionary_count(it->dictionary) == 4);
    TRY(rls2_basis_forecast(it->dictionary, &it->rows, &forecast, sizeof forecast, &err));
    MUST(forecast.most > 0.0 && forecast.typical <= forecast.most);
    rls2_basis_options_init(&options, sizeof options);
    options.row_weights = rls2_dataset_row_weights(it->data);
    TRY(rls2_basis_create(it->dictionary, &it->rows, &options, control, &it->basis, &err));
    MUST(rls2_basis_count(it->basis) == 4 && rls2_basis_rows(it->basis) == ROWS);
    return 0;
}

static int make_path(work *it, const rls2_control *control)
{
    rls2_error err;
    rls2_path_options options;
    rls2_criteria criteria[LAMBDAS];
    rls2_certificate certificate;
    const rls2_basis *bases[] = {it->basis};
    const double *y = rls2_dataset_y(it->data);
    rls2_path_options_init(&options, sizeof options);
    options.gap_tol = 1e-8;
    options.degrees_of_freedom = RLS2_DF_EACH;
    TRY(rls2_lambda_default(1, bases, y, RLS2_INTERCEPT_MEAN, 1e-4, LAMBDAS, it->lambdas, &err));
    TRY(rls2_path_fit(1, bases, y, LAMBDAS, it->lambdas, &options, control, &it->path, &err));
    TRY(rls2_path_criteria(it->path, control, criteria, sizeof criteria[0], &err));
    TRY(rls2_path_certify(it->path, LAMBDAS - 1, &certificate, sizeof certificate, &err));
    MUST(rls2_path_count(it->path) == LAMBDAS);
    const rls2_path_point *last = rls2_path_at(it->path, LAMBDAS - 1);
    MUST(last->gap <= 1e-8 && certificate.relative_gap <= 1e-7);
    MUST(last->outcome == RLS2_OUTCOME_CONVERGED);
    MUST(fabs(criteria[LAMBDAS - 1].df - last->df) <= 1e-9 * ROWS);
    MUST(rls2_path_kernel_weights(it->path, 0, NULL, NULL) == rls2_path_at(it->path, 0)->selected);
    return 0;
}

static int use_model(work *it, const rls2_control *control)
{
    rls2_error err;
    double f[ROWS], g[ROWS];
    void *bytes = NULL;
    int64_t length;
    rls2_model *again = NULL;
    const rls2_path *paths[] = {it->path};
    TRY(rls2_model_create(1, paths, LAMBDAS - 1, &it->model, &err));
    TRY(rls2_model_attach(it->model, it->data, &err));
    TRY(rls2_model_predict(it->model, &it->rows, control, f, &err));
    TRY(rls2_model_pack(it->model, &bytes, &length, &err));
    TRY(rls2_model_unpack("bytes", bytes, length, &again, &err));
    TRY(rls2_model_predict(again, &it->rows, NULL, g, &err));
    MUST(memcmp(f, g, sizeof f) == 0);
    MUST(rls2_model_scaling_rule(again)->rule == RLS2_SCALING_TRACE);
    MUST(rls2_model_kernel_count(again) >= 1 && rls2_model_kernel_weight(again, 0) > 0.0);
    for (int i = 0; i < ROWS; i++) MUST(fabs(f[i] - rls2_dataset_y(it->data)[i]) < 0.5);
    rls2_model_free(again);
    rls2_bytes_free(bytes);
    return 0;
}

/* The same by a plan, in words. */
static int use_plan(work *it, const rls2_control *control)
{
    rls2_error err;
    rls2_plan *plan = NULL;
    rls2_fit *fit = NULL;
    rls2_read_options read;
    double f[ROWS];
    TRY(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_PLAIN, &plan, &err));
    TRY(rls2_plan_set(plan, "target", "y", &err));
    TRY(rls2_plan_set(plan, "row-weights", "w", &err));
    TRY(rls2_plan_set(plan, "select", "gcv", &err));
    TRY(rls2_plan_set(plan, "delimiter", ";", &err));
    TRY(rls2_plan_read_options(plan, &read, sizeof read, &err));
    MUST(read.size == sizeof read && read.delimiter == ';');
    TRY(rls2_plan_complete(plan, it->table, &err));
    TRY(rls2_plan_fit(plan, control, &fit, &err));
    MUST(rls2_fit_chosen(fit) >= 0 && rls2_fit_chosen(fit) < rls2_fit_count(fit));
    MUST(rls2_fit_at(fit, 0)->lambda > rls2_fit_at(fit, 1)->lambda);
    TRY(rls2_fit_predict(fit, rls2_fit_chosen(fit), RLS2_PART_TRAINING, f, &err));
    for (int i = 0; i < ROWS; i++) MUST(isfinite(f[i]));
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    return 0;
}

int main(void)
{
    work it = {0};
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    control.progress = count_step;
    control.user = &it;
    int failed = make_data(&it) || make_basis(&it, &control) || make_path(&it, &control) ||
                 use_model(&it, &control) || use_plan(&it, &control);
    if (!failed && it.steps < 4 + 2 * LAMBDAS) failed = 1;
    rls2_model_free(it.model);
    rls2_path_free(it.path);
    rls2_basis_free(it.basis);
    rls2_dictionary_free(it.dictionary);
    rls2_dataset_free(it.data);
    rls2_table_free(it.table);
    if (!failed)
        printf("compiled with %d.%d, runs with %s\n", RLS2_VERSION_MAJOR, RLS2_VERSION_MINOR,
               rls2_version());
    return failed;
}
