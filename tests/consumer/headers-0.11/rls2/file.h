/* Files that appear whole or not at all. What the library writes, and the command, is written so;
 * this is for whoever writes more beside it. */
#ifndef RLS2_FILE_H
#define RLS2_FILE_H

#include "rls2/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that the name of a temporary file has more than its target's. */
enum { RLS2_TEMPORARY_MORE = 32 };

/* A new file in the folder of `path`, to be written, put on the disk and renamed to it. Its name,
 * .NAME.rls2- and sixteen letters, goes to `name`, which has `size` bytes: those of `path`, its
 * final zero and RLS2_TEMPORARY_MORE. Permissions are those of any new file. RLS2_ERR_IO where none
 * can be had, with the reason in errno too.
 *
 * The file is locked (flock) until the descriptor and its duplicates are closed, which should be
 * after it is renamed or removed. So a file that a killed process left is known: it has such a name
 * for the same `path`, is a regular file of this user, and nobody holds its lock. Such files are
 * removed here. Where the disk knows no such locks, or anything else is in doubt, they stay. */
RLS2_API rls2_status rls2_temporary_create(const char *path, char *name, int64_t size,
                                           int *descriptor, rls2_error *err);

#ifdef __cplusplus
}
#endif
#endif
