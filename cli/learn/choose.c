#include "cli/learn/choose.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/memory_limit.h"
#include "cli/score.h"

static int refuse(const settings *s, const char *what)
{
    say_error(s, "%s", what);
    return EXIT_USAGE;
}

int check_choosing(const settings *s)
{
    if (s->baselines && s->no_baselines)
        return refuse(s, "--baselines and --no-baselines exclude each other");
    if (s->folds < 2) return refuse(s, "--folds must be at least 2");
    if (s->repeats < 1) return refuse(s, "--repeats must be at least 1");
    if (!(s->share > 0.0 && s->share < 1.0)) return refuse(s, "--share must lie between 0 and 1");
    if (s->splits > 0 && s->fold_column)
        return refuse(s, "--splits and --fold-column exclude each other");
    if (s->transductive || s->transductive_features)
        return refuse(
            s, "cross-validation never uses the rows it tests on: --transductive needs --lambda");
    if ((s->validation || s->validation_rows) &&
        (s->splits > 0 || s->fold_column || s->repeats > 1))
        return refuse(s,
                      "a validation set takes the place of --splits, --repeats and --fold-column");
    return EXIT_OK;
}

const part *chosen_on(const problem *p)
{
    return p->choosing.data ? &p->choosing : &p->train;
}

/* ---- splits ---- */

/* The values of --fold-column, numbered as they occur; empty cells are learned from always. */
static int fold_numbers(const settings *s, const problem *p, int64_t *fold)
{
    const rls2_table *table = p->train.table;
    int64_t column = rls2_table_find(table, s->fold_column), folds = 0,
            n = rls2_dataset_rows(p->train.data);
    int64_t *first =
        calloc((size_t)n + 1, sizeof *first); /* the row where each fold was seen first */
    if (!first) return out_of_memory(s);
    for (int64_t i = 0; i < n; i++) {
        int64_t row = rls2_dataset_source_row(p->train.data, i), k = 0;
        const char *cell = rls2_table_cell(table, row, column);
        double value = rls2_table_value(table, row, column);
        char text[32];
        if (!*cell && !isnan(value)) cell = number_text(value, text);
        if (!*cell) {
            fold[i] = -1;
            continue;
        }
        while (k < folds && !rls2_table_holds(table, first[k], column, cell)) k++;
        if (k == folds) first[folds++] = row;
        fold[i] = k;
    }
    free(first);
    return EXIT_OK;
}

static int given_folds(const settings *s, const problem *p, rls2_splits **splits)
{
    rls2_error err;
    int64_t n = rls2_dataset_rows(p->train.data);
    int64_t *fold = calloc((size_t)n + 1, sizeof *fold);
    if (!fold) return out_of_memory(s);
    int code = fold_numbers(s, p, fold);
    if (code == EXIT_OK && rls2_splits_given(n, fold, splits, &err) != RLS2_OK)
        code = fail(s, &err);
    free(fold);
    return code;
}

/* One split: the validation rows, which stand below the others, are predicted from those. */
static int validation_split(const settings *s, const problem *p, rls2_splits **splits)
{
    rls2_error err;
    int64_t n = rls2_dataset_rows(p->choosing.data), above = rls2_table_rows(p->train.table);
    int64_t *fold = calloc((size_t)n + 1, sizeof *fold);
    if (!fold) return out_of_memory(s);
    for (int64_t i = 0; i < n; i++)
        fold[i] = rls2_dataset_source_row(p->choosing.data, i) < above ? -1 : 0;
    int code = rls2_splits_given(n, fold, splits, &err) == RLS2_OK ? EXIT_OK : fail(s, &err);
    free(fold);
    return code;
}

/* The class of each row as a number, that every fold may have its share; NULL for regression. */
static int make_strata(const settings *s, const problem *p, double **strata)
{
    const int64_t *classes = rls2_dataset_classes(p->train.data);
    int64_t n = rls2_dataset_rows(p->train.data);
    *strata = NULL;
    if (!classes) return EXIT_OK;
    *strata = calloc((size_t)n + 1, sizeof **strata);
    for (int64_t i = 0; *strata && i < n; i++) (*strata)[i] = (double)classes[i];
    return *strata ? EXIT_OK : out_of_memory(s);
}

/* A class of fewer rows than folds is missing from some of them. */
static void note_rare(const settings *s, const problem *p, int64_t folds)
{
    const rls2_dataset *data = p->train.data;
    const int64_t *classes = rls2_dataset_classes(data);
    int64_t rare = 0, smallest = 0, least = folds;
    for (int64_t k = 0; k < rls2_dataset_class_count(data); k++) {
        int64_t found = 0;
        for (int64_t i = 0; i < rls2_dataset_rows(data); i++) found += classes[i] == k;
        rare += found < folds;
        if (found >= least) continue;
        smallest = k;
        least = found;
    }
    const char *label = rare > 0 ? rls2_dataset_class_label(data, smallest) : "";
    if (rare == 1)
        say(s, "  note: class '%s' has %s, fewer than there are folds", label,
            count_of(least, "row").text);
    if (rare > 1)
        say(s,
            "  note: %" PRId64
            " classes have fewer rows than there are folds; the smallest, '%s', has %s",
            rare, label, count_of(least, "row").text);
}

static int draw_splits(const settings *s, const problem *p, const double *strata,
                       rls2_splits **splits)
{
    rls2_error err;
    rls2_status status;
    int64_t n = rls2_dataset_rows(p->train.data), folds = s->folds < n ? s->folds : n;
    if (folds < s->folds && s->splits == 0)
        say(s, "  %s, as there are no more rows than that", count_of(folds, "fold").text);
    else if (s->splits == 0)
        note_rare(s, p, folds);
    if (s->splits > 0)
        status =
            rls2_splits_random(n, strata, s->splits, s->share, (uint64_t)s->seed, splits, &err);
    else
        status = rls2_splits_folds(n, strata, folds, s->repeats, (uint64_t)s->seed, splits, &err);
    if (status == RLS2_OK) return EXIT_OK;
    int code = fail(s, &err);
    return status == RLS2_ERR_ARGUMENT ? EXIT_USAGE : code;
}

static int make_splits(const settings *s, const problem *p, rls2_splits **splits)
{
    double *strata = NULL;
    if (p->choosing.data) return validation_split(s, p, splits);
    if (rls2_dataset_rows(p->train.data) < 2) {
        say_error(s, "cross-validation needs more than one row: give --lambda");
        return EXIT_FAILED;
    }
    if (s->fold_column) return given_folds(s, p, splits);
    int code = make_strata(s, p, &strata);
    if (code == EXIT_OK) code = draw_splits(s, p, strata, splits);
    free(strata);
    return code;
}

/* ---- recipe ---- */

typedef struct group_texts {
    const char **names;
    const char **columns;
    char **copies;
    int64_t count;
} group_texts;

static void group_texts_free(group_texts *groups)
{
    for (int64_t g = 0; groups->copies && g < groups->count; g++) free(groups->copies[g]);
    free(groups->copies);
    free(groups->names);
    free(groups->columns);
}

/* NAME=COLUMN,COLUMN,... of each --group, which problem_load has checked. */
static int read_groups(const settings *s, group_texts *groups)
{
    size_t room = (size_t)s->group.count + 1;
    *groups = (group_texts){.names = calloc(room, sizeof *groups->names),
                            .columns = calloc(room, sizeof *groups->columns),
                            .copies = calloc(room, sizeof *groups->copies),
                            .count = s->group.count};
    if (!groups->names || !groups->columns || !groups->copies) return out_of_memory(s);
    for (int64_t g = 0; g < groups->count; g++) {
        groups->copies[g] = strdup(s->group.items[g]);
        if (!groups->copies[g]) return out_of_memory(s);
        char *equals = strchr(groups->copies[g], '=');
        *equals = '\0';
        groups->names[g] = groups->copies[g];
        groups->columns[g] = equals + 1;
    }
    return EXIT_OK;
}

static int make_recipe(const settings *s, const problem *p, const rls2_dictionary *dictionary,
                       const group_texts *groups, double **lambdas, rls2_recipe *recipe)
{
    *recipe = rls2_recipe_default();
    recipe->data = p->options;
    recipe->preprocessing = rls2_dataset_preprocessing(p->train.data);
    recipe->kernels = p->spec;
    recipe->group_count = groups->count;
    recipe->group_names = groups->names;
    recipe->group_columns = groups->columns;
    recipe->class_weights = s->class_weights;
    recipe->given_count = chosen_on(p)->given.count;
    recipe->given_names = (const char *const *)chosen_on(p)->given.names;
    recipe->given = (const double *const *)chosen_on(p)->given.matrices;
    recipe->path = plain_path_options(s, p->train.data, dictionary);
    int code = set_basis_options(s, p, &recipe->basis);
    recipe->basis.weights = NULL; /* each split weighs its own rows */
    recipe->basis.memory = split_memory(s);
    int64_t count = 0;
    if (code == EXIT_OK) code = given_lambdas(s, &count, lambdas);
    if (*lambdas) {
        recipe->lambdas = *lambdas;
        recipe->lambda_count = count;
    }
    return code;
}

static int find_measure(const settings *s, const problem *p, rls2_measure *measure)
{
    rls2_error err;
    int classes = rls2_dataset_is_classification(p->train.data);
    *measure = score_measure(classes, rls2_dataset_outputs(p->train.data));
    if (!s->measure) return EXIT_OK;
    if (rls2_measure_find(s->measure, measure, &err) != RLS2_OK) return fail(s, &err);
    if (rls2_measure_is_for_classes(*measure) == classes) return EXIT_OK;
    say_error(s, "--measure %s is for %s", s->measure, classes ? "regression" : "classification");
    return EXIT_USAGE;
}

/* ---- running ---- */

/* A best value at the end of the grid may have a better one beyond it. */
static void note_result(const settings *s, const rls2_cv *cv)
{
    if (rls2_cv_unconverged(cv) > 0)
        say(s, "  note: %s of the splits' paths did not reach the precision asked for",
            count_of(rls2_cv_unconverged(cv), "point").text);
    note_end(s, rls2_cv_min(cv), rls2_cv_count(cv));
}

void note_end(const settings *s, int64_t index, int64_t count)
{
    if (count > 1 && (index == 0 || index == count - 1))
        say(s, "  note: the best lambda is the %s of the grid; --lambdas can look further",
            index == 0 ? "largest" : "smallest");
}

/* A baseline takes a factorisation of all rows for each lambda and split, however few the kernels:
 * with many rows that is longer than all the rest. */
static int wants_baselines(const settings *s, const problem *p)
{
    enum { MOST_ROWS = 1000 };
    int64_t n = rls2_dataset_rows(chosen_on(p)->data);
    if (s->no_baselines) return 0;
    if (s->baselines || n <= MOST_ROWS) return 1;
    say(s,
        "  note: what learned kernels are compared with is left out above %d rows; --baselines has "
        "it",
        MOST_ROWS);
    return 0;
}

int cross_validate(const settings *s, const problem *p, rls2_cv **cv)
{
    rls2_error err;
    rls2_splits *splits = NULL;
    rls2_recipe recipe;
    rls2_cv_options options = rls2_cv_options_default();
    group_texts groups = {0};
    double *lambdas = NULL;
    rls2_dictionary *dictionary =
        NULL; /* what is wrong with it is said of the whole data, not of a split */
    progress bar = progress_start(s);
    options.threads = s->threads < 10000 ? (int)s->threads : 10000;
    options.progress = progress_callback;
    options.progress_user = &bar;
    options.baselines = wants_baselines(s, p);
    int code = make_dictionary(s, p, &dictionary);
    if (code == EXIT_OK) code = find_measure(s, p, &options.measure);
    if (code == EXIT_OK) code = make_splits(s, p, &splits);
    if (code == EXIT_OK) code = read_groups(s, &groups);
    if (code == EXIT_OK) code = make_recipe(s, p, dictionary, &groups, &lambdas, &recipe);
    if (code == EXIT_OK) {
        rls2_status status = rls2_cv_run(chosen_on(p)->table, &recipe, splits, &options, cv, &err);
        progress_end(&bar);
        if (status != RLS2_OK) code = fail(s, &err);
    }
    group_texts_free(&groups);
    rls2_splits_free(splits);
    rls2_dictionary_free(dictionary);
    free(lambdas);
    if (code != EXIT_OK) return code;
    if (rls2_cv_min(*cv) >= 0) {
        note_result(s, *cv);
        return EXIT_OK;
    }
    say_error(s,
              "the measure '%s' is not defined on any of the splits; --measure %s is defined on "
              "single rows",
              rls2_measure_name(options.measure),
              rls2_measure_is_for_classes(options.measure) ? "accuracy" : "rmse");
    return EXIT_FAILED;
}

static void print_choice(FILE *file, const char *name, const rls2_cv *cv, int64_t i)
{
    const rls2_cv_point *point = rls2_cv_at(cv, i);
    char error[16] = "-"; /* of a single split there is none */
    if (!isnan(point->cvsd)) snprintf(error, sizeof error, "%.3g", point->cvsd);
    fprintf(file, "%-4s %10.4g %5" PRId64 " %10.4g %9s %7.4g\n", name, point->lambda, i + 1,
            point->cvm, error, point->nzero);
}

void print_choices(FILE *file, const rls2_cv *cv)
{
    fprintf(file, "%-4s %10s %5s %10s %9s %7s\n", "", "Lambda", "Index", "Measure", "SE",
            "Nonzero");
    print_choice(file, "min", cv, rls2_cv_min(cv));
    print_choice(file, "1se", cv, rls2_cv_1se(cv));
}

/* ---- for comparison ---- */

static const char *const BASELINE_KEYS[RLS2_BASELINE_COUNT] = {"uniform", "alignment", "single",
                                                               "ridge"};

static int has_baselines(const rls2_cv *cv)
{
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++)
        if (rls2_cv_baseline(cv, (rls2_baseline)b)) return 1;
    return 0;
}

void print_baselines(FILE *file, const rls2_cv *cv)
{
    if (!has_baselines(cv)) return;
    fprintf(file, "\nFor comparison, on the same splits:\n%-20s %10s %9s %10s\n", "",
            rls2_measure_name(rls2_cv_measure(cv)), "SE", "Lambda");
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++) {
        const rls2_cv_point *point = rls2_cv_baseline(cv, (rls2_baseline)b);
        const char *name = rls2_baseline_name((rls2_baseline)b);
        char error[16] = "-"; /* of a single split there is none */
        if (point && !isnan(point->cvsd)) snprintf(error, sizeof error, "%.3g", point->cvsd);
        if (point)
            fprintf(file, "%-20s %10.4g %9s %10.4g\n", name, point->cvm, error, point->lambda);
        else
            fprintf(file, "%-20s %10s\n", name, "undefined");
    }
}

static void json_baseline(json *j, const char *key, const rls2_cv_point *point)
{
    if (!point) {
        json_text(j, key, NULL);
        return;
    }
    json_object(j, key);
    json_number(j, "cvm", point->cvm);
    json_number(j, "cvsd", point->cvsd);
    json_number(j, "lambda", point->lambda);
    json_end_object(j);
}

void json_baselines(json *j, const rls2_cv *cv)
{
    if (!has_baselines(cv)) return;
    json_object(j, "baselines");
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++)
        json_baseline(j, BASELINE_KEYS[b], rls2_cv_baseline(cv, (rls2_baseline)b));
    json_end_object(j);
}
