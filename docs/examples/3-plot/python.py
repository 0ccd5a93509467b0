import pandas as pd
from matplotlib import pyplot
from rls2 import RLS2RegressorCV, plot_cv

table = pd.read_csv("data/housing.csv")
model = RLS2RegressorCV().fit(table.drop(columns="MEDV"), table["MEDV"])
plot_cv(model)
pyplot.title("Housing: error on left-out rows")
pyplot.savefig("curve.svg")
