/* Temporary files whose writer was killed are removed by the next one that writes the same file;
 * nothing else is. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_write.h"
#include "rls2/file.h"
#include "support/command.h"
#include "support/unit_support.h"

static const char TARGET[] = "saved.model";

static void write_target(void)
{
    rls2_error err = {0};
    if (rls2__file_write(in_folder(TARGET), "whole", 5, &err) != RLS2_OK)
        fail_msg("%s", err.message);
}

static int is_there(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

/* Files of the folder, "." and ".." not counted. */
static int count_files(void)
{
    int count = -2;
    DIR *here = opendir(folder());
    assert_non_null(here);
    while (readdir(here)) count++;
    closedir(here);
    return count;
}

/* A process that has begun to write the target and waits; `name` is its temporary file. */
static pid_t start_writer(char *name, size_t size)
{
    int pipes[2];
    char path[512];
    snprintf(path, sizeof path, "%s", in_folder(TARGET));
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        int file = -1;
        rls2_temporary_create(path, name, (int64_t)size, &file, NULL);
        if (file < 0 || write(file, "half", 4) != 4) _exit(1);
        if (write(pipes[1], name, size) != (ssize_t)size) _exit(1);
        for (;;) pause();
    }
    assert_true(child > 0);
    assert_int_equal(read(pipes[0], name, size), size);
    close(pipes[0]);
    close(pipes[1]);
    return child;
}

static void kill_writer(pid_t child)
{
    int status;
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
}

/* The name of a file that a killed writer left. */
static void leave_file(char *name, size_t size)
{
    memset(name, 0, size);
    kill_writer(start_writer(name, size));
    assert_true(is_there(name));
}

static void write__left_over_of_a_killed_writer__is_removed(void **state)
{
    (void)state;
    char name[600], other[600];
    leave_file(name, sizeof name);
    leave_file(other, sizeof other); /* which removes the first */
    assert_false(is_there(name));
    write_target();
    assert_false(is_there(other));
    assert_int_equal(count_files(), 1);
}

static void write__another_writer_lives__its_file_stays(void **state)
{
    (void)state;
    char name[600] = "";
    pid_t child = start_writer(name, sizeof name);
    write_target();
    assert_true(is_there(name));
    kill_writer(child);
    write_target();
    assert_false(is_there(name));
    assert_int_equal(count_files(), 1);
}

/* Put something else in the place of a left-over file: none of it is ours. */
static void write__not_a_file_of_ours__stays(void **state)
{
    (void)state;
    char name[600];
    write_text("own", "mine");
    leave_file(name, sizeof name);
    unlink(name);
    assert_int_equal(symlink(in_folder("own"), name), 0);
    write_target();
    assert_true(is_there(name) && is_there(in_folder("own")));
    unlink(name);
    assert_int_equal(link(in_folder("own"), name), 0); /* a second name */
    write_target();
    assert_true(is_there(name));
    unlink(name);
    assert_int_equal(mkdir(name, 0700), 0);
    write_target();
    assert_true(is_there(name));
    rmdir(name);
    assert_int_equal(mkfifo(name, 0600), 0);
    write_target();
    assert_true(is_there(name));
    unlink(name);
    unlink(in_folder("own"));
}

/* Names that look like ours, and are of a person or of another target. */
static void write__names_alike__stay(void **state)
{
    (void)state;
    static const char *const ALIKE[] = {".saved.model.rls2-",
                                        ".saved.model.rls2-abcdef",
                                        ".saved.model.rls2-abcdefghijklmnop",
                                        ".saved.model.rls2-original",
                                        "saved.model.rls2-abcdefghijklmnop",
                                        ".saved.model.abcdef"};
    char name[600], changed[600], path[600];
    for (size_t i = 0; i < sizeof ALIKE / sizeof ALIKE[0]; i++) write_text(ALIKE[i], "mine");
    leave_file(name, sizeof name);
    strcpy(changed, name);
    char *last = changed + strlen(changed) - 1;
    *last = *last == 'a' ? 'b' : 'a';
    assert_int_equal(rename(name, changed), 0);
    snprintf(path, sizeof path, "%s", in_folder("other.model"));
    assert_int_equal(rls2__file_write(path, "whole", 5, NULL), RLS2_OK);
    write_target();
    assert_true(is_there(changed));
    for (size_t i = 0; i < sizeof ALIKE / sizeof ALIKE[0]; i++) {
        assert_true(is_there(in_folder(ALIKE[i])));
        unlink(in_folder(ALIKE[i]));
    }
    unlink(changed);
    unlink(path);
    assert_int_equal(count_files(), 1);
}

/* Of two targets that agree in all of the name that is kept, each clears its own. */
static void write__long_names__are_told_apart(void **state)
{
    (void)state;
    char one[256], two[256], name[1000];
    memset(one, 'n', 240);
    one[240] = '\0';
    strcpy(two, one);
    two[239] = 'm';
    const char *path = in_folder(one);
    int file = -1;
    assert_int_equal(rls2_temporary_create(path, name, sizeof name, &file, NULL), RLS2_OK);
    assert_true(file >= 0);
    close(file); /* as at the end of a process */
    assert_int_equal(rls2__file_write(in_folder(two), "whole", 5, NULL), RLS2_OK);
    assert_true(is_there(name));
    assert_int_equal(rls2__file_write(in_folder(one), "whole", 5, NULL), RLS2_OK);
    assert_false(is_there(name));
    unlink(in_folder(one));
    unlink(in_folder(two));
}

static void create__wrong_arguments__are_refused(void **state)
{
    (void)state;
    char name[600];
    const int64_t size = sizeof name;
    int file = -7;
    rls2_error err;
    assert_int_equal(rls2_temporary_create(NULL, name, size, &file, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument path is NULL");
    assert_int_equal(rls2_temporary_create("x", NULL, 0, &file, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument name is NULL");
    assert_int_equal(rls2_temporary_create("x", name, size, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument descriptor is NULL");
    assert_int_equal(rls2_temporary_create("x", name, 1 + RLS2_TEMPORARY_MORE, &file, &err),
                     RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "size is 33; the name may have 34");
    assert_int_equal(rls2_temporary_create("/nowhere/x", name, size, &file, &err), RLS2_ERR_IO);
    assert_int_equal(errno, ENOENT);
    assert_non_null(strstr(err.message, "/nowhere/x: a file cannot be made in its folder: "));
    assert_int_equal(file, -7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(write__left_over_of_a_killed_writer__is_removed),
        cmocka_unit_test(write__another_writer_lives__its_file_stays),
        cmocka_unit_test(write__not_a_file_of_ours__stays),
        cmocka_unit_test(write__names_alike__stay),
        cmocka_unit_test(write__long_names__are_told_apart),
        cmocka_unit_test(create__wrong_arguments__are_refused),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
