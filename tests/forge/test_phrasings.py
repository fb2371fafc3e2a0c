"""Every authored phrasing fits its tool, and frames fit each other."""

from collections import Counter

import pytest

from knowact.core.errors import BadData
from knowact.forge import words
from knowact.forge.frames import Kind, frames
from knowact.forge.rehearse import complaints
from knowact.forge.words import REGISTERS, SLOT, phrasings
from knowact.worlds.everyday.catalogue import OPERATIONS

FEW = 5


@pytest.mark.parametrize("tool", phrasings())
def test_an_entry_fits_its_tool(tool: str) -> None:
    assert list(complaints(tool, phrasings()[tool])) == []


def test_every_tool_but_those_of_public_facts_is_phrased() -> None:
    public = {n for n, one in OPERATIONS.items() if one.tool.rubric and one.tool.rubric.when == "public"}
    assert phrasings().keys() == OPERATIONS.keys() - public


def test_tools_that_depend_on_their_arguments_are_phrased_on_both_sides() -> None:
    for name, entry in phrasings().items():
        rubric = OPERATIONS[name].tool.rubric
        assert rubric is not None
        sides = {variant.side for variant in entry.variants}
        assert (len(sides) == 2) == (rubric.when == "by_argument"), name


def test_no_two_tools_share_a_text_of_more_than_a_few_words() -> None:
    seen: Counter[str] = Counter()
    for entry in phrasings().values():
        shared = [text.text for text in (*entry.asks, *entry.clauses)]
        own = {text.text for variant in entry.variants for text in (*variant.asks, *variant.clauses)}
        seen.update(SLOT.sub("_", text) for text in {*shared, *own})
    assert [text for text, count in seen.items() if count > 1 and len(text.split()) > FEW] == []


@pytest.mark.parametrize("kind", ["tell", "do", "mixed", "also_tell", "also_do", "then_tell", "then_do"])
def test_frames_come_in_every_register_that_uses_them(kind: Kind) -> None:
    for register in REGISTERS:
        if register == "story":
            continue
        found = frames().frames[kind][register]
        assert len(set(found)) == len(found) >= 8
        for frame in found:
            assert ("{do}" in frame and "{tell}" in frame) if kind == "mixed" else frame.count("{}") == 1


def test_openers_have_no_slots_and_end_as_sentences() -> None:
    for by_register in frames().openers.values():
        for openers in by_register.values():
            assert all(opener[-1] in ".?!" and "{" not in opener for opener in openers)


def test_a_broken_entry_is_told_with_file_and_field(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def joinpath(self, *_names: str) -> "Broken":
            return self

        def read_text(self, _encoding: str) -> str:
            return "get_note:\n  topics: [home]\n  fields: {text: {label: x, kind: colour}}\n"

    def broken(_package: str) -> Broken:
        return Broken()

    monkeypatch.setattr(words.resources, "files", broken)
    with pytest.raises(BadData, match=r"mine\.yaml.*get_note\.fields\.text\.kind"):
        words.read("mine")
