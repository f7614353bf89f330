"""Columns, rules as text and JSON, and what is refused."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

from skcorrupt.responsiveness import (
    ActionElement,
    ActionSet,
    Constraint,
    DirectionalLinkage,
    IfThen,
    LinearConstraint,
    MutabilitySwitch,
    OneHot,
    Reachability,
    Thermometer,
)

X = pd.DataFrame(
    {
        "age": [25, 40, 60],
        "works": [0, 1, 1],
        "member": [True, False, True],
        "income": [10.5, 20.0, np.nan],
        "city": ["Rome", "Oslo", "Rome"],
        "whole": [1.0, 5.0, np.nan],
    }
)


class TestFromData:
    def test_kinds_come_from_values_not_dtypes(self):
        actions = ActionSet.from_data(X)
        kinds = {element.name: element.kind for element in actions}
        assert kinds == {
            "age": "integer",
            "works": "bool",
            "member": "bool",
            "income": "real",
            "city": "categorical",
            "whole": "integer",
        }
        assert (actions["age"].lb, actions["age"].ub, actions["age"].step) == (25, 60, 1)
        assert actions["city"].values == ("Oslo", "Rome")
        assert actions["income"].step is None

    def test_containers_agree(self):
        numbers = X[["age", "works"]]
        expected = ActionSet.from_data(numbers).to_dict()
        assert ActionSet.from_data(pl.from_pandas(numbers)).to_dict() == expected
        array = ActionSet.from_data(numbers.to_numpy())
        assert [e.to_dict() for e in array] == list(expected["columns"].values())
        assert array.columns == ("x0", "x1")

    def test_only_what_is_actionable_moves(self):
        actions = ActionSet.from_data(X, actionable=["works", "city"])
        assert actions.movable == ("works", "city")
        actions.add("delta(age) <= 2 * delta(works)")
        assert actions.movable == ("age", "works", "city")

    @pytest.mark.parametrize(
        ("data", "actionable", "message"),
        [
            (X, ["wage"], "'wage' is not among the columns age, works"),
            (pd.DataFrame({"a": [None, None]}), None, "'a' has no value"),
            (pd.DataFrame({"a": [[1], [2]]}), None, "'a' holds values that cannot be compared"),
            (pd.DataFrame({"a": pd.to_datetime(["2020", "2021"])}), None, "'a' holds times"),
        ],
    )
    def test_what_cannot_be_learned_is_refused(self, data, actionable, message):
        with pytest.raises(ValueError, match=message):
            ActionSet.from_data(data, actionable)


class TestElements:
    @pytest.mark.parametrize(
        ("settings", "expected"),
        [
            ({}, [0, 1, 2, 3, 4, 5, 6]),
            ({"direction": "increase"}, [3, 4, 5, 6]),
            ({"direction": "decrease"}, [0, 1, 2, 3]),
            ({"step": 2}, [1, 3, 5]),
            ({"change": (-1, 2)}, [2, 3, 4, 5]),
            ({"change": (None, 0)}, [0, 1, 2, 3]),
            ({"change": ("-50%", "34%")}, [2, 3, 4]),
            ({"direction": "increase", "change": (-2, 1)}, [3, 4]),
        ],
    )
    def test_grid(self, settings, expected):
        element = ActionElement("n", "integer", 0, 6, **settings)
        assert element.grid(3).tolist() == expected
        assert element.n_values(3) == len(expected)
        inside = element.allows(3, np.arange(-2.0, 9.0))
        assert np.arange(-2, 9)[inside].tolist() == expected

    def test_real_columns_have_limits_and_may_have_steps(self):
        element = ActionElement("r", "real", 0.0, 2.0, change=("-10%", "10%"))
        assert element.limits(1.5) == pytest.approx((1.35, 1.65))
        assert element.n_values(1.5) == np.inf
        element.change, element.step = None, 0.5
        assert element.grid(0.75).tolist() == [0.25, 0.75, 1.25, 1.75]

    @pytest.mark.parametrize(
        ("name", "value", "message"),
        [
            ("lb", 9, "n: lb=9 leaves no value between it and ub=6; set the other one first"),
            ("ub", np.nan, "ub=nan should be a finite number"),
            ("direction", "up", "direction='up' should be one of"),
            ("actionable", 1, "actionable=1 should be True or False"),
            ("step", 0.5, "step=0.5 should be a whole number above 0"),
            ("step", None, "step=None should be a whole number above 0"),
            ("change", (1, 2), "should be \\(low, high\\) with low at most"),
            ("change", "10%", "should be \\(low, high\\)"),
            ("values", ("a",), "values are for categorical columns"),
        ],
    )
    def test_wrong_settings_name_what_is_allowed(self, name, value, message):
        element = ActionElement("n", "integer", 0, 6)
        with pytest.raises(ValueError, match=message):
            setattr(element, name, value)

    def test_a_misspelt_setting_is_refused(self):
        element = ActionElement("n", "integer", 0, 6)
        with pytest.raises(AttributeError, match="upper cannot be set; what can is lb, ub"):
            element.upper = 3


TEXTS = [
    ("delta(urls) <= delta(num_tweets)", LinearConstraint),
    ("if no_tweets == 1 then num_tweets == 0 else num_tweets >= 1", IfThen),
    ("if c in ('a', 'b') and n < 2 then `a name` >= -1.5", IfThen),
    ("`if` + 2 * b - 0.1 * c >= 3", LinearConstraint),
    ("abs(delta(a)) + 0.5 * abs(delta(b)) <= 3", LinearConstraint),
    ("1 <= a and a <= 5", LinearConstraint),
]


class TestText:
    @pytest.mark.parametrize(("text", "kind"), TEXTS)
    def test_text_gives_a_rule_that_prints_as_the_text(self, text, kind):
        names = ["urls", "num_tweets", "no_tweets", "n", "a name", "if", "a", "b"]
        elements = [ActionElement(name, "integer", -9, 9) for name in names]
        elements.append(ActionElement("c", "categorical", values=("a", "b")))
        if kind is LinearConstraint:
            elements[-1] = ActionElement("c", "integer", -9, 9)
        (rule,) = ActionSet(elements, [text]).constraints
        assert type(rule) is kind and str(rule) == text

    def test_assignment_is_a_linkage_for_every_term(self):
        elements = [ActionElement(name, "integer", 0, 9) for name in ("age", "res", "emp")]
        actions = ActionSet(elements, ["age := + delta(res) + 2 * delta(emp)"])
        assert actions.constraints == (
            DirectionalLinkage("res", "age", 1.0),
            DirectionalLinkage("emp", "age", 2.0),
        )

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("a", "'a' is no comparison"),
            ("__import__('os').system('ls') == 1", "the functions are delta"),
            ("a <= b or a >= 2", "'or' is not allowed"),
            ("a != b", "!=, is, and not are not allowed"),
            ("a * b <= 1", "is not a number times a column"),
            ("a ** 2 <= 1", "is not a column"),
            ("delta(a + b) <= 1", "is not a column"),
            ("abs(a) <= 1", "abs\\(delta\\(column\\)\\)"),
            ("(lambda: 1)() <= 1", "the functions are"),
            ("a.b <= 1", "is not a column; names go in backticks"),
            ("delta(a <= 1", "never closed"),
            ("a := b", "changes only"),
            ("a := 3", "changes only"),
            ("if a == 1", "it should look like"),
            ("then a == 1 if b == 2", "it should look like"),
            ("if a == 1 then b", "'b' is no comparison"),
            ("a in 3", "'in' is followed by a list"),
            ("a + b == 'x'", "compared with a single column"),
            ("1 <= 2", "should name a column"),
            ("zzz <= 1", "there is no column 'zzz'; the columns are a, b, c"),
            ("c <= 1", "'c' holds categories; compare it with one of"),
            ("if c == 'q' then a == 1", "'q' is none of its categories"),
            ("if a == 'x' then b == 1", "a holds numbers, but 'x' is none"),
            ("", "cannot be read"),
        ],
    )
    def test_what_is_no_rule_is_refused(self, text, message):
        elements = [ActionElement(name, "integer", 0, 9) for name in "ab"]
        elements.append(ActionElement("c", "categorical", values=("x", "y")))
        with pytest.raises(ValueError, match=message):
            ActionSet(elements).add(text)

    def test_other_things_are_no_rules(self):
        with pytest.raises(TypeError, match="should be a constraint, such as OneHot"):
            ActionSet([ActionElement("a", "bool")]).add(3)


RULES = [
    OneHot(["b1", "b2"]),
    Thermometer(["b1", "b2"], "both"),
    IfThen("c == 'x'", "n >= 1"),
    IfThen("n == 1", "b1 == 0", "c in ('x', 'y')"),
    DirectionalLinkage("n", ["m", "b1"], [2, 0.5], ">="),
    Reachability(["b1", "c"], [[0, "x"], [1, "y"]], [[1, 0], [0, 1]]),
    MutabilitySwitch("c", ["n", "b1"], on="x"),
    LinearConstraint("delta(n) + 0.3333333333333333 * m <= 2"),
]
COLUMNS = [
    ActionElement("b1", "bool", direction="increase"),
    ActionElement("b2", "bool", actionable=False),
    ActionElement("n", "integer", 0, 9, step=3, change=(None, "20%")),
    ActionElement("m", "real", 0.1, 0.30000000000000004),
    ActionElement("c", "categorical", values=("y", "x")),
]


def test_json_gives_the_action_set_again():
    actions = ActionSet(COLUMNS, RULES)
    text = json.dumps(actions.to_dict())
    again = ActionSet.from_dict(json.loads(text))
    assert again.to_dict() == actions.to_dict()
    assert again.constraints == tuple(RULES)
    written = {"columns": actions.to_dict()["columns"], "rules": ["delta(n) <= 3"]}
    assert ActionSet.from_dict(written).constraints == (LinearConstraint("delta(n) <= 3"),)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"rules": []}, "an action set has columns, rules"),
        ({"columns": {}, "effects": []}, "an action set has columns, rules"),
        ({"columns": {"a": {"lb": 0}}}, "columns.a.kind is missing"),
        ({"columns": {"a": {"kind": "bool", "max": 1}}}, "columns.a.max is not known"),
        ({"columns": {"a": {"kind": "number"}}}, "kind='number' should be one of"),
        ({"columns": {}, "rules": [{"rule": "Magic"}]}, "rule='Magic' should be one of"),
        ({"columns": {}, "rules": [{"rule": "OneHot", "names": []}]}, "OneHot has columns"),
    ],
)
def test_wrong_json_names_the_part(data, message):
    with pytest.raises(ValueError, match=message):
        ActionSet.from_dict(data)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: OneHot("a"), "two or more different columns"),
        (lambda: Thermometer(["a", "a"]), "two or more different columns"),
        (lambda: Thermometer(["a", "b"], "up"), "direction='up'"),
        (lambda: DirectionalLinkage("a", "a"), "columns other than source='a'"),
        (
            lambda: DirectionalLinkage("a", "b", 0),
            "scale=0 should be a number of 1e-100 to 1e.100 in size",
        ),
        (lambda: DirectionalLinkage("a", ["b", "c"], [1]), "one for each of 2 targets"),
        (lambda: DirectionalLinkage("a", "b", relation="="), "relation='='"),
        (lambda: Reachability(["a"], [[1, 2]], [[1]]), "a value for each of"),
        (lambda: Reachability(["a"], [[1]], [[1, 0]]), "matrix has shape \\(1, 2\\)"),
        (lambda: MutabilitySwitch("a", []), "targets=\\[\\] should be"),
        (lambda: LinearConstraint("c == 'x'"), "^Rule .* stands in IfThen"),
        (lambda: ActionSet(COLUMNS).add("b1 == True"), "^Rule 'b1 == True' .* write b1 == 1"),
        (lambda: LinearConstraint("`b 1` == False"), "write `b 1` == 0"),
        (lambda: ActionSet(COLUMNS, [OneHot(["b1", "n"])]), "'n' holds integer values"),
        (lambda: ActionSet(COLUMNS, [DirectionalLinkage("n", "c")]), "have no differences"),
        (lambda: ActionSet(COLUMNS, [MutabilitySwitch("c", "n")]), "1 is none of its categories"),
        (lambda: ActionSet([*COLUMNS, COLUMNS[0]]), r"2 elements for the column '\w+'; there"),
        (lambda: Constraint.from_dict({}), "rule=None"),
    ],
)
def test_wrong_rules_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_validate_lists_rows_and_rules():
    actions = ActionSet.from_data(X, actionable=["works", "income"])
    actions["income"].lb = 15.0
    actions.add("if works == 1 then age >= 50").add("delta(age) <= delta(works)")
    found = actions.validate(X)
    assert found[["row", "rule"]].to_numpy().tolist() == [
        [0, "income"],
        [1, "if works == 1 then age >= 50"],
        [2, "income"],
    ]
    assert found["message"].tolist() == [
        "income=10.5 is outside of [15, 20]",
        "if works == 1 then age >= 50 does not hold",
        "income is missing or none of its values",
    ]
    assert actions.validate(X.iloc[:0]).empty
    with pytest.raises(ValueError, match="X has the columns works; the action set has, in this"):
        actions.validate(X[["works"]])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"lb": -3}, "b: lb=-3 should be 0 or 1 for a column of kind"),
        ({"ub": 4}, "b: ub=4 should be 0 or 1 for a column of kind"),
        ({"step": 2}, "b: step=2 should be 1 for a column of kind"),
    ],
)
def test_truth_values_are_0_and_1(settings, message):
    with pytest.raises(ValueError, match=message):
        ActionElement.from_dict("b", {"kind": "bool", **settings})
    element = ActionElement("b", "bool", False, True)
    ((name, value),) = settings.items()
    with pytest.raises(ValueError, match=message):
        setattr(element, name, value)
    element.ub = 0
    assert element.grid(0).tolist() == [0]


def test_many_categories_do_not_flood_a_line():
    X = pd.DataFrame({"day": pd.date_range("2026-01-01", periods=300), "visits": range(300)})
    actions = ActionSet.from_data(X, ["visits"])
    assert len(repr(actions["day"])) < 400
    with pytest.raises(ValueError, match="'day' holds categories") as raised:
        actions.add("day >= 3")
    assert len(str(raised.value)) < 400
