/* Any bytes as what `rls2 path --json` or `rls2 cv --json` printed: refused with a message, or
 * pictures that can be written in all three ways. */
#include <stdio.h>

#include "cli/command.h"
#include "cli/plot/plot.h"
#include "cli/plot/plot_curve.h"
#include "cli/plot/plot_json.h"
#include "cli/plot/plot_picture.h"
#include "cli/plot/plot_result.h"
#include "cli/plot/plot_script.h"
#include "cli/plot/plot_text.h"
#include "common.h"

/* In JSON names are what they are, and escaped; elsewhere they are made fit to be shown. */
static void write_picture(const picture *p, int as_json)
{
    static const canvas canvases[] = {
        {.kind = CANVAS_TEXT, .width = 80, .height = 20},
        {.kind = CANVAS_SVG, .width = 640, .height = 400, .scale = 1}};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    require(out != NULL);
    for (int i = 0; i < 2 && !as_json; i++)
        if (!text_write(out, p, &canvases[i])) script_write(out, p, &canvases[i]);
    if (as_json) picture_json(out, p);
    fclose(out);
    require(length > 0);
    for (size_t i = 0; i < length; i++)
        require((unsigned char)text[i] >= ' ' || text[i] == '\n' || text[i] == '\t');
    free(text);
}

static void try_result(const settings *s, const char *text, size_t size)
{
    result r = {0};
    int code = result_parse(s, "f.json", text, size, &r);
    for (int kind = PICTURE_PROFILE; kind <= PICTURE_SELECTION && code == EXIT_OK; kind++) {
        picture p = {0};
        if (picture_of_result(s, (picture_kind)kind, &r, &p) == EXIT_OK) write_picture(&p, s->json);
        picture_free(&p);
    }
    result_free(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    char *text = text_of(data, size);
    uint32_t choice = chosen(data, size);
    settings s = {.command = "plot",
                  .argument = {"f.json"},
                  .argument_count = 1,
                  .json = choice & 1,
                  .top = 1 + (choice >> 1) % 5};
    if (choice & 16) s.of = choice & 32 ? "a" : "b";
    if (choice & 64) s.against = choice & 128 ? "lambda" : "df";
    if (!nowhere) stderr = nowhere = fopen("/dev/null", "w"); /* what is said is not looked at */
    if (is_curve(text, size)) {
        picture p = {0};
        if (picture_of_curve(&s, text, size, &p) == EXIT_OK) write_picture(&p, s.json);
        picture_free(&p);
    } else {
        try_result(&s, text, size);
    }
    free(text);
    return 0;
}
