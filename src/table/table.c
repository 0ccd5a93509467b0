#include "table/table.h"

#include <stdio.h>
#include <string.h>

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

rls2__shown_list rls2__show_list(const char *const *texts, int64_t count, const char *quote)
{
    rls2__shown_list list = {.text = ""};
    size_t used = 0, room = sizeof list.text;
    for (int64_t k = 0; k < count && k < RLS2__LISTED; k++)
        used += (size_t)snprintf(list.text + used, room - used, "%s%s%s%s", k > 0 ? ", " : "", quote,
                                 rls2__show(texts[k]).text, quote);
    if (count > RLS2__LISTED) snprintf(list.text + used, room - used, ", ...");
    return list;
}

/* ASCII only: tolower depends on the locale. */
