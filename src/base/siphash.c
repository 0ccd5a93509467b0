/* SipHash-2-4, and keys from the random bytes of the system. */
#include "base/siphash.h"

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

rls2__sip_key rls2__sip_key_make(void)
{
    rls2__sip_key key;
    if (getentropy(key.half, sizeof key.half) == 0) return key;
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    key.half[0] = (uint64_t)now.tv_sec * UINT64_C(1000000007) + (uint64_t)now.tv_nsec;
    key.half[1] = (uint64_t)(uintptr_t)&key ^ ((uint64_t)getpid() << 40);
    return key;
}

static uint64_t rotated(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static void mix(uint64_t v[4], int rounds)
{
    for (int i = 0; i < rounds; i++) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotated(v[1], 13) ^ v[0];
        v[3] = rotated(v[3], 16) ^ v[2];
        v[0] = rotated(v[0], 32) + v[3];
        v[2] += v[1];
        v[1] = rotated(v[1], 17) ^ v[2];
        v[3] = rotated(v[3], 21) ^ v[0];
        v[2] = rotated(v[2], 32);
    }
}

static void take_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    mix(v, 2);
    v[0] ^= word;
}

/* Little-endian, whatever the machine is. */
static uint64_t word_at(const unsigned char *bytes, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

uint64_t rls2__siphash(const rls2__sip_key *key, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t v[4] = {
        key->half[0] ^ UINT64_C(0x736f6d6570736575), key->half[1] ^ UINT64_C(0x646f72616e646f6d),
        key->half[0] ^ UINT64_C(0x6c7967656e657261), key->half[1] ^ UINT64_C(0x7465646279746573)};
    size_t left = length;
    for (; left >= 8; left -= 8, at += 8) take_word(v, word_at(at, 8));
    take_word(v, word_at(at, left) | (uint64_t)length << 56);
    v[2] ^= 0xff;
    mix(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
