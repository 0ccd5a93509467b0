/* The loss: which one is asked for, and whether target, solver and criterion go with it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan/plan.h"
#include "solver/loss.h"
#include "table/table.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

static int is_square(const rls2_plan *plan)
{
    return plan->loss.kind == RLS2_LOSS_SQUARE;
}

int rls2__plan_is_general(const rls2_plan *plan)
{
    return !is_square(plan) || plan->asked.intercept == RLS2__INTERCEPT_FREE ||
           plan->asked.outputs == RLS2__OUTPUTS_SHARED;
}

double rls2__plan_hardness(const rls2_plan *plan)
{
    static const double SMOOTH = 1.4, KINKS = 3.0;
    switch (plan->loss.kind) {
    case RLS2_LOSS_SQUARE: return 1.0;
    case RLS2_LOSS_HINGE:
    case RLS2_LOSS_QUANTILE:
    case RLS2_LOSS_EPSILON:
    case RLS2_LOSS_ABSOLUTE: return KINKS;
    default: return SMOOTH;
    }
}

static rls2_status check_solver(rls2_plan *plan, rls2_error *err)
{
    if (!rls2__plan_is_general(plan) || plan->asked.solver == RLS2_SOLVER_NEWTON) return RLS2_OK;
    return rls2__plan_refuse(plan, "solver", err, RLS2_ERR_ARGUMENT,
                             "%s alternate is for the square loss with %s none or mean",
                             NAME("solver"), NAME("intercept"));
}

/* Scalings by classes are another set for each of them. */
static rls2_status check_shared(rls2_plan *plan, rls2_error *err)
{
    const rls2__wishes *a = &plan->asked;
    if (a->outputs == RLS2__OUTPUTS_SHARED && plan->loss_count > 1)
        return rls2__plan_refuse(plan, "outputs", err, RLS2_ERR_ARGUMENT,
                                 "%s shared does not go together with several quantiles",
                                 NAME("outputs"));
    if (a->outputs != RLS2__OUTPUTS_SHARED ||
        (a->scaling != RLS2_SCALING_FISHER && a->scaling != RLS2_SCALING_FISHER_SQRT))
        return RLS2_OK;
    return rls2__plan_refuse(plan, "outputs", err, RLS2_ERR_ARGUMENT,
                             "%s shared does not go together with %s %s", NAME("outputs"),
                             NAME("scaling"), rls2_plan_get(plan, "scaling", 0));
}

static int name_levels(rls2_plan *plan)
{
    char name[RLS2__LEVEL_NAME];
    int fits = 1;
    for (int64_t o = 0; plan->loss_count > 1 && o < plan->loss_count && fits; o++) {
        rls2__loss_level_name(plan->losses[o], name);
        plan->level_names[o] = rls2__arena_copy(plan->arena, name);
        fits = plan->level_names[o] != NULL;
    }
    return fits;
}

rls2_status rls2__plan_read_loss(rls2_plan *plan, rls2_error *err)
{
    const rls2__wishes *a = &plan->asked;
    rls2_error own = {0};
    plan->losses[0] = (rls2_loss){a->probability ? RLS2_LOSS_LOGISTIC : RLS2_LOSS_SQUARE, 0.0};
    plan->loss_count = 1;
    if (a->loss && rls2_losses_parse(a->loss, plan->losses, &plan->loss_count, &own) != RLS2_OK)
        return rls2__plan_refuse(plan, "loss", err, own.status, "%s: %s", NAME("loss"),
                                 own.message);
    plan->loss = plan->losses[0];
    if (!name_levels(plan)) return rls2__plan_memory_out(plan, err);
    if (a->loss && a->probability && plan->loss.kind != RLS2_LOSS_LOGISTIC)
        return rls2__plan_refuse(plan, "probability", err, RLS2_ERR_ARGUMENT,
                                 "%s needs %s logistic, and it is %s", NAME("probability"),
                                 NAME("loss"), a->loss);
    rls2_status status = check_solver(plan, err);
    return status == RLS2_OK ? check_shared(plan, err) : status;
}

/* ---- the target ---- */

static rls2_status check_task(rls2_plan *plan, rls2_error *err)
{
    int classes = rls2_dataset_is_classification(plan->train.data);
    if (is_square(plan) || rls2_loss_takes_labels(plan->loss) == classes) return RLS2_OK;
    char text[40];
    return rls2__plan_refuse(plan, "loss", err, RLS2_ERR_ARGUMENT,
                             "%s %s is for %s, and the target is %s; %s", NAME("loss"),
                             rls2_loss_text(plan->loss, text, sizeof text),
                             classes ? "numbers" : "classes", classes ? "a class" : "a number",
                             classes ? "for classes there are logistic, hinge and squared-hinge"
                                     : "for numbers there are huber, quantile, epsilon, absolute "
                                       "and poisson");
}

static rls2_status check_counts(rls2_plan *plan, rls2_error *err)
{
    const rls2_dataset *data = plan->train.data;
    int64_t n = rls2_dataset_rows(data);
    for (int64_t i = 0; i < n * rls2_dataset_outputs(data); i++)
        if (rls2_dataset_y(data)[i] < 0.0)
            return rls2__plan_refuse(
                plan, "loss", err, RLS2_ERR_VALUE,
                "%s: the target is %g; counts, as %s poisson takes them, are not negative",
                rls2__table_place(plan->train.table, rls2_dataset_source_row(data, i % n)).text,
                rls2_dataset_y(data)[i], NAME("loss"));
    return RLS2_OK;
}

/* Three classes and more that share weights are one distribution. */
static void make_multinomial(rls2_plan *plan)
{
    if (plan->loss.kind == RLS2_LOSS_LOGISTIC && plan->asked.outputs == RLS2__OUTPUTS_SHARED &&
        rls2_dataset_outputs(plan->train.data) > 1)
        plan->loss.kind = RLS2_LOSS_MULTINOMIAL;
}

/* ---- a distance that is not named ---- */

typedef struct weighted {
    double value, weight;
} weighted;

static int by_value(const void *a, const void *b)
{
    const weighted *one = a, *other = b;
    return (one->value > other->value) - (one->value < other->value);
}

/* Half of the weight is at or below it, and half at or above; the middle of two that are both. */
static double median_of(int64_t n, weighted *rows)
{
    double total = 0.0, below = 0.0;
    qsort(rows, (size_t)n, sizeof *rows, by_value);
    for (int64_t i = 0; i < n; i++) total += rows[i].weight;
    for (int64_t i = 0; i < n - 1; i++) {
        below += rows[i].weight;
        if (below > 0.5 * total) return rows[i].value;
        if (below == 0.5 * total) return 0.5 * (rows[i].value + rows[i + 1].value);
    }
    return rows[n - 1].value;
}

/* The mean distance from there, where half of the rows are at the same value. */
static double mean_of(int64_t n, const weighted *rows)
{
    double sum = 0.0, total = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += rows[i].weight * rows[i].value;
        total += rows[i].weight;
    }
    return sum / total;
}

/* The deviation of a normal distribution with the target's median distance from its median, which
 * outliers do not move; 1 where the target is constant. */
static double spread_of(const rls2_dataset *data, weighted *rows)
{
    static const double NORMAL = 1.4826; /* deviation over median distance */
    int64_t n = rls2_dataset_rows(data);
    const double *y = rls2_dataset_y(data), *weights = rls2_dataset_row_weights(data);
    for (int64_t i = 0; i < n; i++) rows[i] = (weighted){y[i], weights ? weights[i] : 1.0};
    double middle = median_of(n, rows);
    for (int64_t i = 0; i < n; i++) rows[i].value = fabs(rows[i].value - middle);
    double distance = median_of(n, rows);
    if (!(distance > 0.0)) distance = mean_of(n, rows);
    return distance > 0.0 ? NORMAL * distance : 1.0;
}

/* With three digits, so that the note says all of it. */
static double shortened(double value)
{
    double digits = floor(log10(value)) - 2.0;
    return digits >= 0.0 ? round(value / pow(10.0, digits)) * pow(10.0, digits)
                         : round(value * pow(10.0, -digits)) / pow(10.0, -digits);
}

static rls2_status find_distance(rls2_plan *plan, rls2_error *err)
{
    static const double HUBER_SHARE = 0.5, EPSILON_SHARE = 0.1; /* of the spread */
    const rls2_dataset *data = plan->train.data;
    int is_huber = plan->loss.kind == RLS2_LOSS_HUBER;
    char text[40];
    if (rls2_dataset_outputs(data) > 1)
        return rls2__plan_refuse(plan, "loss", err, RLS2_ERR_ARGUMENT,
                                 "%s %s: several targets need a distance that is named, as in "
                                 "%s(0.5)",
                                 NAME("loss"), plan->asked.loss, plan->asked.loss);
    weighted *rows = rls2__alloc(rls2_dataset_rows(data), sizeof *rows);
    if (!rows) return rls2__plan_memory_out(plan, err);
    double spread = spread_of(data, rows);
    rls2__free(rows);
    plan->loss.parameter = shortened(spread * (is_huber ? HUBER_SHARE : EPSILON_SHARE));
    plan->losses[0] = plan->loss;
    rls2__plan_say(plan, "loss: %s, %s of the target's spread",
                   rls2_loss_text(plan->loss, text, sizeof text), is_huber ? "half" : "a tenth");
    return RLS2_OK;
}

/* ---- criteria ---- */

/* Criteria see a fit as a linear smoother, or its loss as a likelihood. */
static int has_criterion(const rls2_plan *plan, const char *word)
{
    if (plan->asked.outputs == RLS2__OUTPUTS_SHARED) return 0;
    if (is_square(plan))
        return plan->asked.intercept != RLS2__INTERCEPT_FREE || strcmp(word, "loo") != 0;
    int likelihood = plan->loss.kind == RLS2_LOSS_LOGISTIC || plan->loss.kind == RLS2_LOSS_POISSON;
    return likelihood && (strcmp(word, "aic") == 0 || strcmp(word, "bic") == 0);
}

static rls2_status check_criterion(rls2_plan *plan, rls2_error *err)
{
    const char *word = rls2_plan_get(plan, "select", 0);
    int select = plan->asked.select;
    int chooses =
        isnan(plan->asked.lambda) && (plan->goal == RLS2_GOAL_MODEL || plan->goal == RLS2_GOAL_ALL);
    if (!chooses || select == RLS2__SELECT_CV || select == RLS2__SELECT_NONE ||
        has_criterion(plan, word))
        return RLS2_OK;
    char loss[40];
    return rls2__plan_refuse(
        plan, "select", err, RLS2_ERR_ARGUMENT, "%s %s is not defined for %s %s%s%s: use %s cv",
        NAME("select"), word, NAME("loss"), rls2_loss_text(plan->loss, loss, sizeof loss),
        plan->asked.intercept == RLS2__INTERCEPT_FREE ? " with a free intercept" : "",
        plan->asked.outputs == RLS2__OUTPUTS_SHARED ? " and shared weights" : "", NAME("select"));
}

rls2_status rls2__plan_settle_loss(rls2_plan *plan, rls2_error *err)
{
    if (plan->goal == RLS2_GOAL_KERNELS) return RLS2_OK;
    rls2_status status = check_task(plan, err);
    if (status == RLS2_OK && rls2_loss_takes_counts(plan->loss)) status = check_counts(plan, err);
    if (status == RLS2_OK && isnan(plan->loss.parameter)) status = find_distance(plan, err);
    if (status == RLS2_OK) status = check_criterion(plan, err);
    if (status == RLS2_OK) make_multinomial(plan);
    return status;
}
