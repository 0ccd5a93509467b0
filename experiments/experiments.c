/* The list of the experiments, in the order of the help. */
#include "experiments/experiment.h"

static const experiment EXPERIMENTS[] = {
    {"binary-strings", NULL, "learning curves on strings of bits of which few matter (section 5.1)",
     experiment_binary_strings},
    {"prostate", NULL, "which measurements tell of prostate cancer (section 5.1)",
     experiment_prostate},
    {"uci", "uci-alternate", "ten benchmark sets, their tables and paths (section 5.2)",
     experiment_uci},
    {"cancers", NULL, "14 kinds of cancer told apart by their genes (section 5.3)",
     experiment_cancers},
};

const experiment *experiments(int *count)
{
    *count = sizeof EXPERIMENTS / sizeof EXPERIMENTS[0];
    return EXPERIMENTS;
}
