import pandas as pd
from rls2 import RLS2RegressorCV

table = pd.read_csv("data/prostate.csv").drop(columns="train")
model = RLS2RegressorCV(kernels="linear", plain=True)
model.fit(table.drop(columns="lpsa"), table["lpsa"])
print(f"lambda {model.alpha_:.4g}, gap {model.dual_gap_:.1e}")
for name, value in zip(model.coef_names_, model.coef_):
    print(f"{name:8} {value:8.4f}")
