rls2 cv data/housing.csv --target MEDV --quiet --json -o curve.json
rls2 plot curve.json --title "Housing: error on left-out rows" -o curve.svg
