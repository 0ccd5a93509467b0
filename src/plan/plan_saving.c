/* Settings with which a plan may take less time or memory.
 *
 * Ordered by what is given up: counting the rows loses hardly anything, kernels on all columns
 * together lose what single columns show, straight lines lose curves, and a sample loses rows,
 * which then test. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/plan.h"

/* The paper's kernels on all columns together, and a line in each column. */
static const char FEW_KERNELS[] = "poly(1..3)@all; rbf(1e-3:1e3:10)@all; linear";
enum { KERNELS_TOGETHER = 13, SAMPLE_ROWS = 1000, LEAST_ROWS = 1500 };

static int is_linear(const rls2_plan *plan)
{
    return rls2_dictionary_is_linear(plan->ingredients.dictionary);
}

static int count_rows(const rls2_plan *plan, char *text, size_t size)
{
    snprintf(text, size, "tall");
    return !plan->is_tall && !is_linear(plan) && plan->asked.method != RLS2__METHOD_EXACT &&
           plan->matrix_count == 0;
}

static int take_few_kernels(const rls2_plan *plan, char *text, size_t size)
{
    int64_t few = KERNELS_TOGETHER + rls2_dataset_columns(plan->train.data);
    snprintf(text, size, "%s", FEW_KERNELS);
    return !plan->is_tall && plan->matrix_count == 0 &&
           rls2_dictionary_count(plan->ingredients.dictionary) > few;
}

static int take_lines(const rls2_plan *plan, char *text, size_t size)
{
    snprintf(text, size, "linear");
    return !is_linear(plan) && plan->matrix_count == 0;
}

/* Rows that are not learned from test. */
static int take_sample(const rls2_plan *plan, char *text, size_t size)
{
    int64_t n = rls2_plan_row_count(plan);
    if (n < LEAST_ROWS || plan->test.table || plan->source || !isnan(plan->asked.test_share))
        return 0;
    double share = 1.0 - (double)SAMPLE_ROWS / (double)n;
    snprintf(text, size, "%.4g", share);
    return share < 1.0;
}

typedef struct saving {
    const char *setting;
    int (*fits)(const rls2_plan *plan, char *text, size_t size);
} saving;

static const saving SAVINGS[] = {
    {"method", count_rows},
    {"kernels", take_few_kernels},
    {"kernels", take_lines},
    {"test-share", take_sample},
};

const char *rls2_plan_saving(const rls2_plan *plan, int64_t i, char *text, size_t size)
{
    char value[sizeof FEW_KERNELS];
    if (!plan || plan->state != RLS2__PLAN_COMPLETE || i < 0) return NULL;
    for (size_t s = 0; s < sizeof SAVINGS / sizeof *SAVINGS; s++) {
        if (!SAVINGS[s].fits(plan, value, sizeof value)) continue;
        if (i-- > 0) continue;
        if (text && size > 0) snprintf(text, size, "%s", value);
        return SAVINGS[s].setting;
    }
    return NULL;
}
