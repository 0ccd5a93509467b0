/* Arrays and a description become the bytes of a file. */
#ifndef RLS2_MODELFILE_ARRAY_LIST_H
#define RLS2_MODELFILE_ARRAY_LIST_H

#include "modelfile/format.h"
#include "table/dataset.h"

typedef struct rls2__array_name {
    char text[40];
} rls2__array_name;

/* Elements of 8 bytes: doubles ("F64") and integers ("I64"). */
typedef struct rls2__array {
    const char *type;
    int dimensions;
    int64_t shape[2];
    const void *values; /* borrowed */
    rls2__array_name name;
} rls2__array;

typedef struct rls2__array_list {
    int64_t count;
    int64_t room;
    rls2__array *all;
    int64_t *exponents; /* a preparation by columns rather than by rows */
    double *shifts, *rests, *deviations;
} rls2__array_list;

enum { RLS2__PREPARATION_ARRAYS = 7 };

/* Room for so many. RLS2_ERR_MEMORY or OK; to be released even so. */
rls2_status rls2__array_list_open(rls2__array_list *list, int64_t room);
void rls2__array_list_close(rls2__array_list *list);
/* The values are borrowed until the list is closed. */
void rls2__array_list_add(rls2__array_list *list, const char *name, const char *type, int64_t rows,
                          int64_t columns, const void *values);
void rls2__array_list_add_vector(rls2__array_list *list, const char *name, const char *type,
                                 int64_t count, const void *values);
/* RLS2__PREPARATION_ARRAYS at most. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__array_list_add_preparation(rls2__array_list *list,
                                             const rls2__preparation *preparation);

/* The file of that kind and version. Release *bytes with rls2__free. NULL as description stands for
 * "out of memory". RLS2_ERR_MEMORY or OK. */
rls2_status rls2__array_list_write(const rls2__array_list *list, const rls2__file_kind *kind,
                                   int version, const json_t *description, unsigned char **bytes,
                                   int64_t *length);

/* CRC-32 of bytes whose checksum digits, at offset `digits`, are taken as zeros. */
uint32_t rls2__file_checksum(const unsigned char *bytes, int64_t length, int64_t digits);

#endif
