/* Columns that nobody means to learn from: those that only name the rows, that say nothing or the
 * same as another one, or that give the target away. They are left out, with a note for each kind,
 * unless a setting names them. The last input always stays. And numbers that are categories: few,
 * with a word among them, or between quotes. O(rows x columns), and sorting where
 * a name asks for it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/code_signs.h"
#include "plan/column_signs.h"
#include "plan/plan.h"
#include "table/table.h"
#include "table/values.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

typedef enum fate {
    KEPT,     /* an input */
    NAMED,    /* an input that a setting names */
    NO_INPUT, /* target, weights, or left out already */
    NAMES_ROWS,
    EMPTY,
    CONSTANT,
    GIVES_AWAY,
    TWIN,
    FATES
} fate;

/* What was seen of the cells of a column. */
typedef struct seen {
    uint64_t hash;  /* of all cells */
    uint64_t first; /* of the first one */
    int is_constant;
    int64_t values; /* of a text: different ones */
} seen;

typedef struct survey {
    rls2_plan *plan;
    const rls2_table *table;
    int64_t inputs;   /* KEPT or NAMED */
    fate *fates;      /* columns */
    seen *seen;       /* columns */
    int64_t *twin_of; /* columns */
    int64_t *rows;    /* rows: 0, 1, 2, ... */
    int64_t *codes;   /* rows: of a text column */
    int64_t *others;  /* rows: of another one */
    void *block;
} survey;

static void lay_out(rls2__layout *layout, void *owner)
{
    survey *s = owner;
    int64_t rows = s->table->rows, columns = s->table->columns;
    s->fates = rls2__layout_take(layout, columns, sizeof *s->fates);
    s->seen = rls2__layout_take(layout, columns, sizeof *s->seen);
    s->twin_of = rls2__layout_take(layout, columns, sizeof *s->twin_of);
    s->rows = rls2__layout_take(layout, rows, sizeof *s->rows);
    s->codes = rls2__layout_take(layout, rows, sizeof *s->codes);
    s->others = rls2__layout_take(layout, rows, sizeof *s->others);
}

/* ---- names ---- */

/* Names of columns, the first of them. */
typedef struct names {
    char text[200];
    size_t used;
    int64_t count;
    int is_full;
} names;

static void add_name(names *to, const char *name)
{
    enum { MOST_SHOWN = 8 };
    static const char MORE[] = ", ...";
    char one[sizeof(rls2__shown) + 8];
    int length =
        snprintf(one, sizeof one, "%s'%s'", to->count > 0 ? ", " : "", rls2__show(name).text);
    int fits = to->count < MOST_SHOWN && to->used + (size_t)length + sizeof MORE <= sizeof to->text;
    to->count++;
    if (to->is_full) return;
    to->is_full = !fits;
    memcpy(to->text + to->used, fits ? one : MORE, fits ? (size_t)length + 1 : sizeof MORE);
    to->used += fits ? (size_t)length : 0;
}

/* ---- columns that settings name ---- */

/* A name between quotes stands for itself, wherever it is. */
static int is_quoted(const char *terms, const char *name)
{
    size_t length = strlen(name);
    for (const char *c = strchr(terms, '"'); c; c = strchr(c + 1, '"'))
        if (strncmp(c + 1, name, length) == 0 && c[1 + length] == '"') return 1;
    return 0;
}

/* Length of the item at `text`: up to a sign of the grammar, or to the ".." of a range. */
static size_t item_length(const char *text)
{
    size_t length = strcspn(text, "@,;+: \t\n\"");
    const char *range = strstr(text, "..");
    return range && range < text + length ? (size_t)(range - text) : length;
}

/* Is the column one of the names or patterns behind an '@'? */
static int is_in_terms(const char *terms, const char *name)
{
    if (is_quoted(terms, name)) return 1;
    int behind_at = 0;
    for (const char *c = terms; *c; c++) {
        char item[256];
        size_t length = item_length(c);
        snprintf(item, sizeof item, "%.*s", (int)length, c);
        if (behind_at && length > 0 && rls2_group_has(item, name)) return 1;
        c += length;
        if (*c == '\0') break;
        if (strncmp(c, "..", 2) == 0) c++;
        behind_at = *c == '@' || (behind_at && *c != ';');
    }
    return 0;
}

static int is_in_group(const char *group, const char *name)
{
    const char *equals = strchr(group, '=');
    return equals && rls2_group_has(equals + 1, name);
}

static int is_named(const rls2_plan *plan, const char *name)
{
    const rls2__wishes *a = &plan->asked;
    if (rls2__is_among(name, a->categorical.items, a->categorical.count)) return 1;
    for (int64_t i = 0; i < a->kernels.count; i++)
        if (is_in_terms(a->kernels.items[i], name)) return 1;
    for (int64_t i = 0; i < a->group.count; i++)
        if (is_in_group(a->group.items[i], name)) return 1;
    return 0;
}

static fate first_fate(const rls2_plan *plan, const char *name)
{
    const rls2_dataset_options *options = &plan->recipe.data;
    const char *weights = plan->asked.row_weights, *rows = rls2_table_row_names(plan->file);
    if (rls2__plan_is_target(plan, name) || (weights && strcmp(weights, name) == 0) ||
        rls2__is_among(name, options->drop, options->drop_count))
        return NO_INPUT;
    if (is_named(plan, name)) return NAMED;
    return rows && strcmp(rows, name) == 0 ? NO_INPUT : KEPT; /* no encoder takes them */
}

static void find_inputs(survey *s)
{
    for (int64_t j = 0; j < s->table->columns; j++) {
        s->fates[j] = first_fate(s->plan, s->table->names[j]);
        s->inputs += s->fates[j] != NO_INPUT;
    }
}

/* Unless it is the last one. */
static void leave_out(survey *s, int64_t column, fate why)
{
    if (s->fates[column] != KEPT || (s->inputs < 2 && s->plan->matrix_count == 0)) return;
    s->fates[column] = why;
    s->inputs--;
}

/* ---- cells ---- */

/* Mixes one cell more into the hash of a column (the finisher of SplitMix64). */
static uint64_t mix(uint64_t hash, uint64_t cell)
{
    uint64_t z = (hash ^ cell) + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void see_cell(seen *of, int64_t row, uint64_t cell)
{
    if (row == 0) *of = (seen){.first = cell, .is_constant = 1};
    of->is_constant &= cell == of->first;
    of->hash = mix(of->hash, cell);
}

/* 0 and -0 are one number, and all missing cells are one. */
static uint64_t bits_of(double number)
{
    uint64_t bits = UINT64_MAX;
    number += 0.0;
    if (!isnan(number)) memcpy(&bits, &number, sizeof bits);
    return bits;
}

static void see_numbers(survey *s)
{
    const rls2_table *table = s->table;
    for (int64_t i = 0; i < table->rows; i++)
        for (int64_t j = 0; j < table->columns; j++)
            see_cell(&s->seen[j], i, bits_of(rls2__table_number(table, i, j)));
}

/* Texts count by their numbers in order of appearance: what is written differently in every row
 * is the same to a learner. */
static rls2_status see_text(survey *s, int64_t column, rls2_error *err)
{
    const rls2_table *table = s->table;
    rls2_status status = rls2__number_values(table, column, table->rows, s->rows, s->codes, err);
    seen *of = &s->seen[column];
    for (int64_t i = 0; i < table->rows && status == RLS2_OK; i++)
        see_cell(of, i, (uint64_t)s->codes[i]);
    for (int64_t i = 0; i < table->rows && status == RLS2_OK; i++)
        if (s->codes[i] >= of->values) of->values = s->codes[i] + 1;
    return status;
}

static rls2_status see_cells(survey *s, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int64_t i = 0; i < s->table->rows; i++) s->rows[i] = i;
    see_numbers(s);
    for (int64_t j = 0; j < s->table->columns && status == RLS2_OK; j++)
        if (s->fates[j] != NO_INPUT && rls2__column_is_text(s->table, j))
            status = see_text(s, j, err);
    return status;
}

/* ---- columns that say nothing ---- */

static void find_constants(survey *s)
{
    for (int64_t j = 0; j < s->table->columns; j++)
        if (s->table->rows > 1 && s->seen[j].is_constant)
            leave_out(s, j, rls2_table_missing(s->table, j) == s->table->rows ? EMPTY : CONSTANT);
}

/* Texts that hardly repeat are names. */
static int is_name_of_rows(const survey *s, int64_t column)
{
    enum { LEAST_ROWS = 20 };
    int64_t texts = s->table->rows - rls2_table_missing(s->table, column);
    return rls2__column_is_text(s->table, column) && texts >= LEAST_ROWS &&
           2 * s->seen[column].values > texts;
}

static rls2_status find_names(survey *s, rls2_error *err)
{
    for (int64_t j = 0; j < s->table->columns; j++) {
        if (s->fates[j] != KEPT) continue;
        int found = is_name_of_rows(s, j) ? 1 : rls2__column_numbers_rows(s->table, j);
        if (found < 0) return rls2__plan_memory_out(s->plan, err);
        if (found) leave_out(s, j, NAMES_ROWS);
    }
    return RLS2_OK;
}

/* ---- numbers that are categories ---- */

/* Columns of one kind, as a note has them. */
typedef struct coded {
    names names;
    int64_t first;
} coded;

static void add_coded(survey *s, coded *to, int64_t column)
{
    if (to->names.count == 0) to->first = column;
    add_name(&to->names, s->table->names[column]);
}

static void say_coded(survey *s, const coded *found)
{
    rls2_plan *plan = s->plan;
    int64_t row = 0, column = found->first;
    if (found->names.count > 1)
        rls2__plan_say(plan,
                       "%" PRId64 " columns (%s) have a text among few numbers: taken for "
                       "categories (%s all refuses them)",
                       found->names.count, found->names.text, NAME("columns"));
    if (found->names.count != 1) return;
    while (!isnan(rls2__table_number(s->table, row, column)) ||
           rls2__table_is_missing(s->table, row, column))
        row++;
    rls2__plan_say(plan,
                   "column %s has '%s' among few numbers: taken for categories (%s all "
                   "refuses it)",
                   found->names.text, rls2__show(rls2_table_cell(s->table, row, column)).text,
                   NAME("columns"));
}

static void say_quoted(survey *s, const coded *found)
{
    rls2_plan *plan = s->plan;
    if (found->names.count == 1)
        rls2__plan_say(plan,
                       "column %s is between quotes, as texts are written: taken for "
                       "categories (%s all takes numbers)",
                       found->names.text, NAME("columns"));
    if (found->names.count > 1)
        rls2__plan_say(plan,
                       "%" PRId64
                       " columns (%s) are between quotes, as texts are written: taken for "
                       "categories (%s all takes numbers)",
                       found->names.count, found->names.text, NAME("columns"));
}

/* 1 if the column is one of categories, which is noted; -1 when out of memory. */
static int find_code(survey *s, int64_t column, coded *words, coded *quoted)
{
    int found = rls2__column_is_coded(s->table, column);
    if (found > 0) add_coded(s, words, column);
    if (found != 0 || !quoted) return found;
    found = rls2__column_is_quoted(s->table, column);
    if (found > 0) add_coded(s, quoted, column);
    return found;
}

static rls2_status find_codes(survey *s, rls2_error *err)
{
    rls2_plan *plan = s->plan;
    rls2_dataset_options *options = &plan->recipe.data;
    int64_t asked = plan->asked.categorical.count, count = asked;
    coded words = {0}, quoted = {0},
          *may_be_quoted = rls2__has_bare_numbers(s->table) ? &quoted : NULL;
    plan->categorical = rls2__alloc(rls2__add(asked, s->table->columns), sizeof *plan->categorical);
    if (!plan->categorical) return rls2__plan_memory_out(plan, err);
    for (int64_t i = 0; i < asked; i++) plan->categorical[i] = plan->asked.categorical.items[i];
    for (int64_t j = 0; j < s->table->columns; j++) {
        int found = s->fates[j] == KEPT ? find_code(s, j, &words, may_be_quoted) : 0;
        if (found < 0) return rls2__plan_memory_out(plan, err);
        if (found) plan->categorical[count++] = rls2_table_column_name(plan->file, j);
    }
    say_coded(s, &words);
    say_quoted(s, &quoted);
    options->categorical = plan->categorical;
    options->categorical_count = count;
    return RLS2_OK;
}

/* ---- numbers that may be codes ---- */

/* The first target as numbers: of classes the first against all others. */
static rls2_status read_target(survey *s, double *y, int *found, rls2_error *err)
{
    const rls2_table *table = s->table;
    int64_t target = 0;
    rls2_status status = RLS2_OK;
    while (target < table->columns && !rls2__plan_is_target(s->plan, table->names[target]))
        target++;
    *found = target < table->columns;
    if (!*found) return RLS2_OK;
    int numbers = rls2_table_is_numeric(table, target);
    if (!numbers) status = rls2__number_values(table, target, table->rows, s->rows, s->codes, err);
    for (int64_t i = 0; i < table->rows && status == RLS2_OK; i++)
        y[i] = numbers                                    ? rls2__table_number(table, i, target)
               : rls2__table_is_missing(table, i, target) ? (double)NAN
                                                          : (double)(s->codes[i] == 0);
    return status;
}

static int is_listed(const survey *s, int64_t column)
{
    const rls2_dataset_options *options = &s->plan->recipe.data;
    return rls2__is_among(s->table->names[column], options->categorical,
                          options->categorical_count);
}

/* Counts and ages are numbers, codes of people and places are not, and nobody is asked: what looks
 * like codes is told. */
static rls2_status note_code_like(survey *s, const double *y, rls2_error *err)
{
    rls2_plan *plan = s->plan;
    names found = {0};
    int64_t values = 0;
    int bare = rls2__has_bare_numbers(s->table);
    for (int64_t j = 0; j < s->table->columns; j++) {
        if (s->fates[j] != KEPT || rls2__column_is_text(s->table, j) || is_listed(s, j)) continue;
        int64_t here =
            rls2__column_looks_coded(s->table, j, y, bare && rls2__column_has_quotes(s->table, j));
        if (here < 0) return rls2__plan_memory_out(plan, err);
        if (here == 0) continue;
        add_name(&found, s->table->names[j]);
        values = here;
    }
    if (found.count == 1)
        rls2__plan_say(plan,
                       "column %s has %" PRId64 " different whole numbers: if they are codes, %s "
                       "%s takes them for categories",
                       found.text, values, NAME("categorical"), found.text);
    if (found.count > 1)
        rls2__plan_say(plan,
                       "%" PRId64
                       " columns (%s) have whole numbers that look like codes: if so, %s "
                       "takes them for categories",
                       found.count, found.text, NAME("categorical"));
    return RLS2_OK;
}

static rls2_status find_code_like(survey *s, rls2_error *err)
{
    int found = 0;
    double *y = rls2__alloc(s->table->rows, sizeof *y);
    if (!y) return rls2__plan_memory_out(s->plan, err);
    rls2_status status = read_target(s, y, &found, err);
    if (status == RLS2_OK && found) status = note_code_like(s, y, err);
    rls2__free(y);
    return status;
}

/* ---- columns that give the target away ---- */

/* What may be a cause of the target as well as made of it is said, and stays. */
static void note_suspect(survey *s, int64_t column, const char *sign, const char *condition)
{
    rls2_plan *plan = s->plan;
    if (plan->suspect_count < s->table->columns) /* of several targets one column has many signs */
        plan->suspects[plan->suspect_count++] =
            (rls2__column_left_out){rls2_table_column_name(plan->file, column), sign};
    rls2__plan_say(plan, "column '%s' %s: it stays; %s leaves it out, if %s",
                   rls2__show(s->table->names[column]).text, sign, NAME("drop"), condition);
}

/* What grows with time gives nothing away: dates stay. */
static rls2_status find_followers(survey *s, int64_t target, rls2_error *err)
{
    rls2__ranking ranking;
    rls2_status status = rls2__rank_rows(s->table, target, &ranking, err);
    if (status != RLS2_OK) return status;
    for (int64_t j = 0; j < s->table->columns; j++) {
        if (s->fates[j] != KEPT || rls2_table_kind(s->table, j) != RLS2_COLUMN_NUMBERS) continue;
        rls2__following how = rls2__column_follows(s->table, j, target, &ranking);
        if (how == RLS2__FOLLOWS) leave_out(s, j, GIVES_AWAY);
        if (how == RLS2__FOLLOWS_IN_STEPS && s->inputs > 1)
            note_suspect(s, j, "goes along with the target in every row",
                         "it is made of the target");
    }
    rls2__free(ranking.rows);
    return RLS2_OK;
}

/* A column of few values that come with one class each. */
static rls2_status find_teller(survey *s, int64_t column, const rls2__labels *labels,
                               rls2_error *err)
{
    enum { MOST_VALUES = 100 };
    int64_t different = rls2_table_distinct(s->table, column, MOST_VALUES + 1);
    if (different < 0) return rls2__plan_memory_out(s->plan, err);
    if (different > MOST_VALUES) return RLS2_OK;
    rls2_status status =
        rls2__number_values(s->table, column, s->table->rows, s->rows, s->codes, err);
    if (status != RLS2_OK) return status;
    switch (rls2__column_tells(s->table, column, labels, s->codes)) {
    case RLS2__TELLS_NOT: break;
    case RLS2__TELLS:
        note_suspect(s, column, "alone tells the class in every row",
                     "it is not known before the class is");
        break;
    case RLS2__TELLS_A_PART:
        note_suspect(s, column, "is the same in all rows of a class", "it is made of the target");
        break;
    }
    return RLS2_OK;
}

static rls2_status find_renamings(survey *s, int64_t target, int classes, rls2_error *err)
{
    rls2__labels labels;
    rls2_status status = rls2__label_rows(s->table, target, &labels, err);
    if (status != RLS2_OK) return status;
    for (int64_t j = 0; j < s->table->columns; j++) {
        if (s->fates[j] != KEPT) continue;
        if (rls2__column_renames(s->table, j, &labels))
            leave_out(s, j, GIVES_AWAY);
        else if (classes && s->inputs > 1 && rls2_table_is_numeric(s->table, j) &&
                 rls2__column_separates(s->table, j, &labels))
            note_suspect(s, j, "alone tells the two classes apart in every row",
                         "it is not known before the class is");
        else if (classes && s->inputs > 1)
            status = find_teller(s, j, &labels, err);
        if (status != RLS2_OK) break;
    }
    rls2__free(labels.numbers);
    rls2__free(labels.first);
    return RLS2_OK;
}

static rls2_status find_betrayers(survey *s, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int64_t j = 0; j < s->table->columns && status == RLS2_OK; j++) {
        if (!rls2__plan_is_target(s->plan, s->table->names[j])) continue;
        int classes = rls2__plan_infer_classes(s->plan) != 0;
        if (!classes && rls2_table_is_numeric(s->table, j)) status = find_followers(s, j, err);
        if (status == RLS2_OK) status = find_renamings(s, j, classes, err);
    }
    return status;
}

/* ---- twins ---- */

/* Hashes for qsort, which passes no context: texts before numbers. */
typedef struct hashed {
    uint64_t hash;
    int is_text, is_named;
    int64_t column;
} hashed;

/* Columns that look the same side by side, first the one that stays. */
static int by_hash(const void *a, const void *b)
{
    const hashed *x = a, *y = b;
    if (x->is_text != y->is_text) return y->is_text - x->is_text;
    if (x->hash != y->hash) return x->hash > y->hash ? 1 : -1;
    if (x->is_named != y->is_named) return y->is_named - x->is_named;
    return x->column > y->column ? 1 : -1;
}

static int64_t list_hashes(const survey *s, hashed *list)
{
    int64_t count = 0;
    for (int64_t j = 0; j < s->table->columns; j++)
        if (s->fates[j] == KEPT || s->fates[j] == NAMED)
            list[count++] = (hashed){s->seen[j].hash, rls2__column_is_text(s->table, j),
                                     s->fates[j] == NAMED, j};
    qsort(list, (size_t)count, sizeof *list, by_hash);
    return count;
}

/* Equal hashes are no proof. */
static rls2_status are_twins(survey *s, int64_t a, int64_t b, int *same, rls2_error *err)
{
    const rls2_table *table = s->table;
    rls2_status status = RLS2_OK;
    int is_text = rls2__column_is_text(table, a);
    *same = 1;
    if (is_text) status = rls2__number_values(table, a, table->rows, s->rows, s->codes, err);
    if (is_text && status == RLS2_OK)
        status = rls2__number_values(table, b, table->rows, s->rows, s->others, err);
    for (int64_t i = 0; i < table->rows && *same && status == RLS2_OK; i++)
        *same = is_text ? s->codes[i] == s->others[i]
                        : bits_of(rls2__table_number(table, i, a)) ==
                              bits_of(rls2__table_number(table, i, b));
    return status;
}

static rls2_status find_twins(survey *s, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    hashed *list = rls2__alloc(s->table->columns, sizeof *list);
    if (!list) return rls2__plan_memory_out(s->plan, err);
    int64_t count = list_hashes(s, list), first = 0;
    for (int64_t k = 1; k < count && status == RLS2_OK; k++) {
        int same = 0;
        if (list[k].hash != list[first].hash || list[k].is_text != list[first].is_text) {
            first = k;
            continue;
        }
        status = are_twins(s, list[first].column, list[k].column, &same, err);
        s->twin_of[list[k].column] = list[first].column;
        if (status == RLS2_OK && same) leave_out(s, list[k].column, TWIN);
    }
    rls2__free(list);
    return status;
}

/* ---- what is said ---- */

static const struct {
    const char *one, *several;
} WORDS[FATES] = {
    [NAMES_ROWS] = {"only names the rows", "only name the rows"},
    [EMPTY] = {"is empty", "are empty"},
    [CONSTANT] = {"has the same value in every row", "have the same value in every row"},
    [GIVES_AWAY] = {"gives the target away", "give the target away"},
    [TWIN] = {"says the same as", "say the same as"},
};

static void say_fate(survey *s, fate why)
{
    rls2_plan *plan = s->plan;
    names columns = {0}, twins = {0};
    for (int64_t j = 0; j < s->table->columns; j++) {
        if (s->fates[j] != why) continue;
        add_name(&columns, s->table->names[j]);
        if (why == TWIN) add_name(&twins, s->table->names[s->twin_of[j]]);
    }
    if (columns.count == 1)
        rls2__plan_say(plan, "column %s %s%s%s: left out (%s all keeps it)", columns.text,
                       WORDS[why].one, why == TWIN ? " " : "", twins.text, NAME("columns"));
    if (columns.count > 1)
        rls2__plan_say(plan, "%" PRId64 " columns (%s) %s%s%s: left out (%s all keeps them)",
                       columns.count, columns.text, WORDS[why].several, why == TWIN ? " " : "",
                       twins.text, NAME("columns"));
}

/* Why a column was left out, in words that live as long as the plan; NULL when out of memory. */
static const char *tell_why(const survey *s, int64_t column)
{
    char text[sizeof(rls2__shown) + 64];
    fate why = s->fates[column];
    if (why != TWIN) return WORDS[why].one;
    snprintf(text, sizeof text, "%s '%s'", WORDS[why].one,
             rls2__show(s->table->names[s->twin_of[column]]).text);
    return rls2__arena_copy(s->plan->arena, text);
}

/* Names of the file, which lives as long as the plan; the rows may be a table of their own. */
static rls2_status keep_fates(survey *s, rls2_error *err)
{
    rls2_plan *plan = s->plan;
    rls2_dataset_options *options = &plan->recipe.data;
    plan->left_out = rls2__alloc(s->table->columns, sizeof *plan->left_out);
    if (!plan->left_out) return rls2__plan_memory_out(plan, err);
    for (int64_t j = 0; j < s->table->columns; j++) {
        if (s->fates[j] <= NO_INPUT) continue;
        const char *why = tell_why(s, j), *name = rls2_table_column_name(plan->file, j);
        if (!why) return rls2__plan_memory_out(plan, err);
        plan->left_out[plan->left_out_count++] = (rls2__column_left_out){name, why};
        plan->dropped[options->drop_count++] = name;
    }
    for (fate why = NAMES_ROWS; why < FATES; why++) say_fate(s, why);
    return RLS2_OK;
}

/* ---- all of it ---- */

/* Columns of other formats have no names, and are no work of a person's hands. */
static int is_surveyed(const rls2_plan *plan)
{
    rls2_format format = plan->train.table->format;
    return plan->asked.columns == RLS2__COLUMNS_AUTO && plan->train.table->rows > 1 &&
           (format == RLS2_FORMAT_CSV || format == RLS2_FORMAT_AUTO);
}

rls2_status rls2__plan_choose_columns(rls2_plan *plan, rls2_error *err)
{
    survey s = {.plan = plan, .table = plan->train.table};
    if (!is_surveyed(plan)) return RLS2_OK;
    s.block = rls2__layout_alloc(lay_out, &s);
    plan->suspects = rls2__alloc(s.table->columns, sizeof *plan->suspects);
    if (!s.block || !plan->suspects) {
        rls2__free(s.block);
        return rls2__plan_memory_out(plan, err);
    }
    find_inputs(&s);
    rls2_status status = see_cells(&s, err);
    if (status == RLS2_OK) find_constants(&s);
    if (status == RLS2_OK) status = find_names(&s, err);
    if (status == RLS2_OK) status = find_betrayers(&s, err);
    if (status == RLS2_OK) status = find_twins(&s, err);
    if (status == RLS2_OK) status = find_codes(&s, err);
    if (status == RLS2_OK) status = find_code_like(&s, err);
    if (status == RLS2_OK) status = keep_fates(&s, err);
    rls2__free(s.block);
    return status;
}

const char *rls2_plan_left_out(const rls2_plan *plan, int64_t i, const char **why)
{
    if (!plan || i < 0 || i >= plan->left_out_count) return NULL;
    if (why) *why = plan->left_out[i].why;
    return plan->left_out[i].column;
}

const char *rls2_plan_suspect(const rls2_plan *plan, int64_t i, const char **why)
{
    if (!plan || i < 0 || i >= plan->suspect_count) return NULL;
    if (why) *why = plan->suspects[i].why;
    return plan->suspects[i].column;
}
