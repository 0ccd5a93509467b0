/* Files of other kinds, Parquet and Feather, through a program that writes them as CSV. */
#ifndef RLS2_FORMATS_CONVERTER_H
#define RLS2_FORMATS_CONVERTER_H

#include "rls2/status.h"

typedef struct rls2__converter rls2__converter;

/* 1 for the first bytes of such a file. */
int rls2__converter_is_for(const char *bytes, int64_t length);

/* Starts the program, argv and behind it the path, and *output, to be closed by the caller, is what
 * it writes. `name` stands for the file in messages and outlives the converter. */
rls2_status rls2__converter_start(const char *const *argv, const char *path, const char *name,
                                  rls2__converter **converter, int *output, rls2_error *err);
/* All it has written was read: RLS2_ERR_VALUE with the last of what it said where it failed. */
rls2_status rls2__converter_end(rls2__converter *converter, rls2_error *err);
/* Ends it, wherever it is; NULL is nothing. */
void rls2__converter_free(rls2__converter *converter);

#endif
