"""People at a real terminal in an agent's place: `knowact human answer`, and both roles at once."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from doubles.endpoint import Reply, Request, Say, ScriptedEndpoint
from knowact.core.record import Outcome
from knowact.engine.transcripts import read_transcripts
from running import knowact, records_at, run_at
from screens import PROMPT, Screen

CAR = ("human", "answer", "car", "--annotator", "ann", "--n", "1", "--yes")
FAIL_TALMS = ("human", "answer", "fail-talms", "--annotator", "ann", "--n", "2", "--judge", "none")
WITH_MODELS = ("--role", "user=openai-api/local/user", "--judge", "openai-api/local/judge")


def spoken(request: Request) -> Reply:
    """A user with one wish, who leaves when it is answered; a judge that finds nothing."""
    if request.model == "user":
        said = sum(one["role"] == "assistant" for one in request.messages)
        word, text = ("STOP", "") if said else ("CONTINUE", "Warm my seat a little, please.")
        line = {"reasoning": "", "user_message": text, "conversation_control_keyword": word}
        return Say(json.dumps(line))
    return Say(json.dumps(nothing_found(request)))


def nothing_found(request: Request) -> dict[str, Any]:
    """A form in which no part is filled in, by the schema that the prompt ends with; else a good vote."""
    _, asked, schema = request.last_text.rpartition("fits this schema, and nothing else:")
    if not asked:
        return {"why": "", "quote": "", "verdict": "followed"}
    found, _ = json.JSONDecoder().raw_decode(schema.strip())
    return dict.fromkeys(found["properties"])


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint(spoken) as endpoint:
        monkeypatch.setenv("LOCAL_BASE_URL", endpoint.base_url)
        monkeypatch.setenv("LOCAL_API_KEY", "none")
        yield endpoint


def widest(shown: str) -> int:
    """Of the lines that are not one word that is wider than the terminal."""
    plain = re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", shown)
    lines = [line for line in plain.replace("\r", "").split("\n") if " " in line.strip()]
    return max(map(len, lines))


@pytest.mark.slow
def test_a_person_talks_with_a_modelled_driver_and_calls_tools(
    models: ScriptedEndpoint, tmp_path: Path
) -> None:
    with closing(Screen(CAR, *WITH_MODELS, "--out", tmp_path, columns=40)) as screen:
        screen.wait_for(PROMPT)
        assert "Task 1 of 1" in screen.shown
        assert "The user: Warm my seat a little, please." in screen.shown
        opened = screen.shown
        screen.answer("set_seat_heating level=hot seat_zone=DRIVER", "x_" * 5_000)
        screen.answer('set_seat_heating {"level": 1, "seat_zone": "DRIVER"')
        screen.answer(
            "set_seat_heating level=1 seat_zone=DRIVER", "seen", "tools weather", "Your seat is warm."
        )
        assert screen.ends() == 0, screen.shown
    assert "level takes a number" in " ".join(screen.shown.split())
    assert "cannot be read as JSON" in " ".join(screen.shown.split())
    assert "set_seat_heating says:" in screen.shown
    assert "You call: set_seat_heating" in screen.shown
    # What the announcement says stands before; from then on nothing is broken inside a word.
    assert widest(opened[opened.index("Task 1") :]) <= 40
    (record,) = records_at(tmp_path).values()
    assert list(record.outcomes.values()) == [Outcome.ANSWERED]
    assert record.used == {"set_seat_heating"}
    assert run_at(tmp_path).model == "person/ann"
    asked = [one.model for one in models.requests]
    assert "user" in asked
    assert "judge" in asked


@pytest.mark.slow
def test_a_person_stops_goes_on_and_leaves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = (*FAIL_TALMS, "--out", tmp_path)
    with closing(Screen(words)) as screen:
        screen.answer("No, there is no tool for it.", "Yes, that is all.", "I cannot do that.")
        screen.wait_for("Task 2 of 2")
        screen.answer("\x03")
        if screen.process.poll() is None:
            screen.process.send_signal(2)
        assert screen.ends() == 130, screen.shown
    assert "Interrupted; the same command resumes." in screen.shown
    (done,) = [one for one in records_at(tmp_path).values() if one.scored]
    assert Outcome.ANSWERED in done.outcomes.values()

    with closing(Screen(words)) as screen:
        screen.wait_for("Task 2 of 2")
        screen.wait_for(PROMPT)
        screen.type(b"\x04")
        assert screen.ends() == 1, screen.shown
    assert "Task 1 of 2" not in screen.shown
    assert screen.shown.count("Task 2 of 2") == 1
    assert [one.item for one in records_at(tmp_path).values() if one.scored] == [done.item]
    summary = knowact(capsys, "human", "answer", "fail-talms", "--summary", "--out", tmp_path)
    assert summary.code == 1
    assert "person/ann: 1 of 2 tasks scored." in summary.out


@pytest.mark.slow
def test_two_people_at_one_terminal_do_not_see_each_others_screens(tmp_path: Path) -> None:
    with closing(Screen(CAR, "--user", "person", "--judge", "none", "--out", tmp_path)) as screen:
        screen.answer("Hello \xff!", "", "Good day.", "", "/stop")
        assert screen.ends() == 0, screen.shown
    users, agents, again = screen.shown.split("\x1b[2J\x1b[3J\x1b[H")
    assert "What you want" in users
    assert "What you want" not in agents
    assert "It is the assistant's turn." in agents
    assert "You have 57 tools" in agents or "tools (tools shows them" in agents
    assert "It is the user's turn." in again
    assert "The assistant: Good day." in again
    (said,) = read_transcripts(Path(run_at(tmp_path).logs[0]))
    assert "Good day." in str(said)


def test_an_option_that_the_suites_own_question_does_not_take_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = knowact(capsys, "human", "answer", "ict", "--annotator", "a", "--user", "x", "--out", tmp_path)
    assert (done.code, "--user" in done.said) == (2, True)


def test_people_play_no_model(capsys: pytest.CaptureFixture[str]) -> None:
    done = knowact(capsys, *CAR, "--judge", "self")
    assert (done.code, "cannot judge their own answers" in done.said) == (2, True)
    done = knowact(capsys, *CAR, "--role", "user=person/bob", "--judge", "none")
    assert (done.code, "--role takes a model, not user=person/bob" in done.said) == (2, True)
    done = knowact(capsys, *CAR, "--user", "person")
    assert (done.code, "--judge none" in done.said) == (2, True)
