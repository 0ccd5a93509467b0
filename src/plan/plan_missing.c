/* Missing cells and rare categories: what becomes of them, and what is said about it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "plan/plan.h"
#include "plan/plan_source.h"
#include "table/dataset.h"
#include "table/gaps.h"
#include "table/table.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

/* Where more than one row in so many would be lost, cells are imputed. */
enum { MOST_LOST = 20 };

/* ---- what is done ---- */

static rls2_missing choose(const rls2_plan *plan, const rls2__gaps *gaps)
{
    int64_t useful = gaps->rows - gaps->no_response;
    switch (plan->asked.missing) {
    case RLS2__MISSING_IMPUTE: return RLS2_MISSING_IMPUTE;
    case RLS2__MISSING_DROP: return RLS2_MISSING_DROP;
    case RLS2__MISSING_ERROR: return RLS2_MISSING_ERROR;
    default: return gaps->no_input > useful / MOST_LOST ? RLS2_MISSING_IMPUTE : RLS2_MISSING_DROP;
    }
}

/* ---- what is said ---- */

typedef struct column_list {
    char text[400];
} column_list;

/* The input that is empty in most rows of those not listed yet; -1 if none is. */
static int64_t next_of(const rls2__gaps *gaps, int64_t listed, const int64_t *before)
{
    int64_t best = -1;
    for (int64_t k = 0; k < gaps->encoder->count; k++) {
        int used = gaps->of_input[k] == 0;
        for (int64_t t = 0; t < listed; t++) used |= before[t] == k;
        if (!used && (best < 0 || gaps->of_input[k] > gaps->of_input[best])) best = k;
    }
    return best;
}

/* "Solar.R 7, Wind 2", those that cost most first. */
static column_list list_columns(const rls2__gaps *gaps)
{
    enum { LISTED = 4 };
    int64_t before[LISTED], k, listed = 0, columns = 0;
    column_list list = {""};
    size_t used = 0;
    for (k = 0; k < gaps->encoder->count; k++) columns += gaps->of_input[k] > 0;
    while (listed < LISTED && (k = next_of(gaps, listed, before)) >= 0) {
        used += (size_t)snprintf(list.text + used, sizeof list.text - used, "%s%s %" PRId64,
                                 listed > 0 ? ", " : "",
                                 rls2__show(gaps->encoder->inputs[k].name).text, gaps->of_input[k]);
        before[listed++] = k;
    }
    if (columns > listed)
        snprintf(list.text + used, sizeof list.text - used, " and %s",
                 rls2__count_of(columns - listed, "more column").text);
    return list;
}

static void say_no_response(rls2_plan *plan, const rls2__gaps *gaps)
{
    const rls2__encoder *encoder = gaps->encoder;
    if (gaps->no_response == 0) return;
    if (encoder->target_count == 1 && !encoder->weight)
        rls2__plan_say(plan,
                       "%" PRId64 " of %s %s no '%s', the target: left out; %" PRId64 " remain",
                       gaps->no_response, rls2__count_of(gaps->rows, "row").text,
                       gaps->no_response == 1 ? "has" : "have",
                       rls2__show(encoder->targets[0]).text, gaps->rows - gaps->no_response);
    else
        rls2__plan_say(plan, "%" PRId64 " of %s %s no %s: left out; %" PRId64 " remain",
                       gaps->no_response, rls2__count_of(gaps->rows, "row").text,
                       gaps->no_response == 1 ? "has" : "have",
                       encoder->weight ? "target or row weight" : "value of some target",
                       gaps->rows - gaps->no_response);
}

static void say_no_input(rls2_plan *plan, const rls2__gaps *gaps)
{
    int64_t useful = gaps->rows - gaps->no_response, remain = useful - gaps->no_input;
    const char *have = gaps->no_input == 1 ? "has" : "have";
    if (gaps->no_input == 0) return;
    if (plan->recipe.data.missing == RLS2_MISSING_IMPUTE) {
        rls2__plan_say(plan,
                       "%" PRId64 " of %s %s an empty cell (%s): filled with the median or the "
                       "most frequent value; %s drop leaves %s out",
                       gaps->no_input, rls2__count_of(useful, "row").text, have,
                       list_columns(gaps).text, NAME("missing"),
                       gaps->no_input == 1 ? "it" : "them");
        return;
    }
    rls2__plan_say(
        plan,
        "%" PRId64 " of %s %s an empty cell (%s): left out; %" PRId64 " remain; %s impute keeps %s",
        gaps->no_input, rls2__count_of(useful, "row").text, have, list_columns(gaps).text, remain,
        NAME("missing"), gaps->no_input == 1 ? "it" : "them");
    if (2 * remain < useful)
        rls2__plan_say(plan,
                       "warning: more than half of the rows are lost for empty cells: what is "
                       "learned holds for rows like the other %" PRId64,
                       remain);
}

static void say_weightless(rls2_plan *plan, const rls2__gaps *gaps)
{
    int64_t weightless = rls2_table_rows(plan->train.table) - gaps->rows;
    if (weightless > 0)
        rls2__plan_say(plan, "%s of weight 0 left out; %" PRId64 " remain",
                       rls2__count_of(weightless, "row").text, gaps->rows);
}

/* Names are those of the file, which lives as long as the plan. */
static rls2_status keep_gaps(rls2_plan *plan, const rls2__gaps *gaps, rls2_error *err)
{
    plan->empty = rls2__alloc(gaps->encoder->count, sizeof *plan->empty);
    if (!plan->empty) return rls2__plan_memory_out(plan, err);
    for (int64_t k = 0; k < gaps->encoder->count; k++) {
        int64_t column = rls2_table_find(plan->file, gaps->encoder->inputs[k].name);
        if (gaps->of_input[k] == 0 || column < 0) continue;
        plan->empty[plan->empty_count++] =
            (rls2__empty_input){.column = rls2_table_column_name(plan->file, column),
                                .rows = gaps->of_input[k],
                                .alone = gaps->alone[k]};
    }
    return RLS2_OK;
}

const char *rls2_plan_empty_input(const rls2_plan *plan, int64_t i, int64_t *rows, int64_t *alone)
{
    if (!plan || i < 0 || i >= plan->empty_count) return NULL;
    if (rows) *rows = plan->empty[i].rows;
    if (alone) *alone = plan->empty[i].alone;
    return plan->empty[i].column;
}

rls2_status rls2__plan_settle_missing(rls2_plan *plan, rls2_error *err)
{
    rls2__gaps gaps;
    if (plan->source) return rls2__source_settle_missing(plan, err);
    rls2_status status = rls2__gaps_find(plan->train.table, &plan->recipe.data, &gaps, err);
    if (status == RLS2_OK) {
        plan->recipe.data.missing = choose(plan, &gaps);
        say_weightless(plan, &gaps);
        say_no_response(plan, &gaps);
        say_no_input(plan, &gaps);
        status = keep_gaps(plan, &gaps, err);
    }
    rls2__gaps_release(&gaps);
    return status;
}

/* ---- the other rows ---- */

static int64_t count_weightless(const rls2_plan *plan, const rls2_table *table)
{
    const char *weights = plan->asked.row_weights;
    int64_t found = 0, column = weights ? rls2_table_find(table, weights) : -1;
    for (int64_t i = 0; column >= 0 && i < rls2_table_rows(table); i++)
        found += rls2_table_value(table, i, column) == 0.0;
    return found;
}

/* Rows of the table that are not in the data set although they weigh something. */
static int64_t count_lost(const rls2_plan *plan, const rls2_table *table, const rls2_dataset *data)
{
    return rls2_dataset_dropped(data) - count_weightless(plan, table);
}

static void say_lost(rls2_plan *plan, int64_t lost, int64_t rows, const char *kind)
{
    if (lost > 0)
        rls2__plan_say(plan, "%" PRId64 " of %" PRId64 " %s rows %s an empty cell: left out", lost,
                       rows, kind, lost == 1 ? "has" : "have");
}

void rls2__plan_note_lost_test(rls2_plan *plan)
{
    say_lost(plan, count_lost(plan, plan->test.table, plan->test.data),
             rls2_table_rows(plan->test.table), "test");
}

/* The rows that choose lambda are the training rows and, beside them, the validation rows. */
void rls2__plan_note_lost_validation(rls2_plan *plan)
{
    int64_t lost = count_lost(plan, plan->choosing_table, plan->choosing_data) -
                   count_lost(plan, plan->train.table, plan->train.data);
    say_lost(plan, lost, rls2_table_rows(plan->choosing_table) - rls2_table_rows(plan->train.table),
             "validation");
}

/* ---- rare categories ---- */

void rls2__plan_note_pooled(rls2_plan *plan)
{
    const rls2__encoder *encoder = plan->train.data->encoder;
    for (int64_t k = 0; k < encoder->count; k++) {
        const rls2__input *input = &encoder->inputs[k];
        if (input->pooled > 0)
            rls2__plan_say(plan,
                           "column '%s': %" PRId64 " of %" PRId64
                           " categories have few rows and are pooled as 'other'; %s 1 keeps them",
                           rls2__show(input->name).text, input->pooled,
                           rls2__lookup_count(input->values), NAME("rare"));
    }
}
