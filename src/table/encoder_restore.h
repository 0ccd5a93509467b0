/* What a file says of an encoder, and the encoder made of it. */
#ifndef RLS2_TABLE_ENCODER_RESTORE_H
#define RLS2_TABLE_ENCODER_RESTORE_H

#include "table/encoder.h"

typedef struct rls2__input_parts {
    const char *name;
    const char **values; /* of a text column, `count` of them; NULL for numbers and dates */
    int64_t count;
    const char **pooled; /* further ones, `pooled_count` of them, that share a column */
    int64_t pooled_count;
    rls2__style style; /* of numbers and dates */
    unsigned parts;    /* of dates */
    int has_missing;
} rls2__input_parts;

/* Everything is borrowed. */
typedef struct rls2__encoder_parts {
    rls2_missing missing;
    int reference;
    int64_t count;
    const rls2__input_parts *inputs;
    const char *const *targets;       /* `target_count` of them, at least one */
    const rls2__style *target_styles; /* NULL: all plain */
    int64_t target_count;
    int64_t copies; /* responses of each target, at least 1; more of one of numbers only, */
    const char *const *copy_names; /* and what they are called */
    const char *weight;            /* or NULL */
    int has_classes;
    int labels_are_numbers;
    const char *const *labels; /* `label_count` of them, in sorted order */
    int64_t label_count;
} rls2__encoder_parts;

/* Checked against the names of the data columns. Release with rls2__encoder_release. */
rls2_status rls2__encoder_restore(const rls2__encoder_parts *parts, int64_t columns,
                                  char *const *names, rls2__encoder **encoder, rls2_error *err);

#endif
