/* The parsed dictionary, as the rest of the library sees it. */
#ifndef RLS2_KERNEL_DICTIONARY_H
#define RLS2_KERNEL_DICTIONARY_H

#include "kernel/kernel.h"
#include "rls2/dictionary.h"

struct rls2_dictionary {
    int64_t m;             /* number of kernels */
    int64_t columns;       /* number of data columns p */
    rls2__kernel *kernels; /* m of them; names and column lists live in the arena */
    char **column_names;   /* p of them, for messages */
    struct rls2__arena *arena;
};

#endif
