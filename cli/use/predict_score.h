/* The score of rls2 predict, counted along the way. */
#ifndef RLS2_CLI_USE_PREDICT_SCORE_H
#define RLS2_CLI_USE_PREDICT_SCORE_H

#include "cli/use/predict_command.h"

/* EXIT_OK, or the exit code after a message; score_free in either case. */
int score_prepare(job *work);
void score_free(job *work);
/* The rows of a piece whose targets are known. EXIT_OK, or the exit code after a message. */
int score_count(job *work, const piece *at);
/* What was counted, on stderr and as "score" in the JSON; nothing where no target was known. */
void score_say(const job *work);
void score_json(job *work);

#endif
