table = dlmread ("data/housing.csv", ",", 1, 0);
new = mod ((1:rows (table))' + 1, 4) == 0;
X = table(:, 1:13);
medv = table(:, 14);
model = rls2_train (X(! new, :), medv(! new), "kernels", "paper", "plain", true);
rls2_save (model, "housing.model");

model = rls2_load ("housing.model");
predicted = rls2_predict (model, X(new, :));
file = fopen ("predicted.csv", "w");
fprintf (file, "MEDV\n");
fprintf (file, "%.17g\n", predicted);
fclose (file);
printf ("%.4f\n", predicted(1:3));
