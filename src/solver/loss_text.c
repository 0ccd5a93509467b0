/* Losses as words: "logistic", "quantile(0.1)". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/status.h"
#include "base/suggest.h"
#include "solver/loss.h"

typedef struct word {
    const char *name;
    rls2_loss_kind kind;
    const char *parameter; /* what is meant by it; NULL: it has none */
} word;

static const word WORDS[] = {
    {"square", RLS2_LOSS_SQUARE, NULL},
    {"logistic", RLS2_LOSS_LOGISTIC, NULL},
    {"hinge", RLS2_LOSS_HINGE, NULL},
    {"squared-hinge", RLS2_LOSS_SQUARED_HINGE, NULL},
    {"huber", RLS2_LOSS_HUBER, "a distance above 0, in units of the response"},
    {"quantile", RLS2_LOSS_QUANTILE, "a number between 0 and 1"},
    {"epsilon", RLS2_LOSS_EPSILON, "a distance, 0 or more, in units of the response"},
    {"absolute", RLS2_LOSS_ABSOLUTE, NULL},
    {"poisson", RLS2_LOSS_POISSON, NULL},
    {"multinomial", RLS2_LOSS_MULTINOMIAL, NULL},
};
enum { COUNT = sizeof WORDS / sizeof *WORDS };

/* A distance may be left open: rls2/loss.h. */
static int may_be_open(const word *one)
{
    return one->kind == RLS2_LOSS_HUBER || one->kind == RLS2_LOSS_EPSILON;
}

static rls2_status read_parameter(const word *one, const char *from, rls2_loss *loss,
                                  rls2_error *err)
{
    char number[40];
    size_t length = strlen(from);
    if (length == 0 && may_be_open(one)) loss->parameter = (double)NAN;
    if (length == 0 && (!one->parameter || may_be_open(one))) return RLS2_OK;
    if (!one->parameter)
        return rls2__fail(err, RLS2_ERR_SYNTAX, "the loss %s has no parameter", one->name);
    int closed = length > 2 && from[0] == '(' && from[length - 1] == ')';
    int fits = closed && length - 2 < sizeof number;
    if (fits) {
        memcpy(number, from + 1, length - 2);
        number[length - 2] = '\0';
    }
    if (!fits || !rls2__number_read(number, &loss->parameter))
        return rls2__fail(err, RLS2_ERR_SYNTAX, "the loss %s needs %s, as in %s(%s)", one->name,
                          one->parameter, one->name,
                          one->kind == RLS2_LOSS_QUANTILE ? "0.9" : "0.5");
    if (rls2__loss_check(*loss, 0, NULL, NULL) == RLS2_OK) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE, "the loss %s needs %s, not %s", one->name,
                      one->parameter, number);
}

rls2_status rls2_loss_parse(const char *text, rls2_loss *loss, rls2_error *err)
{
    if (!text || !loss) return rls2__fail_null(err, text ? "loss" : "text");
    size_t length = strcspn(text, "(");
    for (int k = 0; k < COUNT; k++) {
        if (strlen(WORDS[k].name) != length || strncmp(text, WORDS[k].name, length) != 0) continue;
        *loss = (rls2_loss){WORDS[k].kind, 0.0};
        return read_parameter(&WORDS[k], text + length, loss, err);
    }
    rls2__suggestion suggestion = rls2__suggestion_start(text, (int64_t)length);
    for (int k = 0; k < COUNT; k++) rls2__suggestion_try(&suggestion, WORDS[k].name);
    rls2__suggestion_note note = rls2__suggestion_text(&suggestion);
    return rls2__fail(err, RLS2_ERR_SYNTAX, "no loss is called '%s'%s", text, note.text);
}

/* ---- several quantiles ---- */

static const char LIST[] = "quantile(";

static rls2_status add_level(const char *from, size_t length, rls2_loss *losses, int64_t *count,
                             rls2_error *err)
{
    char text[sizeof LIST + 40];
    if (*count == RLS2_LOSS_LEVELS)
        return rls2__fail(err, RLS2_ERR_VALUE, "there are more than %d quantiles",
                          (int)RLS2_LOSS_LEVELS);
    while (length > 0 && *from == ' ') from++, length--;
    while (length > 0 && from[length - 1] == ' ') length--;
    if (length > 38) length = 38; /* no number is that long: said of its beginning */
    snprintf(text, sizeof text, "%s%.*s)", LIST, (int)length, from);
    rls2_status status = rls2_loss_parse(text, &losses[*count], err);
    if (status != RLS2_OK) return status;
    if (*count > 0 && !(losses[*count].parameter > losses[*count - 1].parameter))
        return rls2__fail(err, RLS2_ERR_VALUE,
                          "the quantiles do not ascend: %.15g stands behind %.15g",
                          losses[*count].parameter, losses[*count - 1].parameter);
    ++*count;
    return RLS2_OK;
}

rls2_status rls2_losses_parse(const char *text, rls2_loss *losses, int64_t *count, rls2_error *err)
{
    rls2_loss found[RLS2_LOSS_LEVELS];
    int64_t levels = 0;
    if (!text || !losses || !count)
        return rls2__fail_null(err, !text ? "text" : !losses ? "losses" : "count");
    size_t length = strlen(text), start = sizeof LIST - 1;
    int is_list = strncmp(text, LIST, start) == 0 && text[length - 1] == ')' && strchr(text, ',');
    if (!is_list) {
        rls2_status status = rls2_loss_parse(text, losses, err);
        if (status == RLS2_OK) *count = 1;
        return status;
    }
    for (const char *at = text + start; at < text + length;) {
        size_t width = strcspn(at, ",)");
        rls2_status status = add_level(at, width, found, &levels, err);
        if (status != RLS2_OK) return status;
        at += width + 1;
        if (at[-1] == ')' && at < text + length)
            return rls2__fail(err, RLS2_ERR_SYNTAX, "'%s' stands behind the quantiles", at);
    }
    memcpy(losses, found, (size_t)levels * sizeof *losses);
    *count = levels;
    return RLS2_OK;
}

void rls2__loss_level_name(rls2_loss loss, char name[RLS2__LEVEL_NAME])
{
    snprintf(name, RLS2__LEVEL_NAME, "q%.15g", loss.parameter);
}

char *rls2_loss_text(rls2_loss loss, char *text, size_t room)
{
    const word *one = NULL;
    for (int k = 0; k < COUNT; k++)
        if (WORDS[k].kind == loss.kind) one = &WORDS[k];
    if (!text || room == 0) return text;
    if (!one || !one->parameter || (may_be_open(one) && isnan(loss.parameter)))
        snprintf(text, room, "%s", one ? one->name : "?");
    else
        snprintf(text, room, "%s(%.15g)", one->name, loss.parameter);
    return text;
}
