/* Files of profiles, as their writer and their reader see them. docs/FORMAT.md describes them.
 *
 *   pack_profile.c     a profile becomes arrays and a description,
 *   unpack_profile.c   and back
 *   profile_file.c     public functions */
#ifndef RLS2_MODELFILE_PROFILE_FILE_H
#define RLS2_MODELFILE_PROFILE_FILE_H

#include "modelfile/fields.h"
#include "stats/profile_parts.h"

/* Integers of a column of many different cells, in this order. */
enum { RLS2__MANY_COUNTS = 6 };
static inline int64_t *rls2__many_count(rls2__cell_facts *f, int i)
{
    int64_t *const all[RLS2__MANY_COUNTS] = {&f->numbers, &f->texts,    &f->weight,
                                             &f->words,   &f->infinite, &f->word_weight};
    return all[i];
}

/* Release *bytes with rls2__free. The profile is settled, or has no rows. */
rls2_status rls2__profile_pack(const rls2__profile *profile, unsigned char **bytes, int64_t *length,
                               rls2_error *err);
rls2_status rls2__profile_unpack(const char *name, const unsigned char *bytes, int64_t length,
                                 rls2__profile **profile, rls2_error *err);

#endif
