/* A sheet as files. */
#include <stdlib.h>
#include <string.h>

#include "experiments/experiment.h"
#include "experiments/files.h"
#include "experiments/sheet_parts.h"

typedef void (*write_form)(const sheet *s, FILE *file);

static rls2_status write_whole(const sheet *s, const char *folder, const char *name,
                               write_form write, rls2_error *err)
{
    new_file f;
    rls2_status status = files_begin(&f, err, "%s/%s/%s", folder, s->name, name);
    if (status != RLS2_OK) return status;
    write(s, f.file);
    return files_finish(&f, err);
}

static rls2_status write_part(const sheet *s, const char *folder, const part *p, rls2_error *err)
{
    new_file f;
    if (p->kind == PART_PARAGRAPH) return RLS2_OK;
    rls2_status status = files_begin(&f, err, "%s/%s/%s.%s", folder, s->name, p->id,
                                     p->kind == PART_TABLE ? "csv" : "svg");
    if (status != RLS2_OK) return status;
    if (p->kind == PART_TABLE)
        sheet_write_csv(&p->grid, f.file);
    else
        fputs(p->svg, f.file);
    return files_finish(&f, err);
}

/* Last, and only here, since another program may fail for reasons of its own. */
static rls2_status write_pngs(const sheet *s, const char *folder, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    if (!sheet_has_png()) return RLS2_OK;
    for (int64_t i = 0; i < s->part_count && status == RLS2_OK; i++)
        if (s->parts[i].kind == PART_FIGURE)
            status = sheet_write_png(folder, s->name, s->parts[i].id, err);
    return status;
}

static rls2_status make_folder(const sheet *s, const char *folder, rls2_error *err)
{
    char path[FILES_PATH];
    if (folder[0] == '\0')
        return experiment_fail(err, RLS2_ERR_IO, "the name of the folder is empty");
    snprintf(path, sizeof path, "%s/%s", folder, s->name);
    return files_make_folder(path, err);
}

rls2_status sheet_write(const sheet *s, const char *folder, rls2_error *err)
{
    if (s->status == RLS2_ERR_MEMORY)
        return experiment_fail(err, s->status, "out of memory for the sheet '%s'", s->name);
    if (s->status != RLS2_OK) return experiment_fail(err, s->status, "%s", s->misuse);
    rls2_status status = make_folder(s, folder, err);
    for (int64_t i = 0; i < s->part_count && status == RLS2_OK; i++)
        status = write_part(s, folder, &s->parts[i], err);
    if (status == RLS2_OK) status = write_whole(s, folder, "tables.json", sheet_write_json, err);
    if (status == RLS2_OK) status = write_whole(s, folder, "tables.md", sheet_write_markdown, err);
    if (status == RLS2_OK) status = write_whole(s, folder, "page.html", sheet_write_html, err);
    return status == RLS2_OK ? write_pngs(s, folder, err) : status;
}
