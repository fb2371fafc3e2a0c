"""Logs that were cut, spoilt or edited: one sentence that names the file, from whoever reads them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bad_files import spoilt
from knowact.engine.records import SCORING
from running import knowact

pytestmark = [
    pytest.mark.slow,
    # The engine's reader sometimes leaves the file open that it could not read.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

RUN = ("run", "car", "--model", "knowact/oracle", "--type", "base", "--limit", "1", "--trials", "1")
HEAD, SUMMARIES = "header.json", "summaries.json"


@pytest.fixture
def good(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Path:
    assert knowact(capsys, *RUN, "--log-dir", tmp_path / "logs").code == 0
    (log,) = (tmp_path / "logs").rglob("*.eval")
    return log


def about(**changed: Any) -> Callable[[Any], object]:
    return lambda head: head["eval"]["metadata"]["knowact"].update(changed)


def item(**changed: Any) -> Callable[[Any], object]:
    return lambda summaries: summaries[0]["metadata"].update(changed)


def rest(**changed: Any) -> Callable[[Any], object]:
    return lambda summaries: next(iter(summaries[0]["scores"].values()))["metadata"].update(changed)


def value(**changed: Any) -> Callable[[Any], object]:
    return lambda summaries: next(iter(summaries[0]["scores"].values()))["value"].update(changed)


EDITED: dict[str, tuple[str, Callable[[Any], object], str]] = {
    "no head": (HEAD, lambda head: head["eval"]["metadata"].update(knowact=None), "metadata.knowact.suite"),
    "suite": (HEAD, about(suite=7), "field 'metadata.knowact.suite'"),
    "dataset": (HEAD, about(dataset={"name": "x"}), "field 'metadata.knowact.dataset'"),
    "prompts": (HEAD, about(prompts=[]), "field 'metadata.knowact.prompts'"),
    "roles": (HEAD, about(roles=None), "field 'metadata.knowact.roles'"),
    "options": (HEAD, about(options=[]), "field 'metadata.knowact.options'"),
    "planned": (HEAD, about(planned="many"), "field 'metadata.knowact.planned'"),
    "labels": (SUMMARIES, item(labels=7), "its samples cannot be read"),
    "required": (SUMMARIES, item(required=None), "its samples cannot be read"),
    "required has a gap": (SUMMARIES, item(required=["set_fan_speed", None]), "its samples cannot be read"),
    "required is a text": (SUMMARIES, item(required="set_fan_speed"), "its samples cannot be read"),
    "offered": (SUMMARIES, item(offered=["set_fan_speed", {}]), "its samples cannot be read"),
    "used is a text": (SUMMARIES, rest(used="set_fan_speed"), "its samples cannot be read"),
    "acted": (SUMMARIES, rest(acted="yes"), "its samples cannot be read"),
    "outcomes": (SUMMARIES, rest(outcomes={"conversation": "odd"}), "its samples cannot be read"),
    "flags": (SUMMARIES, rest(flags=[1]), "its samples cannot be read"),
    "why": (SUMMARIES, rest(unvalued=7), "its samples cannot be read"),
    "item": (SUMMARIES, lambda summaries: summaries[0]["metadata"].pop("item"), "its samples cannot be read"),
}


@pytest.mark.parametrize("name", EDITED)
def test_an_edited_log_is_refused_by_name(
    name: str, good: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    part, change, said = EDITED[name]
    log = spoilt(good, part, change)
    for words in (("report", log, "--out", tmp_path / "out"), ("compare", log, log)):
        done = knowact(capsys, *words)
        assert done.code == 2, done.said
        assert said in done.err
        assert str(log) in done.err
        assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (item(labels={"style": "commanding"}), "the log does not say the 'type' of"),
        (value(success=-1), "The records hold results from -1 to -1, outside 0 to 1: a log was edited."),
        (value(success=7), "The records hold results from 7 to 7, outside 0 to 1: a log was edited."),
    ],
)
def test_what_no_log_of_ours_says_is_told_by_whoever_counts_it(
    change: Callable[[Any], object],
    said: str,
    good: Path,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    done = knowact(capsys, "report", spoilt(good, SUMMARIES, change), "--out", tmp_path / "out")
    assert done.code == 2, done.said
    assert said in done.err
    assert done.err.count("\n") == 1


def test_a_reason_that_is_a_number_is_shown_as_one(
    good: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = spoilt(good, SUMMARIES, rest(why={"success": 2.5}))
    assert knowact(capsys, "report", log, "--out", tmp_path / "out").code == 0


def test_messages_that_nobody_can_read_are_named(
    good: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = spoilt(good, "samples/", lambda sample: sample.update(store=dict.fromkeys(sample["store"], 7)))
    done = knowact(capsys, "report", log, "--out", tmp_path / "out")
    assert done.code == 2, done.said
    assert "its messages cannot be read" in done.err


@pytest.mark.parametrize("version", [None, 1, SCORING + 1])
def test_a_log_of_another_scoring_version_is_refused_in_one_sentence(
    version: int | None, good: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def scored(head: Any) -> None:
        known = head["eval"]["metadata"]["knowact"]
        known.pop("scoring")
        known.update({} if version is None else {"scoring": version})

    whole = tmp_path / "whole.eval"
    whole.write_bytes(good.read_bytes())
    other = spoilt(good, HEAD, scored)
    for words in (
        ("report", other, "--out", tmp_path / "out"),
        ("report", whole, other, "--out", tmp_path / "out"),
        ("compare", whole, other),
        ("view", other, "--dry-run"),
        ("view", other.parent, "--dry-run"),
    ):
        done = knowact(capsys, *words)
        assert done.code == 2, done.said
        said = f"scored by another version of knowact (scoring {version or 1}, now {SCORING})"
        assert said in done.err, words
        assert done.err.count("\n") == 1
    assert not (tmp_path / "out").exists()
