/* Reads the list of sources, checking names, sizes, checksums and addresses. */
#include "experiments/sources.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/checksum.h"
#include "experiments/experiment.h"
#include "experiments/files.h"

/* It is put into a folder, never anywhere else, and shown on a terminal. The letters are spelt out:
 * isalnum would ask the locale. */
static int is_plain_name(const char *name)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    return name[0] != '.' && name[0] != '-' && name[strspn(name, allowed)] == '\0';
}

static int is_address(const char *text)
{
    return strncmp(text, "https://", 8) == 0 || strncmp(text, "http://", 7) == 0;
}

static int read_size(const char *text, int64_t *size)
{
    *size = -1;
    if (strcmp(text, "-") == 0) return 1;
    if (text[strspn(text, "0123456789")] != '\0') return 0;
    errno = 0;
    *size = strtoll(text, NULL, 10);
    return errno == 0;
}

/* What is wrong with the line, NULL if nothing is. */
static const char *read_line(char *line, source *s)
{
    char *rest = NULL, *size;
    s->file = strtok_r(line, " \t\r", &rest);
    size = strtok_r(NULL, " \t\r", &rest);
    s->checksum = strtok_r(NULL, " \t\r", &rest);
    s->address = strtok_r(NULL, " \t\r", &rest);
    if (!s->address || strtok_r(NULL, " \t\r", &rest))
        return "a line is the name of a file, its size, its checksum and its address";
    if (!is_plain_name(s->file))
        return "the name of the file must be letters, digits, '.', '_' and '-' alone, and begin "
               "with none of "
               "'.' and '-'";
    if (!read_size(size, &s->size)) return "the size is a number of bytes, or -";
    if (!checksum_is_valid(s->checksum)) return "the checksum is sha256:... or gitblob:...";
    return is_address(s->address) ? NULL : "the address begins with https:// or http://";
}

static int is_blank(const char *line)
{
    line += strspn(line, " \t\r");
    return *line == '\0' || *line == '#';
}

/* A zero would end the list early, without a word. */
static rls2_status check_text(const char *path, const char *text, size_t length, rls2_error *err)
{
    size_t seen = strlen(text);
    int number = 1;
    if (seen == length) return RLS2_OK;
    for (size_t i = 0; i < seen; i++) number += text[i] == '\n';
    return experiment_fail(err, RLS2_ERR_SYNTAX, "%s:%d: there is a zero byte: this is not a text",
                           path, number);
}

static rls2_status read_lines(const char *path, sources *list, rls2_error *err)
{
    int number = 0;
    char *rest = list->text;
    for (char *line; (line = strsep(&rest, "\n"));) {
        number++;
        if (is_blank(line)) continue;
        source *items = realloc(list->items, (size_t)(list->count + 1) * sizeof *items);
        if (!items)
            return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for the list of sources");
        list->items = items;
        const char *wrong = read_line(line, &items[list->count]);
        if (wrong) return experiment_fail(err, RLS2_ERR_SYNTAX, "%s:%d: %s", path, number, wrong);
        list->count++;
    }
    return RLS2_OK;
}

rls2_status sources_read(const char *path, sources *list, rls2_error *err)
{
    size_t length = strlen(sources_text);
    memset(list, 0, sizeof *list);
    list->text = path ? files_read(path, &length) : strdup(sources_text);
    if (!list->text && path && errno != ENOMEM)
        return experiment_fail(err, RLS2_ERR_IO, "%s: %s", path, strerror(errno));
    if (!list->text)
        return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for the list of sources");
    const char *name = path ? path : "experiments/sources.txt";
    rls2_status status = check_text(name, list->text, length, err);
    return status == RLS2_OK ? read_lines(name, list, err) : status;
}

void sources_free(sources *list)
{
    free(list->text);
    free(list->items);
    memset(list, 0, sizeof *list);
}
