/* Tables from Arrow streams: every type, nulls and offsets as the specification lays them out, what
 * is refused in which words, and that nothing of the producer is kept or lost. */
#include "table_fixture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "formats/arrow_abi.h"
#include "rls2/arrow.h"

enum { MOST = 4 };

/* A producer of batches of columns that a test lays out. What is alive is counted. */
typedef struct producer {
    struct ArrowSchema children[MOST], *child[MOST];
    struct ArrowArray arrays[MOST], *array[MOST];
    int64_t columns, length, offset;
    int batches; /* that are still to come */
    int fails;   /* an error number of get_next, in place of a batch */
    int alive;   /* schemas, arrays and streams not released */
} producer;

static void release_schema(struct ArrowSchema *schema)
{
    ((producer *)schema->private_data)->alive--;
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    ((producer *)array->private_data)->alive--;
    array->release = NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    ((producer *)stream->private_data)->alive--;
    stream->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema)
{
    producer *p = stream->private_data;
    *schema = (struct ArrowSchema){.format = "+s",
                                   .n_children = p->columns,
                                   .children = p->child,
                                   .release = release_schema,
                                   .private_data = p};
    p->alive++;
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *array)
{
    producer *p = stream->private_data;
    if (p->fails) return p->fails;
    *array = (struct ArrowArray){0};
    if (p->batches-- <= 0) return 0;
    *array = (struct ArrowArray){.length = p->length,
                                 .offset = p->offset,
                                 .n_children = p->columns,
                                 .children = p->array,
                                 .release = release_array,
                                 .private_data = p};
    p->alive++;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "the disk is gone";
}

static struct ArrowArrayStream stream_of(producer *p)
{
    for (int j = 0; j < MOST; j++) {
        p->child[j] = &p->children[j];
        p->array[j] = &p->arrays[j];
    }
    if (p->batches == 0) p->batches = 1;
    p->alive++;
    return (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, p};
}

/* A column of a format, its buffers (validity, values, ...) and cells. */
static void add_column(producer *p, const char *name, const char *format, const void **buffers,
                       int64_t count, int64_t length)
{
    p->children[p->columns] = (struct ArrowSchema){.format = format, .name = name};
    p->arrays[p->columns] = (struct ArrowArray){.length = length,
                                                .null_count = buffers && buffers[0] ? -1 : 0,
                                                .n_buffers = count,
                                                .buffers = buffers};
    p->columns++;
    p->length = length;
}

static rls2_table *next_of(rls2_arrow *arrow, int64_t rows)
{
    rls2_error err = {0};
    rls2_table *table = NULL;
    rls2_status status = rls2_arrow_next(arrow, rows, &table, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    return table;
}

static rls2_arrow *opened(producer *p)
{
    rls2_error err = {0};
    rls2_arrow *arrow = NULL;
    struct ArrowArrayStream stream = stream_of(p);
    rls2_status status = rls2_arrow_open("a", &stream, &arrow, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    assert_null(stream.release);
    return arrow;
}

static void arrow__numbers_of_every_type__are_read(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        const char *bytes;
        double first, second;
    } cases[] = {
        {"b", "\2", 0, 1},
        {"c", "\x7f\x80", 127, -128},
        {"C", "\x7f\x80", 127, 128},
        {"s", "\1\0\xfe\xff", 1, -2},
        {"S", "\1\0\xfe\xff", 1, 65534},
        {"i", "\1\0\0\0\0\0\0\x80", 1, -2147483648.0},
        {"I", "\1\0\0\0\0\0\0\x80", 1, 2147483648.0},
        {"l", "\0\0\0\0\0\0\x20\0\0\0\0\0\0\0\xe0\xff", 9007199254740992.0, -9007199254740992.0},
        {"L", "\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80", 3, 9223372036854775808.0},
        {"e", "\0\x3e\1\x80", 1.5, -5.9604644775390625e-8},
        {"f", "\0\0\xc0\x3f\0\0\x80\xc0", 1.5, -4},
        {"g", "\0\0\0\0\0\0\xf8\x3f\0\0\0\0\0\0\x10\xc0", 1.5, -4},
        {"d:9,2,32", "\x39\x30\0\0\xc7\xcf\xff\xff", 123.45, -123.45},
        {"d:9,-2,64", "\x39\x30\0\0\0\0\0\0\xc7\xcf\xff\xff\xff\xff\xff\xff", 1234500, -1234500},
        {"d:38,1",
         "\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
         "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
         1844674407370955161.6, -0.1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        producer p = {0};
        const void *buffers[] = {NULL, cases[i].bytes};
        add_column(&p, "x", cases[i].format, buffers, 2, 2);
        rls2_arrow *arrow = opened(&p);
        rls2_table *table = next_of(arrow, 10);
        assert_int_equal(rls2_table_rows(table), 2);
        assert_true(rls2_table_value(table, 0, 0) == cases[i].first);
        assert_true(rls2_table_value(table, 1, 0) == cases[i].second);
        assert_null(next_of(arrow, 10));
        rls2_table_free(table);
        rls2_arrow_close(arrow);
        assert_int_equal(p.alive, 0);
    }
}

static void arrow__times__are_iso_texts(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        int width;
        int64_t ticks;
        const char *text;
    } cases[] = {
        {"tdD", 4, 0, "1970-01-01"},
        {"tdD", 4, 19782, "2024-02-29"},
        {"tdD", 4, -719162, "0001-01-01"},
        {"tdD", 4, -25509, "1900-02-28"},
        {"tdm", 8, -86400000, "1969-12-31"},
        {"tss:", 8, 1709210096, "2024-02-29 12:34:56"},
        {"tsm:UTC", 8, 1709210096007, "2024-02-29 12:34:56.007"},
        {"tsu:", 8, -1, "1969-12-31 23:59:59.999999"},
        {"tsn:", 8, INT64_MIN, "1677-09-21 00:12:43.145224192"},
        {"tsn:", 8, INT64_MAX, "2262-04-11 23:47:16.854775807"},
        {"tts", 4, 45296, "12:34:56"},
        {"ttn", 8, 45296000000001, "12:34:56.000000001"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        producer p = {0};
        int32_t four = (int32_t)cases[i].ticks;
        const void *cell = cases[i].width == 4 ? (const void *)&four : &cases[i].ticks;
        const void *buffers[] = {NULL, cell};
        add_column(&p, "t", cases[i].format, buffers, 2, 1);
        rls2_arrow *arrow = opened(&p);
        rls2_table *table = next_of(arrow, 1);
        assert_cell(table, 0, 0, cases[i].text);
        rls2_table_free(table);
        rls2_arrow_close(arrow);
    }
}

/* Validity, offsets of the batch and of its columns, texts of three kinds. */
static void arrow__nulls_and_offsets__are_followed(void **state)
{
    (void)state;
    producer p = {.offset = 1};
    const unsigned char valid[] = {0x1b}; /* cells 0, 1, 3 and 4 */
    const double numbers[] = {9, 9, 9, 3, 4};
    const int32_t ends[] = {0, 1, 1, 2, 4, 4, 7};
    const int64_t long_ends[] = {0, 1, 1, 2, 4, 4, 7};
    const char text[] = "abcdefg", far[] = "..a text of more than twelve bytes";
    char views[5 * 16] = {0};
    memcpy(views + 3 * 16, "\3\0\0\0abc", 7);
    memcpy(views + 4 * 16, "\x20\0\0\0a te\0\0\0\0\2\0\0\0", 16);
    const int64_t sizes[] = {34};
    const void *n[] = {valid, numbers}, *t[] = {NULL, ends, text}, *u[] = {valid, long_ends, text},
               *v[] = {NULL, views, far, sizes};
    add_column(&p, "n", "g", n, 2, 3);
    add_column(&p, "t", "u", t, 3, 4);
    add_column(&p, "u", "U", u, 3, 3);
    add_column(&p, "v", "vu", v, 4, 3);
    p.arrays[0].offset = 1; /* with the offset of the batch: cells 2, 3, 4 */
    p.arrays[1].offset = 2; /* 3, 4, 5 */
    p.arrays[2].offset = 1;
    p.arrays[3].offset = 1;
    for (int j = 0; j < 4; j++) p.arrays[j].length = 4;
    p.length = 3;
    rls2_arrow *arrow = opened(&p);
    rls2_table *table = next_of(arrow, 10);
    assert_int_equal(rls2_table_rows(table), 3);
    assert_true(isnan(rls2_table_value(table, 0, 0)));
    assert_true(rls2_table_value(table, 1, 0) == 3 && rls2_table_value(table, 2, 0) == 4);
    assert_cell(table, 0, 1, "cd");
    assert_cell(table, 1, 1, "");
    assert_cell(table, 2, 1, "efg");
    assert_int_equal(rls2_table_missing(table, 2), 2); /* a null, and an empty text */
    assert_cell(table, 1, 2, "cd");
    assert_cell(table, 0, 3, "");
    assert_cell(table, 1, 3, "abc");
    assert_cell(table, 2, 3, "a text of more than twelve bytes");
    rls2_table_free(table);
    rls2_arrow_close(arrow);
}

static void add_dictionary(producer *p, struct ArrowSchema *schema, struct ArrowArray *values,
                           const void **buffers)
{
    *schema = (struct ArrowSchema){.format = "u"};
    *values = (struct ArrowArray){.length = 3, .n_buffers = 3, .buffers = buffers};
    p->children[p->columns - 1].dictionary = schema;
    p->arrays[p->columns - 1].dictionary = values;
}

static void arrow__a_dictionary__is_its_values(void **state)
{
    (void)state;
    producer p = {.batches = 2};
    struct ArrowSchema schema;
    struct ArrowArray values;
    const int32_t ends[] = {0, 1, 2, 5};
    const void *codes[] = {NULL, "\2\0\2\1"}, *texts[] = {NULL, ends, "12low"};
    add_column(&p, "d", "C", codes, 2, 4);
    add_dictionary(&p, &schema, &values, texts);
    rls2_arrow *arrow = opened(&p);
    assert_int_equal(rls2_arrow_columns(arrow), 1);
    assert_string_equal(rls2_arrow_column_name(arrow, 0), "d");
    assert_null(rls2_arrow_column_name(arrow, 1));
    assert_true(rls2_arrow_is_dictionary(arrow, 0) && !rls2_arrow_is_dictionary(arrow, 1));
    static const char *const expected[] = {"low", "1", "low", "2"};
    int64_t row = 0;
    for (rls2_table *table; (table = next_of(arrow, 3)) != NULL; rls2_table_free(table))
        for (int64_t i = 0; i < rls2_table_rows(table); i++, row++) {
            assert_cell(table, i, 0, expected[row % 4]);
            assert_int_equal(rls2_table_line(table, i), row + 1);
        }
    assert_int_equal(row, 8);
    assert_null(next_of(arrow, 3));
    rls2_arrow_close(arrow);
    assert_int_equal(p.alive, 0);
}

/* ---- what is refused ---- */

static void assert_not_opened(producer *p, const char *message)
{
    rls2_error err = {0};
    rls2_arrow *arrow = NULL;
    struct ArrowArrayStream stream = stream_of(p);
    assert_int_equal(rls2_arrow_open("a", &stream, &arrow, &err), RLS2_ERR_VALUE);
    assert_string_equal(err.message, message);
    assert_null(arrow);
    assert_null(stream.release);
    assert_int_equal(p->alive, 0);
}

static void assert_not_read(producer *p, const char *message)
{
    rls2_error err = {0};
    rls2_table *table = NULL;
    rls2_arrow *arrow = opened(p);
    rls2_status status;
    while ((status = rls2_arrow_next(arrow, 2, &table, &err)) == RLS2_OK && table)
        rls2_table_free(table);
    assert_int_equal(status, RLS2_ERR_VALUE);
    assert_string_equal(err.message, message);
    rls2_arrow_close(arrow);
    assert_int_equal(p->alive, 0);
}

static void arrow__other_types__are_refused(void **state)
{
    (void)state;
    static const char *const formats[] = {"+l",       "z",    "tDs", "tiM", "+r", "d:3",
                                          "d:3,1,17", "tsx:", "ts",  "",    "uu"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char message[200];
        producer p = {0};
        add_column(&p, "x", formats[i], NULL, 0, 1);
        snprintf(message, sizeof message,
                 "a: column 'x' has Arrow's type '%s', which is neither numbers, text nor times: "
                 "make one of these of it, or leave it out",
                 formats[i]);
        assert_not_opened(&p, message);
    }
}

static void arrow__wrong_cells__are_named(void **state)
{
    (void)state;
    const double numbers[] = {1, 2, 3, 4, (double)INFINITY};
    const int32_t ends[] = {0, 1, 4};
    const void *n[] = {NULL, numbers}, *t[] = {NULL, ends, "ab\0c"}, *c[] = {NULL, "\0\3"},
               *texts[] = {NULL, (const int32_t[]){0, 1, 2, 3}, "abc"};
    producer p = {0};
    add_column(&p, "n", "g", n, 2, 5);
    assert_not_read(&p, "a: row 5, column 'n': infinite");
    p = (producer){0};
    add_column(&p, "t", "u", t, 3, 2);
    assert_not_read(&p, "a: row 2, column 't': a text with a zero byte");
    p = (producer){0};
    struct ArrowSchema schema;
    struct ArrowArray values;
    add_column(&p, "d", "c", c, 2, 2);
    add_dictionary(&p, &schema, &values, texts);
    assert_not_read(&p, "a: row 2, column 'd': a code that its dictionary does not have");
}

static void arrow__a_batch_unlike_its_schema__is_refused(void **state)
{
    (void)state;
    const double numbers[] = {1, 2};
    const void *n[] = {NULL, numbers};
    const char *const message =
        "a: behind row 0, column 'n': a batch of the Arrow stream does not fit its schema";
    producer p = {0};
    add_column(&p, "n", "g", n, 2, 2);
    p.arrays[0].length = 1;
    assert_not_read(&p, message);
    p.arrays[0].length = 2;
    p.arrays[0].n_buffers = 1;
    p.batches = 1;
    assert_not_read(&p, message);
    p.arrays[0].n_buffers = 2;
    p.arrays[0].offset = -1;
    p.batches = 1;
    assert_not_read(&p, message);
    p.arrays[0].offset = 0;
    p.fails = EIO;
    p.batches = 1;
    assert_not_read(&p, "a: the disk is gone");
}

static void arrow__no_rows_and_no_columns__end_at_once(void **state)
{
    (void)state;
    const double numbers[] = {1, 2};
    const void *n[] = {NULL, numbers};
    producer p = {0};
    add_column(&p, "n", "g", n, 2, 0);
    rls2_arrow *arrow = opened(&p);
    assert_null(next_of(arrow, 5));
    assert_null(next_of(arrow, 5));
    rls2_arrow_close(arrow);
    assert_int_equal(p.alive, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrow__numbers_of_every_type__are_read),
        cmocka_unit_test(arrow__times__are_iso_texts),
        cmocka_unit_test(arrow__nulls_and_offsets__are_followed),
        cmocka_unit_test(arrow__a_dictionary__is_its_values),
        cmocka_unit_test(arrow__other_types__are_refused),
        cmocka_unit_test(arrow__wrong_cells__are_named),
        cmocka_unit_test(arrow__a_batch_unlike_its_schema__is_refused),
        cmocka_unit_test(arrow__no_rows_and_no_columns__end_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
