/* Terms of a dictionary: kernels, presets, and the product of parameters and columns.
 *
 * The kernels of a term come out as loops would write them: for each combination of
 * values (the last argument runs fastest), for each item, for the columns of `each`. */
#include "dictionary/dictionary_parse.h"

#include <inttypes.h>
#include <string.h>

#include "base/invariant.h"
#include "dictionary/dictionary_columns.h"
#include "dictionary/dictionary_names.h"
#include "dictionary/dictionary_text.h"
#include "dictionary/dictionary_values.h"
#include "dictionary/dictionary_widths.h"

const rls2__dictionary_limits rls2__dictionary_limits_default = {
    .kernels = 10000000,
    .values = 1000000,
    .references = 100000000,
    .name_bytes = INT64_C(1) << 31,
};

enum { HEAD_BYTES = 64 }; /* what a name is taken to need besides its label */

static const char paper[] = "poly(1..3)@all,each; rbf(1e-3:1e3:10)@all,each";

/* ---- kernels out ---- */

static bool reserve_kernels(rls2__parser *p, int64_t more)
{
    rls2_dictionary *dictionary = p->dictionary;
    int64_t needed = dictionary->m + more;
    if (needed <= p->kernel_capacity) return true;
    int64_t capacity = needed > 2 * p->kernel_capacity ? needed : 2 * p->kernel_capacity;
    rls2__kernel *kernels = rls2__alloc(capacity, sizeof *kernels);
    if (!kernels) return false;
    if (dictionary->m > 0)
        memcpy(kernels, dictionary->kernels, (size_t)dictionary->m * sizeof *kernels);
    rls2__free(dictionary->kernels);
    dictionary->kernels = kernels;
    p->kernel_capacity = capacity;
    return true;
}

/* Copies `kernel` with these columns; the label waits in `name` for the naming. */
static rls2_status emit(rls2__parser *p, const rls2__kernel *kernel, int64_t count,
                        const int64_t *columns, const char *label, int64_t at)
{
    p->name_bytes += (int64_t)strlen(label) + HEAD_BYTES;
    if (p->name_bytes > p->limits->name_bytes)
        return rls2__parser_fail(p, RLS2_ERR_VALUE, at,
                                 "the names of the kernels need more than %" PRId64 " bytes",
                                 p->limits->name_bytes);
    rls2__invariant(p->dictionary->m < p->kernel_capacity);
    rls2__kernel *out = &p->dictionary->kernels[p->dictionary->m++];
    *out = *kernel;
    out->column_count = count;
    out->columns = columns;
    out->name = label;
    return RLS2_OK;
}

static rls2_status emit_given(rls2__parser *p, rls2__kernel *kernel, int64_t at)
{
    kernel->given = (int64_t)kernel->param[0];
    kernel->param[0] = 0.0;
    const char *name = p->world->given_names[kernel->given];
    int64_t length = (int64_t)strlen(name);
    char *label = rls2__arena_alloc(p->dictionary->arena, rls2__add(rls2__mul(length, 2), 3));
    if (!label) return rls2__parser_memory(p);
    rls2__name_write(name, length, label);
    return emit(p, kernel, 0, NULL, label, at);
}

static rls2_status emit_item(rls2__parser *p, const rls2__kernel *kernel, const rls2__item *item)
{
    if (!item->each) return emit(p, kernel, item->count, item->columns, item->label, item->at);
    rls2_status status = RLS2_OK;
    for (int64_t i = 0; i < item->count && !status; i++)
        status = emit(p, kernel, 1, &item->columns[i], p->labels[item->columns[i]], item->at);
    return status;
}

/* The kernels of one combination of parameters. */
static rls2_status emit_combination(rls2__parser *p, rls2__kernel *kernel, int64_t at)
{
    if (kernel->kind == RLS2__KERNEL_GIVEN) return emit_given(p, kernel, at);
    rls2_status status = RLS2_OK;
    for (int64_t i = 0; i < p->item_count && !status; i++)
        status = emit_item(p, kernel, &p->items[i]);
    return status;
}

/* Sets the parameters to combination `index`, the last argument running fastest. */
static void choose(const rls2__parser *p, const rls2__form *form, int64_t index,
                   rls2__kernel *kernel)
{
    *kernel = (rls2__kernel){.kind = form->kind, .given = -1};
    for (int i = 0; i < form->parameter_count; i++) kernel->param[i] = form->parameters[i].preset;
    for (int i = p->argument_count - 1; i >= 0; i--) {
        const rls2__argument *argument = &p->arguments[i];
        double value = argument->values[index % argument->count];
        int learns =
            form->parameters[argument->parameter].domain == RLS2__DOMAIN_WIDTH && value < 0;
        kernel->param[argument->parameter] = learns ? -value : value;
        kernel->learns |= learns;
        index /= argument->count;
    }
    rls2__invariant(index == 0); /* each combination once */
}

/* Kernels of the term just read, or -1 on overflow. */
static int64_t count_kernels(const rls2__parser *p, const rls2__form *form, int64_t *combinations)
{
    int64_t product = 1, sum = form->kind == RLS2__KERNEL_GIVEN;
    for (int i = 0; i < p->argument_count; i++) product = rls2__mul(product, p->arguments[i].count);
    for (int64_t i = 0; i < p->item_count; i++)
        sum = rls2__add(sum, p->items[i].each ? p->items[i].count : 1);
    *combinations = product;
    return rls2__mul(product, sum);
}

static rls2_status emit_term(rls2__parser *p, const rls2__form *form, int64_t at)
{
    int64_t combinations = 0;
    int64_t count = count_kernels(p, form, &combinations);
    if (count < 0 || count > p->limits->kernels - p->dictionary->m)
        return rls2__parser_fail(p, RLS2_ERR_VALUE, at, "more than %" PRId64 " kernels",
                                 p->limits->kernels);
    if (!reserve_kernels(p, count)) return rls2__parser_memory(p);
    rls2_status status = RLS2_OK;
    int64_t before = p->dictionary->m;
    for (int64_t i = 0; i < combinations && !status; i++) {
        rls2__kernel kernel;
        choose(p, form, i, &kernel);
        status = emit_combination(p, &kernel, at);
    }
    rls2__invariant(status || p->dictionary->m == before + count);
    return status;
}

/* ---- terms in ---- */

static rls2_status unknown_kernel(rls2__parser *p, const rls2__span *name)
{
    if (name->quoted)
        return rls2__parser_fail(p, RLS2_ERR_SYNTAX, name->at, "expected a kernel, without quotes");
    rls2__suggestion near = rls2__suggestion_start(name->text, name->length);
    rls2__form_suggest(&near);
    rls2__suggestion_try(&near, "paper");
    return rls2__parser_fail(
        p, RLS2_ERR_NAME, name->at, "unknown kernel '%s'%s",
        rls2__clip(name->text, name->length).text,
        near.best ? rls2__suggestion_text(&near).text
                  : "; there are linear, poly, rbf, laplace, matern, spline, delta, given");
}

static bool learns(const rls2__parser *p, const rls2__form *form)
{
    for (int i = 0; i < p->argument_count; i++) {
        const rls2__argument *argument = &p->arguments[i];
        bool width = form->parameters[argument->parameter].domain == RLS2__DOMAIN_WIDTH;
        for (int64_t v = 0; v < argument->count && width; v++)
            if (argument->values[v] < 0.0) return true;
    }
    return false;
}

static rls2_status refuse_spline(rls2__parser *p, const rls2__item *item)
{
    rls2__clipped shown = rls2__clip(item->label, (int64_t)strlen(item->label));
    return rls2__parser_fail(p, RLS2_ERR_VALUE, item->at,
                             "spline takes one column and %s has %" PRId64 ": write each:%s",
                             shown.text, item->count, shown.text);
}

static rls2_status refuse_width(rls2__parser *p, const rls2__form *form, const rls2__item *item)
{
    return rls2__parser_fail(p, RLS2_ERR_VALUE, item->at,
                             "widths are learned for several columns together, and %s: write %s",
                             item->each ? "'each' takes them one by one" : "here is one",
                             form->kind == RLS2__KERNEL_RBF ? "rbf(1e-3:1e3:10)"
                                                            : "matern(2.5,1e-2:1e2:9)");
}

/* A spline is a function of one column; widths are learned to weigh columns against each other. */
static rls2_status check_items(rls2__parser *p, const rls2__form *form)
{
    bool spline = form->kind == RLS2__KERNEL_SPLINE, learned = learns(p, form);
    for (int64_t i = 0; i < p->item_count; i++) {
        const rls2__item *item = &p->items[i];
        if (spline && !item->each && item->count > 1) return refuse_spline(p, item);
        if (learned && (item->each || item->count == 1)) return refuse_width(p, form, item);
    }
    return RLS2_OK;
}

/* '@' item (',' item)*, or what its absence stands for. */
static rls2_status read_items(rls2__parser *p, const rls2__form *form, int64_t at)
{
    p->item_count = 0;
    bool given = form->kind == RLS2__KERNEL_GIVEN;
    if (!rls2__parser_accept(p, '@')) {
        rls2_status status = given ? RLS2_OK : rls2__parser_default_item(p, form->bare_each, at);
        return status ? status : check_items(p, form);
    }
    if (given)
        return rls2__parser_fail(p, RLS2_ERR_SYNTAX, p->at - 1, "a given matrix takes no columns");
    do {
        rls2_status status = rls2__parser_item(p);
        if (status) return status;
    } while (rls2__parser_accept(p, ','));
    return check_items(p, form);
}

static rls2_status read_kernel(rls2__parser *p, const rls2__span *name)
{
    const rls2__form *form = rls2__form_find(name);
    if (!form) return unknown_kernel(p, name);
    rls2_status status = rls2__parser_arguments(p, form);
    if (status) return status;
    bool selected = rls2__parser_peek(p) == '@';
    status = read_items(p, form, name->at);
    if (status) return status;
    char next = rls2__parser_peek(p);
    if (next == ';' || next == '\0') return emit_term(p, form, name->at);
    return rls2__parser_fail(p, RLS2_ERR_SYNTAX, p->at, "expected %s';' or the end of the text",
                             selected                           ? "'+', ',', "
                             : form->kind == RLS2__KERNEL_GIVEN ? ""
                                                                : "'@', ");
}

/* term (';' term)*, without presets that stand for a text. */
static rls2_status read_kernels(rls2__parser *p)
{
    rls2__span name;
    do {
        rls2_status status = rls2__parser_word(p, "a kernel", &name);
        if (!status) status = read_kernel(p, &name);
        if (status) return status;
    } while (rls2__parser_accept(p, ';'));
    return RLS2_OK;
}

/* Reads `expansion` in the place of the preset `name`. */
static rls2_status read_preset(rls2__parser *p, const rls2__span *name, const char *expansion)
{
    char next = rls2__parser_peek(p);
    if (next != ';' && next != '\0')
        return rls2__parser_fail(p, RLS2_ERR_SYNTAX, p->at,
                                 "the preset %.*s stands alone: expected ';' or the end",
                                 (int)name->length, name->text);
    const char *text = p->text;
    int64_t at = p->at;
    p->text = expansion;
    p->at = 0;
    p->preset_at = name->at;
    rls2_status status = read_kernels(p);
    p->text = text;
    p->at = at;
    p->preset_at = -1;
    return status;
}

static rls2_status read_spec(rls2__parser *p)
{
    rls2__span name;
    if (rls2__parser_peek(p) == '\0')
        return rls2__parser_fail(p, RLS2_ERR_SYNTAX, 0,
                                 "the text is empty; try \"paper\" or \"linear\"");
    do {
        rls2_status status = rls2__parser_word(p, "a kernel", &name);
        if (!status)
            status = rls2__span_is(&name, "paper") ? read_preset(p, &name, paper)
                                                   : read_kernel(p, &name);
        if (status) return status;
    } while (rls2__parser_accept(p, ';'));
    return RLS2_OK;
}

static rls2_status find_sets(rls2__parser *p)
{
    rls2_status status = rls2__dictionary_find_sets(p->dictionary);
    if (status == RLS2_ERR_VALUE)
        return rls2__parser_fail(p, status, 0,
                                 "widths are learned for %d different sets of columns at most",
                                 RLS2__MOST_WIDTH_SETS);
    return status == RLS2_OK ? status : rls2__parser_memory(p);
}

static void release(rls2__parser *p)
{
    rls2__number_reader_free(p->reader);
    rls2__lookup_free(p->column_names);
    rls2__lookup_free(p->group_names);
    rls2__lookup_free(p->given_names);
    for (int i = 0; i < RLS2__PARAMETERS; i++) rls2__free(p->arguments[i].values);
    rls2__free(p->labels);
    rls2__free(p->marks);
    rls2__free(p->word);
    rls2__free(p->label);
    rls2__free(p->items);
    rls2_dictionary_free(p->dictionary);
}

rls2_status rls2__dictionary_build(const char *spec, const rls2_columns *columns,
                                   const rls2__dictionary_limits *limits,
                                   rls2_dictionary **dictionary, rls2_error *err)
{
    rls2__parser p = {.text = spec,
                      .spec = spec,
                      .preset_at = -1,
                      .err = err,
                      .world = columns,
                      .limits = limits};
    rls2_status status = RLS2_OK;
    p.dictionary = rls2__alloc_zero(1, sizeof *p.dictionary);
    if (p.dictionary) atomic_init(&p.dictionary->owners, 1);
    if (p.dictionary) p.dictionary->arena = rls2__arena_create();
    if (!p.dictionary || !p.dictionary->arena) {
        status = rls2__parser_memory(&p);
        goto cleanup;
    }
    status = rls2__number_reader_create(&p.reader, err);
    if (!status) status = rls2__parser_take_columns(&p);
    if (!status) status = read_spec(&p);
    if (!status) status = rls2__parser_name_kernels(&p);
    if (!status) status = find_sets(&p);
    if (status) goto cleanup;
    rls2__invariant(p.dictionary->m > 0);
    *dictionary = p.dictionary;
    p.dictionary = NULL;
cleanup:
    release(&p);
    return status;
}
