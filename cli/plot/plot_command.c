/* rls2 plot: pictures of a path or of a model, drawn by gnuplot or, where characters do as well, by
 * itself. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/plot/plot.h"
#include "cli/plot/plot_curve.h"
#include "cli/plot/plot_effects.h"
#include "cli/plot/plot_gnuplot.h"
#include "cli/plot/plot_interval.h"
#include "cli/plot/plot_json.h"
#include "cli/plot/plot_model.h"
#include "cli/plot/plot_picture.h"
#include "cli/plot/plot_result.h"
#include "cli/plot/plot_script.h"
#include "cli/plot/plot_text.h"
#include "cli/plot/plot_traces.h"

/* ---- what was asked ---- */

typedef struct ending {
    const char *text;
    canvas_kind kind;
} ending;

static const ending ENDINGS[] = {
    {".svg", CANVAS_SVG}, {".png", CANVAS_PNG}, {".pdf", CANVAS_PDF}, {".txt", CANVAS_TEXT}};
enum { ENDING_COUNT = sizeof ENDINGS / sizeof ENDINGS[0] };

static int find_canvas(const settings *s, canvas *c)
{
    *c = (canvas){.kind = CANVAS_TEXT, .scale = 1};
    if (!s->output || strcmp(s->output, "-") == 0 || s->json) return EXIT_OK;
    size_t length = strlen(s->output);
    for (int i = 0; i < ENDING_COUNT; i++) {
        size_t size = strlen(ENDINGS[i].text);
        if (length < size || strcasecmp(s->output + length - size, ENDINGS[i].text) != 0) continue;
        c->kind = ENDINGS[i].kind;
        return EXIT_OK;
    }
    say_error(s, "-o '%s': the ending says the format: .svg, .png, .pdf or .txt", s->output);
    return EXIT_USAGE;
}

/* -1 if none was asked. */
static int find_kind(const settings *s)
{
    for (int kind = PICTURE_PROFILE; s->kind && kind <= PICTURE_INTERVAL; kind++)
        if (strcmp(picture_kind_name((picture_kind)kind), s->kind) == 0) return kind;
    return -1;
}

static double clamp(double value, double low, double high)
{
    return fmin(fmax(value, low), high);
}

/* In characters; a terminal's width, and a height that fits most windows. */
static void size_text(const settings *s, const output *out, canvas *c)
{
    c->colour = isatty(fileno(out->file));
    c->width = clamp(s->width > 0 ? (double)s->width : console_width(out->file), 40, 1000);
    c->height = clamp(s->height > 0 ? (double)s->height : fmin(c->width * 0.3, 36), 15, 500);
}

/* Bars take the height they need. The default PNG has two pixels for each unit, to be sharp in
 * print; a width that was asked for is met exactly, the letters growing with it. */
static void size_drawing(const settings *s, const picture *p, canvas *c)
{
    double width = 800, height = p->labels ? 110 + 24 * (double)p->points : 500;
    if (p->traces) width = height = 560; /* both axes go from 0 to 1 */
    if (p->kind == PICTURE_SELECTION) height = fmax(height, 230 + 20 * (double)p->count);
    if (c->kind == CANVAS_PNG) c->scale = s->width > 0 ? fmax((double)s->width / width, 1) : 2;
    if (s->width > 0) width = clamp((double)s->width / c->scale, 200, 20000);
    if (s->height > 0) height = (double)s->height / c->scale;
    if (s->height == 0 && (p->kind == PICTURE_EFFECTS || p->kind == PICTURE_DEPENDENCE))
        height = panels_height(p, width);
    c->width = width;
    c->height = clamp(height, 180, 20000);
}

/* ---- reading ---- */

typedef struct content {
    char *bytes;
    size_t length;
} content;

static int read_stream(const settings *s, FILE *file, content *text)
{
    size_t room = 0;
    do {
        if (text->length == room) {
            size_t wanted = room ? 2 * room : 1 << 16;
            char *more = wanted > room ? realloc(text->bytes, wanted) : NULL;
            if (!more) return out_of_memory(s);
            text->bytes = more;
            room = wanted;
        }
        text->length += fread(text->bytes + text->length, 1, room - text->length, file);
    } while (!feof(file) && !ferror(file) && !interrupted());
    if (interrupted()) return EXIT_INTERRUPTED;
    if (!ferror(file)) return EXIT_OK;
    say_error(s, "%s: %s", s->argument[0], strerror(errno));
    return EXIT_FAILED;
}

static int read_content(const settings *s, content *text)
{
    int from_stdin = strcmp(s->argument[0], "-") == 0;
    FILE *file = from_stdin ? stdin : fopen(s->argument[0], "rb");
    if (!file) {
        say_error(s, "%s: %s", s->argument[0], strerror(errno));
        return EXIT_FAILED;
    }
    int code = read_stream(s, file, text);
    if (!from_stdin) fclose(file);
    return code;
}

/* A model begins with a length of 8 bytes, of which the upper ones are 0; text has no such byte. */
static int is_model(const content *text)
{
    return text->length > 8 && memchr(text->bytes, 0, 8) != NULL;
}

static int is_json(const content *text)
{
    size_t i = 0;
    while (i < text->length && strchr(" \t\r\n", text->bytes[i]) && text->bytes[i]) i++;
    return i < text->length && text->bytes[i] == '{';
}

/* ---- making ---- */

static int wrong_kind(const settings *s, const char *file_is, const char *kinds)
{
    say_error(s, "--kind %s: %s is %s, of which there are %s", s->kind, s->argument[0], file_is,
              kinds);
    return EXIT_USAGE;
}

/* --of with a picture that is about all outputs at once. */
static int no_such_choice(const settings *s, const char *what)
{
    say_error(s, "--of '%s': %s of all classes and targets together", s->of, what);
    return EXIT_USAGE;
}

/* A table is for what is said of its rows, and the other way round. */
static int check_table(const settings *s, int kind)
{
    int of_rows = is_of_traces(kind) || kind == PICTURE_INTERVAL;
    if (s->argument_count > 1 && kind >= 0 && !of_rows) {
        say_error(s, "--kind %s: '%s' is one argument too many: a picture of the model alone",
                  s->kind, s->argument[1]);
        return EXIT_USAGE;
    }
    if (s->argument_count > 1 || !of_rows) return EXIT_OK;
    if (kind == PICTURE_INTERVAL) {
        say_error(s, "--kind interval: which rows? 'rls2 plot %s DATA' takes those of a table",
                  s->argument[0]);
        return EXIT_USAGE;
    }
    say_error(
        s,
        "--kind %s: which rows? 'rls2 plot %s DATA' takes those of a table; a result of 'rls2 "
        "cv --json' has those that were left out",
        s->kind, s->argument[0]);
    return EXIT_USAGE;
}

/* Of the rows of a table; without --kind probabilities where there are any. */
static int picture_from_rows(const settings *s, const rls2_model *model, int kind, picture *p)
{
    judged rows;
    const char *slash = strrchr(s->argument[1], '/');
    int code = judged_from_table(s, model, &rows);
    if (kind < 0) kind = rows.p ? PICTURE_CALIBRATION : PICTURE_ROC;
    if (code == EXIT_OK)
        code =
            picture_of_judged(s, (picture_kind)kind, &rows, slash ? slash + 1 : s->argument[1], p);
    judged_free(&rows);
    return code;
}

static int picture_from_model(const settings *s, const content *text, int kind, picture *p)
{
    rls2_model *model = NULL;
    rls2_error err;
    if (kind >= 0 && kind < PICTURE_EFFECTS && kind != PICTURE_KERNELS && kind != PICTURE_FEATURES)
        return wrong_kind(
            s, "a model",
            "kernels, features, effects, dependence, calibration, roc, precision-recall and "
            "interval");
    int code = check_table(s, kind);
    if (code != EXIT_OK) return code;
    if (rls2_model_unpack(s->argument[0], text->bytes, (int64_t)text->length, &model, &err) !=
        RLS2_OK)
        return fail(s, &err);
    if (s->argument_count > 1 &&
        (kind == PICTURE_INTERVAL || (kind < 0 && rls2_model_interval_count(model) == 1)))
        code = picture_of_intervals(s, model, p);
    else if (s->argument_count > 1)
        code = picture_from_rows(s, model, kind, p);
    else if (kind == PICTURE_EFFECTS)
        code = picture_of_effects(s, model, p);
    else if (kind == PICTURE_DEPENDENCE)
        code = picture_of_dependence(s, model, p);
    else
        code = picture_of_model(s, kind < 0 ? PICTURE_KERNELS : (picture_kind)kind, model, p);
    rls2_model_free(model);
    return code;
}

/* Nobody asked for the first one. */
static void say_which(const settings *s, const result *r, int kind)
{
    if (s->of || r->outputs < 2 || kind == PICTURE_SCORES) return;
    char *name = shown_text(r->of, 40);
    if (name)
        say(s, "of %lld %s: '%s'; --of NAME draws another", (long long)r->outputs, r->output_word,
            name);
    free(name);
}

static int picture_from_result(const settings *s, const content *text, int kind, picture *p)
{
    result r;
    if (s->of && kind == PICTURE_SCORES) return no_such_choice(s, "scores are");
    if (kind >= PICTURE_KERNELS) return wrong_kind(s, "a path", "profile, scores and selection");
    int code = result_parse(s, s->argument[0], text->bytes, text->length, &r);
    if (code == EXIT_OK)
        code = picture_of_result(s, kind < 0 ? PICTURE_PROFILE : (picture_kind)kind, &r, p);
    if (code == EXIT_OK) say_which(s, &r, kind);
    result_free(&r);
    return code;
}

static int picture_from_curve(const settings *s, const content *text, int kind, picture *p)
{
    judged rows;
    if (is_of_traces(kind)) {
        int code = judged_from_curve(s, text->bytes, text->length, &rows);
        if (code == EXIT_OK)
            code = picture_of_judged(s, (picture_kind)kind, &rows, "left-out rows", p);
        judged_free(&rows);
        return code;
    }
    if (kind >= 0 && kind != PICTURE_CURVE)
        return wrong_kind(s, "of cross-validation", "curve, calibration, roc and precision-recall");
    if (s->of) return no_such_choice(s, "the curve of cross-validation is");
    return picture_of_curve(s, text->bytes, text->length, p);
}

static int make_picture(const settings *s, picture *p)
{
    content text = {0};
    int code = read_content(s, &text);
    if (code == EXIT_OK && s->argument_count > 1 && !is_model(&text)) {
        say_error(s, "'%s' is one argument too many: %s is not a model", s->argument[1],
                  s->argument[0]);
        code = EXIT_USAGE;
    }
    if (code == EXIT_OK && is_model(&text)) {
        code = picture_from_model(s, &text, find_kind(s), p);
    } else if (code == EXIT_OK && is_json(&text) && is_curve(text.bytes, text.length)) {
        code = picture_from_curve(s, &text, find_kind(s), p);
    } else if (code == EXIT_OK && is_json(&text)) {
        code = picture_from_result(s, &text, find_kind(s), p);
    } else if (code == EXIT_OK) {
        say_error(s, "%s: neither a result of 'rls2 path --json' or 'rls2 cv --json' nor a model",
                  s->argument[0]);
        code = EXIT_FAILED;
    }
    free(text.bytes);
    return code;
}

/* ---- showing ---- */

static int out_of_files(const settings *s)
{
    say_error(s, "temporary file: %s", strerror(errno));
    return EXIT_FAILED;
}

/* Without the form feed, the empty lines and the blanks at the ends of lines that gnuplot puts
 * around a drawing made of characters. */
static void put_trimmed(const char *text, size_t length, FILE *out)
{
    size_t written = 0, empty = 0; /* lines written; empty ones held back */
    for (size_t start = 0, end; start < length; start = end + 1) {
        for (end = start; end < length && text[end] != '\n'; end++) {
        }
        size_t last = end;
        while (last > start && strchr(" \r\f", text[last - 1])) last--;
        empty += last == start;
        if (last == start) continue;
        for (; empty > 0; empty--)
            if (written > 0) fputc('\n', out);
        size_t first = text[start] == '\f' ? start + 1 : start;
        fwrite(text + first, 1, last - first, out);
        fputc('\n', out);
        written++;
    }
}

/* gnuplot does not notice a full disk: a picture is whole if its end is there. */
static int is_whole(canvas_kind kind, const content *drawn)
{
    static const char *const ENDS[] = {[CANVAS_TEXT] = "\n",
                                       [CANVAS_SVG] = "</svg>",
                                       [CANVAS_PNG] = "IEND",
                                       [CANVAS_PDF] = "%%EOF"};
    size_t tail = drawn->length < 32 ? drawn->length : 32;
    return tail > 0 && memmem(drawn->bytes + drawn->length - tail, tail, ENDS[kind],
                              strlen(ENDS[kind])) != NULL;
}

/* What gnuplot writes for the script, all of it. */
static int run_script(const settings *s, FILE *script, canvas_kind kind, content *drawn)
{
    FILE *raw = tmpfile();
    if (!raw) return out_of_files(s);
    int code = gnuplot_run(s, script, raw);
    if (code == EXIT_OK && fseek(raw, 0, SEEK_SET) != 0) code = out_of_files(s);
    if (code == EXIT_OK) code = read_stream(s, raw, drawn);
    fclose(raw);
    if (code != EXIT_OK || is_whole(kind, drawn)) return code;
    say_error(s, "gnuplot left the picture unfinished; is the disk of the temporary files full?");
    return EXIT_FAILED;
}

static int draw(const settings *s, const picture *p, const canvas *c, FILE *out)
{
    content drawn = {0};
    FILE *script = tmpfile();
    if (!script) return out_of_files(s);
    script_write(script, p, c);
    int code = run_script(s, script, c->kind, &drawn);
    if (code == EXIT_OK && c->kind == CANVAS_TEXT) {
        text_heading(out, p);
        put_trimmed(drawn.bytes, drawn.length, out);
    } else if (code == EXIT_OK) {
        fwrite(drawn.bytes, 1, drawn.length, out); /* errors are output_close's to notice */
    }
    if (code == EXIT_OK && c->colour) fputs("\033[0m", out);
    free(drawn.bytes);
    fclose(script);
    return code;
}

static int show(const settings *s, const picture *p, canvas *c, output *out)
{
    if (s->json) {
        picture_json(out->file, p);
        return EXIT_OK;
    }
    if (c->kind == CANVAS_TEXT)
        size_text(s, out, c);
    else
        size_drawing(s, p, c);
    if (c->kind == CANVAS_TEXT && text_write(out->file, p, c)) return EXIT_OK;
    return draw(s, p, c, out->file);
}

static int run_plot(const settings *s)
{
    picture p = {0};
    output out = {0};
    canvas c;
    int code = find_canvas(s, &c);
    if (code != EXIT_OK) return code;
    interrupt_catch();
    code = make_picture(s, &p);
    if (code == EXIT_OK) code = output_open(s, s->output, &out);
    if (code == EXIT_OK) {
        code = show(s, &p, &c, &out);
        int closed = output_close(s, &out, code == EXIT_OK);
        if (code == EXIT_OK) code = closed;
    }
    picture_free(&p);
    return code;
}

const command command_plot = {
    .name = "plot",
    .bit = FOR_PLOT,
    .summary = "draw a path or a model, on the terminal or as SVG, PNG or PDF",
    .arguments = "RESULT|MODEL [DATA]",
    .least = 1,
    .most = 2,
    .description =
        "Draws a result of 'rls2 path --json' or 'rls2 cv --json', or a model of 'rls2 train': "
        "weights, coefficients or scores along the path, the kernels selected at each lambda, or "
        "the most important kernels or columns of a model, or what each column does to its "
        "predictions (--kind effects), with a band that the curves of 8 of 10 rows stay within. "
        "--kind dependence has the columns in the order of what they do to the whole prediction, "
        "kernels on several columns and members of a stack included, and the two that do most "
        "together.\n\n"
        "How good classes are is drawn of rows whose class is known: --kind roc and "
        "precision-recall by their scores, --kind calibration by their probabilities (--loss "
        "logistic), the share of the class in bins of as many rows each against what was "
        "predicted. The rows are those of DATA, which should not be what the model was learned "
        "from, or of a result of 'rls2 cv --json' those that were left out, at lambda.min. --kind "
        "interval draws calibrated intervals ('rls2 train --interval') of the rows of DATA, in the "
        "order of their predictions, with what was observed.\n\n"
        "With several classes or targets, --of "
        "names the one to draw. - is the standard input.\n\n"
        "Without --output the picture is drawn with characters in the terminal; otherwise the "
        "file name's extension selects the format. Pictures are drawn by gnuplot (Debian, "
        "Ubuntu: apt-get install gnuplot-nox); selections, kernels, features, effects, "
        "dependence and calibration in a terminal do without it. The environment variable "
        "RLS2_GNUPLOT can name "
        "another "
        "gnuplot.\n\n"
        "With --json the data of the picture are printed instead.",
    .examples = "$ rls2 path data/prostate.csv -t lpsa --test-rows train=F -k linear \\\n"
                "       --json -o path.json\n"
                "$ rls2 plot path.json\n"
                "  Coefficients along the path, in the terminal.\n\n"
                "$ rls2 plot path.json --kind scores --against lambda -o scores.svg\n"
                "  Scores on training and test rows, as a picture.\n\n"
                "$ rls2 plot housing.model --kind features --top 10\n"
                "  The ten columns that matter most to a model.\n\n"
                "$ rls2 plot housing.model --kind effects -o effects.svg\n"
                "  Whether more of a column means more, and from where on.\n\n"
                "$ rls2 plot housing.model --kind dependence --top 6 -o dependence.png\n"
                "  The same in the order of the whole prediction, and two columns together.\n\n"
                "$ rls2 cv data/heart.csv -t class --loss logistic -k linear \\\n"
                "       --json -o heart.json\n"
                "$ rls2 plot heart.json --kind calibration\n"
                "  Are the probabilities of rows that were left out what they say?\n\n"
                "$ rls2 path data/auto-mpg.csv -t origin --task classification \\\n"
                "       --drop car_name -k linear --json -o cars.json\n"
                "$ rls2 plot cars.json --kind selection --of 3 -o japan.svg\n"
                "  Of several classes, the kernels that tell one from all others.\n",
    .run = run_plot};
