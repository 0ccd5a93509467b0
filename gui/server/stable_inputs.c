/* Selections over splits and over halves. */
#include "gui/server/stable_inputs.h"

#include <stdlib.h>

#include "gui/server/table_columns.h"

json_t *split_signs(const rls2_cv *cv, int64_t i, int64_t o, int64_t t)
{
    int64_t splits = rls2_cv_splits(cv);
    char *signs = calloc((size_t)splits + 1, 1);
    if (!signs) return NULL;
    for (int64_t s = 0; s < splits; s++) signs[s] = rls2_cv_selects(cv, i, o, t, s) ? '1' : '0';
    json_t *made = json_string(signs);
    free(signs);
    return made;
}

typedef struct counted {
    int64_t input, selected;
} counted;

static int by_selected(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    if (x->selected != y->selected) return x->selected > y->selected ? -1 : 1;
    return x->input < y->input ? -1 : x->input > y->input;
}

static json_t *list_inputs(const rls2_fit *fit)
{
    enum { MOST = 100 };
    const rls2_dataset *data = rls2_fit_data(fit);
    int64_t inputs = rls2_dataset_input_count(data);
    int64_t *counts = calloc((size_t)inputs + 1, sizeof *counts);
    counted *list = calloc((size_t)inputs + 1, sizeof *list);
    json_t *made = json_array();
    if (counts && list && rls2_fit_input_selections(fit, counts, NULL) == RLS2_OK) {
        for (int64_t j = 0; j < inputs; j++) list[j] = (counted){j, counts[j]};
        qsort(list, (size_t)inputs, sizeof *list, by_selected);
        for (int64_t j = 0; j < inputs && j < MOST && list[j].selected > 0; j++)
            json_array_append_new(
                made, json_pack("{s:o, s:I}", "name",
                                json_words(rls2_dataset_input_name(data, list[j].input)),
                                "selected", (json_int_t)list[j].selected));
    }
    free(list);
    free(counts);
    return made;
}

json_t *stability_of(const rls2_fit *fit)
{
    const rls2_stability *about = rls2_fit_stability(fit);
    if (!about) return NULL;
    return json_pack("{s:I, s:I, s:I, s:I, s:f, s:f, s:I, s:f, s:f, s:o}", "halves",
                     (json_int_t)(2 * about->pairs), "rows", (json_int_t)about->rows, "inputs",
                     (json_int_t)about->inputs, "limit", (json_int_t)about->limit, "mean",
                     about->mean, "threshold", about->threshold, "least", (json_int_t)about->least,
                     "errors", about->errors, "likely_errors", about->likely_errors, "selected",
                     list_inputs(fit));
}
