/* The dictionary: which basis kernels to learn from, written as a line of text.
 *
 *   spec     := term (';' term)*
 *   term     := preset | kernel ['@' item (',' item)*]
 *   kernel   := name ['(' argument (',' argument)* ')']
 *   argument := [key '='] value ('|' value)*
 *   value    := number | lo ':' hi ':' n (log-spaced) | a '..' b (whole numbers, up or down) | text
 *             | 'learn' ['*' number]
 *   item     := 'each' [':' set] | set          one kernel per column | one kernel on the set
 *   set      := atom ('+' atom)*
 *   atom     := 'all' | 'group:' name | name | pattern with * or ? | name '..' name | "quoted name"
 *
 * White space may stand between any two of these. A number is decimal, or a fraction of two such as
 * 3/2. A bare name ends at white space, at ".." and at any of , ; + @ ( ) : | = and the quote;
 * other names, and columns called "all" or "each", are quoted, with "" for a quote inside. '*'
 * stands for any text, '?' for one character. Where no column is called NAME but some are called
 * NAME=VALUE, the name stands for all of those: the indicators of a text column. A set has each of
 * its columns once, in the order of the table; a range goes from an earlier column to a later one.
 *
 * Arguments go by position or, after those, by key; several values make several kernels. The
 * kernels of a term come in the order of nested loops: values (the last argument written runs
 * fastest), then items, then the columns of `each`. Kernels may repeat.
 *
 * Without '@' the kernel takes all columns together, but linear and spline take each column alone;
 * `given` has no columns and no '@'. Kernels:
 *
 *   linear                          x'z
 *   poly(degree, offset=1, scale=1) (offset + scale x'z)^degree, degree = 1 .. 20
 *   rbf(gamma)                      exp(-gamma |x-z|^2)
 *   laplace(gamma)                  exp(-gamma |x-z|_1)
 *   matern(nu, length=1)            nu = 0.5, 1.5 or 2.5, Euclidean distance over length
 *   spline                          cubic spline on one column, over the range of the training rows
 *   delta                           1 where all the columns are equal, else 0
 *   given(name)                     a precomputed matrix
 *
 * In the place of gamma and of length `learn` is a width for each column, found from the training
 * rows and their responses (rls2_dictionary_learn): rbf(learn) is exp(-sum_j w_j (x_j - z_j)^2),
 * rbf(learn*4) the same with 4 w, matern(2.5,learn) the Matern kernel of the distance
 * (2 sum_j w_j (x_j - z_j)^2)^1/2, and matern(2.5,learn*2) that of half the distance. Kernels on
 * the same columns have the same w; there are two columns or more.
 *
 * Presets: `paper` is poly(1..3)@all,each; rbf(1e-3:1e3:10)@all,each, the 13(N+1) kernels of the
 * paper's benchmark; `linear`, alone as a term without '@', is linear@each, that is linear RLS2. A
 * preset is a term of its own beside others.
 *
 * A text may ask for 10 million kernels, and for a million values in one range. */
#ifndef RLS2_DICTIONARY_H
#define RLS2_DICTIONARY_H

#include "rls2/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rls2_dictionary rls2_dictionary;

/* A named set of columns, for `@group:name`. Never changes: rls2.h. */
typedef struct rls2_group {
    const char *name;
    int64_t count;
    const int64_t *columns;
} rls2_group;

/* 1 if the column is one of a group written as text, "a,b,gene_*": by its name, by a pattern with
 * the dictionary's
 * '*' and '?', or as an indicator of the text column of that name. */
RLS2_API int rls2_group_has(const char *columns, const char *name);

/* What the text may refer to. `names` may be NULL: the columns are then x1, x2, ...
 * No two columns, groups or given matrices may share a name. Never changes: rls2.h. */
typedef struct rls2_columns {
    int64_t count;
    const char *const *names;
    int64_t group_count;
    const rls2_group *groups;
    int64_t given_count;
    const char *const *given_names;
} rls2_columns;

/* Parses `spec` against the columns; everything is copied. Where the text is wrong,
 * err->position is the offset of the wrong character in `spec`, in bytes, and the
 * message shows it with a caret; where the columns are, it is -1. Contiguous sets and
 * single columns share one list, so `each` needs no memory per column but the names.
 * O(size of the text + columns + kernels + columns in all sets), and a pattern looks
 * at every column. */
RLS2_API rls2_status rls2_dictionary_create(const char *spec, const rls2_columns *columns,
                                            rls2_dictionary **dictionary, rls2_error *err);
RLS2_API void rls2_dictionary_free(rls2_dictionary *dictionary);

/* Number of kernels m. */
RLS2_API int64_t rls2_dictionary_count(const rls2_dictionary *dictionary);
/* Readable and stable: "rbf(0.1)@rm", "poly(2,offset=0)@a+b", "rbf(1)@group:genes",
 * and itself a term of the grammar. Parameters are shown with four significant
 * digits, exactly where kernels of different parameters would otherwise bear one
 * name; equal kernels have equal names. NULL if k is out of range. */
RLS2_API const char *rls2_dictionary_name(const rls2_dictionary *dictionary, int64_t k);
/* The columns kernel k looks at, ascending, owned by the dictionary; returns how many, 0 for a
 * given matrix and if k is out of range. columns may be NULL. */
RLS2_API int64_t rls2_dictionary_kernel_columns(const rls2_dictionary *dictionary, int64_t k,
                                                const int64_t **columns);
/* The widths w of kernel k, one for each of its columns, owned by the dictionary; returns how many,
 * 0 where it has none, or none yet. widths may be NULL. */
RLS2_API int64_t rls2_dictionary_kernel_widths(const rls2_dictionary *dictionary, int64_t k,
                                               const double **widths);
/* 1 if some kernel has widths that are learned. */
RLS2_API int rls2_dictionary_learns(const rls2_dictionary *dictionary);
/* 1 if every kernel is linear: the model is then linear in the columns. */
RLS2_API int rls2_dictionary_is_linear(const rls2_dictionary *dictionary);
/* Number of columns the dictionary was made for. */
RLS2_API int64_t rls2_dictionary_columns(const rls2_dictionary *dictionary);
/* The groups its text could refer to; owned by the dictionary. NULL if g is out of range. */
RLS2_API int64_t rls2_dictionary_group_count(const rls2_dictionary *dictionary);
RLS2_API const rls2_group *rls2_dictionary_group(const rls2_dictionary *dictionary, int64_t g);

#ifdef __cplusplus
}
#endif
#endif
