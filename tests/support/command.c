/* Runs the command in a folder of its own and reads what it printed. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "support/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- the folder ---- */

static char own_folder[] = "/tmp/rls2-cli-XXXXXX";

int folder_make(void **state)
{
    (void)state;
    if (!getenv("RLS2_COMMAND")) {
        print_error("RLS2_COMMAND does not name the command\n");
        return 1;
    }
    setenv("RLS2", getenv("RLS2_COMMAND"), 1);
    if (!mkdtemp(own_folder)) return 1;
    return setenv("T", own_folder, 1);
}

int folder_remove(void **state)
{
    (void)state;
    return system("rm -rf -- \"$T\"");
}

const char *folder(void)
{
    return own_folder;
}

const char *in_folder(const char *name)
{
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", own_folder, name);
    return path;
}

void write_text(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

char *read_text(const char *path, long *length)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be opened", path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
    text[size] = '\0';
    fclose(file);
    if (length) *length = size;
    return text;
}

/* ---- commands ---- */

static printed run_line(const char *line)
{
    size_t room = strlen(line) + 64;
    char *whole = malloc(room);
    assert_non_null(whole);
    snprintf(whole, room, "{ %s\n} >\"$T/stdout\" 2>\"$T/stderr\"", line);
    int status = system(whole);
    free(whole);
    printed it = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
    it.out = read_text(in_folder("stdout"), NULL);
    it.err = read_text(in_folder("stderr"), NULL);
    return it;
}

static char *format_line(const char *before, const char *format, va_list arguments)
{
    static char line[65536];
    int used = snprintf(line, sizeof line, "%s", before);
    int more = vsnprintf(line + used, sizeof line - (size_t)used, format, arguments);
    assert_true(more >= 0 && (size_t)(used + more) < sizeof line);
    return line;
}

printed rls2_run(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printed it = run_line(format_line("\"$RLS2\" ", format, arguments));
    va_end(arguments);
    return it;
}

printed shell(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printed it = run_line(format_line("", format, arguments));
    va_end(arguments);
    return it;
}

void printed_free(printed *it)
{
    free(it->out);
    free(it->err);
    it->out = it->err = NULL;
}

static char *out_of(const char *line)
{
    printed it = run_line(line);
    if (it.code != 0) fail_msg("%s\nended with %d: %s", line, it.code, it.err);
    free(it.err);
    return it.out;
}

char *rls2_out(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *out = out_of(format_line("\"$RLS2\" ", format, arguments));
    va_end(arguments);
    return out;
}

json_t *rls2_json(const char *format, ...)
{
    va_list arguments;
    json_error_t error;
    va_start(arguments, format);
    const char *line = format_line("\"$RLS2\" ", format, arguments);
    char *out = out_of(line);
    va_end(arguments);
    json_t *root = json_loads(out, JSON_REJECT_DUPLICATES, &error);
    if (!root) fail_msg("%s\nis not JSON: line %d: %s", line, error.line, error.text);
    assert_true(json_is_object(root));
    free(out);
    return root;
}

/* ---- JSON ---- */

json_t *at(const json_t *root, const char *path)
{
    char words[256], *rest = NULL;
    const json_t *found = root;
    snprintf(words, sizeof words, "%s", path);
    for (char *word = strtok_r(words, ".", &rest); word; word = strtok_r(NULL, ".", &rest)) {
        found = json_is_array(found) ? json_array_get(found, (size_t)atol(word))
                                     : json_object_get(found, word);
        if (!found) fail_msg("there is no '%s' (at '%s')", path, word);
    }
    return (json_t *)(uintptr_t)found;
}

double number_at(const json_t *root, const char *path)
{
    json_t *found = at(root, path);
    if (!json_is_number(found)) fail_msg("'%s' is not a number", path);
    return json_number_value(found);
}

const char *text_at(const json_t *root, const char *path)
{
    json_t *found = at(root, path);
    if (!json_is_string(found)) fail_msg("'%s' is not a text", path);
    return json_string_value(found);
}

void assert_keys(const json_t *object, const char *keys)
{
    char got[1024] = "";
    const char *key;
    json_t *value;
    assert_true(json_is_object(object));
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        if (got[0]) strncat(got, " ", sizeof got - strlen(got) - 1);
        strncat(got, key, sizeof got - strlen(got) - 1);
    }
    assert_string_equal(got, keys);
}
