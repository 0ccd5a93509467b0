/* The parsed dictionary, as the rest of the library sees it. */
#ifndef RLS2_DICTIONARY_DICTIONARY_H
#define RLS2_DICTIONARY_DICTIONARY_H

#include <stdatomic.h>

#include "kernel/kernel.h"
#include "rls2/dictionary.h"

/* Columns that kernels which learn have widths for. */
typedef struct rls2__width_set {
    int64_t count;
    const int64_t *columns; /* ascending */
    const double *widths;   /* one for each; NULL until they were learned */
} rls2__width_set;

/* Does not change once made, and is shared by the models made from it; the last owner frees it. */
struct rls2_dictionary {
    atomic_int owners;
    int64_t m;             /* number of kernels */
    int64_t columns;       /* number of data columns p */
    rls2__kernel *kernels; /* m of them; names and column lists live in the arena */
    char **column_names;   /* p of them */
    const char *spec;      /* the text it was made from, and what else the text could refer to */
    int64_t group_count;
    rls2_group *groups;
    int64_t given_count;
    const char **given_names;
    int64_t set_count; /* of different columns */
    rls2__width_set *sets;
    struct rls2__arena *arena; /* NULL where `origin` owns what it would */
    rls2_dictionary *origin;   /* of one with widths: that without, shared; else NULL */
    double *widths;            /* and those of all sets, one after another */
};

/* One owner more, from any thread; rls2_dictionary_free makes one less. */
rls2_dictionary *rls2__dictionary_share(const rls2_dictionary *dictionary);

#endif
