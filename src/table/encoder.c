/* What is learned of a table, in two steps with a view of the table between them:
 *
 *   create   what each column is: target, weights, dropped, numeric or text input;
 *   learn    from the rows that are used: the distinct values of the text inputs, which
 *            inputs have empty cells, hence the names and number of the columns of x, and
 *            the labels of the classes. */
#include "table/encoder.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/invariant.h"
#include "base/status.h"
#include "base/suggest.h"
#include "table/census.h"
#include "table/classes.h"
#include "table/pooling.h"
#include "table/table.h"
#include "table/view.h"

/* The number of the text, of which a copy is added if it is new; -1 when out of memory. */
static int64_t add_copy(rls2__lookup *lookup, rls2__arena *arena, const char *text)
{
    int64_t index = rls2__lookup_find(lookup, text);
    if (index >= 0) return index;
    text = rls2__arena_copy(arena, text);
    return text ? rls2__lookup_add(lookup, text) : -1;
}

/* ---- life ---- */

static rls2__encoder *encoder_reserve(void)
{
    rls2__encoder *encoder = rls2__alloc_zero(1, sizeof *encoder);
    if (!encoder) return NULL;
    atomic_init(&encoder->owners, 1);
    encoder->arena = rls2__arena_create();
    if (encoder->arena) return encoder;
    rls2__encoder_release(encoder);
    return NULL;
}

rls2__encoder *rls2__encoder_share(rls2__encoder *encoder)
{
    rls2__invariant(atomic_load(&encoder->owners) > 0);
    atomic_fetch_add(&encoder->owners, 1);
    return encoder;
}

void rls2__encoder_release(rls2__encoder *encoder)
{
    if (!encoder || atomic_fetch_sub(&encoder->owners, 1) > 1) return;
    for (int64_t k = 0; k < encoder->count; k++) rls2__lookup_free(encoder->inputs[k].values);
    rls2__lookup_free(encoder->classes);
    rls2__arena_free(encoder->arena);
    rls2__free(encoder);
}

/* ---- roles ---- */

typedef enum role { ROLE_NUMBER, ROLE_TEXT, ROLE_TARGET, ROLE_WEIGHT, ROLE_DROPPED } role;

/* The cells of a text that is not split as it should be are seen in the name of its only column. */
static int has_wrong_delimiter(const rls2_table *table)
{
    const char others[] = ",;|\t";
    if (table->columns != 1 || !table->delimiter) return 0;
    const char *found = strpbrk(table->names[0], others);
    return found && *found != table->delimiter;
}

static const char *delimiter_name(char delimiter)
{
    switch (delimiter) {
    case ',': return "commas";
    case ';': return "semicolons";
    case '\t': return "tabs";
    default: return "the delimiter that was given";
    }
}

rls2_status rls2__fail_no_column(const rls2_table *table, const char *option, const char *name,
                                 rls2_error *err)
{
    if (has_wrong_delimiter(table))
        return rls2__fail(err, RLS2_ERR_NAME,
                          "%s: no column '%s': the only column is '%s'; cells are separated by %s",
                          table->name, rls2__show(name).text, rls2__show(table->names[0]).text,
                          delimiter_name(table->delimiter));
    rls2__suggestion near = rls2__suggestion_start(name, (int64_t)strlen(name));
    for (int64_t j = 0; j < table->columns; j++) rls2__suggestion_try(&near, table->names[j]);
    return rls2__fail(err, RLS2_ERR_NAME, "%s: %s%sno column '%s'%s", table->name,
                      option ? option : "", option ? ": " : "", rls2__show(name).text,
                      rls2__suggestion_text(&near).text);
}

/* What each column is, and where it is found by its name: lists may be as long as the table is
 * wide. */
typedef struct cast {
    const rls2_table *table;
    rls2__lookup *columns;
    role *roles;
} cast;

/* Gives the listed columns a role, in place of the one they had unless that one cannot be shared.
 * `option` is the name of the option that lists them. */
static rls2_status assign_list(const cast *all, const char *option, const char *const *names,
                               int64_t count, role given, rls2_error *err)
{
    const rls2_table *table = all->table;
    role *roles = all->roles;
    for (int64_t i = 0; i < count; i++) {
        int64_t column = rls2__lookup_find(all->columns, names[i]);
        if (column < 0) return rls2__fail_no_column(table, option, names[i], err);
        role had = roles[column];
        if (had == ROLE_TARGET || had == ROLE_WEIGHT)
            return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: %s: column '%s' is %s", table->name,
                              option, rls2__show(names[i]).text,
                              had == ROLE_WEIGHT     ? "the one of the weights"
                              : given == ROLE_TARGET ? "listed twice"
                                                     : "the target");
        roles[column] = given;
    }
    return RLS2_OK;
}

/* The targets, whichever of the two options names them. */
static int64_t targets_of(const rls2_dataset_options *options, const char *const **names)
{
    *names = options->target ? &options->target : options->targets;
    return options->target ? 1 : options->target_count;
}

static rls2_status assign_lists(const cast *all, const rls2_dataset_options *options,
                                rls2_error *err)
{
    const char *const *targets;
    int64_t count = targets_of(options, &targets);
    const char *option = options->target ? "target" : "targets";
    rls2_status status = assign_list(all, option, targets, count, ROLE_TARGET, err);
    if (status == RLS2_OK)
        status = assign_list(all, "row_weights", &options->row_weights,
                             options->row_weights != NULL, ROLE_WEIGHT, err);
    if (status == RLS2_OK)
        status = assign_list(all, "categorical", options->categorical, options->categorical_count,
                             ROLE_TEXT, err);
    if (status != RLS2_OK) return status;
    return assign_list(all, "drop", options->drop, options->drop_count, ROLE_DROPPED, err);
}

/* The names of a table differ from each other, so that their numbers are those of the columns. */
static rls2_status set_roles(const rls2_table *table, const rls2_dataset_options *options,
                             role *roles, rls2_error *err)
{
    cast all = {.table = table, .columns = rls2__lookup_create(), .roles = roles};
    int fits = all.columns != NULL;
    for (int64_t j = 0; j < table->columns && fits; j++) {
        roles[j] = rls2__table_is_text(table, j) ? ROLE_TEXT : ROLE_NUMBER;
        fits = rls2__lookup_add(all.columns, table->names[j]) >= 0;
    }
    if (table->row_names >= 0) roles[table->row_names] = ROLE_DROPPED; /* unless it is listed */
    rls2_status status =
        fits ? assign_lists(&all, options, err) : rls2__fail_memory(err, "the columns of a table");
    rls2__lookup_free(all.columns);
    return status;
}

/* ---- columns ---- */

/* Classes are of one target; several must be numbers. */
static rls2_status set_classes(rls2__encoder *encoder, const rls2_table *table, int classify,
                               rls2_error *err)
{
    if (encoder->target_count == 1) {
        int64_t column = rls2_table_find(table, encoder->targets[0]);
        encoder->has_classes = classify < 0 ? rls2__table_is_text(table, column) : classify;
        encoder->labels_are_numbers = encoder->has_classes && table->texts[column] == 0;
        if (encoder->has_classes) encoder->copies = 1;
    }
    for (int64_t o = 0; o < encoder->target_count && encoder->target_count > 1; o++)
        if (rls2__table_is_text(table, rls2_table_find(table, encoder->targets[o])))
            return rls2__fail(err, RLS2_ERR_VALUE,
                              "%s: targets: column '%s' is text; several targets must be numbers",
                              table->name, rls2__show(encoder->targets[o]).text);
    return RLS2_OK;
}

int rls2__encoder_name_copies(rls2__encoder *encoder, int64_t copies, const char *const *names)
{
    encoder->copies = copies > 1 ? copies : 1;
    if (copies <= 1) return 1;
    encoder->copy_names =
        rls2__arena_alloc(encoder->arena, rls2__mul(copies, sizeof *encoder->copy_names));
    for (int64_t o = 0; encoder->copy_names && o < copies; o++) {
        encoder->copy_names[o] = rls2__arena_copy(encoder->arena, names[o]);
        if (!encoder->copy_names[o]) return 0;
    }
    return encoder->copy_names != NULL;
}

static rls2_status set_targets(rls2__encoder *encoder, const rls2_table *table,
                               const rls2_dataset_options *options, rls2_error *err)
{
    const char *const *names;
    rls2__arena *arena = encoder->arena;
    int64_t count = targets_of(options, &names);
    encoder->targets = rls2__arena_alloc(arena, rls2__mul(count, sizeof *encoder->targets));
    encoder->target_styles =
        rls2__arena_alloc(arena, rls2__mul(count, sizeof *encoder->target_styles));
    int fits = encoder->targets && encoder->target_styles;
    for (int64_t o = 0; o < count && fits; o++)
        encoder->target_styles[o] = table->styles[rls2_table_find(table, names[o])];
    for (int64_t o = 0; o < count && fits; o++)
        fits =
            (encoder->targets[encoder->target_count++] = rls2__arena_copy(arena, names[o])) != NULL;
    if (fits && options->row_weights)
        fits = (encoder->weight = rls2__arena_copy(arena, options->row_weights)) != NULL;
    if (!fits) return rls2__fail_memory(err, "the columns of a data set");
    if (!rls2__encoder_name_copies(encoder, options->copies, options->copy_names))
        return rls2__fail_memory(err, "the columns of a data set");
    return set_classes(encoder, table, options->classify, err);
}

static int add_input(rls2__encoder *encoder, const rls2_table *table, int64_t column, int text)
{
    rls2__input *input = &encoder->inputs[encoder->count++];
    input->name = rls2__arena_copy(encoder->arena, table->names[column]);
    if (text)
        input->values = rls2__lookup_create();
    else
        input->style = table->styles[column];
    return input->name && (input->values || !text);
}

static rls2_status set_inputs(rls2__encoder *encoder, const rls2_table *table, const role *roles,
                              rls2_error *err)
{
    encoder->inputs =
        rls2__arena_alloc(encoder->arena, rls2__mul(table->columns, sizeof *encoder->inputs));
    int fits = encoder->inputs != NULL;
    for (int64_t j = 0; j < table->columns && fits; j++)
        if (roles[j] == ROLE_NUMBER || roles[j] == ROLE_TEXT)
            fits = add_input(encoder, table, j, roles[j] == ROLE_TEXT);
    return fits ? RLS2_OK : rls2__fail_memory(err, "the columns of a data set");
}

rls2_status rls2__encoder_create(const rls2_table *table, const rls2_dataset_options *options,
                                 rls2__encoder **encoder, rls2_error *err)
{
    rls2_status status;
    rls2__encoder *made = encoder_reserve();
    role *roles = rls2__alloc(table->columns, sizeof *roles);
    if (!made || !roles) {
        status = rls2__fail_memory(err, "a data set");
        goto cleanup;
    }
    made->missing = options->missing;
    made->reference = options->reference;
    made->rare = options->rare;
    status = set_roles(table, options, roles, err);
    if (status == RLS2_OK) status = set_targets(made, table, options, err);
    if (status == RLS2_OK) status = set_inputs(made, table, roles, err);
    if (status != RLS2_OK) goto cleanup;
    *encoder = made;
    made = NULL;

cleanup:
    rls2__free(roles);
    rls2__encoder_release(made);
    return status;
}

/* ---- inputs ---- */

static int64_t count_missing(const rls2__view *view, int64_t k)
{
    int64_t found = 0;
    for (int64_t i = 0; i < view->rows; i++) found += rls2__view_is_missing(view, i, k);
    return found;
}

static rls2_status learn_values(rls2__encoder *encoder, const rls2__view *view, int64_t k,
                                rls2_error *err)
{
    char buffer[RLS2__NUMBER_TEXT];
    rls2__lookup *values = encoder->inputs[k].values;
    for (int64_t i = 0; i < view->rows; i++)
        if (!rls2__view_is_missing(view, i, k) &&
            add_copy(values, encoder->arena, rls2__view_text(view, i, k, buffer)) < 0)
            return rls2__fail_memory(err, "the values of a text column");
    return rls2__pool_values(encoder, view, k, err);
}

/* A column "NAME.PART" in the table. */
static int has_column(const rls2_table *table, const char *name, const char *part)
{
    size_t length = strlen(name);
    for (int64_t j = 0; j < table->columns; j++)
        if (strncmp(table->names[j], name, length) == 0 && table->names[j][length] == '.' &&
            strcmp(table->names[j] + length + 1, part) == 0)
            return 1;
    return 0;
}

/* Those parts of a date that differ between rows, and that are no columns of the table already. A
 * time of day has none. */
static void set_parts(rls2__input *input, const rls2_table *table, unsigned varies)
{
    for (int p = 0; p < RLS2__DATE_PARTS; p++)
        if (has_column(table, input->name, rls2__date_part_names[p])) varies &= ~(1U << p);
    input->parts = input->style.order == RLS2__DATE_TIME ? 0 : varies;
}

static void learn_parts(rls2__input *input, const rls2__view *view, int64_t k)
{
    double first[RLS2__DATE_PARTS], x[1 + RLS2__DATE_PARTS];
    unsigned varies = 0;
    int started = 0;
    input->parts = (1U << RLS2__DATE_PARTS) - 1;
    for (int64_t i = 0; i < view->rows; i++) {
        double days = rls2__view_number(view, i, k);
        if (isnan(days)) continue;
        rls2__input_write_date(input, days, x, 1);
        if (!started) memcpy(first, x + 1, sizeof first);
        for (int p = 0; p < RLS2__DATE_PARTS; p++)
            if (x[1 + p] != first[p]) varies |= 1U << p;
        started = 1;
    }
    set_parts(input, view->table, varies);
}

/* A column that is empty in all rows is neither numbers nor text: as a text column without
 * categories it has no columns of x, and whatever new rows hold there is as good as nothing. One
 * that has a category "missing" needs no second column of that name. */
static rls2_status begin_input(rls2__input *input, int64_t missing, int64_t rows, rls2_error *err)
{
    if (missing == rows && !input->values) input->values = rls2__lookup_create();
    if (missing == rows && !input->values)
        return rls2__fail_memory(err, "the columns of a data set");
    return RLS2_OK;
}

static void end_input(rls2__input *input, int64_t missing, int64_t rows)
{
    input->has_missing = missing > 0 && missing < rows &&
                         !(input->values && rls2__lookup_find(input->values, "missing") >= 0);
}

static rls2_status learn_input(rls2__encoder *encoder, const rls2__view *view, int64_t k,
                               rls2_error *err)
{
    rls2__input *input = &encoder->inputs[k];
    int64_t missing = view->rules.missing == RLS2_MISSING_IMPUTE ? count_missing(view, k) : 0;
    rls2_status status = begin_input(input, missing, view->rows, err);
    if (status == RLS2_OK && input->values) status = learn_values(encoder, view, k, err);
    if (status != RLS2_OK) return status;
    if (rls2__input_kind(input) == RLS2_COLUMN_DATES) learn_parts(input, view, k);
    end_input(input, missing, view->rows);
    return RLS2_OK;
}

/* ---- inputs that were counted elsewhere ---- */

static rls2_status take_values(rls2__encoder *encoder, int64_t k, int64_t rows,
                               const rls2__census_column *c, rls2_error *err)
{
    rls2__lookup *values = encoder->inputs[k].values;
    for (int64_t v = 0; v < c->count; v++)
        if (add_copy(values, encoder->arena, c->texts[v]) < 0)
            return rls2__fail_memory(err, "the values of a text column");
    rls2__invariant(rls2__lookup_count(values) == c->count);
    return rls2__pool_counted(encoder, k, rows, c->rows, err);
}

static rls2_status take_input(rls2__encoder *encoder, const rls2__view *view, int64_t k,
                              const rls2__census *census, rls2_error *err)
{
    rls2__input *input = &encoder->inputs[k];
    const rls2__census_column *c = &census->columns[view->column_of[k]];
    int64_t missing = view->rules.missing == RLS2_MISSING_IMPUTE ? c->missing : 0;
    rls2_status status = begin_input(input, missing, census->rows, err);
    if (status == RLS2_OK && input->values) status = take_values(encoder, k, census->rows, c, err);
    if (status != RLS2_OK) return status;
    if (rls2__input_kind(input) == RLS2_COLUMN_DATES) set_parts(input, view->table, c->parts);
    end_input(input, missing, census->rows);
    return RLS2_OK;
}

/* Sets where each input lies in x. The first text column may have a reference. */
static void lay_out_inputs(rls2__encoder *encoder)
{
    int reference = encoder->reference;
    for (int64_t k = 0; k < encoder->count; k++) {
        rls2__input *input = &encoder->inputs[k];
        input->is_reduced = reference && input->values;
        if (input->values) reference = 0;
        rls2__input_measure(input);
        input->first = encoder->columns;
        encoder->columns += input->width;
    }
}

static rls2_status name_inputs(rls2__encoder *encoder, rls2_error *err)
{
    rls2__arena *arena = encoder->arena;
    encoder->names = rls2__arena_alloc(arena, rls2__mul(encoder->columns, sizeof *encoder->names));
    if (!encoder->names) return rls2__fail_memory(err, "the names of the inputs");
    for (int64_t k = 0; k < encoder->count; k++) {
        const rls2__input *input = &encoder->inputs[k];
        const char **names = encoder->names + input->first;
        for (int64_t v = 0; v < input->width; v++) {
            names[v] = rls2__input_column_name(input, v, arena);
            if (!names[v]) return rls2__fail_memory(err, "the names of the inputs");
        }
    }
    return RLS2_OK;
}

/* A column named "a=b" beside a text column "a" with a value "b" would make a name
 * stand for two inputs. */
static rls2_status check_input_names(const rls2__encoder *encoder, const rls2_table *table,
                                     rls2_error *err)
{
    rls2_status status = RLS2_OK;
    rls2__lookup *seen = rls2__lookup_create();
    if (!seen) status = rls2__fail_memory(err, "the names of the inputs");
    for (int64_t k = 0; k < encoder->columns && status == RLS2_OK; k++) {
        int64_t same = rls2__lookup_add(seen, encoder->names[k]);
        if (same < 0)
            status = rls2__fail_memory(err, "the names of the inputs");
        else if (same < k)
            status = rls2__fail(err, RLS2_ERR_VALUE, "%s: two inputs would have the name '%s'",
                                table->name, rls2__show(encoder->names[k]).text);
    }
    rls2__lookup_free(seen);
    return status;
}

static rls2_status arrange_inputs(rls2__encoder *encoder, const rls2_table *table, rls2_error *err)
{
    lay_out_inputs(encoder);
    rls2_status status = name_inputs(encoder, err);
    return status == RLS2_OK ? check_input_names(encoder, table, err) : status;
}

rls2_status rls2__encoder_learn(rls2__encoder *encoder, const rls2__view *view, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int64_t k = 0; k < encoder->count && status == RLS2_OK; k++)
        status = learn_input(encoder, view, k, err);
    if (status == RLS2_OK) status = arrange_inputs(encoder, view->table, err);
    if (status == RLS2_OK && encoder->has_classes)
        status = rls2__encoder_learn_classes(encoder, view, err);
    return status;
}

rls2_status rls2__encoder_take(rls2__encoder *encoder, const rls2__view *view,
                               const rls2__census *census, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int64_t k = 0; k < encoder->count && status == RLS2_OK; k++)
        status = take_input(encoder, view, k, census, err);
    if (status == RLS2_OK) status = arrange_inputs(encoder, view->table, err);
    if (status != RLS2_OK || !encoder->has_classes) return status;
    encoder->labels_are_numbers = census->labels_are_numbers;
    return rls2__encoder_take_labels(encoder, view->table, census->rows, census->label_count,
                                     census->labels, err);
}
