"""The plugin for pytest, outside the package, so that pytest starts without importing that."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from skcorrupt import BaseCorruption
    from skcorrupt.adversarial import AdversarialCorruptionSearch
    from skcorrupt.base import CorruptionResult


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, and where scores are kept."""
    group = parser.getgroup("skcorrupt")
    group.addoption(
        "--robustness-pages",
        metavar="DIR",
        help="write a page of every assert_robust that fails into this folder",
    )
    group.addoption(
        "--robustness-update",
        action="store_true",
        help="keep the scores that the fixture assert_robust finds as the new baseline",
    )
    parser.addini(
        "robustness_baseline",
        "file, beside the settings of pytest, of the scores that the fixture assert_robust keeps",
        default=None,
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write the page of a search that an assertion failed on."""
    report = yield
    folder = item.config.getoption("--robustness-pages")
    search = getattr(call.excinfo.value, "search", None) if folder and call.excinfo else None
    if search is not None and type(call.excinfo.value).__name__ == "NotRobust":
        report.sections.append(("skcorrupt", _page(Path(folder), item.nodeid, search)))
    return report


def _page(folder: Path, nodeid: str, search: AdversarialCorruptionSearch) -> str:
    """Write a page, and say where it is, or why there is none."""
    from skcorrupt.report import write_html

    name = re.sub(r"[^\w.-]+", "-", nodeid).strip("-")[-150:]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return f"page: {write_html(search, folder / f'{name}.html', title=nodeid)}"
    except OSError as error:
        return f"no page could be written: {error}"


@pytest.fixture
def assert_robust(request: pytest.FixtureRequest) -> Callable[..., AdversarialCorruptionSearch]:
    """`skcorrupt.testing.assert_robust`, with the baseline of the project.

    The file is `robustness_baseline` of pytest's settings, the name that of the test, and
    `--robustness-update` keeps what is found.
    """
    from skcorrupt.testing import assert_robust as asserted

    config = request.config
    kept = config.getini("robustness_baseline")
    times: Counter[str] = Counter()

    def assert_this(*args: Any, **params: Any) -> AdversarialCorruptionSearch:
        __tracebackhide__ = True
        baseline = params.get("baseline", kept)
        if baseline is not None:
            params["baseline"] = config.rootpath / baseline
            name = params.setdefault("name", request.node.nodeid)
            times[name] += 1
            if times[name] > 1:
                params["name"] = f"{name} ({times[name]})"
            params.setdefault("update_baseline", config.getoption("--robustness-update"))
        return asserted(*args, **params)

    return assert_this


@pytest.fixture
def corrupted() -> Callable[..., CorruptionResult]:
    """Data with errors: `corrupted("missing", X, y, columns="age", rate=0.2).X`."""
    from sklearn.base import clone

    from skcorrupt.corruptions import corruption_from

    def struck(
        corruption: BaseCorruption | str, X: Any, y: Any = None, **params: Any
    ) -> CorruptionResult:
        error = clone(corruption_from(corruption))
        if "random_state" in error.get_params() and error.random_state is None:
            error.set_params(random_state=0)
        return error.set_params(**params).fit(X, y).corrupt(X, y)

    return struck
