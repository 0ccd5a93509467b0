/* A plan: what a person asks for, completed against a table, and carried out.
 *
 *     rls2_plan_create     a goal
 *     rls2_plan_set        what is asked for, in words: rls2/settings.h
 *     rls2_plan_complete   completed against a table: which rows go where, classes or numbers,
 *                          kernels, intercept, measure, splits; notes say what was inferred
 *     rls2_plan_fit        cross-validation, path, choice and model, in one call: rls2/fit.h
 *
 * The command, the page, the Python estimators and the experiments learn by this and nothing else,
 * so the same settings and the same cells give the same model, to the bit. A plan and its fits are
 * used by one thread at a time. */
#ifndef RLS2_PLAN_H
#define RLS2_PLAN_H

#include "rls2/control.h"
#include "rls2/fit.h"
#include "rls2/settings.h"
#include "rls2/source.h"
#include "rls2/stats.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rls2_plan rls2_plan;

/* What is wanted of the table. */
typedef enum rls2_goal {
    RLS2_GOAL_KERNELS = 0, /* data and dictionary, nothing is fitted; a target is not needed */
    RLS2_GOAL_PATH = 1,    /* the path over all lambdas */
    RLS2_GOAL_CURVE = 2,   /* the curve of cross-validation alone */
    RLS2_GOAL_MODEL = 3,   /* a lambda is chosen, and the path followed down to it */
    RLS2_GOAL_ALL = 4      /* the path over all lambdas; then the curve on these; then the choice */
} rls2_goal;

/* Messages and notes write names of settings as `voice` does. */
RLS2_API rls2_status rls2_plan_create(rls2_goal goal, rls2_voice voice, rls2_plan **plan,
                                      rls2_error *err);
RLS2_API void rls2_plan_free(rls2_plan *plan);

/* ---- asking ---- */

/* The value is copied. A LIST grows by one with each call; NULL restores the default (an empty
 * list). RLS2_ERR_NAME for an unknown setting, with a near one suggested; RLS2_ERR_ARGUMENT for an
 * invalid value. Only before rls2_plan_complete. */
RLS2_API rls2_status rls2_plan_set(rls2_plan *plan, const char *name, const char *value,
                                   rls2_error *err);
/* Values of lambda as numbers instead of the setting "lambdas"; copied. */
RLS2_API rls2_status rls2_plan_set_lambdas(rls2_plan *plan, int64_t count, const double *lambdas,
                                           rls2_error *err);
/* Test rows, or validation rows, in a table of their own instead of rows of the table (settings
 * test-rows, validation-rows); NULL: none. Borrowed until rls2_plan_fit has returned. */
RLS2_API rls2_status rls2_plan_set_test(rls2_plan *plan, const rls2_table *table, rls2_error *err);
RLS2_API rls2_status rls2_plan_set_validation(rls2_plan *plan, const rls2_table *table,
                                              rls2_error *err);
/* A kernel computed elsewhere, used as given(NAME): rows x rows of the table, column-major,
 * borrowed while plan and fit live. Not with test or validation tables. A table of
 * LIBSVM's precomputed form brings its own, given(precomputed). */
RLS2_API rls2_status rls2_plan_add_given(rls2_plan *plan, const char *name, int64_t rows,
                                         const double *matrix, rls2_error *err);
/* The program for Parquet and Feather files (`converter` of rls2_read_options), borrowed while the
 * plan lives; NULL (default): such files are refused. */
RLS2_API rls2_status rls2_plan_set_converter(rls2_plan *plan, const char *const *converter,
                                             rls2_error *err);
/* The value in words: as it was set, or the default; "" where there is none. Of a LIST item i;
 * NULL beyond the last. For any other setting i is 0. Owned by the plan. */
RLS2_API const char *rls2_plan_get(const rls2_plan *plan, const char *name, int64_t i);
/* Was it set? */
RLS2_API int rls2_plan_is_set(const rls2_plan *plan, const char *name);
/* The options a file is read by, from the settings of that scope; texts are owned by the plan. size
 * is sizeof *options, which need not be filled before. */
RLS2_API rls2_status rls2_plan_read_options(const rls2_plan *plan, rls2_read_options *options,
                                            size_t size, rls2_error *err);

/* ---- completing ---- */

/* Checks what can be checked without a table: settings that exclude each other or need another.
 * rls2_plan_complete does it too. */
RLS2_API rls2_status rls2_plan_check(rls2_plan *plan, rls2_error *err);
/* The rows alone: which are learned from, which test, which choose lambda. For a look at them: the
 * plan cannot be completed afterwards, and rls2_plan_complete needs no call before it. The table is
 * borrowed while the plan lives. */
RLS2_API rls2_status rls2_plan_divide(rls2_plan *plan, const rls2_table *table, rls2_error *err);
/* Everything up to the kernels. May take as long as encoding the table does, and some seconds above
 * 3,000 rows with the default kernels; the plan is then ready for one or several calls of
 * rls2_plan_fit. */
RLS2_API rls2_status rls2_plan_complete(rls2_plan *plan, const rls2_table *table, rls2_error *err);

/* The same of a file that need not fit in memory (CSV, compressed or not; other formats are read
 * whole), with the settings of the plan for reading it: rows are read in pieces on all threads, now
 * to profile them and again by rls2_plan_fit to count them. Columns, kernels and features are
 * decided on a sample of 20,000 rows; categories, labels, means, deviations and fills are those of
 * all rows. Data and table of the training part, and predictions of it, are those of the sample;
 * rls2_plan_row_count says how many rows are learned from. Lambda is chosen by squared errors.
 * Progress is told with the stage "rows". RLS2_ERR_CANCELLED where that asks to stop;
 * RLS2_ERR_ARGUMENT for the standard input and for settings that need the rows themselves: test
 * rows or validation rows of the file, given matrices, method exact. Memory: about 100 MB for each
 * thread, whatever the file. */
RLS2_API rls2_status rls2_plan_complete_file(rls2_plan *plan, const char *path,
                                             const rls2_control *control, rls2_error *err);
/* The same of any source of rows (rls2/source.h) that can be read more than once: several files, a
 * table, calls. It was opened with options of its own, those of rls2_plan_read_options for files.
 * Borrowed while the plan lives. */
RLS2_API rls2_status rls2_plan_complete_rows(rls2_plan *plan, rls2_source *rows,
                                             const rls2_control *control, rls2_error *err);
/* The first pass over rows alone, with the settings of the plan about targets, row weights and
 * missing cells, whose state does not change; they may be a part of the rows that will be learned
 * from, or none. Free with rls2_profile_free (rls2/stats.h). A source that can be read once is
 * enough, unless its first rows do not tell how columns are written. */
RLS2_API rls2_status rls2_plan_profile(rls2_plan *plan, rls2_source *rows,
                                       const rls2_control *control, rls2_profile **profile,
                                       rls2_error *err);
/* Completes the plan on the sample of a profile, with what it knows of all rows. There are no rows
 * to be read: rls2_plan_count makes statistics of none, and rls2_plan_fit refuses. The profile is
 * borrowed while the plan lives, and not to be merged meanwhile; its targets, row weights and rows
 * that were left out must be what the settings say: RLS2_ERR_ARGUMENT otherwise. Takes as long as
 * completing on 20,000 rows does. */
RLS2_API rls2_status rls2_plan_complete_profile(rls2_plan *plan, rls2_profile *profile,
                                                const rls2_control *control, rls2_error *err);
/* Statistics of these rows alone, for rls2_plan_complete_stats, to be saved and merged
 * (rls2/stats.h): the second pass. Features for kernels of several columns are those that the
 * dictionary of the plan asks for; parts are its folds. Of a plan that was completed on a profile:
 * all that says how rows are counted, and no rows. Free with rls2_stats_free. */
RLS2_API rls2_status rls2_plan_count(rls2_plan *plan, const rls2_control *control,
                                     rls2_stats **stats, rls2_error *err);
/* The rows of statistics are forgotten, and those of another file counted in their place, in the
 * same way: with the same columns, categories, points, kernels, parts and seed, so that they can be
 * merged with what they were. One pass, with the settings of the plan for reading; nothing else of
 * it is looked at. RLS2_ERR_NAME for a column that is not there, RLS2_ERR_VALUE for a cell of
 * another kind, a label that is not known, a response far beyond the others; unknown categories
 * count as in rls2_dataset_create_like. Where it fails the statistics are what they were. */
RLS2_API rls2_status rls2_plan_recount(rls2_plan *plan, rls2_stats *stats, const char *path,
                                       const rls2_control *control, rls2_error *err);
/* Completes a plan on statistics, with no rows but those of their sample. Settings about rows and
 * columns were decided when they were made: RLS2_ERR_ARGUMENT where one is set. They are borrowed
 * while plan and fit live, by one plan at a time. */
RLS2_API rls2_status rls2_plan_complete_stats(rls2_plan *plan, rls2_stats *stats, rls2_error *err);
/* 1 where that is the better way for a file: it is larger than 256 MB, or than a third of the
 * memory there is (or of the setting "memory", where the method is tall), or than 32 MB where
 * kernels are to be listed, and nothing that is asked for is in the way. */
RLS2_API int rls2_plan_reads_in_pieces(rls2_plan *plan, const char *path);
/* The same of rows elsewhere that take so many bytes, 8 for each number. */
RLS2_API int rls2_plan_prefers_pieces(rls2_plan *plan, double bytes);
/* Rows that are learned from, of a complete plan. */
RLS2_API int64_t rls2_plan_row_count(const rls2_plan *plan);

/* The setting the last error of this plan was about; NULL where it was about none. */
RLS2_API const char *rls2_plan_fault(const rls2_plan *plan);
/* What was inferred or should be known: sentences, in the order they were found. Fitting adds to
 * them. */
RLS2_API int64_t rls2_plan_note_count(const rls2_plan *plan);
RLS2_API const char *rls2_plan_note(const rls2_plan *plan, int64_t i);

/* What the plan found; owned by the plan. Rows of the table of each part (none where the part has a
 * table of its own): returns how many. */
RLS2_API int64_t rls2_plan_rows(const rls2_plan *plan, rls2_part part, const int64_t **rows);
/* The table of a part; NULL where there are no such rows. */
RLS2_API const rls2_table *rls2_plan_table(const rls2_plan *plan, rls2_part part);
/* The training rows, encoded and preprocessed; the test rows likewise, or NULL. */
RLS2_API const rls2_dataset *rls2_plan_data(const rls2_plan *plan, rls2_part part);
/* The rows splits are made of: training rows, with validation rows below them where there are any
 * (not preprocessed then). */
RLS2_API const rls2_dataset *rls2_plan_split_data(const rls2_plan *plan);
RLS2_API const rls2_dataset_options *rls2_plan_dataset_options(const rls2_plan *plan);
/* Column i of those the plan left out by itself (setting "columns"; they are in `drop` of the
 * options, too), and in words why, where why is not NULL: "only names the rows", "says the same as
 * 'a'"; NULL beyond the last. */
RLS2_API const char *rls2_plan_left_out(const rls2_plan *plan, int64_t i, const char **why);
/* Column i of those that stay although they may give the target away, and why, in words: "alone
 * tells the class in every row", "goes along with the target in every row"; NULL beyond the last.
 */
RLS2_API const char *rls2_plan_suspect(const rls2_plan *plan, int64_t i, const char **why);
/* Input i of those that are empty in some training rows: in how many, and in how many of these
 * nothing else is, so that they come back where the column is left out (`missing` of the options
 * says what becomes of such rows). Either may be NULL. NULL beyond the last, and where rows are
 * read in pieces. */
RLS2_API const char *rls2_plan_empty_input(const rls2_plan *plan, int64_t i, int64_t *rows,
                                           int64_t *alone);
RLS2_API const rls2_dictionary *rls2_plan_dictionary(const rls2_plan *plan);
/* The dictionary as text: the kernels asked for, or the default. */
RLS2_API const char *rls2_plan_kernels(const rls2_plan *plan);
RLS2_API rls2_measure rls2_plan_measure(const rls2_plan *plan);
/* The loss and the rule of the intercept of a complete plan, as they are fitted: "auto" is decided.
 * Before that what was asked for, and RLS2_INTERCEPT_AUTO. */
RLS2_API rls2_loss rls2_plan_loss(const rls2_plan *plan);
RLS2_API rls2_intercept rls2_plan_intercept(const rls2_plan *plan);
/* 1 where the rows will be counted first (setting "method"); 0 before rls2_plan_complete. */
RLS2_API int rls2_plan_is_tall(const rls2_plan *plan);
/* Bytes kernels may take: the setting "memory", or half of what this process may have: the memory
 * of the machine, or of its container, or less by ulimit. */
RLS2_API int64_t rls2_plan_memory(const rls2_plan *plan);
/* NULL where no rows are left out to choose lambda, and before rls2_plan_fit has drawn them. */
RLS2_API const rls2_splits *rls2_plan_splits(const rls2_plan *plan);
/* The caller's own splits of the rows of rls2_plan_split_data, instead of those of the settings;
 * after rls2_plan_complete, and for plans that choose lambda by cross-validation. The plan takes
 * them over, even when the call fails. */
RLS2_API rls2_status rls2_plan_take_splits(rls2_plan *plan, rls2_splits *splits, rls2_error *err);

/* ---- forecasting ---- */

/* What rls2_plan_fit will take, data included: from the numbers of rows, kernels, lambdas and
 * splits, and from how fast this machine is in the next few hundredths of a second. Mostly within a
 * factor of two. */
typedef struct rls2_cost {
    double seconds;      /* on the clock */
    double bytes;        /* of memory, at most at a time; of these */
    double kernel_bytes; /* for the stored kernels of all rows */
    double least_bytes;  /* the same with one split at a time: if this is more than `limit`,
                            rls2_plan_fit refuses, with a sentence that says what would fit */
    double limit;        /* bytes this process may have, of the machine, its container or by ulimit;
                            0 where that is not known */
} rls2_cost;
/* Of a complete plan on so many threads (0: one per core); one of the goal KERNELS is taken for one
 * of MODEL. size is sizeof *cost. */
RLS2_API rls2_status rls2_plan_forecast(const rls2_plan *plan, int threads, rls2_cost *cost,
                                        size_t size, rls2_error *err);
/* "about 20 s, about 340 MB of memory" into text, and ", more than the 16 GB there is" where that
 * will be refused; at most size bytes with the final zero. Returns the length of the whole. */
RLS2_API size_t rls2_cost_text(const rls2_cost *cost, char *text, size_t size);

/* What may take less than that: the name of setting i, and the value for it into text, at most size
 * bytes with the final zero; NULL beyond the last. They are ways, not promises: what each takes,
 * and whether it goes together with all that is asked for, another plan with that setting tells. */
RLS2_API const char *rls2_plan_saving(const rls2_plan *plan, int64_t i, char *text, size_t size);

/* ---- carrying out ---- */

/* *fit is NULL or is made as soon as there is something to keep: a path or a curve. It is there
 * also when the call then fails or is stopped, and is to be freed in any case. Progress is told by
 * control (may be NULL) with the stages "kernels", "path", "criteria", "splits" and "halves", those
 * of the setting stability; when it asks to stop before the path has a point, or during splits or
 * halves, the status is RLS2_ERR_CANCELLED; a path that is stopped later has the lambdas finished
 * so far, and the call succeeds. RLS2_ERR_MEMORY at once where the forecast is more than the memory
 * there is.
 * The plan must outlive the fit. */
RLS2_API rls2_status rls2_plan_fit(rls2_plan *plan, const rls2_control *control, rls2_fit **fit,
                                   rls2_error *err);

/* ---- retelling ---- */

/* The settings that were set to something other than their default, as options of the command
 * ("--target='a b' --folds=5", quoted for a shell) or as arguments of a Python estimator
 * ("kernels=\"linear\", cv=5"); "" where there are none. Settings a front end gives in another way
 * are left out by name (`but`, that many). The plan need not be complete. Free the text with
 * rls2_text_free. */
RLS2_API rls2_status rls2_plan_retell(const rls2_plan *plan, rls2_voice voice, int64_t but_count,
                                      const char *const *but, char **text, rls2_error *err);
/* One word for a shell (COMMAND), or a string literal (PYTHON), as rls2_plan_retell writes them. */
RLS2_API rls2_status rls2_text_quote(const char *text, rls2_voice voice, char **quoted,
                                     rls2_error *err);
RLS2_API void rls2_text_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
