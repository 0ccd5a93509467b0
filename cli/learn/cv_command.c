/* rls2 cv: the cross-validated curve, with its standard errors and the two choices on it. */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/learn/curve_report.h"
#include "cli/learn/fit_report.h"
#include "cli/learn/left_out_report.h"
#include "cli/stability_report.h"
#include "cli/learn/learning.h"

enum { PLOT_HEIGHT = 16, PLOT_WIDTH = 64 };

/* ---- the curve, in characters ---- */

typedef struct canvas {
    char cells[PLOT_HEIGHT][PLOT_WIDTH + 1];
    double low, high;
} canvas;

static int row_of(const canvas *c, double value)
{
    double share = (value - c->low) / (c->high - c->low);
    int row = (int)((1.0 - share) * (PLOT_HEIGHT - 1) + 0.5);
    return row < 0 ? 0 : row >= PLOT_HEIGHT ? PLOT_HEIGHT - 1 : row;
}

static int column_of(int64_t i, int64_t count)
{
    return count > 1 ? (int)((double)i / (double)(count - 1) * (PLOT_WIDTH - 1) + 0.5) : 0;
}

static void find_range(const rls2_cv *cv, canvas *c)
{
    c->low = INFINITY;
    c->high = -INFINITY;
    for (int64_t i = 0; i < rls2_cv_count(cv); i++) {
        const rls2_cv_point *p = rls2_cv_at(cv, i);
        double error = isfinite(p->cvsd) ? p->cvsd : 0.0;
        if (!isfinite(p->cvm)) continue;
        c->low = fmin(c->low, p->cvm - error);
        c->high = fmax(c->high, p->cvm + error);
    }
    if (!(c->high > c->low)) c->high = c->low + 1.0;
}

static void mark_choice(canvas *c, int column)
{
    for (int row = 0; row < PLOT_HEIGHT; row++)
        if (c->cells[row][column] == ' ') c->cells[row][column] = '.';
}

static void draw(const rls2_cv *cv, canvas *c)
{
    int64_t count = rls2_cv_count(cv);
    find_range(cv, c);
    for (int row = 0; row < PLOT_HEIGHT; row++) {
        memset(c->cells[row], ' ', PLOT_WIDTH);
        c->cells[row][PLOT_WIDTH] = '\0';
    }
    for (int64_t i = 0; i < count; i++) {
        const rls2_cv_point *p = rls2_cv_at(cv, i);
        int column = column_of(i, count);
        if (!isfinite(p->cvm)) continue;
        if (isfinite(p->cvsd))
            for (int row = row_of(c, p->cvup); row <= row_of(c, p->cvlo); row++)
                c->cells[row][column] = '|';
        c->cells[row_of(c, p->cvm)][column] = '*';
    }
    mark_choice(c, column_of(rls2_cv_min(cv), count));
    mark_choice(c, column_of(rls2_cv_1se(cv), count));
}

static void print_curve(FILE *file, const rls2_cv *cv)
{
    canvas c;
    int64_t count = rls2_cv_count(cv);
    draw(cv, &c);
    for (int row = 0; row < PLOT_HEIGHT; row++) {
        for (int end = PLOT_WIDTH; end > 0 && c.cells[row][end - 1] == ' '; end--)
            c.cells[row][end - 1] = '\0';
        double value = c.high - (c.high - c.low) * row / (PLOT_HEIGHT - 1);
        if (row % 5 == 0)
            fprintf(file, "%10.4g |%s\n", value, c.cells[row]);
        else
            fprintf(file, "%10s |%s\n", "", c.cells[row]);
    }
    fprintf(file, "%10s +", "");
    for (int column = 0; column < PLOT_WIDTH; column++) fputc('-', file);
    fprintf(file, "\n%12s%-10.3g%*s%10.3g\n%12s%*s\n\n", "", rls2_cv_at(cv, 0)->lambda,
            PLOT_WIDTH - 20, "", rls2_cv_at(cv, count - 1)->lambda, "", PLOT_WIDTH / 2 + 3,
            "lambda");
}

/* ---- confusion ---- */

/* Of the predictions by the splits that left the rows out, at the best lambda: [a * classes + b]
 * rows of class a that were taken for b. NULL when out of memory, or where there are too many
 * predictions to keep; free it. */
static int64_t *count_confusion(const rls2_dataset *data, const rls2_cv *cv)
{
    size_t classes = (size_t)rls2_dataset_class_count(data);
    const double *f = rls2_cv_predictions(cv, rls2_cv_min(cv));
    int64_t *counts = f ? calloc(classes * classes + 1, sizeof *counts) : NULL;
    if (counts)
        rls2_confusion(rls2_cv_outputs(cv), rls2_cv_rows(cv), f, rls2_dataset_y(data), counts);
    return counts;
}

/* Columns as wide as the labels, within reason. */
static int label_width(const rls2_dataset *data)
{
    enum { LEAST = 5, MOST = 14 };
    int longest = LEAST;
    for (int64_t k = 0; k < rls2_dataset_class_count(data); k++) {
        int width = text_width(rls2_dataset_class_label(data, k));
        if (width > longest) longest = width;
    }
    return longest < MOST ? longest : MOST;
}

static int looks_like(const char *a, const char *b, int width)
{
    char x[128], y[128]; /* more than any column has room for */
    rls2_text_escape(a, x, sizeof x);
    rls2_text_escape(b, y, sizeof y);
    size_t length = text_start(x, width);
    return length == text_start(y, width) && memcmp(x, y, length) == 0;
}

/* Labels cut to the width of a column that could not be told apart: columns and rows are then
 * numbered. */
static int are_ambiguous(const rls2_dataset *data, int width)
{
    for (int64_t a = 0; a < rls2_dataset_class_count(data); a++)
        for (int64_t b = 0; b < a; b++)
            if (looks_like(rls2_dataset_class_label(data, a), rls2_dataset_class_label(data, b),
                           width))
                return 1;
    return 0;
}

/* Is a row left out by more than one split? */
static int overlap(const rls2_splits *splits)
{
    int found = 0;
    unsigned char *seen = calloc((size_t)rls2_splits_rows(splits) + 1, 1);
    for (int64_t i = 0; seen && i < rls2_splits_count(splits) && !found; i++) {
        const int64_t *rows;
        int64_t count = rls2_splits_validation(splits, i, &rows);
        for (int64_t t = 0; t < count; t++) found |= seen[rows[t]]++ > 0;
    }
    free(seen);
    return found;
}

/* What a reader would not expect of the counts. */
static void print_counting(const settings *s, FILE *file)
{
    int several = overlap(rls2_plan_splits(s->plan)), weighted = asked(s, "row-weights") != NULL;
    if (!several && !weighted) return;
    fprintf(file, "each row is counted once%s%s\n", weighted ? ", whatever its weight" : "",
            several ? ", as the first split that left it out predicts it" : "");
}

/* Room for the labels beside the rows; where they are numbered, for all of a label that is not
 * overlong. */
static int side_width(const rls2_dataset *data, int numbered)
{
    enum { LEAST = 20, MOST = 48, NUMBER = 4 };
    int width = LEAST;
    for (int64_t k = 0; numbered && k < rls2_dataset_class_count(data); k++) {
        int wanted = text_width(rls2_dataset_class_label(data, k)) + NUMBER;
        if (wanted > width) width = wanted;
    }
    return width < MOST ? width : MOST;
}

static void print_labels(FILE *file, const rls2_dataset *data, int width, int numbered)
{
    for (int64_t b = 0; b < rls2_dataset_class_count(data); b++) {
        fputc(' ', file);
        if (numbered)
            fprintf(file, "%*" PRId64, width, b + 1);
        else
            print_padded(file, width, 1, rls2_dataset_class_label(data, b));
    }
    fputc('\n', file);
}

static void print_confusion(const settings *s, FILE *file, const rls2_dataset *data,
                            const int64_t *counts)
{
    int64_t classes = rls2_dataset_class_count(data);
    int width = classes == 2 ? 14 : label_width(data), numbered = are_ambiguous(data, width);
    int side = side_width(data, numbered);
    fputs("\nat lambda.min, of rows left out   predicted\n", file);
    print_counting(s, file);
    fprintf(file, "%*s", side, "");
    print_labels(file, data, width, numbered);
    for (int64_t a = 0; a < classes; a++) {
        int used = numbered ? fprintf(file, "%-3" PRId64 " ", a + 1) : 0;
        print_padded(file, used - side, 1, rls2_dataset_class_label(data, a));
        for (int64_t b = 0; b < classes; b++)
            fprintf(file, " %*" PRId64, width, counts[a * classes + b]);
        fputc('\n', file);
    }
}

static void json_confusion(json *j, const rls2_dataset *data, const int64_t *counts)
{
    int64_t classes = rls2_dataset_class_count(data);
    json_object(j, "confusion");
    for (int64_t a = 0; a < classes; a++) {
        json_object(j, rls2_dataset_class_label(data, a));
        for (int64_t b = 0; b < classes; b++)
            json_integer(j, rls2_dataset_class_label(data, b), counts[a * classes + b]);
        json_end_object(j);
    }
    json_end_object(j);
}

/* ---- results ---- */

static void json_column(json *j, const char *key, const rls2_cv *cv, size_t member)
{
    json_array(j, key);
    for (int64_t i = 0; i < rls2_cv_count(cv); i++) {
        double value;
        memcpy(&value, (const char *)rls2_cv_at(cv, i) + member, sizeof value);
        json_number(j, NULL, value);
    }
    json_end_array(j);
}

static void json_targets(json *j, const rls2_dataset *data)
{
    if (rls2_dataset_is_classification(data) || rls2_dataset_outputs(data) < 2) return;
    json_array(j, "targets");
    for (int64_t o = 0; o < rls2_dataset_outputs(data); o++)
        json_text(j, NULL, rls2_dataset_output_name(data, o));
    json_end_array(j);
}

static void print_json(const settings *s, FILE *file, const rls2_cv *cv, const int64_t *confusion,
                       const stable_items *stable)
{
    const rls2_dataset *data = rls2_plan_split_data(s->plan);
    json j = json_start(file);
    json_object(&j, NULL);
    json_column(&j, "lambda", cv, offsetof(rls2_cv_point, lambda));
    json_column(&j, "cvm", cv, offsetof(rls2_cv_point, cvm));
    json_column(&j, "cvsd", cv, offsetof(rls2_cv_point, cvsd));
    json_column(&j, "cvup", cv, offsetof(rls2_cv_point, cvup));
    json_column(&j, "cvlo", cv, offsetof(rls2_cv_point, cvlo));
    json_column(&j, "nzero", cv, offsetof(rls2_cv_point, nzero));
    json_number(&j, "lambda.min", rls2_cv_at(cv, rls2_cv_min(cv))->lambda);
    json_number(&j, "lambda.1se", rls2_cv_at(cv, rls2_cv_1se(cv))->lambda);
    json_object(&j, "index");
    json_integer(&j, "min", rls2_cv_min(cv) + 1);
    json_integer(&j, "1se", rls2_cv_1se(cv) + 1);
    json_end_object(&j);
    json_text(&j, "measure", rls2_measure_name(rls2_cv_measure(cv)));
    json_loss(&j, s);
    json_targets(&j, data);
    json_coverage(&j, cv, data);
    if (confusion) json_confusion(&j, data, confusion);
    json_baselines(&j, cv);
    json_left_out_rows(&j, s, cv);
    json_stability(&j, stable);
    json_end_object(&j);
    json_finish(&j);
}

static void print_text(const settings *s, FILE *file, const rls2_cv *cv, const int64_t *confusion,
                       const stable_items *stable)
{
    const rls2_dataset *data = rls2_plan_split_data(s->plan);
    int validation = rls2_plan_table(s->plan, RLS2_PART_VALIDATION) != NULL;
    print_curve(file, cv);
    loss_words loss = loss_of_plan(s);
    fprintf(file, "Measure: %s, %s\n", rls2_measure_name(rls2_cv_measure(cv)),
            validation ? "validation rows" : count_of(rls2_cv_splits(cv), "split").text);
    if (*loss.text) fprintf(file, "Loss: %s\n", loss.text);
    fputc('\n', file);
    print_choices(file, cv);
    print_coverage(file, cv, data);
    if (confusion) print_confusion(s, file, data, confusion);
    print_baselines(file, cv);
    if (stable->about) fputc('\n', file);
    print_stability(file, stable);
}

static int report(const settings *s, const rls2_cv *cv, const stable_items *stable)
{
    output out;
    int64_t *confusion = NULL;
    const rls2_dataset *data = rls2_plan_split_data(s->plan);
    if (s->confusion) {
        confusion = count_confusion(data, cv);
        if (!confusion) return out_of_memory(s);
    }
    int code = output_open(s, s->output, &out);
    if (code == EXIT_OK) {
        if (s->json)
            print_json(s, out.file, cv, confusion, stable);
        else
            print_text(s, out.file, cv, confusion, stable);
        code = output_close(s, &out, 1);
    }
    free(confusion);
    return code;
}

static int check_confusion(const settings *s)
{
    const rls2_dataset *data = rls2_plan_data(s->plan, RLS2_PART_TRAINING);
    if (!s->confusion || rls2_dataset_is_classification(data)) return EXIT_OK;
    say_error(s, "--confusion counts classes, and the task is regression");
    return EXIT_USAGE;
}

static int run_cv(const settings *s)
{
    learning l;
    stable_items stable = {0};
    int code = learn_prepare(s, &l);
    if (code == EXIT_OK) code = check_confusion(s);
    if (code == EXIT_OK) code = learn_fit(s, &l);
    if (code == EXIT_OK) code = stable_items_of_fit(s, l.fit, &stable);
    if (code == EXIT_OK) code = report(s, rls2_fit_cv(l.fit), &stable);
    stable_items_free(&stable);
    learn_free(&l);
    return code;
}

const command command_cv = {
    .name = "cv",
    .bit = FOR_CV,
    .summary = "estimate how well each amount of regularisation predicts new rows",
    .arguments = "DATA...",
    .least = 1,
    .most = MOST_ARGUMENTS,
    .description =
        "Divides the rows into folds, fits a whole path on all folds but one, predicts the rows "
        "of that one, and does so for each fold. Categories, means and deviations, kernel "
        "scalings, kernels and predictor are learned from the training rows of each split. Two "
        "things are taken from all rows: which columns are text, and the default values of "
        "lambda.\n\n"
        "Plots the mean of the measure over the folds (stars) with one standard error on either "
        "side (bars) against lambda, and prints two choices: 'min', where the mean is best, and "
        "'1se', the largest lambda within one standard error of it, a simpler model that is "
        "hardly worse. 'rls2 train' does all this itself.\n\n"
        "For comparison it prints baselines on the same folds, each at its own best lambda: the "
        "plain average of all kernels, their average weighted by alignment with the target, the "
        "one best aligned kernel, and ridge regression on the inputs. --no-baselines saves the "
        "time.\n\n"
        "With --interval it tells of prediction intervals which share of the left-out rows they "
        "hold, and their mean width: those of each split are calibrated on the left-out rows of "
        "the others.\n\n"
        "With --validation or --validation-rows there is a single split: the validation rows are "
        "predicted from the others.",
    .examples = "$ rls2 cv data/housing.csv -t MEDV --folds 5\n"
                "  The curve for house prices.\n\n"
                "$ rls2 cv data/heart.csv -t class --measure auc --json -o heart.json\n"
                "  By the area under the ROC curve, for another program.\n",
    .goal = RLS2_GOAL_CURVE,
    .run = run_cv};
