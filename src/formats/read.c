/* Reading a file: unpack it, find its format, and hand its bytes to the reader of that format. */
#include "formats/read.h"

#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "base/option_struct.h"
#include "base/status.h"
#include "formats/csv.h"
#include "formats/libsvm.h"
#include "formats/mat.h"
#include "formats/npy.h"
#include "formats/npz.h"
#include "formats/source.h"

/* ---- options ---- */

void rls2_read_options_init(rls2_read_options *options, size_t size)
{
    static const rls2_read_options defaults = {
        .size = sizeof defaults, .header = -1, .na_count = -1};
    rls2__options_init(options, size, &defaults, sizeof defaults);
}

/* What could be part of a number or of a character, or ends a line, cannot stand between cells. */
static int is_delimiter(char c)
{
    static const char never[] = "\"\r\n.+-";
    unsigned char byte = (unsigned char)c;
    int letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                 (byte >= '0' && byte <= '9');
    return byte < 128 && !letter && !strchr(never, c);
}

static rls2_status check_na(const rls2_read_options *options, rls2_error *err)
{
    if (options->na_count < -1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "na_count is %" PRId64, options->na_count);
    if (options->na_count > 0 && !options->na)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "na is NULL");
    for (int64_t k = 0; k < options->na_count; k++)
        if (!options->na[k])
            return rls2__fail(err, RLS2_ERR_ARGUMENT, "na[%" PRId64 "] is NULL", k);
    return RLS2_OK;
}

static rls2_status check_options(const rls2_read_options *options, rls2_error *err)
{
    int format = (int)options->format;
    if (format < RLS2_FORMAT_AUTO || format > RLS2_FORMAT_MAT)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "format is %d, not within 0..%d", format,
                          RLS2_FORMAT_MAT);
    if (options->delimiter && !is_delimiter(options->delimiter))
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "delimiter is '%s' (character %d), which cannot stand between cells",
                          rls2__show_part(&options->delimiter, 1).text,
                          (unsigned char)options->delimiter);
    if (options->decimal && options->decimal != '.' && options->decimal != ',')
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "decimal is '%s', not '.' or ','",
                          rls2__show_part(&options->decimal, 1).text);
    if (options->decimal == ',' && options->delimiter == ',')
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "decimal and delimiter are both ','");
    if (options->max_bytes < 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "max_bytes is %" PRId64, options->max_bytes);
    if (options->max_cells < 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "max_cells is %" PRId64, options->max_cells);
    if (options->header < -1 || options->header > 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "header is %d, not within -1..1",
                          options->header);
    return check_na(options, err);
}

rls2_status rls2__read_options_take(const rls2_read_options *given, rls2_read_options *own,
                                    rls2_error *err)
{
    rls2_read_options_init(own, sizeof *own);
    rls2_status status =
        rls2__options_read("options", "read_options", given, sizeof *own, own, err);
    return status == RLS2_OK ? check_options(own, err) : status;
}

void rls2__read_options_of_converter(rls2_read_options *options)
{
    options->format = RLS2_FORMAT_CSV;
    options->delimiter = ',';
    options->header = 1;
}

rls2__limits rls2__read_limits(const rls2_read_options *options)
{
    return (rls2__limits){.bytes = options->max_bytes, .cells = options->max_cells};
}

/* ---- format ---- */

static int begins_with(const char *bytes, int64_t length, const char *magic, int64_t size)
{
    return length >= size && memcmp(bytes, magic, (size_t)size) == 0;
}

static int is_matlab(const char *bytes, int64_t length)
{
    static const char hdf5[] = "\x89HDF\r\n\x1A\n";
    return begins_with(bytes, length, "MATLAB 5.0", 10) ||
           begins_with(bytes, length, "MATLAB 7.3", 10) || begins_with(bytes, length, hdf5, 8) ||
           (length > 512 && begins_with(bytes + 512, length - 512, hdf5, 8));
}

static rls2_format format_of_bytes(const char *bytes, int64_t length)
{
    if (begins_with(bytes, length, "\x93NUMPY", 6)) return RLS2_FORMAT_NPY;
    if (begins_with(bytes, length, "PK\x03\x04", 4)) return RLS2_FORMAT_NPZ;
    return is_matlab(bytes, length) ? RLS2_FORMAT_MAT : RLS2_FORMAT_AUTO;
}

/* 1 if the first `length` characters of the name end so, in whatever case. */
static int ends_with(const char *name, size_t length, const char *ending)
{
    size_t size = strlen(ending);
    if (length < size) return 0;
    for (size_t i = 0; i < size; i++) {
        char c = name[length - size + i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != ending[i]) return 0;
    }
    return 1;
}

static rls2_format format_of_name(const char *name)
{
    static const struct {
        const char *ending;
        rls2_format format;
    } known[] = {
        {".svm", RLS2_FORMAT_LIBSVM},      {".libsvm", RLS2_FORMAT_LIBSVM},
        {".svmlight", RLS2_FORMAT_LIBSVM}, {".csv", RLS2_FORMAT_CSV},
        {".tsv", RLS2_FORMAT_CSV},         {".tab", RLS2_FORMAT_CSV},
        {".txt", RLS2_FORMAT_CSV},         {".mat", RLS2_FORMAT_MAT}}; /* old ones have no magic */
    size_t length = strlen(name);
    if (ends_with(name, length, ".gz")) length -= 3;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (ends_with(name, length, known[i].ending)) return known[i].format;
    return RLS2_FORMAT_AUTO;
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    return p;
}

static const char *skip_line(const char *p, const char *end)
{
    const char *feed = memchr(p, '\n', (size_t)(end - p));
    return feed ? feed + 1 : end;
}

/* Copies up to the next blank, line end or the end of the text, and steps over it. */
static const char *take_word(const char *p, const char *end, char word[64])
{
    size_t used = 0;
    p = skip_blanks(p, end);
    for (; p < end && !strchr(" \t\r\n", *p); p++)
        if (used < 63) word[used++] = *p;
    word[used] = '\0';
    return p;
}

static int is_number(const char *word)
{
    double value;
    int64_t used = rls2__number_scan(word, &value);
    return used > 0 && word[used] == '\0';
}

/* INDEX:VALUE, or svmlight's qid:VALUE, which that reader refuses in its own words. */
static int is_pair(const char *word)
{
    const char *colon = strchr(word, ':');
    if (!colon || colon == word || !is_number(colon + 1)) return 0;
    return strncmp(word, "qid:", 4) == 0 || strspn(word, "0123456789") == (size_t)(colon - word);
}

/* From the first line that has something: LABEL INDEX:VALUE ... is LIBSVM. */
static rls2_format format_of_text(const char *p, int64_t length)
{
    const char *end = p + (length < RLS2__WINDOW ? length : RLS2__WINDOW);
    char word[64];
    if (begins_with(p, length, "\xEF\xBB\xBF", 3)) p += 3; /* byte order mark */
    for (;;) {
        p = skip_blanks(p, end);
        if (p == end) return RLS2_FORMAT_CSV;
        if (*p != '\n' && *p != '\r' && *p != '#') break;
        p = skip_line(p, end);
    }
    p = take_word(p, end, word);
    if (!is_number(word)) return RLS2_FORMAT_CSV;
    take_word(p, end, word);
    return is_pair(word) ? RLS2_FORMAT_LIBSVM : RLS2_FORMAT_CSV;
}

rls2_format rls2__format_find(const rls2_read_options *options, const char *name, const char *bytes,
                              int64_t length)
{
    rls2_format format = options->format;
    if (format == RLS2_FORMAT_AUTO) format = format_of_bytes(bytes, length);
    if (format == RLS2_FORMAT_AUTO) format = format_of_name(name);
    return format == RLS2_FORMAT_AUTO ? format_of_text(bytes, length) : format;
}

/* A ZIP archive whose first entry has that name, or begins so. */
static int is_archive_of(const char *bytes, int64_t length, const char *entry)
{
    enum { NAME_AT = 30 };
    return begins_with(bytes, length, "PK\x03\x04", 4) && length > NAME_AT &&
           begins_with(bytes + NAME_AT, length - NAME_AT, entry, (int64_t)strlen(entry));
}

static const char workbook[] = "a workbook or document of an office program; open it there and "
                               "save it as CSV (in Excel: Save As, CSV UTF-8)";

static const char *kind_of_archive(const char *bytes, int64_t length)
{
    static const char *const first[] = {"[Content_Types].xml", "_rels/", "docProps/", "xl/"};
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        if (is_archive_of(bytes, length, first[i])) return workbook;
    if (is_archive_of(bytes, length, "mimetype"))
        return "a document of LibreOffice; open it there and save it as Text CSV";
    return NULL;
}

#define BY_PANDAS(reader) "; in Python: pandas." reader "(FILE).to_csv(\"data.csv\")"
#define BY_R(reader) "; in R: write.csv(" reader ", \"data.csv\")"

/* What people open by mistake, or in hope; NULL for anything else. */
static const char *foreign_kind(const char *bytes, int64_t length)
{
    static const struct {
        const char *magic;
        int64_t size;
        const char *kind;
    } known[] = {
        {"\x89PNG", 4, "a picture, not a table"},
        {"\xFF\xD8\xFF", 3, "a picture, not a table"},
        {"GIF8", 4, "a picture, not a table"},
        {"%PDF-", 5, "a PDF document, not a table"},
        {"<!DOCTYPE html", 14, "a web page, not a table"},
        {"<!doctype html", 14, "a web page, not a table"},
        {"<html", 5, "a web page, not a table"},
        {"\xD0\xCF\x11\xE0", 4, workbook},
        {"PAR1", 4, "a Parquet file" BY_PANDAS("read_parquet")},
        {"ARROW1", 6, "a Feather file" BY_PANDAS("read_feather")},
        {"FEA1", 4, "a Feather file" BY_PANDAS("read_feather")},
        {"<stata_dta>", 11, "a Stata file" BY_PANDAS("read_stata")},
        {"\x71\x01\x01\x00", 4, "a Stata file" BY_PANDAS("read_stata")},
        {"\x71\x02\x01\x00", 4, "a Stata file" BY_PANDAS("read_stata")},
        {"\x72\x01\x01\x00", 4, "a Stata file" BY_PANDAS("read_stata")},
        {"\x72\x02\x01\x00", 4, "a Stata file" BY_PANDAS("read_stata")},
        {"\x73\x01\x01\x00", 4, "a Stata file" BY_PANDAS("read_stata")},
        {"\x73\x02\x01\x00", 4, "a Stata file" BY_PANDAS("read_stata")},
        {"\0\0\0\0\0\0\0\0\0\0\0\0\xC2\xEA\x81\x60", 16, "a SAS file" BY_PANDAS("read_sas")},
        {"HEADER RECORD*******LIBRARY", 27, "a SAS file" BY_PANDAS("read_sas")},
        {"$FL2", 4, "an SPSS file" BY_PANDAS("read_spss")},
        {"$FL3", 4, "an SPSS file" BY_PANDAS("read_spss")},
        {"RDX2\n", 5, "an R workspace (.RData); load it, then write.csv the data frame"},
        {"RDX3\n", 5, "an R workspace (.RData); load it, then write.csv the data frame"},
        {"X\n\0\0\0", 5, "an R object (.rds)" BY_R("readRDS(FILE)")},
        {"A\n2\n", 4, "an R object (.rds)" BY_R("readRDS(FILE)")},
        {"A\n3\n", 4, "an R object (.rds)" BY_R("readRDS(FILE)")},
        {"SQLite format 3", 16, "an SQLite database; export a table of it as CSV"},
        {"\x80\x04\x95", 3, "a Python pickle" BY_PANDAS("read_pickle")},
        {"\x80\x05\x95", 3, "a Python pickle" BY_PANDAS("read_pickle")},
        {"[{\"", 3, "JSON" BY_PANDAS("read_json")},
        {"{\"", 2, "JSON" BY_PANDAS("read_json")}};
    enum { MODEL_TEXT_AT = 8 };
    if (length > MODEL_TEXT_AT &&
        begins_with(bytes + MODEL_TEXT_AT, length - MODEL_TEXT_AT, "{\"__metadata__\"", 15))
        return "a model, not a table";
    const char *archive = kind_of_archive(bytes, length);
    if (archive) return archive;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (begins_with(bytes, length, known[i].magic, known[i].size)) return known[i].kind;
    return NULL;
}

rls2_status rls2__text_check(const char *name, rls2_format format, const char *bytes,
                             int64_t length, rls2_error *err)
{
    int text = format == RLS2_FORMAT_CSV || format == RLS2_FORMAT_LIBSVM;
    const char *foreign = text || format == RLS2_FORMAT_NPZ ? foreign_kind(bytes, length) : NULL;
    if (foreign) return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: this is %s", name, foreign);
    if (!text) return RLS2_OK;
    if (begins_with(bytes, length, "\x1F\x8B", 2))
        return rls2__fail(err, RLS2_ERR_SYNTAX,
                          "%s: compressed by gzip more than once; unpack it first", name);
    return RLS2_OK;
}

/* ---- reading ---- */

rls2_status rls2__table_fill(rls2_table *table, rls2_format format, rls2__bytes *bytes,
                             const rls2_read_options *options, rls2_error *err)
{
    rls2_status status = rls2__text_check(table->name, format, bytes->data, bytes->length, err);
    if (status != RLS2_OK) return status;
    table->format = format;
    switch (format) {
    case RLS2_FORMAT_LIBSVM: return rls2__read_libsvm(table, bytes, err);
    case RLS2_FORMAT_NPY: return rls2__read_npy(table, bytes, err);
    case RLS2_FORMAT_NPZ: return rls2__read_npz(table, bytes, err);
    case RLS2_FORMAT_MAT: return rls2__read_mat(table, bytes, err);
    default: return rls2__read_csv(table, bytes, options, err);
    }
}

const char *rls2__read_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "stdin" : path;
}

int64_t rls2__count_lines(const char *text, int64_t length)
{
    int64_t lines = 0;
    const char *end = text + length;
    for (; length > 0 && (text = memchr(text, '\n', (size_t)(end - text))); text++) lines++;
    return lines;
}

rls2_status rls2__fail_reading(rls2_status status, const char *what, int64_t whole, rls2_error *err)
{
    if (whole > 0 && (status == RLS2_ERR_SYNTAX || status == RLS2_ERR_IO))
        rls2__fail_also(err, "; %s %" PRId64 " is the last that was read", what, whole);
    return status;
}

rls2_status rls2__fail_rest(rls2_status status, rls2_format format, const rls2__bytes *bytes,
                            rls2_error *err)
{
    if (format != RLS2_FORMAT_CSV && format != RLS2_FORMAT_LIBSVM) return status;
    int64_t lines = rls2__count_lines(bytes->data, bytes->length);
    return rls2__fail_reading(status, "line", lines, err);
}

/* Reads all of an open source. */
static rls2_status read_source(rls2__source *source, const char *name,
                               const rls2_read_options *options, rls2_table *table, rls2_error *err)
{
    rls2__bytes bytes = {0};
    source->limits = table->limits = rls2__read_limits(options);
    rls2_status status = rls2__source_rest(source, &bytes, err);
    rls2_format format = rls2__format_find(options, name, bytes.data, bytes.length);
    status = status == RLS2_OK ? rls2__table_fill(table, format, &bytes, options, err)
                               : rls2__fail_rest(status, format, &bytes, err);
    rls2__free(bytes.data);
    return status;
}

rls2_status rls2_table_read(const char *path, const rls2_read_options *options, rls2_table **table,
                            rls2_error *err)
{
    rls2_read_options own;
    if (!path) return rls2__fail_null(err, "path");
    if (!table) return rls2__fail_null(err, "table");
    rls2_status status = rls2__read_options_take(options, &own, err);
    if (status != RLS2_OK) return status;

    const char *name = rls2__read_name(path);
    rls2_table *made = rls2__table_create(name);
    if (!made) return rls2__fail_memory(err, "a table");
    rls2__source source;
    status = rls2__source_open(&source, path, made->name, own.converter, err);
    if (source.converter) rls2__read_options_of_converter(&own);
    if (status == RLS2_OK) status = read_source(&source, name, &own, made, err);
    rls2__source_close(&source);
    if (status == RLS2_OK)
        *table = made;
    else
        rls2_table_free(made);
    return status;
}

rls2_status rls2_table_parse(const char *name, const void *bytes, int64_t length,
                             const rls2_read_options *options, rls2_table **table, rls2_error *err)
{
    rls2_read_options own;
    if (!name) return rls2__fail_null(err, "name");
    if (!bytes) return rls2__fail_null(err, "bytes");
    if (length < 0) return rls2__fail(err, RLS2_ERR_ARGUMENT, "length is %" PRId64, length);
    if (!table) return rls2__fail_null(err, "table");
    rls2_status status = rls2__read_options_take(options, &own, err);
    if (status != RLS2_OK) return status;

    rls2_table *made = rls2__table_create(name);
    if (!made) return rls2__fail_memory(err, "a table");
    rls2__source source;
    status = rls2__source_open_memory(&source, made->name, bytes, length, err);
    if (status == RLS2_OK) status = read_source(&source, name, &own, made, err);
    rls2__source_close(&source);
    if (status == RLS2_OK)
        *table = made;
    else
        rls2_table_free(made);
    return status;
}

/* ---- CSV as it was before there were other formats ---- */

static rls2_read_options plain_csv(void)
{
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.format = RLS2_FORMAT_CSV;
    options.delimiter = ',';
    options.header = 1;
    return options;
}

rls2_status rls2_table_read_csv(const char *path, rls2_table **table, rls2_error *err)
{
    const rls2_read_options options = plain_csv();
    return rls2_table_read(path, &options, table, err);
}

rls2_status rls2_table_parse_csv(const char *name, const char *text, int64_t length,
                                 rls2_table **table, rls2_error *err)
{
    const rls2_read_options options = plain_csv();
    if (!name) return rls2__fail_null(err, "name");
    if (!text) return rls2__fail_null(err, "text");
    return rls2_table_parse(name, text, length, &options, table, err);
}
