/* Feeds stored inputs to a fuzz target, without a fuzzer: replay_fuzz_NAME FOLDER...
 * The empty input always comes first; a folder that does not exist holds nothing. */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path)
{
    int status = 1;
    uint8_t *data = NULL;
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) goto cleanup;
    long size = ftell(file);
    if (size < 0) goto cleanup;
    rewind(file);
    /* exactly `size` bytes, so that a sanitizer sees a read past the end */
    data = malloc((size_t)size);
    if (size > 0 && (!data || fread(data, 1, (size_t)size, file) != (size_t)size)) goto cleanup;
    LLVMFuzzerTestOneInput(data, (size_t)size);
    status = 0;

cleanup:
    if (status) fprintf(stderr, "%s: cannot be read\n", path);
    if (file) fclose(file);
    free(data);
    return status;
}

static int replay_folder(DIR *folder, const char *path)
{
    int status = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char name[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        status |= replay_file(name);
    }
    return status;
}

int main(int argc, char **argv)
{
    int status = 0;
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (!folder) continue;
        status |= replay_folder(folder, argv[i]);
        closedir(folder);
    }
    return status;
}
