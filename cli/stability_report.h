/* Stability selection, in words and as JSON. */
#ifndef RLS2_CLI_STABILITY_REPORT_H
#define RLS2_CLI_STABILITY_REPORT_H

#include "cli/console.h"
#include "cli/json.h"

/* An input or a kernel, and how many halves selected it. */
typedef struct stable_item {
    const char *name; /* borrowed from the model or the fit */
    int64_t selected;
} stable_item;

/* Those that any half selected, the most frequent first. `about` is NULL where stability selection
 * was not asked for. */
typedef struct stable_items {
    const rls2_stability *about;
    stable_item *inputs, *kernels;
    int64_t input_count, kernel_count;
    int64_t stable; /* inputs, the first of them */
} stable_items;

/* EXIT_OK, or the exit code after a message; stable_items_free in either case. */
int stable_items_of_model(const settings *s, const rls2_model *model, stable_items *all);
int stable_items_of_fit(const settings *s, const rls2_fit *fit, stable_items *all);
void stable_items_free(stable_items *all);

/* A few lines, for train and cv; nothing where it was not asked for. */
void print_stability(FILE *file, const stable_items *all);
/* A table with bars, for show. */
void show_stability(const settings *s, FILE *file, const stable_items *all);
/* "stability": {...} */
void json_stability(json *j, const stable_items *all);

#endif
