/* Tables from columns in memory: what their cells are, what is refused, and that they encode to the
 * bit as the CSV file of the same cells does. */
#include "support/arguments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "table/table.h"

static rls2_table *created(int64_t rows, int64_t count, const rls2_column *columns)
{
    rls2_table *table = NULL;
    rls2_error err = {.message = ""};
    if (rls2_table_create("frame", rows, count, columns, &table, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    return table;
}

/* ---- cells ---- */

static void table_create__strides_of_any_sign__are_followed(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4, 5, 6};
    const rls2_column columns[] = {{.name = "by rows", .numbers = x, .stride = 2},
                                   {.name = "backwards", .numbers = x + 5, .stride = -1},
                                   {.name = "the same", .numbers = x + 2, .stride = 0}};
    rls2_table *table = created(3, 3, columns);
    static const double wanted[] = {1, 6, 3, 3, 5, 3, 5, 4, 3};
    for (int64_t i = 0; i < 3; i++)
        for (int64_t j = 0; j < 3; j++)
            assert_true(rls2_table_value(table, i, j) == wanted[3 * i + j]);
    assert_string_equal(rls2_table_column_name(table, 1), "backwards");
    assert_string_equal(rls2_table_format(table), "memory");
    assert_null(table->pool); /* numbers alone take no texts */
    assert_string_equal(rls2_table_cell(table, 0, 0), "");
    assert_string_equal(rls2__table_place(table, 2).text, "frame: row 3");
    rls2_table_free(table);
}

static void table_create__missing_cells__are_nan_null_and_empty(void **state)
{
    (void)state;
    static const double x[] = {1, NAN, 3};
    static const char *const texts[] = {"a", NULL, ""};
    const rls2_column columns[] = {{.name = "x", .numbers = x, .stride = 1},
                                   {.name = "t", .texts = texts}};
    rls2_table *table = created(3, 2, columns);
    assert_int_equal(rls2_table_missing(table, 0), 1);
    assert_int_equal(rls2_table_missing(table, 1), 2);
    assert_true(rls2_table_is_numeric(table, 0));
    assert_false(rls2_table_is_numeric(table, 1));
    rls2_table_free(table);
}

static void table_create__numbers_and_texts_in_one_column__are_both(void **state)
{
    (void)state;
    static const double x[] = {1.5, INFINITY, NAN, 0.1};
    static const char *const texts[] = {NULL, "b", NULL, " 7 "};
    const rls2_column column = {.name = "x", .numbers = x, .stride = 1, .texts = texts};
    rls2_table *table = created(4, 1, &column);
    char buffer[RLS2__NUMBER_TEXT];
    assert_true(rls2_table_value(table, 0, 0) == 1.5);
    assert_true(isnan(rls2_table_value(table, 1, 0))); /* its number is not looked at */
    assert_true(rls2_table_value(table, 3, 0) == 7.0); /* a text that is a number */
    assert_string_equal(rls2_table_cell(table, 3, 0), " 7 ");
    assert_string_equal(rls2_table_cell(table, 0, 0), "");
    assert_string_equal(rls2__table_text(table, 0, 0, buffer), "1.5");
    assert_true(rls2_table_holds(table, 0, 0, "1.50"));
    assert_true(rls2_table_holds(table, 1, 0, "b"));
    assert_int_equal(rls2_table_missing(table, 0), 1);
    assert_int_equal(rls2_table_distinct(table, 0, 9), 3);
    rls2_table_free(table);
}

static void table_create__the_callers_cells__are_not_borrowed(void **state)
{
    (void)state;
    double x[] = {1, 2};
    char name[] = "x", a[] = "a", b[] = "b";
    const char *texts[] = {a, b};
    const rls2_column columns[] = {{.name = name, .numbers = x, .stride = 1},
                                   {.name = "t", .texts = texts}};
    rls2_table *table = created(2, 2, columns);
    name[0] = a[0] = b[0] = 'z';
    x[0] = x[1] = 9;
    assert_int_equal(rls2_table_find(table, "x"), 0);
    assert_true(rls2_table_value(table, 1, 0) == 2.0);
    assert_string_equal(rls2_table_cell(table, 1, 1), "b");
    rls2_table_free(table);
}

static void table_create__rows_taken_and_stacked__keep_numbers_without_texts(void **state)
{
    (void)state;
    static const double x[] = {1, 0.1, 3};
    static const char *const texts[] = {"a", "b", "c"};
    static const int64_t rows[] = {1, 2};
    const rls2_column columns[] = {{.name = "x", .numbers = x, .stride = 1},
                                   {.name = "t", .texts = texts}};
    rls2_table *table = created(3, 2, columns), *taken = NULL, *both = NULL;
    assert_int_equal(rls2_table_take(table, 2, rows, &taken, NULL), RLS2_OK);
    assert_int_equal(rls2_table_stack(taken, table, &both, NULL), RLS2_OK);
    rls2_table_free(table);
    assert_true(rls2_table_value(taken, 0, 0) == 0.1);
    assert_string_equal(rls2__table_place(taken, 0).text, "frame: row 2");
    assert_true(rls2_table_value(both, 3, 0) == 0.1);
    assert_string_equal(rls2_table_cell(both, 3, 0), "0.1"); /* written out */
    assert_string_equal(rls2_table_cell(both, 3, 1), "b");
    rls2_table_free(taken);
    rls2_table_free(both);
}

/* ---- the same as CSV ---- */

enum { ROWS = 12, COLUMNS = 4, CELL = 40 };

/* Cells of a table, as memory and as CSV have them. */
typedef struct cells {
    double numbers[COLUMNS][ROWS];
    const char *texts[COLUMNS][ROWS];
    char csv[ROWS * COLUMNS * CELL];
} cells;

/* So that it reads back the same, without needless digits. */
static void write_number(double value, char *text)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, CELL, "%.*g", digits, value);
        if (strtod(text, NULL) == value) return;
    }
}

static const char *draw_text(rls2__random *random)
{
    static const char *const texts[] = {"a",   "b",    "c, d", "1", "2.0", " 3 ", "1e400",
                                        "0x1", "-0.5", "a",    "b", "",    "4"};
    return texts[rls2__random_below(random, (int64_t)COUNT(texts))];
}

/* Column 0 is of numbers, 1 of texts, 2 of both, 3 the target: numbers of few values. */
static void draw_cell(rls2__random *random, cells *c, int64_t i, int64_t j)
{
    char number[CELL];
    double value = j == 0 ? (double)rls2__random_below(random, 1000) / 7.0
                          : (double)(1 + rls2__random_below(random, 3)) / 2.0;
    int is_text = j == 1 || (j == 2 && rls2__random_below(random, 2));
    c->numbers[j][i] = value;
    c->texts[j][i] = is_text ? draw_text(random) : NULL;
    if (j < 3 && rls2__random_below(random, 9) == 0) {
        c->numbers[j][i] = NAN;
        c->texts[j][i] = NULL;
    }
    char *end = c->csv + strlen(c->csv);
    if (j > 0) *end++ = ',';
    *end = '\0';
    write_number(value, number);
    if (c->texts[j][i])
        sprintf(end, "\"%s\"", c->texts[j][i]);
    else if (!isnan(c->numbers[j][i]))
        strcat(end, number);
}

static void draw(rls2__random *random, cells *c)
{
    strcpy(c->csv, "x,t,both,y\n");
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j < COLUMNS; j++) draw_cell(random, c, i, j);
        strcat(c->csv, "\n");
    }
}

static void assert_same_data(const rls2_dataset *a, const rls2_dataset *b)
{
    int64_t n = rls2_dataset_rows(a), p = rls2_dataset_columns(a), q = rls2_dataset_outputs(a);
    assert_int_equal(n, rls2_dataset_rows(b));
    assert_int_equal(p, rls2_dataset_columns(b));
    assert_int_equal(q, rls2_dataset_outputs(b));
    for (int64_t j = 0; j < p; j++)
        assert_string_equal(rls2_dataset_names(a)[j], rls2_dataset_names(b)[j]);
    assert_memory_equal(rls2_dataset_x(a), rls2_dataset_x(b), (size_t)(n * p) * sizeof(double));
    assert_memory_equal(rls2_dataset_y(a), rls2_dataset_y(b), (size_t)(n * q) * sizeof(double));
    assert_int_equal(rls2_dataset_class_count(a), rls2_dataset_class_count(b));
    for (int64_t k = 0; k < rls2_dataset_class_count(a); k++)
        assert_string_equal(rls2_dataset_class_label(a, k), rls2_dataset_class_label(b, k));
    assert_true(rls2_dataset_fingerprint(a) == rls2_dataset_fingerprint(b));
}

/* What the sentence says after the place. */
static const char *reason(const rls2_error *err)
{
    const char *colon = strstr(err->message, ": column");
    return colon ? colon : err->message;
}

static int assert_same_encoding(const rls2_table *memory, const rls2_table *csv,
                                const rls2_dataset_options *options)
{
    rls2_dataset *data[2] = {NULL, NULL};
    rls2_error err[2] = {{.message = ""}, {.message = ""}};
    rls2_status first = rls2_dataset_create(memory, options, &data[0], &err[0]);
    assert_int_equal(first, rls2_dataset_create(csv, options, &data[1], &err[1]));
    if (first == RLS2_OK)
        assert_same_data(data[0], data[1]);
    else
        assert_string_equal(reason(&err[0]), reason(&err[1]));
    rls2_dataset_free(data[0]);
    rls2_dataset_free(data[1]);
    return first == RLS2_OK;
}

static void table_create__mixed_cells__encode_as_the_csv_of_them(void **state)
{
    (void)state;
    enum { TABLES = 400 };
    static const char *const categorical[] = {"t", "both", "x"};
    static const char *const names[] = {"x", "t", "both", "y"};
    cells *c = malloc(sizeof *c);
    rls2__random random;
    int encoded = 0;
    rls2__random_seed(&random, 5);
    for (int k = 0; k < TABLES; k++) {
        rls2_column columns[COLUMNS];
        rls2_table *csv = NULL;
        draw(&random, c);
        for (int j = 0; j < COLUMNS; j++)
            columns[j] = (rls2_column){
                .name = names[j], .numbers = c->numbers[j], .stride = 1, .texts = c->texts[j]};
        rls2_table *memory = created(ROWS, COLUMNS, columns);
        assert_int_equal(rls2_table_parse_csv("t.csv", c->csv, (int64_t)strlen(c->csv), &csv, NULL),
                         RLS2_OK);
        rls2_dataset_options options;
        rls2_dataset_options_init(&options, sizeof options);
        options.target = k % 5 == 4 ? "both" : "y";
        options.classify = k % 3 == 0;
        options.categorical = categorical;
        options.categorical_count = k % 4;
        encoded += assert_same_encoding(memory, csv, &options);
        rls2_table_free(memory);
        rls2_table_free(csv);
    }
    assert_in_range(encoded, TABLES / 4, TABLES);
    free(c);
}

/* ---- what is refused ---- */

static void table_create__wrong_columns__are_refused(void **state)
{
    (void)state;
    static const double x[] = {1, 2, -INFINITY};
    rls2_table *table = UNTOUCHED;
    rls2_column columns[] = {{.name = "a", .numbers = x, .stride = 1},
                             {.name = "b", .numbers = x, .stride = 1}};
    ASSERT_REFUSED(RLS2_ERR_VALUE, "frame: row 3, column 'a': infinite",
                   rls2_table_create("frame", 3, 2, columns, &table, err));
    columns[1].name = "a";
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "frame: columns 1 and 2 have the same name 'a'",
                   rls2_table_create("frame", 2, 2, columns, &table, err));
    columns[1].name = "";
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "frame: column 2 has no name",
                   rls2_table_create("frame", 2, 2, columns, &table, err));
    columns[1].name = NULL;
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "frame: column 2 has no name",
                   rls2_table_create("frame", 2, 2, columns, &table, err));
    columns[1].name = "\xff";
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "column 2: the name '\\xff' is not UTF-8",
                   rls2_table_create("frame", 2, 2, columns, &table, err));
    columns[1] = (rls2_column){.name = "b"};
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "frame: column 'b' has neither numbers nor texts",
                   rls2_table_create("frame", 2, 2, columns, &table, err));
    assert_ptr_equal(table, UNTOUCHED);
}

static void table_create__wrong_arguments__are_refused(void **state)
{
    (void)state;
    static const double x[] = {1};
    const rls2_column column = {.name = "a", .numbers = x, .stride = 0};
    rls2_table *table = UNTOUCHED;
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument name is NULL",
                   rls2_table_create(NULL, 1, 1, &column, &table, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "f: there are no rows",
                   rls2_table_create("f", 0, 1, &column, &table, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "f: there are no columns",
                   rls2_table_create("f", 1, 0, &column, &table, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument columns is NULL",
                   rls2_table_create("f", 1, 1, NULL, &table, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument table is NULL",
                   rls2_table_create("f", 1, 1, &column, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_MEMORY, "out of memory",
                   rls2_table_create("f", HUGE_SIZE, 1, &column, &table, err));
    assert_ptr_equal(table, UNTOUCHED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_create__strides_of_any_sign__are_followed),
        cmocka_unit_test(table_create__missing_cells__are_nan_null_and_empty),
        cmocka_unit_test(table_create__numbers_and_texts_in_one_column__are_both),
        cmocka_unit_test(table_create__the_callers_cells__are_not_borrowed),
        cmocka_unit_test(table_create__rows_taken_and_stacked__keep_numbers_without_texts),
        cmocka_unit_test(table_create__mixed_cells__encode_as_the_csv_of_them),
        cmocka_unit_test(table_create__wrong_columns__are_refused),
        cmocka_unit_test(table_create__wrong_arguments__are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
