/* The folder: files that appear whole or not at all, names made by the server, one server at a time. */
#ifndef RLS2_GUI_STORE_H
#define RLS2_GUI_STORE_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "gui/server/fault.h"

enum { ID_LENGTH = 12, STORE_PATH = 4096 };

/* [a-z0-9]{12} and nothing else: the only texts of a client that become part of a path. */
int store_is_id(const char *text);
/* A new one, of random bytes; 0 if the system has none. */
int store_new_id(char id[ID_LENGTH + 1]);
/* 2 `count` hexadecimal digits of random bytes and a zero; 0 if the system has none. */
int store_random_text(char *text, size_t count);

/* The folder and those above it. 1, or 0 with errno set. */
int store_make_folder(const char *path);
/* Writes beside the path, puts it on the disk, renames. */
int store_write(const char *path, const void *bytes, size_t length, fault *f);
int store_write_json(const char *path, const json_t *json, fault *f);
/* A file to read; NULL where it cannot be, or is none: a pipe would be waited for. */
FILE *store_open(const char *path);
/* NULL where the file is absent or broken. */
json_t *store_read_json(const char *path);
/* The bytes, which the caller frees, with a zero behind them; NULL where they cannot be read. */
char *store_read(const char *path, size_t *length);
/* A folder with the files in it (not folders: there are none). Links are not followed. */
void store_remove(const char *path);
/* Temporary files that a server which was killed left in the folder. */
void store_sweep(const char *path);
/* Calls `found` with the name of each entry of a folder that is an id. */
void store_each(const char *path, void (*found)(void *user, const char *id), void *user);
/* May the server keep its things there? What was left half made is deleted when it starts, so the folder must be our
 * user's, and empty or one that a server has used before: the lock in it tells. */
int store_check_owner(const char *folder, fault *f);
/* A descriptor that holds the folder's lock as long as it is open; -1 if another server has it or it cannot be made
 * (errno is EWOULDBLOCK in the first case). */
int store_lock(const char *folder);

#endif
