/* Fits a problem and judges gap, objective, scaling and model against the reference. */
#include "support/verdict.h"
#include "support/control.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

const char *const CLAIM_NAMES[CLAIMS] = {"gap",     "certify",   "model",   "optimum", "objective",
                                         "scaling", "intercept", "outcome", "verify"};

/* Problems of at most so many rows and kernels are solved by the reference, too, in so many
 * steps. */
enum { SMALL = 16, STEPS = 30 };

/* One problem with what the library made of it. */
typedef struct trial {
    const hard_problem *problem;
    tally *tally;
    rls2_dictionary *dictionary;
    rls2_basis *whole;
    rls2_basis
        *bases[HARD_OUTPUTS]; /* one for each output; those of rules without labels are the same */
    rls2_path *paths[HARD_OUTPUTS];
    int64_t o; /* the output looked at, with what belongs to it: */
    const rls2_basis *basis;
    const rls2_path *path;
    const double *y, *labels;
    const char *note; /* what explains a lie, or "" */
    int64_t lies;
} trial;

/* One point of its path. */
typedef struct answer {
    int64_t i;
    const rls2_path_point *point;
    const long double *d, *c;
    reference_truth truth;
    long double best; /* an upper bound of the minimum, infinite where none was looked for */
} answer;

/* ---- lies ---- */

static void tell(trial *t, claim what, int64_t where, double claimed, long double truth,
                 const char *words)
{
    tally *all = t->tally;
    double ratio = claimed > 0.0 ? (double)(truth / claimed) : HUGE_VAL;
    all->lies[what]++;
    if (!(all->worst[what] >= ratio)) all->worst[what] = ratio;
    t->lies++;
    if (all->report)
        fprintf(all->report,
                "LIE seed %" PRIu64 " problem %" PRIu64 " %s %" PRId64
                ": %s: claimed %.6g, true %.6Lg%s\n",
                t->problem->seed, t->problem->index, CLAIM_NAMES[what], where, words, claimed,
                truth,
                t->note    ? t->note
                : t->o > 0 ? " (of a later output)"
                           : "");
}

/* A given matrix may have eigenvalues down to -1e-9 of its trace. Where lambda does not make up for
 * them, with room to spare, P has no minimum, and nothing is promised. */
static int is_indefinite_at(const trial *t, double lambda)
{
    const hard_problem *it = t->problem;
    const double *s = rls2_basis_scales(t->basis), *w = rls2_basis_row_weights(t->basis);
    long double most = 0.0L, heaviest = w ? 0.0L : 1.0L;
    int64_t n = it->data.n;
    if (!(it->traits & (TRAIT_INDEFINITE | TRAIT_ASYMMETRIC))) return 0; /* noise makes both */
    for (int64_t i = 0; w && i < n; i++) heaviest = fmaxl(heaviest, w[i]);
    for (int64_t k = 0; k < it->data.m; k++) {
        long double trace = 0.0L;
        if (it->kernels[k].kind != REFERENCE_GIVEN) continue;
        for (int64_t i = 0; i < n; i++) trace += it->K[(k * n + i) * n + i];
        most = fmaxl(most, s[k] * trace * heaviest);
    }
    return lambda < 4e-9L * most;
}

/* A relative gap, of which the truth may be off. */
static void judge_gap(trial *t, claim what, const answer *a, double claimed, const char *words)
{
    long double primal = a->truth.primal, least = a->truth.gap - a->truth.error;
    if (isnan(claimed) || claimed == HUGE_VAL || is_indefinite_at(t, a->point->lambda)) return;
    if (!isfinite(primal) || !isfinite(a->truth.gap) || !isfinite(a->truth.error)) return;
    if (primal <= 0.0L)
        return; /* y = 0, or a matrix that is not definite and lambda too small to make it so */
    long double factor = claimed >= 1.0 ? EMPTY_FACTOR : 1.0L + GAP_SHARE;
    if (least > (primal + a->truth.error) * (claimed * factor + GAP_FLOOR))
        tell(t, what, a->i, claimed, a->truth.gap / primal, words);
}

static void judge_objective(trial *t, const answer *a, double claimed, double gap,
                            const char *words)
{
    long double primal = a->truth.primal, off = fabsl(claimed - primal) - a->truth.error;
    if (!isfinite(claimed) || !isfinite(off)) return;
    /* what is told in double precision may have to be 0, or rounded to few bits */
    long double allowed =
        fmaxl(OBJECTIVE_PROMISE, isfinite(gap) ? gap : 1.0L) * fmaxl(primal, claimed) +
        100.0L * DBL_MIN;
    if (off > allowed) tell(t, CLAIM_OBJECTIVE, a->i, claimed, primal, words);
}

/* Between objective (1 - gap) and the minimum no solution may lie. */
static void judge_optimum(trial *t, const answer *a, double objective, double gap,
                          const char *words)
{
    if (!isfinite(objective) || !isfinite(gap) || !isfinite(a->best)) return;
    if (objective <= 0.0) return; /* lost in rounding, which the gap says */
    long double bound =
        objective * (1.0L - gap * (1.0L + GAP_SHARE) - OBJECTIVE_PROMISE) - 100.0L * DBL_MIN;
    if (bound > a->best) tell(t, CLAIM_OPTIMUM, a->i, (double)bound, a->best, words);
}

/* ---- scalings and intercept ---- */

/* Beyond this the library may say that it cannot compute with a kernel: squares and products of
 * squares are to fit. */
static int is_ordinary(long double value)
{
    return value > 1e-100L && value < 1e100L;
}

/* The largest number of each column, or on the diagonal of the matrix. */
static int has_ordinary_data(const hard_problem *it, const reference_kernel *kernel)
{
    int given = kernel->kind == REFERENCE_GIVEN;
    int64_t n = it->data.n, step = given ? n + 1 : 1;
    for (int64_t t = kernel->first; t <= (given ? kernel->first : kernel->last); t++) {
        const double *values = given ? it->given[t] : it->x + t * n;
        double largest = 0.0;
        for (int64_t i = 0; i < n; i++) largest = fmax(largest, fabs(values[i * step]));
        if (largest != 0.0 && !is_ordinary(largest)) return 0;
    }
    return 1;
}

/* Of bases made of others: what their factors leave out is missing in scalings, too. */
static long double derived_error(const trial *t, long double size, long double by)
{
    if (!t->problem->whole && t->o == 0) return 0.0L;
    return fmaxl(t->problem->basis.rank_tol, 1e-14L) * size / by;
}

static void judge_scaling(trial *t, int64_t k, double s)
{
    const hard_problem *it = t->problem;
    long double size, by = reference_denominator(&it->data, k, it->basis.scaling, it->basis.center,
                                                 t->labels, &size);
    long double wanted =
        it->basis.scaling == RLS2_SCALING_FISHER_SQRT ? 1.0L / sqrtl(by) : 1.0L / by;
    long double promise = SCALING_PROMISE + derived_error(t, size, by);
    if (s > 0.0 && fabsl(s - wanted) > promise * wanted + 4.0L * DBL_TRUE_MIN)
        tell(t, CLAIM_SCALING, k, SCALING_PROMISE, fabsl(s - wanted) / wanted,
             "relative error of the scaling");
    if (s > 0.0 || !is_ordinary(by) || !is_ordinary(size) || !is_ordinary(wanted)) return;
    long double trace = 0.0L;
    for (int64_t i = 0; i < it->data.n; i++)
        trace +=
            it->K[(k * it->data.n + i) * it->data.n + i] * (it->weights ? it->weights[i] : 1.0L);
    if (!is_ordinary(trace) || !is_ordinary(trace * wanted) ||
        !has_ordinary_data(it, &it->kernels[k]))
        return;
    if (by > 1e-12L * size)
        tell(t, CLAIM_SCALING, k, s, wanted, "kernel left out that can be scaled");
}

static void judge_intercept(trial *t)
{
    const hard_problem *it = t->problem;
    long double sum = 0.0L, total = 0.0L, top = 0.0L;
    for (int64_t i = 0; i < it->data.n; i++) {
        long double w = it->weights ? it->weights[i] : 1.0L;
        sum += w * t->y[i];
        total += w;
        top = fmaxl(top, fabsl((long double)t->y[i]));
    }
    long double mean = it->path.intercept == RLS2_INTERCEPT_MEAN ? sum / total : 0.0L;
    double b = rls2_path_intercept(t->path);
    if (fabsl(b - mean) > 1e-14L * (long double)it->data.n * top + DBL_TRUE_MIN)
        tell(t, CLAIM_INTERCEPT, 0, b, mean, "intercept");
}

/* ---- models ---- */

/* As `rls2 verify` does: scalings once more, by the rule the model names. */
static double scale_difference(trial *t, const rls2_model *model)
{
    const hard_problem *it = t->problem;
    rls2_error err;
    rls2_rows rows = hard_problem_rows(it);
    rls2_basis_options options = it->basis;
    double largest = 0.0, *s = calloc((size_t)it->data.m, sizeof *s);
    if (!s) abort();
    options.labels = t->labels;
    if (rls2_scaling_compute(rls2_model_dictionary(model), &rows, &options, ON_THREADS(1), s,
                             &err) != RLS2_OK)
        largest = INFINITY;
    for (int64_t k = 0; k < it->data.m && largest < HUGE_VAL; k++) {
        double kept = rls2_model_scales(model)[k], size = fmax(fabs(kept), fabs(s[k]));
        if (size > 0.0 && !(fabs(kept - s[k]) <= 1e-9 * size))
            largest = fmax(largest, fabs(kept - s[k]) / size);
        if (isnan(s[k]) || s[k] == HUGE_VAL) largest = INFINITY;
    }
    free(s);
    return largest;
}

/* A model that was told to be certified is not to be refused. */
static void judge_verification(trial *t, const answer *a, const rls2_model *model,
                               rls2_status status, const rls2_certificate *certificate)
{
    const rls2_path_point *point = a->point;
    if (point->outcome != RLS2_OUTCOME_CONVERGED || !(point->gap <= t->problem->path.gap_tol))
        return;
    if (status != RLS2_OK) {
        tell(t, CLAIM_VERIFY, a->i, point->gap, NAN,
             "certified, but the certificate cannot be computed");
        return;
    }
    /* what rounding can take off the objective, as a share of it */
    double doubt =
        certificate->relative_gap > 0.0 && certificate->primal > 0.0
            ? fmax(1.0 - certificate->gap / certificate->relative_gap / certificate->primal, 0.0)
            : 0.0;
    double off =
        fabs(certificate->primal - point->objective) / fmax(fabs(certificate->primal), 1e-300);
    int approximate =
        t->problem->basis.rank_tol > 1e-12; /* an objective of factors that leave much out */
    if (off > 1e-7 + 10.0 * doubt && !approximate)
        tell(t, CLAIM_VERIFY, a->i, point->objective, certificate->primal, "verify: objective");
    if (certificate->relative_gap > point->gap * (1.0 + 1e-9) + 1e-9 + 10.0 * doubt)
        tell(t, CLAIM_VERIFY, a->i, point->gap, certificate->relative_gap, "verify: gap");
    double difference = scale_difference(t, model);
    if (difference > 1e-9) tell(t, CLAIM_VERIFY, a->i, 0.0, difference, "verify: scalings");
}

/* A model cannot keep scalings of other rows, nor the range of splines over them. */
static int can_be_model(const hard_problem *it)
{
    for (int64_t k = 0; k < it->data.m; k++)
        if (it->whole && it->kernels[k].kind == REFERENCE_SPLINE) return 0;
    return !it->whole || !it->whole->inherits;
}

/* Packed and unpacked; NULL where one of them fails. The paths of all outputs, or that of one. */
static rls2_model *make_model(trial *t, int64_t outputs, const rls2_path *const *paths, int64_t i,
                              rls2_error *err)
{
    rls2_model *model = NULL, *again = NULL;
    void *bytes = NULL;
    int64_t length = 0;
    rls2_status status = rls2_model_create(outputs, paths, i, &model, err);
    if (status == RLS2_OK) status = rls2_model_pack(model, &bytes, &length, err);
    if (status == RLS2_OK) status = rls2_model_unpack("model", bytes, length, &again, err);
    if (status != RLS2_OK)
        tell(t, CLAIM_MODEL, i, rls2_path_at(paths[0], i)->gap, NAN, err->message);
    rls2_bytes_free(bytes);
    rls2_model_free(model);
    return again;
}

/* Certified anew: of several outputs as a part of the model of all. */
static void judge_model(trial *t, const answer *a)
{
    rls2_error err;
    rls2_certificate certificate = {0};
    rls2_rows rows = hard_problem_rows(t->problem);
    if (!can_be_model(t->problem)) return;
    rls2_model *model =
        make_model(t, t->problem->outputs, (const rls2_path *const *)t->paths, a->i, &err);
    const rls2_model *one = rls2_model_output(model, t->o);
    if (!one) return;
    rls2_status status =
        rls2_model_certify(one, &rows, t->y, &certificate, sizeof certificate, &err);
    if (status == RLS2_OK)
        judge_gap(t, CLAIM_MODEL, a, certificate.relative_gap, "rls2_model_certify");
    judge_verification(t, a, one, status, &certificate);
    rls2_model_free(model);
}

/* ---- points ---- */

static void judge_outcome(trial *t, const answer *a)
{
    long double sum = 0.0L;
    for (int64_t k = 0; k < t->problem->data.m; k++) {
        sum += a->d[k];
        if (a->d[k] < 0.0L || (a->d[k] > 0.0L && rls2_basis_scales(t->basis)[k] == 0.0))
            tell(t, CLAIM_OUTCOME, a->i, (double)a->d[k], 0.0L,
                 "weight of a kernel that must have none");
    }
    if (fabsl(sum - 1.0L) > 1e-12L) tell(t, CLAIM_OUTCOME, a->i, 1.0, sum, "sum of the weights");
    if (t->problem->path.solver == RLS2_SOLVER_NEWTON &&
        a->point->outcome == RLS2_OUTCOME_CONVERGED && !(a->point->gap <= t->problem->path.gap_tol))
        tell(t, CLAIM_OUTCOME, a->i, t->problem->path.gap_tol, a->point->gap,
             "converged above gap_tol");
}

static void judge_point(trial *t, const answer *a)
{
    const rls2_path_point *point = a->point;
    rls2_certificate certificate;
    rls2_error err;
    t->tally->points++;
    t->tally->certified +=
        point->outcome == RLS2_OUTCOME_CONVERGED && point->gap <= t->problem->path.gap_tol;
    t->tally->unknown += !isfinite(point->gap);
    judge_outcome(t, a);
    judge_gap(t, CLAIM_GAP, a, point->gap, "gap of the path");
    judge_objective(t, a, point->objective, point->gap, "objective of the path");
    judge_optimum(t, a, point->objective, point->gap, "path");
    if (rls2_path_certify(t->path, a->i, &certificate, sizeof certificate, &err) == RLS2_OK) {
        judge_gap(t, CLAIM_CERTIFY, a, certificate.relative_gap, "rls2_path_certify");
        judge_objective(t, a, certificate.primal, certificate.relative_gap,
                        "primal of rls2_path_certify");
        judge_optimum(t, a, certificate.primal, certificate.relative_gap, "rls2_path_certify");
        judge_optimum(t, a, certificate.dual, 0.0, "dual of rls2_path_certify");
    }
    judge_model(t, a);
}

/* By a method of its own, from equal weights and from those of the answer. */
static long double best_known(const trial *t, const answer *a)
{
    const hard_problem *it = t->problem;
    int64_t m = it->data.m;
    long double best = a->truth.primal + a->truth.error;
    if (it->traits & (TRAIT_ASYMMETRIC | TRAIT_INDEFINITE))
        return HUGE_VALL; /* P need not have a minimum */
    if (it->data.n > SMALL || m > SMALL) return best;
    long double *d = calloc((size_t)m, sizeof *d);
    if (!d) abort();
    for (int start = 0; start < 2; start++) {
        for (int64_t k = 0; k < m; k++)
            d[k] = start ? 0.9L * a->d[k] + 0.1L / (long double)m : 1.0L / (long double)m;
        reference_truth found =
            reference_descend(&it->data, it->K, rls2_basis_scales(t->basis), t->y,
                              rls2_path_intercept(t->path), a->point->lambda, STEPS, d);
        if (isfinite(found.primal + found.error)) best = fminl(best, found.primal + found.error);
    }
    free(d);
    return best;
}

/* Numbers that double precision cannot hold make a certificate that no one can recompute. */
static const char *note_of(int64_t n, const long double *c)
{
    for (int64_t i = 0; i < n; i++)
        if (fabsl(c[i]) < DBL_MIN) return " (c underflows)";
    return NULL;
}

static void judge_path(trial *t)
{
    const hard_problem *it = t->problem;
    const double *s = rls2_basis_scales(t->basis);
    int64_t n = it->data.n, m = it->data.m;
    long double *d = calloc((size_t)(m + n), sizeof *d), *c = d + m;
    if (!d) abort();
    for (int64_t i = 0; i < rls2_path_count(t->path); i++) {
        const int64_t *kernels;
        const double *weights;
        answer a = {.i = i, .point = rls2_path_at(t->path, i), .d = d, .c = c};
        for (int64_t k = 0; k < m; k++) d[k] = 0.0L;
        for (int64_t j = 0; j < n; j++) c[j] = rls2_path_c(t->path, i)[j];
        int64_t count = rls2_path_kernel_weights(t->path, i, &kernels, &weights);
        for (int64_t j = 0; j < count; j++) d[kernels[j]] = weights[j];
        a.truth = reference_judge(&it->data, it->K, s, t->y, rls2_path_intercept(t->path),
                                  a.point->lambda, d, c);
        a.best = best_known(t, &a);
        t->note = note_of(n, c);
        judge_point(t, &a);
        t->note = NULL;
    }
    free(d);
}

static void refuse(trial *t, const rls2_error *err)
{
    t->tally->refused++;
    if (t->tally->report && getenv("RLS2_JUDGE_VERBOSE"))
        fprintf(t->tally->report, "problem %" PRIu64 " is refused: %s\n", t->problem->index,
                err->message);
}

/* ---- fits ---- */

static rls2_status make_basis(trial *t, rls2_error *err)
{
    const hard_problem *it = t->problem;
    rls2_rows rows = hard_problem_rows(it);
    if (!it->whole)
        return rls2_basis_create(t->dictionary, &rows, &it->basis, ON_THREADS(1), &t->bases[0],
                                 err);
    rls2_status status = rls2_basis_create(t->dictionary, &it->whole->rows, &it->whole->basis,
                                           ON_THREADS(1), &t->whole, err);
    if (status != RLS2_OK) return status;
    return rls2_basis_take(t->whole, it->data.n, it->whole->taken,
                           it->whole->inherits ? NULL : &it->basis, ON_THREADS(1), &t->bases[0],
                           err);
}

static int uses_labels(const hard_problem *it)
{
    return it->basis.scaling == RLS2_SCALING_FISHER ||
           it->basis.scaling == RLS2_SCALING_FISHER_SQRT;
}

static rls2_status fit(trial *t, rls2_error *err)
{
    const hard_problem *it = t->problem;
    rls2_status status = make_basis(t, err);
    for (int64_t o = 1; o < it->outputs && status == RLS2_OK; o++)
        if (!uses_labels(it))
            t->bases[o] = t->bases[0];
        else
            status = rls2_basis_rescale(t->bases[0], it->labels + o * it->data.n, ON_THREADS(1),
                                        &t->bases[o], err);
    if (status != RLS2_OK) return status;
    return rls2_path_fit(it->outputs, (const rls2_basis *const *)t->bases, it->y, it->lambda_count,
                         it->lambdas, &it->path, ON_THREADS(1), t->paths, err);
}

static void judge_output(trial *t, int64_t o)
{
    const hard_problem *it = t->problem;
    t->o = o;
    t->basis = t->bases[o];
    t->path = t->paths[o];
    t->y = it->y + o * it->data.n;
    t->labels = it->labels + o * it->data.n;
    for (int64_t k = 0; k < it->data.m && !(it->whole && it->whole->inherits); k++)
        judge_scaling(t, k, rls2_basis_scales(t->basis)[k]);
    judge_intercept(t);
    judge_path(t);
}

static void free_trial(trial *t)
{
    for (int64_t o = 0; o < t->problem->outputs; o++) rls2_path_free(t->paths[o]);
    for (int64_t o = t->problem->outputs - 1; o > 0; o--)
        if (t->bases[o] != t->bases[0]) rls2_basis_free(t->bases[o]);
    rls2_basis_free(t->bases[0]);
    rls2_basis_free(t->whole);
    rls2_dictionary_free(t->dictionary);
}

int64_t judge_problem(const hard_problem *it, tally *all)
{
    trial t = {.problem = it, .tally = all};
    rls2_error err = {.message = ""};
    all->problems++;
    t.dictionary = hard_problem_dictionary(it, &err);
    if (!t.dictionary || rls2_dictionary_count(t.dictionary) != it->data.m)
        tell(&t, CLAIM_OUTCOME, 0, 0.0, 0.0L,
             err.message); /* the judge writes texts that are right */
    else if (fit(&t, &err) != RLS2_OK)
        refuse(&t, &err);
    else
        for (int64_t o = 0; o < it->outputs; o++) judge_output(&t, o);
    free_trial(&t);
    return t.lies;
}

int64_t lies_of(const tally *all)
{
    int64_t sum = 0;
    for (int what = 0; what < CLAIMS; what++) sum += all->lies[what];
    return sum;
}

static void describe_range(const char *name, int64_t count, const double *values, FILE *file)
{
    double lowest = INFINITY, highest = 0.0;
    for (int64_t i = 0; i < count; i++) {
        if (values[i] != 0.0) lowest = fmin(lowest, fabs(values[i]));
        highest = fmax(highest, fabs(values[i]));
    }
    fprintf(file, " |%s| %.3g..%.3g", name, lowest, highest);
}

void describe_problem(const hard_problem *it, FILE *file)
{
    static const char *const rules[] = {"none", "trace", "fisher", "fisher-sqrt"};
    static const char *const traits[] = {"x-scale",     "y-scale",    "w-scale",    "wild-lambda",
                                         "tiny-lambda", "asymmetric", "indefinite", "parameter"};
    const rls2_path_options *path = &it->path;
    const rls2_basis_options *basis = &it->basis;
    fprintf(file, "    n %" PRId64 " p %" PRId64 " m %" PRId64 ",", it->data.n, it->data.p,
            it->data.m);
    describe_range("x", it->data.n * it->data.p, it->x, file);
    describe_range("y", it->data.n, it->y, file);
    if (it->weights) describe_range("w", it->data.n, it->weights, file);
    fprintf(file,
            "\n    %s, scaling %s%s%s, rank_tol %g, memory %" PRId64 " %" PRId64
            ", intercept %d, gap_tol %g, delta %g, max_iter %" PRId64 ", lambda",
            path->solver == RLS2_SOLVER_NEWTON ? "newton" : "alternate", rules[basis->scaling],
            basis->center ? " centred" : "", basis->skip_degenerate ? " skip" : "", basis->rank_tol,
            basis->memory, path->memory, (int)path->intercept, path->gap_tol, path->delta,
            path->max_iter);
    for (int64_t i = 0; i < it->lambda_count; i++) fprintf(file, " %.17g", it->lambdas[i]);
    if (it->outputs > 1) fprintf(file, ", %" PRId64 " outputs", it->outputs);
    if (it->whole)
        fprintf(file, ", taken from %" PRId64 " rows%s", it->whole->rows.n,
                it->whole->inherits ? " with their scalings" : "");
    fprintf(file, "\n    traits:");
    for (int t = 0; t < TRAIT_COUNT; t++)
        if (it->traits >> t & 1u) fprintf(file, " %s", traits[t]);
    fprintf(file, "\n    %.1500s\n", it->spec);
}
