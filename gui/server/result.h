/* What a run found, as JSON: the numbers along the path, and which kernels are selected where. */
#ifndef RLS2_GUI_RESULT_H
#define RLS2_GUI_RESULT_H

#include "gui/server/run_plan.h"

/* What became of the rows left out. */
typedef enum splits_state { SPLITS_WAIT, SPLITS_DONE, SPLITS_STOPPED, SPLITS_FAILED } splits_state;

typedef struct outcome {
    rls2_fit *fit;
    splits_state splits;
    json_t *points; /* of the result; NULL until the path is there */
} outcome;

void outcome_free(outcome *o);

/* Who is told how far it is, and what is known of points that were told of one by one. */
typedef struct watcher {
    const rls2_control *control;
    const live_point *live;
    int64_t live_count;
} watcher;

/* result_points.c: the points and their criteria, from the paths. */
int result_points(outcome *o, const watcher *w, fault *f);
/* Result, what /profile answers, and the summary of RunAbout, from what is known so far. */
int result_make(const run_plan *p, const outcome *o, json_t **result, json_t **profile,
                json_t **summary, fault *f);

#endif
