table = dlmread ("data/housing.csv", ",", 1, 0);
new = mod ((1:rows (table))' + 1, 4) == 0;
X = table(:, 1:13);
medv = table(:, 14);
model = rls2_train (X(! new, :), medv(! new), "interval", 0.9);
[predicted, more] = rls2_predict (model, X(new, :));
printf ("first: %.2f, between %.2f and %.2f\n", predicted(1), more.lower(1), more.upper(1));
inside = mean (more.lower <= medv(new) & medv(new) <= more.upper);
printf ("%.0f %% of the %d new rows fall into their intervals\n", 100 * inside, sum (new));
