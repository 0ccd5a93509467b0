/* How a long call is watched: threads, progress, stopping. */
#ifndef RLS2_CONTROL_H
#define RLS2_CONTROL_H

#include <stddef.h>

#include "rls2/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rls2_fit;

/* Fill it by rls2_control_init(&control, sizeof control), then set what is wanted. Every long call
 * takes one, or NULL: one thread per core, no progress. */
typedef struct rls2_control {
    size_t size;
    int threads;               /* 0 (default): one per core. Results are the same for any number */
    rls2_progress_fn progress; /* NULL (default): none */
    /* Called by rls2_plan_fit when a stage has ended, with what there is so far; a non-zero return
     * stops. NULL (default): none. so_far may be freed when the call ends: see rls2_plan_fit. */
    int (*stage_done)(void *user, const char *stage, struct rls2_fit *so_far);
    void *user; /* handed to both */
} rls2_control;

RLS2_API void rls2_control_init(rls2_control *control, size_t size);

#ifdef __cplusplus
}
#endif
#endif
