"""Logs that were cut, spoilt or edited: one sentence that names the file, from whoever reads them."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from running import knowact

RUN = ("run", "car", "--model", "knowact/oracle", "--type", "base", "--limit", "1")
HEAD, SUMMARIES = "header.json", "summaries.json"


@pytest.fixture
def good(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Path:
    assert knowact(capsys, *RUN, "--log-dir", tmp_path / "logs").code == 0
    (log,) = (tmp_path / "logs").rglob("*.eval")
    return log


def spoilt(log: Path, part: str, change: Callable[[Any], object]) -> Path:
    """The log with the JSON of one of its parts changed."""
    with zipfile.ZipFile(log) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for name, content in list(parts.items()):
        if name == part or (part.endswith("/") and name.startswith(part)):
            value = json.loads(content)
            change(value)
            parts[name] = json.dumps(value).encode()
    with zipfile.ZipFile(log, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return log


def about(**changed: Any) -> Callable[[Any], object]:
    return lambda head: head["eval"]["metadata"]["knowact"].update(changed)


def item(**changed: Any) -> Callable[[Any], object]:
    return lambda summaries: summaries[0]["metadata"].update(changed)


def rest(**changed: Any) -> Callable[[Any], object]:
    return lambda summaries: next(iter(summaries[0]["scores"].values()))["metadata"].update(changed)


EDITED: dict[str, tuple[str, Callable[[Any], object], str]] = {
    "no head": (HEAD, lambda head: head["eval"]["metadata"].update(knowact=None), "metadata.knowact.suite"),
    "suite": (HEAD, about(suite=7), "field 'metadata.knowact.suite'"),
    "dataset": (HEAD, about(dataset={"name": "x"}), "field 'metadata.knowact.dataset'"),
    "options": (HEAD, about(options=[]), "field 'metadata.knowact.options'"),
    "planned": (HEAD, about(planned="many"), "field 'metadata.knowact.planned'"),
    "labels": (SUMMARIES, item(labels=7), "its samples cannot be read"),
    "required": (SUMMARIES, item(required=None), "its samples cannot be read"),
    "endings": (SUMMARIES, rest(endings={"conversation": "odd"}), "its samples cannot be read"),
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


def test_messages_that_nobody_can_read_are_named(
    good: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = spoilt(good, "samples/", lambda sample: sample.update(store=dict.fromkeys(sample["store"], 7)))
    done = knowact(capsys, "report", log, "--out", tmp_path / "out")
    assert done.code == 2, done.said
    assert "its messages cannot be read" in done.err
