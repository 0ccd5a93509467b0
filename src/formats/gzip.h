/* Bytes compressed by gzip, unpacked piece by piece. */
#ifndef RLS2_FORMATS_GZIP_H
#define RLS2_FORMATS_GZIP_H

#include "rls2/status.h"

typedef struct rls2__unpacker rls2__unpacker;

/* 1 if the bytes begin as those that gzip writes. */
int rls2__is_packed(const char *bytes, int64_t length);

/* `name` stands for the file in messages and must outlive the unpacker. */
rls2_status rls2__unpacker_create(const char *name, rls2__unpacker **unpacker, rls2_error *err);
void rls2__unpacker_free(rls2__unpacker *unpacker);

/* Unpacks into `to` what fits in `room` > 0 bytes, stepping *packed and *left over what was used.
 * *got may be 0 where more packed bytes are needed. */
rls2_status rls2__unpack(rls2__unpacker *unpacker, const char **packed, int64_t *left, char *to,
                         int64_t room, int64_t *got, rls2_error *err);

/* To be called at the end of the packed bytes: an error if that is not the end of the data. */
rls2_status rls2__unpack_end(const rls2__unpacker *unpacker, rls2_error *err);

#endif
