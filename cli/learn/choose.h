/* Choosing lambda by cross-validation, for cv and train. */
#ifndef RLS2_CLI_LEARN_CHOOSE_H
#define RLS2_CLI_LEARN_CHOOSE_H

#include "cli/learn/fit.h"

/* EXIT_OK, or the exit code after a message. */
int check_choosing(const settings *s);
/* The rows that lambda is chosen on: the training rows, and below them the validation rows where
 * there are some. */
const part *chosen_on(const problem *p);
/* Runs it on them; *cv is freed by the caller. */
int cross_validate(const settings *s, const problem *p, rls2_cv **cv);
/* Says so where the best of `count` values of lambda is the first or the last. */
void note_end(const settings *s, int64_t index, int64_t count);
/* The two lines glmnet prints. */
void print_choices(FILE *file, const rls2_cv *cv);
/* The baselines that were computed; nothing where none was. */
void print_baselines(FILE *file, const rls2_cv *cv);
/* The same as an object "baselines"; null for one that is not defined. */
void json_baselines(json *j, const rls2_cv *cv);

#endif
