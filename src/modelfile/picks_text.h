/* What trials selected, as JSON: {"kernels": [0, 4], "selected": ["1101", "0001"]}, a sign for each
 * trial. */
#ifndef RLS2_MODELFILE_PICKS_TEXT_H
#define RLS2_MODELFILE_PICKS_TEXT_H

#include "modelfile/fields.h"

/* An array of texts, one for each kernel. NULL when out of memory. */
json_t *rls2__describe_selected(const rls2__picks *picks);
/* Reads kernels and selected of `from`: numbers ascending and below m, texts of `trials` signs,
 * each with a 1. What is wrong is RLS2_ERR_VALUE. */
rls2_status rls2__read_picks(rls2__describer *r, const json_t *from, int64_t m, int64_t trials,
                             rls2__picks *picks);

/* Stability selection: "stability" of the model, and "halves" of each output. Nothing where there
 * is none; 0 when out of memory. */
int rls2__describe_stability(json_t *object, const rls2_model *model);
int rls2__describe_halves(json_t *object, const rls2_model *output);
/* `outputs`: the descriptions of the outputs. */
rls2_status rls2__unpack_stability(rls2__describer *r, const json_t *outputs, rls2_model *model);

#endif
