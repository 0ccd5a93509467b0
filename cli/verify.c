/* rls2 verify: the certificate recomputed from the data file.
 *
 * Taken from the model are the question (which columns, how they are encoded and preprocessed, which
 * dictionary, which rule of scaling, lambda) and the answer (c and d). All else is computed again: rows from
 * the file, whether features have the means and lengths they were said to get, every kernel of the
 * dictionary, the scalings, the objective and its lower bound. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/data.h"
#include "cli/describe.h"
#include "cli/output.h"

/* Scalings and objectives computed twice may differ by rounding. */
static const double SCALE_TOL = 1e-9;
static const double OBJECTIVE_TOL = 1e-7;
/* What is added to the gap the model claims before the one found is compared with it. */
static const double GAP_SLACK = 1e-9;

typedef struct findings {
    int same_stored;    /* the rows the model predicts from are these */
    int same_rows;      /* the fingerprint agrees */
    double scale_error; /* largest relative difference of a scaling; NaN if they were not recomputed */
    double objective_error;
    double intercept_error;
    int measured_here; /* features have the mean and length over these rows that they were to get */
    rls2_certificate certificate;
    int precise; /* the gap found is not above --gap-tol */
    int holds;
} findings;

/* ---- rows ---- */

static int load_given(const settings *s, const rls2_model *model, const rls2_table *file,
                      const row_split *split, part *rows)
{
    int64_t n = rls2_dataset_rows(rows->data);
    rows->source = file_rows(rows->data, split->marked_count > 0 ? split->kept : NULL);
    if (!rows->source) return out_of_memory(s);
    given_range range = {
        .row_count = n, .rows = rows->source, .column_count = n, .columns = rows->source, .square = 1};
    return given_load_for(s, file, model, &range, &rows->given);
}

/* The rows of the file that were trained on, made as the model remembers it. */
static int load_rows(const settings *s, const rls2_model *model, part *rows)
{
    rls2_error err;
    rls2_table *file = NULL;
    row_split split = {0};
    rls2_read_options options = read_options(s);
    int code = EXIT_OK, missing = s->missing ? strcmp(s->missing, "error") != 0 : -1;
    if (rls2_table_read(s->argument[1], &options, &file, &err) != RLS2_OK) code = fail(s, &err);
    if (code == EXIT_OK) code = split_rows(s, file, &split);
    if (code == EXIT_OK && rls2_table_take(file, split.kept_count, split.kept, &rows->table, &err) != RLS2_OK)
        code = fail(s, &err);
    if (code == EXIT_OK && rls2_model_encode(model, rows->table, missing, 1, &rows->data, &err) != RLS2_OK) {
        code = fail(s, &err);
        hint_reading(s, &err);
    }
    if (code == EXIT_OK && !rls2_dataset_y(rows->data)) {
        say_error(s, "%s: no column '%s', without which nothing can be verified", s->argument[1],
                  rls2_model_target(model));
        code = EXIT_FAILED;
    }
    if (code == EXIT_OK) code = load_given(s, model, file, &split, rows);
    split_free(&split);
    rls2_table_free(file);
    return code;
}

static int check_count(const settings *s, const rls2_model *model, const part *rows)
{
    int64_t found = rls2_dataset_rows(rows->data), trained = rls2_model_rows(model);
    if (found == trained) return EXIT_OK;
    say_error(s,
              "%s gives %s where the model was trained on %" PRId64
              ": these are not its training data (if it was trained with --test-rows, give that here too)",
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

static int check_scales(const settings *s, const rls2_model *model, const part *rows, findings *found)
{
    rls2_error err;
    rls2_model_scaling rule = rls2_model_scaling_rule(model);
    const rls2_dictionary *dictionary = rls2_model_dictionary(model);
    int64_t m = rls2_dictionary_size(dictionary);
    found->scale_error = NAN;
    if (rule.transductive) return EXIT_OK; /* other rows were counted, and they are not here */
    double *scales = calloc((size_t)m + 1, sizeof *scales);
    if (!scales) return out_of_memory(s);
    rls2_basis_options options = rls2_basis_options_default();
    options.scaling = rule.rule;
    options.center = rule.center;
    options.skip_degenerate = rule.skip_degenerate;
    options.labels = rls2_dataset_y(rows->data);
    options.threads = s->threads < 10000 ? (int)s->threads : 10000;
    int code = EXIT_OK;
    if (rls2_scaling_compute(dictionary, &rows->rows, &options, scales, &err) != RLS2_OK)
        code = fail(s, &err);
    else
        found->scale_error = largest_difference(m, scales, rls2_model_scales(model));
    free(scales);
    return code;
}

/* The intercept is the mean of y, or 0. */
static double intercept_error(const rls2_model *model, const part *rows)
{
    double mean = 0.0, intercept = rls2_model_intercept(model);
    const double *y = rls2_dataset_y(rows->data);
    int64_t n = rows->rows.n;
    if (intercept == 0.0) return 0.0;
    for (int64_t i = 0; i < n; i++) mean += y[i] / (double)n;
    return fabs(mean - intercept) / fmax(fabs(mean), fabs(intercept));
}

static double mean_of(int64_t n, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

/* Centred, standardised or of length one, or zero throughout. */
static int is_normalized(rls2_normalize how, int64_t n, const double *x)
{
    static const double TOL = 1e-6;
    double mean = how == RLS2_NORMALIZE_UNIT ? 0.0 : mean_of(n, x), squares = 0.0, largest = 0.0;
    for (int64_t i = 0; i < n; i++) {
        squares += (x[i] - mean) * (x[i] - mean);
        largest = fmax(largest, fabs(x[i]));
    }
    if (how == RLS2_NORMALIZE_NONE || largest == 0.0) return 1;
    if (fabs(mean) > TOL * largest) return 0;
    double size = how == RLS2_NORMALIZE_UNIT ? squares : squares / (double)(n - 1);
    return how == RLS2_NORMALIZE_CENTER || fabs(size - 1.0) <= TOL;
}

static int all_normalized(const rls2_model *model, const part *rows)
{
    rls2_normalize how = rls2_model_preprocessing(model).features;
    for (int64_t j = 0; j < rows->rows.p; j++)
        if (!is_normalized(how, rows->rows.n, rows->rows.x + j * rows->rows.n)) return 0;
    return 1;
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

static int recompute(const settings *s, const rls2_model *model, const part *rows, findings *found)
{
    rls2_error err;
    const rls2_path_point *point = rls2_model_point(model);
    found->same_rows = rls2_dataset_fingerprint(rows->data) == rls2_model_fingerprint(model);
    found->same_stored = keeps_these(model, rows);
    found->intercept_error = intercept_error(model, rows);
    found->measured_here = all_normalized(model, rows);
    int code = check_scales(s, model, rows, found);
    if (code != EXIT_OK) return code;
    if (rls2_model_certify(model, &rows->rows, rls2_dataset_y(rows->data), &found->certificate, &err) !=
        RLS2_OK)
        return fail(s, &err);
    double primal = found->certificate.primal;
    found->objective_error = fabs(primal - point->objective) / fmax(fabs(primal), 1e-300);
    found->certificate.dual = fmax(found->certificate.dual, 0.0); /* the objective is never negative */
    found->precise = found->certificate.relative_gap <= s->gap_tol;
    found->holds = found->precise && found->same_rows && found->same_stored &&
                   !(found->scale_error > SCALE_TOL) && found->intercept_error <= SCALE_TOL &&
                   found->objective_error <= OBJECTIVE_TOL &&
                   found->certificate.relative_gap <= point->gap * (1.0 + GAP_SLACK) + GAP_SLACK;
    return EXIT_OK;
}

/* ---- telling ---- */

static const char *verdict(const findings *found)
{
    if (found->holds) return "the certificate holds";
    if (!found->same_rows)
        return "the certificate does NOT hold: these are not the rows the model was trained on, or not in "
               "that order";
    if (!found->same_stored)
        return "the certificate does NOT hold: the model predicts from other rows than these";
    if (found->scale_error > SCALE_TOL)
        return "the certificate does NOT hold: the scalings are not those of the rule";
    if (found->intercept_error > SCALE_TOL)
        return "the certificate does NOT hold: the intercept is not the mean";
    if (found->objective_error > OBJECTIVE_TOL)
        return "the certificate does NOT hold: the objective is another";
    if (found->precise) return "the certificate does NOT hold: the gap is larger than the model says";
    return "the certificate does NOT hold: the gap is above --gap-tol, the answer may be far from the best";
}

static void print_text(const rls2_model *model, const findings *found, FILE *file)
{
    const rls2_path_point *point = rls2_model_point(model);
    const rls2_certificate *c = &found->certificate;
    fprintf(file, "%-22s%s\n", "rows",
            found->same_rows ? "those the model was trained on" : "OTHERS than trained on");
    if (isnan(found->scale_error))
        fprintf(file, "%-22s%s\n", "scalings",
                "taken from the model: it counted test rows too (--transductive)");
    else
        fprintf(file, "%-22srecomputed, %s\n", "scalings",
                found->scale_error <= SCALE_TOL ? "agree" : "DIFFER from the model's");
    if (rls2_model_preprocessing(model).features != RLS2_NORMALIZE_NONE)
        fprintf(file, "%-22s%s\n", "features",
                found->measured_here
                    ? "measured over these rows"
                    : "not measured over these rows alone (--transductive, or another's numbers)");
    fprintf(file, "%-22s%.12g   (the model says %.12g)\n", "objective", c->primal, point->objective);
    fprintf(file, "%-22s%.12g\n", "no solution is below", c->dual);
    fprintf(file, "%-22s%.1e   (the model says %.1e)\n", "relative gap", fmax(c->relative_gap, 0.0),
            point->gap);
    fprintf(file, "%-22s%" PRId64 ", every one evaluated anew\n", "kernels",
            rls2_dictionary_size(rls2_model_dictionary(model)));
    fprintf(file, "%s\n", verdict(found));
}

static void print_json(const rls2_model *model, const findings *found, FILE *file)
{
    const rls2_path_point *point = rls2_model_point(model);
    json j = json_start(file);
    json_object(&j, NULL);
    json_truth(&j, "holds", found->holds);
    json_text(&j, "verdict", verdict(found));
    json_truth(&j, "same_rows", found->same_rows);
    json_number(&j, "scale_error", found->scale_error);
    json_truth(&j, "features_measured_here", found->measured_here);
    json_number(&j, "objective", found->certificate.primal);
    json_number(&j, "lower_bound", found->certificate.dual);
    json_number(&j, "gap", found->certificate.relative_gap);
    json_number(&j, "claimed_objective", point->objective);
    json_number(&j, "claimed_gap", point->gap);
    json_number(&j, "lambda", point->lambda);
    json_integer(&j, "m", rls2_dictionary_size(rls2_model_dictionary(model)));
    json_end_object(&j);
    json_finish(&j);
}

static int report(const settings *s, const rls2_model *model, const findings *found)
{
    output out;
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (s->json)
        print_json(model, found, out.file);
    else
        print_text(model, found, out.file);
    code = output_close(s, &out, 1);
    return code == EXIT_OK && !found->holds ? EXIT_FAILED : code;
}

static int run(const settings *s)
{
    rls2_error err;
    rls2_model *model = NULL;
    part rows = {0};
    findings found = {0};
    int code = check_reading(s);
    if (code != EXIT_OK) return code;
    if (rls2_model_load(s->argument[0], &model, &err) != RLS2_OK) return fail(s, &err);
    if (!rls2_model_target(model)) {
        say_error(s, "%s: the model was made without a table; there is nothing to verify it against",
                  s->argument[0]);
        code = EXIT_FAILED;
    }
    if (code == EXIT_OK) code = load_rows(s, model, &rows);
    if (code == EXIT_OK) code = check_count(s, model, &rows);
    if (code == EXIT_OK) {
        part_use(&rows);
        code = recompute(s, model, &rows, &found);
    }
    if (code == EXIT_OK) code = report(s, model, &found);
    part_free(&rows);
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
        "Recomputes the certificate of a model from the table it was learned from: every kernel of the "
        "dictionary, the scalings, the objective reached, the bound below which no solution can lie, and the "
        "gap "
        "between them. From the model come only the question (columns, encoding, preprocessing, dictionary, "
        "lambda) and the answer.\n\n"
        "It first checks that these are the rows the model was learned from. The exit code is 0 if the "
        "certificate holds, and 1 if the data are others, or if the gap is larger than the model says or "
        "than "
        "--gap-tol.",
    .examples = "$ rls2 verify housing.model data/housing.csv\n"
                "  Is this really the answer for these data?\n"
                "\n"
                "$ rls2 verify housing.model data/housing.csv --quiet && echo verified\n"
                "  In a script.\n",
    .run = run};
