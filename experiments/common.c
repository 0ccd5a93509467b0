/* What all experiments need: errors, files, threads, random numbers, moments. */
#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/experiment.h"

enum { MOST_THREADS = 1024 };

rls2_status experiment_fail(rls2_error *err, rls2_status status, const char *format, ...)
{
    char message[sizeof err->message];
    va_list arguments;
    if (!err) return status;
    err->status = status;
    err->position = -1;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    rls2_text_escape(message, err->message, sizeof err->message);
    return status;
}

int experiment_find(const reproduction *r, const char *file, char *path, size_t size)
{
    struct stat about;
    for (int i = 0; i < r->folder_count; i++) {
        int length = snprintf(path, size, "%s/%s", r->folders[i], file);
        if (length < 0 || (size_t)length >= size) continue;
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, R_OK) == 0) return 1;
    }
    return 0;
}

rls2_status experiment_plan(rls2_goal goal, const experiment_setting *settings, rls2_plan **plan,
                            rls2_error *err)
{
    rls2_plan *made = NULL;
    rls2_status status = rls2_plan_create(goal, RLS2_VOICE_PLAIN, &made, err);
    if (status == RLS2_OK) status = rls2_plan_set(made, "columns", "all", err); /* as published */
    for (; settings->name && status == RLS2_OK; settings++)
        status = rls2_plan_set(made, settings->name, settings->value, err);
    if (status == RLS2_OK)
        *plan = made;
    else
        rls2_plan_free(made);
    return status;
}

void experiment_note(const reproduction *r, const char *format, ...)
{
    char text[512];
    va_list arguments;
    if (!r->note) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    r->note(r->note_user, text);
}

int experiment_report(const reproduction *r, const char *stage, int64_t done, int64_t total)
{
    const rls2_progress at = {.stage = stage, .done = done, .total = total};
    return r->progress && r->progress(r->progress_user, &at) != 0;
}

int experiment_threads(const reproduction *r)
{
    int threads = r->threads > 0 ? r->threads : omp_get_num_procs();
    return threads < MOST_THREADS ? threads : MOST_THREADS;
}

/* ---- random numbers: xoshiro256++, its state filled by splitmix64 (Blackman and Vigna) ---- */

static uint64_t rotate(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

static uint64_t next(experiment_random *random)
{
    uint64_t *s = random->state, result = rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

void experiment_random_seed(experiment_random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        random->state[i] = z ^ (z >> 31);
    }
}

double experiment_random_uniform(experiment_random *random)
{
    return (double)(next(random) >> 11) * 0x1p-53;
}

/* Marsaglia's polar method; the second number of each pair is not kept, so that the state is all
 * there is. */
double experiment_random_normal(experiment_random *random)
{
    for (;;) {
        double u = 2.0 * experiment_random_uniform(random) - 1.0;
        double v = 2.0 * experiment_random_uniform(random) - 1.0;
        double s = u * u + v * v;
        if (s > 0.0 && s < 1.0) return u * sqrt(-2.0 * log(s) / s);
    }
}

/* ---- moments ---- */

/* In the order of the numbers, so that the last digit does not depend on anything else. */
experiment_moments experiment_moments_by(int64_t n, experiment_value value, const void *user)
{
    experiment_moments m = {.mean = NAN};
    double sum = 0.0, squares = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double own = value(user, i);
        if (isnan(own)) continue;
        sum += own;
        m.count++;
    }
    if (m.count == 0) return m;
    m.mean = sum / (double)m.count;
    for (int64_t i = 0; i < n; i++) {
        double apart = value(user, i) - m.mean;
        if (!isnan(apart)) squares += apart * apart;
    }
    m.deviation = m.count > 1 ? sqrt(squares / (double)(m.count - 1)) : 0.0;
    return m;
}
