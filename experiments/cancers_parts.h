/* Between cancers.c, which computes, and cancers_show.c, which shows. */
#ifndef RLS2_EXPERIMENTS_CANCERS_PARTS_H
#define RLS2_EXPERIMENTS_CANCERS_PARTS_H

#include "experiments/cancer_protocol.h"
#include "experiments/cancer_sets.h"

typedef enum cancer_kind { KHAN, GOLUB, CANCERS_14, MADE } cancer_kind;

enum { CANCERS_KEY = 96 };

typedef struct cancers_unit {
    cancer_kind kind;
    uint64_t seed;          /* of the folds, and of made data */
    char key[CANCERS_KEY];  /* in the journal; "" where there are no data */
    char id[32], title[64]; /* for files and facts, for people */
    int there;              /* whether there are data */
    cancer_result result;
} cancers_unit;

typedef struct cancers {
    const reproduction *r;
    const cancer_plan *plan; /* of made data */
    int64_t count;
    cancers_unit *units;
    int64_t current;        /* the unit being computed, for the progress callback */
    cancer14_origin origin; /* of 14 Cancers, where they are there */
    char missing[256];      /* of their files */
} cancers;

/* Where 14 Cancers is to be had, in a sentence or two. */
extern const char cancers_source[];

/* Tables and figures; the caller frees them. */
rls2_status cancers_show(const cancers *s, sheet **results, rls2_error *err);

#endif
