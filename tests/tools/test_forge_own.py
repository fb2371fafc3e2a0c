"""`knowact forge kapro --tools`: data made with somebody's own tools, which an oracle then gets right."""

import json
import sys
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


def test_a_service_that_is_put_back_is_no_reason_to_wait_for_oneself(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shop / "put_back.py").write_text("open('put-back', 'a').write('x')", encoding="utf-8")
    source = shop / "knowact-tools" / "shop" / "source.yaml"
    with source.open("a", encoding="utf-8") as file:
        file.write(f"reset: {sys.executable} put_back.py\n")
    done = forged(capsys, "--size", 3)
    assert done.code == 0, done.said
    assert len(items(shop)) == 3
    assert (shop / "put-back").read_text("utf-8")


def test_a_field_of_a_list_is_asked_for_where_there_is_one(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = (
        "from typing import TypedDict\n\nclass Row(TypedDict):\n    city: str\n\n"
        'def query(sql: str) -> list[Row]:\n    """Ask the database."""\n'
        "    return [{'city': 'Oslo'}, {'city': 'Bergen'}][: len(sql) - 1]\n"
    ).replace("from typing import", "from typing_extensions import")
    (shop / "rows.py").write_text(rows, encoding="utf-8")
    assert knowact(capsys, "tools", "add", "rows", "--python", "rows.py").code == 0
    said = {
        **PRIVATE,
        "about": ["sql"],
        "needs": {"sql": "sql.query"},
        "reports": {"[].city": "customer.city"},
    }
    (shop / "knowact-tools" / "rows" / "annotations.yaml").write_text(
        yaml.safe_dump({"tools": {"query": said}})
    )
    ask = {"tool": "query", "ask": "where they live", "wants": ["[].city"]}
    jobs = {
        "one": {**ask, "with": {"sql": "qa"}},
        "two": {**ask, "with": {"sql": "qbc"}},
        "unasked": {**ask, "wants": [], "with": {"sql": "qd"}},
    }
    folder = shop / "kapro-rows" / "scenarios"
    folder.mkdir(parents=True)
    (folder / "a.yaml").write_text(yaml.safe_dump({"a": {**scenario("town"), "values": {}, "jobs": jobs}}))
    done = knowact(
        capsys, "forge", "kapro", "--tools", "rows", "--role", "writer=flat", "--size", 9, "--seed", 0
    )
    assert done.code == 0, done.said
    made = (shop / "kapro-rows" / "items.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(one)["facts"][0]["value"] for one in made} == {"Oslo"}
    assert {json.loads(one)["plan"][0]["arguments"]["sql"]["value"] for one in made} == {"qa"}


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
