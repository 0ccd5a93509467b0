/* The memory and the time of a fit, from sizes and speeds alone. */
#ifndef RLS2_PLAN_COST_H
#define RLS2_PLAN_COST_H

#include "basis/forecast.h"

/* What is to be done. */
typedef struct rls2__workload {
    rls2__outline outline; /* of the training rows */
    double inputs;         /* columns of data */
    double outputs;
    double lambdas;
    int follows_path;    /* a path of all rows is wanted, */
    int df;              /* with degrees of freedom at each lambda, */
    double splits;       /* and a curve of so many splits, */
    double split_rows;   /* each learned from so many rows, */
    int halved;          /* its triangles in 32 bits, */
    int baselines;       /* with the baselines; */
    double width_sets;   /* widths are learned for so many sets of columns, */
    double width_rows;   /* from so many rows at most; */
    double members;      /* and with so many fits that may be stacked; */
    double harder;       /* factorisations of its loss in place of one of the square loss */
    int by_steps;        /* both together, a few lambdas at a time */
    double halves;       /* paths of half the rows, for stability selection, */
    double half_lambdas; /* with so many lambdas each */
    double threads;
    double memory; /* bytes that kernels may take; 0: no limit */
} rls2__workload;

/* What this machine does in a second, on one thread. */
typedef struct rls2__speeds {
    double flops; /* of matrix products */
    double bytes; /* read from memory */
    double pairs; /* values of a kernel that has a triangle */
} rls2__speeds;

/* Rows that the methods see: fewer than n where all kernels together have a low rank, or rows are
 * equal. */
double rls2__virtual_rows(const rls2__outline *outline);
/* The order of the systems they factorise. */
double rls2__system_order(const rls2__outline *outline);

/* Bytes at most at a time, with the data: splits run as many at a time as there are threads
 * (`at_once`), or one after another. */
double rls2__workload_bytes(const rls2__workload *work, int at_once);
double rls2__workload_kernel_bytes(const rls2__workload *work);
/* The same work on fewer rows, or more. */
rls2__workload rls2__workload_on(const rls2__workload *work, double rows);
/* How many rows would fit into so many bytes, of those there are; 0 where not even a hundred. */
double rls2__rows_that_fit(const rls2__workload *work, double bytes);
double rls2__workload_seconds(const rls2__workload *work, const rls2__speeds *speeds);

#endif
