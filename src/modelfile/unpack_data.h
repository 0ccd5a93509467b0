/* The part of a model file that says how its rows were made from a table. */
#ifndef RLS2_MODELFILE_UNPACK_DATA_H
#define RLS2_MODELFILE_UNPACK_DATA_H

#include "modelfile/fields.h"
#include "modelfile/format.h"

/* What the rest of the file says of x. */
typedef struct rls2__data_columns {
    int64_t count;
    char *const *names;
    int64_t outputs;
    int64_t copies;                /* outputs that one target may have, quantiles of it, */
    const char *const *copy_names; /* and what they are called; 1 and NULL: there are none */
} rls2__data_columns;

/* How rows are made: everything that is said of it, and its arrays. Encoder and preparation are to
 * be released even where it fails; they are NULL and zero before. */
rls2_status rls2__unpack_encoding(rls2__describer *r, const json_t *from,
                                  const rls2__data_columns *columns, rls2__encoder **encoder,
                                  rls2__preparation *preparation, uint64_t *fingerprint);
/* The origin of a model of that many outputs, whose dictionary is there. */
rls2_status rls2__unpack_data(rls2__describer *r, rls2_model *model);

#endif
