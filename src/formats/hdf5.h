/* HDF5 files, the part of them that MATLAB writes and a table needs: groups of the old form, and
 * arrays of whole numbers and IEEE numbers, stored in one piece or in chunks that may be deflated.
 *
 * The file is a run of bytes in memory. Nothing in it is trusted: every address and size is looked
 * at before it is used, and the work done is in proportion to the length of the file and of the
 * array asked for. Functions return 0 where they fail; then file->fault says why. */
#ifndef RLS2_FORMATS_HDF5_H
#define RLS2_FORMATS_HDF5_H

#include <stdint.h>

#include "formats/element.h"

typedef struct rls2__hdf5 {
    const unsigned char *bytes; /* from the superblock on, where addresses count from; borrowed */
    uint64_t length;
    uint64_t root;     /* the object that is the outermost group */
    uint64_t steps;    /* left: what goes in circles ends here */
    const char *fault; /* "a chunk is cut short" */
    int64_t max_bytes; /* that an array may take, as it is stored; 0: any number */
    int out_of_memory; /* 1: that is what was wrong; `fault` then says what for */
} rls2__hdf5;

/* An address that is none. */
#define RLS2__HDF5_NOWHERE UINT64_MAX

/* Classes of types that are told apart. */
enum { RLS2__HDF5_WHOLE = 0, RLS2__HDF5_FLOAT = 1, RLS2__HDF5_TEXT = 3, RLS2__HDF5_COMPOUND = 6 };

typedef struct rls2__hdf5_type {
    int class;    /* -1: none is given */
    int is_known; /* 1: of numbers that `element` tells how to read */
    uint64_t size;
    rls2__element element;
} rls2__hdf5_type;

typedef struct rls2__hdf5_space {
    int rank; /* -1: none is given */
    uint64_t
        extent[2];  /* where the rank is at most 2: one of rank 1 is 1 x n, of rank 0 it is 1 x 1 */
    uint64_t count; /* of elements */
} rls2__hdf5_space;

typedef enum rls2__hdf5_storage {
    RLS2__HDF5_COMPACT,
    RLS2__HDF5_CONTIGUOUS,
    RLS2__HDF5_CHUNKED,
    RLS2__HDF5_UNSTORED
} rls2__hdf5_storage;

typedef struct rls2__hdf5_layout {
    rls2__hdf5_storage storage;
    const unsigned char *data; /* compact */
    uint64_t start;            /* of the numbers or of the tree of chunks; may be NOWHERE */
    uint64_t stored;           /* bytes, all or of a chunk; NOWHERE: not said */
    int chunk_rank;
    uint64_t chunk[2]; /* extents of a chunk as in a space */
    uint64_t chunk_element;
} rls2__hdf5_layout;

/* What a filter does to a chunk, in the order of writing. */
typedef enum rls2__hdf5_filter { RLS2__HDF5_DEFLATE = 1, RLS2__HDF5_SHUFFLE = 2 } rls2__hdf5_filter;

/* What is said of an object, be it a group or an array. */
typedef struct rls2__hdf5_object {
    rls2__hdf5_space space;
    rls2__hdf5_type type;
    rls2__hdf5_layout layout;
    int filters;
    rls2__hdf5_filter filter[2];
    uint64_t shuffled; /* size of the elements that are shuffled */
    int fill_is_zero;  /* of what is not stored */
    int is_group;
    uint64_t tree; /* of a group */
    uint64_t heap;
} rls2__hdf5_object;

typedef struct rls2__hdf5_attribute {
    rls2__hdf5_type type;
    rls2__hdf5_space space;
    const unsigned char *data; /* as many bytes as type and space say */
} rls2__hdf5_attribute;

/* Sets fault and returns 0. */
int rls2__hdf5_fail(rls2__hdf5 *file, const char *fault);
/* `size` bytes from an address on; NULL, and a fault, unless all lie within the file. */
const unsigned char *rls2__hdf5_span(rls2__hdf5 *file, uint64_t at, uint64_t size);
/* 0, and a fault, where more was done than a file of this length asks for. */
int rls2__hdf5_step(rls2__hdf5 *file);
/* An unsigned number of `size` bytes. */
uint64_t rls2__hdf5_number(const unsigned char *bytes, int size);
/* a * b, or NOWHERE where it overflows. */
uint64_t rls2__hdf5_times(uint64_t a, uint64_t b);

/* Finds the superblock, after a block of the user's own if there is one. */
int rls2__hdf5_open(rls2__hdf5 *file, const void *bytes, int64_t length);
/* The object with that address. */
int rls2__hdf5_object_read(rls2__hdf5 *file, uint64_t at, rls2__hdf5_object *object);
/* The attribute of that name of the object at that address; *found is 0 where there is none. */
int rls2__hdf5_attribute_find(rls2__hdf5 *file, uint64_t at, const char *name,
                              rls2__hdf5_attribute *attribute, int *found);
/* Calls `visit` for each member of a group; ends where that returns 0. */
typedef int (*rls2__hdf5_visitor)(rls2__hdf5 *file, const char *name, uint64_t at, void *context);
int rls2__hdf5_group_walk(rls2__hdf5 *file, const rls2__hdf5_object *group,
                          rls2__hdf5_visitor visit, void *context);

#endif
