/* Bytes become arrays and a description: the safetensors layout, its checksum, and nothing about
 * what the arrays mean. A file is asked first whether it is of that kind at all, then whether it is
 * too new, then whether it is whole; only then whether it is damaged. */
#include "modelfile/container.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "modelfile/format.h"
#include "modelfile/array_list.h"

const rls2__file_kind rls2__model_kind = {.format = "rls2",
                                          .start = "{\"__metadata__\":{\"format\":\"rls2\"",
                                          .noun = "a model",
                                          .made_by = "such as 'rls2 train' writes",
                                          .newest = RLS2__FORMAT_VERSION};
const rls2__file_kind rls2__stats_kind = {.format = "rls2-stats",
                                          .start = "{\"__metadata__\":{\"format\":\"rls2-stats\"",
                                          .noun = "a file of statistics",
                                          .made_by = "such as 'rls2 stats' writes",
                                          .newest = RLS2__STATS_VERSION,
                                          .data_version = 3};
const rls2__file_kind rls2__profile_kind = {.format = "rls2-profile",
                                            .start =
                                                "{\"__metadata__\":{\"format\":\"rls2-profile\"",
                                            .noun = "a profile",
                                            .made_by = "such as 'rls2 stats --profile' writes",
                                            .newest = RLS2__PROFILE_VERSION,
                                            .data_version = 3};

rls2_status rls2__container_fail(const rls2__container *container, rls2_status status,
                                 const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return rls2__fail(container->err, status, "%s: %s", container->name, text);
}

static void set_name(rls2__container *container, const char *name)
{
    size_t length = strlen(name), room = sizeof container->name;
    if (length < room)
        memcpy(container->name, name, length + 1);
    else
        snprintf(container->name, room, "...%s", name + length - (room - 4));
}

/* ---- numbers ---- */

static uint64_t read_word(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int b = 0; b < 8; b++) word |= (uint64_t)bytes[b] << (8 * b);
    return word;
}

void rls2__read_doubles(const unsigned char *data, int64_t count, double *out)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t word = read_word(data + 8 * i);
        memcpy(&out[i], &word, sizeof word);
    }
}

void rls2__read_integers(const unsigned char *data, int64_t count, int64_t *out)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t word = read_word(data + 8 * i);
        memcpy(&out[i], &word, sizeof word);
    }
}

/* ---- the header ---- */

typedef struct file {
    const unsigned char *bytes;
    int64_t length;
    int64_t header; /* length of the header, -1 where the file does not have so much */
} file;

/* Does it begin as such a file does, as far as it goes? */
static int looks_right(const rls2__container *container, const file *f)
{
    const char *text = container->kind->start;
    int64_t there = f->length - RLS2__LENGTH_BYTES, start = (int64_t)strlen(text);
    int64_t compared = there < start ? there : start;
    return compared > 0 && memcmp(f->bytes + RLS2__LENGTH_BYTES, text, (size_t)compared) == 0;
}

static rls2_status fail_other(const rls2__container *container)
{
    return rls2__container_fail(container, RLS2_ERR_SYNTAX, "this is not %s of rls2, %s",
                                container->kind->noun, container->kind->made_by);
}

static rls2_status fail_cut_off(const rls2__container *container, int64_t there, uint64_t needed)
{
    return rls2__container_fail(container, RLS2_ERR_SYNTAX,
                                "the file is cut off: %" PRId64
                                " bytes where there should be %s%" PRIu64,
                                there, needed > INT64_MAX ? "more than " : "", needed);
}

static rls2_status find_header(const rls2__container *container, file *f)
{
    if (f->length < RLS2__LENGTH_BYTES ||
        (f->length > RLS2__LENGTH_BYTES && !looks_right(container, f))) {
        int64_t json =
            RLS2__LENGTH_BYTES; /* another safetensors file is told what it is further down */
        if (f->length <= json || f->bytes[json] != '{') return fail_other(container);
    }
    uint64_t stated = read_word(f->bytes);
    if (stated > (uint64_t)(f->length - RLS2__LENGTH_BYTES))
        return looks_right(container, f) || f->length == RLS2__LENGTH_BYTES
                   ? fail_cut_off(container, f->length,
                                  stated > INT64_MAX - 8 ? stated : stated + 8)
                   : fail_other(container);
    f->header = (int64_t)stated;
    return RLS2_OK;
}

static rls2_status parse_header(rls2__container *container, const file *f)
{
    json_error_t wrong;
    container->header = json_loadb((const char *)f->bytes + RLS2__LENGTH_BYTES, (size_t)f->header,
                                   JSON_REJECT_DUPLICATES, &wrong);
    if (!container->header && json_error_code(&wrong) == json_error_out_of_memory)
        return rls2__fail_memory(container->err, "the header of a file");
    if (!container->header && !looks_right(container, f)) return fail_other(container);
    if (!container->header)
        return rls2__container_fail(container, RLS2_ERR_SYNTAX,
                                    "the header is damaged at byte %d: %s",
                                    wrong.position + RLS2__LENGTH_BYTES, wrong.text);
    if (json_is_object(container->header)) return RLS2_OK;
    return fail_other(container);
}

/* ---- metadata ---- */

static const char *metadata_text(const rls2__container *container, const char *key)
{
    return json_string_value(
        json_object_get(json_object_get(container->header, "__metadata__"), key));
}

/* The other kind of file that rls2 writes is called by its name. */
static rls2_status fail_other_format(const rls2__container *container, const char *format)
{
    static const rls2__file_kind *const kinds[] = {&rls2__model_kind, &rls2__stats_kind,
                                                   &rls2__profile_kind};
    for (size_t k = 0; format && k < sizeof kinds / sizeof kinds[0]; k++)
        if (strcmp(format, kinds[k]->format) == 0)
            return rls2__container_fail(container, RLS2_ERR_SYNTAX, "this is %s of rls2, not %s",
                                        kinds[k]->noun, container->kind->noun);
    return rls2__container_fail(container, RLS2_ERR_SYNTAX,
                                "a safetensors file, but not %s of rls2", container->kind->noun);
}

static rls2_status check_version(rls2__container *container)
{
    const char *format = metadata_text(container, "format"),
               *version = metadata_text(container, "format_version");
    if (!format || strcmp(format, container->kind->format) != 0)
        return fail_other_format(container, format);
    size_t digits = version ? strspn(version, "0123456789") : 0;
    if (digits == 0 || version[digits] != '\0' || version[0] == '0')
        return rls2__container_fail(container, RLS2_ERR_SYNTAX, "the header has no format version");
    if (digits > 9 || atoi(version) > container->kind->newest)
        return rls2__container_fail(
            container, RLS2_ERR_VALUE,
            "format version %.20s; this rls2 reads versions up to %d: use a newer rls2", version,
            container->kind->newest);
    container->version = container->data_version = atoi(version);
    if (container->kind->data_version > 0) container->data_version = container->kind->data_version;
    return RLS2_OK;
}

/* Offset of the digits, -1 if there are none. */
static int64_t find_digits(const file *f)
{
    const char *header = (const char *)f->bytes + RLS2__LENGTH_BYTES;
    int64_t mark = (int64_t)strlen(RLS2__CHECKSUM_MARK);
    for (int64_t i = 0; i + mark + RLS2__CHECKSUM_DIGITS <= f->header; i++)
        if (memcmp(header + i, RLS2__CHECKSUM_MARK, (size_t)mark) == 0)
            return RLS2__LENGTH_BYTES + i + mark;
    return -1;
}

static rls2_status check_checksum(const rls2__container *container, const file *f)
{
    const char *stated = metadata_text(container, "checksum");
    int64_t digits = find_digits(f);
    if (!stated || digits < 0 || strlen(stated) != RLS2__CHECKSUM_DIGITS ||
        memcmp(f->bytes + digits, stated, RLS2__CHECKSUM_DIGITS) != 0)
        return rls2__container_fail(container, RLS2_ERR_SYNTAX,
                                    "the file is damaged (it has no checksum)");
    char found[RLS2__CHECKSUM_DIGITS + 1];
    snprintf(found, sizeof found, "%08" PRIx32, rls2__file_checksum(f->bytes, f->length, digits));
    if (strcmp(found, stated) == 0) return RLS2_OK;
    return rls2__container_fail(container, RLS2_ERR_SYNTAX,
                                "the file is damaged (checksum %s, not %s)", found, stated);
}

static rls2_status parse_description(rls2__container *container)
{
    json_error_t wrong;
    const char *text = metadata_text(container, "rls2");
    if (!text)
        return rls2__container_fail(container, RLS2_ERR_SYNTAX, "the header has no description");
    container->description = json_loads(text, JSON_REJECT_DUPLICATES, &wrong);
    if (json_is_object(container->description)) return RLS2_OK;
    if (!container->description && json_error_code(&wrong) == json_error_out_of_memory)
        return rls2__fail_memory(container->err, "the description of a file");
    return rls2__container_fail(container, RLS2_ERR_SYNTAX,
                                "the description is damaged at character %d: %s",
                                container->description ? 0 : wrong.position,
                                container->description ? "not an object" : wrong.text);
}

/* ---- arrays ---- */

typedef struct extent {
    int64_t begin;
    int64_t end;
} extent;

static int by_begin(const void *a, const void *b)
{
    const extent *x = a, *y = b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* A whole number that is not negative, else -1. */
static int64_t whole(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= 0 ? json_integer_value(value)
                                                                    : -1;
}

/* Elements of the shape, -1 where there is something wrong with it. */
static int64_t shape_size(const json_t *shape)
{
    int64_t size = json_is_array(shape) ? 1 : -1;
    for (size_t k = 0; k < json_array_size(shape); k++)
        size = rls2__mul(size, whole(json_array_get(shape, k)));
    return size;
}

static rls2_status read_extent(const rls2__container *container, const char *name,
                               const json_t *entry, extent *found)
{
    const json_t *offsets = json_object_get(entry, "data_offsets");
    const char *type = json_string_value(json_object_get(entry, "dtype"));
    if (!json_is_object(entry) || json_object_size(entry) != 3 || !type ||
        json_array_size(offsets) != 2)
        return rls2__container_fail(container, RLS2_ERR_SYNTAX,
                                    "the array '%.40s' is not described", name);
    if (strcmp(type, "F64") != 0 && strcmp(type, "I64") != 0)
        return rls2__container_fail(container, RLS2_ERR_SYNTAX,
                                    "the array '%.40s' is of type '%.20s', not F64 or I64", name,
                                    type);
    found->begin = whole(json_array_get(offsets, 0));
    found->end = whole(json_array_get(offsets, 1));
    if (found->begin < 0 || found->end < found->begin)
        return rls2__container_fail(container, RLS2_ERR_SYNTAX,
                                    "the array '%.40s' has no place in the file", name);
    int64_t bytes = rls2__mul(shape_size(json_object_get(entry, "shape")), RLS2__ALIGNMENT);
    if (bytes != found->end - found->begin)
        return rls2__container_fail(container, RLS2_ERR_SYNTAX,
                                    "the array '%.40s' takes %" PRId64
                                    " bytes, which do not fit its shape",
                                    name, found->end - found->begin);
    return RLS2_OK;
}

static rls2_status read_extents(const rls2__container *container, extent *extents, int64_t *count)
{
    const char *name;
    json_t *entry;
    json_object_foreach(container->header, name, entry)
    {
        if (strcmp(name, "__metadata__") == 0) continue;
        rls2_status status = read_extent(container, name, entry, &extents[(*count)++]);
        if (status != RLS2_OK) return status;
    }
    return RLS2_OK;
}

/* One after another from the first byte to the last, with nothing between them. */
static rls2_status check_extents(const rls2__container *container, extent *extents, int64_t count)
{
    int64_t at = 0;
    qsort(extents, (size_t)count, sizeof *extents, by_begin);
    for (int64_t i = 0; i < count; i++) {
        if (extents[i].begin != at)
            return rls2__container_fail(container, RLS2_ERR_SYNTAX,
                                        "the arrays %s at byte %" PRId64 " of the data",
                                        extents[i].begin < at ? "overlap" : "leave a hole", at);
        at = extents[i].end;
    }
    rls2__invariant(at >= 0);
    if (at > container->length)
        return rls2__container_fail(container, RLS2_ERR_SYNTAX,
                                    "the file is cut off: %" PRId64
                                    " bytes of data where there should be %" PRId64,
                                    container->length, at);
    if (at < container->length)
        return rls2__container_fail(container, RLS2_ERR_SYNTAX,
                                    "%" PRId64 " bytes too many at the end",
                                    container->length - at);
    return RLS2_OK;
}

static rls2_status check_arrays(const rls2__container *container)
{
    int64_t count = 0;
    extent *extents = rls2__alloc((int64_t)json_object_size(container->header), sizeof *extents);
    if (!extents) return rls2__fail_memory(container->err, "the arrays of a file");
    rls2_status status = read_extents(container, extents, &count);
    if (status == RLS2_OK) status = check_extents(container, extents, count);
    rls2__free(extents);
    return status;
}

rls2_status rls2__container_array(const rls2__container *container, const char *array,
                                  const char *type, int dimensions, rls2__array_view *view)
{
    const json_t *entry = json_object_get(container->header, array);
    const json_t *shape = json_object_get(entry, "shape");
    if (!entry)
        return rls2__container_fail(container, RLS2_ERR_SYNTAX, "the array '%s' is not there",
                                    array);
    if (strcmp(json_string_value(json_object_get(entry, "dtype")), type) != 0 ||
        json_array_size(shape) != (size_t)dimensions)
        return rls2__container_fail(container, RLS2_ERR_SYNTAX,
                                    "the array '%s' is not of type %s and dimension %d", array,
                                    type, dimensions);
    view->rows = dimensions == 2 ? whole(json_array_get(shape, 0)) : 1;
    view->columns = whole(json_array_get(shape, (size_t)dimensions - 1));
    rls2__invariant(view->rows >= 0 && view->columns >= 0);
    view->data = container->data +
                 json_integer_value(json_array_get(json_object_get(entry, "data_offsets"), 0));
    return RLS2_OK;
}

rls2_status rls2__container_check_finite(const rls2__container *container, const char *array,
                                         int64_t count, const double *x)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return rls2__container_fail(container, RLS2_ERR_VALUE,
                                        "%s: element %" PRId64 " is %g, not a finite number", array,
                                        i, x[i]);
    return RLS2_OK;
}

/* ---- all ---- */

rls2_status rls2__container_open(const rls2__file_kind *kind, const char *name,
                                 const unsigned char *bytes, int64_t length,
                                 rls2__container *container, rls2_error *err)
{
    file f = {bytes, length, -1};
    *container = (rls2__container){.size = length, .kind = kind, .err = err};
    set_name(container, name);
    rls2_status status = find_header(container, &f);
    if (status == RLS2_OK) status = parse_header(container, &f);
    if (status == RLS2_OK) status = check_version(container);
    if (status != RLS2_OK) return status;
    container->data = bytes + RLS2__LENGTH_BYTES + f.header;
    container->length = length - RLS2__LENGTH_BYTES - f.header;
    rls2__invariant(f.header >= 0 && container->length >= 0);
    status = check_arrays(container);
    if (status == RLS2_OK) status = check_checksum(container, &f);
    if (status == RLS2_OK) status = parse_description(container);
    return status;
}

void rls2__container_close(rls2__container *container)
{
    json_decref(container->header);
    json_decref(container->description);
}
