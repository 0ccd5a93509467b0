/* What a sheet is made of: for the files that write it in one form or another. */
#ifndef RLS2_EXPERIMENTS_SHEET_PARTS_H
#define RLS2_EXPERIMENTS_SHEET_PARTS_H

#include "experiments/sheet.h"

typedef enum cell_kind { CELL_EMPTY = 0, CELL_TEXT, CELL_NUMBER, CELL_MEAN, CELL_TRUTH } cell_kind;

typedef struct cell {
    cell_kind kind;
    char *text; /* as it is shown; NULL if empty */
    double value;
    double deviation;
} cell;

typedef struct sheet_grid {
    int columns;
    char **names;
    int64_t rows;
    int64_t room;
    cell *cells; /* rows x columns, by rows */
} sheet_grid;

typedef enum part_kind { PART_PARAGRAPH, PART_TABLE, PART_FIGURE } part_kind;

typedef struct part {
    part_kind kind;
    char *id;
    char *text; /* of a paragraph; the caption */
    sheet_grid grid;
    char *svg;
} part;

typedef struct fact {
    char *key;
    double value;
} fact;

struct sheet {
    char *name;
    char *title;
    part *parts;
    int64_t part_count;
    fact *facts;
    int64_t fact_count;
    int filled;         /* cells of the last row */
    rls2_status status; /* of the first thing that could not be added */
    char misuse[160];   /* what that was */
};

/* The cell's text, "" where it is empty. */
const char *cell_text(const cell *c);
/* 1 if the column holds nothing but numbers: it is set flush right. */
int column_is_numeric(const sheet_grid *g, int column);

void sheet_write_json(const sheet *s, FILE *file);
void sheet_write_markdown(const sheet *s, FILE *file);
void sheet_write_csv(const sheet_grid *g, FILE *file);
void sheet_write_html(const sheet *s, FILE *file);
/* FOLDER/NAME/ID.svg as a PNG beside it. */
rls2_status sheet_write_png(const char *folder, const char *name, const char *id, rls2_error *err);

#endif
