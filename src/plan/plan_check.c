/* What can be said about settings without a table: which exclude or need each other, sizes, values
 * of lambda. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/machine.h"
#include "base/number.h"
#include "base/option_struct.h"
#include "plan/plan.h"
#include "plan/fit_stack.h"
#include "plan/plan_interval.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

/* Tables of their own have no setting; the command has options for their files. */
static const char *test_name(const rls2_plan *plan)
{
    return plan->voice == RLS2_VOICE_COMMAND ? "--test" : "a test table";
}

static const char *validation_name(const rls2_plan *plan)
{
    return plan->voice == RLS2_VOICE_COMMAND ? "--validation" : "a validation table";
}

int rls2__plan_leaves_rows_out(const rls2_plan *plan)
{
    const rls2__wishes *a = &plan->asked;
    if (plan->goal == RLS2_GOAL_MODEL || plan->goal == RLS2_GOAL_ALL)
        return isnan(a->lambda) && a->select == RLS2__SELECT_CV;
    return plan->goal == RLS2_GOAL_CURVE;
}

/* ---- reading ---- */

enum { DECIMAL_COMMA = 2 }; /* among the choices */

static char delimiter_of(const char *text)
{
    if (!text) return 0;
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0) return '\t';
    return strcmp(text, "space") == 0 ? ' ' : text[0];
}

static int is_delimiter(const char *text)
{
    char found = delimiter_of(text);
    return found == '\t' || found == ' ' ||
           (strlen(text) == 1 && !strchr("\"\r\n.+-", text[0]) && !isalnum((unsigned char)text[0]));
}

static rls2_status check_reading(rls2_plan *plan, rls2_error *err)
{
    const rls2__wishes *a = &plan->asked;
    if (a->delimiter && !is_delimiter(a->delimiter))
        return rls2__plan_refuse(
            plan, "delimiter", err, RLS2_ERR_ARGUMENT,
            "%s '%.60s' should be one character that can stand between cells, 'tab' or 'space'",
            NAME("delimiter"), a->delimiter);
    if (a->decimal == DECIMAL_COMMA && delimiter_of(a->delimiter) == ',')
        return rls2__plan_refuse(plan, "decimal", err, RLS2_ERR_ARGUMENT,
                                 "%s and %s cannot both be ','", NAME("decimal"),
                                 NAME("delimiter"));
    return RLS2_OK;
}

/* "none", or an empty text, alone: no word is missing. Nothing: the usual ones are. */
static int64_t words_of(const rls2__texts *na)
{
    if (na->count == 0) return -1;
    int none = na->count == 1 && (*na->items[0] == '\0' || strcmp(na->items[0], "none") == 0);
    return none ? 0 : na->count;
}

rls2_status rls2_plan_read_options(const rls2_plan *plan, rls2_read_options *options, size_t size,
                                   rls2_error *err)
{
    if (!plan) return rls2__fail_null(err, "plan");
    if (!options) return rls2__fail_null(err, "options");
    static const int headers[] = {-1, 1, 0};
    static const char decimals[] = {0, '.', ','};
    const rls2__wishes *a = &plan->asked;
    rls2_status status = rls2__result_check("options", size, sizeof *options, err);
    if (status == RLS2_OK) status = check_reading((rls2_plan *)plan, err);
    if (status != RLS2_OK) return status;
    rls2_read_options own;
    rls2_read_options_init(&own, sizeof own);
    own.format = (rls2_format)a->format;
    own.delimiter = delimiter_of(a->delimiter);
    own.header = headers[a->header];
    own.decimal = decimals[a->decimal];
    own.na = a->na.items;
    own.na_count = words_of(&a->na);
    own.converter = plan->converter;
    own.max_bytes = (int64_t)rls2__memory_limit();
    own.max_cells = own.max_bytes / (int64_t)sizeof(double);
    rls2__options_init(options, size, &own, sizeof own);
    return RLS2_OK;
}

/* ---- memory ---- */

/* Bytes "2G" means; -1 if it is no size. */
static int64_t bytes_of(const char *text)
{
    static const char UNITS[] = "KMGT";
    double value;
    const char *end = text + rls2__number_scan(text, &value);
    const char *unit = *end ? strchr(UNITS, toupper((unsigned char)*end)) : NULL;
    if (end == text || !(value > 0.0) || (*end && !unit)) return -1;
    if (unit) {
        value *= pow(1024.0, (double)(unit - UNITS + 1));
        end++;
        if (*end == 'B' || *end == 'b') end++;
    }
    return *end == '\0' && value < 9e18 ? (int64_t)value : -1;
}

int64_t rls2_plan_memory(const rls2_plan *plan)
{
    if (!plan) return 0;
    return plan->asked.memory ? bytes_of(plan->asked.memory)
                              : (int64_t)(rls2__memory_limit() / 2.0);
}

int64_t rls2__plan_split_memory(const rls2_plan *plan)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t memory = rls2_plan_memory(plan);
    return plan->asked.memory || processors < 2 ? memory : memory / processors;
}

/* ---- settings that exclude or need each other ---- */

static rls2_status check_test(rls2_plan *plan, rls2_error *err)
{
    const rls2__wishes *a = &plan->asked;
    if (plan->test_table && a->test_rows)
        return rls2__plan_refuse(plan, "test-rows", err, RLS2_ERR_ARGUMENT,
                                 "%s and %s exclude each other", test_name(plan),
                                 NAME("test-rows"));
    if (!isnan(a->test_share) && (plan->test_table || a->test_rows))
        return rls2__plan_refuse(
            plan, "test-share", err, RLS2_ERR_ARGUMENT, "%s and %s exclude each other",
            plan->test_table ? test_name(plan) : NAME("test-rows"), NAME("test-share"));
    if (plan->validation_table && a->validation_rows)
        return rls2__plan_refuse(plan, "validation-rows", err, RLS2_ERR_ARGUMENT,
                                 "%s and %s exclude each other", validation_name(plan),
                                 NAME("validation-rows"));
    if (a->transductive && a->row_weights)
        return rls2__plan_refuse(plan, "transductive", err, RLS2_ERR_ARGUMENT,
                                 "%s counts the test rows once each: with %s use %s",
                                 NAME("transductive"), NAME("row-weights"),
                                 NAME("transductive-features"));
    return RLS2_OK;
}

static rls2_status refuse_features(rls2_plan *plan, rls2_error *err)
{
    const char *off = plan->asked.standardize ? "" : " false";
    return rls2__plan_refuse(plan, "features", err, RLS2_ERR_ARGUMENT,
                             "%s%s and %s %s exclude each other", NAME("standardize"), off,
                             NAME("features"), rls2_plan_get(plan, "features", 0));
}

/* --no-standardize beside another rule than standardize says nothing new. */
static rls2_status check_fitting(rls2_plan *plan, rls2_error *err)
{
    const rls2__wishes *a = &plan->asked;
    if (a->standardize >= 0 && a->features != RLS2__FEATURES_AUTO &&
        a->standardize != (a->features == RLS2__FEATURES_STANDARDIZE))
        return refuse_features(plan, err);
    if (a->center && a->scaling != RLS2_SCALING_TRACE)
        return rls2__plan_refuse(plan, "center", err, RLS2_ERR_ARGUMENT, "%s goes with %s trace",
                                 NAME("center"), NAME("scaling"));
    if (a->memory && bytes_of(a->memory) < 1)
        return rls2__plan_refuse(plan, "memory", err, RLS2_ERR_ARGUMENT,
                                 "%s '%.40s' should be a size, for instance 500M or 2G",
                                 NAME("memory"), a->memory);
    return RLS2_OK;
}

/* Validation rows and a criterion are two ways to choose. */
static rls2_status check_validation(rls2_plan *plan, rls2_error *err)
{
    const rls2__wishes *a = &plan->asked;
    if (plan->goal != RLS2_GOAL_MODEL || (!plan->validation_table && !a->validation_rows) ||
        !isnan(a->lambda) || a->select == RLS2__SELECT_CV)
        return RLS2_OK;
    return rls2__plan_refuse(plan, "select", err, RLS2_ERR_ARGUMENT,
                             "%s and %s %s are two ways to choose lambda: leave out one of them",
                             plan->validation_table ? validation_name(plan)
                                                    : NAME("validation-rows"),
                             NAME("select"), rls2_plan_get(plan, "select", 0));
}

static rls2_status check_choosing(rls2_plan *plan, rls2_error *err)
{
    const rls2__wishes *a = &plan->asked;
    if (plan->goal == RLS2_GOAL_MODEL && isnan(a->lambda) && a->select == RLS2__SELECT_NONE)
        return rls2__plan_refuse(plan, "select", err, RLS2_ERR_ARGUMENT, "%s none needs %s",
                                 NAME("select"), NAME("lambda"));
    if (!rls2__plan_leaves_rows_out(plan)) return RLS2_OK;
    if (a->splits > 0 && a->fold_column)
        return rls2__plan_refuse(plan, "fold-column", err, RLS2_ERR_ARGUMENT,
                                 "%s and %s exclude each other", NAME("splits"),
                                 NAME("fold-column"));
    const char *both = a->transductive ? "transductive" : "transductive-features";
    if (a->transductive || a->transductive_features)
        return rls2__plan_refuse(plan, both, err, RLS2_ERR_ARGUMENT,
                                 "cross-validation never uses the rows it tests on: %s needs %s",
                                 NAME(both), NAME("lambda"));
    if ((plan->validation_table || a->validation_rows) &&
        (a->splits > 0 || a->fold_column || a->repeats > 1))
        return rls2__plan_refuse(plan, "validation-rows", err, RLS2_ERR_ARGUMENT,
                                 "a validation set takes the place of %s, %s and %s",
                                 NAME("splits"), NAME("repeats"), NAME("fold-column"));
    return RLS2_OK;
}

/* ---- settings that do nothing beside others ---- */

static int is_other_than_default(const rls2_plan *plan, const char *name)
{
    const char *fallback = rls2_setting_about(rls2_setting_find(name), RLS2_SETTING_DEFAULT);
    return rls2_plan_is_set(plan, name) && strcmp(rls2_plan_get(plan, name, 0), fallback) != 0;
}

static void note_unused(rls2_plan *plan, int unused, int count, const char *const *names)
{
    for (int i = 0; i < count && unused; i++)
        if (is_other_than_default(plan, names[i]))
            rls2__plan_say(plan, "%s is not used", NAME(names[i]));
}

void rls2__plan_note_unused(rls2_plan *plan)
{
    static const char *const GRID[] = {"lambda-count", "lambda-ratio"}, *const FOLDS[] = {"folds"},
                             *const SHARE[] = {"share"}, *const DELTA[] = {"delta"},
                             *const GAP[] = {"gap-tol"}, *const DF[] = {"df"},
                             *const ERRORS[] = {"stability-errors"}, *const SPLITS[] = {"folds",
                                                                                        "repeats",
                                                                                        "splits",
                                                                                        "measure",
                                                                                        "baselines",
                                                                                        "rule"};
    const rls2__wishes *a = &plan->asked;
    int leaves_out = rls2__plan_leaves_rows_out(plan);
    int others = a->splits > 0 || a->fold_column || plan->choosing_data;
    note_unused(plan, plan->lambda_count > 0, 2, GRID);
    note_unused(plan, leaves_out && others, 1, FOLDS);
    note_unused(plan, leaves_out && a->splits == 0, 1, SHARE);
    note_unused(plan, a->solver == RLS2_SOLVER_NEWTON, 1, DELTA);
    note_unused(plan, a->solver == RLS2_SOLVER_ALTERNATE, 1, GAP);
    note_unused(plan, plan->goal == RLS2_GOAL_CURVE, 1, DF);
    note_unused(plan, a->stability == 0, 1, ERRORS);
    int made = rls2__plan_calibrates_apart(plan) && !others; /* folds, for intervals */
    note_unused(plan, !leaves_out && plan->goal == RLS2_GOAL_MODEL, made ? 5 : 6,
                made ? SPLITS + 1 : SPLITS);
}

rls2_status rls2__plan_check_settings(rls2_plan *plan, rls2_error *err)
{
    rls2_status status = check_reading(plan, err);
    if (status == RLS2_OK) status = rls2__plan_make_lambdas(plan, err);
    if (status == RLS2_OK) status = check_fitting(plan, err);
    if (status == RLS2_OK) status = rls2__plan_read_loss(plan, err);
    if (status == RLS2_OK) status = check_test(plan, err);
    if (status == RLS2_OK) status = check_validation(plan, err);
    if (status == RLS2_OK) status = check_choosing(plan, err);
    if (status == RLS2_OK) status = rls2__plan_check_stack(plan, err);
    return status;
}
