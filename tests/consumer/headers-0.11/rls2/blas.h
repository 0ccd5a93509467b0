/* The BLAS that the library computes with. */
#ifndef RLS2_BLAS_H
#define RLS2_BLAS_H

#include "rls2/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lets OpenBLAS use the processor it runs on. It chooses its routines by the model of the
 * processor, and one that is newer than itself it may take for one of 2004: a quarter of the speed.
 * Where it has chosen routines without AVX2 although processor and system have it, those for
 * Haswell or SkylakeX are chosen instead. Does nothing where OPENBLAS_CORETYPE is set, where
 * OpenBLAS has chosen well, and with another BLAS.
 *
 * The choice is that of the whole process, and bits depend on it: call this once, at the start,
 * before threads that use BLAS. The command and the Python package do; the library never does by
 * itself.
 *
 * The name of the routines in use, such as "SkylakeX", or NULL if BLAS does not tell. */
RLS2_API const char *rls2_blas_tune(void);

#ifdef __cplusplus
}
#endif
#endif
