"""`knowact forge kapro --tools`: data made with somebody's own tools, which an oracle then gets right."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from running import Ran, knowact

MODULE = '''
from typing_extensions import TypedDict

class Price(TypedDict):
    title: str
    price_eur: float

class Stock(TypedDict):
    title: str
    copies: int

class Upper(TypedDict):
    text: str

BOOKS = {"Dune": (9.5, 3), "Emma": (7.25, 0), "Ulysses": (12.0, 8), "Hamlet": (5.0, 2), "Walden": (6.75, 4)}

def get_price(title: str) -> Price:
    """What a book costs in this shop."""
    return {"title": title, "price_eur": BOOKS[title][0]}

def get_stock(title: str) -> Stock:
    """How many copies of a book this shop has."""
    return {"title": title, "copies": BOOKS[title][1]}

def to_capitals(text: str) -> Upper:
    """A text in capitals."""
    return {"text": text.upper()}

def order(title: str) -> Stock:
    """Order a book."""
    return {"title": title, "copies": BOOKS[title][1]}
'''

PRIVATE: dict[str, Any] = {"writes": False, "fires": ["privacy"], "when": "always", "by_person": True}
ANNOTATIONS: dict[str, Any] = {
    "tools": {
        "get_price": {
            **PRIVATE,
            "about": ["title"],
            "needs": {"title": "book.title"},
            "reports": {"title": "echo", "price_eur": "book.price"},
        },
        "get_stock": {
            **PRIVATE,
            "about": ["title"],
            "needs": {"title": "book.title"},
            "reports": {"title": "echo", "copies": "book.copies"},
        },
        "to_capitals": {
            "writes": False,
            "fires": [],
            "when": "never",
            "by_person": True,
            "about": ["text"],
            "needs": {"text": "words.text"},
            "reports": {"text": "words.capitals"},
        },
    }
}

TITLES = {"one_of": ["Dune", "Emma", "Ulysses", "Hamlet", "Walden"]}


def scenario(place: str) -> dict[str, Any]:
    return {
        "people": ["Ada, 40, brief", "Kim, 19, chatty"],
        "situation": f"They want a book and stand in {place}.",
        "values": {"book": TITLES},
        "jobs": {
            "price": {
                "tool": "get_price",
                "ask": "what it costs",
                "wants": ["price_eur"],
                "with": {"title": "$book"},
            },
            "stock": {
                "tool": "get_stock",
                "ask": "how many are left",
                "wants": ["copies"],
                "with": {"title": "$book"},
            },
            "shout": {
                "tool": "to_capitals",
                "ask": "the title in capitals",
                "wants": ["text"],
                "with": {"text": TITLES},
            },
        },
    }


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder with the tools of a module, annotated by hand, and scenarios."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.py").write_text(MODULE, encoding="utf-8")
    added = knowact(capsys, "tools", "add", "shop", "--python", "shop.py")
    assert added.code == 0, added.said
    (tmp_path / "knowact-tools" / "shop" / "annotations.yaml").write_text(
        yaml.safe_dump(ANNOTATIONS), "utf-8"
    )
    scenarios = tmp_path / "kapro-shop" / "scenarios"
    scenarios.mkdir(parents=True)
    for place in ("town", "line", "a hurry"):
        name = f"book-{place.split()[-1]}"
        (scenarios / f"{name}.yaml").write_text(yaml.safe_dump({name: scenario(place)}), "utf-8")
    return tmp_path


def forged(capsys: pytest.CaptureFixture[str], *words: object) -> Ran:
    return knowact(capsys, "forge", "kapro", "--tools", "shop", "--role", "writer=flat", *words)


def items(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "kapro-shop" / "items.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.slow
def test_items_are_proven_with_the_tools_and_an_oracle_gets_them_right(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = forged(capsys, "--size", 12)
    assert done.code == 0, done.said
    assert "Items can be made with 3 of the 4 tools of 'shop'." in done.out
    assert "not with 1: what is possible is not known: nobody has said whether it writes" in done.out
    made = items(shop)
    assert len(made) == 12
    assert {one["provenance"]["proof"] for one in made} == {"executed"}
    assert {one["world"]["name"] for one in made} == {"tools:shop"}
    assert all(one["id"].startswith("shop-") for one in made)
    sides = {(step["tool"], step["boundary"]) for one in made for step in one["plan"]}
    assert sides == {("get_price", "external"), ("get_stock", "external"), ("to_capitals", "internal")}
    ran = knowact(capsys, "run", "kapro", "--data", "kapro-shop", "--model", "knowact/oracle", "--yes")
    assert ran.code == 0, ran.said
    assert "KAS is 100% on every kind of task." in ran.out


def test_it_says_how_much_the_scenarios_yield(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = forged(capsys, "--size", 500)
    assert done.code == 0, done.said
    made = items(shop)
    assert 12 < len(made) < 500
    assert f"The scenarios yield {len(made)} provable requests of 500." in done.err


def test_an_answer_that_changes_while_one_looks_is_no_fact(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moody = MODULE.replace("BOOKS[title][0]}", "next(CLOCK)}").replace(
        "BOOKS =", "import itertools\nCLOCK = itertools.count(1)\nBOOKS ="
    )
    (shop / "shop.py").write_text(moody, encoding="utf-8")
    done = forged(capsys, "--size", 12)
    assert done.code == 0, done.said
    assert {step["tool"] for one in items(shop) for step in one["plan"]} == {"get_stock", "to_capitals"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--tools", "nobodys", "--size", "3"),
            "There is no folder of tools in knowact-tools named 'nobodys'",
        ),
        (("--tools", "shop"), "Say with --size N how many"),
    ],
)
def test_what_cannot_be_made_gets_a_sentence(
    shop: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    done = knowact(capsys, "forge", "kapro", "--role", "writer=flat", *words)
    assert done.code == 2, (shop, done.said)
    assert said in done.err


def test_without_annotations_nothing_can_be_made_and_it_says_why(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shop / "knowact-tools" / "shop" / "annotations.yaml").unlink()
    done = forged(capsys, "--size", 3)
    assert done.code == 2
    assert "Items can be made with 0 of the 4 tools of 'shop'." in done.err
    assert "nobody has said whether it writes" in done.err
