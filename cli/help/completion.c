/* Completion scripts for bash and zsh. */
#include "cli/help/completion.h"

#include <stdio.h>
#include <string.h>

#include "cli/help/topics.h"
#include "cli/option.h"

static const char HELP_WORDS[] = "--man --bash --zsh --settings";

static void print_commands(FILE *file)
{
    for (int i = 0; COMMANDS[i]; i++) fprintf(file, "%s ", COMMANDS[i]->name);
}

static void print_topics(FILE *file)
{
    for (const topic *t = TOPICS; t->name; t++) fprintf(file, "%s ", t->name);
}

/* The choices "a|b|c" as "a b c". */
static void print_choices(FILE *file, const char *choices)
{
    for (; *choices; choices++) fputc(*choices == '|' ? ' ' : *choices, file);
}

/* ---- bash ---- */

/* Works without the package bash-completion, and with the bash 3.2 of macOS. */
static const char BASH_HEAD[] = "# bash completion for rls2, written by 'rls2 help --bash'\n\n"
                                "_rls2_words() # WORD...: those that begin as what was typed\n"
                                "{\n"
                                "    local IFS=$' \\t\\n'\n"
                                "    COMPREPLY=($(compgen -W \"$*\" -- \"$cur\"))\n"
                                "}\n\n"
                                "_rls2_files()\n"
                                "{\n"
                                "    local IFS=$'\\n'\n"
                                "    compopt -o filenames 2>/dev/null\n"
                                "    COMPREPLY=($(compgen -f -- \"$cur\"))\n"
                                "}\n\n"
                                "_rls2()\n"
                                "{\n"
                                "    local cur=${COMP_WORDS[COMP_CWORD]} "
                                "prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
                                "    COMPREPLY=()\n"
                                "    # --name=value comes as three words\n"
                                "    if [ \"$cur\" = = ]; then\n"
                                "        cur=\n"
                                "    elif [ \"$prev\" = = ] && [ \"$COMP_CWORD\" -gt 2 ]; then\n"
                                "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
                                "    fi\n";

static void bash_value(FILE *file, const command *c, const option *o)
{
    if (!option_takes_value(o)) return;
    fprintf(file, "    %s:--%s", c->name, o->name);
    if (o->letter) fprintf(file, "|%s:-%c", c->name, o->letter);
    fputs(") ", file);
    if (o->kind == OPTION_CHOICE) {
        fputs("_rls2_words '", file);
        print_choices(file, o->value);
        fputs("'", file);
    } else {
        fputs(o->kind == OPTION_FILE ? "_rls2_files" : "return", file);
    }
    fputs(" ;;\n", file);
}

static void bash_values(FILE *file, const command *c)
{
    const option *o;
    for (int i = 0; (o = option_at(i)); i++)
        if (o->commands & c->bit) bash_value(file, c, o);
}

static void bash_options(FILE *file, const command *c)
{
    fprintf(file, "    %s:*:-*) _rls2_words '", c->name);
    const option *o;
    for (int i = 0; (o = option_at(i)); i++) {
        if (!(o->commands & c->bit)) continue;
        fprintf(file, "--%s ", o->name);
        if (o->kind == OPTION_SWITCH) fprintf(file, "--no-%s ", o->name);
    }
    fputs("--help' ;;\n", file);
}

static void bash_words(FILE *file, const command *c)
{
    if (c->words) fprintf(file, "    %s:*) _rls2_words '%s' ;;\n", c->name, c->words);
}

void completion_bash(void *file)
{
    fputs(BASH_HEAD, file);
    fputs("    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        _rls2_words '", file);
    print_commands(file);
    fputs("help --help --version'\n        return\n    fi\n    case $command:$prev in\n", file);
    for (int i = 0; COMMANDS[i]; i++) bash_values(file, COMMANDS[i]);
    fputs("    *) _rls2_others ;;\n"
          "    esac\n"
          "}\n\n"
          "_rls2_others() # neither the command nor the value of an option\n"
          "{\n"
          "    case $command:$prev:$cur in\n",
          file);
    for (int i = 0; COMMANDS[i]; i++) bash_options(file, COMMANDS[i]);
    for (int i = 0; COMMANDS[i]; i++) bash_words(file, COMMANDS[i]);
    fprintf(file, "    help:help:-*) _rls2_words '%s' ;;\n    help:*) _rls2_words '", HELP_WORDS);
    print_commands(file);
    print_topics(file);
    fputs("' ;;\n    *) _rls2_files ;;\n    esac\n}\n\ncomplete -F _rls2 rls2\n", file);
}

/* ---- zsh ---- */

/* Within single quotes, where _arguments and _describe give a meaning to colons and brackets. */
static void zsh_text(FILE *file, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'')
            fputs("'\\''", file);
        else if (strchr(":[]\\", text[i]))
            fprintf(file, "\\%c", text[i]);
        else
            fputc(text[i], file);
    }
}

/* Length of the first sentence, without its full stop. */
static size_t first_sentence(const char *text)
{
    const char *stop = strstr(text, ". ");
    size_t length = stop ? (size_t)(stop - text) : strlen(text);
    return length > 0 && text[length - 1] == '.' ? length - 1 : length;
}

/* The names of the option, and which others it excludes: "'(-o --output)'{-o+,--output=}". */
static void zsh_names(FILE *file, const option *o, const char *prefix)
{
    const char *equals = option_takes_value(o) ? "=" : "", *plus = *equals ? "+" : "";
    if (o->letter && o->kind == OPTION_LIST)
        fprintf(file, "'*'{-%c%s,--%s%s}'", o->letter, plus, o->name, equals);
    else if (o->letter)
        fprintf(file, "'(-%c --%s)'{-%c%s,--%s%s}'", o->letter, o->name, o->letter, plus, o->name,
                equals);
    else
        fprintf(file, "'%s--%s%s%s", o->kind == OPTION_LIST ? "*" : "", prefix, o->name, equals);
}

/* prefix: "no-" of a switch that is turned off. */
static void zsh_option(FILE *file, const option *o, const char *prefix)
{
    char help[2000];
    option_help(o, help, sizeof help);
    fputs(" \\\n            ", file);
    zsh_names(file, o, prefix);
    fputs(*prefix ? "[Not: " : "[", file);
    zsh_text(file, help, first_sentence(help));
    fputc(']', file);
    if (option_takes_value(o)) {
        const char *meaning = o->kind == OPTION_CHOICE ? o->name : o->value;
        fputc(':', file);
        zsh_text(file, meaning, strlen(meaning));
        fputc(':', file);
    }
    if (o->kind == OPTION_CHOICE) {
        fputc('(', file);
        print_choices(file, o->value);
        fputc(')', file);
    } else if (option_takes_value(o)) {
        fputs(o->kind == OPTION_FILE ? "_files" : " ", file);
    }
    fputc('\'', file);
}

static void zsh_command(FILE *file, const command *c)
{
    const option *o;
    fprintf(file, "    %s)\n        _arguments -s", c->name);
    for (int i = 0; (o = option_at(i)); i++) {
        if (!(o->commands & c->bit)) continue;
        zsh_option(file, o, "");
        if (o->kind == OPTION_SWITCH) zsh_option(file, o, "no-");
    }
    fputs(" \\\n            '(- *)'{-h,--help}'[Print help]'", file);
    if (c->words)
        fprintf(file, " \\\n            '*:name:(%s)'", c->words);
    else if (c->most > 0)
        fputs(" \\\n            '*:file:_files'", file);
    fputs(" ;;\n", file);
}

static void zsh_summaries(FILE *file)
{
    fputs("    commands=(\n", file);
    for (int i = 0; COMMANDS[i]; i++) {
        fprintf(file, "        '%s:", COMMANDS[i]->name);
        zsh_text(file, COMMANDS[i]->summary, strlen(COMMANDS[i]->summary));
        fputs("'\n", file);
    }
    fputs("        'help:tell more about a command or a topic'\n    )\n", file);
}

void completion_zsh(void *file)
{
    fputs("#compdef rls2\n"
          "# zsh completion for rls2, written by 'rls2 help --zsh'\n\n"
          "_rls2() {\n"
          "    local -a commands\n",
          file);
    zsh_summaries(file);
    fputs("    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $words[1] in\n",
          file);
    for (int i = 0; COMMANDS[i]; i++) zsh_command(file, COMMANDS[i]);
    fputs("    help) compadd -- ", file);
    print_commands(file);
    print_topics(file);
    fputs(";;\n    esac\n}\n\n_rls2 \"$@\"\n", file);
}
