/* Journals of other settings, kept beside the one in use: PATH.old, PATH.old2, ... */
#ifndef RLS2_EXPERIMENTS_JOURNAL_OLD_H
#define RLS2_EXPERIMENTS_JOURNAL_OLD_H

#include <stddef.h>

enum { JOURNAL_OLD_MOST = 99 };

/* Puts the file at `path`, which the caller has locked, aside, and the kept one that begins with
 * the line `heading` (with its newline), if there is one, in its place: else nothing stays there.
 * `kept` becomes the new name of the file put aside; "" where has_units says that there is nothing
 * in it to keep, and it is gone. 0 or an errno: EMFILE where JOURNAL_OLD_MOST are kept already. */
int journal_make_way(const char *path, const char *heading, int has_units, char *kept, size_t size);

#endif
