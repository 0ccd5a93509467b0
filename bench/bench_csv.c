/* rls2_bench_csv [MB]: how fast CSV is read.
 *
 * Writes a temporary file of that size (default 1024) into $TMPDIR, or the working folder where
 * that is not set, reads it whole, makes a data set of it, and streams it; one core. Prints MB/s of
 * the file and the peak of memory so far, and removes the file. The file was just written: what is
 * measured is the reader, not the disk. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "rls2/table.h"

enum { COLUMNS = 10, USUAL_MB = 1024, PIECE_ROWS = 10000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void report(const char *what, int64_t bytes, double start)
{
    struct rusage usage;
    double seconds = now() - start;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-26s %8.0f MB/s  %7.2f s   peak %6.0f MB\n", what, (double)bytes / 1e6 / seconds,
           seconds, (double)usage.ru_maxrss / 1e3);
    fflush(stdout);
}

/* Half of the columns of 8 digits, half of 15. Returns the size, -1 if it cannot be written. */
static int64_t write_file(FILE *file, int64_t size)
{
    rls2__random random;
    int64_t used = 0;
    rls2__random_seed(&random, 1);
    for (int j = 0; j < COLUMNS; j++) used += fprintf(file, "%sx%d", j ? "," : "", j + 1);
    used += fprintf(file, "\n");
    while (used < size) {
        for (int j = 0; j < COLUMNS; j++) {
            double u = rls2__random_uniform(&random);
            used += j % 2 ? fprintf(file, ",%.15f", u)
                          : fprintf(file, "%s%.7f", j ? "," : "", 20.0 * u - 10.0);
        }
        used += fprintf(file, "\n");
    }
    return fflush(file) == 0 && !ferror(file) ? used : -1;
}

static rls2_status measure_whole(const char *path, int64_t bytes, rls2_error *err)
{
    rls2_table *table = NULL;
    rls2_dataset *dataset = NULL;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "x1";
    double start = now();
    rls2_status status = rls2_table_read(path, NULL, &table, err);
    if (status != RLS2_OK) return status;
    report("rls2_table_read", bytes, start);
    start = now();
    status = rls2_dataset_create(table, &options, &dataset, err);
    if (status == RLS2_OK) report("rls2_dataset_create", bytes, start);
    rls2_dataset_free(dataset);
    rls2_table_free(table);
    return status;
}

static rls2_status measure_stream(const char *path, int64_t bytes, rls2_error *err)
{
    rls2_stream *stream = NULL;
    rls2_table *piece = NULL;
    double start = now();
    rls2_status status = rls2_stream_open(path, NULL, &stream, err);
    while (status == RLS2_OK) {
        status = rls2_stream_next(stream, PIECE_ROWS, &piece, err);
        if (status != RLS2_OK || !piece) break;
        rls2_table_free(piece);
    }
    if (status == RLS2_OK) report("rls2_stream_next", bytes, start);
    rls2_stream_close(stream);
    return status;
}

int main(int argc, char **argv)
{
    int64_t megabytes = argc > 1 ? strtoll(argv[1], NULL, 10) : USUAL_MB;
    if (argc > 2 || megabytes < 1 || megabytes > 1 << 20) {
        fprintf(stderr, "usage: %s [MB]\n", argv[0]);
        return 2;
    }
    char path[4096];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/rls2_bench_csv_XXXXXX", folder ? folder : ".");
    int handle = mkstemp(path);
    FILE *file = handle >= 0 ? fdopen(handle, "w") : NULL;
    if (!file) {
        fprintf(stderr, "%s: cannot be made\n", path);
        return 1;
    }
    rls2_error err = {.message = "the file cannot be written"};
    int64_t bytes = write_file(file, megabytes * 1000000);
    fclose(file);
    /* The stream first: the peak of memory never falls. */
    rls2_status status = bytes < 0 ? RLS2_ERR_IO : measure_stream(path, bytes, &err);
    if (status == RLS2_OK) status = measure_whole(path, bytes, &err);
    if (status != RLS2_OK) fprintf(stderr, "%s\n", err.message);
    remove(path);
    return status != RLS2_OK;
}
