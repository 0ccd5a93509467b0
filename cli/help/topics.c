/* The texts of the help topics. */
#include "cli/help/topics.h"

#include <stddef.h>
#include <string.h>

static const char DICTIONARY[] =
    "A dictionary says which kernels to learn from. It is a line of text, given by --kernels: "
    "terms "
    "separated by semicolons, each a kernel, its numbers, and after an @ the columns it looks at. "
    "Put it "
    "in single quotes, so that the shell leaves it alone.\n\n"
    "  linear                    sparse linear model, one kernel for each column\n"
    "  paper                     the default: poly(1..3)@all,each;\n"
    "                            rbf(1e-3:1e3:10)@all,each\n"
    "  rbf(0.1)                  one Gaussian of all the columns together\n"
    "  rbf(0.01:10:4)@each       four widths of Gaussian on each column alone\n"
    "  poly(2)@age+weight        square and product terms of two columns\n"
    "  rbf(1)@gene_*             all columns whose name begins with gene_\n"
    "  linear@each; delta@batch  one term more\n\n"
    "The kernels, for two rows x and z:\n\n"
    "  linear                           x'z\n"
    "  poly(degree, offset=1, scale=1)  (offset + scale x'z)^degree\n"
    "  rbf(gamma)                       exp(-gamma |x-z|^2)\n"
    "  laplace(gamma)                   exp(-gamma |x-z|_1)\n"
    "  matern(nu, length=1)             nu = 0.5, 1.5 or 2.5\n"
    "  spline                           cubic spline, on one column\n"
    "  delta                            1 where the columns are equal, else 0\n"
    "  given(NAME)                      a matrix of your own, of --given\n\n"
    "Several values make several kernels: 1|2|5 is a list, 1..3 are whole numbers, 0.01:10:4 are "
    "four "
    "values, each the same multiple of the one before.\n\n"
    "Columns: 'all' together or 'each' alone; a name, a pattern with * or ?, a range first..last, "
    "a set "
    "a+b, a group of --group as group:NAME, or each: before any of these. Names with blanks or "
    "other "
    "signs stand in double quotes. Without an @ a kernel takes all the columns together, but "
    "linear and "
    "spline take each alone.\n\n"
    "'rls2 kernels DATA -k SPEC' lists what a dictionary means for your table.";

static const char FILES[] =
    "Tables are read from these formats, found from the content and the name, or named by "
    "--format. All "
    "of them may be compressed with gzip, and - is the standard input.\n\n"
    "  csv     cells separated by comma, tab or semicolon; names in the first line\n"
    "  libsvm  label index:value ...; columns x1, x2, ... and y\n"
    "  npy     one numpy array; columns x1, x2, ...\n"
    "  npz     numpy arrays X, and y and T where there are\n"
    "  mat     MATLAB variables X, and Y and T where there are\n\n"
    "Each row is one example. An empty cell of a CSV file is a missing value, and so is any text "
    "listed "
    "by --na. A column that holds text becomes one 0/1 column for each value. T, where a file has "
    "it, "
    "marks the test rows.\n\n"
    "In LIBSVM, .npz and .mat files y is the target. Where it has several columns they are called "
    "y1, y2, "
    "..., and all of them are predicted, unless --target names some: the others are then left "
    "out.\n\n"
    "Models are written in the safetensors layout, so other programs can open them too. A file "
    "given by "
    "--output appears when it is complete: neither an error nor Ctrl-C leaves half of one, or "
    "harms the "
    "one that was there before.";

static const char MEASURES[] =
    "How good predictions are, by --measure and in what is printed. Each row counts by its weight, "
    "where "
    "--weights gives one.\n\n"
    "  rmse               root of the mean squared error\n"
    "  mse                mean squared error\n"
    "  mae                mean absolute error\n"
    "  r2                 1 less the squared error as a share of that of the mean\n"
    "  accuracy           share of the rows whose class is named\n"
    "  balanced-accuracy  that share within each class, the mean over the classes\n"
    "  auc                area under the ROC curve: how often, of two rows of which\n"
    "                     one is of the class, that one has the larger score\n"
    "  errors             number of rows whose class is not named\n\n"
    "Of several targets it is the mean over them. Of more than two classes auc is computed for "
    "each class "
    "against all others, by the score of that class, and the mean is taken over the classes for "
    "which it is "
    "defined: those that some of the rows are of, but not all. balanced-accuracy is over the "
    "classes that "
    "occur. r2 is not defined on single rows, nor is auc.\n\n"
    "The criteria of --select (gcv, cp, aic, bic, loo) are computed from the errors of the fit and "
    "its "
    "degrees "
    "of freedom, the least is best. For classes the errors are those of the numbers -1 and +1 that "
    "are "
    "learned, "
    "not the count of rows that are taken for another class. Of several targets, or more than two "
    "classes, "
    "the sum over them is what counts.\n\n"
    "A weight of --weights is a number of rows: all is as if the row were there so often, means "
    "and "
    "deviations "
    "of columns, scalings of kernels, the fit, its certificate and degrees of freedom, criteria, "
    "and scores; "
    "but rows are left out whole, in folds and by loo. Weights of classes count in the fit, in its "
    "criteria "
    "and in the scalings of kernels, and nowhere else.";

static const char EXIT_CODES[] =
    "What the exit code of every command means:\n\n"
    "  0    what was asked is done\n"
    "  1    the work failed: a file, its contents, memory, a check\n"
    "  2    the command line is wrong\n"
    "  130  stopped by Ctrl-C\n\n"
    "Results go to the standard output, everything else (errors, remarks, the progress bar) to the "
    "standard error. The bar is drawn only on a terminal.";

const topic TOPICS[] = {
    {"dictionary", "how to write the kernels to learn from", DICTIONARY},
    {"files", "formats that are read and written", FILES},
    {"measures", "what scores and criteria mean, and what weights count in", MEASURES},
    {"exit-codes", "what a script needs to know", EXIT_CODES},
    {NULL, NULL, NULL},
};

const topic *topic_find(const char *name)
{
    for (const topic *t = TOPICS; t->name; t++)
        if (strcmp(t->name, name) == 0) return t;
    return NULL;
}
