awk 'NR == 1 || NR % 3 != 0' data/heart.csv > train.csv
awk 'NR == 1 || NR % 3 == 0' data/heart.csv > new.csv
rls2 train train.csv --target class --loss logistic --kernels 'rbf(0.1|1)@each' --columns all \
    --plain --no-baselines --quiet -o heart.model
rls2 predict heart.model new.csv --probability --quiet -o probabilities.csv
head -n 4 probabilities.csv
