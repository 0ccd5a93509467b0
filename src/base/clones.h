/* RLS2__CLONES before a hot loop's function compiles it for several instruction sets
 * and picks one at run time. The build forbids contraction of a*b+c, so all of them
 * give the same bits. */
#ifndef RLS2_BASE_CLONES_H
#define RLS2_BASE_CLONES_H

#if defined(RLS2_MULTIVERSION) && RLS2_MULTIVERSION
#define RLS2__CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define RLS2__CLONES
#endif

#endif
