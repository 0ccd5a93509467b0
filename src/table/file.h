/* A whole file in memory. */
#ifndef RLS2_TABLE_FILE_H
#define RLS2_TABLE_FILE_H

#include "rls2/status.h"

/* Reads until the end; works for pipes and other files whose size is not known. The
 * text is followed by a NUL that `length` does not count; release with rls2__free.
 * `name` stands for the file in messages. */
rls2_status rls2__file_read(const char *path, const char *name, char **text, int64_t *length,
                            rls2_error *err);

#endif
