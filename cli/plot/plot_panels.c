/* Effects as panels of one scale: lines over the quantiles of numbers, dots for categories; of two
 * inputs together a line for each of some values of the second. */
#include <math.h>
#include <string.h>

#include "cli/importance.h"
#include "cli/plot/plot_effects.h"
#include "cli/plot/plot_script.h"

enum {
    PANEL_WIDTH = 250, /* about */
    PANEL_HEIGHT = 200,
    ABOVE = 66, /* the panels: title and label */
    BETWEEN = 56,
    FOR_NAMES = 40, /* more, where names of categories are long */
    SOME = 3,       /* categories whose names stand side by side, */
    MANY = 7        /* and beyond so many they are steep */
};

static int64_t columns_of(const picture *p, double width)
{
    int64_t most = (int64_t)(width / PANEL_WIDTH);
    if (most < 1) most = 1;
    return most < p->panel_count ? most : p->panel_count;
}

static int64_t rows_of(const picture *p, double width)
{
    int64_t columns = columns_of(p, width);
    return (p->panel_count + columns - 1) / columns;
}

/* Below each row of panels. */
static double between(const picture *p)
{
    static const double LONG = 46;
    double most = 0;
    for (int64_t k = 0; k < p->panel_count; k++) {
        const panel *one = &p->panels[k];
        if (one->by_level && one->count > SOME)
            most = fmax(most,
                        widest((const char *const *)one->levels, one->count, sizeof *one->levels));
    }
    return most > LONG ? BETWEEN + FOR_NAMES : BETWEEN;
}

double panels_height(const picture *p, double width)
{
    return ABOVE + (PANEL_HEIGHT + between(p) - BETWEEN) * (double)rows_of(p, width);
}

static void span_effects(const picture *p, frame *f)
{
    f->y0 = f->y1 = 0.0;
    for (int64_t k = 0; k < p->panel_count; k++) {
        const panel *one = &p->panels[k];
        for (int64_t i = 0; i < one->count * one->lines; i++) {
            f->y0 = fmin(f->y0, one->y[i]);
            f->y1 = fmax(f->y1, one->y[i]);
        }
        for (int64_t i = 0; one->low && i < one->count; i++) {
            f->y0 = fmin(f->y0, one->low[i]);
            f->y1 = fmax(f->y1, one->high[i]);
        }
    }
    double room = f->y1 > f->y0 ? (f->y1 - f->y0) * 0.08 : 1.0;
    int couples = 0; /* have a line of text at the top */
    for (int64_t k = 0; k < p->panel_count; k++) couples |= p->panels[k].at != NULL;
    f->y0 -= room;
    f->y1 += couples ? 2.5 * room : room;
}

static void span_panel(const panel *one, frame *f)
{
    f->x0 = one->by_level ? 0.5 : one->x[0];
    f->x1 = one->by_level ? (double)one->count + 0.5 : one->x[one->count - 1];
    double room = f->x1 > f->x0 ? 0.03 * (f->x1 - f->x0) : fmax(fabs(f->x0) * 0.1, 1.0);
    f->x0 -= room;
    f->x1 += room;
}

/* x, y of each line, and the ends of the band. */
static void put_points(FILE *out, const panel *one, int64_t number)
{
    fprintf(out, "$panel%lld << END_OF_DATA\n", (long long)number);
    for (int64_t i = 0; i < one->count; i++) {
        fprintf(out, "%.10g", one->x[i]);
        for (int64_t l = 0; l < one->lines; l++) fprintf(out, " %.10g", one->y[l * one->count + i]);
        if (one->low) fprintf(out, " %.10g %.10g", one->low[i], one->high[i]);
        fputc('\n', out);
    }
    fputs("END_OF_DATA\n", out);
}

/* Bytes that all names begin with, whole characters; 0 where they are few. */
static size_t common_start(int64_t count, char *const *names)
{
    enum { WORTH_SKIPPING = 4 };
    size_t length = count > 1 ? strlen(names[0]) : 0;
    for (int64_t i = 1; i < count; i++)
        for (size_t t = 0; t < length; t++)
            if (names[i][t] != names[0][t]) length = t;
    while (length > 0 && ((unsigned char)names[0][length] & 0xC0) == 0x80) length--;
    return length < WORTH_SKIPPING ? 0 : length;
}

static double widest_of(int64_t count, char *const *names)
{
    return widest((const char *const *)names, count, sizeof *names);
}

/* As much of a name as there is room for: first its middle goes, because names that begin alike may
 * end differently. */
static void put_short(FILE *out, const canvas *c, const char *name, double room, double x, double y,
                      const char *how)
{
    enum { MOST = 60 };
    static const char DOTS[] = "\xe2\x80\xa6";
    char text[2 * MOST + 4];
    size_t length = strlen(name), keep = length < MOST ? length : MOST;
    int plain = 1; /* characters of one byte can be cut anywhere */
    for (size_t t = 0; t < length; t++) plain &= (unsigned char)name[t] < 0x80;
    if (!plain || widest(&name, 1, 0) <= room) {
        put_name(out, c, name, room, x, y, how);
        return;
    }
    const char *shown = text;
    do {
        keep--;
        snprintf(text, sizeof text, "%.*s%s%s", (int)((keep + 1) / 2), name, DOTS,
                 name + length - keep / 2);
    } while (keep > 2 && widest(&shown, 1, 0) > room);
    put_label(out, c, text, x, y, how);
}

/* The names of categories stand below their dots, slanted where they would touch, the more the more
 * there are. What all begin with is left away where there is little room. */
static void put_levels(FILE *out, const canvas *c, const panel *one, const frame *f, double below)
{
    double step = (f->right - f->left) / (f->x1 - f->x0);
    int slanted = one->count > SOME, steep = one->count > MANY;
    double room = slanted ? (below - 18) / (steep ? 0.92 : 0.6) : step - 6;
    const char *how = steep     ? "right rotate by 65 textcolor '#333333'"
                      : slanted ? "right rotate by 35 textcolor '#333333'"
                                : "center textcolor '#333333'";
    size_t skip =
        widest_of(one->count, one->levels) > room ? common_start(one->count, one->levels) : 0;
    for (int64_t i = 0; i < one->count; i++)
        put_short(out, c, one->levels[i][skip] ? one->levels[i] + skip : one->levels[i], room,
                  f->left + (one->x[i] - f->x0) * step + (slanted ? 4 : 0), f->bottom - 12, how);
}

static const char *const COLOURS[] = {"#0072b2", "#d55e00", "#009e73"};
enum { COLOUR_COUNT = sizeof COLOURS / sizeof COLOURS[0] };

/* "z: 2.7  3.5  4.6" at the top of the panel, each value in the colour of its line. */
static void put_values(FILE *out, const canvas *c, const panel *one, const frame *f)
{
    double x = f->left + 8, y = f->top - 8, gap = 10, room = (f->right - f->left) / 3;
    char name[128];
    const char *shown = name;
    snprintf(name, sizeof name, "%.100s:", one->other);
    put_name(out, c, name, room, x, y, "left front textcolor '#555555'");
    x += fmin(widest(&shown, 1, 0), room) + gap;
    room = (f->right - x) / (double)one->lines - gap;
    size_t skip = widest_of(one->lines, one->at) > room ? common_start(one->lines, one->at) : 0;
    for (int64_t l = 0; l < one->lines; l++) {
        char how[64];
        const char *text = one->at[l][skip] ? one->at[l] + skip : one->at[l];
        snprintf(how, sizeof how, "left front textcolor '%s'", COLOURS[l % COLOUR_COUNT]);
        put_short(out, c, text, room, x, y, how);
        x += fmin(widest(&text, 1, 0), room) + gap;
    }
}

/* Quantiles of the training rows, as marks on the axis. */
static void put_marks(FILE *out, const canvas *c, const panel *one, const frame *f)
{
    for (int64_t i = 0; i < one->count; i++) {
        double x = f->left + (one->x[i] - f->x0) / (f->x1 - f->x0) * (f->right - f->left);
        fprintf(out,
                "set arrow from screen %.6f, screen %.6f to screen %.6f, screen %.6f nohead front "
                "lw 1 lc '#888888'\n",
                x / c->width, f->bottom / c->height, x / c->width, (f->bottom + 6) / c->height);
    }
}

static void put_name_of(FILE *out, const canvas *c, const panel *one, const frame *f)
{
    char share[32] = "";
    double room = f->right - f->left;
    if (!isnan(one->share)) snprintf(share, sizeof share, "%.1f%%", percent(one->share));
    put_name(out, c, one->name, room - 52, f->left, f->top + 12, "left textcolor '#111111'");
    put_label(out, c, share, f->right, f->top + 12, "right textcolor '#888888'");
}

/* Two dates, where they do not touch. */
static void put_dates(FILE *out, const frame *f)
{
    const char *how = f->x1 - f->x0 < 150 ? "%Y-%m-%d" : f->x1 - f->x0 < 4000 ? "%Y-%m" : "%Y";
    fputs("set xtics nomirror out scale 0.5 textcolor '#333333' (", out);
    for (int k = 0; k < 2; k++) {
        double day = f->x0 + (f->x1 - f->x0) * (k == 0 ? 0.25 : 0.75);
        char text[32];
        date_text(day, how, text, sizeof text);
        fprintf(out, "%s'%s' %.10g", k ? ", " : "", text, day);
    }
    fputs(")\n", out);
}

/* 1, 2 or 5 times a power of ten, so that three or four numbers stand on the axis. */
static void put_tics(FILE *out, const panel *one, const frame *f)
{
    static const double STEPS[] = {1, 2, 5, 10};
    double least = (f->x1 - f->x0) / 4, power = pow(10, floor(log10(least)));
    int k = 0;
    if (one->by_level) {
        fputs("unset xtics\n", out);
        return;
    }
    if (one->is_date) {
        put_dates(out, f);
        return;
    }
    while (k < 3 && STEPS[k] * power < least) k++;
    fprintf(out, "set xtics %.10g nomirror out scale 0.5 textcolor '#333333'\n", STEPS[k] * power);
}

static void put_panel(FILE *out, const canvas *c, const panel *one, int64_t number, frame f,
                      double below)
{
    span_panel(one, &f);
    put_points(out, one, number);
    put_name_of(out, c, one, &f);
    if (one->by_level)
        put_levels(out, c, one, &f, below);
    else
        put_marks(out, c, one, &f);
    f.bare_x = one->by_level;
    put_frame(out, c, &f);
    put_tics(out, one, &f);
    if (one->at) put_values(out, c, one, &f);
    fputs("plot ", out);
    if (one->low)
        fprintf(out,
                one->by_level ? "$panel%lld using 1:2:3:4 with yerrorbars pt 7 ps 0.1 lw 2 lc "
                                "'#a6c8e0', \\\n  "
                              : "$panel%lld using 1:3:4 with filledcurves fs solid fc '#cfe2f0', "
                                "\\\n  ",
                (long long)number);
    fputs("0 with lines lw 1 lc '#999999'", out);
    for (int64_t l = 0; l < one->lines; l++)
        fprintf(out, ", \\\n  $panel%lld using 1:%d with %s lc '%s'", (long long)number, (int)l + 2,
                one->by_level ? "points pt 7 ps 1" : "lines lw 2", COLOURS[l % COLOUR_COUNT]);
    fputc('\n', out);
    fputs("unset label\nunset arrow\n", out);
}

static void put_subtitle(FILE *out, const canvas *c, const picture *p, double left)
{
    char text[256];
    int bands = 0;
    for (int64_t k = 0; k < p->panel_count; k++) bands |= p->panels[k].low != NULL;
    snprintf(text, sizeof text, "%s (%%: share %s%s)", p->panel_label, p->x_name,
             bands ? "; band: 8 of 10 rows" : "");
    put_label(out, c, text, left, c->height - 44, "left textcolor '#555555'");
}

void script_panels(FILE *out, const picture *p, const canvas *c)
{
    int64_t columns = columns_of(p, c->width), rows = rows_of(p, c->width);
    double left = 64, gap = 26, height = (c->height - ABOVE) / (double)rows;
    double width = (c->width - left - 20 - gap * (double)(columns - 1)) / (double)columns;
    frame f = {0};
    span_effects(p, &f);
    fputs("set multiplot\n", out);
    put_title(out, c, p, left, c->width);
    put_subtitle(out, c, p, left);
    for (int64_t k = 0; k < p->panel_count; k++) {
        f.left = left + (double)(k % columns) * (width + gap);
        f.right = f.left + width;
        f.top = c->height - ABOVE - (double)(k / columns) * height - 22;
        f.bottom = f.top - height + between(p) + 22;
        fputs(k % columns == 0 ? "set format y '%g'\n" : "set format y ''\n", out);
        put_panel(out, c, &p->panels[k], k, f, between(p));
    }
    fputs("unset multiplot\n", out);
}
