/* Any bytes as the lines of a journal of experiments: units that are whole are found, one more
 * is kept, and all are there when it is opened again. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"
#include "experiments/journal.h"
#include "folder.h"

static const char SETTINGS[] = "of a fuzzer";

static void write_journal(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "w");
    require(file != NULL);
    fprintf(file, "# fuzz: %s; rls2 %s\n", SETTINGS, rls2_version());
    if (size > 0) fwrite(data, 1, size, file);
    require(fclose(file) == 0);
}

static journal *reopen(void)
{
    journal *j = NULL;
    require(journal_open(fuzz_folder(), "fuzz", SETTINGS, &j, NULL) == RLS2_OK);
    return j;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const double values[] = {0.1, -1e300, 5e-324};
    static char path[300];
    if (!path[0]) {
        journal_close(reopen()); /* makes the folders */
        snprintf(path, sizeof path, "%s/fuzz/journal.txt", fuzz_folder());
    }
    write_journal(path, data, size);
    journal *j = reopen();
    int64_t before = journal_size(j);
    require(before >= 0 && before <= (int64_t)size);
    require(journal_kept(j) == NULL || journal_kept(j)[0] == '\0');
    require(journal_add(j, "one-more", 3, values, NULL) == RLS2_OK);
    journal_close(j);
    j = reopen();
    const double *found = journal_find(j, "one-more", 3);
    require(journal_size(j) == before + 1 && found && memcmp(found, values, sizeof values) == 0);
    journal_close(j);
    return 0;
}
