awk 'NR == 1 || NR % 4 != 0' data/housing.csv > train.csv
awk 'NR == 1 || NR % 4 == 0' data/housing.csv > new.csv
rls2 train train.csv --target MEDV --kernels paper --columns all --plain --no-baselines \
    --quiet -o housing.model
rls2 predict housing.model new.csv --quiet -o predicted.csv
head -n 4 predicted.csv
