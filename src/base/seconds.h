/* Seconds that only ever grow. */
#ifndef RLS2_BASE_SECONDS_H
#define RLS2_BASE_SECONDS_H

double rls2__seconds(void);

#endif
