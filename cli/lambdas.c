/* --lambda and --lambdas. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fit.h"
#include "cli/option.h"

enum { MOST_LAMBDAS = 100000 };

static int bad_lambdas(const settings *s)
{
    say_error(s, "--lambdas '%s' should be LO:HI:N, for instance 1e-6:1e2:30, or values with commas between",
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
    int code = strchr(copy, ':') ? parse_range(s, copy, count, lambdas) : parse_list(s, copy, count, lambdas);
    free(copy);
    return code;
}

int given_lambdas(const settings *s, int64_t *count, double **lambdas)
{
    *lambdas = NULL;
    *count = 0;
    if (isnan(s->lambda) && !s->lambdas) return EXIT_OK;
    if (s->lambdas && !isnan(s->lambda)) {
        say_error(s, "--lambda and --lambdas exclude each other");
        return EXIT_USAGE;
    }
    if (s->lambdas) return parse_lambdas(s, count, lambdas);
    if (!(s->lambda > 0.0)) {
        say_error(s, "--lambda is %g; it must be positive", s->lambda);
        return EXIT_USAGE;
    }
    *lambdas = calloc(1, sizeof **lambdas);
    if (!*lambdas) return out_of_memory(s);
    (*lambdas)[0] = s->lambda;
    *count = 1;
    return EXIT_OK;
}
