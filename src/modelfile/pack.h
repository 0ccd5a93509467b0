/* A model becomes bytes. */
#ifndef RLS2_MODELFILE_PACK_H
#define RLS2_MODELFILE_PACK_H

#include "modelfile/format.h"

/* Arrays of 8-byte elements: doubles ("F64") and integers ("I64"). */
typedef struct rls2__array_name {
    char text[40];
} rls2__array_name;
rls2__array_name rls2__given_array(int64_t g);
rls2__array_name rls2__output_array(int64_t o, const char *what); /* "outputs.O.WHAT" */

/* CRC-32 of bytes whose checksum digits, at offset `digits`, are taken as zeros. */
uint32_t rls2__file_checksum(const unsigned char *bytes, int64_t length, int64_t digits);

/* Release *bytes with rls2__free. */
rls2_status rls2__model_pack(const rls2_model *model, unsigned char **bytes, int64_t *length,
                             rls2_error *err);

#endif
