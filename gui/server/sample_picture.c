/* GET /api/data/builtin?name=: some rows of a table that comes along, for a small picture.
 *
 * Drawn are the columns that go along with the target most: one of them against the target, or two
 * of them where the target is classes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gui/server/routes.h"
#include "gui/server/table_columns.h"
#include "rls2/table.h"

enum { MOST_POINTS = 150, MANY_VALUES = 10 };

/* The target as a number; a class is 0 where it is that of the first row, else 1. */
static double response(const rls2_table *table, int64_t row, int64_t target, int classes)
{
    if (!classes) return rls2_table_value(table, row, target);
    char text[32];
    return !rls2_table_holds(table, row, target, columns_cell(table, 0, target, text));
}

/* The square of Pearson's correlation with the target over rows that have both. */
static double likeness(const rls2_table *table, int64_t column, int64_t target, int classes)
{
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
    for (int64_t i = 0; i < rls2_table_rows(table); i++) {
        double a = rls2_table_value(table, i, column), b = response(table, i, target, classes);
        if (isnan(a) || isnan(b)) continue;
        double dx = a - x, dy = b - y;
        n += 1.0;
        x += dx / n;
        y += dy / n;
        xx += dx * (a - x);
        yy += dy * (b - y);
        xy += dx * (b - y);
    }
    return xx > 0.0 && yy > 0.0 ? xy * xy / (xx * yy) : 0.0;
}

/* The column of numbers that is most like the target, but `but`; -1: there is none. Points of a few
 * values lie on each other, so these come last. */
static int64_t most_like(const rls2_table *table, int64_t target, int classes, int64_t but)
{
    int64_t best = -1;
    double most = -1.0;
    for (int64_t j = 0; j < rls2_table_columns(table); j++) {
        if (j == target || j == but || rls2_table_kind(table, j) != RLS2_COLUMN_NUMBERS) continue;
        double like = likeness(table, j, target, classes);
        if (rls2_table_distinct(table, j, MANY_VALUES) < MANY_VALUES) like /= 10.0;
        if (like > most) {
            most = like;
            best = j;
        }
    }
    return best;
}

static json_t *picture_of(const rls2_table *table, const char *wanted)
{
    int64_t target = rls2_table_find(table, wanted), rows = rls2_table_rows(table);
    int classes =
        !rls2_table_is_numeric(table, target) || rls2_table_distinct(table, target, 3) < 3;
    int64_t x = most_like(table, target, classes, -1),
            y = classes ? most_like(table, target, classes, x) : target;
    json_t *xs = json_array(), *ys = json_array(), *group = json_array();
    int64_t step = rows / MOST_POINTS + 1;
    for (int64_t i = 0; x >= 0 && y >= 0 && i < rows; i += step) {
        double a = rls2_table_value(table, i, x), b = rls2_table_value(table, i, y);
        if (isnan(a) || isnan(b)) continue;
        json_array_append_new(xs, json_real(a));
        json_array_append_new(ys, json_real(b));
        if (classes)
            json_array_append_new(group, json_integer((json_int_t)response(table, i, target, 1)));
    }
    json_t *made =
        json_pack("{s:o, s:o, s:o, s:o}", "x_name", json_words(rls2_table_column_name(table, x)),
                  "y_name", json_words(rls2_table_column_name(table, y)), "x", xs, "y", ys);
    if (made && classes) json_object_set(made, "group", group);
    json_decref(group);
    return made;
}

int data_sample_picture(request *r, reply *answer, fault *f)
{
    char path[STORE_PATH];
    size_t length = 0;
    rls2_error err;
    rls2_table *table = NULL;
    const char *name = request_query(r, "name"), *target = data_sample_target(name);
    if (!target) return fault_say(f, HTTP_NONE, "name", "there is no table of that name");
    snprintf(path, sizeof path, "%s/%s.csv", r->state->samples, name);
    char *bytes = r->state->samples[0] ? store_read_foreign(path, &length) : NULL;
    if (!bytes)
        return fault_say(f, HTTP_NONE, "name", "%s.csv is not among the files of this installation",
                         name);
    int code = 0;
    if (rls2_table_parse(name, bytes, (int64_t)length, NULL, &table, &err) != RLS2_OK)
        code = fault_of(f, "name", &err);
    else if (rls2_table_find(table, target) < 0)
        code = fault_say(f, HTTP_FAILED, "name", "%s.csv has no column '%s'", name, target);
    else if (!(answer->json = picture_of(table, target)))
        code = fault_memory(f);
    rls2_table_free(table);
    free(bytes);
    return code;
}
