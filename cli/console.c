#include "cli/console.h"

#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

void say_error(const settings *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (s && s->command)
        fprintf(stderr, "rls2 %s: ", s->command);
    else
        fputs("rls2: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void say(const settings *s, const char *format, ...)
{
    va_list arguments;
    if (s->quiet) return;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

int fail(const settings *s, const rls2_error *err)
{
    say_error(s, "%s", err->message[0] ? err->message : rls2_status_text(err->status));
    return err->status == RLS2_ERR_CANCELLED ? EXIT_INTERRUPTED : EXIT_FAILED;
}

int console_width(void *file)
{
    struct winsize size;
    int known = ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

/* A byte that begins a character: not one that continues it. */
static int is_start(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

int text_width(const char *text)
{
    int width = 0;
    for (; *text; text++) width += is_start(*text);
    return width;
}

size_t text_start(const char *text, int width)
{
    size_t length = 0;
    for (; text[length]; length++)
        if (is_start(text[length]) && width-- == 0) break;
    return length;
}

void print_padded(void *file, int width, int cut, const char *text)
{
    int room = abs(width), all = text_width(text), used = cut && all > room ? room : all;
    int blanks = room > used ? room - used : 0;
    if (width > 0) fprintf(file, "%*s", blanks, "");
    fwrite(text, 1, text_start(text, used), file);
    if (width < 0) fprintf(file, "%*s", blanks, "");
}

int console_utf8(void *file)
{
    if (!isatty(fileno(file))) return 0;
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (!locale) return 0;
    int yes = strcasecmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return yes;
}

int out_of_memory(const settings *s)
{
    say_error(s, "out of memory");
    return EXIT_FAILED;
}
