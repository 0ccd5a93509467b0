/* Counts missing cells by rows and by inputs. */
#include "table/gaps.h"

#include "base/status.h"
#include "table/view.h"

void rls2__gaps_release(rls2__gaps *gaps)
{
    rls2__free(gaps->of_input);
    rls2__free(gaps->alone);
    rls2__encoder_release(gaps->encoder);
    *gaps = (rls2__gaps){0};
}

/* 1 if the row has an empty input. */
static int count_row(const rls2__view *view, int64_t row, rls2__gaps *gaps)
{
    int64_t found = 0, last = 0;
    for (int64_t k = 0; k < view->encoder->count; k++) {
        if (!rls2__view_is_missing(view, row, k)) continue;
        gaps->of_input[k]++;
        found++;
        last = k;
    }
    if (found == 1) gaps->alone[last]++;
    return found > 0;
}

static int64_t count_weightless(const rls2__view *view)
{
    int64_t found = 0;
    for (int64_t i = 0; view->weight >= 0 && i < view->table->rows; i++)
        found += rls2__table_number(view->table, i, view->weight) == 0.0;
    return found;
}

rls2_status rls2__gaps_find(const rls2_table *table, const rls2_dataset_options *options,
                            rls2__gaps *gaps, rls2_error *err)
{
    const rls2__view_rules rules = {.missing = RLS2_MISSING_IMPUTE, .may_be_empty = 1};
    rls2__view view = {0};
    *gaps = (rls2__gaps){0};
    rls2_status status = rls2__encoder_create(table, options, &gaps->encoder, err);
    if (status == RLS2_OK) status = rls2__view_open(table, gaps->encoder, rules, &view, err);
    if (status != RLS2_OK) goto cleanup;
    gaps->of_input = rls2__alloc_zero(gaps->encoder->count, sizeof *gaps->of_input);
    gaps->alone = rls2__alloc_zero(gaps->encoder->count, sizeof *gaps->alone);
    if (!gaps->of_input || !gaps->alone) {
        status = rls2__fail_memory(err, "the missing cells of a table");
        goto cleanup;
    }
    gaps->rows = table->rows - count_weightless(&view);
    gaps->no_response = gaps->rows - view.rows;
    for (int64_t i = 0; i < view.rows; i++) gaps->no_input += count_row(&view, i, gaps);

cleanup:
    rls2__view_close(&view);
    return status;
}
