rls2 path data/prostate.csv --target lpsa --drop train --kernels linear --quiet --json -o path.json
rls2 plot path.json --title "Prostate: coefficients along the path" -o path.svg
