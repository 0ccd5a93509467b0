/* Compact models: one that should say what an ordinary model says, and one made up of blocks of
 * different points. */
#ifndef RLS2_TESTS_SUPPORT_COMPACT_MODEL_H
#define RLS2_TESTS_SUPPORT_COMPACT_MODEL_H

#include "model/compact.h"
#include "support/problem.h"

/* A block for each kernel of the dictionary, with all training rows as points, and everywhere the
 * same c: the same f. Each point stands for one row. The model says it was learned from `rows`.
 * Free with rls2_model_free. */
rls2_model *compact_copy(const rls2_model *model, int64_t rows);

/* Two columns; a grid for each of them, a linear kernel of both as unit vectors, and points for
 * kernels of both. */
enum {
    MADE_COLUMNS = 2,
    MADE_BLOCKS = 5, /* the last of a kernel that is not selected */
    MADE_KEPT = 4,
    MADE_POINTS = 14,
    MADE_OUTPUTS = 2,
    MADE_KERNELS = 9,
    MADE_ROWS = 1000000
};

typedef struct made_compact {
    plain_problem problem; /* its kernels; no rows of its own */
    rls2_dictionary *dictionary;
    double x[MADE_POINTS * MADE_COLUMNS];
    rls2_model_block blocks[MADE_BLOCKS];
    int64_t offsets[MADE_BLOCKS + 1];
    double c[MADE_OUTPUTS][32], mass[32];
    int64_t block_of[MADE_KERNELS];
    int64_t ks[MADE_OUTPUTS][MADE_KERNELS];
    double d[MADE_OUTPUTS][MADE_KERNELS], scales[MADE_OUTPUTS][MADE_KERNELS],
        shares[MADE_OUTPUTS][MADE_KERNELS];
    rls2__compact_output outputs[MADE_OUTPUTS];
    rls2__compact_parts parts;
} made_compact;

/* Parts of a model of so many outputs, to be changed and made a model of. */
made_compact *made_compact_create(int64_t outputs);
void made_compact_free(made_compact *made);
rls2_model *made_compact_model(const made_compact *made);
/* Gives three blocks knots: the first two of numbers, and the fourth of a number (column 0) with
 * one point of missing cells (column 1 is 1, else 0). */
void made_compact_add_knots(made_compact *made);
/* d_k s_k sum_g c_g K_k(x_g, x) of the t-th kernel of output o, by definition. */
double made_compact_part(const made_compact *made, int64_t o, int64_t t, const double x[2]);
/* The same where the block has knots: by these, and a search through all of them. */
double made_compact_linear_part(const made_compact *made, int64_t o, int64_t t, const double x[2]);

#endif
