/* In how many splits kernels and inputs were selected, for `show`. */
#ifndef RLS2_CLI_SELECTION_REPORT_H
#define RLS2_CLI_SELECTION_REPORT_H

#include "cli/importance.h"
#include "cli/json.h"

/* Counts for the kernels and inputs of the list. EXIT_OK, or the exit code after a message. */
int selections_collect(const settings *s, const rls2_model *model, importances *all);

/* "9 of 10"; "" where that is not known. */
typedef struct selected_words {
    char text[48];
} selected_words;
selected_words selected_in(const importances *all, int64_t selected);
/* The column of a table of kernels: its heading where at is NULL. Nothing where it is not known. */
void print_selected(FILE *file, const importances *all, const importance *at);
/* "(4 kernels, in 10 of 10 splits)" behind an input. */
void print_selected_input(FILE *file, const importances *all, const importance *at);
/* Kernels that at least half of the splits selected although the model did not. */
void print_often_selected(const settings *s, FILE *file, const rls2_model *model);

/* "selected_in": so many splits; nothing where that is not known. */
void json_selected_in(json *j, const importances *all, const importance *at);
/* "selected_by_splits": kernels that splits selected and the model did not. */
void json_selected_by_splits(json *j, const rls2_model *model);

#endif
