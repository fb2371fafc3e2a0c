"""`knowact forge` with a judge: what most votes fail is written again, then given up; and people are told."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from doubles.endpoint import Reply, Request, Say, ScriptedEndpoint
from forge.small_world import small
from knowact.datasets.own import load_own
from knowact.forge.briefs import Brief
from knowact.forge.flat import flat
from knowact.forge.ratings import DIMENSIONS
from knowact.forge.recipe import REWRITES, disputed_in
from running import Ran, knowact

WRITER, JUDGE = "openai-api/forge/writer", "openai-api/forge/judge"
SIZE, VOTES = 4, 3
pytestmark = pytest.mark.slow
AGAIN = "Judges read the texts below"


class Models:
    """A writer that words each brief otherwise every time, and a judge that denies realism when told."""

    def __init__(self) -> None:
        self.prompts: list[str] = []
        self.votes = 0
        self.denies: list[bool] = []
        self.hates = ""

    def script(self, request: Request) -> Reply:
        said = request.conversation
        if request.model == "judge":
            self.votes += 1
            no = self.denies.pop(0) if self.denies else bool(self.hates) and self.hates in said
            holds = {name: not (no and name == "realism") for name in DIMENSIONS}
            return Say(json.dumps({**holds, "why": "Nobody talks like that." if no else ""}))
        self.prompts.append(said)
        brief = Brief.model_validate_json(said.split("The brief:\n\n")[1].split("\n}\n")[0] + "}")
        text = flat(brief).model_dump_json(include={"versions"})
        return Say(text.replace("Request", f"Version {len(self.prompts)}, request"))


@pytest.fixture(autouse=True)
def few_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowact.worlds.everyday.material.material", small)


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Iterator[Models]:
    played = Models()
    with ScriptedEndpoint(played.script, keep_requests=False) as endpoint:
        monkeypatch.setenv("FORGE_API_KEY", "key")
        monkeypatch.setenv("FORGE_BASE_URL", endpoint.base_url)
        yield played


def forged(capsys: pytest.CaptureFixture[str], folder: Path, *words: object) -> Ran:
    start = ("forge", "kapro", "--seed", "27", "--size", SIZE, "--yes", "--max-connections", "1")
    return knowact(capsys, *start, "--out", folder, *words)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


MODELS = ("--role", f"writer={WRITER}", "--role", f"judge={JUDGE}")


def test_a_failed_text_is_written_again_with_the_reason_and_the_new_one_is_judged(
    models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine"
    models.denies = [True, True, False]
    done = forged(capsys, out, *MODELS)
    assert done.code == 0, done.said
    assert "Discarded: 1 texts of which most votes deny a point (realism 1)." in done.out
    *first, again = models.prompts
    assert (len(first), models.votes) == (SIZE, (SIZE + 1) * VOTES)
    assert not any(AGAIN in prompt for prompt in first)
    assert AGAIN in again
    assert "Nobody talks like that." in again
    assert "realism: a real person could send exactly this" in again
    rows = lines(out / "texts.jsonl")
    (discard,) = rows[-1]["discarded"]
    old = discard["versions"]["complete"]["text"]
    assert old in again
    assert rows[-1]["versions"]["complete"]["text"].startswith("Version 5")
    texts = {task.opening.text for task in load_own(out).rows}
    assert len(texts) == SIZE
    assert old not in texts
    datasheet = (out / "README.md").read_text("utf-8")
    assert (
        "A text is discarded where more than half of its votes deny one of the nine points (arXiv"
        in datasheet
    )
    assert (
        "Discarded: 1 texts of 1 briefs (1 for realism). Of these briefs 1 have another text, and 0"
        in datasheet
    )
    assert disputed_in(out) == frozenset(), "votes on a discarded text are no votes on the new one"
    assert forged(capsys, out, *MODELS).code == 0
    assert len(models.prompts) == SIZE + 1, "nothing is asked twice"


def test_what_fails_after_every_rewriting_is_given_up_and_another_plan_takes_its_place(
    models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine"
    assert forged(capsys, out, "--briefs", tmp_path / "briefs.jsonl").code == 0
    brief = Brief.model_validate(lines(tmp_path / "briefs.jsonl")[0])
    models.hates = flat(brief).versions["complete"].text.partition(":")[0].replace("Request", "request") + ":"
    done = forged(capsys, out, *MODELS)
    assert done.code == 0, done.said
    assert (
        "Given up: 1 briefs for which the writer produced no valid text. Most often: Judges failed it for"
        in done.out
    )
    assert sum(AGAIN in prompt for prompt in models.prompts) == REWRITES
    (last,) = [row for row in lines(out / "texts.jsonl") if row.get("failed")]
    assert (last["brief"], len(last["discarded"])) == (brief.id, 1 + REWRITES)
    assert brief.id not in (out / "items.jsonl").read_text("utf-8")
    assert len(load_own(out).rows) == SIZE
    assert "Of these briefs 0 have another text, and 1 have none." in (out / "README.md").read_text("utf-8")


def test_a_denial_that_most_votes_do_not_share_ships_and_is_put_to_people(
    models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine"
    models.denies = [True, False, False]
    assert forged(capsys, out, *MODELS).code == 0
    assert len(models.prompts) == SIZE
    assert len(disputed_in(out) or ()) == 1
    assert "Of the points 1 disputed, 35 passed." in (out / "README.md").read_text("utf-8")


def test_people_are_told_why_their_text_was_discarded_and_cannot_hand_it_in_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, briefs, texts, votes = (tmp_path / name for name in ("mine", "briefs", "texts", "votes"))
    assert forged(capsys, out, "--briefs", briefs).code == 0
    written = [flat(Brief.model_validate(row)).model_copy(update={"writer": "Ada"}) for row in lines(briefs)]
    texts.write_text("".join(f"{one.model_dump_json()}\n" for one in written), encoding="utf-8")
    bad = written[0].brief

    def ruling(name: str, *, denied: bool) -> str:
        holds = {point: not (denied and point == "causal") for point in DIMENSIONS}
        return json.dumps({"id": name, "ruling": {**holds, "why": "A stray step."}})

    keys = [(f"{one.brief}.1", one.brief == bad) for one in written] + [(f"{bad}.again1.1", False)]
    votes.write_text("\n".join(ruling(key, denied=no) for key, no in keys), encoding="utf-8")
    judge = ("--role", f"judge=file:{votes}", "--votes", "1")
    done = forged(capsys, out, "--texts", texts, *judge)
    assert done.code == 2
    assert "Discarded: 1 texts of which most votes deny a point (causal 1)." in done.out
    assert "1 briefs have no text. Add --role writer=MODEL, or export them with --briefs FILE" in done.err
    assert forged(capsys, out, "--briefs", briefs).code == 0
    (row,) = lines(briefs)
    assert (row["id"], row["discarded"][0]["why"]) == (bad, ["A stray step."])
    done = forged(capsys, out, "--texts", texts, *judge)
    assert done.code == 2
    assert (
        f"{bad}: the same text was discarded before. Judges failed it for causal (A stray step.)." in done.err
    )
    texts.write_text(written[0].model_dump_json().replace("Request", "My request"), encoding="utf-8")
    done = forged(capsys, out, "--texts", texts, *judge)
    assert done.code == 0, done.said
    assert len(load_own(out).rows) == SIZE
