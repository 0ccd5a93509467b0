/* The layout of a file: bytes become arrays and a description. */
#ifndef RLS2_MODELFILE_CONTAINER_H
#define RLS2_MODELFILE_CONTAINER_H

#include "modelfile/format.h"

typedef struct rls2__container {
    char name[96];             /* of the file, for messages; the end of it if it is long */
    const unsigned char *data; /* what follows the header */
    int64_t length;            /* of it */
    int64_t size;              /* of the whole file */
    int version;
    int data_version; /* as which inputs and preprocessing are described */
    const rls2__file_kind *kind;
    json_t *header;
    json_t *description;
    rls2_error *err;
} rls2__container;

/* One array in the file. */
typedef struct rls2__array_view {
    int64_t rows; /* 1 for a vector */
    int64_t columns;
    const unsigned char *data;
} rls2__array_view;

/* To be closed even where it fails. */
rls2_status rls2__container_open(const rls2__file_kind *kind, const char *name,
                                 const unsigned char *bytes, int64_t length,
                                 rls2__container *container, rls2_error *err);
void rls2__container_close(rls2__container *container);
/* The array of that name, which must have that type ("F64", "I64") and that many dimensions. */
rls2_status rls2__container_array(const rls2__container *container, const char *array,
                                  const char *type, int dimensions, rls2__array_view *view);
/* "NAME: " and the rest. */
rls2_status rls2__container_fail(const rls2__container *container, rls2_status status,
                                 const char *format, ...) __attribute__((format(printf, 3, 4)));

/* `count` numbers of an array, all finite. */
rls2_status rls2__container_check_finite(const rls2__container *container, const char *array,
                                         int64_t count, const double *x);

/* `count` elements of an array. */
void rls2__read_doubles(const unsigned char *data, int64_t count, double *out);
void rls2__read_integers(const unsigned char *data, int64_t count, int64_t *out);

#endif
