/* The options of all commands. An option that means something else to another command has a row for
 * each; rows of one section stand together. */
#include "cli/option.h"

#define AT(member) offsetof(settings, member)

enum {
    FOR_LEARNING =
        FOR_TRAIN | FOR_PATH | FOR_CV | FOR_KERNELS, /* start from a table and a dictionary */
    FOR_FITTING = FOR_TRAIN | FOR_PATH | FOR_CV,
    FOR_CHOOSING = FOR_TRAIN | FOR_CV,
    FOR_NEW_ROWS = FOR_PREDICT | FOR_VERIFY,
    FOR_READING = FOR_LEARNING | FOR_NEW_ROWS
};

static const char DATA[] = "Data", READING[] = "Reading files", PREPARING[] = "Preprocessing",
                  KERNELS[] = "Kernels", FITTING[] = "Fitting", CHOOSING[] = "Choosing lambda",
                  RESULTS[] = "Results", PICTURE[] = "Picture", COMMON[] = "Common";

const option OPTIONS[] = {
    {"target", 't', OPTION_LIST, "COLUMN", NULL, DATA,
     "Column to be predicted; several columns of numbers are predicted each on its own, with one "
     "lambda, "
     "from "
     "the rows that have all of them. Files that have one by convention (LIBSVM, .npz, .mat) need "
     "no name.",
     AT(target), FOR_LEARNING},
    {"task", 0, OPTION_CHOICE, "auto|regression|classification", "auto", DATA,
     "Predict a number or one of several classes. auto takes a target that is text or has just two "
     "different "
     "values as classes, anything else as numbers, and says which.",
     AT(task), FOR_LEARNING},
    {"weights", 0, OPTION_TEXT, "COLUMN", NULL, DATA,
     "Column that says how many rows each row stands for, not an input: a row of weight 2 is "
     "exactly two "
     "rows, "
     "in the fit, in means and deviations, and in scores; one of weight 0 is left out. What is "
     "left out in "
     "turn, by folds or --select loo, is a row with all it stands for.",
     AT(weights), FOR_FITTING},
    {"class-weights", 0, OPTION_TEXT, "balanced|LABEL=X,...", NULL, DATA,
     "Let the rows of a class count X times in the fit and in the scalings of kernels, or make all "
     "classes "
     "count alike (balanced). Means and deviations of columns, and scores, do not heed it.",
     AT(class_weights), FOR_FITTING},
    {"drop", 0, OPTION_LIST, "COLUMN", NULL, DATA,
     "Column left out, such as a name or a sample number.", AT(drop), FOR_LEARNING},
    {"categorical", 0, OPTION_LIST, "COLUMN", NULL, DATA,
     "Column of numbers that are names, such as a batch or a region: it becomes one 0/1 column for "
     "each "
     "value, as text columns do anyway.",
     AT(categorical), FOR_LEARNING},
    {"reference", 0, OPTION_FLAG, NULL, NULL, DATA,
     "Leave out the last 0/1 column of the first categorical column, as a reference level.",
     AT(reference), FOR_LEARNING},
    {"missing", 0, OPTION_CHOICE, "drop|error", "drop", DATA,
     "What to do with a row that has an empty cell: leave it out (their number is reported), or "
     "stop.",
     AT(missing), FOR_LEARNING},
    {"missing", 0, OPTION_CHOICE, "drop|error", NULL, DATA,
     "What to do with a row that has an empty cell: 'drop' gives it no prediction (NA in its "
     "line), or "
     "leaves it out of "
     "what is verified; 'error' stops. Default: as it was for training.",
     AT(missing), FOR_NEW_ROWS},
    {"test", 0, OPTION_FILE, "FILE", NULL, DATA,
     "Table with the same columns whose rows are not learned from: the scores on them are "
     "reported. Where it "
     "has no column of --weights each row counts once.",
     AT(test), FOR_TRAIN | FOR_PATH},
    {"test-rows", 0, OPTION_TEXT, "COLUMN=VALUE", NULL, DATA,
     "Rows of DATA that are not learned from but scored, as --test does: those with VALUE in "
     "COLUMN. The "
     "column itself is left out.",
     AT(test_rows), FOR_TRAIN | FOR_PATH},
    {"test-rows", 0, OPTION_TEXT, "COLUMN=VALUE", NULL, DATA,
     "Rows of DATA that are left out: those with VALUE in COLUMN, which is no input.",
     AT(test_rows), FOR_VERIFY | FOR_KERNELS | FOR_CV},
    {"validation-rows", 0, OPTION_TEXT, "COLUMN=VALUE", NULL, DATA,
     "Rows of DATA that were not learned from, if the model was trained with this option.",
     AT(validation_rows), FOR_VERIFY},
    {"data", 0, OPTION_FILE, "FOLDER", NULL, DATA,
     "Where prostate.csv is. Default: the folder the variable RLS2_DATA names, else data.",
     AT(data), FOR_DEMO},
    {"data", 0, OPTION_FILE, "FOLDER", NULL, DATA,
     "Where data are looked for first, and where 'data' puts what it fetches (else into data). "
     "After it: "
     "data, the "
     "folder the variable RLS2_DATA names, ../shared/data.",
     AT(data), FOR_REPRODUCE},
    {"data", 0, OPTION_FILE, "FOLDER", NULL, DATA,
     "Where the tables that come along are. Default: the folder the variable RLS2_DATA names, else "
     "data, "
     "else where "
     "the command was installed.",
     AT(data), FOR_GUI},
    {"folder", 0, OPTION_FILE, "FOLDER", NULL, DATA,
     "Where tables, runs and models are kept: a new or empty folder, or one that 'rls2 gui' made. "
     "Default: "
     "rls2 in "
     "the folder the variable XDG_DATA_HOME names, else in ~/.local/share.",
     AT(folder), FOR_GUI},
    {"quota", 0, OPTION_TEXT, "SIZE", "10G", DATA,
     "What the files in the folder may take together, such as 500M or 20G; 'none': whatever the "
     "disk has.",
     AT(quota), FOR_GUI},
    {"sources", 0, OPTION_FILE, "FILE", NULL, DATA,
     "List of what 'data' fetches: a line has the name of a file, its size or -, its checksum "
     "(sha256:... or "
     "gitblob:...) and its address. Default: the file the variable RLS2_SOURCES names, else the "
     "list built "
     "in.",
     AT(sources), FOR_REPRODUCE},

    {"format", 0, OPTION_CHOICE, "auto|csv|libsvm|npy|npz|mat", NULL, READING,
     "Format of the data. Default: found from the content and the name of the file. Any of them "
     "may be compressed with gzip.",
     AT(format), FOR_READING},
    {"delimiter", 0, OPTION_TEXT, "CHARACTER", NULL, READING,
     "What separates the cells of a CSV file; 'tab' for a tab. Default: the comma, tab or "
     "semicolon found "
     "in its first line.",
     AT(delimiter), FOR_READING},
    {"no-header", 0, OPTION_FLAG, NULL, NULL, READING,
     "The first line of a CSV file holds data, not names; the columns are then called x1, x2, ...",
     AT(no_header), FOR_READING},
    {"decimal", 0, OPTION_CHOICE, ".|,", NULL, READING,
     "What stands before the decimals of a number in a CSV file: a point, or a comma as many "
     "languages have "
     "it. Default: a point.",
     AT(decimal), FOR_READING},
    {"na", 0, OPTION_LIST, "TEXT", NULL, READING,
     "Text that stands for a missing value, such as NA or '?'. An empty cell always does.", AT(na),
     FOR_READING},

    {"standardize", 0, OPTION_FLAG, NULL, NULL, PREPARING,
     "The same as --features standardize: wise when columns are measured in different units.",
     AT(standardize), FOR_LEARNING},
    {"features", 0, OPTION_CHOICE, "none|center|standardize|unit", "none", PREPARING,
     "What is done to each column, measured over the training rows: take off the mean, divide by "
     "the "
     "standard deviation too, or divide by the length.",
     AT(features), FOR_LEARNING},
    {"examples", 0, OPTION_CHOICE, "none|center|standardize|unit", "none", PREPARING,
     "The same for each row, over its columns, before --features: for spectra or expression "
     "profiles.",
     AT(examples), FOR_LEARNING},
    {"transductive", 0, OPTION_FLAG, NULL, NULL, PREPARING,
     "Measure columns and kernels over the test rows too (their target is never used). Otherwise "
     "nothing "
     "of the test rows enters the fit.",
     AT(transductive), FOR_TRAIN | FOR_PATH},

    {"transductive-features", 0, OPTION_FLAG, NULL, NULL, PREPARING,
     "The same for columns alone: kernels are measured over the training rows.",
     AT(transductive_features), FOR_TRAIN | FOR_PATH},

    {"kernels", 'k', OPTION_LIST, "SPEC", NULL, KERNELS,
     "Kernels to learn from, such as 'linear' or 'rbf(0.01:10:4)@all,each'; 'rls2 help dictionary' "
     "tells "
     "how to write them. Default: paper, polynomials and Gaussians of several widths on all the "
     "columns "
     "together and on each alone; linear where there are more than 200 columns.",
     AT(kernels), FOR_LEARNING},
    {"group", 0, OPTION_LIST, "NAME=COLUMN,...", NULL, KERNELS,
     "Gives a set of columns a name, to write rbf(0.1)@group:NAME. Patterns such as gene_* may be "
     "used.",
     AT(group), FOR_LEARNING},
    {"given", 0, OPTION_LIST, "NAME=FILE", NULL, KERNELS,
     "Kernel computed elsewhere: a square matrix over the rows of DATA, used as given(NAME); "
     "without "
     "--kernels "
     "it joins the default ones.",
     AT(given), FOR_LEARNING},
    {"given", 0, OPTION_LIST, "NAME=FILE", NULL, KERNELS,
     "Values of the kernel given(NAME) the model was trained with: one row for each row of DATA, "
     "one column "
     "for each training row.",
     AT(given), FOR_NEW_ROWS},
    {"scaling", 0, OPTION_CHOICE, "none|trace|fisher|fisher-sqrt", "trace", KERNELS,
     "How kernels are made comparable: not at all, by their trace, or by the spread within the "
     "classes "
     "(fisher, or its square root; for classification).",
     AT(scaling), FOR_FITTING},
    {"center", 0, OPTION_FLAG, NULL, NULL, KERNELS,
     "With --scaling trace: use the trace of the centred kernel, so that a constant part does not "
     "count.",
     AT(center), FOR_FITTING},
    {"memory", 0, OPTION_TEXT, "SIZE", NULL, KERNELS,
     "Store kernels in at most this much memory, such as 500M or 2G, and compute the others "
     "whenever they "
     "are "
     "needed, with the same result; 'rls2 kernels' forecasts it. Default: half of the machine's "
     "memory, and "
     "in "
     "cross-validation that divided by its processors for each split.",
     AT(memory), FOR_LEARNING},

    {"lambda", 0, OPTION_NUMBER, "X", NULL, FITTING,
     "Amount of regularisation, above 0: the larger, the smoother the model and the fewer its "
     "kernels. "
     "Default: "
     "chosen as --select says. With --lambdas, of which it should be one to six digits, the path "
     "over them "
     "is "
     "followed down to it, as it is where lambda is chosen among them; alone it is fitted by "
     "itself.",
     AT(lambda), FOR_TRAIN},
    {"lambda", 0, OPTION_NUMBER, "X", NULL, FITTING,
     "Fit for this value alone instead of a whole path; with --lambdas the path over them ends "
     "there.",
     AT(lambda), FOR_PATH},
    {"lambdas", 0, OPTION_TEXT, "LO:HI:N", NULL, FITTING,
     "Values of lambda: N of them from LO to HI, each the same multiple of the one before, or a "
     "list "
     "X,Y,Z. Default: 30 values chosen from the data.",
     AT(lambdas), FOR_FITTING},
    {"intercept", 0, OPTION_CHOICE, "auto|mean|none", "auto", FITTING,
     "Constant part of the prediction: the mean of the target, or none. auto is mean for "
     "regression; for "
     "classes it is none, as in the paper, unless every kernel is linear and so has no constant "
     "part of its "
     "own: then mean.",
     AT(intercept), FOR_FITTING},
    {"solver", 0, OPTION_CHOICE, "newton|alternate", "newton", FITTING,
     "newton is fast and stops when the answer is proved good enough; alternate is the method of "
     "the "
     "paper, for comparison.",
     AT(solver), FOR_FITTING},
    {"solver", 0, OPTION_CHOICE, "newton|alternate", "newton", FITTING,
     "For uci: newton, proved to a gap of 1e-6, or alternate, the method of the paper with its "
     "stop.",
     AT(solver), FOR_REPRODUCE},
    {"splits", 0, OPTION_COUNT, "N", "0", FITTING,
     "Splits or repetitions of each experiment, for a quick look; 0: as many as the experiment's "
     "own number "
     "(uci 100, binary-strings 20 seeds, prostate 100 divisions, cancers 3 made sets).",
     AT(splits), FOR_REPRODUCE},
    {"gap-tol", 0, OPTION_NUMBER, "X", "1e-6", FITTING,
     "Precision that is proved for every answer: its objective is within this share of the best "
     "possible.",
     AT(gap_tol), FOR_FITTING},
    {"gap-tol", 0, OPTION_NUMBER, "X", "1e-6", FITTING,
     "Precision that is asked for: the certificate does not hold if the gap is larger.",
     AT(gap_tol), FOR_VERIFY},
    {"delta", 0, OPTION_NUMBER, "X", "1e-2", FITTING,
     "Where the solver alternate stops: its relative residual. The gap is reported all the same.",
     AT(delta), FOR_FITTING},
    {"max-iter", 0, OPTION_COUNT, "N", "200", FITTING,
     "Most iterations for each lambda. Where they do not suffice the result says so, with the gap "
     "reached.",
     AT(max_iter), FOR_FITTING},

    {"select", 0, OPTION_CHOICE, "cv|gcv|cp|aic|bic|loo", "cv", CHOOSING,
     "How lambda is chosen: by cross-validation, or by a criterion computed from one path on all "
     "rows "
     "(generalised "
     "cross-validation, Mallows' Cp, Akaike, Bayes, leaving one row out with the kernel weights "
     "kept); "
     "'rls2 help measures' tells what they mean for classes.",
     AT(select), FOR_TRAIN},
    {"rule", 0, OPTION_CHOICE, "min|1se", "min", CHOOSING,
     "With cross-validation: the best lambda, or the largest one (the simplest model) within one "
     "standard "
     "error of it. Of a single split there is none, and the best is taken.",
     AT(rule), FOR_TRAIN},
    {"folds", 0, OPTION_COUNT, "K", "10", CHOOSING,
     "Parts the rows are divided into, each predicted from the others. Of classes every part has "
     "its share.",
     AT(folds), FOR_CHOOSING},
    {"repeats", 0, OPTION_COUNT, "N", "1", CHOOSING, "Do so N times with other parts.", AT(repeats),
     FOR_CHOOSING},
    {"splits", 0, OPTION_COUNT, "N", "0", CHOOSING,
     "Instead of folds: N random splits, of which --share of the rows is learned from.", AT(splits),
     FOR_CHOOSING},
    {"share", 0, OPTION_NUMBER, "X", "0.7", CHOOSING,
     "Share of the rows that is learned from, with --splits.", AT(share), FOR_CHOOSING},
    {"fold-column", 0, OPTION_TEXT, "COLUMN", NULL, CHOOSING,
     "Column whose values are the folds (rows where it is empty are always learned from); it is no "
     "input.",
     AT(fold_column), FOR_CHOOSING},
    {"validation", 0, OPTION_FILE, "FILE", NULL, CHOOSING,
     "Table with the same columns on which lambda is chosen, instead of folds; the model is "
     "learned from "
     "DATA "
     "alone.",
     AT(validation), FOR_CHOOSING},
    {"validation-rows", 0, OPTION_TEXT, "COLUMN=VALUE", NULL, CHOOSING,
     "The same for rows of DATA: those with VALUE in COLUMN, which is no input.",
     AT(validation_rows), FOR_CHOOSING},
    {"confusion", 0, OPTION_FLAG, NULL, NULL, CHOOSING,
     "For classes: also count how often each is taken for another, over the rows left out, at "
     "lambda.min. "
     "Each "
     "row counts once, whatever its weight; of several splits that leave it out, in the first.",
     AT(confusion), FOR_CV},
    {"measure", 0, OPTION_CHOICE, "rmse|mse|mae|r2|accuracy|balanced-accuracy|auc|errors", NULL,
     CHOOSING,
     "What is to be best on the rows left out; 'rls2 help measures' defines them. Default: rmse, "
     "accuracy "
     "for "
     "classes, r2 for several targets (the mean over them).",
     AT(measure), FOR_CHOOSING},
    {"baselines", 0, OPTION_FLAG, NULL, NULL, CHOOSING,
     "Compare with kernels that are not learned also above 1,000 rows, where it takes longer than "
     "the fit.",
     AT(baselines), FOR_CHOOSING},
    {"no-baselines", 0, OPTION_FLAG, NULL, NULL, CHOOSING,
     "Leave out what is computed for comparison, to save its time: averages of all kernels, the "
     "one best aligned with the target, and ridge regression on the inputs.",
     AT(no_baselines), FOR_CHOOSING},

    {"output", 'o', OPTION_FILE, "MODEL", NULL, RESULTS,
     "File for the model, written whole or not at all. Without it nothing is kept.", AT(output),
     FOR_TRAIN},
    {"output", 'o', OPTION_FILE, "FILE", NULL, RESULTS,
     "File for the result, written whole or not at all. Default: the standard output.", AT(output),
     FOR_PATH | FOR_CV | FOR_PREDICT},
    {"output", 'o', OPTION_FILE, "FOLDER", "reproduction", RESULTS,
     "Folder for tables and figures: each experiment has one of its own in it, and index.html "
     "shows all.",
     AT(folder), FOR_REPRODUCE},
    {"std", 0, OPTION_FLAG, NULL, NULL, RESULTS,
     "Add the standard deviation of each prediction, read as that of a Gaussian process with the "
     "learned "
     "kernel.",
     AT(std), FOR_PREDICT},
    {"contributions", 0, OPTION_FLAG, NULL, NULL, RESULTS,
     "Add what each kernel contributes to each prediction; with the intercept they sum to it.",
     AT(contributions), FOR_PREDICT},
    {"top", 0, OPTION_COUNT, "N", "20", RESULTS,
     "List the N kernels, and the N columns, that matter most; 0 lists all. --json always has all "
     "of them.",
     AT(top), FOR_SHOW},
    {"of", 0, OPTION_TEXT, "NAME", NULL, RESULTS,
     "Of a model of several classes or targets, the one that is shown. Default: all of them.",
     AT(of), FOR_SHOW},
    {"top", 0, OPTION_COUNT, "N", "20", RESULTS,
     "List the first N kernels; 0 lists all. --json always has all of them.", AT(top), FOR_KERNELS},

    {"output", 'o', OPTION_FILE, "FILE", NULL, PICTURE,
     "File for the picture: .svg, .png, .pdf or .txt. Default: drawn with characters on the "
     "standard output.",
     AT(output), FOR_PLOT},
    {"output", 'o', OPTION_FILE, "FILE", NULL, PICTURE,
     "Also draw the coefficients along the path, as SVG.", AT(output), FOR_DEMO},
    {"kind", 0, OPTION_CHOICE, "profile|scores|selection|kernels|features|curve", NULL, PICTURE,
     "What is drawn: weights or coefficients along the path, scores along the path, which kernels "
     "are "
     "selected where, the kernels or features of a model by importance, or the curve of "
     "cross-validation. "
     "Default: "
     "profile for a path, curve for cross-validation, kernels for a model.",
     AT(kind), FOR_PLOT},
    {"against", 0, OPTION_CHOICE, "df|lambda", NULL, PICTURE,
     "Horizontal axis of a path: degrees of freedom, or lambda on a logarithmic scale. Default: df "
     "for a "
     "profile, lambda for the others.",
     AT(against), FOR_PLOT},
    {"top", 0, OPTION_COUNT, "N", "10", PICTURE,
     "Draw the N kernels or features that matter most; 0 draws all.", AT(top), FOR_PLOT},
    {"of", 0, OPTION_TEXT, "NAME", NULL, PICTURE,
     "Of a model or a path of several classes or targets, the one that is drawn. Default: the mean "
     "over all "
     "of them for a "
     "model, the first of them for a profile or a selection; scores are of all together.",
     AT(of), FOR_PLOT},
    {"title", 0, OPTION_TEXT, "TEXT", NULL, PICTURE,
     "Title of the picture. Default: the name of the file.", AT(title), FOR_PLOT},
    {"width", 0, OPTION_COUNT, "N", NULL, PICTURE,
     "Width of the picture, in pixels, in a terminal in characters. Default: 800, of a PNG 1600, "
     "or that of "
     "the terminal.",
     AT(width), FOR_PLOT},
    {"height", 0, OPTION_COUNT, "N", NULL, PICTURE,
     "Height of the picture, likewise. Default: as it suits.", AT(height), FOR_PLOT},

    {"port", 0, OPTION_COUNT, "N", "0", RESULTS,
     "Port of 127.0.0.1 the server listens at; 0 means any free one.", AT(port), FOR_GUI},
    {"no-browser", 0, OPTION_FLAG, NULL, NULL, RESULTS,
     "Do not open the page in a browser: only print its address.", AT(no_browser), FOR_GUI},

    {"json", 0, OPTION_FLAG, NULL, NULL, COMMON,
     "Print the result as one JSON object, for other programs to read.", AT(json), FOR_ALL},
    {"quiet", 'q', OPTION_FLAG, NULL, NULL, COMMON,
     "No progress bar and no remarks; errors are still reported.", AT(quiet), FOR_ALL},
    {"threads", 0, OPTION_COUNT, "N", "0", COMMON,
     "Processor cores to use where work can be shared (making kernels, cross-validation, "
     "predicting many "
     "rows); 0 means all. "
     "The "
     "result is the same for any number.",
     AT(threads), FOR_ALL},
    {"seed", 0, OPTION_COUNT, "N", "0", COMMON,
     "Start of the random numbers that cross-validation draws its parts with, and reproduce its "
     "splits; "
     "other "
     "commands draw none.",
     AT(seed), FOR_ALL},
};

const int OPTION_COUNT_ALL = sizeof OPTIONS / sizeof OPTIONS[0];
