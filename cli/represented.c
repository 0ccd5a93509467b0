/* What is said of compact models: whether their points are all there is. */
#include "cli/represented.h"

#include <inttypes.h>

#include "cli/output.h"

/* Blocks of points together. */
typedef struct grids {
    int64_t points;
    int64_t count;
    int64_t binned; /* blocks that have fewer points than there are values */
} grids;

static grids grids_of(const rls2_model *model)
{
    grids sum = {.count = rls2_model_block_count(model)};
    for (int64_t b = 0; b < sum.count; b++) {
        sum.points += rls2_model_block_at(model, b)->count;
        sum.binned += !rls2_model_block_at(model, b)->exact;
    }
    return sum;
}

static int is_exact(const rls2_model *model)
{
    return rls2_model_represented(model)->bound == 0.0;
}

const char *of_counted(const rls2_model *model)
{
    return !rls2_model_is_compact(model) || is_exact(model) ? "" : " of the counted problem";
}

const char *training_or_counted(const rls2_model *model)
{
    return *of_counted(model) ? "counted" : "training";
}

void show_represented(FILE *file, const rls2_model *model)
{
    if (!rls2_model_is_compact(model)) return;
    grids sum = grids_of(model);
    double bound = rls2_model_represented(model)->bound;
    fprintf(file, "represented   on %s in %s", count_of(sum.points, "point").text,
            count_of(sum.count, "block").text);
    if (is_exact(model))
        fputs(", exactly: every value is a point", file);
    else if (sum.binned > 0)
        fprintf(file, ", %" PRId64 " of which stand%s for more values than they have points",
                sum.binned, sum.binned == 1 ? "s" : "");
    if (bound > 0.0)
        fprintf(file, "; that changes the objective by a share of %.1e at most", bound);
    fputc('\n', file);
}

void json_represented(json *j, const rls2_model *model)
{
    if (!rls2_model_is_compact(model)) return;
    grids sum = grids_of(model);
    json_object(j, "represented");
    json_integer(j, "points", sum.points);
    json_integer(j, "blocks", sum.count);
    json_integer(j, "binned", sum.binned);
    json_number(j, "bound", rls2_model_represented(model)->bound);
    json_end_object(j);
}
