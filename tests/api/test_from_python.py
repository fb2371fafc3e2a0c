"""The keyword arguments of `knowact.run`, read into a request without running anything."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact import suites
from knowact.core.errors import BadData, BadUsage, KnowactError
from knowact.running.from_python import called_first, request_of
from knowact.running.request import RunRequest


def read(suite: str = "kapro", /, **options: Any) -> RunRequest:
    return request_of(suites.find(suite), options, {})


def test_nothing_given_is_the_request_of_the_suite_s_defaults() -> None:
    suite = suites.find("car")
    assert read("car") == RunRequest(suite=suite, trials=suite.trials)
    assert read("car", limit=None, judge=None, log_dir=None) == read("car")


def test_each_common_option_has_its_field() -> None:
    request = read(
        model="x/y",
        agent=["py:a:b", "cmd:c"],
        agent_name="Mine",
        agent_timeout=2,
        judge="none",
        role={"user": "u/v", "judge": "w"},
        limit="3",
        trials=2,
        seed=-1,
        rules="published",
        max_connections=4,
        cost_limit="0.5",
        log_dir="here",
        display="plain",
        live=True,
        fresh=True,
    )
    assert request == RunRequest(
        suite=suites.find("kapro"),
        models=("x/y",),
        agents=("py:a:b", "cmd:c"),
        agent_name="Mine",
        agent_timeout=2.0,
        judge="none",
        roles=("user=u/v", "judge=w"),
        limit=3,
        trials=2,
        seed=-1,
        rules="published",
        max_connections=4,
        cost_limit=0.5,
        log_dir=Path("here"),
        display="plain",
        live=True,
        fresh=True,
    )


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"limit": 0}, "The option limit takes a whole number of at least 1, not 0."),
        ({"limit": True}, "The option limit takes a whole number of at least 1, not True."),
        ({"seed": 1.5}, "The option seed takes a whole number, not 1.5."),
        ({"cost_limit": -1}, "The option cost_limit takes a number of at least 0, not -1."),
        ({"cost_limit": float("nan")}, "The option cost_limit takes a number of at least 0, not nan."),
        ({"agent_timeout": 0}, "The option agent_timeout takes a number of at least 0.1, not 0."),
        ({"rules": "mine"}, "The option rules takes definition or published, not 'mine'."),
        ({"fresh": 1}, "The option fresh takes true or false, not 1."),
        ({"model": 7}, "The option model takes a text, not 7."),
        ({"judge": ["a"]}, "The option judge takes a text, not ['a']."),
        ({"lmit": 3}, "No such option '--lmit'."),
        ({"strategy": "nonsense"}, "nonsense"),
        ({"strategy": ["none", "none"]}, "--strategy has a value twice"),
        ({"max_tokens": [0]}, "--max-tokens takes whole numbers from 1 and default, not '0'."),
        ({"reasoning_effort": "some"}, "--reasoning-effort takes default, "),
    ],
)
def test_a_value_that_does_not_fit_gets_a_sentence(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(KnowactError) as raised:
        read(**options)
    assert complaint in str(raised.value)


def test_an_option_of_earlier_versions_names_its_successor() -> None:
    with pytest.raises(BadUsage) as raised:
        read("car", driver="x")
    assert str(raised.value) == suites.find("car").dropped["driver"]


def test_lists_are_treatments_and_budgets_and_none_among_them_is_the_usual() -> None:
    request = read(strategy=["none", "gather-then-act"], max_tokens=[None, 512], reasoning_effort="low,high")
    assert request.options["strategy"] == ("none", "gather-then-act")
    assert request.budgets == {"max_tokens": (None, 512), "reasoning_effort": ("low", "high")}


def test_false_leaves_out_what_is_no_switch_and_sets_what_is() -> None:
    switches = {option.name for option in suites.find("kapro").options if isinstance(option.default, bool)}
    others = {option.name for option in suites.find("kapro").options} - switches
    assert switches
    assert others
    assert read(**dict.fromkeys(switches, False)).options == dict.fromkeys(switches, False)
    assert read(**dict.fromkeys(others - {"strategy"}, False)).options == {}


def test_a_file_s_options_come_after_those_of_the_call(tmp_path: Path) -> None:
    file = tmp_path / "runs.toml"
    file.write_text(
        'model = "x/y"\nlimit = 9\n[kapro]\ncost-limit = 2\n[kapro.inspect]\nmax-tokens = 8\ntimeout = 5\n',
        encoding="utf-8",
    )
    request = request_of(suites.find("kapro"), {"config": file, "limit": 4}, {"timeout": 6})
    assert (request.models, request.limit, request.cost_limit) == (("x/y",), 4, 2.0)
    assert request.engine == {"max_tokens": 8, "timeout": 6}
    with pytest.raises(BadData, match="cannot be read"):
        read(config=tmp_path / "none.toml")


@settings(max_examples=60, deadline=None)
@given(st.integers(min_value=1), st.integers())
def test_a_number_is_read_alike_as_a_number_and_as_a_text(count: int, seed: int) -> None:
    assert read(limit=count, trials=count) == read(limit=str(count), trials=str(count))
    assert read(seed=seed).seed == seed


@pytest.mark.parametrize(
    ("variable", "called"), [(None, True), ("1", True), ("0", False), (" Off ", False), ("yes", True)]
)
def test_models_are_called_first_unless_the_call_or_the_environment_says_no(
    variable: str | None,
    called: bool,  # noqa: FBT001 - a case
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("KNOWACT_PREFLIGHT", raising=False)
    if variable is not None:
        monkeypatch.setenv("KNOWACT_PREFLIGHT", variable)
    assert called_first(None) is called
    assert called_first(True) is True
    assert called_first(False) is False
