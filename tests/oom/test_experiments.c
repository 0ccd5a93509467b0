/* Every allocation of journals, sheets and lists of sources fails once. What libc allocates within
 * its own functions is not seen here. */
#include "failing_allocator.h"

#include <stdio.h>
#include <unistd.h>

#include "experiments/journal.h"
#include "experiments/sheet.h"
#include "experiments/sources.h"
#include "support/command.h"

enum { UNITS = 66 }; /* more than the journal has room for at first */

/* ---- journals ---- */

static rls2_status add_units(journal *j, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int i = 0; i < UNITS && status == RLS2_OK; i++) {
        char key[32];
        const double values[] = {i, 0.5};
        snprintf(key, sizeof key, "unit-%d", i);
        allocator.armed = i >= UNITS - 4; /* where it grows; the others are like them */
        status = journal_add(j, key, 2, values, err);
        allocator.armed = 0;
    }
    return status;
}

/* Begun, filled, opened again, with other settings, and as it was. */
static rls2_status keep_units(result *r, rls2_error *err)
{
    journal *j = UNTOUCHED;
    rls2_status status;
    unlink(in_folder("journal/journal.txt"));
    unlink(in_folder("journal/journal.txt.old"));
    ARMED(status = journal_open(folder(), "journal", "h", &j, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(j, UNTOUCHED);
        return status;
    }
    status = add_units(j, err);
    journal_close(j);
    if (status != RLS2_OK) return status;
    ARMED(status = journal_open(folder(), "journal", "h", &j, err));
    if (status != RLS2_OK) return status;
    add_value(r, (double)journal_size(j));
    add_values(r, 2, journal_find(j, "unit-65", 2));
    journal_close(j);
    for (int back = 0; back < 2; back++) {
        ARMED(status = journal_open(folder(), "journal", back ? "h" : "other", &j, err));
        if (status != RLS2_OK) return status;
        add_value(r, (double)journal_size(j));
        journal_close(j);
    }
    return RLS2_OK;
}

/* ---- sheets ---- */

static void fill(sheet *s)
{
    static const char *const NAMES[] = {"a", "b"};
    static const double X[] = {1, 2};
    static const chart_line LINE = {.name = "l", .count = 2, .x = X, .y = X};
    static const chart_panel PANEL = {.line_count = 1, .lines = &LINE};
    sheet_paragraph(s, "text %d", 1);
    sheet_fact(s, "fact", 1.0);
    for (int t = 0; t < 2; t++) {
        sheet_table(s, t ? "t2" : "t1", "caption", 2, NAMES);
        for (int i = 0; i < 20; i++)
            sheet_row(s), sheet_text(s, "x"), sheet_mean(s, 1.0, 2.0, "%g");
    }
    sheet_figure(s, "f", "caption", &(chart){1, 1, &PANEL});
}

static rls2_status show_results(result *r, rls2_error *err)
{
    static const char *const NAMES[] = {"sheet"};
    rls2_status status;
    sheet *s;
    ARMED(s = sheet_create("sheet", "title"));
    if (!s) { /* it has no message: its caller has one */
        if (err)
            *err = (rls2_error){.status = RLS2_ERR_MEMORY, .message = "out of memory for a sheet"};
        return RLS2_ERR_MEMORY;
    }
    ARMED(fill(s));
    ARMED(status = sheet_write(s, folder(), err));
    if (status == RLS2_OK) ARMED(status = sheet_index(folder(), 1, NAMES, NAMES, err));
    sheet_free(s);
    if (status != RLS2_OK) return status;
    char *text = read_text(in_folder("sheet/tables.json"), NULL);
    add_text(r, text);
    free(text);
    return RLS2_OK;
}

/* ---- sources ---- */

static rls2_status read_sources(result *r, rls2_error *err)
{
    sources list;
    rls2_status status;
    ARMED(status = sources_read("experiments/sources.txt", &list, err));
    if (status == RLS2_OK) add_value(r, list.count);
    sources_free(&list);
    return status;
}

static const sweep sweeps[] = {
    {"journal", keep_units, STRICT},
    {"sheet", show_results, STRICT},
    {"sources", read_sources, STRICT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    setenv("RLS2_RSVG_CONVERT", "/nowhere", 1);
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests_name("oom.experiments", tests, folder_make, folder_remove);
}
