/* MATLAB files of version 7.3: HDF5 after 512 bytes of header.
 *
 * A variable is a member of the outermost group: an array whose attribute MATLAB_class names its
 * class. HDF5 counts dimensions the other way round, so that what it calls p x n is the n x p
 * matrix by its columns. Where there are no elements, the attribute MATLAB_empty is 1 and the array
 * holds the dimensions. A sparse matrix is a group with an attribute MATLAB_sparse, its number of
 * rows, and with the arrays ir (rows), jc (starts of columns) and data. Structs are groups too;
 * cells, objects and complex numbers have other types. Variables that have no role are not looked
 * into. */
#include "formats/mat73.h"

#include <string.h>

#include "base/status.h"
#include "formats/arrays.h"
#include "formats/hdf5.h"
#include "formats/hdf5_data.h"

enum { NAME_ROOM = 64, CLASS_ROOM = 64 };

/* One file on its way to arrays. */
typedef struct reader {
    const char *file;
    rls2__hdf5 *container;
    uint64_t at[RLS2__MAT_ROLES][2]; /* where variables are, by small and capital name */
    int is_there[RLS2__MAT_ROLES][2];
    char seen[RLS2__LISTED][NAME_ROOM];
    int64_t variables;
} reader;

/* What is said of one variable. */
typedef struct variable {
    const char *name;
    uint64_t at;
    rls2__hdf5_object object;
    char class[CLASS_ROOM]; /* "": not said */
    int is_empty;
    int is_sparse;
    uint64_t rows; /* of a sparse one */
} variable;

static rls2_status fail_file(const reader *r, rls2_error *err)
{
    if (r->container->out_of_memory) return rls2__fail_memory(err, r->container->fault);
    return rls2__fail(err, RLS2_ERR_SYNTAX,
                      "%s: the MATLAB file is damaged, or not of the form that MATLAB writes: %s; "
                      "save it with -v7",
                      r->file, r->container->fault);
}

static rls2_status fail_variable(const reader *r, const variable *v, rls2_error *err)
{
    if (r->container->out_of_memory) return rls2__fail_memory(err, r->container->fault);
    return rls2__fail(err, RLS2_ERR_SYNTAX,
                      "%s is damaged, or not of the form that MATLAB writes: %s; save it with -v7",
                      rls2__mat_place_of(r->file, v->name).text, r->container->fault);
}

/* ---- attributes ---- */

/* A text of fixed length, cut where it is longer than any class of numbers. */
static int read_class(rls2__hdf5 *f, variable *v)
{
    rls2__hdf5_attribute a;
    int found;
    if (!rls2__hdf5_attribute_find(f, v->at, "MATLAB_class", &a, &found)) return 0;
    if (!found) return 1;
    if (a.type.class != RLS2__HDF5_TEXT || a.space.count != 1)
        return rls2__hdf5_fail(f, "MATLAB_class is no text");
    size_t length = a.type.size < CLASS_ROOM ? (size_t)a.type.size : CLASS_ROOM - 1;
    memcpy(v->class, a.data, length);
    v->class[length] = '\0';
    return 1;
}

/* A single whole number; *found is 0 where it is absent. */
static int read_whole(rls2__hdf5 *f, const variable *v, const char *name, uint64_t *number,
                      int *found)
{
    rls2__hdf5_attribute a;
    if (!rls2__hdf5_attribute_find(f, v->at, name, &a, found)) return 0;
    if (!*found) return 1;
    if (!a.type.is_known || a.type.class != RLS2__HDF5_WHOLE || a.space.count != 1)
        return rls2__hdf5_fail(f, "an attribute is no single whole number");
    *number = rls2__bytes_unsigned(a.data, a.type.element.size, a.type.element.big_endian);
    return 1;
}

static int describe(rls2__hdf5 *f, variable *v)
{
    uint64_t empty = 0;
    int found;
    if (!rls2__hdf5_object_read(f, v->at, &v->object) || !read_class(f, v)) return 0;
    if (!read_whole(f, v, "MATLAB_empty", &empty, &found)) return 0;
    v->is_empty = found && empty != 0;
    return read_whole(f, v, "MATLAB_sparse", &v->rows, &v->is_sparse);
}

/* ---- classes ---- */

static int class_of(const variable *v)
{
    static const struct {
        const char *name;
        int class;
    } known[] = {{"double", RLS2__MAT_DOUBLE},
                 {"single", RLS2__MAT_DOUBLE},
                 {"logical", RLS2__MAT_DOUBLE},
                 {"int8", RLS2__MAT_DOUBLE},
                 {"uint8", RLS2__MAT_DOUBLE},
                 {"int16", RLS2__MAT_DOUBLE},
                 {"uint16", RLS2__MAT_DOUBLE},
                 {"int32", RLS2__MAT_DOUBLE},
                 {"uint32", RLS2__MAT_DOUBLE},
                 {"int64", RLS2__MAT_DOUBLE},
                 {"uint64", RLS2__MAT_DOUBLE},
                 {"char", RLS2__MAT_CHAR},
                 {"cell", RLS2__MAT_CELL},
                 {"struct", RLS2__MAT_STRUCT},
                 {"", RLS2__MAT_DOUBLE},
                 {"canonical empty", RLS2__MAT_DOUBLE},
                 {"function_handle", RLS2__MAT_FUNCTION}};
    int class = RLS2__MAT_OPAQUE;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(v->class, known[k].name) == 0) class = known[k].class;
    if (!v->object.is_group) return class;
    if (class == RLS2__MAT_DOUBLE) return v->is_sparse ? RLS2__MAT_SPARSE : RLS2__MAT_STRUCT;
    return class;
}

static int64_t bounded(uint64_t number)
{
    return number > INT64_MAX ? INT64_MAX : (int64_t)number;
}

/* The dimensions of a variable without elements; 0 x 0 where they cannot be told. */
static void read_empty(rls2__hdf5 *f, const rls2__hdf5_object *o, rls2__mat_about *about)
{
    rls2__hdf5_data data;
    about->rows = about->columns = 0;
    about->dimensions = 2;
    if (o->space.count != 2 || o->type.class != RLS2__HDF5_WHOLE ||
        !rls2__hdf5_data_read(f, o, &data))
        return;
    rls2__element e = o->type.element;
    about->rows = bounded(rls2__bytes_unsigned(data.bytes, e.size, e.big_endian));
    about->columns = bounded(rls2__bytes_unsigned(data.bytes + e.size, e.size, e.big_endian));
    if (about->rows != 0 && about->columns != 0) about->rows = 0;
    rls2__free(data.owned);
}

static rls2__mat_about about_of(const reader *r, const variable *v)
{
    const rls2__hdf5_object *o = &v->object;
    rls2__mat_about about = {
        .file = r->file, .name = v->name, .class = class_of(v), .dimensions = 2};
    if (v->is_empty) {
        read_empty(r->container, o, &about);
        return about;
    }
    if (o->is_group) {
        about.rows = bounded(v->rows);
        about.columns = 1; /* as the length of jc will tell */
        return about;
    }
    about.complex = o->type.class == RLS2__HDF5_COMPOUND;
    about.dimensions = o->space.rank <= 2 ? 2 : o->space.rank;
    about.rows = bounded(o->space.extent[1]);
    about.columns = bounded(o->space.extent[0]);
    return about;
}

/* ---- numbers ---- */

static rls2_status read_full(const reader *r, const variable *v, rls2__array *array,
                             rls2_error *err)
{
    const rls2__hdf5_object *o = &v->object;
    rls2__hdf5_data data;
    if (!rls2__hdf5_data_read(r->container, o, &data)) return fail_variable(r, v, err);
    rls2_status status = rls2__array_convert(
        rls2__mat_place_of(r->file, v->name).text, o->type.element, data.bytes,
        (int64_t)o->space.extent[1], (int64_t)o->space.extent[0], 1, array, err);
    rls2__free(data.owned);
    return status;
}

/* The members of a sparse matrix. Without entries, ir and data may be absent. */
enum { PART_ROW, PART_START, PART_DATA, PARTS };
typedef struct parts {
    int is_there[PARTS];
    uint64_t at[PARTS];
    rls2__hdf5_object object[PARTS];
    rls2__hdf5_data data[PARTS];
} parts;

static int note_part(rls2__hdf5 *f, const char *name, uint64_t at, void *context)
{
    static const char *const names[PARTS] = {"ir", "jc", "data"};
    parts *p = context;
    for (int k = 0; k < PARTS; k++) {
        if (strcmp(name, names[k]) != 0) continue;
        if (p->is_there[k]) return rls2__hdf5_fail(f, "a part of the sparse matrix is there twice");
        p->is_there[k] = 1;
        p->at[k] = at;
    }
    return 1;
}

static int read_parts(rls2__hdf5 *f, const variable *v, parts *p)
{
    if (!rls2__hdf5_group_walk(f, &v->object, note_part, p)) return 0;
    for (int k = 0; k < PARTS; k++) {
        if (!p->is_there[k]) continue;
        if (!rls2__hdf5_object_read(f, p->at[k], &p->object[k])) return 0;
        if (p->object[k].space.count > 0 && !rls2__hdf5_data_read(f, &p->object[k], &p->data[k]))
            return 0;
    }
    if (!p->data[PART_START].bytes || p->object[PART_START].type.class != RLS2__HDF5_WHOLE)
        return rls2__hdf5_fail(f, "a part of the sparse matrix is absent");
    rls2__element row = p->object[PART_ROW].type.element,
                  start = p->object[PART_START].type.element;
    if (p->data[PART_ROW].bytes && (p->object[PART_ROW].type.class != RLS2__HDF5_WHOLE ||
                                    row.size != start.size || row.big_endian != start.big_endian))
        return rls2__hdf5_fail(f, "the indices of the sparse matrix are of two kinds");
    return 1;
}

static rls2_status expand_parts(const reader *r, const variable *v, const parts *p,
                                rls2__array *array, rls2_error *err)
{
    rls2__mat_place place = rls2__mat_place_of(r->file, v->name);
    rls2__array entries = {0};
    rls2_status status = RLS2_OK;
    rls2__element start = p->object[PART_START].type.element;
    rls2__sparse sparse = {.row = p->data[PART_ROW].bytes,
                           .start = p->data[PART_START].bytes,
                           .start_count = (int64_t)p->object[PART_START].space.count,
                           .index_size = start.size,
                           .big_endian = start.big_endian};
    if (p->data[PART_ROW].bytes) sparse.row_count = (int64_t)p->object[PART_ROW].space.count;
    if (p->data[PART_DATA].bytes) {
        sparse.value_count = (int64_t)p->object[PART_DATA].space.count;
        status =
            rls2__array_convert(place.text, p->object[PART_DATA].type.element,
                                p->data[PART_DATA].bytes, sparse.value_count, 1, 1, &entries, err);
    }
    sparse.values = entries.values;
    if (status == RLS2_OK)
        status = rls2__array_expand(place.text, &sparse, bounded(v->rows), sparse.start_count - 1,
                                    array, err);
    rls2__free(entries.values);
    return status;
}

static rls2_status read_sparse(const reader *r, const variable *v, rls2__array *array,
                               rls2_error *err)
{
    parts p = {0};
    rls2_status status = RLS2_OK;
    rls2__mat_about about = about_of(r, v);
    if (!read_parts(r->container, v, &p)) {
        about.complex = p.object[PART_DATA].type.class == RLS2__HDF5_COMPOUND;
        status = about.complex ? rls2__mat_check(&about, err) : fail_variable(r, v, err);
    } else {
        about.columns = (int64_t)p.object[PART_START].space.count - 1;
        status = rls2__mat_check(&about, err);
    }
    if (status == RLS2_OK) status = expand_parts(r, v, &p, array, err);
    for (int k = 0; k < PARTS; k++) rls2__free(p.data[k].owned);
    return status;
}

/* ---- variables ---- */

static rls2_status read_variable(const reader *r, const char *name, uint64_t at, rls2__array *array,
                                 rls2_error *err)
{
    variable v = {.name = name, .at = at};
    if (!describe(r->container, &v)) return fail_variable(r, &v, err);
    rls2__mat_about about = about_of(r, &v);
    rls2_status status = rls2__mat_check(&about, err);
    if (status != RLS2_OK) return status;
    return about.class == RLS2__MAT_SPARSE ? read_sparse(r, &v, array, err)
                                           : read_full(r, &v, array, err);
}

/* MATLAB's own things are called #refs# and #subsystem#. */
static int note_variable(rls2__hdf5 *f, const char *name, uint64_t at, void *context)
{
    reader *r = context;
    int capital = 0, role = rls2__mat_role(name, &capital);
    if (*name != '\0' && *name != '#') {
        size_t length = strlen(name) < NAME_ROOM ? strlen(name) : NAME_ROOM - 1;
        if (r->variables < RLS2__LISTED) memcpy(r->seen[r->variables], name, length);
        r->variables++;
    }
    if (role < 0) return 1;
    if (r->is_there[role][capital]) return rls2__hdf5_fail(f, "a variable is there twice");
    r->is_there[role][capital] = 1;
    r->at[role][capital] = at;
    return 1;
}

static rls2_status fail_no_x(const reader *r, rls2_error *err)
{
    const char *seen[RLS2__LISTED];
    for (int k = 0; k < RLS2__LISTED; k++) seen[k] = r->seen[k];
    if (r->variables == 0)
        return rls2__fail(err, RLS2_ERR_NAME, "%s: there are no variables in it", r->file);
    return rls2__fail(err, RLS2_ERR_NAME, "%s: no variable is called X; there %s %s", r->file,
                      r->variables == 1 ? "is" : "are",
                      rls2__show_list(seen, r->variables, "'").text);
}

/* ---- the file ---- */

static int list_variables(reader *r)
{
    rls2__hdf5_object root;
    if (!rls2__hdf5_object_read(r->container, r->container->root, &root)) return 0;
    if (!root.is_group) return rls2__hdf5_fail(r->container, "the list of variables is absent");
    return rls2__hdf5_group_walk(r->container, &root, note_variable, r);
}

rls2_status rls2__mat73_read(const char *file, const char *bytes, int64_t length,
                             rls2__array arrays[RLS2__MAT_ROLES], rls2_error *err)
{
    static const char *const names[RLS2__MAT_ROLES][2] = {{"x", "X"}, {"y", "Y"}, {"t", "T"}};
    rls2__hdf5 container;
    reader r = {.file = file, .container = &container};
    if (!rls2__hdf5_open(&container, bytes, length) || !list_variables(&r))
        return fail_file(&r, err);
    container.max_bytes = arrays[RLS2__MAT_X].limits.bytes;
    if (!r.is_there[RLS2__MAT_X][0] && !r.is_there[RLS2__MAT_X][1]) return fail_no_x(&r, err);
    for (int k = 0; k < RLS2__MAT_ROLES; k++) {
        int capital = r.is_there[k][1];
        if (!r.is_there[k][capital]) continue;
        rls2_status status =
            read_variable(&r, names[k][capital], r.at[k][capital], &arrays[k], err);
        if (status != RLS2_OK) return status;
    }
    return RLS2_OK;
}
