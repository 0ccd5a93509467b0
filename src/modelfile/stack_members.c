/* Members are packed and unpacked as models are: whatever is checked of a model is checked of
 * them. */
#include "modelfile/stack_members.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/model_stack.h"
#include "modelfile/pack.h"
#include "modelfile/pack_description.h"
#include "modelfile/unpack.h"

enum { MOST_MEMBERS = 64 }; /* of a file that is believed */

static rls2__array_name array_of(int64_t m)
{
    rls2__array_name name;
    snprintf(name.text, sizeof name.text, "members.%" PRId64, m);
    return name;
}

/* ---- writing ---- */

rls2_status rls2__pack_members(const rls2_model *model, rls2__array_list *list,
                               rls2__packed_members *packed, rls2_error *err)
{
    int64_t count = model->stack ? model->stack->count : 0, length;
    *packed = (rls2__packed_members){0};
    packed->bytes = rls2__alloc_zero(count, sizeof *packed->bytes);
    rls2_status status = packed->bytes ? RLS2_OK : rls2__fail_memory(err, "the bytes of a stack");
    for (; packed->count < count && status == RLS2_OK; packed->count++) {
        int64_t m = packed->count;
        status = rls2__model_pack(model->stack->members[m], &packed->bytes[m], &length, err);
        if (status == RLS2_OK)
            rls2__array_list_add_vector(list, array_of(m).text, "I64", length / RLS2__ALIGNMENT,
                                        packed->bytes[m]);
    }
    return status;
}

void rls2__packed_members_release(rls2__packed_members *packed)
{
    for (int64_t m = 0; packed->bytes && m < packed->count; m++) rls2__free(packed->bytes[m]);
    rls2__free(packed->bytes);
}

static json_t *describe_numbers(int64_t count, const double *values)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < count; i++)
        if (!rls2__json_append(array, json_real(values[i]))) {
            json_decref(array);
            return NULL;
        }
    return array;
}

json_t *rls2__describe_stack(const rls2_model *model)
{
    const rls2__stack *stack = model->stack;
    json_t *object = json_object();
    int64_t weights = (stack->count + 1) * stack->outputs;
    int fits = rls2__json_put(object, "members", json_integer(stack->count));
    fits &= rls2__json_put(object, "weights", describe_numbers(weights, stack->weights));
    fits &= rls2__json_put(object, "constants", describe_numbers(stack->outputs, stack->constants));
    fits &= rls2__json_put(object, "sparse_score",
                           isfinite(stack->sparse_score) ? json_real(stack->sparse_score)
                                                         : json_null());
    if (fits) return object;
    json_decref(object);
    return NULL;
}

/* ---- reading ---- */

static rls2_status read_numbers(rls2__describer *r, const json_t *from, const char *key,
                                double least, int64_t count, double *values)
{
    const json_t *array = rls2__field_array(r, from, key);
    if (r->status != RLS2_OK) return r->status;
    int fits = (int64_t)json_array_size(array) == count;
    for (int64_t i = 0; i < count && fits; i++) {
        const json_t *value = json_array_get(array, (size_t)i);
        values[i] = json_number_value(value);
        fits = json_is_number(value) && isfinite(values[i]) && values[i] >= least;
    }
    if (fits) return RLS2_OK;
    return rls2__container_fail(r->container, RLS2_ERR_VALUE, "the %s of the stack are damaged",
                                key);
}

static rls2_status check_member(const rls2__container *file, const rls2_model *model,
                                const rls2_model *member, int64_t m)
{
    int fits = member->p == model->p && member->output_count == model->output_count &&
               member->n == model->n && !member->compact && !member->stack &&
               member->loss.kind == RLS2_LOSS_SQUARE;
    if (fits) return RLS2_OK;
    return rls2__container_fail(file, RLS2_ERR_VALUE,
                                "member %" PRId64 " of the stack does not fit the model", m);
}

static rls2_status read_member(const rls2__container *file, const rls2_model *model, int64_t m,
                               rls2_model **member)
{
    rls2__array_view view;
    rls2_status status = rls2__container_array(file, array_of(m).text, "I64", 1, &view);
    if (status != RLS2_OK) return status;
    int64_t *words = rls2__alloc(view.columns, sizeof *words);
    if (!words) return rls2__fail_memory(file->err, "the stack");
    rls2__read_integers(view.data, view.columns, words);
    status = rls2__member_unpack(file->name, (const unsigned char *)words,
                                 view.columns * RLS2__ALIGNMENT, member, file->err);
    rls2__free(words);
    return status == RLS2_OK ? check_member(file, model, *member, m) : status;
}

rls2_status rls2__unpack_stack(rls2__describer *r, rls2_model *model)
{
    const json_t *from = json_object_get(r->container->description, "stack");
    if (!from) return RLS2_OK;
    int64_t count = rls2__field_count(r, from, "members");
    if (r->status != RLS2_OK) return r->status;
    if (r->is_member || count < 0 || count > MOST_MEMBERS || model->compact ||
        r->container->version < 5)
        return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                    "a stack where there can be none");
    model->stack = rls2__stack_create(count, model->output_count);
    if (!model->stack) return rls2__fail_memory(r->container->err, "the stack");
    rls2__stack *stack = model->stack;
    stack->sparse_score = rls2__field_number_or_null(r, from, "sparse_score");
    rls2_status status =
        read_numbers(r, from, "weights", 0.0, (count + 1) * stack->outputs, stack->weights);
    if (status == RLS2_OK)
        status = read_numbers(r, from, "constants", -HUGE_VAL, stack->outputs, stack->constants);
    for (int64_t m = 0; m < count && status == RLS2_OK; m++)
        status = read_member(r->container, model, m, &stack->members[m]);
    return status;
}
