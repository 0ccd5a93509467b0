/* Rows as bytes, and back. */
#include "stats/row_bytes.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "table/table.h"

void rls2__row_bytes_release(rls2__row_bytes *row)
{
    rls2__free(row->bytes);
    *row = (rls2__row_bytes){0};
}

/* Bytes that a cell takes at most, after its mark. */
static int64_t cell_room(const char *text)
{
    return 2 + (text ? (int64_t)strlen(text) : (int64_t)sizeof(double));
}

static int reserve(rls2__row_bytes *row, int64_t bytes)
{
    if (bytes < 0) return 0;
    if (bytes <= row->room) return 1;
    int64_t room = rls2__mul(bytes, 2);
    char *made = rls2__alloc(room, 1);
    if (!made) return 0;
    rls2__free(row->bytes);
    row->bytes = made;
    row->room = room;
    return 1;
}

/* The same bytes on every machine. */
static char *write_number(char *to, double value)
{
    uint64_t bits;
    value += 0.0; /* -0 + 0 = 0 */
    memcpy(&bits, &value, sizeof bits);
    *to++ = 'N';
    for (size_t i = 0; i < sizeof bits; i++, bits >>= 8) *to++ = (char)(bits & 0xFF);
    return to;
}

static char *write_text(char *to, const char *text)
{
    size_t size = strlen(text) + 1;
    *to++ = 'T';
    memcpy(to, text, size);
    return to + size;
}

int64_t rls2__row_bytes_write(rls2__row_bytes *row, const rls2_table *table, int64_t i)
{
    int64_t bytes = 0;
    for (int64_t j = 0; j < table->columns; j++)
        bytes = rls2__add(bytes, cell_room(rls2__table_written(table, i, j)));
    if (!reserve(row, bytes)) return -1;
    char *to = row->bytes;
    for (int64_t j = 0; j < table->columns; j++) {
        const char *text = rls2__table_written(table, i, j);
        if (rls2__table_is_missing(table, i, j))
            *to++ = 'M';
        else
            to = text ? write_text(to, text) : write_number(to, rls2__table_number(table, i, j));
    }
    return to - row->bytes;
}

static double read_number(const char *from)
{
    uint64_t bits = 0;
    double value;
    for (size_t i = 0; i < sizeof bits; i++) bits |= (uint64_t)(unsigned char)from[i] << 8 * i;
    memcpy(&value, &bits, sizeof value);
    return value;
}

const char *rls2__row_bytes_read(const char *from, const char *end, double *number,
                                 const char **text)
{
    *number = (double)NAN;
    *text = NULL;
    if (from >= end) return NULL;
    char mark = *from++;
    if (mark == 'M') return from;
    if (mark == 'N' && end - from >= (ptrdiff_t)sizeof *number) {
        *number = read_number(from);
        return from + sizeof *number;
    }
    const char *stop = mark == 'T' ? memchr(from, '\0', (size_t)(end - from)) : NULL;
    if (!stop) return NULL;
    *text = from;
    return stop + 1;
}
