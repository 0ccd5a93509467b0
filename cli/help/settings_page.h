/* The page of settings. */
#ifndef RLS2_CLI_HELP_SETTINGS_PAGE_H
#define RLS2_CLI_HELP_SETTINGS_PAGE_H

/* All settings of a plan as Markdown: docs/SETTINGS.md. file: a FILE. */
void settings_page(void *file);

#endif
