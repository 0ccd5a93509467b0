/* The lists of words, and where a text stands in them. */
#include "table/words.h"

#include <string.h>
#include <strings.h>

static const char *const words[RLS2__MISSING_WORDS] = {
    "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "<NA>", "#N/A", "NaT", "?", ".", "-"};

int rls2__missing_word(const char *text)
{
    enum { LONGEST = 4 };
    if (strnlen(text, LONGEST + 1) > LONGEST) return -1;
    for (int k = 0; k < RLS2__MISSING_WORDS; k++)
        if (strcmp(text, words[k]) == 0) return k;
    return -1;
}

const char *rls2__missing_word_text(int word)
{
    return words[word];
}

int rls2__is_infinite_word(const char *text)
{
    text += *text == '-' || *text == '+';
    return strcasecmp(text, "inf") == 0 || strcasecmp(text, "infinity") == 0;
}
