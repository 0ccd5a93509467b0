/* The lines and the JSON of rls2 predict. */
#ifndef RLS2_CLI_USE_PREDICT_WRITE_H
#define RLS2_CLI_USE_PREDICT_WRITE_H

#include "cli/use/predict_command.h"

/* What stands before the first row and behind the last. EXIT_OK, or the exit code after a message.
 */
int write_start(job *work);
void write_end(job *work);
/* Row i of those predicted; row `row` of the table, which cannot be, keeps its place. */
void write_row(job *work, const piece *at, int64_t i);
void write_empty_row(job *work, const piece *at, int64_t row);

#endif
