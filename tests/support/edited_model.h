/* Model files as bytes, and changed with a checksum that is right again. */
#ifndef RLS2_TESTS_SUPPORT_EDITED_MODEL_H
#define RLS2_TESTS_SUPPORT_EDITED_MODEL_H

#include <jansson.h>

#include "modelfile/format.h"
#include "support/saved_model.h"

typedef struct packed {
    unsigned char *bytes;
    int64_t length;
} packed;

packed pack(const rls2_model *model);
/* The case of that name; made once more where a test changes it. */
packed pack_case(const char *name);

/* The bytes are no model: refused with a message that names the file. */
void assert_refused(const unsigned char *bytes, int64_t length, rls2_error *err);
void assert_message(const rls2_error *err, const char *part);

/* Header and description as JSON, and the data; written back with lengths and checksum that fit. */
typedef struct edited {
    json_t *header;
    json_t *description;
    packed original;
    const unsigned char *data;
    int64_t data_length;
} edited;

edited edit(const char *name);
/* The bytes become the edited model's. */
edited edit_packed(packed original);
void edit_free(edited *e);
packed edit_pack(const edited *e);
/* For another reason than the checksum; `message` is a part of it, or NULL. */
void assert_edit_refused(const edited *e, const char *what, const char *message);
/* Element `index` of the array replaced. */
void set_element(edited *e, const char *array, int64_t index, const void *word);

#endif
