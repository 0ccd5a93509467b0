/* What a run left in its folder, as it lies there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/csv_answer.h"
#include "gui/server/detail.h"
#include "gui/server/routes.h"

static int send_file(request *r, const char *name, const char *type, reply *answer, fault *f)
{
    char path[STORE_PATH];
    store_path(path, "runs/%s/%s", r->parameter[0], name);
    answer->bytes = store_read(&r->state->store, path, &answer->length);
    answer->type = type;
    return answer->bytes ? 0
                         : fault_say(f, HTTP_FAILED, NULL, "%s of the run cannot be read", name);
}

int run_profile(request *r, reply *answer, fault *f)
{
    run *found = NULL;
    int code = detail_run(r, &found, f);
    if (!code) code = send_file(r, "profile.json", "application/json", answer, f);
    run_release(r->state, found);
    return code;
}

int run_model(request *r, reply *answer, fault *f)
{
    run *found = NULL;
    char name[64];
    int64_t i = request_index(r, 1);
    int code = detail_run(r, &found, f);
    if (!code) code = detail_has_point(r, found, i, f);
    snprintf(name, sizeof name, "model-%lld.rls2", (long long)i);
    if (!code) code = send_file(r, name, "application/octet-stream", answer, f);
    if (!code)
        snprintf(answer->file_name, sizeof answer->file_name, "%s-%lld.rls2", found->id,
                 (long long)i);
    run_release(r->state, found);
    return code;
}

/* ---- all numbers along the path ---- */

static int load_points(request *r, json_t **result, fault *f)
{
    char path[STORE_PATH];
    store_path(path, "runs/%s/result.json", r->parameter[0]);
    *result = store_read_json(&r->state->store, path);
    return *result ? 0 : fault_say(f, HTTP_FAILED, NULL, "the result of the run cannot be read");
}

/* The keys of a point; those of objects inside are "train_rmse". */
static void write_names(csv *c, const json_t *point)
{
    const char *key, *inner;
    json_t *value, *part;
    char name[128];
    json_object_foreach((json_t *)point, key, value)
    {
        if (!json_is_object(value)) csv_words(c, key);
        json_object_foreach(value, inner, part)
        {
            snprintf(name, sizeof name, "%s_%s", key, inner);
            csv_words(c, name);
        }
    }
    csv_line(c);
}

static void write_value(csv *c, const json_t *value)
{
    if (json_is_integer(value))
        csv_integer(c, json_integer_value(value));
    else if (json_is_real(value))
        csv_number(c, json_real_value(value));
    else if (json_is_string(value))
        csv_words(c, json_string_value(value));
    else
        csv_nothing(c);
}

static void write_point(csv *c, const json_t *first, const json_t *point)
{
    const char *key, *inner;
    json_t *value, *part;
    json_object_foreach((json_t *)first, key, value)
    {
        const json_t *mine = json_object_get(point, key);
        if (!json_is_object(value)) write_value(c, mine);
        json_object_foreach(value, inner, part) write_value(c, json_object_get(mine, inner));
    }
    csv_line(c);
}

int run_statistics_csv(request *r, reply *answer, fault *f)
{
    csv c = {0};
    run *found = NULL;
    json_t *result = NULL;
    int code = detail_run(r, &found, f);
    if (!code) code = load_points(r, &result, f);
    if (!code) code = csv_begin(&c, f);
    const json_t *points = json_object_get(result, "points"), *first = json_array_get(points, 0);
    if (!code) write_names(&c, first);
    for (size_t i = 0; !code && i < json_array_size(points); i++)
        write_point(&c, first, json_array_get(points, i));
    code = csv_send(&c, code, "statistics.csv", answer, f);
    json_decref(result);
    run_release(r->state, found);
    return code;
}

int run_statistics_json(request *r, reply *answer, fault *f)
{
    run *found = NULL;
    int code = detail_run(r, &found, f);
    if (!code) code = send_file(r, "result.json", "application/json", answer, f);
    if (!code) snprintf(answer->file_name, sizeof answer->file_name, "statistics.json");
    run_release(r->state, found);
    return code;
}
