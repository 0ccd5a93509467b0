/* Seconds on the clock that each stage of learning took. */
#ifndef RLS2_CLI_LEARN_STAGE_CLOCK_H
#define RLS2_CLI_LEARN_STAGE_CLOCK_H

#include "cli/json.h"

enum { MOST_STAGES = 8 };

typedef struct stage_clock {
    double last; /* when the stage before ended */
    int count;
    struct {
        char name[16];
        double seconds;
    } of[MOST_STAGES];
} stage_clock;

void stage_clock_start(stage_clock *c);
/* All that went by since the last call belongs to `stage`; those of one name are added up. */
void stage_clock_end(stage_clock *c, const char *stage);
/* "stages": {"rows": 0.5, ...} */
void stage_clock_json(const stage_clock *c, json *j);

#endif
