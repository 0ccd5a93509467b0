/* How much memory kernels may take. */
#ifndef RLS2_CLI_MEMORY_LIMIT_H
#define RLS2_CLI_MEMORY_LIMIT_H

#include <stdint.h>

#include "cli/settings.h"
#include "rls2/rls2.h"

/* "500M", "2G", "1.5T": bytes; -1 if it is none. */
int64_t bytes_of(const char *text);

/* EXIT_OK, or EXIT_USAGE after a message where --memory is no size. */
int check_memory(const settings *s);

/* "1.2 GB" */
typedef struct size_text {
    char text[32];
} size_text;
size_text show_bytes(double bytes);

/* Bytes for the kernels of a fit: --memory, or half of what the machine has; 0 (no limit) where
 * that is unknown. */
int64_t kernel_memory(const settings *s);
/* The same for one of the splits of a cross-validation: as many may run at a time as there are
 * processors. Not as many as --threads says, on which no result depends. */
int64_t split_memory(const settings *s);

/* Reads no file that unpacks to more than the machine's memory holds, or whose table takes more:
 * such a one would never be learned from, and before that the machine would stand still. */
void limit_reading(rls2_read_options *options);

/* Says how many kernels of a basis are not stored, where there are any. */
void note_recomputed(const settings *s, const rls2_basis *basis);

#endif
