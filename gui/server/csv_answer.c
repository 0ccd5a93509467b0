/* Writes cells, quoted where they must be, and sends the text as the answer. */
#include "gui/server/csv_answer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/table_columns.h"

int csv_begin(csv *c, fault *f)
{
    *c = (csv){0};
    c->file = open_memstream(&c->text, &c->length);
    return c->file ? 0 : fault_memory(f);
}

static void separate(csv *c)
{
    if (c->in_line++ > 0) fputc(',', c->file);
}

void csv_words(csv *c, const char *text)
{
    size_t length = strlen(text);
    int edges = length > 0 && (text[0] == ' ' || text[length - 1] == ' ');
    separate(c);
    if (!edges && !strpbrk(text, "\",;\t\r\n")) {
        fputs(text, c->file);
        return;
    }
    fputc('"', c->file);
    for (const char *at = text; *at; at++) {
        if (*at == '"') fputc('"', c->file);
        fputc(*at, c->file);
    }
    fputc('"', c->file);
}

void csv_number(csv *c, double value)
{
    char text[32];
    separate(c);
    fputs(isfinite(value) ? columns_number(value, text) : "NA", c->file);
}

void csv_integer(csv *c, int64_t value)
{
    separate(c);
    fprintf(c->file, "%" PRId64, value);
}

void csv_nothing(csv *c)
{
    separate(c);
    fputs("NA", c->file);
}

void csv_line(csv *c)
{
    fputc('\n', c->file);
    c->in_line = 0;
}

int csv_send(csv *c, int code, const char *name, reply *answer, fault *f)
{
    int written = !c->file || (fflush(c->file) == 0 && !ferror(c->file));
    if (c->file) fclose(c->file);
    if (!code && !written) code = fault_memory(f);
    if (code) {
        free(c->text);
        return code;
    }
    answer->bytes = c->text;
    answer->length = c->length;
    answer->type = "text/csv; charset=utf-8";
    snprintf(answer->file_name, sizeof answer->file_name, "%s", name);
    return 0;
}
