"""Missing values, unseen categories, dates and numbers written as text, against scikit-learn's own
preprocessing and against the command.
"""

import datetime
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

import rls2
from rls2 import RLS2Classifier, RLS2Regressor, RLS2RegressorCV, rls2_path

# One linear kernel of all columns, not scaled, is ridge regression.
RIDGE = {"kernels": "linear@all", "scaling": "none", "alpha": 3.0}


@pytest.fixture
def holes():
    """51 rows, 4 columns; a third of the rows has an empty cell, in two of the columns."""
    rng = np.random.default_rng(11)
    X = rng.normal(size=(51, 4)) * [1.0, 5.0, 0.1, 2.0] + [0.0, 3.0, 0.0, -7.0]
    y = X[:, 0] + 0.2 * X[:, 1] + 0.1 * rng.normal(size=51)
    X[rng.random(51) < 0.2, 1] = np.nan
    X[rng.random(51) < 0.2, 3] = np.nan
    assert 8 < np.isnan(X).any(axis=1).sum() < 25 and not np.isnan(X[:, [0, 2]]).any()
    return X, y


def standardized(steps):
    """As the library standardises: deviations are divided by n - 1."""

    class Scaler(FunctionTransformer):
        def fit(self, X, y=None):
            self.mean, self.deviation = X.mean(axis=0), X.std(axis=0, ddof=1)
            return self

        def transform(self, X):
            return (X - self.mean) / np.where(self.deviation > 0.0, self.deviation, 1.0)

    return make_pipeline(*steps, Scaler(), Ridge(alpha=3.0))


def ridge_of_numbers():
    return standardized([SimpleImputer(strategy="median", add_indicator=True)])


# ---- imputing ----


def test_imputed_numbers_are_those_of_scikit_learn(holes):
    X, y = holes
    model = RLS2Regressor(missing="impute", standardize=True, **RIDGE).fit(X, y)
    oracle = ridge_of_numbers().fit(X, y)
    assert model.n_features_in_ == 4
    assert sorted(model.coef_names_) == ["x1", "x2", "x2=missing", "x3", "x4", "x4=missing"]
    new = np.array([[0.5, np.nan, 0.1, np.nan], [1.0, 4.0, -0.1, np.nan], [0.0, 0.0, 0.0, 0.0]])
    assert_allclose(model.predict(X), oracle.predict(X), rtol=1e-6)
    assert_allclose(model.predict(new), oracle.predict(new), rtol=1e-6)
    # in the units of the columns, as ever
    filled = SimpleImputer(strategy="median", add_indicator=True).fit(X).transform(new)
    names = ["x1", "x2", "x3", "x4", "x2=missing", "x4=missing"]
    order = [model.coef_names_.index(name) for name in names]
    assert_allclose(filled @ model.coef_[order] + model.intercept_, model.predict(new), rtol=1e-9)


def test_a_column_that_was_whole_in_training_may_be_missing_later(holes):
    X, y = holes
    model = RLS2Regressor(missing="impute", standardize=True, **RIDGE).fit(X, y)
    new = X[:3].copy()
    new[:, 0] = np.nan
    other = X[:3].copy()
    other[:, 0] = np.median(X[:, 0])
    assert model.predict(new).tolist() == model.predict(other).tolist()


@pytest.mark.parametrize("rows", [40, 41])
def test_imputed_categories_are_those_of_scikit_learn(rows):
    rng = np.random.default_rng(5)
    colour = rng.choice(["red", "green", "blue"], p=[0.5, 0.3, 0.2], size=rows).astype(object)
    frame = pd.DataFrame({"size": rng.normal(size=rows), "colour": colour})
    y = frame["size"] + (colour == "red") + 0.1 * rng.normal(size=rows)
    frame.loc[::7, "colour"] = None
    frame.loc[3::11, "size"] = np.nan
    model = RLS2Regressor(missing="impute", standardize=True, **RIDGE).fit(frame, y)
    indicators = OneHotEncoder(sparse_output=False)
    most = make_pipeline(SimpleImputer(strategy="most_frequent"), indicators)
    steps = make_column_transformer(
        (SimpleImputer(strategy="median", add_indicator=True), ["size"]),
        (most, ["colour"]),
        (FunctionTransformer(lambda f: f.isna().to_numpy(float)), ["colour"]),
    )
    oracle = standardized([steps]).fit(frame, y)
    assert_allclose(model.predict(frame), oracle.predict(frame), rtol=1e-6)
    names = ["size", "size=missing", "colour=blue", "colour=green", "colour=missing", "colour=red"]
    assert sorted(model.coef_names_) == sorted(names)


def test_missing_values_of_every_kind_are_the_same(holes):
    X, y = holes
    numbers = pd.DataFrame(X, columns=list("abcd"))
    model = RLS2Regressor(missing="impute", kernels="rbf(0.1|1)@each", alpha=0.1)
    expected = model.fit(numbers, y).predict(numbers).tolist()
    objects = numbers.astype(object).where(numbers.notna(), None)
    kinds = [
        X,
        X.astype(object),
        np.where(np.isnan(X), None, X.astype(object)),
        np.where(np.isnan(X), pd.NA, X.astype(object)),
        np.where(np.isnan(X), None, X.astype(object)).tolist(),
        numbers,
        numbers.convert_dtypes(),
        objects,
        objects.where(numbers.notna(), pd.NA),
        pl.DataFrame(X, schema=list("abcd")),
        pl.DataFrame(objects.to_dict("list"), strict=False),
    ]
    for same in kinds:
        assert model.fit(same, y).predict(same).tolist() == expected


def test_what_is_filled_in_is_learned_inside_each_split(holes):
    """A path for each fold by hand, on its training rows alone: were the medians those of all rows,
    the scores would differ."""
    X, y = holes
    X = np.concatenate([X, X * 3.0 + 1.0])
    y = np.concatenate([y, y + 4.0])
    folds = list(KFold(3).split(X))
    shared = {"kernels": "linear", "missing": "impute", "standardize": True, "alphas": [1.0, 0.1]}
    model = RLS2RegressorCV(cv=folds, scoring="mse", **shared).fit(X, y)
    scores = model.cv_results_["split_test_score"]
    leaked = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    for i, (train, test) in enumerate(folds):
        alone = rls2_path(X[train], y[train], **shared)
        expected = ((alone.predict(X[test]) - y[test][:, None]) ** 2).mean(axis=0)
        assert_allclose(scores[:, i], expected, rtol=1e-6)
        assert not np.allclose(np.nanmedian(X[train], axis=0), np.median(leaked, axis=0))


def test_a_row_of_weight_two_is_two_rows_for_the_median_too(holes):
    X, y = holes
    weight = np.arange(51) % 4
    shared = {"missing": "impute", "kernels": "linear", "alpha": 0.5, "gap_tol": 1e-10}
    weighted = RLS2Regressor(**shared).fit(X, y, sample_weight=weight)
    repeated = RLS2Regressor(**shared).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-6)


# ---- what is done with missing values ----


def test_auto_imputes_where_many_rows_would_be_lost(holes):
    X, y = holes
    model = RLS2Regressor(kernels="linear", alpha=0.1)
    assert RLS2Regressor().missing == "auto"
    assert model.fit(X, y).model_.rows == 51
    few = np.where(np.arange(51)[:, None] == 7, X, SimpleImputer().fit_transform(X))
    few[7, 1] = np.nan
    assert model.fit(few, y).model_.rows == 50
    assert model.dual_coef_.shape == (51,) and model.dual_coef_[7] == 0.0
    assert np.isfinite(model.predict(few)).all()
    assert model.certify(few, y).relative_gap < 1e-6


def test_dropped_rows_are_as_if_they_were_not_there(holes):
    X, y = holes
    whole = ~np.isnan(X).any(axis=1)
    model = RLS2RegressorCV(missing="drop", kernels="linear", cv=4).fit(X, y)
    other = RLS2RegressorCV(missing="drop", kernels="linear", cv=4).fit(X[whole], y[whole])
    assert model.alpha_ == other.alpha_
    assert model.predict(X[whole]).tolist() == other.predict(X[whole]).tolist()
    assert model.predict(X).shape == y.shape and np.isfinite(model.predict(X)).all()


def test_losing_most_rows_is_never_silent(holes):
    X, y = holes
    X = X.copy()
    X[::2, 0] = np.nan
    X[1::4, 2] = np.nan
    model = RLS2Regressor(missing="drop", kernels="linear", alpha=0.1)
    with pytest.warns(UserWarning, match="^more than half of the rows are lost for empty cells"):
        model.fit(X, y)


def test_strict_models_name_the_cell(holes):
    X, y = holes
    whole = ~np.isnan(X).any(axis=1)
    model = RLS2Regressor(missing="error", kernels="linear", alpha=0.1)
    row, column = np.argwhere(np.isnan(X))[0]
    with pytest.raises(ValueError, match=rf"X: row {row + 1}: column 'x{column + 1}': .*NaN"):
        model.fit(X, y)
    model.fit(X[whole], y[whole])
    with pytest.raises(ValueError, match=rf"X: row {row + 1}: column 'x{column + 1}': .*NaN"):
        model.predict(X)
    assert np.isfinite(model.set_params(missing="auto").predict(X)).all()
    assert not RLS2Regressor(missing="error").__sklearn_tags__().input_tags.allow_nan
    assert RLS2Regressor().__sklearn_tags__().input_tags.allow_nan


def test_rows_that_were_imputed_can_be_certified_and_saved(holes, tmp_path):
    X, y = holes
    model = RLS2Regressor(missing="impute", alpha=0.1).fit(X, y)
    assert model.certify(X, y).relative_gap < 1e-6
    model.save(tmp_path / "a.model")
    loaded = rls2.load(tmp_path / "a.model")
    assert loaded.predict(X).tolist() == model.predict(X).tolist()
    assert loaded.certify(X, y).relative_gap < 1e-6


def test_missing_targets_remain_an_error(holes):
    X, y = holes
    y = y.copy()
    y[3] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        RLS2Regressor().fit(X, y)


def test_infinity_is_no_missing_value(holes):
    X, y = holes
    X = X.copy()
    X[4, 2] = -np.inf
    for same in (X, pd.DataFrame(X, columns=["x1", "x2", "x3", "x4"])):
        with pytest.raises(ValueError, match=r"X: row 5: column 'x3': the value is infinite"):
            RLS2Regressor(missing="impute").fit(same, y)


# ---- unseen categories ----


def test_an_unseen_category_is_other_unless_strict(servo):
    X, y = servo
    model = RLS2Regressor(kernels="linear", alpha=0.1).fit(X, y)
    new = X[:2].assign(motor="Z")
    none = {n: c for n, c in zip(model.coef_names_, model.coef_) if not n.startswith("motor=")}
    expected = model.intercept_ + sum(
        c * (new[n.split("=")[0]].astype(str) == n.split("=")[1] if "=" in n else new[n])
        for n, c in none.items()
    )
    assert_allclose(model.predict(new), expected, rtol=1e-9)
    assert_allclose(model.predict(new.astype({"motor": "category"})), expected, rtol=1e-9)
    strict = RLS2Regressor(missing="error", kernels="linear", alpha=0.1).fit(X, y)
    with pytest.raises(
        ValueError, match=r"column 'motor': 'Z' was not among the training values \(E, B, D, "
    ):
        strict.predict(new)


def test_guesses_about_new_rows_are_counted_on_request(servo, capfd):
    X, y = servo
    model = RLS2Regressor(kernels="linear", alpha=0.1, verbose=1).fit(X, y)
    capfd.readouterr()
    model.predict(X)
    assert capfd.readouterr().err == ""
    model.predict(X[:5].assign(motor=["Z", "Z", "A", None, "A"]))
    told = "[rls2] new rows: missing cells imputed: 1, unseen categories: 2\n"
    assert capfd.readouterr().err == told


def test_rare_categories_are_pooled():
    rng = np.random.default_rng(2)
    code = np.array([f"c{k}" for k in rng.zipf(1.5, size=400).clip(max=300)])
    frame = pd.DataFrame({"code": code, "x": rng.normal(size=400)})
    y = frame["x"] + (code == "c1")
    model = RLS2Regressor(kernels="linear", alpha=0.1).fit(frame, y)
    counts = pd.Series(code).value_counts()
    kept = {f"code={name}" for name in counts.index[counts >= 3]}
    assert set(model.coef_names_) == kept | {"code=other", "x"} and len(counts) > 20
    rare = frame[:2].assign(code=[counts.index[-1], "never"])
    assert_allclose(*(model.predict(rare) - model.coef_[-1] * rare["x"]), rtol=1e-9)


# ---- dates ----


def dated(rows=60):
    rng = np.random.default_rng(8)
    when = pd.Timestamp("2019-03-30") + pd.to_timedelta(rng.integers(0, 900, rows), unit="D")
    return pd.DataFrame({"a": rng.normal(size=rows), "when": when})


def parts(when):
    """As pandas has them."""
    days = (when - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1)
    return {
        "when": days,
        "when.year": when.dt.year,
        "when.month": when.dt.month,
        "when.weekday": when.dt.weekday + 1,
    }


def test_dates_are_numbers_and_their_parts():
    frame = dated()
    y = frame["a"] + frame["when"].dt.month
    plain = pd.DataFrame({"a": frame["a"], **parts(frame["when"])}).astype(float)
    shared = {"kernels": "rbf(0.1|1)@all,each", "standardize": True, "alpha": 0.1}
    expected = RLS2Regressor(**shared).fit(plain, y)
    kinds = [
        frame,
        frame.assign(when=frame["when"].dt.date),
        frame.assign(when=frame["when"].dt.strftime("%Y-%m-%d")),
        frame.assign(when=frame["when"].dt.strftime("%d.%m.%Y")),
        pl.from_dicts(frame.to_dict("records")),
        pl.from_dicts(frame.to_dict("records")).with_columns(pl.col("when").cast(pl.Date)),
    ]
    for same in kinds:
        model = RLS2Regressor(**shared).fit(same, y)
        assert model.n_features_in_ == 2 and model.model_.inputs == ["a", "when"]
        assert model.model_.columns == list(plain.columns)
        assert_allclose(model.predict(same), expected.predict(plain), rtol=1e-8)
        assert_allclose(model.predict(same[:1]), expected.predict(plain[:1]), rtol=1e-8)


@pytest.mark.parametrize("written", ["%d.%m.%Y", "%m/%d/%Y", "%Y-%m-%d"])
def test_dates_that_were_text_in_training_may_be_dates_later(written):
    frame = dated()
    texts = frame.assign(when=frame["when"].dt.strftime(written))
    y = frame["a"] + frame["when"].dt.month
    model = RLS2Regressor(kernels="linear", alpha=0.01).fit(texts, y)
    assert model.predict(frame).tolist() == model.predict(texts).tolist()
    with pytest.raises(ValueError, match="X: row 1: column 'when': 'soon' is not a date"):
        model.predict(texts[:1].assign(when="soon"))


def test_times_of_day_count_by_the_clock_of_their_zone():
    frame = dated()
    frame["when"] += pd.to_timedelta(np.arange(60) * 37 % 1440, unit="min")
    y = frame["a"] + frame["when"].dt.hour
    local = frame.assign(when=frame["when"].dt.tz_localize("Asia/Tokyo"))
    shared = {"kernels": "rbf(0.1|1)@all,each", "alpha": 0.1}
    model = RLS2Regressor(**shared).fit(frame, y)
    assert "when.hour" in model.model_.columns
    assert RLS2Regressor(**shared).fit(local, y).predict(local).tolist() == model.predict(
        frame
    ).tolist()
    aware = pl.DataFrame(
        {"a": frame["a"].to_list(), "when": frame["when"].tolist()}
    ).with_columns(pl.col("when").dt.replace_time_zone("Asia/Tokyo"))
    assert RLS2Regressor(**shared).fit(aware, y).predict(aware).tolist() == model.predict(
        frame
    ).tolist()


def test_a_date_may_be_missing():
    frame = dated()
    y = frame["a"] + frame["when"].dt.month
    frame.loc[::9, "when"] = pd.NaT
    model = RLS2Regressor(kernels="linear", alpha=0.1, missing="impute").fit(frame, y)
    assert model.coef_names_[-1] == "when=missing"
    objects = frame.assign(when=frame["when"].astype(object).where(frame["when"].notna(), None))
    other = RLS2Regressor(kernels="linear", alpha=0.1, missing="impute").fit(objects, y)
    assert other.predict(objects).tolist() == model.predict(frame).tolist()
    with pytest.raises(ValueError, match=r"X: row 1: column 'when': .*missing"):
        RLS2Regressor(missing="error").fit(frame, y)


def test_spans_of_time_are_refused_by_name(holes):
    X, y = holes
    frame = pd.DataFrame({"a": X[:, 0], "took": pd.to_timedelta(np.arange(51), unit="D")})
    took = [datetime.timedelta(days) for days in range(51)]
    for spans in (frame, pl.DataFrame({"a": X[:, 0], "took": took})):
        with pytest.raises(TypeError, match="column 'took' holds"):
            RLS2Regressor().fit(spans, y)


# ---- numbers that are written as text ----


def test_decorated_numbers_are_numbers():
    rng = np.random.default_rng(4)
    money, share = np.round(rng.uniform(900, 9e6, 50), 2), rng.integers(1, 99, 50)
    plain = pd.DataFrame({"money": money, "share": share / 1.0})
    y = money / 1e6 + share / 50
    texts = pd.DataFrame(
        {"money": [f"${v:,.2f}" for v in money], "share": [f"{v} %" for v in share]}
    )
    shared = {"kernels": "rbf(0.1|1)@each", "alpha": 0.01, "standardize": True}
    expected = RLS2Regressor(**shared).fit(plain, y)
    model = RLS2Regressor(**shared).fit(texts, y)
    assert model.model_.columns == ["money", "share"]
    assert_allclose(model.predict(texts), expected.predict(plain), rtol=1e-8)
    assert_allclose(model.predict(plain), expected.predict(plain), rtol=1e-8)
    declared = RLS2Regressor(**shared).fit(texts.astype({"share": "category"}), y)
    assert "share" not in declared.model_.columns


def test_a_question_mark_among_numbers_is_missing():
    power = [f"{v}" for v in range(100, 140)]
    frame = pd.DataFrame({"power": [*power, "?"], "a": np.arange(41.0) % 5})
    y = np.arange(41.0)
    model = RLS2Regressor(kernels="linear", alpha=0.1, missing="impute").fit(frame, y)
    assert model.coef_names_ == ["power", "power=missing", "a"]
    numbers = frame.assign(power=pd.to_numeric(frame["power"], errors="coerce"))
    other = RLS2Regressor(kernels="linear", alpha=0.1, missing="impute").fit(numbers, y)
    assert other.predict(numbers).tolist() == model.predict(frame).tolist()


# ---- the command ----


def test_the_same_cells_give_the_same_model_as_in_the_command(command, tmp_path):
    rng = np.random.default_rng(9)
    frame = dated(80).assign(
        kind=rng.choice(["a", "b", None], p=[0.5, 0.4, 0.1], size=80),
        dose=np.where(rng.random(80) < 0.15, np.nan, rng.normal(size=80)),
        on=rng.random(80) < 0.5,
    )
    frame["y"] = frame["a"] + frame["dose"].fillna(0.0) + 0.1 * rng.normal(size=80)
    file, saved = tmp_path / "t.csv", tmp_path / "t.model"
    frame.assign(on=frame["on"].astype(int)).to_csv(file, index=False)
    command("train", file, "-t", "y", "--columns", "all", "-o", saved, "--quiet")
    X = frame.drop(columns="y")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        ours = RLS2RegressorCV().fit(X, frame["y"])
    theirs = rls2.load(saved)
    assert ours.alpha_ == theirs.alpha_ and ours.model_.columns == theirs.model_.columns
    assert ours.predict(X).tolist() == theirs.predict(X).tolist()
    ours.save(tmp_path / "ours.model")
    assert (tmp_path / "ours.model").read_bytes() == saved.read_bytes()


def test_classes_with_missing_inputs(holes):
    X, y = holes
    labels = np.where(y > np.median(y), "high", "low")
    model = RLS2Classifier(kernels="linear", alpha=0.01).fit(X, labels)
    assert model.model_.rows == 51 and model.score(X, labels) > 0.8
