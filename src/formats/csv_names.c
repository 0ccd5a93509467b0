/* Completes the names of a header. New names are none of the header's own, wherever that stands. */
#include "formats/csv_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/lookup.h"
#include "base/number.h"

/* Columns that were given a name, and the first of them, -1: none. */
typedef struct renamed {
    int64_t count, first;
} renamed;

typedef struct namer {
    rls2_table *table;
    rls2__lookup *names; /* all that are taken */
    int64_t *copies;     /* names of the header: 0 until it is met, then the last number it got */
    renamed unnamed;     /* row names apart */
    renamed repeated;
} namer;

static rls2_status fail_memory(rls2_error *err)
{
    return rls2__fail_memory(err, "the column names");
}

/* The column becomes STEM, or STEM with the first number from *number on that is not taken. */
static rls2_status name_anew(namer *n, int64_t j, const char *stem, int64_t *number,
                             rls2_error *err)
{
    size_t size = strlen(stem) + 24;
    char *name = rls2__arena_alloc(n->table->arena, (int64_t)size);
    if (!name) return fail_memory(err);
    for (;; ++*number) {
        if (*number > 0)
            snprintf(name, size, "%s%" PRId64, stem, *number);
        else
            snprintf(name, size, "%s", stem);
        if (rls2__lookup_find(n->names, name) < 0) break;
    }
    n->table->names[j] = name;
    return rls2__lookup_add(n->names, name) < 0 ? fail_memory(err) : RLS2_OK;
}

static void count_renamed(renamed *r, int64_t j)
{
    if (r->count++ == 0) r->first = j;
}

static rls2_status name_unnamed(namer *n, int64_t j, rls2_error *err)
{
    int64_t number = j == 0 ? 0 : j + 1;
    if (j == 0) n->table->row_names = 0;
    if (j > 0) count_renamed(&n->unnamed, j);
    return name_anew(n, j, j == 0 ? "row" : "column", &number, err);
}

/* NAME.1, NAME.2, ... as R and pandas do it. */
static rls2_status name_repeated(namer *n, int64_t j, int64_t *copies, rls2_error *err)
{
    char *stem = rls2__alloc((int64_t)strlen(n->table->names[j]) + 2, 1);
    if (!stem) return fail_memory(err);
    sprintf(stem, "%s.", n->table->names[j]);
    count_renamed(&n->repeated, j);
    rls2_status status = name_anew(n, j, stem, copies, err);
    ++*copies;
    rls2__free(stem);
    return status;
}

static rls2_status complete_name(namer *n, int64_t j, rls2_error *err)
{
    const char *name = n->table->names[j];
    if (*name == '\0') return name_unnamed(n, j, err);
    int64_t *copies = &n->copies[rls2__lookup_find(n->names, name)];
    if (*copies > 0) return name_repeated(n, j, copies, err);
    *copies = 1;
    return RLS2_OK;
}

/* ---- notes ---- */

static rls2_status note_names(const namer *n, const char *repeated, rls2_error *err)
{
    rls2_table *table = n->table;
    rls2_status status = RLS2_OK;
    int64_t j = n->unnamed.first, more = n->unnamed.count - 1;
    if (table->row_names == 0)
        status = rls2__table_add_note(table, err,
                                      "the first column has no name: it is taken for row names");
    if (status == RLS2_OK && n->unnamed.count > 0)
        status =
            rls2__table_add_note(table, err, "column %" PRId64 " has no name: it is called '%s'%s",
                                 j + 1, table->names[j], more > 0 ? ", others likewise" : "");
    j = n->repeated.first;
    more = n->repeated.count - 1;
    if (status == RLS2_OK && n->repeated.count > 0)
        status = rls2__table_add_note(
            table, err, "column %" PRId64 " has the name of another, '%s': it is called '%s'%s",
            j + 1, rls2__show(repeated).text, rls2__show(table->names[j]).text,
            more > 0 ? ", others likewise" : "");
    return status;
}

/* ---- errors ---- */

/* Names that are numbers are most likely data. */
static rls2_status fail_same_name(const rls2_table *table, int64_t line, rls2_error *err)
{
    double value;
    const char *name = table->names[0];
    return rls2__fail(err, RLS2_ERR_SYNTAX,
                      "%s:%" PRId64 ": columns 1 and 2 have the same name '%s'%s", table->name,
                      line, rls2__show(name).text,
                      rls2__number_read(name, &value) ? "; is there no line of names?" : "");
}

/* One text in all cells names nothing. */
static rls2_status check_names(const rls2_table *table, int64_t line, rls2_error *err)
{
    for (int64_t j = 1; j < table->columns; j++)
        if (strcmp(table->names[0], table->names[j]) != 0) return RLS2_OK;
    if (*table->names[0] == '\0')
        return rls2__fail(err, RLS2_ERR_SYNTAX,
                          "%s:%" PRId64 ": column 1 has no name; give it one in the first line",
                          table->name, line);
    return table->columns > 1 ? fail_same_name(table, line, err) : RLS2_OK;
}

static rls2_status complete(namer *n, rls2_error *err)
{
    const char **names = n->table->names, *repeated = "";
    for (int64_t j = 0; j < n->table->columns; j++)
        if (*names[j] && rls2__lookup_add(n->names, names[j]) < 0) return fail_memory(err);
    for (int64_t j = 0; j < n->table->columns; j++) {
        const char *given = names[j];
        rls2_status status = complete_name(n, j, err);
        if (status != RLS2_OK) return status;
        if (n->repeated.count == 1 && n->repeated.first == j) repeated = given;
    }
    return note_names(n, repeated, err);
}

rls2_status rls2__csv_complete_names(rls2_table *table, int64_t line, rls2_error *err)
{
    namer n = {.table = table};
    rls2_status status = check_names(table, line, err);
    if (status != RLS2_OK) return status;
    n.names = rls2__lookup_create();
    n.copies = rls2__alloc_zero(table->columns, sizeof *n.copies);
    status = n.names && n.copies ? complete(&n, err) : fail_memory(err);
    rls2__lookup_free(n.names);
    rls2__free(n.copies);
    return status;
}
