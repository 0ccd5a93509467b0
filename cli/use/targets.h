/* What a model predicts: one number, one of two classes, or several outputs of which each has a
 * name. */
#ifndef RLS2_CLI_USE_TARGETS_H
#define RLS2_CLI_USE_TARGETS_H

#include <stdio.h>

#include "cli/json.h"
#include "cli/output.h"

/* The columns that are predicted, and the name of each; NULL of a model that was made without a
 * table. */
int64_t target_count(const rls2_model *model);
const char *target_name(const rls2_model *model, int64_t t);

/* "target": NAME, or "targets": [NAME, ...] */
void json_targets(json *j, const rls2_model *model);

/* "class", "target", or "" where the outputs have no names. */
const char *output_word(const rls2_model *model);
/* In quotes, as names may hold commas; "output 2" where the model was made without a table. */
void print_output_name(FILE *file, const rls2_model *model, int64_t o);

/* The output that --of NAME asks for; *found is -1 without it. EXIT_OK, or EXIT_USAGE with a
 * message that tells the names. */
int find_output(const settings *s, const rls2_model *model, int64_t *found);

/* y - f = lambda c / w at the solution of the square loss, for row i of an output; of another the
 * slope -L'(y, f). */
double residual_of(const rls2_model *one, int64_t i);
/* The response of training row i of an output, on which the solution says f: a model does not keep
 * it, but slopes of most losses tell it. NaN where they do not: beyond a kink of huber, quantile,
 * epsilon and absolute they are all the same. */
double recovered_target(const rls2_model *one, int64_t i, double f);

#endif
