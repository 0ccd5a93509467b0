/* Model files under kill -9: whatever the moment, there is the old file or the new one, whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "rls2/rls2.h"
#include "support/command.h"

enum { SAVING_ROUNDS = 60, MOST_ROUNDS = 400, TRAINING_ROUNDS = 20 };

/* Two models of a table so wide that a file takes a while to write. */
static const char MAKE_MODELS[] =
    "awk 'BEGIN { n = 40; p = 4000; for (j = 1; j <= p; j++) printf \"x%d,\", j; print \"y\"; "
    "for (i = 1; i <= n; i++) { for (j = 1; j <= p; j++) printf \"%d,\", (i * 7919 + j * j * 31 + "
    "i * j) % "
    "17; "
    "print i % 7 } }' >$T/wide.csv\n"
    "\"$RLS2\" train $T/wide.csv -t y --task regression -k 'rbf(1e-5)' --lambda 0.1 -q -o $T/one\n"
    "\"$RLS2\" train $T/wide.csv -t y --task regression -k 'rbf(1e-6)' --lambda 0.2 -q -o $T/two\n";

typedef struct file_bytes {
    char *bytes;
    long length;
} file_bytes;

static file_bytes bytes_of(const char *name)
{
    file_bytes file;
    file.bytes = read_text(in_folder(name), &file.length);
    return file;
}

static int same_bytes(const file_bytes *a, const file_bytes *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, (size_t)a->length) == 0;
}

static file_bytes one, two;

static int set_up(void **state)
{
    if (folder_make(state) != 0) return 1;
    printed made = shell("set -e; %smkdir $T/here; cp $T/one $T/here/saved.model", MAKE_MODELS);
    if (made.code != 0) print_error("%s\n", made.err);
    int code = made.code;
    printed_free(&made);
    one = bytes_of("one");
    two = bytes_of("two");
    return code;
}

static int tear_down(void **state)
{
    free(one.bytes);
    free(two.bytes);
    return folder_remove(state);
}

/* ---- a victim ---- */

static void wait_about(rls2__random *random, long most_us)
{
    struct timespec time = {0, 1000L * (long)rls2__random_below(random, most_us)};
    nanosleep(&time, NULL);
}

static void kill_after(pid_t victim, rls2__random *random, long most_us)
{
    int status;
    assert_true(victim > 0);
    wait_about(random, most_us);
    kill(victim, SIGKILL);
    assert_int_equal(waitpid(victim, &status, 0), victim);
}

/* Does nothing but save. The child of a fork: it never returns. */
static void save_for_ever(const rls2_model *a, const rls2_model *b, const char *path)
{
    for (;;) {
        if (rls2_model_save(a, path, NULL) != RLS2_OK) _exit(1);
        if (rls2_model_save(b, path, NULL) != RLS2_OK) _exit(1);
    }
}

/* The file is one of the two; beside it there is at most what was being written, which is removed.
 * Returns 1 if there was something. */
static int assert_whole(int *is_two)
{
    file_bytes now = bytes_of("here/saved.model");
    rls2_model *model = NULL;
    rls2_error err = {0};
    int left = 0;
    *is_two = same_bytes(&now, &two);
    assert_true(*is_two || same_bytes(&now, &one));
    if (rls2_model_load(in_folder("here/saved.model"), &model, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    rls2_model_free(model);
    free(now.bytes);
    DIR *here = opendir(in_folder("here"));
    assert_non_null(here);
    for (struct dirent *entry = readdir(here); entry; entry = readdir(here)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (strcmp(entry->d_name, "saved.model") == 0) continue;
        if (fnmatch(".saved.model.rls2-????????????????", entry->d_name, 0) != 0)
            fail_msg("%s was left", entry->d_name);
        char path[600];
        snprintf(path, sizeof path, "%s/%s", in_folder("here"), entry->d_name);
        unlink(path);
        left++;
    }
    closedir(here);
    assert_true(left <= 1);
    return left;
}

static void save__killed_at_random_moments__leaves_a_whole_file(void **state)
{
    (void)state;
    rls2_model *a = NULL, *b = NULL;
    rls2__random random;
    int interrupted = 0, seen[2] = {0, 0}, is_two;
    rls2__random_seed(&random, 1);
    assert_int_equal(rls2_model_load(in_folder("one"), &a, NULL), RLS2_OK);
    assert_int_equal(rls2_model_load(in_folder("two"), &b, NULL), RLS2_OK);
    /* on and on, and slower, until both files were seen and some writing was cut off */
    for (int round = 0; round < MOST_ROUNDS; round++) {
        if (round >= SAVING_ROUNDS && interrupted > 0 && seen[0] > 0 && seen[1] > 0) break;
        const char *path = in_folder("here/saved.model");
        pid_t victim = fork();
        if (victim == 0) save_for_ever(a, b, path);
        kill_after(victim, &random, 60000L * (1 + round / SAVING_ROUNDS));
        interrupted += assert_whole(&is_two);
        seen[is_two]++;
    }
    print_message("%d times the old file, %d times the new one, %d files cut off\n", seen[0],
                  seen[1], interrupted);
    rls2_model_free(a);
    rls2_model_free(b);
}

static pid_t start_training(const char *spec, const char *lambda)
{
    pid_t child = fork();
    if (child != 0) return child;
    char data[512], target[512];
    snprintf(data, sizeof data, "%s", in_folder("wide.csv"));
    snprintf(target, sizeof target, "%s", in_folder("here/saved.model"));
    if (!freopen("/dev/null", "w", stdout)) _exit(1);
    execl(getenv("RLS2"), "rls2", "train", data, "-t", "y", "--task", "regression", "-k", spec,
          "--lambda", lambda, "-q", "-o", target, (char *)NULL);
    _exit(1);
}

static void train__killed_at_random_moments__leaves_a_whole_file(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 2);
    for (int round = 0; round < TRAINING_ROUNDS; round++) {
        int other = round % 2, is_two;
        kill_after(start_training(other ? "rbf(1e-6)" : "rbf(1e-5)", other ? "0.2" : "0.1"),
                   &random, 250000);
        assert_whole(&is_two);
    }
}

/* ---- targets ---- */

static void train__over_a_model__replaces_it(void **state)
{
    (void)state;
    static const char *const SPECS[] = {"rbf(1e-5)' --lambda 0.1", "rbf(1e-6)' --lambda 0.2"};
    for (int round = 0; round < 4; round++) {
        int is_two;
        free(rls2_out("train $T/wide.csv -t y --task regression -k '%s -q -o $T/here/saved.model",
                      SPECS[round % 2]));
        assert_int_equal(assert_whole(&is_two), 0);
        assert_int_equal(is_two, round % 2);
    }
}

static void assert_not_saved(const char *target, const char *reason)
{
    printed it =
        rls2_run("train data/servo.csv -t rise_time -k 'rbf(1)' --lambda 1 -q -o %s", target);
    assert_true(it.code == 1 || it.code == 2);
    if (!strstr(it.err, reason)) fail_msg("%s: not '%s' but %s", target, reason, it.err);
    assert_string_equal(it.out, "");
    printed_free(&it);
}

static void train__where_no_file_can_be__says_so_and_leaves_nothing(void **state)
{
    (void)state;
    struct stat about;
    printed made = shell("mkdir $T/folder && mkfifo $T/pipe && echo text >$T/file");
    assert_int_equal(made.code, 0);
    printed_free(&made);
    assert_not_saved("$T/missing/model", "No such file or directory");
    assert_not_saved("$T/file/model", "Not a directory");
    assert_not_saved("$T/folder", "Is a directory");
    assert_not_saved("$T/new/", "No such file");
    assert_not_saved("$T/pipe", "is not a regular file");
    assert_not_saved("''", "empty");
    assert_not_saved("-", "standard output");
    if (stat("/dev/full", &about) == 0) {
        assert_not_saved("/dev/full", "is not a regular file");
        assert_int_equal(stat("/dev/full", &about), 0);
        assert_true(S_ISCHR(about.st_mode));
    }
    if (geteuid() != 0) {
        made = shell("chmod 555 $T/folder");
        printed_free(&made);
        assert_not_saved("$T/folder/model", "Permission denied");
    }
    made = shell("test ! -e $T/missing && test ! -e $T/new && test -z \"$(ls -A $T/folder)\"");
    assert_int_equal(made.code, 0);
    printed_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(save__killed_at_random_moments__leaves_a_whole_file),
        cmocka_unit_test(train__killed_at_random_moments__leaves_a_whole_file),
        cmocka_unit_test(train__over_a_model__replaces_it),
        cmocka_unit_test(train__where_no_file_can_be__says_so_and_leaves_nothing),
    };
    return cmocka_run_group_tests_name("cli.save", tests, set_up, tear_down);
}
