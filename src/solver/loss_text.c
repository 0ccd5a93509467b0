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

static rls2_status read_parameter(const word *one, const char *from, rls2_loss *loss,
                                  rls2_error *err)
{
    char number[40];
    size_t length = strlen(from);
    if (!one->parameter && length == 0) return RLS2_OK;
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

char *rls2_loss_text(rls2_loss loss, char *text, size_t room)
{
    const word *one = NULL;
    for (int k = 0; k < COUNT; k++)
        if (WORDS[k].kind == loss.kind) one = &WORDS[k];
    if (!text || room == 0) return text;
    if (!one || !one->parameter)
        snprintf(text, room, "%s", one ? one->name : "?");
    else
        snprintf(text, room, "%s(%.15g)", one->name, loss.parameter);
    return text;
}
