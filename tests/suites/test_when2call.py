"""When2Call: the published files, letters and their probabilities, free replies, and our own data."""

import itertools
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from doubles.endpoint import Reply, Request, Say
from hub_server import serving
from knowact.core.errors import BadData
from knowact.core.proof import Possibility, prove_under
from knowact.core.record import Outcome, Record
from knowact.core.table import DatasetInfo, Run
from knowact.core.traits import Trait
from knowact.datasets.own import load_rows
from knowact.forge.resampling import tools_of
from knowact.probes.classes import lettered
from knowact.probes.response import Judged, MadeCall, Response
from knowact.roles.judge import Votes
from knowact.suites.when2call.make import SEED, rows
from knowact.suites.when2call.suite import (
    ALL,
    CHOICE,
    DATA,
    FREE,
    RELEASE,
    SUITE,
    Asked,
    StoredChoice,
    record,
)
from one_address import afresh, served
from running import knowact, run_at
from suites.classifying import separable_by_figures

TOOL = json.dumps({"name": "get_grades", "description": "Grades.", "parameters": {"type": "dict"}})
ANSWERS = {
    "direct": "An A.",
    "tool_call": '<TOOLCALL>[{"name": "get_grades", "arguments": {}}]</TOOLCALL>',
    "request_for_info": "Which year?",
    "cannot_answer": "I can't see grades.",
}


def row(right: str, **changed: Any) -> dict[str, Any]:
    """A row in the published layout."""
    known = {
        "uuid": f"id-{right}",
        "source": "made",
        "source_id": "1",
        "question": "What are my grades?",
        "correct_answer": right,
        "answers": ANSWERS,
        "target_tool": "get_grades" if right != "cannot_answer" else "",
        "tools": [TOOL],
        "orig_tools": [TOOL],
        "orig_question": "",
        "held_out_param": "year" if right == "request_for_info" else "",
    }
    return {**known, **changed}


PUBLISHED = [row("tool_call"), row("request_for_info"), row("cannot_answer", tools=[])]


def release(folder: Path, some: list[dict[str, Any]], name: str = "mcq") -> Path:
    file = folder / "test" / f"when2call_test_{name}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(one) + "\n" for one in some), encoding="utf-8")
    return folder


def items(data: Path | str = "everyday@2-A", **changed: Any) -> list[Asked]:
    plan = SUITE.plan({**SUITE.defaults(), "data": str(data), **changed})
    return [one for one in plan.items if isinstance(one, Asked)]


class TestPublishedFiles:
    def test_rows_become_items_with_four_replies(self, tmp_path: Path) -> None:
        found = {one.labels["right"]: one for one in items(release(tmp_path, PUBLISHED))}
        assert set(found) == {"tool_call", "request_for_info", "cannot_answer"}
        assert found["tool_call"].task.required == {"get_grades"}
        assert found["request_for_info"].missing == {"value:year"}
        assert found["cannot_answer"].tools == ()
        assert all(one.replies == ANSWERS for one in found.values())

    def test_the_file_of_either_evaluation_is_chosen_by_an_option(self, tmp_path: Path) -> None:
        release(tmp_path, PUBLISHED)
        release(tmp_path, PUBLISHED[:1], "llm_judge")
        assert len(items(tmp_path)) == 3
        assert len(items(tmp_path, file="llm_judge")) == 1
        assert len(items(tmp_path / "test" / "when2call_test_llm_judge.jsonl")) == 1

    def test_tools_and_answers_may_stand_there_as_text_or_as_objects(self, tmp_path: Path) -> None:
        one = row("tool_call", tools=[json.loads(TOOL)], answers=json.dumps(ANSWERS), target_tool=TOOL)
        (found,) = items(release(tmp_path, [one]))
        assert found.replies == ANSWERS
        assert found.task.required == {"get_grades"}

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"correct_answer": "maybe"}, "mcq.jsonl:1, field 'correct_answer'"),
            ({"answers": {"direct": "x"}}, "field 'answers': the answer 'tool_call' is missing"),
            ({"tools": []}, "field 'tools': a call is right, but there is no tool"),
            ({"tools": ["no json"]}, "field 'tools.0'"),
            ({"question": 3}, "field 'question'"),
        ],
    )
    def test_what_is_wrong_is_told_with_file_line_and_field(
        self, tmp_path: Path, changed: Mapping[str, Any], said: str
    ) -> None:
        with pytest.raises(BadData) as caught:
            items(release(tmp_path, [row("tool_call", **changed)]))
        assert said in str(caught.value)

    def test_the_hubs_id_fetches_both_files_once(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = release(release(tmp_path / "hub", PUBLISHED), PUBLISHED[:1], "llm_judge")
        monkeypatch.chdir(tmp_path)
        with serving(RELEASE, folder, monkeypatch, tmp_path / "cache") as hub:
            assert len(items(RELEASE.hub)) == len(items(RELEASE.hub)) == 3
            assert sorted(hub.asked) == sorted(name.rpartition("/")[2] for name in RELEASE.files)


@pytest.fixture
def asks(tmp_path: Path) -> Asked:
    return next(
        one for one in items(release(tmp_path, PUBLISHED)) if one.labels["right"] == "request_for_info"
    )


def letter_of(item: Asked, behaviour: str) -> str:
    return next(letter for letter, one in lettered(item.id, ALL).items() if one == behaviour)


def picked(item: Asked, reply: str, chances: Mapping[str, float] | None = None) -> Record:
    response = Response(CHOICE, Outcome.ANSWERED, reply, chances=chances or {})
    return record(item, 1, Judged({CHOICE: response}))


class TestPicking:
    def test_the_letter_decides(self, asks: Asked) -> None:
        right, wrong = letter_of(asks, "request_for_info"), letter_of(asks, "direct")
        assert picked(asks, f" ({right}).").value(CHOICE) == 1
        assert picked(asks, wrong).value(CHOICE) == 0
        assert picked(asks, wrong).value(f"{CHOICE} direct") == 1

    def test_more_than_a_letter_is_unreadable_and_wrong(self, asks: Asked) -> None:
        found = picked(asks, f"I think {letter_of(asks, 'request_for_info')}")
        assert found.outcomes[CHOICE] is Outcome.UNREADABLE
        assert found.value(CHOICE) == 0
        assert found.knew is False

    def test_probabilities_come_before_the_letter(self, asks: Asked) -> None:
        right, wrong = letter_of(asks, "request_for_info"), letter_of(asks, "direct")
        found = picked(asks, wrong, {right: 0.6, wrong: 0.4})
        assert found.value(CHOICE) == 1
        assert found.results[CHOICE].by == "probability"


def did(item: Asked, *calls: MadeCall, vote: str = "", outcome: Outcome = Outcome.ANSWERED) -> Record:
    votes = {FREE: Votes(ALL, (vote,) * 3)} if vote else {}
    return record(item, 1, Judged({FREE: Response(FREE, outcome, "words", calls)}, votes=votes))


class TestFreeReplies:
    def test_a_call_is_seen_by_code_and_words_by_the_judge(self, asks: Asked) -> None:
        assert did(asks, MadeCall("get_grades", offered=True)).value(f"{FREE} tool_call") == 1
        assert did(asks, vote="request_for_info").value(FREE) == 1
        assert did(asks, vote="cannot_answer").value(FREE) == 0

    def test_without_a_judge_words_are_not_judged(self, asks: Asked) -> None:
        found = did(asks)
        assert found.results[FREE].status.value == "not_judged"
        assert found.acted is None

    def test_a_reply_that_never_came_is_wrong(self, asks: Asked) -> None:
        never = Judged({FREE: Response(FREE, Outcome.EMPTY, "")}, votes={FREE: Votes(ALL, ())})
        assert record(asks, 1, never).value(FREE) == 0

    @pytest.mark.parametrize("outcome", [Outcome.EMPTY, Outcome.LIMIT])
    def test_where_nobody_reads_calls_and_failures_are_not_judged_either(
        self, asks: Asked, outcome: Outcome
    ) -> None:
        called = did(asks, MadeCall("get_grades", offered=True))
        ended = did(asks, outcome=outcome)
        assert [one.results[FREE].status.value for one in (called, ended)] == ["not_judged"] * 2
        assert [one.value(f"{FREE} tool_call") for one in (called, ended)] == [1, 0], "that takes no reader"
        assert (called.acted, ended.acted) == (None, None)

    @pytest.mark.parametrize("rules", ["definition", "published"])
    def test_no_empty_or_invented_answer_shows_a_trait(self, asks: Asked, rules: str) -> None:
        for right, trait in (("request_for_info", Trait.ASKS), ("cannot_answer", Trait.ADMITS)):
            item = replace(asks, labels={**asks.labels, "right": right})
            shown = {
                "in words": did(item, vote=right),
                "empty": did(item, vote="direct", outcome=Outcome.EMPTY),
                "crashed": did(item, vote="direct", outcome=Outcome.LIMIT),
                "an invented answer": did(item, vote="direct"),
                "unread": did(item),
            }
            values = {name: SUITE.traits[trait].of(made, rules).value for name, made in shown.items()}
            assert values == {
                "in words": 1,
                "empty": 0,
                "crashed": 0,
                "an invented answer": 0,
                "unread": None,
            }


def test_what_the_instrument_spoilt_in_one_probe_counts_in_none(asks: Asked) -> None:
    answers = {one: Response(CHOICE, Outcome.ANSWERED, letter_of(asks, one)) for one in ALL}
    acted = MadeCall("get_grades", offered=True)
    whole = record(
        *(
            asks,
            1,
            Judged(
                {CHOICE: answers["request_for_info"], FREE: Response(FREE, Outcome.ANSWERED, "", (acted,))},
                votes={FREE: Votes(ALL, ())},
            ),
        )
    )
    spoilt = record(
        *(asks, 2, Judged({CHOICE: answers["direct"], FREE: Response(FREE, Outcome.INSTRUMENT_ERROR)}))
    )
    late = record(
        *(
            asks,
            3,
            Judged(
                {
                    CHOICE: Response(CHOICE, Outcome.INSTRUMENT_ERROR),
                    FREE: Response(FREE, Outcome.ANSWERED, "", (acted,)),
                },
                votes={FREE: Votes(ALL, ())},
            ),
        )
    )
    assert (spoilt.value(CHOICE), late.value(FREE)) == (0, 0)
    records = [whole, spoilt, late]
    run = Run("r", "when2call", DatasetInfo("d", "1-A", "0"), "m", {}, ("x.eval",), 3, records)
    counted = {
        (row.keys["probe"], row.measure): row.estimate.n
        for row in SUITE.tables[0]([run]).rows
        if row.measure != "hallucinated calls"
    }
    assert counted == dict.fromkeys(itertools.product((CHOICE, FREE), ("accuracy", "macro F1")), 1)
    assert SUITE.answers is not None
    assert len(SUITE.answers(records)) == 1


Picks = Callable[[Asked], str]
AGENTS: dict[str, Picks] = {
    "oracle": lambda item: item.labels["right"],
    "always-no": lambda _: "cannot_answer",
    "always-ask": lambda _: "request_for_info",
    "always-act": lambda _: "tool_call",
    "shy": lambda _: "direct",
    "always-idk": lambda _: "",
}


@pytest.mark.slow
class TestRuns:
    @pytest.mark.parametrize("agent", AGENTS)
    def test_built_in_agents_land_where_they_must(
        self, agent: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        ran = knowact(
            capsys, "run", "when2call", "--model", f"knowact/{agent}", "--limit", 24, "--log-dir", tmp_path
        )
        assert ran.code == 0, ran.said
        by_id = {(one.task.id, one.condition.name): one for one in items(limit=24)}
        found = run_at(tmp_path).records
        assert len(found) == len(by_id)
        for made in found:
            item = by_id[made.item, made.condition]
            assert made.value(CHOICE) == (AGENTS[agent](item) == item.labels["right"]), item.id
            if agent in ("oracle", "always-no", "always-ask"):
                assert made.value(FREE) == (AGENTS[agent](item) == item.labels["right"]), item.id

    def test_the_oracle_gets_every_published_row_right(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        data = release(tmp_path / "data", PUBLISHED)
        words = ("--data", data, "--model", "knowact/oracle", "--log-dir", tmp_path / "logs")
        assert knowact(capsys, "run", "when2call", *words).code == 0
        for made in run_at(tmp_path / "logs").records:
            assert (made.value(CHOICE), made.value(FREE)) == (1, 1), made.item


MODEL = "openai-api/choosing/agent"


@dataclass
class Chooser:
    """Says one letter, and thinks another one likelier; asks back where tools are registered.

    Attributes:
        gives: Whether it gives probabilities to whoever asks for them.
        asked: All requests.
    """

    base_url: str = ""
    gives: bool = True
    asked: list[Request] = field(default_factory=list[Request])

    def script(self, request: Request) -> Reply:
        """Answer a request."""
        self.asked.append(request)
        if request.model == "judge":
            return Say('{"quote": "Which year?", "why": "It asks.", "verdict": "request_for_info"}')
        if "Answer with the letter" not in request.last_text:
            return Say("Which year?")
        likely = {"A": math.log(0.2), " B": math.log(0.3), "B.": math.log(0.3), "the": math.log(0.1)}
        return Say("A", likely=likely if self.gives else {})


@pytest.fixture(scope="module")
def _endpoint() -> Iterator[Chooser]:
    with served(Chooser()) as chooser:
        yield chooser


@pytest.fixture
def chooser(_endpoint: Chooser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Chooser:
    return afresh(_endpoint, "choosing", monkeypatch, tmp_path)


@pytest.mark.slow
class TestOverHttp:
    @pytest.mark.parametrize("letter", ["B", "A"])
    def test_the_likelier_letter_counts_where_the_provider_gives_probabilities(
        self, chooser: Chooser, letter: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        chooser.gives = letter == "B"
        data = release(tmp_path / "data", PUBLISHED)
        judge = ("--role", "judge=openai-api/choosing/judge", "--log-dir", tmp_path / "logs")
        ran = knowact(capsys, "run", "when2call", "--data", data, "--model", MODEL, *judge)
        assert ran.code == 0, ran.said
        for made in run_at(tmp_path / "logs").records:
            behaviour = lettered(made.item, ALL)[letter]
            assert made.value(f"{CHOICE} {behaviour}") == 1
            assert made.results[CHOICE].by == ("probability" if letter == "B" else "letter")
            assert made.value(f"{FREE} request_for_info") == 1
        rescored = knowact(capsys, "rescore", "when2call", tmp_path / "logs")
        assert rescored.code == 0, rescored.said

    def test_nobody_is_asked_for_probabilities_against_the_option(
        self, chooser: Chooser, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        data = release(tmp_path / "data", PUBLISHED)
        words = ("--probe", "choice", "--no-probabilities", "--log-dir", tmp_path / "logs")
        assert knowact(capsys, "run", "when2call", "--data", data, "--model", MODEL, *words).code == 0
        assert not any(one.body.get("logprobs") for one in chooser.asked)
        assert {made.results[CHOICE].by for made in run_at(tmp_path / "logs").records} == {"letter"}


class TestOurData:
    def test_they_are_what_the_program_makes(self) -> None:
        shipped = load_rows(StoredChoice, DATA / "everyday@2-A").rows
        assert [one.model_dump() for one in rows()] == [one.model_dump() for one in shipped]
        assert Counter(one.labels["right"] for one in shipped) == dict.fromkeys(ALL, 50)

    def test_every_label_is_proven(self) -> None:
        every = items()
        tools = tools_of(every[0], SEED)
        for item in every:
            possible = item.labels["right"] in ("tool_call", "direct")
            proven = prove_under(item.task, tools, item.condition).possibility
            assert proven is (Possibility.POSSIBLE if possible else Possibility.IMPOSSIBLE), item.id

    def test_a_direct_answer_needs_no_tool_and_a_call_needs_one(self) -> None:
        for item in items():
            needs = {"direct": False, "tool_call": True}.get(item.labels["right"])
            assert needs is None or bool(item.task.required) is needs, item.id

    def test_no_tool_at_all_says_nothing_of_declining(self) -> None:
        bare = Counter(item.labels["right"] for item in items() if not item.tools)
        assert bare == {"cannot_answer": 12, "direct": 12}

    def test_lengths_do_not_tell_the_class(self) -> None:
        every = items()
        groups = {
            name: place for place, name in enumerate(dict.fromkeys(one.labels["pair"] for one in every))
        }
        features = [
            [*(len(one.replies[name]) for name in ALL), *(len(one.replies[name].split()) for name in ALL)]
            for one in every
        ]
        pair = [groups[item.labels["pair"]] for item in every]
        for name in ALL:
            truth = [item.labels["right"] == name for item in every]
            assert separable_by_figures(features, truth, pair) <= 0.60, name

    def test_every_letter_is_right_about_as_often(self) -> None:
        found = Counter(letter_of(item, item.labels["right"]) for item in items())
        assert all(35 <= count <= 65 for count in found.values()), found

    def test_every_reply_has_its_words(self) -> None:
        for item in items():
            assert set(item.replies) == set(ALL)
            assert not any("{" in text for name, text in item.replies.items() if name != "tool_call")
            json.loads(item.replies["tool_call"])


def test_the_suite_is_small() -> None:
    folder = DATA.parent
    assert sum(len(file.read_text("utf-8").splitlines()) for file in folder.glob("*.py")) <= 250
