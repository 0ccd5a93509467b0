/* A whole file onto the disk, or nothing. */
#ifndef RLS2_BASE_FILE_WRITE_H
#define RLS2_BASE_FILE_WRITE_H

#include "rls2/status.h"

/* Writes a temporary file (rls2/file.h), has it put on the disk, and renames it to `path`: at every
 * moment `path` is the old file or the whole new one. The temporary file is removed where something
 * fails; it stays behind only if the process is killed, until `path` is written again. */
rls2_status rls2__file_write(const char *path, const void *bytes, int64_t length, rls2_error *err);

#endif
