/* Rows that are equal in all columns a kernel looks at, so that it need be evaluated for one of
 * them only. */
#ifndef RLS2_KERNEL_DISTINCT_H
#define RLS2_KERNEL_DISTINCT_H

#include "base/status.h"
#include "kernel/kernel.h"

/* Kernels of more columns are not looked at: their rows hardly ever are equal. */
enum { RLS2__DISTINCT_COLUMNS = 8 };

/* Groups of equal rows and, of each group, one row that stands for it: the first of those whose
 * weight is largest. Groups are numbered as these rows are. */
typedef struct rls2__distinct {
    int64_t count;       /* of groups */
    int32_t *group;      /* n: that of each row */
    rls2__kernel kernel; /* the kernel on the rows below: to be evaluated in place of the other */
    rls2_rows rows;      /* one of each group, with the columns of the kernel alone */
    double *roots; /* count: root of the weight of each of these; NULL where rows have no weights */
    double *mass;  /* count: weight of a group / weight of the row that stands for it */
    double *ratios; /* n: root of the weight of a row / that of the row that stands for it; NULL
                       likewise */
    int32_t *next;  /* n: the next row of the same group, or -1 */
    int32_t *head;  /* count: the first row of each group */
    /* own */
    double *x, *roots_room, *ratios_room;
    int32_t *stands; /* the row that stands for each group */
    int32_t *table;  /* of hashes */
    int64_t slots;   /* in it, a power of two */
    int64_t room;    /* n */
    void *block;     /* all of these arrays */
} rls2__distinct;

/* Room for n rows. */
rls2_status rls2__distinct_create(int64_t n, rls2__distinct *d);
void rls2__distinct_free(rls2__distinct *d);

/* Finds the groups of equal rows. 0, and nothing found, where there are more than n / 2 of them or
 * where this kernel does not gain by them. roots: n roots of weights, or NULL. O(n) */
int rls2__distinct_find(const rls2__kernel *kernel, const rls2_rows *rows, const double *roots,
                        rls2__distinct *d);

/* The same for these columns, however many, without a kernel: d->kernel and d->rows are not made.
 */
int rls2__distinct_group(int64_t count, const int64_t *columns, const rls2_rows *rows,
                         const double *roots, rls2__distinct *d);

/* The columns of groups `from` to `end` - 1 in the triangle of rls2__kernel_triangle on all n rows,
 * from the groups: the same bits. column: count doubles. */
void rls2__distinct_triangle(const rls2__distinct *d, int64_t n, double s, const double *roots,
                             int64_t from, int64_t end, double *column, double *packed);
/* F, n x rank, from the rows of G, count x rank. */
void rls2__distinct_expand(const rls2__distinct *d, int64_t n, int64_t rank, const double *G,
                           double *F);

#endif
