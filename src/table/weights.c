/* Weights to fit with: that of the row times that of its class. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/number.h"
#include "base/status.h"
#include "base/suggest.h"
#include "table/classes.h"
#include "table/dataset.h"
#include "table/table.h"

static double row_weight(const rls2_dataset *dataset, int64_t row)
{
    return dataset->weights ? dataset->weights[row] : 1.0;
}

/* ---- balanced ---- */

/* Sums over the rows of each class become total / (classes * sum); classes that do not occur stay
 * 0. */
static void balance(int64_t count, double total, double *of_class)
{
    int64_t occur = 0;
    for (int64_t k = 0; k < count; k++) occur += of_class[k] > 0.0;
    rls2__invariant(occur >= 1 && total > 0.0);
    for (int64_t k = 0; k < count; k++)
        if (of_class[k] > 0.0) of_class[k] = total / (double)occur / of_class[k];
}

static void balance_rows(const rls2_dataset *dataset, double *of_class)
{
    int64_t count = dataset->encoder->label_count;
    double total = 0.0;
    for (int64_t k = 0; k < count; k++) of_class[k] = 0.0;
    for (int64_t i = 0; i < dataset->rows; i++) {
        of_class[dataset->classes[i]] += row_weight(dataset, i);
        total += row_weight(dataset, i);
    }
    balance(count, total, of_class);
}

/* ---- a list: "label=number,label=number" ---- */

/* A label may itself hold commas and equal signs: the longest one that the text starts with,
 * followed by an equal sign, is meant. -1 if there is none. */
static int64_t match_label(const rls2__encoder *encoder, const char *text)
{
    int64_t best = -1;
    size_t longest = 0;
    for (int64_t k = 0; k < encoder->label_count; k++) {
        size_t length = strlen(encoder->labels[k]);
        if ((best >= 0 && length <= longest) || strncmp(text, encoder->labels[k], length) != 0)
            continue;
        if (text[length] != '=') continue;
        best = k;
        longest = length;
    }
    return best;
}

typedef struct list_reader {
    const rls2__encoder *encoder;
    rls2__number_reader *number;
    const char *at;
    char *word; /* room for any part of it */
} list_reader;

static const char *copy_word(list_reader *r, size_t length)
{
    memcpy(r->word, r->at, length);
    r->word[length] = '\0';
    return r->word;
}

static rls2_status fail_label(list_reader *r, const char *word, rls2_error *err)
{
    rls2__suggestion near = rls2__suggestion_start(word, (int64_t)strlen(word));
    for (int64_t k = 0; k < r->encoder->label_count; k++)
        rls2__suggestion_try(&near, r->encoder->labels[k]);
    return rls2__fail(err, RLS2_ERR_NAME, "class weights: no class '%s'%s", rls2__show(word).text,
                      rls2__suggestion_text(&near).text);
}

/* Goes on to the number. Labels that are numbers may be written otherwise: "1.0" is "1". */
static rls2_status read_label(list_reader *r, int64_t *class, rls2_error *err)
{
    const rls2__encoder *encoder = r->encoder;
    *class = match_label(encoder, r->at);
    while (*class < 0 && *r->at == ' ') *class = match_label(encoder, ++r->at);
    if (*class >= 0) {
        r->at += strlen(encoder->labels[*class]) + 1;
        return RLS2_OK;
    }
    double value;
    size_t length = strcspn(r->at, "=");
    if (r->at[length] == '\0')
        return rls2__fail(err, RLS2_ERR_SYNTAX, "class weights: '%s' is not 'label=number'",
                          rls2__show(r->at).text);
    const char *word = copy_word(r, length);
    if (encoder->labels_are_numbers && rls2__number_parse(r->number, word, &value))
        *class = rls2__find_value(encoder->label_count, encoder->label_values, value);
    if (*class < 0) return fail_label(r, word, err);
    r->at += length + 1;
    return RLS2_OK;
}

/* Goes on to what follows the comma, or to the end. */
static rls2_status read_weight(list_reader *r, int64_t class, double *weight, rls2_error *err)
{
    const char *label = r->encoder->labels[class];
    size_t length = strcspn(r->at, ",");
    const char *word = copy_word(r, length);
    double value;
    if (!rls2__number_parse(r->number, word, &value))
        return rls2__fail(err, RLS2_ERR_SYNTAX, "class weights: '%s' of class '%s' is not a number",
                          rls2__show(word).text, rls2__show(label).text);
    if (!(value > 0.0))
        return rls2__fail(err, RLS2_ERR_VALUE, "class weights: '%s' of class '%s' is not positive",
                          rls2__show(word).text, rls2__show(label).text);
    r->at += length;
    if (*r->at == ',' && *++r->at == '\0')
        return rls2__fail(err, RLS2_ERR_SYNTAX, "class weights: nothing follows the last comma");
    *weight = value;
    return RLS2_OK;
}

/* Weights are 0 until they are read, and then 1 where they were not. */
static rls2_status read_list(list_reader *r, double *of_class, rls2_error *err)
{
    int64_t count = r->encoder->label_count;
    for (int64_t k = 0; k < count; k++) of_class[k] = 0.0;
    do {
        int64_t class = -1;
        double weight = 0.0;
        rls2_status status = read_label(r, &class, err);
        if (status == RLS2_OK) status = read_weight(r, class, &weight, err);
        if (status != RLS2_OK) return status;
        if (of_class[class] > 0.0)
            return rls2__fail(err, RLS2_ERR_ARGUMENT, "class weights: class '%s' is named twice",
                              rls2__show(r->encoder->labels[class]).text);
        of_class[class] = weight;
    } while (*r->at);
    for (int64_t k = 0; k < count; k++)
        if (of_class[k] == 0.0) of_class[k] = 1.0;
    return RLS2_OK;
}

static rls2_status parse_list(const rls2__encoder *encoder, const char *list, double *of_class,
                              rls2_error *err)
{
    list_reader r = {.encoder = encoder, .at = list};
    r.word = rls2__alloc((int64_t)strlen(list) + 1, 1);
    if (!r.word) return rls2__fail_memory(err, "the weights of classes");
    rls2_status status = rls2__number_reader_create(&r.number, err);
    if (status == RLS2_OK) status = read_list(&r, of_class, err);
    rls2__number_reader_free(r.number);
    rls2__free(r.word);
    return status;
}

/* ---- both ---- */

static rls2_status weigh_classes(const rls2_dataset *dataset, const char *classes, double *of_class,
                                 rls2_error *err)
{
    if (strcmp(classes, "balanced") != 0)
        return parse_list(dataset->encoder, classes, of_class, err);
    balance_rows(dataset, of_class);
    return RLS2_OK;
}

rls2_status rls2__weigh_classes(const rls2__encoder *encoder, const char *classes,
                                const double *sums, double *of_class, rls2_error *err)
{
    double total = 0.0;
    if (strcmp(classes, "balanced") != 0) return parse_list(encoder, classes, of_class, err);
    for (int64_t k = 0; k < encoder->label_count; k++) total += of_class[k] = sums[k];
    balance(encoder->label_count, total, of_class);
    return RLS2_OK;
}

static double product(const rls2_dataset *dataset, const double *of_class, int64_t row)
{
    return row_weight(dataset, row) * (of_class ? of_class[dataset->classes[row]] : 1.0);
}

rls2_status rls2_dataset_fit_weights(const rls2_dataset *dataset, const char *classes, double *w,
                                     rls2_error *err)
{
    if (!dataset) return rls2__fail_null(err, "dataset");
    if (!w) return rls2__fail_null(err, "w");
    if (classes && !dataset->classes)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "class weights: the rows have no classes");
    rls2_status status = RLS2_OK;
    double *of_class =
        classes ? rls2__alloc(dataset->encoder->label_count, sizeof *of_class) : NULL;
    if (classes)
        status = of_class ? weigh_classes(dataset, classes, of_class, err)
                          : rls2__fail_memory(err, "the weights of classes");
    for (int64_t i = 0; i < dataset->rows && status == RLS2_OK; i++)
        if (!isfinite(product(dataset, of_class, i)) || !(product(dataset, of_class, i) > 0.0))
            status =
                rls2__fail(err, RLS2_ERR_VALUE, "the weight of row %" PRId64 " is out of range: %g",
                           i + 1, product(dataset, of_class, i));
    for (int64_t i = 0; i < dataset->rows && status == RLS2_OK; i++)
        w[i] = product(dataset, of_class, i);
    rls2__invariant(status != RLS2_OK || rls2__is_positive(dataset->rows, w));
    rls2__free(of_class);
    return status;
}
