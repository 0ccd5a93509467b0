/* The stack of a fit: which members stand beside the sparse part, and with which weights. */
#ifndef RLS2_PLAN_FIT_STACK_H
#define RLS2_PLAN_FIT_STACK_H

#include "plan/fit_work.h"

typedef struct rls2__fit_stack rls2__fit_stack;

/* Refuses the setting "stack" beside those it does not go with. */
rls2_status rls2__plan_check_stack(rls2_plan *plan, rls2_error *err);
/* Is a model asked for that is a stack? Of a plan whose kernels are known. */
int rls2__plan_stacks(const rls2_plan *plan);
/* Says so where nobody asked for it. */
void rls2__plan_note_stack(rls2_plan *plan);

/* Chooses members and weights by the left-out rows of the curve, and fits the members to all rows.
 * Nothing where no stack is asked for, or no point is chosen. */
rls2_status rls2__fit_make_stack(rls2__fit_work *w, rls2_error *err);
/* The stack for the model of the chosen point, and its score; nothing where there is none. */
rls2_status rls2__fit_tell_stack(const rls2_fit *fit, rls2_model *model, rls2_error *err);
/* rows x outputs: what the stack says of left-out rows, its weights being those of the others. */
const double *rls2__fit_stack_left_out(const rls2__fit_stack *stack);
/* NULL is accepted. */
void rls2__fit_stack_free(rls2__fit_stack *stack);

#endif
