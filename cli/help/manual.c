/* Man pages, in troff with the macros of man(7). */
#include "cli/help/manual.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/help/help.h"
#include "cli/help/topics.h"
#include "cli/option.h"
#include "rls2/rls2.h"

/* ---- text ---- */

/* Characters that troff would make something else of. `start`: at the start of a line, where a dot
 * or a quote makes a request. */
static void print_character(FILE *file, char c, int start)
{
    switch (c) {
    case '\\': fputs("\\e", file); break;
    case '-': fputs("\\-", file); break;
    case '\'': fputs("\\(aq", file); break;
    case '^': fputs("\\(ha", file); break;
    case '~': fputs("\\(ti", file); break;
    case '`': fputs("\\(ga", file); break;
    case '.': fputs(start ? "\\&." : ".", file); break;
    default: fputc(c, file);
    }
}

static void print_text(FILE *file, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        print_character(file, text[i], i == 0 || text[i - 1] == '\n');
}

static void print_line(FILE *file, const char *text)
{
    print_text(file, text, strlen(text));
    fputc('\n', file);
}

/* Lines that are not filled. */
static void print_example(FILE *file, const char *text, size_t length)
{
    fputs(".PP\n.EX\n", file);
    print_text(file, text, length);
    fputs(length > 0 && text[length - 1] == '\n' ? ".EE\n" : "\n.EE\n", file);
}

static void print_paragraphs(FILE *file, const char *text)
{
    while (*text) {
        const char *gap = strstr(text, "\n\n");
        size_t length = gap ? (size_t)(gap - text) : strlen(text);
        if (text[0] == ' ') {
            print_example(file, text, length);
        } else {
            fputs(".PP\n", file);
            print_text(file, text, length);
            fputc('\n', file);
        }
        text += length;
        while (*text == '\n') text++;
    }
}

static void print_capitals(FILE *file, const char *text)
{
    for (; *text; text++)
        print_character(file, *text == '-' ? ' ' : (char)toupper((unsigned char)*text), 0);
}

static void print_title(FILE *file, const char *name)
{
    fputs(".TH ", file);
    for (const char *at = name; *at; at++)
        print_character(file, (char)toupper((unsigned char)*at), 0);
    fprintf(file, " 1 \"\" \"rls2 %s\" \"User Commands\"\n.SH NAME\n", rls2_version());
    print_text(file, name, strlen(name));
    fputs(" \\- ", file);
}

/* ---- a command ---- */

/* "\fB\-o\fR, \fB\-\-output\fR \fIFILE\fR" */
static void print_option(FILE *file, const option *o)
{
    char help[2000];
    fputs(".TP\n", file);
    if (o->letter) fprintf(file, "\\fB\\-%c\\fR, ", o->letter);
    fputs("\\fB\\-\\-", file);
    print_text(file, o->name, strlen(o->name));
    fputs("\\fR", file);
    if (o->value) {
        const char *face = o->kind == OPTION_CHOICE ? "B" : "I";
        fprintf(file, " \\f%s", face);
        print_text(file, o->value, strlen(o->value));
        fputs("\\fR", file);
    }
    if (o->kind == OPTION_SWITCH) {
        fputs(", \\fB\\-\\-no\\-", file);
        print_text(file, o->name, strlen(o->name));
        fputs("\\fR", file);
    }
    fputc('\n', file);
    option_help(o, help, sizeof help);
    print_line(file, help);
}

static void print_options(FILE *file, const command *c)
{
    const char *section = "";
    const option *o;
    fputs(".SH OPTIONS\n", file);
    for (int i = 0; (o = option_at(i)); i++) {
        if (!(o->commands & c->bit)) continue;
        if (strcmp(section, o->section) != 0) fprintf(file, ".SS %s\n", o->section);
        section = o->section;
        print_option(file, o);
    }
    static const option help = {
        .name = "help", .letter = 'h', .help = "Print a summary of this page."};
    print_option(file, &help);
}

static void print_command(FILE *file, const command *c)
{
    char name[64];
    snprintf(name, sizeof name, "rls2-%s", c->name);
    print_title(file, name);
    print_line(file, c->summary);
    fprintf(file, ".SH SYNOPSIS\n\\fBrls2 %s\\fR ", c->name);
    if (c->arguments[0]) fprintf(file, "\\fI%s\\fR ", c->arguments);
    fputs("[\\fIOPTION\\fR ...]\n.SH DESCRIPTION\n", file);
    print_paragraphs(file, c->description);
    print_options(file, c);
    fputs(".SH EXAMPLES\n", file);
    print_example(file, c->examples, strlen(c->examples));
    fputs(".SH EXIT STATUS\n"
          "0 if what was asked is done, 1 if the work failed, 2 if the command line is wrong, "
          "130 if it was stopped by Ctrl\\-C.\n"
          ".SH SEE ALSO\n"
          ".BR rls2 (1)\n",
          file);
}

/* ---- rls2 ---- */

static void print_commands(FILE *file)
{
    fputs(".SH COMMANDS\n", file);
    for (int i = 0; COMMANDS[i]; i++) {
        fprintf(file, ".TP\n.BR rls2\\-%s (1)\n", COMMANDS[i]->name);
        print_line(file, COMMANDS[i]->summary);
    }
    fputs(".TP\n"
          "\\fBrls2 help\\fR [\\fICOMMAND\\fR|\\fITOPIC\\fR]\n"
          "print help: of a command, or on one of the topics below\n"
          ".TP\n"
          "\\fBrls2 \\-\\-version\\fR\n"
          "print the version\n",
          file);
}

static void print_overview(FILE *file)
{
    print_title(file, "rls2");
    fputs("learn a predictor and its kernel together, with a certificate\n"
          ".SH SYNOPSIS\n"
          "\\fBrls2\\fR \\fICOMMAND\\fR [\\fIARGUMENT\\fR ...] [\\fIOPTION\\fR ...]\n"
          ".SH DESCRIPTION\n",
          file);
    print_paragraphs(file, HELP_ABOUT);
    print_example(file, HELP_QUICK_START, strlen(HELP_QUICK_START));
    print_commands(file);
    for (const topic *t = TOPICS; t->name; t++) {
        fputs(".SH ", file);
        print_capitals(file, t->name);
        fputc('\n', file);
        print_paragraphs(file, t->text);
    }
}

void manual_print(const command *c, void *file)
{
    if (c)
        print_command(file, c);
    else
        print_overview(file);
}
