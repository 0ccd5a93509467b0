/* How many threads BLAS uses, and the memory it works in. */
#ifndef RLS2_LA_THREADS_H
#define RLS2_LA_THREADS_H

#include "la/la.h"

/* Between these two, BLAS works on one thread in this process; the host's setting
 * is put back when the last user leaves. Nested and concurrent use is fine. There is
 * working memory for one call at a time, or RLS2_ERR_MEMORY and nothing was entered:
 * without it BLAS would wait for memory for ever. */
rls2_status rls2__la_enter(rls2_error *err);
void rls2__la_leave(void);
/* The same where several threads will call at a time; *threads is lowered to as many as
 * there is memory for, and in nested use to as many as have entered. */
rls2_status rls2__la_enter_team(int *threads, rls2_error *err);
/* The same for dot, norm and axpy alone, which need no memory. */
void rls2__la_enter_light(void);
/* How many of these threads could enter at the same time, each by itself. */
int rls2__la_room(int threads);
/* Calls `change`, for which no user may be in BLAS, if there is none in this library. */
void rls2__la_while_idle(void (*change)(void));

#endif
