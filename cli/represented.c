/* What is said of compact models: whether their points are all there is. */
#include "cli/represented.h"

#include <inttypes.h>

#include "cli/output.h"

/* What the functions of a model are made of. */
typedef struct grids {
    int64_t points;   /* of all blocks, */
    int64_t count;    /* which are so many, */
    int64_t binned;   /* and those that have fewer points than there are values */
    int64_t knots;    /* points of blocks of one input: its values, or some of them, */
    int64_t inputs;   /* so many inputs, */
    int64_t exact;    /* and those of which every value is a knot */
    int64_t nystroem; /* points of kernels of several inputs */
} grids;

/* The input that all columns of a block belong to; -1: several. */
static int64_t input_of(const rls2_model *model, const rls2_model_block *block)
{
    int64_t input = rls2_model_input_of(model, block->columns[0]);
    for (int64_t t = 1; t < block->column_count && input >= 0; t++)
        if (rls2_model_input_of(model, block->columns[t]) != input) input = -1;
    return input;
}

/* Blocks of an input, a date has several, lie side by side. A linear kernel of several inputs is
 * one coefficient for each column: neither knots nor Nystroem points. */
static grids grids_of(const rls2_model *model)
{
    grids sum = {.count = rls2_model_block_count(model)};
    int64_t last = -1;
    int last_exact = 0;
    for (int64_t b = 0; b < sum.count; b++) {
        const rls2_model_block *block = rls2_model_block_at(model, b);
        int64_t input = input_of(model, block);
        sum.points += block->count;
        sum.binned += !block->exact;
        if (input < 0) {
            sum.nystroem += block->exact ? 0 : block->count;
            continue;
        }
        sum.knots += block->count;
        sum.exact -= input == last && last_exact;
        sum.inputs += input != last;
        last_exact = block->exact && (input != last || last_exact);
        sum.exact += last_exact;
        last = input;
    }
    return sum;
}

static int is_exact(const rls2_model *model)
{
    return rls2_model_represented(model)->bound == 0.0;
}

const char *of_counted(const rls2_model *model)
{
    return !rls2_model_is_compact(model) || is_exact(model) ? "" : " for the binned rows";
}

const char *training_or_counted(const rls2_model *model)
{
    return *of_counted(model) ? "binned" : "training";
}

/* What that changes of the least objective. A bound above 1 bounds nothing; an estimate below 0.01
 * has been ten times too small and more (MATH.md, L6). */
static void show_change(FILE *file, const rls2_represented *about)
{
    if (about->bound > 0.0 && about->bound < 1.0)
        fprintf(file, "; that changes the objective by a share of %.1e at most", about->bound);
    else if (about->bound > 0.0 && about->estimate < 0.01)
        fputs("; that changes the objective by some per cent at most, as it seems", file);
    else if (about->bound > 0.0 && about->estimate < 1.0)
        fprintf(file, "; that changes the objective by an estimated share of %.1e",
                about->estimate);
    else if (about->bound > 0.0)
        fputs("; the objective of the rows themselves may be much smaller", file);
}

void show_represented(FILE *file, int width, const rls2_model *model)
{
    if (!rls2_model_is_compact(model)) return;
    grids sum = grids_of(model);
    fprintf(file, "%-*s", width, "represented");
    if (sum.knots > 0)
        fprintf(file, "%s %s of %s", is_exact(model) ? "exactly: by" : "by",
                count_of(sum.knots, "knot").text, count_of(sum.inputs, "input").text);
    if (sum.knots > 0 && is_exact(model))
        fputs(", all the values there are", file);
    else if (sum.exact > 0 && sum.exact < sum.inputs)
        fprintf(file, " (all values of %" PRId64 " of them)", sum.exact);
    else if (sum.exact > 0)
        fputs(" (all their values)", file);
    if (sum.nystroem > 0)
        fprintf(file, "%s%s", sum.knots > 0 ? " and " : "by ",
                count_of(sum.nystroem, "Nystroem point").text);
    if (sum.knots + sum.nystroem == 0) fputs("exactly: by a coefficient for each column", file);
    show_change(file, rls2_model_represented(model));
    fputs(is_exact(model) ? "\n" : " (rls2 help tall)\n", file);
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
    json_number(j, "estimate", rls2_model_represented(model)->estimate);
    json_end_object(j);
}
