/* The score of rls2 predict, counted along the way. */
#ifndef RLS2_CLI_USE_PREDICT_SCORE_H
#define RLS2_CLI_USE_PREDICT_SCORE_H

#include "cli/use/predict_command.h"

/* Row i of the piece, if its target is known; columns[targets] are those of the table, -1 for one
 * that is not there. */
void score_count(job *work, const piece *at, int64_t i, const int64_t *columns);
/* What was counted, on stderr and as "score" in the JSON; nothing where no target was known. */
void score_say(const job *work);
void score_json(job *work);

#endif
