/* Every allocation of a pass over rows, of their profile and of the data set made of it fails once:
 * alone, and with those that come after it. The call then reports it and writes nothing. */
#include "failing_allocator.h"

#include "formats/rows.h"
#include "stats/table_profile.h"
#include "table/dataset.h"

static const char text[] = "few,many,city,day,y\n1,0.5,a,2020-01-02,u\n2,1.5,b,2020-02-03,v\n"
                           ",2.5,,2020-01-02,u\n1,3.5,a,,v\n3,4.5,c,2021-05-06,u\n"
                           "3,5.5,d,2021-05-07,u\n2,-1,a,2021-05-08,v\n";
static rls2_table *table;

static rls2__profile_options small_options(void)
{
    static const char *const needed[] = {"y"};
    rls2__profile_options options = rls2__profile_defaults();
    options.sample = 3; /* rows lose their place */
    options.most_texts = 5;
    options.needed = needed;
    options.needed_count = 1;
    return options;
}

static rls2_status add_look(const rls2__profile *profile, result *r, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int64_t j = 0; j < rls2__profile_columns(profile) && status == RLS2_OK; j++) {
        rls2__profile_column found;
        status = rls2__profile_look(profile, j, &found, err);
        if (status != RLS2_OK) break;
        add_value(r, (double)found.distinct);
        add_value(r, found.mean);
        add_value(r, found.deviation);
    }
    return status;
}

static rls2_status read_profile(rls2_source *rows, rls2__profile **profile, rls2_error *err)
{
    rls2__effort effort;
    rls2__profile_team *team = NULL;
    rls2__profile_options options = small_options();
    rls2__effort_begin_alone(&effort);
    rls2_status status = rls2__profile_team_create(rls2__rows_first(rows), &options, 2, &team, err);
    if (status == RLS2_OK)
        status = rls2__rows_each(rows, &effort, rls2__profile_team_work, team, NULL, err);
    if (status == RLS2_OK) {
        status = rls2__profile_team_finish(team, profile, err);
        team = NULL;
    }
    rls2__profile_team_free(team);
    return status == RLS2_OK ? rls2__profile_settle(*profile, err) : status;
}

static rls2_status make_dataset(const rls2__profile *profile, result *r, rls2_error *err)
{
    rls2_dataset *dataset = UNTOUCHED;
    rls2_dataset_options how;
    rls2_dataset_options_init(&how, sizeof how);
    how.target = "y";
    how.missing = RLS2_MISSING_IMPUTE;
    how.rare = 2;
    rls2_status status =
        rls2__profile_dataset(profile, NULL, &how, RLS2_NORMALIZE_STANDARDIZE, &dataset, err);
    if (status != RLS2_OK) {
        assert_ptr_equal(dataset, UNTOUCHED);
        return status;
    }
    int64_t columns = rls2_dataset_columns(dataset);
    add_values(r, columns, rls2_dataset_means(dataset));
    add_values(r, columns, rls2_dataset_deviations(dataset));
    add_values(r, columns * rls2_dataset_rows(dataset), rls2_dataset_x(dataset));
    rls2_dataset_free(dataset);
    return status;
}

static rls2_status use_rows(rls2_source *rows, result *r, rls2_error *err)
{
    rls2__profile *profile = NULL;
    rls2_status status = read_profile(rows, &profile, err);
    if (status == RLS2_OK) status = add_look(profile, r, err);
    if (status == RLS2_OK) status = make_dataset(profile, r, err);
    rls2__profile_free(profile);
    return status;
}

static rls2_status profile_table(result *r, rls2_error *err)
{
    rls2_source *rows = NULL;
    rls2_status status;
    ARMED(status = rls2_source_open_table(table, &rows, err);
          if (status == RLS2_OK) status = use_rows(rows, r, err); rls2_source_close(rows));
    return status;
}

static rls2_status profile_file(result *r, rls2_error *err)
{
    static const char *const na[] = {"none"};
    rls2_source *rows = NULL;
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.na = na;
    options.na_count = 1;
    int64_t count = 0;
    rls2_status status;
    ARMED(status = rls2_source_open(1, &(const char *){"data/servo.csv"}, &options, &rows, err);
          if (status == RLS2_OK) count = rls2_table_columns(rls2__rows_first(rows));
          rls2_source_close(rows));
    if (status == RLS2_OK) add_value(r, (double)count);
    return status;
}

static rls2_status merge_profiles(result *r, rls2_error *err)
{
    rls2__profile *a = NULL, *b = NULL;
    rls2__profile_options options = small_options();
    rls2_status status;
    ARMED(status = rls2__profile_create(table, &options, &a, err);
          if (status == RLS2_OK) status = rls2__profile_create_like(a, &b, err);
          if (status == RLS2_OK) status = rls2__profile_add(b, table, 0, err);
          if (status == RLS2_OK) status = rls2__profile_merge(a, b, err);
          if (status == RLS2_OK) status = rls2__profile_merge(a, b, err);
          if (status == RLS2_OK) status = rls2__profile_settle(a, err);
          if (status == RLS2_OK) status = add_look(a, r, err); rls2__profile_free(a);
          rls2__profile_free(b));
    return status;
}

static const sweep sweeps[] = {
    {"profile__table", profile_table, STRICT},
    {"rows_open__file", profile_file, STRICT},
    {"profile_merge", merge_profiles, STRICT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

static int set_up(void **state)
{
    (void)state;
    return rls2_table_parse_csv("t.csv", text, (int64_t)strlen(text), &table, NULL) != RLS2_OK;
}

static int tear_down(void **state)
{
    (void)state;
    rls2_table_free(table);
    return 0;
}

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
