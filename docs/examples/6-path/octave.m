table = dlmread ("data/prostate.csv", ",", 1, 0);
names = {"lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"};
result = rls2_path (table(:, 1:8), table(:, 9), "names", names, "kernels", "linear");
figure ("visible", "off");
rls2_plot (result);
title ("Prostate: coefficients along the path");
print ("path.svg", "-dsvg");
printf ("largest relative gap %.2g\n", max (result.path.gap));
