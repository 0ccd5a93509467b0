/* The values of a data set of an HDF5 file. */
#ifndef RLS2_FORMATS_HDF5_DATA_H
#define RLS2_FORMATS_HDF5_DATA_H

#include "formats/hdf5.h"

/* The elements of an array of rank 2 at most whose type is known, one after the other;
 * in the file, or in memory of their own. */
typedef struct rls2__hdf5_data {
    const unsigned char *bytes;
    unsigned char *owned; /* release with rls2__free */
} rls2__hdf5_data;
int rls2__hdf5_data_read(rls2__hdf5 *file, const rls2__hdf5_object *object, rls2__hdf5_data *data);

#endif
