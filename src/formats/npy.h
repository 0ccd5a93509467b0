/* One numpy array in memory: the content of a .npy file, or of a member of a .npz file. */
#ifndef RLS2_FORMATS_NPY_H
#define RLS2_FORMATS_NPY_H

#include "formats/element.h"
#include "formats/read.h"

/* A header that is longer is refused. */
enum { RLS2__NPY_HEADER_ROOM = 1 << 16, RLS2__NPY_DIMENSIONS = 32 };

typedef struct rls2__npy_header {
    char descr[48]; /* fit for messages; "" until it was read */
    rls2__element element;
    int fortran;    /* -1 until it was read */
    int dimensions; /* -1 until it was read */
    int64_t shape[RLS2__NPY_DIMENSIONS];
    int64_t rows;
    int64_t columns;
    int64_t start; /* of the numbers */
    int64_t end;
} rls2__npy_header;

/* From the first bytes, RLS2__NPY_HEADER_ROOM of them or all. `place` stands for the file in
 * messages. */
rls2_status rls2__npy_header_read(const char *place, const char *bytes, int64_t length,
                                  rls2__npy_header *h, rls2_error *err);
/* Refuses an array that takes more or fewer bytes than are there, header included; says in which
 * row it was cut. */
rls2_status rls2__npy_check_length(const char *place, const rls2__npy_header *h, int64_t length,
                                   rls2_error *err);

/* How long the whole array is, from its header: the first bytes, RLS2__NPY_HEADER_ROOM of them or
 * all. `place` stands for the file in messages. */
rls2_status rls2__npy_length(const char *place, const char *bytes, int64_t length, int64_t *whole,
                             rls2_error *err);

/* The array of exactly these bytes; release its values. */
rls2_status rls2__npy_parse(const char *place, const char *bytes, int64_t length,
                            rls2__array *array, rls2_error *err);

rls2_status rls2__read_npy(rls2_table *table, const rls2__bytes *bytes, rls2_error *err);

#endif
