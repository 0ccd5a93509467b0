/* A run as Python: pandas reads the table, an estimator learns from it. */
#include <stdlib.h>
#include <string.h>

#include "gui/server/commands.h"
#include "gui/server/table_columns.h"

/* ---- texts ---- */

static void put_text(FILE *out, const char *text)
{
    char *quoted = NULL;
    if (rls2_text_quote(text, RLS2_VOICE_PYTHON, &quoted, NULL) == RLS2_OK) fputs(quoted, out);
    rls2_text_free(quoted);
}

/* A list that is written item by item. */
typedef struct list {
    FILE *out;
    const char *begin;
    int64_t count;
} list;

static void put_item(list *l, const char *text)
{
    if (!text) return;
    fputs(l->count++ > 0 ? ", " : l->begin, l->out);
    put_text(l->out, text);
}

/* ---- the table ---- */

/* pandas takes many words for missing, and its quick reader of numbers is off by the last digit:
 * neither is so here. */
static void put_read(FILE *out, const wish *w)
{
    char delimiter[2] = {w->divided ? ',' : rls2_table_delimiter(run_plan_file(&w->plan)), '\0'};
    fputs("table = pandas.read_csv(", out);
    put_text(out, w->table);
    if (delimiter[0] != ',') {
        fputs(", sep=", out);
        put_text(out, delimiter);
    }
    fputs(", float_precision=\"round_trip\", keep_default_na=False, na_values=[\"\"])\n", out);
}

/* The column of the folds where there is one and it is wanted; else NULL. */
static const char *fold_column(const wish *w)
{
    const char *column = rls2_plan_get(w->plan.plan, "fold-column", 0);
    return commands_by_splits(w) && column && column[0] ? column : NULL;
}

static int is(const char *text, const char *other)
{
    return text && strcmp(text, other) == 0;
}

/* Columns that are no inputs and not needed otherwise. */
static void put_drop(FILE *out, const wish *w)
{
    const rls2_dataset_options *options = rls2_plan_dataset_options(w->plan.plan);
    list dropped = {.out = out, .begin = "table = table.drop(columns=["};
    for (int64_t i = 0; i < options->drop_count; i++)
        if (!is(fold_column(w), options->drop[i])) put_item(&dropped, options->drop[i]);
    if (dropped.count > 0) fputs("])\n", out);
}

static void put_gap(list *l, const rls2_table *table, const char *column)
{
    if (column && rls2_table_missing(table, rls2_table_find(table, column)) > 0)
        put_item(l, column);
}

/* The package fills in missing inputs as the command does, but wants every target and weight. */
static void put_missing(FILE *out, const wish *w)
{
    const rls2_dataset_options *options = rls2_plan_dataset_options(w->plan.plan);
    const rls2_table *table = rls2_plan_table(w->plan.plan, RLS2_PART_TRAINING);
    list gaps = {.out = out, .begin = "table = table.dropna(subset=["};
    put_gap(&gaps, table, options->target);
    for (int64_t t = 0; t < options->target_count; t++) put_gap(&gaps, table, options->targets[t]);
    put_gap(&gaps, table, options->row_weights);
    if (gaps.count > 0) fputs("])\n", out);
}

static void put_targets(list *l, const rls2_dataset_options *options)
{
    put_item(l, options->target);
    for (int64_t t = 0; t < options->target_count; t++) put_item(l, options->targets[t]);
}

static void put_columns(FILE *out, const wish *w)
{
    const rls2_dataset_options *options = rls2_plan_dataset_options(w->plan.plan);
    list targets = {.out = out, .begin = options->target ? "y = table[" : "y = table[["},
         others = {.out = out, .begin = "X = table.drop(columns=["};
    put_targets(&targets, options);
    fputs(options->target ? "]\n" : "]]\n", out);
    put_targets(&others, options);
    put_item(&others, options->row_weights);
    put_item(&others, fold_column(w));
    fputs("])\n", out);
}

/* ---- the estimator ---- */

static int is_set(const wish *w, const char *name)
{
    return rls2_plan_is_set(w->plan.plan, name);
}

/* What the page can do and the package cannot is said, not passed over. */
static void put_remarks(FILE *out, const wish *w)
{
    if (run_plan_is(&w->plan, "transductive", "true") ||
        run_plan_is(&w->plan, "transductive-features", "true"))
        fputs("# The package does not measure columns or kernels over test rows (transductive): "
              "results differ.\n",
              out);
    if (!w->point && (is_set(w, "splits") || is_set(w, "validation-rows") || w->validation[0]))
        fputs("# lambda was chosen on other splits than these: give them as cv=[(train, test), "
              "...].\n",
              out);
}

/* The seed draws splits; which rows are learned from is settled by the table. */
static int put_estimator(FILE *out, const wish *w)
{
    int by_splits = commands_by_splits(w);
    const rls2_dataset_options *options = rls2_plan_dataset_options(w->plan.plan);
    fprintf(out, "model = rls2.RLS2%s%s(",
            run_plan_is_classification(&w->plan) ? "Classifier" : "Regressor",
            by_splits ? "CV" : "");
    if (fold_column(w)) {
        fputs("cv=table[", out);
        put_text(out, fold_column(w));
        fputs("], ", out);
    }
    int right = commands_retell(w, RLS2_VOICE_PYTHON, by_splits ? NULL : "seed", out);
    fputs(").fit(X, y", out);
    if (options->row_weights) {
        fputs(", sample_weight=table[", out);
        put_text(out, options->row_weights);
        fputc(']', out);
    }
    fputs(")\nmodel.save(\"model.rls2\")\n", out);
    return right;
}

char *commands_python(const wish *w)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    fputs("import pandas\nimport rls2\n\n", out);
    put_read(out, w);
    put_drop(out, w);
    put_missing(out, w);
    put_columns(out, w);
    put_remarks(out, w);
    int right = put_estimator(out, w);
    if (fclose(out) == 0 && right) return text;
    free(text); /* not all of it */
    return NULL;
}
