/* How the rows of a table become rows of numbers, apart from the rows themselves: made
 * once, from the training table, and applied to any number of tables.
 *
 *   create       encoder_create -> view_open -> encoder_learn -> encode
 *   create_like                    view_open ->                  encode
 *
 * encoder.c and classes.c make it, view.c and encode.c apply it. */
#ifndef RLS2_TABLE_ENCODER_H
#define RLS2_TABLE_ENCODER_H

#include <stdatomic.h>

#include "base/lookup.h"
#include "base/memory.h"
#include "rls2/table.h"
#include "table/input.h"

/* Owns all it refers to. It does not change once it has learned, and is shared by the
 * data sets made with it; the last of them frees it. */
typedef struct rls2__encoder {
    atomic_int owners;
    rls2__arena *arena;   /* of the texts and arrays below */
    rls2_missing missing; /* what became of empty cells of the training table */
    int reference;
    int64_t rare; /* fewest rows of a category of its own, -1: pooling.h says; while it learns */

    int64_t count;
    rls2__input *inputs; /* in the order of the training table */
    int64_t columns;     /* of x */
    const char **names;  /* columns */

    int64_t target_count;
    const char **targets;       /* columns of the responses, in the order asked for */
    int64_t copies;             /* responses of each target; more than 1 of one of numbers only, */
    const char **copy_names;    /* and what they are called; else NULL */
    rls2__style *target_styles; /* how they are written, where they are numbers */
    const char *weight;         /* column of the weights, or NULL */
    int has_classes;
    int labels_are_numbers; /* then classes are told apart by value: "1" is "1.0" */
    int64_t label_count;    /* 0 for regression */
    const char **labels;    /* of the classes, in sorted order */
    double *label_values;   /* where they are numbers: ascending */
    rls2__lookup *classes;  /* the number of each label, where they are texts; else NULL */
} rls2__encoder;

/* What a view looks at, where that is not the encoder's alone to say. */
typedef struct rls2__view_rules {
    rls2_missing missing; /* rows with an empty input are left out, or imputed; those without
                             target or weight are left out. ERROR: either is an error, and so is a
                             category that the training rows do not have */
    int skip_target;      /* the columns of the responses and of the weights are not looked at */
    int may_be_empty;     /* it may happen that no row is left */
    const unsigned char
        *needed; /* inputs: 0 for those that are not looked at and become zero; NULL: all are */
} rls2__view_rules;

/* A table as an encoder sees it: which columns are used, and which rows. Borrows both. */
typedef struct rls2__view {
    const rls2_table *table;
    const rls2__encoder *encoder;
    rls2__view_rules rules;
    int64_t *input_of;  /* columns of the table: the input it is, or one of the three below */
    int64_t *column_of; /* inputs: the column of the table it is, -1 if it is zero in all rows */
    int64_t *targets;   /* targets: the column of the table it is */
    int has_targets;    /* 0 if one is absent or they are skipped, and then none is looked at */
    int64_t weight;     /* column of the table, -1 if it has none or it is skipped */
    int64_t rows;       /* those that are used: see view.c */
    int64_t *source;    /* rows: their row in the table */
} rls2__view;
enum { RLS2__UNUSED = -1, RLS2__TARGET = -2, RLS2__WEIGHT = -3 };

/* Chooses the columns; their values and labels are still to be learned. Options have been
 * checked. Release with rls2__encoder_release. */
rls2_status rls2__encoder_create(const rls2_table *table, const rls2_dataset_options *options,
                                 rls2__encoder **encoder, rls2_error *err);
/* Learns from the rows of a view opened with this encoder. */
rls2_status rls2__encoder_learn(rls2__encoder *encoder, const rls2__view *view, rls2_error *err);
/* Responses that one target has, and what they are called; names is not looked at where there is
 * but one. 0 when out of memory. */
int rls2__encoder_name_copies(rls2__encoder *encoder, int64_t copies, const char *const *names);
/* One owner more, from any thread. */
rls2__encoder *rls2__encoder_share(rls2__encoder *encoder);
/* One owner less; NULL is accepted. */
void rls2__encoder_release(rls2__encoder *encoder);

/* "TABLE: OPTION: no column 'NAME' (did you mean 'OTHER'?)"; option may be NULL. */
rls2_status rls2__fail_no_column(const rls2_table *table, const char *option, const char *name,
                                 rls2_error *err);

#endif
