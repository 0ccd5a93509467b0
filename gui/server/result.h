/* What a run found, as JSON: the numbers along the path, and who was selected where. */
#ifndef RLS2_GUI_RESULT_H
#define RLS2_GUI_RESULT_H

#include "gui/server/problem.h"

enum { MOST_TIMED = 10000 };

typedef struct outcome {
    rls2_cv *cv; /* NULL where lambda is not chosen on rows left out */
    rls2_fit *fit;
    double finished[MOST_TIMED]; /* when point i of the path was */
    int64_t timed;
    double path_started;
} outcome;

void outcome_free(outcome *o);
/* Notes when points of the path are finished. */
void outcome_tick(outcome *o, const rls2_progress *at, double time);

/* Result, what /profile answers, and the summary of RunAbout. */
int result_make(const problem *p, const outcome *o, json_t **result, json_t **profile, json_t **summary,
                fault *f);
/* profile.c: what /profile answers; lambdas and df are those of the points. */
json_t *result_profile(const outcome *o, const json_t *points);
/* Every measure that goes with the task. */
json_t *result_measures(int classification, int64_t outputs, int64_t n, const double *f, const double *y,
                        const double *w);

#endif
