/* The members of a stack in its file: each is a whole model file, as an array of words. */
#ifndef RLS2_MODELFILE_STACK_MEMBERS_H
#define RLS2_MODELFILE_STACK_MEMBERS_H

#include "modelfile/array_list.h"
#include "modelfile/fields.h"

/* Bytes of members, which the list of arrays borrows. */
typedef struct rls2__packed_members {
    int64_t count;
    unsigned char **bytes;
} rls2__packed_members;

/* Appends an array for each member; nothing where the model stands alone. Release, once the list is
 * written, even where it fails. */
rls2_status rls2__pack_members(const rls2_model *model, rls2__array_list *list,
                               rls2__packed_members *packed, rls2_error *err);
void rls2__packed_members_release(rls2__packed_members *packed);

/* Its weights; NULL when out of memory. */
json_t *rls2__describe_stack(const rls2_model *model);

/* The stack of a model that has been read; nothing where it has none. */
rls2_status rls2__unpack_stack(rls2__describer *r, rls2_model *model);

#endif
