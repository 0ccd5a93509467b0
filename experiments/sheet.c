/* A sheet as it grows. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/sheet_parts.h"

/* ---- what goes wrong ---- */

static int out_of_memory(sheet *s)
{
    if (s->status == RLS2_OK) s->status = RLS2_ERR_MEMORY;
    return 0;
}

static int misused(sheet *s, const char *id, const char *what)
{
    if (s->status != RLS2_OK) return 0;
    s->status = RLS2_ERR_ARGUMENT;
    snprintf(s->misuse, sizeof s->misuse, "sheet '%s', '%s': %s", s->name, id ? id : "", what);
    return 0;
}

/* ---- making and freeing ---- */

/* It becomes the name of a file. */
static int is_id(const char *id)
{
    for (const char *c = id; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("-_.", *c)) return 0;
    return id[0] != '\0' && id[0] != '.' && id[0] != '-';
}

sheet *sheet_create(const char *name, const char *title)
{
    sheet *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->name = strdup(name);
    s->title = strdup(title);
    if (!s->name || !s->title) {
        sheet_free(s);
        return NULL;
    }
    if (!is_id(name)) misused(s, NULL, "the name is letters, digits, '-', '_' and '.'");
    return s;
}

static void free_grid(sheet_grid *g)
{
    for (int64_t i = 0; i < g->rows * g->columns; i++) free(g->cells[i].text);
    for (int j = 0; g->names && j < g->columns; j++) free(g->names[j]);
    free(g->cells);
    free(g->names);
}

static void free_part(part *p)
{
    free_grid(&p->grid);
    free(p->id);
    free(p->text);
    free(p->svg);
}

void sheet_free(sheet *s)
{
    if (!s) return;
    for (int64_t i = 0; i < s->part_count; i++) free_part(&s->parts[i]);
    for (int64_t i = 0; i < s->fact_count; i++) free(s->facts[i].key);
    free(s->parts);
    free(s->facts);
    free(s->name);
    free(s->title);
    free(s);
}

/* ---- parts ---- */

/* Room for one more of `size` bytes; the array is of a handful, so that it may grow one by one. */
static void *one_more(void *array, int64_t count, size_t size)
{
    return realloc(array, (size_t)(count + 1) * size);
}

/* Takes over what the part owns, also where it fails. */
static int append(sheet *s, part *p)
{
    part *parts = one_more(s->parts, s->part_count, sizeof *parts);
    if (!parts || !p->text) {
        if (parts) s->parts = parts;
        free_part(p);
        return out_of_memory(s);
    }
    s->parts = parts;
    s->parts[s->part_count++] = *p;
    return 1;
}

int sheet_paragraph(sheet *s, const char *format, ...)
{
    part p = {.kind = PART_PARAGRAPH};
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&p.text, format, arguments) < 0) p.text = NULL;
    va_end(arguments);
    return append(s, &p);
}

/* 0, and the sheet is spoilt, if no table or figure may have this id. */
static int check_id(sheet *s, const char *id)
{
    if (!is_id(id)) return misused(s, id, "an id is letters, digits, '-', '_' and '.'");
    if (strcmp(id, "tables") == 0 || strcmp(id, "page") == 0)
        return misused(s, id, "the id is the name of another file");
    for (int64_t i = 0; i < s->part_count; i++)
        if (s->parts[i].id && strcmp(s->parts[i].id, id) == 0)
            return misused(s, id, "the id is there already");
    return 1;
}

static int copy_names(sheet_grid *g, int columns, const char *const *names)
{
    g->names = calloc((size_t)columns, sizeof *g->names);
    if (!g->names) return 0;
    g->columns = columns;
    for (int j = 0; j < columns; j++)
        if (!(g->names[j] = strdup(names[j]))) return 0;
    return 1;
}

int sheet_table(sheet *s, const char *id, const char *caption, int columns,
                const char *const *names)
{
    part p = {.kind = PART_TABLE};
    if (columns < 1) return misused(s, id, "a table has columns");
    if (!check_id(s, id)) return 0;
    p.id = strdup(id);
    if (p.id && copy_names(&p.grid, columns, names)) p.text = strdup(caption);
    return append(s, &p);
}

int sheet_figure(sheet *s, const char *id, const char *caption, const chart *c)
{
    part p = {.kind = PART_FIGURE};
    if (!check_id(s, id)) return 0;
    p.id = strdup(id);
    p.svg = chart_svg(c);
    if (p.id && p.svg) p.text = strdup(caption);
    return append(s, &p);
}

int sheet_fact(sheet *s, const char *key, double value)
{
    fact *facts = one_more(s->facts, s->fact_count, sizeof *facts);
    char *copy = strdup(key);
    if (facts) s->facts = facts;
    if (!facts || !copy) {
        free(copy);
        return out_of_memory(s);
    }
    s->facts[s->fact_count++] = (fact){copy, value};
    return 1;
}

/* ---- rows and cells ---- */

/* The table that grows, or NULL. */
static part *last_table(sheet *s)
{
    for (int64_t i = s->part_count; i > 0; i--)
        if (s->parts[i - 1].kind == PART_TABLE) return &s->parts[i - 1];
    return NULL;
}

int sheet_row(sheet *s)
{
    part *p = last_table(s);
    if (!p) return misused(s, NULL, "a row needs a table");
    sheet_grid *g = &p->grid;
    if (g->rows == g->room) {
        int64_t room = g->room ? 2 * g->room : 16;
        cell *cells = realloc(g->cells, (size_t)(room * g->columns) * sizeof *cells);
        if (!cells) return out_of_memory(s);
        g->cells = cells;
        g->room = room;
    }
    memset(g->cells + g->rows * g->columns, 0, (size_t)g->columns * sizeof *g->cells);
    g->rows++;
    s->filled = 0;
    return 1;
}

/* The next cell of the last row, or NULL. */
static cell *next_cell(sheet *s)
{
    part *p = last_table(s);
    if (!p || p->grid.rows == 0) {
        misused(s, p ? p->id : NULL, "a cell needs a row");
        return NULL;
    }
    if (s->filled == p->grid.columns) {
        misused(s, p->id, "more cells than columns");
        return NULL;
    }
    return &p->grid.cells[(p->grid.rows - 1) * p->grid.columns + s->filled++];
}

static int fill(sheet *s, cell_kind kind, char *text, double value, double deviation)
{
    cell *c = text ? next_cell(s) : NULL;
    if (!text) return out_of_memory(s);
    if (!c) {
        free(text);
        return 0;
    }
    *c = (cell){kind, text, value, deviation};
    return 1;
}

int sheet_text(sheet *s, const char *text)
{
    return fill(s, text[0] ? CELL_TEXT : CELL_EMPTY, strdup(text), 0.0, 0.0);
}

/* "-0.000" is 0.000. */
static char *number_text(double value, const char *format)
{
    char *text;
    if (asprintf(&text, format, value) < 0) return NULL;
    if (text[0] == '-' && !strpbrk(text, "123456789in")) memmove(text, text + 1, strlen(text));
    return text;
}

int sheet_number(sheet *s, double value, const char *format)
{
    if (isnan(value)) return sheet_text(s, "");
    return fill(s, CELL_NUMBER, number_text(value, format), value, 0.0);
}

int sheet_mean(sheet *s, double mean, double deviation, const char *format)
{
    char *text = NULL;
    if (isnan(mean)) return sheet_text(s, "");
    char *a = number_text(mean, format), *b = number_text(deviation, format);
    if (!a || !b || asprintf(&text, "%s (%s)", a, b) < 0) text = NULL;
    if (text && isnan(deviation)) strcpy(text, a);
    free(a);
    free(b);
    return fill(s, CELL_MEAN, text, mean, deviation);
}

int sheet_truth(sheet *s, int value)
{
    return fill(s, CELL_TRUTH, strdup(value ? "yes" : "no"), value ? 1.0 : 0.0, 0.0);
}

/* ---- for those that write it ---- */

const char *cell_text(const cell *c)
{
    return c->text ? c->text : "";
}

int column_is_numeric(const sheet_grid *g, int column)
{
    int numbers = 0;
    for (int64_t i = 0; i < g->rows; i++) {
        cell_kind kind = g->cells[i * g->columns + column].kind;
        if (kind == CELL_TEXT || kind == CELL_TRUTH) return 0;
        numbers += kind != CELL_EMPTY;
    }
    return numbers > 0;
}
