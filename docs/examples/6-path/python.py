import pandas as pd
from matplotlib import pyplot
from rls2 import RLS2Regressor, plot_path

table = pd.read_csv("data/prostate.csv").drop(columns="train")
model = RLS2Regressor(kernels="linear").fit(table.drop(columns="lpsa"), table["lpsa"])
plot_path(model, what="coef")
pyplot.title("Prostate: coefficients along the path")
pyplot.savefig("path.svg", bbox_inches="tight")
