/* Test programs begin as the command does. */
#include "rls2/blas.h"

__attribute__((constructor)) static void tune(void)
{
    rls2_blas_tune();
}
