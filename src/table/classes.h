/* The classes of a target. */
#ifndef RLS2_TABLE_CLASSES_H
#define RLS2_TABLE_CLASSES_H

#include "table/encoder.h"

/* What a class is called. */
typedef struct rls2__label {
    const char *text;
    double value; /* NaN where it is no number */
} rls2__label;

/* Responses: one for each class where there are more than two, else one for each target. */
int64_t rls2__encoder_outputs(const rls2__encoder *encoder);
/* What output o is called: the class, the level of a quantile, or the target. */
const char *rls2__encoder_output_name(const rls2__encoder *encoder, int64_t o);

/* The part of it that finds the labels of the classes, in classes.c. */
rls2_status rls2__encoder_learn_classes(rls2__encoder *encoder, const rls2__view *view,
                                        rls2_error *err);
/* Checks, sorts and copies the labels found in `rows` rows of a table, at least one. */
rls2_status rls2__encoder_take_labels(rls2__encoder *encoder, const rls2_table *table, int64_t rows,
                                      int64_t count, rls2__label *labels, rls2_error *err);
/* Copies labels that are in their final order. */
rls2_status rls2__encoder_set_labels(rls2__encoder *encoder, int64_t count,
                                     const rls2__label *labels, rls2_error *err);
/* The class that a row of the view belongs to, -1 if to none. O(log classes). */
int64_t rls2__class_of(const rls2__view *view, int64_t row);
/* What class weights (rls2_dataset_fit_weights) make of a row of each class, of rows that were
 * counted elsewhere: sums[k] is the weight of those of class k, some of them above 0. */
rls2_status rls2__weigh_classes(const rls2__encoder *encoder, const char *classes,
                                const double *sums, double *of_class, rls2_error *err);
/* Place of the value among `count` that ascend, -1 if it is none of them, as NaN never is. */
int64_t rls2__find_value(int64_t count, const double *values, double wanted);

#endif
