/* Columns that a plan leaves out by itself: which, why, what it says, and what keeps them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan/column_signs.h"
#include "rls2/plan.h"
#include "support/unit_support.h"

enum { ROWS = 40, ROOM = 16384 };

/* A table of ROWS rows in text: a header, and one line for each row. */
typedef struct sheet {
    char text[ROOM];
    size_t used;
} sheet;

static void add(sheet *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(s->text + s->used, sizeof s->text - s->used, format, args);
    va_end(args);
    assert_true(length >= 0 && s->used + (size_t)length < sizeof s->text);
    s->used += (size_t)length;
}

static double noise(int row, int seed)
{
    return sin(12.9898 * row + 78.233 * seed);
}

typedef struct fixture {
    rls2_table *table;
    rls2_plan *plan;
} fixture;

static void done(fixture *f)
{
    rls2_plan_free(f->plan);
    rls2_table_free(f->table);
}

static fixture completed(const char *text, rls2_voice voice, va_list pairs)
{
    fixture f = {0};
    rls2_error err;
    if (rls2_table_parse("t.csv", text, (int64_t)strlen(text), NULL, &f.table, &err) != RLS2_OK ||
        rls2_plan_create(RLS2_GOAL_PATH, voice, &f.plan, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    for (const char *name = va_arg(pairs, const char *); name; name = va_arg(pairs, const char *))
        if (rls2_plan_set(f.plan, name, va_arg(pairs, const char *), &err) != RLS2_OK)
            fail_msg("%s", err.message);
    if (rls2_plan_complete(f.plan, f.table, &err) != RLS2_OK) fail_msg("%s", err.message);
    return f;
}

/* Names and values of settings until NULL. */
static fixture planned(const char *text, ...)
{
    va_list pairs;
    va_start(pairs, text);
    fixture f = completed(text, RLS2_VOICE_COMMAND, pairs);
    va_end(pairs);
    return f;
}

/* Why the column was left out; NULL where it was not. */
static const char *why_of(const rls2_plan *plan, const char *column)
{
    const char *name, *why = NULL;
    for (int64_t i = 0; (name = rls2_plan_left_out(plan, i, &why)); i++)
        if (strcmp(name, column) == 0) return why;
    return NULL;
}

static void assert_left_out(const rls2_plan *plan, const char *column, const char *why)
{
    const char *found = why_of(plan, column);
    if (!found) fail_msg("'%s' was not left out", column);
    assert_string_equal(found, why);
    const rls2_dataset_options *options = rls2_plan_dataset_options(plan);
    int64_t i = 0;
    while (i < options->drop_count && strcmp(options->drop[i], column) != 0) i++;
    assert_true(i < options->drop_count);
}

static int64_t count_left_out(const rls2_plan *plan)
{
    int64_t count = 0;
    while (rls2_plan_left_out(plan, count, NULL)) count++;
    return count;
}

static int has_note(const rls2_plan *plan, const char *text)
{
    for (int64_t i = 0; i < rls2_plan_note_count(plan); i++)
        if (strcmp(rls2_plan_note(plan, i), text) == 0) return 1;
    return 0;
}

/* ---- each kind ---- */

static sheet everything(void)
{
    sheet s = {0};
    add(&s, "id,title,a,same,b,nothing,again,town,place,logy,y,b2\n");
    for (int i = 0; i < ROWS; i++)
        add(&s, "%d,name %d,%.3f,7,%.3f,,%.3f,%s,%s,%.17g,%.17g,%.4f\n", 100 + i, i, noise(i, 1),
            noise(i, 2), noise(i, 1), i % 3 ? "Paris" : "Rome", i % 3 ? "P" : "R",
            noise(i, 3) + 5.0, exp(noise(i, 3) + 5.0), noise(i, 2));
    return s;
}

static void columns__of_every_kind__are_left_out_and_said(void **state)
{
    (void)state;
    sheet s = everything();
    fixture f = planned(s.text, "target", "y", NULL);
    assert_left_out(f.plan, "id", "only names the rows");
    assert_left_out(f.plan, "title", "only names the rows");
    assert_left_out(f.plan, "same", "has the same value in every row");
    assert_left_out(f.plan, "nothing", "is empty");
    assert_left_out(f.plan, "again", "says the same as 'a'");
    assert_left_out(f.plan, "place", "says the same as 'town'");
    assert_left_out(f.plan, "logy", "gives the target away");
    assert_int_equal(count_left_out(f.plan), 7);
    assert_true(has_note(f.plan, "2 columns ('id', 'title') only name the rows: left out "
                                 "(--columns all keeps them)"));
    assert_true(has_note(f.plan, "column 'same' has the same value in every row: left out "
                                 "(--columns all keeps it)"));
    assert_true(has_note(f.plan, "column 'nothing' is empty: left out (--columns all keeps it)"));
    assert_true(has_note(f.plan, "2 columns ('again', 'place') say the same as 'a', 'town': left "
                                 "out (--columns all keeps them)"));
    assert_true(has_note(f.plan, "column 'logy' gives the target away: left out (--columns all "
                                 "keeps it)"));
    done(&f);
}

static void columns__all__keeps_them_in_silence(void **state)
{
    (void)state;
    sheet s = everything();
    fixture f =
        planned(s.text, "target", "y", "columns", "all", "drop", "nothing", "drop", "title", NULL);
    assert_int_equal(count_left_out(f.plan), 0);
    assert_int_equal(rls2_plan_dataset_options(f.plan)->drop_count, 2);
    for (int64_t i = 0; i < rls2_plan_note_count(f.plan); i++)
        assert_null(strstr(rls2_plan_note(f.plan, i), "--columns"));
    done(&f);
}

/* Named in `categorical`, in the kernels, by a pattern, between quotes, in a group or a range. */
static void columns__that_a_setting_names__stay(void **state)
{
    (void)state;
    sheet s = everything();
    fixture f = planned(s.text, "target", "y", "categorical", "title", "kernels",
                        "linear@b..logy; delta@\"place\"; rbf(1)@sam*", "group", "g=again,a", NULL);
    assert_null(why_of(f.plan, "title"));
    assert_null(why_of(f.plan, "logy"));
    assert_null(why_of(f.plan, "place"));
    assert_null(why_of(f.plan, "same"));
    assert_null(why_of(f.plan, "again"));
    assert_left_out(f.plan, "id", "only names the rows");
    /* of twins the one that is named stays */
    assert_left_out(f.plan, "town", "says the same as 'place'");
    done(&f);
}

static void columns__that_are_dropped_or_weigh__are_not_told_again(void **state)
{
    (void)state;
    sheet s = everything();
    fixture f = planned(s.text, "target", "y", "drop", "id", "drop", "nothing", "row-weights",
                        "same", NULL);
    assert_null(why_of(f.plan, "id"));
    assert_null(why_of(f.plan, "nothing"));
    assert_null(why_of(f.plan, "same"));
    assert_left_out(f.plan, "title", "only names the rows");
    done(&f);
}

static void columns__of_one_input__keep_it(void **state)
{
    (void)state;
    sheet s = {0};
    add(&s, "x,y\n");
    for (int i = 0; i < ROWS; i++) add(&s, "%d,%d\n", i * i, 1000 + 20 * (i * i - 50));
    fixture f = planned(s.text, "target", "y", NULL);
    assert_int_equal(count_left_out(f.plan), 0);
    done(&f);
    s = (sheet){0};
    add(&s, "id,x,y\n"); /* which of the two is not the one to learn from is plain */
    for (int i = 0; i < ROWS; i++) add(&s, "%d,%.4f,%.4f\n", i, noise(i, 1), 3.0 * noise(i, 1));
    f = planned(s.text, "target", "y", NULL);
    assert_left_out(f.plan, "id", "only names the rows");
    assert_int_equal(count_left_out(f.plan), 1);
    done(&f);
}

static void columns__of_other_formats__are_used_as_they_are(void **state)
{
    (void)state;
    static const char TEXT[] = "1 1:1 2:5\n-1 1:2 2:5\n1 1:3 2:5\n-1 1:4 2:5\n";
    rls2_read_options options;
    rls2_table *table = NULL;
    rls2_plan *plan = NULL;
    rls2_read_options_init(&options, sizeof options);
    options.format = RLS2_FORMAT_LIBSVM;
    assert_int_equal(rls2_table_parse("t", TEXT, sizeof TEXT - 1, &options, &table, NULL), RLS2_OK);
    assert_int_equal(rls2_plan_create(RLS2_GOAL_PATH, RLS2_VOICE_PLAIN, &plan, NULL), RLS2_OK);
    assert_int_equal(rls2_plan_complete(plan, table, NULL), RLS2_OK);
    assert_int_equal(count_left_out(plan), 0);
    rls2_plan_free(plan);
    rls2_table_free(table);
}

static void columns__of_one_kind__are_counted_and_the_first_named(void **state)
{
    (void)state;
    sheet s = {0};
    add(&s, "k1,k2,k3,k4,k5,k6,k7,k8,k9,k10,a,y\n");
    for (int i = 0; i < ROWS; i++)
        add(&s, "1,2,3,4,5,6,7,8,9,10,%.4f,%.4f\n", noise(i, 1), noise(i, 2));
    fixture f = planned(s.text, "target", "y", NULL);
    assert_true(has_note(f.plan, "10 columns ('k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8', ...) "
                                 "have the same value in every row: left out (--columns all keeps "
                                 "them)"));
    done(&f);
}

/* ---- names ---- */

static int is_id(const char *name)
{
    int weak;
    return rls2__is_name_of_ids(name, &weak) + weak;
}

static void is_name_of_ids__words__are_told_apart(void **state)
{
    (void)state;
    static const char *const IDS[] = {"id",          "ID",        "index",      "row",
                                      "rownames",    "row.names", "Unnamed: 0", "customer_id",
                                      "PassengerId", "userID",    "sample id",  "case.ID",
                                      "Obs.",        "obs",       "Row Number"};
    static const char *const OTHERS[] = {"paid", "Acid", "x", "grid", "year", "indexes", "d"};
    for (size_t i = 0; i < sizeof IDS / sizeof IDS[0]; i++)
        if (is_id(IDS[i]) != 1) fail_msg("'%s' is not taken for ids", IDS[i]);
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++)
        if (is_id(OTHERS[i])) fail_msg("'%s' is taken for ids", OTHERS[i]);
    assert_int_equal(is_id("X"), 2);
    assert_int_equal(is_id("PID"), 2);
    assert_int_equal(is_id("No."), 2);
}

/* Numbers that hardly differ, or are not whole, measure something; X far apart is no count. */
static void names__of_ids__need_different_whole_numbers(void **state)
{
    (void)state;
    sheet s = {0};
    add(&s, "id,row_id,index,X,obs,patient_id,a,y\n");
    for (int i = 0; i < ROWS; i++)
        add(&s, "%d,%.1f,%d,%d,%d,%d,%.4f,%.4f\n", i / 2, i + 0.5, 1000000 - i * 371, i * 90,
            (i * 7) % ROWS, i % 30, noise(i, 1), noise(i, 2));
    fixture f = planned(s.text, "target", "y", NULL);
    assert_left_out(f.plan, "index", "only names the rows");
    assert_left_out(f.plan, "obs", "only names the rows");
    assert_left_out(f.plan, "patient_id", "only names the rows"); /* some came twice */
    assert_int_equal(count_left_out(f.plan), 3);
    done(&f);
}

static void names__of_texts__need_most_of_them_different(void **state)
{
    (void)state;
    sheet s = {0};
    add(&s, "half,more,few,a,y\n");
    for (int i = 0; i < ROWS; i++)
        add(&s, "t%d,u%d,%s%d,%.4f,%.4f\n", i / 2, i < ROWS / 2 ? i : i / 2 + ROWS,
            i < 19 ? "v" : "", i, noise(i, 1), noise(i, 2));
    fixture f = planned(s.text, "target", "y", "drop", "few", NULL);
    assert_null(why_of(f.plan, "half"));
    assert_left_out(f.plan, "more", "only names the rows");
    done(&f);
}

/* ---- words among numbers ---- */

/* Words where most are numbers: few values are codes, many would be slips. */
static sheet cylinders(int modulus, const char *word)
{
    sheet s = {0};
    add(&s, "cylinders,a,y\n");
    for (int i = 0; i < ROWS; i++) {
        if (i == 3)
            add(&s, "%s,", word);
        else
            add(&s, "%d,", i % modulus);
        add(&s, "%.4f,%.4f\n", noise(i, 1), noise(i, 2));
    }
    return s;
}

static void codes__few_numbers_and_a_word__are_categories(void **state)
{
    (void)state;
    sheet s = cylinders(5, "rotary");
    fixture f = planned(s.text, "target", "y", NULL);
    const rls2_dataset_options *options = rls2_plan_dataset_options(f.plan);
    assert_int_equal(options->categorical_count, 1);
    assert_string_equal(options->categorical[0], "cylinders");
    assert_int_equal(rls2_dataset_columns(rls2_plan_data(f.plan, RLS2_PART_TRAINING)), 7);
    assert_true(has_note(f.plan, "column 'cylinders' has 'rotary' among few numbers: taken for "
                                 "categories (--columns all refuses it)"));
    done(&f);
}

static void refused(const char *text, const char *columns)
{
    rls2_table *table = NULL;
    rls2_plan *plan = NULL;
    rls2_error err;
    assert_int_equal(rls2_table_parse("t.csv", text, (int64_t)strlen(text), NULL, &table, NULL),
                     RLS2_OK);
    assert_int_equal(rls2_plan_create(RLS2_GOAL_PATH, RLS2_VOICE_COMMAND, &plan, NULL), RLS2_OK);
    assert_int_equal(rls2_plan_set(plan, "target", "y", NULL), RLS2_OK);
    assert_int_equal(rls2_plan_set(plan, "columns", columns, NULL), RLS2_OK);
    assert_int_equal(rls2_plan_complete(plan, table, &err), RLS2_ERR_VALUE);
    assert_contains(err.message, "t.csv:5: column 'cylinders': 'rotary' is not a number");
    rls2_plan_free(plan);
    rls2_table_free(table);
}

static void codes__many_numbers_and_a_word__are_a_slip(void **state)
{
    (void)state;
    sheet s = cylinders(30, "rotary");
    refused(s.text, "auto");
    s = cylinders(5, "rotary");
    refused(s.text, "all");
}

/* R writes a factor of numbers between quotes, and numbers without. */
static sheet quoted(const char *first, const char *second)
{
    sheet s = {0};
    char format[64];
    snprintf(format, sizeof format, "%s,%s,%%d,%%d\n", first, second);
    add(&s, "\"subject\",\"a\",\"b\",\"y\"\n");
    for (int i = 0; i < ROWS; i++) {
        size_t left = sizeof s.text - s.used;
        s.used += (size_t)snprintf(s.text + s.used, left, format, 300 + i % 5, (i * 7) % 40,
                                   (i * 11) % 39, (i * 13) % 37);
        assert_true(s.used < sizeof s.text);
    }
    return s;
}

static int64_t categories_in(const sheet *s, const char *setting, const char *value)
{
    fixture f = planned(s->text, "target", "y", setting, value, NULL);
    int64_t count = rls2_plan_dataset_options(f.plan)->categorical_count;
    assert_int_equal(has_note(f.plan,
                              "column 'subject' is between quotes, as texts are "
                              "written: taken for categories (--columns all takes numbers)"),
                     count);
    done(&f);
    return count;
}

static void codes__numbers_between_quotes__are_categories(void **state)
{
    (void)state;
    sheet s = quoted("\"%d\"", "%d");
    assert_int_equal(categories_in(&s, "columns", "auto"), 1);
    assert_int_equal(categories_in(&s, "columns", "all"), 0);
    assert_int_equal(categories_in(&s, "kernels", "rbf(1)@subject"), 0);
    s = quoted("%d", "%d");
    assert_int_equal(categories_in(&s, "columns", "auto"), 0);
    s = quoted("\"%d.5\"", "%d"); /* they measure something */
    assert_int_equal(categories_in(&s, "columns", "auto"), 0);
    s = quoted("%d", "\"%d\""); /* a number for each row counts something */
    assert_int_equal(categories_in(&s, "columns", "auto"), 0);
}

/* Stations 117, 1083 and "c168": texts, however many are numbers. */
static void codes__words_and_numbers_between_quotes__are_categories(void **state)
{
    (void)state;
    sheet s = {0};
    add(&s, "\"subject\",\"a\",\"y\"\n");
    for (int i = 0; i < ROWS; i++)
        add(&s, "\"%d%s\",%d,%d\n", 2 * (i / 2), i == 7 ? "a" : "", (i * 7) % 40, (i * 13) % 37);
    assert_int_equal(categories_in(&s, "columns", "auto"), 1);
}

static void codes__several_columns__are_told_in_one_note(void **state)
{
    (void)state;
    sheet s = {0};
    add(&s, "p,q,r,t,b,y\n");
    for (int i = 0; i < ROWS; i++)
        add(&s, "\"%d\",\"%d\",%s,%s,%d,%d\n", i % 5, i * 7 % 6, i % 9 ? "3" : "few",
            i % 7 ? "4" : "many", (i * 11) % 39, (i * 13) % 37);
    fixture f = planned(s.text, "target", "y", NULL);
    assert_int_equal(rls2_plan_dataset_options(f.plan)->categorical_count, 4);
    assert_true(has_note(f.plan, "2 columns ('p', 'q') are between quotes, as texts are written: "
                                 "taken for categories (--columns all takes numbers)"));
    assert_true(has_note(f.plan, "2 columns ('r', 't') have a text among few numbers: taken for "
                                 "categories (--columns all refuses them)"));
    done(&f);
}

/* Where everything has quotes they say nothing. */
static void codes__quotes_everywhere__say_nothing(void **state)
{
    (void)state;
    sheet s = {0};
    add(&s, "\"a\",\"b\",\"y\"\n");
    for (int i = 0; i < ROWS; i++)
        add(&s, "\"%d\",\"%d\",\"%d\"\n", i % 5, (i * 7) % 40, (i * 13) % 37);
    fixture f = planned(s.text, "target", "y", NULL);
    assert_int_equal(rls2_plan_dataset_options(f.plan)->categorical_count, 0);
    done(&f);
}

/* ---- constants and twins ---- */

/* A value here and there says where it is; 0 and -0 are one. */
static void constants__with_holes__stay(void **state)
{
    (void)state;
    sheet s = {0};
    add(&s, "flag,zero,a,y\n");
    for (int i = 0; i < ROWS; i++)
        add(&s, "%s,%s,%.4f,%.4f\n", i % 2 ? "yes" : "", i % 2 ? "-0" : "0.0", noise(i, 1),
            noise(i, 2));
    fixture f = planned(s.text, "target", "y", NULL);
    assert_null(why_of(f.plan, "flag"));
    assert_left_out(f.plan, "zero", "has the same value in every row");
    done(&f);
}

static void twins__need_the_same_numbers_and_holes(void **state)
{
    (void)state;
    sheet s = {0};
    add(&s, "a,close,hole,twin,text,late,y\n");
    for (int i = 0; i < ROWS; i++) {
        double a = noise(i, 1);
        add(&s, "%.4f,%.4f,", a, i == ROWS - 1 ? a + 1e-4 : a);
        if (i == 5)
            add(&s, ",");
        else
            add(&s, "%.4f,", a);
        add(&s, "%.4fe0,%c,%c,%.4f\n", a, "uvw"[i % 3], i == 31 ? 'k' : "klm"[i % 3], noise(i, 2));
    }
    fixture f = planned(s.text, "target", "y", NULL);
    assert_left_out(f.plan, "twin", "says the same as 'a'");
    assert_int_equal(count_left_out(f.plan), 1);
    done(&f);
}

/* ---- giveaways ---- */

static void giveaway__monotone_numbers__rise_or_fall_with_the_target(void **state)
{
    (void)state;
    sheet s = {0};
    add(&s, "rounded,falls,broken,few,year,a,y\n");
    for (int i = 0; i < ROWS; i++) {
        double y = 1.7 * i + 0.3 * noise(i, 1); /* grows down the file */
        add(&s, "%.0f,%.6f,%.6f,%d,%d,%.4f,%.6f\n", y, -y, i == 20 ? y - 2.0 : y, i / 10, 1980 + i,
            noise(i, 2), y);
    }
    fixture f = planned(s.text, "target", "y", NULL);
    assert_left_out(f.plan, "rounded", "gives the target away");
    assert_left_out(f.plan, "falls", "gives the target away");
    assert_int_equal(count_left_out(f.plan), 2);
    done(&f);
}

/* Low weight beside the weight: two values that go along. Three rows at an end may be chance. */
static void giveaway__steps_of_the_target__are_said_and_stay(void **state)
{
    (void)state;
    sheet s = {0};
    add(&s, "low,ends,mixed,a,y\n");
    for (int i = 0; i < ROWS; i++) {
        double y = noise(i, 1);
        add(&s, "%d,%d,%d,%.4f,%.6f\n", y<0.0, y> 0.985, i == 9 ? y >= 0.0 : y < 0.0, noise(i, 2),
            y);
    }
    fixture f = planned(s.text, "target", "y", NULL);
    assert_int_equal(count_left_out(f.plan), 0);
    assert_true(has_note(f.plan, "column 'low' goes along with the target in every row: it stays; "
                                 "--drop leaves it out, if it is made of the target"));
    for (int64_t i = 0; i < rls2_plan_note_count(f.plan); i++) {
        assert_null(strstr(rls2_plan_note(f.plan, i), "'ends'"));
        assert_null(strstr(rls2_plan_note(f.plan, i), "'mixed'"));
    }
    done(&f);
}

static void giveaway__of_a_target_with_holes__is_found_in_the_others(void **state)
{
    (void)state;
    sheet s = {0};
    add(&s, "log,a,y\n");
    for (int i = 0; i < ROWS; i++) {
        double y = 2.0 + noise(i, 1);
        if (i % 5 == 0)
            add(&s, "%.6f,%.4f,\n", noise(i, 3), noise(i, 2));
        else
            add(&s, "%.17g,%.4f,%.17g\n", log(y), noise(i, 2), y);
    }
    fixture f = planned(s.text, "target", "y", NULL);
    assert_left_out(f.plan, "log", "gives the target away");
    done(&f);
}

static sheet classes(void)
{
    sheet s = {0};
    add(&s, "alive,code,mostly,today,a,y\n");
    for (int i = 0; i < ROWS; i++) {
        int yes = i % 3 == 0;
        add(&s, "%s,%d,%d,%.4f,%.4f,%d\n", yes ? "yes" : "no", yes ? 5 : 2, i == 7 ? !yes : yes,
            (yes ? 1.5 : -1.5) + noise(i, 1), noise(i, 2), yes);
    }
    return s;
}

static void giveaway__of_classes__is_another_word_for_each(void **state)
{
    (void)state;
    sheet s = classes();
    fixture f = planned(s.text, "target", "y", NULL);
    assert_left_out(f.plan, "alive", "gives the target away");
    assert_left_out(f.plan, "code", "gives the target away");
    assert_int_equal(count_left_out(f.plan), 2);
    assert_true(has_note(f.plan, "column 'today' alone tells the two classes apart in every row: "
                                 "it stays; --drop leaves it out, if it is not known before the "
                                 "class is"));
    done(&f);
}

/* `until` is another word for each class, but for the last row. */
static void giveaway__of_classes_in_many_rows__is_looked_for_in_all_of_them(void **state)
{
    (void)state;
    enum { MANY = 5000, LINE = 32 };
    char *text = malloc((size_t)(MANY + 1) * LINE);
    size_t at = (size_t)snprintf(text, LINE, "code,until,a,y\n");
    for (int i = 0; i < MANY; i++) {
        int yes = i % 3 == 0;
        at += (size_t)snprintf(text + at, LINE, "%d,%d,%.4f,%s\n", yes ? 5 : 2,
                               i == MANY - 1 ? !yes : yes, noise(i, 2), yes ? "yes" : "no");
    }
    fixture f = planned(text, "target", "y", NULL);
    assert_left_out(f.plan, "code", "gives the target away");
    assert_int_equal(count_left_out(f.plan), 1);
    done(&f);
    free(text);
}

/* Every number is there once: any other column of such numbers would be a renaming. */
static void giveaway__of_numbers_that_never_repeat__needs_their_order(void **state)
{
    (void)state;
    sheet s = {0};
    add(&s, "a,b,y\n");
    for (int i = 0; i < ROWS; i++)
        add(&s, "%.6f,%.6f,%.6f\n", noise(i, 1), noise(i, 2), noise(i, 3));
    fixture f = planned(s.text, "target", "y", NULL);
    assert_int_equal(count_left_out(f.plan), 0);
    done(&f);
}

static void giveaway__of_several_targets__is_one_of_any(void **state)
{
    (void)state;
    sheet s = {0};
    add(&s, "twice,a,y,z\n");
    for (int i = 0; i < ROWS; i++)
        add(&s, "%.6f,%.6f,%.6f,%.6f\n", 2.0 * noise(i, 3), noise(i, 1), noise(i, 2), noise(i, 3));
    fixture f = planned(s.text, "target", "y", "target", "z", NULL);
    assert_left_out(f.plan, "twice", "gives the target away");
    assert_int_equal(count_left_out(f.plan), 1);
    done(&f);
}

/* ---- what a class tells, and what tells it ---- */

static void giveaway__of_classes_in_part__is_said_and_stays(void **state)
{
    (void)state;
    static const char *const ANSWER[] = {"no", "perhaps", "yes"};
    sheet s = {0};
    add(&s, "answer,agrees,town,a\n");
    for (int i = 0; i < 90; i++) {
        int k = i % 3;
        add(&s, "%s,%s,%s,%.3f\n", ANSWER[k], k == 0 ? "N" : "Y", i % 7 ? "Rome" : "Paris",
            noise(i, 1));
    }
    fixture f = planned(s.text, "target", "answer", NULL);
    assert_true(has_note(f.plan, "column 'agrees' is the same in all rows of a class: it stays; "
                                 "--drop leaves it out, if it is made of the target"));
    done(&f);
    f = planned(s.text, "target", "agrees", NULL);
    assert_true(has_note(f.plan, "column 'answer' alone tells the class in every row: it stays; "
                                 "--drop leaves it out, if it is not known before the class is"));
    assert_int_equal(count_left_out(f.plan), 0);
    done(&f);
    char *spoiled = strstr(s.text, "no,N"); /* one row that does not agree */
    assert_non_null(spoiled);
    spoiled[3] = 'Y';
    f = planned(s.text, "target", "agrees", NULL);
    for (int64_t i = 0; i < rls2_plan_note_count(f.plan); i++)
        assert_null(strstr(rls2_plan_note(f.plan, i), "it stays"));
    done(&f);
}

/* ---- codes ---- */

static int says_codes(const rls2_plan *plan)
{
    for (int64_t i = 0; i < rls2_plan_note_count(plan); i++)
        if (strstr(rls2_plan_note(plan, i), "codes")) return 1;
    return 0;
}

/* y of a row that has `number`; `how`: j jumps from one to the next, s is smooth, n is noise. */
static fixture numbered(const char *name, char how, const char *quote)
{
    static char text[1 << 17];
    size_t used = (size_t)sprintf(text, "%s,a,y\n", name);
    for (int i = 0; i < 1200; i++) {
        int number = i % 60;
        double y = noise(i, 4) + (how == 'j'   ? 5.0 * noise(number * number, 5)
                                  : how == 's' ? 0.002 * number * number
                                               : 0.0);
        used += (size_t)sprintf(text + used, "%s%d%s,%.4f,%.4f\n", quote, number, quote,
                                noise(i, 6), y);
    }
    return planned(text, "target", "y", NULL);
}

static void codes__numbers_that_look_like_them__are_said(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        char how;
        const char *quote;
        int said;
    } CASES[] = {{"shop", 'j', "", 1},    {"age", 's', "", 0},     {"visits", 'n', "", 0},
                 {"shop_id", 'n', "", 1}, {"ZipCode", 's', "", 1}, {"encoder", 's', "", 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        fixture f = numbered(CASES[i].name, CASES[i].how, CASES[i].quote);
        if (says_codes(f.plan) != CASES[i].said) fail_msg("%s", CASES[i].name);
        assert_int_equal(count_left_out(f.plan), 0);
        done(&f);
    }
    fixture f = numbered("shop", 'j', "");
    assert_true(has_note(f.plan, "column 'shop' has 60 different whole numbers: if they are codes, "
                                 "--categorical 'shop' takes them for categories"));
    done(&f);
}

/* One column with the order of the target in two steps, and one without. */
static void suspect__that_stays__is_listed_with_its_sign(void **state)
{
    (void)state;
    sheet s = {0};
    const char *why = NULL;
    add(&s, "low,a,y\n");
    for (int i = 0; i < ROWS; i++)
        add(&s, "%d,%.4f,%.6f\n", noise(i, 1) < 0.0, noise(i, 2), noise(i, 1));
    fixture f = planned(s.text, "target", "y", NULL);
    assert_string_equal(rls2_plan_suspect(f.plan, 0, &why), "low");
    assert_string_equal(why, "goes along with the target in every row");
    assert_null(rls2_plan_suspect(f.plan, 1, &why));
    assert_null(rls2_plan_suspect(f.plan, -1, NULL));
    assert_null(rls2_plan_suspect(NULL, 0, NULL));
    done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suspect__that_stays__is_listed_with_its_sign),
        cmocka_unit_test(columns__of_every_kind__are_left_out_and_said),
        cmocka_unit_test(columns__all__keeps_them_in_silence),
        cmocka_unit_test(columns__that_a_setting_names__stay),
        cmocka_unit_test(columns__that_are_dropped_or_weigh__are_not_told_again),
        cmocka_unit_test(columns__of_one_input__keep_it),
        cmocka_unit_test(columns__of_other_formats__are_used_as_they_are),
        cmocka_unit_test(columns__of_one_kind__are_counted_and_the_first_named),
        cmocka_unit_test(is_name_of_ids__words__are_told_apart),
        cmocka_unit_test(names__of_ids__need_different_whole_numbers),
        cmocka_unit_test(names__of_texts__need_most_of_them_different),
        cmocka_unit_test(codes__few_numbers_and_a_word__are_categories),
        cmocka_unit_test(codes__many_numbers_and_a_word__are_a_slip),
        cmocka_unit_test(codes__numbers_between_quotes__are_categories),
        cmocka_unit_test(codes__words_and_numbers_between_quotes__are_categories),
        cmocka_unit_test(codes__several_columns__are_told_in_one_note),
        cmocka_unit_test(codes__quotes_everywhere__say_nothing),
        cmocka_unit_test(constants__with_holes__stay),
        cmocka_unit_test(twins__need_the_same_numbers_and_holes),
        cmocka_unit_test(giveaway__monotone_numbers__rise_or_fall_with_the_target),
        cmocka_unit_test(giveaway__steps_of_the_target__are_said_and_stay),
        cmocka_unit_test(giveaway__of_a_target_with_holes__is_found_in_the_others),
        cmocka_unit_test(giveaway__of_classes__is_another_word_for_each),
        cmocka_unit_test(giveaway__of_classes_in_many_rows__is_looked_for_in_all_of_them),
        cmocka_unit_test(giveaway__of_numbers_that_never_repeat__needs_their_order),
        cmocka_unit_test(giveaway__of_several_targets__is_one_of_any),
        cmocka_unit_test(giveaway__of_classes_in_part__is_said_and_stays),
        cmocka_unit_test(codes__numbers_that_look_like_them__are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
