"""Bad data: one sentence with file, line, field and what to do, before any model is called."""

import copy
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bad_files import Bad
from bad_own import own
from bad_published import published
from kaware_records import Record, document, place_of, release, several, single, write, write_text
from knowact.agents.provider import BuiltInAgent
from knowact.core.errors import BadData
from knowact.core.suite import Plan
from knowact.probes.probe import tools_as_text
from knowact.suites.kapro.suite import SUITE
from own_tasks import parcel, rain, replayed, write_items, write_items_text
from running import Ran, knowact

CASES = (*published(), *own())


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every question that a built-in agent is asked while the test runs."""
    questions: list[str] = []
    generate = BuiltInAgent.generate

    async def counted(self: BuiltInAgent, input: list[Any], *rest: Any, **named: Any) -> Any:  # noqa: A002
        questions.append(self.model_name)
        return await generate(self, input, *rest, **named)

    monkeypatch.setattr(BuiltInAgent, "generate", counted)
    return questions


def run_on(capsys: pytest.CaptureFixture[str], data: Path, logs: Path) -> Ran:
    return knowact(
        capsys, "run", "kapro", "--data", data, "--model", "knowact/oracle", "--log-dir", logs, "--yes"
    )


def options(data: Path) -> dict[str, Any]:
    every = {"probe": "both", "subspace": "all", "topology": "all", "limit": 0, "seed": 0}
    return {
        **every,
        "data": str(data),
        "distractors": 2,
        "rounds": 10,
        "solo": 1,
        "votes": 3,
        "rules": "definition",
    }


def test_there_are_fifty_mutations_and_more() -> None:
    assert len(CASES) == len({bad.id for bad in CASES})
    assert len(CASES) >= 50


@pytest.mark.parametrize("bad", CASES, ids=lambda bad: bad.id)
def test_a_mutation_is_told_in_one_sentence_and_nothing_is_run(
    bad: Bad, tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: list[str]
) -> None:
    folder, logs = tmp_path / "data", tmp_path / "logs"
    bad.write(folder)
    ran = run_on(capsys, folder, logs)
    assert ran.code == 2
    place = folder / bad.where if bad.where else folder
    assert ran.err.startswith(f"Error: {place}: ")
    assert bad.said in ran.err
    assert ". Fix: " in ran.err
    assert ran.err.endswith(".\n")
    assert ran.err.count("\n") == 1
    assert ran.out == ""
    assert asked == []
    assert not logs.exists()


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["published", "own"])
def test_what_the_mutations_start_from_is_valid_and_runs(
    layout: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: list[str]
) -> None:
    folder, logs = tmp_path / "data", tmp_path / "logs"
    if layout == "published":
        write(folder, release())
    else:
        write_items(folder, [rain(), parcel(), replayed()])
    ran = run_on(capsys, folder, logs)
    assert ran.code == 0, ran.said
    assert set(asked) == {"oracle"}
    assert list(logs.rglob("*.eval"))


def test_a_name_that_is_no_data_set_gets_the_near_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run_on(capsys, Path("everday@1-A"), tmp_path / "logs")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "There is no data set or folder named 'everday@1-A'. Did you mean 'everyday@2-A'" in ran.err


def test_a_path_that_leads_nowhere_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = run_on(capsys, tmp_path / "nowhere", tmp_path / "logs")
    assert ran.code == 2
    assert f"Error: {tmp_path / 'nowhere'}: there is no such folder. Fix: " in ran.err


Where = tuple[str | int, ...]

LOOKALIKES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 10**400, 1e300, "", " ", "::", "A::", "tide_table", "P1", "P2", "{"),
    *("\ud83d", "9" * 5000, [], {}, [[]], [None], {"": None}, {"tide_table": None}),
    *({"type": ["x", None]}, {"properties": []}, {"required": 5}, {"anyOf": 5, "$ref": "#"}),
)
"""What is nearly right somewhere, or hard to digest anywhere."""

ANY: st.SearchStrategy[Any] = st.sampled_from(LOOKALIKES) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)

SEEDS: tuple[Record, ...] = (
    single(),
    single(tool_doc=document("tide_table"), mcp_server=["https://example.org"]),
    several(mcp_server="https://example.org"),
    several(tool_doc={name: document(name) for name in ("tide_table", "knots_to_kmh")}),
    several("P3", "multi-hop", {"knots_to_kmh": "P3", "count_words": "P3"}, tool_response=["7", "2"]),
)


def places_in(value: Any, here: Where = ()) -> Iterator[Where]:
    """The path of every value inside a JSON value."""
    pairs = cast("dict[str, Any]", value).items() if isinstance(value, dict) else enumerate(value)
    for key, inner in pairs:
        yield (*here, key)
        if isinstance(inner, dict | list):
            yield from places_in(inner, (*here, key))


def mutated(record: Record, path: Where, *, delete: bool, value: Any) -> Record:
    """A copy in which one value is gone or another."""
    changed = copy.deepcopy(record)
    parent: Any = changed
    for key in path[:-1]:
        parent = parent[key]
    if delete:
        del parent[path[-1]]
    else:
        parent[path[-1]] = value
    return changed


def mutations(records: Sequence[Record]) -> st.SearchStrategy[tuple[int, Where, bool, Any]]:
    """Which record, where in it, gone or replaced, and by what (often by a value from elsewhere in it)."""

    def of(number: int) -> st.SearchStrategy[tuple[int, Where, bool, Any]]:
        places = list(places_in(records[number]))
        elsewhere = st.sampled_from(places).map(lambda path: value_at(records[number], path))
        return st.tuples(st.just(number), st.sampled_from(places), st.booleans(), ANY | elsewhere)

    return st.integers(0, len(records) - 1).flatmap(of)


def value_at(record: Record, path: Where) -> Any:
    """The value at a path."""
    value: Any = record
    for key in path:
        value = value[key]
    return value


def planned(folder: Path) -> Plan | None:
    """The plan over a folder, as the command line makes it; None if the data are refused."""
    try:
        made = SUITE.plan(options(folder))
    except BadData as error:
        assert error.place.file.is_relative_to(folder)  # noqa: PT017 - it may load as well
        assert "\n" not in str(error)  # noqa: PT017 - likewise
        return None
    for item in made.items:  # what a run would show can be shown
        json.loads(tools_as_text(item.tools))
        item.task.opening.text.encode()
    return made


class TestAnyChangeLoadsOrIsRefused:
    @pytest.mark.slow
    @settings(deadline=None, max_examples=300)
    @given(mutations(SEEDS))
    @example((0, ("target_tool",), False, []))
    @example((0, ("target_tool",), False, "Sea::"))
    @example((0, ("task",), False, "\ud83d"))
    @example((1, ("tool_doc", "input_schema"), False, {"required": 5, "properties": 5}))
    @example((0, ("index",), False, "9" * 5000))
    def test_of_a_published_record(
        self, tmp_path_factory: pytest.TempPathFactory, change: tuple[int, Where, bool, Any]
    ) -> None:
        number, path, delete, value = change
        record = mutated(SEEDS[number], path, delete=delete, value=value)
        folder = tmp_path_factory.mktemp("published")
        write(folder, {place_of(SEEDS[number]): [record]})
        planned(folder)

    @pytest.mark.slow
    @settings(deadline=None, max_examples=300)
    @given(mutations((rain(), parcel(), replayed())))
    @example((1, ("plan", 1, "arguments", "order_number", "step"), False, -1))
    @example((0, ("plan", 0, "wants"), False, ["tide"]))
    @example((2, ("world", "setup", "tools"), False, 5))
    def test_of_a_task_of_our_own(
        self, tmp_path_factory: pytest.TempPathFactory, change: tuple[int, Where, bool, Any]
    ) -> None:
        number, path, delete, value = change
        tasks = [rain(), parcel(), replayed()]
        tasks[number] = mutated(tasks[number], path, delete=delete, value=value)
        planned(write_items(tmp_path_factory.mktemp("own"), tasks))

    @settings(deadline=None, max_examples=150)
    @given(st.data())
    def test_a_line_that_is_cut_anywhere_is_refused(
        self, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
    ) -> None:
        record = data.draw(st.sampled_from(SEEDS))
        text = json.dumps(record)
        folder = tmp_path_factory.mktemp("cut")
        write_text(folder, place_of(record), text[: data.draw(st.integers(1, len(text) - 1))])
        assert planned(folder) is None

    @settings(deadline=None, max_examples=150)
    @given(st.data())
    def test_any_text_for_a_line_loads_or_is_refused(
        self, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
    ) -> None:
        text = json.dumps(data.draw(st.sampled_from((rain(), parcel(), replayed()))))
        at = data.draw(st.integers(0, len(text)))
        noise = data.draw(st.text(st.characters(codec="utf-8"), max_size=4))
        changed = text[:at] + noise + text[at + data.draw(st.integers(0, 4)) :]
        planned(write_items_text(tmp_path_factory.mktemp("noise"), changed))
