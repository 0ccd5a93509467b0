/* The ends of the grid of lambda: whether it goes on, and what is said of them. */
#ifndef RLS2_PLAN_FIT_GRID_H
#define RLS2_PLAN_FIT_GRID_H

#include "plan/fit.h"

/* How path and splits go down a grid together. */
enum {
    RLS2__PILOTS = 2,       /* splits that go along with the path, */
    RLS2__PILOT_MARGIN = 5, /* until their best has so many values after it, a decade, */
    RLS2__CURVE_MARGIN = 3, /* or somewhat less where all splits are there: going on costs more */
    RLS2__SURE_VALUES = 15  /* of a grid, the last ones: above them one kernel alone is still shrunk
                               by more than a hundredth, and nothing can be said of the others */
};
/* How many values the path is to have when pilots are looked at next. */
int64_t rls2__grid_next_stop(const rls2_fit *fit);

/* Nobody said which values of lambda, how many, or how far. */
int rls2__plan_finds_lambdas(const rls2_plan *plan);
/* Is the smallest lambda the best, and is more to be gained below it? By the curve, or by a
 * criterion, of which the place of the least is known. */
int rls2__curve_goes_on(const rls2_cv *cv);
int rls2__criterion_goes_on(const rls2_fit *fit, const char *word, int64_t least);
/* Three decades more, in fit->grid and as values; *done is 0 where it cannot become longer. */
rls2_status rls2__grid_extend(rls2_fit *fit, int *done, rls2_error *err);
/* The same, and the values there were stay, to the bit: a longer grid may be spread otherwise. */
rls2_status rls2__grid_lengthen(rls2_fit *fit, int *done, rls2_error *err);
/* The values of fit->grid. */
rls2_status rls2__grid_spread(rls2_fit *fit, rls2_error *err);
/* What there is to say about the best value: by the curve (cv), or by a criterion (NULL). */
void rls2__grid_note(rls2_plan *plan, const rls2_cv *cv, int64_t best, int64_t count);

#endif
