/* From a profile to an encoder and a preparation: what rls2_dataset_create and
 * rls2_dataset_preprocess learn from rows is learned here from counts and exact sums. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/status.h"
#include "stats/profile_parts.h"
#include "table/census.h"
#include "table/dataset.h"
#include "table/preprocess.h"
#include "table/words.h"

/* ---- checks ---- */

static int64_t column_of(const rls2__profile *p, const char *name)
{
    int64_t column = rls2_table_find(p->head, name);
    rls2__invariant(column >= 0);
    return column;
}

static rls2_status fail_slip(const rls2__profile *p, int64_t column, rls2_error *err)
{
    const rls2__cell_facts *f = p->facts[column];
    const char *wanted = rls2__profile_style(p, column)->kind == RLS2__STYLE_DATE ? "date"
                         : rls2__is_infinite_word(f->slip_text.text)              ? "finite number"
                                                                                  : "number";
    int64_t others = f->texts - f->words;
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "%s: column '%s': '%s' is not a %s; %" PRId64 " cell%s of the column %s, "
                      "%" PRId64 " %s not (what stands for a missing value can be told by 'na')",
                      rls2__profile_place(p, &f->slip).text,
                      rls2__show(p->head->names[column]).text, f->slip_text.text, wanted,
                      f->numbers, f->numbers == 1 ? "" : "s", f->numbers == 1 ? "is" : "are",
                      others, others == 1 ? "is" : "are");
}

static rls2_status check_numbers(const rls2__profile *p, int64_t column, rls2_error *err)
{
    if (!rls2__style_same(rls2__profile_style(p, column), &p->settled->styles[column]))
        return rls2__fail(
            err, RLS2_ERR_VALUE,
            "%s: column '%s' is not written throughout as in its first rows: '%s'",
            p->facts[column]->slip.row >= 0 ? rls2__profile_place(p, &p->facts[column]->slip).text
                                            : p->head->name,
            rls2__show(p->head->names[column]).text, p->facts[column]->slip_text.text);
    return p->facts[column]->slip.row >= 0 ? fail_slip(p, column, err) : RLS2_OK;
}

static rls2_status check_categories(const rls2__profile *p, int64_t column, rls2_error *err)
{
    if (!p->columns[column].many) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "%s: column '%s' has more than %" PRId64
                      " different texts; drop it, or make fewer categories of it",
                      p->head->name, rls2__show(p->head->names[column]).text,
                      p->options.most_texts);
}

static rls2_status check_missing(const rls2__profile *p, int64_t column, int is_text,
                                 rls2_error *err)
{
    int64_t missing = rls2__profile_missing(p, column, is_text);
    if (missing == 0) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT,
                      "%s: column '%s' is empty in %" PRId64
                      " rows that were counted: it is not among those that are needed",
                      p->head->name, rls2__show(p->head->names[column]).text, missing);
}

static rls2_status check_column(const rls2__profile *p, const char *name, int is_text,
                                int may_be_missing, rls2_error *err)
{
    int64_t column = column_of(p, name);
    rls2_status status = RLS2_OK;
    if (!is_text) status = check_numbers(p, column, err);
    if (status == RLS2_OK && is_text) status = check_categories(p, column, err);
    if (status == RLS2_OK && !may_be_missing) status = check_missing(p, column, is_text, err);
    return status;
}

static rls2_status check_encoder(const rls2__profile *p, const rls2__encoder *encoder,
                                 rls2_error *err)
{
    int impute = encoder->missing == RLS2_MISSING_IMPUTE;
    rls2_status status = RLS2_OK;
    for (int64_t k = 0; k < encoder->count && status == RLS2_OK; k++)
        status = check_column(p, encoder->inputs[k].name, encoder->inputs[k].values != NULL, impute,
                              err);
    for (int64_t o = 0; o < encoder->target_count && status == RLS2_OK; o++)
        status = check_column(p, encoder->targets[o], encoder->has_classes, 0, err);
    if (status == RLS2_OK && encoder->weight) status = check_column(p, encoder->weight, 0, 0, err);
    return status;
}

static rls2_status check_settled(const rls2__profile *p, rls2_error *err)
{
    return p->settled ? RLS2_OK : rls2__fail(err, RLS2_ERR_ARGUMENT, "the profile is not settled");
}

rls2_status rls2__profile_check(const rls2__profile *profile, const rls2_dataset_options *options,
                                rls2_error *err)
{
    rls2__encoder *encoder = NULL;
    rls2_status status = check_settled(profile, err);
    if (status == RLS2_OK) status = rls2__encoder_create(profile->settled, options, &encoder, err);
    if (status == RLS2_OK) status = check_encoder(profile, encoder, err);
    rls2__encoder_release(encoder);
    return status;
}

/* ---- the census ---- */

typedef struct work {
    const rls2__profile *profile;
    rls2__arena *arena;
    rls2__profile_values *values; /* columns: categories of those that are taken as text */
    rls2__census_column *columns;
    rls2__label *labels;
} work;

static void work_close(work *w)
{
    for (int64_t j = 0; w->values && j < w->profile->head->columns; j++)
        rls2__profile_values_free(&w->values[j]);
    rls2__free(w->values);
    rls2__free(w->columns);
    rls2__free(w->labels);
    rls2__arena_free(w->arena);
}

static rls2_status work_open(const rls2__profile *profile, work *w, rls2_error *err)
{
    int64_t columns = profile->head->columns;
    *w = (work){.profile = profile,
                .arena = rls2__arena_create(),
                .values = rls2__alloc_zero(columns, sizeof *w->values),
                .columns = rls2__alloc_zero(columns, sizeof *w->columns)};
    return w->arena && w->values && w->columns ? RLS2_OK : rls2__fail_memory(err, "a data set");
}

static unsigned parts_of(const rls2__cell_facts *f)
{
    unsigned varies = 0;
    for (int part = 0; f->parts && part < RLS2__DATE_PARTS; part++)
        if (f->parts[part].low != f->parts[part].high) varies |= 1U << part;
    return varies;
}

static rls2_status count_input(work *w, const rls2__input *input, rls2_error *err)
{
    const rls2__profile *p = w->profile;
    int64_t j = column_of(p, input->name);
    int is_text = input->values != NULL;
    rls2__profile_values *values = &w->values[j];
    rls2_status status = is_text ? rls2__profile_texts(p, j, w->arena, values, err) : RLS2_OK;
    w->columns[j] = (rls2__census_column){.missing = rls2__profile_missing(p, j, is_text),
                                          .count = values->count,
                                          .texts = values->texts,
                                          .rows = values->rows,
                                          .parts = is_text ? 0 : parts_of(p->facts[j])};
    return status;
}

/* Of labels that are numbers each value is one class, which is called as it was written first. */
static int is_known(const rls2__label *labels, int64_t count, double value)
{
    for (int64_t k = 0; k < count; k++)
        if (labels[k].value == value) return 1;
    return 0;
}

/* The first of many would be enough to refuse them. */
static rls2_status count_labels(work *w, const rls2__encoder *encoder, rls2__census *census,
                                rls2_error *err)
{
    const rls2__profile *p = w->profile;
    int64_t j = column_of(p, encoder->targets[0]);
    const rls2__cell_facts *f = p->facts[j];
    rls2__profile_values texts = {0};
    rls2_status status = rls2__profile_texts(p, j, w->arena, &texts, err);
    if (status == RLS2_OK) w->labels = rls2__alloc(texts.count, sizeof *w->labels);
    if (status == RLS2_OK && !w->labels) status = rls2__fail_memory(err, "the classes");
    census->labels = w->labels;
    census->labels_are_numbers = f->texts == f->words && f->numbers > 0;
    for (int64_t v = 0; v < texts.count && status == RLS2_OK; v++) {
        double value;
        if (!rls2__style_read(rls2__profile_style(p, j), texts.texts[v], &value))
            value = (double)NAN;
        int again = census->labels_are_numbers &&
                    (isnan(value) || is_known(w->labels, census->label_count, value));
        if (!again) w->labels[census->label_count++] = (rls2__label){texts.texts[v], value};
    }
    rls2__profile_values_free(&texts);
    return status;
}

/* The class of a cell that is written so, -1 if it has none. */
static int64_t class_of(const rls2__profile *p, const rls2__encoder *encoder, int64_t column,
                        const char *text)
{
    double value;
    if (encoder->labels_are_numbers)
        return rls2__style_read(rls2__profile_style(p, column), text, &value)
                   ? rls2__find_value(encoder->label_count, encoder->label_values, value)
                   : -1;
    for (int64_t k = 0; k < encoder->label_count; k++)
        if (strcmp(encoder->labels[k], text) == 0) return k;
    return -1;
}

rls2_status rls2__profile_class_weights(const rls2__profile *profile, const rls2__encoder *encoder,
                                        double *weights, rls2_error *err)
{
    int64_t column = column_of(profile, encoder->targets[0]);
    rls2__arena *arena = rls2__arena_create();
    rls2__profile_values texts = {0};
    rls2_status status = arena ? rls2__profile_texts(profile, column, arena, &texts, err)
                               : rls2__fail_memory(err, "the classes");
    for (int64_t k = 0; k < encoder->label_count; k++) weights[k] = 0.0;
    for (int64_t v = 0; v < texts.count; v++) {
        int64_t k = class_of(profile, encoder, column, texts.texts[v]);
        if (k >= 0) weights[k] += (double)texts.weights[v];
    }
    rls2__profile_values_free(&texts);
    rls2__arena_free(arena);
    return status;
}

static rls2_status take_census(void *user, const rls2__encoder *encoder, rls2__census *census,
                               rls2_error *err)
{
    work *w = user;
    rls2_status status = check_encoder(w->profile, encoder, err);
    for (int64_t k = 0; k < encoder->count && status == RLS2_OK; k++)
        status = count_input(w, &encoder->inputs[k], err);
    census->rows = w->profile->rows;
    census->columns = w->columns;
    if (status == RLS2_OK && encoder->has_classes) status = count_labels(w, encoder, census, err);
    return status;
}

/* ---- fills ---- */

static double between(double a, double b)
{
    return a == b ? a : 0.5 * a + 0.5 * b; /* as fills.c has it */
}

/* A number and what it weighs. */
typedef struct weighted {
    double number;
    int64_t weight;
} weighted;

/* Of numbers that ascend: where half of the weight is reached, and midway to the next where it is
 * met. */
static double median_of(int64_t count, const weighted *x)
{
    int64_t v = 0, seen = x[0].weight, total = 0;
    for (int64_t i = 0; i < count; i++) total += x[i].weight;
    while (seen < total - seen) seen += x[++v].weight;
    return seen == total - seen ? between(x[v].number, x[v + 1].number) : x[v].number;
}

static int by_number(const void *a, const void *b)
{
    double u = ((const weighted *)a)->number, v = ((const weighted *)b)->number;
    return (u > v) - (u < v);
}

static int64_t weight_of(const rls2__profile *p, int64_t row)
{
    if (p->weight < 0) return 1;
    double weight = rls2__table_number(p->settled, row, p->weight);
    return weight > 0.0 ? (int64_t)ceil(ldexp(weight, RLS2__WEIGHT_BITS)) : 0;
}

/* Of many different numbers: that of the sample. */
static rls2_status median_of_sample(const rls2__profile *p, int64_t column, double *median,
                                    rls2_error *err)
{
    const rls2_table *table = p->settled;
    int64_t count = 0;
    weighted *x = rls2__alloc(table->rows, sizeof *x);
    if (!x) return rls2__fail_memory(err, "the values of missing cells");
    for (int64_t i = 0; i < table->rows; i++) {
        x[count] = (weighted){rls2__table_number(table, i, column), weight_of(p, i)};
        count += !isnan(x[count].number);
    }
    qsort(x, (size_t)count, sizeof *x, by_number);
    if (count > 0) *median = median_of(count, x);
    if (count == 0) *median = p->facts[column]->low; /* it is missing in nearly all rows */
    rls2__free(x);
    return RLS2_OK;
}

static rls2_status median_of_counts(const rls2__profile_values *values, double *median,
                                    rls2_error *err)
{
    weighted *x = rls2__alloc(values->count, sizeof *x);
    if (!x) return rls2__fail_memory(err, "the values of missing cells");
    for (int64_t v = 0; v < values->count; v++)
        x[v] = (weighted){values->numbers[v], values->weights[v]};
    *median = median_of(values->count, x);
    rls2__free(x);
    return RLS2_OK;
}

static rls2_status find_median(const rls2__profile *p, int64_t column, double *median,
                               rls2_error *err)
{
    if (p->columns[column].many) return median_of_sample(p, column, median, err);
    rls2__profile_values values = {0};
    rls2_status status = rls2__profile_numbers(p, column, &values, err);
    if (status == RLS2_OK) status = median_of_counts(&values, median, err);
    rls2__profile_values_free(&values);
    return status;
}

/* ---- the columns of an input ---- */

/* What is known of a column of x in all rows; rows count by their weights here and below. */
typedef struct feature {
    double low, high;
    rls2__exact_sum sum, squares;
} feature;

static void add_values(feature *x, double value, int64_t times)
{
    if (times == 0) return;
    x->low = fmin(x->low, value);
    x->high = fmax(x->high, value);
    rls2__exact_add(&x->sum, value, times);
    rls2__exact_add_square(&x->squares, value, times);
}

static void set_indicator(feature *x, int64_t ones, int64_t total)
{
    memset(x, 0, sizeof *x);
    x->low = ones > 0 ? 1.0 : 0.0;
    x->high = x->low;
    add_values(x, 0.0, total - ones);
    add_values(x, 1.0, ones);
}

/* ones[v]: weight of the rows in which column v of a text input is 1 before anything is filled. */
static void count_ones(const rls2__input *input, const rls2__profile_values *values, int64_t *ones)
{
    memset(ones, 0, (size_t)input->own * sizeof *ones);
    for (int64_t i = 0; i < values->count; i++) {
        int64_t v =
            rls2__input_indicator(input, rls2__lookup_find(input->values, values->texts[i]));
        if (v >= 0) ones[v] += values->weights[i];
    }
}

/* The column of the most frequent category, as fills.c has it; -1 for the reference. */
static int64_t mode_of(const rls2__input *input, int64_t present, const int64_t *ones)
{
    int64_t mode = -1, best = 0, rest = present;
    for (int64_t v = 0; v < input->own; v++) {
        rest -= ones[v];
        if (ones[v] <= best) continue;
        best = ones[v];
        mode = v;
    }
    return input->is_reduced && rest > best ? -1 : mode;
}

static int safe_exponent(double largest)
{
    enum { SAFE = 400 }; /* as normalize.c has it */
    int exponent;
    frexp(largest, &exponent);
    return abs(exponent) <= SAFE ? 0 : exponent;
}

/* The mean in two parts, as preprocess.c has it: what a double holds, and what is left. */
static void set_mean(rls2__scale *scale, const feature *x, int64_t total)
{
    feature left = *x;
    scale->shift = rls2__exact_ratio(&x->sum, total, -scale->exponent);
    rls2__exact_add(&left.sum, ldexp(scale->shift, scale->exponent), -total);
    scale->rest = rls2__exact_ratio(&left.sum, total, -scale->exponent);
}

static rls2__scale measure(const feature *x, int64_t total, int64_t unit_weight,
                           rls2_normalize rule)
{
    rls2__scale scale = {.shift = x->low, .deviation = rule == RLS2_NORMALIZE_CENTER};
    int unit = rule == RLS2_NORMALIZE_UNIT;
    if (unit) scale.shift = 0.0;
    if (unit ? x->low == 0.0 && x->high == 0.0 : x->low == x->high) return scale;
    scale.exponent = safe_exponent(fmax(-x->low, x->high));
    if (unit) {
        scale.deviation = sqrt(rls2__exact_ratio(&x->squares, unit_weight, -2 * scale.exponent));
        return scale;
    }
    set_mean(&scale, x, total);
    if (rule == RLS2_NORMALIZE_STANDARDIZE && total > unit_weight)
        scale.deviation = sqrt(rls2__exact_spread(&x->sum, &x->squares, total, total - unit_weight,
                                                  -2 * scale.exponent));
    return scale;
}

/* ---- the preparation ---- */

typedef struct preparing {
    const rls2__profile *profile;
    const work *counted;
    rls2__preparation *made;
    int64_t imputed; /* weight of the rows in which the cell of the input is filled */
} preparing;

static void set_feature(const preparing *t, int64_t column, const feature *x)
{
    if (t->made->how.features == RLS2_NORMALIZE_NONE) return;
    rls2__preparation_set_scale(
        t->made, column, (rls2__range){x->low, x->high},
        measure(x, t->profile->total, t->profile->unit, t->made->how.features));
}

static rls2_status prepare_text(const preparing *t, const rls2__input *input, int64_t j,
                                rls2_error *err)
{
    feature x;
    int64_t total = t->profile->total, *ones = rls2__alloc(input->own, sizeof *ones);
    if (!ones) return rls2__fail_memory(err, "the values of missing cells");
    count_ones(input, &t->counted->values[j], ones);
    int64_t mode = mode_of(input, total - t->imputed, ones);
    for (int64_t v = 0; v < input->own; v++) {
        t->made->fills[input->first + v] = v == mode;
        set_indicator(&x, ones[v] + (v == mode ? t->imputed : 0), total);
        set_feature(t, input->first + v, &x);
    }
    rls2__free(ones);
    return RLS2_OK;
}

static void prepare_sums(const preparing *t, int64_t column, double low, double high,
                         const rls2__exact_sum *sum, const rls2__exact_sum *squares)
{
    feature x = {.low = low, .high = high, .sum = *sum, .squares = *squares};
    add_values(&x, t->made->fills[column], t->imputed);
    set_feature(t, column, &x);
}

static rls2_status prepare_numbers(const preparing *t, const rls2__input *input, int64_t j,
                                   rls2_error *err)
{
    const rls2__cell_facts *f = t->profile->facts[j];
    double *fill = t->made->fills + input->first;
    rls2_status status = find_median(t->profile, j, &fill[0], err);
    if (status != RLS2_OK) return status;
    if (rls2__input_kind(input) == RLS2_COLUMN_DATES)
        rls2__input_write_date(input, input->style.has_time ? fill[0] : floor(fill[0]), fill, 1);
    prepare_sums(t, input->first, f->low, f->high, &f->sum, &f->squares);
    int64_t column = input->first;
    for (int part = 0; part < RLS2__DATE_PARTS; part++) {
        if (!(input->parts >> part & 1)) continue;
        const rls2__part_facts *own = &f->parts[part];
        prepare_sums(t, ++column, own->low, own->high, &own->sum, &own->squares);
    }
    return RLS2_OK;
}

static rls2_status prepare_input(preparing *t, const rls2__encoder *encoder,
                                 const rls2__input *input, rls2_error *err)
{
    int64_t j = column_of(t->profile, input->name);
    if (input->width == 0) return RLS2_OK;
    int impute = encoder->missing == RLS2_MISSING_IMPUTE;
    t->imputed = impute ? rls2__profile_missing_weight(t->profile, j, input->values != NULL) : 0;
    rls2_status status =
        input->values ? prepare_text(t, input, j, err) : prepare_numbers(t, input, j, err);
    if (status != RLS2_OK || !input->has_missing) return status;
    feature x;
    int64_t last = input->first + input->width - 1;
    t->made->fills[last] = 1.0;
    set_indicator(&x, t->imputed, t->profile->total);
    set_feature(t, last, &x);
    return RLS2_OK;
}

static rls2_status check_finite(const rls2_dataset *dataset, rls2_error *err)
{
    for (int64_t i = 0; i < dataset->rows * dataset->columns; i++)
        if (!isfinite(dataset->x[i]))
            return rls2__fail(err, RLS2_ERR_VALUE, "column '%s' overflows when it is preprocessed",
                              rls2__show(dataset->encoder->names[i / dataset->rows]).text);
    return RLS2_OK;
}

static rls2_status prepare(const work *counted, rls2_dataset *dataset, rls2_normalize features,
                           rls2_error *err)
{
    rls2__preparation made;
    const rls2__encoder *encoder = dataset->encoder;
    preparing t = {.profile = counted->profile, .counted = counted, .made = &made};
    rls2_status status = rls2__preparation_reserve(&made, dataset->columns);
    if (status != RLS2_OK) rls2__fail_memory(err, "a data set");
    made.how.features = features;
    made.has_fills = 1;
    for (int64_t k = 0; k < encoder->count && status == RLS2_OK; k++)
        status = prepare_input(&t, encoder, &encoder->inputs[k], err);
    if (status == RLS2_OK && rls2__prepare_like(dataset, &made) != RLS2_OK)
        status = rls2__fail_memory(err, "a data set");
    if (status == RLS2_OK) status = check_finite(dataset, err);
    rls2__preparation_release(&made);
    return status;
}

static rls2_status check_arguments(const rls2__profile *p, const rls2_dataset_options *options,
                                   rls2_normalize features, rls2_error *err)
{
    rls2_status status = check_settled(p, err);
    if (status != RLS2_OK) return status;
    if (features < RLS2_NORMALIZE_NONE || features > RLS2_NORMALIZE_UNIT)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "unknown rule %d for features", (int)features);
    const char *weight = p->weight >= 0 ? p->head->names[p->weight] : "";
    if (strcmp(options->row_weights ? options->row_weights : "", weight) != 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "%s: the rows of the profile were not weighed as asked for",
                          p->head->name);
    if (p->unit > 1 && features == RLS2_NORMALIZE_STANDARDIZE && p->total <= p->unit)
        return rls2__fail(err, RLS2_ERR_VALUE,
                          "the weights sum to %.6g: a weight says how many rows a row stands for; "
                          "divide them by their mean",
                          (double)p->total / (double)p->unit);
    return RLS2_OK;
}

rls2_status rls2__profile_dataset(const rls2__profile *profile, const rls2_table *rows,
                                  const rls2_dataset_options *options, rls2_normalize features,
                                  rls2_dataset **dataset, rls2_error *err)
{
    work w = {.profile = profile};
    rls2_dataset *made = NULL;
    rls2_status status = check_arguments(profile, options, features, err);
    if (status == RLS2_OK) status = work_open(profile, &w, err);
    if (status == RLS2_OK)
        status = rls2__dataset_counted(rows ? rows : profile->settled, options, take_census, &w,
                                       &made, err);
    if (status == RLS2_OK) status = prepare(&w, made, features, err);
    if (status == RLS2_OK)
        *dataset = made;
    else
        rls2_dataset_free(made);
    work_close(&w);
    return status;
}
