/* The kernels' parameters: what stands between the parentheses. */
#include "dictionary/dictionary_values.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "dictionary/dictionary_text.h"

static const rls2__form forms[] = {
    {.name = "linear", .kind = RLS2__KERNEL_LINEAR, .bare_each = true},
    {.name = "poly",
     .kind = RLS2__KERNEL_POLY,
     .parameter_count = 3,
     .parameters = {{.key = "degree", .domain = RLS2__DOMAIN_DEGREE, .required = true},
                    {.key = "offset", .domain = RLS2__DOMAIN_NON_NEGATIVE, .preset = 1.0},
                    {.key = "scale", .domain = RLS2__DOMAIN_POSITIVE, .preset = 1.0}}},
    {.name = "rbf",
     .kind = RLS2__KERNEL_RBF,
     .parameter_count = 1,
     .parameters = {{.key = "gamma", .domain = RLS2__DOMAIN_WIDTH, .required = true}}},
    {.name = "laplace",
     .kind = RLS2__KERNEL_LAPLACE,
     .parameter_count = 1,
     .parameters = {{.key = "gamma", .domain = RLS2__DOMAIN_POSITIVE, .required = true}}},
    {.name = "matern",
     .kind = RLS2__KERNEL_MATERN,
     .parameter_count = 2,
     .parameters = {{.key = "nu", .domain = RLS2__DOMAIN_NU, .required = true},
                    {.key = "length", .domain = RLS2__DOMAIN_WIDTH, .preset = 1.0}}},
    {.name = "spline", .kind = RLS2__KERNEL_SPLINE, .bare_each = true},
    {.name = "delta", .kind = RLS2__KERNEL_DELTA},
    {.name = "given",
     .kind = RLS2__KERNEL_GIVEN,
     .parameter_count = 1,
     .parameters = {{.key = "name", .domain = RLS2__DOMAIN_GIVEN, .required = true}}},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

const rls2__form *rls2__form_of(rls2__kernel_kind kind)
{
    int i = 0;
    while (i < FORMS - 1 && forms[i].kind != kind) i++;
    return &forms[i];
}

const rls2__form *rls2__form_find(const rls2__span *name)
{
    for (int i = 0; i < FORMS; i++)
        if (rls2__span_is(name, forms[i].name)) return &forms[i];
    return NULL;
}

void rls2__form_suggest(rls2__suggestion *suggestion)
{
    for (int i = 0; i < FORMS; i++) rls2__suggestion_try(suggestion, forms[i].name);
}

/* ---- values ---- */

static rls2_status append(rls2__parser *p, rls2__argument *argument, double value)
{
    if (argument->count == argument->capacity) {
        int64_t capacity = argument->capacity > 0 ? rls2__mul(argument->capacity, 2) : 16;
        double *values = rls2__alloc(capacity, sizeof *values);
        if (!values) return rls2__parser_memory(p);
        if (argument->values)
            memcpy(values, argument->values, (size_t)argument->count * sizeof *values);
        rls2__free(argument->values);
        argument->values = values;
        argument->capacity = capacity;
    }
    argument->values[argument->count++] = value;
    return RLS2_OK;
}

/* NULL where the value is in the domain, else what the domain is. */
static const char *outside(rls2__domain domain, double value)
{
    switch (domain) {
    case RLS2__DOMAIN_DEGREE:
        return value >= 1 && value <= 20 && value == floor(value) ? NULL
                                                                  : "a whole number from 1 to 20";
    case RLS2__DOMAIN_NON_NEGATIVE: return value >= 0 ? NULL : "zero or more";
    case RLS2__DOMAIN_WIDTH:
    case RLS2__DOMAIN_POSITIVE: return value > 0 ? NULL : "greater than zero";
    case RLS2__DOMAIN_NU:
        return value == 0.5 || value == 1.5 || value == 2.5 ? NULL : "0.5, 1.5 or 2.5";
    case RLS2__DOMAIN_GIVEN: break;
    }
    return NULL;
}

static rls2_status check(rls2__parser *p, const rls2__parameter *parameter, double value,
                         int64_t at)
{
    const char *domain = outside(parameter->domain, value);
    if (!domain) return RLS2_OK;
    char shown[RLS2__NUMBER_ROOM];
    rls2__number_write(p, value, true, shown);
    return rls2__parser_fail(p, RLS2_ERR_VALUE, at, "%s must be %s, not %s", parameter->key, domain,
                             shown);
}

static rls2_status check_append(rls2__parser *p, const rls2__parameter *parameter,
                                rls2__argument *argument, double value, int64_t at)
{
    rls2_status status = check(p, parameter, value, at);
    return status ? status : append(p, argument, value);
}

static rls2_status too_many_values(rls2__parser *p, int64_t at)
{
    return rls2__parser_fail(p, RLS2_ERR_VALUE, at, "a range of more than %" PRId64 " values",
                             p->limits->values);
}

/* A whole number small enough that its neighbours are doubles too. */
static rls2_status whole_number(rls2__parser *p, double value, int64_t at)
{
    if (value == floor(value) && fabs(value) <= 1e15) return RLS2_OK;
    return rls2__parser_fail(p, RLS2_ERR_VALUE, at, "the range a..b needs whole numbers");
}

/* first '..' last, upwards or downwards. */
static rls2_status whole_range(rls2__parser *p, const rls2__parameter *parameter,
                               rls2__argument *argument, double first, int64_t first_at)
{
    double last;
    int64_t last_at;
    rls2_status status = rls2__parser_number(p, &last, &last_at);
    if (!status) status = whole_number(p, first, first_at);
    if (!status) status = whole_number(p, last, last_at);
    if (!status) status = check(p, parameter, first, first_at);
    if (!status) status = check(p, parameter, last, last_at);
    if (status) return status;
    if (fabs(last - first) >= (double)p->limits->values) return too_many_values(p, first_at);
    int64_t count = (int64_t)fabs(last - first) + 1;
    double step = last < first ? -1.0 : 1.0;
    for (int64_t i = 0; i < count && !status; i++)
        status = check_append(p, parameter, argument, first + step * (double)i, first_at);
    return status;
}

/* Value i of n on the logarithmic grid from lo to hi,
 *
 *   lo (hi/lo)^(i/(n-1)),
 *
 * by way of log10, in which decades are whole numbers, and rounded to 15 digits, so
 * that 1e-3:1e3:7 is 0.001, 0.01, ... exactly and the same everywhere. Long double
 * keeps the error of the exponent, multiplied by up to 308, below that rounding. */
static double grid_value(const rls2__parser *p, double lo, double hi, int64_t i, int64_t n)
{
    if (i == 0) return lo;
    if (i == n - 1) return hi;
    long double a = log10l((long double)lo), b = log10l((long double)hi);
    long double exponent =
        ((long double)(n - 1 - i) * a + (long double)i * b) / (long double)(n - 1);
    double value = rls2__number_round(p, (double)powl(10.0L, exponent));
    return fmin(fmax(value, fmin(lo, hi)), fmax(lo, hi));
}

static rls2_status positive_end(rls2__parser *p, double value, int64_t at)
{
    if (value > 0) return RLS2_OK;
    return rls2__parser_fail(p, RLS2_ERR_VALUE, at,
                             "the ends of the range lo:hi:n must be greater than zero");
}

/* lo ':' hi ':' n, with the first colon behind us. */
static rls2_status log_range(rls2__parser *p, const rls2__parameter *parameter,
                             rls2__argument *argument, double lo, int64_t lo_at)
{
    double hi, n;
    int64_t hi_at, n_at;
    rls2_status status = rls2__parser_number(p, &hi, &hi_at);
    if (status) return status;
    if (!rls2__parser_accept(p, ':'))
        return rls2__parser_fail(p, RLS2_ERR_SYNTAX, rls2__parser_here(p),
                                 "expected ':' and a number of values, as in lo:hi:n");
    status = rls2__parser_number(p, &n, &n_at);
    if (!status) status = positive_end(p, lo, lo_at);
    if (!status) status = positive_end(p, hi, hi_at);
    if (status) return status;
    if (n < 1 || n != floor(n))
        return rls2__parser_fail(p, RLS2_ERR_VALUE, n_at,
                                 "the number of values must be a whole number from 1");
    if (n > (double)p->limits->values) return too_many_values(p, n_at);
    status = check(p, parameter, lo, lo_at);
    if (!status && n > 1) status = check(p, parameter, hi, hi_at);
    for (int64_t i = 0; i < (int64_t)n && !status; i++)
        status = check_append(p, parameter, argument, grid_value(p, lo, hi, i, (int64_t)n), lo_at);
    return status;
}

static rls2_status given_value(rls2__parser *p, rls2__argument *argument)
{
    rls2__span name;
    rls2_status status = rls2__parser_word(p, "the name of a given matrix", &name);
    if (status) return status;
    int64_t found = rls2__lookup_find(p->given_names, rls2__parser_text(p, &name));
    if (found >= 0) return append(p, argument, (double)found);
    rls2__suggestion near = rls2__suggestion_start(name.text, name.length);
    for (int64_t g = 0; g < p->world->given_count; g++)
        rls2__suggestion_try(&near, p->world->given_names[g]);
    return rls2__parser_fail(p, RLS2_ERR_NAME, name.at, "no matrix named '%s' was given%s",
                             rls2__clip(name.text, name.length).text,
                             rls2__suggestion_text(&near).text);
}

/* 'learn', or "learn*0.25", where that comes next; *multiple is 0 where it does not. */
static rls2_status accept_learn(rls2__parser *p, const rls2__parameter *parameter, double *multiple)
{
    static const char word[] = "learn";
    int64_t at = rls2__parser_here(p), number_at;
    *multiple = 0.0;
    if (strncmp(p->text + at, word, sizeof word - 1) != 0) return RLS2_OK;
    p->at += (int64_t)sizeof word - 1;
    if (rls2__parser_accept(p, '*')) {
        rls2_status status = rls2__parser_number(p, multiple, &number_at);
        return status ? status : check(p, parameter, *multiple, number_at);
    }
    if (!strchr("|,)", rls2__parser_peek(p)))
        return rls2__parser_fail(p, RLS2_ERR_SYNTAX, p->at,
                                 "after 'learn' comes '*' and a number, '|', ',' or ')'");
    *multiple = 1.0;
    return RLS2_OK;
}

static rls2_status read_value(rls2__parser *p, const rls2__parameter *parameter,
                              rls2__argument *argument)
{
    double first;
    int64_t at;
    if (parameter->domain == RLS2__DOMAIN_GIVEN) return given_value(p, argument);
    if (parameter->domain == RLS2__DOMAIN_WIDTH) {
        rls2_status status = accept_learn(p, parameter, &first);
        if (status || first > 0.0) return status ? status : append(p, argument, -first);
    }
    rls2_status status = rls2__parser_number(p, &first, &at);
    if (status) return status;
    if (rls2__parser_accept_dots(p)) return whole_range(p, parameter, argument, first, at);
    if (rls2__parser_accept(p, ':')) return log_range(p, parameter, argument, first, at);
    return check_append(p, parameter, argument, first, at);
}

/* ---- arguments ---- */

/* Steps over "key =" if that comes next. */
static bool accept_key(rls2__parser *p, rls2__span *key)
{
    int64_t at = rls2__parser_here(p);
    if (p->text[at] == '"') return false;
    while (!strchr(" \t\n\v\f\r,;+@():|\"=", p->text[p->at])) p->at++;
    *key = (rls2__span){p->text + at, p->at - at, at, false};
    if (key->length > 0 && rls2__parser_accept(p, '=')) return true;
    p->at = at;
    return false;
}

static rls2_status unknown_key(rls2__parser *p, const rls2__form *form, const rls2__span *key)
{
    rls2__suggestion near = rls2__suggestion_start(key->text, key->length);
    for (int i = 0; i < form->parameter_count; i++)
        rls2__suggestion_try(&near, form->parameters[i].key);
    if (!near.best && form->parameter_count > 0)
        return rls2__parser_fail(p, RLS2_ERR_NAME, key->at,
                                 "%s has no argument '%s'; its first is %s", form->name,
                                 rls2__clip(key->text, key->length).text, form->parameters[0].key);
    return rls2__parser_fail(p, RLS2_ERR_NAME, key->at, "%s has no argument '%s'%s", form->name,
                             rls2__clip(key->text, key->length).text,
                             rls2__suggestion_text(&near).text);
}

static bool has_argument(const rls2__parser *p, int parameter)
{
    for (int i = 0; i < p->argument_count; i++)
        if (p->arguments[i].parameter == parameter) return true;
    return false;
}

/* The parameter the next argument stands for, by key or by position. *keyed says
 * whether an earlier argument had a key. */
static rls2_status find_parameter(rls2__parser *p, const rls2__form *form, bool *keyed,
                                  int *parameter)
{
    rls2__span key;
    int i = 0;
    if (!accept_key(p, &key)) {
        int64_t at = rls2__parser_here(p);
        if (*keyed)
            return rls2__parser_fail(p, RLS2_ERR_SYNTAX, at,
                                     "an argument without a key after one with a key");
        if (p->argument_count == form->parameter_count)
            return rls2__parser_fail(
                p, RLS2_ERR_SYNTAX, at, "too many arguments: %s takes %d%s", form->name,
                form->parameter_count,
                form->parameter_count > 0 ? " (several values of one are written 1|10|100)" : "");
        *parameter = p->argument_count;
        return RLS2_OK;
    }
    *keyed = true;
    while (i < form->parameter_count && !rls2__span_is(&key, form->parameters[i].key)) i++;
    if (i == form->parameter_count) return unknown_key(p, form, &key);
    if (has_argument(p, i))
        return rls2__parser_fail(p, RLS2_ERR_SYNTAX, key.at, "%s is given twice",
                                 form->parameters[i].key);
    *parameter = i;
    return RLS2_OK;
}

/* [key '='] value ('|' value)* */
static rls2_status read_argument(rls2__parser *p, const rls2__form *form, bool *keyed)
{
    int parameter = 0;
    rls2_status status = find_parameter(p, form, keyed, &parameter);
    if (status) return status;
    rls2__argument *argument = &p->arguments[p->argument_count];
    argument->parameter = parameter;
    argument->count = 0;
    do {
        int64_t at = rls2__parser_here(p);
        status = read_value(p, &form->parameters[parameter], argument);
        if (status) return status;
        if (argument->count > p->limits->kernels)
            return rls2__parser_fail(p, RLS2_ERR_VALUE, at, "more than %" PRId64 " values",
                                     p->limits->kernels);
    } while (rls2__parser_accept(p, '|'));
    p->argument_count++;
    return RLS2_OK;
}

static rls2_status read_parentheses(rls2__parser *p, const rls2__form *form)
{
    bool keyed = false;
    while (rls2__parser_peek(p) != ')') {
        rls2_status status = read_argument(p, form, &keyed);
        if (status) return status;
        if (rls2__parser_peek(p) == ')') break;
        if (!rls2__parser_accept(p, ','))
            return rls2__parser_fail(p, RLS2_ERR_SYNTAX, p->at, "expected ',' or ')'");
        if (rls2__parser_peek(p) == ')')
            return rls2__parser_fail(p, RLS2_ERR_SYNTAX, p->at, "expected an argument after ','");
    }
    return RLS2_OK;
}

rls2_status rls2__parser_arguments(rls2__parser *p, const rls2__form *form)
{
    p->argument_count = 0;
    bool open = rls2__parser_peek(p) == '(';
    if (open && form->parameter_count == 0)
        return rls2__parser_fail(p, RLS2_ERR_SYNTAX, p->at, "%s takes no arguments", form->name);
    if (open) {
        p->at++;
        rls2_status status = read_parentheses(p, form);
        if (status) return status;
    }
    for (int i = 0; i < form->parameter_count; i++)
        if (form->parameters[i].required && !has_argument(p, i))
            return rls2__parser_fail(p, RLS2_ERR_SYNTAX, rls2__parser_here(p),
                                     "%s needs its %s, as in %s(%s)", form->name,
                                     form->parameters[i].key, form->name, form->parameters[i].key);
    if (open) p->at++;
    return RLS2_OK;
}
