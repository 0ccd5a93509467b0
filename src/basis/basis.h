/* The basis: m symmetric positive semi-definite operators R^k on n rows.
 *
 * The solver sees only the functions below. How an operator is stored is the affair
 * of its shape, a small table of functions; adding a shape touches no caller. A
 * basis does not change once made and may be used by several threads at once. */
#ifndef RLS2_BASIS_BASIS_H
#define RLS2_BASIS_BASIS_H

#include "base/effort.h"
#include "basis/sparse.h"
#include "basis/symmetric.h"
#include "dictionary/dictionary.h"
#include "kernel/kernel.h"
#include "rls2/basis.h"

typedef struct rls2__operator rls2__operator;

/* work: n doubles of the caller's. */
typedef struct rls2__shape {
    const char *name;
    /* c'R c */
    double (*quadratic)(const rls2__operator *op, int64_t n, const double *c, double *work);
    /* v = R c */
    void (*apply)(const rls2__operator *op, int64_t n, const double *c, double *v, double *work);
    /* |R|_F */
    double (*frobenius)(const rls2__operator *op, int64_t n, double *work);
} rls2__shape;

/* How the values lie, for whoever has to add R to a matrix: exactly one of factor, packed, rounded,
 * full and kernel is set. */
struct rls2__operator {
    const rls2__shape *shape;
    int64_t rank; /* columns of the factor, or those it had before it was given up for want of
                     memory; else n */
    double scale;
    const double *factor;   /* F, n x rank: R = scale FF' */
    const double *packed;   /* P, lower triangle by columns: R = scale P */
    const int32_t *rounded; /* Z, likewise: R = scale Z */
    const double *full;     /* A, n x n, of which the lower triangle counts: R = scale A */
    /* not stored: R = scale W^1/2 K W^1/2 of that kernel on those rows (of the basis or its
     * lender), evaluated whenever it is needed; roots of the weights, or NULL */
    const rls2__kernel *kernel;
    const rls2_rows *rows;
    const double *roots;
    double *owned; /* what to free, or NULL where the values are borrowed */
    int64_t bytes; /* of it */
    double trace;  /* of R */
    double norm;   /* upper bound of the spectral norm of R */
    double slack;  /* bound of the norm of what is left out and of what rounding adds */
    double below;  /* K + below I is positive semi-definite: 0 but for given matrices */
};

struct rls2_basis {
    const rls2_dictionary *dictionary; /* borrowed */
    int64_t n;
    int64_t m;
    int is_virtual;        /* its rows are those of virtual_rows.h, without x and weights, */
    double represented;    /* and they stand for so many, by their weights */
    rls2_rows rows;        /* own copy of x; given matrices borrowed where they are symmetric */
    double *x;             /* that copy */
    rls2__kernel *kernels; /* fitted copies, m of them */
    double *weights;       /* n: how many rows each stands for; NULL where each is one */
    double *roots;         /* n: their square roots, by which rows and columns of every operator are
                              multiplied */
    double *weighted; /* n x p: x with its rows multiplied by them, where an operator is a column of
                         it */
    rls2__sparse
        *sparse; /* the sparse ones of the columns that are operators; NULL where there are none */
    rls2__symmetric symmetric; /* the given matrices of a basis that is not made of another */
    double **given;            /* own copies of given matrices, or NULL where they are borrowed */
    double *s;                 /* scalings, and how they were made: */
    rls2_scaling rule;
    int center;
    int transductive; /* over other rows too */
    int skip_degenerate;
    double rank_tol; /* of the options it was made with, as the next */
    int64_t memory;
    double coarse; /* the largest slack of operators in 32 bits; 0: there are none */
    rls2__operator *ops;
    int64_t recomputed; /* how many of them are not stored */
    /* Not NULL: the basis whose rows, weights, kernels and values of operators this one uses. It
     * must not be destroyed before this one is. */
    const rls2_basis *lender;
};

/* q[i] = c'R^k c for k = ks[i]. work: n doubles. RLS2_ERR_CANCELLED where that is asked for. */
rls2_status rls2__basis_price(rls2__effort *effort, const rls2_basis *basis, const double *c,
                              int64_t count, const int64_t *ks, double *q, double *work);
/* v = R^k c. work: n doubles. RLS2_ERR_CANCELLED, or RLS2_ERR_MEMORY. */
rls2_status rls2__basis_apply(rls2__effort *effort, const rls2_basis *basis, int64_t k,
                              const double *c, double *v, double *work);
/* The same for all of ks that are stored, in the columns of V (n x count); the others are left as
 * they are. */
rls2_status rls2__basis_apply_stored(rls2__effort *effort, const rls2_basis *basis, int64_t count,
                                     const int64_t *ks, const double *c, double *V, double *work);
/* |R^k|_F of the stored operator. work: n doubles. */
double rls2__basis_frobenius(const rls2_basis *basis, int64_t k, double *work);

/* Columns of the factors of all of ks together; INT64_MAX where one of them has none. */
int64_t rls2__basis_rank(const rls2_basis *basis, int64_t count, const int64_t *ks);
/* 1 where R(d) of ks is ZZ' with a Z of few columns: at most a third of the rows. */
int rls2__basis_is_low(const rls2_basis *basis, int64_t count, const int64_t *ks);

/* 1 where a kernel is fitted to all rows it is made of (a spline's range), so that on some of them
 * it is another kernel. */
int rls2__basis_depends_on_rows(const rls2_dictionary *dictionary);

#endif
