/* GET /api/runs/ID/commands: the run as a line for a shell, and as lines of Python. */
#include "gui/server/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/table_columns.h"
#include "gui/server/detail.h"
#include "gui/server/routes.h"

static int is(const char *text, const char *other)
{
    return text && strcmp(text, other) == 0;
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

static int read_point(request *r, const run *found, wish *w, fault *f)
{
    int64_t i = request_number(r, "point", -1, 1000000);
    if (!request_query(r, "point")) return 0;
    if (i < 0) return fault_say(f, HTTP_BAD, "point", "point should be the number of a lambda");
    w->point = 1;
    int code = read_lambda(r->state, found, i, &w->lambda, f);
    return code ? code : read_lambda(r->state, found, 0, &w->top, f);
}

const char *commands_grid(const wish *w, char text[GRID_TEXT])
{
    char lo[32], hi[32];
    const asked *a = &w->problem->asked;
    const rls2_recipe *recipe = &w->problem->recipe;
    text[0] = '\0';
    if (a->lambdas && a->lambda_lo > 0.0)
        snprintf(text, GRID_TEXT, "%s:%s:%lld", columns_number(a->lambda_lo, lo),
                 columns_number(a->lambda_hi, hi), (long long)a->lambda_count);
    else if (!a->lambdas && w->point) /* by its ends, which the library makes so: the same bits */
        snprintf(text, GRID_TEXT, "%s:%s:%lld", columns_number(w->top * recipe->ratio, lo),
                 columns_number(w->top, hi), (long long)recipe->lambda_count);
    return text;
}

/* The table as uploaded, or the one the server makes where no option of the command divides the
 * rows so. */
static void name_tables(state *s, wish *w)
{
    const problem *p = w->problem;
    char name[200];
    int validates = is(p->asked.splits.kind, "validation") && !p->asked.splits.data;
    state_data_name(s, p->asked.data, name, sizeof name);
    snprintf(w->file, sizeof w->file, "%s", name);
    if (is(p->asked.test.kind, "data"))
        state_data_name(s, p->asked.test.data, w->test, sizeof w->test);
    if (p->asked.splits.data && is(p->asked.splits.kind, "validation"))
        state_data_name(s, p->asked.splits.data, w->validation, sizeof w->validation);
    w->no_validation = w->point && validates;
    if (!p->redrawn && !w->no_validation) return;
    problem_part_column(p, w->part, sizeof w->part);
    char *dot = strchr(name, '.');
    if (dot && dot != name) *dot = '\0';
    snprintf(w->file, sizeof w->file, "%s-divided.csv", name);
}

static json_t *answer_of(const run *found, const wish *w, const json_t *reading)
{
    char *command = commands_shell(w, reading), *python = commands_python(w, reading), table[80];
    snprintf(table, sizeof table, "/api/runs/%s/table.csv%s", found->id,
             w->no_validation ? "?validation=0" : "");
    json_t *json = command && python
                       ? json_pack("{s:o, s:o, s:o, s:o}", "command", json_words(command), "python",
                                   json_words(python), "file", json_words(w->file), "table",
                                   w->part[0] ? json_string(table) : json_null())
                       : NULL;
    free(command);
    free(python);
    return json;
}

int run_commands(request *r, reply *answer, fault *f)
{
    problem p = {0};
    wish w = {.problem = &p};
    run *found = state_run(r->state, r->parameter[0]);
    if (!found)
        return fault_say(f, HTTP_NONE, NULL, "there is no run with the id %s", r->parameter[0]);
    int code = detail_problem(r->state, found, &p, f);
    if (!code) code = read_point(r, found, &w, f);
    if (!code) {
        name_tables(r->state, &w);
        json_t *reading = state_reading(r->state, p.asked.data);
        answer->json = answer_of(found, &w, reading);
        json_decref(reading);
    }
    problem_release(&p);
    run_release(r->state, found);
    return code;
}
