"""Suites are found by scanning the folder, and outside packages' by the entry-point group."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from knowact import suites
from knowact.core.errors import BadUsage, UnknownName
from knowact.probes.suite import Suite
from knowact.suites.kapro.suite import Kapro
from running import knowact


class Outside(Kapro):
    """A suite of another package."""

    name = "my_suite"
    title = "Mine"


OUTSIDE = Outside()
NOT_A_SUITE = "a text"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Packages that offer something under the group: a suite, and what is none for one reason or another."""
    offered = [
        EntryPoint("my_suite", f"{__name__}:OUTSIDE", suites.GROUP),
        EntryPoint("broken", f"{__name__}:NOT_A_SUITE", suites.GROUP),
        EntryPoint("renamed", f"{__name__}:OUTSIDE", suites.GROUP),
        EntryPoint("outdated", "knowact.suites:no_such_name", suites.GROUP),
    ]

    def entry_points(*, group: str) -> list[EntryPoint]:
        return [one for one in offered if one.group == group]

    def load(self: EntryPoint) -> object:
        if self.name == "outdated":
            raise ImportError("cannot import name 'no_such_name'")
        return {"broken": NOT_A_SUITE}.get(self.name, OUTSIDE)

    monkeypatch.setattr(suites, "entry_points", entry_points)
    monkeypatch.setattr(EntryPoint, "load", load)
    suites.names.cache_clear()
    suites.find.cache_clear()
    yield
    suites.names.cache_clear()
    suites.find.cache_clear()


def test_our_own_suites_are_the_folders_here() -> None:
    assert "kapro" in suites.names()
    assert suites.find("kapro").name == "kapro"


@pytest.mark.usefixtures("installed")
def test_a_suite_of_another_package_is_found_by_either_spelling() -> None:
    assert suites.names() == tuple(sorted(("broken", "my_suite", "outdated", "renamed", *suites.own_names())))
    found = suites.find("my-suite")
    assert isinstance(found, Suite)
    assert found.title == "Mine"


@pytest.mark.usefixtures("installed")
def test_an_entry_point_that_is_no_suite_is_refused() -> None:
    for name in ("broken", "renamed"):
        with pytest.raises(BadUsage, match=rf"'{name}' of the group 'knowact\.suites' must be"):
            suites.find(name)


@pytest.mark.usefixtures("installed")
def test_a_package_that_cannot_be_imported_is_named_with_the_reason_and_takes_no_other_along() -> None:
    with pytest.raises(
        BadUsage, match=r"'outdated' .* cannot be loaded .*no_such_name.*: update or uninstall"
    ):
        suites.find("outdated")
    from knowact._registry import installed_suites

    names = [suite.name for suite in installed_suites()]
    assert names == sorted(("my_suite", *suites.own_names()))


def test_an_unknown_suite_suggests_the_near_ones() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'kapro'"):
        suites.find("kaproo")


@pytest.mark.usefixtures("installed")
def test_list_shows_what_works_and_says_what_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    listed = knowact(capsys, "list")
    assert listed.code == 0
    usable, unusable = listed.said.split("Suites that cannot be used")
    assert "\n  my-suite " in usable
    assert "\n  kapro " in usable
    assert [line.split()[0] for line in unusable.strip().splitlines()] == ["broken", "outdated", "renamed"]
    assert "no_such_name" in unusable
