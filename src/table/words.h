/* Words that stand for a missing value, and those for infinity. */
#ifndef RLS2_TABLE_WORDS_H
#define RLS2_TABLE_WORDS_H

/* The usual words of R, pandas, databases and spreadsheets come first: they stand for a missing
 * value wherever a file has them. The weak ones ("?", ".", "-") do so only where the rest of the
 * column is numbers. */
enum { RLS2__USUAL_WORDS = 11, RLS2__MISSING_WORDS = RLS2__USUAL_WORDS + 3 };

/* The number of the word, or -1. */
int rls2__missing_word(const char *text);
const char *rls2__missing_word_text(int word);

/* "inf", "-Infinity" and the like, in whatever case. */
int rls2__is_infinite_word(const char *text);

#endif
