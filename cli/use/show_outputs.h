/* rls2 show of a model of several outputs. */
#ifndef RLS2_CLI_USE_SHOW_OUTPUTS_H
#define RLS2_CLI_USE_SHOW_OUTPUTS_H

#include "cli/use/show_command.h"

/* The line that tells the classes or the targets. */
void show_output_names(FILE *file, const summary *whole);
/* Of a model of several outputs; of[outputs] are their summaries, `whole` that of the model itself.
 */
void show_outputs_text(const settings *s, FILE *file, const summary *whole, const summary *of);
void show_outputs_json(FILE *file, const summary *whole, const summary *of, int64_t only);
/* Output o alone, of which `one` is the summary. In JSON `only` is such an o, or -1 for all of
 * them. */
void show_output_text(const settings *s, FILE *file, const summary *whole, int64_t o,
                      const summary *one);

/* Texts one after another behind a heading, on lines that are not too long. */
typedef struct filler {
    FILE *file;
    int64_t column;
} filler;

filler filler_start(FILE *file, const char *heading);
/* Three texts without a blank between them, of which the second may be any name. */
void fill_text(filler *at, const char *before, const char *text, const char *behind);

#endif
