/* What is asked of a plan, as values: one member for each setting of settings_table.c. */
#ifndef RLS2_PLAN_WISHES_H
#define RLS2_PLAN_WISHES_H

#include <stddef.h>
#include <stdint.h>

#include "rls2/settings.h"

typedef struct rls2__texts {
    const char *const *items;
    int64_t count;
} rls2__texts;

/* Of a FLAG 0 or 1, of a SWITCH -1 for "auto"; of a CHOICE its place in the list of choices. Texts
 * are NULL where nothing was asked for, numbers NaN and counts 0 where there is no default. */
typedef struct rls2__wishes {
    int format;
    const char *delimiter;
    int header;
    int decimal;
    rls2__texts na;

    rls2__texts target;
    int task;
    const char *row_weights;
    const char *class_weights;
    rls2__texts drop;
    int columns;
    rls2__texts categorical;
    int reference;
    int missing;
    int64_t rare;
    const char *test_rows;
    double test_share;
    int shuffle;

    int standardize;
    int features;
    int examples;
    int transductive;
    int transductive_features;

    rls2__texts kernels;
    rls2__texts group;
    int scaling;
    int center;
    double rank_tol;
    const char *memory;

    const char *loss;
    int probability;
    int outputs;
    double lambda;
    const char *lambdas;
    int64_t lambda_count;
    double lambda_ratio;
    int intercept;
    int method;
    int solver;
    double gap_tol;
    double delta;
    int64_t max_iter;
    int df;

    int select;
    int rule;
    int stack;
    int plain;
    double interval;
    int64_t stability;
    double stability_errors;
    int64_t folds;
    int64_t repeats;
    int64_t splits;
    double share;
    const char *fold_column;
    const char *validation_rows;
    int measure;
    int baselines;
    int64_t seed;
} rls2__wishes;

/* Choices by their place in the table's list. */
enum { RLS2__TASK_AUTO, RLS2__TASK_REGRESSION, RLS2__TASK_CLASSIFICATION };
enum { RLS2__COLUMNS_AUTO, RLS2__COLUMNS_ALL };
enum {
    RLS2__FEATURES_AUTO,
    RLS2__FEATURES_STANDARDIZE = 3
}; /* the others are rls2_normalize + 1 */
enum { RLS2__MISSING_AUTO, RLS2__MISSING_IMPUTE, RLS2__MISSING_DROP, RLS2__MISSING_ERROR };
enum { RLS2__DF_AUTO, RLS2__DF_EACH, RLS2__DF_NONE };
enum { RLS2__SELECT_CV, RLS2__SELECT_NONE = 6 }; /* the criteria lie between */
enum { RLS2__METHOD_AUTO, RLS2__METHOD_EXACT, RLS2__METHOD_TALL };
enum { RLS2__INTERCEPT_FREE = 3 }; /* of auto|none|mean|free */
enum { RLS2__OUTPUTS_SEPARATE, RLS2__OUTPUTS_SHARED };
enum { RLS2__RULE_MIN, RLS2__RULE_1SE };

struct rls2_setting {
    const char *name;
    rls2_setting_kind kind;
    rls2_setting_scope scope;
    size_t member; /* of rls2__wishes */
    const char *letter;
    const char *value;
    const char *choices;
    const char *fallback;
    const char *python;
    const char *former;
    const char *section;
    const char *label;
    const char *sentence;
    const char *help;
    double least, most; /* both 0: no limits */
};

extern const rls2_setting rls2__settings[];
extern const int64_t rls2__setting_count;

/* The name of a setting as a voice writes it. */
void rls2__setting_name(const rls2_setting *setting, rls2_voice voice, char *name, size_t size);
/* A text in which {NAME} is replaced by the name of that setting as the voice writes it; at most
 * size bytes with the final zero. Returns the length of the whole. */
int64_t rls2__setting_render(const char *from, rls2_voice voice, char *text, int64_t size);
/* 1 and the value of a finite decimal number, in any locale; 0 where the text is none, or where
 * there is no memory for reading one that is long, very large or very small. */
int rls2__setting_number(const char *text, double *value);
/* A value that has been checked, as the member of its setting: *member is an int, a double or an
 * int64_t. Texts and lists are the plan's. 0 where there is no memory. */
int rls2__setting_read(const rls2_setting *setting, const char *value, void *member);
/* The place of a word among "a|b|c"; -1 if it is none of them. */
int rls2__choice_of(const char *choices, const char *word);
/* "yes" and "no" for "true" and "false" where these are choices. */
const char *rls2__setting_word(const rls2_setting *setting, const char *value);

#endif
