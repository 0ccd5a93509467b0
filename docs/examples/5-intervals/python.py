import pandas as pd
from rls2 import RLS2RegressorCV

table = pd.read_csv("data/housing.csv")
X, y = table.drop(columns="MEDV"), table["MEDV"]
new = (table.index + 2) % 4 == 0
model = RLS2RegressorCV(interval=0.9).fit(X[~new], y[~new])
predicted, lower, upper = model.predict(X[new], return_interval=True)
inside = ((lower <= y[new]) & (y[new] <= upper)).mean()
print(f"first: {predicted[0]:.2f}, between {lower[0]:.2f} and {upper[0]:.2f}")
print(f"{inside:.0%} of the {len(predicted)} new rows fall into their intervals")
