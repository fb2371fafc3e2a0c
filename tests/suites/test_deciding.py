"""The message that decided a failure: named by the suite, kept in the log, marked in the transcript."""

from pathlib import Path

import pytest
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool, ChatMessageUser
from inspect_ai.scorer import Score
from inspect_ai.tool import ToolCall

from knowact.core.record import Decided
from knowact.core.transcript import Turn
from knowact.engine.records import DECIDED
from knowact.engine.stored import LENGTH, RESPONSES
from knowact.engine.transcripts import read_transcripts, transcript_of
from running import knowact, run_at


def marked(turns: tuple[Turn, ...]) -> list[tuple[str, str]]:
    """Why and where: the tools of the marked message, or its first words."""
    return [
        (turn.decided, ",".join(tool for tool, _ in turn.calls) or turn.text)
        for turn in turns
        if turn.decided
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("suite", "agent"),
    [("kapro", "random"), ("ict", "always-act"), ("fail-talms", "always-act"), ("car", "fabricator")],
)
def test_each_failure_of_a_built_in_agent_is_marked_once_in_its_probe(
    suite: str, agent: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("run", suite, "--model", f"knowact/{agent}", "--limit", 4, "--trials", 1)
    knowact(capsys, *words, "--log-dir", tmp_path)
    run = run_at(tmp_path)
    trials = {(one.item, one.condition): one for one in read_transcripts(Path(run.logs[0]))}
    failed = [one for one in run.records if one.knew is False or one.acted is False]
    assert failed
    for record in run.records:
        found = [
            (name, why)
            for name, turns in trials[record.item, record.condition].probes
            for why, _ in marked(turns)
        ]
        assert sorted(found) == sorted((one.probe, one.why) for one in record.decided)
        assert bool(found) == (record in failed)
        for one in record.decided:
            (turns,) = [
                some for name, some in trials[record.item, record.condition].probes if name == one.probe
            ]
            ((_, where),) = marked(turns)
            if one.call is not None and one.why.endswith("is not required"):
                assert one.why.removesuffix(" is not required") in where.split(",")


def sample(*decided: Decided, rounds: int = 0) -> EvalSample:
    """A trial with an earlier call that the agent was shown, a question to a person, and two calls."""

    def calling(*tools: str) -> ChatMessageAssistant:
        calls = [
            ToolCall(id=f"{place}-{tool}", function=tool, arguments={}) for place, tool in enumerate(tools)
        ]
        return ChatMessageAssistant(content="", tool_calls=calls)

    messages: list[ChatMessage] = [
        calling("earlier"),
        ChatMessageTool(content="then"),
        ChatMessageUser(content="now"),
        calling("ask_human", "first"),
        ChatMessageTool(content="1"),
        calling("second"),
        ChatMessageTool(content="2"),
        ChatMessageAssistant(content="done"),
    ]
    places = [[one.probe, one.why, one.call, one.message] for one in decided]
    return EvalSample(
        id="t",
        epoch=1,
        input="now",
        target="",
        messages=messages,
        store={RESPONSES: {"act": {LENGTH: len(messages), "rounds": rounds}}},
        scores={"record": Score(value=1, metadata={DECIDED: places})},
    )


@pytest.mark.parametrize(
    ("decided", "where"),
    [
        (Decided("act", "why", call=0), "ask_human,first"),
        (Decided("act", "why", call=1), "second"),
        (Decided("act", "why"), "done"),
        (Decided("act", "why", message=6), "second"),
        (Decided("act", "why", message=7), "done"),
    ],
)
def test_earlier_calls_and_questions_to_a_person_are_not_counted(decided: Decided, where: str) -> None:
    ((_, turns),) = transcript_of(sample(decided, rounds=3)).probes
    assert marked(turns) == [("why", where)]


@pytest.mark.parametrize("decided", [Decided("act", "why", call=7), Decided("know", "why")])
def test_a_place_that_is_not_there_is_marked_nowhere(decided: Decided) -> None:
    ((_, turns),) = transcript_of(sample(decided, rounds=3)).probes
    assert marked(turns) == []
