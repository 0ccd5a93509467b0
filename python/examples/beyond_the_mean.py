# Beyond the mean
#
# The same 506 districts of Boston as in [what makes a house expensive?](house-prices.md), and other
# questions about them: how probable is it that houses are dear, between which values do they lie,
# and what if some of the prices are wrong? This page was made by running
# `python/examples/beyond_the_mean.py`; below the code is what it prints and draws.

# %%
# ## How probable is it?
#
# A sixth of the districts has a median value above 30,000 dollars. `probability=True` learns the
# probability of that (the loss is then logistic), and lambda is the one whose probabilities are
# best on left-out rows, by log-loss.
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

import rls2

houses = pd.read_csv(Path("data") / "housing.csv")
X, y = houses.drop(columns="MEDV"), houses["MEDV"]
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
dear_train, dear_test = y_train > 30, y_test > 30

classifier = rls2.RLS2ClassifierCV(probability=True, rule="1se", n_jobs=-1)
classifier.fit(X_train, dear_train)
p = classifier.predict_proba(X_test)[:, 1]

share = np.full(len(p), dear_train.mean())
print(f"log-loss {log_loss(dear_test, p):.2f}; of the share alone {log_loss(dear_test, share):.2f}")
print(f"Brier score {brier_score_loss(dear_test, p):.3f}, AUC {roc_auc_score(dear_test, p):.2f}")
print(f"expected {p.sum():.0f} dear districts of {len(p)}, and there are {dear_test.sum()}")

# %%
# ## Between which values?
#
# `quantile(0.1)` and `quantile(0.9)` are learned like a mean, each with its own kernels. Eight
# districts in ten should lie between them; how far they are apart depends on the row, which a
# standard deviation that is the same everywhere could not say.
from matplotlib import pyplot

kernels = "rbf(0.01|0.1|1)@all; linear@each"
low, middle, high = (
    rls2.RLS2RegressorCV(loss=("quantile", level), kernels=kernels, rule="1se", cv=5, n_jobs=-1)
    .fit(X_train, y_train)
    .predict(X_test)
    for level in (0.1, 0.5, 0.9)
)
print(f"below the first {np.mean(y_test < low):.0%}, above the last {np.mean(y_test > high):.0%}")

order = np.argsort(middle)
figure, axes = pyplot.subplots(figsize=(7, 3.5), layout="constrained")
place = np.arange(len(order))
axes.fill_between(place, low[order], high[order], alpha=0.3, label="quantiles 0.1 to 0.9")
axes.plot(place, middle[order], label="median")
axes.plot(place, y_test.to_numpy()[order], ".", color="black", markersize=3, label="value")
axes.set(xlabel="district of the test rows", ylabel="value of a house, 1000 $")
axes.legend()

# %%
# ## What if some are wrong?
#
# In twelve rows somebody has written dollars instead of thousands. The square loss follows them;
# `huber(3)` counts errors beyond 3 (thousand dollars) by their size, not by its square.
wrong = y_train.copy()
wrong.iloc[::32] *= 1000
for loss in ("square", "huber(3)"):
    model = rls2.RLS2RegressorCV(loss=loss, kernels=kernels, scoring="mae", cv=5, n_jobs=-1)
    model.fit(X_train, wrong)
    print(f"{loss:9} mean absolute error {np.abs(model.predict(X_test) - y_test).mean():.1f}")
