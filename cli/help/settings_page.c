/* Settings of a plan as Markdown: their names everywhere, values, defaults and help. */
#include "cli/help/settings_page.h"

#include <stdio.h>
#include <string.h>

#include "rls2/settings.h"

enum { WIDTH = 98, ROOM = 1024 };

/* Words filled into lines of that width, the first after `at` characters, the others indented. */
static void fill(FILE *file, const char *text, int at)
{
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (at > 2 && at + 1 + length > WIDTH) {
            fputs("\n ", file);
            at = 1;
        }
        at += fprintf(file, " %.*s", length, text);
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', file);
}

static const char *told(const rls2_setting *s, rls2_setting_text which, char text[ROOM])
{
    rls2_setting_tell(s, which, RLS2_VOICE_COMMAND, text, ROOM);
    return text;
}

/* A flag that is on unless told otherwise is an option to switch it off; a switch has both. */
static void write_option(const rls2_setting *s, char option[ROOM])
{
    const char *name = rls2_setting_about(s, RLS2_SETTING_NAME);
    int is_on = strcmp(rls2_setting_about(s, RLS2_SETTING_DEFAULT), "true") == 0;
    if (rls2_setting_kind_of(s) == RLS2_SETTING_SWITCH)
        snprintf(option, ROOM, "--%s, --no-%s", name, name);
    else
        snprintf(option, ROOM, "--%s%s",
                 rls2_setting_kind_of(s) == RLS2_SETTING_FLAG && is_on ? "no-" : "", name);
}

/* "`--folds K`, `folds` in JSON, `cv` in Python; default 10." */
static void print_names(FILE *file, const rls2_setting *s)
{
    char option[ROOM], line[ROOM], plain[ROOM], value[ROOM];
    const char *choices = rls2_setting_about(s, RLS2_SETTING_CHOICES),
               *python = rls2_setting_about(s, RLS2_SETTING_PYTHON),
               *fallback = rls2_setting_about(s, RLS2_SETTING_DEFAULT);
    write_option(s, option);
    rls2_setting_tell(s, RLS2_SETTING_NAME, RLS2_VOICE_PLAIN, plain, ROOM);
    snprintf(value, sizeof value, "%s", *choices ? choices : told(s, RLS2_SETTING_VALUE, line));
    int used = snprintf(line, sizeof line, "**`%s%s%s`**, `%s` on the page", option,
                        *value ? " " : "", value, plain);
    if (*python)
        used += snprintf(line + used, sizeof line - (size_t)used, ", `%s` in Python", python);
    snprintf(line + used, sizeof line - (size_t)used, *fallback ? "; default `%s`." : ".",
             fallback);
    fputc('-', file);
    fill(file, line, 1);
}

static void print_setting(FILE *file, const rls2_setting *s)
{
    char sentence[ROOM], help[ROOM], whole[2 * ROOM];
    print_names(file, s);
    told(s, RLS2_SETTING_SENTENCE, sentence);
    told(s, RLS2_SETTING_HELP, help);
    snprintf(whole, sizeof whole, "%s%s%s", sentence, *help ? " " : "", help);
    fputc(' ', file);
    fill(file, whole, 1);
}

void settings_page(void *file)
{
    const char *section = "";
    fputs("# Settings\n\nWhat a fit can be asked for, by the command, the page, Python and the "
          "library\n(`rls2_plan_set`). Written by `rls2 help --settings`.\n",
          file);
    for (int64_t i = 0; i < rls2_setting_count(); i++) {
        const rls2_setting *s = rls2_setting_at(i);
        const char *own = rls2_setting_about(s, RLS2_SETTING_SECTION);
        if (strcmp(own, section) != 0) fprintf(file, "\n## %s\n\n", own);
        section = own;
        print_setting(file, s);
    }
}
