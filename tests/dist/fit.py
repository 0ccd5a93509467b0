"""The installed Python package: fits, predicts, and is held against least squares by NumPy."""

import sys

import numpy as np
import sklearn
import rls2
from rls2 import RLS2Classifier, RLS2Regressor, RLS2RegressorCV

rng = np.random.default_rng(0)
X = rng.normal(size=(120, 3))
y = X @ [2.0, -1.0, 0.5] + 3.0 + 0.01 * rng.normal(size=120)

A = np.column_stack([np.ones(120), X])
expected = A @ np.linalg.lstsq(A, y, rcond=None)[0]
model = RLS2RegressorCV(kernels="linear", plain=True).fit(X, y)
np.testing.assert_allclose(model.predict(X), expected, atol=0.1)
assert model.dual_gap_ < 1e-6, model.dual_gap_
assert RLS2Classifier().fit(X, y > 3).score(X, y > 3) > 0.9
model = RLS2Regressor().fit(X, y)
model.save("model.rls2")
np.testing.assert_array_equal(rls2.load("model.rls2").predict(X), model.predict(X))
print(f"rls2 {rls2.__version__} fits on Python {sys.version.split()[0]}, NumPy {np.__version__},",
      f"scikit-learn {sklearn.__version__}, in {rls2.__file__}")
