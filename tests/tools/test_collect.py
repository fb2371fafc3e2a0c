"""`knowact tools collect`: a collection is read once, sorted twice, and only what both agree on is a pool."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from doubles.endpoint import Refuse401, Reply, Request, Say, ScriptedEndpoint
from knowact.core.tool import Dimension
from knowact.tools.collection import Opinion, Pooled, Says, write_sample
from knowact.tools.kept import mend, rows
from running import Ran, knowact
from tools.collections import write_all

SORTED: Mapping[str, tuple[str, str]] = {
    "cancel_order": ("interaction", "interaction"),
    "Fixtures": ("temporality", "temporality"),
    "find_pages": ("scale", "temporality"),
    "By topic": ("", ""),
    "toss": ("?", ""),
    "Random": ("", "modality"),
    "page-server-find_pages": ("scale", "?"),
}
"""What fires for each tool, by stage; "?" is not sure of anything."""


class Sorters:
    """Two models that sort tools by a list."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.schemas: list[Any] = []
        self.replies: list[Reply] = []

    def script(self, request: Request) -> Reply:
        if self.replies:
            return self.replies.pop(0)
        tool = json.loads(request.conversation.rpartition("The tool:\n\n")[2])
        stage = 1 if request.model == "auditor" else 0
        self.asked.append((request.model, tool["name"]))
        self.schemas.append(request.body["response_format"]["json_schema"]["schema"])
        fires = SORTED[tool["name"]][stage]
        says = {one.value: "unsure" if fires == "?" else "yes" if fires == one else "no" for one in Dimension}
        scenario = {"scenario": f"Somebody wants {tool['name']}."} if stage else {}
        return Say(json.dumps({**says, "why": "so it is", **scenario}))


@pytest.fixture
def sorters(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sorters]:
    played = Sorters()
    with ScriptedEndpoint(played.script, keep_requests=False) as endpoint:
        monkeypatch.setenv("SORT_API_KEY", "x")
        monkeypatch.setenv("SORT_BASE_URL", endpoint.base_url)
        yield played


@pytest.fixture
def published(tmp_path: Path) -> Path:
    folder = write_all(tmp_path / "published")
    (folder / "own.jsonl").write_text(
        '{"name": "toss", "description": "Tosses a coin as often as you like and counts the heads."}\n'
        '{"name": "TOSS", "description": "tosses a coin as often as you  like and counts the heads."}\n'
        '{"name": "toss", "description": "Tosses a coin as often as you like and counts the heads!"}\n',
        encoding="utf-8",
    )
    return folder


ROLES = (
    *("--role", "annotator=openai-api/sort/annotator", "--role", "auditor=openai-api/sort/auditor"),
    *("--max-connections", "1", "--yes"),
)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def collected(capsys: pytest.CaptureFixture[str], published: Path, out: Path, *words: object) -> Ran:
    return knowact(capsys, "tools", "collect", published, "--out", out, *words)


def test_without_a_model_a_collection_is_one_schema_without_duplicates(
    published: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = collected(capsys, published, tmp_path / "out")
    assert done.code == 0
    # Two queries and two rows with one tool, and one toss in other letters; one toss with another mark.
    assert "7 tools of 11 (3 exact and 1 near duplicates; 1 rows without a tool)." in done.out
    assert sorted(one["name"] for one in lines(tmp_path / "out" / "tools.jsonl")) == sorted(SORTED)
    assert "Add --role annotator=MODEL" in done.out


def test_the_counts_are_those_of_table_5_and_add_up(
    published: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], sorters: Sorters
) -> None:
    out = tmp_path / "out"
    done = collected(capsys, published, out, *ROLES)
    assert done.code == 0, done.said
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["stage_1"] == {"outside": 4, "inside": 2, "unknown": 1}
    assert report["stage_2"] == {"outside": 4, "inside": 1, "unknown": 1}
    assert report["consensus"] == {"consistent": 4, "inconsistent": 1, "undecided": 1}
    assert sum(report["stage_2"].values()) == sum(report["consensus"].values())
    assert (report["agreement"]["value"], report["agreement"]["n"]) == (pytest.approx(4 / 6), 6)
    assert report["agreement_where_both_took_a_side"]["value"] == pytest.approx(4 / 5)
    # By chance they would agree on 3/5 * 4/5 + 2/5 * 1/5 = 0.56 of them.
    assert report["kappa"]["value"] == pytest.approx((0.8 - 0.56) / 0.44)
    assert report["pool"] == {"outside": 3, "inside": 1}
    assert not report["self_consistency"]
    assert ("auditor", "toss") not in sorters.asked
    assert all(set(schema["required"]) > {one.value for one in Dimension} for schema in sorters.schemas)


@pytest.mark.slow
def test_the_pool_holds_tools_with_a_rubric_and_their_nearest(
    published: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], sorters: Sorters
) -> None:
    out = tmp_path / "out"
    assert collected(capsys, published, out, *ROLES).code == 0
    assert sorters.asked
    pool = {one.tool.name: one for one in rows(out / "pool.jsonl", Pooled)}
    assert set(pool) == {"cancel_order", "Fixtures", "find_pages", "By topic"}
    rubrics = {name: one.tool.rubric for name, one in pool.items()}
    cancel, saying, pages = rubrics["cancel_order"], rubrics["By topic"], rubrics["find_pages"]
    assert cancel is not None
    assert saying is not None
    assert pages is not None
    assert (cancel.fires, cancel.when) == ((Dimension.INTERACTION,), "always")
    assert (saying.fires, saying.when) == ((), "never")
    # They agree that it is external and not on the reason: the audit's counts.
    assert pages.fires == (Dimension.TEMPORALITY,)
    near = lines(out / "affinity.jsonl")
    assert {one["id"] for one in near} == {one.id for one in pool.values()}
    assert all(len(one["near"]) == 3 for one in near)


@pytest.mark.slow
def test_it_goes_on_where_it_was_stopped(
    published: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], sorters: Sorters
) -> None:
    out = tmp_path / "out"
    sorters.replies = [Say("I would rather not.")] * 4
    done = collected(capsys, published, out, *ROLES)
    assert done.code == 1
    assert "1 tools have no verdict" in done.err
    assert len(sorters.asked) == 6
    screened = out / "screened.jsonl"
    # Killed while it wrote: half a line at the end.
    screened.write_text(screened.read_text(encoding="utf-8")[:-30], encoding="utf-8")
    sorters.asked.clear()
    assert collected(capsys, published, out, *ROLES).code == 0
    assert len([who for who, _ in sorters.asked if who == "annotator"]) == 2
    first = (out / "report.json").read_bytes()
    sorters.asked.clear()
    assert collected(capsys, published, out, *ROLES).code == 0
    assert sorters.asked == []
    assert (out / "report.json").read_bytes() == first


@pytest.mark.slow
def test_a_wrong_key_stops_it_and_nothing_is_lost(
    published: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], sorters: Sorters
) -> None:
    sorters.replies = [Refuse401()] * 100
    done = collected(capsys, published, tmp_path / "out", *ROLES)
    assert done.code == 1
    assert "7 tools have no verdict" in done.err
    sorters.replies.clear()
    assert collected(capsys, published, tmp_path / "out", *ROLES).code == 0


@pytest.mark.slow
def test_opinions_of_two_models_are_never_mixed(
    published: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], sorters: Sorters
) -> None:
    out = tmp_path / "out"
    assert collected(capsys, published, out, *ROLES).code == 0
    assert sorters.asked
    other = ("--role", "annotator=openai-api/sort/another", "--yes")
    done = collected(capsys, published, out, *other)
    assert done.code == 2
    assert "holds opinions of openai-api/sort/annotator" in done.err


def test_a_folder_of_another_collection_is_refused(
    published: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert collected(capsys, published, tmp_path / "out").code == 0
    done = collected(capsys, published / "own.jsonl", tmp_path / "out")
    assert done.code == 2
    assert "collection of other files" in done.err


@pytest.mark.parametrize(
    ("says", "label"),
    [
        (("yes", "no", "no", "no", "no", "unsure"), "outside"),
        (("no",) * 6, "inside"),
        (("no", "no", "no", "no", "no", "unsure"), "unknown"),
    ],
)
def test_one_yes_is_outside_and_inside_takes_six_times_no(says: tuple[Any, ...], label: str) -> None:
    one = Opinion(id="a", model="m", prompt="p", says=dict(zip(Dimension, says, strict=True)))
    assert one.label == label


@pytest.mark.parametrize("cut", range(12))
def test_a_cut_off_line_is_taken_back_wherever_it_was_cut(tmp_path: Path, cut: int) -> None:
    file = tmp_path / "lines"
    file.write_bytes(b"one\ntwo\nthree\n"[: len(b"one\ntwo\nthree\n") - cut])
    before = file.read_bytes()
    mend(file)
    assert file.read_bytes() == before[: before.rfind(b"\n") + 1]


@pytest.mark.slow
def test_people_check_a_sample_that_shows_no_label(
    published: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], sorters: Sorters
) -> None:
    out = tmp_path / "out"
    done = collected(capsys, published, out, *ROLES)
    assert "read by no person" in done.out
    sample = lines(out / "to_check.jsonl")
    assert {one["name"] for one in sample} == {name for who, name in sorters.asked if who == "auditor"}
    assert all(set(one) <= {"id", "name", "description", "parameters", "returns"} for one in sample)
    ids = {one["name"]: one["id"] for one in sample}
    said = [
        # Two of three, who is right; one who changes their mind; and two who are split.
        *(
            ("cancel_order", who, label)
            for who, label in (("a", "outside"), ("b", "outside"), ("c", "inside"))
        ),
        *(("By topic", "a", label) for label in ("inside", "outside")),
        *(("Fixtures", who, label) for who, label in (("a", "inside"), ("b", "outside"))),
    ]
    rows_said = [json.dumps({"id": ids[name], "who": who, "label": label}) for name, who, label in said]
    (out / "checked.jsonl").write_text("\n".join(rows_said), encoding="utf-8")
    done = collected(capsys, published, out, *ROLES)
    people = json.loads((out / "report.json").read_text(encoding="utf-8"))["people"]
    assert (people["value"], people["n"], people["split"]) == (0.5, 2, 1)
    assert "read by no person" not in done.out


def test_a_sample_has_rare_labels_and_the_same_tools_every_time(tmp_path: Path) -> None:
    says: dict[str, Says] = {"outside": "yes", "inside": "no", "unknown": "unsure"}
    labels = ["outside"] * 90 + ["inside"] * 8 + ["unknown"] * 2
    tools: list[dict[str, Any]] = [
        {"id": f"t{n}", "name": f"n{n}", "parameters": {}, "source": "s"} for n in range(100)
    ]
    opinions = [
        Opinion(id=f"t{n}", model="m", prompt="p", says=dict.fromkeys(Dimension, says[label]))
        for n, label in enumerate(labels)
    ]
    (tmp_path / "tools.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in tools), encoding="utf-8")
    (tmp_path / "reviewed.jsonl").write_text(
        "".join(f"{one.model_dump_json()}\n" for one in opinions), encoding="utf-8"
    )
    assert write_sample(tmp_path, 20) == 20
    drawn = [int(one["id"][1:]) for one in lines(tmp_path / "to_check.jsonl")]
    assert [sum(labels[n] == label for n in drawn) for label in says] == [10, 8, 2]
    first = (tmp_path / "to_check.jsonl").read_bytes()
    write_sample(tmp_path, 20)
    assert (tmp_path / "to_check.jsonl").read_bytes() == first
