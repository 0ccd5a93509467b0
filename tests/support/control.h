/* Controls as tests need them; each lives as long as the block it is written in. */
#ifndef TESTS_SUPPORT_CONTROL_H
#define TESTS_SUPPORT_CONTROL_H

#include "rls2/control.h"

#define ON_THREADS(n) (&(rls2_control){.size = sizeof(rls2_control), .threads = (n)})
#define WATCHED_BY(function, who, n)                                                               \
    (&(rls2_control){                                                                              \
        .size = sizeof(rls2_control), .threads = (n), .progress = (function), .user = (who)})

#endif
