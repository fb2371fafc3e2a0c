"""`knowact forge kapro`: plans from scenarios, words from writers, votes from judges; and what goes wrong."""

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from doubles.endpoint import Refuse401, Reply, Request, Say, ScriptedEndpoint, ServerError
from forge.small_world import small
from knowact.datasets.own import load_own
from knowact.engine.writing import ATTEMPTS
from knowact.forge.briefs import Brief
from knowact.forge.flat import flat
from knowact.forge.ratings import DIMENSIONS
from knowact.forge.recipe import Work
from knowact.retrieval.duplicates import without_duplicates
from running import Ran, knowact

WRITER, JUDGE = "openai-api/forge/writer", "openai-api/forge/judge"
HIDDEN = "knowact-secret-key"
SIZE = 12
pytestmark = pytest.mark.slow
FORGE = ("forge", "kapro", "--seed", "27", "--size", SIZE, "--yes", "--max-connections", "1")


@pytest.fixture(autouse=True)
def few_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowact.worlds.everyday.material.material", small)


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Iterator["Models"]:
    played = Models()
    with ScriptedEndpoint(played.script, keep_requests=False) as endpoint:
        monkeypatch.setenv("FORGE_API_KEY", HIDDEN)
        monkeypatch.setenv("FORGE_BASE_URL", endpoint.base_url)
        yield played


@contextmanager
def interrupted(monkeypatch: pytest.MonkeyPatch, due: Callable[[], bool]) -> Generator[None]:
    """Somebody types Ctrl-C once an answer is kept and it is time."""
    kept = Work.keep

    def keep(self: Work, answer: Any) -> None:
        kept(self, answer)
        if due():
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Work, "keep", keep)
        yield


class Models:
    """A writer that strings briefs together, and a judge that likes everything but what it is told not to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.first: list[Reply] = []
        self.refuses: set[str] = set()
        self.dislikes: set[str] = set()

    def script(self, request: Request) -> Reply:
        self.asked.append(request.model)
        if self.first:
            return self.first.pop(0)
        if request.model == "judge":
            votes = {name: name not in self.dislikes for name in DIMENSIONS}
            return Say(json.dumps({**votes, "why": "because"}))
        brief = Brief.model_validate_json(
            request.conversation.split("The brief:\n\n")[1].split("\n}\n")[0] + "}"
        )
        if brief.id in self.refuses:
            return Say('{"refused": "nobody would"}')
        return Say(flat(brief).model_dump_json(include={"versions"}))


def no_candidates(*_args: object) -> Iterator[object]:
    return iter(())


def forged(capsys: pytest.CaptureFixture[str], folder: Path, *words: object) -> Ran:
    return knowact(capsys, *FORGE, "--out", folder, *words)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


class TestFlat:
    def test_makes_a_data_set_that_says_who_wrote_it_and_that_runs(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = forged(capsys, tmp_path / "mine", "--role", "writer=flat")
        assert done.code == 0, done.said
        mine = load_own(tmp_path / "mine")
        assert len(mine.rows) == SIZE
        assert {str(task.provenance["writer"]) for task in mine.rows} == {"flat"}
        assert mine.info.written_by == ()
        sheet = (tmp_path / "mine" / "README.md").read_text(encoding="utf-8")
        assert "| flat | 12 |" in sheet
        # What holds of the shipped set alone: who read it, when, and how it reads.
        assert not any(one in sheet for one in ("last two readers", "November", "shipped", "of one family"))
        run = ("run", "kapro", "--data", tmp_path / "mine", "--model", "knowact/oracle", "--yes")
        ran = knowact(capsys, *run, "--log-dir", tmp_path / "logs")
        assert ran.code == 0, ran.said
        assert "KAS, averaged over the kinds of task, is 100% on 12 items." in ran.said

    def test_gives_the_same_bytes_again_and_a_longer_set_begins_with_the_shorter(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for name in ("one", "other"):
            assert forged(capsys, tmp_path / name, "--role", "writer=flat").code == 0
        longer = knowact(
            capsys, *FORGE[:4], "--size", SIZE + 8, "--role", "writer=flat", "--out", tmp_path / "longer"
        )
        assert longer.code == 0, longer.said
        one, other, more = (
            (tmp_path / name / "items.jsonl").read_text(encoding="utf-8").splitlines()
            for name in ("one", "other", "longer")
        )
        assert one == other == more[:SIZE]

    def test_a_smaller_set_forgets_nothing_of_a_larger_one(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "mine"
        assert forged(capsys, out, "--role", "writer=flat").code == 0
        files = {name: (out / name).read_bytes() for name in ("plans.jsonl", "texts.jsonl", "items.jsonl")}
        smaller = knowact(capsys, *FORGE[:4], "--size", 5, "--out", out)
        assert smaller.code == 0, smaller.said
        assert len(load_own(out).rows) == 5
        assert forged(capsys, out).code == 0
        assert {name: (out / name).read_bytes() for name in files} == files

    def test_another_seed_makes_other_requests(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert forged(capsys, tmp_path / "27", "--role", "writer=flat").code == 0
        words = ("forge", "kapro", "--seed", "5", "--size", SIZE, "--role", "writer=flat")
        assert knowact(capsys, *words, "--out", tmp_path / "5").code == 0
        texts = [{row["brief"] for row in lines(tmp_path / seed / "texts.jsonl")} for seed in ("27", "5")]
        # Where all is said and only one of three persons is drawn, a brief may come again.
        assert len(texts[0] & texts[1]) <= SIZE / 3


class TestPeople:
    def test_briefs_go_out_and_texts_come_back(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "briefs.jsonl"
        assert forged(capsys, tmp_path / "mine", "--briefs", out).code == 0
        briefs = [Brief.model_validate(one) for one in lines(out)]
        assert len(briefs) == SIZE
        answers = [flat(brief).model_copy(update={"writer": "Ada"}) for brief in briefs]
        refused = {"brief": briefs[0].id, "refused": "nobody asks for that", "writer": "Ada"}
        rows = [json.dumps(refused), *(one.model_dump_json() for one in answers[1:])]
        (tmp_path / "texts.jsonl").write_text("\n".join(rows), encoding="utf-8")
        first = forged(capsys, tmp_path / "mine", "--texts", tmp_path / "texts.jsonl")
        assert first.code == 2
        assert "1 briefs have no text" in first.err
        assert forged(capsys, tmp_path / "mine", "--briefs", out).code == 0
        (left,) = [Brief.model_validate(one) for one in lines(out)]
        assert left.id not in {brief.id for brief in briefs}
        (tmp_path / "last.jsonl").write_text(flat(left).model_dump_json(), encoding="utf-8")
        assert forged(capsys, tmp_path / "mine", "--texts", tmp_path / "last.jsonl").code == 0
        writers = Counter(task.provenance["writer"] for task in load_own(tmp_path / "mine").rows)
        assert writers == {"Ada": SIZE - 1, "flat": 1}

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("Just use get_forecast.", "names a tool: 'get_forecast'"),
            ("Please tell me <script>alert(1)</script> at once.", "markup"),
            ("Something quite different.", "do not stand in the text"),
        ],
    )
    def test_a_bad_text_is_named_with_what_is_wrong(
        self, text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "briefs.jsonl"
        assert forged(capsys, tmp_path / "mine", "--briefs", out).code == 0
        good = flat(Brief.model_validate(lines(out)[0])).model_dump(mode="json")
        good["versions"]["complete"]["text"] = text
        (tmp_path / "texts.jsonl").write_text(json.dumps(good), encoding="utf-8")
        done = forged(capsys, tmp_path / "mine", "--texts", tmp_path / "texts.jsonl")
        assert done.code == 2
        assert good["brief"] in done.err
        assert said in done.err
        assert not (tmp_path / "mine" / "items.jsonl").exists()

    def test_a_text_that_repeats_another_one_stops_the_freezing(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert forged(capsys, tmp_path / "mine", "--role", "writer=flat").code == 0
        monkeypatch.setattr("knowact.forge.recipe.ALIKE", 0.15)
        done = forged(capsys, tmp_path / "mine")
        assert done.code == 2
        assert " repeats " in done.err

    def test_or_is_given_up_and_replaced_where_its_writer_is_asked_again(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("knowact.forge.recipe.ALIKE", 0.15)
        done = forged(capsys, tmp_path / "mine", "--role", "writer=flat")
        assert done.code == 0
        assert "Most often: It says the same as the text of" in done.out
        texts = [task.opening.text for task in load_own(tmp_path / "mine").rows]
        assert without_duplicates(texts, 0.15).dropped == {}


class TestReaders:
    def test_requests_go_out_blind_and_readings_come_back_once(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out, sheet = tmp_path / "mine", tmp_path / "requests.jsonl"
        assert forged(capsys, out, "--role", "writer=flat").code == 0
        assert forged(capsys, out, "--to-read", sheet).code == 0
        requests = lines(sheet)
        assert {frozenset(one) for one in requests} == {
            frozenset(("brief", "text", "shown", "request", "tools"))
        }
        required = {str(task.provenance["brief"]): sorted(task.required) for task in load_own(out).rows}
        said = [
            {
                "brief": one["brief"],
                "text": one["text"],
                "reader": "Grace",
                "natural": natural,
                "needs": needs,
            }
            for one, natural, needs in zip(
                requests,
                (1, 2, *[4] * (SIZE - 2)),
                ([*required[requests[0]["brief"]], "x"], *[required[one["brief"]] for one in requests[1:]]),
                strict=True,
            )
        ]
        (tmp_path / "readings.jsonl").write_text("\n".join(map(json.dumps, said)), encoding="utf-8")
        for _ in range(2):
            assert forged(capsys, out, "--readings", tmp_path / "readings.jsonl").code == 0
            assert len(lines(out / "readings.jsonl")) == SIZE
        row = "| complete | 1 | 12 | 3.58 | 2 | 11 of 12 | 0 |"
        assert row in (out / "README.md").read_text(encoding="utf-8")

    @pytest.mark.parametrize(
        ("reading", "said"),
        [
            ({"natural": 6}, "natural"),
            ({"needs": "none"}, "needs"),
            ({"mood": "good"}, "mood"),
        ],
    )
    def test_a_wrong_reading_is_named_with_its_line_and_field(
        self, reading: dict[str, object], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        good: dict[str, object] = {"brief": "b", "text": "t", "reader": "Grace", "natural": 4, "needs": []}
        file = tmp_path / "readings.jsonl"
        file.write_text(json.dumps({**good, **reading}), encoding="utf-8")
        done = forged(capsys, tmp_path / "mine", "--role", "writer=flat", "--readings", file)
        assert done.code == 2
        assert f"{file}:1" in done.err
        assert said in done.err


class TestModels:
    def test_faults_are_asked_again_and_what_was_wrong_is_told(
        self, models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        models.first = [
            Say("I'd rather not."),
            Say('{"versions": {"complete": {"text": "Call get_forecast.", "words": {}}}}'),
        ]
        done = forged(capsys, tmp_path / "mine", "--role", f"writer={WRITER}", "--role", f"judge={JUDGE}")
        assert done.code == 0, done.said
        assert "at least 12 calls" in done.out
        assert Counter(models.asked) == {"writer": SIZE + 2, "judge": 3 * SIZE}
        attempts = [row["attempts"] for row in lines(tmp_path / "mine" / "texts.jsonl")]
        assert attempts == [3, *[1] * (SIZE - 1)]
        assert {row["writer"] for row in lines(tmp_path / "mine" / "texts.jsonl")} == {WRITER}
        assert load_own(tmp_path / "mine").info.written_by == ("writer",)
        assert "Rated by models: 12 of 12 requests." in (tmp_path / "mine" / "README.md").read_text("utf-8")
        made = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
        assert made
        assert not any(HIDDEN.encode() in one for one in [*made, done.said.encode()])

    def test_a_refused_plan_is_replaced(
        self, models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "briefs.jsonl"
        assert forged(capsys, tmp_path / "mine", "--briefs", out).code == 0
        models.refuses = {lines(out)[3]["id"]}
        done = forged(capsys, tmp_path / "mine", "--role", f"writer={WRITER}")
        assert done.code == 0, done.said
        used = {str(task.provenance["brief"]) for task in load_own(tmp_path / "mine").rows}
        assert len(used) == SIZE
        assert not used & models.refuses

    def test_a_killed_run_goes_on_and_asks_nothing_twice(
        self,
        models: Models,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        words = ("--role", f"writer={WRITER}", "--role", f"judge={JUDGE}", "--votes", "1")
        with interrupted(monkeypatch, lambda: len(models.asked) == 5):
            assert forged(capsys, tmp_path / "mine", *words).code == 130
        assert forged(capsys, tmp_path / "mine", *words).code == 0
        assert Counter(models.asked) == {"writer": SIZE, "judge": SIZE}
        assert forged(capsys, tmp_path / "mine", *words).code == 0
        assert Counter(models.asked) == {"writer": SIZE, "judge": SIZE}

    def test_a_brief_that_its_writer_never_gets_right_is_given_up_and_replaced(
        self, models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "mine"
        models.first = [Say("No.")] * ATTEMPTS
        done = forged(capsys, out, "--role", f"writer={WRITER}")
        assert done.code == 0, done.said
        assert len(load_own(out).rows) == SIZE
        assert "Given up: 1 briefs for which the writer produced no valid text." in done.out
        assert "Given up: 1 briefs" in (out / "README.md").read_text("utf-8")
        (failed,) = [one for one in lines(out / "texts.jsonl") if "failed" in one]
        assert failed["attempts"] == ATTEMPTS
        assert "there is no text for the version 'complete'" in failed["failed"]
        assert len(models.asked) == SIZE + ATTEMPTS
        made = (out / "items.jsonl").read_bytes()
        assert failed["brief"] not in made.decode()
        assert forged(capsys, out, "--role", f"writer={WRITER}").code == 0
        assert len(models.asked) == SIZE + ATTEMPTS, "nothing is asked twice"
        assert (out / "items.jsonl").read_bytes() == made

    def test_what_one_writer_gave_up_another_one_may_write(
        self,
        models: Models,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        models.first = [Say("No.")] * ATTEMPTS
        with interrupted(monkeypatch, lambda: True):
            assert forged(capsys, tmp_path / "mine", "--role", f"writer={WRITER}").code == 130
        assert forged(capsys, tmp_path / "mine", "--role", "writer=flat").code == 0
        first, *others = lines(tmp_path / "mine" / "texts.jsonl")
        assert first["failed"]
        assert first["brief"] in {one["brief"] for one in others if "versions" in one}

    def test_a_writer_that_gives_most_of_them_up_is_stopped(
        self, models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "mine"
        models.first = [Say('{"versions": {}}')] * 100
        done = forged(capsys, out, "--role", f"writer={WRITER}")
        assert done.code == 2
        assert f"{WRITER} wrote no valid text for 11 of 11 briefs. Most often: there is no text" in done.err
        assert len(models.asked) == 11 * ATTEMPTS
        assert not (out / "items.jsonl").exists()

    def test_where_no_other_plan_is_left_the_set_is_smaller_and_says_so(
        self,
        models: Models,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        out = tmp_path / "mine"
        assert forged(capsys, out, "--briefs", tmp_path / "briefs.jsonl").code == 0
        monkeypatch.setattr("knowact.forge.recipe.candidates", no_candidates)
        models.first = [Say("No.")] * ATTEMPTS
        for asked in (SIZE - 1 + ATTEMPTS, SIZE - 1 + ATTEMPTS):
            done = forged(capsys, out, "--role", f"writer={WRITER}")
            assert done.code == 0, done.said
            assert "11 of 12 texts are there; no other plan is left for what was refused" in done.err
            assert len(load_own(out).rows) == SIZE - 1
            assert len(models.asked) == asked

    def test_errors_of_the_endpoint_are_told_and_nothing_is_lost(
        self, models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        models.first = [ServerError(), Refuse401()]
        done = forged(capsys, tmp_path / "mine", "--role", f"writer={WRITER}")
        assert done.code == 1
        assert "Not answered: " in done.err
        assert len(lines(tmp_path / "mine" / "texts.jsonl")) == SIZE - 1

    def test_votes_are_stored_with_who_cast_them(
        self, models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = ("--role", "writer=flat", "--role", f"judge={JUDGE}", "--votes", "2")
        assert forged(capsys, tmp_path / "mine", *words).code == 0
        votes = lines(tmp_path / "mine" / "ratings.jsonl")
        assert len(votes) == 2 * SIZE
        assert {(vote["judge"], vote["holds"]["realism"]) for vote in votes} == {(JUDGE, True)}
        datasheet = (tmp_path / "mine" / "README.md").read_text("utf-8")
        assert f"Of the points {SIZE * len(DIMENSIONS)} passed." in datasheet

    def test_where_judges_fail_every_text_nothing_is_shipped(
        self, models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        models.dislikes = {"realism"}
        words = ("--role", "writer=flat", "--role", f"judge={JUDGE}", "--votes", "2")
        done = forged(capsys, tmp_path / "mine", *words)
        assert done.code == 2
        assert "flat wrote no valid text for 11 of 12 briefs" in done.err
        assert "Judges failed it for realism (because)." in done.err
        assert not (tmp_path / "mine" / "items.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--role", "user=a/b"), "--role takes writer=MODEL or judge=MODEL here"),
        (("--role", "writer=flat", "--role", "writer=a/b"), "--role writer is given twice"),
        ((), "12 briefs have no text. Add --role writer=MODEL"),
        (("--texts", "nowhere.jsonl"), "cannot be read"),
        (("--role", "writer=flat", "--readings", "nowhere.jsonl"), "There is no file nowhere.jsonl"),
        (("--role", "writer=nobody/x"), "The model nobody/x cannot be used"),
    ],
)
def test_wrong_words_end_in_a_sentence(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = forged(capsys, tmp_path / "mine", *words)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err
