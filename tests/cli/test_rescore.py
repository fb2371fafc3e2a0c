"""`knowact rescore`: published outputs in, the paper's tables out."""

import json
import os
from pathlib import Path

import pytest

from running import knowact
from suites.fail_talms.release import (
    MOONLIT,
    answer,
    info_label,
    outputs,
    standard,
    tool_label,
    with_combined,
    write,
)

SUITE = "fail-talms"
ESC = "\x1b[2J"


@pytest.fixture
def release(tmp_path: Path) -> Path:
    runs = {
        ("Original", "m_auto_eval"): [
            answer(1, **tool_label("Yes"), **info_label("Yes")),
            answer(2, f"{MOONLIT}{ESC}", pass_rate=0, **tool_label("Yes"), **info_label("IDK")),
        ],
        ("Replaceable", "m_auto_eval"): [answer(1, **tool_label("No"), skipped=True, pass_rate=0)],
        ("Replaceable", f"m{ESC}_auto_eval_qaq"): [
            answer(1, **tool_label("IDK")),
            answer(1, **tool_label("IDK")),
        ],
    }
    return write(tmp_path / "release", {**outputs(runs), **with_combined(standard())})


def test_tables_and_what_was_noted_are_printed(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = knowact(capsys, "rescore", SUITE, release)
    assert done.code == 0, done.said
    rows = [line.split() for line in done.out.splitlines()]
    head = ["model", "setting", "number", "counted", "definition", "published", "n"]
    assert head in rows
    (aware,) = (
        line
        for line in done.out.splitlines()
        if line.startswith("m  ") and "unavailable-rep" in line and "awareness" in line
    )
    assert "no or idk / all; published: idk / all" in aware
    assert aware.split()[-7:] == ["100.0", "[20.7,", "100.0]", "0.0", "[0.0,", "79.3]", "1"]
    assert "a record repeats an id (noted): kept; copy 2 of id 1" in done.out
    assert "a record's query is not the benchmark's" in done.out


@pytest.mark.parametrize(
    ("rules", "shown", "hidden"),
    [("definition", "definition", "published"), ("published", "published", "definition")],
)
def test_one_rule_alone_can_be_asked_for(
    rules: str, shown: str, hidden: str, release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heads = [
        line.split()
        for line in knowact(capsys, "rescore", SUITE, release, "--rules", rules).out.splitlines()
        if line.startswith("model") and "counted" in line
    ]
    assert heads
    assert all(shown in head and hidden not in head for head in heads)


def test_names_of_strangers_cannot_move_the_cursor(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "\x1b" not in knowact(capsys, "rescore", SUITE, release).out


def test_json_has_every_number_and_every_departure(
    release: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "rescored.json"
    done = knowact(capsys, "rescore", "fail_talms", release, "--json", file)
    assert (done.code, done.out) == (0, f"{file}\n")
    found = json.loads(file.read_text(encoding="utf-8"))
    assert (found["format"], found["suite"], found["rules"]) == ("knowact.rescored/1", "fail_talms", "both")
    (table,) = (one for one in found["tables"] if one["id"] == "table-1")
    row = table["rows"][0]
    assert {"model", "setting", "number", "counted", "measure", "value", "n", "low", "high", "method"} == set(
        row
    )
    assert (row["number"], row["measure"], row["value"], row["n"]) == ("pass rate", "definition", 0.5, 2)
    assert "a record repeats an id" in {one["kind"] for one in found["details"]}
    done = knowact(capsys, "rescore", SUITE, release, "--json")
    assert json.loads(done.out) == found


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("fail-talm", "."),
            "There is no suite with published outputs named 'fail-talm'. Did you mean 'fail-talms'?",
        ),
        (("kapro", "."), "There is no suite with published outputs named 'kapro'."),
        ((SUITE, "/no/such"), "/no/such: there is no such folder. Fix: check the path."),
        ((SUITE, "."), ".: this folder holds no published outputs"),
        ((SUITE, ".", "--rules", "strict"), "'strict' is not one of 'definition', 'published', 'both'"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    words: tuple[str, ...],
    said: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = knowact(capsys, "rescore", *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "Traceback" not in done.err


def test_the_published_sample_is_rescored(capsys: pytest.CaptureFixture[str]) -> None:
    upstream = os.environ.get("KNOWACT_UPSTREAM") or Path(__file__).parents[3] / "shared" / "upstream"
    folder = Path(upstream) / SUITE
    if not folder.is_dir():
        pytest.skip(f"no published sample at {folder}; say where it is with KNOWACT_UPSTREAM")
    done = knowact(capsys, "rescore", SUITE, folder)
    assert done.code == 0, done.said
    assert "1,346 records in 49 files, of 6 models." in done.out
