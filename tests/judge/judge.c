/* The judge of certificates: rls2_judge PROBLEMS [SEED [INDEX]]
 *
 * Fits random problems that are made to be hard and holds every gap, objective, scaling and
 * outcome the library tells against the truth computed from the data in long double. Each lie is
 * told with what is needed to see it again; with an INDEX that problem alone is judged, and
 * described. Ends with 1 where there was a lie. RLS2_JUDGE_VERBOSE=1 tells which problems are
 * refused, too. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/verdict.h"

static void judge_one(uint64_t seed, uint64_t index, int always, tally *all)
{
    hard_problem *problem = hard_problem_make(seed, index);
    if (always) describe_problem(problem, stdout);
    if (judge_problem(problem, all) > 0 && !always) describe_problem(problem, stdout);
    fflush(stdout);
    hard_problem_free(problem);
}

static void summarise(const tally *all)
{
    double worst = 0.0;
    for (int what = 0; what < CLAIMS; what++) {
        if (all->lies[what] == 0) continue;
        printf("%-10s %" PRId64 " lies, true over claimed up to %.3g\n", CLAIM_NAMES[what],
               all->lies[what], all->worst[what]);
        if (what <= CLAIM_MODEL && all->worst[what] > worst) worst = all->worst[what];
    }
    int64_t below = all->lies[CLAIM_GAP] + all->lies[CLAIM_CERTIFY] + all->lies[CLAIM_MODEL];
    printf("%" PRId64 " problems (%" PRId64 " refused), %" PRId64 " points (%" PRId64
           " certified, %" PRId64 " of unknown gap), %" PRId64
           " certificates below the true gap, worst ratio %.3g, %" PRId64 " other lies\n",
           all->problems, all->refused, all->points, all->certified, all->unknown, below, worst,
           lies_of(all) - below);
}

int main(int count, char **arguments)
{
    if (count < 2) {
        fprintf(stderr, "usage: rls2_judge PROBLEMS [SEED [INDEX]]\n");
        return 2;
    }
    uint64_t problems = strtoull(arguments[1], NULL, 10);
    uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    tally all = {.report = stdout};
    if (count > 3)
        judge_one(seed, strtoull(arguments[3], NULL, 10), 1, &all);
    else
        for (uint64_t i = 0; i < problems; i++) judge_one(seed, i, 0, &all);
    summarise(&all);
    return lies_of(&all) > 0;
}
