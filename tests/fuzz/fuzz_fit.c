/* A line of text as a dictionary and the rest as a table, fitted: refused with a message, or a
 * path whose points are whole, whose certificates are no nonsense, and whose model packs, is
 * read again and predicts the same. */
#include <math.h>

#include "common.h"
#include "rls2/rls2.h"

enum { MOST_ROWS = 24, MOST_COLUMNS = 8, MOST_KERNELS = 60 };

static void set(rls2_plan *plan, const char *name, const char *value)
{
    require(rls2_plan_set(plan, name, value, NULL) == RLS2_OK);
}

static const char *word(const char *const *words, uint32_t choice)
{
    return words[choice % 3];
}

static void set_plan(rls2_plan *plan, const rls2_table *table, const char *kernels, uint32_t choice)
{
    static const char *const NORMALIZE[] = {"none", "center", "standardize"};
    static const char *const INTERCEPT[] = {"auto", "none", "mean"};
    static const char *const SELECT[] = {"none", "gcv", "loo"};
    set(plan, "target", rls2_table_column_name(table, rls2_table_columns(table) - 1));
    set(plan, "kernels", kernels);
    set(plan, "task", choice & 1 ? "auto" : "regression");
    set(plan, "reference", choice >> 1 & 1 ? "true" : "false");
    set(plan, "features", word(NORMALIZE, choice >> 2));
    set(plan, "examples", word(NORMALIZE, choice >> 4));
    set(plan, "center", choice >> 7 & 1 ? "true" : "false");
    set(plan, "solver", choice >> 8 & 1 ? "newton" : "alternate");
    set(plan, "max-iter", "50");
    set(plan, "intercept", word(INTERCEPT, choice >> 9));
    if (choice >> 10 & 1) set(plan, "class-weights", "balanced");
    set(plan, "lambda-count", "3");
    set(plan, "lambda-ratio", choice >> 11 & 1 ? "1e-6" : "1e-1");
    set(plan, "select", word(SELECT, choice >> 12));
    if (choice >> 14 & 1) set(plan, "test-share", "0.3");
    if (choice >> 15 & 1) set(plan, "shuffle", "true");
}

static void check_point(const rls2_path *path, int64_t i)
{
    const rls2_path_point *point = rls2_path_at(path, i);
    const int64_t *kernels;
    const double *d;
    rls2_certificate certificate;
    rls2_error err = {.message = ""};
    double sum = 0.0;
    int64_t count = rls2_path_kernel_weights(path, i, &kernels, &d);
    require(point && point->lambda > 0.0 && !(point->gap < 0.0));
    for (int64_t k = 0; k < count; k++) {
        require(d[k] > 0.0);
        sum += d[k];
    }
    require(count == 0 || fabs(sum - 1.0) < 1e-9);
    rls2_status status = rls2_path_certify(path, i, &certificate, sizeof certificate, &err);
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
    int small = rls2_dictionary_count(dictionary) <= MOST_KERNELS;
    rls2_dictionary_free(dictionary);
    return small;
}

static void check_fit(const rls2_fit *fit)
{
    for (int64_t o = 0; o < rls2_fit_outputs(fit); o++)
        for (int64_t i = 0; i < rls2_fit_count(fit); i++) check_point(rls2_fit_path(fit, o), i);
    check_model(fit);
}

static void fit_table(const rls2_table *table, const char *kernels, uint32_t choice)
{
    rls2_plan *plan = NULL;
    rls2_fit *fit = NULL;
    rls2_error err = {.message = ""};
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    require(rls2_plan_create(RLS2_GOAL_ALL, RLS2_VOICE_PLAIN, &plan, NULL) == RLS2_OK);
    set_plan(plan, table, kernels, choice);
    rls2_status status = rls2_plan_complete(plan, table, &err);
    if (status == RLS2_OK) status = rls2_plan_fit(plan, &control, &fit, &err);
    require(status == RLS2_OK || said_something(&err, status));
    if (fit && rls2_fit_count(fit) > 0) check_fit(fit);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size), *rest = text;
    size_t line = strcspn(text, "\n");
    rls2_table *table = NULL;
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
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
