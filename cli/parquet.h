/* Parquet and Feather files, which Python's pyarrow reads. */
#ifndef RLS2_CLI_PARQUET_H
#define RLS2_CLI_PARQUET_H

/* The program and its arguments, for rls2_plan_set_converter; static. */
const char *const *parquet_converter(void);

#endif
