/* Shards of a table: however its rows are cut, ordered and read, profiles, statistics and models
 * have the same bytes as those of the whole. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "rls2/rls2.h"
#include "support/problem.h"

enum { ROWS = 700, MOST_SHARDS = 6, LINE = 160 };

typedef struct bytes {
    void *data;
    int64_t length;
} bytes;

/* ---- the rows ---- */

/* How the rows of a case are written, and what is learned of them. */
typedef struct recipe {
    const char *name;
    const char *settings; /* name=value;... */
    int equal;            /* so many different rows; 0: all are */
} recipe;

static const recipe cases[] = {
    {"numbers", "target=y;drop=class", 0},
    {"weights", "target=y;drop=class;row-weights=w", 0},
    {"classes", "target=class;class-weights=balanced", 0},
    {"left out", "target=y;drop=class;missing=drop", 0},
    {"folds by content", "target=y;drop=class;folds=3;seed=5", 500},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static const char HEAD[] = "n,many,city,day,clock,gap,w,y,class\n";

/* A category of row 17 alone, another of rows 600 and more; dates; gaps; words for gaps. */
static void write_row(int row, char line[LINE])
{
    rls2__random r;
    rls2__random_seed(&r, 77 + (uint64_t)row);
    double x = rls2__random_uniform(&r), z = rls2__random_uniform(&r);
    static const char *const cities[] = {"Rome", "Oslo", "Lima", "Bonn"};
    const char *city = row == 17   ? "Atlantis"
                       : row > 600 ? "Utrecht"
                                   : cities[rls2__random_below(&r, 4)];
    char gap[32] = "";
    if (rls2__random_below(&r, 6)) snprintf(gap, sizeof gap, "%.2f", z);
    snprintf(line, LINE, "%d,%.9g,%s,%d.%d.202%d,2020-0%d-1%d %02d:30,%s,%g,%.4f,%s\n",
             (int)rls2__random_below(&r, 9), x, city, 1 + (int)rls2__random_below(&r, 28),
             1 + (int)rls2__random_below(&r, 12), (int)rls2__random_below(&r, 3),
             1 + (int)rls2__random_below(&r, 9), (int)rls2__random_below(&r, 10),
             (int)rls2__random_below(&r, 24), gap, 1.0 + (double)rls2__random_below(&r, 7) / 4.0,
             sin(6.0 * x) + (row % 3 ? z : -z),
             x + z > 1.3 ? "high"
             : x > 0.8   ? "mid"
                         : "low");
}

static int row_of(const recipe *how, int row)
{
    return how->equal ? row % how->equal : row;
}

/* ---- shards ---- */

typedef struct shard {
    char path[64];
    int count;
    int rows[ROWS];
} shard;

static void write_shard(const recipe *how, shard *s)
{
    char line[LINE];
    strcpy(s->path, "/tmp/rls2-shard-XXXXXX");
    int descriptor = mkstemp(s->path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fputs(HEAD, file);
    for (int i = 0; i < s->count; i++) {
        write_row(row_of(how, s->rows[i]), line);
        fputs(line, file);
    }
    assert_int_equal(fclose(file), 0);
}

/* Each row to any of them, in any order; some may have none. */
static void deal_out(const recipe *how, rls2__random *r, int count, shard *shards)
{
    int order[ROWS];
    for (int i = 0; i < ROWS; i++) {
        int64_t j = rls2__random_below(r, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (int s = 0; s < count; s++) shards[s].count = 0;
    for (int i = 0; i < ROWS; i++) {
        shard *s = &shards[count == 1 ? 0 : rls2__random_below(r, count)];
        if (count > 3 && s == &shards[1]) s = &shards[0]; /* it stays empty */
        s->rows[s->count++] = order[i];
    }
    for (int s = 0; s < count; s++) write_shard(how, &shards[s]);
}

/* ---- sources ---- */

enum source_kind { FILES, TABLE, CALLS };

typedef struct opened {
    rls2_source *source;
    rls2_table *table;
    int64_t next, step;
} opened;

static rls2_status begin_again(void *user, rls2_error *err)
{
    (void)err;
    ((opened *)user)->next = 0;
    return RLS2_OK;
}

static rls2_status hand_out(void *user, rls2_table **piece, rls2_error *err)
{
    opened *o = user;
    int64_t rows[ROWS], count = 0;
    while (count < o->step && o->next < rls2_table_rows(o->table)) rows[count++] = o->next++;
    return count > 0 ? rls2_table_take(o->table, count, rows, piece, err) : RLS2_OK;
}

static void open_shard(const shard *s, enum source_kind kind, opened *o)
{
    rls2_error err = {0};
    const char *path = s->path;
    *o = (opened){.step = 1 + s->count / 3};
    if (s->count == 0) kind = FILES; /* there are no tables without rows */
    if (kind != FILES) assert_ok(rls2_table_read(path, NULL, &o->table, &err), &err);
    if (kind == FILES) assert_ok(rls2_source_open(1, &path, NULL, &o->source, &err), &err);
    if (kind == TABLE) assert_ok(rls2_source_open_table(o->table, &o->source, &err), &err);
    if (kind != CALLS) return;
    rls2_source_calls calls;
    rls2_source_calls_init(&calls, sizeof calls);
    calls.again = begin_again;
    calls.next = hand_out;
    calls.user = o;
    assert_ok(rls2_source_open_calls(o->table, &calls, &o->source, &err), &err);
}

static void close_shard(opened *o)
{
    rls2_source_close(o->source);
    rls2_table_free(o->table);
}

/* ---- plans ---- */

static rls2_plan *made_plan(const char *settings)
{
    rls2_plan *plan = NULL;
    rls2_error err = {0};
    char text[200], *save = NULL;
    assert_ok(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_COMMAND, &plan, &err), &err);
    snprintf(text, sizeof text, "%s", settings);
    for (char *word = strtok_r(text, ";", &save); word; word = strtok_r(NULL, ";", &save)) {
        char *equals = strchr(word, '=');
        *equals = '\0';
        assert_ok(rls2_plan_set(plan, word, equals + 1, &err), &err);
    }
    return plan;
}

static const rls2_control *on_threads(int threads)
{
    static rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = threads;
    return &control;
}

static bytes pack_profile(const rls2_profile *profile)
{
    bytes p;
    assert_ok(rls2_profile_pack(profile, &p.data, &p.length, NULL), &(rls2_error){0});
    return p;
}

static bytes pack_stats(const rls2_stats *stats)
{
    bytes p;
    assert_ok(rls2_stats_pack(stats, &p.data, &p.length, NULL), &(rls2_error){0});
    return p;
}

static void assert_same(bytes got, bytes wanted, const char *what)
{
    int same =
        got.length == wanted.length && memcmp(got.data, wanted.data, (size_t)got.length) == 0;
    if (!same) print_error("%s: other bytes\n", what);
    assert_true(same);
}

/* ---- the four steps ---- */

/* Merged in any order, through files. */
static rls2_profile *profile_shards(const recipe *how, rls2__random *r, int count,
                                    const shard *shards)
{
    rls2_profile *sum = NULL;
    rls2_error err = {0};
    for (int s = 0; s < count; s++) {
        opened o;
        rls2_profile *one = NULL, *read = NULL;
        rls2_plan *plan = made_plan(how->settings);
        open_shard(&shards[s], (enum source_kind)rls2__random_below(r, 3), &o);
        assert_ok(rls2_plan_profile(plan, o.source, on_threads(1 + (int)rls2__random_below(r, 3)),
                                    &one, &err),
                  &err);
        bytes p = pack_profile(one);
        assert_ok(rls2_profile_unpack("s", p.data, p.length, &read, &err), &err);
        bytes q = pack_profile(read);
        assert_same(q, p, "a profile that was read");
        if (!sum) {
            sum = read;
        } else if (rls2__random_below(r, 2)) {
            assert_ok(rls2_profile_merge(sum, read, &err), &err);
            rls2_profile_free(read);
        } else {
            assert_ok(rls2_profile_merge(read, sum, &err), &err);
            rls2_profile_free(sum);
            sum = read;
        }
        rls2_bytes_free(p.data);
        rls2_bytes_free(q.data);
        rls2_profile_free(one);
        rls2_plan_free(plan);
        close_shard(&o);
    }
    return sum;
}

static bytes empty_stats(const recipe *how, rls2_profile *profile)
{
    rls2_error err = {0};
    rls2_stats *stats = NULL;
    rls2_plan *plan = made_plan(how->settings);
    assert_ok(rls2_plan_complete_profile(plan, profile, NULL, &err), &err);
    assert_ok(rls2_plan_count(plan, NULL, &stats, &err), &err);
    assert_int_equal(rls2_stats_rows(stats), 0);
    bytes p = pack_stats(stats);
    rls2_stats_free(stats);
    rls2_plan_free(plan);
    return p;
}

/* Each shard into statistics of its own, merged in the end; or all into one. */
static rls2_stats *count_shards(rls2__random *r, bytes empty, int count, const shard *shards)
{
    rls2_error err = {0};
    rls2_stats *sum = NULL;
    assert_ok(rls2_stats_unpack("e", empty.data, empty.length, &sum, &err), &err);
    for (int s = 0; s < count; s++) {
        opened o;
        rls2_stats *one = sum;
        const rls2_control *control = on_threads(1 + (int)rls2__random_below(r, 3));
        open_shard(&shards[s], (enum source_kind)rls2__random_below(r, 3), &o);
        int apart = (int)rls2__random_below(r, 2);
        if (apart) assert_ok(rls2_stats_unpack("e", empty.data, empty.length, &one, &err), &err);
        assert_ok(rls2_stats_add_rows(one, o.source, control, &err), &err);
        if (apart) assert_ok(rls2_stats_merge(sum, one, &err), &err);
        if (apart) rls2_stats_free(one);
        close_shard(&o);
    }
    return sum;
}

/* Of all rows at once, in the order they were made in. */
static void count_whole(const recipe *how, bytes *profile, bytes *stats)
{
    static shard all;
    rls2_error err = {0};
    rls2_source *source = NULL;
    rls2_profile *p = NULL;
    rls2_stats *s = NULL;
    all.count = ROWS;
    for (int i = 0; i < ROWS; i++) all.rows[i] = i;
    write_shard(how, &all);
    const char *path = all.path;
    assert_ok(rls2_source_open(1, &path, NULL, &source, &err), &err);
    rls2_plan *plan = made_plan(how->settings);
    assert_ok(rls2_plan_profile(plan, source, NULL, &p, &err), &err);
    assert_ok(rls2_plan_complete_rows(plan, source, NULL, &err), &err);
    assert_ok(rls2_plan_count(plan, NULL, &s, &err), &err);
    assert_int_equal(rls2_stats_rows(s) + rls2_stats_left_out(s), ROWS);
    assert_int_equal(rls2_stats_parts_by_number(s), 0);
    assert_int_equal(rls2_profile_rows(p), rls2_stats_rows(s));
    assert_true(rls2_profile_fingerprint(p) == rls2_stats_fingerprint(s));
    *profile = pack_profile(p);
    *stats = pack_stats(s);
    rls2_profile_free(p);
    rls2_stats_free(s);
    rls2_plan_free(plan);
    rls2_source_close(source);
    unlink(all.path);
}

static void check_case(const recipe *how, uint64_t seed)
{
    static shard shards[MOST_SHARDS];
    rls2__random r;
    bytes profile, stats;
    rls2__random_seed(&r, seed);
    count_whole(how, &profile, &stats);
    for (int round = 0; round < 4; round++) {
        int count = 1 + (int)rls2__random_below(&r, MOST_SHARDS);
        deal_out(how, &r, count, shards);
        rls2_profile *merged = profile_shards(how, &r, count, shards);
        bytes p = pack_profile(merged), empty = empty_stats(how, merged);
        assert_same(p, profile, how->name);
        rls2_stats *sum = count_shards(&r, empty, count, shards);
        bytes s = pack_stats(sum);
        assert_same(s, stats, how->name);
        rls2_stats_free(sum);
        rls2_profile_free(merged);
        rls2_bytes_free(p.data);
        rls2_bytes_free(s.data);
        rls2_bytes_free(empty.data);
        for (int i = 0; i < count; i++) unlink(shards[i].path);
    }
    rls2_bytes_free(profile.data);
    rls2_bytes_free(stats.data);
}

static void shards__any_division_and_order__bytes_of_the_whole(void **state)
{
    (void)state;
    for (size_t c = 0; c < CASES; c++) check_case(&cases[c], 31 + c);
}

/* ---- class weights ---- */

/* n / (classes * rows of the class); labels ascend. */
static void shards__class_weights__are_those_of_all_rows(void **state)
{
    (void)state;
    static const char *const labels[] = {"high", "low", "mid"};
    static shard all;
    rls2_error err = {0};
    rls2_source *source = NULL;
    rls2_stats *stats = NULL;
    int counts[3] = {0};
    char line[LINE];
    all.count = ROWS;
    for (int i = 0; i < ROWS; i++) {
        all.rows[i] = i;
        write_row(i, line);
        line[strcspn(line, "\n")] = '\0';
        for (int k = 0; k < 3; k++) counts[k] += strcmp(strrchr(line, ',') + 1, labels[k]) == 0;
    }
    write_shard(&cases[2], &all);
    const char *path = all.path;
    assert_ok(rls2_source_open(1, &path, NULL, &source, &err), &err);
    rls2_plan *plan = made_plan(cases[2].settings);
    assert_ok(rls2_plan_complete_rows(plan, source, NULL, &err), &err);
    assert_ok(rls2_plan_count(plan, NULL, &stats, &err), &err);
    assert_int_equal(rls2_stats_class_count(stats), 3);
    for (int k = 0; k < 3; k++) {
        double wanted = (double)ROWS / (3.0 * counts[k]);
        assert_true(fabs(rls2_stats_class_weight(stats, k) - wanted) <= 1e-15 * wanted);
    }
    assert_true(isnan(rls2_stats_class_weight(stats, 3)));
    rls2_stats_free(stats);
    rls2_plan_free(plan);
    rls2_source_close(source);
    unlink(path);
}

/* ---- few different rows ---- */

/* Equal rows would all be in one fold: they are divided by their numbers, and adding shards in
 * their order to one object is counting the whole. */
static void shards__few_different_rows__parts_by_number(void **state)
{
    (void)state;
    static const recipe few = {"few", "target=y;drop=class", 40};
    static shard parts[3];
    rls2_error err = {0};
    const char *paths[3];
    for (int s = 0; s < 3; s++) {
        parts[s].count = 0;
        for (int i = s * ROWS / 3; i < (s + 1) * ROWS / 3; i++) parts[s].rows[parts[s].count++] = i;
        write_shard(&few, &parts[s]);
        paths[s] = parts[s].path;
    }
    rls2_source *all = NULL;
    rls2_stats *whole = NULL, *sum = NULL;
    assert_ok(rls2_source_open(3, paths, NULL, &all, &err), &err);
    rls2_plan *plan = made_plan(few.settings);
    assert_ok(rls2_plan_complete_rows(plan, all, NULL, &err), &err);
    assert_ok(rls2_plan_count(plan, on_threads(2), &whole, &err), &err);
    assert_int_equal(rls2_stats_parts_by_number(whole), 1);
    bytes wanted = pack_stats(whole);
    assert_ok(rls2_stats_unpack("w", wanted.data, wanted.length, &sum, &err), &err);
    rls2_stats_clear(sum);
    for (int s = 0; s < 3; s++) {
        opened o;
        open_shard(&parts[s], (enum source_kind)s, &o);
        assert_ok(rls2_stats_add_rows(sum, o.source, on_threads(s + 1), &err), &err);
        close_shard(&o);
        unlink(paths[s]);
    }
    bytes got = pack_stats(sum);
    assert_same(got, wanted, "added in their order");
    rls2_bytes_free(got.data);
    rls2_bytes_free(wanted.data);
    rls2_stats_free(whole);
    rls2_stats_free(sum);
    rls2_plan_free(plan);
    rls2_source_close(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shards__any_division_and_order__bytes_of_the_whole),
        cmocka_unit_test(shards__class_weights__are_those_of_all_rows),
        cmocka_unit_test(shards__few_different_rows__parts_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
