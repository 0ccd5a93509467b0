/* A model becomes bytes: 8 bytes of length, a JSON header, arrays. */
#include "modelfile/pack.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "model/compact.h"
#include "modelfile/format.h"
#include "modelfile/pack_description.h"

rls2__array_name rls2__given_array(int64_t g)
{
    rls2__array_name name;
    snprintf(name.text, sizeof name.text, "given.%" PRId64, g);
    return name;
}

rls2__array_name rls2__output_array(int64_t o, const char *what)
{
    rls2__array_name name;
    snprintf(name.text, sizeof name.text, "outputs.%" PRId64 ".%s", o, what);
    return name;
}

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

typedef struct array {
    const char *type;
    int dimensions;
    int64_t shape[2];
    const void *values; /* elements of 8 bytes */
    rls2__array_name name;
} array;

typedef struct arrays {
    int64_t count;
    int64_t room;
    array *all;
    int64_t *exponents; /* the preparation by columns rather than by rows */
    double *shifts, *rests, *deviations;
} arrays;

static int64_t elements(const array *a)
{
    return a->dimensions == 1 ? a->shape[0] : a->shape[0] * a->shape[1];
}

static void add_array(arrays *list, const char *name, const char *type, int64_t rows,
                      int64_t columns, const void *values)
{
    rls2__invariant(list->count < list->room);
    array *a = &list->all[list->count++];
    *a = (array){.type = type, .dimensions = rows < 0 ? 1 : 2, .values = values};
    a->shape[0] = rows < 0 ? columns : rows;
    a->shape[1] = columns;
    snprintf(a->name.text, sizeof a->name.text, "%s", name);
}

static void add_vector(arrays *list, const char *name, const char *type, int64_t count,
                       const void *values)
{
    add_array(list, name, type, -1, count, values);
}

static rls2_status add_features(arrays *list, const rls2__preparation *preparation)
{
    int64_t p = preparation->columns;
    if (preparation->has_fills) add_vector(list, "features.fill", "F64", p, preparation->fills);
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
    add_vector(list, "features.exponent", "I64", p, list->exponents);
    add_vector(list, "features.shift", "F64", p, list->shifts);
    add_vector(list, "features.rest", "F64", p, list->rests);
    add_vector(list, "features.deviation", "F64", p, list->deviations);
    add_vector(list, "features.mean", "F64", p, preparation->means);
    add_vector(list, "features.divisor", "F64", p, preparation->deviations);
    return RLS2_OK;
}

static void add_output(arrays *list, int64_t o, const rls2_model *output)
{
    add_vector(list, rls2__output_array(o, "c").text, "F64", rls2__model_values(output), output->c);
    add_vector(list, rls2__output_array(o, "d").text, "F64", output->size, output->d);
    add_vector(list, rls2__output_array(o, "kernels").text, "I64", output->size, output->index);
    add_vector(list, rls2__output_array(o, "scales").text, "F64", output->dictionary->m,
               output->scales);
    if (output->trained_shares)
        add_vector(list, rls2__output_array(o, "shares").text, "F64", output->size,
                   output->trained_shares);
}

static void add_compact(arrays *list, const rls2_model *model)
{
    const rls2__compact *compact = model->compact;
    add_vector(list, "blocks", "I64", model->dictionary->m, compact->block_of);
    if (compact->mass) add_vector(list, "mass", "F64", compact->values, compact->mass);
}

static rls2_status list_arrays(const rls2_model *model, arrays *list)
{
    enum { SINGLE = 12, FOR_EACH_OUTPUT = 5 };
    int64_t room = rls2__add(model->dictionary->given_count, SINGLE);
    room = rls2__add(room, rls2__mul(model->output_count, FOR_EACH_OUTPUT));
    list->all = rls2__alloc(room, sizeof *list->all);
    list->room = room;
    if (!list->all) return RLS2_ERR_MEMORY;
    add_array(list, "x", "F64", model->used_count, model->n, model->x);
    add_vector(list, "columns", "I64", model->used_count, model->used);
    if (model->weights) add_vector(list, "weights", "F64", model->n, model->weights);
    if (model->compact) add_compact(list, model);
    for (int64_t o = 0; o < model->output_count; o++)
        add_output(list, o, rls2_model_output(model, o));
    for (int64_t g = 0; g < model->dictionary->given_count; g++)
        if (model->given[g])
            add_array(list, rls2__given_array(g).text, "F64", model->n, model->n, model->given[g]);
    return model->origin.encoder ? add_features(list, &model->origin.preparation) : RLS2_OK;
}

static void release_arrays(arrays *list)
{
    rls2__free(list->all);
    rls2__free(list->exponents);
    rls2__free(list->shifts);
}

/* Bytes of all of them. */
static int64_t data_length(const arrays *list)
{
    int64_t total = 0;
    for (int64_t i = 0; i < list->count; i++)
        total = rls2__add(total, rls2__mul(elements(&list->all[i]), RLS2__ALIGNMENT));
    return total;
}

/* ---- the whole ---- */

static int describe_arrays(json_t *header, const arrays *list)
{
    int fits = 1;
    int64_t at = 0;
    for (int64_t i = 0; i < list->count; i++) {
        const array *a = &list->all[i];
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
static char *make_header(const rls2_model *model, const arrays *list, int64_t *length)
{
    json_t *description = rls2__model_describe(model), *header = json_object(),
           *metadata = json_object();
    int64_t text_length = 0;
    char *text = json_text(description, 0, &text_length), *out = NULL;
    int fits = text != NULL;
    fits &= rls2__json_put(metadata, "format", json_string("rls2"));
    fits &=
        rls2__json_put(metadata, "format_version", json_sprintf("%d", rls2__model_version(model)));
    fits &= rls2__json_put(metadata, "checksum", json_string(RLS2__CHECKSUM_ZEROS));
    if (text) fits &= rls2__json_put(metadata, "rls2", json_stringn(text, (size_t)text_length));
    fits &= rls2__json_put(header, "__metadata__", metadata);
    fits &= describe_arrays(header, list);
    if (fits) out = json_text(header, RLS2__ALIGNMENT, length);
    while (out && *length % RLS2__ALIGNMENT != 0) out[(*length)++] = ' ';
    rls2__free(text);
    json_decref(header);
    json_decref(description);
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

rls2_status rls2__model_pack(const rls2_model *model, unsigned char **bytes, int64_t *length,
                             rls2_error *err)
{
    arrays list = {0};
    char *header = NULL;
    unsigned char *out = NULL;
    int64_t header_length = 0, total = -1;
    rls2_status status = list_arrays(model, &list);
    if (status == RLS2_OK) header = make_header(model, &list, &header_length);
    if (header) total = rls2__add(rls2__add(header_length, RLS2__LENGTH_BYTES), data_length(&list));
    if (total >= 0) out = rls2__alloc(total, 1);
    if (out) {
        uint64_t word = (uint64_t)header_length;
        unsigned char *at = write_words(&word, 1, out);
        memcpy(at, header, (size_t)header_length);
        at += header_length;
        for (int64_t i = 0; i < list.count; i++)
            at = write_words(list.all[i].values, elements(&list.all[i]), at);
        rls2__invariant(at == out + total && header_length % RLS2__ALIGNMENT == 0);
        write_checksum(out, total);
        *bytes = out;
        *length = total;
    }
    rls2__free(header);
    release_arrays(&list);
    return out ? RLS2_OK : rls2__fail_memory(err, "the bytes of the model");
}
