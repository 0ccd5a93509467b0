/* Folders by their descriptors: between the files of the store. */
#ifndef RLS2_GUI_STORE_FOLDER_H
#define RLS2_GUI_STORE_FOLDER_H

#include "gui/server/store.h"

/* What a name in the folder of a run or a table begins with that no whole file has. */
#define STORE_TEMPORARY ".rls2-"
#define STORE_NEW STORE_TEMPORARY "new-"
#define STORE_OLD STORE_TEMPORARY "old-"

/* Opens a folder below `parent` (or AT_FDCWD): a real one, our user's, which nobody else can write
 * to. -1 with a sentence that says what to do; `shown` is its name there. */
int folder_open(int parent, const char *name, const char *shown, fault *f);
/* The folder of a path below the store's, opened likewise, and the last part of the path. */
int folder_of(const store *s, const char *path, const char **name, fault *f);
/* Calls `found` with the name of every entry but "." and "..", and the descriptor of the folder. */
void folder_each(int folder, void (*found)(void *user, int folder, const char *name), void *user);
/* Deletes an entry that is no folder; a link, not what it leads to. */
void folder_unlink(store *s, int folder, const char *name);
/* Bytes of a file in it, 0 of anything else; and of all of them. */
int64_t folder_entry_bytes(int folder, const char *name);
int64_t folder_bytes(int folder);
/* Deletes temporary files that a server which was killed left in the folder of a table or run. */
void folder_sweep(store *s, int folder);
int starts_with(const char *text, const char *start);

#endif
