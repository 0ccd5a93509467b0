/* A sheet as a section of a page, and the page made of all sections that are there. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "experiments/escape.h"
#include "experiments/experiment.h"
#include "experiments/files.h"
#include "experiments/sheet_parts.h"

/* ---- a section ---- */

static void write_element(FILE *file, const char *element, const char *text)
{
    fprintf(file, "<%s>", element);
    escape_xml(file, text);
    fprintf(file, "</%s>", element);
}

static void write_cells(FILE *file, const sheet_grid *g, int64_t row)
{
    fputs("<tr>", file);
    for (int j = 0; j < g->columns; j++) {
        const char *text = row < 0 ? g->names[j] : cell_text(&g->cells[row * g->columns + j]);
        fprintf(file, "<%s%s>", row < 0 ? "th" : "td",
                column_is_numeric(g, j) ? " class=\"number\"" : "");
        escape_xml(file, text);
        fputs(row < 0 ? "</th>" : "</td>", file);
    }
    fputs("</tr>\n", file);
}

static void write_table(const sheet *s, FILE *file, const part *p)
{
    const sheet_grid *g = &p->grid;
    fprintf(file, "<figure id=\"%s-%s\">\n<figcaption>", s->name, p->id);
    escape_xml(file, p->text);
    fprintf(file,
            " <a href=\"%s/%s.csv\">CSV</a></figcaption>\n<div class=\"scroll\"><table>\n<thead>",
            s->name, p->id);
    write_cells(file, g, -1);
    fputs("</thead>\n<tbody>\n", file);
    for (int64_t i = 0; i < g->rows; i++) write_cells(file, g, i);
    fputs("</tbody>\n</table></div>\n</figure>\n", file);
}

static void write_figure(const sheet *s, FILE *file, const part *p)
{
    fprintf(file, "<figure id=\"%s-%s\">\n<img src=\"%s/%s.svg\" alt=\"", s->name, p->id, s->name,
            p->id);
    escape_xml(file, p->text);
    fputs("\">\n<figcaption>", file);
    escape_xml(file, p->text);
    fputs("</figcaption>\n</figure>\n", file);
}

static void write_today(FILE *file)
{
    char text[64] = "";
    time_t now = time(NULL);
    struct tm when;
    if (localtime_r(&now, &when)) strftime(text, sizeof text, "%Y-%m-%d %H:%M", &when);
    fputs(text, file);
}

void sheet_write_html(const sheet *s, FILE *file)
{
    fprintf(file, "<section id=\"%s\">\n", s->name);
    write_element(file, "h2", s->title);
    fputs("\n", file);
    for (int64_t i = 0; i < s->part_count; i++) {
        const part *p = &s->parts[i];
        if (p->kind == PART_TABLE)
            write_table(s, file, p);
        else if (p->kind == PART_FIGURE)
            write_figure(s, file, p);
        else
            write_element(file, "p", p->text);
        fputs("\n", file);
    }
    fprintf(file, "<p class=\"small\">Computed ");
    write_today(file);
    fprintf(
        file,
        " by rls2 %s. All numbers: <a href=\"%s/tables.json\">tables.json</a>.</p>\n</section>\n",
        rls2_version(), s->name);
}

/* ---- the page ---- */

/* Black on white or white on black, as the reader has it; figures are always on white. */
static const char HEAD[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>rls2: the paper's experiments</title>\n<style>\n"
    ":root { color-scheme: light dark; }\n"
    "body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: "
    "1.5rem; }\n"
    "h1 { font-size: 1.7rem; margin-bottom: .3rem; }\n"
    "h2 { font-size: 1.35rem; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid #8886; }\n"
    "figure { margin: 1.8rem 0; }\n"
    "figcaption { margin: .5rem 0; font-size: .95rem; }\n"
    "img { width: 100%; max-width: 50rem; height: auto; background: #fff; border: 1px solid #8884; "
    "border-radius: 4px; }\n"
    ".scroll { overflow-x: auto; }\n"
    "table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }\n"
    "th, td { padding: .28rem .7rem; text-align: left; white-space: nowrap; }\n"
    "thead th { border-bottom: 2px solid #8889; vertical-align: bottom; white-space: normal; }\n"
    "tbody tr:nth-child(even) { background: #8881; }\n"
    ".number { text-align: right; }\n"
    ".small { font-size: .85rem; opacity: .75; }\n"
    "</style>\n</head>\n<body>\n<h1>The paper's experiments, recomputed</h1>\n"
    "<p>F. Dinuzzo, <cite>Kernel machines with two layers and multiple kernel learning</cite>. "
    "Every table "
    "shows "
    "the paper's numbers beside those computed here.</p>\n";

/* The text between <h2> and </h2>, which sheet_write_html has escaped; NULL if there is none. */
static const char *heading_of(const char *page, int *length)
{
    const char *start = strstr(page, "<h2>"), *end = start ? strstr(start, "</h2>") : NULL;
    if (!end) return NULL;
    *length = (int)(end - start) - 4;
    return start + 4;
}

static void write_contents(FILE *file, int count, const char *const *names,
                           const char *const *arguments, char *const *pages)
{
    fputs("<ul>\n", file);
    for (int i = 0; i < count; i++) {
        int length = 0;
        const char *heading = pages[i] ? heading_of(pages[i], &length) : NULL;
        if (heading) {
            fprintf(file, "<li><a href=\"#%s\">%.*s</a></li>\n", names[i], length, heading);
            continue;
        }
        fprintf(file, "<li>%s: not computed yet (<code>rls2 reproduce ", names[i]);
        escape_xml(file, arguments[i]);
        fputs("</code>)</li>\n", file);
    }
    fputs("</ul>\n", file);
}

static void write_page(FILE *file, int count, const char *const *names,
                       const char *const *arguments, char *const *pages)
{
    fputs(HEAD, file);
    write_contents(file, count, names, arguments, pages);
    for (int i = 0; i < count; i++)
        if (pages[i]) fputs(pages[i], file);
    fputs("<hr>\n<p class=\"small\">Written ", file);
    write_today(file);
    fprintf(file, " by rls2 %s: <code>rls2 reproduce</code>.</p>\n</body>\n</html>\n",
            rls2_version());
}

/* The sections; NULL for an experiment that has none yet. */
static rls2_status read_pages(const char *folder, int count, const char *const *names, char **pages,
                              rls2_error *err)
{
    for (int i = 0; i < count; i++) {
        char path[FILES_PATH];
        if (snprintf(path, sizeof path, "%s/%s/page.html", folder, names[i]) >= FILES_PATH)
            return experiment_fail(err, RLS2_ERR_IO, "%s: %s", folder, strerror(ENAMETOOLONG));
        pages[i] = files_read(path, NULL);
        if (!pages[i] && errno == ENOMEM)
            return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for %s", path);
        if (!pages[i] && errno != ENOENT && errno != ENOTDIR)
            return experiment_fail(err, RLS2_ERR_IO, "%s: %s", path, strerror(errno));
    }
    return RLS2_OK;
}

rls2_status sheet_index(const char *folder, int count, const char *const *names,
                        const char *const *arguments, rls2_error *err)
{
    new_file f;
    char **pages = calloc((size_t)count + 1, sizeof *pages);
    if (!pages)
        return experiment_fail(err, RLS2_ERR_MEMORY,
                               "out of memory for the page of all experiments");
    rls2_status status = read_pages(folder, count, names, pages, err);
    if (status == RLS2_OK) status = files_begin(&f, err, "%s/index.html", folder);
    if (status == RLS2_OK) {
        write_page(f.file, count, names, arguments, pages);
        status = files_finish(&f, err);
    }
    for (int i = 0; i < count; i++) free(pages[i]);
    free(pages);
    return status;
}
