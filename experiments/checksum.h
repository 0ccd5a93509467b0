/* Checksums of files: SHA-256 (FIPS 180-4), and the SHA-1 by which git names the content of a file.
 */
#ifndef RLS2_EXPERIMENTS_CHECKSUM_H
#define RLS2_EXPERIMENTS_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

enum { CHECKSUM_TEXT = 80 }; /* room for any of them as text */

typedef struct checksum checksum;

/* Of bytes that come piece by piece. */
struct checksum {
    int words; /* of the state: 8 for SHA-256, 5 for SHA-1 */
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
};

void checksum_begin_sha256(checksum *c);
void checksum_begin_sha1(checksum *c);
void checksum_add(checksum *c, const void *bytes, size_t count);
/* In hexadecimal digits. */
void checksum_end(checksum *c, char text[CHECKSUM_TEXT]);

/* The file's checksum of the same kind as `like`, "sha256:..." or "gitblob:...", and written as it
 * is. 0, or -1 with errno set; EINVAL for another kind. */
int checksum_file(const char *path, const char *like, char text[CHECKSUM_TEXT]);
/* 1 if the text is one of them. */
int checksum_is_valid(const char *text);

#endif
