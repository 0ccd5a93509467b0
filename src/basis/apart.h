/* How far kernels on knots and Nystroem points are from the same kernels on the rows.
 * [MATH.md, L6] */
#ifndef RLS2_BASIS_APART_H
#define RLS2_BASIS_APART_H

#include "basis/virtual_rows.h"

/* Of a scaled kernel with the features phi, and phi^ in its place, over the rows by their weights.
 */
typedef struct rls2__apart {
    double moved;    /* sum of |phi - phi^|^2 within the span of the points, at most; */
    double rounded;  /* of that, what comes of rounding shares and features; */
    double left_out; /* and sum of what no function on the points has of phi */
} rls2__apart;

/* apart[m], of the kernels of a basis that rls2__virtual_basis made. is_exact[axes]: every row lies
 * at a point of its own. Rows lie between the ends of all other axes. RLS2_ERR_MEMORY or OK.
 * O(kernels * points * 126) distances. */
rls2_status rls2__virtual_apart(const rls2__virtual *it, const rls2_basis *basis,
                                const unsigned char *is_exact, rls2__apart *apart);

#endif
