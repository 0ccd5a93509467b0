/* exp of an array by glibc's vector mathematics: compiled with -Ofast for one instruction set
 * (EXP_NAME names the function), which turns the loop into calls of libmvec. Its results may be off
 * by 4 units in the last place, and it is free to use fused multiply-add. */
#include <math.h>
#include <stdint.h>

void EXP_NAME(int64_t n, double *x);

void EXP_NAME(int64_t n, double *x)
{
    for (int64_t i = 0; i < n; i++) x[i] = exp(x[i]);
}
