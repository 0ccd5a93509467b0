/* What an experiment has to show: paragraphs, tables and figures, in the order they were added.
 *
 * Written to FOLDER/NAME/: tables.json, tables.md, TABLE.csv for each table, FIGURE.svg for each
 * figure and, where the program rsvg-convert is installed, FIGURE.png; and page.html, its part of
 * FOLDER/index.html, which shows all that are in the folder. Every file appears whole or not at
 * all. */
#ifndef RLS2_EXPERIMENTS_SHEET_H
#define RLS2_EXPERIMENTS_SHEET_H

#include <stdint.h>
#include <stdio.h>

#include "experiments/chart.h"
#include "rls2/status.h"

typedef struct sheet sheet;

/* name: of the folder; title: a heading. Texts are copied everywhere. All functions that add
 * something return 0 when out of memory (and then sheet_write fails with RLS2_ERR_MEMORY, so that a
 * caller need not check each), or when misused: a cell too many, an id that is no file name or
 * there already (RLS2_ERR_ARGUMENT). NULL when out of memory. */
sheet *sheet_create(const char *name, const char *title);
void sheet_free(sheet *s);

/* Plain text; escaped where it must be. */
int sheet_paragraph(sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A table with an id for file names (such as "tab3"), a caption, and columns. */
int sheet_table(sheet *s, const char *id, const char *caption, int columns,
                const char *const *names);
/* Appends a row to the table added last; then its cells, from left to right. What is not filled
 * stays empty. */
int sheet_row(sheet *s);
int sheet_text(sheet *s, const char *text);
/* A number: in JSON exact, elsewhere in this printf format ("%.3f"); NaN is empty (null). */
int sheet_number(sheet *s, double value, const char *format);
/* "mean (deviation)" in text, {mean, deviation} in JSON; both in the format. */
int sheet_mean(sheet *s, double mean, double deviation, const char *format);
/* Yes or no; in JSON true or false. */
int sheet_truth(sheet *s, int value);

/* A figure with an id ("fig01") and a caption; the chart is drawn at once and may go. */
int sheet_figure(sheet *s, const char *id, const char *caption, const chart *c);

/* A number for programs alone, at the top of tables.json: "facts": {key: value}. */
int sheet_fact(sheet *s, const char *key, double value);

rls2_status sheet_write(const sheet *s, const char *folder, rls2_error *err);
/* Paragraphs and tables as text for a terminal: lines of 80 characters, aligned columns under their
 * captions. */
void sheet_print(const sheet *s, FILE *file);

/* 1 if sheet_write makes PNG files too: the program rsvg-convert, or the one that the variable
 * RLS2_RSVG_CONVERT names, is there. */
int sheet_has_png(void);

/* FOLDER/index.html from the page.html of every experiment that is there, in the given order of
 * names. arguments: what `rls2 reproduce` is to be given for each, told where it is not there. */
rls2_status sheet_index(const char *folder, int count, const char *const *names,
                        const char *const *arguments, rls2_error *err);

#endif
