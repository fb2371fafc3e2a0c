"""A person at the wheel: what only the person did wrong never counts against the agent, and has a name."""

import sys
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from pathlib import Path

import pytest

from car_agents import shipped
from knowact.core.record import Outcome, Record
from knowact.engine.transcripts import read_transcripts
from knowact.suites.car.records import FAULTY, RERUN, SUCCESS
from running import Ran, knowact, run_at

Sitting = Callable[[bytes], tuple[Ran, Record]]

YES = b"Yes, please.\n" * 3


def opening() -> bytes:
    """All that the user of the first base task wants, on one line."""
    script = next(item.what.script for item in shipped() if item.what.type.family == "base")
    assert script is not None
    return " ".join((script.opening, *script.later)).encode()


@pytest.fixture
def sitting(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Sitting]:
    """Holds the first base task with the oracle, where these bytes are typed."""
    opened: list[TextIOWrapper] = []

    def sit(typed: bytes) -> tuple[Ran, Record]:
        file = tmp_path / "typed"
        file.write_bytes(typed)
        opened.append(file.open(encoding="utf-8"))
        monkeypatch.setattr(sys, "stdin", opened[-1])
        words = (
            "--limit",
            1,
            "--trials",
            1,
            "--type",
            "base",
            "--user",
            "person",
            "--log-dir",
            tmp_path / "logs",
        )
        ran = knowact(capsys, "run", "car", "--model", "knowact/oracle", *words)
        (record,) = run_at(tmp_path / "logs").records
        return ran, record

    yield sit
    for one in opened:
        one.close()


@pytest.mark.slow
def test_a_good_person_is_believed(sitting: Sitting) -> None:
    ran, record = sitting(opening() + b"\n" + YES + b"/stop\n")
    assert ran.code == 0, ran.said
    assert record.results[SUCCESS].value == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        (b"\n" * 200, "empty"),
        (opening() + b"\n" + b" \t\n" * 3 + b"\n" * 6, "empty"),
        (b"", "gone"),
        (b"/stop\n" * 3, "early_stop"),
    ],
)
def test_a_fault_of_the_person_is_named_and_leaves_the_trial_unscored(
    sitting: Sitting, typed: bytes, fault: str
) -> None:
    ran, record = sitting(typed)
    assert ran.code == 1, ran.said
    assert record.outcomes["conversation"] is Outcome.USER_FAULT
    assert not record.scored
    assert dict(record.flags) == {f"user_{fault}": 3, FAULTY: 3, RERUN: 2}


def test_bytes_that_are_no_text_do_not_begin_the_conversation_anew(sitting: Sitting, tmp_path: Path) -> None:
    ran, record = sitting(opening() + b" \xff\xfe\n" + YES + b"/stop\n")
    assert ran.code == 0, ran.said
    assert record.results[SUCCESS].value == 1
    assert RERUN not in record.flags or record.flags[RERUN] == 0
    (told,) = read_transcripts(Path(run_at(tmp_path / "logs").logs[0]))
    ((_, turns),) = told.probes
    said = [turn.text for turn in turns if turn.role == "user"]
    assert said[0] == f"{opening().decode()} \N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"
    assert ran.out.count("You begin.") == 1
