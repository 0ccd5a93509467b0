/* Record batches of an Arrow stream, cut into tables.
 *
 * A producer lives in the same process: its pointers are believed, its numbers (lengths, offsets,
 * counts of buffers and columns) are checked. */
#include "rls2/arrow.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "formats/arrow_abi.h"
#include "formats/arrow_type.h"
#include "table/table.h"

/* Cells of a dictionary are codes of the values that its type is of. */
typedef struct arrow_column {
    const char *name;
    rls2__arrow_type type;
    int is_dictionary;
    rls2__arrow_type codes;
} arrow_column;

struct rls2_arrow {
    char *name;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch; /* its release is NULL where there is none */
    int64_t at;              /* rows of the batch that have been handed out, */
    int64_t rows;            /* and of all before it */
    int64_t count;
    arrow_column *columns;
    int at_end;
};

/* ---- opening ---- */

/* What the producer says went wrong. */
static rls2_status blame(rls2_arrow *arrow, int code, rls2_error *err)
{
    const char *said =
        arrow->stream.get_last_error ? arrow->stream.get_last_error(&arrow->stream) : NULL;
    if (code == ENOMEM) return rls2__fail_memory(err, "rows of an Arrow stream");
    return rls2__fail(err, RLS2_ERR_VALUE, "%s: %.400s", arrow->name,
                      said && *said ? said : strerror(code));
}

static rls2_status refuse_column(const rls2_arrow *arrow, const struct ArrowSchema *child,
                                 rls2_error *err)
{
    return rls2__fail(
        err, RLS2_ERR_VALUE,
        "%s: column '%.100s' has Arrow's type '%.60s', which is neither numbers, text "
        "nor times: make one of these of it, or leave it out",
        arrow->name, child->name ? child->name : "", child->format ? child->format : "");
}

static rls2_status take_column(const rls2_arrow *arrow, const struct ArrowSchema *child,
                               arrow_column *to, rls2_error *err)
{
    const struct ArrowSchema *values = child->dictionary ? child->dictionary : child;
    to->name = child->name ? child->name : "";
    to->is_dictionary = child->dictionary != NULL;
    if (!rls2__arrow_type_of(values->format, &to->type) || values->dictionary)
        return refuse_column(arrow, values, err);
    if (!to->is_dictionary) return RLS2_OK;
    if (!rls2__arrow_type_of(child->format, &to->codes) ||
        (to->codes.kind != RLS2__ARROW_SIGNED && to->codes.kind != RLS2__ARROW_UNSIGNED))
        return refuse_column(arrow, child, err);
    return RLS2_OK;
}

static rls2_status take_schema(rls2_arrow *arrow, rls2_error *err)
{
    int code = arrow->stream.get_schema(&arrow->stream, &arrow->schema);
    if (code) return blame(arrow, code, err);
    if (!arrow->schema.format || strcmp(arrow->schema.format, "+s") != 0)
        return rls2__fail(err, RLS2_ERR_VALUE,
                          "%s: an Arrow stream of '%.60s', not of rows with named columns",
                          arrow->name, arrow->schema.format ? arrow->schema.format : "");
    if (arrow->schema.n_children < 0)
        return rls2__fail(err, RLS2_ERR_VALUE, "%s: an Arrow stream of %" PRId64 " columns",
                          arrow->name, arrow->schema.n_children);
    arrow->count = arrow->schema.n_children;
    arrow->columns = rls2__alloc_zero(arrow->count, sizeof *arrow->columns);
    if (!arrow->columns) return rls2__fail_memory(err, "the columns of an Arrow stream");
    rls2_status status = RLS2_OK;
    for (int64_t j = 0; j < arrow->count && status == RLS2_OK; j++)
        status = take_column(arrow, arrow->schema.children[j], &arrow->columns[j], err);
    return status;
}

rls2_status rls2_arrow_open(const char *name, struct ArrowArrayStream *stream, rls2_arrow **arrow,
                            rls2_error *err)
{
    if (!name) return rls2__fail_null(err, "name");
    if (!stream) return rls2__fail_null(err, "stream");
    if (!arrow) return rls2__fail_null(err, "arrow");
    if (!stream->release)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%.100s: the stream was released", name);
    size_t size = strlen(name) + 1;
    rls2_arrow *made = rls2__alloc_zero(1, sizeof *made);
    char *copy = rls2__alloc((int64_t)size, 1);
    if (!made || !copy) {
        rls2__free(made);
        rls2__free(copy);
        stream->release(stream);
        return rls2__fail_memory(err, "an Arrow stream");
    }
    made->name = memcpy(copy, name, size);
    made->stream = *stream;
    stream->release = NULL;
    rls2_status status = take_schema(made, err);
    if (status == RLS2_OK)
        *arrow = made;
    else
        rls2_arrow_close(made);
    return status;
}

static void drop_batch(rls2_arrow *arrow)
{
    if (arrow->batch.release) arrow->batch.release(&arrow->batch);
    arrow->batch = (struct ArrowArray){0};
}

void rls2_arrow_close(rls2_arrow *arrow)
{
    if (!arrow) return;
    drop_batch(arrow);
    if (arrow->schema.release) arrow->schema.release(&arrow->schema);
    if (arrow->stream.release) arrow->stream.release(&arrow->stream);
    rls2__free(arrow->columns);
    rls2__free(arrow->name);
    rls2__free(arrow);
}

int64_t rls2_arrow_columns(const rls2_arrow *arrow)
{
    return arrow ? arrow->count : 0;
}

const char *rls2_arrow_column_name(const rls2_arrow *arrow, int64_t column)
{
    return arrow && column >= 0 && column < arrow->count ? arrow->columns[column].name : NULL;
}

int rls2_arrow_is_dictionary(const rls2_arrow *arrow, int64_t column)
{
    return arrow && column >= 0 && column < arrow->count && arrow->columns[column].is_dictionary;
}

/* ---- batches ---- */

/* Has an array all that its type says, for `length` cells? */
static int fits_type(const struct ArrowArray *array, const rls2__arrow_type *type, int64_t length)
{
    if (array->offset < 0 || rls2__add(array->offset, length) < 0 || array->length < length ||
        array->n_buffers < type->buffers)
        return 0;
    if (type->kind == RLS2__ARROW_NONE || length == 0) return 1;
    return array->buffers && array->buffers[1];
}

static int fits_column(const struct ArrowArray *array, const arrow_column *c, int64_t length)
{
    if (!c->is_dictionary) return fits_type(array, &c->type, length);
    return fits_type(array, &c->codes, length) && array->dictionary &&
           fits_type(array->dictionary, &c->type, array->dictionary->length);
}

static rls2_status check_batch(const rls2_arrow *arrow, rls2_error *err)
{
    const struct ArrowArray *batch = &arrow->batch;
    int fits = batch->length >= 0 && batch->offset >= 0 &&
               rls2__add(batch->offset, batch->length) >= 0 && batch->n_children == arrow->count;
    for (int64_t j = 0; j < arrow->count && fits; j++) {
        fits = fits_column(batch->children[j], &arrow->columns[j],
                           rls2__add(batch->offset, batch->length));
        if (!fits)
            return rls2__fail(err, RLS2_ERR_VALUE,
                              "%s: behind row %" PRId64 ", column '%.100s': a batch of the Arrow "
                              "stream does not fit its schema",
                              arrow->name, arrow->rows, arrow->columns[j].name);
    }
    if (fits) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "%s: behind row %" PRId64 ": a batch of the Arrow stream does not fit its "
                      "schema",
                      arrow->name, arrow->rows);
}

/* A batch that has rows left, or the end. */
static rls2_status find_batch(rls2_arrow *arrow, rls2_error *err)
{
    while (!arrow->at_end && (!arrow->batch.release || arrow->at == arrow->batch.length)) {
        arrow->rows += arrow->at;
        arrow->at = 0;
        drop_batch(arrow);
        int code = arrow->stream.get_next(&arrow->stream, &arrow->batch);
        if (code) {
            arrow->batch = (struct ArrowArray){0};
            return blame(arrow, code, err);
        }
        if (!arrow->batch.release) {
            arrow->at_end = 1;
            return RLS2_OK;
        }
        rls2_status status = check_batch(arrow, err);
        if (status != RLS2_OK) return status;
    }
    return RLS2_OK;
}

/* ---- cells ---- */

/* Cells of one column that become one of a table. */
typedef struct cells {
    const rls2_arrow *arrow;
    const arrow_column *column;
    const struct ArrowArray *array;
    int64_t from, count;
} cells;

static int is_null(const struct ArrowArray *array, int64_t at)
{
    const unsigned char *bits = array->n_buffers > 0 ? array->buffers[0] : NULL;
    return array->null_count != 0 && bits && !(bits[at / 8] >> (at % 8) & 1);
}

static rls2_status refuse_cell(const cells *c, int64_t i, const char *what, rls2_error *err)
{
    return rls2__fail(err, RLS2_ERR_VALUE, "%s: row %" PRId64 ", column '%.100s': %s",
                      c->arrow->name, c->arrow->rows + c->arrow->at + i + 1, c->column->name, what);
}

static rls2_status take_numbers(const cells *c, double *numbers, rls2_error *err)
{
    const struct ArrowArray *array = c->array;
    for (int64_t i = 0; i < c->count; i++) {
        int64_t at = array->offset + c->from + i;
        numbers[i] = is_null(array, at)
                         ? (double)NAN
                         : rls2__arrow_number(&c->column->type,
                                              array->buffers ? array->buffers[1] : NULL, at);
        if (isinf(numbers[i])) return refuse_cell(c, i, "infinite", err);
    }
    return RLS2_OK;
}

/* Where a text lies. */
typedef struct span {
    const char *text;
    int64_t length;
} span;

static span text_between(const struct ArrowArray *array, int width, int64_t at)
{
    const char *text = array->buffers[2];
    if (width == 8) {
        const int64_t *ends = array->buffers[1];
        return (span){text + ends[at], ends[at + 1] - ends[at]};
    }
    const int32_t *ends = array->buffers[1];
    return (span){text + ends[at], ends[at + 1] - ends[at]};
}

/* A view has its length first; short texts behind it, else the number of a buffer and an offset. */
static span text_viewed(const struct ArrowArray *array, int64_t at)
{
    enum { VIEW = 16, SHORT = 12, FIRST_TEXTS = 2 };
    const char *view = (const char *)array->buffers[1] + at * VIEW;
    int32_t length, buffer, offset;
    memcpy(&length, view, sizeof length);
    if (length <= SHORT) return (span){view + 4, length};
    memcpy(&buffer, view + 8, sizeof buffer);
    memcpy(&offset, view + 12, sizeof offset);
    /* the last of the buffers holds the sizes of the others */
    if (buffer < 0 || offset < 0 || (int64_t)buffer + FIRST_TEXTS + 1 >= array->n_buffers)
        return (span){NULL, -1};
    return (span){(const char *)array->buffers[FIRST_TEXTS + buffer] + offset, length};
}

/* A copy of a cell, which is not missing, in the arena; *text stays NULL, with a sentence, where
 * there can be none. */
static rls2_status copy_cell(const cells *c, int64_t i, const struct ArrowArray *array, int64_t at,
                             rls2__arena *arena, const char **text, rls2_error *err)
{
    char buffer[RLS2__ARROW_TIME_TEXT];
    const rls2__arrow_type *type = &c->column->type;
    span found = {buffer, 0};
    if (type->kind == RLS2__ARROW_TEXT) {
        found = text_between(array, type->width, at);
    } else if (type->kind == RLS2__ARROW_TEXT_VIEW) {
        found = text_viewed(array, at);
    } else if (rls2__arrow_is_number(type)) {
        rls2__table_write_number(rls2__arrow_number(type, array->buffers[1], at), buffer);
        found.length = (int64_t)strlen(buffer);
    } else {
        rls2__arrow_time(type, array->buffers[1], at, buffer);
        found.length = (int64_t)strlen(buffer);
    }
    if (found.length < 0) return refuse_cell(c, i, "a text that does not lie in its column", err);
    if (found.length > 0 && memchr(found.text, '\0', (size_t)found.length))
        return refuse_cell(c, i, "a text with a zero byte", err);
    *text = rls2__arena_text(arena, found.length > 0 ? found.text : "", found.length);
    return *text ? RLS2_OK : rls2__fail_memory(err, "the texts of an Arrow stream");
}

static rls2_status take_texts(const cells *c, rls2__arena *arena, const char **texts,
                              rls2_error *err)
{
    const struct ArrowArray *array = c->array;
    rls2_status status = RLS2_OK;
    for (int64_t i = 0; i < c->count && status == RLS2_OK; i++) {
        int64_t at = array->offset + c->from + i;
        texts[i] = NULL;
        if (!is_null(array, at)) status = copy_cell(c, i, array, at, arena, &texts[i], err);
    }
    return status;
}

/* Each value of a dictionary that a row has is copied once. */
static rls2_status take_codes(const cells *c, rls2__arena *arena, const char **texts,
                              rls2_error *err)
{
    const struct ArrowArray *array = c->array, *values = array->dictionary;
    const char **known = rls2__alloc_zero(values->length, sizeof *known);
    rls2_status status = known ? RLS2_OK : rls2__fail_memory(err, "the values of a dictionary");
    for (int64_t i = 0; i < c->count && status == RLS2_OK; i++) {
        int64_t at = array->offset + c->from + i;
        texts[i] = NULL;
        if (is_null(array, at)) continue;
        double code = rls2__arrow_number(&c->column->codes, array->buffers[1], at);
        if (!(code >= 0.0 && code < (double)values->length)) {
            status = refuse_cell(c, i, "a code that its dictionary does not have", err);
            break;
        }
        int64_t value = (int64_t)code, place = values->offset + value;
        if (c->column->type.kind == RLS2__ARROW_NONE || is_null(values, place)) continue;
        if (!known[value]) status = copy_cell(c, i, values, place, arena, &known[value], err);
        texts[i] = known[value];
    }
    rls2__free((void *)known);
    return status;
}

/* ---- tables ---- */

/* Room for the cells of all columns: each is numbers or texts. */
typedef struct piece {
    int64_t rows, columns;
    rls2_column *all;
    double *numbers;    /* rows x columns */
    const char **texts; /* likewise */
    void *block;
    rls2__arena *arena; /* the texts */
} piece;

static void lay_out(rls2__layout *layout, void *owner)
{
    piece *p = owner;
    int64_t size = rls2__mul(p->rows, p->columns);
    p->all = rls2__layout_take(layout, p->columns, sizeof *p->all);
    p->numbers = rls2__layout_take(layout, size, sizeof *p->numbers);
    p->texts = rls2__layout_take(layout, size, sizeof *p->texts);
}

static rls2_status fill_column(const rls2_arrow *arrow, int64_t j, piece *p, rls2_error *err)
{
    const arrow_column *of = &arrow->columns[j];
    const cells c = {arrow, of, arrow->batch.children[j], arrow->batch.offset + arrow->at, p->rows};
    double *numbers = p->numbers + j * p->rows;
    const char **texts = p->texts + j * p->rows;
    p->all[j] = (rls2_column){.name = of->name, .stride = 1};
    if (!of->is_dictionary && rls2__arrow_is_number(&of->type)) {
        p->all[j].numbers = numbers;
        return take_numbers(&c, numbers, err);
    }
    p->all[j].texts = texts;
    return of->is_dictionary ? take_codes(&c, p->arena, texts, err)
                             : take_texts(&c, p->arena, texts, err);
}

/* Rows have their numbers in the whole. */
static rls2_status number_rows(rls2_table *table, int64_t first, rls2_error *err)
{
    table->row_line = rls2__alloc(table->rows, sizeof *table->row_line);
    if (!table->row_line) return rls2__fail_memory(err, "the rows of an Arrow stream");
    for (int64_t i = 0; i < table->rows; i++) table->row_line[i] = first + i + 1;
    return RLS2_OK;
}

static rls2_status make_table(const rls2_arrow *arrow, piece *p, rls2_table **table,
                              rls2_error *err)
{
    rls2_table *made = NULL;
    rls2_status status = RLS2_OK;
    for (int64_t j = 0; j < p->columns && status == RLS2_OK; j++)
        status = fill_column(arrow, j, p, err);
    if (status == RLS2_OK)
        status = rls2_table_create(arrow->name, p->rows, p->columns, p->all, &made, err);
    if (status == RLS2_OK) status = number_rows(made, arrow->rows + arrow->at, err);
    if (status == RLS2_OK)
        *table = made;
    else
        rls2_table_free(made);
    return status;
}

rls2_status rls2_arrow_next(rls2_arrow *arrow, int64_t rows, rls2_table **table, rls2_error *err)
{
    if (!arrow) return rls2__fail_null(err, "arrow");
    if (!table) return rls2__fail_null(err, "table");
    if (rows < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%" PRId64 " rows were asked for", rows);
    *table = NULL;
    rls2_status status = find_batch(arrow, err);
    if (status != RLS2_OK || arrow->at_end) return status;
    int64_t left = arrow->batch.length - arrow->at;
    piece p = {.rows = left < rows ? left : rows, .columns = arrow->count};
    p.block = rls2__layout_alloc(lay_out, &p);
    p.arena = rls2__arena_create();
    status = p.block && p.arena ? make_table(arrow, &p, table, err)
                                : rls2__fail_memory(err, "the rows of an Arrow stream");
    rls2__arena_free(p.arena);
    rls2__free(p.block);
    if (status == RLS2_OK) arrow->at += p.rows;
    return status;
}
