/* A model as it is kept. */
#ifndef RLS2_MODEL_MODEL_H
#define RLS2_MODEL_MODEL_H

#include "dictionary/dictionary.h"
#include "kernel/kernel.h"
#include "model/picks.h"
#include "rls2/model.h"
#include "rls2/stability.h"
#include "table/dataset.h"

/* How the training rows were made from a table. */
typedef struct rls2__origin {
    rls2__encoder *encoder; /* shared; NULL where the model was never attached */
    rls2__preparation preparation;
    uint64_t fingerprint;
    int64_t *input_of; /* p: the input a data column belongs to */
} rls2__origin;

/* An output that selects a kernel, and which of its kernels that is. */
typedef struct rls2__taker {
    int64_t output;
    int64_t place;
} rls2__taker;

/* What left-out rows said; splits is 0 where there were none. */
typedef struct rls2__left_out {
    char measure[24];
    rls2_left_out about; /* whose measure is that text */
} rls2__left_out;

/* Of a compact model: the points of an axis, of a pair of axes, or landmarks, and where their
 * coefficients are. */
typedef struct rls2__block_of_points {
    rls2_model_block about;
    int64_t offset; /* of its values among those of all blocks */
} rls2__block_of_points;

/* What makes a model compact: it keeps made rows, not those it was learned from, and each of its
 * kernels has the coefficients of one block of them. */
typedef struct rls2__compact {
    int64_t rows; /* learned from */
    int64_t count;
    rls2__block_of_points *blocks; /* count; their columns lie in `columns` */
    int64_t *columns;
    int64_t values;    /* points of all blocks together */
    int64_t *block_of; /* of each kernel of the dictionary, -1: of none that is kept */
    double *mass;      /* values: rows that each point stands for; NULL where that is not known */
} rls2__compact;

/* Made rows, and a coefficient for each. */
typedef struct rls2__expansion {
    rls2_rows rows; /* without given matrices */
    const double *c;
} rls2__expansion;

/* A model of several outputs is a head. It owns the training rows and the outputs, which borrow
 * these from it; its kernels are those that any output selects, and d their mean over the outputs.
 * It has no c and no scales, and s and the intercept are NaN. */
struct rls2_model {
    int64_t n;                   /* training rows; of a compact model the made ones */
    int64_t p;                   /* data columns */
    int64_t size;                /* selected kernels */
    rls2_dictionary *dictionary; /* shared */
    double *scales;              /* of all its kernels */
    rls2_model_scaling scaling;
    rls2_solver solver;
    rls2_path_point point;
    double intercept;
    rls2_loss loss;   /* what it was learned with; of a head that of its first output */
    int is_free;      /* the intercept was found with the rest, and not penalised */
    int has_shared_d; /* its outputs were learned with one set of kernel weights */

    int64_t *index; /* size: number in the dictionary, ascending */
    double *d;      /* size */
    double *s;      /* size */
    double *c;      /* n; of a compact model those of its blocks, one after another */

    rls2_represented represented; /* of a compact model, */
    double *trained_shares; /* size: and its rls2_model_shares; NULL where they are not known */

    struct rls2__stack *stack; /* not of an output: see its head; NULL: it stands alone */

    rls2_interval interval;  /* level 0: none. Of quantiles the head's, else of each output */
    rls2__left_out left_out; /* not of an output: see its head */
    int64_t share_count;     /* on left-out rows, of one output: */
    int64_t *share_kernels;  /* numbers in the dictionary, ascending, */
    double *shares;          /* and what they explain */
    rls2__picks picks[RLS2_TRIALS_COUNT]; /* of one output: what each kind of trials selected */
    rls2_stability stability;             /* not of an output: see its head; pairs 0: none */

    int64_t output_count;   /* 1, but for a head */
    rls2_model **outputs;   /* of a head, output_count of them; else NULL */
    const rls2_model *head; /* of an output; else NULL */
    int64_t number;         /* of an output */
    int64_t
        *first_taker; /* of a head, size + 1: where the outputs that select a kernel begin among */
    rls2__taker *takers; /* all of them */
    int64_t most_takers; /* of one kernel */

    /* ---- borrowed from the head by an output ---- */
    double *weights;    /* n: how many rows each stands for, positive; NULL where each is one */
    int64_t used_count; /* data columns that a selected kernel looks at, */
    int64_t *used;      /* ascending, */
    double *x;          /* and their values, n x used_count */
    double **given; /* one for each given matrix of the dictionary: own copies of those in use, else
                       NULL */
    rls2_rows rows; /* x and given as rows */
    rls2__compact *compact; /* NULL of other models */

    rls2__kernel *kernels; /* size, fitted; their columns are those of x, not of the data */
    double *factor; /* what variance.c factorises, once it was asked to be kept: the lower factor of
                       R(d) + lambda I, n x n, or of a smaller matrix; else NULL */

    rls2__origin origin;       /* of an output: see its head */
    struct rls2__arena *arena; /* of the columns of the kernels */
};

/* ---- making: start, then set index, d, c and scales; bind, reserve_x, then set x, given and
 * weights; finish ----
 *
 * Of several outputs: start_outputs, add_output for each and set its index, d, c and scales; unite;
 * then bind and the rest for the head; finish sees to the outputs. */

/* Takes a share of the dictionary, and what makes it compact (or NULL), which is the model's also
 * where this fails. NULL when out of memory. */
rls2_model *rls2__model_start(const rls2_dictionary *dictionary, int64_t n, int64_t size,
                              rls2__compact *compact);
/* A head, and its next output. NULL likewise. */
rls2_model *rls2__model_start_outputs(const rls2_dictionary *dictionary, int64_t n, int64_t outputs,
                                      rls2__compact *compact);
rls2_model *rls2__model_add_output(rls2_model *head, int64_t size);
/* Finds the kernels that any output selects. RLS2_ERR_MEMORY only. */
rls2_status rls2__model_unite(rls2_model *head);
/* Finds the columns in use. RLS2_ERR_MEMORY only. */
rls2_status rls2__model_bind(rls2_model *model);
/* Makes room for their values. Likewise. */
rls2_status rls2__model_reserve_x(rls2_model *model);
/* Makes room for weights of rows. Likewise. */
rls2_status rls2__model_reserve_weights(rls2_model *model);
/* Makes room for the shares of the kernels of a compact model. Likewise. */
rls2_status rls2__model_reserve_trained_shares(rls2_model *model);
/* Fits the kernels to x. */
void rls2__model_finish(rls2_model *model);
/* The points of the outputs, and what they have in common, become the head's. */
void rls2__model_sum_up(rls2_model *head);

void rls2__model_destroy(rls2_model *model);

/* Are its outputs quantiles of one target, in ascending order? */
int rls2__model_has_quantiles(const rls2_model *model);

/* ---- left-out rows ---- */

/* The measure's name is copied, and cut where it is longer than any. */
void rls2__model_keep_score(rls2_model *model, const rls2_left_out *about);
/* Of a model of one output; arrays to be filled. RLS2_ERR_MEMORY only. */
rls2_status rls2__model_reserve_shares(rls2_model *model, int64_t count);

/* ---- origin ---- */

/* It was attached to a sample of its rows: their fingerprint is not known. */
void rls2__model_forget_rows(rls2_model *model);

/* An origin with a share of the encoder and a copy of the preparation; to be released even where it
 * fails. RLS2_ERR_MEMORY only. */
rls2_status rls2__origin_create(rls2__encoder *encoder, const rls2__preparation *preparation,
                                uint64_t fingerprint, rls2__origin *origin);
void rls2__origin_release(rls2__origin *origin);
/* That of the model, or of the head it is an output of. */
const rls2__origin *rls2__model_origin(const rls2_model *model);

#endif
