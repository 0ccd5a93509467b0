/* GET /api/runs/ID/point/I, and what the other answers about one lambda need. */
#include "gui/server/detail.h"

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/model_description.h"
#include "gui/server/model_inputs.h"
#include "gui/server/routes.h"
#include "gui/server/table_columns.h"

/* ---- what is asked for ---- */

int detail_run(request *r, run **found, fault *f)
{
    *found = state_run(r->state, r->parameter[0]);
    if (!*found)
        return fault_say(f, HTTP_NONE, NULL, "there is no run with the id %s", r->parameter[0]);
    pthread_mutex_lock(&r->state->lock);
    run_status status = (*found)->status;
    int has_result = (*found)->has_result;
    pthread_mutex_unlock(&r->state->lock);
    if (has_result) return 0;
    return fault_say(f, HTTP_CONFLICT, NULL, "the run is %s, and has no result",
                     run_status_name(status));
}

static void model_path(const run *found, int64_t i, char path[STORE_PATH])
{
    store_path(path, "runs/%s/model-%lld.rls2", found->id, (long long)i);
}

int detail_has_point(request *r, const run *found, int64_t i, fault *f)
{
    char path[STORE_PATH];
    model_path(found, i, path);
    if (store_has(&r->state->store, path)) return 0;
    return fault_say(f, HTTP_NONE, NULL, "the run has no lambda number %lld", (long long)i);
}

int detail_model(state *s, const run *found, int64_t i, cached **model, fault *f)
{
    rls2_error err;
    rls2_model *loaded = NULL;
    char path[STORE_PATH], name[64];
    size_t length = 0;
    snprintf(name, sizeof name, "%s/%lld", found->id, (long long)i);
    *model = cache_borrow(s->models, name);
    if (*model) return 0;
    model_path(found, i, path);
    char *bytes = store_read(&s->store, path, &length);
    if (!bytes)
        return fault_say(f, HTTP_NONE, NULL, "the run has no lambda number %lld", (long long)i);
    rls2_status status = rls2_model_unpack(path, bytes, (int64_t)length, &loaded, &err);
    free(bytes);
    if (status != RLS2_OK) return fault_of(f, NULL, &err);
    *model = cache_add(s->models, name, loaded);
    return *model ? 0 : fault_memory(f);
}

int detail_output(const request *r, const rls2_model *model, const rls2_model **one, fault *f)
{
    *one = rls2_model_output(model, request_number(r, "output", 0, INT64_MAX));
    if (*one) return 0;
    return fault_say(f, HTTP_BAD, "output",
                     "output should be the number of an output, counted from 0");
}

json_t *detail_asked(state *s, const run *found)
{
    pthread_mutex_lock(&s->lock);
    json_t *asked = json_deep_copy(found->asked);
    pthread_mutex_unlock(&s->lock);
    return asked;
}

int detail_plan(state *s, const run *found, run_plan *p, fault *f)
{
    json_t *asked = detail_asked(s, found);
    if (!asked) return fault_memory(f);
    int code = run_plan_complete(s, asked, p, f);
    json_decref(asked);
    if (code && f->code == HTTP_BAD) f->code = code = HTTP_CONFLICT; /* the data have gone since */
    return code;
}

int detail_left_out(state *s, const run *found, int64_t i, int64_t n, int64_t outputs, double **f64,
                    fault *f)
{
    char path[STORE_PATH];
    size_t each = (size_t)(n * outputs) * sizeof(double);
    *f64 = NULL;
    store_path(path, "runs/%s/left-out.f64", found->id);
    FILE *file = store_file(&s->store, path);
    if (!file) return 0;
    *f64 = malloc(each + 1);
    int right = *f64 && fseek(file, (long)(each * (size_t)i), SEEK_SET) == 0 &&
                fread(*f64, 1, each, file) == each;
    fclose(file);
    if (right) return 0;
    free(*f64);
    *f64 = NULL;
    return fault_say(f, HTTP_FAILED, NULL, "the predictions of rows left out cannot be read");
}

/* ---- kernels ---- */

/* a'x in the units the model sees, and in those of the table; NULL where some kernel is not linear.
 */
static json_t *coefficient_list(const rls2_model *model, const rls2_dataset *data)
{
    int64_t columns = rls2_model_columns(model);
    const char *const *names = rls2_model_column_names(model);
    const double *divisors = rls2_dataset_deviations(data);
    double *a = calloc((size_t)columns + 1, sizeof *a);
    json_t *list = a && rls2_model_coefficients(model, a, NULL) == RLS2_OK ? json_array() : NULL;
    int plain = rls2_dataset_example_rule(data) == RLS2_NORMALIZE_NONE;
    for (int64_t j = 0; list && j < columns; j++) {
        double by = divisors ? divisors[j] : 1.0;
        json_array_append_new(
            list,
            json_pack("{s:o, s:o, s:o}", "name", json_words(names[j]), "value", json_finite(a[j]),
                      "original", plain ? json_finite(by != 0.0 ? a[j] / by : 0.0) : json_null()));
    }
    free(a);
    return list;
}

/* What each kernel explains of rows that were left out, also of kernels that only splits select:
 * [{index, name, inputs, share, splits}], splits being a sign for each, of runs since 0.12. */
static json_t *left_out_shares(const rls2_model *model, const json_t *shares)
{
    size_t i;
    json_t *kernel, *list = json_array();
    const rls2_dictionary *dictionary = rls2_model_dictionary(model);
    json_array_foreach(json_object_get(shares, "kernels"), i, kernel)
    {
        int64_t number = json_integer_value(kernel);
        json_array_append_new(
            list, json_pack("{s:I, s:o, s:o, s:O?, s:O*}", "index", (json_int_t)number, "name",
                            json_words(rls2_dictionary_name(dictionary, number)), "inputs",
                            kernel_inputs(model, number), "share",
                            json_array_get(json_object_get(shares, "shares"), i), "splits",
                            json_array_get(json_object_get(shares, "selected"), i)));
    }
    return list;
}

/* `shares` has a member for each output, or is NULL. */
static json_t *output_list(const rls2_model *model, const rls2_dataset *data, const json_t *shares)
{
    json_t *list = json_array();
    for (int64_t o = 0; o < rls2_model_outputs(model); o++) {
        const rls2_model *one = rls2_model_output(model, o);
        json_t *entry = json_pack(
            "{s:o, s:o, s:o}", "name", json_words(rls2_model_output_name(model, o)), "intercept",
            json_finite(rls2_model_intercept(one)), "kernels", model_kernels(one));
        json_t *coefficients = coefficient_list(one, data);
        if (coefficients) json_object_set_new(entry, "coefficients", coefficients);
        if (shares)
            json_object_set_new(entry, "left_out",
                                left_out_shares(one, json_array_get(shares, (size_t)o)));
        json_array_append_new(list, entry);
    }
    return list;
}

/* ---- all of it ---- */

/* By lambda and output; NULL where there was no cross-validation. */
static json_t *load_shares(const state *s, const run *found)
{
    char path[STORE_PATH];
    store_path(path, "runs/%s/shares.json", found->id);
    return store_has(&s->store, path) ? store_read_json(&s->store, path) : NULL;
}

static int make_detail(state *s, const run *found, const run_plan *p, int64_t i,
                       const rls2_model *model, json_t **json, fault *f)
{
    rls2_dataset *train = NULL;
    json_t *detail =
        json_pack("{s:f, s:o, s:o, s:b}", "lambda", rls2_model_lambda(model), "certificate",
                  model_certificate(model), "losses", model_losses(model), "intercept_free",
                  rls2_model_intercept_is_free(model));
    int code = detail ? detail_rows(s, found, p, i, model, detail, &train, f) : fault_memory(f);
    json_t *shares = code ? NULL : load_shares(s, found);
    if (!code)
        json_object_set_new(detail, "outputs",
                            output_list(model, train, json_array_get(shares, (size_t)i)));
    json_decref(shares);
    if (!code) json_object_set_new(detail, "inputs", model_inputs(model));
    if (!code)
        json_object_set_new(detail, "input_count", json_integer(rls2_model_input_count(model)));
    if (!code && rls2_model_member_count(model) > 0)
        json_object_set_new(detail, "stack", model_stack(model));
    json_t *relevance = code ? NULL : model_relevance(model);
    if (relevance) json_object_set_new(detail, "relevance", relevance);
    rls2_dataset_free(train);
    if (code)
        json_decref(detail);
    else
        *json = detail;
    return code;
}

int run_point(request *r, reply *answer, fault *f)
{
    run_plan p = {0};
    run *found = NULL;
    cached *model = NULL;
    int64_t i = request_index(r, 1);
    int code = detail_run(r, &found, f);
    if (!code) code = detail_model(r->state, found, i, &model, f);
    if (!code) code = detail_plan(r->state, found, &p, f);
    if (!code) code = make_detail(r->state, found, &p, i, model->value, &answer->json, f);
    run_plan_release(&p);
    cache_return(r->state->models, model);
    run_release(r->state, found);
    return code;
}
