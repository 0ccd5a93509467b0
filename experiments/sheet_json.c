/* A sheet for programs:
 *
 *   {"experiment", "title", "version", "facts": {KEY: number}, "text": [paragraph],
 *    "tables": [{"id", "caption", "columns": [name], "rows": [[cell]]}],
 *    "figures": [{"id", "caption", "file"}]}
 *
 * A cell is a text, a number, true or false, {"mean", "deviation"}, or null. Nothing in it depends
 * on when or where it was written: same results, same bytes. Seconds that an experiment shows are
 * results too, and differ where it is computed anew; from its journal they are the same. */
#include "experiments/escape.h"
#include "experiments/sheet_parts.h"
#include "rls2/rls2.h"

static void write_cell(FILE *file, const cell *c)
{
    switch (c->kind) {
    case CELL_EMPTY: fputs("null", file); break;
    case CELL_TEXT: escape_json(file, c->text); break;
    case CELL_NUMBER: escape_json_number(file, c->value); break;
    case CELL_TRUTH: fputs(c->value > 0.0 ? "true" : "false", file); break;
    case CELL_MEAN:
        fputs("{\"mean\": ", file);
        escape_json_number(file, c->value);
        fputs(", \"deviation\": ", file);
        escape_json_number(file, c->deviation);
        fputc('}', file);
        break;
    }
}

static void write_head(FILE *file, const part *p)
{
    fputs("    {\"id\": ", file);
    escape_json(file, p->id);
    fputs(", \"caption\": ", file);
    escape_json(file, p->text);
}

static void write_table(FILE *file, const part *p)
{
    const sheet_grid *g = &p->grid;
    write_head(file, p);
    fputs(",\n     \"columns\": [", file);
    for (int j = 0; j < g->columns; j++) {
        if (j > 0) fputs(", ", file);
        escape_json(file, g->names[j]);
    }
    fputs("],\n     \"rows\": [", file);
    for (int64_t i = 0; i < g->rows; i++) {
        fputs(i > 0 ? ",\n       [" : "\n       [", file);
        for (int j = 0; j < g->columns; j++) {
            if (j > 0) fputs(", ", file);
            write_cell(file, &g->cells[i * g->columns + j]);
        }
        fputc(']', file);
    }
    fputs(g->rows > 0 ? "\n     ]}" : "]}", file);
}

static void write_figure(FILE *file, const part *p)
{
    write_head(file, p);
    fprintf(file, ", \"file\": \"%s.svg\"}", p->id);
}

static void write_paragraph(FILE *file, const part *p)
{
    fputs("    ", file);
    escape_json(file, p->text);
}

static void write_parts(const sheet *s, FILE *file, const char *key, part_kind kind,
                        void (*write)(FILE *file, const part *p))
{
    int64_t count = 0;
    fprintf(file, ",\n  \"%s\": [", key);
    for (int64_t i = 0; i < s->part_count; i++) {
        if (s->parts[i].kind != kind) continue;
        fputs(count++ > 0 ? ",\n" : "\n", file);
        write(file, &s->parts[i]);
    }
    fputs(count > 0 ? "\n  ]" : "]", file);
}

void sheet_write_json(const sheet *s, FILE *file)
{
    fputs("{\n  \"experiment\": ", file);
    escape_json(file, s->name);
    fputs(",\n  \"title\": ", file);
    escape_json(file, s->title);
    fputs(",\n  \"version\": ", file);
    escape_json(file, rls2_version());
    fputs(",\n  \"facts\": {", file);
    for (int64_t i = 0; i < s->fact_count; i++) {
        fputs(i > 0 ? ",\n    " : "\n    ", file);
        escape_json(file, s->facts[i].key);
        fputs(": ", file);
        escape_json_number(file, s->facts[i].value);
    }
    fputs(s->fact_count > 0 ? "\n  }" : "}", file);
    write_parts(s, file, "text", PART_PARAGRAPH, write_paragraph);
    write_parts(s, file, "tables", PART_TABLE, write_table);
    write_parts(s, file, "figures", PART_FIGURE, write_figure);
    fputs("\n}\n", file);
}
