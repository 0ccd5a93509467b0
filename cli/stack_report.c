/* "stack  0.31 x the sparse part + 0.62 x rbf(0.1)@all + 0.08 x average of all kernels"; a sparse
 * part without weight is told last. */
#include "cli/stack_report.h"

#include <inttypes.h>
#include <math.h>

#include "cli/console.h"
#include "cli/output.h"

static void print_members(FILE *file, const rls2_model *one)
{
    int sparse = rls2_model_member_weight(one, -1) > 0.0;
    const char *before = "";
    for (int64_t m = -1; m < rls2_model_member_count(one); m++) {
        double weight = rls2_model_member_weight(one, m);
        if (!(weight > 0.0)) continue;
        print_names(file, "%s%.3g x %s", before, weight,
                    m < 0 ? "the sparse part" : rls2_model_member_name(one, m));
        before = " + ";
    }
    fputs(sparse ? "\n" : "; the sparse part adds nothing to it\n", file);
}

void print_stack(FILE *file, const rls2_model *model)
{
    int64_t outputs = rls2_model_outputs(model);
    if (rls2_model_member_count(model) == 0) return;
    for (int64_t o = 0; o < outputs; o++) {
        const char *name = rls2_model_output_name(model, o);
        fprintf(file, "%-14s", o == 0 ? "stack" : "");
        if (outputs > 1) print_names(file, "%s: ", name ? name : "");
        print_members(file, rls2_model_output(model, o));
    }
}

alone_words sparse_part_alone(const rls2_model *model)
{
    alone_words made = {""};
    double score = rls2_model_sparse_score(model);
    if (rls2_model_member_count(model) > 0 && !isnan(score))
        snprintf(made.text, sizeof made.text, "; the sparse part alone %.4g", score);
    return made;
}

static void json_weights(json *j, const rls2_model *model, int64_t m)
{
    json_array(j, "weights");
    for (int64_t o = 0; o < rls2_model_outputs(model); o++)
        json_number(j, NULL, rls2_model_member_weight(rls2_model_output(model, o), m));
    json_end_array(j);
}

void json_stack(json *j, const rls2_model *model)
{
    if (rls2_model_member_count(model) == 0) return;
    json_object(j, "stack");
    json_object(j, "sparse_part");
    json_weights(j, model, -1);
    json_number(j, "score", rls2_model_sparse_score(model));
    json_end_object(j);
    json_array(j, "members");
    for (int64_t m = 0; m < rls2_model_member_count(model); m++) {
        json_object(j, NULL);
        json_text(j, "member", rls2_model_member_name(model, m));
        json_number(j, "lambda", rls2_model_lambda(rls2_model_member(model, m)));
        json_weights(j, model, m);
        json_end_object(j);
    }
    json_end_array(j);
    json_end_object(j);
}
