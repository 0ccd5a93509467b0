"""scikit-learn's own checks, for all four classes and several configurations, none left out."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from rls2 import RLS2Classifier, RLS2ClassifierCV, RLS2Regressor, RLS2RegressorCV

ESTIMATORS = [
    RLS2Regressor(),
    RLS2Classifier(),
    RLS2RegressorCV(),
    RLS2ClassifierCV(),
    RLS2Regressor(kernels="linear"),
    RLS2Classifier(kernels="linear"),
    RLS2RegressorCV(kernels="linear", cv=3),
    RLS2ClassifierCV(kernels="linear", cv=3),
    RLS2Regressor(kernels="rbf(0.01:10:4)@all,each", alpha=0.01, standardize=True),
    RLS2Classifier(kernels="rbf(0.01:10:4)@all", select="aic", class_weight="balanced"),
    RLS2RegressorCV(kernels="rbf(0.01:10:4)@all", select="bic", solver="alternate"),
    RLS2Regressor(kernels="linear", missing="error"),
    RLS2Classifier(kernels="linear", missing="impute", standardize=False),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_check(estimator, check):
    check(estimator)
