/* A tab that finds its server gone cannot know who listens at the port next: any user of the
 * machine can. So it asks for a proof before it sends the token again. The server answers with an
 * HMAC of what the tab drew at random, which only who has the token can make, and which says
 * nothing about it. */
#include "gui/server/secret.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOKEN_FILE "token"
enum { BLOCK = 64, DIGEST = 32, ROUNDS = 64 };

/* ---- SHA-256, FIPS 180-4 ---- */

typedef struct sha256 {
    uint32_t h[8];
    uint64_t length;
    unsigned char block[BLOCK];
} sha256;

static const uint32_t K[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int by)
{
    return (x >> by) | (x << (32 - by));
}

static void fill_schedule(const unsigned char *block, uint32_t w[ROUNDS])
{
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < ROUNDS; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >> 3)) + w[i - 7] +
               (turn(b, 17) ^ turn(b, 19) ^ (b >> 10));
    }
}

static void compress(sha256 *s)
{
    uint32_t w[ROUNDS], v[8];
    fill_schedule(s->block, w);
    memcpy(v, s->h, sizeof v);
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t e = v[4], a = v[0];
        uint32_t t1 = v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & v[5]) ^ (~e & v[6])) +
                      K[i] + w[i];
        uint32_t t2 =
            (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) s->h[i] += v[i];
}

static void start(sha256 *s)
{
    static const uint32_t FIRST[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memset(s, 0, sizeof *s);
    memcpy(s->h, FIRST, sizeof FIRST);
}

static void add(sha256 *s, const void *bytes, size_t count)
{
    for (const unsigned char *at = bytes; count > 0; at++, count--) {
        s->block[s->length++ % BLOCK] = *at;
        if (s->length % BLOCK == 0) compress(s);
    }
}

static void finish(sha256 *s, unsigned char digest[DIGEST])
{
    unsigned char bits[8];
    for (int i = 0; i < 8; i++) bits[i] = (unsigned char)((s->length * 8) >> (56 - 8 * i));
    add(s, "\x80", 1);
    while (s->length % BLOCK != BLOCK - 8) add(s, "", 1);
    add(s, bits, 8);
    for (int i = 0; i < DIGEST; i++) digest[i] = (unsigned char)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

/* ---- the proof ---- */

/* The digest of the key, exclusive-or'ed with `pad`, and the bytes behind it. */
static void padded(const char *key, unsigned char pad, const void *bytes, size_t count,
                   unsigned char digest[DIGEST])
{
    sha256 s;
    unsigned char block[BLOCK];
    size_t length = strlen(key); /* of a token: a block at most */
    for (size_t i = 0; i < BLOCK; i++)
        block[i] = (unsigned char)((i < length ? (unsigned char)key[i] : 0) ^ pad);
    start(&s);
    add(&s, block, BLOCK);
    add(&s, bytes, count);
    finish(&s, digest);
}

void secret_prove(const char *token, const char *text, char proof[PROOF_LENGTH + 1])
{
    unsigned char inner[DIGEST], outer[DIGEST];
    padded(token, 0x36, text, strlen(text), inner);
    padded(token, 0x5c, inner, DIGEST, outer);
    for (int i = 0; i < DIGEST; i++) snprintf(proof + 2 * i, 3, "%02x", outer[i]);
}

/* ---- the file ---- */

/* What others could read, or write, is no secret, whoever made it. */
static int is_ours_alone(FILE *file)
{
    struct stat about;
    return fstat(fileno(file), &about) == 0 && about.st_uid == geteuid() && about.st_nlink == 1 &&
           (about.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

static int read_kept(const store *s, char *token, size_t digits, int *port)
{
    char line[200] = "", *end = NULL;
    FILE *file = store_file(s, TOKEN_FILE);
    if (!file) return 0;
    int read = is_ours_alone(file) && fgets(line, sizeof line, file);
    fclose(file);
    if (!read || strspn(line, "0123456789abcdef") != digits || line[digits] != ' ') return 0;
    long given = strtol(line + digits + 1, &end, 10);
    if (*end != '\n' || given < 0 || given > 65535) return 0;
    memcpy(token, line, digits);
    token[digits] = '\0';
    *port = (int)given;
    return 1;
}

int secret_take(const store *s, char *token, size_t bytes, int *port, fault *f)
{
    *port = 0;
    if (read_kept(s, token, 2 * bytes, port)) return 0;
    return store_random_text(token, bytes) ? 0
                                           : fault_say(f, HTTP_FAILED, NULL, "no random numbers");
}

int secret_keep(store *s, const char *token, int port, fault *f)
{
    char line[200];
    int length = snprintf(line, sizeof line, "%s %d\n", token, port);
    return store_write(s, TOKEN_FILE, line, (size_t)length, f);
}
