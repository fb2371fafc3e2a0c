"""`knowact forge ict --from`: published rows, and the command: resumed, refused, with files in roles."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from doubles.endpoint import Refuse401, Say
from knowact.engine.writing import ATTEMPTS
from knowact.suites.ict.cases import load_cases
from knowact.suites.ict.making import Making
from own_tasks import Record, replayed, write_items
from running import knowact

from .pairs_from import JOBS, PLACES, ROLES, Models, forged, task, tool


def function(job: str) -> Record:
    """A tool as function-calling sets publish it."""
    made = {name: value for name, value in tool(job).items() if name != "parameters"}
    return {**made, "parameters": {**tool(job)["parameters"], "type": "dict"}}


def turns_of(number: int) -> list[list[Record]]:
    return [[{"role": "user", "content": task(number)["opening"]["text"]}]]


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """Rows of turns and functions, their calls in another folder, and what cannot be used among them."""
    rows = [
        {"id": f"row-{number}", "question": turns_of(number), "function": [function(job)]}
        for number, job in enumerate(JOBS)
    ]
    told = {"role": "system", "content": "You are terse."}
    rows[3]["question"] = [[told, *turns_of(3)[0]]]
    rows[4]["question"] = [*turns_of(4), *turns_of(4)]
    calls = [
        {
            "id": f"row-{number}",
            "ground_truth": [
                {tool(JOBS[number])["name"]: {"place": ["somewhere", PLACES[number]], "unit": ["", "usual"]}}
            ],
        }
        for number in range(len(JOBS) - 1)
    ]
    folder = tmp_path / "published"
    (folder / "possible_answer").mkdir(parents=True)
    name = "BFCL_v3_simple.json"
    (folder / name).write_text("\n".join(map(json.dumps, rows)), "utf-8")
    (folder / "possible_answer" / name).write_text("\n".join(map(json.dumps, calls)), "utf-8")
    return folder


class TestPublishedRows:
    def test_of_turns_and_functions_come_with_their_calls(
        self, models: Models, published: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "pairs"
        done = forged(capsys, published, out, *ROLES)
        assert done.code == 0, done.said
        pairs = {pair.id: pair for pair in load_cases(out).pairs}
        assert pairs.keys() == {f"row-{n}-{way}" for n in range(3) for way in ("replacement", "removal")}
        lost = pairs["row-1-removal"].lost
        assert lost is not None
        assert (lost.parameter, lost.value) == ("place", PLACES[1])
        sheet = (out / "README.md").read_text("utf-8")
        for why in (
            "a system message comes with it",
            "it goes on after a reply",
            "no gold call is published",
        ):
            assert f"Not used: 1 ({why}" in sheet

    def test_of_choices_come_with_the_call_that_is_right(
        self, models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        called = [
            {"name": tool(JOBS[number])["name"], "arguments": {"place": PLACES[number]}}
            for number in range(3)
        ]
        forms: list[Any] = [
            called[0],
            json.dumps(called[1]),
            f"<TOOLCALL>[{json.dumps(called[2])}]</TOOLCALL>",
            "Just call it.",
        ]
        rows = [
            {
                "uuid": f"row-{number}",
                "question": task(number)["opening"]["text"],
                "tools": [json.dumps(function(JOBS[number]))],
                "correct_answer": "tool_call" if number != 4 else "cannot_answer",
                "answers": {"tool_call": forms[min(number, 3)], "direct": "Sure."},
            }
            for number in range(5)
        ]
        folder = tmp_path / "published"
        folder.mkdir()
        (folder / "when2call_test_mcq.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
        done = forged(capsys, folder, tmp_path / "pairs", "--way", "removal", *ROLES)
        assert done.code == 0, done.said
        assert {pair.id for pair in load_cases(tmp_path / "pairs").pairs} == {
            f"row-{number}-removal" for number in range(3)
        }
        assert "its gold call cannot be read" in (tmp_path / "pairs" / "README.md").read_text("utf-8")

    def test_a_folder_with_neither_is_refused(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "notes.json").write_text("[1, 2]", "utf-8")
        done = forged(capsys, tmp_path, tmp_path / "pairs")
        assert done.code == 2
        assert "the folder holds neither items.jsonl nor published rows with their calls" in done.err


class TestTheCommand:
    def test_killed_anywhere_it_goes_on_and_asks_nothing_twice(
        self,
        models: Models,
        items: Path,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        whole = forged(capsys, items, tmp_path / "whole", *ROLES)
        assert whole.code == 0
        asked = Counter(models.asked)
        models.asked.clear()
        kept = Making.keep
        moments = iter((3, 4, 9))
        ends = [next(moments)]

        def interrupted(self: Making, answer: object) -> None:
            kept(self, answer)
            ends[0] -= 1
            if ends[0] == 0:
                ends[0] = next(moments, -1)
                raise KeyboardInterrupt

        monkeypatch.setattr(Making, "keep", interrupted)
        codes = [forged(capsys, items, tmp_path / "killed", *ROLES).code for _ in range(4)]
        assert codes == [130, 130, 130, 0]
        assert Counter(models.asked) == asked
        one, other = ((tmp_path / name / "items.jsonl").read_bytes() for name in ("whole", "killed"))
        assert one == other
        models.asked.clear()
        assert forged(capsys, items, tmp_path / "killed").code == 0
        assert models.asked == []

    def test_what_a_provider_fails_is_told_and_asked_again(
        self, models: Models, items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        models.first = [Refuse401(), *[Say("No idea.")] * ATTEMPTS]
        words = ("--way", "replacement", "--size", "4", *ROLES)
        done = forged(capsys, items, tmp_path / "pairs", *words)
        assert done.code == 1
        assert "no usable vote on" in done.err
        assert "2 answers are missing. Run the same command to resume." in done.err
        assert not (tmp_path / "pairs" / "items.jsonl").exists()
        assert forged(capsys, items, tmp_path / "pairs", *words).code == 0

    def test_a_file_can_be_the_judge(
        self, items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        rulings = tmp_path / "rulings.jsonl"
        rulings.write_text('{"id": "nothing", "ruling": {"verdict": "tool"}}', "utf-8")
        done = forged(capsys, items, tmp_path / "pairs", "--size", "1", "--role", f"judge=file:{rulings}")
        assert done.code == 1
        assert "no usable vote on" in done.err

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ((), "6 votes are open. Add --role judge=MODEL."),
            (("--size", "0"), "0 is not in the range"),
            (("--with", "kapro=x"), "--with cannot be combined with --from."),
            (("--embed", "some/encoder"), "Embeddings need the package sentence-transformers"),
        ],
    )
    def test_wrong_words_end_in_a_sentence(
        self,
        words: tuple[str, ...],
        said: str,
        items: Path,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        *,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setitem(sys.modules, "sentence_transformers", None)
        done = forged(capsys, items, tmp_path / "pairs", "--way", "replacement", *words)
        assert done.code == 2
        assert said in done.err

    @pytest.mark.parametrize(
        ("source", "said"),
        [
            ("nowhere", "There is no folder 'nowhere', and no suite of that name. Suites: "),
            ("car", "The items of car are conversations; pairs take requests."),
            ("kapro=nowhere", "no data set or folder named 'nowhere'"),
        ],
    )
    def test_a_source_that_is_none_is_refused(
        self, source: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = forged(capsys, source, tmp_path / "pairs")
        assert done.code == 2
        assert said in done.err

    def test_items_from_which_nothing_can_go_missing_are_refused(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        items = write_items(tmp_path / "items", [replayed()])
        done = forged(capsys, items, tmp_path / "pairs")
        assert done.code == 2
        assert "items has no complete item that needs a tool (no tool is needed: 1)." in done.err

    def test_a_broken_line_is_named(
        self, items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with (items / "items.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(task(0, id="odd", offered=["fly"])))
        done = forged(capsys, items, tmp_path / "pairs")
        assert done.code == 2
        assert "items.jsonl:7, field" in done.err

    def test_another_suites_complete_items_serve_as_well(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = forged(capsys, "fail-talms", tmp_path / "pairs", "--way", "replacement", "--size", "3")
        assert done.code == 0, done.said
        pairs = load_cases(tmp_path / "pairs").pairs
        assert len(pairs) == 3
        assert "something is missing in them already" in (tmp_path / "pairs" / "README.md").read_text("utf-8")

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("--from", "kapro"), "kapro makes no pairs of other data."),
            (("--seed", "3", "--level", "near"), "--level cannot be combined with a recipe; add --from."),
            ((), "--seed N fixes plans and the world's values. Add it."),
        ],
    )
    def test_what_does_not_go_together_is_said(
        self, words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = knowact(capsys, "forge", "kapro", *words)
        assert done.code == 2
        assert said in done.err
