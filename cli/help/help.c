/* What a person reads. */
#include "cli/help/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/console.h"
#include "cli/did_you_mean.h"
#include "cli/help/completion.h"
#include "cli/help/settings_page.h"
#include "cli/help/manual.h"
#include "cli/help/topics.h"
#include "cli/option.h"
#include "cli/output.h"
#ifdef RLS2_GUI
#include "gui/server/page.h"
#endif

enum { NARROWEST = 72, WIDEST = 100, HELP_COLUMN = 26 };

const char HELP_ABOUT[] =
    "rls2 learns to predict one column of a table from the others. It selects the columns and "
    "kernels that are needed, and proves how close each answer is to the optimum.";

const char HELP_QUICK_START[] =
    "$ rls2 cv data/housing.csv -t MEDV                             # how well?\n"
    "$ rls2 train data/housing.csv -t MEDV -o my.model\n"
    "$ rls2 show my.model                                           # what matters\n"
    "$ rls2 predict my.model data/housing.csv -o predictions.csv    # use it\n";

/* ---- filling ---- */

static int page_width(FILE *file)
{
    int width = console_width(file);
    return width < NARROWEST ? NARROWEST : width > WIDEST ? WIDEST : width;
}

/* Length of the word at `text`; a phrase in quotes, such as 'rls2 help', is one word. */
static int word_length(const char *text, const char *end)
{
    const char *close = text[0] == '\'' ? strchr(text + 1, '\'') : NULL;
    size_t quoted = close && close - text < 40 ? (size_t)(close - text) : 0;
    size_t length = quoted + strcspn(text + quoted, " \n");
    return (int)(length > (size_t)(end - text) ? (size_t)(end - text) : length);
}

/* Words of text[0 .. length) in lines from column `indent` on; the cursor stands at column `at`,
 * and at the start of a line afterwards. */
static void fill(FILE *file, const char *text, size_t length, int at, int indent)
{
    int width = page_width(file), start = 1;
    const char *end = text + length;
    while (text < end) {
        int word = word_length(text, end);
        if (word > 0) {
            if (!start && at + 1 + word > width) {
                fputc('\n', file);
                at = 0;
                start = 1;
            }
            at += start ? fprintf(file, "%*s%.*s", at < indent ? indent - at : 0, "", word, text)
                        : fprintf(file, " %.*s", word, text);
            start = 0;
        }
        text += word + (text + word < end);
    }
    fputc('\n', file);
}

/* Lines as they stand, moved to the right. */
static void print_lines(FILE *file, const char *text, size_t length, int indent)
{
    const char *end = text + length;
    while (text < end) {
        int line = (int)strcspn(text, "\n");
        if (line > end - text) line = (int)(end - text);
        fprintf(file, "%*s%.*s\n", line > 0 ? indent : 0, "", line, text);
        text += line + 1;
    }
}

static void print_paragraphs(FILE *file, const char *text)
{
    while (*text) {
        const char *gap = strstr(text, "\n\n");
        size_t length = gap ? (size_t)(gap - text) : strlen(text);
        if (text[0] == ' ')
            print_lines(file, text, length, 0);
        else
            fill(file, text, length, 0, 0);
        text += length;
        while (*text == '\n') text++;
        if (*text) fputc('\n', file);
    }
}

/* ---- a command ---- */

/* What an option takes, from column `at` on; a list of choices goes on below its beginning where a
 * line is full. Returns the column behind it. */
static int print_value(FILE *file, const char *value, int at)
{
    int width = page_width(file), column = at;
    while (*value) {
        int word = (int)strcspn(value, "|") + 1;
        if (value[word - 1] == '\0') word--;
        if (column > at && column + word > width) column = fprintf(file, "\n%*s", at, "") - 1;
        column += fprintf(file, "%.*s", word, value);
        value += word;
    }
    return column;
}

static void print_option(FILE *file, const option *o)
{
    char help[2000], letter[8] = "   ";
    if (o->letter) snprintf(letter, sizeof letter, "-%c,", o->letter);
    int at = fprintf(file, "  %s --%s", letter, o->name);
    if (o->value) at = print_value(file, o->value, at + fprintf(file, " "));
    if (o->kind == OPTION_SWITCH) at += fprintf(file, ", --no-%s", o->name);
    if (at + 2 > HELP_COLUMN) {
        fputc('\n', file);
        at = 0;
    }
    option_help(o, help, sizeof help);
    fill(file, help, strlen(help), at, HELP_COLUMN);
}

static void print_options(FILE *file, const command *c)
{
    const char *section = "";
    const option *o;
    for (int i = 0; (o = option_at(i)); i++) {
        if (!(o->commands & c->bit)) continue;
        if (strcmp(section, o->section) != 0) fprintf(file, "\n%s:\n", o->section);
        section = o->section;
        print_option(file, o);
    }
    static const option help = {.name = "help", .letter = 'h', .help = "Print this text."};
    print_option(file, &help);
}

void help_command(const command *c, void *file)
{
    fprintf(file, "usage: rls2 %s %s%s[OPTION ...]\n\n", c->name, c->arguments,
            c->arguments[0] ? " " : "");
    print_paragraphs(file, c->description);
    fputs("\nExamples:\n", file);
    print_lines(file, c->examples, strlen(c->examples), 2);
    print_options(file, c);
}

/* ---- all of it ---- */

static void print_summaries(FILE *file)
{
    fputs("\nCommands:\n", file);
    for (int i = 0; COMMANDS[i]; i++) {
        int at = fprintf(file, "  %-12s", COMMANDS[i]->name);
        fill(file, COMMANDS[i]->summary, strlen(COMMANDS[i]->summary), at, 14);
    }
    fputs("\nFurther topics:\n", file);
    for (const topic *t = TOPICS; t->name; t++) fprintf(file, "  %-12s%s\n", t->name, t->summary);
}

void help_overview(void *file)
{
    fputs("usage: rls2 COMMAND [ARGUMENT ...] [OPTION ...]\n\n", file);
    fill(file, HELP_ABOUT, strlen(HELP_ABOUT), 0, 0);
    fputs("\nQuick start:\n", file);
    print_lines(file, HELP_QUICK_START, strlen(HELP_QUICK_START), 2);
    print_summaries(file);
    fputs("\n"
          "'rls2 help COMMAND' or 'rls2 COMMAND --help' tells more, 'rls2 help TOPIC'\n"
          "likewise; 'rls2 --version' prints the version.\n",
          file);
}

/* ---- rls2 help ... ---- */

int help_unknown(const char *name)
{
    suggestion near = suggest_for(name, strlen(name));
    for (int i = 0; COMMANDS[i]; i++) suggest_offer(&near, COMMANDS[i]->name);
    suggest_offer(&near, "help");
    if (near.nearest)
        say_error(NULL, "there is no command '%s'; did you mean '%s'? 'rls2 help' lists them", name,
                  near.nearest);
    else
        say_error(NULL, "there is no command '%s'; 'rls2 help' lists them", name);
    return EXIT_USAGE;
}

/* Whoever has the command alone has the notices of what is embedded in it. */
static void print_notices(FILE *file)
{
#ifdef RLS2_GUI
    fputc('\n', file);
    fwrite(gui_notices, 1, gui_notices_length, file);
#else
    fputs("\nThis command was built without the page.\n", file);
#endif
}

static void help_topic(const topic *t)
{
    print_paragraphs(stdout, t->text);
    if (strcmp(t->name, "licences") == 0) print_notices(stdout);
}

static int help_about(const char *name)
{
    const command *c = command_find(name);
    const topic *t = topic_find(name);
    if (c)
        help_command(c, stdout);
    else if (t)
        help_topic(t);
    else if (strcmp(name, "help") == 0)
        help_overview(stdout);
    else
        return help_unknown(name);
    return EXIT_OK;
}

static int manual_about(const char *name)
{
    const command *c = name ? command_find(name) : NULL;
    if (name && !c) return help_unknown(name);
    manual_print(c, stdout);
    return EXIT_OK;
}

int help_main(int argc, char **argv)
{
    static const settings none = {.command = "help"};
    output out;
    const char *what = argc > 0 ? argv[0] : NULL;
    int manual = what && strcmp(what, "--man") == 0, code = EXIT_OK;
    if (argc > 1 + manual) {
        say_error(&none, "'%s' is one argument too many; usage: rls2 help [COMMAND|TOPIC]",
                  argv[1 + manual]);
        return EXIT_USAGE;
    }
    output_open(&none, NULL, &out);
    if (!what || strcmp(what, "--help") == 0 || strcmp(what, "-h") == 0)
        help_overview(stdout);
    else if (manual)
        code = manual_about(argc > 1 ? argv[1] : NULL);
    else if (strcmp(what, "--bash") == 0)
        completion_bash(stdout);
    else if (strcmp(what, "--zsh") == 0)
        completion_zsh(stdout);
    else if (strcmp(what, "--settings") == 0)
        settings_page(stdout);
    else
        code = help_about(what);
    int written = output_close(&none, &out, 1);
    return code != EXIT_OK ? code : written;
}
