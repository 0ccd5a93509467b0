#include "table/table.h"

#include <string.h>

enum { MAX_EDITS = 2, MAX_NAME = 63 };

void rls2_table_free(rls2_table *table)
{
    if (!table) return;
    rls2__free(table->text);
    rls2__free(table->row_start);
    rls2__free(table->row_line);
    rls2__free(table->cell);
    rls2__arena_free(table->arena);
    rls2__free(table);
}

int64_t rls2_table_rows(const rls2_table *table)
{
    return table ? table->rows : -1;
}

int64_t rls2_table_columns(const rls2_table *table)
{
    return table ? table->columns : -1;
}

static int has_column(const rls2_table *table, int64_t column)
{
    return table && column >= 0 && column < table->columns;
}

const char *rls2_table_column_name(const rls2_table *table, int64_t column)
{
    return has_column(table, column) ? table->names[column] : NULL;
}

int64_t rls2_table_find(const rls2_table *table, const char *name)
{
    if (!table || !name) return -1;
    for (int64_t j = 0; j < table->columns; j++)
        if (strcmp(table->names[j], name) == 0) return j;
    return -1;
}

int rls2_table_is_numeric(const rls2_table *table, int64_t column)
{
    return has_column(table, column) && table->texts[column] == 0;
}

const char *rls2_table_cell(const rls2_table *table, int64_t row, int64_t column)
{
    if (!has_column(table, column) || row < 0 || row >= table->rows) return "";
    return rls2__table_cell(table, row, column);
}

/* A cut between the bytes of one UTF-8 character would make the message invalid. */
static int is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

rls2__shown rls2__show_part(const char *text, int64_t length)
{
    static const char ellipsis[] = "...";
    rls2__shown shown;
    int64_t room = (int64_t)(sizeof shown.text - sizeof ellipsis);
    int64_t kept = length < room ? length : room;
    if (kept < length)
        while (kept > 0 && is_continuation(text[kept])) kept--;
    for (int64_t i = 0; i < kept; i++) {
        unsigned char c = (unsigned char)text[i];
        shown.text[i] = c < ' ' || c == 127 ? '?' : text[i];
    }
    strcpy(shown.text + kept, kept < length ? ellipsis : "");
    return shown;
}

rls2__shown rls2__show(const char *text)
{
    return rls2__show_part(text, (int64_t)strlen(text));
}

/* ASCII only: tolower depends on the locale. */
static char fold(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance of two texts of at most MAX_NAME characters. */
static int edit_distance(const char *a, const char *b)
{
    int row[MAX_NAME + 1];
    int length = (int)strlen(b);
    for (int j = 0; j <= length; j++) row[j] = j;
    for (int i = 0; a[i]; i++) {
        int diagonal = row[0];
        row[0] = i + 1;
        for (int j = 0; j < length; j++) {
            int replaced = diagonal + (fold(a[i]) != fold(b[j]));
            diagonal = row[j + 1];
            row[j + 1] = smaller(replaced, smaller(diagonal, row[j]) + 1);
        }
    }
    return row[length];
}

int64_t rls2__table_suggest(const rls2_table *table, const char *name)
{
    size_t length = strlen(name);
    if (length > MAX_NAME) return -1;
    int64_t best = -1;
    /* Two edits turn any name of two letters into any other: no suggestion then. */
    int limit = smaller(MAX_EDITS, (int)length - 1);
    for (int64_t j = 0; j < table->columns && limit >= 0; j++) {
        if (strlen(table->names[j]) > MAX_NAME) continue;
        int distance = edit_distance(name, table->names[j]);
        if (distance > limit) continue;
        best = j;
        limit = distance - 1;
    }
    return best;
}
