/* Arrays and a description become bytes: 8 bytes of length, a JSON header, arrays. */
#include "modelfile/array_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "modelfile/pack_description.h"

uint32_t rls2__file_checksum(const unsigned char *bytes, int64_t length, int64_t digits)
{
    int64_t after = digits + RLS2__CHECKSUM_DIGITS;
    uLong sum = crc32_z(0, bytes, (z_size_t)digits);
    sum = crc32_z(sum, (const unsigned char *)RLS2__CHECKSUM_ZEROS, RLS2__CHECKSUM_DIGITS);
    return (uint32_t)crc32_z(sum, bytes + after, (z_size_t)(length - after));
}

/* ---- JSON ---- */

/* The text of a JSON value, of rls2__alloc; NULL when out of memory. `more` bytes of room stay
 * free. */
static char *json_text(const json_t *value, int64_t more, int64_t *length)
{
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(17);
    size_t size = value ? json_dumpb(value, NULL, 0, flags) : 0;
    char *text = size > 0 ? rls2__alloc(rls2__add((int64_t)size, more), 1) : NULL;
    if (!text) return NULL;
    *length = (int64_t)json_dumpb(value, text, size, flags);
    return text;
}

/* ---- the arrays ---- */

rls2_status rls2__array_list_open(rls2__array_list *list, int64_t room)
{
    *list = (rls2__array_list){.room = room};
    list->all = rls2__alloc(room, sizeof *list->all);
    return list->all ? RLS2_OK : RLS2_ERR_MEMORY;
}

void rls2__array_list_close(rls2__array_list *list)
{
    rls2__free(list->all);
    rls2__free(list->exponents);
    rls2__free(list->shifts);
}

static int64_t elements(const rls2__array *a)
{
    return a->dimensions == 1 ? a->shape[0] : a->shape[0] * a->shape[1];
}

void rls2__array_list_add(rls2__array_list *list, const char *name, const char *type, int64_t rows,
                          int64_t columns, const void *values)
{
    rls2__invariant(list->count < list->room);
    rls2__array *a = &list->all[list->count++];
    *a = (rls2__array){.type = type, .dimensions = rows < 0 ? 1 : 2, .values = values};
    a->shape[0] = rows < 0 ? columns : rows;
    a->shape[1] = columns;
    snprintf(a->name.text, sizeof a->name.text, "%s", name);
}

void rls2__array_list_add_vector(rls2__array_list *list, const char *name, const char *type,
                                 int64_t count, const void *values)
{
    rls2__array_list_add(list, name, type, -1, count, values);
}

rls2_status rls2__array_list_add_preparation(rls2__array_list *list,
                                             const rls2__preparation *preparation)
{
    int64_t p = preparation->columns;
    if (preparation->has_fills)
        rls2__array_list_add_vector(list, "features.fill", "F64", p, preparation->fills);
    if (preparation->how.features == RLS2_NORMALIZE_NONE) return RLS2_OK;
    list->exponents = rls2__alloc(p, sizeof(int64_t));
    list->shifts = rls2__alloc(rls2__mul(p, 3), sizeof(double));
    if (!list->exponents || !list->shifts) return RLS2_ERR_MEMORY;
    list->rests = list->shifts + p;
    list->deviations = list->rests + p;
    for (int64_t j = 0; j < p; j++) {
        list->exponents[j] = preparation->scales[j].exponent;
        list->shifts[j] = preparation->scales[j].shift;
        list->rests[j] = preparation->scales[j].rest;
        list->deviations[j] = preparation->scales[j].deviation;
    }
    rls2__array_list_add_vector(list, "features.exponent", "I64", p, list->exponents);
    rls2__array_list_add_vector(list, "features.shift", "F64", p, list->shifts);
    rls2__array_list_add_vector(list, "features.rest", "F64", p, list->rests);
    rls2__array_list_add_vector(list, "features.deviation", "F64", p, list->deviations);
    rls2__array_list_add_vector(list, "features.mean", "F64", p, preparation->means);
    rls2__array_list_add_vector(list, "features.divisor", "F64", p, preparation->deviations);
    return RLS2_OK;
}

/* Bytes of all of them. */
static int64_t data_length(const rls2__array_list *list)
{
    int64_t total = 0;
    for (int64_t i = 0; i < list->count; i++)
        total = rls2__add(total, rls2__mul(elements(&list->all[i]), RLS2__ALIGNMENT));
    return total;
}

/* ---- the whole ---- */

static int describe_arrays(json_t *header, const rls2__array_list *list)
{
    int fits = 1;
    int64_t at = 0;
    for (int64_t i = 0; i < list->count; i++) {
        const rls2__array *a = &list->all[i];
        json_t *shape = json_array(), *entry = json_object();
        for (int k = 0; k < a->dimensions; k++)
            fits &= rls2__json_append(shape, json_integer(a->shape[k]));
        fits &= rls2__json_put(entry, "dtype", json_string(a->type));
        fits &= rls2__json_put(entry, "shape", shape);
        int64_t end = at + elements(a) * RLS2__ALIGNMENT;
        fits &= rls2__json_put(entry, "data_offsets",
                               json_pack("[I, I]", (json_int_t)at, (json_int_t)end));
        fits &= rls2__json_put(header, a->name.text, entry);
        at = end;
    }
    return fits;
}

/* The header's text, of a length that keeps the arrays aligned. */
static char *make_header(const rls2__array_list *list, const rls2__file_kind *kind, int version,
                         const json_t *description, int64_t *length)
{
    json_t *header = json_object(), *metadata = json_object();
    int64_t text_length = 0;
    char *text = json_text(description, 0, &text_length), *out = NULL;
    int fits = text != NULL;
    fits &= rls2__json_put(metadata, "format", json_string(kind->format));
    fits &= rls2__json_put(metadata, "format_version", json_sprintf("%d", version));
    fits &= rls2__json_put(metadata, "checksum", json_string(RLS2__CHECKSUM_ZEROS));
    if (text) fits &= rls2__json_put(metadata, "rls2", json_stringn(text, (size_t)text_length));
    fits &= rls2__json_put(header, "__metadata__", metadata);
    fits &= describe_arrays(header, list);
    if (fits) out = json_text(header, RLS2__ALIGNMENT, length);
    while (out && *length % RLS2__ALIGNMENT != 0) out[(*length)++] = ' ';
    rls2__free(text);
    json_decref(header);
    return out;
}

/* Little-endian whatever the machine is. */
static unsigned char *write_words(const void *values, int64_t count, unsigned char *out)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, (const char *)values + i * 8, sizeof word);
        for (int b = 0; b < 8; b++) *out++ = (unsigned char)(word >> (8 * b));
    }
    return out;
}

static void write_checksum(unsigned char *bytes, int64_t length)
{
    const char *start = (const char *)bytes + RLS2__LENGTH_BYTES;
    const char *mark =
        strstr(start, RLS2__CHECKSUM_MARK); /* in the header; quotes in texts are escaped */
    int64_t digits = mark + strlen(RLS2__CHECKSUM_MARK) - (const char *)bytes;
    char text[RLS2__CHECKSUM_DIGITS + 1];
    snprintf(text, sizeof text, "%08" PRIx32, rls2__file_checksum(bytes, length, digits));
    memcpy(bytes + digits, text, RLS2__CHECKSUM_DIGITS);
}

static void write_all(const rls2__array_list *list, const char *header, int64_t header_length,
                      int64_t total, unsigned char *out)
{
    uint64_t word = (uint64_t)header_length;
    unsigned char *at = write_words(&word, 1, out);
    memcpy(at, header, (size_t)header_length);
    at += header_length;
    for (int64_t i = 0; i < list->count; i++)
        at = write_words(list->all[i].values, elements(&list->all[i]), at);
    rls2__invariant(at == out + total && header_length % RLS2__ALIGNMENT == 0);
    write_checksum(out, total);
}

rls2_status rls2__array_list_write(const rls2__array_list *list, const rls2__file_kind *kind,
                                   int version, const json_t *description, unsigned char **bytes,
                                   int64_t *length)
{
    int64_t header_length = 0, total = -1;
    unsigned char *out = NULL;
    char *header = make_header(list, kind, version, description, &header_length);
    if (header) total = rls2__add(rls2__add(header_length, RLS2__LENGTH_BYTES), data_length(list));
    if (total >= 0) out = rls2__alloc(total, 1);
    if (out) {
        write_all(list, header, header_length, total, out);
        *bytes = out;
        *length = total;
    }
    rls2__free(header);
    return out ? RLS2_OK : RLS2_ERR_MEMORY;
}
