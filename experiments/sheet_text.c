/* A sheet as text: for a terminal, as Markdown, its tables as CSV. */
#include <string.h>

#include "experiments/escape.h"
#include "experiments/sheet_parts.h"

/* ---- for a terminal ---- */

static int column_width(const sheet_grid *g, int column)
{
    int width = escape_width(g->names[column]);
    for (int64_t i = 0; i < g->rows; i++) {
        int own = escape_width(cell_text(&g->cells[i * g->columns + column]));
        width = own > width ? own : width;
    }
    return width;
}

static void print_cell(FILE *file, const char *text, int width, int right, int last)
{
    int pad = width - escape_width(text);
    fputs("  ", file);
    if (right) fprintf(file, "%*s", pad, "");
    escape_text(file, text);
    if (!right && !last) fprintf(file, "%*s", pad, "");
}

/* The cells of a row; the names where row is -1. */
static void print_row(FILE *file, const sheet_grid *g, int64_t row)
{
    int last = g->columns - 1;
    while (row >= 0 && last >= 0 && !cell_text(&g->cells[row * g->columns + last])[0]) last--;
    for (int j = 0; j <= last; j++) {
        const char *text = row < 0 ? g->names[j] : cell_text(&g->cells[row * g->columns + j]);
        print_cell(file, text, column_width(g, j), column_is_numeric(g, j), j == last);
    }
    fputc('\n', file);
}

/* Lines of at most 80 characters, broken at blanks. */
static void print_filled(FILE *file, const char *text)
{
    int column = 0;
    for (char word[512]; *(text += strspn(text, " \n"));) {
        size_t length = strcspn(text, " \n");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        int width = escape_width(word);
        if (column > 0 && column + 1 + width > 80) {
            fputc('\n', file);
            column = 0;
        }
        if (column > 0) fputc(' ', file);
        escape_text(file, word);
        column += (column > 0) + width;
        text += length;
    }
}

static void print_grid(FILE *file, const part *p)
{
    const sheet_grid *g = &p->grid;
    print_filled(file, p->text);
    fputs("\n\n", file);
    print_row(file, g, -1);
    for (int64_t i = 0; i < g->rows; i++) print_row(file, g, i);
    fputc('\n', file);
}

/* The paragraphs too: caveats belong to the numbers. */
void sheet_print(const sheet *s, FILE *file)
{
    escape_text(file, s->title);
    fputs("\n\n", file);
    for (int64_t i = 0; i < s->part_count; i++) {
        const part *p = &s->parts[i];
        if (p->kind == PART_TABLE) print_grid(file, p);
        if (p->kind != PART_PARAGRAPH) continue;
        print_filled(file, p->text);
        fputs("\n\n", file);
    }
}

/* ---- Markdown ---- */

static void markdown_grid(FILE *file, const sheet_grid *g)
{
    for (int j = 0; j < g->columns; j++) {
        fputs("| ", file);
        escape_markdown(file, g->names[j]);
        fputc(' ', file);
    }
    fputs("|\n", file);
    for (int j = 0; j < g->columns; j++) fputs(column_is_numeric(g, j) ? "|---:" : "|---", file);
    fputs("|\n", file);
    for (int64_t i = 0; i < g->rows * g->columns; i++) {
        fputs("| ", file);
        escape_markdown(file, cell_text(&g->cells[i]));
        fputs((i + 1) % g->columns ? " " : " |\n", file);
    }
}

static void markdown_part(FILE *file, const part *p)
{
    if (p->kind == PART_FIGURE) fputs("![", file);
    escape_markdown(file, p->text);
    if (p->kind == PART_FIGURE) fprintf(file, "](%s.svg)", p->id);
    fputs("\n\n", file);
    if (p->kind != PART_TABLE) return;
    markdown_grid(file, &p->grid);
    fputc('\n', file);
}

void sheet_write_markdown(const sheet *s, FILE *file)
{
    fputs("# ", file);
    escape_markdown(file, s->title);
    fputs("\n\n", file);
    for (int64_t i = 0; i < s->part_count; i++) markdown_part(file, &s->parts[i]);
}

/* ---- CSV ---- */

void sheet_write_csv(const sheet_grid *g, FILE *file)
{
    for (int j = 0; j < g->columns; j++) {
        if (j > 0) fputc(',', file);
        escape_csv(file, g->names[j]);
    }
    fputc('\n', file);
    for (int64_t i = 0; i < g->rows * g->columns; i++) {
        escape_csv(file, cell_text(&g->cells[i]));
        fputc((i + 1) % g->columns ? ',' : '\n', file);
    }
}
