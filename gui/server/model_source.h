/* The model that a request is about: of a file that was opened (/api/models/ID...), or of one
 * lambda of a run (/api/runs/ID/.../I). */
#ifndef RLS2_GUI_MODEL_SOURCE_H
#define RLS2_GUI_MODEL_SOURCE_H

#include "gui/server/http.h"

typedef struct model_source {
    run *run;     /* NULL of a file */
    cached *item; /* borrowed */
    const rls2_model *model;
    int next; /* the first parameter of the path that does not name the model */
} model_source;

/* model_release in either case. */
int model_borrow(request *r, model_source *from, fault *f);
void model_release(request *r, model_source *from);
/* Bytes of a file, checked: a model that knows how to read a table. */
int model_unpack(const char *name, const void *bytes, size_t length, rls2_model **model, fault *f);

#endif
