/* The bar:
 *
 *   fitting  [#########.........]  12/30  lambda 0.03  gap 3e-07  ETA 4 s */
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/console.h"
#include "cli/interrupt.h"

static const double BETWEEN = 0.1;    /* seconds */
static const double LOOK_AFTER = 0.3; /* seconds, from which on a share foretells the rest */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

progress progress_start(const settings *s)
{
    const char *terminal = getenv("TERM");
    int dumb = terminal && strcmp(terminal, "dumb") == 0;
    progress p = {.settings = s, .draws = !s->quiet && !dumb && isatty(STDERR_FILENO)};
    if (s->command) interrupt_name(s->command);
    interrupt_catch();
    return p;
}

/* Seconds for a step. Later steps may be longer than the first (smaller lambdas, larger kernels),
 * so the mean forgets: it reaches back over a fifth of the stage, or over all steps if those are
 * fewer. */
static void measure(progress *p, const rls2_progress *at, double time)
{
    int other_stage = !p->stage || strcmp(p->stage, at->stage) != 0;
    if (other_stage || at->done < p->done) {
        p->stage = at->stage;
        p->started = p->stepped = time;
        p->drawn = 0.0;
        p->done = at->done;
        p->step = 0.0;
        return;
    }
    int64_t steps = at->done - p->done;
    if (steps == 0) return;
    double window = fmax(3.0, (double)at->total / 5.0);
    double share = fmax((double)steps / (double)at->done, 1.0 - exp(-(double)steps / window));
    p->step += share * ((time - p->stepped) / (double)steps - p->step);
    p->stepped = time;
    p->done = at->done;
}

static void write_time(char *text, size_t size, double seconds)
{
    double s = ceil(seconds);
    if (s < 100.0)
        snprintf(text, size, "%.0f s", s);
    else if (s < 6000.0)
        snprintf(text, size, "%.0f min", ceil(s / 60.0));
    else
        snprintf(text, size, "%.0f h", ceil(s / 3600.0));
}

/* Of the stage, which the library may know better than by its steps. */
static double share_of(const rls2_progress *at)
{
    double steps = at->total > 0 ? (double)at->done / (double)at->total : 0.0;
    return fmin(fmax(at->share > 0.0 ? at->share : steps, 0.0), 1.0);
}

/* Seconds to the end of the stage, 0 where nothing is known: by its share of the work, or by steps;
 * the one that is under way has taken what it has taken. */
static double time_left(const progress *p, const rls2_progress *at, double time)
{
    double spent = time - p->started, left = 0.0;
    if (at->done >= at->total) return 0.0;
    if (at->share > 0.0 && spent > LOOK_AFTER) return spent * (1.0 - at->share) / at->share;
    if (p->step > 0.0) left = p->step * (double)(at->total - at->done);
    return left > 0.0 ? fmax(left - (time - p->stepped), 0.1 * left) : 0.0;
}

/* What stands behind the bar. */
static void write_details(const progress *p, const rls2_progress *at, double now_at, char *text,
                          size_t size)
{
    char lambda[32] = "", gap[32] = "", left[32] = "", time[16];
    double rest = time_left(p, at, now_at);
    if (at->lambda > 0.0) snprintf(lambda, sizeof lambda, "  lambda %.2g", at->lambda);
    if (at->gap > 0.0) snprintf(gap, sizeof gap, "  gap %.0e", at->gap);
    if (rest > 0.0) {
        write_time(time, sizeof time, rest);
        snprintf(left, sizeof left, "  ETA %s", time);
    }
    snprintf(text, size, "  %lld/%lld%s%s%s", (long long)at->done, (long long)at->total, lambda,
             gap, left);
}

static void draw(progress *p, const rls2_progress *at, double time)
{
    char details[160], cells[41], line[320];
    int room =
        console_width(stderr) - 1; /* a full last column makes some terminals go to the next line */
    write_details(p, at, time, details, sizeof details);
    int bar_width = room - (int)(strlen(at->stage) + strlen(details)) - 4;
    bar_width = bar_width > 40 ? 40 : bar_width < 0 ? 0 : bar_width;
    int filled = (int)(share_of(at) * bar_width);
    memset(cells, '#', (size_t)filled);
    memset(cells + filled, '.', (size_t)(bar_width - filled));
    cells[bar_width] = '\0';
    int length = bar_width > 4
                     ? snprintf(line, sizeof line, "%s  [%s]%s", at->stage, cells, details)
                     : snprintf(line, sizeof line, "%s%s", at->stage, details);
    length = length > (int)sizeof line - 1 ? (int)sizeof line - 1 : length;
    length = length > room ? room : length;
    int erase = p->width > length ? p->width - length : 0;
    interrupt_drawn(length + erase);
    fprintf(stderr, "\r%.*s%*s", length, line, erase, "");
    fflush(stderr);
    p->width = length;
}

int progress_callback(void *user, const rls2_progress *at)
{
    progress *p = user;
    if (p->keeps && at->done > 0 && strcmp(at->stage, "path") == 0) interrupt_at_once(0);
    if (p->draws) {
        double time = now();
        measure(p, at, time);
        if (time - p->drawn >= BETWEEN) {
            draw(p, at, time);
            p->drawn = time;
        }
    }
    return interrupted();
}

void progress_count(progress *p, int64_t count, const char *what)
{
    double time = p->draws ? now() : 0.0;
    if (!p->draws || time - p->drawn < BETWEEN) return;
    if (p->started == 0.0) p->started = time;
    double elapsed = time - p->started;
    char rate[48] = "";
    if (elapsed > 1.0) snprintf(rate, sizeof rate, ", %.0f a second", (double)count / elapsed);
    int length =
        fprintf(stderr, "\r%lld ", (long long)count) - 1 + text_width(what) + (int)strlen(rate);
    print_names(stderr, "%s%s", what, rate);
    if (length < p->width) fprintf(stderr, "%*s", p->width - length, "");
    fflush(stderr);
    interrupt_drawn(length);
    p->width = length;
    p->drawn = time;
}

void progress_rows(progress *p, int64_t rows)
{
    progress_count(p, rows, "rows");
}

void progress_end(progress *p)
{
    if (p->width > 0) {
        fprintf(stderr, "\r%*s\r", p->width, "");
        fflush(stderr);
    }
    interrupt_drawn(0);
    p->width = 0;
    p->stage = NULL;
}
