/* Opening the folder, and closing it. */
#ifndef RLS2_GUI_STORE_OPEN_H
#define RLS2_GUI_STORE_OPEN_H

#include "gui/server/store.h"

/* Opens the folder, which is made where it is not there: it must be our user's, and empty or one
 * that a server has used before. Deletes what a server that was killed left half made among the
 * uploads. */
int store_open(store *s, const char *path, int64_t quota, fault *f);
void store_close(store *s);

#endif
