/* Reading a dictionary text: white space, signs, words, numbers; and saying where
 * it went wrong. Nothing here depends on the locale. */
#include "dictionary/dictionary_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum {
    EXCERPT = 70,   /* bytes of the text shown in a message */
    CLIPPED = 40,   /* bytes of a word shown in a message */
    SENTENCE = 300, /* with two lines of excerpt and caret, within rls2_error */
};

/* ---- characters ---- */

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The second and later bytes of a UTF-8 character. */
static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Whether a bare word ends before c. ".." ends one too. */
static bool ends_word(const char *c)
{
    return *c == '\0' || is_space(*c) || strchr(",;+@():|\"=", *c) || (c[0] == '.' && c[1] == '.');
}

/* ---- messages ---- */

rls2__clipped rls2__clip(const char *text, int64_t length)
{
    rls2__clipped out;
    int shown = length > CLIPPED ? CLIPPED : (int)length;
    while (shown > 0 && shown < length && is_continuation(text[shown])) shown--;
    snprintf(out.text, sizeof out.text, "%.*s%s", shown, text, shown < length ? "..." : "");
    return out;
}

/* Room for an excerpt of which every byte is escaped. */
typedef struct excerpt {
    char text[4 * EXCERPT + 8];
    int column; /* of the caret below it */
} excerpt;

/* The neighbourhood of `at` in the spec, `most` bytes. */
static excerpt cut_out(const char *spec, int64_t at, int64_t most)
{
    excerpt out;
    int64_t length = (int64_t)strlen(spec), start = 0, end = length;
    if (length > most) {
        start = at - most / 2;
        if (start > length - most) start = length - most;
        if (start < 0) start = 0;
        end = start + most;
        while (start < at && is_continuation(spec[start])) start++;
        while (end > at && end < length && is_continuation(spec[end])) end--;
    }
    strcpy(out.text, start > 0 ? "..." : "");
    int64_t used = (int64_t)strlen(out.text), room = 4 * EXCERPT + 1;
    used += rls2__text_escape(spec + start, at - start, out.text + used, room);
    out.column = rls2__text_columns(out.text);
    used += rls2__text_escape(spec + at, end - at, out.text + used, room - (at - start) * 4);
    strcpy(out.text + used, end < length ? "..." : "");
    return out;
}

/* Of fewer bytes where escapes would make it too wide for a message that ends with the caret. */
static excerpt excerpt_of(const char *spec, int64_t at)
{
    excerpt out = cut_out(spec, at, EXCERPT);
    return rls2__text_columns(out.text) > EXCERPT + 6 ? cut_out(spec, at, EXCERPT / 4) : out;
}

rls2_status rls2__parser_fail(const rls2__parser *p, rls2_status status, int64_t at,
                              const char *format, ...)
{
    if (!p->err) return status;
    char sentence[SENTENCE], escaped[SENTENCE];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    if (p->preset_at >= 0) at = p->preset_at;
    excerpt shown = excerpt_of(p->spec, at);
    rls2__text_escape(sentence, (int64_t)strlen(sentence), escaped, sizeof escaped);
    rls2__fail_at(p->err, status, at, "kernels: %s", escaped);
    rls2__fail_more(p->err, "  %s", shown.text);
    rls2__fail_more(p->err, "  %*s^", shown.column, "");
    return status;
}

rls2_status rls2__parser_memory(const rls2__parser *p)
{
    return rls2__fail_memory(p->err, "the dictionary of kernels");
}

/* ---- signs and words ---- */

int64_t rls2__parser_here(rls2__parser *p)
{
    while (is_space(p->text[p->at])) p->at++;
    return p->at;
}

char rls2__parser_peek(rls2__parser *p)
{
    return p->text[rls2__parser_here(p)];
}

bool rls2__parser_accept(rls2__parser *p, char sign)
{
    if (rls2__parser_peek(p) != sign) return false;
    p->at++;
    return true;
}

bool rls2__parser_accept_dots(rls2__parser *p)
{
    if (rls2__parser_peek(p) != '.' || p->text[p->at + 1] != '.') return false;
    p->at += 2;
    return true;
}

/* The word behind an opening quote; a doubled quote inside stands for one. */
static rls2_status quoted_word(rls2__parser *p, rls2__span *word)
{
    const char *start = p->text + p->at + 1, *end = start;
    int64_t doubled = 0;
    for (; *end && (end[0] != '"' || end[1] == '"'); end++) {
        if (*end != '"') continue;
        doubled++;
        end++;
    }
    if (!*end) return rls2__parser_fail(p, RLS2_ERR_SYNTAX, p->at, "this quote is not closed");
    *word = (rls2__span){start, end - start, p->at, true};
    p->at += word->length + 2;
    if (doubled == 0) return RLS2_OK;

    char *copy = rls2__arena_alloc(p->dictionary->arena, word->length + 1);
    if (!copy) return rls2__parser_memory(p);
    word->text = copy;
    for (const char *c = start; c < end; c++) {
        *copy++ = *c;
        if (*c == '"') c++;
    }
    word->length -= doubled;
    return RLS2_OK;
}

rls2_status rls2__parser_word(rls2__parser *p, const char *what, rls2__span *word)
{
    int64_t at = rls2__parser_here(p);
    if (p->text[at] == '"') return quoted_word(p, word);
    while (!ends_word(p->text + p->at)) p->at++;
    if (p->at == at) return rls2__parser_fail(p, RLS2_ERR_SYNTAX, at, "expected %s", what);
    *word = (rls2__span){p->text + at, p->at - at, at, false};
    return RLS2_OK;
}

bool rls2__span_is(const rls2__span *word, const char *keyword)
{
    return !word->quoted && (size_t)word->length == strlen(keyword) &&
           memcmp(word->text, keyword, (size_t)word->length) == 0;
}

const char *rls2__parser_text(rls2__parser *p, const rls2__span *word)
{
    memcpy(p->word, word->text, (size_t)word->length);
    p->word[word->length] = '\0';
    return p->word;
}

bool rls2__name_needs_quotes(const char *text, int64_t length)
{
    rls2__span word = {text, length, 0, false};
    if (length == 0 || rls2__span_is(&word, "all") || rls2__span_is(&word, "each")) return true;
    for (int64_t i = 0; i < length; i++) {
        /* a point at the end would join the ".." of a range */
        bool last_point = text[i] == '.' && i + 1 == length;
        if (ends_word(text + i) || text[i] == '*' || text[i] == '?' || last_point) return true;
    }
    return false;
}

int64_t rls2__name_write(const char *text, int64_t length, char *out)
{
    char *o = out;
    bool quotes = rls2__name_needs_quotes(text, length);
    if (quotes) *o++ = '"';
    for (int64_t i = 0; i < length; i++) {
        *o++ = text[i];
        if (text[i] == '"') *o++ = '"';
    }
    if (quotes) *o++ = '"';
    *o = '\0';
    return o - out;
}

/* ---- numbers ---- */

/* Length of the decimal number at text, 0 if there is none: no NaN, Inf or hexadecimal. */
static int64_t number_length(const char *text)
{
    const char *c = text;
    int64_t digits = 0;
    if (*c == '+' || *c == '-') c++;
    for (; is_digit(*c); c++) digits++;
    if (*c == '.' && c[1] != '.') {
        for (c++; is_digit(*c); c++) digits++;
    }
    if (digits == 0) return 0;
    if (*c == 'e' || *c == 'E') {
        const char *exponent = c + 1 + (c[1] == '+' || c[1] == '-');
        if (is_digit(*exponent)) {
            while (is_digit(*exponent)) exponent++;
            c = exponent;
        }
    }
    return c - text;
}

/* One number, followed by a sign and not by more of a word. */
static rls2_status plain_number(rls2__parser *p, double *value, int64_t *at)
{
    *at = rls2__parser_here(p);
    int64_t length = number_length(p->text + *at);
    const char *end = p->text + *at + length;
    if (length == 0 || !(ends_word(end) || *end == '/')) {
        const char *c = p->text + *at;
        while (!ends_word(c)) c++;
        if (c == p->text + *at)
            return rls2__parser_fail(p, RLS2_ERR_SYNTAX, *at, "expected a number");
        return rls2__parser_fail(p, RLS2_ERR_SYNTAX, *at, "'%s' is not a number",
                                 rls2__clip(p->text + *at, c - p->text - *at).text);
    }
    rls2__span number = {p->text + *at, length, *at, false};
    p->at += length;
    if (rls2__number_parse(p->reader, rls2__parser_text(p, &number), value)) return RLS2_OK;
    return rls2__parser_fail(p, RLS2_ERR_VALUE, *at, "this number is too large");
}

rls2_status rls2__parser_number(rls2__parser *p, double *value, int64_t *at)
{
    double number, divisor;
    int64_t divisor_at;
    rls2_status status = plain_number(p, &number, at);
    if (status) return status;
    if (rls2__parser_accept(p, '/')) {
        status = plain_number(p, &divisor, &divisor_at);
        if (status) return status;
        number /= divisor;
        if (!isfinite(number))
            return rls2__parser_fail(p, RLS2_ERR_VALUE, divisor_at,
                                     "this fraction is not a finite number");
    }
    *value = number + 0.0; /* no -0 */
    return RLS2_OK;
}

/* printf writes the decimal sign of the locale, of one byte or more: whatever no
 * number of ours contains becomes a point. */
static void number_print(char out[RLS2__NUMBER_ROOM], bool scientific, int digits, double value)
{
    char local[64];
    snprintf(local, sizeof local, scientific ? "%.*e" : "%.*g", digits, value);
    int length = 0;
    bool foreign = false;
    for (const char *c = local; *c && length < RLS2__NUMBER_ROOM - 1; c++) {
        bool ours = is_digit(*c) || strchr("+-e", *c);
        if (ours || !foreign) out[length++] = ours ? *c : '.';
        foreign = !ours;
    }
    out[length] = '\0';
}

void rls2__number_write(const rls2__parser *p, double value, bool exact,
                        char out[RLS2__NUMBER_ROOM])
{
    int digits = 4;
    double read = value;
    number_print(out, false, digits, value);
    while (exact && digits < 17 && !(rls2__number_parse(p->reader, out, &read) && read == value))
        number_print(out, false, ++digits, value);
}

double rls2__number_round(const rls2__parser *p, double value)
{
    char text[RLS2__NUMBER_ROOM];
    double rounded = value;
    number_print(text, true, 14, value);
    rls2__number_parse(p->reader, text, &rounded);
    return rounded;
}
