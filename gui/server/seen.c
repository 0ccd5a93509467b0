/* Encodes rows of a table for a model and predicts them. */
#include "gui/server/seen.h"

#include <stdlib.h>
#include <string.h>

void seen_free(seen *s)
{
    rls2_dataset_free(s->data);
    free(s->said);
    free(s->f);
    free(s->classes);
    *s = (seen){0};
}

static int decide(const rls2_model *model, seen *s, fault *f)
{
    if (!rls2_model_is_classification(model)) return 0;
    s->classes = calloc((size_t)s->n + 1, sizeof *s->classes);
    if (!s->classes) return fault_memory(f);
    rls2_decide(s->outputs, s->n, s->said, s->classes);
    return 0;
}

int see(const rls2_model *model, const rls2_table *table, rls2_missing missing,
        rls2_response response, seen *s, fault *f)
{
    rls2_error err;
    *s = (seen){.outputs = rls2_model_outputs(model)};
    if (rls2_model_encode(model, table, missing, response, &s->data, &err) != RLS2_OK)
        return fault_of(f, "data", &err);
    s->n = rls2_dataset_rows(s->data);
    size_t values = (size_t)(s->n * s->outputs);
    s->said = calloc(values + 1, sizeof *s->said);
    s->f = calloc(values + 1, sizeof *s->f);
    if (!s->said || !s->f) return fault_memory(f);
    rls2_rows rows = {.n = s->n, .p = rls2_dataset_columns(s->data), .x = rls2_dataset_x(s->data)};
    if (s->n > 0 && rls2_model_predict(model, &rows, NULL, s->said, &err) != RLS2_OK)
        return fault_of(f, NULL, &err);
    memcpy(s->f, s->said, values * sizeof *s->f);
    rls2_model_respond(model, s->n, s->f);
    return decide(model, s, f);
}

rls2_missing seen_missing(const rls2_model *model)
{
    return rls2_model_missing(model) == RLS2_MISSING_ERROR ? RLS2_MISSING_ERROR
                                                           : RLS2_MISSING_IMPUTE;
}
