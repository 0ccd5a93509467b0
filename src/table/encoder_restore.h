/* What a file says of an encoder, and the encoder made of it. */
#ifndef RLS2_TABLE_ENCODER_RESTORE_H
#define RLS2_TABLE_ENCODER_RESTORE_H

#include "table/encoder.h"

typedef struct rls2__input_parts {
    const char *name;
    const char **values; /* of a text column, `count` of them; NULL for numbers */
    int64_t count;
} rls2__input_parts;

/* Everything is borrowed. */
typedef struct rls2__encoder_parts {
    int drop_missing;
    int reference;
    int64_t count;
    const rls2__input_parts *inputs;
    const char *target;
    int has_classes;
    int labels_are_numbers;
    const char *label[2];
} rls2__encoder_parts;

/* Checked against the names of the data columns. Release with rls2__encoder_release. */
rls2_status rls2__encoder_restore(const rls2__encoder_parts *parts, int64_t columns, char *const *names,
                                  rls2__encoder **encoder, rls2_error *err);

#endif
