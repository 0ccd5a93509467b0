/* Stacking what cross-validation has predicted.  [MATH.md, S1]
 *
 * Beside the sparse part there may be the averages of all kernels, and the one kernel on all
 * columns that does best on left-out rows, of those that are given and of those whose widths are
 * learned; each at its own lambda. */
#include "plan/fit_stack.h"

#include <math.h>
#include <string.h>

#include "model/model.h"
#include "model/model_stack.h"
#include "select/cv.h"
#include "select/cv_summary.h"
#include "select/stacking.h"
#include "solver/path.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

enum { AVERAGE, ALIGNED, SINGLE, LEARNED, MEMBERS };

/* A member: which of the candidates, at which lambda; and its paths, one for each output. */
typedef struct member {
    int64_t kernel;
    double lambda;
    const double *left_out; /* rows x outputs, of the curve */
    rls2_path **paths;
} member;

struct rls2__fit_stack {
    int64_t outputs;
    int64_t count;
    member members[MEMBERS];
    double *weights;   /* (1 + count) x outputs, as in a model */
    double *constants; /* outputs */
    double *left_out;  /* rows x outputs: cross-fitted */
    double *classes;   /* rows: weights with those of classes; NULL: classes have none */
    rls2_cv_point point;
};

static void free_paths(member *m, int64_t outputs)
{
    for (int64_t o = 0; m->paths && o < outputs; o++) rls2__path_destroy(m->paths[o]);
    rls2__free(m->paths);
    m->paths = NULL;
}

void rls2__fit_stack_free(rls2__fit_stack *stack)
{
    if (!stack) return;
    for (int64_t m = 0; m < stack->count; m++) free_paths(&stack->members[m], stack->outputs);
    rls2__free(stack->weights);
    rls2__free(stack->constants);
    rls2__free(stack->left_out);
    rls2__free(stack->classes);
    rls2__free(stack);
}

/* ---- may there be one? ---- */

static int makes_a_model(const rls2_plan *plan)
{
    return plan->goal == RLS2_GOAL_MODEL || plan->goal == RLS2_GOAL_ALL;
}

/* What is in the way of a stack; NULL: nothing. */
static const char *obstacle(const rls2_plan *plan)
{
    if (plan->loss.kind != RLS2_LOSS_SQUARE) return "is for the square loss alone";
    if (plan->asked.outputs == RLS2__OUTPUTS_SHARED)
        return "does not go together with shared weights";
    if (!rls2__plan_leaves_rows_out(plan))
        return "needs left-out rows: leave lambda to cross-validation";
    return NULL;
}

/* Whoever names or gives kernels, or asks for the sparser of two models, gets just that. */
static int stacks_by_default(const rls2_plan *plan)
{
    const rls2__wishes *a = &plan->asked;
    return !a->plain && a->kernels.count == 0 && plan->matrix_count == 0 &&
           a->rule == RLS2__RULE_MIN && !plan->is_tall &&
           !rls2_dictionary_is_linear(plan->ingredients.dictionary);
}

int rls2__plan_stacks(const rls2_plan *plan)
{
    if (plan->asked.stack == 0 || !makes_a_model(plan) || obstacle(plan)) return 0;
    return plan->asked.stack > 0 || stacks_by_default(plan);
}

rls2_status rls2__plan_check_stack(rls2_plan *plan, rls2_error *err)
{
    if (plan->asked.stack <= 0 || !makes_a_model(plan)) return RLS2_OK;
    if (plan->asked.plain)
        return rls2__plan_refuse(plan, "stack", err, RLS2_ERR_ARGUMENT,
                                 "%s does not go together with %s", NAME("stack"), NAME("plain"));
    const char *why = obstacle(plan);
    if (!why) return RLS2_OK;
    return rls2__plan_refuse(plan, "stack", err, RLS2_ERR_ARGUMENT, "%s %s", NAME("stack"), why);
}

void rls2__plan_note_stack(rls2_plan *plan)
{
    if (plan->asked.stack < 0 && rls2__plan_stacks(plan))
        rls2__plan_say(plan, "stack: the default; %s is the sparse part alone", NAME("plain"));
}

/* ---- left-out rows ---- */

/* Data of the rows that were split. */
static const rls2_dataset *split_data(const rls2_plan *plan)
{
    return plan->choosing_data ? plan->choosing_data : plan->train.data;
}

static rls2__stacking rows_of(const rls2_plan *plan, const rls2_cv *cv,
                              const rls2__fit_stack *stack, int64_t o)
{
    const rls2_dataset *data = split_data(plan);
    /* of several outputs the largest counts, and they need one scale */
    int by_sign = rls2_dataset_is_classification(data) && rls2_dataset_outputs(data) == 1;
    return (rls2__stacking){.n = cv->rows,
                            .y = rls2_dataset_y(data) + o * cv->rows,
                            .classes = by_sign,
                            .weights =
                                stack->classes ? stack->classes : rls2_dataset_row_weights(data),
                            .owner = cv->owner,
                            .splits = cv->splits};
}

/* Squared errors of left-out rows, in units of what is to be explained; the sum over outputs. NaN
 * where a row has no prediction. */
static double error_of(const rls2_plan *plan, const rls2_cv *cv, const rls2__fit_stack *stack,
                       const double *f)
{
    double total = 0.0;
    for (int64_t o = 0; o < cv->outputs; o++) {
        const rls2__stacking rows = rows_of(plan, cv, stack, o);
        double sum = 0.0, square = 0.0, weight = 0.0, mean = 0.0;
        for (int64_t i = 0; i < rows.n; i++) {
            double w = rows.owner[i] < 0 ? 0.0 : rows.weights ? rows.weights[i] : 1.0;
            double rest = rows.owner[i] < 0 ? 0.0 : rows.y[i] - f[o * rows.n + i];
            sum += w * rest * rest;
            square += w * rows.y[i] * rows.y[i];
            mean += w * rows.y[i];
            weight += w;
        }
        double spread = square - mean * mean / weight;
        total += spread > 0.0 ? sum / spread : 0.0;
    }
    return total;
}

/* The best of the candidates [first, end) at its best lambda, the largest of several; 0 where none
 * has predictions. */
static int find_member(const rls2_plan *plan, const rls2_cv *cv, const rls2__fit_stack *stack,
                       int64_t first, int64_t end, member *found)
{
    double least = HUGE_VAL;
    for (int64_t t = first; t < end; t++)
        for (int64_t i = 0; i < cv->count; i++) {
            const double *f = cv->members->predictions[t] + i * cv->outputs * cv->rows;
            double error = error_of(plan, cv, stack, f);
            if (!(error < least)) continue;
            least = error;
            *found = (member){cv->members->kernels[t], cv->lambdas[i], f, NULL};
        }
    return least < HUGE_VAL;
}

static void find_members(const rls2_plan *plan, const rls2_cv *cv, rls2__fit_stack *stack)
{
    const int64_t bounds[MEMBERS + 1] = {0, 1, RLS2__AVERAGES, cv->members->learned,
                                         cv->members->count};
    for (int kind = 0; kind < MEMBERS; kind++)
        stack->count += find_member(plan, cv, stack, bounds[kind], bounds[kind + 1],
                                    &stack->members[stack->count]);
}

/* ---- weights ---- */

static void weigh_output(const rls2_plan *plan, const rls2_cv *cv, const double *sparse, int64_t o,
                         rls2__fit_stack *stack)
{
    rls2__stacking rows = rows_of(plan, cv, stack, o);
    int64_t at = o * cv->rows;
    rows.f[rows.count++] = sparse + at;
    for (int64_t m = 0; m < stack->count; m++)
        rows.f[rows.count++] = stack->members[m].left_out + at;
    rls2__stacked found = rls2__stack_rows(&rows);
    stack->constants[o] = found.constant;
    for (int k = 0; k < rows.count; k++) stack->weights[k * stack->outputs + o] = found.weights[k];
    rls2__stack_left_out(&rows, stack->left_out + at);
}

/* Members without weight in any output are left out. */
static void drop_idle(rls2__fit_stack *stack)
{
    int64_t outputs = stack->outputs, kept = 0;
    for (int64_t m = 0; m < stack->count; m++) {
        const double *weights = stack->weights + (m + 1) * outputs;
        int idle = 1;
        for (int64_t o = 0; o < outputs; o++) idle &= !(weights[o] > 0.0);
        if (idle) continue;
        memmove(stack->weights + (kept + 1) * outputs, weights,
                (size_t)outputs * sizeof *stack->weights);
        stack->members[kept++] = stack->members[m];
    }
    stack->count = kept;
}

/* ---- the score ---- */

/* Of the rows that a split left out first, by the measure of the curve. */
static double score_split(const rls2_plan *plan, const rls2_cv *cv, const double *f, int64_t s,
                          double *room)
{
    const rls2_dataset *data = split_data(plan);
    const double *y = rls2_dataset_y(data), *w = rls2_dataset_row_weights(data);
    int64_t n = 0, outputs = cv->outputs;
    for (int64_t i = 0; i < cv->rows; i++) n += s < 0 ? cv->owner[i] >= 0 : cv->owner[i] == s;
    double *own_f = room, *own_y = room + n * outputs, *own_w = own_y + n * outputs;
    int64_t t = 0;
    for (int64_t i = 0; i < cv->rows; i++) {
        if (!(s < 0 ? cv->owner[i] >= 0 : cv->owner[i] == s)) continue;
        for (int64_t o = 0; o < outputs; o++) {
            own_f[o * n + t] = f[o * cv->rows + i];
            own_y[o * n + t] = y[o * cv->rows + i];
        }
        own_w[t++] = w ? w[i] : 1.0;
    }
    return rls2_measure_value(cv->measure, outputs, n, own_f, own_y, w ? own_w : NULL);
}

/* What a count of errors in all left-out rows is to be multiplied by to be that of a split. */
static double in_a_split(const rls2_plan *plan, const rls2_cv *cv)
{
    int64_t rows = 0, once = 0;
    if (cv->measure != RLS2_MEASURE_ERRORS || !plan->splits) return 1.0;
    for (int64_t s = 0; s < cv->splits; s++) rows += rls2_splits_validation(plan->splits, s, NULL);
    for (int64_t i = 0; i < cv->rows; i++) once += cv->owner[i] >= 0;
    return (double)rows / (double)cv->splits / (double)once;
}

/* Of cross-fitted predictions, whose weights come from the other splits. Random splits share rows,
 * of which each is scored once: then all of them together. */
static rls2_status score(const rls2_plan *plan, const rls2_cv *cv, rls2__fit_stack *stack,
                         rls2_error *err)
{
    double *room = rls2__alloc(rls2__mul(cv->rows, 2 * cv->outputs + 1), sizeof *room);
    double *scores = rls2__alloc(cv->splits, sizeof *scores);
    rls2_status status = room && scores ? RLS2_OK : rls2__fail_memory(err, "the stack");
    for (int64_t s = 0; s < cv->splits && status == RLS2_OK; s++)
        scores[s] = score_split(plan, cv, stack->left_out, s, room);
    if (status == RLS2_OK) {
        stack->point = rls2__cv_summarize_scores(cv, scores);
        if (cv->pooled || cv->overlap > 0.0) {
            stack->point.cvm =
                score_split(plan, cv, stack->left_out, -1, room) * in_a_split(plan, cv);
            stack->point.cvsd = (double)NAN;
        }
    }
    rls2__free(room);
    rls2__free(scores);
    return status;
}

/* ---- making ---- */

/* Weights of classes count in the stack as they do in its members. */
static rls2_status weigh_classes(const rls2_plan *plan, rls2__fit_stack *stack, rls2_error *err)
{
    const rls2_dataset *data = split_data(plan);
    if (!plan->asked.class_weights) return RLS2_OK;
    stack->classes = rls2__alloc(rls2_dataset_rows(data), sizeof *stack->classes);
    if (!stack->classes) return rls2__fail_memory(err, "the stack");
    return rls2_dataset_fit_weights(data, plan->asked.class_weights, stack->classes, err);
}

static rls2_status reserve(const rls2_plan *plan, rls2_fit *fit, rls2_error *err)
{
    const rls2_cv *cv = fit->cv;
    rls2__fit_stack *stack = rls2__alloc_zero(1, sizeof *stack);
    if (!stack) return rls2__fail_memory(err, "the stack");
    fit->stack = stack;
    stack->outputs = cv->outputs;
    stack->weights = rls2__alloc_zero(rls2__mul(MEMBERS + 1, cv->outputs), sizeof(double));
    stack->constants = rls2__alloc_zero(cv->outputs, sizeof(double));
    stack->left_out = rls2__alloc(rls2__mul(cv->rows, cv->outputs), sizeof(double));
    if (!stack->weights || !stack->constants || !stack->left_out)
        return rls2__fail_memory(err, "the stack");
    return weigh_classes(plan, stack, err);
}

static rls2_status fit_members(rls2__fit_work *w, rls2_error *err)
{
    rls2__fit_stack *stack = w->fit->stack;
    rls2_status status = RLS2_OK;
    for (int64_t m = 0; m < stack->count && status == RLS2_OK; m++) {
        member *it = &stack->members[m];
        it->left_out = NULL; /* the curve may go */
        it->paths = rls2__alloc_zero(stack->outputs, sizeof *it->paths);
        if (!it->paths) return rls2__fail_memory(err, "the stack");
        status = rls2__fit_member_paths(w->plan->ingredients.recipe, &w->fit->made, it->kernel,
                                        it->lambda, &w->control, it->paths, err);
    }
    return status;
}

rls2_status rls2__fit_make_stack(rls2__fit_work *w, rls2_error *err)
{
    rls2_fit *fit = w->fit;
    const rls2_cv *cv = fit->cv;
    if (!rls2__plan_stacks(w->plan) || !cv || !cv->members || fit->chosen < 0) return RLS2_OK;
    rls2_status status = reserve(w->plan, fit, err);
    if (status != RLS2_OK) return status;
    find_members(w->plan, cv, fit->stack);
    for (int64_t o = 0; o < cv->outputs; o++)
        weigh_output(w->plan, cv, rls2_cv_predictions(cv, fit->chosen), o, fit->stack);
    drop_idle(fit->stack);
    status = score(w->plan, cv, fit->stack, err);
    return status == RLS2_OK ? fit_members(w, err) : status;
}

const double *rls2__fit_stack_left_out(const rls2__fit_stack *stack)
{
    return stack->left_out;
}

/* ---- the model ---- */

static rls2_status make_members(const rls2__fit_stack *from, rls2__stack *stack, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int64_t m = 0; m < from->count && status == RLS2_OK; m++)
        status = rls2_model_create(from->outputs, (const rls2_path *const *)from->members[m].paths,
                                   0, &stack->members[m], err);
    return status;
}

rls2_status rls2__fit_tell_stack(const rls2_fit *fit, rls2_model *model, rls2_error *err)
{
    const rls2__fit_stack *from = fit->stack;
    if (!from) return RLS2_OK;
    rls2__stack *stack = rls2__stack_create(from->count, from->outputs);
    if (!stack) return rls2__fail_memory(err, "the stack");
    model->stack = stack;
    memcpy(stack->weights, from->weights,
           (size_t)((from->count + 1) * from->outputs) * sizeof *stack->weights);
    memcpy(stack->constants, from->constants, (size_t)from->outputs * sizeof *stack->constants);
    stack->sparse_score = rls2_cv_at(fit->cv, fit->chosen)->cvm;
    rls2__model_keep_score(model, &(rls2_left_out){.measure = rls2_measure_name(fit->cv->measure),
                                                   .score = from->point.cvm,
                                                   .error = from->point.cvsd,
                                                   .splits = fit->cv->splits});
    return make_members(from, stack, err);
}
