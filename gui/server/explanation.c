/* GET /api/runs/ID/explanation/I: how much each input counts in the whole prediction, and which two
 * act together. */
#include "gui/server/detail.h"
#include "gui/server/model_source.h"
#include "gui/server/routes.h"
#include "gui/server/table_columns.h"

/* Kernel values: more would keep a connection waiting for many seconds. */
static const double MOST_COST = 4e9;

static json_t *input_list(const rls2_model *model, const rls2_explanation *told)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < rls2_explanation_input_count(told); i++) {
        const rls2_explained_input *at = rls2_explanation_input(told, i);
        json_array_append_new(
            list, json_pack("{s:o, s:I, s:o, s:o, s:o}", "name",
                            json_words(rls2_model_input_name(model, at->input)), "index",
                            (json_int_t)at->input, "share", json_finite(at->share), "alone",
                            json_finite(at->alone), "interaction", json_finite(at->interaction)));
    }
    return list;
}

static json_t *pair_list(const rls2_model *model, const rls2_explanation *told)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < rls2_explanation_pair_count(told); i++) {
        const rls2_explained_pair *at = rls2_explanation_pair(told, i);
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:o}", "first",
                            json_words(rls2_model_input_name(model, at->first)), "second",
                            json_words(rls2_model_input_name(model, at->second)), "share",
                            json_finite(at->share), "h2", json_finite(at->h2)));
    }
    return list;
}

static int explain(const rls2_model *model, json_t **json, fault *f)
{
    rls2_error err;
    rls2_explanation *told = NULL;
    int64_t compared;
    if (rls2_model_explain_cost(model) > MOST_COST)
        return fault_say(f, HTTP_CONFLICT, NULL,
                         "this takes long: download the model for rls2 plot --kind dependence");
    if (rls2_model_explain(model, NULL, &told, &err) != RLS2_OK) return fault_of(f, NULL, &err);
    int64_t interacting = rls2_explanation_interacting(told, &compared);
    *json = json_pack("{s:I, s:o, s:o, s:I, s:I}", "rows",
                      (json_int_t)rls2_explanation_rows(told, NULL), "inputs",
                      input_list(model, told), "pairs", pair_list(model, told), "interacting",
                      (json_int_t)interacting, "compared", (json_int_t)compared);
    rls2_explanation_free(told);
    return *json ? 0 : fault_memory(f);
}

int run_explanation(request *r, reply *answer, fault *f)
{
    model_source from;
    const rls2_model *one = NULL;
    int code = model_borrow(r, &from, f);
    if (!code) code = detail_output(r, from.model, &one, f);
    if (!code) code = explain(one, &answer->json, f);
    model_release(r, &from);
    return code;
}
