/* Every allocation of the readers of CSV, LIBSVM, NPY, NPZ and MATLAB files fails once: alone, and
 * with those that come after it. The call then reports it and writes nothing. */
#include "failing_allocator.h"

#include <stdio.h>

typedef struct stored {
    size_t length;
    unsigned char bytes[1 << 16];
} stored;

static stored load(const char *path)
{
    stored file = {0};
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    file.length = fread(file.bytes, 1, sizeof file.bytes, stream);
    fclose(stream);
    return file;
}

static rls2_status finish(rls2_status status, rls2_table *table, result *r)
{
    if (status != RLS2_OK) {
        assert_ptr_equal(table, UNTOUCHED);
        return status;
    }
    add_value(r, (double)rls2_table_rows(table));
    for (int64_t j = 0; j < rls2_table_columns(table); j++) {
        add_text(r, rls2_table_column_name(table, j));
        for (int64_t i = 0; i < rls2_table_rows(table); i++)
            add_value(r, rls2_table_value(table, i, j));
    }
    rls2_table_free(table);
    return status;
}

static rls2_status parse(const char *path, rls2_format format, result *r, rls2_error *err)
{
    rls2_table *table = UNTOUCHED;
    rls2_status status;
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    stored file = load(path);
    options.format = format;
    ARMED(status = rls2_table_parse("t", file.bytes, (int64_t)file.length, &options, &table, err));
    return finish(status, table, r);
}

static rls2_status csv(const char *name, result *r, rls2_error *err)
{
    char path[128];
    snprintf(path, sizeof path, "tests/fuzz/corpus/fuzz_csv/%s", name);
    return parse(path, RLS2_FORMAT_CSV, r, err);
}

static rls2_status row_names(result *r, rls2_error *err)
{
    return csv("r-write-table", r, err);
}

static rls2_status repeated_names(result *r, rls2_error *err)
{
    return csv("names-twice", r, err);
}

static rls2_status dates(result *r, rls2_error *err)
{
    return csv("dates", r, err);
}

static rls2_status no_header(result *r, rls2_error *err)
{
    return csv("no-header-found", r, err);
}

static rls2_status windows_1252(result *r, rls2_error *err)
{
    return csv("windows-1252", r, err);
}

static rls2_status utf_16(result *r, rls2_error *err)
{
    return csv("utf-16-be", r, err);
}

static rls2_status libsvm(result *r, rls2_error *err)
{
    return parse("tests/fuzz/corpus/fuzz_libsvm/plain", RLS2_FORMAT_LIBSVM, r, err);
}

static rls2_status kernel(result *r, rls2_error *err)
{
    return parse("tests/fuzz/corpus/fuzz_libsvm/kernel", RLS2_FORMAT_LIBSVM, r, err);
}

static rls2_status array(result *r, rls2_error *err)
{
    return parse("tests/fuzz/corpus/fuzz_npy/doubles", RLS2_FORMAT_NPY, r, err);
}

static rls2_status archive(result *r, rls2_error *err)
{
    return parse("tests/fuzz/corpus/fuzz_npy/archive", RLS2_FORMAT_NPZ, r, err);
}

static rls2_status deflated_archive(result *r, rls2_error *err)
{
    return parse("tests/fuzz/corpus/fuzz_npy/archive-deflated", RLS2_FORMAT_NPZ, r, err);
}

static rls2_status matlab(result *r, rls2_error *err)
{
    return parse("tests/fuzz/corpus/fuzz_mat/compressed", RLS2_FORMAT_MAT, r, err);
}

static rls2_status sparse_matlab(result *r, rls2_error *err)
{
    return parse("tests/fuzz/corpus/fuzz_mat/sparse-compressed", RLS2_FORMAT_MAT, r, err);
}

static rls2_status matlab73(result *r, rls2_error *err)
{
    return parse("tests/data/mat/h5py-chunked.mat", RLS2_FORMAT_MAT, r, err);
}

static rls2_status sparse_matlab73(result *r, rls2_error *err)
{
    return parse("tests/data/mat/h5py-sparse.mat", RLS2_FORMAT_MAT, r, err);
}

static const sweep sweeps[] = {
    {"read_csv__row_names", row_names, STRICT},
    {"read_csv__repeated_names", repeated_names, STRICT},
    {"read_csv__dates", dates, STRICT},
    {"read_csv__no_header", no_header, STRICT},
    {"read_csv__windows_1252", windows_1252, STRICT},
    {"read_csv__utf_16", utf_16, STRICT},
    {"read_libsvm", libsvm, STRICT},
    {"read_libsvm__precomputed", kernel, STRICT},
    {"read_npy", array, STRICT},
    {"read_npz__stored", archive, STRICT},
    {"read_npz__deflated", deflated_archive, STRICT},
    {"read_mat__compressed", matlab, STRICT},
    {"read_mat__sparse", sparse_matlab, STRICT},
    {"read_mat73__chunked", matlab73, STRICT},
    {"read_mat73__sparse", sparse_matlab73, STRICT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
