/* What the tests of wrong arguments share: what a refusal looks like, and a problem that is
 * made wrong in one place at a time. */
#ifndef RLS2_TESTS_SUPPORT_ARGUMENTS_H
#define RLS2_TESTS_SUPPORT_ARGUMENTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rls2/rls2.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

extern const int64_t HUGE_SIZE;
extern const double nan_value, infinite;

/* ---- what a refusal looks like ---- */

/* Out-parameters hold this before a call. */
extern char nowhere;
#define UNTOUCHED ((void *)&nowhere)
extern const double UNWRITTEN;

void assert_error(rls2_status got, rls2_status status, const rls2_error *err, const char *part);
void assert_unwritten(size_t count, const double *values);

/* `call` is made with `err` a place for the message, then with `err` NULL. */
#define ASSERT_REFUSED(status, part, call)                                                         \
    do {                                                                                           \
        rls2_error error_ = {.message = ""}, *err = &error_;                                       \
        rls2_status got_ = (call);                                                                 \
        assert_error(got_, (status), &error_, (part));                                             \
        err = NULL;                                                                                \
        assert_int_equal((call), (status));                                                        \
    } while (0)

/* ---- the problem that is made wrong in one place at a time ---- */

enum { N = 6, P = 3, ROOM = 64 };

typedef struct good_problem {
    double x[N * P], y[N], labels[N], given[N * N], diagonal[N];
    const double *given_list[1], *diagonal_list[1];
    rls2_rows rows;
    rls2_dictionary *dictionary; /* linear and rbf kernels of a, b, c */
    rls2_dictionary *with_given; /* those and a given matrix */
    rls2_basis *basis, *given_basis;
    rls2_path *path, *given_path;
    rls2_model *model, *given_model;
    double s[ROOM], d[ROOM];
} good_problem;

extern good_problem good;
extern const double one_lambda[1];

/* For cmocka_run_group_tests: make `good`, and free it. */
int set_up(void **state);
int tear_down(void **state);

/* ---- rows, wherever they are taken ---- */

/* Calls `check` with each kind of wrong rows; NULL among them. */
void for_wrong_rows(void (*check)(const rls2_rows *rows, rls2_status status, const char *part));

#endif
