"""Built-in proxies against scikit-learn on rows that are written out twice, clean and corrupted."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from proxy_setups import counted_data, group_share, laid_out, some_candidates
from skcorrupt import MAR, CorruptDuplicates, CorruptLabels, CorruptMissing
from skcorrupt.adversarial.proxies import StruckGroups, _linear_proxy

CLIP = 3.0


def pipeline_of(model, strategy="mean", fill_value=None, scaled=True):
    numbers = [SimpleImputer(strategy=strategy, fill_value=fill_value)]
    numbers += [StandardScaler()] if scaled else []
    texts = make_pipeline(
        SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")
    )
    columns = make_column_transformer((make_pipeline(*numbers), ["a", "b"]), (texts, ["c"]))
    return make_pipeline(columns, model)


def struck_by(setup, candidates, flipped=None):
    share = np.stack([group_share(setup, mask, c.rate) for _, _, c, mask in candidates])
    columns = {t.columns for t, _, _, _ in candidates}
    assert len(columns) == 1
    return StruckGroups(setup.stand_ins.kind, share, columns.pop(), flipped)


class WrittenOut:
    """Training rows standardised by hand, and what a candidate makes of them."""

    def __init__(self, X, y, n_train):
        self.X, self.y = X.iloc[:n_train].reset_index(drop=True), np.asarray(y)[:n_train]
        self.facts = {}
        for name in X:
            if pd.api.types.is_numeric_dtype(X[name]):
                known = self.X[name].dropna().to_numpy(float)
                self.facts[name] = (known.mean(), known.std() or 1.0)

    def design(self, X):
        blocks = []
        for name in X:
            if name in self.facts:
                centre, spread = self.facts[name]
                z = np.clip((X[name].to_numpy(float) - centre) / spread, -CLIP, CLIP)
                blocks.append(np.nan_to_num(z)[:, None])
            else:
                names = sorted(self.X[name].dropna().unique())
                blocks.append(np.stack([(X[name] == k).to_numpy(float) for k in names], axis=1))
        return np.hstack(blocks)

    def fill(self, name, kept, strategy, value=None):
        column = self.X[name]
        there = column.notna().to_numpy()
        left = pd.Series(kept[there]).groupby(column[there].to_numpy()).sum()
        if strategy == "constant":
            return value
        if name not in self.facts or strategy == "most_frequent":
            return left.idxmax()
        if strategy == "median":
            return left.index[(left.cumsum() >= 0.5 * left.sum()).to_numpy().argmax()]
        return float(np.average(left.index, weights=left))

    def missing(self, mask, rate, columns, strategy="mean", value=None):
        """Design, labels and weights of the rows, clean first."""
        lost = np.where(self.X[columns].isna().any(axis=1), 1.0, rate * mask)
        filled = self.X.copy()
        for name in columns:
            filled[name] = self.fill(name, 1 - lost, strategy, value)
        Z = np.vstack([self.design(self.X), self.design(filled)])
        return Z, np.tile(self.y, 2), np.concatenate([1 - lost, lost])

    def labels(self, mask, rate, flipped):
        lost = rate * mask
        Z = np.tile(self.design(self.X), (2, 1))
        return Z, np.concatenate([self.y, flipped]), np.concatenate([1 - lost, lost])


def logistic(Z, y, w, C=1.0):
    kept = w > 0
    model = LogisticRegression(C=C, tol=1e-10, max_iter=10_000, solver="newton-cholesky")
    model.fit(Z[kept], y[kept], sample_weight=w[kept])
    return np.append(model.coef_[0], model.intercept_)


def n_train(setup):
    return len(setup.problem.splits[0].train)


def by_row(setup, beta):
    """Margins of the training rows, in which the order of columns and categories is no matter."""
    margins = setup.groups.design.astype(float) @ beta
    return margins[setup.groups.of_row][: n_train(setup)]


def assert_same_model(setup, beta, rows, known, atol=1e-4):
    margins = rows.design(rows.X) @ known[:-1] + known[-1]
    np.testing.assert_allclose(by_row(setup, beta), margins, atol=atol)


@pytest.mark.many
@pytest.mark.parametrize("hit", ["a", "b", "c"])
@pytest.mark.parametrize(
    ("strategy", "value"),
    [("mean", None), ("median", None), ("most_frequent", None), ("constant", 2)],
)
def test_missing_values_are_what_the_imputer_puts(strategy, value, hit):
    X, y = counted_data()
    # a constant imputer that has seen floats takes no integers
    X = X.astype({"a": float, "b": float})
    model = pipeline_of(LogisticRegression(C=0.5), strategy, value)
    setup = laid_out(model, "missing", X, y, corrupt_columns=[hit])
    candidates = some_candidates(setup, 5)
    assert len(candidates) == 5
    beta, left = setup.proxy.fit(0, struck_by(setup, candidates), polish=True)
    assert left.max() < 1e-4
    rows = WrittenOut(X, y, n_train(setup))
    for found, (_, _, candidate, mask) in zip(beta, candidates, strict=True):
        known = rows.missing(
            mask[: len(rows.y)], candidate.rate, [hit], "mean" if hit == "c" else strategy, value
        )
        assert_same_model(setup, found, rows, logistic(*known, C=0.5))


def test_several_columns_hit_on_the_same_rows():
    X, y = counted_data()
    setup = laid_out(pipeline_of(LogisticRegression()), CorruptMissing(["a", "c"]), X, y)
    candidates = some_candidates(setup, 4)
    beta, _ = setup.proxy.fit(0, struck_by(setup, candidates), polish=True)
    rows = WrittenOut(X, y, n_train(setup))
    for found, (_, _, candidate, mask) in zip(beta, candidates, strict=True):
        known = rows.missing(mask[: len(rows.y)], candidate.rate, ["a", "c"])
        assert_same_model(setup, found, rows, logistic(*known))


@pytest.mark.parametrize("gaps", ["a", "b"])
def test_values_that_are_missing_already(gaps):
    X, y = counted_data()
    X = X.astype({"a": float, "b": float})
    X.loc[np.random.default_rng(1).random(len(X)) < 0.15, gaps] = np.nan
    setup = laid_out(pipeline_of(LogisticRegression()), "missing", X, y, corrupt_columns=["a"])
    candidates = some_candidates(setup, 4)
    beta, _ = setup.proxy.fit(0, struck_by(setup, candidates), polish=True)
    rows = WrittenOut(X, y, n_train(setup))
    for found, (_, _, candidate, mask) in zip(beta, candidates, strict=True):
        known = rows.missing(mask[: len(rows.y)], candidate.rate, ["a"])
        assert_same_model(setup, found, rows, logistic(*known))


@pytest.mark.parametrize("budget", [0.1, 0.5])
def test_flipped_labels(budget):
    X, y = counted_data()
    setup = laid_out(pipeline_of(LogisticRegression()), "labels", X, y, budget=budget)
    candidates = some_candidates(setup, 6)
    flipped = setup.screen._flipped(None)
    beta, _ = setup.proxy.fit(0, struck_by(setup, candidates, flipped), polish=True)
    rows = WrittenOut(X, y, n_train(setup))
    for found, (_, _, candidate, mask) in zip(beta, candidates, strict=True):
        known = rows.labels(mask[: len(rows.y)], candidate.rate, 1 - rows.y)
        assert_same_model(setup, found, rows, logistic(*known))


@pytest.mark.parametrize(("corruption", "sign"), [("selection", -1), (CorruptDuplicates(), 1)])
def test_rows_that_go_or_come_twice(corruption, sign):
    X, y = counted_data()
    setup = laid_out(pipeline_of(LogisticRegression()), corruption, X, y)
    candidates = some_candidates(setup, 5)
    beta, _ = setup.proxy.fit(0, struck_by(setup, candidates), polish=True)
    rows = WrittenOut(X, y, n_train(setup))
    Z = rows.design(rows.X)
    for found, (_, _, candidate, mask) in zip(beta, candidates, strict=True):
        weights = 1 + sign * candidate.rate * mask[: len(rows.y)]
        assert_same_model(setup, found, rows, logistic(Z, rows.y, weights))


@pytest.mark.parametrize("factor", [1.0, 1e-6])
def test_a_penalty_on_columns_that_are_not_scaled(factor):
    X, y = counted_data()
    X = pd.DataFrame({"a": X.a * factor, "b": X.b.clip(upper=3)})
    model = make_pipeline(SimpleImputer(), LogisticRegression(C=0.1))
    setup = laid_out(model, "selection", X, y)
    candidates = some_candidates(setup, 3)
    beta, left = setup.proxy.fit(0, struck_by(setup, candidates), polish=True)
    assert left.max() < 1e-4
    rows = WrittenOut(X, y, n_train(setup))
    for found, (_, _, candidate, mask) in zip(beta, candidates, strict=True):
        weights = 1 - candidate.rate * mask[: len(rows.y)]
        known = logistic(rows.X.to_numpy(float), rows.y, weights, C=0.1)
        margins = rows.X.to_numpy(float) @ known[:-1] + known[-1]
        np.testing.assert_allclose(by_row(setup, found), margins, atol=5e-3)


@pytest.mark.parametrize("kind", ["missing", "labels"])
def test_regression(kind):
    X, _ = counted_data()
    y = X.a * 10 - X.b + np.random.default_rng(2).normal(size=len(X))
    corruption = CorruptMissing("a") if kind == "missing" else CorruptLabels(shift=25.0)
    setup = laid_out(pipeline_of(Ridge(alpha=3.0)), corruption, X, y)
    candidates = some_candidates(setup, 4)
    flipped = setup.screen._flipped(None)
    beta, left = setup.proxy.fit(0, struck_by(setup, candidates, flipped), polish=True)
    assert (left == 0).all()
    rows = WrittenOut(X, y, n_train(setup))
    for found, (_, _, candidate, mask) in zip(beta, candidates, strict=True):
        part = mask[: len(rows.y)]
        if kind == "missing":
            Z, target, w = rows.missing(part, candidate.rate, ["a"])
        else:
            Z, target, w = rows.labels(part, candidate.rate, rows.y + 25.0)
        known = Ridge(alpha=3.0).fit(Z, target, sample_weight=w)
        assert_same_model(setup, found, rows, [*known.coef_, known.intercept_], atol=2e-3)


@pytest.mark.parametrize("kind", ["missing", "labels", "selection"])
def test_quasi_newton_steps_end_where_newton_steps_do(kind, monkeypatch):
    X, y = counted_data()
    model = pipeline_of(LogisticRegression())
    hit = {"corrupt_columns": ["b"]} if kind == "missing" else {}
    newton = laid_out(model, kind, X, y, **hit)
    monkeypatch.setattr(_linear_proxy, "MOST_NEWTON", 0)
    quasi = laid_out(model, kind, X, y, **hit)
    assert newton.proxy.newton
    assert not quasi.proxy.newton
    struck = struck_by(newton, some_candidates(newton, 20), newton.screen._flipped(None))
    expected, _ = newton.proxy.fit(0, struck, polish=True)
    found, _ = quasi.proxy.fit(0, struck, polish=True)
    np.testing.assert_allclose(found, expected, atol=1e-4)
    # a few unconverged steps order candidates alike
    rough, _ = quasi.proxy.fit(0, struck, polish=False)
    assert abs(rough - expected).max() < 0.5


def test_many_columns():
    rng = np.random.default_rng(4)
    n, d = 600, 50
    X = pd.DataFrame(rng.integers(0, 5, (n, d)), columns=[f"f{j}" for j in range(d)])
    chance = (X - 2) @ rng.normal(size=d) * 0.2 + rng.normal(size=n)
    y = (chance > 0).astype(int)
    model = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())
    setup = laid_out(model, "missing", X, y, corrupt_columns=["f3"], pattern_columns=["f3"])
    assert not setup.proxy.newton
    candidates = some_candidates(setup, 4, depth=1)
    beta, _ = setup.proxy.fit(0, struck_by(setup, candidates), polish=True)
    rows = WrittenOut(X, y, n_train(setup))
    for found, (_, _, candidate, mask) in zip(beta, candidates, strict=True):
        known = rows.missing(mask[: len(rows.y)], candidate.rate, ["f3"])
        assert_same_model(setup, found, rows, logistic(*known))


def test_classes_that_a_line_divides_stay_finite():
    X = pd.DataFrame({"a": np.arange(120) % 12, "b": np.arange(120) % 5})
    y = pd.Series((X.a > 5).astype(int))
    model = make_pipeline(SimpleImputer(), LogisticRegression(C=1e12))
    for kind in ("missing", "labels", "selection"):
        setup = laid_out(model, kind, X, y, budget=0.5)
        hit = {t.columns: (t, p, c, m) for t, p, c, m in some_candidates(setup, 9)}
        for one in hit.values():
            struck = struck_by(setup, [one], setup.screen._flipped(None))
            for polish in (False, True):
                beta, _ = setup.proxy.fit(0, struck, polish=polish)
                assert np.isfinite(beta).all()


def test_a_linear_model_without_a_penalty():
    X, _ = counted_data()
    y = X.a * 2.0 + (X.c == "red")
    setup = laid_out(pipeline_of(LinearRegression()), "selection", X, y)
    candidates = some_candidates(setup, 2)
    beta, _ = setup.proxy.fit(0, struck_by(setup, candidates), polish=True)
    rows = WrittenOut(X, y, n_train(setup))
    Z = rows.design(rows.X)
    for found, (_, _, candidate, mask) in zip(beta, candidates, strict=True):
        weights = 1 - candidate.rate * mask[: len(rows.y)]
        known = LinearRegression().fit(Z, rows.y, sample_weight=weights)
        np.testing.assert_allclose(by_row(setup, found), known.predict(Z), atol=0.05)


def test_kinds_that_are_simulated():
    assert CorruptMissing()._simulated_as(classifier=True) == "missing"
    assert CorruptMissing(mechanism=MAR(["a"]))._simulated_as(classifier=True) is None
    assert CorruptMissing(same_rows=False)._simulated_as(classifier=True) is None
    assert CorruptMissing(pattern="a < 1", outside_ratio=0.5)._simulated_as(classifier=True) is None
    assert CorruptLabels()._simulated_as(classifier=True) == "labels"
    assert CorruptLabels(shift=1.0)._simulated_as(classifier=False) == "labels"
    assert CorruptLabels(shift=1)._simulated_as(classifier=True) is None
    assert CorruptLabels(transition={0: 1})._simulated_as(classifier=True) is None
    assert CorruptLabels(missing_label=-1)._simulated_as(classifier=True) is None
