# What makes a house expensive?
#
# 506 districts of Boston, 13 numbers each, and the median value of a house there in thousands of
# dollars. This page was made by running `python/examples/house_prices.py`; below the code is what
# it prints and draws.

# %%
# ## Learn
#
# A quarter of the districts is held out for testing. Columns have different units, so they are
# standardised, inside the estimator: means and deviations are then learned from the training rows
# of each fold, as they should be. Lambda is chosen by ten-fold cross-validation.
from pathlib import Path

import pandas as pd
from sklearn.model_selection import train_test_split

import rls2

houses = pd.read_csv(Path("data") / "housing.csv")
X, y = houses.drop(columns="MEDV"), houses["MEDV"]
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)

model = rls2.RLS2RegressorCV(interval=0.95, baselines=True, n_jobs=-1)
model.fit(X_train, y_train)

print(f"lambda        {model.alpha_:.4g}")
print(f"kernels       {len(model.selected_)} of {len(model.kernel_names_)}")
print(f"left-out rows {model.best_score_:.3f} rmse")
rmse = ((model.predict(X_test) - y_test) ** 2).mean() ** 0.5
print(f"test rows     {rmse:.3f} rmse, R2 {model.score(X_test, y_test):.3f}")

# %%
# `baselines=True` scores baselines on the same folds: averages of all kernels, the one best aligned
# with y, ridge regression. Here an average of all kernels predicts about as well as the few
# that were selected, but it does not say which of them matter.
for name, score in model.baselines_.items():
    print(f"{name:20} {score['mean_test_score']:.3f} rmse")

# %%
# The whole curve, with one standard error on either side. `rule="1se"` would have taken the other
# dashed line: the largest lambda, and so the simplest model, that is not clearly worse.
rls2.plot_cv(model)

# %%
# ## Look inside
#
# The kernels that were selected, by the share of the variance of left-out rows they explain.
# `LSTAT` is the share of poorer residents, `RM` the number of rooms, `NOX` the air.
rls2.plot_kernels(model, top=10)

# %%
# How they come in as the regularisation is relaxed:
rls2.plot_path(model)

# %%
# Single districts: the mean of the training rows, and what each kernel adds to it or subtracts from
# it. The columns sum to the prediction.
model.set_output(transform="pandas")
parts = model.predict_contributions(X_test[:3])
largest = parts.abs().max().sort_values(ascending=False).index[:6]
print(f"mean {model.offset_:.2f}")
print(parts[largest].T.round(2).to_string())
print("prediction", model.predict(X_test[:3]).round(2))

# %%
# ## Trust it
#
# The solution carries a proof of how close to the optimum it is. `certify` recomputes it from the
# data and nothing else:
certificate = model.certify(X_train, y_train)
print(f"objective reached    {certificate.primal:.8g}")
print(f"no solution is below {certificate.dual:.8g}")
print(f"{model.outcome_}, relative gap below 1e-6: {certificate.relative_gap < 1e-6}")

# %%
# Intervals that should hold 95 % of new districts, calibrated on the rows that splits left out.
_, lower, upper = model.predict(X_test, return_interval=True)
inside = (lower <= y_test) & (y_test <= upper)
print(f"{100 * inside.mean():.0f} % of the test rows lie within their interval")

# %%
# ## Keep it
#
# The command reads and writes the same file: `rls2 show prices.model`,
# `rls2 predict prices.model new.csv`.
import tempfile

file = Path(tempfile.mkdtemp()) / "prices.model"
model.save(file)
again = rls2.load(file)
print(f"{type(again).__name__}, {len(again.selected_)} kernels, lambda {again.alpha_:.4g}")
print("same predictions:", (again.predict(X_test) == model.predict(X_test)).all())
