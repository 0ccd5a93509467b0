/* What a run found, as JSON: the numbers along the path, and who was selected where. */
#ifndef RLS2_GUI_RESULT_H
#define RLS2_GUI_RESULT_H

#include "gui/server/problem.h"

/* What became of the rows left out. */
typedef enum splits_state { SPLITS_WAIT, SPLITS_DONE, SPLITS_STOPPED, SPLITS_FAILED } splits_state;

typedef struct outcome {
    rls2_cv *cv; /* NULL where lambda is not chosen on rows left out, or not yet */
    splits_state splits;
    rls2_fit *fit;
    json_t *points;          /* of the result */
    rls2_criteria *criteria; /* for each of them */
} outcome;

void outcome_free(outcome *o);

/* Who is told how far it is, and what is known of points that were told of one by one. */
typedef struct watcher {
    const live_point *live;
    int64_t live_count;
    rls2_progress_fn progress;
    void (*next)(void *user); /* all that `progress` counted is done, and it counts from 0 again */
    void *user;
} watcher;

/* result_points.c: the points and their criteria, from the paths. */
int result_points(const problem *p, outcome *o, const watcher *w, fault *f);
/* Result, what /profile answers, and the summary of RunAbout, from what is known so far. */
int result_make(const problem *p, const outcome *o, json_t **result, json_t **profile,
                json_t **summary, fault *f);

#endif
