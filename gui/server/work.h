/* The queue of runs, and who does them: kernels, the path, its statistics, a model for every
 * lambda, cross-validation. It is done on one thread of the server, one run after another; the
 * library uses as many as it is allowed to inside. */
#ifndef RLS2_GUI_WORK_H
#define RLS2_GUI_WORK_H

#include "gui/server/state.h"

/* Puts a run that was checked into the queue; takes the JSON over. `id` is that of the new run. */
int work_add(state *s, json_t *asked, char id[ID_LENGTH + 1], fault *f);
/* What the worker thread does until the server closes: `user` is the state. */
void *work_forever(void *user);

#endif
