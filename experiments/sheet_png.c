/* PNG files by rsvg-convert, a child process: it reads its standard input and writes its standard
 * output. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/child.h"
#include "experiments/experiment.h"
#include "experiments/files.h"
#include "experiments/sheet_parts.h"

static const char *program(void)
{
    const char *chosen = getenv("RLS2_RSVG_CONVERT");
    return chosen && chosen[0] ? chosen : "rsvg-convert";
}

int sheet_has_png(void)
{
    return files_has_program(program());
}

/* An errno, 0 if it ran; *status is how it ended. Twice the size of the SVG, for print. */
static int convert(int from, int to, int *status)
{
    char name[] = "rsvg-convert", zoom[] = "--zoom=2", format[] = "--format=png";
    char *const arguments[] = {name, zoom, format, NULL};
    pid_t child;
    int error = child_start(program(), arguments, from, to, -1, &child);
    if (error) return error;
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR) return errno;
    return 0;
}

rls2_status sheet_write_png(const char *folder, const char *name, const char *id, rls2_error *err)
{
    char source[FILES_PATH];
    new_file f;
    int ended = 0;
    snprintf(source, sizeof source, "%s/%s/%s.svg", folder, name, id);
    int from = open(source, O_RDONLY | O_CLOEXEC);
    if (from < 0) return experiment_fail(err, RLS2_ERR_IO, "%s: %s", source, strerror(errno));
    rls2_status status = files_begin(&f, err, "%s/%s/%s.png", folder, name, id);
    if (status == RLS2_OK) {
        int error = convert(from, fileno(f.file), &ended);
        if (!error && ended == 0) {
            status = files_finish(&f, err);
        } else {
            files_drop(&f);
            status =
                experiment_fail(err, RLS2_ERR_IO, "%s: %s could not make a PNG of it%s%s", source,
                                program(), error ? ": " : "", error ? strerror(error) : "");
        }
    }
    close(from);
    return status;
}
