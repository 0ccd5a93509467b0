"""The same bits as the command: what `rls2 path`, `train`, `cv` and `predict` print and save,
number for number.
"""

import csv
import io

import numpy as np
import pandas as pd
import polars as pl
import pytest
from command import DATA

import rls2

HOUSING = [DATA / "housing.csv", "--target", "MEDV"]


def column(text: str, name: str) -> list[str]:
    """A column of what `rls2 predict` writes."""
    return [row[name] for row in csv.DictReader(io.StringIO(text))]


def numbers(text: str, name: str) -> np.ndarray:
    return np.array([float(cell) for cell in column(text, name)])


def selected(estimator) -> list[tuple[str, float]]:
    return [(estimator.kernel_names_[k], estimator.kernel_weights_[k]) for k in estimator.selected_]


def same_point(point: dict, estimator) -> None:
    assert point["lambda"] == estimator.alpha_
    assert point["objective"] == estimator.objective_
    assert point["gap"] == estimator.dual_gap_
    assert point["df"] == estimator.df_
    assert point["intercept"] == estimator.offset_
    assert point["iterations"] == estimator.n_iter_
    assert [(s["kernel"], s["weight"]) for s in point["selected"]] == selected(estimator)


def test_path_has_the_bits_of_the_command(command_json, housing):
    theirs = command_json("path", *HOUSING, "--standardize")
    ours = rls2.rls2_path(*housing, standardize=True, n_jobs=2)
    assert ours.alphas.tolist() == [p["lambda"] for p in theirs["path"]]
    assert ours.objectives.tolist() == [p["objective"] for p in theirs["path"]]
    assert ours.gaps.tolist() == [p["gap"] for p in theirs["path"]]
    assert ours.df.tolist() == [p["df"] for p in theirs["path"]]
    for i, point in enumerate(theirs["path"]):
        weights = {s["kernel"]: s["weight"] for s in point["selected"]}
        assert weights == {ours.kernel_names[k]: w for k, w in enumerate(ours.weights[i]) if w > 0}


def test_linear_path_has_the_coefficients_of_the_command(command_json, prostate):
    theirs = command_json(
        "path", DATA / "prostate.csv", "-t", "lpsa", "--drop", "train", "-k", "linear"
    )
    ours = rls2.rls2_path(*prostate, kernels="linear")
    for i, point in enumerate(theirs["path"]):
        assert ours.coef[i].tolist() == list(point["coefficients"].values())


def test_train_with_cross_validation_has_the_bits_of_the_command(
    command_json, command, housing, tmp_path
):
    file = tmp_path / "theirs.model"
    options = [
        "--standardize",
        "-k",
        "rbf(1e-3:10:6)@all,each",
        "--folds",
        "5",
        "--seed",
        "3",
        "--rule",
        "1se",
    ]
    theirs = command_json("train", *HOUSING, *options, "-o", file)
    ours = rls2.RLS2RegressorCV(
        standardize=True,
        kernels="rbf(1e-3:10:6)@all,each",
        cv=5,
        random_state=3,
        rule="1se",
        baselines=True,
        n_jobs=2,
    ).fit(*housing)
    same_point(theirs["path"][0], ours)
    assert theirs["cv"]["lambda.min"] == ours.alpha_min_
    assert theirs["cv"]["lambda.1se"] == ours.alpha_1se_
    assert theirs["cv"]["cvm"] == ours.best_score_
    assert {b["cvm"] for b in theirs["cv"]["baselines"].values()} == {
        b["mean_test_score"] for b in ours.baselines_.values()
    }
    predicted = command("predict", file, DATA / "housing.csv", "--std", "--contributions")
    values, deviations = ours.predict(housing[0], return_std=True)
    assert numbers(predicted, "prediction").tolist() == values.tolist()
    np.testing.assert_allclose(deviations, numbers(predicted, "std"), rtol=1e-12)
    _, observed = ours.predict(housing[0], return_std="observation")
    np.testing.assert_allclose(observed, numbers(predicted, "std_observation"), rtol=1e-12)
    contributions = ours.predict_contributions(housing[0])
    for place, name in enumerate(ours.contribution_names_):
        assert numbers(predicted, name).tolist() == contributions[:, place].tolist()


def test_curve_has_the_bits_of_the_command(command_json):
    frame = pd.read_csv(DATA / "heart.csv")
    theirs = command_json(
        "cv",
        DATA / "heart.csv",
        "-t",
        "class",
        "--standardize",
        "-k",
        "rbf(0.01:1:3)@all",
        "--measure",
        "auc",
    )
    ours = rls2.RLS2ClassifierCV(standardize=True, kernels="rbf(0.01:1:3)@all", scoring="auc")
    ours.fit(frame.drop(columns="class"), frame["class"])
    assert ours.cv_results_["alphas"].tolist() == theirs["lambda"]
    assert ours.cv_results_["mean_test_score"].tolist() == theirs["cvm"]
    assert ours.cv_results_["std_error"].tolist() == theirs["cvsd"]
    assert ours.cv_results_["n_kernels"].tolist() == theirs["nzero"]


@pytest.mark.parametrize("frames", ["pandas", "polars"])
def test_frames_with_text_train_as_the_command_on_the_file(command, command_json, tmp_path, frames):
    file = tmp_path / "theirs.model"
    point = command_json(
        "train", DATA / "servo.csv", "-t", "rise_time", "--lambda", "0.01", "-o", file
    )["path"][0]
    frame = (
        pd.read_csv(DATA / "servo.csv") if frames == "pandas" else pl.read_csv(DATA / "servo.csv")
    )
    y = frame["rise_time"]
    X = frame.drop(columns="rise_time") if frames == "pandas" else frame.drop("rise_time")
    ours = rls2.RLS2Regressor(alpha=0.01).fit(X, y)
    same_point(point, ours)
    assert (
        numbers(command("predict", file, DATA / "servo.csv"), "prediction").tolist()
        == ours.predict(X).tolist()
    )


@pytest.mark.parametrize("target, drop", [("selector", []), ("class", [])])
def test_two_classes_predict_as_the_command(command, tmp_path, target, drop):
    name = {"selector": "liver", "class": "ionosphere"}[target]
    frame = pd.read_csv(DATA / f"{name}.csv")
    file = tmp_path / "theirs.model"
    command(
        "train",
        DATA / f"{name}.csv",
        "-t",
        target,
        "--task",
        "classification",
        "--lambda",
        "0.05",
        "--quiet",
        "-o",
        file,
    )
    ours = rls2.RLS2Classifier(alpha=0.05).fit(frame.drop(columns=target), frame[target])
    predicted = command("predict", file, DATA / f"{name}.csv", "--quiet")
    assert (
        numbers(predicted, "score").tolist()
        == ours.decision_function(frame.drop(columns=target)).tolist()
    )
    assert column(predicted, "prediction") == [
        str(label) for label in ours.predict(frame.drop(columns=target))
    ]


def test_several_classes_and_weights_train_as_the_command(
    command_json, command, three_classes, tmp_path
):
    X, y = three_classes
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["kind"] = np.array(["red", "green", "blue"])[y]
    frame["w"] = np.random.default_rng(0).integers(0, 3, len(y))
    data, file = tmp_path / "three.csv", tmp_path / "three.model"
    frame.to_csv(data, index=False)
    options = [
        "-k",
        "rbf(0.1:1:2)@all,each",
        "--weights",
        "w",
        "--class-weights",
        "red=2",
        "--scaling",
        "fisher",
    ]
    theirs = command_json("train", data, "-t", "kind", "--lambda", "0.1", *options, "-o", file)
    ours = rls2.RLS2Classifier(
        alpha=0.1, kernels="rbf(0.1:1:2)@all,each", class_weight={"red": 2}, scaling="fisher"
    )
    ours.fit(frame[["a", "b", "c"]], frame["kind"], sample_weight=frame["w"])
    for o, output in enumerate(theirs["path"][0]["outputs"]):
        assert output["name"] == ours.classes_[o]
        assert output["gap"] == ours.dual_gap_[o]
        assert output["objective"] == ours.objective_[o]
    predicted = command("predict", file, data, "--quiet")
    assert column(predicted, "prediction") == ours.predict(frame[["a", "b", "c"]]).tolist()
    scores = ours.decision_function(frame[["a", "b", "c"]])
    for o, label in enumerate(ours.classes_):
        assert numbers(predicted, f"score_{label}").tolist() == scores[:, o].tolist()


def test_several_targets_train_as_the_command(command_json, smooth, tmp_path):
    X, y = smooth
    frame = pd.DataFrame(X, columns=list("abcd")).assign(u=y, v=np.cos(X[:, 1]))
    frame.to_csv(tmp_path / "two.csv", index=False)
    theirs = command_json("train", tmp_path / "two.csv", "-t", "u", "-t", "v", "--select", "bic")
    ours = rls2.RLS2Regressor(select="bic").fit(frame[list("abcd")], frame[["u", "v"]])
    assert theirs["path"][0]["lambda"] == ours.alpha_
    for o, output in enumerate(theirs["path"][0]["outputs"]):
        assert output["objective"] == ours.objective_[o]


@pytest.mark.parametrize("solver", ["newton", "alternate"])
def test_a_model_is_the_point_of_the_path_that_was_scored(command, housing, tmp_path, solver):
    theirs, ours = tmp_path / "theirs.model", tmp_path / "ours.model"
    how = {"standardize": True, "kernels": "rbf(0.01:1:3)@each", "solver": solver}
    options = [
        "--standardize",
        "-k",
        how["kernels"],
        "--solver",
        solver,
        "-q",
        "-o",
        theirs,
    ]
    grid = ["--lambdas", "1e-4:10:8"]
    command("train", *HOUSING, *options, *grid, "--folds", "3")
    chosen = rls2.RLS2RegressorCV(alphas="1e-4:10:8", cv=3, **how).fit(*housing)
    chosen.save(ours)
    assert theirs.read_bytes() == ours.read_bytes()
    index = chosen.alphas_.tolist().index(chosen.alpha_)
    assert 0 < index and chosen.path_.objectives[index] == chosen.objective_
    whole = rls2.rls2_path(*housing, alphas="1e-4:10:8", **how)
    assert whole.dual_coef[index].tolist() == chosen.dual_coef_.tolist()
    command("train", *HOUSING, *options, *grid, "--lambda", repr(float(chosen.alphas_[3])))
    rls2.RLS2Regressor(alpha=float(f"{chosen.alphas_[3]:.6g}"), alphas="1e-4:10:8", **how).fit(
        *housing
    ).save(ours)
    assert theirs.read_bytes() == ours.read_bytes()


def test_alpha_between_alphas_is_put_into_its_place(housing):
    model = rls2.RLS2Regressor(alpha=0.5, alphas=[0.1, 10.0, 1.0], kernels="linear").fit(*housing)
    assert model.alphas_.tolist() == [10.0, 1.0, 0.5] and model.alpha_ == 0.5


@pytest.mark.parametrize("criterion", ["gcv", "cp", "aic", "bic", "loo"])
def test_criteria_choose_as_the_command(command_json, prostate, criterion):
    options = ["-t", "lpsa", "--drop", "train", "--standardize", "--select", criterion]
    theirs = command_json("train", DATA / "prostate.csv", *options)
    same_point(
        theirs["path"][0], rls2.RLS2Regressor(standardize=True, select=criterion).fit(*prostate)
    )


def test_files_are_the_same_bytes(command, housing, servo, tmp_path):
    for name, (X, y) in {"housing": housing, "servo": servo}.items():
        theirs, ours = tmp_path / "theirs.model", tmp_path / "ours.model"
        options = ["--lambda", "0.1", "--standardize", "--quiet"]
        command("train", DATA / f"{name}.csv", "-t", y.name, *options, "-o", theirs)
        rls2.RLS2Regressor(alpha=0.1, standardize=True).fit(X, y).save(ours)
        assert theirs.read_bytes() == ours.read_bytes()


def test_trained_by_the_command_predicted_here(command, housing, tmp_path):
    file = tmp_path / "theirs.model"
    command("train", *HOUSING, "--lambda", "0.01", "--standardize", "--quiet", "-o", file)
    here = rls2.load(file)
    assert list(here.feature_names_in_) == list(housing[0].columns)
    assert here.get_params()["features"] == "standardize"
    there = numbers(command("predict", file, DATA / "housing.csv", "--quiet"), "prediction")
    assert here.predict(housing[0]).tolist() == there.tolist()


def test_trained_here_predicted_and_verified_by_the_command(command, servo, tmp_path):
    X, y = servo
    file = tmp_path / "ours.model"
    ours = rls2.RLS2RegressorCV(cv=4, kernels="paper").fit(X, y)
    ours.save(file)
    assert (
        numbers(command("predict", file, DATA / "servo.csv", "--quiet"), "prediction").tolist()
        == ours.predict(X).tolist()
    )
    assert "the certificate holds" in command("verify", file, DATA / "servo.csv")


@pytest.mark.parametrize("kernels", ["linear", "linear; rbf(1)", "linear@all,each"])
@pytest.mark.parametrize("balanced", [False, True])
def test_intercepts_of_classes_are_those_of_the_command(command_json, tmp_path, kernels, balanced):
    """auto is the mean where every kernel is linear, unless two classes are made to count alike."""
    frame = pd.read_csv(DATA / "pima.csv")[:200]
    frame.to_csv(tmp_path / "some.csv", index=False)
    options = ["--task", "classification", "--standardize", "--lambda", "1", "-k", kernels]
    options += ["--class-weights", "balanced"] if balanced else []
    theirs = command_json("train", tmp_path / "some.csv", "-t", "diabetes", *options)["path"][0]
    ours = rls2.RLS2Classifier(
        alpha=1.0, kernels=kernels, standardize=True, class_weight="balanced" if balanced else None
    )
    ours.fit(frame.drop(columns="diabetes"), frame["diabetes"])
    same_point(theirs, ours)
    assert (ours.offset_ != 0.0) == ("rbf" not in kernels and not balanced)


def test_files_are_those_of_the_command(command, housing, tmp_path):
    ours, theirs = tmp_path / "ours.model", tmp_path / "theirs.model"
    options = [*HOUSING, "-k", "linear", "--lambda", "0.1", "-o", theirs]
    for missing in ("auto", "error"):
        rls2.RLS2Regressor(kernels="linear", alpha=0.1, missing=missing).fit(*housing).save(ours)
        command("train", *options, "--missing", missing)
        assert ours.read_bytes() == theirs.read_bytes()
