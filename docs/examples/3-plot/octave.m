table = dlmread ("data/housing.csv", ",", 1, 0);
model = rls2_train (table(:, 1:13), table(:, 14));
figure ("visible", "off");
rls2_plot (model, "cv");
title ("Housing: error on left-out rows");
print ("curve.svg", "-dsvg");
