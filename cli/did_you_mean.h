/* "Did you mean ...?": the nearest of the words that are offered. */
#ifndef RLS2_CLI_DID_YOU_MEAN_H
#define RLS2_CLI_DID_YOU_MEAN_H

#include <stddef.h>

typedef struct suggestion {
    const char *word; /* as it was typed, `length` characters of it */
    size_t length;
    const char *nearest; /* NULL: none was near enough */
    int distance;
} suggestion;

suggestion suggest_for(const char *word, size_t length);
void suggest_offer(suggestion *s, const char *candidate);

#endif
