#include "cli/console.h"

#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
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
