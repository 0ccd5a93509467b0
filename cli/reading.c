#include "cli/reading.h"

#include <sys/sysinfo.h>

/* Reads no file that unpacks to more than the machine's memory holds, or whose table takes more:
 * such a one would never be learned from, and before that the machine would stand still. */
static void limit_reading(rls2_read_options *options)
{
    struct sysinfo about;
    if (sysinfo(&about) != 0) return;
    double most = ((double)about.totalram + (double)about.totalswap) * (double)about.mem_unit;
    if (most <= 0.0 || most > 9e18) return;
    options->max_bytes = (int64_t)most;
    options->max_cells = (int64_t)(most / sizeof(double));
}

int read_options(const settings *s, rls2_read_options *options)
{
    rls2_error err;
    if (rls2_plan_read_options(s->plan, options, &err) != RLS2_OK) return fail_plan(s, &err);
    limit_reading(options);
    return EXIT_OK;
}

static int read_file(const settings *s, const char *path, const rls2_read_options *options,
                     rls2_table **table)
{
    rls2_error err;
    return rls2_table_read(path, options, table, &err) == RLS2_OK ? EXIT_OK : fail(s, &err);
}

int read_table(const settings *s, const char *path, rls2_table **table)
{
    rls2_read_options options;
    int code = read_options(s, &options);
    return code == EXIT_OK ? read_file(s, path, &options, table) : code;
}

int read_matrix(const settings *s, const char *path, rls2_table **matrix)
{
    rls2_read_options options = rls2_read_options_default();
    options.header = 0;
    limit_reading(&options);
    return read_file(s, path, &options, matrix);
}
