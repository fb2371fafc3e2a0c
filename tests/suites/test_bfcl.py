"""BFCL relevance: the published files, the scores of the built-in agents, and our own data."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hub_server import serving
from knowact.core.errors import BadData, BadUsage
from knowact.core.proof import Possibility, prove_under
from knowact.core.record import Outcome
from knowact.core.table import DatasetInfo, Run
from knowact.datasets.own import load_rows
from knowact.datasets.single_items import StoredItem
from knowact.forge.resampling import tools_of
from knowact.probes.response import Judged, MadeCall, Response
from knowact.suites.bfcl.make import SEED, rows
from knowact.suites.bfcl.suite import DATA, RELEASE, REPLY, SOURCE, SUITE, Asked, record, spec
from running import knowact, records_at
from suites.classifying import separable_by_figures, separable_by_words

SCHEMA: dict[str, Any] = {
    "type": "dict",
    "properties": {"city": {"type": "string"}, "k": {"type": "float"}},
    "required": ["city"],
}


NO_MESSAGE: list[Any] = [[]]


def row(number: int, **changed: Any) -> dict[str, Any]:
    """A row in the published layout."""
    function = {"name": "weather.get", "description": "Weather of a city.", "parameters": SCHEMA}
    said = [{"role": "user", "content": f"How warm is it in town {number}?"}]
    return {"id": f"row_{number}", "question": [said], "function": [function], **changed}


def release(folder: Path, **files: list[dict[str, Any]]) -> Path:
    """Published files by category."""
    folder.mkdir(parents=True, exist_ok=True)
    for category, some in files.items():
        text = "".join(json.dumps(one) + "\n" for one in some)
        (folder / f"BFCL_v3_{category}.json").write_text(text, encoding="utf-8")
    return folder


def items(data: Path | str, **changed: Any) -> list[Asked]:
    plan = SUITE.plan({**SUITE.defaults(), "data": str(data), **changed})
    return [one for one in plan.items if isinstance(one, Asked)]


@pytest.fixture
def published(tmp_path: Path) -> Path:
    system = {"role": "system", "content": "You serve a weather station."}
    user = {"role": "user", "content": "Hello?"}
    return release(
        tmp_path / "bfcl",
        irrelevance=[row(1), row(2, function=[])],
        live_irrelevance=[row(3, question=[[system, user]])],
        live_relevance=[row(4), row(5)],
    )


class TestPublishedFiles:
    def test_every_category_is_read_with_what_is_right_in_it(self, published: Path) -> None:
        found = {item.id: (item.labels["category"], item.fits, len(item.tools)) for item in items(published)}
        assert found == {
            "row_1": ("irrelevance", False, 1),
            "row_2": ("irrelevance", False, 0),
            "row_3": ("live_irrelevance", False, 1),
            "row_4": ("live_relevance", True, 1),
            "row_5": ("live_relevance", True, 1),
        }

    def test_any_prefix_is_a_fair_sample(self, published: Path) -> None:
        assert [one.labels["category"] for one in items(published, limit=3)] == [
            *("irrelevance", "live_irrelevance", "live_relevance")
        ]

    def test_a_system_message_is_kept_and_none_of_ours_is_added(self, published: Path) -> None:
        (probe,) = spec(SUITE.plan(SUITE.defaults()), SUITE.defaults()).probes(items(published)[0])
        by_id = {item.id: [(m.role, m.text) for m in probe.opening(item, {})] for item in items(published)}
        assert by_id["row_3"] == [("system", "You serve a weather station."), ("user", "Hello?")]
        assert by_id["row_1"] == [("user", "How warm is it in town 1?")]

    def test_a_newer_version_of_a_file_is_read_instead(self, tmp_path: Path) -> None:
        folder = release(tmp_path, irrelevance=[row(1)])
        (folder / "BFCL_v4_irrelevance.json").write_text(json.dumps(row(2)), encoding="utf-8")
        assert [item.id for item in items(folder)] == ["row_2"]

    def test_one_file_can_be_named(self, published: Path) -> None:
        assert len(items(published / "BFCL_v3_live_relevance.json")) == 2

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            (
                {"question": NO_MESSAGE},
                "json:1, field 'question': the last message must be the user's",
            ),
            ({"question": "hi"}, "irrelevance.json:1, field 'question'"),
            ({"function": [{"description": "x"}]}, "field 'function.0.name': this field is missing"),
            ({"function": [row(1)["function"][0]] * 2}, "two functions have the name 'weather.get'"),
        ],
    )
    def test_what_is_wrong_is_told_with_file_line_and_field(
        self, tmp_path: Path, changed: Mapping[str, Any], said: str
    ) -> None:
        with pytest.raises(BadData) as caught:
            items(release(tmp_path, irrelevance=[row(1, **changed)]))
        assert said in str(caught.value)

    def test_an_id_that_occurs_twice_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match=r"irrelevance\.json:2: the id 'row_1' occurs twice"):
            items(release(tmp_path, irrelevance=[row(1), row(1)]))

    def test_a_folder_without_such_files_says_what_it_lacks(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match=r"neither items\.jsonl nor a file like BFCL_v3_irrelevance\.json"):
            items(tmp_path)

    def test_the_hubs_id_fetches_the_files_once(
        self, published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        with serving(RELEASE, published, monkeypatch, tmp_path / "cache") as hub:
            assert len(items(RELEASE.hub)) == 5
            assert len(items(RELEASE.hub)) == 5
            assert hub.asked == list(RELEASE.files)


def judged(*calls: MadeCall, outcome: Outcome = Outcome.ANSWERED) -> Judged:
    return Judged({REPLY: Response(REPLY, outcome, "" if calls else "Sorry.", calls)})


OFFERED = MadeCall("weather.get", offered=True, arguments={"city": "Oslo"})
INVENTED = MadeCall("no_such_tool", offered=False, arguments={})
UNFIT = MadeCall("weather.get", offered=True, arguments={"k": "warm"})
UNREAD = MadeCall("weather.get", offered=True, arguments=None)


class TestScores:
    @pytest.mark.parametrize(
        ("made", "rules", "relevant", "irrelevant"),
        [
            (judged(), "definition", 0, 1),
            (judged(OFFERED), "definition", 1, 0),
            (judged(INVENTED), "definition", 0, 0),
            (judged(INVENTED), "published", 1, 0),
            (judged(UNREAD), "definition", 1, 0),
            (judged(UNREAD), "published", 0, 1),
            (judged(OFFERED, UNREAD), "definition", 1, 0),
            (judged(OFFERED, UNREAD), "published", 0, 1),
            (judged(UNFIT), "definition", 1, 0),
            (judged(UNFIT), "published", 1, 0),
            (judged(outcome=Outcome.EMPTY), "definition", 0, 0),
            (judged(outcome=Outcome.EMPTY), "published", 0, 1),
            (judged(outcome=Outcome.LIMIT), "definition", 0, 0),
            (judged(outcome=Outcome.LIMIT), "published", 0, 1),
        ],
    )
    def test_what_counts_as_a_call_and_what_as_restraint(
        self, published: Path, made: Judged, rules: str, relevant: int, irrelevant: int
    ) -> None:
        for item in items(published):
            found = record(item, 1, made, published=rules == "published")
            assert found.value("right") == (relevant if item.fits else irrelevant), item.id

    @pytest.mark.parametrize(("rules", "right"), [("definition", 0), ("published", 1)])
    def test_a_pair_is_right_where_both_its_items_are(
        self, published: Path, tmp_path: Path, rules: str, right: int
    ) -> None:
        fits, other = (next(one for one in items(published) if one.fits is fits) for fits in (True, False))
        pair = [replace(one, labels={**one.labels, "pair": "p"}) for one in (fits, other)]
        said = (judged(INVENTED), judged())
        found = [
            replace(record(one, 1, made, published=rules == "published"), cluster="p")
            for one, made in zip(pair, said, strict=True)
        ]
        assert [one.value("right") for one in found] == [right, 1]
        data = DatasetInfo("d", "1-A", "0")
        run = Run("r", "bfcl", data, "m", {"rules": rules}, ("x.eval",), 2, found)
        assert SUITE.headline is not None
        assert (SUITE.headline.of(run).value, SUITE.headline.of(run).n) == (right, 1)
        rows = {
            row.keys["model"]: row.estimate
            for row in SUITE.tables[0]([run]).rows
            if row.measure == "both right"
        }
        assert (rows["m"].value, {row.n for row in rows.values()}) == (right, {1})

    def test_what_is_odd_about_calls_is_counted_and_no_call_is_hidden(self, published: Path) -> None:
        found = record(items(published)[0], 1, judged(INVENTED, UNREAD), published=True)
        assert (found.calls, dict(found.flags)) == (2, {"invented_tool": 1, "bad_arguments": 1})

    def test_rows_without_partners_have_no_table_of_pairs_and_no_headline(self, published: Path) -> None:
        found = [record(one, 1, judged(), published=True) for one in items(published)]
        run = Run("r", "bfcl", DatasetInfo("d", "1-A", "0"), "m", {}, ("x.eval",), len(found), found)
        assert SUITE.headline is not None
        assert not SUITE.tables[0]([run]).rows
        assert (SUITE.headline.of(run).value, SUITE.headline.policies(run)) == (None, {})

    def test_baselines_stand_for_the_items_of_each_run(self) -> None:
        some = {
            size: [record(one, 1, judged(), published=False) for one in items("everyday@2-A", limit=size)]
            for size in (3, 5)
        }
        runs = [
            Run(
                f"r{size}", "bfcl", DatasetInfo("d", "1-A", "0"), f"m{size}", {}, ("x.eval",), 2 * size, found
            )
            for size, found in some.items()
        ]
        rows = {
            (row.keys["model"], row.keys.get("items")): row.estimate.n
            for row in SUITE.tables[0](runs).rows
            if row.measure == "both right"
        }
        assert rows == {
            ("m3", None): 3,
            ("m5", None): 5,
            **{(policy, f"{2 * size}"): size for policy in ("always call", "never call") for size in (3, 5)},
        }

    def test_a_failed_instrument_leaves_the_item_unscored(self, published: Path) -> None:
        found = record(items(published)[0], 1, judged(outcome=Outcome.INSTRUMENT_ERROR), published=False)
        assert not found.scored
        assert not found.results


Policy = Callable[[Any], bool]
POLICIES: dict[str, Policy] = {
    "oracle": lambda item: item.fits,
    "always-no": lambda _: False,
    "always-ask": lambda _: False,
    "shy": lambda _: False,
    "eager": lambda item: bool(item.tools),
    "always-act": lambda item: bool(item.tools),
}
"""Whether a built-in agent calls."""


@pytest.mark.slow
class TestRuns:
    @pytest.mark.parametrize("agent", POLICIES)
    def test_built_in_agents_land_where_they_must(
        self, agent: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        ran = knowact(
            capsys, "run", "bfcl", "--model", f"knowact/{agent}", "--limit", 12, "--log-dir", tmp_path
        )
        assert ran.code == 0, ran.said
        for item in items("everyday@2-A", limit=12):
            condition = "" if item.condition.name == "clean" else item.condition.name
            made = next(
                r for r in _records(tmp_path) if (r.item, r.condition) == (item.task.id, condition or "clean")
            )
            assert made.value("right") == (POLICIES[agent](item) == item.fits)

    @pytest.mark.parametrize("rules", ["published", "definition"])
    @pytest.mark.parametrize("agent", sorted(POLICIES.keys() - {"eager"}))  # it says nothing without tools
    def test_built_in_agents_land_where_they_must_on_published_rows(
        self, agent: str, rules: str, published: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        words = ("--data", published, "--model", f"knowact/{agent}", "--rules", rules)
        ran = knowact(capsys, "run", "bfcl", *words, "--log-dir", tmp_path / "logs")
        assert ran.code == 0, ran.said
        assert "both right" not in ran.said
        right = {one.item: one.value("right") for one in records_at(tmp_path / "logs").values()}
        assert right == {item.id: POLICIES[agent](item) == item.fits for item in items(published)}

    def test_what_a_schema_loses_is_told_per_tool_at_load(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        odd: dict[str, Any] = {
            **SCHEMA,
            "properties": {**SCHEMA["properties"], "k": {"type": "float", "optional": True}},
        }
        data = release(
            tmp_path / "data",
            irrelevance=[row(1, function=[{"name": "weather.get", "description": "", "parameters": odd}])],
        )
        words = ("--data", data, "--model", "knowact/shy", "--log-dir", tmp_path / "logs")
        ran = knowact(capsys, "run", "bfcl", *words)
        assert "The schema of weather.get loses something: k: 'optional' is not carried." in ran.said


def _records(folder: Path) -> Any:
    from running import run_at

    return run_at(folder).records


class TestOurData:
    def test_they_are_what_the_program_makes(self) -> None:
        shipped = load_rows(StoredItem, DATA / "everyday@2-A").rows
        assert [one.model_dump() for one in rows()] == [one.model_dump() for one in shipped]
        assert len(shipped) == 200

    def test_every_label_is_proven(self) -> None:
        every = items("everyday@2-A")
        tools = tools_of(every[0], SEED)
        for item in every:
            proven = prove_under(item.task, tools, item.condition).possibility
            assert proven is (Possibility.POSSIBLE if item.fits else Possibility.IMPOSSIBLE), item.id

    def test_requests_and_tools_are_crossed(self) -> None:
        every = items("everyday@2-A")
        sets: dict[frozenset[str], list[bool]] = {}
        for item in every:
            sets.setdefault(frozenset(tool.name for tool in item.tools), []).append(item.fits)
        texts: dict[str, list[bool]] = {}
        for item in every:
            texts.setdefault(item.task.opening.text, []).append(item.fits)
        for found in (sets, texts):
            assert all(sum(some) * 2 == len(some) for some in found.values())

    def test_neither_lengths_nor_words_of_either_alone_tell_the_class(self) -> None:
        every = items("everyday@2-A")
        truth = [item.fits for item in every]
        couples = {name: place for place, name in enumerate(dict.fromkeys(one.task.id for one in every))}
        groups = [couples[item.task.id] // 2 for item in every]
        figures = [
            [len(one.task.opening.text), len(one.tools), sum(len(tool.description) for tool in one.tools)]
            for one in every
        ]
        assert separable_by_figures(figures, truth, groups) <= 0.60
        names = [" ".join(tool.name for tool in item.tools) for item in every]
        assert separable_by_words(names, truth, groups) <= 0.60
        assert separable_by_words([item.task.opening.text for item in every], truth, groups) <= 0.60

    def test_nothing_is_left_of_a_category_that_is_not_there(self) -> None:
        with pytest.raises(BadUsage, match="No item is left; widen --category or --limit"):
            SOURCE.plan({**SUITE.defaults(), "category": "live_relevance"})


def test_the_suite_is_small() -> None:
    folder = DATA.parent
    assert sum(len(file.read_text("utf-8").splitlines()) for file in folder.glob("*.py")) <= 250
