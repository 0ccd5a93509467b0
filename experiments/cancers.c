/* The paper's section 5.3: kinds of cancer told apart by gene expressions.
 *
 * The paper's data, 14 Cancers, do not come with the program; where the user has put them into a
 * data folder they are used. Beside them stand two public sets of the same kind, to which the paper
 * has no numbers, and made data of exactly the paper's shape. A set without data keeps its line in
 * the tables, which says so. A set is a unit of the journal. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cancers.h"
#include "experiments/cancers_parts.h"
#include "experiments/checksum.h"
#include "experiments/journal.h"

enum { REPEATS = 3, FIXED_SETS = 3 };

/* ---- which sets ---- */

static const char *const files[] = {[KHAN] = "khan.csv.gz", [GOLUB] = "golub.csv.gz"};

const char cancers_source[] =
    "'rls2 reproduce data' fetches them from the web site of the textbook The Elements of "
    "Statistical "
    "Learning; files "
    "obtained otherwise go, with their names unchanged, into the folder that --data names.";

static void name_unit(cancers_unit *u, cancer_kind kind, uint64_t seed, const char *id,
                      const char *title)
{
    u->kind = kind;
    u->seed = seed;
    snprintf(u->id, sizeof u->id, "%s", id);
    snprintf(u->title, sizeof u->title, "%s", title);
}

static rls2_status list_units(cancers *s, rls2_error *err)
{
    int64_t repeats = s->r->splits > 0 ? s->r->splits : REPEATS;
    s->count = FIXED_SETS + repeats;
    s->units = calloc((size_t)s->count, sizeof *s->units);
    if (!s->units) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for the sets");
    name_unit(&s->units[0], CANCERS_14, s->r->seed, "14cancer", "14 Cancers");
    name_unit(&s->units[1], KHAN, s->r->seed, "khan", "Khan");
    name_unit(&s->units[2], GOLUB, s->r->seed, "golub", "Golub");
    for (int64_t i = 0; i < repeats; i++) {
        cancers_unit *u = &s->units[FIXED_SETS + i];
        name_unit(u, MADE, s->r->seed + (uint64_t)i, "made", "");
        snprintf(u->id, sizeof u->id, "made%" PRId64, i + 1);
        snprintf(u->title, sizeof u->title, "Made data %" PRId64, i + 1);
    }
    return RLS2_OK;
}

static int is_there(cancers *s, const cancers_unit *u)
{
    char path[4096];
    if (u->kind == MADE) return 1;
    if (u->kind == CANCERS_14) return cancer14_is_there(s->r, s->missing, sizeof s->missing);
    return experiment_find(s->r, files[u->kind], path, sizeof path);
}

static rls2_status set_checksum(const cancers *s, const cancers_unit *u, char sum[CHECKSUM_TEXT],
                                rls2_error *err)
{
    char path[4096];
    if (!experiment_find(s->r, files[u->kind], path, sizeof path))
        return experiment_fail(err, RLS2_ERR_NAME, "%s is in none of the data folders",
                               files[u->kind]);
    if (checksum_file(path, "sha256:", sum) != 0)
        return experiment_fail(err, RLS2_ERR_IO, "%s: %s", path, strerror(errno));
    memmove(sum, sum + strlen("sha256:"), strlen(sum + strlen("sha256:")) + 1);
    return RLS2_OK;
}

/* By what the journal knows a unit: its seed, and all the data it was computed from, should
 * somebody replace them. */
static rls2_status make_key(const cancers *s, const cancers_unit *u, char key[CANCERS_KEY],
                            cancer14_origin *origin, rls2_error *err)
{
    char sum[CHECKSUM_TEXT] = "";
    rls2_status status = RLS2_OK;
    if (u->kind == MADE) {
        snprintf(key, CANCERS_KEY, "made-seed-%" PRIu64, u->seed);
        return RLS2_OK;
    }
    if (u->kind == CANCERS_14) {
        status = cancer14_origin_of(s->r, origin, err);
        memcpy(sum, origin->checksum, sizeof sum);
    } else {
        status = set_checksum(s, u, sum, err);
    }
    snprintf(key, CANCERS_KEY, "%s-%.32s-seed-%" PRIu64, u->id, sum, u->seed);
    return status;
}

static void note_missing(const cancers *s, const cancers_unit *u)
{
    if (u->kind == CANCERS_14) {
        experiment_note(s->r, "14 Cancers is left out: %s not in the data folders.", s->missing);
        experiment_note(s->r, "%s", cancers_source);
    } else {
        experiment_note(s->r, "%s is left out: %s is in none of the data folders.", u->title,
                        files[u->kind]);
    }
}

static rls2_status look_for_data(cancers *s, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int64_t i = 0; i < s->count && status == RLS2_OK; i++) {
        cancers_unit *u = &s->units[i];
        u->there = is_there(s, u);
        if (u->there)
            status = make_key(s, u, u->key, &s->origin, err);
        else
            note_missing(s, u);
    }
    return status;
}

/* ---- computing ---- */

/* Steps of the whole: the folds of every set. */
static int on_fold(void *user, const rls2_progress *progress)
{
    cancers *s = user;
    return experiment_report(s->r, "gene expressions", s->current * CANCER_FOLDS + progress->done,
                             s->count * CANCER_FOLDS);
}

static rls2_status read_set(const cancers *s, const cancers_unit *u, cancer_set *set,
                            rls2_error *err)
{
    char path[4096];
    if (u->kind == MADE) return cancer_set_generate(s->plan, u->seed, set, err);
    if (u->kind == CANCERS_14) return cancer14_read(s->r, set, err);
    if (!experiment_find(s->r, files[u->kind], path, sizeof path))
        return experiment_fail(err, RLS2_ERR_NAME, "%s is in none of the data folders",
                               files[u->kind]);
    return cancer_set_read(path, set, err);
}

/* The key, and what is said of the files, must be of what was read. */
static rls2_status check_unchanged(const cancers *s, const cancers_unit *u, rls2_error *err)
{
    char key[CANCERS_KEY];
    cancer14_origin origin;
    rls2_status status = make_key(s, u, key, &origin, err);
    if (status == RLS2_OK && strcmp(key, u->key) != 0)
        status =
            experiment_fail(err, RLS2_ERR_IO,
                            "the files of %s changed while they were read: run it again", u->title);
    return status;
}

/* A result from a file somebody may have edited: sizes and indices are used as such. */
static int is_sound(const cancer_result *result)
{
    return result->choice >= 0 && result->choice < CANCER_LAMBDAS && result->classes >= 2 &&
           result->classes <= CANCER_CLASSES && result->rows > 0 && result->test_rows > 0;
}

static rls2_status compute(cancers *s, journal *j, cancers_unit *u, rls2_error *err)
{
    cancer_set set = {0};
    const double *known = journal_find(j, u->key, CANCER_VALUES);
    if (known) memcpy(&u->result, known, sizeof u->result);
    if (known && is_sound(&u->result)) return RLS2_OK;
    rls2_status status = read_set(s, u, &set, err);
    if (status == RLS2_OK) status = check_unchanged(s, u, err);
    if (status == RLS2_OK)
        status =
            cancer_protocol(&set, u->seed, experiment_threads(s->r), on_fold, s, &u->result, err);
    if (status == RLS2_OK)
        status = journal_add(j, u->key, CANCER_VALUES, (const double *)&u->result, err);
    cancer_set_free(&set);
    return status;
}

static rls2_status compute_all(cancers *s, rls2_error *err)
{
    char heading[256];
    journal *j = NULL;
    const cancer_plan *plan = s->plan;
    snprintf(heading, sizeof heading,
             "%d lambdas, %d folds, made data of %" PRId64
             " genes, %d classes, %d markers of effect %g, blocks of %d with %g",
             CANCER_LAMBDAS, CANCER_FOLDS, plan->genes, plan->classes, plan->markers, plan->effect,
             plan->block, plan->correlation);
    rls2_status status = journal_open_for(s->r, "cancers", heading, &j, err);
    for (s->current = 0; s->current < s->count && status == RLS2_OK; s->current++) {
        cancers_unit *u = &s->units[s->current];
        if (on_fold(s, &(rls2_progress){0}))
            status = experiment_fail(err, RLS2_ERR_CANCELLED, "stopped");
        else if (u->there)
            status = compute(s, j, u, err);
    }
    if (status == RLS2_OK) on_fold(s, &(rls2_progress){0});
    journal_close(j);
    return status;
}

rls2_status cancers_study(const reproduction *r, const cancer_plan *plan, sheet **results,
                          rls2_error *err)
{
    cancers s = {.r = r, .plan = plan};
    rls2_status status = list_units(&s, err);
    if (status == RLS2_OK) status = look_for_data(&s, err);
    if (status == RLS2_OK) status = compute_all(&s, err);
    if (status == RLS2_OK) status = cancers_show(&s, results, err);
    free(s.units);
    return status;
}

rls2_status experiment_cancers(const reproduction *r, sheet **results, rls2_error *err)
{
    return cancers_study(r, &cancer_plan_14, results, err);
}
