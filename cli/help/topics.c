/* The texts of the help topics. */
#include "cli/help/topics.h"

#include <stddef.h>
#include <string.h>

#include "cli/progress.h"

static const char DICTIONARY[] =
    "A dictionary is the set of kernels to learn from. It is a line of text, given by --kernels: "
    "terms separated by semicolons, each a kernel, its parameters and, after an @, the columns "
    "it uses. Put it in single quotes to protect it from the shell.\n\n"
    "  linear                    sparse linear model, one kernel for each column\n"
    "  paper                     the default for numbers: poly(1..3)@all,each;\n"
    "                            rbf(1e-3:1e3:10)@all,each\n"
    "  rbf(0.1)                  one Gaussian of all columns together\n"
    "  rbf(0.01:10:4)@each       four widths of Gaussian on each column alone\n"
    "  poly(2)@age+weight        square and product terms of two columns\n"
    "  rbf(1)@gene_*             all columns whose name begins with gene_\n"
    "  linear@each; delta@batch  two terms\n\n"
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
    "four log-spaced values. In the place of gamma or length 'learn' is a width for each column, "
    "learned from the training rows; learn*4 is four times that. "
    "rbf(learn*0.25|learn|learn*4)@all often predicts better where columns matter differently; "
    "'rls2 show' then says which do.\n\n"
    "Columns: 'all' together or 'each' alone; a name, a pattern with * or ?, a range "
    "first..last, a set a+b, a group of --group as group:NAME, or each: before any of these. "
    "Names with blanks or special characters go in double quotes. Without an @ a kernel uses all "
    "columns together, but linear and spline use each alone.\n\n"
    "'rls2 kernels DATA -k SPEC' lists the kernels of a dictionary for your table.";

static const char FILES[] =
    "Tables are read in these formats, detected from content and file name or given by --format. "
    "All may be compressed with gzip, and - is the standard input.\n\n"
    "  csv     cells separated by comma, tab, semicolon, bar or blanks\n"
    "  libsvm  label index:value ...; columns x1, x2, ... and y\n"
    "  npy     one numpy array; columns x1, x2, ...\n"
    "  npz     numpy arrays X and, if present, y and T\n"
    "  mat     MATLAB variables X and, if present, Y and T\n"
    "          Parquet and Feather, where python3 has pyarrow (pip install pyarrow)\n\n"
    "Each row is one example. A text column becomes one 0/1 column for each value. T, if present, "
    "marks the test rows.\n\n"
    "A CSV file is read as its author meant it, and what was found is told. The first line holds "
    "the names unless it has numbers where the columns are numbers (--header). A first column "
    "without a name, as R and pandas write it, names the rows and is no input. Empty cells are "
    "missing values, and so are NA, N/A, NaN, null, None and the like, unless in quotes; '?', '.' "
    "and '-' where the "
    "rest of the column is numbers (--na). Numbers may have decimal commas, separated thousands, "
    "percent and currency signs (--decimal): '12 %' is 12. Dates and times, 2001-01-31T14:05, "
    "31.1.2001, 1/31/01, 31-Jan-2001, 2:05 PM, are days since 1970-01-01; the clock is taken as "
    "written, whatever its time zone. Where nothing tells day from month, slashes and hyphens "
    "mean month first, points and files with decimal commas day first. The text may be UTF-8, "
    "UTF-16 or Windows-1252, of which Latin-1 is a part. Workbooks of Excel are not read: save "
    "them as CSV.\n\n"
    "A model remembers how the numbers and dates of its inputs are written, and reads new rows "
    "so.\n\n"
    "In LIBSVM, .npz and .mat files y is the target. If it has several columns they are called "
    "y1, y2, ..., and all of them are predicted unless --target names some; the others are then "
    "left out.\n\n"
    "Models are written in the safetensors layout, so other programs can open them too. A file "
    "given by --output appears when it is complete: neither an error nor Ctrl-C leaves a partial "
    "file, or harms the one that was there before.";

static const char LOSSES[] =
    "--loss says what a prediction t costs where the target is y. The default, square, is the "
    "paper's; any other is learned in the same way: the sum of the loss over the rows plus "
    "lambda/2 times the squared norm, and a duality gap that bounds how far that is from the "
    "optimum.\n\n"
    "For numbers:\n\n"
    "  square         1/2 (y - t)^2                   the mean\n"
    "  huber(A)       the same up to |y - t| = A,     the mean, but outliers count\n"
    "                 A |y - t| - A^2/2 beyond        less; A in units of y\n"
    "  absolute       |y - t|                         the median\n"
    "  quantile(A)    A (y - t) above,                the value that a share A of\n"
    "                 (1 - A)(t - y) below            all rows stays below\n"
    "  epsilon(A)     max(0, |y - t| - A)             support vector regression:\n"
    "                                                 errors up to A are free\n"
    "  poisson        exp(t) - y t + y log y - y      counts: t is the logarithm\n"
    "                                                 of the rate\n\n"
    "huber and epsilon may stand alone: A is then half, or a tenth, of the spread of y, 1.4826 "
    "times the median distance from the median.\n\n"
    "For classes, with y = -1 or +1 (of more than two, each against all others):\n\n"
    "  square         1/2 (y - t)^2                   the paper's classification\n"
    "  logistic       log(1 + exp(-y t))              probabilities: t is the\n"
    "                                                 logarithm of the odds\n"
    "  hinge          max(0, 1 - y t)                 support vector machine\n"
    "  squared-hinge  1/2 max(0, 1 - y t)^2           the same, smooth\n\n"
    "What goes with them by default:\n\n"
    "  loss                      'rls2 predict' says    intercept   measure\n"
    "  square                    the mean, or a score   mean, none  rmse, accuracy\n"
    "  logistic                  probabilities          free        log-loss\n"
    "  hinge, squared-hinge      a score                free        accuracy\n"
    "  huber, epsilon, absolute  the number             free        mae\n"
    "  quantile                  the quantile           free        pinball\n"
    "  poisson                   the rate               free        deviance\n\n"
    "A free intercept is found with the rest and not penalised. --intercept mean fixes the best "
    "constant of the loss beforehand, --intercept none takes 0.\n\n"
    "The certificate. With L* the conjugate of the loss, any c bounds the minimum from below by\n\n"
    "  - sum_i w_i L*(-lambda c_i / w_i) - lambda/2 max_k c'R^k c\n\n"
    "where a free intercept needs c to sum to 0. The gap is the objective less this bound, as a "
    "share of the objective; 'rls2 verify' recomputes both from the rows. Losses with kinks "
    "(absolute, quantile, epsilon, hinge) have no degrees of freedom, which are told as '-'.\n\n"
    "Probabilities of more than two classes are those of each against all others, divided by "
    "their sum. Shares of kernels and inputs are of the variance of the predictions themselves, "
    "and sum to 1. --std, --select gcv, cp and loo, and tall tables are for the square loss; aic "
    "and bic also for logistic and poisson.";

static const char MEASURES[] =
    "Measures of predictions, for --measure and in reports. Rows count by their weight where "
    "--row-weights gives one.\n\n"
    "  rmse               root mean squared error\n"
    "  mse                mean squared error\n"
    "  mae                mean absolute error\n"
    "  r2                 1 - squared error / squared error of the mean\n"
    "  accuracy           share of rows whose class is predicted correctly\n"
    "  balanced-accuracy  that share within each class, averaged over the classes\n"
    "  auc                area under the ROC curve: how often, of two rows of which\n"
    "                     one is of the class, that one has the larger score\n"
    "  errors             number of rows whose class is predicted wrongly\n"
    "  log-loss           mean of -log of the probability of the class that it was\n"
    "  brier              mean of (probability - 1 or 0)^2: of the second of two\n"
    "                     classes, of more the sum over the classes\n"
    "  pinball            mean of the quantile loss\n"
    "  deviance           of counts: mean of 2 (y log(y / rate) - y + rate)\n\n"
    "log-loss and brier need probabilities (--loss logistic), pinball a quantile (--loss "
    "quantile(A)), deviance a rate (--loss poisson). Errors of counts are those of rates.\n\n"
    "With several targets it is the mean over them. With more than two classes auc is computed "
    "for each class against all others, by the score of that class, and averaged over the "
    "classes for which it is defined: those that some rows belong to, but not all. "
    "balanced-accuracy is over the classes that occur. Where a split of a cross-validation is too "
    "small (r2: fewer than 10 rows; auc and balanced-accuracy: rows that lack a class), the "
    "measure is that of all left-out rows together, and its standard error is by the jackknife "
    "over splits.\n\n"
    "The criteria of --select (gcv, cp, aic, bic, loo) are computed from the errors of the fit "
    "and its degrees of freedom; the smallest value is best. For classes the errors are those of "
    "the numbers -1 and +1 that are learned, not the number of misclassified rows. With several "
    "targets, or more than two classes, the criteria are summed over them. With --loss logistic "
    "and poisson aic and bic are those of the likelihood.\n\n"
    "A row weight is a number of rows: the row counts as if it were there that many times in "
    "means and deviations of columns, scalings of kernels, the fit, its certificate and degrees "
    "of freedom, criteria and scores; but folds and loo leave out a row with all it stands for. "
    "Weights of classes count in the fit, in its criteria and in the scalings of kernels, and "
    "nowhere else.";

static const char TALL[] =
    "Above some thousand rows kernels are not computed of the rows themselves. Rows are binned: "
    "counted once, on knots of each column, and everything else is done with the counts, in time "
    "that hardly depends on how many rows there were. --method auto decides, a line says so with "
    "the time and memory to expect, and --exact and --tall decide otherwise.\n\n"
    "Knots. A column of few different values has a knot for each, and a text one for each "
    "category: nothing is lost. Other numbers have some hundred knots at most, quantiles of the "
    "column. A value between two counts for both, the more the nearer (linear binning), and what "
    "is learned is linear between them.\n\n"
    "Nystroem points. A kernel of several columns is replaced by its Nystroem approximation: the "
    "functions that it spans at some chosen rows, its Nystroem points or landmarks. Kernels that "
    "a sample of the rows has no use for are left out, and a note says how many.\n\n"
    "The gap that train reports is then that of the problem for the binned rows; where every "
    "value is a knot that is the problem itself, and show says 'exactly'. 'rls2 verify MODEL DATA' "
    "reads the rows once more and reports objective, residuals and a lower bound for the rows "
    "themselves. By how much the objective of the rows differs train and show say as far as counts "
    "tell: a bound, an estimate, or that it may be much smaller, as narrow kernels with a small "
    "lambda follow noise that bins average out; predictions hardly change by that.\n\n"
    "The model keeps knots and Nystroem points, not rows: it is small, and show, predict and plot "
    "take it as any other, but predict --std. Not available are given kernels, --solver alternate, "
    "scalings by "
    "classes, scaled examples, validation rows, random splits, repeats, baselines, --select loo "
    "and transductive learning: with these auto is exact.\n\n"
    "Large files are read in pieces, twice: a profile of the rows tells columns, categories, means "
    "and a sample, on which kernels and knots are decided; then rows are counted. DATA may be "
    "several files with the same columns. Where these lie apart, four commands do the same, the "
    "first and the third for each shard, anywhere:\n\n"
    "  rls2 stats SHARD -t y --profile -o SHARD.profile\n"
    "  rls2 merge *.profile -o all.profile\n"
    "  rls2 stats SHARD -t y --like all.profile -o SHARD.stats\n"
    "  rls2 merge *.stats -o all.stats\n\n"
    "'rls2 train all.stats' learns from the sum. It is that of 'rls2 stats' on the whole table, to "
    "the byte, however rows were divided and ordered: they have their fold by a hash of their "
    "cells. (Where fewer than half of the rows are different equal ones would all be in one fold: "
    "then rows are numbered in each file, and folds depend on the division.)";

static const char EXIT_CODES[] =
    "Exit codes of every command:\n\n"
    "  0    success\n"
    "  1    failure: a file, its contents, memory, a check\n"
    "  2    wrong command line\n"
    "  130  stopped by Ctrl-C\n\n"
    "Results go to the standard output, everything else (errors, notes, the progress bar) to the "
    "standard error. The bar is drawn only on a terminal.";

static const char LICENCES[] =
    "rls2 is free software under the BSD licence of three clauses: use it, change it and hand it "
    "on, with its copyright notice; there is no warranty. It is linked to OpenBLAS (BSD), LAPACK "
    "(BSD), zlib (zlib licence), jansson (MIT) and, for the page, libmicrohttpd (LGPL), none of "
    "which it contains.\n\n"
    "The page of 'rls2 gui' contains Apache ECharts (Apache 2.0) and what that needs. 'rls2 help "
    "licences' prints their notices; the file THIRD-PARTY.txt beside the documentation has the "
    "same.";

const topic TOPICS[] = {
    {"dictionary", "how to write a dictionary of kernels", DICTIONARY},
    {"files", "formats that are read and written", FILES},
    {"losses", "what an error costs: probabilities, quantiles, counts, outliers", LOSSES},
    {"measures", "measures, criteria, and what weights count in", MEASURES},
    {"tall", "tables of many rows", TALL},
    {"exit-codes", "what a script needs to know", EXIT_CODES},
    {"licences", "of rls2, and of what the page contains", LICENCES},
    {NULL, NULL, NULL},
};

const topic *topic_find(const char *name)
{
    for (const topic *t = TOPICS; t->name; t++)
        if (strcmp(t->name, name) == 0) return t;
    return NULL;
}
