/* --group NAME=COLUMN,COLUMN,... */
#include <stdlib.h>
#include <string.h>

#include "cli/learn/data.h"

static int add_piece(const settings *s, const problem *p, const char *piece, unsigned char *in)
{
    int found = 0;
    for (int64_t j = 0; j < p->columns.count; j++)
        if (rls2_group_has(piece, p->columns.names[j])) found = in[j] = 1;
    if (found) return EXIT_OK;
    say_error(s, "--group: no input is called '%s'", piece);
    return EXIT_USAGE;
}

static int fill_group(const settings *s, problem *p, rls2_group *group, char *pieces,
                      unsigned char *in)
{
    int code = EXIT_OK;
    int64_t *columns = calloc((size_t)p->columns.count + 1, sizeof *columns);
    if (!columns) return out_of_memory(s);
    group->columns = columns;
    for (char *rest = pieces, *piece = strsep(&rest, ","); piece && code == EXIT_OK;
         piece = strsep(&rest, ","))
        code = add_piece(s, p, piece, in);
    for (int64_t j = 0; j < p->columns.count; j++)
        if (in[j]) columns[group->count++] = j;
    return code;
}

/* NAME=COLUMN,COLUMN,... */
int make_group(const settings *s, problem *p, const char *item)
{
    const char *equals = strchr(item, '=');
    if (!equals || equals == item || equals[1] == '\0') {
        say_error(s, "--group '%s' should be NAME=COLUMN,COLUMN,...", item);
        return EXIT_USAGE;
    }
    rls2_group *group = &p->groups[p->group_count++];
    group->name = strndup(item, (size_t)(equals - item));
    char *pieces = strdup(equals + 1);
    unsigned char *in = calloc((size_t)p->columns.count + 1, 1);
    int code = group->name && pieces && in ? fill_group(s, p, group, pieces, in) : out_of_memory(s);
    free(pieces);
    free(in);
    return code;
}
