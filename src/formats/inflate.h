/* Deflated bytes unpacked. */
#ifndef RLS2_FORMATS_INFLATE_H
#define RLS2_FORMATS_INFLATE_H

#include "rls2/status.h"

typedef enum rls2__deflated {
    RLS2__DEFLATED_RAW, /* as in ZIP files */
    RLS2__DEFLATED_ZLIB /* with zlib's header and checksum, as in MATLAB files */
} rls2__deflated;

typedef struct rls2__inflated {
    int64_t taken; /* of the packed bytes */
    int64_t made;  /* of `room` */
    int whole;     /* 1: the packed stream ended there */
} rls2__inflated;

/* Unpacks until `room` is full or the stream ends. RLS2_ERR_SYNTAX if the packed bytes are damaged;
 * that they are cut short is no error here: then neither is `whole` nor the room full. */
rls2_status rls2__inflate(rls2__deflated form, const void *packed, int64_t length, void *data,
                          int64_t room, rls2__inflated *inflated);

#endif
