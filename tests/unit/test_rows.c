/* Sources of rows: every row once, with its number, on any number of threads, as often as one
 * likes; and a profile of a file that is read in pieces. */
#include "table_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/rows.h"
#include "stats/table_profile.h"
#include "support/control.h"
#include "support/gzip.h"
#include "table/dataset.h"
#include "table/table.h"

enum { ROWS = 30000 };

typedef struct record {
    atomic_int seen[ROWS];
    atomic_int wrong;
    int fail_at; /* row of which a piece fails; 0: none */
} record;

static double value_of(int64_t row)
{
    return (double)((row * 7919) % 1000) / 8.0;
}

/* A quote now and then holds a line feed, and an empty line stands before it. */
static char *made_text(int64_t rows, int64_t *length)
{
    size_t used = 0, room = 100 + 64 * (size_t)rows;
    char *text = malloc(room);
    used = (size_t)snprintf(text, room, "n,x,t\n");
    for (int64_t i = 0; i < rows; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%d,%.3f,%s\n",
                                 i % 1000 == 999 ? "\n" : "", (int)i, value_of(i),
                                 i % 1000 == 999 ? "\"a\nb\""
                                 : i % 3         ? "u"
                                                 : "v");
    *length = (int64_t)used;
    return text;
}

typedef struct made_file {
    char path[64];
} made_file;

static made_file write_file(const char *bytes, int64_t length)
{
    made_file file = {"/tmp/rls2-rows-XXXXXX"};
    int descriptor = mkstemp(file.path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, bytes, (size_t)length), length);
    close(descriptor);
    return file;
}

static made_file made_rows(int64_t rows)
{
    int64_t length;
    char *text = made_text(rows, &length);
    made_file file = write_file(text, length);
    free(text);
    return file;
}

static rls2_status look(void *user, const rls2_table *piece, int64_t first_row, int thread,
                        rls2_error *err)
{
    record *r = user;
    assert_in_range(thread, 0, 7);
    for (int64_t i = 0; i < rls2_table_rows(piece); i++) {
        int64_t row = first_row + i;
        int right = row < ROWS && rls2_table_value(piece, i, 0) == (double)row &&
                    rls2_table_value(piece, i, 1) == value_of(row);
        atomic_fetch_add(&r->wrong, !right);
        if (row < ROWS) atomic_fetch_add(&r->seen[row], 1);
        if (r->fail_at && row >= r->fail_at) {
            if (row == r->fail_at) usleep(30000); /* those behind it fail before it does */
            if (err) snprintf(err->message, sizeof err->message, "row %d", (int)row);
            return RLS2_ERR_VALUE;
        }
    }
    return RLS2_OK;
}

static record *pass_over(rls2_source *rows, int threads, int64_t expected)
{
    static record r;
    rls2_error err = {0};
    rls2__effort effort;
    int64_t count = -1;
    memset(&r, 0, sizeof r);
    rls2__effort_begin(ON_THREADS(threads), "reading", 0, &effort);
    rls2_status status = rls2__rows_each(rows, &effort, look, &r, &count, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    assert_int_equal(count, expected);
    assert_int_equal(r.wrong, 0);
    for (int64_t i = 0; i < expected; i++) assert_int_equal(r.seen[i], 1);
    return &r;
}

static rls2_source *opened(const char *path)
{
    rls2_source *rows = NULL;
    rls2_error err = {0};
    rls2_status status = rls2_source_open(1, &(const char *){path}, NULL, &rows, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    return rows;
}

static void rows_each__file__every_row_once_in_each_pass(void **state)
{
    (void)state;
    for (int64_t count = 1; count <= ROWS; count += ROWS - 1) {
        made_file file = made_rows(count);
        rls2_source *rows = opened(file.path);
        for (int threads = 1; threads <= 4; threads++) pass_over(rows, threads, count);
        rls2_source_close(rows);
        unlink(file.path);
    }
}

/* Rows [first, last) with their header, in a file of their own. */
static made_file made_part(int64_t first, int64_t last)
{
    int64_t length;
    char *text = made_text(last, &length), *from = strchr(text, '\n') + 1, *to = text + 6;
    for (int64_t i = 0; i < first; i++) {
        if (i % 1000 == 999) from = strchr(strchr(from, '\n') + 1, '\n') + 1;
        from = strchr(from, '\n') + 1;
    }
    memmove(to, from, (size_t)(text + length - from));
    made_file file = write_file(text, length - (from - to));
    free(text);
    return file;
}

/* Some without any rows, the first among them. */
static void rows_each__several_files__one_after_the_other(void **state)
{
    (void)state;
    static const int64_t ends[] = {0, 0, 5000, 5001, 5001, 20000, ROWS, ROWS};
    enum { FILES = sizeof ends / sizeof ends[0] - 1 };
    made_file files[FILES];
    const char *paths[FILES];
    for (int f = 0; f < FILES; f++) {
        files[f] = made_part(ends[f], ends[f + 1]);
        paths[f] = files[f].path;
    }
    for (int f = 0; f < 2; f++) { /* with and without an empty one at first */
        rls2_source *rows = NULL;
        rls2_error err = {0};
        assert_int_equal(rls2_source_open(FILES - f, paths + f, NULL, &rows, &err), RLS2_OK);
        assert_true(rls2_table_rows(rls2__rows_first(rows)) > 0);
        assert_true(rls2__rows_expected(rows) > ROWS / 2);
        for (int threads = 1; threads <= 4; threads++) pass_over(rows, threads, ROWS);
        rls2_source_close(rows);
    }
    for (int f = 0; f < FILES; f++) unlink(files[f].path);
}

static void source_open__no_files_or_input_among_them__are_refused(void **state)
{
    (void)state;
    rls2_source *rows = NULL;
    rls2_error err = {0};
    const char *paths[] = {"a.csv", "-"};
    assert_int_equal(rls2_source_open(0, paths, NULL, &rows, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_source_open(2, paths, NULL, &rows, &err), RLS2_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "standard input"));
    assert_int_equal(rls2_source_open(1, NULL, NULL, &rows, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_source_open_table(NULL, &rows, &err), RLS2_ERR_ARGUMENT);
    rls2_source_close(NULL);
}

static void rows_each__compressed_file__is_read_again(void **state)
{
    (void)state;
    int64_t length;
    char *text = made_text(ROWS, &length);
    gzip_bytes packed = gzip(text, length);
    made_file file = write_file(packed.data, packed.length);
    rls2_source *rows = opened(file.path);
    pass_over(rows, 2, ROWS);
    pass_over(rows, 3, ROWS);
    rls2_source_close(rows);
    unlink(file.path);
    free(packed.data);
    free(text);
}

static void rows_each__table__every_row_once_in_each_pass(void **state)
{
    (void)state;
    int64_t length;
    char *text = made_text(ROWS, &length);
    rls2_table *table = parsed(text);
    rls2_source *rows = NULL;
    assert_int_equal(rls2_source_open_table(table, &rows, NULL), RLS2_OK);
    assert_ptr_equal(rls2__rows_first(rows), table);
    pass_over(rows, 1, ROWS);
    pass_over(rows, 3, ROWS);
    rls2_source_close(rows);
    rls2_table_free(table);
    free(text);
}

/* ---- calls ---- */

typedef struct batches {
    const rls2_table *table;
    int64_t next;
    int begun;
} batches;

static rls2_status begin_batches(void *user, rls2_error *err)
{
    batches *b = user;
    (void)err;
    b->next = 0;
    b->begun++;
    return RLS2_OK;
}

static rls2_status next_batch(void *user, rls2_table **piece, rls2_error *err)
{
    batches *b = user;
    int64_t rows[700], count = 0;
    while (count < 700 && b->next < b->table->rows) rows[count++] = b->next++;
    return count > 0 ? rls2_table_take(b->table, count, rows, piece, err) : RLS2_OK;
}

static void rows_each__calls__begin_again_where_they_can(void **state)
{
    (void)state;
    int64_t length;
    char *text = made_text(ROWS, &length);
    rls2_table *table = parsed(text);
    batches b = {.table = table};
    rls2_source *rows = NULL;
    rls2_source_calls calls;
    rls2_source_calls_init(&calls, sizeof calls);
    calls.again = begin_batches;
    calls.next = next_batch;
    calls.user = &b;
    assert_int_equal(rls2_source_open_calls(table, &calls, &rows, NULL), RLS2_OK);
    pass_over(rows, 2, ROWS);
    pass_over(rows, 2, ROWS);
    assert_int_equal(b.begun, 2);
    rls2_source_close(rows);

    calls.again = NULL;
    b.next = 0;
    assert_int_equal(rls2_source_open_calls(table, &calls, &rows, NULL), RLS2_OK);
    assert_int_equal(rls2__rows_can_begin_again(rows), 1);
    pass_over(rows, 2, ROWS);
    assert_int_equal(rls2__rows_can_begin_again(rows), 0);
    rls2__effort effort;
    rls2_error err = {0};
    rls2__effort_begin_alone(&effort);
    assert_int_equal(rls2__rows_each(rows, &effort, look, NULL, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "once only"));
    rls2_source_close(rows);
    rls2_table_free(table);
    free(text);
}

/* Pieces that were never in a file: the second of them is wrong in its third row. */
static rls2_status next_numbers(void *user, rls2_table **piece, rls2_error *err)
{
    static const double values[] = {1, 2, 3, 4, 5};
    const rls2_column column = {.name = "a", .numbers = values, .stride = 1};
    int *handed = user;
    return ++*handed > 2 ? RLS2_OK : rls2_table_create("X", 5, 1, &column, piece, err);
}

static rls2_status refuse_third(void *user, const rls2_table *piece, int64_t first_row, int thread,
                                rls2_error *err)
{
    (void)user;
    (void)thread;
    if (first_row == 0) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE, "%s", rls2__table_place(piece, 2).text);
}

static void rows_each__pieces_without_lines__are_numbered_as_one_table(void **state)
{
    (void)state;
    int handed = 0, first = 0;
    rls2_source *rows = NULL;
    rls2_table *table = NULL;
    rls2_source_calls calls;
    rls2_error err = {0};
    rls2__effort effort;
    rls2__effort_begin_alone(&effort);
    assert_int_equal(next_numbers(&first, &table, NULL), RLS2_OK);
    rls2_source_calls_init(&calls, sizeof calls);
    calls.next = next_numbers;
    calls.user = &handed;
    assert_int_equal(rls2_source_open_calls(table, &calls, &rows, NULL), RLS2_OK);
    assert_int_equal(rls2__rows_each(rows, &effort, refuse_third, NULL, NULL, &err),
                     RLS2_ERR_VALUE);
    assert_string_equal(err.message, "X: row 8");
    rls2_source_close(rows);
    rls2_table_free(table);
}

/* ---- what goes wrong ---- */

/* The first of several that fail is told, whatever thread met it. */
static void rows_each__piece_that_fails__the_first_is_told(void **state)
{
    (void)state;
    static record r;
    made_file file = made_rows(ROWS);
    rls2_source *rows = opened(file.path);
    for (int threads = 1; threads <= 4; threads++) {
        rls2_error err = {0};
        rls2__effort effort;
        int64_t count = -1;
        memset(&r, 0, sizeof r);
        r.fail_at = 10000;
        rls2__effort_begin(ON_THREADS(threads), "reading", 0, &effort);
        assert_int_equal(rls2__rows_each(rows, &effort, look, &r, &count, &err), RLS2_ERR_VALUE);
        assert_string_equal(err.message, "row 10000");
        assert_int_equal(count, 2 * 4096);
    }
    rls2_source_close(rows);
    unlink(file.path);
}

static void rows_each__row_too_short__names_its_line(void **state)
{
    (void)state;
    int64_t length;
    char *text = made_text(ROWS, &length);
    char *row = strstr(text, "\n20500,");
    assert_non_null(row);
    memset(row + 1, ';', strcspn(row + 1, "\n"));
    made_file file = write_file(text, length);
    rls2_source *rows = opened(file.path);
    rls2_error err = {0};
    rls2__effort effort;
    static record r;
    int64_t count = -1;
    rls2__effort_begin(ON_THREADS(3), "reading", 0, &effort);
    assert_int_equal(rls2__rows_each(rows, &effort, look, &r, &count, &err), RLS2_ERR_SYNTAX);
    assert_non_null(strstr(err.message, ":20542:")); /* 20 empty lines, 20 in quotes, the header */
    assert_true(count % 4096 == 0 || count % 4096 == ROWS % 4096); /* whole pieces */
    assert_true(count >= 20480 - 4096 * 3);
    rls2_source_close(rows);
    unlink(file.path);
    free(text);
}

static int stop(void *user, const rls2_progress *progress)
{
    (void)progress;
    return ++*(int *)user > 0;
}

static rls2_status wait_a_little(void *user, const rls2_table *piece, int64_t first_row, int thread,
                                 rls2_error *err)
{
    usleep(60000);
    return look(user, piece, first_row, thread, err);
}

static void rows_each__stopped__is_cancelled_and_can_begin_again(void **state)
{
    (void)state;
    static record r;
    made_file file = made_rows(ROWS);
    rls2_source *rows = opened(file.path);
    for (int threads = 1; threads <= 2; threads++) {
        int asked = 0;
        rls2_error err = {0};
        rls2__effort effort;
        int64_t count = -1;
        rls2__effort_begin(WATCHED_BY(stop, &asked, threads), "reading", 0, &effort);
        assert_int_equal(rls2__rows_each(rows, &effort, wait_a_little, &r, &count, &err),
                         RLS2_ERR_CANCELLED);
        assert_true(count < ROWS);
        pass_over(rows, 2, ROWS);
    }
    rls2_source_close(rows);
    unlink(file.path);
}

static void source_open__no_rows_or_no_file__none_or_refused(void **state)
{
    (void)state;
    made_file file = write_file("a,b\n", 4);
    rls2_source *rows = opened(file.path);
    rls2_error err = {0};
    assert_int_equal(rls2_table_rows(rls2__rows_first(rows)), 0);
    assert_int_equal(rls2_table_columns(rls2__rows_first(rows)), 2);
    pass_over(rows, 2, 0);
    pass_over(rows, 1, 0);
    rls2_source_close(rows);
    unlink(file.path);
    const char *nowhere = "no/such.csv";
    assert_int_equal(rls2_source_open(1, &nowhere, NULL, &rows, &err), RLS2_ERR_IO);
}

/* ---- a profile of a file ---- */

/* Dates, numbers with signs and words for gaps, which pieces do not know of. */
static char *styled_text(int64_t rows)
{
    size_t used = 0, room = 100 + 80 * (size_t)rows;
    char *text = malloc(room);
    used = (size_t)snprintf(text, room, "day,money,gap,city,y\n");
    for (int64_t i = 0; i < rows; i++)
        used += (size_t)snprintf(text + used, room - used, "%d.%02d.2021,\"$%d,%03d\",%s,c%d,%d\n",
                                 1 + (int)(i * 7 % 28), 1 + (int)(i * 5 % 12), 1 + (int)(i % 9),
                                 (int)(i * 31 % 1000),
                                 i % 11 == 5 ? "-"
                                 : i % 2     ? "3"
                                             : "4",
                                 (int)(i * i % 60), (int)(i % 17));
    return text;
}

static rls2__profile *profile_like(const rls2_table *first, rls2_source *rows,
                                   const rls2__profile_options *options, int threads)
{
    rls2_error err = {0};
    rls2__effort effort;
    rls2__profile_team *team = NULL;
    rls2__profile *profile = NULL;
    rls2__effort_begin(ON_THREADS(threads), "reading", 0, &effort);
    assert_int_equal(rls2__profile_team_create(first, options, effort.threads, &team, &err),
                     RLS2_OK);
    assert_int_equal(rls2__rows_each(rows, &effort, rls2__profile_team_work, team, NULL, &err),
                     RLS2_OK);
    assert_int_equal(rls2__profile_team_finish(team, &profile, &err), RLS2_OK);
    assert_int_equal(rls2__profile_settle(profile, &err), RLS2_OK);
    return profile;
}

static rls2__profile *profile_of(rls2_source *rows, const rls2__profile_options *options,
                                 int threads)
{
    return profile_like(rls2__rows_first(rows), rows, options, threads);
}

static void assert_like_whole(const rls2_dataset *got, const rls2_table *whole,
                              const rls2_dataset_options *how)
{
    rls2_dataset *wanted = NULL;
    assert_int_equal(rls2_dataset_create(whole, how, &wanted, NULL), RLS2_OK);
    assert_int_equal(rls2_dataset_preprocess(wanted, RLS2_NORMALIZE_NONE,
                                             RLS2_NORMALIZE_STANDARDIZE, NULL, NULL),
                     RLS2_OK);
    assert_int_equal(got->columns, wanted->columns);
    for (int64_t j = 0; j < wanted->columns; j++) {
        int64_t c = 0; /* categories are in another order */
        while (c < got->columns && strcmp(got->encoder->names[c], wanted->encoder->names[j]) != 0)
            c++;
        assert_true(c < got->columns);
        double u = got->preparation.deviations[c], v = wanted->preparation.deviations[j];
        assert_true(got->preparation.fills[c] == wanted->preparation.fills[j]);
        assert_true(fabs(got->preparation.means[c] - wanted->preparation.means[j]) <=
                    1e-10 * (fabs(wanted->preparation.means[j]) + v));
        assert_true(fabs(u - v) <= 1e-10 * v);
    }
    rls2_dataset_free(wanted);
}

static void profile__file_in_pieces__learns_what_the_whole_says(void **state)
{
    (void)state;
    char *text = styled_text(ROWS);
    made_file file = write_file(text, (int64_t)strlen(text));
    rls2_table *whole = parsed(text);
    rls2_source *rows = opened(file.path);
    rls2_dataset_options how = options_for("y");
    how.missing = RLS2_MISSING_IMPUTE;
    how.rare = -1;
    for (int round = 0; round < 2; round++) {
        rls2__profile_options options = rls2__profile_defaults();
        if (round) options.most_texts = 100; /* `day` and `money` have more */
        if (round) options.sample = 3000;
        rls2__profile *one = profile_of(rows, &options, 1), *three = profile_of(rows, &options, 3);
        rls2_dataset *a = NULL, *b = NULL;
        rls2_error err = {0};
        rls2_status status =
            rls2__profile_dataset(one, NULL, &how, RLS2_NORMALIZE_STANDARDIZE, &a, &err);
        if (status != RLS2_OK) print_error("%s\n", err.message);
        assert_int_equal(status, RLS2_OK);
        assert_int_equal(rls2__profile_is_of_style(three), 1);
        assert_int_equal(
            rls2__profile_dataset(three, NULL, &how, RLS2_NORMALIZE_STANDARDIZE, &b, &err),
            RLS2_OK);
        assert_int_equal(rls2_dataset_fingerprint(a), rls2_dataset_fingerprint(b));
        if (round == 0) assert_like_whole(a, whole, &how); /* else medians are of the sample */
        rls2_dataset_free(a);
        rls2_dataset_free(b);
        rls2__profile_free(one);
        rls2__profile_free(three);
    }
    rls2_source_close(rows);
    rls2_table_free(whole);
    unlink(file.path);
    free(text);
}

/* The first rows do not tell days from months, and guess wrong: the sample knows better. */
static void profile__style_of_later_rows__is_told_and_found_by_a_second_pass(void **state)
{
    (void)state;
    enum { MANY = 9000, FIRST_BOTH = 5000 };
    size_t used = 0, room = 40 * MANY;
    char *text = malloc(room);
    used = (size_t)snprintf(text, room, "day,y\n");
    for (int i = 0; i < MANY; i++)
        used += (size_t)snprintf(text + used, room - used, "%d/%d/20%02d,%d\n",
                                 1 + i % (i < FIRST_BOTH ? 12 : 28), 1 + i / 12 % 12, i % 29, i);
    made_file file = write_file(text, (int64_t)used);
    rls2_source *rows = opened(file.path);
    rls2__profile_options options = rls2__profile_defaults();
    rls2_dataset_options how = options_for("y");
    rls2_error err = {0};
    options.most_texts = 50;
    rls2__profile *profile = profile_of(rows, &options, 2);
    assert_int_equal(rls2__profile_is_of_style(profile), 0);
    assert_int_equal(rls2__profile_check(profile, &how, &err), RLS2_ERR_VALUE);
    assert_non_null(strstr(err.message, "column 'day' is not written throughout as in its first"));
    rls2__profile *again = profile_like(rls2__profile_sample(profile), rows, &options, 2);
    assert_int_equal(rls2__profile_is_of_style(again), 1);
    assert_int_equal(rls2__profile_check(again, &how, &err), RLS2_OK);
    rls2__profile_free(profile);
    rls2__profile_free(again);
    rls2_source_close(rows);
    unlink(file.path);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_each__file__every_row_once_in_each_pass),
        cmocka_unit_test(rows_each__several_files__one_after_the_other),
        cmocka_unit_test(source_open__no_files_or_input_among_them__are_refused),
        cmocka_unit_test(rows_each__compressed_file__is_read_again),
        cmocka_unit_test(rows_each__table__every_row_once_in_each_pass),
        cmocka_unit_test(rows_each__calls__begin_again_where_they_can),
        cmocka_unit_test(rows_each__pieces_without_lines__are_numbered_as_one_table),
        cmocka_unit_test(rows_each__piece_that_fails__the_first_is_told),
        cmocka_unit_test(rows_each__row_too_short__names_its_line),
        cmocka_unit_test(rows_each__stopped__is_cancelled_and_can_begin_again),
        cmocka_unit_test(source_open__no_rows_or_no_file__none_or_refused),
        cmocka_unit_test(profile__file_in_pieces__learns_what_the_whole_says),
        cmocka_unit_test(profile__style_of_later_rows__is_told_and_found_by_a_second_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
