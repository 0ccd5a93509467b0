rls2 cv data/prostate.csv --target lpsa --drop train --kernels linear
