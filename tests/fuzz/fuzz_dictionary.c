/* Any bytes as a dictionary text. It is either refused with a place inside the text
 * and a terminated message, or makes kernels whose columns exist and whose names are
 * themselves texts of one kernel. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "dictionary/dictionary_parse.h"

static const char *const names[] = {"a", "b", "gene_1", "gene_2", "all", "x y", "q\"t", "\xc3\xa4"};
static const int64_t pair[] = {5, 0, 5};
static const rls2_group groups[] = {{"genes", 3, pair}, {"none", 0, NULL}};
static const char *const given[] = {"K", "a matrix"};
static const rls2_columns columns = {.count = 8,
                                     .names = names,
                                     .group_count = 2,
                                     .groups = groups,
                                     .given_count = 2,
                                     .given_names = given};
/* small, so that an input costs milliseconds */
static const rls2__dictionary_limits limits = {
    .kernels = 5000, .values = 1000, .references = 2000, .name_bytes = 1 << 20};

static void check_failure(const rls2_error *err, rls2_status status, size_t length)
{
    require(err->status == status);
    require(err->position >= 0 && err->position <= (int64_t)length);
    require(memchr(err->message, '\0', sizeof err->message) != NULL);
    require(strlen(err->message) < sizeof err->message - 1);
    require(err->message[strlen(err->message) - 1] == '^');
}

static void check_kernel(const rls2__kernel *kernel)
{
    require((kernel->kind == RLS2__KERNEL_GIVEN) == (kernel->column_count == 0));
    for (int64_t j = 0; j < kernel->column_count; j++) {
        require(kernel->columns[j] >= 0 && kernel->columns[j] < columns.count);
        require(j == 0 || kernel->columns[j] > kernel->columns[j - 1]);
    }
}

static void check_name(const rls2__kernel *kernel)
{
    rls2_dictionary *again = NULL;
    require(rls2__dictionary_build(kernel->name, &columns, &limits, &again, NULL) == RLS2_OK);
    require(again->m == 1 && again->kernels[0].kind == kernel->kind);
    require(again->kernels[0].column_count == kernel->column_count);
    rls2_dictionary_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *spec = malloc(size + 1);
    if (!spec) return 0;
    if (size > 0) memcpy(spec, data, size);
    spec[size] = '\0';
    rls2_error err = {.message = ""};
    rls2_dictionary *dictionary = NULL;
    rls2_status status = rls2__dictionary_build(spec, &columns, &limits, &dictionary, &err);
    if (status) check_failure(&err, status, strlen(spec));
    for (int64_t k = 0; dictionary && k < dictionary->m; k++) {
        check_kernel(&dictionary->kernels[k]);
        if (k < 20) check_name(&dictionary->kernels[k]);
    }
    rls2_dictionary_free(dictionary);
    free(spec);
    return 0;
}
