#include "cli/output.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "experiments/escape.h"

/* ---- files ---- */

static const char SUFFIX[] = ".XXXXXX";

static int fail_at(const settings *s, const char *path, int error)
{
    say_error(s, "%s: %s", path, error ? strerror(error) : "not everything could be written");
    return EXIT_FAILED;
}

/* Permissions of the file that is replaced, or those that any new file gets. */
static mode_t permissions(const struct stat *old)
{
    if (old) return old->st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* A temporary file beside `target`, so that renaming it never crosses to another disk. */
static FILE *open_beside(const char *target, const struct stat *old, char **temporary)
{
    size_t length = strlen(target);
    FILE *file = NULL;
    char *name = malloc(length + sizeof SUFFIX);
    if (!name) return NULL;
    memcpy(name, target, length);
    memcpy(name + length, SUFFIX, sizeof SUFFIX);
    int descriptor = mkstemp(name);
    if (descriptor >= 0) {
        if (fchmod(descriptor, permissions(old)) == 0) file = fdopen(descriptor, "w");
        if (!file) {
            int error = errno;
            close(descriptor);
            unlink(name);
            errno = error;
        }
    }
    if (!file) {
        free(name);
        return NULL;
    }
    *temporary = name;
    interrupt_catch();
    interrupt_remember(name);
    return file;
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
        char *target = exists ? realpath(path, NULL) : NULL; /* a link stays, what it points to is replaced */
        out->file = open_beside(target ? target : path, exists ? &old : NULL, &out->temporary);
        int error = errno;
        free(target);
        errno = error;
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

/* On the disk before the name: after a power cut there is the old file or the new one. */
static int close_file(output *out)
{
    int error = flush(out->file);
    if (!error && out->temporary && fsync(fileno(out->file)) != 0) error = errno;
    errno = 0;
    if (fclose(out->file) != 0 && !error) error = errno ? errno : -1;
    return error;
}

static int rename_to_target(const char *temporary)
{
    char *target = strdup(temporary);
    if (!target) return ENOMEM;
    target[strlen(target) - strlen(SUFFIX)] = '\0';
    int error = rename(temporary, target) == 0 ? 0 : errno;
    free(target);
    return error;
}

int output_close(const settings *s, output *out, int keep)
{
    if (!out->file) return EXIT_OK;
    const char *name = out->path ? out->path : "stdout";
    int error = out->path ? close_file(out) : flush(out->file);
    if (out->temporary) {
        if (keep && !error) error = rename_to_target(out->temporary);
        if (!keep || error) unlink(out->temporary);
        interrupt_forget(out->temporary);
        free(out->temporary);
    }
    memset(out, 0, sizeof *out);
    return keep && error ? fail_at(s, name, error > 0 ? error : 0) : EXIT_OK;
}

/* ---- cells ---- */

const char *number_text(double value, char *buffer)
{
    if (!isfinite(value)) return strcpy(buffer, isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf");
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
