/* Files that are read are not replaced by what comes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support/command.h"

static void assert_text(const char *path, const char *expected)
{
    long length;
    char *text = read_text(path, &length);
    assert_string_equal(text, expected);
    free(text);
}

static void train__output_that_is_the_table__is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"$T/t.csv", "$T/./t.csv"};
    static const char TABLE[] = "a,y\n1,1\n2,3\n3,2\n4,5\n";
    for (int i = 0; i < 2; i++) {
        write_text("t.csv", TABLE);
        printed ran = rls2_run("train $T/t.csv -t y -k linear --lambda 1 -q -o %s", names[i]);
        assert_int_equal(ran.code, 2);
        assert_non_null(strstr(ran.err, "would be overwritten"));
        printed_free(&ran);
        assert_text(in_folder("t.csv"), TABLE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(train__output_that_is_the_table__is_refused),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
