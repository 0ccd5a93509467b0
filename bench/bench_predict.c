/* Prediction of many rows in memory that does not grow with them.
 *
 *   rls2_bench_predict COMMAND [ROWS ...]
 *
 * COMMAND is the rls2 command; run from the root of the repository (it reads data/housing.csv).
 * Trains a model of about 30 kernels (its summary comes first), writes files of ROWS rows (default
 * 10000 100000 400000) made of Housing's with a little noise, predicts each by `rls2 predict`,
 * plain and with --std, and prints seconds, rows a second and the peak memory of the process. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "rls2/rls2.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

/* Runs the command; its peak memory in MB, and its seconds. */
static double run_command(const char *const argv[], double *seconds)
{
    struct rusage usage;
    int status;
    double started = now();
    pid_t child = fork();
    if (child < 0) stop("fork failed");
    if (child == 0) {
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    if (wait4(child, &status, 0, &usage) < 0) stop("wait failed");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) stop("the command failed");
    *seconds = now() - started;
    return (double)usage.ru_maxrss / 1024.0;
}

static void write_rows(const rls2_table *table, const char *path, long rows)
{
    rls2__random random;
    FILE *file = fopen(path, "w");
    if (!file) stop("the data file cannot be written");
    rls2__random_seed(&random, 1);
    int64_t columns = rls2_table_columns(table), given = rls2_table_rows(table);
    for (int64_t j = 0; j < columns; j++)
        fprintf(file, "%s%s", j > 0 ? "," : "", rls2_table_column_name(table, j));
    fputc('\n', file);
    for (long i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            fprintf(file, "%.10g%c",
                    rls2_table_value(table, i % given, j) *
                        (1.0 + 1e-3 * rls2__random_uniform(&random)),
                    j + 1 < columns ? ',' : '\n');
    if (fclose(file) != 0) stop("the data file cannot be written");
}

static void measure(char *command, const rls2_table *table, char *model, char *data, char *out,
                    long rows)
{
    double plain, with_std, seconds = 0.0, seconds_std = 0.0;
    write_rows(table, data, rows);
    const char *argv[] = {command, "predict", model, data, "-o", out, "--quiet", NULL, NULL};
    plain = run_command(argv, &seconds);
    argv[7] = "--std";
    with_std = run_command(argv, &seconds_std);
    printf("%9ld %10.2f %12.0f %10.0f %14.2f %14.0f\n", rows, seconds, (double)rows / seconds,
           plain, seconds_std, with_std);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    rls2_blas_tune();
    static const char *const standard[] = {"10000", "100000", "400000"};
    rls2_error err;
    rls2_table *table = NULL;
    double seconds;
    char folder[] = "/tmp/rls2-bench-XXXXXX", model[64], data[64], out[64];
    if (argc < 2) stop("usage: rls2_bench_predict COMMAND [ROWS ...]");
    if (!mkdtemp(folder)) stop("no temporary folder");
    snprintf(model, sizeof model, "%s/housing.model", folder);
    snprintf(data, sizeof data, "%s/rows.csv", folder);
    snprintf(out, sizeof out, "%s/out.csv", folder);
    if (rls2_table_read("data/housing.csv", NULL, &table, &err) != RLS2_OK) stop(err.message);
    const char *const train[] = {argv[1],
                                 "train",
                                 "data/housing.csv",
                                 "--target",
                                 "MEDV",
                                 "--standardize",
                                 "--kernels",
                                 "rbf(1e-3:1e3:19)@each; poly(1..3)@each; linear@each",
                                 "--lambda",
                                 "1e-4",
                                 "-o",
                                 model,
                                 "--quiet",
                                 NULL};
    run_command(train, &seconds);
    printf("%9s %10s %12s %10s %14s %14s\n", "rows", "seconds", "rows/s", "peak MB",
           "seconds --std", "peak MB --std");
    const char *const *rows = argc > 2 ? (const char *const *)argv + 2 : standard;
    int count = argc > 2 ? argc - 2 : (int)(sizeof standard / sizeof standard[0]);
    for (int i = 0; i < count; i++)
        measure(argv[1], table, model, data, out, strtol(rows[i], NULL, 10));
    remove(model);
    remove(data);
    remove(out);
    rmdir(folder);
    rls2_table_free(table);
    return 0;
}
