"""`knowact human audit --disputed`: people see the tasks of which a vote denies a point."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from knowact.forge.briefs import BriefAnswer, Written
from knowact.forge.ratings import DIMENSIONS
from knowact.forge.recipe import RATINGS, TEXTS, hash_of
from own_tasks import rain, write_items
from running import Ran

from .audits import answers

TEXT = {name: {"complete": Written(text=f"Text {name}.")} for name in "abc"}


@pytest.fixture
def judged(data: Path) -> Path:
    """Tasks of three briefs, of which one has two; and one that was written without any."""
    rows = [
        rain(id=name, cluster=name, provenance={"brief": name[0]}) for name in ("a-1", "b-1", "b-2", "c-1")
    ]
    write_items(data, [*rows, rain(id="mine", cluster="mine")])
    lines = [BriefAnswer(brief=name, versions=versions, writer="Ada") for name, versions in TEXT.items()]
    (data / TEXTS).write_text("".join(f"{one.model_dump_json()}\n" for one in lines), encoding="utf-8")
    return data


def rate(folder: Path, *votes: tuple[str, str], text: str = "") -> None:
    """Write votes: a brief and the dimension that this judge denies ("" for none)."""
    with (folder / RATINGS).open("a", encoding="utf-8") as file:
        for number, (brief, denied) in enumerate(votes, start=1):
            row: Mapping[str, Any] = {
                "brief": brief,
                "text": text or hash_of(TEXT[brief]),
                "judge": "j",
                "vote": number,
                "prompt": "p",
                "holds": {name: name != denied for name in DIMENSIONS},
            }
            file.write(f"{json.dumps(row)}\n")


def test_only_tasks_of_which_a_vote_denies_a_point_are_asked(
    judged: Path, audit: Callable[..., Ran], summary: Callable[..., Ran], tmp_path: Path
) -> None:
    rate(judged, ("a", ""), ("a", ""), ("b", ""), ("b", "causal"), ("c", "realism"), ("c", "realism"))
    rate(judged, ("a", "realism"), text="an older text")
    done = audit(["1", "1", "1", "", "1"] * 3 + [""], "--disputed")
    assert done.code == 0, done.said
    assert "There are only 3 tasks. You are asked about all of them." in done.out
    file = tmp_path / "out" / "kapro-disputed" / "by-ann.jsonl"
    head, *rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    assert head["data"] == "data@own+disputed"
    assert {row["item"] for row in rows} == {"b-1", "b-2", "c-1"}, (
        "c failed by all votes: judges do not agree that it is right"
    )
    found = summary("--disputed")
    assert found.code == 0, found.said
    assert "Audit of kapro/data@own+disputed: 3 tasks, seed 0." in found.out


def test_the_audit_of_all_tasks_stands_beside_it(
    judged: Path, audit: Callable[..., Ran], tmp_path: Path
) -> None:
    rate(judged, ("b", ""), ("b", "causal"))
    audit(["1", "1"], "--disputed")
    assert "2 questions done, 18 left." in audit(["1", "1"]).out
    assert len(answers(tmp_path)) == 2


def test_new_disputes_are_told(judged: Path, audit: Callable[..., Ran]) -> None:
    rate(judged, ("b", ""), ("b", "causal"))
    audit(["1"], "--disputed")
    rate(judged, ("a", ""), ("a", "causal"))
    done = audit(["1"], "--disputed")
    assert done.code == 2
    assert "the data data@own+disputed have changed since these answers were given" in done.err


@pytest.mark.parametrize(
    ("votes", "said"),
    [
        ((), "There are no votes of judges in "),
        ((("a", ""), ("a", ""), ("b", "")), "No judge denies a point of any task of "),
    ],
)
def test_where_nothing_is_denied_a_sentence_says_so(
    votes: tuple[tuple[str, str], ...],
    said: str,
    judged: Path,
    audit: Callable[..., Ran],
    summary: Callable[..., Ran],
) -> None:
    if votes:
        rate(judged, *votes)
    for done in (audit(["1"], "--disputed"), summary("--disputed")):
        assert (done.code, done.out) == (2, "")
        assert said in done.err
        assert done.err.count("\n") == 1
    assert not (judged.parent / "out").exists()


def test_a_vote_that_leaves_a_point_out_is_told_with_its_line(
    judged: Path, audit: Callable[..., Ran]
) -> None:
    rate(judged, ("a", ""))
    file = judged / RATINGS
    file.write_text(file.read_text(encoding="utf-8").replace('"causal": true, ', ""), encoding="utf-8")
    done = audit(["1"], "--disputed")
    assert done.code == 2
    assert "ratings.jsonl:1" in done.err
    assert "'holds' takes a vote on each of " in done.err


def test_judges_do_not_vote_on_tools(judged: Path, audit: Callable[..., Ran]) -> None:
    done = audit(["1"], "--disputed", "--tools")
    assert done.code == 2
    assert "Give either --tools or --disputed." in done.err
