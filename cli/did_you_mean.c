/* Finds the nearest word by edit distance. */
#include "cli/did_you_mean.h"

#include <string.h>

enum { LONGEST = 40 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Edit distance in which two neighbours that changed places count as one edit. Rows i-2, i-1 and i
 * of the usual table are kept, each in rows[i % 3]. */
static int distance(const char *a, size_t m, const char *b, size_t n)
{
    int rows[3][LONGEST + 1];
    for (size_t j = 0; j <= n; j++) rows[0][j] = (int)j;
    for (size_t i = 1; i <= m; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            int change = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(change, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

suggestion suggest_for(const char *word, size_t length)
{
    /* One slip for each three letters: more, and any short word resembles any other. */
    suggestion s = {word, length, NULL, (int)(length / 3 > 0 ? length / 3 : 1) + 1};
    return s;
}

/* --out for --output, which is nearer than --outputs */
static int is_begun(const suggestion *s, const char *candidate)
{
    return s->length >= 2 && strncmp(s->word, candidate, s->length) == 0;
}

void suggest_offer(suggestion *s, const char *candidate)
{
    size_t n = strlen(candidate);
    if (s->length == 0 || s->length > LONGEST || n > LONGEST) return;
    int begun = is_begun(s, candidate);
    int d = begun ? 1 : distance(s->word, s->length, candidate, n);
    int shorter = begun && s->nearest && is_begun(s, s->nearest) && n < strlen(s->nearest);
    if ((d >= s->distance && !shorter) || d >= (int)n) return;
    s->distance = d;
    s->nearest = candidate;
}
