/* Structs that may grow from one version to the next.
 *
 * Options begin with their size, in bytes, as the header has it that a caller was compiled with. A
 * caller's struct may be shorter than the library's, of an older header: what it lacks has its
 * default. It may be longer, of a newer one: that is right as long as it asks for nothing that this
 * library does not know, and so for nothing but zeros beyond. Members are added at the end, never
 * into padding, and 0 means to them what was done before they were there.
 *
 * Results that the caller has room for go with their size likewise. */
#ifndef RLS2_BASE_OPTION_STRUCT_H
#define RLS2_BASE_OPTION_STRUCT_H

#include <stddef.h>

#include "rls2/status.h"

/* The first `size` bytes of the defaults, which have their own size `known`; zeros beyond these.
 * Nothing where there is no room for a size. */
void rls2__options_init(void *options, size_t size, const void *defaults, size_t known);

/* Copies the members a caller has set over `own`, which holds the defaults; `given` may be NULL.
 * RLS2_ERR_ARGUMENT, in a sentence that names `argument` and rls2_`type`_init, where the size
 * cannot be right or something is asked for that is not known. */
rls2_status rls2__options_read(const char *argument, const char *type, const void *given,
                               size_t known, void *own, rls2_error *err);

/* Can a caller's struct be of that size? RLS2_ERR_ARGUMENT for 0 and for more than any version will
 * have. */
rls2_status rls2__result_check(const char *argument, size_t size, size_t known, rls2_error *err);
/* `count` structs from `made`, of the size `known`, to `place`, of the size `size`; members that
 * are not known are zeros. */
void rls2__result_write(const void *made, size_t known, int64_t count, void *place, size_t size);

#endif
