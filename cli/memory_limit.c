/* Reads --memory, and derives the limits from the memory of the machine where it is not given. */
#include "cli/memory_limit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "cli/console.h"

int64_t bytes_of(const char *text)
{
    static const char UNITS[] = "KMGT";
    char *end;
    double value = strtod(text, &end);
    const char *unit = *end ? strchr(UNITS, *end >= 'a' ? *end - 32 : *end) : NULL;
    if (end == text || !(value > 0.0) || (*end && !unit)) return -1;
    if (unit) {
        value *= pow(1024.0, (double)(unit - UNITS + 1));
        end++;
        if (*end == 'B' || *end == 'b') end++;
    }
    return *end == '\0' && value < 9e18 ? (int64_t)value : -1;
}

int check_memory(const settings *s)
{
    if (!s->memory || bytes_of(s->memory) > 0) return EXIT_OK;
    say_error(s, "--memory should be a size, for instance 500M or 2G");
    return EXIT_USAGE;
}

size_text show_bytes(double bytes)
{
    static const char *const UNITS[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    size_text made;
    int unit = 0;
    for (; bytes >= 1000.0 && unit < 5; unit++) bytes /= 1000.0;
    snprintf(made.text, sizeof made.text, bytes < 10.0 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes,
             UNITS[unit]);
    return made;
}

static double machine_memory(void)
{
    double pages = (double)sysconf(_SC_PHYS_PAGES), page = (double)sysconf(_SC_PAGESIZE);
    return pages > 0.0 && page > 0.0 && pages * page < 9e18 ? pages * page : 0.0;
}

void limit_reading(rls2_read_options *options)
{
    struct sysinfo about;
    if (sysinfo(&about) != 0) return;
    double most = ((double)about.totalram + (double)about.totalswap) * (double)about.mem_unit;
    if (most <= 0.0 || most > 9e18) return;
    options->max_bytes = (int64_t)most;
    options->max_cells = (int64_t)(most / sizeof(double));
}

int64_t kernel_memory(const settings *s)
{
    return s->memory ? bytes_of(s->memory) : (int64_t)(machine_memory() / 2.0);
}

int64_t split_memory(const settings *s)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (s->memory || processors < 2) return kernel_memory(s);
    return kernel_memory(s) / processors;
}

void note_recomputed(const settings *s, const rls2_basis *basis)
{
    int64_t m = rls2_basis_size(basis), recomputed = 0;
    for (int64_t k = 0; k < m; k++)
        recomputed += strcmp(rls2_basis_shape(basis, k), "recomputed") == 0;
    if (recomputed == 0) return;
    say(s,
        "  note: %" PRId64
        " of %s do not fit into %s along with the others and are computed whenever they are "
        "needed, which takes longer (--memory)",
        recomputed, count_of(m, "kernel").text, show_bytes((double)kernel_memory(s)).text);
}
