/* What train, path, cv and kernels have in common: files go in, a plan is completed and carried
 * out, and what was found is said on stderr. */
#ifndef RLS2_CLI_LEARN_LEARNING_H
#define RLS2_CLI_LEARN_LEARNING_H

#include "cli/console.h"
#include "cli/learn/stage_clock.h"

typedef struct learning {
    int in_pieces;     /* DATA is not read as a whole, */
    rls2_source *rows; /* but from here */
    rls2_stats *stats; /* DATA, where it is a file of statistics */
    rls2_table *table; /* all files of DATA (NULL: it is not); tables of --test and --validation */
    rls2_table *test;
    rls2_table *validation;
    double **given; /* matrices of --given */
    int64_t given_count;
    int64_t said; /* notes of the plan that were printed */
    int keeps;    /* half a path is something: Ctrl-C ends it, and not the process. 0 (default) */
    stage_clock clock;
    rls2_fit *fit;
} learning;

/* Checks what was asked for, reads the files, completes the plan, and says what was found. EXIT_OK,
 * or the exit code after a message; free in either case. */
int learn_prepare(const settings *s, learning *l);
/* Carries the plan out. EXIT_OK; EXIT_INTERRUPTED, where l->fit has what was finished, perhaps
 * nothing (NULL); or another exit code after a message. From now on Ctrl-C ends the process at
 * once, wherever it is, unless there is something that l->keeps. */
int learn_fit(const settings *s, learning *l);
/* The first pass over DATA, in pieces, as learn_prepare does it where DATA is large. */
int learn_profile(const settings *s, learning *l);
/* The files of DATA, one after the other, with the settings for reading. */
rls2_status learn_open(const settings *s, rls2_source **rows, rls2_error *err);
/* Those that were not said yet. */
void learn_say_notes(const settings *s, learning *l);
/* Those asked for, 0: one per core. */
int learn_threads(const settings *s);
void learn_free(learning *l);

#endif
