"""Errors before a run: a complete tree, and sentences that help."""

import inspect
import re
from pathlib import Path

import pytest

from knowact.core import errors
from knowact.core.errors import BadData, BadUsage, KnowactError, Place, UnknownName, suggest


def test_the_tree_in_the_docstring_names_every_exception_below_its_parent() -> None:
    drawn = re.findall(r"^([│ ]*(?:[├└]── )?)(\w+)", errors.__doc__ or "", re.MULTILINE)
    tree = {name: len(indent) // 4 for indent, name in drawn if isinstance(getattr(errors, name, None), type)}
    defined = {
        name: len([base for base in kind.__mro__ if base.__module__ == errors.__name__]) - 1
        for name, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, Exception) and kind.__module__ == errors.__name__
    }
    assert tree == defined


class TestSuggestions:
    def test_the_nearest_names_are_suggested(self) -> None:
        assert suggest("kapo", ["kapro", "ict", "car"]) == "Did you mean 'kapro'?"
        assert suggest("run_a", ["run_b", "run_c", "x"]) in {
            "Did you mean 'run_b' or 'run_c'?",
            "Did you mean 'run_c' or 'run_b'?",
        }

    def test_capital_letters_do_not_matter(self) -> None:
        assert suggest("KAPRO", ["kapro"]) == "Did you mean 'kapro'?"

    def test_where_nothing_is_near_everything_is_listed(self) -> None:
        assert suggest("zzz", ["kapro", "ict"]) == "There are: ict, kapro."

    def test_where_there_is_nothing_it_says_so(self) -> None:
        assert suggest("kapro", []) == "None are installed."

    def test_an_unknown_name_is_a_sentence_and_keeps_its_parts(self) -> None:
        error = UnknownName("suite", "kapo", iter(["kapro", "ict"]))
        assert str(error) == "There is no suite named 'kapo'. Did you mean 'kapro'?"
        assert (error.kind, error.name, error.known) == ("suite", "kapo", ["ict", "kapro"])
        assert isinstance(error, BadUsage)


class TestPlaces:
    @pytest.mark.parametrize(
        ("place", "expected"),
        [
            (Place(Path("d/tasks.jsonl")), "d/tasks.jsonl"),
            (Place(Path("d/tasks.jsonl"), 7), "d/tasks.jsonl:7"),
            (Place(Path("d/tasks.jsonl"), 7, "plan.0.tool"), "d/tasks.jsonl:7, field 'plan.0.tool'"),
            (Place(Path("d/manifest.json"), field="sha256"), "d/manifest.json, field 'sha256'"),
        ],
    )
    def test_a_place_names_as_much_as_is_known(self, place: Place, expected: str) -> None:
        assert str(place) == expected

    def test_bad_data_says_what_where_and_what_to_do(self) -> None:
        error = BadData(
            "the id 'a' occurs twice", Place(Path("t.jsonl"), 3, "id"), "give each task its own id"
        )
        assert str(error) == (
            "t.jsonl:3, field 'id': the id 'a' occurs twice. Fix: give each task its own id."
        )
        assert isinstance(error, KnowactError)
