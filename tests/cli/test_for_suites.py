"""What a command's help says of suites is what the command does with them."""

from pathlib import Path

import pytest

from knowact import suites
from knowact.cli.for_suites import (
    Fits,
    borrowing,
    forged,
    judged,
    listed,
    of_own_tools,
    one_question,
    paired,
    played,
    published,
)
from knowact.core.suite import ROLES
from knowact.running.sources import typed
from running import knowact

HELP: tuple[tuple[str, Fits, str], ...] = (
    ("forge", forged, "Suites: {}."),
    ("forge", paired, "or of a suite's data. For {}."),
    ("forge", of_own_tools, "('knowact tools add'). For {}."),
    ("forge", borrowing, "if not the shipped one. For {}."),
    ("rescore", published, "Suites with published outputs: {}."),
    ("demo", played, "Suites: {}."),
    ("human audit", judged, "in place of the tasks. For {}."),
    ("human answer", one_question, "Suites with one question: {}."),
    ("report", one_question, "beside the models'. For {}."),
    ("new", of_own_tools, "[default: the suite of KAS]. For {}."),
)

REFUSALS: tuple[tuple[str, Fits, str], ...] = (
    ("forge SUITE", forged, "has no recipe for data"),
    ("forge SUITE --from nowhere", paired, "makes no pairs of other data"),
    ("forge SUITE --with kapro=nowhere", borrowing, "use no other requests"),
    ("rescore SUITE nowhere", published, "no suite with published outputs"),
    ("new nowhere --python nowhere --model m --suite SUITE", of_own_tools, "data from tools alone"),
)
"""Commands that end with 2 for every suite, and why they do where the suite is the reason."""


@pytest.mark.parametrize(("command", "fits", "sentence"), HELP)
def test_help_names_the_suites(
    command: str, fits: Fits, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = " ".join(knowact(capsys, *command.split(), "--help").out.split())
    assert sentence.format(listed(fits)) in said
    fitting = [fits(suites.find(name)) for name in suites.names()]
    assert any(fitting), "it is for some"
    assert not all(fitting), "what is for all needs no list"


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("words", "fits", "why"), REFUSALS)
def test_the_others_are_refused_and_only_they(
    words: str, fits: Fits, why: str, nowhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # A suite without a recipe is refused for that, whatever else is asked of its recipe.
    every = [
        name
        for name in suites.names()
        if fits in {forged, published, of_own_tools} or forged(suites.find(name))
    ]
    refused: list[str] = []
    for name in every:
        done = knowact(capsys, *words.replace("SUITE", typed(name)).split())
        assert done.code == 2
        refused += [name] if why in done.err else []
    assert refused == [name for name in every if not fits(suites.find(name))]
    assert refused
    assert not list(nowhere.iterdir()), "nothing was begun"


def test_suites_are_listed_as_people_type_them() -> None:
    assert listed(lambda suite: suite.name in {"car", "fail_talms", "kapro"}) == "car, fail-talms and kapro"
    assert listed(lambda suite: suite.name == "fail_talms") == "fail-talms"
    assert listed(lambda _: False) == "no suite that is installed"


VARIANTS: tuple[tuple[str, dict[str, str]], ...] = (
    *((name, {}) for name in suites.own_names()),
    ("car", {"user": "model"}),
    ("fail_talms", {"helper": "model"}),
    ("when2call", {"probe": "free"}),
)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_a_suite_declares_the_roles_that_its_runs_use(name: str, options: dict[str, str]) -> None:
    suite = suites.find(name)
    plan = suite.plan({**suite.defaults(), **options, "limit": 4})
    assert {*plan.role_calls, *plan.headline} <= {*suite.roles} <= {*ROLES}


def test_a_suite_without_roles_takes_their_options_and_does_not_show_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A file of options is for several suites."""
    shown = {
        name: knowact(capsys, "run", typed(name), "--help").out.count("--judge")
        for name in suites.own_names()
    }
    assert {name for name, count in shown.items() if not count} == {
        name for name in suites.own_names() if not suites.find(name).roles
    }
