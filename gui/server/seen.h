/* Rows of a table as a model sees them, and what it says of them. */
#ifndef RLS2_GUI_SEEN_H
#define RLS2_GUI_SEEN_H

#include "gui/server/fault.h"
#include "rls2/model.h"

typedef struct seen {
    rls2_dataset *data;
    int64_t n, outputs;
    double *said;     /* n x outputs, on the scale of the loss: what contributions add up to */
    double *f;        /* the same on the scale of the response */
    int64_t *classes; /* NULL for numbers */
} seen;

/* seen_free in either case. */
int see(const rls2_model *model, const rls2_table *table, rls2_missing missing,
        rls2_response response, seen *s, fault *f);
void seen_free(seen *s);
/* What becomes of missing cells of new rows, as the command has it: a model that was strict stays
 * so. */
rls2_missing seen_missing(const rls2_model *model);

#endif
