/* Model files: what was saved is what is loaded, and nothing else is. */
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/edited_model.h"

/* ---- round trips ---- */

static void model_unpack__packed_model_of_every_kind__says_the_same_bits(void **state)
{
    (void)state;
    for (int i = 0; i < MODEL_CASE_COUNT; i++) {
        made_model made = make_model(&MODEL_CASES[i]);
        packed p = pack(made.model);
        rls2_model *loaded = NULL;
        rls2_error err;
        assert_ok(rls2_model_unpack("m.rls2", p.bytes, p.length, &loaded, &err), &err);
        assert_same_model(&MODEL_CASES[i], &made, loaded);
        packed again = pack(loaded);
        assert_int_equal(again.length, p.length);
        assert_memory_equal(again.bytes, p.bytes, (size_t)p.length);
        rls2_model_free(loaded);
        rls2_bytes_free(again.bytes);
        rls2_bytes_free(p.bytes);
        free_model(&made);
    }
}

/* ---- damage ---- */

/* One for each version of the format. */
static const char *const SMALL[] = {"linear", "three responses"};
static const char *const DAMAGED[] = {"text", "number classes"};

static void check_cuts(const char *name)
{
    packed p = pack_case(name);
    rls2_error err;
    for (int64_t length = 0; length < p.length; length++) {
        unsigned char *part =
            malloc((size_t)length + 1); /* of its own, so that reading beyond it is seen */
        memcpy(part, p.bytes, (size_t)length);
        assert_refused(part, length, &err);
        if (length > 60) assert_message(&err, "cut off");
        free(part);
    }
    rls2_bytes_free(p.bytes);
}

static void model_unpack__cut_at_any_length__is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) check_cuts(SMALL[i]);
}

static void check_bits(const char *name)
{
    packed p = pack_case(name);
    rls2_error err;
    for (int64_t i = 0; i < p.length; i++)
        for (int bit = 0; bit < 8; bit++) {
            p.bytes[i] ^= (unsigned char)(1 << bit);
            assert_refused(p.bytes, p.length, &err);
            p.bytes[i] ^= (unsigned char)(1 << bit);
        }
    rls2_bytes_free(p.bytes);
}

static void model_unpack__any_byte_changed__is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) check_bits(DAMAGED[i]);
}

static void model_unpack__bytes_added__is_refused(void **state)
{
    (void)state;
    packed p = pack_case("linear");
    rls2_error err;
    unsigned char *more = calloc((size_t)p.length + 8, 1);
    memcpy(more, p.bytes, (size_t)p.length);
    assert_refused(more, p.length + 8, &err);
    assert_message(&err, "8 bytes too many");
    free(more);
    rls2_bytes_free(p.bytes);
}

static void model_unpack__other_files__are_told_what_they_are(void **state)
{
    (void)state;
    static const char csv[] = "a,b,c\n1,2,3\n4,5,6\n7,8,9\n";
    static const char other[] = "\x3c\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"F64\",\"shape\":[1],\"data_"
                                "offsets\":[0,8]}}             "
                                "12345678";
    rls2_error err;
    assert_refused((const unsigned char *)csv, (int64_t)sizeof csv - 1, &err);
    assert_message(&err, "not a model of rls2");
    assert_refused((const unsigned char *)"", 0, &err);
    assert_message(&err, "not a model of rls2");
    assert_refused((const unsigned char *)other, (int64_t)sizeof other - 1, &err);
    assert_message(&err, "not a model of rls2");
}

/* ---- files edited with the checksum made right ---- */

static void model_unpack__nothing_edited__is_accepted(void **state)
{
    (void)state;
    for (int i = 0; i < MODEL_CASE_COUNT; i++) {
        edited e = edit(MODEL_CASES[i].name);
        packed p = edit_pack(&e);
        rls2_error err;
        rls2_model *model = NULL;
        assert_ok(rls2_model_unpack("m.rls2", p.bytes, p.length, &model, &err), &err);
        rls2_model_free(model);
        free(p.bytes);
        edit_free(&e);
    }
}

static void model_unpack__newer_version__says_so(void **state)
{
    (void)state;
    edited e = edit("linear");
    json_object_set_new(json_object_get(e.header, "__metadata__"), "format_version",
                        json_string("6"));
    assert_edit_refused(
        &e, "version 6",
        "m.rls2: format version 6; this rls2 reads versions up to 5: use a newer rls2");
    json_object_set_new(json_object_get(e.header, "__metadata__"), "format_version",
                        json_string("99999999999999"));
    assert_edit_refused(&e, "a huge version", "use a newer rls2");
    json_object_set_new(json_object_get(e.header, "__metadata__"), "format_version",
                        json_string("x"));
    assert_edit_refused(&e, "version x", "no format version");
    json_object_set_new(json_object_get(e.header, "__metadata__"), "format_version",
                        json_string("1"));
    json_object_set_new(json_object_get(e.header, "__metadata__"), "format", json_string("rls3"));
    assert_edit_refused(&e, "another format", "not a model of rls2");
    edit_free(&e);
    e = edit("groups");
    json_array_append(json_object_get(e.description, "outputs"),
                      json_array_get(json_object_get(e.description, "outputs"), 0));
    assert_edit_refused(&e, "two outputs", "2 outputs in a file of format version 1");
    edit_free(&e);
}

/* Every value below this one, in turn: taken out, and made something else. */
static void spoil_fields(edited *e, json_t *at)
{
    void *next;
    for (void *i = json_object_iter(at); i; i = next) {
        char key[64];
        snprintf(key, sizeof key, "%s", json_object_iter_key(i));
        json_t *value = json_incref(json_object_iter_value(i));
        spoil_fields(e, value);
        json_object_set_new(at, key, json_pack("{s:[i]}", "strange", 7));
        assert_edit_refused(e, key, NULL);
        if (!json_is_string(value)) {
            json_object_set_new(at, key, json_string("text"));
            if (strcmp(key, "weight") != 0) assert_edit_refused(e, key, NULL); /* a column */
        } else {
            json_object_set_new(at, key, json_integer(3));
            assert_edit_refused(e, key, NULL);
        }
        json_object_set(at, key, value);
        json_decref(value);
        next = json_object_iter_next(at, json_object_iter_at(at, key));
    }
    for (size_t i = 0; i < json_array_size(at); i++) {
        json_t *value = json_incref(json_array_get(at, i));
        spoil_fields(e, value);
        json_array_set_new(at, i, json_pack("{s:b}", "strange", 1));
        assert_edit_refused(e, "an element", NULL);
        json_array_set(at, i, value);
        json_decref(value);
    }
}

/* Keys of the object, copied. */
static int list_keys(json_t *object, char keys[][64])
{
    int count = 0;
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) snprintf(keys[count++], 64, "%s", key);
    return count;
}

static void remove_fields(edited *e, json_t *at)
{
    char keys[32][64];
    int count = list_keys(at, keys);
    for (int k = 0; k < count; k++) {
        json_t *copy = json_copy(at), *value = json_incref(json_object_get(at, keys[k]));
        remove_fields(e, value);
        json_object_del(at, keys[k]);
        assert_edit_refused(e, keys[k], NULL);
        json_object_clear(at);
        json_object_update(at, copy); /* the order as it was */
        json_decref(copy);
        json_decref(value);
    }
    for (size_t i = 0; i < json_array_size(at); i++) remove_fields(e, json_array_get(at, i));
}

static const char *const SPOILED[] = {"text",        "number labels", "given",
                                      "groups",      "all kinds",     "number classes",
                                      "two targets", "gaps",          "learned widths"};

static void model_unpack__field_of_another_type__is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SPOILED / sizeof SPOILED[0]; i++) {
        edited e = edit(SPOILED[i]);
        spoil_fields(&e, e.description);
        edit_free(&e);
    }
}

static void model_unpack__field_removed__is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SPOILED / sizeof SPOILED[0]; i++) {
        edited e = edit(SPOILED[i]);
        remove_fields(&e, e.description);
        edit_free(&e);
    }
}

static void model_unpack__array_removed_renamed_or_reshaped__is_refused(void **state)
{
    (void)state;
    char keys[32][64];
    static const char *const cases[] = {"all kinds",   "given", "number classes",
                                        "two targets", "gaps",  "learned widths"};
    for (int c = 0; c < 6; c++) {
        edited e = edit(cases[c]);
        int count = list_keys(e.header, keys);
        for (int k = 0; k < count; k++) {
            if (strcmp(keys[k], "__metadata__") == 0) continue;
            json_t *entry = json_incref(json_object_get(e.header, keys[k])),
                   *copy = json_deep_copy(entry);
            json_object_del(e.header, keys[k]);
            assert_edit_refused(&e, keys[k], NULL);
            json_object_set(e.header, "other", entry);
            assert_edit_refused(&e, keys[k], NULL);
            json_object_del(e.header, "other");
            json_object_set(e.header, keys[k], copy);
            json_t *shape = json_object_get(copy, "shape"),
                   *type = json_incref(json_object_get(copy, "dtype"));
            json_array_append_new(shape, json_integer(1));
            assert_edit_refused(&e, keys[k], NULL);
            json_array_insert_new(shape, 0, json_integer(1));
            assert_edit_refused(&e, keys[k], NULL);
            json_object_set(copy, "shape", json_object_get(entry, "shape"));
            json_object_set_new(
                copy, "dtype",
                json_string(strcmp(json_string_value(type), "F64") == 0 ? "I64" : "F64"));
            assert_edit_refused(&e, keys[k], NULL);
            json_object_set_new(copy, "dtype", json_string("BF16"));
            assert_edit_refused(&e, keys[k], "not F64 or I64");
            json_object_set(e.header, keys[k], entry);
            json_decref(type);
            json_decref(copy);
            json_decref(entry);
        }
        edit_free(&e);
    }
}

static void model_unpack__offsets_that_overlap_or_leave_holes__are_refused(void **state)
{
    (void)state;
    static const int64_t wrong[][2] = {{0, 8}, {8, 16}, {-8, 0}, {1 << 20, (1 << 20) + 8}};
    edited e = edit("linear");
    json_t *entry = json_object_get(e.header, "outputs.0.d");
    for (int i = 0; i < 4; i++) {
        json_object_set_new(entry, "data_offsets",
                            json_pack("[I,I]", (json_int_t)wrong[i][0], (json_int_t)wrong[i][1]));
        assert_edit_refused(&e, "offsets", NULL);
    }
    json_object_set_new(entry, "shape", json_pack("[I,I]", INT64_C(1) << 40, INT64_C(1) << 40));
    assert_edit_refused(&e, "a huge shape", "do not fit its shape");
    edit_free(&e);
}

/* ---- values ---- */

static void model_unpack__value_out_of_range__is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *array;
        double value;
    } doubles[] = {{"x", (double)INFINITY},
                   {"outputs.0.c", (double)NAN},
                   {"outputs.0.d", -0.5},
                   {"outputs.0.d", 0.9999},
                   {"outputs.0.d", (double)NAN},
                   {"outputs.0.scales", -1.0},
                   {"outputs.0.scales", (double)INFINITY},
                   {"features.fill", (double)NAN},
                   {"features.fill", (double)INFINITY},
                   {"features.deviation", -1.0},
                   {"features.shift", (double)NAN},
                   {"features.rest", (double)INFINITY},
                   {"features.mean", (double)NAN},
                   {"features.divisor", (double)NAN}};
    static const struct {
        const char *array;
        int64_t value;
    } integers[] = {{"columns", 2},
                    {"columns", -1},
                    {"columns", INT64_MAX},
                    {"outputs.0.kernels", -1},
                    {"outputs.0.kernels", 1000},
                    {"features.exponent", 5000}};
    for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; i++) {
        edited e = edit("all kinds");
        set_element(&e, doubles[i].array, 0, &doubles[i].value);
        assert_edit_refused(&e, doubles[i].array, NULL);
        edit_free(&e);
    }
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
        edited e = edit("all kinds");
        set_element(&e, integers[i].array, 0, &integers[i].value);
        assert_edit_refused(&e, integers[i].array, NULL);
        edit_free(&e);
    }
}

static void model_unpack__selected_kernel_of_scaling_zero__is_refused(void **state)
{
    (void)state;
    edited e = edit("only given");
    const double zero = 0.0;
    set_element(&e, "outputs.0.scales", 0, &zero);
    assert_edit_refused(&e, "scaling 0", "scaling 0");
    edit_free(&e);
}

static void model_unpack__widths_that_are_none__are_refused(void **state)
{
    (void)state;
    const double wrong[] = {0.0, -1.0, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 4; i++) {
        edited e = edit("learned widths");
        set_element(&e, "widths", 2, &wrong[i]);
        assert_edit_refused(&e, "widths", "widths: element 2 is ");
        edit_free(&e);
    }
    edited e = edit("learned widths"); /* as many kernels, of which fewer learn, or more */
    json_t *dictionary = json_object_get(e.description, "dictionary");
    json_object_set_new(dictionary, "spec",
                        json_string("rbf(1|2)@all; matern(2.5,learn)@a+c; linear"));
    assert_edit_refused(&e, "fewer widths", "5 widths where 2 are needed");
    json_object_set_new(dictionary, "spec", json_string("rbf(1|2)@all; matern(2.5)@a+c; linear"));
    assert_edit_refused(&e, "no widths", "arrays where");
    json_object_set_new(dictionary, "spec",
                        json_string("rbf(learn)@all,b+c; matern(2.5,learn)@a+c; linear"));
    assert_edit_refused(&e, "more widths", "5 widths where 7 are needed");
    edit_free(&e);
}

static void set_text(edited *e, const char *object, const char *key, json_t *value)
{
    json_object_set_new(object ? json_object_get(e->description, object) : e->description, key,
                        value);
}

static void model_unpack__description_that_contradicts_itself__is_refused(void **state)
{
    (void)state;
    edited e = edit("text");
    set_text(&e, "dictionary", "spec", json_string("rbf(1:2:10000000)@all"));
    assert_edit_refused(&e, "10 million kernels", "kernels");
    set_text(&e, "dictionary", "spec", json_string("linear"));
    assert_edit_refused(&e, "fewer kernels", "scalings");
    set_text(&e, "dictionary", "spec", json_string("lineer"));
    assert_edit_refused(&e, "a slip", "did you mean 'linear'");
    edit_free(&e);
    e = edit("text");
    set_text(&e, "data", "reference", json_true());
    assert_edit_refused(&e, "another number of columns", "columns where there are");
    edit_free(&e);
    e = edit("text");
    json_object_set_new(json_object_get(json_object_get(e.description, "data"), "classes"),
                        "labels", json_pack("[s,s]", "no", "no"));
    assert_edit_refused(&e, "equal labels", "two classes");
    json_object_set_new(json_object_get(json_object_get(e.description, "data"), "classes"),
                        "labels", json_pack("[s,s,s]", "a", "b", "c"));
    assert_edit_refused(&e, "three classes", "1 outputs where 1 targets and 3 classes make 3");
    edit_free(&e);
    e = edit("text");
    set_text(&e, "data", "targets", json_pack("[s]", "size"));
    assert_edit_refused(&e, "an input as target", "used twice");
    set_text(&e, "data", "targets", json_pack("[s]", "kind"));
    set_text(&e, "data", "fingerprint", json_string("123"));
    assert_edit_refused(&e, "a short fingerprint", "fingerprint");
    edit_free(&e);
    e = edit("linear");
    json_object_set_new(json_array_get(json_object_get(e.description, "outputs"), 0), "lambda",
                        json_real(0.0));
    assert_edit_refused(&e, "lambda 0", "lambda is 0");
    edit_free(&e);
}

static json_t *input_of(edited *e, size_t k)
{
    return json_array_get(json_object_get(json_object_get(e->description, "data"), "inputs"), k);
}

/* Inputs are day, price, colour (red and blue, others pooled) and hours. */
static void model_unpack__inputs_that_make_no_sense__are_refused(void **state)
{
    (void)state;
    edited e = edit("gaps");
    json_object_set_new(input_of(&e, 0), "parts", json_pack("[s]", "minute"));
    assert_edit_refused(&e, "an unknown part", "'minute' is not a part of a date");
    json_object_set_new(input_of(&e, 0), "parts", json_pack("[s,s,s]", "year", "month", "month"));
    assert_edit_refused(&e, "a part twice", "'month' is not a part of a date, or out of order");
    json_object_set_new(input_of(&e, 0), "parts", json_pack("[s,s,s]", "month", "year", "weekday"));
    assert_edit_refused(&e, "parts in another order", "out of order");
    json_object_set_new(input_of(&e, 0), "parts", json_pack("[s,s,s]", "year", "month", "hour"));
    assert_edit_refused(&e, "another part", "not one that input 'day' makes");
    json_object_set_new(input_of(&e, 0), "style", json_string("date-xyz"));
    assert_edit_refused(&e, "an unknown style", "'date-xyz' is not a style known here");
    edit_free(&e);
    e = edit("gaps");
    json_object_set_new(input_of(&e, 2), "pooled", json_pack("[s,s]", "pink", "red"));
    assert_edit_refused(&e, "pooled and not", "has the value 'red' twice");
    json_object_set_new(input_of(&e, 2), "pooled", json_array());
    assert_edit_refused(&e, "nothing pooled", "columns where there are");
    edit_free(&e);
    e = edit("gaps");
    json_object_set_new(input_of(&e, 3), "missing", json_false());
    assert_edit_refused(&e, "no column of empty cells", "columns where there are");
    json_object_set_new(input_of(&e, 3), "missing", json_true());
    json_object_set_new(json_object_get(e.description, "data"), "target_styles",
                        json_pack("[s,s]", "plain", "plain"));
    assert_edit_refused(&e, "two styles", "2 styles of 1 targets");
    json_object_set_new(json_object_get(e.description, "data"), "target_styles",
                        json_pack("[s]", "fancy"));
    assert_edit_refused(&e, "an unknown style", "'fancy' is not a style known here");
    json_object_set_new(json_object_get(e.description, "data"), "target_styles",
                        json_pack("[s]", "plain"));
    json_object_set_new(json_object_get(e.description, "data"), "missing", json_string("guess"));
    assert_edit_refused(&e, "an unknown rule", "'missing' is not a word known here");
    edit_free(&e);
}

/* ---- files ---- */

static char folder[] = "/tmp/rls2-test-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/m.rls2", folder);
    return 0;
}

/* Files in the folder; they are removed if asked for. */
static int count_files(int removed)
{
    int count = 0;
    DIR *open = opendir(folder);
    for (struct dirent *entry = readdir(open); entry; entry = readdir(open)) {
        char name[400];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        count++;
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        if (removed) remove(name);
    }
    closedir(open);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    count_files(1);
    return rmdir(folder);
}

static void model_save__then_load__says_the_same_bits(void **state)
{
    (void)state;
    made_model made = make_model(&MODEL_CASES[1]);
    rls2_model *loaded = NULL;
    rls2_error err;
    struct stat about;
    mode_t mask = umask(027);
    assert_ok(rls2_model_save(made.model, path, &err), &err);
    assert_ok(rls2_model_save(made.model, path, &err), &err); /* over itself */
    umask(mask);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_int_equal(count_files(0), 1);
    assert_ok(rls2_model_load(path, &loaded, &err), &err);
    assert_same_model(&MODEL_CASES[1], &made, loaded);
    rls2_model_free(loaded);
    free_model(&made);
}

static void model_save__in_the_current_folder__is_there(void **state)
{
    (void)state;
    char before[1024];
    made_model made = make_model(&MODEL_CASES[0]);
    rls2_error err;
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    rls2_status status = rls2_model_save(made.model, "plain", &err);
    assert_int_equal(chdir(before), 0);
    assert_ok(status, &err);
    assert_int_equal(count_files(0), 1);
    free_model(&made);
}

static void model_save__where_nothing_can_be_written__says_why_and_leaves_nothing(void **state)
{
    (void)state;
    made_model made = make_model(&MODEL_CASES[0]);
    rls2_error err;
    char name[128];
    snprintf(name, sizeof name, "%s/no/such/folder", folder);
    assert_int_equal(rls2_model_save(made.model, name, &err), RLS2_ERR_IO);
    assert_message(&err, "No such file or directory");
    assert_int_equal(rls2_model_save(made.model, folder, &err), RLS2_ERR_IO);
    assert_message(&err, "is a directory");
    assert_int_equal(rls2_model_save(made.model, "-", &err), RLS2_ERR_IO);
    assert_int_equal(rls2_model_save(made.model, "", &err), RLS2_ERR_IO);
    assert_int_equal(rls2_model_save(made.model, "/dev/null", &err), RLS2_ERR_IO);
    assert_message(&err, "not a regular file");
    assert_int_equal(count_files(0), 0);
    free_model(&made);
}

static void model_save__disk_full__keeps_the_old_file(void **state)
{
    (void)state;
    made_model made = make_model(&MODEL_CASES[0]);
    rls2_model *loaded = NULL;
    rls2_error err;
    struct rlimit before, small;
    assert_ok(rls2_model_save(made.model, path, &err), &err);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 100;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    rls2_status status = rls2_model_save(made.model, path, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, RLS2_ERR_IO);
    assert_message(&err, "cannot be written: ");
    assert_int_equal(count_files(0), 1);
    assert_ok(rls2_model_load(path, &loaded, &err), &err);
    rls2_model_free(loaded);
    free_model(&made);
}

static void model_load__no_such_file__says_so(void **state)
{
    (void)state;
    rls2_model *model = NULL;
    rls2_error err;
    assert_int_equal(rls2_model_load(path, &model, &err), RLS2_ERR_IO);
    assert_message(&err, "no such file");
    assert_null(model);
}

static void model_save__over_a_private_file_behind_a_link__keeps_both(void **state)
{
    (void)state;
    rls2_error err;
    struct stat about;
    char link[4096];
    made_model made = make_model(&MODEL_CASES[0]);
    snprintf(link, sizeof link, "%s.link", path);
    assert_ok(rls2_model_save(made.model, path, &err), &err);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(symlink(path, link), 0);
    assert_ok(rls2_model_save(made.model, link, &err), &err);
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    unlink(link);
    free_model(&made);
}

/* Children write one model, then the other, over the same file, and are killed at some moment. */
static void model_save__killed_at_any_moment__leaves_one_of_the_two(void **state)
{
    (void)state;
    enum { ROUNDS = 40 };
    made_model made[2] = {make_model(&MODEL_CASES[0]), make_model(&MODEL_CASES[1])};
    packed both[2] = {pack(made[0].model), pack(made[1].model)};
    rls2_error err;
    rls2__random random;
    rls2__random_seed(&random, 40);
    assert_ok(rls2_model_save(made[0].model, path, &err), &err);
    for (int round = 0; round < ROUNDS; round++) {
        pid_t child = fork();
        if (child == 0)
            for (int i = 0;; i++) rls2_model_save(made[i % 2].model, path, NULL);
        assert_true(child > 0);
        usleep((useconds_t)(200 + rls2__random_below(&random, 6000)));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        rls2_model *loaded = NULL;
        assert_ok(rls2_model_load(path, &loaded, &err), &err);
        packed p = pack(loaded);
        int same = 0;
        for (int i = 0; i < 2; i++)
            same |=
                p.length == both[i].length && memcmp(p.bytes, both[i].bytes, (size_t)p.length) == 0;
        assert_true(same);
        assert_true(count_files(0) <= 1 + round + 1);
        rls2_bytes_free(p.bytes);
        rls2_model_free(loaded);
    }
    for (int i = 0; i < 2; i++) {
        rls2_bytes_free(both[i].bytes);
        free_model(&made[i]);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_unpack__packed_model_of_every_kind__says_the_same_bits),
        cmocka_unit_test(model_unpack__cut_at_any_length__is_refused),
        cmocka_unit_test(model_unpack__any_byte_changed__is_refused),
        cmocka_unit_test(model_unpack__bytes_added__is_refused),
        cmocka_unit_test(model_unpack__other_files__are_told_what_they_are),
        cmocka_unit_test(model_unpack__nothing_edited__is_accepted),
        cmocka_unit_test(model_unpack__newer_version__says_so),
        cmocka_unit_test(model_unpack__widths_that_are_none__are_refused),
        cmocka_unit_test(model_unpack__field_of_another_type__is_refused),
        cmocka_unit_test(model_unpack__field_removed__is_refused),
        cmocka_unit_test(model_unpack__array_removed_renamed_or_reshaped__is_refused),
        cmocka_unit_test(model_unpack__offsets_that_overlap_or_leave_holes__are_refused),
        cmocka_unit_test(model_unpack__value_out_of_range__is_refused),
        cmocka_unit_test(model_unpack__selected_kernel_of_scaling_zero__is_refused),
        cmocka_unit_test(model_unpack__description_that_contradicts_itself__is_refused),
        cmocka_unit_test(model_unpack__inputs_that_make_no_sense__are_refused),
        IN_FOLDER(model_save__then_load__says_the_same_bits),
        IN_FOLDER(model_save__in_the_current_folder__is_there),
        IN_FOLDER(model_save__where_nothing_can_be_written__says_why_and_leaves_nothing),
        IN_FOLDER(model_save__disk_full__keeps_the_old_file),
        IN_FOLDER(model_load__no_such_file__says_so),
        IN_FOLDER(model_save__over_a_private_file_behind_a_link__keeps_both),
        IN_FOLDER(model_save__killed_at_any_moment__leaves_one_of_the_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
