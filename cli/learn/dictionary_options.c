/* The dictionary of --kernels, --group and --given. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/learn/fit.h"

enum { MANY_COLUMNS = 200 };

/* Several --kernels are terms of one dictionary. */
static char *join_terms(const text_list *terms)
{
    size_t size = 1;
    for (int64_t i = 0; i < terms->count; i++) size += strlen(terms->items[i]) + 2;
    char *text = calloc(size, 1);
    for (int64_t i = 0; text && i < terms->count; i++) {
        if (i > 0) strcat(text, "; ");
        strcat(text, terms->items[i]);
    }
    return text;
}

/* The text, and a term for each matrix given. */
static char *with_given(const char *spec, const problem *p)
{
    size_t size = strlen(spec) + 1, used;
    for (int64_t g = 0; g < p->columns.given_count; g++)
        size += 2 * strlen(p->columns.given_names[g]) + 16;
    char *text = malloc(size);
    if (!text) return NULL;
    used = (size_t)snprintf(text, size, "%s", spec);
    for (int64_t g = 0; g < p->columns.given_count; g++)
        used += (size_t)snprintf(text + used, size - used, "%sgiven(\"%s\")", used > 0 ? "; " : "",
                                 p->columns.given_names[g]);
    return text;
}

/* A matrix that no kernel uses was meant to be used. */
static int check_given(const settings *s, const problem *p, const rls2_dictionary *dictionary)
{
    for (int64_t g = 0; g < p->columns.given_count; g++) {
        int used = 0;
        const char *name = p->columns.given_names[g];
        for (int64_t k = 0; k < rls2_dictionary_size(dictionary) && !used; k++) {
            const char *kernel = rls2_dictionary_name(dictionary, k);
            used = strncmp(kernel, "given(", 6) == 0 && strstr(kernel, name) != NULL;
        }
        if (used) continue;
        say_error(s, "the matrix '%s' is not used: add given(%s) to --kernels", name, name);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* Says ", and the matrix 'a'" into the text, "" where none is given. */
static void name_given(const problem *p, char *text, size_t size)
{
    size_t used = 0;
    int64_t count = p->columns.given_count;
    text[0] = '\0';
    for (int64_t g = 0; g < count && used < size; g++)
        used += (size_t)snprintf(text + used, size - used, "%s'%s'",
                                 g > 0        ? ", "
                                 : count == 1 ? ", and the matrix "
                                              : ", and the matrices ",
                                 p->columns.given_names[g]);
}

/* The paper's dictionary has 13 kernels for each column: too many where there are thousands. */
static char *default_spec(const settings *s, const problem *p)
{
    const char *spec = p->columns.count > MANY_COLUMNS ? "linear"
                       : p->columns.count > 0          ? "paper"
                                                       : "";
    char given[256];
    name_given(p, given, sizeof given);
    if (p->columns.count == 0)
        say(s, "  kernels: %s", "the matrix given");
    else if (p->columns.count > MANY_COLUMNS)
        say(s, "  kernels: %s, the default for %" PRId64 " inputs%s", spec, p->columns.count,
            given);
    else
        say(s, "  kernels: %s, the default%s", spec, given);
    return with_given(spec, p);
}

char *dictionary_text(const settings *s, const problem *p)
{
    return s->kernels.count > 0 ? join_terms(&s->kernels) : default_spec(s, p);
}

int make_dictionary(const settings *s, const problem *p, rls2_dictionary **dictionary)
{
    rls2_error err;
    rls2_status status = rls2_dictionary_create(p->spec, &p->columns, dictionary, &err);
    if (status == RLS2_OK) return check_given(s, p, *dictionary);
    int code = fail(s, &err);
    return status == RLS2_ERR_MEMORY ? code : EXIT_USAGE;
}
