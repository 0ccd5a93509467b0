/* Opens, checks and closes the output; writes CSV cells, numbers and bars. */
#include "cli/output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "experiments/escape.h"
#include "rls2/file.h"

/* ---- files ---- */

static int fail_at(const settings *s, const char *path, int error)
{
    say_error(s, "%s: %s", path, error ? strerror(error) : "not everything could be written");
    return EXIT_FAILED;
}

/* A temporary file beside the target (rls2/file.h), with the permissions of the file that is
 * replaced; NULL and errno where it cannot be had. */
static FILE *open_beside(const char *target, const struct stat *old, char *temporary, size_t size)
{
    int descriptor = -1;
    if (rls2_temporary_create(target, temporary, (int64_t)size, &descriptor, NULL) != RLS2_OK)
        return NULL;
    FILE *file = NULL;
    if (!old || fchmod(descriptor, old->st_mode & 0777) == 0) file = fdopen(descriptor, "w");
    if (file) return file;
    int error = errno;
    unlink(temporary);
    close(descriptor);
    errno = error;
    return NULL;
}

/* out->file for a target that is a regular file, or is not there yet. A link stays; what it points
 * to is replaced. */
static void open_whole(output *out, const struct stat *old)
{
    out->target = old ? realpath(out->path, NULL) : strdup(out->path);
    size_t size = out->target ? strlen(out->target) + 1 + RLS2_TEMPORARY_MORE : 0;
    out->temporary = out->target ? malloc(size) : NULL;
    if (out->temporary) out->file = open_beside(out->target, old, out->temporary, size);
    if (out->file) {
        interrupt_catch();
        interrupt_remember(out->temporary);
        return;
    }
    int error = errno;
    free(out->target);
    free(out->temporary);
    out->target = out->temporary = NULL;
    errno = error;
}

static int is_same_file(const char *path, const struct stat *target)
{
    struct stat input;
    return path && stat(path, &input) == 0 && input.st_dev == target->st_dev &&
           input.st_ino == target->st_ino;
}

static const char *overwritten_input(const settings *s, const struct stat *target)
{
    for (int i = 0; i < s->argument_count; i++)
        if (is_same_file(s->argument[i], target)) return s->argument[i];
    if (is_same_file(s->test, target)) return s->test;
    if (is_same_file(s->validation, target)) return s->validation;
    for (int64_t g = 0; g < s->given.count; g++) {
        const char *equals = strchr(s->given.items[g], '=');
        if (equals && is_same_file(equals + 1, target)) return equals + 1;
    }
    return NULL;
}

static int check_folder(const settings *s)
{
    char *folder = strdup(s->output), *slash = folder ? strrchr(folder, '/') : NULL;
    if (!folder) return out_of_memory(s);
    if (slash) slash[slash == folder] = '\0';
    const char *place = slash ? folder : ".";
    struct stat about;
    int error = stat(place, &about) != 0 ? errno : 0;
    if (!error && !S_ISDIR(about.st_mode)) error = ENOTDIR;
    if (!error && access(place, W_OK | X_OK) != 0) error = errno;
    int code = error ? fail_at(s, s->output, error) : EXIT_OK;
    free(folder);
    return code;
}

int output_check(const settings *s)
{
    struct stat found;
    if (!s->output || strcmp(s->output, "-") == 0) return EXIT_OK;
    if (s->output[0] == '\0') {
        say_error(s, "the name of the output file is empty");
        return EXIT_USAGE;
    }
    if (stat(s->output, &found) != 0) return check_folder(s);
    if (S_ISDIR(found.st_mode)) return fail_at(s, s->output, EISDIR);
    const char *input = S_ISREG(found.st_mode) ? overwritten_input(s, &found) : NULL;
    if (!input) return EXIT_OK;
    say_error(s, "%s is read and would be overwritten: give --output another name", input);
    return EXIT_USAGE;
}

int output_open(const settings *s, const char *path, output *out)
{
    struct stat old;
    memset(out, 0, sizeof *out);
    out->path = path && strcmp(path, "-") != 0 ? path : NULL;
    if (!out->path) {
        out->file = stdout;
        return EXIT_OK;
    }
    if (path[0] == '\0') {
        say_error(s, "the name of the output file is empty");
        return EXIT_FAILED;
    }
    int exists = stat(path, &old) == 0;
    if (exists && !S_ISREG(old.st_mode)) { /* /dev/null, a pipe: written into, never replaced */
        out->file = fopen(path, "w");
    } else {
        open_whole(out, exists ? &old : NULL);
    }
    return out->file ? EXIT_OK : fail_at(s, path, errno);
}

/* 0, or what went wrong; -1 where only that it did is known. */
static int flush(FILE *file)
{
    errno = 0;
    if (fflush(file) != 0) return errno ? errno : -1;
    return ferror(file) ? -1 : 0;
}

void output_flush(output *out)
{
    int error = flush(out->file);
    if (!out->error) out->error = error;
}

/* On the disk before the name: after a power cut there is the old file or the new one. */
static int give_name(output *out)
{
    if (fsync(fileno(out->file)) != 0) return errno;
    return rename(out->temporary, out->target) == 0 ? 0 : errno;
}

/* Closed last, and with it unlocked: then it has its own name, or none. */
static int finish_whole(output *out, int keep, int error)
{
    if (keep && !error) error = give_name(out);
    if (!keep || error) unlink(out->temporary);
    fclose(out->file);
    interrupt_forget(out->temporary);
    free(out->temporary);
    free(out->target);
    return error;
}

int output_close(const settings *s, output *out, int keep)
{
    if (!out->file) return EXIT_OK;
    const char *name = out->path ? out->path : "stdout";
    output_flush(out);
    int error = out->error;
    errno = 0;
    if (out->temporary)
        error = finish_whole(out, keep, error);
    else if (out->path && fclose(out->file) != 0 && !error)
        error = errno ? errno : -1;
    memset(out, 0, sizeof *out);
    return keep && error ? fail_at(s, name, error > 0 ? error : 0) : EXIT_OK;
}

/* ---- cells ---- */

const char *number_text(double value, char *buffer)
{
    if (!isfinite(value))
        return strcpy(buffer, isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf");
    /* %g leaves out trailing zeros: 15 digits are the shortest text whenever they are enough */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, 32, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) break;
    }
    return buffer;
}

void csv_text(FILE *file, const char *text)
{
    int plain = rls2_text_escape(text, NULL, 0) == (int64_t)strlen(text);
    char *shown = !plain && isatty(fileno(file)) ? escape_copy(text) : NULL;
    escape_csv(file, shown ? shown : text);
    free(shown);
}

/* ---- bars ---- */

static void bar_of_blocks(FILE *file, double cells, int width)
{
    static const char *const EIGHTHS[] = {"",       "\u258f", "\u258e", "\u258d",
                                          "\u258c", "\u258b", "\u258a", "\u2589"};
    int eighths = (int)lround(cells * 8.0), whole = eighths / 8, rest = eighths % 8;
    if (eighths == 0 && cells > 0.0) rest = 1;
    for (int i = 0; i < whole; i++) fputs("\u2588", file);
    fputs(EIGHTHS[rest], file);
    fprintf(file, "%*s", width - whole - (rest > 0), "");
}

/* Always `width` wide, so that what follows is aligned; what is not zero is seen. */
void bar(FILE *file, double share, int width)
{
    double cells = share > 0.0 ? fmin(share, 1.0) * width : 0.0;
    if (console_utf8(file)) {
        bar_of_blocks(file, cells, width);
        return;
    }
    int whole = (int)lround(cells);
    if (whole == 0 && cells > 0.0) whole = 1;
    for (int i = 0; i < width; i++) fputc(i < whole ? '#' : ' ', file);
}

int64_t shown_of(const settings *s, int64_t count)
{
    return s->top > 0 && s->top < count ? s->top : count;
}

void show_rest(FILE *file, int64_t shown, int64_t count)
{
    if (shown < count)
        fprintf(file, "  ... and %" PRId64 " more; --top 0 shows all\n", count - shown);
}
