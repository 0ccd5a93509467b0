/* A value is a function of a sum over columns, a function without branches: a loop around it
 * vectorises, and roots and divisions, for which processors have a unit of their own, take place
 * while exponentials are computed. Each of the functions below is made into two loops, one over
 * sums and one over pairs of numbers. */
#include "kernel/maps.h"

#include <math.h>

#include "base/clones.h"
#include "kernel/exp_one.h"

/* Before a loop: no value depends on one before it, though both arrays may be one. (Clang finds out
 * at run time.) */
#if defined(__clang__)
#define INDEPENDENT
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* What a function has beside its argument. */
typedef struct shape {
    double a, b;
    int degree;
} shape;

/* Matern: exp(-t) times 1, 1 + t, 1 + t + t^2/3. Beyond the last t whose exponential is not 0 the
 * polynomial may be infinite: it is taken at that t, not inf * 0. */
static inline double last_kept(double t)
{
    return t < -RLS2__EXP_LOWEST ? t : -RLS2__EXP_LOWEST;
}

static inline double three_halves(double t)
{
    double kept = last_kept(t), value = (1.0 + kept) * rls2__exp_kept(-kept);
    return t <= -RLS2__EXP_LOWEST ? value : 0.0;
}

static inline double five_halves(double t)
{
    double kept = last_kept(t), value = (1.0 + kept + kept * kept / 3.0) * rls2__exp_kept(-kept);
    return t <= -RLS2__EXP_LOWEST ? value : 0.0;
}

/* Repeated squaring is not worth it for the small degrees in use. */
static inline double power(double base, int degree)
{
    double result = base;
    for (int e = 1; e < degree; e++) result *= base;
    return result;
}

/* Rows that do not fill a vector would be computed one by one, which takes as long as dozens; so
 * the last STEP values are computed in a step of their own, some of them a second time. */
enum { STEP = 8 };

/* FUNCTION is an expression in v, the sum, and f, the shape. In place no value may be computed
 * twice. */
#define LOOP_OVER_SUMS(name, FUNCTION)                                                             \
    RLS2__CLONES                                                                                   \
    static void name##_of_sums(const shape f, int64_t n, const double *from, double s, double *to) \
    {                                                                                              \
        int64_t whole = n < STEP || from == to ? n : n & -STEP;                                    \
        (void)f;                                                                                   \
        INDEPENDENT for (int64_t i = 0; i < whole; i++)                                            \
        {                                                                                          \
            double v = from[i];                                                                    \
            to[i] = (FUNCTION)*s;                                                                  \
        }                                                                                          \
        if (whole == n) return;                                                                    \
        from += n - STEP, to += n - STEP;                                                          \
        INDEPENDENT for (int64_t i = 0; i < STEP; i++)                                             \
        {                                                                                          \
            double v = from[i];                                                                    \
            to[i] = (FUNCTION)*s;                                                                  \
        }                                                                                          \
    }

/* SUM is an expression in x[i] and z. */
#define LOOP_OVER_PAIRS(name, SUM, FUNCTION)                                                       \
    RLS2__CLONES                                                                                   \
    static void name##_of_pairs(const shape f, int64_t n, const double *restrict x, double z,      \
                                double s, double *restrict to)                                     \
    {                                                                                              \
        int64_t whole = n < STEP ? n : n & -STEP;                                                  \
        (void)f;                                                                                   \
        for (int64_t i = 0; i < whole; i++) {                                                      \
            double v = SUM;                                                                        \
            to[i] = (FUNCTION)*s;                                                                  \
        }                                                                                          \
        if (whole == n) return;                                                                    \
        for (int64_t i = n - STEP; i < n; i++) {                                                   \
            double v = SUM;                                                                        \
            to[i] = (FUNCTION)*s;                                                                  \
        }                                                                                          \
    }

#define LOOPS(name, SUM, FUNCTION)                                                                 \
    LOOP_OVER_SUMS(name, FUNCTION)                                                                 \
    LOOP_OVER_PAIRS(name, SUM, FUNCTION)

#define PRODUCT (0.0 + x[i] * z) /* a sum that starts from 0 is never -0.0 */
#define SQUARE ((x[i] - z) * (x[i] - z))
#define ABSOLUTE fabs(x[i] - z)
#define EQUAL (x[i] == z ? 1.0 : 0.0)
#define BASE (f.b + f.a * v)

LOOPS(linear, PRODUCT, v)
LOOPS(affine, PRODUCT, BASE)
LOOPS(square, PRODUCT, BASE *BASE)
LOOPS(cube, PRODUCT, BASE *BASE *BASE)
LOOPS(higher, PRODUCT, power(BASE, f.degree))
LOOPS(rbf, SQUARE, rls2__exp_one(f.a *v))
LOOPS(laplace, ABSOLUTE, rls2__exp_one(f.a *v))
LOOPS(delta, EQUAL, v)
/* Of several columns the sum is the square of the distance. Of one it is the distance: the root of
 * a square is the number itself, exactly. */
LOOP_OVER_SUMS(matern_1, rls2__exp_one(-(f.a *sqrt(v))))
LOOP_OVER_SUMS(matern_3, three_halves(f.a *sqrt(v)))
LOOP_OVER_SUMS(matern_5, five_halves(f.a *sqrt(v)))
LOOP_OVER_PAIRS(matern_1, ABSOLUTE, rls2__exp_one(-(f.a *v)))
LOOP_OVER_PAIRS(matern_3, ABSOLUTE, three_halves(f.a *v))
LOOP_OVER_PAIRS(matern_5, ABSOLUTE, five_halves(f.a *v))

double rls2__matern_factor(const rls2__kernel *kernel)
{
    double nu = kernel->param[0], length = kernel->param[1];
    return sqrt(kernel->widths ? 4.0 * nu : 2.0 * nu) / length;
}

typedef struct loops {
    void (*of_sums)(const shape f, int64_t n, const double *from, double s, double *to);
    void (*of_pairs)(const shape f, int64_t n, const double *x, double z, double s, double *to);
    shape f;
} loops;

#define FOUND(name, ...) ((loops){name##_of_sums, name##_of_pairs, {__VA_ARGS__}})

static loops poly_loops(const double *param)
{
    int degree = (int)param[0];
    switch (degree) {
    case 1: return FOUND(affine, param[2], param[1], degree);
    case 2: return FOUND(square, param[2], param[1], degree);
    case 3: return FOUND(cube, param[2], param[1], degree);
    default: return FOUND(higher, param[2], param[1], degree);
    }
}

static loops matern_loops(const rls2__kernel *kernel)
{
    double nu = kernel->param[0], factor = rls2__matern_factor(kernel);
    if (nu < 1.0) return FOUND(matern_1, factor, 0.0, 0);
    return nu < 2.0 ? FOUND(matern_3, factor, 0.0, 0) : FOUND(matern_5, factor, 0.0, 0);
}

static loops loops_of(const rls2__kernel *kernel)
{
    switch (kernel->kind) {
    case RLS2__KERNEL_POLY: return poly_loops(kernel->param);
    case RLS2__KERNEL_RBF: return FOUND(rbf, -kernel->param[0], 0.0, 0);
    case RLS2__KERNEL_LAPLACE: return FOUND(laplace, -kernel->param[0], 0.0, 0);
    case RLS2__KERNEL_MATERN: return matern_loops(kernel);
    case RLS2__KERNEL_DELTA: return FOUND(delta, 0.0, 0.0, 0);
    case RLS2__KERNEL_LINEAR:
    case RLS2__KERNEL_SPLINE:
    case RLS2__KERNEL_GIVEN: break;
    }
    return FOUND(linear, 0.0, 0.0, 0);
}

void rls2__kernel_map(const rls2__kernel *kernel, int64_t n, const double *from, double s,
                      double *to)
{
    loops found = loops_of(kernel);
    found.of_sums(found.f, n, from, s, to);
}

void rls2__kernel_map_pairs(const rls2__kernel *kernel, int64_t n, const double *x, double z,
                            double s, double *to)
{
    loops found = loops_of(kernel);
    found.of_pairs(found.f, n, x, z, s, to);
}
