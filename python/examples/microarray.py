# Eighty patients, four thousand genes
#
# Far more columns than rows, as in a study of gene expression: which of the genes distinguish three
# kinds of tumour? The data are synthetic, so the truth is known. This page was made by running
# `python/examples/microarray.py`.

# %%
# ## The data
#
# Twelve of the genes matter, four for each kind; the others are noise, and some of them are
# correlated with those that matter.
import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold, cross_val_score, train_test_split

import rls2

rng = np.random.default_rng(11)
patients, genes = 160, 4000
kind = rng.integers(0, 3, patients)
expression = rng.normal(size=(patients, genes))
for k in range(3):
    expression[:, 4 * k : 4 * k + 4] += 1.5 * (kind == k)[:, None]
for j in range(12):  # companions of the genes that matter
    expression[:, 12 + j] = 0.6 * expression[:, j] + 0.8 * rng.normal(size=patients)
X = pd.DataFrame(expression, columns=[f"gene_{j + 1:04}" for j in range(genes)])
y = np.array(["ALL", "AML", "MLL"])[kind]
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=80, stratify=y, random_state=0)
print(X_train.shape, pd.Series(y_train).value_counts().to_dict())

# %%
# ## Learn
#
# Above 200 columns the default dictionary is `linear`: one kernel for each column, which makes a
# sparse linear model. Each kind is learned against the others, with one lambda for all;
# `rule="1se"` takes the simplest model that is not clearly worse than the best.
model = rls2.RLS2ClassifierCV(cv=8, rule="1se", n_jobs=-1).fit(X_train, y_train)
print(f"{len(model.selected_)} of {len(model.kernel_names_)} kernels, lambda {model.alpha_:.3g}")
score = model.score(X_test, y_test)
print(f"left-out patients {model.best_score_:.3f} right, test patients {score:.3f}")

# %%
rls2.plot_cv(model)

# %%
# ## Which genes?
#
# `coef_` is in the units of the columns, one row for each kind. The twelve that matter are the
# first twelve.
coefficients = pd.DataFrame(model.coef_, index=model.classes_, columns=X.columns)
largest = coefficients.abs().max().sort_values(ascending=False).index[:12]
print(coefficients[largest].T.round(3).to_string())
truth = set(X.columns[:12])
found = truth & set(X.columns[model.selected_])
print(f"{len(truth & set(largest))} of the 12 largest matter; {len(found)} of all 12 are found")

# %%
rls2.plot_kernels(model, by="share", output="AML", top=8)

# %%
# ## Several sources at once
#
# Kernels need not be on single columns. Here the genes come in two groups, as if from two
# laboratories, and age is known as well: Gaussian kernels on each group and one on age compete, and
# the weights say how much each source is worth.
ages = rng.normal(60, 10, patients)
sources = X.assign(age=ages)
groups = {"known": list(X.columns[:24]), "rest": list(X.columns[24:])}
several = rls2.RLS2ClassifierCV(
    kernels=["rbf(1e-3:1e-1:3)@group:known", "rbf(1e-5:1e-3:3)@group:rest", "rbf(1e-3)@age"],
    groups=groups, cv=5, rule="1se",
)
several.fit(sources.loc[X_train.index], y_train)
names = several.kernel_names_
weights = pd.DataFrame(several.kernel_weights_, index=several.classes_, columns=names)
print(weights.T.round(3).to_string())
print(f"test patients {several.score(sources.loc[X_test.index], y_test):.3f} right")

# %%
# ## Precomputed kernels
#
# Similarities computed elsewhere (strings, graphs, images) are given as matrices over all patients.
# A `KernelStack` is sliced by rows like any other X, so cross-validation works as usual.
known, rest = expression[:, :24], expression[:, 24:]
stack = rls2.KernelStack({"known": known @ known.T / 24, "rest": rest @ rest.T / rest.shape[1]})
folds = StratifiedKFold(5, shuffle=True, random_state=0)
print(cross_val_score(rls2.RLS2ClassifierCV(cv=5, rule="1se"), stack, y, cv=folds).round(3))
