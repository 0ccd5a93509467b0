/* The shapes that the operators of a basis will have, and the memory they will take. */
#ifndef RLS2_BASIS_FORECAST_H
#define RLS2_BASIS_FORECAST_H

#include "dictionary/dictionary.h"

/* A dictionary on n rows, counted by the shapes its operators probably have. */
typedef struct rls2__outline {
    double n;
    double kernels;
    double ones;      /* linear kernels of one column, which lie where the table does */
    double factors;   /* kernels that have one, */
    double ranks;     /* the columns of all these */
    double triangles; /* kernels of n (n + 1) / 2 values, */
    double columns;   /* the columns of data that they look at, each counted */
    double given;     /* matrices of the caller */
    double different; /* at most so many rows differ in what kernels look at; n: nothing is known */
    int general; /* of another loss, or a free intercept: rows are not replaced by fewer; set by who
                    knows of it */
} rls2__outline;

/* The arguments have been checked; given matrices need not be there. outline may be NULL.
 * RLS2_ERR_MEMORY only. */
rls2_status rls2__forecast(const rls2_dictionary *dictionary, const rls2_rows *rows,
                           rls2_forecast *forecast, rls2__outline *outline);

/* The same dictionary on another number of rows. */
rls2__outline rls2__outline_on(const rls2__outline *outline, double n);
/* Bytes of operators that are all stored. */
double rls2__outline_bytes(const rls2__outline *outline);

#endif
