/* The settings lambda and lambdas: the values a path is asked for. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"

enum { MOST_LAMBDAS = 100000 };

static rls2_status refuse(rls2_plan *plan, rls2_error *err)
{
    return rls2__plan_refuse(plan, "lambdas", err, RLS2_ERR_ARGUMENT,
                             "%s '%.80s' should be LO:HI:N, for instance 1e-6:1e2:30, or values "
                             "separated by commas",
                             rls2__plan_name(plan, "lambdas").text, plan->asked.lambdas);
}

static int read_count(const char *text, int64_t *count)
{
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0') return 0;
    errno = 0;
    *count = strtoll(text, NULL, 10);
    return errno == 0 && *count >= 1 && *count <= MOST_LAMBDAS;
}

static int reserve(rls2_plan *plan, int64_t count)
{
    rls2__free(plan->lambdas);
    plan->lambdas = rls2__alloc(rls2__add(count, 1), sizeof(double)); /* lambda may join them */
    plan->lambda_count = plan->lambdas ? count : 0;
    return plan->lambdas != NULL;
}

/* LO:HI:N, in a copy that may be cut up. */
static rls2_status read_range(rls2_plan *plan, char *text, rls2_error *err)
{
    double lo, hi;
    int64_t count;
    char *rest = text, *first = strsep(&rest, ":"), *second = strsep(&rest, ":");
    if (!second || !rest || !rls2__setting_number(first, &lo) ||
        !rls2__setting_number(second, &hi) || !read_count(rest, &count))
        return refuse(plan, err);
    if (!reserve(plan, count)) return rls2__plan_memory_out(plan, err);
    rls2_error own;
    rls2_status status = rls2_lambda_grid(lo, hi, count, plan->lambdas, &own);
    if (status == RLS2_OK) return RLS2_OK;
    return rls2__plan_refuse(plan, "lambdas", err, status, "%s: %s",
                             rls2__plan_name(plan, "lambdas").text, own.message);
}

static rls2_status read_list(rls2_plan *plan, char *text, rls2_error *err)
{
    int64_t room = 1, count = 0;
    for (const char *c = text; *c; c++) room += *c == ',';
    if (!reserve(plan, room)) return rls2__plan_memory_out(plan, err);
    for (char *rest = text, *item = strsep(&rest, ","); item; item = strsep(&rest, ",")) {
        double value;
        if (!rls2__setting_number(item, &value) || !(value > 0.0)) return refuse(plan, err);
        plan->lambdas[count++] = value;
    }
    plan->lambda_count = count;
    return RLS2_OK;
}

static rls2_status read_lambdas(rls2_plan *plan, rls2_error *err)
{
    const char *text = plan->asked.lambdas;
    char *copy = rls2__arena_text(plan->arena, text, (int64_t)strlen(text));
    if (!copy) return rls2__plan_memory_out(plan, err);
    return strchr(copy, ':') ? read_range(plan, copy, err) : read_list(plan, copy, err);
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Where lambda is one of the values, or what one of them is printed as: its place, the nearest;
 * else -1. */
static int64_t place_of(double lambda, int64_t count, const double *lambdas)
{
    static const double SIX_DIGITS = 5.1e-6; /* relative: what printing so many may change */
    int64_t nearest = -1;
    double least = SIX_DIGITS * lambda;
    for (int64_t i = 0; i < count; i++) {
        double distance = fabs(lambdas[i] - lambda);
        if (distance > least || (nearest >= 0 && distance == least)) continue;
        nearest = i;
        least = distance;
    }
    return nearest;
}

/* The values down to lambda, which is put into its place where it is none of them. */
static void cut_at_lambda(rls2_plan *plan)
{
    double lambda = plan->asked.lambda;
    int64_t count = plan->lambda_count, at = place_of(lambda, count, plan->lambdas);
    if (at < 0) {
        for (at = 0; at < count && plan->lambdas[at] > lambda;) at++;
        plan->lambdas[at] = lambda;
    }
    plan->lambda_count = at + 1;
}

static rls2_status copy_numbers(rls2_plan *plan, rls2_error *err)
{
    if (!reserve(plan, plan->number_count)) return rls2__plan_memory_out(plan, err);
    memcpy(plan->lambdas, plan->numbers, (size_t)plan->number_count * sizeof(double));
    return RLS2_OK;
}

/* From what is asked for now: settings may have changed since they were last checked. */
rls2_status rls2__plan_make_lambdas(rls2_plan *plan, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    plan->lambda_count = 0;
    if (plan->numbers)
        status = copy_numbers(plan, err);
    else if (plan->asked.lambdas)
        status = read_lambdas(plan, err);
    if (status != RLS2_OK) return status;
    if (plan->lambda_count > 0) {
        qsort(plan->lambdas, (size_t)plan->lambda_count, sizeof(double), descending);
        if (!isnan(plan->asked.lambda)) cut_at_lambda(plan);
    } else if (!isnan(plan->asked.lambda)) {
        if (!reserve(plan, 1)) return rls2__plan_memory_out(plan, err);
        plan->lambdas[0] = plan->asked.lambda;
    }
    return RLS2_OK;
}
