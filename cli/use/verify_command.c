/* rls2 verify: the certificate recomputed from the data file.
 *
 * Taken from the model are the question (which columns, how they are encoded and preprocessed,
 * which dictionary, which rule of scaling, lambda, what an error of each class costs) and the
 * answer (c and d). All else is computed again: rows from the file, whether features have the means
 * and lengths they were said to get, every kernel of the dictionary, the scalings, the objective
 * and its lower bound, the last three for each output. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/learn/hint.h"
#include "cli/learn/learning.h"
#include "cli/progress.h"
#include "cli/reading.h"
#include "cli/use/missing_rule.h"
#include "cli/use/model_given.h"
#include "cli/use/targets.h"
#include "cli/use/verify_command.h"
#include "cli/use/verify_compact.h"
#include "cli/use/verify_report.h"

/* ---- rows ---- */

/* The rows a model was trained on, as the file has them. */
typedef struct part {
    rls2_table *file;
    rls2_dataset *data;
    given_set given;
    rls2_rows rows;
} part;

static void part_free(part *rows)
{
    rls2_table_free(rows->file);
    rls2_dataset_free(rows->data);
    given_free(&rows->given);
}

/* Sets `rows` from the data set and the given matrices. */
static void part_use(part *used)
{
    used->rows = (rls2_rows){.n = rls2_dataset_rows(used->data),
                             .p = rls2_dataset_columns(used->data),
                             .x = rls2_dataset_x(used->data)};
    given_use(&used->given, &used->rows);
}

static int load_given(const settings *s, const rls2_model *model, part *rows)
{
    const int64_t *trained;
    int64_t n = rls2_dataset_rows(rows->data);
    rls2_plan_rows(s->plan, RLS2_PART_TRAINING, &trained);
    int64_t *source = file_rows(rows->data, trained);
    if (!source) return out_of_memory(s);
    given_range range = {.row_count = n, .rows = source, .column_count = n, .columns = source};
    int code = given_load(s, rows->file, model, &range, &rows->given);
    free(source);
    return code;
}

/* Targets and weights: rows can be made without them, but nothing can be verified. */
static int check_columns(const settings *s, const rls2_model *model, const rls2_table *file)
{
    const char *absent = rls2_model_row_weights_column(model);
    if (absent && rls2_table_find(file, absent) >= 0) absent = NULL;
    for (int64_t t = 0; t < target_count(model); t++)
        if (rls2_table_find(file, target_name(model, t)) < 0) absent = target_name(model, t);
    if (!absent) return EXIT_OK;
    say_error(s, "%s: no column '%s', without which nothing can be verified", s->argument[1],
              absent);
    return EXIT_FAILED;
}

/* The rows of the file that were trained on, made as the model remembers it. */
static int load_rows(const settings *s, const rls2_model *model, part *rows)
{
    rls2_error err;
    rls2_missing missing = missing_rule(s, RLS2_MISSING_AS_TRAINED);
    int code = read_table(s, NULL, s->argument[1], &rows->file);
    if (code == EXIT_OK && rls2_plan_divide(s->plan, rows->file, &err) != RLS2_OK)
        code = fail_plan(s, &err);
    if (code != EXIT_OK) return code;
    const rls2_table *trained = rls2_plan_table(s->plan, RLS2_PART_TRAINING);
    if (rls2_model_encode(model, trained, missing, RLS2_RESPONSE_READ, &rows->data, &err) !=
        RLS2_OK) {
        code = fail(s, &err);
        hint_reading(s, &err);
        return code;
    }
    code = check_columns(s, model, rows->file);
    return code == EXIT_OK ? load_given(s, model, rows) : code;
}

static int check_count(const settings *s, const rls2_model *model, const part *rows)
{
    int64_t found = rls2_dataset_rows(rows->data), trained = rls2_model_rows(model);
    if (found == trained) return EXIT_OK;
    say_error(s,
              "%s gives %s where the model was trained on %" PRId64
              ": these are not its training data (if it was trained with --test-rows or "
              "--validation-rows, give that here too)",
              s->argument[1], count_of(found, "row").text, trained);
    return EXIT_FAILED;
}

/* ---- recomputing ---- */

static double largest_difference(int64_t count, const double *a, const double *b)
{
    double largest = 0.0;
    for (int64_t k = 0; k < count; k++) {
        double scale = fmax(fabs(a[k]), fabs(b[k]));
        if (scale > 0.0) largest = fmax(largest, fabs(a[k] - b[k]) / scale);
    }
    return largest;
}

/* The scalings by the rule the model names: s[m]. `labels` are those of one output. */
static int compute_scales(const settings *s, const rls2_model *model, const part *rows,
                          const double *labels, double *scales)
{
    rls2_error err;
    const rls2_model_scaling *rule = rls2_model_scaling_rule(model);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.scaling = rule->rule;
    options.center = rule->center;
    options.skip_degenerate = rule->skip_degenerate;
    options.labels = labels;
    options.row_weights = rls2_model_row_weights(model);
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = s->threads < 10000 ? (int)s->threads : 10000;
    if (rls2_scaling_compute(rls2_model_dictionary(model), &rows->rows, &options, &control, scales,
                             &err) != RLS2_OK)
        return fail(s, &err);
    return EXIT_OK;
}

/* Only the Fisher rules look at labels, so that the outputs have scalings of their own. */
static int check_scales(const settings *s, const rls2_model *model, const part *rows,
                        findings *found)
{
    const rls2_model_scaling *rule = rls2_model_scaling_rule(model);
    int by_labels = rule->rule == RLS2_SCALING_FISHER || rule->rule == RLS2_SCALING_FISHER_SQRT;
    int64_t m = rls2_dictionary_count(rls2_model_dictionary(model));
    for (int64_t o = 0; o < found->outputs; o++) found->of[o].scale_error = NAN;
    if (rule->transductive) return EXIT_OK; /* other rows were counted, and they are not here */
    double *scales = calloc((size_t)m + 1, sizeof *scales);
    int code = scales ? EXIT_OK : out_of_memory(s);
    for (int64_t o = 0; o < found->outputs && code == EXIT_OK; o++) {
        const double *labels = rls2_dataset_y(rows->data) + o * rows->rows.n;
        if (o == 0 || by_labels) code = compute_scales(s, model, rows, labels, scales);
        if (code == EXIT_OK)
            found->of[o].scale_error =
                largest_difference(m, scales, rls2_model_scales(rls2_model_output(model, o)));
    }
    free(scales);
    return code;
}

static double mean_of(int64_t n, const double *x, const double *w)
{
    double sum = 0.0, rows = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += w ? w[i] * x[i] : x[i];
        rows += w ? w[i] : 1.0;
    }
    return sum / rows;
}

/* sum_i w_i L(y_i, b) */
static double constant_loss(const rls2_model *one, int64_t n, const double *y, double b)
{
    const double *w = rls2_model_row_weights(one);
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++)
        sum += (w ? w[i] : 1.0) * rls2_loss_value(rls2_model_loss(one), y[i], b);
    return sum;
}

/* Of a convex loss the best constant lies between two points that are no better than b: how far it
 * may be from b, as a share, 0 where that is no more than the finest step tried. */
static double constant_error(const rls2_model *one, int64_t n, const double *y, double b)
{
    static const double STEP = 1e-6, ROUNDING = 1e-14;
    double here = constant_loss(one, n, y, b) * (1.0 - ROUNDING), step = STEP * fmax(fabs(b), 1.0);
    int least =
        here <= constant_loss(one, n, y, b - step) && here <= constant_loss(one, n, y, b + step);
    return least ? 0.0 : STEP;
}

/* The intercept is the mean of y (the best constant of another loss), or 0; where it is free the
 * certificate is of it, too. */
static double intercept_error(const rls2_model *one, int64_t n, const double *y)
{
    double intercept = rls2_model_intercept(one);
    if (intercept == 0.0 || rls2_model_intercept_is_free(one)) return 0.0;
    if (rls2_model_loss(one).kind != RLS2_LOSS_SQUARE) return constant_error(one, n, y, intercept);
    double mean = mean_of(n, y, rls2_model_row_weights(one)), size = fabs(intercept);
    for (int64_t i = 0; i < n; i++)
        size = fmax(size, fabs(y[i])); /* a mean near 0 is rounding of these */
    return fabs(mean - intercept) / size;
}

/* Centred, standardised or of length one, or zero throughout; rows counted by their weights. Linear
 * kernels have columns that are centred by the weights of the fit. */
static int is_normalized(rls2_normalize how, int64_t n, const double *x, const double *w,
                         const double *fitted)
{
    static const double TOL = 1e-6;
    double mean = how == RLS2_NORMALIZE_UNIT ? 0.0 : mean_of(n, x, w), squares = 0.0, largest = 0.0,
           rows = 0.0;
    for (int64_t i = 0; i < n; i++) {
        squares += (w ? w[i] : 1.0) * (x[i] - mean) * (x[i] - mean);
        rows += w ? w[i] : 1.0;
        largest = fmax(largest, fabs(x[i]));
    }
    if (how == RLS2_NORMALIZE_NONE || largest == 0.0) return 1;
    if (fmin(fabs(mean), fabs(mean_of(n, x, fitted))) > TOL * largest) return 0;
    double size = how == RLS2_NORMALIZE_UNIT ? squares : squares / (rows - 1.0);
    return how == RLS2_NORMALIZE_CENTER || fabs(size - 1.0) <= TOL;
}

static int all_normalized(const rls2_model *model, const part *rows)
{
    rls2_normalize how = rls2_model_feature_rule(model);
    const double *w = rls2_dataset_row_weights(rows->data), *fitted = rls2_model_row_weights(model);
    for (int64_t j = 0; j < rows->rows.p; j++)
        if (!is_normalized(how, rows->rows.n, rows->rows.x + j * rows->rows.n, w, fitted)) return 0;
    return 1;
}

/* The model's weights are the file's, times one number for each class. `factor` has a place for
 * each of them. */
static int weights_agree(const rls2_model *model, const rls2_dataset *data, double *factor)
{
    const double *fitted = rls2_model_row_weights(model), *read = rls2_dataset_row_weights(data);
    const int64_t *classes = rls2_dataset_classes(data);
    if (!fitted && !read) return 1;
    for (int64_t i = 0; i < rls2_dataset_rows(data); i++) {
        double ratio = (fitted ? fitted[i] : 1.0) / (read ? read[i] : 1.0);
        double *wanted = &factor[classes ? classes[i] : 0];
        if (*wanted == 0.0) *wanted = classes ? ratio : 1.0;
        if (!(fabs(ratio - *wanted) <= WEIGHT_TOL * *wanted)) return 0;
    }
    return 1;
}

static int check_weights(const settings *s, const rls2_model *model, const part *rows,
                         findings *found)
{
    double *factor = calloc((size_t)rls2_model_class_count(model) + 1, sizeof *factor);
    if (!factor) return out_of_memory(s);
    found->weighted = rls2_model_row_weights(model) || rls2_dataset_row_weights(rows->data);
    found->same_weights = weights_agree(model, rows->data, factor);
    free(factor);
    return EXIT_OK;
}

/* Predictions are made from the rows the model keeps: are they those of the file? */
static int keeps_these(const rls2_model *model, const part *rows)
{
    int64_t n = rows->rows.n;
    size_t bytes = (size_t)n * sizeof(double);
    for (int64_t j = 0; j < rows->rows.p; j++) {
        const double *kept = rls2_model_training_column(model, j);
        if (kept && memcmp(kept, rows->rows.x + j * n, bytes) != 0) return 0;
    }
    for (int64_t g = 0; g < rls2_model_given_count(model); g++) {
        const double *kept = rls2_model_training_given(model, g);
        if (kept && memcmp(kept, rows->given.matrices[g], bytes * (size_t)n) != 0) return 0;
    }
    return 1;
}

/* What rounding can take off the objective, as a share of it: the relative gap is over the least it
 * can be. */
static double objective_doubt(const rls2_certificate *c)
{
    if (!(c->relative_gap > 0.0 && c->primal > 0.0)) return 0.0;
    return fmax(1.0 - c->gap / c->relative_gap / c->primal, 0.0);
}

/* On all threads, with a bar; nothing would be lost by Ctrl-C. The certificate of outputs that
 * share kernel weights is of all of them: `one` is then the model, and y of them all. */
static rls2_status certify(const settings *s, const rls2_model *one, const part *rows,
                           const double *y, rls2_certificate *certificate, rls2_error *err)
{
    rls2_control control;
    progress bar = progress_start(s);
    interrupt_at_once(1);
    rls2_control_init(&control, sizeof control);
    control.threads = learn_threads(s);
    control.progress = progress_callback;
    control.user = &bar;
    rls2_status status = rls2_model_outputs(one) > 1
                             ? rls2_model_certify_outputs(one, &rows->rows, y, &control,
                                                          certificate, sizeof *certificate, err)
                             : rls2_model_certify_watched(one, &rows->rows, y, &control,
                                                          certificate, sizeof *certificate, err);
    progress_end(&bar);
    return status;
}

static int recompute_output(const settings *s, const rls2_model *one, const part *rows,
                            const double *y, finding *found)
{
    rls2_error err;
    const rls2_path_point *point = rls2_model_point(one);
    rls2_certificate *c = &found->certificate;
    int together = rls2_model_shares_weights(one); /* then it is there */
    if (!together && certify(s, one, rows, y, c, &err) != RLS2_OK) return fail(s, &err);
    found->square = rls2_model_loss(one).kind == RLS2_LOSS_SQUARE;
    found->intercept_error = intercept_error(one, rows->rows.n, y);
    found->objective_error = fabs(c->primal - point->objective) / fmax(fabs(c->primal), 1e-300);
    double doubt = DOUBT_FACTOR * objective_doubt(c);
    found->objective_tol = OBJECTIVE_TOL + doubt;
    c->dual = fmax(c->dual, 0.0); /* the objective is never negative */
    found->precise = c->relative_gap <= s->gap_tol;
    found->holds = found->precise && !(found->scale_error > SCALE_TOL) &&
                   found->intercept_error <= SCALE_TOL &&
                   found->objective_error <= found->objective_tol &&
                   c->relative_gap <= point->gap * (1.0 + GAP_SLACK) + GAP_SLACK + doubt;
    return EXIT_OK;
}

static int recompute_together(const settings *s, const rls2_model *model, const part *rows,
                              findings *found)
{
    rls2_error err;
    rls2_certificate *first = &found->of[0].certificate;
    if (certify(s, model, rows, rls2_dataset_y(rows->data), first, &err) != RLS2_OK)
        return fail(s, &err);
    for (int64_t o = 1; o < found->outputs; o++) found->of[o].certificate = *first;
    return EXIT_OK;
}

static int recompute(const settings *s, const rls2_model *model, const part *rows, findings *found)
{
    found->outputs = rls2_model_outputs(model);
    found->of = calloc((size_t)found->outputs, sizeof *found->of);
    if (!found->of) return out_of_memory(s);
    found->same_rows = rls2_dataset_fingerprint(rows->data) == rls2_model_fingerprint(model);
    found->same_stored = keeps_these(model, rows);
    found->measured_here = all_normalized(model, rows);
    int code = check_weights(s, model, rows, found);
    if (code == EXIT_OK) code = check_scales(s, model, rows, found);
    found->holds = found->same_rows && found->same_weights && found->same_stored;
    if (code == EXIT_OK && rls2_model_shares_weights(model))
        code = recompute_together(s, model, rows, found);
    for (int64_t o = 0; o < found->outputs && code == EXIT_OK; o++) {
        const double *y = rls2_dataset_y(rows->data) + o * rows->rows.n;
        code = recompute_output(s, rls2_model_output(model, o), rows, y, &found->of[o]);
        found->holds = found->holds && found->of[o].holds;
    }
    return code;
}

static int report(const settings *s, const rls2_model *model, const findings *found)
{
    output out;
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (s->json)
        verify_json(model, found, out.file);
    else
        verify_text(model, found, out.file);
    code = output_close(s, &out, 1);
    return code == EXIT_OK && !found->holds ? EXIT_FAILED : code;
}

/* Is there anything to verify, and anything to verify it by? */
static int check_model(const settings *s, const rls2_model *model)
{
    if (!rls2_model_output_name(model, 0)) {
        say_error(s,
                  "%s: the model was made without a table; there is nothing to verify it against",
                  s->argument[0]);
        return EXIT_FAILED;
    }
    return EXIT_OK;
}

static int run_verify(const settings *s)
{
    rls2_error err;
    rls2_model *model = NULL;
    part rows = {0};
    findings found = {0};
    if (rls2_model_load(s->argument[0], &model, &err) != RLS2_OK) return fail(s, &err);
    int code = check_model(s, model);
    if (code == EXIT_OK) code = load_rows(s, model, &rows);
    if (code == EXIT_OK) code = check_count(s, model, &rows);
    if (code == EXIT_OK && rls2_model_is_compact(model)) {
        code = verify_compact(s, model, rows.data);
    } else if (code == EXIT_OK) {
        part_use(&rows);
        code = recompute(s, model, &rows, &found);
        if (code == EXIT_OK) code = report(s, model, &found);
    }
    part_free(&rows);
    free(found.of);
    rls2_model_free(model);
    return code;
}

const command command_verify = {
    .name = "verify",
    .bit = FOR_VERIFY,
    .summary = "check a model's certificate against its training data",
    .arguments = "MODEL DATA",
    .least = 2,
    .most = 2,
    .description =
        "Recomputes the certificate of a model from the table it was learned from: every kernel "
        "of the dictionary, the scalings, the objective, its lower bound and the duality gap, "
        "for each class or target. From the model come only the question (columns, encoding, "
        "preprocessing, dictionary, lambda, class weights) and the answer.\n\n"
        "First it checks that the rows and their weights are those the model was learned from. "
        "The exit code is 0 if the certificate holds, and 1 if the data differ, or if the gap is "
        "larger than the model says or than --gap-tol.\n\n"
        "A model of a tall table does not keep its rows: they are read once more, and the "
        "objective, the residuals and a lower bound are those of the rows themselves, with the "
        "scalings of the model. Where knots stand for more values than they are, the "
        "objective may differ by 1 % from that of the binned rows, and the gap is told, not "
        "judged.",
    .examples = "$ rls2 verify housing.model data/housing.csv\n"
                "  Is this really the answer for these data?\n\n"
                "$ rls2 verify housing.model data/housing.csv --quiet && echo verified\n"
                "  In a script.\n",
    .goal = RLS2_GOAL_CURVE, /* which has test rows and validation rows */
    .run = run_verify};
