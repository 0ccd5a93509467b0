/* The operators of a basis on virtual rows. */
#ifndef RLS2_SOLVER_THIN_BASIS_H
#define RLS2_SOLVER_THIN_BASIS_H

#include "base/effort.h"
#include "basis/basis.h"
#include "kernel/distinct.h"
#include "la/qr.h"

/* In both functions *values is NULL where this is no way to go. Otherwise `thin` has the kernels of
 * the basis on r + 1 rows, the last of them zero: its ops (to be freed) point into *values, and all
 * else that it has it borrows from the basis. RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK. */

/* Rows that are equal in all columns that a kernel looks at, as one row each. */
rls2_status rls2__thin_group(const rls2_basis *basis, rls2__distinct *groups, rls2_basis *thin,
                             double **values);
/* Factors, all of them rotated. */
rls2_status rls2__thin_rotate(rls2__effort *effort, const rls2_basis *basis, rls2__qr **qr,
                              rls2_basis *thin, double **values);

#endif
