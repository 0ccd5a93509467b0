/* Bits as texts of 0 and 1. */
#include "modelfile/picks_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "modelfile/pack_description.h"

json_t *rls2__describe_selected(const rls2__picks *picks)
{
    int64_t words = rls2__words_of(picks->trials);
    char *text = rls2__alloc_zero(rls2__add(picks->trials, 1), 1);
    json_t *array = json_array();
    int fits = text != NULL;
    for (int64_t k = 0; k < picks->count && fits; k++) {
        for (int64_t t = 0; t < picks->trials; t++)
            text[t] = rls2__bit_of(picks->bits + k * words, t) ? '1' : '0';
        fits = rls2__json_append(array, json_string(text));
    }
    rls2__free(text);
    if (fits) return array;
    json_decref(array);
    return NULL;
}

/* Bits from a text of so many signs; 0 where it is another text. */
static int read_text(const json_t *from, int64_t trials, uint64_t *bits)
{
    const char *text = json_string_value(from);
    if (!text || (int64_t)json_string_length(from) != trials || !strchr(text, '1')) return 0;
    for (int64_t t = 0; t < trials; t++) {
        if (text[t] != '0' && text[t] != '1') return 0;
        if (text[t] == '1') rls2__bit_set(bits, t);
    }
    return 1;
}

/* Nobody waits for so many splits. */
enum { MOST_TRIALS = 1 << 24 };

static int read_kernel(const json_t *from, int64_t last, int64_t m, int64_t *kernel)
{
    *kernel = json_is_integer(from) ? json_integer_value(from) : -1;
    return *kernel > last && *kernel < m;
}

rls2_status rls2__read_picks(rls2__describer *r, const json_t *from, int64_t m, int64_t trials,
                             rls2__picks *picks)
{
    const json_t *kernels = rls2__field_array(r, from, "kernels");
    const json_t *selected = rls2__field_array(r, from, "selected");
    int64_t count = (int64_t)json_array_size(kernels), last = -1;
    if (r->status != RLS2_OK) return r->status;
    /* texts of so many signs are in the file, unless no kernel was selected */
    int fits = trials > 0 && trials <= MOST_TRIALS && count == (int64_t)json_array_size(selected);
    for (int64_t k = 0; k < count && fits; k++)
        fits = (int64_t)json_string_length(json_array_get(selected, (size_t)k)) == trials;
    if (fits && rls2__picks_reserve(picks, trials, count) != RLS2_OK)
        return rls2__fail_memory(r->container->err, "what trials selected");
    for (int64_t k = 0; k < count && fits; k++) {
        fits = read_kernel(json_array_get(kernels, (size_t)k), last, m, &picks->kernels[k]) &&
               read_text(json_array_get(selected, (size_t)k), trials,
                         picks->bits + k * rls2__words_of(trials));
        last = picks->kernels[k];
    }
    if (fits) return RLS2_OK;
    return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                "what trials selected does not fit the dictionary and the trials");
}

/* ---- stability selection ---- */

int rls2__describe_stability(json_t *object, const rls2_model *model)
{
    const rls2_stability *about = &model->stability;
    if (about->pairs == 0) return 1;
    json_t *own = json_object();
    int fits = rls2__json_put(own, "pairs", json_integer(about->pairs));
    fits &= rls2__json_put(own, "rows", json_integer(about->rows));
    fits &= rls2__json_put(own, "inputs", json_integer(about->inputs));
    fits &= rls2__json_put(own, "limit", json_integer(about->limit));
    fits &= rls2__json_put(own, "mean", json_real(about->mean));
    fits &= rls2__json_put(own, "threshold", json_real(about->threshold));
    fits &= rls2__json_put(own, "least", json_integer(about->least));
    fits &= rls2__json_put(own, "errors", json_real(about->errors));
    fits &= rls2__json_put(own, "likely_errors", json_real(about->likely_errors));
    return fits & rls2__json_put(object, "stability", own);
}

int rls2__describe_halves(json_t *object, const rls2_model *output)
{
    const rls2__picks *picks = &output->picks[RLS2_TRIALS_HALVES];
    if (picks->trials == 0) return 1;
    json_t *own = json_object(), *kernels = json_array();
    int fits = 1;
    for (int64_t k = 0; k < picks->count; k++)
        fits &= rls2__json_append(kernels, json_integer(picks->kernels[k]));
    fits &= rls2__json_put(own, "kernels", kernels);
    fits &= rls2__json_put(own, "selected", rls2__describe_selected(picks));
    return fits & rls2__json_put(object, "halves", own);
}

static int can_be(const rls2_stability *about)
{
    return about->pairs >= 1 && about->pairs <= INT64_MAX / 2 && about->rows >= 1 &&
           about->limit >= 1 && about->limit <= about->inputs && about->mean >= 0.0 &&
           about->mean <= (double)about->limit && about->threshold > 0.5 &&
           about->threshold <= 1.0 && about->least >= 1 && about->least <= 2 * about->pairs &&
           isfinite(about->errors) && about->likely_errors >= 0.0 &&
           about->likely_errors <= about->errors;
}

static rls2_status read_stability(rls2__describer *r, const json_t *from, rls2_stability *about)
{
    const rls2_stability found = {.pairs = rls2__field_count(r, from, "pairs"),
                                  .rows = rls2__field_count(r, from, "rows"),
                                  .inputs = rls2__field_count(r, from, "inputs"),
                                  .limit = rls2__field_count(r, from, "limit"),
                                  .mean = rls2__field_number(r, from, "mean"),
                                  .threshold = rls2__field_number(r, from, "threshold"),
                                  .least = rls2__field_count(r, from, "least"),
                                  .errors = rls2__field_number(r, from, "errors"),
                                  .likely_errors = rls2__field_number(r, from, "likely_errors")};
    if (r->status != RLS2_OK) return r->status;
    if (!can_be(&found))
        return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                    "stability selection with %" PRId64 " pairs, %" PRId64
                                    " of %" PRId64 " inputs and the threshold %g",
                                    found.pairs, found.limit, found.inputs, found.threshold);
    *about = found;
    return RLS2_OK;
}

rls2_status rls2__unpack_stability(rls2__describer *r, const json_t *outputs, rls2_model *model)
{
    const json_t *from = json_object_get(r->container->description, "stability");
    rls2_status status = from ? read_stability(r, from, &model->stability) : RLS2_OK;
    for (int64_t o = 0; o < model->output_count && status == RLS2_OK; o++) {
        const json_t *halves = json_object_get(json_array_get(outputs, (size_t)o), "halves");
        rls2_model *output = model->outputs ? model->outputs[o] : model;
        if (!from != !halves)
            return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                        "the halves of stability selection do not fit the outputs");
        if (halves)
            status = rls2__read_picks(r, halves, output->dictionary->m, 2 * model->stability.pairs,
                                      &output->picks[RLS2_TRIALS_HALVES]);
    }
    return status;
}
