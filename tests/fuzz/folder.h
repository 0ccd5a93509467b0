/* A folder in memory for targets that need files, removed when the process ends. */
#ifndef RLS2_TESTS_FUZZ_FOLDER_H
#define RLS2_TESTS_FUZZ_FOLDER_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char fuzz_folder_path[64];

static inline int fuzz_remove(const char *path, const struct stat *about, int kind, struct FTW *at)
{
    (void)about;
    (void)kind;
    (void)at;
    return remove(path);
}

static inline void fuzz_folder_remove(void)
{
    nftw(fuzz_folder_path, fuzz_remove, 8, FTW_DEPTH | FTW_PHYS);
}

static inline const char *fuzz_folder(void)
{
    if (fuzz_folder_path[0]) return fuzz_folder_path;
    const char *where = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(fuzz_folder_path, sizeof fuzz_folder_path, "%s/rls2-fuzz-XXXXXX", where);
    if (!mkdtemp(fuzz_folder_path)) abort();
    atexit(fuzz_folder_remove);
    return fuzz_folder_path;
}

#endif
