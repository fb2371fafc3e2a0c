"""`knowact forge kapro --tools`: data made with somebody's own tools, which an oracle then gets right."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from doubles.endpoint import Reply, Request, Say, ScriptedEndpoint
from knowact.forge.briefs import Brief
from knowact.forge.flat import flat
from knowact.forge.proposing import shown
from knowact.tools.material import material_of
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
    assert "KAS, averaged over the kinds of task, is 100% on 12 items." in ran.out


def situations(shop: Path, suite: str) -> None:
    """The scenarios of the shop for another suite; its two books make dialogues that lose a value, too."""
    folder = shop / f"{suite}-shop" / "scenarios"
    folder.mkdir(parents=True)
    for place in ("town", "line"):
        entry = scenario(place)
        entry["jobs"]["other"] = {**entry["jobs"]["stock"], "with": {"title": TITLES}}
        (folder / f"{place}.yaml").write_text(yaml.safe_dump({place: entry}, sort_keys=False), "utf-8")


@pytest.mark.slow
def test_pairs_for_what_is_missing_are_counted_first_and_an_oracle_gets_them_right(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    situations(shop, "ict")
    done = knowact(capsys, "forge", "ict", "--tools", "shop", "--role", "writer=flat", "--size", 24)
    assert done.code == 0, done.said
    made = (shop / "ict-shop" / "items.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [json.loads(one) for one in made]
    kinds = Counter((one["manipulation"], one["source"]) for one in pairs)
    assert {("api_replacement", "single_request"), ("utterance_removal", "single_request")} < kinds.keys()
    assert kinds["utterance_removal", "multi_turn"]
    [counted] = [line for line in done.out.splitlines() if "items can be made of" in line]
    assert counted.startswith(f"{len(pairs)} items can be made of {len(pairs)} requests: ")
    assert f"{kinds['api_replacement', 'single_request']} a tool replaced in a single request" in counted
    assert f"{kinds['utterance_removal', 'multi_turn']} a value left out in a dialogue" in counted
    assert {one["task"]["provenance"]["proof"] for one in pairs} == {"executed"}
    for one in pairs:
        used = {step["tool"] for step in one["task"]["plan"]}
        assert used <= {"get_price", "get_stock"}, "what a model does itself is no tool that can be missed"
        if one["condition"]["changes"]:
            assert one["condition"]["changes"][0]["by"] not in one["task"]["offered"]
    ran = knowact(capsys, "run", "ict", "--data", "ict-shop", "--model", "knowact/oracle", "--yes")
    assert ran.code == 0, ran.said
    assert f"Proof of the pairs: {len(pairs)} executed." in ran.out
    assert f"Both answers of a pair right: 100% of {len(pairs)} pairs." in ran.out


@pytest.mark.slow
def test_four_cases_of_each_request_are_made_where_a_tool_can_be_taken_away(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    situations(shop, "fail-talms")
    done = knowact(capsys, "forge", "fail-talms", "--tools", "shop", "--role", "writer=flat", "--size", 6)
    assert done.code == 0, done.said
    assert "24 items can be made of 6 requests: 6 " in done.out
    ran = knowact(
        capsys, "run", "fail-talms", "--data", "fail-talms-shop", "--model", "knowact/oracle", "--yes"
    )
    assert ran.code == 0, ran.said
    assert "Conduct right on both items of a pair: 100%, whatever is missing." in ran.out


def test_tools_of_which_no_pair_can_be_made_get_a_sentence_before_anything_is_spent(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    annotations = shop / "knowact-tools" / "shop" / "annotations.yaml"
    stock: dict[str, Any] = {**ANNOTATIONS["tools"]["get_stock"], "when": "never", "fires": []}
    annotations.write_text(yaml.safe_dump({"tools": {**ANNOTATIONS["tools"], "get_stock": stock}}), "utf-8")
    situations(shop, "ict")
    enum = MODULE.replace("(title: str) -> Price", "(title: Literal['Dune', 'Emma']) -> Price")
    (shop / "shop.py").write_text(enum.replace("import TypedDict", "import Literal, TypedDict"), "utf-8")
    assert knowact(capsys, "tools", "add", "shop").code == 0
    done = knowact(capsys, "forge", "ict", "--tools", "shop", "--role", "writer=nobody/x", "--size", 9)
    assert done.code == 2
    assert "The plans that can be proven with the tools of 'shop' make no item of ict." in done.err


NOTES = '''
from typing import Literal
from typing_extensions import TypedDict

class Words(TypedDict):
    words: int

KEPT = {"Shopping": "milk eggs bread", "Garden": "rake the leaves today", "Trip": "book the train and rooms"}

def count_words(text: str, source: Literal["text", "note"] = "text") -> Words:
    """Count the words of a text, or of the note with that title."""
    return {"words": len((KEPT[text] if source == "note" else text).split())}
'''


def test_a_tool_is_needed_in_one_request_and_needless_in_another(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shop / "shop.py").write_text(f"{MODULE}{NOTES}", encoding="utf-8")
    assert knowact(capsys, "tools", "add", "shop").code == 0
    counting: dict[str, Any] = {
        "writes": False,
        "external_if": {"privacy": {"source": {"const": "note"}}, "computation": {"text": {"minLength": 60}}},
        "by_person": True,
        "about": ["text", "source"],
        "needs": {"text": "words.text"},
        "reports": {"words": "words.count"},
    }
    said = {"tools": {**ANNOTATIONS["tools"], "count_words": counting}}
    (shop / "knowact-tools" / "shop" / "annotations.yaml").write_text(yaml.safe_dump(said), "utf-8")
    ask = {"tool": "count_words", "ask": "how many words it has", "wants": ["words"]}
    titles = {"one_of": ["Shopping", "Garden", "Trip"]}
    texts = {"one_of": ["a b c d e f g", "all of the best to you, dear"]}
    jobs = {
        "noted": {**ask, "with": {"text": titles, "source": "note"}},
        "pasted": {**ask, "with": {"text": texts}},
        # Needed for its length alone: not in this stratum.
        "long": {**ask, "with": {"text": "so " * 30}},
        "stock": scenario("town")["jobs"]["stock"],
    }
    for file in (folder := shop / "kapro-shop" / "scenarios").iterdir():
        name = file.stem
        file.write_text(yaml.safe_dump({name: {**scenario(name), "jobs": jobs}}), "utf-8")
    done = forged(capsys, "--size", 12)
    assert done.code == 0, (folder, done.said)
    assert "Items can be made with 4 of the 5 tools" in done.out
    steps = [step for one in items(shop) for step in one["plan"] if step["tool"] == "count_words"]
    sides = {(step["boundary"], step["arguments"].get("source", {}).get("value", "text")) for step in steps}
    assert sides == {("external", "note"), ("internal", "text")}
    told = json.loads(shown(material_of("shop"), 1)["tools"])
    assert told["count_words"]["needed"] == {
        "if": {"privacy": [{"source": {"const": "note"}}]},
        "not if": None,
    }
    assert "needed" not in told["get_stock"]
    assert all(len(step["arguments"]["text"]["value"]) < 60 for step in steps)
    ran = knowact(capsys, "run", "kapro", "--data", "kapro-shop", "--model", "knowact/oracle", "--yes")
    assert ran.code == 0, ran.said
    assert "KAS, averaged over the kinds of task, is 100% on 12 items." in ran.out


def test_it_says_how_much_the_scenarios_yield(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = forged(capsys, "--size", 500)
    assert done.code == 0, done.said
    made = items(shop)
    assert 12 < len(made) < 500
    assert f"The scenarios yield {len(made)} provable requests of 500." in done.err


def test_a_text_that_repeats_another_gives_its_place_to_another_plan(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    titles = [f"The collected letters and diaries of a gardener in the north, part {one}" for one in "ABCD"]
    books = ", ".join(f"{one!r}: (9.5, {number})" for number, one in enumerate([*titles, "Dune"]))
    (shop / "shop.py").write_text(f"{MODULE}BOOKS = {{{books}}}\n", encoding="utf-8")
    asked = {"tool": "get_stock", "ask": "how many are left", "wants": ["copies"]}
    jobs = {f"stock{one[-1]}": {**asked, "with": {"title": one}} for one in [*titles, "Dune"]}
    for number, file in enumerate((shop / "kapro-shop" / "scenarios").iterdir()):
        entry = {**scenario("town"), "values": {}, "jobs": jobs}
        file.write_text(yaml.safe_dump({file.stem: entry}) if not number else "{}", encoding="utf-8")

    def script(request: Request) -> Reply:
        shown = request.conversation.split("The brief:\n\n")[1].split("\n}\n")[0] + "}"
        said = flat(Brief.model_validate_json(shown)).model_dump(include={"versions"})
        for one in said["versions"].values():
            one["text"] = one["text"].partition(": ")[2]
        return Say(json.dumps(said))

    with ScriptedEndpoint(script, keep_requests=False) as endpoint:
        monkeypatch.setenv("OWN_API_KEY", "x")
        monkeypatch.setenv("OWN_BASE_URL", endpoint.base_url)
        words = ("--tools", "shop", "--role", "writer=openai-api/own/writer", "--size", 5, "--yes")
        done = knowact(capsys, "forge", "kapro", *words)
    assert done.code == 0, done.said
    assert "briefs for which the writer produced no valid text" in done.out
    assert "It says the same as the text of" in done.out
    assert "2 of 5 texts are there" in done.err
    assert len(items(shop)) == 2


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


ROWS = '''
from itertools import count
from typing_extensions import TypedDict

class Row(TypedDict):
    city: str
    people: int

CITIES = ["Oslo", "Bergen", "Hamar", "Oslo"]
CALLS = count()

def query(sql: str) -> list[Row]:
    """Ask the database."""
    rows = [{"city": city, "people": len(city)} for city in CITIES[: len(sql) - 1]]
    return rows[::-1] if next(CALLS) % 2 else rows

class Mayor(TypedDict):
    mayor: str

def get_mayor(city: str) -> Mayor:
    """Who the mayor of a city is."""
    return {"mayor": f"Ms {city[::-1]}"}

def list_tables() -> list[str]:
    """The tables of the database."""
    return ["orders", "customers"]
'''


def rows_forged(shop: Path, capsys: pytest.CaptureFixture[str], jobs: object) -> list[dict[str, Any]]:
    """The items of jobs with tools whose results are lists, one of which comes in another order each time."""
    (shop / "rows.py").write_text(ROWS, encoding="utf-8")
    assert knowact(capsys, "tools", "add", "rows", "--python", "rows.py").code == 0
    query = {
        **PRIVATE,
        "about": ["sql"],
        "needs": {"sql": "sql.query"},
        "reports": {"[].city": "customer.city", "[].people": "customer.people"},
    }
    tables: dict[str, Any] = {**PRIVATE, "about": [], "reports": {"[]": "table.name"}}
    mayor = {
        **PRIVATE,
        "about": ["city"],
        "needs": {"city": "customer.city"},
        "reports": {"mayor": "city.mayor"},
    }
    said: dict[str, Any] = {"tools": {"query": query, "list_tables": tables, "get_mayor": mayor}}
    (shop / "knowact-tools" / "rows" / "annotations.yaml").write_text(yaml.safe_dump(said))
    folder = shop / "kapro-rows" / "scenarios"
    folder.mkdir(parents=True)
    (folder / "a.yaml").write_text(
        yaml.safe_dump({"a": {**scenario("town"), "values": {}, "jobs": jobs}}, sort_keys=False)
    )
    done = knowact(capsys, "forge", "kapro", "--tools", "rows", "--role", "writer=flat", "--size", 30)
    assert done.code == 0, done.said
    made = (shop / "kapro-rows" / "items.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(one) for one in made]


CITY: dict[str, Any] = {"tool": "query", "ask": "where they live", "wants": ["[].city"]}


def test_a_list_of_different_names_is_asked_for_as_a_whole(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs: dict[str, Any] = {
        "one": {**CITY, "with": {"sql": "qa"}},
        "three": {**CITY, "with": {"sql": "qbcd"}},
        "twice the same": {**CITY, "with": {"sql": "qbcde"}},
        "none": {**CITY, "with": {"sql": "q"}},
        "numbers": {**CITY, "wants": ["[].people"], "with": {"sql": "qxyz"}},
        "unasked": {**CITY, "wants": [], "with": {"sql": "qd"}},
        "tables": {"tool": "list_tables", "ask": "which tables there are", "wants": ["[]"], "with": {}},
    }
    made = rows_forged(shop, capsys, jobs)
    facts = {fact["label"]: (fact["kind"], fact["value"]) for one in made for fact in one["facts"]}
    assert facts == {
        "city of qa": ("text", "Oslo"),
        "every city of qbcd": ("list", ["Bergen", "Hamar", "Oslo"]),
        "every table name": ("list", ["customers", "orders"]),
    }
    run = ("run", "kapro", "--data", "kapro-rows", "--model", "knowact/oracle", "--yes")
    ran = knowact(capsys, *run, "--probe", "act")
    assert ran.code == 0, ran.said
    checked = knowact(capsys, "data", "check", "kapro-rows")
    assert checked.code == 0, checked.said


def test_another_step_takes_a_field_of_a_list_that_has_one_element(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mayor = {"tool": "get_mayor", "ask": "who the mayor there is", "wants": ["mayor"]}
    jobs: dict[str, Any] = {
        "one": {**CITY, "wants": [], "with": {"sql": "qa"}},
        "two": {**CITY, "wants": [], "with": {"sql": "qbc"}},
        "there": {**mayor, "with": {"city": {"from": "one.[].city"}}},
        "somewhere": {**mayor, "with": {"city": {"from": "two.[].city"}}},
        "tables": {"tool": "list_tables", "ask": "which tables there are", "wants": ["[]"], "with": {}},
    }
    linked = [one["plan"] for one in rows_forged(shop, capsys, jobs) if one["topology"] == "multi_hop"]
    assert {plan[0]["arguments"]["sql"]["value"] for plan in linked} == {"qa"}
    assert {plan[1]["arguments"]["city"]["value"] for plan in linked} == {"Oslo"}


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
        (("--tools", "shop"), "Give the maximum number of items with --size N"),
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


def test_no_item_asks_for_a_secret(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = """
def get_account(user: str) -> dict[str, str]:
    return {"plan": f"plan of {user}", "api_key": "k-1", "note": "it is sk-proj-abcdefghijklmnopqrstuvwxyz"}
"""
    (shop / "bank.py").write_text(module, encoding="utf-8")
    (shop / "calls.jsonl").write_text('{"tool": "get_account", "arguments": {"user": "Ada"}}', "utf-8")
    assert knowact(capsys, "tools", "add", "bank", "--python", "bank.py").code == 0
    source = shop / "knowact-tools" / "bank"
    tools = [json.loads(line) for line in (source / "tools.jsonl").read_text("utf-8").splitlines()]
    fields = {name: {"type": "string"} for name in ("plan", "api_key", "note")}
    tools[0]["returns"] = {"type": "object", "properties": fields}
    (source / "tools.jsonl").write_text(json.dumps(tools[0]) + "\n", encoding="utf-8")
    reports = {"plan": "account.plan", "api_key": "account.key", "note": "account.note"}
    said = {**PRIVATE, "about": ["user"], "needs": {"user": "user.name"}, "reports": reports}
    (source / "annotations.yaml").write_text(yaml.safe_dump({"tools": {"get_account": said}}), "utf-8")
    done = knowact(capsys, "tools", "record", "bank", "--calls", "calls.jsonl", "--yes")
    assert done.code == 0, done.said
    material = material_of("bank")
    assert [*material.answers["get_account"]] == ["plan"]
    assert dict(material.keys) == {"account.plan": ["plan of Ada"], "user.name": ["Ada"]}
