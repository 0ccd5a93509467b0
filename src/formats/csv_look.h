/* What the first lines of a CSV file tell about the rest. */
#ifndef RLS2_FORMATS_CSV_LOOK_H
#define RLS2_FORMATS_CSV_LOOK_H

#include "formats/read.h"

/* What is looked at: the first eleven lines that are not empty, and of those beyond the second only
 * what lies within 64 KiB. Where it ends; NULL if the text, which goes on, stops before. */
const char *rls2__csv_sample_end(const char *text, const char *end, int at_end);

/* How a text is read, where the options leave it open. */
typedef struct rls2__csv_look {
    char delimiter; /* ' ': runs of blanks */
    int header;     /* the first line holds the names, */
    int is_short;   /* of all columns but the first, which is row names */
} rls2__csv_look;

/* The text, after its mark, starts with the sample. The first line decides on the delimiter unless
 * it has several: then the one that cuts all lines into as many cells. It is a header unless it has
 * numbers in columns of numbers. */
rls2_status rls2__csv_look_at(const rls2_read_options *options, const char *text, int64_t length,
                              rls2__csv_look *look, rls2_error *err);

#endif
