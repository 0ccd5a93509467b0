/* The rls2 command run as users run it, for tests of what it prints.
 *
 * The command is the one RLS2_COMMAND names. Tests run from the root of the repository; what they
 * write goes to a folder of their own. */
#ifndef RLS2_TESTS_SUPPORT_COMMAND_H
#define RLS2_TESTS_SUPPORT_COMMAND_H

#include <jansson.h>

/* ---- a folder of one's own ---- */

/* For cmocka_run_group_tests: make the folder, and remove it with all that is in it. */
int folder_make(void **state);
int folder_remove(void **state);
/* Its path. The shell lines below know it as $T. */
const char *folder(void);
/* The path of a file in it; valid for eight more calls. */
const char *in_folder(const char *name);
void write_text(const char *name, const char *text);
/* A whole file, with a zero behind it; free() it. The test fails where it cannot be read. */
char *read_text(const char *path, long *length);

/* ---- commands ---- */

/* What a command printed and how it ended. */
typedef struct printed {
    int code;
    char *out;
    char *err;
} printed;

/* Runs `rls2 LINE`, or, with shell(), LINE itself, by sh; "$RLS2" is the command. */
printed rls2_run(const char *format, ...) __attribute__((format(printf, 1, 2)));
printed shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
void printed_free(printed *it);

/* The same for commands that must succeed; returns what they print, which the caller frees. */
char *rls2_out(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* ... and print one JSON object. json_decref() it. */
json_t *rls2_json(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- JSON ---- */

/* The member at a path such as "path.0.train.rmse" (no keys with dots); the test fails where there
 * is none. */
json_t *at(const json_t *root, const char *path);
double number_at(const json_t *root, const char *path);
const char *text_at(const json_t *root, const char *path);
/* The object has exactly these keys, in that order, separated by blanks. */
void assert_keys(const json_t *object, const char *keys);

#endif
