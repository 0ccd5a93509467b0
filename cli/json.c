/* JSON, written as it comes. */
#include "cli/json.h"

#include <inttypes.h>
#include <math.h>

#include "cli/output.h"
#include "experiments/escape.h"

/* ---- structure ---- */

json json_start(FILE *file)
{
    json j = {.file = file, .first = 1};
    return j;
}

static int on_one_line(const json *j)
{
    return j->inline_depth > 0 && j->depth >= j->inline_depth;
}

static void new_line(const json *j)
{
    fprintf(j->file, "\n%*s", 2 * j->depth, "");
}

/* What stands before a value: comma, line, key. */
static void begin_value(json *j, const char *key)
{
    if (!j->first) fputc(',', j->file);
    if (j->depth > 0 && !on_one_line(j))
        new_line(j);
    else if (!j->first)
        fputc(' ', j->file);
    if (key) {
        escape_json(j->file, key);
        fputs(": ", j->file);
    }
    j->first = 0;
}

static void open_container(json *j, const char *key, char bracket)
{
    begin_value(j, key);
    fputc(bracket, j->file);
    j->depth++;
    j->first = 1;
}

static void close_container(json *j, char bracket)
{
    int empty = j->first, one_line = on_one_line(j);
    j->depth--;
    if (!empty && !one_line) new_line(j);
    fputc(bracket, j->file);
    j->first = 0;
}

void json_object(json *j, const char *key)
{
    open_container(j, key, '{');
}

void json_array(json *j, const char *key)
{
    open_container(j, key, '[');
}

void json_end_object(json *j)
{
    close_container(j, '}');
}

void json_end_array(json *j)
{
    close_container(j, ']');
}

void json_number(json *j, const char *key, double value)
{
    char buffer[32];
    begin_value(j, key);
    fputs(isfinite(value) ? number_text(value, buffer) : "null", j->file);
}

void json_integer(json *j, const char *key, int64_t value)
{
    begin_value(j, key);
    fprintf(j->file, "%" PRId64, value);
}

void json_text(json *j, const char *key, const char *value)
{
    begin_value(j, key);
    if (value)
        escape_json(j->file, value);
    else
        fputs("null", j->file);
}

void json_truth(json *j, const char *key, int value)
{
    begin_value(j, key);
    fputs(value ? "true" : "false", j->file);
}

void json_finish(json *j)
{
    fputc('\n', j->file);
}
