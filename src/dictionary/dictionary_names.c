/* The kernels' names: "rbf(0.1)@rm".
 *
 * Parameters are shown with four digits. Where two kernels with different
 * parameters would thus bear one name, all kernels of that name are shown exactly.
 * Equal kernels keep equal names. Every name is itself a term of the grammar. */
#include "dictionary/dictionary_names.h"

#include <stdio.h>
#include <string.h>

#include "base/invariant.h"
#include "dictionary/dictionary_text.h"
#include "dictionary/dictionary_values.h"

/* kind, three numbers, their keys and the signs between them */
enum { HEAD_ROOM = 16 + RLS2__PARAMETERS * (RLS2__NUMBER_ROOM + 16) };

static bool differ(const rls2__kernel *a, const rls2__kernel *b)
{
    if (a->kind != b->kind || a->given != b->given || a->learns != b->learns) return true;
    for (int i = 0; i < RLS2__PARAMETERS; i++)
        if (a->param[i] != b->param[i]) return true;
    return false;
}

/* "0.1", or "learn*4" of what is learned. */
static void write_value(const rls2__parser *p, double value, bool learned, bool exact,
                        char out[8 + RLS2__NUMBER_ROOM])
{
    char number[RLS2__NUMBER_ROOM];
    rls2__number_write(p, value, exact, number);
    bool alone = learned && value == 1.0;
    snprintf(out, 8 + RLS2__NUMBER_ROOM, "%s%s%s", learned ? "learn" : "",
             learned && !alone ? "*" : "", alone ? "" : number);
}

/* "poly(2,offset=0)": what is required, and what is not as preset. */
static void write_head(const rls2__parser *p, const rls2__kernel *kernel, bool exact,
                       char head[HEAD_ROOM])
{
    const rls2__form *form = rls2__form_of(kernel->kind);
    int length = snprintf(head, HEAD_ROOM, "%s", form->name);
    char sign = '(';
    for (int i = 0; i < form->parameter_count; i++) {
        const rls2__parameter *parameter = &form->parameters[i];
        bool learned = kernel->learns && parameter->domain == RLS2__DOMAIN_WIDTH;
        if (!parameter->required && !learned && kernel->param[i] == parameter->preset) continue;
        char number[8 + RLS2__NUMBER_ROOM];
        write_value(p, kernel->param[i], learned, exact, number);
        length += snprintf(head + length, (size_t)(HEAD_ROOM - length), "%c%s%s%s", sign,
                           parameter->required ? "" : parameter->key,
                           parameter->required ? "" : "=", number);
        sign = ',';
        rls2__invariant(length > 0 && length < HEAD_ROOM - 1); /* nothing was cut off */
    }
    if (sign == ',') snprintf(head + length, (size_t)(HEAD_ROOM - length), ")");
}

/* Three texts in one; NULL when out of memory. */
static char *join(rls2__arena *arena, const char *a, const char *b, const char *c)
{
    size_t a_length = strlen(a), b_length = strlen(b), c_length = strlen(c);
    char *text = rls2__arena_alloc(arena, (int64_t)(a_length + b_length + c_length + 1));
    if (!text) return NULL;
    memcpy(text, a, a_length);
    memcpy(text + a_length, b, b_length);
    memcpy(text + a_length + b_length, c, c_length + 1);
    return text;
}

static rls2_status name_all(rls2__parser *p)
{
    rls2_dictionary *dictionary = p->dictionary;
    char head[HEAD_ROOM] = "";
    for (int64_t k = 0; k < dictionary->m; k++) {
        rls2__kernel *kernel = &dictionary->kernels[k];
        if (kernel->kind == RLS2__KERNEL_GIVEN) {
            kernel->name = join(dictionary->arena, "given(", kernel->name, ")");
        } else {
            /* runs of kernels differ in their columns alone */
            if (k == 0 || differ(kernel, kernel - 1)) write_head(p, kernel, false, head);
            kernel->name = join(dictionary->arena, head, "@", kernel->name);
        }
        if (!kernel->name) return rls2__parser_memory(p);
    }
    return RLS2_OK;
}

/* Kernels of one name: the first of them, and whether they differ in their parameters. */
typedef struct namesakes {
    int64_t first;
    bool differ;
} namesakes;

/* Fills names and groups, one group for each name; *any says whether one differs. */
static rls2_status find_namesakes(rls2__parser *p, rls2__lookup *names, namesakes *groups,
                                  bool *any)
{
    const rls2__kernel *kernels = p->dictionary->kernels;
    for (int64_t k = 0; k < p->dictionary->m; k++) {
        int64_t count = rls2__lookup_count(names);
        int64_t g = rls2__lookup_add(names, kernels[k].name);
        if (g < 0) return rls2__parser_memory(p);
        if (g == count) groups[g] = (namesakes){.first = k, .differ = false};
        if (!differ(&kernels[k], &kernels[groups[g].first])) continue;
        groups[g].differ = true;
        *any = true;
    }
    return RLS2_OK;
}

/* Names anew the kernels whose namesakes differ. */
static rls2_status name_exactly(rls2__parser *p, const rls2__lookup *names, const namesakes *groups)
{
    char head[HEAD_ROOM], exact[HEAD_ROOM];
    for (int64_t k = 0; k < p->dictionary->m; k++) {
        rls2__kernel *kernel = &p->dictionary->kernels[k];
        rls2__invariant(rls2__lookup_find(names, kernel->name) >= 0);
        if (!groups[rls2__lookup_find(names, kernel->name)].differ) continue;
        write_head(p, kernel, false, head);
        write_head(p, kernel, true, exact);
        kernel->name = join(p->dictionary->arena, exact, kernel->name + strlen(head), "");
        if (!kernel->name) return rls2__parser_memory(p);
    }
    return RLS2_OK;
}

rls2_status rls2__parser_name_kernels(rls2__parser *p)
{
    bool any = false;
    rls2__lookup *names = rls2__lookup_create();
    namesakes *groups = rls2__alloc(p->dictionary->m, sizeof *groups);
    rls2_status status = names && groups ? name_all(p) : rls2__parser_memory(p);
    if (!status) status = find_namesakes(p, names, groups, &any);
    if (!status && any) status = name_exactly(p, names, groups);
    rls2__free(groups);
    rls2__lookup_free(names);
    return status;
}
