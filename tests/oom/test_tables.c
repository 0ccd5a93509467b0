/* Every allocation of the functions of tables, data sets and dictionaries fails once:
 * alone, and with those that come after it. The call then reports it and writes nothing.
 * That nothing leaks either is for the sanitised build to see. */
#include "failing_allocator.h"

#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/paper_sets.h"
#include "support/standardize.h"
#include "formats/stream.h"
#include "support/gzip.h"
#include "table/table.h"

/* ---- tables ---- */

static void add_table(result *r, const rls2_table *table)
{
    int64_t rows = rls2_table_rows(table), columns = rls2_table_columns(table);
    add_value(r, (double)rows);
    for (int64_t j = 0; j < columns; j++) {
        add_text(r, rls2_table_column_name(table, j));
        add_value(r, rls2_table_is_numeric(table, j));
        for (int64_t i = 0; i < rows && i < 50; i++) add_text(r, rls2_table_cell(table, i, j));
    }
}

static rls2_status finish_table(rls2_status status, rls2_table *table, result *r)
{
    if (status != RLS2_OK) {
        assert_ptr_equal(table, UNTOUCHED);
        return status;
    }
    add_table(r, table);
    rls2_table_free(table);
    return status;
}

static rls2_status read_file(result *r, rls2_error *err)
{
    rls2_table *table = UNTOUCHED;
    rls2_status status;
    int before = dup(0);
    ARMED(status = rls2_table_read_csv("data/servo.csv", &table, err));
    int after = dup(0);
    assert_int_equal(after, before + 1); /* the file is closed */
    close(before);
    close(after);
    return finish_table(status, table, r);
}

/* More text than the first buffer for a file of unknown size holds. */
static void write_long_text(int file)
{
    static char text[100000];
    size_t used = (size_t)snprintf(text, sizeof text, "a,b\n");
    while (used + 11 < sizeof text)
        used += (size_t)snprintf(text + used, sizeof text - used, "1,%08zu\n", used);
    for (size_t at = 0; at < used;) {
        ssize_t done = write(file, text + at, used - at);
        if (done <= 0) break;
        at += (size_t)done;
    }
}

static rls2_status read_pipe(result *r, rls2_error *err)
{
    rls2_table *table = UNTOUCHED;
    rls2_status status;
    int ends[2];
    char path[32];
    assert_int_equal(pipe(ends), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        close(ends[0]);
        write_long_text(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    ARMED(status = rls2_table_read_csv(path, &table, err));
    close(ends[0]);
    waitpid(writer, NULL, 0);
    return finish_table(status, table, r);
}

/* Numbers, a text column of many values, one of two, and missing cells. */
static const char *shop_text(void)
{
    static char text[8192];
    size_t used =
        (size_t)snprintf(text, sizeof text, "size,\"colour \"\"c\"\"\",sold,grade,price\n");
    for (int i = 0; i < 120; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,\"shade %d\",%s,%d,%s\n",
                                 i * 7 % 11, i % 40, i % 3 ? "yes" : "no", i % 2,
                                 i % 17 ? "2.5e1" : "");
    return text;
}

static rls2_status parse_text(result *r, rls2_error *err)
{
    rls2_table *table = UNTOUCHED;
    rls2_status status;
    const char *text = shop_text();
    ARMED(status = rls2_table_parse_csv("shop.csv", text, (int64_t)strlen(text), &table, err));
    return finish_table(status, table, r);
}

/* Without header, compressed, other texts for missing cells. */
static rls2_status parse_packed(result *r, rls2_error *err)
{
    static const char *const missing[] = {"no", "5"};
    rls2_table *table = UNTOUCHED;
    rls2_status status;
    gzip_bytes packed = gzip(shop_text(), (int64_t)strlen(shop_text()));
    rls2_read_options options = {.size = sizeof options, .header = 0, .na = missing, .na_count = 2};
    ARMED(status = rls2_table_parse("shop", packed.data, packed.length, &options, &table, err));
    free(packed.data);
    return finish_table(status, table, r);
}

static rls2_status take_rows(result *r, rls2_error *err)
{
    static const int64_t rows[] = {3, 1, 100};
    rls2_table *table = NULL, *taken = UNTOUCHED;
    rls2_status status;
    const char *text = shop_text();
    assert_int_equal(rls2_table_parse_csv("shop.csv", text, (int64_t)strlen(text), &table, NULL),
                     RLS2_OK);
    table->first_target = 0;
    table->target_count = 1;
    table->marker = table->names[1];
    ARMED(status = rls2_table_take(table, 3, rows, &taken, err));
    rls2_table_free(table);
    return finish_table(status, taken, r);
}

/* Memory that is out is no count. */
static rls2_status count_distinct(result *r, rls2_error *err)
{
    rls2_table *table = NULL;
    int64_t numbers, texts;
    const char *text = shop_text();
    assert_int_equal(rls2_table_parse_csv("shop.csv", text, (int64_t)strlen(text), &table, NULL),
                     RLS2_OK);
    ARMED(numbers = rls2_table_distinct(table, 0, 1000));
    ARMED(texts = rls2_table_distinct(table, 1, 1000));
    rls2_table_free(table);
    if (numbers < 0 || texts < 0) {
        if (err)
            *err = (rls2_error){.status = RLS2_ERR_MEMORY, .message = "out of memory for a count"};
        return RLS2_ERR_MEMORY;
    }
    add_value(r, (double)numbers);
    add_value(r, (double)texts);
    return RLS2_OK;
}

/* The first piece of a stream, through a buffer that must grow. */
static rls2_status stream_bytes(const void *bytes, int64_t length, result *r, rls2_error *err)
{
    static const char *const missing[] = {"no", "5"};
    rls2_stream *stream = UNTOUCHED;
    rls2_table *piece = UNTOUCHED;
    rls2_status status;
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.na = missing;
    options.na_count = 2;
    ARMED(status =
              rls2__stream_open_memory("shop.csv", bytes, length, &options, 100, &stream, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(stream, UNTOUCHED);
        return status;
    }
    ARMED(status = rls2_stream_next(stream, 110, &piece, err));
    rls2_stream_close(stream);
    return finish_table(status, piece, r);
}

static rls2_status stream_text(result *r, rls2_error *err)
{
    const char *text = shop_text();
    return stream_bytes(text, (int64_t)strlen(text), r, err);
}

static rls2_status stream_packed(result *r, rls2_error *err)
{
    gzip_bytes packed = gzip(shop_text(), (int64_t)strlen(shop_text()));
    rls2_status status = stream_bytes(packed.data, packed.length, r, err);
    free(packed.data);
    return status;
}

static rls2_status stream_file(result *r, rls2_error *err)
{
    rls2_stream *stream = UNTOUCHED;
    rls2_table *piece = UNTOUCHED;
    rls2_status status;
    int before = dup(0);
    ARMED(status = rls2_stream_open("data/servo.csv", NULL, &stream, err));
    if (status == RLS2_OK) {
        ARMED(status = rls2_stream_next(stream, 50, &piece, err));
        rls2_stream_close(stream);
    } else {
        assert_ptr_equal(stream, UNTOUCHED);
    }
    int after = dup(0);
    assert_int_equal(after, before + 1); /* the file is closed */
    close(before);
    close(after);
    return finish_table(status, piece, r);
}

/* A table of texts above one of numbers, then some rows of both. */
static rls2_status stack_tables(result *r, rls2_error *err)
{
    static const char numbers[] = "1 1:2 3:4\n0 2:1\n";
    static const char text[] = "x1,x2,x3,x4,y\na,1,2,3,4\n";
    rls2_read_options libsvm;
    rls2_read_options_init(&libsvm, sizeof libsvm);
    rls2_table *tables[2] = {NULL, NULL}, *stacked = UNTOUCHED, *some = UNTOUCHED;
    rls2_status status;
    libsvm.format = RLS2_FORMAT_LIBSVM;
    assert_int_equal(
        rls2_table_parse_csv("a.csv", text, (int64_t)sizeof text - 1, &tables[0], NULL), RLS2_OK);
    assert_int_equal(
        rls2_table_parse("b", numbers, (int64_t)sizeof numbers - 1, &libsvm, &tables[1], NULL),
        RLS2_OK);
    ARMED(status = rls2_table_stack(tables[0], tables[1], &stacked, err));
    rls2_table_free(tables[0]);
    rls2_table_free(tables[1]);
    if (status != RLS2_OK) return finish_table(status, stacked, r);
    static const int64_t taken[] = {2, 0};
    ARMED(status = rls2_table_take(stacked, 2, taken, &some, err));
    rls2_table_free(stacked);
    return finish_table(status, some, r);
}

static rls2_status stack_numbers(result *r, rls2_error *err)
{
    static const char numbers[] = "1 1:2 3:4\n0 2:1\n";
    rls2_read_options libsvm;
    rls2_read_options_init(&libsvm, sizeof libsvm);
    rls2_table *table = NULL, *stacked = UNTOUCHED;
    rls2_status status;
    libsvm.format = RLS2_FORMAT_LIBSVM;
    assert_int_equal(
        rls2_table_parse("b", numbers, (int64_t)sizeof numbers - 1, &libsvm, &table, NULL),
        RLS2_OK);
    ARMED(status = rls2_table_stack(table, table, &stacked, err));
    rls2_table_free(table);
    return finish_table(status, stacked, r);
}

static rls2_status create_table(const char *const *texts, result *r, rls2_error *err)
{
    static const double numbers[] = {1.5, 2, 3};
    const rls2_column columns[] = {{.name = "x", .numbers = numbers, .stride = 1},
                                   {.name = "t", .numbers = numbers, .stride = 1, .texts = texts}};
    rls2_table *table = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_table_create("frame", 3, 2, columns, &table, err));
    return finish_table(status, table, r);
}

static rls2_status create_numbers(result *r, rls2_error *err)
{
    return create_table(NULL, r, err);
}

static rls2_status create_mixed(result *r, rls2_error *err)
{
    static const char *const texts[] = {"a", NULL, "123456789012345678901234567890"};
    return create_table(texts, r, err);
}

/* ---- data sets ---- */

static void add_dataset(result *r, const rls2_dataset *dataset)
{
    int64_t n = rls2_dataset_rows(dataset), p = rls2_dataset_columns(dataset);
    for (int64_t j = 0; j < p; j++) add_text(r, rls2_dataset_names(dataset)[j]);
    add_values(r, n * p, rls2_dataset_x(dataset));
    if (rls2_dataset_y(dataset))
        add_values(r, n * rls2_dataset_outputs(dataset), rls2_dataset_y(dataset));
    if (rls2_dataset_row_weights(dataset)) add_values(r, n, rls2_dataset_row_weights(dataset));
    for (int64_t i = 0; i < n; i++) add_value(r, (double)rls2_dataset_source_row(dataset, i));
    for (int64_t k = 0; k < rls2_dataset_class_count(dataset); k++)
        add_text(r, rls2_dataset_class_label(dataset, k));
    for (int64_t i = 0; i < n && rls2_dataset_classes(dataset); i++)
        add_value(r, (double)rls2_dataset_classes(dataset)[i]);
}

static rls2_status finish_dataset(rls2_status status, rls2_dataset *dataset, result *r)
{
    if (status != RLS2_OK) {
        assert_ptr_equal(dataset, UNTOUCHED);
        return status;
    }
    add_dataset(r, dataset);
    rls2_dataset_free(dataset);
    return status;
}

static rls2_status make_dataset(rls2_dataset_options options, result *r, rls2_error *err)
{
    rls2_table *table = NULL;
    rls2_dataset *dataset = UNTOUCHED;
    rls2_status status;
    const char *text = shop_text();
    assert_int_equal(rls2_table_parse_csv("shop.csv", text, (int64_t)strlen(text), &table, NULL),
                     RLS2_OK);
    ARMED(status = rls2_dataset_create(table, &options, &dataset, err));
    rls2_table_free(table);
    return finish_dataset(status, dataset, r);
}

static rls2_status regression_dataset(result *r, rls2_error *err)
{
    const char *const drop[] = {"colour \"c\"", "sold"};
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "price";
    options.drop = drop;
    options.drop_count = 2;
    return make_dataset(options, r, err);
}

static rls2_status indicator_dataset(result *r, rls2_error *err)
{
    const char *const categorical[] = {"grade"};
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "price";
    options.reference = 1;
    options.categorical = categorical;
    options.categorical_count = 1;
    return make_dataset(options, r, err);
}

static rls2_status text_classes(result *r, rls2_error *err)
{
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "sold";
    return make_dataset(options, r, err);
}

static rls2_status number_classes(result *r, rls2_error *err)
{
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "grade";
    options.classify = 1;
    return make_dataset(options, r, err);
}

/* Forty of them, more than the first room for classes holds. */
static rls2_status many_classes(result *r, rls2_error *err)
{
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "colour \"c\"";
    options.row_weights = "size";
    return make_dataset(options, r, err);
}

static rls2_status several_targets(result *r, rls2_error *err)
{
    static const char *const targets[] = {"price", "grade"};
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.targets = targets;
    options.target_count = 2;
    options.row_weights = "size";
    return make_dataset(options, r, err);
}

static rls2_status imputed_dataset(result *r, rls2_error *err)
{
    static const char text[] = "a,b,e,d,w,y\n1,u,,2001-01-31,1,1\n,v,,2001-02-01,2,2\n"
                               "3,,,,1,3\n4,v,,2001-03-01,1,4\n5,p,,2001-04-01,1,4\n";
    rls2_table *table = NULL;
    rls2_dataset *dataset = UNTOUCHED;
    rls2_status status;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "y";
    options.row_weights = "w";
    options.missing = RLS2_MISSING_IMPUTE;
    options.rare = 2;
    assert_int_equal(rls2_table_parse_csv("gaps.csv", text, sizeof text - 1, &table, NULL),
                     RLS2_OK);
    ARMED(status = rls2_dataset_create(table, &options, &dataset, err));
    rls2_table_free(table);
    return finish_dataset(status, dataset, r);
}

/* The same rows again, standardised, with and without a target. */
static rls2_status make_like_with(rls2_dataset_options options, const char *text, result *r,
                                  rls2_error *err)
{
    rls2_table *table = NULL;
    rls2_dataset *training = NULL, *dataset = UNTOUCHED;
    rls2_status status;
    options.reference = 1;
    const char *shop = shop_text();
    assert_int_equal(rls2_table_parse_csv("shop.csv", shop, (int64_t)strlen(shop), &table, NULL),
                     RLS2_OK);
    assert_int_equal(rls2_dataset_create(table, &options, &training, NULL), RLS2_OK);
    standardize(training);
    rls2_table_free(table);
    assert_int_equal(rls2_table_parse_csv("new.csv", text, (int64_t)strlen(text), &table, NULL),
                     RLS2_OK);
    ARMED(status = rls2_dataset_create_like(table, training, &dataset, err));
    rls2_table_free(table);
    rls2_dataset_free(training);
    return finish_dataset(status, dataset, r);
}

static rls2_status make_like(const char *target, const char *text, result *r, rls2_error *err)
{
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = target;
    return make_like_with(options, text, r, err);
}

static rls2_status like_with_classes_and_weights(result *r, rls2_error *err)
{
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "colour \"c\"";
    options.row_weights = "size";
    return make_like_with(options, shop_text(), r, err);
}

static rls2_status like_with_several_targets(result *r, rls2_error *err)
{
    static const char *const targets[] = {"grade", "size"};
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.targets = targets;
    options.target_count = 2;
    return make_like_with(options, shop_text(), r, err);
}

static rls2_status weigh_classes(const char *classes, result *r, rls2_error *err)
{
    rls2_table *table = NULL;
    rls2_dataset *dataset = NULL;
    rls2_status status;
    double w[120] = {0};
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "sold";
    const char *text = shop_text();
    assert_int_equal(rls2_table_parse_csv("shop.csv", text, (int64_t)strlen(text), &table, NULL),
                     RLS2_OK);
    assert_int_equal(rls2_dataset_create(table, &options, &dataset, NULL), RLS2_OK);
    ARMED(status = rls2_dataset_fit_weights(dataset, classes, w, err));
    if (status == RLS2_OK) add_values(r, rls2_dataset_rows(dataset), w);
    for (int64_t i = 0; i < 120 && status != RLS2_OK; i++) assert_true(w[i] == 0.0);
    rls2_dataset_free(dataset);
    rls2_table_free(table);
    return status;
}

static rls2_status balanced_weights(result *r, rls2_error *err)
{
    return weigh_classes("balanced", r, err);
}

static rls2_status listed_weights(result *r, rls2_error *err)
{
    return weigh_classes("yes=2,no=0.5", r, err);
}

static rls2_status preprocess_weighted(result *r, rls2_error *err)
{
    rls2_table *table = NULL;
    rls2_dataset *dataset = NULL, *also = NULL;
    rls2_status status;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "price";
    options.row_weights = "size";
    const char *text = shop_text();
    assert_int_equal(rls2_table_parse_csv("shop.csv", text, (int64_t)strlen(text), &table, NULL),
                     RLS2_OK);
    assert_int_equal(rls2_dataset_create(table, &options, &dataset, NULL), RLS2_OK);
    assert_int_equal(rls2_dataset_create_like(table, dataset, &also, NULL), RLS2_OK);
    ARMED(status = rls2_dataset_preprocess(dataset, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE,
                                           also, err));
    if (status == RLS2_OK) add_dataset(r, dataset);
    if (status != RLS2_OK) assert_null(rls2_dataset_means(dataset));
    rls2_dataset_free(also);
    rls2_dataset_free(dataset);
    rls2_table_free(table);
    return status;
}

static rls2_status like_with_target(result *r, rls2_error *err)
{
    return make_like("sold", shop_text(), r, err);
}

static rls2_status like_without_target(result *r, rls2_error *err)
{
    return make_like("price", "grade,sold,\"colour \"\"c\"\"\",size\n1,no,shade 3,5\n0,yes,,1\n", r,
                     err);
}

static rls2_status load_paper_set(result *r, rls2_error *err)
{
    rls2_dataset *dataset = UNTOUCHED;
    rls2_status status;
    ARMED(status = paper_set_load(paper_set_find("prostate"), "data", &dataset, err));
    return finish_dataset(status, dataset, r);
}

/* ---- dictionaries ---- */

static rls2_status make_dictionary(const char *spec, const rls2_columns *columns, result *r,
                                   rls2_error *err)
{
    rls2_dictionary *dictionary = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_dictionary_create(spec, columns, &dictionary, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(dictionary, UNTOUCHED);
        return status;
    }
    add_value(r, (double)rls2_dictionary_count(dictionary));
    add_value(r, (double)rls2_dictionary_columns(dictionary));
    for (int64_t k = 0; k < rls2_dictionary_count(dictionary); k++)
        add_text(r, rls2_dictionary_name(dictionary, k));
    rls2_dictionary_free(dictionary);
    return status;
}

static const char *const gene_names[] = {"gene_1", "gene_2", "age", "x y", "q\"t", "gene_10"};
static const int64_t gene_columns[] = {5, 0, 1};
static const rls2_group gene_groups[] = {{"genes", 3, gene_columns},
                                         {"two words", 2, gene_columns}};
static const char *const gene_given[] = {"K1", "my kernel.csv"};
static const rls2_columns genes = {.count = 6,
                                   .names = gene_names,
                                   .group_count = 2,
                                   .groups = gene_groups,
                                   .given_count = 2,
                                   .given_names = gene_given};

/* Enough names to need a second block of memory. */
static rls2_status paper_dictionary(result *r, rls2_error *err)
{
    const rls2_columns many = {.count = 200};
    return make_dictionary("paper", &many, r, err);
}

static rls2_status group_dictionary(result *r, rls2_error *err)
{
    return make_dictionary("rbf(1)@group:genes; poly(1..3)@each:group:genes,group:\"two words\"",
                           &genes, r, err);
}

static rls2_status pattern_dictionary(result *r, rls2_error *err)
{
    return make_dictionary(
        "rbf(1|2)@gene_*,each:gene_?,gene_1+gene_10; laplace(1:2:40)@gene_2..\"x y\"", &genes, r,
        err);
}

static rls2_status given_dictionary(result *r, rls2_error *err)
{
    return make_dictionary(
        "given(K1); given(\"my kernel.csv\"); rbf(0.10001|0.10002)@age,\"q\"\"t\"; linear", &genes,
        r, err);
}

/* ---- all ---- */

static const sweep sweeps[] = {
    {"table_create__numbers", create_numbers, STRICT},
    {"table_create__mixed", create_mixed, STRICT},
    {"table_stack", stack_tables, STRICT},
    {"table_stack__numbers", stack_numbers, STRICT},
    {"dataset_create__many_classes", many_classes, STRICT},
    {"dataset_create__several_targets", several_targets, STRICT},
    {"dataset_create__imputed", imputed_dataset, STRICT},
    {"dataset_create_like__classes_and_weights", like_with_classes_and_weights, STRICT},
    {"dataset_create_like__several_targets", like_with_several_targets, STRICT},
    {"dataset_fit_weights__balanced", balanced_weights, STRICT},
    {"dataset_fit_weights__list", listed_weights, STRICT},
    {"dataset_preprocess__weights", preprocess_weighted, STRICT},
    {"table_read_csv__file", read_file, STRICT},
    {"table_read_csv__pipe", read_pipe, STRICT},
    {"table_parse_csv", parse_text, STRICT},
    {"table_parse__packed", parse_packed, STRICT},
    {"table_take", take_rows, STRICT},
    {"table_distinct", count_distinct, STRICT},
    {"stream__text", stream_text, STRICT},
    {"stream__packed", stream_packed, STRICT},
    {"stream__file", stream_file, STRICT},
    {"dataset_create__regression", regression_dataset, STRICT},
    {"dataset_create__indicators", indicator_dataset, STRICT},
    {"dataset_create__text_classes", text_classes, STRICT},
    {"dataset_create__number_classes", number_classes, STRICT},
    {"dataset_create_like__with_target", like_with_target, STRICT},
    {"dataset_create_like__without_target", like_without_target, STRICT},
    {"paper_set_load", load_paper_set, STRICT},
    {"dictionary_create__paper", paper_dictionary, STRICT},
    {"dictionary_create__groups", group_dictionary, STRICT},
    {"dictionary_create__patterns", pattern_dictionary, STRICT},
    {"dictionary_create__given", given_dictionary, STRICT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
