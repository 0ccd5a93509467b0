/* Reading piece by piece, with what tests need beside the public functions. */
#ifndef RLS2_FORMATS_STREAM_H
#define RLS2_FORMATS_STREAM_H

#include "rls2/table.h"

/* rls2_stream_open with `room` > 0 bytes for text at first, in place of the usual 1 MiB. */
rls2_status rls2__stream_open_room(const char *path, const rls2_read_options *options, int64_t room,
                                   rls2_stream **stream, rls2_error *err);
/* The same from memory, which must outlive the stream. */
rls2_status rls2__stream_open_memory(const char *name, const void *bytes, int64_t length,
                                     const rls2_read_options *options, int64_t room,
                                     rls2_stream **stream, rls2_error *err);

#endif
