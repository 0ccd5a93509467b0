/* A line of text as a dictionary and the rest as a table, fitted: refused with a message, or a
 * path whose points are whole, whose certificates are no nonsense, and whose model packs, is
 * read again and predicts the same. */
#include <math.h>

#include "common.h"
#include "rls2/rls2.h"

enum { MOST_ROWS = 24, MOST_COLUMNS = 8, MOST_KERNELS = 60 };

static void set_recipe(rls2_recipe *recipe, const rls2_table *table, uint32_t choice)
{
    recipe->data.target = rls2_table_column_name(table, rls2_table_columns(table) - 1);
    recipe->data.classify = choice & 1 ? -1 : 0;
    recipe->data.reference = choice >> 1 & 1;
    recipe->preprocessing.features = (rls2_normalize)((choice >> 2) % 3);
    recipe->preprocessing.examples = (rls2_normalize)((choice >> 4) % 3);
    recipe->basis.skip_degenerate = choice >> 6 & 1;
    recipe->basis.center = choice >> 7 & 1;
    recipe->basis.threads = 1;
    recipe->path.solver = choice >> 8 & 1 ? RLS2_SOLVER_NEWTON : RLS2_SOLVER_ALTERNATE;
    recipe->path.max_iter = 50;
    recipe->path.intercept = (rls2_intercept)((choice >> 9) % 2);
    recipe->class_weights = choice >> 10 & 1 ? "balanced" : NULL;
    recipe->lambda_count = 3;
    recipe->ratio = choice >> 11 & 1 ? 1e-6 : 1e-1;
}

static void check_point(const rls2_path *path, int64_t i)
{
    const rls2_path_point *point = rls2_path_at(path, i);
    const int64_t *kernels;
    const double *d;
    rls2_certificate certificate;
    rls2_error err = {.message = ""};
    double sum = 0.0;
    int64_t count = rls2_path_weights(path, i, &kernels, &d);
    require(point && point->lambda > 0.0 && !(point->gap < 0.0));
    for (int64_t k = 0; k < count; k++) {
        require(d[k] > 0.0);
        sum += d[k];
    }
    require(count == 0 || fabs(sum - 1.0) < 1e-9);
    rls2_status status = rls2_path_certify(path, i, &certificate, &err);
    require(status == RLS2_OK || said_something(&err, status));
}

/* As the file has it, bit by bit. */
static void check_model(const rls2_fit *fit)
{
    void *bytes[2] = {NULL, NULL};
    int64_t length[2];
    rls2_model *model = NULL, *again = NULL;
    rls2_error err = {.message = ""};
    rls2_status status = rls2_fit_model(fit, rls2_fit_count(fit) - 1, &model, &err);
    if (status != RLS2_OK) {
        require(said_something(&err, status));
        return;
    }
    require(rls2_model_pack(model, &bytes[0], &length[0], NULL) == RLS2_OK);
    require(rls2_model_unpack("again", bytes[0], length[0], &again, NULL) == RLS2_OK);
    require(rls2_model_pack(again, &bytes[1], &length[1], NULL) == RLS2_OK);
    require(length[0] == length[1] && memcmp(bytes[0], bytes[1], (size_t)length[0]) == 0);
    rls2_model_free(model);
    rls2_model_free(again);
    rls2_bytes_free(bytes[0]);
    rls2_bytes_free(bytes[1]);
}

static int is_small(const rls2_table *table, const char *kernels)
{
    const char *names[MOST_COLUMNS];
    rls2_columns columns = {.count = rls2_table_columns(table), .names = names};
    rls2_dictionary *dictionary = NULL;
    if (rls2_table_rows(table) > MOST_ROWS || columns.count > MOST_COLUMNS) return 0;
    for (int64_t j = 0; j < columns.count; j++) names[j] = rls2_table_column_name(table, j);
    if (rls2_dictionary_create(kernels, &columns, &dictionary, NULL) != RLS2_OK)
        return 1; /* inputs may be others */
    int small = rls2_dictionary_size(dictionary) <= MOST_KERNELS;
    rls2_dictionary_free(dictionary);
    return small;
}

static void fit_table(const rls2_table *table, const char *kernels, uint32_t choice)
{
    rls2_fit *fit = NULL;
    rls2_error err = {.message = ""};
    rls2_recipe recipe = rls2_recipe_default();
    rls2_fit_options options = rls2_fit_options_default();
    set_recipe(&recipe, table, choice);
    recipe.kernels = kernels;
    options.threads = 1;
    rls2_status status = rls2_fit_table(table, &recipe, &options, &fit, &err);
    require((status == RLS2_OK) == (fit != NULL));
    if (status != RLS2_OK) {
        require(said_something(&err, status));
        return;
    }
    for (int64_t o = 0; o < rls2_fit_outputs(fit); o++)
        for (int64_t i = 0; i < rls2_fit_count(fit); i++) check_point(rls2_fit_path(fit, o), i);
    check_model(fit);
    rls2_fit_free(fit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size), *rest = text;
    size_t line = strcspn(text, "\n");
    rls2_table *table = NULL;
    rls2_read_options options = rls2_read_options_default();
    options.format = RLS2_FORMAT_CSV;
    if (line < size && text[line] == '\n' && !has_long_number(text, line, 2)) {
        text[line] = '\0';
        rest += line + 1;
        rls2_table_parse("f.csv", rest, (int64_t)(size - line - 1), &options, &table, NULL);
    }
    if (table && is_small(table, text)) fit_table(table, text, chosen(data, size));
    rls2_table_free(table);
    free(text);
    return 0;
}
