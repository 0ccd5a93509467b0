/* SHA-256 and SHA-1, block by block, of memory and of files. */
#include "experiments/checksum.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static uint32_t left(uint32_t x, int by)
{
    return (x << by) | (x >> (32 - by));
}

static uint32_t right(uint32_t x, int by)
{
    return (x >> by) | (x << (32 - by));
}

static uint32_t big_endian(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | (uint32_t)b[3];
}

/* ---- SHA-256 ---- */

void checksum_begin_sha256(checksum *c)
{
    static const uint32_t START[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memset(c, 0, sizeof *c);
    c->words = 8;
    memcpy(c->state, START, sizeof START);
}

static const uint32_t K256[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void mix_sha256(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64], s[8];
    for (int t = 0; t < 16; t++) w[t] = big_endian(block + 4 * t);
    for (int t = 16; t < 64; t++) {
        uint32_t a = w[t - 15], b = w[t - 2];
        w[t] = w[t - 16] + (right(a, 7) ^ right(a, 18) ^ (a >> 3)) + w[t - 7] +
               (right(b, 17) ^ right(b, 19) ^ (b >> 10));
    }
    memcpy(s, state, sizeof s);
    for (int t = 0; t < 64; t++) {
        uint32_t chosen = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        uint32_t one =
            s[7] + (right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25)) + chosen + K256[t] + w[t];
        uint32_t two = (right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22)) + majority;
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

/* ---- SHA-1 ---- */

void checksum_begin_sha1(checksum *c)
{
    static const uint32_t START[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    memset(c, 0, sizeof *c);
    c->words = 5;
    memcpy(c->state, START, sizeof START);
}

static uint32_t sha1_round(int t, const uint32_t s[5])
{
    if (t < 20) return ((s[1] & s[2]) ^ (~s[1] & s[3])) + 0x5a827999;
    if (t < 40) return (s[1] ^ s[2] ^ s[3]) + 0x6ed9eba1;
    if (t < 60) return ((s[1] & s[2]) ^ (s[1] & s[3]) ^ (s[2] & s[3])) + 0x8f1bbcdc;
    return (s[1] ^ s[2] ^ s[3]) + 0xca62c1d6;
}

static void mix_sha1(uint32_t state[5], const unsigned char *block)
{
    uint32_t w[80], s[5];
    for (int t = 0; t < 16; t++) w[t] = big_endian(block + 4 * t);
    for (int t = 16; t < 80; t++) w[t] = left(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    memcpy(s, state, sizeof s);
    for (int t = 0; t < 80; t++) {
        uint32_t next = left(s[0], 5) + sha1_round(t, s) + s[4] + w[t];
        memmove(s + 1, s, 4 * sizeof *s);
        s[2] = left(s[2], 30);
        s[0] = next;
    }
    for (int i = 0; i < 5; i++) state[i] += s[i];
}

/* ---- both ---- */

static void mix(checksum *c, const unsigned char *block)
{
    if (c->words == 8)
        mix_sha256(c->state, block);
    else
        mix_sha1(c->state, block);
}

void checksum_add(checksum *c, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    while (count > 0) {
        size_t used = (size_t)(c->length % 64), room = 64 - used, now = count < room ? count : room;
        memcpy(c->block + used, at, now);
        c->length += now;
        if (used + now == 64) mix(c, c->block);
        at += now;
        count -= now;
    }
}

/* A one, zeros up to the end of a block, and the length in bits. */
void checksum_end(checksum *c, char text[CHECKSUM_TEXT])
{
    static const unsigned char PAD[64] = {0x80};
    unsigned char length[8];
    uint64_t bits = 8 * c->length;
    for (int i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i));
    checksum_add(c, PAD, 1 + (size_t)((119 - c->length % 64) % 64));
    checksum_add(c, length, sizeof length);
    for (int i = 0; i < c->words; i++) snprintf(text + 8 * i, 9, "%08x", (unsigned)c->state[i]);
}

/* ---- files ---- */

static const char SHA256[] = "sha256:", GIT_BLOB[] = "gitblob:";

static int starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

int checksum_is_valid(const char *text)
{
    size_t skip = starts_with(text, SHA256) ? strlen(SHA256) : strlen(GIT_BLOB);
    size_t digits = starts_with(text, SHA256) ? 64 : 40;
    if (!starts_with(text, SHA256) && !starts_with(text, GIT_BLOB)) return 0;
    return strlen(text) == skip + digits && strspn(text + skip, "0123456789abcdef") == digits;
}

/* git names a blob by the SHA-1 of "blob LENGTH", a zero, and the bytes. */
static int begin(checksum *c, FILE *file, int git)
{
    char head[40];
    struct stat about;
    if (!git) {
        checksum_begin_sha256(c);
        return 0;
    }
    if (fstat(fileno(file), &about) != 0) return -1;
    checksum_begin_sha1(c);
    int length = snprintf(head, sizeof head, "blob %lld", (long long)about.st_size);
    checksum_add(c, head, (size_t)length + 1);
    return 0;
}

int checksum_file(const char *path, const char *like, char text[CHECKSUM_TEXT])
{
    checksum c;
    char piece[16384];
    int git = starts_with(like, GIT_BLOB);
    if (!git && !starts_with(like, SHA256)) {
        errno = EINVAL;
        return -1;
    }
    FILE *file = fopen(path, "rb");
    if (!file) return -1;
    int failed = begin(&c, file, git) != 0;
    for (size_t got; !failed && (got = fread(piece, 1, sizeof piece, file)) > 0;)
        checksum_add(&c, piece, got);
    if (ferror(file)) failed = 1;
    int why = errno;
    fclose(file);
    errno = why;
    if (failed) return -1;
    strcpy(text, git ? GIT_BLOB : SHA256);
    checksum_end(&c, text + strlen(text));
    return 0;
}
