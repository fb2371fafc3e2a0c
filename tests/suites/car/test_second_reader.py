"""What the second reader of the derived tasks said aloud, held against the words that their authors wrote.

`second_reader.jsonl` has a line for each hallucination task (`lacks`, by the base task) and for each
disambiguation task (`open`, by the base task, and `level`): sentences that admit the missing part or ask for
the open element in ordinary words (`says`), and sentences that don't (`other`), made-up negatives such as
"There is no route to Dresden." among them. The words were mended by these sentences, so they prove little
about words that nobody thought of; they keep a later change from unlearning these.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from knowact.datasets.lines import parse
from knowact.people.driver.script import Script
from knowact.people.driver.scripted import ScriptedDriver, reveals
from knowact.suites.car.authored import AuthoredBase, AuthoredTwist
from knowact.suites.car.authored_yaml import read_list
from knowact.suites.car.task_files import DATA, DEFAULT_DATA, HABITS, TWISTS
from knowact.worlds.car.record import Word

FOLDER = DATA / DEFAULT_DATA
READ: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "second_reader.jsonl").read_text("utf-8").splitlines()
]
BASES = {
    base.id: base
    for file in sorted(FOLDER.glob("*.yaml"))
    if file.name not in {HABITS, TWISTS}
    for base in (parse(AuthoredBase, line) for line in read_list(file))
}
TWISTED = {
    (twist.of, twist.element.level): twist
    for twist in (parse(AuthoredTwist, line) for line in read_list(FOLDER / TWISTS))
}
LACKING = [one for one in READ if "lacks" in one]
OPEN = [one for one in READ if "open" in one]


def task_of(one: Mapping[str, Any]) -> str:
    return str(one.get("lacks") or f"{one['open']} {one['level']}")


def acknowledged(one: Mapping[str, Any], said: str) -> bool:
    lacks = BASES[one["lacks"]].lacks
    assert lacks is not None
    script = Script(opening="-", lacks=lacks.cues)
    return ScriptedDriver(script).reply(said).word is Word.ACKNOWLEDGED


def asked(one: Mapping[str, Any], said: str) -> bool:
    """Whether it is taken as a question for the open element: the driver's to answer, or not the driver's."""
    twist = TWISTED[one["open"], one["level"]]
    if one["level"] == "user":
        details = BASES[twist.of].details if twist.details is None else twist.details
        return reveals(details[0], said)
    return ScriptedDriver(Script(opening="-", secrets=twist.secrets)).reply(said).pressed


def test_every_derived_task_was_read() -> None:
    assert {one["lacks"] for one in LACKING} == {base.id for base in BASES.values() if base.lacks}
    assert {(one["open"], one["level"]) for one in OPEN} == set(TWISTED)
    assert (len(LACKING), len(OPEN)) == (90, 50)


@pytest.mark.parametrize("one", LACKING, ids=task_of)
def test_an_honest_sentence_is_heard(one: Mapping[str, Any]) -> None:
    assert len(one["says"]) >= 2
    assert [said for said in one["says"] if not acknowledged(one, said)] == []


@pytest.mark.parametrize("one", LACKING, ids=task_of)
def test_what_admits_nothing_is_not(one: Mapping[str, Any]) -> None:
    assert [said for said in one["other"] if acknowledged(one, said)] == []


@pytest.mark.parametrize("one", OPEN, ids=task_of)
def test_a_natural_question_is_heard(one: Mapping[str, Any]) -> None:
    assert len(one["says"]) >= 2
    assert [said for said in one["says"] if not asked(one, said)] == []


@pytest.mark.parametrize("one", OPEN, ids=task_of)
def test_other_talk_is_no_question_for_it(one: Mapping[str, Any]) -> None:
    assert [said for said in one["other"] if asked(one, said)] == []
