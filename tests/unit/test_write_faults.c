/* A file is replaced by a whole one or not at all: whatever step fails, the old one stays and
 * nothing lies beside it.
 *
 * * The steps of the system that can be made to fail are defined here, in front of those of libc.
 * */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file_write.h"
#include "support/unit_support.h"

int fsync(int file);
int rename(const char *from, const char *to);
ssize_t write(int file, const void *bytes, size_t length);

/* What is to fail, or, of `write`, to take so many bytes at most. */
static struct {
    int fsync, rename;
    size_t most, written; /* most 0: all */
    size_t full;          /* bytes after which the disk is full; 0: never */
} faults;

int fsync(int file)
{
    struct stat about;
    int regular = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    if (!faults.fsync || !regular) return (int)syscall(SYS_fsync, file);
    errno = EIO;
    return -1;
}

int rename(const char *from, const char *to)
{
    if (!faults.rename) return renameat(AT_FDCWD, from, AT_FDCWD, to);
    errno = EXDEV;
    return -1;
}

ssize_t write(int file, const void *bytes, size_t length)
{
    if (faults.full > 0 && faults.written >= faults.full) {
        errno = ENOSPC;
        return -1;
    }
    size_t taken = faults.most > 0 && faults.most < length ? faults.most : length;
    faults.written += taken;
    return syscall(SYS_write, file, bytes, taken);
}

/* ---- a folder with one file in it ---- */

typedef struct place {
    char folder[40], path[64];
} place;

static const char OLD[] = "old", NEW[] = "a new file, longer than the old one";

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int make_place(void **state)
{
    place *p = calloc(1, sizeof *p);
    memset(&faults, 0, sizeof faults);
    if (!p) return -1;
    strcpy(p->folder, "/tmp/rls2-write-XXXXXX");
    if (!mkdtemp(p->folder)) return -1;
    snprintf(p->path, sizeof p->path, "%s/model", p->folder);
    put(p->path, OLD);
    *state = p;
    return 0;
}

/* Fails where anything but the file itself was left. */
static int remove_place(void **state)
{
    place *p = *state;
    unlink(p->path);
    int code = rmdir(p->folder);
    free(p);
    return code;
}

static rls2_status replace(const place *p, rls2_error *err)
{
    rls2_status status = rls2__file_write(p->path, NEW, sizeof NEW - 1, err);
    memset(&faults, 0, sizeof faults);
    return status;
}

static void assert_holds(const place *p, const char *expected)
{
    char text[100];
    FILE *file = fopen(p->path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void assert_kept(const place *p, const char *message)
{
    rls2_error err;
    assert_int_equal(replace(p, &err), RLS2_ERR_IO);
    assert_contains(err.message, p->path);
    assert_contains(err.message, message);
    assert_holds(p, OLD);
}

static void file_write__no_fault__replaces(void **state)
{
    rls2_error err;
    assert_int_equal(replace(*state, &err), RLS2_OK);
    assert_holds(*state, NEW);
}

static void file_write__short_writes__go_on(void **state)
{
    rls2_error err;
    faults.most = 3;
    assert_int_equal(replace(*state, &err), RLS2_OK);
    assert_holds(*state, NEW);
}

static void file_write__disk_full_in_the_middle__keeps_the_old(void **state)
{
    faults.most = 3;
    faults.full = 6;
    assert_kept(*state, "cannot be written");
}

static void file_write__bytes_that_do_not_reach_the_disk__keep_the_old(void **state)
{
    faults.fsync = 1;
    assert_kept(*state, "cannot be put on the disk");
}

static void file_write__name_that_cannot_be_given__keeps_the_old(void **state)
{
    faults.rename = 1;
    assert_kept(*state, "cannot be replaced");
}

static void file_write__private_file__stays_private(void **state)
{
    const place *p = *state;
    struct stat about;
    rls2_error err;
    assert_int_equal(chmod(p->path, 0600), 0);
    assert_int_equal(replace(p, &err), RLS2_OK);
    assert_int_equal(stat(p->path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
}

#define IN_A_PLACE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_PLACE(file_write__no_fault__replaces),
        IN_A_PLACE(file_write__short_writes__go_on),
        IN_A_PLACE(file_write__disk_full_in_the_middle__keeps_the_old),
        IN_A_PLACE(file_write__bytes_that_do_not_reach_the_disk__keep_the_old),
        IN_A_PLACE(file_write__name_that_cannot_be_given__keeps_the_old),
        IN_A_PLACE(file_write__private_file__stays_private),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
