/* MATLAB files of version 7.3, which are HDF5 files after 512 bytes of header: read by libmatio.
 *
 * libmatio and HDF5 are made for files that are sound; mat73check.c looks at them before. */
#include "table/mat.h"

#include "base/status.h"

#ifndef RLS2_HAVE_MATIO

rls2_status rls2__mat73_read(const char *file, const char *path, int64_t length,
                             rls2__array arrays[RLS2__MAT_ROLES], rls2_error *err)
{
    (void)path, (void)length, (void)arrays;
    return rls2__fail(
        err, RLS2_ERR_ARGUMENT,
        "%s: MATLAB files of version 7.3 need libmatio, without which this library was built; save "
        "the file with -v7",
        file);
}

#else

#include <matio.h>

#include "table/arrays.h"

enum { DEFLATE_BEST = 1032 };

static rls2_status fail_damaged(const char *file, const char *what, rls2_error *err)
{
    return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: the MATLAB file is damaged: %s", file, what);
}

/* ---- silence ---- */

/* HDF5 prints its errors by default. Where its functions are there, as libmatio brings them, printing
 * is switched off for the time of a call; without them nothing can be done. libmatio itself is silent
 * unless its host has asked for messages. */
#if defined(__GNUC__) && defined(__ELF__)
typedef int (*h5_printer)(int64_t stack, void *data);
extern int H5Eget_auto2(int64_t stack, h5_printer *printer, void **data) __attribute__((weak));
extern int H5Eset_auto2(int64_t stack, h5_printer printer, void *data) __attribute__((weak));

typedef struct silence {
    h5_printer printer;
    void *data;
    int held;
} silence;

static void hush(silence *s)
{
    s->held = H5Eget_auto2 && H5Eset_auto2 && H5Eget_auto2(0, &s->printer, &s->data) >= 0;
    if (s->held) H5Eset_auto2(0, NULL, NULL);
}

static void unhush(const silence *s)
{
    if (s->held) H5Eset_auto2(0, s->printer, s->data);
}
#else
typedef struct silence {
    int held;
} silence;

static void hush(silence *s)
{
    (void)s;
}

static void unhush(const silence *s)
{
    (void)s;
}
#endif

/* ---- variables ---- */

static rls2_status fail_numbers(const char *place, rls2_error *err)
{
    return rls2__fail(err, RLS2_ERR_SYNTAX, "%s is damaged: its numbers cannot be read", place);
}

static rls2__mat_about about_of(const char *file, const matvar_t *v)
{
    rls2__mat_about about = {.file = file, .name = v->name, .class = (int)v->class_type};
    about.complex = v->isComplex != 0;
    about.dimensions = v->dims ? v->rank : 0;
    if (about.dimensions != 2) return about;
    about.rows = v->dims[0] > INT64_MAX ? INT64_MAX : (int64_t)v->dims[0];
    about.columns = v->dims[1] > INT64_MAX ? INT64_MAX : (int64_t)v->dims[1];
    return about;
}

static rls2_status convert_full(const char *place, const rls2__mat_about *about, const matvar_t *v,
                                rls2__array *array, rls2_error *err)
{
    rls2__element form;
    int size = rls2__mat_element((unsigned)v->data_type, rls2__machine_is_big_endian(), &form);
    int64_t bytes = rls2__mul(rls2__mul(about->rows, about->columns), size);
    if (size == 0 || size != v->data_size || bytes < 0 || (uint64_t)bytes > v->nbytes)
        return fail_numbers(place, err);
    return rls2__array_convert(place, form, v->data, about->rows, about->columns, 1, array, err);
}

static rls2_status convert_sparse(const char *place, const rls2__mat_about *about, const matvar_t *v,
                                  rls2__array *array, rls2_error *err)
{
    const mat_sparse_t *s = v->data;
    rls2__element form;
    rls2__array entries = {0};
    int size = rls2__mat_element((unsigned)v->data_type, rls2__machine_is_big_endian(), &form);
    if (size == 0 || !s->ir || !s->jc || !s->data) return fail_numbers(place, err);
    rls2_status status = rls2__array_convert(place, form, s->data, s->ndata, 1, 1, &entries, err);
    if (status != RLS2_OK) return status;
    rls2__sparse sparse = {.row = s->ir,
                           .row_count = s->nir,
                           .start = s->jc,
                           .start_count = s->njc,
                           .values = entries.values,
                           .value_count = s->ndata,
                           .big_endian = form.big_endian};
    status = rls2__array_expand(place, &sparse, about->rows, about->columns, array, err);
    rls2__free(entries.values);
    return status;
}

static rls2_status read_variable(mat_t *mat, const char *file, int64_t length, matvar_t *v,
                                 rls2__array *array, rls2_error *err)
{
    rls2__mat_about about = about_of(file, v);
    rls2__mat_place place = rls2__mat_place_of(file, v->name);
    rls2_status status = rls2__mat_check(&about, err);
    if (status != RLS2_OK) return status;
    int64_t count = rls2__mul(about.rows, about.columns);
    if (v->class_type != MAT_C_SPARSE && (count < 0 || count / DEFLATE_BEST > length))
        return rls2__fail(err, RLS2_ERR_SYNTAX,
                          "%s is damaged: it claims more numbers than the file can hold", place.text);
    if (Mat_VarReadDataAll(mat, v) != 0 || !v->data) return fail_numbers(place.text, err);
    if (v->class_type == MAT_C_SPARSE) return convert_sparse(place.text, &about, v, array, err);
    return convert_full(place.text, &about, v, array, err);
}

static rls2_status read_role(mat_t *mat, const char *file, int64_t length, const char *const names[2],
                             rls2__array *array, rls2_error *err)
{
    matvar_t *v = Mat_VarReadInfo(mat, names[0]);
    if (!v && names[1]) v = Mat_VarReadInfo(mat, names[1]);
    if (!v) return RLS2_OK;
    rls2_status status = v->name ? read_variable(mat, file, length, v, array, err) : RLS2_OK;
    Mat_VarFree(v);
    return status;
}

static rls2_status fail_no_x(mat_t *mat, const char *file, rls2_error *err)
{
    size_t count = 0;
    char **names = Mat_GetDir(mat, &count);
    if (!names || count == 0 || !names[0])
        return rls2__fail(err, RLS2_ERR_NAME, "%s: there are no variables in it", file);
    return rls2__fail(err, RLS2_ERR_NAME, "%s: no variable is called X; there %s %s", file,
                      count == 1 ? "is" : "are",
                      rls2__show_list((const char *const *)names, (int64_t)count, "'").text);
}

/* ---- the file ---- */

rls2_status rls2__mat73_read(const char *file, const char *path, int64_t length,
                             rls2__array arrays[RLS2__MAT_ROLES], rls2_error *err)
{
    static const char *const names[RLS2__MAT_ROLES][2] = {{"X", "x"}, {"Y", "y"}, {"T", NULL}};
    silence quiet = {0};
    rls2_status status = rls2__mat73_check(file, path, length, err);
    if (status != RLS2_OK) return status;
    hush(&quiet);
    mat_t *mat = Mat_Open(path, MAT_ACC_RDONLY);
    if (!mat) status = fail_damaged(file, "libmatio cannot open it", err);
    for (int k = 0; k < RLS2__MAT_ROLES && status == RLS2_OK; k++)
        status = read_role(mat, file, length, names[k], &arrays[k], err);
    if (status == RLS2_OK && !arrays[RLS2__MAT_X].values) status = fail_no_x(mat, file, err);
    if (mat) Mat_Close(mat);
    unhush(&quiet);
    return status;
}

#endif
