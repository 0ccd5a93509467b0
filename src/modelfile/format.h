/* Files of models, and of statistics: what their writers and readers agree on. docs/FORMAT.md
 * describes them.
 *
 *   pack_description.c   what a model is becomes JSON
 *   pack.c               a model becomes bytes
 *   array_list.c         arrays and a description become bytes
 *   container.c          bytes become arrays and a description, checked as far as that can be done
 *                        without knowing what they mean
 *   fields.c             reading the description field by field
 *   unpack.c             arrays and description become a model, all values checked,
 *   unpack_compact.c     the blocks of a compact one,
 *   unpack_data.c        and how its rows were made from a table */
#ifndef RLS2_MODELFILE_FORMAT_H
#define RLS2_MODELFILE_FORMAT_H

#include <jansson.h>

#include "model/model.h"

/* The newest version that is known here. A model is written as the oldest that can hold it: version
 * 2 has several outputs, targets, more than two classes, and weights of rows; version 3 fills for
 * missing cells, dates, styles of numbers, and pooled categories; version 4 compact models; version
 * 5 other losses than the square one, free intercepts, and kernel weights that outputs share. */
enum { RLS2__FORMAT_VERSION = 5, RLS2__LENGTH_BYTES = 8, RLS2__ALIGNMENT = 8 };

/* Of files of statistics, and of profiles. */
enum { RLS2__STATS_VERSION = 2, RLS2__PROFILE_VERSION = 1 };

/* What a file may be. */
typedef struct rls2__file_kind {
    const char *format;  /* its word in the header, */
    const char *start;   /* with which every such header begins */
    const char *noun;    /* for messages: "a model" */
    const char *made_by; /* "such as 'rls2 train' writes" */
    int newest;          /* version that is known here */
    int data_version;    /* version of models as which inputs and preprocessing are described; 0:
                             the file's own */
} rls2__file_kind;
extern const rls2__file_kind rls2__model_kind, rls2__stats_kind, rls2__profile_kind;
/* What stands before the digits of the checksum; they are taken as zeros while it is computed. */
#define RLS2__CHECKSUM_MARK "\"checksum\":\""
#define RLS2__CHECKSUM_ZEROS "00000000"
enum { RLS2__CHECKSUM_DIGITS = 8 };

#endif
