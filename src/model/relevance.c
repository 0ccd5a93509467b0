/* What widths that were learned say of the inputs. */
#include <math.h>

#include "model/model.h"
#include "model/model_stack.h"

/* The kernel of most columns that learned its widths, the first of those; NULL: there is none. */
static const rls2__kernel *widest(const rls2_model *model)
{
    const rls2__kernel *best = NULL;
    for (int64_t k = 0; k < model->size; k++) {
        const rls2__kernel *kernel = &model->kernels[k];
        if (kernel->widths && (!best || kernel->column_count > best->column_count)) best = kernel;
    }
    return best;
}

static double variance_of(const rls2_model *model, const double *x)
{
    double total = 0.0, mean = 0.0, sum = 0.0;
    for (int64_t i = 0; i < model->n; i++) total += model->weights ? model->weights[i] : 1.0;
    for (int64_t i = 0; i < model->n; i++)
        mean += (model->weights ? model->weights[i] : 1.0) / total * x[i];
    for (int64_t i = 0; i < model->n; i++)
        sum += (model->weights ? model->weights[i] : 1.0) / total * (x[i] - mean) * (x[i] - mean);
    return sum;
}

/* The columns of the kernel are those of x. */
static void fill(const rls2_model *model, const rls2__kernel *kernel, const int64_t *input_of,
                 int64_t count, double *relevance)
{
    double sum = 0.0;
    for (int64_t k = 0; k < count; k++) relevance[k] = 0.0;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        int64_t at = kernel->columns[t], column = model->used[at];
        double part = kernel->widths[t] * variance_of(model, model->x + at * model->n);
        if (!isfinite(part)) continue;
        relevance[input_of ? input_of[column] : column] += part;
        sum += part;
    }
    for (int64_t k = 0; k < count && sum > 0.0; k++) relevance[k] /= sum;
}

int64_t rls2_model_relevance(const rls2_model *model, double *relevance)
{
    if (!model || model->compact) return 0;
    const rls2__stack *stack = rls2__model_stack(model);
    const rls2__origin *origin = rls2__model_origin(model);
    int64_t count = origin->encoder ? origin->encoder->count : model->p;
    const rls2__kernel *kernel = widest(model);
    for (int64_t t = 0; stack && t < stack->count && !kernel; t++) {
        model = stack->members[t];
        kernel = widest(model);
    }
    if (kernel && relevance) fill(model, kernel, origin->input_of, count, relevance);
    return kernel ? count : 0;
}
