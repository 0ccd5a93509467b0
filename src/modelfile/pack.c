/* A model becomes bytes: the list of its arrays, and its description. */
#include "modelfile/pack.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/status.h"
#include "dictionary/dictionary_widths.h"
#include "model/compact.h"
#include "model/model_stack.h"
#include "modelfile/format.h"
#include "modelfile/pack_description.h"
#include "modelfile/stack_members.h"

rls2__array_name rls2__given_array(int64_t g)
{
    rls2__array_name name;
    snprintf(name.text, sizeof name.text, "given.%" PRId64, g);
    return name;
}

rls2__array_name rls2__output_array(int64_t o, const char *what)
{
    rls2__array_name name;
    snprintf(name.text, sizeof name.text, "outputs.%" PRId64 ".%s", o, what);
    return name;
}

static void add_output(rls2__array_list *list, int64_t o, const rls2_model *output)
{
    rls2__array_list_add_vector(list, rls2__output_array(o, "c").text, "F64",
                                rls2__model_values(output), output->c);
    rls2__array_list_add_vector(list, rls2__output_array(o, "d").text, "F64", output->size,
                                output->d);
    rls2__array_list_add_vector(list, rls2__output_array(o, "kernels").text, "I64", output->size,
                                output->index);
    rls2__array_list_add_vector(list, rls2__output_array(o, "scales").text, "F64",
                                output->dictionary->m, output->scales);
    if (output->trained_shares)
        rls2__array_list_add_vector(list, rls2__output_array(o, "shares").text, "F64", output->size,
                                    output->trained_shares);
}

static void add_compact(rls2__array_list *list, const rls2_model *model)
{
    const rls2__compact *compact = model->compact;
    rls2__array_list_add_vector(list, "blocks", "I64", model->dictionary->m, compact->block_of);
    if (compact->mass)
        rls2__array_list_add_vector(list, "mass", "F64", compact->values, compact->mass);
}

static rls2_status list_arrays(const rls2_model *model, rls2__array_list *list)
{
    enum { SINGLE = 6 + RLS2__PREPARATION_ARRAYS, FOR_EACH_OUTPUT = 5 };
    int64_t room = rls2__add(model->dictionary->given_count, SINGLE);
    room = rls2__add(room, model->stack ? model->stack->count : 0);
    room = rls2__add(room, rls2__mul(model->output_count, FOR_EACH_OUTPUT));
    if (rls2__array_list_open(list, room) != RLS2_OK) return RLS2_ERR_MEMORY;
    rls2__array_list_add(list, "x", "F64", model->used_count, model->n, model->x);
    rls2__array_list_add_vector(list, "columns", "I64", model->used_count, model->used);
    if (model->weights)
        rls2__array_list_add_vector(list, "weights", "F64", model->n, model->weights);
    if (model->dictionary->widths)
        rls2__array_list_add_vector(list, "widths", "F64",
                                    rls2__dictionary_width_count(model->dictionary),
                                    model->dictionary->widths);
    if (model->compact) add_compact(list, model);
    for (int64_t o = 0; o < model->output_count; o++)
        add_output(list, o, rls2_model_output(model, o));
    for (int64_t g = 0; g < model->dictionary->given_count; g++)
        if (model->given[g])
            rls2__array_list_add(list, rls2__given_array(g).text, "F64", model->n, model->n,
                                 model->given[g]);
    if (!model->origin.encoder) return RLS2_OK;
    return rls2__array_list_add_preparation(list, &model->origin.preparation);
}

rls2_status rls2__model_pack(const rls2_model *model, unsigned char **bytes, int64_t *length,
                             rls2_error *err)
{
    rls2__array_list list = {0};
    rls2__packed_members members = {0};
    rls2_status status = list_arrays(model, &list);
    if (status == RLS2_OK) status = rls2__pack_members(model, &list, &members, err);
    if (status == RLS2_OK) {
        json_t *description = rls2__model_describe(model);
        status = rls2__array_list_write(&list, &rls2__model_kind, rls2__model_version(model),
                                        description, bytes, length);
        json_decref(description);
    }
    rls2__packed_members_release(&members);
    rls2__array_list_close(&list);
    return status == RLS2_OK ? status : rls2__fail_memory(err, "the bytes of the model");
}
