/* The format of numpy.save:
 *
 *   "\x93NUMPY", version (2 bytes), length of the header (2 bytes, from version 2.0 on 4),
 *   header: a Python dict, {'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }
 *   the numbers */
#include "formats/npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "formats/arrays.h"

enum { PREFIX = 8, SHAPE_ROOM = 80 };

typedef rls2__npy_header header;

/* What is still to be read of the dict. */
typedef struct cursor {
    const char *place;
    const char *at;
    const char *end;
} cursor;

static rls2_status fail_header(const cursor *c, const char *what, rls2_error *err)
{
    return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: the header of the numpy array is damaged: %s",
                      c->place, what);
}

/* ---- pieces of the dict ---- */

static void skip_blanks(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r'))
        c->at++;
}

/* Steps over that character, blanks before it left out; 0 if another stands there. */
static int take(cursor *c, char wanted)
{
    skip_blanks(c);
    if (c->at == c->end || *c->at != wanted) return 0;
    c->at++;
    return 1;
}

static int take_word(cursor *c, const char *word)
{
    size_t length = strlen(word);
    skip_blanks(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0) return 0;
    c->at += length;
    return 1;
}

/* A text in single or double quotes, without escapes; 0 if there is none. */
static int take_text(cursor *c, const char **text, int64_t *length)
{
    char quote = take(c, '\'') ? '\'' : '"';
    if (quote == '"' && !take(c, '"')) return 0;
    const char *stop = memchr(c->at, quote, (size_t)(c->end - c->at));
    if (!stop) return 0;
    *text = c->at;
    *length = stop - c->at;
    c->at = stop + 1;
    return 1;
}

/* A whole number; -1 if there is none or if it is too large. Python 2 wrote 3L. */
static int64_t take_whole(cursor *c)
{
    int64_t number = 0;
    skip_blanks(c);
    const char *begin = c->at;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
        number = rls2__add(rls2__mul(number, 10), *c->at - '0');
    if (c->at == begin) return -1;
    take(c, 'L');
    return number;
}

/* ---- its three entries ---- */

/* '<f8': byte order, kind, size. */
static int parse_descr(const char *text, int64_t length, rls2__element *element)
{
    if (length != 3 || !memchr("<>=|", text[0], 4)) return 0;
    int size = text[2] - '0';
    switch (text[1]) {
    case 'f': element->kind = RLS2__ELEMENT_FLOAT; break;
    case 'i': element->kind = RLS2__ELEMENT_SIGNED; break;
    case 'u':
    case 'b': element->kind = RLS2__ELEMENT_UNSIGNED; break;
    default: return 0;
    }
    element->size = size;
    element->big_endian = text[0] == '>' || (text[0] == '=' && rls2__machine_is_big_endian());
    if (text[1] == 'b') return size == 1;
    if (text[1] == 'f') return (size == 4 || size == 8) && text[0] != '|';
    return size == 1 || ((size == 2 || size == 4 || size == 8) && text[0] != '|');
}

static rls2_status fail_descr(const cursor *c, const char *descr, rls2_error *err)
{
    return rls2__fail(
        err, RLS2_ERR_VALUE,
        "%s: an array of type '%s' is not of numbers that can be read: it must be of floats of "
        "4 or 8 bytes, integers or booleans",
        c->place, descr);
}

static rls2_status read_descr(cursor *c, header *h, rls2_error *err)
{
    const char *text = NULL;
    int64_t length = 0;
    skip_blanks(c);
    if (c->at < c->end && *c->at == '[') { /* a list of fields: a structured type */
        const char *stop = memchr(c->at, ']', (size_t)(c->end - c->at));
        return fail_descr(c, rls2__show_part(c->at, (stop ? stop + 1 : c->end) - c->at).text, err);
    }
    if (!take_text(c, &text, &length)) return fail_header(c, "'descr' is no text", err);
    snprintf(h->descr, sizeof h->descr, "%s", rls2__show_part(text, length).text);
    if (!parse_descr(text, length, &h->element)) return fail_descr(c, h->descr, err);
    return RLS2_OK;
}

static rls2_status read_order(cursor *c, header *h, rls2_error *err)
{
    if (take_word(c, "True"))
        h->fortran = 1;
    else if (take_word(c, "False"))
        h->fortran = 0;
    else
        return fail_header(c, "'fortran_order' is neither True nor False", err);
    return RLS2_OK;
}

static rls2_status read_shape(cursor *c, header *h, rls2_error *err)
{
    if (!take(c, '(')) return fail_header(c, "'shape' is no tuple", err);
    h->dimensions = 0;
    for (int comma = 1; !take(c, ')'); comma = take(c, ',')) {
        if (h->dimensions == RLS2__NPY_DIMENSIONS)
            return fail_header(c, "'shape' has too many dimensions", err);
        int64_t extent = comma ? take_whole(c) : -1;
        if (extent < 0) return fail_header(c, "'shape' is no tuple of whole numbers", err);
        h->shape[h->dimensions++] = extent;
    }
    return RLS2_OK;
}

static rls2_status read_entry(cursor *c, header *h, rls2_error *err)
{
    const char *key = NULL;
    int64_t length = 0;
    if (!take_text(c, &key, &length) || !take(c, ':')) return fail_header(c, "it is no dict", err);
    if (length == 5 && memcmp(key, "descr", 5) == 0 && !*h->descr) return read_descr(c, h, err);
    if (length == 13 && memcmp(key, "fortran_order", 13) == 0 && h->fortran < 0)
        return read_order(c, h, err);
    if (length == 5 && memcmp(key, "shape", 5) == 0 && h->dimensions < 0)
        return read_shape(c, h, err);
    return rls2__fail(
        err, RLS2_ERR_SYNTAX,
        "%s: the header of the numpy array is damaged: '%s' is unknown or there twice", c->place,
        rls2__show_part(key, length).text);
}

static rls2_status read_dict(cursor *c, header *h, rls2_error *err)
{
    if (!take(c, '{')) return fail_header(c, "it is no dict", err);
    for (int comma = 1; !take(c, '}'); comma = take(c, ',')) {
        if (!comma) return fail_header(c, "it is no dict", err);
        rls2_status status = read_entry(c, h, err);
        if (status != RLS2_OK) return status;
    }
    skip_blanks(c);
    if (c->at < c->end) return fail_header(c, "something follows the dict", err);
    if (!*h->descr || h->fortran < 0 || h->dimensions < 0)
        return fail_header(c, "one of 'descr', 'fortran_order' and 'shape' is absent", err);
    return RLS2_OK;
}

/* ---- the header ---- */

static rls2_status fail_shape(const char *place, const header *h, const char *what, rls2_error *err)
{
    char text[SHAPE_ROOM] = "";
    size_t used = 0;
    for (int k = 0; k < h->dimensions && used < sizeof text; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRId64, k > 0 ? ", " : "",
                                 h->shape[k]);
    return rls2__fail(err, RLS2_ERR_VALUE, "%s: the array has the shape (%s)%s", place, text, what);
}

static rls2_status set_extent(const char *place, header *h, rls2_error *err)
{
    static const char wanted[] = "; it must be a vector or a matrix, and not empty";
    if (h->dimensions < 1 || h->dimensions > 2) return fail_shape(place, h, wanted, err);
    h->rows = h->shape[0];
    h->columns = h->dimensions == 2 ? h->shape[1] : 1;
    if (h->rows == 0 || h->columns == 0) return fail_shape(place, h, wanted, err);
    int64_t bytes = rls2__mul(rls2__mul(h->rows, h->columns), h->element.size);
    h->end = rls2__add(h->start, bytes);
    if (bytes < 0 || h->end < 0) return fail_shape(place, h, ", more than a file can hold", err);
    return RLS2_OK;
}

rls2_status rls2__npy_header_read(const char *place, const char *bytes, int64_t length, header *h,
                                  rls2_error *err)
{
    *h = (header){.descr = ""};
    static const char magic[] = "\x93NUMPY";
    if (length < PREFIX + 4 || memcmp(bytes, magic, sizeof magic - 1) != 0)
        return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: not a numpy array", place);
    int major = (unsigned char)bytes[6], minor = (unsigned char)bytes[7];
    if (major < 1 || major > 3 || minor != 0)
        return rls2__fail(err, RLS2_ERR_SYNTAX,
                          "%s: version %d.%d of the numpy format is not known", place, major,
                          minor);
    int width = major == 1 ? 2 : 4;
    int64_t size = (int64_t)rls2__bytes_unsigned(bytes + PREFIX, width, 0);
    h->start = PREFIX + width + size;
    if (h->start > length || h->start > RLS2__NPY_HEADER_ROOM)
        return rls2__fail(err, RLS2_ERR_SYNTAX,
                          "%s: the header of the numpy array, %" PRId64 " bytes, is %s", place,
                          size, h->start > RLS2__NPY_HEADER_ROOM ? "too long" : "cut short");
    cursor c = {.place = place, .at = bytes + PREFIX + width, .end = bytes + h->start};
    h->fortran = h->dimensions = -1;
    rls2_status status = read_dict(&c, h, err);
    if (status != RLS2_OK) return status;
    return set_extent(place, h, err);
}

/* ---- the array ---- */

/* Up to where an array that was cut is whole. */
static void say_end(const header *h, int64_t bytes, char *text, size_t size)
{
    int64_t numbers = bytes / h->element.size;
    if (h->fortran && h->columns > 1)
        snprintf(text, size, ": it ends in column %" PRId64 " after row %" PRId64,
                 numbers / h->rows + 1, numbers % h->rows);
    else
        snprintf(text, size, ": it ends after row %" PRId64, numbers / h->columns);
}

rls2_status rls2__npy_check_length(const char *place, const header *h, int64_t length,
                                   rls2_error *err)
{
    char end[SHAPE_ROOM] = "";
    if (h->end == length) return RLS2_OK;
    if (length < h->end) say_end(h, length - h->start, end, sizeof end);
    return rls2__fail(err, RLS2_ERR_SYNTAX,
                      "%s: an array of %" PRId64 " x %" PRId64
                      " numbers of type '%s' takes %" PRId64 " bytes, but %" PRId64 " are there%s",
                      place, h->rows, h->columns, h->descr, h->end - h->start, length - h->start,
                      end);
}

rls2_status rls2__npy_length(const char *place, const char *bytes, int64_t length, int64_t *whole,
                             rls2_error *err)
{
    header h;
    rls2_status status = rls2__npy_header_read(place, bytes, length, &h, err);
    if (status == RLS2_OK) *whole = h.end;
    return status;
}

rls2_status rls2__npy_parse(const char *place, const char *bytes, int64_t length,
                            rls2__array *array, rls2_error *err)
{
    header h;
    rls2_status status = rls2__npy_header_read(place, bytes, length, &h, err);
    if (status != RLS2_OK) return status;
    status = rls2__npy_check_length(place, &h, length, err);
    if (status != RLS2_OK) return status;
    return rls2__array_convert(place, h.element, bytes + h.start, h.rows, h.columns, h.fortran,
                               array, err);
}

rls2_status rls2__read_npy(rls2_table *table, const rls2__bytes *bytes, rls2_error *err)
{
    rls2__array x = {.limits = table->limits};
    rls2_status status = rls2__npy_parse(table->name, bytes->data, bytes->length, &x, err);
    if (status == RLS2_OK) status = rls2__table_from_arrays(table, &x, NULL, NULL, err);
    rls2__free(x.values);
    return status;
}
