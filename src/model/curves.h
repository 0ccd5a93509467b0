/* What one input, or two, do to the whole prediction of a model that keeps its rows. */
#ifndef RLS2_MODEL_CURVES_H
#define RLS2_MODEL_CURVES_H

#include "model/model.h"
#include "rls2/control.h"

/* Values of an input: training rows that have them, and by how much they count. */
typedef struct rls2__values {
    int64_t input;
    int64_t count;
    const int64_t *rows;
    const double *mass;
} rls2__values;

/* What is to be found: count values each. */
typedef struct rls2__curve {
    double *effect;        /* less its mean by mass */
    double *lower, *upper; /* of curves of rows of the sample; NaN where these overflow */
    double largest;        /* of what was added up, in size */
} rls2__curve;

/* The control is one of the library's own. RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK. */
rls2_status rls2__curve_find(const rls2_model *model, const rls2__values *values,
                             const rls2_control *control, rls2__curve *curve);
/* grid[p + q first->count], not centred. Likewise. */
rls2_status rls2__curve_grid(const rls2_model *model, const rls2__values *first,
                             const rls2__values *second, const rls2_control *control, double *grid);

#endif
