/* What a model is, as JSON. NULL and 0 stand for "out of memory", to be looked at once, at the
 * end. */
#ifndef RLS2_MODELFILE_PACK_DESCRIPTION_H
#define RLS2_MODELFILE_PACK_DESCRIPTION_H

#include "modelfile/format.h"

/* Words of the description, in the order of the enums they stand for; NULL at the end. */
extern const char *const rls2__word_scaling[];
extern const char *const rls2__word_solver[];
extern const char *const rls2__word_loss[];
extern const char *const rls2__word_outcome[];
extern const char *const rls2__word_normalize[];
extern const char *const rls2__word_missing[];

/* They take the value over, whatever comes of it. */
int rls2__json_put(json_t *object, const char *key, json_t *value);
int rls2__json_append(json_t *array, json_t *value);
/* Of texts that need not be UTF-8. */
json_t *rls2__json_text(const char *text);
json_t *rls2__json_texts(int64_t count, const char *const *texts);
/* How rows were made from a table, as that version of models has it; null where encoder is NULL. */
json_t *rls2__data_describe(const rls2__encoder *encoder, const rls2__preparation *preparation,
                            uint64_t digest, int version);
/* The oldest version that can hold the model. */
int rls2__model_version(const rls2_model *model);
json_t *rls2__model_describe(const rls2_model *model);

#endif
