/* The model file: what its writer and its reader agree on. docs/FORMAT.md describes it.
 *
 *   pack_description.c   what a model is becomes JSON
 *   pack.c               a model becomes bytes
 *   container.c          bytes become arrays and a description, checked as far as that can be done
 *                        without knowing what they mean
 *   describe.c           reading the description field by field
 *   unpack.c             arrays and description become a model, all values checked,
 *   unpack_data.c        and how its rows were made from a table */
#ifndef RLS2_MODELFILE_FORMAT_H
#define RLS2_MODELFILE_FORMAT_H

#include <jansson.h>

#include "model/model.h"

/* The newest version that is known here. A model is written as the oldest that can hold it: version
 * 2 has several outputs, targets, more than two classes, and weights of rows. */
enum { RLS2__FORMAT_VERSION = 2, RLS2__LENGTH_BYTES = 8, RLS2__ALIGNMENT = 8 };

/* Beginning of the header of every model file. */
#define RLS2__HEADER_START "{\"__metadata__\":{\"format\":\"rls2\""
/* What stands before the digits of the checksum; they are taken as zeros while it is computed. */
#define RLS2__CHECKSUM_MARK "\"checksum\":\""
#define RLS2__CHECKSUM_ZEROS "00000000"
enum { RLS2__CHECKSUM_DIGITS = 8 };

/* Words of the description, in the order of the enums they stand for; NULL at the end. */
extern const char *const rls2__word_scaling[];
extern const char *const rls2__word_solver[];
extern const char *const rls2__word_outcome[];
extern const char *const rls2__word_normalize[];

/* Arrays of 8-byte elements: doubles ("F64") and integers ("I64"). */
typedef struct rls2__array_name {
    char text[40];
} rls2__array_name;
rls2__array_name rls2__given_array(int64_t g);
rls2__array_name rls2__output_array(int64_t o, const char *what); /* "outputs.O.WHAT" */

/* CRC-32 of bytes whose checksum digits, at offset `digits`, are taken as zeros. */
uint32_t rls2__file_checksum(const unsigned char *bytes, int64_t length, int64_t digits);

/* ---- bytes in and out: release *bytes with rls2__free ---- */

rls2_status rls2__model_pack(const rls2_model *model, unsigned char **bytes, int64_t *length,
                             rls2_error *err);
rls2_status rls2__model_unpack(const char *name, const unsigned char *bytes, int64_t length,
                               rls2_model **model, rls2_error *err);

/* ---- pack_description.c: NULL and 0 stand for "out of memory", to be looked at once, at the end
 * ---- */

/* They take the value over, whatever comes of it. */
int rls2__json_put(json_t *object, const char *key, json_t *value);
int rls2__json_append(json_t *array, json_t *value);
/* The oldest version that can hold the model. */
int rls2__model_version(const rls2_model *model);
json_t *rls2__model_describe(const rls2_model *model);

/* ---- container.c ---- */

typedef struct rls2__container {
    char name[96];             /* of the file, for messages; the end of it if it is long */
    const unsigned char *data; /* what follows the header */
    int64_t length;            /* of it */
    int64_t size;              /* of the whole file */
    int version;
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
rls2_status rls2__container_open(const char *name, const unsigned char *bytes, int64_t length,
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

/* ---- describe.c ----
 *
 * Each function returns the field `key` of the object `from`. The first that is missing or of
 * another type is reported and sets `status`; after that, all return nothing. */

typedef struct rls2__describer {
    const rls2__container *container;
    rls2__arena *arena; /* of the texts */
    rls2_status status;
} rls2__describer;

const json_t *rls2__field_object(rls2__describer *r, const json_t *from, const char *key);
/* NULL for null. */
const json_t *rls2__field_object_or_null(rls2__describer *r, const json_t *from, const char *key);
const json_t *rls2__field_array(rls2__describer *r, const json_t *from, const char *key);
const char *rls2__field_text(rls2__describer *r, const json_t *from, const char *key);
/* NULL for null. */
const char *rls2__field_text_or_null(rls2__describer *r, const json_t *from, const char *key);
int rls2__field_flag(rls2__describer *r, const json_t *from, const char *key);
int64_t rls2__field_count(rls2__describer *r, const json_t *from, const char *key);
double rls2__field_number(rls2__describer *r, const json_t *from, const char *key);
/* NaN for null. */
double rls2__field_number_or_null(rls2__describer *r, const json_t *from, const char *key);
/* Position of the text among the words. */
int rls2__field_word(rls2__describer *r, const json_t *from, const char *key,
                     const char *const *words);
/* An array of texts; NULL if something is wrong. */
const char **rls2__field_texts(rls2__describer *r, const json_t *from, const char *key,
                               int64_t *count);

/* ---- unpack_data.c ---- */

/* The origin of a model of that many outputs, whose dictionary is there. */
rls2_status rls2__unpack_data(rls2__describer *r, rls2_model *model);

#endif
