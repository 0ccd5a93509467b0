/* Numbers as a column writes them: the digits are copied as a plain number, what stands around and
 * between them being checked on the way, and that is read exactly. */
#include "table/style.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

/* ---- signs ---- */

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Bytes of the first text of the list that the text starts with, or 0. */
static size_t match(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (strncmp(text, *list, strlen(*list)) == 0) return strlen(*list);
    return 0;
}

/* A blank, or one that does not break: these stand between thousands in print. */
static size_t match_blank(const char *text)
{
    static const char *const blanks[] = {" ", "\t", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89",
                                         NULL};
    return match(text, blanks);
}

static size_t match_apostrophe(const char *text)
{
    static const char *const apostrophes[] = {"'", "\xE2\x80\x99", NULL};
    return match(text, apostrophes);
}

static size_t match_currency(const char *text)
{
    static const char *const signs[] = {"$",
                                        "\xE2\x82\xAC", /* euro */
                                        "\xC2\xA3",     /* pound */
                                        "\xC2\xA5",     /* yen */
                                        "\xE2\x82\xB9", /* rupee */
                                        "\xE2\x82\xA9", /* won */
                                        "\xE2\x82\xBD", /* rouble */
                                        NULL};
    return match(text, signs);
}

static size_t match_thousands(const rls2__style *style, const char *text)
{
    if (!style->thousands) return 0;
    if (style->thousands == ' ') return match_blank(text);
    if (style->thousands == '\'') return match_apostrophe(text);
    return *text == style->thousands;
}

static const char *skip_blanks(const char *p)
{
    for (size_t size; (size = match_blank(p)) > 0;) p += size;
    return p;
}

/* ---- numbers ---- */

enum { LONGEST_NUMBER = 400 }; /* no number of that many characters is meant */

typedef struct scanner {
    const rls2__style *style;
    const char *p;
    char plain[LONGEST_NUMBER];
    size_t used;
    int currency; /* has been met */
} scanner;

static void put(scanner *s, char c)
{
    if (s->used < sizeof s->plain - 1) s->plain[s->used++] = c;
}

/* Sign and currency, in either order, each once at most. */
static void take_front(scanner *s)
{
    static const char *const minus[] = {"-", "\xE2\x88\x92", NULL};
    for (int sign = 0;; s->p = skip_blanks(s->p)) {
        size_t currency = match_currency(s->p), negative = match(s->p, minus);
        if (currency && !s->currency) {
            s->currency = 1;
            s->p += currency;
        } else if (!sign && (negative || *s->p == '+')) {
            sign = 1;
            if (negative) put(s, '-');
            s->p += negative ? negative : 1;
        } else {
            return;
        }
    }
}

static int take_digits(scanner *s)
{
    int count = 0;
    for (; is_digit(*s->p); s->p++, count++) put(s, *s->p);
    return count;
}

/* The thousands after the first group of `first` digits; 0 if one is not of three digits. */
static int take_groups(scanner *s, int first, char leading)
{
    size_t size;
    while ((size = match_thousands(s->style, s->p)) > 0 && is_digit(s->p[size])) {
        if (first < 1 || first > 3 || leading == '0') return 0;
        s->p += size;
        if (take_digits(s) != 3) return 0;
    }
    return 1;
}

static int take_decimals(scanner *s)
{
    if (*s->p != s->style->decimal) return 0;
    put(s, '.');
    s->p++;
    return take_digits(s);
}

/* "e-05", as programs write small numbers. */
static int take_exponent(scanner *s)
{
    if (*s->p != 'e' && *s->p != 'E') return 1;
    put(s, *s->p++);
    if (*s->p == '-' || *s->p == '+') put(s, *s->p++);
    return take_digits(s) > 0;
}

static int take_number(scanner *s)
{
    char leading = *s->p;
    int whole = take_digits(s);
    if (!take_groups(s, whole, leading)) return 0;
    return whole + take_decimals(s) > 0 && take_exponent(s);
}

/* Percent or currency. */
static void take_back(scanner *s)
{
    s->p = skip_blanks(s->p);
    size_t currency = s->currency ? 0 : match_currency(s->p);
    s->p = skip_blanks(s->p + (*s->p == '%' ? 1 : currency));
}

static int read_decorated(const rls2__style *style, const char *text, double *value)
{
    scanner s = {.style = style, .p = skip_blanks(text)};
    int brackets = *s.p == '(';
    double number;
    if (brackets) s.p = skip_blanks(s.p + 1);
    take_front(&s);
    if (brackets && s.used > 0) return 0;
    if (!take_number(&s)) return 0;
    take_back(&s);
    if (brackets && *s.p++ != ')') return 0;
    if (*skip_blanks(s.p) != '\0' || s.used + 1 == sizeof s.plain) return 0;
    s.plain[s.used] = '\0';
    if (!rls2__number_read(s.plain, &number)) return 0;
    *value = brackets ? -number : number;
    return 1;
}

int rls2__style_read(const rls2__style *style, const char *text, double *value)
{
    switch (style->kind) {
    case RLS2__STYLE_DATE: return rls2__date_read(style->order, text, value, NULL);
    case RLS2__STYLE_DECORATED: return read_decorated(style, text, value);
    default: return rls2__number_read(text, value);
    }
}

int rls2__style_same(const rls2__style *a, const rls2__style *b)
{
    if (a->kind != b->kind) return 0;
    if (a->kind == RLS2__STYLE_DATE) return a->order == b->order;
    return a->kind == RLS2__STYLE_PLAIN ||
           (a->decimal == b->decimal && a->thousands == b->thousands);
}

/* ---- words ---- */

static const char *const orders[] = {"ymd", "dmy", "mdy"};

void rls2__style_word(const rls2__style *style, char word[RLS2__STYLE_WORD])
{
    const char thousands[] = {style->thousands, '\0'};
    if (style->kind == RLS2__STYLE_PLAIN)
        snprintf(word, RLS2__STYLE_WORD, "plain");
    else if (style->kind == RLS2__STYLE_DECORATED)
        snprintf(word, RLS2__STYLE_WORD, "1%s234%c5", thousands, style->decimal);
    else if (style->order == RLS2__DATE_TIME)
        snprintf(word, RLS2__STYLE_WORD, "time");
    else
        snprintf(word, RLS2__STYLE_WORD, "%s-%s", style->has_time ? "datetime" : "date",
                 orders[style->order]);
}

static int number_style_of(const char *word, rls2__style *style)
{
    char thousands = word[0] == '1' && word[1] != '2' ? word[1] : '\0';
    const char *rest = word[0] == '1' ? word + 1 + (thousands != '\0') : "";
    if (thousands && !strchr(",. '", thousands)) return 0;
    if (strncmp(rest, "234", 3) != 0 || (rest[3] != '.' && rest[3] != ',')) return 0;
    if (strcmp(rest + 4, "5") != 0 || rest[3] == thousands) return 0;
    *style =
        (rls2__style){.kind = RLS2__STYLE_DECORATED, .decimal = rest[3], .thousands = thousands};
    return 1;
}

static int date_style_of(const char *word, rls2__style *style)
{
    int has_time = strncmp(word, "datetime-", 9) == 0;
    if (!has_time && strncmp(word, "date-", 5) != 0) return 0;
    const char *order = word + (has_time ? 9 : 5);
    for (int k = 0; k < 3; k++)
        if (strcmp(order, orders[k]) == 0) {
            *style = (rls2__style){
                .kind = RLS2__STYLE_DATE, .order = (rls2__date_order)k, .has_time = has_time};
            return 1;
        }
    return 0;
}

int rls2__style_of_word(const char *word, rls2__style *style)
{
    if (strcmp(word, "plain") == 0) {
        *style = (rls2__style){.kind = RLS2__STYLE_PLAIN};
        return 1;
    }
    if (strcmp(word, "time") == 0) {
        *style = (rls2__style){.kind = RLS2__STYLE_DATE, .order = RLS2__DATE_TIME, .has_time = 1};
        return 1;
    }
    return number_style_of(word, style) || date_style_of(word, style);
}
