/* The options of the command itself. What is asked of a plan (rls2/settings.h) is not listed here:
 * it is offered by the commands that its scope goes with. An option that means something else to
 * another command has a row for each. */
#include "cli/option.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define AT(member) offsetof(settings, member)

enum {
    FOR_LEARNING = FOR_TRAIN | FOR_PATH | FOR_CV | FOR_KERNELS | FOR_STATS, /* start from a table */
    FOR_NEW_ROWS = FOR_PREDICT | FOR_VERIFY,
    MOST_OPTIONS = 256
};

static const char DATA[] = "Data", KERNELS[] = "Kernels", FITTING[] = "Fitting",
                  CHOOSING[] = "Choosing lambda", RESULTS[] = "Results", PICTURE[] = "Picture",
                  COMMON[] = "Common";

const option OWN_OPTIONS[] = {
    {"missing", 0, OPTION_CHOICE, "impute|drop|error", NULL, DATA,
     "What to do with rows that have an empty cell: 'impute' fills in what the training rows say, "
     "'drop' gives the row no prediction (NA), 'error' stops, also at a category that the training "
     "rows do not have. Default: error if the model was trained so, else impute.",
     AT(missing), .commands = FOR_PREDICT},
    {"missing", 0, OPTION_CHOICE, "impute|drop|error", NULL, DATA,
     "What to do with rows that have an empty cell: fill it, leave them out of what is verified, "
     "or stop. Default: as for training.",
     AT(missing), .commands = FOR_VERIFY},
    {"strict", 0, OPTION_FLAG, NULL, NULL, DATA,
     "Refuse a row that has an empty cell, or a category that the training rows do not have: the "
     "same as --missing error.",
     AT(strict), .commands = FOR_PREDICT},
    {"test", 0, OPTION_FILE, "FILE", NULL, DATA,
     "Table of test rows, with the same columns: not learned from; scores on them are reported. "
     "Without the column of --row-weights each row counts once.",
     AT(test), .commands = FOR_TRAIN | FOR_PATH},
    {"test-rows", 0, OPTION_TEXT, "COLUMN=VALUE", NULL, DATA,
     "Leave out the rows with VALUE in COLUMN, if the model was trained with this option.", 0,
     .commands = FOR_VERIFY},
    {"validation-rows", 0, OPTION_TEXT, "COLUMN=VALUE", NULL, DATA, "The same for validation rows.",
     0, .commands = FOR_VERIFY},
    {"data", 0, OPTION_FILE, "FOLDER", NULL, DATA,
     "Folder of prostate.csv. Default: $RLS2_DATA if set, else data, else where the command was "
     "installed.",
     AT(data), .commands = FOR_DEMO},
    {"data", 0, OPTION_FILE, "FOLDER", NULL, DATA,
     "Folder to search for data first, and where 'data' puts what it fetches (default: data). "
     "Searched after it: data, $RLS2_DATA, ../shared/data.",
     AT(data), .commands = FOR_REPRODUCE},
    {"data", 0, OPTION_FILE, "FOLDER", NULL, DATA,
     "Folder of the example tables. Default: $RLS2_DATA if set, else data, else where the command "
     "was installed.",
     AT(data), .commands = FOR_GUI},
    {"folder", 0, OPTION_FILE, "FOLDER", NULL, DATA,
     "Folder for tables, runs and models: new, empty, or made by 'rls2 gui'. Default: rls2 in "
     "$XDG_DATA_HOME if set, else in ~/.local/share.",
     AT(folder), .commands = FOR_GUI},
    {"quota", 0, OPTION_TEXT, "SIZE", "10G", DATA,
     "Most that the files in the folder may take together, such as 500M or 20G; 'none' for no "
     "limit.",
     AT(quota), .commands = FOR_GUI},
    {"sources", 0, OPTION_FILE, "FILE", NULL, DATA,
     "List of what 'data' fetches; each line has the name of a file, its size or -, its checksum "
     "(sha256:... or gitblob:...) and its address. Default: $RLS2_SOURCES if set, else the list "
     "built in.",
     AT(sources), .commands = FOR_REPRODUCE},

    {"given", 0, OPTION_LIST, "NAME=FILE", NULL, KERNELS,
     "Kernel computed elsewhere: a square matrix over the rows of DATA, used as given(NAME). "
     "Without --kernels it is added to the default dictionary.",
     AT(given), .commands = FOR_LEARNING & ~FOR_STATS},
    {"given", 0, OPTION_LIST, "NAME=FILE", NULL, KERNELS,
     "Values of the kernel given(NAME) of the model: one row for each row of DATA, one column for "
     "each training row.",
     AT(given), .commands = FOR_NEW_ROWS},

    {"exact", 0, OPTION_FLAG, NULL, NULL, FITTING, "Short for --method exact.",
     .commands = FOR_LEARNING, .stands_for = {"method", "exact"}},
    {"tall", 0, OPTION_FLAG, NULL, NULL, FITTING, "Short for --method tall.",
     .commands = FOR_LEARNING, .stands_for = {"method", "tall"}},
    {"solver", 0, OPTION_CHOICE, "newton|alternate", "newton", FITTING,
     "For uci: newton, to a relative gap of 1e-6, or alternate, the paper's method with its "
     "stopping rule.",
     AT(solver), .commands = FOR_REPRODUCE},
    {"splits", 0, OPTION_COUNT, "N", "0", FITTING,
     "Number of splits or repetitions of each experiment, for a quick look; 0 takes the "
     "experiment's own (uci 100, binary-strings 20 seeds, prostate 100 divisions, cancers 3 "
     "synthetic sets).",
     AT(splits), .commands = FOR_REPRODUCE},
    {"gap-tol", 0, OPTION_NUMBER, "X", "1e-6", FITTING,
     "Largest relative duality gap accepted: the certificate does not hold if the gap is larger.",
     AT(gap_tol), .commands = FOR_VERIFY},

    {"validation", 0, OPTION_FILE, "FILE", NULL, CHOOSING,
     "Table with the same columns to choose lambda on, instead of folds; the model is learned from "
     "DATA alone.",
     AT(validation), .commands = FOR_TRAIN | FOR_CV},
    {"confusion", 0, OPTION_FLAG, NULL, NULL, CHOOSING,
     "For classes: also print the confusion matrix of the left-out rows at lambda.min. Each row "
     "counts once, whatever its weight; if several splits leave it out, the first counts.",
     AT(confusion), .commands = FOR_CV},

    {"output", 'o', OPTION_FILE, "MODEL", NULL, RESULTS,
     "File for the model, written completely or not at all. Without it the model is not saved.",
     AT(output), .commands = FOR_TRAIN},
    {"output", 'o', OPTION_FILE, "FILE", NULL, RESULTS,
     "File for the result, written completely or not at all. Default: the standard output.",
     AT(output), .commands = FOR_PATH | FOR_CV | FOR_PREDICT},
    {"output", 'o', OPTION_FILE, "STATS", NULL, RESULTS,
     "File for the statistics, or the profile, written completely or not at all.", AT(output),
     .commands = FOR_STATS},
    {"like", 0, OPTION_FILE, "STATS", NULL, DATA,
     "Count the rows of DATA as those of this file were counted, or as a profile says, so that "
     "they can be merged.",
     AT(like), .commands = FOR_STATS},
    {"profile", 0, OPTION_FLAG, NULL, NULL, DATA,
     "Write a profile of the rows (kinds, categories, sums, a sample) instead of counts: what must "
     "be known of all shards before the rows of any are counted.",
     AT(profile), .commands = FOR_STATS},
    {"output", 'o', OPTION_FILE, "FILE", NULL, RESULTS,
     "File for the sum, written completely or not at all. Without it the files are only checked.",
     AT(output), .commands = FOR_MERGE},
    {"output", 'o', OPTION_FILE, "FOLDER", "reproduction", RESULTS,
     "Folder for tables and figures: one folder in it for each experiment, and index.html, which "
     "shows all.",
     AT(folder), .commands = FOR_REPRODUCE},
    {"keep", 0, OPTION_LIST, "COLUMN", NULL, RESULTS,
     "Column of the table to write before the predictions, such as an id; may be given several "
     "times.",
     AT(keep), .commands = FOR_PREDICT},
    {"std", 0, OPTION_FLAG, NULL, NULL, RESULTS,
     "Add the standard deviation of each prediction, that of a Gaussian process with the learned "
     "kernel; for models of the square loss.",
     AT(std), .commands = FOR_PREDICT},
    {"interval", 0, OPTION_FLAG, NULL, NULL, RESULTS,
     "Add the interval of each prediction. The model must have been trained with --interval.",
     AT(interval), .commands = FOR_PREDICT},
    {"probability", 0, OPTION_FLAG, NULL, NULL, RESULTS,
     "Add the probability of each class. The model must be of --loss logistic.", AT(probability),
     .commands = FOR_PREDICT},
    {"contributions", 0, OPTION_FLAG, NULL, NULL, RESULTS,
     "Add the contribution of each kernel to each prediction; with the intercept they sum to it.",
     AT(contributions), .commands = FOR_PREDICT},
    {"threshold", 0, OPTION_NUMBER, "X", "0", RESULTS,
     "Of two classes: the second is predicted from this score on.", AT(threshold),
     .commands = FOR_PREDICT},
    {"top", 0, OPTION_COUNT, "N", "20", RESULTS,
     "List the N most important kernels and columns; 0 lists all. --json always has all.", AT(top),
     .commands = FOR_SHOW},
    {"of", 0, OPTION_TEXT, "NAME", NULL, RESULTS,
     "Class or target to show, of a model that has several. Default: all.", AT(of),
     .commands = FOR_SHOW},
    {"top", 0, OPTION_COUNT, "N", "20", RESULTS,
     "List the first N kernels; 0 lists all. --json always has all.", AT(top),
     .commands = FOR_KERNELS},

    {"output", 'o', OPTION_FILE, "FILE", NULL, PICTURE,
     "File for the picture: .svg, .png, .pdf or .txt. Default: drawn with characters on the "
     "standard output.",
     AT(output), .commands = FOR_PLOT},
    {"output", 'o', OPTION_FILE, "FILE", NULL, PICTURE,
     "Also draw the coefficients along the path, as SVG.", AT(output), .commands = FOR_DEMO},
    {"kind", 0, OPTION_CHOICE,
     "profile|scores|selection|kernels|features|curve|effects|dependence|calibration|roc|"
     "precision-recall|interval",
     NULL, PICTURE,
     "What to draw: weights or coefficients along the path, scores along the path, the kernels "
     "selected at each lambda, kernels or features of a model by importance, the "
     "cross-validation curve, what each feature does to predictions (effects; dependence: by what "
     "it "
     "does to the whole prediction), or how good predictions of classes are: calibration, roc, "
     "precision-recall; or the intervals of rows. Default: profile "
     "for a "
     "path, curve for cross-validation, kernels for "
     "a model.",
     AT(kind), .commands = FOR_PLOT},
    {"against", 0, OPTION_CHOICE, "df|lambda", NULL, PICTURE,
     "Horizontal axis of a path: degrees of freedom, or lambda on a logarithmic scale. Default: df "
     "for a profile, lambda for the others.",
     AT(against), .commands = FOR_PLOT},
    {"top", 0, OPTION_COUNT, "N", "10", PICTURE,
     "Draw the N most important kernels or features; 0 draws all.", AT(top), .commands = FOR_PLOT},
    {"of", 0, OPTION_TEXT, "NAME", NULL, PICTURE,
     "Class or target to draw, of a model or path that has several. Default: the mean over all for "
     "a model, the first for a profile or a selection, the second of two classes and each of more "
     "for calibration, roc and precision-recall; scores are of all together.",
     AT(of), .commands = FOR_PLOT},
    {"title", 0, OPTION_TEXT, "TEXT", NULL, PICTURE,
     "Title of the picture. Default: the name of the file.", AT(title), .commands = FOR_PLOT},
    {"width", 0, OPTION_COUNT, "N", NULL, PICTURE,
     "Width of the picture in pixels, or in characters in a terminal. Default: 800, 1600 for PNG, "
     "or the width of the terminal.",
     AT(width), .commands = FOR_PLOT},
    {"height", 0, OPTION_COUNT, "N", NULL, PICTURE,
     "Height of the picture, in the same units. Default: depends on the picture.", AT(height),
     .commands = FOR_PLOT},

    {"port", 0, OPTION_COUNT, "N", "0", RESULTS,
     "Port on 127.0.0.1 to listen on; 0 takes any free one.", AT(port), .commands = FOR_GUI},
    {"no-browser", 0, OPTION_FLAG, NULL, NULL, RESULTS,
     "Do not open a browser; only print the address of the page.", AT(no_browser),
     .commands = FOR_GUI},

    {"json", 0, OPTION_FLAG, NULL, NULL, COMMON, "Print the result as one JSON object.", AT(json),
     .commands = FOR_ALL},
    {"quiet", 'q', OPTION_FLAG, NULL, NULL, COMMON,
     "No progress bar and no notes; errors are still reported.", AT(quiet), .commands = FOR_ALL},
    {"threads", 0, OPTION_COUNT, "N", "0", COMMON,
     "Number of processor cores to use; 0 means all. The result does not depend on it.",
     AT(threads), .commands = FOR_ALL},
    {"seed", 0, OPTION_COUNT, "N", "0", COMMON,
     "Seed of the random numbers that reproduce draws its splits with; other commands that take no "
     "folds draw none.",
     AT(seed), .commands = FOR_ALL & ~FOR_LEARNING},
};

const int OWN_OPTION_COUNT = sizeof OWN_OPTIONS / sizeof OWN_OPTIONS[0];

/* ---- settings of a plan as options ---- */

/* The commands that a setting is for. */
static unsigned commands_of(const rls2_setting *setting)
{
    static const char *const COUNTED[] = {"row-weights", "class-weights", "folds"};
    const char *name = rls2_setting_about(setting, RLS2_SETTING_NAME);
    unsigned counted = 0, scored = strcmp(name, "interval") == 0 ? FOR_CV : 0; /* a score of it */
    for (int i = 0; i < 3; i++)
        if (strcmp(name, COUNTED[i]) == 0) counted = FOR_STATS;
    switch (rls2_setting_scope_of(setting)) {
    case RLS2_SCOPE_READING: return FOR_LEARNING | FOR_NEW_ROWS;
    case RLS2_SCOPE_DATA: return FOR_LEARNING;
    case RLS2_SCOPE_TESTING: return FOR_TRAIN | FOR_PATH;
    case RLS2_SCOPE_FITTING: return FOR_TRAIN | FOR_PATH | FOR_CV | counted;
    case RLS2_SCOPE_LAMBDA: return FOR_TRAIN | FOR_PATH;
    case RLS2_SCOPE_SPLITS: return FOR_TRAIN | FOR_CV | counted;
    case RLS2_SCOPE_CHOICE: return FOR_TRAIN | scored;
    }
    return 0;
}

/* A flag that is on by default is a switch: --no-NAME turns it off. */
static option_kind kind_of(const rls2_setting *setting)
{
    switch (rls2_setting_kind_of(setting)) {
    case RLS2_SETTING_FLAG:
        return strcmp(rls2_setting_about(setting, RLS2_SETTING_DEFAULT), "true") == 0
                   ? OPTION_SWITCH
                   : OPTION_FLAG;
    case RLS2_SETTING_SWITCH: return OPTION_SWITCH;
    case RLS2_SETTING_CHOICE: return OPTION_CHOICE;
    case RLS2_SETTING_NUMBER: return OPTION_NUMBER;
    case RLS2_SETTING_COUNT: return OPTION_COUNT;
    case RLS2_SETTING_LIST: return OPTION_LIST;
    case RLS2_SETTING_TEXT:
    case RLS2_SETTING_COLUMN: break;
    }
    return OPTION_TEXT;
}

/* NULL for a text that there is not. */
static const char *text_of(const rls2_setting *setting, rls2_setting_text which)
{
    const char *text = rls2_setting_about(setting, which);
    return *text ? text : NULL;
}

static option option_of(const rls2_setting *setting)
{
    option_kind kind = kind_of(setting);
    int without = kind == OPTION_FLAG || kind == OPTION_SWITCH;
    return (option){
        .name = rls2_setting_about(setting, RLS2_SETTING_NAME),
        .letter = rls2_setting_about(setting, RLS2_SETTING_LETTER)[0],
        .kind = kind,
        .value =
            text_of(setting, kind == OPTION_CHOICE ? RLS2_SETTING_CHOICES : RLS2_SETTING_VALUE),
        .fallback = without ? NULL : text_of(setting, RLS2_SETTING_DEFAULT),
        .section = rls2_setting_about(setting, RLS2_SETTING_SECTION),
        .commands = commands_of(setting),
        .former = text_of(setting, RLS2_SETTING_FORMER),
        .setting = setting,
    };
}

/* Of an own option without a member the value goes to the setting of its name. */
static option own_option(int i)
{
    option o = OWN_OPTIONS[i];
    if (o.member == 0) o.setting = rls2_setting_find(o.name);
    return o;
}

/* ---- all of them ---- */

static option candidate_at(int i)
{
    int listed = (int)rls2_setting_count();
    return i < listed ? option_of(rls2_setting_at(i)) : own_option(i - listed);
}

/* Those of the section that come first in the help, of the next, and so on. */
static int arrange(option *all)
{
    int count = (int)rls2_setting_count() + OWN_OPTION_COUNT, placed = 0;
    const char *done[32];
    int done_count = 0;
    for (int i = 0; i < count; i++) {
        const char *section = candidate_at(i).section;
        int known = 0;
        for (int k = 0; k < done_count; k++) known = known || strcmp(done[k], section) == 0;
        if (known || done_count == 32) continue;
        done[done_count++] = section;
        for (int k = i; k < count && placed < MOST_OPTIONS; k++) {
            option o = candidate_at(k);
            if (strcmp(o.section, section) == 0) all[placed++] = o;
        }
    }
    return placed;
}

const option *option_at(int i)
{
    static option all[MOST_OPTIONS]; /* made at the first call: the tables never change */
    static int count;
    if (count == 0) count = arrange(all);
    return i >= 0 && i < count ? &all[i] : NULL;
}

int option_can_be_off(const option *o)
{
    return o->kind == OPTION_SWITCH || (o->kind == OPTION_CHOICE && strstr(o->value, "yes|no"));
}

int option_takes_value(const option *o)
{
    return o->kind != OPTION_FLAG && o->kind != OPTION_SWITCH;
}

static void add_text(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    if (*more) snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "", more);
}

void option_help(const option *o, char *text, size_t size)
{
    char part[800];
    text[0] = '\0';
    if (o->help) {
        add_text(text, size, o->help);
    } else {
        rls2_setting_tell(o->setting, RLS2_SETTING_SENTENCE, RLS2_VOICE_COMMAND, part, sizeof part);
        add_text(text, size, part);
        rls2_setting_tell(o->setting, RLS2_SETTING_HELP, RLS2_VOICE_COMMAND, part, sizeof part);
        add_text(text, size, part);
    }
    if (o->kind == OPTION_LIST) add_text(text, size, "May be repeated.");
    const char *fallback = o->fallback;
    if (o->kind == OPTION_SWITCH) fallback = rls2_setting_about(o->setting, RLS2_SETTING_DEFAULT);
    if (!fallback) return;
    if (o->kind == OPTION_SWITCH && strcmp(fallback, "true") == 0)
        snprintf(part, sizeof part, "Default: --%s.", o->name);
    else
        snprintf(part, sizeof part,
                 ispunct((unsigned char)fallback[0]) ? "Default: '%s'." : "Default: %s.", fallback);
    add_text(text, size, part);
}
