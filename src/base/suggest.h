/* "Did you mean": the nearest of some names to a word. */
#ifndef RLS2_BASE_SUGGEST_H
#define RLS2_BASE_SUGGEST_H

#include <stdint.h>

/* The best candidate so far; words are borrowed. */
typedef struct rls2__suggestion {
    const char *word;
    int64_t length;
    const char *best; /* NULL while none is near enough */
    int distance;     /* of the best, or one more than is allowed */
} rls2__suggestion;

/* " (did you mean 'NAME'?)", or nothing. */
typedef struct rls2__suggestion_note {
    char text[52];
} rls2__suggestion_note;

rls2__suggestion rls2__suggestion_start(const char *word, int64_t length);
void rls2__suggestion_try(rls2__suggestion *suggestion, const char *candidate);
rls2__suggestion_note rls2__suggestion_text(const rls2__suggestion *suggestion);

#endif
