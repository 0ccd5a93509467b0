/* Rows that nobody wrote, in which everything occurs that axes must know of all rows: all values of
 * a column of few, least and most of one of many, each category, a missing cell. */
#include "stats/profile_ends.h"

#include <math.h>

#include "base/status.h"
#include "stats/profile_parts.h"
#include "table/preprocess.h"

/* What occurs in one input. */
typedef struct cells {
    int64_t count;   /* of values, or of categories; without the two below */
    double *numbers; /* NULL of text */
    int has_none;    /* of text: a category without an indicator */
    int has_missing;
} cells;

typedef struct work {
    const rls2__profile *profile;
    const rls2__encoder *encoder;
    int64_t most;
    cells *all; /* inputs */
    int64_t rows;
} work;

static void work_release(work *w)
{
    for (int64_t k = 0; w->all && k < w->encoder->count; k++) rls2__free(w->all[k].numbers);
    rls2__free(w->all);
}

/* Least and most; they may be equal. */
static rls2_status take_ends(const rls2__cell_facts *f, cells *c)
{
    c->numbers = rls2__alloc(2, sizeof(double));
    if (!c->numbers) return RLS2_ERR_MEMORY;
    c->numbers[0] = f->low;
    c->numbers[1] = f->high;
    c->count = f->numbers > 0 ? 2 : 0;
    return RLS2_OK;
}

static rls2_status take_numbers(const work *w, int64_t column, cells *c, rls2_error *err)
{
    rls2__profile_values values = {0};
    if (w->profile->columns[column].many) return take_ends(w->profile->facts[column], c);
    rls2_status status = rls2__profile_numbers(w->profile, column, &values, err);
    if (status == RLS2_OK && values.count > w->most)
        status = take_ends(w->profile->facts[column], c);
    else if (status == RLS2_OK) {
        c->numbers = values.numbers;
        c->count = values.count;
        values.numbers = NULL;
    }
    rls2__profile_values_free(&values);
    return status;
}

static rls2_status find_cells(work *w, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    w->all = rls2__alloc_zero(w->encoder->count, sizeof *w->all);
    if (!w->all) return RLS2_ERR_MEMORY;
    for (int64_t k = 0; k < w->encoder->count && status == RLS2_OK; k++) {
        const rls2__input *input = &w->encoder->inputs[k];
        cells *c = &w->all[k];
        c->has_missing = input->has_missing;
        if (input->values) {
            c->count = input->own;
            c->has_none = input->is_reduced;
        } else {
            status = take_numbers(w, rls2_table_find(w->profile->head, input->name), c, err);
        }
        int64_t rows = c->count + c->has_none + c->has_missing;
        if (rows > w->rows) w->rows = rows;
    }
    return status;
}

/* One input in row i, where its columns are zero; rows beyond its cells repeat the first. */
static void write_cell(const rls2__input *input, const cells *c, int64_t i, double *x, int64_t ldx)
{
    int64_t all = c->count + c->has_none + c->has_missing;
    if (all == 0 || input->width == 0) return;
    if (i >= all) i = 0;
    if (i < c->count && input->values)
        x[i * ldx] = 1.0;
    else if (i < c->count && input->parts)
        rls2__input_write_date(input, c->numbers[i], x, ldx);
    else if (i < c->count)
        x[0] = c->numbers[i];
    else if (i == all - 1 && c->has_missing)
        x[0] = (double)NAN;
}

static rls2_status write_rows(const work *w, rls2_dataset *made)
{
    made->rows = w->rows;
    made->columns = w->encoder->columns;
    made->x = rls2__alloc_zero(rls2__mul(made->rows, made->columns), sizeof *made->x);
    if (!made->x || rls2__preparation_reserve(&made->preparation, made->columns) != RLS2_OK)
        return RLS2_ERR_MEMORY;
    for (int64_t k = 0; k < w->encoder->count; k++) {
        made->imputed += w->all[k].has_missing;
        for (int64_t i = 0; i < made->rows; i++)
            write_cell(&w->encoder->inputs[k], &w->all[k], i,
                       made->x + w->encoder->inputs[k].first * made->rows + i, made->rows);
    }
    return RLS2_OK;
}

rls2_status rls2__profile_ends(const rls2__profile *profile, const rls2_dataset *like, int64_t most,
                               rls2_dataset **ends, rls2_error *err)
{
    work w = {.profile = profile, .encoder = like->encoder, .most = most};
    rls2_dataset *made = rls2__alloc_zero(1, sizeof *made);
    if (made) made->encoder = rls2__encoder_share(like->encoder);
    rls2_status status = made ? find_cells(&w, err) : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) status = write_rows(&w, made);
    if (status == RLS2_OK) status = rls2__prepare_like(made, &like->preparation);
    work_release(&w);
    if (status == RLS2_OK) {
        *ends = made;
        return RLS2_OK;
    }
    rls2_dataset_free(made);
    return rls2__fail_memory(err, "the points of the columns");
}
