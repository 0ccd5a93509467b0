/* Files read as the settings say; a file of numbers by itself. */
#include "cli/reading.h"

int read_options(const settings *s, rls2_read_options *options)
{
    rls2_error err;
    rls2_status status = rls2_plan_read_options(s->plan, options, sizeof *options, &err);
    return status == RLS2_OK ? EXIT_OK : fail_plan(s, &err);
}

static int read_file(const settings *s, const char *option, const char *path,
                     const rls2_read_options *options, rls2_table **table)
{
    rls2_error err;
    rls2_status status = rls2_table_read(path, options, table, &err);
    return status == RLS2_OK ? EXIT_OK : fail_option(s, option, &err);
}

int read_table(const settings *s, const char *option, const char *path, rls2_table **table)
{
    rls2_read_options options;
    int code = read_options(s, &options);
    return code == EXIT_OK ? read_file(s, option, path, &options, table) : code;
}

int read_matrix(const settings *s, const char *path, rls2_table **matrix)
{
    rls2_read_options options, limits;
    int code = read_options(s, &limits);
    if (code != EXIT_OK) return code;
    rls2_read_options_init(&options, sizeof options);
    options.header = 0;
    options.max_bytes = limits.max_bytes;
    options.max_cells = limits.max_cells;
    return read_file(s, "given", path, &options, matrix);
}
