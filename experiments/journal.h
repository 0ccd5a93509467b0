/* Results of finished units in a file, so that nothing finished is computed twice.
 *
 * Text, one line a unit: a key without blanks, then numbers with 17 digits, then the number of them
 * once more as a sign that the line is whole. The first line is a heading that names the
 * experiment, its settings and the version of the library. A journal with another heading is kept
 * beside it (ending .old, .old2, ...), and taken up again when its settings are. Lines are appended
 * one write() each; one that is cut off or damaged is passed over, and its unit computed again. */
#ifndef RLS2_EXPERIMENTS_JOURNAL_H
#define RLS2_EXPERIMENTS_JOURNAL_H

#include "experiments/experiment.h"

typedef struct journal journal;

/* Opens or begins the journal in FOLDER/NAME/journal.txt, making the folders. `settings` are all
 * that decide what the numbers of a key are; name and version come of themselves. */
rls2_status journal_open(const char *folder, const char *name, const char *settings,
                         journal **opened, rls2_error *err);
/* The same in the folder of the reproduction, with a note where another journal was put aside. */
rls2_status journal_open_for(const reproduction *r, const char *name, const char *settings,
                             journal **opened, rls2_error *err);
/* The path of the journal of other settings that was put aside when this one was opened; NULL if
 * none was. */
const char *journal_kept(const journal *j);
/* The numbers of that unit, `count` of them, owned by the journal; NULL if it is not there, or has
 * another count. May be called from several threads. */
const double *journal_find(const journal *j, const char *key, int64_t count);
/* Keeps them: in the file before it returns. May be called from several threads. */
rls2_status journal_add(journal *j, const char *key, int64_t count, const double *values,
                        rls2_error *err);
/* Units it had when it was opened. */
int64_t journal_size(const journal *j);
void journal_close(journal *j);

#endif
