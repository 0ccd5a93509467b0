/* Results of finished units in a file, so that nothing finished is computed twice.
 *
 * Text, one line a unit: a key without blanks, then numbers with 17 digits, then the number of them once more as a
 * sign that the line is whole. The first line is a heading that names the experiment, its settings and the version of the
 * library: a journal with another heading is begun anew (the old one is kept beside it with the ending .old). Lines
 * are appended one write() each; one that is cut off or damaged is passed over, and its unit computed again. */
#ifndef RLS2_EXPERIMENTS_JOURNAL_H
#define RLS2_EXPERIMENTS_JOURNAL_H

#include "rls2/status.h"

typedef struct journal journal;

/* Opens or begins the journal in FOLDER/NAME/journal.txt, making the folders. */
rls2_status journal_open(const char *folder, const char *name, const char *heading, journal **opened,
                         rls2_error *err);
/* The numbers of that unit, `count` of them, owned by the journal; NULL if it is not there, or has another count. May be
 * called from several threads. */
const double *journal_find(const journal *j, const char *key, int64_t count);
/* Keeps them: in the file before it returns. May be called from several threads. */
rls2_status journal_add(journal *j, const char *key, int64_t count, const double *values, rls2_error *err);
/* Units it had when it was opened. */
int64_t journal_size(const journal *j);
void journal_close(journal *j);

#endif
