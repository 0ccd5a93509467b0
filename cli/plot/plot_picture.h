/* Making a picture: the order of its points, its title, and texts that are safe to show. */
#ifndef RLS2_CLI_PLOT_PLOT_PICTURE_H
#define RLS2_CLI_PLOT_PLOT_PICTURE_H

#include "cli/plot/plot_result.h"

/* EXIT_OK, or EXIT_FAILED or EXIT_USAGE with a message. */
int picture_of_result(const settings *s, picture_kind kind, const result *r, picture *p);
/* Of that kind, with its title. picture_free in any case. */
int picture_start(const settings *s, picture_kind kind, picture *p);
void picture_free(picture *p);
/* The picture is about one output of several: the title says so, unless another was asked for. */
int picture_set_output(const settings *s, picture *p, const char *name);
/* Adds to the title, unless another was asked for. */
int picture_add_title(const settings *s, picture *p, const char *text);
const char *picture_kind_name(picture_kind kind);
/* Room for `count` more series of p->points zeros; NULL (said) if memory is out. */
series *picture_series(const settings *s, picture *p, int64_t count);
/* A copy that is safe to show: escaped (rls2_text_escape), and what is longer than `most`
 * characters ends in an ellipsis. NULL if memory is out. */
char *shown_text(const char *text, int64_t most);
/* The same for a name; the name itself, where JSON was asked for. */
char *picture_text(const settings *s, const char *text);

#endif
