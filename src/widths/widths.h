/* Learns the widths of a dictionary from training rows and their responses. */
#ifndef RLS2_WIDTHS_WIDTHS_H
#define RLS2_WIDTHS_WIDTHS_H

#include "dictionary/dictionary.h"
#include "widths/evidence.h"

/* Rows that are looked at, at most, and evaluations of the evidence for each set of columns. */
enum { RLS2__WIDTHS_ROWS = 400, RLS2__WIDTHS_EVALUATIONS = 30 };

/* What widths are learned from. */
typedef struct rls2__width_lesson {
    const rls2_rows *rows;
    int64_t outputs;
    const double *y;       /* n x outputs */
    const double *weights; /* n; NULL: each row is one */
} rls2__width_lesson;

/* A dictionary with widths; where none is to be learned a share of the same. On one thread. */
rls2_status rls2__widths_learn(const rls2_dictionary *dictionary, const rls2__width_lesson *lesson,
                               const rls2_control *control, rls2_dictionary **learned,
                               rls2_error *err);
/* The evidence of the rows that are looked at, as it is before the first evaluation, and the
 * variance of each column over them: 0 where all are equal. Release even where it fails.
 * RLS2_ERR_MEMORY only. */
rls2_status rls2__widths_prepare(const rls2__width_set *set, const rls2__width_lesson *lesson,
                                 rls2__evidence *evidence, double *variances);

#endif
