/* Any bytes as a model file; mutate.h gives most of them the right checksum. They are refused with
 * a terminated message, or make a model that predicts a row, or says why not, and packs to a file
 * that is read again and packs to itself. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "modelfile/format.h"

static void check_failure(const rls2_error *err, rls2_status status)
{
    require(err->status == status);
    require(memchr(err->message, '\0', sizeof err->message) != NULL);
    require(strncmp(err->message, "fuzz: ", 6) == 0 || status == RLS2_ERR_MEMORY);
}

/* One row of ones, and matrices of ones. */
static void predict(const rls2_model *model)
{
    int64_t p = rls2_model_columns(model), n = rls2_model_points(model),
            given = rls2_model_given_count(model);
    int64_t count = p > n ? p : n, outputs = rls2_model_outputs(model);
    double *ones = malloc((size_t)(count + 1) * sizeof *ones),
           *f = malloc((size_t)(outputs + 1) * sizeof *f);
    const double **list = malloc((size_t)(given + 1) * sizeof *list);
    require(ones && list && f && outputs >= 1);
    for (int64_t i = 0; i <= count; i++) ones[i] = 1.0;
    for (int64_t g = 0; g < given; g++) list[g] = ones;
    rls2_rows rows = {
        .n = 1, .p = p, .x = ones, .given_count = given, .given = list, .given_diagonal = list};
    rls2_error err = {.message = ""};
    rls2_status status = rls2_model_predict(model, &rows, NULL, f, &err);
    require(status == RLS2_OK || (status == RLS2_ERR_VALUE && err.status == status));
    for (int64_t o = 0; o < outputs && status == RLS2_OK;
         o++) { /* each output alone has the same bits */
        require(rls2_model_predict(rls2_model_output(model, o), &rows, NULL, &f[outputs], &err) ==
                RLS2_OK);
        require(memcmp(&f[o], &f[outputs], sizeof *f) == 0);
    }
    free(f);
    free(ones);
    free(list);
}

static void check_model(const rls2_model *model)
{
    void *bytes[2] = {NULL, NULL};
    int64_t length[2];
    rls2_model *again = NULL;
    predict(model);
    require(rls2_model_pack(model, &bytes[0], &length[0], NULL) == RLS2_OK);
    require(rls2_model_unpack("again", bytes[0], length[0], &again, NULL) == RLS2_OK);
    require(rls2_model_pack(again, &bytes[1], &length[1], NULL) == RLS2_OK);
    require(length[0] == length[1] && memcmp(bytes[0], bytes[1], (size_t)length[0]) == 0);
    rls2_model_free(again);
    rls2_bytes_free(bytes[0]);
    rls2_bytes_free(bytes[1]);
}

static void try_bytes(const uint8_t *data, size_t size)
{
    rls2_model *model = NULL;
    rls2_error err = {.message = ""};
    rls2_status status = rls2_model_unpack("fuzz", data, (int64_t)size, &model, &err);
    require((model != NULL) == (status == RLS2_OK));
    if (status != RLS2_OK)
        check_failure(&err, status);
    else
        check_model(model);
    rls2_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_bytes(data, size);
    return 0;
}
