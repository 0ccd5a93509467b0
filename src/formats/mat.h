/* MATLAB files of two formats: level 5 (MATLAB 5 to 7.2, and -v6, -v7), and 7.3, which is HDF5. */
#ifndef RLS2_FORMATS_MAT_H
#define RLS2_FORMATS_MAT_H

#include "formats/element.h"
#include "formats/read.h"

/* What the variables of a file are for. */
enum { RLS2__MAT_X, RLS2__MAT_Y, RLS2__MAT_T, RLS2__MAT_ROLES };

/* What a variable of that name is for; -1: nothing. *capital is 1 for X and Y, which are preferred
 * to x and y. */
int rls2__mat_role(const char *name, int *capital);

/* Classes of variables, by the numbers both formats use in memory. */
enum {
    RLS2__MAT_CELL = 1,
    RLS2__MAT_STRUCT = 2,
    RLS2__MAT_OBJECT = 3,
    RLS2__MAT_CHAR = 4,
    RLS2__MAT_SPARSE = 5,
    RLS2__MAT_DOUBLE = 6,
    RLS2__MAT_UINT64 = 15,
    RLS2__MAT_FUNCTION = 16,
    RLS2__MAT_OPAQUE = 17
};

/* What a variable is, as both formats tell. */
typedef struct rls2__mat_about {
    const char *file;
    const char *name;
    int class;
    int complex;
    int dimensions;
    int64_t rows; /* of two dimensions */
    int64_t columns;
} rls2__mat_about;

/* Refuses what is no real matrix, in a sentence that names the class. */
rls2_status rls2__mat_check(const rls2__mat_about *about, rls2_error *err);

/* How many bytes a number of that storage type (1: int8 ... 13: uint64) has, and how it is to be
 * read; 0 if the type is none of numbers. */
int rls2__mat_element(unsigned type, int big_endian, rls2__element *element);

/* "FILE: variable 'X'", for messages. */
typedef struct rls2__mat_place {
    char text[256];
} rls2__mat_place;
rls2__mat_place rls2__mat_place_of(const char *file, const char *variable);

rls2_status rls2__read_mat(rls2_table *table, const rls2__bytes *bytes, rls2_error *err);

#endif
