/* GET /api/runs/ID/commands: the run as a line for a shell, and as lines of Python. */
#include "gui/server/commands.h"

#include <stdlib.h>
#include <string.h>

#include "gui/server/detail.h"
#include "gui/server/routes.h"
#include "gui/server/table_columns.h"

/* ---- the settings ---- */

/* With nothing to choose lambda by it is the whole path. */
static int chooses(const wish *w)
{
    return !w->point && !run_plan_is(&w->plan, "select", "none");
}

int commands_by_splits(const wish *w)
{
    return !w->point && run_plan_leaves_rows_out(&w->plan);
}

/* Settings that choose lambda where it is given or nothing chooses it, or that say how rows are
 * left out where none are. Those that also say which rows and columns are not learned from are told
 * all the same. */
static int is_idle(const wish *w, const rls2_setting *setting)
{
    rls2_setting_scope scope = rls2_setting_scope_of(setting);
    const char *name = rls2_setting_about(setting, RLS2_SETTING_NAME);
    if (strcmp(name, "fold-column") == 0 || strcmp(name, "validation-rows") == 0) return 0;
    if (strncmp(name, "stability", strlen("stability")) == 0) return w->point != 0;
    return (scope == RLS2_SCOPE_CHOICE && !chooses(w)) ||
           (scope == RLS2_SCOPE_SPLITS && !commands_by_splits(w));
}

int commands_retell(const wish *w, rls2_voice voice, const char *but, FILE *out)
{
    char *text = NULL;
    int64_t count = 0;
    const char **names = calloc((size_t)rls2_setting_count() + 2, sizeof *names);
    if (!names) return 0;
    if (but) names[count++] = but;
    for (int64_t i = 0; i < rls2_setting_count(); i++)
        if (is_idle(w, rls2_setting_at(i)))
            names[count++] = rls2_setting_about(rls2_setting_at(i), RLS2_SETTING_NAME);
    rls2_status status = rls2_plan_retell(w->told, voice, count, names, &text, NULL);
    if (status == RLS2_OK) fputs(text, out);
    rls2_text_free(text);
    free(names);
    return status == RLS2_OK;
}

static int set(rls2_plan *plan, const char *name, const char *value, fault *f)
{
    rls2_error err;
    return rls2_plan_set(plan, name, value, &err) == RLS2_OK ? 0 : plan_fault(plan, &err, f);
}

static int read_lambda(state *s, const run *found, int64_t i, double *lambda, fault *f)
{
    cached *model = NULL;
    int code = detail_model(s, found, i, &model, f);
    if (code) return code;
    *lambda = rls2_model_lambda(model->value);
    cache_return(s->models, model);
    return 0;
}

static double lambda_at(const json_t *points, size_t i)
{
    return json_number_value(json_object_get(json_array_get(points, i), "lambda"));
}

/* By its ends, from which the library makes the same bits. */
static int set_range(rls2_plan *plan, const json_t *points, fault *f)
{
    char lo[32], hi[32], grid[128];
    size_t count = json_array_size(points);
    snprintf(grid, sizeof grid, "%s:%s:%zu", columns_number(lambda_at(points, count - 1), lo),
             columns_number(lambda_at(points, 0), hi), count);
    return set(plan, "lambdas", grid, f);
}

static int set_list(rls2_plan *plan, const json_t *points, fault *f)
{
    char *text = NULL, number[32];
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) return fault_memory(f);
    for (size_t i = 0; i < json_array_size(points); i++)
        fprintf(out, "%s%s", i > 0 ? "," : "", columns_number(lambda_at(points, i), number));
    int code = fclose(out) == 0 ? set(plan, "lambdas", text, f) : fault_memory(f);
    free(text);
    return code;
}

/* A grid that comes from the data, as the path has it, of which there may be no more than its
 * beginning. */
static int set_grid(const state *s, const run *found, rls2_plan *plan, fault *f)
{
    char path[STORE_PATH];
    if (rls2_plan_is_set(plan, "lambdas")) return 0;
    store_path(path, "runs/%s/result.json", found->id);
    json_t *result = store_read_json(&s->store, path);
    const json_t *points = json_object_get(result, "points");
    json_int_t count = (json_int_t)json_array_size(points),
               asked = json_integer_value(json_object_get(result, "asked"));
    int code = count < 2        ? 0
               : count == asked ? set_range(plan, points, f)
                                : set_list(plan, points, f);
    json_decref(result);
    return code;
}

static int set_point(request *r, const run *found, wish *w, fault *f)
{
    char text[32];
    double lambda = 0.0;
    int64_t i = request_number(r, "point", -1, 1000000);
    if (!request_query(r, "point")) return 0;
    if (i < 0) return fault_say(f, HTTP_BAD, "point", "point should be the number of a lambda");
    w->point = 1;
    int code = read_lambda(r->state, found, i, &lambda, f);
    if (!code) code = set_grid(r->state, found, w->told, f);
    return code ? code : set(w->told, "lambda", columns_number(lambda, text), f);
}

static int set_told(state *s, const json_t *asked, wish *w, fault *f)
{
    rls2_error err;
    if (rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_PLAIN, &w->told, &err) != RLS2_OK)
        return fault_of(f, NULL, &err);
    w->reading = state_reading(s, json_string_value(json_object_get(asked, "data")));
    int code = plan_set_json(w->told, w->reading, f);
    return code ? code : plan_set_json(w->told, json_object_get(asked, "settings"), f);
}

/* ---- files ---- */

static void name_other(state *s, const json_t *asked, const char *key, char name[256])
{
    const char *id = json_string_value(json_object_get(asked, key));
    if (id) state_data_name(s, id, name, 256);
}

/* Are the training rows those of the file, one after another? */
static int is_undivided(const run_plan *p)
{
    const int64_t *rows;
    int64_t count = rls2_plan_rows(p->plan, RLS2_PART_TRAINING, &rows);
    if (count != rls2_table_rows(run_plan_file(p))) return 0;
    for (int64_t i = 0; i < count; i++)
        if (rows[i] != i) return 0;
    return 1;
}

/* Does pandas take the cells for what the library does, with nothing to be found out? */
static int is_plain(const wish *w)
{
    const rls2_table *file = run_plan_file(&w->plan);
    return rls2_table_delimiter(file) && rls2_table_delimiter(file) != ' ' &&
           rls2_table_note_count(file) == 0 && !rls2_table_row_names(file) &&
           !json_object_get(w->reading, "header") && !json_object_get(w->reading, "decimal") &&
           !json_object_get(w->reading, "na");
}

/* Python reads the file where pandas can and no rows of it are set aside. */
static void name_tables(state *s, const json_t *asked, wish *w)
{
    name_other(s, asked, "data", w->file);
    name_other(s, asked, "test_data", w->test);
    name_other(s, asked, "validation_data", w->validation);
    memcpy(w->table, w->file, sizeof w->table);
    if (is_plain(w) && is_undivided(&w->plan)) return;
    int stem = (int)strcspn(w->file + 1, ".") + 1; /* a dot at the start is part of the name */
    w->divided = 1;
    snprintf(w->table, sizeof w->table, "%.*s-training.csv", stem > 200 ? 200 : stem, w->file);
}

/* ---- the answer ---- */

static void put_file(FILE *out, const char *option, const char *name)
{
    char *quoted = NULL;
    if (!name[0] || rls2_text_quote(name, RLS2_VOICE_COMMAND, &quoted, NULL) != RLS2_OK) return;
    fprintf(out, "%s%s%s", option, name[0] == '-' ? "./" : "", quoted); /* no option */
    rls2_text_free(quoted);
}

static char *shell_line(const wish *w)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    int path = !w->point && !chooses(w);
    fprintf(out, "rls2 %s", path ? "path" : "train");
    put_file(out, " ", w->file);
    put_file(out, " --test=", w->test);
    if (!w->point) put_file(out, " --validation=", w->validation);
    fputc(' ', out);
    int right = commands_retell(w, RLS2_VOICE_COMMAND, NULL, out);
    fputs(path ? " --json" : " -o model.rls2", out);
    if (fclose(out) == 0 && right) return text;
    free(text); /* not all of it */
    return NULL;
}

/* The command reads the file as it was opened, Python perhaps the training rows. */
static json_t *answer_of(const run *found, const wish *w)
{
    char *python = commands_python(w), *command = shell_line(w), table[80];
    snprintf(table, sizeof table, "/api/runs/%s/table.csv", found->id);
    json_t *json = command && python
                       ? json_pack("{s:o, s:o, s:o, s:o}", "command", json_words(command), "python",
                                   json_words(python), "file", json_words(w->table), "table",
                                   w->divided ? json_string(table) : json_null())
                       : NULL;
    free(command);
    free(python);
    return json;
}

static int tell(request *r, const run *found, const json_t *asked, wish *w, json_t **json, fault *f)
{
    int code = set_told(r->state, asked, w, f);
    if (!code) code = set_point(r, found, w, f);
    if (code) return code;
    name_tables(r->state, asked, w);
    *json = answer_of(found, w);
    return *json ? 0 : fault_memory(f);
}

int run_commands(request *r, reply *answer, fault *f)
{
    wish w = {0};
    run *found = state_run(r->state, r->parameter[0]);
    if (!found)
        return fault_say(f, HTTP_NONE, NULL, "there is no run with the id %s", r->parameter[0]);
    json_t *asked = detail_asked(r->state, found);
    int code = detail_plan(r->state, found, &w.plan, f);
    if (!code) code = tell(r, found, asked, &w, &answer->json, f);
    rls2_plan_free(w.told);
    run_plan_release(&w.plan);
    json_decref(w.reading);
    json_decref(asked);
    run_release(r->state, found);
    return code;
}
