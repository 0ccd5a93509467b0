/* Checksums against published values, and the list of sources that is built in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/checksum.h"
#include "experiments/sources.h"
#include "support/command.h"

static const char TWO_BLOCKS[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

static void assert_sums(const char *text, size_t length, size_t piece, const char *sha256,
                        const char *sha1)
{
    char found[CHECKSUM_TEXT];
    for (int kind = 0; kind < 2; kind++) {
        checksum c;
        if (kind == 0)
            checksum_begin_sha256(&c);
        else
            checksum_begin_sha1(&c);
        for (size_t at = 0; at < length; at += piece)
            checksum_add(&c, text + at, length - at < piece ? length - at : piece);
        checksum_end(&c, found);
        assert_string_equal(found, kind == 0 ? sha256 : sha1);
    }
}

/* FIPS 180-4 and its examples. */
static void checksum__of_the_standard_s_examples__is_theirs(void **state)
{
    (void)state;
    char *million = malloc(1000000);
    assert_non_null(million);
    memset(million, 'a', 1000000);
    assert_sums("", 0, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    assert_sums("abc", 3, 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "a9993e364706816aba3e25717850c26c9cd0d89d");
    for (size_t piece = 1; piece <= 56; piece += 5)
        assert_sums(TWO_BLOCKS, 56, piece,
                    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
                    "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    assert_sums(million, 1000000, 997,
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
                "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    free(million);
}

/* Around the ends of a block, against the programs of coreutils. */
static void checksum_file__of_many_lengths__is_what_sha256sum_and_sha1sum_print(void **state)
{
    (void)state;
    printed there = shell("command -v sha256sum sha1sum");
    if (there.code != 0) {
        printed_free(&there);
        skip();
    }
    printed_free(&there);
    for (int length = 54; length <= 130; length += length < 66 ? 1 : 31) {
        char sum[CHECKSUM_TEXT];
        printed it = shell("head -c %d data/housing.csv >$T/piece && sha256sum <$T/piece && "
                           "{ printf 'blob %d\\0'; cat $T/piece; } | sha1sum",
                           length, length);
        assert_int_equal(it.code, 0);
        assert_int_equal(checksum_file(in_folder("piece"), "sha256:", sum), 0);
        assert_memory_equal(sum, "sha256:", 7);
        assert_memory_equal(sum + 7, it.out, 64);
        assert_int_equal(checksum_file(in_folder("piece"), "gitblob:", sum), 0);
        assert_memory_equal(sum, "gitblob:", 8);
        assert_memory_equal(sum + 8, strchr(it.out, '\n') + 1, 40);
        printed_free(&it);
    }
}

/* As in git's own documentation: printf 'what is up, doc?' | git hash-object --stdin. */
static void checksum_file__git_blob__is_git_s_name_of_it(void **state)
{
    (void)state;
    char sum[CHECKSUM_TEXT];
    write_text("doc", "what is up, doc?");
    assert_int_equal(checksum_file(in_folder("doc"), "gitblob:0", sum), 0);
    assert_string_equal(sum, "gitblob:bd9dbf5aae1a3862dd1526723246b20206e5fc37");
}

static void checksum_file__no_file_or_kind__fails(void **state)
{
    (void)state;
    char sum[CHECKSUM_TEXT];
    assert_int_equal(checksum_file(in_folder("none"), "sha256:", sum), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(checksum_file(in_folder("none"), "md5:", sum), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(checksum_file(folder(), "sha256:", sum), -1);
}

static void sources_read__the_list_built_in__is_that_of_the_tree(void **state)
{
    (void)state;
    sources list;
    rls2_error err = {0};
    if (sources_read(NULL, &list, &err) != RLS2_OK) fail_msg("%s", err.message);
    assert_true(list.count >= 4);
    char *text = read_text("experiments/sources.txt", NULL);
    assert_string_equal(text, sources_text);
    for (int i = 0; i < list.count; i++) {
        assert_non_null(strstr(text, list.items[i].file));
        assert_true(strncmp(list.items[i].address, "https://", 8) == 0);
        assert_true(checksum_is_valid(list.items[i].checksum));
    }
    free(text);
    sources_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksum__of_the_standard_s_examples__is_theirs),
        cmocka_unit_test(checksum_file__of_many_lengths__is_what_sha256sum_and_sha1sum_print),
        cmocka_unit_test(checksum_file__git_blob__is_git_s_name_of_it),
        cmocka_unit_test(checksum_file__no_file_or_kind__fails),
        cmocka_unit_test(sources_read__the_list_built_in__is_that_of_the_tree),
    };
    return cmocka_run_group_tests_name("unit.checksum", tests, folder_make, folder_remove);
}
