/* Journals: what was finished is there again, whatever became of the process or the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/journal.h"
#include "rls2/rls2.h"
#include "support/command.h"

static journal *open_as(const char *name, const char *heading)
{
    journal *j = NULL;
    rls2_error err = {0};
    if (journal_open(folder(), name, heading, &j, &err) != RLS2_OK) fail_msg("%s", err.message);
    return j;
}

static void add(journal *j, const char *key, int64_t count, const double *values)
{
    rls2_error err = {0};
    if (journal_add(j, key, count, values, &err) != RLS2_OK) fail_msg("%s", err.message);
}

static const char *path_of(const char *name)
{
    char file[64];
    snprintf(file, sizeof file, "%s/journal.txt", name);
    return in_folder(file);
}

/* The text of the file becomes `length` bytes of `text`. */
static void overwrite(const char *name, const char *text, size_t length)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
}

static void assert_has(const journal *j, const char *key, int64_t count, const double *values)
{
    const double *found = journal_find(j, key, count);
    if (!found) fail_msg("'%s' is not there", key);
    assert_memory_equal(found, values, (size_t)count * sizeof *values);
}

static const double NUMBERS[] = {1.0 / 3.0, -0.0,      1e-310, -1.7976931348623157e308,
                                 INFINITY,  -INFINITY, 42.0};
enum { NUMBER_COUNT = sizeof NUMBERS / sizeof NUMBERS[0] };

static void add__and_opened_again__has_the_same_bits(void **state)
{
    (void)state;
    const double nan = NAN;
    journal *j = open_as("bits", "two splits");
    assert_int_equal(journal_size(j), 0);
    assert_null(journal_find(j, "a", NUMBER_COUNT));
    add(j, "a", NUMBER_COUNT, NUMBERS);
    add(j, "housing/60/1", 1, &nan);
    add(j, "nothing", 0, NULL);
    assert_has(j, "a", NUMBER_COUNT, NUMBERS);
    journal_close(j);
    j = open_as("bits", "two splits");
    assert_int_equal(journal_size(j), 3);
    assert_has(j, "a", NUMBER_COUNT, NUMBERS);
    assert_true(isnan(*journal_find(j, "housing/60/1", 1)));
    assert_non_null(journal_find(j, "nothing", 0));
    assert_null(journal_find(j, "a", NUMBER_COUNT - 1));
    assert_null(journal_find(j, "b", NUMBER_COUNT));
    journal_close(j);
}

static void add__a_key_again__has_the_last_and_keeps_the_first_alive(void **state)
{
    (void)state;
    const double one = 1.0, two = 2.0;
    journal *j = open_as("again", "h");
    add(j, "k", 1, &one);
    const double *held = journal_find(j, "k", 1);
    add(j, "k", 1, &two);
    assert_true(*held == 1.0);
    assert_has(j, "k", 1, &two);
    journal_close(j);
    j = open_as("again", "h");
    assert_has(j, "k", 1, &two);
    journal_close(j);
}

static void add__what_cannot_be_a_key__is_refused(void **state)
{
    (void)state;
    static const char *const KEYS[] = {"", "a b", "a\nb", "#a", "tab\t"};
    const double one = 1.0;
    rls2_error err;
    journal *j = open_as("keys", "h");
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++)
        assert_int_equal(journal_add(j, KEYS[i], 1, &one, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(journal_add(j, "k", -1, &one, NULL), RLS2_ERR_ARGUMENT);
    journal_close(j);
    j = open_as("keys", "h");
    assert_int_equal(journal_size(j), 0);
    journal_close(j);
}

/* Three units, cut off after every byte: those whose line is whole are there, nothing else is, and
 * what is added then stands on a line of its own. */
static void open__cut_off_at_every_byte__has_the_whole_lines(void **state)
{
    (void)state;
    const double values[3][2] = {{0.1, 11.0}, {0.2, 12.0}, {0.3, 1.0}};
    static const char *const KEYS[] = {"first", "second", "third"};
    long length;
    size_t ends[3];
    journal *j = open_as("torn", "h");
    for (int i = 0; i < 3; i++) {
        struct stat about;
        add(j, KEYS[i], 2, values[i]);
        assert_int_equal(stat(path_of("torn"), &about), 0);
        ends[i] = (size_t)about.st_size;
    }
    journal_close(j);
    char *whole = read_text(path_of("torn"), &length);
    for (size_t cut = 0; cut <= (size_t)length; cut++) {
        int kept = 0;
        overwrite("torn", whole, cut);
        for (int i = 0; i < 3; i++) kept += ends[i] <= cut;
        j = open_as("torn", "h");
        assert_int_equal(journal_size(j), kept);
        for (int i = 0; i < 3; i++)
            if (ends[i] <= cut)
                assert_has(j, KEYS[i], 2, values[i]);
            else
                assert_null(journal_find(j, KEYS[i], 2));
        add(j, "new", 2, values[0]);
        journal_close(j);
        j = open_as("torn", "h");
        assert_int_equal(journal_size(j), kept + 1);
        assert_has(j, "new", 2, values[0]);
        journal_close(j);
    }
    free(whole);
}

static void open__damaged_lines__passes_them_over(void **state)
{
    (void)state;
    static const char LINES[] = "a 1 2 3\n"  /* two numbers that claim to be three */
                                "b 1 x 2\n"  /* no number */
                                "c  1 1\n"   /* an empty number */
                                "\n"         /* nothing */
                                "d\n"        /* not even a count */
                                "e 1 1.5\n"  /* no whole count */
                                "f 1 1 \n"   /* a blank too many */
                                "g\0h 1 1\n" /* a zero byte */
                                "good 0.5 0.25 2\n"
                                "i 1 1\r\n" /* another program's end */
                                " 1 1\n";   /* no key */
    const double good[] = {0.5, 0.25};
    long length;
    journal_close(open_as("damaged", "h"));
    char *head = read_text(path_of("damaged"), &length);
    char *text = malloc((size_t)length + sizeof LINES);
    assert_non_null(text);
    memcpy(text, head, (size_t)length);
    memcpy(text + length, LINES, sizeof LINES - 1);
    overwrite("damaged", text, (size_t)length + sizeof LINES - 1);
    journal *j = open_as("damaged", "h");
    assert_int_equal(journal_size(j), 1);
    assert_has(j, "good", 2, good);
    journal_close(j);
    free(head);
    free(text);
}

static void open__another_heading__begins_anew_and_keeps_the_old_one(void **state)
{
    (void)state;
    const double one = 1.0, two = 2.0;
    journal *j = open_as("heading", "seed 0");
    add(j, "k", 1, &one);
    journal_close(j);
    j = open_as("heading", "seed 0, and more"); /* the old one is a part of it */
    assert_int_equal(journal_size(j), 0);
    assert_null(journal_find(j, "k", 1));
    add(j, "k", 1, &two);
    journal_close(j);
    char *old = read_text(in_folder("heading/journal.txt.old"), NULL);
    assert_non_null(strstr(old, "k 1 1\n"));
    assert_non_null(strstr(old, rls2_version()));
    free(old);
    j = open_as("heading", "seed 0, and more");
    assert_has(j, "k", 1, &two);
    journal_close(j);
    j = open_as("heading", "two\nlines");
    add(j, "k", 1, &one);
    journal_close(j);
    j = open_as("heading", "two\nlines");
    assert_has(j, "k", 1, &one);
    assert_null(journal_kept(j));
    journal_close(j);
}

/* Three settings in turn, again and again: nothing is ever computed twice, and no file is lost or
 * there twice. */
static void open__headings_in_turn__takes_up_the_old_ones(void **state)
{
    (void)state;
    static const char *const SETTINGS[] = {"a", "b", "c"};
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 3; i++) {
            const double value = i;
            journal *j = open_as("turn", SETTINGS[i]);
            assert_int_equal(journal_size(j), round == 0 ? 0 : 1);
            if (round == 0)
                add(j, "k", 1, &value);
            else
                assert_has(j, "k", 1, &value);
            if (round + i == 0)
                assert_null(journal_kept(j));
            else
                assert_int_equal(access(journal_kept(j), F_OK), 0);
            journal_close(j);
        }
    printed files = shell("ls $T/turn | wc -l; cat $T/turn/* | sort -u | wc -l");
    assert_string_equal(files.out, "3\n6\n"); /* three headings, three units */
    printed_free(&files);
}

/* What was begun and not gone on with is not kept. */
static void open__a_journal_without_units__is_replaced(void **state)
{
    (void)state;
    const double one = 1.0;
    journal *j = open_as("bare", "a");
    add(j, "k", 1, &one);
    journal_close(j);
    journal_close(open_as("bare", "b"));
    journal_close(open_as("bare", "c"));
    j = open_as("bare", "a");
    assert_has(j, "k", 1, &one);
    assert_null(journal_kept(j));
    journal_close(j);
    printed files = shell("ls $T/bare");
    assert_string_equal(files.out, "journal.txt\n");
    printed_free(&files);
}

static void open__something_else_of_that_name__is_kept(void **state)
{
    (void)state;
    journal_close(open_as("foreign", "h"));
    overwrite("foreign", "my notes", 8);
    journal_close(open_as("foreign", "h"));
    char *old = read_text(in_folder("foreign/journal.txt.old"), NULL);
    assert_string_equal(old, "my notes");
    free(old);
}

static void open__too_many_old_ones__is_refused_and_loses_nothing(void **state)
{
    (void)state;
    const double one = 1.0;
    rls2_error err;
    journal *j = open_as("many", "a");
    add(j, "k", 1, &one);
    journal_close(j);
    printed made = shell("cd $T/many && echo x >journal.txt.old && for i in $(seq 2 99); do echo x "
                         ">journal.txt.old$i; done");
    printed_free(&made);
    assert_int_equal(journal_open(folder(), "many", "b", &j, &err), RLS2_ERR_IO);
    assert_non_null(strstr(err.message, "99 journals of other settings are kept beside it"));
    j = open_as("many", "a");
    assert_has(j, "k", 1, &one);
    journal_close(j);
}

static void open__the_first_line__says_each_thing_once(void **state)
{
    (void)state;
    char expected[128];
    journal_close(open_as("line", "two splits"));
    char *text = read_text(path_of("line"), NULL);
    snprintf(expected, sizeof expected, "# line: two splits; rls2 %s\n", rls2_version());
    assert_string_equal(text, expected);
    free(text);
}

static void keep_note(void *user, const char *text)
{
    snprintf(user, 512, "%s", text);
}

static void open_for__another_heading__says_where_the_old_one_is(void **state)
{
    (void)state;
    const double one = 1.0;
    char said[512] = "";
    reproduction r = {.output = folder(), .note = keep_note, .note_user = said};
    journal *j = NULL;
    assert_int_equal(journal_open_for(&r, "noted", "a", &j, NULL), RLS2_OK);
    add(j, "k", 1, &one);
    journal_close(j);
    assert_string_equal(said, "");
    assert_int_equal(journal_open_for(&r, "noted", "b", &j, NULL), RLS2_OK);
    journal_close(j);
    assert_non_null(strstr(said, "noted: a journal of other settings is kept as "));
    assert_non_null(strstr(said, "noted/journal.txt.old"));
}

/* ---- threads ---- */

enum { THREADS = 8, UNITS = 3000 };

typedef struct worker {
    journal *journal;
    int number;
    int failures;
} worker;

static void *work(void *argument)
{
    worker *w = argument;
    for (int i = 0; i < UNITS; i++) {
        char key[32];
        double values[2] = {w->number, i};
        snprintf(key, sizeof key, "%d/%d", w->number, i);
        if (journal_add(w->journal, key, 2, values, NULL) != RLS2_OK) w->failures++;
        const double *found = journal_find(w->journal, key, 2);
        if (!found || found[1] != i) w->failures++;
    }
    return NULL;
}

static void add__from_several_threads__keeps_everything(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    worker workers[THREADS];
    journal *j = open_as("threads", "h");
    for (int t = 0; t < THREADS; t++) {
        workers[t] = (worker){j, t, 0};
        assert_int_equal(pthread_create(&threads[t], NULL, work, &workers[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        assert_int_equal(workers[t].failures, 0);
    }
    journal_close(j);
    j = open_as("threads", "h");
    assert_int_equal(journal_size(j), THREADS * UNITS);
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < UNITS; i++) {
            char key[32];
            double values[2] = {t, i};
            snprintf(key, sizeof key, "%d/%d", t, i);
            assert_has(j, key, 2, values);
        }
    journal_close(j);
}

/* ---- processes ---- */

static pid_t start_adding(int *acknowledged)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        journal *j = NULL;
        if (journal_open(folder(), "killed", "h", &j, NULL) != RLS2_OK) _exit(1);
        for (int i = 0;; i++) {
            char key[32];
            double value = i;
            snprintf(key, sizeof key, "unit-%d", i);
            if (journal_add(j, key, 1, &value, NULL) != RLS2_OK) _exit(2);
            if (write(ends[1], &i, sizeof i) != sizeof i) _exit(3);
        }
    }
    close(ends[1]);
    *acknowledged = ends[0];
    return child;
}

/* Every unit whose journal_add returned is there. */
static void add__killed_in_the_middle__loses_nothing_that_was_finished(void **state)
{
    (void)state;
    int from, last = -1, number, status;
    pid_t child = start_adding(&from);
    while (last < 500 && read(from, &number, sizeof number) == sizeof number) last = number;
    assert_true(last >= 500);
    kill(child, SIGKILL);
    while (read(from, &number, sizeof number) == sizeof number) last = number;
    close(from);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    journal *j = open_as("killed", "h");
    assert_true(journal_size(j) >= last + 1 && journal_size(j) <= last + 2);
    for (int i = 0; i <= last; i++) {
        char key[32];
        double value = i;
        snprintf(key, sizeof key, "unit-%d", i);
        assert_has(j, key, 1, &value);
    }
    journal_close(j);
}

static void open__while_another_has_it__is_refused(void **state)
{
    (void)state;
    journal *j = open_as("twice", "h"), *other = NULL;
    rls2_error err;
    assert_int_equal(journal_open(folder(), "twice", "h", &other, &err), RLS2_ERR_IO);
    assert_non_null(strstr(err.message, "another process is working on it"));
    assert_null(other);
    journal_close(j);
    journal_close(open_as("twice", "h"));
}

/* In the place of the C library's: between open() and the lock, another process may put the file
 * aside. */
static int move_before_lock;

int flock(int descriptor, int operation)
{
    if (move_before_lock) {
        char from[512];
        move_before_lock = 0;
        snprintf(from, sizeof from, "%s", path_of("moved"));
        assert_int_equal(rename(from, in_folder("moved/aside")), 0);
    }
    return (int)syscall(SYS_flock, descriptor, operation);
}

static void open__put_aside_before_it_was_locked__opens_the_one_of_that_name(void **state)
{
    (void)state;
    const double one = 1.0, two = 2.0;
    journal *j = open_as("moved", "h");
    add(j, "k", 1, &one);
    journal_close(j);
    move_before_lock = 1;
    j = open_as("moved", "h");
    assert_int_equal(move_before_lock, 0);
    assert_int_equal(journal_size(j), 0);
    add(j, "k", 1, &two);
    journal_close(j);
    j = open_as("moved", "h");
    assert_has(j, "k", 1, &two);
    journal_close(j);
    char *aside = read_text(in_folder("moved/aside"), NULL);
    assert_non_null(strstr(aside, "k 1 1\n"));
    assert_null(strstr(aside, "k 2 1\n"));
    free(aside);
}

/* Several processes with two settings open and close at once: each unit is in the end in one of the
 * files. */
static void open__by_many_with_other_settings__loses_no_unit(void **state)
{
    (void)state;
    enum { PROCESSES = 4, ROUNDS = 60 };
    pid_t child[PROCESSES];
    int finished = 0;
    for (int p = 0; p < PROCESSES; p++) {
        child[p] = fork();
        assert_true(child[p] >= 0);
        for (int i = 0; child[p] == 0; i++) {
            char key[32];
            const double one = 1.0;
            journal *j = NULL;
            if (i == ROUNDS) _exit(0);
            snprintf(key, sizeof key, "%d/%d", p, i);
            while (journal_open(folder(), "race", p % 2 ? "a" : "b", &j, NULL) != RLS2_OK)
                usleep(100);
            if (journal_add(j, key, 1, &one, NULL) != RLS2_OK) _exit(1);
            journal_close(j);
        }
    }
    for (int p = 0; p < PROCESSES; p++) {
        int status;
        assert_int_equal(waitpid(child[p], &status, 0), child[p]);
        finished += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    assert_int_equal(finished, PROCESSES);
    printed files = shell("cat $T/race/* | grep -v '^#' | sort -u | wc -l");
    assert_int_equal(atoi(files.out), PROCESSES * ROUNDS);
    printed_free(&files);
}

static void open__a_folder_that_cannot_be__says_which(void **state)
{
    (void)state;
    journal *j = NULL;
    rls2_error err;
    write_text("file", "x");
    assert_int_equal(journal_open(in_folder("file"), "name", "h", &j, &err), RLS2_ERR_IO);
    assert_non_null(strstr(err.message, "/file"));
    assert_int_equal(journal_open("/proc/none", "name", "h", &j, &err), RLS2_ERR_IO);
    assert_non_null(strstr(err.message, "/proc/none"));
    assert_int_equal(journal_open("", "name", "h", &j, NULL), RLS2_ERR_IO);
    assert_null(j);
    journal_close(NULL);
}

/* What is full is the size a file may have: the line is cut off after ten bytes. */
static void add__where_there_is_no_more_room__takes_back_what_was_cut_off(void **state)
{
    (void)state;
    const double one = 1.0;
    rls2_error err;
    struct stat before, after;
    struct rlimit room, little;
    journal *j = open_as("full", "h");
    add(j, "first", 1, &one);
    assert_int_equal(stat(path_of("full"), &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &room);
    little = room;
    little.rlim_cur = (rlim_t)before.st_size + 10;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    rls2_status status = journal_add(j, "a-key-of-some-length", 1, &one, &err);
    setrlimit(RLIMIT_FSIZE, &room);
    assert_int_equal(status, RLS2_ERR_IO);
    assert_non_null(strstr(err.message, "full/journal.txt: "));
    assert_null(journal_find(j, "a-key-of-some-length", 1));
    assert_int_equal(stat(path_of("full"), &after), 0);
    assert_int_equal(after.st_size, before.st_size);
    add(j, "second", 1, &one);
    journal_close(j);
    j = open_as("full", "h");
    assert_int_equal(journal_size(j), 2);
    journal_close(j);
}

static void open__something_that_is_no_file__is_refused(void **state)
{
    (void)state;
    journal *j = NULL;
    rls2_error err;
    assert_int_equal(mkdir(in_folder("device"), 0777), 0);
    assert_int_equal(symlink("/dev/zero", in_folder("device/journal.txt")), 0);
    assert_int_equal(journal_open(folder(), "device", "h", &j, &err), RLS2_ERR_IO);
    assert_non_null(strstr(err.message, "is not a file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(add__and_opened_again__has_the_same_bits),
        cmocka_unit_test(add__a_key_again__has_the_last_and_keeps_the_first_alive),
        cmocka_unit_test(add__what_cannot_be_a_key__is_refused),
        cmocka_unit_test(open__cut_off_at_every_byte__has_the_whole_lines),
        cmocka_unit_test(open__damaged_lines__passes_them_over),
        cmocka_unit_test(open__another_heading__begins_anew_and_keeps_the_old_one),
        cmocka_unit_test(open__headings_in_turn__takes_up_the_old_ones),
        cmocka_unit_test(open__a_journal_without_units__is_replaced),
        cmocka_unit_test(open__something_else_of_that_name__is_kept),
        cmocka_unit_test(open__too_many_old_ones__is_refused_and_loses_nothing),
        cmocka_unit_test(open__the_first_line__says_each_thing_once),
        cmocka_unit_test(open_for__another_heading__says_where_the_old_one_is),
        cmocka_unit_test(add__from_several_threads__keeps_everything),
        cmocka_unit_test(add__killed_in_the_middle__loses_nothing_that_was_finished),
        cmocka_unit_test(open__while_another_has_it__is_refused),
        cmocka_unit_test(open__put_aside_before_it_was_locked__opens_the_one_of_that_name),
        cmocka_unit_test(open__by_many_with_other_settings__loses_no_unit),
        cmocka_unit_test(open__a_folder_that_cannot_be__says_which),
        cmocka_unit_test(add__where_there_is_no_more_room__takes_back_what_was_cut_off),
        cmocka_unit_test(open__something_that_is_no_file__is_refused),
    };
    return cmocka_run_group_tests_name("unit.journal", tests, folder_make, folder_remove);
}
