/* A recipe followed: from the rows of a table to operators and paths. */
#ifndef RLS2_SELECT_RECIPE_H
#define RLS2_SELECT_RECIPE_H

#include "rls2/control.h"
#include "rls2/select.h"
#include "solver/outputs.h"

/* How a fit is made of a table. Start from rls2__recipe_default(). Everything is borrowed. */
typedef struct rls2__recipe {
    rls2_dataset_options data;        /* columns, missing cells, classes */
    rls2_preprocessing preprocessing; /* learned from the training rows of each split */
    int centers_as_fitted; /* 1: means of columns count rows as the fit does, by class weights too;
                              default 0. Set where the intercept is resolved */
    const char *kernels;   /* dictionary text; default "paper" */
    const char *class_weights; /* as of rls2_dataset_fit_weights, on the training rows of each
                                  split; NULL: none */
    int64_t given_count; /* precomputed matrices for it: names, and matrices between the rows that
                            are split, column-major */
    const char *const *given_names;
    const double *const *given;
    int64_t group_count; /* groups for it: names, and columns as texts "a,b,gene_*" */
    const char *const *group_names;
    const char *const *group_columns;
    rls2_basis_options basis; /* labels are set from the data where a Fisher rule needs them;
                                 transductive is not looked at */
    rls2_path_options path;   /* degrees_of_freedom is looked at only for the whole data */
    const rls2_loss *losses;  /* outputs: several losses of one kind in place of path.loss, which is
                                 the first of them; NULL: that of all */
    int64_t lambda_count;     /* default 30 */
    const double *lambdas;    /* NULL (default): from the whole data, as rls2_lambda_default
                              with `ratio` */
    double ratio;             /* default 1e-6 */
} rls2__recipe;

rls2__recipe rls2__recipe_default(void);
/* What AUTO stands for, as it was found for another recipe: the intercept and its centring. */
void rls2__recipe_resolve_like(rls2__recipe *recipe, const rls2__recipe *resolved);

/* Parts of the recipe's given matrices; those that the dictionary does not use are NULL. */
typedef struct rls2__given {
    int64_t count;
    double **matrices;
} rls2__given;

/* Everything that a fit is made of, in the order in which it was made. */
typedef struct rls2__fit {
    rls2_dataset *data; /* preprocessed */
    rls2_dataset *test; /* rows made like them, NULL where there are none */
    int borrows_data;   /* both are somebody else's */
    rls2_rows test_rows;
    double *weights;   /* of its rows, to fit with; NULL where each is one */
    rls2__given given; /* between these rows; none where the basis was taken from another */
    rls2_rows rows;
    rls2_dictionary *dictionary; /* with the widths that these rows taught; else a share */
    rls2_basis *basis;           /* with the scalings of the first output */
    double *centers; /* columns: means taken off once more, see taken.h; NULL where none were */
    double *means;   /* outputs: of the responses, by the weights of the fit, where data are
                          virtual rows (split_triangles.h), less them already; else NULL */
    int64_t outputs;
    const rls2_basis **bases; /* of each output: that basis, or it rescaled */
    rls2_path **paths;        /* NULL until rls2__fit_paths */
} rls2__fit;

/* What the fits of all splits have in common. Columns, reference levels and labels are those of
 * `whole`, so that names, ranges and groups of the dictionary mean the same in every split. Which
 * categories exist each split learns from its rows: the others are unknown there, their indicators
 * zero in all rows, and kernels that look at nothing else are left out. */
typedef struct rls2__ingredients {
    rls2__recipe resolved;      /* the recipe, its intercept no longer AUTO. Where that was asked
                                   for and every kernel is linear, columns are centred: linear
                                   kernels cannot shift by themselves. ... */
    const rls2__recipe *recipe; /* ... which is meant wherever one is asked for */
    const rls2_dataset *whole;  /* all rows: columns, labels, responses and weights, no numbers */
    rls2_dictionary *dictionary;
    rls2__fit shared; /* all rows with a basis that is neither scaled nor weighted, from which those
                         of the splits are taken; its basis is NULL where kernels are evaluated for
                         each split */
    const rls2__fit
        *prepared;          /* all rows as they are fitted, which splits take theirs from, kernels
                                  included; NULL: each split prepares its own. Borrowed */
    const rls2_table *test; /* rows beside those that are learned from; NULL: none */
    int transductive_features; /* features are measured over them too, */
    int transductive;          /* and kernels are scaled by them too */
} rls2__ingredients;

/* Without test rows. Not to be moved afterwards. Release even where it fails. */
rls2_status rls2__ingredients_create(const rls2__recipe *recipe, const rls2_dataset *whole,
                                     rls2__ingredients *ingredients, rls2_error *err);
/* The same for another recipe, which differs in nothing that dictionary and intercept depend on.
 * Not to be moved; the dictionary is shared. */
void rls2__ingredients_copy(const rls2__ingredients *from, const rls2__recipe *recipe,
                            rls2__ingredients *copy);
void rls2__ingredients_release(rls2__ingredients *ingredients);
/* Makes the shared basis from the whole table where that is possible and pays. */
rls2_status rls2__ingredients_share(rls2__ingredients *ingredients, const rls2_table *table,
                                    const rls2_control *control, rls2_error *err);

/* Weights that rows are fitted with, by their classes too; *weights stays NULL where each
 * row counts once. To be freed even where it fails. */
rls2_status rls2__fit_weights(const rls2__recipe *recipe, const rls2_dataset *data,
                              double **weights, rls2_error *err);
/* Preprocesses a data set as a resolved recipe says; columns are measured over the rows of `also`
 * too where it is not NULL. */
rls2_status rls2__fit_preprocess(const rls2__recipe *recipe, rls2_dataset *data, rls2_dataset *also,
                                 rls2_error *err);

/* Data set and bases of all rows of the table, which have these numbers among those of the whole.
 * Categories, means, deviations, class weights and scalings are learned from these rows. Release
 * even where it fails. */
rls2_status rls2__fit_bases(const rls2__ingredients *from, const rls2_table *table,
                            const int64_t *numbers, const rls2_control *control, rls2__fit *fit,
                            rls2_error *err);
/* The same for rows of from->prepared, by their numbers. What those learned from the inputs alone
 * is kept; class weights and scalings are learned from these rows. coarse: what kernels in 32 bits
 * may be off (rls2__basis_take). */
rls2_status rls2__fit_bases_taken(const rls2__ingredients *from, int64_t count,
                                  const int64_t *numbers, double coarse,
                                  const rls2_control *control, rls2__fit *fit, rls2_error *err);
/* The same for virtual rows in their place, which rls2__take_virtual has put into fit->data. */
rls2_status rls2__fit_bases_virtual(const rls2__ingredients *from, const rls2_control *control,
                                    rls2__fit *fit, rls2_error *err);
/* The same for all rows of the whole, whose data set is there already, as are test rows (NULL:
 * none). Both are borrowed, as are the recipe's given matrices, until it is released. */
rls2_status rls2__fit_bases_of(const rls2__ingredients *from, rls2_dataset *data,
                               rls2_dataset *test, const rls2_rows *test_rows,
                               const rls2_control *control, rls2__fit *fit, rls2_error *err);
/* The recipe's lambdas[lambda_count], descending: its own, or those that suit the fit's bases,
 * which are not looked at otherwise. */
rls2_status rls2__fit_lambdas(const rls2__recipe *recipe, const rls2__fit *fit, double *lambdas,
                              rls2_error *err);
rls2_status rls2__fit_paths(const rls2__recipe *recipe, int64_t count, const double *lambdas,
                            const rls2_control *control, rls2__fit *fit, rls2_error *err);
/* Makes paths, or extends those there are: options, control, lambdas and `like` of the job, its
 * outputs, bases and responses being those of the fit. */
rls2_status rls2__fit_extend(const rls2__paths_job *further, rls2__fit *fit, rls2_error *err);
/* How its paths are fitted, and the intercept of one that was: virtual rows are less their means,
 * which nobody can tell from them. */
rls2_path_options rls2__fit_path_options(const rls2__recipe *recipe, const rls2__fit *fit);
void rls2__fit_set_intercept(const rls2__recipe *recipe, const rls2__fit *fit, int64_t o,
                             rls2_path *path);
/* Others can be fitted then. */
void rls2__fit_drop_paths(rls2__fit *fit);
void rls2__fit_release(rls2__fit *fit);

/* The given matrices between some rows and others, by their numbers. Release even where it fails.
 */
rls2_status rls2__given_take(const rls2__ingredients *from, int64_t rows,
                             const int64_t *row_numbers, int64_t columns,
                             const int64_t *column_numbers, rls2__given *given, rls2_error *err);
void rls2__given_release(rls2__given *given);
/* Sets the given matrices of rows. */
void rls2__given_lend(const rls2__given *given, rls2_rows *rows);

#endif
