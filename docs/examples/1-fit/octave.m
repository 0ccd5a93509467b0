table = dlmread ("data/prostate.csv", ",", 1, 0);
names = {"lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"};
X = table(:, 1:8);
lpsa = table(:, 9);
model = rls2_train (X, lpsa, "names", names, "target", "lpsa", "kernels", "linear");
rls2_show (model)
for j = 1:8
  printf ("%-8s %8.4f\n", names{j}, model.coefficients(j));
end
