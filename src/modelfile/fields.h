/* The description of a model file, field by field.
 *
 * Each function returns the field `key` of the object `from`. The first that is missing or of
 * another type is reported and sets `status`; after that, all return nothing. */
#ifndef RLS2_MODELFILE_FIELDS_H
#define RLS2_MODELFILE_FIELDS_H

#include "modelfile/container.h"
#include "modelfile/format.h"

typedef struct rls2__describer {
    const rls2__container *container;
    rls2__arena *arena; /* of the texts */
    rls2_status status;
    int is_member; /* of a stack, in whose file it is */
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

#endif
