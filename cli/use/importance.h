/* How much the kernels and the inputs of a model count. */
#ifndef RLS2_CLI_USE_IMPORTANCE_H
#define RLS2_CLI_USE_IMPORTANCE_H

#include "cli/console.h"

typedef struct importance {
    const char *name; /* of the kernel or the input, borrowed from the model */
    int together;     /* 1: several inputs, and the name is not that of one: "all" */
    double weight;    /* d_k, summed; of several outputs the mean over them */
    double share;     /* of the variance of the fitted values, likewise */
    int64_t kernels;
    int64_t place; /* of a kernel: its number among the selected ones */
} importance;

/* The selected kernels by weight, and what they look at by share: what several inputs do together
 * is not divided among them. Both lists have rls2_model_kernel_count() places; *input_count of
 * `inputs` are in use. f (training rows x outputs) takes the fitted values, or is NULL. EXIT_OK, or
 * the exit code after a message. */
int importance_measure(const settings *s, const rls2_model *model, importance *kernels,
                       importance *inputs, int64_t *input_count, double *f);

#endif
