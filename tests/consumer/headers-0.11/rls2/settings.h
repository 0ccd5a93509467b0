/* The settings of a plan: one table for every front end.
 *
 * A setting is something a person may ask for when a model is learned: the target, the kernels, how
 * lambda is chosen. The table says its name, how its value is written, its default and what it is
 * for. From it come the options of the command, the fields of the page, the parameters of the
 * Python estimators, and their help. Values are texts, as on the command line; a plan checks them
 * (rls2/plan.h). */
#ifndef RLS2_SETTINGS_H
#define RLS2_SETTINGS_H

#include "rls2/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rls2_setting rls2_setting;

typedef enum rls2_setting_kind {
    RLS2_SETTING_FLAG = 0,   /* "true" or "false" */
    RLS2_SETTING_SWITCH = 1, /* "true", "false" or "auto" */
    RLS2_SETTING_CHOICE = 2, /* one of the choices */
    RLS2_SETTING_TEXT = 3,
    RLS2_SETTING_COLUMN = 4, /* the name of a column of the table */
    RLS2_SETTING_NUMBER = 5, /* finite, between the limits */
    RLS2_SETTING_COUNT = 6,  /* a whole number, between the limits */
    RLS2_SETTING_LIST = 7    /* texts: each call of rls2_plan_set adds one */
} rls2_setting_kind;

/* How a front end writes the name of a setting. */
typedef enum rls2_voice {
    RLS2_VOICE_PLAIN = 0,   /* class_weights */
    RLS2_VOICE_COMMAND = 1, /* --class-weights */
    RLS2_VOICE_PYTHON = 2   /* class_weight */
} rls2_voice;

/* What a setting is about; a front end offers those that go with what it does. */
typedef enum rls2_setting_scope {
    RLS2_SCOPE_READING = 0, /* how a file is read */
    RLS2_SCOPE_DATA = 1,    /* what becomes of a table: every goal */
    RLS2_SCOPE_TESTING = 2, /* test rows that count in the fit: goals PATH, MODEL, ALL */
    RLS2_SCOPE_FITTING = 3, /* how a path is fitted: every goal but KERNELS */
    RLS2_SCOPE_LAMBDA = 4,  /* one lambda: goals PATH, MODEL and ALL */
    RLS2_SCOPE_SPLITS = 5,  /* rows left out to choose lambda: goals CURVE, MODEL, ALL */
    RLS2_SCOPE_CHOICE = 6   /* which lambda is chosen: goals MODEL and ALL */
} rls2_setting_scope;

/* Texts about a setting. All are static; "" where there is nothing to say. */
typedef enum rls2_setting_text {
    RLS2_SETTING_NAME = 0,     /* "class-weights": the option --class-weights, class_weights in
                                 JSON */
    RLS2_SETTING_PYTHON = 1,   /* "class_weight": the parameter of the estimators; "" if none */
    RLS2_SETTING_FORMER = 2,   /* a name it had in earlier versions, still understood */
    RLS2_SETTING_LETTER = 3,   /* "t": the option -t */
    RLS2_SETTING_VALUE = 4,    /* what stands for the value in help: "COLUMN", "X" */
    RLS2_SETTING_CHOICES = 5,  /* "a|b|c" of a choice */
    RLS2_SETTING_DEFAULT = 6,  /* the default, written as a value; "" where there is none */
    RLS2_SETTING_SECTION = 7,  /* heading of help it stands under */
    RLS2_SETTING_LABEL = 8,    /* a few words: label of a field on the page */
    RLS2_SETTING_SENTENCE = 9, /* what it does, in one sentence */
    RLS2_SETTING_HELP = 10     /* what else there is to know, continuing the sentence; may be "" */
} rls2_setting_text;

/* In the order of help; NULL if out of range. */
RLS2_API const rls2_setting *rls2_setting_at(int64_t i);
RLS2_API int64_t rls2_setting_count(void);
/* By name, with '-' or '_', or by its former name; NULL if there is none. */
RLS2_API const rls2_setting *rls2_setting_find(const char *name);

/* "" for NULL and for a text that does not exist. */
RLS2_API const char *rls2_setting_about(const rls2_setting *setting, rls2_setting_text which);
/* The same in the words of a front end: names of settings, {NAME} in texts, are written as `voice`
 * does. At most `size` bytes with the final zero are written; returned is the length of the whole
 * text. */
RLS2_API int64_t rls2_setting_tell(const rls2_setting *setting, rls2_setting_text which,
                                   rls2_voice voice, char *text, int64_t size);
RLS2_API rls2_setting_kind rls2_setting_kind_of(const rls2_setting *setting);
RLS2_API rls2_setting_scope rls2_setting_scope_of(const rls2_setting *setting);
/* Limits of a NUMBER (not included) or a COUNT (included). */
RLS2_API double rls2_setting_least(const rls2_setting *setting);
RLS2_API double rls2_setting_most(const rls2_setting *setting);

/* Is `value` a value of that kind, within the limits? RLS2_ERR_ARGUMENT with a sentence that names
 * the setting as `name` (NULL: its own name), the value, what it should be, and a near choice. */
RLS2_API rls2_status rls2_setting_check(const rls2_setting *setting, const char *name,
                                        const char *value, rls2_error *err);

#ifdef __cplusplus
}
#endif
#endif
