"""Transcripts of trials, for people: the messages of each probe, from the log's samples."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSample, read_eval_log_samples, read_eval_log_samples_by_id
from inspect_ai.model import ChatMessage

from knowact.core.record import Decided
from knowact.core.transcript import Transcript, Turn
from knowact.engine.outputs import WHY_BROKEN
from knowact.engine.reader import damage_named, own_score
from knowact.engine.records import decided_from
from knowact.engine.stored import ASIDES, LENGTH, RESPONSES
from knowact.engine.tools import ASK, told_by

UNSEEN = ("events", "timelines")
"""What makes samples large and is not for this page; the engine's viewer shows it."""


def read_transcripts(file: Path, trials: Sequence[tuple[str, int]] | None = None) -> Iterator[Transcript]:
    """The transcripts of one log.

    Args:
        file: The log.
        trials: Sample id and epoch of those wanted, which are in memory together; None gives all, one at a
            time.

    Raises:
        BadData: The log is damaged, or lacks a trial.
    """
    left_out: set[str] = {*UNSEEN}
    with damage_named(file, "its messages cannot be read: the log is damaged, or was edited"):
        samples = (
            read_eval_log_samples(
                str(file), all_samples_required=False, resolve_attachments=True, exclude_fields=left_out
            )
            if trials is None
            else read_eval_log_samples_by_id(
                str(file), trials, resolve_attachments=True, exclude_fields=left_out
            )
        )
        for sample in samples:
            yield transcript_of(sample)


def transcript_of(sample: EvalSample) -> Transcript:
    """The transcript of one sample."""
    # What no probe of ours said (another solver, a trial that broke off) is shown as acting.
    waiting = list(sample.messages)
    score = own_score(sample)
    decided = decided_from(score.metadata or {}) if score else ()
    probes: list[tuple[str, tuple[Turn, ...]]] = []
    for probe, outcome in sample.store.get(RESPONSES, {}).items():
        length = int(outcome.get(LENGTH, 0))
        theirs = waiting[:length]
        marks = dict(_marks(theirs, outcome, [place for place in decided if place.probe == probe]))
        probes.append((probe, tuple(_beside_conversation(theirs, outcome.get(ASIDES, ()), marks))))
        waiting = waiting[length:]
    if waiting:
        probes.append(("act", tuple(map(_turn, waiting))))
    return Transcript(
        item=str(sample.metadata.get("item", sample.id)),
        condition=str(sample.metadata.get("condition", "")),
        epoch=sample.epoch,
        probes=tuple(probes),
        error=sample.error.message if sample.error else "",
    )


def _marks(
    messages: Sequence[ChatMessage], outcome: Mapping[str, Any], decided: Sequence[Decided]
) -> Iterator[tuple[int, str]]:
    """The places of the messages that decided a failure, and why; a place that is not there is left out."""
    spoken = [place for place, message in enumerate(messages) if message.role == "assistant"]
    # Before those it said itself may stand messages that it was shown as its own.
    own = spoken[-int(outcome["rounds"]) :] if outcome.get("rounds") else spoken
    calling = [
        place
        for place in own
        for call in getattr(messages[place], "tool_calls", None) or ()
        if call.function != ASK
    ]
    for decision in decided:
        if decision.call is not None:
            places = calling[decision.call : decision.call + 1]
        elif decision.message is not None:  # a call stands in the message before its result
            places = [place for place in spoken if place <= decision.message][-1:]
        else:
            places = own[-1:]
        yield from ((place, decision.why) for place in places)


def _beside_conversation(
    messages: Sequence[ChatMessage], asides: Sequence[tuple[int, str, str]], marks: Mapping[int, str]
) -> Iterator[Turn]:
    """The messages, each followed by what it changed in the world and by what was decided on it."""
    for place, message in enumerate(messages):
        yield replace(_turn(message), decided=marks.get(place, ""))
        yield from (Turn(who, text) for after, who, text in asides if after == place)


def _turn(message: ChatMessage) -> Turn:
    calls: Sequence[tuple[str, str]] = ()
    problem = ""
    if message.role == "assistant":
        calls = [
            (call.function, call.parse_error or json.dumps(call.arguments, ensure_ascii=False))
            for call in message.tool_calls or []
        ]
        problem = str((message.metadata or {}).get(WHY_BROKEN, ""))
    elif message.role == "tool" and message.error is not None:
        problem = message.error.type
    text = told_by(message) if message.role == "tool" else message.text
    return Turn(message.role, text, tuple(calls), problem)
