/* Texts of others: what is UTF-8 in them, and how they are shown. The rule stands with
 * rls2_text_escape in rls2/status.h. */
#ifndef RLS2_BASE_TEXT_H
#define RLS2_BASE_TEXT_H

#include <stdint.h>

#include "rls2/status.h"

/* Bytes of the UTF-8 character at `text`, of which `left` > 0 are there; 0 if there is no whole and
 * valid one. */
int rls2__text_character(const char *text, int64_t left);

/* rls2_text_escape for `length` bytes, zeros among them. */
int64_t rls2__text_escape(const char *text, int64_t length, char *escaped, int64_t size);

/* Columns of an escaped text: its characters, each taken to be one wide. */
int rls2__text_columns(const char *escaped);

#endif
