"""scikit-learn's own checks, for all four classes, several configurations and every loss. None is
left out; those that are expected to fail have a reason.
"""

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
    RLS2Regressor(intercept="free"),
    RLS2Classifier(loss="logistic"),
    RLS2Classifier(probability=True, kernels="linear"),
    RLS2ClassifierCV(loss="logistic", kernels="linear", cv=3),
    RLS2Classifier(loss="hinge", kernels="linear", alphas=[0.1, 0.01], gap_tol=1e-10),
    RLS2Classifier(loss="squared-hinge", kernels="rbf(0.01:10:4)@all", alphas=[0.1, 0.01]),
    RLS2Regressor(loss="quantile(0.5)", kernels="rbf(0.01:10:4)@all", alpha=0.01, gap_tol=1e-10),
    RLS2Regressor(loss=("epsilon", 0.1), kernels="rbf(0.01:10:4)@all", alpha=0.01, gap_tol=1e-10),
    RLS2Regressor(loss="absolute", kernels="rbf(0.01:10:4)@all", alpha=0.01, gap_tol=1e-10),
    RLS2Regressor(loss="huber(1)", alpha=0.01),
    RLS2Regressor(loss="huber(1)", kernels="linear"),
    RLS2Regressor(loss="poisson"),
]

FOLDS = "alpha is chosen by folds, and rows that are repeated are in several of them"


def expected_failures(estimator):
    if estimator.loss == "poisson":
        return {"check_regressor_multioutput": "its y is negative, whatever the tags say"}
    if estimator.loss == "huber(1)" and estimator.alpha is None:
        kinds = ("dense", "sparse")
        return {f"check_sample_weight_equivalence_on_{kind}_data": FOLDS for kind in kinds}
    return {}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_check(estimator, check):
    check(estimator)
