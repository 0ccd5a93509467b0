import pandas as pd
from rls2 import RLS2RegressorCV, load

table = pd.read_csv("data/housing.csv")
X, y = table.drop(columns="MEDV"), table["MEDV"]
new = (table.index + 2) % 4 == 0
RLS2RegressorCV(kernels="paper", plain=True).fit(X[~new], y[~new]).save("housing.model")

model = load("housing.model")
predicted = pd.DataFrame({"MEDV": model.predict(X[new])})
predicted.to_csv("predicted.csv", index=False)
print(predicted.head(3))
