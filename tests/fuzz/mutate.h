/* Changes that reach inside an input.
 *
 * What is packed is unpacked, changed, and packed again with the lengths and checksums that
 * belong to it; random changes of the packed bytes would nearly all be refused by a checksum,
 * and nothing behind it be tried. Known by how they begin: gzip, ZIP archives, MATLAB files of
 * level 5 and 7.3, models, JSON, requests of HTTP; one may lie in another. Bytes of no known
 * kind, and one in eight of the others, are changed as they are. */
#ifndef RLS2_TESTS_FUZZ_MUTATE_H
#define RLS2_TESTS_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* What libFuzzer calls for a changed input: the new size, at most `room`. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
/* Changes bytes of which nothing is known: libFuzzer's own, or that of replay.c. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

/* ---- between the files ---- */

typedef struct mutation {
    uint8_t *data;
    size_t size, room;
    unsigned *seed;
    int depth; /* of what lies in what */
} mutation;

/* A number below the bound. */
unsigned mutate_draw(unsigned *seed, unsigned bound);
/* Changes it in any way: by its kind, else byte by byte. */
void mutate_any(mutation *m);
/* Puts `length` bytes in the place of `old` ones at `at`; 0 if they do not fit. */
int mutate_replace(mutation *m, size_t at, size_t old, const uint8_t *bytes, size_t length);
uint64_t mutate_number(const uint8_t *bytes, int width, int big_endian);
void mutate_set_number(uint8_t *bytes, int width, int big_endian, uint64_t value);

/* Room for what lies at that depth, to be unpacked into. */
enum { MUTATE_DEPTH = 3, MUTATE_ROOM = 1 << 17 };
mutation mutate_room(const mutation *outside);

/* Windows of zlib: raw, zlib's own header and checksum, gzip's. */
enum { MUTATE_RAW = -15, MUTATE_ZLIB = 15, MUTATE_GZIP = 31 };
/* How many packed bytes made up `inside`; 0 where they are damaged or make too much. */
size_t mutate_unpack(int window, const uint8_t *packed, size_t size, mutation *inside);
/* Packs it in its place. 0 where there is no room. */
int mutate_pack(int window, mutation *inside);

/* Each changes its kind, and says whether it could. */
int mutate_gzip(mutation *m);
int mutate_request(mutation *m);
int mutate_zip(mutation *m);   /* mutate_zip.c */
int mutate_mat5(mutation *m);  /* mutate_mat.c */
int mutate_mat73(mutation *m); /* the same */
int mutate_model(mutation *m); /* mutate_json.c */
int mutate_json(mutation *m);  /* the same */

#endif
