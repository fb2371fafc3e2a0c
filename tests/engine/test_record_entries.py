"""Records as the entries of a log, and back: nothing is lost, and what no record wrote is refused."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from bad_files import spoilt
from knowact.core.record import Decided, Outcome, Record, Result, Status
from knowact.engine.reader import read_records
from knowact.engine.records import (
    DECIDED,
    REASON,
    RECORD,
    decided_from,
    record_from,
    score_metadata,
    score_value,
)
from knowact.engine.transcripts import read_transcripts
from running import knowact

names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8).filter(lambda name: name != "calls")
tools = st.frozensets(names, max_size=4)
places = st.none() | st.integers(min_value=0, max_value=99)
reasons = st.text(st.characters(codec="utf-8"), max_size=REASON)
numbers = st.floats(allow_nan=False, allow_infinity=False)
results = st.builds(Result, st.just(Status.VALUE), numbers, reasons, reasons) | st.builds(
    Result,
    st.sampled_from([status for status in Status if status is not Status.VALUE]),
    st.none(),
    reasons,
    reasons,
)
records = st.builds(
    Record,
    item=names,
    condition=names,
    epoch=st.integers(min_value=1, max_value=99),
    cluster=names,
    labels=st.dictionaries(names, names, max_size=3),
    offered=st.lists(names, max_size=60).map(tuple),
    required=tools,
    outcomes=st.dictionaries(names, st.sampled_from(Outcome), max_size=3),
    needed=st.none() | tools,
    used=st.none() | tools,
    calls=st.integers(min_value=0, max_value=10**6),
    knew=st.none() | st.booleans(),
    acted=st.none() | st.booleans(),
    results=st.dictionaries(names, results, max_size=4),
    role_calls=st.dictionaries(names, st.integers(min_value=0), max_size=2),
    flags=st.dictionaries(names, st.integers(min_value=1), max_size=2),
    decided=st.lists(st.builds(Decided, names, reasons, places, places), max_size=2).map(tuple),
    content=names,
)
"""Records without what a trial took, which the engine keeps itself."""


def entries(record: Record) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The entries of a log, through JSON: the item's, the score's numbers, and the rest."""
    parts = [record.offered[start : start + 24] for start in range(0, max(len(record.offered), 1), 24)]
    item = {
        "item": record.item,
        "condition": record.condition,
        "cluster": record.cluster,
        "labels": dict(record.labels),
        "required": sorted(record.required),
        "content": record.content,
        **{f"offered_{number}" if number > 1 else "offered": part for number, part in enumerate(parts, 1)},
    }
    written = item, score_value(record, list(record.results)), score_metadata(record)
    return tuple(json.loads(json.dumps(part)) for part in written)


@settings(max_examples=200, deadline=None)
@given(records)
def test_a_record_comes_back_from_its_entries_as_it_was(record: Record) -> None:
    again = record_from(record.epoch, *entries(record))
    assert again == record
    assert [type(value) for value in again.outcomes.values()] == [Outcome] * len(record.outcomes)


@settings(max_examples=100, deadline=None)
@given(records)
def test_a_record_comes_back_from_json_as_it_was_and_its_sets_are_in_order(record: Record) -> None:
    written = RECORD.dump_python(record, mode="json")
    assert written["required"] == sorted(record.required)
    assert RECORD.validate_python(json.loads(json.dumps(written))) == record


def test_a_long_reason_is_cut_and_what_is_empty_is_left_out() -> None:
    bare = Record("a", "clean", 1, "a", {}, (), frozenset(), {"act": Outcome.ANSWERED}, used=frozenset())
    assert score_metadata(bare) == {"epoch": 1, "outcomes": {"act": "answered"}, "used": []}
    long = "x" * (REASON + 1)
    full = replace(
        bare,
        results={"pass": Result.of(1, why=long), "kas": Result(Status.NOT_JUDGED, why=long)},
        decided=(Decided("act", long, 3),),
    )
    written = score_metadata(full)
    assert written["why"] == {"pass": "x" * REASON, "kas": "x" * REASON}
    assert written[DECIDED] == [{"probe": "act", "why": "x" * REASON, "call": 3}]
    assert math.isnan(score_value(full, ["pass", "kas"])["kas"])


def test_places_are_read_as_logs_of_before_list_them() -> None:
    places = (Decided("act", "never locked", 3), Decided("know", "", None, 0))
    old = [["act", "never locked", 3, None], ["know", "", None, 0]]
    assert decided_from({DECIDED: old}) == places
    assert decided_from({}) == ()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("knew", "yes"),
        ("acted", 1),
        ("needed", "look"),
        ("used", ["look", None]),
        ("outcomes", {"act": "odd"}),
        ("outcomes", ["answered"]),
        ("flags", [1]),
        ("role_calls", {"judge": "many"}),
        (DECIDED, [["act", "why", -1, None]]),
        (DECIDED, [["act", "why", True, None]]),
        (DECIDED, [["act", "why", "0", None]]),
        (DECIDED, [["act"]]),
        (DECIDED, [{"probe": "act", "why": "why", "call": -1}]),
    ],
)
def test_an_entry_that_no_record_wrote_is_refused(name: str, value: object) -> None:
    record = Record("a", "clean", 1, "a", {}, (), frozenset(), {"act": Outcome.ANSWERED})
    item, numbers, rest = entries(record)
    with pytest.raises(ValidationError):
        record_from(1, item, numbers, {**rest, name: value})


@pytest.mark.slow
def test_a_log_of_before_is_read_and_shown_as_one_of_today(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Until 2026 the places of a failure stood there without names."""
    words = ("run", "car", "--model", "knowact/misreporter", "--limit", 3, "--trials", 1)
    assert knowact(capsys, *words, "--log-dir", tmp_path).code == 0
    (log,) = tmp_path.rglob("*.eval")
    records = read_records(log)
    decided = [record for record in records if record.decided]
    assert decided
    trials = [
        (record.item if record.condition == "clean" else f"{record.item}@{record.condition}", 1)
        for record in decided
    ]
    transcripts = list(read_transcripts(log, trials))
    assert any(turn.decided for transcript in transcripts for _, turns in transcript.probes for turn in turns)

    def list_places(sample: Any) -> None:
        for score in sample["scores"].values():
            for name in (DECIDED,) if DECIDED in score["metadata"] else ():
                score["metadata"][name] = [
                    [place["probe"], place["why"], place.get("call"), place.get("message")]
                    for place in score["metadata"][name]
                ]

    def list_all(samples: list[Any]) -> None:
        for sample in samples:
            list_places(sample)

    spoilt(log, "summaries.json", list_all)
    spoilt(log, "samples/", list_places)
    assert read_records(log) == records
    assert list(read_transcripts(log, trials)) == transcripts
