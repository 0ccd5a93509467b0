/* The intervals of rls2 predict. */
#ifndef RLS2_CLI_USE_PREDICT_INTERVAL_H
#define RLS2_CLI_USE_PREDICT_INTERVAL_H

#include "cli/use/predict_command.h"

/* EXIT_OK, or the exit code after a message, where they were asked for and are not there. */
int intervals_prepare(job *work);
/* Those of a piece whose f is there. */
rls2_status intervals_predict(const job *work, piece *at, rls2_error *err);
/* How many rows of a piece lie within, of those whose target is known. */
void intervals_count(job *work, const piece *at);
void intervals_say(const job *work);
void intervals_json(job *work);

#endif
