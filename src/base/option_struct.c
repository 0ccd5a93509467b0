/* Structs that callers of other versions hand over, and those they have room for. */
#include "base/option_struct.h"

#include <string.h>

#include "base/status.h"

/* No struct will be that much larger than it is today: such a size was never set. */
enum { MOST_GROWTH = 1024 };

static size_t size_of(const void *options)
{
    size_t size;
    memcpy(&size, options, sizeof size);
    return size;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

void rls2__options_init(void *options, size_t size, const void *defaults, size_t known)
{
    if (!options || size < sizeof size) return;
    memset(options, 0, size);
    memcpy(options, defaults, smaller(size, known));
    memcpy(options, &size, sizeof size);
}

static int has_other_than_zeros(const unsigned char *bytes, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (bytes[i]) return 1;
    return 0;
}

rls2_status rls2__options_read(const char *argument, const char *type, const void *given,
                               size_t known, void *own, rls2_error *err)
{
    if (!given) return RLS2_OK;
    size_t size = size_of(given);
    if (size < sizeof size || size > known + MOST_GROWTH)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s.size is %zu: fill it by rls2_%s_init",
                          argument, size, type);
    if (has_other_than_zeros(given, known, size))
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "%s: a member is set that version %s of the library does not know",
                          argument, rls2_version());
    memcpy(own, given, smaller(size, known));
    memcpy(own, &known, sizeof known);
    return RLS2_OK;
}

rls2_status rls2__result_check(const char *argument, size_t size, size_t known, rls2_error *err)
{
    if (size > 0 && size <= known + MOST_GROWTH) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT, "size is %zu; it must be sizeof *%s", size, argument);
}

void rls2__result_write(const void *made, size_t known, int64_t count, void *place, size_t size)
{
    const unsigned char *from = made;
    unsigned char *to = place;
    for (int64_t i = 0; i < count; i++, from += known, to += size) {
        memset(to, 0, size);
        memcpy(to, from, smaller(size, known));
    }
}
