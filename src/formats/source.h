/* Where the readers' bytes come from: a file, the standard input or memory; unpacked where they
 * were compressed by gzip, UTF-8 where they were UTF-16. Bytes are taken in order and once,
 * so pipes will do. */
#ifndef RLS2_FORMATS_SOURCE_H
#define RLS2_FORMATS_SOURCE_H

#include "formats/converter.h"
#include "formats/gzip.h"
#include "formats/read.h"

/* UTF-16 on its way: decoded bytes that are not yet taken. */
typedef struct rls2__decoded rls2__decoded;

typedef struct rls2__source {
    const char *name; /* for messages; must outlive the source */
    int file;         /* -1 for memory */
    char *chunk;      /* of a file: room for what is read ahead */
    const char *next; /* read and not yet taken: in the chunk or in the memory */
    int64_t left;
    rls2__converter *converter; /* of a file of another kind, whose output is `file`; else NULL */
    rls2__unpacker *unpacker;   /* NULL where the bytes are not compressed */
    int begun;                  /* the first bytes, unpacked, have been looked at: */
    char ahead[RLS2__MAGIC];
    int64_t ahead_used, ahead_length;
    rls2__decoded *decoded; /* NULL where they were not UTF-16 */
    rls2__limits limits;    /* of what is read by rls2__source_rest; set after opening */
    const char *memory;     /* all of it; NULL for files */
    int64_t size;           /* in bytes; 0 where that is not known, or they are compressed */
} rls2__source;

/* Both must be closed, whether they succeed or not. The memory is borrowed. converter: the program
 * for files of other kinds (rls2_read_options), or NULL. */
rls2_status rls2__source_open(rls2__source *source, const char *path, const char *name,
                              const char *const *converter, rls2_error *err);
rls2_status rls2__source_open_memory(rls2__source *source, const char *name, const void *bytes,
                                     int64_t length, rls2_error *err);
void rls2__source_close(rls2__source *source);

/* Between 1 and `room` > 0 bytes; *got is 0 at the end. */
rls2_status rls2__source_some(rls2__source *source, char *to, int64_t room, int64_t *got,
                              rls2_error *err);

/* `bytes` from that place, whatever was taken before; *got is less where they end. Only where the
 * size is known. */
rls2_status rls2__source_at(const rls2__source *source, int64_t place, char *to, int64_t bytes,
                            int64_t *got, rls2_error *err);

/* Appends all that is left to bytes->data, of which `length` bytes hold something already, and ends
 * it with a NUL. */
rls2_status rls2__source_rest(rls2__source *source, rls2__bytes *bytes, rls2_error *err);

#endif
