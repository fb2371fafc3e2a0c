"""`knowact world check`: any world, told like unit tests; a tool that hangs or crashes fails alone."""

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import outside_world
from knowact.core.errors import BadUsage
from knowact.worlds import registry
from knowact.worlds.check import Example
from running import Ran, knowact
from timing import within

PATIENCE = 600
"""Seconds per call where none hangs."""


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A package beside ours that offers worlds, as an installer would leave it."""
    folder = tmp_path_factory.mktemp("site")
    outside_world.install(folder)
    sys.path.insert(0, str(folder))
    for found in (registry.names, registry.find, registry.world):
        found.cache_clear()
    yield
    sys.path.remove(str(folder))
    for found in (registry.names, registry.find, registry.world):
        found.cache_clear()


def check(capsys: pytest.CaptureFixture[str], *words: object, seconds: float = PATIENCE) -> Ran:
    return knowact(capsys, "world", "check", *words, "--time-limit", seconds)


@pytest.mark.slow
def test_each_tool_fails_for_itself_and_the_command_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    began = time.monotonic()
    done = within(
        lambda seconds: check(capsys, "outside", seconds=seconds),
        lambda done: done.out.count("the call took longer") == 2,
    )
    assert done.code == 1, done.said
    assert time.monotonic() - began < outside_world.ASLEEP
    said = [line.strip() for line in done.out.splitlines()]
    status = {line.split()[1]: line.split()[0] for line in said if line.startswith(("ok ", "FAIL "))}
    assert {name: status[name] for name in outside_world.TOOLS} == {
        name: "ok" if name == "good" else "FAIL" for name in outside_world.TOOLS
    }
    for name in ("sleeps", "spins"):
        place = said.index(f"FAIL  {name}")
        assert re.fullmatch(r"example 1: the call took longer than \d+ s and was stopped\.", said[place + 1])
        assert said[place + 2].startswith(("ok", "FAIL")), "a tool that hangs is tried once"
    assert said[said.index("FAIL  crashes") + 1] == "example 1: the call ended its process (exit code 3)."
    assert said[said.index("FAIL  raises") + 1] == (
        "example 1: the call raised RuntimeError: the drawer\N{REPLACEMENT CHARACTER}[2J is stuck."
    )
    assert said[said.index("FAIL  leaves") + 1] == "example 1: the call raised SystemExit: 4."
    assert said[said.index("FAIL  generates") + 1].startswith(
        "example 1: the call raised TypeError: cannot pickle"
    )
    assert said[said.index("FAIL  lies") + 1] == "example 1: expected {'twice': 2}, got {'twice': 7}"
    assert said[-1].endswith(": sleeps, spins, raises, leaves, crashes, generates, lies")
    assert done.err == ""


@pytest.mark.slow
def test_one_tool_of_a_good_world_passes_with_exit_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    done = check(capsys, "outside", "--tool", "good", "--seed", 5)
    assert done.code == 0, done.said
    assert done.out.startswith("World 'outside': 1 tool, 3 worked examples, then 20 random calls per tool")
    assert "seeds 5 and 6" in done.out
    assert "  ok    good\n" in done.out
    assert "sleeps" not in done.out
    assert done.out.splitlines()[-1].startswith("All 6 checks passed in ")


@pytest.mark.slow
def test_examples_of_ones_own_take_the_place_of_the_worlds(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    right = [Example(tool="good", arguments={"n": n}, result={"twice": 2 * n}) for n in (4, 5, 6)]
    file = outside_world.write_examples(tmp_path / "own.jsonl", right)
    assert check(capsys, "bare", "--tool", "good", "--examples", file).code == 0
    wrong = [*right, Example(tool="good", arguments={"n": 7}, result={"twice": 15})]
    done = check(capsys, "outside", "--tool", "good", "--examples", outside_world.write_examples(file, wrong))
    assert done.code == 1
    assert "example 4: expected {'twice': 15}, got {'twice': 14}" in done.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("outside", "--tool", "god"),
            "There is no tool of the world 'outside' named 'god'. Did you mean 'good'?",
        ),
        (("unmade",), "The world cannot be opened: RuntimeError: no such drawer."),
        (("replay",), "The world 'replay' has no tools to check: its tools come with the data."),
    ],
)
def test_what_can_only_be_seen_in_the_world_is_one_sentence(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = check(capsys, *words)
    assert (done.code, done.out, done.err) == (2, "", f"Error: {said}\n")


@pytest.mark.slow
def test_a_world_without_examples_does_not_fail_for_that_and_says_what_is_not_checked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = check(capsys, "bare", "--tool", "good")
    assert done.code == 0, done.said
    assert "Not checked, because there are no worked examples: the results of good." in done.out
    assert "Not called at all, because nothing says what arguments to call them with: good." in done.out
    assert "All 1 check passed" in done.out


def test_unknown_worlds_and_commands_suggest_the_near_ones(capsys: pytest.CaptureFixture[str]) -> None:
    done = check(capsys, "outsid")
    assert (done.code, done.err) == (2, "Error: There is no world named 'outsid'. Did you mean 'outside'?\n")
    done = knowact(capsys, "world", "chek", "everyday")
    assert done.code == 2
    assert "There is no command of `knowact world` named 'chek'. Did you mean 'check'?" in done.err


def test_an_entry_point_that_is_no_world_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    done = check(capsys, "no-entry")
    assert done.code == 2
    assert "The entry point 'no-entry' of the group 'knowact.worlds' must be a WorldEntry." in done.err


def test_ours_cannot_be_replaced_from_outside_and_all_are_named() -> None:
    assert set(registry.names()) >= {"everyday", "replay", "outside", "bare"}
    assert registry.find("everyday").examples is not None
    with pytest.raises(BadUsage, match="There is no world named 'mars'"):
        registry.world("mars")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no example"),
        ("{}\n", "own.jsonl:1, field 'tool': this field is missing"),
        ('{"tool": "good", "arguments": {}}\n{"tool"\n', "own.jsonl:2: the line is"),
        ('{"tool": "good", "arguments": {}, "reslt": 1}\n', "field 'reslt': there is no such field"),
    ],
)
def test_a_bad_file_of_examples_is_told_with_its_place(
    text: str, said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(text, encoding="utf-8")
    done = check(capsys, "outside", "--examples", file)
    assert done.code == 2
    assert done.out == ""
    assert said in done.err
