/* rls2 reproduce: the paper's tables and figures computed again, ours beside the paper's. */
#include "cli/paper/reproduce_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/did_you_mean.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/paper/reproduce_data.h"
#include "cli/progress.h"
#include "experiments/files.h"

enum { MOST_EXPERIMENTS = 16 };

/* What the arguments ask for. */
typedef struct wanted {
    int experiment[MOST_EXPERIMENTS]; /* 1: to be run */
    int experiments;                  /* so many of them */
    int data;
} wanted;

int data_folders(const settings *s, const char *folders[DATA_FOLDERS])
{
    const char *named = getenv("RLS2_DATA");
    int count = 0;
    if (s->data && s->data[0]) folders[count++] = s->data;
    folders[count++] = "data";
    if (named && named[0]) folders[count++] = named;
    folders[count++] = "../shared/data";
    return count;
}

/* ---- arguments ---- */

static int refuse_name(const settings *s, const char *name)
{
    int count;
    const experiment *all = experiments(&count);
    suggestion near = suggest_for(name, strlen(name));
    for (int i = 0; i < count; i++) suggest_offer(&near, all[i].name);
    suggest_offer(&near, "all");
    suggest_offer(&near, "data");
    if (near.nearest)
        say_error(s, "there is no experiment '%s'; did you mean '%s'? 'rls2 reproduce' lists them",
                  name, near.nearest);
    else
        say_error(s, "there is no experiment '%s'; 'rls2 reproduce' lists them", name);
    return EXIT_USAGE;
}

static int read_arguments(const settings *s, wanted *w)
{
    int count;
    const experiment *all = experiments(&count);
    memset(w, 0, sizeof *w);
    for (int a = 0; a < s->argument_count; a++) {
        const char *name = s->argument[a];
        int every = strcmp(name, "all") == 0, known = every || strcmp(name, "data") == 0;
        if (known && !every) w->data = 1;
        for (int i = 0; i < count; i++) {
            if (!every && strcmp(name, all[i].name) != 0) continue;
            w->experiment[i] = known = 1;
        }
        if (!known) return refuse_name(s, name);
    }
    for (int i = 0; i < count; i++) w->experiments += w->experiment[i];
    return EXIT_OK;
}

/* ---- the list ---- */

static void list_as_json(FILE *file, const experiment *all, int count)
{
    json j = json_start(file);
    json_object(&j, NULL);
    json_array(&j, "experiments");
    for (int i = 0; i < count; i++) {
        json_object(&j, NULL);
        json_text(&j, "name", all[i].name);
        json_text(&j, "summary", all[i].summary);
        json_end_object(&j);
    }
    json_end_array(&j);
    json_end_object(&j);
    json_finish(&j);
}

static int list(const settings *s)
{
    int count;
    const experiment *all = experiments(&count);
    output out;
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (s->json) {
        list_as_json(out.file, all, count);
    } else {
        fputs("The paper's experiments, in its order:\n\n", out.file);
        for (int i = 0; i < count; i++)
            fprintf(out.file, "  %-15s %s\n", all[i].name, all[i].summary);
        fputs("\n"
              "'rls2 reproduce NAME' computes one again, 'rls2 reproduce all' all of them;\n"
              "'rls2 reproduce data' fetches data that are missing.\n",
              out.file);
    }
    return output_close(s, &out, 1);
}

/* ---- running ---- */

static void note(void *user, const char *text)
{
    progress *p = user;
    progress_end(p); /* the bar is drawn anew below */
    say(p->settings, "%s", text);
}

static reproduction request(const settings *s, const char *const *folders, int folder_count,
                            progress *p)
{
    return (reproduction){.output = s->folder,
                          .folders = folders,
                          .folder_count = folder_count,
                          .splits = s->splits,
                          .threads = s->threads < 1024 ? (int)s->threads : 1024,
                          .seed = (uint64_t)s->seed,
                          .solver = strcmp(s->solver, "alternate") == 0 ? RLS2_SOLVER_ALTERNATE
                                                                        : RLS2_SOLVER_NEWTON,
                          .progress = progress_callback,
                          .progress_user = p,
                          .note = note,
                          .note_user = p};
}

/* The name of its sheet, which is that of its folder. */
static const char *sheet_of(const settings *s, const experiment *e)
{
    return e->other && strcmp(s->solver, "alternate") == 0 ? e->other : e->name;
}

/* index.html shows the experiments of earlier runs too. */
static rls2_status write_results(const settings *s, const sheet *results, rls2_error *err)
{
    int count, sheets = 0;
    const char *names[2 * MOST_EXPERIMENTS], *arguments[2 * MOST_EXPERIMENTS];
    char other[MOST_EXPERIMENTS][64];
    const experiment *all = experiments(&count);
    for (int i = 0; i < count; i++) {
        arguments[sheets] = all[i].name;
        names[sheets++] = all[i].name;
        if (!all[i].other) continue;
        snprintf(other[i], sizeof other[i], "%s --solver alternate", all[i].name);
        arguments[sheets] = other[i];
        names[sheets++] = all[i].other;
    }
    rls2_status status = sheet_write(results, s->folder, err);
    /* what could be written is shown even so: a PNG that could not be made is not the end */
    rls2_status shown =
        sheet_index(s->folder, sheets, names, arguments, status == RLS2_OK ? err : NULL);
    return status == RLS2_OK ? shown : status;
}

static int print_results(const settings *s, const experiment *e, const sheet *results)
{
    output out;
    if (s->json) return EXIT_OK; /* at the end, all in one */
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    sheet_print(results, out.file);
    print_names(out.file, "Tables and figures: %s/%s\n", s->folder, sheet_of(s, e));
    fputc('\n', out.file);
    return output_close(s, &out, 1);
}

static int explain(const settings *s, const experiment *e, const rls2_error *err)
{
    if (err->status == RLS2_ERR_CANCELLED || interrupted()) {
        say_error(s, "stopped; what is finished is kept in %s: run it again to go on", s->folder);
        return EXIT_INTERRUPTED;
    }
    say_error(s, "%s: %s", e->name, err->message[0] ? err->message : rls2_status_text(err->status));
    if (err->status == RLS2_ERR_NAME)
        say(s, "'rls2 reproduce data' fetches what has a public address; --data FOLDER says "
               "where data are.");
    return EXIT_FAILED;
}

static int run_one(const settings *s, const experiment *e)
{
    const char *folders[DATA_FOLDERS];
    int folder_count = data_folders(s, folders);
    rls2_error err = {0};
    sheet *results = NULL;
    progress p = progress_start(s);
    reproduction r = request(s, folders, folder_count, &p);
    rls2_status status = e->run(&r, &results, &err);
    progress_end(&p);
    if (status == RLS2_OK) status = write_results(s, results, &err);
    int code = status == RLS2_OK ? print_results(s, e, results) : explain(s, e, &err);
    sheet_free(results);
    return code;
}

/* One experiment that fails, for want of its data perhaps, does not stop the others. */
static int run_wanted(const settings *s, wanted *w)
{
    int count, worst = EXIT_OK;
    const experiment *all = experiments(&count);
    for (int i = 0; i < count; i++) {
        if (!w->experiment[i]) continue;
        int code = run_one(s, &all[i]);
        if (code == EXIT_INTERRUPTED) return code;
        if (code != EXIT_OK) worst = code;
        w->experiment[i] = code == EXIT_OK;
    }
    return worst;
}

/* ---- as JSON ---- */

static int copy_file(const settings *s, FILE *to, const char *name)
{
    char path[FILES_PATH];
    size_t length = 0;
    snprintf(path, sizeof path, "%s/%s/tables.json", s->folder, name);
    char *text = files_read(path, &length);
    if (!text) {
        say_error(s, "%s: %s", path, strerror(errno));
        return EXIT_FAILED;
    }
    while (length > 0 && text[length - 1] == '\n') length--;
    fwrite(text, 1, length, to);
    free(text);
    return EXIT_OK;
}

/* The tables.json of the one that was asked for; of several, all in one object. */
static int print_json(const settings *s, const wanted *w)
{
    int count, printed = 0;
    const experiment *all = experiments(&count);
    output out;
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (w->experiments > 1) fputs("{\"experiments\": [\n", out.file);
    for (int i = 0; i < count && code == EXIT_OK; i++) {
        if (!w->experiment[i]) continue;
        if (printed++ > 0) fputs(",\n", out.file);
        code = copy_file(s, out.file, sheet_of(s, &all[i]));
    }
    if (w->experiments > 1)
        fputs("]}\n", out.file);
    else if (printed > 0)
        fputc('\n', out.file);
    int closed = output_close(s, &out, 1);
    return code == EXIT_OK ? closed : code;
}

/* ---- the command ---- */

/* Before hours of work: can the results be written? */
static int check_folder(const settings *s)
{
    rls2_error err = {0};
    if (files_make_folder(s->folder, &err) != RLS2_OK) return fail(s, &err);
    if (access(s->folder, W_OK | X_OK) != 0) {
        say_error(s, "%s: %s", s->folder, strerror(errno));
        return EXIT_FAILED;
    }
    if (!sheet_has_png())
        say(s, "rsvg-convert is not installed: figures are written as SVG alone (for PNG too, on "
               "Debian or Ubuntu: apt-get install librsvg2-bin)");
    return EXIT_OK;
}

static int run_reproduce(const settings *s)
{
    wanted w;
    int code = read_arguments(s, &w), fetched = EXIT_OK;
    if (code != EXIT_OK) return code;
    if (s->argument_count == 0) return list(s);
    if (w.data)
        fetched = reproduce_data(s, !(s->json && w.experiments > 0)); /* one object, not two */
    if (fetched == EXIT_INTERRUPTED || w.experiments == 0) return fetched;
    code = check_folder(s);
    if (code != EXIT_OK) return code;
    code = run_wanted(s, &w);
    if (s->json && code != EXIT_INTERRUPTED) {
        int printed = print_json(s, &w);
        code = code == EXIT_OK ? printed : code;
    }
    return code == EXIT_OK ? fetched : code;
}

const command command_reproduce = {
    .name = "reproduce",
    .bit = FOR_REPRODUCE,
    .summary = "recompute the experiments of the paper, beside its numbers",
    .arguments = "[NAME|all|data]...",
    .most = MOST_ARGUMENTS,
    .words = "binary-strings prostate uci cancers all data",
    .description =
        "Recomputes the tables and figures of the paper and prints them beside the paper's "
        "numbers. NAME is binary-strings, prostate, uci or cancers; without a name the "
        "experiments are listed.\n\n"
        "Each experiment writes its tables (tables.md, tables.json and CSV files) and figures "
        "(SVG, and PNG if rsvg-convert is installed) into a folder of its own; index.html shows "
        "all of them. Finished parts are kept: after Ctrl-C or a crash the same command "
        "continues where it stopped.\n\n"
        "'data' downloads files that are not in the source tree from their public source with "
        "curl, checks them, and puts them into the folder of --data. An experiment without any "
        "data fails without stopping the others, and the exit code is then 1; one that lacks "
        "some of its data sets says so and continues.\n\n"
        "With --json the experiment's tables.json is printed; of several, an object with a list "
        "of them.",
    .examples = "$ rls2 reproduce\n"
                "  What there is.\n\n"
                "$ rls2 reproduce prostate --splits 3 -o look\n"
                "  A quick look: three divisions of the rows instead of a hundred.\n",
    .run = run_reproduce};
