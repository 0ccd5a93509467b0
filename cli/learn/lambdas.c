/* --lambda and --lambdas. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/learn/fit.h"
#include "cli/option.h"

enum { MOST_LAMBDAS = 100000 };

static int bad_lambdas(const settings *s)
{
    say_error(
        s,
        "--lambdas '%s' should be LO:HI:N, for instance 1e-6:1e2:30, or values with commas between",
        s->lambdas);
    return EXIT_USAGE;
}

/* LO:HI:N, in a copy that may be cut up. */
static int parse_range(const settings *s, char *text, int64_t *count, double **lambdas)
{
    rls2_error err;
    double lo, hi;
    char *rest = text, *first = strsep(&rest, ":"), *second = strsep(&rest, ":");
    if (!second || !rest || !read_number(first, &lo) || !read_number(second, &hi) ||
        !read_count(rest, count) || *count < 1 || *count > MOST_LAMBDAS)
        return bad_lambdas(s);
    *lambdas = calloc((size_t)*count, sizeof **lambdas);
    if (!*lambdas) return out_of_memory(s);
    if (rls2_lambda_grid(lo, hi, *count, *lambdas, &err) == RLS2_OK) return EXIT_OK;
    say_error(s, "--lambdas: %s", err.message);
    return EXIT_USAGE;
}

static int parse_list(const settings *s, char *text, int64_t *count, double **lambdas)
{
    size_t room = 1;
    for (const char *c = text; *c; c++) room += *c == ',';
    *lambdas = calloc(room, sizeof **lambdas);
    if (!*lambdas) return out_of_memory(s);
    *count = 0;
    for (char *rest = text, *item = strsep(&rest, ","); item; item = strsep(&rest, ",")) {
        double value;
        if (!read_number(item, &value) || !(value > 0.0)) return bad_lambdas(s);
        (*lambdas)[(*count)++] = value;
    }
    return EXIT_OK;
}

static int parse_lambdas(const settings *s, int64_t *count, double **lambdas)
{
    char *copy = strdup(s->lambdas);
    if (!copy) return out_of_memory(s);
    int code = strchr(copy, ':') ? parse_range(s, copy, count, lambdas)
                                 : parse_list(s, copy, count, lambdas);
    free(copy);
    return code;
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Where --lambda is one of the values, or what one of them is printed as: its place, the nearest;
 * else -1. */
static int64_t place_of(double lambda, int64_t count, const double *lambdas)
{
    static const double SIX_DIGITS = 5.1e-6; /* relative: what printing so many may change */
    int64_t nearest = -1;
    double least = SIX_DIGITS * lambda;
    for (int64_t i = 0; i < count; i++) {
        if (fabs(lambdas[i] - lambda) > least ||
            (nearest >= 0 && fabs(lambdas[i] - lambda) == least))
            continue;
        nearest = i;
        least = fabs(lambdas[i] - lambda);
    }
    return nearest;
}

/* --lambda and --lambdas: the values down to --lambda, which is put into its place where it is none
 * of them. */
static int cut_lambdas(const settings *s, int64_t *count, double **lambdas)
{
    double *more = realloc(*lambdas, (size_t)(*count + 1) * sizeof *more);
    if (!more) return out_of_memory(s);
    *lambdas = more;
    qsort(more, (size_t)*count, sizeof *more, descending);
    int64_t at = place_of(s->lambda, *count, more);
    if (at < 0) {
        for (at = 0; at < *count && more[at] > s->lambda;) at++;
        more[at] = s->lambda;
    }
    *count = at + 1;
    return EXIT_OK;
}

int given_lambdas(const settings *s, int64_t *count, double **lambdas)
{
    *lambdas = NULL;
    *count = 0;
    if (isnan(s->lambda) && !s->lambdas) return EXIT_OK;
    if (!isnan(s->lambda) && !(s->lambda > 0.0)) {
        say_error(s, "--lambda is %g; it must be positive", s->lambda);
        return EXIT_USAGE;
    }
    if (s->lambdas) {
        int code = parse_lambdas(s, count, lambdas);
        return code == EXIT_OK && !isnan(s->lambda) ? cut_lambdas(s, count, lambdas) : code;
    }
    *lambdas = calloc(1, sizeof **lambdas);
    if (!*lambdas) return out_of_memory(s);
    (*lambdas)[0] = s->lambda;
    *count = 1;
    return EXIT_OK;
}
