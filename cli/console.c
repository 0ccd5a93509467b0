/* Messages on stderr, and names printed so that they cannot command the terminal. */
#include "cli/console.h"

#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "experiments/escape.h"

/* A message is a line: whatever names stand in it, they neither end it nor command the terminal. */
static void put_line(const char *format, va_list arguments)
{
    char *line = NULL;
    if (vasprintf(&line, format, arguments) < 0) line = NULL;
    escape_text(stderr, line ? line : "out of memory for a message");
    fputc('\n', stderr);
    free(line);
}

void say_error(const settings *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (s && s->command)
        fprintf(stderr, "rls2 %s: ", s->command);
    else
        fputs("rls2: ", stderr);
    put_line(format, arguments);
    va_end(arguments);
}

void say(const settings *s, const char *format, ...)
{
    va_list arguments;
    if (s->quiet) return;
    va_start(arguments, format);
    put_line(format, arguments);
    va_end(arguments);
}

void say_more(const char *lines)
{
    lines += *lines == '\n';
    while (*lines) {
        char *line = strndup(lines, strcspn(lines, "\n"));
        escape_text(stderr, line ? line : "");
        fputc('\n', stderr);
        free(line);
        lines += strcspn(lines, "\n");
        lines += *lines == '\n';
    }
}

int fail_option(const settings *s, const char *option, const rls2_error *err)
{
    const char *message = err->message[0] ? err->message : rls2_status_text(err->status);
    size_t first = strcspn(message, "\n");
    say_error(s, "%s%s%s%.*s", option ? "--" : "", option ? option : "", option ? ": " : "",
              (int)first, message);
    say_more(message + first);
    return err->status == RLS2_ERR_CANCELLED ? EXIT_INTERRUPTED : EXIT_FAILED;
}

int fail(const settings *s, const rls2_error *err)
{
    return fail_option(s, NULL, err);
}

/* Is the error about a text that is taken apart, and not about the data? */
static int is_about_text(const rls2_plan *plan, const rls2_error *err)
{
    const char *fault = rls2_plan_fault(plan);
    if (!fault || err->status == RLS2_ERR_MEMORY) return 0;
    /* of a loss that there is, the data may be none of its responses */
    rls2_loss losses[RLS2_LOSS_LEVELS];
    int64_t count;
    if (strcmp(fault, "loss") == 0)
        return rls2_losses_parse(rls2_plan_get(plan, "loss", 0), losses, &count, NULL) != RLS2_OK;
    return strcmp(fault, "kernels") == 0 || strcmp(fault, "lambdas") == 0 ||
           strcmp(fault, "class-weights") == 0;
}

int fail_plan(const settings *s, const rls2_error *err)
{
    int code = fail(s, err);
    if (err->status == RLS2_ERR_ARGUMENT || err->status == RLS2_ERR_NAME) return EXIT_USAGE;
    return is_about_text(s->plan, err) ? EXIT_USAGE : code;
}

int console_width(void *file)
{
    struct winsize size;
    int known = ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

int text_width(const char *text)
{
    return escape_width(text);
}

size_t text_start(const char *text, int width)
{
    size_t length = 0;
    for (; text[length]; length++)
        if (((unsigned char)text[length] & 0xC0) != 0x80 && width-- == 0) break;
    return length;
}

void print_padded(void *file, int width, int cut, const char *text)
{
    int room = abs(width), all = text_width(text), used = cut && all > room ? room : all;
    int blanks = room > used ? room - used : 0;
    char *shown = escape_copy(text);
    if (width > 0) fprintf(file, "%*s", blanks, "");
    if (shown) fwrite(shown, 1, text_start(shown, used), file);
    if (width < 0) fprintf(file, "%*s", blanks, "");
    free(shown);
}

void print_names(void *file, const char *format, ...)
{
    int before = format[0] == '\n', behind = format[strlen(format) - 1] == '\n';
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0) return;
    if (before) fputc('\n', file);
    text[length - behind] = '\0';
    escape_text(file, text + before);
    if (behind) fputc('\n', file);
    free(text);
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

counted count_of(int64_t count, const char *noun)
{
    counted made;
    snprintf(made.text, sizeof made.text, "%" PRId64 " %s%s", count, noun, count == 1 ? "" : "s");
    return made;
}
