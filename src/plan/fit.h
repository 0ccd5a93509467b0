/* A fit as it is kept. */
#ifndef RLS2_PLAN_FIT_H
#define RLS2_PLAN_FIT_H

#include "plan/plan.h"
#include "rls2/fit.h"
#include "solver/path_lambda.h"

typedef struct rls2__tall rls2__tall;

struct rls2_fit {
    rls2_plan *plan; /* which it borrows from */
    rls2__fit made;
    rls2__lambda_grid grid; /* where the lambdas are found from the data and may become more */
    double *lambdas;        /* descending, `asked` of them */
    int64_t asked;
    int64_t count; /* finished for all outputs */
    rls2_path_point *points;
    rls2_cv *cv;
    rls2_criteria *criteria; /* count; NULL until they are computed */
    int64_t chosen;          /* -1: none */
    double *left_out_f;      /* rows x outputs: left-out predictions at the point chosen, where the
                           curve has none; NULL: there are none */
    struct rls2__fit_stack *stack; /* at the point chosen; NULL: its model stands alone */
    struct rls2__stable *stable;   /* what halves of the rows select; NULL: not asked for */
    rls2_model *model;             /* of the point chosen */
    double seconds;
    rls2__tall *tall; /* NULL: the rows themselves are computed with */
};

#endif
