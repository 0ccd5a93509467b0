/* The settings. {NAME} in a text is the name of another one, which each front end writes in its
 * own way. A new one is a row here, a member of rls2__wishes, and the place that acts on it;
 * the command's options, the page's fields and Python's parameters follow. */
#include <float.h>
#include <math.h>

#include "plan/wishes.h"
#include "select/stability_bound.h"

#define AT(name) .member = offsetof(rls2__wishes, name)
#define ANY HUGE_VAL

static const char READING[] = "Reading files", DATA[] = "Data", PREPARING[] = "Preprocessing",
                  KERNELS[] = "Kernels", FITTING[] = "Fitting", CHOOSING[] = "Choosing lambda";

const rls2_setting rls2__settings[] = {
    /* ---- data ---- */
    {"target", RLS2_SETTING_LIST, RLS2_SCOPE_DATA, AT(target), .letter = "t", .value = "COLUMN",
     .section = DATA, .label = "Target", .sentence = "Column to predict.",
     .help = "Several columns of numbers are predicted separately, with one lambda, from the rows "
             "that have all of them. Formats with a target by convention (LIBSVM, .npz, .mat) need "
             "no name."},
    {"task", RLS2_SETTING_CHOICE, RLS2_SCOPE_DATA, AT(task),
     .choices = "auto|regression|classification", .fallback = "auto", .section = DATA,
     .label = "Task", .sentence = "Predict a number or a class.",
     .help = "auto means classification if the target is text or has exactly two values, else "
             "regression; the choice is reported."},
    {"row-weights", RLS2_SETTING_COLUMN, RLS2_SCOPE_FITTING, AT(row_weights), .value = "COLUMN",
     .former = "weights", .section = DATA, .label = "Row weights",
     .sentence = "Column of row weights.",
     .help = "A row of weight 2 counts exactly as two rows in the fit, in means and deviations and "
             "in scores; rows of weight 0 are left out. The column is not an input. Folds and "
             "{select} loo leave out a row with all it stands for."},
    {"class-weights", RLS2_SETTING_TEXT, RLS2_SCOPE_FITTING, AT(class_weights),
     .value = "balanced|LABEL=X,...", .python = "class_weight", .section = DATA,
     .label = "Class weights",
     .sentence = "Weight of the rows of each class in the fit and in kernel scalings.",
     .help = "'balanced' gives every class the same total weight. Deviations of columns and scores "
             "are not affected, nor are means of columns unless every kernel is linear: these are "
             "then weighted as the fit is."},
    {"drop", RLS2_SETTING_LIST, RLS2_SCOPE_DATA, AT(drop), .value = "COLUMN", .section = DATA,
     .label = "Left out", .sentence = "Column to leave out, such as a name or a sample number."},
    {"columns", RLS2_SETTING_CHOICE, RLS2_SCOPE_DATA, AT(columns), .choices = "auto|all",
     .fallback = "auto", .section = DATA, .label = "Columns left out by themselves",
     .sentence =
         "auto leaves out columns that only name the rows, that have one value, that repeat "
         "another column or that give the target away; all keeps them.",
     .help = "What was left out is reported. A column named in {categorical}, {kernels} or {group} "
             "stays, and so does the last input. auto also takes few whole numbers for categories "
             "where a word is among them, or where a file has them between quotes as it has texts. "
             "Formats without names of columns (LIBSVM, .npy, .npz, .mat) are used as they are."},
    {"categorical", RLS2_SETTING_LIST, RLS2_SCOPE_DATA, AT(categorical), .value = "COLUMN",
     .python = "categorical", .section = DATA, .label = "Categorical",
     .sentence = "Column of numbers to treat as categories, such as a batch or a region.",
     .help = "It becomes one 0/1 column for each value, as text columns always do."},
    {"reference", RLS2_SETTING_FLAG, RLS2_SCOPE_DATA, AT(reference), .fallback = "false",
     .python = "reference", .section = DATA, .label = "Reference level",
     .sentence = "Leave out the last 0/1 column of the first categorical column, as a reference "
                 "level."},
    {"missing", RLS2_SETTING_CHOICE, RLS2_SCOPE_DATA, AT(missing),
     .choices = "auto|impute|drop|error", .fallback = "auto", .python = "missing", .section = DATA,
     .label = "Empty cells",
     .sentence = "What to do with rows that have an empty cell in an input: fill it, leave the row "
                 "out, or stop.",
     .help = "impute fills in the median of a column of numbers, or the most frequent category, "
             "learned from the training rows of each split, and adds a column NAME=missing that "
             "says where. auto does so where more than 5 % of the rows would be lost, and leaves "
             "rows out otherwise. Which columns cost how many rows is reported. Rows without "
             "target are always left out, but with error, which stops at the first empty cell."},
    {"rare", RLS2_SETTING_COUNT, RLS2_SCOPE_DATA, AT(rare), .value = "N", .fallback = "0",
     .python = "rare", .section = DATA, .label = "Rare categories", .least = 0, .most = 1e9,
     .sentence = "Fewest rows of a category that has a 0/1 column of its own; rarer ones share "
                 "the column NAME=other.",
     .help = "1 pools none. 0 means by itself: in a column of more than 20 categories, those of "
             "fewer than 3 rows, or one row in 200 unless all are that rare, are pooled, and all "
             "but the 100 most frequent."},
    {"test-rows", RLS2_SETTING_TEXT, RLS2_SCOPE_DATA, AT(test_rows), .value = "COLUMN=VALUE",
     .section = DATA, .label = "Test rows",
     .sentence = "Hold out the rows with VALUE in COLUMN as test rows.",
     .help = "They are not learned from; train and path report scores on them. The column is not "
             "an input."},
    {"test-share", RLS2_SETTING_NUMBER, RLS2_SCOPE_DATA, AT(test_share), .value = "X",
     .section = DATA, .label = "Test share", .least = 0, .most = 1,
     .sentence = "Hold out this share of the rows, drawn at random, as test rows.",
     .help = "Stratified by class; the same seed draws the same rows."},
    {"shuffle", RLS2_SETTING_FLAG, RLS2_SCOPE_DATA, AT(shuffle), .fallback = "false",
     .section = DATA, .label = "Shuffle rows", .sentence = "Shuffle the training rows first.",
     .help = "Folds are drawn at random anyway; this matters only where the order of rows does."},

    /* ---- reading ---- */
    {"format", RLS2_SETTING_CHOICE, RLS2_SCOPE_READING, AT(format),
     .choices = "auto|csv|libsvm|npy|npz|mat", .fallback = "auto", .section = READING,
     .label = "Format",
     .sentence = "Format of the data; auto detects it from content and file name.",
     .help = "Any of them may be compressed with gzip."},
    {"delimiter", RLS2_SETTING_TEXT, RLS2_SCOPE_READING, AT(delimiter), .value = "CHARACTER",
     .section = READING, .label = "Delimiter",
     .sentence = "What separates the cells of a CSV file; 'tab' for a tab, 'space' for blanks.",
     .help = "Default: the comma, tab, semicolon, bar or blanks found in its first lines."},
    {"header", RLS2_SETTING_CHOICE, RLS2_SCOPE_READING, AT(header), .choices = "auto|yes|no",
     .fallback = "auto", .section = READING, .label = "Header",
     .sentence = "Whether the first line of a CSV file holds the names of the columns.",
     .help = "auto: it does unless it has numbers where the columns are numbers. Without a header "
             "they are called x1, x2, ..."},
    {"decimal", RLS2_SETTING_CHOICE, RLS2_SCOPE_READING, AT(decimal), .choices = "auto|.|,",
     .fallback = "auto", .section = READING, .label = "Decimal separator",
     .sentence = "Decimal separator of numbers in a CSV file: a point or a comma.",
     .help = "auto finds it for each column, with thousands separators, percent and currency "
             "signs."},
    {"na", RLS2_SETTING_LIST, RLS2_SCOPE_READING, AT(na), .value = "TEXT", .section = READING,
     .label = "Missing values",
     .sentence = "Text that stands for a missing value, in place of the usual words.",
     .help = "These are NA, N/A, NaN, null, None and the like; '?', '.' and '-' too where the rest "
             "of the column is numbers. An empty cell always is missing; with 'none' no other."},

    /* ---- preprocessing ---- */
    {"standardize", RLS2_SETTING_SWITCH, RLS2_SCOPE_DATA, AT(standardize), .fallback = "auto",
     .python = "standardize", .section = PREPARING, .label = "Standardize columns",
     .sentence = "Give every column mean 0 and standard deviation 1: short for {features} "
                 "'standardize' or, where false, 'none'.",
     .help = "auto leaves it to {features}, which standardises by default."},
    {"features", RLS2_SETTING_CHOICE, RLS2_SCOPE_DATA, AT(features),
     .choices = "auto|none|center|standardize|unit", .fallback = "auto", .python = "features",
     .section = PREPARING, .label = "Columns",
     .sentence = "Preprocessing of each column, measured on the training rows.",
     .help = "center subtracts the mean, standardize also divides by the standard deviation, unit "
             "divides by the Euclidean length. auto is standardize, or none where {examples} is "
             "set or a LIBSVM file is mostly zeros. Where every kernel is linear and {intercept} "
             "is auto, none means center."},
    {"examples", RLS2_SETTING_CHOICE, RLS2_SCOPE_DATA, AT(examples),
     .choices = "none|center|standardize|unit", .fallback = "none", .python = "examples",
     .section = PREPARING, .label = "Rows",
     .sentence = "The same for each row, over its columns, before {features}.",
     .help = "For spectra or expression profiles."},
    {"transductive", RLS2_SETTING_FLAG, RLS2_SCOPE_TESTING, AT(transductive), .fallback = "false",
     .section = PREPARING, .label = "Transductive",
     .sentence = "Measure columns and kernels on the test rows too; their target is never used."},
    {"transductive-features", RLS2_SETTING_FLAG, RLS2_SCOPE_TESTING, AT(transductive_features),
     .fallback = "false", .section = PREPARING, .label = "Transductive columns",
     .sentence = "The same for columns alone; kernels are measured on the training rows."},

    /* ---- kernels ---- */
    {"kernels", RLS2_SETTING_LIST, RLS2_SCOPE_DATA, AT(kernels), .letter = "k", .value = "SPEC",
     .python = "kernels", .section = KERNELS, .label = "Kernels",
     .sentence = "Dictionary of kernels, such as 'linear' or 'rbf(0.01:10:4)@all,each'.",
     .help = "Default: paper, that is polynomials and Gaussians of several widths on all columns "
             "together and on each alone, but one linear kernel on a column of two values, and one "
             "on all indicators of a text column; above 3,000 rows also on pairs of inputs that "
             "say more together, and up to that on all columns with widths that are learned. "
             "linear if there are more than 200 inputs, or more than 3,000 rows and {method} "
             "exact."},
    {"plain", RLS2_SETTING_FLAG, RLS2_SCOPE_DATA, AT(plain), .fallback = "false", .python = "plain",
     .section = KERNELS, .label = "As in the paper",
     .sentence = "RLS2 as in the paper: one sparse model, and no default beyond that.",
     .help = "The default {kernels} have none with learned widths then, and {stack} is false."},
    {"group", RLS2_SETTING_LIST, RLS2_SCOPE_DATA, AT(group), .value = "NAME=COLUMN,...",
     .python = "groups", .section = KERNELS, .label = "Groups of columns",
     .sentence = "Name for a set of columns, to write rbf(0.1)@group:NAME.",
     .help = "Patterns such as gene_* may be used."},
    {"scaling", RLS2_SETTING_CHOICE, RLS2_SCOPE_FITTING, AT(scaling),
     .choices = "none|trace|fisher|fisher-sqrt", .fallback = "trace", .python = "scaling",
     .section = KERNELS, .label = "Scaling",
     .sentence = "How kernels are made comparable: not at all, by their trace, or by the spread "
                 "within classes.",
     .help = "fisher and fisher-sqrt are for classification."},
    {"center", RLS2_SETTING_FLAG, RLS2_SCOPE_FITTING, AT(center), .fallback = "false",
     .python = "center", .section = KERNELS, .label = "Center kernels",
     .sentence = "Scale by the trace of the centered kernel, so that a constant part does not "
                 "count.",
     .help = "Needs {scaling} 'trace'."},
    {"rank-tol", RLS2_SETTING_NUMBER, RLS2_SCOPE_FITTING, AT(rank_tol), .value = "X",
     .fallback = "1e-14", .python = "rank_tol", .section = KERNELS, .label = "Rank tolerance",
     .least = -DBL_TRUE_MIN, .most = 1,
     .sentence = "Share of a kernel's trace a low-rank factor may leave out.",
     .help = "What is left out is counted in every duality gap. 0 stores kernels of several "
             "columns without factors."},
    {"memory", RLS2_SETTING_TEXT, RLS2_SCOPE_DATA, AT(memory), .value = "SIZE", .python = "memory",
     .section = KERNELS, .label = "Memory",
     .sentence = "Memory for stored kernels, such as 500M or 2G; the others are recomputed when "
                 "needed, with the same result.",
     .help = "'rls2 kernels' forecasts what they take. Default: half of the memory of the machine "
             "or container; in cross-validation each split has that divided by the number of "
             "processors."},

    /* ---- fitting ---- */
    {"loss", RLS2_SETTING_TEXT, RLS2_SCOPE_FITTING, AT(loss), .value = "LOSS", .fallback = "square",
     .python = "loss", .section = FITTING, .label = "Loss",
     .sentence = "What an error costs: square, or for numbers huber(A), quantile(A), epsilon(A), "
                 "absolute, poisson, for classes logistic, hinge, squared-hinge.",
     .help = "logistic gives probabilities of classes, quantile(0.9) a value that nine rows in ten "
             "stay below, quantile(0.05,0.5,0.95) several of them that do not cross, poisson the "
             "rate of counts; huber, absolute and epsilon forgive outliers, A being a distance in "
             "units of the target: half or a tenth of its spread where huber or epsilon stand "
             "alone. Every one has a duality gap; 'rls2 help losses' defines "
             "them."},
    {"probability", RLS2_SETTING_FLAG, RLS2_SCOPE_FITTING, AT(probability), .fallback = "false",
     .python = "probability", .section = FITTING, .label = "Probabilities",
     .sentence = "Learn probabilities of the classes: short for {loss} logistic."},
    {"outputs", RLS2_SETTING_CHOICE, RLS2_SCOPE_FITTING, AT(outputs), .choices = "separate|shared",
     .fallback = "separate", .python = "outputs", .section = FITTING, .label = "Kernel weights",
     .sentence = "Whether several classes or targets have kernel weights of their own or share one "
                 "set.",
     .help = "Shared weights leave fewer kernels to explain. With {loss} logistic shared classes "
             "are multinomial; separate ones are each held against the rest."},
    {"lambda", RLS2_SETTING_NUMBER, RLS2_SCOPE_LAMBDA, AT(lambda), .value = "X", .python = "alpha",
     .section = FITTING, .label = "Lambda", .least = 0, .most = ANY,
     .sentence = "Amount of regularisation: the larger, the smoother the model and the fewer its "
                 "kernels.",
     .help = "Default: chosen as {select} says; for a path there is no default. With {lambdas}, of "
             "which it should be one to six digits, the path over them is followed down to it, as "
             "it is when lambda is chosen among them; alone it is fitted by itself."},
    {"lambdas", RLS2_SETTING_TEXT, RLS2_SCOPE_FITTING, AT(lambdas), .value = "LO:HI:N",
     .python = "alphas", .section = FITTING, .label = "Lambdas",
     .sentence = "Values of lambda: N of them, log-spaced from LO to HI, or a list X,Y,Z.",
     .help = "Default: from the data, five to a decade, from a constant prediction down to a "
             "millionth of where the fit begins, and further while the smallest is best."},
    {"lambda-count", RLS2_SETTING_COUNT, RLS2_SCOPE_FITTING, AT(lambda_count), .value = "N",
     .python = "n_alphas", .section = FITTING, .label = "Number of lambdas", .least = 1,
     .most = 100000,
     .sentence = "Number of values of lambda on a grid from the data that is not extended.",
     .help = "Its top is where the best kernel alone leaves a tenth of the fit. Default: 30 where "
             "{lambda-ratio} is set, else the grid of {lambdas}."},
    {"lambda-ratio", RLS2_SETTING_NUMBER, RLS2_SCOPE_FITTING, AT(lambda_ratio), .value = "X",
     .python = "eps", .section = FITTING, .label = "Range of lambdas", .least = 0, .most = 1,
     .sentence = "Ratio of the smallest lambda to the largest on that grid.",
     .help = "Default: 1e-6 where {lambda-count} is set."},
    {"intercept", RLS2_SETTING_CHOICE, RLS2_SCOPE_FITTING, AT(intercept),
     .choices = "auto|none|mean|free", .fallback = "auto", .python = "intercept",
     .section = FITTING, .label = "Intercept",
     .sentence = "Constant part of the prediction: none, the mean of the target (the best constant "
                 "of another loss), or free, found with the rest and not penalised.",
     .help = "auto is mean for regression. For classes it is none, as in the paper, unless every "
             "kernel is linear and so has no constant part of its own. Where every kernel is "
             "linear, auto also centers the columns, so that the intercept is that of ridge "
             "regression; none and mean leave them alone, as in the paper. With any {loss} but "
             "square auto is free."},
    {"method", RLS2_SETTING_CHOICE, RLS2_SCOPE_FITTING, AT(method), .choices = "auto|exact|tall",
     .fallback = "auto", .python = "method", .section = FITTING, .label = "Method",
     .sentence = "exact computes with the rows themselves; tall counts them first, in time that "
                 "hardly depends on how many there are.",
     .help = "auto is tall above 3000 rows where the kernels are the default ones, above 20000 "
             "where they were asked for, and exact where these are linear. Columns of few "
             "different values lose nothing by tall; others are seen at some hundred points."},
    {"solver", RLS2_SETTING_CHOICE, RLS2_SCOPE_FITTING, AT(solver), .choices = "newton|alternate",
     .fallback = "newton", .python = "solver", .section = FITTING, .label = "Solver",
     .sentence = "newton is fast and stops on the duality gap; alternate is the paper's method, "
                 "for comparison."},
    {"gap-tol", RLS2_SETTING_NUMBER, RLS2_SCOPE_FITTING, AT(gap_tol), .value = "X",
     .fallback = "1e-6", .python = "gap_tol", .section = FITTING, .label = "Relative gap",
     .least = 0, .most = ANY,
     .sentence = "Relative duality gap at which newton stops: the objective is proved to be "
                 "within this share of the best."},
    {"delta", RLS2_SETTING_NUMBER, RLS2_SCOPE_FITTING, AT(delta), .value = "X", .fallback = "1e-2",
     .python = "delta", .section = FITTING, .label = "Residual", .least = 0, .most = ANY,
     .sentence = "Relative residual at which the solver alternate stops.",
     .help = "The gap is reported all the same."},
    {"max-iter", RLS2_SETTING_COUNT, RLS2_SCOPE_FITTING, AT(max_iter), .value = "N",
     .fallback = "200", .python = "max_iter", .section = FITTING, .label = "Iterations", .least = 1,
     .most = 1e9, .sentence = "Largest number of iterations for each lambda.",
     .help = "Where they are not enough the result says so, with the gap reached."},
    {"df", RLS2_SETTING_CHOICE, RLS2_SCOPE_FITTING, AT(df), .choices = "auto|each|none",
     .fallback = "auto", .python = "df", .section = FITTING, .label = "Degrees of freedom",
     .sentence = "Degrees of freedom of a path at each lambda, or at none.",
     .help = "auto leaves them out above 3,000 rows, where they take twice the time of the path, "
             "unless a criterion of {select} needs them or kernels are of few dimensions together. "
             "The model that is chosen has them, unless it is none."},

    /* ---- choosing lambda ---- */
    {"select", RLS2_SETTING_CHOICE, RLS2_SCOPE_CHOICE, AT(select),
     .choices = "cv|gcv|cp|aic|bic|loo|none", .fallback = "cv", .python = "select",
     .section = CHOOSING, .label = "Criterion",
     .sentence = "How lambda is chosen: by cross-validation, by a criterion computed from one "
                 "path on all rows, or not at all.",
     .help = "The criteria are generalised cross-validation, Mallows' Cp, AIC, BIC, and leaving "
             "one row out with the kernel weights kept; 'rls2 help measures' says what they mean "
             "for classes."},
    {"rule", RLS2_SETTING_CHOICE, RLS2_SCOPE_CHOICE, AT(rule), .choices = "min|1se",
     .fallback = "min", .python = "rule", .section = CHOOSING, .label = "Rule",
     .sentence = "With cross-validation: the best lambda, or the largest within one standard error "
                 "of it.",
     .help = "A single split has no standard error, and the best is taken."},
    {"stack", RLS2_SETTING_SWITCH, RLS2_SCOPE_CHOICE, AT(stack), .fallback = "auto",
     .python = "stack", .section = CHOOSING, .label = "Stack",
     .sentence = "Add to the sparse model what averages of all kernels and the best single ones "
                 "say, with weights found on the left-out rows.",
     .help = "More accurate where few kernels do not say all. The sparse part keeps its kernels, "
             "explanation and certificate; the others are plain regularised least squares. "
             "Contributions still sum to the prediction. For the square loss. auto does so where "
             "kernels are the default and cross-validation chooses lambda by {rule} min."},
    {"interval", RLS2_SETTING_NUMBER, RLS2_SCOPE_CHOICE, AT(interval), .value = "X",
     .python = "interval", .section = CHOOSING, .label = "Prediction interval", .least = 0,
     .most = 1,
     .sentence = "Calibrate prediction intervals that hold this share of new rows, such as 0.9, on "
                 "the left-out rows.",
     .help = "For numbers. Errors of left-out rows at the chosen lambda say how wide they are; "
             "where no rows are left out to choose it, {folds} are made for that. With {loss} "
             "quantile(0.05,0.5,0.95) the outer quantiles are calibrated, and widths differ from "
             "row to row. Cross-validation also says which share of left-out rows they hold, and "
             "how wide they are, when calibrated on the left-out rows of other splits."},
    {"stability", RLS2_SETTING_COUNT, RLS2_SCOPE_SPLITS, AT(stability), .value = "PAIRS",
     .fallback = "0", .python = "stability", .section = CHOOSING, .label = "Stability selection",
     .least = 0, .most = RLS2__MOST_PAIRS,
     .sentence =
         "Count how often each input is selected when only half of the rows are there, over "
         "so many random pairs of halves, such as 50.",
     .help =
         "Inputs that at least 75 % of the halves select are called stable; the expected number "
         "of wrong ones among them is bounded by {stability-errors}. It does not change the "
         "model. Kernels that look at one to three inputs select them; those on more, or on "
         "all, select none."},
    {"stability-errors", RLS2_SETTING_NUMBER, RLS2_SCOPE_SPLITS, AT(stability_errors), .value = "X",
     .fallback = "1", .python = "stability_errors", .section = CHOOSING,
     .label = "Wrong inputs expected", .least = 0, .most = 1e9,
     .sentence = "How many inputs {stability} may call stable by mistake, on average.",
     .help = "The bound holds whatever the data are; it says how many inputs each half may select "
             "before its path ends."},
    {"folds", RLS2_SETTING_COUNT, RLS2_SCOPE_SPLITS, AT(folds), .value = "K", .fallback = "10",
     .python = "cv", .section = CHOOSING, .label = "Folds", .least = 2, .most = 1e9,
     .sentence = "Number of folds of the cross-validation.",
     .help = "Folds are stratified by class."},
    {"repeats", RLS2_SETTING_COUNT, RLS2_SCOPE_SPLITS, AT(repeats), .value = "N", .fallback = "1",
     .python = "repeats", .section = CHOOSING, .label = "Repeats", .least = 1, .most = 1e6,
     .sentence = "Repeat the cross-validation N times with other folds."},
    {"splits", RLS2_SETTING_COUNT, RLS2_SCOPE_SPLITS, AT(splits), .value = "N", .fallback = "0",
     .section = CHOOSING, .label = "Random splits", .least = 0, .most = 1e6,
     .sentence = "Use N random splits instead of folds; {share} says how many rows each learns "
                 "from."},
    {"share", RLS2_SETTING_NUMBER, RLS2_SCOPE_SPLITS, AT(share), .value = "X", .fallback = "0.7",
     .section = CHOOSING, .label = "Training share", .least = 0, .most = 1,
     .sentence = "Share of the rows each random split learns from."},
    {"fold-column", RLS2_SETTING_COLUMN, RLS2_SCOPE_SPLITS, AT(fold_column), .value = "COLUMN",
     .section = CHOOSING, .label = "Fold column", .sentence = "Column whose values are the folds.",
     .help = "Rows where it is empty are always learned from. The column is not an input."},
    {"validation-rows", RLS2_SETTING_TEXT, RLS2_SCOPE_SPLITS, AT(validation_rows),
     .value = "COLUMN=VALUE", .section = CHOOSING, .label = "Validation rows",
     .sentence = "Choose lambda on the rows with VALUE in COLUMN instead of on folds.",
     .help = "The model is not learned from them. The column is not an input."},
    {"measure", RLS2_SETTING_CHOICE, RLS2_SCOPE_SPLITS, AT(measure),
     .choices = "auto|rmse|mse|mae|r2|accuracy|balanced-accuracy|auc|errors|log-loss|brier|"
                "pinball|deviance",
     .fallback = "auto", .python = "scoring", .section = CHOOSING, .label = "Measure",
     .sentence = "Measure of the predictions of left-out rows.",
     .help = "auto is accuracy for classes, rmse for one target and r2, averaged over the targets, "
             "for several; with another {loss} than square what goes with it: log-loss, pinball, "
             "deviance, mae. 'rls2 help measures' defines them."},
    {"baselines", RLS2_SETTING_SWITCH, RLS2_SCOPE_SPLITS, AT(baselines), .fallback = "auto",
     .python = "baselines", .section = CHOOSING, .label = "Baselines",
     .sentence = "Compare with kernels that are not learned: averages of all, the one best aligned "
                 "with the target, and ridge regression on the inputs.",
     .help = "With another {loss} than square also with the best constant, such as the frequencies "
             "of the classes. auto computes them for up to 1,000 rows; beyond that they take "
             "longer than the fit."},
    {"seed", RLS2_SETTING_COUNT, RLS2_SCOPE_DATA, AT(seed), .value = "N", .fallback = "0",
     .python = "random_state", .section = CHOOSING, .label = "Seed", .least = 0,
     .most = 18446744073709551615.0,
     .sentence = "Seed of the random numbers that draw folds, splits and test rows."},
};

const int64_t rls2__setting_count = sizeof rls2__settings / sizeof rls2__settings[0];
