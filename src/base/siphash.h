/* SipHash-2-4 (Aumasson and Bernstein, 2012): a hash that nobody can foresee who does not know its
 * key, so that texts of others cannot be chosen to fall into one place of a table. */
#ifndef RLS2_BASE_SIPHASH_H
#define RLS2_BASE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct rls2__sip_key {
    uint64_t half[2];
} rls2__sip_key;

/* From the system's random bytes; where it gives none, from the clock and an address. Nothing that
 * can be seen from outside may depend on it: same input, same bits. */
rls2__sip_key rls2__sip_key_make(void);

uint64_t rls2__siphash(const rls2__sip_key *key, const void *bytes, size_t length);

#endif
