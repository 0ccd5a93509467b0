/* MATLAB files of level 5.
 *
 * After a header of 128 bytes the file is a row of elements: type (4 bytes), size (4 bytes),
 * content. A variable is an element of type MATRIX, or one of type COMPRESSED that unpacks to it.
 * Within it elements are padded to 8 bytes, and one of at most 4 bytes may be short: size and type
 * (2 bytes each) and content share 8 bytes. A matrix consists of
 *
 *   flags (class, complex), dimensions, name, numbers
 *   flags, dimensions, name, row indices, column starts, numbers      if sparse
 *   flags, name, ...                                                  an object of a class
 *
 * where the numbers may be stored smaller than their class. Variables that have no role are not
 * looked into, nor unpacked beyond their name. */
#include "formats/mat5.h"

#include <inttypes.h>
#include <string.h>

#include "base/status.h"
#include "formats/arrays.h"
#include "formats/inflate.h"

enum {
    FILE_HEADER = 128,
    TAG = 8,
    MATRIX = 14,
    COMPRESSED = 15,
    TYPE_INT8 = 1,
    TYPE_INT32 = 5,
    TYPE_UINT32 = 6,
    TYPE_UTF8 = 16,
    COMPLEX_FLAG = 0x0800,
    NAME_ROOM = 64,     /* MATLAB's names have at most 63 characters */
    HEAD_ROOM = 1024,   /* of a packed variable, enough for flags, dimensions and name */
    DEFLATE_BEST = 1032 /* no byte of a deflated stream stands for more */
};

typedef struct element {
    unsigned type;
    int64_t size;
    const char *data;
} element;

/* What remains of a matrix, or as much of it as was unpacked. */
typedef struct cursor {
    const char *at;
    const char *end;
    int big_endian;
} cursor;

typedef struct variable {
    char name[NAME_ROOM];
    int class;
    int complex;
    int dimensions;
    int64_t rows;
    int64_t columns;
} variable;

/* One file on its way to arrays. */
typedef struct reader {
    const char *file;
    const char *bytes;
    int64_t length;
    int big_endian;
    rls2__array *arrays;
    int capital[RLS2__MAT_ROLES]; /* 1: the array comes from a variable with a capital name */
    char seen[RLS2__LISTED][NAME_ROOM];
    int64_t variables;
} reader;

static rls2_status fail_damaged(const reader *r, int64_t offset, const char *what, rls2_error *err)
{
    return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: byte %" PRId64 ": the MATLAB file is damaged: %s",
                      r->file, offset, what);
}

static rls2_status fail_variable(const reader *r, const variable *v, const char *what,
                                 rls2_error *err)
{
    return rls2__fail(err, RLS2_ERR_SYNTAX, "%s is damaged: %s",
                      rls2__mat_place_of(r->file, v->name).text, what);
}

/* ---- elements of a matrix ---- */

static uint32_t word_at(const char *bytes, int big_endian)
{
    return (uint32_t)rls2__bytes_unsigned(bytes, 4, big_endian);
}

/* 0 if there is no whole element. */
static int take_element(cursor *c, element *e)
{
    if (c->end - c->at < TAG) return 0;
    uint32_t first = word_at(c->at, c->big_endian), second = word_at(c->at + 4, c->big_endian);
    if (first >> 16 != 0) { /* short */
        *e = (element){.type = first & 0xFFFF, .size = first >> 16, .data = c->at + 4};
        c->at += TAG;
        return e->size <= 4;
    }
    *e = (element){.type = first, .size = second, .data = c->at + TAG};
    if (e->size > c->end - e->data) return 0;
    int64_t padded = (e->size + 7) / 8 * 8;
    /* the padding of the last element may be absent */
    c->at = padded < c->end - e->data ? e->data + padded : c->end;
    return 1;
}

static int take_flags(cursor *c, variable *v)
{
    element e;
    if (!take_element(c, &e) || e.type != TYPE_UINT32 || e.size != 8) return 0;
    uint32_t flags = word_at(e.data, c->big_endian);
    v->class = (int)(flags & 0xFF);
    v->complex = (flags & COMPLEX_FLAG) != 0;
    return 1;
}

static int take_dimensions(cursor *c, variable *v)
{
    element e;
    if (!take_element(c, &e) || (e.type != TYPE_INT32 && e.type != TYPE_UINT32) ||
        e.size % 4 != 0 || e.size < 8)
        return 0;
    v->dimensions = (int)(e.size / 4);
    v->rows = word_at(e.data, c->big_endian);
    v->columns = word_at(e.data + 4, c->big_endian);
    return v->rows <= INT32_MAX && v->columns <= INT32_MAX;
}

/* Others than MATLAB write names as UTF-8 and dimensions without sign. A name that is too long to
 * have a role is cut. */
static int take_name(cursor *c, variable *v)
{
    element e;
    if (!take_element(c, &e) || (e.type != TYPE_INT8 && e.type != TYPE_UTF8)) return 0;
    size_t length = e.size < NAME_ROOM ? (size_t)e.size : NAME_ROOM - 1;
    memcpy(v->name, e.data, length);
    v->name[length] = '\0';
    return 1;
}

/* What comes before the numbers; 0 if it is damaged. */
static int take_head(cursor *c, variable *v)
{
    *v = (variable){.dimensions = 2};
    if (!take_flags(c, v)) return 0;
    if (v->class == RLS2__MAT_OPAQUE) return take_name(c, v);
    return take_dimensions(c, v) && take_name(c, v);
}

/* ---- numbers ---- */

/* Numbers that must be of one of the storage types, at least `count` of them. */
static int take_numbers(cursor *c, int64_t count, element *e, rls2__element *form)
{
    if (!take_element(c, e)) return 0;
    int size = rls2__mat_element(e->type, c->big_endian, form);
    return size > 0 && e->size % size == 0 && e->size / size >= count;
}

static rls2_status read_full(const reader *r, const variable *v, cursor *c, rls2__array *array,
                             rls2_error *err)
{
    element e;
    rls2__element form;
    int64_t count = v->rows * v->columns; /* both below 2^31 */
    if (!take_numbers(c, count, &e, &form) || e.size / form.size != count)
        return fail_variable(r, v, "it has not as many numbers as its dimensions say", err);
    return rls2__array_convert(rls2__mat_place_of(r->file, v->name).text, form, e.data, v->rows,
                               v->columns, 1, array, err);
}

static rls2_status read_sparse(const reader *r, const variable *v, cursor *c, rls2__array *array,
                               rls2_error *err)
{
    element row, start, number;
    rls2__element form;
    rls2__array entries = {0};
    rls2__mat_place place = rls2__mat_place_of(r->file, v->name);
    if (!take_element(c, &row) || !take_element(c, &start) || !take_numbers(c, 0, &number, &form))
        return fail_variable(r, v, "a part of the sparse matrix is absent", err);
    int64_t count = number.size / form.size;
    rls2_status status =
        rls2__array_convert(place.text, form, number.data, count, 1, 1, &entries, err);
    if (status != RLS2_OK) return status;
    rls2__sparse sparse = {.row = row.data,
                           .row_count = row.size / 4,
                           .start = start.data,
                           .start_count = start.size / 4,
                           .values = entries.values,
                           .value_count = count,
                           .index_size = 4,
                           .big_endian = c->big_endian};
    status = rls2__array_expand(place.text, &sparse, v->rows, v->columns, array, err);
    rls2__free(entries.values);
    return status;
}

/* A whole matrix, which has that role. */
static rls2_status read_matrix(const reader *r, cursor *c, rls2__array *array, rls2_error *err)
{
    variable v;
    if (!take_head(c, &v)) return fail_variable(r, &v, "its description is cut short", err);
    rls2__mat_about about = {.file = r->file,
                             .name = v.name,
                             .class = v.class,
                             .complex = v.complex,
                             .dimensions = v.dimensions,
                             .rows = v.rows,
                             .columns = v.columns};
    rls2_status status = rls2__mat_check(&about, err);
    if (status != RLS2_OK) return status;
    return v.class == RLS2__MAT_SPARSE ? read_sparse(r, &v, c, array, err)
                                       : read_full(r, &v, c, array, err);
}

/* ---- variables ---- */

/* Which array a variable is to fill; NULL: none, as it has no role or one of a capital name is
 * there. */
static rls2_status choose(reader *r, const variable *v, rls2__array **array, rls2_error *err)
{
    int capital = 0, role = rls2__mat_role(v->name, &capital);
    *array = NULL;
    if (*v->name != '\0') {
        if (r->variables < RLS2__LISTED) memcpy(r->seen[r->variables], v->name, NAME_ROOM);
        r->variables++;
    }
    if (role < 0) return RLS2_OK;
    if (r->arrays[role].values && capital == r->capital[role])
        return rls2__fail(err, RLS2_ERR_SYNTAX, "%s is there twice",
                          rls2__mat_place_of(r->file, v->name).text);
    if (r->arrays[role].values && !capital) return RLS2_OK;
    rls2__free(r->arrays[role].values);
    r->arrays[role] = (rls2__array){.limits = r->arrays[role].limits};
    r->capital[role] = capital;
    *array = &r->arrays[role];
    return RLS2_OK;
}

static rls2_status read_plain(reader *r, const char *data, int64_t size, rls2_error *err)
{
    variable v;
    rls2__array *array = NULL;
    cursor c = {.at = data, .end = data + size, .big_endian = r->big_endian}, whole = c;
    if (!take_head(&c, &v))
        return fail_damaged(r, data - r->bytes, "a variable is not described", err);
    rls2_status status = choose(r, &v, &array, err);
    if (status != RLS2_OK || !array) return status;
    return read_matrix(r, &whole, array, err);
}

static rls2_status unpack(const reader *r, const char *packed, int64_t size, char *data,
                          int64_t room, int64_t *made, rls2_error *err)
{
    rls2__inflated got = {0};
    rls2_status status = rls2__inflate(RLS2__DEFLATED_ZLIB, packed, size, data, room, &got);
    if (status == RLS2_ERR_MEMORY) return rls2__fail_memory(err, "unpacking a variable");
    if (status != RLS2_OK)
        return fail_damaged(r, packed - r->bytes, "compressed bytes make no sense", err);
    *made = got.made;
    return RLS2_OK;
}

/* Unpacks the whole of a variable that has a role. */
static rls2_status read_packed_matrix(const reader *r, const char *packed, int64_t size,
                                      int64_t whole, rls2__array *array, rls2_error *err)
{
    static const char cut[] = "a compressed variable is cut short";
    int64_t made = 0;
    if (whole / DEFLATE_BEST > size) return fail_damaged(r, packed - r->bytes, cut, err);
    rls2_status status = rls2__limit_bytes(&array->limits, r->file, whole, err);
    if (status != RLS2_OK) return status;
    char *data = rls2__alloc(whole, 1);
    if (!data) return rls2__fail_memory(err, "a variable of a MATLAB file");
    status = unpack(r, packed, size, data, whole, &made, err);
    if (status == RLS2_OK && made != whole) status = fail_damaged(r, packed - r->bytes, cut, err);
    cursor c = {.at = data + TAG, .end = data + whole, .big_endian = r->big_endian};
    if (status == RLS2_OK) status = read_matrix(r, &c, array, err);
    rls2__free(data);
    return status;
}

static rls2_status read_packed(reader *r, const char *packed, int64_t size, rls2_error *err)
{
    char head[HEAD_ROOM];
    int64_t made = 0;
    variable v;
    rls2__array *array = NULL;
    rls2_status status = unpack(r, packed, size, head, HEAD_ROOM, &made, err);
    if (status != RLS2_OK) return status;
    if (made < TAG || word_at(head, r->big_endian) != MATRIX)
        return fail_damaged(r, packed - r->bytes, "compressed bytes hold no variable", err);
    int64_t whole = TAG + (int64_t)word_at(head + 4, r->big_endian);
    cursor c = {
        .at = head + TAG, .end = head + (made < whole ? made : whole), .big_endian = r->big_endian};
    if (!take_head(&c, &v))
        return fail_damaged(r, packed - r->bytes, "a variable is not described", err);
    status = choose(r, &v, &array, err);
    if (status != RLS2_OK || !array) return status;
    return read_packed_matrix(r, packed, size, whole, array, err);
}

/* ---- the file ---- */

static rls2_status read_variables(reader *r, rls2_error *err)
{
    int64_t at = FILE_HEADER;
    while (at < r->length) {
        if (r->length - at < TAG) return fail_damaged(r, at, "it ends within a variable", err);
        uint32_t type = word_at(r->bytes + at, r->big_endian);
        int64_t size = word_at(r->bytes + at + 4, r->big_endian);
        const char *data = r->bytes + at + TAG;
        if (size > r->length - at - TAG)
            return fail_damaged(r, at, "it ends within a variable", err);
        rls2_status status = RLS2_OK;
        if (type == MATRIX) status = read_plain(r, data, size, err);
        if (type == COMPRESSED) status = read_packed(r, data, size, err);
        if (status != RLS2_OK) return status;
        at += TAG + size;
    }
    return RLS2_OK;
}

rls2_status rls2__mat5_read(const char *file, const char *bytes, int64_t length,
                            rls2__array arrays[RLS2__MAT_ROLES], rls2_error *err)
{
    reader r = {.file = file, .bytes = bytes, .length = length, .arrays = arrays};
    if (length < FILE_HEADER)
        return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: not a whole MATLAB file", file);
    r.big_endian = bytes[FILE_HEADER - 2] == 'M';
    rls2_status status = read_variables(&r, err);
    if (status != RLS2_OK || arrays[RLS2__MAT_X].values) return status;
    const char *seen[RLS2__LISTED];
    for (int k = 0; k < RLS2__LISTED; k++) seen[k] = r.seen[k];
    if (r.variables == 0)
        return rls2__fail(err, RLS2_ERR_NAME, "%s: there are no variables in it", file);
    return rls2__fail(err, RLS2_ERR_NAME, "%s: no variable is called X; there %s %s", file,
                      r.variables == 1 ? "is" : "are",
                      rls2__show_list(seen, r.variables, "'").text);
}
