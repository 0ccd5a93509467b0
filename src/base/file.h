/* Files and the standard input, as bytes. */
#ifndef RLS2_BASE_FILE_H
#define RLS2_BASE_FILE_H

#include "rls2/status.h"

/* Reads until the end; works for pipes and other files whose size is not known. The
 * text is followed by a NUL that `length` does not count; release with rls2__free.
 * `name` stands for the file in messages. */
rls2_status rls2__file_read(const char *path, const char *name, char **text, int64_t *length,
                            rls2_error *err);

/* Opens a file, or the standard input for "-"; close with rls2__file_close. */
rls2_status rls2__file_open(const char *path, const char *name, int *file, rls2_error *err);
/* Between 1 and `room` > 0 bytes; *got is 0 at the end. */
rls2_status rls2__file_some(int file, const char *name, char *to, int64_t room, int64_t *got,
                            rls2_error *err);
/* `bytes` from that place of a regular file; *got is less where it ends. */
rls2_status rls2__file_at(int file, const char *name, int64_t place, char *to, int64_t bytes,
                          int64_t *got, rls2_error *err);
/* Of a regular file; 0 where it cannot be known. */
int64_t rls2__file_size(int file);
/* Accepts -1. */
void rls2__file_close(int file);

#endif
