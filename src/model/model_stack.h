/* A model in company: members that were fitted to the same rows, and the weights by which all are
 * added up.  [MATH.md, S1] */
#ifndef RLS2_MODEL_MODEL_STACK_H
#define RLS2_MODEL_MODEL_STACK_H

#include "rls2/model.h"

typedef struct rls2__stack {
    int64_t count;   /* members beside the model itself */
    int64_t outputs; /* of each */
    rls2_model **members;
    double *weights;     /* (1 + count) x outputs, [m * outputs + o]: the model's own first */
    double *constants;   /* outputs */
    double sparse_score; /* on left-out rows, of the model without the others; NaN: not known */
} rls2__stack;

/* Without members yet. NULL when out of memory. */
rls2__stack *rls2__stack_create(int64_t count, int64_t outputs);
/* NULL is accepted. */
void rls2__stack_free(rls2__stack *stack);

/* That of the model, or of the head it is an output of; NULL: it stands alone. */
const rls2__stack *rls2__model_stack(const rls2_model *model);

/* f[rows x outputs of the model]: what the model itself says becomes what the stack does. */
rls2_status rls2__stack_add_up(const rls2_model *model, const rls2_rows *rows,
                               const rls2_control *control, double *f, rls2_error *err);

#endif
