/* How much the kernels and the inputs of a model count. */
#ifndef RLS2_CLI_IMPORTANCE_H
#define RLS2_CLI_IMPORTANCE_H

#include "cli/console.h"

typedef struct importance {
    const char *name; /* of the kernel or the input, borrowed from the model */
    int together;     /* 1: several inputs, and the name is not that of one: "all" */
    double weight;    /* d_k, summed; of several outputs the mean over them */
    double share;     /* of the variance, likewise */
    int64_t kernels;  /* of the model */
    int64_t place;    /* of a kernel: its number among the selected ones */
    int64_t input;    /* of an input: its number; -1 of several, and of a given matrix */
    int64_t pair[2];  /* of exactly two together: their numbers; else -1 */
    int64_t selected; /* splits that selected it, where that is known */
} importance;

/* The selected kernels by weight; and what kernels look at, by size of the share: what several
 * inputs do together is not divided among them. */
typedef struct importances {
    importance *kernels;
    int64_t kernel_count;
    importance *inputs;
    int64_t input_count;
    int on_left_out; /* 1: shares are what is explained of left-out rows, and sum to what all of it
                         explains; 0: of the variance of the fit on training rows, and sum to 1 */
    int of_predictions; /* 1: of left-out rows, but of another loss than the square one: shares of
                           the variance of the predictions themselves, which sum to 1 */
    int unknown;        /* 1: a compact model that does not know its shares: they are 0 */
    double sum;         /* of all shares */
    double elsewhere;   /* of these, what kernels have that splits selected and the model did not */
    int64_t splits;     /* by which lambda was chosen; 0: it is not known what they selected */
} importances;

/* f (training rows x outputs) takes the fitted values, or is NULL, as for compact models. EXIT_OK,
 * or the exit code after a message; importances_free in either case. */
int importances_collect(const settings *s, const rls2_model *model, importances *all, double *f);
void importances_free(importances *all);
/* What kernel k of the dictionary looks at: the name of the one input, or else what stands behind
 * the '@' of its name; sets together, input and pair. */
const char *importance_looks_at(const rls2_model *model, int64_t k, importance *one);
/* The shares of items that are not shown, together. */
double rest_of_shares(const importance *items, int64_t shown, int64_t count);
/* As it is printed with one digit: never -0.0. */
double percent(double share);
/* "of the variance of left-out rows", "of the variance of the fit on training rows" */
const char *share_of_what(const importances *all);
/* The same, with what they explain in all where that is known. */
typedef struct share_words {
    char text[112];
} share_words;
share_words share_heading(const importances *all);

#endif
