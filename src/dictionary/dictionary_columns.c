/* What a dictionary text may refer to, and the sets of columns it names.
 *
 * A set is gathered as marks on the columns, so that its columns come out in order
 * and once each. A contiguous set (all, one column, a range) is a slice of the list
 * 0 .. p-1 and costs no memory; only the others are stored. */
#include "dictionary/dictionary_columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/invariant.h"
#include "dictionary/dictionary_text.h"

/* ---- the names ---- */

static rls2_status check_columns(const rls2_columns *world, rls2_error *err)
{
    if (!world) return rls2__fail_null(err, "columns");
    if (world->count < 0 || world->group_count < 0 || world->given_count < 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "kernels: a negative number of columns, groups or matrices");
    if (world->group_count > 0 && !world->groups)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "kernels: groups is NULL");
    if (world->given_count > 0 && !world->given_names)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "kernels: given_names is NULL");
    return RLS2_OK;
}

static char *copy_name(rls2__parser *p, int64_t j)
{
    char made[24];
    const char *name = p->world->names ? p->world->names[j] : made;
    if (!p->world->names) snprintf(made, sizeof made, "x%" PRId64, j + 1);
    return rls2__arena_copy(p->dictionary->arena, name);
}

/* The name as the grammar wants it written: itself, or a quoted copy. */
static const char *label_of(rls2__parser *p, const char *name)
{
    int64_t length = (int64_t)strlen(name);
    if (!rls2__name_needs_quotes(name, length)) return name;
    char *label = rls2__arena_alloc(p->dictionary->arena, rls2__add(rls2__mul(length, 2), 3));
    if (label) rls2__name_write(name, length, label);
    return label;
}

/* A name that may not be NULL nor occur twice. */
static rls2_status take_name(rls2__parser *p, rls2__lookup *names, const char *what,
                             const char *name, int64_t id)
{
    if (!name)
        return rls2__fail(p->err, RLS2_ERR_ARGUMENT, "kernels: %s %" PRId64 " has no name", what,
                          id + 1);
    int64_t found = rls2__lookup_add(names, name);
    if (found < 0) return rls2__parser_memory(p);
    if (found == id) return RLS2_OK;
    return rls2__fail(p->err, RLS2_ERR_ARGUMENT, "kernels: the %s name '%s' occurs twice", what,
                      rls2__clip(name, (int64_t)strlen(name)).text);
}

static rls2_status take_column_names(rls2__parser *p)
{
    for (int64_t j = 0; j < p->world->count; j++) {
        if (p->world->names && !p->world->names[j])
            return rls2__fail(p->err, RLS2_ERR_ARGUMENT, "kernels: column %" PRId64 " has no name",
                              j + 1);
        char *name = copy_name(p, j);
        p->dictionary->column_names[j] = name;
        p->labels[j] = name ? label_of(p, name) : NULL;
        if (!p->labels[j]) return rls2__parser_memory(p);
        p->identity[j] = j;
        rls2_status status = take_name(p, p->column_names, "column", name, j);
        if (status) return status;
    }
    return RLS2_OK;
}

/* A copy of the group, so that a model can say what it was made from. */
static rls2_status keep_group(rls2__parser *p, int64_t g)
{
    rls2__arena *arena = p->dictionary->arena;
    const rls2_group *group = &p->world->groups[g];
    int64_t bytes = rls2__mul(group->count, sizeof(int64_t));
    int64_t *columns = rls2__arena_alloc(arena, bytes);
    char *name = rls2__arena_copy(arena, group->name);
    if (!columns || !name) return rls2__parser_memory(p);
    if (bytes > 0) memcpy(columns, group->columns, (size_t)bytes);
    p->dictionary->groups[g] = (rls2_group){name, group->count, columns};
    p->dictionary->group_count = g + 1;
    return RLS2_OK;
}

static rls2_status take_groups(rls2__parser *p)
{
    for (int64_t g = 0; g < p->world->group_count; g++) {
        const rls2_group *group = &p->world->groups[g];
        rls2_status status = take_name(p, p->group_names, "group", group->name, g);
        if (status) return status;
        rls2__clipped shown = rls2__clip(group->name, (int64_t)strlen(group->name));
        if (group->count < 0 || (group->count > 0 && !group->columns))
            return rls2__fail(p->err, RLS2_ERR_ARGUMENT,
                              "kernels: group '%s' has no list of columns", shown.text);
        for (int64_t i = 0; i < group->count; i++)
            if (group->columns[i] < 0 || group->columns[i] >= p->world->count)
                return rls2__fail(p->err, RLS2_ERR_ARGUMENT,
                                  "kernels: group '%s' has column %" PRId64
                                  ", not within 0 .. %" PRId64,
                                  shown.text, group->columns[i], p->world->count - 1);
        status = keep_group(p, g);
        if (status) return status;
    }
    return RLS2_OK;
}

static rls2_status take_given(rls2__parser *p)
{
    for (int64_t g = 0; g < p->world->given_count; g++) {
        const char *name = p->world->given_names[g];
        rls2_status status = take_name(p, p->given_names, "given matrix", name, g);
        if (status) return status;
        name = rls2__arena_copy(p->dictionary->arena, name);
        if (!name) return rls2__parser_memory(p);
        p->dictionary->given_names[g] = name;
        p->dictionary->given_count = g + 1;
    }
    return RLS2_OK;
}

/* The text, and room for the groups and the names of given matrices. */
static rls2_status reserve_kept(rls2__parser *p)
{
    rls2_dictionary *dictionary = p->dictionary;
    rls2__arena *arena = dictionary->arena;
    dictionary->spec = rls2__arena_copy(arena, p->spec);
    dictionary->groups =
        rls2__arena_alloc(arena, rls2__mul(p->world->group_count, sizeof(rls2_group)));
    dictionary->given_names =
        rls2__arena_alloc(arena, rls2__mul(p->world->given_count, sizeof(char *)));
    if (!dictionary->spec || !dictionary->groups || !dictionary->given_names)
        return rls2__parser_memory(p);
    return RLS2_OK;
}

rls2_status rls2__parser_take_columns(rls2__parser *p)
{
    rls2_status status = check_columns(p->world, p->err);
    if (status) return status;
    int64_t count = p->world->count;
    rls2__arena *arena = p->dictionary->arena;
    p->dictionary->columns = count;
    p->dictionary->column_names = rls2__arena_alloc(arena, rls2__mul(count, sizeof(char *)));
    p->identity = rls2__arena_alloc(arena, rls2__mul(count, sizeof(int64_t)));
    p->labels = rls2__alloc(count, sizeof(char *));
    p->marks = rls2__alloc_zero(count, 1);
    p->column_names = rls2__lookup_create();
    p->group_names = rls2__lookup_create();
    p->given_names = rls2__lookup_create();
    /* the texts of the presets count too: 64 bytes are room enough for their words */
    p->word = rls2__alloc(rls2__add((int64_t)strlen(p->spec), 64), 1);
    /* a label is no longer than what was written, but for two quotes a word */
    p->label = rls2__alloc(rls2__add(rls2__mul((int64_t)strlen(p->spec), 3), 64), 1);
    if (!p->dictionary->column_names || !p->identity || !p->labels || !p->marks || !p->label ||
        !p->word || !p->column_names || !p->group_names || !p->given_names)
        return rls2__parser_memory(p);
    status = reserve_kept(p);
    if (!status) status = take_column_names(p);
    if (!status) status = take_groups(p);
    if (!status) status = take_given(p);
    return status;
}

/* ---- sets ---- */

static void mark(rls2__parser *p, int64_t column)
{
    rls2__invariant(column >= 0 && column < p->world->count);
    if (p->marks[column]) return;
    p->marks[column] = 1;
    if (p->marked == 0 || column < p->lowest) p->lowest = column;
    if (p->marked == 0 || column > p->highest) p->highest = column;
    p->marked++;
}

static void clear_marks(rls2__parser *p)
{
    if (p->marked > 0) memset(p->marks + p->lowest, 0, (size_t)(p->highest - p->lowest + 1));
    p->marked = 0;
}

/* Room that rls2__parser_take_columns made for the label of a set. */
RLS2__CHECK int has_label_room(const rls2__parser *p, int64_t length)
{
    return p->label_length + length <= 3 * (int64_t)strlen(p->spec) + 64;
}

static void label_add(rls2__parser *p, const char *text, int64_t length)
{
    rls2__invariant(has_label_room(p, length));
    memcpy(p->label + p->label_length, text, (size_t)length);
    p->label_length += length;
}

static void label_add_name(rls2__parser *p, const rls2__span *name)
{
    p->label_length += rls2__name_write(name->text, name->length, p->label + p->label_length);
    rls2__invariant(has_label_room(p, 0));
}

static bool is_pattern(const rls2__span *word)
{
    if (word->quoted) return false;
    return memchr(word->text, '*', (size_t)word->length) ||
           memchr(word->text, '?', (size_t)word->length);
}

/* Whether `name` fits the pattern: '*' any text, '?' any one (UTF-8) character.
 * After a mismatch only the last star can take more, so no recursion. */
static bool matches(const rls2__span *pattern, const char *name)
{
    const char *c = pattern->text, *end = c + pattern->length;
    const char *star = NULL, *retry = NULL;
    while (*name) {
        if (c < end && *c == '*') {
            star = c++;
            retry = name;
        } else if (c < end && *c == '?') {
            c++;
            do name++;
            while (((unsigned char)*name & 0xC0) == 0x80);
        } else if (c < end && *c == *name) {
            c++;
            name++;
        } else if (star) {
            c = star + 1;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (c < end && *c == '*') c++;
    return c == end;
}

/* A text column of a table becomes indicators "name=value": its name stands for all of them. */
static bool is_indicator(const char *column, const rls2__span *name)
{
    return strncmp(column, name->text, (size_t)name->length) == 0 && column[name->length] == '=';
}

int rls2_group_has(const char *columns, const char *name)
{
    while (columns && name) {
        rls2__span piece = {.text = columns, .length = (int64_t)strcspn(columns, ",")};
        if (matches(&piece, name) || is_indicator(name, &piece)) return 1;
        columns += piece.length;
        if (*columns++ == '\0') return 0;
    }
    return 0;
}

static bool add_indicators(rls2__parser *p, const rls2__span *name)
{
    bool any = false;
    for (int64_t j = 0; j < p->world->count; j++) {
        if (!is_indicator(p->dictionary->column_names[j], name)) continue;
        mark(p, j);
        any = true;
    }
    if (any) label_add_name(p, name);
    return any;
}

static rls2_status unknown_column(rls2__parser *p, const rls2__span *name)
{
    rls2__clipped shown = rls2__clip(name->text, name->length);
    if (rls2__lookup_find(p->group_names, rls2__parser_text(p, name)) >= 0)
        return rls2__parser_fail(p, RLS2_ERR_NAME, name->at,
                                 "unknown column '%s' (for the group write group:%s)", shown.text,
                                 shown.text);
    rls2__suggestion near = rls2__suggestion_start(name->text, name->length);
    for (int64_t j = 0; j < p->world->count; j++)
        rls2__suggestion_try(&near, p->dictionary->column_names[j]);
    return rls2__parser_fail(p, RLS2_ERR_NAME, name->at, "unknown column '%s'%s", shown.text,
                             rls2__suggestion_text(&near).text);
}

static rls2_status find_column(rls2__parser *p, const rls2__span *name, int64_t *column)
{
    int64_t found = rls2__lookup_find(p->column_names, rls2__parser_text(p, name));
    if (found < 0) return unknown_column(p, name);
    *column = found;
    return RLS2_OK;
}

static rls2_status add_group(rls2__parser *p)
{
    rls2__span name;
    rls2_status status = rls2__parser_word(p, "the name of a group", &name);
    if (status) return status;
    int64_t found = rls2__lookup_find(p->group_names, rls2__parser_text(p, &name));
    if (found < 0) {
        rls2__suggestion near = rls2__suggestion_start(name.text, name.length);
        for (int64_t g = 0; g < p->world->group_count; g++)
            rls2__suggestion_try(&near, p->world->groups[g].name);
        return rls2__parser_fail(p, RLS2_ERR_NAME, name.at, "unknown group '%s'%s",
                                 rls2__clip(name.text, name.length).text,
                                 rls2__suggestion_text(&near).text);
    }
    const rls2_group *group = &p->world->groups[found];
    if (group->count == 0)
        return rls2__parser_fail(p, RLS2_ERR_VALUE, name.at, "group '%s' has no columns",
                                 rls2__clip(name.text, name.length).text);
    for (int64_t i = 0; i < group->count; i++) mark(p, group->columns[i]);
    label_add(p, "group:", 6);
    label_add_name(p, &name);
    return RLS2_OK;
}

static rls2_status add_pattern(rls2__parser *p, const rls2__span *pattern)
{
    bool any = false;
    for (int64_t j = 0; j < p->world->count; j++) {
        if (!matches(pattern, p->dictionary->column_names[j])) continue;
        mark(p, j);
        any = true;
    }
    if (!any)
        return rls2__parser_fail(p, RLS2_ERR_NAME, pattern->at, "no column matches '%s'",
                                 rls2__clip(pattern->text, pattern->length).text);
    label_add(p, pattern->text, pattern->length);
    return RLS2_OK;
}

/* first '..' last, both included. */
static rls2_status add_range(rls2__parser *p, const rls2__span *first)
{
    rls2__span last;
    int64_t from = 0, to = 0;
    rls2_status status = rls2__parser_word(p, "the last column of the range", &last);
    if (status) return status;
    const rls2__span *pattern = is_pattern(first) ? first : &last;
    if (is_pattern(pattern))
        return rls2__parser_fail(p, RLS2_ERR_SYNTAX, pattern->at,
                                 "a range goes from a name to a name");
    status = find_column(p, first, &from);
    if (!status) status = find_column(p, &last, &to);
    if (status) return status;
    if (to < from)
        return rls2__parser_fail(p, RLS2_ERR_VALUE, last.at, "column '%s' comes before '%s'",
                                 rls2__clip(last.text, last.length).text,
                                 rls2__clip(first->text, first->length).text);
    for (int64_t j = from; j <= to; j++) mark(p, j);
    label_add_name(p, first);
    label_add(p, "..", 2);
    label_add_name(p, &last);
    return RLS2_OK;
}

static rls2_status add_all(rls2__parser *p, int64_t at)
{
    if (p->world->count == 0)
        return rls2__parser_fail(p, RLS2_ERR_VALUE, at, "there are no columns");
    for (int64_t j = 0; j < p->world->count; j++) mark(p, j);
    label_add(p, "all", 3);
    return RLS2_OK;
}

static rls2_status read_atom(rls2__parser *p)
{
    rls2__span word;
    int64_t column = 0;
    rls2_status status = rls2__parser_word(p, "a column", &word);
    if (status) return status;
    if (rls2__span_is(&word, "group") && rls2__parser_accept(p, ':')) return add_group(p);
    if (rls2__span_is(&word, "all")) return add_all(p, word.at);
    if (rls2__span_is(&word, "each"))
        return rls2__parser_fail(
            p, RLS2_ERR_SYNTAX, word.at,
            "'each' stands first, as in each:a+b (a column of that name is written \"each\")");
    if (rls2__parser_accept_dots(p)) return add_range(p, &word);
    if (is_pattern(&word)) return add_pattern(p, &word);
    if (rls2__lookup_find(p->column_names, rls2__parser_text(p, &word)) < 0 &&
        add_indicators(p, &word))
        return RLS2_OK;
    status = find_column(p, &word, &column);
    if (status) return status;
    mark(p, column);
    label_add_name(p, &word);
    return RLS2_OK;
}

static rls2_status read_set(rls2__parser *p)
{
    for (;;) {
        rls2_status status = read_atom(p);
        if (status) return status;
        if (!rls2__parser_accept(p, '+')) return RLS2_OK;
        label_add(p, "+", 1);
    }
}

/* ---- items ---- */

/* The marked columns in order. */
static rls2_status marked_columns(rls2__parser *p, int64_t at, const int64_t **columns)
{
    if (p->highest - p->lowest + 1 == p->marked) {
        *columns = p->identity + p->lowest;
        return RLS2_OK;
    }
    p->references += p->marked;
    if (p->references > p->limits->references)
        return rls2__parser_fail(p, RLS2_ERR_VALUE, at,
                                 "the sets have more than %" PRId64 " columns in all",
                                 p->limits->references);
    int64_t *list = rls2__arena_alloc(p->dictionary->arena, rls2__mul(p->marked, sizeof(int64_t)));
    if (!list) return rls2__parser_memory(p);
    *columns = list;
    for (int64_t j = p->lowest; j <= p->highest; j++)
        if (p->marks[j]) *list++ = j;
    return RLS2_OK;
}

static bool reserve_item(rls2__parser *p)
{
    if (p->item_count < p->item_capacity) return true;
    int64_t capacity = p->item_capacity > 0 ? rls2__mul(p->item_capacity, 2) : 16;
    rls2__item *items = rls2__alloc(capacity, sizeof *items);
    if (!items) return false;
    if (p->items) memcpy(items, p->items, (size_t)p->item_count * sizeof *items);
    rls2__free(p->items);
    p->items = items;
    p->item_capacity = capacity;
    return true;
}

/* Turns the set just read into an item. */
static rls2_status keep_item(rls2__parser *p, bool each, int64_t at)
{
    rls2__item item = {.each = each, .at = at, .count = p->marked, .label = ""};
    rls2_status status = marked_columns(p, at, &item.columns);
    if (status) return status;
    rls2__invariant(item.count > 0);
    rls2__invariant(rls2__is_ascending(item.count, item.columns, p->world->count));
    if (!each) item.label = rls2__arena_text(p->dictionary->arena, p->label, p->label_length);
    if (!item.label || !reserve_item(p)) return rls2__parser_memory(p);
    rls2__invariant(p->item_count < p->item_capacity);
    p->items[p->item_count++] = item;
    clear_marks(p);
    return RLS2_OK;
}

rls2_status rls2__parser_default_item(rls2__parser *p, bool each, int64_t at)
{
    p->label_length = 0;
    rls2_status status = add_all(p, at);
    return status ? status : keep_item(p, each, at);
}

rls2_status rls2__parser_item(rls2__parser *p)
{
    rls2__span word;
    int64_t at = rls2__parser_here(p);
    p->label_length = 0;
    rls2_status status =
        rls2__parser_word(p, "columns: all, each, a name, a pattern or group:name", &word);
    if (status) return status;
    bool each = rls2__span_is(&word, "each");
    if (each && !rls2__parser_accept(p, ':')) return rls2__parser_default_item(p, true, at);
    if (!each) p->at = at;
    status = read_set(p);
    return status ? status : keep_item(p, each, at);
}
