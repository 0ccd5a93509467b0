/* A program of 0.8, which every later 0.x must still run. Compiled with the headers beside it, once
 * they are frozen, and linked to the library of today; it is not to be changed once 0.8 is out. */
#include <rls2/rls2.h>

#include <stdio.h>
#include <string.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        if ((call) != RLS2_OK) {                                                                   \
            fprintf(stderr, "%s: %s\n", #call, err.message);                                       \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "not so: %s\n", #condition);                                           \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static const char TEXT[] = "\"\",\"day\",\"town\",\"a\",\"y\"\n"
                           "\"1\",2024-06-01,\"x\",1,1\n\"2\",2024-06-02,\"z\",NA,3\n"
                           "\"3\",2024-07-03,\"x\",4,2\n\"4\",2024-07-04,\"z\",2,4\n";
static const char NEW[] = "day,town,a\n2024-08-01,elsewhere,\n";

static int look_at_table(const rls2_table *table)
{
    MUST(rls2_table_note_count(table) > 0 && rls2_table_note(table, 0));
    MUST(rls2_table_row_names(table) != NULL);
    MUST(rls2_table_kind(table, rls2_table_find(table, "day")) == RLS2_COLUMN_DATES);
    MUST(rls2_table_kind(table, rls2_table_find(table, "a")) == RLS2_COLUMN_NUMBERS);
    return 0;
}

static int look_at_data(const rls2_dataset *data, const rls2_dataset *new_data)
{
    int64_t first;
    MUST(rls2_dataset_rows(data) == 4 && rls2_dataset_imputed(data) == 1);
    MUST(rls2_dataset_input_count(data) == 3);
    MUST(strcmp(rls2_dataset_input_name(data, 1), "town") == 0);
    MUST(rls2_dataset_input_kind(data, 1) == RLS2_COLUMN_TEXT);
    MUST(rls2_dataset_input_columns(data, 1, &first) == 2);
    MUST(rls2_dataset_unseen(new_data) == 1 && rls2_dataset_imputed(new_data) == 1);
    return 0;
}

int main(void)
{
    rls2_error err;
    rls2_table *table, *new_table;
    rls2_dataset_options options;
    rls2_dataset *data, *new_data;
    TRY(rls2_table_parse("text", TEXT, (int64_t)strlen(TEXT), NULL, &table, &err));
    TRY(rls2_table_parse("new", NEW, (int64_t)strlen(NEW), NULL, &new_table, &err));
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "y";
    options.missing = RLS2_MISSING_IMPUTE;
    TRY(rls2_dataset_create(table, &options, &data, &err));
    TRY(rls2_dataset_create_like(new_table, data, &new_data, &err));
    int failed = look_at_table(table) || look_at_data(data, new_data);
    rls2_dataset_free(new_data);
    rls2_dataset_free(data);
    rls2_table_free(new_table);
    rls2_table_free(table);
    return failed;
}
