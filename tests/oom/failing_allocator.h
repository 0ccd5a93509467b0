/* An allocator that fails on demand, and the sweep that lets every allocation of a
 * call fail once.
 *
 * The programs in this folder are linked so that the library's calls of the allocator
 * come here. Other shared libraries (BLAS, OpenMP, libc itself) are not affected. */
#ifndef RLS2_TESTS_OOM_FAILING_ALLOCATOR_H
#define RLS2_TESTS_OOM_FAILING_ALLOCATOR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rls2/rls2.h"

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *pointer, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *pointer, size_t size);

/* Which allocations fail while `armed`: `burst` of them, from fail_at on. */
static struct {
    int armed;
    int64_t fail_at; /* from 1; 0: none */
    int64_t burst;
    int64_t asked; /* since reset_allocator */
    int64_t failed;
    size_t largest; /* bytes asked for at once */
} allocator;

static inline void reset_allocator(int64_t fail_at, int64_t burst)
{
    memset(&allocator, 0, sizeof allocator);
    allocator.fail_at = fail_at;
    allocator.burst = burst;
}

static inline int must_fail(size_t size)
{
    if (!allocator.armed) return 0;
    allocator.asked++;
    if (size > allocator.largest) allocator.largest = size;
    int fails = allocator.fail_at > 0 && allocator.asked >= allocator.fail_at &&
                allocator.asked - allocator.fail_at < allocator.burst;
    allocator.failed += fails;
    return fails;
}

/* What nobody has written reads as NaN. */
static inline void *spoil(void *pointer, size_t size)
{
    if (pointer && allocator.armed) memset(pointer, 0xff, size);
    return pointer;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return must_fail(size) ? NULL : spoil(__real_aligned_alloc(alignment, size), size);
}

void *__wrap_malloc(size_t size)
{
    return must_fail(size) ? NULL : spoil(__real_malloc(size), size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return must_fail(count * size) ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *pointer, size_t size)
{
    return must_fail(size) ? NULL : __real_realloc(pointer, size);
}

/* Armed for the library's call alone: what a test allocates never fails. */
#define ARMED(call)                                                                                \
    do {                                                                                           \
        allocator.armed = 1;                                                                       \
        call;                                                                                      \
        allocator.armed = 0;                                                                       \
    } while (0)

/* What a call gave, as numbers, so that two outcomes can be compared. */
enum { RESULT_ROOM = 1 << 14 };
typedef struct result {
    int64_t count;
    double values[RESULT_ROOM];
} result;

static inline void add_values(result *r, int64_t count, const double *values)
{
    assert_true(r->count + count <= RESULT_ROOM);
    memcpy(r->values + r->count, values, (size_t)count * sizeof(double));
    r->count += count;
}

static inline void add_value(result *r, double value)
{
    add_values(r, 1, &value);
}

/* A text counts by its length and a sum that depends on the order of its bytes. */
static inline void add_text(result *r, const char *text)
{
    double sum = 0.0;
    for (const char *c = text; *c; c++) sum = 0.5 * sum + (double)(unsigned char)*c;
    add_value(r, (double)strlen(text));
    add_value(r, sum);
}

/* Makes the call armed. Where it succeeds, puts what it gave into `r` and frees it;
 * where it does not, makes sure that nothing was written. */
typedef rls2_status (*attempt)(result *r, rls2_error *err);

/* Out-parameters hold this before the call: an address of nothing, a number like no
 * other. */
static char nowhere __attribute__((unused));
#define UNTOUCHED ((void *)&nowhere)
static const double UNWRITTEN = -12345.678;

static inline void fill_unwritten(int64_t count, double *values)
{
    for (int64_t i = 0; i < count; i++) values[i] = UNWRITTEN;
}

static inline void assert_unwritten(int64_t count, const double *values)
{
    for (int64_t i = 0; i < count; i++)
        if (values[i] != UNWRITTEN) fail_msg("value %d was written: %g", (int)i, values[i]);
}

static inline double magnitude(double x)
{
    return x < 0.0 ? -x : x;
}

static inline void assert_same(const result *a, const result *b, double tolerance)
{
    assert_int_equal(a->count, b->count);
    for (int64_t i = 0; i < a->count; i++) {
        double x = a->values[i], y = b->values[i];
        if (x != x && y != y) continue;
        if (!(magnitude(x - y) <= tolerance * (1.0 + magnitude(x))))
            fail_msg("allocation %d failing: value %d is %.17g instead of %.17g",
                     (int)allocator.fail_at, (int)i, y, x);
    }
}

static inline void assert_memory_error(rls2_status status, const rls2_error *err)
{
    if (status != RLS2_ERR_MEMORY)
        fail_msg("allocation %d failing: status %d (%s)", (int)allocator.fail_at, (int)status,
                 err->message);
    assert_int_equal(err->status, RLS2_ERR_MEMORY);
    assert_non_null(memchr(err->message, '\0', sizeof err->message));
    assert_non_null(strstr(err->message, "out of memory for "));
}

/* STRICT: a call that lost an allocation fails. TOLERANT: it may do without, and then
 * gives what it gives otherwise. */
typedef enum manner { STRICT, TOLERANT } manner;
static const double TOLERANCE = 1e-9;

/* One call with `burst` allocations failing from fail_at on; 0 when it asked for fewer. */
static inline int attempt_failing(attempt call, manner how, int64_t fail_at, int64_t burst,
                                  const result *expected)
{
    static result got;
    rls2_error err = {.message = ""};
    got.count = 0;
    reset_allocator(fail_at, burst);
    rls2_status status = call(&got, &err);
    int failed = allocator.failed > 0;
    if (status != RLS2_OK) {
        assert_true(failed);
        assert_memory_error(status, &err);
    } else {
        if (failed && how == STRICT) fail_msg("allocation %d failed unnoticed", (int)fail_at);
        assert_same(expected, &got, TOLERANCE);
    }
    /* the same without a place for the message */
    got.count = 0;
    reset_allocator(fail_at, burst);
    assert_int_equal(call(&got, NULL), status);
    return failed;
}

/* Alone, with the next one or two, with all that follow: a call that tries again after
 * a failure gets through in some of them. */
static const int64_t bursts[] = {1, 2, 3, INT64_MAX};

static inline void fail_each_allocation(attempt call, manner how)
{
    static result expected;
    rls2_error err = {.message = ""};
    expected.count = 0;
    reset_allocator(0, 0);
    rls2_status status = call(&expected, &err);
    if (status != RLS2_OK) fail_msg("nothing failing: %s", err.message);
    assert_true(allocator.asked > 0);
    for (size_t i = 0; i < sizeof bursts / sizeof bursts[0]; i++)
        for (int64_t fail_at = 1; attempt_failing(call, how, fail_at, bursts[i], &expected);)
            fail_at++;
    reset_allocator(0, 0);
}

/* One such call as a test of its own. */
typedef struct sweep {
    const char *name;
    attempt call;
    manner how;
} sweep;

static inline void each_allocation_fails(void **state)
{
    const sweep *one = *state;
    fail_each_allocation(one->call, one->how);
}

static inline struct CMUnitTest sweep_test(const sweep *one)
{
    return (struct CMUnitTest){.name = one->name,
                               .test_func = each_allocation_fails,
                               .initial_state = (void *)(uintptr_t)one};
}

#endif
