/* Every allocation of preprocessing, attaching, packing, saving and loading fails once: alone, and
 * with those that come after it. The call then reports it and writes nothing; a file that was there
 * stays as it was. (What the JSON library allocates is its own affair.) */
#include "failing_allocator.h"

#include <stdio.h>
#include <unistd.h>

#include "support/compact_model.h"
#include "support/saved_model.h"

static made_model made, given, classes, targets, gaps, widths;
static made_compact *parts;
static rls2_model *compact;
static const model_case *used, *with_given;
static char path[64];

static int set_up(void **state)
{
    (void)state;
    used = find_model_case("text");
    with_given = find_model_case("given");
    made = make_model(used);
    given = make_model(with_given);
    classes = make_model(find_model_case("number classes"));
    targets = make_model(find_model_case("two targets"));
    gaps = make_model(find_model_case("gaps"));
    widths = make_model(find_model_case("learned widths"));
    parts = made_compact_create(2);
    made_compact_add_knots(parts);
    compact = made_compact_model(parts);
    snprintf(path, sizeof path, "/tmp/rls2-oom-%d.rls2", (int)getpid());
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free_model(&made);
    free_model(&given);
    free_model(&classes);
    free_model(&targets);
    free_model(&gaps);
    free_model(&widths);
    rls2_model_free(compact);
    made_compact_free(parts);
    unlink(path);
    return 0;
}

/* ---- data sets ---- */

static void add_dataset(result *r, const rls2_dataset *data)
{
    add_values(r, rls2_dataset_rows(data) * rls2_dataset_columns(data), rls2_dataset_x(data));
}

static rls2_status preprocess(result *r, rls2_error *err)
{
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    rls2_dataset *data = NULL, *also = NULL;
    rls2_status status;
    options.target = used->target;
    assert_int_equal(rls2_dataset_create(made.table, &options, &data, NULL), RLS2_OK);
    assert_int_equal(rls2_dataset_create_like(made.table, data, &also, NULL), RLS2_OK);
    double before = rls2_dataset_x(data)[0];
    ARMED(status = rls2_dataset_preprocess(data, RLS2_NORMALIZE_UNIT, RLS2_NORMALIZE_STANDARDIZE,
                                           also, err));
    if (status == RLS2_OK) {
        add_dataset(r, data);
        add_dataset(r, also);
    } else {
        assert_true(rls2_dataset_x(data)[0] == before);
        assert_null(rls2_dataset_means(data));
    }
    rls2_dataset_free(data);
    rls2_dataset_free(also);
    return status;
}

static rls2_status encode(result *r, rls2_error *err)
{
    rls2_dataset *data = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_model_encode(made.model, made.table, RLS2_MISSING_ERROR, RLS2_RESPONSE_READ,
                                     &data, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(data, UNTOUCHED);
        return status;
    }
    add_dataset(r, data);
    rls2_dataset_free(data);
    return status;
}

/* ---- models ---- */

static void add_model(result *r, const rls2_model *model)
{
    add_text(r, rls2_model_spec(model));
    for (int64_t o = 0; o < rls2_model_outputs(model) && !rls2_model_is_compact(model); o++)
        add_values(r, rls2_model_rows(model), rls2_model_c(rls2_model_output(model, o)));
    for (int64_t b = 0; b < rls2_model_block_count(model); b++)
        add_values(r, rls2_model_block_at(model, b)->count,
                   rls2_model_block_c(rls2_model_output(model, 0), b));
    if (rls2_model_row_weights(model))
        add_values(r, rls2_model_rows(model), rls2_model_row_weights(model));
    for (int64_t k = 0; k < rls2_model_kernel_count(model); k++)
        add_text(r, rls2_model_kernel_name(model, k));
    for (int64_t k = 0; k < rls2_model_input_count(model); k++)
        add_text(r, rls2_model_input_name(model, k));
    add_value(r, (double)(rls2_model_fingerprint(model) >> 12));
}

static rls2_status attach(result *r, rls2_error *err)
{
    rls2_status status;
    ARMED(status = rls2_model_attach(made.model, made.data, err));
    add_model(r, made.model); /* what it had, or the same again */
    return status;
}

static rls2_status pack_model(const rls2_model *model, result *r, rls2_error *err)
{
    void *bytes = UNTOUCHED;
    int64_t length = -1;
    rls2_status status;
    ARMED(status = rls2_model_pack(model, &bytes, &length, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(bytes, UNTOUCHED);
        assert_int_equal(length, -1);
        return status;
    }
    for (int64_t i = 0; i < length; i++) add_value(r, ((unsigned char *)bytes)[i]);
    rls2_bytes_free(bytes);
    return status;
}

static rls2_status pack(result *r, rls2_error *err)
{
    return pack_model(made.model, r, err);
}

static rls2_status pack_given(result *r, rls2_error *err)
{
    return pack_model(given.model, r, err);
}

static rls2_status unpack_model(const rls2_model *model, result *r, rls2_error *err)
{
    void *bytes;
    int64_t length;
    rls2_model *again = UNTOUCHED;
    rls2_status status;
    assert_int_equal(rls2_model_pack(model, &bytes, &length, NULL), RLS2_OK);
    ARMED(status = rls2_model_unpack("m.rls2", bytes, length, &again, err));
    rls2_bytes_free(bytes);
    if (status != RLS2_OK) {
        assert_ptr_equal(again, UNTOUCHED);
        return status;
    }
    add_model(r, again);
    rls2_model_free(again);
    return status;
}

static rls2_status unpack(result *r, rls2_error *err)
{
    return unpack_model(made.model, r, err);
}

static rls2_status unpack_given(result *r, rls2_error *err)
{
    return unpack_model(given.model, r, err);
}

static rls2_status pack_classes(result *r, rls2_error *err)
{
    return pack_model(classes.model, r, err);
}

static rls2_status unpack_classes(result *r, rls2_error *err)
{
    return unpack_model(classes.model, r, err);
}

static rls2_status pack_targets(result *r, rls2_error *err)
{
    return pack_model(targets.model, r, err);
}

static rls2_status unpack_targets(result *r, rls2_error *err)
{
    return unpack_model(targets.model, r, err);
}

static rls2_status pack_gaps(result *r, rls2_error *err)
{
    return pack_model(gaps.model, r, err);
}

static rls2_status unpack_gaps(result *r, rls2_error *err)
{
    return unpack_model(gaps.model, r, err);
}

static rls2_status pack_widths(result *r, rls2_error *err)
{
    return pack_model(widths.model, r, err);
}

static rls2_status unpack_widths(result *r, rls2_error *err)
{
    return unpack_model(widths.model, r, err);
}

static rls2_status create_compact(result *r, rls2_error *err)
{
    rls2_model *model = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2__compact_create(&parts->parts, &model, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(model, UNTOUCHED);
        return status;
    }
    add_model(r, model);
    rls2_model_free(model);
    return status;
}

static rls2_status predict_compact(result *r, rls2_error *err)
{
    const double x[] = {0.5, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0};
    double f[8];
    rls2_rows rows = {.n = 4, .p = 2, .x = x};
    rls2_status status;
    fill_unwritten(8, f);
    ARMED(status = rls2_model_predict(compact, &rows, NULL, f, err));
    if (status == RLS2_OK)
        add_values(r, 8, f);
    else
        assert_unwritten(8, f);
    return status;
}

static rls2_status pack_compact(result *r, rls2_error *err)
{
    return pack_model(compact, r, err);
}

static rls2_status unpack_compact(result *r, rls2_error *err)
{
    return unpack_model(compact, r, err);
}

static rls2_status encode_gaps(result *r, rls2_error *err)
{
    rls2_dataset *data = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_model_encode(gaps.model, gaps.table, RLS2_MISSING_IMPUTE,
                                     RLS2_RESPONSE_IGNORED, &data, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(data, UNTOUCHED);
        return status;
    }
    add_dataset(r, data);
    rls2_dataset_free(data);
    return status;
}

static rls2_status attach_classes(result *r, rls2_error *err)
{
    rls2_status status;
    ARMED(status = rls2_model_attach(classes.model, classes.data, err));
    add_model(r, classes.model);
    return status;
}

static rls2_status weighted_variance(result *r, rls2_error *err)
{
    double variance[8];
    int64_t n = rls2_dataset_rows(classes.data);
    rls2_rows rows = {
        .n = n, .p = rls2_dataset_columns(classes.data), .x = rls2_dataset_x(classes.data)};
    rls2_status status;
    fill_unwritten(8, variance);
    ARMED(status = rls2_model_variance(rls2_model_output(classes.model, 1), &rows, variance, err));
    if (status == RLS2_OK)
        add_values(r, n, variance);
    else
        assert_unwritten(8, variance);
    return status;
}

/* Where saving fails, the file is still the other model. */
static rls2_status save(result *r, rls2_error *err)
{
    rls2_model *loaded = NULL;
    rls2_status status;
    assert_int_equal(rls2_model_save(given.model, path, NULL), RLS2_OK);
    ARMED(status = rls2_model_save(made.model, path, err));
    assert_int_equal(rls2_model_load(path, &loaded, NULL), RLS2_OK);
    assert_string_equal(rls2_model_spec(loaded), status == RLS2_OK ? used->spec : with_given->spec);
    add_model(r, loaded);
    rls2_model_free(loaded);
    return status;
}

static rls2_status load(result *r, rls2_error *err)
{
    rls2_model *loaded = UNTOUCHED;
    rls2_status status;
    assert_int_equal(rls2_model_save(made.model, path, NULL), RLS2_OK);
    ARMED(status = rls2_model_load(path, &loaded, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(loaded, UNTOUCHED);
        return status;
    }
    add_model(r, loaded);
    rls2_model_free(loaded);
    return status;
}

static rls2_status shares(result *r, rls2_error *err)
{
    double share[8], f[8];
    int64_t size = rls2_model_kernel_count(made.model), n = rls2_model_rows(made.model);
    rls2_status status;
    fill_unwritten(8, share);
    fill_unwritten(8, f);
    ARMED(status = rls2_model_shares(made.model, NULL, share, f, err));
    if (status == RLS2_OK) {
        add_values(r, size, share);
        add_values(r, n, f);
    } else {
        assert_unwritten(8, share);
        assert_unwritten(8, f);
    }
    return status;
}

static rls2_status certify(result *r, rls2_error *err)
{
    rls2_certificate certificate = {.gap = UNWRITTEN};
    rls2_rows train = {.n = rls2_dataset_rows(made.data),
                       .p = rls2_dataset_columns(made.data),
                       .x = rls2_dataset_x(made.data)};
    rls2_status status;
    ARMED(status = rls2_model_certify(made.model, &train, rls2_dataset_y(made.data), &certificate,
                                      sizeof certificate, err));
    if (status == RLS2_OK)
        add_value(r, certificate.gap);
    else
        assert_unwritten(1, &certificate.gap);
    return status;
}

static rls2_status forecast(result *r, rls2_error *err)
{
    rls2_forecast made_forecast = {UNWRITTEN, UNWRITTEN};
    rls2_rows rows = {.n = rls2_dataset_rows(made.data),
                      .p = rls2_dataset_columns(made.data),
                      .x = rls2_dataset_x(made.data)};
    rls2_status status;
    ARMED(status = rls2_basis_forecast(rls2_model_dictionary(made.model), &rows, &made_forecast,
                                       sizeof made_forecast, err));
    if (status == RLS2_OK)
        add_value(r, made_forecast.most);
    else
        assert_unwritten(1, &made_forecast.most);
    return status;
}

/* ---- all ---- */

static const sweep sweeps[] = {
    {"dataset_preprocess", preprocess, STRICT},
    {"model_encode", encode, STRICT},
    {"model_attach", attach, STRICT},
    {"model_pack", pack, STRICT},
    {"model_pack__given", pack_given, STRICT},
    {"model_unpack", unpack, STRICT},
    {"model_unpack__given", unpack_given, STRICT},
    {"model_attach__classes", attach_classes, STRICT},
    {"model_pack__classes", pack_classes, STRICT},
    {"model_unpack__classes", unpack_classes, STRICT},
    {"model_pack__targets", pack_targets, STRICT},
    {"model_unpack__targets", unpack_targets, STRICT},
    {"model_pack__gaps", pack_gaps, STRICT},
    {"model_unpack__gaps", unpack_gaps, STRICT},
    {"model_pack__widths", pack_widths, STRICT},
    {"model_unpack__widths", unpack_widths, STRICT},
    {"model_encode__gaps", encode_gaps, STRICT},
    {"compact_create", create_compact, STRICT},
    {"model_predict__compact", predict_compact, STRICT},
    {"model_pack__compact", pack_compact, STRICT},
    {"model_unpack__compact", unpack_compact, STRICT},
    {"model_variance__weights", weighted_variance, STRICT},
    {"model_save", save, STRICT},
    {"model_load", load, STRICT},
    {"model_shares", shares, STRICT},
    {"model_certify", certify, STRICT},
    {"basis_forecast", forecast, STRICT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
