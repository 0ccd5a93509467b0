"""Rows that come through Arrow's C stream interface: those of the same frame, of any producer."""

import gc
import sys

import numpy as np
import pandas as pd
import pytest

import rls2
from rls2 import (
    Batches,
    Profile,
    RLS2Classifier,
    RLS2Regressor,
    RLS2RegressorCV,
    Statistics,
    _core,
)
from test_batches import FEW, KERNELS, frame_of, problem

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: Arrow's rows are not tested")

pytestmark = pytest.mark.filterwarnings("ignore:.*is the smallest that was tried")


def table_of(n=3000, size=700):
    """Numbers with gaps, texts, dates and codes that are categories, in several batches."""
    frame = frame_of(n)
    frame["day"] = frame["day"].dt.strftime("%Y-%m-%d")
    frame["code"] = pd.Categorical.from_codes(np.arange(n) % 3, ["10", "20", "30"])
    frame["code"] = frame["code"].where(np.arange(n) % 50 > 0)
    parts = [pa.Table.from_pandas(frame[i : i + size], preserve_index=False)
             for i in range(0, n, size)]  # fmt: skip
    return frame, pa.concat_tables(parts).unify_dictionaries()


# ---- the same as frames ----


@pytest.mark.parametrize("target", ["y", "class"])
def test_models_are_those_of_the_frame(target):
    frame, table = table_of(400)
    other = {"y": "class", "class": "y"}[target]
    frame, table = frame.drop(columns=other), table.drop_columns([other])
    estimator = RLS2Classifier if target == "class" else RLS2Regressor
    known = estimator(**FEW).fit(frame.drop(columns=target), frame[target])
    found = estimator(**FEW).fit(table, target)
    assert found.model_.pack() == known.model_.pack()
    beside = estimator(**FEW).fit(table.drop_columns([target]), frame[target])
    assert beside.model_.pack() == known.model_.pack()
    assert list(found.feature_names_in_) == list(known.feature_names_in_)
    rows = frame.drop(columns=target)
    assert np.array_equal(found.predict(table.drop_columns([target])), known.predict(rows))


def test_labels_that_are_numbers_stay_whole():
    x, y = problem(300)
    table = pa.table({"a": x[:, 0], "b": x[:, 1], "c": (y > 0).astype(np.int64)})
    model = RLS2Classifier(**FEW).fit(table, "c")
    assert model.classes_.dtype.kind == "i" and list(model.classes_) == [0, 1]
    counted = Statistics(task="classification").fit(table, "c")
    assert counted.class_labels_ == ["0", "1"]


@pytest.mark.parametrize("way", ["table", "reader", "batches", "frames", "weights"])
def test_statistics_are_those_of_the_frame(way):
    frame, table = table_of()
    frame, table = frame.drop(columns="class"), table.drop_columns(["class"])
    weights = 1.0 + np.arange(len(frame)) % 2 if way == "weights" else None
    known = Statistics(**KERNELS, cv=3).fit(frame.drop(columns="y"), frame["y"], weights)
    counted = Statistics(**KERNELS, cv=3)
    if way == "table":
        counted.fit(table, "y")
    elif way == "reader":  # which can be read once
        counted = Profile(**KERNELS, cv=3).fit(table.to_reader(), "y").statistics()
        counted.partial_fit(table.to_reader(), "y")
    elif way == "batches":
        counted.fit(Batches(table, target="y"))
    elif way == "frames":
        counted.fit(Batches(table.to_batches(), target="y"))
    else:
        counted.fit(table.append_column("w", pa.array(weights)), "y", "w")
        known = Statistics(**KERNELS, cv=3).fit(
            Batches([frame.assign(w=weights)], target="y", sample_weight="w")
        )
    assert counted == known


def test_a_large_table_is_read_in_pieces(monkeypatch):
    x, y = problem(n=4000)
    table = pa.table({f"x{j + 1}": x[:, j] for j in range(3)} | {"y": y})
    monkeypatch.setattr(_core, "prefers_pieces", lambda settings, numbers: numbers > 5e4)
    model = RLS2RegressorCV(**FEW).fit(table, "y")
    frame = pd.DataFrame({"x1": x[:, 0], "x2": x[:, 1], "x3": x[:, 2], "y": y})
    expected = RLS2RegressorCV(**FEW).fit(Batches([frame], target="y"))
    assert model.model_.is_compact and model.model_.pack() == expected.model_.pack()
    beside = RLS2RegressorCV(**FEW).fit(table.drop_columns(["y"]), y)
    assert beside.model_.pack() == model.model_.pack()
    with pytest.raises(ValueError, match="read once"):
        RLS2RegressorCV(**FEW).fit(table.to_reader(), "y")


def test_producers_other_than_pyarrow():
    duckdb = pytest.importorskip("duckdb")
    x, y = problem(n=3000)
    frame = pd.DataFrame(x, columns=["a", "b", "c"]).assign(y=y)  # noqa: F841: duckdb reads it
    query = duckdb.sql("select * from frame")
    counted = Statistics(**KERNELS).fit(query, "y")
    assert counted == Statistics(**KERNELS).fit(frame[["a", "b", "c"]], frame["y"])
    rows = duckdb.sql("select a, b, c from frame limit 7")
    assert RLS2Regressor(**KERNELS).fit(counted).predict(rows).shape == (7,)


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_files(tmp_path, ending):
    frame, table = table_of()
    frame = frame.drop(columns=["class", "day"])
    for k, part in enumerate([table[:1000], table[1000:]]):
        path = tmp_path / f"{k}.{ending}"
        if ending == "parquet":
            pytest.importorskip("pyarrow.parquet").write_table(part, path, row_group_size=300)
        else:
            pytest.importorskip("pyarrow.feather").write_feather(part, path, chunksize=300)
    files = [tmp_path / f"{k}.{ending}" for k in range(2)]
    columns = ["number", "colour", "code"]
    rows = rls2.read_parquet(files, target="y", columns=columns)
    known = Statistics(**KERNELS).fit(frame[columns], frame["y"])
    assert Statistics(**KERNELS).fit(rows) == known
    with pytest.raises(ValueError, match=f"0.{ending} has no column 'z'"):
        Statistics().fit(rls2.read_parquet(files, target="y", columns=["z"]))


def test_files_without_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="pip install pyarrow"):
        rls2.read_parquet("a.parquet", target="y")


# ---- life of a stream ----


def test_a_capsule_is_moved_once():
    table = pa.table({"a": [1.0, 2.0], "t": ["x", None]})
    capsule = table.__arrow_c_stream__()
    rows = _core.Arrow(capsule)
    with pytest.raises(ValueError):
        _core.Arrow(capsule)
    del capsule
    gc.collect()
    piece = rows.next(10)
    assert piece.cells(1) == ["x", None] and list(np.asarray(piece.cells(0))) == [1.0, 2.0]
    assert rows.next(10) is None and rows.names == ["a", "t"]
    with pytest.raises(ValueError):
        _core.Arrow(object())


# ---- what is refused ----


def test_messages_name_row_and_column():
    x, y = problem(n=6000)
    x[5000, 1] = np.inf
    table = pa.table({"a": x[:, 0], "b": x[:, 1], "y": y})
    with pytest.raises(ValueError, match="row 5001.*'b'|'b'.*row 5001"):
        Statistics(**KERNELS).fit(table, "y")
    with pytest.raises(ValueError, match="no column 'z'"):
        RLS2Regressor().fit(table[:300], "z")
    with pytest.raises(ValueError, match="'l'.*type|'item'.*type"):
        RLS2Regressor().fit(pa.table({"l": [[1.0], [2.0]], "y": [1.0, 2.0]}), "y")
    with pytest.raises(ValueError, match="requires y"):
        RLS2Regressor().fit(table)
    with pytest.raises(ValueError, match="two columns 'a'"):
        RLS2Regressor().fit(pa.table([[1.0], [2.0]], names=["a", "a"]), "y")
    model = RLS2Regressor(**FEW).fit(table[:300], "y")
    with pytest.raises(ValueError, match="'b' is missing; 'c' was not there"):
        model.predict(pa.table({"a": [1.0], "c": [1.0]}))


def test_what_a_reader_raises_is_told():
    schema = pa.schema([("a", pa.float64()), ("y", pa.float64())])

    def batches():
        yield pa.record_batch([[1.0, 2.0], [1.0, 3.0]], schema=schema)
        raise OSError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises((ValueError, OSError), match="the disk is gone"):
        rls2.Profile().fit(reader, "y")
