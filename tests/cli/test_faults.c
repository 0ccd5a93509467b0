/* Faults that were seen from the outside once, each with the smallest command that showed it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/command.h"

#define SERVO_MODEL "train data/servo.csv -t rise_time -k 'rbf(1)' --lambda 1 -q -o $T/servo.model"

static void train__of_two_classes__has_a_blank_before_the_accuracy(void **state)
{
    (void)state;
    char *out = rls2_out("train data/heart.csv -t class --standardize -k linear --lambda 0.1 -q");
    if (!strstr(out, " accuracy\n")) fail_msg("%s", out);
    free(out);
}

/* ---- Ctrl-C ---- */

static void pause_ms(long milliseconds)
{
    struct timespec time = {0, 1000000L * milliseconds};
    nanosleep(&time, NULL);
}

/* `rls2 predict MODEL - -o FILE` with some lines in its pipe, which stays open. */
static pid_t start_waiting(int *to)
{
    static const char LINES[] = "motor,screw,pgain,vgain,rise_time\nA,B,5,4,0.5\n";
    int ends[2], unread = 1;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[0], STDIN_FILENO);
        close(ends[1]);
        execl(getenv("RLS2"), "rls2", "predict", in_folder("servo.model"), "-", "-o",
              in_folder("out.csv"), (char *)NULL);
        _exit(127);
    }
    *to = ends[1];
    assert_int_equal(write(*to, LINES, sizeof LINES - 1), sizeof LINES - 1);
    while (unread > 0) { /* until it has taken them and waits for more */
        assert_int_equal(ioctl(ends[0], FIONREAD, &unread), 0);
        pause_ms(10);
    }
    close(ends[0]);
    return child;
}

static void predict__ctrl_c_while_it_waits_for_rows__ends_it(void **state)
{
    (void)state;
    int to, status, ended = 0;
    free(rls2_out(SERVO_MODEL));
    pid_t child = start_waiting(&to);
    pause_ms(100);
    kill(child, SIGINT);
    for (int i = 0; i < 500 && !ended; i++) {
        ended = waitpid(child, &status, WNOHANG) == child;
        pause_ms(10);
    }
    if (!ended) kill(child, SIGKILL);
    if (!ended) waitpid(child, &status, 0);
    close(to);
    assert_true(ended);
    printed left = shell("ls -A $T | grep -F out.csv");
    assert_string_equal(left.out, "");
    printed_free(&left);
    assert_true((WIFEXITED(status) && WEXITSTATUS(status) == 130) ||
                (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT));
}

/* ---- files ---- */

/* As rls2 path -o and rls2 predict -o do. */
static void train__over_a_private_file__keeps_it_private(void **state)
{
    (void)state;
    struct stat about;
    free(rls2_out(SERVO_MODEL));
    assert_int_equal(chmod(in_folder("servo.model"), 0600), 0);
    free(rls2_out(SERVO_MODEL));
    assert_int_equal(stat(in_folder("servo.model"), &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
}

static void train__over_a_link__replaces_what_it_points_to(void **state)
{
    (void)state;
    struct stat about;
    printed made =
        shell("rm -f $T/servo.model; echo old >$T/real.model; ln -s real.model $T/servo.model");
    printed_free(&made);
    free(rls2_out(SERVO_MODEL));
    assert_int_equal(lstat(in_folder("servo.model"), &about), 0);
    int is_link = S_ISLNK(about.st_mode);
    unlink(in_folder("servo.model"));
    assert_true(is_link);
}

/* ---- messages ---- */

/* Rows are predicted in pieces of 4096: line 5001 is row 904 of the second. */
static void predict__row_too_far_out__is_named_by_file_and_line(void **state)
{
    (void)state;
    printed made = shell(
        "\"$RLS2\" train data/prostate.csv -t lpsa --drop train -k 'poly(3)' --lambda 0.1 -q -o "
        "$T/poly.model; { cat data/prostate.csv; for i in $(seq 60); do tail -n +2 "
        "data/prostate.csv; done; } | sed '5001s/^[^,]*/1e200/' >$T/far.csv");
    assert_int_equal(made.code, 0);
    printed_free(&made);
    printed it = rls2_run("predict $T/poly.model $T/far.csv -q >/dev/null");
    assert_int_equal(it.code, 1);
    if (!strstr(it.err, "far.csv:5001:")) fail_msg("%s", it.err);
    printed_free(&it);
}

static void path__test_rows_of_no_column__names_the_column_alone(void **state)
{
    (void)state;
    printed it = rls2_run("path data/prostate.csv -t lpsa --test-rows trian=F -q");
    if (!strstr(it.err, "there is no column 'trian'")) fail_msg("%s", it.err);
    printed_free(&it);
}

/* --lambda refuses these. */
static void path__lambdas_in_hexadecimal__are_refused(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"0x10", "0x1p4:100:2", "' 1'", "'1:10: 3'"};
    for (int i = 0; i < 4; i++) {
        printed it =
            rls2_run("path data/servo.csv -t rise_time -k linear -q --lambdas %s", TEXTS[i]);
        if (it.code != 2) fail_msg("--lambdas %s was taken", TEXTS[i]);
        printed_free(&it);
    }
}

/* ---- numbers ---- */

/* show takes the residuals for lambda c, which holds at the solution alone. */
static void show__of_the_alternate_solver__claims_no_score(void **state)
{
    (void)state;
    json_t *trained =
        rls2_json("train data/prostate.csv -t lpsa --drop train --standardize --lambda 0.1 "
                  "--solver alternate -q --json -o $T/alternate.model");
    json_t *shown = rls2_json("show $T/alternate.model --json");
    assert_true(json_is_null(at(shown, "train.rmse")));
    json_decref(trained);
    json_decref(shown);
}

/* The paper standardises over all rows and takes the traces over the training rows. */
static void path__prostate_transductive__gives_the_papers_column(void **state)
{
    (void)state;
    static const char *const EXPECTED[][2] = {
        {"lcavol", "0.544"}, {"lweight", "0.207"}, {"age", "0.000"},     {"lbph", "0.104"},
        {"svi", "0.170"},    {"lcp", "0.000"},     {"gleason", "0.000"}, {"pgg45", "0.064"}};
    json_t *root = rls2_json(
        "path data/prostate.csv -t lpsa --test-rows train=F --standardize --transductive-features "
        "-k linear --lambda 0.08859 -q --json");
    for (int j = 0; j < 8; j++) {
        char text[32];
        snprintf(text, sizeof text, "%.3f",
                 number_at(at(root, "path.0.coefficients"), EXPECTED[j][0]));
        if (strcmp(text, EXPECTED[j][1]) != 0)
            fail_msg("%s: %s, not %s", EXPECTED[j][0], text, EXPECTED[j][1]);
    }
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(train__of_two_classes__has_a_blank_before_the_accuracy),
        cmocka_unit_test(predict__ctrl_c_while_it_waits_for_rows__ends_it),
        cmocka_unit_test(train__over_a_private_file__keeps_it_private),
        cmocka_unit_test(train__over_a_link__replaces_what_it_points_to),
        cmocka_unit_test(predict__row_too_far_out__is_named_by_file_and_line),
        cmocka_unit_test(path__test_rows_of_no_column__names_the_column_alone),
        cmocka_unit_test(path__lambdas_in_hexadecimal__are_refused),
        cmocka_unit_test(show__of_the_alternate_solver__claims_no_score),
        cmocka_unit_test(path__prostate_transductive__gives_the_papers_column),
    };
    return cmocka_run_group_tests_name("cli.faults", tests, folder_make, folder_remove);
}
