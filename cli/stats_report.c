/* What a file of statistics holds, as text and as JSON. */
#include "cli/stats_report.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/output.h"

/* The mark stands in the header. */
static int has_mark(const char *path, const char *mark)
{
    char start[64] = "";
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return 0;
    FILE *file = fopen(path, "rb");
    size_t there = file ? fread(start, 1, sizeof start - 1, file) : 0;
    if (file) fclose(file);
    /* the length of the header comes first, and has zeros */
    return there > 8 && strstr(start + 8, mark) != NULL;
}

int is_stats_file(const char *path)
{
    return has_mark(path, "\"format\":\"rls2-stats\"");
}

int is_profile_file(const char *path)
{
    return has_mark(path, "\"format\":\"rls2-profile\"");
}

/* ---- text ---- */

static void print_targets(FILE *file, const rls2_stats *stats)
{
    int64_t classes = rls2_stats_class_count(stats), count = rls2_stats_target_count(stats);
    for (int64_t o = 0; o < count; o++)
        print_names(file, "%s%s", o == 0 ? "target        " : ", ",
                    rls2_stats_target_name(stats, o));
    if (classes > 0)
        fprintf(file, ", %" PRId64 " classes\n", classes);
    else
        fputs(", regression\n", file);
    if (rls2_stats_weight_name(stats))
        print_names(file, "row weights   %s\n", rls2_stats_weight_name(stats));
}

static void print_rows(FILE *file, const rls2_stats *stats)
{
    int64_t left_out = rls2_stats_left_out(stats), parts = rls2_stats_parts(stats);
    fprintf(file, "counted       %s", count_of(rls2_stats_rows(stats), "row").text);
    if (left_out > 0)
        fprintf(file, ", and %" PRId64 " left out: a target or a weight is missing", left_out);
    if (parts > 0)
        fprintf(file, "\nparts         %" PRId64 ", seed %" PRIu64, parts, rls2_stats_seed(stats));
    fprintf(file, "\nsample        %s\n", count_of(rls2_stats_sample_rows(stats), "row").text);
    fprintf(file, "fingerprint   %016" PRIx64 "\n", rls2_stats_fingerprint(stats));
}

static void print_axes(const settings *s, FILE *file, const rls2_stats *stats)
{
    int64_t count = rls2_stats_axis_count(stats), shown = shown_of(s, count);
    fprintf(file, "\n%" PRId64 " %s that rows are binned on\n", count,
            count == 1 ? "axis" : "axes");
    for (int64_t a = 0; a < shown; a++)
        print_names(file, "  %6" PRId64 " knots%s    %s\n", rls2_stats_axis_points(stats, a),
                    rls2_stats_axis_is_exact(stats, a) ? ", exact" : "       ",
                    rls2_stats_axis_name(stats, a));
    show_rest(file, shown, count);
}

static void print_kernels(const settings *s, FILE *file, const rls2_stats *stats)
{
    int64_t count = rls2_stats_kernel_count(stats), shown = shown_of(s, count);
    if (count == 0) return;
    fprintf(file, "\n%s of several columns\n", count_of(count, "kernel").text);
    for (int64_t k = 0; k < shown; k++)
        print_names(file, "  %6" PRId64 " Nystroem points %s\n",
                    rls2_stats_kernel_landmarks(stats, k), rls2_stats_kernel_name(stats, k));
    show_rest(file, shown, count);
}

void stats_text(const settings *s, FILE *file, const rls2_stats *stats)
{
    print_targets(file, stats);
    print_rows(file, stats);
    print_axes(s, file, stats);
    print_kernels(s, file, stats);
}

/* ---- JSON ---- */

static void json_axes(json *j, const rls2_stats *stats)
{
    json_array(j, "axes");
    for (int64_t a = 0; a < rls2_stats_axis_count(stats); a++) {
        json_object(j, NULL);
        json_text(j, "column", rls2_stats_axis_name(stats, a));
        json_integer(j, "points", rls2_stats_axis_points(stats, a));
        json_truth(j, "exact", rls2_stats_axis_is_exact(stats, a));
        json_integer(j, "beyond", rls2_stats_axis_beyond(stats, a));
        json_end_object(j);
    }
    json_end_array(j);
}

static void json_features(json *j, const rls2_stats *stats)
{
    json_array(j, "kernels");
    for (int64_t k = 0; k < rls2_stats_kernel_count(stats); k++) {
        json_object(j, NULL);
        json_text(j, "kernel", rls2_stats_kernel_name(stats, k));
        json_integer(j, "landmarks", rls2_stats_kernel_landmarks(stats, k));
        json_end_object(j);
    }
    json_end_array(j);
}

void stats_json(json *j, const rls2_stats *stats)
{
    char fingerprint[20], seed[24];
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, rls2_stats_fingerprint(stats));
    snprintf(seed, sizeof seed, "%" PRIu64, rls2_stats_seed(stats));
    json_integer(j, "rows", rls2_stats_rows(stats));
    json_integer(j, "left_out", rls2_stats_left_out(stats));
    json_array(j, "targets");
    for (int64_t o = 0; o < rls2_stats_target_count(stats); o++)
        json_text(j, NULL, rls2_stats_target_name(stats, o));
    json_end_array(j);
    json_integer(j, "classes", rls2_stats_class_count(stats));
    json_text(j, "row_weights", rls2_stats_weight_name(stats));
    json_integer(j, "parts", rls2_stats_parts(stats));
    json_text(j, "seed", seed);
    json_text(j, "fingerprint", fingerprint);
    json_integer(j, "sample_rows", rls2_stats_sample_rows(stats));
    json_integer(j, "columns", rls2_stats_columns(stats));
    json_axes(j, stats);
    json_features(j, stats);
}

/* ---- show ---- */

int show_stats(const settings *s)
{
    rls2_error err;
    rls2_stats *stats = NULL;
    output out;
    if (rls2_stats_load(s->argument[0], &stats, &err) != RLS2_OK) return fail(s, &err);
    int code = output_open(s, NULL, &out);
    if (code == EXIT_OK && s->json) {
        json j = json_start(out.file);
        json_object(&j, NULL);
        stats_json(&j, stats);
        json_end_object(&j);
        json_finish(&j);
    } else if (code == EXIT_OK) {
        stats_text(s, out.file, stats);
    }
    if (code == EXIT_OK) code = output_close(s, &out, 1);
    rls2_stats_free(stats);
    return code;
}

/* ---- profiles ---- */

void profile_text(FILE *file, const rls2_profile *profile)
{
    int64_t left_out = rls2_profile_left_out(profile);
    fprintf(file, "profile of    %s", count_of(rls2_profile_rows(profile), "row").text);
    if (left_out > 0) fprintf(file, ", and %" PRId64 " left out", left_out);
    fprintf(file, "\ncolumns       %" PRId64 "\n", rls2_profile_columns(profile));
    fprintf(file, "fingerprint   %016" PRIx64 "\n", rls2_profile_fingerprint(profile));
}

void profile_json(json *j, const rls2_profile *profile)
{
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, rls2_profile_fingerprint(profile));
    json_integer(j, "rows", rls2_profile_rows(profile));
    json_integer(j, "left_out", rls2_profile_left_out(profile));
    json_text(j, "fingerprint", hash);
    json_array(j, "columns");
    for (int64_t c = 0; c < rls2_profile_columns(profile); c++)
        json_text(j, NULL, rls2_profile_column_name(profile, c));
    json_end_array(j);
}

int show_profile(const settings *s)
{
    rls2_error err;
    rls2_profile *profile = NULL;
    output out;
    if (rls2_profile_load(s->argument[0], &profile, &err) != RLS2_OK) return fail(s, &err);
    int code = output_open(s, NULL, &out);
    if (code == EXIT_OK && s->json) {
        json j = json_start(out.file);
        json_object(&j, NULL);
        profile_json(&j, profile);
        json_end_object(&j);
        json_finish(&j);
    } else if (code == EXIT_OK) {
        profile_text(out.file, profile);
    }
    if (code == EXIT_OK) code = output_close(s, &out, 1);
    rls2_profile_free(profile);
    return code;
}
