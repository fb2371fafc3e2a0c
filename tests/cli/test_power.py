"""`knowact power`: sizes with what they assume."""

import json
from pathlib import Path
from typing import Any

import pytest

from running import knowact

PAPER = ("power", "--effect", "0.5", "--alpha", "0.005", "--power", "0.9")


def numbers(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    done = knowact(capsys, *words, "--json")
    assert done.code == 0, done.said
    return json.loads(done.out)


class TestAnEffect:
    def test_the_papers_number_comes_out_with_what_it_assumed(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = knowact(capsys, *PAPER)
        assert done.code == 0, done.said
        lines = done.out.splitlines()
        assert lines[0].startswith("92 items (91.6 before rounding up): chi-square test of goodness of fit")
        assert "4 degrees of freedom (5 bins), w = 0.5, alpha = 0.005, power = 0.9" in lines[0]
        assert "w = 0.5 is a large effect" in done.out
        assert "255 for 0.3" in done.out
        assert "67 with 1, 78 with 2, 86 with 3, 92 with 4, 98 with 5" in done.out
        assert '"at most 92 queries" assume w = 0.5, which it calls a medium effect' in done.out

    def test_with_degrees_of_freedom_given_nothing_is_said_of_the_paper(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = knowact(capsys, *PAPER, "--df", "1")
        assert done.out.startswith("67 items (66.9 before")
        assert "1 degree of freedom (2 bins)" in done.out
        assert "92 queries" not in done.out

    @pytest.mark.parametrize(
        ("effect", "size"),
        [
            ("0.05", "less than a small"),
            ("0.1", "a small"),
            ("0.3", "a medium"),
            ("0.49", "a medium"),
            ("2", "a large"),
        ],
    )
    def test_an_effect_is_called_by_cohens_convention(
        self, capsys: pytest.CaptureFixture[str], effect: str, size: str
    ) -> None:
        assert f"w = {effect} is {size} effect" in knowact(capsys, "power", "--effect", effect).out

    def test_json_has_the_numbers_alone(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        found = numbers(capsys, *PAPER)
        assert (found["format"], found["test"]) == ("knowact.power/1", "chi-square goodness of fit")
        assert (found["df"], found["bins"], found["needed"]) == (4, 5, 92)
        assert round(found["n"], 1) == 91.6
        assert [round(n, 1) for n in found["by_df"].values()] == [66.9, 77.6, 85.3, 91.6, 97.0]
        file = tmp_path / "new" / "power.json"
        done = knowact(capsys, *PAPER, "--json", file)
        assert (done.code, done.out) == (0, f"{file}\n")
        assert json.loads(file.read_text(encoding="utf-8")) == found


class TestTwoShares:
    def test_different_items(self, capsys: pytest.CaptureFixture[str]) -> None:
        done = knowact(capsys, "power", "--shares", "0.5", "0.6")
        assert done.out.startswith("388 items (387.3 before rounding up) for each of two runs, 776 in all")
        assert "without continuity correction" in " ".join(done.out.split())
        found = numbers(capsys, "power", "--shares", "0.5", "0.6")
        assert (found["shares"], found["needed"], found["in_all"]) == ([0.5, 0.6], 388, 776)

    def test_the_same_items_by_chance_and_by_what_is_known(self, capsys: pytest.CaptureFixture[str]) -> None:
        words = ("power", "--shares", "0.36", "0.61", "--paired")
        done = knowact(capsys, *words)
        assert (
            "differ on 53.1 % of the items (possible: 25 to 97 %; this is the value for independent runs"
            in done.out
        )
        known = knowact(capsys, *words, "--discordant", "0.3")
        assert "differ on 30 % of the items (possible: 25 to 97 %), independent" in known.out
        chance, told = (numbers(capsys, *words, *more) for more in ((), ("--discordant", "0.3")))
        assert told["needed"] < chance["needed"]
        assert told["discordant"] == 0.3


def test_without_arguments_it_explains_itself_by_examples_that_work(
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = knowact(capsys, "power")
    assert done.code == 0
    examples = [line.split()[1:] for line in done.out.splitlines() if line.startswith("    knowact ")]
    assert len(examples) == 3
    for words in examples:
        assert "before rounding up" in knowact(capsys, *words).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--effect", "0.5", "--shares", "0.1", "0.2"), "Give either --effect W or --shares P1 P2."),
        (("--effect", "0.5", "--paired"), "--paired and --discordant need --shares."),
        (("--effect", "0.5", "--discordant", "0.2"), "--paired and --discordant need --shares."),
        (("--shares", "0.1", "0.2", "--df", "1"), "--df needs --effect."),
        (("--shares", "0.1", "0.2", "--discordant", "0.2"), "--discordant needs --paired"),
        (("--effect", "0"), "An effect is a number of at least 1e-06."),
        (("--effect", "0.5", "--df", "0"), "Degrees of freedom are a whole number from 1 to 10,000."),
        (("--effect", "0.5", "--power", "1"), "Power lies above alpha and below 1."),
        (("--shares", "0.5", "0.5"), "Shares must differ by at least 1e-06."),
        (("--shares", "0.5", "1.5"), "A share lies between 0 and 1."),
        (
            ("--shares", "0.4", "0.5", "--paired", "--discordant", "0.05"),
            "With these shares, items that differ are between 0.1 and 0.9 of all.",
        ),
        (("--effect", "0.5", "--json", "/dev/null/x.json"), "Cannot write JSON to /dev/null/x.json"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = knowact(capsys, "power", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"Error: {said}")
    assert done.err.count("\n") == 1
