table = dlmread ("data/heart.csv", ",", 1, 0);
new = mod ((1:rows (table))' + 1, 3) == 0;
X = table(:, 1:13);
class = cellstr (num2str (table(:, 14)));
model = rls2_train (X(! new, :), class(! new), "loss", "logistic", ...
                    "kernels", "rbf(0.1|1)@each", "plain", true);
[predicted, more] = rls2_predict (model, X(new, :));
p = more.probabilities;
file = fopen ("predicted.csv", "w");
fprintf (file, "1,2\n");
fprintf (file, "%.17g,%.17g\n", p');
fclose (file);
printf ("%.4f %.4f\n", p(1:3, :)');
happened = p(sub2ind (size (p), (1:rows (p))', table(new, 14)));
printf ("log loss %.4f\n", -mean (log (happened)));
