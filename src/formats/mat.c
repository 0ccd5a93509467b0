/* What the two formats of MATLAB files have in common, and which of them a file is. */
#include "formats/mat.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "formats/arrays.h"
#include "formats/mat5.h"
#include "formats/mat73.h"

enum { HEADER = 128 };

int rls2__mat_role(const char *name, int *capital)
{
    if (name[0] == '\0' || name[1] != '\0') return -1;
    *capital = 1;
    switch (name[0]) {
    case 'X': return RLS2__MAT_X;
    case 'Y': return RLS2__MAT_Y;
    case 'T': return RLS2__MAT_T; /* not t, which is often the time */
    default: break;
    }
    *capital = 0;
    switch (name[0]) {
    case 'x': return RLS2__MAT_X;
    case 'y': return RLS2__MAT_Y;
    default: return -1;
    }
}

rls2__mat_place rls2__mat_place_of(const char *file, const char *variable)
{
    rls2__mat_place place;
    snprintf(place.text, sizeof place.text, "%s: variable '%s'", file, rls2__show(variable).text);
    return place;
}

/* ---- classes and types ---- */

static const char *class_text(int class)
{
    switch (class) {
    case RLS2__MAT_CELL: return "a cell array";
    case RLS2__MAT_STRUCT: return "a struct";
    case RLS2__MAT_CHAR: return "text (char)";
    case RLS2__MAT_FUNCTION: return "a function handle";
    case RLS2__MAT_OBJECT:
    case RLS2__MAT_OPAQUE: return "an object (table, nominal, categorical, string or the like)";
    default: return "of an unknown class";
    }
}

static int is_object(int class)
{
    return class == RLS2__MAT_OBJECT || class == RLS2__MAT_OPAQUE;
}

rls2_status rls2__mat_check(const rls2__mat_about *about, rls2_error *err)
{
    rls2__mat_place place = rls2__mat_place_of(about->file, about->name);
    rls2__shown name = rls2__show(about->name);
    int numeric = about->class >= RLS2__MAT_SPARSE && about->class <= RLS2__MAT_UINT64;
    if (is_object(about->class))
        return rls2__fail(err, RLS2_ERR_VALUE,
                          "%s is %s, not numbers; in MATLAB save %s = double(%s) instead",
                          place.text, class_text(about->class), name.text, name.text);
    if (!numeric)
        return rls2__fail(err, RLS2_ERR_VALUE, "%s is %s, not a matrix of numbers", place.text,
                          class_text(about->class));
    if (about->complex)
        return rls2__fail(err, RLS2_ERR_VALUE, "%s has complex numbers", place.text);
    if (about->dimensions != 2)
        return rls2__fail(err, RLS2_ERR_VALUE, "%s has %d dimensions; it must have 2", place.text,
                          about->dimensions);
    if (about->rows == 0 || about->columns == 0)
        return rls2__fail(err, RLS2_ERR_VALUE, "%s is empty (%" PRId64 " x %" PRId64 ")",
                          place.text, about->rows, about->columns);
    return RLS2_OK;
}

int rls2__mat_element(unsigned type, int big_endian, rls2__element *element)
{
    static const rls2__element elements[] = {
        [1] = {RLS2__ELEMENT_SIGNED, 1, 0},  [2] = {RLS2__ELEMENT_UNSIGNED, 1, 0},
        [3] = {RLS2__ELEMENT_SIGNED, 2, 0},  [4] = {RLS2__ELEMENT_UNSIGNED, 2, 0},
        [5] = {RLS2__ELEMENT_SIGNED, 4, 0},  [6] = {RLS2__ELEMENT_UNSIGNED, 4, 0},
        [7] = {RLS2__ELEMENT_FLOAT, 4, 0},   [9] = {RLS2__ELEMENT_FLOAT, 8, 0},
        [12] = {RLS2__ELEMENT_SIGNED, 8, 0}, [13] = {RLS2__ELEMENT_UNSIGNED, 8, 0},
    };
    if (type >= sizeof elements / sizeof *elements || elements[type].size == 0) return 0;
    *element = elements[type];
    element->big_endian = big_endian;
    return element->size;
}

/* ---- the file ---- */

/* Bytes 124 .. 127 are version and byte order. */
static rls2_status read_arrays(const char *name, const rls2__bytes *bytes, rls2__array *arrays,
                               rls2_error *err)
{
    static const char level5_little[] = {0, 1, 'I', 'M'}, level5_big[] = {1, 0, 'M', 'I'},
                      level73_little[] = {0, 2, 'I', 'M'}, level73_big[] = {2, 0, 'M', 'I'};
    char version[4] = {0};
    if (bytes->length >= HEADER)
        memcpy(version, bytes->data + HEADER - sizeof version, sizeof version);
    if (memcmp(version, level5_little, 4) == 0 || memcmp(version, level5_big, 4) == 0)
        return rls2__mat5_read(name, bytes->data, bytes->length, arrays, err);
    if (memcmp(version, level73_little, 4) == 0 || memcmp(version, level73_big, 4) == 0)
        return rls2__mat73_read(name, bytes->data, bytes->length, arrays, err);
    return rls2__fail(
        err, RLS2_ERR_SYNTAX,
        "%s: not a MATLAB file of version 5 to 7.3 (one of version 4 must be saved again)", name);
}

rls2_status rls2__read_mat(rls2_table *table, const rls2__bytes *bytes, rls2_error *err)
{
    rls2__array arrays[RLS2__MAT_ROLES] = {{0}};
    for (int k = 0; k < RLS2__MAT_ROLES; k++) arrays[k].limits = table->limits;
    rls2_status status = read_arrays(table->name, bytes, arrays, err);
    if (status == RLS2_OK)
        status = rls2__table_from_arrays(table, &arrays[RLS2__MAT_X], &arrays[RLS2__MAT_Y],
                                         &arrays[RLS2__MAT_T], err);
    for (int k = 0; k < RLS2__MAT_ROLES; k++) rls2__free(arrays[k].values);
    return status;
}
