/* Adds up what the members of a stack say. */
#include "model/model_stack.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "model/model.h"

rls2__stack *rls2__stack_create(int64_t count, int64_t outputs)
{
    rls2__stack *stack = rls2__alloc_zero(1, sizeof *stack);
    if (!stack) return NULL;
    *stack = (rls2__stack){.count = count, .outputs = outputs, .sparse_score = (double)NAN};
    stack->members = rls2__alloc_zero(count, sizeof(rls2_model *));
    stack->weights = rls2__alloc_zero(rls2__mul(rls2__add(count, 1), outputs), sizeof(double));
    stack->constants = rls2__alloc_zero(outputs, sizeof(double));
    if (stack->members && stack->weights && stack->constants) return stack;
    rls2__stack_free(stack);
    return NULL;
}

void rls2__stack_free(rls2__stack *stack)
{
    if (!stack) return;
    for (int64_t m = 0; stack->members && m < stack->count; m++)
        rls2__model_destroy(stack->members[m]);
    rls2__free(stack->members);
    rls2__free(stack->weights);
    rls2__free(stack->constants);
    rls2__free(stack);
}

const rls2__stack *rls2__model_stack(const rls2_model *model)
{
    return model->head ? model->head->stack : model->stack;
}

/* ---- predictions ---- */

/* The member as far as the model goes: all outputs, or the one that the model is. */
static const rls2_model *counterpart(const rls2_model *model, const rls2_model *member)
{
    return model->head ? rls2_model_output(member, model->number) : member;
}

static double weight_of(const rls2_model *model, int64_t o, int64_t m)
{
    const rls2__stack *stack = rls2__model_stack(model);
    return stack->weights[m * stack->outputs + (model->head ? model->number : o)];
}

static double constant_of(const rls2_model *model, int64_t o)
{
    return rls2__model_stack(model)->constants[model->head ? model->number : o];
}

static void scale_own(const rls2_model *model, int64_t n, double *f)
{
    for (int64_t o = 0; o < model->output_count; o++)
        for (int64_t i = 0; i < n; i++)
            f[o * n + i] = f[o * n + i] * weight_of(model, o, 0) + constant_of(model, o);
}

rls2_status rls2__stack_add_up(const rls2_model *model, const rls2_rows *rows,
                               const rls2_control *control, double *f, rls2_error *err)
{
    const rls2__stack *stack = rls2__model_stack(model);
    int64_t n = rows->n;
    double *one = rls2__alloc(rls2__mul(n, model->output_count), sizeof *one);
    if (!one) return rls2__fail_memory(err, "the predictions");
    rls2_status status = RLS2_OK;
    scale_own(model, n, f);
    for (int64_t m = 0; m < stack->count && status == RLS2_OK; m++) {
        status = rls2_model_predict(counterpart(model, stack->members[m]), rows, control, one, err);
        for (int64_t o = 0; o < model->output_count && status == RLS2_OK; o++)
            for (int64_t i = 0; i < n; i++)
                f[o * n + i] += weight_of(model, o, m + 1) * one[o * n + i];
    }
    rls2__free(one);
    return status;
}

/* ---- public ---- */

int64_t rls2_model_member_count(const rls2_model *model)
{
    const rls2__stack *stack = model ? rls2__model_stack(model) : NULL;
    return stack ? stack->count : 0;
}

const rls2_model *rls2_model_member(const rls2_model *model, int64_t m)
{
    if (m < 0 || m >= rls2_model_member_count(model)) return NULL;
    return counterpart(model, rls2__model_stack(model)->members[m]);
}

static int is_average(const rls2_model *member)
{
    for (int64_t k = 1; k < member->size; k++)
        if (rls2_model_kernel_weight(member, k) != rls2_model_kernel_weight(member, 0)) return 0;
    return 1;
}

const char *rls2_model_member_name(const rls2_model *model, int64_t m)
{
    const rls2_model *member = rls2_model_member(model, m);
    if (!member) return NULL;
    if (member->size == 1) return rls2_model_kernel_name(member, 0);
    return is_average(member) ? "average of all kernels" : "average weighted by alignment";
}

double rls2_model_member_weight(const rls2_model *model, int64_t m)
{
    if (!model || model->outputs || m < -1 || m >= rls2_model_member_count(model))
        return (double)NAN;
    return rls2__model_stack(model) ? weight_of(model, 0, m + 1) : 1.0;
}

double rls2_model_base(const rls2_model *model)
{
    if (!model || model->outputs) return (double)NAN;
    if (!rls2__model_stack(model)) return model->intercept;
    double base = weight_of(model, 0, 0) * model->intercept + constant_of(model, 0);
    for (int64_t m = 0; m < rls2_model_member_count(model); m++)
        base += weight_of(model, 0, m + 1) * rls2_model_intercept(rls2_model_member(model, m));
    return base;
}

double rls2_model_sparse_score(const rls2_model *model)
{
    const rls2__stack *stack = model ? rls2__model_stack(model) : NULL;
    return stack ? stack->sparse_score : (double)NAN;
}

rls2_status rls2_model_member_contributions(const rls2_model *model, const rls2_rows *rows,
                                            const rls2_control *control, double *f, rls2_error *err)
{
    if (!model) return rls2__fail_null(err, "model");
    if (!rows) return rls2__fail_null(err, "rows");
    if (model->outputs)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the model has %lld outputs: ask one of them (rls2_model_output)",
                          (long long)model->output_count);
    rls2_status status = RLS2_OK;
    for (int64_t m = 0; m < rls2_model_member_count(model) && status == RLS2_OK; m++) {
        const rls2_model *member = rls2_model_member(model, m);
        double *part = f + m * rows->n, weight = rls2_model_member_weight(model, m);
        double intercept = rls2_model_intercept(member); /* which is part of the base */
        status = rls2_model_predict(member, rows, control, part, err);
        for (int64_t i = 0; i < rows->n && status == RLS2_OK; i++)
            part[i] = weight * (part[i] - intercept);
    }
    return status;
}
