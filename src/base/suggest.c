/* The nearest name by edit distance: insertions, deletions, replacements and
 * exchanges of neighbours count one each, letter case nothing. */
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 63 }; /* longer words get no suggestion: the table below stays small */

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance, three rows at a time. */
static int edit_distance(const char *a, int a_length, const char *b, int b_length)
{
    int rows[3][LONGEST + 1];
    int *before = rows[0], *last = rows[1], *row = rows[2];
    for (int j = 0; j <= b_length; j++) last[j] = j;
    for (int i = 1; i <= a_length; i++) {
        row[0] = i;
        for (int j = 1; j <= b_length; j++) {
            int same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = least(least(row[j - 1], last[j]) + 1, last[j - 1] + !same);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        int *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[b_length];
}

rls2__suggestion rls2__suggestion_start(const char *word, int64_t length)
{
    /* one slip, and one more for every four characters */
    int allowed = length > LONGEST ? 0 : 1 + (int)length / 4;
    return (rls2__suggestion){
        .word = word, .length = length, .best = NULL, .distance = allowed + 1};
}

void rls2__suggestion_try(rls2__suggestion *suggestion, const char *candidate)
{
    size_t length = strlen(candidate);
    int64_t typed = suggestion->length;
    if (length > LONGEST || typed > LONGEST) return;
    int64_t apart = (int64_t)length > typed ? (int64_t)length - typed : typed - (int64_t)length;
    if (apart >= suggestion->distance) return;
    int distance = edit_distance(suggestion->word, (int)typed, candidate, (int)length);
    /* a word of which no letter is left is no suggestion */
    if (distance >= suggestion->distance || distance >= least((int)typed, (int)length)) return;
    suggestion->distance = distance;
    suggestion->best = candidate;
}

rls2__suggestion_note rls2__suggestion_text(const rls2__suggestion *suggestion)
{
    rls2__suggestion_note out = {""};
    size_t length = suggestion->best ? strlen(suggestion->best) : 0;
    if (length > 0 && length <= 30)
        snprintf(out.text, sizeof out.text, " (did you mean '%s'?)", suggestion->best);
    return out;
}
