/* Files that appear whole or not at all, and the folders they lie in. */
#ifndef RLS2_EXPERIMENTS_FILES_H
#define RLS2_EXPERIMENTS_FILES_H

#include <stdio.h>

#include "rls2/file.h"

enum { FILES_PATH = 4096 };

/* A file being written: a temporary one beside the target (rls2/file.h), renamed at the end. */
typedef struct new_file {
    FILE *file;
    char path[FILES_PATH];
    char temporary[FILES_PATH + RLS2_TEMPORARY_MORE];
} new_file;

/* Fails with RLS2_ERR_IO, naming the path. */
rls2_status files_begin(new_file *f, rls2_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Checks that everything was written, and renames; the temporary file is gone in either case. */
rls2_status files_finish(new_file *f, rls2_error *err);
/* Throws away what was written. */
void files_drop(new_file *f);

/* The folder and those above it, where they are not there yet. */
rls2_status files_make_folder(const char *path, rls2_error *err);
/* A whole file, with a zero behind it, which the caller frees; NULL with errno set. */
char *files_read(const char *path, size_t *length);
/* 1 if the program can be started: found in PATH, or a path itself. */
int files_has_program(const char *name);

#endif
