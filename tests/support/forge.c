/* Finds and replaces parts of a model file, and sets its checksum. */
#include "support/forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "modelfile/format.h"
#include "modelfile/pack.h"
#include "support/command.h"

forgery forge_start(const char *name)
{
    forgery file = {0};
    file.bytes = read_text(in_folder(name), &file.size);
    return file;
}

char *forge_find(const forgery *file, const char *text)
{
    char *found = strstr(file->bytes + 8, text); /* behind the length, whose bytes may be zero */
    assert_non_null(found);
    return found;
}

static uint64_t header_length(const char *bytes)
{
    uint64_t length = 0;
    for (int i = 7; i >= 0; i--) length = length << 8 | (unsigned char)bytes[i];
    return length;
}

double *forge_numbers(const forgery *file, const char *array)
{
    char name[64];
    long start = -1;
    snprintf(name, sizeof name, "\"%s\":{", array);
    assert_int_equal(
        sscanf(strstr(forge_find(file, name), "data_offsets"), "data_offsets\":[%ld", &start), 1);
    return (double *)(void *)(file->bytes + 8 + header_length(file->bytes) + start);
}

void forge_finish(forgery *file, const char *name)
{
    char digits[9];
    char *at_digits = forge_find(file, RLS2__CHECKSUM_MARK) + strlen(RLS2__CHECKSUM_MARK);
    uint32_t sum =
        rls2__file_checksum((unsigned char *)file->bytes, file->size, at_digits - file->bytes);
    snprintf(digits, sizeof digits, "%08x", (unsigned)sum);
    memcpy(at_digits, digits, 8);
    FILE *out = fopen(in_folder(name), "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file->bytes, 1, (size_t)file->size, out), (size_t)file->size);
    assert_int_equal(fclose(out), 0);
    free(file->bytes);
    *file = (forgery){0};
}
