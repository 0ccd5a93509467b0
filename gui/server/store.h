/* The folder: files that appear whole or not at all, names made by the server, one server at a
 * time.
 *
 * The folder is opened once; everything below it is reached from that descriptor, a part at a time,
 * through real folders that are our user's and that nobody else can write to. Links are not
 * followed, whoever made them and whenever. Paths here are below the folder: "runs/ID/about.json".
 *
 * What may be deleted is marked. The folder itself has a file that says what it is (`.rls2-gui`).
 * The folder of a table or of a run is made under a name that begins with `.rls2-new-` and gets its
 * own, the id, when it is whole; before it is deleted it gets one that begins with `.rls2-old-`.
 * Temporary files begin with `.rls2-`. */
#ifndef RLS2_GUI_STORE_H
#define RLS2_GUI_STORE_H

#include <jansson.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gui/server/fault.h"

enum { ID_LENGTH = 12, STORE_PATH = 4096 };

typedef struct store {
    char path[STORE_PATH / 2]; /* of the folder as it was named, for messages */
    int root;                  /* its descriptor; 0 or less: it is not open */
    int locked;                /* that of the lock in it */
    int64_t quota;             /* bytes that files in it may take; 0: as many as they like */
    _Atomic int64_t used;      /* bytes that they take */
} store;

/* [a-z0-9]{12} and nothing else: the only texts of a client that become part of a path. */
int store_is_id(const char *text);
/* A new one, of random bytes; 0 if the system has none. */
int store_new_id(char id[ID_LENGTH + 1]);
/* 2 `count` hexadecimal digits of random bytes and a zero; 0 if the system has none. */
int store_random_text(char *text, size_t count);

/* The last part of a path, without anything that is not for eyes; `fallback` where nothing is left.
 */
void store_clean_name(const char *given, const char *fallback, char *name, size_t size);

/* ---- store.c: files ---- */

/* A path below the folder: "data/ID/about.json". */
void store_path(char path[STORE_PATH], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes beside the path, puts it on the disk, renames. HTTP_FULL, with a sentence, where disk or
 * quota are. */
int store_write(store *s, const char *path, const void *bytes, size_t length, fault *f);
int store_write_json(store *s, const char *path, const json_t *json, fault *f);
/* The same whatever the quota says: that a run has ended must be written down. */
int store_note_json(store *s, const char *path, const json_t *json, fault *f);
/* A file to read; NULL where it cannot be, or is none: a pipe would be waited for. */
FILE *store_file(const store *s, const char *path);
int store_has(const store *s, const char *path);
/* NULL where the file is absent or broken. */
json_t *store_read_json(const store *s, const char *path);
/* The bytes, which the caller frees, with a zero behind them; NULL where they cannot be read. */
char *store_read(const store *s, const char *path, size_t *length);
/* The same of a file elsewhere. */
char *store_read_foreign(const char *path, size_t *length);
/* A new file among the uploads: its descriptor, or -1 with errno set, and its path. */
int store_new_upload(store *s, char path[STORE_PATH]);
int store_move(store *s, const char *from, const char *to, fault *f);
void store_drop(store *s, const char *path);

/* Takes room for so many bytes more; 0, and nothing is taken, where the quota does not allow it. */
int store_take_room(store *s, int64_t bytes);
void store_give_room(store *s, int64_t bytes);
/* HTTP_FULL: what the quota is, and what can be done. */
int store_say_full(const store *s, fault *f);
/* HTTP_FULL where errno says that the disk is full, with what can be done; else HTTP_FAILED. */
int store_say_errno(const char *what, int number, const char *field, fault *f);

/* ---- store_parts.c: folders of tables ("data"), model files ("models") and runs ("runs") ---- */

/* Its folder, to be filled below store_new_path and then given its name. */
int store_begin(store *s, const char *kind, const char *id, fault *f);
void store_new_path(char path[STORE_PATH], const char *kind, const char *id, const char *name);
int store_complete(store *s, const char *kind, const char *id, fault *f);
/* From now on it is one that is being deleted, also if the server is killed before it is. */
void store_retire(store *s, const char *kind, const char *id);
/* Deletes it, where it has been retired or was not completed. */
void store_remove(store *s, const char *kind, const char *id);
/* Deletes what was left half made, then calls `found` with each id. Refuses what is no folder of
 * ours. */
int store_each(store *s, const char *kind, void (*found)(void *user, const char *id), void *user,
               fault *f);

#endif
